/* Decisions of a product from p->n, the same on every process. */
#ifndef GRID_PUSH_PULL_H
#define GRID_PUSH_PULL_H
#include "dist/product/dist_product.h"

/* The cost of a target of a push message, which is written, sent and read (push_along_rows.h), in entries
 * that a pull inspects. A target takes 15 to 21 ns on two processes of two cores, where an entry takes 0.6 to
 * 1 (`gridblas bfs --direction push` and `pull`, --verbose). Directions chosen with 16 to 64 take the same
 * time, with 4 and 8 up to 15 ms a level more. */
enum { GRID_PUSH_TARGET_COST = 16 };

/* Is every product the same value, and a sum of such values that value again? Then only the pattern is
 * computed (GraphBLAST's "structure only"): sets p->values.structural and p->values.constant. */
void grid_find_structural(grid_product *p);
/* The cost of the whole product as a push, and as a pull, in entries that a pull inspects; from p->n. */
double grid_push_cost(const grid_product *p);
double grid_pull_cost(const grid_product *p);
/* Does a push go along rows (push_along_rows.h) if it can? Not if a message of all of x is shorter than its
 * targets. */
bool grid_should_push_along_rows(const grid_product *p);
/* Is a pull cheaper than a push that inspects `edges` entries, where rows are whole? The local matrix has
 * `entries` entries and `rows` outputs, of which `allowed` may be written and hold entries. *work: what the
 * pull is expected to inspect. */
bool grid_pull_is_cheaper(const grid_product *p, uint64_t entries, uint64_t rows, uint64_t edges,
                          uint64_t allowed, uint64_t *work);
/* Sets p->choice.spreads_mask after the direction is chosen: do processes exchange their masks, because that
 * is cheaper than sending contributions that they forbid? */
void grid_choose_mask_spread(grid_product *p);
#endif
