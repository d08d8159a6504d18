/* Checks of maximum flows (check_max_flow.c). */
#ifndef GRID_CHECK_MAX_FLOW_H
#define GRID_CHECK_MAX_FLOW_H
#include "bench/check/check_graph.h"

/* NULL: the `entries` triples (row, col, flow) are a flow, each edge once. It is above 0 and at most the
 * weight of the edge row -> col (1 where the graph has no weights). As much flows into every vertex as out of
 * it but for the source and the sink. `value` leaves the source and arrives at the sink; and no path in the
 * residual graph leads from source to sink, so the flow is maximum. Sums may differ by rounding. Else the
 * error in text. */
const char *check_max_flow(const check_graph *g, uint64_t source, uint64_t sink, double value,
                           const uint64_t *row, const uint64_t *col, const double *flow, uint64_t entries,
                           char *text, size_t capacity);
#endif
