/* Exchanges of a product; see comm_buffers.h. */
#include "dist/comm/comm_buffers.h"

#include <string.h>

#include "dist/comm/transport/shm/shm_mailbox.h"

static const uint64_t FAILED_SIZE = UINT64_MAX;
static const uint64_t FIRST_CAPACITY = 4096; /* so that small messages need no allocation */

static size_t largest_set(void) {
  return (size_t)grid_ctx.P;
}

GrB_Info grid_comm_buffers_make(grid_comm_buffers *w) {
  if (w->table) return GrB_SUCCESS;
  size_t S = largest_set(), C = (size_t)grid_ctx.C, R = (size_t)grid_ctx.R, side = R > C ? R : C;
  /* one size per pair of processes in a row or column, two per process in the grid */
  size_t entries = side * (side + 1) > 2 * S ? side * (side + 1) : 2 * S;
  w->table = grid_malloc(entries + S + 1, sizeof *w->table);
  w->counts = grid_malloc(5 * S, sizeof *w->counts);
  w->recv = grid_malloc(FIRST_CAPACITY, 1);
  w->recv_capacity = FIRST_CAPACITY;
  w->heads = grid_malloc(S + 1, grid_payload_header(GRID_PAYLOAD_COUNTERS));
  GrB_Info info = w->table && w->counts && w->recv && w->heads
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "message sizes", entries, sizeof *w->table);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) grid_comm_buffers_free(w);
  return info;
}

void grid_comm_buffers_free(grid_comm_buffers *w) {
  grid_free(w->send);
  grid_free(w->recv);
  grid_free(w->table);
  grid_free(w->counts);
  grid_free(w->dense);
  grid_free(w->heads);
  *w = (grid_comm_buffers){0};
}

static bool grow_buffer(char **buf, uint64_t *capacity, uint64_t need) {
  if (*buf && need <= *capacity) return true;
  const uint64_t enlarged = need + need / 4;
  char *fresh = grid_malloc(enlarged, 1);
  if (!fresh) return false;
  grid_free(*buf);
  *buf = fresh;
  *capacity = enlarged;
  return true;
}

/* A process's own error keeps its cause; any other gets GRID_REMOTE_FAILURE. */
static GrB_Info any_failed_on(GrB_Info info) {
  return info != GrB_SUCCESS ? info : GRID_REMOTE_FAILURE;
}

/* All processes of the set know all capacities: they allocate, and agree on the outcome, only where one is
 * too small. need: bytes that this process receives; any_short: some process lacks capacity. */
static GrB_Info reserve_capacity(grid_comm_buffers *w, grid_set set, uint64_t need, bool any_short) {
  if (!any_short) return GrB_SUCCESS;
  uint64_t bad = !grow_buffer(&w->recv, &w->recv_capacity, need);
  GrB_Info info = bad ? grid_fail_memory(NULL, "received messages", need, 1) : GrB_SUCCESS;
  GrB_Info sent = grid_ctx.transport->allreduce(set, &bad, 1, GRID_MAX);
  if (sent != GrB_SUCCESS) return sent;
  return bad ? any_failed_on(info) : GrB_SUCCESS;
}

/* ---- small sets on several machines: one call ---- */

static bool is_direct(grid_set set) {
  return grid_set_size(set) <= GRID_MAX_DIRECT_PEERS && !grid_mailbox_is_open(set);
}

GrB_Info grid_comm_buffers_reserve(grid_comm_buffers *w, uint64_t bytes) {
  return grow_buffer(&w->send, &w->send_capacity, bytes) ? GrB_SUCCESS
                                                         : grid_fail_memory(NULL, "messages", bytes, 1);
}

