/* Numbers of common inner indices, C<M> = A B' over PLUS.ONEB at the mask's entries, where the inner indices
 * of highest degree are bits. Hubs are numbered by descending degree, and a row of B has its first hubs as
 * words (as spmat/matrix/bit_rows.h, each row with its own length). They are intersected with those of A's
 * row by AND and popcount. The rest of the row is looked up entry by entry. */
#ifndef GRID_MXM_HUB_BITS_H
#define GRID_MXM_HUB_BITS_H
#include "spmat/matrix/local_matrix.h"

/* Patterns by row, on the host and not hypersparse: a of `rows` rows, b of n, mask of rows x n. */
typedef struct {
  const grid_compressed *a, *b, *mask;
  uint64_t rows, n, inner; /* inner indices */
} grid_hub_product;

/* B's rows. Row j is one stretch of words, so that an entry of the mask reads two cache lines or more. It has
 * bits, then the other entries, two a word, the last one perhaps a filler: `inner`. head[j]: the row's first
 * word, and how many have bits, in GRID_HUB_BIT_WORDS bits; head[n]: the end of the last row. */
typedef struct {
  uint64_t *head, *word;
  bool borrowed; /* the arrays are in memory that processes share */
} grid_hub_rows;
enum { GRID_HUB_BIT_WORDS = 10 };
static inline uint64_t grid_hub_row_start(const grid_hub_rows *r, uint64_t j) {
  return r->head[j] >> GRID_HUB_BIT_WORDS;
}
static inline uint64_t grid_hub_row_bits(const grid_hub_rows *r, uint64_t j) {
  return r->head[j] & ((1 << GRID_HUB_BIT_WORDS) - 1);
}
void grid_hub_rows_free(grid_hub_rows *r);

/* Where several processes have the same B: this one makes rows from .. to of it. gather takes these, and
 * makes them those of all; info is the outcome so far. Collective, agreed on. */
typedef struct {
  uint64_t from, to;
  GrB_Info (*gather)(const void *context, GrB_Info info, grid_hub_rows *rows);
  const void *context;
} grid_hub_share;

/* Do bits pay? By counts of a sample of entries: hubs have a share of the inner indices of B's rows, and
 * words replace many entries each. So many processes take samples, each of its rows of the mask. On failure
 * of memory: false. Local. */
bool grid_hub_bits_pay(const grid_hub_product *p, uint64_t processes);
/* Makes C's rows with values of type `type`, which holds any count; c is empty before and after an error.
 * share NULL: this process makes all rows of B, and nothing is collective. */
GrB_Info grid_hub_multiply(const grid_hub_product *p, GrB_Type type, const grid_hub_share *share,
                           grid_compressed *c, uint64_t *nvals);
#endif
