/* The part of mxm_rows.h for a B with an entry at every position. Its values are contiguous by rows, a sum
 * replaces an index, and a row of C has an entry wherever allowed if A's row has one. Sums are made in the
 * usual order, so that results have the same bits. B's values differ (val_and), or are not used. */
enum { KERNEL(SUMS) = 16, KERNEL(DOTS) = 8 }; /* sums computed together, of columns and of dots */

/* sum + a * b(f). */
RANGE_FN Z KERNEL(more)(const mxm_job *J, Z sum, A a, uint64_t f) {
  (void)J, (void)a, (void)f;
#if USES_X
  const X x = ((const X *)J->b.val)[f];
#endif
  return ADD(sum, MUL(a, x));
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

/* The columns of row r from j on that full_columns does not cover. */
static void KERNEL(full_rest)(const mxm_job *restrict J, uint64_t r, Z *val, uint64_t j) {
  for (; j + 4 <= J->b_length; j += 4) KERNEL(full_columns)(J, r, val, j, 4);
  for (; j < J->b_length; j++) KERNEL(full_columns)(J, r, val, j, 1);
}

/* A few rows of C take the same columns of B in turn, so that these stay in the cache. */
GRID_LEVELS static void KERNEL(full)(const mxm_job *restrict J, uint64_t from, uint64_t to,
                                     mxm_workspace *w) {
  const uint64_t n = J->b_length;
  for (uint64_t first = from, end; first < to; first = end) {
    Z *const begin = (Z *)J->val + w->at, *val = begin;
    end = to - first < J->full_rows ? to : first + J->full_rows;
    for (uint64_t j = 0; j + KERNEL(SUMS) <= n; j += KERNEL(SUMS)) {
      val = begin;
      for (uint64_t r = first; r < end; r++)
        if (J->count[r]) KERNEL(full_columns)(J, r, val, j, KERNEL(SUMS)), val += n;
    }
    val = begin;
    for (uint64_t r = first; r < end; r++) {
      if (J->count[r] == 0) continue;
      if (n % KERNEL(SUMS)) KERNEL(full_rest)(J, r, val, n - n % KERNEL(SUMS));
      for (uint64_t j = 0; j < n; j++) J->idx[w->at + j] = (uint32_t)j;
      w->at += n, val += n;
    }
  }
}

/* The same at the mask's columns only. */
static void KERNEL(full_masked)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
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
  for (uint64_t r = from; r < to; r++) {
    const uint64_t n = J->count[r];
    const uint32_t *column = J->mask.idx + mxm_from(&J->mask, r);
    Z *val = (Z *)J->val + w->at;
    uint64_t m = 0;
    for (; m + KERNEL(DOTS) <= n; m += KERNEL(DOTS)) {
#if USES_X
      for (uint64_t s = m + KERNEL(DOTS); s < n && s < m + 2 * KERNEL(DOTS); s++)
        __builtin_prefetch((const X *)J->b.val + column[s] * J->b_length);
#endif
      KERNEL(full_dots_of)(J, r, column + m, val + m, KERNEL(DOTS));
    }
    for (; m < n; m++) KERNEL(full_dots_of)(J, r, column + m, val + m, 1);
    for (m = 0; m < n; m++) J->idx[w->at + m] = column[m];
    w->at += n;
  }
}
