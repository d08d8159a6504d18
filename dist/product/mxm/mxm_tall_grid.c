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
  uint64_t *b, *mask; /* bits of that chunk's rows of B, of the mask */
  size_t *bytes;      /* sizes and offsets of an exchange */
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

/* Bytes of the bits of a member's chunk of a dimension n, and of the longest of the set. */
static size_t bytes_of_chunk(const columns *c, grid_set set, uint64_t n, int member) {
  const int k = grid_block_chunk(set == GRID_SET_ROW, member);
  return grid_words(grid_chunk_length(n, k) * c->cols) * sizeof(uint64_t);
}

static size_t longest_chunk(const columns *c, grid_set set, uint64_t n) {
  size_t longest = 0;
  for (int s = 0; s < grid_set_size(set); s++) {
    const size_t bytes = bytes_of_chunk(c, set, n, s);
    if (bytes > longest) longest = bytes;
  }
  return longest;
}

static GrB_Info exchange(const columns *c, grid_set set, uint64_t n, const uint64_t *from, sizes z,
                         uint64_t *to) {
  return grid_exchange_known(set, from, z.out, z.out_at, to, z.in, z.in_at, longest_chunk(c, set, n));
}

/* The segments of a grid row's chunks in the bits of a block, of a dimension n. */
static void cut_block(const columns *c, uint64_t n, size_t *bytes, size_t *at) {
  for (int s = 0; s < grid_ctx.C; s++) {
    bytes[s] = bytes_of_chunk(c, GRID_SET_ROW, n, s);
    at[s] = words_of_rows(c, grid_block_offset(n, true, s)) * sizeof(uint64_t);
  }
}

/* local = the bits of this process's chunk, from those of its grid row's block, which the holder has. */
static GrB_Info scatter(const columns *c, uint64_t n, const uint64_t *block, uint64_t *local) {
  sizes z = no_segments(c);
  if (grid_ctx.j == c->holder) cut_block(c, n, z.out, z.out_at);
  z.in[c->holder] = bytes_of_chunk(c, GRID_SET_ROW, n, grid_ctx.j);
  return exchange(c, GRID_SET_ROW, n, block, z, local);
}

/* The reverse. */
static GrB_Info gather(const columns *c, uint64_t n, const uint64_t *local, uint64_t *block) {
  sizes z = no_segments(c);
  if (grid_ctx.j == c->holder) cut_block(c, n, z.in, z.in_at);
  z.out[c->holder] = bytes_of_chunk(c, GRID_SET_ROW, n, grid_ctx.j);
  return exchange(c, GRID_SET_ROW, n, local, z, block);
}

/* ---- pull: the chunks of outputs pass along the processes that share their rows ---- */

typedef struct {
  uint64_t *in;                  /* bits of this block's inputs */
  grid_chunk x;                  /* their words, by compact index */
  uint64_t any;                  /* the OR of the words */
  uint64_t *open, *found, *next; /* bits of a chunk of outputs: still allowed, found here, received */
} pull_bits;

static GrB_Info allocate(const columns *c, pull_bits *b) {
  const grid_product *p = &c->j.p;
  const uint64_t in = words_of_rows(c, grid_member_length(p->in.set, p->in.n)),
                 out = longest_chunk(c, p->out.set, p->out.n);
  *b = (pull_bits){.in = grid_malloc(in, 8),
                   .open = grid_malloc(out, 1),
                   .found = grid_malloc(out, 1),
                   .next = grid_malloc(out, 1)};
  grid_chunk_init(&b->x, GrB_UINT64, grid_in_axis(p, &p->A->block)->n);
  if (!b->in || !b->open || !b->found || !b->next)
    return grid_fail_memory(NULL, "bits of rows", in + out / 8 * 3, 8);
  return grid_chunk_reserve_dense(&b->x, false);
}

static void pull_free(pull_bits *b) {
  grid_free(b->in), grid_free(b->open), grid_free(b->found), grid_free(b->next);
  grid_chunk_free(&b->x);
}

/* The allowed bits of this process's chunk. */
static uint64_t allowed_word(const columns *c, uint64_t w) {
  const grid_position_bits *allowed = &c->j.allowed;
  return allowed->all ? UINT64_MAX : allowed->invert ? ~c->mask[w] : c->mask[w];
}

/* Removes from the open bits of a member's chunk those that this block's entries find. */
static void pull_chunk(const columns *c, pull_bits *b, int member) {
  const grid_product *p = &c->j.p;
  const grid_local_matrix *block = &p->A->block;
  const size_t bytes = bytes_of_chunk(c, p->out.set, p->out.n, member);
  const grid_position_bits open = {
      .bits = b->open,
      .rows = grid_chunk_length(p->out.n, grid_block_chunk(p->out.set == GRID_SET_ROW, member)),
      .cols = c->cols};
  if (!block->nvals || !b->any) return;
  memset(b->found, 0, bytes);
  grid_mxm_tall_pull(&(grid_mxm_tall){.t = b->found,
                                      .first = c->j.first,
                                      .allowed = &open,
                                      .rows = grid_out_axis(p, block),
                                      .from = grid_member_offset(p->out.set, p->out.n, member),
                                      .a = p->transposed ? &block->by_col : &block->by_row,
                                      .x = b->x.val,
                                      .any = b->any});
  for (uint64_t w = 0; w < bytes / sizeof *b->open; w++) b->open[w] &= ~b->found[w];
}

