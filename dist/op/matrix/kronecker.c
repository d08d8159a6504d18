/* GrB_kronecker (specification 4.3.12). Each process makes its block of the product from the
 * entries of A and B that have to do with it: on several processes those are sent there first, so that no
 * result travels, and none is made anywhere but where it stays. Devices get both factors whole. */
#include <math.h>

#include "dist/grid/hooks.h"
#include "dist/object/burble.h"
#include "dist/matrix/transfer/matrix_gather.h"
#include "dist/op/matrix/kronecker_operands.h"
#include "dist/op/matrix/kronecker_outofcore.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "dist/outofcore/operations/unite_disjoint.h"
#include "dist/matrix/matrix_output.h"
#include "dist/matrix/storage/matrix_outofcore.h"
#include "spmat/cpu/index/lmat_kronecker.h"
#include "spmat/device/device.h"
#include "spmat/lmat_ops.h"

static const char call[] = "GrB_kronecker";

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

/* Indices from .. from + n - 1 of C, each of a's standing for `b_size` of them. */
static void set_window(window *w, uint64_t from, uint64_t n, uint64_t b_size) {
  if (n == 0) return; /* each may be 0 */
  const uint64_t first = from / b_size, last = (from + n - 1) / b_size;
  w->of_a = (grid_index_set){.first = first, .n = last - first + 1};
  w->of_block = (grid_index_set){.first = from - first * b_size, .n = n};
  w->n = w->of_a.n * b_size;
}

/* The block's rows on a grid with columns: chunks that do not follow each other. */
static GrB_Info list_rows(window *w, uint64_t dim, uint64_t b_size) {
  const uint64_t n = grid_block_length(dim, true);
  uint64_t *of_a = grid_malloc(n, sizeof *of_a), *of_block = grid_malloc(n, sizeof *of_block), count = 0,
           k = 0;
  w->memory[0] = of_a, w->memory[1] = of_block;
  if (!of_a || !of_block) return grid_fail_memory(NULL, "rows of a Kronecker product", n, 16);
  for (int s = 0; s < grid_ctx.C; s++) {
    const int chunk = grid_block_chunk(true, s);
    const uint64_t first = grid_chunk_first(dim, chunk), end = first + grid_chunk_length(dim, chunk);
    for (uint64_t r = first; r < end; r++) {
      if (count == 0 || of_a[count - 1] != r / b_size) of_a[count++] = r / b_size;
      of_block[k++] = (count - 1) * b_size + r % b_size;
    }
  }
  w->of_a = grid_index_set_of(of_a, count);
  w->of_block = grid_index_set_of(of_block, n);
  w->n = count * b_size;
  return GrB_SUCCESS;
}

/* GRID_UNSUPPORTED: the block has too many rows or columns to list them. */
static GrB_Info find_windows(window *rows, window *cols, GrB_Matrix C, const grid_kron_operand *a,
                             const grid_kron_operand *b) {
  const uint64_t entries = a->owned.nvals * b->owned.nvals; /* both are below 2^32 */
  if (grid_axis_is_too_long(grid_block_length(C->nrows, true), entries) ||
      grid_axis_is_too_long(grid_block_length(C->ncols, false), entries))
    return GRID_UNSUPPORTED;
  set_window(cols, grid_global_col(C->ncols, 0), grid_block_length(C->ncols, false), b->cols);
  if (grid_ctx.C > 1) return list_rows(rows, C->nrows, b->rows);
  set_window(rows, grid_chunk_first(C->nrows, grid_ctx.k), grid_chunk_length(C->nrows, grid_ctx.k), b->rows);
  return GrB_SUCCESS;
}

/* Every device gets both factors and computes whole products of entries of A with B that cover its block.
 * Entries outside the block are dropped. GRID_UNSUPPORTED, on all: the host must do it. */
static GrB_Info multiply_on_device(grid_local_matrix *t, GrB_Matrix C, grid_kron_operand *a,
                                   grid_kron_operand *b, GrB_BinaryOp op) {
  window rows = {.n = 0}, cols = {.n = 0};
  grid_local_matrix selected = {0}, all = {0};
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_replicate_device(&a->owned, a->A, a->flip));
  TRY(grid_matrix_replicate_device(&b->owned, b->A, b->flip));
  TRY(find_windows(&rows, &cols, C, a, b));
  if (rows.n == 0 || cols.n == 0) goto done;
  grid_lmat_init(&selected, a->A->type, rows.of_a.n, cols.of_a.n);
  TRY(grid_lmat_extract(&selected, &a->owned, &rows.of_a, &cols.of_a));
  grid_lmat_init(&all, op->z, rows.n, cols.n);
  TRY(grid_lmat_kron(&all, &selected, &b->owned, b->rows, b->cols, op));
  info = grid_lmat_extract(t, &all, &rows.of_block, &cols.of_block);
