/* Argument checks of public calls on vectors, with their error texts. */
#include "dist/vector/vector.h"
#include "semiring/support/tuning.h"

GrB_Info grid_check_uncounted(GrB_Vector v, const char *call, const char *what) {
  GrB_Info info = grid_check_initialized(call);
  return info != GrB_SUCCESS ? info : grid_check_uncounted_operand(v, NULL, call, what);
}

GrB_Info grid_check_uncounted_operand(GrB_Vector v, grid_head *out, const char *call, const char *what) {
  GrB_Info info = grid_check_object(v, out, call, what);
  return info != GrB_SUCCESS ? info : grid_vector_resolve(v);
}

GrB_Info grid_check_operand(GrB_Vector v, grid_head *out, const char *call, const char *what) {
  GrB_Info info = grid_check_uncounted_operand(v, out, call, what);
  return info != GrB_SUCCESS ? info : grid_chunk_wait(&v->chunk);
}

GrB_Info grid_check_vector(GrB_Vector v, const char *call, const char *what) {
  GrB_Info info = grid_check_initialized(call);
  return info != GrB_SUCCESS ? info : grid_check_operand(v, NULL, call, what);
}

GrB_Info grid_check_scalar(GrB_Scalar s, grid_head *out, const char *call, const char *what) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  return grid_check_object(s, out, call, what);
}

GrB_Info grid_check_binary(GrB_BinaryOp op, grid_head *out, const char *call, const char *what) {
  GrB_Info info = grid_check_object(op, out, call, what);
  if (info != GrB_SUCCESS || op->f) return info;
  if (op == GxB_IGNORE_DUP)
    return grid_fail(out, GrB_INVALID_OBJECT,
                     "%s: argument %s is GxB_IGNORE_DUP, which is for GrB_build alone", call, what);
  return grid_fail(out, GrB_DOMAIN_MISMATCH,
                   "%s: argument %s is %s, a positional operator, which cannot be used here", call, what,
                   op->name);
}

GrB_Info grid_check_multiplier(GrB_BinaryOp op, grid_head *out, const char *call, const char *what) {
  GrB_Info info = grid_check_object(op, out, call, what);
  return info == GrB_SUCCESS && !op->index ? grid_check_binary(op, out, call, what) : info;
}

GrB_Info grid_fail_cast(GrB_Type to, GrB_Type from, grid_head *out, const char *call, const char *what,
                        const char *where) {
  return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: %s has type %s, which cannot be cast to %s of %s", call,
                   what, from->name, to->name, where);
}

GrB_Info grid_check_format(int format, grid_head *out, const char *call) {
  if (format == GrB_CSR_FORMAT || format == GrB_CSC_FORMAT || format == GrB_COO_FORMAT) return GrB_SUCCESS;
  return grid_fail(out, GrB_INVALID_VALUE,
                   "%s: argument format is %d; it is GrB_CSR_FORMAT, GrB_CSC_FORMAT or GrB_COO_FORMAT", call,
                   format);
}

GrB_Info grid_check_size(uint64_t have, uint64_t want, grid_head *out, const char *call, const char *what,
                         const char *other) {
  if (have == want) return GrB_SUCCESS;
  return grid_fail(out, GrB_DIMENSION_MISMATCH, "%s: %s has size %llu, but %s has %llu", call, what,
                   (unsigned long long)have, other, (unsigned long long)want);
}

GrB_Info grid_check_integers(GrB_Vector v, grid_head *out, const char *call, const char *what) {
  const int code = v->type->code;
  if (GRID_T_INT8 <= code && code <= GRID_T_UINT64) return GrB_SUCCESS;
  return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: %s has the type %s, which is not of integers", call, what,
                   v->type->name);
}

GrB_Info grid_check_indices(const GrB_Index *I, uint64_t ni, uint64_t n, grid_head *out, const char *call) {
  return grid_check_index_list(I, 0, ni, n, out, call);
}

GrB_Info grid_check_index_list(const GrB_Index *I, uint64_t from, uint64_t end, uint64_t n, grid_head *out,
                               const char *call) {
  if (!I) return grid_fail(out, GrB_NULL_POINTER, "%s: argument indices is NULL", call);
  uint64_t bad = 0;
#pragma omp parallel for reduction(| : bad) schedule(static) num_threads(grid_word_threads((end - from) / 64))
  for (uint64_t k = from; k < end; k++) bad |= I[k] >= n;
  for (uint64_t k = from; bad && k < end; k++)
    if (I[k] >= n)
      return grid_fail(out, GrB_INDEX_OUT_OF_BOUNDS, "%s: index I[%llu] = %lld is outside the size %llu",
                       call, (unsigned long long)k, (long long)I[k], (unsigned long long)n);
  return GrB_SUCCESS;
}

GrB_Info grid_check_shared_indices(const GrB_Index *I, uint64_t ni, uint64_t n, grid_head *out,
                                   const char *call) {
  const uint64_t P = (uint64_t)grid_ctx.P, k = (uint64_t)grid_ctx.k, share = ni / P + 1;
  const uint64_t from = k * share < ni ? k * share : ni, end = ni - from < share ? ni : from + share;
  if (!I || ni < grid_tune.shared_check_min || P == 1) return grid_check_indices(I, ni, n, out, call);
  return grid_agree(out, grid_check_index_list(I, from, end, n, out, call));
}

GrB_Info grid_check_user_type(GrB_Type t, grid_head *out, const char *call) {
  if (t->code == GRID_T_UDT) return GrB_SUCCESS;
  return grid_fail(out, GrB_DOMAIN_MISMATCH, "%s: the value has a user-defined type where %s is required",
                   call, t->name);
}

GrB_Info grid_check_write(grid_head *out, GrB_Type type, const char *name, GrB_Type mask, GrB_BinaryOp accum,
                          GrB_Descriptor desc, GrB_Type ttype, const char *call, grid_desc *d) {
  GrB_Info info = GrB_SUCCESS;
  if (accum) TRY(grid_check_binary(accum, out, call, "accum"));
  TRY(grid_desc_get(desc, call, d));
  if (mask && !d->structure) TRY(grid_check_cast(GrB_BOOL, mask, out, call, "mask", "a mask by value"));
  TRY(grid_check_cast(type, ttype, out, call, "the result", name));
  if (!accum) return GrB_SUCCESS;
  TRY(grid_check_cast(accum->x, type, out, call, name, "accum's first operand"));
  TRY(grid_check_cast(accum->y, ttype, out, call, "the result", "accum's second operand"));
  TRY(grid_check_cast(type, accum->z, out, call, "accum's result", name));
done:
  return info;
}

GrB_Info grid_check_output(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Descriptor desc,
                           GrB_Type ttype, const char *call, grid_desc *d) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_uncounted(w, call, "w"));
  if (mask) TRY(grid_check_uncounted_operand(mask, &w->head, call, "mask"));
  if (mask) TRY(grid_check_size(mask->n, w->n, &w->head, call, "mask", "w"));
  info = grid_check_write(&w->head, w->type, "w", mask ? mask->type : NULL, accum, desc, ttype, call, d);
done:
  return info;
}
