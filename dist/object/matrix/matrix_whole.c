/* matrix_whole.c: see matrix_whole.h. One process has it in its block; on several, entries travel with their
 * global coordinates, and the part is built of what has come. */
#include "dist/object/matrix/matrix_whole.h"

#include "dist/object/matrix/matrix_pages.h"

#include <string.h>

#include "dist/object/matrix/matrix_route.h"
#include "spmat/convert/part_conform.h"
#include "spmat/cpu/matrix/part_tuples.h"

void grid_whole_free(grid_whole *w) {
  if (w->made.type) grid_part_free(&w->made);
}

/* ---- entries that travel --------------------------------------------------------------------------------
 */

typedef struct {
  void *keys; /* packed coordinates, or pairs where a dimension needs more than 32 bits */
  char *val;  /* NULL: no values travel */
  uint64_t n;
} cargo;

static void cargo_free(cargo *c) {
  grid_free(c->keys);
  grid_free(c->val);
  *c = (cargo){0};
}

/* The entries of A's block, coordinates counted from (row, col). */
static GrB_Info load(cargo *c, GrB_Matrix A, bool pairs, bool values) {
  const grid_part *p = &A->block;
  const grid_places rows = grid_block_row_places(A), cols = grid_block_col_places(A);
  uint64_t *row = grid_malloc(p->nvals, sizeof *row), *col = grid_malloc(p->nvals, sizeof *col);
  GrB_Info info = GrB_SUCCESS;
  c->n = p->nvals;
  c->keys = grid_malloc(p->nvals, pairs ? sizeof(grid_pair) : sizeof(uint64_t));
  c->val = values ? grid_malloc(p->nvals, p->type->size) : NULL;
  if (!row || !col || !c->keys || (values && !c->val))
    TRY(grid_fail_memory(&A->head, "matrix tuples", p->nvals, 32 + p->type->size));
  grid_part_tuples(row, col, c->val, p->type, p, &rows, &cols);
  grid_pair *pair = c->keys;
  uint64_t *key = c->keys;
  for (uint64_t k = 0; k < c->n; k++)
    if (pairs)
      pair[k] = (grid_pair){row[k], col[k]};
    else
      key[k] = row[k] << 32 | col[k];
done:
  grid_free(row);
  grid_free(col);
  return info;
}

static grid_pair pair_at(const cargo *c, bool pairs, uint64_t k) {
  const uint64_t key = pairs ? 0 : ((const uint64_t *)c->keys)[k];
  return pairs ? ((const grid_pair *)c->keys)[k] : (grid_pair){key >> 32, key & UINT32_MAX};
}

/* c's entries in the order of the owners of their rows (columns), numbered from the first that each owns. */
static GrB_Info sort_by_owner(cargo *c, GrB_Matrix A, bool pairs, bool columns, uint64_t *count) {
  const size_t P = (size_t)grid_here.P, key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t);
  const size_t size = A->type->size;
  const uint64_t dim = columns ? A->ncols : A->nrows;
  cargo to = {.keys = grid_malloc(c->n, key_size), .val = c->val ? grid_malloc(c->n, size) : NULL, .n = c->n};
  uint64_t *next = grid_calloc(P, sizeof *next);
  GrB_Info info = GrB_SUCCESS;
  if (!to.keys || (c->val && !to.val) || !next)
    TRY(grid_fail_memory(&A->head, "matrix tuples", c->n, key_size + size));
  for (uint64_t k = 0; k < c->n; k++) {
    const grid_pair at = pair_at(c, pairs, k);
    count[grid_chunk_of(dim, columns ? at.c : at.r)]++;
  }
  for (size_t r = 1; r < P; r++) next[r] = next[r - 1] + count[r - 1];
  for (uint64_t k = 0; k < c->n; k++) {
    grid_pair at = pair_at(c, pairs, k);
    uint64_t *own = columns ? &at.c : &at.r;
    const uint64_t place = next[grid_owner(dim, *own, own)]++;
    if (pairs)
      ((grid_pair *)to.keys)[place] = at;
    else
      ((uint64_t *)to.keys)[place] = at.r << 32 | at.c;
    if (c->val) memcpy(to.val + place * size, c->val + k * size, size);
  }
  cargo_free(c);
  *c = to;
  to = (cargo){0};
done:
  cargo_free(&to);
  grid_free(next);
  return info;
}

