/* What the methods of Grid_max_flow share (max_flow.c). */
#ifndef GRID_MAX_FLOW_H
#define GRID_MAX_FLOW_H
#include "algos/algos.h"

typedef struct {
  GrB_Matrix capacities; /* FP64, without loops */
  GrB_Index n, entries, source, sink;
  uint64_t budget; /* bytes that process 0 may use */
  bool with_flow, with_side;
  /* results; the matrix and the vector belong to the caller, also after a failure */
  double value;
  GrB_Matrix flow; /* FP64, entries above 0 */
  GrB_Vector side; /* BOOL, of the source's side of the cut */
} grid_flow;

/* Both are collective. */
GrB_Info grid_max_flow_by_rounds(grid_flow *p);
GrB_Info grid_max_flow_on_one_process(grid_flow *p);
/* Grid_max_flow by the method of this name, "one process" or "rounds", wherever it applies; NULL: the first
 * that pays. For tests. Collective. */
GrB_Info grid_max_flow_by(const char *method, double *value, GrB_Matrix *flow, GrB_Vector *source_side,
                          GrB_Matrix A, GrB_Index source, GrB_Index sink);
#endif
