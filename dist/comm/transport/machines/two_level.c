/* See two_level.h. A process's stream has its segments for others, by machine and rank of the receiver; equal
 * neighbours are one. */
#include "dist/comm/transport/machines/two_level.h"

#include <string.h>

/* ---- within the machine: who sends what ---- */

/* Passes the words of this process's segments, in the order of g->member. */
static void describe_segments(const grid_machine_group *g, const grid_two_level_call *c, uint64_t *word) {
  int before = -1;
  for (int k = 0; k < g->size; k++) {
    const int r = g->member[k];
    word[k] = r == g->rank ? 0 : c->bytes[r];
    if (r == g->rank) continue;
    if (before >= 0 && word[k] && c->bytes[before] == c->bytes[r] && c->off[before] == c->off[r])
      word[k] |= GRID_SAME_SEGMENT;
    before = r;
  }
}

static void copy_head(char *to, size_t head, const char *segment, size_t bytes) {
  memcpy(to, segment, bytes < head ? bytes : head);
}

/* Any of this process's segments: their heads differ by the length alone. */
static void write_head(const grid_machine_group *g, const grid_two_level_call *c, size_t head, char *to) {
  for (int r = 0; r < g->size && head; r++)
    if (r != g->rank && c->bytes[r]) {
      copy_head(to, head, c->send + c->off[r], c->bytes[r]);
      return;
    }
}

/* Every local process gets the words, heads and positions of all. Returns the bytes of the longest stream. */
static size_t gather_words(grid_machine_group *g, const grid_two_level_call *c, size_t head) {
  const size_t S = (size_t)g->size;
  char slot[GRID_MAILBOX_BYTES];
  size_t longest = 0;
  describe_segments(g, c, (uint64_t *)(void *)g->word);
  memcpy(slot, g->word, S * 8);
  memset(slot + S * 8, 0, grid_padded(head));
  write_head(g, c, head, slot + S * 8);
  if (g->local_size > 1) grid_mailbox_exchange(g->mailbox, slot, S * 8 + grid_padded(head));
  for (int p = 0; p < g->local_size; p++) {
    const char *from = g->local_size > 1 ? grid_mailbox_of(g->mailbox, p) : slot;
    uint64_t *word = g->word + (size_t)p * S;
    memcpy(word, from, S * 8);
    memcpy(g->heads + (size_t)p * GRID_MAX_HEAD, from + S * 8, grid_padded(head));
    size_t end = 0, last = 0;
    for (size_t k = 0; k < S; k++) {
      if (!(word[k] & GRID_SAME_SEGMENT) && grid_word_bytes(word[k]))
        last = end, end += grid_padded(grid_word_bytes(word[k]));
      g->at[(size_t)p * S + k] = last;
    }
    g->total[p] = end;
    if (end > longest) longest = end;
  }
  return longest;
}

/* ---- places of received segments ---- */

typedef struct {
  grid_machine_group *g;
  const grid_two_level_call *call;
  size_t head, used; /* used: bytes of the receive buffer */
  bool lost;         /* no memory for the segments */
} arrival;

static void receive_head(const arrival *a, int r, const char *head, size_t bytes) {
  const uint64_t length = bytes;
  if (!a->call->in || !a->call->in->heads || bytes == 0) return;
  char *to = a->call->in->heads + (size_t)r * a->head;
  copy_head(to, a->head, head, bytes);
  memcpy(to, &length, a->head < 8 ? a->head : 8);
}

static void place_segment(arrival *a, int r, size_t bytes) {
  grid_recv_buffer *in = a->call->in;
  if (!in) return;
  in->bytes[r] = bytes, in->off[r] = a->used;
  a->used += grid_padded(bytes);
}

/* Memory for what has been placed since `before`. */
static void reserve(arrival *a, size_t before) {
  if (a->call->in && a->used > 0 && !a->lost)
    a->lost = grid_recv_buffer_grow(a->call->in, before, a->used) != GrB_SUCCESS;
}

static char *place_of(const arrival *a, int r) {
  return a->call->in ? a->call->in->buf + a->call->in->off[r] : a->call->recv + a->call->recv_off[r];
}

static void copy_local(arrival *a) {
  const grid_machine_group *g = a->g;
  const grid_two_level_call *c = a->call;
  const size_t bytes = c->bytes[g->rank];
  if (bytes && !a->lost) memcpy(place_of(a, g->rank), c->send + c->off[g->rank], bytes);
  if (bytes && c->in) receive_head(a, g->rank, c->send + c->off[g->rank], bytes);
}

