/* A set of vertex names below 2^32, numbered 0, 1, 2, ... in ascending order once complete: the order by
 * names is the order by numbers. */
#ifndef GRID_ID_SET_H
#define GRID_ID_SET_H
#include "dist/grid/process_grid.h"

typedef struct {
  uint64_t *bits;
  uint32_t *before; /* for each word: names in the words before it */
  uint64_t words, n;
} grid_id_set;

/* Grows the bitmap for names up to `largest`. Local. */
GrB_Info grid_id_set_reserve(grid_id_set *s, uint64_t largest);
void grid_id_set_free(grid_id_set *s);
static inline void grid_id_set_add(grid_id_set *s, uint64_t name) {
  s->bits[name >> 6] |= UINT64_C(1) << (name & 63);
}
/* The union over all processes, numbered: n names. Collective, agreed on with each process's info. */
GrB_Info grid_id_set_merge(grid_id_set *s, GrB_Info info);
/* name[k] = the name with number k. Local. */
void grid_id_set_list(uint64_t *name, const grid_id_set *s);
/* A name's number; for a name not in the set, that of the next one. */
static inline uint64_t grid_id_set_rank(const grid_id_set *s, uint64_t name) {
  const uint64_t w = name >> 6;
  if (w >= s->words) return s->n;
  return s->before[w] + (uint64_t)__builtin_popcountll(s->bits[w] & ((UINT64_C(1) << (name & 63)) - 1));
}
#endif
