/* The local product of one part: the kernel of the memory where it lies. */
#include "dist/product/product.h"
#include "spmat/backend.h"

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

GrB_Info grid_run_part(grid_product *p, const grid_part *part, bool transposed, bool pull,
                       const grid_input *in, const grid_allowed *mask, grid_places where, grid_output *y) {
  /* vectors along rows serve a pull of A and a push of its transpose */
  const grid_compressed *m = pull != transposed ? &part->by_row : &part->by_col;
  if (part->nvals == 0) return GrB_SUCCESS;
  size_t xsize = p->x_used ? p->x->type->size : 0;
  grid_job J = {.m = m,
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
                .ny = y->n,
                .ybits = y->bits,
                .y = y->val,
                .s = p->s,
                .flip = p->flip,
                .places = where};
  GrB_Info info = run_job(p, part, transposed ? &part->row : &part->col, pull, &J);
  p->stats.inspected += J.inspected;
  y->found += J.found;
  return info;
}
