/* The features that compilers use for -march=native, since cache directories may be shared between
 * machines. */
#include "semiring/jit/cpu_features.h"

#include <stdio.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Register states that the system saves. */
static unsigned enabled_states(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return 0;
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return a;
}

void grid_processor_fingerprint(char *to, size_t capacity) {
  unsigned a = 0, b = 0, c = 0, d = 0, family = 0;
  int n = 0;
  if (__get_cpuid(1, &family, &b, &c, &d)) /* b has the core's number; the system sets bit 27 of c */
    n += snprintf(to, capacity, "x86 %08x %08x %08x", family, c, d);
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
    n += snprintf(to + n, capacity - (size_t)n, " %08x %08x %08x", b, c, d);
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
    n += snprintf(to + n, capacity - (size_t)n, " %08x %08x", a, d);
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    n += snprintf(to + n, capacity - (size_t)n, " %08x %08x", c, d);
  snprintf(to + n, capacity - (size_t)n, " %08x", enabled_states());
}

#else
#include <sys/auxv.h>

void grid_processor_fingerprint(char *to, size_t capacity) {
  snprintf(to, capacity, "hwcap %lx %lx", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
}
#endif
