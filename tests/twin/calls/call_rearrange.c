/* Statements: what moves or cuts the contents of a variable in place, ranges of indices, tiles of several
 * types, and vectors as bytes and arrays. */
#include "tests/twin/random_program.h"

enum { SMALL = 5000 };

static bool is_small(const thing *x) {
  return x->nrows <= SMALL && x->ncols <= SMALL;
}

/* ---- dimensions ---- */

static void resize_to(thing *x, GrB_Index nrows, GrB_Index ncols) {
  if (x->kind == MATRIX) {
    log_text("GrB_Matrix_resize(%s, %" PRIu64 ", %" PRIu64 ")", x->name, nrows, ncols);
    RUN("GrB_Matrix_resize", GrB_Matrix_resize(x->a, nrows, ncols));
  } else {
    log_text("GrB_Vector_resize(%s, %" PRIu64 ")", x->name, nrows);
    RUN("GrB_Vector_resize", GrB_Vector_resize(x->v, nrows));
  }
}

static void set_somewhere(thing *x, GrB_Index nrows, GrB_Index ncols) {
  for (uint64_t k = below(3); k > 0; k--) {
    const value v = random_value(x->t, EXACT);
    const GrB_Index i = random_index(nrows), j = random_index(ncols);
    log_text("GrB_setElement(%s, %s, %" PRIu64 ", %" PRIu64 ")", x->name, value_text(x->t, &v), i, j);
    if (x->kind == MATRIX)
      RUN("GrB_Matrix_setElement", matrix_set(x->a, x->t, &v, i, j));
    else
      RUN("GrB_Vector_setElement", vector_set(x->v, x->t, &v, i));
  }
  if (bits_of(x) < LONG_VALUES) x->bits = LONG_VALUES;
}

/* Entries that are set before, between and after two changes of the dimensions; the last are the first again.
 */
static void resize_twice(void) {
  thing *x = pick(chance(60) ? MATRIX : VECTOR);
  const GrB_Index nrows = 1 + random_index(x->nrows), ncols = 1 + random_index(x->ncols);
  if (x->nrows == 0 || x->ncols == 0) return;
  set_somewhere(x, x->nrows, x->ncols);
  resize_to(x, nrows, ncols);
  set_somewhere(x, nrows, ncols);
  resize_to(x, x->nrows, x->ncols);
  set_somewhere(x, x->nrows, x->ncols);
  look(x);
}

/* Rows and columns become another number of them, and what they were. */
static void reshape_twice(void) {
  thing *x = pick(MATRIX);
  const bool by_col[2] = {chance(50), chance(50)};
  GrB_Index rows = 1 + below(6);
  if (!is_small(x) || x->nrows == 0 || x->ncols == 0) return;
  while (x->nrows * x->ncols % rows) rows--;
  const GrB_Index nrows[2] = {rows, x->nrows}, ncols[2] = {x->nrows * x->ncols / rows, x->ncols};
  for (int k = 0; k < 2; k++) {
    log_text("GxB_Matrix_reshape(%s, %d, %" PRIu64 ", %" PRIu64 ", NULL)", x->name, by_col[k], nrows[k],
             ncols[k]);
    RUN("GxB_Matrix_reshape", GxB_Matrix_reshape(x->a, by_col[k], nrows[k], ncols[k], NULL));
  }
  show(x);
}

/* ---- ranges ---- */

typedef struct {
  GrB_Index bounds[3], ni, count;
  const char *name;
} range;

static range random_range(GrB_Index n) {
  const GrB_Index lo = random_index(n), hi = random_index(n), step = 1 + below(3);
  const GrB_Index least = lo < hi ? lo : hi, most = lo < hi ? hi : lo;
  if (chance(30)) return (range){{most, least, step}, GxB_BACKWARDS, (most - least) / step + 1, "BACKWARDS"};
  if (chance(50)) return (range){{least, most, step}, GxB_STRIDE, (most - least) / step + 1, "STRIDE"};
  return (range){{least, most, 1}, GxB_RANGE, most - least + 1, "RANGE"};
}

static void log_range(const range *r) {
  log_text("{%" PRIu64 ",%" PRIu64 ",%" PRIu64 "} GxB_%s", r->bounds[0], r->bounds[1], r->bounds[2], r->name);
}

static void extract_ranges(void) {
  thing *a = pick(MATRIX);
  if (!is_small(a) || a->nrows == 0 || a->ncols == 0) return;
  const range i = random_range(a->nrows), j = random_range(a->ncols);
  thing *c = temporary(MATRIX, a->t, i.count, j.count);
  log_text("GrB_Matrix_extract(%s, NULL, NULL, %s, ", c->name, a->name);
  log_range(&i), log_text(", "), log_range(&j), log_text(", NULL)");
  RUN("GrB_Matrix_extract", GrB_Matrix_extract(c->a, NULL, NULL, a->a, i.bounds, i.ni, j.bounds, j.ni, NULL));
  c->unsure = a->unsure, c->bits = bits_of(a);
  show(c);
}

static void assign_ranges(void) {
  thing *c = pick(MATRIX);
  if (!is_small(c) || c->nrows == 0 || c->ncols == 0) return;
  const range i = random_range(c->nrows), j = random_range(c->ncols);
  thing *a = temporary(MATRIX, c->t, i.count, j.count);
  fill(a, EXACT);
  const bool within = chance(50);
  log_text("%s(%s, NULL, NULL, %s, ", within ? "GxB_Matrix_subassign" : "GrB_Matrix_assign", c->name,
           a->name);
  log_range(&i), log_text(", "), log_range(&j), log_text(", NULL)");
  if (within)
    RUN("GxB_Matrix_subassign",
        GxB_Matrix_subassign(c->a, NULL, NULL, a->a, i.bounds, i.ni, j.bounds, j.ni, NULL));
  else
    RUN("GrB_Matrix_assign", GrB_Matrix_assign(c->a, NULL, NULL, a->a, i.bounds, i.ni, j.bounds, j.ni, NULL));
  if (bits_of(c) < LONG_VALUES) c->bits = LONG_VALUES;
  look(c);
}

