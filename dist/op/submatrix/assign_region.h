/* An assignment to a matrix while it is computed (matrix_assign.c, matrix_assign_value.c), and the region I x
 * J of it in this process's block. */
#ifndef GRID_ASSIGN_REGION_H
#define GRID_ASSIGN_REGION_H
#include "dist/matrix/matrix_output.h"
#include "dist/op/submatrix/matrix_index_lists.h"
#include "spmat/lmat_ops.h"

typedef struct {
  GrB_Matrix C, mask;
  GrB_BinaryOp accum;
  grid_desc d;
  grid_list rows, cols; /* I and J */
  uint64_t first, end;  /* of a slice: the block's rows that it has; else 0, 0: all */
  bool slice;           /* it is one, on all processes */
  const char *call;
} grid_assignment;

static inline bool grid_assign_covers_all(const grid_assignment *a) {
  return a->rows.all && a->cols.all;
}

/* Positions of C in I x J, of ni and nj indices, for a value that goes to them all; with a mask 0, since it
 * bounds them. Local; the same on all processes. */
uint64_t grid_assign_estimate(GrB_Matrix C, GrB_Matrix mask, const GrB_Index *I, uint64_t ni,
                              const GrB_Index *J, uint64_t nj);
GrB_Info grid_assign_read_lists(grid_assignment *a, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,
                                GrB_Index nj, bool shares);
void grid_assign_free_lists(grid_assignment *a);

typedef struct {
  grid_local_list rows, cols; /* the lists' memory */
  grid_region at;
} grid_assign_region;

void grid_assign_region_free(grid_assign_region *r);
/* listed: NULL, or a matrix whose entries alone matter in the region: it may lack other rows and columns. */
GrB_Info grid_assign_find_region(grid_assign_region *r, const grid_assignment *a, GrB_Matrix listed,
                                 GrB_Info info);
/* Of its rows those from first .. end alone. */
GrB_Info grid_assign_extract_region(grid_assign_region *r, uint64_t first, uint64_t end);

/* The end, with t in place of the region (in_region), or of the entries that it has. Consumes t. Collective,
 * agreed on. */
GrB_Info grid_assign_store(const grid_assignment *a, grid_local_matrix *t, bool in_region, bool with_mask,
                           GrB_Info info);
/* The end, with t as what comes to this process's block. */
GrB_Info grid_assign_finish(const grid_assignment *a, grid_local_matrix *t, GrB_Info info);
#endif
