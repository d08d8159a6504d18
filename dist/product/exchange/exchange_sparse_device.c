/* See exchange_sparse_device.h. */
#include "dist/product/exchange/exchange_sparse_device.h"

#include "dist/comm/peer_windows.h"
#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/vector/peer_exchange.h"

/* Forms of a message: a bitmap and dense values; lists of indices and values; a bitmap and packed values;
 * lists in the slots of windows; a bitmap and packed values in the receive buffers of windows, or one and
 * dense values. */
typedef enum { DENSE, LISTS, PACKED, SLOTTED, FORWARDED, WRITTEN } message_form;

/* Lists need more kernel launches than a bitmap, and random writes: they are used where they have at most a
 * quarter of the bytes. Packed values are used at three quarters, for what packing itself reads and writes.
 * Both fractions are estimates, not measured. */
static message_form choose_message_form(const grid_product *p, size_t size) {
  const uint64_t dense = p->in.n / 8 + p->in.n * size, lists = p->n.nx * (sizeof(uint64_t) + size),
                 packed = p->in.n / 8 + p->in.n / GRID_PACKED_STRETCH * sizeof(uint32_t) + p->n.nx * size;
  if (dense < grid_tune.device_lists_min_bytes) return DENSE;
  if (lists <= dense / 4 && (size == 0 || lists <= packed)) return LISTS;
  return size && packed <= dense / 4 * 3 ? PACKED : DENSE;
}

/* Windows hold chunks of equal lengths. */
static bool has_windows(uint64_t n) {
  return grid_window_addresses() && !grid_partition_of(n);
}

bool grid_is_input_full(const grid_product *p) {
  return p->n.nx == p->in.n;
}

/* Bytes of a receive buffer for this form of x. */
static uint64_t buffer_bytes(const grid_product *p, message_form as, size_t size, uint64_t q) {
  return as == DENSE ? grid_dense_buffer_bytes(q, (uint64_t)grid_set_size(p->in.set), size,
                                               grid_is_input_full(p), (uint64_t)grid_ctx.P - 1)
                     : grid_pass_buffer_layout(q, size).bytes;
}

/* With windows, lists go through slots if these hold them; any other form goes through receive buffers, if
 * these can be made as large as needed. Collective. */
static GrB_Info choose(const grid_product *p, size_t size, message_form *as) {
  const uint64_t q = grid_even_size(p->in.n);
  bool is_reserved = false;
  GrB_Info info = GrB_SUCCESS;
  *as = SLOTTED;
  if (has_windows(p->in.n) && grid_fits_sparse_exchange(p->n.nx, size, q)) return info;
  *as = choose_message_form(p, size);
  if (*as == PACKED && grid_partition_of(p->in.n)) *as = DENSE;
  if (!has_windows(p->in.n) || !grid_tune.packed_exchange) return info;
  info = grid_window_reserve_buffers(buffer_bytes(p, *as, size, q), &is_reserved);
  if (is_reserved) *as = *as == DENSE ? WRITTEN : FORWARDED;
  return info;
}

GrB_Info grid_device_lists_begin(grid_device_lists_of_x *l, const grid_product *p, size_t size) {
  const uint64_t S = (uint64_t)grid_set_size(p->in.set);
  message_form as = DENSE;
  GrB_Info info = GrB_SUCCESS;
  *l = (grid_device_lists_of_x){0};
  if (S == 1) return info;
  TRY(choose(p, size, &as));
  l->packed = as == PACKED, l->by_slots = as == SLOTTED, l->forwarded = as == FORWARDED;
  l->written = as == WRITTEN;
  if (as != LISTS && as != PACKED) return info;
  const bool sparse_exchange = S <= sizeof l->inline_count / sizeof *l->inline_count;
  l->count = sparse_exchange ? l->inline_count : grid_malloc(S, sizeof *l->count);
  if (!l->count) info = grid_fail_memory(NULL, "counts of entries", S, sizeof *l->count);
  if (!sparse_exchange) TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->allgather(p->in.set, &p->x->nvals, sizeof *l->count, l->count));
  for (uint64_t s = 0; s < S; s++) l->all += l->count[s];
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