GrB_Info grid_alltoall_packed(grid_comm_buffers *w, grid_set set, GrB_Info info, grid_received *got) {
  const size_t S = (size_t)grid_set_size(set);
  size_t *bytes = w->counts, *off = bytes + S, *recv_bytes = off + S, *recv_off = recv_bytes + S;
  grid_recv_buffer in = {.buf = w->recv,
                         .capacity = w->recv_capacity,
                         .bytes = recv_bytes,
                         .off = recv_off,
                         .left = recv_off + S};
  if (info != GrB_SUCCESS) memset(bytes, 0, S * sizeof *bytes);
  GrB_Info sent = grid_ctx.transport->alltoallv_nocounts(set, w->send, bytes, off, &in);
  w->recv = in.buf, w->recv_capacity = in.capacity;
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return info != GrB_SUCCESS ? info : sent;
}

/* Bytes and offsets in w->counts of the messages to the processes of a set: n different ones, or one for all
 * (n = 1). After a failure they are empty. Returns the bytes of all. */
static size_t measure_messages(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                               size_t n, uint64_t *sent) {
  const size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set);
  size_t *bytes = w->counts, *off = bytes + S, out = 0;
  for (size_t s = 0; s < S; s++) {
    bytes[s] = s >= n ? bytes[0] : info == GrB_SUCCESS ? grid_message_size(&e[s]) : 0;
    off[s] = s < n ? out : 0;
    if (s < n) out += bytes[s];
    if (s != me) *sent += bytes[s];
  }
  return out;
}

static void write_messages(const grid_comm_buffers *w, grid_set set, const grid_entries_out *e, size_t n,
                           char *to) {
  for (size_t s = 0; s < n; s++) grid_message_write(&e[s], to + w->counts[(size_t)grid_set_size(set) + s]);
}

/* Writes them at w->send. */
static GrB_Info pack_messages(grid_comm_buffers *w, grid_set set, const grid_entries_out *e, size_t n,
                              size_t out) {
  const GrB_Info info = grid_comm_buffers_reserve(w, out);
  if (info == GrB_SUCCESS) write_messages(w, set, e, n, w->send);
  return info;
}

static GrB_Info send_directly(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                              size_t n, grid_received *got, uint64_t *sent) {
  const size_t out = measure_messages(w, set, info, e, n, sent);
  if (info == GrB_SUCCESS) info = pack_messages(w, set, e, n, out);
  return grid_alltoall_packed(w, set, info, got);
}

/* ---- counters and payload ---- */

bool grid_can_send_payload(grid_set set) {
  return grid_ctx.P > 1 && grid_set_size(set) == grid_ctx.P && is_direct(set);
}

/* This process's segment header: length, failure flag, counters. */
static void write_head(char *to, uint64_t bytes, bool failed, const uint64_t *v, size_t n) {
  const uint64_t first[2] = {bytes, failed};
  memcpy(to, first, sizeof first);
  memcpy(to + sizeof first, v, n * sizeof *v);
}

static uint64_t add_heads(const char *heads, uint64_t *v, size_t n) {
  uint64_t failed = 0, h[2 + GRID_PAYLOAD_COUNTERS];
  memset(v, 0, n * sizeof *v);
  for (int r = 0; r < grid_ctx.P; r++) {
    memcpy(h, heads + (size_t)r * grid_payload_header(n), grid_payload_header(n));
    failed += h[1];
    for (size_t k = 0; k < n; k++) v[k] += h[2 + k];
  }
  return failed;
}

GrB_Info grid_agree_sum_payload(grid_comm_buffers *w, grid_head *head, GrB_Info info, uint64_t *v, size_t n,
                                bool written, grid_received *got, GrB_Info *lost, uint64_t *sent) {
  const size_t S = (size_t)grid_ctx.P, before = grid_payload_header(n);
  size_t *bytes = w->counts, *off = bytes + S, *recv_bytes = off + S, *recv_off = recv_bytes + S;
  char *from = written ? w->send : w->heads, *heads = w->heads + before;
  grid_recv_buffer in = {.buf = w->recv,
                         .capacity = w->recv_capacity,
                         .bytes = recv_bytes,
                         .off = recv_off,
                         .left = recv_off + S,
                         .heads = heads,
                         .head = before};
  for (size_t s = 0; s < S; s++) {
    if (!written) bytes[s] = before, off[s] = 0;
    write_head(from + off[s], bytes[s], info != GrB_SUCCESS, v, n);
  }
  *sent += before * (S - 1);
  *lost = grid_ctx.transport->alltoallv_nocounts(GRID_SET_ALL, from, bytes, off, &in);
  w->recv = in.buf, w->recv_capacity = in.capacity;
  if (*lost != GrB_SUCCESS && *lost != GrB_OUT_OF_MEMORY) return *lost;
  for (size_t s = 0; s < S && *lost == GrB_SUCCESS; s++) recv_bytes[s] -= before, recv_off[s] += before;
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return add_heads(heads, v, n) == 0 ? GrB_SUCCESS : grid_agree(head, info);
}

