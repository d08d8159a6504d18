/* Merging the pending changes of a matrix (pending_changes.h) into its blocks. */
#include <string.h>

#include "dist/matrix/matrix_require.h"
#include "dist/matrix/storage/matrix_host_resident.h"
#include "dist/matrix/properties/cached_properties.h"
#include "dist/matrix/storage/matrix_bitmap.h"
#include "semiring/support/tuning.h"
#include "spmat/device/device.h"
#include "spmat/convert/lmat_update.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/lmat_ops.h"
#include "spmat/matrix/lmat_build.h"

/* ---- as tuples: for the share of one process, and for matrices that are split -------------------------- */

GrB_Info grid_matrix_merged_tuples(GrB_Matrix A, grid_tuples *t) {
  grid_pending copy = A->pending,
               *p = &copy; /* with a separate table: this is local, and other processes may not call it */
  const size_t size = A->type->size;
  uint64_t retained = 0;
  GrB_Info info = GrB_SUCCESS;
  copy.table = NULL, copy.slots = copy.indexed = 0;
  if (!grid_pending_index(p)) TRY(grid_fail_memory(&A->head, "pending entries", 4 * p->n, sizeof *p->table));
  TRY(grid_matrix_tuples_reserve(A, t, p->n));
  for (uint64_t k = 0; k < t->n; k++) {
    if (grid_pending_last(p, t->row[k], t->col[k])) continue;
    t->row[retained] = t->row[k];
    t->col[retained] = t->col[k];
    memmove(t->val + retained * size, t->val + k * size, size);
    retained++;
  }
  t->n = retained;
  for (uint64_t k = 0; k < p->n; k++)
    if (!p->removed[k] && grid_pending_last(p, grid_pending_row(p, k), grid_pending_col(p, k)) == k + 1 &&
        grid_block_of(A->nrows, A->ncols, grid_pending_row(p, k), grid_pending_col(p, k)) == grid_ctx.k)
      grid_tuples_append(t, A, grid_pending_row(p, k), grid_pending_col(p, k), p->val + k * size);
done:
  grid_free(copy.table);
  return info;
}

GrB_Info grid_matrix_merge_parts(GrB_Matrix A) {
  grid_tuples t = {0};
  GrB_Info info;
  TRY(grid_agree(&A->head, grid_matrix_merged_tuples(A, &t)));
  TRY(grid_matrix_fill(
      A,
      &(grid_build){.row = t.row, .col = t.col, .val = t.val, .type = A->type, .n = t.n, .newest_wins = true},
      "merging changed entries"));
done:
  grid_tuples_free(&t);
  return info;
}

/* ---- merging into the block ---------------------------------------------------------------------------- */

/* Changes of this process's block, as grid_lmat_build reads them; number[k]: the number of that at key[k]. */
typedef struct {
  bool pairs;
  uint64_t n, *number, *key;
} block_changes;

static void block_changes_free(block_changes *x) {
  grid_free(x->number);
  grid_free(x->key);
}

/* A chunk of the block's rows, and the local index of its first row. */
typedef struct {
  uint64_t first, n, local;
} row_chunk;

/* The block's C chunks of rows; NULL: out of memory. Lookups in them divide nothing. */
static row_chunk *list_row_chunks(GrB_Matrix A) {
  row_chunk *chunk = grid_malloc((size_t)grid_ctx.C, sizeof *chunk);
  for (int s = 0; s < grid_ctx.C && chunk; s++) {
    const int k = grid_block_chunk(true, s);
    chunk[s] = (row_chunk){grid_chunk_first(A->nrows, k), grid_chunk_length(A->nrows, k),
                           grid_block_offset(A->nrows, true, s)};
  }
  return chunk;
}

/* The chunk with row r, or NULL: the row is in another block. */
static const row_chunk *find_row(const row_chunk *chunk, uint64_t r) {
  for (int s = 0; s < grid_ctx.C; s++)
    if (r - chunk[s].first < chunk[s].n) return &chunk[s];
  return NULL;
}

