// What the phases of a search share: its arguments, counters and shared memory, the grid's barrier, and the
// small steps over warps. search.cu says how the phases fit together, and search_peers.cuh what is done where
// several GPUs search together.
#ifndef GRID_SEARCH_CUH
#define GRID_SEARCH_CUH
#include <cuda/atomic>

#include "spmat/cuda/device/cuda.cuh"
#include "spmat/cuda/search/search_rows.cuh"

// What may be tuned, by -D.
#ifndef GRID_SEARCH_PULL_RULE  // pull when frontier edges times this exceed the unvisited edges
#define GRID_SEARCH_PULL_RULE 20
#endif
#ifndef GRID_SEARCH_PULL_RULE_MULTI  // the same on several GPUs
#define GRID_SEARCH_PULL_RULE_MULTI 40
#endif
#ifndef GRID_SEARCH_PUSH_RULE  // back to push when found vertices times this are fewer than the rows left
#define GRID_SEARCH_PUSH_RULE 4
#endif
#ifndef GRID_SEARCH_REST  // entries a row is thought to have that the first pull left over
#define GRID_SEARCH_REST 8
#endif
#ifndef GRID_SEARCH_ITEM  // entries in one warp's segment of a push
#define GRID_SEARCH_ITEM 512
#endif
#ifndef GRID_SEARCH_LIST_MAX  // groups of 32 rows that a warp of a later pull has in flight
#define GRID_SEARCH_LIST_MAX 4
#endif
#ifndef GRID_SEARCH_TINY  // entries up to which one block does a level alone
#define GRID_SEARCH_TINY 6144
#endif
#ifndef GRID_SEARCH_ID_BITS  // at least so many for a vertex that is tagged with a level
#define GRID_SEARCH_ID_BITS 28
#endif
#ifndef GRID_SEARCH_COARSE  // bits of the coarse bitmap
#define GRID_SEARCH_COARSE (1 << 21)
#endif
#ifndef GRID_SEARCH_REMOTE_RULE  // with so many of others' words for each row left, they are looked at where
                                 // they are
#define GRID_SEARCH_REMOTE_RULE 8
#endif
#ifndef GRID_SEARCH_SLEEP_NS  // nanoseconds between two looks at the barrier
#define GRID_SEARCH_SLEEP_NS 0
#endif
#ifndef GRID_SEARCH_L1  // 1: a push's first look at visited may come from L1, and then be old, which is
                        // harmless
#define GRID_SEARCH_L1 1
#endif

