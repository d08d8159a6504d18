// Few entries that go from GPU to GPU, in one kernel each (spmat/vector/few.h). What is sent stands in a box
// by the order in which threads came; who gets it needs no order, or makes one.
#include "spmat/cuda/device/meeting.cuh"
#include "spmat/cuda/list/places.cuh"

extern "C" {
#include "spmat/cuda/vector/chunk.h"
#include "spmat/cuda/vector/vec_source.h"
#include "spmat/vector/few.h"
}
// pass.cu
extern "C" GrB_Info grid_cuda_pass(const grid_meeting *m, const grid_chunk *x, size_t size, uint64_t q,
                                   uint64_t *bits, void *val);

namespace {

constexpr unsigned THREADS = 512, WARPS = THREADS / 32;
constexpr uint32_t MOST = GRID_FEW_ENTRIES;
constexpr uint32_t FLAG = 1u << 31;  // beside a number of entries, or of a place
// How a count tells of places that were met twice; both numbers are at most MOST.
constexpr unsigned TWICE = 20;

// ---- what a kernel goes by -------------------------------------------------------------------------------

// Counters of two kernels by turns: each clears the other's.
struct few_room {
  uint32_t listed[2][GRID_WINDOWS], wrong[2];
  volatile uint32_t come[GRID_WINDOWS];
};
__device__ few_room room;

struct few {
  grid_meeting m;
  const volatile uint32_t *stop;
  uint32_t now;  // whose counters
  uint64_t q;
};

__device__ void clear_other_counters(const few &f) {
  if (blockIdx.x || threadIdx.x >= GRID_WINDOWS) return;
  room.listed[f.now ^ 1][threadIdx.x] = 0;
  if (threadIdx.x == 0) room.wrong[f.now ^ 1] = 0;
}

__device__ __forceinline__ uint32_t listed(const few &f, uint32_t r) {
  const uint32_t n = *(volatile uint32_t *)&room.listed[f.now][r];
  return n < MOST ? n : MOST;
}

// Is everybody there?
__device__ __forceinline__ bool all_came(const few &f) {
  for (uint32_t r = 0; r < f.m.size; r++)
    if (room.come[r] == NOBODY) return false;
  return true;
}
__device__ __forceinline__ bool any_wrong(const few &f) {
  for (uint32_t r = 0; r < f.m.size; r++)
    if (room.come[r] & FLAG) return true;
  return false;
}

// ---- boxes: places of 4 or 8 bytes, values behind them ----------------------------------------------------

template <typename unit>
__device__ __forceinline__ unit *values_in(char *box) {
  return (unit *)(box + 8 * (uint64_t)MOST);
}

template <typename unit>
__device__ __forceinline__ void put_value(unit *to, uint64_t at, const unit *from, uint64_t i,
                                          uint32_t units) {
  for (uint32_t k = 0; k < units; k++) to[at * units + k] = from[i * units + k];
}
// What others have written is read past the first cache.
template <typename unit>
__device__ __forceinline__ void take_value(unit *to, uint64_t at, const unit *from, uint64_t i,
                                           uint32_t units) {
  for (uint32_t k = 0; k < units; k++) to[at * units + k] = __ldcv(from + i * units + k);
}

// A bitmap's, or full chunk's, entries: f(i) for each.
template <typename call>
__device__ __forceinline__ void each_entry(const uint32_t *a, const uint32_t *b, uint64_t n, call f) {
  GRID_FOR(w, grid_words32(n))
  for (uint32_t s = grid_word32(a, n, w) & grid_word32(b, n, w); s; s &= s - 1) f(32 * w + __ffs(s) - 1);
}

// ---- chunks together, pieces apart ------------------------------------------------------------------------

template <typename unit>
struct flow {
  const uint32_t *bits;  // NULL: all of n
  const unit *val;
  bool one;  // value for all
  uint64_t n;
  uint32_t units;
  bool deal;          // pieces of q places, each to its process; else all to everybody
  uint32_t *to_bits;  // NULL: they are not wanted
  unit *to;           // NULL: there are no values
};

// to_bits = what is this process's own; of others nothing yet.
template <typename unit>
__device__ void begin_bits(const few &f, const flow<unit> &x) {
  const uint64_t each = f.q / 32;
  GRID_FOR(w, f.m.size * each) {
    const uint32_t r = (uint32_t)(w / each);
    x.to_bits[w] = r != f.m.me ? 0 : grid_word32(x.bits, x.n, x.deal ? w : w - r * each);
  }
}

template <typename unit>
__device__ void send_entry(const few &f, const flow<unit> &x, uint32_t r, uint32_t at, uint32_t place,
                           uint64_t i) {
  char *box = box_of(f.m, f.m.turn, r, f.m.me);
  ((uint32_t *)box)[at] = place;
  if (x.to) put_value(values_in<unit>(box), at, x.val, x.one ? 0 : i, x.units);
}

template <typename unit>
__global__ void __launch_bounds__(THREADS) flow_few(const __grid_constant__ few f, const flow<unit> x) {
  const uint32_t me = f.m.me;
  if (x.to_bits) begin_bits(f, x);
  each_entry(x.bits, NULL, x.n, [&](uint64_t i) {
    const uint32_t r = x.deal ? (uint32_t)(i / f.q) : me;
    const uint64_t place = x.deal ? i - r * f.q : i;
    if (r == me && x.to) put_value(x.to, me * f.q + place, x.val, x.one ? 0 : i, x.units);
    if (x.deal && r == me) return;
    const uint32_t at = atomicAdd(&room.listed[f.now][x.deal ? r : 0], 1u);
    if (at >= MOST) return;  // the host has seen to it that there is none
    if (x.deal) {
      send_entry(f, x, r, at, (uint32_t)place, i);
    } else {
      for (uint32_t d = 1; d < f.m.size; d++) send_entry(f, x, (me + d) % f.m.size, at, (uint32_t)place, i);
    }
  });
  meet_in_turn(f.m, f.m.turn, f.stop, room.come, [&](uint32_t r) { return listed(f, x.deal ? r : 0); });
  clear_other_counters(f);
  if (!all_came(f)) return;
  for (uint32_t d = 1; d < f.m.size; d++) {
    const uint32_t r = (me + d) % f.m.size;
    char *box = box_of(f.m, f.m.turn, me, r);
    GRID_FOR(e, room.come[r]) {
      const uint64_t i = r * f.q + __ldcv((const uint32_t *)box + e);
      if (x.to_bits) atomicOr(x.to_bits + i / 32, 1u << i % 32);
      if (x.to) take_value(x.to, i, values_in<unit>(box), e, x.units);
    }
  }
}

// ---- along indices ----------------------------------------------------------------------------------------

// Own index k names place `at`: it gets a line in the box for the owner; false: it is no place.
__device__ __forceinline__ bool list_place(const few &f, const places &p, uint64_t k, char **box,
                                           uint32_t *e) {
  const uint64_t at = place(p, k);
  if (at >= p.limit) {
    atomicOr(&room.wrong[f.now], 1u);
    return false;
  }
  const uint32_t r = (uint32_t)(at / f.q);
  *e = atomicAdd(&room.listed[f.now][r], 1u);
  if (*e >= MOST) return false;
  *box = box_of(f.m, f.m.turn, r, f.m.me);
  ((uint2 *)*box)[*e] = make_uint2((uint32_t)(at - r * f.q), (uint32_t)k);
  return true;
}
__device__ __forceinline__ uint32_t tell_listed(const few &f, uint32_t r) {
  return listed(f, r) | (*(volatile uint32_t *)&room.wrong[f.now] ? FLAG : 0);
}
__device__ __forceinline__ void clear_bits(uint32_t *bits, uint64_t n) {
  GRID_FOR(w, grid_words32(n)) bits[w] = 0;
}

template <typename unit>
struct along {
  places p;
  const uint32_t *bits;  // of u; NULL: all
  const unit *u;
  bool some, one;  // has u entries; one value for all
  uint32_t units;
  uint32_t *t_bits;
  unit *t;
  uint64_t n;  // t's places
  grid_tally tally;
};

// To each question its number in the asker's chunk, and whether there is an entry; the value.
template <typename unit>
__device__ void answer(const few &f, const along<unit> &x, uint32_t r) {
  const uint2 *asked = (const uint2 *)box_of(f.m, f.m.turn, f.m.me, r);
  char *box = box_of(f.m, f.m.turn + 1, r, f.m.me);
  GRID_FOR(e, room.come[r]) {
    const uint2 question = make_uint2(__ldcv(&asked[e].x), __ldcv(&asked[e].y));
    const bool is = x.some && has(x.bits, question.x);
    ((uint32_t *)box)[e] = question.y | (is ? FLAG : 0);
    if (is) put_value(values_in<unit>(box), e, x.u, x.one ? 0 : question.x, x.units);
  }
}

template <typename unit>
__device__ grid_counter take_answers(const few &f, const along<unit> &x, uint32_t r) {
  char *box = box_of(f.m, f.m.turn + 1, f.m.me, r);
  grid_counter found = 0;
  GRID_FOR(e, listed(f, r)) {
    const uint32_t told = __ldcv((const uint32_t *)box + e), k = told & ~FLAG;
    if (!(told & FLAG)) continue;
    atomicOr(x.t_bits + k / 32, 1u << k % 32);
    take_value(x.t, k, values_in<unit>(box), e, x.units);
    found++;
  }
  return found;
}

template <typename unit>
__global__ void __launch_bounds__(THREADS) ask_few(const __grid_constant__ few f, const along<unit> x) {
  grid_counter found = 0;
  clear_bits(x.t_bits, x.n);
  each_entry(x.p.bits, NULL, x.p.n, [&](uint64_t k) {
    char *box;
    uint32_t e;
    (void)list_place(f, x.p, k, &box, &e);
  });
  meet_in_turn(f.m, f.m.turn, f.stop, room.come, [&](uint32_t r) { return tell_listed(f, r); });
  clear_other_counters(f);
  if (!all_came(f)) return;
  const bool wrong = any_wrong(f);
  for (uint32_t d = 0; !wrong && d < f.m.size; d++) answer(f, x, (f.m.me + d) % f.m.size);
  meet_in_turn(f.m, f.m.turn + 1, f.stop, room.come, [](uint32_t) { return 0u; });
  if (!all_came(f)) return;
  for (uint32_t d = 0; !wrong && d < f.m.size; d++) found += take_answers(f, x, (f.m.me + d) % f.m.size);
  grid_tell_count(x.tally, wrong && blockIdx.x == 0 && threadIdx.x == 0 ? WRONG : found);
}

// What has come, side by side, and its order: by place, process and number there.
struct few_sorted {
  uint32_t *facts;  // how many there are; the most at one place
  uint64_t *raw, *key;
  uint32_t *number, *start;
  char *val;
};
constexpr unsigned NUMBER_BITS = 30, PLACE_FROM = NUMBER_BITS + 4;
static_assert(GRID_WINDOWS <= 16 && GRID_FEW_PLACES <= UINT64_C(1) << NUMBER_BITS, "they fit a key");

template <typename unit>
__device__ uint32_t bring_together(const few &f, const along<unit> &x, const few_sorted &s) {
  uint32_t before = 0;
  for (uint32_t r = 0; r < f.m.size; r++) {
    char *box = box_of(f.m, f.m.turn, f.m.me, r);
    const uint32_t n = room.come[r];
    GRID_FOR(e, n) {
      const uint2 *line = (const uint2 *)box + e;
      s.raw[before + e] =
          (uint64_t)__ldcv(&line->x) << PLACE_FROM | (uint64_t)r << NUMBER_BITS | __ldcv(&line->y);
      take_value((unit *)s.val, before + e, values_in<unit>(box), e, x.units);
    }
    before += n;
  }
  return before;
}

// Each entry's place in the order is the number of those before it: a warp looks at all of them.
template <typename unit>
__device__ grid_counter put_in_order(const along<unit> &x, const few_sorted &s, uint32_t m) {
  const unsigned lane = threadIdx.x & 31;
  grid_counter found = 0;
  for (uint32_t e = blockIdx.x * WARPS + threadIdx.x / 32; e < m; e += gridDim.x * WARPS) {
    const uint64_t mine = __ldcg((const unsigned long long *)s.raw + e), place = mine >> PLACE_FROM;
    unsigned less = 0, below = 0;
#pragma unroll 4
    for (uint32_t j = lane; j < m; j += 32) {
      const uint64_t other = __ldcg((const unsigned long long *)s.raw + j);
      less += other < mine, below += other >> PLACE_FROM < place;
    }
    less = __reduce_add_sync(~0u, less), below = __reduce_add_sync(~0u, below);
    if (lane) continue;
    s.key[less] = place, s.number[less] = e, s.start[less] = below;
    atomicMax(s.facts + 1, less - below + 1);
    found += less == below ? 1 : (grid_counter)1 << TWICE;
    if (less == below) atomicOr(x.t_bits + place / 32, 1u << place % 32);
  }
  return found;
}

template <typename unit>
__global__ void __launch_bounds__(THREADS)
    tell_few(const __grid_constant__ few f, const along<unit> x, const few_sorted s) {
  uint32_t m = 0;
  clear_bits(x.t_bits, x.n);
  if (blockIdx.x == 0 && threadIdx.x < 2) s.facts[threadIdx.x] = 0;
  each_entry(x.p.bits, x.bits, x.p.n, [&](uint64_t k) {
    char *box;
    uint32_t e;
    if (list_place(f, x.p, k, &box, &e)) put_value(values_in<unit>(box), e, x.u, x.one ? 0 : k, x.units);
  });
  meet_in_turn(f.m, f.m.turn, f.stop, room.come, [&](uint32_t r) { return tell_listed(f, r); });
  clear_other_counters(f);
  if (!all_came(f)) return;
  const bool wrong = any_wrong(f);
  if (!wrong) m = bring_together(f, x, s);
  cooperative_groups::this_grid().sync();
  const grid_counter found = put_in_order(x, s, m);
  if (blockIdx.x == 0 && threadIdx.x == 0) s.facts[0] = m;
  grid_tell_count(x.tally, wrong && blockIdx.x == 0 && threadIdx.x == 0 ? WRONG : found);
}

// ---- launching --------------------------------------------------------------------------------------------

unsigned kernels;  // started so far

few few_of(const grid_meeting *m, uint64_t q) {
  few f = {*m, grid_cuda_window_stop(), kernels & 1, q};
  return f;
}

// A block a multiprocessor at most: all are there at once.
template <typename... parameters>
GrB_Info start(void (*kernel)(parameters...), uint64_t words, void **args, const char *what) {
  const unsigned blocks = grid_cuda_blocks(words, THREADS, (unsigned)grid_cuda_multiprocessors());
  GrB_Info info = grid_cuda_check(cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks),
                                                              dim3(THREADS), args, 0, grid_cuda_stream()),
                                  what);
  if (info == GrB_SUCCESS) kernels++;
  return info;
}

