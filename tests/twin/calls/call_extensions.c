/* Statements: the extensions of SuiteSparse:GraphBLAS that gridblas has, too. */
#include "tests/twin/random_program.h"

static const char *kind_name(const thing *x) {
  return x->kind == VECTOR ? "Vector" : "Matrix";
}

/* A descriptor without transposition of the first input, or the default one. */
static void forget_transposed(goal *g) {
  const bool by_structure = g->mask && (spoilt() || is_real(g->mask->t) || g->mask->t >= NPREDEFINED);
  while (g->d.tran0 || g->d.tran1 || (by_structure && !g->d.structure)) g->d = random_descriptor();
}

/* ---- union with defaults ---- */

static void ewise_union(void) {
  thing *c = pick(chance(50) ? VECTOR : MATRIX);
  const binary *op;
  do op = any_binary_for(c->t);
  while (!strncmp(op->name, "ANY", 3) || divides(op->name));
  restrict_domains(op->name);
  goal g = goal_for(c, op->z);
  if (c->kind == MATRIX) forget_transposed(&g);
  thing *p = c->kind == VECTOR ? vector_for(op->x, c->nrows) : matrix_for(op->x, c->nrows, c->ncols);
  thing *alpha = temporary(SCALAR, cast_type(op->x), 1, 1);
  fill(alpha, RICH);
  thing *q = c->kind == VECTOR ? vector_for(op->y, c->nrows) : matrix_for(op->y, c->nrows, c->ncols);
  thing *beta = temporary(SCALAR, cast_type(op->y), 1, 1);
  fill(beta, RICH);
  GrB_BinaryOp f = OPERATOR(op->op);
  log_text("GxB_%s_eWiseUnion(%s, %s, %s, %s, %s, %s, %s, %s, %s)", kind_name(c), c->name, mask_name(&g),
           accum_name(&g), f ? op->name : "NULL", p->name, alpha->name, q->name, beta->name, g.d.name);
  if (c->kind == VECTOR)
    RUN("GxB_Vector_eWiseUnion",
        GxB_Vector_eWiseUnion(c->v, g.mv, g.plus, f, p->v, alpha->s, q->v, beta->s, g.d.d));
  else
    RUN("GxB_Matrix_eWiseUnion",
        GxB_Matrix_eWiseUnion(c->a, g.ma, g.plus, f, p->a, alpha->s, q->a, beta->s, g.d.d));
  became(&g, LONG_VALUES, p->unsure || q->unsure);
  look(c);
}

/* ---- subassign: the mask has the size of the region ---- */

static goal region_goal(thing *c, GrB_Index nrows, GrB_Index ncols) {
  thing region = {.kind = c->kind, .t = c->t, .nrows = nrows, .ncols = ncols};
  goal g = goal_for(&region, c->t);
  g.c = c;
  return g;
}

static void subassign_vector(void) {
  thing *w = pick(VECTOR);
  GrB_Index ni, *i = list_for(w->nrows, &ni, true);
  goal g = region_goal(w, ni, 1);
  thing *u = vector_for(w->t, ni);
  log_text("GxB_Vector_subassign(%s, %s, %s, %s, ", w->name, mask_name(&g), accum_name(&g), u->name);
  log_list(i, ni);
  log_text(", %s)", g.d.name);
  RUN("GxB_Vector_subassign", GxB_Vector_subassign(w->v, g.mv, g.plus, u->v, i ? i : GrB_ALL, ni, g.d.d));
  became(&g, bits_of(u), u->unsure);
  free(i);
  look(w);
}

