/* The indices that a mask allows, by structure or by value, on the host or on the device; copied only where
 * necessary. */
#include "spmat/vector/backend.h"
#include "spmat/vector/bound_operator.h"

/* Bits of the 64 (or n - 64 w) values at x that are true. A value is true when it is not zero; -0.0 is
 * zero. */
#define TRUE_BITS(T, C)                   \
  case GRID_T_##T: {                      \
    const C *v = x;                       \
    for (uint64_t b = s; b; b &= b - 1) { \
      const unsigned i = grid_low_bit(b); \
      r |= (uint64_t)(v[i] != (C)0) << i; \
    }                                     \
    return r;                             \
  }

static uint64_t true_bits(GrB_Type type, const void *x, uint64_t s) {
  uint64_t r = 0;
  switch (type->code) {
    GRID_TYPES(TRUE_BITS)
    GRID_COMPLEX_TYPES(TRUE_BITS)
    default:
      return s; /* a mask of a user's type counts by structure only */
  }
}

static GrB_Info read_list_values(grid_mask *mask, const grid_chunk *m) {
  mask->owned_list = grid_malloc(m->nvals, sizeof(uint64_t));
  if (!mask->owned_list) return grid_fail_memory(NULL, "mask indices", m->nvals, sizeof(uint64_t));
  for (uint64_t k = 0; k < m->nvals; k++) {
    mask->owned_list[mask->nlist] = m->idx[k];
    mask->nlist += grid_is_true(m->type, (const char *)m->val + k * m->type->size);
  }
  mask->list = mask->owned_list;
  return GrB_SUCCESS;
}

/* The true values of word w of a bitmap or full chunk. */
static uint64_t true_word(const grid_chunk *m, int64_t w) {
  const uint64_t s = m->format == GRID_BITMAP ? m->bits[w] : grid_tail(m->n, (uint64_t)w);
  return s ? true_bits(m->type, (const char *)m->val + (size_t)w * 64 * m->type->size, s) : 0;
}

static GrB_Info read_dense_values(grid_mask *mask, const grid_chunk *m) {
  const int64_t words = (int64_t)grid_words(m->n);
  const int threads = grid_word_threads((uint64_t)words);
  uint64_t *bits = mask->owned_bits = grid_malloc((size_t)words, sizeof *bits);
  if (!bits) return grid_fail_memory(NULL, "mask bitmap", (uint64_t)words, sizeof *bits);
  if (grid_is_serial(threads)) {
    for (int64_t w = 0; w < words; w++) bits[w] = true_word(m, w);
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t w = 0; w < words; w++) bits[w] = true_word(m, w);
  }
  mask->bits = bits;
  return GrB_SUCCESS;
}

/* The true entries of m, which lies on the device. */
static GrB_Info read_device_values(grid_mask *mask, const grid_chunk *m) {
  const uint64_t words = grid_words(m->n);
  uint64_t *bits = grid_device_malloc(words, sizeof *bits);
  if (!bits) return grid_device_fail_memory(NULL, "a mask's bitmap", words, sizeof *bits);
  mask->bits = mask->owned_bits = bits;
  return grid_cuda->chunks->select_true(bits, m->format == GRID_BITMAP ? m->bits : NULL, m->val, m->type,
                                        m->n);
}

/* Chooses where the mask is read: on the device if that is on, unless the chunk must stay on the host. */
static GrB_Info resolve_location(const grid_chunk *m) {
  GrB_Info info = GRID_UNSUPPORTED;
  if (m->nvals == 0) return GrB_SUCCESS;
  if (grid_device_is_on()) info = grid_chunk_to_device(m);
  return info == GRID_UNSUPPORTED ? grid_chunk_to_host(m) : info;
}

GrB_Info grid_mask_read(grid_mask *mask, const grid_chunk *m, uint64_t n, bool structure, bool complement) {
  GrB_Info info = GrB_SUCCESS;
  *mask = (grid_mask){.n = n};
  if (!m) { /* all indices; the complement, none, is the empty list */
    mask->all = !complement;
    return GrB_SUCCESS;
  }
  TRY(resolve_location(m));
  mask->complement = complement;
  if (m->nvals == 0) return GrB_SUCCESS;
  mask->device = m->device;
  bool by_value =
      !structure && m->type->code != GRID_T_UDT; /* a mask of a user's type counts by structure only */
  if (by_value && m->iso) {
    if (!grid_is_true(m->type, grid_chunk_iso_value(m))) return GrB_SUCCESS; /* no true entry */
    by_value = false;
  }
  if (by_value) {
    TRY(m->device                ? read_device_values(mask, m)
        : m->format == GRID_LIST ? read_list_values(mask, m)
                                 : read_dense_values(mask, m));
  } else if (m->format == GRID_LIST) {
    mask->list = m->idx, mask->nlist = m->nvals;
  } else if (m->format == GRID_BITMAP) {
    mask->bits = m->bits;
  } else {
    mask->all = !complement;
    mask->complement = false;
  }
done:
  if (info != GrB_SUCCESS) grid_mask_free(mask);
  return info;
}

void grid_mask_free(grid_mask *mask) {
  if (mask->device)
    grid_device_free(mask->owned_bits);
  else
    grid_free(mask->owned_bits);
  grid_free(mask->owned_list);
  *mask = (grid_mask){.n = mask->n};
}

/* ---- moves between memories ---------------------------------------------------------------------------- */

