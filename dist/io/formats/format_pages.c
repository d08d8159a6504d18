/* The library's own file format: a matrix's rows in pages, read on demand by an open matrix
 * (dist/outofcore). */
#include <stdio.h>
#include <string.h>

#include "dist/io/formats/formats.h"
#include "dist/io/formats/edge_matrix.h"
#include "dist/grid/layout.h"
#include "dist/object/burble.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/file/memory_budget.h"
#include "dist/outofcore/pages/vertex_names.h"
#include "semiring/support/mem.h"
#include "spmat/convert/checksum.h"

bool grid_is_pages(const unsigned char *start) {
  return memcmp(start, grid_pages_magic, GRID_PAGES_MAGIC) == 0;
}

/* ---- reading as edges ---- */

typedef struct {
  Grid_Edges *e;
  uint64_t first; /* first row of this process */
  bool is_lower;  /* only the lower triangle is listed */
  /* of a hypersparse file: this process's rows, and all columns, that the pages number */
  uint64_t *row_id, *col_id;
  grid_sink *sink;      /* receives the tuples; NULL: e collects all */
  uint64_t capacity, n; /* tuples that e can hold; tuples so far */
} listing;

/* Passes the collected tuples to the sink. */
static GrB_Info flush_tuples(listing *l) {
  Grid_Edges *e = l->e;
  const uint64_t n = e->n;
  e->n = 0;
  return n ? l->sink->receive(l->sink, e->rows, e->cols, e->values, n) : GrB_SUCCESS;
}

static GrB_Info list_rows(void *context, const grid_local_matrix *rows, uint64_t first) {
  listing *l = context;
  const grid_compressed *c = &rows->by_row;
  Grid_Edges *e = l->e;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t r = 0; r < rows->row.n; r++)
    for (uint64_t k = c->ptr[r]; k < c->ptr[r + 1]; k++) {
      if (l->is_lower && c->idx[k] > l->first + first + r) break;
      if (l->sink && e->n == l->capacity) TRY(flush_tuples(l));
      e->rows[e->n] = l->row_id ? l->row_id[first + r] : l->first + first + r;
      e->cols[e->n] = l->col_id ? l->col_id[c->idx[k]] : c->idx[k];
      if (e->values) e->values[e->n] = ((const double *)c->val)[k];
      e->n++;
      l->n++;
    }
done:
  return info;
}

static GrB_Info allocate_edges(Grid_Edges *e, uint64_t n) {
  e->rows = grid_malloc(n, 8);
  e->cols = grid_malloc(n, 8);
  e->values = e->pattern ? NULL : grid_malloc(n, sizeof *e->values);
  return e->rows && e->cols && (e->pattern || e->values) ? GrB_SUCCESS
                                                         : grid_fail_memory(NULL, "a file's edges", n, 24);
}

/* Begins the sink; limits *capacity to what its budget allows. Collective, agreed on with `info`. */
static GrB_Info begin_sink(grid_sink *sink, const Grid_Edges *e, uint64_t *capacity, GrB_Info info) {
  const uint64_t most = sink->bytes / (e->pattern ? 16 : 24) + 64;
  if (*capacity > most) *capacity = most;
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) return info;
  sink->begun = true;
  return sink->begin(sink, e, GRID_SHAPE_GIVEN);
}

/* Reads this process's share of the vertex names, if the file has names. Local. */
static GrB_Info read_names(Grid_Edges *e, const grid_pages_head *h, const char *path) {
  if (!(h->flags & GRID_PAGES_NAMES)) return GrB_SUCCESS;
  e->ids_first = grid_even_first(h->nrows, grid_ctx.k);
  e->ids_count = grid_even_first(h->nrows, grid_ctx.k + 1) - e->ids_first;
  e->ids = grid_malloc(e->ids_count, sizeof *e->ids);
  if (!e->ids) return grid_fail_memory(NULL, "names of vertices", e->ids_count, sizeof *e->ids);
  return grid_names_read(e->ids, h, path, e->ids_first, e->ids_count);
}

