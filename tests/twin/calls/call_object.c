/* Statements on one object: build, elements, copies, dimensions, import and export. */
#include "tests/twin/random_program.h"

static const char *kind_name(const thing *x) {
  return x->kind == VECTOR ? "Vector" : "Matrix";
}

/* ---- contents ------------------------------------------------------------------------------------------ */

static void clear(thing *x) {
  log_text("GrB_%s_clear(%s)", x->kind == SCALAR ? "Scalar" : kind_name(x), x->name);
  if (x->kind == MATRIX)
    RUN("GrB_Matrix_clear", GrB_Matrix_clear(x->a));
  else if (x->kind == VECTOR)
    RUN("GrB_Vector_clear", GrB_Vector_clear(x->v));
  else
    RUN("GrB_Scalar_clear", GrB_Scalar_clear(x->s));
  x->empty = true;
}

/* Tuples with duplicates, combined by an operator; or an output that is not empty, or wrong tuples. */
static void build(thing *x) {
  GrB_Index n = 1 + below(20), *i = malloc(n * sizeof *i), *j = malloc(n * sizeof *j);
  value *v = malloc(n * sizeof *v);
  const binary *dup;
  do dup = binary_for(x->t, NULL);
  while (dup->x != x->t || dup->y != x->t || dup->z != x->t || divides(dup->name) ||
         !strncmp(dup->name, "ANY", 3));
  for (GrB_Index k = 0; k < n; k++)
    i[k] = random_index(x->nrows), j[k] = random_index(x->ncols), v[k] = random_value(x->t, EXACT);
  if (chance(5)) i[below(n)] = x->nrows;
  bool none = chance(10), right = true;
  for (GrB_Index k = 0; k < n; k++) right &= i[k] < x->nrows && j[k] < x->ncols;
  for (GrB_Index k = 1; k < n; k++)
    for (GrB_Index e = 0; none && e < k; e++) right &= i[e] != i[k] || j[e] != j[k];
  /* what wrong tuples leave behind is undefined (section 4.2.5.9) */
  if (!right) x = temporary(x->kind, x->t, x->nrows, x->ncols);
  void *packed = pack_values(x->t, v, n);
  log_text("GrB_%s_build(%s, ", kind_name(x), x->name);
  log_list(i, n);
  if (x->kind == MATRIX) log_text(" "), log_list(j, n);
  for (GrB_Index k = 0; k < n; k++) log_text("%s%s", k ? "; " : " {", value_text(x->t, &v[k]));
  log_text("}, %s)", none ? "NULL" : dup->name);
  if (x->kind == MATRIX)
    RUN("GrB_Matrix_build", matrix_build(x->a, x->t, i, j, packed, n, none ? NULL : dup->op));
  else
    RUN("GrB_Vector_build", vector_build(x->v, x->t, i, packed, n, none ? NULL : dup->op));
  free(i), free(j), free(v), free(packed);
}

