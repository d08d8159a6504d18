/* part_select.c: see part_select.h. An operator on places keeps one stretch of each row, or all but one: it
 * is found by binary search. Any other is asked about all entries of a task at once. */
#include "spmat/cpu/matrix/part_select.h"

#include <string.h>

#include "semiring/op_codes.h"
#include "spmat/cpu/matrix/gallop.h"
#include "spmat/cpu/matrix/part_fill.h"
#include "spmat/cpu/matrix/part_where.h"
#include "spmat/vector/bound.h"
#include "spmat/vector/by_size.h"

/* Entries that an operator is asked about at once. */
enum { BLOCK = 256 };

typedef struct {
  grid_indexop op;
  const grid_part *a;
  const grid_places *rows, *cols;
  grid_aligned in;
  grid_cuts cuts;
  size_t size; /* of a value, 0: iso */
} selecting;

/* ---- by place -------------------------------------------------------------------------------------------
 */

/* Columns from <= j < to of a row are kept, or all others. */
typedef struct {
  int64_t from, to;
  bool others;
} band;

static int64_t add_clamped(int64_t a, int64_t b) {
  int64_t sum;
  return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

/* What a predefined operator on places keeps of row i. */
static band band_of(int op, int64_t i, int64_t y) {
  const int64_t at = add_clamped(i, y), next = add_clamped(at, 1), past = add_clamped(y, 1);
  switch (op) {
    case GRID_OP_TRIL:
      return (band){0, next, false};
    case GRID_OP_TRIU:
      return (band){at, INT64_MAX, false};
    case GRID_OP_DIAG:
      return (band){at, next, false};
    case GRID_OP_OFFDIAG:
      return (band){at, next, true};
    case GRID_OP_COLLE:
      return (band){0, past, false};
    case GRID_OP_COLGT:
      return (band){past, INT64_MAX, false};
    case GRID_OP_ROWLE:
      return (band){0, i <= y ? INT64_MAX : 0, false};
    default: /* ROWGT */
      return (band){0, i > y ? INT64_MAX : 0, false};
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

/* First compact column that does not stand before column j. */
static uint64_t compact_column(const selecting *s, int64_t j) {
  const grid_axis *a = &s->a->col;
  if (j <= (int64_t)s->cols->base) return 0;
  const uint64_t id = (uint64_t)j - s->cols->base;
  if (!a->ids) return id < a->n ? id : a->n;
  uint64_t low = 0, high = a->n;
  while (low < high) {
    const uint64_t mid = low + (high - low) / 2;
    if (grid_axis_id(a, mid) < id)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* Entries from to to go to place n of the result. */
static uint64_t take(const selecting *s, const grid_fill_to *to, uint64_t n, uint64_t from, uint64_t end) {
  if (from == end) return n;
  memcpy(to->idx + n, s->a->by_row.idx + from, (end - from) * sizeof *to->idx);
  if (s->size)
    memcpy(to->val + n * s->size, (const char *)s->a->by_row.val + from * s->size, (end - from) * s->size);
  return n + (end - from);
}

static uint64_t take_bands(const void *context, const grid_cut *cut, const grid_fill_to *to) {
  const selecting *s = context;
  const uint32_t *idx = s->a->by_row.idx;
  int64_t y;
  memcpy(&y, s->op.y, sizeof y);
  uint64_t n = 0;
  grid_piece p;
  for (grid_piece_begin(&p, cut); grid_piece_next(&p, &s->in, 1, cut);) {
    if (p.from[0] < p.to[0]) {
      const band b = band_of(s->op.op->op, (int64_t)grid_place(s->rows, p.row), y);
      const uint64_t low = grid_find_column(idx, p.from[0], p.to[0], compact_column(s, b.from)),
                     high = grid_find_column(idx, low, p.to[0], compact_column(s, b.to));
      if (b.others) {
        n = take(s, to, n, p.from[0], low);
        n = take(s, to, n, high, p.to[0]);
      } else {
        n = take(s, to, n, low, high);
      }
    }
    if (p.ends) grid_offset_set(to->start, p.row + 1, n);
  }
  return n;
}

/* ---- by what the operator says --------------------------------------------------------------------------
 */

/* yes[k]: entry from + k is kept; for k < n. */
static void ask(const selecting *s, uint64_t from, uint64_t n, unsigned char *yes) {
  uint64_t i[BLOCK], j[BLOCK], z[BLOCK];
  const GrB_IndexUnaryOp op = s->op.op;
  const size_t step = !s->a->iso;
  const char *x = s->a->iso ? s->a->iso_val : s->a->by_row.val;
  const bool places = grid_indexop_looks_at_places(op), direct = op->z->code == GRID_T_BOOL;
  grid_where w = {0};
  if (places && n) w = grid_where_begin(s->a, s->rows, s->cols, from);
  for (uint64_t k = 0; k < n; k += BLOCK) {
    const size_t m = n - k < BLOCK ? n - k : BLOCK;
    void *to = direct ? (void *)(yes + k) : z;
    if (places) grid_where_read(&w, from + k, m, i, j);
    grid_indexop_places(&s->op, to, x + (from + k) * step * s->a->type->size, step, i, j, m);
    if (!direct) grid_cast_array(yes + k, GrB_BOOL, z, op->z, 1, m);
  }
}

GRID_ALWAYS_INLINE uint64_t take_each(const selecting *s, const grid_cut *cut, const grid_fill_to *to,
                                      size_t size) {
  const uint64_t first = cut[0].at[0];
  const unsigned char *yes = to->room;
  const uint32_t *idx = s->a->by_row.idx;
  const char *val = s->a->by_row.val;
  uint64_t n = 0;
  grid_piece p;
  for (grid_piece_begin(&p, cut); grid_piece_next(&p, &s->in, 1, cut);) {
    for (uint64_t e = p.from[0]; e < p.to[0]; e++) {
      to->idx[n] = idx[e];
      if (size) memcpy(to->val + n * size, val + e * size, size);
      n += yes[e - first];
    }
    if (p.ends) grid_offset_set(to->start, p.row + 1, n);
  }
  return n;
}

static uint64_t take_asked(const void *context, const grid_cut *cut, const grid_fill_to *to) {
  const selecting *s = context;
  ask(s, cut[0].at[0], cut[1].at[0] - cut[0].at[0], to->room);
  uint64_t n = 0;
#define CALL(S) n = take_each(s, cut, to, S)
  if (s->size == 0)
    n = take_each(s, cut, to, 0);
  else
    GRID_BY_SIZE(s->size, CALL)
#undef CALL
  return n;
}

/* ---- the whole ------------------------------------------------------------------------------------------
 */

/* One answer for all entries? Then *all says which. */
static bool is_alike(const selecting *s, bool *all) {
  unsigned char yes = false;
  *all = false;
  if (!s->a->iso || grid_indexop_looks_at_places(s->op.op)) return false;
  if (s->a->nvals) ask(s, 0, 1, &yes);
  *all = yes;
  return true;
}

static GrB_Info fill(grid_part *z, selecting *s) {
  GrB_Info info;
  TRY(grid_cut_rows(&s->cuts, &s->in, grid_cut_entries(&s->in, sizeof(uint32_t) + s->size + 1)));
  TRY(grid_aligned_axes(z, &s->in));
  const grid_fill f = {.task = is_band(s->op.op) ? take_bands : take_asked,
                       .context = s,
                       .cuts = &s->cuts,
                       .most = s->cuts.most,
                       .bound = s->a->nvals,
                       .values = s->size != 0,
                       .room = s->cuts.most};
  info = grid_part_fill(z, &f);
done:
  return info;
}

GrB_Info grid_part_select(grid_part *z, const grid_part *a, GrB_IndexUnaryOp op, const void *y,
                          const grid_places *rows, const grid_places *cols) {
  selecting s = {.op = grid_indexop_bind(op, a->type, y),
                 .a = a,
                 .rows = rows,
                 .cols = cols,
                 .size = a->iso ? 0 : a->type->size};
  GrB_Info info;
  grid_part_init(z, a->type, a->row.dim, a->col.dim);
  bool all;
  TRY(grid_part_align(&s.in, a->row.dim, a->col.dim, &a, 1));
  if (is_alike(&s, &all)) s.in.part[0].c = NULL;
  if (all)
    TRY(grid_part_pattern(z, a, a->type));
  else
    TRY(fill(z, &s));
  if (a->iso) TRY(grid_part_set_one(z, a->iso_val));
  TRY(grid_part_conform(z));
done:
  if (info != GrB_SUCCESS) grid_part_free(z);
  grid_free(s.cuts.cut);
  grid_aligned_free(&s.in);
  return info;
}
