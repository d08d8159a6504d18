/* Lookahead: in non-blocking mode on the device a frontier loop
 *     q<!v, replace> = q any.op A;  nvals(q);  w<q> = value;  v<q> = q;  ...
 * (or another way of writing it: loop_patterns.h) is searched to its end at the first product (spmat/search.h), and
 * the program's further calls are answered from the record: a product is the next level's number, a count is
 * read from it, an assignment under q is noted. As soon as the program does anything else, its vectors are
 * given the state that it has reached (materialized), and the rest of the record is thrown away. So the
 * program never sees that anything ran ahead (specification 2.5, non-blocking execution). One loop at a time
 * runs ahead. */
#ifndef GRID_LOOKAHEAD_H
#define GRID_LOOKAHEAD_H
#include "dist/grid/hooks.h"
#include "dist/vector/vector.h"
#include "dist/matrix/matrix.h"

/* lookahead_hooks.c: what lower modules call. */
extern const grid_lookahead_hooks grid_lookahead_hook_table;
extern const grid_cached_property grid_search_form;

/* Every public call that is not one of those below, nor local, materializes first: grid_check_initialized
 * does it. It ends the loop, and needs no messages; all processes must do so. */
GrB_Info grid_lookahead_materialize(void);
/* For local calls, which one process may make alone: the vectors get their entries, the loop goes on. */
GrB_Info grid_lookahead_materialize_local(void);

/* The calls that a loop consists of. *taken: done, with this outcome; else the caller goes on as usual. */
typedef struct {
  const char *call;
  GrB_Vector w, mask, u;
  GrB_BinaryOp accum;
  GrB_Semiring s;
  GrB_Matrix A;
  GrB_Descriptor desc;
  bool flip;    /* vxm */
  bool indexed; /* u's values are known to be its own indices */
} grid_lookahead_product_call;
GrB_Info grid_lookahead_product(const grid_lookahead_product_call *c, bool *handled);
GrB_Info grid_lookahead_nvals(uint64_t *nvals, GrB_Vector v, bool *handled);

/* w<mask> accum= what an operation on vectors makes, entry by entry. */
typedef enum { GRID_CALL_ASSIGN, GRID_CALL_APPLY, GRID_CALL_ADD, GRID_CALL_MULT } grid_lookahead_call_kind;
typedef struct {
  grid_lookahead_call_kind what; /* assign: to all indices */
  GrB_Vector w, mask;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
  GrB_Vector u, v; /* assign and apply: u, which is NULL where a value is assigned; else both */
  int op;          /* the operator's code; of a program's own GRID_OP_USER */
  GrB_Type z;      /* its result's type */
  const void *x;   /* the value that is assigned, or given beside the operator; of this predefined type */
  GrB_Type type;
  bool first; /* it is the operator's first operand */
} grid_lookahead_ewise_call;
/* Is a loop running ahead that may take a call with this operator, which may be anything? */
bool grid_lookahead_can_take(const void *op);
GrB_Info grid_lookahead_ewise(const grid_lookahead_ewise_call *call, bool *handled);
/* *x = the sum of u's entries. */
GrB_Info grid_lookahead_reduce(void *x, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid m, GrB_Vector u,
                               bool *handled);

/* A is ready for products: so that the first loop does not wait for room, it is made now. Local. */
GrB_Info grid_lookahead_prepare_engine(GrB_Matrix A);
/* ... and, collectively, whatever the first exchange between several processes would wait for. */
GrB_Info grid_lookahead_warm_up(GrB_Matrix A);
/* The delegates that searches in A have numbered among its rows, where they stand; 0: none, *threshold is
 * left alone. There are none before a wait or a search has numbered them. */
uint64_t grid_lookahead_delegates(GrB_Matrix A, int64_t *threshold);
/* lookahead.c: the loop ends if it goes through A. */
void grid_lookahead_leave_matrix(GrB_Matrix A);
/* v is about to be freed: no need to materialize what nobody will read. */
void grid_lookahead_release_vector(GrB_Vector v);
/* A's block is about to go, and the engine that was made for it. */
void grid_lookahead_free_engine(GrB_Matrix A);
#endif
