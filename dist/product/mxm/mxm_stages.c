/* A product of matrices in stages (SUMMA: van de Geijn, Watts 1997; sparse: Buluc, Gilbert 2012). Chunk k of
 * the inner dimension is columns of A in the blocks of one grid column, and rows of B in those of one grid
 * row. In stage k each process receives a segment of A from its grid row and one of B from its grid column.
 * It adds their product to the sum of the stages before. As many stages are taken together as
 * grid_tune.stage_bytes allows. */
#include "dist/product/mxm/mxm_stages.h"

#include <string.h>

#include "dist/product/mxm/operands/mxm_mask_rows.h"
#include "dist/product/mxm/mxm_methods.h"
#include "dist/product/mxm/operands/mxm_panel.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/matrix/axis.h"

typedef struct {
  GrB_Semiring s;
  grid_rows a, b; /* the blocks of A and B, or their transposes */
  GrB_Type a_type, b_type;
  bool whole; /* b is all of B that this process needs: there is one stage, without messages */
  /* With `whole`, or NULL: B's columns, for dot products. Then all operands have the same numbering of inner
   * indices, and b's rows may not exist. */
  const grid_rows *bt;
  uint64_t ninner, ncols;        /* dimensions: of A's columns, of B's columns */
  const grid_local_matrix *mask; /* or NULL */
  bool structure, complement;
} stages;

typedef struct {
  const stages *g;
  grid_numbering rows, cols;
  grid_mask_rows mask;
  grid_mxm m;
  uint64_t *end; /* of each group of stages: the first chunk after it */
  int groups;
  char constant[16];
  grid_compressed accumulated;
  uint64_t nvals;
} multiplying;

/* ---- plan ---- */

/* count[k] = entries of this block in the k-th of its chunks of the inner dimension, which begins at
 * begin[k]. */
static void count_columns(const grid_rows *a, const uint64_t *begin, uint64_t chunks, uint64_t *count) {
  for (uint64_t e = 0; e < a->nvals; e++)
    count[grid_segment_of(begin, 1, chunks, grid_axis_id(a->col, a->c->idx[e]))]++;
}
static void count_rows(const grid_rows *b, const uint64_t *begin, uint64_t chunks, uint64_t *count) {
  for (uint64_t r = 0; r < b->row->n && b->nvals; r++)
    count[grid_segment_of(begin, 1, chunks, grid_axis_id(b->row, r))] +=
        grid_vector_start(b->c, r + 1) - grid_vector_start(b->c, r);
}

/* v[k], v[P + k]: entries of this process's segments of A and B in stage k. local_counts: 2 P words, zeros.
 */
static void count_segments(const stages *g, uint64_t *v, uint64_t *local_counts) {
  const int R = grid_ctx.R, C = grid_ctx.C, P = grid_ctx.P;
  uint64_t *begin = local_counts + P;
  if (C > 1) {
    for (int i = 0; i < R; i++) begin[i] = grid_block_offset(g->ninner, false, i);
    count_columns(&g->a, begin, (uint64_t)R, local_counts);
    for (int i = 0; i < R; i++) v[grid_ctx.j * R + i] = local_counts[i];
  }
  memset(local_counts, 0, (size_t)P * sizeof *local_counts);
  if (R > 1) {
    for (int m = 0; m < C; m++) begin[m] = grid_block_offset(g->ninner, true, m);
    count_rows(&g->b, begin, (uint64_t)C, local_counts);
    for (int m = 0; m < C; m++) v[P + m * R + grid_ctx.i] = local_counts[m];
  }
}

/* Words of the plan's message, which become maxima over the processes: whether the block has several values;
 * its value; the complement of that. The value is the same on all processes if the maxima are complements. */
static void set_constant(const grid_rows *x, uint64_t *w) {
  uint64_t one = 0;
  if (x->nvals == 0 || x->size == 0) return;
  w[0] = !x->iso || x->size > sizeof one;
  if (!w[0]) memcpy(&one, x->iso, x->size);
  w[1] = one, w[2] = ~one;
}

