// Shared by the phases of a search: its arguments, counters and shared memory, the grid's barrier, and small
// steps of warps. search.cu describes how the phases fit together, and search_peers.cuh the cooperation of
// several GPUs.
#ifndef GRID_SEARCH_CUH
#define GRID_SEARCH_CUH
#include <cuda/atomic>

#include "spmat/cuda/device/cuda.cuh"
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
  uint32_t folded;     // MATRIX_BLOCK: own vertices found, by any block
  uint32_t sent;       // push along rows: others' vertices found here
};

// What block 0 passes to the others after it has computed levels alone.
struct search_handover {
  uint64_t unvisited;
  uint32_t level, base, size, measured;
};

// What a GPU sends to the others between phases: FLAG_WORDS numbers below 2^40, each tagged with the number
// of the turn, so that it shows by itself that it has been written. Two turns are stored: a GPU that is one
// turn ahead does not overwrite flags of the turn before.
constexpr uint32_t FLAG_WORDS = 4, FLAG_VALUE_BITS = 40;
struct search_window {
  uint64_t flag_words[2][GRID_WINDOWS][8];
  uint32_t turn;  // of the last search; only read by its own GPU
  // after runs that need least parents: blocks of each other GPU that have sent its levels, and the number of
  // completed waits
  uint32_t shared[GRID_WINDOWS], shares;
  // Push along rows: own vertices that others found in a level, by its number modulo 3. The next level's
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
  uint32_t open;  // some vertex is visited and not in the frontier at the start
  uint32_t seen;  // vertices visited at the start
  search_handover handover;
  search_counts at[GRID_SEARCH_LEVELS + 2];
};

// MATRIX_BLOCK: arrays by row of the block, and those of own vertices that other GPUs read; in the window.
struct search_block {
  uint32_t words, own_word;  // of a bitmap of the rows; the first of own vertices
  uint32_t *own_visited;     // at the start
  uint32_t *own_found;       // own vertices found in the last level
  uint32_t *found;           // rows found by this block's pull
  uint32_t *found_list;      // rows found by this block's push; at the end, parents for other GPUs
  uint32_t *parent;          // column through which this block found a row of another GPU
  // Which block found an own vertex, as bits in `planes` bitmaps: 0 is the own one, k the one of the k-th
  // member of `fold` after it.
  uint32_t *finder, planes;
};

