/* The part of mxm_rows.h for rows by dots: each entry of the mask is a row of A times a column of B. */

/* The partial sum of a dot product. */
#if STRUCTURAL
#define DOT_STATE bool has_value
#define DOT_ARGS  has_value
#define DOT_DONE  has_value
#else
#define DOT_STATE bool has_value, Z *z
#define DOT_ARGS  has_value, z
#if ANY
#define DOT_DONE has_value
#elif STOP
#define DOT_DONE (has_value && STOPS(*z))
#else
#define DOT_DONE false
#endif

/* Entry f of column j of B meets the row of A at inner index k. */
RANGE_FN void KERNEL(dot_step)(const mxm_job *J, mxm_workspace *w, uint64_t f, uint64_t k, bool has_value,
                               Z *z) {
  (void)w;
#if USES_A
  const A a = ((const A *)w->row)[k];
#else
  const A a = {0};
#endif
  const Z t = KERNEL(product)(J, a, k, f);
#if ANY
  (void)has_value;
  *z = t;
#else
  *z = has_value ? ADD(*z, t) : t;
#endif
}
#endif

/* The column's entries f .. end - 1, 64 at a time, are looked up among those of the row. */
RANGE_FN bool KERNEL(dot_stream)(const mxm_job *J, mxm_workspace *w, uint64_t f, uint64_t end, DOT_STATE) {
  const uint32_t *idx = J->b.idx;
#if COUNTS
  uint64_t matches = 0;
  for (; f < end; f++) matches += range_bit(w->inner, idx[f]);
  if (matches) *z = has_value ? ADD(*z, (Z)matches) : (Z)matches;
  return has_value || matches;
#else
  for (uint64_t n; f < end && !(DOT_DONE); f += n) {
    n = end - f > 64 ? 64 : end - f;
    uint64_t hits = range_hits(w->inner, idx + f, n);
    for (; hits && !(DOT_DONE); hits &= hits - 1) {
#if !STRUCTURAL
      const uint64_t at = f + (uint64_t)__builtin_ctzll(hits);
      KERNEL(dot_step)(J, w, at, idx[at], DOT_ARGS);
#endif
      has_value = true;
    }
  }
  return has_value;
#endif
}

/* A short row's entries e .. last - 1 are looked up in the column by binary search. */
RANGE_FN bool KERNEL(dot_search)(const mxm_job *J, mxm_workspace *w, uint64_t e, uint64_t last, uint64_t f,
                                 uint64_t end, DOT_STATE) {
  for (; e < last && f < end && !(DOT_DONE); e++) {
    const uint64_t k = J->a.idx[e];
    f = mxm_search(J->b.idx, f, end, k);
    if (f == end || J->b.idx[f] != k) continue;
#if COUNTS
    (void)w;
    *z = has_value ? ADD(*z, (Z)1) : (Z)1;
#elif STRUCTURAL
    (void)w;
#else
    KERNEL(dot_step)(J, w, f, k, DOT_ARGS);
#endif
    has_value = true;
    f++; /* entries that follow each other are found at once */
  }
  return has_value;
}

RANGE_FN void KERNEL(row_dots)(const mxm_job *J, uint64_t r, mxm_workspace *w) {
  const uint64_t first = mxm_from(&J->a, r), last = mxm_to(&J->a, r);
  const bool before = mxm_has_matrix(&J->partial);
  uint64_t o = w->at, d = before ? mxm_from(&J->partial, r) : 0, dend = before ? mxm_to(&J->partial, r) : 0;
  for (uint64_t m = mxm_from(&J->mask, r), mend = mxm_to(&J->mask, r); m < mend; m++) {
    const uint64_t j = J->mask.idx[m], f = mxm_from(&J->b, j), end = mxm_to(&J->b, j);
    bool has_value = false;
    if (m + MXM_PREFETCH_COLUMNS < mend)
      __builtin_prefetch(J->b.idx + mxm_from(&J->b, J->mask.idx[m + MXM_PREFETCH_COLUMNS]));
    while (d < dend && J->partial.idx[d] < j) d++;
#if !STRUCTURAL
    Z sum = {0}, *const z = &sum;
#endif
    if (d < dend && J->partial.idx[d] == j) {
      has_value = true;
#if !STRUCTURAL
      sum = KERNEL(before)(J, d);
#endif
    }
    if (end - f > MXM_SEARCH_COLUMN * (last - first))
      has_value = KERNEL(dot_search)(J, w, first, last, f, end, DOT_ARGS);
    else
      has_value = KERNEL(dot_stream)(J, w, f, end, DOT_ARGS);
    J->idx[o] = (uint32_t)j;
#if !STRUCTURAL
    if (has_value) ((Z *)J->val)[o] = sum;
#endif
    o += has_value;
  }
  J->count[r] = (uint32_t)(o - w->at);
  w->at = o;
}

RANGE_FN void KERNEL(dots_of)(const mxm_job *J, uint64_t from, uint64_t to, mxm_workspace *w) {
  const uint32_t *idx = J->a.idx;
  for (uint64_t r = from; r < to; r++) {
    const uint64_t first = mxm_from(&J->a, r), last = mxm_to(&J->a, r);
    J->count[r] = 0;
    if (J->method[r] == MXM_SKIP) continue;
    for (uint64_t e = first; e < last; e++) mxm_set(w->inner, idx[e]);
#if USES_A && !STRUCTURAL
    for (uint64_t e = first; e < last; e++) ((A *)w->row)[idx[e]] = KERNEL(operand)(J, e);
#endif
    KERNEL(row_dots)(J, r, w);
    mxm_clear_words(w->inner, idx + first, last - first);
  }
}

/* With short rows the tests for 64-bit offsets take as long as the products. */
static void KERNEL(dots)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  if (!mxm_is_plain(J)) {
    KERNEL(dots_of)(J, from, to, w);
    return;
  }
  const mxm_job plain = mxm_plain(J);
  KERNEL(dots_of)(&plain, from, to, w);
}

#undef DOT_STATE
#undef DOT_ARGS
#undef DOT_DONE
