/* See lmat_select.h. A positional operator selects one range of each row, or all but one; binary search finds
 * it. Any other operator is evaluated on the entries of a task in blocks. */
#include "spmat/cpu/matrix/lmat_select.h"

#include <string.h>

#include "semiring/op_codes.h"
#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/rows/row_bands.h"
#include "spmat/cpu/rows/entry_positions.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/value_sizes.h"

/* Entries evaluated at a time. */
enum { BLOCK = 256 };

typedef struct {
  grid_indexop op;
  const grid_local_matrix *a;
  const grid_index_map *rows, *cols;
  grid_aligned in;
  grid_row_splits splits;
  size_t size; /* of a value, 0: iso */
} select_job;

/* ---- positional operators ------------------------------------------------------------------------------ */

/* A column: a number, plus the row's where it moves with the row. */
typedef struct {
  int64_t at;
  bool moves;
} column;
/* Columns from <= j < to of each row. */
typedef struct {
  column from, to;
} band;

/* The columns that a predefined positional operator selects; OFFDIAG selects all others. A row's number is
 * less than 2^60, so that larger y change nothing. */
static band band_of(int op, int64_t y) {
  static const int64_t most = INT64_C(1) << 61;
  static const column first = {0, false}, end = {INT64_MAX, false};
  y = y < -most ? -most : y > most ? most : y;
  switch (op) {
    case GRID_OP_TRIL:
      return (band){first, {y + 1, true}};
    case GRID_OP_TRIU:
      return (band){{y, true}, end};
    case GRID_OP_DIAG:
    case GRID_OP_OFFDIAG:
      return (band){{y, true}, {y + 1, true}};
    case GRID_OP_COLLE:
      return (band){first, {y + 1, false}};
    case GRID_OP_COLGT:
      return (band){{y + 1, false}, end};
    default: /* rows */
      return (band){first, end};
  }
}

static bool is_band(GrB_IndexUnaryOp op) {
  switch (op->op) {
    case GRID_OP_TRIL:
    case GRID_OP_TRIU:
    case GRID_OP_DIAG:
    case GRID_OP_OFFDIAG:
    case GRID_OP_COLLE:
    case GRID_OP_COLGT:
    case GRID_OP_ROWLE:
    case GRID_OP_ROWGT:
      return true;
    default:
      return false;
  }
}

/* The first of the entries from .. to - 1 of row i at column c or after it. */
static inline uint64_t find_column(const select_job *s, column c, int64_t i, uint64_t from, uint64_t to) {
  const int64_t j = c.at + (c.moves ? i : 0);
  if (j <= (int64_t)s->cols->base) return from;
  if (j == INT64_MAX) return to;
  const grid_axis *a = &s->a->col;
  const uint64_t id = (uint64_t)j - s->cols->base, k = a->ids ? grid_axis_bound(a, id) : id;
  return grid_first_entry_anywhere(s->a->by_row.idx, from, to, k);
}

/* Is entry e, the first of row i at column c or after it, at c? */
static inline bool is_at_column(const select_job *s, column c, int64_t i, uint64_t e) {
  return (int64_t)(grid_axis_id(&s->a->col, s->a->by_row.idx[e]) + s->cols->base) == c.at + i;
}

/* The ranges of rows r .. end - 1, and the number of entries selected. */
static uint64_t find_bands(const grid_row_bands *b, const void *context, uint64_t r, uint64_t end) {
  const select_job *s = context;
  const grid_compressed *c = &s->a->by_row;
  const int op = s->op.op->op;
  const bool one_column = op == GRID_OP_DIAG || op == GRID_OP_OFFDIAG;
  uint64_t sum = 0, from = grid_vector_start(c, r);
  int64_t y;
  memcpy(&y, s->op.y, sizeof y);
  const band w = band_of(op, y);
  for (uint64_t to; r < end; r++, from = to) {
    const int64_t i = (int64_t)grid_index_map_at(s->rows, r);
    to = grid_vector_start(c, r + 1);
    const bool no_row = (op == GRID_OP_ROWLE && i > y) || (op == GRID_OP_ROWGT && i <= y);
    const uint64_t low = find_column(s, w.from, i, from, to),
                   high = no_row       ? low
                          : one_column ? low + (low < to && is_at_column(s, w.from, i, low))
                                       : find_column(s, w.to, i, low, to);
    grid_offset_set(b->low, r, low);
    b->count[r] = (uint32_t)(high - low);
    sum += high - low;
  }
  return sum;
}

static GrB_Info fill_bands(grid_local_matrix *z, const select_job *s) {
  grid_row_bands b = {.z = z, .a = s->a, .size = s->size, .complement = s->op.op->op == GRID_OP_OFFDIAG};
  GrB_Info info;
  TRY(grid_row_bands_find(&b, find_bands, s));
  if (grid_row_bands_count(&b) < s->a->nvals) {
    info = grid_row_bands_copy(&b);
  } else { /* as where there are no loops to leave out */
    grid_lmat_free(z);
    info = grid_cpu_lmat_copy_rows(z, s->a);
  }
done:
  grid_row_bands_free(&b);
  return info;
}

