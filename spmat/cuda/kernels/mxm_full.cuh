// Products by a B that has all of its entries, such as a block of dense vectors. Row k of B begins at k * n,
// so neither its offsets nor its columns are read, and each row of A that has entries makes a full row of C.
//
// A lane adds up V columns of a row in registers, 32 apart. A warp's lanes are in groups of `width`, as many
// as C has columns. A long row is computed by a block, whose groups take an entry each; their sums are
// combined in order, so the result is the same in each run. Of other rows each group takes its own, in the
// matrix's order: several that follow each other where it reads their indices together.
#ifndef GRID_MXM_FULL_CUH
#define GRID_MXM_FULL_CUH
#include "mxm.cuh"

enum {
  GRID_MXM_FULL_LOADS = 8,  // loads of B in flight
  GRID_MXM_FULL_WIDE = 4,   // columns a lane, of many columns
  GRID_MXM_FULL_ROWS = 4,   // rows of a group that follow each other
};

// Lanes for a row's columns: a power of two.
GRID_FN unsigned grid_mxm_full_width(const grid_mxm_job &J) {
  unsigned width = 32;
  while (width / 2 >= J.n) width /= 2;
  return width;
}

// *sum += v; first: *sum has none yet.
template <class O>
GRID_FN void grid_mxm_full_add(const typename O::z_t &v, bool first, typename O::z_t *sum) {
  if constexpr (O::any)
    *sum = v;
  else
    *sum = first ? v : O::add(*sum, v);
}

// v[w] = the product of A's entry a and B's entry in row k, column c + 32 w. Entries and columns are numbers
// of existing ones, if need be repeated: loads without conditions are in flight together.
template <class O, int V>
GRID_FN void grid_mxm_full_load(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                uint32_t a, uint32_t k, uint32_t c, typename O::z_t *v) {
  const uint32_t n = (uint32_t)J.n;
#pragma unroll
  for (unsigned w = 0; w < V; w++) v[w] = grid_mxm_product<O>(J, a1, b1, a, k * n + min(c + 32 * w, n - 1));
}

// Row r of C, columns c + 32 w.
template <class O, int V>
GRID_FN void grid_mxm_full_store(const grid_mxm_job &J, uint64_t start, uint32_t c,
                                 const typename O::z_t *sum) {
#pragma unroll
  for (unsigned w = 0; w < V; w++)
    if (c + 32 * w < J.n)
      J.c_idx[start + c + 32 * w] = c + 32 * w, ((typename O::z_t *)J.c)[start + c + 32 * w] = sum[w];
}

// ---- a row of a block ----------------------------------------------------------------------------------

// sum[v] = the products in column c + 32 v of each 32 entries of A from `from` on, the next ones `step` on,
// of which this lane's group takes each groups-th. The warp calls, and reads the indices of the next 32
// entries before it uses these.
template <class O, int V>
GRID_FN void grid_mxm_full_sums(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                uint64_t from, uint64_t to, uint64_t step, unsigned width, uint32_t c,
                                typename O::z_t *sum) {
  enum { LOADS = GRID_MXM_FULL_LOADS / (V > 1 ? 2 : 1) };
  const unsigned lane = threadIdx.x & 31, groups = 32 / width, group = lane / width;
  bool first = true;
  uint32_t next = from + lane < to ? J.a_idx[from + lane] : 0;
  for (uint64_t e = from; e < to; e += step) {
    const uint32_t k = next, count = to - e < 32 ? (uint32_t)(to - e) : 32;
    if (e + step + lane < to) next = J.a_idx[e + step + lane];
    for (unsigned s = 0; s < count; s += LOADS * groups) {
      typename O::z_t v[LOADS][V];
#pragma unroll
      for (unsigned u = 0; u < LOADS; u++) {
        const unsigned i = min(s + u * groups + group, count - 1);
        grid_mxm_full_load<O, V>(J, a1, b1, (uint32_t)e + i, __shfl_sync(~0u, k, i), c, v[u]);
      }
#pragma unroll
      for (unsigned u = 0; u < LOADS; u++) {
        if (s + u * groups + group >= count) continue;
#pragma unroll
        for (unsigned w = 0; w < V; w++) grid_mxm_full_add<O>(v[u][w], first, &sum[w]);
        first = false;
      }
    }
  }
}

