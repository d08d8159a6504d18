/* The product of two matrices on one process, row by row, under a mask (docs/how/product.md). */
#ifndef GRID_CPU_MXM_H
#define GRID_CPU_MXM_H
#include "spmat/cpu/mxm/mxm_kernels.h"
#include "spmat/matrix/local_matrix.h"

typedef struct {
  GrB_Semiring s;
  bool structural;   /* all values of C are equal: only its pattern is made */
  uint64_t rows;     /* of A and C */
  uint64_t inner, n; /* inner indices; columns of C: of axes, which may be longer than their contents */
  /* dimensions of the whole product, which bound the indices that are used */
  uint64_t inner_dimension, n_dimension;
  mxm_vectors a;     /* rows of A */
  mxm_vectors b, bt; /* B's rows, one for each inner index; its columns; one of them, or both */
  GrB_Type a_type, b_type;
  uint64_t a_entries, b_entries; /* number of values in a.val; in b.val and bt.val */
  mxm_vectors mask;              /* the mask's row of each row of A */
  bool masked, mask_complement;  /* a mask, which allows its positions or, complemented, the others */
  mxm_vectors partial;           /* for a product that is made in segments: C after the previous ones */
  const uint64_t *global_index;  /* of inner indices, if the semiring uses them: grid_mxm_uses_position */
} grid_mxm;

bool grid_mxm_uses_position(GrB_Semiring s);

/* Makes C: row offsets, and columns numbered as in B, in c, which is empty before and after an error; val
 * NULL if structural. By B's rows or, at the mask's entries only, by its columns: whichever inspects fewer
 * entries. */
GrB_Info grid_mxm_run(const grid_mxm *m, grid_compressed *c, uint64_t *nvals);

/* ---- internal ------------------------------------------------------------------------------------------ */

/* What the kernels of mxm_pointers.c call. */
typedef struct {
  grid_binary_fn mul, add; /* mul NULL: the inner index */
  const void *terminal;
  size_t z, a, b; /* bytes of a value */
  bool any;
} mxm_calls;
extern const mxm_kernels grid_mxm_kernels_pointers;

/* mxm_find.c: the compiled kernels of a semiring, with operands already cast, or NULL. */
const mxm_kernels *grid_mxm_find(GrB_Semiring s);

/* mxm_count.c: the columns of row r of C lie in lo .. hi; gives how many products it has. */
uint64_t grid_mxm_span(const mxm_job *J, uint64_t r, uint64_t *lo, uint64_t *hi);
/* Returns the number of entries of row r of C, or a bound, from patterns only, and the best method for the
 * row (mxm_method). */
uint64_t grid_mxm_count_row(const mxm_job *J, uint64_t r, mxm_workspace *w, uint8_t *method);
#endif
