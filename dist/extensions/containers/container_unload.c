/* GxB_unload_Matrix_into_Container and GxB_unload_Vector_into_Container. Each process has the arrays of its
 * own part; laid one after the other in rank order they are the vectors of the container. */
#include <string.h>

#include "dist/grid/layout.h"
#include "dist/extensions/containers/container.h"
#include "dist/extensions/containers/replace_object.h"
#include "dist/fields/storage_form.h"
#include "dist/extensions/pack/vector_arrays.h"
#include "dist/extensions/containers/vector_segments.h"
#include "dist/object/burble.h"

/* What comes before this process's part, and all: entries, listed vectors. */
typedef struct {
  uint64_t nvals_before, nvals, nvec_before, nvec;
  int first; /* the lowest process with entries: it has the value of an iso matrix; P: none */
} totals;

static GrB_Info sum_up(totals *t, const grid_packed *a) {
  const size_t P = (size_t)grid_ctx.P;
  const uint64_t local[2] = {a->nvals, a->nvec};
  uint64_t(*all)[2] = grid_malloc(P, sizeof *all);
  GrB_Info info = grid_agree(NULL, all ? GrB_SUCCESS : grid_fail_memory(NULL, "counts", P, sizeof *all));
  *t = (totals){.first = grid_ctx.P};
  TRY(info);
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, local, sizeof local, all));
  for (int r = 0; r < grid_ctx.P; r++) {
    if (r == grid_ctx.k) t->nvals_before = t->nvals, t->nvec_before = t->nvec;
    if (all[r][0] && t->first == grid_ctx.P) t->first = r;
    t->nvals += all[r][0], t->nvec += all[r][1];
  }
done:
  grid_free(all);
  return info;
}

/* Numbers of 64 bits become 32 in place; an array without elements may be NULL. */
static void narrow(uint64_t *x, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) {
    const uint32_t value = (uint32_t)x[k];
    memcpy((char *)x + k * sizeof value, &value, sizeof value);
  }
}

/* The contents to be: chunks of the container's vectors, with their sizes. */
typedef struct {
  grid_chunk chunk[GRID_C_VECTORS];
  uint64_t size[GRID_C_VECTORS];
} sections;

static void sections_free(sections *c) {
  for (int k = 0; k < GRID_C_VECTORS; k++)
    if (c->chunk[k].type) grid_chunk_free(&c->chunk[k]);
}

static GrB_Info add(sections *c, int which, GrB_Type type, const void *x, uint64_t start, uint64_t count,
                    uint64_t n) {
  c->size[which] = n;
  return grid_segments_to_chunk(&c->chunk[which], type, x, start, count, n);
}

/* Offsets, lists and indices. vectors: of the matrix; local_first: the range of this process, whose offsets
 * the arrays have; most: the larger dimension. */
static GrB_Info add_sparse(sections *c, const grid_packed *a, const totals *t, uint64_t vectors,
                           uint64_t local_first, uint64_t most) {
  const bool is_list = a->form == GxB_HYPERSPARSE, has_offsets64 = t->nvals > UINT32_MAX,
             has_indices64 = most > (uint64_t)INT32_MAX + 1, is_last = grid_ctx.k == grid_ctx.P - 1;
  const GrB_Type p_type = has_offsets64 ? GrB_UINT64 : GrB_UINT32,
                 i_type = has_indices64 ? GrB_INT64 : GrB_INT32;
  const uint64_t first = is_list ? t->nvec_before : local_first, count = a->nvec,
                 n = is_list ? t->nvec : vectors;
  GrB_Info info;
  for (uint64_t v = 0; v <= count; v++) a->p[v] += t->nvals_before;
  if (!has_offsets64) narrow(a->p, count + 1);
  TRY(add(c, GRID_C_P, p_type, a->p, first, count + is_last, n + 1));
  if (!has_indices64) narrow(a->i, a->nvals);
  TRY(add(c, GRID_C_I, i_type, a->i, t->nvals_before, a->nvals, t->nvals));
  if (!is_list) return info;
  if (!has_indices64) narrow(a->h, count);
  info = add(c, GRID_C_H, i_type, a->h, first, count, n);
done:
  return info;
}

static GrB_Info add_values(sections *c, const grid_packed *a, const totals *t, GrB_Type type, uint64_t start,
                           uint64_t count, uint64_t n) {
  if (a->iso) return add(c, GRID_C_X, type, a->x, 0, grid_ctx.k == t->first, n ? 1 : 0);
  return add(c, GRID_C_X, type, a->x, start, count, n);
}

/* Vectors that the form lacks stay empty. */
static void commit(GxB_Container to, sections *c, const grid_packed *a, const totals *t, uint64_t nrows,
                   uint64_t ncols) {
  const GrB_Vector all[] = {to->p, to->h, to->b, to->i, to->x};
  grid_container_clear(to);
  for (int k = 0; k < GRID_C_VECTORS; k++)
    if (c->chunk[k].type) grid_vector_replace(all[k], c->size[k], &c->chunk[k]);
  to->nrows = nrows, to->ncols = ncols, to->nvals = t->nvals;
  to->format = a->form;
  to->orientation = a->by_column ? GrB_COLMAJOR : GrB_ROWMAJOR;
  to->iso = a->iso;
}

