/* The source of a product's kernels, included once for each semiring with these macros, which it undefines:
 *
 *   KERNEL(f)       the name of function f for this semiring
 *   Z, A, X         types of a product, of the multiplier's operands from the matrix and from the vector
 *   USES_A, USES_X  1 if the multiplier uses that operand
 *   MUL(a, x)       the product; with POSITION 1 it is the inner index instead
 *   ANY             1: the first product is the result, and ADD is not used
 *   STRUCTURAL      1 (with ANY): y has no values
 *   ADD(z, t)       the sum of z, the first operand, and t
 *   ADD_PLAIN(z, t) the same, cheaper, once PLAIN(z) is true; it stays true then. (A minimum that is a NaN
 *                   is replaced by any number.)
 *   STOP            1: a value that occurs often ends a row early:
 *   STOPS(z)        no further product changes z
 *   FIRST_HIT       1: products of a row do not decrease, and ADD is the minimum: the first one is the result
 *   COUNTS          1: every product is one, and ADD adds whole numbers: a sum counts products
 *
 * Products of a row are added in ascending order of the inner index, in a pull and in a push alike. So
 * results have the same bits for every direction, thread count and machine. OpenMP pragmas are not allowed
 * here: the compiler would outline the region into a function that is not specialised. */

#if !STRUCTURAL
/* a(e) * x(k), x's value being at position p of x. separate: neither a nor x is iso. */
RANGE_FN Z KERNEL(product_of)(const grid_range_job *J, uint64_t e, uint64_t k, uint64_t p,
                              const bool separate) {
  (void)J, (void)e, (void)k, (void)p, (void)separate;
#if POSITION
  return (Z)range_global_index(J, k);
#else
#if USES_A
  const A a = ((const A *)J->a)[separate ? e : e & J->a_and];
#endif
#if USES_X
  const X x = ((const X *)J->x)[separate ? p : p & J->x_and];
#endif
  return MUL(a, x);
#endif
}
RANGE_FN Z KERNEL(product)(const grid_range_job *J, uint64_t e, uint64_t k, uint64_t p) {
  return KERNEL(product_of)(J, e, k, p, false);
}
#endif

#if ANY

/* Rows `todo` of word w: finds those with an entry in x and writes their values. First every row's
 * hub_neighbor is tested; then the rows that missed and have more entries are scanned, prefetched. */
RANGE_FN uint64_t KERNEL(pull_word)(const grid_range_job *J, uint64_t w, uint64_t todo, uint64_t *inspected) {
  const uint32_t *idx = J->idx;
  uint64_t hits = range_first_hits(J, w, todo), missed = 0;
  *inspected += (uint64_t)__builtin_popcountll(todo);
  for (uint64_t t = todo & ~hits; t; t &= t - 1) {
    const uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(t), e = range_start(J, v);
    if (range_start(J, v + 1) - e == 1) continue;
    __builtin_prefetch(idx + e);
    missed |= t & -t;
  }
#if !STRUCTURAL
  Z *y = (Z *)J->y;
  for (uint64_t t = hits; t; t &= t - 1) {
    uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(t), k = J->hub_neighbor[v], e = 0;
    if (USES_A && J->a_and) e = range_lower_bound(idx, range_start(J, v), range_start(J, v + 1), k);
    y[v] = KERNEL(product)(J, e, k, k);
  }
#endif
  for (uint64_t t = missed; t; t &= t - 1) {
    unsigned b = (unsigned)__builtin_ctzll(t);
    uint64_t e = range_start(J, 64 * w + b), from = e, end = range_start(J, 64 * w + b + 1);
    while (e < end && !range_bit(J->xbits, idx[e])) e++;
    *inspected += e < end ? e + 1 - from : e - from;
    if (e == end) continue;
    hits |= (uint64_t)1 << b;
#if !STRUCTURAL
    y[64 * w + b] = KERNEL(product)(J, e, idx[e], idx[e]);
#endif
  }
  return hits;
}

