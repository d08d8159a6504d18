/* See best_label_rows.h. Labels are expanded over the columns of each block, as the input of a product. Where
 * a process has its rows whole it chooses their labels. Else it sends the sums of its entries, by row and
 * label, to the owners of the rows, who add those of their grid row and choose. */
#include "dist/op/graph/best_label_rows.h"

#include <string.h>

#include "dist/op/matrix_row_sums.h"
#include "dist/product/dist_product.h"
#include "dist/vector/shm_view.h"
#include "dist/vector/vector.h"
#include "spmat/cpu/matrix/lmat_best_label.h"
#include "spmat/vec_ops.h"
#include "spmat/vector/bitmap_words.h"

const char grid_best_label_call[] = "Grid_Matrix_best_label";

/* ---- values of the local chunk ------------------------------------------------------------------------- */

/* A vector's values by index of the local chunk: its own arrays where they serve. */
typedef struct {
  uint64_t *owned, *owned_bits; /* to be freed */
  grid_vertex_values at;
} vertex_values;

/* Copies of v's entries in FP64 or INT64. */
static GrB_Info copy_entries(vertex_values *x, const grid_chunk *v, GrB_Type type) {
  const uint64_t m = v->nvals;
  uint64_t *at = grid_malloc(m, sizeof *at), *value = grid_malloc(m, sizeof *value);
  x->owned = grid_malloc(v->n, sizeof *x->owned);
  x->owned_bits = grid_calloc(grid_words(v->n), sizeof *x->owned_bits);
  GrB_Info info = at && value && x->owned && x->owned_bits
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "values of vertices", v->n, sizeof *at);
  if (info == GrB_SUCCESS) info = grid_vec_tuples(at, value, type, v, 0);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < m; k++) {
    x->owned[at[k]] = value[k];
    x->owned_bits[at[k] >> 6] |= UINT64_C(1) << (at[k] & 63);
  }
  grid_free(at);
  grid_free(value);
  x->at = (grid_vertex_values){.value = x->owned, .bits = x->owned_bits};
  return info;
}

static GrB_Info load_values(vertex_values *x, GrB_Vector vector, GrB_Type type) {
  if (!vector || vector->chunk.nvals == 0) return GrB_SUCCESS;
  const grid_chunk *v = &vector->chunk;
  if (v->format == GRID_LIST || v->type != type || v->iso) return copy_entries(x, v, type);
  x->at = (grid_vertex_values){.value = v->val, .bits = v->format == GRID_FULL ? NULL : v->bits};
  return GrB_SUCCESS;
}

static void free_values(vertex_values *x) {
  grid_free(x->owned);
  grid_free(x->owned_bits);
}

/* A label of the vertices of word w that is no row's number; 0: there is none. n: of the chunk. */
static uint64_t find_wrong(const grid_vertex_values *label, uint64_t w, uint64_t n, uint64_t rows) {
  const uint64_t *l = (const uint64_t *)label->value + 64 * w,
                 bits = label->bits ? label->bits[w] : grid_tail(n, w);
  uint64_t sign = 0;
  if (~bits == 0) {
    /* rows - 1 - l is below 0 for wrong ones, or l is */
    for (int k = 0; k < 64; k++) sign |= (rows - 1 - l[k]) | l[k];
    if (sign >> 63 == 0) return 0;
  }
  for (int k = 0; k < 64; k++)
    if (bits >> k & 1 && l[k] >= rows) return l[k];
  return 0;
}

static GrB_Info load_labels(vertex_values *x, const grid_best_label *b, GrB_Vector best) {
  const GrB_Info info = load_values(x, b->label, GrB_INT64);
  const uint64_t n = b->label->chunk.n, words = info == GrB_SUCCESS && x->at.value ? grid_words(n) : 0;
  uint64_t wrong = 0; /* the labels of a word are 512 bytes: more work than most passes have */
#pragma omp parallel for schedule(static) reduction(max : wrong) num_threads(grid_work_threads(4 * words))
  for (uint64_t w = 0; w < words; w++) {
    const uint64_t one = find_wrong(&x->at, w, n, b->n);
    wrong = one > wrong ? one : wrong;
  }
  return wrong ? grid_check_indices(&wrong, 1, b->n, &best->head, grid_best_label_call) : info;
}

