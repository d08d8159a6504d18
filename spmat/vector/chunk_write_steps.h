/* Steps of a write on the host (chunk_write.c). */
#ifndef GRID_CHUNK_WRITE_STEPS_H
#define GRID_CHUNK_WRITE_STEPS_H
#include "spmat/vector/chunk_write.h"

static inline bool grid_write_mask_is_list(const grid_mask *m) {
  return !m->all && !m->bits && !m->complement;
}

/* Do c and t have a value at every index, of which accum makes the new one? */
static inline bool grid_write_is_full_sum(const grid_write *p) {
  return p->accum && !p->replaces_all && p->c->format == GRID_FULL && p->t->format == GRID_FULL &&
         p->mask.all && !p->iso;
}
/* Then: stores those values at z, which is c's or t's array. */
void grid_write_full_sum(const grid_write *p, void *z);

/* WORDS: the entries and values of c, which is a bitmap or full. Cannot fail. */
void grid_write_words(grid_write *p);
#endif
