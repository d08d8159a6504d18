/* The transpose of a matrix that is in pages: its rows, some at a time, are the entries that the columns of
 * that name have, for which all pages are read each time. (See sliced.h.) */
#include <string.h>

#include "dist/object/matrix/matrix_pages.h"
#include "dist/object/matrix/matrix_route.h"
#include "dist/op/sliced/sliced.h"
#include "spmat/convert/part_conform.h"

/* Of what the budget leaves: a tuple takes several times what its entry does. */
enum { SHARE_TURNED = 16 };

typedef struct {
  GrB_Matrix A, T;
  const char *call;
  uint32_t *count; /* entries of the columns of this process's chunk */
  grid_pages *out; /* T's rows */
  /* those of this turn: of the chunks that are the s-th of their blocks, what stands from `first` on */
  int s;
  uint64_t first, end;
  grid_tuples t;
  uint64_t room;
} turning;

/* ---- which --------------------------------------------------------------------------------------------- */

static GrB_Info count_columns(turning *w) {
  const uint64_t n = w->A->ncols, first = grid_chunk_first(n, grid_here.k);
  GrB_Vector degree = NULL;
  GrB_Index count = UINT64_MAX, *at = NULL;
  int64_t *value = NULL;
  GrB_Info info;
  TRY(GrB_Vector_new(&degree, GrB_INT64, n));
  TRY(Grid_Matrix_degree(degree, w->A, true));
  info = Grid_Vector_extractLocal(NULL, NULL, &count, degree);
  at = grid_malloc(count, sizeof *at);
  value = grid_malloc(count, sizeof *value);
  w->count = grid_calloc(grid_own_room(n), sizeof *w->count);
  if (info == GrB_SUCCESS && (!at || !value || !w->count))
    info = grid_fail_memory(NULL, "degrees of columns", count, sizeof *at);
  if (info == GrB_SUCCESS) info = Grid_Vector_extractLocal(at, value, &count, degree);
  TRY(grid_agree(&w->A->head, info));
  for (uint64_t k = 0; k < count; k++) w->count[at[k] - first] = (uint32_t)value[k];
done:
  grid_free(at);
  grid_free(value);
  GrB_Vector_free(&degree);
  return info;
}

/* From `first` on as many as fit everywhere. Collective. */
static GrB_Info choose_end(turning *w, uint64_t longest) {
  const uint64_t most = grid_slice_room(SHARE_TURNED), n = w->A->ncols,
                 each = sizeof(uint32_t) + w->A->type->size;
  w->end = longest;
  if (grid_here.k / grid_here.R == w->s) {
    uint64_t bytes = 0, c = w->first, mine = grid_chunk_length(n, grid_here.k);
    for (; c < mine; c++) {
      bytes += w->count[c] * each;
      if (bytes > most && c > w->first) break;
    }
    if (c < mine) w->end = c;
  }
  return grid_here.transport->allreduce(GRID_SET_ALL, &w->end, 1, GRID_MIN);
}

/* ---- entries ------------------------------------------------------------------------------------------- */

static GrB_Info make_room(turning *w) {
  grid_tuples *t = &w->t;
  const uint64_t more = t->n + t->n / 2 + 1024;
  uint64_t *row = grid_realloc(t->row, more, sizeof *row);
  if (row) t->row = row;
  uint64_t *col = grid_realloc(t->col, more, sizeof *col);
  if (col) t->col = col;
  char *val = w->A->pages->one ? NULL : grid_realloc(t->val, more, w->A->type->size);
  if (val) t->val = val;
  if (!row || !col || (!val && !w->A->pages->one))
    return grid_fail_memory(NULL, "entries of columns", more, 16);
  w->room = more;
  return GrB_SUCCESS;
}

