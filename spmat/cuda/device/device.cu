// The GPU of a context: opening it, its memory, its stream, and a second stream for messages. Contexts that
// use one GPU have streams of their own, and allocate from the GPU's pool of memory.
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "semiring/support/mem.h"
#include "spmat/device/block_cache.h"
#include "spmat/device/device_lost.h"
}

enum { CLOSERS = 8 };  // functions that other files may register

static struct {
  bool open;
  int number, count, multiprocessors, capability;
  grid_cuda_limit limits;
  uint64_t memory;             // of the whole GPU, bytes
  cudaStream_t stream, other;  // work goes to `stream`; a side section swaps the two
  cudaEvent_t begun, done;     // of the side section
  cudaMemPool_t pool;
  char *counters;
  char name[96];
  GrB_Info (*check)(void);     // grid_device_watch
  void (*flush)(void);         // launches deferred work; NULL: there is none
  uint64_t uses;               // how often the stream was requested
  grid_freed_block freed[64];  // freed while deferred work may use it
  unsigned freed_n;
  grid_block_cache cache;  // blocks whose use is on `stream`, so that the next use comes after it
  // Large copies from or to the host go through this memory, which the GPU accesses directly.
  char *stage[2];
  cudaEvent_t staged[2];
  bool freed_large;                 // large blocks were freed since trim_pool ran last
  void (*at_close[CLOSERS])(void);  // called by device_close
  int closers;
  GrB_Info (*small_reader)(void *to, const void *from, uint64_t bytes);  // reads a few bytes; or NULL
} default_gpu GRID_OF_CONTEXT;
#define gpu GRID_IN_CONTEXT(default_gpu)

static constexpr uint64_t STAGE = 16 << 20, STAGED_FROM = 4 << 20;

extern "C" void grid_cuda_set_flush(void (*launch)(void)) {
  gpu.flush = launch;
}
extern "C" uint64_t grid_cuda_stream_use_count(void) {
  return gpu.uses;
}

static void put_in_cache(grid_freed_block b) {
  void *p = grid_block_cache_add(&gpu.cache, b);
  if (p) cudaFreeAsync(p, gpu.stream);
}

static void empty_cache(void) {
  for (int k = 0; k < GRID_CACHED_BLOCKS; k++) put_in_cache({NULL, 0});
}

static void free_block(grid_freed_block b) {
  if (!grid_device_is_on_side_stream())
    put_in_cache(b);
  else  // the side stream's last use of it is not in the order of `stream`
    cudaFreeAsync(b.p, gpu.stream);
}

// Frees what was freed meanwhile, after the deferred work has been put on the stream.
static void free_deferred_blocks(void) {
  void (*launch)(void) = gpu.flush;
  gpu.flush = NULL;
  launch();
  while (gpu.freed_n > 0) free_block(gpu.freed[--gpu.freed_n]);
}

extern "C" cudaStream_t grid_cuda_stream(void) {
  gpu.uses++;
  if (gpu.flush) free_deferred_blocks();
  return gpu.stream;
}
extern "C" void *grid_cuda_counters(grid_counters of) {
  return gpu.counters + of * GRID_COUNTERS_BYTES;
}
extern "C" int grid_cuda_multiprocessors(void) {
  return gpu.multiprocessors;
}
extern "C" grid_cuda_limit grid_cuda_limits(void) {
  return gpu.limits;
}
extern "C" int grid_cuda_capability(void) {
  return gpu.open ? gpu.capability : 0;
}

// After some errors no call succeeds any more.
static bool is_lost(void) {
  const cudaError_t e = gpu.stream ? cudaStreamQuery(gpu.stream) : cudaSuccess;
  (void)cudaGetLastError();
  return e != cudaSuccess && e != cudaErrorNotReady;
}

extern "C" GrB_Info grid_cuda_check(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return GrB_SUCCESS;
  (void)cudaGetLastError();  // clears a recoverable error
  if (e == cudaErrorMemoryAllocation) return grid_device_fail_memory(NULL, what, 0, 0);
  if (!is_lost())
    return grid_fail(NULL, GrB_PANIC, "CUDA, %s: %s (%s)", what, cudaGetErrorString(e), cudaGetErrorName(e));
  grid_device_report_loss();
  return grid_fail(NULL, GrB_PANIC, "CUDA, %s: %s (%s); this process can no longer use its GPU %d, %s", what,
                   cudaGetErrorString(e), cudaGetErrorName(e), gpu.number, gpu.name);
}

