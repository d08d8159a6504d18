/* Single entries of a vector chunk, on the host and on the device, and iteration over its entries. */
#include "spmat/vector/backend.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/chunk_memory.h"

static char *value_at(const grid_chunk *c, uint64_t k) {
  return (char *)c->val + (c->iso ? 0 : k * c->type->size);
}

/* Position of index i in the list, or where it would be inserted. */
static uint64_t list_position(const grid_chunk *c, uint64_t i) {
  if (c->nvals == 0 || c->idx[c->nvals - 1] < i) return c->nvals; /* ascending insertions append */
  return grid_lower_bound(c->idx, 0, c->nvals, i);
}

/* Reads an entry of a chunk on the device: its bit, then its value. */
static GrB_Info device_get(const grid_chunk *from, uint64_t i, bool *is_present, const void **v) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = (grid_chunk *)(uintptr_t)from;
  const size_t size = c->type->size;
  uint64_t word = 0;
  TRY(grid_chunk_wait(c));
  *is_present = c->nvals && c->format == GRID_FULL;
  if (c->nvals && c->format == GRID_BITMAP) {
    TRY(grid_device_get(&word, c->bits + (i >> 6), sizeof word));
    *is_present = word >> (i & 63) & 1;
  }
  if (!*is_present || !v) return GrB_SUCCESS;
  if (!c->iso) TRY(grid_device_get(c->host_value, (const char *)c->val + i * size, size));
  *v = c->host_value;
done:
  return info;
}

GrB_Info grid_chunk_read_element(const grid_chunk *c, uint64_t i, bool *is_present, const void **v) {
  if (c->device) return device_get(c, i, is_present, v);
  *is_present = grid_chunk_get(c, i, v);
  return GrB_SUCCESS;
}

bool grid_chunk_get(const grid_chunk *c, uint64_t i, const void **v) {
  bool is_present;
  if (c->device) return device_get(c, i, &is_present, v) == GrB_SUCCESS && is_present;
  uint64_t k = i;
  if (c->format == GRID_LIST) {
    k = list_position(c, i);
    if (k == c->nvals || c->idx[k] != i) return false;
  } else if (c->format == GRID_BITMAP && !grid_bit(c->bits, i)) {
    return false;
  }
  if (v) *v = value_at(c, k);
  return true;
}

/* Makes room for one more list entry. It doubles, so that n insertions cost O(n). */
static GrB_Info extend_list(grid_chunk *c) {
  const size_t size = c->type->size;
  if (c->cap_idx <= c->nvals || !c->idx) {
    uint64_t cap = c->nvals < 4 ? 4 : 2 * c->nvals;
    uint64_t *idx = grid_realloc(c->idx, cap, sizeof *idx);
    if (!idx) return grid_fail_memory(NULL, "vector indices", cap, sizeof *idx);
    c->idx = idx, c->cap_idx = cap;
  }
  uint64_t need = c->iso ? 1 : c->nvals + 1;
  /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no type is of size 0 */
  if (c->cap_val / size < need || !c->val) {
    uint64_t cap = need < 4 ? need : 2 * need;
    void *val = grid_realloc(c->val, cap, size);
    if (!val) return grid_fail_memory(NULL, "vector values", cap, size);
    c->val = val, c->cap_val = cap * size;
  }
  return GrB_SUCCESS;
}

static GrB_Info insert(grid_chunk *c, uint64_t i, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = c->type->size;
  if (c->format == GRID_LIST && !grid_chunk_is_short_list(c, c->nvals + 1)) TRY(grid_chunk_to_bitmap(c));
  if (c->format == GRID_LIST) {
    TRY(extend_list(c));
    uint64_t k = list_position(c, i);
    memmove(c->idx + k + 1, c->idx + k, (c->nvals - k) * sizeof *c->idx);
    c->idx[k] = i;
    if (!c->iso) {
      char *v = (char *)c->val + k * size;
      memmove(v + size, v, (c->nvals - k) * size);
      memcpy(v, x, size);
    } else if (c->nvals == 0) {
      memcpy(c->val, x, size);
    }
  } else {
    if (c->nvals == 0 && c->iso) TRY(grid_chunk_reserve_val(c, 1));
    c->bits[i >> 6] |= UINT64_C(1) << (i & 63);
    if (!c->iso || c->nvals == 0) memcpy(value_at(c, i), x, size);
  }
  if (++c->nvals == c->n) c->format = GRID_FULL;
done:
  return info;
}

