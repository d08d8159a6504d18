/* See packed_arrays.h: the checks of arrays of a program. All entries are read in any case, so every index is
 * checked, whether the program trusts its arrays or not. */
#include "dist/extensions/pack/packed_arrays.h"

typedef struct {
  GrB_Matrix A;
  const grid_packed *a;
  grid_packed_range range;
  const char *call;
} checker;

#define ULL(x) ((unsigned long long)(x))

/* Has the array, named `name`, at least n elements of `size` bytes? */
static GrB_Info check_array(const checker *k, const char *name, const void *array, uint64_t bytes, uint64_t n,
                            size_t size) {
  uint64_t want;
  if (__builtin_mul_overflow(n, size, &want)) want = UINT64_MAX;
  if (bytes < want)
    return grid_fail(&k->A->head, GrB_INVALID_VALUE, "%s: array %s has %llu bytes; %llu are needed", k->call,
                     name, ULL(bytes), ULL(want));
  if (n && !array) return grid_fail(&k->A->head, GrB_NULL_POINTER, "%s: array %s is NULL", k->call, name);
  return GrB_SUCCESS;
}

static GrB_Info check_values(const checker *k, uint64_t n) {
  const grid_packed *a = k->a;
  return check_array(k, "x", a->x, a->x_size, a->iso && n ? 1 : n, k->A->type->size);
}

/* Offsets of n vectors: they begin at 0 and do not descend. */
static GrB_Info check_offsets(const checker *k, uint64_t n) {
  const uint64_t *p = k->a->p;
  uint64_t bad = UINT64_MAX;
  if (p[0] != 0)
    return grid_fail(&k->A->head, GrB_INVALID_OBJECT, "%s: p[0] is %llu; it must be 0", k->call, ULL(p[0]));
#pragma omp parallel for schedule(static) reduction(min : bad) if (n > 1 << 15)
  for (uint64_t v = 0; v < n; v++)
    if (v < bad && p[v + 1] < p[v]) bad = v;
  if (bad == UINT64_MAX) return GrB_SUCCESS;
  return grid_fail(&k->A->head, GrB_INVALID_OBJECT, "%s: p[%llu] is %llu, less than p[%llu], which is %llu",
                   k->call, ULL(bad + 1), ULL(p[bad + 1]), ULL(bad), ULL(p[bad]));
}

/* h ascends, and lists vectors that this process owns. */
static GrB_Info check_list(const checker *k) {
  const grid_packed *a = k->a;
  const grid_packed_range *r = &k->range;
  const uint64_t dim = a->by_column ? k->A->ncols : k->A->nrows, first = a->any_vector ? 0 : r->first,
                 end = a->any_vector ? dim : first + r->count;
  for (uint64_t v = 0; v < a->nvec; v++) {
    if (a->h[v] < first || a->h[v] >= end)
      return grid_fail(&k->A->head, GrB_INVALID_OBJECT,
                       "%s: h[%llu] is %llu; this process owns the %s from %llu up to, not including, %llu",
                       k->call, ULL(v), ULL(a->h[v]), a->by_column ? "columns" : "rows", ULL(first),
                       ULL(end));
    if (v && a->h[v - 1] >= a->h[v])
      return grid_fail(&k->A->head, GrB_INVALID_OBJECT, "%s: h[%llu] is %llu, not above the one before it",
                       k->call, ULL(v), ULL(a->h[v]));
  }
  return GrB_SUCCESS;
}