/* Sets all members but the tuples. */
static void describe(Grid_Edges *e, const grid_pages_head *h) {
  e->nrows = h->nrows, e->ncols = h->ncols;
  e->symmetric = h->flags & GRID_PAGES_SYMMETRIC;
  e->skew = h->flags & GRID_PAGES_SKEW;
  e->pattern = !(h->flags & GRID_PAGES_VALUES);
}

static GrB_Info read_lists(listing *l, const grid_pages_head *h, const char *path, uint64_t n) {
  if (!(h->flags & GRID_PAGES_HYPERSPARSE)) return GrB_SUCCESS;
  const GrB_Info info = grid_pages_read_list(&l->row_id, h, path, true, l->first, n);
  return info == GrB_SUCCESS ? grid_pages_read_list(&l->col_id, h, path, false, 0, h->cols) : info;
}

static void drop_tuples(Grid_Edges *e) {
  grid_free(e->rows);
  grid_free(e->cols);
  grid_free(e->values);
  e->rows = e->cols = NULL, e->values = NULL;
}

/* Reads the tuples of this process's rows, into e or the sink. as_edges: vertex names, too, and of a
 * skew-symmetric matrix one triangle. */
static GrB_Info read_rows(Grid_Edges *e, const grid_pages_head *h, const char *path, bool as_edges,
                          grid_sink *sink) {
  grid_pages *g = NULL;
  listing l = {.e = e, .sink = sink};
  uint64_t n = 0;
  GrB_Info info;
  TRY(Grid_local_range(h->rows, &l.first, &n));
  describe(e, h);
  l.is_lower = e->symmetric || (e->skew && as_edges);
  info = grid_pages_open(&g, path, l.first, n);
  if (info == GrB_SUCCESS) g->is_single_pass = true;
  if (info == GrB_SUCCESS) info = read_lists(&l, h, path, n);
  if (info == GrB_SUCCESS && as_edges) info = read_names(e, h, path);
  if (info == GrB_SUCCESS) l.capacity = grid_pages_nvals(g); /* an upper bound */
  if (sink) info = begin_sink(sink, e, &l.capacity, info);
  if (info == GrB_SUCCESS) info = allocate_edges(e, l.capacity);
  if (info == GrB_SUCCESS) info = grid_pages_stream(g, NULL, list_rows, &l);
  if (info == GrB_SUCCESS && sink) info = flush_tuples(&l);
  if (sink) drop_tuples(e); /* frees memory for the sink's next step */
  e->total = l.n;
  info = grid_agree_sum(NULL, info, &e->total, 1);
done:
  grid_free(l.row_id);
  grid_free(l.col_id);
  grid_pages_free(g);
  return info;
}

GrB_Info grid_read_pages(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink) {
  (void)row;
  grid_pages_head h;
  const GrB_Info info = grid_agree(NULL, grid_pages_read_head(&h, f->path));
  return info == GrB_SUCCESS ? read_rows(e, &h, f->path, true, sink) : info;
}

/* ---- opening ---- */

/* out: the call's output, `what`, which must not be NULL. */
static GrB_Info read_head(grid_pages_head *h, const void *out, const char *what, const char *path,
                          const char *call) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  if (!out || !path)
    info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, out ? "path" : what);
  if ((info = grid_agree(NULL, info)) != GrB_SUCCESS) return info;
  grid_file f;
  info = grid_file_open(&f, path); /* checks that all processes see the same file */
  if (info != GrB_SUCCESS) return info;
  grid_file_close(&f);
  return grid_agree(NULL, grid_pages_read_head(h, path));
}

GrB_Info Grid_pages_info(Grid_Pages_Info *p, const char *path) {
  GRID_CALL_SCOPE;
  grid_pages_head h;
  const GrB_Info info = read_head(&h, p, "p", path, "Grid_pages_info");
  if (info != GrB_SUCCESS) return info;
  *p = (Grid_Pages_Info){.nrows = h.nrows,
                         .ncols = h.ncols,
                         .nvals = h.nvals,
                         .tuples = h.tuples,
                         .pages = h.pages,
                         .page_bytes = h.bytes - h.data,
                         .bytes = h.bytes,
                         .dup = (int)h.dup * Grid_DUP_MAX,
                         .symmetric = h.flags & GRID_PAGES_SYMMETRIC,
                         .skew = h.flags & GRID_PAGES_SKEW,
                         .no_loops = h.flags & GRID_PAGES_NO_LOOPS,
                         .pattern = !(h.flags & GRID_PAGES_VALUES),
                         .named = h.flags & GRID_PAGES_NAMES};
  return info;
}

