/* Exchanges of a product; see share.h. */
#include "dist/grid/share.h"

#include <string.h>

#include "dist/grid/board.h"

static const uint64_t FAILED = UINT64_MAX;
static const uint64_t FIRST_ROOM = 4096; /* small messages never wait for memory */

static size_t largest_set(void) {
  return (size_t)grid_here.P;
}

GrB_Info grid_workspace_make(grid_workspace *w) {
  if (w->table) return GrB_SUCCESS;
  size_t S = largest_set(), C = (size_t)grid_here.C, R = (size_t)grid_here.R, side = R > C ? R : C;
  /* personal sizes in a row or column, one size in the grid */
  size_t entries = side * (side + 1) > 2 * S ? side * (side + 1) : 2 * S;
  w->table = grid_malloc(entries + S + 1, sizeof *w->table);
  w->counts = grid_malloc(5 * S, sizeof *w->counts);
  w->recv = grid_malloc(FIRST_ROOM, 1);
  w->recv_room = FIRST_ROOM;
  w->heads = grid_malloc(S + 1, grid_told_head(GRID_TOLD_NUMBERS));
  GrB_Info info = w->table && w->counts && w->recv && w->heads
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "message sizes", entries, sizeof *w->table);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) grid_workspace_free(w);
  return info;
}

void grid_workspace_free(grid_workspace *w) {
  grid_free(w->send);
  grid_free(w->recv);
  grid_free(w->table);
  grid_free(w->counts);
  grid_free(w->dense);
  grid_free(w->heads);
  *w = (grid_workspace){0};
}

static bool grow(char **buf, uint64_t *room, uint64_t need) {
  if (*buf && need <= *room) return true;
  uint64_t ask = need + need / 4;
  char *fresh = grid_malloc(ask, 1);
  if (!fresh) return false;
  grid_free(*buf);
  *buf = fresh;
  *room = ask;
  return true;
}

/* Own failures keep their cause; who has none of its own has only heard of one. */
static GrB_Info someone_failed(GrB_Info info) {
  return info != GrB_SUCCESS ? info : GRID_ELSEWHERE;
}

/* Rooms are known to all of the set: only when one is too small is it made larger, and that agreed on. need:
 * what this process receives; any_short: does any process need more than it has? */
static GrB_Info make_room(grid_workspace *w, grid_set set, uint64_t need, bool any_short) {
  if (!any_short) return GrB_SUCCESS;
  uint64_t bad = !grow(&w->recv, &w->recv_room, need);
  GrB_Info info = bad ? grid_fail_memory(NULL, "received messages", need, 1) : GrB_SUCCESS;
  GrB_Info moved = grid_here.transport->allreduce(set, &bad, 1, GRID_MAX);
  if (moved != GrB_SUCCESS) return moved;
  return bad ? someone_failed(info) : GrB_SUCCESS;
}

/* What has been written for each of the set goes there; no piece is longer than `longest`, as all know. */
static GrB_Info move(grid_workspace *w, grid_set set, size_t *send_bytes, const size_t *send_off,
                     size_t *recv_bytes, const size_t *recv_off, size_t longest) {
  const grid_transport *by = grid_here.transport;
  const size_t me = (size_t)grid_set_rank(set), own = recv_bytes[me];
  if (grid_set_size(set) != grid_here.P || !by->exchange_long)
    return by->exchange(set, w->send, send_bytes, send_off, w->recv, recv_bytes, recv_off);
  if (own) memcpy(w->recv + recv_off[me], w->send + send_off[me], own);
  send_bytes[me] = recv_bytes[me] = 0;
  GrB_Info info = by->exchange_long(w->send, send_bytes, send_off, w->recv, recv_bytes, recv_off, longest);
  send_bytes[me] = recv_bytes[me] = own;
  return info;
}

/* ---- few, on several machines: one call ---- */

/* Those who share memory tell sizes on a board, which costs next to nothing. */
static bool goes_directly(grid_set set) {
  return grid_set_size(set) <= GRID_MOST_DIRECT && !grid_board_is_open(set);
}

GrB_Info grid_workspace_room(grid_workspace *w, uint64_t bytes) {
  return grow(&w->send, &w->send_room, bytes) ? GrB_SUCCESS : grid_fail_memory(NULL, "messages", bytes, 1);
}