/* ---- sets that share memory: short messages come with their sizes ---- */

static bool shares_memory(grid_set set) {
  return grid_mailbox_is_open(set) && (size_t)grid_set_size(set) <= GRID_MAILBOX_BYTES / sizeof(uint64_t);
}

/* Where the messages lie if those of all S processes follow each other, by their sizes in w->table: that of
 * process f to this one at off[f], this process's from *first on. Returns the bytes of all. */
static size_t offsets_in_place(const grid_comm_buffers *w, grid_set set, size_t n, size_t *off,
                               size_t *first) {
  const size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set);
  size_t at = 0;
  for (size_t f = 0; f < S; f++) {
    if (f == me) *first = at;
    for (size_t s = 0; s < n; s++) {
      if (n == 1 || s == me) off[f] = at;
      at += w->table[f * n + s];
    }
  }
  return at;
}

/* Messages too long for a mailbox are written to a shared buffer, once, and read from it. */
static GrB_Info send_in_place(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                              size_t n, size_t out, grid_received *got) {
  const size_t S = (size_t)grid_set_size(set);
  size_t *bytes = w->counts + 2 * S, *off = bytes + S, first = 0;
  const grid_transport *by = grid_ctx.transport;
  char *shared = by->shared_buffer(set, offsets_in_place(w, set, n, off, &first));
  if (!shared) {
    if (info == GrB_SUCCESS) info = pack_messages(w, set, e, n, out);
    return grid_alltoall_packed(w, set, info, got);
  }
  if (info == GrB_SUCCESS) write_messages(w, set, e, n, shared + first);
  by->barrier(set);
  grid_traffic_now.calls++;
  *got = (grid_received){shared, bytes, off};
  return info;
}

static GrB_Info send_by_mailbox(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                                size_t n, grid_received *got, uint64_t *sent) {
  const size_t S = (size_t)grid_set_size(set), out = measure_messages(w, set, info, e, n, sent);
  size_t *bytes = w->counts, *off = bytes + S, *recv_bytes = off + S, *recv_off = recv_bytes + S;
  grid_recv_buffer in = {.buf = w->recv,
                         .capacity = w->recv_capacity,
                         .bytes = recv_bytes,
                         .off = recv_off,
                         .left = recv_off + S,
                         .is_replicated = n == 1,
                         .sizes = w->table};
  if (info == GrB_SUCCESS && out <= GRID_MAILBOX_BYTES) info = pack_messages(w, set, e, n, out);
  if (info != GrB_SUCCESS) memset(bytes, 0, S * sizeof *bytes);
  const GrB_Info received = grid_ctx.transport->alltoallv_nocounts(set, w->send, bytes, off, &in);
  w->recv = in.buf, w->recv_capacity = in.capacity;
  if (in.is_long) return send_in_place(w, set, info, e, n, out, got);
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return info != GrB_SUCCESS ? info : received;
}

/* ---- large sets on several machines: sizes first ---- */

