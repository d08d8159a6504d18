/* A search engine for loops in lookahead: it runs all levels of a frontier loop at once, whose products,
 * counts and assignments the program requests one by one later (dist/lookahead/lookahead.h). The engine knows
 * only levels and parents. */
#ifndef GRID_SEARCH_H
#define GRID_SEARCH_H
#include "semiring/semiring.h"

/* Processes of a grid that exchange: member m is process first + m * stride, and this one is member `at`. */
typedef struct {
  uint32_t n, at, first, stride;
} grid_search_members;

/* A square pattern in both orientations, in device memory, with 32-bit indices; for a symmetric matrix both
 * are the same. On several processes, process k owns up to q vertices, a multiple of 64; its vertex v has
 * number k * q + v. It holds a block of the entries. The columns are vertices of the processes of `expand`,
 * vertex v of member m at m * q + v. The rows are those of the processes of `fold` in the same way. out_ptr
 * is over columns and out_idx has rows; in_ptr, in_hub_neighbor and nonempty are over rows and in_idx has
 * columns. Where `fold` is this process alone and `expand` has all, rows are whole, and columns are global
 * numbers. Process k may then own any range of vertices, from first[k], a multiple of 64, to first[k + 1]. If
 * the pattern is symmetric, the rows may serve for out_ptr and out_idx as well (equal pointers): of a block,
 * they lead from vertices of `fold` to those of `expand`. */
typedef struct {
  uint64_t n, nvals; /* vertices in all; entries of this process */
  uint64_t n_local,
      q; /* vertices of this process; with one process: n, and any multiple of 64 that is at least n */
  const uint64_t *first;  /* of P + 1 elements, valid while the search exists; NULL: multiples of q */
  uint64_t rows, columns; /* of the block */
  grid_search_members expand, fold;  /* this process is fold.at * fold.stride + expand.at * expand.stride */
  int P, k;                          /* number of processes; this one's number */
  const uint32_t *out_ptr, *out_idx; /* push: the vertices that v reaches */
  /* pull: the vertices that reach v, ascending; in_hub_neighbor[v] is the one of highest degree, 0 if there
   * is none */
  const uint32_t *in_ptr, *in_idx, *in_hub_neighbor;
  const uint64_t *nonempty; /* vertices with incoming edges */
  /* in place of out_ptr and in_ptr in a graph of 2^32 entries or more; engines of one machine support it */
  const uint64_t *out_offsets64, *in_offsets64;
  /* A bitmap of this many vertices does not fit a GPU's cache. GPUs that read each other's memory then test a
   * coarser bitmap first, while the frontier is sparse. GRID_SEARCH_LARGE except in tests. */
  uint64_t large;
  /* GPUs that push along rows retain what they find of others' vertices, for the owners to fetch, when a
   * level has so many entries. With fewer they send it one by one. GRID_SEARCH_RETAIN except in tests. */
  uint64_t retain_from;
  int64_t delegates; /* the option Grid_DELEGATES; used by engines of several processes */
  unsigned blocks;   /* most thread blocks, for tests; 0: as many as fit */
} grid_search_graph;
/* Compares every field, since padding is undefined. */
static inline bool grid_search_graph_is_same(const grid_search_graph *a, const grid_search_graph *b) {
  return a->n == b->n && a->nvals == b->nvals && a->n_local == b->n_local && a->q == b->q &&
         a->first == b->first && a->P == b->P && a->k == b->k && a->out_ptr == b->out_ptr &&
         a->out_idx == b->out_idx && a->in_ptr == b->in_ptr && a->in_idx == b->in_idx &&
         a->in_hub_neighbor == b->in_hub_neighbor && a->nonempty == b->nonempty &&
         a->out_offsets64 == b->out_offsets64 && a->in_offsets64 == b->in_offsets64 && a->large == b->large &&
         a->rows == b->rows && a->columns == b->columns && a->expand.n == b->expand.n &&
         a->fold.n == b->fold.n && a->expand.at == b->expand.at && a->fold.at == b->fold.at &&
         a->retain_from == b->retain_from && a->delegates == b->delegates && a->blocks == b->blocks;
}

typedef enum { GRID_SEARCH_AUTO, GRID_SEARCH_PUSH, GRID_SEARCH_PULL } grid_search_direction;

/* The most vertices of the engine of one machine, which packs a vertex number with a level or two flags into
 * 32 bits. */
#define GRID_SEARCH_VERTICES (UINT64_C(1) << 30)
#define GRID_SEARCH_LARGE    (UINT64_C(1) << 28)
#define GRID_SEARCH_RETAIN   (UINT64_C(1) << 18)
/* Levels are numbered from 1, in bytes. */
#define GRID_SEARCH_LEVELS 250

/* A frontier up to this size may be passed as a list. */
#define GRID_SEARCH_SHORT_LIST 8

/* Device memory that an engine fills as its run ends. bits: all local vertices visited at the start or found;
 * value[k], of `size` bytes (1, 2, 4 or 8), goes to values[visited_list[k]]. */
typedef struct {
  uint64_t *bits;
  void *values;
  size_t size;
  uint64_t value[GRID_SEARCH_SHORT_LIST];
} grid_search_visited;

