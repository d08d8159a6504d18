// The data of a search: tuning parameters, arguments, counters, state and shared memory. search.cu describes
// how its phases fit together.
#ifndef GRID_SEARCH_STATE_CUH
#define GRID_SEARCH_STATE_CUH
#include "spmat/cuda/search/search_rows.cuh"

// Tuning parameters, set by -D.
#ifndef GRID_SEARCH_PULL_RULE  // pull when frontier edges times this exceed the unvisited edges
#define GRID_SEARCH_PULL_RULE 20
#endif
#ifndef GRID_SEARCH_PUSH_RULE  // back to push when found vertices times this are fewer than the rows left
#define GRID_SEARCH_PUSH_RULE 4
#endif
#ifndef GRID_SEARCH_LAST_ROWS  // several GPUs go on pulling when at most so many rows are left,
#define GRID_SEARCH_LAST_ROWS (1 << 18)
#endif
#ifndef GRID_SEARCH_LAST_PULLS  // for at most so many pulls in all: a long path is pushed
#define GRID_SEARCH_LAST_PULLS 6
#endif
#ifndef GRID_SEARCH_REST  // assumed entries of a row that the first pull did not resolve
#define GRID_SEARCH_REST 8
#endif
#ifndef GRID_SEARCH_ITEM  // entries in one warp's segment of a push
#define GRID_SEARCH_ITEM 512
#endif
#ifndef GRID_SEARCH_LIST_MAX  // groups of 32 rows that a warp of a later pull has in flight
#define GRID_SEARCH_LIST_MAX 4
#endif
#ifndef GRID_SEARCH_TINY  // up to this many entries one block computes a level alone
#define GRID_SEARCH_TINY 6144
#endif
#ifndef GRID_SEARCH_ID_BITS  // at least this many bits for a vertex that is tagged with a level
#define GRID_SEARCH_ID_BITS 28
#endif
#ifndef GRID_SEARCH_COARSE  // bits of the coarse bitmap
#define GRID_SEARCH_COARSE (1 << 21)
#endif
#ifndef GRID_SEARCH_REMOTE_RULE  // with this many remote words for each row left, they are read remotely
#define GRID_SEARCH_REMOTE_RULE 8
#endif
#ifndef GRID_SEARCH_SLEEP_NS  // nanoseconds between two reads of the barrier
#define GRID_SEARCH_SLEEP_NS 0
#endif
#ifndef GRID_SEARCH_L1  // 1: a push may read visited from L1 first; a stale value is harmless
#define GRID_SEARCH_L1 1
#endif

