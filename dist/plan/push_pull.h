/* Decisions of a product, taken alike on every process from p->n. */
#ifndef GRID_PUSH_PULL_H
#define GRID_PUSH_PULL_H
#include "dist/product/dist_product.h"

/* In looks of a pull, what a target costs that is written down, sent and read (push_along_rows.h): 15 to 21 ns on
 * two processes of two cores, where a look takes 0.6 to 1 (`gridblas bfs --direction push` and `pull`,
 * --verbose). A direction that is chosen with 16 to 64 takes the same time, with 4 and 8 up to 15 ms a level
 * more. */
enum { GRID_PUSH_TARGET_COST = 16 };

/* Is every product the same value, and a sum of such values that value again? Then only the pattern is
 * computed (GraphBLAST's "structure only"): sets p->structural and p->constant. */
void grid_find_structural(grid_product *p);
/* Is a pull cheaper than a push that looks at `edges` entries, on a part of `entries` entries with `rows`
 * outputs of which `allowed` may be written and hold entries, when `sharers` processes hold segments of each
 * row? *work: what the pull is expected to look at. */
bool grid_pull_is_cheaper(const grid_product *p, uint64_t entries, uint64_t rows, uint64_t edges,
                          uint64_t allowed, int sharers, uint64_t *work);
/* Sets p->pull, p->passes_rows, and the work estimates in p->stats. */
void grid_choose_direction(grid_product *p);
/* Sets p->mask_spread: is exchanging the masks cheaper than sending what they forbid? */
void grid_choose_mask_spread(grid_product *p);
#endif
