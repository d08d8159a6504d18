/* See pack.h. Each thread counts the bits of its words; the counts before it give its first position. */
#include "spmat/vector/pack.h"

#include "spmat/vector/value_sizes.h"

typedef struct {
  void *z;
  const grid_copier *copy; /* NULL: indices, */
  bool narrow;             /* of 32 bits */
  const char *x;
  size_t xstep;
  uint64_t first;
  const uint64_t *bits;
} packer;

GRID_ALWAYS_INLINE size_t pack_word(char *z, const char *x, uint64_t s, size_t size) {
  size_t k = 0;
  for (; s; s &= s - 1, k++) memcpy(z + k * size, x + grid_low_bit(s) * size, size);
  return k;
}

size_t grid_pack_word(void *z, const void *x, uint64_t s, size_t size) {
  size_t n = 64;
  if (s == ~UINT64_C(0)) {
    memcpy(z, x, 64 * size);
    return n;
  }
#define CALL(S) n = pack_word(z, x, s, S)
  GRID_BY_SIZE(size, CALL)
#undef CALL
  return n;
}

GRID_ALWAYS_INLINE size_t unpack_word(char *z, const char *x, uint64_t s, size_t size) {
  size_t k = 0;
  for (; s; s &= s - 1, k++) memcpy(z + grid_low_bit(s) * size, x + k * size, size);
  return k;
}

size_t grid_unpack_word(void *z, const void *x, uint64_t s, size_t size) {
  size_t n = 64;
  if (s == ~UINT64_C(0)) {
    memcpy(z, x, 64 * size);
    return n;
  }
#define CALL(S) n = unpack_word(z, x, s, S)
  GRID_BY_SIZE(size, CALL)
#undef CALL
  return n;
}

/* The values of a word; returns their number. */
static size_t pack_values(const packer *p, char *z, uint64_t w, uint64_t s) {
  const grid_copier *c = p->copy;
  const size_t size = c->x->size, n = grid_popcount(s);
  const char *x = p->x + 64 * w * p->xstep * size;
  grid_any_value buffer[64];
  if (n == 64 || !p->xstep) {
    grid_copy_run(c, z, x, p->xstep, n);
  } else {
    grid_pack_word(c->cast ? (char *)buffer : z, x, s, size);
    if (c->cast) grid_cast_array(z, c->z, buffer, c->x, 1, n);
  }
  return n;
}

static size_t pack_indices(const packer *p, uint64_t *idx, uint64_t w, uint64_t s) {
  const uint64_t at = p->first + 64 * w;
  size_t k = 0;
  if (s == ~UINT64_C(0))
    for (; k < 64; k++) idx[k] = at + k;
  else
    for (; s; s &= s - 1) idx[k++] = at + grid_low_bit(s);
  return k;
}

static size_t pack_narrow_indices(uint32_t *idx, uint64_t w, uint64_t s) {
  size_t k = 0;
  for (; s; s &= s - 1) idx[k++] = (uint32_t)(64 * w + grid_low_bit(s));
  return k;
}

/* Words w .. end - 1, the first entry of which is number `at`. */
static void pack_words(const packer *p, uint64_t w, uint64_t end, uint64_t at) {
  const size_t size = p->copy ? p->copy->z->size : p->narrow ? sizeof(uint32_t) : sizeof(uint64_t);
  for (; w < end; w++) {
    const uint64_t s = p->bits[w];
    void *z = (char *)p->z + at * size;
    if (s)
      at += p->copy     ? pack_values(p, z, w, s)
            : p->narrow ? pack_narrow_indices(z, w, s)
                        : pack_indices(p, z, w, s);
  }
}

static void pack(const packer *p, uint64_t n, uint64_t entries) {
  const uint64_t words = grid_words(n);
  const int threads = grid_bit_threads(words, entries);
  if (grid_is_serial(threads)) {
    pack_words(p, 0, words, 0);
    return;
  }
  uint64_t count[threads];
#pragma omp parallel num_threads(threads)
  {
    const uint64_t id = grid_thread(), all = grid_threads(), end = words * (id + 1) / all;
    uint64_t at = 0, ones = 0;
    for (uint64_t w = words * id / all; w < end; w++) ones += grid_popcount(p->bits[w]);
    count[id] = ones;
#pragma omp barrier
    for (uint64_t k = 0; k < id; k++) at += count[k];
    pack_words(p, words * id / all, end, at);
  }
}

void grid_pack_values(void *z, const grid_copier *copy, const void *x, size_t xstep, const uint64_t *bits,
                      uint64_t n, uint64_t entries) {
  pack(&(packer){.z = z, .copy = copy, .x = x, .xstep = xstep, .bits = bits}, n, entries);
}

void grid_pack_indices(uint64_t *idx, uint64_t first, const uint64_t *bits, uint64_t n, uint64_t entries) {
  pack(&(packer){.z = idx, .first = first, .bits = bits}, n, entries);
}

void grid_pack_narrow_indices(uint32_t *idx, const uint64_t *bits, uint64_t n, uint64_t entries) {
  pack(&(packer){.z = idx, .narrow = true, .bits = bits}, n, entries);
}
