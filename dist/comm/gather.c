/* The bytes of all processes on one of them, for programs. */
#include "dist/grid/process_grid.h"

#include <string.h>

#include "dist/grid/layout.h"

typedef struct {
  size_t *bytes;        /* of every process two: what it sends, and the capacity of its `all` */
  size_t *out, *out_at; /* for every process: what is sent to it, and where that begins */
  size_t *in, *in_at;   /* the same for what is received */
} sizes;

static GrB_Info check_arguments(const void *all, const size_t *n, const void *local, size_t bytes, int root) {
  if (root < 0 || root >= grid_ctx.P)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_gather: root %d is not one of %d processes", root,
                     grid_ctx.P);
  if (!local && bytes) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_gather: argument local is NULL");
  if (root == grid_ctx.k && (!n || (!all && *n)))
    return grid_fail(NULL, GrB_NULL_POINTER, "Grid_gather: argument %s is NULL", n ? "all" : "n");
  return GrB_SUCCESS;
}

static GrB_Info allocate(sizes *s) {
  const size_t P = (size_t)grid_ctx.P;
  s->bytes = grid_calloc(6 * P, sizeof *s->bytes);
  if (!s->bytes) return grid_fail_memory(NULL, "message sizes", 6 * P, sizeof *s->bytes);
  s->out = s->bytes + 2 * P, s->out_at = s->out + P, s->in = s->out_at + P, s->in_at = s->in + P;
  return GrB_SUCCESS;
}

/* *longest: the most that a process sends. */
static GrB_Info plan(const sizes *s, size_t *n, size_t *longest, size_t bytes, int root) {
  const size_t P = (size_t)grid_ctx.P, to = (size_t)root, local[2] = {bytes, *n};
  size_t total = 0;
  GrB_Info info = grid_ctx.transport->allgather(GRID_SET_ALL, local, sizeof local, s->bytes);
  if (info != GrB_SUCCESS) return info;
  for (size_t r = 0; r < P; r++) {
    const size_t rank_bytes = s->bytes[2 * r];
    if (grid_ctx.k == root) s->in[r] = r == to ? 0 : rank_bytes, s->in_at[r] = total;
    if (r != to && rank_bytes > *longest) *longest = rank_bytes;
    total += rank_bytes;
  }
  const size_t capacity = s->bytes[2 * to + 1];
  if (total > capacity)
    return grid_fail(NULL, GrB_INSUFFICIENT_SPACE, "Grid_gather: there are %zu bytes, and `all` holds %zu",
                     total, capacity);
  if (grid_ctx.k != root) s->out[to] = bytes;
  *n = total;
  return GrB_SUCCESS;
}

static GrB_Info gather(const sizes *s, void *all, size_t *n, const void *local, size_t bytes, int root) {
  const grid_transport *by = grid_ctx.transport;
  size_t longest = 0;
  GrB_Info info = plan(s, n, &longest, bytes, root);
  if (info != GrB_SUCCESS) return info;
  if (grid_ctx.k == root && bytes) memcpy((char *)all + s->in_at[root], local, bytes);
  return by->exchange_long
             ? by->exchange_long(GRID_SET_ALL, local, s->out, s->out_at, all, s->in, s->in_at, longest)
             : by->exchange(GRID_SET_ALL, local, s->out, s->out_at, all, s->in, s->in_at);
}

GrB_Info Grid_gather(void *all, size_t *n, const void *local, size_t bytes, int root) {
  GRID_CALL_SCOPE;
  size_t none = 0;
  sizes s = {.bytes = NULL};
  GrB_Info info = grid_check_initialized("Grid_gather");
  if (info != GrB_SUCCESS) return info;
  info = check_arguments(all, n, local, bytes, root);
  if (info == GrB_SUCCESS) info = allocate(&s);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) info = gather(&s, all, root == grid_ctx.k ? n : &none, local, bytes, root);
  grid_free(s.bytes);
  return info;
}
