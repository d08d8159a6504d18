/* GrB_mxm where only the pattern counts and B has few columns, on a grid with several columns
 * (mxm_tall.c: with one). The few columns of B, C and the mask lie on one column of the grid, or some of
 * them, as bits by position. Each process gets the bits of its chunk of rows, and for a pull those of its
 * block's inputs and outputs; the result's bits take the same path back. */
#include <string.h>

#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_tall.h"
#include "spmat/vector/bitmap_words.h"

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  return grid_ctx.C > 1 && grid_mxm_is_pattern_of_words(x) && grid_can_be_dense(x->C) &&
         grid_can_be_dense(x->B) &&
         (plan->forced == &grid_mxm_method_tall_grid || grid_mxm_is_tall_profitable(x));
}

/* The columns that one column of the grid holds. */
typedef struct {
  grid_tall_product j; /* of the rows of this process's chunk: words, mask and result */
  int holder;
  uint64_t cols;
  uint64_t *b, *allowed; /* bits of that chunk's rows of B, of C */
  size_t *bytes;         /* sizes and offsets of an exchange */
} columns;

/* ---- exchanges of bits of rows ---- */

typedef struct {
  size_t *out, *out_at, *in, *in_at;
} sizes;

static sizes no_segments(const columns *c) {
  const size_t S = (size_t)(grid_ctx.R > grid_ctx.C ? grid_ctx.R : grid_ctx.C);
  memset(c->bytes, 0, 4 * S * sizeof *c->bytes);
  return (sizes){c->bytes, c->bytes + S, c->bytes + 2 * S, c->bytes + 3 * S};
}

static uint64_t words_of_rows(const columns *c, uint64_t padded) {
  return padded / 64 * c->cols;
}

static size_t bytes_of_rows(const columns *c, uint64_t padded) {
  return words_of_rows(c, padded) * sizeof(uint64_t);
}

/* The segments of a grid row's chunks in the bits of a block, of a dimension n. */
static void cut_block(const columns *c, uint64_t n, size_t *bytes, size_t *at) {
  for (int s = 0; s < grid_ctx.C; s++) {
    bytes[s] = bytes_of_rows(c, grid_chunk_padded_size(n, grid_block_chunk(true, s)));
    at[s] = bytes_of_rows(c, grid_block_offset(n, true, s));
  }
}

/* own = the bits of this process's chunk, from those of its grid row's block, which the holder has. */
static GrB_Info scatter(const columns *c, uint64_t n, const uint64_t *block, uint64_t *own) {
  sizes z = no_segments(c);
  if (grid_ctx.j == c->holder) cut_block(c, n, z.out, z.out_at);
  z.in[c->holder] = bytes_of_rows(c, grid_own_padded_size(n));
  return grid_ctx.transport->exchange(GRID_SET_ROW, block, z.out, z.out_at, own, z.in, z.in_at);
}

/* The reverse. */
static GrB_Info gather(const columns *c, uint64_t n, const uint64_t *own, uint64_t *block) {
  sizes z = no_segments(c);
  if (grid_ctx.j == c->holder) cut_block(c, n, z.in, z.in_at);
  z.out[c->holder] = bytes_of_rows(c, grid_own_padded_size(n));
  return grid_ctx.transport->exchange(GRID_SET_ROW, own, z.out, z.out_at, block, z.in, z.in_at);
}

/* own = the OR of what the processes of the output set found for this process's chunk. `received`: room for
 * all of it. */
static GrB_Info combine(const columns *c, const uint64_t *found, uint64_t *received, uint64_t *own) {
  const grid_set set = c->j.p.out.set;
  const uint64_t n = c->j.p.out.n, mine = words_of_rows(c, grid_own_padded_size(n)),
                 used = grid_words(c->j.t.n);
  sizes z = no_segments(c);
  for (int s = 0; s < grid_set_size(set); s++) {
    z.out_at[s] = bytes_of_rows(c, grid_member_offset(set, n, s));
    z.out[s] = bytes_of_rows(c, grid_member_offset(set, n, s + 1)) - z.out_at[s];
    z.in[s] = mine * sizeof *own, z.in_at[s] = (size_t)s * z.in[s];
  }
  const GrB_Info info = grid_ctx.transport->exchange(set, found, z.out, z.out_at, received, z.in, z.in_at);
  if (info != GrB_SUCCESS) return info;
  for (int s = 0; s < grid_set_size(set); s++)
    for (uint64_t w = 0; w < used; w++) own[w] |= received[(uint64_t)s * mine + w];
  return info;
}

/* ---- pull ---- */

/* The bits of this block's inputs and outputs. */
typedef struct {
  uint64_t *in, *out, *found, *received;
  grid_chunk x; /* the words of inputs, by compact index */
} pull_bits;

