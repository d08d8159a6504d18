/* See view_order.h. */
#include "dist/product/exchange/view_order.h"

#include <omp.h>
#include <string.h>

#include "dist/comm/transport/shm/shm_mailbox.h"
#include "spmat/device/device.h"
#include "spmat/matrix/degree_classes.h"
#include "spmat/vector/bound_operator.h"

static grid_view_orders *orders_of(const grid_product *p) {
  return &p->A->cached.view_orders[p->transposed];
}

static void free_order(grid_view_order *o) {
  if (!o) return;
  grid_free(o->local_index);
  grid_free(o->position);
  grid_free(o);
}

/* ---- making an order ---- */

/* The orientation that a pull reads. */
static const grid_compressed *pulled(const grid_product *p) {
  return p->transposed ? &p->A->block.by_col : &p->A->block.by_row;
}

/* Where a view has each input of the local chunk. */
static void write_positions(const grid_view_order *o, uint64_t first, uint32_t *position) {
  for (uint64_t k = 0; k < o->n; k++) position[first + o->local_index[k]] = (uint32_t)(first + k);
}

static void find_entries(const grid_product *p, const uint32_t *position, grid_view_order *o) {
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const uint32_t *idx = pulled(p)->idx;
#pragma omp parallel for schedule(static) if (o->nvals > 1 << 15)
  for (uint64_t e = 0; e < o->nvals; e++) o->position[e] = position[grid_axis_id(axis, idx[e])];
}

static grid_view_order *allocate(const grid_product *p) {
  grid_view_order *o = grid_calloc(1, sizeof *o);
  if (!o) return NULL;
  o->n = p->x->n;
  o->nvals = p->A->block.nvals;
  o->local_index = grid_malloc(o->n, sizeof *o->local_index);
  o->position = grid_malloc(o->nvals, sizeof *o->position);
  if (o->local_index && o->position) return o;
  free_order(o);
  return NULL;
}

/* *order stays NULL if it does not pay, or if memory is short. Collective, agreed on. */
static GrB_Info make(const grid_product *p, grid_view_order **order) {
  const uint32_t *degree = p->transposed ? p->A->degrees.row : p->A->degrees.col;
  grid_view_order *o = allocate(p);
  grid_shm_view z = {NULL, NULL};
  uint64_t v[3] = {0}; /* entries of the hubs, of all; processes without a view or degrees */
  GrB_Info info = o ? GrB_SUCCESS : grid_fail_memory(NULL, "an order of a vector", p->A->block.nvals, 4);
  v[2] = !grid_shm_view_reserve(&z, p->in.set, grid_in_dim(p), sizeof *o->local_index, true) ||
         (!degree && p->x->n);
  if (o && !v[2]) {
    const grid_degree_ranking found = grid_order_by_degree(degree, o->n, o->local_index);
    v[0] = found.hubs, v[1] = found.all;
    write_positions(o, grid_in_offset(p, (size_t)grid_set_rank(p->in.set)), (uint32_t *)(void *)z.val);
  }
  TRY(grid_agree_sum(NULL, info, v, 3));
  if (v[2] || !grid_degree_order_can_pay(v[0], v[1])) goto done;
  find_entries(p, (uint32_t *)(void *)z.val, o);
  *order = o, o = NULL;
done:
  free_order(o);
  return info == GrB_OUT_OF_MEMORY ? GrB_SUCCESS : info;
}

/* Drops the order if pulls with it have not become faster. Collective, agreed on. */
static GrB_Info judge(grid_view_orders *c) {
  uint64_t ns[2];
  for (int k = 0; k < 2; k++) ns[k] = (uint64_t)(c->min_seconds[k] * 1e9);
  const GrB_Info info = grid_agree_sum(NULL, GrB_SUCCESS, ns, 2);
  c->refused = info == GrB_SUCCESS && !grid_degree_order_pays((double[]){(double)ns[0], (double)ns[1]});
  if (!c->refused) return info;
  free_order(c->order);
  c->order = NULL;
  return info;
}

