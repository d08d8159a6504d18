/* Operations on vectors. */
#include "bench/ops/ops.h"

static GrB_Info done(ops *o) {
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}
static GrB_Descriptor desc_of(const row *r) {
  return r->desc ? *r->desc : NULL;
}

/* ---- assign, extract --------------------------------------------------------------------------------- */

static GrB_Info assign_scalar(ops *o, const row *r) {
  TRY(GrB_Vector_assign_FP64(o->w, o->v[r->mask], NULL, 2.5, GrB_ALL, o->g.n, desc_of(r)));
  return done(o);
}

/* A scalar to a hundredth of the indices, in random order. */
static GrB_Info assign_scalar_sparse(ops *o, const row *r) {
  TRY(GrB_Vector_assign_FP64(o->w, NULL, NULL, 2.5, o->permutation, o->g.n / 100, desc_of(r)));
  return done(o);
}

static GrB_Info assign_all(ops *o, const row *r) {
  TRY(GrB_Vector_assign(o->w, o->v[r->mask], NULL, o->v[r->u], GrB_ALL, o->g.n, desc_of(r)));
  return done(o);
}

static GrB_Info assign_permuted(ops *o, const row *r) {
  TRY(GrB_Vector_assign(o->w, NULL, NULL, o->v[r->u], o->permutation, o->g.n, desc_of(r)));
  return done(o);
}

/* A vector half as long is assigned to [n/4, 3n/4) of w. */
static GrB_Info assign_range(ops *o, const row *r) {
  (void)r;
  TRY(GrB_Vector_assign(o->w, NULL, NULL, o->half, o->range + o->g.n / 4, o->g.n / 2, NULL));
  return done(o);
}

static GrB_Info extract_permuted(ops *o, const row *r) {
  TRY(GrB_Vector_extract(o->w, o->v[r->mask], NULL, o->v[r->u], o->permutation, o->g.n, desc_of(r)));
  return done(o);
}

static GrB_Info extract_all(ops *o, const row *r) {
  TRY(GrB_Vector_extract(o->w, o->v[r->mask], NULL, o->v[r->u], GrB_ALL, o->g.n, desc_of(r)));
  return done(o);
}

static GrB_Info extract_range(ops *o, const row *r) {
  TRY(GrB_Vector_extract(o->half, NULL, NULL, o->v[r->u], o->range + o->g.n / 4, o->g.n / 2, NULL));
  return GrB_Vector_wait(o->half, GrB_MATERIALIZE);
}

static GrB_Info new_half(ops *o, const row *r) {
  TRY(GrB_Vector_free(&o->half));
  TRY(GrB_Vector_new(&o->half, GrB_FP64, o->g.n / 2));
  return extract_range(o, r);
}

/* ---- element by element ------------------------------------------------------------------------------ */

static GrB_Info add(ops *o, const row *r) {
  TRY(GrB_Vector_eWiseAdd_BinaryOp(o->w, o->v[r->mask], NULL, *r->binary, o->v[r->u], o->v[r->v],
                                   desc_of(r)));
  return done(o);
}

static GrB_Info multiply(ops *o, const row *r) {
  TRY(GrB_Vector_eWiseMult_BinaryOp(o->w, o->v[r->mask], NULL, *r->binary, o->v[r->u], o->v[r->v],
                                    desc_of(r)));
  return done(o);
}

static GrB_Info apply_unary(ops *o, const row *r) {
  TRY(GrB_Vector_apply(o->w, o->v[r->mask], NULL, *r->unary, o->v[r->u], desc_of(r)));
  return done(o);
}

static GrB_Info apply_bound(ops *o, const row *r) {
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(o->w, NULL, NULL, *r->binary, o->v[r->u], 2.5, NULL));
  return done(o);
}

static GrB_Info apply_index(ops *o, const row *r) {
  TRY(GrB_Vector_apply_IndexOp_INT64(o->w, NULL, NULL, *r->index, o->v[r->u], 1, NULL));
  return done(o);
}

static GrB_Info apply_shifted(ops *o, const row *r) {
  TRY(GrB_Vector_apply_IndexOp_FP64(o->w, NULL, NULL, *r->index, o->v[r->u], 0.5, NULL));
  return done(o);
}

static GrB_Info select_by_value(ops *o, const row *r) {
  TRY(GrB_Vector_select_FP64(o->w, NULL, NULL, *r->index, o->v[r->u], 1.0, NULL));
  return done(o);
}

