/* owner_requests.h: a pull on one grid column for which only the bits of delegates travel
 * (docs/how/delegates.md). Each process tries its own rows with the delegates in x and its own vertices. For
 * rows that stay open it requests the other neighbors of their owners, or these push theirs, or send all,
 * whichever is counted to be least. */
#ifndef GRID_OWNER_REQUESTS_H
#define GRID_OWNER_REQUESTS_H
#include "dist/delegates/owner_request_steps.h"

/* Sets p->choice.can_use_requests: any one product of a row suffices, of a symmetric pattern with a delegate
 * index, which is computed now. The same everywhere; collective, agreed on. */
GrB_Info grid_requests_prepare(grid_product *p);
/* What this process adds to p->n.remote_edges, if p->choice.can_use_requests. Local. */
void grid_requests_count_edges(const grid_product *p, grid_remote_edges *o);
/* Remote edges of x's delegates: once these are found, the mask forbids them. Local. */
uint64_t grid_requests_delegate_edges(const grid_product *p);
/* Can a pull of p be done so; does it send less than one that sends all of x? p->values.structural is known.
 * Local, the same everywhere. */
bool grid_requests_are_possible(const grid_product *p);
bool grid_requests_are_profitable(const grid_product *p);
/* The own delegates in x as a message, whose bits the caller frees. Local. */
GrB_Info grid_requests_delegate_bits(const grid_product *p, uint64_t **bits, grid_entries_out *e);
/* The input of a pull: delegates, and the own chunk. Collective; a failure is carried along. */
GrB_Info grid_requests_expand(grid_product *p, grid_input *in);
/* After the own rows were tried, with the outcome info: y gets the hits among other processes' vertices.
 * Collective; a failure is carried along. */
GrB_Info grid_requests_resolve(grid_product *p, GrB_Info info, grid_input *in, const grid_kernel_mask *mask,
                               grid_output *y);
#endif
