/* The source of the kernels that multiply matrices, included once for each semiring with these macros, which
 * it undefines:
 *
 *   KERNEL(f)       the name of function f for this semiring
 *   Z, A, X         types of a product, of the multiplier's operands from A and from B
 *   USES_A, USES_X  1 if the multiplier uses that operand
 *   MUL(a, x)       the product; with POSITION 1 it is the inner index instead
 *   ANY             1: any product is the result, and ADD is not used
 *   STRUCTURAL      1 (with ANY): C has no values
 *   ADD(z, t)       the sum of z, the first operand, and t
 *   STARTS          1: START + t has the bits of t for every t: sums need no flag for their first product
 *   STOP            1: a value that occurs often ends a sum early:
 *   STOPS(z)        no further product changes z
 *   COUNTS          1: every product is one and ADD adds, so that a sum is a number of products
 *
 * Products of an entry of C are added in ascending order of the inner index, whatever the row's method, so
 * that results have the same bits. No OpenMP pragmas: see kernels/mxv_range.h. */

#if !STRUCTURAL
/* a * b(f), at inner index k. */
RANGE_FN Z KERNEL(product)(const mxm_job *J, A a, uint64_t k, uint64_t f) {
  (void)J, (void)a, (void)k, (void)f;
#if POSITION
  return (Z)J->global_index[k];
#else
#if USES_X
  const X x = ((const X *)J->b.val)[f & J->b.val_and];
#endif
  return MUL(a, x);
#endif
}

RANGE_FN A KERNEL(operand)(const mxm_job *J, uint64_t e) {
  (void)J, (void)e;
#if USES_A
  return ((const A *)J->a.val)[e & J->a.val_and];
#else
  return (A){0};
#endif
}

RANGE_FN Z KERNEL(before)(const mxm_job *J, uint64_t e) {
  return ((const Z *)J->partial.val)[e & J->partial.val_and];
}
#endif

#if STRUCTURAL || !USES_X
#define FETCH 0
#else
#define FETCH sizeof(X)
#endif

#if STRUCTURAL
#define TERM(J, a, k, f)
#define ADD_TERM(J, sum, touched, j, term) mxm_set(touched, j)
#else
#define TERM(J, a, k, f)                   KERNEL(product)(J, a, k, f)
#define ADD_TERM(J, sum, touched, j, term) KERNEL(add_term)(sum, touched, j, term)

/* Adds product t to column j. */
RANGE_FN void KERNEL(add_term)(Z *sum, uint64_t *touched, uint64_t j, Z t) {
#if ANY
  sum[j] = t;
#elif STARTS
  sum[j] = ADD(sum[j], t);
#else
  sum[j] = range_bit(touched, j) ? ADD(sum[j], t) : t;
#endif
  mxm_set(touched, j);
}
#endif

/* Entry e of A times entries f .. end - 1 of B, its row, where the mask allows it; masked and banded are
 * compile-time constants after inlining. */
RANGE_FN void KERNEL(add_row)(const mxm_job *J, uint64_t e, uint64_t f, uint64_t end, mxm_workspace *w,
                              const bool masked, const uint64_t turn, const bool banded) {
  const uint32_t *idx = J->b.idx;
  uint64_t *touched = w->touched;
#if !STRUCTURAL
  const uint64_t k = J->a.idx[e];
  const A a = KERNEL(operand)(J, e);
  Z *sum = w->sum;
#endif
  (void)e;
  if (!masked) {
    for (; f < end; f++) {
      ADD_TERM(J, sum, touched, idx[f], TERM(J, a, k, f));
      if (banded) mxm_set(w->words, idx[f] >> 6);
    }
    return;
  }
  for (uint64_t n; f < end; f += n) {
    n = end - f > 64 ? 64 : end - f;
    uint64_t hits = range_hits(w->allowed, idx + f, n) ^ turn;
    if (n < 64) hits &= ((uint64_t)1 << n) - 1;
    for (; hits; hits &= hits - 1) {
      const uint64_t at = f + (uint64_t)__builtin_ctzll(hits);
      ADD_TERM(J, sum, touched, idx[at], TERM(J, a, k, at));
      if (banded) mxm_set(w->words, idx[at] >> 6);
    }
  }
}