static GrB_Info take_entries(void *context, const grid_part *rows, uint64_t first) {
  turning *w = context;
  const grid_compressed *c = &rows->by_row;
  const uint64_t n = w->A->ncols, before = grid_chunk_first(n, grid_here.j * grid_here.R);
  const size_t size = w->A->type->size;
  for (int i = 0; i < grid_here.R; i++) {
    const int k = w->s * grid_here.R + i;
    if (k / grid_here.R != grid_here.j) continue; /* the block has no columns of it */
    const uint64_t length = grid_chunk_length(n, k), start = grid_chunk_first(n, k) - before;
    for (uint64_t r = 0; r < rows->row.n && w->first < length; r++) {
      const uint64_t last = w->end < length ? w->end : length,
                     a = grid_first_entry(c->idx, c->ptr[r], c->ptr[r + 1], start + w->first),
                     b = grid_first_entry(c->idx, a, c->ptr[r + 1], start + last);
      for (uint64_t e = a; e < b; e++) {
        if (w->t.n == w->room) {
          const GrB_Info info = make_room(w);
          if (info != GrB_SUCCESS) return info;
        }
        w->t.row[w->t.n] = before + c->idx[e];
        w->t.col[w->t.n] = grid_global_row(w->A->nrows, first + r);
        if (w->t.val) memcpy(w->t.val + w->t.n * size, (const char *)c->val + e * size, size);
        w->t.n++;
      }
    }
  }
  return GrB_SUCCESS;
}

/* One turn: rows of T's block, in the order of the block. */
static GrB_Info turn(turning *w) {
  grid_part p = {0};
  grid_unlisted u = {0};
  const uint64_t place = grid_here.C == 1 ? 0 : grid_block_place(w->T->nrows, true, w->s);
  GrB_Info info = grid_pages_stream(w->A->pages, NULL, take_entries, w);
  info = grid_route_tuples(w->T, &w->t, w->A->type, w->A->pages->one, info, &p, w->call);
  w->t = (grid_tuples){0};
  w->room = 0;
  if (info == GrB_SUCCESS && p.nvals) {
    info = grid_part_unlist(&u, &p, true);
    const uint64_t end = place + w->end < w->out->rows ? place + w->end : w->out->rows;
    if (info == GrB_SUCCESS)
      info = grid_pages_append(w->out, place + w->first, &u.part, place + w->first, end);
    grid_unlisted_free(&u);
  }
  if (p.type) grid_part_free(&p);
  return grid_agree(&w->A->head, info);
}

static GrB_Info turn_all(turning *w) {
  const uint64_t n = w->A->ncols;
  GrB_Info info = GrB_SUCCESS;
  uint64_t longest = 0;
  for (int k = 0; k < grid_here.P; k++)
    if (grid_chunk_length(n, k) > longest) longest = grid_chunk_length(n, k);
  for (w->s = 0; w->s < grid_here.C; w->s++)
    for (w->first = 0; w->first < longest; w->first = w->end) {
      TRY(choose_end(w, longest));
      TRY(turn(w));
    }
done:
  return info;
}

static GrB_Info turn_pages(GrB_Matrix T, GrB_Matrix A, const char *call) {
  turning w = {.A = A, .T = T, .call = call};
  const uint64_t rows = grid_here.C == 1 ? grid_chunk_length(T->nrows, grid_here.k) : T->block.row.dim;
  GrB_Info info;
  TRY(count_columns(&w));
  info = grid_pages_new(&w.out, A->pages->path, A->type, rows, T->block.col.dim);
  TRY(grid_agree(&A->head, info));
  TRY(turn_all(&w));
  grid_pages_made_whole(w.out);
  info = grid_paged_adopt(T, w.out, info);
  w.out = NULL;
done:
  grid_pages_free(w.out);
  grid_free(w.count);
  return info;
}

GrB_Info grid_turned(GrB_Matrix *T, GrB_Matrix A, const char *call) {
  grid_part t;
  GrB_Info info = GrB_Matrix_new(T, A->type, A->ncols, A->nrows);
  if (info != GrB_SUCCESS) return info;
  if (A->pages) {
    info = turn_pages(*T, A, call);
  } else {
    info = grid_matrix_transposed(A, *T, &t, false, call);
    if (info == GrB_SUCCESS) info = grid_matrix_adopt(*T, &(grid_build){0}, &t, info);
    grid_part_free(&t);
  }
  if (info != GrB_SUCCESS) GrB_Matrix_free(T);
  return info;
}
