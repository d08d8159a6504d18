/* All rows of a matrix once in shared memory, on any grid of one machine (matrix_gather.h). A row consists of
 * segments in the blocks of a grid row. Processes first write the lengths of their segments; each turns those
 * of its chunk of rows into positions; then each writes its segments there. On a grid of one column a process
 * reads only lengths and positions that it wrote. */
#include <string.h>

#include "dist/matrix/transfer/matrix_gather.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/vector/bound_operator.h"

bool grid_can_share_rows(GrB_Matrix A) {
  const uint64_t longest = A->nrows > A->ncols ? A->nrows : A->ncols;
  return grid_ctx.transport->shared_buffer && grid_index_fits32(longest) &&
         A->nvals < grid_tune.offsets64_from && longest / GRID_HYPER <= A->nvals + 1024;
}

typedef struct {
  uint64_t nrows, ncols;      /* of the matrix */
  grid_local_matrix *t;       /* in shared memory */
  const grid_local_matrix *p; /* this process's block without lists */
  uint32_t *start; /* grid column j: t->row.n + 1 lengths of its segments, then positions; j = 0: offsets of
                    * rows */
} shared_rows;

static uint32_t *starts_of(const shared_rows *x, int j) {
  return x->start + (uint64_t)j * (x->t->row.n + 1);
}

/* On a grid of one column rows of B have to match the columns of A's block. */
static uint64_t padded(uint64_t n) {
  return grid_ctx.C == 1 ? grid_block_cols(n) : n;
}

/* Lays t's arrays out from `at` on; returns how many bytes they take. */
static size_t lay_out(shared_rows *x, char *at) {
  grid_local_matrix *t = x->t;
  const size_t values = t->iso ? 0 : (t->nvals * t->type->size + 15) / 16 * 16;
  const uint64_t starts = (uint64_t)grid_ctx.C * (t->row.n + 1);
  if (!at) return values + (starts + t->nvals) * sizeof *x->start;
  x->start = (uint32_t *)(void *)(at + values);
  t->by_row = (grid_compressed){.ptr = x->start, .idx = x->start + starts, .val = t->iso ? NULL : at};
  return 0;
}

static void write_lengths(const shared_rows *x) {
  const uint64_t n = x->nrows;
  for (int s = 0; s < grid_ctx.C; s++) {
    const int chunk = grid_block_chunk(true, s);
    const uint64_t row = grid_block_offset(n, true, s), length = grid_chunk_length(n, chunk);
    uint32_t *to = starts_of(x, grid_ctx.j) + grid_chunk_first(n, chunk);
    for (uint64_t r = 0; r < length; r++)
      to[r] = (uint32_t)(grid_vector_start(&x->p->by_row, row + r + 1) -
                         grid_vector_start(&x->p->by_row, row + r));
  }
}

/* The entries of the rows of this process's chunk. */
static uint64_t count_chunk(const shared_rows *x) {
  const uint64_t n = x->nrows, first = grid_chunk_first(n, grid_ctx.k),
                 length = grid_chunk_length(n, grid_ctx.k);
  uint64_t sum = 0;
  for (int j = 0; j < grid_ctx.C; j++)
    for (uint64_t r = first; r < first + length; r++) sum += starts_of(x, j)[r];
  return sum;
}

/* Of the rows of this process's chunk, which begin at entry `at`, and of the padding behind the last one. */
static void write_positions(const shared_rows *x, uint64_t at) {
  const uint64_t n = x->nrows, first = grid_chunk_first(n, grid_ctx.k),
                 length = grid_chunk_length(n, grid_ctx.k);
  for (uint64_t r = first; r < first + length; r++)
    for (int j = 0; j < grid_ctx.C; j++) {
      uint32_t *start = starts_of(x, j) + r;
      const uint32_t entries = *start;
      *start = (uint32_t)at;
      at += entries;
    }
  if (grid_ctx.k + 1 < grid_ctx.P) return;
  for (uint64_t r = n; r <= x->t->row.n; r++) x->start[r] = (uint32_t)at;
}

/* Entries from .. end of the block, from entry `to` of t on. */
static void write_segment(const shared_rows *x, uint64_t from, uint64_t end, uint64_t to) {
  const grid_local_matrix *p = x->p;
  const grid_compressed *c = &x->t->by_row;
  const size_t size = p->type->size;
  const uint32_t col = (uint32_t)grid_global_col(x->ncols, 0);
  for (uint64_t e = from; e < end; e++) c->idx[to + e - from] = p->by_row.idx[e] + col;
  if (!c->val || from == end) return;
  if (p->iso)
    grid_value_fill((char *)c->val + to * size, p->iso_val, size, end - from);
  else
    memcpy((char *)c->val + to * size, (const char *)p->by_row.val + from * size, (end - from) * size);
}