/* Row r of A where B has one entry a row (J->single): its products' columns lie in *lo .. *hi. */
RANGE_FN void KERNEL(add_single)(const mxm_job *J, uint64_t r, mxm_workspace *w, const bool masked,
                                 const uint64_t turn, const bool banded, uint64_t *lo, uint64_t *hi) {
  const uint32_t *inner = J->a.idx, *idx = J->b.idx;
  uint64_t low = *lo, high = *hi;
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = inner[e], j = idx[k];
    if (masked && range_bit(w->allowed, j) == (turn & 1)) continue;
    low = j < low ? j : low, high = j > high ? j : high;
    ADD_TERM(J, (Z *)w->sum, w->touched, j, TERM(J, KERNEL(operand)(J, e), k, k));
    if (banded) mxm_set(w->words, j >> 6);
  }
  *lo = low, *hi = high;
}

#if STARTS && !ANY
static void KERNEL(start)(mxm_workspace *w, uint64_t n) {
  Z *sum = w->sum;
  for (uint64_t j = 0; j < n; j++) sum[j] = START;
}
#endif

/* The same for a mask row, entries m .. mend - 1, that is short compared to B's row: its columns are looked
 * up there. */
RANGE_FN void KERNEL(search_row)(const mxm_job *J, uint64_t e, mxm_workspace *w, uint64_t m, uint64_t mend) {
  const uint64_t k = J->a.idx[e], end = mxm_to(&J->b, k);
  uint64_t f = mxm_from(&J->b, k);
#if !STRUCTURAL
  const A a = KERNEL(operand)(J, e);
#endif
  for (; m < mend && f < end; m++) {
    const uint64_t j = J->mask.idx[m];
    f = mxm_search(J->b.idx, f, end, j);
    if (f == end || J->b.idx[f] != j) continue;
    ADD_TERM(J, (Z *)w->sum, w->touched, j, TERM(J, a, k, f));
    f++;
  }
}

/* Initialises row r, whose columns lie in *lo .. *hi then. */
RANGE_FN void KERNEL(begin)(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t *lo, uint64_t *hi) {
  const mxm_vectors *d = &J->partial;
  *lo = UINT64_MAX, *hi = 0;
  if (!mxm_has_matrix(d)) return;
  const uint64_t from = mxm_from(d, r), end = mxm_to(d, r);
  if (from == end) return;
  *lo = d->idx[from], *hi = d->idx[end - 1];
  for (uint64_t e = from; e < end; e++) ADD_TERM(J, (Z *)w->sum, w->touched, d->idx[e], KERNEL(before)(J, e));
}

/* Writes an entry of row r of C and restores the workspace. */
RANGE_FN void KERNEL(emit)(const mxm_job *J, uint64_t o, uint64_t j, mxm_workspace *w) {
  J->idx[o] = (uint32_t)j;
#if STRUCTURAL
  (void)w;
#else
  Z *sum = w->sum;
  ((Z *)J->val)[o] = sum[j];
#if STARTS && !ANY
  sum[j] = START;
#endif
#endif
}

/* The entries of word v. Returns the position of the next one. */
RANGE_FN uint64_t KERNEL(emit_word)(const mxm_job *J, uint64_t o, uint64_t v, mxm_workspace *w) {
  uint64_t bits = w->touched[v];
  w->touched[v] = 0;
  for (; bits; bits &= bits - 1) KERNEL(emit)(J, o++, 64 * v + (uint64_t)__builtin_ctzll(bits), w);
  return o;
}

/* Drops what the mask excludes, its entries m .. mend - 1. */
RANGE_FN void KERNEL(drop)(const mxm_job *J, mxm_workspace *w, uint64_t m, uint64_t mend) {
  for (; m < mend; m++) {
    const uint64_t j = J->mask.idx[m];
    w->touched[j >> 6] &= ~((uint64_t)1 << (j & 63));
#if STARTS && !ANY
    ((Z *)w->sum)[j] = START;
#endif
  }
}

