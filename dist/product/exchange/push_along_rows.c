/* A push along the block's rows (docs/how/product.md). A symmetric matrix is its own
 * transpose, so the rows that are outputs of a pull can be inputs of a push. x is gathered by the processes
 * that share rows (where rows are whole it needs no exchange), and the targets are sent to their owners
 * (push_messages.h). */
#include "dist/product/exchange/push_along_rows.h"

#include <string.h>

#include "dist/product/exchange/push_messages.h"
#include "spmat/sort/radix.h"
#include "spmat/vector/bound_operator.h"

/* Rows are whole on one grid column only; there a push by columns looks up every vertex on every process. */
static bool can_send_values(const grid_product *p) {
  const GrB_BinaryOp mul = p->s->mul;
  const GrB_Type of_a = p->values.flip ? mul->y : mul->x;
  return grid_push_sends_values(p) && grid_ctx.C == 1 && mul->z->size <= GRID_PUSH_MAX_VALUE &&
         (!p->values.uses_a || p->A->type == of_a);
}

bool grid_can_push_rows(const grid_product *p) {
  const GrB_Matrix A = p->A;
  return grid_ctx.P > 1 && p->where == GRID_ON_HOST && A->properties.symmetric && !A->delegates.split &&
         grid_has_degrees(A, true) &&
         (p->values.structural || (p->s->add->any && !p->s->mul->f) || can_send_values(p));
}

/* Where results are stored: as pairs with the target, an index of the chunk, in the upper half and the number
 * of the result in the lower one, its value beside them; or (pair NULL) in the bitmap chunk t. */
typedef struct {
  grid_product *p;
  grid_chunk *t;
  uint64_t *pair;
  char *val; /* NULL: structural, or with t */
  uint64_t n;
  size_t size; /* of a value; 0: structural */
} results;

/* Adds a value to that of a target, which has one. */
static void add_value(const results *to, void *sum, const grid_push_value *z) {
  const GrB_Monoid add = to->p->s->add;
  if (to->size && !add->any) add->op->f(sum, sum, z->z);
}

static void store_result(results *to, uint64_t r, const grid_push_value *z) {
  grid_chunk *t = to->t;
  if (!grid_mask_has_index(&to->p->mask, r)) return;
  if (to->pair) {
    to->pair[to->n] = r << 32 | to->n;
    if (to->size) grid_value_copy(to->val + to->n * to->size, z->z, to->size);
    to->n++;
  } else if (!grid_bit(t->bits, r)) {
    t->bits[r >> 6] |= UINT64_C(1) << (r & 63);
    t->nvals++;
    if (to->size) grid_value_copy((char *)t->val + r * to->size, z->z, to->size);
  } else {
    add_value(to, (char *)t->val + r * to->size, z);
  }
}

/* z = the position u. */
static void set_position(const results *to, uint64_t u, grid_push_value *z) {
  const int64_t u64 = (int64_t)u;
  const int32_t u32 = (int32_t)u;
  memcpy(z->z, to->size == sizeof u64 ? (const void *)&u64 : &u32,
         to->size == sizeof u64 ? sizeof u64 : sizeof u32);
}

static void store_local_results(const grid_push_messages *d, results *to) {
  const bool values = grid_push_sends_values(d->p);
  for (uint64_t k = 0; k < d->n; k++) {
    const uint64_t v = grid_push_vector(d, k);
    grid_push_value z;
    uint64_t e, end;
    if (!values) set_position(to, grid_push_message_vertex(d, v), &z);
    for (grid_push_local_range(d, v, &e, &end); e < end; e++) {
      if (values) grid_push_multiply(d, k, e, &z);
      store_result(to, grid_push_local_target(d, e), &z);
    }
  }
}

static void store_received_results(const grid_push_messages *d, const grid_received *got, int first, int last,
                                   results *to) {
  const bool values = grid_push_sends_values(d->p);
  for (grid_push_reader t = grid_push_reader_begin(d, got, first, last); grid_push_reader_next(&t);) {
    if (!values) set_position(to, t.u, &t.value);
    store_result(to, t.r, &t.value);
  }
}

/* In the order of the vertices, in which a push by columns adds. */
static void store_results(const grid_push_messages *d, const grid_received *got, results *to) {
  const grid_set set = grid_push_owner_set(d->from_rows);
  const int me = grid_set_rank(set);
  store_received_results(d, got, 0, me, to);
  store_local_results(d, to);
  store_received_results(d, got, me + 1, grid_set_size(set), to);
}

/* An upper bound of the number of results: every received target takes at least a byte. */
static uint64_t max_results(const grid_push_messages *d, const grid_received *got) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < d->n; k++) {
    uint64_t e, end;
    grid_push_local_range(d, grid_push_vector(d, k), &e, &end);
    sum += end - e;
  }
  for (int s = 0; s < grid_set_size(grid_push_owner_set(d->from_rows)); s++) sum += got->bytes[s];
  return sum;
}