GrB_Info Grid_Pages_names(Grid_Edges *e, const char *path) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_Pages_names";
  grid_pages_head h;
  if (e) memset(e, 0, sizeof *e);
  GrB_Info info = read_head(&h, e, "e", path, call);
  if (info != GrB_SUCCESS) return info;
  describe(e, &h);
  e->total = h.nvals;
  snprintf(e->kind, sizeof e->kind, "pages");
  info = grid_agree(NULL, read_names(e, &h, path));
  if (info != GrB_SUCCESS) Grid_Edges_free(e);
  return info;
}

/* Builds A in memory: reads this process's rows and sends the entries to their blocks. */
static GrB_Info build(GrB_Matrix A, const grid_pages_head *h, const char *path) {
  Grid_Edges e = {0};
  const int flags = h->flags & GRID_PAGES_SYMMETRIC ? Grid_MIRROR : 0;
  GrB_Info info = read_rows(&e, h, path, false, NULL);
  if (info == GrB_SUCCESS)
    info = e.pattern ? Grid_Matrix_build(A, e.rows, e.cols, NULL, NULL, e.n, NULL, flags)
                     : Grid_Matrix_build(A, e.rows, e.cols, e.values, GrB_FP64, e.n, NULL, flags);
  Grid_Edges_free(&e);
  return info;
}

/* *yes: on all processes the budget suffices for the tuples of their rows, on the way to a block of
 * several columns, and for the block. Rows are shared evenly, entries may not be. */
static GrB_Info fits_budget(bool *fits, const grid_pages_head *h, const char *path) {
  const uint64_t entry_bytes = h->flags & GRID_PAGES_VALUES ? 64 : 48, mean = h->nvals / (uint64_t)grid_ctx.P;
  grid_pages *g = NULL;
  uint64_t first = 0, n = 0, full = 0;
  GrB_Info info = Grid_local_range(h->rows, &first, &n);
  if (info == GrB_SUCCESS) info = grid_pages_open(&g, path, first, n);
  if (info == GrB_SUCCESS) {
    const uint64_t local = grid_pages_nvals(g);
    grid_pages_free(g);
    full = (local > mean ? local : mean) * entry_bytes >= grid_paged_budget_left();
  }
  info = grid_agree_sum(NULL, info, &full, 1);
  *fits = full == 0;
  return info;
}

static GrB_Info open_or_build(GrB_Matrix A, const grid_pages_head *h, const char *path) {
  const bool can_be_paged = grid_can_be_paged(h),
             ask = grid_ctx.C > 1 || grid_device_is_on() || !can_be_paged;
  bool in_memory = false;
  GrB_Info info = ask ? fits_budget(&in_memory, h, path) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  if (!in_memory && !can_be_paged && h->nvals)
    return grid_fail(&A->head, GrB_OUT_OF_MEMORY,
                     "%s: with so few entries in %llu rows it is read into memory, where %llu of %llu bytes "
                     "are taken; use more memory or processes",
                     path, (unsigned long long)h->nrows, (unsigned long long)grid_mem_bytes(),
                     (unsigned long long)grid_budget());
  return in_memory || !can_be_paged ? build(A, h, path) : grid_paged_open(A, h, path);
}

static GrB_Info open_matrix(GrB_Matrix *A, const char *path) {
  static const char call[] = "Grid_Matrix_open";
  grid_pages_head h;
  GrB_Matrix made = NULL;
  GrB_Info info;
  TRY(read_head(&h, A, "A", path, call));
  TRY(GrB_Matrix_new(&made, h.flags & GRID_PAGES_VALUES ? GrB_FP64 : GrB_BOOL, h.nrows, h.ncols));
  TRY(open_or_build(made, &h, path));
  *A = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info Grid_Matrix_open(GrB_Matrix *A, const char *path) {
  return GRID_TRACE_NEW_CALL("Grid_Matrix_open", 0, open_matrix(A, path), A, NULL);
}
