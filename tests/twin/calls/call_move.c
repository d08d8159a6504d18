/* Statements: transpose, extract, assign. */
#include "tests/twin/random_program.h"

#if TWIN_HAS_GrB_transpose
void call_transpose(void) {
  thing *c = pick(MATRIX);
  goal g = goal_for(c, c->t);
  thing *a = matrix_for(c->t, g.d.tran0 ? c->nrows : c->ncols, g.d.tran0 ? c->ncols : c->nrows);
  log_text("GrB_transpose(%s, %s, %s, %s, %s)", c->name, mask_name(&g), accum_name(&g), a->name, g.d.name);
  RUN("GrB_transpose", GrB_transpose(c->a, g.ma, g.plus, a->a, g.d.d));
  became(&g, bits_of(a), a->unsure);
  look(c);
}
#endif

/* Sometimes an index is out of bounds. */
static void spoil_list(GrB_Index *list, GrB_Index ni, GrB_Index n, const goal *g) {
  bool masked =
      g->mask ||
      g->d.complement; /* a mask that allows no entry: SuiteSparse then does not check the indices */
  if (list && ni > 1 && chance(3) && !masked && !spoilt()) list[below(ni)] = n + below(3);
}

/* An output with the dimensions of two index lists: from the pool if one fits, else a temporary one. */
static thing *output_of(sort k, int t, GrB_Index nrows, GrB_Index ncols) {
  for (int m = 0; m < 12; m++) {
    thing *x = pick(k);
    if (x->nrows == nrows && x->ncols == ncols && casts(t, x->t)) return x;
  }
  thing *x = temporary(k, t >= NPREDEFINED ? t : cast_type(t), nrows, ncols);
  if (chance(50)) fill(x, chance(50) ? EXACT : RICH);
  return x;
}

static void extract_vector(void) {
  thing *u = pick(VECTOR);
  GrB_Index ni, *i = list_for(u->nrows, &ni, chance(50));
  thing *w = output_of(VECTOR, u->t, ni, 1);
  goal g = goal_for(w, u->t);
  spoil_list(i, ni, u->nrows, &g);
  log_text("GrB_Vector_extract(%s, %s, %s, %s, ", w->name, mask_name(&g), accum_name(&g), u->name);
  log_list(i, ni);
  log_text(", %s)", g.d.name);
  RUN("GrB_Vector_extract", GrB_Vector_extract(w->v, g.mv, g.plus, u->v, i ? i : GrB_ALL, ni, g.d.d));
  became(&g, bits_of(u), u->unsure);
  free(i);
  look(w);
}

#if TWIN_HAS_GrB_Matrix_extract && TWIN_HAS_GrB_Col_extract
/* Draws a descriptor until its transposition is as requested and it suits the mask. */
static void keep_transposed(goal *g, bool tran0) {
  const bool by_structure = g->mask && (spoilt() || is_real(g->mask->t) || g->mask->t >= NPREDEFINED);
  while (g->d.tran0 != tran0 || (by_structure && !g->d.structure)) g->d = random_descriptor();
}

static void extract_matrix(void) {
  thing *a = pick(MATRIX);
  bool t0 = chance(30);
  GrB_Index nrows = t0 ? a->ncols : a->nrows, ncols = t0 ? a->nrows : a->ncols;
  GrB_Index ni, *i = list_for(nrows, &ni, chance(50)), nj, *j = list_for(ncols, &nj, chance(50));
  thing *c = output_of(MATRIX, a->t, ni, nj);
  goal g = goal_for(c, a->t);
  keep_transposed(&g, t0);
  spoil_list(i, ni, nrows, &g), spoil_list(j, nj, ncols, &g);
  log_text("GrB_Matrix_extract(%s, %s, %s, %s, ", c->name, mask_name(&g), accum_name(&g), a->name);
  log_list(i, ni), log_text(", "), log_list(j, nj);
  log_text(", %s)", g.d.name);
  RUN("GrB_Matrix_extract",
      GrB_Matrix_extract(c->a, g.ma, g.plus, a->a, i ? i : GrB_ALL, ni, j ? j : GrB_ALL, nj, g.d.d));
  became(&g, bits_of(a), a->unsure);
  free(i), free(j);
  look(c);
}

