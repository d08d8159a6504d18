/* Extraction of all tuples, of the local ones, and the account of memory. */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/matrix/storage/matrix_storage.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "spmat/cpu/matrix/lmat_tuples.h"

GrB_Info Grid_Matrix_extractLocal(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *n,
                                  GrB_Matrix A) {
  const char *call = "Grid_Matrix_extractLocal";
  GrB_Info info = grid_check_local(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument n is NULL", call);
  grid_tuples t = {0};
  bool waiting = A->pending.n > 0; /* merging them permanently is collective */
  if (waiting) TRY(grid_matrix_merged_tuples(A, &t));
  uint64_t have = waiting ? t.n : grid_matrix_local_nvals(A), capacity = *n;
  *n = have;
  if (!rows && !cols && !values) goto done;
  if (capacity < have)
    TRY(grid_fail(&A->head, GrB_INSUFFICIENT_SPACE, "%s: room for %llu entries, but this process has %llu",
                  call, (unsigned long long)capacity, (unsigned long long)have));
  if (!waiting && !A->block.device && have == A->block.nvals) {
    TRY(grid_dense_local_rows(A));
    info = grid_matrix_block_tuples(A, &A->block, rows, cols, values, A->type);
    goto done;
  }
  if (!waiting) TRY(grid_matrix_copy_tuples(A, &t, have, values != NULL));
  if (rows) memcpy(rows, t.row, have * sizeof *rows);
  if (cols) memcpy(cols, t.col, have * sizeof *cols);
  if (values) memcpy(values, t.val, have * A->type->size);
done:
  grid_tuples_free(&t);
  return info;
}

/* ---- everything to everyone ---- */

/* One process: the block's entries are written to the caller's arrays directly. */
static GrB_Info copy_local(GrB_Index *I, GrB_Index *J, void *X, GrB_Type xtype, GrB_Matrix A) {
  grid_tuples t = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree(&A->head, grid_matrix_to_host(A)));
  if (A->block.nvals == A->nvals) return grid_matrix_block_tuples(A, &A->block, I, J, X, xtype);
  TRY(grid_agree(&A->head, grid_matrix_host_tuples(A, &t, X != NULL)));
  if (I) memcpy(I, t.row, t.n * sizeof *I);
  if (J) memcpy(J, t.col, t.n * sizeof *J);
  if (X) grid_cast_array(X, xtype, t.val, A->type, 1, t.n);
done:
  grid_tuples_free(&t);
  return info;
}

/* Several processes: values are cast by their owner and gathered into the caller's arrays. */
static GrB_Info gather_tuples(GrB_Index *I, GrB_Index *J, void *X, GrB_Type xtype, GrB_Matrix A) {
  grid_tuples t = {0};
  char *cast = NULL;
  GrB_Info info = grid_matrix_host_tuples(A, &t, X != NULL);
  if (info == GrB_SUCCESS && X && xtype != A->type) {
    cast = grid_malloc(t.n, xtype->size);
    if (cast)
      grid_cast_array(cast, xtype, t.val, A->type, 1, t.n);
    else
      info = grid_fail_memory(NULL, "matrix tuples", t.n, xtype->size);
  }
  TRY(grid_agree(&A->head, info));
  if (I) TRY(grid_gather_into(t.row, t.n, sizeof *I, I));
  if (J) TRY(grid_gather_into(t.col, t.n, sizeof *J, J));
  if (X) TRY(grid_gather_into(cast ? cast : t.val, t.n, xtype->size, X));
done:
  grid_tuples_free(&t);
  grid_free(cast);
  return info;
}

/* Each process writes all tuples: of a copy that all share, or as they are gathered. */
static GrB_Info spread_tuples(GrB_Index *I, GrB_Index *J, void *X, GrB_Type xtype, GrB_Matrix A,
                              const char *call) {
  grid_replicated_matrix w = {0};
  GrB_Info info = GrB_SUCCESS;
  if (!A->pages && !A->delegates.split) TRY(grid_matrix_try_view(&w, A, X != NULL, call));
  if (!w.borrowed) return gather_tuples(I, J, X, xtype, A);
  grid_lmat_to_tuples(I, J, X, xtype, w.p, &(grid_index_map){.axis = &w.p->row},
                      &(grid_index_map){.axis = &w.p->col});
done:
  grid_replicated_matrix_free(&w);
  return info;
}

