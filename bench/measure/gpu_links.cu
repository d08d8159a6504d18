// The link speeds of several GPUs of one machine, from which bench/gpu.sh computes lower bounds: mpirun -n P
// gpu_links, a process for each GPU. Process 0 prints, of the slowest process and the median of a few tries:
//   barrier_us      a barrier: each GPU writes a flag into every other one's memory and waits for theirs
//   fetch_GB_per_s  each reads 16 MiB from every other one, all at the same time
//   wake_us         a barrier after the links were idle for a second
// Exit status: 0, 2 after an error, 77 where there is no GPU.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <algorithm>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace {

constexpr int STATUS_ERROR = 2, STATUS_NO_GPU = 77;
constexpr int MOST = 32;  // processes: a lane of a warp for each
constexpr int TRIES = 5, BARRIERS = 1000, THREADS = 512;
constexpr int LOADS = 4;  // in flight for each thread
constexpr size_t FETCHED = 16 << 20, WORDS = FETCHED / sizeof(uint4);

struct alignas(128) flag_line {  // a cache line each, to avoid false sharing
  uint64_t turn;
};

struct window {  // accessible to the other GPUs
  flag_line flags[2][MOST];
  uint4 words[WORDS];
};

struct all_windows {
  window *at[MOST];
  int rank, count;
};

struct links {
  all_windows windows;
  uint4 *fetched;  // from each GPU
  uint64_t *ns;
  uint64_t turn;
  int blocks;
  cudaEvent_t start, end;
};

// ---- on the GPU ---------------------------------------------------------------------------------------

using shared_word = cuda::atomic_ref<uint64_t, cuda::thread_scope_system>;

__device__ uint64_t now() {
  uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

// Even and odd turns have their own flags, since a GPU may be one turn ahead of another.
__device__ void barrier(const all_windows &w, uint64_t turn) {
  const int other = threadIdx.x;
  if (other < w.count) {
    shared_word outgoing(w.at[other]->flags[turn % 2][w.rank].turn);
    shared_word incoming(w.at[w.rank]->flags[turn % 2][other].turn);
    outgoing.store(turn, cuda::std::memory_order_release);
    while (incoming.load(cuda::std::memory_order_relaxed) != turn) {
    }
    (void)incoming.load(cuda::std::memory_order_acquire);
  }
  __syncwarp();
}

__global__ void barrier_loop(all_windows w, uint64_t turn, int times, uint64_t *ns) {
  const uint64_t start = now();
  for (int k = 0; k < times; k++) barrier(w, turn + k);
  if (threadIdx.x == 0) *ns = now() - start;
}

__global__ void fetch(all_windows w, uint4 *to) {
  const size_t step = (size_t)gridDim.x * blockDim.x, first = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  for (int d = 1; d < w.count; d++) {
    const int other = (w.rank + d) % w.count;  // not all from the same one at once
    const uint4 *remote = w.at[other]->words;
    uint4 *memory = to + other * WORDS;
    for (size_t i = first; i < WORDS; i += LOADS * step) {
      uint4 x[LOADS];
#pragma unroll
      for (int k = 0; k < LOADS; k++)
        if (i + k * step < WORDS) x[k] = __ldcv(remote + i + k * step);
#pragma unroll
      for (int k = 0; k < LOADS; k++)
        if (i + k * step < WORDS) memory[i + k * step] = x[k];
    }
  }
}

// ---- errors -------------------------------------------------------------------------------------------

int process, processes;

// Ends all processes, since the others would wait for this one.
void check(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "gpu_links: process %d: %s: %s\n", process, what, cudaGetErrorString(e));
  MPI_Abort(MPI_COMM_WORLD, STATUS_ERROR);
  abort();  // MPI_Abort does not come back, which the compiler does not know
}

