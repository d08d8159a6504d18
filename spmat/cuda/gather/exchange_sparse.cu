// Exchanges few entries between GPUs, in one kernel each (spmat/vector/peer_exchange.h). Sent entries are in
// a slot in no order; receivers need none, or make one.
#include "spmat/cuda/gather/exchange_along.cuh"

extern "C" {
#include "spmat/cuda/vector/vec_source.h"
}
// exchange_bitmap.cu
extern "C" GrB_Info grid_cuda_pass(const grid_device_barrier *m, const grid_chunk *x, size_t size, uint64_t q,
                                   uint64_t *bits, void *val);
extern "C" GrB_Info grid_cuda_gather_dense(const grid_device_barrier *m, const grid_chunk *x, size_t size,
                                           uint64_t q, bool full, uint64_t **bits, void **val);

namespace {

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
    if (sent)
      at = reserve_elements(&f.state->counters.list_count[f.now][x.distribute ? r : 0],
                            (uint32_t)__popcll(word));
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
  if (!barrier_exchange(f.m, f.m.turn, f.stop, f.state->barrier,
                        [&](uint32_t r) { return list_count(f, x.distribute ? r : 0); }))
    return;
  for (uint32_t d = 1; d < f.m.size; d++) {
    const uint32_t r = (me + d) % f.m.size;
    char *slot = slot_of(f.m, f.m.turn, me, r);
    GRID_FOR(e, f.state->barrier.received[r]) {
      const uint64_t i = r * f.q + __ldcv((const uint32_t *)slot + e);
      if (x.to_bits) atomicOr((uint32_t *)x.to_bits + i / 32, 1u << i % 32);
      if (x.to) load_value(x.to, i, values_in<unit>(slot), e, x.units);
    }
  }
}

// ---- launches ---------------------------------------------------------------------------------------------

exchange_args sparse_args_of(const grid_device_barrier *m, uint64_t q) {
  exchange_args f = {*m, (sparse_state *)grid_cuda_counters(GRID_SPARSE_EXCHANGE_COUNTERS),
                     grid_cuda_window_stop(), grid_cuda_exchange_counters(GRID_EXCHANGE_SPARSE), q};
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
