/* Pseudo-random numbers of up to 31 bits, the same in every run. A test may set `seed`. */
#ifndef GRID_RANDOM_NUMBERS_H
#define GRID_RANDOM_NUMBERS_H
#include <stdbool.h>
#include <stdint.h>

static uint64_t seed = 1;
static inline uint64_t draw(uint64_t below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (seed >> 33) % below;
}
static inline bool draw_one_in(uint64_t n) {
  return draw(n) == 0;
}
#endif
