/* For tests of the operations of gridblas_gxb_operations.h: vectors as dense models of one column, index
 * lists that are arrays or ranges, and failing allocations. */
#ifndef GRID_GXB_MODEL_H
#define GRID_GXB_MODEL_H
#include "tests/dense_model.h"

#include "gridblas_gxb_operations.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"

/* Rounds of a random test: fewer where each call sends messages. */
static inline int test_rounds(int one_process) {
  return Grid_size() > 1 ? one_process / 4 : one_process;
}

/* ---- vectors ------------------------------------------------------------------------------------------- */

static inline GrB_Vector vector_of(const dense *d, GrB_Type type, bool iso) {
  GrB_Index *I = malloc((d->rows + 1) * sizeof *I), m = 0;
  double *X = malloc((d->rows + 1) * sizeof *X);
  GrB_Vector v = NULL;
  assert_true(I && X);
  for (size_t k = 0; k < d->rows; k++)
    if (d->has[k] && k % (size_t)Grid_size() == (size_t)Grid_rank()) I[m] = k, X[m++] = d->v[k];
  OK(GrB_Vector_new(&v, type, d->rows));
  OK(Grid_Vector_build(v, I, iso ? NULL : X, iso ? NULL : GrB_FP64, m, NULL));
  free(I), free(X);
  return v;
}

static inline bool same_vector(const dense *d, GrB_Vector v) {
  GrB_Index n, nvals, want = 0;
  OK(GrB_Vector_size(&n, v));
  OK(GrB_Vector_nvals(&nvals, v));
  GrB_Index *I = malloc((nvals + 1) * sizeof *I), m = nvals;
  double *X = malloc((nvals + 1) * sizeof *X);
  assert_true(I && X);
  OK(GrB_Vector_extractTuples_FP64(I, X, &m, v));
  bool fine = n == d->rows;
  for (size_t k = 0; k < d->rows; k++) want += d->has[k];
  fine = fine && want == nvals;
  for (GrB_Index k = 0; fine && k < m; k++) {
    fine = I[k] < d->rows && d->has[I[k]] && d->v[I[k]] == X[k];
    if (!fine) print_message("process %d: (%llu) = %g\n", Grid_rank(), (unsigned long long)I[k], X[k]);
  }
  free(I), free(X);
  return fine;
}

static inline GrB_Scalar scalar_of(GrB_Type type, double x) {
  GrB_Scalar s = NULL;
  OK(GrB_Scalar_new(&s, type));
  OK(GrB_Scalar_setElement_FP64(s, x));
  return s;
}
/* A user-defined type, larger than what is copied on the stack, and its comparison. */
typedef struct {
  int64_t key, other[9];
} large_value;
static inline void large_less(void *z, const void *x, const void *y) {
  *(bool *)z = ((const large_value *)x)->key < ((const large_value *)y)->key;
}

/* A model and what it models; one of A and v. */
typedef struct {
  dense d;
  GrB_Matrix A;
  GrB_Vector v;
} modelled;

static inline size_t draw_size(void) {
  return (const size_t[]){1, 7, 64, 150}[draw(4)];
}
static inline uint64_t draw_density(void) {
  return (const uint64_t[]){1, 2, 5, 40, 300}[draw(5)];
}
static inline GrB_Type draw_number_type(void) {
  return (const GrB_Type[]){GrB_FP64, GrB_INT32, GrB_FP32, GrB_INT64}[draw(4)];
}
static inline modelled draw_modelled(size_t rows, size_t cols) {
  modelled p = {.d = dense_new(rows, cols)};
  const bool iso = draw_one_in(4);
  dense_draw(&p.d, draw_density(), iso);
  p.A = dense_matrix(&p.d, draw_number_type(), iso);
  return p;
}
static inline modelled draw_modelled_vector(size_t n) {
  modelled p = {.d = dense_new(n, 1)};
  const bool iso = draw_one_in(4);
  dense_draw(&p.d, draw_density(), iso);
  p.v = vector_of(&p.d, draw_number_type(), iso);
  return p;
}
/* With entries at two of three positions; one column: a vector if `vector`. */
static inline modelled fill_modelled(size_t rows, size_t cols, bool vector) {
  modelled p = {.d = dense_new(rows, cols)};
  for (size_t k = 0; k < rows * cols; k++)
    if (k % 3) dense_set(&p.d, k / cols, k % cols, (double)(k * 7 % 13));
  if (vector)
    p.v = vector_of(&p.d, GrB_FP64, false);
  else
    p.A = dense_matrix(&p.d, GrB_FP64, false);
  return p;
}
/* Some changes wait. */
static inline void change_entries(modelled *p) {
  for (uint64_t k = draw_one_in(2) ? draw(4) : 0; k > 0; k--) {
    const size_t r = draw(p->d.rows), c = draw(p->d.cols);
    if (draw_one_in(3)) {
      OK(p->A ? GrB_Matrix_removeElement(p->A, r, c) : GrB_Vector_removeElement(p->v, r));
      p->d.has[dense_at(&p->d, r, c)] = false;
    } else {
      OK(p->A ? GrB_Matrix_setElement_FP64(p->A, 3, r, c) : GrB_Vector_setElement_FP64(p->v, 3, r));
      dense_set(&p->d, r, c, 3);
    }
  }
}
static inline void check_modelled(const modelled *p) {
  assert_on_all(p->A ? dense_same(&p->d, p->A) : same_vector(&p->d, p->v));
}
static inline void free_modelled(modelled *p) {
  dense_free(&p->d);
  GrB_Matrix_free(&p->A);
  GrB_Vector_free(&p->v);
}

