/* GxB_print for vectors and matrices: a description, and the entries. */
#include <stdlib.h>
#include <string.h>

#include "dist/interchange/printer.h"
#include "dist/matrix/matrix_output.h"
#include "dist/object/call_placement.h"
#include "spmat/vec_ops.h"

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

static GrB_Info print_entries(grid_printer *p, const entries *e, GrB_Type t, uint64_t most, uint64_t nvals) {
  const uint64_t shown = nvals < most ? nvals : most;
  const uint64_t from = grid_global.print_1based ? 1 : 0;
  line *lines = grid_malloc(e->n, sizeof *lines);
  GrB_Info info = lines ? GrB_SUCCESS : grid_fail_memory(NULL, "lines to print", e->n, sizeof *lines);
  TRY(info);
  for (uint64_t k = 0; k < e->n; k++) lines[k] = (line){e->row[k], e->col ? e->col[k] : 0, k};
  qsort(lines, e->n, sizeof *lines, by_position);
  for (uint64_t k = 0; k < shown; k++) {
    grid_print_text(p, "  (%" PRIu64, lines[k].row + from);
    if (e->col) grid_print_text(p, ", %" PRIu64, lines[k].col + from);
    grid_print_text(p, ")  ");
    grid_print_value(p, t, e->val + lines[k].at * t->size);
    grid_print_text(p, "\n");
  }
  if (shown < nvals) grid_print_text(p, "  and %" PRIu64 " more\n", nvals - shown);
done:
  grid_free(lines);
  return info;
}

enum { SHORT_ENTRIES = 30 };

/* The number of entries that a level prints. */
static uint64_t max_entries(const grid_printer *p) {
  const bool is_short = p->level == GxB_SHORT || p->level == GxB_SHORT_VERBOSE;
  return p->level <= GxB_SUMMARY ? 0 : is_short ? SHORT_ENTRIES : UINT64_MAX;
}

/* The number of entries that some process prints: a program may print on one process only. */
static GrB_Info agree_max_entries(uint64_t *most, const grid_printer *p) {
  uint64_t processes[] = {max_entries(p) > 0, max_entries(p) > SHORT_ENTRIES};
  const GrB_Info info = grid_agree_sum(NULL, GrB_SUCCESS, processes, 2);
  *most = processes[1] > 0 ? UINT64_MAX : processes[0] > 0 ? SHORT_ENTRIES : 0;
  return info;
}

/* local: this process's entries, with the outcome `info` of collecting them; consumed. */
static GrB_Info print_gathered(grid_printer *p, entries *local, GrB_Type t, uint64_t nvals, GrB_Info info) {
  TRY(grid_agree(NULL, info));
  TRY(gather(local, t->size));
  if (max_entries(p) > 0) info = print_entries(p, local, t, max_entries(p), nvals);
  info = grid_agree(NULL, info);
done:
  entries_free(local);
  return info;
}

/* ---- collections ---- */

GrB_Info GxB_Matrix_fprint(GrB_Matrix object, const char *name, GxB_Print_Level pr, FILE *f) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, object);
  static const char call[] = "GxB_Matrix_fprint";
  grid_printer p;
  entries local = {0};
  GrB_Index nvals;
  uint64_t most;
  GrB_Info info = grid_print_start(&p, object, GRID_IS_MATRIX, (int)pr, f, call);
  if (info != GrB_SUCCESS) return info;
  TRY(GrB_Matrix_nvals(&nvals, object));
  grid_print_title(&p, name, &object->head);
  grid_print_text(&p, "%" PRIu64 " x %" PRIu64 " matrix of %s, %" PRIu64 " entries\n", object->nrows,
                  object->ncols, object->type->name, nvals);
  TRY(agree_max_entries(&most, &p));
  if (most > 0) {
    TRY(grid_matrix_require_host(object, 0, call));
    info = collect_matrix_entries(&local, object, most);
    TRY(print_gathered(&p, &local, object->type, nvals, info));
  }
  info = grid_agree(&object->head, grid_print_end(&p, &object->head, call));
done:
  return info;
}

GrB_Info GxB_Vector_fprint(GrB_Vector object, const char *name, GxB_Print_Level pr, FILE *f) {
  GRID_CALL_SCOPE;
  GRID_PLACED_CALL(0, object);
  static const char call[] = "GxB_Vector_fprint";
  grid_printer p;
  entries local = {0};
  GrB_Index nvals;
  uint64_t most;
  GrB_Info info = grid_print_start(&p, object, GRID_IS_VECTOR, (int)pr, f, call);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_check_vector(object, call, "object"));
  TRY(grid_vector_count(&nvals, object));
  grid_print_title(&p, name, &object->head);
  grid_print_text(&p, "vector of size %" PRIu64 " of %s, %" PRIu64 " entries\n", object->n,
                  object->type->name, nvals);
  TRY(agree_max_entries(&most, &p));
  if (most > 0) {
    info = collect_vector_entries(&local, object, most);
    TRY(print_gathered(&p, &local, object->type, nvals, info));
  }
  info = grid_agree(&object->head, grid_print_end(&p, &object->head, call));
done:
  return info;
}
