/* The run that is ahead of its program: what ahead.c notes and ahead_materialize.c turns into entries. */
#ifndef GRID_AHEAD_RUN_H
#define GRID_AHEAD_RUN_H
#include "dist/object/matrix/matrix.h"
#include "dist/object/vector.h"
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

typedef struct {
  bool active;
  const grid_search_engine *engine;
  GrB_Matrix A;
  GrB_Semiring s;
  GrB_Vector q; /* NULL: freed meanwhile */
  GrB_Vector visited;
  bool transposed;
  uint32_t at;   /* q stands for this level */
  bool ended;    /* the program has seen an empty level */
  void *parents; /* where the engine writes them: visited's values, or own_parents; NULL: none */
  void *own_parents;
  /* several processes: the arrays that the frontier will need, so that materializing cannot fail; empty once
   * they are its own */
  grid_chunk room;
  /* the vertices visited at the start, if they are few (else UINT32_MAX) */
  uint64_t base[GRID_SEARCH_FEW];
  uint32_t nbase;
  int n;
  grid_follower f[GRID_FOLLOWERS];
} grid_ahead_run;

/* Gives the frontier and the followers the entries that the program knows of. over: the run ends. */
GrB_Info grid_ahead_run_materialize(grid_ahead_run *run, bool over);
#endif