template <typename unit>
GrB_Info start_flow(const grid_meeting *m, uint64_t q, flow<unit> x, const char *what) {
  few f = few_of(m, q);
  void *args[] = {&f, &x};
  return start(flow_few<unit>, (m->size - !x.deal) * q / 32, args, what);
}

template <typename unit>
along<unit> along_of(const grid_chunk *t, const grid_chunk *u, const grid_chunk *where, uint64_t limit,
                     uint64_t units, const grid_tally &tally) {
  along<unit> x = {places_of(where, limit), bits_of(u),          (const unit *)u->val, u->nvals > 0, u->iso,
                   (uint32_t)units,         (uint32_t *)t->bits, (unit *)t->val,       t->n,         tally};
  return x;
}

GrB_Info gather(const grid_meeting *m, const grid_chunk *x, size_t size, uint64_t q, uint64_t *bits,
                void *val) {
  GrB_Info info = GrB_SUCCESS;
  by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    const flow<type> f = {
        bits_of(x),       (const type *)x->val,       x->iso, x->nvals ? x->n : 0, (uint32_t)units, false,
        (uint32_t *)bits, (type *)(size ? val : NULL)};
    info = start_flow(m, q, f, "gathering few entries");
  });
  return info;
}

GrB_Info deal(const grid_meeting *m, const uint64_t *bits, const void *val, size_t size, uint64_t q,
              uint64_t *pieces, void *piece_val) {
  GrB_Info info = GrB_SUCCESS;
  by_unit(size ? size : sizeof(uint64_t), [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    const flow<type> f = {(const uint32_t *)bits,
                          (const type *)val,
                          false,
                          m->size * q,
                          (uint32_t)units,
                          true,
                          (uint32_t *)pieces,
                          (type *)(size ? piece_val : NULL)};
    info = start_flow(m, q, f, "dealing out few entries");
  });
  return info;
}

