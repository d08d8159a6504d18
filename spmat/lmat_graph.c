/* Graph operations of local matrices on the device: moves the operands there and calls the backend. */
#include "spmat/lmat_graph.h"

#include "semiring/support/tuning.h"
#include "spmat/backend.h"
#include "spmat/lmat_ops.h"

static bool can_move(const grid_local_matrix *a) {
  return grid_tune.matrix_device && a->nvals > 0 && !a->host_resident;
}

/* Moves *a to the device: *l is freed after the operation. */
static GrB_Info matrix_to_device(const grid_local_matrix **a, grid_device_operand *l) {
  if (!can_move(*a)) return GRID_UNSUPPORTED;
  const GrB_Info info = grid_lmat_operand_to_device(l, *a, false);
  if (info == GrB_SUCCESS) *a = l->p;
  return info;
}

/* *v, on the device, in FP64: if it has another type, as `owned`. */
static GrB_Info numbers_to_device(const grid_chunk **v, grid_chunk *owned) {
  GrB_Info info = GrB_SUCCESS;
  if (!*v) return info;
  if ((*v)->type != GrB_FP64) {
    grid_chunk_init(owned, GrB_FP64, (*v)->n);
    TRY(grid_vec_apply(owned, *v, GrB_IDENTITY_FP64));
    *v = owned;
  }
  if (!grid_chunk_can_move(*v)) return GRID_UNSUPPORTED;
  info = grid_chunk_to_device(*v);
done:
  return info;
}

GrB_Info grid_lmat_best_label_device(grid_chunk *t, const grid_label_operands *x, bool *bad) {
  const uint64_t refusals = grid_device_oom_count();
  grid_label_operands d = *x;
  grid_device_operand a = {0};
  grid_chunk price = {0}, scale = {0}, bonus = {0};
  GrB_Info info = GrB_SUCCESS;
  *bad = false;
  if (x->label->nvals == 0 || !grid_chunk_can_move(x->label)) return GRID_UNSUPPORTED;
  TRY(matrix_to_device(&d.a, &a));
  TRY(grid_chunk_to_device(d.label));
  TRY(numbers_to_device(&d.price, &price));
  TRY(numbers_to_device(&d.scale, &scale));
  TRY(numbers_to_device(&d.bonus, &bonus));
  TRY(grid_cuda->lmat_ops->best_label(t, &d, bad));
done:
  grid_chunk_free(&price);
  grid_chunk_free(&scale);
  grid_chunk_free(&bonus);
  grid_device_operand_free(&a);
  if (info != GrB_SUCCESS) grid_chunk_free(t);
  return grid_device_oom_to_unsupported(info, refusals);
}

GrB_Info grid_lmat_move_labels_device(grid_chunk *t, uint64_t *moves, const grid_label_move_operands *x,
                                      bool *bad) {
  const uint64_t refusals = grid_device_oom_count();
  grid_label_move_operands d = *x;
  grid_device_operand a = {0};
  grid_chunk weight = {0}, scale = {0}, bonus = {0};
  GrB_Info info = GrB_SUCCESS;
  *bad = false;
  if (x->label->nvals == 0 || !grid_chunk_can_move(x->label)) return GRID_UNSUPPORTED;
  TRY(matrix_to_device(&d.a, &a));
  TRY(grid_chunk_to_device(d.label));
  TRY(numbers_to_device(&d.weight, &weight));
  TRY(numbers_to_device(&d.scale, &scale));
  TRY(numbers_to_device(&d.bonus, &bonus));
  TRY(grid_cuda->lmat_ops->move_labels(t, moves, &d, bad));
done:
  grid_chunk_free(&weight);
  grid_chunk_free(&scale);
  grid_chunk_free(&bonus);
  grid_device_operand_free(&a);
  if (info != GrB_SUCCESS) grid_chunk_free(t);
  return grid_device_oom_to_unsupported(info, refusals);
}

GrB_Info grid_lmat_peel_device(grid_chunk *t, uint64_t *levels, const grid_peel_operands *x) {
  const uint64_t refusals = grid_device_oom_count();
  grid_peel_operands d = *x;
  grid_device_operand a = {0};
  GrB_Info info = GrB_SUCCESS;
  if (x->degree->nvals == 0 || !grid_chunk_can_move(x->degree)) return GRID_UNSUPPORTED;
  TRY(matrix_to_device(&d.a, &a));
  TRY(grid_chunk_to_device(d.degree));
  info = grid_cuda->lmat_ops->peel(t, levels, &d);
done:
  grid_device_operand_free(&a);
  if (info != GrB_SUCCESS) grid_chunk_free(t);
  return grid_device_oom_to_unsupported(info, refusals);
}

