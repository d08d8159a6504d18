/* Containers (GxB_Container): the vectors that hold the contents of a matrix or vector. */
#ifndef GRID_CONTAINER_H
#define GRID_CONTAINER_H
#include "dist/extensions/pack/packed_arrays.h"
#include "dist/vector/vector.h"

/* The container and its vectors are live objects; *known: the five vectors in the order p, h, b, i, x. Local.
 */
enum { GRID_C_P, GRID_C_H, GRID_C_B, GRID_C_I, GRID_C_X, GRID_C_VECTORS };
GrB_Info grid_container_check(GrB_Vector *known, GxB_Container c, grid_head *head, const char *call);
/* Its vectors get size 0, with the types that they have, and the numbers those of a new one. Y is freed.
 * Cannot fail. Local; all processes do the same. */
void grid_container_clear(GxB_Container c);

/* What a container describes, as the segments of its vectors that this process reads. */
typedef struct {
  grid_packed a; /* arrays of this process, to be freed */
  GrB_Type type;
  uint64_t nrows, ncols;
} grid_container_part;
/* Reads the part of this process: its own rows or columns; of a list of rows its chunk of the list; of a
 * vector
 * (`vector`) its chunk of the entries. Collective, agreed on; free in any case. */
GrB_Info grid_container_read(grid_container_part *part, GxB_Container c, bool vector, GrB_Descriptor desc,
                             grid_head *head, const char *call);
void grid_container_part_free(grid_container_part *part);
#endif