/* ---- the search of one process, and its inputs --------------------------------------------------------- */

typedef struct {
  const grid_best_label *x;
  vertex_values label, bonus, price; /* of the local chunk */
  double *prices;                    /* of all labels, where there is no shared memory for them */
  uint64_t *local_row;               /* offsets of the local rows in question, and their scales */
  double *scale;
  uint64_t local_rows;
  uint64_t nlabels, nscales; /* entries of label and scale in all */
  grid_input column, row;    /* labels of the block's columns; which rows of it are in question */
  grid_label_choice choice;
} label_search;

static void free_search(label_search *s) {
  free_values(&s->label);
  free_values(&s->bonus);
  free_values(&s->price);
  grid_free(s->prices);
  grid_free(s->local_row);
  grid_free(s->scale);
  grid_input_free(&s->column);
  grid_input_free(&s->row);
}

/* The local rows in question and the choice among their sums. Local. */
static GrB_Info load_local(label_search *s, GrB_Vector best) {
  GrB_Info info;
  const grid_best_label *x = s->x;
  const uint64_t n = s->local_rows = x->scale ? x->scale->chunk.nvals : best->chunk.n;
  s->local_row = grid_malloc(n, sizeof *s->local_row);
  s->scale = grid_malloc(x->scale ? n : 0, sizeof *s->scale);
  TRY(s->local_row && s->scale ? GrB_SUCCESS
                               : grid_fail_memory(NULL, "labels of rows", n, 2 * sizeof *s->local_row));
  if (x->scale) TRY(grid_vec_tuples(s->local_row, s->scale, GrB_FP64, &x->scale->chunk, 0));
  for (uint64_t k = 0; !x->scale && k < n; k++) s->local_row[k] = k;
  TRY(load_labels(&s->label, x, best));
  TRY(load_values(&s->price, x->price, GrB_FP64));
  TRY(load_values(&s->bonus, x->bonus, GrB_FP64));
  s->choice = (grid_label_choice){.scale = x->scale ? s->scale : NULL,
                                  .label = s->label.at,
                                  .bonus = s->bonus.at,
                                  .price = s->price.at,
                                  .has_bonus = x->bonus};
done:
  return info;
}

/* The local prices, 0 where there is none. */
static void write_prices(double *to, const grid_vertex_values *price, uint64_t n) {
  for (uint64_t k = 0; k < n; k++)
    to[k] =
        price->value && (!price->bits || grid_bit(price->bits, k)) ? ((const double *)price->value)[k] : 0;
}

/* The prices of all labels as a copy of this process. Collective. */
static GrB_Info gather_prices(label_search *s, GrB_Vector best) {
  GrB_Info info;
  const uint64_t n = s->x->n, padded = grid_local_padded_size(n);
  uint64_t all = 0;
  double *local_prices = grid_calloc(padded, sizeof *local_prices);
  for (int k = 0; k < grid_ctx.P; k++) all += grid_chunk_padded_size(n, k);
  s->prices = grid_malloc(all, sizeof *s->prices);
  TRY(grid_agree(&best->head, local_prices && s->prices
                                  ? GrB_SUCCESS
                                  : grid_fail_memory(NULL, "prices of labels", n, sizeof *local_prices)));
  write_prices(local_prices, &s->price.at, grid_chunk_length(n, grid_ctx.k));
  TRY(grid_gather_chunks(GRID_SET_ALL, n, local_prices, 8 * sizeof *local_prices, s->prices));
  s->choice.price = (grid_vertex_values){.value = s->prices};
done:
  grid_free(local_prices);
  return info;
}

