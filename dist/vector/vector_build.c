/* Builds a vector from tuples: replicated (GrB_) and distributed (Grid_). */
#include <string.h>

#include "dist/object/burble.h"
#include "dist/vector/vector.h"
#include "gridblas_gxb_operations.h"
#include "spmat/vector/value_sizes.h"

static GrB_Info check_build(GrB_Vector w, const GrB_Index *I, const void *X, GrB_Type xtype, uint64_t n,
                            GrB_BinaryOp dup, const char *call) {
  GrB_Info info = GrB_SUCCESS;
  if (n && !I) return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument indices is NULL", call);
  if (n && !X) return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument values is NULL", call);
  TRY(grid_check_cast(w->type, xtype, &w->head, call, "values", "w"));
  if (!dup || dup == GxB_IGNORE_DUP) return info;
  TRY(grid_check_binary(dup, &w->head, call, "dup"));
  if (dup->x != dup->z || dup->y != dup->z)
    return grid_fail(&w->head, GrB_DOMAIN_MISMATCH,
                     "%s: dup takes %s and %s and gives %s; it must have one type", call, dup->x->name,
                     dup->y->name, dup->z->name);
  TRY(grid_check_cast(dup->x, xtype, &w->head, call, "values", "dup"));
  TRY(grid_check_cast(w->type, dup->z, &w->head, call, "dup's result", "w"));
done:
  return info;
}

static GrB_Info check_empty(GrB_Vector w, const char *call) {
  uint64_t nvals;
  GrB_Info info = grid_vector_count(&nvals, w);
  if (info == GrB_SUCCESS && nvals)
    info = grid_fail(&w->head, GrB_OUTPUT_NOT_EMPTY, "%s: w has %llu entries already", call,
                     (unsigned long long)nvals);
  return info;
}

/* The last step: entries with local indices become w's chunk. */
static GrB_Info build_chunk(GrB_Vector w, const uint64_t *idx, const void *x, GrB_Type xtype, size_t step,
                            uint64_t n, GrB_BinaryOp dup, const char *call, GrB_Info info) {
  grid_chunk t = grid_reusable_chunk(w, w->type);
  const bool ignore = dup == GxB_IGNORE_DUP;
  uint64_t where;
  if (info == GrB_SUCCESS) {
    info = grid_vec_build(&t, idx, x, xtype, step, n, (grid_dup){.dup = ignore ? NULL : dup, .last = ignore},
                          &where);
    if (info == GrB_INVALID_VALUE)
      grid_fail(NULL, info, "%s: index %llu occurs more than once, and dup is NULL", call,
                (unsigned long long)(grid_chunk_first(w->n, grid_ctx.k) + where));
  }
  info = grid_agree(&w->head, info);
  if (info == GrB_SUCCESS) grid_chunk_swap(&w->chunk, &t);
  grid_chunk_free(&t);
  return info;
}

GRID_ALWAYS_INLINE void filter_local_sized(uint64_t *idx, char *val, const GrB_Index *I, const char *X,
                                           const size_t size, uint64_t nlocal, uint64_t first,
                                           uint64_t length) {
  for (uint64_t k = 0, m = 0; m < nlocal; k++) { /* rejected entries are overwritten, which avoids a branch */
    idx[m] = I[k] - first;
    memcpy(val + m * size, X + k * size, size);
    m += idx[m] < length;
  }
}

/* Copies the `nlocal` tuples whose indices are in the chunk; the arrays have room for one more. Returns their
 * number. */
static uint64_t filter_local(uint64_t *idx, char *val, const GrB_Index *I, const char *X, size_t size,
                             uint64_t nlocal, uint64_t first, uint64_t length) {
#define CALL(S) filter_local_sized(idx, val, I, X, S, nlocal, first, length)
  GRID_BY_SIZE(size, CALL)
#undef CALL
  return nlocal;
}

/* Each process sends a share of the tuples to the owners; segments arrive in the order of the senders,
 * which is that of the tuples. */
static GrB_Info build_shared(GrB_Vector w, const GrB_Index *I, const char *X, GrB_Type xtype, GrB_Index n,
                             GrB_BinaryOp dup, const char *call) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, from = n / P * k,
                 end = k + 1 == P ? n : from + n / P;
  grid_routed_entries in = {0};
  GrB_Info info = grid_check_shared_indices(I, n, w->n, &w->head, call);
  TRY(info);
  TRY(check_empty(w, call));
  info = grid_route(&in, end - from, I + from, X + from * xtype->size, 1, xtype->size, w->n, info);
  info = build_chunk(w, in.idx, in.val, xtype, 1, in.n, dup, call, info);
