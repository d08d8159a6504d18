/* The link between the host's memory and the GPU. */
#ifndef GRID_GPU_COPIES_H
#define GRID_GPU_COPIES_H
/* Bytes a second from page-locked host memory to the GPU, in copies of so many bytes one behind the other; 0:
 * it cannot be measured. */
double gpu_copy_rate(unsigned long long bytes);
#endif
