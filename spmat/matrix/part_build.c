/* Building a part from tuples: compact the axes if they are hypersparse, group by row, group that by column
 * (now equal coordinates stand side by side, in tuple order), combine duplicates. */
#include <string.h>

#include "spmat/matrix/group.h"
#include "spmat/matrix/part.h"

/* ---- axes ---- */

static GrB_Info list_distinct(grid_axis *a, uint64_t *id, uint64_t *tmp, uint64_t n) {
  grid_sort_u64(id, tmp, n);
  uint64_t count = 0;
  for (uint64_t k = 0; k < n; k++)
    if (k == 0 || id[k] != id[k - 1]) id[count++] = id[k];
  bool wide = grid_axis_wide(a);
  a->ids = grid_malloc(count, wide ? sizeof(uint64_t) : sizeof(uint32_t));
  if (!a->ids) return grid_fail_memory(NULL, "list of non-empty rows or columns", count, sizeof(uint64_t));
  for (uint64_t k = 0; k < count; k++) {
    if (wide)
      ((uint64_t *)a->ids)[k] = id[k];
    else
      ((uint32_t *)a->ids)[k] = (uint32_t)id[k];
  }
  a->n = count;
  return GrB_SUCCESS;
}

static inline uint64_t coordinate(const void *keys, bool pairs, uint64_t k, bool row) {
  if (pairs) return row ? ((const grid_pair *)keys)[k].r : ((const grid_pair *)keys)[k].c;
  uint64_t key = ((const uint64_t *)keys)[k];
  return row ? key >> 32 : key & UINT32_MAX;
}

/* Fewer than one in GRID_HYPER vectors non-empty? Only counted when the number of tuples leaves it open. */
static bool is_hyper(const grid_axis *a, const void *keys, bool pairs, uint64_t n, bool row) {
  if (grid_axis_wide(a) || n < a->dim / GRID_HYPER) return true;
  if (n / 4 >= a->dim) return false;
  uint64_t *seen = grid_calloc(grid_words(a->dim), sizeof *seen), count = 0;
  if (!seen) return true; /* the smaller format is always right */
  for (uint64_t k = 0; k < n; k++) {
    uint64_t v = coordinate(keys, pairs, k, row), bit = UINT64_C(1) << (v & 63);
    count += !(seen[v >> 6] & bit);
    seen[v >> 6] |= bit;
  }
  grid_free(seen);
  return count < a->dim / GRID_HYPER;
}

static GrB_Info make_axis(grid_axis *a, const void *keys, bool pairs, uint64_t n, bool row) {
  if (a->n == a->dim || !is_hyper(a, keys, pairs, n, row)) {
    a->n = a->dim;
    return GrB_SUCCESS;
  }
  uint64_t *id = grid_malloc(n, sizeof *id), *tmp = grid_malloc(n, sizeof *tmp);
  GrB_Info info = GrB_SUCCESS;
  if (!id || !tmp) info = grid_fail_memory(NULL, "row or column numbers", n, sizeof *id);
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) id[k] = coordinate(keys, pairs, k, row);
  if (info == GrB_SUCCESS) info = list_distinct(a, id, tmp, n);
  grid_free(id);
  grid_free(tmp);
  return info;
}

/* Replaces keys by packed compact keys. */
static GrB_Info compact(const grid_part *p, void **keys, bool pairs, uint64_t n) {
  if (!pairs && !p->row.ids && !p->col.ids) return GrB_SUCCESS;
  uint64_t *packed = *keys;
  if (pairs && !(packed = grid_malloc(n, sizeof *packed)))
    return grid_fail_memory(NULL, "packed coordinates", n, sizeof *packed);
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t k = 0; k < n; k++) {
    uint64_t r = grid_axis_find(&p->row, coordinate(*keys, pairs, k, true));
    uint64_t c = grid_axis_find(&p->col, coordinate(*keys, pairs, k, false));
    packed[k] = r << 32 | c;
  }
  if (pairs) {
    grid_free(*keys);
    *keys = packed;
  }
  return GrB_SUCCESS;
}

/* ---- duplicates ---- */