done:
  grid_routed_entries_free(&in);
  return info;
}

/* Every process has all tuples and selects those of its chunk. */
static GrB_Info build_replicated(GrB_Vector w, const GrB_Index *I, const void *X, GrB_Type xtype, GrB_Index n,
                                 GrB_BinaryOp dup) {
  static const char call[] = "GrB_Vector_build";
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info != GrB_SUCCESS) return info;
  if (!xtype) TRY(grid_check_user_type(xtype = w->type, &w->head, call));
  TRY(check_build(w, I, X, xtype, n, dup, call));
  if (grid_shares_indices(n)) return build_shared(w, I, X, xtype, n, dup, call);
  if (n) TRY(grid_check_shared_indices(I, n, w->n, &w->head, call));
  TRY(check_empty(w, call));
  if (grid_ctx.P == 1) return build_chunk(w, I, X, xtype, 1, n, dup, call, GrB_SUCCESS);

  const uint64_t first = grid_chunk_first(w->n, grid_ctx.k), len = w->chunk.n;
  const size_t size = xtype->size;
  uint64_t nlocal = 0, m = 0;
  for (uint64_t k = 0; k < n; k++) nlocal += I[k] - first < len;
  uint64_t *idx = grid_malloc(nlocal + 1, sizeof *idx);
  char *val = grid_malloc(nlocal + 1, size);
  if (!idx || !val)
    info = grid_fail_memory(NULL, "local tuples", nlocal + 1, sizeof *idx + size);
  else
    m = filter_local(idx, val, I, X, size, nlocal, first, len);
  info = build_chunk(w, idx, val, xtype, 1, m, dup, call, info);
  grid_free(idx);
  grid_free(val);
done:
  return info;
}

#define DEFINE(P, T, C)                                                                                   \
  GrB_Info P##_Vector_build_##T(GrB_Vector w, const GrB_Index *indices, const C *values, GrB_Index nvals, \
                                const GrB_BinaryOp dup) {                                                 \
    return GRID_TRACE_CALL("GrB_Vector_build", build_replicated(w, indices, values, P##_##T, nvals, dup), \
                           w);                                                                            \
  }
GRID_PREDEFINED_TYPES(DEFINE)
#undef DEFINE
GrB_Info GrB_Vector_build_UDT(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Index nvals,
                              const GrB_BinaryOp dup) {
  return GRID_TRACE_CALL("GrB_Vector_build", build_replicated(w, indices, values, NULL, nvals, dup), w);
}

/* One value x of `type`, at each index. */
static GrB_Info build_value(GrB_Vector w, const GrB_Index *I, GrB_Index n, const void *x, GrB_Type type,
                            const char *call) {
  GrB_Info info = GrB_SUCCESS;
  grid_routed_entries in = {0};
  uint64_t where;
  if (n) info = grid_check_indices(I, n, w->n, &w->head, call);
  TRY(grid_agree(&w->head, info));
  TRY(check_empty(w, call));
  info = grid_route(&in, n, I, x, 0, type->size, w->n, GrB_SUCCESS);
  grid_chunk t = grid_reusable_chunk(w, w->type);
  if (info == GrB_SUCCESS)
    info = grid_vec_build(&t, in.idx, x, type, 0, in.n, (grid_dup){.last = true}, &where);
  info = grid_agree(&w->head, info);
  if (info == GrB_SUCCESS) grid_chunk_swap(&w->chunk, &t);
  grid_chunk_free(&t);
done:
  grid_routed_entries_free(&in);
  return info;
}

/* Tuples without values: 1 of w's type at each index. */
static GrB_Info build_pattern(GrB_Vector w, const GrB_Index *I, GrB_Index n, const char *call) {
  static const bool yes = true;
  if (w->type->code == GRID_T_UDT)
    return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument values is NULL, but w has a user-defined type",
                     call);
  return build_value(w, I, n, &yes, GrB_BOOL, call);
}

GrB_Info grid_vector_build(GrB_Vector w, const GrB_Index *I, const void *X, GrB_Type type, GrB_Index n,
                           GrB_BinaryOp dup, const char *call) {
  grid_routed_entries in = {0};
  GrB_Info info = grid_check_object(type, &w->head, call, "type");
  if (info == GrB_SUCCESS) info = check_build(w, I, X, type, n, dup, call);
  if (info == GrB_SUCCESS && n) info = grid_check_indices(I, n, w->n, &w->head, call);
  TRY(grid_agree(&w->head, info));
  TRY(check_empty(w, call));
  info = grid_route(&in, n, I, X, 1, type->size, w->n, GrB_SUCCESS);
  info = build_chunk(w, in.idx, in.val, type, 1, in.n, dup, call, info);
done:
  grid_routed_entries_free(&in);
  return info;
}