/* t = the pairs as an ascending list, each target once, with the sum of its values; of ANY the first. */
static GrB_Info make_list_from_pairs(const results *from, uint64_t *tmp) {
  grid_chunk *t = from->t;
  GrB_Info info = grid_chunk_reserve_list(t, from->n, from->p->values.structural);
  if (info != GrB_SUCCESS) return info;
  grid_radix_sort(from->pair, NULL, from->n, 0, 0, 32, tmp, NULL); /* numbers ascend already */
  t->format = GRID_LIST;
  t->nvals = 0;
  for (uint64_t k = 0; k < from->n; k++) {
    const uint64_t r = from->pair[k] >> 32;
    grid_push_value z;
    if (from->size) grid_value_copy(z.z, from->val + (from->pair[k] & UINT32_MAX) * from->size, from->size);
    if (k > 0 && r == from->pair[k - 1] >> 32) {
      add_value(from, (char *)t->val + (t->nvals - 1) * from->size, &z);
      continue;
    }
    t->idx[t->nvals] = r;
    if (from->size) grid_value_copy((char *)t->val + t->nvals * from->size, z.z, from->size);
    t->nvals++;
  }
  return GrB_SUCCESS;
}

static size_t value_size(const grid_product *p, const grid_chunk *t) {
  return p->values.structural ? 0 : t->type->size;
}

static GrB_Info make_list(const grid_push_messages *d, const grid_received *got, uint64_t most,
                          grid_chunk *t) {
  results to = {
      .p = d->p, .t = t, .pair = grid_malloc(2 * most, sizeof *to.pair), .size = value_size(d->p, t)};
  to.val = to.size ? grid_malloc(most, to.size) : NULL;
  GrB_Info info = to.pair && (to.val || !to.size)
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "targets", most, 2 * sizeof *to.pair + to.size);
  if (info == GrB_SUCCESS) {
    store_results(d, got, &to);
    info = make_list_from_pairs(&to, to.pair + most);
  }
  grid_free(to.pair);
  grid_free(to.val);
  return info;
}

static GrB_Info make_bitmap(const grid_push_messages *d, const grid_received *got, grid_chunk *t) {
  GrB_Info info = grid_chunk_reserve_dense(t, d->p->values.structural);
  if (info != GrB_SUCCESS) return info;
  if (t->n) memset(t->bits, 0, grid_words(t->n) * sizeof *t->bits);
  t->format = GRID_BITMAP;
  t->nvals = 0;
  store_results(d, got, &(results){.p = d->p, .t = t, .size = value_size(d->p, t)});
  return GrB_SUCCESS;
}

static GrB_Info push(grid_product *p, grid_chunk *t) {
  const bool from_rows = p->transposed;
  const grid_local_matrix *block = &p->A->block;
  grid_input in;
  grid_received got;
  GrB_Info info = grid_expand(p, &in);
  const grid_push_messages d = {.p = p,
                                .from_rows = from_rows,
                                .in = &in,
                                .n = block->nvals ? in.nx : 0,
                                .prefetched = p->prefetched.push_messages};
  info = grid_push_messages_exchange(&d, info, &got);
  if (info == GrB_SUCCESS) {
    const uint64_t most = max_results(&d, &got);
    p->stats.inspected += grid_push_edges(from_rows ? &block->by_row : &block->by_col, in.list, d.n);
    const bool as_list = most <= t->n / GRID_LIST_SHARE && t->n <= UINT32_MAX;
    info = as_list ? make_list(&d, &got, most, t) : make_bitmap(&d, &got, t);
  }
  grid_input_free(&in);
  return info;
}

/* Exchanges inputs and outputs of the block. */
static void swap_axes(grid_product *p) {
  const grid_set gather = p->in.set;
  p->transposed = !p->transposed;
  p->in.set = p->out.set, p->out.set = gather;
}

GrB_Info grid_push_rows(grid_product *p, grid_chunk *t) {
  swap_axes(p);
  GrB_Info info = push(p, t);
  swap_axes(p);
  return info;
}

GrB_Info grid_push_rows_write(grid_product *p, size_t head) {
  grid_input in;
  swap_axes(p);
  GrB_Info info =
      grid_expand(p, &in); /* no exchange: rows are whole, so that the input is this process's chunk */
  const grid_push_messages d = {
      .p = p, .from_rows = true, .in = &in, .n = p->A->block.nvals ? in.nx : 0, .head = head};
  if (info == GrB_SUCCESS) info = grid_push_write(&d);
  grid_input_free(&in);
  swap_axes(p);
  return info;
}
