/* Building, reducing, reading and changing matrices. */
#include <stdlib.h>
#include <string.h>

#include "bench/ops/ops.h"
#if __has_include(<gridblas.h>)
#include <gridblas.h>
#endif

/* ---- build: a new matrix from the arrays, ready for use ---------------------------------------------- */

static GrB_Info new_matrix(ops *o, GrB_Type type) {
  return GrB_Matrix_new(&o->C, type, o->g.n, o->g.n);
}

static GrB_Info build(ops *o, const row *r) {
  TRY(new_matrix(o, GrB_FP64));
  TRY(GrB_Matrix_build_FP64(o->C, o->I, o->J, o->X, o->count, r->binary ? *r->binary : GrB_PLUS_FP64));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

/* Each process passes some of the tuples; a library of one process gets all of them. */
static GrB_Info build_shares(ops *o, const row *r) {
#if __has_include(<gridblas.h>)
  (void)r;
  const uint64_t P = (uint64_t)Grid_size(), k = (uint64_t)Grid_rank(), from = o->count / P * k,
                 n = k + 1 == P ? o->count - from : o->count / P;
  TRY(new_matrix(o, GrB_FP64));
  TRY(Grid_Matrix_build(o->C, o->I + from, o->J + from, o->X + from, GrB_FP64, n, GrB_PLUS_FP64, 0));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
#else
  return build(o, r);
#endif
}

static GrB_Info build_pattern(ops *o, const row *r) {
  (void)r;
  TRY(new_matrix(o, GrB_BOOL));
  TRY(GrB_Matrix_build_BOOL(o->C, o->I, o->J, o->B, o->count, GrB_LOR));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static GrB_Info arrays_listed(ops *o, const row *r) {
  (void)r;
  o->count = o->g.listed;
  return need_arrays(o, o->g.list, o->g.listed);
}

static GrB_Info arrays_sorted(ops *o, const row *r) {
  (void)r;
  o->count = o->g.entries;
  return need_arrays(o, o->g.entry, o->g.entries);
}

static GrB_Info arrays_shuffled(ops *o, const row *r) {
  (void)r;
  tuple *mixed = malloc((o->g.entries + 1) * sizeof *mixed);
  if (mixed == NULL) return GrB_OUT_OF_MEMORY;
  memcpy(mixed, o->g.entry, o->g.entries * sizeof *mixed);
  shuffle(mixed, o->g.entries);
  const GrB_Info info = need_arrays(o, mixed, o->g.entries);
  free(mixed);
  o->count = o->g.entries;
  return info;
}

/* ---- reduce ------------------------------------------------------------------------------------------ */

static GrB_Info reduce_vector(ops *o, const row *r) {
  TRY(GrB_Matrix_reduce_Monoid(o->w, NULL, NULL, *r->monoid, o->A[r->A], r->desc ? *r->desc : NULL));
  return GrB_Vector_wait(o->w, GrB_MATERIALIZE);
}

static GrB_Info reduce_scalar(ops *o, const row *r) {
  return GrB_Matrix_reduce_FP64(&o->number, NULL, *r->monoid, o->A[r->A], NULL);
}

/* ---- tuples, copies, elements ------------------------------------------------------------------------ */

static GrB_Info allocate_tuples(ops *o, const row *r) {
  (void)r;
  return need_arrays(o, NULL, o->g.entries);
}

static GrB_Info extract_tuples(ops *o, const row *r) {
  o->count = o->g.entries;
  return GrB_Matrix_extractTuples_FP64(o->I, o->J, o->X, &o->count, o->A[r->A]);
}

static GrB_Info extract_pattern(ops *o, const row *r) {
  o->count = o->g.entries;
  return GrB_Matrix_extractTuples_BOOL(o->I, o->J, o->B, &o->count, o->A[r->A]);
}

static GrB_Info dup(ops *o, const row *r) {
  TRY(GrB_Matrix_dup(&o->C, o->A[r->A]));
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static void random_position(GrB_Index *i, GrB_Index *j, const ops *o, uint64_t k) {
  *i = mix(2 * k) % o->g.n;
  *j = mix(2 * k + 1) % o->g.n;
}

static GrB_Info set_elements(ops *o, const row *r) {
  (void)r;
  for (uint64_t k = 0; k < CALLS; k++) {
    GrB_Index i, j;
    random_position(&i, &j, o, k);
    TRY(GrB_Matrix_setElement_FP64(o->C, (double)k, i, j));
  }
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

/* An existing entry, if there is any. */
static void pick_entry(GrB_Index *i, GrB_Index *j, const ops *o, uint64_t k) {
  if (o->g.entries == 0) {
    random_position(i, j, o, k);
    return;
  }
  const tuple *t = &o->g.entry[mix(k) % o->g.entries];
  *i = t->row;
  *j = t->col;
}

static GrB_Info remove_elements(ops *o, const row *r) {
  (void)r;
  for (uint64_t k = 0; k < CALLS; k++) {
    GrB_Index i, j;
    pick_entry(&i, &j, o, k);
    TRY(GrB_Matrix_removeElement(o->C, i, j));
  }
  return GrB_Matrix_wait(o->C, GrB_MATERIALIZE);
}

static GrB_Info extract_elements(ops *o, const row *r) {
  o->number = 0;
  for (uint64_t k = 0; k < CALLS; k++) {
    GrB_Index i, j;
    double x = 0;
    if (k % 2)
      random_position(&i, &j, o, k);
    else
      pick_entry(&i, &j, o, k);
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, o->A[r->A], i, j);
    if (info != GrB_SUCCESS && info != GrB_NO_VALUE) return info;
    o->number += x;
  }
  return GrB_SUCCESS;
}

static GrB_Info count_entries(ops *o, const row *r) {
  GrB_Index n = 0;
  for (int k = 0; k < CALLS; k++) TRY(GrB_Matrix_nvals(&n, o->A[r->A]));
  o->number = (double)n;
  return GrB_SUCCESS;
}

const row matrix_rows[] = {
    /* clang-format off */
    {"build.shuffled", build, arrays_shuffled, .result_in = IN_C, .count = COUNT_MATRIX, .bytes = 36},
    {"build.duplicates", build, arrays_listed, .result_in = IN_C, .count = COUNT_LISTED, .bytes = 36},
    {"build.shares", build_shares, arrays_shuffled, .result_in = IN_C, .count = COUNT_MATRIX, .bytes = 36},
    {"build.duplicates.user", build, arrays_listed, .result_in = IN_C, .binary = &bench_operators.larger, .count = COUNT_LISTED, .bytes = 36},
    {"build.sorted", build, arrays_sorted, .result_in = IN_C, .count = COUNT_MATRIX, .bytes = 36},
    {"build.pattern", build_pattern, arrays_listed, .result_in = IN_C, .count = COUNT_LISTED, .bytes = 21},
    {"reduce.rows", reduce_vector, .A = A_FP64, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_MATRIX, .bytes = 8},
    {"reduce.columns", reduce_vector, .A = A_FP64, .monoid = &GrB_PLUS_MONOID_FP64, .desc = &GrB_DESC_T0, .count = COUNT_MATRIX, .bytes = 8},
    {"reduce.rows.min", reduce_vector, .A = A_FP64, .monoid = &GrB_MIN_MONOID_FP64, .count = COUNT_MATRIX, .bytes = 8},
    {"reduce.rows.user", reduce_vector, .A = A_FP64, .monoid = &bench_operators.largest, .count = COUNT_MATRIX, .bytes = 8},
    {"reduce.rows.pattern", reduce_vector, .A = A_PATTERN, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_MATRIX},
    {"reduce.scalar", reduce_scalar, .result_in = IN_NUMBER, .A = A_FP64, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_MATRIX, .bytes = 8},
    {"reduce.scalar.max", reduce_scalar, .result_in = IN_NUMBER, .A = A_FP64, .monoid = &GrB_MAX_MONOID_FP64, .count = COUNT_MATRIX, .bytes = 8},
    {"reduce.scalar.pattern", reduce_scalar, .result_in = IN_NUMBER, .A = A_PATTERN, .monoid = &GrB_PLUS_MONOID_FP64, .count = COUNT_MATRIX},
    {"reduce.scalar.user", reduce_scalar, .result_in = IN_NUMBER, .A = A_FP64, .monoid = &bench_operators.largest, .count = COUNT_MATRIX, .bytes = 8},
    {"extractTuples.matrix", extract_tuples, allocate_tuples, .result_in = IN_ARRAYS, .A = A_FP64, .count = COUNT_MATRIX, .bytes = 36},
    {"extractTuples.matrix.pattern", extract_pattern, allocate_tuples, .result_in = IN_PATTERN_ARRAYS, .A = A_PATTERN, .count = COUNT_MATRIX, .bytes = 21},
    {"dup.matrix", dup, .result_in = IN_C, .A = A_FP64, .count = COUNT_MATRIX, .bytes = 24},
    {"setElement.matrix", set_elements, dup, .result_in = IN_C, .A = A_FP64, .count = COUNT_CALLS},
    {"removeElement.matrix", remove_elements, dup, .result_in = IN_C, .A = A_FP64, .count = COUNT_CALLS},
    {"extractElement.matrix", extract_elements, .result_in = IN_NUMBER, .A = A_FP64, .count = COUNT_CALLS},
    {"nvals.matrix", count_entries, .result_in = IN_NUMBER, .A = A_FP64, .count = COUNT_CALLS},
    /* clang-format on */
    {NULL}};
