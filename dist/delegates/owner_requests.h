/* A pull on one grid column in which only the bits of delegates are sent to all (docs/how/delegates.md). Each
 * process tries its rows with the delegates in x and its own vertices. For rows without a hit, processes then
 * request bits from the owners of the other neighbors, owners push theirs, or all of x is sent. The counts
 * show which sends the fewest bytes. */
#ifndef GRID_OWNER_REQUESTS_H
#define GRID_OWNER_REQUESTS_H
#include "dist/delegates/owner_request_steps.h"

/* Sets p->choice.can_use_requests: any product of a row suffices, and A's pattern is symmetric and has a
 * delegate index, which is computed now. The same on every process. Collective, agreed on. */
GrB_Info grid_requests_prepare(grid_product *p);
/* This process's terms of p->n.remote_edges, if p->choice.can_use_requests. Local. */
void grid_requests_count_edges(const grid_product *p, grid_remote_edges *o);
/* Remote edges of the delegates in x, which are to be subtracted once the mask forbids those. Local. */
uint64_t grid_requests_delegate_edges(const grid_product *p);
/* Is it possible for a pull of p; does it send less than a pull that gathers all of x? p->values.structural
 * is known. Local, the same on every process. */
bool grid_requests_are_possible(const grid_product *p);
bool grid_requests_are_profitable(const grid_product *p);
/* This process's delegates in x as a message, whose bits the caller frees. Local. */
GrB_Info grid_requests_delegate_bits(const grid_product *p, uint64_t **bits, grid_entries_out *e);
/* The input of a pull: delegates, and this process's chunk. Collective; the outcome is not agreed on. */
GrB_Info grid_requests_expand(grid_product *p, grid_input *in);
/* After this process's rows were tried, with the outcome info: adds to y the hits among other processes'
 * vertices. Collective; the outcome is not agreed on. */
GrB_Info grid_requests_resolve(grid_product *p, GrB_Info info, grid_input *in, const grid_kernel_mask *mask,
                               grid_output *y);
#endif
