/* Rows that a search has left open, kept in memory: they are few, and short, and the next level wants them
 * again, which would read nearly all pages for them. (See docs/design.md, "Pages".) */
#ifndef GRID_RESIDUAL_ROWS_H
#define GRID_RESIDUAL_ROWS_H
#include "dist/outofcore/pages/row_pages.h"

/* Is row r of the process's kept? */
static inline bool grid_residual_has(const grid_pages *g, uint64_t r) {
  return g->residual_rows && grid_bit(g->residual_rows, r);
}
/* A word of 64 of them. */
static inline uint64_t grid_residual_word(const grid_pages *g, uint64_t w) {
  return g->residual_rows ? __atomic_load_n(&g->residual_rows[w], __ATOMIC_RELAXED) : 0;
}
/* Before a pull that may leave rows open. */
void grid_residual_begin(grid_pages *g);
/* A pull has left the rows open of which `open` has the bits, among those of p, which are the process's from
 * `first` on: those that are whole are kept, if they have few of the entries, and there is room: all
 * that is kept takes no more than the lengths of rows do. From any thread, of rows that no other one has. */
void grid_residual_cache(grid_pages *g, const grid_local_matrix *p, uint64_t first, const uint64_t *open);
/* Does a visitor want any of the n rows from `first` on? */
typedef bool grid_residual_wanted(void *context, uint64_t first, uint64_t n);
/* Visits what is kept where it is wanted, as grid_pages_stream does, or grid_pages_stream_parallel, and no
 * row twice, but in no order. */
GrB_Info grid_residual_visit(grid_pages *g, bool apart, grid_residual_wanted *wanted, grid_pages_visit *visit,
                             void *context);
void grid_residual_free(grid_pages *g);
#endif