done: /* all come here, once; what the device has no room for the host may have */
  info = grid_agree_supported(&C->head, info == GrB_OUT_OF_MEMORY ? GRID_UNSUPPORTED : info);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  if (selected.type) grid_lmat_free(&selected);
  if (all.type) grid_lmat_free(&all);
  window_free(&rows);
  window_free(&cols);
  return info;
}

/* ---- the operation ---- */

/* What this process needs of x. left: the first factor. */
static GrB_Info fetch(grid_kron_operand *x, GrB_Matrix C, const grid_kron_operand *other, bool left,
                      bool is_last) {
  return other->A->nvals >= (uint64_t)grid_ctx.P / GRID_KRON_MANY_REPEATS
             ? grid_kron_fetch_operand(x, C, is_last, call)
             : grid_kron_fetch_factor(x, C, other, left);
}

/* The larger operand comes last. */
static GrB_Info multiply_several(grid_local_matrix *t, GrB_Matrix C, grid_kron_operand *a,
                                 grid_kron_operand *b, GrB_BinaryOp op, const grid_kron_block *k) {
  const bool is_left_larger = a->A->nvals > b->A->nvals;
  GrB_Info info = grid_device_is_on() ? multiply_on_device(t, C, a, b, op) : GRID_UNSUPPORTED;
  if (info != GRID_UNSUPPORTED) return info;
  grid_lmat_free(&a->owned);
  grid_lmat_free(&b->owned);
  TRY(grid_matrix_require_host(a->A, 0, call));
  TRY(grid_matrix_require_host(b->A, 0, call));
  TRY(is_left_larger ? fetch(b, C, a, false, false) : fetch(a, C, b, true, false));
  TRY(is_left_larger ? fetch(a, C, b, true, true) : fetch(b, C, a, false, true));
  info = grid_cpu_lmat_kron(t, a->lmat, b->lmat, b->rows, b->cols, op, k);
done:
  return info;
}

static GrB_Info multiply(grid_local_matrix *t, GrB_Matrix C, grid_kron_operand *a, grid_kron_operand *b,
                         GrB_BinaryOp op) {
  const grid_kron_block k = grid_kronecker_block(C);
  GrB_Info info = GrB_SUCCESS;
  if (grid_ctx.P == 1) {
    TRY(grid_kron_gather_operand(a));
    TRY(grid_kron_gather_operand(b));
    info = grid_lmat_kron(t, a->lmat, b->lmat, b->rows, b->cols, op);
  } else {
    info = multiply_several(t, C, a, b, op, &k);
  }
done:
  return info;
}

static GrB_Info multiply_in_memory(const grid_kronecker *x) {
  grid_kron_operand a = grid_kron_operand_of(x->A, x->d->tran0), b = grid_kron_operand_of(x->B, x->d->tran1);
  grid_local_matrix t;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_matrix_require(x->A, GRID_WHOLE));
  TRY(grid_matrix_require(x->B, GRID_WHOLE));
  grid_lmat_init(&t, x->op->z, x->C->block.row.dim, x->C->block.col.dim);
  info = multiply(&t, x->C, &a, &b, x->op);
  grid_kron_operand_free(&a);
  grid_kron_operand_free(&b);
  return grid_finish_matrix(x->C, x->mask, x->accum, x->d, &t, false, info);
done:
  return info;
}

/* ---- on disk, of large dimensions ---- */

/* Fraction of the remaining budget for a product of two panels; bytes that its entry takes meanwhile. */
enum { SHARE_PRODUCT = 6, PRODUCT_ENTRY = 2 * GRID_HYPERSPARSE_VALUED };

/* Row panels of one operand times panels of the other: no two products have a position in common. */
typedef struct {
  const grid_kronecker *x;
  GrB_Matrix panel, other; /* of the operand with fewer entries; the other one */
  uint64_t entries;        /* of a product, on all processes together */
  grid_disjoint products;
} panel_products;

static uint64_t panel_bytes(double entries) {
  return (uint64_t)(entries * GRID_HYPERSPARSE_VALUED / grid_ctx.P);
}

static GrB_Info add_product(void *context, GrB_Matrix panel) {
  panel_products *w = context;
  grid_kronecker x = *w->x;
  const grid_desc d = {.tran0 = x.d->tran0, .tran1 = x.d->tran1};
  const bool is_first = w->other == x.B;
  GrB_Info info = GrB_Matrix_new(&x.C, x.op->z, x.C->nrows, x.C->ncols);
  if (info != GrB_SUCCESS) return info;
  x.mask = NULL, x.accum = NULL, x.d = &d;
  x.A = is_first ? w->panel : panel, x.B = is_first ? panel : w->panel;
  info = multiply_in_memory(&x);
  if (info == GrB_SUCCESS) return grid_disjoint_add(&w->products, x.C);
  GrB_Matrix_free(&x.C);
  return info;
}