/* ---- other operators ----------------------------------------------------------------------------------- */

/* yes[k]: is entry from + k selected? For k < n. */
static void evaluate(const select_job *s, uint64_t from, uint64_t n, unsigned char *yes) {
  uint64_t i[BLOCK], j[BLOCK];
  grid_any_value z[BLOCK];
  const GrB_IndexUnaryOp op = s->op.op;
  const size_t step = !s->a->iso;
  const char *x = s->a->iso ? s->a->iso_val : s->a->by_row.val;
  const bool positions = grid_indexop_uses_position(op), direct = op->z->code == GRID_T_BOOL;
  grid_coords_cursor w = {0};
  if (positions && n) w = grid_coords_begin(s->a, s->rows, s->cols, from);
  for (uint64_t k = 0; k < n; k += BLOCK) {
    const size_t m = n - k < BLOCK ? n - k : BLOCK;
    void *to = direct ? (void *)(yes + k) : z;
    if (positions) grid_coords_read(&w, from + k, m, i, j);
    grid_indexop_positions(&s->op, to, x + (from + k) * step * s->a->type->size, step, i, j, m);
    if (!direct) grid_cast_array(yes + k, GrB_BOOL, z, op->z, 1, m);
  }
}

GRID_ALWAYS_INLINE uint64_t select_entries(const select_job *s, const grid_split_point *split,
                                           const grid_fill_to *to, size_t size) {
  const uint64_t first = split[0].at[0];
  const unsigned char *yes = to->workspace;
  const uint32_t *idx = s->a->by_row.idx;
  const char *val = s->a->by_row.val;
  uint64_t n = 0;
  grid_row_segment p;
  for (grid_row_segment_begin(&p, split); grid_row_segment_next(&p, &s->in, 1, split);) {
    for (uint64_t e = p.from[0]; e < p.to[0]; e++) {
      to->idx[n] = idx[e];
      if (size) memcpy(to->val + n * size, val + e * size, size);
      n += yes[e - first];
    }
    if (p.ends) grid_offset_set(to->start, p.row + 1, n);
  }
  return n;
}

static uint64_t select_evaluated(const void *context, const grid_split_point *split, const grid_fill_to *to) {
  const select_job *s = context;
  evaluate(s, split[0].at[0], split[1].at[0] - split[0].at[0], to->workspace);
  uint64_t n = 0;
#define CALL(S) n = select_entries(s, split, to, S)
  if (s->size == 0)
    n = select_entries(s, split, to, 0);
  else
    GRID_BY_SIZE(s->size, CALL)
#undef CALL
  return n;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Is the result the same for all entries? Then *all tells which. */
static bool is_decided_by_iso(const select_job *s, bool *all) {
  unsigned char yes = false;
  *all = false;
  if (!s->a->iso || grid_indexop_uses_position(s->op.op)) return false;
  if (s->a->nvals) evaluate(s, 0, 1, &yes);
  *all = yes;
  return true;
}

static GrB_Info fill(grid_local_matrix *z, select_job *s) {
  GrB_Info info;
  TRY(grid_aligned_copy_axes(z, &s->in));
  if (is_band(s->op.op) && s->in.lmat[0].c) return fill_bands(z, s);
  TRY(grid_split_rows(&s->splits, &s->in, grid_split_entries(&s->in, sizeof(uint32_t) + s->size + 1)));
  const grid_fill f = {.task = select_evaluated,
                       .context = s,
                       .splits = &s->splits,
                       .most = s->splits.most,
                       .bound = s->a->nvals,
                       .values = s->size != 0,
                       .workspace = s->splits.most};
  info = grid_lmat_fill_rows(z, &f);
done:
  return info;
}

GrB_Info grid_cpu_lmat_select(grid_local_matrix *z, const grid_local_matrix *a, GrB_IndexUnaryOp op,
                              const void *y, const grid_index_map *rows, const grid_index_map *cols) {
  select_job s = {.op = grid_indexop_bind(op, a->type, y),
                  .a = a,
                  .rows = rows,
                  .cols = cols,
                  .size = a->iso ? 0 : a->type->size};
  GrB_Info info;
  grid_lmat_init(z, a->type, a->row.dim, a->col.dim);
  bool all;
  TRY(grid_lmat_align(&s.in, a->row.dim, a->col.dim, &a, 1));
  if (is_decided_by_iso(&s, &all)) s.in.lmat[0].c = NULL;
  if (all)
    TRY(grid_lmat_share_pattern(z, a, a->type));
  else
    TRY(fill(z, &s));
  if (a->iso && !z->iso) TRY(grid_lmat_set_iso(z, a->iso_val));
  TRY(grid_lmat_choose_format(z));
done:
  if (info != GrB_SUCCESS) grid_lmat_free(z);
  grid_free(s.splits.split);
  grid_aligned_free(&s.in);
  return info;
}