static GrB_Info extract_tuples(GrB_Index *I, GrB_Index *J, void *X, GrB_Type xtype, GrB_Index *n,
                               GrB_Matrix A) {
  const char *call = "GrB_Matrix_extractTuples";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument nvals is NULL", call);
  if (!xtype && (info = grid_check_user_type(xtype = A->type, &A->head, call)) != GrB_SUCCESS) return info;
  if (X && !grid_compatible(xtype, A->type))
    return grid_fail(&A->head, GrB_DOMAIN_MISMATCH, "%s: values of type %s cannot become %s", call,
                     A->type->name, xtype->name);
  if ((info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_ROWS)) != GrB_SUCCESS) return info;
  if (*n < A->nvals)
    return grid_fail(&A->head, GrB_INSUFFICIENT_SPACE, "%s: room for %llu entries, but A has %llu", call,
                     (unsigned long long)*n, (unsigned long long)A->nvals);
  info = grid_ctx.P == 1 ? copy_local(I, J, X, xtype, A) : spread_tuples(I, J, X, xtype, A, call);
  if (info == GrB_SUCCESS) *n = A->nvals;
  return info;
}

#define TUPLES(P, T, C_TYPE)                                                                                \
  GrB_Info P##_Matrix_extractTuples_##T(GrB_Index *rows, GrB_Index *cols, C_TYPE *values, GrB_Index *nvals, \
                                        const GrB_Matrix A) {                                               \
    return GRID_TRACE_CALL("GrB_Matrix_extractTuples",                                                      \
                           extract_tuples(rows, cols, values, P##_##T, nvals, A), A);                       \
  }
GRID_PREDEFINED_TYPES(TUPLES)

GrB_Info GrB_Matrix_extractTuples_UDT(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *nvals,
                                      const GrB_Matrix A) {
  return GRID_TRACE_CALL("GrB_Matrix_extractTuples", extract_tuples(rows, cols, values, NULL, nvals, A), A);
}

/* ---- storage ---- */

/* Bytes of the degrees of q vectors and of the bitmap of nonempty ones. */
static uint64_t degree_bytes(uint64_t q) {
  return q * sizeof(uint32_t) + grid_words(q) * sizeof(uint64_t);
}

GrB_Info Grid_Matrix_storage(Grid_Storage *s, GrB_Matrix A) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, A);
  const char *call = "Grid_Matrix_storage";
  GrB_Info info = grid_check_matrix(A, call, "A");
  if (info != GrB_SUCCESS) return info;
  if (!s) return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument s is NULL", call);
  if ((info = grid_matrix_require(A, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED)) != GrB_SUCCESS) return info;
  const bool paged = grid_is_paged(A);
  if (!A->bitmap.only && !paged && (info = grid_matrix_require(A, GRID_READY)) != GrB_SUCCESS) return info;
  Grid_Storage local_storage = {.threshold = -1};
  grid_cached_storage(A, &local_storage);
  local_storage.bytes += grid_storage_of(A)->bytes(A);
  const bool once = A->degrees.row == A->degrees.col && A->degrees.device_row == A->degrees.device_col;
  if (grid_has_degrees(A, true)) local_storage.bytes += degree_bytes(grid_local_padded_size(A->nrows));
  if (grid_has_degrees(A, false) && !once)
    local_storage.bytes += degree_bytes(grid_local_padded_size(A->ncols));
  uint64_t v[] = {local_storage.bytes, A->block.nvals,   local_storage.nd,
                  local_storage.dn,    local_storage.dd, A->block.row.ids || A->block.col.ids};
  if ((info = grid_ctx.transport->allreduce(GRID_SET_ALL, v, 6, GRID_SUM)) != GrB_SUCCESS) return info;
  *s = local_storage;
  s->nvals = A->nvals;
  s->bytes = v[0];
  s->nn = v[1];
  s->nd = v[2];
  s->dn = v[3];
  s->dd = v[4];
  s->hypersparse = v[5] != 0;
  s->symmetric = A->properties.symmetric;
  s->full = A->bitmap.present && A->nvals == A->nrows * A->ncols;
  s->bitmap = A->bitmap.present && !s->full;
  return GrB_SUCCESS;
}