static GrB_Info select_by_index(ops *o, const row *r) {
  TRY(GrB_Vector_select_INT64(o->w, NULL, NULL, *r->index, o->v[r->u], (int64_t)(o->g.n / 3), NULL));
  return done(o);
}

static GrB_Info reduce(ops *o, const row *r) {
  return GrB_Vector_reduce_FP64(&o->number, NULL, *r->monoid, o->v[r->u], NULL);
}

/* ---- elements, tuples, copies ------------------------------------------------------------------------ */

static GrB_Info extract_tuples(ops *o, const row *r) {
  o->count = o->g.n;
  return GrB_Vector_extractTuples_FP64(o->I, o->X, &o->count, o->v[r->u]);
}

static GrB_Info allocate_tuples(ops *o, const row *r) {
  (void)r;
  return need_arrays(o, NULL, o->g.n);
}

static GrB_Info values_to_build(ops *o, const row *r) {
  TRY(allocate_tuples(o, r));
  for (uint64_t k = 0; k < o->g.n; k++) o->X[k] = (double)(mix(k) >> 11) * 0x1p-53;
  return GrB_Vector_clear(o->w);
}

static GrB_Info build_shuffled(ops *o, const row *r) {
  (void)r;
  TRY(GrB_Vector_build_FP64(o->w, o->permutation, o->X, o->g.n, GrB_PLUS_FP64));
  return done(o);
}

/* Eight values, one behind the other, to an index in eight. */
static GrB_Info values_to_add(ops *o, const row *r) {
  TRY(values_to_build(o, r));
  for (uint64_t k = 0; k < o->g.n; k++) o->I[k] = o->permutation[k] / 8;
  return GrB_SUCCESS;
}

static GrB_Info build_with_add(ops *o, const row *r) {
  TRY(GrB_Vector_build_FP64(o->w, o->I, o->X, o->g.n, *r->binary));
  return done(o);
}

static GrB_Info free_copy(ops *o, const row *r) {
  (void)r;
  return GrB_Vector_free(&o->copy);
}

static GrB_Info dup(ops *o, const row *r) {
  TRY(GrB_Vector_dup(&o->copy, o->v[r->u]));
  return GrB_Vector_wait(o->copy, GrB_MATERIALIZE);
}

/* w is a copy of u, or empty. */
static GrB_Info start_as(ops *o, const row *r) {
  TRY(GrB_Vector_clear(o->w));
  if (r->u != NO_VECTOR) TRY(GrB_Vector_assign(o->w, NULL, NULL, o->v[r->u], GrB_ALL, o->g.n, NULL));
  return done(o);
}

static GrB_Index pick_index(const ops *o, uint64_t k) {
  return mix(k ^ 5) % o->g.n;
}

static GrB_Info set_elements(ops *o, const row *r) {
  (void)r;
  for (uint64_t k = 0; k < CALLS; k++) TRY(GrB_Vector_setElement_FP64(o->w, (double)k, pick_index(o, k)));
  return done(o);
}

static GrB_Info remove_elements(ops *o, const row *r) {
  (void)r;
  for (uint64_t k = 0; k < CALLS; k++) TRY(GrB_Vector_removeElement(o->w, pick_index(o, k)));
  return done(o);
}

static GrB_Info extract_elements(ops *o, const row *r) {
  o->number = 0;
  for (uint64_t k = 0; k < CALLS; k++) {
    double x = 0;
    const GrB_Info info = GrB_Vector_extractElement_FP64(&x, o->v[r->u], pick_index(o, k));
    if (info != GrB_SUCCESS && info != GrB_NO_VALUE) return info;
    o->number += x;
  }
  return GrB_SUCCESS;
}

static GrB_Info count_entries(ops *o, const row *r) {
  GrB_Index n = 0;
  for (int k = 0; k < CALLS; k++) TRY(GrB_Vector_nvals(&n, o->v[r->u]));
  o->number = (double)n;
  return GrB_SUCCESS;
}

static GrB_Info resize(ops *o, const row *r) {
  (void)r;
  TRY(GrB_Vector_resize(o->copy, o->g.n / 2));
  TRY(GrB_Vector_resize(o->copy, o->g.n));
  return GrB_Vector_wait(o->copy, GrB_MATERIALIZE);
}