/* Ranges of this process's stream. */
static size_t stream_of(const grid_machine_group *g, const grid_two_level_call *c) {
  const size_t row = (size_t)g->local_rank * (size_t)g->size;
  size_t n = 0;
  for (int k = 0; k < g->size; k++) {
    const uint64_t word = g->word[row + (size_t)k];
    if (word & GRID_SAME_SEGMENT || grid_word_bytes(word) == 0) continue;
    g->out[n++] = (grid_stream_range){g->local_rank, g->at[row + (size_t)k], grid_word_bytes(word),
                                      (char *)(uintptr_t)c->send + c->off[g->member[k]]};
  }
  return n;
}

/* Ranges that this process needs of the others on its machine. */
static size_t local_arrivals(arrival *a) {
  const grid_machine_group *g = a->g;
  const int first = g->first[g->machine];
  size_t n = 0;
  for (int p = 0; p < g->local_size; p++) {
    const int r = g->member[first + p];
    const size_t k = (size_t)p * (size_t)g->size + (size_t)(first + g->local_rank);
    place_segment(a, r, p == g->local_rank ? a->call->bytes[r] : grid_word_bytes(g->word[k]));
    if (p != g->local_rank)
      receive_head(a, r, g->heads + (size_t)p * GRID_MAX_HEAD, grid_word_bytes(g->word[k]));
  }
  reserve(a, 0);
  for (int p = 0; p < g->local_size && !a->lost; p++) {
    const size_t k = (size_t)p * (size_t)g->size + (size_t)(first + g->local_rank);
    if (p != g->local_rank && grid_word_bytes(g->word[k]))
      g->in[n++] =
          (grid_stream_range){p, g->at[k], grid_word_bytes(g->word[k]), place_of(a, g->member[first + p])};
  }
  return n;
}

/* ---- what came from other machines ---- */

/* Places and heads of the segments for this process; true if some sender or the leader had no memory. */
static bool place_remote(arrival *a, size_t stride) {
  const grid_machine_group *g = a->g;
  const size_t before = a->used;
  bool failed = g->block[0] != 0;
  for (int machine = 0; machine < g->machines; machine++) {
    if (machine == g->machine) continue;
    const grid_message_in m = grid_message_from(g, machine, stride);
    failed = failed || m.failed;
    for (int p = 0; p < grid_machine_size(g, machine); p++) {
      const size_t bytes = grid_word_bytes(m.word[p * g->local_size + g->local_rank]);
      const int r = g->member[g->first[machine] + p];
      place_segment(a, r, bytes);
      receive_head(a, r, m.heads + (size_t)p * grid_padded(a->head), bytes);
    }
  }
  if (!failed) reserve(a, before);
  return failed;
}

/* Ranges of the leader's stream that this process needs; *total: the bytes of that stream. */
static size_t remote_arrivals(const arrival *a, size_t stride, size_t *total) {
  const grid_machine_group *g = a->g;
  size_t n = 0, at = *total;
  for (int machine = 0; machine < g->machines; machine++) {
    if (machine == g->machine) continue;
    const grid_message_in m = grid_message_from(g, machine, stride);
    for (int p = 0; p < grid_machine_size(g, machine); p++) {
      size_t last = at;
      for (int q = 0; q < g->local_size; q++) {
        const uint64_t word = m.word[p * g->local_size + q];
        if (!(word & GRID_SAME_SEGMENT)) last = at, at += grid_padded(grid_word_bytes(word));
        if (q == g->local_rank && grid_word_bytes(word) && !a->lost)
          g->in[n++] = (grid_stream_range){0, last, grid_word_bytes(word),
                                           place_of(a, g->member[g->first[machine] + p])};
      }
    }
  }
  *total = at;
  return n;
}

/* The leader's stream: the block, and the segments of each message. */
static size_t leader_stream(const grid_machine_group *g, size_t stride) {
  size_t n = 0, at = 8 + (size_t)g->machines * stride;
  g->out[n++] = (grid_stream_range){0, 0, at, (char *)g->block};
  for (int machine = 0; machine < g->machines && g->block[0] == 0; machine++) {
    if (machine == g->machine) continue;
    const grid_message_in m = grid_message_from(g, machine, stride);
    char *from = g->recv.buf + g->recv.off[machine] + (g->recv.bytes[machine] - m.bytes);
    g->out[n++] = (grid_stream_range){0, at, m.bytes, from};
    at += m.bytes;
  }
  return n;
}

