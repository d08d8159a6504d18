/* The matrices, vectors and arrays that rows work on, each created at its first use. */
#include <stdlib.h>

#include "bench/ops/ops.h"

/* A vector has entries for as many of the vertices with edges as `most` says, a fraction of all vertices, or
 * all. */
typedef struct {
  const GrB_Type *type;
  uint64_t share, most; /* of 1000; or a number */
} vector_kind;
static const vector_kind kind[VECTORS] = {
    [FULL] = {&GrB_FP64, 1000, 0},       [FULL_TOO] = {&GrB_FP64, 1000, 0},
    [FULL_FP32] = {&GrB_FP32, 1000, 0},  [FULL_INT32] = {&GrB_INT32, 1000, 0},
    [FULL_BOOL] = {&GrB_BOOL, 1000, 0},  [HALF] = {&GrB_FP64, 500, 0},
    [HALF_FP32] = {&GrB_FP32, 500, 0},   [HALF_BOOL] = {&GrB_BOOL, 500, 0},
    [VISITED] = {&GrB_BOOL, 900, 0},     [SPARSE] = {&GrB_FP64, 0, 1},
    [SPARSE_TOO] = {&GrB_FP64, 0, 1},    [LIST_100] = {&GrB_FP64, 0, 100},
    [LIST_1K] = {&GrB_FP64, 0, 1000},    [LIST_10K] = {&GrB_FP64, 0, 10000},
    [LIST_100K] = {&GrB_FP64, 0, 100000}};

GrB_Info inputs_start(ops *o) {
  o->live_row = malloc((o->g.entries + 1) * sizeof *o->live_row);
  if (o->live_row == NULL) return GrB_OUT_OF_MEMORY;
  for (uint64_t k = 0; k < o->g.entries; k++)
    if (k == 0 || o->g.entry[k].row != o->g.entry[k - 1].row) o->live_row[o->live++] = o->g.entry[k].row;
  return GrB_SUCCESS;
}

/* Indices ascending, their number in *k. */
static void choose(GrB_Index *index, uint64_t *k, const ops *o, vector_input which) {
  const vector_kind *d = &kind[which];
  *k = 0;
  if (o->g.shape == SHAPE_EMPTY) return;
  if (d->share > 0) {
    for (uint64_t i = 0; i < o->g.n; i++)
      if (mix(i) % 1000 < d->share) index[(*k)++] = i;
    return;
  }
  uint64_t wanted = d->most > 1 ? d->most : o->g.scale < 40 ? o->g.n / 64 : o->live / 16;
  if (wanted > o->live) wanted = o->live;
  /* SPARSE_TOO has about half of its entries where SPARSE has them */
  for (uint64_t t = 0; t < wanted; t++) {
    const uint64_t step = o->live / wanted, at = t * step + (which == SPARSE_TOO && t % 2 ? step / 2 : 0);
    index[(*k)++] = o->live_row[at];
  }
}

static double value_at(const ops *o, vector_input which, uint64_t i) {
  return o->g.shape == SHAPE_ISO ? 1 : 0.5 + (double)(mix(i ^ mix(which)) >> 11) * 0x1p-53;
}

static GrB_Info build_vector(GrB_Vector v, const GrB_Index *index, const double *value, uint64_t n,
                             GrB_Type type) {
  if (type == GrB_FP64) return GrB_Vector_build_FP64(v, index, value, n, GrB_PLUS_FP64);
  void *narrow = malloc((n + 1) * sizeof(float));
  if (narrow == NULL) return GrB_OUT_OF_MEMORY;
  float *f = narrow;
  int32_t *d = narrow;
  bool *b = narrow;
  GrB_Info info;
  for (uint64_t k = 0; k < n; k++) {
    if (type == GrB_FP32) f[k] = (float)value[k];
    if (type == GrB_INT32) d[k] = (int32_t)(value[k] * 1000);
    if (type == GrB_BOOL) b[k] = true;
  }
  if (type == GrB_FP32)
    info = GrB_Vector_build_FP32(v, index, f, n, GrB_PLUS_FP32);
  else if (type == GrB_INT32)
    info = GrB_Vector_build_INT32(v, index, d, n, GrB_PLUS_INT32);
  else
    info = GrB_Vector_build_BOOL(v, index, b, n, GrB_LOR);
  free(narrow);
  return info;
}

GrB_Info need_vector(ops *o, vector_input which) {
  if (which == NO_VECTOR || o->v[which] != NULL) return GrB_SUCCESS;
  const uint64_t capacity = (kind[which].share > 0 ? o->g.n : o->live) + 1;
  GrB_Index *index = malloc(capacity * sizeof *index);
  double *value = malloc(capacity * sizeof *value);
  uint64_t k = 0;
  GrB_Info info = index == NULL || value == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
  if (info == GrB_SUCCESS) {
    choose(index, &k, o, which);
    for (uint64_t t = 0; t < k; t++) value[t] = value_at(o, which, index[t]);
    info = GrB_Vector_new(&o->v[which], *kind[which].type, o->g.n);
  }
  if (info == GrB_SUCCESS) info = build_vector(o->v[which], index, value, k, *kind[which].type);
  if (info == GrB_SUCCESS) info = GrB_Vector_wait(o->v[which], GrB_MATERIALIZE);
  free(index);
  free(value);
  return info;
}

