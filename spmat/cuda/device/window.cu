// Windows (spmat/window.h): memory outside the pool, since other processes can map only such memory.
#include "spmat/cuda/device/device_barrier.cuh"

extern "C" {
#include "spmat/window.h"
}

namespace {

const uint32_t PAGE = 512, PAGES = GRID_WINDOW_MIN / PAGE;
struct {
  uint32_t exchanges[GRID_EXCHANGES];  // kernels of each kind started so far, in all windows
  // while a window exists
  cudaStream_t stream;  // for work beside the start of a search
  uint64_t bytes;
  uint32_t *stop, *mapped;  // host memory, and its mapping for the GPU: no peer answers any more
} default_peer_state GRID_OF_CONTEXT;
#define peer_state GRID_IN_CONTEXT(default_peer_state)

static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof(grid_window_name().bytes), "a name holds a handle");

void release(void *window) {
  cudaDeviceSynchronize();  // including accesses from outside the stream
  if (peer_state.stream) cudaStreamDestroy(peer_state.stream);
  if (peer_state.stop) cudaFreeHost(peer_state.stop);
  cudaFree(window);
  grid_device_count_bytes(-(int64_t)peer_state.bytes);
  peer_state.stream = NULL;
  peer_state.bytes = 0;
  peer_state.stop = peer_state.mapped = NULL;
}

GrB_Info name_gpu(grid_window_name *name) {
  int gpu = 0;
  GrB_Info info = grid_cuda_check(cudaGetDevice(&gpu), "asking for the GPU");
  if (info != GrB_SUCCESS) return info;
  return grid_cuda_check(cudaDeviceGetPCIBusId(name->bus, sizeof name->bus, gpu), "asking where the GPU is");
}

// Over PCIe, an atomic operation would be two steps, and bits would be lost. A GPU shared by processes has no
// link to itself.
bool has_atomics(const grid_window_name *name) {
  int gpu = 0, other = 0, yes = 0;
  if (cudaGetDevice(&gpu) != cudaSuccess || cudaDeviceGetByPCIBusId(&other, name->bus) != cudaSuccess)
    return false;
  return gpu == other ||
         (cudaDeviceGetP2PAttribute(&yes, cudaDevP2PAttrNativeAtomicSupported, gpu, other) == cudaSuccess &&
          yes);
}

GrB_Info make(void **window, uint64_t bytes, grid_window_name *name) {
  GrB_Info info;
  cudaIpcMemHandle_t handle;
  *window = NULL;
  cudaError_t e = cudaMalloc(window, bytes);
  if (e == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    grid_cuda_trim_pool();
    e = cudaMalloc(window, bytes);
  }
  if (e == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    return grid_device_fail_memory(NULL, "what the GPUs of other processes may see", bytes, 1);
  }
  TRY(grid_cuda_check(e, "memory that other processes may see"));
  peer_state.bytes = bytes;
  grid_device_count_bytes((int64_t)bytes);
  TRY(grid_cuda_check(cudaStreamCreateWithFlags(&peer_state.stream, cudaStreamNonBlocking),
                      "making a stream"));
  TRY(grid_cuda_check(cudaHostAlloc((void **)&peer_state.stop, sizeof *peer_state.stop, cudaHostAllocMapped),
                      "pinned memory for a flag"));
  *peer_state.stop = 0;
  TRY(grid_cuda_check(cudaHostGetDevicePointer((void **)&peer_state.mapped, peer_state.stop, 0),
                      "mapping a flag"));
  if (cudaIpcGetMemHandle(&handle, *window) != cudaSuccess) {
    (void)cudaGetLastError();
    TRY(GRID_UNSUPPORTED);
  }
  memset(name, 0, sizeof *name);
  memcpy(name->bytes, &handle, sizeof handle);
  TRY(name_gpu(name));
  TRY(grid_device_zero(*window, bytes));
  TRY(grid_device_wait());
done:
  if (info != GrB_SUCCESS && *window) {
    release(*window);
    *window = NULL;
  }
  return info;
}

GrB_Info open_peer_window(void **window, const grid_window_name *name) {
  cudaIpcMemHandle_t handle;
  memcpy(&handle, name->bytes, sizeof handle);
  if (has_atomics(name) &&
      cudaIpcOpenMemHandle(window, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess)
    return GrB_SUCCESS;
  (void)cudaGetLastError();
  *window = NULL;
  return GRID_UNSUPPORTED;
}

// No kernel here may still access it, nor wait for data that will not come.
void close_peer_window(void *window) {
  grid_cuda_finish_stream();
  cudaIpcCloseMemHandle(window);
}

struct window_table {
  const char *at[GRID_WINDOWS];
};

// Touches a word in each of many pages of every window, since pages use different links. The local window is
// harmless.
__global__ void touch_pages(window_table w, int count) {
  const uint32_t page = blockIdx.x * blockDim.x + threadIdx.x;
  for (int p = 0; p < count; p++) (void)*(const volatile uint32_t *)(w.at[p] + page * PAGE);
}

GrB_Info wake(void *const *windows, int count, bool wait) {
  window_table w = {};
  for (int p = 0; p < count; p++) w.at[p] = (const char *)windows[p];
  touch_pages<<<PAGES / 256, 256, 0, peer_state.stream>>>(w, count);
  GrB_Info info = grid_cuda_check_launch("waking the links between GPUs");
  if (info != GrB_SUCCESS || !wait) return info;
  return grid_cuda_check(cudaStreamSynchronize(peer_state.stream), "waiting for the links between GPUs");
}

void abort_waits(void) {
  if (peer_state.stop) *(volatile uint32_t *)peer_state.stop = 1;
}

}  // namespace

extern "C" const grid_windows grid_cuda_windows = {make, release,    open_peer_window, close_peer_window,
                                                   wake, abort_waits};

extern "C" const volatile uint32_t *grid_cuda_window_stop(void) {
  return peer_state.mapped;
}

extern "C" uint32_t grid_cuda_exchange_counters(grid_exchange_kind kind) {
  return peer_state.exchanges[kind] & 1;
}

extern "C" GrB_Info grid_cuda_start_exchange(grid_exchange_kind kind, const void *kernel, unsigned blocks,
                                             unsigned threads, void **args, const char *what) {
  GrB_Info info = grid_cuda_check(
      cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), args, 0, grid_cuda_stream()), what);
  if (info == GrB_SUCCESS) peer_state.exchanges[kind]++;
  return info;
}