GrB_Info grid_allgather_messages(grid_comm_buffers *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                                 grid_received *got, uint64_t *sent) {
  if (shares_memory(set)) return send_by_mailbox(w, set, info, e, 1, got, sent);
  if (is_direct(set)) return send_directly(w, set, info, e, 1, got, sent);
  size_t S = (size_t)grid_set_size(set), total = 0, longest = 0;
  uint64_t bytes = info == GrB_SUCCESS ? grid_message_size(e) : 0, *all = w->table,
           local_sizes[2] = {bytes, w->recv_capacity};
  bool failed = false, any_short = false;
  if (info == GrB_SUCCESS) info = grid_comm_buffers_reserve(w, bytes);
  if (info != GrB_SUCCESS) local_sizes[0] = FAILED_SIZE;
  GrB_Info allgathered = grid_ctx.transport->allgather(set, local_sizes, sizeof local_sizes, all);
  if (allgathered != GrB_SUCCESS) return allgathered;
  size_t *send_bytes = w->counts, *send_off = send_bytes + S, *recv_bytes = send_off + S,
         *recv_off = recv_bytes + S;
  for (size_t s = 0; s < S; s++) {
    if (all[2 * s] == FAILED_SIZE) failed = true;
    send_bytes[s] = bytes;
    send_off[s] = 0;
    recv_bytes[s] = all[2 * s];
    recv_off[s] = total;
    total += recv_bytes[s];
    if (recv_bytes[s] > longest) longest = recv_bytes[s];
  }
  if (failed) return any_failed_on(info);
  *sent += bytes * (S - 1);
  for (size_t s = 0; s < S; s++) any_short = any_short || all[2 * s + 1] < total;
  if ((info = reserve_capacity(w, set, total, any_short)) != GrB_SUCCESS) return info;
  grid_message_write(e, w->send);
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return grid_exchange_known(set, w->send, send_bytes, send_off, w->recv, recv_bytes, recv_off, longest);
}

GrB_Info grid_alltoall_messages(grid_comm_buffers *w, grid_set set, GrB_Info info,
                                const grid_entries_out *segment, grid_received *got, uint64_t *sent) {
  size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), out = 0, in = 0, row = S + 1,
         longest = 0;
  if (shares_memory(set)) return send_by_mailbox(w, set, info, segment, S, got, sent);
  if (is_direct(set)) return send_directly(w, set, info, segment, S, got, sent);
  size_t *send_bytes = w->counts, *send_off = send_bytes + S, *recv_bytes = send_off + S,
         *recv_off = recv_bytes + S;
  uint64_t *all = w->table, *local_sizes = w->table + S * row; /* behind the table: the row that this process
                                                                * sends */
  for (size_t s = 0; s < S; s++) {
    send_bytes[s] = info == GrB_SUCCESS ? grid_message_size(&segment[s]) : 0;
    send_off[s] = out;
    out += send_bytes[s];
    local_sizes[s] = send_bytes[s];
  }
  if (info == GrB_SUCCESS) info = grid_comm_buffers_reserve(w, out);
  local_sizes[S] = w->recv_capacity;
  if (info != GrB_SUCCESS) local_sizes[0] = FAILED_SIZE;
  GrB_Info allgathered = grid_ctx.transport->allgather(set, local_sizes, row * sizeof *local_sizes, all);
  if (allgathered != GrB_SUCCESS) return allgathered;
  bool failed = false, any_short = false;
  for (size_t s = 0; s < S; s++) {
    uint64_t need = 0;
    failed = failed || all[s * row] == FAILED_SIZE;
    for (size_t f = 0; f < S; f++) {
      need += all[f * row + s];
      if (all[f * row + s] > longest) longest = all[f * row + s];
    }
    any_short = any_short || need > all[s * row + S];
    recv_bytes[s] = all[s * row + me];
    in += recv_bytes[s];
  }
  if (failed) return any_failed_on(info);
  *sent += out - send_bytes[me];
  for (size_t s = 0, at = 0; s < S; at += recv_bytes[s++]) recv_off[s] = at;
  if ((info = reserve_capacity(w, set, in, any_short)) != GrB_SUCCESS) return info;
  for (size_t s = 0; s < S; s++) grid_message_write(&segment[s], w->send + send_off[s]);
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return grid_exchange_known(set, w->send, send_bytes, send_off, w->recv, recv_bytes, recv_off, longest);
}