static void extract_column(void) {
  thing *a = pick(MATRIX);
  bool t0 = chance(30);
  GrB_Index nrows = t0 ? a->ncols : a->nrows, ncols = t0 ? a->nrows : a->ncols;
  GrB_Index ni, *i = list_for(nrows, &ni, chance(50)), j = random_index(ncols);
  thing *w = output_of(VECTOR, a->t, ni, 1);
  goal g = goal_for(w, a->t);
  keep_transposed(&g, t0);
  spoil_list(i, ni, nrows, &g);
  log_text("GrB_Col_extract(%s, %s, %s, %s, ", w->name, mask_name(&g), accum_name(&g), a->name);
  log_list(i, ni);
  log_text(", %" PRIu64 ", %s)", j, g.d.name);
  RUN("GrB_Col_extract", GrB_Col_extract(w->v, g.mv, g.plus, a->a, i ? i : GrB_ALL, ni, j, g.d.d));
  became(&g, bits_of(a), a->unsure);
  free(i);
  look(w);
}
#endif

void call_extract(void) {
#if TWIN_HAS_GrB_Matrix_extract && TWIN_HAS_GrB_Col_extract
  switch (below(4)) {
    case 0:
    case 1:
      extract_matrix();
      return;
    case 2:
      extract_column();
      return;
    default:
      break;
  }
#endif
  extract_vector();
}

static void assign_vector(void) {
  thing *w = pick(VECTOR);
  goal g = goal_for(w, w->t);
  GrB_Index ni, *i = list_for(w->nrows, &ni, true);
  thing *u = vector_for(w->t, ni);
  spoil_list(i, ni, w->nrows, &g);
  log_text("GrB_Vector_assign(%s, %s, %s, %s, ", w->name, mask_name(&g), accum_name(&g), u->name);
  log_list(i, ni);
  log_text(", %s)", g.d.name);
  RUN("GrB_Vector_assign", GrB_Vector_assign(w->v, g.mv, g.plus, u->v, i ? i : GrB_ALL, ni, g.d.d));
  became(&g, bits_of(u), u->unsure);
  free(i);
  look(w);
}

#if TWIN_HAS_GrB_Matrix_assign && TWIN_HAS_GrB_Row_assign
static void assign_matrix(void) {
  thing *c = pick(MATRIX);
  goal g = goal_for(c, c->t);
  GrB_Index ni, *i = list_for(c->nrows, &ni, true), nj, *j = list_for(c->ncols, &nj, true);
  thing *a = matrix_for(c->t, g.d.tran0 ? nj : ni, g.d.tran0 ? ni : nj);
  spoil_list(i, ni, c->nrows, &g);
  log_text("GrB_Matrix_assign(%s, %s, %s, %s, ", c->name, mask_name(&g), accum_name(&g), a->name);
  log_list(i, ni), log_text(", "), log_list(j, nj);
  log_text(", %s)", g.d.name);
  RUN("GrB_Matrix_assign",
      GrB_Matrix_assign(c->a, g.ma, g.plus, a->a, i ? i : GrB_ALL, ni, j ? j : GrB_ALL, nj, g.d.d));
  became(&g, bits_of(a), a->unsure);
  free(i), free(j);
  look(c);
}

/* A row or a column; the mask is a vector along it. */
static void assign_row_or_col(bool row) {
  thing *c = pick(MATRIX);
  GrB_Index along = row ? c->ncols : c->nrows, across = row ? c->nrows : c->ncols;
  if (across == 0 && known_assign_to_no_row()) return;
  thing line = {.kind = VECTOR, .t = c->t, .nrows = along, .ncols = 1};
  goal g = goal_for(&line, c->t);
  GrB_Index ni, *i = list_for(along, &ni, true), at = random_index(across);
  thing *u = vector_for(c->t, ni);
  spoil_list(i, ni, along, &g);
  log_text("GrB_%s_assign(%s, %s, %s, %s, ", row ? "Row" : "Col", c->name, mask_name(&g), accum_name(&g),
           u->name);
  if (row) log_text("%" PRIu64 ", ", at);
  log_list(i, ni);
  if (!row) log_text(", %" PRIu64, at);
  log_text(", %s)", g.d.name);
  if (row)
    RUN("GrB_Row_assign", GrB_Row_assign(c->a, g.mv, g.plus, u->v, at, i ? i : GrB_ALL, ni, g.d.d));
  else
    RUN("GrB_Col_assign", GrB_Col_assign(c->a, g.mv, g.plus, u->v, i ? i : GrB_ALL, ni, at, g.d.d));
  g.c = c;
  became(&g, bits_of(u), u->unsure);
  free(i);
  look(c);
}
#endif

