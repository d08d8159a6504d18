/* One process's share of a search that runs level by level on several GPUs (dist/lookahead/search_grid.c): it
 * owns q of the vertices, has all entries of their rows, and hears after each level which vertices the others
 * found. Arrays are in device memory; the kernels are in spmat/cuda/search/level.cu. */
#ifndef GRID_SEARCH_LEVEL_H
#define GRID_SEARCH_LEVEL_H
#include "spmat/search.h"

/* What a process tells of a level. */
typedef struct {
  uint64_t count;      /* vertices found */
  uint64_t edges;      /* entries of their rows; only counted by begin and push */
  uint64_t visited;    /* begin: entries of the rows visited at the start */
  uint64_t nvals;      /* begin: entries of all rows */
  uint64_t open;       /* begin: rows not visited that hold entries */
  uint64_t inspected;  /* entries looked at */
  uint64_t time;       /* ns, of the device's own clock, at the end of the level */
  uint32_t list_count; /* places of the list that were given out; more than its length: it is incomplete */
  uint32_t unused[17];
} grid_level_head;

/* A small level travels in one message of fixed length, so that no sizes need be known: complete where count
 * is at most GRID_LEVEL_LIST, in any order. A larger one needs the bitmap. */
#define GRID_LEVEL_LIST 8160
typedef struct {
  grid_level_head head;
  uint32_t list[GRID_LEVEL_LIST]; /* vertices, numbered over the grid */
} grid_level_message;

/* A segment of a long vector to push from: entries start .. start + GRID_LEVEL_SEGMENT - 1, or fewer, of
 * vertex's. */
#define GRID_LEVEL_SEGMENT 512
typedef struct {
  uint32_t vertex, start;
} grid_level_segment;

/* A row not found yet, and its first entry. GRID_LEVEL_ONE_ENTRY is set in row where there is no other; own
 * rows are fewer than 2^31. */
#define GRID_LEVEL_ONE_ENTRY (UINT32_C(1) << 31)
typedef struct {
  uint32_t row, first;
} grid_level_open;

/* Delegates (docs/design.md): the vertices of highest degree, numbered densely over the grid, those of
 * process p from p * per on, by ascending vertex. Their part of the frontier is a small bitmap that stays in
 * the cache, and travels before the rest; rows whose first entry is a delegate look there. */
#define GRID_LEVEL_DELEGATE (UINT32_C(1) << 31)
typedef struct {
  uint64_t d;             /* how many there are, with more than graph.delegates entries */
  uint64_t per_process;   /* numbers that a process has, a multiple of 64; 0: there are no delegates */
  uint32_t *vertex;       /* by number; UINT32_MAX: the process has fewer */
  uint32_t *bits;         /* those in the frontier */
  uint32_t *hub_neighbor; /* graph.in_hub_neighbor, with GRID_LEVEL_DELEGATE | number for delegates */
} grid_level_delegates;

/* Counters that only this process's kernels use. */
typedef struct {
  uint32_t open[2];             /* lengths of the lists of open rows */
  uint32_t deferred;            /* rows that the next kernel looks through: a warp each, */
  uint32_t deferred_block_rows; /* and a block each */
  uint32_t segments;            /* may count beyond the room */
} grid_level_counters;

typedef struct {
  uint64_t seq; /* changes when the heads are there; host memory that the device writes */
  grid_level_head head[];
} grid_level_record;

/* What a pull looks at: the frontier, or first its delegates alone, at rows whose first entry is one, then
 * the rest. */
typedef enum { GRID_LEVEL_FRONTIER, GRID_LEVEL_DELEGATES, GRID_LEVEL_NONDELEGATES } grid_level_phase;

