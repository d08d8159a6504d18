/* See format_pages_write.h. */
#include "dist/io/formats/format_pages_write.h"

#include <string.h>

#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/checksum.h"

/* ---- rows ---- */

/* Rows in the types that the page encoder takes. */
typedef struct {
  uint32_t *length, *idx;
  double *val;
} narrow_rows;

static void narrow_free(narrow_rows *n) {
  grid_free(n->length);
  grid_free(n->idx);
  grid_free(n->val);
}

/* Decodes a run's keys to the positions from `at` on; row numbers are relative to `first`, the number of
 * `row`. Returns the number of diagonal entries. Runs may share a row. */
static uint64_t narrow_run(narrow_rows *n, const grid_pages_writer *w, const grid_run *run, uint64_t at,
                           uint64_t row, uint64_t first) {
  const uint64_t low = (UINT64_C(1) << w->shift) - 1;
  uint64_t loops = 0;
  for (uint64_t k = 0; k < run->n;) {
    const uint64_t name = run->key[k] >> w->shift,
                   r = w->names ? grid_id_set_rank(w->names, row + name) : row + name;
    uint64_t end = k;
    for (; end < run->n && run->key[end] >> w->shift == name; end++) {
      const uint64_t c = w->names ? grid_id_set_rank(w->names, run->key[end] & low) : run->key[end] & low;
      n->idx[at + end] = (uint32_t)c;
      loops += !w->has_loops && c == r;
    }
    __atomic_fetch_add(&n->length[r - first], (uint32_t)(end - k), __ATOMIC_RELAXED);
    k = end;
  }
  if (w->size) memcpy(n->val + at, run->load, run->n * w->size);
  return loops;
}

static GrB_Info write_narrow_rows(narrow_rows *n, grid_pages_writer *w, const grid_sorted *s, uint64_t row,
                                  uint64_t first, uint64_t rows) {
  uint64_t *start = grid_malloc(s->runs, sizeof *start), at = 0, loops = 0;
  n->length = grid_calloc(rows, sizeof *n->length);
  n->idx = grid_malloc(s->n, sizeof *n->idx);
  n->val = w->size ? grid_malloc(s->n, w->size) : NULL;
  if (!start || !n->length || !n->idx || (w->size && !n->val)) {
    grid_free(start);
    return grid_fail_memory(NULL, "a matrix's rows", s->n, sizeof *n->idx + w->size);
  }
  for (uint64_t r = 0; r < s->runs; at += s->run[r++].n) start[r] = at;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : loops)
  for (uint64_t r = 0; r < s->runs; r++) loops += narrow_run(n, w, &s->run[r], start[r], row, first);
  w->loops += loops;
  grid_free(start);
  return GrB_SUCCESS;
}

/* ---- tables ---- */

static bool grow_array(void *list, uint64_t *capacity, uint64_t n, size_t size) {
  void **p = list, *more = *p;
  if (n > *capacity && (more = grid_realloc(*p, n + n / 2, size))) *p = more, *capacity = n + n / 2;
  return more || !n;
}

/* Appends the tables of the rows written last, whose pages follow all earlier ones. */
static GrB_Info append_tables(grid_pages_writer *w, const grid_coded_pages *m) {
  grid_coded_pages *all = &w->all;
  if (!grow_array(&all->page, &w->page_capacity, all->pages + m->pages, sizeof *m->page) ||
      !grow_array(&all->block, &w->block_capacity, all->blocks + m->blocks, sizeof *m->block) ||
      !grow_array(&all->lengths, &w->lengths_capacity, all->lengths_bytes + m->lengths_bytes, 1))
    return grid_fail_memory(NULL, "tables of pages", all->pages + m->pages, sizeof *m->page);
  for (uint64_t k = 0; k < m->pages; k++) {
    const grid_page_row *p = &m->page[k];
    all->page[all->pages++] = (grid_page_row){p->entry + all->nvals, p->at + all->data_bytes, p->checksum};
  }
  for (uint64_t k = 0; k < m->blocks; k++) {
    const grid_lengths_row *b = &m->block[k];
    all->block[all->blocks++] = (grid_lengths_row){b->row + all->rows, b->entry + all->nvals,
                                                   b->at + all->lengths_bytes, b->checksum};
  }
  grid_copy_bytes(all->lengths + all->lengths_bytes, m->lengths, m->lengths_bytes);
  all->lengths_bytes += m->lengths_bytes;
  all->data_bytes += m->data_bytes;
  all->nvals += m->nvals;
  all->rows += m->rows;
  return GrB_SUCCESS;
}