typedef struct {
  /* bitmaps of local vertices in device memory, read only; frontier NULL: the vertices short_list[0 ..
   * nshort_list) */
  const uint64_t *frontier, *visited;
  uint32_t short_list[GRID_SEARCH_SHORT_LIST], nshort_list;
  /* visited_is_listed: the vertices in `visited` are visited_list[0 .. nvisited_list), too. `visited` may be
   * NULL then if the engine fills `after`. */
  bool visited_is_listed;
  uint32_t visited_list[GRID_SEARCH_SHORT_LIST], nvisited_list;
  grid_search_visited after; /* bits NULL: not requested */
  uint64_t size;             /* number of vertices in the frontier */
  /* parent[v] = a vertex of the previous level with an edge to v, of type int32 or int64 by parent_bytes (0:
   * no parents). Entries of visited vertices keep their values; those of vertices that are not found are
   * undefined. */
  void *parent;
  int parent_bytes;
  grid_search_direction direction;
  uint32_t max_levels;  /* at most GRID_SEARCH_LEVELS */
  bool min_parents;     /* min_parents() will be called */
  void *const *windows; /* of all processes, for an engine that uses them */
} grid_search_job;

/* Statistics of a level. */
typedef struct {
  bool pull;
  uint64_t inspected;  /* edges inspected */
  double microseconds; /* device time */
} grid_search_level;

typedef struct grid_search grid_search; /* an engine's workspace, cached with a matrix */

/* One table per engine. */
typedef struct grid_search_engine {
  GrB_Info (*make)(grid_search **s, const grid_search_graph *g);
  void (*free)(grid_search *s);
  /* Starts the search and returns. */
  GrB_Info (*start)(grid_search *s, const grid_search_job *job);
  /* Vertices found in level k = 1, 2, ..., over the whole grid; returns as soon as that is known. 0: the
   * search has ended, or max_levels have been run. */
  GrB_Info (*count)(grid_search *s, uint32_t k, uint64_t *count, grid_search_level *what);
  /* Vertices of level k that this process found; levels() covers k. Local. NULL: not counted. */
  GrB_Info (*count_local)(grid_search *s, uint32_t k, uint64_t *count);
  /* Ends the run: waits until none of its work is left. */
  GrB_Info (*wait)(grid_search *s);
  /* Several processes; local. Waits until levels() covers level k, the last one that was counted or the next;
   * the run goes on. */
  GrB_Info (*pause)(grid_search *s, uint32_t k);
  /* level[v] = k: found in level k of this run; 0: not found. Complete after the run, in stream order. */
  const uint8_t *(*levels)(const grid_search *s);
  /* Several processes: collective, after any of them has made its engine and before the first start.
   * GRID_UNSUPPORTED, everywhere: this engine does not serve here. NULL: not needed. */
  GrB_Info (*connect)(grid_search *s);
  /* Several processes, local: another process could not start, so that this one's run, which waits for it,
   * ends. NULL: it does not wait. */
  void (*abandon)(grid_search *s);
  /* Several processes: the size of the windows (spmat/window.h) that a start with this job needs, equal
   * everywhere. NULL: none. */
  uint64_t (*window)(const grid_search *s, bool min_parents);
  /* The number of delegates over the grid: vertices with more entries than *threshold. 0 before connect.
   * NULL: none. */
  uint64_t (*delegates)(const grid_search *s, int64_t *threshold);
  /* Local: after a run whose job set min_parents, the parent of each local vertex of levels 1 to `last`
   * becomes its smallest one. In stream order. NULL: not supported on several processes. */
  GrB_Info (*min_parents)(grid_search *s, const grid_search_job *job, uint32_t last);
  /* Of the backend's engine alone. Device memory: *identity: x[i] = first + i for all i < n, or for those in
   * bits; x is of an integer type of 4 or 8 bytes. Waits. Local. */
  GrB_Info (*check_identity)(const void *x, const uint64_t *bits, size_t size, uint64_t n, uint64_t first,
                             bool *identity);
  /* Several processes, local, before a start: the engine's own array of local vertices for job.parent, whose
   * entries of visited vertices are undefined, until the next call. NULL: memory is short. No such row:
   * job.parent is any array. */
  void *(*parents)(grid_search *s, int bytes);
  /* Bytes that the engine holds of entries beside the matrix. NULL: 0. */
  uint64_t (*bytes)(const grid_search *s);
  bool fills_visited; /* job.visited may be NULL, and job.after is filled */
} grid_search_engine;

/* Converts a run's levels to the entries of a vector: the vertices with a level between `from` and `to`
 * become entries, too. */
typedef struct grid_materialize {
  const uint8_t *level;
  uint32_t from, to;
  uint64_t n;
  bool count;     /* return nvals, which waits */
  uint64_t *bits; /* device */
  bool fresh;     /* bits are overwritten, not or-ed */
  /* dense values in device memory; NULL: none are written. They come from table (host memory, level l's value
   * at l * size), or from source (device memory, by vertex), or they are the vertex numbers. This process's
   * begin at `first`. */
  void *val;
  bool keep_absent; /* val also has parents of later levels: values of vertices without an entry stay */
  size_t size;      /* 1, 2, 4 or 8 */
  const void *table;
  const void *source;
  bool numbers;
  uint64_t first;
  uint64_t nvals; /* result: number of bits set */
} grid_materialize;
#endif
