/* See lmat_tuples.h. Each thread writes an equal share of the entries, block by block; a share may begin
 * inside a row. Long arrays are written by streaming stores. */
#include "spmat/cpu/matrix/lmat_tuples.h"

#include "spmat/cpu/rows/entry_positions.h"
#include "spmat/cpu/arrays/streaming_stores.h"
#include "spmat/vector/bound_operator.h"

/* Entries of a block; from STREAM entries on, 64 MB of indices, stores bypass the caches: fewer remain there.
 */
enum { BLOCK = 4096, STREAM = 1 << 22 };

typedef struct {
  const grid_local_matrix *p;
  const grid_index_map *rows, *cols;
  uint64_t *row, *col;
  char *val;
  grid_copier copy;
  bool stream;
} writer;

/* Streamed rows are composed in the cache first, since most runs are short. */
static void write_rows(const writer *w, grid_coords_cursor *at, uint64_t e, uint64_t end) {
  uint64_t block[BLOCK], *to = w->stream ? block : w->row + e;
  grid_coords_read(at, e, end - e, to, NULL);
  if (w->stream) grid_stream_copy(w->row + e, block, (end - e) * sizeof *block);
}

static void write_cols(const writer *w, uint64_t e, uint64_t end) {
  const uint32_t *idx = w->p->by_row.idx;
  const grid_index_map *c = w->cols;
  if (c->axis->ids || c->table || c->q)
    for (; e < end; e++) w->col[e] = grid_index_map_at(c, idx[e]);
  else if (w->stream)
    grid_stream_widen(w->col + e, idx + e, c->base, end - e);
  else
    for (; e < end; e++) w->col[e] = c->base + idx[e];
}

static void write_values(const writer *w, uint64_t e, uint64_t end) {
  const size_t zs = w->copy.z->size, xs = w->copy.x->size;
  const grid_local_matrix *p = w->p;
  if (p->iso)
    grid_copy_run(&w->copy, w->val + e * zs, p->iso_val, 0, end - e);
  else if (w->stream && !w->copy.cast)
    grid_stream_copy(w->val + e * zs, (const char *)p->by_row.val + e * xs, (end - e) * xs);
  else
    grid_copy_run(&w->copy, w->val + e * zs, (const char *)p->by_row.val + e * xs, 1, end - e);
}

void grid_lmat_to_tuples(uint64_t *row, uint64_t *col, void *val, GrB_Type xt, const grid_local_matrix *p,
                         const grid_index_map *rows, const grid_index_map *cols) {
  const writer w = {.p = p,
                    .rows = rows,
                    .cols = cols,
                    .row = row,
                    .col = col,
                    .val = val,
                    .copy = grid_copier_bind(xt, p->type),
                    .stream = p->nvals >= STREAM};
  if (p->nvals == 0) return;
#pragma omp parallel num_threads(grid_word_threads(p->nvals / 64))
  {
    const uint64_t id = grid_thread(), all = grid_threads(), to = p->nvals * (id + 1) / all;
    uint64_t e = p->nvals * id / all;
    grid_coords_cursor at = {0};
    if (row && e < to) at = grid_coords_begin(p, rows, cols, e);
    for (; e < to; e += BLOCK) {
      const uint64_t end = to - e < BLOCK ? to : e + BLOCK;
      if (row) write_rows(&w, &at, e, end);
      if (col) write_cols(&w, e, end);
      if (val) write_values(&w, e, end);
    }
    if (w.stream) grid_stream_end();
  }
}
