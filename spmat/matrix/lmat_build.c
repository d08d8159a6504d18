/* Builds a local matrix from tuples: sorts them by row and column (sort.h), combines equal ones (compress.h),
 * and lists the vectors of an axis where few hold entries (axis.h). */
#include "semiring/support/progress.h"
#include "spmat/matrix/axis.h"
#include "spmat/matrix/build_ordered.h"
#include "spmat/matrix/compress.h"
#include "spmat/matrix/lmat_build.h"

static GrB_Info sort(const grid_local_matrix *p, const grid_lmat_source *t, grid_sorted *sorted) {
  const int bits = grid_index_bits(grid_axis_span(&p->row)) + grid_key_bits(p);
  const size_t size = t->pattern ? 0 : grid_load_size(p->type->size, t->source.n);
  if (t->binned) return grid_sort_binned(sorted, t->binned, size);
  return grid_sort_tuples(sorted, &t->source, size, bits, 0, t->has_bad_index);
}

/* Sorts and compresses *n tuples. *keys (NULL: none) are freed once they are read. */
static GrB_Info sort_and_compress(grid_local_matrix *p, const grid_lmat_source *t, uint64_t **keys,
                                  uint64_t *n, grid_pair *bad) {
  grid_sorted sorted;
  GrB_Info info = sort(p, t, &sorted);
  const grid_compress_job c = {&sorted, grid_key_bits(p), t->values, t->how, t->release, t->released};
  if (info != GrB_SUCCESS) return info;
  grid_progress_step(GRID_TUPLES_SORTED);
  if (keys) {
    grid_free(*keys);
    *keys = NULL;
  }
  *n = sorted.n;
  info = grid_compress(p, &c, bad);
  grid_sorted_free(&sorted);
  return info;
}

static GrB_Info build(grid_local_matrix *p, const grid_lmat_source *t, uint64_t **keys, grid_pair *bad) {
  bool done = false;
  uint64_t n = t->source.n;
  GrB_Info info;
  if (!t->binned) TRY(grid_build_ordered(p, t, &done));
  if (!done) TRY(sort_and_compress(p, t, keys, &n, bad));
  if (t->pattern) TRY(grid_lmat_set_iso(p, t->one));
  TRY(grid_axis_of_columns(p, n));
done:
  if (info == GrB_INVALID_VALUE)
    *bad = (grid_pair){grid_axis_id(&p->row, bad->r), grid_axis_id(&p->col, bad->c)};
  if (info != GrB_SUCCESS) grid_lmat_free(p);
  return info;
}

GrB_Info grid_lmat_build_from(grid_local_matrix *p, const grid_lmat_source *t, grid_pair *bad) {
  return build(p, t, NULL, bad);
}

/* ---- from an array of keys ---- */

typedef struct {
  const uint64_t *key;
  int from_bits, to_bits; /* of a column, in key and in what is read */
  const char *values;     /* of `size` bytes each */
  size_t size, load_size;
} key_source;

static uint64_t read_keys(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                          char *load) {
  const key_source *x = s->context;
  const uint64_t mask = (UINT64_C(1) << x->from_bits) - 1;
  (void)bin;
  for (uint64_t k = from; k < to; k++)
    key[k - from] = x->key[k] >> x->from_bits << x->to_bits | (x->key[k] & mask);
  if (load) grid_load_values(load, x->load_size, x->values, x->size, from, to);
  return to - from;
}

GrB_Info grid_lmat_build(grid_local_matrix *p, void *keys, bool pairs, uint64_t n, const void *values,
                         const void *one, grid_duplicates how, grid_pair *bad) {
  uint64_t *packed = keys;
  GrB_Info info = GrB_SUCCESS;
  if (pairs) {
    info = grid_axes_pack(p, keys, n, &packed);
    grid_free(keys);
  }
  const int bits = grid_key_bits(p);
  const key_source x = {packed, pairs ? bits : 32, bits,
                        values, p->type->size,     grid_load_size(p->type->size, n)};
  const grid_lmat_source t = {.source = {.n = n, .times = 1, .read = read_keys, .context = &x},
                              .pattern = values == NULL,
                              .values = values,
                              .one = one,
                              .how = how};
  if (info == GrB_SUCCESS)
    info = build(p, &t, &packed, bad);
  else
    grid_lmat_free(p);
  grid_free(packed);
  return info;
}
