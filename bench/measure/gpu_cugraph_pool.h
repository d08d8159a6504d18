/* cuGraph's memory and stream, which its C interface does not reach. */
#ifndef GRID_GPU_CUGRAPH_POOL_H
#define GRID_GPU_CUGRAPH_POOL_H
#ifdef __cplusplus
extern "C" {
#endif
/* From now on cuGraph takes its device memory from a pool. */
void gpu_cugraph_use_pool(void);
/* Waits until the GPU has done all that it was given. */
void gpu_cugraph_finish(void);
#ifdef __cplusplus
}
#endif
#endif