int least_of_all(int value) {
  int least = 0;
  MPI_Allreduce(&value, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

bool one_machine() {
  MPI_Comm machine;
  int local_size = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &local_size);
  MPI_Comm_free(&machine);
  return least_of_all(local_size) == processes;
}

// Says why there is nothing to measure here, as all processes see it: the exit status, 0 if there is.
int unfit() {
  int gpus = 0, status = STATUS_ERROR;
  char why[200] = "";
  const cudaError_t e = cudaGetDeviceCount(&gpus);
  const bool together = one_machine();
  gpus = least_of_all(e == cudaSuccess ? gpus : 0);
  if (gpus == 0) {
    status = STATUS_NO_GPU;
    snprintf(why, sizeof why, "there is no GPU here: %s",
             e != cudaSuccess ? cudaGetErrorString(e) : "a process sees none");
  } else if (processes == 1) {
    snprintf(why, sizeof why,
             "one process alone has no links to measure: mpirun -n P, a process for each GPU");
  } else if (processes > MOST) {
    snprintf(why, sizeof why, "%d processes are too many, at most %d", processes, MOST);
  } else if (!together) {
    snprintf(why, sizeof why, "the processes are not all on one machine");
  } else if (gpus < processes) {
    snprintf(why, sizeof why, "%d processes need a GPU each, there %s only %d", processes,
             gpus == 1 ? "is" : "are", gpus);
  } else {
    return 0;
  }
  if (process == 0) fprintf(stderr, "gpu_links: %s\n", why);
  return status;
}

// ---- memory that all see ------------------------------------------------------------------------------

void open_windows(all_windows *w) {
  cudaIpcMemHandle_t handle, all[MOST];
  window *memory = NULL;
  check(cudaMalloc(&memory, sizeof *memory), "memory that the others may see");
  check(cudaMemset(memory, 0, sizeof *memory), "clearing memory");
  check(cudaDeviceSynchronize(), "clearing memory");
  check(cudaIpcGetMemHandle(&handle, memory), "naming memory for other processes");
  MPI_Allgather(&handle, sizeof handle, MPI_BYTE, all, sizeof handle, MPI_BYTE, MPI_COMM_WORLD);
  w->rank = process;
  w->count = processes;
  w->at[process] = memory;
  for (int p = 0; p < processes; p++)
    if (p != process)
      check(cudaIpcOpenMemHandle((void **)&w->at[p], all[p], cudaIpcMemLazyEnablePeerAccess),
            "opening another process's memory");
}

// Memory goes when nobody has it open.
void close_windows(const all_windows *w) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int p = 0; p < processes; p++)
    if (p != process) check(cudaIpcCloseMemHandle(w->at[p]), "closing another process's memory");
  MPI_Barrier(MPI_COMM_WORLD);
  check(cudaFree(w->at[process]), "freeing memory");
}

void open_links(links *l) {
  int multiprocessors = 0;
  check(cudaSetDevice(process), "choosing the GPU");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, process), "asking the GPU");
  open_windows(&l->windows);
  check(cudaMalloc(&l->fetched, processes * FETCHED), "memory for what is fetched");
  check(cudaMalloc(&l->ns, sizeof *l->ns), "memory for a time");
  check(cudaEventCreate(&l->start), "making an event");
  check(cudaEventCreate(&l->end), "making an event");
  l->turn = 1;  // the flags are 0
  l->blocks = 2 * multiprocessors;
}

void close_links(links *l) {
  close_windows(&l->windows);
  check(cudaEventDestroy(l->start), "an event");
  check(cudaEventDestroy(l->end), "an event");
  check(cudaFree(l->ns), "freeing memory");
  check(cudaFree(l->fetched), "freeing memory");
}

// ---- measuring ----------------------------------------------------------------------------------------

double slowest(double seconds) {
  double all = 0;
  MPI_Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double barrier_us(links *l, int times) {
  uint64_t ns = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  barrier_loop<<<1, MOST>>>(l->windows, l->turn, times, l->ns);
  check(cudaGetLastError(), "starting to meet");
  check(cudaMemcpy(&ns, l->ns, sizeof ns, cudaMemcpyDeviceToHost), "meeting");
  l->turn += times;
  return slowest(ns / 1e3 / times);
}

double barrier_loop_us(links *l) {
  return barrier_us(l, BARRIERS);
}

double wake_us(links *l) {
  MPI_Barrier(MPI_COMM_WORLD);
  sleep(1);
  // The processor and the local GPU wake up too, which is not what is asked for.
  check(cudaMemset(l->ns, 0, sizeof *l->ns), "waking the GPU");
  check(cudaDeviceSynchronize(), "waking the GPU");
  return barrier_us(l, 1);
}

double fetch_GB_per_s(links *l) {
  float ms = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  check(cudaEventRecord(l->start), "an event");
  fetch<<<l->blocks, THREADS>>>(l->windows, l->fetched);
  check(cudaGetLastError(), "starting to fetch");
  check(cudaEventRecord(l->end), "an event");
  check(cudaEventSynchronize(l->end), "fetching");
  check(cudaEventElapsedTime(&ms, l->start, l->end), "an event");
  return (processes - 1.0) * FETCHED / 1e6 / slowest(ms);
}

// One try before them is not counted: it wakes the links, and kernels are loaded in it.
void print_median(const char *key, double (*measure)(links *), links *l) {
  double tried[TRIES];
  (void)measure(l);
  for (double &x : tried) x = measure(l);
  std::sort(tried, tried + TRIES);
  if (process == 0) printf("%-31s%.4g\n", key, tried[TRIES / 2]);
}

}  // namespace

int main(int argc, char **argv) {
  links l = {};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int status = unfit();
  if (status == 0) {
    open_links(&l);
    print_median("barrier_us:", barrier_loop_us, &l);
    print_median("fetch_GB_per_s:", fetch_GB_per_s, &l);
    print_median("wake_us:", wake_us, &l);
    close_links(&l);
  }
  MPI_Finalize();
  return status;
}
