/* GxB_print for every kind of object: its description, and the entries of a collection. */
#include <stdlib.h>
#include <string.h>

#include "dist/matrix/matrix_output.h"
#include "spmat/vec_ops.h"

/* Output stream and level; `failed` after a failed fprintf. */
typedef struct {
  FILE *f;
  int level;
  bool failed;
} printer;

static void print_text(printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void print_text(printer *p, const char *fmt, ...) {
  va_list args;
  if (p->level <= GxB_SILENT) return;
  va_start(args, fmt);
  if (vfprintf(p->f, fmt, args) < 0) p->failed = true;
  va_end(args);
}

static GrB_Info print_start(printer *p, const void *object, int level, FILE *f, const char *call) {
  *p = (printer){.f = f ? f : stdout, .level = level};
  return grid_check_local(object, call, "object");
}

static GrB_Info finish(printer *p, grid_head *h, const char *call) {
  if (p->failed || (p->level > GxB_SILENT && fflush(p->f) != 0))
    return grid_fail(h, GrB_INVALID_VALUE, "%s: the file cannot be written: %s", call, strerror(errno));
  return GrB_SUCCESS;
}

static const char *name_of(const grid_head *h, const char *otherwise) {
  return h->name ? h->name : otherwise;
}

/* With GRIDBLAS_PREFIXED_NAMES the macro GxB_print passes the prefixed link name of a predefined object. */
static void print_title(printer *p, const char *name, const grid_head *h) {
  static const char prefix[] = "grid_GrB_";
  if (name && strncmp(name, prefix, strlen(prefix)) == 0) name += strlen("grid_");
  print_text(p, "%s: ", name && *name ? name : "object");
  if (h->name) print_text(p, "\"%s\", ", h->name);
}

/* ---- values ---- */

static void print_bytes(printer *p, const unsigned char *x, size_t size) {
  print_text(p, "0x");
  for (size_t k = 0; k < size && k < 32; k++) print_text(p, "%02x", x[k]);
  if (size > 32) print_text(p, "...");
}

static void print_value(printer *p, GrB_Type t, const void *x) {
  const bool verbose = p->level >= GxB_SHORT_VERBOSE;
  double real;
  grid_any_value part;
  int64_t whole;
  uint64_t natural;
  switch (t->code) {
    case GRID_T_UDT:
      print_bytes(p, x, t->size);
      break;
    case GRID_T_BOOL:
      print_text(p, "%s", grid_is_true(t, x) ? "true" : "false");
      break;
    case GRID_T_FC32:
    case GRID_T_FC64:
      grid_cast_array(&part, GxB_FC64, x, t, 1, 1);
      print_text(p, verbose ? "%.15g %c %.15gi" : "%g %c %gi", part.part[0],
                 signbit(part.part[1]) ? '-' : '+', fabs(part.part[1]));
      break;
    case GRID_T_FP32:
    case GRID_T_FP64:
      grid_cast_array(&real, GrB_FP64, x, t, 1, 1);
      print_text(p, verbose ? "%.15g" : "%g", real);
      break;
    case GRID_T_UINT8:
    case GRID_T_UINT16:
    case GRID_T_UINT32:
    case GRID_T_UINT64:
      grid_cast_array(&natural, GrB_UINT64, x, t, 1, 1);
      print_text(p, "%" PRIu64, natural);
      break;
    default:
      grid_cast_array(&whole, GrB_INT64, x, t, 1, 1);
      print_text(p, "%" PRId64, whole);
  }
}

/* ---- entries ---- */

/* Entries by row and column, on every process. */
typedef struct {
  uint64_t n;
  uint64_t *row, *col; /* col: NULL for a vector */
  char *val;
} entries;

static void entries_free(entries *e) {
  grid_free(e->row);
  grid_free(e->col);
  grid_free(e->val);
}

static GrB_Info entries_alloc(entries *e, uint64_t n, bool cols, size_t size) {
  *e = (entries){.n = n,
                 .row = grid_malloc(n, sizeof *e->row),
                 .col = cols ? grid_malloc(n, sizeof *e->col) : NULL,
                 .val = grid_malloc(n, size)};
  if (e->row && e->val && (e->col || !cols)) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "entries to print", n, 16 + size);
}

