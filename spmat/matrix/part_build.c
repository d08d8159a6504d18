/* Building a part from tuples: compact the axes if they are hypersparse, group by column, group that by
 * row (now equal coordinates stand side by side, in tuple order), combine duplicates. */
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
  grid_offsets pos; /* tuple number of each entry, none for a pattern */
  const char *values;
  grid_duplicates how;
  grid_pair *bad;
} dedup;

/* The value of entries [from, to), all at one coordinate, goes to slot `at`. */
static void combine_values(const dedup *d, uint64_t from, uint64_t to, uint64_t at) {
  size_t size = d->p->type->size;
  char *slot = (char *)d->p->by_row.val + at * size;
  if (d->how.dup) {
    memcpy(slot, d->values + grid_offset(d->pos, from) * size, size);
    for (uint64_t e = from + 1; e < to; e++)
      d->how.dup->f(slot, slot, d->values + grid_offset(d->pos, e) * size);
  } else {
    memcpy(slot, d->values + grid_offset(d->pos, to - 1) * size, size);
  }
}

/* Packs each row's entries to its start, equal ones made one, and counts them. Returns false at a duplicate
 * that is an error. */
static bool combine_rows(const dedup *d, uint32_t *count) {
  grid_compressed *c = &d->p->by_row;
  bool allowed = d->how.dup || d->how.keep_last || !d->values;
  uint64_t first_bad = UINT64_MAX; /* row << 32 | column of a duplicate that is an error */
#pragma omp parallel for schedule(dynamic, 1024) reduction(min : first_bad) if (d->p->nvals > 1 << 15)
  for (uint64_t v = 0; v < d->p->row.n; v++) {
    const uint64_t from = grid_vector_start(c, v), end = grid_vector_start(c, v + 1);
    uint64_t at = from;
    for (uint64_t e = from, next; e < end; e = next) {
      for (next = e + 1; next < end && c->idx[next] == c->idx[e]; next++) {
      }
      uint64_t place = v << 32 | c->idx[e];
      if (next > e + 1 && !allowed && place < first_bad) first_bad = place;
      if (d->values) combine_values(d, e, next, at);
      c->idx[at++] = c->idx[e];
    }
    count[v] = (uint32_t)(at - from);
  }
  if (first_bad == UINT64_MAX) return true;
  *d->bad = (grid_pair){grid_axis_id(&d->p->row, first_bad >> 32),
                        grid_axis_id(&d->p->col, first_bad & UINT32_MAX)};
  return false;
}

/* Closes the gaps that combine_rows left, into arrays of the exact size. */
static GrB_Info close_gaps(grid_part *p, const uint32_t *count) {
  grid_compressed *c = &p->by_row;
  uint64_t total = 0;
  for (uint64_t v = 0; v < p->row.n; v++) total += count[v];
  if (total == p->nvals) return GrB_SUCCESS;
  size_t size = p->type->size;
  grid_offsets start;
  bool made = grid_offsets_make(&start, p->row.n + 1, total);
  uint32_t *idx = grid_malloc(total, sizeof *idx);
  char *val = c->val ? grid_malloc(total, size) : NULL;
  if (!made || !idx || (c->val && !val)) {
    grid_offsets_free(&start);
    grid_free(idx);
    grid_free(val);
    return grid_fail_memory(NULL, "matrix entries", total, sizeof *idx + size);
  }
  grid_offset_set(start, 0, 0);
  for (uint64_t v = 0; v < p->row.n; v++) grid_offset_set(start, v + 1, grid_offset(start, v) + count[v]);
#pragma omp parallel for schedule(dynamic, 1024) if (total > 1 << 15)
  for (uint64_t v = 0; v < p->row.n; v++) {
    const uint64_t from = grid_vector_start(c, v), to = grid_offset(start, v);
    if (count[v]) memcpy(idx + to, c->idx + from, count[v] * sizeof *idx);
    if (val && count[v]) memcpy(val + to * size, (char *)c->val + from * size, count[v] * size);
  }
  grid_compressed_free(c, grid_free);
  *c = (grid_compressed){.ptr = start.narrow, .wide = start.wide, .idx = idx, .val = val};
  p->nvals = total;
  return GrB_SUCCESS;
}