/* Shares what the leader has received. */
static void spread_messages(arrival *a, size_t stride) {
  grid_machine_group *g = a->g;
  const bool leads = g->local_rank == 0;
  size_t total = 8 + (size_t)g->machines * stride;
  const size_t n_out = leads ? leader_stream(g, stride) : 0;
  const grid_stream_range block = {0, 0, total, (char *)g->block};
  if (g->local_size > 1) grid_shm_window_write(&g->windows, g->out, n_out, 0);
  if (g->local_size > 1 && !leads) grid_shm_window_read(&g->windows, &block, 1, 0);
  if (place_remote(a, stride)) {
    a->lost = true;
    return; /* on all processes of the machine */
  }
  const size_t n = remote_arrivals(a, stride, &total);
  if (leads) { /* its ranges of its own stream */
    for (size_t k = 0; k < n; k++)
      for (size_t s = 1; s < n_out; s++)
        if (g->in[k].at >= g->out[s].at && g->in[k].at < g->out[s].at + g->out[s].bytes)
          memcpy(g->in[k].data, g->out[s].data + (g->in[k].at - g->out[s].at), g->in[k].bytes);
  }
  if (g->local_size == 1) return;
  if (!leads) grid_shm_window_read(&g->windows, g->in, n, 0);
  grid_shm_windows_pass(&g->windows, g->out, n_out, g->in, leads ? 0 : n, g->windows.window, total);
}

/* ---- the exchange ---- */

GrB_Info grid_two_level_alltoallv(grid_machine_group *g, const grid_two_level_call *call) {
  arrival a = {.g = g, .call = call, .head = call->in && call->in->heads ? call->in->head : 0};
  const bool leads = g->local_rank == 0;
  const size_t longest = gather_words(g, call, a.head), stride = grid_header_stride(g, a.head);
  const size_t n_out = stream_of(g, call);
  size_t n_in = local_arrivals(&a);
  if (leads) {
    const bool failed = !grid_reserve_messages(g, a.head);
    for (int m = 0; m < g->machines; m++)
      if (m != g->machine) n_in = grid_write_message(g, call->send, call->off, m, a.head, failed, n_in);
  }
  copy_local(&a);
  if (g->local_size > 1) grid_shm_windows_pass(&g->windows, g->out, n_out, g->in, n_in, 0, longest);
  const GrB_Info info = leads ? grid_exchange_messages(g, stride) : GrB_SUCCESS;
  spread_messages(&a, stride);
  if (a.lost && call->in) memset(call->in->bytes, 0, (size_t)g->size * sizeof *call->in->bytes);
  if (info == GrB_PANIC) return info;
  if (g->block[0] == 2)
    return grid_fail(NULL, GrB_PANIC, "an exchange failed: this machine's messages to others");
  return a.lost ? grid_fail(NULL, GrB_OUT_OF_MEMORY, "out of memory: messages between machines")
                : GrB_SUCCESS;
}

size_t grid_two_level_share(const grid_machine_group *g, bool replicated) {
  const size_t S = (size_t)g->size, segments = replicated ? S : S * S;
  return (GRID_LEADER_BYTES - GRID_BLOCK_BYTES) / segments / 8 * 8;
}

/* ---- reductions ---- */

/* Combines those of the machine on its leader; the leaders gather each other's; the result is shared. */
GrB_Info grid_two_level_reduce(grid_machine_group *g, void *buf, size_t bytes, grid_combine_fn f,
                               void *context) {
  char slot[GRID_MAILBOX_BYTES];
  uint64_t failed = 0;
  GrB_Info info = GrB_SUCCESS;
  if (g->local_size > 1) grid_mailbox_exchange(g->mailbox, buf, bytes);
  for (int p = 1; p < g->local_size && g->local_rank == 0; p++)
    f(buf, grid_mailbox_of(g->mailbox, p), bytes, context);
  if (g->local_rank == 0) {
    char *all = g->recv.buf;
    const size_t stride = (bytes + 7) / 8 * 8; /* f may read words */
    memset(slot, 0, stride);
    memcpy(slot, buf, bytes);
    failed =
        MPI_Allgather(slot, (int)stride, MPI_BYTE, all, (int)stride, MPI_BYTE, g->leaders) != MPI_SUCCESS;
    grid_two_level_sent += stride * (size_t)(g->machines - 1);
    for (int m = 0; m < g->machines && !failed; m++)
      if (m != g->machine) f(buf, all + (size_t)m * stride, bytes, context);
    memcpy(slot, &failed, 8);
    memcpy(slot + 8, buf, bytes);
  }
  if (g->local_size > 1) {
    grid_mailbox_exchange(g->mailbox, slot, g->local_rank == 0 ? 8 + bytes : 0);
    memcpy(&failed, grid_mailbox_of(g->mailbox, 0), 8);
    if (g->local_rank > 0) memcpy(buf, grid_mailbox_of(g->mailbox, 0) + 8, bytes);
  }
  if (failed) info = grid_fail(NULL, GrB_PANIC, "a reduction failed: the messages between machines");
  return info;
}