/* ---- matrices ---- */

static GrB_Info collect_matrix(sections *c, const grid_packed *a, totals *t, GrB_Matrix A) {
  const uint64_t vectors = a->by_column ? A->ncols : A->nrows, length = a->by_column ? A->nrows : A->ncols,
                 most = vectors > length ? vectors : length, first = grid_chunk_first(vectors, grid_ctx.k);
  uint64_t start, count = a->nvals, all;
  GrB_Info info = sum_up(t, a);
  TRY(info);
  start = t->nvals_before, all = t->nvals;
  if (a->form == GxB_HYPERSPARSE || a->form == GxB_SPARSE) {
    TRY(add_sparse(c, a, t, vectors, first, most));
  } else {
    if (__builtin_mul_overflow(vectors, length, &all) || all > GrB_INDEX_MAX + 1)
      TRY(grid_fail_memory(&A->head, "positions of a matrix", UINT64_MAX, 1));
    start = first * length, count = grid_chunk_length(vectors, grid_ctx.k) * length;
    if (a->form == GxB_BITMAP) TRY(add(c, GRID_C_B, GrB_INT8, a->b, start, count, all));
  }
  info = add_values(c, a, t, A->type, start, count, all);
done:
  return info;
}

static GrB_Info unload_matrix(GrB_Matrix A, GxB_Container to, GrB_Descriptor desc) {
  static const char call[] = "GxB_unload_Matrix_into_Container";
  GrB_Vector known[GRID_C_VECTORS];
  GrB_Matrix none = NULL;
  grid_packed a = {0};
  sections c = {0};
  totals t;
  GrB_Info info;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_container_check(known, to, &A->head, call));
  if (desc) TRY(grid_check_object(desc, &A->head, call, "desc"));
  TRY(grid_matrix_require(A, GRID_OUTOFCORE | GRID_MERGED));
  a.form = grid_matrix_form(A), a.by_column = grid_matrix_is_by_column(A);
  TRY(GrB_Matrix_new(&none, A->type, 0, 0));
  TRY(grid_matrix_unpack(&a, A, true, call));
  TRY(collect_matrix(&c, &a, &t, A));
  commit(to, &c, &a, &t, A->nrows, A->ncols);
  grid_matrix_replace(A, none);
done:
  sections_free(&c);
  grid_packed_free(&a);
  GrB_Matrix_free(&none);
  return info;
}

GrB_Info GxB_unload_Matrix_into_Container(GrB_Matrix A, GxB_Container Container, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_unload_Matrix_into_Container", unload_matrix(A, Container, desc), A);
}

/* ---- vectors: matrices of one column, by column ---- */

static GrB_Info collect_vector(sections *c, grid_packed *a, totals *t, GrB_Vector v) {
  const uint64_t first = grid_chunk_first(v->n, grid_ctx.k);
  uint64_t start, count = a->nvals, all, ends[2] = {0, 0};
  GrB_Info info = sum_up(t, a);
  TRY(info);
  start = t->nvals_before, all = t->nvals;
  if (a->form == GxB_SPARSE) {
    const bool has_offsets64 = all > UINT32_MAX, has_indices64 = v->n > (uint64_t)INT32_MAX + 1;
    ends[1] = all;
    if (!has_offsets64) narrow(ends, 2);
    TRY(add(c, GRID_C_P, has_offsets64 ? GrB_UINT64 : GrB_UINT32, ends, 0, grid_ctx.k == 0 ? 2 : 0, 2));
    if (!has_indices64) narrow(a->i, count);
    TRY(add(c, GRID_C_I, has_indices64 ? GrB_INT64 : GrB_INT32, a->i, start, count, all));
  } else {
    start = first, count = v->chunk.n, all = v->n;
    if (a->form == GxB_BITMAP) TRY(add(c, GRID_C_B, GrB_INT8, a->b, start, count, all));
  }
  info = add_values(c, a, t, v->type, start, count, all);
done:
  return info;
}

static GrB_Info unload_vector(GrB_Vector V, GxB_Container to, GrB_Descriptor desc) {
  static const char call[] = "GxB_unload_Vector_into_Container";
  GrB_Vector known[GRID_C_VECTORS];
  grid_packed a = {.by_column = true};
  sections c = {0};
  grid_chunk none;
  totals t;
  uint64_t nvals;
  GrB_Info info;
  TRY(grid_check_vector(V, call, "V"));
  TRY(grid_container_check(known, to, &V->head, call));
  if (desc) TRY(grid_check_object(desc, &V->head, call, "desc"));
  TRY(grid_vector_count(&nvals, V));
  a.form = grid_vector_form(V, nvals);
  TRY(grid_vector_unpack(&a, V, true, GrB_INVALID_OBJECT, call));
  TRY(collect_vector(&c, &a, &t, V));
  commit(to, &c, &a, &t, V->n, 1);
  grid_chunk_init(&none, V->type, 0);
  grid_vector_replace(V, 0, &none);
done:
  sections_free(&c);
  grid_packed_free(&a);
  return info;
}

GrB_Info GxB_unload_Vector_into_Container(GrB_Vector V, GxB_Container Container, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL("GxB_unload_Vector_into_Container", unload_vector(V, Container, desc), V);
}
