/* GxB_Matrix_extractTuples_Vector and GxB_Vector_extractTuples_Vector: the tuples become vectors, spread over
 * the processes as all vectors are. */
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/object/burble.h"
#include "gridblas_gxb_operations.h"

/* Indices of a dimension n: 32 bits hold short ones. */
static GrB_Type index_type(uint64_t n) {
  return n <= INT32_MAX ? GrB_UINT32 : GrB_UINT64;
}

/* Where this process's tuples begin among all, of which there are *total. Collective. */
static GrB_Info find_first(uint64_t *first, uint64_t *total, uint64_t n) {
  uint64_t *counts = NULL;
  *first = 0, *total = n;
  if (grid_ctx.P == 1) return GrB_SUCCESS;
  GrB_Info info = grid_gather_elements(&n, 1, sizeof n, (void **)&counts);
  if (info != GrB_SUCCESS) return info;
  *total = 0;
  for (int r = 0; r < grid_ctx.P; r++) {
    if (r == grid_ctx.k) *first = *total;
    *total += counts[r];
  }
  grid_free(counts);
  return info;
}

/* What a vector becomes: the values x of all processes, cast to `type`. */
typedef struct {
  GrB_Vector v; /* NULL: not wanted */
  const void *x;
  GrB_Type from, type;
  grid_chunk chunk;
} replacement;

/* Makes the chunk of a vector of `total` values, whose number at[k] is this process's k-th. Collective,
 * agreed on. */
static GrB_Info make_chunk(replacement *r, const uint64_t *at, uint64_t n, uint64_t total) {
  grid_routed_entries in = {0};
  uint64_t where;
  if (!r->v) return GrB_SUCCESS;
  grid_chunk_init(&r->chunk, r->type, total ? grid_chunk_length(total, grid_ctx.k) : 0);
  if (total == 0) return GrB_SUCCESS;
  GrB_Info info = grid_route(&in, n, at, r->x, 1, r->from->size, total, GrB_SUCCESS);
  if (info == GrB_SUCCESS)
    info = grid_vec_build(&r->chunk, in.idx, in.val, r->from, 1, in.n, (grid_dup){.last = true}, &where);
  grid_routed_entries_free(&in);
  return grid_agree(&r->v->head, info);
}

/* The vectors become what was made. Cannot fail. */
static void replace(replacement *r, uint64_t total) {
  const GrB_Vector v = r->v;
  if (!v) return;
  v->type = r->type, v->n = total;
  grid_chunk_swap(&v->chunk, &r->chunk);
  grid_chunk_free(&v->reusable);
  grid_chunk_init(&v->reusable, v->type, v->chunk.n);
}

/* n: this process's tuples; info: the outcome so far. Collective, agreed on. */
static GrB_Info replace_all(replacement *r, int count, uint64_t n, GrB_Info info) {
  uint64_t *at = grid_malloc(n, sizeof *at), first, total;
  if (info == GrB_SUCCESS && !at) info = grid_fail_memory(NULL, "positions of tuples", n, sizeof *at);
  TRY(grid_agree(NULL, info));
  TRY(find_first(&first, &total, n));
  for (uint64_t k = 0; k < n; k++) at[k] = first + k;
  for (int k = 0; k < count; k++) TRY(make_chunk(&r[k], at, n, total));
  for (int k = 0; k < count; k++) replace(&r[k], total);
done:
  for (int k = 0; k < count; k++)
    if (r[k].chunk.type) grid_chunk_free(&r[k].chunk);
  grid_free(at);
  return info;
}

static GrB_Info check_outputs(const replacement *r, int count, const char *const *names, grid_head *in,
                              GrB_Descriptor desc, const char *call) {
  grid_desc d;
  GrB_Info info = grid_desc_get(desc, call, &d);
  for (int k = 0; k < count && info == GrB_SUCCESS; k++)
    if (r[k].v) info = grid_check_vector(r[k].v, call, names[k]);
  for (int k = 0; k < count && info == GrB_SUCCESS; k++)
    for (int m = 0; m < k; m++)
      if (r[k].v && r[k].v == r[m].v)
        return grid_fail(in, GrB_NOT_IMPLEMENTED, "%s: %s and %s are the same vector", call, names[m],
                         names[k]);
  return info;
}

static GrB_Info matrix_tuples(GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_Matrix A, GrB_Descriptor desc) {
  static const char call[] = "GxB_Matrix_extractTuples_Vector";
  static const char *const names[] = {"I", "J", "X"};
  grid_tuples t = {0};
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  replacement r[] = {{.v = I, .from = GrB_UINT64, .type = index_type(A->nrows)},
                     {.v = J, .from = GrB_UINT64, .type = index_type(A->ncols)},
                     {.v = X, .from = A->type, .type = A->type}};
  TRY(check_outputs(r, 3, names, &A->head, desc, call));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_ROWS));
  info = grid_matrix_host_tuples(A, &t, true);
  r[0].x = t.row, r[1].x = t.col, r[2].x = t.val;
  info = replace_all(r, 3, t.n, info);
done:
  grid_tuples_free(&t);
  return info;
}

GrB_Info GxB_Matrix_extractTuples_Vector(GrB_Vector rows, GrB_Vector cols, GrB_Vector values,
                                         const GrB_Matrix A, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Matrix_extractTuples_Vector", matrix_tuples(rows, cols, values, A, desc), rows,
                         cols, values, A);
}

static GrB_Info vector_tuples(GrB_Vector I, GrB_Vector X, GrB_Vector v, GrB_Descriptor desc) {
  static const char call[] = "GxB_Vector_extractTuples_Vector";
  static const char *const names[] = {"I", "X"};
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  replacement r[] = {{.v = I, .from = GrB_UINT64, .type = index_type(v->n)},
                     {.v = X, .from = v->type, .type = v->type}};
  TRY(check_outputs(r, 2, names, &v->head, desc, call));
  const uint64_t n = v->chunk.nvals;
  uint64_t *idx = grid_malloc(n, sizeof *idx);
  char *val = grid_malloc(n, v->type->size);
  if (!idx || !val) info = grid_fail_memory(NULL, "entries", n, sizeof *idx + v->type->size);
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(idx, val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  r[0].x = idx, r[1].x = val;
  info = replace_all(r, 2, n, info);
  grid_free(idx);
  grid_free(val);
done:
  return info;
}

GrB_Info GxB_Vector_extractTuples_Vector(GrB_Vector rows, GrB_Vector values, const GrB_Vector v,
                                         const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_Vector_extractTuples_Vector", vector_tuples(rows, values, v, desc), rows,
                         values, v);
}
