/* Objects with 0 rows, 0 columns or size 0 for the tests of operations. Each call's lengths m, k and n are of
 * 0, 1, 5 and 130, at least one of them 0. Every object has a dense model; a vector is a matrix of one
 * column. */
#ifndef GRID_SIZE_ZERO_H
#define GRID_SIZE_ZERO_H
#include "tests/dense_model.h"
#include "semiring/support/mem.h"
#include "tests/grid_shapes.h"

static const size_t lengths[] = {0, 1, 5, 130};

/* A model, and the matrix or vector (a model of one column) that it models. */
typedef struct {
  dense d;
  GrB_Matrix A;
  GrB_Vector v;
} pair;

static inline void draw_entries(dense *d) {
  const uint64_t sparse = 1 + draw(5);
  for (size_t k = 0; k < d->rows * d->cols; k++)
    if (draw_one_in(sparse)) d->has[k] = true, d->v[k] = (double)draw(7) - 2;
}

static inline pair draw_matrix(size_t rows, size_t cols) {
  pair p = {.d = dense_new(rows, cols)};
  draw_entries(&p.d);
  p.A = dense_matrix(&p.d, draw_one_in(3) ? GrB_INT32 : GrB_FP64, false);
  if (draw_one_in(3)) OK(GrB_wait(p.A, GrB_MATERIALIZE));
  return p;
}

static inline pair draw_vector(size_t n) {
  pair p = {.d = dense_new(n, 1)};
  draw_entries(&p.d);
  OK(GrB_Vector_new(&p.v, GrB_FP64, n));
  for (size_t k = 0; k < n; k++)
    if (p.d.has[k]) OK(GrB_Vector_setElement_FP64(p.v, p.d.v[k], k));
  if (draw_one_in(3)) OK(GrB_wait(p.v, GrB_MATERIALIZE));
  return p;
}

static inline bool is_vector_same(const dense *d, GrB_Vector v) {
  GrB_Index n = d->rows, size, nvals, want = 0, *i = malloc((n + 1) * sizeof *i);
  double *x = malloc((n + 1) * sizeof *x);
  for (size_t k = 0; k < n; k++) want += d->has[k];
  OK(GrB_Vector_size(&size, v));
  OK(GrB_Vector_nvals(&nvals, v));
  OK(GrB_Vector_extractTuples_FP64(i, x, &n, v));
  bool fine = size == d->rows && nvals == want && n == want;
  for (size_t k = 0; fine && k < n; k++) fine = i[k] < size && d->has[i[k]] && d->v[i[k]] == x[k];
  free(i), free(x);
  return fine;
}

static inline void free_pair(pair *p) {
  if (p->d.has) dense_free(&p->d);
  if (p->A) OK(GrB_free(&p->A));
  if (p->v) OK(GrB_free(&p->v));
}
static inline void check_pair(const pair *p) {
  assert_on_all(p->A ? dense_same(&p->d, p->A) : is_vector_same(&p->d, p->v));
}

/* One call: lengths, how C is written, C itself, and a mask or none. */
typedef struct {
  size_t m, k, n;
  dense_how h;
  GrB_Descriptor desc;
  pair C, M;
} call;

/* The lengths of round `round`; every triple with a 0 occurs. */
static inline bool draw_call(call *x, int round) {
  *x = (call){.m = lengths[round % 4], .k = lengths[round / 4 % 4], .n = lengths[round / 16 % 4]};
  if (x->m && x->k && x->n) return false;
  x->h = dense_draw_how();
  x->desc = dense_descriptor(x->h);
  return true;
}
static inline void draw_output(call *x, size_t rows, size_t cols) {
  x->C = draw_matrix(rows, cols);
  if (!draw_one_in(3)) x->M = draw_matrix(rows, cols);
}
static inline void draw_vector_output(call *x, size_t n) {
  x->C = draw_vector(n);
  if (!draw_one_in(3)) x->M = draw_vector(n);
}
static inline pair draw_input(bool transposed, size_t rows, size_t cols) {
  return transposed ? draw_matrix(cols, rows) : draw_matrix(rows, cols);
}
/* The model of an input, transposed where the call asks for that. */
static inline dense model_of(const pair *p, bool transposed) {
  return transposed ? dense_transposed(&p->d) : dense_copy(&p->d);
}

/* C<M> accum= t of the models; compares and frees all of the call. */
static inline void end_call(call *x, dense *t) {
  dense_write(&x->C.d, x->M.d.has ? &x->M.d : NULL, x->h, t);
  check_pair(&x->C);
  dense_free(t);
  free_pair(&x->C), free_pair(&x->M);
  OK(GrB_free(&x->desc));
}
#define ACCUM dense_accum(x.h)
/* All triples of lengths with a 0, several times on one process. */
#define EACH_CALL                                                        \
  call x;                                                                \
  for (int round = 0; round < (Grid_size() == 1 ? 4 * 64 : 64); round++) \
    if (draw_call(&x, round))
#endif
