/* Extracts a vector's tuples: replicated (GrB_) and distributed (Grid_). */
#include <string.h>

#include "dist/grid/hooks.h"
#include "dist/object/burble.h"
#include "dist/vector/shm_view.h"
#include "gridblas_gxb_operations.h"
#include "spmat/device/device.h"

static GrB_Info check_extract(GrB_Type *xtype, const GrB_Index *n, GrB_Vector v, const char *call) {
  GrB_Info info = grid_check_vector(v, call, "v");
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument nvals is NULL", call);
  if (!*xtype) TRY(grid_check_user_type(*xtype = v->type, &v->head, call));
  TRY(grid_check_cast(*xtype, v->type, &v->head, call, "v", "values"));
done:
  return info;
}

static GrB_Info check_space(uint64_t capacity, uint64_t nvals, grid_head *head, const char *call) {
  if (capacity >= nvals) return GrB_SUCCESS;
  return grid_fail(head, GrB_INSUFFICIENT_SPACE, "%s: room for %llu entries, but there are %llu", call,
                   (unsigned long long)capacity, (unsigned long long)nvals);
}

GrB_Info grid_vector_count_each(grid_entry_counts *n, GrB_Vector v) {
  GrB_Info info = grid_chunk_wait(&v->chunk);
  n->nvals = v->chunk.nvals;
  if (grid_ctx.P == 1 || grid_ctx.P > GRID_COUNTED) return grid_agree_sum(&v->head, info, &n->nvals, 1);
  info = grid_agree_gather(&v->head, info, &v->chunk.nvals, sizeof *n->of, n->of);
  n->nvals = 0;
  for (int r = 0; r < grid_ctx.P && info == GrB_SUCCESS; r++) n->nvals += n->of[r];
  return info;
}

/* For sparse vectors: each process writes its entries at their offset among all entries in shared memory.
 * *done: succeeded, the same on all processes. */
static GrB_Info tuples_by_shm(uint64_t *I, void *X, GrB_Type xtype, GrB_Vector v, const grid_entry_counts *n,
                              bool *done) {
  const grid_transport *by = grid_ctx.transport;
  const size_t size = X ? xtype->size : 0, entry_bytes = (I ? sizeof *I : 0) + size;
  const uint64_t all = n->nvals;
  uint64_t before = 0;
  *done = false;
  if (!by->shared_buffer || grid_ctx.P > GRID_COUNTED || grid_device_is_on() ||
      all > v->n / GRID_LIST_SHARE || all > UINT32_MAX)
    return GrB_SUCCESS;
  for (int r = 0; r < grid_ctx.k; r++) before += n->of[r];
  uint64_t *idx = (uint64_t *)(void *)by->shared_buffer(GRID_SET_ALL, all * entry_bytes);
  if (!idx) return GrB_SUCCESS;
  char *val = (char *)idx + (I ? all * sizeof *I : 0);
  const GrB_Info info = grid_vec_tuples(I ? idx + before : NULL, X ? val + before * size : NULL, xtype,
                                        &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  by->barrier(GRID_SET_ALL);
  if (I) memcpy(I, idx, all * sizeof *I);
  if (X) memcpy(X, val, all * size);
  *done = true;
  return info;
}

GrB_Info grid_vector_tuples(uint64_t *I, void *X, GrB_Type xtype, GrB_Vector v, const grid_entry_counts *n) {
  grid_chunk whole;
  bool done;
  if (grid_ctx.P == 1) return grid_agree(&v->head, grid_vec_tuples(I, X, xtype, &v->chunk, 0));
  GrB_Info outcome = tuples_by_shm(I, X, xtype, v, n, &done);
  if (done || outcome != GrB_SUCCESS) return outcome;
  if (grid_shm_view_vector(&whole, v)) return grid_vec_tuples(I, X, xtype, &whole, 0);
  GrB_Info info = GrB_SUCCESS;
  const size_t size = xtype->size;
  const grid_chunk *c = &v->chunk;
  uint64_t *idx = grid_malloc(c->nvals, sizeof *idx);
  void *val = grid_malloc(c->nvals, size);
  if (!idx || !val) info = grid_fail_memory(NULL, "local entries", c->nvals, sizeof *idx + size);
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(I ? idx : NULL, X ? val : NULL, xtype, c, grid_chunk_first(v->n, grid_ctx.k));
  TRY(grid_agree(&v->head, info));
  if (I) TRY(grid_gather_into(idx, c->nvals, sizeof *idx, I));
  if (X) TRY(grid_gather_into(val, c->nvals, size, X));
done:
  grid_free(idx);
  grid_free(val);
  return info;
}

static GrB_Info extract_tuples(GrB_Index *I, void *X, GrB_Type xtype, GrB_Index *n, GrB_Vector v) {
  static const char call[] = "GrB_Vector_extractTuples";
  GrB_Info info = check_extract(&xtype, n, v, call);
  grid_entry_counts counts;
  if (info != GrB_SUCCESS) return info;
  TRY(grid_vector_count_each(&counts, v));
  TRY(check_space(*n, counts.nvals, &v->head, call));
  TRY(grid_vector_tuples(I, X, xtype, v, &counts));
  *n = counts.nvals;
done:
  return info;
}

#define DEFINE(P, T, C)                                                                                    \
  GrB_Info P##_Vector_extractTuples_##T(GrB_Index *indices, C *values, GrB_Index *nvals,                   \
                                        const GrB_Vector v) {                                              \
    return GRID_TRACE_CALL("GrB_Vector_extractTuples", extract_tuples(indices, values, P##_##T, nvals, v), \
                           v);                                                                             \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE
GrB_Info GrB_Vector_extractTuples_UDT(GrB_Index *indices, void *values, GrB_Index *nvals,
                                      const GrB_Vector v) {
  return GRID_TRACE_CALL("GrB_Vector_extractTuples", extract_tuples(indices, values, NULL, nvals, v), v);
}

GrB_Info Grid_Vector_extractLocal(GrB_Index *indices, void *values, GrB_Index *n, GrB_Vector v) {
  static const char call[] = "Grid_Vector_extractLocal";
  GrB_Info info = grid_check_local(v, call, "v");
  if (info == GrB_SUCCESS) info = grid_lookahead->peek();
  if (info == GrB_SUCCESS) info = grid_vector_apply(v);
  if (info == GrB_SUCCESS) info = grid_chunk_wait(&v->chunk);
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(&v->head, GrB_NULL_POINTER, "%s: argument n is NULL", call);
  info = check_space(*n, v->chunk.nvals, &v->head, call);
  *n = v->chunk.nvals;
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(indices, values, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  return info;
}
