/* A product of matrices whose right operand has few columns, as mxm_tall.c and its steps see it. */
#ifndef GRID_MXM_TALL_H
#define GRID_MXM_TALL_H
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/product/dist_product.h"
#include "dist/product/mxm/mxm.h"
#include "spmat/cpu/mxm/mxm_bitwords.h"

enum { GRID_TALL_WORD = 64 };

typedef struct {
  const grid_mxm_call *call;
  grid_product p;            /* of the words, as a vector, with A or its transpose */
  grid_dense mask_positions; /* the mask by position */
  grid_mask mask;
  grid_position_bits allowed; /* the mask, if it is a bitmap; a list is applied at the end */
  grid_chunk t;               /* the result by position, iso */
  uint64_t first;             /* the first of the 64 columns in work */
  const uint64_t *word;       /* of each row of this process's chunk of B; NULL: the words are a list */
  uint64_t any;               /* pull: columns with entries of B on some process */
  uint64_t edges;             /* estimated entries of A that meet entries of B */
} grid_tall_product;

/* Does only the pattern count, and are B's columns few enough for words? The same on every process. */
bool grid_mxm_is_pattern_of_words(const grid_mxm_call *x);
/* Do passes over vectors of A's dimensions cost little beside A's entries, and does the mask allow a large
 * share? */
bool grid_mxm_is_tall_profitable(const grid_mxm_call *x);
/* The semiring of products of words: BOR.SECOND. */
struct GrB_Semiring_opaque grid_mxm_or_of_words(void);
/* Makes t, a bitmap or a list by position, iso with the one value of the semiring's products. */
GrB_Info grid_tall_set_value(GrB_Semiring s, grid_chunk *t);

/* The product of 64 columns, whose words are j->word, or the list x; added to j->t. Collective, agreed on. */
GrB_Info grid_tall_pull(grid_tall_product *j, grid_chunk *x);
/* *sparse: j->t is a list. */
GrB_Info grid_tall_push(grid_tall_product *j, grid_chunk *x, bool *sparse);
#endif
