/* Agreement of all processes on the outcome of a step (process_grid.h). */
#include <stdio.h>
#include <string.h>

#include "dist/grid/process_grid.h"
#include "semiring/jit/kernel_cache.h"

/* Broadcasts the error text of process `from`, so that GrB_error says the same everywhere. It ends with that
 * process's number where others had no failure of their own; but process 0 often acts for all. */
static GrB_Info spread_failure(grid_head *head, int from, GrB_Info info, GrB_Info local) {
  char text[1024] = "";
  uint64_t failed = local != GrB_SUCCESS && local != GRID_REMOTE_FAILURE;
  if (grid_ctx.k == from) snprintf(text, sizeof text, "%s", grid_last_error());
  GrB_Info sent = grid_ctx.transport->allreduce(GRID_SET_ALL, &failed, 1, GRID_SUM);
  if (sent == GrB_SUCCESS) sent = grid_ctx.transport->bcast(GRID_SET_ALL, text, sizeof text, from);
  if (sent != GrB_SUCCESS) return sent;
  if (from == 0 || failed == (uint64_t)grid_ctx.P) return grid_fail(head, info, "%s", text);
  return grid_fail(head, info, "%s (on process %d)", text, from);
}

/* Encodes a failure as one number, whose maximum is the lowest rank that failed, with its error code.
 * GRID_REMOTE_FAILURE sorts below all other errors. */
static uint64_t failure_word(GrB_Info info) {
  if (info == GrB_SUCCESS) return 0;
  if (info == GRID_REMOTE_FAILURE) return 1;
  uint64_t before = (uint64_t)(grid_ctx.P - grid_ctx.k); /* larger for lower ranks */
  return before << 16 | (uint64_t)(uint16_t)(int16_t)info;
}

static GrB_Info resolve_failure(grid_head *head, uint64_t word, GrB_Info local) {
  if (word == 0) return GrB_SUCCESS;
  if (word == 1) return grid_fail(head, GrB_PANIC, "a process failed without an error text");
  const int from = grid_ctx.P - (int)(word >> 16);
  const GrB_Info info = (GrB_Info)(int16_t)(uint16_t)(word & 0xffff);
  return info == GRID_UNSUPPORTED ? info : spread_failure(head, from, info, local); /* no error, so no text */
}

/* A single process needs no messages; the object gets the error text all the same. */
static GrB_Info agree_single_process(grid_head *head, GrB_Info info) {
  if (info == GrB_SUCCESS || info == GRID_UNSUPPORTED || !head) return info;
  return grid_fail(head, info, "%s", grid_last_error());
}

GrB_Info grid_agree(grid_head *head, GrB_Info info) {
  if (grid_ctx.P == 1) return agree_single_process(head, info);
  uint64_t word = failure_word(info);
  GrB_Info sent = grid_ctx.transport->allreduce(GRID_SET_ALL, &word, 1, GRID_MAX);
  return sent != GrB_SUCCESS ? sent : resolve_failure(head, word, info);
}

GrB_Info grid_agree_sum(grid_head *head, GrB_Info info, uint64_t *v, size_t n) {
  if (grid_ctx.P == 1) return agree_single_process(head, info);
  /* One message sums the counters and the number of failures; only a failure costs a second one. */
  uint64_t packed[16];
  if (n > 15) return grid_fail(head, GrB_PANIC, "grid_agree_sum: %zu counters are more than 15", n);
  packed[0] = info != GrB_SUCCESS;
  memcpy(packed + 1, v, n * sizeof *v);
  GrB_Info sent = grid_ctx.transport->allreduce(GRID_SET_ALL, packed, n + 1, GRID_SUM);
  if (sent != GrB_SUCCESS) return sent;
  memcpy(v, packed + 1, n * sizeof *v);
  return packed[0] == 0 ? GrB_SUCCESS : grid_agree(head, info);
}

GrB_Info grid_agree_equal(grid_head *head, GrB_Info info, const grid_argument *x, size_t n,
                          const char *call) {
  enum { MOST = 8 };
  uint64_t v[1 + 2 * MOST] = {info != GrB_SUCCESS};
  if (grid_ctx.P == 1) return agree_single_process(head, info);
  if (n > MOST) return grid_fail(head, GrB_PANIC, "grid_agree_equal: %zu arguments are more than 8", n);
  for (size_t k = 0; k < n; k++) v[1 + 2 * k] = x[k].value, v[2 + 2 * k] = ~x[k].value;
  const GrB_Info sent = grid_ctx.transport->allreduce(GRID_SET_ALL, v, 1 + 2 * n, GRID_MAX);
  if (sent != GrB_SUCCESS) return sent;
  if (v[0]) return grid_agree(head, info);
  for (size_t k = 0; k < n; k++) /* the largest, and the complement of the least */
    if (v[1 + 2 * k] != ~v[2 + 2 * k])
      return grid_fail(head, GrB_INVALID_VALUE, "%s: argument %s is not the same on all processes", call,
                       x[k].name);
  return info;
}

uint64_t grid_text_value(const char *text) {
  return text ? grid_jit_hash(GRID_HASH_START, text, strlen(text)) : 0;
}

GrB_Info grid_agree_supported(grid_head *head, GrB_Info info) {
  uint64_t absent = info == GRID_UNSUPPORTED;
  info = grid_agree_sum(head, absent ? GrB_SUCCESS : info, &absent, 1);
  return info == GrB_SUCCESS && absent ? GRID_UNSUPPORTED : info;
}

GrB_Info grid_agree_gather(grid_head *head, GrB_Info info, const void *local, size_t bytes, void *all) {
  enum { MOST = 4096 }; /* bytes on the stack */
  const size_t P = (size_t)grid_ctx.P, record = sizeof(uint64_t) + bytes;
  uint64_t word = failure_word(info), failure = 0;
  char message[MOST / 2] = {0}, records[MOST];
  if (P == 1 || P * record > MOST) { /* the receiver may have no memory for a long one */
    info = grid_agree(head, info);
    return info == GrB_SUCCESS ? grid_ctx.transport->allgather(GRID_SET_ALL, local, bytes, all) : info;
  }
  memcpy(message, &word, sizeof word);
  if (info == GrB_SUCCESS) memcpy(message + sizeof word, local, bytes);
  const GrB_Info sent = grid_ctx.transport->allgather(GRID_SET_ALL, message, record, records);
  if (sent != GrB_SUCCESS) return sent;
  for (size_t r = 0; r < P; r++) {
    memcpy(&word, records + r * record, sizeof word);
    if (word > failure) failure = word;
    if (info == GrB_SUCCESS) memcpy((char *)all + r * bytes, records + r * record + sizeof word, bytes);
  }
  return resolve_failure(head, failure, info);
}
