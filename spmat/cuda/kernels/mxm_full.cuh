// Products by a B that has all of its entries, such as a block of dense vectors. Row k of B begins at k * n,
// so neither its offsets nor its columns are read, and each row of A that has entries makes a full row of C.
//
// A lane adds up V adjacent columns of a row in registers: four, which it reads and writes together, where
// C has a multiple of four, else one. A warp's lanes are in groups of `width`, as many as have columns. Long
// rows are computed by teams, the longest by blocks, others by warps: each group takes some of the entries,
// and their sums are combined in order, so the result is the same in each run. Of other rows each group takes
// its own, in the matrix's order: several that follow each other where it reads their indices together.
#ifndef GRID_MXM_FULL_CUH
#define GRID_MXM_FULL_CUH
#include "mxm.cuh"

enum {
  GRID_MXM_FULL_LOADS = 8,    // loads of B in flight
  GRID_MXM_FULL_LEAST = 16,   // a lane takes several columns of at least so many
  GRID_MXM_FULL_ROWS = 4,     // rows of a group that follow each other
  GRID_MXM_FULL_LONG = 4096,  // rows of so many entries are a block's;
  GRID_MXM_FULL_WARP = 1024,  // of so many, where an entry's columns take a warp
};

// Does a lane take V columns?
template <int V>
GRID_FN bool grid_mxm_full_is_wide(const grid_mxm_job &J) {
  return V > 1 && J.n % V == 0 && J.n >= GRID_MXM_FULL_LEAST;
}

// Lanes for a row's columns: a power of two.
template <int V>
GRID_FN unsigned grid_mxm_full_width(const grid_mxm_job &J) {
  const uint64_t lanes = grid_mxm_full_is_wide<V>(J) ? J.n / V : J.n;
  unsigned width = 32;
  while (width / 2 >= lanes) width /= 2;
  return width;
}

// Values that are read or written together.
constexpr size_t grid_mxm_full_alignment(size_t bytes) {
  return (bytes & -bytes) < 16 ? bytes & -bytes : 16;
}
template <class T, int V>
struct alignas(grid_mxm_full_alignment(V * sizeof(T))) grid_mxm_full_values {
  T of[V];
};

// *sum += v; first: *sum has none yet.
template <class O>
GRID_FN void grid_mxm_full_add(const typename O::z_t &v, bool first, typename O::z_t *sum) {
  if constexpr (O::any)
    *sum = v;
  else
    *sum = first ? v : O::add(*sum, v);
}

// v[w] = the product of A's entry a and B's entry in row k, column c + w. Entries and columns are numbers of
// existing ones, if need be repeated: loads without conditions are in flight together.
template <class O, int V>
GRID_FN void grid_mxm_full_load(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                uint32_t a, uint32_t k, uint32_t c, typename O::z_t *v) {
  typedef grid_mxm_multiplier<O, O::structural, O::positional> multiplier;
  typedef grid_mxm_full_values<typename O::x_t, V> values;
  const uint32_t n = (uint32_t)J.n, b = k * n + min(c, n - V);
  values y;
#pragma unroll
  for (unsigned w = 0; w < V; w++) y.of[w] = b1;
  if constexpr (multiplier::READS_B)
    if (J.b) y = *(const values *)((const typename O::x_t *)J.b + b);
#pragma unroll
  for (unsigned w = 0; w < V; w++) v[w] = multiplier::by(J, a1, a, y.of[w]);
}

// Row r of C, columns c + w.
template <class O, int V>
GRID_FN void grid_mxm_full_store(const grid_mxm_job &J, uint64_t start, uint32_t c,
                                 const typename O::z_t *sum) {
  grid_mxm_full_values<uint32_t, V> columns;
  grid_mxm_full_values<typename O::z_t, V> values;
  if (c >= J.n) return;
#pragma unroll
  for (unsigned w = 0; w < V; w++) columns.of[w] = c + w, values.of[w] = sum[w];
  *(grid_mxm_full_values<uint32_t, V> *)(J.c_idx + start + c) = columns;
  *(grid_mxm_full_values<typename O::z_t, V> *)((typename O::z_t *)J.c + start + c) = values;
}

// ---- a row of a team -----------------------------------------------------------------------------------

// sum[w] = the products in column c + w of A's entries from, from + step and so on before `to`. The indices
// of the next entries are read before these are used.
template <class O, int V>
GRID_FN void grid_mxm_full_sums(const grid_mxm_job &J, const typename O::a_t &a1, const typename O::x_t &b1,
                                uint64_t from, uint64_t to, uint32_t step, uint32_t c, typename O::z_t *sum) {
  enum { LOADS = GRID_MXM_FULL_LOADS / (V > 1 ? 2 : 1) };
  uint32_t k[LOADS];
  bool first = true;
  if (from >= to) return;
#pragma unroll
  for (unsigned u = 0; u < LOADS; u++) k[u] = J.a_idx[min(from + u * step, to - 1)];
  for (uint64_t e = from; e < to; e += LOADS * step) {
    typename O::z_t v[LOADS][V];
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) {
      grid_mxm_full_load<O, V>(J, a1, b1, (uint32_t)min(e + u * step, to - 1), k[u], c, v[u]);
      k[u] = J.a_idx[min(e + (LOADS + u) * step, to - 1)];
    }
#pragma unroll
    for (unsigned u = 0; u < LOADS; u++) {
      if (e + u * step >= to) continue;
#pragma unroll
      for (unsigned w = 0; w < V; w++) grid_mxm_full_add<O>(v[u][w], first, &sum[w]);
      first = false;
    }
  }
}

