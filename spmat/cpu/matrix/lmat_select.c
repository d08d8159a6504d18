/* See lmat_select.h. A positional operator selects one range of each row, or all but one; binary search finds
 * it. Any other operator is evaluated on the entries of a task in blocks. */
#include "spmat/cpu/matrix/lmat_select.h"

#include <string.h>

#include "semiring/op_codes.h"
#include "spmat/cpu/rows/lmat_fill.h"
#include "spmat/cpu/rows/entry_positions.h"
#include "spmat/vector/bound_operator.h"
#include "spmat/vector/value_sizes.h"

/* Entries evaluated at a time. */
enum { BLOCK = 256 };
/* Most segments of the rows. */
enum { MAX_SEGMENTS = 64 };

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

/* The selection in each row: entries low .. high - 1, or the others. The rows are divided into segments, of
 * which each has `selected` entries in the result. */
typedef struct {
  grid_local_matrix *z;
  const select_job *s;
  uint64_t *low, *high;
  bool complement;
  uint64_t segments, selected[MAX_SEGMENTS];
} bands;

/* The first of the entries from .. to - 1 of row i at column c or after it. */
static inline uint64_t find_column(const select_job *s, column c, int64_t i, uint64_t from, uint64_t to) {
  const int64_t j = c.at + (c.moves ? i : 0);
  if (j <= (int64_t)s->cols->base) return from;
  if (j == INT64_MAX) return to;
  const grid_axis *a = &s->a->col;
  const uint64_t id = (uint64_t)j - s->cols->base, k = a->ids ? grid_axis_bound(a, id) : id;
  return grid_first_entry_anywhere(s->a->by_row.idx, from, to, k);
}

/* The bands of rows r .. end - 1, and the number of entries selected. */
static uint64_t find_bands_of(const bands *b, uint64_t r, uint64_t end) {
  const select_job *s = b->s;
  const grid_compressed *c = &s->a->by_row;
  const int op = s->op.op->op;
  const bool one_column = op == GRID_OP_DIAG || op == GRID_OP_OFFDIAG;
  uint64_t sum = 0, from = grid_vector_start(c, r);
  const uint64_t start = from;
  int64_t y;
  memcpy(&y, s->op.y, sizeof y);
  const band w = band_of(op, y);
  for (uint64_t to; r < end; r++, from = to) {
    const int64_t i = (int64_t)grid_index_map_at(s->rows, r);
    to = grid_vector_start(c, r + 1);
    const bool no_row = (op == GRID_OP_ROWLE && i > y) || (op == GRID_OP_ROWGT && i <= y);
    const uint64_t low = find_column(s, w.from, i, from, to), last = one_column && low < to ? low + 1 : to,
                   high = no_row ? low : find_column(s, w.to, i, low, last);
    b->low[r] = low, b->high[r] = high;
    sum += high - low;
  }
  return b->complement ? from - start - sum : sum;
}

static GrB_Info find_bands(bands *b) {
  const uint64_t n = b->s->a->row.n;
  const int threads = grid_word_threads(n);
  b->segments = threads < MAX_SEGMENTS ? (uint64_t)threads : MAX_SEGMENTS;
  b->low = grid_malloc(n, sizeof *b->low), b->high = grid_malloc(n, sizeof *b->high);
  if (!b->low || !b->high) return grid_fail_memory(NULL, "ranges of rows", n, 2 * sizeof *b->low);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t p = 0; p < b->segments; p++)
    b->selected[p] = find_bands_of(b, n * p / b->segments, n * (p + 1) / b->segments);
  return GrB_SUCCESS;
}

/* Offsets of the rows r .. end - 1, of which the first one begins at entry `at`. */
static void set_offsets(const bands *b, grid_offsets start, uint64_t r, uint64_t end, uint64_t at) {
  const grid_compressed *a = &b->s->a->by_row;
  for (; r < end; r++) {
    grid_offset_set(start, r, at);
    const uint64_t in = b->high[r] - b->low[r];
    at += b->complement ? grid_vector_start(a, r + 1) - grid_vector_start(a, r) - in : in;
  }
}

