/* See vector_gather.h. Few entries go through windows, in one kernel. More indices are sorted on the device,
 * so that those of one owner are contiguous, and are sent between device memories. Values that return are put
 * in place by the numbers that were sorted along. */
#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/comm/peer_windows.h"
#include "dist/op/vector_gather.h"
#include "spmat/backend.h"
#include "spmat/vector/peer_exchange.h"

typedef struct {
  grid_sorted_positions s; /* places that this process lists, by owner */
  uint64_t *first;         /* P + 1: where those of each owner begin */
  uint64_t *counts;        /* P * P: those of process k for process r, at k * P + r */
  size_t *w;               /* sizes and offsets: 2 P of these places by owner, 2 P of what comes by sender */
  uint64_t received;       /* places that come from all */
  const grid_device_transport *transport;
  /* in device memory */
  uint64_t *position;               /* places received */
  void *local_val, *val;            /* values beside the listed places, beside those received */
  uint8_t *local_present, *present; /* is there one? */
} routing;

static void routing_free(routing *x) {
  void *const arrays[] = {x->s.position, x->s.number,      x->position, x->local_val,
                          x->val,        x->local_present, x->present};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) grid_device_free(arrays[k]);
  grid_free(x->first);
}

/* info or bad of any process are everybody's. */
static GrB_Info agree(GrB_Info info, bool *bad) {
  uint64_t v[2] = {info == GRID_UNSUPPORTED, *bad};
  info = grid_agree_sum(NULL, v[0] ? GrB_SUCCESS : info, v, 2);
  *bad = info == GrB_SUCCESS && v[1] > 0;
  return info == GrB_SUCCESS && v[0] ? GRID_UNSUPPORTED : info;
}

static GrB_Info stage_operands(const grid_chunk *where, const grid_chunk *u) {
  if (!grid_device_can_hold(u->type) || !grid_chunk_can_move(u) || !grid_chunk_can_move(where))
    return GRID_UNSUPPORTED;
  GrB_Info info = grid_chunk_to_device(u);
  return info == GrB_SUCCESS ? grid_chunk_to_device(where) : info;
}

/* ---- few entries: through windows ---------------------------------------------------------------------- */

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Could all bring the operands (info)? Are there few entries in *all, of which this process has `local`? n,
 * m: lengths of the two vectors. No, where there are no windows, or chunks are uneven. Collective, agreed on.
 */
static GrB_Info check_sparse(GrB_Info info, uint64_t local, size_t size, uint64_t n, uint64_t m,
                             uint64_t *all, bool *sparse_exchange) {
  const bool is_even = !grid_partition_of(n) && !grid_partition_of(m);
  const grid_device_transport *transport;
  uint64_t v[2] = {info == GRID_UNSUPPORTED, local};
  *sparse_exchange = false;
  info = grid_agree_sum(NULL, v[0] ? GrB_SUCCESS : info, v, 2);
  if (info != GrB_SUCCESS || v[0]) return info == GrB_SUCCESS ? GRID_UNSUPPORTED : info;
  info = grid_device_transport_get(&transport);
  *all = v[1];
  *sparse_exchange = is_even && grid_window_addresses() &&
                     grid_fits_sparse_exchange(v[1], size, grid_even_size(larger(n, m)));
  return info;
}

/* Reads the number of t's entries, which is available under the ticket. */
static GrB_Info take_result(grid_chunk *t, uint64_t ticket, bool *bad, bool *twice) {
  GrB_Info info = grid_cuda->sparse_exchange->wait_result(ticket, &t->nvals, bad, twice);
  if (info != GrB_SUCCESS) t->nvals = 0;
  if (t->nvals) t->format = GRID_BITMAP, t->iso = false;
  return info;
}

static GrB_Info gather_sparse(grid_chunk *t, GrB_Vector u, GrB_Vector where, bool *bad) {
  grid_device_barrier m;
  uint64_t ticket;
  bool twice;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree(NULL, grid_chunk_reserve_device(t, true, false)));
  (void)grid_window_barrier(&m, GRID_SET_ALL, 2);
  info = grid_cuda->sparse_exchange->request_values(&m, t, &u->chunk, &where->chunk, grid_even_size(u->n),
                                                    u->n, &ticket);
  TRY(grid_window_barrier_agree(NULL, info));
  TRY(take_result(t, ticket, bad, &twice));
  info = grid_chunk_choose_format(t);
