/* GrB_reduce of a vector to a value, and what a matrix's shares with it. Each process sums
 * its entries; all join the sums in the same order, so that all get the same value, rounding included. */
#include "dist/object/device_retry.h"
#include "dist/op/vector_reduce.h"

#include "dist/lookahead/lookahead.h"

#include <string.h>

static const char call[] = "GrB_reduce";

static GrB_Info check_output(grid_reduce_output *p, GrB_BinaryOp accum, GrB_Type sum, grid_head *head) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  TRY(grid_desc_get(p->desc, call, &d));
  if (p->is_scalar) {
    TRY(grid_check_scalar(p->scalar, NULL, call, "s"));
    p->type = p->scalar->type, p->x = p->scalar->val;
    head = &p->scalar->head;
  } else if (!p->type) {
    TRY(grid_check_user_type(p->type = sum, head, call));
  }
  if (!p->x) return grid_fail(head, GrB_NULL_POINTER, "%s: argument x is NULL", call);
  TRY(grid_check_cast(p->type, sum, head, call, "the sum", "x"));
  if (!accum) return info;
  TRY(grid_check_binary(accum, head, call, "accum"));
  TRY(grid_check_cast(accum->x, p->type, head, call, "x", "accum's first operand"));
  TRY(grid_check_cast(accum->y, sum, head, call, "the sum", "accum's second operand"));
  TRY(grid_check_cast(p->type, accum->z, head, call, "accum's result", "x"));
done:
  return info;
}

/* Space for one partial sum of each process: 8 bytes that say whether there is one (a sum_state), then the
 * value, aligned. */
typedef enum { NO_SUM, HAS_SUM, SUM_FAILED } sum_state;
static size_t partial_bytes(GrB_Type t) {
  return 16 + (t->size + 15) / 16 * 16;
}

/* Joins the partial sums in their order, in the space behind them. */
static void combine_all(char *all, bool *present, size_t bytes, const grid_binary *combine) {
  char *sum = all + (size_t)grid_ctx.P * bytes + 16;
  *present = false;
  for (const char *at = all; at < sum - 16; at += bytes) {
    uint64_t state;
    memcpy(&state, at, sizeof state);
    if (state != HAS_SUM) continue;
    if (*present)
      grid_binary_apply(combine, sum, sum, at + 16);
    else
      memcpy(sum, at + 16, combine->zs);
    *present = true;
  }
}

static bool any_failed(const char *all, size_t bytes) {
  bool failed = false;
  for (size_t r = 0; r < (size_t)grid_ctx.P; r++) {
    uint64_t state;
    memcpy(&state, all + r * bytes, sizeof state);
    failed |= state == SUM_FAILED;
  }
  return failed;
}

/* The sum over the grid, at *sum inside `all` (partial_bytes for each process and one more). One message has
 * the sums and the outcome; only a failure needs a second one. */
static GrB_Info reduce_global(char *all, bool *present, const grid_reduction_input *what, GrB_Monoid monoid) {
  const GrB_BinaryOp op = monoid->op;
  const size_t bytes = partial_bytes(op->z);
  grid_binary combine = {0};
  char *local = all + (size_t)grid_ctx.P * bytes;
  bool has = false;
  memset(local, 0, bytes);
  GrB_Info info = what->reduce_local(local + 16, &has, what->object, monoid);
  *present = has;
  if (grid_ctx.P == 1) return info; /* there is nothing to combine */
  if (info == GrB_SUCCESS) info = grid_binary_bind(&combine, op, op->z, op->x, op->y);
  const uint64_t state = info != GrB_SUCCESS ? SUM_FAILED : has ? HAS_SUM : NO_SUM;
  memcpy(local, &state, sizeof state);
  GrB_Info sent = grid_ctx.transport->allgather(GRID_SET_ALL, local, bytes, all);
  if (sent != GrB_SUCCESS)
    info = sent;
  else if (any_failed(all, bytes))
    info = grid_agree(what->head, info);
  else
    combine_all(all, present, bytes, &combine);
  grid_binary_free(&combine);
  return info;
}

/* x accum= sum */
static void store_result(grid_reduce_output *p, const grid_binary *accum, const void *sum, GrB_Type type) {
  if (accum && (!p->is_scalar || p->scalar->present)) {
    grid_binary_apply(accum, p->x, p->x, sum);
  } else if (p->is_scalar) {
    grid_scalar_set(p->scalar, sum, type);
  } else {
    const grid_copier c = grid_copier_bind(p->type, type);
    grid_copy_value(&c, p->x, sum);
  }
}

GrB_Info grid_monoid_of(GrB_Monoid *m, struct GrB_Monoid_opaque *op_monoid, GrB_BinaryOp op, grid_head *head,
                        const char *name) {
  GrB_Info info = grid_check_binary(op, head, name, "op");
  if (info != GrB_SUCCESS) return info;
  if (op->x != op->z || op->y != op->z)
    return grid_fail(head, GrB_DOMAIN_MISMATCH, "%s: op takes %s and %s and gives %s; it must have one type",
                     name, op->x->name, op->y->name, op->z->name);
  *op_monoid = (struct GrB_Monoid_opaque){.head = GRID_BUILTIN(GRID_IS_MONOID, NULL), .op = op};
  *m = grid_monoid_find(op);
  if (!*m) *m = op_monoid;
  return info;
}

