/* The steps of a product for delegates on the device (on the host: delegate_product.c). Their x and mask are
 * gathered from the owners' chunks and replicated by one allgather. Each process multiplies its matrices of
 * the split. Contributions to delegates are sent to their owners, which add them (an allreduce would send P
 * times as much). mxv_device_grid.c calls the steps and agrees on their outcomes. */
#include <string.h>

#include "dist/plan/push_pull.h"
#include "dist/delegates/delegate_split.h"
#include "spmat/backend.h"

static uint64_t padded_size(const grid_product *p) {
  return p->A->delegates.split->device.capacity;
}
static uint64_t processes(void) {
  return (uint64_t)grid_ctx.P;
}
/* From the sums over the grid: a mask may allow all in one chunk only. */
static bool is_all_allowed(const grid_product *p) {
  return p->n.allowed == p->out.n;
}

/* ---- memory ---- */

/* Counts the nonempty rows (columns) of an orientation. */
static GrB_Info count_vectors(const grid_compressed *c, uint64_t n, uint64_t *nonempty_count) {
  return grid_cuda->chunks->combine(NULL, c->nonempty, c->nonempty, GRID_AND, n, nonempty_count);
}

static GrB_Info lmat_to_device(const grid_local_matrix *lmat, grid_nonempty_counts *nonempty_count) {
  GrB_Info info = grid_lmat_to_device(lmat);
  if (info != GrB_SUCCESS || lmat->nvals == 0 || nonempty_count->rows) return info;
  info = count_vectors(&lmat->by_col, lmat->col.n, &nonempty_count->cols);
  return info == GrB_SUCCESS ? count_vectors(&lmat->by_row, lmat->row.n, &nonempty_count->rows) : info;
}

GrB_Info grid_split_to_device(GrB_Matrix A) {
  grid_split *s = A->delegates.split;
  GrB_Info info = grid_split_make_tables(A, s);
  if (info == GrB_SUCCESS) info = lmat_to_device(&s->nd, &s->device.nd);
  if (info == GrB_SUCCESS) info = lmat_to_device(&s->dn, &s->device.dn);
  return info == GrB_SUCCESS ? lmat_to_device(&s->dd, &s->device.dd) : info;
}

/* Allocates bits and values of n positions. */
static GrB_Info make_delegate_vector(grid_delegate_vector *a, uint64_t n, size_t size) {
  a->bits = grid_device_malloc(grid_words(n), sizeof *a->bits);
  a->val = size ? grid_device_malloc(n, size) : NULL;
  return a->bits && (a->val || !size) ? GrB_SUCCESS
                                      : grid_device_fail_memory(NULL, "delegates of a product", n, size + 1);
}

static void free_delegate_vector(grid_delegate_vector *a) {
  grid_device_free(a->bits);
  grid_device_free(a->val);
}

GrB_Info grid_delegates_device_allocate(const grid_product *p, grid_delegates_device *g) {
  const uint64_t d = p->A->delegates.split->d, all = processes() * padded_size(p);
  const size_t x = p->values.uses_x ? p->x->type->size : 0, y = p->values.structural ? 0 : p->s->mul->z->size;
  GrB_Info info = GrB_SUCCESS;
  TRY(make_delegate_vector(&g->x, d, x));
  TRY(make_delegate_vector(&g->y, d, y));
  if (!is_all_allowed(p)) TRY(make_delegate_vector(&g->mask, d, 0));
  TRY(make_delegate_vector(&g->all_x, all, x));
  if (!is_all_allowed(p)) TRY(make_delegate_vector(&g->all_mask, all, 0));
  TRY(make_delegate_vector(&g->out, all, y));
  TRY(make_delegate_vector(&g->segments, all, y));
done:
  return info;
}

void grid_delegates_device_free(grid_delegates_device *g) {
  free_delegate_vector(&g->x);
  free_delegate_vector(&g->y);
  free_delegate_vector(&g->mask);
  free_delegate_vector(&g->all_x);
  free_delegate_vector(&g->all_mask);
  free_delegate_vector(&g->out);
  free_delegate_vector(&g->segments);
}

