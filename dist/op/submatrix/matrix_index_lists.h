/* The lists of indices that extract and assign are given for the rows and the columns
 * of a matrix, and what of them concerns this process's block. */
#ifndef GRID_MATRIX_INDEX_LISTS_H
#define GRID_MATRIX_INDEX_LISTS_H
#include "dist/matrix/matrix.h"
#include "spmat/sort/index_set.h"

typedef struct {
  bool all; /* GrB_ALL: */
  const GrB_Index *list;
  grid_index_set set; /* of the list, without shares */
  uint64_t n;         /* indices given here */
  bool shares;        /* each process gives its own, which follow each other in the order of the processes; */
  uint64_t first, total; /* where this one's begin, and how many there are; without shares 0 and n */
  GrB_Index *memory;     /* the list of a range with steps; a range without has no list, but its set */
} grid_list;

/* Reads what a call was given, for a dimension `dim` of the indexed matrix: GrB_ALL, n indices below it, or a
 * range (dist/vector/index_range.h). what: the argument's name. Collective where the lists are shares, or are
 * ranges; agreed on. */
GrB_Info grid_list_read(grid_list *l, const GrB_Index *I, GrB_Index n, uint64_t dim, bool shares,
                        grid_head *out, const char *call, const char *what);
/* To be called after an error, too. */
static inline void grid_list_free(grid_list *l) {
  grid_free(l->memory);
}

/* Of the places k of a list and the indices I[k] in them, n in ascending order of k. */
typedef struct {
  uint64_t n;
  grid_index_set position, index;
  uint64_t *memory[2];
} grid_local_list;
void grid_local_list_free(grid_local_list *o);

/* Those whose index (by_position: whose place) is among the rows (columns) of this process's block of a
 * matrix with so many; these are local, the others global. l is no GrB_ALL. axis: NULL, or of a range that is
 * no range of the block those that this axis lists alone. info: the outcome so far.
 * Collective where the lists are shares, and not agreed on: go on to the next agreement with what it returns.
 */
GrB_Info grid_local_list_make(grid_local_list *o, const grid_list *l, uint64_t dim, bool rows,
                              bool by_position, const grid_axis *axis, GrB_Info info);
/* The axis that lists all rows (columns) of A's block with entries, NULL if the host knows none. Local. */
const grid_axis *grid_hypersparse_axis(GrB_Matrix A, bool rows);

/* On one process: *t, for C's block, is what grid_cpu_lmat_extract or grid_cpu_lmat_scatter (lmat_extract.h)
 * makes of A's block along the lists for its rows and columns. flip: of its transpose, whose rows are C's
 * columns. */
typedef GrB_Info grid_list_kernel(grid_local_matrix *t, const grid_local_matrix *p, const grid_index_set *I,
                                  const grid_index_set *J);
GrB_Info grid_lists_one_process(grid_local_matrix *t, GrB_Matrix C, GrB_Matrix A, const grid_list *rows,
                                const grid_list *cols, bool flip, grid_list_kernel *kernel);
#endif
