/* Compiles a loop once per usual size of a value, so that each value moves as one load and one store. */
#ifndef GRID_VALUE_SIZES_H
#define GRID_VALUE_SIZES_H

#define GRID_ALWAYS_INLINE static inline __attribute__((always_inline))
/* CALL(size), with a constant for usual sizes. */
#define GRID_BY_SIZE(size, CALL) \
  switch (size) {                \
    case 1:                      \
      CALL(1);                   \
      break;                     \
    case 2:                      \
      CALL(2);                   \
      break;                     \
    case 4:                      \
      CALL(4);                   \
      break;                     \
    case 8:                      \
      CALL(8);                   \
      break;                     \
    case 16:                     \
      CALL(16);                  \
      break;                     \
    default:                     \
      CALL(size);                \
      break;                     \
  }
#endif