/* ---- tiles ---- */

/* 2 x 2 tiles, each of a type of its own that casts to that of the output. */
static void concat_four(void) {
  GrB_Index nrows[2], ncols[2];
  GrB_Matrix tiles[4] = {NULL};
  const int t = pick(MATRIX)->t;
  for (int k = 0; k < 2; k++) nrows[k] = below(40), ncols[k] = below(40);
  thing *c = temporary(MATRIX, t, nrows[0] + nrows[1], ncols[0] + ncols[1]);
  thing *tile[4];
  for (int k = 0; k < 4; k++) {
    tile[k] = temporary(MATRIX, cast_type(t), nrows[k / 2], ncols[k % 2]);
    fill(tile[k], EXACT);
    tiles[k] = tile[k]->a;
  }
  log_text("GxB_Matrix_concat(%s, {%s, %s, %s, %s}, 2, 2, NULL)", c->name, tile[0]->name, tile[1]->name,
           tile[2]->name, tile[3]->name);
  RUN("GxB_Matrix_concat", GxB_Matrix_concat(c->a, tiles, 2, 2, NULL));
  show(c);
}

static void split_nine(void) {
  thing *a = pick(MATRIX), shown = *a;
  GrB_Index rows[3], cols[3];
  GrB_Matrix tile[9] = {NULL};
  if (!is_small(a)) return;
  rows[0] = random_index(a->nrows), rows[1] = (a->nrows - rows[0]) / 2,
  rows[2] = a->nrows - rows[0] - rows[1];
  cols[0] = random_index(a->ncols), cols[1] = (a->ncols - cols[0]) / 3,
  cols[2] = a->ncols - cols[0] - cols[1];
  log_text("GxB_Matrix_split(tiles, 3, 3, rows %" PRIu64 " %" PRIu64 ", columns %" PRIu64 " %" PRIu64
           ", %s, NULL)",
           rows[0], rows[1], cols[0], cols[1], a->name);
  RUN("GxB_Matrix_split", GxB_Matrix_split(tile, 3, 3, rows, cols, a->a, NULL));
  if (!live() || last_info() != GrB_SUCCESS) return;
  for (int k = 0; k < 9; k++) {
    snprintf(shown.name, sizeof shown.name, "tile%d", k);
    shown.a = tile[k], shown.nrows = rows[k / 3], shown.ncols = cols[k % 3];
    show(&shown);
    GrB_Matrix_free(&tile[k]);
  }
}

/* ---- vectors as bytes and arrays ---- */

static GrB_Info through_bytes(GrB_Vector *to, int t, GrB_Vector from) {
  void *blob = NULL;
  GrB_Index size = 0;
  GrB_Info info = GxB_Vector_serialize(&blob, &size, from, NULL);
  if (info == GrB_SUCCESS) info = GxB_Vector_deserialize(to, twin_type[t], blob, size, NULL);
  free(blob);
  return info;
}

static GrB_Info through_arrays(GrB_Vector *to, int form, int t, GrB_Index n, GrB_Vector from) {
  GrB_Index *i = NULL, i_size = 0, b_size = 0, x_size = 0, nvals = 0;
  int8_t *b = NULL;
  void *x = NULL;
  bool iso = false, jumbled = false;
  GrB_Vector copy = NULL;
  GrB_Info info = GrB_Vector_dup(&copy, from);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(to, twin_type[t], n);
  if (info == GrB_SUCCESS)
    info = form == 0 ? GxB_Vector_unpack_CSC(copy, &i, &x, &i_size, &x_size, &iso, &nvals, &jumbled, NULL)
                     : GxB_Vector_unpack_Bitmap(copy, &b, &x, &b_size, &x_size, &iso, &nvals, NULL);
  if (info == GrB_SUCCESS)
    info = form == 0 ? GxB_Vector_pack_CSC(*to, &i, &x, i_size, x_size, iso, nvals, jumbled, NULL)
                     : GxB_Vector_pack_Bitmap(*to, &b, &x, b_size, x_size, iso, nvals, NULL);
  free(i), free(b), free(x);
  GrB_Vector_free(&copy);
  return info;
}

static void copy_vector(void) {
  thing *u = pick(VECTOR), made = *u;
  const uint64_t form = below(3);
  if (form == 1 && u->nrows > SMALL) return;
  snprintf(made.name, sizeof made.name, "copy");
  made.v = NULL;
  if (form == 2) {
    log_text("GxB_Vector_deserialize(&copy, GxB_Vector_serialize(%s))", u->name);
    RUN("GxB_Vector_", through_bytes(&made.v, u->t, u->v));
  } else {
    log_text("GxB_Vector_pack_%s(copy, GxB_Vector_unpack(%s))", form == 0 ? "CSC" : "Bitmap", u->name);
    RUN("GxB_Vector_", through_arrays(&made.v, (int)form, u->t, u->nrows, u->v));
  }
  if (live() && made.v) show(&made);
  GrB_Vector_free(&made.v);
}

void call_rearrange(void) {
  static void (*const rearrange[])(void) = {resize_twice,  resize_twice, reshape_twice, extract_ranges,
                                            assign_ranges, concat_four,  split_nine,    copy_vector};
  rearrange[below(sizeof rearrange / sizeof *rearrange)]();
}