GrB_Info grid_reduce(grid_reduce_output p, GrB_BinaryOp accum, GrB_Monoid monoid,
                     const grid_reduction_input *what) {
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type type = monoid->op->z;
  grid_binary bound = {0};
  _Alignas(16) char little[544];
  char *all = NULL, *large = NULL;
  bool present;
  TRY(grid_check_cast(type, what->type, what->head, call, what->name, "op"));
  TRY(check_output(&p, accum, type, what->head));
  const size_t bytes = partial_bytes(type), P = (size_t)grid_ctx.P;
  const bool is_little = (P + 1) * bytes <= sizeof little;
  if (is_little)
    all = memset(little, 0, (P + 1) * bytes);
  else
    all = large = grid_calloc(P + 1, bytes);
  info = all ? GrB_SUCCESS : grid_fail_memory(NULL, "partial sums", P + 1, bytes);
  if (info == GrB_SUCCESS && accum) info = grid_binary_bind(&bound, accum, p.type, p.type, type);
  if (!is_little || accum) TRY(grid_agree(what->head, info)); /* else it cannot have failed */
  TRY(reduce_global(all, &present, what, monoid));
  char *sum = all + P * bytes + 16;
  if (!present && !p.is_scalar) memcpy(sum, monoid->identity, type->size);
  if (present || !p.is_scalar)
    store_result(&p, accum ? &bound : NULL, sum, type);
  else if (!accum)
    grid_scalar_set(p.scalar, NULL, type);
done:
  grid_free(large);
  grid_binary_free(&bound);
  return info;
}

/* ---- vectors ------------------------------------------------------------------------------------------- */

static GrB_Info local_entries(void *z, bool *present, const void *object, GrB_Monoid monoid) {
  return grid_vec_reduce(z, present, object, monoid->op, monoid->terminal, monoid->any);
}

grid_reduction_input grid_vector_reduction_input(GrB_Vector u) {
  return (grid_reduction_input){&u->head, "u", u->type, local_entries, &u->chunk};
}

static GrB_Info reduce_monoid(grid_reduce_output p, GrB_BinaryOp accum, GrB_Monoid monoid, GrB_Vector u) {
  bool handled = false;
  GrB_Info info = grid_lookahead_reduce(p.x, p.type, accum, monoid, u, &handled);
  if (handled || info != GrB_SUCCESS) return info;
  TRY(grid_check_initialized(call));
  TRY(grid_check_object(monoid, NULL, call, "monoid"));
  TRY(grid_check_uncounted_operand(u, NULL, call, "u"));
  const grid_reduction_input what = grid_vector_reduction_input(u);
  info = grid_reduce(p, accum, monoid, &what);
done:
  return info;
}

#define DEFINE(P, T, C, TYPE)                                                                                \
  GrB_Info P##_Vector_reduce_##T(C *x, const GrB_BinaryOp accum, const GrB_Monoid monoid,                    \
                                 const GrB_Vector u, const GrB_Descriptor desc) {                            \
    return GRID_TRACE_CALL_RETRY(                                                                            \
        call, reduce_monoid((grid_reduce_output){.x = x, .type = TYPE, .desc = desc}, accum, monoid, u), u); \
  }
#define DEFINE_TYPE(P, T, C) DEFINE(P, T, C, P##_##T)
GRID_PREDEFINED_TYPES(DEFINE_TYPE)
DEFINE(GrB, UDT, void, NULL)

GrB_Info GrB_Vector_reduce_Monoid_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_Monoid op,
                                         const GrB_Vector u, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL_RETRY(
      call, reduce_monoid((grid_reduce_output){.scalar = x, .is_scalar = true, .desc = desc}, accum, op, u),
      x, u);
}

GrB_Info GrB_Vector_reduce_BinaryOp_Scalar(GrB_Scalar x, const GrB_BinaryOp accum, const GrB_BinaryOp op,
                                           const GrB_Vector u, const GrB_Descriptor desc) {
  GRID_CALL_SCOPE;
  GrB_Info info = GrB_SUCCESS;
  struct GrB_Monoid_opaque op_monoid;
  GrB_Monoid m = NULL;
  TRY(grid_check_initialized(call));
  TRY(grid_check_uncounted_operand(u, NULL, call, "u"));
  TRY(grid_monoid_of(&m, &op_monoid, op, &u->head, call));
  info = GRID_TRACE_CALL_RETRY(
      call, reduce_monoid((grid_reduce_output){.scalar = x, .is_scalar = true, .desc = desc}, accum, m, u), x,
      u);
done:
  return info;
}