/* Rows r .. end of the block, which to[0], to[1], ... are the positions of in t. Rows that are contiguous in
 * t, too, are written at once. */
static void write_stretch(const shared_rows *x, uint64_t r, uint64_t end, const uint32_t *to) {
  const grid_compressed *c = &x->p->by_row;
  for (uint64_t n; r < end; r += n, to += n) {
    const uint64_t from = grid_vector_start(c, r), shift = *to - from;
    for (n = 1; r + n < end && to[n] - grid_vector_start(c, r + n) == shift;) n++;
    write_segment(x, from, grid_vector_start(c, r + n), *to);
  }
}

static void write_segments(const shared_rows *x) {
  enum { STRETCH = 1 << 10 };
  const uint64_t n = x->nrows;
  for (int s = 0; s < grid_ctx.C && x->p->nvals; s++) {
    const int chunk = grid_block_chunk(true, s);
    const uint64_t row = grid_block_offset(n, true, s), length = grid_chunk_length(n, chunk);
    const uint32_t *to = starts_of(x, grid_ctx.j) + grid_chunk_first(n, chunk);
#pragma omp parallel for schedule(dynamic, 1) if (x->p->nvals > 1 << 15)
    for (uint64_t r = 0; r < length; r += STRETCH)
      write_stretch(x, row + r, row + (length - r < STRETCH ? length : r + STRETCH), to + r);
  }
}

static void wait_for_grid_row(void) {
  if (grid_ctx.C > 1) grid_ctx.transport->barrier(GRID_SET_ALL);
}

/* The steps between barriers. all: the entries of each process's block, those of its chunk on a grid of one
 * column. Collective, agreed on. */
static GrB_Info write_rows(const shared_rows *x, uint64_t *all) {
  const grid_transport *by = grid_ctx.transport;
  GrB_Info info = GrB_SUCCESS;
  uint64_t before = 0;
  write_lengths(x);
  wait_for_grid_row();
  if (grid_ctx.C > 1) {
    const uint64_t local = count_chunk(x);
    TRY(by->allgather(GRID_SET_ALL, &local, sizeof local, all));
  }
  for (int k = 0; k < grid_ctx.k; k++) before += all[k];
  write_positions(x, before);
  wait_for_grid_row();
  write_segments(x);
  by->barrier(GRID_SET_ALL);
done:
  return info;
}

/* x->t's head, with one value if all entries have the same or `values` is false; takes *one. all: see
 * write_rows. Collective, agreed on. */
static GrB_Info prepare(const shared_rows *x, bool values, GrB_Info info, char **one, uint64_t *all) {
  const size_t size = x->t->type->size;
  bool iso = true;
  if (info == GrB_SUCCESS && values && x->p->iso && x->p->iso_val) memcpy(*one, x->p->iso_val, size);
  TRY(values ? grid_agree_on_entries(NULL, info, &x->p->nvals, 1, x->p->iso, size, *one, &iso, all)
             : grid_agree_gather(NULL, info, &x->p->nvals, sizeof *all, all));
  if (!iso) goto done;
  x->t->iso = true, x->t->iso_val = *one;
  *one = NULL;
done:
  return info;
}

GrB_Info grid_share_rows(grid_local_matrix *t, const grid_local_matrix *block, uint64_t nrows, uint64_t ncols,
                         bool values, bool *shared) {
  grid_expanded_lmat u = {0};
  shared_rows x = {.nrows = nrows, .ncols = ncols, .t = t, .p = &u.lmat};
  uint64_t *all = grid_malloc((size_t)grid_ctx.P, sizeof *all);
  char *one = grid_calloc(1, block->type->size), *memory;
  GrB_Info info =
      all && one ? GrB_SUCCESS : grid_fail_memory(NULL, "shared rows", (size_t)grid_ctx.P, sizeof *all);
  *shared = false;
  grid_lmat_init(t, block->type, padded(nrows), padded(ncols));
  t->row.n = t->row.dim, t->col.n = t->col.dim;
  if (info == GrB_SUCCESS) info = grid_lmat_expand_hyper(&u, block, true);
  const bool is_ready = all && one && info == GrB_SUCCESS;
  TRY(prepare(&x, values, info, &one, all));
  if (!is_ready) goto done; /* a failure, which was agreed on */
  for (int k = 0; k < grid_ctx.P; k++) t->nvals += all[k];
  memory = grid_ctx.transport->shared_buffer(GRID_SET_ALL, lay_out(&x, NULL));
  if (!memory) goto done;
  lay_out(&x, memory);
  *shared = true;
  info = write_rows(&x, all);
done:
  grid_expanded_lmat_free(&u);
  grid_free(all);
  grid_free(one);
  if (!*shared) grid_lmat_free(t);
  return info;
}
