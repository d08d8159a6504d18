/* Grid_Matrix_move_labels by a call of Grid_Matrix_best_label for each class. */
#include "dist/op/graph/label_moves.h"

#include <stdlib.h>
#include <string.h>

#include "dist/op/graph/public_calls/public_calls.h"

typedef struct {
  GrB_Matrix A;
  GrB_Vector weight, scale, bonus;
  const Grid_Label_Sweep *how;
  GrB_Index n, *moves;
  GrB_Vector *rows;  /* FP64: `scale` of the vertices of each class that may move */
  GrB_Vector label;  /* INT64: a copy */
  GrB_Vector sum;    /* FP64: of the weights with each label, if one reads it */
  GrB_Vector target; /* INT64: where the vertices of a class move; `source`, INT64, where they were, */
  GrB_Vector source; /* and `moved`, FP64, their weights. Both are also workspace of vertices alone. */
  GrB_Vector moved;
} label_moves;

/* The class of a vertex (spmat/label_class.h). thunk: the key, in the low 16 bits the logarithm of the
 * classes. */
WITH_TEXT(
    louvain_class, static,
    void louvain_class(int32_t *z, const double *x, uint64_t i, uint64_t j, const uint64_t *thunk) {
      (void)x;
      (void)j;
      uint64_t h = (i ^ *thunk >> 16) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      *z = (int32_t)(h >> (64 - (*thunk & 15)));
    })

static size_t count_classes(const label_moves *m) {
  return (size_t)1 << m->how->bits;
}

/* drawn = the classes. */
static GrB_Info draw_classes(GrB_Vector drawn, const label_moves *m) {
  GrB_IndexUnaryOp op = NULL;
  GrB_Info info = Grid_agree(Grid_IndexUnaryOp_new(&op, (GxB_index_unary_function)louvain_class, GrB_INT32,
                                                   GrB_FP64, GrB_UINT64, "louvain_class", louvain_class_text),
                             NULL);
  TRY(info);
  TRY(GrB_Vector_apply_IndexOp_UINT64(drawn, NULL, NULL, op, m->scale,
                                      m->how->key << 16 | (uint64_t)m->how->bits, NULL));
out:
  GrB_IndexUnaryOp_free(&op);
  return info;
}