/* The prices of all labels, read in shared memory where all processes have it. On a grid of one row the sums
 * that are exchanged later may take the same memory. Collective. */
static GrB_Info load_prices(label_search *s, GrB_Vector best) {
  const uint64_t n = s->x->n;
  grid_shm_view z;
  if (!s->x->price || grid_ctx.P == 1) return GrB_SUCCESS;
  if (grid_ctx.R == 1 || !grid_shm_view_reserve(&z, GRID_SET_ALL, n, sizeof(double), true))
    return gather_prices(s, best);
  write_prices((double *)(void *)z.val + grid_chunk_first(n, grid_ctx.k), &s->price.at,
               grid_chunk_length(n, grid_ctx.k));
  grid_ctx.transport->barrier(GRID_SET_ALL);
  s->choice.price = (grid_vertex_values){.value = z.val};
  return GrB_SUCCESS;
}

/* The chunk x over the columns of this process's block, or (rows) its pattern over the rows. nx: entries of
 * all chunks. Collective over the grid column, or the grid row. */
static GrB_Info expand(grid_input *in, const grid_best_label *b, const grid_chunk *x, uint64_t nx,
                       bool rows) {
  grid_product p = {.call = grid_best_label_call,
                    .A = b->A,
                    .transposed = rows,
                    .in = {rows ? GRID_SET_ROW : GRID_SET_COL, b->n},
                    .out = {rows ? GRID_SET_COL : GRID_SET_ROW, b->n},
                    .x = x,
                    .values.uses_x = !rows,
                    .n.nx = nx,
                    .choice.pull = true};
  return grid_expand(&p, in);
}

static GrB_Info expand_labels(label_search *s) {
  const grid_chunk *v = &s->x->label->chunk;
  const grid_vertex_values *at = &s->label.at;
  const grid_chunk x = {.n = v->n,
                        .nvals = v->nvals,
                        .type = GrB_INT64,
                        .format = !at->value ? GRID_LIST
                                  : at->bits ? GRID_BITMAP
                                             : GRID_FULL,
                        .bits = (uint64_t *)(uintptr_t)at->bits,
                        .val = (void *)(uintptr_t)at->value};
  return expand(&s->column, s->x, &x, s->nlabels, false);
}

static grid_label_rows block_rows(const label_search *s, const uint64_t *row, uint64_t n) {
  static const double one = 1;
  const grid_local_matrix *a = &s->x->A->block;
  const bool count = s->x->count;
  return (grid_label_rows){.a = a,
                           .val = count    ? &one
                                  : a->iso ? a->iso_val
                                           : a->by_row.val,
                           .type = count ? GrB_FP64 : a->type,
                           .iso = count || a->iso,
                           .of_column = {.value = s->column.full || s->column.bits ? s->column.val : NULL,
                                         .bits = s->column.full ? NULL : s->column.bits},
                           .row = row,
                           .n = n};
}

/* ---- rows that several processes share ----------------------------------------------------------------- */

/* The rows of this block that are in question and hold entries: local ids. */
static GrB_Info list_block_rows(const label_search *s, uint64_t **row, uint64_t *n) {
  const grid_axis *axis = &s->x->A->block.row;
  const grid_compressed *rows = &s->x->A->block.by_row;
  const bool all = !s->x->scale || s->row.full;
  uint64_t *list = *row = grid_malloc(axis->n, sizeof *list), m = 0;
  if (!list) return grid_fail_memory(NULL, "rows of a block", axis->n, sizeof *list);
  for (uint64_t w = 0; w < grid_words(axis->n); w++)
    for (uint64_t t = all ? grid_tail(axis->n, w) : s->row.bits[w]; t; t &= t - 1) {
      const uint64_t k = 64 * w + (uint64_t)__builtin_ctzll(t);
      list[m] = grid_axis_id(axis, k);
      m += grid_vector_start(rows, k) < grid_vector_start(rows, k + 1);
    }
  *n = m;
  return GrB_SUCCESS;
}

