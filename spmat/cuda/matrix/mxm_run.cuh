// Shared by the files of products of matrices on the device: one product, its rows by who computes them, and
// launches. mxm.cu describes how they fit together.
#ifndef GRID_CUDA_MXM_RUN_CUH
#define GRID_CUDA_MXM_RUN_CUH
#include "spmat/cuda/matrix/selected_entries.cuh"

#include "spmat/cuda/kernels/mxm_job.cuh"

// Rows with work: those for blocks first, longest first.
struct grid_mxm_shares {
  uint32_t *list;
  uint32_t by_block, by_warp;
};

struct grid_mxm_run {
  grid_mxm_job J;
  grid_mxm_shares rows;
  uint32_t *next;  // the next row
  void *bits, *sums;
  uint64_t products;      // of entries, where they were counted
  bool by_column;         // where not by dots, a sum for each column
  uint64_t full_columns;  // so many entries in each of B's rows that A names, and there is no mask; or 0
  bool masked_sums;       // by rows, with sums for the mask's entries
  uint64_t inspected;     // dots: entries of B that the mask's entries look up
  bool by_entry;          // dots: by the mask's entries, not by rows, which are not divided
  const void *a1, *b1;    // the values of iso operands, else any
};

// Under a mask that bounds C: a sum and a bit for each of its entries. Those with a set bit become C's.
struct grid_masked_sums {
  grid_selection found;
  void *val;     // NULL: only the pattern is made
  size_t value;  // size of a sum
};

extern "C" {
// mxm_masked.cu: none is found yet; x's kernels write them.
GrB_Info grid_masked_sums_make(grid_masked_sums *s, grid_mxm_run *x, const grid_lmat_product *m,
                               size_t value);
// t = those that were found.
GrB_Info grid_masked_sums_keep(grid_local_matrix *t, grid_masked_sums *s, const grid_local_matrix *mask);
void grid_masked_sums_free(grid_masked_sums *s);
// t = the product by rows, with those sums.
GrB_Info grid_cuda_mxm_masked(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m);

// mxm_run.cu. Number of blocks that run concurrently, limited by shared memory. Each takes one row after the
// other, so that more would not help.
unsigned grid_cuda_mxm_blocks(size_t shared, uint64_t rows);
// Blocks for rows of warps, which are taken in a grid-stride loop.
unsigned grid_cuda_mxm_warp_blocks(uint64_t rows);
// Runs a kernel on the rows of blocks, or on those of warps.
GrB_Info grid_cuda_mxm_launch(const grid_mxm_run *x, const void *kernel, bool by_block, unsigned blocks,
                              size_t shared, const void *a1, const void *b1, const char *what);

// mxm_work.cu: gives A's rows to blocks and warps. *dots: by dots, not by rows; bounded: the mask bounds C.
GrB_Info grid_cuda_mxm_divide(grid_mxm_run *x, const grid_lmat_product *m, bool bounded, bool *dots);
// mxm_full.cu: *columns = the entries of each of B's rows that A names, if these are full, and there is no
// mask; else 0. t = the product then.
GrB_Info grid_cuda_find_full_columns(uint64_t *columns, const grid_lmat_product *m);
GrB_Info grid_cuda_mxm_full(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m);
// mxm_dots.cu: t = the product, by dots.
GrB_Info grid_cuda_mxm_dots(grid_mxm_run *x, grid_local_matrix *t, const grid_lmat_product *m);
}
#endif
