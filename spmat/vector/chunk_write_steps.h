/* Steps of a write on the host (chunk_write.c). */
#ifndef GRID_CHUNK_WRITE_STEPS_H
#define GRID_CHUNK_WRITE_STEPS_H
#include "spmat/vector/chunk_write.h"

static inline bool grid_write_mask_is_list(const grid_mask *m) {
  return !m->all && !m->bits && !m->complement;
}

/* WORDS: the entries and values of c, which is a bitmap or full. Cannot fail. */
void grid_write_words(grid_write *p);
#endif