// Columns first .. first + 32 V - 1 of row r. part: a value for each thread.
template <class O, int V>
GRID_FN void grid_mxm_full_columns(const grid_mxm_job &J, const typename O::a_t &a1,
                                   const typename O::x_t &b1, uint32_t r, uint32_t first, unsigned width,
                                   typename O::z_t *part) {
  const uint64_t from = J.a_ptr[r], to = J.a_ptr[r + 1];
  const unsigned t = threadIdx.x, group = t / width, per_warp = 32 / width;
  const uint32_t c = first + t % width;
  typename O::z_t sum[V];
  for (unsigned w = 0; w < V; w++) sum[w] = typename O::z_t();
  grid_mxm_full_sums<O, V>(J, a1, b1, from + t / 32 * 32, to, GRID_MXM_THREADS, width, c, sum);
#pragma unroll
  for (unsigned w = 0; w < V; w++)
    for (unsigned half = GRID_MXM_THREADS / width / 2; half; half /= 2) {
      // a group has a sum if its first entry is there
      const unsigned other = group + half;
      part[t] = sum[w];
      __syncthreads();
      if constexpr (!O::any)
        if (group < half && from + other / per_warp * 32 + other % per_warp < to)
          sum[w] = O::add(sum[w], part[t + half * width]);
      __syncthreads();
    }
  if (group == 0) grid_mxm_full_store<O, V>(J, J.c_start[r], c, sum);
}

template <class O>
GRID_FN void grid_mxm_full_by_block(const grid_mxm_job &J, const typename O::a_t &a1,
                                    const typename O::x_t &b1) {
  enum { V = GRID_MXM_FULL_WIDE };
  extern __shared__ __align__(16) char grid_mxm_shared[];
  typename O::z_t *part = (typename O::z_t *)grid_mxm_shared;
  const unsigned width = grid_mxm_full_width(J);
  for (uint32_t r; (r = grid_mxm_next(J)) != 0xffffffffu;) {
    uint64_t first = 0;
    for (; first + 32 < J.n; first += 32 * V)
      grid_mxm_full_columns<O, V>(J, a1, b1, r, (uint32_t)first, width, part);
    for (; first < J.n; first += 32) grid_mxm_full_columns<O, 1>(J, a1, b1, r, (uint32_t)first, width, part);
  }
}

// ---- rows of groups ------------------------------------------------------------------------------------

// The products of A's entries from .. to - 1 in column c: the whole of a short row, by one lane.
template <class O>
GRID_FN void grid_mxm_full_lane(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                uint32_t from, uint32_t to, uint32_t c, typename O::z_t *sum) {
  enum { LOADS = GRID_MXM_FULL_LOADS / 2 };
  for (uint32_t e = from; e < to; e += LOADS) {
    typename O::z_t v[LOADS];
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) {
      const uint32_t a = min(e + u, to - 1);
      grid_mxm_full_load<O, 1>(J, a1, b1, a, J.a_idx[a], c, &v[u]);
    }
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++)
      if (e + u < to) grid_mxm_full_add<O>(v[u], e == from && u == 0, sum);
  }
}

// A group's window of A's indices: `at` .. at + width - 1 in its lanes' `now`, the next ones in `next`.
struct grid_mxm_full_window {
  uint32_t now, next;
  uint64_t at, end;
};

GRID_FN uint32_t grid_mxm_full_index(const grid_mxm_job &J, const grid_mxm_full_window &x, uint64_t e) {
  return e < x.end ? J.a_idx[e] : 0;
}