static GrB_Info allocate(const columns *c, pull_bits *b) {
  const grid_product *p = &c->j.p;
  const uint64_t in = words_of_rows(c, grid_member_length(p->in.set, p->in.n)),
                 out = words_of_rows(c, grid_member_length(p->out.set, p->out.n)),
                 received =
                     (uint64_t)grid_set_size(p->out.set) * words_of_rows(c, grid_own_padded_size(p->out.n));
  *b = (pull_bits){grid_malloc(in, 8), grid_malloc(out, 8), grid_calloc(out, 8), grid_malloc(received, 8)};
  grid_chunk_init(&b->x, GrB_UINT64, grid_in_axis(p, &p->A->block)->n);
  if (!b->in || !b->out || !b->found || !b->received)
    return grid_fail_memory(NULL, "bits of rows", in + 2 * out + received, 8);
  return grid_chunk_reserve_dense(&b->x, false);
}

static void pull_free(pull_bits *b) {
  grid_free(b->in), grid_free(b->out), grid_free(b->found), grid_free(b->received);
  grid_chunk_free(&b->x);
}

/* *any = the OR of the words. */
static void read_inputs(const columns *c, pull_bits *b, uint64_t *any) {
  const grid_product *p = &c->j.p;
  const grid_axis *axis = grid_in_axis(p, &p->A->block);
  const uint64_t left = c->cols - c->j.first, width = left < GRID_TALL_WORD ? left : GRID_TALL_WORD;
  const grid_position_bits bits = {.bits = b->in, .rows = axis->dim, .cols = c->cols};
  uint64_t *word = b->x.val, sum = 0;
#pragma omp parallel for schedule(static) reduction(| : sum) num_threads(grid_word_threads(axis->n))
  for (uint64_t k = 0; k < axis->n; k++) {
    word[k] = grid_position_window(&bits, grid_axis_id(axis, k) * c->cols + c->j.first, width);
    sum |= word[k];
  }
  *any = sum;
}

static void multiply_block(const columns *c, pull_bits *b) {
  const grid_product *p = &c->j.p;
  const grid_local_matrix *block = &p->A->block;
  const grid_position_bits allowed = {
      .bits = b->out, .rows = grid_member_length(p->out.set, p->out.n), .cols = c->cols};
  uint64_t any = 0;
  if (!block->nvals) return;
  read_inputs(c, b, &any);
  grid_mxm_tall_pull(&(grid_mxm_tall){.t = b->found,
                                      .first = c->j.first,
                                      .allowed = &allowed,
                                      .rows = grid_out_axis(p, block),
                                      .a = p->transposed ? &block->by_col : &block->by_row,
                                      .x = b->x.val,
                                      .any = any});
}

static GrB_Info pull(columns *c) {
  const grid_product *p = &c->j.p;
  GrB_Matrix C = c->j.call->C;
  pull_bits b = {0};
  GrB_Info info;
  TRY(grid_matrix_require(p->A, p->transposed ? GRID_COLS | GRID_COL_HUB_NEIGHBORS : GRID_ROW_HUB_NEIGHBORS));
  info = allocate(c, &b);
  if (info == GrB_SUCCESS) info = grid_tall_make_bitmap(&c->j);
  TRY(grid_agree(&C->head, info));
  TRY(grid_gather_chunks(p->in.set, p->in.n, c->b, c->cols, b.in));
  TRY(grid_gather_chunks(p->out.set, p->out.n, c->allowed, c->cols, b.out));
  multiply_block(c, &b);
  info = combine(c, b.found, b.received, c->j.t.bits);
done:
  pull_free(&b);
  return info;
}

/* ---- one column of the grid ---- */

/* The columns of a process's block. */
static uint64_t count_columns(uint64_t n, int holder) {
  uint64_t cols = 0;
  for (int s = 0; s < grid_ctx.R; s++) cols += grid_chunk_length(n, holder * grid_ctx.R + s);
  return cols;
}

/* own = the bits of this process's chunk of a dimension n; set: what the holder has. */
static GrB_Info scatter_set(const columns *c, uint64_t n, grid_cursor set, uint64_t *own) {
  const uint64_t padded = grid_ctx.j == c->holder ? grid_block_offset(n, true, grid_ctx.C) : 0,
                 words = grid_words(set.n);
  uint64_t *block = grid_calloc(words_of_rows(c, padded), sizeof *block);
  GrB_Info info = block ? GrB_SUCCESS : grid_fail_memory(NULL, "bits of rows", padded, c->cols / 8 + 1);
  TRY(grid_agree(&c->j.call->C->head, info));
  if (grid_ctx.j == c->holder)
    for (uint64_t w = 0; w < words; w++) block[w] = grid_cursor_word(&set, w);
  info = scatter(c, n, block, own);
done:
  grid_free(block);
  return info;
}

