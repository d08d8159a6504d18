/* The part of mxm_rows.h for a B with an entry at every position. Its values are contiguous by rows, a sum
 * replaces an index, and a row of C has an entry wherever allowed if A's row has one. Sums are made in the
 * usual order, so that results have the same bits. */
enum { KERNEL(SUMS) = 16, KERNEL(DOTS) = 8 }; /* sums computed together, of columns and of dots */

/* sum + a * b(f). */
RANGE_FN Z KERNEL(more)(const mxm_job *J, Z sum, A a, uint64_t f) {
  (void)J, (void)a, (void)f;
#if USES_X
  const X x = ((const X *)J->b.val)[f];
#endif
  return ADD(sum, MUL(a, x));
}

/* Where B's values are one value, or not used, the columns of a row have the same sum. */
RANGE_FN bool KERNEL(has_equal_columns)(const mxm_job *J) {
  return !USES_X || !J->b.val_and;
}
static void KERNEL(full_equal)(const mxm_job *job, uint64_t from, uint64_t to, mxm_workspace *w) {
  const mxm_job J = *job; /* no value that is written can change a copy */
  for (uint64_t r = from; r < to; r++) {
    const uint64_t n = J.count[r];
    const uint32_t *column = J.masked ? J.mask.idx + mxm_from(&J.mask, r) : NULL;
    Z *val = (Z *)J.val + w->at, sum = START;
    if (n == 0) continue;
    for (uint64_t e = mxm_from(&J.a, r), end = mxm_to(&J.a, r); e < end; e++)
      sum = KERNEL(more)(&J, sum, KERNEL(operand)(&J, e), 0);
    for (uint64_t j = 0; j < n; j++) val[j] = sum;
    for (uint64_t j = 0; j < n; j++) J.idx[w->at + j] = column ? column[j] : (uint32_t)j;
    w->at += n;
  }
}

/* `many` columns of row r, from column j on. */
RANGE_FN void KERNEL(full_columns)(const mxm_job *J, uint64_t r, Z *val, uint64_t j, const uint64_t many) {
  Z sum[KERNEL(SUMS)];
  for (uint64_t s = 0; s < many; s++) sum[s] = START;
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const A a = KERNEL(operand)(J, e);
    const uint64_t f = J->a.idx[e] * J->b_length + j;
    for (uint64_t s = 0; s < many; s++) sum[s] = KERNEL(more)(J, sum[s], a, f + s);
  }
  for (uint64_t s = 0; s < many; s++) val[j + s] = sum[s];
}

/* The columns of row r from j on, fewer than SUMS. */
RANGE_FN void KERNEL(full_rest)(const mxm_job *J, uint64_t r, Z *val, uint64_t j) {
  const uint64_t rest = J->b_length - j;
  if (rest & 8) KERNEL(full_columns)(J, r, val, j, 8), j += 8;
  if (rest & 4) KERNEL(full_columns)(J, r, val, j, 4), j += 4;
  if (rest & 2) KERNEL(full_columns)(J, r, val, j, 2), j += 2;
  if (rest & 1) KERNEL(full_columns)(J, r, val, j, 1);
}

/* A few rows of C take the same columns of B in turn, so that these stay in the cache. */
GRID_LEVELS static void KERNEL(full_differing)(const mxm_job *job, uint64_t from, uint64_t to,
                                               mxm_workspace *w) {
  const mxm_job J = *job; /* no value that is written can change a copy */
  const uint64_t n = J.b_length, rest = n % KERNEL(SUMS);
  for (uint64_t first = from, end; first < to; first = end) {
    Z *const begin = (Z *)J.val + w->at, *val = begin;
    end = to - first < J.full_rows ? to : first + J.full_rows;
    for (uint64_t j = 0; j + KERNEL(SUMS) <= n; j += KERNEL(SUMS)) {
      val = begin;
      for (uint64_t r = first; r < end; r++)
        if (J.count[r]) KERNEL(full_columns)(&J, r, val, j, KERNEL(SUMS)), val += n;
    }
    val = begin;
    for (uint64_t r = first; r < end; r++) {
      if (J.count[r] == 0) continue;
      if (rest) KERNEL(full_rest)(&J, r, val, n - rest);
      for (uint64_t j = 0; j < n; j++) J.idx[w->at + j] = (uint32_t)j;
      w->at += n, val += n;
    }
  }
}

