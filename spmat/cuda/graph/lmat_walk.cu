// Random walks (Grid_Matrix_walk): a thread takes a walk to its end. The vertices of a walk lie one after
// another in an array with space for all steps of all walks, from which the rows of the result are made. The
// sums of a row's weights are made in the order of its entries, so that they are those of the CPU.
#include "spmat/cuda/gather/index_values.cuh"
#include "spmat/cuda/matrix/rows_of_counts.cuh"
extern "C" {
#include "spmat/cuda/graph/cuda_graph.h"
#include "spmat/walk_steps.h"
}

namespace {

struct job {
  grid_walk_rules rules;
  position_list start;
  uint32_t *vertex;  // (length + 1) for each walk
  uint64_t *visits;  // of each walk
  uint32_t *wrong;   // not 0: a start is no vertex, or a weight is below 0 or not finite
};

// The rules with what is known here about the arrays.
__device__ __forceinline__ grid_walk_rules rules_of(const job &J) {
  grid_walk_rules r = J.rules;
  r.rows.arrays.indptr_bytes = r.rows.arrays.indices_bytes = 4;
  r.rows.arrays.first = 0;
  return r;
}

// The sum of the weights up to each entry of a row; a warp takes a row.
__global__ void sum_weights(const __grid_constant__ job J) {
  const grid_walk_rules r = rules_of(J);
  const unsigned lane = threadIdx.x & 31;
  bool wrong = false;
  for (uint64_t v = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; v < r.rows.arrays.count;
       v += gridDim.x * (uint64_t)blockDim.x / 32) {
    const uint64_t end = grid_walk_row(&r.rows, v + 1);
    double sum = 0;
    for (uint64_t begin = grid_walk_row(&r.rows, v); begin < end; begin += 32) {
      const uint64_t e = begin + lane;
      const double x = e < end ? grid_walk_weight(&r.rows, e) : 0;
      const unsigned entries = end - begin < 32 ? (unsigned)(end - begin) : 32;
      double lane_sum = 0;
      for (unsigned k = 0; k < entries; k++) {
        sum += __shfl_sync(~0u, x, k);
        if (k == lane) lane_sum = sum;
      }
      if (e < end) r.rows.sums[e] = lane_sum;
      wrong |= !(x >= 0);
    }
    wrong |= !isfinite(sum);
  }
  if (wrong) *J.wrong = 1;
}

// Returns the number of vertices, which are written to `to`.
__device__ __forceinline__ uint64_t take_walk(const grid_walk_rules &r, uint64_t walk, uint64_t vertex,
                                              uint32_t *to) {
  grid_walker w = grid_walk_begin(walk, vertex);
  to[0] = (uint32_t)vertex;
  for (;;) {
    const grid_walk_outcome outcome = grid_walker_advance(&w, &r);
    if (outcome == GRID_WALK_ENDS) return w.step + (uint64_t)1;
    if (outcome == GRID_WALK_HAS_STEPPED) to[w.step] = (uint32_t)w.at;
  }
}

__global__ void take_walks(const __grid_constant__ job J) {
  const grid_walk_rules r = rules_of(J);
  GRID_FOR(k, J.start.n) {
    uint64_t visits = 0;
    if (has(J.start.bits, k)) {
      const uint64_t v = position_at(J.start, k);
      if (v < J.start.limit)
        visits = take_walk(r, k, v, J.vertex + k * (r.length + 1));
      else
        *J.wrong = 1;
    }
    J.visits[k] = visits;
  }
}

// A warp writes a row of the result.
__global__ void write_rows(const uint32_t *ptr, uint64_t walks, const uint32_t *vertex, uint64_t stride,
                           uint32_t *idx, int64_t *val) {
  const unsigned lane = threadIdx.x & 31;
  for (uint64_t k = (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x) / 32; k < walks;
       k += gridDim.x * (uint64_t)blockDim.x / 32) {
    const uint32_t begin = ptr[k], visits = ptr[k + 1] - begin;
    for (uint32_t s = lane; s < visits; s += 32) {
      idx[begin + s] = s;
      val[begin + s] = vertex[k * stride + s];
    }
  }
}

// Blocks of 256 threads, a warp for each of n rows.
unsigned blocks_of_warps(uint64_t n) {
  return grid_cuda_blocks(n, 8, 32u * (unsigned)grid_cuda_multiprocessors());
}

// Sets the weights, of FP64, and their sums; *one, freed by the caller, is that of an iso matrix.
GrB_Info set_weights(job *J, const grid_local_matrix *a, double **one) {
  grid_walk_rows *rows = &J->rules.rows;
  GrB_Info info = GrB_SUCCESS;
  rows->iso = a->iso, rows->weight = (const double *)a->by_row.val;
  if (a->iso) {
    TRY(grid_device_send(one, a->iso_val, 1, sizeof **one, "a weight"));
    rows->weight = *one;
  }
  rows->sums = (double *)grid_device_malloc(a->nvals, sizeof *rows->sums);
  if (!rows->sums) TRY(grid_device_fail_memory(NULL, "sums of weights", a->nvals, sizeof *rows->sums));
  sum_weights<<<blocks_of_warps(rows->arrays.count), 256, 0, grid_cuda_stream()>>>(*J);
  info = grid_cuda_check_launch("sums of weights");
done:
  return info;
}

// t's rows, from the walks.
GrB_Info make_rows(grid_local_matrix *t, const job *J) {
  const uint64_t walks = J->start.n;
  GrB_Info info;
  TRY(grid_cuda_rows_of_counts(t, J->visits, t->row.n));
  t->by_row.val = grid_device_malloc(t->nvals, sizeof(int64_t));
  if (!t->by_row.val) TRY(grid_device_fail_memory(NULL, "vertices of walks", t->nvals, sizeof(int64_t)));
  write_rows<<<blocks_of_warps(walks), 256, 0, grid_cuda_stream()>>>(
      t->by_row.ptr, walks, J->vertex, J->rules.length + 1, t->by_row.idx, (int64_t *)t->by_row.val);
  info = grid_cuda_check_launch("vertices of walks");
done:
  return info;
}

// Takes the walks, unless a weight is wrong, which could keep one from ending. *wrong: a weight or a start.
GrB_Info run(const job *J, uint32_t *wrong) {
  GrB_Info info;
  TRY(grid_cuda_fetch(wrong, J->wrong));
  if (*wrong) goto done;
  take_walks<<<grid_cuda_blocks(J->start.n, 128, UINT_MAX / 2), 128, 0, grid_cuda_stream()>>>(*J);
  TRY(grid_cuda_check_launch("walks"));
  info = grid_cuda_fetch(wrong, J->wrong);
done:
  return info;
}

}  // namespace

