/* GrB_eWiseAdd, GrB_eWiseMult and GxB_eWiseUnion on vectors. Chunks of one dimension lie
 * alike, so no entry travels. */
#include "dist/grid/hooks.h"
#include "dist/lookahead/lookahead.h"
#include "dist/object/device_retry.h"
#include "dist/op/bound_scalar.h"
#include "gridblas_gxb_operations.h"
#include "dist/vector/vector_positions.h"

static GrB_Info check(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                      GrB_Vector v, GrB_Descriptor desc, const char *call, grid_desc *d) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_uncounted(w, call, "w"));
  TRY(grid_check_multiplier(op, &w->head, call, "op"));
  TRY(grid_check_uncounted_operand(u, &w->head, call, "u"));
  TRY(grid_check_uncounted_operand(v, &w->head, call, "v"));
  TRY(grid_check_output(w, mask, accum, desc, op->z, call, d));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  TRY(grid_check_size(v->n, w->n, &w->head, call, "v", "w"));
  TRY(grid_check_cast(op->x, u->type, &w->head, call, "u", "op"));
  TRY(grid_check_cast(op->y, v->type, &w->head, call, "v", "op"));
done:
  return info;
}

typedef GrB_Info (*kernel)(grid_chunk *, const grid_chunk *, const grid_chunk *, GrB_BinaryOp);

static GrB_Info ewise_in_place(GrB_Vector w, GrB_BinaryOp op, GrB_Vector u, GrB_Vector v, kernel f) {
  grid_chunk t = grid_replaced_chunk(w);
  const GrB_Info info = f(&t, &u->chunk, &v->chunk, op);
  if (info == GrB_SUCCESS) w->chunk = t;
  return info;
}

/* The binary operator inside op must be known already; see the macros below. */
static GrB_Info ewise(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                      GrB_Vector v, GrB_Descriptor desc, kernel f, const char *call) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  TRY(check(w, mask, accum, op, u, v, desc, call, &d));
  if (f == grid_vec_ewise_add) { /* a lone entry becomes a result */
    TRY(grid_check_cast(op->z, u->type, &w->head, call, "u", "op's result"));
    TRY(grid_check_cast(op->z, v->type, &w->head, call, "v", "op's result"));
  }
  if (op->index)
    return grid_hooks.index_binary->vector_ewise(w, mask, accum, op, u, v, desc, f == grid_vec_ewise_add);
  if (grid_replaces_values(w, mask, accum, &d, op->z, u, v)) return ewise_in_place(w, op, u, v, f);
  grid_begin_output(w, op->z, accum, op->op);
  grid_chunk t = grid_reusable_chunk(w, op->z);
  info = f(&t, &u->chunk, &v->chunk, op);
  info = grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

/* By a positional operator: u's entries become their positions, p; where v has one, too, that is the result.
 * Of a union those entries replace the ones of u and v. */