/* ---- index lists --------------------------------------------------------------------------------------- */

typedef struct {
  GrB_Index *at, n;   /* the indices */
  const GrB_Index *I; /* as a call gets them: an array, a range, or GrB_ALL */
  GrB_Index ni, range[3];
} index_list;

static inline void list_free(index_list *l) {
  free(l->at);
}
/* Without repeats. */
static inline void draw_index_list(index_list *l, size_t dim) {
  const uint64_t kind = draw(5);
  *l = (index_list){.at = malloc((dim + 1) * sizeof *l->at)};
  assert_true(l->at);
  l->I = l->at;
  GrB_Index *r = l->range;
  if (kind == 0) {
    for (; l->n < dim; l->n++) l->at[l->n] = l->n;
    l->I = GrB_ALL, l->ni = dim;
    return;
  }
  if (kind == 4) {
    for (size_t k = 0; k < dim; k++)
      if (draw_one_in(2)) l->at[l->n++] = k;
    if (l->n == 0) l->at[l->n++] = draw(dim);
    for (size_t k = l->n; k > 1; k--) {
      const size_t j = draw(k);
      const GrB_Index swap = l->at[k - 1];
      l->at[k - 1] = l->at[j], l->at[j] = swap;
    }
    l->ni = l->n;
    return;
  }
  const GrB_Index low = draw(dim), high = low + draw(dim - low);
  r[GxB_INC] = kind == 1 ? 99 : 1 + draw(3);
  r[GxB_BEGIN] = kind == 3 ? high : low, r[GxB_END] = kind == 3 ? low : high;
  const GrB_Index step = kind == 1 ? 1 : r[GxB_INC];
  for (GrB_Index k = 0; k <= (high - low) / step; k++)
    l->at[l->n++] = kind == 3 ? high - k * step : low + k * step;
  l->I = r, l->ni = kind == 1 ? GxB_RANGE : kind == 2 ? GxB_STRIDE : GxB_BACKWARDS;
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static inline void assert_failed(GrB_Info info, GrB_Info want, const char *words) {
  const bool fine = info == want && strstr(Grid_last_error(), words);
  if (!fine)
    print_message("process %d: %s: \"%s\", want %s with \"%s\"\n", Grid_rank(), Grid_info_name(info),
                  Grid_last_error(), Grid_info_name(want), words);
  assert_on_all(fine);
}

/* The object becomes what its model says. */
static inline void rebuild(modelled *p) {
  GrB_Type type;
  if (p->A) {
    OK(GxB_Matrix_type(&type, p->A));
    GrB_Matrix_free(&p->A);
    p->A = dense_matrix(&p->d, type, false);
  } else {
    OK(GxB_Vector_type(&type, p->v));
    GrB_Vector_free(&p->v);
    p->v = vector_of(&p->d, type, false);
  }
}

/* Each allocation of a call fails once, on all processes or on the last one alone: the output is as before
 * then. In the end it is as before in any case. Without pools (dist/grid/short_call.h), which hide failures.
 */
static inline void assert_fails_cleanly(GrB_Info (*call)(void *), void *context, modelled *out) {
  const bool pool = grid_tune.memory_pool;
  grid_tune.memory_pool = false;
  for (int alone = 0; alone < (Grid_size() > 1 ? 2 : 1); alone++) {
    int failures = 0;
    for (int64_t k = 0;; k += 1 + k / 8) {
      assert_true(k < 3000);
      if (!alone || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
      const GrB_Info info = call(context);
      grid_mem_fail_after(-1);
      if (info == GrB_SUCCESS) break;
      const bool fine = info == GrB_OUT_OF_MEMORY && strlen(Grid_last_error()) > 0;
      if (!fine) print_message("allocation %d: %s: %s\n", (int)k, Grid_info_name(info), Grid_last_error());
      assert_on_all(fine);
      check_modelled(out);
      failures++;
    }
    assert_on_all(failures > 0 || alone); /* the last process may have nothing to allocate */
    rebuild(out);
  }
  grid_tune.memory_pool = pool;
}
#endif
