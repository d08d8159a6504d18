/* See split_cost.h. */
#include "dist/plan/split_cost.h"

#include <math.h>

#include "dist/plan/network.h"

enum { PARENT = 8 };

/* Costs for each entry, in inspected entries. A split sorts and sends all entries, of 12 bytes. 31 million
 * take 1.5 s on two threads (docs/measurements/bfs-cpu.md), where `gridblas plan` measures 1.7 to 2.2 G
 * inspected entries a second. An index reads all entries twice. The class of each vertex, one byte, is sent
 * to all. */
static const double SPLIT_COST = 95, INDEX_COST = 2;
enum { ENTRY_BYTES = 12 };

double grid_split_seconds(double entries, int P, const Grid_Network *net) {
  const double local_entries = entries / P;
  return SPLIT_COST * local_entries / net->rate +
         (P > 1 ? grid_network_seconds(net, ENTRY_BYTES * local_entries) : 0);
}

double grid_index_seconds(double n, double entries, int P, const Grid_Network *net) {
  return INDEX_COST * entries / P / net->rate + grid_network_seconds(net, n);
}

/* Each process sends the others two bitmaps of its delegates and a word, its frontier and its mask
 * (delegate_replicate.c). The bits of those found, and their parents, are summed (delegate_merge.c). */
double grid_split_bytes(const Grid_Search *t, uint64_t found) {
  const double P = t->P;
  uint64_t most = 0;
  for (int k = 0; k < t->P; k++) most = t->d_of[k] > most ? t->d_of[k] : most;
  const double bitmap_words = ceil((double)most / 64), words = ceil((double)t->d / 64);
  const double values = found > 0 ? 8 * ceil((double)found / 64) + PARENT * (double)found : 0;
  return 8 * P * (P - 1) * (2 * bitmap_words + 1) + P * (8 * words + values);
}