GrB_Info grid_send_written(grid_workspace *w, grid_set set, GrB_Info info, grid_received *got) {
  const size_t S = (size_t)grid_set_size(set);
  size_t *bytes = w->counts, *off = bytes + S, *recv_bytes = off + S, *recv_off = recv_bytes + S;
  grid_inbox in = {w->recv, w->recv_room, recv_bytes, recv_off, recv_off + S, NULL, 0};
  if (info != GrB_SUCCESS) memset(bytes, 0, S * sizeof *bytes);
  GrB_Info moved = grid_here.transport->deliver(set, w->send, bytes, off, &in);
  w->recv = in.buf, w->recv_room = in.room;
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return info != GrB_SUCCESS ? info : moved;
}

static GrB_Info share_directly(grid_workspace *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                               grid_received *got, uint64_t *sent) {
  const size_t S = (size_t)grid_set_size(set), bytes = info == GrB_SUCCESS ? grid_message_size(e) : 0;
  if (info == GrB_SUCCESS) info = grid_workspace_room(w, bytes);
  if (info == GrB_SUCCESS) {
    grid_message_write(e, w->send);
    *sent += bytes * (S - 1);
  }
  for (size_t s = 0; s < S; s++) w->counts[s] = bytes, w->counts[S + s] = 0;
  return grid_send_written(w, set, info, got);
}

static GrB_Info send_directly(grid_workspace *w, grid_set set, GrB_Info info, const grid_entries_out *piece,
                              grid_received *got, uint64_t *sent) {
  const size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set);
  size_t *bytes = w->counts, *off = bytes + S, out = 0;
  for (size_t s = 0; s < S; s++) {
    bytes[s] = info == GrB_SUCCESS ? grid_message_size(&piece[s]) : 0;
    off[s] = out;
    out += bytes[s];
  }
  if (info == GrB_SUCCESS) info = grid_workspace_room(w, out);
  for (size_t s = 0; s < S && info == GrB_SUCCESS; s++) {
    grid_message_write(&piece[s], w->send + off[s]);
    if (s != me) *sent += bytes[s];
  }
  return grid_send_written(w, set, info, got);
}

/* ---- numbers and contents ---- */

bool grid_tells(grid_set set) {
  return grid_here.P > 1 && grid_set_size(set) == grid_here.P && goes_directly(set);
}

/* The own head: its piece's length, has this process failed, its numbers. */
static void write_head(char *to, uint64_t bytes, bool failed, const uint64_t *v, size_t n) {
  const uint64_t first[2] = {bytes, failed};
  memcpy(to, first, sizeof first);
  memcpy(to + sizeof first, v, n * sizeof *v);
}

static uint64_t add_heads(const char *heads, uint64_t *v, size_t n) {
  uint64_t failed = 0, h[2 + GRID_TOLD_NUMBERS];
  memset(v, 0, n * sizeof *v);
  for (int r = 0; r < grid_here.P; r++) {
    memcpy(h, heads + (size_t)r * grid_told_head(n), grid_told_head(n));
    failed += h[1];
    for (size_t k = 0; k < n; k++) v[k] += h[2 + k];
  }
  return failed;
}

GrB_Info grid_tell(grid_workspace *w, grid_head *head, GrB_Info info, uint64_t *v, size_t n, bool written,
                   grid_received *got, GrB_Info *lost, uint64_t *sent) {
  const size_t S = (size_t)grid_here.P, before = grid_told_head(n);
  size_t *bytes = w->counts, *off = bytes + S, *recv_bytes = off + S, *recv_off = recv_bytes + S;
  char *from = written ? w->send : w->heads, *heads = w->heads + before;
  grid_inbox in = {w->recv, w->recv_room, recv_bytes, recv_off, recv_off + S, heads, before};
  for (size_t s = 0; s < S; s++) {
    if (!written) bytes[s] = before, off[s] = 0;
    write_head(from + off[s], bytes[s], info != GrB_SUCCESS, v, n);
  }
  *sent += before * (S - 1);
  *lost = grid_here.transport->deliver(GRID_SET_ALL, from, bytes, off, &in);
  w->recv = in.buf, w->recv_room = in.room;
  if (*lost != GrB_SUCCESS && *lost != GrB_OUT_OF_MEMORY) return *lost;
  for (size_t s = 0; s < S && *lost == GrB_SUCCESS; s++) recv_bytes[s] -= before, recv_off[s] += before;
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return add_heads(heads, v, n) == 0 ? GrB_SUCCESS : grid_agree(head, info);
}

/* ---- of many, or on one machine: sizes first ---- */

