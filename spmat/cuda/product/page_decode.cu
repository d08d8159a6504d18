// Pages of a matrix that does not fit the device are decoded to arrays of a local matrix
// (spmat/convert/lmat_pages.h, page_code.h), and those that a product needs are counted.
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/convert/page_code.h"
#include "spmat/cuda/product/page_decode.h"
}

namespace {

enum {
  THREADS = 256,
  WARPS = THREADS / 32,
  ENTRIES_PER_LANE = GRID_PAGE_TILE / 32
};  // entries of a tile a thread

// Bits of nonempty vectors, and of the entries with which they begin, after `skip` others; the list of these
// vectors, numbers[k] of which precede the k-th group of 32.
__global__ void mark_vectors(const uint32_t *offset, uint64_t n, const uint32_t *numbers, uint32_t *nonempty,
                             uint64_t skip, uint32_t *begins, uint32_t *vector) {
  const uint64_t whole = grid_words(n) * 64;
  GRID_FOR(v, whole) {  // whole warps
    const uint32_t at = v < n ? offset[v] : 0;
    const bool any = v < n && offset[v + 1] > at;
    const uint32_t word = __ballot_sync(~0u, any);
    if ((threadIdx.x & 31) == 0) nonempty[v / 32] = word;
    if (!any) continue;
    const uint64_t bit = skip + at;
    atomicOr(begins + bit / 32, 1u << (bit & 31));
    if (vector) vector[numbers[v / 32] + __popc(word & ((1u << (threadIdx.x & 31)) - 1))] = (uint32_t)v;
  }
}

__global__ void find_hub_neighbors(const uint32_t *offset, uint64_t n, const uint32_t *idx,
                                   uint32_t *hub_neighbor) {
  GRID_FOR(v, n) {
    const uint32_t at = offset[v];
    hub_neighbor[v] = offset[v + 1] > at ? idx[at] : 0;
  }
}

__device__ uint32_t scan(uint32_t sum) {
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, sum, d);
    if ((int)(threadIdx.x & 31) >= d) sum += below;
  }
  return sum;
}

// A warp's tile while it is decoded: first its codes, then its columns. One word in 33 is unused, so that
// threads that write 32 words each do not conflict in a bank.
union tile_workspace {
  uint64_t code[(GRID_PAGE_TILE / 4 + 4 * GRID_PAGE_TILE) / 8 + 2];
  uint32_t column[33 * 32];
};

// The four bytes at byte `at`.
__device__ uint32_t unaligned(const uint32_t *words, uint32_t at) {
  return __funnelshift_r(words[at / 4], words[at / 4 + 1], 8 * (at & 3));
}

// How many of a tile's n entries are this thread's; and how long their distances are: 32 fields of two bits,
// of which those after the last are 0.
struct lane_entries {
  uint32_t n;
  uint64_t how;
};

__device__ lane_entries entries_of_lane(const uint64_t *controls, uint32_t n) {
  const uint32_t lane = threadIdx.x & 31,
                 lane_length = n > ENTRIES_PER_LANE * lane
                                   ? min(n - ENTRIES_PER_LANE * lane, (uint32_t)ENTRIES_PER_LANE)
                                   : 0;
  uint64_t how = lane_length ? controls[lane] : 0;
  if (lane_length && lane_length < ENTRIES_PER_LANE) how &= ((uint64_t)1 << 2 * lane_length) - 1;
  return {lane_length, how};
}

// Bytes of a thread's distances.
__device__ uint32_t distance_bytes(const lane_entries &x) {
  return x.n + __popcll(x.how & 0x5555555555555555ull) + 2 * __popcll(x.how & 0xaaaaaaaaaaaaaaaaull);
}

// This thread's distances, from byte `at` on; after the last entry they are undefined.
__device__ void read_distances(const tile_workspace &buffer, uint32_t at, const lane_entries &x,
                               uint32_t d[ENTRIES_PER_LANE]) {
  uint64_t how = x.how;
#pragma unroll
  for (int j = 0; j < ENTRIES_PER_LANE; j++) {
    const uint32_t more = how & 3;
    how >>= 2;
    d[j] = 0;
    if (j >= (int)x.n) continue;
    d[j] = unaligned((const uint32_t *)buffer.code, at) & (~0u >> (24 - 8 * more));
    at += more + 1;
  }
}

