/* See owner_requests.h. */
#include "dist/delegates/owner_requests.h"

#include <string.h>

#include "dist/plan/layout_cost.h"
#include "dist/comm/transport/varint.h"

/* ---- when ---- */

/* Does any product of a row suffice: for an operator on indices always, for others if all values are the
 * same? */
static bool is_any_product_enough(const grid_product *p) {
  const GrB_Monoid add = p->s->add;
  return p->s->mul->f ? add->any || add->idempotent : add->any;
}

GrB_Info grid_requests_prepare(grid_product *p) {
  GrB_Matrix A = p->A;
  p->choice.can_use_requests = false;
  if (p->where != GRID_ON_HOST || !grid_can_index_delegates(A) || A->delegates.split ||
      A->hints.delegates == Grid_DELEGATES_OFF || !is_any_product_enough(p))
    return GrB_SUCCESS;
  GrB_Info info = grid_delegate_index_make(A);
  p->choice.can_use_requests = info == GrB_SUCCESS && A->delegates.index->d > 0;
  return info;
}

void grid_requests_count_edges(const grid_product *p, grid_remote_edges *o) {
  const grid_delegate_index *g = p->A->delegates.index;
  const uint64_t delegates = g->start[grid_ctx.k + 1] - g->start[grid_ctx.k];
  *o = (grid_remote_edges){0};
  for (grid_iter it = grid_iter_begin(p->x); grid_iter_next(&it);) {
    if (grid_bit(g->is_local, it.i))
      o->delegates++;
    else
      o->normals++, o->pushed += g->remote_edges[it.i];
  }
  for (uint64_t k = 0; k < delegates; k++)
    if (grid_mask_has_index(&p->mask, g->local[k])) o->delegate_entries += g->remote_edges[g->local[k]];
}

uint64_t grid_requests_delegate_edges(const grid_product *p) {
  const grid_delegate_index *g = p->A->delegates.index;
  uint64_t sum = 0;
  for (grid_iter it = grid_iter_begin(p->x); grid_iter_next(&it);)
    if (grid_bit(g->is_local, it.i)) sum += g->remote_edges[it.i];
  return sum;
}

bool grid_requests_are_possible(const grid_product *p) {
  return p->choice.can_use_requests && (p->values.structural || (p->s->add->any && !p->s->mul->f));
}

/* Not if x as a list is as short as the bits of delegates; nor, on a fast network, if the additional calls
 * cost hits. */
bool grid_requests_are_profitable(const grid_product *p) {
  const grid_delegate_index *g = p->A->delegates.index;
  const uint64_t list = 4 * p->n.nx, bitmap = p->in.n / 8, all = list < bitmap ? list : bitmap;
  if (list <= g->d / 8) return false;
  return !g->request_overhead_bytes || all > g->d / 8 + g->request_overhead_bytes;
}

/* ---- expand ---- */

/* Bits over this process's delegates, by their order. */
GrB_Info grid_requests_delegate_bits(const grid_product *p, uint64_t **bits, grid_entries_out *e) {
  const grid_delegate_index *g = p->A->delegates.index;
  const uint64_t n = g->start[grid_ctx.k + 1] - g->start[grid_ctx.k];
  *e = (grid_entries_out){.n = n};
  *bits = grid_calloc(grid_words(n), sizeof **bits);
  if (!*bits) return grid_fail_memory(NULL, "bits of delegates", n / 8, 1);
  e->bits = *bits;
  for (uint64_t k = 0; k < n; k++) {
    const void *v;
    if (!grid_chunk_get(p->x, g->local[k], &v)) continue;
    (*bits)[k >> 6] |= UINT64_C(1) << (k & 63);
    e->count++;
  }
  return GrB_SUCCESS;
}

/* Sets the bits of this process's vertices in x, also where they are columns of a hypersparse axis. */
static void set_local_bits(const grid_product *p, uint64_t *bits) {
  const grid_delegate_index *g = p->A->delegates.index;
  const grid_axis *col = &p->A->block.col;
  const uint64_t words = grid_words(p->x->n), low = grid_process_offset(p, grid_ctx.k);
  uint64_t *local = grid_local_input(p, bits);
  if (p->x->format == GRID_BITMAP) {
    memcpy(local, p->x->bits, words * sizeof *local);
  } else if (p->x->format == GRID_FULL) {
    for (uint64_t w = 0; w < words; w++) local[w] = grid_tail(p->x->n, w);
  } else {
    for (uint64_t k = 0; k < p->x->nvals; k++) grid_set_bit(local, p->x->idx[k]);
  }
  for (uint64_t c = g->col_start[grid_ctx.k]; col->ids && c < g->col_start[grid_ctx.k + 1]; c++)
    if (grid_bit(local, grid_axis_id(col, c) - low)) grid_set_bit(bits, c);
}

