/* chunk_write.h: c<mask, replace> accum= t in two steps, so that a caller can settle between them whether
 * every process got the memory it needs. grid_chunk_write does both at once. */
#ifndef GRID_CHUNK_WRITE_H
#define GRID_CHUNK_WRITE_H
#include "spmat/vector/bound_operator.h"

typedef struct {
  grid_chunk *c;
  const grid_chunk *t; /* what is written */
  grid_chunk *owned_t; /* t, when c may take it over */
  grid_mask mask;      /* a view of the caller's mask, or a copy in the other memory */
  bool device;         /* c and t are written on the device */
  void *kernel;        /* there: what writes the words, unless a ready kernel does */
  bool accum, replace;
  bool masked;       /* t holds nothing outside the mask */
  bool replaces_all; /* nothing of c's old entries stays */
  bool iso;          /* all entries of the result share one value */
  enum { GRID_WRITE_NONE, GRID_WRITE_MOVE, GRID_WRITE_MERGE, GRID_WRITE_WORDS } path;
  grid_copier copy;
  grid_binary op;
  const void *x;   /* iso t: its value in c's type, in host memory */
  uint64_t cast;   /* room for it */
  grid_chunk view; /* t seen through the mask */
  grid_chunk out;  /* new arrays */
} grid_write;

/* Plans and allocates. t is borrowed, or (mine != NULL, then t == mine) may be taken over. On failure nothing
 * is left to be freed. c and t keep their entries, though perhaps in another format or memory. p must stay
 * where it is. With the device on, the write is done there unless c, t or the accumulator must stay on the
 * host. */
GrB_Info grid_write_prepare(grid_write *p, grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum,
                            bool replace, const grid_chunk *t, grid_chunk *mine, bool masked);
/* Writes; cannot fail. (If the GPU does, the next call that asks it for anything says so.) */
void grid_write_commit(grid_write *p);
/* Gives back what prepare allocated, without writing. */
void grid_write_cancel(grid_write *p);
/* A full chunk of length n whose entries all are *x; borrows x. */
grid_chunk grid_chunk_of_scalar(const void *x, GrB_Type type, uint64_t n);
#endif