// Distances become columns: sums that restart at each vector's first entry and at the tile's first entry.
__device__ void sum_distances(uint32_t begins, uint32_t d[ENTRIES_PER_LANE]) {
  const int lane = (int)(threadIdx.x & 31);
  if (lane == 0) begins |= 1;
  uint32_t sum = 0;
#pragma unroll
  for (int j = 0; j < ENTRIES_PER_LANE; j++) {
    sum = begins >> j & 1 ? d[j] : sum + d[j];
    d[j] = sum;
  }
  // the open sum at this thread's end, beginning at the thread where its vector begins
  const uint32_t any = __ballot_sync(~0u, begins != 0) & (~0u >> (31 - lane));
  const int from = 31 - __clz(any);
  uint32_t open = sum;
  for (int s = 1; s < 32; s *= 2) {
    const uint32_t other = __shfl_up_sync(~0u, open, s);
    if (lane - s >= from) open += other;
  }
  const uint32_t before = __shfl_up_sync(~0u, open, 1);
  const int before_first =
      begins ? __ffs(begins) - 1 : ENTRIES_PER_LANE;  // entries of a vector that began before
  if (lane == 0) return;
#pragma unroll
  for (int j = 0; j < ENTRIES_PER_LANE; j++)
    if (j < before_first) d[j] += before;
}

__device__ void store_columns(tile_workspace &buffer, const uint32_t d[ENTRIES_PER_LANE]) {
#pragma unroll
  for (int j = 0; j < ENTRIES_PER_LANE; j++) buffer.column[33 * (threadIdx.x & 31) + j] = d[j];
  __syncwarp();
}

__device__ uint32_t column_at(const tile_workspace &buffer, uint32_t e) {
  return buffer.column[e / 32 * 33 + (e & 31)];
}

__global__ void __launch_bounds__(THREADS) decode(const char *codes, const uint32_t *start,
                                                  const uint32_t *begins, uint64_t entries, uint32_t *idx) {
  __shared__ tile_workspace buffers[WARPS];
  tile_workspace &buffer = buffers[threadIdx.x / 32];
  const uint64_t balanced_tiles = (entries + GRID_PAGE_TILE - 1) / GRID_PAGE_TILE,
                 warps = gridDim.x * (uint64_t)WARPS;
  const uint32_t lane = threadIdx.x & 31;
  for (uint64_t s = blockIdx.x * (uint64_t)WARPS + threadIdx.x / 32; s < balanced_tiles; s += warps) {
    const uint64_t left = entries - s * GRID_PAGE_TILE;
    const uint32_t n = left < GRID_PAGE_TILE ? (uint32_t)left : GRID_PAGE_TILE,
                   words = (start[s + 1] - start[s]) / 8;
    const uint64_t *from = (const uint64_t *)(codes + start[s]);
    uint32_t d[ENTRIES_PER_LANE];
    for (uint32_t w = lane; w < words; w += 32) buffer.code[w] = from[w];
    __syncwarp();
    const lane_entries x = entries_of_lane(buffer.code, n);
    const uint32_t bytes = distance_bytes(x);
    read_distances(buffer, (n + 3) / 4 + scan(bytes) - bytes, x, d);
    sum_distances(begins[s * 32 + lane], d);
    __syncwarp();
    store_columns(buffer, d);
    for (uint32_t e = lane; e < n; e += 32) idx[s * GRID_PAGE_TILE + e] = column_at(buffer, e);
    __syncwarp();
  }
}

unsigned blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, (unsigned)grid_cuda_multiprocessors() * 8);
}

// ---- decoding pages of a file ----------------------------------------------------------------------------

// A page is decoded by one warp, tile by tile. Pages are short, so blocks are, too: all multiprocessors get
// some.
enum { CODED_WARPS = 2 };

// The 32 bits from number `at` on.
__device__ uint32_t bits_at(const uint32_t *bits, uint64_t at) {
  return __funnelshift_r(bits[at / 32], bits[at / 32 + 1], (unsigned)at & 31);
}

