// Pages of a matrix that does not fit the device (spmat/convert/part_pages.h): copies beside the other work,
// and codes that become a part's arrays.
#include <stdlib.h>
#include <sys/mman.h>

#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/convert/page_code.h"
#include "spmat/convert/part_pages.h"
}

namespace {

enum { THREADS = 256, WARPS = THREADS / 32, EACH = GRID_PAGE_STRIP / 32 };  // entries of a strip a thread

// ---- copies ----------------------------------------------------------------------------------------------

struct {
  cudaStream_t stream, other;  // for pages; for what the CPU is given and gives. NULL: not open yet
  cudaEvent_t begun, brought, sent[GRID_PAGE_SLOTS], used[GRID_PAGE_SLOTS];
  cudaEvent_t page[GRID_PAGES_AHEAD];  // page k's work is done: k modulo their number
  uint64_t asked, done;
} way;

void drop_event(cudaEvent_t *e) {
  if (*e) cudaEventDestroy(*e);
  *e = NULL;
}

// Also what was opened in part.
void close_way() {
  drop_event(&way.begun);
  drop_event(&way.brought);
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) {
    drop_event(&way.sent[s]);
    drop_event(&way.used[s]);
  }
  for (int k = 0; k < GRID_PAGES_AHEAD; k++) drop_event(&way.page[k]);
  if (way.other) cudaStreamDestroy(way.other);
  if (way.stream) cudaStreamDestroy(way.stream);
  way.stream = way.other = NULL;
}

GrB_Info make_event(cudaEvent_t *e) {
  return grid_cuda_check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "making an event");
}

GrB_Info open_way() {
  GrB_Info info = GrB_SUCCESS;
  if (way.stream) return info;
  TRY(make_event(&way.begun));
  TRY(make_event(&way.brought));
  for (int k = 0; k < GRID_PAGES_AHEAD; k++) TRY(make_event(&way.page[k]));
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) {
    TRY(make_event(&way.sent[s]));
    TRY(make_event(&way.used[s]));
  }
  TRY(grid_cuda_check(cudaStreamCreateWithFlags(&way.other, cudaStreamNonBlocking), "making a stream"));
  TRY(grid_cuda_check(cudaStreamCreateWithFlags(&way.stream, cudaStreamNonBlocking), "making a stream"));
  grid_cuda_at_close(close_way);
done:
  if (info != GrB_SUCCESS) close_way();
  return info;
}

GrB_Info after(cudaStream_t stream, cudaEvent_t e) {
  return grid_cuda_check(cudaStreamWaitEvent(stream, e, 0), "sending a page");
}
GrB_Info mark(cudaEvent_t e, cudaStream_t stream) {
  return grid_cuda_check(cudaEventRecord(e, stream), "sending a page");
}

// What the CPU looks into in all places at once lies in pages of 2 MiB, if the system has any: found by fewer
// tables.
enum { WIDE = 2 << 20 };

// Vectors, say; NULL: not so.
void *lock_wide(uint64_t bytes) {
  const uint64_t whole = (bytes + WIDE - 1) / WIDE * WIDE;
  void *p = aligned_alloc(WIDE, whole);
  if (!p) return NULL;
  madvise(p, whole, MADV_HUGEPAGE);
  if (cudaHostRegister(p, whole, cudaHostRegisterDefault) == cudaSuccess) return p;
  (void)cudaGetLastError();
  free(p);
  return NULL;
}

void *lock(uint64_t bytes) {
  enum { MOST = 1024 };  // wide pages: a matrix is read in order
  void *p = bytes >= WIDE && bytes <= (uint64_t)MOST * WIDE ? lock_wide(bytes) : NULL;
  if (p || cudaHostAlloc(&p, bytes ? bytes : 1, cudaHostAllocDefault) == cudaSuccess) return p;
  (void)cudaGetLastError();
  return NULL;
}

