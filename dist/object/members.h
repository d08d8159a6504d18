/* The matrices and vectors that are alive, in the order in which they were made, the same on all processes:
 * who changes how a dimension is cut finds them here. */
#ifndef GRID_MEMBERS_H
#define GRID_MEMBERS_H

typedef struct grid_member {
  struct grid_member *before, *after; /* a ring through the list's head */
  void *object;
} grid_member;
typedef enum { GRID_MATRICES, GRID_VECTORS, GRID_MEMBER_KINDS } grid_member_kind;

void grid_member_join(grid_member_kind kind, grid_member *m, void *object);
void grid_member_leave(grid_member *m);
/* The first that joined, or the next; NULL: there is none. No object may begin or end meanwhile. */
const grid_member *grid_member_next(grid_member_kind kind, const grid_member *m);
/* The library ends: what is alive is on no list any more. It may be freed yet. */
void grid_members_forget(void);
#endif
