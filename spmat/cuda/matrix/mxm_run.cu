// Launches of the kernels of a product of matrices.
#include "spmat/cuda/matrix/mxm_run.cuh"

extern "C" unsigned grid_cuda_mxm_blocks(size_t shared, uint64_t rows) {
  const grid_cuda_limit limits = grid_cuda_limits();
  const size_t static_shared = 8 << 10, per_multiprocessor = limits.shared / (shared + static_shared),
               most = limits.threads / GRID_MXM_THREADS;
  const unsigned blocks =
      (unsigned)grid_cuda_multiprocessors() * (unsigned)(per_multiprocessor < 1      ? 1
                                                         : per_multiprocessor < most ? per_multiprocessor
                                                                                     : most);
  return blocks < rows ? blocks : (unsigned)rows;
}

extern "C" unsigned grid_cuda_mxm_warp_blocks(uint64_t rows) {
  return grid_cuda_blocks(rows, GRID_MXM_SHORT_THREADS / 32, 32u * (unsigned)grid_cuda_multiprocessors());
}

extern "C" GrB_Info grid_cuda_mxm_launch(const grid_mxm_run *x, const void *kernel, bool by_block,
                                         unsigned blocks, size_t shared, const void *a1, const void *b1,
                                         const char *what) {
  grid_mxm_job J = x->J;
  GrB_Info info;
  J.list = by_block ? x->rows.list : x->rows.list + x->rows.by_block;
  J.rows = by_block ? x->rows.by_block : x->rows.by_warp;
  J.next = x->next;
  TRY(grid_device_zero(x->next, sizeof *x->next));
  {
    void *args[] = {&J, const_cast<void *>(a1), const_cast<void *>(b1)};
    info = grid_jit_launch_shared(const_cast<void *>(kernel), blocks,
                                  by_block ? GRID_MXM_THREADS : GRID_MXM_SHORT_THREADS, shared, args, what);
  }
done:
  return info;
}
