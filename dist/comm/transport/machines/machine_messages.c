/* See machine_messages.h. */
#include "dist/comm/transport/machines/machine_messages.h"

#include <string.h>

uint64_t grid_default_two_level_sent GRID_OF_CONTEXT;

static size_t header_to(const grid_machine_group *g, int machine, size_t head) {
  return grid_machine_header(g->local_size, grid_machine_size(g, machine), head);
}

/* Is segment k the first that its sender has for that machine, or another than the one before? */
static bool is_distinct(const grid_machine_group *g, const uint64_t *word, int machine, int k) {
  return grid_word_bytes(word[k]) > 0 && (k == g->first[machine] || !(word[k] & GRID_SAME_SEGMENT));
}

static size_t message_bytes(const grid_machine_group *g, int machine, size_t head) {
  size_t bytes = header_to(g, machine, head);
  for (int p = 0; p < g->local_size; p++) {
    const uint64_t *word = g->word + (size_t)p * (size_t)g->size;
    for (int k = g->first[machine]; k < g->first[machine + 1]; k++)
      if (is_distinct(g, word, machine, k)) bytes += grid_padded(grid_word_bytes(word[k]));
  }
  return bytes;
}

/* Lengths and places of the messages. False: there is memory for their headers alone. */
bool grid_reserve_messages(grid_machine_group *g, size_t head) {
  for (int with = 1; with >= 0; with--) {
    size_t total = 0;
    for (int m = 0; m < g->machines; m++) {
      const size_t bytes = m == g->machine ? 0 : with ? message_bytes(g, m, head) : header_to(g, m, head);
      g->send.bytes[m] = bytes, g->send.off[m] = total;
      total += bytes;
    }
    if (!with || grid_recv_buffer_grow(&g->send, 0, total) == GrB_SUCCESS) return with;
  }
  return false;
}

/* Writes the header for a machine; adds to g->in where its segments come from, and copies the leader's own.
 */
size_t grid_write_message(grid_machine_group *g, const char *send, const size_t *off, int machine,
                          size_t head, bool failed, size_t n) {
  char *to = g->send.buf + g->send.off[machine], *at = to + header_to(g, machine, head), *next = to + 16;
  const uint64_t begin[2] = {g->send.bytes[machine], failed};
  const int first = g->first[machine], end = g->first[machine + 1];
  memcpy(to, begin, sizeof begin);
  for (int p = 0; p < g->local_size; p++)
    for (int k = first; k < end; k++, next += 8) {
      const size_t row = (size_t)p * (size_t)g->size;
      const uint64_t word = g->word[row + (size_t)k], sent = k == first ? grid_word_bytes(word) : word;
      memcpy(next, &sent, 8);
      if (failed || !is_distinct(g, g->word + row, machine, k)) continue;
      if (p == g->local_rank)
        memcpy(at, send + off[g->member[k]], grid_word_bytes(word));
      else
        g->in[n++] = (grid_stream_range){p, g->at[row + (size_t)k], grid_word_bytes(word), at};
      at += grid_padded(grid_word_bytes(word));
    }
  for (int p = 0; p < g->local_size; p++, next += grid_padded(head))
    memcpy(next, g->heads + (size_t)p * GRID_MAX_HEAD, grid_padded(head));
  return n;
}

/* Bytes of the longest header that arrives here. */
size_t grid_header_stride(const grid_machine_group *g, size_t head) {
  size_t most = 0;
  for (int m = 0; m < g->machines; m++) {
    const size_t bytes = grid_machine_header(grid_machine_size(g, m), g->local_size, head);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* Sends and receives the messages; the block gets the outcome and the headers. */
GrB_Info grid_exchange_messages(grid_machine_group *g, size_t stride) {
  memset(g->block, 0, 8 + (size_t)g->machines * stride);
  g->recv.heads = (char *)(g->block + 1), g->recv.head = stride;
  for (int m = 0; m < g->machines; m++) grid_two_level_sent += g->send.bytes[m];
  GrB_Info info =
      grid_alltoallv_nocounts(&g->leaders, g->turn++, g->send.buf, g->send.bytes, g->send.off, &g->recv);
  g->block[0] = info == GrB_SUCCESS ? 0 : info == GrB_OUT_OF_MEMORY ? 1 : 2;
  return info;
}

grid_message_in grid_message_from(const grid_machine_group *g, int machine, size_t stride) {
  const char *header = (const char *)(g->block + 1) + (size_t)machine * stride;
  const int from = grid_machine_size(g, machine), to = g->local_size;
  grid_message_in m = {.word = (const uint64_t *)(const void *)(header + 16)};
  m.heads = header + 16 + 8 * (size_t)from * (size_t)to;
  m.failed = ((const uint64_t *)(const void *)header)[1] != 0;
  for (int k = 0; k < from * to && !m.failed; k++)
    if (!(m.word[k] & GRID_SAME_SEGMENT)) m.bytes += grid_padded(grid_word_bytes(m.word[k]));
  return m;
}