/* Everything to everyone, or count[r] entries to process r. */
static GrB_Info deliver(cargo *c, bool pairs, size_t size, const uint64_t *count) {
  const size_t key_size = pairs ? sizeof(grid_pair) : sizeof(uint64_t);
  cargo in = {0};
  GrB_Info info = GrB_SUCCESS;
  in.n = c->n;
  if (count)
    TRY(grid_exchange_elements(c->keys, count, key_size, &in.keys, &in.n));
  else
    TRY(grid_gather_elements(c->keys, c->n, key_size, &in.keys));
  if (c->val && count) TRY(grid_exchange_elements(c->val, count, size, (void **)&in.val, &in.n));
  if (c->val && !count) TRY(grid_gather_elements(c->val, c->n, size, (void **)&in.val));
  cargo_free(c);
  *c = in;
  in = (cargo){0};
done:
  cargo_free(&in);
  return info;
}

/* ---- rows that join as they lie: one column of processes, no lists, so that blocks are stretches of rows
 * ----
 */

/* Not where offsets of all rows are much more than what tuples would be. The same on all. */
static bool can_join(GrB_Matrix A) {
  const uint64_t block = grid_block_cols(A->nrows) > grid_block_cols(A->ncols) ? grid_block_cols(A->nrows)
                                                                               : grid_block_cols(A->ncols);
  return grid_here.C == 1 && A->nvals < grid_wide_from && block <= UINT32_MAX &&
         A->nrows / GRID_HYPER <= A->nvals + 1024;
}

/* Where rows begin was told by each process for itself. */
static void join_offsets(uint32_t *ptr, uint64_t rows) {
  uint32_t before = 0;
  uint64_t r = 0;
  ptr[0] = 0;
  for (int k = 0; k < grid_here.P; k++) {
    for (const uint64_t end = grid_chunk_first(rows, k + 1); r < end; r++) ptr[r + 1] += before;
    before = ptr[r];
  }
}

static GrB_Info join_rows(grid_part *made, GrB_Matrix A, uint64_t rows, uint64_t cols, bool iso,
                          const char *one) {
  grid_unlisted u;
  const grid_part *p = &u.part;
  const size_t size = A->type->size;
  GrB_Info info = grid_part_unlist(&u, &A->block, true);
  grid_part_init(made, A->type, rows, cols);
  made->row.n = rows, made->col.n = cols, made->nvals = A->nvals;
  grid_compressed *c = &made->by_row;
  c->ptr = grid_malloc(rows + 1, sizeof *c->ptr);
  c->idx = grid_malloc(A->nvals, sizeof *c->idx);
  c->val = iso ? NULL : grid_malloc(A->nvals, size);
  char *own = !iso && p->iso ? grid_malloc(p->nvals, size) : NULL;
  if (info == GrB_SUCCESS && (!c->ptr || !c->idx || (!iso && !c->val) || (!iso && p->iso && !own)))
    info = grid_fail_memory(&A->head, "a whole matrix", A->nvals, sizeof *c->idx + size);
  if (info == GrB_SUCCESS && iso) info = grid_part_set_one(made, one);
  TRY(grid_agree(&A->head, info));
  if (own) grid_value_fill(own, p->iso_val, size, p->nvals);
  TRY(grid_gather_into(p->by_row.ptr + 1, grid_chunk_length(A->nrows, grid_here.k), sizeof *c->ptr,
                       c->ptr + 1));
  TRY(grid_gather_into(p->by_row.idx, p->nvals, sizeof *c->idx, c->idx));
  if (!iso) TRY(grid_gather_into(own ? own : p->by_row.val, p->nvals, size, c->val));
  join_offsets(c->ptr, A->nrows);
  for (uint64_t r = A->nrows; r < rows; r++) c->ptr[r + 1] = c->ptr[r];
  info = grid_agree(&A->head, grid_part_conform(made));
done:
  grid_unlisted_free(&u);
  grid_free(own);
  return info;
}

/* ---- the two forms --------------------------------------------------------------------------------------
 */

