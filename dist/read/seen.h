/* Vertex names below 2^32 that come in pieces, numbered 0, 1, 2, ... in ascending order once all have come:
 * who sorts by names sorts by numbers. */
#ifndef GRID_SEEN_H
#define GRID_SEEN_H
#include "dist/grid/grid.h"

typedef struct {
  uint64_t *bits;
  uint32_t *before; /* of each word: the names in those before it */
  uint64_t words, n;
} grid_seen;

/* Room for names up to `largest`. Local. */
GrB_Info grid_seen_room(grid_seen *s, uint64_t largest);
void grid_seen_free(grid_seen *s);
static inline void grid_seen_add(grid_seen *s, uint64_t name) {
  s->bits[name >> 6] |= UINT64_C(1) << (name & 63);
}
/* The names of all processes, numbered: n of them. Collective, agreed on with each one's info. */
GrB_Info grid_seen_share(grid_seen *s, GrB_Info info);
/* name[k] = the name with number k, of all. Local. */
void grid_seen_names(uint64_t *name, const grid_seen *s);
/* A name's number; of another name that of the next. */
static inline uint64_t grid_seen_number(const grid_seen *s, uint64_t name) {
  const uint64_t w = name >> 6;
  if (w >= s->words) return s->n;
  return s->before[w] + (uint64_t)__builtin_popcountll(s->bits[w] & ((UINT64_C(1) << (name & 63)) - 1));
}
#endif