#define CHECK(call, what)                             \
  do {                                                \
    GrB_Info info_ = grid_cuda_check((call), (what)); \
    if (info_ != GrB_SUCCESS) return info_;           \
  } while (0)

// The pool keeps freed memory for later allocations, since mapping fresh memory costs more than a search: up
// to this, or a quarter of what is in use. The next wait returns more to the GPU.
static const uint64_t RELEASE_THRESHOLD = UINT64_C(1) << 30;

// Has every file of the build code for this GPU? All are compiled for the same compute capabilities.
static __global__ void probe(void) {}

// What kernels and this file use, and some virtual GPUs lack.
static GrB_Info check_features(const cudaDeviceProp *p) {
  static const struct {
    cudaDeviceAttr attribute;
    const char *what;
  } wanted[] = {{cudaDevAttrCooperativeLaunch, "cooperative launches"},
                {cudaDevAttrMemoryPoolsSupported, "memory pools"},
                {cudaDevAttrCanMapHostMemory, "access to host memory"}};
  for (const auto &w : wanted) {
    int has = 0;
    CHECK(cudaDeviceGetAttribute(&has, w.attribute, gpu.number), "asking for the GPU's properties");
    if (!has)
      return grid_fail(NULL, GrB_INVALID_VALUE, "the device cuda: GPU %d (%s) has no %s", gpu.number, p->name,
                       w.what);
  }
  return GrB_SUCCESS;
}

static GrB_Info check_gpu(const cudaDeviceProp *p) {
  cudaFuncAttributes attributes;
  if (p->major < 8)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "the device cuda: GPU %d (%s) has compute capability %d.%d; gridblas needs 8.0 or later",
                     gpu.number, p->name, p->major, p->minor);
  const cudaError_t e = cudaFuncGetAttributes(&attributes, probe);
  if (e == cudaErrorNoKernelImageForDevice || e == cudaErrorInvalidDeviceFunction ||
      e == cudaErrorUnsupportedPtxVersion) {
    (void)cudaGetLastError();
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "the device cuda: GPU %d (%s) has compute capability %d.%d, and this build has code for "
                     "%s only (CMAKE_CUDA_ARCHITECTURES)",
                     gpu.number, p->name, p->major, p->minor, GRID_CUDA_ARCHITECTURES);
  }
  CHECK(e, "asking for the code for this GPU");
  return check_features(p);
}

static void read_limits(const cudaDeviceProp *p) {
  gpu.multiprocessors = p->multiProcessorCount;
  gpu.capability = 10 * p->major + p->minor;
  gpu.memory = p->totalGlobalMem;
  gpu.limits.shared = p->sharedMemPerBlockOptin;
  gpu.limits.l2 = (size_t)p->l2CacheSize;
  gpu.limits.threads = (unsigned)p->maxThreadsPerMultiProcessor;
}

static GrB_Info set_up(void) {
  cudaDeviceProp p;
  uint64_t threshold = UINT64_MAX;  // trim_pool() decides
  CHECK(cudaSetDevice(gpu.number), "choosing the GPU");
  CHECK(cudaGetDeviceProperties(&p, gpu.number), "asking for the GPU's properties");
  GrB_Info info = check_gpu(&p);
  if (info != GrB_SUCCESS) return info;
  snprintf(gpu.name, sizeof gpu.name, "%.90s", p.name);
  read_limits(&p);
  CHECK(cudaStreamCreateWithFlags(&gpu.stream, cudaStreamNonBlocking), "making a stream");
  CHECK(cudaStreamCreateWithFlags(&gpu.other, cudaStreamNonBlocking), "making a stream");
  CHECK(cudaEventCreateWithFlags(&gpu.begun, cudaEventDisableTiming), "making an event");
  CHECK(cudaEventCreateWithFlags(&gpu.done, cudaEventDisableTiming), "making an event");
  CHECK(cudaDeviceGetDefaultMemPool(&gpu.pool, gpu.number), "asking for the memory pool");
  CHECK(cudaMemPoolSetAttribute(gpu.pool, cudaMemPoolAttrReleaseThreshold, &threshold),
        "setting the memory pool");
  const size_t counters = GRID_COUNTERS * (size_t)GRID_COUNTERS_BYTES;
  CHECK(cudaMallocAsync((void **)&gpu.counters, counters, gpu.stream), "memory for counters");
  CHECK(cudaMemsetAsync(gpu.counters, 0, counters, gpu.stream), "clearing counters");
  return GrB_SUCCESS;
}

