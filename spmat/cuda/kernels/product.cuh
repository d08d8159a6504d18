// The kernels of a product y<mask> (+)= M x, for any semiring O:
//   z_t, a_t, x_t                 types of the result, of M's values as stored, of x's
//   structural, any, positional   only bits are made; any product serves; the product is the inner index
//   uses_a_values, uses_x_values  does the product use them?
//   has_done, done(z)             does the monoid have a terminal value? is z it?
//   multiply(a, x), add(z, z)     the operators
//   start(), native               a value whose addition changes nothing; the atomic instruction of add
//
// A push is in product_push.cuh. Pull: a warp takes 32 rows at a time, one a thread. A row's hub neighbor
// (hub_neighbor) settles most rows under ANY. A row with more than GRID_PRODUCT_SHORT entries to inspect is
// then scanned by the whole warp, and one with more than J.slice is divided into segments for a second
// kernel.
#ifndef GRID_PRODUCT_CUH
#define GRID_PRODUCT_CUH
#include "product_job.cuh"
#include "atomic_combine.cuh"
#include "bitmap_tile.cuh"

enum { GRID_PRODUCT_SHORT = 32, GRID_PRODUCT_BATCH = 8 };

// ---- common ----------------------------------------------------------------------------------------------

GRID_FN const uint32_t *grid_halves(const uint64_t *bits) {
  return (const uint32_t *)bits;
}

GRID_FN bool grid_half_bit(const uint64_t *bits, uint32_t i) {
  return grid_halves(bits)[i >> 5] >> (i & 31) & 1;
}

GRID_FN uint32_t grid_allowed_half(const grid_product_job &J, uint64_t h) {
  if (!J.mask) return ~0u;
  const uint32_t m = grid_halves(J.mask)[h];
  return J.mask_complement ? ~m : m;
}
GRID_FN bool grid_is_allowed(const grid_product_job &J, uint32_t v) {
  return !J.mask || grid_half_bit(J.mask, v) != J.mask_complement;
}
GRID_FN bool grid_is_in_x(const grid_product_job &J, uint32_t k) {
  return !J.xbits || grid_half_bit(J.xbits, k);
}

GRID_FN uint64_t grid_process_offset(const grid_product_job &J, uint32_t k) {
  const uint64_t id = !J.ids ? k : J.ids64 ? ((const uint64_t *)J.ids)[k] : ((const uint32_t *)J.ids)[k];
  return J.q == 0 ? J.base + id : (id / J.q * J.stride + J.offset) * J.q + id % J.q;
}

// The value of entry `at` of M; any where values are not used.
template <class O>
GRID_FN typename O::a_t grid_value_of(const grid_product_job &J, const typename O::a_t &a1, uint64_t at) {
  if constexpr (O::uses_a_values)
    if (J.a) return ((const typename O::a_t *)J.a)[at];
  return a1;
}

// The value of x at position xpos; any where values are not used.
template <class O>
GRID_FN typename O::x_t grid_x_of(const grid_product_job &J, uint32_t xpos) {
  if constexpr (O::uses_x_values) return ((const typename O::x_t *)J.x)[J.x_iso ? 0 : xpos];
  return typename O::x_t();
}

// The product of a value of M with x's element k, whose value is x.
template <class O, bool positional>
struct grid_multiplier {
  static __device__ __forceinline__ typename O::z_t run(const grid_product_job &, const typename O::a_t &a,
                                                        const typename O::x_t &x, uint32_t) {
    return O::multiply(a, x);
  }
};
template <class O>
struct grid_multiplier<O, true> {
  static __device__ __forceinline__ typename O::z_t run(const grid_product_job &J, const typename O::a_t &,
                                                        const typename O::x_t &, uint32_t k) {
    return (typename O::z_t)grid_process_offset(J, k);
  }
};
template <class O>
GRID_FN typename O::z_t grid_product_by(const grid_product_job &J, const typename O::a_t &a,
                                        const typename O::x_t &x, uint32_t k) {
  return grid_multiplier<O, O::positional>::run(J, a, x, k);
}