void call_assign(void) {
#if TWIN_HAS_GrB_Matrix_assign && TWIN_HAS_GrB_Row_assign
  switch (below(5)) {
    case 0:
    case 1:
      assign_matrix();
      return;
    case 2:
      assign_row_or_col(true);
      return;
    case 3:
      assign_row_or_col(false);
      return;
    default:
      break;
  }
#endif
  assign_vector();
}

/* To bound the sizes, an assignment to all of a large object is masked. */
static bool too_large(const goal *g, const GrB_Index *i, GrB_Index ni, GrB_Index nj) {
  return !i && (!g->mask || g->d.complement) && (ni > 3000 || nj > 3000 || ni * nj > 3000);
}

static void scalar_to_vector(void) {
  thing *w = pick(VECTOR);
  goal g = goal_for(w, w->t);
  GrB_Index ni, *i = list_for(w->nrows, &ni, true);
  bool by_scalar = chance(40);
  bound_scalar x = bound_scalar_for(w->t, by_scalar, EXACT);
  spoil_list(i, ni, w->nrows, &g);
  if (too_large(&g, i, ni, 1)) return;
  log_text("GrB_Vector_assign(%s, %s, %s, ", w->name, mask_name(&g), accum_name(&g));
  print_bound_scalar(&x), log_text(", ");
  log_list(i, ni);
  log_text(", %s)", g.d.name);
  if (live() && known_assign_to_deleted()) twin_complete(NULL, w->v);
  if (x.s)
    RUN("GrB_Vector_assign",
        GrB_Vector_assign_Scalar(w->v, g.mv, g.plus, x.s->s, i ? i : GrB_ALL, ni, g.d.d));
  else
    RUN("GrB_Vector_assign", vector_assign_scalar(w->v, g.mv, g.plus, x.t, &x.x, i ? i : GrB_ALL, ni, g.d.d));
  became(&g, LONG_VALUES, false);
  free(i);
  look(w);
}

#if TWIN_HAS_GrB_Matrix_assign_INT32
static void scalar_to_matrix(void) {
  thing *c = pick(MATRIX);
  goal g = goal_for(c, c->t);
  GrB_Index ni, *i = list_for(c->nrows, &ni, true), nj, *j = list_for(c->ncols, &nj, true);
  bool by_scalar = chance(40);
  bound_scalar x = bound_scalar_for(c->t, by_scalar, EXACT);
  spoil_list(i, ni, c->nrows, &g);
  if (too_large(&g, i && j ? i : NULL, ni, nj)) {
    free(i), free(j);
    return;
  }
  log_text("GrB_Matrix_assign(%s, %s, %s, ", c->name, mask_name(&g), accum_name(&g));
  print_bound_scalar(&x), log_text(", ");
  log_list(i, ni), log_text(", "), log_list(j, nj);
  log_text(", %s)", g.d.name);
  if (x.s)
    RUN("GrB_Matrix_assign", GrB_Matrix_assign_Scalar(c->a, g.ma, g.plus, x.s->s, i ? i : GrB_ALL, ni,
                                                      j ? j : GrB_ALL, nj, g.d.d));
  else
    RUN("GrB_Matrix_assign",
        matrix_assign_scalar(c->a, g.ma, g.plus, x.t, &x.x, i ? i : GrB_ALL, ni, j ? j : GrB_ALL, nj, g.d.d));
  became(&g, LONG_VALUES, false);
  free(i), free(j);
  look(c);
}
#endif

void call_assign_scalar(void) {
#if TWIN_HAS_GrB_Matrix_assign_INT32
  if (chance(60)) {
    scalar_to_matrix();
    return;
  }
#endif
  scalar_to_vector();
}