static GrB_Info add_products(void *context, GrB_Matrix panel) {
  panel_products *w = context;
  if (panel->nvals == 0) return GrB_SUCCESS;
  w->panel = panel;
  return grid_slices_of(w->other, NULL, false, panel_bytes((double)w->entries / (double)panel->nvals),
                        add_product, w);
}

static GrB_Info multiply_panels(const grid_kronecker *x) {
  const bool is_a_first = x->A->nvals <= x->B->nvals;
  struct GrB_Descriptor_opaque desc = grid_desc_plain(x->d);
  desc.tran0 = true;
  panel_products w = {.x = x,
                      .other = is_a_first ? x->B : x->A,
                      .entries = grid_slice_bytes(SHARE_PRODUCT) / PRODUCT_ENTRY * (uint64_t)grid_ctx.P,
                      .products.path = grid_paged_path((const GrB_Matrix[]){x->A, x->B, x->mask, x->C}, 4)};
  GrB_Matrix T = NULL;
  GrB_Info info = grid_slices_of(is_a_first ? x->A : x->B, NULL, false, panel_bytes(sqrt((double)w.entries)),
                                 add_products, &w);
  if (info == GrB_SUCCESS) info = grid_disjoint_unite(&T, &w.products, x->op->z, x->C->nrows, x->C->ncols);
  if (info == GrB_SUCCESS)
    info = GrB_transpose(x->C, x->mask, x->accum, T, &desc); /* of the transpose: T itself */
  grid_disjoint_free(&w.products);
  GrB_Matrix_free(&T);
  return info;
}

/* ---- arguments ---- */

static bool is_product(uint64_t have, uint64_t a, uint64_t b) {
  uint64_t product;
  return !__builtin_mul_overflow(a, b, &product) && product == have;
}

static GrB_Info check_operands(GrB_Matrix C, const grid_kron_operand *a, const grid_kron_operand *b,
                               GrB_BinaryOp op) {
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
  bool needed;
  TRY(grid_check_object(A, &C->head, call, "A"));
  TRY(grid_check_object(B, &C->head, call, "B"));
  TRY(grid_check_multiplier(op, &C->head, call, "op"));
  TRY(grid_check_matrix_output(C, mask, accum, desc, op->z, call, &d));
  const grid_kron_operand a = grid_kron_operand_of(A, d.tran0), b = grid_kron_operand_of(B, d.tran1);
  const grid_kronecker x = {C, mask, accum, op, A, B, &d, call};
  TRY(check_operands(C, &a, &b, op));
  if (op->index) return grid_hooks.index_binary->kronecker(C, mask, accum, op, A, B, desc);
  info = grid_kronecker_out_of_core(&x, &needed);
  if (info == GRID_UNSUPPORTED) return multiply_panels(&x);
  if (info == GrB_SUCCESS && !needed) info = multiply_in_memory(&x);
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
  TRY(grid_hooks.index_binary->matrix_positions(&P, first ? A : B, rows, op->shift, op->z));
  info = kronecker(C, mask, accum, grid_position_operand(op->z, first), first ? P : A, first ? B : P, desc);
done:
  GrB_Matrix_free(&P);
  return info;
}

/* Entries of the result; the same on all processes. */
static uint64_t estimate_work(GrB_Matrix A, GrB_Matrix B) {
  uint64_t work;
  if (!A || !B || !grid_is_live(A) || !grid_is_live(B)) return 0;
  return __builtin_mul_overflow(A->nvals, B->nvals, &work) ? UINT64_MAX : work;
}

/* The operator of a monoid or semiring, which must be a live object. */
#define DEFINE(FORM, OPERATOR)                                                                        \
  GrB_Info GrB_Matrix_kronecker_##FORM(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, \
                                       const GrB_##FORM op, const GrB_Matrix A, const GrB_Matrix B,   \
                                       const GrB_Descriptor desc) {                                   \
    GRID_CALL_SCOPE;                                                                                  \
    GrB_Info info = grid_check_matrix(C, call, "C");                                                  \
    if (info == GrB_SUCCESS) info = grid_check_object(op, &C->head, call, "op");                      \
    if (info != GrB_SUCCESS) return info;                                                             \
    return GRID_TRACE_SIZED_CALL(call, estimate_work(A, B),                                           \
                                 kronecker_any(C, mask, accum, OPERATOR, A, B, desc), C, mask, A, B); \
  }
DEFINE(Semiring, op->mul)
DEFINE(Monoid, op->op)
DEFINE(BinaryOp, op)
