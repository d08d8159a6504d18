/* Grid_Matrix_move_labels: by the threads or the device of one process, else by a call of
 * Grid_Matrix_best_label for each class (label_moves.c). */
#include <string.h>

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/object/burble.h"
#include "dist/op/graph/label_moves.h"
#include "dist/vector/vector.h"
#include "spmat/cpu/matrix/lmat_move_labels.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "Grid_Matrix_move_labels";

/* The arguments. */
typedef struct {
  GrB_Index *moves;
  GrB_Vector label;
  GrB_Matrix A;
  GrB_Vector weight, scale, bonus;
  const Grid_Label_Sweep *how;
} label_sweeps;

static GrB_Info check_full(GrB_Vector v, GrB_Type type, GrB_Vector label, const char *name) {
  GrB_Info info;
  TRY(grid_check_operand(v, &label->head, call, name));
  TRY(grid_check_size(v->n, label->n, &label->head, call, name, "label"));
  TRY(grid_check_cast(type, v->type, &label->head, call, name, type->name));
done:
  return info;
}

static GrB_Info check_how(const label_sweeps *x) {
  const Grid_Label_Sweep *how = x->how;
  if (!how || !x->moves)
    return grid_fail(&x->label->head, GrB_NULL_POINTER, "%s: %s is NULL", call, how ? "moves" : "how");
  if (how->bits < 1 || how->bits > 15 || how->sweeps < 1)
    return grid_fail(&x->label->head, GrB_INVALID_VALUE,
                     "%s: %d bits and %llu sweeps: not 1 to 15, and 1 or more", call, how->bits,
                     (unsigned long long)how->sweeps);
  return GrB_SUCCESS;
}

static GrB_Info check(const label_sweeps *x, grid_desc *d) {
  GrB_Info info;
  GrB_Vector label = x->label;
  TRY(grid_check_vector(label, call, "label"));
  TRY(grid_check_matrix(x->A, call, "A"));
  TRY(check_how(x));
  if (label->type != GrB_INT64)
    return grid_fail(&label->head, GrB_DOMAIN_MISMATCH, "%s: label has values of %s, not of INT64", call,
                     label->type->name);
  TRY(grid_check_size(x->A->ncols, x->A->nrows, &label->head, call, "the list of A's columns",
                      "that of its rows"));
  TRY(grid_check_size(label->n, x->A->nrows, &label->head, call, "label", "the list of A's rows"));
  TRY(grid_check_cast(GrB_FP64, x->A->type, &label->head, call, "A", "FP64"));
  TRY(check_full(x->weight, GrB_FP64, label, "weight"));
  TRY(check_full(x->scale, GrB_FP64, label, "scale"));
  if (x->bonus) TRY(check_full(x->bonus, GrB_FP64, label, "bonus"));
  TRY(grid_check_output(label, NULL, NULL, NULL, GrB_INT64, call, d));
done:
  return info;
}

/* Does each vertex have its entry? Collective, agreed on. */
static GrB_Info check_entries(const label_sweeps *x) {
  const GrB_Vector vectors[] = {x->label, x->weight, x->scale, x->bonus};
  uint64_t entries[4] = {0};
  GrB_Info info = GrB_SUCCESS;
  for (size_t k = 0; k < 4; k++) {
    if (vectors[k] && info == GrB_SUCCESS) info = grid_chunk_wait(&vectors[k]->chunk);
    if (vectors[k]) entries[k] = vectors[k]->chunk.nvals;
  }
  info = grid_agree_sum(&x->label->head, info, entries, 4);
  for (size_t k = 0; info == GrB_SUCCESS && k < 4; k++)
    if (vectors[k] && entries[k] < x->label->n)
      return grid_fail(&x->label->head, GrB_INVALID_OBJECT,
                       "%s: a vector has entries at %llu of %llu vertices", call,
                       (unsigned long long)entries[k], (unsigned long long)x->label->n);
  return info;
}

/* Arrays of a number for each vertex. */
typedef struct {
  double *sum, *weight, *scale, *bonus; /* one array */
  uint64_t *moves;
} vertex_arrays;

static GrB_Info load_arrays(vertex_arrays *v, int64_t *label, const label_sweeps *x) {
  GrB_Info info;
  const uint64_t n = x->label->n;
  v->moves = grid_malloc(x->how->sweeps, sizeof *v->moves);
  v->sum = grid_malloc(4 * n, sizeof *v->sum);
  if (!v->moves)
    return grid_fail_memory(&x->label->head, "numbers of moves", x->how->sweeps, sizeof *v->moves);
  if (!v->sum) return grid_fail_memory(&x->label->head, "numbers of vertices", 4 * n, sizeof *v->sum);
  v->weight = v->sum + n, v->scale = v->weight + n, v->bonus = x->bonus ? v->scale + n : NULL;
  TRY(grid_vec_tuples(NULL, label, GrB_INT64, &x->label->chunk, 0));
  TRY(grid_check_indices((const GrB_Index *)label, n, n, &x->label->head, call));
  TRY(grid_vec_tuples(NULL, v->weight, GrB_FP64, &x->weight->chunk, 0));
  TRY(grid_vec_tuples(NULL, v->scale, GrB_FP64, &x->scale->chunk, 0));
  if (x->bonus) TRY(grid_vec_tuples(NULL, v->bonus, GrB_FP64, &x->bonus->chunk, 0));
done:
  return info;
}

