/* A push along the block's rows (docs/how/product.md). A symmetric matrix is its own
 * transpose, so the rows that are outputs of a pull can be inputs of a push. x is gathered by the processes
 * that share rows (where rows are whole it needs no exchange), and the targets are sent to their owners
 * (push_messages.h). */
#include "dist/product/exchange/push_along_rows.h"

#include <string.h>

#include "dist/product/exchange/push_messages.h"
#include "spmat/sort/radix.h"

bool grid_can_push_rows(const grid_product *p) {
  const GrB_Matrix A = p->A;
  return grid_ctx.P > 1 && p->where == GRID_ON_HOST && A->properties.symmetric && !A->delegates.split &&
         grid_has_degrees(A, true) && (p->values.structural || (p->s->add->any && !p->s->mul->f));
}

/* Where results are stored: as pairs, or (pair NULL) in the bitmap chunk t. A pair has the target, an index
 * of the chunk, in the upper half and the number of the result in the lower one, its vertex beside them. */
typedef struct {
  grid_product *p;
  grid_chunk *t;
  uint64_t *pair, *vertex; /* vertex NULL: structural */
  uint64_t n;
} results;

static void store_vertex(grid_chunk *t, uint64_t at, uint64_t u) {
  if (t->type->size == sizeof(int64_t))
    ((int64_t *)t->val)[at] = (int64_t)u;
  else
    ((int32_t *)t->val)[at] = (int32_t)u;
}

static void store_result(results *to, uint64_t r, uint64_t u) {
  grid_chunk *t = to->t;
  if (!grid_mask_has_index(&to->p->mask, r)) return;
  if (to->pair) {
    to->pair[to->n] = r << 32 | to->n;
    if (to->vertex) to->vertex[to->n] = u;
    to->n++;
  } else if (!grid_bit(t->bits, r)) {
    t->bits[r >> 6] |= UINT64_C(1) << (r & 63);
    t->nvals++;
    if (!to->p->values.structural) store_vertex(t, r, u);
  }
}

static void store_results(const grid_push_messages *d, const grid_received *got, results *to) {
  const grid_push_local local = grid_push_local_of(d);
  for (uint64_t k = 0; k < d->n; k++) {
    const uint64_t v = d->list ? d->list[k] : k, u = grid_index_map_at(&local.vertices, v);
    uint64_t e, end;
    for (grid_push_local_range(&local, v, &e, &end); e < end; e++)
      store_result(to, grid_push_local_target(&local, e), u);
  }
  for (grid_push_reader t = grid_push_reader_begin(d, got); grid_push_reader_next(&t);)
    store_result(to, t.r, t.u);
}

/* An upper bound of the number of results: every received target takes at least a byte. edges: entries of the
 * vectors. */
static uint64_t max_results(const grid_push_messages *d, const grid_received *got, uint64_t edges) {
  uint64_t sum = edges;
  for (int s = 0; s < grid_set_size(grid_push_owner_set(d->from_rows)); s++) sum += got->bytes[s];
  return sum;
}

/* t = the pairs as an ascending list, each target once, with the vertex that was stored first. */
static GrB_Info make_list_from_pairs(const results *from, uint64_t *tmp) {
  grid_chunk *t = from->t;
  GrB_Info info = grid_chunk_reserve_list(t, from->n, from->p->values.structural);
  if (info != GrB_SUCCESS) return info;
  grid_radix_sort(from->pair, NULL, from->n, 0, 0, 32, tmp, NULL); /* numbers ascend already */
  t->format = GRID_LIST;
  t->nvals = 0;
  for (uint64_t k = 0; k < from->n; k++) {
    const uint64_t r = from->pair[k] >> 32;
    if (k > 0 && r == from->pair[k - 1] >> 32) continue;
    t->idx[t->nvals] = r;
    if (from->vertex) store_vertex(t, t->nvals, from->vertex[from->pair[k] & UINT32_MAX]);
    t->nvals++;
  }
  return GrB_SUCCESS;
}

static GrB_Info make_list(const grid_push_messages *d, const grid_received *got, uint64_t most,
                          grid_chunk *t) {
  const uint64_t arrays = d->p->values.structural ? 2 : 3;
  results to = {.p = d->p, .t = t, .pair = grid_malloc(arrays * most, sizeof *to.pair)};
  if (!to.pair) return grid_fail_memory(NULL, "targets", arrays * most, sizeof *to.pair);
  if (arrays == 3) to.vertex = to.pair + 2 * most;
  store_results(d, got, &to);
  GrB_Info info = make_list_from_pairs(&to, to.pair + most);
  grid_free(to.pair);
  return info;
}

static GrB_Info make_bitmap(const grid_push_messages *d, const grid_received *got, grid_chunk *t) {
  GrB_Info info = grid_chunk_reserve_dense(t, d->p->values.structural);
  if (info != GrB_SUCCESS) return info;
  if (t->n) memset(t->bits, 0, grid_words(t->n) * sizeof *t->bits);
  t->format = GRID_BITMAP;
  t->nvals = 0;
  store_results(d, got, &(results){.p = d->p, .t = t});
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
                                .list = in.list,
                                .n = block->nvals ? in.nx : 0,
                                .prefetched = p->prefetched.push_messages};
  info = grid_push_messages_exchange(&d, info, &got);
  if (info == GrB_SUCCESS) {
    const uint64_t edges = grid_push_edges(from_rows ? &block->by_row : &block->by_col, d.list, d.n),
                   most = max_results(&d, &got, edges);
    p->stats.inspected += edges;
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
      .p = p, .from_rows = true, .list = in.list, .n = p->A->block.nvals ? in.nx : 0, .head = head};
  if (info == GrB_SUCCESS) info = grid_push_write(&d);
  grid_input_free(&in);
  swap_axes(p);
  return info;
}