GrB_Info ask(const grid_meeting *m, const grid_chunk *t, const grid_chunk *u, const grid_chunk *where,
             uint64_t q, uint64_t limit, uint64_t *ticket) {
  grid_tally tally;
  GrB_Info info = grid_cuda_tally(&tally);
  if (info != GrB_SUCCESS) return info;
  *ticket = tally.ticket;
  by_unit(t->type->size, [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    few f = few_of(m, q);
    along<type> x = along_of<type>(t, u, where, limit, units, tally);
    if (where->nvals == 0) x.p.n = 0;
    void *args[] = {&f, &x};
    info = start(ask_few<type>, where->n / 32, args, "gathering few entries along a vector");
  });
  return info;
}

// ---- sums -------------------------------------------------------------------------------------------------

uint64_t even(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

// In the room that sums has made; a box behind it, for one process. Gives the bytes of all.
uint64_t lay_out(few_sorted *s, char **sum, char **box, char *at, uint64_t n, uint64_t size) {
  const uint64_t key = even(8 * n), number = even(4 * n), val = even(size * n);
  s->facts = (uint32_t *)at;
  s->raw = (uint64_t *)(at + 64), s->key = (uint64_t *)(at + 64 + key);
  s->number = (uint32_t *)(at + 64 + 2 * key), s->start = (uint32_t *)(at + 64 + 2 * key + number);
  s->val = at + 64 + 2 * key + 2 * number;
  *sum = s->val + val;
  *box = *sum + even(GRID_DEVICE_VALUE * n);
  return (uint64_t)(*box - at);
}

GrB_Info sums(grid_few_sums *s, GrB_Type t, GrB_Type u, GrB_BinaryOp dup, uint64_t entries) {
  const grid_jit_key key = {{"combine few", t, u, dup}};
  few_sorted sorted;
  char *sum, *box;
  *s = {NULL, NULL, entries};
  if (!grid_jit_recall(&s->kernel, &key)) {
    grid_jit_source source;
    grid_source_combine(&source, t, u, dup);
    GrB_Info info = grid_jit_kernel(&s->kernel, &source, "vec_combine.cuh", "grid_combine_few");
    if (info != GrB_SUCCESS) return info;
    cudaFuncAttributes loaded;  // now: a first launch may wait for the kernel that waits for other GPUs
    info = grid_cuda_check(cudaFuncGetAttributes(&loaded, s->kernel), "loading a kernel");
    if (info != GrB_SUCCESS) return info;
    grid_jit_remember(&key, s->kernel);
  }
  const uint64_t bytes = lay_out(&sorted, &sum, &box, NULL, entries, u->size) + GRID_BOX;
  s->room = grid_device_malloc(bytes, 1);
  return s->room ? GrB_SUCCESS : grid_device_fail_memory(NULL, "few entries by place", bytes, 1);
}

GrB_Info tell(const grid_meeting *m, const grid_few_sums *s, const grid_chunk *t, const grid_chunk *u,
              const grid_chunk *where, uint64_t q, uint64_t limit, uint64_t *ticket) {
  few_sorted sorted;
  char *sum, *box;
  void *z = t->val;
  grid_tally tally;
  GrB_Info info = grid_cuda_tally(&tally);
  if (info != GrB_SUCCESS) return info;
  *ticket = tally.ticket;
  lay_out(&sorted, &sum, &box, (char *)s->room, s->entries, u->type->size);
  grid_meeting alone = {};
  alone.window[0] = box, alone.size = 1;
  by_unit(u->type->size, [&](auto *unit, uint64_t units) {
    typedef decltype(unit) pointer;
    typedef std::remove_pointer_t<pointer> type;
    few f = few_of(m ? m : &alone, q);
    along<type> x = along_of<type>(t, u, where, limit, units, tally);
    if (where->nvals == 0 || u->nvals == 0) x.p.n = 0;
    void *args[] = {&f, &x, &sorted};
    info = start(tell_few<type>, (t->n > where->n ? t->n : where->n) / 32, args,
                 "scattering few entries along a vector");
  });
  void *args[] = {&sorted.facts, &sorted.key, &sorted.start, &sorted.number, &sum, &sorted.val, &z};
  return info == GrB_SUCCESS ? grid_jit_launch(s->kernel, 1, 1024, args, "combining few entries") : info;
}

GrB_Info told(uint64_t ticket, uint64_t *nvals, bool *wrong, bool *twice) {
  uint64_t count;
  bool known;
  GrB_Info info = grid_cuda_told_ticket(ticket, &count, &known);
  if (info != GrB_SUCCESS) return info;
  *wrong = count >= WRONG;
  *twice = !*wrong && count >> TWICE;
  *nvals = *wrong ? 0 : count & ((UINT64_C(1) << TWICE) - 1);
  return info;
}

}  // namespace

extern "C" const grid_device_few grid_cuda_few = {gather, grid_cuda_pass, deal, ask, sums, tell, told};
