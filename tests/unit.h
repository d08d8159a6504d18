/* cmocka, after the headers that it needs. */
#ifndef GRID_TEST_UNIT_H
#define GRID_TEST_UNIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Few tests use their parameter. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