/* Is a sum of equal products that value again? The same on all processes. */
static bool may_be_structural(const multiplying *p) {
  const GrB_Semiring s = p->g->s;
  return s->mul->f && (s->add->any || s->add->idempotent) && s->mul->z->size <= sizeof p->constant;
}

/* Is every product the same value, too? */
static bool is_structural(multiplying *p, const uint64_t *a, const uint64_t *b) {
  const GrB_BinaryOp mul = p->g->s->mul;
  uint64_t x[2] = {0}, y[2] = {0};
  if (!may_be_structural(p)) return false;
  const bool x_one = !mul->uses_x || (!a[0] && a[1] == ~a[2]),
             y_one = !mul->uses_y || (!b[0] && b[1] == ~b[2]);
  if (!x_one || !y_one || mul->x->size > sizeof x || mul->y->size > sizeof y) return false;
  if (mul->uses_x) grid_cast_array(x, mul->x, &a[1], p->g->a_type, 1, 1);
  if (mul->uses_y) grid_cast_array(y, mul->y, &b[1], p->g->b_type, 1, 1);
  mul->f(p->constant, x, y);
  return true;
}

static uint64_t max_u64(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Computes p->end, the same on all processes. */
static void group_stages(multiplying *p, const uint64_t *v, uint64_t capacity) {
  const int P = grid_ctx.P;
  const uint64_t a = p->g->a.size + sizeof(uint32_t), b = p->g->b.size + sizeof(uint32_t);
  uint64_t sum = 0;
  for (int k = 0; k < P; k++) {
    const uint64_t segment = v[k] * a + v[P + k] * b;
    if (k > 0 && sum + segment > capacity) {
      p->end[p->groups++] = (uint64_t)k;
      sum = 0;
    }
    sum += segment;
  }
  p->end[p->groups++] = (uint64_t)P;
}

/* The only stage, without messages: its memory is agreed on with the product. */
static GrB_Info plan_whole(multiplying *p) {
  uint64_t w[6] = {0};
  GrB_Info info = GrB_SUCCESS;
  if (!may_be_structural(p)) return info;
  set_constant(&p->g->a, w);
  set_constant(&p->g->b, w + 3);
  if (grid_ctx.P > 1) info = grid_ctx.transport->allreduce(GRID_SET_ALL, w, 6, GRID_MAX);
  p->m.structural = is_structural(p, w, w + 3);
  return info;
}

static GrB_Info plan_stages(multiplying *p) {
  const size_t P = (size_t)grid_ctx.P, n = 2 * P + 7;
  const stages *g = p->g;
  uint64_t *v = grid_calloc(n + 2 * P, sizeof *v);
  p->end = grid_malloc(P, sizeof *p->end);
  GrB_Info info = v && p->end ? GrB_SUCCESS : grid_fail_memory(NULL, "stages", n + 2 * P, sizeof *v);
  TRY(grid_agree(NULL, info));
  count_segments(g, v, v + n);
  uint64_t *a = v + 2 * P, *b = a + 3, *capacity = b + 3;
  set_constant(&g->a, a);
  set_constant(&g->b, b);
  *capacity = g->a.nvals * (g->a.size + 4) + g->b.nvals * (g->b.size + 4);
  if (P > 1) TRY(grid_ctx.transport->allreduce(GRID_SET_ALL, v, n, GRID_MAX));
  p->m.structural = is_structural(p, a, b);
  group_stages(p, v, max_u64(grid_tune.stage_bytes, grid_tune.stage_bytes ? *capacity : 0));
done:
  grid_free(v);
  return info;
}

/* ---- the local product ---- */

static mxm_vectors make_vectors(const grid_compressed *c, const void *val) {
  return (mxm_vectors){.from = c->ptr,
                       .to = c->ptr ? c->ptr + 1 : NULL,
                       .from64 = c->offsets64,
                       .to64 = c->offsets64 ? c->offsets64 + 1 : NULL,
                       .idx = c->idx,
                       .val = val,
                       .val_and = ~UINT64_C(0)};
}

static GrB_Info multiply_local(multiplying *p, const grid_panel *a, const grid_panel *b) {
  grid_compressed c = {0};
  uint64_t nvals;
  grid_mxm *m = &p->m;
  m->inner = a->inner;
  m->a = a->v, m->b = b->v;
  if (p->g->bt) m->bt = grid_rows_vectors(p->g->bt);
  m->a_entries = a->entries;
  m->b_entries = p->g->bt ? p->g->b.nvals : b->entries;
  m->global_index = a->global_index;
  if (grid_compressed_is_built(&p->accumulated))
    m->partial = make_vectors(&p->accumulated, p->accumulated.val);
  GrB_Info info = grid_mxm_run(m, &c, &nvals);
  if (info != GrB_SUCCESS) return info;
  grid_compressed_free(&p->accumulated, grid_free);
  p->accumulated = c;
  p->nvals = nvals;
  return info;
}

/* Is inner index k column k of A and row k of B, with all of them on this process? */
static bool is_plain(const stages *g) {
  return g->whole && !g->a.col->ids && !g->b.row->ids && g->a.col->n == g->b.row->n &&
         !grid_mxm_uses_position(g->s);
}

static grid_panel whole_panel(const grid_rows *x) {
  return (grid_panel){.v = grid_rows_vectors(x), .entries = x->iso ? 1 : x->nvals, .inner = x->col->n};
}

static GrB_Info multiply_plain(multiplying *p) {
  const grid_panel a = whole_panel(&p->g->a),
                   b = grid_compressed_is_built(p->g->b.c) ? whole_panel(&p->g->b) : (grid_panel){0};
  return multiply_local(p, &a, &b);
}

/* Chunks from .. to. */
static GrB_Info run_stage(multiplying *p, uint64_t from, uint64_t to) {
  const stages *g = p->g;
  grid_panel a = {0}, b = {0};
  GrB_Info info;
  if (is_plain(g)) return multiply_plain(p);
  info = grid_ctx.C > 1 ? grid_panel_columns(&g->a, g->ninner, from, to, &p->rows, &a)
                        : grid_panel_local_columns(&g->a, g->ninner, from, to, &a);
  /* collective, after a local failure too */
  if (grid_ctx.R > 1)
    info = grid_panel_rows(&g->b, g->ninner, from, to, info, &a, &p->cols, &b);
  else if (info == GrB_SUCCESS && grid_compressed_is_built(g->b.c))
    info = grid_panel_local_rows(&g->b, g->ninner, from, to, &a, &b);
  if (info != GrB_SUCCESS) goto done;
  info = multiply_local(p, &a, &b);
done:
  grid_panel_free(&a);
  grid_panel_free(&b);
  return info;
}

/* ---- all stages ---- */

static GrB_Info make_lmat(multiplying *p, grid_local_matrix *t) {
  GrB_Info info;
  t->by_row = p->accumulated;
  p->accumulated = (grid_compressed){0};
  t->nvals = p->nvals;
  TRY(grid_axis_copy(&t->row, &p->rows.axis));
  TRY(grid_axis_copy(&t->col, &p->cols.axis));
  if (p->m.structural) TRY(grid_lmat_set_iso(t, p->constant));
  info = grid_lmat_choose_format(t);
done:
  return info;
}

/* The rows and columns of the product. */
static GrB_Info number_axes(multiplying *p) {
  const stages *g = p->g;
  GrB_Info info = GrB_SUCCESS;
  p->rows.axis = *g->a.row, p->cols.axis = *g->b.col;
  if (g->whole) return info;
  TRY(grid_number(GRID_SET_ROW, g->a.row, GrB_SUCCESS, &p->rows));
  TRY(grid_number(GRID_SET_COL, g->b.col, GrB_SUCCESS, &p->cols));
done:
  return info;
}

static GrB_Info multiply_stages(const stages *g, grid_local_matrix *t) {
  multiplying p = {.g = g, .m = {.s = g->s, .a_type = g->a_type, .b_type = g->b_type}};
  GrB_Info info;
  uint64_t from = 0;
  grid_lmat_init(t, g->s->add->op->z, 0, 0);
  TRY(g->whole ? plan_whole(&p) : plan_stages(&p));
  TRY(number_axes(&p));
  t->row.dim = p.rows.axis.dim, t->col.dim = p.cols.axis.dim;
  p.m.rows = p.rows.axis.n, p.m.n = p.cols.axis.n;
  p.m.inner_dimension = g->ninner, p.m.n_dimension = g->ncols;
  if (g->mask) {
    info = grid_mask_rows_make(&p.mask, g->mask, g->structure, &p.rows.axis, &p.cols.axis);
    p.m.masked = true, p.m.mask_complement = g->complement;
    p.m.mask = p.mask.v;
  }
  if (g->whole) {
    if (!is_plain(g)) TRY(grid_agree(NULL, info)); /* messages follow */
    if (info == GrB_SUCCESS) info = run_stage(&p, 0, (uint64_t)grid_ctx.P);
  }
  for (int s = 0; s < p.groups; s++) {
    TRY(grid_agree(NULL, info));
    info = run_stage(&p, from, p.end[s]);
    from = p.end[s];
  }
  if (info == GrB_SUCCESS) info = make_lmat(&p, t);
done:
  grid_compressed_free(&p.accumulated, grid_free);
  grid_mask_rows_free(&p.mask);
  grid_numbering_free(&p.rows);
  grid_numbering_free(&p.cols);
  grid_free(p.end);
  return info;
}

/* Views of the operands are taken only now that both are ready: where A and B are the same matrix, preparing
 * B may add an orientation to it. */
GrB_Info grid_mxm_operands_multiply(const grid_mxm_call *x, const grid_mxm_operand *a,
                                    const grid_mxm_operand *b, const grid_local_matrix *mask, bool replicated,
                                    bool by_dots, grid_local_matrix *t) {
  const GrB_BinaryOp mul = x->s->mul;
  grid_rows bt = {0};
  if (by_dots) bt = grid_rows_of(b->lmat, !b->columns, mul->uses_y);
  const stages g = {.s = x->s,
                    .a = grid_rows_of(a->lmat, a->columns, mul->uses_x),
                    .b = grid_rows_of(b->lmat, b->columns, mul->uses_y),
                    .whole = replicated,
                    .bt = bt.c && grid_compressed_is_built(bt.c) ? &bt : NULL,
                    .a_type = x->A->type,
                    .b_type = x->B->type,
                    .ninner = x->d->tran0 ? x->A->nrows : x->A->ncols,
                    .ncols = x->d->tran1 ? x->B->nrows : x->B->ncols,
                    .mask = mask,
                    .structure = x->d->structure,
                    .complement = x->d->complement};
  return multiply_stages(&g, t);
}

/* ---- the method ---- */

static bool applies(const grid_plan *plan) {
  (void)plan;
  return true;
}

static GrB_Info multiply(const grid_mxm_call *x, grid_local_matrix *t) {
  grid_mxm_operand a = {0}, b = {0};
  GrB_Info info;
  TRY(grid_mxm_operand_prepare(x, x->A, x->d->tran0, &a));
  if (x->mask) TRY(grid_matrix_require_host(x->mask, 0, x->call));
  TRY(grid_mxm_operand_prepare(x, x->B, x->d->tran1, &b));
  info = grid_mxm_operands_multiply(x, &a, &b, grid_mxm_mask_block(x), grid_ctx.P == 1, false, t);
done:
  grid_mxm_operand_free(&a);
  grid_mxm_operand_free(&b);
  return info;
}

static GrB_Info run(grid_plan *plan) {
  return grid_mxm_run_method(plan, multiply);
}

const grid_method grid_mxm_method_stages = {.name = "stages", .applies = applies, .run = run};
