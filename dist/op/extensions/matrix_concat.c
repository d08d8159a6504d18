/* GxB_Matrix_concat: a grid of tiles becomes one matrix. Entries of all tiles move to their new coordinates
 * in one exchange; where memory does not suffice, those of one row panel after the other. */
#include "dist/extensions/containers/replace_object.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "dist/object/burble.h"
#include "dist/op/extensions/cast_handle.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/unite_disjoint.h"
#include "gridblas_gxb_operations.h"

static const char call[] = "GxB_Matrix_concat";

typedef struct {
  GrB_Matrix C;    /* a matrix, also where the output is a vector */
  grid_head *head; /* of the output */
  const GrB_Matrix *handles;
  grid_cast_handle *tile; /* by row */
  uint64_t m, n;
} tiling;

static GrB_Matrix tile_at(const tiling *x, uint64_t i, uint64_t j) {
  return x->tile[i * x->n + j].A;
}

static GrB_Info check_tile(const tiling *x, uint64_t i, uint64_t j) {
  const GrB_Matrix T = tile_at(x, i, j);
  grid_head *head = x->head;
  if (!grid_compatible(x->C->type, T->type))
    return grid_fail(head, GrB_DOMAIN_MISMATCH, "%s: tile (%llu, %llu) has type %s, which cannot become %s",
                     call, (unsigned long long)i, (unsigned long long)j, T->type->name, x->C->type->name);
  const uint64_t rows = tile_at(x, i, 0)->nrows, cols = tile_at(x, 0, j)->ncols;
  if (T->nrows == rows && T->ncols == cols) return GrB_SUCCESS;
  return grid_fail(
      head, GrB_DIMENSION_MISMATCH,
      "%s: tile (%llu, %llu) is %llu x %llu; the first of its row has %llu rows, the first of its "
      "column %llu columns",
      call, (unsigned long long)i, (unsigned long long)j, (unsigned long long)T->nrows,
      (unsigned long long)T->ncols, (unsigned long long)rows, (unsigned long long)cols);
}

/* Reads the handles. Collective, agreed on. */
static GrB_Info open_tiles(tiling *x, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  if (!x->handles) return grid_fail(x->head, GrB_NULL_POINTER, "%s: argument Tiles is NULL", call);
  if (x->m == 0 || x->n == 0)
    return grid_fail(x->head, GrB_INVALID_VALUE, "%s: %llu x %llu tiles; there must be some", call,
                     (unsigned long long)x->m, (unsigned long long)x->n);
  TRY(grid_desc_get(desc, call, &d));
  const uint64_t count = x->m * x->n;
  x->tile = grid_calloc(count, sizeof *x->tile);
  TRY(grid_agree(x->head, x->tile ? info : grid_fail_memory(NULL, "tiles", count, sizeof *x->tile)));
  for (uint64_t k = 0; k < count; k++)
    TRY(grid_cast_handle_read(&x->tile[k], x->handles[k], x->head, call, "Tiles[k]"));
done:
  return info;
}

static void close_tiles(tiling *x) {
  for (uint64_t k = 0; x->tile && k < x->m * x->n; k++) grid_cast_handle_free(&x->tile[k]);
  grid_free(x->tile);
}

static GrB_Info check_tiles(const tiling *x) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t rows = 0, cols = 0;
  for (uint64_t i = 0; i < x->m; i++)
    for (uint64_t j = 0; j < x->n; j++) TRY(check_tile(x, i, j));
  for (uint64_t i = 0; i < x->m; i++) rows += tile_at(x, i, 0)->nrows;
  for (uint64_t j = 0; j < x->n; j++) cols += tile_at(x, 0, j)->ncols;
  info =
      grid_check_shape(x->C->nrows, x->C->ncols, rows, cols, x->head, call, "C", "the matrix of the tiles");
done:
  return info;
}

/* ---- in memory ---- */

static GrB_Info allocate_tuples(grid_tuples *t, uint64_t capacity, GrB_Type type) {
  *t = (grid_tuples){.row = grid_malloc(capacity, sizeof *t->row),
                     .col = grid_malloc(capacity, sizeof *t->col),
                     .val = grid_malloc(capacity, type->size)};
  return t->row && t->col && t->val ? GrB_SUCCESS
                                    : grid_fail_memory(NULL, "entries of tiles", capacity, 16 + type->size);
}

/* Appends T's entries on this process to t, which has room for them, as entries of C. Local. */
static GrB_Info append_tile(grid_tuples *t, GrB_Matrix C, GrB_Matrix T, uint64_t row, uint64_t col) {
  grid_tuples local = {0};
  GrB_Info info = grid_matrix_host_tuples(T, &local, true);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < local.n; k++) {
    t->row[t->n + k] = local.row[k] + row;
    t->col[t->n + k] = local.col[k] + col;
  }
  if (local.n) grid_cast_array(t->val + t->n * C->type->size, C->type, local.val, T->type, 1, local.n);
  t->n += local.n;
  grid_tuples_free(&local);
  return info;
}

/* *t = the entries of all tiles on this process, as entries of C. Collective, not agreed on at its end. */
static GrB_Info collect_tiles(grid_tuples *t, const tiling *x) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t capacity = 0, row = 0;
  for (uint64_t k = 0; k < x->m * x->n; k++) {
    TRY(grid_matrix_require(x->tile[k].A, GRID_ROWS));
    capacity += grid_matrix_local_nvals(x->tile[k].A);
  }
  TRY(allocate_tuples(t, capacity, x->C->type));
  for (uint64_t i = 0; i < x->m; row += tile_at(x, i++, 0)->nrows) {
    uint64_t col = 0;
    for (uint64_t j = 0; j < x->n; col += tile_at(x, 0, j++)->ncols)
      TRY(append_tile(t, x->C, tile_at(x, i, j), row, col));
  }
