// Pages of a matrix that does not fit the device (spmat/convert/lmat_pages.h): copies concurrent with other
// work. page_decode.cu decodes the pages.
#include <stdlib.h>
#include <sys/mman.h>

#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "spmat/convert/lmat_pages.h"
#include "spmat/cuda/product/page_decode.h"
}

namespace {

struct {
  cudaStream_t stream, other;  // for pages; for the CPU's operands and results. NULL: not open yet
  cudaEvent_t begun, uploaded, sent[GRID_PAGE_SLOTS], used[GRID_PAGE_SLOTS];
  cudaEvent_t page[GRID_PAGES_PREFETCH];  // completion of page k: k modulo their number
  uint64_t issued, done;
} default_pipeline GRID_OF_CONTEXT;
#define pipeline GRID_IN_CONTEXT(default_pipeline)

void drop_event(cudaEvent_t *e) {
  if (*e) cudaEventDestroy(*e);
  *e = NULL;
}

// Also closes a partly opened pipeline.
void close_pipeline() {
  drop_event(&pipeline.begun);
  drop_event(&pipeline.uploaded);
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) {
    drop_event(&pipeline.sent[s]);
    drop_event(&pipeline.used[s]);
  }
  for (int k = 0; k < GRID_PAGES_PREFETCH; k++) drop_event(&pipeline.page[k]);
  if (pipeline.other) cudaStreamDestroy(pipeline.other);
  if (pipeline.stream) cudaStreamDestroy(pipeline.stream);
  pipeline.stream = pipeline.other = NULL;
}

GrB_Info make_event(cudaEvent_t *e) {
  return grid_cuda_check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "making an event");
}

GrB_Info open_pipeline() {
  GrB_Info info = GrB_SUCCESS;
  if (pipeline.stream) return info;
  TRY(make_event(&pipeline.begun));
  TRY(make_event(&pipeline.uploaded));
  for (int k = 0; k < GRID_PAGES_PREFETCH; k++) TRY(make_event(&pipeline.page[k]));
  for (int s = 0; s < GRID_PAGE_SLOTS; s++) {
    TRY(make_event(&pipeline.sent[s]));
    TRY(make_event(&pipeline.used[s]));
  }
  TRY(grid_cuda_check(cudaStreamCreateWithFlags(&pipeline.other, cudaStreamNonBlocking), "making a stream"));
  TRY(grid_cuda_check(cudaStreamCreateWithFlags(&pipeline.stream, cudaStreamNonBlocking), "making a stream"));
  grid_cuda_register_close(close_pipeline);
done:
  if (info != GrB_SUCCESS) close_pipeline();
  return info;
}

GrB_Info wait_event(cudaStream_t stream, cudaEvent_t e) {
  return grid_cuda_check(cudaStreamWaitEvent(stream, e, 0), "sending a page");
}
GrB_Info mark(cudaEvent_t e, cudaStream_t stream) {
  return grid_cuda_check(cudaEventRecord(e, stream), "sending a page");
}

// Memory that the CPU reads at random is in pages of 2 MiB, if the system has any, so that fewer page-table
// entries are needed.
enum { HUGE_PAGE = 2 << 20 };

// For vectors, for example; NULL: impossible.
void *lock_large(uint64_t bytes) {
  const uint64_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  void *p = aligned_alloc(HUGE_PAGE, whole);
  if (!p) return NULL;
  madvise(p, whole, MADV_HUGEPAGE);
  if (cudaHostRegister(p, whole, cudaHostRegisterDefault) == cudaSuccess) return p;
  (void)cudaGetLastError();
  free(p);
  return NULL;
}

void *lock(uint64_t bytes) {
  enum { MAX_HUGE_PAGES = 1024 };  // huge pages: a matrix is read sequentially
  void *p = bytes >= HUGE_PAGE && bytes <= (uint64_t)MAX_HUGE_PAGES * HUGE_PAGE ? lock_large(bytes) : NULL;
  if (p || cudaHostAlloc(&p, bytes ? bytes : 1, cudaHostAllocDefault) == cudaSuccess) return p;
  (void)cudaGetLastError();
  return NULL;
}

