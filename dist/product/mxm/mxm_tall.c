/* GrB_mxm where only the pattern counts and B has few columns, as the frontiers of several searches do, on a
 * grid of one column. A row of B is a word for each 64 columns (spmat/cpu/mxm/mxm_bitwords.h). So B is a
 * vector of words, which is expanded, pulled or pushed as in GrB_mxv. */
#include "dist/matrix/storage/matrix_bitmap.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/mxm_tall.h"
#include "spmat/convert/lmat_bitmap.h"
#include "spmat/vector/bitmap_words.h"

/* With more columns, a bit for each element of C would be too much memory. */
enum { MAX_COLUMNS = 256 };
/* A push is chosen without a comparison if it inspects fewer entries than one in so many rows of the result.
 */
enum { SPARSE_SHARE = 4 };
/* If there are more than BLOCKS blocks of 64 rows, the comparison samples one in SAMPLE_STRIDE. */
enum { BLOCKS = 1024, SAMPLE_STRIDE = 16 };

bool grid_mxm_is_pattern_of_words(const grid_mxm_call *x) {
  const GrB_Monoid add = x->s->add;
  const GrB_Matrix C = x->C;
  return x->s->mul->op == GRID_OP_ONEB && (add->any || add->idempotent) && !x->d->tran1 &&
         C->ncols <= MAX_COLUMNS && C->ncols < C->nrows && !x->A->placement.on_device;
}

bool grid_mxm_is_tall_profitable(const grid_mxm_call *x) {
  const GrB_Matrix A = x->A;
  const uint64_t longest = A->nrows > A->ncols ? A->nrows : A->ncols;
  return A->nvals >= longest / 8 && (!x->mask || x->d->complement || grid_is_dense_profitable(x->mask));
}

static bool applies(const grid_plan *plan) {
  const grid_mxm_call *x = grid_mxm_of(plan);
  return grid_ctx.C == 1 && grid_mxm_is_pattern_of_words(x) && grid_can_be_dense(x->C) &&
         grid_can_be_dense(x->B) && (plan->forced == &grid_mxm_method_tall || grid_mxm_is_tall_profitable(x));
}

/* ---- B's rows as words ---- */

GrB_Info grid_tall_words_of_positions(grid_chunk *x, grid_tall_product *j, const grid_position_bits *b) {
  GrB_Info info = GrB_SUCCESS;
  j->word = b->bits;
  if (b->cols == GRID_TALL_WORD && !b->all) return info;
  TRY(grid_chunk_reserve_dense(x, false));
  grid_position_words(b, &(grid_axis){.dim = x->n, .n = x->n}, j->first, x->val);
  j->word = x->val;
done:
  return info;
}

/* Appends column `col` of row `row`; rows ascend. */
static void add_entry(grid_chunk *x, grid_tall_product *j, uint64_t row, uint64_t col) {
  if (col < j->first || col - j->first >= GRID_TALL_WORD) return;
  uint64_t *val = x->val;
  if (x->nvals == 0 || x->idx[x->nvals - 1] != row) {
    x->idx[x->nvals] = row;
    val[x->nvals++] = 0;
  }
  const uint64_t bit = UINT64_C(1) << (col - j->first);
  val[x->nvals - 1] |= bit;
  j->any |= bit;
}

static GrB_Info words_of_list(grid_chunk *x, grid_tall_product *j, const grid_chunk *b, uint64_t cols) {
  GrB_Info info = grid_chunk_reserve_list(x, b->nvals, false);
  for (uint64_t e = 0, row = 0, end = 0; info == GrB_SUCCESS && e < b->nvals; e++) {
    if (b->idx[e] >= end) row = b->idx[e] / cols, end = (row + 1) * cols;
    add_entry(x, j, row, b->idx[e] + cols - end);
  }
  return info;
}

static GrB_Info words_of_lmat(grid_chunk *x, grid_tall_product *j, const grid_local_matrix *b) {
  GrB_Info info = grid_chunk_reserve_list(x, b->nvals, false);
  if (info != GrB_SUCCESS || !b->nvals) return info;
  for (uint64_t k = 0, e = 0; k < b->row.n; k++)
    for (const uint64_t end = grid_vector_start(&b->by_row, k + 1); e < end; e++)
      add_entry(x, j, grid_axis_id(&b->row, k), grid_axis_id(&b->col, b->by_row.idx[e]));
  return info;
}

/* Sets j->word, which may be in *x, or makes *x a list. */
static GrB_Info words_of_b(grid_chunk *x, grid_tall_product *j) {
  const GrB_Matrix B = j->call->B;
  const grid_chunk *b = &B->bitmap.chunk;
  j->any = 0, j->word = NULL;
  if (!B->bitmap.present) return words_of_lmat(x, j, &B->block);
  if (b->format == GRID_LIST) return words_of_list(x, j, b, B->ncols);
  return grid_tall_words_of_positions(x, j,
                                      &(grid_position_bits){b->bits, b->format == GRID_FULL, false,
                                                            grid_block_length(B->nrows, true), B->ncols});
}