/* Few columns: n, a constant. Short rows take no longer than their products. */
RANGE_FN void KERNEL(full_narrow_of)(const mxm_job J, uint64_t from, uint64_t to, mxm_workspace *w,
                                     const uint64_t n) {
  Z *val = (Z *)J.val + w->at;
  uint32_t *idx = J.idx + w->at;
  for (uint64_t r = from; r < to; r++) {
    uint64_t e = mxm_from(&J.a, r);
    const uint64_t end = mxm_to(&J.a, r);
    Z sum[4] = {START, START, START, START};
    if (e == end) continue;
    for (; e < end; e++) {
      const A a = KERNEL(operand)(&J, e);
      const uint64_t f = J.a.idx[e] * n;
      for (uint64_t s = 0; s < n; s++) sum[s] = KERNEL(more)(&J, sum[s], a, f + s);
    }
    for (uint64_t s = 0; s < n; s++) val[s] = sum[s], idx[s] = (uint32_t)s;
    val += n, idx += n;
  }
  w->at = (uint64_t)(idx - J.idx);
}
GRID_LEVELS static void KERNEL(full_narrow)(const mxm_job *J, uint64_t from, uint64_t to, mxm_workspace *w) {
  const mxm_job plain = mxm_plain(J);
  if (J->b_length == 1)
    KERNEL(full_narrow_of)(plain, from, to, w, 1);
  else if (J->b_length == 2)
    KERNEL(full_narrow_of)(plain, from, to, w, 2);
  else
    KERNEL(full_narrow_of)(plain, from, to, w, 4);
}

static void KERNEL(full)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  if (KERNEL(has_equal_columns)(J))
    KERNEL(full_equal)(J, from, to, w);
  else if ((J->b_length <= 2 || J->b_length == 4) && mxm_is_plain(J))
    KERNEL(full_narrow)(J, from, to, w);
  else
    KERNEL(full_differing)(J, from, to, w);
}

/* The same at the mask's columns only. */
static void KERNEL(full_masked)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  if (KERNEL(has_equal_columns)(J)) {
    KERNEL(full_equal)(J, from, to, w);
    return;
  }
  for (uint64_t r = from; r < to; r++) {
    const uint64_t first = mxm_from(&J->mask, r), n = J->count[r];
    const uint32_t *column = J->mask.idx + first;
    Z *val = (Z *)J->val + w->at;
    if (n == 0) continue;
    for (uint64_t m = 0; m < n; m++) val[m] = START;
    for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
      const A a = KERNEL(operand)(J, e);
      const uint64_t f = J->a.idx[e] * J->b_length;
      for (uint64_t m = 0; m < n; m++) val[m] = KERNEL(more)(J, val[m], a, f + column[m]);
    }
    for (uint64_t m = 0; m < n; m++) J->idx[w->at + m] = column[m];
    w->at += n;
  }
}

/* Dots of row r with `many` columns: independent sums, which overlap. */
RANGE_FN void KERNEL(full_dots_of)(const mxm_job *J, uint64_t r, const uint32_t *column, Z *val,
                                   const uint64_t many) {
  Z sum[KERNEL(DOTS)];
  uint64_t f[KERNEL(DOTS)];
  for (uint64_t s = 0; s < many; s++) sum[s] = START, f[s] = column[s] * J->b_length;
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const A a = KERNEL(operand)(J, e);
    const uint64_t k = J->a.idx[e];
    for (uint64_t s = 0; s < many; s++) sum[s] = KERNEL(more)(J, sum[s], a, f[s] + k);
  }
  for (uint64_t s = 0; s < many; s++) val[s] = sum[s];
}

static void KERNEL(full_dots)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  if (KERNEL(has_equal_columns)(J)) {
    KERNEL(full_equal)(J, from, to, w);
    return;
  }
  for (uint64_t r = from; r < to; r++) {
    const uint64_t n = J->count[r];
    const uint32_t *column = J->mask.idx + mxm_from(&J->mask, r);
    Z *val = (Z *)J->val + w->at;
    uint64_t m = 0;
    for (; m + KERNEL(DOTS) <= n; m += KERNEL(DOTS)) {
      for (uint64_t s = m + KERNEL(DOTS); s < n && s < m + 2 * KERNEL(DOTS); s++)
        __builtin_prefetch((const X *)J->b.val + column[s] * J->b_length);
      KERNEL(full_dots_of)(J, r, column + m, val + m, KERNEL(DOTS));
    }
    for (; m < n; m++) KERNEL(full_dots_of)(J, r, column + m, val + m, 1);
    for (m = 0; m < n; m++) J->idx[w->at + m] = column[m];
    w->at += n;
  }
}