extern "C" GrB_Info grid_cuda_lmat_walk(grid_local_matrix *t, const grid_walk_operands *x, bool *bad) {
  const uint64_t walks = x->start->n, stride = x->length + 1, rows = t->row.dim;
  uint32_t wrong = 0;
  double *one = NULL;
  job J = {};
  GrB_Info info;
  J.rules = grid_walk_rules_of(x->length, x->p, x->q, x->seed);
  J.rules.rows.arrays.indptr = x->a->by_row.ptr, J.rules.rows.arrays.indices = x->a->by_row.idx;
  J.rules.rows.arrays.count = x->a->row.n;
  J.start = position_list_of(x->start, x->n);
  J.vertex = (uint32_t *)grid_device_malloc(walks * stride, sizeof *J.vertex);
  J.visits = (uint64_t *)grid_device_malloc(rows + 1, sizeof *J.visits);
  J.wrong = (uint32_t *)grid_device_malloc(1, sizeof *J.wrong);
  if (!J.vertex || !J.visits || !J.wrong)
    TRY(grid_device_fail_memory(NULL, "walks", walks * stride, sizeof *J.vertex));
  TRY(grid_device_zero(J.wrong, sizeof *J.wrong));
  TRY(grid_device_zero(J.visits, (rows + 1) * sizeof *J.visits));
  if (x->weighted) TRY(set_weights(&J, x->a, &one));
  TRY(run(&J, &wrong));
  *bad = wrong != 0;
  if (*bad) TRY(GRID_UNSUPPORTED);
  t->row.n = rows, t->col.n = t->col.dim;
  info = make_rows(t, &J);
done:
  grid_device_free(J.vertex);
  grid_device_free(J.visits);
  grid_device_free(J.wrong);
  grid_device_free(J.rules.rows.sums);
  grid_device_free(one);
  return info;
}