/* ---- push or pull ---- */

/* Entries of A that a push inspects: those that meet words. Also sets j->any to the OR of the words. */
static uint64_t count_edges(grid_tall_product *j, const grid_chunk *x) {
  const GrB_Matrix A = j->call->A;
  const uint32_t *degree = j->p.transposed ? A->degrees.row : A->degrees.col;
  const uint64_t *word = j->word;
  uint64_t sum = 0, any = 0;
  if (x->n == 0) return 0;
  const uint64_t mean = A->nvals / j->p.in.n + 1;
  if (!word) {
    for (uint64_t k = 0; k < x->nvals; k++) sum += degree ? degree[x->idx[k]] : mean;
    return sum;
  }
#pragma omp parallel for schedule(static) reduction(+ : sum) reduction(| : any) num_threads(grid_work_threads(x->n))
  for (uint64_t r = 0; r < x->n; r++) {
    sum += (degree ? degree[r] : mean) * (word[r] != 0);
    any |= word[r];
  }
  j->any = any;
  return sum;
}

/* Estimates the entries of A in rows with an allowed output: the most that a pull inspects. */
static uint64_t count_open(const grid_tall_product *j) {
  const GrB_Matrix A = j->call->A;
  const grid_position_bits *p = &j->allowed;
  const uint32_t *degree = j->p.transposed ? A->degrees.col : A->degrees.row;
  const uint64_t width = p->cols - j->first < GRID_TALL_WORD ? p->cols - j->first : GRID_TALL_WORD;
  const uint64_t blocks = grid_words(p->rows), step = blocks > BLOCKS ? SAMPLE_STRIDE : 1;
  uint64_t sum = 0;
  if (!degree || p->all) return A->block.nvals;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(grid_work_threads(p->rows / step))
  for (uint64_t b = 0; b < blocks; b += step)
    for (uint64_t r = GRID_TALL_WORD * b; r < GRID_TALL_WORD * (b + 1) && r < p->rows; r++)
      sum += degree[r] * (uint64_t)(grid_position_window(p, r * p->cols + j->first, width) != 0);
  return sum * step;
}

/* *any = the OR over the processes. Collective, agreed on. */
static GrB_Info allreduce_or(GrB_Matrix C, uint64_t *any) {
  uint64_t *all = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.P == 1) return info;
  TRY(grid_gather_elements(any, 1, sizeof *any, (void **)&all));
  for (int k = 0; k < grid_ctx.P; k++) *any |= all[k];
done:
  grid_free(all);
  return grid_agree(&C->head, info);
}

GrB_Info grid_tall_choose(grid_tall_product *j, const grid_chunk *x, bool can_pull, GrB_Info info) {
  const GrB_Matrix A = j->call->A;
  uint64_t edges[2] = {0}; /* a push's and a pull's */
  if (info == GrB_SUCCESS) {
    j->edges = count_edges(j, x);
    edges[0] = j->edges * grid_tune.tall_push_cost;
    /* counting passes over all rows; it is omitted for pushes of few entries, and of more than a pull
     * inspects */
    const uint64_t most = A->block.nvals;
    edges[1] = edges[0] < j->p.out.n / SPARSE_SHARE || edges[0] > most ? most : count_open(j);
    edges[1] += j->allowed.rows; /* plus a pass over the result */
  }
  TRY(grid_agree_sum(&j->call->C->head, info, edges, 2));
  j->p.choice.pull =
      can_pull && (A->hints.direction != Grid_DIRECTION_AUTO ? A->hints.direction == Grid_DIRECTION_PULL
                                                             : edges[0] > edges[1]);
done:
  return info;
}

/* ---- the method ---- */

void grid_tall_begin(grid_tall_product *j) {
  const grid_mxm_call *x = j->call;
  const bool transposed = x->A->properties.symmetric ? grid_symmetric_reads_columns() : x->d->tran0;
  j->p = (grid_product){.call = x->call,
                        .A = x->A,
                        .transposed = transposed,
                        .values.uses_x = true,
                        .in.set = transposed ? GRID_SET_ROW : GRID_SET_COL,
                        .out.set = transposed ? GRID_SET_COL : GRID_SET_ROW,
                        .in.n = x->B->nrows,
                        .out.n = x->C->nrows};
}