GRID_LEVELS static void KERNEL(pull)(const grid_range_job *restrict J, uint64_t from, uint64_t to,
                                     grid_tally *sum) {
  uint64_t inspected = 0, found = 0;
  for (uint64_t w = from; w < to; w++) {
    uint64_t todo = range_allowed(J, w) & J->nonempty[w] & ~J->ybits[w];
    uint64_t hits = todo ? KERNEL(pull_word)(J, w, todo, &inspected) : 0;
    if (hits) {
      J->ybits[w] |= hits;
      found += (uint64_t)__builtin_popcountll(hits);
    }
  }
  sum->inspected += inspected;
  sum->found += found;
}

/* Edges from .. to of the vectors that x lists. */
static void KERNEL(push)(const grid_range_job *restrict J, uint64_t from, uint64_t to, grid_tally *sum) {
  const uint64_t *start = J->start;
  uint64_t found = 0;
  for (uint64_t f = range_vector_of_edge(start, J->nx, from); from < to; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f, skip = from - start[f];
    uint64_t e = range_start(J, k) + skip, end = e + ((to < start[f + 1] ? to : start[f + 1]) - from);
    from += end - e;
    for (; e < end; e++) {
      uint64_t v = J->idx[e];
      if (!range_claim(J, v)) continue;
      found++;
#if !STRUCTURAL
      ((Z *)J->y)[v] = KERNEL(product)(J, e, k, J->x_packed ? f : k);
#endif
    }
  }
  sum->found += found;
}

#else

/* Adds the products of a row, entries e .. end - 1, to *z, which holds a value if has_value. Returns whether
 * it does then; *inspected: entries inspected. */

#if FIRST_HIT
RANGE_FN bool KERNEL(row_first)(const grid_range_job *J, uint64_t e, uint64_t end, bool has_value, Z *z,
                                uint64_t *inspected) {
  const uint64_t from = e;
  while (J->xbits && e < end && !range_bit(J->xbits, J->idx[e])) e++;
  *inspected += e < end ? e + 1 - from : e - from;
  if (e == end) return has_value;
  Z t = KERNEL(product)(J, e, J->idx[e], J->idx[e]);
  *z = has_value ? ADD(*z, t) : t;
  return true;
}
#else

/* x is full, and the row has entries. */
RANGE_FN bool KERNEL(row_full_of)(const grid_range_job *J, uint64_t e, uint64_t end, bool has_value, Z *to,
                                  uint64_t *inspected, const bool separate) {
  const uint32_t *idx = J->idx;
  const uint64_t from = e;
  Z z = {0};
  if (has_value)
    z = *to;
  else
    z = KERNEL(product_of)(J, e, idx[e], idx[e], separate), e++;
  for (; e < end && !PLAIN(z); e++) {
    Z t = KERNEL(product_of)(J, e, idx[e], idx[e], separate);
    z = ADD(z, t);
  }
  for (; e < end; e++) {
#if STOP
    if (STOPS(z)) break;
#endif
    RANGE_IN_ORDER(e);
    Z t = KERNEL(product_of)(J, e, idx[e], idx[e], separate);
    z = ADD_PLAIN(z, t);
  }
  *to = z;
  *inspected += e - from;
  return true;
}
RANGE_FN bool KERNEL(is_separate)(const grid_range_job *J) {
  return (!USES_A || J->a_and) && (!USES_X || J->x_and);
}
RANGE_FN bool KERNEL(row_full)(const grid_range_job *J, uint64_t e, uint64_t end, bool has_value, Z *to,
                               uint64_t *inspected) {
  return KERNEL(is_separate)(J) ? KERNEL(row_full_of)(J, e, end, has_value, to, inspected, true)
                                : KERNEL(row_full_of)(J, e, end, has_value, to, inspected, false);
}

