/* The frame of the calls that pack and unpack, for matrices and vectors: the program's pointers to its
 * arrays.
 */
#ifndef GRID_PACKED_CALL_H
#define GRID_PACKED_CALL_H
#include "dist/extensions/pack/packed_arrays.h"

/* Where the program has its pointers to arrays, and for an unpack where it wants sizes and flags. Those that
 * a form lacks, and flags that the program does not want, are NULL. */
typedef struct {
  uint64_t **p, **h, **i;
  int8_t **b;
  void **x;
  uint64_t *p_size, *h_size, *i_size, *b_size, *x_size, *nvec, *nvals;
  bool *iso, *jumbled;
} grid_packed_pointers;

/* Which of them a form has, as bits; GRID_HAS_NVALS: `nvals` is one of them. */
enum { GRID_HAS_P = 1, GRID_HAS_H = 2, GRID_HAS_I = 4, GRID_HAS_B = 8, GRID_HAS_NVALS = 16 };

/* Are the pointers that are needed given (`sizes`: those of an unpack), and is desc valid? Agreed on. */
GrB_Info grid_packed_check(grid_head *head, const grid_packed_pointers *at, unsigned has, bool sizes,
                           GrB_Descriptor desc, const char *call);
/* a's arrays = those of the program; a->strict by desc. */
void grid_packed_take(grid_packed *a, const grid_packed_pointers *at, GrB_Descriptor desc);
/* Frees the program's arrays, which have been packed. */
void grid_packed_release(const grid_packed_pointers *at);
/* Gives the program the arrays of a. */
void grid_packed_give(const grid_packed_pointers *at, const grid_packed *a);
#endif