typedef struct {
  grid_part *p;
  const uint32_t *pos; /* tuple number of each entry, NULL for a pattern */
  const char *values;
  grid_duplicates how;
  grid_pair *bad;
} dedup;

/* The value of entries [from, to), all at one coordinate, goes to slot `at`. */
static void combine_values(const dedup *d, uint64_t from, uint64_t to, uint64_t at) {
  size_t size = d->p->type->size;
  char *slot = (char *)d->p->by_col.val + at * size;
  if (d->how.dup) {
    memcpy(slot, d->values + (size_t)d->pos[from] * size, size);
    for (uint64_t e = from + 1; e < to; e++) d->how.dup->f(slot, slot, d->values + (size_t)d->pos[e] * size);
  } else {
    memcpy(slot, d->values + (size_t)d->pos[to - 1] * size, size);
  }
}

/* Packs each column's entries to its start, equal ones made one, and counts them. Returns false at a
 * duplicate that is an error. */
static bool combine_columns(const dedup *d, uint32_t *count) {
  grid_compressed *c = &d->p->by_col;
  bool allowed = d->how.dup || d->how.keep_last || !d->values;
  uint64_t first_bad = UINT64_MAX; /* column << 32 | row of a duplicate that is an error */
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : first_bad) if (d->p->nvals > 1 << 15)
  for (uint64_t v = 0; v < d->p->col.n; v++) {
    uint64_t at = c->ptr[v];
    for (uint64_t e = c->ptr[v], next; e < c->ptr[v + 1]; e = next) {
      for (next = e + 1; next < c->ptr[v + 1] && c->idx[next] == c->idx[e]; next++) {
      }
      uint64_t place = v << 32 | c->idx[e];
      if (next > e + 1 && !allowed && place < first_bad) first_bad = place;
      if (d->values) combine_values(d, e, next, at);
      c->idx[at++] = c->idx[e];
    }
    count[v] = (uint32_t)(at - c->ptr[v]);
  }
  if (first_bad == UINT64_MAX) return true;
  *d->bad = (grid_pair){grid_axis_id(&d->p->row, first_bad & UINT32_MAX),
                        grid_axis_id(&d->p->col, first_bad >> 32)};
  return false;
}

/* Closes the gaps that combine_columns left, into arrays of the exact size. */
static GrB_Info close_gaps(grid_part *p, const uint32_t *count) {
  grid_compressed *c = &p->by_col;
  uint64_t total = 0;
  for (uint64_t v = 0; v < p->col.n; v++) total += count[v];
  if (total == p->nvals) return GrB_SUCCESS;
  size_t size = p->type->size;
  uint32_t *ptr = grid_malloc(p->col.n + 1, sizeof *ptr), *idx = grid_malloc(total, sizeof *idx);
  char *val = c->val ? grid_malloc(total, size) : NULL;
  if (!ptr || !idx || (c->val && !val)) {
    grid_free(ptr);
    grid_free(idx);
    grid_free(val);
    return grid_fail_memory(NULL, "matrix entries", total, sizeof *idx + size);
  }
  ptr[0] = 0;
  for (uint64_t v = 0; v < p->col.n; v++) ptr[v + 1] = ptr[v] + count[v];
#pragma omp parallel for schedule(dynamic, 1024) if (total > 1 << 15)
  for (uint64_t v = 0; v < p->col.n; v++) {
    if (count[v]) memcpy(idx + ptr[v], c->idx + c->ptr[v], count[v] * sizeof *idx);
    if (val && count[v]) memcpy(val + ptr[v] * size, (char *)c->val + c->ptr[v] * size, count[v] * size);
  }
  grid_free(c->ptr);
  grid_free(c->idx);
  grid_free(c->val);
  *c = (grid_compressed){.ptr = ptr, .idx = idx, .val = val};
  p->nvals = total;
  return GrB_SUCCESS;
}

/* ---- build ---- */

/* Rows by descending number of tuples: a rank from before duplicates are combined is as good as one from
 * after. */
