/* The stream of the context's GPU work, and work that is deferred from it; plain C, also for code that
 * passes it to a library (dist/comm/transport_nccl.c). */
#ifndef GRID_STREAM_H
#define GRID_STREAM_H
#include <stdint.h>

/* The stream of the context's work, in order (spmat/device/device.h); a cudaStream_t. */
struct CUstream_st *grid_cuda_stream(void);

/* The compute capability of the context's GPU, 90 for 9.0; 0: none is open. */
int grid_cuda_capability(void);

/* Defers work: launch, which puts it on the stream, is called once, before the stream is next returned.
 * Memory that is freed meanwhile keeps its contents. NULL: nothing is deferred. */
void grid_cuda_set_flush(void (*launch)(void));
/* How often the stream was requested. Once it has changed, deferred work has been launched. */
uint64_t grid_cuda_stream_use_count(void);

/* f is called before the device is closed, to drop loaded code. For few callers, each once. */
void grid_cuda_register_close(void (*f)(void));
#endif