/* Sends a member's chunk to the next process, and receives that of the member before. */
static GrB_Info pass_chunk(const columns *c, pull_bits *b, int member, int before) {
  const grid_set set = c->j.p.out.set;
  const uint64_t n = c->j.p.out.n;
  const int S = grid_set_size(set), rank = grid_set_rank(set);
  uint64_t *const sent = b->open;
  sizes z = no_segments(c);
  z.out[(rank + 1) % S] = bytes_of_chunk(c, set, n, member);
  z.in[(rank + S - 1) % S] = bytes_of_chunk(c, set, n, before);
  const GrB_Info info = exchange(c, set, n, sent, z, b->next);
  b->open = b->next, b->next = sent;
  return info;
}

/* After as many steps as processes share a row each has its chunk again: what was allowed and is no longer
 * open has been found. */
static GrB_Info pull_in_turn(columns *c, pull_bits *b) {
  const grid_set set = c->j.p.out.set;
  const int S = grid_set_size(set), rank = grid_set_rank(set);
  const uint64_t words = grid_words(c->j.t.n);
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t w = 0; w < words; w++) b->open[w] = allowed_word(c, w);
  for (int k = 0; k < S && info == GrB_SUCCESS; k++) {
    const int member = (rank + S - k) % S;
    pull_chunk(c, b, member);
    info = pass_chunk(c, b, member, (member + S - 1) % S);
  }
  for (uint64_t w = 0; w < words; w++) c->j.t.bits[w] |= allowed_word(c, w) & ~b->open[w];
  return info;
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
  b.any = grid_position_words(&(grid_position_bits){.bits = b.in, .cols = c->cols},
                              grid_in_axis(p, &p->A->block), c->j.first, b.x.val);
  info = pull_in_turn(c, &b);
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

/* local = the bits of this process's chunk of a dimension n; set: what the holder has, or, with flip, has
 * not. A bitmap is sent from where it is. Of a full set the complement is the empty list, not flipped. */
static GrB_Info scatter_set(const columns *c, uint64_t n, grid_cursor set, bool flip, uint64_t *local) {
  const uint64_t words = grid_ctx.j == c->holder && !set.bits ? grid_words(set.n) : 0;
  uint64_t *block = grid_malloc(words, sizeof *block);
  GrB_Info info = block ? GrB_SUCCESS : grid_fail_memory(NULL, "bits of rows", words, sizeof *block);
  TRY(grid_agree(&c->j.call->C->head, info));
  if (words) memset(block, set.full || set.flip != flip ? 0xff : 0, words * sizeof *block);
  for (uint64_t e = 0; e < set.nlist && words; e++)
    block[set.list[e] / 64] |= UINT64_C(1) << set.list[e] % 64;
  info = scatter(c, n, set.bits ? set.bits : block, local);
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
static GrB_Info gather_result(columns *c, grid_chunk *t) {
  const bool is_holder = grid_ctx.j == c->holder;
  GrB_Info info = grid_tall_make_bitmap(&c->j);
  if (info == GrB_SUCCESS && is_holder) info = grid_chunk_reserve_dense(t, true);
  TRY(grid_agree(&c->j.call->C->head, info));
  TRY(gather(c, c->j.p.out.n, c->j.t.bits, t->bits));
  if (is_holder) {
    t->format = GRID_BITMAP;
    t->nvals = grid_count_bits(t->bits, grid_words(t->n));
  }
done:
  return info;
}

static GrB_Info columns_begin(columns *c, const grid_mxm_call *x) {
  const size_t S = (size_t)(grid_ctx.R > grid_ctx.C ? grid_ctx.R : grid_ctx.C);
  const uint64_t rows = grid_chunk_length(x->C->nrows, grid_ctx.k);
  c->b = grid_calloc(words_of_rows(c, grid_local_padded_size(x->B->nrows)), sizeof *c->b);
  c->mask = grid_malloc(grid_words(rows * c->cols), sizeof *c->mask);
  c->bytes = grid_calloc(4 * S, sizeof *c->bytes);
  grid_chunk_init(&c->j.t, x->s->mul->z, rows * c->cols);
  c->j.allowed = (grid_position_bits){.bits = c->mask,
                                      .all = !x->mask && !x->d->complement,
                                      .invert = x->mask && x->d->complement,
                                      .rows = rows,
                                      .cols = c->cols};
  grid_tall_begin(&c->j);
  return c->b && c->mask && c->bytes ? GrB_SUCCESS
                                     : grid_fail_memory(NULL, "bits of rows", rows, c->cols / 8 + 1);
}

/* t = the columns that processes of grid column `holder` have; b: their entries of B, mask: those of C
 * that the mask allows. Collective, agreed on. */
static GrB_Info multiply_columns(const grid_mxm_call *x, int holder, grid_cursor b, grid_cursor mask,
                                 grid_chunk *t) {
  columns c = {.j.call = x, .holder = holder, .cols = count_columns(x->C->ncols, holder)};
  GrB_Info info = GrB_SUCCESS;
  if (!c.cols) return info;
  TRY(grid_agree(&x->C->head, columns_begin(&c, x)));
  TRY(scatter_set(&c, x->B->nrows, b, false, c.b));
  if (!c.j.allowed.all) TRY(scatter_set(&c, x->C->nrows, mask, c.j.allowed.invert, c.mask));
  TRY(multiply_words(&c));
  info = gather_result(&c, t);
done:
  grid_free(c.b), grid_free(c.mask), grid_free(c.bytes);
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