/* Where all processes share memory, messages that no board takes are written there, and read there. */
static bool written_in_place(grid_set set, const grid_entries_out *e, const size_t *off, size_t total,
                             size_t longest, const char **buf) {
  enum { LITTLE = 1024 };
  const grid_transport *by = grid_here.transport;
  if (grid_set_size(set) != grid_here.P || !by->room || longest <= LITTLE) return false;
  char *room = by->room(total);
  if (!room) return false;
  grid_message_write(e, room + off[grid_set_rank(set)]);
  by->meet();
  grid_traffic_now.calls++;
  grid_traffic_now.bytes += grid_message_size(e) * (uint64_t)(grid_here.P - 1);
  *buf = room;
  return true;
}

GrB_Info grid_share(grid_workspace *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                    grid_received *got, uint64_t *sent) {
  if (goes_directly(set)) return share_directly(w, set, info, e, got, sent);
  size_t S = (size_t)grid_set_size(set), total = 0, longest = 0;
  uint64_t bytes = info == GrB_SUCCESS ? grid_message_size(e) : 0, *all = w->table,
           mine[2] = {bytes, w->recv_room};
  bool failed = false, any_short = false;
  if (info == GrB_SUCCESS && !grow(&w->send, &w->send_room, bytes))
    info = grid_fail_memory(NULL, "a message", bytes, 1);
  if (info != GrB_SUCCESS) mine[0] = FAILED;
  GrB_Info moved = grid_here.transport->allgather(set, mine, sizeof mine, all);
  if (moved != GrB_SUCCESS) return moved;
  size_t *send_bytes = w->counts, *send_off = send_bytes + S, *recv_bytes = send_off + S,
         *recv_off = recv_bytes + S;
  for (size_t s = 0; s < S; s++) {
    if (all[2 * s] == FAILED) failed = true;
    send_bytes[s] = bytes;
    send_off[s] = 0;
    recv_bytes[s] = all[2 * s];
    recv_off[s] = total;
    total += recv_bytes[s];
    if (recv_bytes[s] > longest) longest = recv_bytes[s];
  }
  if (failed) return someone_failed(info);
  *sent += bytes * (S - 1);
  if (written_in_place(set, e, recv_off, total, longest, &got->buf)) {
    got->bytes = recv_bytes;
    got->off = recv_off;
    return GrB_SUCCESS;
  }
  for (size_t s = 0; s < S; s++) any_short = any_short || all[2 * s + 1] < total;
  if ((info = make_room(w, set, total, any_short)) != GrB_SUCCESS) return info;
  grid_message_write(e, w->send);
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return move(w, set, send_bytes, send_off, recv_bytes, recv_off, longest);
}

GrB_Info grid_send_pieces(grid_workspace *w, grid_set set, GrB_Info info, const grid_entries_out *piece,
                          grid_received *got, uint64_t *sent) {
  if (goes_directly(set)) return send_directly(w, set, info, piece, got, sent);
  size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set), out = 0, in = 0, row = S + 1,
         longest = 0;
  size_t *send_bytes = w->counts, *send_off = send_bytes + S, *recv_bytes = send_off + S,
         *recv_off = recv_bytes + S;
  uint64_t *all = w->table, *mine = w->table + S * row; /* behind the table: what this process tells */
  for (size_t s = 0; s < S; s++) {
    send_bytes[s] = info == GrB_SUCCESS ? grid_message_size(&piece[s]) : 0;
    send_off[s] = out;
    out += send_bytes[s];
    mine[s] = send_bytes[s];
  }
  if (info == GrB_SUCCESS && !grow(&w->send, &w->send_room, out))
    info = grid_fail_memory(NULL, "messages to fold", out, 1);
  mine[S] = w->recv_room;
  if (info != GrB_SUCCESS) mine[0] = FAILED;
  GrB_Info moved = grid_here.transport->allgather(set, mine, row * sizeof *mine, all);
  if (moved != GrB_SUCCESS) return moved;
  bool failed = false, any_short = false;
  for (size_t s = 0; s < S; s++) {
    uint64_t need = 0;
    failed = failed || all[s * row] == FAILED;
    for (size_t f = 0; f < S; f++) {
      need += all[f * row + s];
      if (all[f * row + s] > longest) longest = all[f * row + s];
    }
    any_short = any_short || need > all[s * row + S];
    recv_bytes[s] = all[s * row + me];
    recv_off[s] = in;
    in += recv_bytes[s];
  }
  if (failed) return someone_failed(info);
  if ((info = make_room(w, set, in, any_short)) != GrB_SUCCESS) return info;
  for (size_t s = 0; s < S; s++) {
    grid_message_write(&piece[s], w->send + send_off[s]);
    if (s != me) *sent += send_bytes[s];
  }
  *got = (grid_received){w->recv, recv_bytes, recv_off};
  return move(w, set, send_bytes, send_off, recv_bytes, recv_off, longest);
}
