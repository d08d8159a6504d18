/* See lmat_kronecker.h. The product's rows come from pairs of rows of the factors, in their order. Tasks of
 * consecutive pairs count rows and entries first, then fill: for each entry of a's row one run, b's row. */
#include "spmat/cpu/index/lmat_kronecker.h"

#include "spmat/matrix/axis.h"
#include "spmat/convert/lmat_format.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/segments.h"

enum { TASKS = 64 }; /* a thread */

/* A task: pairs of rows from (a, b) to the next task's. */
typedef struct {
  uint64_t a, b;
  uint64_t rows, entries; /* of the block in the task, then in those before it */
  uint64_t next_row;      /* the row after the task's last one; then after the last one before it */
} task;

typedef struct {
  const grid_local_matrix *a, *b;
  uint64_t rows, cols; /* of b's matrix */
  grid_kron_block k;
  uint64_t end;          /* first column after the block */
  bool clips;            /* some entries may lie outside the block's columns */
  grid_pair base, after; /* the block's first column, and `end`, as columns of a (r) and b (c) */
  bool hypersparse;      /* columns are numbered as the block lists them, */
  uint64_t first;        /* minus the number of those before it */
  grid_binary op;
  const char *x, *y; /* values of op's types */
  size_t xs, ys;     /* bytes between values; 0: iso */
  bool values;
  uint64_t tasks;
  task *task; /* tasks + 1 */
} job;

/* A pair of rows, and the entries [ea, ea + la) and [eb, eb + lb) in them. */
typedef struct {
  uint64_t a, b;
  uint64_t ea, la, eb, lb;
  uint64_t row; /* of the block */
} row_pair;

/* ---- pairs of rows ---- */

/* Is row g of the product in the block? Then *local is its row there. */
static inline bool in_block(const grid_kron_block *k, uint64_t g, uint64_t *local) {
  *local = g;
  if (k->R == 1) return true;
  const uint64_t chunk = k->first ? grid_segment_of(k->first, 1, k->chunks, g) : g / k->q;
  if (chunk % k->R != k->i) return false;
  *local = k->first ? k->block_offset[chunk] + (g - k->first[chunk]) : chunk / k->R * k->q + g % k->q;
  return true;
}

/* Finds the entries of the rows p->a and p->b. False: one is empty, or the product's row lies elsewhere. */
static inline bool read_pair(const job *j, row_pair *p) {
  p->ea = grid_vector_start(&j->a->by_row, p->a);
  p->la = grid_vector_start(&j->a->by_row, p->a + 1) - p->ea;
  p->eb = grid_vector_start(&j->b->by_row, p->b);
  p->lb = grid_vector_start(&j->b->by_row, p->b + 1) - p->eb;
  return p->la && p->lb &&
         in_block(&j->k, grid_axis_id(&j->a->row, p->a) * j->rows + grid_axis_id(&j->b->row, p->b), &p->row);
}

/* After an empty row of a, which has no rows in the product, follows the next one. */
static inline void next_pair(const job *j, row_pair *p) {
  if (p->la == 0 || ++p->b == j->b->row.n) p->a++, p->b = 0;
}

static inline bool is_in_task(const row_pair *p, const task *t) {
  return p->a < t[1].a || (p->a == t[1].a && p->b < t[1].b);
}

/* Pairs before this one, and their entries in the whole product. */
static uint64_t work_before(const job *j, uint64_t pair) {
  const grid_compressed *a = &j->a->by_row, *b = &j->b->by_row;
  const uint64_t n = j->b->row.n, ra = pair / n, ea = grid_vector_start(a, ra),
                 la = ra < j->a->row.n ? grid_vector_start(a, ra + 1) - ea : 0;
  return pair + ea * j->b->nvals + la * grid_vector_start(b, pair % n);
}