static GrB_Info share_delegates(grid_product *p, GrB_Info info, grid_received *got) {
  uint64_t *delegate_bits = NULL;
  grid_entries_out e;
  if (info == GrB_SUCCESS) info = grid_requests_delegate_bits(p, &delegate_bits, &e);
  if (info == GrB_SUCCESS) grid_count_messages(p, &e, grid_ctx.P - 1);
  info = grid_allgather_messages(&p->A->cached.buffers, p->in.set, info, &e, got, &p->stats.delegate_bytes);
  grid_free(delegate_bits);
  return info;
}

/* Sets the bits of the delegates in x, from their owners. */
static GrB_Info gather_delegates(grid_product *p, GrB_Info info, grid_input *in) {
  const grid_delegate_index *g = p->A->delegates.index;
  grid_received got = p->prefetched.got;
  if (!p->prefetched.delegates)
    info = share_delegates(p, info, &got);
  else if (info == GrB_SUCCESS)
    info = p->prefetched.info;
  for (int k = 0; k < grid_ctx.P && info == GrB_SUCCESS; k++) {
    grid_message m = grid_received_message(&got, (size_t)k);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it);) {
      const uint32_t c = g->col[g->start[k] + it.i];
      if (c != GRID_NO_COLUMN) grid_set_bit(in->bits, c);
    }
  }
  return info;
}

GrB_Info grid_requests_expand(grid_product *p, grid_input *in) {
  const uint64_t words =
      grid_column_words(p) + (p->A->block.col.ids ? grid_local_padded_size(p->in.n) / 64 : 0);
  *in = (grid_input){.bits = grid_calloc(words, sizeof *in->bits)};
  in->owned_bits = in->bits;
  GrB_Info info = in->bits ? GrB_SUCCESS : grid_fail_memory(NULL, "input bitmap", words, 8);
  if (p->n.remote_edges.delegates > 0) info = gather_delegates(p, info, in);
  if (info == GrB_SUCCESS) set_local_bits(p, in->bits);
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}

/* ---- open rows ---- */

typedef struct {
  uint64_t *bits;                            /* over this process's rows */
  uint64_t normals, delegates;               /* number of open rows that are normal vertices, and delegates */
  uint64_t normal_entries, delegate_entries; /* remote edges of these */
} open_rows;

static GrB_Info find_open_rows(const grid_product *p, const grid_kernel_mask *mask, const grid_output *y,
                               open_rows *o) {
  const grid_delegate_index *g = p->A->delegates.index;
  const uint64_t *nonempty = p->A->degrees.row_nonempty, words = grid_words(p->mask.n);
  o->bits = grid_calloc(words, sizeof *o->bits);
  if (!o->bits) return grid_fail_memory(NULL, "open rows", words, sizeof *o->bits);
  for (uint64_t w = 0; w < words && p->A->block.nvals; w++) {
    const uint64_t allowed = !mask->bits ? ~UINT64_C(0) : mask->complement ? ~mask->bits[w] : mask->bits[w];
    uint64_t bits = allowed & nonempty[w] & ~y->bits[w];
    for (; bits; bits &= bits - 1) {
      const uint64_t r = 64 * w + grid_low_bit(bits), n = g->remote_edges[r];
      if (n == 0) continue;
      grid_set_bit(o->bits, r);
      if (grid_bit(g->is_local, r))
        o->delegates++, o->delegate_entries += n;
      else
        o->normals++, o->normal_entries += n;
    }
  }
  return GrB_SUCCESS;
}

/* ---- all of x ---- */

/* Sends all of x to all processes, which try their open rows again. info: the outcome so far. */
static GrB_Info send_all(grid_product *p, GrB_Info info, grid_input *in, const open_rows *o, grid_output *y) {
  const grid_local_matrix *block = &p->A->block;
  const size_t size = p->values.structural ? 0 : p->s->mul->z->size;
  grid_entries_out e = grid_entries_of_chunk(p->x, false);
  grid_received got;
  grid_output hits = {.n = y->n};
  hits.bits = hits.owned_bits = grid_calloc(grid_words(y->n), sizeof *hits.bits);
  hits.val = hits.owned_val = size ? grid_malloc(y->n, size) : NULL;
  if (info == GrB_SUCCESS && (!hits.bits || (size && !hits.val)))
    info = grid_fail_memory(NULL, "outputs of a block", y->n, size);
  if (info == GrB_SUCCESS) grid_count_messages(p, &e, grid_ctx.P - 1);
  info = grid_allgather_messages(&p->A->cached.buffers, p->in.set, info, &e, &got, &p->stats.expand_bytes);
  for (uint64_t k = 0, at = 0; k < (uint64_t)grid_ctx.P && info == GrB_SUCCESS; k++) {
    const uint64_t first = grid_process_offset(p, (int)k);
    grid_message m = grid_received_message(&got, k);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it);) {
      const uint64_t c = grid_axis_find_next(&block->col, &at, first + it.i);
      if (c != UINT64_MAX) grid_set_bit(in->bits, c);
    }
  }
  if (info == GrB_SUCCESS)
    info = grid_run_lmat(p, block, false, true, in, &(grid_kernel_mask){.bits = o->bits},
                         (grid_index_map){.axis = &block->col}, &hits);
  TRY(info);
  for (uint64_t w = 0; w < grid_words(y->n); w++)
    for (uint64_t b = hits.bits[w] & ~y->bits[w]; b; b &= b - 1) {
      const uint64_t r = 64 * w + grid_low_bit(b);
      grid_set_bit(y->bits, r);
      y->found++;
      if (size) memcpy((char *)y->val + r * size, (char *)hits.val + r * size, size);
    }
