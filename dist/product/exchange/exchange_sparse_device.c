/* See exchange_sparse_device.h. */
#include "dist/product/exchange/exchange_sparse_device.h"

#include "dist/comm/peer_windows.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/vector/peer_exchange.h"

/* Lists need more kernel launches than a bitmap, and random writes: they are used where they have at most a
 * quarter of the bytes. Packed values are used at three quarters, for what packing itself reads and writes.
 * Both fractions are estimates, not measured. */
static grid_expand_form choose_message_form(const grid_product *p, size_t size) {
  const uint64_t dense = p->in.n / 8 + p->in.n * size, lists = p->n.nx * (sizeof(uint64_t) + size),
                 packed = p->in.n / 8 + p->in.n / GRID_PACKED_STRETCH * sizeof(uint32_t) + p->n.nx * size;
  if (dense < grid_tune.device_lists_min_bytes) return GRID_EXPAND_DENSE;
  if (lists <= dense / 4 && (size == 0 || lists <= packed)) return GRID_EXPAND_LISTS;
  return size && packed <= dense / 4 * 3 ? GRID_EXPAND_PACKED : GRID_EXPAND_DENSE;
}

/* Windows hold chunks of equal lengths. */
bool grid_device_has_windows(uint64_t n) {
  return grid_window_addresses() && !grid_partition_of(n);
}

bool grid_is_input_full(const grid_product *p) {
  return p->n.nx == p->in.n;
}

/* Bytes of a receive buffer for this form of x. */
static uint64_t buffer_bytes(const grid_product *p, grid_expand_form as, size_t size, uint64_t q) {
  return as == GRID_EXPAND_DENSE ? grid_dense_buffer_bytes(q, (uint64_t)grid_set_size(p->in.set), size,
                                                           grid_is_input_full(p), (uint64_t)grid_ctx.P - 1)
                                 : grid_pass_buffer_bytes(q, size);
}

/* With windows, lists go through slots if these hold them; any other form goes through receive buffers, if
 * these can be made as large as needed. Collective. */
static GrB_Info choose(const grid_product *p, size_t size, grid_expand_form *as) {
  const uint64_t q = grid_even_size(p->in.n);
  bool is_reserved = false;
  GrB_Info info = GrB_SUCCESS;
  *as = GRID_EXPAND_SLOTS;
  if (grid_device_has_windows(p->in.n) && grid_fits_sparse_exchange(p->n.nx, size, q)) return info;
  *as = choose_message_form(p, size);
  if (*as == GRID_EXPAND_PACKED && grid_partition_of(p->in.n)) *as = GRID_EXPAND_DENSE;
  if (!grid_device_has_windows(p->in.n) || !grid_tune.packed_exchange) return info;
  info = grid_window_reserve_buffers(buffer_bytes(p, *as, size, q), &is_reserved);
  if (is_reserved) *as = *as == GRID_EXPAND_DENSE ? GRID_EXPAND_WRITTEN : GRID_EXPAND_FORWARDED;
  return info;
}

/* Does the form need the members for messages? */
static bool has_counts(grid_expand_form form) {
  return form == GRID_EXPAND_LISTS || form == GRID_EXPAND_PACKED;
}

GrB_Info grid_device_expand_begin(grid_device_expand *e, const grid_product *p,
                                  const grid_device_transport *transport, size_t size) {
  const uint64_t S = (uint64_t)grid_set_size(p->in.set);
  GrB_Info info = GrB_SUCCESS;
  *e = (grid_device_expand){.transport = transport, .size = size};
  if (S == 1) return info;
  TRY(choose(p, size, &e->form));
  if (!has_counts(e->form)) return info;
  const bool is_small = S <= sizeof e->inline_count / sizeof *e->inline_count;
  e->count = is_small ? e->inline_count : grid_malloc(S, sizeof *e->count);
  if (!e->count) info = grid_fail_memory(NULL, "counts of entries", S, sizeof *e->count);
  if (!is_small) TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->allgather(p->in.set, &p->x->nvals, sizeof *e->count, e->count));
  for (uint64_t s = 0; s < S; s++) e->all += e->count[s];
done:
  return info;
}

static GrB_Info allocate(void *to, uint64_t count, size_t size) {
  void *p = grid_device_malloc(count, size);
  if (!p) return grid_device_fail_memory(NULL, "a vector's entries as a list", count, size);
  *(void **)to = p;
  return GrB_SUCCESS;
}

/* Number of stretches of GRID_PACKED_STRETCH indices in a process's chunk. */
static uint64_t count_stretches(const grid_product *p) {
  return (grid_even_size(p->in.n) + GRID_PACKED_STRETCH - 1) / GRID_PACKED_STRETCH;
}