done:
  return info;
}

static grid_build build_of(const grid_tuples *t, GrB_Type type) {
  return (grid_build){.row = t->row, .col = t->col, .val = t->val, .type = type, .n = t->n};
}

static GrB_Info concat_in_memory(const tiling *x) {
  grid_tuples t = {0};
  GrB_Info info = collect_tiles(&t, x);
  TRY(grid_agree(x->head, info));
  const grid_build b = build_of(&t, x->C->type);
  TRY(grid_matrix_fill(x->C, &b, call));
  grid_dense_force(x->C);
done:
  grid_tuples_free(&t);
  return info;
}

/* ---- on disk ---- */

typedef struct {
  GrB_Matrix C;
  uint64_t row, col; /* where the tile begins */
} tile_position;

static GrB_Info move_panel(grid_local_matrix *t, const void *context, GrB_Matrix panel) {
  const tile_position *at = context;
  grid_tuples of = {0};
  GrB_Info info = grid_matrix_require(panel, GRID_ROWS);
  if (info != GrB_SUCCESS) return info;
  info = allocate_tuples(&of, grid_matrix_local_nvals(panel), at->C->type);
  if (info == GrB_SUCCESS) info = append_tile(&of, at->C, panel, at->row, at->col);
  TRY(grid_agree(&panel->head, info));
  const grid_build b = build_of(&of, at->C->type);
  info = grid_route_lmat(at->C, &b, t, call);
done:
  grid_tuples_free(&of);
  return info;
}

static GrB_Info concat_out_of_core(const tiling *x, const char *path) {
  grid_disjoint terms = {.path = path};
  tile_position at = {.C = x->C};
  GrB_Matrix T = NULL;
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t i = 0; i < x->m; at.row += tile_at(x, i++, 0)->nrows) {
    at.col = 0;
    for (uint64_t j = 0; j < x->n; at.col += tile_at(x, 0, j++)->ncols)
      TRY(grid_disjoint_move(&terms, x->C, tile_at(x, i, j), move_panel, &at));
  }
  TRY(grid_disjoint_unite(&T, &terms, x->C->type, x->C->nrows, x->C->ncols));
  grid_matrix_replace(x->C, T);
done:
  grid_disjoint_free(&terms);
  GrB_Matrix_free(&T);
  return info;
}

/* ---- the operation ---- */

/* *path: of the pages of some tile, if there is no memory for all tiles; else NULL. Collective, agreed on. */
static GrB_Info find_path(const char **path, const tiling *x) {
  const uint64_t tiles = x->m * x->n;
  GrB_Matrix *of = grid_malloc(tiles, sizeof(GrB_Matrix));
  bool out_of_core;
  GrB_Info info = of ? GrB_SUCCESS : grid_fail_memory(NULL, "handles of tiles", tiles, sizeof(GrB_Matrix));
  *path = NULL;
  TRY(grid_agree(x->head, info));
  for (uint64_t k = 0; of && k < tiles; k++) of[k] = x->tile[k].A;
  TRY(grid_exceeds_memory(of, tiles, 0, &out_of_core));
  if (out_of_core) *path = grid_paged_path(of, tiles);
done:
  grid_free(of);
  return info;
}

static GrB_Info concat_matrix(tiling *x, GrB_Descriptor desc) {
  const char *path;
  GrB_Info info = open_tiles(x, desc);
  if (info == GrB_SUCCESS) info = check_tiles(x);
  if (info == GrB_SUCCESS) info = find_path(&path, x);
  if (info == GrB_SUCCESS) info = path ? concat_out_of_core(x, path) : concat_in_memory(x);
  close_tiles(x);
  return info;
}

/* C's handle is that of the vector w. */
static GrB_Info concat_vector(GrB_Vector w, const GrB_Matrix *tiles, uint64_t m, uint64_t n,
                              GrB_Descriptor desc) {
  GrB_Matrix column = NULL;
  GrB_Info info = GrB_Matrix_new(&column, w->type, w->n, 1);
  if (info == GrB_SUCCESS) info = concat_matrix(&(tiling){column, &w->head, tiles, NULL, m, n}, desc);
  if (info == GrB_SUCCESS && w->n > 0) info = GrB_Col_extract(w, NULL, NULL, column, GrB_ALL, w->n, 0, NULL);
  GrB_Matrix_free(&column);
  return info;
}

static GrB_Info concat(GrB_Matrix C, const GrB_Matrix *tiles, uint64_t m, uint64_t n, GrB_Descriptor desc) {
  GrB_Info info = grid_check_initialized(call);
  if (info == GrB_SUCCESS) info = grid_check_handle(C, GRID_ANY_KIND, NULL, call, "C");
  if (info != GrB_SUCCESS) return info;
  if (grid_is_vector_handle(C)) return concat_vector((GrB_Vector)(void *)C, tiles, m, n, desc);
  info = grid_check_object(C, NULL, call, "C");
  if (info != GrB_SUCCESS) return info;
  return concat_matrix(&(tiling){C, &C->head, tiles, NULL, m, n}, desc);
}

GrB_Info GxB_Matrix_concat(GrB_Matrix C, const GrB_Matrix *Tiles, GrB_Index m, GrB_Index n,
                           const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(call, concat(C, Tiles, m, n, desc), C);
}