// Copies the distances, `bytes` from byte `at` of a page on, in whole words; returns where they begin.
__device__ uint32_t load_distances(tile_workspace &buffer, const char *page, uint64_t at, uint32_t bytes) {
  const uint64_t *from = (const uint64_t *)page + at / 8;
  const uint32_t before = (uint32_t)at & 7;
  for (uint32_t w = threadIdx.x & 31; w < (before + bytes + 7) / 8; w += 32) buffer.code[w] = from[w];
  __syncwarp();
  return before;
}

// Do this thread's columns ascend in their rows, below ncols? `before` is the column before the tile. Those
// of ncols or more become 0. Only the entries from .. to matter.
__device__ bool check_columns(uint32_t begins, uint32_t before, uint64_t ncols, int from, int to,
                              uint32_t d[ENTRIES_PER_LANE]) {
  const uint32_t left = __shfl_up_sync(~0u, d[ENTRIES_PER_LANE - 1], 1);
  uint32_t last = (threadIdx.x & 31) ? left : before;
  bool good = true;
#pragma unroll
  for (int j = 0; j < ENTRIES_PER_LANE; j++) {
    const bool ascends = begins >> j & 1 || d[j] > last, below = d[j] < ncols;
    last = d[j];
    if (j < from || j >= to) continue;
    good = good && ascends && below;
    if (!below) d[j] = 0;
  }
  return good;
}

// The position in the thread's entries of entry e of all, whose first is number `at`.
__device__ int place_in_lane(uint64_t e, uint64_t at) {
  return e <= at ? 0 : e - at < ENTRIES_PER_LANE ? (int)(e - at) : ENTRIES_PER_LANE;
}

// Decodes a page: its entries are number `first` of all and n - 1 more. False, for some thread: it is
// damaged.
__device__ bool decode_page(tile_workspace &buffer, const grid_device_coded_rows &p, const char *page,
                            uint64_t first, uint64_t n) {
  const uint32_t lane = threadIdx.x & 31;
  const uint64_t end = p.skip + p.entries;
  uint64_t at = (n + 3) / 4;  // of the tile's distances
  uint32_t before = 0;
  bool good = true;
  for (uint64_t e = 0; e < n; e += GRID_PAGE_TILE) {
    const uint32_t in_tile = n - e < GRID_PAGE_TILE ? (uint32_t)(n - e) : GRID_PAGE_TILE;
    const uint64_t lane_first = first + e + ENTRIES_PER_LANE * lane;
    uint32_t d[ENTRIES_PER_LANE];
    const lane_entries x = entries_of_lane((const uint64_t *)page + e / 32, in_tile);
    const uint32_t bytes = distance_bytes(x), upto = scan(bytes), all = __shfl_sync(~0u, upto, 31);
    read_distances(buffer, load_distances(buffer, page, at, all) + upto - bytes, x, d);
    uint32_t begins = x.n ? bits_at(p.row_start, lane_first) : 0;
    if (lane == 0 && e == 0) begins |= 1;
    if (lane == 0 && !(begins & 1)) d[0] += before;
    sum_distances(begins, d);
    const uint32_t last = __shfl_sync(~0u, d[ENTRIES_PER_LANE - 1], 31);
    const int to = place_in_lane(end, lane_first);
    good = check_columns(begins, before, p.cols, place_in_lane(p.skip, lane_first), min(to, (int)x.n), d) &&
           good;
    before = last;
    at += all;
    __syncwarp();
    store_columns(buffer, d);
    for (uint32_t j = lane; j < in_tile; j += 32) {
      const uint64_t k = first + e + j;
      if (k >= p.skip && k < end) p.rows.idx[k - p.skip] = column_at(buffer, j);
    }
    __syncwarp();
  }
  return good;
}

__global__ void __launch_bounds__(32 * CODED_WARPS) decode_coded(grid_device_coded_rows p) {
  __shared__ tile_workspace buffers[CODED_WARPS];
  const uint64_t warps = gridDim.x * (uint64_t)CODED_WARPS;
  for (uint64_t s = blockIdx.x * (uint64_t)CODED_WARPS + threadIdx.x / 32; s < p.pages; s += warps) {
    const uint64_t first = p.page[s].entry;
    const bool good =
        decode_page(buffers[threadIdx.x / 32], p, p.codes + p.page[s].at, first, p.page[s + 1].entry - first);
    if (!good) atomicMin((unsigned long long *)p.damaged, (unsigned long long)(p.number + s));
  }
}

