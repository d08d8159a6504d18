/* How many entries a row of C will have, from patterns alone: every product sets its column's bit. */
#include "semiring/support/tuning.h"
#include "spmat/cpu/mxm/cpu_mxm.h"

enum {
  SORTED = 1 << 16, /* most products of a row that is sorted */
  BOUND = 8         /* so many products for each column of a row's span */
};

/* The products of row r of A; their columns lie in *lo .. *hi. */
static uint64_t span_rows(const mxm_job *J, uint64_t r, uint64_t *lo, uint64_t *hi) {
  const uint32_t *idx = J->b.idx;
  uint64_t products = 0;
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e], f = mxm_from(&J->b, k), last = mxm_to(&J->b, k);
    if (f == last) continue;
    products += last - f;
    if (idx[f] < *lo) *lo = idx[f];
    if (idx[last - 1] > *hi) *hi = idx[last - 1];
  }
  return products;
}

/* The same where B has one entry a row. */
static uint64_t span_single(const mxm_job *J, uint64_t r, uint64_t *lo, uint64_t *hi) {
  const uint32_t *idx = J->b.idx, *inner = J->a.idx;
  const uint64_t from = mxm_from(&J->a, r), end = mxm_to(&J->a, r);
  uint64_t low = UINT64_MAX, high = 0;
  for (uint64_t e = from; e < end; e++) {
    const uint64_t j = idx[inner[e]];
    low = j < low ? j : low, high = j > high ? j : high;
  }
  *lo = low, *hi = high;
  return end - from;
}

uint64_t grid_mxm_span(const mxm_job *J, uint64_t r, uint64_t *lo, uint64_t *hi) {
  *lo = UINT64_MAX, *hi = 0;
  const uint64_t products = J->single ? span_single(J, r, lo, hi) : span_rows(J, r, lo, hi);
  if (!mxm_has_matrix(&J->partial)) return products;
  const uint64_t d = mxm_from(&J->partial, r), dend = mxm_to(&J->partial, r);
  if (d == dend) return products;
  if (J->partial.idx[d] < *lo) *lo = J->partial.idx[d];
  if (J->partial.idx[dend - 1] > *hi) *hi = J->partial.idx[dend - 1];
  return products + (dend - d);
}

/* Many products: bits are counted at the end. */
static void set_bits(uint64_t *bits, const uint32_t *idx, uint64_t f, uint64_t end) {
  for (; f < end; f++) mxm_set(bits, idx[f]);
}

static uint64_t count_dense(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t lo, uint64_t hi) {
  uint64_t *bits = w->touched, count = 0;
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e];
    if (J->single)
      mxm_set(bits, J->b.idx[k]);
    else
      set_bits(bits, J->b.idx, mxm_from(&J->b, k), mxm_to(&J->b, k));
  }
  if (J->masked)
    for (uint64_t v = lo >> 6; v <= hi >> 6; v++) bits[v] &= ~w->allowed[v];
  if (mxm_has_matrix(&J->partial))
    set_bits(bits, J->partial.idx, mxm_from(&J->partial, r), mxm_to(&J->partial, r));
  for (uint64_t v = lo >> 6; v <= hi >> 6; v++) {
    count += (uint64_t)__builtin_popcountll(bits[v]);
    bits[v] = 0;
  }
  return count;
}

/* Few: each new bit is counted, and a second pass clears the bits. */
static uint64_t count_new(uint64_t *bits, const uint64_t * not, const uint32_t *idx, uint64_t f,
                          uint64_t end) {
  uint64_t count = 0;
  for (; f < end; f++) {
    const uint64_t j = idx[f], bit = (uint64_t)1 << (j & 63), had = bits[j >> 6];
    bits[j >> 6] = had | bit;
    count += !((had | (not ? not [j >> 6] : 0)) & bit);
  }
  return count;
}

