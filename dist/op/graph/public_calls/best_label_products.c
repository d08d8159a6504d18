/* Grid_Matrix_best_label by products, for all grids and devices. With P(j, label(j)) = 1, F = A P has the
 * sums by label. One product with the prices, over the maximum, gives the best of each row. */
#include "dist/op/graph/public_calls/best_label.h"

#include <math.h>

#include "dist/op/graph/public_calls/public_calls.h"

WITH_TEXT(
    scored_label, , typedef struct {
      double score;
      int64_t label;
    } scored_label;)
WITH_TEXT(
    label_price, static, void label_price(scored_label *z, const double *x, const int64_t *y) {
      z->score = *x;
      z->label = *y;
    })
WITH_TEXT(
    label_score, static, void label_score(scored_label *z, const double *x, const scored_label *y) {
      z->score = *x - y->score;
      z->label = y->label;
    })
WITH_TEXT(
    label_better, static, void label_better(scored_label *z, const scored_label *x, const scored_label *y) {
      *z = y->score > x->score || (y->score == x->score && y->label < x->label) ? *y : *x;
    })
WITH_TEXT(
    current_label_wins, static,
    void current_label_wins(bool *z, const scored_label *x, const double *y) { *z = x->score <= *y; })
WITH_TEXT(
    label_of, static, void label_of(int64_t *z, const scored_label *x) { *z = x->label; })

typedef struct {
  GrB_Matrix A;
  GrB_Vector label, price, scale, bonus;
  GrB_Index n;
  bool count;
} label_operands;

typedef struct {
  GrB_Type scored;
  GrB_BinaryOp price, score, better, current_wins;
  GrB_UnaryOp label;
  GrB_Monoid best;
  GrB_Semiring winner;
} label_operators;

static GrB_Info make_operators(label_operators *b) {
  GrB_Info info;
  const scored_label none = {-(double)INFINITY, INT64_MAX};
  TRY(Grid_Type_new(&b->scored, sizeof(scored_label), "scored_label", scored_label_text));
  const GrB_Type t = b->scored;
  TRY(Grid_BinaryOp_new(&b->price, (GxB_binary_function)label_price, t, GrB_FP64, GrB_INT64, "label_price",
                        label_price_text));
  TRY(Grid_BinaryOp_new(&b->score, (GxB_binary_function)label_score, t, GrB_FP64, t, "label_score",
                        label_score_text));
  TRY(Grid_BinaryOp_new(&b->better, (GxB_binary_function)label_better, t, t, t, "label_better",
                        label_better_text));
  TRY(Grid_BinaryOp_new(&b->current_wins, (GxB_binary_function)current_label_wins, GrB_BOOL, t, GrB_FP64,
                        "current_label_wins", current_label_wins_text));
  TRY(Grid_UnaryOp_new(&b->label, (GxB_unary_function)label_of, GrB_INT64, t, "label_of", label_of_text));
  TRY(GrB_Monoid_new_UDT(&b->best, b->better, (void *)&none));
  TRY(GrB_Semiring_new(&b->winner, b->best, b->score));
out:
  return info;
}

static void free_operators(label_operators *b) {
  GrB_Semiring_free(&b->winner);
  GrB_Monoid_free(&b->best);
  GrB_UnaryOp_free(&b->label);
  GrB_BinaryOp_free(&b->score);
  GrB_BinaryOp_free(&b->better);
  GrB_BinaryOp_free(&b->current_wins);
  GrB_BinaryOp_free(&b->price);
  GrB_Type_free(&b->scored);
}

/* F = the sums by label of the rows in question, scaled. */
static GrB_Info sum_by_label(GrB_Matrix F, const label_operands *x, GrB_Matrix P) {
  GrB_Info info;
  GrB_Matrix D = NULL;
  if (x->scale == NULL) {
    TRY(GrB_mxm(F, NULL, NULL, x->count ? GxB_PLUS_PAIR_FP64 : GxB_PLUS_FIRST_FP64, x->A, P, NULL));
    goto out;
  }
  TRY(GrB_Matrix_diag(&D, x->scale, 0));
  TRY(GrB_mxm(F, NULL, NULL, x->count ? GxB_PLUS_PAIR_FP64 : GxB_PLUS_SECOND_FP64, D, x->A, NULL));
  TRY(GrB_mxm(F, NULL, NULL, GxB_PLUS_FIRST_FP64, F, P, NULL));
  TRY(GrB_mxm(F, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, D, F, NULL));
out:
  GrB_Matrix_free(&D);
  return info;
}

/* *full = v, 0 where it has no entry. */
static GrB_Info fill(GrB_Vector *full, GrB_Vector v, GrB_Index n) {
  GrB_Info info;
  TRY(GrB_Vector_new(full, GrB_FP64, n));
  TRY(GrB_Vector_assign_FP64(*full, NULL, NULL, 0.0, GrB_ALL, n, NULL));
  if (v != NULL) TRY(GrB_Vector_assign(*full, v, NULL, v, GrB_ALL, n, GrB_DESC_S));
out:
  return info;
}

