/* Products of which only the pattern is computed. */
#include "dist/plan/push_pull.h"

/* All products have one value, which is computed here, if A and x each have one value (or none is read) and
 * the sum of equal products is that value. On several processes only a BOOL x is known to have one value. */
void grid_find_structural(grid_product *p) {
  GrB_BinaryOp mul = p->s->mul;
  bool x_one = !p->values.uses_x ||
               (p->n.iso_chunks == p->n.chunks &&
                (grid_ctx.P == 1 || (p->x->type->code == GRID_T_BOOL &&
                                     (p->n.true_chunks == 0 || p->n.true_chunks == p->n.chunks))));
  bool a_one = !p->values.uses_a || p->A->block.iso;
  GrB_Monoid add = p->s->add;
  if (!mul->f || !x_one || !a_one || !(add->any || add->idempotent) ||
      mul->z->size > sizeof p->values.constant)
    return;
  /* no products: a user-defined operator is not called without operands */
  if (p->values.uses_x && p->n.chunks == 0) return;
  GrB_Type want_a = p->values.flip ? mul->y : mul->x, want_x = p->values.flip ? mul->x : mul->y;
  uint64_t a[2] = {0}, x[2] = {0};
  if (want_a->size > sizeof a || want_x->size > sizeof x) return;
  if (p->values.uses_a) {
    if (!p->A->block.iso_val) return; /* an empty matrix */
    grid_cast_array(a, want_a, p->A->block.iso_val, p->A->type, 1, 1);
  }
  if (p->values.uses_x) {
    const bool truth = p->n.true_chunks > 0; /* this process may have no entry to read the value of */
    const void *one = grid_ctx.P == 1 ? grid_chunk_iso_value(p->x) : &truth;
    grid_cast_array(x, want_x, one, p->x->type, 1, 1);
  }
  mul->f(p->values.constant, p->values.flip ? x : a, p->values.flip ? a : x);
  p->values.structural = true;
}