void unlock(void *p) {
  if (cudaHostUnregister(p) == cudaSuccess) {
    free(p);
    return;
  }
  (void)cudaGetLastError();  // it was not registered: the driver's own
  cudaFreeHost(p);
}

bool show(const void *p, uint64_t bytes) {
  if (cudaHostRegister((void *)p, bytes, cudaHostRegisterReadOnly) == cudaSuccess) return true;
  (void)cudaGetLastError();
  if (cudaHostRegister((void *)p, bytes, cudaHostRegisterDefault) == cudaSuccess) return true;
  (void)cudaGetLastError();
  return false;
}

void hide(const void *p) {
  cudaHostUnregister((void *)p);
}

GrB_Info begin() {
  GrB_Info info = open_way();
  if (info == GrB_SUCCESS) info = mark(way.begun, grid_cuda_stream());
  if (info == GrB_SUCCESS) info = after(way.other, way.begun);
  return info == GrB_SUCCESS ? after(way.stream, way.begun) : info;
}

GrB_Info send(int slot, void *to, const void *from, uint64_t bytes) {
  GrB_Info info = GrB_SUCCESS;
  TRY(after(way.stream, way.used[slot]));
  TRY(grid_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, way.stream),
                      "sending a page"));
  TRY(mark(way.sent[slot], way.stream));
done:
  return info;
}

GrB_Info take(int slot) {
  return after(grid_cuda_stream(), way.sent[slot]);
}

GrB_Info give(int slot) {
  return mark(way.used[slot], grid_cuda_stream());
}

GrB_Info asked() {
  GrB_Info info = GrB_SUCCESS;
  cudaEvent_t e = way.page[way.asked % GRID_PAGES_AHEAD];
  if (way.asked - way.done == GRID_PAGES_AHEAD) {
    TRY(grid_cuda_check(cudaEventSynchronize(e), "waiting for a page"));
    way.done++;
  }
  TRY(mark(e, grid_cuda_stream()));
  way.asked++;
done:
  return info;
}

uint64_t waiting() {
  while (way.done < way.asked && cudaEventQuery(way.page[way.done % GRID_PAGES_AHEAD]) == cudaSuccess)
    way.done++;
  (void)cudaGetLastError();  // "not ready" is none
  return way.asked - way.done;
}

GrB_Info fetch(void *to, const void *from, uint64_t bytes) {
  return grid_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, way.other),
                         "fetching a vector");
}

GrB_Info fetched() {
  return grid_cuda_check(cudaStreamSynchronize(way.other), "waiting for a vector");
}

GrB_Info bring(void *to, const void *from, uint64_t bytes) {
  GrB_Info info = grid_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, way.other),
                                  "bringing a result");
  if (info == GrB_SUCCESS) info = mark(way.brought, way.other);
  return info == GrB_SUCCESS ? after(grid_cuda_stream(), way.brought) : info;
}

GrB_Info end() {
  GrB_Info info = grid_cuda_check(cudaStreamSynchronize(way.stream), "waiting for pages");
  return info == GrB_SUCCESS ? fetched() : info;
}

// ---- decoding --------------------------------------------------------------------------------------------

// Bits of vectors that have entries, and of the entries with which they begin; the list of these vectors, of
// which numbers[k] come before the 32 k-th.
__global__ void mark_vectors(const uint32_t *offset, uint64_t n, const uint32_t *numbers, uint32_t *nonempty,
                             uint32_t *begins, uint32_t *vector) {
  const uint64_t whole = grid_words(n) * 64;
  GRID_FOR(v, whole) {  // whole warps
    const uint32_t at = v < n ? offset[v] : 0;
    const bool some = v < n && offset[v + 1] > at;
    const uint32_t word = __ballot_sync(~0u, some);
    if ((threadIdx.x & 31) == 0) nonempty[v / 32] = word;
    if (!some) continue;
    atomicOr(begins + at / 32, 1u << (at & 31));
    if (vector) vector[numbers[v / 32] + __popc(word & ((1u << (threadIdx.x & 31)) - 1))] = (uint32_t)v;
  }
}

