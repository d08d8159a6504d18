/* The process grid: the checks at the start of a call, identity of a process, and public calls over all
 * processes. */
#include "dist/grid/process_grid.h"

#include "dist/comm/transport/mpi_init.h"
#include "dist/grid/hooks.h"
#include "dist/grid/layout.h"
#include "semiring/threads/possible_threads.h"
#include "semiring/threads/context_section.h"

uint64_t grid_default_calls GRID_OF_CONTEXT = 1, grid_default_singles GRID_OF_CONTEXT;
grid_context grid_default_ctx GRID_OF_CONTEXT = {.R = 1, .C = 1, .P = 1, .threads = 1};

bool grid_takes_turns(void) {
  return grid_ctx.P > 1 && !grid_mpi_allows_threads();
}

GrB_Info grid_check_alive(const char *call) {
  if (grid_ctx.initialized) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s: the library is not initialised (call GrB_init first)", call);
}

GrB_Info grid_check_local_handle(const void *object, grid_kind kind, const char *call, const char *what) {
  GrB_Info info = grid_check_alive(call);
  return info == GrB_SUCCESS ? grid_check_handle(object, kind, NULL, call, what) : info;
}

GrB_Info grid_check_collective_single(const char *call) {
  GrB_Info info = grid_check_alive(call);
  if (grid_is_call_check_on && info == GrB_SUCCESS) info = grid_compare_calls(call);
  return info == GrB_SUCCESS ? grid_lookahead->materialize() : info;
}

GrB_Info grid_check_collective(const char *call) {
  GrB_Info info = grid_check_collective_single(call);
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
  if (R != NULL) *R = grid_ctx.R;
  if (C != NULL) *C = grid_ctx.C;
}

int Grid_threads(int n) {
  if (n >= 1) {
    grid_ctx.threads = grid_possible_threads(n);
    grid_set_threads(grid_ctx.threads);
    grid_call_set_default_threads(grid_ctx.threads);
  }
  return grid_ctx.threads;
}

const char *Grid_last_error(void) {
  return grid_last_error();
}
const char *Grid_info_name(int info) {
  return grid_info_name(info);
}

/* ---- public calls over all processes ---- */

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
