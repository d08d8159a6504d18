/* Our own format of files: a matrix's rows in pages, of which an open matrix reads what it needs
 * (dist/pages). */
#include <string.h>

#include "dist/format/formats.h"
#include "dist/format/rows.h"
#include "dist/object/burble.h"
#include "dist/object/matrix/matrix_pages.h"
#include "semiring/mem.h"
#include "spmat/convert/checksum.h"

bool grid_is_pages(const unsigned char *start) {
  return memcmp(start, grid_pages_magic, GRID_PAGES_MAGIC) == 0;
}

/* ---- read as edges ---------------------------------------------------------------------------------------
 */

typedef struct {
  Grid_Edges *e;
  uint64_t first; /* of this process's rows */
  bool symmetric; /* the lower triangle is enough */
} listing;

static GrB_Info list_rows(void *context, const grid_part *rows, uint64_t first) {
  const listing *l = context;
  const grid_compressed *c = &rows->by_row;
  Grid_Edges *e = l->e;
  for (uint64_t r = 0; r < rows->row.n; r++)
    for (uint64_t k = c->ptr[r]; k < c->ptr[r + 1]; k++) {
      if (l->symmetric && c->idx[k] > l->first + first + r) break;
      e->rows[e->n] = l->first + first + r;
      e->cols[e->n] = c->idx[k];
      if (e->values) e->values[e->n] = ((const double *)c->val)[k];
      e->n++;
    }
  return GrB_SUCCESS;
}

/* So many entries at most. */
static GrB_Info make_room(Grid_Edges *e, uint64_t n) {
  e->rows = grid_malloc(n, 8);
  e->cols = grid_malloc(n, 8);
  e->values = e->pattern ? NULL : grid_malloc(n, sizeof *e->values);
  return e->rows && e->cols && (e->pattern || e->values) ? GrB_SUCCESS
                                                         : grid_fail_memory(NULL, "a file's edges", n, 24);
}

GrB_Info grid_read_pages(Grid_Edges *e, const grid_file *f, const grid_format_row *row) {
  (void)row;
  grid_pages_head h;
  grid_pages *g = NULL;
  listing l = {.e = e};
  uint64_t n = 0;
  GrB_Info info;
  TRY(grid_agree(NULL, grid_pages_read_head(&h, f->path)));
  TRY(Grid_share(h.nrows, &l.first, &n));
  l.symmetric = h.flags & GRID_PAGES_SYMMETRIC;
  e->pattern = !(h.flags & GRID_PAGES_VALUES);
  info = grid_pages_open(&g, f->path, l.first, n);
  if (info == GrB_SUCCESS) info = make_room(e, grid_pages_nvals(g));
  if (info == GrB_SUCCESS) info = grid_pages_stream(g, NULL, list_rows, &l);
  e->nrows = h.nrows, e->ncols = h.ncols;
  e->symmetric = l.symmetric;
  e->total = e->n;
  info = grid_agree_sum(NULL, info, &e->total, 1);
done:
  grid_pages_free(g);
  return info;
}

/* ---- written ---------------------------------------------------------------------------------------------
 */

/* Rows as the coder takes them. */
typedef struct {
  uint32_t *length, *idx;
  uint64_t loops;
} narrow_rows;

static GrB_Info narrow(narrow_rows *n, const grid_edge_rows *r) {
  const uint64_t entries = r->ptr[r->n];
  n->length = grid_malloc(r->n, sizeof *n->length);
  n->idx = grid_malloc(entries, sizeof *n->idx);
  if (!n->length || !n->idx) return grid_fail_memory(NULL, "a matrix's rows", entries, sizeof *n->idx);
  for (uint64_t k = 0; k < r->n; k++) {
    n->length[k] = (uint32_t)(r->ptr[k + 1] - r->ptr[k]);
    for (uint64_t e = r->ptr[k]; e < r->ptr[k + 1]; e++) n->loops += r->cols[e] == r->first + k;
  }
  for (uint64_t e = 0; e < entries; e++) n->idx[e] = (uint32_t)r->cols[e];
  return GrB_SUCCESS;
}

