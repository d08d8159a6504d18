/* Numbering a search's delegates over the grid. Rows stay where they are: only first
 * entries are written anew, with numbers for delegates. */
#include "dist/search_delegates.h"

#include <string.h>

#include "dist/device_transport.h"
#include "dist/grid.h"
#include "gridblas.h"
#include "spmat/backend.h"

void grid_search_delegates_free(grid_level_share *w) {
  grid_device_free(w->delegates.vertex);
  grid_device_free(w->delegates.bits);
  grid_device_free(w->delegates.first);
  memset(&w->delegates, 0, sizeof w->delegates);
}

static GrB_Info make_arrays(grid_level_share *w) {
  grid_level_delegates *d = &w->delegates;
  const uint64_t all = (uint64_t)w->P * d->per;
  d->vertex = grid_device_malloc(all, sizeof *d->vertex);
  d->bits = grid_device_malloc(all / 32, sizeof *d->bits);
  d->first = grid_device_malloc(w->q, sizeof *d->first);
  return d->vertex && d->bits && d->first ? grid_device_zero(d->bits, all / 8) : GRID_NOT_HERE;
}

/* Has every process done it? Otherwise the search goes without delegates: they are freed. */
static GrB_Info agree(grid_level_share *w, GrB_Info info, bool *done) {
  uint64_t lacking = info == GRID_NOT_HERE || info == GrB_OUT_OF_MEMORY;
  info = grid_agree_sum(NULL, lacking ? GrB_SUCCESS : info, &lacking, 1);
  *done = info == GrB_SUCCESS && !lacking;
  if (!*done) grid_search_delegates_free(w);
  return info;
}

/* How many there are, and the most that a process has. */
static GrB_Info count(const grid_level_share *w, uint64_t threshold, uint64_t *all, uint64_t *most) {
  GrB_Info info = grid_cuda->levels->mark(w, threshold, all);
  *most = *all;
  if ((info = grid_agree_sum(NULL, info, all, 1)) != GrB_SUCCESS) return info;
  return grid_here.transport->allreduce(GRID_SET_ALL, most, 1, GRID_MAX);
}

GrB_Info grid_search_delegates_make(grid_level_share *w, int64_t wanted) {
  const grid_device_transport *t;
  uint64_t all = 0, most = 0;
  bool done;
  grid_search_delegates_free(w);
  /* numbers share 32 bits with vertices, and one bit tells which */
  if (wanted < 0 || w->P * w->q > GRID_LEVEL_DELEGATE) return GrB_SUCCESS;
  GrB_Info info = grid_device_transport_get(&t);
  if (info == GrB_SUCCESS) info = count(w, (uint64_t)wanted, &all, &most);
  if (info != GrB_SUCCESS || most == 0) return info;
  w->delegates.d = all;
  w->delegates.threshold = wanted;
  w->delegates.per = (most + 63) / 64 * 64;
  info = agree(w, make_arrays(w), &done);
  if (!done) return info;
  info = t->allgather(GRID_SET_ALL, w->bits[0] + (uint64_t)w->k * w->q / 32, w->q / 8, w->bits[0]);
  if (info == GrB_SUCCESS) info = grid_cuda->levels->number(w);
  return agree(w, info, &done);
}