static GrB_Info list_changes(block_changes *x, GrB_Matrix A) {
  const grid_pending *p = &A->pending;
  const grid_local_matrix *b = &A->block; /* its axes say how positions are written */
  const uint64_t first_col = grid_global_col(A->ncols, 0), cols = grid_block_length(A->ncols, false);
  row_chunk *chunks = list_row_chunks(A);
  GrB_Info info = GrB_SUCCESS;
  x->pairs = grid_axis_has_ids64(&b->row) || grid_axis_has_ids64(&b->col);
  x->number = grid_malloc(p->n, sizeof *x->number);
  x->key = grid_malloc(p->n, x->pairs ? sizeof(grid_pair) : sizeof *x->key);
  if (!chunks || !x->number || !x->key)
    TRY(grid_fail_memory(&A->head, "pending entries", p->n, sizeof(grid_pair)));
  for (uint64_t k = 0; k < p->n; k++) {
    const uint64_t r = grid_pending_row(p, k), c = grid_pending_col(p, k) - first_col;
    const row_chunk *in = c < cols ? find_row(chunks, r) : NULL;
    if (!in) continue;
    const grid_pair at = {in->local + r - in->first, c};
    if (x->pairs)
      ((grid_pair *)x->key)[x->n] = at;
    else
      x->key[x->n] = at.r << 32 | at.c;
    x->number[x->n++] = k;
  }
done:
  grid_free(chunks);
  return info;
}

/* *c = the effect of the changes on this process's block. */
static GrB_Info find_changes(GrB_Matrix A, grid_changes *c) {
  block_changes x = {0};
  GrB_Info info = list_changes(&x, A);
  *c = (grid_changes){.removed = A->pending.removed, .val = A->pending.val};
  if (info == GrB_SUCCESS) {
    info = grid_changes_find(c, &A->block, x.key, x.pairs, x.number, x.n);
    x.key = NULL;
  }
  block_changes_free(&x);
  return info;
}

/* Values are replaced on all processes, no entry is inserted or deleted: the pattern and what depends on it
 * stay valid. */
static GrB_Info replace_values(GrB_Matrix A, const grid_changes *c) {
  GrB_Info info = grid_agree(&A->head, grid_changes_prepare(&A->block, c));
  if (info != GrB_SUCCESS) return info;
  if (A->block.shared && c->count[GRID_REPLACED])
    A->properties.forms &= ~(unsigned)(GRID_COLS | GRID_COL_HUB_NEIGHBORS); /* shared: there is one process */
  grid_changes_commit(&A->block, c);
  if (c->count[GRID_REPLACED]) grid_matrix_invalidate(A, GRID_VALUES_CHANGED);
  grid_pending_free(&A->pending);
  return info;
}

/* *kinds = the kind of each change, two bits a change, over the blocks of all processes. Collective. */
static GrB_Info share_kinds(GrB_Matrix A, const grid_changes *c, GrB_Info info, uint64_t **kinds) {
  const uint64_t words = A->pending.n / 32 + 1;
  *kinds = grid_calloc(words, sizeof **kinds);
  if (info == GrB_SUCCESS && !*kinds)
    info = grid_fail_memory(&A->head, "pending entries", words, sizeof **kinds);
  if ((info = grid_agree(&A->head, info)) != GrB_SUCCESS) return info;
  for (uint64_t e = 0; e < c->positions.nvals; e++) {
    const uint64_t k = ((const uint64_t *)c->positions.by_row.val)[e];
    (*kinds)[k / 32] |= (uint64_t)c->kind[e] << 2 * (k % 32);
  }
  return grid_ctx.transport->allreduce(GRID_SET_ALL, *kinds, words, GRID_SUM);
}

static void change_degree(uint32_t *degree, uint64_t n, uint64_t v, uint64_t kind) {
  if (!degree || grid_chunk_of(n, v) != grid_ctx.k) return;
  degree += v - grid_chunk_first(n, grid_ctx.k);
  if (*degree != UINT32_MAX) *degree += kind == GRID_INSERTED ? 1 : UINT32_MAX;
}

/* Updates the degrees of the owned rows and columns. */
static void change_degrees(GrB_Matrix A, const grid_pending *p, const uint64_t *kinds) {
  for (uint64_t k = 0; k < p->n; k++) {
    const uint64_t kind = kinds[k / 32] >> 2 * (k % 32) & 3;
    if (kind != GRID_INSERTED && kind != GRID_DELETED) continue;
    change_degree(A->degrees.row, A->nrows, grid_pending_row(p, k), kind);
    change_degree(A->degrees.col, A->ncols, grid_pending_col(p, k), kind);
  }
}

/* The one value of all entries of the block and of all changes; NULL: there are several, or the block has no
 * entries while others have. */
static const void *shared_value(GrB_Matrix A) {
  const grid_pending *p = &A->pending;
  const size_t size = A->type->size;
  const char *one = A->nvals && A->block.iso ? A->block.iso_val : NULL;
  if (A->nvals && !one) return NULL;
  for (uint64_t k = 0; k < p->n; k++) {
    const char *v = p->val + k * size;
    if (p->removed[k]) continue;
    if (!one)
      one = v;
    else if (memcmp(one, v, size) != 0)
      return NULL;
  }
  return one;
}

