/* Checks of rich-club coefficients (check_rich_club.c). */
#ifndef GRID_CHECK_RICH_CLUB_H
#define GRID_CHECK_RICH_CLUB_H
#include "bench/check/check_graph.h"

/* NULL: coefficient[k] are those of the n degrees from 0 on, which are all that two or more vertices exceed.
 * Else the error in text. Edges count in both directions and once, loops do not. */
const char *check_rich_club(const check_graph *g, const double *coefficient, uint64_t n, char *text,
                            size_t capacity);
#endif