/* At most `most` of A's first entries on this process. A has its rows. */
static GrB_Info collect_matrix_entries(entries *e, GrB_Matrix A, uint64_t most) {
  const uint64_t n = A->block.nvals < most ? A->block.nvals : most;
  const size_t size = A->type->size;
  GrB_Info info = entries_alloc(e, n, true, size);
  grid_entries it = grid_entries_begin(&A->block);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n && grid_entries_next(&it); k++) {
    e->row[k] = grid_global_row(A->nrows, it.row);
    e->col[k] = grid_global_col(A->ncols, it.col);
    memcpy(e->val + k * size, grid_lmat_value(&A->block, it.at), size);
  }
  return info;
}

static GrB_Info collect_vector_entries(entries *e, GrB_Vector v, uint64_t most) {
  GrB_Info info = entries_alloc(e, v->chunk.nvals, false, v->type->size);
  if (info == GrB_SUCCESS)
    info = grid_vec_tuples(e->row, e->val, v->type, &v->chunk, grid_chunk_first(v->n, grid_ctx.k));
  if (e->n > most) e->n = most;
  return info;
}

/* Gathers all processes' entries everywhere. */
static GrB_Info gather(entries *e, size_t size) {
  entries all = {0};
  GrB_Info info = GrB_SUCCESS;
  all.n = e->n;
  TRY(grid_agree_sum(NULL, GrB_SUCCESS, &all.n, 1));
  TRY(grid_gather_elements(e->row, e->n, sizeof *e->row, (void **)&all.row));
  if (e->col) TRY(grid_gather_elements(e->col, e->n, sizeof *e->col, (void **)&all.col));
  TRY(grid_gather_elements(e->val, e->n, size, (void **)&all.val));
  entries_free(e);
  *e = all;
  all = (entries){0};
done:
  entries_free(&all);
  return info;
}

/* qsort's comparison has no context, so each record has its position and the index of its value. */
typedef struct {
  uint64_t row, col, at;
} line;

static int by_position(const void *a, const void *b) {
  const line *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return x->col < y->col ? -1 : x->col > y->col;
}

static GrB_Info print_entries(printer *p, const entries *e, GrB_Type t, uint64_t most, uint64_t nvals) {
  const uint64_t shown = nvals < most ? nvals : most;
  line *lines = grid_malloc(e->n, sizeof *lines);
  GrB_Info info = lines ? GrB_SUCCESS : grid_fail_memory(NULL, "lines to print", e->n, sizeof *lines);
  TRY(grid_agree(NULL, info));
  for (uint64_t k = 0; k < e->n; k++) lines[k] = (line){e->row[k], e->col ? e->col[k] : 0, k};
  qsort(lines, e->n, sizeof *lines, by_position);
  for (uint64_t k = 0; k < shown; k++) {
    print_text(p, "  (%" PRIu64, lines[k].row);
    if (e->col) print_text(p, ", %" PRIu64, lines[k].col);
    print_text(p, ")  ");
    print_value(p, t, e->val + lines[k].at * t->size);
    print_text(p, "\n");
  }
  if (shown < nvals) print_text(p, "  and %" PRIu64 " more\n", nvals - shown);
done:
  grid_free(lines);
  return info;
}

/* The number of entries that a level prints. */
static uint64_t max_entries(const printer *p) {
  const bool is_short = p->level == GxB_SHORT || p->level == GxB_SHORT_VERBOSE;
  return p->level <= GxB_SUMMARY ? 0 : is_short ? 30 : UINT64_MAX;
}

/* own: this process's entries, with the outcome `info` of collecting them; consumed. */
static GrB_Info print_gathered(printer *p, entries *own, GrB_Type t, uint64_t nvals, GrB_Info info) {
  TRY(grid_agree(NULL, info));
  TRY(gather(own, t->size));
  info = print_entries(p, own, t, max_entries(p), nvals);
done:
  entries_free(own);
  return info;
}

/* ---- collections ---- */

GrB_Info GxB_Matrix_fprint(GrB_Matrix object, const char *name, GxB_Print_Level pr, FILE *f) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Matrix_fprint";
  printer p;
  entries own = {0};
  GrB_Index nvals;
  GrB_Info info = print_start(&p, object, (int)pr, f, call);
  if (info != GrB_SUCCESS) return info;
  TRY(GrB_Matrix_nvals(&nvals, object));
  print_title(&p, name, &object->head);
  print_text(&p, "%" PRIu64 " x %" PRIu64 " matrix of %s, %" PRIu64 " entries\n", object->nrows,
             object->ncols, object->type->name, nvals);
  if (max_entries(&p) > 0) {
    TRY(grid_matrix_require_host(object, 0, call));
    info = collect_matrix_entries(&own, object, max_entries(&p));
    TRY(print_gathered(&p, &own, object->type, nvals, info));
  }
  info = grid_agree(&object->head, finish(&p, &object->head, call));
