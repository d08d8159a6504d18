/* The shares of weights that modularity compares, by a serial pass (modularity_serial.c). */
#ifndef GRID_MODULARITY_SERIAL_H
#define GRID_MODULARITY_SERIAL_H
#include "algos/algos.h"

/* The sums over the entries of A of modularity.c. */
typedef struct {
  double internal; /* of those inside communities */
  double product;  /* over the communities, of out times in, each times `unit` */
  double total;
  double unit; /* a power of two by which the total becomes 1 or near: products neither overflow nor vanish */
} grid_modularity_sums;

/* *out and *internal become the sums of the communities that have vertices; NULL: they are not wanted. *found
 * is false, and all else unset, where the types of A and of community or a value of that are not those that
 * the pass takes. community has an entry for every vertex. */
GrB_Info grid_modularity_serial(grid_modularity_sums *sums, GrB_Vector *out, GrB_Vector *internal,
                                bool *found, GrB_Matrix A, GrB_Vector community, GrB_Index n,
                                bool is_symmetric);
#endif