// sum[w] = the products of A's entries from .. to - 1 in column c + 32 w. A group of `width` lanes calls.
template <class O, int V>
GRID_FN void grid_mxm_full_group(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                 uint64_t from, uint64_t to, unsigned width, unsigned group_mask, uint32_t c,
                                 grid_mxm_full_window *x, typename O::z_t *sum) {
  enum { LOADS = GRID_MXM_FULL_LOADS / (V > 1 ? 2 : 1) };
  const unsigned lane = threadIdx.x % width;
  for (uint64_t e = from; e < to;) {
    const uint64_t window = x->at + width;
    const uint32_t count = (uint32_t)((to < window ? to : window) - e);
    for (uint32_t s = 0; s < count; s += LOADS) {
      typename O::z_t v[LOADS][V];
#pragma unroll
      for (unsigned u = 0; u < LOADS; u++) {
        const uint32_t i = min(s + u, count - 1),
                       k = __shfl_sync(group_mask, x->now, (int)(e - x->at + i), (int)width);
        grid_mxm_full_load<O, V>(J, a1, b1, (uint32_t)e + i, k, c, v[u]);
      }
#pragma unroll
      for (unsigned u = 0; u < LOADS; u++) {
        if (s + u >= count) continue;
#pragma unroll
        for (unsigned w = 0; w < V; w++) grid_mxm_full_add<O>(v[u][w], e == from && s + u == 0, &sum[w]);
      }
    }
    e += count;
    if (e < window) continue;
    x->at = window, x->now = x->next;
    x->next = grid_mxm_full_index(J, *x, window + width + lane);
  }
}

// Columns c + 32 w of rows first .. first + rows - 1. A group calls.
template <class O, int V>
GRID_FN void grid_mxm_full_rows(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                uint64_t first, unsigned rows, unsigned width, uint32_t c) {
  const unsigned lane = threadIdx.x % width, group = threadIdx.x % 32 / width,
                 group_mask = width == 32 ? ~0u : ((1u << width) - 1) << (group * width);
  const uint64_t r = first + (lane < rows ? lane : rows - 1);
  const uint32_t row_end = J.a_ptr[r + 1], row_start = J.c_start[r];
  grid_mxm_full_window x = {0, 0, J.a_ptr[first], 0};
  uint64_t from = x.at;
  x.end = __shfl_sync(group_mask, row_end, (int)rows - 1, (int)width);
  x.now = grid_mxm_full_index(J, x, x.at + lane);
  x.next = grid_mxm_full_index(J, x, x.at + width + lane);
  for (unsigned k = 0; k < rows; k++) {
    const uint64_t to = __shfl_sync(group_mask, row_end, (int)k, (int)width),
                   start = __shfl_sync(group_mask, row_start, (int)k, (int)width);
    if (to - from >= J.long_row) {  // a block's
      x.at = to;
      x.now = grid_mxm_full_index(J, x, x.at + lane);
      x.next = grid_mxm_full_index(J, x, x.at + width + lane);
    } else if (to > from) {
      typename O::z_t sum[V];
      for (unsigned w = 0; w < V; w++) sum[w] = typename O::z_t();
      grid_mxm_full_group<O, V>(J, a1, b1, from, to, width, group_mask, c, &x, sum);
      grid_mxm_full_store<O, V>(J, start, c, sum);
    }
    from = to;
  }
}

template <class O>
GRID_FN void grid_mxm_full_by_warp(const grid_mxm_job &J, const typename O::a_t &a1,
                                   const typename O::x_t &b1) {
  enum { V = GRID_MXM_FULL_WIDE };
  const unsigned width = grid_mxm_full_width(J), c = threadIdx.x % width,
                 together = width <= GRID_MXM_FULL_NARROW ? 1 : GRID_MXM_FULL_ROWS;
  const uint64_t threads = gridDim.x * (uint64_t)blockDim.x;
  for (uint64_t k = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / width * together; k < J.a_rows;
       k += threads / width * together) {
    if (together == 1) {
      const uint32_t from = J.a_ptr[k], to = J.a_ptr[k + 1];
      typename O::z_t sum = typename O::z_t();
      if (from == to || to - from >= J.long_row || c >= J.n) continue;
      grid_mxm_full_lane<O>(J, a1, b1, from, to, c, &sum);
      grid_mxm_full_store<O, 1>(J, J.c_start[k], c, &sum);
    } else {
      const unsigned rows = J.a_rows - k < together ? (unsigned)(J.a_rows - k) : together;
      uint64_t first = 0;
      for (; first + 32 < J.n; first += 32 * V)
        grid_mxm_full_rows<O, V>(J, a1, b1, k, rows, width, (uint32_t)first + c);
      for (; first < J.n; first += 32)
        grid_mxm_full_rows<O, 1>(J, a1, b1, k, rows, width, (uint32_t)first + c);
    }
  }
}
#endif
