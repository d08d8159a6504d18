/* Requests to owners: a pull on one grid column for which the bits of the delegates travel alone
 * (docs/design.md, "Requests to owners"). Each process tries its own rows with what it has: the delegates
 * of the frontier and its own vertices. About rows that are still open it asks the owners of their other
 * neighbours, or these push theirs, or send them all, whichever is counted to be least. */
#ifndef GRID_OWNER_REQUESTS_H
#define GRID_OWNER_REQUESTS_H
#include "dist/delegates/owner_request_steps.h"

/* Can p perhaps be done so? Any one product of a row must do, of a symmetric pattern with numbered delegates,
 * which are made now. p->can_use_requests says it. The same everywhere; collective, agreed on. */
GrB_Info grid_requests_prepare(grid_product *p);
/* What this process adds to p->n.outside, if p->can_use_requests. Local. */
void grid_requests_count_edges(const grid_product *p, grid_remote_edges *o);
/* What x's delegates have outside: where they are found, the mask will not allow them any more. Local. */
uint64_t grid_requests_delegate_edges(const grid_product *p);
/* Can a pull of p be done so; does it send less than one that sends all of x? p->structural is known. Local,
 * the same everywhere. */
bool grid_requests_are_possible(const grid_product *p);
bool grid_requests_are_profitable(const grid_product *p);
/* The own delegates in x as a message, whose bits the caller frees. Local. */
GrB_Info grid_requests_delegate_bits(const grid_product *p, uint64_t **bits, grid_entries_out *e);
/* The input of a pull: delegates, and the own chunk. Collective; a failure is carried along. */
GrB_Info grid_requests_expand(grid_product *p, grid_input *in);
/* The own rows were tried, with the outcome info: y gets what the others know. The same. */
GrB_Info grid_requests_resolve(grid_product *p, GrB_Info info, grid_input *in, const grid_kernel_mask *mask,
                               grid_output *y);
#endif
