/* See streamed_cpu.h. */
#include "dist/product/local/streamed_cpu.h"

#include <string.h>

#include "semiring/support/mem.h"
#include "spmat/backend.h"

bool grid_pages_cpu_can_run(const grid_product *p, const grid_compressed *m) {
  const GrB_BinaryOp mul = p->s->mul;
  /* the device casts x as it reads it, the CPU does not */
  const bool fits = !p->values.uses_x || p->x->type == (p->values.flip ? mul->x : mul->y);
  return p->choice.pull && fits && (m->hub_neighbor || !(p->values.structural || p->s->add->any));
}

/* Bytes of an output's value; 0: only the pattern is computed. */
static size_t value_size(const grid_product *p) {
  return p->values.structural ? 0 : p->s->add->op->z->size;
}

/* ---- memory ---- */

static uint64_t round_up(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/* Allocates `bytes` of locked memory, cached with the pages. */
static GrB_Info allocate_buffers(grid_host_pages *g, uint64_t bytes) {
  grid_pages_shared *r = &g->with_cpu;
  if (r->bytes >= bytes) return GrB_SUCCESS;
  if (r->buffer) grid_cuda->paging->unlock(r->buffer);
  r->buffer = grid_cuda->paging->lock(bytes);
  r->bytes = r->buffer ? bytes : 0;
  return r->buffer ? GrB_SUCCESS : grid_fail_memory(NULL, "vectors of a product on the CPU", bytes, 1);
}

/* The next `bytes` of that memory, of which *at are used. */
static void *carve(const grid_host_pages *g, uint64_t *at, uint64_t bytes) {
  char *p = g->with_cpu.buffer + *at;
  *at += round_up(bytes);
  return p;
}

static GrB_Info fetch(void *to, const void *from, uint64_t bytes) {
  return bytes ? grid_cuda->paging->fetch(to, from, bytes) : GrB_SUCCESS;
}

GrB_Info grid_pages_cpu_begin(grid_pages_cpu *c, grid_product *p, grid_host_pages *g,
                              const grid_compressed *m, const grid_input *in, const grid_kernel_mask *mask,
                              grid_index_map where, const grid_output *y) {
  const uint64_t rows = y->n < g->vectors ? y->n : g->vectors,
                 inputs = in->val == p->x->val && p->x->n < in->nx ? p->x->n : in->nx;
  *c = (grid_pages_cpu){.p = p, .g = g, .y = y, .m = m, .from = rows, .to = rows};
  grid_job *J = &c->job;
  *J = grid_product_job(p, &p->A->block, p->transposed, true, in, mask, where);
  const size_t z = value_size(p);
  const uint64_t x_val = inputs * J->x_step, x_bits = in->bits ? grid_words(inputs) * 8 : 0,
                 y_bits = grid_words(y->n) * 8, mask_bits = mask->bits ? y_bits : 0;
  uint64_t at = 0;
  GrB_Info info = GrB_SUCCESS;
  TRY(allocate_buffers(
      g, round_up(x_val) + round_up(x_bits) + round_up(mask_bits) + round_up(y_bits) + y->n * z));
  void *val = carve(g, &at, x_val), *bits = carve(g, &at, x_bits), *allowed = carve(g, &at, mask_bits);
  J->ybits = carve(g, &at, y_bits);
  J->y = z ? carve(g, &at, y->n * z) : NULL;
  TRY(fetch(bits, in->bits, x_bits));
  TRY(fetch(allowed, mask->bits, mask_bits));
  TRY(fetch(val, in->val, x_val));
  J->xbits = x_bits ? bits : NULL;
  J->mask = mask_bits ? allowed : NULL;
  J->x = x_val ? val : p->values.uses_x ? grid_chunk_iso_value(p->x) : NULL;
done:
  return info;
}

/* ---- rows ---- */

uint64_t grid_pages_cpu_first_row(const grid_pages_cpu *c, uint64_t k) {
  const grid_host_page *q = &c->g->page[k];
  const uint64_t row = q->entry == grid_vector_start(c->m, q->row) ? q->row : q->row + 64;
  return row < c->g->vectors ? row : c->g->vectors;
}

GrB_Info grid_pages_cpu_wait(void) {
  return grid_cuda->paging->wait_fetch();
}

GrB_Info grid_pages_cpu_pull(grid_pages_cpu *c, uint64_t from, void (*poll)(void *with), void *with) {
  const grid_compressed *m = c->m;
  const uint64_t word = from / 64;
  const size_t z = value_size(c->p);
  /* without ranks, which order all rows of the block */
  const grid_compressed rows = {.ptr = m->ptr ? m->ptr + from : NULL,
                                .offsets64 = m->offsets64 ? m->offsets64 + from : NULL,
                                .idx = m->idx,
                                .val = m->val,
                                .hub_neighbor = m->hub_neighbor ? m->hub_neighbor + from : NULL,
                                .nonempty = m->nonempty ? m->nonempty + word : NULL};
  grid_job J = c->job;
  if (from >= c->to) return GrB_SUCCESS;
  c->from = from;
  J.m = &rows;
  J.ny = c->to - from;
  if (J.mask) J.mask += word;
  J.ybits += word;
  if (J.y) J.y = (char *)J.y + from * z;
  memset(J.ybits, 0, grid_words(J.ny) * sizeof *J.ybits);
  J.poll = poll, J.with = with;
  GrB_Info info = grid_cpu->kernels(&J, c->p->values.structural)->pull(&J);
  c->p->stats.inspected += J.inspected;
  return info;
}

GrB_Info grid_pages_cpu_upload(const grid_pages_cpu *c) {
  const uint64_t word = c->from / 64;
  const size_t z = value_size(c->p);
  GrB_Info info = GrB_SUCCESS;
  if (c->from >= c->to) return info;
  TRY(grid_cuda->paging->upload(c->y->bits + word, c->job.ybits + word,
                                (grid_words(c->to) - word) * sizeof *c->y->bits));
  if (z)
    TRY(grid_cuda->paging->upload((char *)c->y->val + c->from * z, (const char *)c->job.y + c->from * z,
                                  (c->to - c->from) * z));
done:
  return info;
}