// The product of entry `at` of M with x's element k, whose value is at position xpos.
template <class O>
GRID_FN typename O::z_t grid_product_of(const grid_product_job &J, const typename O::a_t &a1, uint32_t at,
                                        uint32_t k, uint32_t xpos) {
  return grid_product_by<O>(J, grid_value_of<O>(J, a1, at), grid_x_of<O>(J, xpos), k);
}

// Writes an output's value; nothing when only bits are made.
template <class O>
GRID_FN void grid_store_product(const grid_product_job &J, const typename O::a_t &a1, uint32_t v, uint32_t at,
                                uint32_t k, uint32_t xpos) {
  if constexpr (!O::structural) ((typename O::z_t *)J.y)[v] = grid_product_of<O>(J, a1, at, k, xpos);
}

// Sets v's bit; true for the thread that set it.
GRID_FN bool grid_claim(const grid_product_job &J, uint32_t v) {
  uint32_t *word = (uint32_t *)J.ybits + (v >> 5);
  const uint32_t bit = 1u << (v & 31);
  return !(*(volatile uint32_t *)word & bit) && !(atomicOr(word, bit) & bit);
}

GRID_FN uint64_t grid_warp_sum(uint64_t n) {
  for (int d = 16; d > 0; d /= 2) n += __shfl_down_sync(~0u, n, d);
  return n;
}
GRID_FN void grid_add_counts(const grid_product_job &J, uint64_t found, uint64_t inspected) {
  found = grid_warp_sum(found);
  inspected = grid_warp_sum(inspected);
  if (threadIdx.x & 31) return;
  if (found) atomicAdd((unsigned long long *)&J.counts->found, (unsigned long long)found);
  if (inspected) atomicAdd((unsigned long long *)&J.counts->inspected, (unsigned long long)inspected);
}

// All threads of a product's last kernel call, at its end, after `barriers` barriers of the grid. The last
// block publishes the counts and clears them for the next product.
GRID_FN void grid_finish_counts(const grid_product_job &J, unsigned barriers) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(&J.counts->arrived, 1u) + 1 != (barriers + 1) * gridDim.x) return;
  __threadfence();
  volatile grid_product_counts *const c = J.counts;
  if (J.tally.slot) {
    volatile uint64_t *const value = (volatile uint64_t *)J.tally.slot->value;
    *(volatile unsigned long long *)&J.tally.slot->count = c->found;
    value[0] = c->frontier, value[1] = c->inspected;
    grid_publish(J.tally);
  }
  c->frontier = c->found = c->inspected = c->slices = 0;
  c->arrived = 0;
}

// A value of any type from the lane d further up.
template <class T>
GRID_FN T grid_shuffle_down(const T &v, int d) {
  uint32_t w[(sizeof(T) + 3) / 4] = {0};
  T r;
  memcpy(w, &v, sizeof v);
#pragma unroll
  for (int k = 0; k < (int)((sizeof(T) + 3) / 4); k++) w[k] = __shfl_down_sync(~0u, w[k], d);
  memcpy(&r, w, sizeof r);
  return r;
}

// A value of any type from lane 0.
template <class T>
GRID_FN T grid_shuffle_from_first(const T &v) {
  uint32_t w[(sizeof(T) + 3) / 4] = {0};
  T r;
  memcpy(w, &v, sizeof v);
#pragma unroll
  for (int k = 0; k < (int)((sizeof(T) + 3) / 4); k++) w[k] = __shfl_sync(~0u, w[k], 0);
  memcpy(&r, w, sizeof r);
  return r;
}

// ---- pull ------------------------------------------------------------------------------------------------