// Columns first .. first + V * width - 1 of row r, by a team of THREADS. part: V values for each of its
// threads.
template <class O, int V, int THREADS>
GRID_FN void grid_mxm_full_columns(const grid_mxm_job &J, const typename O::a_t &a1,
                                   const typename O::x_t &b1, uint32_t r, uint32_t first, unsigned width,
                                   typename O::z_t *part) {
  const uint64_t from = J.a_ptr[r], to = J.a_ptr[r + 1];
  const unsigned t = threadIdx.x % THREADS, group = t / width, groups = THREADS / width;
  const uint32_t c = first + t % width * V;
  typename O::z_t sum[V];
  for (unsigned w = 0; w < V; w++) sum[w] = typename O::z_t();
  grid_mxm_full_sums<O, V>(J, a1, b1, from + group, to, groups, c, sum);
  for (unsigned half = groups / 2; half; half /= 2) {
#pragma unroll
    for (unsigned w = 0; w < V; w++) part[w * THREADS + t] = sum[w];
    grid_mxm_team_sync<THREADS>();
    if constexpr (!O::any)
      if (group < half && from + group + half < to)
#pragma unroll
        for (unsigned w = 0; w < V; w++) sum[w] = O::add(sum[w], part[w * THREADS + t + half * width]);
    grid_mxm_team_sync<THREADS>();
  }
  if (group == 0) grid_mxm_full_store<O, V>(J, J.c_start[r], c, sum);
}

template <class O, int THREADS>
GRID_FN void grid_mxm_full_by_team(const grid_mxm_job &J, const typename O::a_t &a1,
                                   const typename O::x_t &b1, uint32_t r, typename O::z_t *part) {
  constexpr int V = grid_mxm_full_adjacent(sizeof *part);
  const unsigned width = grid_mxm_full_width<V>(J);
  if (grid_mxm_full_is_wide<V>(J))
    for (uint32_t first = 0; first < J.n; first += 32 * V)
      grid_mxm_full_columns<O, V, THREADS>(J, a1, b1, r, first, width, part);
  else
    for (uint32_t first = 0; first < J.n; first += 32)
      grid_mxm_full_columns<O, 1, THREADS>(J, a1, b1, r, first, width, part);
}

// The rows of J's list, the longest first: these by blocks, the others by warps.
template <class O>
GRID_FN void grid_mxm_full_by_block(const grid_mxm_job &J, const typename O::a_t &a1,
                                    const typename O::x_t &b1) {
  extern __shared__ __align__(16) char grid_mxm_shared[];
  typename O::z_t *part = (typename O::z_t *)grid_mxm_shared;
  constexpr int V = grid_mxm_full_adjacent(sizeof *part);
  const unsigned lane = threadIdx.x % 32,
                 least = grid_mxm_full_width<V>(J) == 32 ? GRID_MXM_FULL_WARP : GRID_MXM_FULL_LONG;
  uint32_t r;
  while ((r = grid_mxm_next(J)) != 0xffffffffu && J.a_ptr[r + 1] - J.a_ptr[r] >= least)
    grid_mxm_full_by_team<O, GRID_MXM_THREADS>(J, a1, b1, r, part);
  part += (threadIdx.x - lane) * V;
  if (threadIdx.x >= 32) r = 0xffffffffu;  // the first warp's
  for (bool more = true; more;) {
    if (r != 0xffffffffu) grid_mxm_full_by_team<O, 32>(J, a1, b1, r, part);
    uint32_t k = 0;
    if (lane == 0) k = atomicAdd(J.next, 1u);
    k = __shfl_sync(~0u, k, 0);
    more = k < J.rows;
    if (more) r = J.list[k];
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

// sum[w] = the products of A's entries from .. to - 1 in column c + w. A group of `width` lanes calls.
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

// Columns c + w of rows first .. first + rows - 1. A group calls.
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
  constexpr int V = grid_mxm_full_adjacent(sizeof(typename O::z_t));
  const bool wide = grid_mxm_full_is_wide<V>(J);
  const unsigned width = grid_mxm_full_width<V>(J), c = threadIdx.x % width,
                 together = J.n <= GRID_MXM_FULL_NARROW ? 1 : GRID_MXM_FULL_ROWS;
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
      for (uint32_t first = 0; first < J.n; first += wide ? 32 * V : 32)
        if (wide)
          grid_mxm_full_rows<O, V>(J, a1, b1, k, rows, width, first + c * V);
        else
          grid_mxm_full_rows<O, 1>(J, a1, b1, k, rows, width, first + c);
    }
  }
}
#endif
