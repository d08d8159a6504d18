/* Searches on GPUs of one machine, P x 1, in one kernel. Fitted to graph500 on H200s
 * (docs/measurements/several-gpus.md): one GPU at scales 20, 22, 24 and 26 0.12, 0.21, 0.42 and 1.17 ms, two
 * 0.22, 0.30, 0.48 and 0.96 ms. */
#include "dist/grid/process_grid.h"

/* One GPU takes START for a search, and VERTEX and ENTRY for each. Several also synchronize in each of LEVELS
 * levels, and take SHARED times as long for each vertex and entry, since they read each other's memory. Of a
 * vertex's time, the pulls of its row's first entries, most does not depend on its degree. */
static const double START = 0.115e-3, VERTEX = 12e-12, ENTRY = 0.12e-12, LEVEL = 17e-6, SHARED = 1.38;
enum { LEVELS = 7 };

double Grid_device_search_seconds(uint64_t n, uint64_t entries, int P) {
  const double work = VERTEX * (double)n + ENTRY * (double)entries;
  return P <= 1 ? START + work : START + LEVELS * LEVEL + SHARED * work / P;
}