void unlock(void *p) {
  if (cudaHostUnregister(p) == cudaSuccess) {
    free(p);
    return;
  }
  (void)cudaGetLastError();  // not registered: allocated by the driver
  cudaFreeHost(p);
}

bool register_host(const void *p, uint64_t bytes) {
  if (cudaHostRegister((void *)p, bytes, cudaHostRegisterReadOnly) == cudaSuccess) return true;
  (void)cudaGetLastError();
  if (cudaHostRegister((void *)p, bytes, cudaHostRegisterDefault) == cudaSuccess) return true;
  (void)cudaGetLastError();
  return false;
}

void unregister_host(const void *p) {
  cudaHostUnregister((void *)p);
}

GrB_Info begin() {
  GrB_Info info = open_pipeline();
  if (info == GrB_SUCCESS) info = mark(pipeline.begun, grid_cuda_stream());
  if (info == GrB_SUCCESS) info = wait_event(pipeline.other, pipeline.begun);
  return info == GrB_SUCCESS ? wait_event(pipeline.stream, pipeline.begun) : info;
}

GrB_Info send(int slot, void *to, const void *from, uint64_t bytes) {
  GrB_Info info = GrB_SUCCESS;
  TRY(wait_event(pipeline.stream, pipeline.used[slot]));
  TRY(grid_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, pipeline.stream),
                      "sending a page"));
  TRY(mark(pipeline.sent[slot], pipeline.stream));
done:
  return info;
}

GrB_Info load_slot(int slot) {
  return wait_event(grid_cuda_stream(), pipeline.sent[slot]);
}

GrB_Info release_slot(int slot) {
  return mark(pipeline.used[slot], grid_cuda_stream());
}

GrB_Info wait_pending(uint64_t most) {
  GrB_Info info = GrB_SUCCESS;
  for (; pipeline.issued - pipeline.done > most; pipeline.done++)
    TRY(grid_cuda_check(cudaEventSynchronize(pipeline.page[pipeline.done % GRID_PAGES_PREFETCH]),
                        "waiting for a page"));
done:
  return info;
}

GrB_Info issued() {
  GrB_Info info = GrB_SUCCESS;
  TRY(wait_pending(GRID_PAGES_PREFETCH - 1));  // the event is reused
  TRY(mark(pipeline.page[pipeline.issued % GRID_PAGES_PREFETCH], grid_cuda_stream()));
  pipeline.issued++;
done:
  return info;
}

uint64_t count_pending() {
  while (pipeline.done < pipeline.issued &&
         cudaEventQuery(pipeline.page[pipeline.done % GRID_PAGES_PREFETCH]) == cudaSuccess)
    pipeline.done++;
  (void)cudaGetLastError();  // "not ready" is no error
  return pipeline.issued - pipeline.done;
}

GrB_Info fetch(void *to, const void *from, uint64_t bytes) {
  return grid_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, pipeline.other),
                         "fetching a vector");
}

GrB_Info wait_fetch() {
  return grid_cuda_check(cudaStreamSynchronize(pipeline.other), "waiting for a vector");
}

GrB_Info upload(void *to, const void *from, uint64_t bytes) {
  GrB_Info info = grid_cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, pipeline.other),
                                  "bringing a result");
  if (info == GrB_SUCCESS) info = mark(pipeline.uploaded, pipeline.other);
  return info == GrB_SUCCESS ? wait_event(grid_cuda_stream(), pipeline.uploaded) : info;
}

GrB_Info end() {
  GrB_Info info = grid_cuda_check(cudaStreamSynchronize(pipeline.stream), "waiting for pages");
  return info == GrB_SUCCESS ? wait_fetch() : info;
}

}  // namespace

extern "C" const grid_device_paging grid_cuda_paging = {lock,
                                                        unlock,
                                                        register_host,
                                                        unregister_host,
                                                        begin,
                                                        send,
                                                        load_slot,
                                                        release_slot,
                                                        issued,
                                                        count_pending,
                                                        wait_pending,
                                                        fetch,
                                                        wait_fetch,
                                                        upload,
                                                        end,
                                                        grid_cuda_page_decode,
                                                        grid_cuda_coded_rows_decode,
                                                        grid_cuda_page_edges_count};