#if COUNTS
RANGE_FN bool KERNEL(row_bits)(const grid_range_job *J, uint64_t e, uint64_t end, bool has_value, Z *to,
                               uint64_t *inspected) {
  uint64_t products = 0;
  const uint64_t *xbits = J->xbits;
  const uint32_t *idx = J->idx;
  *inspected += end - e;
#pragma GCC unroll 4
  for (; e < end; e++) {
    RANGE_IN_ORDER(e);
    products += range_bit(xbits, idx[e]);
  }
  if (products) *to = has_value ? ADD(*to, (Z)products) : (Z)products;
  return has_value || products;
}
#else
/* Whether an entry is in x cannot be predicted: bits are collected without a branch, then traversed. Of a row
 * that may end early, only the next ones. */
RANGE_FN bool KERNEL(row_bits)(const grid_range_job *J, uint64_t e, uint64_t end, bool has_value, Z *to,
                               uint64_t *inspected) {
  enum { AT_ONCE = STOP ? 8 : 64 };
  const uint32_t *idx = J->idx;
  const uint64_t from = e;
  Z z = {0};
  if (has_value) z = *to;
  bool plain = has_value && PLAIN(z);
  for (uint64_t n; e < end; e += n) {
#if STOP
    if (has_value && STOPS(z)) break;
#endif
    n = end - e > AT_ONCE ? AT_ONCE : end - e;
    uint64_t hits = range_hits(J->xbits, idx + e, n);
    for (; hits && !plain; hits &= hits - 1) {
      uint64_t at = e + (uint64_t)__builtin_ctzll(hits);
      Z t = KERNEL(product)(J, at, idx[at], idx[at]);
      z = has_value ? ADD(z, t) : t;
      has_value = true, plain = PLAIN(z);
    }
    for (; hits; hits &= hits - 1) {
      uint64_t at = e + (uint64_t)__builtin_ctzll(hits);
#if STOP
      if (STOPS(z)) break;
#endif
      Z t = KERNEL(product)(J, at, idx[at], idx[at]);
      z = ADD_PLAIN(z, t);
    }
  }
  *inspected += e - from;
  if (has_value) *to = z;
  return has_value;
}
#endif
#endif

RANGE_FN bool KERNEL(row)(const grid_range_job *J, uint64_t e, uint64_t end, bool has_value, Z *z,
                          const bool bits, uint64_t *inspected) {
#if FIRST_HIT
  (void)bits;
  return KERNEL(row_first)(J, e, end, has_value, z, inspected);
#else
  return bits ? KERNEL(row_bits)(J, e, end, has_value, z, inspected)
              : KERNEL(row_full)(J, e, end, has_value, z, inspected);
#endif
}

#if !FIRST_HIT
/* Fetches entries that a pull reads soon after those from e on. */
RANGE_FN void KERNEL(prefetch_entries)(const grid_range_job *J, uint64_t e) {
  __builtin_prefetch(J->idx + e + RANGE_STREAM / sizeof *J->idx);
#if USES_A
  __builtin_prefetch((const A *)J->a + e + RANGE_STREAM / sizeof(A));
#endif
}

/* The 64 rows of word w, which have entries and no values yet. x has bits; or it is full, and neither a nor x
 * is iso. Of short rows, looking up each would take longer than its products. */
RANGE_FN uint64_t KERNEL(pull_whole_word)(const grid_range_job *job, uint64_t w, const bool bits,
                                          const bool prefetch, uint64_t *inspected) {
  const grid_range_job J = *job; /* no value that is written can change a copy */
  Z *y = (Z *)J.y + 64 * w;
  uint64_t e = range_start(&J, 64 * w), hits = 0;
  for (unsigned b = 0; b < 64; b++) {
    const uint64_t end = range_start(&J, 64 * w + b + 1);
    if (prefetch) KERNEL(prefetch_entries)(&J, e);
    const bool hit = bits ? KERNEL(row_bits)(&J, e, end, false, y + b, inspected)
                          : KERNEL(row_full_of)(&J, e, end, false, y + b, inspected, true);
    hits |= (uint64_t)hit << b;
    e = end;
  }
  return hits;
}

