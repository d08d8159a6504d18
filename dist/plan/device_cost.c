/* Searches and products on GPUs of one machine, P x 1, with constants fitted to H200s
 * (docs/measurements/several-gpus.md). Searches are those of graph500 in one kernel: one GPU takes 0.091,
 * 0.149, 0.353 and 1.12 ms at scales 20, 22, 24 and 26, two 0.169, 0.265, 0.383 and 0.815 ms. Products are
 * iterations of PageRank in FP32: 0.60 and 2.85 ms at 22 and 24 on one, 0.45 and 1.61 on two. */
#include "dist/grid/process_grid.h"

/* One GPU takes START for a search, and VERTEX and ENTRY for each. Several also synchronize in each of LEVELS
 * levels, and take SHARED times as long for each vertex and entry, since they read each other's memory. Of a
 * vertex's time, the pulls of its row's first entries, most does not depend on its degree. */
static const double START = 84e-6, VERTEX = 11.8e-12, ENTRY = 0.12e-12, LEVEL = 17e-6, SHARED = 1.2;
enum { LEVELS = 7 };

double Grid_device_search_seconds(uint64_t n, uint64_t entries, int P) {
  const double work = VERTEX * (double)n + ENTRY * (double)entries;
  return P <= 1 ? START + work : START + LEVELS * LEVEL + SHARED * work / P;
}

/* Several GPUs first gather the vector, of which each has a part. */
static const double PRODUCT_START = 20e-6, PRODUCT_ENTRY = 5.1e-12, GATHER_START = 55e-6,
                    GATHERED_BYTE = 3.3e-12;

double Grid_device_product_seconds(uint64_t n, uint64_t entries, int P) {
  const double local = PRODUCT_START + PRODUCT_ENTRY * (double)entries / (P <= 1 ? 1 : P);
  if (P <= 1) return local;
  return local + GATHER_START + GATHERED_BYTE * (double)sizeof(float) * (double)n * (P - 1) / P;
}
