/* The contents of a matrix: replaced by a new block, dropped, changed in place. */
#include "dist/matrix/matrix.h"

#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/outofcore/pages/row_pages.h"
#include "spmat/device/device.h"

GrB_Info grid_check_matrix(GrB_Matrix a, const char *call, const char *what) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  return grid_check_object(a, NULL, call, what);
}

/* ---- cached properties ---- */

static void drop_read_cache(GrB_Matrix A) {
  if (A->cached.read.all.type) grid_lmat_free(&A->cached.read.all);
  A->cached.read.reads = 0;
  A->cached.read.copied = A->cached.read.refused = false;
}

void grid_matrix_drop_lines(GrB_Matrix A) {
  if (A->cached.lines.copied) grid_lmat_free(&A->cached.lines.block);
  A->cached.lines.reads = 0;
  A->cached.lines.copied = A->cached.lines.refused = false;
}

static void drop_sums(GrB_Matrix A) {
  memset(&A->cached.sums, 0, sizeof A->cached.sums);
}

/* By columns, which products and transposes read. */
static void drop_columns(GrB_Matrix A) {
  grid_local_matrix *p = &A->block;
  if (!p->shared) grid_compressed_free(&p->by_col, p->device ? grid_device_free : grid_free);
  p->by_col = (grid_compressed){0};
  p->shared = false;
  A->properties.forms &= ~(unsigned)(GRID_COLS | GRID_COL_HUB_NEIGHBORS);
}

static void drop_symmetry(GrB_Matrix A) {
  A->properties.symmetric = false;
}

static void drop_bitmap(GrB_Matrix A) {
  grid_chunk_free(&A->bitmap.chunk);
  A->bitmap.present = A->bitmap.only = A->bitmap.is_iso = false;
}

static void drop_degrees(GrB_Matrix A) {
  grid_degrees_free(A);
  A->properties.ready = A->properties.offsets64 = A->delegates.decided = false;
}

/* What is derived from the entries of a matrix, and the changes that make it invalid. Pages come before the
 * arrays of the block, which the device may have mapped. */
static const struct {
  void (*drop)(GrB_Matrix A);
  unsigned dropped_by;
} properties[] = {
    /* row hubs, delegates, search workspaces: registered in dist/grid/hooks.h */
    {grid_cached_free, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* pages of a host-resident block: made by grid_block_pages */
    {grid_block_pages_free, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* columns: made by GRID_COLS; freed with the block where entries change */
    {drop_columns, GRID_ROW_VALUES_CHANGED},
    /* made by grid_matrix_find_symmetric, or known from how A was built */
    {drop_symmetry, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* the bitmap form beside rows: made by grid_dense_read */
    {drop_bitmap, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* made by GrB_reduce */
    {drop_sums, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* all entries on every process: made by GrB_Matrix_extractElement after many reads */
    {drop_read_cache, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* the copy on the host of a block on the device: made where rows and columns are read one by one */
    {grid_matrix_drop_lines, GRID_VALUES_CHANGED | GRID_ROW_VALUES_CHANGED | GRID_ENTRIES_CHANGED},
    /* made by GRID_READY */
    {drop_degrees, GRID_ENTRIES_CHANGED},
};

void grid_matrix_invalidate(GrB_Matrix A, unsigned change) {
  for (size_t k = 0; k < sizeof properties / sizeof *properties; k++)
    if (properties[k].dropped_by & change) properties[k].drop(A);
}

/* ---- contents ---- */

void grid_matrix_drop(GrB_Matrix A) {
  grid_matrix_invalidate(A, GRID_ENTRIES_CHANGED);
  grid_lmat_free(&A->block);
  A->properties.forms = 0;
  A->bitmap.changed = 0;
  grid_pages_free(A->pages);
  A->pages = NULL;
  grid_pending_free(&A->pending);
  A->nvals = 0;
  A->placement.on_device = grid_device_is_on();
}

GrB_Info grid_matrix_empty_block(grid_local_matrix *block) {
  grid_pair bad;
  bool pairs = grid_axis_has_ids64(&block->row) || grid_axis_has_ids64(&block->col);
  return grid_lmat_build(block, grid_malloc(0, sizeof(grid_pair)), pairs, 0, "", NULL,
                         (grid_duplicates){.newest_wins = true}, &bad);
}

GrB_Info grid_matrix_adopt(GrB_Matrix A, const grid_build *b, grid_local_matrix *block, GrB_Info info) {
  uint64_t nvals = block->nvals;
  /* whether a block has rows is the same on all processes, since later steps depend on it */
  if (info == GrB_SUCCESS && !grid_compressed_is_built(&block->by_row)) info = grid_matrix_empty_block(block);
  if ((info = grid_agree_sum(&A->head, info, &nvals, 1)) != GrB_SUCCESS) return info;
  grid_matrix_drop(A);
  A->block = *block;
  A->block.host_resident = false; /* a property of A, not of the block that is adopted */
  grid_lmat_init(block, A->type, 0, 0);
  A->nvals = nvals;
  /* a tuple and its mirror image are combined with their positions in the same order */
  A->properties.symmetric = b->mirror && A->nrows == A->ncols;
  return GrB_SUCCESS;
}