static GrB_Info begin(grid_tall_product *j) {
  const grid_mxm_call *x = j->call;
  const grid_desc *d = x->d;
  GrB_Info info;
  TRY(grid_matrix_require(x->A, GRID_READY));
  TRY(grid_comm_buffers_make(&x->A->cached.buffers));
  TRY(grid_matrix_require(x->B, GRID_MERGED));
  if (!x->B->bitmap.present) TRY(grid_matrix_require_host(x->B, 0, x->call));
  if (x->mask) TRY(grid_dense_read(&j->mask_positions, x->mask));
  j->t = grid_dense_result(x->C, x->s->mul->z);
  TRY(grid_agree(&x->C->head,
                 grid_mask_read(&j->mask, j->mask_positions.chunk, j->t.n, d->structure, d->complement)));
  const bool all = j->mask.all || !j->mask.bits;
  j->allowed = (grid_position_bits){.bits = j->mask.bits,
                                    .all = all,
                                    .invert = !all && j->mask.complement,
                                    .rows = grid_block_length(x->C->nrows, true),
                                    .cols = x->C->ncols};
  grid_tall_begin(j);
done:
  return info;
}

static GrB_Info multiply(grid_tall_product *j, bool *sparse) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk x;
  grid_chunk_init(&x, GrB_UINT64, grid_block_length(j->call->B->nrows, true));
  for (j->first = 0; j->first < j->call->C->ncols; j->first += GRID_TALL_WORD) {
    grid_chunk_empty(&x);
    info = words_of_b(&x, j);
    /* where processes share rows, or A is split, the words are multiplied by GrB_mxv */
    TRY(grid_tall_choose(j, &x, grid_set_size(j->p.out.set) == 1 && !j->call->A->delegates.split, info));
    if (j->p.choice.pull) TRY(allreduce_or(j->call->C, &j->any));
    TRY(j->p.choice.pull ? grid_tall_pull(j, &x) : grid_tall_push(j, &x, sparse));
  }
done:
  grid_chunk_free(&x);
  return info;
}

/* Applies a mask that is a list, or allows nothing. */
static void filter_by_list(grid_tall_product *j) {
  const grid_mask *m = &j->mask;
  for (uint64_t w = 0, k = 0; w < grid_words(j->t.n); w++) {
    uint64_t listed = 0;
    for (; k < m->nlist && m->list[k] >> 6 == w; k++) listed |= UINT64_C(1) << (m->list[k] & 63);
    j->t.bits[w] &= m->complement ? ~listed : listed;
  }
}

GrB_Info grid_tall_set_value(GrB_Semiring s, grid_chunk *t) {
  static const uint64_t none[2] = {0};
  GrB_Info info = GrB_SUCCESS;
  if (t->nvals == 0) {
    grid_chunk_empty(t);
  } else {
    t->iso = true;
    TRY(grid_chunk_reserve_val(t, 1));
    s->mul->f(t->val, none, none); /* ONEB reads neither operand */
  }
done:
  return info;
}

/* Counts the entries, and sets their one value. */
static GrB_Info complete(grid_tall_product *j, bool sparse) {
  grid_chunk *t = &j->t;
  if (!sparse && !j->mask.all && !j->mask.bits) filter_by_list(j);
  if (!sparse) t->nvals = grid_count_bits(t->bits, grid_words(t->n));
  return grid_tall_set_value(j->call->s, t);
}

GrB_Info grid_tall_finish(const grid_mxm_call *x, grid_chunk *t, bool sparse, GrB_Info info) {
  static const grid_desc plain;
  const bool whole = !x->accum && (x->d->replace || (!x->mask && !x->d->complement));
  const grid_desc *d = whole ? &plain : x->d;
  const GrB_Matrix mask = whole ? NULL : x->mask;
  grid_local_matrix lmat;
  if (!sparse) return grid_finish_dense(x->C, mask, x->accum, d, t, info);
  grid_lmat_init(&lmat, x->s->mul->z, x->C->block.row.dim, x->C->block.col.dim);
  if (info == GrB_SUCCESS)
    info = grid_lmat_from_chunk(&lmat, t, grid_block_length(x->C->nrows, true),
                                grid_block_length(x->C->ncols, false));
  grid_chunk_free(t);
  return grid_finish_matrix(x->C, mask, x->accum, d, &lmat, mask != NULL, info);
}

static GrB_Info run(grid_plan *plan) {
  grid_tall_product j = {.call = grid_mxm_of(plan)};
  bool sparse = false;
  GrB_Info info;
  TRY(begin(&j));
  TRY(multiply(&j, &sparse));
  info = grid_tall_finish(j.call, &j.t, sparse, complete(&j, sparse));
done:
  grid_mask_free(&j.mask);
  grid_dense_free(&j.mask_positions);
  if (j.t.type) grid_chunk_free(&j.t);
  return info;
}

const grid_method grid_mxm_method_tall = {.name = "tall", .applies = applies, .run = run};