/* Removes from `drawn` the vertices whose label is not their number. */
static GrB_Info select_numbered(GrB_Vector drawn, const label_moves *m) {
  GrB_Info info;
  const GrB_Vector number = m->target, numbered = m->source;
  TRY(GrB_Vector_apply_IndexOp_INT64(number, NULL, NULL, GrB_ROWINDEX_INT64, m->label, 0, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(numbered, NULL, NULL, GrB_EQ_INT64, number, m->label, NULL));
  TRY(GrB_Vector_assign(drawn, numbered, NULL, drawn, GrB_ALL, m->n, GrB_DESC_R));
out:
  return info;
}

/* Puts each vertex that may move into a class. */
static GrB_Info list_classes(label_moves *m) {
  GrB_Info info;
  GrB_Vector drawn = NULL, members = NULL;
  TRY(GrB_Vector_new(&drawn, GrB_INT32, m->n));
  TRY(GrB_Vector_new(&members, GrB_INT32, m->n));
  TRY(draw_classes(drawn, m));
  if (m->how->alone) TRY(select_numbered(drawn, m));
  for (size_t class = 0; class < count_classes(m); class ++) {
    GrB_Vector *const rows = m->rows + class;
    TRY(GrB_Vector_new(rows, GrB_FP64, m->n));
    TRY(GrB_Vector_select_INT32(members, NULL, NULL, GrB_VALUEEQ_INT32, drawn, (int32_t) class, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(*rows, NULL, NULL, GrB_SECOND_FP64, members, m->scale, NULL));
  }
out:
  GrB_Vector_free(&drawn);
  GrB_Vector_free(&members);
  return info;
}

/* sum = the weights with each label, 0 with one that no vertex has. */
static GrB_Info sum_weights(label_moves *m) {
  GrB_Info info;
  TRY(GrB_Vector_assign_FP64(m->sum, NULL, NULL, 0, GrB_ALL, m->n, NULL));
  TRY(Grid_Vector_scatter(m->sum, NULL, GrB_PLUS_FP64, GrB_PLUS_FP64, m->weight, m->label, NULL));
out:
  return info;
}

/* Removes from `rows` the vertices that are not alone: they will not be alone again. A label that no other
 * vertex has loses its sum when its vertex moves. */
static GrB_Info select_alone(GrB_Vector rows, const label_moves *m) {
  GrB_Info info;
  const GrB_Vector sum = m->moved, others = m->source;
  TRY(GrB_Vector_eWiseMult_BinaryOp(sum, NULL, NULL, GrB_SECOND_FP64, rows, m->sum, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(others, NULL, NULL, GrB_NE_FP64, sum, m->weight, NULL));
  TRY(GrB_Vector_assign(rows, others, NULL, rows, GrB_ALL, m->n, GrB_DESC_RC));
out:
  return info;
}

/* Removes the targets whose vertex of that number moves. */
static GrB_Info select_targets(const label_moves *m) {
  GrB_Info info;
  const GrB_Vector target = m->target, moving = m->source;
  TRY(Grid_Vector_gather(moving, NULL, NULL, target, target, NULL));
  TRY(GrB_Vector_assign(target, moving, NULL, target, GrB_ALL, m->n, GrB_DESC_RSC));
out:
  return info;
}

/* label = target, and the sums of the labels left and taken change; *moves += the number of targets. */
static GrB_Info move_to_targets(GrB_Index *moves, const label_moves *m) {
  GrB_Info info;
  GrB_Index count = 0;
  const GrB_Vector target = m->target;
  TRY(GrB_Vector_nvals(&count, target));
  if (count == 0) goto out;
  *moves += count;
  TRY(GrB_Vector_eWiseMult_BinaryOp(m->source, NULL, NULL, GrB_SECOND_INT64, target, m->label, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(m->moved, NULL, NULL, GrB_SECOND_FP64, target, m->weight, NULL));
  TRY(Grid_Vector_scatter(m->sum, NULL, GrB_MINUS_FP64, GrB_PLUS_FP64, m->moved, m->source, NULL));
  TRY(Grid_Vector_scatter(m->sum, NULL, GrB_PLUS_FP64, GrB_PLUS_FP64, m->moved, target, NULL));
  TRY(GrB_Vector_assign(m->label, target, NULL, target, GrB_ALL, m->n, GrB_DESC_S));
out:
  return info;
}

/* The vertices of a class move, each to its best label; *moves += their number. */
static GrB_Info move_class(GrB_Index *moves, const label_moves *m, GrB_Vector rows) {
  GrB_Info info;
  if (m->how->alone) TRY(select_alone(rows, m));
  TRY(Grid_Matrix_best_label(m->target, m->A, m->label, m->how->priced ? m->sum : NULL, rows, m->bonus,
                             false));
  if (m->how->alone) TRY(select_targets(m));
  TRY(move_to_targets(moves, m));
out:
  return info;
}

static GrB_Info allocate(label_moves *m, GrB_Vector label) {
  GrB_Info info;
  m->rows = calloc(count_classes(m), sizeof(GrB_Vector));
  m->moves = calloc(m->how->sweeps, sizeof *m->moves);
  TRY(Grid_agree(m->rows && m->moves ? GrB_SUCCESS : GrB_OUT_OF_MEMORY,
                 "Grid_Matrix_move_labels: no memory for classes"));
  TRY(GrB_Vector_dup(&m->label, label));
  TRY(GrB_Vector_new(&m->sum, GrB_FP64, m->n));
  TRY(GrB_Vector_new(&m->target, GrB_INT64, m->n));
  TRY(GrB_Vector_new(&m->source, GrB_INT64, m->n));
  TRY(GrB_Vector_new(&m->moved, GrB_FP64, m->n));
out:
  return info;
}

static void free_moves(label_moves *m) {
  for (size_t class = 0; m->rows && class < count_classes(m); class ++) GrB_Vector_free(m->rows + class);
  free(m->rows);
  free(m->moves);
  GrB_Vector_free(&m->label);
  GrB_Vector_free(&m->sum);
  GrB_Vector_free(&m->target);
  GrB_Vector_free(&m->source);
  GrB_Vector_free(&m->moved);
}

GrB_Info grid_move_labels_by_calls(GrB_Index *moves, GrB_Vector label, GrB_Matrix A, GrB_Vector weight,
                                   GrB_Vector scale, GrB_Vector bonus, const Grid_Label_Sweep *how) {
  label_moves m = {.A = A, .weight = weight, .scale = scale, .bonus = bonus, .how = how};
  GrB_Info info;
  TRY(GrB_Vector_size(&m.n, label));
  TRY(allocate(&m, label));
  TRY(list_classes(&m));
  TRY(sum_weights(&m));
  for (GrB_Index sweep = 0; sweep < how->sweeps; sweep++) {
    for (size_t class = 0; class < count_classes(&m); class ++)
      TRY(move_class(m.moves + sweep, &m, m.rows[class]));
    if (m.moves[sweep] <= how->still) break;
  }
  TRY(GrB_Vector_assign(label, NULL, NULL, m.label, GrB_ALL, m.n, NULL));
  memcpy(moves, m.moves, how->sweeps * sizeof *moves);
out:
  free_moves(&m);
  return info;
}