// rows(v, todo, has_value) for 32 rows at a time, one a thread: v is its row, todo whether to process it.
// Returns whether it has a value then. Whole warps call; counts the outputs found.
template <class F>
GRID_FN uint64_t grid_walk_rows(const grid_product_job &J, bool skip_had, F rows) {
  const uint64_t halves = (J.ny + 63) / 64 * 2, warps = gridDim.x * (uint64_t)(blockDim.x / 32);
  const unsigned lane = threadIdx.x & 31, batch = J.batch;
  uint32_t *y = (uint32_t *)J.ybits;
  uint64_t found = 0;
  for (uint64_t h0 = (blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32) * batch; h0 < halves;
       h0 += warps * batch) {
    const uint64_t h = h0 + lane;
    uint32_t todo = 0, had = 0;
    if (lane < batch && h < halves) {
      had = y[h];
      todo = grid_allowed_half(J, h) & grid_halves(J.nonempty)[h];
      if (skip_had) todo &= ~had;
    }
    for (uint32_t left = __ballot_sync(~0u, todo != 0); left; left &= left - 1) {
      const int b = __ffs(left) - 1;
      const uint32_t t = __shfl_sync(~0u, todo, b), s = __shfl_sync(~0u, had, b);
      const uint32_t hits =
          __ballot_sync(~0u, rows((uint32_t)(32 * (h0 + b) + lane), t >> lane & 1, s >> lane & 1));
      if ((int)lane == b && (hits & ~had)) {
        y[h] = had | hits;
        found += __popc(hits & ~had);
      }
    }
  }
  return found;
}

// Divides entries from .. to - 1 of a row into segments for the second kernel. Whole warps call.
GRID_FN void grid_split_row(const grid_product_job &J, uint32_t row, uint32_t from, uint32_t to) {
  const unsigned lane = threadIdx.x & 31;
  const uint32_t n = (to - from + J.slice - 1) / J.slice;
  uint64_t at = 0;
  if (lane == 0) at = atomicAdd((unsigned long long *)&J.counts->slices, (unsigned long long)n);
  at = __shfl_sync(~0u, at, 0);
  for (uint32_t i = lane; i < n; i += 32) J.slices[at + i] = grid_slice{row, from + i * J.slice};
}

// The first of the entries from .. to - 1 that is in x, found by the whole warp: its number, or `to`. *k: its
// index.
GRID_FN uint32_t grid_find_first_in_x(const grid_product_job &J, uint32_t from, uint32_t to, uint32_t *k,
                                      uint64_t *inspected) {
  const unsigned lane = threadIdx.x & 31;
  for (uint64_t e = from; e < to; e += 4 * 32) {
    uint32_t i[4];
    uint32_t hits[4];
#pragma unroll
    for (int u = 0; u < 4; u++) i[u] = e + 32 * u + lane < to ? J.idx[e + 32 * u + lane] : 0;
#pragma unroll
    for (int u = 0; u < 4; u++) hits[u] = __ballot_sync(~0u, e + 32 * u + lane < to && grid_is_in_x(J, i[u]));
#pragma unroll
    for (int u = 0; u < 4; u++) {
      *inspected += e + 32 * u + lane < to;
      if (!hits[u]) continue;
      const int b = __ffs(hits[u]) - 1;
      *k = __shfl_sync(~0u, i[u], b);
      return (uint32_t)(e + 32 * u + b);
    }
  }
  return to;
}

// Scans this thread's entries *at .. stop - 1, four in flight: true at a hit, which is at *at and has index
// *k.
GRID_FN bool grid_scan_on(const grid_product_job &J, uint32_t *at, uint32_t stop, uint32_t *k,
                          uint64_t *inspected) {
  while (*at < stop) {
    const uint32_t last = stop - 1 - *at;
    uint32_t i[4];
    unsigned hits = 0;
#pragma unroll
    for (uint32_t u = 0; u < 4; u++) i[u] = J.idx[*at + (u < last ? u : last)];
#pragma unroll
    for (uint32_t u = 0; u < 4; u++) hits |= (unsigned)grid_is_in_x(J, i[u]) << u;
    if (hits) {
      const int b = __ffs(hits) - 1;
      *k = b == 0 ? i[0] : b == 1 ? i[1] : b == 2 ? i[2] : i[3];
      *at += b;
      *inspected += b + 1;
      return true;
    }
    const uint32_t n = last < 3 ? last + 1 : 4;
    *at += n;
    *inspected += n;
  }
  return false;
}

