/* mask.c: what a mask allows of a chunk, by structure or by value, without a copy where there need be
 * none. */
#include "spmat/bound.h"

/* Bits of the 64 (or n - 64 w) values at x that are true. A value is true when it is not zero; -0.0 is
 * zero. */
#define TRUE_BITS(T)                      \
  do {                                    \
    const T *v = x;                       \
    for (uint64_t b = s; b; b &= b - 1) { \
      unsigned i = grid_low_bit(b);       \
      r |= (uint64_t)(v[i] != 0) << i;    \
    }                                     \
  } while (0)

static uint64_t true_bits(GrB_Type type, const void *x, uint64_t s) {
  uint64_t r = 0;
  switch (type->code) {
    case GRID_T_BOOL:
      TRUE_BITS(bool);
      break;
    case GRID_T_INT8:
      TRUE_BITS(int8_t);
      break;
    case GRID_T_INT16:
      TRUE_BITS(int16_t);
      break;
    case GRID_T_INT32:
      TRUE_BITS(int32_t);
      break;
    case GRID_T_INT64:
      TRUE_BITS(int64_t);
      break;
    case GRID_T_UINT8:
      TRUE_BITS(uint8_t);
      break;
    case GRID_T_UINT16:
      TRUE_BITS(uint16_t);
      break;
    case GRID_T_UINT32:
      TRUE_BITS(uint32_t);
      break;
    case GRID_T_UINT64:
      TRUE_BITS(uint64_t);
      break;
    case GRID_T_FP32:
      TRUE_BITS(float);
      break;
    case GRID_T_FP64:
      TRUE_BITS(double);
      break;
    default:
      r = s; /* a user's type is only a mask by structure */
  }
  return r;
}

static GrB_Info read_list_values(grid_mask *mask, const grid_chunk *m) {
  mask->own_list = grid_malloc(m->nvals, sizeof(uint64_t));
  if (!mask->own_list) return grid_fail_memory(NULL, "mask indices", m->nvals, sizeof(uint64_t));
  for (uint64_t k = 0; k < m->nvals; k++) {
    mask->own_list[mask->nlist] = m->idx[k];
    mask->nlist += grid_is_true(m->type, (const char *)m->val + k * m->type->size);
  }
  mask->list = mask->own_list;
  return GrB_SUCCESS;
}

static GrB_Info read_dense_values(grid_mask *mask, const grid_chunk *m) {
  const int64_t words = (int64_t)grid_words(m->n);
  uint64_t *bits = mask->own_bits = grid_malloc((size_t)words, sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "mask bitmap", (uint64_t)words, sizeof *bits);
#pragma omp parallel for schedule(static) num_threads(grid_word_threads((uint64_t)words))
  for (int64_t w = 0; w < words; w++) {
    uint64_t s = m->format == GRID_BITMAP ? m->bits[w] : grid_tail(m->n, (uint64_t)w);
    bits[w] = s ? true_bits(m->type, (const char *)m->val + (size_t)w * 64 * m->type->size, s) : 0;
  }
  mask->bits = bits;
  return GrB_SUCCESS;
}

GrB_Info grid_mask_read(grid_mask *mask, const grid_chunk *m, uint64_t n, bool structure, bool complement) {
  *mask = (grid_mask){.n = n};
  if (!m) { /* everything; its complement allows nothing, which is the empty list */
    mask->all = !complement;
    return GrB_SUCCESS;
  }
  mask->complement = complement;
  bool by_value = !structure && m->nvals;
  if (by_value && m->iso) {
    if (!grid_is_true(m->type, m->val)) return GrB_SUCCESS; /* no true entry */
    by_value = false;
  }
  if (by_value) return m->format == GRID_LIST ? read_list_values(mask, m) : read_dense_values(mask, m);
  if (m->format == GRID_LIST) {
    mask->list = m->idx, mask->nlist = m->nvals;
  } else if (m->format == GRID_BITMAP) {
    mask->bits = m->bits;
  } else {
    mask->all = !complement;
    mask->complement = false;
  }
  return GrB_SUCCESS;
}

void grid_mask_free(grid_mask *mask) {
  grid_free(mask->own_bits);
  grid_free(mask->own_list);
  *mask = (grid_mask){.n = mask->n};
}

bool grid_mask_allows(const grid_mask *mask, uint64_t i) {
  if (mask->all) return true;
  bool in = false;
  if (mask->bits) {
    in = grid_bit(mask->bits, i);
  } else if (mask->nlist) {
    uint64_t k = grid_lower_bound(mask->list, 0, mask->nlist, i);
    in = k < mask->nlist && mask->list[k] == i;
  }
  return in != mask->complement;
}

uint64_t grid_mask_count(const grid_mask *mask) {
  if (mask->all) return mask->n;
  uint64_t in = mask->nlist;
  if (mask->bits) {
    const int64_t words = (int64_t)grid_words(mask->n);
#pragma omp parallel for schedule(static) reduction(+ : in) num_threads(grid_word_threads((uint64_t)words))
    for (int64_t w = 0; w < words; w++) in += grid_popcount(mask->bits[w]);
  }
  return mask->complement ? mask->n - in : in;
}

uint64_t grid_mask_meet(const grid_mask *mask, const grid_chunk *c) {
  if (mask->all) return c->nvals;
  uint64_t n = 0;
  grid_cursor allowed = grid_cursor_mask(mask);
  for (grid_iter it = grid_begin(c); grid_next(&it);) n += grid_cursor_has(&allowed, it.i);
  return n;
}
