/* The stream of this process's GPU work, and work that is held back from it; plain C, for those who hand it
 * to a library (dist/comm/transport_nccl.c), too. */
#ifndef GRID_STREAM_H
#define GRID_STREAM_H
#include <stdint.h>

/* The stream that this process's work goes through, in order (spmat/device/device.h); a cudaStream_t. */
struct CUstream_st *grid_cuda_stream(void);

/* Work is held back until somebody asks for the stream: launch, which sends it there, is called before he
 * gets it, once. Memory that is freed meanwhile stays what it is. NULL: nothing is held. */
void grid_cuda_set_flush(void (*launch)(void));
/* How often the stream has been asked for: what was held back when this has changed is not any more. */
uint64_t grid_cuda_stream_use_count(void);

/* f is called before the device is closed: what was loaded goes with it. Few may ask for it, each once. */
void grid_cuda_register_close(void (*f)(void));
#endif