GrB_Info grid_pages_append_rows(grid_pages_writer *w, uint64_t row, uint64_t end, const grid_sorted *s) {
  const uint64_t first = w->names ? grid_id_set_rank(w->names, row) : row,
                 rows = (w->names ? grid_id_set_rank(w->names, end) : end) - first;
  narrow_rows n = {0};
  grid_coded_pages m = {0};
  GrB_Info info = GrB_SUCCESS;
  if (rows == 0) return info;
  TRY(write_narrow_rows(&n, w, s, row, first, rows));
  TRY(grid_pages_make(&m, n.length, rows, n.idx, n.val, w->size));
  w->error = grid_store_write(w->to, m.data, m.data_bytes, w->start + w->all.data_bytes);
  info = w->error ? GrB_INVALID_VALUE : append_tables(w, &m);
done:
  narrow_free(&n);
  grid_coded_pages_free(&m);
  return info;
}

/* ---- the file ---- */

static uint64_t align_up(uint64_t at) {
  return (at + GRID_PAGES_ALIGNED - 1) / GRID_PAGES_ALIGNED * GRID_PAGES_ALIGNED;
}

/* Encoded lengths take one byte per row, and one more per seven bits beyond the first seven. */
uint64_t grid_pages_first(const grid_pages_head *of, uint64_t tuples, uint64_t parts) {
  const uint64_t rows = of->rows;
  const grid_pages_head h = {.pages = tuples / grid_tune.page_entries + parts, .blocks = rows / 4096 + parts};
  return align_up(grid_pages_head_bytes(of) + grid_pages_table(&h) + rows + tuples / 127 + 16 * h.blocks +
                  grid_pages_names(of));
}

/* Position of this process's parts in the file, and the tables of all processes. */
typedef struct {
  uint64_t data, lengths; /* offsets of this process's pages and lengths */
  char *tables;
} file_plan;

/* Makes this process's tables relative to the whole file. */
static GrB_Info shift_tables(grid_coded_pages *m, const file_plan *p) {
  uint64_t row, entry, all;
  GrB_Info info = grid_output_before(m->rows, &row, &all);
  if (info == GrB_SUCCESS) info = grid_output_before(m->nvals, &entry, &all);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < m->pages; k++) m->page[k].entry += entry, m->page[k].at += p->data;
  for (uint64_t k = 0; k < m->blocks; k++)
    m->block[k].row += row, m->block[k].entry += entry, m->block[k].at += p->lengths;
  return info;
}