GrB_Info grid_device_expand_allocate(grid_device_expand *e, const grid_product *p) {
  const uint64_t local_nvals = p->x->nvals;
  GrB_Info info = GrB_SUCCESS;
  if (!has_counts(e->form)) return info;
  if (e->form == GRID_EXPAND_PACKED) {
    TRY(allocate(&e->start, (uint64_t)grid_set_size(p->in.set) * count_stretches(p), sizeof *e->start));
  } else {
    TRY(allocate(&e->idx, local_nvals, sizeof *e->idx));
    TRY(allocate(&e->all_idx, e->all, sizeof *e->all_idx));
  }
  TRY(allocate(&e->counter, 1, sizeof *e->counter));
  if (e->size) TRY(allocate(&e->val, local_nvals, e->size));
  if (e->size) TRY(allocate(&e->all_val, e->all, e->size));
done:
  return info;
}

/* w = bytes and offsets of the segments to send, then of those to receive: each process sends the same
 * segment of `local_nvals` elements to all. */
static void compute_segment_sizes(const grid_device_expand *e, size_t S, uint64_t local_nvals, size_t size,
                                  size_t *w) {
  uint64_t at = 0;
  for (size_t s = 0; s < S; s++) {
    w[s] = local_nvals * size, w[S + s] = 0;
    w[2 * S + s] = e->count[s] * size, w[3 * S + s] = at * size;
    at += e->count[s];
  }
}

/* Sends the lists, or the packed values, to all processes of the set. Called between begin and end of the
 * transport. */
static GrB_Info send(const grid_device_expand *e, grid_product *p) {
  enum { MOST = 64 };
  const size_t S = (size_t)grid_set_size(p->in.set),
               sizes[2] = {e->form == GRID_EXPAND_LISTS ? sizeof *e->idx : 0, e->size};
  const void *from[2] = {e->idx, e->val};
  void *const to[2] = {e->all_idx, e->all_val};
  size_t inline_count[4 * MOST], *w = S <= MOST ? inline_count : grid_malloc(4 * S, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 4 * S, sizeof *w);
  for (int k = 0; k < 2 && w; k++) {
    if (!sizes[k]) continue;
    compute_segment_sizes(e, S, p->x->nvals, sizes[k], w);
    info = grid_first_failure(
        info, e->transport->exchange(p->in.set, from[k], w, w + S, to[k], w + 2 * S, w + 3 * S));
    p->stats.expand_bytes += w[0] * (S - 1);
  }
  if (w != inline_count) grid_free(w);
  return info;
}

/* Lists the entries of this process's chunk, by their positions in the gathered x. */
static GrB_Info list_local_entries(const grid_device_expand *e, const grid_product *p) {
  const grid_chunk *x = p->x;
  const uint64_t first = grid_member_offset(p->in.set, p->in.n, grid_set_rank(p->in.set));
  GrB_Info info = GrB_SUCCESS;
  if (!x->nvals) return info;
  TRY(grid_device_zero(e->counter, sizeof *e->counter));
  TRY(grid_cuda->chunks->list(e->idx, e->size && !x->iso ? e->val : NULL,
                              x->format == GRID_BITMAP ? x->bits : NULL, x->val, e->size, x->n, first,
                              e->counter));
  if (e->size && x->iso) TRY(grid_cuda->chunks->fill(e->val, x->host_value, e->size, x->nvals));
done:
  return info;
}

GrB_Info grid_device_gather_lists(const grid_device_expand *e, grid_product *p, GrB_Info info,
                                  uint64_t **bits, void **val) {
  if (info == GrB_SUCCESS) info = list_local_entries(e, p);
  TRY(grid_agree(NULL, info)); /* all processes have lists, or none scatters */
  info = grid_first_failure(info, e->transport->begin());
  info = grid_first_failure(info, send(e, p));
  info = grid_first_failure(info, e->transport->end());
  TRY(info);
  TRY(grid_device_zero(*bits, grid_member_length(p->in.set, p->in.n) / 8));
  TRY(grid_cuda->chunks->scatter(*bits, e->size ? *val : NULL, e->all_idx, e->all_val, e->all, e->size));
done:
  return info;
}

