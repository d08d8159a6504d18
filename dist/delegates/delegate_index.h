/* The delegate index: a numbering of delegates for a matrix that is not split. On one grid column every
 * process has its rows whole, so that no entry of a symmetric pattern moves. All processes have the set of
 * delegates; a search sends their bits, and few other messages (owner_requests.h; docs/how/delegates.md). */
#ifndef GRID_DELEGATE_INDEX_H
#define GRID_DELEGATE_INDEX_H
#include "dist/grid/hooks.h"
#include "dist/matrix/matrix.h"

/* A delegate without a column in the block. */
#define GRID_NO_COLUMN UINT32_MAX

typedef struct grid_delegate_index {
  int32_t delegates_setting; /* A->delegates when it was made */
  uint64_t d;                /* number of delegates; 0: there are no arrays */
  uint64_t min_degree;       /* the least number of entries of a delegate */
  /* bytes that a process receives in the time of a call, and in the extra time that requests take
   * (layout_cost.h); 0: only bytes are compared, as if a program has set a threshold and GRIDBLAS_NETWORK is
   * not set */
  uint64_t call_bytes, request_overhead_bytes;
  /* Columns of the block by position: all vertices, or those that its hypersparse axis has. */
  uint64_t *col_start; /* those of process k from position col_start[k] to col_start[k + 1] */
  uint64_t *is_col;    /* bitmap over them: is it a delegate? */
  uint64_t *is_local;  /* bitmap over the vertices of this process */
  /* The delegates, ascending: those of process k from start[k] to start[k + 1]. */
  uint64_t *start;
  uint32_t *col;   /* positions; GRID_NO_COLUMN: the block has no such column */
  uint32_t *local; /* this process's, as indices of its chunk */
  /* of each row of this process: its remote edges, whose columns are neither delegates nor this process's */
  uint32_t *remote_edges;
} grid_delegate_index;

/* Can A have a delegate index on the host? If its pattern is symmetric, on one grid column of several
 * processes. */
bool grid_can_index_delegates(GrB_Matrix A);
/* Computes A->delegates.index for A->hints.delegates, unless it exists. It has no delegates if the blocks do
 * not allow it. It is valid until the block changes. Collective, agreed on. */
GrB_Info grid_delegate_index_make(GrB_Matrix A);

extern const grid_cached_property grid_delegate_index_form;
#endif