/* first: lower bound of where pages begin. */
static GrB_Info make_plan(file_plan *p, grid_pages_head *h, grid_coded_pages *m, uint64_t first) {
  uint64_t before, lengths, data;
  void *page = NULL, *block = NULL;
  GrB_Info info;
  TRY(grid_output_before(m->pages, &before, &h->pages));
  TRY(grid_output_before(m->blocks, &before, &h->blocks));
  TRY(grid_output_before(m->nvals, &before, &h->nvals));
  h->lengths = grid_pages_head_bytes(h) + grid_pages_table(h);
  TRY(grid_output_before(m->lengths_bytes, &before, &lengths));
  p->lengths = h->lengths + before;
  h->data = align_up(h->lengths + lengths + grid_pages_names(h));
  if (h->data < first) h->data = first;
  TRY(grid_output_before(m->data_bytes, &before, &data));
  p->data = h->data + before;
  h->bytes = h->data + data;
  TRY(shift_tables(m, p));
  TRY(grid_gather_elements(m->page, m->pages, sizeof *m->page, &page));
  TRY(grid_gather_elements(m->block, m->blocks, sizeof *m->block, &block));
  p->tables = grid_malloc(grid_pages_table(h), 1);
  info = p->tables ? GrB_SUCCESS : grid_fail_memory(NULL, "tables of pages", grid_pages_table(h), 1);
  TRY(grid_agree(NULL, info));
  grid_page_row *pages = (void *)p->tables;
  grid_lengths_row *blocks = (void *)(pages + h->pages + 1);
  grid_copy_bytes(pages, page, h->pages * sizeof *pages);
  grid_copy_bytes(blocks, block, h->blocks * sizeof *blocks);
  pages[h->pages] = (grid_page_row){h->nvals, h->bytes, 0};
  blocks[h->blocks] = (grid_lengths_row){h->rows, h->nvals, h->lengths + lengths, 0};
  h->tables = grid_checksum(p->tables, grid_pages_table(h), h->pages);
  grid_pages_seal(h);
done:
  grid_free(page);
  grid_free(block);
  return info;
}

/* Moves bytes from the end to the start: ranges may overlap if they are in one file and move to higher
 * offsets. */
static GrB_Info move_bytes(const grid_output *o, uint64_t to, const grid_store *source, uint64_t from,
                           uint64_t n) {
  const uint64_t step = UINT64_C(1) << 20;
  char *scratch = grid_malloc(step, 1);
  GrB_Info info = scratch ? GrB_SUCCESS : grid_fail_memory(NULL, "bytes of pages", step, 1);
  while (n && info == GrB_SUCCESS) {
    const uint64_t batch = n < step ? n : step;
    n -= batch;
    const int error = grid_store_read(source, scratch, batch, from + n);
    info =
        error ? grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read pages back: %s", o->path, strerror(error))
              : grid_output_write(o, scratch, batch, to + n);
  }
  grid_free(scratch);
  return info;
}

static GrB_Info write_tables(const file_plan *p, const grid_pages_head *h, const grid_output *o) {
  GrB_Info info = grid_output_write(o, p->tables, grid_pages_table(h), grid_pages_head_bytes(h));
  if (info == GrB_SUCCESS) info = grid_output_write(o, h, grid_pages_head_bytes(h), 0);
  const int error = info == GrB_SUCCESS ? grid_store_truncate(&o->store, h->bytes) : 0;
  return error ? grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot write: %s", o->path, strerror(error)) : info;
}

GrB_Info grid_pages_finish(grid_pages_writer *w, grid_pages_head *h, grid_output *o, GrB_Info info) {
  const bool in_place = w->to == &o->store;
  const grid_coded_pages *m = &w->all;
  file_plan p = {0};
  uint64_t loops = w->loops, first = in_place ? w->start : 0;
  TRY(grid_agree_sum(NULL, info, &loops, 1));
  TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, &first, 1, GRID_MAX));
  if (!loops) h->flags |= GRID_PAGES_NO_LOOPS;
  TRY(make_plan(&p, h, &w->all, first));
  if (!in_place || w->start != p.data) info = move_bytes(o, p.data, w->to, w->start, m->data_bytes);
  TRY(grid_agree(NULL, info)); /* afterwards no page lies where tables will be written */
  info = grid_output_write(o, m->lengths, m->lengths_bytes, p.lengths);
  if (info == GrB_SUCCESS && grid_ctx.k == 0) info = write_tables(&p, h, o);
done:
  grid_free(p.tables);
  return info;
}

void grid_pages_writer_free(grid_pages_writer *w) {
  grid_coded_pages_free(&w->all);
}
