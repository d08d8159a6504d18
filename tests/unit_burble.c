/* GRIDBLAS_BURBLE=1: one line for each call on standard error, from process 0, with the sums over all
 * processes. The same calls on any number of processes print the same lines, except for times and bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "tests/assert_all.h"

#define OK(call) assert_int_equal(call, GrB_SUCCESS)

enum { N = 1000, LINE = 1024 };
static int terminal = -1;
static FILE *caught;

/* Redirects standard error to a file. */
static void capture_stderr(void) {
  fflush(stderr);
  terminal = dup(STDERR_FILENO);
  caught = tmpfile();
  assert_true(terminal >= 0 && caught);
  assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
}

static void restore_stderr(void) {
  fflush(stderr);
  dup2(terminal, STDERR_FILENO);
  close(terminal);
  rewind(caught);
}

/* Values may be pending or not. */
static void strip_iso(char *text) {
  for (char *at; (at = strstr(text, " iso"));) memmove(at, at + 4, strlen(at + 4) + 1);
}

/* Parses the number at *text and advances past it and the text that follows. */
static double take_number(char **text, const char *behind) {
  char *end;
  const double x = strtod(*text, &end);
  assert_true(end > *text && strncmp(end, behind, strlen(behind)) == 0);
  *text = end + strlen(behind);
  return x;
}

/* The next line, without its milliseconds and bytes, which are numbers. */
static void next_line(char *line) {
  static const char head[] = "gridblas: ";
  char text[LINE] = "";
  line[0] = '\0';
  if (!fgets(text, sizeof text, caught)) return;
  text[strcspn(text, "\n")] = '\0';
  assert_true(strncmp(text, head, strlen(head)) == 0);
  char *at = strstr(text + strlen(head), ": ");
  assert_non_null(at);
  *at = '\0', at += 2;
  assert_true(take_number(&at, " ms, ") < 1e6);
  if (*at >= '0' && *at <= '9') {
    const double bytes = take_number(&at, " bytes in "), calls = take_number(&at, " calls");
    assert_true(Grid_size() > 1 || bytes + calls == 0);
  } else {
    at -= 2; /* a failure's code */
  }
  strip_iso(at);
  snprintf(line, LINE, "%.100s%.900s", text + strlen(head), at);
}

static void expect(const char *want) {
  char line[LINE];
  next_line(line);
  if (strcmp(line, want) != 0) fail_msg("the line is \"%s\", not \"%s\"", line, want);
}

static void test_lines(void **state) {
  GrB_Matrix A, M = NULL;
  GrB_Vector u, w, longer;
  GrB_Index n;
  int64_t sum;
  OK(GrB_Matrix_new(&A, GrB_INT32, N, N));
  OK(GrB_Vector_new(&u, GrB_INT64, N));
  OK(GrB_Vector_new(&w, GrB_INT64, N));
  OK(GrB_Vector_new(&longer, GrB_INT64, N + 1));
  GrB_Index from[N], to[N];
  int32_t one[N];
  for (GrB_Index k = 0; k < N; k++) from[k] = k, to[k] = (k + 1) % N, one[k] = (int32_t)k;
  capture_stderr();
  OK(GrB_Matrix_build(A, from, to, one, N, GrB_PLUS_INT32));
  OK(GrB_Vector_setElement(u, 5, 17)); /* single elements get no line */
  OK(GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, NULL));
  OK(GrB_assign(u, w, NULL, 3, GrB_ALL, N, GrB_DESC_S));
  OK(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_INT64, u, NULL));
  assert_int_equal(GrB_vxm(longer, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, NULL),
                   GrB_DIMENSION_MISMATCH);
  OK(GrB_Matrix_diag(&M, u, 0)); /* one line, though it makes a matrix */
  OK(GrB_Vector_nvals(&n, u));
  restore_stderr();
  assert_int_equal(sum, 8);
  if (Grid_rank() == 0) {
    expect("GrB_Matrix_build; C: 1000 x 1000 INT32 rows, 1000 entries");
    expect(
        "GrB_vxm, push (not pull: 1e+03); w: 1000 INT64 list, 1 entries; u: 1000 INT64 list, 1 entries; A: "
        "1000 x 1000 "
        "INT32 rows, 1000 entries");
    expect("GrB_assign; w: 1000 INT64 list, 2 entries; mask: 1000 INT64 list, 1 entries");
    expect("GrB_reduce; u: 1000 INT64 list, 2 entries");
    expect("GrB_vxm, GrB_DIMENSION_MISMATCH: GrB_vxm: w has size 1001 and u 1000, but A is 1000 x 1000");
    expect(
        "GrB_Matrix_diag; C: 1000 x 1000 INT64 hypersparse rows, 2 entries; v: 1000 INT64 list, 2 entries");
    expect("GrB_Vector_nvals; v: 1000 INT64 list, 2 entries");
  }
  expect(""); /* the other processes print nothing */
  fclose(caught);
  OK(GrB_free(&A));
  OK(GrB_free(&M));
  OK(GrB_free(&u));
  OK(GrB_free(&w));
  OK(GrB_free(&longer));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
  setenv("GRIDBLAS_BURBLE", "1", 1);
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() != GrB_SUCCESS || failed;
}