/* ---- build ---- */

/* Groups packed compact keys by column, then by row; *pos gives each entry's tuple number when wanted. Frees
 * *keys. */
static GrB_Info group_twice(grid_part *p, void **keys, uint64_t n, bool want_pos, grid_offsets *pos) {
  grid_compressed *c = &p->by_row;
  grid_offsets cstart, start, cpos = {0};
  const bool cmade = grid_offsets_make(&cstart, p->col.n + 1, n);
  uint32_t *cidx = grid_malloc(n, sizeof *cidx);
  GrB_Info info = GrB_SUCCESS;
  if (!cmade || !cidx || (want_pos && !grid_offsets_make(&cpos, n, n)))
    TRY(grid_fail_memory(NULL, "matrix columns", n, sizeof *cidx));
  TRY(grid_group(&(grid_stream){.keys = *keys, .n = n}, p->col.n, cstart, cidx, cpos, NULL));
  const bool made = grid_offsets_make(&start, p->row.n + 1, n);
  c->ptr = start.narrow;
  c->wide = start.wide;
  c->idx = grid_malloc(n, sizeof *c->idx);
  if (!made || !c->idx || (want_pos && !grid_offsets_make(pos, n, n)))
    TRY(grid_fail_memory(NULL, "matrix rows", n, sizeof *c->idx));
  TRY(grid_group(&(grid_stream){.start = cstart, .idx = cidx, .nvec = p->col.n, .n = n}, p->row.n, start,
                 c->idx, *pos, *keys)); /* the keys have done their duty: their room serves as scratch */
#pragma omp parallel for schedule(static) if (n > 1 << 15)
  for (uint64_t e = 0; e < (want_pos ? n : 0); e++)
    grid_offset_set(*pos, e, grid_offset(cpos, grid_offset(*pos, e)));
done:
  grid_offsets_free(&cstart);
  grid_offsets_free(&cpos);
  grid_free(cidx);
  grid_free(*keys);
  *keys = NULL;
  return info;
}

GrB_Info grid_part_build(grid_part *p, void *keys, bool pairs, uint64_t n, const void *values,
                         const void *one, grid_duplicates how, grid_pair *bad) {
  grid_offsets pos = {0};
  uint32_t *count = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(make_axis(&p->row, keys, pairs, n, true));
  TRY(make_axis(&p->col, keys, pairs, n, false));
  TRY(compact(p, &keys, pairs, n));
  TRY(group_twice(p, &keys, n, values != NULL, &pos));
  p->nvals = n;
  if (values) {
    p->by_row.val = grid_malloc(n, p->type->size);
    if (!p->by_row.val) TRY(grid_fail_memory(NULL, "matrix values", n, p->type->size));
  } else {
    p->iso = true;
    p->iso_val = grid_malloc(1, p->type->size);
    if (!p->iso_val) TRY(grid_fail_memory(NULL, "a matrix value", 1, p->type->size));
    memcpy(p->iso_val, one, p->type->size);
  }
  count = grid_malloc(p->row.n, sizeof *count);
  if (!count) TRY(grid_fail_memory(NULL, "row counts", p->row.n, sizeof *count));
  if (!combine_rows(&(dedup){p, pos, values, how, bad}, count))
    TRY(grid_fail(NULL, GrB_INVALID_VALUE, "two tuples for one entry, and no operator to combine them"));
  TRY(close_gaps(p, count));
done:
  grid_free(keys);
  grid_offsets_free(&pos);
  grid_free(count);
  if (info != GrB_SUCCESS) grid_part_free(p);
  return info;
}