// ---- selection of pages -----------------------------------------------------------------------------------

__global__ void count_page_edges(uint32_t *count, const uint64_t *bits, bool complement, const uint64_t *any,
                                 const uint32_t *bounds) {
  const uint64_t from = bounds[2 * blockIdx.x], words = bounds[2 * blockIdx.x + 1];
  uint32_t thread_count = 0;
  for (uint64_t w = from + threadIdx.x; w < from + words; w += blockDim.x)
    thread_count += __popcll((complement ? ~bits[w] : bits[w]) & any[w]);
  for (int d = 16; d > 0; d /= 2) thread_count += __shfl_down_sync(~0u, thread_count, d);
  if ((threadIdx.x & 31) == 0 && thread_count) atomicAdd(count + blockIdx.x, thread_count);
}

}  // namespace

extern "C" GrB_Info grid_cuda_page_decode(const grid_device_page *p) {
  const grid_compressed *r = &p->page_rows;
  const uint64_t balanced_tiles = (p->entries + GRID_PAGE_TILE - 1) / GRID_PAGE_TILE;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_device_zero(p->row_start, balanced_tiles * GRID_PAGE_TILE / 8));
  mark_vectors<<<blocks_for(p->rows), THREADS, 0, stream>>>(
      r->ptr, p->rows, (const uint32_t *)(p->bytes + p->at.numbers), (uint32_t *)r->nonempty, 0, p->row_start,
      p->vector);
  decode<<<grid_cuda_blocks(balanced_tiles, WARPS, UINT_MAX), THREADS, 0, stream>>>(
      p->bytes + p->at.codes, (const uint32_t *)(p->bytes + p->at.balanced_tiles), p->row_start, p->entries,
      r->idx);
  if (r->hub_neighbor)
    find_hub_neighbors<<<blocks_for(p->rows), THREADS, 0, stream>>>(r->ptr, p->rows, r->idx, r->hub_neighbor);
  TRY(grid_cuda_check_launch("decoding a page"));
done:
  return info;
}

extern "C" GrB_Info grid_cuda_coded_rows_decode(const grid_device_coded_rows *p) {
  const grid_compressed *r = &p->rows;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_device_zero(p->row_start, (grid_words(p->all) + 1) * sizeof(uint64_t)));
  mark_vectors<<<blocks_for(p->n), THREADS, 0, stream>>>(r->ptr, p->n, NULL, (uint32_t *)r->nonempty, p->skip,
                                                         p->row_start, NULL);
  decode_coded<<<grid_cuda_blocks(p->pages, CODED_WARPS, UINT_MAX), 32 * CODED_WARPS, 0, stream>>>(*p);
  if (r->hub_neighbor)
    find_hub_neighbors<<<blocks_for(p->n), THREADS, 0, stream>>>(r->ptr, p->n, r->idx, r->hub_neighbor);
  TRY(grid_cuda_check_launch("decoding pages of a file"));
done:
  return info;
}

extern "C" GrB_Info grid_cuda_page_edges_count(uint32_t *count, const uint64_t *bits, bool complement,
                                               const uint64_t *any, const uint32_t *bounds, uint64_t n) {
  uint32_t *device_count = (uint32_t *)grid_device_malloc(n, sizeof *device_count);
  GrB_Info info =
      device_count ? GrB_SUCCESS : grid_device_fail_memory(NULL, "needed pages", n, sizeof *device_count);
  TRY(info);
  TRY(grid_device_zero(device_count, n * sizeof *device_count));
  count_page_edges<<<(unsigned)n, THREADS, 0, grid_cuda_stream()>>>(device_count, bits, complement, any,
                                                                    bounds);
  TRY(grid_cuda_check_launch("counting what pages meet"));
  TRY(grid_device_get(count, device_count, n * sizeof *device_count));
done:
  grid_device_free(device_count);
  return info;
}
