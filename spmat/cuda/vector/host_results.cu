// Results of kernels for the host: a count, a value or a few bytes, written to host memory, which the host
// polls. This is faster than waiting for a copy.
#include "spmat/cuda/device/cuda.cuh"
extern "C" {
#include "spmat/cuda/vector/host_results.h"
}
#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/bitmap_tile.cuh"

namespace {

__global__ void publish_bytes(grid_tally t, const unsigned char *from, unsigned bytes) {
  if (threadIdx.x < bytes) t.slot->value[threadIdx.x] = from[threadIdx.x];
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) grid_publish(t);
}

}  // namespace

static struct {
  grid_slot *slot;  // in host memory, written by the device
  uint64_t last;    // the last ticket issued
} default_tallies GRID_OF_CONTEXT;
#define tallies GRID_IN_CONTEXT(default_tallies)

// The first accumulator is for all kernels with one result.
static_assert(GRID_TALLY_ACCUMULATORS * sizeof(grid_tally_accumulator) <= GRID_COUNTERS_BYTES, "they fit");

static void slots_free(void) {
  grid_cuda_set_small_reader(NULL);
  if (tallies.slot) cudaFreeHost(tallies.slot);
  tallies.slot = NULL;
}

static GrB_Info get_small(void *to, const void *from, uint64_t bytes);

static GrB_Info slots_make(void) {
  void *p;
  GrB_Info info = grid_cuda_check(cudaHostAlloc(&p, GRID_SLOTS * sizeof(grid_slot), cudaHostAllocMapped),
                                  "memory for counts");
  if (info != GrB_SUCCESS) return info;
  memset(p, 0, GRID_SLOTS * sizeof(grid_slot));
  tallies.slot = (grid_slot *)p;
  grid_cuda_set_small_reader(get_small);
  grid_cuda_register_close(slots_free);
  return GrB_SUCCESS;
}

extern "C" GrB_Info grid_cuda_tally(grid_tally *t) {
  GrB_Info info = tallies.slot ? GrB_SUCCESS : slots_make();
  if (info != GrB_SUCCESS) return info;
  const uint64_t ticket = ++tallies.last;
  *t = {(grid_tally_accumulator *)grid_cuda_counters(GRID_TALLY_COUNTERS), tallies.slot + ticket % GRID_SLOTS,
        ticket};
  return GrB_SUCCESS;
}

extern "C" GrB_Info grid_cuda_wait_ticket(uint64_t ticket, uint64_t *count, bool *known) {
  const grid_slot *slot = tallies.slot + ticket % GRID_SLOTS;
  *known = tallies.last - ticket < GRID_SLOTS;
  if (!*known) return GrB_SUCCESS;
  GrB_Info info = grid_cuda_wait_counter(&slot->ticket, ticket);
  *count = *(const volatile unsigned long long *)&slot->count;
  return info;
}

extern "C" GrB_Info grid_cuda_wait_count(const grid_tally *t, uint64_t *count, const void **value) {
  bool known;
  if (value) *value = t->slot->value;
  return grid_cuda_wait_ticket(t->ticket, count, &known);
}

static GrB_Info get_small(void *to, const void *from, uint64_t bytes) {
  GrB_Info info = GrB_SUCCESS;
  grid_tally t;
  uint64_t none;
  const void *value;
  TRY(grid_cuda_tally(&t));
  publish_bytes<<<1, sizeof t.slot->value, 0, grid_cuda_stream()>>>(t, (const unsigned char *)from,
                                                                    (unsigned)bytes);
  TRY(grid_cuda_check_launch("reading a few bytes"));
  TRY(grid_cuda_wait_count(&t, &none, &value));
  memcpy(to, value, bytes);
done:
  return info;
}
