/* Products on the device whose kernels add to w's values. t starts as a copy of w, so that no pass over w
 * follows and a failure leaves w as it was. */
#include "dist/product/mxv/mxv.h"
#include "spmat/backend.h"

/* Every output has a value and may change, and accum is the monoid's operator. */
bool grid_product_can_add_to_w(const grid_mxv_call *x) {
  const GrB_Monoid add = x->p.s->add;
  const GrB_Vector w = x->a.w;
  return x->a.accum == add->op && !add->any && !x->p.values.structural && x->p.mask.all &&
         w->type == add->op->z && w->chunk.format == GRID_FULL && !x->p.pages &&
         !x->p.A->block.host_resident; /* whose pages are multiplied one by one */
}

bool grid_product_adds_to_w(const grid_product *p, const grid_axis *out_axis) {
  return p->w && !out_axis->ids;
}

GrB_Info grid_product_start_from_w(const grid_product *p, grid_chunk *t) {
  static const uint64_t ones = UINT64_MAX;
  const grid_chunk *w = p->w;
  const size_t size = t->type->size;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_chunk_to_device(w));
  TRY(grid_chunk_reserve_device(t, true, false));
  TRY(grid_cuda->chunks->fill(t->bits, &ones, sizeof ones, grid_words(t->n)));
  TRY(w->iso ? grid_cuda->chunks->fill(t->val, w->host_value, size, t->n)
             : grid_device_copy(t->val, w->val, t->n * size));
done:
  return info;
}

void grid_product_added_to_w(grid_product *p, grid_chunk *t) {
  t->nvals = t->n, t->format = GRID_FULL, t->iso = false;
  p->w = NULL;
}
