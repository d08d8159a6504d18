/* Elements, tuples and sizes of vectors. */
#ifndef GRID_CUDA_VECTOR_ELEMENTS_H
#define GRID_CUDA_VECTOR_ELEMENTS_H
#include "tests/random_objects.h"

static void vector_elements(void) {
  static GrB_Index at[3000], tuple[LONGEST];
  static int16_t x[3000];
  static int32_t y[LONGEST];
  const GrB_Type types[] = {GrB_INT32, GrB_FP64, GrB_BOOL, GrB_UINT8};
  const GrB_BinaryOp dups[] = {NULL, GrB_PLUS_FP64, GrB_MAX_INT32, GrB_SECOND_INT16};
  const GrB_Type t = types[draw(4)];
  const uint64_t nt = draw(small_sizes ? 100 : 3000);
  const int dup = (int)draw(4);
  GrB_Index n = draw_size(), nvals = LONGEST;
  GrB_Vector v = NULL, copy = NULL;
  set_current_call("build %s, n %llu, %llu tuples, dup %s", grid_type_name(t), (unsigned long long)n,
                   (unsigned long long)nt, dups[dup] ? dups[dup]->name : "none");
  for (uint64_t k = 0; k < nt; k++) at[k] = draw(n), x[k] = (int16_t)draw(7);
  OK(GrB_Vector_new(&v, t, n));
  MAY(GrB_Vector_build_INT16(v, at, x, nt, dups[dup])); /* without dup two alike are an error */
  record_entries("v", EXACT, v, t);
  MAY(GrB_Vector_build_INT16(v, at, x, 1, dups[dup])); /* it is not empty, as a rule */
  for (int k = 0; k < 12; k++) {
    const GrB_Index i = draw(n + n / 8 + 1);
    int32_t e = -1;
    change_device();
    set_current_call("elements of %s, n %llu, step %d, index %llu", grid_type_name(t), (unsigned long long)n,
                     k, (unsigned long long)i);
    if (draw_one_in(2)) MAY(GrB_Vector_setElement_INT32(v, (int32_t)draw(9), i));
    if (draw_one_in(3)) MAY(GrB_Vector_removeElement(v, i));
    if (draw_one_in(2)) MAY(GrB_Vector_extractElement_INT32(&e, v, i)), record_number("element", e);
    if (draw_one_in(2)) OK(GrB_Vector_nvals(&nvals, v)), record_number("nvals", (int64_t)nvals);
  }
  OK(GrB_Vector_dup(&copy, v));
  n = draw_size();
  set_current_call("resize to %llu", (unsigned long long)n);
  OK(GrB_Vector_resize(v, n));
  OK(GrB_Vector_nvals(&nvals, v)), record_number("nvals", (int64_t)nvals);
  OK(GrB_Vector_setElement_INT32(v, 3, n - 1));
  record_entries("v", EXACT, v, t);
  nvals = LONGEST;
  OK(GrB_Vector_extractTuples_INT32(tuple, y, &nvals, v));
  uint64_t sum = nvals;
  for (GrB_Index k = 0; k < nvals; k++) sum = sum * 31 + tuple[k] * 7 + (uint64_t)y[k];
  record_number("tuples, as one number", (int64_t)(sum % 1000003));
  if (nvals > 1) nvals--, MAY(GrB_Vector_extractTuples_INT32(tuple, y, &nvals, v));
  set_current_call("clear, and the copy of before");
  OK(GrB_Vector_clear(v));
  OK(GrB_Vector_nvals(&nvals, v)), record_number("nvals", (int64_t)nvals);
  OK(GrB_Vector_setElement_INT32(v, 2, 0));
  record_entries("v", EXACT, v, t), record_entries("copy", EXACT, copy, t);
  OK(GrB_Vector_free(&v)), OK(GrB_Vector_free(&copy));
}

static void elements(void **state) {
  run_rounds("elements", 80, 8, vector_elements);
}
#endif
