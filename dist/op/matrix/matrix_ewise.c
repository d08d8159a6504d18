/* GrB_eWiseAdd, GrB_eWiseMult (specification 4.3.4, 4.3.5) and GxB_eWiseUnion on matrices. Blocks of one
 * shape lie alike, so no entry travels but a transposed operand's. */
#include "dist/grid/hooks.h"
#include "dist/object/burble.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/op/bound_scalar.h"
#include "dist/op/matrix/matrix_operand.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "gridblas_gxb_operations.h"
#include "semiring/op_codes.h"
#include "spmat/cpu/ewise/lmat_intersect.h"
#include "spmat/lmat_ops.h"

typedef struct {
  const char *call;
  bool add; /* or mult */
  GrB_Matrix C, mask;
  GrB_BinaryOp accum, op;
  GrB_Matrix A, B;
  GrB_Descriptor desc;
  grid_desc d;
  const grid_union_defaults *defaults; /* of GxB_eWiseUnion, else NULL */
} ewise;

static GrB_Info check(ewise *e) {
  GrB_Info info = GrB_SUCCESS;
  grid_head *head = &e->C->head;
  TRY(grid_check_multiplier(e->op, head, e->call, "op"));
  TRY(grid_check_object(e->A, head, e->call, "A"));
  TRY(grid_check_object(e->B, head, e->call, "B"));
  TRY(grid_check_matrix_output(e->C, e->mask, e->accum, e->desc, e->op->z, e->call, &e->d));
  TRY(grid_operand_check(e->A, e->d.tran0, e->C, e->call, "A"));
  TRY(grid_operand_check(e->B, e->d.tran1, e->C, e->call, "B"));
  TRY(grid_check_cast(e->op->x, e->A->type, head, e->call, "A", "op"));
  TRY(grid_check_cast(e->op->y, e->B->type, head, e->call, "B", "op"));
  if (e->add && !e->defaults) { /* a lone entry becomes a result */
    TRY(grid_check_cast(e->op->z, e->A->type, head, e->call, "A", "op's result"));
    TRY(grid_check_cast(e->op->z, e->B->type, head, e->call, "B", "op's result"));
  }
done:
  return info;
}

/* This process's results; *masked: there are none that the mask does not allow. */
static GrB_Info compute(const ewise *e, const grid_local_matrix *a, const grid_local_matrix *b,
                        grid_local_matrix *t, bool *masked) {
  *masked = false;
  if (grid_lmat_same_pattern(a, b) && !a->device) return grid_lmat_combine(t, a, b, e->op);
  if (!e->add) return grid_lmat_intersect(t, a, b, e->op);
  const grid_mask_side mask_side = !e->mask          ? GRID_SIDE_ALL
                                   : e->d.complement ? GRID_SIDE_OUTSIDE_MASK
                                                     : GRID_SIDE_IN_MASK;
  const grid_union u = {.x = a,
                        .y = b,
                        .side_x = mask_side,
                        .side_y = mask_side,
                        .mask = e->mask ? &e->mask->block : NULL,
                        .structure = e->d.structure,
                        .op = e->op,
                        .x_absent = e->defaults ? e->defaults->alpha : NULL,
                        .y_absent = e->defaults ? e->defaults->beta : NULL};
  *masked = e->mask != NULL;
  return grid_lmat_union(t, &u);
}

/* Do the operands lie so, or most of them, that their places are combined? Known alike on all processes. */
static GrB_Info choose_dense_form(const ewise *e, bool *by_position) {
  GrB_Info info = GrB_SUCCESS;
  *by_position = false;
  TRY(grid_matrix_require(e->A, GRID_MERGED));
  TRY(grid_matrix_require(e->B, GRID_MERGED));
  if (e->mask) TRY(grid_matrix_require(e->mask, GRID_MERGED));
  const bool a = grid_is_dense_profitable(e->A), b = grid_is_dense_profitable(e->B);
  *by_position = (e->add ? a || b : a && b) && !e->d.tran0 && !e->d.tran1 && grid_can_be_dense(e->C) &&
                 grid_is_dense_mask(e->C, e->mask, &e->d);
done:
  return info;
}

static GrB_Info run_by_position(const ewise *e) {
  grid_dense a = {0}, b = {0};
  grid_chunk t = grid_dense_result(e->C, e->op->z);
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_dense_read(&a, e->A));
  TRY(grid_dense_read(&b, e->B));
  if (e->defaults)
    info = grid_vec_ewise_union(&t, a.chunk, b.chunk, e->op, e->defaults->alpha, e->defaults->beta);
  else
    info = e->add ? grid_vec_ewise_add(&t, a.chunk, b.chunk, e->op)
                  : grid_vec_ewise_mult(&t, a.chunk, b.chunk, e->op);
  info = grid_finish_dense(e->C, e->mask, e->accum, &e->d, &t, info);
