/* Delegates that are numbered where they stand: on one grid column every process has its rows whole, so that
 * no entry of a symmetric pattern need move. Which vertices are delegates is known to all; a search sends
 * their bits, and little else (owner_requests.h; docs/how/delegates.md). */
#ifndef GRID_DELEGATE_INDEX_H
#define GRID_DELEGATE_INDEX_H
#include "dist/grid/hooks.h"
#include "dist/matrix/matrix.h"

typedef struct grid_delegate_index {
  int32_t delegates_setting; /* A->delegates when it was made */
  uint64_t d;                /* delegates; 0: none, and the arrays are not there */
  uint64_t min_degree;       /* entries that a delegate has at least */
  /* what a process receives in the time of a call, and in that which asking takes (layout_cost.h); 0: bytes
   * alone count, as where a program has set a threshold and GRIDBLAS_NETWORK is not set */
  uint64_t call_bytes, request_overhead_bytes;
  uint64_t *is;    /* bitmap over all vertices */
  uint32_t *id;    /* the delegates, ascending; */
  uint64_t *start; /* those of process k from start[k] to start[k + 1] */
  /* of each own row: entries whose column is neither a delegate nor own: what this process has to ask about
   */
  uint32_t *remote_edges;
} grid_delegate_index;

/* May A's delegates be numbered on the host? A symmetric pattern on one grid column of several. */
bool grid_can_index_delegates(GrB_Matrix A);
/* A->numbered as A->delegates asks, if A's parts allow it: then, and for good as long as the block stays, its
 * `is` is there. Collective, agreed on. */
GrB_Info grid_delegate_index_make(GrB_Matrix A);

extern const grid_cached_property grid_delegate_index_form;
#endif
