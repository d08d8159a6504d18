/* Binary operators whose functions have data: GrB_BinaryOp's function takes none, and is called by any of
 * OpenMP's threads. A fixed number of functions is compiled, each with a place for its data, in sets of
 * GRID_CLOSURES. A call takes a set until it ends, so calls of several contexts can have one each. */
#ifndef GRID_CLOSURE_H
#define GRID_CLOSURE_H
#include "semiring/semiring.h"

enum { GRID_CLOSURES = 4 };
typedef void (*grid_closure_fn)(void *z, const void *x, const void *y, const void *data);
typedef struct grid_closure_set grid_closure_set;

/* A set that no other call has; waits for one. */
grid_closure_set *grid_closures_acquire(void);
/* NULL: none. */
void grid_closures_release(grid_closure_set *set);
/* Function k of the set, which calls f with `data` from now on. */
grid_binary_fn grid_closure_bind(grid_closure_set *set, int k, grid_closure_fn f, const void *data);

/* z = x, and z = y; data: the size_t of a value. */
void grid_closure_first(void *z, const void *x, const void *y, const void *data);
void grid_closure_second(void *z, const void *x, const void *y, const void *data);
#endif
