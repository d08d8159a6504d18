/* Copies, formats and single entries of a vector chunk, on the host and on the device. */
#include "spmat/vector/backend.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/chunk_memory.h"

static char *value_at(const grid_chunk *c, uint64_t k) {
  return (char *)c->val + (c->iso ? 0 : k * c->type->size);
}

/* ---- allocation ---------------------------------------------------------------------------------------- */

GrB_Info grid_chunk_reserve_val(grid_chunk *c, uint64_t count) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_val(c, count) : info;
}

GrB_Info grid_chunk_reserve_list(grid_chunk *c, uint64_t nvals, bool iso) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_list(c, nvals, iso) : info;
}

GrB_Info grid_chunk_reserve_dense(grid_chunk *c, bool iso) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_dense(c, iso) : info;
}

/* ---- copy ---------------------------------------------------------------------------------------------- */

/* The values of word w. */
static void copy_word(grid_chunk *to, const grid_chunk *from, int64_t w) {
  const size_t size = from->type->size, at = (size_t)w * 64 * size;
  uint64_t s = from->format == GRID_BITMAP ? from->bits[w] : grid_tail(from->n, (uint64_t)w);
  if (grid_word_filled(s)) /* values of absent entries may be overwritten */
    memcpy((char *)to->val + at, (const char *)from->val + at, grid_word_length(s) * size);
  else
    grid_value_copy_bits((char *)to->val + at, (const char *)from->val + at, 1, s, size);
}

static void copy_dense(grid_chunk *to, const grid_chunk *from) {
  const int64_t words = (int64_t)grid_words(from->n);
  const bool bitmap = from->format == GRID_BITMAP;
  if (bitmap) memcpy(to->bits, from->bits, (size_t)words * sizeof(uint64_t));
  if (from->iso) {
    if (from->nvals) memcpy(to->val, from->val, from->type->size);
    return;
  }
  const int threads = grid_word_threads((uint64_t)words);
  if (grid_is_serial(threads)) {
    for (int64_t w = 0; w < words; w++) copy_word(to, from, w);
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t w = 0; w < words; w++) copy_word(to, from, w);
  }
}

/* from lies on the device and has entries; c has no arrays yet. */
static GrB_Info copy_on_device(grid_chunk *c, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  const bool bitmap = from->format == GRID_BITMAP;
  const size_t size = from->type->size;
  TRY(grid_chunk_reserve_device(c, bitmap, from->iso));
  if (bitmap) TRY(grid_device_copy(c->bits, from->bits, grid_words(from->n) * sizeof *from->bits));
  TRY(grid_device_copy(c->val, from->val, (from->iso ? 1 : from->n) * size));
  memcpy(c->host_value, from->host_value, sizeof c->host_value);
done:
  return info;
}

static GrB_Info copy_on_host(grid_chunk *c, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  if (from->format == GRID_LIST) {
    TRY(grid_chunk_reserve_list(c, from->nvals, from->iso));
    memcpy(c->idx, from->idx, from->nvals * sizeof(uint64_t));
    memcpy(c->val, from->val, (from->iso ? 1 : from->nvals) * from->type->size);
  } else {
    if (from->format == GRID_BITMAP)
      TRY(grid_chunk_reserve_dense(c, from->iso));
    else
      TRY(grid_chunk_reserve_val(c, from->iso ? 1 : from->n));
    copy_dense(c, from);
  }
done:
  return info;
}

GrB_Info grid_chunk_copy(grid_chunk *to, const grid_chunk *from) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk c;
  grid_chunk_init(&c, from->type, from->n);
  TRY(grid_chunk_wait(from));
  if (from->nvals) {
    TRY(from->device ? copy_on_device(&c, from) : copy_on_host(&c, from));
    c.format = from->format, c.iso = from->iso, c.nvals = from->nvals;
  }
  grid_chunk_swap(to, &c);
done:
  grid_chunk_free(&c);
  return info;
}

static GrB_Info fill_pattern_on_device(grid_chunk *to, const grid_chunk *s, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  const size_t size = to->type->size;
  TRY(grid_chunk_reserve_device(to, s->format == GRID_BITMAP, true));
  if (s->format == GRID_BITMAP) TRY(grid_device_copy(to->bits, s->bits, grid_words(s->n) * sizeof *s->bits));
  TRY(grid_cuda->chunks->fill(to->val, memcpy(to->host_value, x, size), size, 1));
done:
  return info;
}

static GrB_Info fill_pattern_on_host(grid_chunk *to, const grid_chunk *s, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_chunk_reserve_val(to, 1));
  if (s->format == GRID_LIST) TRY(grid_chunk_reserve_list(to, s->nvals, true));
  if (s->format == GRID_LIST) memcpy(to->idx, s->idx, s->nvals * sizeof *s->idx);
  if (s->format == GRID_BITMAP) TRY(grid_chunk_reserve_dense(to, true));
  if (s->format == GRID_BITMAP) memcpy(to->bits, s->bits, grid_words(s->n) * sizeof *s->bits);
  memcpy(to->val, x, to->type->size);
