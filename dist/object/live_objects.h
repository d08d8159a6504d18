/* The matrices and vectors that are alive, in the order in which they were made, the same on all processes:
 * who changes how a dimension is cut finds them here. */
#ifndef GRID_LIVE_OBJECTS_H
#define GRID_LIVE_OBJECTS_H

typedef struct grid_live_object {
  struct grid_live_object *before, *after; /* a ring through the list's head */
  void *object;
} grid_live_object;
typedef enum { GRID_MATRICES, GRID_VECTORS, GRID_LIVE_KINDS } grid_live_kind;

void grid_live_add(grid_live_kind kind, grid_live_object *m, void *object);
void grid_live_remove(grid_live_object *m);
/* The first that joined, or the next; NULL: there is none. No object may begin or end meanwhile. */
const grid_live_object *grid_live_next(grid_live_kind kind, const grid_live_object *m);
/* The library ends: what is alive is on no list any more. It may be freed yet. */
void grid_live_clear(void);
#endif