namespace {

constexpr uint32_t THREADS = 512, WARPS = THREADS / 32, BLOCKS = 2;  // blocks on a multiprocessor
constexpr uint32_t ITEM = GRID_SEARCH_ITEM;
constexpr uint32_t TINY_VERTICES = 2048, TINY_EDGES = GRID_SEARCH_TINY;
constexpr uint32_t FOUND = 384;  // a warp's found vertices before they go to the queue
constexpr uint32_t IS_LIST = GRID_SEARCH_LIST_MAX;
constexpr uint32_t MISSES =
    32 * (SWEEP > IS_LIST ? SWEEP : IS_LIST) + 32;  // a warp's rows that wait for miss
// Several GPUs.
constexpr uint32_t UNCOUNTED_PUSH = 64;  // a frontier that nobody asks how many edges it has
constexpr uint32_t FULL_LIST_MAX =
    1 << 19;  // a frontier up to which each makes the bitmap of all from the list
constexpr uint32_t COARSE = GRID_SEARCH_COARSE;
constexpr uint32_t COARSE_BITS_PER_VERTEX =
    6;  // so many bits of the coarse bitmap for one vertex make it worth looking at
constexpr uint32_t REMOTE_RULE = GRID_SEARCH_REMOTE_RULE;
// What the rows on the list of unvisited rows say beside their number.
constexpr uint32_t LONG_ROW = 1u << 31;  // was given to several warps: may have been found all the same
constexpr uint32_t ONE_ENTRY = 1u << 30, ROW = ONE_ENTRY - 1;
static_assert(GRID_SEARCH_VERTICES == ROW + 1, "a row's number fits beside the flags");
// In each word of the host's record: it has been written, by which run; in some a pull, or stopped by
// max_levels.
constexpr uint64_t WRITTEN = UINT64_C(1) << 63, FLAG = UINT64_C(1) << 62, RUN = UINT64_C(255) << 54;

// Counters of one level. All zero before it, so that no phase has to wait for their being cleared.
struct alignas(64) search_counts {
  uint32_t found;      // also the next free place of the queue
  uint32_t rows;       // also the next free place of the list of rows
  uint32_t items;      // segments of a push, and their place
  uint32_t longs;      // segments of long rows, and their place
  uint64_t edges;      // of the frontier
  uint64_t inspected;  // entries a pull looked at
  uint32_t swept;      // groups of words that a sweep has dealt out,
  uint32_t pulled;     // and one that pulls
  uint32_t queued;     // vertices put from a bitmap into the queue
};

// What block 0 tells the others after it did levels alone.
struct search_handover {
  uint64_t unvisited;
  uint32_t level, base, size, measured;
};

// What a GPU tells the others between phases: FLAG_WORDS numbers below 2^40, each with the number of the turn
// above it, so that it says by itself that it has been written. Two turns have a place: a GPU that is one
// ahead has everybody's flags of the turn before.
constexpr uint32_t FLAG_WORDS = 4, FLAG_VALUE_BITS = 40;
struct search_window {
  uint64_t flag_words[2][GRID_WINDOWS][8];
  uint32_t turn;  // of the last search; only its own GPU looks
  // After runs whose least parents are wanted: blocks of each other GPU that have sent its levels, and how
  // often all have been waited for
  uint32_t shared[GRID_WINDOWS], shares;
};
constexpr uint32_t WINDOW_HEAD = 4096;
static_assert(sizeof(search_window) <= WINDOW_HEAD, "bitmaps and lists come behind");

// What all have told.
struct search_received {
  uint64_t sum[FLAG_WORDS];
  uint32_t first[GRID_WINDOWS];  // each GPU's first number
  uint32_t stopped;
};

// Two of these take turns: a search clears the next one's.
struct search_set {
  uint32_t arrived;  // at the barrier, ever
  uint32_t padding[31];
  uint32_t turn;  // all GPUs have come to it
  uint32_t cache_line_of_turn[31];
  uint32_t finished;
  uint32_t open;  // some vertex is visited and not in the frontier at the start
  uint32_t seen;  // vertices visited at the start
  search_handover handover;
  search_received received;
  search_counts at[GRID_SEARCH_LEVELS + 2];
};

struct search_args {
  uint32_t n, words, rows;  // own vertices; 32-bit words of a bitmap of them; rows with entries
  uint64_t nvals;
  uint32_t max_levels, work_capacity;
  uint32_t run;      // the high half of RUN's bits
  uint32_t id_bits;  // a vertex found by a push carries its level above so many bits of its parent, until the
                     // first sweep
  uint32_t stride;   // words from one of the three bitmaps to the next
  // Several GPUs: own vertex v is vertex process * q + v of all, bit v of the own words of a bitmap of all.
  // The frontier is known by such numbers, and so are other ends of own rows.
  uint32_t processes, process;
  uint32_t q;  // vertices a GPU has, at most
  uint32_t local_word, words_all;
  search_window *window[GRID_WINDOWS];
  uint32_t *stop;  // host memory: not 0 when another process has failed
  bool symmetric;
  grid_search_direction direction;
  const void *out_ptr, *in_ptr;  // offsets of 32 or of 64 bits (offset, below)
  const uint32_t *out_idx, *in_idx, *in_hub_neighbor, *nonempty;
  const uint32_t *frontier, *visited_before;  // the job's bitmaps; frontier NULL: few
  uint32_t short_list[GRID_SEARCH_SHORT_LIST], nshort_list;
  uint32_t *visited, *bits;
  uint32_t *coarse;  // several GPUs: which groups of 2^coarse_shift vertices hold any of a sparse frontier
  uint32_t coarse_shift;
  uint8_t *level;
  uint32_t *queue, *tags;
  uint32_t queue_capacity;
  // Own vertices found by a push: several GPUs have two lists, found_turn apart, of odd and even levels; one
  // has the queue, the next frontier behind this one's.
  uint32_t *found;
  uint32_t found_turn;
  uint2 *list;  // two lists of `rows`
  uint2 *work;
  int32_t *parent32;
  int64_t *parent64;
  search_set *set, *other;
  uint64_t *record;  // host memory: 4 words a level; word 0 says how it ended
};

// Where a search stands. The same in every block.
struct search_state {
  uint64_t unvisited;  // entries in unvisited rows
  uint64_t edges;      // of the frontier
  uint64_t rows_left;  // unvisited rows, on all GPUs
  uint64_t clock;
  uint32_t mean;               // entries of a row, rounded up
  uint32_t level, base, size;  // of the level to come; its frontier is queue[base .. base + size), if queued
  uint32_t items, longs;
  uint32_t rows, list;  // own unvisited rows, on which list
  int32_t bits;         // which of the three bitmaps holds the frontier; -1: none
  bool queued;          // the frontier is in the queue
  bool measured;        // edges and items are known
  bool merged;          // levels and parents are where they belong; no tags any more
  bool is_list, stale;  // there is a list of unvisited rows; pushes went on since
  bool closed;          // nothing visited borders on anything unvisited, but for the frontier
  bool sparse;          // a.coarse is about the frontier
  bool is_complete;  // several GPUs: the others' words of the frontier's bitmap are there, not only the own
  uint32_t turn;     // turns whose flags have been sent
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

// Kernels and what they count entries in come in two forms, `offset` being uint32_t or, for a graph of 2^32
// entries or more, uint64_t.
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

// ---- where am I -----------------------------------------------------------------------------------------

// Neighbouring numbers are on different multiprocessors: little work is spread too.
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

// A word that others may be changing; the value may be an old one.
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

// Where the calling warp's `count` things go behind those that *counter counts: one atomic for the block.
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

// Adds what the lanes of the block counted. The sums are there after the next barrier of the grid.
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

// A warp's buffer of found vertices, emptied into the queue.
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

// ---- the barrier of the grid ----------------------------------------------------------------------------

typedef cuda::atomic_ref<uint32_t, cuda::thread_scope_device> device_word;

// A block has come. Returns the count that says that all have.
__device__ inline uint32_t arrive(const search_args &a) {
  const uint32_t before = device_word(a.set->arrived).fetch_add(1, cuda::std::memory_order_acq_rel);
  return (before / gridDim.x + 1) * gridDim.x;
}
__device__ inline void wait_blocks(const search_args &a, uint32_t all) {
  device_word arrived(a.set->arrived);
  // each acquire empties L1, which the multiprocessor's other block may still be using: only the last look is
  // one
  while (arrived.load(cuda::std::memory_order_relaxed) < all) {
#if GRID_SEARCH_SLEEP_NS
    __nanosleep(GRID_SEARCH_SLEEP_NS);
#endif
  }
  (void)arrived.load(cuda::std::memory_order_acquire);
}

// All threads of all blocks come here. True for thread 0 of each block, when all have come; the others of a
// block go on to the __syncthreads that the caller places behind what thread 0 has to note.
__device__ bool device_barrier(const search_args &a) {
  __syncthreads();
  if (threadIdx.x != 0) return false;
  wait_blocks(a, arrive(a));
  return true;
}

// ---- what the host hears --------------------------------------------------------------------------------

// Each word says by itself that it has been written, so no fence is needed between them.
__device__ void publish_word(const search_args &a, uint32_t word, uint64_t value) {
  cuda::atomic_ref<uint64_t, cuda::thread_scope_system>(a.record[word])
      .store(WRITTEN | (uint64_t)a.run << 32 | value, cuda::std::memory_order_relaxed);
}

// Thread 0 of block 0 alone. Returns the time.
__device__ uint64_t report(const search_args &a, uint32_t level, bool pull, uint32_t found, uint32_t own,
                           uint64_t edges, uint64_t since) {
  const uint64_t t = clock_ns();
  publish_word(a, 4 * level + 3, own);
  publish_word(a, 4 * level + 2, t - since);
  publish_word(a, 4 * level + 1, edges);
  publish_word(a, 4 * level, (pull ? FLAG : 0) | found);
  return t;
}

// ---- what is found --------------------------------------------------------------------------------------

// The list of what `level` finds; the start is level 0.
__device__ inline uint32_t *found_list(const search_args &a, uint32_t level) {
  return a.found + level % 2 * a.found_turn;
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

__device__ inline void write_parent(const search_args &a, uint32_t v, uint32_t parent) {
  if (a.parent64)
    a.parent64[v] = parent;
  else if (a.parent32)
    a.parent32[v] = (int32_t)parent;
}
__device__ inline void write_found(const search_args &a, uint32_t level, uint32_t v, uint32_t parent) {
  a.level[v] = (uint8_t)level;
  write_parent(a, v, parent);
}

}  // namespace
#endif
