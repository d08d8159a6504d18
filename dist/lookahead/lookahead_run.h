/* The run that is ahead of its program: what lookahead_start.c begins, lookahead.c and lookahead_entries.c note and
 * lookahead_materialize.c turns into entries. */
#ifndef GRID_LOOKAHEAD_RUN_H
#define GRID_LOOKAHEAD_RUN_H
#include "dist/lookahead/lookahead.h"
#include "dist/lookahead/loop_patterns.h"
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "spmat/search.h"

/* A vector that the loop assigns to under the frontier: its entries of the levels `from` to `to` are still to
 * be made. */
typedef struct {
  GrB_Vector w;
  uint32_t from, to, materialized;        /* `materialized`: up to this level they have been made already */
  bool scalar;                            /* w<q> = table[level], else w<q> = q */
  bool disjoint;                          /* none of the entries to come is there already */
  uint64_t table[GRID_SEARCH_LEVELS + 1]; /* values of w's type, packed */
} grid_follower;
enum { GRID_FOLLOWERS = 4 };

/* A vector that stands for a level's frontier. */
typedef struct {
  GrB_Vector v; /* NULL: there is none, or it was freed meanwhile */
  uint32_t at;  /* the level; 0: it has its own entries */
  bool indexed; /* the program has put its entries' own indices in the place of their values */
} grid_frontier_ref;

typedef struct {
  bool active;
  const grid_search_engine *engine;
  const grid_lookahead_pattern *form;
  GrB_Matrix A;
  GrB_BinaryOp add, mul; /* of the semiring: predefined */
  bool flip;
  grid_frontier_ref q; /* the result of the last product */
  grid_frontier_ref
      before; /* where that was not its operand: the operand, which the next product may overwrite */
  GrB_Vector visited;
  bool by_value;      /* its true entries are what is visited */
  uint64_t *seen;     /* those at the start, where some were not true; device memory */
  GrB_Vector indices; /* known to hold its own index everywhere; or NULL */
  bool transposed;
  bool ended;    /* the program has seen an empty level */
  void *parents; /* where the engine writes them: visited's values, or parents_buffer; NULL: none */
  void *parents_buffer;
  grid_search_job job;     /* what the engine was started with */
  uint64_t *frontier_copy; /* job.frontier, where it is needed when the run is over */
  /* several processes: the arrays that the frontiers will need, so that materializing cannot fail; each goes
   * to one of them, once */
  struct {
    grid_chunk arrays;
    GrB_Vector of; /* has got them */
  } reserved[2];
  /* the vertices visited at the start, if they are few (else UINT32_MAX) */
  uint64_t base[GRID_SEARCH_SHORT_LIST];
  uint32_t nbase;
  int n;
  grid_follower f[GRID_FOLLOWERS];
} grid_lookahead_run;

/* lookahead_start.c: the first product c; the run has begun where *taken. structure: of the mask. */
GrB_Info grid_lookahead_start(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                              const grid_search_engine *e, bool transposed, bool structure, bool *handled);
void grid_lookahead_free_arrays(grid_lookahead_run *run);
/* c becomes a bitmap on the device with dense values of its own; its entries stay. */
GrB_Info grid_lookahead_make_dense(grid_chunk *c);
/* Are all entries of c among the vertices visited at the start? */
bool grid_lookahead_is_within_base(const grid_lookahead_run *run, const grid_chunk *c);
double grid_lookahead_to_double(GrB_Type t, const void *x);
bool grid_lookahead_is_integer(GrB_Type t);
/* The index of the first own entry of a vector like w. */
uint64_t grid_lookahead_first_index(GrB_Vector w);

/* lookahead_entries.c */
GrB_Info grid_lookahead_run_ewise(grid_lookahead_run *run, const grid_lookahead_ewise_call *call,
                                  bool *handled);
/* Are the frontier's values all 1? */
bool grid_lookahead_is_iso_one(const grid_lookahead_run *run);
grid_follower *grid_lookahead_find_follower(grid_lookahead_run *run, GrB_Vector w);

/* lookahead_materialize.c: gives the frontier and the followers the entries that the program knows of. over: the
 * run ends. */
GrB_Info grid_lookahead_run_materialize(grid_lookahead_run *run, bool over);
#endif
