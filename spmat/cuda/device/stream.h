/* The stream of this process's GPU work, for C sources that hand it to a library
 * (dist/grid/transport_nccl.c). */
#ifndef GRID_CUDA_STREAM_H
#define GRID_CUDA_STREAM_H

struct CUstream_st *grid_cuda_stream(void); /* a cudaStream_t */
#endif