// What set_up has made, also a part of it. Errors are ignored: the GPU may be lost.
static void tear_down(void) {
  if (gpu.counters) cudaFreeAsync(gpu.counters, gpu.stream);
  if (gpu.pool) cudaMemPoolTrimTo(gpu.pool, 0);
  if (gpu.begun) cudaEventDestroy(gpu.begun);
  if (gpu.done) cudaEventDestroy(gpu.done);
  if (gpu.other) cudaStreamDestroy(gpu.other);
  if (gpu.stream) cudaStreamDestroy(gpu.stream);
  (void)cudaGetLastError();
  gpu.counters = NULL, gpu.pool = NULL;
  gpu.begun = gpu.done = NULL;
  gpu.other = gpu.stream = NULL;
  gpu.number = 0;
}

/* CUDA calls a missing driver one that is too old. */
static const char *why_no_gpu(cudaError_t e) {
  int driver = 0;
  if (e == cudaSuccess) return "the driver shows none";
  if (e == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
    return "no NVIDIA driver is installed";
  return cudaGetErrorString(e);
}

static GrB_Info device_open(int which, grid_gpu_choice choice, int *number) {
  cudaError_t e = cudaGetDeviceCount(&gpu.count);
  if (e != cudaSuccess || gpu.count == 0) {
    (void)cudaGetLastError();
    return grid_fail(NULL, GrB_INVALID_VALUE, "the device cuda: no GPU is to be had (%s)", why_no_gpu(e));
  }
  if (which >= gpu.count && choice != GRID_GPU_SHARED)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "the device cuda: this machine has no GPU %d, there %s only %d%s", which,
                     gpu.count == 1 ? "is" : "are", gpu.count,
                     choice == GRID_GPU_NAMED ? "" : " (GRIDBLAS_SHARE_GPU=1 lets its processes share)");
  *number = gpu.number = which % gpu.count;
  const GrB_Info info = set_up();
  gpu.open = info == GrB_SUCCESS;
  if (info != GrB_SUCCESS) tear_down();
  return info;
}

static void stage_free(void) {
  for (int k = 0; k < 2; k++) {
    if (gpu.stage[k]) cudaFreeHost(gpu.stage[k]);
    if (gpu.staged[k]) cudaEventDestroy(gpu.staged[k]);
    gpu.stage[k] = NULL;
    gpu.staged[k] = NULL;
  }
}

// Allocated at first use; false: copies do without it.
static bool stage_make(void) {
  if (gpu.stage[1]) return true;
  for (int k = 0; k < 2; k++)
    if (cudaHostAlloc((void **)&gpu.stage[k], STAGE, cudaHostAllocDefault) != cudaSuccess ||
        cudaEventCreateWithFlags(&gpu.staged[k], cudaEventDisableTiming) != cudaSuccess) {
      (void)cudaGetLastError();
      stage_free();
      return false;
    }
  return true;
}

extern "C" void grid_cuda_register_close(void (*f)(void)) {
  for (int k = 0; k < gpu.closers; k++)
    if (gpu.at_close[k] == f) return;
  if (gpu.closers == CLOSERS) abort();  // one more file than CLOSERS was made for
  gpu.at_close[gpu.closers++] = f;
}

// Polls rather than blocks: the answer comes sooner, and the loss of a process is noticed.
static GrB_Info wait_stream(const char *what) {
  const cudaStream_t stream = grid_cuda_stream();
  if (!gpu.check) return grid_cuda_check(cudaStreamSynchronize(stream), what);
  for (unsigned k = 1;; k++) {
    cudaError_t e = cudaStreamQuery(stream);
    if (e != cudaErrorNotReady) return grid_cuda_check(e, what);
    (void)cudaGetLastError();
    GrB_Info info = k % 256 == 0 ? gpu.check() : GrB_SUCCESS;
    if (info != GrB_SUCCESS) return info;
  }
}

extern "C" void grid_cuda_finish_stream(void) {
  (void)wait_stream("waiting for the GPU");
  cudaStreamSynchronize(gpu.stream);
}

static void device_close(void) {
  grid_cuda_finish_stream();
  for (int k = 0; k < gpu.closers; k++) gpu.at_close[k]();
  empty_cache();
  stage_free();
  tear_down();
  memset(&gpu, 0, sizeof gpu);
}

