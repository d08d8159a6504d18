/* The CUDA backend's table, and its rows for local matrices. */
#include "spmat/cuda/graph/cuda_graph.h"
#include "spmat/cuda/matrix/cuda_matrix.h"
#include "spmat/cuda/product/cuda_product.h"
#include "spmat/cuda/vector/cuda_chunk.h"

extern const grid_device_memory grid_cuda_memory;
extern const grid_device_marks grid_cuda_marks;
extern const grid_device_timer grid_cuda_timer;
extern const struct grid_builder grid_cuda_builder;
extern const grid_device_division grid_cuda_division;
extern const grid_search_engine grid_cuda_search;
extern const grid_device_lists grid_cuda_lists;
extern const struct grid_device_sparse_exchange grid_cuda_sparse_exchange;
extern const grid_device_paging grid_cuda_paging;
extern const grid_level_kernels grid_cuda_levels;
extern const grid_windows grid_cuda_windows;
GrB_Info grid_cuda_materialize(grid_materialize *jobs, int n);
GrB_Info grid_cuda_or_words(uint64_t *to, const uint64_t *from, uint64_t n, uint64_t copies);
uint64_t grid_cuda_sort_bytes(uint64_t n);
void grid_cuda_load_search(void);

static const grid_lmat_ops grid_cuda_lmat_ops = {.apply = grid_cuda_lmat_apply,
                                                 .apply_bound = grid_cuda_lmat_apply_bound,
                                                 .apply_index = grid_cuda_lmat_apply_index,
                                                 .select = grid_cuda_lmat_select,
                                                 .sum = grid_cuda_lmat_sum,
                                                 .ewise_union = grid_cuda_lmat_union,
                                                 .intersect = grid_cuda_lmat_intersect,
                                                 .plan_accumulation = grid_cuda_plan_accumulation,
                                                 .accumulate = grid_cuda_accumulate,
                                                 .cast = grid_cuda_lmat_cast,
                                                 .fill_mask = grid_cuda_lmat_fill_mask,
                                                 .transpose = grid_cuda_lmat_transpose,
                                                 .copy_rows = grid_cuda_lmat_copy_rows,
                                                 .expand_hyper = grid_cuda_lmat_expand_hyper,
                                                 .diagonal = grid_cuda_lmat_diagonal,
                                                 .index_matrix = grid_cuda_lmat_index_matrix,
                                                 .best_label = grid_cuda_lmat_best_label,
                                                 .move_labels = grid_cuda_lmat_move_labels,
                                                 .peel = grid_cuda_lmat_peel,
                                                 .distances = grid_cuda_lmat_distances,
                                                 .color = grid_cuda_lmat_color,
                                                 .walk = grid_cuda_lmat_walk,
                                                 .path = grid_cuda_lmat_path,
                                                 .sample = grid_cuda_lmat_sample,
                                                 .extract = grid_cuda_lmat_extract,
                                                 .scatter = grid_cuda_lmat_scatter,
                                                 .assign = grid_cuda_lmat_assign,
                                                 .fill_region = grid_cuda_lmat_fill_region,
                                                 .kron = grid_cuda_lmat_kron,
                                                 .multiply = grid_cuda_multiply,
                                                 .row_ends = grid_cuda_lmat_row_ends,
                                                 .bin_entries = grid_cuda_lmat_bin_entries,
                                                 .get_vector = grid_cuda_lmat_get_vector,
                                                 .element = grid_cuda_lmat_get_element};

/* CUDA loads code, and makes its pools of memory, at their first use, which takes milliseconds each. A
 * failure comes again where it matters. */
static void prepare(void) {
  enum { BYTES = 16 };
  grid_tally t;
  void *p = grid_cuda_memory.alloc(BYTES);
  if (p) grid_cuda_memory.release(p, BYTES);
  (void)grid_cuda_tally(&t); /* page-locked memory */
  (void)grid_cuda_sort_bytes(1);
  grid_cuda_load_search();
}

static const grid_backend cuda = {.name = "cuda",
                                  .memory = &grid_cuda_memory,
                                  .marks = &grid_cuda_marks,
                                  .timer = &grid_cuda_timer,
                                  .lmat_ops = &grid_cuda_lmat_ops,
                                  .chunks = &grid_cuda_chunks,
                                  .vectors = &grid_cuda_vectors,
                                  .lists = &grid_cuda_lists,
                                  .sparse_exchange = &grid_cuda_sparse_exchange,
                                  .paging = &grid_cuda_paging,
                                  .kernels = grid_cuda_product_kernels,
                                  .products = &grid_cuda_products,
                                  .builder = &grid_cuda_builder,
                                  .division = &grid_cuda_division,
                                  .search = &grid_cuda_search,
                                  .materialize = grid_cuda_materialize,
                                  .levels = &grid_cuda_levels,
                                  .windows = &grid_cuda_windows,
                                  .or_words = grid_cuda_or_words,
                                  .prepare = prepare};
const grid_backend *const grid_backend_cuda = &cuda;
