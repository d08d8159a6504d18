/* What messages cost: see network.h. */
#include "dist/grid/network.h"

#include <stdlib.h>

static bool read_cost(const char *text, grid_network *n) {
  char *comma;
  n->latency = strtod(text, &comma);
  if (comma == text || *comma != ',') return false;
  n->bandwidth = strtod(comma + 1, NULL);
  return n->latency >= 0 && n->bandwidth > 0;
}

GrB_Info grid_network_told(grid_network *n, bool *told) {
  struct {
    grid_network cost;
    bool given;
  } root = {0};
  const char *text = grid_here.k == 0 ? getenv("GRIDBLAS_NETWORK") : NULL;
  root.given = text && read_cost(text, &root.cost);
  GrB_Info info = grid_here.transport->bcast(GRID_SET_ALL, &root, sizeof root, 0);
  *n = root.cost;
  *told = info == GrB_SUCCESS && root.given;
  return info;
}
