/* See permute_sorted.h. */
#include "dist/outofcore/operations/permute_sorted.h"

#include "dist/outofcore/operations/row_panel.h"
#include "semiring/support/mem.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/device_build.h"

/* Fractions of the remaining budget for the entries that are sorted, and for those of the rows that are
 * written. Then bytes of a key and a value meanwhile, and the least step. */
enum { SHARE_SORTED = 3, SHARE_WRITTEN = 2, WRITTEN_KEY = 40, WRITTEN_VALUE = 48, MIN_STEP = 16 };

bool grid_entry_sort_is_possible(uint64_t nrows, uint64_t ncols, size_t value_size) {
  return grid_index_fits32(nrows) && grid_index_fits32(ncols) && value_size <= sizeof(double);
}

/* Bytes of memory for an entry while rows are merged and written. */
static uint64_t written_bytes(const grid_entry_sort *s) {
  return WRITTEN_KEY + (s->value_size ? WRITTEN_VALUE : 0);
}

/* Of each run up to a step of keys is read twice for each range of rows. In little memory there are many
 * runs and short ranges: all these keys are a quarter of a range at most. */
static void set_sample_step(grid_entry_sort *s, uint64_t entries) {
  const uint64_t runs = entries / s->runs.most + 1,
                 step = grid_slice_bytes(SHARE_WRITTEN) / written_bytes(s) / (4 * runs);
  if (step < s->runs.sample_step) s->runs.sample_step = step > MIN_STEP ? step : MIN_STEP;
}

GrB_Info grid_entry_sort_begin(grid_entry_sort *s, const char *path, uint64_t nrows, uint64_t ncols,
                               size_t value_size, uint64_t entries) {
  *s = (grid_entry_sort){.shift = grid_key_shift(ncols), .rows = nrows, .value_size = value_size};
  const GrB_Info info =
      grid_run_writer_open(&s->runs, path, true, value_size > 0, grid_slice_bytes(SHARE_SORTED));
  if (info == GrB_SUCCESS) set_sample_step(s, entries);
  return info;
}

void grid_entry_sort_end(grid_entry_sort *s) {
  grid_run_writer_close(&s->runs);
}

/* ---- rows of a range ---- */

/* p, of the range's rows, gets space for its entries. */
static GrB_Info allocate_rows(grid_local_matrix *p, uint64_t n, size_t value_size) {
  grid_compressed *c = &p->by_row;
  grid_offsets o;
  if (!grid_offsets_make(&o, p->row.dim + 1, n))
    return grid_fail_memory(NULL, "rows of moved entries", p->row.dim, sizeof *c->ptr);
  c->ptr = o.offsets32, c->offsets64 = o.offsets64;
  c->idx = grid_malloc(n, sizeof *c->idx);
  c->val = value_size ? grid_malloc(n, value_size) : NULL;
  if (!c->idx || (value_size && !c->val))
    return grid_fail_memory(NULL, "moved entries", n, sizeof *c->idx + value_size);
  p->nvals = n;
  return GrB_SUCCESS;
}

/* The entries of sorted runs; row numbers in keys are relative to the range's first. */
static void fill_rows(grid_local_matrix *p, const grid_sorted *sorted, const grid_entry_sort *s) {
  const uint64_t low = (UINT64_C(1) << s->shift) - 1;
  grid_compressed *c = &p->by_row;
  grid_offsets o = {.offsets32 = c->ptr, .offsets64 = c->offsets64};
  uint64_t at = 0, row = 0;
  for (uint64_t r = 0; r < sorted->runs; r++) {
    const grid_run *run = &sorted->run[r];
    for (uint64_t k = 0; k < run->n; k++, at++) {
      for (; row <= run->key[k] >> s->shift; row++) grid_offset_set(o, row, at);
      c->idx[at] = (uint32_t)(run->key[k] & low);
      if (s->value_size)
        memcpy((char *)c->val + at * s->value_size, run->load + k * sizeof(double), s->value_size);
    }
  }
  for (; row <= p->row.dim; row++) grid_offset_set(o, row, at);
}

static GrB_Info write_range(const grid_entry_sort *s, const grid_run_range *range, grid_pages *out,
                            GrB_Type type, const void *one) {
  const uint64_t base = range->row << s->shift, rows = range->end - range->row;
  const uint64_t last = base + (rows << s->shift) - 1;
  grid_sorted sorted;
  grid_local_matrix p;
  GrB_Info info = range->stretch
                      ? grid_merge_runs(&sorted, range, base, GRID_DUP_MIN)
                      : grid_sort_run(&sorted, range->key, range->val, range->n, base, last, GRID_DUP_MIN);
  if (info != GrB_SUCCESS) return info;
  grid_lmat_init(&p, type, rows, out->cols);
  if (!sorted.n) goto done;
  TRY(allocate_rows(&p, sorted.n, s->value_size));
  fill_rows(&p, &sorted, s);
  if (one) TRY(grid_lmat_set_iso(&p, one));
  TRY(grid_pages_append(out, range->row, &p, 0, rows));
done:
  grid_sorted_free(&sorted);
  grid_lmat_free(&p);
  return info;
}

GrB_Info grid_entry_sort_write(grid_entry_sort *s, grid_pages *out, GrB_Type type, const void *one) {
  const uint64_t entry_bytes = written_bytes(s);
  grid_run_reader *r = NULL;
  const grid_run_range *range;
  GrB_Info info =
      grid_run_writer_finish(&s->runs, GrB_SUCCESS, grid_slice_bytes(SHARE_WRITTEN) / entry_bytes);
  if (info == GrB_SUCCESS)
    info =
        grid_run_reader_begin(&r, &s->runs, s->shift, s->rows, grid_slice_bytes(SHARE_WRITTEN), entry_bytes);
  while (info == GrB_SUCCESS && (info = grid_run_reader_next(r, &range)) == GrB_SUCCESS && range)
    info = write_range(s, range, out, type, one);
  grid_run_reader_end(r);
  return info;
}
