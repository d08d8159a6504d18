/* Random vertices, the same on any number of processes: search keys, samples. */
#include "bench/vertices/random_vertices.h"

#include <stdlib.h>

/* A number that depends on the seed and k alone, so that every process draws the same (splitmix64). */
static uint64_t draw(uint64_t seed, uint64_t k) {
  return Grid_Rmat_mix(seed + (k + 1) * GRID_RMAT_GOLDEN);
}

enum { BATCH = 512 };

/* has[k] = 1 where the candidate has an edge. Only its owner knows, so the sum over processes is taken. `at`
 * are this process's vertices with edges, ascending. */
static GrB_Info look_up(uint64_t has[BATCH], const uint64_t candidate[BATCH], const GrB_Index *at,
                        GrB_Index count) {
  for (int k = 0; k < BATCH; k++) {
    GrB_Index low = 0, high = count;
    while (low < high) {
      const GrB_Index middle = low + (high - low) / 2;
      if (at[middle] < candidate[k])
        low = middle + 1;
      else
        high = middle;
    }
    has[k] = low < count && at[low] == candidate[k];
  }
  return Grid_sum(has, BATCH);
}

static bool is_new(const uint64_t *vertex, uint64_t count, uint64_t v) {
  for (uint64_t k = 0; k < count; k++)
    if (vertex[k] == v) return false;
  return true;
}

int draw_vertices(uint64_t *vertex, uint64_t *count, const graph *g, uint64_t wanted, uint64_t seed) {
  GrB_Index nlocal, all = 0, *at = NULL;
  uint64_t candidate[BATCH], has[BATCH];
  *count = 0;
  GrB_Info info = local_entries(&at, NULL, 0, &nlocal, g->out_degree, "no memory for the search keys");
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&all, g->out_degree);
  if (info == GrB_SUCCESS && all < wanted) wanted = all;
  for (uint64_t drawn = 0; info == GrB_SUCCESS && *count < wanted; drawn += BATCH) {
    for (uint64_t k = 0; k < BATCH; k++) candidate[k] = draw(seed ^ UINT64_C(0x6b657973), drawn + k) % g->n;
    info = look_up(has, candidate, at, nlocal);
    for (int k = 0; info == GrB_SUCCESS && k < BATCH && *count < wanted; k++)
      if (has[k] && is_new(vertex, *count, candidate[k])) vertex[(*count)++] = candidate[k];
  }
  free(at);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("picking the search keys");
}
