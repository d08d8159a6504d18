/* The local product of one local matrix, by the kernels of the memory in which it is. */
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/product/dist_product.h"
#include "spmat/backend.h"

grid_index_map grid_product_index_map(const grid_product *p, const grid_axis *axis) {
  grid_index_map x = p->transposed ? grid_block_row_map(p->A) : grid_block_col_map(p->A);
  x.axis = axis;
  return x;
}

/* Runs the job by the kernels of the memory in which its arrays are; or, where only the block is on the
 * device, by the device's with operands sent there. */
static GrB_Info run_product_job(grid_product *p, const grid_local_matrix *lmat, const grid_axis *in_axis,
                                bool pull, grid_job *J) {
  GrB_Info info = GRID_UNSUPPORTED;
  const grid_kernels *k;
  J->push_edges = p->n.edges; /* the device needs only an estimate */
  if (p->where == GRID_ON_DEVICE) {
    k = grid_cuda->kernels(J, p->values.structural);
    return pull ? k->pull(J) : k->push(J);
  }
  if (p->where == GRID_BLOCK_ON_DEVICE && lmat == &p->A->block)
    info = grid_run_block_device(p, in_axis, pull, J);
  if (info != GRID_UNSUPPORTED) return info;
  if (p->where == GRID_BLOCK_ON_DEVICE && lmat == &p->A->block)
    grid_report_fallback("product without a kernel");
  if ((info = grid_lmat_to_host(lmat)) != GrB_SUCCESS) return info;
  if (J->a_step) J->a = J->m->val; /* grid_lmat_to_host may have moved it */
  if (!pull) J->push_edges = grid_push_edges(J->m, J->xlist, J->nx);
  k = grid_cpu->kernels(J, p->values.structural);
  return pull ? k->pull(J) : k->push(J);
}

/* Does x have a value at every index at which the matrix has entries? A pull need not look at its bits then.
 */
static bool meets_all_entries(const grid_product *p) {
  const uint32_t *degree = p->transposed ? p->A->degrees.row : p->A->degrees.col;
  return grid_ctx.P == 1 && p->where == GRID_ON_HOST && degree && p->n.edges == p->A->nvals;
}

grid_job grid_product_job(const grid_product *p, const grid_local_matrix *lmat, bool transposed, bool pull,
                          const grid_input *in, const grid_kernel_mask *mask, grid_index_map where) {
  /* vectors along rows serve a pull of A and a push of its transpose */
  const grid_compressed *m = pull != transposed ? &lmat->by_row : &lmat->by_col;
  const size_t xsize = p->values.uses_x ? p->x->type->size : 0;
  return (grid_job){.m = m,
                    .a = lmat->iso ? lmat->iso_val : m->val,
                    .a_step = lmat->iso ? 0 : lmat->type->size,
                    .a_type = lmat->type,
                    .entries = lmat->nvals,
                    .xbits = in->full || meets_all_entries(p) ? NULL : in->bits,
                    .xlist = in->list,
                    .nx = in->nx,
                    .x = in->val,
                    .x_step = in->iso ? 0 : xsize,
                    .x_packed = in->packed,
                    .x_positions = in->positions,
                    .x_type = p->x->type,
                    .xcount = p->n.nx < in->nx ? p->n.nx : in->nx,
                    .mask = mask->bits,
                    .mask_complement = mask->complement,
                    .allowed = p->n.rows ? (double)p->n.allowed_nonempty / (double)p->n.rows : 1,
                    .s = p->s,
                    .flip = p->values.flip,
                    .index_map = where};
}

void grid_job_restrict(grid_job *J, bool pull, const grid_output *y, uint64_t first, uint64_t n) {
  const uint64_t word = first / 64;
  J->ybits = y->bits, J->y = y->val, J->ny = y->n;
  J->uncounted = true;
  if (pull) {
    if (J->mask) J->mask += word;
    J->ybits += word;
    if (J->y) J->y = (char *)J->y + first * J->s->add->op->z->size;
    J->ny = n;
    return;
  }
  if (J->xbits) J->xbits += word;
  if (J->x_step) J->x = (const char *)J->x + first * J->x_step;
  J->nx = n;
  if (J->xcount > n) J->xcount = n;
  J->index_map.base += first;
}

bool grid_is_sparse_push(const grid_product *p, const grid_input *in) {
  const grid_local_matrix *block = &p->A->block;
  const uint64_t outputs = grid_out_axis(p, block)->n;
  if (p->pages || p->choice.pull || p->where != GRID_ON_HOST || p->choice.prefilled || block->device)
    return false;
  if (!grid_push_is_sparse(in->nx, outputs)) return false;
  return block->nvals == 0 ||
         grid_push_is_sparse(
             grid_push_edges(p->transposed ? &block->by_row : &block->by_col, in->list, in->nx), outputs);
}

GrB_Info grid_run_sparse_push(grid_product *p, const grid_input *in, const grid_mask *local_mask,
                              const grid_kernel_mask *mask, grid_index_map where, grid_chunk *t) {
  const grid_local_matrix *block = &p->A->block;
  grid_chunk_empty(t);
  if (block->nvals == 0) return GrB_SUCCESS;
  grid_job J = grid_product_job(p, block, p->transposed, false, in, mask, where);
  J.push_edges = grid_push_edges(J.m, J.xlist, J.nx);
  GrB_Info info = grid_push_sparse(&J, p->values.structural, grid_out_axis(p, block), local_mask, t);
  p->stats.inspected += J.inspected;
  return info;
}

GrB_Info grid_run_lmat(grid_product *p, const grid_local_matrix *lmat, bool transposed, bool pull,
                       const grid_input *in, const grid_kernel_mask *mask, grid_index_map where,
                       grid_output *y) {
  if (lmat->nvals == 0) return GrB_SUCCESS;
  grid_job J = grid_product_job(p, lmat, transposed, pull, in, mask, where);
  J.ny = y->n, J.ybits = y->bits, J.y = y->val, J.y_full = y->full, J.counts_deferred = y->late;
  GrB_Info info = run_product_job(p, lmat, transposed ? &lmat->row : &lmat->col, pull, &J);
  p->stats.inspected += J.inspected;
  if (J.found == GRID_UNCOUNTED)
    y->found = J.found, y->ticket = J.ticket;
  else
    y->found += J.found;
  return info;
}