done:
  grid_dense_free(&a);
  grid_dense_free(&b);
  return info;
}

/* A (op) A' of an operator that takes its operands in either order. */
static bool is_result_symmetric(const ewise *e) {
  if (e->A != e->B || e->d.tran0 == e->d.tran1 || e->mask || e->d.complement || e->accum || e->defaults)
    return false;
  switch (e->op->op) {
    case GRID_OP_PLUS:
    case GRID_OP_TIMES:
    case GRID_OP_MIN:
    case GRID_OP_MAX:
    case GRID_OP_LOR:
    case GRID_OP_LAND:
    case GRID_OP_ONEB:
      return true;
    default:
      return false;
  }
}

static GrB_Info run(ewise e);

static GrB_Info run_slice(void *context, const grid_slices *s) {
  ewise e = *(const ewise *)context;
  e.C = s->C, e.mask = s->mask, e.A = s->A, e.B = s->B, e.desc = s->desc;
  return run(e);
}

/* The binary operator inside op must be known already; see the macros below. */
static GrB_Info run(ewise e) {
  GrB_Info info = check(&e);
  bool by_position, out_of_core = false;
  if (info == GrB_SUCCESS && e.op->index)
    return grid_hooks.index_binary->matrix_ewise(e.C, e.mask, e.accum, e.op, e.A, e.B, e.desc, e.add);
  const grid_out_of_core x = {.C = e.C,
                              .mask = e.mask,
                              .A = e.A,
                              .B = e.B,
                              .accum = e.accum,
                              .d = &e.d,
                              .symmetric = info == GrB_SUCCESS && is_result_symmetric(&e),
                              .run = run_slice,
                              .context = &e};
  if (info == GrB_SUCCESS) info = grid_out_of_core_needed(&x, &out_of_core);
  if (info == GrB_SUCCESS && out_of_core) return grid_out_of_core_run(&x);
  if (info == GrB_SUCCESS) info = choose_dense_form(&e, &by_position);
  if (info == GrB_SUCCESS && by_position) return run_by_position(&e);
  grid_operand a = {0}, b = {0};
  grid_local_matrix t;
  bool masked;
  if (info != GrB_SUCCESS) return info;
  TRY(grid_operand_read(&a, e.A, e.d.tran0, e.C, e.call));
  TRY(grid_operand_read(&b, e.B, e.d.tran1, e.C, e.call));
  if (e.mask) TRY(grid_matrix_require(e.mask, GRID_WHOLE));
  grid_lmat_init(&t, e.op->z, a.lmat->row.dim, a.lmat->col.dim);
  info = compute(&e, a.lmat, b.lmat, &t, &masked);
  info = grid_finish_matrix(e.C, e.mask, e.accum, &e.d, &t, masked, info);
done:
  grid_operand_free(&a);
  grid_operand_free(&b);
  return info;
}

/* By a positional operator: A's entries become their positions in the result; where B has one, too, that is
 * the result. Of a union those entries replace the ones of A and B. */
static GrB_Info run_positions(ewise e) {
  const GrB_BinaryOp op = e.op, first = grid_position_operand(op->z, true);
  GrB_Matrix P = NULL, Q = NULL, both = NULL, either = NULL;
  GrB_Info info;
  TRY(grid_check_object(e.A, &e.C->head, e.call, "A"));
  TRY(grid_check_object(e.B, &e.C->head, e.call, "B"));
  TRY(grid_desc_get(e.desc, e.call, &e.d));
  TRY(grid_operand_check(e.A, e.d.tran0, e.C, e.call, "A"));
  const bool rows = grid_position_is_row(op->position) != e.d.tran0;
  TRY(grid_hooks.index_binary->matrix_positions(&P, e.A, rows, op->shift, op->z));
  if (e.B->type->code == GRID_T_UDT) TRY(grid_hooks.index_binary->matrix_positions(&Q, e.B, true, 0, op->z));
  if (!e.add) {
    info = run((ewise){e.call, false, e.C, e.mask, e.accum, first, P, Q ? Q : e.B, e.desc, {0}});
  } else {
    struct GrB_Descriptor_opaque turn = {.head = GRID_BUILTIN(GRID_IS_DESCRIPTOR, NULL)}, write = turn;
    turn.tran0 = e.d.tran0, turn.tran1 = e.d.tran1;
    write.replace = e.d.replace, write.complement = e.d.complement, write.structure = e.d.structure;
    TRY(GrB_Matrix_new(&both, op->z, e.C->nrows, e.C->ncols));
    TRY(GrB_Matrix_new(&either, op->z, e.C->nrows, e.C->ncols));
    TRY(run((ewise){e.call, true, either, NULL, NULL, first, e.A, e.B, &turn, {0}}));
    TRY(run((ewise){e.call, false, both, NULL, NULL, first, P, e.B, &turn, {0}}));
    info = run((ewise){
        e.call, true, e.C, e.mask, e.accum, grid_position_operand(op->z, false), either, both, &write, {0}});
  }
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  GrB_Matrix_free(&both);
  GrB_Matrix_free(&either);
  return info;
}