/* Where each process's pieces go in the file, and the tables of all, on every process. */
typedef struct {
  grid_pages_head head;
  uint64_t data, lengths; /* this process's */
  char *tables;
} plan;

/* Tables count from the process's own start so far. */
static void shift(grid_pages_made *m, const grid_edge_rows *r, const plan *p) {
  for (uint64_t k = 0; k < m->pages; k++) m->page[k].entry += r->start, m->page[k].at += p->data;
  for (uint64_t k = 0; k < m->blocks; k++)
    m->block[k].row += r->first, m->block[k].entry += r->start, m->block[k].at += p->lengths;
}

static GrB_Info make_plan(plan *p, grid_pages_made *m, const grid_edge_rows *r) {
  uint64_t sums[4], before;
  const uint64_t own[4] = {m->pages, m->blocks, m->lengths_bytes, m->data_bytes};
  grid_pages_head *h = &p->head;
  void *page = NULL, *block = NULL;
  GrB_Info info;
  for (int k = 0; k < 2; k++) TRY(grid_output_before(own[k], &before, &sums[k]));
  h->pages = sums[0], h->blocks = sums[1];
  h->nrows = r->nrows, h->ncols = r->ncols, h->nvals = r->nvals;
  h->lengths = sizeof *h + grid_pages_table(h);
  TRY(grid_output_before(own[2], &before, &sums[2]));
  p->lengths = h->lengths + before;
  /* pages begin where a block of the disk does */
  h->data = (h->lengths + sums[2] + GRID_PAGES_ALIGNED - 1) / GRID_PAGES_ALIGNED * GRID_PAGES_ALIGNED;
  TRY(grid_output_before(own[3], &before, &sums[3]));
  p->data = h->data + before;
  h->bytes = h->data + sums[3];
  shift(m, r, p);
  TRY(grid_gather_elements(m->page, m->pages, sizeof *m->page, &page));
  TRY(grid_gather_elements(m->block, m->blocks, sizeof *m->block, &block));
  p->tables = grid_malloc(grid_pages_table(h), 1);
  info = p->tables ? GrB_SUCCESS : grid_fail_memory(NULL, "tables of pages", grid_pages_table(h), 1);
  TRY(grid_agree(NULL, info));
  grid_page_row *pages = (void *)p->tables;
  grid_lengths_row *blocks = (void *)(pages + h->pages + 1);
  memcpy(pages, page, h->pages * sizeof *pages);
  memcpy(blocks, block, h->blocks * sizeof *blocks);
  pages[h->pages] = (grid_page_row){h->nvals, h->bytes, 0};
  blocks[h->blocks] = (grid_lengths_row){h->nrows, h->nvals, h->lengths + sums[2], 0};
  h->tables = grid_checksum(p->tables, grid_pages_table(h), h->pages);
  grid_pages_seal(h);
done:
  grid_free(page);
  grid_free(block);
  return info;
}

static GrB_Info write_pieces(const plan *p, const grid_pages_made *m, grid_output *o) {
  static const char zeros[GRID_PAGES_ALIGNED];
  const grid_pages_head *h = &p->head;
  const uint64_t table = grid_pages_table(h);
  GrB_Info info = grid_output_write(o, m->data, m->data_bytes, p->data);
  if (info == GrB_SUCCESS) info = grid_output_write(o, m->lengths, m->lengths_bytes, p->lengths);
  if (grid_here.k != 0) return info;
  const grid_lengths_row *end = (const void *)(p->tables + table - sizeof *end);
  if (info == GrB_SUCCESS) info = grid_output_write(o, zeros, h->data - end->at, end->at);
  if (info == GrB_SUCCESS) info = grid_output_write(o, p->tables, table, sizeof *h);
  return info == GrB_SUCCESS ? grid_output_write(o, h, sizeof *h, 0) : info;
}

