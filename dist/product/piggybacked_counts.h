/* Counts of a loop's next product, sent with the outcome of the one before. In q<!v, replace> = q A; v<q> =
 * ... (a search, say) they follow from the result: its entries are counted when the processes agree on the
 * write, and the mask will allow what it allowed less these. So neither GrB_Vector_nvals nor the next product
 * need a message, and where no process lacks memory for the assignments between them, these need none either
 * (docs/how/communication.md).
 *
 * One such loop is followed at a time. It holds while no other calls are made: grid_calls and grid_singles
 * are unchanged. Then no object has been created or freed, and pointers may be compared. */
#ifndef GRID_PIGGYBACKED_COUNTS_H
#define GRID_PIGGYBACKED_COUNTS_H
#include "dist/vector/vector.h"
#include "dist/product/dist_product.h"

/* Counters sent with the outcome: those of grid_counts that x determines; then for each vector that was
 * assigned under the last result whether it lacks memory for that. */
enum {
  GRID_PIGGYBACK_VECTORS = 3,
  GRID_PIGGYBACK_COUNTS = 9,
  GRID_PIGGYBACK_WORDS = GRID_PIGGYBACK_COUNTS + GRID_PIGGYBACK_VECTORS
};

/* A product's vectors; before: grid_calls when the call began. */
typedef struct {
  GrB_Vector w, mask, u;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
  uint64_t before;
} grid_product_call;

/* Is this the next product of the loop? Then p->n becomes its counts, and p->prefetched the received payload.
 * The same on every process, after p->choice.can_use_requests is known. */
bool grid_piggyback_load(grid_product *p, const grid_product_call *a, const grid_desc *d);
/* May a next product follow whose counts come from this one's result t? The same on every process. */
bool grid_piggyback_allowed(const grid_product *p, const grid_product_call *a, const grid_desc *d,
                            const grid_chunk *t);
/* Sets the counters of vectors that lack memory for t as w's chunk. Local. */
void grid_piggyback_capacities(const grid_product_call *a, const grid_chunk *t,
                               uint64_t v[GRID_PIGGYBACK_WORDS]);
/* Stores the sums after the product has succeeded. The same on every process. */
void grid_piggyback_store(const grid_product *p, const grid_product_call *a,
                          const uint64_t v[GRID_PIGGYBACK_WORDS], const grid_prefetched *next);
/* Is a next product expected to use the counts, as the last one that could have did, and are the types right?
 * The same on every process. */
bool grid_piggyback_expects(const grid_product *p, const grid_product_call *a);

/* An assignment of u, or of a value where u is NULL, to all of w, as called when grid_calls was `before`.
 * Is it part of the loop? *is_repeatable: no process lacks memory for it. The same on every process. */
bool grid_piggyback_is_assign(GrB_Vector w, GrB_Vector mask, GrB_Vector u, GrB_BinaryOp accum,
                              const grid_desc *d, uint64_t before, bool *is_repeatable);
/* Stores that it has succeeded. */
void grid_piggyback_assigned(GrB_Vector w, uint64_t before);
#endif