/* Are the changes all entries, as where a program sets them one by one? Known alike on all processes. */
static bool has_only_new_entries(GrB_Matrix A) {
  if (A->nvals || A->degrees.row) return false;
  for (uint64_t k = 0; k < A->pending.n; k++)
    if (A->pending.removed[k]) return false;
  return true;
}

/* The changes as a source of tuples, on the only process. */
typedef struct {
  const grid_pending *p;
  int key_bits;
  size_t size, load_size; /* of a value, and of a load */
} change_source;

static uint64_t read_changes(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                             char *load) {
  const change_source *x = s->context;
  (void)bin;
  for (uint64_t k = from; k < to; k++)
    key[k - from] = grid_pending_row(x->p, k) << x->key_bits | grid_pending_col(x->p, k);
  if (load) grid_load_values(load, x->load_size, x->p->val, x->size, from, to);
  return to - from;
}

static void release_changes(void *pending) {
  grid_pending_free(pending);
}

/* *block = the changes, which are freed before its entries are written, unless values are read then. */
static GrB_Info build_from_changes(GrB_Matrix A, grid_local_matrix *block, const void *one) {
  grid_pending *p = &A->pending;
  const size_t size = A->type->size;
  const change_source x = {p, grid_key_bits(block), size, grid_load_size(size, p->n)};
  const grid_lmat_source t = {.source = {.n = p->n, .times = 1, .read = read_changes, .context = &x},
                              .pattern = one != NULL,
                              .values = p->val,
                              .one = one,
                              .how = {.newest_wins = true},
                              .release = one || size > GRID_LOAD_MAX ? NULL : release_changes,
                              .released = p};
  grid_pair bad;
  return grid_lmat_build_from(block, &t, &bad);
}

/* *block = the changes, as tuples. */
static GrB_Info build_of_changes(GrB_Matrix A, grid_local_matrix *block) {
  const grid_pending *p = &A->pending;
  const size_t size = A->type->size;
  const void *one = shared_value(A);
  block_changes x = {0};
  grid_pair bad;
  char *values = NULL;
  GrB_Info info;
  grid_lmat_init(block, A->type, A->block.row.dim, A->block.col.dim);
  if (grid_ctx.P == 1 && !grid_axis_has_ids64(&block->row) && !grid_axis_has_ids64(&block->col))
    return build_from_changes(A, block, one);
  TRY(list_changes(&x, A));
  if (x.n < p->n && !one) {
    values = grid_malloc(x.n, size);
    if (!values) TRY(grid_fail_memory(&A->head, "pending entries", x.n, size));
    for (uint64_t k = 0; k < x.n; k++)
      /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): changes have values */
      memcpy(values + k * size, p->val + x.number[k] * size, size);
  }
  grid_free(x.number);
  x.number = NULL;
  info = grid_lmat_build(block, x.key, x.pairs, x.n,
                         one      ? NULL
                         : values ? values
                                  : p->val,
                         one, (grid_duplicates){.newest_wins = true}, &bad);
  x.key = NULL;
done:
  block_changes_free(&x);
  grid_free(values);
  return info;
}

/* Entries are inserted or deleted: a new block. made: that block, if it is there. */
static GrB_Info merge(GrB_Matrix A, const grid_changes *c, grid_local_matrix *made) {
  const bool counted =
      A->degrees.row && A->degrees.col && A->degrees.row != A->degrees.col && !grid_device_is_on();
  grid_local_matrix block = *made;
  uint64_t *kinds = NULL;
  GrB_Info info = GrB_SUCCESS;
  *made = (grid_local_matrix){0};
  if (!block.type) {
    info = grid_changes_merge(&block, &A->block, c, shared_value(A));
    if (info == GrB_SUCCESS) info = grid_lmat_choose_format(&block);
  }
  if (counted) info = share_kinds(A, c, info, &kinds);
  grid_pending p = A->pending;
  uint32_t *row = A->degrees.row, *col = A->degrees.col;
  A->pending = (grid_pending){0}; /* grid_matrix_adopt must not drop what is still needed */
  if (counted) A->degrees.row = A->degrees.col = NULL;
  info = grid_matrix_adopt(A, &(grid_build){.val = ""}, &block, info);
  if (counted) A->degrees.row = row, A->degrees.col = col;
  if (info == GrB_SUCCESS && counted) change_degrees(A, &p, kinds);
  if (info == GrB_SUCCESS)
    grid_pending_free(&p);
  else
    A->pending = p;
  grid_free(kinds);
  grid_lmat_free(&block);
  return info;
}