/* ---- replication ---- */

/* Gathers x at the delegates of an axis; val NULL: only bits. */
static GrB_Info gather_x(const grid_product *p, const grid_axis *axis, uint64_t *bits, void *val) {
  const grid_chunk *x = p->x;
  const bool values = val && !x->iso;
  if (x->nvals == 0) return grid_device_zero(bits, 8 * grid_words(axis->n));
  GrB_Info info =
      grid_cuda->products->gather_axis(bits, values ? val : NULL, x->format == GRID_BITMAP ? x->bits : NULL,
                                       x->val, values ? x->type->size : 0, false, axis);
  if (info != GrB_SUCCESS || !val || values) return info;
  return grid_cuda->chunks->fill(val, x->host_value, x->type->size, axis->n);
}

static GrB_Info gather_mask(const grid_product *p, const grid_axis *axis, uint64_t *bits) {
  const grid_mask *m = &p->mask;
  if (grid_mask_is_empty(m)) return grid_device_zero(bits, 8 * grid_words(axis->n));
  return grid_cuda->products->gather_axis(bits, NULL, m->bits, NULL, 0, m->bits && m->complement, axis);
}

/* Gathers segments of `bytes` bytes of all processes; this process's one is at its position. */
static GrB_Info gather(grid_product *p, const grid_device_transport *transport, void *all, uint64_t bytes) {
  p->stats.delegate_bytes += bytes * (processes() - 1);
  return transport->allgather(GRID_SET_ALL, (char *)all + (uint64_t)grid_ctx.k * bytes, bytes, all);
}

static GrB_Info gather_all(grid_product *p, const grid_device_transport *transport,
                           grid_delegates_device *g) {
  const uint64_t capacity = padded_size(p);
  GrB_Info info = transport->begin();
  info = grid_first_failure(info, gather(p, transport, g->all_x.bits, capacity / 8));
  if (g->all_x.val)
    info = grid_first_failure(info, gather(p, transport, g->all_x.val, capacity * p->x->type->size));
  if (g->all_mask.bits) info = grid_first_failure(info, gather(p, transport, g->all_mask.bits, capacity / 8));
  return grid_first_failure(info, transport->end());
}

GrB_Info grid_delegates_device_gather(grid_product *p, const grid_device_transport *transport,
                                      grid_delegates_device *g) {
  const grid_split_tables *t = &p->A->delegates.split->device;
  const uint64_t local_begin = (uint64_t)grid_ctx.k * t->capacity;
  const size_t size = g->x.val ? p->x->type->size : 0;
  GrB_Info info = gather_x(p, &t->local, g->all_x.bits + local_begin / 64,
                           size ? (char *)g->all_x.val + local_begin * size : NULL);
  if (g->mask.bits && info == GrB_SUCCESS)
    info = gather_mask(p, &t->local, g->all_mask.bits + local_begin / 64);
  info = grid_first_failure(info, gather_all(p, transport, g));
  TRY(info);
  TRY(grid_cuda->products->gather_axis(g->x.bits, g->x.val, g->all_x.bits, g->all_x.val, size, false,
                                       &t->gather_axis));
  if (g->mask.bits)
    TRY(grid_cuda->products->gather_axis(g->mask.bits, NULL, g->all_mask.bits, NULL, 0, false,
                                         &t->gather_axis));
done:
  return info;
}

/* ---- the matrices of the split ---- */

/* The input of a matrix whose inputs are this process's vertices: p->x. */
static grid_input local_input(const grid_product *p, const grid_axis *axis) {
  const grid_chunk *x = p->x;
  grid_input in = {.bits = x->format == GRID_BITMAP ? x->bits : NULL, .val = x->val, .iso = x->iso};
  in.nx = x->nvals == 0 ? 0 : x->n < axis->n ? x->n : axis->n; /* without entries it may have no arrays */
  return in;
}

