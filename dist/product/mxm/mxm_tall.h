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
/* j->p = the product of words by A or its transpose. */
void grid_tall_begin(grid_tall_product *j);
/* Sets j->word: for each row of b the 64 columns in work. The words are in *x, or are b's own, where it has
 * 64 columns. */
GrB_Info grid_tall_words_of_positions(grid_chunk *x, grid_tall_product *j, const grid_position_bits *b);
/* Sets j->p.choice.pull, by the entries of A that each direction inspects, and j->any to the OR of this
 * process's words. info: the outcome so far. Collective, agreed on. */
GrB_Info grid_tall_choose(grid_tall_product *j, const grid_chunk *x, bool can_pull, GrB_Info info);
/* Makes t, a bitmap or a list by position, iso with the one value of the semiring's products. */
GrB_Info grid_tall_set_value(GrB_Semiring s, grid_chunk *t);
/* C<mask> accum= t, to which the mask has been applied: if no entry of C remains, t replaces C. sparse: t is
 * a list, and is converted to rows first. Collective, agreed on. */
GrB_Info grid_tall_finish(const grid_mxm_call *x, grid_chunk *t, bool sparse, GrB_Info info);

/* The product of 64 columns, whose words are j->word, or the list x; added to j->t. Collective, agreed on. */
GrB_Info grid_tall_pull(grid_tall_product *j, grid_chunk *x);
/* *sparse: j->t is a list. */
GrB_Info grid_tall_push(grid_tall_product *j, grid_chunk *x, bool *sparse);
/* The same by GrB_mxv; j->t becomes a bitmap. */
GrB_Info grid_tall_multiply(grid_tall_product *j, grid_chunk *x);
/* Makes j->t an empty bitmap, unless it is a bitmap. */
GrB_Info grid_tall_make_bitmap(grid_tall_product *j);
#endif