static GrB_Info device_set(grid_chunk *c, uint64_t i, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = c->type->size;
  bool is_present = false;
  TRY(grid_chunk_wait(c));
  if (c->nvals == 0) {
    grid_chunk_empty(c);
    TRY(grid_chunk_reserve_device(c, true, true));
    TRY(grid_chunk_to_device(c));
    c->iso = true;
  } else {
    TRY(device_get(c, i, &is_present, NULL));
    if (c->iso && memcmp(c->host_value, x, size) != 0 && !(is_present && c->nvals == 1))
      TRY(grid_chunk_expand_iso(c));
  }
  TRY(grid_cuda->chunks->entry(is_present ? NULL : c->bits, c->val, c->iso ? 0 : i, i, x, size, true));
  if (c->iso) memcpy(c->host_value, x, size);
  c->nvals += !is_present;
  if (c->nvals == c->n) c->format = GRID_FULL;
done:
  return info;
}

static GrB_Info device_remove(grid_chunk *c, uint64_t i) {
  GrB_Info info = GrB_SUCCESS;
  bool is_present;
  TRY(device_get(c, i, &is_present, NULL));
  if (!is_present) return info;
  TRY(grid_chunk_to_bitmap(c));
  TRY(grid_cuda->chunks->entry(c->bits, NULL, 0, i, NULL, 0, false));
  if (--c->nvals == 0) grid_chunk_empty(c);
done:
  return info;
}

GrB_Info grid_chunk_set(grid_chunk *c, uint64_t i, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  if (c->device && grid_device_is_on()) return device_set(c, i, x);
  TRY(grid_chunk_to_host(c));
  if (c->nvals == 0) {
    grid_chunk_choose_format(c); /* becomes the empty list */
    c->iso = true;               /* iso as long as all values are equal */
  } else if (c->iso && memcmp(c->val, x, c->type->size) != 0) {
    if (c->nvals == 1 && grid_chunk_get(c, i, NULL))
      memcpy(c->val, x, c->type->size);
    else
      TRY(grid_chunk_expand_iso(c));
  }
  const void *v;
  if (!grid_chunk_get(c, i, &v)) return insert(c, i, x);
  if (!c->iso) grid_value_copy((void *)(uintptr_t)v, x, c->type->size);
done:
  return info;
}

GrB_Info grid_chunk_remove(grid_chunk *c, uint64_t i) {
  GrB_Info info = GrB_SUCCESS;
  if (c->device && grid_device_is_on()) return device_remove(c, i);
  TRY(grid_chunk_to_host(c));
  if (!grid_chunk_get(c, i, NULL)) return info;
  if (c->format == GRID_FULL) TRY(grid_chunk_to_bitmap(c));
  if (c->format == GRID_LIST) {
    const size_t size = c->type->size;
    uint64_t k = list_position(c, i), after = c->nvals - k - 1;
    memmove(c->idx + k, c->idx + k + 1, after * sizeof *c->idx);
    if (!c->iso) memmove((char *)c->val + k * size, (char *)c->val + (k + 1) * size, after * size);
  } else {
    c->bits[i >> 6] &= ~(UINT64_C(1) << (i & 63));
  }
  if (--c->nvals == 0) grid_chunk_empty(c);
done:
  return info;
}

/* ---- iteration ----------------------------------------------------------------------------------------- */

grid_iter grid_iter_begin(const grid_chunk *c) {
  grid_iter it = {.c = c};
  if (c->format == GRID_BITMAP && c->nvals) it.word = c->bits[0];
  return it;
}

bool grid_iter_next(grid_iter *it) {
  const grid_chunk *c = it->c;
  if (c->format == GRID_BITMAP) { /* k is the word number */
    if (c->nvals == 0) return false;
    while (it->word == 0) {
      if (++it->k >= grid_words(c->n)) return false;
      it->word = c->bits[it->k];
    }
    it->i = 64 * it->k + grid_low_bit(it->word);
    it->word &= it->word - 1;
    it->v = value_at(c, it->i);
    return true;
  }
  if (it->k >= c->nvals) return false;
  it->i = c->format == GRID_LIST ? c->idx[it->k] : it->k;
  it->v = value_at(c, it->k++);
  return true;
}
