/* See split_cost.h. */
#include "dist/plan/split_cost.h"

#include <math.h>

#include "dist/plan/network.h"

/* Bytes of a message's head and of a parent. A delegate that is found has hits on several processes: 1.1 of
 * the others on 4, 3 on 16 (R-MAT, scales 16 and 18). */
enum { HEAD = 32, PARENT = 4, HITS_PER_DELEGATE = 3 };

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

/* Bytes of the values of `found` delegates, sent to their owners by the other processes that found them
 * (delegate_merge.c): lists or bitmaps of positions, and parents. */
static double value_bytes(const Grid_Search *t, double found, double most) {
  const double P = t->P, pairs = P * (P - 1),
               contributions = found * (P - 1) * (1 - pow(1 - 1 / P, HITS_PER_DELEGATE)),
               of_pair = contributions / pairs;
  if (found <= 0) return 0;
  return pairs * fmin(of_pair, 1) * HEAD + pairs * fmin(4 * of_pair, most / 8) + PARENT * contributions;
}

/* Each process sends the others two bitmaps of its delegates and a word, its frontier and its mask
 * (delegate_replicate.c). The bits of those found are summed. */
double grid_split_bytes(const Grid_Search *t, uint64_t found) {
  const double P = t->P;
  uint64_t most = 0;
  for (int k = 0; k < t->P; k++) most = t->d_of[k] > most ? t->d_of[k] : most;
  const double bitmap_words = ceil((double)most / 64), words = ceil((double)t->d / 64);
  return 8 * P * (P - 1) * (2 * bitmap_words + 1) + P * 8 * words +
         value_bytes(t, (double)found, (double)most);
}
