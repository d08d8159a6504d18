// Exchanges few entries between GPUs, in one kernel each (spmat/vector/peer_exchange.h). Sent entries are in
// a slot in no order; receivers need none, or make one.
#include <cooperative_groups.h>

#include "spmat/cuda/device/device_barrier.cuh"
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/vector/packed_segments.cuh"

extern "C" {
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/vec_source.h"
#include "spmat/vector/peer_exchange.h"
}
// exchange_bitmap.cu
extern "C" GrB_Info grid_cuda_pass(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                                   uint64_t *bits, void *val);
extern "C" GrB_Info grid_cuda_gather_dense(const grid_device_barrier *m, const grid_chunk *x, size_t size,
                                           uint64_t q, bool full, uint64_t **bits, void **val);

namespace {

constexpr unsigned THREADS = 1024, WARPS = THREADS / 32;
constexpr uint32_t MAX_ENTRIES = GRID_SPARSE_EXCHANGE_ENTRIES;
constexpr uint32_t FLAG = 1u << 31;  // added to a number of entries, or to an index
// Position in a count of the number of duplicate indices; both numbers are at most MAX_ENTRIES.
constexpr unsigned DUPLICATE_SHIFT = 20;

// ---- parameters and state ---------------------------------------------------------------------------------

// Counters of two alternating kernels: each clears the other's.
struct sparse_counters {
  uint32_t list_count[2][GRID_WINDOWS], wrong[2];
};
__device__ sparse_counters state;
__device__ barrier_state barrier;

struct exchange_args {
  grid_device_barrier m;
  const volatile uint32_t *stop;
  uint32_t now;  // index of its counters
  uint64_t q;
};

__device__ void clear_other_counters(const exchange_args &f) {
  if (blockIdx.x || threadIdx.x >= GRID_WINDOWS) return;
  state.list_count[f.now ^ 1][threadIdx.x] = 0;
  if (threadIdx.x == 0) state.wrong[f.now ^ 1] = 0;
}

__device__ __forceinline__ uint32_t list_count(const exchange_args &f, uint32_t r) {
  const uint32_t n = *(volatile uint32_t *)&state.list_count[f.now][r];
  return n < MAX_ENTRIES ? n : MAX_ENTRIES;
}

__device__ __forceinline__ bool has_bad_index(const exchange_args &f) {
  for (uint32_t r = 0; r < f.m.size; r++)
    if (barrier.received[r] & FLAG) return true;
  return false;
}

// ---- slots: indices of 4 or 8 bytes, followed by values ---------------------------------------------------

template <typename unit>
__device__ __forceinline__ unit *values_in(char *slot) {
  return (unit *)(slot + 8 * (uint64_t)MAX_ENTRIES);
}

template <typename unit>
__device__ __forceinline__ void store_value(unit *to, uint64_t at, const unit *from, uint64_t i,
                                            uint32_t units) {
  for (uint32_t k = 0; k < units; k++) to[at * units + k] = from[i * units + k];
}
// Data written by others is read past the first-level cache.
template <typename unit>
__device__ __forceinline__ void load_value(unit *to, uint64_t at, const unit *from, uint64_t i,
                                           uint32_t units) {
  for (uint32_t k = 0; k < units; k++) to[at * units + k] = __ldcv(from + i * units + k);
}

// f(i) for each entry of a bitmap or full chunk.
template <typename call>
__device__ __forceinline__ void for_each_entry(const uint32_t *a, const uint32_t *b, uint64_t n, call f) {
  GRID_FOR(w, grid_words32(n))
  for (uint32_t s = grid_word32(a, n, w) & grid_word32(b, n, w); s; s &= s - 1) f(32 * w + __ffs(s) - 1);
}

// ---- gather and distribute --------------------------------------------------------------------------------

template <typename unit>
struct flow {
  const uint64_t *bits;  // NULL: all of n
  const unit *val;
  bool iso;  // x is iso
  uint64_t n;
  uint32_t units;
  bool distribute;    // segments of q indices, each to its process; else everything to all
  uint64_t *to_bits;  // NULL: not needed
  unit *to;           // NULL: no values
};

// Clears the bits of others.
template <typename unit>
__device__ void clear_received_bits(const exchange_args &f, const flow<unit> &x) {
  const uint64_t words = f.q / 64, first = f.m.rank * words;
  GRID_FOR(w, (f.m.size - 1) * words) x.to_bits[w < first ? w : w + words] = 0;
}

template <typename unit>
__device__ __forceinline__ uint64_t word_of(const flow<unit> &x, uint64_t w) {
  if (w >= grid_words(x.n)) return 0;
  return x.bits ? x.bits[w] : grid_tail(x.n, w);
}

// The position of a thread's n elements in a list of which *count elements are used. Whole warps call.
__device__ __forceinline__ uint32_t reserve_elements(uint32_t *count, uint32_t n) {
  uint32_t all, first = 0;
  if (!__any_sync(~0u, n)) return 0;
  const uint32_t before = sum_before(n, &all);
  if ((threadIdx.x & 31) == 0) first = atomicAdd(count, all);
  return __shfl_sync(~0u, first, 0) + before;
}

template <typename unit>
__device__ void send_entry(const exchange_args &f, const flow<unit> &x, uint32_t r, uint32_t at,
                           uint32_t position, uint64_t i) {
  char *slot = slot_of(f.m, f.m.turn, r, f.m.rank);
  ((uint32_t *)slot)[at] = position;
  if (x.to) store_value(values_in<unit>(slot), at, x.val, x.iso ? 0 : i, x.units);
}

// Stores the local entries, and sends those for others. distribute: the ones of segment r; else all, and r is
// the local rank.
template <typename unit>
__device__ void send_segment(const exchange_args &f, const flow<unit> &x, uint32_t r) {
  const uint32_t me = f.m.rank;
  const uint64_t words = f.q / 64, first = x.distribute ? r * words : 0;
  const bool is_local = r == me, sent = !x.distribute || !is_local;
  GRID_FOR(w, (words + 31) / 32 * 32) {
    const uint64_t word = w < words ? word_of(x, first + w) : 0;
    uint32_t at = 0;
    if (is_local && x.to_bits && w < words) x.to_bits[me * words + w] = word;
    if (sent) at = reserve_elements(&state.list_count[f.now][x.distribute ? r : 0], (uint32_t)__popcll(word));
    for (uint64_t rest = word; rest; rest &= rest - 1, at++) {
      const uint64_t position = 64 * w + (uint64_t)__ffsll((long long)rest) - 1, i = 64 * first + position;
      if (is_local && x.to) store_value(x.to, me * f.q + position, x.val, x.iso ? 0 : i, x.units);
      if (!sent || at >= MAX_ENTRIES) continue;  // the host has made sure that there are not so many
      if (x.distribute) {
        send_entry(f, x, r, at, (uint32_t)position, i);
      } else {
        for (uint32_t d = 1; d < f.m.size; d++)
          send_entry(f, x, (me + d) % f.m.size, at, (uint32_t)position, i);
      }
    }
  }
}

template <typename unit>
__global__ void __launch_bounds__(THREADS, 1)
    flow_sparse(const __grid_constant__ exchange_args f, const flow<unit> x) {
  const uint32_t me = f.m.rank;
  if (x.to_bits) clear_received_bits(f, x);
  for (uint32_t r = 0; r < f.m.size; r++)
    if (x.distribute || r == me) send_segment(f, x, r);
  clear_other_counters(f);
  if (!barrier_exchange(f.m, f.m.turn, f.stop, barrier,
                        [&](uint32_t r) { return list_count(f, x.distribute ? r : 0); }))
    return;
  for (uint32_t d = 1; d < f.m.size; d++) {
    const uint32_t r = (me + d) % f.m.size;
    char *slot = slot_of(f.m, f.m.turn, me, r);
    GRID_FOR(e, barrier.received[r]) {
      const uint64_t i = r * f.q + __ldcv((const uint32_t *)slot + e);
      if (x.to_bits) atomicOr((uint32_t *)x.to_bits + i / 32, 1u << i % 32);
      if (x.to) load_value(x.to, i, values_in<unit>(slot), e, x.units);
    }
  }
}

// ---- along indices ----------------------------------------------------------------------------------------

// Local index k names index `at`: it gets an element in the slot of the owner; false: it is out of range.
__device__ __forceinline__ bool list_slot_position(const exchange_args &f, const position_list &p, uint64_t k,
                                                   char **slot, uint32_t *e) {
  const uint64_t at = position_at(p, k);
  if (at >= p.limit) {
    atomicOr(&state.wrong[f.now], 1u);
    return false;
  }
  const uint32_t r = (uint32_t)(at / f.q);
  *e = atomicAdd(&state.list_count[f.now][r], 1u);
  if (*e >= MAX_ENTRIES) return false;
  *slot = slot_of(f.m, f.m.turn, r, f.m.rank);
  ((uint2 *)*slot)[*e] = make_uint2((uint32_t)(at - r * f.q), (uint32_t)k);
  return true;
}
__device__ __forceinline__ uint32_t send_list_count(const exchange_args &f, uint32_t r) {
  return list_count(f, r) | (*(volatile uint32_t *)&state.wrong[f.now] ? FLAG : 0);
}
__device__ __forceinline__ void clear_bits(uint32_t *bits, uint64_t n) {
  GRID_FOR(w, grid_words32(n)) bits[w] = 0;
}

template <typename unit>
struct along_args {
  position_list p;
  const uint32_t *bits;  // of u; NULL: all
  const unit *u;
  bool present, iso;  // u has entries; u is iso
  uint32_t units;
  uint32_t *t_bits;
  unit *t;
  uint64_t n;  // t's indices
  grid_tally tally;
};

// For each request: its number in the requester's chunk, whether there is an entry, and its value.
template <typename unit>
__device__ void answer(const exchange_args &f, const along_args<unit> &x, uint32_t r) {
  const uint2 *requests = (const uint2 *)slot_of(f.m, f.m.turn, f.m.rank, r);
  char *slot = slot_of(f.m, f.m.turn + 1, r, f.m.rank);
  GRID_FOR(e, barrier.received[r]) {
    const uint2 request = make_uint2(__ldcv(&requests[e].x), __ldcv(&requests[e].y));
    const bool is = x.present && has(x.bits, request.x);
    ((uint32_t *)slot)[e] = request.y | (is ? FLAG : 0);
    if (is) store_value(values_in<unit>(slot), e, x.u, x.iso ? 0 : request.x, x.units);
  }
}

template <typename unit>
__device__ grid_counter take_replies(const exchange_args &f, const along_args<unit> &x, uint32_t r) {
  char *slot = slot_of(f.m, f.m.turn + 1, f.m.rank, r);
  grid_counter found = 0;
  GRID_FOR(e, list_count(f, r)) {
    const uint32_t answer = __ldcv((const uint32_t *)slot + e), k = answer & ~FLAG;
    if (!(answer & FLAG)) continue;
    atomicOr(x.t_bits + k / 32, 1u << k % 32);
    load_value(x.t, k, values_in<unit>(slot), e, x.units);
    found++;
  }
  return found;
}

template <typename unit>
__global__ void __launch_bounds__(THREADS, 1)
    request_sparse(const __grid_constant__ exchange_args f, const along_args<unit> x) {
  grid_counter found = 0;
  clear_bits(x.t_bits, x.n);
  for_each_entry(x.p.bits, NULL, x.p.n, [&](uint64_t k) {
    char *slot;
    uint32_t e;
    (void)list_slot_position(f, x.p, k, &slot, &e);
  });
  clear_other_counters(f);
  if (!barrier_exchange(f.m, f.m.turn, f.stop, barrier, [&](uint32_t r) { return send_list_count(f, r); }))
    return;
  const bool wrong = has_bad_index(f);
  for (uint32_t d = 0; !wrong && d < f.m.size; d++) answer(f, x, (f.m.rank + d) % f.m.size);
  if (!barrier_exchange(f.m, f.m.turn + 1, f.stop, barrier, [](uint32_t) { return 0u; })) return;
  for (uint32_t d = 0; !wrong && d < f.m.size; d++) found += take_replies(f, x, (f.m.rank + d) % f.m.size);
  grid_publish_count(x.tally, wrong && blockIdx.x == 0 && threadIdx.x == 0 ? WRONG : found);
}

// The received entries and their order: by index, process and number there.
struct sparse_sorted {
  uint32_t *facts;  // their number; the most at one index
  uint64_t *raw, *key;
  uint32_t *number, *start;
  char *val;
};
constexpr unsigned AT_ONCE = 4, NUMBER_BITS = 30, POSITION_SHIFT = NUMBER_BITS + 4;
static_assert(GRID_WINDOWS <= 16 && GRID_SPARSE_EXCHANGE_LENGTH <= UINT64_C(1) << NUMBER_BITS,
              "they fit a key");

template <typename unit>
__device__ uint32_t merge_replies(const exchange_args &f, const along_args<unit> &x, const sparse_sorted &s) {
  uint32_t before = 0;
  for (uint32_t r = 0; r < f.m.size; r++) {
    char *slot = slot_of(f.m, f.m.turn, f.m.rank, r);
    const uint32_t n = barrier.received[r];
    GRID_FOR(e, n) {
      const uint2 *entry = (const uint2 *)slot + e;
      s.raw[before + e] =
          (uint64_t)__ldcv(&entry->x) << POSITION_SHIFT | (uint64_t)r << NUMBER_BITS | __ldcv(&entry->y);
      load_value((unit *)s.val, before + e, values_in<unit>(slot), e, x.units);
    }
    before += n;
  }
  return before;
}

// An entry's rank is the number of entries before it: a warp compares AT_ONCE entries with all. One at a time
// would read the list from the second-level cache so often that its bandwidth is the limit.
template <typename unit>
__device__ grid_counter store_sorted(const along_args<unit> &x, const sparse_sorted &s, uint32_t m) {
  const unsigned lane = threadIdx.x & 31;
  grid_counter found = 0;
  for (uint32_t e = AT_ONCE * (blockIdx.x * WARPS + threadIdx.x / 32); e < m;
       e += AT_ONCE * gridDim.x * WARPS) {
    uint64_t entry[AT_ONCE];
    unsigned less[AT_ONCE] = {}, below[AT_ONCE] = {};
    for (unsigned k = 0; k < AT_ONCE; k++)
      entry[k] = e + k < m ? __ldcg((const unsigned long long *)s.raw + e + k) : 0;
#pragma unroll 4
    for (uint32_t j = lane; j < m; j += 32) {
      const uint64_t other = __ldcg((const unsigned long long *)s.raw + j),
                     position = other >> POSITION_SHIFT;
      for (unsigned k = 0; k < AT_ONCE; k++)
        less[k] += other<entry[k], below[k] += position<entry[k]>> POSITION_SHIFT;
    }
    for (unsigned k = 0; k < AT_ONCE; k++) {
      const uint64_t position = entry[k] >> POSITION_SHIFT;
      const unsigned rank = __reduce_add_sync(~0u, less[k]), first = __reduce_add_sync(~0u, below[k]);
      if (lane || e + k >= m) continue;
      s.key[rank] = position, s.number[rank] = e + k, s.start[rank] = first;
      atomicMax(s.facts + 1, rank - first + 1);
      found += rank == first ? 1 : (grid_counter)1 << DUPLICATE_SHIFT;
      if (rank == first) atomicOr(x.t_bits + position / 32, 1u << position % 32);
    }
  }
  return found;
}

template <typename unit>
__global__ void __launch_bounds__(THREADS, 1)
    reply_sparse(const __grid_constant__ exchange_args f, const along_args<unit> x, const sparse_sorted s) {
  uint32_t m = 0;
  clear_bits(x.t_bits, x.n);
  if (blockIdx.x == 0 && threadIdx.x < 2) s.facts[threadIdx.x] = 0;
  for_each_entry(x.p.bits, x.bits, x.p.n, [&](uint64_t k) {
    char *slot;
    uint32_t e;
    if (list_slot_position(f, x.p, k, &slot, &e))
      store_value(values_in<unit>(slot), e, x.u, x.iso ? 0 : k, x.units);
  });
  clear_other_counters(f);
  if (!barrier_exchange(f.m, f.m.turn, f.stop, barrier, [&](uint32_t r) { return send_list_count(f, r); }))
    return;
  const bool wrong = has_bad_index(f);
  if (!wrong) m = merge_replies(f, x, s);
  cooperative_groups::this_grid().sync();
  const grid_counter found = store_sorted(x, s, m);
  if (blockIdx.x == 0 && threadIdx.x == 0) s.facts[0] = m;
  grid_publish_count(x.tally, wrong && blockIdx.x == 0 && threadIdx.x == 0 ? WRONG : found);
}

// ---- launches ---------------------------------------------------------------------------------------------

exchange_args sparse_args_of(const grid_device_barrier *m, uint64_t q) {
  exchange_args f = {*m, grid_cuda_window_stop(), grid_cuda_exchange_counters(GRID_EXCHANGE_SPARSE), q};
  return f;
}

// At most one block a multiprocessor: all run at once.
template <typename... parameters>
GrB_Info start(void (*kernel)(parameters...), uint64_t words, void **args, const char *what) {
  const unsigned blocks = grid_cuda_blocks(words, THREADS, (unsigned)grid_cuda_multiprocessors());
  return grid_cuda_start_exchange(GRID_EXCHANGE_SPARSE, (const void *)kernel, blocks, THREADS, args, what);
}

template <typename unit>
GrB_Info start_flow(const grid_device_barrier *m, uint64_t q, flow<unit> x, const char *what) {
  exchange_args f = sparse_args_of(m, q);
  void *args[] = {&f, &x};
  return start(flow_sparse<unit>, (m->size - !x.distribute) * q / 32, args, what);
}

template <typename unit>
along_args<unit> bind_along(const grid_chunk *t, const grid_chunk *u, const grid_chunk *where, uint64_t limit,
                            uint64_t units, const grid_tally &tally) {
  along_args<unit> x = {position_list_of(where, limit),
                        bits_of(u),
                        (const unit *)u->val,
                        u->nvals > 0,
                        u->iso,
                        (uint32_t)units,
                        (uint32_t *)t->bits,
                        (unit *)t->val,
                        t->n,
                        tally};
  return x;
}

GrB_Info gather(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q, uint64_t *bits,
                void *val) {
  GrB_Info info = GrB_SUCCESS;
  call_by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    const flow<type> f = {x->format == GRID_BITMAP ? x->bits : NULL,
                          (const type *)x->val,
                          x->iso,
                          x->nvals ? x->n : 0,
                          (uint32_t)units,
                          false,
                          bits,
                          (type *)(size ? val : NULL)};
    info = start_flow(m, q, f, "gathering few entries");
  });
  return info;
}

