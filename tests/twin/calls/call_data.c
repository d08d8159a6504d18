/* Statements: arrays, containers and iterators, the extensions that move data. On several processes each has
 * its own rows, so what is compared is what all of them make together. */
#include "tests/twin/random_program.h"

#define MOST_CELLS 4096

/* ---- arrays ---- */

typedef struct {
  GrB_Index *p, *h, *i;
  int8_t *b;
  void *x;
  GrB_Index p_size, h_size, i_size, b_size, x_size, nvec, nvals;
  bool iso, jumbled;
} arrays;
enum { SPARSE, HYPERSPARSE, BITMAP, FULL, FORMS };
static const char *const form_name[FORMS] = {"CS", "HyperCS", "Bitmap", "Full"};

/* By row or by column; at_will: values may be iso, and indices jumbled. */
static GrB_Info unpack(arrays *a, GrB_Matrix A, int form, bool by_column, bool at_will) {
  bool *iso = at_will ? &a->iso : NULL, *jumbled = at_will ? &a->jumbled : NULL;
#define SIDES(ROW, COL, ...) \
  (by_column ? GxB_Matrix_unpack_##COL : GxB_Matrix_unpack_##ROW)(__VA_ARGS__, NULL)
  switch (form) {
    case SPARSE:
      return SIDES(CSR, CSC, A, &a->p, &a->i, &a->x, &a->p_size, &a->i_size, &a->x_size, iso, jumbled);
    case HYPERSPARSE:
      return SIDES(HyperCSR, HyperCSC, A, &a->p, &a->h, &a->i, &a->x, &a->p_size, &a->h_size, &a->i_size,
                   &a->x_size, iso, &a->nvec, jumbled);
    case BITMAP:
      return SIDES(BitmapR, BitmapC, A, &a->b, &a->x, &a->b_size, &a->x_size, iso, &a->nvals);
    default:
      return SIDES(FullR, FullC, A, &a->x, &a->x_size, iso);
  }
#undef SIDES
}

static GrB_Info pack(arrays *a, GrB_Matrix A, int form, bool by_column) {
#define SIDES(ROW, COL, ...) (by_column ? GxB_Matrix_pack_##COL : GxB_Matrix_pack_##ROW)(__VA_ARGS__, NULL)
  switch (form) {
    case SPARSE:
      return SIDES(CSR, CSC, A, &a->p, &a->i, &a->x, a->p_size, a->i_size, a->x_size, a->iso, a->jumbled);
    case HYPERSPARSE:
      return SIDES(HyperCSR, HyperCSC, A, &a->p, &a->h, &a->i, &a->x, a->p_size, a->h_size, a->i_size,
                   a->x_size, a->iso, a->nvec, a->jumbled);
    case BITMAP:
      return SIDES(BitmapR, BitmapC, A, &a->b, &a->x, a->b_size, a->x_size, a->iso, a->nvals);
    default:
      return SIDES(FullR, FullC, A, &a->x, a->x_size, a->iso);
  }
#undef SIDES
}

/* c = a's entries by their arrays, which c takes by row or by column; a copy of a is unpacked. */
static GrB_Info move_arrays(GrB_Matrix c, GrB_Matrix a, int form, bool from_column, bool to_column,
                            bool at_will) {
  arrays x = {0};
  GrB_Matrix copy = NULL;
  GrB_Info info = GrB_Matrix_dup(&copy, a);
  if (info == GrB_SUCCESS) info = unpack(&x, copy, form, from_column, at_will);
  if (info == GrB_SUCCESS) info = pack(&x, c, form, to_column);
  free(x.p), free(x.h), free(x.i), free(x.b), free(x.x);
  GrB_Matrix_free(&copy);
  return info;
}

/* Rows that are taken as columns give the transpose. */
static void pack_matrix(void) {
  thing *a = pick(MATRIX);
  const int form = (int)below(FORMS);
  const bool from = chance(40), to = chance(30) ? !from : from, at_will = chance(60);
  if (form >= BITMAP ? a->nrows > MOST_CELLS || a->ncols > MOST_CELLS || a->nrows * a->ncols > MOST_CELLS
                     : form == SPARSE && (from ? a->ncols : a->nrows) > 5000)
    return;
  thing *c = temporary(MATRIX, a->t, from == to ? a->nrows : a->ncols, from == to ? a->ncols : a->nrows);
  log_text("GxB_Matrix_pack_%s%c(%s, GxB_Matrix_unpack_%s%c(%s), at_will = %d)", form_name[form],
           to ? 'C' : 'R', c->name, form_name[form], from ? 'C' : 'R', a->name, at_will);
  RUN("GxB_Matrix_", move_arrays(c->a, a->a, form, from, to, at_will));
  c->unsure = a->unsure, c->bits = bits_of(a);
  show(c);
}

/* ---- containers; 7.4 has none ---- */

#if defined TWIN_SUITESPARSE && !defined TWIN_OUR_HEADER
static void load_container(void) {}
#else
static GrB_Info through_container(thing *to, const thing *from) {
  GxB_Container container = NULL;
  GrB_Matrix a = NULL;
  GrB_Vector v = NULL;
  GrB_Info info = GxB_Container_new(&container);
  if (info == GrB_SUCCESS)
    info = from->kind == MATRIX ? GrB_Matrix_dup(&a, from->a) : GrB_Vector_dup(&v, from->v);
  if (info == GrB_SUCCESS)
    info = a ? GxB_unload_Matrix_into_Container(a, container, NULL)
             : GxB_unload_Vector_into_Container(v, container, NULL);
  if (info == GrB_SUCCESS)
    info = to->kind == MATRIX ? GxB_load_Matrix_from_Container(to->a, container, NULL)
                              : GxB_load_Vector_from_Container(to->v, container, NULL);
  GrB_Matrix_free(&a), GrB_Vector_free(&v);
  GxB_Container_free(&container);
  return info;
}

/* The target has another size and type before; a vector is also loaded into a matrix. */
static void load_container(void) {
  if (!twin_newer()) return;
  thing *x = pick(chance(60) ? MATRIX : VECTOR);
  const sort kind = x->kind == VECTOR && chance(30) ? MATRIX : x->kind;
  if (x->kind == VECTOR && x->nrows > 100000) return; /* it may be full */
  thing *c = temporary(kind, T_INT8, pick_dim(), kind == MATRIX ? pick_dim() : 1);
  log_text("GxB_load_from_Container(%s, GxB_unload_into_Container(%s))", c->name, x->name);
  RUN("GxB_load_Container", through_container(c, x));
  if (!live() || last_info() != GrB_SUCCESS) return;
  c->t = x->t, c->nrows = x->nrows, c->ncols = x->ncols, c->unsure = x->unsure, c->bits = bits_of(x);
  show(c);
}
#endif

/* ---- iterators ---- */

/* Entries, and a sum over them that depends on no order. */
typedef struct {
  uint64_t entries, sum;
} visit;
static const thing *visited;

static void count_entry(visit *v, GxB_Iterator it, GrB_Index i, GrB_Index j) {
  value x;
  memset(&x, 0, sizeof x);
  GxB_Iterator_get_UDT(it, &x);
  uint64_t h = i * UINT64_C(0x9e3779b97f4a7c15) + j * UINT64_C(0xbf58476d1ce4e5b9);
  if (!is_real(visited->t))
    for (size_t k = 0; k < twin_size[visited->t]; k++) h = (h ^ x.bytes[k]) * UINT64_C(1099511628211);
  v->entries++, v->sum += h ^ h >> 31;
}

static void visit_entries(visit *v, GxB_Iterator it) {
  for (GrB_Info info = GxB_Matrix_Iterator_seek(it, 0); info == GrB_SUCCESS;
       info = GxB_Matrix_Iterator_next(it)) {
    GrB_Index i, j;
    GxB_Matrix_Iterator_getIndex(it, &i, &j);
    count_entry(v, it, i, j);
  }
}

static void visit_rows(visit *v, GxB_Iterator it) {
  for (GrB_Info row = GxB_rowIterator_kseek(it, 0); row != GxB_EXHAUSTED; row = GxB_rowIterator_nextRow(it))
    for (GrB_Info info = row; info == GrB_SUCCESS; info = GxB_rowIterator_nextCol(it))
      count_entry(v, it, GxB_rowIterator_getRowIndex(it), GxB_rowIterator_getColIndex(it));
}

static void visit_vector(visit *v, GxB_Iterator it) {
  for (GrB_Info info = GxB_Vector_Iterator_seek(it, 0); info == GrB_SUCCESS;
       info = GxB_Vector_Iterator_next(it))
    count_entry(v, it, GxB_Vector_Iterator_getIndex(it), 0);
}

/* SuiteSparse iterates over the rows of matrices that are stored by rows only. */
static GrB_Info attach_rows(GxB_Iterator it, GrB_Matrix a) {
  GrB_Info info = GxB_Matrix_Option_set(a, GxB_FORMAT, GxB_BY_ROW);
  return info == GrB_SUCCESS ? GxB_rowIterator_attach(it, a, NULL) : info;
}

static GrB_Info iterate(visit *v, const thing *x, bool by_row) {
  GxB_Iterator it = NULL;
  GrB_Info info = GxB_Iterator_new(&it);
  visited = x;
  *v = (visit){0};
  if (info == GrB_SUCCESS)
    info = x->kind == VECTOR ? GxB_Vector_Iterator_attach(it, x->v, NULL)
           : by_row          ? attach_rows(it, x->a)
                             : GxB_Matrix_Iterator_attach(it, x->a, NULL);
  if (info == GrB_SUCCESS) (x->kind == VECTOR ? visit_vector : by_row ? visit_rows : visit_entries)(v, it);
  GxB_Iterator_free(&it);
  return info;
}

static void iterator(void) {
  const thing *x = pick(chance(60) ? MATRIX : VECTOR);
  const bool by_row = chance(50);
  visit v = {0};
  log_text("GxB_%sIterator(%s)", x->kind == VECTOR ? "Vector_" : by_row ? "row" : "Matrix_", x->name);
  RUN("GxB_Iterator_attach", iterate(&v, x, by_row));
  if (!live() || last_info() != GrB_SUCCESS) return;
  v.entries = twin_sum(v.entries), v.sum = twin_sum(v.sum);
  say("%" PRIu64 " entries, %" PRIx64 "\n", v.entries, v.sum);
}

void call_data(void) {
  static void (*const data[])(void) = {pack_matrix, pack_matrix, load_container, iterator};
  data[below(sizeof data / sizeof *data)]();
}