GrB_Info grid_device_gather_packed(const grid_device_expand *e, grid_product *p, GrB_Info info,
                                   uint64_t **bits, void **val) {
  const uint64_t q = grid_even_size(p->in.n), stretches = count_stretches(p);
  const int S = grid_set_size(p->in.set), me = grid_set_rank(p->in.set);
  uint64_t *local = *bits + (uint64_t)me * q / 64, at = 0;
  uint32_t *start = e->start + (uint64_t)me * stretches;
  if (info == GrB_SUCCESS) info = grid_device_zero(e->counter, sizeof *e->counter);
  if (info == GrB_SUCCESS)
    info = grid_cuda->chunks->pack(e->val, start, (uint32_t *)(void *)e->counter, local,
                                   (char *)*val + (uint64_t)me * q * e->size, e->size, q);
  TRY(grid_agree(NULL, info)); /* all processes have packed, or none unpacks */
  info = grid_first_failure(info, e->transport->begin());
  info = grid_first_failure(info, e->transport->allgather(p->in.set, local, q / 8, *bits));
  info = grid_first_failure(info,
                            e->transport->allgather(p->in.set, start, stretches * sizeof *start, e->start));
  info = grid_first_failure(info, send(e, p));
  p->stats.expand_bytes += (q / 8 + stretches * sizeof *start) * (uint64_t)(S - 1);
  info = grid_first_failure(info, e->transport->end());
  TRY(info);
  for (int s = 0; s < S; at += e->count[s++])
    if (s != me && e->count[s])
      TRY(grid_cuda->chunks->unpack((char *)*val + (uint64_t)s * q * e->size, *bits + (uint64_t)s * q / 64,
                                    e->start + (uint64_t)s * stretches, (char *)e->all_val + at * e->size,
                                    e->size, q));
done:
  return info;
}

/* ---- through windows ---- */

GrB_Info grid_device_gather_slots(const grid_device_expand *e, grid_product *p, GrB_Info info,
                                  uint64_t **bits, void **val) {
  grid_device_barrier m;
  p->stats.expand_bytes +=
      p->x->nvals * (sizeof(uint32_t) + e->size) * (uint64_t)(grid_set_size(p->in.set) - 1);
  (void)grid_window_barrier(&m, p->in.set, 1);
  if (info == GrB_SUCCESS)
    info = grid_cuda->sparse_exchange->gather(&m, p->x, e->size, grid_even_size(p->in.n), *bits, *val);
  return grid_window_barrier_agree(&p->A->head, info);
}

GrB_Info grid_device_gather_forwarded(const grid_device_expand *e, grid_product *p, GrB_Info info,
                                      uint64_t **bits, void **val) {
  const uint64_t q = grid_even_size(p->in.n);
  grid_device_barrier m;
  p->stats.expand_bytes += (q / 8 + p->x->nvals * e->size) * (uint64_t)(grid_set_size(p->in.set) - 1);
  (void)grid_window_barrier(&m, p->in.set, 1);
  if (info == GrB_SUCCESS) info = grid_cuda->sparse_exchange->pass(&m, p->x, e->size, q, *bits, *val);
  return grid_window_barrier_agree(&p->A->head, info);
}

GrB_Info grid_device_gather_written(const grid_device_expand *e, grid_product *p, GrB_Info info,
                                    uint64_t **bits, void **val) {
  const uint64_t q = grid_even_size(p->in.n);
  const bool full = grid_is_input_full(p);
  grid_device_barrier m;
  p->stats.expand_bytes += ((full ? 0 : q / 8) + q * e->size) * (uint64_t)(grid_set_size(p->in.set) - 1);
  (void)grid_window_barrier(&m, p->in.set, 2);
  if (info == GrB_SUCCESS)
    info = grid_cuda->sparse_exchange->gather_dense(&m, p->x, e->size, q, full, bits, val);
  return grid_window_barrier_agree(&p->A->head, info);
}

bool grid_device_fits_slots(const grid_product *p, uint64_t all, size_t size) {
  return grid_device_has_windows(p->out.n) && grid_fits_sparse_exchange(all, size, grid_even_size(p->out.n));
}

GrB_Info grid_device_slots_fold(grid_product *p, GrB_Info info, size_t size, const uint64_t *bits,
                                const void *val, uint64_t *segments, void *segment_val) {
  grid_device_barrier m;
  (void)grid_window_barrier(&m, p->out.set, 1);
  if (info == GrB_SUCCESS)
    info = grid_cuda->sparse_exchange->distribute(&m, bits, val, size, grid_even_size(p->out.n), segments,
                                                  segment_val);
  return grid_window_barrier_agree(&p->A->head, info);
}

static void device_expand_free(grid_device_expand *e) {
  if (e->count != e->inline_count) grid_free(e->count);
  grid_device_free(e->idx);
  grid_device_free(e->all_idx);
  grid_device_free(e->counter);
  grid_device_free(e->start);
  grid_device_free(e->val);
  grid_device_free(e->all_val);
}

void grid_device_input_free(grid_device_input *g) {
  device_expand_free(&g->expand);
  grid_device_free(g->memory);
}