GrB_Info grid_device_lists_allocate(grid_device_lists_of_x *l, const grid_product *p, size_t size) {
  const uint64_t own = p->x->nvals;
  GrB_Info info = GrB_SUCCESS;
  if (l->packed)
    TRY(allocate(&l->start, (uint64_t)grid_set_size(p->in.set) * count_stretches(p), sizeof *l->start));
  if (!l->packed) TRY(allocate(&l->idx, own, sizeof *l->idx));
  if (!l->packed) TRY(allocate(&l->all_idx, l->all, sizeof *l->all_idx));
  TRY(allocate(&l->counter, 1, sizeof *l->counter));
  if (size) TRY(allocate(&l->val, own, size));
  if (size) TRY(allocate(&l->all_val, l->all, size));
done:
  return info;
}

/* w = bytes and offsets of the segments to send, then of those to receive: each process sends the same
 * segment of `own` elements to all. */
static void compute_segment_sizes(const grid_device_lists_of_x *l, size_t S, uint64_t own, size_t size,
                                  size_t *w) {
  uint64_t at = 0;
  for (size_t s = 0; s < S; s++) {
    w[s] = own * size, w[S + s] = 0;
    w[2 * S + s] = l->count[s] * size, w[3 * S + s] = at * size;
    at += l->count[s];
  }
}

/* Sends the lists, or the packed values, to all processes of the set. Called between begin and end of the
 * transport. */
static GrB_Info send(const grid_device_lists_of_x *l, grid_product *p, const grid_device_transport *transport,
                     size_t size) {
  enum { MOST = 64 };
  const size_t S = (size_t)grid_set_size(p->in.set), each[2] = {l->packed ? 0 : sizeof *l->idx, size};
  const void *from[2] = {l->idx, l->val};
  void *const to[2] = {l->all_idx, l->all_val};
  size_t inline_count[4 * MOST], *w = S <= MOST ? inline_count : grid_malloc(4 * S, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 4 * S, sizeof *w);
  for (int k = 0; k < 2 && w; k++) {
    if (!each[k]) continue;
    compute_segment_sizes(l, S, p->x->nvals, each[k], w);
    info = grid_first_failure(info,
                              transport->exchange(p->in.set, from[k], w, w + S, to[k], w + 2 * S, w + 3 * S));
    p->stats.expand_bytes += w[0] * (S - 1);
  }
  if (w != inline_count) grid_free(w);
  return info;
}

/* Lists the entries of this process's chunk, by their positions in the gathered x. */
static GrB_Info list_local_entries(const grid_device_lists_of_x *l, const grid_product *p, size_t size) {
  const grid_chunk *x = p->x;
  const uint64_t first = grid_member_offset(p->in.set, p->in.n, grid_set_rank(p->in.set));
  GrB_Info info = GrB_SUCCESS;
  if (!x->nvals) return info;
  TRY(grid_device_zero(l->counter, sizeof *l->counter));
  TRY(grid_cuda->chunks->list(l->idx, size && !x->iso ? l->val : NULL,
                              x->format == GRID_BITMAP ? x->bits : NULL, x->val, size, x->n, first,
                              l->counter));
  if (size && x->iso) TRY(grid_cuda->chunks->fill(l->val, x->host_value, size, x->nvals));
done:
  return info;
}

GrB_Info grid_device_lists_gather(const grid_device_lists_of_x *l, grid_product *p, GrB_Info info,
                                  const grid_device_transport *transport, size_t size, uint64_t *bits,
                                  void *val) {
  if (info == GrB_SUCCESS) info = list_local_entries(l, p, size);
  TRY(grid_agree(NULL, info)); /* all processes have lists, or none scatters */
  info = grid_first_failure(info, transport->begin());
  info = grid_first_failure(info, send(l, p, transport, size));
  info = grid_first_failure(info, transport->end());
  TRY(info);
  TRY(grid_device_zero(bits, grid_member_length(p->in.set, p->in.n) / 8));
  TRY(grid_cuda->chunks->scatter(bits, size ? val : NULL, l->all_idx, l->all_val, l->all, size));
done:
  return info;
}