namespace {

// What a GPU holds: all entries; the whole rows of its own vertices; or a block of a grid, with some of the
// columns of some of the rows (search_matrix_block.cuh).
enum search_layout { ONE_GPU, WHOLE_ROWS, MATRIX_BLOCK };

constexpr uint32_t THREADS = 512, WARPS = THREADS / 32, BLOCKS = 2;  // blocks of a multiprocessor
constexpr uint32_t ITEM = GRID_SEARCH_ITEM;
constexpr uint32_t TINY_VERTICES = 2048, TINY_EDGES = GRID_SEARCH_TINY;
constexpr uint32_t FOUND = 384;  // vertices found by a warp, buffered before they go to the queue
constexpr uint32_t IS_LIST = GRID_SEARCH_LIST_MAX;
constexpr uint32_t MISSES =
    32 * (SWEEP > IS_LIST ? SWEEP : IS_LIST) + 32;  // rows in a warp's buffer for scan_missed_rows
// Several GPUs.
constexpr uint32_t ROW_ITEM = 128;  // instead of ITEM where vertices push along their rows: more warps wait
                                    // for other GPUs at a time
constexpr uint32_t UNCOUNTED_PUSH = 64;  // a frontier up to this size is pushed without counting its edges
constexpr uint32_t LAST_ROWS = GRID_SEARCH_LAST_ROWS, LAST_PULLS = GRID_SEARCH_LAST_PULLS;
constexpr uint32_t FULL_LIST_MAX =
    1 << 19;  // up to this frontier each GPU makes the whole bitmap from the list
constexpr uint32_t COARSE = GRID_SEARCH_COARSE;
constexpr uint32_t COARSE_BITS_PER_VERTEX =
    6;  // with this many bits of the coarse bitmap a vertex it pays to test it
constexpr uint32_t REMOTE_RULE = GRID_SEARCH_REMOTE_RULE;
constexpr uint32_t PACKED = 4;  // packed values that a thread has in flight
// Flags of rows on the list of unvisited rows.
constexpr uint32_t LONG_ROW = 1u << 31;  // was given to several warps: may be found already
constexpr uint32_t ONE_ENTRY = 1u << 30, ROW = ONE_ENTRY - 1;
static_assert(GRID_SEARCH_VERTICES == ROW + 1, "a row's number fits beside the flags");
// In each word of the host's record: it was written, by which run; in some, a pull, or ended by max_levels.
constexpr uint64_t WRITTEN = UINT64_C(1) << 63, FLAG = UINT64_C(1) << 62, RUN = UINT64_C(255) << 54;

// Counters of one level. All are zero before it, so that no phase waits for clearing.
struct alignas(64) search_counts {
  uint32_t found;      // also the next free position of the queue
  uint32_t rows;       // also the next free position of the list of rows
  uint32_t items;      // segments of a push, and their position
  uint32_t longs;      // segments of long rows, and their position
  uint64_t edges;      // of the frontier
  uint64_t inspected;  // entries inspected by a pull
  uint32_t swept;      // groups of words distributed by a sweep,
  uint32_t pulled;     // and by one that pulls
  uint32_t queued;     // vertices moved from a bitmap to the queue
  uint32_t folded;     // MATRIX_BLOCK: local vertices found, by any block
  uint32_t sent;       // push along rows: others' vertices found here
};

// What block 0 passes to the others after it has computed levels alone.
struct search_handover {
  uint64_t unvisited;
  uint32_t level, base, size, measured;
};

// What a GPU sends to the others between phases: FLAG_WORDS numbers below 2^40. Each is tagged with the
// number of the turn, which shows that it has been written. Two turns are stored: a GPU that is one turn
// ahead does not overwrite flags of the turn before.
constexpr uint32_t FLAG_WORDS = 4, FLAG_VALUE_BITS = 40;
struct search_window {
  uint64_t flag_words[2][GRID_WINDOWS][8];
  uint32_t turn;  // of the last search; only read by its own GPU
  // after runs that need least parents: blocks of each other GPU that have sent its levels, and the number of
  // completed waits
  uint32_t shared[GRID_WINDOWS], shares;
  // Push along rows: local vertices that others found in a level, by its number modulo 3. The next level's
  // number is cleared while blocks may still read the last one's.
  uint32_t sent[3];
};
constexpr uint32_t WINDOW_HEAD = 4096;
static_assert(sizeof(search_window) <= WINDOW_HEAD, "bitmaps and lists come behind");

// The numbers received from all GPUs.
struct search_received {
  uint64_t sum[FLAG_WORDS];
  uint32_t first[GRID_WINDOWS];  // each GPU's first number
  uint32_t stopped;
};

// Two of these alternate: a search clears the next one's.
struct search_set {
  uint32_t arrived;  // arrivals at the barrier in all
  uint32_t padding[31];
  uint32_t finished;
  uint32_t open;     // some vertex is visited and not in the frontier at the start
  uint32_t visited;  // vertices visited at the start
  search_handover handover;
  search_counts at[GRID_SEARCH_LEVELS + 2];
};

// MATRIX_BLOCK: a step goes from vertices of the GPUs of `from` to vertices of those of `to`, by their
// numbers in the block. A pull reads columns and finds rows. So does a push, or the reverse where it goes
// along rows.
struct search_ends {
  grid_search_members from, to;
  uint32_t *parent;  // the vertex through which this block found one of another GPU; in the window
  // Which block found a local vertex, as bits in `planes` bitmaps: 0 is the local one, k the one of the k-th
  // member of `to` after it. In the window.
  uint32_t *finder, planes;
};

// MATRIX_BLOCK: arrays by row of the block, and those of local vertices that other GPUs read; in the window.
struct search_block {
  search_ends pull, push;      // the same unless a push goes along rows
  uint32_t words, first_word;  // of a bitmap of the rows; the first of local vertices
  uint32_t *reached;           // by push.to: visited vertices. Not in the window.
  uint32_t *local_visited;     // at the start
  uint32_t *local_found;       // local vertices found in the last level
  uint32_t *found;             // rows found by this block's pull
  uint32_t *found_list;        // vertices of push.to found by this block's push
};

struct search_args {
  uint32_t n, words, rows;  // local vertices; 32-bit words of a bitmap of them; rows with entries
  uint64_t nvals;
  uint32_t max_levels, work_capacity;
  uint32_t run;      // the high half of RUN's bits
  uint32_t id_bits;  // a vertex found by a push has its level above this many bits of its parent, until the
                     // first sweep
  uint32_t stride;   // words between the three bitmaps
  // Several GPUs: local vertex v is vertex first[process] + v globally, bit v of the local words of a bitmap
  // of all. With MATRIX_BLOCK first[m] is the first number of member m of a set in the block. The frontier
  // and other ends of local rows use global numbers; with MATRIX_BLOCK, those of the block.
  uint32_t processes, process;
  grid_search_members expand, fold;
  grid_search_members push_from;  // whose lists have the frontier of a push
  uint32_t q;                     // most vertices of a GPU
  uint32_t first[GRID_WINDOWS + 1];
  uint32_t local_word, words_all;
  search_window *window[GRID_WINDOWS];
  uint32_t *stop;        // host memory: not 0 when another process has failed
  bool symmetric;        // vertices push along the rows that are pulled
  uint32_t item;         // entries in one warp's segment of a push
  uint32_t sweep_words;  // words of 32 vertices that a warp of the first pull processes at a time
  uint64_t retain_from;
  // Push along rows. A bitmap of all vertices in the window: local words are `visited`, others' those that
  // this GPU has reached.
  uint32_t *reached;
  uint32_t *sent_tags;  // by vertex, in the window: the tags of others' vertices reached here
  grid_search_direction direction;
  const void *out_ptr, *in_ptr;  // offsets of 32 or of 64 bits (offset, below)
  const uint32_t *out_idx, *in_idx, *in_hub_neighbor, *nonempty;
  const uint32_t *frontier, *visited_before;  // the job's bitmaps; NULL: short lists
  uint32_t short_list[GRID_SEARCH_SHORT_LIST], nshort_list;
  uint32_t visited_list[GRID_SEARCH_SHORT_LIST], nvisited_list;
  grid_search_visited after;
  uint32_t *visited, *bits;
  uint32_t *coarse;  // several GPUs: the nonempty groups of 2^coarse_shift vertices of a sparse frontier
  uint32_t coarse_shift;
  uint8_t *level;
  uint32_t *queue, *tags;
  uint32_t queue_capacity, longest_push;
  // Local vertices found by a push. Several GPUs have two lists, found_stride apart, for odd and even levels.
  // A single GPU uses the queue, where the next frontier follows this one.
  uint32_t *found;
  uint32_t found_stride;
  search_block block;  // MATRIX_BLOCK
  uint2 *list;         // two lists of `rows`
  uint2 *work;
  int32_t *parent32;
  int64_t *parent64;
  search_set *set, *other;
  uint64_t *record;  // host memory: 4 words a level; word 0 tells how it ended
};

// The state of a search, equal in every block.
struct search_state {
  uint64_t unvisited;  // entries in unvisited rows
  uint64_t edges;      // of the frontier
  uint64_t rows_left;  // unvisited rows, on all GPUs
  uint64_t clock;
  uint32_t mean;               // mean entries of a row, rounded up
  uint32_t level, base, size;  // of the coming level; its frontier is queue[base .. base + size), if queued
  uint32_t items, longs;
  uint32_t rows, list;   // local unvisited rows, and the list they are on
  uint32_t pulls;        // so far
  uint32_t local, sent;  // push along rows: local vertices in the frontier's list, and how many others sent
  int32_t bits;          // the one of the three bitmaps that holds the frontier; -1: none
  bool queued;           // the frontier is in the queue
  bool measured;         // edges and items are known
  bool merged;           // levels and parents are stored; there are no tags any more
  bool is_list, stale;   // there is a list of unvisited rows; pushes have found some since
  bool closed;           // apart from the frontier, no visited vertex has an unvisited neighbor
  bool sparse;           // a.coarse describes the frontier
  bool is_complete;      // several GPUs: the frontier's bitmap includes the others' words
  bool has_longs;        // this or another GPU has long rows to pull
  uint32_t turn;         // turns whose flags have been sent
};

struct search_tiny {
  uint32_t v[2][TINY_VERTICES];
  uint32_t off[TINY_VERTICES + 1];  // entries before a vertex
  uint32_t pos[TINY_VERTICES];      // entry e of the level is idx[pos[owner] + e]
  uint32_t count;
};

struct search_shared {
  union {
    uint32_t found[WARPS][FOUND];
    struct {
      uint2 miss[WARPS][MISSES];
      uint2 remaining[WARPS][REMAINING];
    } pull;
    search_tiny tiny;
  };
  uint32_t at[WARPS];
  uint64_t sum[WARPS];
  search_state state;
  search_received received;
  uint32_t upto[GRID_WINDOWS + 1];  // vertices in the lists of the GPUs before
};

// Kernels and their counts of entries exist twice, with `offset` uint32_t or, for a graph of 2^32 entries or
// more, uint64_t.
template <class offset>
__device__ inline const offset *out_ptr(const search_args &a) {
  return (const offset *)a.out_ptr;
}
template <class offset>
__device__ inline const offset *in_ptr(const search_args &a) {
  return (const offset *)a.in_ptr;
}
template <class offset>
constexpr bool HAS_OFFSETS64 = sizeof(offset) == sizeof(uint64_t);

}  // namespace
#endif
