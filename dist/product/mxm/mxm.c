/* GrB_mxm: check, choose a method, run it (specification 4.3.1; docs/how/product.md). A
 * method computes the product and writes C. */
#include "dist/product/mxm/mxm.h"

#include "dist/grid/hooks.h"
#include "dist/object/burble.h"
#include "dist/product/mxm/mxm_methods.h"

/* The first row that applies is taken: each is faster than those below it. The last one always applies. */
static const grid_method *const rows[] = {
    &grid_mxm_method_outofcore, &grid_mxm_method_device, &grid_mxm_method_tall,
    &grid_mxm_method_tall_grid, &grid_mxm_method_bitmap, &grid_mxm_method_diagonal,
    &grid_mxm_method_hub_bits,  &grid_mxm_method_local,  &grid_mxm_method_replicated,
    &grid_mxm_method_shared,    &grid_mxm_method_stages};
const grid_method_table grid_mxm_methods = {"mxm", rows, sizeof rows / sizeof rows[0]};

static GrB_Info check_operand(const grid_mxm_call *x, GrB_Matrix M, const char *what, bool used,
                              GrB_Type want) {
  if (!used || grid_compatible(want, M->type)) return GrB_SUCCESS;
  return grid_fail(&x->C->head, GrB_DOMAIN_MISMATCH, "%s: %s has type %s, which %s cannot take as %s",
                   x->call, what, M->type->name, x->s->mul->name, want->name);
}

static GrB_Info check(const grid_mxm_call *x, GrB_Descriptor desc, grid_desc *d) {
  GrB_Info info;
  TRY(grid_check_matrix(x->C, x->call, "C"));
  grid_head *head = &x->C->head;
  TRY(grid_check_object(x->s, head, x->call, "op"));
  TRY(grid_check_object(x->A, head, x->call, "A"));
  TRY(grid_check_object(x->B, head, x->call, "B"));
  TRY(grid_check_matrix_output(x->C, x->mask, x->accum, desc, x->s->add->op->z, x->call, d));
  const uint64_t m = d->tran0 ? x->A->ncols : x->A->nrows, l = d->tran0 ? x->A->nrows : x->A->ncols,
                 k = d->tran1 ? x->B->ncols : x->B->nrows, n = d->tran1 ? x->B->nrows : x->B->ncols;
  if (l != k || x->C->nrows != m || x->C->ncols != n)
    return grid_fail(head, GrB_DIMENSION_MISMATCH, "%s: C is %llu x %llu, %s %llu x %llu and %s %llu x %llu",
                     x->call, (unsigned long long)x->C->nrows, (unsigned long long)x->C->ncols,
                     d->tran0 ? "A transposed" : "A", (unsigned long long)m, (unsigned long long)l,
                     d->tran1 ? "B transposed" : "B", (unsigned long long)k, (unsigned long long)n);
  TRY(check_operand(x, x->A, "A", x->s->mul->uses_x, x->s->mul->x));
  info = check_operand(x, x->B, "B", x->s->mul->uses_y, x->s->mul->y);
done:
  return info;
}

GrB_Info grid_mxm_untraced(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring op, GrB_Matrix A,
                           GrB_Matrix B, GrB_Descriptor desc) {
  grid_desc d;
  grid_mxm_call x = {
      .call = "GrB_mxm", .C = C, .mask = mask, .A = A, .B = B, .accum = accum, .s = op, .d = &d};
  GrB_Info info = check(&x, desc, &d);
  if (info != GrB_SUCCESS) return info;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): check() refuses a NULL */
  if (op->mul->index) return grid_hooks.index_binary->mxm(C, mask, accum, op, A, B, desc);
  x.plan.forced = grid_method_forced(&grid_mxm_methods);
  info = grid_method_run(&grid_mxm_methods, &x.plan);
  grid_method_trace(&grid_mxm_methods, &x.plan, NULL);
  return info;
}

/* By a positional multiplication without kernels: one operand's values are replaced. */
static GrB_Info multiply_positions(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring op,
                                   GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc) {
  static const char call[] = "GrB_mxm";
  const GrB_BinaryOp mul = op->mul;
  const bool first = grid_position_is_of_first(mul->position);
  struct GrB_Semiring_opaque s = {GRID_BUILTIN(GRID_IS_SEMIRING, NULL), op->add,
                                  grid_position_operand(mul->z, first)};
  GrB_Matrix P = NULL;
  GrB_Info info;
  grid_desc d;
  TRY(grid_check_matrix(C, call, "C"));
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_object(B, &C->head, call, "B"));
  TRY(grid_desc_get(desc, call, &d));
  const bool by_row = grid_position_is_row(mul->position) != (first ? d.tran0 : d.tran1);
  TRY(grid_hooks.index_binary->matrix_positions(&P, first ? A : B, by_row, mul->shift, mul->z));
  info = grid_mxm_untraced(C, mask, accum, &s, first ? P : A, first ? B : P, desc);
done:
  GrB_Matrix_free(&P);
  return info;
}

/* Products of two entries, if B's rows have about equally many: the same on all processes. */
static uint64_t estimate_work(GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc) {
  grid_desc d;
  if (!A || !B || !grid_is_live(A) || !grid_is_live(B)) return 0;
  if (grid_desc_get(desc, "GrB_mxm", &d) != GrB_SUCCESS) return 0;
  const uint64_t l = d.tran1 ? B->ncols : B->nrows;
  const double work = (double)A->nvals * (double)B->nvals / (double)(l ? l : 1);
  return work < (double)UINT32_MAX ? (uint64_t)work : UINT32_MAX;
}

GrB_Info GrB_mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Semiring op,
                 const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc) {
  if (op && grid_is_live(op) && grid_semiring_needs_positions(op))
    return GRID_TRACE_SIZED_CALL("GrB_mxm", estimate_work(A, B, desc),
                                 multiply_positions(C, mask, accum, op, A, B, desc), C, mask, A, B);
  return GRID_TRACE_SIZED_CALL("GrB_mxm", estimate_work(A, B, desc),
                               grid_mxm_untraced(C, mask, accum, op, A, B, desc), C, mask, A, B);
}