GrB_Info need_arrays(ops *o, const tuple *t, uint64_t n) {
  if (n > o->capacity || o->I == NULL) {
    free(o->I), free(o->J), free(o->X), free(o->B);
    o->capacity = n;
    o->I = malloc((n + 1) * sizeof *o->I);
    o->J = malloc((n + 1) * sizeof *o->J);
    o->X = malloc((n + 1) * sizeof *o->X);
    o->B = malloc((n + 1) * sizeof *o->B);
    if (o->I == NULL || o->J == NULL || o->X == NULL || o->B == NULL) return GrB_OUT_OF_MEMORY;
  }
  for (uint64_t k = 0; k < n && t != NULL; k++) {
    o->I[k] = t[k].row;
    o->J[k] = t[k].col;
    o->X[k] = t[k].value;
    o->B[k] = true;
  }
  return GrB_SUCCESS;
}

/* The arrays' entries on and below the diagonal move to the front; returns how many. */
static uint64_t extract_lower_triangle(ops *o, uint64_t n) {
  uint64_t kept = 0;
  for (uint64_t k = 0; k < n; k++) {
    if (o->J[k] > o->I[k]) continue;
    o->I[kept] = o->I[k], o->J[kept] = o->J[k], o->X[kept] = o->X[k];
    kept++;
  }
  return kept;
}

static GrB_Info build_matrix(ops *o, GrB_Matrix A, matrix_input which) {
  uint64_t n = o->g.entries;
  TRY(need_arrays(o, o->g.entry, n));
  if (which == LOWER_FP64 || which == LOWER_PATTERN) {
    n = extract_lower_triangle(o, n);
    which = which == LOWER_FP64 ? A_FP64 : A_PATTERN;
  }
  if (which == A_FP64) return GrB_Matrix_build_FP64(A, o->I, o->J, o->X, n, GrB_PLUS_FP64);
  if (which == A_PATTERN) return GrB_Matrix_build_BOOL(A, o->I, o->J, o->B, n, GrB_LOR);
  /* narrower values overwrite the wide ones, front to back */
  float *f = (float *)(void *)o->X;
  int32_t *d = (int32_t *)(void *)o->X;
  for (uint64_t k = 0; k < n; k++) {
    if (which == A_FP32) f[k] = (float)o->g.entry[k].value;
    if (which == A_WEIGHTS) d[k] = weight_of(o->I[k], o->J[k]);
    if (which == A_INT32) d[k] = o->g.shape == SHAPE_ISO ? 1 : (int32_t)(o->g.entry[k].value * 1000);
  }
  if (which == A_FP32) return GrB_Matrix_build_FP32(A, o->I, o->J, f, n, GrB_PLUS_FP32);
  return GrB_Matrix_build_INT32(A, o->I, o->J, d, n, GrB_PLUS_INT32);
}

/* ---- matrices of other shapes, tuple by tuple into the arrays ---------------------------------------- */

enum { RANDOM_ROW = 8, BATCH = 4, HUBS = 11 };

/* Sizes of the matrices that do not follow the scale; small ones where the scale is for results, not times.
 */
static bool is_small(const ops *o) {
  return o->g.scale < 12 || o->g.listed < UINT64_C(1) << 16; /* the hypersparse shape's scale is 40 */
}
static uint64_t mesh_side(const ops *o) {
  return is_small(o) ? 20 : 100;
}
static uint64_t random_rows(const ops *o) {
  return UINT64_C(1) << (is_small(o) ? 13 : 20);
}
static uint64_t hub_rows(const ops *o) {
  return is_small(o) ? 3000 : 50000;
}

static void append_tuple(ops *o, uint64_t i, uint64_t j) {
  o->I[o->count] = i, o->J[o->count] = j;
  o->B[o->count] = true;
  o->X[o->count++] = 0.5 + (double)(mix(i ^ mix(j)) >> 11) * 0x1p-53;
}

static void append_mesh(ops *o) {
  const uint64_t m = mesh_side(o), step[3] = {m * m, m, 1};
  for (uint64_t i = 0; i < m * m * m; i++) {
    const uint64_t at[3] = {i / (m * m), i / m % m, i % m};
    for (int d = 0; d < 3; d++)
      if (at[d] > 0) append_tuple(o, i, i - step[d]);
    append_tuple(o, i, i);
    for (int d = 2; d >= 0; d--)
      if (at[d] + 1 < m) append_tuple(o, i, i + step[d]);
  }
}

static void append_random(ops *o) {
  const uint64_t n = random_rows(o);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t k = 0; k < RANDOM_ROW; k++) append_tuple(o, i, mix(RANDOM_ROW * i + k) % n);
}

static void append_batch(ops *o) {
  for (uint64_t i = 0; i < BATCH; i++)
    for (uint64_t k = 0; k < o->live; k++)
      if (mix(i ^ mix(k)) % 100 == 0) append_tuple(o, i, o->live_row[k]);
}

