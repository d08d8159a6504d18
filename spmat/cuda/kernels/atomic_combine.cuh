// *p = O::add(*p, v), atomically, for any monoid: by an atomic instruction if O::native names one, by
// compare-and-swap on values of 1, 2, 4 or 8 bytes, else under a lock. The order of sums is undefined:
// floating-point results may differ in their last bits from run to run.
#ifndef GRID_ATOMIC_COMBINE_CUH
#define GRID_ATOMIC_COMBINE_CUH

enum {
  GRID_BY_CAS,
  GRID_BY_ADD,
  GRID_BY_MIN,
  GRID_BY_MAX,
  GRID_BY_OR,
  GRID_BY_AND,
  GRID_BY_XOR,
  GRID_BY_TRUE,
  GRID_BY_FALSE
};

// The type that the atomic instructions take for T: same size, same arithmetic.
template <class T>
struct grid_atomic {
  typedef T type;
};
template <>
struct grid_atomic<long> {
  typedef long long type;
};
template <>
struct grid_atomic<unsigned long> {
  typedef unsigned long long type;
};
// Two's complement sums wrap, so the unsigned instruction serves all integers.
template <class T>
struct grid_atomic_sum {
  typedef T type;
};
template <>
struct grid_atomic_sum<long> {
  typedef unsigned long long type;
};
template <>
struct grid_atomic_sum<unsigned long> {
  typedef unsigned long long type;
};

template <int size>
struct grid_word {};
template <>
struct grid_word<1> {
  typedef unsigned char type;
};
template <>
struct grid_word<2> {
  typedef unsigned short type;
};
template <>
struct grid_word<4> {
  typedef unsigned int type;
};
template <>
struct grid_word<8> {
  typedef unsigned long long type;
};

GRID_FN unsigned short grid_cas(unsigned short *p, unsigned short old, unsigned short now) {
  return atomicCAS(p, old, now);
}
GRID_FN unsigned int grid_cas(unsigned int *p, unsigned int old, unsigned int now) {
  return atomicCAS(p, old, now);
}
GRID_FN unsigned long long grid_cas(unsigned long long *p, unsigned long long old, unsigned long long now) {
  return atomicCAS(p, old, now);
}
// A byte, through the 4-byte word that contains it (blocks of device memory end at a whole word).
GRID_FN unsigned char grid_cas(unsigned char *p, unsigned char old, unsigned char now) {
  const unsigned shift = 8 * (unsigned)((uint64_t)p & 3);
  unsigned int *word = (unsigned int *)((uint64_t)p & ~(uint64_t)3),
               expected = *(volatile unsigned int *)word;
  for (;;) {
    if ((unsigned char)(expected >> shift) != old) return (unsigned char)(expected >> shift);
    const unsigned int before =
        atomicCAS(word, expected, (expected & ~(255u << shift)) | (unsigned)now << shift);
    if (before == expected) return old;
    expected = before;
  }
}

template <class O, int size>
struct grid_combiner {  // too large for an atomic operation
  typedef typename O::z_t z_t;
  static __device__ void run(z_t *p, z_t v, uint32_t *lock) {
    volatile unsigned char *at = (volatile unsigned char *)p;
    unsigned char bytes[sizeof(z_t)];
    for (bool todo = true; todo;) {
      if (atomicCAS(lock, 0, 1) != 0) continue;
      __threadfence();
      z_t z;
      for (int b = 0; b < (int)sizeof z; b++) bytes[b] = at[b];
      memcpy(&z, bytes, sizeof z);
      z = O::add(z, v);
      memcpy(bytes, &z, sizeof z);
      for (int b = 0; b < (int)sizeof z; b++) at[b] = bytes[b];
      __threadfence();
      atomicExch(lock, 0);
      todo = false;
    }
  }
};

template <class O, int size>
struct grid_swapper {
  typedef typename O::z_t z_t;
  typedef typename grid_word<size>::type word_t;
  static __device__ void run(z_t *p, z_t v, uint32_t *) {
    word_t old = *(volatile word_t *)p;
    for (;;) {
      z_t z;
      word_t now;
      memcpy(&z, &old, sizeof z);
      z = O::add(z, v);
      memcpy(&now, &z, sizeof z);
      if (now == old) return;
      const word_t before = grid_cas((word_t *)p, old, now);
      if (before == old) return;
      old = before;
    }
  }
};
template <class O>
struct grid_combiner<O, 1> : grid_swapper<O, 1> {};
template <class O>
struct grid_combiner<O, 2> : grid_swapper<O, 2> {};
template <class O>
struct grid_combiner<O, 4> : grid_swapper<O, 4> {};
template <class O>
struct grid_combiner<O, 8> : grid_swapper<O, 8> {};

// Atomic instructions. A plain read detects values that would change nothing.
template <class O, int native>
struct grid_native {
  typedef typename O::z_t z_t;
  static __device__ void run(z_t *p, z_t v, uint32_t *lock) {
    grid_combiner<O, sizeof(z_t)>::run(p, v, lock);
  }
};
template <class O>
struct grid_native<O, GRID_BY_ADD> {
  typedef typename O::z_t z_t;
  static __device__ void run(z_t *p, z_t v, uint32_t *) {
    typedef typename grid_atomic_sum<z_t>::type t;
    atomicAdd((t *)p, (t)v);
  }
};
#define GRID_NATIVE_OP(CODE, FUNCTION, CHANGES)             \
  template <class O>                                        \
  struct grid_native<O, CODE> {                             \
    typedef typename O::z_t z_t;                            \
    static __device__ void run(z_t *p, z_t v, uint32_t *) { \
      typedef typename grid_atomic<z_t>::type t;            \
      const z_t old = *(volatile z_t *)p;                   \
      if (CHANGES) FUNCTION((t *)p, (t)v);                  \
    }                                                       \
  };
GRID_NATIVE_OP(GRID_BY_MIN, atomicMin, v < old)
GRID_NATIVE_OP(GRID_BY_MAX, atomicMax, v > old)
GRID_NATIVE_OP(GRID_BY_OR, atomicOr, (old | v) != old)
GRID_NATIVE_OP(GRID_BY_AND, atomicAnd, (old & v) != old)
GRID_NATIVE_OP(GRID_BY_XOR, atomicXor, (void(old), true))
#undef GRID_NATIVE_OP
// LOR and LAND: only one value is ever written, so a plain store suffices.
template <class O>
struct grid_native<O, GRID_BY_TRUE> {
  static __device__ void run(bool *p, bool v, uint32_t *) {
    if (v && !*(volatile bool *)p) *(volatile bool *)p = true;
  }
};
template <class O>
struct grid_native<O, GRID_BY_FALSE> {
  static __device__ void run(bool *p, bool v, uint32_t *) {
    if (!v && *(volatile bool *)p) *(volatile bool *)p = false;
  }
};

template <class O>
GRID_FN void grid_combine(typename O::z_t *p, typename O::z_t v, uint32_t *lock) {
  grid_native<O, O::native>::run(p, v, lock);
}
#endif
