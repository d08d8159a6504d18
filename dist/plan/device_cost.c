/* Searches on GPUs of one machine, P x 1, in one kernel. Fitted to graph500 on H100s
 * (docs/measurements/several-gpus.md): one GPU at scales 24 and 26 0.47 and 1.53 ms, two 0.53 and 1.18 ms. */
#include "dist/grid/process_grid.h"

/* One GPU takes START for a search, and VERTEX and ENTRY for each; several also synchronize in each of
 * LEVELS levels, and take SHARED times as long for each vertex and entry, since they read each other's
 * memory. Of a vertex's time, the pulls of its row's first entries, most does not depend on its degree. */
static const double START = 0.12e-3, VERTEX = 16e-12, ENTRY = 0.16e-12, LEVEL = 27e-6, SHARED = 1.23;
enum { LEVELS = 7 };

double Grid_device_search_seconds(uint64_t n, uint64_t entries, int P) {
  const double work = VERTEX * (double)n + ENTRY * (double)entries;
  return P <= 1 ? START + work : START + LEVELS * LEVEL + SHARED * work / P;
}