/* The first pair with at least this much work before it. */
static uint64_t pair_after_work(const job *j, uint64_t work) {
  uint64_t low = 0, high = j->a->row.n * j->b->row.n;
  while (low < high) {
    const uint64_t mid = low + (high - low) / 2;
    if (work_before(j, mid) < work)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* j->task: tasks of about equal work. */
static GrB_Info make_tasks(job *j) {
  const uint64_t pairs = j->a->row.n * j->b->row.n, all = work_before(j, pairs);
  const int threads = grid_work_threads(all / 4);
  j->tasks = threads > 1 ? TASKS * (uint64_t)threads : 1;
  j->task = grid_calloc(j->tasks + 1, sizeof *j->task);
  if (!j->task) return grid_fail_memory(NULL, "tasks", j->tasks + 1, sizeof *j->task);
  for (uint64_t t = 1; t <= j->tasks; t++) {
    const uint64_t pair = t < j->tasks ? pair_after_work(j, all / j->tasks * t) : pairs;
    j->task[t].a = pair / j->b->row.n, j->task[t].b = pair % j->b->row.n;
  }
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
  if (grid_axis_has_ids64(&t->col)) return list_cols(j, t);
  t->col.n = t->col.dim;
  return GrB_SUCCESS;
}

/* Do the product's columns come from b's as by_row has them? Else from their ids. */
static inline bool has_numbers_of_b(const job *j) {
  return j->hypersparse || !j->b->col.ids;
}
static inline uint32_t number_of_b(const job *j, uint32_t cb) {
  return has_numbers_of_b(j) ? cb : (uint32_t)grid_axis_id(&j->b->col, cb);
}
/* Offset from the number of a column of b to that of its pair with column ca of a. */
static inline uint32_t column_offset(const job *j, uint32_t ca) {
  return (uint32_t)(j->hypersparse ? ca * count_b_cols(j) - j->first
                                   : grid_axis_id(&j->a->col, ca) * j->cols - j->k.base);
}

/* Clips the entries [*from, *to) of b's row to those in the block when paired with column ca of a. */
static inline void clip(const job *j, uint32_t ca, uint64_t *from, uint64_t *to) {
  if (!j->clips) return;
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

/* Does the pair's row follow from b's only entry and a run of a's? */
static inline bool runs_along_a(const row_pair *p) {
  return p->lb == 1 && p->la > 1;
}

/* Such a pair with those entries of a's row alone whose columns are in the block. */
static inline row_pair clip_row(const job *j, const row_pair *p) {
  const grid_axis *cols = &j->a->col;
  const uint32_t *idx = j->a->by_row.idx;
  const uint64_t cb = grid_axis_id(&j->b->col, j->b->by_row.idx[p->eb]);
  row_pair q = *p;
  if (!j->clips) return q;
  q.ea = grid_first_entry(idx, p->ea, p->ea + p->la, grid_axis_bound(cols, j->base.r + (cb < j->base.c)));
  q.la = grid_first_entry(idx, q.ea, p->ea + p->la, grid_axis_bound(cols, j->after.r + (cb < j->after.c))) -
         q.ea;
  return q;
}

static uint64_t count_pair(const job *j, const row_pair *p) {
  uint64_t n = 0;
  if (!j->clips) return p->la * p->lb;
  if (runs_along_a(p)) return clip_row(j, p).la;
  for (uint64_t e = p->ea; e < p->ea + p->la; e++) {
    uint64_t from = p->eb, to = p->eb + p->lb;
    clip(j, j->a->by_row.idx[e], &from, &to);
    n += to - from;
  }
  return n;
}

static void count_task(const job *j, task *t) {
  task count = {0}; /* other threads write beside *t, and read where it begins */
  for (row_pair p = {.a = t->a, .b = t->b}; is_in_task(&p, t); next_pair(j, &p)) {
    const uint64_t n = read_pair(j, &p) ? count_pair(j, &p) : 0;
    if (n == 0) continue;
    count.rows++;
    count.entries += n;
    count.next_row = p.row + 1;
  }
  t->rows = count.rows, t->entries = count.entries, t->next_row = count.next_row;
}

/* Replaces the tasks' counts by those of the tasks before; the last one's are the whole's. */
static void sum_counts(job *j) {
  task sum = {0};
  for (uint64_t t = 0; t <= j->tasks; t++) {
    task *k = &j->task[t];
    const task count = *k;
    k->rows = sum.rows, k->entries = sum.entries, k->next_row = sum.next_row;
    sum.rows += count.rows, sum.entries += count.entries;
    if (count.rows) sum.next_row = count.next_row;
  }
}

static void fill_by_a(const job *j, const row_pair *p, uint32_t *idx, char *val) {
  const uint32_t cb = number_of_b(j, j->b->by_row.idx[p->eb]);
  for (uint64_t k = 0; k < p->la; k++) idx[k] = column_offset(j, j->a->by_row.idx[p->ea + k]) + cb;
  if (j->values)
    grid_binary_run(&j->op, val, j->x + p->ea * j->xs, j->xs ? 1 : 0, j->y + p->eb * j->ys, 0, p->la);
}

/* Returns the number of entries. */
static uint64_t fill_pair(const job *j, const row_pair *p, uint32_t *idx, char *val) {
  const uint32_t *b = j->b->by_row.idx;
  uint64_t at = 0;
  if (runs_along_a(p)) {
    const row_pair q = clip_row(j, p);
    fill_by_a(j, &q, idx, val);
    return q.la;
  }
  for (uint64_t e = p->ea; e < p->ea + p->la; e++) {
    uint64_t from = p->eb, to = p->eb + p->lb;
    const uint32_t ca = j->a->by_row.idx[e], offset = column_offset(j, ca);
    clip(j, ca, &from, &to);
    if (has_numbers_of_b(j))
      for (uint64_t k = from; k < to; k++) idx[at + k - from] = offset + b[k];
    else
      for (uint64_t k = from; k < to; k++) idx[at + k - from] = offset + number_of_b(j, b[k]);
    if (j->values && to > from)
      grid_binary_run(&j->op, val + at * j->op.zs, j->x + e * j->xs, 0, j->y + from * j->ys, j->ys ? 1 : 0,
                      to - from);
    at += to - from;
  }
  return at;
}

/* Stores the rows of a task, and the offsets of the empty rows before each. */
static void fill_task(const job *j, const task *t, const grid_local_matrix *p, grid_offsets start,
                      uint32_t *idx, char *val) {
  uint64_t row = p->row.ids ? t->rows : t->next_row, at = t->entries;
  if (t[1].rows == t->rows) return;
  for (row_pair q = {.a = t->a, .b = t->b}; is_in_task(&q, t); next_pair(j, &q)) {
    const uint64_t n = read_pair(j, &q) ? fill_pair(j, &q, idx + at, val + at * j->op.zs) : 0;
    if (n == 0) continue;
    if (p->row.ids) {
      grid_axis_store(&p->row, row, q.row);
      grid_offset_set(start, row++, at);
    } else {
      while (row <= q.row) grid_offset_set(start, row++, at);
    }
    at += n;
  }
}

/* Rows are listed, unless there are so many entries that all rows are represented. */
static GrB_Info make_rows(const task *all, grid_local_matrix *t) {
  if (grid_axis_has_ids64(&t->row) || !grid_axis_is_dense_for(t->row.dim, all->entries))
    return grid_axis_list(&t->row, all->rows);
  t->row.n = t->row.dim;
  return GrB_SUCCESS;
}

static GrB_Info fill(job *j, grid_local_matrix *t) {
  const int64_t tasks = (int64_t)j->tasks;
  const task *all = &j->task[tasks];
  grid_offsets start = {0};
  uint32_t *idx = NULL;
  char *val = NULL;
  GrB_Info info = GrB_SUCCESS;
#pragma omp parallel for schedule(dynamic, 1) if (tasks > 1)
  for (int64_t k = 0; k < tasks; k++) count_task(j, &j->task[k]);
  sum_counts(j);
  TRY(make_rows(all, t));
  const uint64_t n = all->entries;
  idx = grid_malloc(n, sizeof *idx);
  val = j->values ? grid_malloc(n, j->op.zs) : NULL;
  if (!grid_offsets_make(&start, t->row.n + 1, n) || !idx || (j->values && !val))
    TRY(grid_fail_memory(NULL, "a Kronecker product", n, sizeof *idx + j->op.zs));
#pragma omp parallel for schedule(dynamic, 1) if (tasks > 1)
  for (int64_t k = 0; k < tasks; k++) fill_task(j, &j->task[k], t, start, idx, val);
  for (uint64_t r = t->row.ids ? all->rows : all->next_row; r <= t->row.n; r++) grid_offset_set(start, r, n);
  t->nvals = n;
done:
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
  const char *values = p->iso ? p->iso_val : p->by_row.val;
  *step = p->iso ? 0 : type->size;
  *v = values;
  if (type == p->type) return GrB_SUCCESS;
  *v = *made = grid_malloc(n, type->size);
  if (!*made) return grid_fail_memory(NULL, "converted values", n, type->size);
  grid_cast_array(*made, type, values, p->type, 1, n);
  return GrB_SUCCESS;
}

/* Are all values of the product equal? Then *one is the value. */
static bool has_iso_result(const job *j, GrB_BinaryOp op, void *one) {
  if ((op->uses_x && !j->a->iso) || (op->uses_y && !j->b->iso)) return false;
  grid_binary_run(&j->op, one, j->x, 0, j->y, 0, 1);
  return true;
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
  j.base = (grid_pair){j.k.base / cols, j.k.base % cols};
  j.after = (grid_pair){j.end / cols, j.end % cols};
  j.clips = k->base > 0 || j.end < (grid_axis_id(&j.a->col, j.a->col.n - 1) + 1) * cols;
  TRY(grid_binary_bind(&j.op, op, op->z, op->x, op->y));
  TRY(values_of(a, op->x, &j.x, &j.xs, &cast[0]));
  TRY(values_of(b, op->y, &j.y, &j.ys, &cast[1]));
  one = grid_malloc(1, op->z->size);
  if (!one) TRY(grid_fail_memory(NULL, "a value", 1, op->z->size));
  j.values = !has_iso_result(&j, op, one);
  if (!j.values) TRY(grid_lmat_set_iso(t, one));
  TRY(make_tasks(&j));
  TRY(find_cols(&j, t));
  TRY(fill(&j, t));
  TRY(grid_lmat_choose_format(t));
done:
  grid_binary_free(&j.op);
  grid_free(cast[0]);
  grid_free(cast[1]);
  grid_free(one);
  grid_free(j.task);
  for (int f = 0; f < 2; f++)
    if (listed[f].type) grid_lmat_free(&listed[f]);
  if (info != GrB_SUCCESS) grid_lmat_free(t);
  return info;
}
