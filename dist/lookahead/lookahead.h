/* Lookahead: in non-blocking mode on the device, a frontier loop
 *   q<!v, replace> = q any.op A;  nvals(q);  w<q> = value;  v<q> = q;  ...
 * (or a variant: loop_patterns.h) is searched to its end at the first product (spmat/search.h). The
 * program's further calls are answered from the record: a product advances the level number, a count is
 * read, an assignment under q is recorded. Any other call first gives the program's vectors the state that
 * it has reached (materializes them) and discards the rest. So the program cannot observe the deferred
 * execution (specification 2.5, non-blocking mode). One loop at a time is in lookahead. */
#ifndef GRID_LOOKAHEAD_H
#define GRID_LOOKAHEAD_H
#include "dist/grid/hooks.h"
#include "dist/vector/vector.h"
#include "dist/matrix/matrix.h"

/* lookahead_hooks.c: called by lower modules. */
extern const grid_lookahead_hooks grid_lookahead_hook_table;
extern const grid_cached_property grid_search_form;

/* Materializes and ends the loop. Called first by every public call that is neither local nor listed below
 * (grid_check_initialized). No messages; all processes must call it. */
GrB_Info grid_lookahead_materialize(void);
/* For local calls, which a single process may make: the vectors get their entries, the loop continues. */
GrB_Info grid_lookahead_materialize_local(void);

/* The calls of a loop. *handled: done, with the returned outcome; else the caller proceeds as usual. */
typedef struct {
  const char *call;
  GrB_Vector w, mask, u;
  GrB_BinaryOp accum;
  GrB_Semiring s;
  GrB_Matrix A;
  GrB_Descriptor desc;
  bool flip;    /* vxm */
  bool indexed; /* u's values are known to equal their indices */
} grid_lookahead_product_call;
GrB_Info grid_lookahead_product(const grid_lookahead_product_call *c, bool *handled);
GrB_Info grid_lookahead_nvals(uint64_t *nvals, GrB_Vector v, bool *handled);

/* w<mask> accum= an elementwise operation on vectors. */
typedef enum { GRID_CALL_ASSIGN, GRID_CALL_APPLY, GRID_CALL_ADD, GRID_CALL_MULT } grid_lookahead_call_kind;
typedef struct {
  grid_lookahead_call_kind what; /* assign: to all indices */
  GrB_Vector w, mask;
  GrB_BinaryOp accum;
  GrB_Descriptor desc;
  GrB_Vector u, v; /* assign and apply: u, NULL if a value is assigned; else both */
  int op;          /* the operator's code; GRID_OP_USER for a user-defined one */
  GrB_Type z;      /* the operator's result type */
  const void *x;   /* the assigned value, or the operator's bound scalar, of the predefined type `type` */
  GrB_Type type;
  bool first; /* x is the operator's first operand */
} grid_lookahead_ewise_call;
/* Is a loop in lookahead that may handle a call with this operator (any pointer)? */
bool grid_lookahead_can_take(const void *op, grid_kind kind);
GrB_Info grid_lookahead_ewise(const grid_lookahead_ewise_call *call, bool *handled);
/* *x = the sum of u's entries. */
GrB_Info grid_lookahead_reduce(void *x, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid m, GrB_Vector u,
                               bool *handled);

/* Prepares the engine of A, which is ready for products, so that the first loop does not wait for memory.
 * Local. */
GrB_Info grid_lookahead_prepare_engine(GrB_Matrix A);
/* Sets up what the first exchange between several processes would wait for. Collective. */
GrB_Info grid_lookahead_warm_up(GrB_Matrix A);
/* Number of delegates that searches in A have indexed; 0: none, and *threshold is unchanged. There are
 * none before the first wait or search. */
uint64_t grid_lookahead_delegates(GrB_Matrix A, int64_t *threshold);
/* Bytes that this process's engine holds of A's entries beside its block. */
uint64_t grid_lookahead_bytes(GrB_Matrix A);
/* lookahead.c: ends the loop if it uses A. */
void grid_lookahead_leave_matrix(GrB_Matrix A);
/* v is about to be freed: it need not be materialized. */
void grid_lookahead_release_vector(GrB_Vector v);
/* A's block is about to be freed, and its engine with it. */
void grid_lookahead_free_engine(GrB_Matrix A);
#endif