/* Row r of A: its products' columns lie in *lo .. *hi. */
RANGE_FN void KERNEL(add_rows)(const mxm_job *J, uint64_t r, mxm_workspace *w, const bool masked,
                               const bool banded, uint64_t *lo, uint64_t *hi) {
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e], f = mxm_from(&J->b, k), last = mxm_to(&J->b, k);
    if (f == last) continue;
    if (J->b.idx[f] < *lo) *lo = J->b.idx[f];
    if (J->b.idx[last - 1] > *hi) *hi = J->b.idx[last - 1];
    KERNEL(add_row)(J, e, f, last, w, masked, ~(uint64_t)0, banded);
  }
}

/* Row r of A at entries first .. last - 1 of the mask, its row. */
RANGE_FN void KERNEL(add_masked)(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t first,
                                 uint64_t last) {
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e], f = mxm_from(&J->b, k), to = mxm_to(&J->b, k);
    if (to - f > MXM_SEARCH * (last - first))
      KERNEL(search_row)(J, e, w, first, last);
    else
      KERNEL(add_row)(J, e, f, to, w, true, 0, false);
  }
}

/* Returns the position of the next row. */
RANGE_FN uint64_t KERNEL(row_dense)(const mxm_job *J, uint64_t r, mxm_workspace *w, const bool masked,
                                    const bool banded) {
  uint64_t o = w->at, lo, hi;
  KERNEL(begin)(J, r, w, &lo, &hi);
  if (banded && lo <= hi)
    for (uint64_t d = mxm_from(&J->partial, r), end = mxm_to(&J->partial, r); d < end; d++)
      mxm_set(w->words, J->partial.idx[d] >> 6);
  if (J->single)
    KERNEL(add_single)(J, r, w, masked, ~(uint64_t)0, banded, &lo, &hi);
  else
    KERNEL(add_rows)(J, r, w, masked, banded, &lo, &hi);
  if (J->method[r] & MXM_DROP) KERNEL(drop)(J, w, mxm_from(&J->mask, r), mxm_to(&J->mask, r));
  if (lo > hi) return o;
  if (!banded) {
    for (uint64_t v = lo >> 6; v <= hi >> 6; v++)
      if (w->touched[v]) o = KERNEL(emit_word)(J, o, v, w);
    return o;
  }
  for (uint64_t u = lo >> 12; u <= hi >> 12; u++) {
    uint64_t words = w->words[u];
    w->words[u] = 0;
    for (; words; words &= words - 1)
      o = KERNEL(emit_word)(J, o, 64 * u + (uint64_t)__builtin_ctzll(words), w);
  }
  return o;
}

/* Stores the products of row r; returns how many and, in *runs, in how many ascending runs. */
RANGE_FN uint64_t KERNEL(write_products)(const mxm_job *J, uint64_t r, mxm_workspace *w, const bool masked,
                                         uint64_t *runs) {
  const mxm_vectors *d = &J->partial;
  uint64_t *key = w->key, p = 0, nr = 0;
#if !STRUCTURAL
  Z *t = w->product;
#endif
  for (uint64_t e = mxm_has_matrix(d) ? mxm_from(d, r) : 0, end = mxm_has_matrix(d) ? mxm_to(d, r) : 0;
       e < end; e++) {
    if (nr == 0) w->run[nr++] = 0;
#if !STRUCTURAL
    t[p] = KERNEL(before)(J, e);
#endif
    key[p] = (uint64_t)d->idx[e] << 32 | p;
    p++;
  }
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e], from = p;
#if !STRUCTURAL
    const A a = KERNEL(operand)(J, e);
#endif
    for (uint64_t f = mxm_from(&J->b, k), last = mxm_to(&J->b, k); f < last; f++) {
      key[p] = (uint64_t)J->b.idx[f] << 32 | p;
#if !STRUCTURAL
      t[p] = KERNEL(product)(J, a, k, f);
#endif
      p += masked ? !range_bit(w->allowed, J->b.idx[f]) : 1;
    }
    w->run[nr] = (uint32_t)from;
    nr += p > from;
  }
  *runs = nr;
  return p;
}

