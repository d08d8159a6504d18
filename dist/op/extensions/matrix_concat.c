/* GxB_Matrix_concat and GxB_Matrix_split: a grid of tiles becomes one matrix, and the reverse. Entries of all
 * tiles move to their new coordinates in one exchange; on the way back one exchange fills each tile. */
#include <string.h>

#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/matrix/transfer/local_tuples.h"
#include "dist/object/burble.h"
#include "dist/op/extensions/cast_handle.h"
#include "gridblas_gxb_operations.h"

/* ---- concatenation ------------------------------------------------------------------------------------- */

static const char concat_call[] = "GxB_Matrix_concat";

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
                     concat_call, (unsigned long long)i, (unsigned long long)j, T->type->name,
                     x->C->type->name);
  const uint64_t rows = tile_at(x, i, 0)->nrows, cols = tile_at(x, 0, j)->ncols;
  if (T->nrows == rows && T->ncols == cols) return GrB_SUCCESS;
  return grid_fail(
      head, GrB_DIMENSION_MISMATCH,
      "%s: tile (%llu, %llu) is %llu x %llu; the first of its row has %llu rows, the first of its "
      "column %llu columns",
      concat_call, (unsigned long long)i, (unsigned long long)j, (unsigned long long)T->nrows,
      (unsigned long long)T->ncols, (unsigned long long)rows, (unsigned long long)cols);
}

/* Reads the handles. Collective, agreed on. */
static GrB_Info open_tiles(tiling *x, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  if (!x->handles) return grid_fail(x->head, GrB_NULL_POINTER, "%s: argument Tiles is NULL", concat_call);
  if (x->m == 0 || x->n == 0)
    return grid_fail(x->head, GrB_INVALID_VALUE, "%s: %llu x %llu tiles; there must be some", concat_call,
                     (unsigned long long)x->m, (unsigned long long)x->n);
  TRY(grid_desc_get(desc, concat_call, &d));
  const uint64_t count = x->m * x->n;
  x->tile = grid_calloc(count, sizeof *x->tile);
  TRY(grid_agree(x->head, x->tile ? info : grid_fail_memory(NULL, "tiles", count, sizeof *x->tile)));
  for (uint64_t k = 0; k < count; k++)
    TRY(grid_cast_handle_read(&x->tile[k], x->handles[k], x->head, concat_call, "Tiles[k]"));
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
      grid_check_shape(x->C->nrows, x->C->ncols, rows, cols, x->head, concat_call, "C", "the tiles together");
done:
  return info;
}

/* Appends T's entries on this process to t, which has room for them, as entries of C. Local. */
static GrB_Info append_tile(grid_tuples *t, GrB_Matrix C, GrB_Matrix T, uint64_t row, uint64_t col) {
  grid_tuples own = {0};
  GrB_Info info = grid_matrix_host_tuples(T, &own, true);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < own.n; k++) {
    t->row[t->n + k] = own.row[k] + row;
    t->col[t->n + k] = own.col[k] + col;
  }
  if (own.n) grid_cast_array(t->val + t->n * C->type->size, C->type, own.val, T->type, 1, own.n);
  t->n += own.n;
  grid_tuples_free(&own);
  return info;
}

/* *t = the entries of all tiles on this process, as entries of C. Collective, not agreed on at its end. */
static GrB_Info collect_tiles(grid_tuples *t, const tiling *x) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t capacity = 0, row = 0;
  for (uint64_t k = 0; k < x->m * x->n; k++) {
    TRY(grid_matrix_require(x->tile[k].A, GRID_OUTOFCORE | GRID_ROWS));
    capacity += grid_matrix_local_nvals(x->tile[k].A);
  }
  *t = (grid_tuples){.row = grid_malloc(capacity, sizeof *t->row),
                     .col = grid_malloc(capacity, sizeof *t->col),
                     .val = grid_malloc(capacity, x->C->type->size)};
  if (!t->row || !t->col || !t->val)
    TRY(grid_fail_memory(NULL, "entries of tiles", capacity, 16 + x->C->type->size));
  for (uint64_t i = 0; i < x->m; row += tile_at(x, i++, 0)->nrows) {
    uint64_t col = 0;
    for (uint64_t j = 0; j < x->n; col += tile_at(x, 0, j++)->ncols)
      TRY(append_tile(t, x->C, tile_at(x, i, j), row, col));
  }
done:
  return info;
}

static GrB_Info concat_matrix(tiling *x, GrB_Descriptor desc) {
  grid_tuples t = {0};
  GrB_Info info = open_tiles(x, desc);
  if (info == GrB_SUCCESS) info = check_tiles(x);
  if (info != GrB_SUCCESS) goto done;
  info = collect_tiles(&t, x);
  TRY(grid_agree(x->head, info));
  const grid_build b = {.row = t.row, .col = t.col, .val = t.val, .type = x->C->type, .n = t.n};
  TRY(grid_matrix_fill(x->C, &b, concat_call));
  grid_dense_force(x->C);
done:
  grid_tuples_free(&t);
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
  GrB_Info info = grid_check_initialized(concat_call);
  if (info == GrB_SUCCESS) info = grid_check_handle(C, GRID_ANY_KIND, NULL, concat_call, "C");
  if (info != GrB_SUCCESS) return info;
  if (grid_is_vector_handle(C)) return concat_vector((GrB_Vector)(void *)C, tiles, m, n, desc);
  info = grid_check_object(C, NULL, concat_call, "C");
  if (info != GrB_SUCCESS) return info;
  return concat_matrix(&(tiling){C, &C->head, tiles, NULL, m, n}, desc);
}

