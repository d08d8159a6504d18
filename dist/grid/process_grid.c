/* The process grid: identity of a process, and agreement on outcomes. */
#include "dist/grid/process_grid.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "dist/grid/hooks.h"
#include "dist/grid/layout.h"
#include "spmat/device/device.h"

uint64_t grid_calls = 1, grid_singles;
grid_context grid_ctx = {.R = 1, .C = 1, .P = 1, .threads = 1};

GrB_Info grid_check_alive(const char *call) {
  if (grid_ctx.initialized) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s: the library is not initialised (call GrB_init first)", call);
}

GrB_Info grid_check_local(const void *object, const char *call, const char *what) {
  GrB_Info info = grid_check_alive(call);
  return info == GrB_SUCCESS ? grid_check_object(object, NULL, call, what) : info;
}

GrB_Info grid_check_single(const char *call) {
  GrB_Info info = grid_check_alive(call);
  if (grid_is_call_check_on && info == GrB_SUCCESS) info = grid_compare_calls(call);
  return info == GrB_SUCCESS ? grid_lookahead->materialize() : info;
}

GrB_Info grid_check_initialized(const char *call) {
  GrB_Info info = grid_check_single(call);
  if (!grid_is_one_host_process()) grid_calls++;
  return info;
}

/* ---- identity ---- */

int Grid_rank(void) {
  return grid_ctx.k;
}
int Grid_size(void) {
  return grid_ctx.P;
}

void Grid_shape(int *R, int *C) {
  *R = grid_ctx.R;
  *C = grid_ctx.C;
}

int Grid_threads(int n) {
  if (n >= 1) {
    grid_ctx.threads = n;
    omp_set_num_threads(n);
  }
  return grid_ctx.threads;
}

const char *Grid_last_error(void) {
  return grid_last_error();
}
const char *Grid_info_name(int info) {
  return grid_info_name(info);
}

/* ---- agreement ---- */

/* Broadcasts the error text of process `from`, so that GrB_error says the same everywhere. */
static GrB_Info spread_failure(grid_head *head, int from, GrB_Info info) {
  char text[1024] = "";
  if (grid_ctx.k == from) snprintf(text, sizeof text, "%s", grid_last_error());
  GrB_Info sent = grid_ctx.transport->bcast(GRID_SET_ALL, text, sizeof text, from);
  if (sent != GrB_SUCCESS) return sent;
  return grid_fail(head, info, "%s", text);
}

/* Encodes a failure as one number, whose maximum is the lowest rank that failed, with its error code.
 * GRID_REMOTE_FAILURE sorts below all other errors. */
static uint64_t failure_word(GrB_Info info) {
  if (info == GrB_SUCCESS) return 0;
  if (info == GRID_REMOTE_FAILURE) return 1;
  uint64_t before = (uint64_t)(grid_ctx.P - grid_ctx.k); /* larger for lower ranks */
  return before << 16 | (uint64_t)(uint16_t)(int16_t)info;
}

static GrB_Info resolve_failure(grid_head *head, uint64_t word) {
  if (word == 0) return GrB_SUCCESS;
  if (word == 1) return grid_fail(head, GrB_PANIC, "a process failed without an error text");
  const int from = grid_ctx.P - (int)(word >> 16);
  const GrB_Info info = (GrB_Info)(int16_t)(uint16_t)(word & 0xffff);
  return info == GRID_UNSUPPORTED ? info : spread_failure(head, from, info); /* no error, so no text */
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
  return sent != GrB_SUCCESS ? sent : resolve_failure(head, word);
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

GrB_Info grid_agree_supported(grid_head *head, GrB_Info info) {
  uint64_t absent = info == GRID_UNSUPPORTED;
  info = grid_agree_sum(head, absent ? GrB_SUCCESS : info, &absent, 1);
  return info == GrB_SUCCESS && absent ? GRID_UNSUPPORTED : info;
}

GrB_Info Grid_agree(int info, const char *text) {
  GRID_CALL_SCOPE;
  GrB_Info initialized = grid_check_initialized("Grid_agree");
  if (initialized != GrB_SUCCESS) return initialized;
  if (info != GrB_SUCCESS && text) grid_fail(NULL, (GrB_Info)info, "%s", text);
  return grid_agree(NULL, (GrB_Info)info);
}

static GrB_Info reduce_public(const char *call, uint64_t *v, size_t n, grid_reduction op) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!v && n) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument v is NULL", call);
  return grid_ctx.transport->allreduce(GRID_SET_ALL, v, n, op);
}

GrB_Info Grid_sum(uint64_t *v, size_t n) {
  return reduce_public("Grid_sum", v, n, GRID_SUM);
}
GrB_Info Grid_max(uint64_t *v, size_t n) {
  return reduce_public("Grid_max", v, n, GRID_MAX);
}

GrB_Info Grid_bcast(void *buf, size_t bytes, int root) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_initialized("Grid_bcast");
  if (info != GrB_SUCCESS) return info;
  if (!buf && bytes) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_bcast: argument buf is NULL");
  if (root < 0 || root >= grid_ctx.P)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_bcast: root %d is not one of %d processes", root,
                     grid_ctx.P);
  return grid_ctx.transport->bcast(GRID_SET_ALL, buf, bytes, root);
}

GrB_Info Grid_local_range(GrB_Index n, GrB_Index *first, GrB_Index *count) {
  GrB_Info info = grid_check_alive("Grid_local_range");
  if (info != GrB_SUCCESS) return info;
  if (!first || !count) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_local_range: an argument is NULL");
  uint64_t from = grid_chunk_first(n, grid_ctx.k);
  *count = grid_chunk_length(n, grid_ctx.k);
  *first = from;
  return GrB_SUCCESS;
}

void Grid_traffic(uint64_t *calls, uint64_t *bytes) {
  if (calls) *calls = grid_traffic_now.calls;
  if (bytes) *bytes = grid_traffic_now.bytes;
}

uint64_t Grid_memory(uint64_t *peak, bool reset) {
  if (peak) *peak = grid_mem_peak();
  if (reset) grid_mem_reset_peak();
  return grid_mem_bytes();
}
