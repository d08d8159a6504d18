/* See vector_segments.h. */
#include "dist/extensions/containers/vector_segments.h"

#include <string.h>

#include "dist/grid/layout.h"

/* How much of [from, from + count) lies in [start, start + length). */
static uint64_t overlap(uint64_t from, uint64_t count, uint64_t start, uint64_t length) {
  const uint64_t low = from > start ? from : start,
                 high = from + count < start + length ? from + count : start + length;
  return high > low ? high - low : 0;
}

GrB_Info grid_segments_to_chunk(grid_chunk *t, GrB_Type type, const void *x, uint64_t start, uint64_t count,
                                uint64_t n) {
  const size_t P = (size_t)grid_ctx.P;
  uint64_t *to = grid_malloc(P, sizeof *to), received = 0;
  void *val = NULL;
  GrB_Info info = grid_agree(NULL, to ? GrB_SUCCESS : grid_fail_memory(NULL, "counts", P, sizeof *to));
  grid_chunk_init(t, type, grid_chunk_length(n, grid_ctx.k));
  TRY(info);
  for (int r = 0; r < grid_ctx.P; r++)
    to[r] = overlap(start, count, grid_chunk_first(n, r), grid_chunk_length(n, r));
  TRY(grid_exchange_elements(x, to, type->size, &val, &received));
  if (received == 0) goto done;
  t->val = val;
  t->cap_val = received * type->size;
  t->nvals = received;
  t->format = GRID_FULL;
  val = NULL;
done:
  grid_free(val);
  grid_free(to);
  return info;
}

typedef struct {
  uint64_t start, count;
} segment;

/* *send = the parts of this process's chunk, whose values are x, that the segments have; to[r]: how many. */
static GrB_Info list_parts(char **send, uint64_t *to, const segment *of, const char *x, GrB_Vector v) {
  const uint64_t first = grid_chunk_first(v->n, grid_ctx.k), length = v->chunk.n;
  const size_t size = v->type->size;
  uint64_t all = 0;
  for (int r = 0; r < grid_ctx.P; r++) all += to[r] = overlap(first, length, of[r].start, of[r].count);
  char *at = *send = grid_malloc(all, size);
  if (!at) return grid_fail_memory(NULL, "values of a container", all, size);
  for (int r = 0; r < grid_ctx.P; r++) {
    const uint64_t from = of[r].start > first ? of[r].start - first : 0;
    if (to[r]) memcpy(at, x + from * size, to[r] * size);
    at += to[r] * size;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_segment_of_vector(void **x, GrB_Vector v, uint64_t start, uint64_t count) {
  const size_t P = (size_t)grid_ctx.P, size = v->type->size;
  const segment local = {start, count};
  segment *of = grid_malloc(P, sizeof *of);
  uint64_t *to = grid_malloc(P, sizeof *to), received = 0;
  char *send = NULL, *values = grid_malloc(v->chunk.n, size);
  GrB_Info info = GrB_SUCCESS;
  *x = NULL;
  if (!of || !to || !values)
    info = grid_fail_memory(NULL, "values of a container", v->chunk.n, size);
  else
    info = grid_vec_tuples(NULL, values, v->type, &v->chunk, 0);
  TRY(grid_agree(&v->head, info));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, &local, sizeof local, of));
  TRY(grid_agree(&v->head, list_parts(&send, to, of, values, v)));
  info = grid_exchange_elements(send, to, size, x, &received);
done:
  grid_free(of);
  grid_free(to);
  grid_free(send);
  grid_free(values);
  return info;
}