static GrB_Info gather(grid_whole *w, GrB_Matrix A, bool share, bool columns) {
  const bool pairs = A->nrows > UINT32_MAX || A->ncols > UINT32_MAX;
  uint64_t *count = share ? grid_calloc((size_t)grid_here.P, sizeof *count) : NULL;
  const grid_part *p = &A->block;
  char *one = grid_calloc(1, A->type->size);
  cargo c = {0};
  bool iso;
  grid_pair bad;
  GrB_Info info = GrB_SUCCESS;
  if (!one || (share && !count)) info = grid_fail_memory(&A->head, "a value", 1, A->type->size);
  TRY(grid_agree(&A->head, info));
  if (p->iso) memcpy(one, p->iso_val, p->type->size);
  TRY(grid_agree_on_one(p->nvals > 0, p->iso, p->type->size, one, &iso));
  if (!share && grid_here.P > 1 && can_join(A)) { /* one process's block is gathered for lists alone */
    info = join_rows(&w->made, A, A->nrows, A->ncols, iso, one);
    goto done;
  }
  info = load(&c, A, pairs, !iso);
  if (info == GrB_SUCCESS && share) info = sort_by_owner(&c, A, pairs, columns, count);
  TRY(grid_agree(&A->head, info));
  TRY(deliver(&c, pairs, A->type->size, count));
  /* a process may own nothing; a part has rows and columns all the same */
  grid_part_init(&w->made, A->type, w->nrows ? w->nrows : 1, w->ncols ? w->ncols : 1);
  info = grid_part_build(&w->made, c.keys, pairs, share ? c.n : A->nvals, iso ? NULL : c.val, one,
                         (grid_duplicates){.keep_last = true}, &bad);
  c.keys = NULL;
  info = grid_agree(&A->head, info);
done:
  cargo_free(&c);
  grid_free(count);
  grid_free(one);
  return info;
}

GrB_Info grid_matrix_joined(grid_part *t, GrB_Matrix A, bool *joined) {
  const size_t size = A->type->size;
  char *one = grid_calloc(1, size);
  bool iso = false;
  GrB_Info info = grid_agree(&A->head, one ? GrB_SUCCESS : grid_fail_memory(&A->head, "a value", 1, size));
  *joined = false;
  TRY(info);
  if (!can_join(A)) goto done;
  if (A->block.iso && A->block.iso_val) memcpy(one, A->block.iso_val, size);
  TRY(grid_agree_on_one(A->block.nvals > 0, A->block.iso, size, one, &iso));
  TRY(join_rows(t, A, grid_block_cols(A->nrows), grid_block_cols(A->ncols), iso, one));
  *joined = !t->row.ids && !t->col.ids;
  if (!*joined) grid_part_free(t);
done:
  grid_free(one);
  return info;
}

/* A block that the device made lists no rows and columns where so few entries want lists: what is made of it
 * would be as long as the matrix is wide. */
static bool lacks_list(const grid_axis *a, uint64_t entries) {
  return !a->ids && grid_axis_wants_list(a, entries, entries);
}
static bool lacks_lists(const grid_part *p) {
  return lacks_list(&p->row, p->nvals) || lacks_list(&p->col, p->nvals);
}

GrB_Info grid_matrix_whole(grid_whole *w, GrB_Matrix A, const char *call) {
  *w = (grid_whole){.p = &A->block, .nrows = A->nrows, .ncols = A->ncols};
  GrB_Info info = grid_matrix_rows(A, call);
  if (info != GrB_SUCCESS || (grid_here.P == 1 && !lacks_lists(&A->block))) return info;
  w->p = &w->made;
  return gather(w, A, false, false);
}

GrB_Info grid_matrix_share(grid_whole *w, GrB_Matrix A, bool columns, const char *call) {
  *w = (grid_whole){.p = &A->block, .nrows = A->nrows, .ncols = A->ncols};
  const GrB_Info settled = grid_matrix_settle(A);
  if (settled != GrB_SUCCESS) return settled;
  GrB_Info info = grid_matrix_rows(A, call);
  if (info != GrB_SUCCESS || grid_here.P == 1) return info;
  w->p = &w->made;
  uint64_t *first = columns ? &w->col : &w->row, *n = columns ? &w->ncols : &w->nrows;
  const uint64_t dim = *n;
  *first = grid_chunk_first(dim, grid_here.k);
  *n = grid_chunk_length(dim, grid_here.k);
  if (!columns && grid_here.C == 1) { /* the block is just those */
    w->p = &A->block;
    return GrB_SUCCESS;
  }
  return gather(w, A, true, columns);
}