done:
  return info;
}

GrB_Info GxB_Vector_fprint(GrB_Vector object, const char *name, GxB_Print_Level pr, FILE *f) {
  GRID_CALL_SCOPE;
  static const char call[] = "GxB_Vector_fprint";
  printer p;
  entries own = {0};
  GrB_Index nvals;
  GrB_Info info = print_start(&p, object, (int)pr, f, call);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_vector(object, call, "object"));
  TRY(grid_vector_count(&nvals, object));
  print_title(&p, name, &object->head);
  print_text(&p, "vector of size %" PRIu64 " of %s, %" PRIu64 " entries\n", object->n, object->type->name,
             nvals);
  if (max_entries(&p) > 0) {
    info = collect_vector_entries(&own, object, max_entries(&p));
    TRY(print_gathered(&p, &own, object->type, nvals, info));
  }
  info = grid_agree(&object->head, finish(&p, &object->head, call));
done:
  return info;
}

/* ---- objects that each process holds whole: scalars, types, algebra, descriptors ---- */

static void print_Scalar(printer *p, GrB_Scalar s) {
  print_text(p, "scalar of %s, ", s->type->name);
  if (s->present)
    print_value(p, s->type, s->val);
  else
    print_text(p, "empty");
  print_text(p, "\n");
}

static void print_Type(printer *p, GrB_Type t) {
  print_text(p, "type %s, %zu bytes\n", t->name, t->size);
}

static void print_UnaryOp(printer *p, GrB_UnaryOp op) {
  print_text(p, "unary operator %s(%s) -> %s\n", op->name, op->x->name, op->z->name);
}

static void print_BinaryOp(printer *p, GrB_BinaryOp op) {
  print_text(p, "binary operator %s(%s, %s) -> %s\n", op->name, op->x->name, op->y->name, op->z->name);
}

static void print_IndexUnaryOp(printer *p, GrB_IndexUnaryOp op) {
  print_text(p, "index-unary operator %s(%s, i, j, %s) -> %s\n", op->name, op->x ? op->x->name : "any",
             op->y->name, op->z->name);
}

static void print_addition(printer *p, GrB_Monoid m) {
  print_text(p, "%s of %s, identity ", m->op->name, m->op->z->name);
  print_value(p, m->op->z, m->identity);
}

static void print_Monoid(printer *p, GrB_Monoid m) {
  print_text(p, "monoid ");
  print_addition(p, m);
  print_text(p, "\n");
}

static void print_Semiring(printer *p, GrB_Semiring s) {
  print_text(p, "semiring, adds by %s ", name_of(&s->add->head, "a monoid,"));
  print_addition(p, s->add);
  print_text(p, ", multiplies by %s\n", s->mul->name);
}

static void print_Descriptor(printer *p, GrB_Descriptor d) {
  const bool any = d->replace || d->structure || d->complement || d->tran0 || d->tran1;
  print_text(p, "descriptor:%s%s%s%s%s%s\n", d->replace ? " replace" : "",
             d->structure ? " structural mask" : "", d->complement ? " complemented mask" : "",
             d->tran0 ? " first input transposed" : "", d->tran1 ? " second input transposed" : "",
             any ? "" : " all defaults");
}

#define DEFINE(KIND)                                                                               \
  GrB_Info GxB_##KIND##_fprint(GrB_##KIND object, const char *name, GxB_Print_Level pr, FILE *f) { \
    static const char call[] = "GxB_" #KIND "_fprint";                                             \
    printer p;                                                                                     \
    GrB_Info info = print_start(&p, object, (int)pr, f, call);                                     \
    if (info != GrB_SUCCESS) return info;                                                          \
    print_title(&p, name, &object->head);                                                          \
    print_##KIND(&p, object);                                                                      \
    return finish(&p, &object->head, call);                                                        \
  }
DEFINE(Scalar)
DEFINE(Type)
DEFINE(UnaryOp)
DEFINE(BinaryOp)
DEFINE(IndexUnaryOp)
DEFINE(Monoid)
DEFINE(Semiring)
DEFINE(Descriptor)