/* A segment for the owner of rows: how many it lists, for each of them this, and their sums. */
typedef struct {
  uint64_t row; /* of the owner's chunk */
  uint64_t sums;
} listed_row;

typedef struct {
  size_t *bytes, *off, *in, *in_off; /* one array */
  char *send;
  void *recv;
} sum_exchange;

/* Writes the segment of owner s from row *k of the list on; returns its end. */
static char *write_segment(char *to, uint64_t n, int s, const uint64_t *row, uint64_t rows, uint64_t *k,
                           const grid_label_sums *sums) {
  const uint64_t from = *k, first = grid_block_offset(n, true, s),
                 end = first + grid_chunk_length(n, grid_block_chunk(true, s));
  while (*k < rows && row[*k] < end) ++*k;
  *(uint64_t *)(void *)to = *k - from;
  listed_row *listed = (listed_row *)(void *)(to + sizeof(uint64_t));
  grid_label_sum *sum = (grid_label_sum *)(void *)(listed + (*k - from));
  for (uint64_t r = from; r < *k; r++) {
    const uint64_t m = sums->count[r];
    *listed++ = (listed_row){row[r] - first, m};
    memcpy(sum, sums->sum + sums->start[r], m * sizeof *sum);
    sum += m;
  }
  return (char *)sum;
}

static GrB_Info write_segments(sum_exchange *e, uint64_t n, const uint64_t *row, uint64_t rows,
                               const grid_label_sums *sums) {
  const int S = grid_ctx.C;
  uint64_t k = 0, all = 0;
  for (uint64_t r = 0; r < rows; r++) all += sums->count[r];
  const uint64_t bytes = all * sizeof *sums->sum + rows * sizeof(listed_row) + (uint64_t)S * sizeof(uint64_t);
  e->bytes = grid_calloc(4 * (size_t)S, sizeof *e->bytes);
  e->send = grid_malloc(bytes, 1);
  if (!e->bytes || !e->send) return grid_fail_memory(NULL, "sums by label", bytes, 1);
  e->off = e->bytes + S, e->in = e->off + S, e->in_off = e->in + S;
  char *to = e->send;
  for (int s = 0; s < S; s++) {
    e->off[s] = (size_t)(to - e->send);
    to = write_segment(to, n, s, row, rows, &k, sums);
    e->bytes[s] = (size_t)(to - e->send) - e->off[s];
  }
  return GrB_SUCCESS;
}

/* This block's sums, ready to be sent. Local. */
static GrB_Info sum_block(sum_exchange *e, const label_search *s) {
  GrB_Info info;
  uint64_t *row = NULL, n = 0;
  grid_label_sums sums = {0};
  TRY(list_block_rows(s, &row, &n));
  const grid_label_rows r = block_rows(s, row, n);
  TRY(grid_lmat_sum_labels(&sums, &r));
  info = write_segments(e, s->x->n, row, n, &sums);
done:
  grid_free(row);
  grid_free(sums.start);
  grid_free(sums.count);
  grid_free(sums.sum);
  return info;
}

/* Finds the sums of the local rows in question in a segment. start: for these rows, and one more. */
static grid_label_segment find_sums(const void *segment, uint64_t *start, const label_search *s) {
  const uint64_t n = *(const uint64_t *)segment;
  const listed_row *row = (const listed_row *)(const void *)((const char *)segment + sizeof n),
                   *end = row + n;
  uint64_t at = 0;
  for (uint64_t k = 0; k < s->local_rows; k++) {
    start[k] = at;
    if (row < end && row->row == s->local_row[k]) at += row++->sums;
  }
  start[s->local_rows] = at;
  return (grid_label_segment){start, (const grid_label_sum *)(const void *)end};
}

