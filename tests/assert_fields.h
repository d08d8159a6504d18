/* Assertions on one field of an object, by GrB_get. */
#ifndef GRID_ASSERT_FIELDS_H
#define GRID_ASSERT_FIELDS_H
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"

#define IS_NUMBER(object, field, want)                           \
  do {                                                           \
    int32_t is_ = 77;                                            \
    assert_int_equal(GrB_get(object, &is_, field), GrB_SUCCESS); \
    assert_int_equal(is_, want);                                 \
  } while (0)
#define IS_STRING(object, field, want)                             \
  do {                                                             \
    char is_[4000] = "?";                                          \
    size_t size_ = 0;                                              \
    assert_int_equal(GrB_get(object, is_, field), GrB_SUCCESS);    \
    assert_string_equal(is_, want);                                \
    assert_int_equal(GrB_get(object, &size_, field), GrB_SUCCESS); \
    assert_int_equal(size_, strlen(want) + 1);                     \
  } while (0)
#endif