static void append_hubs(ops *o) {
  const uint64_t n = hub_rows(o);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < (i < HUBS ? n : HUBS); j++)
      if (i != j) append_tuple(o, i, j);
}

static GrB_Info build_other(ops *o, matrix_input which) {
  const uint64_t side = mesh_side(o), mesh = side * side * side, random = random_rows(o), hubs = hub_rows(o),
                 n = o->g.n;
  o->count = 0;
  switch (which) {
    case A_MESH:
      TRY(need_arrays(o, NULL, 7 * mesh));
      append_mesh(o);
      TRY(GrB_Matrix_new(&o->A[which], GrB_FP64, mesh, mesh));
      break;
    case A_RANDOM:
      TRY(need_arrays(o, NULL, RANDOM_ROW * random));
      append_random(o);
      TRY(GrB_Matrix_new(&o->A[which], GrB_FP64, random, random));
      break;
    case A_HUBS:
      TRY(need_arrays(o, NULL, 2 * HUBS * hubs));
      append_hubs(o);
      TRY(GrB_Matrix_new(&o->A[which], GrB_FP64, hubs, hubs));
      break;
    default:
      TRY(need_arrays(o, NULL, BATCH * o->live));
      append_batch(o);
      TRY(GrB_Matrix_new(&o->A[which], GrB_FP64, BATCH, n));
  }
  return GrB_Matrix_build_FP64(o->A[which], o->I, o->J, o->X, o->count, GrB_PLUS_FP64);
}

/* COLUMNS_k: full matrices. */
static const struct {
  int columns;
  bool iso;
} full_kind[MATRICES] = {
    [COLUMNS_1] = {1, false},    [COLUMNS_2] = {2, false},      [COLUMNS_4] = {4, false},
    [COLUMNS_16] = {16, false},  [COLUMNS_FP32_4] = {4, false}, [COLUMNS_ISO_1] = {1, true},
    [COLUMNS_ISO_2] = {2, true}, [COLUMNS_ISO_4] = {4, true},   [COLUMNS_ISO_16] = {16, true}};

static GrB_Info build_full(ops *o, matrix_input which) {
  const GrB_Index n = o->g.n, k = (GrB_Index)full_kind[which].columns;
  TRY(GrB_Matrix_new(&o->A[which], which == COLUMNS_FP32_4 ? GrB_FP32 : GrB_FP64, n, k));
  if (full_kind[which].iso)
    return GrB_Matrix_assign_FP64(o->A[which], NULL, NULL, 0.5, GrB_ALL, n, GrB_ALL, k, NULL);
  TRY(need_arrays(o, NULL, n * k));
  o->count = 0;
  for (GrB_Index i = 0; i < n; i++)
    for (GrB_Index j = 0; j < k; j++) append_tuple(o, i, j);
  return GrB_Matrix_build_FP64(o->A[which], o->I, o->J, o->X, o->count, GrB_PLUS_FP64);
}

GrB_Info need_matrix(ops *o, matrix_input which) {
  static const GrB_Type *const type[MATRICES] = {
      [A_FP64] = &GrB_FP64,     [A_FP32] = &GrB_FP32,     [A_INT32] = &GrB_INT32,     [A_PATTERN] = &GrB_BOOL,
      [A_WEIGHTS] = &GrB_INT32, [LOWER_FP64] = &GrB_FP64, [LOWER_PATTERN] = &GrB_BOOL};
  if (which == NO_MATRIX || o->A[which] != NULL) return GrB_SUCCESS;
  if (which >= A_MESH) {
    TRY(which >= COLUMNS_1 ? build_full(o, which) : build_other(o, which));
    return GrB_Matrix_wait(o->A[which], GrB_MATERIALIZE);
  }
  TRY(GrB_Matrix_new(&o->A[which], *type[which], o->g.n, o->g.n));
  TRY(build_matrix(o, o->A[which], which));
  return GrB_Matrix_wait(o->A[which], GrB_MATERIALIZE);
}

/* Every index once, in random order; and every index in order, from which ranges are taken. */
GrB_Info need_permutation(ops *o) {
  if (o->permutation != NULL) return GrB_SUCCESS;
  o->permutation = malloc(o->g.n * sizeof *o->permutation);
  o->range = malloc(o->g.n * sizeof *o->range);
  if (o->permutation == NULL || o->range == NULL) return GrB_OUT_OF_MEMORY;
  for (uint64_t i = 0; i < o->g.n; i++) o->permutation[i] = o->range[i] = i;
  for (uint64_t i = o->g.n; i > 1; i--) {
    const uint64_t other = mix(i) % i, swap = o->permutation[i - 1];
    o->permutation[i - 1] = o->permutation[other];
    o->permutation[other] = swap;
  }
  return GrB_SUCCESS;
}

void inputs_free(ops *o) {
  for (int k = 0; k < MATRICES; k++) GrB_Matrix_free(&o->A[k]);
  for (int k = 0; k < VECTORS; k++) GrB_Vector_free(&o->v[k]);
  free(o->I), free(o->J), free(o->X), free(o->B);
  free(o->permutation), free(o->range), free(o->live_row);
  graph_free(&o->g);
}
