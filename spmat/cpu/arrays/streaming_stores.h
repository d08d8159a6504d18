/* Streaming stores of long arrays, past the caches. Data that is written once and not read soon need not be
 * read first, as a cache would, which saves a third of the traffic. A writer calls grid_stream_end before
 * another thread reads the data. Without SSE2 these are plain loops. */
#ifndef GRID_STREAMING_STORES_H
#define GRID_STREAMING_STORES_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline void grid_stream_end(void) {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/* z[k] = base + x[k] for k < n */
static inline void grid_stream_widen(uint64_t *z, const uint32_t *x, uint64_t base, size_t n) {
  size_t k = 0;
#ifdef __SSE2__
  const __m128i zero = _mm_setzero_si128(), two = _mm_set1_epi64x((long long)base);
  if (n && (uintptr_t)z % 16) z[0] = base + x[0], k = 1;
  for (; k + 4 <= n; k += 4) {
    const __m128i i = _mm_loadu_si128((const __m128i *)(const void *)(x + k));
    _mm_stream_si128((__m128i *)(void *)(z + k), _mm_add_epi64(_mm_unpacklo_epi32(i, zero), two));
    _mm_stream_si128((__m128i *)(void *)(z + k + 2), _mm_add_epi64(_mm_unpackhi_epi32(i, zero), two));
  }
#endif
  for (; k < n; k++) z[k] = base + x[k];
}

/* copies n bytes from x to z */
static inline void grid_stream_copy(void *zv, const void *xv, size_t n) {
  char *z = zv;
  const char *x = xv;
#ifdef __SSE2__
  const size_t head = (16 - (uintptr_t)z % 16) % 16;
  if (n >= 64) {
    memcpy(z, x, head);
    z += head, x += head, n -= head;
    for (; n >= 16; z += 16, x += 16, n -= 16)
      _mm_stream_si128((__m128i *)(void *)z, _mm_loadu_si128((const __m128i *)(const void *)x));
  }
#endif
  /* cppcheck-suppress uninitvar ; the caller's */
  memcpy(z, x, n);
}
#endif