__global__ void first_entries(const uint32_t *offset, uint64_t n, const uint32_t *idx, uint32_t *first) {
  GRID_FOR(v, n) {
    const uint32_t at = offset[v];
    first[v] = offset[v + 1] > at ? idx[at] : 0;
  }
}

__device__ uint32_t scan(uint32_t mine) {
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t below = __shfl_up_sync(~0u, mine, d);
    if ((int)(threadIdx.x & 31) >= d) mine += below;
  }
  return mine;
}

// A warp's strip while it is decoded: first its codes, then its columns. A word in 33 is left out, so that
// threads that write 32 words each do not meet at one bank.
union strip_room {
  uint64_t code[(GRID_PAGE_STRIP / 4 + 4 * GRID_PAGE_STRIP) / 8 + 2];
  uint32_t column[33 * 32];
};

// The four bytes at byte `at`.
__device__ uint32_t unaligned(const uint32_t *words, uint32_t at) {
  return __funnelshift_r(words[at / 4], words[at / 4 + 1], 8 * (at & 3));
}

// This thread's distances; behind the last of n entries there are none.
__device__ void read_distances(const strip_room &room, uint32_t n, uint32_t d[EACH]) {
  const uint32_t lane = threadIdx.x & 31, controls = (n + 3) / 4,
                 mine = n > EACH * lane ? min(n - EACH * lane, (uint32_t)EACH) : 0;
  // 32 fields of two bits; those behind the last are 0
  uint64_t how = mine ? room.code[lane] : 0;
  if (mine && mine < EACH) how &= ((uint64_t)1 << 2 * mine) - 1;
  const uint32_t bytes =
      mine + __popcll(how & 0x5555555555555555ull) + 2 * __popcll(how & 0xaaaaaaaaaaaaaaaaull);
  uint32_t at = controls + scan(bytes) - bytes;
#pragma unroll
  for (int j = 0; j < EACH; j++) {
    const uint32_t more = how & 3;
    how >>= 2;
    d[j] = 0;
    if (j >= (int)mine) continue;
    d[j] = unaligned((const uint32_t *)room.code, at) & (~0u >> (24 - 8 * more));
    at += more + 1;
  }
}

// Distances become columns: sums that begin anew where vectors do, and at the strip's first entry.
__device__ void add_up(uint32_t begins, uint32_t d[EACH]) {
  const int lane = (int)(threadIdx.x & 31);
  if (lane == 0) begins |= 1;
  uint32_t sum = 0;
#pragma unroll
  for (int j = 0; j < EACH; j++) {
    sum = begins >> j & 1 ? d[j] : sum + d[j];
    d[j] = sum;
  }
  // the sum that is open at this thread's end, from the thread on in which it begins
  const uint32_t some = __ballot_sync(~0u, begins != 0) & (~0u >> (31 - lane));
  const int from = 31 - __clz(some);
  uint32_t open = sum;
  for (int s = 1; s < 32; s *= 2) {
    const uint32_t other = __shfl_up_sync(~0u, open, s);
    if (lane - s >= from) open += other;
  }
  const uint32_t before = __shfl_up_sync(~0u, open, 1);
  const int mine = begins ? __ffs(begins) - 1 : EACH;  // entries of a vector that began before
  if (lane == 0) return;
#pragma unroll
  for (int j = 0; j < EACH; j++)
    if (j < mine) d[j] += before;
}