static GrB_Info order_rows(const uint32_t *ptr, uint64_t n, uint32_t **order) {
  uint32_t *count = grid_malloc(n, sizeof *count);
  *order = grid_malloc(n, sizeof **order);
  GrB_Info info = count && *order ? GrB_SUCCESS : grid_fail_memory(NULL, "rows by degree", n, sizeof *count);
  for (uint64_t v = 0; v < n && info == GrB_SUCCESS; v++) count[v] = ptr[v + 1] - ptr[v];
  if (info == GrB_SUCCESS) info = grid_order_by_degree(count, n, *order);
  grid_free(count);
  return info;
}

/* Groups packed compact keys by row, then by column; *pos gives each entry's tuple number when wanted. Frees
 * *keys. */
static GrB_Info group_twice(grid_part *p, void **keys, uint64_t n, bool symmetric, bool want_pos,
                            uint32_t **pos) {
  grid_compressed *c = &p->by_col;
  uint32_t *order = NULL;
  uint32_t *rptr = grid_malloc(p->row.n + 1, sizeof *rptr), *ridx = grid_malloc(n, sizeof *ridx),
           *rpos = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (want_pos) rpos = grid_malloc(n, sizeof *rpos);
  if (!rptr || !ridx || (want_pos && !rpos)) TRY(grid_fail_memory(NULL, "matrix rows", n, sizeof *ridx));
  TRY(grid_group(&(grid_stream){.keys = *keys, .n = n}, p->row.n, rptr, ridx, rpos, NULL));
  c->ptr = grid_malloc(p->col.n + 1, sizeof *c->ptr);
  c->idx = grid_malloc(n, sizeof *c->idx);
  if (want_pos) *pos = grid_malloc(n, sizeof **pos);
  if (!c->ptr || !c->idx || (want_pos && !*pos))
    TRY(grid_fail_memory(NULL, "matrix columns", n, sizeof *c->idx));
  if (symmetric) TRY(order_rows(rptr, p->row.n, &order));
  TRY(grid_group(&(grid_stream){.ptr = rptr, .idx = ridx, .order = order, .nvec = p->row.n, .n = n}, p->col.n,
                 c->ptr, c->idx, *pos,
                 *keys)); /* the keys have done their duty: their room serves as scratch */
  for (uint64_t e = 0; e < n && want_pos; e++) (*pos)[e] = rpos[(*pos)[e]];
done:
  grid_free(rptr);
  grid_free(ridx);
  grid_free(rpos);
  grid_free(order);
  grid_free(*keys);
  *keys = NULL;
  return info;
}

GrB_Info grid_part_build(grid_part *p, void *keys, bool pairs, uint64_t n, const void *values,
                         const void *one, grid_duplicates how, grid_pair *bad) {
  uint32_t *pos = NULL, *count = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (n > GRID_PART_MAX)
    TRY(grid_fail(
        NULL, GrB_OUT_OF_MEMORY,
        "a block of %llu tuples is more than the %llu that one process can hold; use more processes",
        (unsigned long long)n, (unsigned long long)GRID_PART_MAX));
  TRY(make_axis(&p->row, keys, pairs, n, true));
  TRY(make_axis(&p->col, keys, pairs, n, false));
  TRY(compact(p, &keys, pairs, n));
  TRY(group_twice(p, &keys, n, how.symmetric, values != NULL, &pos));
  p->nvals = n;
  p->ranked = how.symmetric;
  if (values) {
    p->by_col.val = grid_malloc(n, p->type->size);
    if (!p->by_col.val) TRY(grid_fail_memory(NULL, "matrix values", n, p->type->size));
  } else {
    p->iso = true;
    p->iso_val = grid_malloc(1, p->type->size);
    if (!p->iso_val) TRY(grid_fail_memory(NULL, "a matrix value", 1, p->type->size));
    memcpy(p->iso_val, one, p->type->size);
  }
  count = grid_malloc(p->col.n, sizeof *count);
  if (!count) TRY(grid_fail_memory(NULL, "column counts", p->col.n, sizeof *count));
  if (!combine_columns(&(dedup){p, pos, values, how, bad}, count))
    TRY(grid_fail(NULL, GrB_INVALID_VALUE, "two tuples for one entry, and no operator to combine them"));
  TRY(close_gaps(p, count));
done:
  grid_free(keys);
  grid_free(pos);
  grid_free(count);
  if (info != GrB_SUCCESS) grid_part_free(p);
  return info;
}