GrB_Info distribute(const grid_device_barrier *m, const uint64_t *bits, const void *val, size_t size,
                    uint64_t q, uint64_t *segments, void *segment_val) {
  GrB_Info info = GrB_SUCCESS;
  call_by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    const flow<type> f = {bits,
                          (const type *)val,
                          false,
                          m->size * q,
                          (uint32_t)units,
                          true,
                          segments,
                          (type *)(size ? segment_val : NULL)};
    info = start_flow(m, q, f, "distributing few entries");
  });
  return info;
}

GrB_Info request_values(const grid_device_barrier *m, const grid_chunk *t, const grid_chunk *u,
                        const grid_chunk *where, uint64_t q, uint64_t limit, uint64_t *ticket) {
  grid_tally tally;
  GrB_Info info = grid_cuda_tally(&tally);
  if (info != GrB_SUCCESS) return info;
  *ticket = tally.ticket;
  call_by_unit(t->type->size, [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    exchange_args f = sparse_args_of(m, q);
    along_args<type> x = bind_along<type>(t, u, where, limit, units, tally);
    if (where->nvals == 0) x.p.n = 0;
    void *args[] = {&f, &x};
    info = start(request_sparse<type>, where->n / 32, args, "gathering few entries along a vector");
  });
  return info;
}

