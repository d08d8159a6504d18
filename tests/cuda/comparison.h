/* The comparison of two_backends.h reports each change of an entry that its rule forbids. */
#ifndef GRID_CUDA_COMPARISON_H
#define GRID_CUDA_COMPARISON_H
#include "tests/random_objects.h"

/* Two records of some entries, one of them changed at one position. */
static bool detects_change(compare_rule how, GrB_Type type, const void *x, const void *y, uint64_t y_at) {
  static char text[1600];
  uint64_t at[3] = {3, 64, 70}, other_at[3] = {3, y_at, 70};
  char val[3 * 8] = {0}, other[3 * 8] = {0};
  for (size_t k = 0; k < 3; k++) {
    memcpy(val + k * type->size, x, type->size);
    memcpy(other + k * type->size, k == 1 ? y : x, type->size);
  }
  const record a = {.how = how, .type = type, .n = 3, .at = at, .val = val};
  const record b = {.how = how, .type = type, .n = 3, .at = other_at, .val = other};
  return differences(&a, &b, text, sizeof text) != 0;
}

static void compare_detects_changes(void **state) {
  const int32_t five = 5, six = 6;
  const double one = 1, close_value = 1 + 1e-14, far = 1 + 1e-9, nan1 = NAN, nan2 = -NAN, minus = -1;
  const float small_one = 1, small_close_value = 1 + 1e-6f;
  const int64_t fits = FITS, odd = 17, old = -4, other_old = -5;
  assert_false(detects_change(EXACT, GrB_INT32, &five, &five, 64));
  assert_true(detects_change(EXACT, GrB_INT32, &five, &six, 64));
  assert_true(detects_change(EXACT, GrB_INT32, &five, &five, 65));
  assert_false(detects_change(PATTERN, GrB_INT32, &five, &six, 64));
  assert_true(detects_change(PATTERN, GrB_INT32, &five, &five, 65));
  assert_true(detects_change(EXACT, GrB_FP64, &one, &close_value, 64));
  assert_false(detects_change(CLOSE, GrB_FP64, &one, &close_value, 64));
  assert_true(detects_change(CLOSE, GrB_FP64, &one, &far, 64));
  assert_true(detects_change(CLOSE, GrB_FP64, &one, &minus, 64));
  assert_false(detects_change(CLOSE, GrB_FP32, &small_one, &small_close_value, 64));
  assert_true(detects_change(EXACT, GrB_FP32, &small_one, &small_close_value, 64));
  assert_false(detects_change(EXACT, GrB_FP64, &nan1, &nan2, 64));
  assert_true(detects_change(EXACT, GrB_FP64, &nan1, &one, 64));
  assert_false(detects_change(PARENT, GrB_INT64, &fits, &fits, 64));
  assert_true(detects_change(PARENT, GrB_INT64, &fits, &odd, 64));
  assert_true(detects_change(PARENT, GrB_INT64, &odd, &odd, 64)); /* both wrong */
  assert_true(detects_change(PARENT, GrB_INT64, &fits, &old, 64));
  assert_false(detects_change(PARENT, GrB_INT64, &old, &old, 64));
  assert_true(detects_change(PARENT, GrB_INT64, &old, &other_old, 64));

  static graph g = {.nrows = 5, .ncols = 5, .given = 2, .tuple = {{0, 3}, {3, 4}}};
  const int32_t level[] = {0, -1, -1, 1, 2};
  const bool from[] = {true, false, false, false, false};
  expand_tuples(&g);
  const family forward = {.g = &g, .level = level}, back = {.g = &g, .backwards = true, .from = from};
  assert_true(is_parent(&forward, 3, 0) && is_parent(&forward, 4, 3) && is_parent(&forward, 0, 0));
  assert_false(is_parent(&forward, 4, 0) || is_parent(&forward, 3, 3) || is_parent(&forward, 3, 99));
  assert_false(is_parent(&back, 3, 0) || is_parent(&back, 3, 4) || is_parent(&back, 0, 3));
}
#endif
