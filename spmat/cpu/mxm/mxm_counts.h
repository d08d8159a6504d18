/* The part of mxm_rows.h for numbers of products at the mask's entries. Each product is counted at its
 * column, whether the mask allows it or not: a test would be a branch that is often predicted wrongly.
 * Counters are cleared at the mask's columns only, so that the others may have any value. */

/* Row r of A, at entries first .. last - 1 of the mask. */
RANGE_FN void KERNEL(count_row)(const mxm_job *J, uint64_t r, uint32_t *counter, uint64_t first,
                                uint64_t last) {
  const uint32_t *idx = J->b.idx, *mask = J->mask.idx;
  for (uint64_t m = first; m < last; m++) counter[mask[m]] = 0;
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e], to = mxm_to(&J->b, k);
    uint64_t f = mxm_from(&J->b, k);
    if (to - f <= MXM_SEARCH * (last - first)) {
      for (; f < to; f++) counter[idx[f]]++;
      continue;
    }
    for (uint64_t m = first; m < last && f < to; m++) {
      f = mxm_search(idx, f, to, mask[m]);
      counter[mask[m]] += f < to && idx[f] == mask[m];
    }
  }
}

/* Writes the counts, added to the sums that row r begins with. */
RANGE_FN void KERNEL(emit_counts)(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t first,
                                  uint64_t last) {
  const mxm_vectors *x = &J->partial;
  const bool before = mxm_has_matrix(x);
  const uint32_t *counter = w->sum;
  uint64_t o = w->at, d = before ? mxm_from(x, r) : 0;
  const uint64_t dend = before ? mxm_to(x, r) : 0;
  for (uint64_t m = first; m < last; m++) {
    const uint32_t j = J->mask.idx[m];
    Z z = (Z)counter[j];
    while (d < dend && x->idx[d] < j) d++;
    const bool has_sum = d < dend && x->idx[d] == j;
    if (has_sum) z = ADD(KERNEL(before)(J, d), z);
    J->idx[o] = j;
    ((Z *)J->val)[o] = z;
    o += has_sum || counter[j];
  }
  J->count[r] = (uint32_t)(o - w->at);
  w->at = o;
}

RANGE_FN void KERNEL(masked_counts)(const mxm_job *restrict J, uint64_t from, uint64_t to, mxm_workspace *w) {
  _Static_assert(sizeof(Z) >= sizeof(uint32_t), "counters are in the memory of sums");
  for (uint64_t r = from; r < to; r++) {
    const uint64_t first = mxm_from(&J->mask, r), last = mxm_to(&J->mask, r);
    J->count[r] = 0;
    if (J->method[r] == MXM_SKIP) continue;
    KERNEL(count_row)(J, r, w->sum, first, last);
    KERNEL(emit_counts)(J, r, w, first, last);
  }
}
