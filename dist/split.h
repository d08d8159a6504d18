/* The delegate split of a square matrix (docs/design.md, "Delegates"; Pan et al., section III). Vertices of
 * high degree are delegates 0 .. d-1, in descending degree; the matrix falls into four parts: nn (the block,
 * 2D-distributed), nd and dn (with the normal vertex's owner), dd (shared out among the processes, or
 * bit-packed and replicated). split.c keeps it, split_make.c makes it, split_product.c multiplies. */
#ifndef GRID_SPLIT_H
#define GRID_SPLIT_H
#include "dist/product.h"

typedef struct grid_split {
  int64_t threshold;
  uint64_t d;
  uint64_t *id;     /* vertex of each delegate */
  uint32_t *degree; /* its entries in row and column together */
  /* delegates by owner: numbers of those of process k at order[start[k] .. start[k + 1]), by ascending
   * vertex */
  uint32_t *order;
  uint64_t *start; /* P + 1 */
  /* nd: rows = offsets in the owned chunk, columns = delegates; dn: rows = delegates, columns = offsets. When
   * A is symmetric dn is nd's transpose and is not stored. dd: rows and columns = delegates; this process has
   * the columns c with c % P == its number. */
  grid_part nd, dn, dd;
  bool mirrored; /* dn is nd's transpose */
  /* dd bit-packed instead (a pattern, dense enough that all copies of the bits are smaller): row r's columns
   * are the bits from dd_rows + r * words on; dd_cols likewise by column (the same array when symmetric).
   * Every process has all of it and multiplies the outputs o with o % P == its number. */
  uint64_t *dd_rows, *dd_cols, words;
  void *dd_value; /* the one value of a bit-packed dd */
} grid_split;

/* Splits A's block (not oriented, degrees known) if A->delegates asks for it or the automatic rule does, and
 * leaves it alone otherwise. Collective. */
GrB_Info grid_split_make(GrB_Matrix A);
/* Is A split, or not, as A->delegates asks? */
bool grid_split_is_right(GrB_Matrix A);
void grid_split_free(grid_split *s);
/* nd, dn and dd lie on the host, for code that follows their arrays. Local. */
GrB_Info grid_split_to_host(const grid_split *s);

/* Entries of nd, dn and dd that this process accounts for; appends them to t, which has room. */
uint64_t grid_split_nvals(const grid_split *s);
void grid_split_tuples(GrB_Matrix A, grid_tuples *t);
/* The value of entry (i, j) if it is outside nn and this process holds it, else NULL. */
const void *grid_split_local(GrB_Matrix A, uint64_t i, uint64_t j);
/* Adds this process's bytes and entries, and what is the same everywhere, to st. */
void grid_split_storage(const grid_split *s, Grid_Storage *st);
void grid_tuples_put(grid_tuples *t, GrB_Matrix A, uint64_t row, uint64_t col, const void *v);

/* The delegates' side of a product. Before the block's product: x and mask of the delegates are replicated,
 * the contributions to delegates are computed and merged by one allreduce. After the fold: the contributions
 * of delegates to the owned outputs, and the results of the owned delegates, are added to t. */
typedef struct {
  grid_chunk x;      /* of length d */
  uint64_t *allowed; /* bits; NULL: all */
  uint64_t *merge;   /* the merged contributions: bits, then values */
  uint64_t merge_bytes;
} grid_delegates;
GrB_Info grid_delegates_before(grid_product *p, grid_delegates *g);
GrB_Info grid_delegates_after(grid_product *p, grid_delegates *g, grid_chunk *t);
void grid_delegates_free(grid_delegates *g);
#endif
