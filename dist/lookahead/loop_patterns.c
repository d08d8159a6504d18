/* The patterns of a search loop: see loop_patterns.h. */
#include "dist/lookahead/loop_patterns.h"

/* ---- products ---- */

/* Additions: any of the contributions; the least; one under which 1 + 1 = 1. */
typedef enum { ADDS_ANY, ADDS_MIN, ADDS_ONES } addition_kind;

/* Multiplications: give the frontier's vertex; its value; the matrix's value; 1 for two ones; 1 for any
 * operands. */
typedef enum {
  GIVES_VERTEX,
  GIVES_FRONTIER,
  GIVES_MATRIX,
  GIVES_PRODUCT_OF_ONES,
  GIVES_ONE
} multiplication_kind;

static const struct {
  addition_kind add;
  multiplication_kind mul;
  grid_lookahead_pattern form;
} table[] = {
    {ADDS_ANY, GIVES_VERTEX, {0, true, false}},
    {ADDS_MIN, GIVES_VERTEX, {0, true, true}},
    {ADDS_ANY, GIVES_FRONTIER, {GRID_FRONTIER_VALUES_ARE_IDS, true, false}},
    {ADDS_MIN, GIVES_FRONTIER, {GRID_FRONTIER_VALUES_ARE_IDS, true, true}},
    {ADDS_ONES, GIVES_ONE, {0, false, false}},
    {ADDS_ONES, GIVES_FRONTIER, {GRID_FRONTIER_ONES, false, false}},
    {ADDS_ONES, GIVES_MATRIX, {GRID_MATRIX_ONES, false, false}},
    {ADDS_ONES, GIVES_PRODUCT_OF_ONES, {GRID_FRONTIER_ONES | GRID_MATRIX_ONES, false, false}},
};

static bool is_addition(addition_kind how, int op) {
  switch (how) {
    case ADDS_ANY:
      return op == GRID_OP_ANY;
    case ADDS_MIN:
      return op == GRID_OP_MIN;
    default:
      return op == GRID_OP_ANY || op == GRID_OP_MIN || op == GRID_OP_MAX || op == GRID_OP_LOR ||
             op == GRID_OP_LAND || op == GRID_OP_TIMES || op == GRID_OP_BOR || op == GRID_OP_BAND;
  }
}

static bool is_multiplication(multiplication_kind how, int op, bool flip) {
  switch (how) {
    case GIVES_VERTEX:
      return op == GRID_OP_SECONDI;
    case GIVES_FRONTIER:
      return op == (flip ? GRID_OP_FIRST : GRID_OP_SECOND);
    case GIVES_MATRIX:
      return op == (flip ? GRID_OP_SECOND : GRID_OP_FIRST);
    case GIVES_PRODUCT_OF_ONES:
      return op == GRID_OP_LAND || op == GRID_OP_LOR || op == GRID_OP_TIMES || op == GRID_OP_MIN ||
             op == GRID_OP_MAX || op == GRID_OP_DIV || op == GRID_OP_EQ;
    default:
      return op == GRID_OP_ONEB;
  }
}

/* Does the result type hold all indices exactly? */
static bool preserves_indices(GrB_Semiring s) {
  const GrB_Type t = s->mul->z;
  return t == GrB_INT32 || t == GrB_INT64 || t == GrB_UINT32 || t == GrB_UINT64;
}

const grid_lookahead_pattern *grid_lookahead_find_pattern(GrB_Semiring s, bool flip, unsigned holds,
                                                          bool least) {
  if (!s->mul->head.builtin || !s->add->op->head.builtin) return NULL;
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    const grid_lookahead_pattern *f = &table[k].form;
    if (f->least && !least) continue;
    if (!is_addition(table[k].add, s->add->op->op) || !is_multiplication(table[k].mul, s->mul->op, flip))
      continue;
    if ((f->needs & ~holds) || (f->parents && !preserves_indices(s))) continue;
    return f;
  }
  return NULL;
}

/* ---- calls between two products ---- */

static const grid_effect other = {GRID_EFFECT_UNSUPPORTED};