GrB_Info grid_lmat_distances_device(const grid_distance_operands *x) {
  const uint64_t refusals = grid_device_oom_count();
  grid_distance_operands d = *x;
  grid_device_operand a = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(matrix_to_device(&d.a, &a));
  if (!(d.symmetric ? d.a->by_row.ptr : d.a->by_col.ptr)) TRY(GRID_UNSUPPORTED);
  info = grid_cuda->lmat_ops->distances(&d);
done:
  grid_device_operand_free(&a);
  return grid_device_oom_to_unsupported(info, refusals);
}

GrB_Info grid_lmat_color_device(grid_chunk *t, uint64_t *colors, const grid_color_operands *x) {
  const uint64_t refusals = grid_device_oom_count();
  grid_color_operands d = *x;
  grid_device_operand a = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(matrix_to_device(&d.a, &a));
  info = grid_cuda->lmat_ops->color(t, colors, &d);
done:
  grid_device_operand_free(&a);
  if (info != GrB_SUCCESS) grid_chunk_free(t);
  return grid_device_oom_to_unsupported(info, refusals);
}

/* Has each walk space for all its steps? */
static bool can_walk(const grid_walk_operands *x) {
  uint64_t visits;
  return can_move(x->a) && x->start->nvals > 0 && grid_chunk_can_move(x->start) &&
         !__builtin_mul_overflow(x->start->n, x->length + 1, &visits) && visits < grid_tune.offsets64_from;
}

GrB_Info grid_lmat_walk_device(grid_local_matrix *t, const grid_walk_operands *x, bool *bad) {
  const uint64_t refusals = grid_device_oom_count();
  grid_walk_operands d = *x;
  grid_device_operand a = {0};
  grid_local_matrix weights = {0};
  GrB_Info info = GrB_SUCCESS;
  *bad = false;
  if (!can_walk(x)) return GRID_UNSUPPORTED;
  if (x->weighted && x->a->type != GrB_FP64) {
    TRY(grid_lmat_apply(&weights, x->a, GrB_IDENTITY_FP64));
    d.a = &weights;
  }
  TRY(matrix_to_device(&d.a, &a));
  TRY(grid_chunk_to_device(d.start));
  info = grid_cuda->lmat_ops->walk(grid_lmat_on_device(t), &d, bad);
done:
  grid_device_operand_free(&a);
  if (weights.type) grid_lmat_free(&weights);
  return grid_lmat_finish_on_device(t, info, refusals);
}

/* *vertex = the path of `length` edges, or a place for one vertex. */
static GrB_Info fetch_path(GrB_Index **vertex, const uint32_t *path, int64_t length) {
  const uint64_t n = (uint64_t)(length + 1);
  uint32_t *in = grid_malloc(n + 1, sizeof *in);
  GrB_Info info = GrB_SUCCESS;
  *vertex = grid_malloc(n + 1, sizeof **vertex);
  if (!in || !*vertex) TRY(grid_fail_memory(NULL, "vertices of a path", n, sizeof **vertex));
  if (n) TRY(grid_device_get(in, path, n * sizeof *in));
  for (uint64_t k = 0; k < n; k++) (*vertex)[k] = in[k];
done:
  grid_free(in);
  return info;
}

GrB_Info grid_lmat_path_device(GrB_Index **vertex, int64_t *length, const grid_local_matrix *a,
                               uint64_t source, uint64_t target) {
  const uint64_t refusals = grid_device_oom_count();
  grid_device_operand staged = {0};
  uint32_t *path = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (source == target) return GRID_UNSUPPORTED;
  TRY(matrix_to_device(&a, &staged));
  TRY(grid_cuda->lmat_ops->path(&path, length, a, (uint32_t)source, (uint32_t)target));
  info = fetch_path(vertex, path, *length);
done:
  grid_device_free(path);
  grid_device_operand_free(&staged);
  return grid_device_oom_to_unsupported(info, refusals);
}
