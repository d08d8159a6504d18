// The time that the GPU spends on work between begin and end, by events in the stream. A pair of events is
// read when its turn comes again, or when the sum is asked for.
#include "spmat/cuda/device/cuda.cuh"

namespace {

constexpr unsigned PAIRS = 64;

struct {
  cudaEvent_t begin[PAIRS], end[PAIRS];
  bool made;             // all events are there
  uint64_t begun, read;  // number of pairs
  double seconds;        // of those that were read
} default_timer GRID_OF_CONTEXT;
#define timer GRID_IN_CONTEXT(default_timer)

void close_timer(void) {
  for (unsigned k = 0; k < PAIRS; k++) {
    if (timer.begin[k]) cudaEventDestroy(timer.begin[k]);
    if (timer.end[k]) cudaEventDestroy(timer.end[k]);
  }
  memset(&timer, 0, sizeof timer);
}

GrB_Info make_events(void) {
  GrB_Info info = GrB_SUCCESS;
  if (timer.made) return info;
  grid_cuda_register_close(close_timer);
  for (unsigned k = 0; k < PAIRS; k++) {
    if (!timer.begin[k]) TRY(grid_cuda_check(cudaEventCreate(&timer.begin[k]), "making an event"));
    if (!timer.end[k]) TRY(grid_cuda_check(cudaEventCreate(&timer.end[k]), "making an event"));
  }
  timer.made = true;
done:
  return info;
}

GrB_Info read_next(void) {
  const unsigned k = timer.read % PAIRS;
  float ms = 0;
  GrB_Info info;
  TRY(grid_cuda_check(cudaEventSynchronize(timer.end[k]), "timing a kernel"));
  TRY(grid_cuda_check(cudaEventElapsedTime(&ms, timer.begin[k], timer.end[k]), "timing a kernel"));
  timer.seconds += 1e-3 * ms;
  timer.read++;
done:
  return info;
}

GrB_Info timer_begin(void) {
  GrB_Info info;
  TRY(make_events());
  if (timer.begun - timer.read == PAIRS) TRY(read_next());
  info = grid_cuda_check(cudaEventRecord(timer.begin[timer.begun % PAIRS], grid_cuda_stream()),
                         "timing a kernel");
done:
  return info;
}

GrB_Info timer_end(void) {
  const GrB_Info info =
      grid_cuda_check(cudaEventRecord(timer.end[timer.begun % PAIRS], grid_cuda_stream()), "timing a kernel");
  if (info == GrB_SUCCESS) timer.begun++;
  return info;
}

GrB_Info timer_seconds(double *sum) {
  GrB_Info info = GrB_SUCCESS;
  while (timer.read < timer.begun) TRY(read_next());
done:
  *sum = timer.seconds;
  return info;
}

}  // namespace

extern "C" const grid_device_timer grid_cuda_timer = {timer_begin, timer_end, timer_seconds};
