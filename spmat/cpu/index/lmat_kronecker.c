/* See lmat_kronecker.h. The rows in the block are listed with the two rows that each comes from, then
 * counted, then filled: for each entry of a's row one run, b's row. */
#include "spmat/cpu/index/lmat_kronecker.h"

#include "spmat/matrix/axis.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/segments.h"

typedef struct {
  uint32_t a, b; /* compact rows of the operands */
} origin;

typedef struct {
  const grid_local_matrix *a, *b;
  uint64_t rows, cols; /* of b's matrix */
  grid_kron_block k;
  uint64_t end; /* first column after the block */
  uint64_t n;   /* rows of the block that may hold entries */
  uint64_t *id;
  origin *from;
  uint64_t *add;    /* offset to b's column number, by compact column of a */
  bool hypersparse; /* columns are numbered as the block lists them, */
  uint64_t first;   /* minus the number of those before it */
  grid_binary op;
  const char *x, *y; /* values of op's types */
  size_t xs, ys;     /* bytes between values; 0: iso */
  bool values;
} job;

/* ---- rows ---- */

/* Is row g of the product in the block? Then *local is its row there. */
static inline bool in_block(const grid_kron_block *k, uint64_t g, uint64_t *local) {
  if (k->R == 1) return true;
  const uint64_t chunk = k->first ? grid_segment_of(k->first, 1, k->chunks, g) : g / k->q;
  if (chunk % k->R != k->i) return false;
  *local = k->first ? k->block_offset[chunk] + (g - k->first[chunk]) : chunk / k->R * k->q + g % k->q;
  return true;
}

/* Lists the rows of the block that come from a's row ra, beginning at `at`, or only counts them. */
static uint64_t list_rows(job *j, uint64_t ra, uint64_t at, bool write) {
  const uint64_t first = grid_axis_id(&j->a->row, ra) * j->rows;
  const grid_compressed *b = &j->b->by_row;
  uint64_t n = 0;
  if (grid_vector_start(&j->a->by_row, ra) == grid_vector_start(&j->a->by_row, ra + 1)) return 0;
  for (uint64_t rb = 0; rb < j->b->row.n; rb++) {
    if (grid_vector_start(b, rb) == grid_vector_start(b, rb + 1)) continue;
    const uint64_t g = first + grid_axis_id(&j->b->row, rb);
    uint64_t local = g;
    if (!in_block(&j->k, g, &local)) continue;
    if (write) {
      j->id[at + n] = local;
      j->from[at + n] = (origin){(uint32_t)ra, (uint32_t)rb};
    }
    n++;
  }
  return n;
}

static GrB_Info find_rows(job *j) {
  const int64_t rows = (int64_t)j->a->row.n;
  uint64_t *at = grid_malloc((size_t)rows + 1, sizeof *at);
  if (!at) return grid_fail_memory(NULL, "counts of rows", (uint64_t)rows + 1, sizeof *at);
#pragma omp parallel for schedule(dynamic, 64) if (rows > 1 << 8)
  for (int64_t r = 0; r < rows; r++) at[r] = list_rows(j, (uint64_t)r, 0, false);
  for (int64_t r = 0; r < rows; r++) {
    const uint64_t n = at[r];
    at[r] = j->n;
    j->n += n;
  }
  j->id = grid_malloc(j->n, sizeof *j->id);
  j->from = grid_malloc(j->n, sizeof *j->from);
  if (!j->id || !j->from || j->n > UINT32_MAX) {
    grid_free(at);
    return grid_fail_memory(NULL, "rows of a Kronecker product", j->n, sizeof *j->id + sizeof *j->from);
  }
#pragma omp parallel for schedule(dynamic, 64) if (rows > 1 << 8)
  for (int64_t r = 0; r < rows; r++) list_rows(j, (uint64_t)r, at[r], true);
  grid_free(at);
  return GrB_SUCCESS;
}

/* ---- columns ---- */

/* Number of b's columns; an axis without a list may be longer. */
static uint64_t count_b_cols(const job *j) {
  return j->b->col.ids ? j->b->col.n : j->cols;
}

/* Number of column pairs before column g of the product. */
static uint64_t count_pairs_before(const job *j, uint64_t g) {
  const uint64_t ja = g / j->cols, ca = grid_axis_bound(&j->a->col, ja), n = count_b_cols(j);
  if (ca == j->a->col.n || grid_axis_id(&j->a->col, ca) > ja) return ca * n;
  return ca * n + grid_axis_bound(&j->b->col, g % j->cols);
}