void call_fill(void) {
  thing *x = pick(chance(50) ? MATRIX : chance(70) ? VECTOR : SCALAR);
  if (x->kind == SCALAR) {
    fill(x, chance(60) ? EXACT : RICH);
    return;
  }
  bool cleared = chance(85);
  if (cleared) clear(x);
  if (cleared && chance(60)) {
    fill(x, chance(60) ? EXACT : RICH);
  } else {
    x->bits = LONG_VALUES;
    build(x);
  }
  look(x);
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static void set_element(thing *x, GrB_Index i, GrB_Index j) {
  int t = castable_type(x->t);
  value v = random_value(t, EXACT);
  thing *s = chance(25) ? scalar_for(x->t) : NULL;
  const bool outside = i >= x->nrows || (x->kind == MATRIX && j >= x->ncols);
  if (s && outside && !casts(s->t, x->t)) return; /* two faults: either may be reported */
  log_text("GrB_%s_setElement(%s, ", kind_name(x), x->name);
  s ? log_text("%s", s->name) : log_text("(%s)%s", twin_type_name[t], value_text(t, &v));
  log_text(x->kind == MATRIX ? ", %" PRIu64 ", %" PRIu64 ")" : ", %" PRIu64 ")", i, j);
  if (x->kind == MATRIX && s)
    RUN("GrB_Matrix_setElement", GrB_Matrix_setElement_Scalar(x->a, s->s, i, j));
  else if (x->kind == MATRIX)
    RUN("GrB_Matrix_setElement", matrix_set(x->a, t, &v, i, j));
  else if (s)
    RUN("GrB_Vector_setElement", GrB_Vector_setElement_Scalar(x->v, s->s, i));
  else
    RUN("GrB_Vector_setElement", vector_set(x->v, t, &v, i));
  if (bits_of(x) < LONG_VALUES) x->bits = LONG_VALUES;
}

static void remove_element(thing *x, GrB_Index i, GrB_Index j) {
  if (x->kind == MATRIX) {
    log_text("GrB_Matrix_removeElement(%s, %" PRIu64 ", %" PRIu64 ")", x->name, i, j);
    RUN("GrB_Matrix_removeElement", GrB_Matrix_removeElement(x->a, i, j));
  } else {
    log_text("GrB_Vector_removeElement(%s, %" PRIu64 ")", x->name, i);
    RUN("GrB_Vector_removeElement", GrB_Vector_removeElement(x->v, i));
  }
}

static void get_element(thing *x, GrB_Index i, GrB_Index j) {
  int t = castable_type(x->t);
  value v = random_value(t, EXACT);
  log_text("GrB_%s_extractElement(&%s, %s, ", kind_name(x), twin_type_name[t], x->name);
  log_text(x->kind == MATRIX ? "%" PRIu64 ", %" PRIu64 ")" : "%" PRIu64 ")", i, j);
  if (x->kind == MATRIX)
    RUN("GrB_Matrix_extractElement", matrix_get(&v, t, x->a, i, j));
  else
    RUN("GrB_Vector_extractElement", vector_get(&v, t, x->v, i));
  if (live()) say_value(t, &v), say("\n");
}

static void get_scalar(thing *x, GrB_Index i, GrB_Index j) {
  thing *s = temporary(SCALAR, castable_type(x->t), 1, 1);
  log_text("GrB_%s_extractElement(%s, %s, ", kind_name(x), s->name, x->name);
  log_text(x->kind == MATRIX ? "%" PRIu64 ", %" PRIu64 ")" : "%" PRIu64 ")", i, j);
  if (x->kind == MATRIX)
    RUN("GrB_Matrix_extractElement", GrB_Matrix_extractElement_Scalar(s->s, x->a, i, j));
  else
    RUN("GrB_Vector_extractElement", GrB_Vector_extractElement_Scalar(s->s, x->v, i));
  show(s);
}

void call_element(void) {
  thing *x = pick(chance(60) ? MATRIX : VECTOR);
  for (uint64_t k = 1 + below(4); k > 0; k--) {
    GrB_Index i = chance(3) ? x->nrows : random_index(x->nrows), j = random_index(x->ncols);
    switch (below(4)) {
      case 0:
        set_element(x, i, j);
        break;
      case 1:
        remove_element(x, i, j);
        break;
      case 2:
        get_element(x, i, j);
        break;
      default:
        get_scalar(x, i, j);
    }
  }
  look(x);
}

/* ---- shape --------------------------------------------------------------------------------------------- */

static void resize(thing *x) {
  thing *y = temporary(x->kind, x->t, x->nrows, x->ncols);
  if (live()) {
    if (x->kind == MATRIX) {
      GrB_Matrix_free(&y->a);
      log_text("GrB_Matrix_dup(&%s, %s)", y->name, x->name);
      RUN("GrB_Matrix_dup", GrB_Matrix_dup(&y->a, x->a));
    } else {
      GrB_Vector_free(&y->v);
      log_text("GrB_Vector_dup(&%s, %s)", y->name, x->name);
      RUN("GrB_Vector_dup", GrB_Vector_dup(&y->v, x->v));
      twin_tune_vector(y->v, y->nrows);
    }
  }
  GrB_Index nrows = chance(50) ? 1 + random_index(x->nrows) : x->nrows + below(200),
            ncols = chance(50) ? x->ncols : 1 + random_index(x->ncols);
  if (chance(4)) *(chance(50) ? &nrows : &ncols) = 0;
  if (nrows > (UINT64_C(1) << 60)) nrows = UINT64_C(1) << 60;
  if (x->kind == MATRIX) {
    (void)ncols;
#if TWIN_HAS_GrB_Matrix_resize
    log_text("GrB_Matrix_resize(%s, %" PRIu64 ", %" PRIu64 ")", y->name, nrows, ncols);
    RUN("GrB_Matrix_resize", GrB_Matrix_resize(y->a, nrows, ncols));
#endif
  } else {
    log_text("GrB_Vector_resize(%s, %" PRIu64 ")", y->name, nrows);
    RUN("GrB_Vector_resize", GrB_Vector_resize(y->v, nrows));
  }
  show(y);
}

#if TWIN_HAS_GrB_Matrix_diag
static void diagonal(thing *v) {
  GrB_Matrix d = NULL;
  int64_t k = (int64_t)below(9) - 4;
  if (v->nrows > (UINT64_C(1) << 59)) return;
  log_text("GrB_Matrix_diag(&D, %s, %" PRId64 ")", v->name, k);
  RUN("GrB_Matrix_diag", GrB_Matrix_diag(&d, v->v, k));
  if (live() && d) say_matrix("D", d, v->t);
  GrB_Matrix_free(&d);
}
#endif

static void wait(thing *x) {
  GrB_WaitMode mode = chance(50) ? GrB_COMPLETE : GrB_MATERIALIZE;
  log_text("GrB_%s_wait(%s, %s)", x->kind == SCALAR ? "Scalar" : kind_name(x), x->name,
           mode == GrB_COMPLETE ? "GrB_COMPLETE" : "GrB_MATERIALIZE");
  if (x->kind == MATRIX)
    RUN("GrB_Matrix_wait", GrB_Matrix_wait(x->a, mode));
  else if (x->kind == VECTOR)
    RUN("GrB_Vector_wait", GrB_Vector_wait(x->v, mode));
  else
    RUN("GrB_Scalar_wait", GrB_Scalar_wait(x->s, mode));
}

void call_shape(void) {
  thing *x = pick(chance(60) ? MATRIX : VECTOR);
  switch (below(3)) {
    case 0:
      resize(x);
      break;
    case 1:
#if TWIN_HAS_GrB_Matrix_diag
      diagonal(pick(VECTOR));
#endif
      break;
    default:
      wait(x);
  }
}

/* ---- import and export --------------------------------------------------------------------------------- */

#if TWIN_HAS_GrB_Matrix_serialize && TWIN_HAS_GrB_Matrix_import_INT32 && TWIN_HAS_GrB_Matrix_export_INT32
/* Arrays of an implementation-defined format differ between libraries only in the order within a row, so the
 * imported matrix is compared. */
static void export_import(thing *x) {
  static const GrB_Format format[] = {GrB_CSR_FORMAT, GrB_CSC_FORMAT, GrB_COO_FORMAT};
  static const char *const name[] = {"GrB_CSR_FORMAT", "GrB_CSC_FORMAT", "GrB_COO_FORMAT"};
  uint64_t f = x->nrows > 5000 || x->ncols > 5000 ? 2 : below(3);
  GrB_Index np = 0, ni = 0, nx = 0;
  log_text("GrB_Matrix_exportSize(&np, &ni, &nx, %s, %s)", name[f], x->name);
  RUN("GrB_Matrix_exportSize", GrB_Matrix_exportSize(&np, &ni, &nx, format[f], x->a));
  if (!live()) return;
  say("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", np, ni, nx);
  GrB_Index *p = calloc(np + 1, sizeof *p), *i = calloc(ni + 1, sizeof *i);
  char *v = calloc(nx + 1, twin_size[x->t]);
  log_text("GrB_Matrix_export(p, i, x, &np, &ni, &nx, %s, %s)", name[f], x->name);
  RUN("GrB_Matrix_export", matrix_export(p, i, v, &np, &ni, &nx, format[f], x->t, x->a));
  say("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", np, ni, nx);
  GrB_Matrix b = NULL;
  log_text("GrB_Matrix_import(&B, %s, %" PRIu64 ", %" PRIu64 ", p, i, x, np, ni, nx, %s)",
           twin_type_name[x->t], x->nrows, x->ncols, name[f]);
  RUN("GrB_Matrix_import", matrix_import(&b, x->t, x->nrows, x->ncols, p, i, v, np, ni, nx, format[f]));
  if (b) say_matrix("B", b, x->t);
  GrB_Matrix_free(&b);
  free(p), free(i), free(v);
}

static void serialize(thing *x) {
  GrB_Index size = 0, nvals = 1;
  if (live() && known_serialize_emptied()) DO(GrB_Matrix_nvals(&nvals, x->a));
  if (nvals == 0) return;
  log_text("GrB_Matrix_serializeSize(&n, %s)", x->name);
  RUN("GrB_Matrix_serializeSize", GrB_Matrix_serializeSize(&size, x->a));
  if (!live()) return;
  void *blob = malloc(size + 1);
  log_text("GrB_Matrix_serialize(blob, &n, %s)", x->name);
  RUN("GrB_Matrix_serialize", GrB_Matrix_serialize(blob, &size, x->a));
  GrB_Matrix b = NULL;
  log_text("GrB_Matrix_deserialize(&B, %s, blob, n)", twin_type_name[x->t]);
  RUN("GrB_Matrix_deserialize", GrB_Matrix_deserialize(&b, twin_type[x->t], blob, size));
  if (b) say_matrix("B", b, x->t);
  GrB_Matrix_free(&b);
  free(blob);
}

void call_exchange(void) {
  (chance(60) ? export_import : serialize)(pick(MATRIX));
}
#endif