/* The arrays of z for so many entries, and the offsets of its rows. */
static GrB_Info allocate_bands(const bands *b, uint64_t selected) {
  const uint64_t n = b->s->a->row.n;
  const size_t size = b->s->size;
  grid_local_matrix *z = b->z;
  grid_offsets start;
  uint64_t at[MAX_SEGMENTS] = {0};
  if (!grid_offsets_make(&start, n + 1, selected))
    return grid_fail_memory(NULL, "matrix rows", n + 1, sizeof(uint64_t));
  for (uint64_t p = 1; p < b->segments; p++) at[p] = at[p - 1] + b->selected[p - 1];
#pragma omp parallel for schedule(static) num_threads((int)b->segments)
  for (uint64_t p = 0; p < b->segments; p++)
    set_offsets(b, start, n * p / b->segments, n * (p + 1) / b->segments, at[p]);
  grid_offset_set(start, n, selected);
  z->nvals = selected;
  z->by_row.ptr = start.offsets32, z->by_row.offsets64 = start.offsets64;
  z->by_row.idx = grid_malloc(selected, sizeof *z->by_row.idx);
  z->by_row.val = size ? grid_malloc(selected, size) : NULL;
  return z->by_row.idx && (!size || z->by_row.val)
             ? GrB_SUCCESS
             : grid_fail_memory(NULL, "matrix entries", selected, sizeof(uint32_t) + size);
}

/* Copies n entries of a to z. size: of a value, 0: none. */
GRID_ALWAYS_INLINE void copy_entries(const grid_compressed *z, uint64_t to, const grid_compressed *a,
                                     uint64_t from, uint64_t n, size_t size) {
  memcpy(z->idx + to, a->idx + from, n * sizeof *z->idx);
  if (size) memcpy((char *)z->val + to * size, (const char *)a->val + from * size, n * size);
}

/* The same, where z's entries up to `end` are written later and a has `all`. A short row is copied as
 * SHORT_COPY entries, which needs neither a loop nor a call. */
GRID_ALWAYS_INLINE void copy_part_of_row(const grid_compressed *z, uint64_t to, uint64_t end,
                                         const grid_compressed *a, uint64_t from, uint64_t all, uint64_t n,
                                         size_t size) {
  enum { SHORT_COPY = 8 };
  if (n <= SHORT_COPY && end - to >= SHORT_COPY && all - from >= SHORT_COPY)
    copy_entries(z, to, a, from, SHORT_COPY, size);
  else
    copy_entries(z, to, a, from, n, size);
}

/* z's entries `at` .. `end` - 1; both may lie inside a row. */
GRID_ALWAYS_INLINE void copy_bands_of(const bands *b, uint64_t at, uint64_t end, size_t size) {
  const grid_compressed *z = &b->z->by_row, *a = &b->s->a->by_row;
  const uint64_t all = b->s->a->nvals;
  for (uint64_t r = grid_row_of_entry(b->z, at); at < end; r++) {
    const uint64_t first = grid_vector_start(z, r), next = grid_vector_start(z, r + 1),
                   stop = next < end ? next : end;
    uint64_t source = b->low[r];
    if (b->complement) {
      source = grid_vector_start(a, r);
      const uint64_t before = first + (b->low[r] - source), half = before < stop ? before : stop;
      if (at < half) copy_part_of_row(z, at, end, a, source + (at - first), all, half - at, size), at = half;
      source += b->high[r] - b->low[r];
    }
    if (at < stop) copy_part_of_row(z, at, end, a, source + (at - first), all, stop - at, size), at = stop;
  }
}

static void copy_bands(const bands *b, uint64_t at, uint64_t end) {
#define CALL(S) copy_bands_of(b, at, end, S)
  if (b->s->size == 0)
    copy_bands_of(b, at, end, 0);
  else
    GRID_BY_SIZE(b->s->size, CALL)
#undef CALL
}

static GrB_Info fill_bands(bands *b) {
  enum { STRETCH = 1 << 14 };
  grid_local_matrix *z = b->z;
  GrB_Info info = GrB_SUCCESS;
  uint64_t selected = 0;
  TRY(find_bands(b));
  for (uint64_t p = 0; p < b->segments; p++) selected += b->selected[p];
  if (selected == b->s->a->nvals) { /* as where there are no loops to leave out */
    grid_lmat_free(z);
    TRY(grid_cpu_lmat_copy_rows(z, b->s->a));
    goto done;
  }
  TRY(allocate_bands(b, selected));
  const int threads = grid_word_threads(selected / 8);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (uint64_t at = 0; at < selected; at += STRETCH)
    copy_bands(b, at, selected - at < STRETCH ? selected : at + STRETCH);
done:
  grid_free(b->low);
  grid_free(b->high);
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
  if (is_band(s->op.op) && s->in.lmat[0].c)
    return fill_bands(&(bands){.z = z, .s = s, .complement = s->op.op->op == GRID_OP_OFFDIAG});
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
