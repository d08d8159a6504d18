/* Rows of the CUDA backend's table that compute on the graph of a matrix (spmat/lmat_ops.h); plain C. */
#ifndef GRID_CUDA_GRAPH_H
#define GRID_CUDA_GRAPH_H
#include "spmat/cuda/matrix/cuda_matrix.h"

GrB_Info grid_cuda_lmat_best_label(grid_chunk *t, const grid_label_operands *x, bool *bad);
GrB_Info grid_cuda_lmat_move_labels(grid_chunk *t, uint64_t *moves, const grid_label_move_operands *x,
                                    bool *bad);
GrB_Info grid_cuda_lmat_peel(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x);
GrB_Info grid_cuda_lmat_distances(const grid_distance_operands *x);
GrB_Info grid_cuda_lmat_color(grid_chunk *t, uint64_t *colors, const grid_color_operands *x);
GrB_Info grid_cuda_lmat_walk(grid_local_matrix *t, const grid_walk_operands *x, bool *bad);
GrB_Info grid_cuda_lmat_path(uint32_t **path, int64_t *length, const grid_local_matrix *a, uint32_t source,
                             uint32_t target);
GrB_Info grid_cuda_lmat_sample(grid_local_matrix *t, grid_chunk *columns, const grid_sample_operands *x);
#endif