static GrB_Info ewise_positions(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                                GrB_Vector u, GrB_Vector v, GrB_Descriptor desc, kernel f, const char *call) {
  const GrB_BinaryOp first = grid_position_operand(op->z, true), second = grid_position_operand(op->z, false);
  GrB_Vector p = NULL, q = NULL, both = NULL, either = NULL;
  GrB_Info info;
  TRY(grid_check_uncounted(w, call, "w"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_object(v, &w->head, call, "v"));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  TRY(grid_vector_positions(&p, u, grid_position_is_row(op->position), op->shift, op->z, call));
  if (v->type->code == GRID_T_UDT) TRY(grid_vector_positions(&q, v, true, 0, op->z, call));
  if (f == grid_vec_ewise_mult) {
    info = ewise(w, mask, accum, first, p, q ? q : v, desc, f, call);
  } else {
    TRY(GrB_Vector_new(&both, op->z, w->n));
    TRY(GrB_Vector_new(&either, op->z, w->n));
    TRY(ewise(either, NULL, NULL, first, u, v, NULL, f, call));
    TRY(ewise(both, NULL, NULL, first, p, v, NULL, grid_vec_ewise_mult, call));
    info = ewise(w, mask, accum, second, either, both, desc, f, call);
  }
done:
  GrB_Vector_free(&p);
  GrB_Vector_free(&q);
  GrB_Vector_free(&both);
  GrB_Vector_free(&either);
  return info;
}

static GrB_Info run(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                    GrB_Vector v, GrB_Descriptor desc, kernel f, const char *call) {
  return (grid_is_live(op) && op->position ? ewise_positions : ewise)(w, mask, accum, op, u, v, desc, f,
                                                                      call);
}

/* A loop in lookahead may take it: then nothing was looked at yet. */
static GrB_Info ewise_lookahead(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                                GrB_Vector u, GrB_Vector v, GrB_Descriptor desc, kernel f, bool *handled) {
  return grid_lookahead_ewise(
      &(grid_lookahead_ewise_call){f == grid_vec_ewise_add ? GRID_CALL_ADD : GRID_CALL_MULT, w, mask, accum,
                                   desc, u, v, op->op, op->z},
      handled);
}

/* The operator of a monoid or semiring, which must be a live object. */
#define DEFINE(KIND, FORM, KERNEL, OPERATOR)                                                           \
  GrB_Info GrB_Vector_##KIND##_##FORM(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,   \
                                      const GrB_##FORM op, const GrB_Vector u, const GrB_Vector v,     \
                                      const GrB_Descriptor desc) {                                     \
    GRID_CALL_SCOPE;                                                                                   \
    bool handled = false;                                                                              \
    GrB_Info info = GrB_SUCCESS;                                                                       \
    if (grid_lookahead_can_take(op, GRID_KIND_OF(op)))                                                 \
      info = GRID_RETRY(ewise_lookahead(w, mask, accum, OPERATOR, u, v, desc, KERNEL, &handled));      \
    if (handled || info != GrB_SUCCESS) return info;                                                   \
    info = grid_check_uncounted(w, "GrB_" #KIND, "w");                                                 \
    if (info == GrB_SUCCESS) info = grid_check_object(op, &w->head, "GrB_" #KIND, "op");               \
    if (info != GrB_SUCCESS) return info;                                                              \
    return GRID_TRACE_CALL_RETRY(                                                                      \
        "GrB_" #KIND, run(w, mask, accum, OPERATOR, u, v, desc, KERNEL, "GrB_" #KIND), w, mask, u, v); \
  }
DEFINE(eWiseAdd, Semiring, grid_vec_ewise_add, op->add->op)
DEFINE(eWiseAdd, Monoid, grid_vec_ewise_add, op->op)
DEFINE(eWiseAdd, BinaryOp, grid_vec_ewise_add, op)
DEFINE(eWiseMult, Semiring, grid_vec_ewise_mult, op->mul)
DEFINE(eWiseMult, Monoid, grid_vec_ewise_mult, op->op)
DEFINE(eWiseMult, BinaryOp, grid_vec_ewise_mult, op)

/* ---- the union with defaults -------------------------------------------------------------------------- */

static GrB_Info ewise_union(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Vector u,
                            GrB_Scalar alpha, GrB_Vector v, GrB_Scalar beta, GrB_Descriptor desc,
                            const char *call) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_union_defaults defaults;
  TRY(check(w, mask, accum, op, u, v, desc, call, &d));
  TRY(grid_union_defaults_read(&defaults, op, alpha, beta, &w->head, call));
  if (op->index) return grid_hooks.index_binary->vector_union(w, mask, accum, op, u, alpha, v, beta, desc);
  grid_begin_output(w, op->z, accum, op->op);
  grid_chunk t = grid_reusable_chunk(w, op->z);
  info = grid_vec_ewise_union(&t, &u->chunk, &v->chunk, op, defaults.alpha, defaults.beta);
  info = grid_finish_output(w, mask, accum, &d, &t, false, info);
done:
  return info;
}

/* By a positional operator: what has no entry has no part in the result. */
static GrB_Info union_positions(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                                GrB_Vector u, GrB_Scalar alpha, GrB_Vector v, GrB_Scalar beta,
                                GrB_Descriptor desc, const char *call) {
  const bool rows = grid_position_is_row(op->position);
  GrB_Vector p = NULL, q = NULL;
  GrB_Info info;
  TRY(grid_check_uncounted(w, call, "w"));
  TRY(grid_check_object(u, &w->head, call, "u"));
  TRY(grid_check_object(v, &w->head, call, "v"));
  TRY(grid_check_size(u->n, w->n, &w->head, call, "u", "w"));
  TRY(grid_check_size(v->n, w->n, &w->head, call, "v", "w"));
  TRY(grid_union_defaults_check(alpha, beta, &w->head, call));
  TRY(grid_vector_positions(&p, u, rows, op->shift, op->z, call));
  TRY(grid_vector_positions(&q, v, rows, op->shift, op->z, call));
  info = ewise(w, mask, accum, grid_position_operand(op->z, true), p, q, desc, grid_vec_ewise_add, call);
done:
  GrB_Vector_free(&p);
  GrB_Vector_free(&q);
  return info;
}

GrB_Info GxB_Vector_eWiseUnion(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                               const GrB_BinaryOp op, const GrB_Vector u, const GrB_Scalar alpha,
                               const GrB_Vector v, const GrB_Scalar beta, const GrB_Descriptor desc) {
  static const char call[] = "GxB_eWiseUnion";
  return GRID_TRACE_CALL_RETRY(call,
                               (op && grid_is_live(op) && op->position ? union_positions : ewise_union)(
                                   w, mask, accum, op, u, alpha, v, beta, desc, call),
                               w, mask, u, v);
}