static GrB_Info describe(grid_device_facts *f) {
  size_t left = 0, total = 0;
  uint64_t reserved = 0, used = 0;
  (void)grid_cuda_stream();  // frees deferred blocks
  CHECK(cudaMemGetInfo(&left, &total), "asking for the free memory");
  // unused memory of the pool and of the cache counts as free
  CHECK(cudaMemPoolGetAttribute(gpu.pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "asking the pool");
  CHECK(cudaMemPoolGetAttribute(gpu.pool, cudaMemPoolAttrUsedMemCurrent, &used), "asking the pool");
  memset(f, 0, sizeof *f);
  snprintf(f->name, sizeof f->name, "%s", gpu.name);
  f->number = gpu.number;
  f->count = gpu.count;
  f->total = total;
  f->free = left + (reserved - used) + grid_block_cache_bytes(&gpu.cache);
  f->multiprocessors = gpu.multiprocessors;
  return GrB_SUCCESS;
}

// After a wait: returns the pool's excess memory.
static void trim_pool(void) {
  uint64_t reserved = 0, used = 0;
  if (!gpu.freed_large) return;
  gpu.freed_large = false;
  if (cudaMemPoolGetAttribute(gpu.pool, cudaMemPoolAttrReservedMemCurrent, &reserved) != cudaSuccess ||
      cudaMemPoolGetAttribute(gpu.pool, cudaMemPoolAttrUsedMemCurrent, &used) != cudaSuccess)
    return;
  const uint64_t threshold = used / 4 > RELEASE_THRESHOLD ? used / 4 : RELEASE_THRESHOLD;
  if (reserved - used > threshold) cudaMemPoolTrimTo(gpu.pool, used + threshold);
}

extern "C" void grid_cuda_trim_pool(void) {
  (void)grid_cuda_stream();  // frees deferred blocks, to the cache
  empty_cache();
  grid_cuda_finish_stream();
  cudaMemPoolTrimTo(gpu.pool, 0);
}

static void *device_alloc(uint64_t bytes) {
  void *p = grid_block_cache_take(&gpu.cache, bytes);
  if (p) return p;
  // The attempt would take all that is free for a moment, and other processes on this GPU would get none.
  if (bytes > gpu.memory) return NULL;
  if (cudaMallocAsync(&p, bytes, gpu.stream) == cudaSuccess) return p;
  (void)cudaGetLastError();
  grid_cuda_trim_pool();
  const cudaError_t e = cudaMallocAsync(&p, bytes, gpu.stream);
  if (e == cudaSuccess) return p;
  (void)cudaGetLastError();
  if (e != cudaErrorMemoryAllocation) (void)grid_cuda_check(e, "asking for memory");
  return NULL;
}

static void device_release(void *p, uint64_t bytes) {
  gpu.freed_large = gpu.freed_large || bytes > RELEASE_THRESHOLD / 2;
  if (gpu.flush && gpu.freed_n == sizeof gpu.freed / sizeof *gpu.freed) free_deferred_blocks();
  if (gpu.flush)
    gpu.freed[gpu.freed_n++] = {p, bytes};
  else
    free_block({p, bytes});
}

// In any context, also one without a GPU.
static void release_foreign(void *p) {
  int before = 0;
  cudaPointerAttributes of;
  if (gpu.open) grid_cuda_finish_stream();
  if (cudaGetDevice(&before) == cudaSuccess && cudaPointerGetAttributes(&of, p) == cudaSuccess) {
    cudaSetDevice(of.device);
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaSetDevice(before);
  }
  (void)cudaGetLastError();
}

// Queries the device at intervals, since a failed kernel writes nothing.
extern "C" GrB_Info grid_cuda_wait_counter(const unsigned long long *ticket_slot, uint64_t ticket) {
  const cudaStream_t stream = grid_cuda_stream();
  for (unsigned k = 1; __atomic_load_n(ticket_slot, __ATOMIC_ACQUIRE) != ticket; k++) {
    if (k % 4096) continue;
    GrB_Info info = gpu.check ? gpu.check() : GrB_SUCCESS;
    if (info != GrB_SUCCESS) return info;
    cudaError_t e = cudaStreamQuery(stream);
    if (e == cudaErrorNotReady) {
      (void)cudaGetLastError();
      continue;
    }
    if (e != cudaSuccess) return grid_cuda_check(e, "waiting for a count");
    if (__atomic_load_n(ticket_slot, __ATOMIC_ACQUIRE) != ticket)
      return grid_fail(NULL, GrB_PANIC, "the GPU has ended its work, but a count has not come");
  }
  trim_pool();
  return grid_device_check_failed();
}

// The host's threads copy one segment while the previous one is transferred.
static GrB_Info copy_staged(char *to, const char *from, uint64_t bytes) {
  for (uint64_t at = 0, k = 0; at < bytes; at += STAGE, k ^= 1) {
    const uint64_t n = bytes - at < STAGE ? bytes - at : STAGE;
    CHECK(cudaEventSynchronize(gpu.staged[k]), "copying");
    grid_copy_bytes(gpu.stage[k], from + at, n);
    CHECK(cudaMemcpyAsync(to + at, gpu.stage[k], n, cudaMemcpyHostToDevice, gpu.stream), "copying");
    CHECK(cudaEventRecord(gpu.staged[k], gpu.stream), "copying");
  }
  return GrB_SUCCESS;
}

static GrB_Info get_staged(char *to, const char *from, uint64_t bytes) {
  for (uint64_t at = 0, k = 0; at < bytes + STAGE; at += STAGE, k ^= 1) {
    if (at < bytes) {
      const uint64_t n = bytes - at < STAGE ? bytes - at : STAGE;
      CHECK(cudaMemcpyAsync(gpu.stage[k], from + at, n, cudaMemcpyDeviceToHost, gpu.stream), "copying");
      CHECK(cudaEventRecord(gpu.staged[k], gpu.stream), "copying");
    }
    if (at < STAGE) continue;
    const uint64_t before = at - STAGE, n = bytes - before < STAGE ? bytes - before : STAGE;
    CHECK(cudaEventSynchronize(gpu.staged[k ^ 1]), "copying");
    grid_copy_bytes(to + before, gpu.stage[k ^ 1], n);
  }
  return GrB_SUCCESS;
}

extern "C" void grid_cuda_set_small_reader(GrB_Info (*f)(void *to, const void *from, uint64_t bytes)) {
  gpu.small_reader = f;
}

static GrB_Info device_copy(void *to, const void *from, uint64_t bytes, int kind) {
  static const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                         cudaMemcpyDeviceToDevice};
  if (kind == 1 && bytes <= 64 && gpu.small_reader) return gpu.small_reader(to, from, bytes);
  const cudaStream_t stream = grid_cuda_stream();
  if (kind != 2 && gpu.check) {  // the copy itself could not be watched while it waits
    GrB_Info info = wait_stream("copying");
    if (info != GrB_SUCCESS) return info;
  }
  if (kind != 2 && bytes >= STAGED_FROM && stage_make()) {
    GrB_Info info = kind == 0 ? copy_staged((char *)to, (const char *)from, bytes)
                              : get_staged((char *)to, (const char *)from, bytes);
    if (info != GrB_SUCCESS) return info;
  } else {
    CHECK(cudaMemcpyAsync(to, from, bytes, kinds[kind], stream), "copying");
  }
  if (kind == 2) return GrB_SUCCESS;
  CHECK(cudaStreamSynchronize(stream), "copying");
  trim_pool();
  return GrB_SUCCESS;
}