done:
  return info;
}

/* `all` entries, of all processes. */
static GrB_Info scatter_sparse(grid_chunk *t, uint64_t n, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup,
                               uint64_t all, bool *bad) {
  grid_device_barrier m;
  grid_sparse_sums s = {0};
  uint64_t ticket;
  bool twice;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = grid_cuda->sparse_exchange->sums(&s, t->type, u->type, dup, all);
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_device(t, true, false);
  TRY(grid_agree_supported(NULL, grid_device_oom_to_unsupported(info, refusals)));
  (void)grid_window_barrier(&m, GRID_SET_ALL, 1);
  info =
      grid_cuda->sparse_exchange->scatter(&m, &s, t, &u->chunk, &where->chunk, grid_even_size(n), n, &ticket);
  TRY(grid_window_barrier_agree(NULL, info));
  info = take_result(t, ticket, bad, &twice);
  if (!dup) { /* two at one place are its owner's knowledge alone */
    *bad = *bad || twice;
    TRY(agree(info, bad));
  }
  TRY(info);
  if (!*bad) info = grid_chunk_choose_format(t);
done:
  grid_device_free(s.buffer);
  return info;
}

/* ---- any number: sorted, and sent in messages ---------------------------------------------------------- */

static GrB_Info sort_positions(routing *x, const grid_chunk *where, const grid_chunk *with, uint64_t dim,
                               bool *bad) {
  const uint64_t P = (uint64_t)grid_ctx.P;
  GrB_Info info = GrB_SUCCESS;
  x->first = grid_calloc(P + 1 + P * P + 4 * P, sizeof *x->first);
  if (!x->first) return grid_fail_memory(NULL, "places of each owner", P * (P + 5), sizeof *x->first);
  x->counts = x->first + P + 1, x->w = x->counts + P * P;
  TRY(grid_cuda->lists->sort(&x->s, where, with, dim, bad));
  const grid_partition *c = grid_partition_of(dim);
  if (!*bad) info = grid_cuda->lists->owners(&x->s, grid_even_size(dim), c ? c->first : NULL, P, x->first);
done:
  return info;
}

/* The listed places, sorted, of the k for which `with` (NULL: any) has an entry, and how many come. */
static GrB_Info begin(routing *x, const grid_chunk *where, const grid_chunk *with, uint64_t dim, bool *bad) {
  const uint64_t P = (uint64_t)grid_ctx.P, me = (uint64_t)grid_ctx.k;
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = grid_device_oom_to_unsupported(sort_positions(x, where, with, dim, bad), refusals);
  if (info != GrB_SUCCESS) *bad = false;
  TRY(agree(info, bad));
  if (*bad) return info;
  for (uint64_t r = 0; r < P; r++) x->w[r] = x->first[r + 1] - x->first[r];
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, x->w, P * sizeof *x->counts, x->counts));
  for (uint64_t r = 0; r < P; r++) x->received += x->counts[r * P + me];
  info = grid_device_transport_get(&x->transport);
done:
  return info;
}

static GrB_Info allocate(void *to, uint64_t count, size_t size) {
  void *p = grid_device_malloc(count, size);
  if (!p) return grid_device_fail_memory(NULL, "entries that travel", count, size);
  *(void **)to = p;
  return GrB_SUCCESS;
}

/* Agreed on; without them the host does it. */
static GrB_Info allocate_buffers(routing *x, size_t size, bool flags) {
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = GrB_SUCCESS;
  TRY(allocate(&x->position, x->received, sizeof *x->position));
  TRY(allocate(&x->local_val, x->s.n, size));
  TRY(allocate(&x->val, x->received, size));
  if (flags) TRY(allocate(&x->local_present, x->s.n, 1));
  if (flags) TRY(allocate(&x->present, x->received, 1));
done:
  return grid_agree_supported(NULL, grid_device_oom_to_unsupported(info, refusals));
}

/* What stands beside the listed places goes to their owners; back: what stands beside those that came
 * returns.
 */
static GrB_Info send(const routing *x, bool back, const void *from, void *to, size_t size) {
  const size_t P = (size_t)grid_ctx.P, me = (size_t)grid_ctx.k;
  size_t *local = x->w, *in = x->w + 2 * P, at = 0;
  for (size_t r = 0; r < P; r++) {
    local[r] = (x->first[r + 1] - x->first[r]) * size, local[P + r] = x->first[r] * size;
    in[r] = x->counts[r * P + me] * size, in[P + r] = at;
    at += in[r];
  }
  return back ? x->transport->exchange(GRID_SET_ALL, from, in, in + P, to, local, local + P)
              : x->transport->exchange(GRID_SET_ALL, from, local, local + P, to, in, in + P);
}