/* Indices of the entries of `count` vectors. */
static GrB_Info check_indices(const checker *k, uint64_t count) {
  const grid_packed *a = k->a;
  const uint64_t n = a->p[count];
  uint64_t bad = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad) if (n > 1 << 15)
  for (uint64_t e = 0; e < n; e++)
    if (e < bad && a->i[e] >= k->range.length) bad = e;
  if (bad != UINT64_MAX)
    return grid_fail(&k->A->head, GrB_INVALID_OBJECT, "%s: i[%llu] is %llu, which is not below %llu", k->call,
                     ULL(bad), ULL(a->i[bad]), ULL(k->range.length));
  if (!a->sorted || !a->strict) return GrB_SUCCESS;
  for (uint64_t v = 0; v < count; v++)
    for (uint64_t e = a->p[v] + 1; e < a->p[v + 1]; e++)
      if (a->i[e - 1] >= a->i[e])
        return grid_fail(&k->A->head, GrB_INDEX_OUT_OF_BOUNDS,
                         "%s: i[%llu] is %llu, not above the one before it, and the arrays are said to be "
                         "sorted",
                         k->call, ULL(e), ULL(a->i[e]));
  return GrB_SUCCESS;
}

static GrB_Info check_sparse(const checker *k) {
  const grid_packed *a = k->a;
  const bool is_list = a->form == GxB_HYPERSPARSE;
  const uint64_t count = is_list ? a->nvec : k->range.count, dim = a->by_column ? k->A->ncols : k->A->nrows;
  GrB_Info info = GrB_SUCCESS;
  if (is_list && count > dim)
    return grid_fail(&k->A->head, GrB_INVALID_VALUE, "%s: nvec is %llu, but there are %llu %s", k->call,
                     ULL(count), ULL(dim), a->by_column ? "columns" : "rows");
  if (count == 0 && k->range.count == 0 && grid_ctx.P > 1) return info; /* it may pass NULL */
  TRY(check_array(k, "p", a->p, a->p_size, count + 1, sizeof *a->p));
  if (is_list) TRY(check_array(k, "h", a->h, a->h_size, count, sizeof *a->h));
  TRY(check_offsets(k, count));
  TRY(check_array(k, "i", a->i, a->i_size, a->p[count], sizeof *a->i));
  TRY(check_values(k, a->p[count]));
  if (is_list) TRY(check_list(k));
  info = check_indices(k, count);
done:
  return info;
}

static GrB_Info check_bitmap(const checker *k, uint64_t n) {
  const grid_packed *a = k->a;
  uint64_t present = 0, other = 0;
  GrB_Info info;
  TRY(check_array(k, "b", a->b, a->b_size, n, 1));
  TRY(check_values(k, n));
  if (!a->strict) return info;
#pragma omp parallel for schedule(static) reduction(+ : present, other) if (n > 1 << 15)
  for (uint64_t e = 0; e < n; e++) present += a->b[e] == 1, other += a->b[e] != 0 && a->b[e] != 1;
  if (other)
    return grid_fail(&k->A->head, GrB_INVALID_OBJECT, "%s: %llu elements of b are neither 0 nor 1", k->call,
                     ULL(other));
  if (present != a->nvals)
    return grid_fail(&k->A->head, GrB_INVALID_OBJECT, "%s: nvals is %llu, but b marks %llu entries", k->call,
                     ULL(a->nvals), ULL(present));
done:
  return info;
}

static GrB_Info check(const checker *k) {
  const grid_packed *a = k->a;
  uint64_t n;
  if (a->form == GxB_HYPERSPARSE || a->form == GxB_SPARSE) return check_sparse(k);
  if (!grid_packed_positions(&k->range, k->A->type->size, &n))
    return grid_fail(&k->A->head, GrB_INVALID_VALUE, "%s: %llu x %llu positions are too many for arrays",
                     k->call, ULL(k->A->nrows), ULL(k->A->ncols));
  return a->form == GxB_BITMAP ? check_bitmap(k, n) : check_values(k, n);
}

GrB_Info grid_matrix_pack(GrB_Matrix A, const grid_packed *a, const char *call) {
  const checker k = {A, a, grid_packed_range_of(A->nrows, A->ncols, a->by_column), call};
  GrB_Info info = grid_agree(&A->head, check(&k));
  if (info == GrB_SUCCESS) info = grid_packed_build(A, a, call);
  if (info != GrB_SUCCESS) return info;
  A->hints.orientation = a->by_column ? GrB_COLMAJOR : GrB_ROWMAJOR;
  A->hints.packed_i = a->i_size, A->hints.packed_x = a->x_size;
  return info;
}
