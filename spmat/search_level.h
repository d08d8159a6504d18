/* One process's part of a search that runs level by level on several GPUs (dist/lookahead/search_grid.c). It
 * owns up to q of the vertices, has all entries of their rows, and receives the vertices that others found
 * after each level. Arrays are in device memory; the kernels are in spmat/cuda/search/level.cu. */
#ifndef GRID_SEARCH_LEVEL_H
#define GRID_SEARCH_LEVEL_H
#include "spmat/search.h"

/* What a process sends about a level. */
typedef struct {
  uint64_t count;     /* vertices found */
  uint64_t edges;     /* entries of their rows; only counted by begin and push */
  uint64_t visited;   /* begin: entries of the rows visited at the start */
  uint64_t nvals;     /* begin: entries of all rows */
  uint64_t open;      /* begin: nonempty rows not visited */
  uint64_t inspected; /* edges inspected */
  uint64_t time;      /* in ns, by the device's clock, at the end of the level */
  uint32_t
      list_count; /* slots of the list that were allocated; more than its length: the list is incomplete */
  uint32_t unused[17];
} grid_level_head;

/* A small level is sent in one message of fixed length, so that no sizes need be exchanged. Its list is
 * complete if count is at most GRID_LEVEL_LIST, in any order. A larger level needs the bitmap. */
#define GRID_LEVEL_LIST 8160
typedef struct {
  grid_level_head head;
  uint32_t list[GRID_LEVEL_LIST]; /* vertices, numbered over the grid */
} grid_level_message;

/* A segment of a long vector to push from: entries start .. start + GRID_LEVEL_SEGMENT - 1, or fewer, of
 * `vertex`. */
#define GRID_LEVEL_SEGMENT 512
typedef struct {
  uint32_t vertex, start;
} grid_level_segment;

/* A row not found yet, and its first entry. GRID_LEVEL_ONE_ENTRY is set in `row` if it has no other entry; a
 * process has fewer than 2^31 rows. */
#define GRID_LEVEL_ONE_ENTRY (UINT32_C(1) << 31)
typedef struct {
  uint32_t row, first;
} grid_level_open;

/* Delegates (docs/how/delegates.md): the vertices of highest degree, numbered densely over the grid; those of
 * process p begin at p * per_process, in ascending order of vertex. Their frontier is a small bitmap that
 * stays in the cache and is exchanged before the rest. A row whose first entry is a delegate tests that
 * bitmap. */
#define GRID_LEVEL_DELEGATE (UINT32_C(1) << 31)
typedef struct {
  uint64_t d;             /* their number: vertices with more than graph.delegates entries */
  uint64_t per_process;   /* numbers reserved for a process, a multiple of 64; 0: no delegates */
  uint32_t *vertex;       /* by number; UINT32_MAX: the process has fewer */
  uint32_t *bits;         /* of those in the frontier */
  uint32_t *hub_neighbor; /* graph.in_hub_neighbor, with GRID_LEVEL_DELEGATE | number for delegates */
} grid_level_delegates;

/* Counters that are used only by this process's kernels. */
typedef struct {
  uint32_t open[2];             /* lengths of the lists of open rows */
  uint32_t deferred;            /* rows that the next kernel inspects: with a warp each, */
  uint32_t deferred_block_rows; /* and with a block each */
  uint32_t segments;            /* may exceed the allocated length */
} grid_level_counters;

typedef struct {
  uint64_t seq; /* changes when the heads have arrived; host memory that the device writes */
  grid_level_head head[];
} grid_level_record;

/* What a pull inspects: the whole frontier; or first only delegates, in rows whose first entry is one, and
 * then the rest. */
typedef enum { GRID_LEVEL_FRONTIER, GRID_LEVEL_DELEGATES, GRID_LEVEL_NONDELEGATES } grid_level_phase;