static GrB_Info fresh_copy(ops *o, const row *r) {
  TRY(GrB_Vector_free(&o->copy));
  return dup(o, r);
}

const row vector_rows[] = {
    /* clang-format off */
    {"assign.scalar.all", assign_scalar, .dense = true, .count = COUNT_OUTPUT, .often = 4},
    {"assign.scalar.masked", assign_scalar, .mask = HALF_BOOL, .desc = &GrB_DESC_S, .count = COUNT_OUTPUT, .often = 4},
    {"assign.scalar.masked_by_value", assign_scalar, .mask = HALF_BOOL, .count = COUNT_OUTPUT, .often = 4},
    {"assign.scalar.masked.sparse", assign_scalar, .mask = SPARSE, .desc = &GrB_DESC_S, .count = COUNT_OUTPUT, .often = 4},
    {"assign.scalar.some", assign_scalar_sparse, .dense = true, .count = COUNT_OUTPUT, .often = 4},
    {"assign.all", assign_all, .u = FULL, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"assign.all.masked", assign_all, .u = FULL, .mask = HALF_BOOL, .desc = &GrB_DESC_S, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"assign.permutation", assign_permuted, .u = FULL, .dense = true, .count = COUNT_VECTORS, .bytes = 16},
    {"assign.permutation.sparse", assign_permuted, .u = SPARSE, .dense = true, .count = COUNT_VECTORS, .bytes = 16},
    {"assign.range", assign_range, new_half, .u = FULL, .dense = true, .count = COUNT_OUTPUT, .bytes = 16, .often = 4},
    {"extract.permutation", extract_permuted, .u = FULL, .dense = true, .count = COUNT_OUTPUT, .bytes = 16},
    {"extract.permutation.half", extract_permuted, .u = HALF, .dense = true, .count = COUNT_OUTPUT, .bytes = 16},
    {"extract.all.masked", extract_all, .u = FULL, .mask = HALF_BOOL, .desc = &GrB_DESC_RS, .count = COUNT_OUTPUT, .bytes = 8, .often = 4},
    {"extract.range", extract_range, new_half, .result_in = IN_HALF, .u = FULL, .dense = true, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseAdd.full", add, .u = FULL, .v = FULL_TOO, .binary = &GrB_PLUS_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseAdd.half", add, .u = FULL, .v = HALF, .binary = &GrB_PLUS_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseAdd.sparse", add, .u = SPARSE, .v = SPARSE_TOO, .binary = &GrB_PLUS_FP64, .count = COUNT_VECTORS, .bytes = 16, .often = 4},
    {"eWiseAdd.mixed", add, .u = FULL_INT32, .v = HALF, .binary = &GrB_PLUS_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseAdd.user", add, .u = FULL, .v = HALF, .binary = &bench_operators.larger, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseMult.full", multiply, .u = FULL, .v = FULL_TOO, .binary = &GrB_TIMES_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseMult.half", multiply, .u = FULL, .v = HALF, .binary = &GrB_TIMES_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseMult.user", multiply, .u = FULL, .v = FULL_TOO, .binary = &bench_operators.larger, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseMult.half.user", multiply, .u = FULL, .v = HALF, .binary = &bench_operators.larger, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseMult.sparse", multiply, .u = SPARSE, .v = SPARSE_TOO, .binary = &GrB_TIMES_FP64, .count = COUNT_VECTORS, .bytes = 16, .often = 4},
    {"eWiseMult.sparse.full", multiply, .u = SPARSE, .v = FULL, .binary = &GrB_TIMES_FP64, .count = COUNT_OUTPUT, .bytes = 24, .often = 4},
    {"eWiseMult.mixed", multiply, .u = FULL_INT32, .v = HALF, .binary = &GrB_TIMES_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"eWiseMult.masked", multiply, .u = FULL, .v = FULL_TOO, .mask = HALF_BOOL, .binary = &GrB_TIMES_FP64, .desc = &GrB_DESC_RS, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.unary.full", apply_unary, .u = FULL, .unary = &GrB_MINV_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.unary.half", apply_unary, .u = HALF, .unary = &GrB_MINV_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.unary.sparse", apply_unary, .u = SPARSE, .unary = &GrB_MINV_FP64, .count = COUNT_VECTORS, .bytes = 16, .often = 4},
    {"apply.unary.cast", apply_unary, .u = FULL_INT32, .unary = &GrB_ABS_FP64, .count = COUNT_VECTORS, .bytes = 4, .often = 4},
    {"apply.unary.user", apply_unary, .u = FULL, .unary = &bench_operators.square, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.unary.half.user", apply_unary, .u = HALF, .unary = &bench_operators.square, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.index.user", apply_shifted, .u = FULL, .index = &bench_operators.shifted, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.bound.full", apply_bound, .u = FULL, .binary = &GrB_TIMES_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"apply.index.full", apply_index, .u = FULL, .index = &GrB_ROWINDEX_INT64, .type = &GrB_INT64, .count = COUNT_VECTORS, .bytes = 0, .often = 4},
    {"apply.index.sparse", apply_index, .u = SPARSE, .index = &GrB_ROWINDEX_INT64, .type = &GrB_INT64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"select.value.full", select_by_value, .u = FULL, .index = &GrB_VALUEGT_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"select.value.half", select_by_value, .u = HALF, .index = &GrB_VALUEGT_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"select.value.sparse", select_by_value, .u = SPARSE, .index = &GrB_VALUEGT_FP64, .count = COUNT_VECTORS, .bytes = 16, .often = 4},
    {"select.user", select_by_value, .u = FULL, .index = &bench_operators.inside, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"select.user.half", select_by_value, .u = HALF, .index = &bench_operators.inside, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"select.index.full", select_by_index, .u = FULL, .index = &GrB_ROWLE, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"reduce.vector.full", reduce, .result_in = IN_NUMBER, .u = FULL, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"reduce.vector.half", reduce, .result_in = IN_NUMBER, .u = HALF, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"reduce.vector.sparse", reduce, .result_in = IN_NUMBER, .u = SPARSE, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"reduce.vector.min", reduce, .result_in = IN_NUMBER, .u = FULL, .monoid = &GrB_MIN_MONOID_FP64, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"reduce.vector.user", reduce, .result_in = IN_NUMBER, .u = FULL, .monoid = &bench_operators.largest, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"reduce.vector.half.user", reduce, .result_in = IN_NUMBER, .u = HALF, .monoid = &bench_operators.largest, .count = COUNT_VECTORS, .bytes = 8, .often = 4},
    {"extractTuples.vector.full", extract_tuples, allocate_tuples, .result_in = IN_VECTOR_ARRAYS, .u = FULL, .dense = true, .count = COUNT_VECTORS, .bytes = 24},
    {"extractTuples.vector.half", extract_tuples, allocate_tuples, .result_in = IN_VECTOR_ARRAYS, .u = HALF, .dense = true, .count = COUNT_VECTORS, .bytes = 24},
    {"extractTuples.vector.sparse", extract_tuples, allocate_tuples, .result_in = IN_VECTOR_ARRAYS, .u = SPARSE, .dense = true, .count = COUNT_VECTORS, .bytes = 32, .often = 4},
    {"build.vector.shuffled", build_shuffled, values_to_build, .dense = true, .count = COUNT_OUTPUT, .bytes = 16},
    {"build.vector.duplicates", build_with_add, values_to_add, .dense = true, .binary = &GrB_PLUS_FP64, .count = COUNT_OUTPUT, .bytes = 16},
    {"build.vector.duplicates.user", build_with_add, values_to_add, .dense = true, .binary = &bench_operators.larger, .count = COUNT_OUTPUT, .bytes = 16},
    {"dup.vector.full", dup, free_copy, .result_in = IN_COPY, .u = FULL, .count = COUNT_VECTORS, .bytes = 16, .often = 4},
    {"dup.vector.sparse", dup, free_copy, .result_in = IN_COPY, .u = SPARSE, .count = COUNT_VECTORS, .bytes = 32, .often = 4},
    {"resize.vector", resize, fresh_copy, .result_in = IN_COPY, .u = FULL, .count = COUNT_VECTORS, .bytes = 8},
    {"setElement.vector.empty", set_elements, start_as, .count = COUNT_CALLS},
    {"setElement.vector.full", set_elements, start_as, .u = FULL, .count = COUNT_CALLS},
    {"removeElement.vector", remove_elements, start_as, .u = FULL, .count = COUNT_CALLS},
    {"extractElement.vector", extract_elements, .result_in = IN_NUMBER, .u = FULL, .count = COUNT_CALLS},
    {"nvals.vector", count_entries, .result_in = IN_NUMBER, .u = HALF, .count = COUNT_CALLS},
    /* clang-format on */
    {NULL}};