/* Are the indices all of this process's range, in order? */
static bool is_whole_range(uint64_t size, const GrB_Index *I, uint64_t n) {
  const uint64_t first = grid_chunk_first(size, grid_ctx.k);
  uint64_t other = 0;
  if (n != grid_chunk_length(size, grid_ctx.k) || (n && (!I || I[0] != first || I[n - 1] != first + n - 1)))
    return false;
#pragma omp parallel for schedule(static) reduction(+ : other) if (n > 1 << 16)
  for (uint64_t k = 0; k < n; k++) other += I[k] != first + k;
  return other == 0;
}

/* Every process has the values of its range, of w's type, in order. */
static GrB_Info build_whole(GrB_Vector w, const GrB_Index *I, const void *X, GrB_Index n, GrB_BinaryOp dup,
                            const char *call) {
  grid_chunk t = grid_reusable_chunk(w, w->type);
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree(&w->head, check_build(w, I, X, w->type, n, dup, call)));
  TRY(check_empty(w, call));
  info = n ? grid_chunk_reserve_val(&t, n) : info;
  if (info == GrB_SUCCESS && n) {
    t.iso = false, t.nvals = n, t.format = GRID_FULL;
    grid_copy_bytes(t.val, X, n * w->type->size);
  }
  info = grid_agree(&w->head, info);
  if (info == GrB_SUCCESS) grid_chunk_swap(&w->chunk, &t);
done:
  grid_chunk_free(&t);
  return info;
}

/* Each process has different tuples, which are routed to the owners of their indices. */
static GrB_Info build_local(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Type type,
                            GrB_Index n, GrB_BinaryOp dup) {
  static const char call[] = "Grid_Vector_build";
  enum { PATTERN = 1, VALUES = 2, ROUTED = 4 };
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info != GrB_SUCCESS) return info;
  uint64_t kinds = !n ? 0 : values ? VALUES : PATTERN; /* of all processes */
  if (type != w->type || !is_whole_range(w->n, indices, n)) kinds |= ROUTED;
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &kinds, 1, GRID_BOR));
  const uint64_t given = kinds & (PATTERN | VALUES);
  if (given == (PATTERN | VALUES))
    info = grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument values is NULL on some processes only", call);
  else if (given == PATTERN)
    info = build_pattern(w, indices, n, call);
  else if (kinds == VALUES)
    info = build_whole(w, indices, values, n, dup, call);
  else if (given == VALUES)
    info = grid_vector_build(w, indices, values, type, n, dup, call);
  else
    info = check_empty(w, call);
done:
  return info;
}

GrB_Info Grid_Vector_build(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Type type,
                           GrB_Index n, GrB_BinaryOp dup) {
  return GRID_TRACE_CALL("Grid_Vector_build", build_local(w, indices, values, type, n, dup), w);
}

/* All processes have the indices; each sends a share of them. */
static GrB_Info build_scalar(GrB_Vector w, const GrB_Index *I, GrB_Scalar scalar, GrB_Index n) {
  static const char call[] = "GxB_Vector_build_Scalar";
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, from = n / P * k,
                 end = k + 1 == P ? n : from + n / P;
  GrB_Info info = grid_check_vector(w, call, "w");
  if (info == GrB_SUCCESS) info = grid_check_scalar(scalar, &w->head, call, "scalar");
  if (info != GrB_SUCCESS) return info;
  if (n && !I) return grid_fail(&w->head, GrB_NULL_POINTER, "%s: argument indices is NULL", call);
  TRY(grid_check_cast(w->type, scalar->type, &w->head, call, "scalar", "w"));
  if (!scalar->present) return grid_fail(&w->head, GrB_EMPTY_OBJECT, "%s: scalar has no entry", call);
  info = build_value(w, n ? I + from : NULL, end - from, scalar->val, scalar->type, call);
done:
  return info;
}

GrB_Info GxB_Vector_build_Scalar(GrB_Vector w, const GrB_Index *rows, const GrB_Scalar scalar,
                                 GrB_Index nvals) {
  return GRID_TRACE_CALL("GxB_Vector_build_Scalar", build_scalar(w, rows, scalar, nvals), w, scalar);
}
