/* GxB_Matrix_split: a matrix becomes a grid of tiles. Entries are sorted by tile; each tile is filled by one
 * exchange. On disk row panels are split, and the parts of a tile united. */
#include <string.h>

#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/object/burble.h"
#include "dist/op/extensions/cast_handle.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/unite_disjoint.h"
#include "gridblas_gxb_operations.h"
#include "spmat/vector/segments.h"

static const char call[] = "GxB_Matrix_split";

/* Do n sizes add up to dim? */
static GrB_Info check_sizes(const GrB_Index *size, uint64_t n, uint64_t dim, GrB_Matrix A, const char *what) {
  uint64_t sum = 0;
  bool fits = true;
  for (uint64_t k = 0; k < n && fits; k++) {
    fits = size[k] <= dim - sum;
    if (fits) sum += size[k];
  }
  if (fits && sum == dim) return GrB_SUCCESS;
  return grid_fail(&A->head, GrB_DIMENSION_MISMATCH, "%s: the %s of the tiles do not add up to A's %llu",
                   call, what, (unsigned long long)dim);
}

static GrB_Info check_split(const GrB_Matrix *tiles, uint64_t m, uint64_t n, const GrB_Index *nrows,
                            const GrB_Index *ncols, GrB_Matrix A, GrB_Descriptor desc) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  if (!tiles || !nrows || !ncols)
    return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                     !tiles   ? "Tiles"
                     : !nrows ? "Tile_nrows"
                              : "Tile_ncols");
  if (m == 0 || n == 0)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: %llu x %llu tiles; there must be some", call,
                     (unsigned long long)m, (unsigned long long)n);
  TRY(grid_desc_get(desc, call, &d));
  TRY(check_sizes(nrows, m, A->nrows, A, "rows"));
  info = check_sizes(ncols, n, A->ncols, A, "columns");
done:
  return info;
}

/* A's entries on this process by tile: those of tile k begin at at[k]. */
typedef struct {
  grid_tuples t;
  uint64_t *at, *first; /* first: of the rows of the tiles, then of their columns */
} tile_entries;

static void tile_entries_free(tile_entries *e) {
  grid_tuples_free(&e->t);
  grid_free(e->at);
  grid_free(e->first);
}

static void set_starts(uint64_t *first, const GrB_Index *size, uint64_t n) {
  for (uint64_t k = 0, at = 0; k < n; at += size[k++]) first[k] = at;
}

/* Local. */
static GrB_Info sort_by_tile(tile_entries *e, uint64_t m, uint64_t n, const GrB_Index *nrows,
                             const GrB_Index *ncols, GrB_Matrix A) {
  const uint64_t size = A->type->size, tiles = m * n;
  grid_tuples local = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_host_tuples(A, &local, true));
  *e = (tile_entries){.at = grid_calloc(tiles + 2, sizeof *e->at),
                      .first = grid_malloc(m + n, sizeof *e->first)};
  e->t = (grid_tuples){.row = grid_malloc(local.n, sizeof *local.row),
                       .col = grid_malloc(local.n, sizeof *local.col),
                       .val = grid_malloc(local.n, size)};
  if (!e->at || !e->first || !e->t.row || !e->t.col || !e->t.val)
    TRY(grid_fail_memory(NULL, "entries of tiles", local.n + tiles, 16 + size));
  set_starts(e->first, nrows, m), set_starts(e->first + m, ncols, n);
  for (int pass = 0; pass < 2; pass++) { /* count, then place: at[k + 2] counts, at[k + 1] moves on */
    for (uint64_t k = 0; k < local.n; k++) {
      const uint64_t i = grid_segment_of(e->first, 1, m, local.row[k]),
                     j = grid_segment_of(e->first + m, 1, n, local.col[k]);
      uint64_t *at = &e->at[i * n + j + (pass == 0 ? 2 : 1)];
      if (pass == 1) {
        e->t.row[*at] = local.row[k] - e->first[i], e->t.col[*at] = local.col[k] - e->first[m + j];
        memcpy(e->t.val + *at * size, local.val + k * size, size);
      }
      ++*at;
    }
    for (uint64_t k = 0; pass == 0 && k < tiles; k++) e->at[k + 2] += e->at[k + 1];
  }
done:
  grid_tuples_free(&local);
  return info;
}

/* A grid of tiles. */
typedef struct {
  uint64_t m, n;
  const GrB_Index *nrows, *ncols;
} tile_grid;

/* A's rows are in memory, or it is a row panel. */
static GrB_Info make_tiles(GrB_Matrix *made, const tile_grid *x, GrB_Matrix A) {
  const uint64_t m = x->m, n = x->n;
  const GrB_Index *nrows = x->nrows, *ncols = x->ncols;
  tile_entries e = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(A, GRID_ROWS));
  info = sort_by_tile(&e, m, n, nrows, ncols, A);
  TRY(grid_agree(&A->head, info));
  for (uint64_t k = 0; k < m * n; k++) {
    TRY(GrB_Matrix_new(&made[k], A->type, nrows[k / n], ncols[k % n]));
    const uint64_t at = e.at[k];
    const grid_build b = {.row = e.t.row + at,
                          .col = e.t.col + at,
                          .val = e.t.val + at * A->type->size,
                          .type = A->type,
                          .n = e.at[k + 1] - at};
    TRY(grid_matrix_fill(made[k], &b, call));
  }
