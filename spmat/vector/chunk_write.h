/* c<mask, replace> accum= t in two steps, so that a caller can agree between them on whether every process
 * got the memory it needs. grid_chunk_write does both at once. */
#ifndef GRID_CHUNK_WRITE_H
#define GRID_CHUNK_WRITE_H
#include "spmat/vector/bound_operator.h"

typedef struct {
  grid_chunk *c;
  const grid_chunk *t; /* the operand */
  grid_chunk *owned_t; /* t, if c may take it over */
  grid_mask mask;      /* a view of the caller's mask, or a copy in the other memory */
  bool device;         /* c and t are written on the device */
  void *kernel;        /* device: writes the words, unless a compiled kernel does */
  bool accum, replace;
  bool masked;       /* t has no entries outside the mask */
  bool replaces_all; /* no old entry of c remains */
  bool iso;          /* all entries of the result share one value */
  enum { GRID_WRITE_NONE, GRID_WRITE_FILTER, GRID_WRITE_MOVE, GRID_WRITE_MERGE, GRID_WRITE_WORDS } path;
  grid_copier copy;
  grid_binary op;
  const void *x;       /* iso t: its value in c's type, in host memory */
  grid_any_value cast; /* storage for it */
  grid_chunk view;     /* t restricted by the mask */
  void *view_values;   /* of the view, unless they are t's */
  grid_chunk out;      /* new arrays */
} grid_write;

/* Plans and allocates. t is borrowed; or (owned_t != NULL, then t == owned_t) c may take it over. t may be c
 * itself if the device is off and accum is NULL. On failure there is nothing to free. c and t keep their
 * entries, perhaps in another format or memory. p must not be moved. With the device on, the write is done
 * there unless c, t or the accumulator must stay on the host. */
GrB_Info grid_write_prepare(grid_write *p, grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum,
                            bool replace, const grid_chunk *t, grid_chunk *owned_t, bool masked);
/* Writes; cannot fail. (A failure of the GPU is returned by the next call that uses it.) */
void grid_write_commit(grid_write *p);
/* Frees what prepare allocated, without writing. */
void grid_write_cancel(grid_write *p);
/* A full chunk of length n whose entries all are *x; borrows x. */
grid_chunk grid_chunk_of_scalar(const void *x, GrB_Type type, uint64_t n);
#endif
