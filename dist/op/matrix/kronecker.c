/* GrB_kronecker (specification 4.3.12). Each process makes its block of the product from the
 * entries of A and B that have to do with it: on several processes those are sent there first, so that no
 * result travels, and none is made anywhere but where it stays. Devices get both factors whole. */
#include <string.h>

#include "dist/grid/hooks.h"
#include "dist/object/burble.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/matrix/transfer/matrix_positions.h"
#include "dist/op/matrix/kronecker_outofcore.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/transfer/matrix_route.h"
#include "spmat/cpu/index/lmat_kronecker.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_kronecker";

/* An operand, perhaps transposed: its dimensions, and what this process needs of it. */
typedef struct {
  GrB_Matrix A;
  bool flip;
  uint64_t rows, cols;
  grid_local_matrix own;
  const grid_local_matrix *lmat; /* A's block, or own */
} operand;

static operand operand_of(GrB_Matrix A, bool flip) {
  return (operand){
      .A = A, .flip = flip, .rows = flip ? A->ncols : A->nrows, .cols = flip ? A->nrows : A->ncols};
}

/* ---- who needs what ---- */

/* Marks the homes (rows or columns of the grid) whose blocks hold one of C's indices first, first + step, ...
 * (n of `length` each); all of them where that is as good and easier to say. */
static void mark_owners(bool *home, uint64_t dim, bool rows, uint64_t first, uint64_t length, uint64_t step,
                        uint64_t n) {
  const int homes = rows ? grid_ctx.R : grid_ctx.C;
  const uint64_t most = 4 * (uint64_t)homes;
  memset(home, n > most, (size_t)homes * sizeof *home);
  for (uint64_t k = 0; k < n && n <= most; k++) {
    const int from = grid_chunk_of(dim, first + k * step),
              to = grid_chunk_of(dim, first + k * step + length - 1);
    for (int c = from; c <= to; c++) home[rows ? c % grid_ctx.R : c / grid_ctx.R] = true;
  }
}

/* Entries on their way, or their number. */
typedef struct {
  uint64_t *count, *next; /* for each process */
  grid_pair *at;
  char *val;
} send_buffers;

/* Every entry of x's block to all who need it; with o->at NULL they are only counted. left: the first factor,
 * an index of which stands for as many in a row as `other` has; one of the second comes again and again. */
static void bin_entries(send_buffers *o, const operand *x, GrB_Matrix C, const operand *other, bool left,
                        bool *row_home, bool *col_home) {
  const grid_index_map rows = grid_block_row_map(x->A), cols = grid_block_col_map(x->A);
  const grid_local_matrix *p = &x->A->block;
  const size_t size = p->type->size;
  for (uint64_t r = 0; r < p->row.n; r++)
    for (uint64_t e = grid_vector_start(&p->by_row, r); e < grid_vector_start(&p->by_row, r + 1); e++) {
      const uint64_t a = grid_index_map_at(&rows, r), b = grid_index_map_at(&cols, p->by_row.idx[e]);
      const grid_pair at = x->flip ? (grid_pair){b, a} : (grid_pair){a, b};
      if (left) {
        mark_owners(row_home, C->nrows, true, at.r * other->rows, other->rows, 1, 1);
        mark_owners(col_home, C->ncols, false, at.c * other->cols, other->cols, 1, 1);
      } else {
        mark_owners(row_home, C->nrows, true, at.r, 1, x->rows, other->rows);
        mark_owners(col_home, C->ncols, false, at.c, 1, x->cols, other->cols);
      }
      for (int k = 0; k < grid_ctx.P; k++) {
        if (!row_home[k % grid_ctx.R] || !col_home[k / grid_ctx.R]) continue;
        const uint64_t to = o->next[k]++;
        if (!o->at) continue;
        o->at[to] = at;
        memcpy(o->val + to * size, grid_lmat_value(p, e), size);
      }
    }
}

static void begin_segments(send_buffers *o) {
  uint64_t sum = 0;
  for (int k = 0; k < grid_ctx.P; k++) {
    o->count[k] = o->next[k];
    o->next[k] = sum;
    sum += o->count[k];
  }
}

