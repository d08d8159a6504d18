/* Shared by the host files of the CUDA backend for vectors; plain C. The functions implement rows of
 * spmat/vector/backend.h. */
#ifndef GRID_CUDA_CHUNK_H
#define GRID_CUDA_CHUNK_H
#include "spmat/backend.h"
#include "spmat/cuda/vector/host_results.h"

/* Sets c's number of entries, counted under t: now, or when it is read. */
GrB_Info grid_cuda_defer_count(grid_chunk *c, const grid_tally *t);

/* Threads of a block, and blocks, for a pass over the tiles of n indices (kernels/bitmap_tile.cuh). */
#define GRID_TILE_THREADS 256
unsigned grid_cuda_tile_blocks(uint64_t n);

/* The kernel of vec_write.cuh for values that are copied, of 1, 2, 4, 8 or 16 bytes; NULL for others. */
void *grid_cuda_write_kernel(size_t size);
/* The kernel of vec_bits.cuh. */
void *grid_cuda_bits_kernel(void);

extern const grid_device_chunks grid_cuda_chunks; /* vec_write.c, chunk.cu */
extern const grid_vec_ops grid_cuda_vectors;      /* vec_cuda.c */

GrB_Info grid_cuda_fill(void *to, const void *x, size_t size, uint64_t count);
GrB_Info grid_cuda_scatter(uint64_t *bits, void *val, const uint64_t *idx, const void *packed, uint64_t nvals,
                           size_t size);
GrB_Info grid_cuda_list(uint64_t *idx, void *packed, const uint64_t *bits, const void *val, size_t size,
                        uint64_t n, uint64_t first, uint64_t *counter);
GrB_Info grid_cuda_copy_values(void *to, const uint64_t *bits, const void *val, size_t size, uint64_t n);
GrB_Info grid_cuda_pack_values(void *packed, uint32_t *start, uint32_t *counter, const uint64_t *bits,
                               const void *val, size_t size, uint64_t n);
GrB_Info grid_cuda_unpack_values(void *val, const uint64_t *bits, const uint32_t *start, const void *packed,
                                 size_t size, uint64_t n);
GrB_Info grid_cuda_scatter_short_list(uint64_t *bits, void *val, uint64_t n, const uint64_t *idx,
                                      const void *packed, uint32_t nvals, size_t size);
GrB_Info grid_cuda_entry(uint64_t *bits, void *val, uint64_t k, uint64_t i, const void *x, size_t size,
                         bool is_present);
GrB_Info grid_cuda_combine(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how, uint64_t n,
                           uint64_t *count);
/* The same, with the count published under t. */
GrB_Info grid_cuda_combine_counted(uint64_t *to, const uint64_t *a, const uint64_t *b, grid_bitmap_op how,
                                   uint64_t n, const grid_tally *t);
GrB_Info grid_cuda_mark_nonzero(uint64_t *to, const uint64_t *bits, const void *val, GrB_Type type,
                                uint64_t n);
#endif