static GrB_Info device_zero(void *p, uint64_t bytes) {
  return grid_cuda_check(cudaMemsetAsync(p, 0, bytes, grid_cuda_stream()), "clearing");
}

static GrB_Info device_wait(void) {
  GrB_Info info = wait_stream("waiting for the GPU");
  trim_pool();
  return info;
}

static void swap_buffers(void) {
  cudaStream_t s = gpu.stream;
  gpu.stream = gpu.other;
  gpu.other = s;
}

static GrB_Info use_side_stream(bool begin) {
  if (begin) {
    CHECK(cudaEventRecord(gpu.begun, grid_cuda_stream()), "sending work aside");
    CHECK(cudaStreamWaitEvent(gpu.other, gpu.begun, 0), "sending work aside");
    swap_buffers();
    return GrB_SUCCESS;
  }
  cudaError_t e = cudaEventRecord(gpu.done, grid_cuda_stream());
  swap_buffers();
  return grid_cuda_check(e, "sending work aside");
}

static GrB_Info device_wait_aside(void) {
  return grid_cuda_check(cudaStreamWaitEvent(grid_cuda_stream(), gpu.done, 0), "waiting for work sent aside");
}

static void device_watch(GrB_Info (*check)(void)) {
  gpu.check = check;
}

// A new thread of the program begins with GPU 0, and the program may choose another one.
static void enter_thread(void) {
  int current = -1;
  if (cudaGetDevice(&current) != cudaSuccess || current != gpu.number) cudaSetDevice(gpu.number);
  (void)cudaGetLastError();
}

extern "C" const grid_device_memory grid_cuda_memory = {
    device_open,       device_close, describe,    device_alloc, device_release,
    release_foreign,   device_copy,  device_zero, device_wait,  use_side_stream,
    device_wait_aside, device_watch, enter_thread};