GrB_Info GxB_Matrix_concat(GrB_Matrix C, const GrB_Matrix *Tiles, GrB_Index m, GrB_Index n,
                           const GrB_Descriptor desc) {
  return GRID_TRACE_CALL(concat_call, concat(C, Tiles, m, n, desc), C);
}

/* ---- division ------------------------------------------------------------------------------------------ */

static const char split_call[] = "GxB_Matrix_split";

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
                   split_call, what, (unsigned long long)dim);
}

static GrB_Info check_split(const GrB_Matrix *tiles, uint64_t m, uint64_t n, const GrB_Index *nrows,
                            const GrB_Index *ncols, GrB_Matrix A, GrB_Descriptor desc) {
  grid_desc d;
  GrB_Info info = GrB_SUCCESS;
  if (!tiles || !nrows || !ncols)
    return grid_fail(&A->head, GrB_NULL_POINTER, "%s: argument %s is NULL", split_call,
                     !tiles   ? "Tiles"
                     : !nrows ? "Tile_nrows"
                              : "Tile_ncols");
  if (m == 0 || n == 0)
    return grid_fail(&A->head, GrB_INVALID_VALUE, "%s: %llu x %llu tiles; there must be some", split_call,
                     (unsigned long long)m, (unsigned long long)n);
  TRY(grid_desc_get(desc, split_call, &d));
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

/* The last of n ascending starts that is not above x, and whose tile is not empty. */
static uint64_t part_of(const uint64_t *first, uint64_t n, uint64_t x) {
  uint64_t lo = 0, hi = n;
  while (hi - lo > 1) {
    const uint64_t mid = lo + (hi - lo) / 2;
    if (first[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static void set_starts(uint64_t *first, const GrB_Index *size, uint64_t n) {
  for (uint64_t k = 0, at = 0; k < n; at += size[k++]) first[k] = at;
}

/* Local. */
static GrB_Info sort_by_tile(tile_entries *e, uint64_t m, uint64_t n, const GrB_Index *nrows,
                             const GrB_Index *ncols, GrB_Matrix A) {
  const uint64_t size = A->type->size, tiles = m * n;
  grid_tuples own = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_host_tuples(A, &own, true));
  *e = (tile_entries){.at = grid_calloc(tiles + 2, sizeof *e->at),
                      .first = grid_malloc(m + n, sizeof *e->first)};
  e->t = (grid_tuples){.row = grid_malloc(own.n, sizeof *own.row),
                       .col = grid_malloc(own.n, sizeof *own.col),
                       .val = grid_malloc(own.n, size)};
  if (!e->at || !e->first || !e->t.row || !e->t.col || !e->t.val)
    TRY(grid_fail_memory(NULL, "entries of tiles", own.n + tiles, 16 + size));
  set_starts(e->first, nrows, m), set_starts(e->first + m, ncols, n);
  for (int pass = 0; pass < 2; pass++) { /* count, then place: at[k + 2] counts, at[k + 1] moves on */
    for (uint64_t k = 0; k < own.n; k++) {
      const uint64_t i = part_of(e->first, m, own.row[k]), j = part_of(e->first + m, n, own.col[k]);
      uint64_t *at = &e->at[i * n + j + (pass == 0 ? 2 : 1)];
      if (pass == 1) {
        e->t.row[*at] = own.row[k] - e->first[i], e->t.col[*at] = own.col[k] - e->first[m + j];
        memcpy(e->t.val + *at * size, own.val + k * size, size);
      }
      ++*at;
    }
    for (uint64_t k = 0; pass == 0 && k < tiles; k++) e->at[k + 2] += e->at[k + 1];
  }
done:
  grid_tuples_free(&own);
  return info;
}

static GrB_Info make_tiles(GrB_Matrix *made, uint64_t m, uint64_t n, const GrB_Index *nrows,
                           const GrB_Index *ncols, GrB_Matrix A) {
  tile_entries e = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(A, GRID_OUTOFCORE | GRID_ROWS));
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
    TRY(grid_matrix_fill(made[k], &b, split_call));
  }
done:
  tile_entries_free(&e);
  return info;
}

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
  GrB_Matrix *made = NULL;
  grid_cast_handle A = {0};
  GrB_Info info = grid_check_initialized(split_call);
  if (info != GrB_SUCCESS) return info;
  TRY(grid_cast_handle_read(&A, handle, NULL, split_call, "A"));
  TRY(check_split(tiles, m, n, nrows, ncols, A.A, desc));
  made = grid_calloc(m * n, sizeof(GrB_Matrix));
  TRY(grid_agree(&handle->head,
                 made ? info : grid_fail_memory(NULL, "handles of tiles", m * n, sizeof(GrB_Matrix))));
  TRY(make_tiles(made, m, n, nrows, ncols, A.A));
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
  return GRID_TRACE_CALL(split_call, split(Tiles, m, n, Tile_nrows, Tile_ncols, A, desc), A);
}