static GrB_Info pack(send_buffers *o, const operand *x, GrB_Matrix C, const operand *other, bool left) {
  const size_t P = (size_t)grid_ctx.P, size = x->A->type->size;
  bool *home = grid_calloc(2 * P, sizeof *home);
  GrB_Info info = GrB_SUCCESS;
  uint64_t n = 0;
  o->count = grid_calloc(2 * P, sizeof *o->count);
  if (!home || !o->count) TRY(grid_fail_memory(NULL, "entries to send", P, sizeof *o->count));
  o->next = o->count + P;
  bin_entries(o, x, C, other, left, home, home + P);
  begin_segments(o);
  for (size_t k = 0; k < P; k++) n += o->count[k];
  o->at = grid_malloc(n, sizeof *o->at);
  o->val = grid_malloc(n, size);
  if (!o->at || !o->val) TRY(grid_fail_memory(NULL, "entries to send", n, sizeof *o->at + size));
  bin_entries(o, x, C, other, left, home, home + P);
done:
  grid_free(home);
  return info;
}

/* On several: all entries of x that this process's block of C is made of come, and become a part of x's own
 * dimensions. One value that x has everywhere does not travel with each of them. */
static GrB_Info fetch_factor(operand *x, GrB_Matrix C, const operand *other, bool left) {
  send_buffers o = {0};
  void *at = NULL, *val = NULL;
  uint64_t n = 0;
  grid_pair bad;
  bool iso = false;
  const grid_local_matrix *p = &x->A->block;
  const size_t size = p->type->size;
  char *one = grid_calloc(1, size);
  GrB_Info info = one ? pack(&o, x, C, other, left) : grid_fail_memory(NULL, "a value", 1, size);
  TRY(grid_agree(&C->head, info));
  if (one && p->iso) memcpy(one, p->iso_val, size);
  TRY(grid_agree_on_iso_value(p->nvals > 0, p->iso, size, one, &iso));
  TRY(grid_exchange_elements(o.at, o.count, sizeof *o.at, &at, &n));
  if (!iso) TRY(grid_exchange_elements(o.val, o.count, size, &val, &n));
  grid_lmat_init(&x->own, p->type, x->rows, x->cols);
  info = grid_lmat_build(&x->own, at, true, n, val, one, (grid_duplicates){.newest_wins = true}, &bad);
  at = NULL;
  info = grid_agree(&C->head, info);
  x->lmat = &x->own;
done:
  grid_free(one);
  grid_free(o.count);
  grid_free(o.at);
  grid_free(o.val);
  grid_free(at);
  grid_free(val);
  return info;
}

/* On several, where the other factor is not a single entry or few: all of x comes to everybody, in rows.
 * Tuples for those who need them alone are dearer, until all of x is this many times as long as the results
 * that it is for. */
enum { MANY_REPEATS = 8 };
static GrB_Info fetch_operand(operand *x, GrB_Matrix C) {
  grid_replicated_matrix w = {0};
  GrB_Info info = grid_matrix_replicate(&w, x->A, call);
  TRY(info);
  if (x->flip) {
    info = grid_agree(&C->head, grid_cpu_lmat_transpose(w.p, x->A->properties.symmetric, &x->own));
  } else {
    x->own = w.made;
    w.made = (grid_local_matrix){0};
  }
  x->lmat = &x->own;
done:
  grid_replicated_matrix_free(&w);
  return info;
}

/* On one process: the block, or its transpose. */
static GrB_Info gather_operand(operand *x) {
  x->lmat = &x->A->block;
  if (!x->flip) return GrB_SUCCESS;
  x->lmat = &x->own;
  return grid_lmat_transpose(&x->A->block, x->A->properties.symmetric, &x->own);
}

/* ---- on several devices ---- */

/* What of the product is computed: rows (columns) that come of some of a's and of all of b's, numbered
 * without gaps; which of them are the block's. */
typedef struct {
  grid_index_set of_a, of_block;
  uint64_t n, *memory[2];
} window;

static void window_free(window *w) {
  grid_free(w->memory[0]);
  grid_free(w->memory[1]);
}

/* Indices from .. from + n - 1 of C, each of a's standing for `each` of them. */
static void set_window(window *w, uint64_t from, uint64_t n, uint64_t each) {
  if (n == 0) return; /* each may be 0 */
  const uint64_t first = from / each, last = (from + n - 1) / each;
  w->of_a = (grid_index_set){.first = first, .n = last - first + 1};
  w->of_block = (grid_index_set){.first = from - first * each, .n = n};
  w->n = w->of_a.n * each;
}