GrB_Info grid_gather_device(grid_chunk *t, GrB_Vector u, GrB_Vector where, bool *bad) {
  const size_t size = u->type->size;
  routing x = {0};
  GrB_Info info = GrB_SUCCESS;
  uint64_t all;
  bool sparse_exchange;
  *bad = false;
  TRY(check_sparse(stage_operands(&where->chunk, &u->chunk), where->chunk.nvals, size, u->n, where->n, &all,
                   &sparse_exchange));
  if (sparse_exchange) info = gather_sparse(t, u, where, bad);
  if (sparse_exchange) goto done;
  TRY(begin(&x, &where->chunk, NULL, u->n, bad));
  if (*bad) goto done;
  TRY(allocate_buffers(&x, size, true));
  info = send(&x, false, x.s.position, x.position, sizeof *x.position);
  if (info == GrB_SUCCESS)
    info =
        grid_cuda->lists->gather_at(x.val, x.present, x.position, sizeof *x.position, x.received, &u->chunk);
  TRY(grid_agree(NULL, info));
  info = x.transport->begin();
  info = grid_first_failure(info, send(&x, true, x.val, x.local_val, size));
  info = grid_first_failure(info, send(&x, true, x.present, x.local_present, 1));
  TRY(grid_first_failure(info, x.transport->end()));
  TRY(grid_cuda->lists->store_received(t, x.s.number, x.s.n, x.local_val, x.local_present));
  info = grid_chunk_choose_format(t);
done:
  if (*bad || info != GrB_SUCCESS) grid_chunk_empty(t);
  routing_free(&x);
  return info;
}

/* The entries that have come, joined. */
static GrB_Info combine_received(grid_chunk *t, const routing *x, GrB_Type type, GrB_BinaryOp dup,
                                 bool *bad) {
  grid_chunk at, val;
  if (x->received == 0) return GrB_SUCCESS;
  grid_chunk_init(&at, GrB_UINT64, x->received);
  grid_chunk_init(&val, type, x->received);
  at.device = val.device = true, at.format = val.format = GRID_FULL, at.nvals = val.nvals = x->received;
  at.val = x->position, val.val = x->val;
  return grid_cuda->lists->combine(t, &val, &at, dup, bad);
}

GrB_Info grid_scatter_device(grid_chunk *t, uint64_t n, GrB_Vector u, GrB_Vector where, GrB_BinaryOp dup,
                             bool *bad) {
  const size_t size = u->type->size;
  routing x = {0};
  GrB_Info info = GrB_SUCCESS;
  const uint64_t named = where->chunk.nvals, given = u->chunk.nvals;
  uint64_t all, refusals;
  bool sparse_exchange;
  *bad = false;
  TRY(check_sparse(stage_operands(&where->chunk, &u->chunk), named < given ? named : given, size, n, where->n,
                   &all, &sparse_exchange));
  if (sparse_exchange) info = scatter_sparse(t, n, u, where, dup, all, bad);
  if (sparse_exchange) goto done;
  TRY(begin(&x, &where->chunk, &u->chunk, n, bad));
  if (*bad) goto done;
  TRY(allocate_buffers(&x, size, false));
  TRY(grid_agree(NULL, grid_cuda->lists->gather_at(x.local_val, NULL, x.s.number, sizeof *x.s.number, x.s.n,
                                                   &u->chunk)));
  info = x.transport->begin();
  info = grid_first_failure(info, send(&x, false, x.s.position, x.position, sizeof *x.position));
  info = grid_first_failure(info, send(&x, false, x.local_val, x.val, size));
  info = grid_first_failure(info, x.transport->end());
  refusals = grid_device_oom_count();
  if (info == GrB_SUCCESS) info = combine_received(t, &x, u->type, dup, bad);
  TRY(agree(grid_device_oom_to_unsupported(info, refusals), bad));
  if (!*bad) info = grid_chunk_choose_format(t);
done:
  if (*bad || info != GrB_SUCCESS) grid_chunk_empty(t);
  routing_free(&x);
  return info;
}