static void subassign_matrix(void) {
  thing *c = pick(MATRIX);
  GrB_Index ni, *i = list_for(c->nrows, &ni, true), nj, *j = list_for(c->ncols, &nj, true);
  goal g = region_goal(c, ni, nj);
  thing *a = matrix_for(c->t, g.d.tran0 ? nj : ni, g.d.tran0 ? ni : nj);
  log_text("GxB_Matrix_subassign(%s, %s, %s, %s, ", c->name, mask_name(&g), accum_name(&g), a->name);
  log_list(i, ni), log_text(", "), log_list(j, nj);
  log_text(", %s)", g.d.name);
  RUN("GxB_Matrix_subassign",
      GxB_Matrix_subassign(c->a, g.ma, g.plus, a->a, i ? i : GrB_ALL, ni, j ? j : GrB_ALL, nj, g.d.d));
  became(&g, bits_of(a), a->unsure);
  free(i), free(j);
  look(c);
}

static void subassign_scalar(void) {
  thing *c = pick(MATRIX), *s = scalar_for(c->t);
  GrB_Index ni, *i = list_for(c->nrows, &ni, true), nj, *j = list_for(c->ncols, &nj, true);
  goal g = region_goal(c, ni, nj);
  if (!(i && j) && (!g.mask || g.d.complement)) { /* bounds the size */
    free(i), free(j);
    return;
  }
  log_text("GxB_Matrix_subassign_Scalar(%s, %s, %s, %s, ", c->name, mask_name(&g), accum_name(&g), s->name);
  log_list(i, ni), log_text(", "), log_list(j, nj);
  log_text(", %s)", g.d.name);
  RUN("GxB_Matrix_subassign",
      GxB_Matrix_subassign_Scalar(c->a, g.ma, g.plus, s->s, i ? i : GrB_ALL, ni, j ? j : GrB_ALL, nj, g.d.d));
  became(&g, LONG_VALUES, false);
  free(i), free(j);
  look(c);
}

static void subassign_line(bool row) {
  thing *c = pick(MATRIX);
  GrB_Index along = row ? c->ncols : c->nrows, across = row ? c->nrows : c->ncols;
  if (across == 0 && known_assign_to_no_row()) return;
  GrB_Index at = random_index(across);
  GrB_Index ni, *i = list_for(along, &ni, true);
  thing line = {.kind = VECTOR, .t = c->t, .nrows = ni, .ncols = 1};
  goal g = goal_for(&line, c->t);
  g.c = c;
  thing *u = vector_for(c->t, ni);
  log_text("GxB_%s_subassign(%s, %s, %s, %s, ", row ? "Row" : "Col", c->name, mask_name(&g), accum_name(&g),
           u->name);
  log_list(i, ni);
  log_text(", %" PRIu64 ", %s)", at, g.d.name);
  if (row)
    RUN("GxB_Row_subassign", GxB_Row_subassign(c->a, g.mv, g.plus, u->v, at, i ? i : GrB_ALL, ni, g.d.d));
  else
    RUN("GxB_Col_subassign", GxB_Col_subassign(c->a, g.mv, g.plus, u->v, i ? i : GrB_ALL, ni, at, g.d.d));
  became(&g, bits_of(u), u->unsure);
  free(i);
  look(c);
}

/* ---- ranges of indices ---- */

static void extract_range(void) {
  thing *u = pick(VECTOR);
  if (u->nrows > 5000) return;
  GrB_Index lo = random_index(u->nrows), hi = random_index(u->nrows), step = 1 + below(3);
  GrB_Index range[3] = {lo, hi, step}, ni = GxB_RANGE, count = hi >= lo ? hi - lo + 1 : 0;
  const char *name = "GxB_RANGE";
  if (chance(40)) ni = GxB_STRIDE, name = "GxB_STRIDE", count = hi >= lo ? (hi - lo) / step + 1 : 0;
  if (chance(30)) ni = GxB_BACKWARDS, name = "GxB_BACKWARDS", count = lo >= hi ? (lo - hi) / step + 1 : 0;
  if (count == 0) return;
  thing *w = temporary(VECTOR, cast_type(u->t), count, 1);
  if (u->t >= NPREDEFINED) return;
  log_text("GrB_Vector_extract(%s, NULL, NULL, %s, {%" PRIu64 ",%" PRIu64 ",%" PRIu64 "}, %s, NULL)", w->name,
           u->name, lo, hi, step, name);
  RUN("GrB_Vector_extract", GrB_Vector_extract(w->v, NULL, NULL, u->v, range, ni, NULL));
  w->unsure = u->unsure, w->bits = bits_of(u);
  show(w);
}

