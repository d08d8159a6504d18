/* Sends the remote edges of normal vertices in x to the owners of their targets, for rows that delegates
 * leave open. */
#include "dist/delegates/owner_request_steps.h"
#include "dist/product/exchange/push_messages.h"

/* Lists this process's normal vertices in x. */
static GrB_Info list_local_normals(const grid_product *p, uint32_t **row, uint64_t *n) {
  const uint64_t *is = p->A->delegates.index->is_local;
  uint32_t *to = *row = grid_malloc(p->x->nvals, sizeof *to);
  *n = 0;
  if (!to) return grid_fail_memory(NULL, "vertices that push", p->x->nvals, sizeof *to);
  if (p->A->block.nvals == 0) return GrB_SUCCESS;
  for (grid_iter it = grid_iter_begin(p->x); grid_iter_next(&it);)
    if (!grid_bit(is, it.i)) to[(*n)++] = (uint32_t)it.i;
  return GrB_SUCCESS;
}

GrB_Info grid_push_remote(grid_product *p, GrB_Info info, grid_output *y) {
  uint32_t *row = NULL;
  grid_push_messages d = {.p = p, .from_rows = true, .left_out = p->A->delegates.index->is_col};
  grid_received got;
  if (info == GrB_SUCCESS) info = list_local_normals(p, &row, &d.n);
  d.list = row;
  info = grid_push_messages_exchange(&d, info, &got);
  grid_push_reader t = grid_push_reader_begin(&d, &got);
  while (info == GrB_SUCCESS && grid_push_reader_next(&t)) {
    p->stats.inspected++;
    if (grid_mask_has_index(&p->mask, t.r)) grid_store_hit(p, y, t.r, t.u);
  }
  grid_free(row);
  return info;
}
