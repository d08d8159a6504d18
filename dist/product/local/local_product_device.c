/* The local product of a block in device memory with operands and result on the host, where several processes
 * exchange them. */
#include "dist/product/dist_product.h"
#include "spmat/backend.h"

typedef struct {
  void *xbits, *xlist, *x, *mask, *ybits, *y;
} copies;

static GrB_Info send(void **to, const void *from, uint64_t count, size_t size) {
  if (!from || count == 0 || size == 0) return GrB_SUCCESS;
  return grid_device_send(to, from, count, size, "operands of a product");
}

static GrB_Info send_operands(const grid_product *p, const grid_axis *axis, grid_job *J, copies *c) {
  /* where x is this process's chunk itself, it may be shorter than the axis */
  const uint64_t n = grid_set_size(p->in.set) == 1 && p->x->n < axis->n ? p->x->n : axis->n,
                 values = J->x_step == 0 ? 1
                          : J->x_packed  ? J->nx
                                         : n;
  GrB_Info info = GrB_SUCCESS;
  TRY(send(&c->xbits, J->xbits, grid_words(n), sizeof *J->xbits));
  TRY(send(&c->xlist, J->xlist, J->nx, sizeof *J->xlist));
  if (p->values.uses_x) TRY(send(&c->x, J->x, values, p->x->type->size));
  TRY(send(&c->mask, J->mask, grid_words(J->ny), sizeof *J->mask));
  J->xbits = c->xbits, J->xlist = c->xlist, J->x = c->x, J->mask = c->mask;
done:
  return info;
}

/* Allocates empty results. */
static GrB_Info make_results(const grid_job *J, size_t size, copies *c) {
  GrB_Info info = GrB_SUCCESS;
  c->ybits = grid_device_malloc(grid_words(J->ny), sizeof *J->ybits);
  if (size) c->y = grid_device_malloc(J->ny, size);
  if (!c->ybits || (size && !c->y)) TRY(grid_device_fail_memory(NULL, "outputs of a block", J->ny, size + 1));
  TRY(grid_device_zero(c->ybits, grid_words(J->ny) * sizeof *J->ybits));
done:
  return info;
}

GrB_Info grid_run_block_device(const grid_product *p, const grid_axis *in_axis, bool pull, grid_job *job) {
  const size_t size = p->values.structural ? 0 : p->s->mul->z->size;
  copies c = {0};
  grid_job J = *job;
  GrB_Info info = GrB_SUCCESS;
  if (J.ny == 0 || (!pull && J.nx == 0)) return GrB_SUCCESS;
  TRY(send_operands(p, in_axis, &J, &c));
  TRY(make_results(&J, size, &c));
  J.ybits = c.ybits, J.y = c.y;
  const grid_kernels *k = grid_cuda->kernels(&J, p->values.structural);
  TRY(pull ? k->pull(&J) : k->push(&J));
  TRY(grid_device_get(job->ybits, J.ybits, grid_words(J.ny) * sizeof *J.ybits));
  if (size && J.found) TRY(grid_device_get(job->y, J.y, J.ny * size));
  job->inspected = J.inspected;
  job->found = J.found;
done:
  grid_device_free(c.xbits);
  grid_device_free(c.xlist);
  grid_device_free(c.x);
  grid_device_free(c.mask);
  grid_device_free(c.ybits);
  grid_device_free(c.y);
  return info;
}
