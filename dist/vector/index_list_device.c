/* Routes values along an index list between device memories. */
#include "dist/comm/device_transport.h"
#include "dist/vector/index_list.h"
#include "spmat/backend.h"

typedef struct {
  uint64_t *counts; /* P * P: entries from process k for process r, at k * P + r */
  size_t *w;        /* 4 P: sizes and offsets of an exchange */
  uint64_t received;
  /* in device memory: values to send; presence bytes to send and received */
  void *val;
  uint8_t *local_present, *present;
} routing;

static GrB_Info exchange_counts(routing *x, const uint64_t *count) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  GrB_Info info = grid_ctx.transport->allgather(GRID_SET_ALL, count, P * sizeof *count, x->counts);
  for (uint64_t r = 0; r < P && info == GrB_SUCCESS; r++)
    x->received += x->counts[r * P + (uint64_t)grid_ctx.k];
  return info;
}

static GrB_Info allocate_buffers(routing *x, grid_chunk *to, const grid_chunk *from, bool flags) {
  GrB_Info info = GrB_SUCCESS;
  x->val = grid_device_malloc(from->n, from->type->size);
  x->local_present = grid_device_malloc(from->n, 1);
  x->present = grid_device_malloc(flags ? x->received : 0, 1);
  if (!x->val || !x->local_present || !x->present)
    TRY(grid_device_fail_memory(NULL, "entries along an index list", from->n, from->type->size));
  grid_chunk_free(to);
  to->n = x->received;
  TRY(grid_chunk_reserve_device(to, flags, false));
  info = grid_cuda->lists->gather_at(x->val, x->local_present, NULL, 0, from->n, from);
done:
  return info;
}

static GrB_Info send(const routing *x, const grid_device_transport *transport, const void *from, void *to,
                     size_t size) {
  const size_t P = (size_t)grid_ctx.P, me = (size_t)grid_ctx.k;
  size_t *w = x->w, at = 0, in = 0;
  for (size_t r = 0; r < P; r++) {
    w[r] = x->counts[me * P + r] * size, w[P + r] = at;
    w[2 * P + r] = x->counts[r * P + me] * size, w[3 * P + r] = in;
    at += w[r], in += w[2 * P + r];
  }
  return transport->exchange(GRID_SET_ALL, from, w, w + P, to, w + 2 * P, w + 3 * P);
}

static GrB_Info exchange(const routing *x, grid_chunk *to, bool flags) {
  const grid_device_transport *transport;
  GrB_Info info = grid_device_transport_get(&transport);
  TRY(info);
  info = transport->begin(); /* a failure here must not skip a message, since the others wait */
  info = grid_first_failure(info, send(x, transport, x->val, to->val, to->type->size));
  if (flags) info = grid_first_failure(info, send(x, transport, x->local_present, x->present, 1));
  info = grid_first_failure(info, transport->end());
  TRY(info);
  if (flags) return grid_cuda->lists->store_received(to, NULL, x->received, to->val, x->present);
  to->nvals = x->received, to->format = GRID_FULL;
done:
  return info;
}

GrB_Info grid_route_chunk_device(grid_chunk *to, grid_chunk *from, const uint64_t *count, GrB_Info info) {
  const size_t P = (size_t)grid_ctx.P;
  uint64_t lacking = 0;
  routing x = {0};
  if (info == GrB_SUCCESS) info = grid_chunk_wait(from);
  if (info == GrB_SUCCESS && from->nvals) info = grid_chunk_to_device(from);
  if (info == GrB_SUCCESS) lacking = from->n - from->nvals;
  x.counts = grid_malloc(P * (P + 4), sizeof *x.counts);
  if (info == GrB_SUCCESS && !x.counts)
    info = grid_fail_memory(NULL, "counts", P * (P + 4), sizeof *x.counts);
  TRY(grid_agree_sum(NULL, info, &lacking, 1));
  x.w = x.counts + P * P;
  TRY(exchange_counts(&x, count));
  TRY(grid_agree(NULL, allocate_buffers(&x, to, from, lacking > 0)));
  TRY(exchange(&x, to, lacking > 0));
  info = grid_chunk_choose_format(to);
done:
  grid_device_free(x.val);
  grid_device_free(x.local_present);
  grid_device_free(x.present);
  grid_free(x.counts);
  if (info != GrB_SUCCESS) grid_chunk_free(to);
  return info;
}
