/* Products with matrices that are split by a threshold of delegates. */
#ifndef GRID_CUDA_DELEGATES_H
#define GRID_CUDA_DELEGATES_H
#include "dist/grid/layout.h"
#include "tests/cuda/products.h"

/* A pattern with a threshold: neither building it nor its products fall back to the CPU. Exceptions: a
 * hypersparse block, as on processes without rows of a small matrix; a program that alternates between the
 * devices; an operator without source text. */
static void divided(void) {
  const size_t users = 4; /* the kinds at the end */
  const kind *k = &kinds[draw(nkinds - users)];
  const bool plain = draw_one_in(2);
  const int32_t thresholds[] = {0, (int32_t)draw(8), (int32_t)draw(100), INT32_MAX, (int32_t)draw(8)};
  const int32_t threshold = thresholds[draw(5)];
  const int64_t before = count_fallbacks();
  const uint64_t longest = grid_tune.mxv_dense_max;
  set_current_call("a pattern to divide");
  if (!plain && draw_one_in(4))
    grid_tune.mxv_dense_max = 32; /* several processes: there only the block is used */
  if (plain) {
    rmat_graph(&drawn, 8 + (int)draw(3), 16, draw(100));
    drawn.mirror = draw_one_in(2), expand_tuples(&drawn);
  } else {
    const GrB_Index n = draw_size();
    draw_graph(&drawn, n, n);
  }
  GrB_Matrix A = pattern_of_graph(k->a);
  if (draw_one_in(3)) {
    OK(GrB_Matrix_set_INT32(A, threshold, Grid_DELEGATES));
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
  }
  multiply(k, A, "pattern", threshold);
  const bool all_have_rows = grid_chunk_length(drawn.nrows, grid_ctx.P - 1) > 0;
  const bool split_on_device = !grid_tune.uneven_partition; /* docs/limits.md */
  if (plain && !wandering && all_have_rows && split_on_device)
    record_number("done by the CPU", cpu_only ? 0 : count_fallbacks() - before);
  grid_tune.mxv_dense_max = longest;
}

static void delegates(void **state) {
  /* blocks with 64-bit offsets are split on the host */
  if (grid_tune.offsets64_from < UINT64_C(1) << 32) skip();
  run_rounds("delegates", 300, 20, divided);
}
#endif