static GrB_Info list_cols(job *j, grid_local_matrix *t) {
  const uint64_t n = count_b_cols(j), last = count_pairs_before(j, j->end - 1) + n,
                 from = count_pairs_before(j, j->k.base);
  uint64_t end = from;
  for (; end < last && end / n < j->a->col.n; end++) {
    const uint64_t g = grid_axis_id(&j->a->col, end / n) * j->cols + grid_axis_id(&j->b->col, end % n);
    if (g >= j->end) break;
  }
  GrB_Info info = grid_axis_list(&t->col, end - from);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = from; k < end; k++)
    grid_axis_store(&t->col, k - from,
                    grid_axis_id(&j->a->col, k / n) * j->cols + grid_axis_id(&j->b->col, k % n) - j->k.base);
  j->hypersparse = true;
  j->first = from;
  return GrB_SUCCESS;
}

static GrB_Info find_cols(job *j, grid_local_matrix *t) {
  const uint64_t n = j->a->col.n;
  j->add = grid_malloc(n, sizeof *j->add);
  if (!j->add) return grid_fail_memory(NULL, "columns of a Kronecker product", n, sizeof *j->add);
  if (grid_axis_has_ids64(&t->col)) {
    GrB_Info info = list_cols(j, t);
    if (info != GrB_SUCCESS) return info;
  } else {
    t->col.n = t->col.dim;
  }
  for (uint64_t c = 0; c < n; c++)
    j->add[c] =
        j->hypersparse ? c * count_b_cols(j) - j->first : grid_axis_id(&j->a->col, c) * j->cols - j->k.base;
  return GrB_SUCCESS;
}

/* Clips the entries [*from, *to) of b's row to those in the block when paired with column ca of a. */
static inline void clip(const job *j, uint32_t ca, uint64_t *from, uint64_t *to) {
  const uint64_t first = grid_axis_id(&j->a->col, ca) * j->cols;
  const uint32_t *idx = j->b->by_row.idx;
  if (first >= j->k.base && first + j->cols <= j->end) return;
  if (first >= j->end || first + j->cols <= j->k.base) {
    *to = *from;
    return;
  }
  const uint64_t end = *to;
  if (first < j->k.base)
    *from = grid_first_entry(idx, *from, end, grid_axis_bound(&j->b->col, j->k.base - first));
  if (first + j->cols > j->end)
    *to = grid_first_entry(idx, *from, end, grid_axis_bound(&j->b->col, j->end - first));
}

/* ---- entries ---- */

static uint64_t count_row(const job *j, uint64_t r, bool all) {
  const grid_compressed *a = &j->a->by_row, *b = &j->b->by_row;
  const origin o = j->from[r];
  const uint64_t ea = grid_vector_start(a, o.a), la = grid_vector_start(a, (uint64_t)o.a + 1) - ea;
  uint64_t from = grid_vector_start(b, o.b), to = grid_vector_start(b, (uint64_t)o.b + 1), n = 0;
  if (all) return la * (to - from);
  for (uint64_t e = ea; e < ea + la; e++) {
    uint64_t f = from, t = to;
    clip(j, a->idx[e], &f, &t);
    n += t - f;
  }
  return n;
}

static void fill_row(const job *j, uint64_t r, uint64_t at, uint32_t *idx, char *val) {
  const grid_compressed *a = &j->a->by_row, *b = &j->b->by_row;
  const origin o = j->from[r];
  const uint64_t first = grid_vector_start(b, o.b), end = grid_vector_start(b, (uint64_t)o.b + 1);
  for (uint64_t e = grid_vector_start(a, o.a); e < grid_vector_start(a, (uint64_t)o.a + 1); e++) {
    uint64_t from = first, to = end;
    clip(j, a->idx[e], &from, &to);
    const uint32_t add = (uint32_t)j->add[a->idx[e]];
    if (j->hypersparse || !j->b->col.ids)
      for (uint64_t k = from; k < to; k++) idx[at + k - from] = add + b->idx[k];
    else
      for (uint64_t k = from; k < to; k++)
        idx[at + k - from] = add + (uint32_t)grid_axis_id(&j->b->col, b->idx[k]);
    if (j->values && to > from)
      grid_binary_run(&j->op, val + at * j->op.zs, j->x + e * j->xs, 0, j->y + from * j->ys, j->ys ? 1 : 0,
                      to - from);
    at += to - from;
  }
}