done:
  return info;
}

GrB_Info grid_chunk_fill_pattern(grid_chunk *to, const grid_chunk *s, const void *x) {
  const bool is_present = s->device && to->type->size <= GRID_DEVICE_VALUE_MAX;
  GrB_Info info = GrB_SUCCESS;
  if (s->nvals == 0) return info;
  if (!is_present) TRY(grid_chunk_to_host(s));
  TRY(is_present ? fill_pattern_on_device(to, s, x) : fill_pattern_on_host(to, s, x));
  to->format = s->format, to->nvals = s->nvals, to->iso = true;
done:
  return info;
}

/* ---- formats ------------------------------------------------------------------------------------------- */

static GrB_Info device_to_bitmap(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->format == GRID_FULL) {
    TRY(grid_chunk_reserve_device(c, true, c->iso));
    TRY(grid_cuda->chunks->combine(c->bits, NULL, NULL, GRID_AND, c->n, NULL));
    c->format = GRID_BITMAP;
  }
  TRY(grid_chunk_to_device(c)); /* an empty chunk gets a bitmap of zeros */
done:
  return info;
}

GrB_Info grid_chunk_to_list(grid_chunk *c) {
  GrB_Info info = grid_chunk_to_host(c);
  return info == GrB_SUCCESS ? grid_chunk_host_to_list(c) : info;
}

GrB_Info grid_chunk_to_bitmap(grid_chunk *c) {
  if (c->device && c->format != GRID_BITMAP) return device_to_bitmap(c);
  return grid_chunk_host_to_bitmap(c);
}

GrB_Info grid_chunk_choose_format(grid_chunk *c) {
  if (!c->device) return grid_chunk_host_choose_format(c);
  if (c->nvals == 0) grid_chunk_empty(c);
  if (c->nvals && c->nvals == c->n) c->format = GRID_FULL; /* an uncounted one stays uncounted */
  return GrB_SUCCESS;
}

/* Stores the value at every index, entry or not, with contiguous writes. */
static GrB_Info device_expand_iso(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->nvals) {
    TRY(grid_chunk_reserve_device(c, false, false));
    TRY(grid_cuda->chunks->fill(c->val, c->host_value, c->type->size, c->n));
  }
  c->iso = false;
done:
  return info;
}

GrB_Info grid_chunk_expand_iso(grid_chunk *c) {
  if (!c->iso) return GrB_SUCCESS;
  if (c->device) return device_expand_iso(c);
  const size_t size = c->type->size;
  const uint64_t count = c->format == GRID_LIST ? c->nvals : c->n;
  char *val = c->val;
  if (c->cap_val / size < count) {
    val = grid_malloc(count, size);
    if (!val) return grid_fail_memory(NULL, "vector values", count, size);
  }
  if (c->format == GRID_BITMAP) { /* only at entries: other pages stay untouched */
    const char *x = c->val;
    uint64_t one[8], *big = NULL;
    if (size > sizeof one) {
      big = grid_malloc(1, size);
      if (!big) {
        if (val != c->val) grid_free(val);
        return grid_fail_memory(NULL, "vector values", 1, size);
      }
    }
    x = memcpy(big ? big : one, x, size); /* the fill may overwrite it */
    for (uint64_t w = 0; w < grid_words(c->n); w++)
      grid_value_copy_bits(val + w * 64 * size, x, 0, c->bits[w], size);
    grid_free(big);
  } else {
    if (val != c->val && count) memcpy(val, c->val, size);
    for (uint64_t done = 1; done < count; done *= 2)
      memcpy(val + done * size, val, (count - done < done ? count - done : done) * size);
  }
  if (val != c->val) {
    grid_free(c->val);
    c->val = val, c->cap_val = count * size;
  }
  c->iso = false;
  return GrB_SUCCESS;
}

/* ---- single entries ------------------------------------------------------------------------------------ */

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
  TRY(device_to_bitmap(c));
  TRY(grid_cuda->chunks->entry(c->bits, NULL, 0, i, NULL, 0, false));
  if (--c->nvals == 0) grid_chunk_empty(c);
done:
  return info;
}

GrB_Info grid_chunk_set(grid_chunk *c, uint64_t i, const void *x) {
  GrB_Info info = GrB_SUCCESS;
  if (c->device && grid_device_is_on()) return device_set(c, i, x);
  TRY(grid_chunk_to_host(c));
  const bool is_present = grid_chunk_get(c, i, NULL);
  if (c->nvals == 0) {
    grid_chunk_choose_format(c); /* becomes the empty list */
    c->iso = true;               /* iso as long as all values are equal */
  } else if (c->iso && memcmp(c->val, x, c->type->size) != 0) {
    if (is_present && c->nvals == 1)
      memcpy(c->val, x, c->type->size);
    else
      TRY(grid_chunk_expand_iso(c));
  }
  if (!is_present) return insert(c, i, x);
  const void *v = c->val;
  grid_chunk_get(c, i, &v);
  if (!c->iso) memcpy((char *)c->val + ((const char *)v - (const char *)c->val), x, c->type->size);
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