/* ---- on the device ------------------------------------------------------------------------------------- */

/* The last change of each position in this process's block: changed positions, and entries that were set. */
typedef struct {
  grid_local_matrix changed, set;
} last_changes;

static void last_changes_free(last_changes *x) {
  if (x->changed.type) grid_lmat_free(&x->changed);
  if (x->set.type) grid_lmat_free(&x->set);
}

static GrB_Info build_small(grid_local_matrix *p, GrB_Type type, const grid_local_matrix *like, uint64_t *key,
                            uint64_t n, const void *val) {
  static const bool yes = true;
  grid_pair bad;
  grid_lmat_init(p, type, like->row.dim, like->col.dim);
  return grid_lmat_build(p, key, false, n, val, val ? NULL : &yes, (grid_duplicates){.newest_wins = true},
                         &bad);
}

static GrB_Info find_last(GrB_Matrix A, last_changes *x) {
  grid_pending *p = &A->pending;
  const size_t size = A->type->size;
  uint64_t n = 0, m = 0, *changed = grid_malloc(p->n, sizeof *changed), *set = grid_malloc(p->n, sizeof *set);
  char *val = grid_malloc(p->n, size);
  GrB_Info info = GrB_SUCCESS;
  if (!changed || !set || !val || !grid_pending_index(p))
    TRY(grid_fail_memory(&A->head, "pending entries", p->n, 16 + size));
  for (uint64_t k = 0; k < p->n; k++) {
    if (grid_block_of(A->nrows, A->ncols, grid_pending_row(p, k), grid_pending_col(p, k)) != grid_ctx.k ||
        grid_pending_last(p, grid_pending_row(p, k), grid_pending_col(p, k)) != k + 1)
      continue;
    changed[n] = grid_local_row(A->nrows, grid_pending_row(p, k)) << 32 |
                 grid_local_col(A->ncols, grid_pending_col(p, k));
    if (!p->removed[k]) {
      memcpy(val + m * size, p->val + k * size, size);
      set[m++] = changed[n];
    }
    n++;
  }
  uint64_t *key = changed;
  changed = NULL; /* consumed by build_small */
  TRY(build_small(&x->changed, GrB_BOOL, &A->block, key, n, NULL));
  key = set, set = NULL;
  info = build_small(&x->set, A->type, &A->block, key, m, val);
done:
  grid_free(changed);
  grid_free(set);
  grid_free(val);
  return info;
}

/* Can the device merge the changes? */
static bool merges_on_device(GrB_Matrix A) {
  const grid_local_matrix *b = &A->block;
  return grid_device_is_on() && grid_tune.matrix_device && !A->block.host_resident &&
         grid_device_can_hold(A->type) && grid_device_can_index(b->row.dim, b->col.dim) &&
         grid_compressed_is_built(&b->by_row);
}

/* *z = the block without the changed positions, united with the entries that were set. */
static GrB_Info merge_on_device(GrB_Matrix A, grid_local_matrix *z) {
  last_changes x = {.changed = {.nvals = 0}};
  GrB_Info info = find_last(A, &x);
  const grid_union u = {.x = &A->block,
                        .y = &x.set,
                        .side_x = GRID_SIDE_OUTSIDE_MASK,
                        .side_y = GRID_SIDE_ALL,
                        .mask = &x.changed,
                        .structure = true};
  if (info == GrB_SUCCESS) {
    grid_lmat_init(z, A->type, A->block.row.dim, A->block.col.dim);
    info = x.changed.nvals ? grid_lmat_union(z, &u) : grid_lmat_copy_rows(z, &A->block);
  }
  last_changes_free(&x);
  return info;
}

GrB_Info grid_matrix_merge_rows(GrB_Matrix A) {
  grid_changes c = {0};
  grid_local_matrix made = {0};
  GrB_Info info;
  if (merges_on_device(A)) {
    info = merge_on_device(A, &made);
  } else {
    info = grid_matrix_to_host(A);
    if (info == GrB_SUCCESS && has_only_new_entries(A))
      info = build_of_changes(A, &made), c.count[GRID_INSERTED] = 1;
    else if (info == GrB_SUCCESS)
      info = find_changes(A, &c);
  }
  TRY(grid_agree_sum(&A->head, info, c.count, 4));
  if (c.count[GRID_INSERTED] == 0 && c.count[GRID_DELETED] == 0 && !grid_device_is_on())
    info = replace_values(A, &c);
  else
    info = merge(A, &c, &made);
done:
  if (made.type) grid_lmat_free(&made);
  grid_changes_free(&c);
  return info;
}
