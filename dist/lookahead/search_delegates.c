/* Indexes a search's delegates over the grid. Rows do not move: only first neighbors are rewritten, with
 * delegate indices. */
#include "dist/lookahead/search_delegates.h"

#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/grid/process_grid.h"
#include "gridblas.h"
#include "spmat/backend.h"

void grid_search_delegates_free(grid_level_search *w) {
  grid_device_free(w->delegates.vertex);
  grid_device_free(w->delegates.bits);
  grid_device_free(w->delegates.hub_neighbor);
  memset(&w->delegates, 0, sizeof w->delegates);
}

static GrB_Info make_arrays(grid_level_search *w) {
  grid_level_delegates *d = &w->delegates;
  const uint64_t all = (uint64_t)w->P * d->per_process;
  d->vertex = grid_device_malloc(all, sizeof *d->vertex);
  d->bits = grid_device_malloc(all / 32, sizeof *d->bits);
  d->hub_neighbor = grid_device_malloc(w->q, sizeof *d->hub_neighbor);
  return d->vertex && d->bits && d->hub_neighbor ? grid_device_zero(d->bits, all / 8) : GRID_UNSUPPORTED;
}

/* If one process lacks memory, none has delegates. */
static GrB_Info agree(GrB_Info info) {
  return grid_agree_supported(NULL, info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info);
}

/* Counts the delegates, and the maximum of a process. */
static GrB_Info count(const grid_level_search *w, uint64_t *all, uint64_t *most) {
  GrB_Info info = agree(grid_cuda->levels->mark(w, (uint64_t)w->graph.delegates, all));
  *most = *all;
  if (info == GrB_SUCCESS) info = grid_ctx.transport->allreduce(GRID_SET_ALL, all, 1, GRID_SUM);
  return info == GrB_SUCCESS ? grid_ctx.transport->allreduce(GRID_SET_ALL, most, 1, GRID_MAX) : info;
}

static GrB_Info number(grid_level_search *w) {
  const grid_device_transport *t;
  uint64_t most;
  GrB_Info info = grid_device_transport_get(&t);
  TRY(info);
  TRY(count(w, &w->delegates.d, &most));
  if (most == 0) return info;
  w->delegates.per_process = (most + 63) / 64 * 64;
  TRY(agree(make_arrays(w)));
  TRY(t->allgather(GRID_SET_ALL, w->bits[0] + (uint64_t)w->k * w->q / 32, w->q / 8, w->bits[0]));
  TRY(agree(grid_cuda->levels->number(w)));
done:
  return info;
}

GrB_Info grid_search_delegates_make(grid_level_search *w) {
  grid_search_delegates_free(w);
  /* delegate indices share 32 bits with vertices, distinguished by one bit */
  if (w->graph.delegates < 0 || w->P * w->q > GRID_LEVEL_DELEGATE) return GrB_SUCCESS;
  GrB_Info info = number(w);
  if (info != GrB_SUCCESS) grid_search_delegates_free(w);
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}