static GrB_Info multiply_words(columns *c) {
  grid_tall_product *j = &c->j;
  const GrB_Matrix A = j->call->A;
  grid_chunk x;
  GrB_Info info = GrB_SUCCESS;
  const grid_position_bits b = {
      .bits = c->b, .rows = grid_chunk_length(j->p.in.n, grid_ctx.k), .cols = c->cols};
  grid_chunk_init(&x, GrB_UINT64, b.rows);
  for (j->first = 0; j->first < c->cols; j->first += GRID_TALL_WORD) {
    grid_chunk_empty(&x);
    TRY(grid_tall_choose(j, &x, !A->delegates.split, grid_tall_words_of_positions(&x, j, &b)));
    TRY(j->p.choice.pull ? pull(c) : grid_tall_multiply(j, &x));
  }
done:
  grid_chunk_free(&x);
  return info;
}

/* t = the bits of C's block where this process is a holder. */
static GrB_Info gather_result(const columns *c, grid_chunk *t) {
  const uint64_t n = c->j.p.out.n,
                 padded = grid_ctx.j == c->holder ? grid_block_offset(n, true, grid_ctx.C) : 0;
  uint64_t *own = grid_calloc(words_of_rows(c, grid_own_padded_size(n)), sizeof *own),
           *block = grid_malloc(words_of_rows(c, padded), sizeof *block);
  GrB_Info info =
      own && block ? GrB_SUCCESS : grid_fail_memory(NULL, "bits of rows", padded, c->cols / 8 + 1);
  if (info == GrB_SUCCESS && grid_ctx.j == c->holder) info = grid_chunk_reserve_dense(t, true);
  TRY(grid_agree(&c->j.call->C->head, info));
  if (c->j.t.format == GRID_BITMAP) memcpy(own, c->j.t.bits, grid_words(c->j.t.n) * sizeof *own);
  TRY(gather(c, n, own, block));
  if (grid_ctx.j == c->holder) {
    memcpy(t->bits, block, grid_words(t->n) * sizeof *block);
    t->format = GRID_BITMAP;
    t->nvals = grid_count_bits(t->bits, grid_words(t->n));
  }
done:
  grid_free(own);
  grid_free(block);
  return info;
}

static GrB_Info columns_begin(columns *c, const grid_mxm_call *x) {
  const size_t S = (size_t)(grid_ctx.R > grid_ctx.C ? grid_ctx.R : grid_ctx.C);
  const uint64_t rows = grid_chunk_length(x->C->nrows, grid_ctx.k);
  c->b = grid_calloc(words_of_rows(c, grid_own_padded_size(x->B->nrows)), sizeof *c->b);
  c->allowed = grid_calloc(words_of_rows(c, grid_own_padded_size(x->C->nrows)), sizeof *c->allowed);
  c->bytes = grid_calloc(4 * S, sizeof *c->bytes);
  grid_chunk_init(&c->j.t, x->s->mul->z, rows * c->cols);
  c->j.allowed = (grid_position_bits){.bits = c->allowed, .rows = rows, .cols = c->cols};
  grid_tall_begin(&c->j);
  return c->b && c->allowed && c->bytes ? GrB_SUCCESS
                                        : grid_fail_memory(NULL, "bits of rows", rows, c->cols / 8 + 1);
}

/* t = the columns that processes of grid column `holder` have; b: their entries of B, allowed: those of C
 * that the mask allows. Collective, agreed on. */
static GrB_Info multiply_columns(const grid_mxm_call *x, int holder, grid_cursor b, grid_cursor allowed,
                                 grid_chunk *t) {
  columns c = {.j.call = x, .holder = holder, .cols = count_columns(x->C->ncols, holder)};
  GrB_Info info = GrB_SUCCESS;
  if (!c.cols) return info;
  TRY(grid_agree(&x->C->head, columns_begin(&c, x)));
  TRY(scatter_set(&c, x->B->nrows, b, c.b));
  TRY(scatter_set(&c, x->C->nrows, allowed, c.allowed));
  TRY(multiply_words(&c));
  info = gather_result(&c, t);
done:
  grid_free(c.b), grid_free(c.allowed), grid_free(c.bytes);
  grid_chunk_free(&c.j.t);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  grid_dense b = {0}, positions = {0};
  grid_mask mask = {0};
  grid_chunk t = grid_dense_result(x->C, x->s->mul->z);
  GrB_Info info;
  TRY(grid_matrix_require(x->A, GRID_READY));
  TRY(grid_dense_read(&b, x->B));
  if (x->mask) TRY(grid_dense_read(&positions, x->mask));
  TRY(grid_agree(&x->C->head,
                 grid_mask_read(&mask, positions.chunk, t.n, x->d->structure, x->d->complement)));
  for (int j = 0; j < grid_ctx.C; j++)
    TRY(multiply_columns(x, j, grid_cursor_chunk(b.chunk), grid_cursor_mask(&mask), &t));
  info = grid_tall_finish(x, &t, false, grid_tall_set_value(x->s, &t));
done:
  grid_mask_free(&mask);
  grid_dense_free(&b);
  grid_dense_free(&positions);
  grid_chunk_free(&t);
  return info;
}

const grid_method grid_mxm_method_tall_grid = {.name = "tall-grid", .applies = applies, .run = run};