static GrB_Info fill(job *j, grid_local_matrix *t) {
  const int64_t rows = (int64_t)j->n;
  const bool all = j->k.base == 0 && j->end >= (grid_axis_id(&j->a->col, j->a->col.n - 1) + 1) * j->cols;
  uint64_t *at = grid_malloc(j->n + 1, sizeof *at), n = 0;
  grid_offsets start = {0};
  uint32_t *idx = NULL;
  char *val = NULL;
  GrB_Info info = at ? GrB_SUCCESS : grid_fail_memory(NULL, "counts of rows", j->n, sizeof *at);
  TRY(info);
#pragma omp parallel for schedule(dynamic, 256) if (rows > 1 << 10)
  for (int64_t r = 0; r < rows; r++) at[r] = count_row(j, (uint64_t)r, all);
  for (int64_t r = 0; r < rows; r++) {
    const uint64_t count = at[r];
    at[r] = n;
    n += count;
  }
  at[rows] = n;
  idx = grid_malloc(n, sizeof *idx);
  val = j->values ? grid_malloc(n, j->op.zs) : NULL;
  if (!grid_offsets_make(&start, j->n + 1, n) || !idx || (j->values && !val))
    TRY(grid_fail_memory(NULL, "a Kronecker product", n, sizeof *idx + j->op.zs));
#pragma omp parallel for schedule(dynamic, 64) if (n > 1 << 14)
  for (int64_t r = 0; r <= rows; r++) {
    grid_offset_set(start, (uint64_t)r, at[r]);
    if (r < rows) fill_row(j, (uint64_t)r, at[r], idx, val);
  }
  t->nvals = n;
done:
  grid_free(at);
  grid_compressed_finish(&t->by_row, info, &start, idx, val);
  return info;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Can the pairs of the factors' columns be numbered? */
static bool is_numberable(const grid_local_matrix *a, const grid_local_matrix *b) {
  uint64_t pairs;
  return !__builtin_mul_overflow(a->col.n, b->col.n, &pairs) && pairs <= UINT32_MAX;
}

/* *p: the same matrix with a list of its columns, if few have entries; on a device it had none. */
static GrB_Info list_used_columns(const grid_local_matrix **p, grid_local_matrix *made) {
  GrB_Info info = grid_cpu_lmat_copy_rows(made, *p);
  *p = made;
  return info == GrB_SUCCESS ? grid_lmat_choose_format(made) : info;
}

/* Values of p as `type`: p's own, or cast in *made. */
static GrB_Info values_of(const grid_local_matrix *p, GrB_Type type, const char **v, size_t *step,
                          char **made) {
  const uint64_t n = p->iso ? 1 : p->nvals;
  const char *own = p->iso ? p->iso_val : p->by_row.val;
  *step = p->iso ? 0 : type->size;
  *v = own;
  if (type == p->type) return GrB_SUCCESS;
  *v = *made = grid_malloc(n, type->size);
  if (!*made) return grid_fail_memory(NULL, "converted values", n, type->size);
  grid_cast_array(*made, type, own, p->type, 1, n);
  return GrB_SUCCESS;
}

/* Are all values of the product equal? Then *one is the value. */
static bool has_iso_result(const job *j, GrB_BinaryOp op, void *one) {
  if ((op->uses_x && !j->a->iso) || (op->uses_y && !j->b->iso)) return false;
  grid_binary_run(&j->op, one, j->x, 0, j->y, 0, 1);
  return true;
}

/* Sets t's rows to the listed ones. */
static GrB_Info kron_rows(const job *j, grid_local_matrix *t) {
  GrB_Info info = grid_axis_list(&t->row, j->n);
  for (uint64_t r = 0; info == GrB_SUCCESS && r < j->n; r++) grid_axis_store(&t->row, r, j->id[r]);
  return info;
}

GrB_Info grid_cpu_lmat_kron(grid_local_matrix *t, const grid_local_matrix *a, const grid_local_matrix *b,
                            uint64_t rows, uint64_t cols, GrB_BinaryOp op, const grid_kron_block *k) {
  job j = {.a = a, .b = b, .rows = rows, .cols = cols, .k = *k, .end = k->base + k->cols};
  grid_local_matrix listed[2] = {0};
  char *cast[2] = {NULL, NULL}, *one = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (a->nvals == 0 || b->nvals == 0) return info;
  if (grid_axis_has_ids64(&t->col) && !is_numberable(a, b)) {
    TRY(list_used_columns(&j.a, &listed[0]));
    TRY(list_used_columns(&j.b, &listed[1]));
  }
  TRY(grid_binary_bind(&j.op, op, op->z, op->x, op->y));
  TRY(values_of(a, op->x, &j.x, &j.xs, &cast[0]));
  TRY(values_of(b, op->y, &j.y, &j.ys, &cast[1]));
  one = grid_malloc(1, op->z->size);
  if (!one) TRY(grid_fail_memory(NULL, "a value", 1, op->z->size));
  j.values = !has_iso_result(&j, op, one);
  if (!j.values) TRY(grid_lmat_set_iso(t, one));
  TRY(find_rows(&j));
  TRY(find_cols(&j, t));
  TRY(kron_rows(&j, t));
  TRY(fill(&j, t));
  TRY(grid_lmat_choose_format(t));
done:
  grid_binary_free(&j.op);
  grid_free(cast[0]);
  grid_free(cast[1]);
  grid_free(one);
  grid_free(j.id);
  grid_free(j.from);
  grid_free(j.add);
  for (int f = 0; f < 2; f++)
    if (listed[f].type) grid_lmat_free(&listed[f]);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
