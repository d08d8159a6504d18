/* A whole breadth-first search in one launch: the loop  w<!visited,struct,replace> = w any.secondi A;  nvals(w)
 * run ahead on the device until it finds nothing more. The library hands the counts out level by level; if the
 * caller stops early it truncates by level number. Works for any frontier, any visited set, directed or not.
 * One search at a time for each grid_search. All pointers are device memory unless said. */
#ifndef GRID_CUDA_SEARCH_H
#define GRID_CUDA_SEARCH_H
#include "GraphBLAS.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GRID_SEARCH_MAX_N      (UINT64_C(1) << 28)           /* a parent and a level number share 32 bits */
#define GRID_SEARCH_MAX_NVALS  ((UINT64_C(1) << 32) - 2)
#define GRID_SEARCH_MAX_LEVELS 250

/* A square pattern in both directions. Symmetric: out_* and in_* are the same pointers. The pattern stays where
 * it is as long as the grid_search lives. */
typedef struct {
  uint64_t n, nvals;
  const uint32_t *out_ptr, *out_idx; /* push: whom v reaches */
  const uint32_t *in_ptr, *in_idx;   /* pull: who reaches v, best in descending degree */
  const uint32_t *in_first;          /* in_idx[in_ptr[v]]; any value < n where v has no entry */
  const uint64_t *nonempty;          /* bitmap: rows of `in` that hold entries */
} grid_search_graph;

/* The workspace of a pattern: queue, bitmaps, level bytes, counters, host record. */
typedef struct grid_search grid_search;

typedef enum { GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL } grid_search_direction;

typedef struct {
  const uint64_t *frontier, *visited; /* bitmaps; visited includes the frontier; neither is modified */
  /* parent[v] = u of the previous level with an entry u -> v, for each v found. Where v is in `visited` nothing
   * is written; where v is never found what it holds afterwards is undefined (whole sectors are written). */
  void *parent;
  int parent_bytes; /* 0: none wanted; 4: int32; 8: int64 */
  /* The caller knows that whatever a visited vertex outside the frontier reaches is visited too: true when a
   * stopped search goes on. Found out by itself where frontier and visited are equal. */
  bool closed;
  grid_search_direction direction;
  uint32_t max_levels; /* 1 .. GRID_SEARCH_MAX_LEVELS */
} grid_search_job;

typedef struct {
  grid_search_direction direction; /* PUSH or PULL */
  uint64_t edges;                  /* push: entries followed; pull: entries looked at */
  double us;                       /* device time from the level before */
} grid_search_level;

/* The workspace for g. GrB_OUT_OF_MEMORY, GrB_INVALID_VALUE (g is too large), GrB_PANIC. */
GrB_Info grid_search_new(grid_search **s, const grid_search_graph *g);
void grid_search_free(grid_search *s);
/* One launch; does not wait for it (only for the search before it). GrB_INVALID_VALUE, GrB_PANIC. */
GrB_Info grid_search_start(grid_search *s, const grid_search_job *job);
/* Vertices found in level k = 1, 2, ...; 0: the search ended before it (or max_levels did). Waits only until the
 * device has said so. `what` may be NULL. GrB_PANIC if the kernel failed. */
GrB_Info grid_search_count(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what);
/* Until the search is over; the results below are then ready for work on the same stream. */
GrB_Info grid_search_wait(grid_search *s);
/* After a wait: the number of levels that found something; whether max_levels cut the search short. */
uint32_t grid_search_levels_run(const grid_search *s);
bool grid_search_stopped(const grid_search *s);
/* level[v] = k if v was found in level k of the last search, else 0; n bytes. */
const uint8_t *grid_search_level_bytes(const grid_search *s);
/* Everything visited, the initial set included. Complete when the search is over. */
const uint64_t *grid_search_visited(const grid_search *s);
/* Bytes of device memory held. */
uint64_t grid_search_bytes(const grid_search *s);
/* The same before there is one, from n, nvals and the number of rows of `in` that hold entries. */
uint64_t grid_search_needs(uint64_t n, uint64_t nvals, uint64_t nonempty);

#ifdef __cplusplus
}
#endif
#endif