struct search_args {
  uint32_t n, words, rows;  // own vertices; 32-bit words of a bitmap of them; rows with entries
  uint64_t nvals;
  uint32_t max_levels, work_capacity;
  uint32_t run;      // the high half of RUN's bits
  uint32_t id_bits;  // a vertex found by a push has its level above this many bits of its parent, until the
                     // first sweep
  uint32_t stride;   // words between the three bitmaps
  // Several GPUs: own vertex v is vertex first[process] + v globally, bit v of the own words of a bitmap of
  // all. With MATRIX_BLOCK first[m] is the first column of member m of `expand`.
  // The frontier and other ends of own rows use global numbers; with MATRIX_BLOCK, the columns of the block.
  uint32_t processes, process;
  grid_search_members expand, fold;
  uint32_t q;  // most vertices of a GPU
  uint32_t first[GRID_WINDOWS + 1];
  uint32_t local_word, words_all;
  search_window *window[GRID_WINDOWS];
  uint32_t *stop;  // host memory: not 0 when another process has failed
  bool symmetric;  // vertices push along the rows that are pulled
  uint32_t item;   // entries in one warp's segment of a push
  uint64_t retain_from;
  // Push along rows. A bitmap of all vertices in the window: own words are `visited`, others' those that this
  // GPU has reached.
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
  // Own vertices found by a push: several GPUs have two lists, found_stride apart, for odd and even levels; a
  // single GPU uses the queue, where the next frontier follows this one.
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
  uint32_t rows, list;  // own unvisited rows, and the list they are on
  uint32_t pulls;       // so far
  uint32_t own, sent;   // push along rows: own vertices in the frontier's list, and how many others sent
  int32_t bits;         // the one of the three bitmaps that holds the frontier; -1: none
  bool queued;          // the frontier is in the queue
  bool measured;        // edges and items are known
  bool merged;          // levels and parents are stored; there are no tags any more
  bool is_list, stale;  // there is a list of unvisited rows; pushes have found some since
  bool closed;          // apart from the frontier, no visited vertex has an unvisited neighbor
  bool sparse;          // a.coarse describes the frontier
  bool is_complete;     // several GPUs: the frontier's bitmap includes the others' words
  bool has_longs;       // this or another GPU has long rows to pull
  uint32_t turn;        // turns whose flags have been sent
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

// ---- numbering of threads ---------------------------------------------------------------------------------

// Consecutive numbers are on different multiprocessors, so that little work is spread, too.
__device__ inline uint32_t grid_warp() {
  return warp() * gridDim.x + blockIdx.x;
}
__device__ inline uint32_t grid_warps() {
  return gridDim.x * WARPS;
}
__device__ inline uint32_t grid_thread() {
  return blockIdx.x * THREADS + threadIdx.x;
}
__device__ inline uint32_t grid_threads() {
  return gridDim.x * THREADS;
}

// ---- steps of a warp ------------------------------------------------------------------------------------

template <class T>
__device__ inline T inclusive_scan(T x) {
#pragma unroll
  for (uint32_t d = 1; d < 32; d *= 2) {
    const T y = __shfl_up_sync(ALL, x, d);
    if (lane() >= d) x += y;
  }
  return x;
}

// The lane that has entry e: the number of lanes whose entries end at or before it. `end` ascends by lane.
__device__ inline uint32_t lane_of_entry(uint32_t end, uint32_t e) {
  uint32_t owner = 0;
#pragma unroll
  for (uint32_t step = 16; step > 0; step /= 2)
    if (__shfl_sync(ALL, end, owner + step - 1) <= e) owner += step;
  return owner;
}

__device__ inline uint32_t sum_of_warp(uint32_t x) {
  return __reduce_add_sync(ALL, x);
}
__device__ inline uint64_t sum_of_warp(uint64_t x) {
#pragma unroll
  for (uint32_t d = 16; d > 0; d /= 2) x += __shfl_xor_sync(ALL, x, d);
  return x;
}

__device__ inline void add_to(uint32_t *to, uint32_t x) {
  atomicAdd(to, x);
}
__device__ inline void add_to(uint64_t *to, uint64_t x) {
  atomicAdd((unsigned long long *)to, (unsigned long long)x);
}

// A word that others may be changing; the value may be stale.
__device__ inline uint32_t load_volatile(uint32_t *p) {
#if GRID_SEARCH_L1
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_block>(*p).load(cuda::std::memory_order_relaxed);
#else
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_device>(*p).load(cuda::std::memory_order_relaxed);
#endif
}
__device__ inline uint32_t load_device_word(uint32_t *p) {
  return cuda::atomic_ref<uint32_t, cuda::thread_scope_device>(*p).load(cuda::std::memory_order_relaxed);
}

// Position of the calling warp's `count` elements after those counted by *counter: one atomic for the block.
__device__ uint32_t reserve(search_shared &sh, uint32_t *counter, uint32_t count) {
  if (lane() == 0) sh.at[warp()] = count;
  __syncthreads();
  if (warp() == 0) {
    const uint32_t mine = lane() < WARPS ? sh.at[lane()] : 0, upto = inclusive_scan(mine);
    uint32_t position = 0;
    if (lane() == 31 && upto) position = atomicAdd(counter, upto);
    position = __shfl_sync(ALL, position, 31);
    __syncwarp();
    if (lane() < WARPS) sh.at[lane()] = position + upto - mine;
  }
  __syncthreads();
  return sh.at[warp()];
}

// Adds the counts of the block's lanes. The sums are complete after the next barrier of the grid.
template <class T>
__device__ void add(search_shared &sh, uint32_t *a, uint32_t mine_a, T *b, T mine_b) {
  mine_a = sum_of_warp(mine_a);
  mine_b = sum_of_warp(mine_b);
  __syncthreads();
  if (lane() == 0) sh.at[warp()] = mine_a, sh.sum[warp()] = mine_b;
  __syncthreads();
  if (warp() == 0) {
    mine_a = sum_of_warp(lane() < WARPS ? sh.at[lane()] : 0);
    mine_b = sum_of_warp(lane() < WARPS ? (T)sh.sum[lane()] : 0);
    if (lane() == 0 && mine_a) add_to(a, mine_a);
    if (lane() == 0 && mine_b) add_to(b, mine_b);
  }
}

// Empties a warp's buffer of found vertices into the queue.
__device__ void empty_found(uint32_t *buffer, uint32_t *count, uint32_t *queue, uint32_t position) {
  __syncwarp();
  for (uint32_t i = lane(); i < *count; i += 32) queue[position + i] = buffer[i];
  __syncwarp();
  *count = 0;
}
__device__ void flush_found(uint32_t *buffer, uint32_t *count, uint32_t *queue, uint32_t *counter) {
  uint32_t position = 0;
  if (lane() == 0) position = atomicAdd(counter, *count);
  empty_found(buffer, count, queue, __shfl_sync(ALL, position, 0));
}

// The warp's words w (one a lane) become vertices in its buffer, which holds `count`, or, if they are very
// many, in the queue. Returns the new count. Words are seldom nonzero, so it is kept out of line.
__device__ __noinline__ uint32_t enqueue_lanes(uint32_t word, uint32_t w, uint32_t *buffer, uint32_t count,
                                               uint32_t *queue, uint32_t *counter) {
  const uint32_t mine = __popc(word), upto = inclusive_scan(mine), total = __shfl_sync(ALL, upto, 31);
  if (count + total > FOUND) flush_found(buffer, &count, queue, counter);
  uint32_t *to = buffer, position = count;
  if (total > FOUND) {
    if (lane() == 0) position = atomicAdd(counter, total);
    position = __shfl_sync(ALL, position, 0);
    to = queue;
  } else {
    count += total;
  }
  position += upto - mine;
  for (; word; word &= word - 1) to[position++] = 32 * w + __ffs(word) - 1;
  __syncwarp();
  return count;
}
__device__ inline void enqueue_word(uint32_t word, uint32_t w, uint32_t *buffer, uint32_t *count,
                                    uint32_t *queue, uint32_t *counter) {
  if (__any_sync(ALL, word != 0)) *count = enqueue_lanes(word, w, buffer, *count, queue, counter);
}

// What a warp needs to push.
struct push_into {
  uint32_t *buffer, count;  // of the warp
  uint32_t *queue, *counter;
  uint32_t level;
  bool merged;
  bool retain;    // push along rows: others' vertices are retained for their owners to fetch,
  uint32_t sent;  // or the lane has sent so many
};

// ---- the barrier of the grid ----------------------------------------------------------------------------

typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_device> device_word;

// Registers a block's arrival. Returns the count that means that all have arrived.
__device__ inline uint32_t arrive(const search_args &a) {
  const uint32_t before = device_word(a.set->arrived).fetch_add(1, cuda::std::memory_order_acq_rel);
  return (before / gridDim.x + 1) * gridDim.x;
}
__device__ inline void wait_blocks(const search_args &a, uint32_t all) {
  device_word arrived(a.set->arrived);
  // each acquire invalidates L1, which the multiprocessor's other block may still use: only the last read is
  // one
  for (uint32_t spins = 1; arrived.load(cuda::std::memory_order_relaxed) < all; spins++) {
    if (a.processes > 1 && spins % 4096 == 0 && *(volatile uint32_t *)a.stop) break;
#if GRID_SEARCH_SLEEP_NS
    __nanosleep(GRID_SEARCH_SLEEP_NS);
#endif
  }
  (void)arrived.load(cuda::std::memory_order_acquire);
}

// All threads of all blocks call. True for thread 0 of each block, when all have arrived; the others of a
// block go on to the __syncthreads that the caller places after thread 0's work.
__device__ bool device_barrier(const search_args &a) {
  __syncthreads();
  if (threadIdx.x != 0) return false;
  wait_blocks(a, arrive(a));
  return true;
}

// ---- reports to the host ----------------------------------------------------------------------------------

// Each word shows by itself that it was written, so that no fence is needed between them.
__device__ void publish_word(const search_args &a, uint32_t word, uint64_t value) {
  cuda::atomic_ref<uint64_t, cuda::thread_scope_system>(a.record[word])
      .store(WRITTEN | (uint64_t)a.run << 32 | value, cuda::std::memory_order_relaxed);
}

// Called by thread 0 of block 0. Returns the time.
__device__ uint64_t report(const search_args &a, uint32_t level, bool pull, uint32_t found, uint32_t own,
                           uint64_t edges, uint64_t since) {
  const uint64_t t = clock_ns();
  publish_word(a, 4 * level + 3, own);
  publish_word(a, 4 * level + 2, t - since);
  publish_word(a, 4 * level + 1, edges);
  publish_word(a, 4 * level, (pull ? FLAG : 0) | found);
  return t;
}

// ---- the job's lists --------------------------------------------------------------------------------------

// Word w of the bitmap of a short list.
__device__ inline uint32_t word_of_list(const uint32_t *list, uint32_t n, uint32_t w) {
  uint32_t word = 0;
#pragma unroll
  for (uint32_t k = 0; k < GRID_SEARCH_SHORT_LIST; k++)
    if (k < n && list[k] >> 5 == w) word |= 1u << (list[k] & 31);
  return word;
}
__device__ inline uint32_t load_visited_before(const search_args &a, uint32_t w) {
  return a.visited_before ? __ldg(a.visited_before + w) : word_of_list(a.visited_list, a.nvisited_list, w);
}

// ---- found vertices ---------------------------------------------------------------------------------------

// The vertex of a column of the block that belongs to member m of `fold`.
__device__ inline uint32_t vertex_of_column(const search_args &a, uint32_t m, uint32_t column) {
  return (m * a.fold.stride + column / a.q * a.expand.stride) * a.q + column % a.q;
}

// The list of the vertices that `level` finds; the start is level 0.
__device__ inline uint32_t *found_list(const search_args &a, uint32_t level) {
  return a.found + level % 2 * a.found_stride;
}

__device__ inline uint32_t tag_parent(const search_args &a, uint32_t level, uint32_t parent) {
  return level << a.id_bits | parent;
}
__device__ inline uint32_t untag_parent(const search_args &a, uint32_t x) {
  return x & ((1u << a.id_bits) - 1);
}
__device__ inline uint32_t tag_levels(const search_args &a) {
  return ALL >> a.id_bits;
}

__device__ inline void write_own_parent(const search_args &a, uint32_t v, uint32_t parent) {
  if (a.parent64)
    a.parent64[v] = parent;
  else if (a.parent32)
    a.parent32[v] = (int32_t)parent;
}
// With MATRIX_BLOCK v is a row, and `parent` a column. The parents of others' vertices stay in the block.
template <search_layout LAYOUT>
__device__ inline void write_parent(const search_args &a, uint32_t v, uint32_t parent) {
  if (LAYOUT != MATRIX_BLOCK)
    write_own_parent(a, v, parent);
  else if (v - a.fold.at * a.q < a.q)
    write_own_parent(a, v - a.fold.at * a.q, vertex_of_column(a, a.fold.at, parent));
  else
    a.block.parent[v] = parent;
}
// With MATRIX_BLOCK the owner writes the level, when the blocks' results are combined.
template <search_layout LAYOUT>
__device__ inline void write_found(const search_args &a, uint32_t level, uint32_t v, uint32_t parent) {
  if (LAYOUT != MATRIX_BLOCK) a.level[v] = (uint8_t)level;
  write_parent<LAYOUT>(a, v, parent);
}

}  // namespace
#endif