__global__ void __launch_bounds__(THREADS) decode(const char *codes, const uint32_t *start,
                                                  const uint32_t *begins, uint64_t entries, uint32_t *idx) {
  __shared__ strip_room rooms[WARPS];
  strip_room &room = rooms[threadIdx.x / 32];
  const uint64_t strips = (entries + GRID_PAGE_STRIP - 1) / GRID_PAGE_STRIP,
                 warps = gridDim.x * (uint64_t)WARPS;
  const uint32_t lane = threadIdx.x & 31;
  for (uint64_t s = blockIdx.x * (uint64_t)WARPS + threadIdx.x / 32; s < strips; s += warps) {
    const uint64_t left = entries - s * GRID_PAGE_STRIP;
    const uint32_t n = left < GRID_PAGE_STRIP ? (uint32_t)left : GRID_PAGE_STRIP,
                   words = (start[s + 1] - start[s]) / 8;
    const uint64_t *from = (const uint64_t *)(codes + start[s]);
    uint32_t d[EACH];
    for (uint32_t w = lane; w < words; w += 32) room.code[w] = from[w];
    __syncwarp();
    read_distances(room, n, d);
    add_up(begins[s * 32 + lane], d);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < EACH; j++) room.column[33 * lane + j] = d[j];
    __syncwarp();
    for (uint32_t e = lane; e < n; e += 32)
      idx[s * GRID_PAGE_STRIP + e] = room.column[e / 32 * 33 + (e & 31)];
    __syncwarp();
  }
}

unsigned blocks_for(uint64_t n) {
  return grid_cuda_blocks(n, THREADS, (unsigned)grid_cuda_multiprocessors() * 8);
}

GrB_Info unpack(const grid_page_there *p) {
  const grid_compressed *r = &p->rows_there;
  const uint64_t strips = (p->entries + GRID_PAGE_STRIP - 1) / GRID_PAGE_STRIP;
  cudaStream_t stream = grid_cuda_stream();
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_device_zero(p->begins, strips * GRID_PAGE_STRIP / 8));
  mark_vectors<<<blocks_for(p->rows), THREADS, 0, stream>>>(r->ptr, p->rows,
                                                            (const uint32_t *)(p->bytes + p->at.numbers),
                                                            (uint32_t *)r->nonempty, p->begins, p->vector);
  decode<<<grid_cuda_blocks(strips, WARPS, UINT_MAX), THREADS, 0, stream>>>(
      p->bytes + p->at.codes, (const uint32_t *)(p->bytes + p->at.strips), p->begins, p->entries, r->idx);
  if (r->first) first_entries<<<blocks_for(p->rows), THREADS, 0, stream>>>(r->ptr, p->rows, r->idx, r->first);
  TRY(grid_cuda_launched("decoding a page"));
done:
  return info;
}

// ---- which are needed ------------------------------------------------------------------------------------

__global__ void meet_page(uint32_t *count, const uint64_t *bits, bool complement, const uint64_t *some,
                          const uint32_t *bounds) {
  const uint64_t from = bounds[2 * blockIdx.x], words = bounds[2 * blockIdx.x + 1];
  uint32_t mine = 0;
  for (uint64_t w = from + threadIdx.x; w < from + words; w += blockDim.x)
    mine += __popcll((complement ? ~bits[w] : bits[w]) & some[w]);
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  if ((threadIdx.x & 31) == 0 && mine) atomicAdd(count + blockIdx.x, mine);
}

GrB_Info meet(uint32_t *count, const uint64_t *bits, bool complement, const uint64_t *some,
              const uint32_t *bounds, uint64_t n) {
  uint32_t *there = (uint32_t *)grid_device_malloc(n, sizeof *there);
  GrB_Info info = there ? GrB_SUCCESS : grid_device_fail_memory(NULL, "needed pages", n, sizeof *there);
  TRY(info);
  TRY(grid_device_zero(there, n * sizeof *there));
  meet_page<<<(unsigned)n, THREADS, 0, grid_cuda_stream()>>>(there, bits, complement, some, bounds);
  TRY(grid_cuda_launched("counting what pages meet"));
  TRY(grid_device_get(count, there, n * sizeof *there));
done:
  grid_device_free(there);
  return info;
}

}  // namespace

extern "C" const grid_device_paging grid_cuda_paging = {lock,  unlock, show,   hide,    begin, send,
                                                        take,  give,   asked,  waiting, fetch, fetched,
                                                        bring, end,    unpack, meet};