static void set_step(grid_delegates_step *a, const grid_local_matrix *lmat,
                     const grid_nonempty_counts *nonempty_count, bool transposed) {
  *a = (grid_delegates_step){.lmat = lmat,
                             .transposed = transposed,
                             .rows = transposed ? nonempty_count->cols : nonempty_count->rows,
                             .in_axis = transposed ? &lmat->row : &lmat->col,
                             .by_in = transposed ? &lmat->by_row : &lmat->by_col,
                             .by_out = transposed ? &lmat->by_col : &lmat->by_row};
}

/* The steps multiply M[D, v], which is A's dn or the transpose of its nd; M[D, D]; M[v, D], which is A's nd
 * or the transpose of its dn. dd is distributed by columns, so a symmetric dd has its outputs as columns. */
static void list_steps(const grid_product *p, grid_delegates_device *g, uint64_t outputs) {
  const grid_split *s = p->A->delegates.split;
  const bool nd_in = p->transposed || s->mirrored, nd_out = !p->transposed || s->mirrored;
  const grid_split_tables *t = &s->device;
  const grid_input x = {.bits = g->x.bits, .val = g->x.val, .nx = s->d};
  const grid_kernel_mask mask = {.bits = g->mask.bits};
  const grid_mask *m = &p->mask;
  grid_delegates_step *to = &g->lmat[GRID_TO_DELEGATES], *among = &g->lmat[GRID_AMONG_DELEGATES],
                      *from = &g->lmat[GRID_FROM_DELEGATES];
  set_step(to, nd_in ? &s->nd : &s->dn, nd_in ? &t->nd : &t->dn, nd_in);
  to->in = local_input(p, to->in_axis);
  to->where = (grid_index_map){.axis = to->in_axis, .base = grid_chunk_first(p->A->nrows, grid_ctx.k)};
  set_step(among, &s->dd, &t->dd, p->transposed || p->A->properties.symmetric);
  set_step(from, nd_out ? &s->nd : &s->dn, nd_out ? &t->nd : &t->dn, !nd_out);
  among->in = from->in = x;
  among->where = from->where = (grid_index_map){.axis = &t->vertices};
  to->mask = among->mask = mask;
  to->outputs = among->outputs = s->d;
  from->mask = (grid_kernel_mask){.bits = m->bits, .complement = m->complement};
  from->outputs = m->all || m->bits || m->complement ? outputs : 0; /* a mask without entries has no bits */
}

/* The counting of a step; *in, *out: memory for its axes. */
static grid_product_count_job make_counting(const grid_delegates_step *a, grid_axis *in, grid_axis *out) {
  *in = (grid_axis){.dim = a->in.nx, .n = a->in.nx};
  *out = (grid_axis){.dim = a->outputs, .n = a->outputs};
  return (grid_product_count_job){.in_axis = in,
                                  .out_axis = out,
                                  .by_in = a->by_in,
                                  .by_out = a->by_out,
                                  .x = a->in.bits,
                                  .mask = a->mask.bits,
                                  .count_x = a->in.bits != NULL,
                                  .count_mask = a->mask.bits != NULL,
                                  .complement = a->mask.complement,
                                  .n = a->outputs};
}

static void choose_direction(grid_product *p, grid_delegates_step *a,
                             const grid_product_count_job *counting) {
  const uint64_t edges = counting->count_x ? counting->edges : a->lmat->nvals,
                 allowed = counting->count_mask ? counting->nonempty_count : a->rows;
  uint64_t work;
  a->run = edges > 0;
  if (!a->run) return;
  a->pull = grid_pull_is_cheaper(p, a->lmat->nvals, a->rows, edges, allowed, &work);
  p->stats.push_work += edges;
  p->stats.pull_work += work;
  p->choice.delegates_pull |= a->pull;
  p->choice.delegates_push |= !a->pull;
}

