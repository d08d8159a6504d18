/* A loop's next counts, told with the outcome of its last product. In q<!v, replace> = q A; v<q> = ... (a
 * search, say) all that the next product wants to know follows from this one's result: its entries are
 * counted when the processes agree on the write, what the mask will allow is what it allowed less these. So
 * neither the program's GrB_Vector_nvals nor the next product need ask anybody; and where every process has
 * the room for the assignments between them, they agree on nothing either (docs/design.md, "One level's
 * messages").
 *
 * One such loop is followed at a time. It holds while nothing but these calls is made: grid_calls and
 * grid_singles stand as they stood. Then no object has come or gone, and pointers may be compared. */
#ifndef GRID_PIGGYBACKED_COUNTS_H
#define GRID_PIGGYBACKED_COUNTS_H
#include "dist/vector/vector.h"
#include "dist/product/dist_product.h"

/* Counters that travel with the outcome: a grid_counts' but for what the mask says, then whether a vector
 * that was assigned along the last result lacks room to be so again. */
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

/* Is this the next product of the loop? Then p->n is what it would count, and p->came what came of x. The
 * same on every process, after p->can_use_requests is known. */
bool grid_piggyback_load(grid_product *p, const grid_product_call *a, const grid_desc *d);
/* May a next product follow whose counts come from this one's result t? The same on every process. */
bool grid_piggyback_allowed(const grid_product *p, const grid_product_call *a, const grid_desc *d,
                            const grid_chunk *t);
/* Which of the vectors lack room when t is w's chunk: as counters behind the others. Local. */
void grid_piggyback_rooms(const grid_product_call *a, const grid_chunk *t, uint64_t v[GRID_PIGGYBACK_WORDS]);
/* The product has succeeded, and these are the sums. The same on every process. */
void grid_piggyback_store(const grid_product *p, const grid_product_call *a,
                          const uint64_t v[GRID_PIGGYBACK_WORDS], const grid_prefetched *next);
/* Will a next product take what this one tells? So it was the last time that one could have, and the types
 * are right. The same on every process. */
bool grid_piggyback_expects(const grid_product *p, const grid_product_call *a);

/* An assignment of u, or of a value where u is NULL, to all of w, as called when grid_calls was `before`.
 * Does it go along the loop? *sure: no process lacks room for it. The same on every process. */
bool grid_piggyback_is_assign(GrB_Vector w, GrB_Vector mask, GrB_Vector u, GrB_BinaryOp accum,
                              const grid_desc *d, uint64_t before, bool *sure);
/* It has succeeded. */
void grid_piggyback_assigned(GrB_Vector w, uint64_t before);
#endif
