/* Kernels that multiply matrices over any semiring, including user-defined types and operators, with one call
 * through a function pointer a product. The algorithm is that of mxm_rows.h. */
#include <string.h>

#include "spmat/cpu/mxm/cpu_mxm.h"

static const char *value(const mxm_vectors *x, uint64_t e, size_t size) {
  return (const char *)x->val + (e & x->val_and) * size;
}

/* *t = a(e) * b(f), at inner index k. */
static void product(const mxm_job *J, const mxm_calls *c, void *t, uint64_t e, uint64_t k, uint64_t f) {
  if (c->mul)
    c->mul(t, value(&J->a, e, c->a), value(&J->b, f, c->b));
  else if (c->z == 4)
    *(int32_t *)t = (int32_t)J->global_index[k];
  else
    *(int64_t *)t = (int64_t)J->global_index[k];
}

/* *z += t, or = t. */
static void add(const mxm_calls *c, void *z, const void *t, bool has_value) {
  if (!has_value)
    memcpy(z, t, c->z);
  else if (!c->any)
    c->add(z, z, t);
}

static bool stops(const mxm_calls *c, const void *z) {
  return c->any || (c->terminal && memcmp(z, c->terminal, c->z) == 0);
}

/* ---- rows ---- */

static void store_product(const mxm_job *J, mxm_workspace *w, uint64_t e, uint64_t k, uint64_t f) {
  const mxm_calls *c = J->calls;
  const uint64_t j = J->b.idx[f];
  char *z = (char *)w->sum + j * c->z;
  if (!range_bit(w->touched, j)) {
    product(J, c, z, e, k, f);
    mxm_set(w->touched, j);
    mxm_set(w->words, j >> 6);
  } else if (!c->any) {
    product(J, c, w->operand, e, k, f);
    c->add(z, z, w->operand);
  }
}

/* For a row of B much longer than the mask's row, with only the mask's columns allowed (turn 0): looks these
 * up in B's row. False: it does not apply. */
static bool search_row(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t e, uint64_t turn) {
  const uint64_t k = J->a.idx[e], end = mxm_to(&J->b, k);
  uint64_t f = mxm_from(&J->b, k);
  if (!J->masked || turn) return false;
  uint64_t m = mxm_from(&J->mask, r);
  const uint64_t mend = mxm_to(&J->mask, r);
  if (end - f <= MXM_SEARCH * (mend - m)) return false;
  for (; m < mend && f < end; m++) {
    f = mxm_search(J->b.idx, f, end, J->mask.idx[m]);
    if (f < end && J->b.idx[f] == J->mask.idx[m]) store_product(J, w, e, k, f);
  }
  return true;
}

/* All products of row r at the set bits of allowed ^ turn. */
static void store_row(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t turn) {
  const mxm_calls *c = J->calls;
  const mxm_vectors *d = &J->partial;
  for (uint64_t e = mxm_has_matrix(d) ? mxm_from(d, r) : 0, end = mxm_has_matrix(d) ? mxm_to(d, r) : 0;
       e < end; e++) {
    mxm_set(w->touched, d->idx[e]);
    mxm_set(w->words, d->idx[e] >> 6);
    memcpy((char *)w->sum + d->idx[e] * c->z, value(d, e, c->z), c->z);
  }
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e];
    if (search_row(J, r, w, e, turn)) continue;
    for (uint64_t f = mxm_from(&J->b, k), last = mxm_to(&J->b, k); f < last; f++)
      if (!J->masked || range_bit(w->allowed, J->b.idx[f]) ^ (turn & 1)) store_product(J, w, e, k, f);
  }
}

static void emit(const mxm_job *J, uint64_t o, uint64_t j, mxm_workspace *w) {
  const mxm_calls *c = J->calls;
  J->idx[o] = (uint32_t)j;
  memcpy((char *)J->val + o * c->z, (char *)w->sum + j * c->z, c->z);
}

static uint64_t emit_word(const mxm_job *J, uint64_t o, uint64_t v, mxm_workspace *w) {
  uint64_t bits = w->touched[v];
  w->touched[v] = 0;
  for (; bits; bits &= bits - 1) emit(J, o++, 64 * v + (uint64_t)__builtin_ctzll(bits), w);
  return o;
}

static uint64_t row_dense(const mxm_job *J, uint64_t r, mxm_workspace *w) {
  uint64_t o = w->at, lo, hi;
  if (grid_mxm_span(J, r, &lo, &hi) == 0) return o;
  store_row(J, r, w, ~(uint64_t)0);
  for (uint64_t u = lo >> 12; u <= hi >> 12; u++) {
    uint64_t words = w->words[u];
    w->words[u] = 0;
    for (; words; words &= words - 1) o = emit_word(J, o, 64 * u + (uint64_t)__builtin_ctzll(words), w);
  }
  return o;
}

static uint64_t write_products(const mxm_job *J, uint64_t r, mxm_workspace *w, uint64_t *runs) {
  const mxm_calls *c = J->calls;
  const mxm_vectors *d = &J->partial;
  char *t = w->product;
  uint64_t p = 0, nr = 0;
  for (uint64_t e = mxm_has_matrix(d) ? mxm_from(d, r) : 0, end = mxm_has_matrix(d) ? mxm_to(d, r) : 0;
       e < end; e++, p++) {
    if (nr == 0) w->run[nr++] = 0;
    memcpy(t + p * c->z, value(d, e, c->z), c->z);
    w->key[p] = (uint64_t)d->idx[e] << 32 | p;
  }
  for (uint64_t e = mxm_from(&J->a, r), end = mxm_to(&J->a, r); e < end; e++) {
    const uint64_t k = J->a.idx[e], from = p;
    for (uint64_t f = mxm_from(&J->b, k), last = mxm_to(&J->b, k); f < last; f++) {
      if (J->masked && range_bit(w->allowed, J->b.idx[f])) continue;
      product(J, c, t + p * c->z, e, k, f);
      w->key[p] = (uint64_t)J->b.idx[f] << 32 | p;
      p++;
    }
    w->run[nr] = (uint32_t)from;
    nr += p > from;
  }
  *runs = nr;
  return p;
}