GrB_Info grid_device_gather_packed(const grid_device_lists_of_x *l, grid_product *p, GrB_Info info,
                                   const grid_device_transport *transport, size_t size, uint64_t *bits,
                                   void *val) {
  const uint64_t q = grid_even_size(p->in.n), each = count_stretches(p);
  const int S = grid_set_size(p->in.set), me = grid_set_rank(p->in.set);
  uint64_t *own = bits + (uint64_t)me * q / 64, at = 0;
  uint32_t *start = l->start + (uint64_t)me * each;
  if (info == GrB_SUCCESS) info = grid_device_zero(l->counter, sizeof *l->counter);
  if (info == GrB_SUCCESS)
    info = grid_cuda->chunks->pack(l->val, start, (uint32_t *)(void *)l->counter, own,
                                   (char *)val + (uint64_t)me * q * size, size, q);
  TRY(grid_agree(NULL, info)); /* all processes have packed, or none unpacks */
  info = grid_first_failure(info, transport->begin());
  info = grid_first_failure(info, transport->allgather(p->in.set, own, q / 8, bits));
  info = grid_first_failure(info, transport->allgather(p->in.set, start, each * sizeof *start, l->start));
  info = grid_first_failure(info, send(l, p, transport, size));
  p->stats.expand_bytes += (q / 8 + each * sizeof *start) * (uint64_t)(S - 1);
  info = grid_first_failure(info, transport->end());
  TRY(info);
  for (int s = 0; s < S; at += l->count[s++])
    if (s != me && l->count[s])
      TRY(grid_cuda->chunks->unpack((char *)val + (uint64_t)s * q * size, bits + (uint64_t)s * q / 64,
                                    l->start + (uint64_t)s * each, (char *)l->all_val + at * size, size, q));
done:
  return info;
}

/* ---- through windows ---- */

GrB_Info grid_device_slots_gather(grid_product *p, GrB_Info info, size_t size, uint64_t *bits, void *val) {
  grid_device_barrier m;
  p->stats.expand_bytes += p->x->nvals * (sizeof(uint32_t) + size) * (uint64_t)(grid_set_size(p->in.set) - 1);
  (void)grid_window_barrier(&m, p->in.set, 1);
  if (info == GrB_SUCCESS)
    info = grid_cuda->sparse_exchange->gather(&m, p->x, size, grid_even_size(p->in.n), bits, val);
  return grid_window_barrier_agree(&p->A->head, info);
}

GrB_Info grid_device_gather_forwarded(grid_product *p, GrB_Info info, size_t size, uint64_t *bits,
                                      void *val) {
  const uint64_t q = grid_even_size(p->in.n), own = q / 8 + count_stretches(p) * sizeof(uint32_t);
  grid_device_barrier m;
  p->stats.expand_bytes += (own + p->x->nvals * size) * (uint64_t)(grid_set_size(p->in.set) - 1);
  (void)grid_window_barrier(&m, p->in.set, 2);
  if (info == GrB_SUCCESS) info = grid_cuda->sparse_exchange->pass(&m, p->x, size, q, bits, val);
  return grid_window_barrier_agree(&p->A->head, info);
}

GrB_Info grid_device_gather_written(grid_product *p, GrB_Info info, size_t size, uint64_t **bits,
                                    void **val) {
  const uint64_t q = grid_even_size(p->in.n);
  const bool full = grid_is_input_full(p);
  grid_device_barrier m;
  p->stats.expand_bytes += ((full ? 0 : q / 8) + q * size) * (uint64_t)(grid_set_size(p->in.set) - 1);
  (void)grid_window_barrier(&m, p->in.set, 2);
  if (info == GrB_SUCCESS)
    info = grid_cuda->sparse_exchange->gather_dense(&m, p->x, size, q, full, bits, val);
  return grid_window_barrier_agree(&p->A->head, info);
}

bool grid_device_fits_slots(const grid_product *p, uint64_t all, size_t size) {
  return has_windows(p->out.n) && grid_fits_sparse_exchange(all, size, grid_even_size(p->out.n));
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

void grid_device_lists_free(grid_device_lists_of_x *l) {
  if (l->count != l->inline_count) grid_free(l->count);
  grid_device_free(l->idx);
  grid_device_free(l->all_idx);
  grid_device_free(l->counter);
  grid_device_free(l->start);
  grid_device_free(l->val);
  grid_device_free(l->all_val);
}