static GrB_Info choose_from_received(int64_t *found, const sum_exchange *e, const label_search *s) {
  const size_t S = (size_t)grid_ctx.C;
  grid_label_segment *segment = grid_malloc(S, sizeof *segment);
  uint64_t *start = grid_malloc(S * (s->local_rows + 1), sizeof *start);
  GrB_Info info = segment && start
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "sums of processes", s->local_rows, S * sizeof *start);
  for (size_t g = 0; g < S && info == GrB_SUCCESS; g++)
    segment[g] = find_sums((const char *)e->recv + e->in_off[g], start + g * (s->local_rows + 1), s);
  if (info == GrB_SUCCESS)
    info = grid_best_label_of_sums(found, segment, grid_ctx.C, s->local_row, s->local_rows, &s->choice);
  grid_free(segment);
  grid_free(start);
  return info;
}

/* info: the outcome so far. Collective. */
static GrB_Info search_shared_rows(GrB_Info info, int64_t *found, GrB_Vector best, const label_search *s) {
  sum_exchange e = {0};
  if (info == GrB_SUCCESS) info = sum_block(&e, s);
  TRY(grid_agree(&best->head, info));
  TRY(grid_exchange_alloc(GRID_SET_ROW, e.send, e.bytes, e.off, &e.recv, e.in, e.in_off));
  grid_free(e.send);
  e.send = NULL;
  info = choose_from_received(found, &e, s);
done:
  grid_free(e.bytes);
  grid_free(e.send);
  grid_free(e.recv);
  return info;
}

/* ---- the operation ------------------------------------------------------------------------------------- */

/* t(row[k]) = best[k] where it is a label; the arrays are changed. */
static GrB_Info make_result(grid_chunk *t, uint64_t *row, int64_t *best, uint64_t n) {
  uint64_t m = 0, where;
  for (uint64_t k = 0; k < n; k++)
    if (best[k] >= 0) row[m] = row[k], best[m++] = best[k];
  return grid_vec_build(t, row, best, GrB_INT64, 1, m, (grid_dup){.last = true}, &where);
}

bool grid_can_search_label_rows(const grid_best_label *x) {
  return !grid_is_summed_by_product(x->A) && x->n / GRID_LIST_SHARE <= x->A->nvals;
}

/* What is read of other processes, or the outcome of what failed before. Collective. */
static GrB_Info load_inputs(label_search *s, GrB_Vector best) {
  const grid_best_label *x = s->x;
  uint64_t entries[] = {x->label->chunk.nvals, x->scale ? x->scale->chunk.nvals : 0};
  GrB_Info info = load_local(s, best);
  TRY(grid_agree_sum(&best->head, info, entries, 2));
  s->nlabels = entries[0], s->nscales = entries[1];
  if (grid_ctx.P > 1) TRY(grid_comm_buffers_make(&x->A->cached.buffers));
  TRY(load_prices(s, best));
done:
  return info;
}

GrB_Info grid_search_label_rows(grid_chunk *t, GrB_Vector best, const grid_best_label *x) {
  label_search s = {.x = x};
  int64_t *found = NULL;
  GrB_Info info;
  TRY(load_inputs(&s, best));
  if (grid_ctx.C > 1 && x->scale) info = expand(&s.row, x, &x->scale->chunk, s.nscales, true);
  const GrB_Info columns = expand_labels(&s);
  if (info == GrB_SUCCESS) info = columns;
  found = grid_malloc(s.local_rows, sizeof *found);
  if (!found && info == GrB_SUCCESS)
    info = grid_fail_memory(NULL, "labels of rows", s.local_rows, sizeof *found);
  if (grid_ctx.C > 1) {
    info = search_shared_rows(info, found, best, &s);
  } else if (info == GrB_SUCCESS) {
    const grid_label_rows r = block_rows(&s, s.local_row, s.local_rows);
    info = grid_lmat_best_label(found, &r, &s.choice);
  }
  if (info == GrB_SUCCESS) info = make_result(t, s.local_row, found, s.local_rows);
done:
  free_search(&s);
  grid_free(found);
  return info;
}