/* ---- concatenation, tiles ---- */

static void concat(void) {
  thing *a = pick(MATRIX), *b = matrix_for(a->t, a->nrows, pick_dim());
  if (spoilt() || b->nrows != a->nrows || a->ncols + b->ncols > GrB_INDEX_MAX) return;
  thing *c = temporary(MATRIX, a->t, a->nrows, a->ncols + b->ncols);
  log_text("GxB_Matrix_concat(%s, {%s, %s}, 1, 2, NULL)", c->name, a->name, b->name);
  GrB_Matrix tiles[2] = {a->a, b->a};
  RUN("GxB_Matrix_concat", GxB_Matrix_concat(c->a, tiles, 1, 2, NULL));
  c->unsure = a->unsure || b->unsure;
  show(c);
}

static void split(void) {
  thing *a = pick(MATRIX);
  GrB_Index at = random_index(a->nrows), rows[2] = {at, a->nrows - at}, cols[1] = {a->ncols};
  if (at == 0) return;
  GrB_Matrix tile[2] = {NULL, NULL};
  log_text("GxB_Matrix_split({tile0, tile1}, 2, 1, {%" PRIu64 ",%" PRIu64 "}, {%" PRIu64 "}, %s, NULL)",
           rows[0], rows[1], cols[0], a->name);
  RUN("GxB_Matrix_split", GxB_Matrix_split(tile, 2, 1, rows, cols, a->a, NULL));
  if (live() && last_info() == GrB_SUCCESS) {
    thing shown[2] = {*a, *a};
    for (int k = 0; k < 2; k++) {
      snprintf(shown[k].name, sizeof shown[k].name, "tile%d", k);
      shown[k].a = tile[k], shown[k].nrows = rows[k];
      show(&shown[k]);
      GrB_Matrix_free(&tile[k]);
    }
  }
}

/* ---- diagonals ---- */

static int64_t pick_diagonal(void) {
  return chance(40) ? 0 : (int64_t)below(7) - 3;
}

static void vector_of_diagonal(void) {
  thing *a = pick(MATRIX);
  int64_t k = pick_diagonal();
  GrB_Index skip_rows = k < 0 ? (GrB_Index)-k : 0, skip_cols = k > 0 ? (GrB_Index)k : 0;
  if (skip_rows >= a->nrows || skip_cols >= a->ncols || a->t >= NPREDEFINED) return;
  GrB_Index rows = a->nrows - skip_rows, cols = a->ncols - skip_cols;
  thing *v = temporary(VECTOR, cast_type(a->t), rows < cols ? rows : cols, 1);
  log_text("GxB_Vector_diag(%s, %s, %" PRId64 ", NULL)", v->name, a->name, k);
  RUN("GxB_Vector_diag", GxB_Vector_diag(v->v, a->a, k, NULL));
  v->unsure = a->unsure;
  show(v);
}

static void matrix_of_diagonal(void) {
  thing *v = pick(VECTOR);
  int64_t k = pick_diagonal();
  GrB_Index n = v->nrows + (GrB_Index)(k < 0 ? -k : k);
  if (n > GrB_INDEX_MAX || v->t >= NPREDEFINED) return;
  thing *c = temporary(MATRIX, cast_type(v->t), n, n);
  log_text("GxB_Matrix_diag(%s, %s, %" PRId64 ", NULL)", c->name, v->name, k);
  RUN("GxB_Matrix_diag", GxB_Matrix_diag(c->a, v->v, k, NULL));
  c->unsure = v->unsure;
  show(c);
}

/* ---- reshape, sort, build ---- */