// ---- sums -------------------------------------------------------------------------------------------------

uint64_t round_to_64(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

// In the buffer made by sums; with one process a slot follows it. Returns the bytes of all.
uint64_t compute_layout(sparse_sorted *s, char **sum, char **slot, char *at, uint64_t n, uint64_t size) {
  const uint64_t key = round_to_64(8 * n), number = round_to_64(4 * n), val = round_to_64(size * n);
  s->facts = (uint32_t *)at;
  s->raw = (uint64_t *)(at + 64), s->key = (uint64_t *)(at + 64 + key);
  s->number = (uint32_t *)(at + 64 + 2 * key), s->start = (uint32_t *)(at + 64 + 2 * key + number);
  s->val = at + 64 + 2 * key + 2 * number;
  *sum = s->val + val;
  *slot = *sum + round_to_64(GRID_DEVICE_VALUE_MAX * n);
  return (uint64_t)(*slot - at);
}

GrB_Info sums(grid_sparse_sums *s, GrB_Type t, GrB_Type u, GrB_BinaryOp dup, uint64_t entries) {
  const grid_jit_key key = {{"combine few", t, u, dup}};
  sparse_sorted sorted;
  char *sum, *slot;
  *s = {NULL, NULL, entries};
  if (!grid_jit_find_kernel(&s->kernel, &key)) {
    grid_jit_source source;
    grid_source_combine(&source, t, u, dup);
    GrB_Info info = grid_jit_kernel(&s->kernel, &source, "combine_sorted.cuh", "grid_combine_sparse");
    if (info != GrB_SUCCESS) return info;
    cudaFuncAttributes
        loaded;  // loads the kernel now: a first launch could wait for the kernel that waits for other GPUs
    info = grid_cuda_check(cudaFuncGetAttributes(&loaded, s->kernel), "loading a kernel");
    if (info != GrB_SUCCESS) return info;
    grid_jit_store_kernel(&key, s->kernel);
  }
  const uint64_t bytes = compute_layout(&sorted, &sum, &slot, NULL, entries, u->size) + GRID_SLOT_BYTES;
  s->buffer = grid_device_malloc(bytes, 1);
  return s->buffer ? GrB_SUCCESS : grid_device_fail_memory(NULL, "few entries by index", bytes, 1);
}

GrB_Info scatter(const grid_device_barrier *m, const grid_sparse_sums *s, const grid_chunk *t,
                 const grid_chunk *u, const grid_chunk *where, uint64_t q, uint64_t limit, uint64_t *ticket) {
  sparse_sorted sorted;
  char *sum, *slot;
  void *z = t->val;
  grid_tally tally;
  GrB_Info info = grid_cuda_tally(&tally);
  if (info != GrB_SUCCESS) return info;
  *ticket = tally.ticket;
  compute_layout(&sorted, &sum, &slot, (char *)s->buffer, s->entries, u->type->size);
  const uint64_t words = (t->n > where->n ? t->n : where->n) / 32, sorting = 32 / AT_ONCE * s->entries;
  grid_device_barrier single = {};
  single.window[0] = slot, single.size = 1;
  call_by_unit(u->type->size, [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    exchange_args f = sparse_args_of(m ? m : &single, q);
    along_args<type> x = bind_along<type>(t, u, where, limit, units, tally);
    if (where->nvals == 0 || u->nvals == 0) x.p.n = 0;
    void *args[] = {&f, &x, &sorted};
    info = start(reply_sparse<type>, words > sorting ? words : sorting, args,
                 "scattering few entries along a vector");
  });
  void *args[] = {&sorted.facts, &sorted.key, &sorted.start, &sorted.number, &sum, &sorted.val, &z};
  return info == GrB_SUCCESS ? grid_jit_launch(s->kernel, 1, 1024, args, "combining few entries") : info;
}

GrB_Info wait_result(uint64_t ticket, uint64_t *nvals, bool *wrong, bool *twice) {
  uint64_t count;
  bool known;
  GrB_Info info = grid_cuda_wait_ticket(ticket, &count, &known);
  if (info != GrB_SUCCESS) return info;
  *wrong = count >= WRONG;
  *twice = !*wrong && count >> DUPLICATE_SHIFT;
  *nvals = *wrong ? 0 : count & ((UINT64_C(1) << DUPLICATE_SHIFT) - 1);
  return info;
}

}  // namespace

extern "C" const grid_device_sparse_exchange grid_cuda_sparse_exchange = {
    gather, grid_cuda_pass, grid_cuda_gather_dense, distribute, request_values, sums, scatter, wait_result};
