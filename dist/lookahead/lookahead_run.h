/* State of a run, the loop in lookahead: started by lookahead_start.c, advanced by lookahead.c and
 * lookahead_entries.c, materialized by lookahead_materialize.c. */
#ifndef GRID_LOOKAHEAD_RUN_H
#define GRID_LOOKAHEAD_RUN_H
#include "dist/lookahead/lookahead.h"
#include "dist/lookahead/loop_patterns.h"
#include "dist/matrix/matrix.h"
#include "dist/vector/vector.h"
#include "spmat/search.h"

/* A follower: a vector that the loop assigns to under the frontier; its entries of the levels `from` to
 * `to` are deferred. */
typedef struct {
  GrB_Vector w;
  uint32_t from, to, materialized;        /* `materialized`: levels up to this one are done */
  bool scalar;                            /* w<q> = table[level], else w<q> = q */
  bool disjoint;                          /* none of the deferred entries exists yet */
  uint64_t table[GRID_SEARCH_LEVELS + 1]; /* values of w's type, packed */
} grid_follower;
enum { GRID_FOLLOWERS = 4 };

/* A vector that represents a level's frontier. */
typedef struct {
  GrB_Vector v; /* NULL: none, or freed meanwhile */
  uint32_t at;  /* the level; 0: it has its own entries */
  bool indexed; /* the program has replaced its entries' values by their indices */
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
      before; /* if that was not its operand: the operand, which the next product may overwrite */
  GrB_Vector visited;
  bool by_value;            /* the mask is used by value: its true entries are visited */
  uint64_t *visited_before; /* visited at the start, if some entries were not true; device memory */
  GrB_Vector indices;       /* known to hold its index everywhere; or NULL */
  bool transposed;
  bool ended;    /* the program has seen an empty level */
  void *parents; /* where the engine writes parents: visited's values, or parents_buffer; NULL: none */
  void *parents_buffer;
  grid_search_job job;     /* the engine's arguments */
  uint64_t *frontier_copy; /* job.frontier, if it is needed after the run */
  /* several processes: reserved arrays for the frontiers, so that materializing cannot fail */
  struct {
    grid_chunk arrays;
    GrB_Vector of; /* the vector that has received them */
  } reserved[2];
  int nreserved;
  /* the vertices visited at the start, if at most GRID_SEARCH_SHORT_LIST (else UINT32_MAX) */
  uint64_t base[GRID_SEARCH_SHORT_LIST];
  uint32_t nbase;
  bool listed;     /* the engine reads them as a list and fills the mask's arrays */
  grid_chunk list; /* then the mask's entries at the start */
  int n;
  grid_follower f[GRID_FOLLOWERS];
} grid_lookahead_run;

/* lookahead_start.c: starts a run with the first product c; *handled: it has started. structure: of the
 * mask. */
GrB_Info grid_lookahead_start(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                              const grid_search_engine *e, bool transposed, bool structure, bool *handled);
void grid_lookahead_free_arrays(grid_lookahead_run *run);
/* Are all entries of c among the vertices visited at the start? */
bool grid_lookahead_is_within_base(const grid_lookahead_run *run, const grid_chunk *c);
double grid_lookahead_to_double(GrB_Type t, const void *x);
bool grid_lookahead_is_integer(GrB_Type t);
/* Global index of the first entry of this process's chunk of w. */
uint64_t grid_lookahead_first_index(GrB_Vector w);

/* lookahead_visited.c */
bool grid_lookahead_is_short_list(const grid_chunk *c);
/* c becomes a bitmap on the device with dense values of its own; its entries are unchanged. */
GrB_Info grid_lookahead_make_dense(grid_chunk *c);
/* Prepares the mask: the vertices visited at the start. Sets run->base, listed and visited_before. */
GrB_Info grid_lookahead_prepare_visited(grid_lookahead_run *run, grid_chunk *v, const grid_search_engine *e);
/* Several processes: if one has entries that are not true, all use a separate bitmap of visited vertices. */
GrB_Info grid_lookahead_agree_on_visited(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                                         GrB_Info info);
/* Of a listed mask v: what the engine fills. */
void grid_lookahead_request_visited(const grid_lookahead_run *run, const grid_chunk *v,
                                    grid_search_visited *after);
/* Gives v its entries of the start; nothing if it is not listed. Local. */
GrB_Info grid_lookahead_restore_visited(grid_lookahead_run *run, grid_chunk *v);
void grid_lookahead_drop_list(grid_lookahead_run *run);

/* lookahead_entries.c */
GrB_Info grid_lookahead_run_ewise(grid_lookahead_run *run, const grid_lookahead_ewise_call *call,
                                  bool *handled);
/* Are the frontier's values all 1? */
bool grid_lookahead_is_iso_one(const grid_lookahead_run *run);
grid_follower *grid_lookahead_find_follower(grid_lookahead_run *run, GrB_Vector w);

/* lookahead_materialize.c: gives the frontier and the followers the entries up to the level that the
 * program has reached. over: the run ends. */
GrB_Info grid_lookahead_run_materialize(grid_lookahead_run *run, bool over);
#endif