static void reshape(void) {
  thing *a = pick(MATRIX), made = *a;
  bool by_col = chance(50);
  if (a->nrows > 5000 || a->ncols > 5000) return; /* SuiteSparse refuses some */
  snprintf(made.name, sizeof made.name, "shaped");
  made.a = NULL, made.nrows = a->ncols, made.ncols = a->nrows;
  log_text("GxB_Matrix_reshapeDup(&shaped, %s, %d, %" PRIu64 ", %" PRIu64 ", NULL)", a->name, by_col,
           made.nrows, made.ncols);
  RUN("GxB_Matrix_reshapeDup", GxB_Matrix_reshapeDup(&made.a, a->a, by_col, made.nrows, made.ncols, NULL));
  if (live() && last_info() == GrB_SUCCESS) {
    show(&made);
    GrB_Matrix_free(&made.a);
  }
}

/* An order: LT or GT of the type; without user-defined types, nor values that cannot be ordered. */
static GrB_BinaryOp order_of(int t, bool ascending) {
#define X(T, C) \
  if (t == T_##T) return ascending ? GrB_LT_##T : GrB_GT_##T;
  GRID_TYPES(X)
#undef X
  return NULL;
}

static void sort_entries(void) {
  bool matrix = chance(60), ascending = chance(50);
  thing *a = pick(matrix ? MATRIX : VECTOR);
  if (a->t >= NPREDEFINED || is_real(a->t)) return;
  /* Of large dimensions SuiteSparse loses or misplaces entries, and 7.4 loses those of some matrices. */
  if (a->nrows > 5000 || a->ncols > 5000 || (matrix && !twin_newer())) return;
  thing *c = temporary(a->kind, a->t, a->nrows, a->ncols),
        *p = temporary(a->kind, T_INT64, a->nrows, a->ncols);
  GrB_BinaryOp order = order_of(a->t, ascending);
  log_text("GxB_%s_sort(%s, %s, %s, %s, NULL)", kind_name(a), c->name, p->name, ascending ? "LT" : "GT",
           a->name);
  if (live() && known_sort_pending()) twin_complete(a->a, a->v);
  if (matrix)
    RUN("GxB_Matrix_sort", GxB_Matrix_sort(c->a, p->a, order, a->a, NULL));
  else
    RUN("GxB_Vector_sort", GxB_Vector_sort(c->v, p->v, order, a->v, NULL));
  show(c), show(p);
}

static void build_scalar(void) {
  thing *s = pick(SCALAR);
  GrB_Index nrows = pick_dim(), ncols = pick_dim(), n = below(20), i[20], j[20];
  if (s->t >= NPREDEFINED || nrows == 0 || ncols == 0) return;
  thing *c = temporary(MATRIX, cast_type(s->t), nrows, ncols);
  log_text("GxB_Matrix_build_Scalar(%s, {", c->name);
  for (GrB_Index k = 0; k < n; k++) {
    i[k] = random_index(nrows), j[k] = random_index(ncols);
    log_text("%s%" PRIu64 ":%" PRIu64, k ? "," : "", i[k], j[k]);
  }
  log_text("}, %s, %" PRIu64 ")", s->name, n);
  RUN("GxB_Matrix_build_Scalar", GxB_Matrix_build_Scalar(c->a, i, j, s->s, n));
  show(c);
}

static void stored(void) {
  thing *a = pick(MATRIX);
  GrB_Index i = random_index(a->nrows), j = random_index(a->ncols);
  log_text("GxB_Matrix_isStoredElement(%s, %" PRIu64 ", %" PRIu64 ")", a->name, i, j);
  RUN("GxB_Matrix_isStoredElement", GxB_Matrix_isStoredElement(a->a, i, j));
}

void call_extension(void) {
  static void (*const extension[])(void) = {ewise_union,        ewise_union,      subassign_vector,
                                            subassign_matrix,   subassign_matrix, subassign_scalar,
                                            extract_range,      concat,           split,
                                            vector_of_diagonal, reshape,          sort_entries,
                                            matrix_of_diagonal, build_scalar,     stored};
  const uint64_t k = below(sizeof extension / sizeof *extension + 2);
  if (k < sizeof extension / sizeof *extension)
    extension[k]();
  else
    subassign_line(k % 2);
}