/* op(q, x) or op(x, q) that gives x, ROWINDEX + 0, or q. */
static grid_effect classify_apply(const grid_lookahead_ewise_call *e, GrB_Vector q) {
  static const int8_t one = 1;
  grid_effect f = other;
  const bool same_type = e->z == q->type;
  int64_t shift = 1;
  if (e->op == GRID_OP_IDENTITY && !e->x && same_type) {
    f.kind = GRID_EFFECT_ENTRIES;
  } else if (e->op == (e->first ? GRID_OP_FIRST : GRID_OP_SECOND) && e->x) {
    f = (grid_effect){.kind = GRID_EFFECT_VALUE, .x = e->x, .type = e->type};
  } else if (e->op == GRID_OP_ONEB) {
    f = (grid_effect){.kind = GRID_EFFECT_VALUE, .x = &one, .type = GrB_INT8};
  } else if (e->op == GRID_OP_ROWINDEX && e->x) {
    grid_cast_array(&shift, GrB_INT64, e->x, e->type, 0, 1);
    if (shift == 0) f.kind = GRID_EFFECT_INDICES;
  }
  return f;
}

/* The value that would be written at q's entries; *everywhere: also at other indices. */
static grid_effect classify_assign(const grid_lookahead_ewise_call *e, GrB_Vector q, bool *everywhere) {
  *everywhere = false;
  switch (e->what) {
    case GRID_CALL_ASSIGN:
      *everywhere = e->u != q;
      if (!e->u) return (grid_effect){.kind = GRID_EFFECT_VALUE, .x = e->x, .type = e->type};
      if (e->u == q) return (grid_effect){.kind = GRID_EFFECT_ENTRIES};
      return (grid_effect){.kind = GRID_EFFECT_INDICES, .indices = e->u};
    case GRID_CALL_APPLY:
      return e->u == q ? classify_apply(e, q) : other;
    case GRID_CALL_MULT: { /* q .* indices */
      const bool first = e->op == GRID_OP_FIRST && e->v == q, second = e->op == GRID_OP_SECOND && e->u == q;
      if (first || second) return (grid_effect){.kind = GRID_EFFECT_INDICES, .indices = first ? e->u : e->v};
      return other;
    }
    default: { /* w + q, where w has no entry of q */
      const bool has_union = (e->u == e->w && e->v == q) || (e->u == q && e->v == e->w);
      return has_union && e->w != q && !e->mask && !e->accum && e->z == q->type && e->w->type == q->type
                 ? (grid_effect){.kind = GRID_EFFECT_ENTRIES, .disjoint = true}
                 : other;
    }
  }
}

grid_effect grid_effect_of(const grid_lookahead_ewise_call *e, GrB_Vector q) {
  grid_desc d;
  bool everywhere;
  if (!e->w || !grid_is_live(e->w) || (e->mask && e->mask != q)) return other;
  if (grid_desc_get(e->desc, "GrB_assign", &d) != GrB_SUCCESS || d.complement) return other;
  if (e->accum && (!grid_is_live(e->accum) || !e->accum->head.builtin)) return other;
  grid_effect f = classify_assign(e, q, &everywhere);
  if (f.kind == GRID_EFFECT_UNSUPPORTED || (everywhere && !e->mask)) return other;
  if (e->w == q) { /* the pattern is unchanged */
    f.entries_are_true = e->mask && !d.structure;
    return e->accum || (f.entries_are_true && d.replace) ? other : f;
  }
  if (!e->mask && !e->accum && e->what != GRID_CALL_ADD) return other; /* the rest of w would be deleted */
  if (e->mask && d.replace) return other;
  f.disjoint = f.disjoint || e->accum;
  f.entries_are_true = e->mask && !d.structure;
  return f;
}

bool grid_lookahead_sum_of_ones(GrB_Monoid m, uint64_t count, int64_t *x) {
  const GrB_Type t = m->op->z;
  *x = m->op->op == GRID_OP_PLUS ? (int64_t)count : count > 0;
  if (!m->head.builtin) return false;
  return m->op->op == GRID_OP_LOR || (m->op->op == GRID_OP_PLUS && t->size >= 4 && t != GrB_FP32);
}