/* The block's rows on a grid with columns: chunks that do not follow each other. */
static GrB_Info list_rows(window *w, uint64_t dim, uint64_t each) {
  const uint64_t n = grid_block_length(dim, true);
  uint64_t *of_a = grid_malloc(n, sizeof *of_a), *of_block = grid_malloc(n, sizeof *of_block), count = 0,
           k = 0;
  w->memory[0] = of_a, w->memory[1] = of_block;
  if (!of_a || !of_block) return grid_fail_memory(NULL, "rows of a Kronecker product", n, 16);
  for (int s = 0; s < grid_ctx.C; s++) {
    const int chunk = grid_block_chunk(true, s);
    const uint64_t first = grid_chunk_first(dim, chunk), end = first + grid_chunk_length(dim, chunk);
    for (uint64_t r = first; r < end; r++) {
      if (count == 0 || of_a[count - 1] != r / each) of_a[count++] = r / each;
      of_block[k++] = (count - 1) * each + r % each;
    }
  }
  w->of_a = grid_index_set_of(of_a, count);
  w->of_block = grid_index_set_of(of_block, n);
  w->n = count * each;
  return GrB_SUCCESS;
}

static GrB_Info find_windows(window *rows, window *cols, GrB_Matrix C, const operand *b) {
  set_window(cols, grid_global_col(C->ncols, 0), grid_block_length(C->ncols, false), b->cols);
  if (grid_ctx.C > 1) return list_rows(rows, C->nrows, b->rows);
  set_window(rows, grid_chunk_first(C->nrows, grid_ctx.k), grid_chunk_length(C->nrows, grid_ctx.k), b->rows);
  return GrB_SUCCESS;
}

/* Both factors come to every device, and each makes the rows and columns that its block is part of; what lies
 * outside, an a's worth at each end, is dropped. GRID_UNSUPPORTED, on all: the host must do it. */
static GrB_Info multiply_on_device(grid_local_matrix *t, GrB_Matrix C, operand *a, operand *b,
                                   GrB_BinaryOp op) {
  window rows = {.n = 0}, cols = {.n = 0};
  grid_local_matrix some = {0}, all = {0};
  GrB_Info info = GrB_SUCCESS;
  if (grid_partition_of(C->nrows) || grid_partition_of(C->ncols)) return GRID_UNSUPPORTED;
  TRY(grid_matrix_replicate_device(&a->own, a->A, a->flip));
  TRY(grid_matrix_replicate_device(&b->own, b->A, b->flip));
  TRY(find_windows(&rows, &cols, C, b));
  if (rows.n == 0 || cols.n == 0) goto done;
  grid_lmat_init(&some, a->A->type, rows.of_a.n, cols.of_a.n);
  TRY(grid_lmat_extract(&some, &a->own, &rows.of_a, &cols.of_a));
  grid_lmat_init(&all, op->z, rows.n, cols.n);
  TRY(grid_lmat_kron(&all, &some, &b->own, b->rows, b->cols, op));
  info = grid_lmat_extract(t, &all, &rows.of_block, &cols.of_block);
done: /* all come here, once; what the device has no room for the host may have */
  info = grid_agree_supported(&C->head, info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  if (some.type) grid_lmat_free(&some);
  if (all.type) grid_lmat_free(&all);
  window_free(&rows);
  window_free(&cols);
  return info;
}

/* ---- the operation ---- */

static GrB_Info multiply_several(grid_local_matrix *t, GrB_Matrix C, operand *a, operand *b, GrB_BinaryOp op,
                                 const grid_kron_block *k) {
  const uint64_t P = (uint64_t)grid_ctx.P / MANY_REPEATS;
  GrB_Info info = grid_device_is_on() ? multiply_on_device(t, C, a, b, op) : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED) return info;
  grid_lmat_free(&a->own);
  grid_lmat_free(&b->own);
  TRY(grid_matrix_require_host(a->A, 0, call));
  TRY(grid_matrix_require_host(b->A, 0, call));
  TRY(b->A->nvals >= P ? fetch_operand(a, C) : fetch_factor(a, C, b, true));
  TRY(a->A->nvals >= P ? fetch_operand(b, C) : fetch_factor(b, C, a, false));
  info = grid_cpu_lmat_kron(t, a->lmat, b->lmat, b->rows, b->cols, op, k);
done:
  return info;
}

static GrB_Info multiply(grid_local_matrix *t, GrB_Matrix C, operand *a, operand *b, GrB_BinaryOp op) {
  const grid_kron_block k = grid_kronecker_block(C);
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.P == 1) {
    TRY(gather_operand(a));
    TRY(gather_operand(b));
    info = grid_lmat_kron(t, a->lmat, b->lmat, b->rows, b->cols, op);
  } else {
    info = multiply_several(t, C, a, b, op, &k);
  }