// The number of the entry of row v, whose entries ascend, that has index k.
GRID_FN uint32_t grid_entry_of(const grid_product_job &J, uint32_t v, uint32_t k) {
  uint32_t lo = J.ptr[v], hi = J.ptr[v + 1];
  while (hi - lo > 1) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (J.idx[mid] <= k)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

template <class O>
GRID_FN void grid_pull_any(const grid_product_job &J, const typename O::a_t &a1) {
  uint64_t inspected = 0;
  const uint64_t found = grid_walk_rows(J, true, [&](uint32_t v, bool todo, bool) {
    const unsigned lane = threadIdx.x & 31;
    uint32_t k = todo ? J.hub_neighbor[v] : 0, at = 0, end = 0;
    bool hit = todo && grid_is_in_x(J, k);
    inspected += todo;
    if (hit) {
      if (O::uses_a_values && J.a) at = grid_entry_of(J, v, k);
    } else if (todo) {
      at = J.ptr[v];
      end = J.ptr[v + 1];
      if (end - at == 1) at = end;  // it was the first
      hit =
          grid_scan_on(J, &at, end - at < GRID_PRODUCT_SHORT ? end : at + GRID_PRODUCT_SHORT, &k, &inspected);
    }
    for (uint32_t far = __ballot_sync(~0u, !hit && at < end); far; far &= far - 1) {
      const int b = __ffs(far) - 1;
      const uint32_t from = __shfl_sync(~0u, at, b), to = __shfl_sync(~0u, end, b);
      uint32_t index = 0;
      if (to - from > J.slice) {
        grid_split_row(J, v - lane + b, from, to);
        continue;
      }
      const uint32_t e = grid_find_first_in_x(J, from, to, &index, &inspected);
      if ((int)lane == b && e < to) hit = true, at = e, k = index;
    }
    if (hit) grid_store_product<O>(J, a1, v, at, k, k);
    return hit;
  });
  grid_add_counts(J, found, inspected);
}

// Adds this thread's share, entries from, from + step, ... below to, to *z (*has_value: it holds a value), in
// order. Four are in flight, unless the monoid may reach a terminal value.
template <class O>
GRID_FN void grid_sum_entries(const grid_product_job &J, const typename O::a_t &a1, uint32_t from,
                              uint32_t to, uint32_t step, bool *has_value, typename O::z_t *z,
                              uint64_t *inspected) {
  enum { PREFETCH = O::has_done ? 1 : 4 };
  for (uint64_t e0 = from; e0 < to && !(O::has_done && *has_value && O::done(*z));
       e0 += PREFETCH * (uint64_t)step) {
    uint32_t k[PREFETCH];
    bool in[PREFETCH];
    typename O::z_t t[PREFETCH];
#pragma unroll
    for (int u = 0; u < PREFETCH; u++) {
      const uint64_t e = e0 + u * (uint64_t)step;
      k[u] = J.idx[e < to ? e : e0];
    }
#pragma unroll
    for (int u = 0; u < PREFETCH; u++) {
      const bool active = e0 + u * (uint64_t)step < to;
      *inspected += active;
      in[u] = active && grid_is_in_x(J, k[u]);
    }
#pragma unroll
    for (int u = 0; u < PREFETCH; u++) {
      if (in[u]) t[u] = grid_product_of<O>(J, a1, (uint32_t)(e0 + u * (uint64_t)step), k[u], k[u]);
    }
#pragma unroll
    for (int u = 0; u < PREFETCH; u++) {
      if (!in[u]) continue;
      *z = *has_value ? O::add(*z, t[u]) : t[u];
      *has_value = true;
    }
  }
}

// The sum of entries from .. to - 1 by the whole warp, complete in lane 0.
template <class O>
GRID_FN bool grid_sum_row(const grid_product_job &J, const typename O::a_t &a1, uint32_t from, uint32_t to,
                          typename O::z_t *z, uint64_t *inspected) {
  const unsigned lane = threadIdx.x & 31;
  bool has_value = false;
  if constexpr (O::has_done) {  // in steps, so that all stop when one has the terminal value
    for (uint64_t e = from; e < to; e += 128) {
      const uint32_t stop = e + 128 < to ? (uint32_t)(e + 128) : to;
      if (e + lane < stop) grid_sum_entries<O>(J, a1, (uint32_t)e + lane, stop, 32, &has_value, z, inspected);
      if (__any_sync(~0u, has_value && O::done(*z))) break;
    }
  } else if ((uint64_t)from + lane < to) {
    grid_sum_entries<O>(J, a1, from + lane, to, 32, &has_value, z, inspected);
  }
  for (int d = 16; d > 0; d /= 2) {
    const typename O::z_t other = grid_shuffle_down(*z, d);
    const bool has = __shfl_down_sync(~0u, has_value, d) && lane + d < 32;
    if (has) *z = has_value ? O::add(*z, other) : other;
    has_value = has_value || has;
  }
  return has_value;
}

template <class O>
GRID_FN void grid_pull_sum(const grid_product_job &J, const typename O::a_t &a1) {
  typedef typename O::z_t z_t;
  z_t *y = (z_t *)J.y;
  uint64_t inspected = 0;
  const uint64_t found = grid_walk_rows(J, false, [&](uint32_t v, bool todo, bool has_value) {
    const unsigned lane = threadIdx.x & 31;
    const uint32_t from = todo ? J.ptr[v] : 0, to = todo ? J.ptr[v + 1] : 0;
    const bool is_short = to - from <= GRID_PRODUCT_SHORT;
    bool now = has_value, is_split = false;
    z_t z = z_t();
    if (todo && has_value) z = y[v];
    if (todo && is_short) grid_sum_entries<O>(J, a1, from, to, 1, &now, &z, &inspected);
    for (uint32_t far = __ballot_sync(~0u, todo && !is_short); far; far &= far - 1) {
      const int b = __ffs(far) - 1;
      const uint32_t lo = __shfl_sync(~0u, from, b), hi = __shfl_sync(~0u, to, b);
      if (hi - lo > J.slice) {
        grid_split_row(J, v - lane + b, lo, hi);
        is_split = is_split || (int)lane == b;
        continue;
      }
      z_t sum = z_t();
      const bool has = __shfl_sync(~0u, grid_sum_row<O>(J, a1, lo, hi, &sum, &inspected), 0);
      const z_t total = grid_shuffle_from_first(sum);
      if ((int)lane != b || !has) continue;
      z = now ? O::add(z, total) : total;
      now = true;
    }
    if (todo && now)
      y[v] = z;
    else if (is_split)
      y[v] = O::start();  // the segments add to it
    return now;
  });
  grid_add_counts(J, found, inspected);
}

// The segments of long rows, a warp each.
template <class O>
GRID_FN void grid_pull_segments(const grid_product_job &J, const typename O::a_t &a1) {
  const uint64_t segments = J.counts->slices, warps = gridDim.x * (uint64_t)(blockDim.x / 32);
  const unsigned lane = threadIdx.x & 31;
  uint64_t found = 0, inspected = 0;
  for (uint64_t i = blockIdx.x * (uint64_t)(blockDim.x / 32) + threadIdx.x / 32; i < segments; i += warps) {
    const uint32_t row = J.slices[i].row, from = J.slices[i].from, end = J.ptr[row + 1],
                   to = end - from < J.slice ? end : from + J.slice;
    if constexpr (O::any || O::structural) {
      uint32_t k = 0;
      const bool had = ((volatile uint32_t *)J.ybits)[row >> 5] >> (row & 31) & 1;
      if (__any_sync(~0u, had)) continue;
      const uint32_t at = grid_find_first_in_x(J, from, to, &k, &inspected);
      if (lane == 0 && at < to && grid_claim(J, row)) {
        found++;
        grid_store_product<O>(J, a1, row, at, k, k);
      }
    } else {
      typename O::z_t sum = typename O::z_t();
      const bool has_value = grid_sum_row<O>(J, a1, from, to, &sum, &inspected);
      if (lane == 0 && has_value) {
        found += grid_claim(J, row);
        grid_combine<O>((typename O::z_t *)J.y + row, sum, J.locks + row % GRID_PRODUCT_LOCKS);
      }
    }
  }
  grid_add_counts(J, found, inspected);
  grid_finish_counts(J, 0);
}
#endif
