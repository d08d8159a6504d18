/* A lookahead search: all levels of a frontier loop in one go, whose products, counts and assignments
 * the program will ask for one by one (dist/lookahead/lookahead.h). The engine only knows levels and parents. */
#ifndef GRID_SEARCH_H
#define GRID_SEARCH_H
#include "semiring/semiring.h"

/* A square pattern in both directions, in device memory; 32-bit. For a symmetric matrix both are the same.
 * Several processes: a process owns up to q vertices, a multiple of 64; own vertex v is vertex k * q + v. It
 * has the entries of its own rows: out_ptr is over all vertices, out_idx own ones; in_ptr, in_hub_neighbor
 * and nonempty are over own ones, in_idx all vertices. */
typedef struct {
  uint64_t n, nvals;   /* of all; of this process */
  uint64_t n_local, q; /* vertices of this process; one process: n, and any multiple of 64 from n on */
  int P, k;            /* processes; this one's number */
  const uint32_t *out_ptr, *out_idx; /* push: whom v reaches */
  /* pull: who reaches v, ascending; in_hub_neighbor[v] is the one of highest degree, 0 for an empty v */
  const uint32_t *in_ptr, *in_idx, *in_hub_neighbor;
  const uint64_t *nonempty; /* the vertices that somebody reaches */
  /* of a graph of 2^32 entries or more, in place of out_ptr and in_ptr; engines of one machine take it */
  const uint64_t *out_offsets64, *in_offsets64;
  /* A bitmap of so many vertices does not stay in a GPU's cache: GPUs that look into each other's memory look
   * at a coarse one before it, while the frontier is sparse. GRID_SEARCH_LARGE, but in tests. */
  uint64_t large;
  int64_t delegates; /* what Grid_DELEGATES asks for; engines of several processes heed it */
  unsigned blocks;   /* of threads at most, in tests; 0: as many as there is room for */
} grid_search_graph;
/* In every field: what lies between them is nobody's. */
static inline bool grid_search_graph_is_same(const grid_search_graph *a, const grid_search_graph *b) {
  return a->n == b->n && a->nvals == b->nvals && a->n_local == b->n_local && a->q == b->q && a->P == b->P &&
         a->k == b->k && a->out_ptr == b->out_ptr && a->out_idx == b->out_idx && a->in_ptr == b->in_ptr &&
         a->in_idx == b->in_idx && a->in_hub_neighbor == b->in_hub_neighbor && a->nonempty == b->nonempty &&
         a->out_offsets64 == b->out_offsets64 && a->in_offsets64 == b->in_offsets64 && a->large == b->large &&
         a->delegates == b->delegates && a->blocks == b->blocks;
}

typedef enum { GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL } grid_search_direction;

/* The most vertices that the engine of one machine takes: it packs a number with a level, or with two flags,
 * into 32 bits. */
#define GRID_SEARCH_VERTICES (UINT64_C(1) << 30)
#define GRID_SEARCH_LARGE    (UINT64_C(1) << 28)
/* Levels are numbered from 1, in bytes. */
#define GRID_SEARCH_LEVELS 250

/* A frontier this small may be given as a list. */
#define GRID_SEARCH_SHORT_LIST 8

typedef struct {
  /* bitmaps of own vertices in device memory, not changed; frontier NULL: the vertices few[0..nfew) */
  const uint64_t *frontier, *visited;
  uint32_t short_list[GRID_SEARCH_SHORT_LIST], nshort_list;
  uint64_t size; /* of the frontier: how many are these */
  /* parent[v] = some u of the level before with an edge to v, int32 or int64 by parent_bytes (0: none
   * wanted). Where v is in visited nothing is written, where v is not found anything. */
  void *parent;
  int parent_bytes;
  grid_search_direction direction;
  uint32_t max_levels;  /* at most GRID_SEARCH_LEVELS */
  bool min_parents;     /* least() will be asked for */
  void *const *windows; /* all processes', for an engine that asks for them */
} grid_search_job;

/* What is known of a level afterwards. */
typedef struct {
  bool pull;
  uint64_t inspected;  /* entries looked at */
  double microseconds; /* device time */
} grid_search_level;

typedef struct grid_search grid_search; /* an engine's workspace, kept with a matrix */

/* One row per engine. */
typedef struct grid_search_engine {
  GrB_Info (*make)(grid_search **s, const grid_search_graph *g);
  void (*free)(grid_search *s);
  /* Begins; the program goes on meanwhile. */
  GrB_Info (*start)(grid_search *s, const grid_search_job *job);
  /* Vertices found in level k = 1, 2, ..., over the whole grid; waits no longer than needed. 0: the search
   * has ended, or max_levels have been run. */
  GrB_Info (*count)(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what);
  /* Those of them that this process found; k is a level that levels() tells of. Local. */
  GrB_Info (*count_local)(grid_search *s, uint32_t k, uint64_t *count);
  /* Until nothing of the run is under way any more. It is over then. */
  GrB_Info (*wait)(grid_search *s);
  /* Several processes; local. Until levels() tells of levels up to k, the last one that was asked for or the
   * one behind; the run goes on. */
  GrB_Info (*pause)(grid_search *s, uint32_t k);
  /* level[v] = k: found in level k of this run, 0: not found. Complete after the run, in stream order. */
  const uint8_t *(*levels)(const grid_search *s);
  /* Several processes: collective, when any of them has made its engine, before the first start. NULL: there
   * is nothing to do. */
  GrB_Info (*connect)(grid_search *s);
  /* Several processes, local: another one could not start, and this one's run, which waits for it, ends.
   * NULL: it does not wait. */
  void (*abandon)(grid_search *s);
  /* Several processes: how large their windows must be (spmat/window.h), the same everywhere, for a start
   * with this job. NULL: it does not need any. */
  uint64_t (*window)(const grid_search *s, bool min_parents);
  /* How many it has over the grid, those with more entries than *threshold; 0 before connect. NULL: none. */
  uint64_t (*delegates)(const grid_search *s, int64_t *threshold);
  /* Local: after the run that was started with this job, which said that it would be asked for, the parent of
   * each own vertex of the levels 1 to `last` becomes the smallest one that there is. In stream order. NULL
   * on several processes: it cannot be asked for. */
  GrB_Info (*min_parents)(grid_search *s, const grid_search_job *job, uint32_t last);
  /* Device memory: *own: x[i] = first + i for all i < n, or those in bits, of an integer type of 4 or 8
   * bytes. Waits. Local. */
  GrB_Info (*check_identity)(const void *x, const uint64_t *bits, size_t size, uint64_t n, uint64_t first,
                             bool *own);
} grid_search_engine;

/* Turning a run's levels into the entries of a vector: its entries are joined by the vertices with a level
 * from `from` to `to`. */
typedef struct grid_materialize {
  const uint8_t *level;
  uint32_t from, to;
  uint64_t n;
  bool count;     /* is nvals wanted? That waits */
  uint64_t *bits; /* device */
  bool fresh;     /* bits are set, not joined */
  /* dense values in device memory, NULL: none are written. They come from table (host memory, the value of
   * level l at l * size), or from source (device memory, by vertex), or are the vertices' numbers, of which
   * this process's begin at `first`. */
  void *val;
  size_t size; /* 1, 2, 4 or 8 */
  const void *table;
  const void *source;
  bool numbers;
  uint64_t first;
  uint64_t nvals; /* result: bits that are set */
} grid_materialize;
#endif