done:
  return info;
}

static bool is_product(uint64_t have, uint64_t a, uint64_t b) {
  uint64_t product;
  return !__builtin_mul_overflow(a, b, &product) && product == have;
}

static GrB_Info check_operands(GrB_Matrix C, const operand *a, const operand *b, GrB_BinaryOp op) {
  GrB_Info info = GrB_SUCCESS;
  if (!is_product(C->nrows, a->rows, b->rows) || !is_product(C->ncols, a->cols, b->cols))
    return grid_fail(&C->head, GrB_DIMENSION_MISMATCH,
                     "%s: C is %llu x %llu, but the operands are %llu x %llu and %llu x %llu", call,
                     (unsigned long long)C->nrows, (unsigned long long)C->ncols, (unsigned long long)a->rows,
                     (unsigned long long)a->cols, (unsigned long long)b->rows, (unsigned long long)b->cols);
  TRY(grid_check_cast(op->x, a->A->type, &C->head, call, "A", "op's first operand"));
  TRY(grid_check_cast(op->y, b->A->type, &C->head, call, "B", "op's second operand"));
done:
  return info;
}

static GrB_Info kronecker(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op, GrB_Matrix A,
                          GrB_Matrix B, GrB_Descriptor desc) {
  GrB_Info info = GrB_SUCCESS;
  grid_desc d;
  grid_local_matrix t;
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_object(B, &C->head, call, "B"));
  TRY(grid_check_multiplier(op, &C->head, call, "op"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, op->z, call, &d));
  operand a = operand_of(A, d.tran0), b = operand_of(B, d.tran1);
  TRY(check_operands(C, &a, &b, op));
  if (op->index) return grid_hooks.index_binary->kronecker(C, mask, accum, op, A, B, desc);
  bool out_of_core;
  TRY(grid_kronecker_out_of_core(&(grid_kronecker){C, mask, accum, op, A, B, &d, call}, &out_of_core));
  if (out_of_core) return info;
  TRY(grid_matrix_require(A, GRID_WHOLE));
  TRY(grid_matrix_require(B, GRID_WHOLE));
  grid_lmat_init(&t, op->z, C->block.row.dim, C->block.col.dim);
  info = multiply(&t, C, &a, &b, op);
  grid_lmat_free(&a.own);
  grid_lmat_free(&b.own);
  return grid_finish_matrix(C, mask, accum, &d, &t, false, info);
done:
  return info;
}

/* By a positional operator: a factor's values are replaced by the positions of its entries. */
static GrB_Info kronecker_any(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                              GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc) {
  if (!grid_is_live(op) || !op->position) return kronecker(C, mask, accum, op, A, B, desc);
  const bool first = grid_position_is_of_first(op->position);
  GrB_Matrix P = NULL;
  GrB_Info info;
  grid_desc d;
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_object(B, &C->head, call, "B"));
  TRY(grid_desc_get(desc, call, &d));
  const bool rows = grid_position_is_row(op->position) != (first ? d.tran0 : d.tran1);
  TRY(grid_matrix_positions(&P, first ? A : B, rows, op->shift, op->z));
  info = kronecker(C, mask, accum, grid_position_operand(op->z, first), first ? P : A, first ? B : P, desc);
done:
  GrB_Matrix_free(&P);
  return info;
}

/* A monoid's or semiring's operator, after a look whether the object lives. */
#define DEFINE(FORM, OPERATOR)                                                                        \
  GrB_Info GrB_Matrix_kronecker_##FORM(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, \
                                       const GrB_##FORM op, const GrB_Matrix A, const GrB_Matrix B,   \
                                       const GrB_Descriptor desc) {                                   \
    GRID_CALL_SCOPE;                                                                                  \
    GrB_Info info = grid_check_matrix(C, call, "C");                                                  \
    if (info == GrB_SUCCESS) info = grid_check_object(op, &C->head, call, "op");                      \
    if (info != GrB_SUCCESS) return info;                                                             \
    return GRID_TRACE_CALL(call, kronecker_any(C, mask, accum, OPERATOR, A, B, desc), C, mask, A, B); \
  }
DEFINE(Semiring, op->mul)
DEFINE(Monoid, op->op)
DEFINE(BinaryOp, op)
