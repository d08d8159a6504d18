/* What delegates leave of a pull: normals tell the owners of what they have outside. */
#include "dist/delegates/steps.h"
#include "dist/product/targets.h"

/* The own normals in x. */
static GrB_Info list_own(const grid_product *p, uint32_t **row, uint64_t *n) {
  const uint64_t *is = p->A->numbered->is + grid_word_of(p, grid_here.k);
  uint32_t *to = *row = grid_malloc(p->x->nvals, sizeof *to);
  *n = 0;
  if (!to) return grid_fail_memory(NULL, "vertices that push", p->x->nvals, sizeof *to);
  if (p->A->block.nvals == 0) return GrB_SUCCESS;
  for (grid_iter it = grid_begin(p->x); grid_next(&it);)
    if (!grid_bit(is, it.i)) to[(*n)++] = (uint32_t)it.i;
  return GrB_SUCCESS;
}

GrB_Info grid_push_outside(grid_product *p, GrB_Info info, grid_output *y) {
  uint32_t *row = NULL;
  grid_telling d = {.p = p, .from_rows = true, .left_out = p->A->numbered->is};
  grid_received got;
  if (info == GrB_SUCCESS) info = list_own(p, &row, &d.n);
  d.list = row;
  info = grid_targets_tell(&d, info, &got);
  grid_targets t = grid_targets_begin(&d, &got);
  while (info == GrB_SUCCESS && grid_targets_next(&t)) {
    p->stats.inspected++;
    if (grid_mask_allows(&p->mask, t.r)) grid_put_hit(p, y, t.r, t.u);
  }
  grid_free(row);
  return info;
}
