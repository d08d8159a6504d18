/* See import_arrays.h. */
#include "dist/interchange/import_arrays.h"

#define ULL(x) ((unsigned long long)(x))

GrB_Info grid_program_indices_read(grid_program_indices *to, const void *x, GrB_Type type, const char *what,
                                   const char *call) {
  GrB_Info info = grid_check_object(type, NULL, call, what);
  if (info != GrB_SUCCESS) return info;
  const bool is_signed = type == GrB_INT32 || type == GrB_INT64;
  if (type == GrB_INT32 || type == GrB_UINT32)
    *to = (grid_program_indices){.x32 = x, .is_signed = is_signed};
  else if (type == GrB_INT64 || type == GrB_UINT64)
    *to = (grid_program_indices){.x64 = x, .is_signed = is_signed};
  else
    return grid_fail(NULL, GrB_DOMAIN_MISMATCH,
                     "%s: argument %s is %s; integers of 32 or 64 bits are expected", call, what, type->name);
  return GrB_SUCCESS;
}

/* The k-th index as its type prints it. */
typedef struct {
  char text[24];
} number;

static number number_at(grid_program_indices a, uint64_t k) {
  const uint64_t x = grid_program_index(a, k);
  number to;
  if (a.is_signed)
    snprintf(to.text, sizeof to.text, "%lld", a.x32 ? (long long)(int32_t)x : (long long)x);
  else
    snprintf(to.text, sizeof to.text, "%llu", ULL(x));
  return to;
}

/* Valid indices are below this: a negative one has its highest bit set. */
static uint64_t limit_of(grid_program_indices a, uint64_t below) {
  const uint64_t negative = !a.is_signed ? UINT64_MAX : a.x32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
  return below < negative ? below : negative;
}

static GrB_Info check_offsets(grid_import_arrays *a, const char *call) {
  const uint64_t n = a->vectors, capacity = a->n_indices < a->n_values ? a->n_indices : a->n_values,
                 end = limit_of(a->indptr, capacity + 1);
  uint64_t bad = UINT64_MAX;
  if (a->n_indptr < n + 1)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: argument n_indptr is %llu; the format needs %llu", call,
                     ULL(a->n_indptr), ULL(n + 1));
  if (grid_program_index(a->indptr, 0) != 0)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: indptr[0] is %s; it must be 0", call,
                     number_at(a->indptr, 0).text);
#pragma omp parallel for schedule(static) reduction(min : bad) if (n > 1 << 15)
  for (uint64_t v = 0; v < n; v++) {
    const uint64_t next = grid_program_index(a->indptr, v + 1);
    if (v < bad && (next < grid_program_index(a->indptr, v) || next >= end)) bad = v;
  }
  if (bad != UINT64_MAX)
    return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS,
                     "%s: indptr[%llu] is %s, but the offset before it is %s, and there are %llu indices "
                     "and %llu values",
                     call, ULL(bad + 1), number_at(a->indptr, bad + 1).text, number_at(a->indptr, bad).text,
                     ULL(a->n_indices), ULL(a->n_values));
  a->n = grid_program_index(a->indptr, n);
  return GrB_SUCCESS;
}

/* Each process checks a share of replicated arrays; the lowest process that finds an error has the first
 * one. */
static GrB_Info check_indices(const char *what, grid_program_indices index, uint64_t n, uint64_t below,
                              bool is_replicated, const char *call) {
  const uint64_t share = is_replicated ? n / (uint64_t)grid_ctx.P + 1 : n, k0 = (uint64_t)grid_ctx.k * share,
                 from = !is_replicated ? 0
                        : k0 < n       ? k0
                                       : n,
                 end = n - from < share ? n : from + share, limit = limit_of(index, below);
  uint64_t bad = UINT64_MAX;
#pragma omp parallel for schedule(static) reduction(min : bad) if (end - from > 1 << 15)
  for (uint64_t k = from; k < end; k++)
    if (k < bad && grid_program_index(index, k) >= limit) bad = k;
  if (bad == UINT64_MAX) return GrB_SUCCESS;
  const number found = number_at(index, bad);
  if (found.text[0] == '-')
    return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS, "%s: %s[%llu] is %s, which is below 0", call, what,
                     ULL(bad), found.text);
  return grid_fail(NULL, GrB_INDEX_OUT_OF_BOUNDS, "%s: %s[%llu] is %s, which is not below %llu", call, what,
                   ULL(bad), found.text, ULL(below));
}

GrB_Info grid_import_check(grid_import_arrays *a, uint64_t nrows, uint64_t ncols, bool is_replicated,
                           const char *call) {
  const bool tuples = a->format == GrB_COO_FORMAT;
  GrB_Info info = GrB_SUCCESS;
  if (!grid_program_indices_exist(a->indptr))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument indptr is NULL", call);
  if (!grid_program_indices_exist(a->indices))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument indices is NULL", call);
  if (!a->values) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument values is NULL", call);
  if (!tuples) TRY(check_offsets(a, call));
  if (tuples && (a->n_indptr != a->n_indices || a->n_values < a->n_indices))
    TRY(grid_fail(NULL, GrB_INVALID_VALUE,
                  "%s: %llu rows, %llu columns and %llu values are given; tuples need as many of each", call,
                  ULL(a->n_indptr), ULL(a->n_indices), ULL(a->n_values)));
  if (tuples) a->n = a->n_indices;
  if (tuples) TRY(check_indices("indptr", a->indptr, a->n, nrows, is_replicated, call));
  TRY(check_indices("indices", a->indices, a->n, a->format == GrB_CSC_FORMAT ? nrows : ncols, is_replicated,
                    call));
done:
  return info;
}

GrB_Info grid_block_part(grid_csr_part *part, uint64_t nrows, uint64_t ncols) {
  const int R = grid_ctx.R, C = grid_ctx.C;
  const uint64_t first = grid_chunk_first(ncols, grid_ctx.j * R);
  *part = (grid_csr_part){.range = grid_calloc((size_t)C, sizeof *part->range),
                          .ranges = C,
                          .col = first,
                          .end = first + grid_block_length(ncols, false),
                          .dim = ncols};
  if (!part->range) return grid_fail_memory(NULL, "ranges of rows", (size_t)C, sizeof *part->range);
  for (int s = 0; s < C; s++) {
    const int k = grid_block_chunk(true, s);
    part->range[s] = (grid_row_range){grid_chunk_first(nrows, k), grid_chunk_length(nrows, k),
                                      grid_block_offset(nrows, true, s)};
  }
  return GrB_SUCCESS;
}