done:
  tile_entries_free(&e);
  return info;
}

/* ---- on disk ---- */

typedef struct {
  const tile_grid *x;
  grid_disjoint *tile;
} united_tiles;

static GrB_Info split_panel(void *context, GrB_Matrix panel) {
  const united_tiles *w = context;
  const uint64_t tiles = w->x->m * w->x->n;
  GrB_Matrix *made = grid_calloc(tiles, sizeof(GrB_Matrix));
  GrB_Info info = made ? GrB_SUCCESS : grid_fail_memory(NULL, "handles of tiles", tiles, sizeof(GrB_Matrix));
  TRY(grid_agree(&panel->head, info));
  TRY(make_tiles(made, w->x, panel));
  for (uint64_t k = 0; made && k < tiles; k++) {
    const GrB_Matrix part = made[k];
    made[k] = NULL;
    TRY(grid_disjoint_add(&w->tile[k], part));
  }
done:
  for (uint64_t k = 0; made && k < tiles; k++) GrB_Matrix_free(&made[k]);
  grid_free(made);
  return info;
}

static GrB_Info split_out_of_core(GrB_Matrix *made, const tile_grid *x, GrB_Matrix A) {
  const uint64_t tiles = x->m * x->n;
  united_tiles w = {x, grid_calloc(tiles, sizeof *w.tile)};
  GrB_Info info = w.tile ? GrB_SUCCESS : grid_fail_memory(NULL, "tiles", tiles, sizeof *w.tile);
  TRY(grid_agree(&A->head, info));
  for (uint64_t k = 0; w.tile && k < tiles; k++) w.tile[k].path = grid_paged_path(&A, 1);
  TRY(grid_slices_of(A, NULL, false, UINT64_MAX, split_panel, &w));
  for (uint64_t k = 0; w.tile && k < tiles; k++)
    TRY(grid_disjoint_unite(&made[k], &w.tile[k], A->type, x->nrows[k / x->n], x->ncols[k % x->n]));
done:
  for (uint64_t k = 0; w.tile && k < tiles; k++) grid_disjoint_free(&w.tile[k]);
  grid_free(w.tile);
  return info;
}

/* ---- the operation ---- */

/* Tiles of a vector's matrix become vectors. */
static GrB_Info make_vectors(GrB_Matrix *made, uint64_t count) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t k = 0; k < count && info == GrB_SUCCESS; k++) {
    GrB_Vector v = NULL;
    info = grid_vector_of_column(&v, made[k]);
    GrB_Matrix_free(&made[k]);
    made[k] = (GrB_Matrix)(void *)v;
  }
  return info;
}

static void free_tiles(GrB_Matrix *made, uint64_t count) {
  for (uint64_t k = 0; k < count; k++) {
    GrB_Vector v = made[k] && grid_is_vector_handle(made[k]) ? (GrB_Vector)(void *)made[k] : NULL;
    if (v)
      GrB_Vector_free(&v);
    else
      GrB_Matrix_free(&made[k]);
  }
}

static GrB_Info split(GrB_Matrix *tiles, uint64_t m, uint64_t n, const GrB_Index *nrows,
                      const GrB_Index *ncols, GrB_Matrix handle, GrB_Descriptor desc) {
  const tile_grid x = {m, n, nrows, ncols};
  GrB_Matrix *made = NULL;
  grid_cast_handle A = {0};
  bool out_of_core;
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_cast_handle_read(&A, handle, NULL, call, "A"));
  TRY(check_split(tiles, m, n, nrows, ncols, A.A, desc));
  made = grid_calloc(m * n, sizeof(GrB_Matrix));
  TRY(grid_agree(&handle->head,
                 made ? info : grid_fail_memory(NULL, "handles of tiles", m * n, sizeof(GrB_Matrix))));
  TRY(grid_exceeds_memory(&A.A, 1, 0, &out_of_core));
  TRY(out_of_core ? split_out_of_core(made, &x, A.A) : make_tiles(made, &x, A.A));
  if (n == 1 && grid_is_vector_handle(handle)) TRY(make_vectors(made, m));
  memcpy(tiles, made, m * n * sizeof(GrB_Matrix));
done:
  if (info != GrB_SUCCESS && made) free_tiles(made, m * n);
  grid_free(made);
  grid_cast_handle_free(&A);
  return info;
}

GrB_Info GxB_Matrix_split(GrB_Matrix *Tiles, GrB_Index m, GrB_Index n, const GrB_Index *Tile_nrows,
                          const GrB_Index *Tile_ncols, const GrB_Matrix A, const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, split(Tiles, m, n, Tile_nrows, Tile_ncols, A, desc), A);
}
