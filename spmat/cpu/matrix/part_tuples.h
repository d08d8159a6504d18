/* part_tuples.h: the entries of a part as tuples. */
#ifndef GRID_CPU_PART_TUPLES_H
#define GRID_CPU_PART_TUPLES_H
#include "spmat/product.h"

/* Of the k-th entry, by rows, each ascending: its row (where `rows` says it stands in the whole), column, and
 * value cast to xt; row, col and val may be NULL. The part lies on the host. */
void grid_part_tuples(uint64_t *row, uint64_t *col, void *val, GrB_Type xt, const grid_part *p,
                      const grid_places *rows, const grid_places *cols);
#endif
