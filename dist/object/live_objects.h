/* Lists of the live matrices and vectors in order of creation, the same on all processes. A change of the
 * partition redistributes the objects listed here. */
#ifndef GRID_LIVE_OBJECTS_H
#define GRID_LIVE_OBJECTS_H

typedef struct grid_live_object {
  struct grid_live_object *before, *after; /* a ring through the list's head */
  void *object;
} grid_live_object;
typedef enum { GRID_MATRICES, GRID_VECTORS, GRID_LIVE_KINDS } grid_live_kind;

void grid_live_add(grid_live_kind kind, grid_live_object *m, void *object);
void grid_live_remove(grid_live_object *m);
/* The first object (m = NULL) or the next; NULL: none. No object may be created or freed during the
 * traversal. */
const grid_live_object *grid_live_next(grid_live_kind kind, const grid_live_object *m);
/* At the end of a context: empties the lists. Objects on them can only be freed from then on. */
void grid_live_clear(void);
#endif