RANGE_FN uint64_t KERNEL(row_sorted)(const mxm_job *J, uint64_t r, mxm_workspace *w, const bool masked) {
  uint64_t runs, o = w->at;
  const uint64_t p = KERNEL(write_products)(J, r, w, masked, &runs);
  if (p == 0) return o;
  const uint64_t *key = grid_mxm_sort(w->key, w->scratch, p, w->run, runs);
  uint32_t j = (uint32_t)(key[0] >> 32);
  J->idx[o] = j;
#if STRUCTURAL
  for (uint64_t q = 1; q < p; q++) {
    const uint32_t next = (uint32_t)(key[q] >> 32);
    o += next != j;
    J->idx[o] = j = next;
  }
#else
  const Z *t = w->product;
  Z *val = J->val, z = t[(uint32_t)key[0]];
  val[o] = z;
  for (uint64_t q = 1; q < p; q++) {
    const uint32_t next = (uint32_t)(key[q] >> 32);
    const Z more = t[(uint32_t)key[q]];
#if ANY
    z = more;
#else
    const Z both = ADD(z, more);
    z = next == j ? both : more;
#endif
    o += next != j;
    J->idx[o] = j = next;
    val[o] = z;
  }
#endif
  return o + 1;
}

RANGE_FN void KERNEL(row)(const mxm_job *J, uint64_t r, mxm_workspace *w, const bool masked) {
  const mxm_vectors *m = &J->mask;
  const uint64_t from = masked ? mxm_from(m, r) : 0, end = masked ? mxm_to(m, r) : 0, at = w->at;
  for (uint64_t e = from; e < end; e++) mxm_set(w->allowed, m->idx[e]);
  if (J->method[r] == MXM_SORT)
    w->at = KERNEL(row_sorted)(J, r, w, masked);
  else if ((J->method[r] & ~MXM_DROP) == MXM_BANDED)
    w->at = KERNEL(row_dense)(J, r, w, masked, true);
  else
    w->at = KERNEL(row_dense)(J, r, w, masked, false);
  if (masked) mxm_clear_words(w->allowed, m->idx + from, end - from);
  J->count[r] = (uint32_t)(w->at - at);
}

static void KERNEL(rows)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  for (uint64_t r = from; r < to; r++) {
    if (r + 1 < to) mxm_fetch(J, r + 1, FETCH);
    if (J->method[r] == MXM_SKIP)
      J->count[r] = 0;
    else if (J->masked && !(J->method[r] & MXM_DROP))
      KERNEL(row)(J, r, w, true);
    else
      KERNEL(row)(J, r, w, false);
  }
}

#if COUNTS
#include "spmat/cpu/mxm/mxm_counts.h"
#endif

static void KERNEL(masked)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  const mxm_vectors *m = &J->mask;
#if COUNTS
  if (!J->single) {
    KERNEL(masked_counts)(J, from, to, w);
    return;
  }
#endif
  for (uint64_t r = from; r < to; r++) {
    const uint64_t first = mxm_from(m, r), last = mxm_to(m, r);
    uint64_t o = w->at, lo, hi;
    J->count[r] = 0;
    if (J->method[r] == MXM_SKIP) continue;
    for (uint64_t e = first; e < last; e++) mxm_set(w->allowed, m->idx[e]);
    KERNEL(begin)(J, r, w, &lo, &hi);
    if (J->single)
      KERNEL(add_single)(J, r, w, true, 0, false, &lo, &hi);
    else
      KERNEL(add_masked)(J, r, w, first, last);
    for (uint64_t e = first; e < last; e++)
      if (range_bit(w->touched, m->idx[e])) KERNEL(emit)(J, o++, m->idx[e], w);
    J->count[r] = (uint32_t)(o - w->at);
    w->at = o;
    mxm_clear_words(w->allowed, m->idx + first, last - first);
    mxm_clear_words(w->touched, m->idx + first, last - first);
  }
}

#include "spmat/cpu/mxm/mxm_dots.h"
#if STARTS && !ANY && !POSITION
#include "spmat/cpu/mxm/mxm_full.h"
#endif

#undef TERM
#undef FETCH
#undef ADD_TERM
#undef KERNEL
#undef Z
#undef A
#undef X
#undef USES_A
#undef USES_X
#undef MUL
#undef POSITION
#undef ANY
#undef STRUCTURAL
#undef ADD
#undef STARTS
#undef START
#undef STOP
#undef STOPS
#undef COUNTS
