/* GRIDBLAS_TUNE (semiring/support/tuning.h): values, errors, and what an error leaves. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "gridblas.h"
#include "semiring/support/error.h"
#include "semiring/support/tuning.h"

static void values(void **state) {
  const grid_tuning usual = grid_tune;
  assert_int_equal(grid_tune_set("stage_bytes=12,shm_mailbox=off,degree_order_share=-0.5"), GrB_SUCCESS);
  assert_true(grid_tune.stage_bytes == 12 && !grid_tune.shm_mailbox && grid_tune.degree_order_share == -0.5);
  assert_int_equal(grid_tune_set("stage_bytes=off,shm_mailbox=1,,degree_order_share=default,"), GrB_SUCCESS);
  assert_true(grid_tune.stage_bytes == GRID_TUNE_NEVER && grid_tune.shm_mailbox);
  assert_true(grid_tune.degree_order_share == usual.degree_order_share);
  assert_int_equal(grid_tune_set("mxv=row-hubs,mxm=stages,messages=two-level,stage_bytes=default"),
                   GrB_SUCCESS);
  assert_memory_equal(&grid_tune, &usual, sizeof usual);
  assert_int_equal(grid_tune_set(""), GrB_SUCCESS);
}

static void flaws(void **state) {
  const struct {
    const char *text, *error;
  } flaw[] = {{"stage_bytes=1,stage=2", "\"stage\" is no field"},
              {"stage_bytes", "\"\" is no value of stage_bytes"},
              {"stage_bytes=", "\"\" is no value of stage_bytes"},
              {"stage_bytes=-1", "\"-1\" is no value of stage_bytes"},
              {"stage_bytes= -1", "\" -1\" is no value of stage_bytes"},
              {"stage_bytes=1e3", "\"1e3\" is no value of stage_bytes"},
              {"stage_bytes=99999999999999999999", "is no value of stage_bytes"},
              {"stage_bytes=0000000000000000000000000000000001", "is no value of stage_bytes"},
              {"shm_mailbox=2", "\"2\" is no value of shm_mailbox"},
              {"degree_order_share=off", "\"off\" is no value of degree_order_share"},
              {"degree_order_share=nan", "\"nan\" is no value of degree_order_share"},
              {"mxm_bitmap_share=0", "\"0\" is no value of mxm_bitmap_share"},
              {"page_entries=0", "\"0\" is no value of page_entries"},
              {"page_entries=off", "\"off\" is no value of page_entries"},
              {"page_entries=18446744073709551614", "is no value of page_entries"},
              {"run_sample_step=off", "\"off\" is no value of run_sample_step"},
              {"stripe_bytes=0", "\"0\" is no value of stripe_bytes"},
              {"mxv", "\"mxv\" is no field"},
              {"mxv=", "\"\" is no value of mxv: push-messages push"},
              {"mxv=row", "\"row\" is no value of mxv: push-messages push"},
              {"mxm=stages local", "is no value of mxm"},
              {"messages=two", "\"two\" is no value of messages: flat two-level"},
              {"=1", "\"\" is no field"}};
  const grid_tuning usual = grid_tune;
  for (size_t k = 0; k < sizeof flaw / sizeof *flaw; k++) {
    assert_int_equal(grid_tune_set(flaw[k].text), GrB_INVALID_VALUE);
    assert_non_null(strstr(grid_last_error(), flaw[k].error));
    assert_memory_equal(&grid_tune, &usual, sizeof usual);
  }
}

/* The library does not start with a name that it does not know, and starts once that is mended. */
static void environment(void **state) {
  setenv("GRIDBLAS_TUNE", "page_entrys=3", 1);
  assert_int_equal(GrB_init(GrB_NONBLOCKING), GrB_INVALID_VALUE);
  assert_non_null(strstr(Grid_last_error(), "\"page_entrys\" is no field"));
  setenv("GRIDBLAS_TUNE", "page_entries=3", 1);
  assert_int_equal(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
  assert_true(grid_tune.page_entries == 3);
  assert_int_equal(GrB_finalize(), GrB_SUCCESS);
}

static void other_variables(void **state) {
  const char *const wrong[][2] = {{"GRIDBLAS_NETWORK", "1"},
                                  {"GRIDBLAS_NETWORK", "1e-5,1e9s"},
                                  {"GRIDBLAS_NETWORK", "measured"},
                                  {"GRIDBLAS_GRID", "1"},
                                  {"GRIDBLAS_GRID", "1x"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    setenv(wrong[k][0], wrong[k][1], 1);
    assert_int_equal(GrB_init(GrB_NONBLOCKING), GrB_INVALID_VALUE);
    assert_non_null(strstr(Grid_last_error(), wrong[k][0]));
    assert_non_null(strstr(Grid_last_error(), wrong[k][1]));
    unsetenv(wrong[k][0]);
    assert_int_equal(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    assert_int_equal(GrB_finalize(), GrB_SUCCESS);
  }
}

/* A locale is compiled where none with a decimal comma is installed. */
static bool use_decimal_comma(void) {
  char folder[] = "/tmp/grid.XXXXXX", command[200];
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) return true;
  if (!mkdtemp(folder)) return false;
  setenv("LOCPATH", folder, 1);
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", folder);
  const bool made = system(command) == 0 && setlocale(LC_NUMERIC, "de_DE.UTF-8");
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) == 0 && made;
}

/* Numbers of variables have a decimal point, whatever locale the program has set. */
static void decimal_comma(void **state) {
  if (!use_decimal_comma()) skip();
  assert_true(strtod("0.5", NULL) == 0);
  const char *const right[][2] = {{"GRIDBLAS_TUNE", "degree_order_share=0.25"},
                                  {"GRIDBLAS_MEMORY", "1.5G"},
                                  {"GRIDBLAS_NETWORK", "2.5e-5,1.5e9"},
                                  {"GRIDBLAS_CHECK", "calls:0.5"}};
  for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
    setenv(right[k][0], right[k][1], 1);
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) fail_msg("%s", Grid_last_error());
    if (k == 0) assert_true(grid_tune.degree_order_share == 0.25);
    assert_int_equal(GrB_finalize(), GrB_SUCCESS);
    unsetenv(right[k][0]);
  }
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(flaws),
                                     cmocka_unit_test(environment), cmocka_unit_test(other_variables),
                                     cmocka_unit_test(decimal_comma)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