/* won = the best label of each row of F with its score */
static GrB_Info find_winners(GrB_Vector won, GrB_Matrix F, GrB_Vector price, const label_operators *op,
                             GrB_Index n) {
  GrB_Info info;
  GrB_Vector number = NULL, priced = NULL;
  TRY(GrB_Vector_new(&number, GrB_INT64, n));
  TRY(GrB_Vector_apply_IndexOp_INT64(number, NULL, NULL, GrB_ROWINDEX_INT64, price, 0, NULL));
  TRY(GrB_Vector_new(&priced, op->scored, n));
  TRY(GrB_Vector_eWiseMult_BinaryOp(priced, NULL, NULL, op->price, price, number, NULL));
  TRY(GrB_mxv(won, NULL, NULL, op->winner, F, priced, NULL));
out:
  GrB_Vector_free(&number);
  GrB_Vector_free(&priced);
  return info;
}

/* current_score(i) = F(i, current) - (price(current) - bonus(i)) for the rows in question that have a label
 */
static GrB_Info score_current_labels(GrB_Vector current_score, const label_operands *x, GrB_Matrix F,
                                     GrB_Matrix P, GrB_Vector price) {
  GrB_Info info;
  GrB_Matrix current = NULL;
  GrB_Vector sum = NULL, bonus = NULL;
  GrB_Vector rows = x->scale;
  GrB_Descriptor desc = rows ? GrB_DESC_S : NULL;
  TRY(fill(&bonus, x->bonus, x->n));
  TRY(GrB_mxv(current_score, rows, NULL, GxB_PLUS_SECOND_FP64, P, price, desc));
  TRY(GrB_Vector_eWiseMult_BinaryOp(current_score, NULL, NULL, GrB_MINUS_FP64, current_score, bonus, NULL));
  TRY(GrB_Vector_apply(current_score, NULL, NULL, GrB_AINV_FP64, current_score, NULL));
  TRY(GrB_Matrix_new(&current, GrB_FP64, x->n, x->n));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(current, NULL, NULL, GrB_FIRST_FP64, F, P, NULL));
  TRY(GrB_Vector_new(&sum, GrB_FP64, x->n));
  TRY(GrB_Matrix_reduce_Monoid(sum, NULL, NULL, GrB_PLUS_MONOID_FP64, current, NULL));
  TRY(GrB_Vector_assign(current_score, sum, GrB_PLUS_FP64, sum, GrB_ALL, x->n, GrB_DESC_S));
out:
  GrB_Matrix_free(&current);
  GrB_Vector_free(&sum);
  GrB_Vector_free(&bonus);
  return info;
}

/* target = won's labels; with a bonus only those that exceed the current ones */
static GrB_Info choose(GrB_Vector target, const label_operands *x, GrB_Matrix F, GrB_Matrix P,
                       const label_operators *op) {
  GrB_Info info;
  GrB_Vector price = NULL, won = NULL, current_score = NULL, current_wins = NULL;
  TRY(fill(&price, x->price, x->n));
  TRY(GrB_Vector_new(&won, op->scored, x->n));
  TRY(find_winners(won, F, price, op, x->n));
  TRY(GrB_Vector_apply(target, NULL, NULL, op->label, won, NULL));
  if (x->bonus == NULL) goto out;
  TRY(GrB_Vector_new(&current_score, GrB_FP64, x->n));
  TRY(GrB_Vector_new(&current_wins, GrB_BOOL, x->n));
  TRY(score_current_labels(current_score, x, F, P, price));
  TRY(GrB_Vector_eWiseMult_BinaryOp(current_wins, NULL, NULL, op->current_wins, won, current_score, NULL));
  TRY(GrB_Vector_assign(target, current_wins, NULL, target, GrB_ALL, x->n, GrB_DESC_RC));
  TRY(GrB_Vector_eWiseMult_BinaryOp(current_wins, NULL, NULL, GrB_EQ_INT64, target, x->label, NULL));
  TRY(GrB_Vector_assign(target, current_wins, NULL, target, GrB_ALL, x->n, GrB_DESC_RC));
out:
  GrB_Vector_free(&price);
  GrB_Vector_free(&won);
  GrB_Vector_free(&current_score);
  GrB_Vector_free(&current_wins);
  return info;
}

GrB_Info grid_best_label_by_products(GrB_Vector best, GrB_Matrix A, GrB_Vector label, GrB_Vector price,
                                     GrB_Vector scale, GrB_Vector bonus, bool count) {
  label_operands x = {.A = A, .label = label, .price = price, .scale = scale, .bonus = bonus, .count = count};
  label_operators op = {0};
  GrB_Matrix P = NULL, F = NULL;
  GrB_Vector target = NULL;
  GrB_Info info;
  TRY(GrB_Matrix_nrows(&x.n, A));
  TRY(Grid_agree(make_operators(&op), NULL));
  TRY(GrB_Matrix_new(&P, GrB_INT64, x.n, x.n));
  TRY(Grid_Matrix_indicator(P, label));
  TRY(GrB_Matrix_new(&F, GrB_FP64, x.n, x.n));
  TRY(sum_by_label(F, &x, P));
  TRY(GrB_Vector_new(&target, GrB_INT64, x.n));
  TRY(choose(target, &x, F, P, &op));
  TRY(GrB_Vector_assign(best, NULL, NULL, target, GrB_ALL, x.n, NULL));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&F);
  GrB_Vector_free(&target);
  free_operators(&op);
  return info;
}