static uint64_t row_sorted(const mxm_job *J, uint64_t r, mxm_workspace *w) {
  const mxm_calls *c = J->calls;
  uint64_t runs, o = w->at;
  const uint64_t p = write_products(J, r, w, &runs),
                 *key = grid_mxm_sort(w->key, w->scratch, p, w->run, runs);
  for (uint64_t q = 0; q < p; q++) {
    const bool same = q > 0 && key[q] >> 32 == key[q - 1] >> 32;
    o += q > 0 && !same;
    J->idx[o] = (uint32_t)(key[q] >> 32);
    add(c, (char *)J->val + o * c->z, (char *)w->product + (uint32_t)key[q] * c->z, same);
  }
  return o + (p > 0);
}

static void rows(const mxm_job *J, uint64_t from, uint64_t to, mxm_workspace *w) {
  const mxm_vectors *m = &J->mask;
  for (uint64_t r = from; r < to; r++) {
    const uint64_t at = w->at;
    J->count[r] = 0;
    if (J->method[r] == MXM_SKIP) continue;
    const uint64_t first = J->masked ? mxm_from(m, r) : 0, last = J->masked ? mxm_to(m, r) : 0;
    for (uint64_t e = first; e < last; e++) mxm_set(w->allowed, m->idx[e]);
    w->at = J->method[r] == MXM_SORT ? row_sorted(J, r, w) : row_dense(J, r, w);
    J->count[r] = (uint32_t)(w->at - at);
    mxm_clear_words(w->allowed, m->idx + first, last - first);
  }
}

static void masked(const mxm_job *J, uint64_t from, uint64_t to, mxm_workspace *w) {
  const mxm_vectors *m = &J->mask;
  for (uint64_t r = from; r < to; r++) {
    const uint64_t first = mxm_from(m, r), last = mxm_to(m, r);
    uint64_t o = w->at;
    J->count[r] = 0;
    if (J->method[r] == MXM_SKIP) continue;
    for (uint64_t e = first; e < last; e++) mxm_set(w->allowed, m->idx[e]);
    store_row(J, r, w, 0);
    for (uint64_t e = first; e < last; e++)
      if (range_bit(w->touched, m->idx[e])) emit(J, o++, m->idx[e], w);
    J->count[r] = (uint32_t)(o - w->at);
    w->at = o;
    mxm_clear_words(w->allowed, m->idx + first, last - first);
    mxm_clear_words(w->touched, m->idx + first, last - first);
    for (uint64_t e = first; e < last; e++) w->words[m->idx[e] >> 12] = 0;
  }
}

/* ---- dots ---- */

/* Adds the dot product of row r, whose inner indices are marked, with column j to *z. */
static bool dot(const mxm_job *J, uint64_t j, mxm_workspace *w, char *z, bool has_value) {
  const mxm_calls *c = J->calls;
  const uint64_t *entry = w->row; /* of A, by inner index */
  for (uint64_t f = mxm_from(&J->b, j), end = mxm_to(&J->b, j); f < end; f++) {
    const uint64_t k = J->b.idx[f];
    if (!range_bit(w->inner, k)) continue;
    if (has_value && stops(c, z)) break;
    product(J, c, has_value ? w->operand : z, entry[k], k, f);
    if (has_value) c->add(z, z, w->operand);
    has_value = true;
  }
  return has_value;
}

static void row_dots(const mxm_job *J, uint64_t r, mxm_workspace *w) {
  const mxm_calls *c = J->calls;
  const mxm_vectors *partial = &J->partial;
  uint64_t o = w->at, d = 0, dend = 0;
  if (mxm_has_matrix(partial)) d = mxm_from(partial, r), dend = mxm_to(partial, r);
  for (uint64_t m = mxm_from(&J->mask, r), mend = mxm_to(&J->mask, r); m < mend; m++) {
    const uint64_t j = J->mask.idx[m];
    char *z = (char *)J->val + o * c->z;
    while (d < dend && partial->idx[d] < j) d++;
    const bool before = d < dend && partial->idx[d] == j;
    if (before) memcpy(z, value(partial, d, c->z), c->z);
    J->idx[o] = (uint32_t)j;
    o += dot(J, j, w, z, before);
  }
  J->count[r] = (uint32_t)(o - w->at);
  w->at = o;
}

static void dots(const mxm_job *J, uint64_t from, uint64_t to, mxm_workspace *w) {
  for (uint64_t r = from; r < to; r++) {
    const uint64_t first = mxm_from(&J->a, r), last = mxm_to(&J->a, r);
    J->count[r] = 0;
    if (J->method[r] == MXM_SKIP) continue;
    for (uint64_t e = first; e < last; e++) {
      mxm_set(w->inner, J->a.idx[e]);
      ((uint64_t *)w->row)[J->a.idx[e]] = e;
    }
    row_dots(J, r, w);
    mxm_clear_words(w->inner, J->a.idx + first, last - first);
  }
}

const mxm_kernels grid_mxm_kernels_pointers = {NULL, rows, masked, dots};