/* Can a full x be read in this order, and is it so long that this may pay? The same everywhere. Not for ANY,
 * whose early hits need few entries; not for operators of positions, which use the index. */
static bool is_possible(const grid_product *p) {
  return grid_set_size(p->in.set) > 1 && grid_mailbox_is_open(p->in.set) && p->where == GRID_ON_HOST &&
         !grid_device_is_open() && !p->pages && !p->A->delegates.split && p->choice.pull &&
         !p->choice.passes_rows && !p->choice.uses_requests && p->values.uses_x && !p->values.structural &&
         p->s->mul->f && !p->s->add->any && grid_in_dim(p) * p->x->type->size > grid_degree_order_min_bytes();
}

/* Counts pulls of one semiring; another one starts anew until there is an order. */
static void count_pull(grid_view_orders *c, GrB_Semiring s) {
  if (c->semiring != s && !c->order) *c = (grid_view_orders){.semiring = s};
  if (c->semiring == s) c->pulls[c->order != NULL]++;
}

GrB_Info grid_view_order_prepare(grid_product *p) {
  grid_view_orders *c = orders_of(p);
  const bool full = is_possible(p) && p->n.nx == p->in.n && !c->refused;
  GrB_Info info = GrB_SUCCESS;
  if (full && !c->order && c->pulls[0] == grid_tune.degree_order_pulls) {
    info = make(p, &c->order);
    c->refused = !c->order;
  } else if (full && c->order && c->semiring == p->s && c->pulls[1] > 0 &&
             c->pulls[1] == grid_tune.degree_order_tries) {
    info = judge(c);
  }
  if (full && !c->refused) count_pull(c, p->s);
  c->expected = p->choice.orders_view = full && c->order;
  p->prefetched.ordered = p->prefetched.ordered && p->choice.orders_view;
  return info;
}

/* ---- using it ---- */

bool grid_view_order_is_expected(const grid_product *p) {
  return orders_of(p)->expected && is_possible(p) && p->x->nvals == p->x->n;
}

void grid_view_order_write(const grid_product *p, const grid_shm_view *z) {
  const grid_view_order *o = orders_of(p)->order;
  const size_t size = p->x->type->size;
  char *to = z->val + grid_in_offset(p, (size_t)grid_set_rank(p->in.set)) * size;
  if (p->x->n == 0) return;
  if (p->x->iso)
    grid_value_fill(to, p->x->val, size, p->x->n);
  else
    grid_value_gather(to, p->x->val, o->local_index, size, p->x->n);
}

GrB_Info grid_view_order_input(const grid_product *p, const grid_shm_view *z, grid_input *in) {
  *in = (grid_input){.full = true, .val = z->val, .positions = orders_of(p)->order->position};
  return GrB_SUCCESS;
}

double grid_view_order_begin(const grid_product *p, const grid_input *in) {
  return in->full && is_possible(p) && orders_of(p)->semiring == p->s ? omp_get_wtime() : 0;
}

void grid_view_order_end(const grid_product *p, const grid_input *in, double start) {
  if (start == 0) return;
  const double seconds = omp_get_wtime() - start;
  double *min = &orders_of(p)->min_seconds[in->positions != NULL];
  if (*min == 0 || seconds < *min) *min = seconds;
}

/* ---- a cached property of the matrix ---- */

static void free_orders(GrB_Matrix A) {
  for (int k = 0; k < 2; k++) free_order(A->cached.view_orders[k].order);
  memset(A->cached.view_orders, 0, sizeof A->cached.view_orders);
}

static void add_storage(GrB_Matrix A, Grid_Storage *s) {
  for (int k = 0; k < 2; k++) {
    const grid_view_order *o = A->cached.view_orders[k].order;
    if (o) s->bytes += o->n * sizeof *o->local_index + o->nvals * sizeof *o->position;
  }
}

const grid_cached_property grid_view_order_form = {.free = free_orders, .add_storage = add_storage};