typedef struct {
  /* out_ptr over all vertices of the grid, out_idx own rows; in_ptr, in_hub_neighbor and nonempty over own
   * rows, in_idx all vertices. n: own rows */
  grid_search_graph graph;
  uint64_t q; /* vertices a process owns at most, a multiple of 64; own row v is vertex k * q + v */
  int P, k;
  grid_level_delegates delegates;
  uint32_t *visited;              /* q bits */
  uint8_t *level;                 /* by own row; rows not visited: undefined until the first pull or finish */
  uint32_t *bits[2];              /* P * q bits: frontier of this level and of the next */
  uint32_t *coarse;               /* P * q / 64 bits: which words of 64 of a sparse frontier hold any */
  grid_level_message *message[2]; /* P: those of this level and of the next */
  grid_level_head *heads;         /* P, where bitmaps travel and lists do not */
  /* What this process found in a level that is listed, in full up to list_capacity: it travels when the
   * message turns out to be too short. lists: P times as long, what all have found. */
  uint32_t *list, *lists;
  uint32_t list_capacity;
  grid_level_open *open[2]; /* rows not found yet, from the first pull on */
  uint64_t open_capacity;
  uint32_t
      *deferred; /* long rows that the second kernel of a pull looks through; the longest are at its end */
  uint64_t deferred_capacity;
  grid_level_segment *segments;
  uint32_t segments_room;
  grid_level_counters *counters;
  grid_level_record *record;
  void *parent;
  int parent_bytes;
} grid_level_search;

/* What a level's kernels read and write: everything of the level before lies at number `from`, of this one at
 * 1 - from. */
typedef struct {
  uint32_t level;
  int from;
  bool from_list; /* push: the frontier is in the messages' lists, not in the bitmap */
  bool first;     /* pull: there is no list of open rows yet; the whole frontier */
  grid_level_phase phase;
  int open;        /* else the list to read; the other one is written */
  bool coarse;     /* pull: the frontier is sparse, and a bitmap of its words is looked at before it */
  bool open_stale; /* rows have been found since the list was written: visited says so */
  bool list;       /* found vertices are listed in the message */
} grid_level_step;

/* What publish does besides: tells the host. */
typedef struct {
  int at;          /* the level's messages and bits */
  bool from_heads; /* heads came alone */
  bool clear;      /* the bits of the level before are taken back, by this process's list of it */
  int open_next;   /* the list of open rows that the next pull writes */
  uint64_t seq;
} grid_level_publish;

/* All of them launch and return. */
typedef struct grid_level_kernels {
  /* memory that host and device share */
  GrB_Info (*pin)(void **p, uint64_t bytes);
  void (*unpin)(void *p);
  /* visited, bits[0] and message[0] of the start */
  GrB_Info (*begin)(const grid_level_search *s, const grid_search_job *job);
  GrB_Info (*push)(const grid_level_search *s, const grid_level_step *step);
  GrB_Info (*pull)(const grid_level_search *s, const grid_level_step *step);
  /* bits[at] from the lists of the messages (stride 0), or from `lists`, which begin `stride` vertices apart;
   * it is clear but for the own ones. The record says how long they are. */
  GrB_Info (*lists_to_bits)(const grid_level_search *s, int at, uint64_t stride);
  /* delegates.bits from bits[at]: this process's, or all */
  GrB_Info (*delegates)(const grid_level_search *s, int at, bool all);
  /* Numbering delegates: *own (host) = how many own rows have more entries than `threshold`, and bits[0] is
   * their own bits; when it holds those of all processes: the arrays of s->delegates, whose `per` is known.
   */
  GrB_Info (*mark)(const grid_level_search *s, uint64_t threshold, uint64_t *own);
  GrB_Info (*number)(const grid_level_search *s);
  /* visited = all rows but the open ones */
  GrB_Info (*close)(const grid_level_search *s, int open);
  GrB_Info (*publish)(const grid_level_search *s, const grid_level_publish *p);
  /* waits until the record has this number */
  GrB_Info (*wait_seq)(const grid_level_search *s, uint64_t seq);
  /* levels of rows not visited become 0 */
  GrB_Info (*finish)(const grid_level_search *s);
} grid_level_kernels;
#endif
