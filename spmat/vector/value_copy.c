/* Values moved, filled in and cast; see bound_operator.h. */
#include "spmat/vector/bound_operator.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

GRID_ALWAYS_INLINE void fill(char *z, const char *x, size_t n, size_t size) {
  for (size_t k = 0; k < n; k++) memcpy(z + k * size, x, size);
}
GRID_ALWAYS_INLINE void copy_bits(char *z, const char *x, size_t xstep, uint64_t s, size_t size) {
  for (; s; s &= s - 1) {
    size_t b = grid_low_bit(s);
    memcpy(z + b * size, x + b * xstep * size, size);
  }
}
GRID_ALWAYS_INLINE void gather(char *z, const char *x, const uint32_t *at, size_t from, size_t to,
                               size_t size) {
  for (size_t k = from; k < to; k++) memcpy(z + k * size, x + at[k] * size, size);
}
GRID_ALWAYS_INLINE void scatter(char *z, const uint32_t *at, const char *x, size_t xstep, size_t from,
                                size_t to, size_t size) {
  for (size_t k = from; k < to; k++) memcpy(z + at[k] * size, x + k * xstep * size, size);
}

/* Byte b is 255 where bit b is set, else 0. */
static inline uint64_t bytes_of_bits(uint64_t bits) {
  const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 0x7f;
  const uint64_t spread = (bits * ones) & UINT64_C(0x8040201008040201);
  return ((((spread & low) + low) | spread) >> 7 & ones) * 0xff;
}

#if defined(__x86_64__) && defined(__GNUC__)
/* gcc does not vectorise a loop over bits to a masked store. */
__attribute__((target("avx512bw"))) static bool fill_masked(unsigned char *z, unsigned char x, uint64_t s) {
  _mm512_mask_storeu_epi8(z, s, _mm512_set1_epi8((char)x));
  return true;
}
__attribute__((target("avx512bw"))) static void fill_words_masked(unsigned char *z, unsigned char x,
                                                                  const uint64_t *s, uint64_t words) {
  const __m512i all = _mm512_set1_epi8((char)x);
  for (uint64_t w = 0; w < words; w++)
    if (s[w]) _mm512_mask_storeu_epi8(z + 64 * w, s[w], all);
}
#define HAS_MASKED_FILL __builtin_cpu_supports("avx512bw")
#else
static bool fill_masked(unsigned char *z, unsigned char x, uint64_t s) {
  (void)z, (void)x, (void)s;
  return false;
}
static void fill_words_masked(unsigned char *z, unsigned char x, const uint64_t *s, uint64_t words) {
  (void)z, (void)x, (void)s, (void)words;
}
#define HAS_MASKED_FILL false
#endif

/* Stores one byte at all bits of s, 64 or 8 at a time; nothing is written beyond the last bit. */
static void fill_bytes(unsigned char *z, unsigned char x, uint64_t s) {
  if (HAS_MASKED_FILL && fill_masked(z, x, s)) return;
  const uint64_t value = x * UINT64_C(0x0101010101010101);
  for (; s >> 8; s >>= 8, z += 8) {
    const uint64_t mask = bytes_of_bits(s & 0xff);
    uint64_t old;
    memcpy(&old, z, sizeof old);
    old = (old & ~mask) | (value & mask);
    memcpy(z, &old, sizeof old);
  }
  for (; s; s &= s - 1) z[grid_low_bit(s)] = x;
}

void grid_value_fill(void *z, const void *x, size_t size, size_t n) {
#define CALL(S) fill(z, x, n, S)
  GRID_BY_SIZE(size, CALL)
#undef CALL
}

enum { MOVED_AT_ONCE = 1 << 13 };

void grid_value_fill_array(void *z, const void *x, size_t size, uint64_t n) {
  if (n <= 2 * MOVED_AT_ONCE) {
    grid_value_fill(z, x, size, n);
    return;
  }
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < n; k += MOVED_AT_ONCE)
    grid_value_fill((char *)z + k * size, x, size, n - k < MOVED_AT_ONCE ? n - k : MOVED_AT_ONCE);
}

void grid_value_gather(void *z, const void *x, const uint32_t *at, size_t size, size_t n) {
#define CALL(S) gather(z, x, at, k, end, S)
#pragma omp parallel for schedule(static) if (n > 2 * MOVED_AT_ONCE)
  for (size_t k = 0; k < n; k += MOVED_AT_ONCE) {
    const size_t end = k + MOVED_AT_ONCE < n ? k + MOVED_AT_ONCE : n;
    GRID_BY_SIZE(size, CALL)
  }
#undef CALL
}

void grid_value_scatter(void *z, const uint32_t *at, const void *x, size_t xstep, size_t size, size_t n) {
#define CALL(S) scatter(z, at, x, xstep, k, end, S)
#pragma omp parallel for schedule(static) if (n > 2 * MOVED_AT_ONCE)
  for (size_t k = 0; k < n; k += MOVED_AT_ONCE) {
    const size_t end = k + MOVED_AT_ONCE < n ? k + MOVED_AT_ONCE : n;
    GRID_BY_SIZE(size, CALL)
  }
#undef CALL
}

void grid_value_copy_bits(void *z, const void *x, size_t xstep, uint64_t s, size_t size) {
  if (s == ~UINT64_C(0)) {
    if (xstep)
      memcpy(z, x, 64 * size);
    else
      grid_value_fill(z, x, size, 64);
    return;
  }
  if (size == 1 && !xstep) {
    fill_bytes(z, *(const unsigned char *)x, s);
    return;
  }
#define CALL(S) copy_bits(z, x, xstep, s, S)
  GRID_BY_SIZE(size, CALL)
#undef CALL
}

void grid_value_fill_bits(void *z, const void *x, const uint64_t *s, uint64_t words, size_t size) {
  if (size == 1 && HAS_MASKED_FILL) {
    fill_words_masked(z, *(const unsigned char *)x, s, words);
    return;
  }
  for (uint64_t w = 0; w < words; w++)
    if (s[w]) grid_value_copy_bits((char *)z + w * 64 * size, x, 0, s[w], size);
}

void grid_copy_run(const grid_copier *c, void *z, const void *x, size_t xstep, size_t n) {
  if (n == 0) return;
  if (c->cast)
    grid_cast_array(z, c->z, x, c->x, xstep, n);
  else if (xstep)
    memcpy(z, x, n * c->z->size);
  else
    grid_value_fill(z, x, c->z->size, n);
}

void grid_copy_word(const grid_copier *c, void *z, const void *x, size_t xstep, uint64_t s) {
  uint64_t clean[8];
  if (!grid_word_filled(s)) {
    grid_copy_bits(c, z, x, xstep, s);
  } else {
    const size_t n = grid_word_length(s);
    if (c->cast) x = grid_make_readable(c->x, x, xstep, n, clean);
    grid_copy_run(c, z, x, xstep, n);
  }
}

void grid_copy_bits(const grid_copier *c, void *z, const void *x, size_t xstep, uint64_t s) {
  grid_any_value cast[64];
  if (!c->cast) {
    grid_value_copy_bits(z, x, xstep, s, c->z->size);
  } else if (s == ~UINT64_C(0)) {
    grid_cast_array(z, c->z, x, c->x, xstep, 64);
  } else if (grid_word_filled(s)) {
    grid_copy_word(c, cast, x, xstep, s);
    grid_value_copy_bits(z, cast, 1, s, c->z->size);
  } else {
    for (; s; s &= s - 1) {
      size_t b = grid_low_bit(s);
      c->cast((char *)z + b * c->z->size, (const char *)x + b * xstep * c->x->size, c->z->size);
    }
  }
}