done:
  grid_free(hits.owned_bits);
  grid_free(hits.owned_val);
  return info;
}

/* ---- the choice for open rows ---- */

/* Mean bytes of the distance between `count` ascending numbers below n. */
static uint64_t distance_bytes(uint64_t n, uint64_t count) {
  return grid_varint_size(n / (count + 1));
}

/* Estimates of the bytes that all processes send by each method, in integers, so that they are the same on
 * all. */
static uint64_t request_bytes(const grid_product *p, uint64_t entries) {
  const uint64_t all = p->in.n * (uint64_t)(grid_ctx.P - 1),
                 distinct = distance_bytes(all, entries) * entries;
  return (distinct < all / 8 ? distinct : all / 8) + entries / 8;
}

static uint64_t push_bytes(const grid_product *p) {
  const grid_remote_edges *o = &p->n.remote_edges;
  const uint64_t segments = o->normals * (uint64_t)(grid_ctx.P - 1),
                 per_process = p->in.n / (uint64_t)grid_ctx.P,
                 sources = segments < o->pushed ? segments : o->pushed;
  return sources * (2 * grid_varint_size(per_process / 2) + 1) +
         (o->pushed - sources) * distance_bytes(per_process, o->pushed / (sources + 1));
}

static uint64_t total_bytes(const grid_product *p) {
  const uint64_t list = 4 * p->n.nx, bitmap = p->in.n / 8;
  return (uint64_t)(grid_ctx.P - 1) * (list < bitmap ? list : bitmap);
}

/* Remote edges of open rows, summed over the grid: of delegates, and of all. Collective, agreed on. */
static GrB_Info sum_open_entries(const grid_product *p, GrB_Info info, const open_rows *o,
                                 uint64_t *delegate_entries, uint64_t *all_entries) {
  uint64_t v[2] = {o->delegate_entries, o->delegate_entries + o->normal_entries};
  info = grid_agree_sum(&p->A->head, info, v, 2);
  *delegate_entries = v[0], *all_entries = v[1];
  return info;
}

/* If the network was not measured: bytes of a process that are assumed to take the time of a call. */
static const uint64_t DEFAULT_CALL_BYTES = 4096;

GrB_Info grid_requests_resolve(grid_product *p, GrB_Info info, grid_input *in, const grid_kernel_mask *mask,
                               grid_output *y) {
  const grid_remote_edges *n = &p->n.remote_edges;
  const uint64_t pushes = push_bytes(p), *is = p->A->delegates.index->is_local, words = grid_words(p->mask.n),
                 call = p->A->delegates.index->call_bytes;
  open_rows o = {0};
  uint64_t delegate_entries, all_entries;
  /* no open row can have another hit: normal vertices in x have no remote edges, neither to normal rows nor
   * to rows of delegates */
  if (n->pushed == 0 && (n->normals == 0 || n->delegate_entries == 0)) return info;
  if (n->delegate_entries == 0 && pushes <= (call ? call : DEFAULT_CALL_BYTES) * (uint64_t)grid_ctx.P)
    return grid_push_remote(p, info, y);
  if (info == GrB_SUCCESS) info = find_open_rows(p, mask, y, &o);
  TRY(sum_open_entries(p, info, &o, &delegate_entries, &all_entries));
  if (all_entries == 0) goto done;
  const uint64_t requests = request_bytes(p, all_entries),
                 pushes_and_rest = pushes + (delegate_entries ? request_bytes(p, delegate_entries) : 0);
  if (total_bytes(p) < (requests < pushes_and_rest ? requests : pushes_and_rest)) {
    info = send_all(p, info, in, &o, y);
  } else if (requests <= pushes_and_rest) {
    info = grid_request_owners(p, info, in, o.bits, y);
  } else {
    info = grid_push_remote(p, info, y);
    if (p->A->block.nvals > 0) /* else no row is open, and y may have no rows */
      for (uint64_t w = 0; w < words; w++) o.bits[w] &= is[w] & ~y->bits[w];
    if (delegate_entries) info = grid_request_owners(p, info, in, o.bits, y);
  }
done:
  grid_free(o.bits);
  return info;
}