/* Replaces the mask's arrays by these bits, which it owns then. */
static void use_bits(grid_mask *mask, uint64_t *bits, bool device) {
  grid_mask m = {.n = mask->n, .complement = mask->complement, .all = mask->all, .device = device};
  m.bits = m.owned_bits = bits;
  grid_mask_free(mask);
  *mask = m;
}

/* The list's indices as a bitmap on the device; bits is zero. */
static GrB_Info scatter_list(uint64_t *bits, const grid_mask *mask) {
  GrB_Info info = GrB_SUCCESS;
  uint64_t *idx = grid_device_malloc(mask->nlist, sizeof *idx);
  if (!idx) TRY(grid_device_fail_memory(NULL, "a mask's list", mask->nlist, sizeof *idx));
  TRY(grid_device_write(idx, mask->list, mask->nlist * sizeof *idx));
  TRY(grid_cuda->chunks->scatter(bits, NULL, idx, NULL, mask->nlist, 0));
done:
  grid_device_free(idx);
  return info;
}

GrB_Info grid_mask_to_device(grid_mask *mask) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(mask->n);
  uint64_t *bits = NULL;
  if (mask->device) return GrB_SUCCESS;
  if (mask->n > GRID_DENSE_LENGTH_MAX) return GRID_UNSUPPORTED;
  if (mask->bits || mask->nlist) {
    bits = grid_device_malloc(words, sizeof *bits);
    if (!bits) TRY(grid_device_fail_memory(NULL, "a mask's bitmap", words, sizeof *bits));
    if (mask->bits) {
      TRY(grid_device_write(bits, mask->bits, words * sizeof *bits));
    } else {
      TRY(grid_device_zero(bits, words * sizeof *bits));
      TRY(scatter_list(bits, mask));
    }
  }
  use_bits(mask, bits, true);
done:
  if (info != GrB_SUCCESS) grid_device_free(bits);
  return info;
}

GrB_Info grid_mask_to_host(grid_mask *mask) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t words = grid_words(mask->n);
  uint64_t *bits = NULL;
  if (!mask->device) return GrB_SUCCESS;
  if (mask->bits) {
    bits = grid_malloc(words, sizeof *bits);
    if (!bits) TRY(grid_fail_memory(NULL, "mask bitmap", words, sizeof *bits));
    TRY(grid_device_get(bits, mask->bits, words * sizeof *bits));
  }
  use_bits(mask, bits, false);
done:
  if (info != GrB_SUCCESS) grid_free(bits);
  return info;
}

/* ---- queries ------------------------------------------------------------------------------------------- */

/* Is index i in the set whose bits are on the device? */
static bool device_bit(const uint64_t *bits, uint64_t i) {
  uint64_t word = 0;
  return grid_device_get(&word, bits + (i >> 6), sizeof word) == GrB_SUCCESS && word >> (i & 63) & 1;
}

bool grid_mask_has_index(const grid_mask *mask, uint64_t i) {
  if (mask->all) return true;
  bool in = false;
  if (mask->bits) {
    in = mask->device ? device_bit(mask->bits, i) : grid_bit(mask->bits, i);
  } else if (mask->nlist) {
    uint64_t k = grid_lower_bound(mask->list, 0, mask->nlist, i);
    in = k < mask->nlist && mask->list[k] == i;
  }
  return in != mask->complement;
}

uint64_t grid_count_bits(const uint64_t *bits, uint64_t words) {
  const int threads = grid_bit_threads(words, 0);
  uint64_t n = 0;
  if (grid_is_serial(threads)) {
    for (uint64_t w = 0; w < words; w++) n += grid_popcount(bits[w]);
  } else {
#pragma omp parallel for schedule(static) reduction(+ : n) num_threads(threads)
    for (uint64_t w = 0; w < words; w++) n += grid_popcount(bits[w]);
  }
  return n;
}

uint64_t grid_mask_count(const grid_mask *mask) {
  if (mask->all) return mask->n;
  uint64_t in = mask->nlist;
  if (mask->bits && mask->device) {
    if (grid_cuda->chunks->combine(NULL, mask->bits, NULL, GRID_AND, mask->n, &in) != GrB_SUCCESS) return 0;
  } else if (mask->bits) {
    in = grid_count_bits(mask->bits, grid_words(mask->n));
  }
  return mask->complement ? mask->n - in : in;
}

/* Both lie on the device. A failure is returned by the next call that can fail. */
static uint64_t device_count_allowed(const grid_mask *mask, const grid_chunk *c) {
  uint64_t n = 0;
  GrB_Info info = grid_cuda->chunks->combine(NULL, c->format == GRID_BITMAP ? c->bits : NULL, mask->bits,
                                             mask->complement ? GRID_AND_NOT : GRID_AND, c->n, &n);
  return info == GrB_SUCCESS ? n : 0;
}

uint64_t grid_mask_count_allowed(const grid_mask *mask, const grid_chunk *c) {
  if (grid_chunk_wait(c) != GrB_SUCCESS) return 0;
  if (mask->all || c->nvals == 0) return c->nvals;
  if (!mask->bits && !mask->list) return mask->complement ? c->nvals : 0;
  uint64_t n = 0;
  if ((mask->device ? grid_chunk_to_device(c) : grid_chunk_to_host(c)) != GrB_SUCCESS) return 0;
  if (mask->device) return device_count_allowed(mask, c);
  grid_cursor allowed = grid_cursor_mask(mask);
  for (grid_iter it = grid_iter_begin(c); grid_iter_next(&it);) n += grid_cursor_has(&allowed, it.i);
  return n;
}