static uint64_t count_sparse(const mxm_job *J, uint64_t r, mxm_workspace *w) {
  const bool before = mxm_has_matrix(&J->partial);
  const uint64_t d = before ? mxm_from(&J->partial, r) : 0, dend = before ? mxm_to(&J->partial, r) : 0,
                 first = mxm_from(&J->a, r), last = mxm_to(&J->a, r);
  uint64_t *bits = w->touched, count = count_new(bits, NULL, J->partial.idx, d, dend);
  for (uint64_t e = first; e < last; e++) {
    const uint64_t k = J->a.idx[e];
    count += count_new(bits, J->masked ? w->allowed : NULL, J->b.idx, mxm_from(&J->b, k), mxm_to(&J->b, k));
  }
  for (uint64_t e = first; e < last; e++) {
    const uint64_t k = J->a.idx[e], f = mxm_from(&J->b, k);
    mxm_clear_words(bits, J->b.idx + f, mxm_to(&J->b, k) - f);
  }
  mxm_clear_words(bits, J->partial.idx + d, dend - d);
  return count;
}

/* Columns near each other: each is stamped with the row's number; stamps are not cleared. */
static uint64_t count_stamps(uint32_t *stamp, uint32_t mark, const uint32_t *idx, uint64_t f, uint64_t end) {
  uint64_t count = 0;
  for (; f < end; f++) {
    count += stamp[idx[f]] != mark;
    stamp[idx[f]] = mark;
  }
  return count;
}

static uint64_t count_stamped(const mxm_job *J, uint64_t r, mxm_workspace *w) {
  const mxm_vectors *m = &J->mask, *d = &J->partial;
  const uint32_t mark = (uint32_t)r + 1;
  uint64_t count = 0;
  if (J->masked) count_stamps(w->stamp, mark, m->idx, mxm_from(m, r), mxm_to(m, r));
  if (mxm_has_matrix(d)) count = count_stamps(w->stamp, mark, d->idx, mxm_from(d, r), mxm_to(d, r));
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e];
    count += count_stamps(w->stamp, mark, J->b.idx, mxm_from(&J->b, k), mxm_to(&J->b, k));
  }
  return count;
}

/* By bits, for a row with this many products in this many words. */
static uint64_t count_bits(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t products, uint64_t lo,
                           uint64_t hi) {
  const mxm_vectors *m = &J->mask;
  const uint64_t from = J->masked ? mxm_from(m, r) : 0, end = J->masked ? mxm_to(m, r) : 0;
  for (uint64_t e = from; e < end; e++) mxm_set(w->allowed, m->idx[e]);
  const uint64_t count =
      (hi >> 6) - (lo >> 6) < 2 * products ? count_dense(J, r, w, lo, hi) : count_sparse(J, r, w);
  if (J->masked) mxm_clear_words(w->allowed, m->idx + from, end - from);
  return count;
}

/* Dense: every word between the first and the last column is read. Banded: each product marks its word, since
 * sums are further apart than consecutive rows have in the cache. Sorted: a product costs more, but accesses
 * no distant memory. */
static mxm_method method_of(uint64_t products, uint64_t words) {
  const uint64_t apart = words / products;
  if (apart < grid_tune.mxm_dense_words) return MXM_DENSE;
  if (words < grid_tune.mxm_sorted_words) return MXM_BANDED;
  return products > SORTED ? MXM_DENSE : MXM_SORT;
}

/* Does the number of columns of a row's span serve as its count? The row has most of them, and to count it
 * takes a third of the time of its products. */
static bool is_bounded(mxm_method method, uint64_t products, uint64_t columns) {
  return method == MXM_DENSE && products / BOUND >= columns;
}

uint64_t grid_mxm_count_row(const mxm_job *J, uint64_t r, mxm_workspace *w, uint8_t *method) {
  uint64_t lo, hi;
  const uint64_t products = grid_mxm_span(J, r, &lo, &hi);
  *method = MXM_SKIP;
  if (products == 0) return 0;
  *method = (uint8_t)method_of(products, (hi >> 6) - (lo >> 6) + 1);
  if (mxm_to(&J->a, r) - mxm_from(&J->a, r) == 1 && !J->masked && !mxm_has_matrix(&J->partial)) {
    if (products <= SORTED) *method = MXM_SORT; /* a row of B: nothing to sort */
    return products;
  }
  const bool is_near_full = !J->masked && is_bounded(*method, products, hi - lo + 1);
  const uint64_t count = is_near_full            ? hi - lo + 1
                         : *method == MXM_BANDED ? count_stamped(J, r, w)
                                                 : count_bits(J, r, w, products, lo, hi);
  if (J->masked && *method != MXM_SORT && 2 * (mxm_to(&J->mask, r) - mxm_from(&J->mask, r)) < products)
    *method |= MXM_DROP;
  return count;
}