GrB_Info grid_write_pages(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row) {
  (void)packing, (void)row;
  grid_edge_rows r = {0};
  narrow_rows n = {0};
  grid_pages_made m = {0};
  plan p = {0};
  if (e->nrows > UINT32_MAX || e->ncols > UINT32_MAX)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: pages are of fewer than 2^32 rows and columns, not %llu x %llu", o->path,
                     (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  GrB_Info info = grid_rows_of_edges(&r, e);
  if (info != GrB_SUCCESS) return info;
  info = narrow(&n, &r);
  if (info == GrB_SUCCESS)
    info = grid_pages_make(&m, n.length, r.n, n.idx, r.values, r.values ? sizeof *r.values : 0);
  TRY(grid_agree_sum(NULL, info, &n.loops, 1));
  p.head.flags = (e->symmetric ? GRID_PAGES_SYMMETRIC : 0) | (n.loops ? 0 : GRID_PAGES_NO_LOOPS) |
                 (e->pattern ? 0 : GRID_PAGES_VALUES);
  TRY(make_plan(&p, &m, &r));
  info = write_pieces(&p, &m, o);
done:
  grid_edge_rows_free(&r);
  grid_pages_made_free(&m);
  grid_free(n.length);
  grid_free(n.idx);
  grid_free(p.tables);
  return info;
}

/* ---- opened ----------------------------------------------------------------------------------------------
 */

static GrB_Info read_head(grid_pages_head *h, const char *path, const char *call) {
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (!path) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument path is NULL", call);
  grid_file f;
  info = grid_file_open(&f, path); /* all see one file */
  if (info != GrB_SUCCESS) return info;
  grid_file_close(&f);
  return grid_agree(NULL, grid_pages_read_head(h, path));
}

GrB_Info Grid_pages(Grid_Pages *p, const char *path) {
  grid_pages_head h;
  if (!p) {
    const GrB_Info info = grid_check_ready("Grid_pages");
    return info == GrB_SUCCESS ? grid_fail(NULL, GrB_NULL_POINTER, "Grid_pages: argument p is NULL") : info;
  }
  GrB_Info info = read_head(&h, path, "Grid_pages");
  if (info != GrB_SUCCESS) return info;
  *p = (Grid_Pages){.nrows = h.nrows,
                    .ncols = h.ncols,
                    .nvals = h.nvals,
                    .pages = h.pages,
                    .page_bytes = h.bytes - h.data,
                    .bytes = h.bytes,
                    .symmetric = h.flags & GRID_PAGES_SYMMETRIC,
                    .no_loops = h.flags & GRID_PAGES_NO_LOOPS,
                    .pattern = !(h.flags & GRID_PAGES_VALUES)};
  return info;
}

/* Entries of this process's share of the rows, sent to their blocks. */
static GrB_Info build(GrB_Matrix A, const grid_pages_head *h, const char *path) {
  Grid_Edges e;
  const int flags = h->flags & GRID_PAGES_SYMMETRIC ? Grid_MIRROR : 0;
  GrB_Info info = Grid_read_as(&e, path, "pages");
  if (info != GrB_SUCCESS) return info;
  info = e.pattern ? Grid_Matrix_build(A, e.rows, e.cols, NULL, NULL, e.n, NULL, flags)
                   : Grid_Matrix_build(A, e.rows, e.cols, e.values, GrB_FP64, e.n, NULL, flags);
  Grid_Edges_free(&e);
  return info;
}

static GrB_Info open_matrix(GrB_Matrix *A, const char *path) {
  static const char call[] = "Grid_Matrix_open";
  grid_pages_head h;
  GrB_Matrix made = NULL;
  GrB_Info info;
  if (!A) {
    info = grid_check_ready(call);
    return info == GrB_SUCCESS ? grid_fail(NULL, GrB_NULL_POINTER, "%s: argument A is NULL", call) : info;
  }
  TRY(read_head(&h, path, call));
  TRY(GrB_Matrix_new(&made, h.flags & GRID_PAGES_VALUES ? GrB_FP64 : GrB_BOOL, h.nrows, h.ncols));
  TRY(grid_may_be_paged(&h) ? grid_paged_open(made, &h, path) : build(made, &h, path));
  *A = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

GrB_Info Grid_Matrix_open(GrB_Matrix *A, const char *path) {
  return GRID_TOLD("Grid_Matrix_open", open_matrix(A, path), *A);
}