typedef struct {
  /* out_ptr over all vertices of the grid, out_idx local rows; in_ptr, in_hub_neighbor and nonempty over
   * local rows, in_idx all vertices. n: local rows */
  grid_search_graph graph;
  uint64_t q; /* most vertices of a process, a multiple of 64; local row v is vertex k * q + v */
  int P, k;
  grid_level_delegates delegates;
  uint32_t *visited; /* q bits */
  uint8_t *level;    /* by local row; of rows not visited undefined until the first pull or finish */
  uint32_t *bits[2]; /* P * q bits: the frontier of this level and of the next */
  uint32_t *coarse;  /* P * q / 64 bits: the nonempty words of a sparse frontier */
  grid_level_message *message[2]; /* P: of this level and of the next */
  grid_level_head *heads;         /* P, where bitmaps are exchanged and lists are not */
  /* What this process found in a listed level, complete up to list_capacity: it is sent if the message is too
   * short. lists: P times as long, what all processes have found. */
  uint32_t *list, *lists;
  uint32_t list_capacity;
  grid_level_open *open[2]; /* rows not found yet, from the first pull on */
  uint64_t open_capacity;
  uint32_t *deferred; /* long rows for the second kernel of a pull; the longest are at the end */
  uint64_t deferred_capacity;
  grid_level_segment *segments;
  uint32_t segments_capacity;
  grid_level_counters *counters;
  grid_level_record *record;
  void *parent;
  int parent_bytes;
} grid_level_search;

/* What a level's kernels read and write: data of the previous level has number `from`, of this one 1 - from.
 */
typedef struct {
  uint32_t level;
  int from;
  bool from_list; /* push: the frontier is in the messages' lists, not in the bitmap */
  bool first;     /* pull: there is no list of open rows yet; use the whole frontier */
  grid_level_phase phase;
  int open;        /* else the list to read; the other one is written */
  bool coarse;     /* pull: the frontier is sparse, and a bitmap of its nonempty words is tested first */
  bool open_stale; /* rows were found since the list was written: test visited, too */
  bool list;       /* found vertices are listed in the message */
} grid_level_step;

/* What publish does besides informing the host. */
typedef struct {
  int at;          /* the level's messages and bits */
  bool from_heads; /* only heads were exchanged */
  bool clear;      /* the bits of the previous level are cleared by means of this process's list */
  int open_next;   /* the list of open rows that the next pull writes */
  uint64_t seq;
} grid_level_publish;

/* All of them launch kernels and return. */
typedef struct grid_level_kernels {
  /* memory that host and device share */
  GrB_Info (*pin)(void **p, uint64_t bytes);
  void (*unpin)(void *p);
  /* visited, bits[0] and message[0] of the start */
  GrB_Info (*begin)(const grid_level_search *s, const grid_search_job *job);
  GrB_Info (*push)(const grid_level_search *s, const grid_level_step *step);
  GrB_Info (*pull)(const grid_level_search *s, const grid_level_step *step);
  /* bits[at] from the lists of the messages (stride 0), or from `lists`, which begin `stride` vertices apart;
   * bits[at] holds only local bits before. The record has their lengths. */
  GrB_Info (*lists_to_bits)(const grid_level_search *s, int at, uint64_t stride);
  /* delegates.bits from bits[at]: those of this process, or all */
  GrB_Info (*delegates)(const grid_level_search *s, int at, bool all);
  /* Numbering delegates. mark: *marked (host) = the number of local rows with more entries than `threshold`,
   * and bits[0] = their bits. number: once bits[0] holds those of all processes, fills the arrays of
   * s->delegates, whose per_process is known. */
  GrB_Info (*mark)(const grid_level_search *s, uint64_t threshold, uint64_t *marked);
  GrB_Info (*number)(const grid_level_search *s);
  /* visited = all rows but the open ones */
  GrB_Info (*close)(const grid_level_search *s, int open);
  GrB_Info (*publish)(const grid_level_search *s, const grid_level_publish *p);
  /* waits until the record's seq reaches this number */
  GrB_Info (*wait_seq)(const grid_level_search *s, uint64_t seq);
  /* levels of rows not visited become 0 */
  GrB_Info (*finish)(const grid_level_search *s);
} grid_level_kernels;
#endif
