/* Vectors of few entries are resized to lengths that no process could hold as a bitmap, and to others: memory
 * is proportional to their entries. */
#include "tests/unit.h"
#include "gridblas.h"

enum { SHORT = 100 };

static const GrB_Index lengths[] = {UINT64_C(1) << 28, UINT64_C(1) << 36, UINT64_C(1) << 45, 5000, SHORT};

#define OK(call) assert_int_equal((call), GrB_SUCCESS)

static void check_entries(GrB_Vector v, GrB_Index step) {
  GrB_Index n = 0;
  int32_t x = 0;
  OK(GrB_Vector_nvals(&n, v));
  assert_int_equal(n, (SHORT + step - 1) / step);
  for (GrB_Index i = 0; i < SHORT; i++) {
    const GrB_Info info = GrB_Vector_extractElement_INT32(&x, v, i);
    assert_int_equal(info, i % step ? GrB_NO_VALUE : GrB_SUCCESS);
    if (i % step == 0) assert_int_equal(x, i + 1);
  }
}

/* Through every length, up and down. */
static void resizes(void **state) {
  for (GrB_Index step = 1; step <= 9; step += 4) {
    const uint64_t before = Grid_memory(NULL, true);
    uint64_t peak = 0;
    GrB_Vector v = NULL;
    OK(GrB_Vector_new(&v, GrB_INT32, SHORT));
    for (GrB_Index i = 0; i < SHORT; i += step) OK(GrB_Vector_setElement_INT32(v, (int32_t)i + 1, i));
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
      GrB_Index n = 0;
      OK(GrB_Vector_resize(v, lengths[k]));
      OK(GrB_Vector_size(&n, v));
      assert_true(n == lengths[k]);
      check_entries(v, step);
    }
    Grid_memory(&peak, false);
    assert_true(peak - before < 1 << 20);
    OK(GrB_Vector_free(&v));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(resizes)};
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return GrB_finalize() == GrB_SUCCESS && !Grid_memory(NULL, false) ? failed : 1;
}
