/* The order of edges in a matching: by weight, then by a hash of their ends, then by the larger and by the
 * smaller end. Of the edges of one vertex that is the order by weight, hash and other end. */
#ifndef GRID_MATCHING_ORDER_H
#define GRID_MATCHING_ORDER_H
#include "algos/support/operators.h"

WITH_TEXT(
    matching_edge, typedef struct {
      double weight;
      uint64_t hash;
    } matching_edge;)
WITH_TEXT(
    matching_key,
    static void matching_key(matching_edge *z, const double *x, uint64_t i, uint64_t j, const uint64_t *key) {
      uint64_t h = (i < j ? i : j) ^ *key;
      for (int pass = 0; pass < 2; pass++) {
        h += 0x9e3779b97f4a7c15u;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        h ^= h >> 31;
        if (pass == 0) h += i < j ? j : i;
      }
      z->weight = *x;
      z->hash = h;
    })

/* *mate becomes a new vector: the matching of the edges W, FP64 and symmetric, by a serial pass
 * (matching_serial.c). Loops are ignored. */
GrB_Info grid_matching_serial(GrB_Vector *mate, GrB_Matrix W, GrB_Index n, uint64_t seed);
#endif
