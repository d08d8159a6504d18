/* Vectors are resized where they are stored: on the CPU and on a device, which is simulated in host memory
 * (fake_device.h), or, with GRID_TEST_GPU=1, the GPU. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include "dist/vector/vector.h"
#include "tests/gpu_present.h"
#include "tests/two_backends.h"

#include "tests/fake_device.h"

enum { MOST = 700 };

static GrB_Vector draw_vector(GrB_Index n, GrB_Type t) {
  const uint64_t share = draw(3) ? 1 + draw(90) : 1; /* every so many have an entry: from full to a few */
  const bool alike = draw_one_in(3);
  GrB_Vector v = NULL;
  OK(GrB_Vector_new(&v, t, n));
  for (GrB_Index i = 0; i < n; i++)
    if (draw_one_in(share)) OK(GrB_Vector_setElement_INT32(v, alike ? 7 : (int32_t)draw(99), i));
  if (alike && draw_one_in(2))
    OK(GrB_Vector_assign_INT32(v, v, NULL, 5, GrB_ALL, n, GrB_DESC_S)); /* one value */
  return v;
}

static void resized(void) {
  const GrB_Type types[] = {GrB_BOOL, GrB_INT16, GrB_FP32, GrB_INT64};
  const GrB_Type t = types[draw(4)];
  GrB_Index n = 1 + draw(MOST), now = 0;
  set_current_call("%llu of type %s", (unsigned long long)n, grid_type_name(t));
  GrB_Vector v = draw_vector(n, t);
  if (grid_device_is_on() && grid_chunk_to_device(&v->chunk) != GrB_SUCCESS) errors++;
  for (int k = 0; k < 4; k++) {
    n = draw_one_in(5) ? n : draw_one_in(4) ? 64 * (1 + draw(8)) : 1 + draw(MOST);
    set_current_call("resize %d to %llu", k, (unsigned long long)n);
    OK(GrB_Vector_resize(v, n));
    const bool is_on_device = v->chunk.device;
    OK(GrB_Vector_size(&now, v)), record_number("size", (int64_t)now);
    record_entries("v", EXACT, v, t);
    if (draw_one_in(2)) OK(GrB_Vector_setElement_INT32(v, 3, draw(n)));
    if (grid_device_is_on() && !is_on_device && grid_chunk_to_device(&v->chunk) != GrB_SUCCESS) errors++;
  }
  OK(GrB_Vector_free(&v));
}

static void resizes(void **state) {
  run_rounds("resizes", 400, 8, resized);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(resizes)};
  read_settings();
  const bool gpu = is_set("GRID_TEST_GPU");
  if (gpu && !have_gpu()) return 77;
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
  if (!gpu) grid_backend_register(&grid_backend_cpu, &fake_device);
  if (!take_device()) return 77;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  const bool finalized = GrB_finalize() == GrB_SUCCESS;
  free_records(0), free_records(1);
  return failed || !finalized || grid_mem_live() || grid_device_live() ? 1 : 0;
}