/* t = the labels. */
static GrB_Info move_on_host(grid_chunk *t, const label_sweeps *x) {
  GrB_Info info;
  vertex_arrays v = {0};
  const uint64_t n = x->label->n;
  TRY(grid_chunk_reserve_val(t, n));
  TRY(load_arrays(&v, t->val, x));
  const grid_label_moves moves = {.a = &x->A->block,
                                  .n = n,
                                  .label = t->val,
                                  .sum = v.sum,
                                  .weight = v.weight,
                                  .scale = v.scale,
                                  .bonus = v.bonus,
                                  .how = x->how};
  TRY(grid_lmat_move_labels(v.moves, &moves));
  memcpy(x->moves, v.moves, x->how->sweeps * sizeof *v.moves);
  t->format = GRID_FULL, t->nvals = n;
done:
  grid_free(v.moves);
  grid_free(v.sum);
  return info;
}

/* GRID_UNSUPPORTED: it is done class by class. */
static GrB_Info move_on_one_process(const label_sweeps *x, const grid_desc *d) {
  GrB_Info info;
  if (grid_ctx.P > 1 || x->A->delegates.split || grid_is_paged(x->A) || !grid_matrix_has_short_axes(x->A))
    return GRID_UNSUPPORTED;
  info = grid_matrix_require_host(x->A, 0, call);
  if (info != GrB_SUCCESS) return info;
  grid_chunk t = grid_reusable_chunk(x->label, GrB_INT64);
  info = move_on_host(&t, x);
  return grid_finish_output(x->label, NULL, NULL, d, &t, false, info);
}

/* GRID_UNSUPPORTED: it is done class by class, which also says what is wrong with the labels. */
static GrB_Info move_on_device(const label_sweeps *x, const grid_desc *d) {
  const grid_label_move_operands moves = {.a = &x->A->block,
                                          .label = &x->label->chunk,
                                          .weight = &x->weight->chunk,
                                          .scale = &x->scale->chunk,
                                          .bonus = x->bonus ? &x->bonus->chunk : NULL,
                                          .how = x->how};
  GrB_Info info = GRID_UNSUPPORTED;
  bool wrong;
  if (grid_ctx.P > 1 || x->A->delegates.split || grid_is_paged(x->A)) return info;
  info = grid_matrix_require(x->A, GRID_WHOLE);
  if (info != GrB_SUCCESS) return info;
  if (x->A->block.host_resident) return GRID_UNSUPPORTED;
  uint64_t *count = grid_calloc(x->how->sweeps, sizeof *count);
  if (!count) return grid_fail_memory(&x->label->head, "numbers of moves", x->how->sweeps, sizeof *count);
  grid_chunk t = grid_reusable_chunk(x->label, GrB_INT64);
  info = grid_lmat_move_labels_device(&t, count, &moves, &wrong);
  if (info == GrB_SUCCESS) memcpy(x->moves, count, x->how->sweeps * sizeof *count);
  grid_free(count);
  if (info == GRID_UNSUPPORTED) {
    grid_chunk_free(&t);
    return info;
  }
  return grid_finish_output(x->label, NULL, NULL, d, &t, false, info);
}

static GrB_Info move_labels(const label_sweeps *x) {
  GrB_Info info;
  grid_desc d;
  TRY(check(x, &d));
  TRY(check_entries(x));
  TRY(grid_matrix_require(x->A, GRID_OUTOFCORE | GRID_ROWS));
  info = grid_device_is_on() ? move_on_device(x, &d) : move_on_one_process(x, &d);
  if (info == GRID_UNSUPPORTED)
    info = grid_fail_inside(
        &x->label->head,
        grid_move_labels_by_calls(x->moves, x->label, x->A, x->weight, x->scale, x->bonus, x->how), call);
done:
  return info;
}

GrB_Info Grid_Matrix_move_labels(GrB_Index *moves, GrB_Vector label, GrB_Matrix A, GrB_Vector weight,
                                 GrB_Vector scale, GrB_Vector bonus, const Grid_Label_Sweep *how) {
  GRID_CALL_SCOPE;
  const label_sweeps x = {moves, label, A, weight, scale, bonus, how};
  /* on a device each class is a call or more */
  if (grid_device_is_on() && how && how->bits >= 1 && how->bits <= 15)
    grid_call_placement_count((how->sweeps < 16 ? how->sweeps : 16) << how->bits,
                              (const void *const[]){label, A, weight, scale, bonus}, 5);
  return GRID_TRACE_CALL(call, move_labels(&x), label, A, weight, scale, bonus);
}