/* Not inlined: the loop over the rows of other words needs the registers. */
static __attribute__((noinline)) void KERNEL(pull_full_word)(const grid_range_job *J, uint64_t w,
                                                             uint64_t *inspected) {
  if (J->prefetch) /* either way every row gets a value */
    (void)KERNEL(pull_whole_word)(J, w, false, true, inspected);
  else
    (void)KERNEL(pull_whole_word)(J, w, false, false, inspected);
}
GRID_LEVELS static __attribute__((noinline)) uint64_t KERNEL(pull_bits_word)(const grid_range_job *J,
                                                                             uint64_t w,
                                                                             uint64_t *inspected) {
  return KERNEL(pull_whole_word)(J, w, true, J->prefetch, inspected);
}
#endif

RANGE_FN void KERNEL(pull_words)(const grid_range_job *restrict J, uint64_t from, uint64_t to,
                                 grid_tally *sum, const bool bits) {
  uint64_t inspected = 0, found = 0;
  for (uint64_t w = from; w < to; w++) {
    uint64_t todo = range_allowed(J, w) & J->nonempty[w], had = J->ybits[w], hits = 0;
#if !FIRST_HIT
    if (todo == ~(uint64_t)0 && had == 0) {
      if (bits) {
        hits = KERNEL(pull_bits_word)(J, w, &inspected), todo = 0;
      } else if (KERNEL(is_separate)(J)) {
        KERNEL(pull_full_word)(J, w, &inspected);
        hits = todo, todo = 0;
      }
    }
#endif
    for (; todo; todo &= todo - 1) {
      unsigned b = (unsigned)__builtin_ctzll(todo);
      uint64_t v = 64 * w + b;
      uint64_t e = range_start(J, v), end = range_start(J, v + 1);
      hits |= (uint64_t)KERNEL(row)(J, e, end, had >> b & 1, (Z *)J->y + v, bits, &inspected) << b;
    }
    if (hits & ~had) {
      J->ybits[w] = had | hits;
      found += (uint64_t)__builtin_popcountll(hits & ~had);
    }
  }
  sum->inspected += inspected;
  sum->found += found;
}

GRID_LEVELS static void KERNEL(pull)(const grid_range_job *restrict J, uint64_t from, uint64_t to,
                                     grid_tally *sum) {
  if (J->xbits)
    KERNEL(pull_words)(J, from, to, sum, true);
  else
    KERNEL(pull_words)(J, from, to, sum, false);
}

/* The edges to the outputs of words from .. to - 1, in order of x: of each vector, whose entries ascend, one
 * segment. */
static void KERNEL(push)(const grid_range_job *restrict J, uint64_t from, uint64_t to, grid_tally *sum) {
  const uint64_t lo = 64 * from, hi = 64 * to;
  const uint32_t *idx = J->idx;
  Z *y = (Z *)J->y;
  uint64_t found = 0;
  for (uint64_t f = 0; f < J->nx; f++) {
    uint64_t k = J->xlist ? J->xlist[f] : f, p = J->x_packed ? f : k;
    uint64_t e = range_start(J, k), end = range_start(J, k + 1);
    const uint64_t next = range_prefetch_outputs(J, f, lo);
#if USES_A
    __builtin_prefetch((const A *)J->a + (next & J->a_and));
#endif
    (void)next;
    if (lo > 0) e = range_first_output(J, e, end, lo);
    for (; e < end && idx[e] < hi; e++) {
      uint64_t v = idx[e], bit = (uint64_t)1 << (v & 63), *word = &J->ybits[v >> 6];
      if (!(range_allowed(J, v >> 6) & bit)) continue;
      Z t = KERNEL(product)(J, e, k, p);
      if (*word & bit) {
        y[v] = ADD(y[v], t);
      } else {
        y[v] = t;
        *word |= bit;
        found++;
      }
    }
  }
  sum->found += found;
}
#endif

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
#undef ADD_PLAIN
#undef PLAIN
#undef STOP
#undef STOPS
#undef FIRST_HIT
#undef COUNTS