static GrB_Info run_any(ewise e) {
  return grid_is_live(e.op) && e.op->position ? run_positions(e) : run(e);
}

/* The operator of a monoid or semiring, which must be a live object. */
#define DEFINE(KIND, FORM, ADD, OPERATOR)                                                                   \
  GrB_Info GrB_Matrix_##KIND##_##FORM(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,        \
                                      const GrB_##FORM op, const GrB_Matrix A, const GrB_Matrix B,          \
                                      const GrB_Descriptor desc) {                                          \
    GrB_Info info = grid_check_matrix(C, "GrB_" #KIND, "C");                                                \
    if (info == GrB_SUCCESS) info = grid_check_object(op, &C->head, "GrB_" #KIND, "op");                    \
    if (info != GrB_SUCCESS) return info;                                                                   \
    return GRID_TRACE_CALL(                                                                                 \
        "GrB_" #KIND, run_any((ewise){"GrB_" #KIND, ADD, C, Mask, accum, OPERATOR, A, B, desc, {0}, NULL}), \
        C, Mask, A, B);                                                                                     \
  }
DEFINE(eWiseAdd, Semiring, true, op->add->op)
DEFINE(eWiseAdd, Monoid, true, op->op)
DEFINE(eWiseAdd, BinaryOp, true, op)
DEFINE(eWiseMult, Semiring, false, op->mul)
DEFINE(eWiseMult, Monoid, false, op->op)
DEFINE(eWiseMult, BinaryOp, false, op)

/* By a positional operator: what has no entry has no part in the result. */
static GrB_Info run_union_positions(ewise e, GrB_Scalar alpha, GrB_Scalar beta) {
  const bool rows = grid_position_is_row(e.op->position);
  GrB_Matrix P = NULL, Q = NULL;
  GrB_Info info;
  TRY(grid_check_object(e.A, &e.C->head, e.call, "A"));
  TRY(grid_check_object(e.B, &e.C->head, e.call, "B"));
  TRY(grid_desc_get(e.desc, e.call, &e.d));
  TRY(grid_operand_check(e.A, e.d.tran0, e.C, e.call, "A"));
  TRY(grid_operand_check(e.B, e.d.tran1, e.C, e.call, "B"));
  TRY(grid_union_defaults_check(alpha, beta, &e.C->head, e.call));
  TRY(grid_hooks.index_binary->matrix_positions(&P, e.A, rows != e.d.tran0, e.op->shift, e.op->z));
  TRY(grid_hooks.index_binary->matrix_positions(&Q, e.B, rows != e.d.tran1, e.op->shift, e.op->z));
  info = run((ewise){
      e.call, true, e.C, e.mask, e.accum, grid_position_operand(e.op->z, true), P, Q, e.desc, {0}, NULL});
done:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

static GrB_Info run_union(ewise e, GrB_Scalar alpha, GrB_Scalar beta) {
  grid_union_defaults defaults;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_check_matrix(e.C, e.call, "C"));
  if (e.op && grid_is_live(e.op) && e.op->position) return run_union_positions(e, alpha, beta);
  TRY(grid_check_multiplier(e.op, &e.C->head, e.call, "op"));
  TRY(grid_union_defaults_read(&defaults, e.op, alpha, beta, &e.C->head, e.call));
  e.defaults = &defaults;
  if (e.op->index) {
    TRY(check(&e));
    return grid_hooks.index_binary->matrix_union(e.C, e.mask, e.accum, e.op, e.A, alpha, e.B, beta, e.desc);
  }
  info = run(e);
done:
  return info;
}

GrB_Info GxB_Matrix_eWiseUnion(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
                               const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Scalar alpha,
                               const GrB_Matrix B, const GrB_Scalar beta, const GrB_Descriptor desc) {
  static const char call[] = "GxB_eWiseUnion";
  return GRID_TRACE_CALL(
      call, run_union((ewise){call, true, C, Mask, accum, op, A, B, desc, {0}, NULL}, alpha, beta), C, Mask,
      A, B);
}
