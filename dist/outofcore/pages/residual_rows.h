/* Residual rows: rows without a hit in a pull search's level. They are few and short, and the next level
 * needs them again; without this cache it would read nearly all pages for them (docs/how/outofcore.md). */
#ifndef GRID_RESIDUAL_ROWS_H
#define GRID_RESIDUAL_ROWS_H
#include "dist/outofcore/pages/row_pages.h"

/* Is the process's row r cached? */
static inline bool grid_residual_has(const grid_pages *g, uint64_t r) {
  return g->residual_rows && grid_bit(g->residual_rows, r);
}
/* The same for a word of 64 rows. */
static inline uint64_t grid_residual_word(const grid_pages *g, uint64_t w) {
  return g->residual_rows ? __atomic_load_n(&g->residual_rows[w], __ATOMIC_RELAXED) : 0;
}
/* Called before a pull that may leave rows open. */
void grid_residual_begin(grid_pages *g);
/* After a pull: caches the rows of p that are still open, by the bitmap `open`; p's rows are the process's
 * from `first` on. Only complete rows with few of the entries are cached, while the memory is at most that
 * of the row lengths. From any thread, for rows of its own. */
void grid_residual_cache(grid_pages *g, const grid_local_matrix *p, uint64_t first, const uint64_t *open);
/* Does the visitor need any of the n rows from `first` on? */
typedef bool grid_residual_wanted(void *context, uint64_t first, uint64_t n);
/* Visits cached rows where wanted, as grid_pages_stream does, or with `apart` as
 * grid_pages_stream_parallel; each row once, in no particular order. */
GrB_Info grid_residual_visit(grid_pages *g, bool apart, grid_residual_wanted *wanted, grid_pages_visit *visit,
                             void *context);
void grid_residual_free(grid_pages *g);
#endif
