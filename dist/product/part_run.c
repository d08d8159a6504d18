/* The local product of one part: the kernel of the memory where it lies. */
#include "dist/object/matrix/matrix_route.h"
#include "dist/product/product.h"
#include "spmat/backend.h"

grid_places grid_product_places(const grid_product *p, const grid_axis *axis) {
  grid_places x = p->transposed ? grid_block_row_places(p->A) : grid_block_col_places(p->A);
  x.axis = axis;
  return x;
}

/* The kernels of the memory in which the job's arrays lie; a block on the device with operands on the host.
 */
static GrB_Info run_job(grid_product *p, const grid_part *part, const grid_axis *in_axis, bool pull,
                        grid_job *J) {
  GrB_Info info = GRID_NOT_HERE;
  const grid_kernels *k;
  J->push_edges = p->n.edges; /* the device only needs to know about how many */
  if (p->where == GRID_ON_DEVICE) {
    k = grid_cuda->kernels(J, p->structural);
    return pull ? k->pull(J) : k->push(J);
  }
  if (p->where == GRID_BLOCK_ON_DEVICE && part == &p->A->block)
    info = grid_run_block_device(p, in_axis, pull, J);
  if (info != GRID_NOT_HERE) return info;
  if (p->where == GRID_BLOCK_ON_DEVICE && part == &p->A->block)
    grid_fallback("product whose kernel cannot be made");
  if ((info = grid_part_to_host(part)) != GrB_SUCCESS) return info;
  if (J->a_step) J->a = J->m->val; /* it may have moved just now */
  if (!pull) J->push_edges = grid_push_edges(J->m, J->xlist, J->nx);
  k = grid_backend_cpu.kernels(J, p->structural);
  return pull ? k->pull(J) : k->push(J);
}

grid_job grid_product_job(const grid_product *p, const grid_part *part, bool transposed, bool pull,
                          const grid_input *in, const grid_allowed *mask, grid_places where) {
  /* vectors along rows serve a pull of A and a push of its transpose */
  const grid_compressed *m = pull != transposed ? &part->by_row : &part->by_col;
  const size_t xsize = p->x_used ? p->x->type->size : 0;
  return (grid_job){.m = m,
                    .a = part->iso ? part->iso_val : m->val,
                    .a_step = part->iso ? 0 : part->type->size,
                    .a_type = part->type,
                    .entries = part->nvals,
                    .xbits = in->full ? NULL : in->bits,
                    .xlist = in->list,
                    .nx = in->nx,
                    .x = in->val,
                    .x_step = in->iso ? 0 : xsize,
                    .x_packed = in->packed,
                    .x_type = p->x->type,
                    .xcount = p->n.nx < in->nx ? p->n.nx : in->nx,
                    .mask = mask->bits,
                    .mask_complement = mask->complement,
                    .allowed = p->n.rows ? (double)p->n.allowed_some / (double)p->n.rows : 1,
                    .s = p->s,
                    .flip = p->flip,
                    .places = where};
}

bool grid_is_few(const grid_product *p, const grid_input *in) {
  const grid_part *block = &p->A->block;
  const uint64_t outputs = grid_out_axis(p, block)->n;
  if (p->pages || p->pull || p->where != GRID_ON_HOST || p->A->split || block->device) return false;
  if (!grid_push_is_few(in->nx, outputs)) return false;
  return block->nvals == 0 ||
         grid_push_is_few(grid_push_edges(p->transposed ? &block->by_row : &block->by_col, in->list, in->nx),
                          outputs);
}

GrB_Info grid_run_few(grid_product *p, const grid_input *in, const grid_mask *own, const grid_allowed *mask,
                      grid_places where, grid_chunk *t) {
  const grid_part *block = &p->A->block;
  grid_chunk_empty(t);
  if (block->nvals == 0) return GrB_SUCCESS;
  grid_job J = grid_product_job(p, block, p->transposed, false, in, mask, where);
  J.push_edges = grid_push_edges(J.m, J.xlist, J.nx);
  GrB_Info info = grid_push_few(&J, p->structural, grid_out_axis(p, block), own, t);
  p->stats.inspected += J.inspected;
  return info;
}

GrB_Info grid_run_part(grid_product *p, const grid_part *part, bool transposed, bool pull,
                       const grid_input *in, const grid_allowed *mask, grid_places where, grid_output *y) {
  if (part->nvals == 0) return GrB_SUCCESS;
  grid_job J = grid_product_job(p, part, transposed, pull, in, mask, where);
  J.ny = y->n, J.ybits = y->bits, J.y = y->val, J.late = y->late;
  GrB_Info info = run_job(p, part, transposed ? &part->row : &part->col, pull, &J);
  p->stats.inspected += J.inspected;
  if (J.found == GRID_UNCOUNTED)
    y->found = J.found, y->ticket = J.ticket;
  else
    y->found += J.found;
  return info;
}