/* Counts all steps by one call of the device. */
static GrB_Info choose_directions(grid_product *p, grid_delegates_device *g) {
  grid_product_count_job c[GRID_DELEGATES_STEPS];
  grid_axis in[GRID_DELEGATES_STEPS], out[GRID_DELEGATES_STEPS];
  grid_delegates_step *counted[GRID_DELEGATES_STEPS];
  int n = 0;
  for (int k = 0; k < GRID_DELEGATES_STEPS; k++) {
    grid_delegates_step *a = &g->lmat[k];
    if (!a->lmat->nvals || !a->in.nx || !a->outputs) continue;
    c[n] = make_counting(a, &in[n], &out[n]);
    counted[n++] = a;
  }
  GrB_Info info = n ? grid_cuda->products->count(c, n) : GrB_SUCCESS;
  for (int k = 0; k < n && info == GrB_SUCCESS; k++) choose_direction(p, counted[k], &c[k]);
  return info;
}

static GrB_Info run_step(grid_product *p, const grid_delegates_step *a, grid_output *y) {
  if (!a->run) return GrB_SUCCESS;
  return grid_run_lmat(p, a->lmat, a->transposed, a->pull, &a->in, &a->mask, a->where, y);
}

GrB_Info grid_delegates_device_run(grid_product *p, grid_delegates_device *g, uint64_t outputs) {
  const uint64_t d = p->A->delegates.split->d;
  grid_output y = {.n = d, .bits = g->y.bits, .val = g->y.val};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_device_zero(y.bits, 8 * grid_words(d)));
  list_steps(p, g, outputs);
  TRY(choose_directions(p, g));
  TRY(run_step(p, &g->lmat[GRID_TO_DELEGATES], &y));
  TRY(run_step(p, &g->lmat[GRID_AMONG_DELEGATES], &y));
done:
  return info;
}

/* ---- results ---- */

GrB_Info grid_delegates_device_send(grid_product *p, const grid_device_transport *transport,
                                    grid_delegates_device *g) {
  const uint64_t capacity = padded_size(p);
  const size_t size = g->y.val ? p->s->mul->z->size : 0;
  GrB_Info info = grid_device_zero(g->out.bits, processes() * capacity / 8);
  if (info == GrB_SUCCESS)
    info = grid_cuda->products->scatter_axis(g->out.bits, g->out.val, g->y.bits, g->y.val, size,
                                             &p->A->delegates.split->device.gather_axis);
  p->stats.delegate_bytes += capacity / 8 * (processes() - 1) + capacity * size * (processes() - 1);
  info = grid_first_failure(
      info, grid_product_exchange(transport, GRID_SET_ALL, g->out.bits, g->segments.bits, capacity / 8));
  if (size)
    info = grid_first_failure(
        info, grid_product_exchange(transport, GRID_SET_ALL, g->out.val, g->segments.val, capacity * size));
  return info;
}

/* *sum = the contributions of all processes to this process's delegates. */
static GrB_Info add_contributions(const grid_product *p, const grid_delegates_device *g,
                                  const grid_axis *local, grid_chunk *sum) {
  const grid_segments w = {.bits = g->segments.bits,
                           .val = g->segments.val,
                           .q = padded_size(p),
                           .n = local->n,
                           .count = processes()};
  GrB_Info info = grid_chunk_reserve_device(sum, true, p->values.structural);
  return info == GrB_SUCCESS ? grid_product_add_segments(p, &w, sum) : info;
}

GrB_Info grid_delegates_device_add(grid_product *p, grid_delegates_device *g, grid_chunk *t) {
  const grid_split_tables *s = &p->A->delegates.split->device;
  const size_t size = g->y.val ? t->type->size : 0;
  grid_output y = {.n = t->n, .bits = t->bits, .val = size ? t->val : NULL};
  grid_chunk sum;
  GrB_Info info = GrB_SUCCESS;
  grid_chunk_init(&sum, t->type, s->local.n);
  TRY(run_step(p, &g->lmat[GRID_FROM_DELEGATES], &y));
  t->nvals += y.found;
  if (sum.n == 0) goto done;
  TRY(add_contributions(p, g, &s->local, &sum));
  TRY(grid_cuda->products->scatter_axis(y.bits, y.val, sum.bits, sum.val, size, &s->local));
  t->nvals += sum.nvals;
done:
  grid_chunk_free(&sum);
  return info;
}
