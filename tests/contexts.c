/* Contexts (Grid_Context_new): two halves of the processes compute different things in contexts of their own,
 * in turn with the default one and with one of each process alone. Threads compute in contexts of one process
 * beside calls of all processes. Objects of another context are refused. Contexts end. Exit status 0:
 * success. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gridblas.h"

#define OK(call) \
  if ((call) != GrB_SUCCESS) return __LINE__
#define HOLDS(condition) \
  if (!(condition)) return __LINE__
#define FAILS(call, code, text) HOLDS((call) == (code) && strstr(Grid_last_error(), text))

static int rank, size, which; /* which: of the halves */
static MPI_Comm half;

/* A ring of n vertices and a token on vertex 0. */
typedef struct {
  GrB_Matrix A;
  GrB_Vector v;
  GrB_Index n, at;
} ring;

static int make(ring *r, GrB_Index n) {
  *r = (ring){.n = n};
  OK(GrB_Matrix_new(&r->A, GrB_INT64, n, n));
  OK(GrB_Vector_new(&r->v, GrB_INT64, n));
  for (GrB_Index i = 0; i < n; i++) OK(GrB_Matrix_setElement_INT64(r->A, 1, (i + 1) % n, i));
  OK(GrB_Vector_setElement_INT64(r->v, 7, 0));
  return 0;
}

/* The token goes a step. */
static int step(ring *r) {
  GrB_Index count = 0;
  int64_t x = 0;
  OK(GrB_mxv(r->v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, r->A, r->v, NULL));
  r->at = (r->at + 1) % r->n;
  OK(GrB_Vector_nvals(&count, r->v));
  OK(GrB_Vector_extractElement_INT64(&x, r->v, r->at));
  HOLDS(count == 1 && x == 7);
  return 0;
}

static int destroy(ring *r) {
  OK(GrB_Matrix_free(&r->A));
  OK(GrB_Vector_free(&r->v));
  return 0;
}

/* Three contexts of this process in turn; the halves take different numbers of steps, of different sizes. */
static int take_turns(Grid_Context part, Grid_Context alone) {
  ring all, subset, single;
  int failed, R, C;
  if ((failed = make(&all, 500))) return failed;
  OK(Grid_Context_use(part));
  Grid_shape(&R, &C);
  HOLDS(Grid_size() == R * C && (size < 4 || (Grid_size() == 2 && C == (which ? 2 : 1))));
  HOLDS(Grid_threads(2) == 2);
  if ((failed = make(&subset, which ? 300 : 2000))) return failed;
  OK(Grid_Context_use(alone));
  HOLDS(Grid_size() == 1 && Grid_rank() == 0);
  if ((failed = make(&single, 10 + (GrB_Index)rank))) return failed;
  for (int k = 0; k < 20; k++) {
    OK(Grid_Context_use(part));
    HOLDS(Grid_threads(0) == 2);
    for (int s = 0; s < (which ? 5 : 1); s++)
      if ((failed = step(&subset))) return failed;
    OK(Grid_Context_use(alone));
    for (int s = 0; s < rank; s++)
      if ((failed = step(&single))) return failed;
    OK(Grid_Context_use(NULL));
    HOLDS(Grid_size() == size && Grid_rank() == rank);
    if ((failed = step(&all))) return failed;
  }
  if ((failed = destroy(&all))) return failed;
  OK(Grid_Context_use(part));
  if ((failed = destroy(&subset))) return failed;
  OK(Grid_Context_use(alone));
  if ((failed = destroy(&single))) return failed;
  return Grid_Context_use(NULL) == GrB_SUCCESS ? 0 : __LINE__;
}

/* Threads with contexts of this process alone, while the main thread makes calls of all processes. */
enum { THREADS = 3 };
typedef struct {
  Grid_Context context;
  int number, failed;
} worker;

static int work(worker *w) {
  ring r;
  int failed;
  OK(Grid_Context_use(w->context));
  HOLDS(Grid_size() == 1 && Grid_threads(0) == 2);
  if ((failed = make(&r, 50 + (GrB_Index)w->number))) return failed;
  for (int k = 0; k < 100; k++)
    if ((failed = step(&r))) return failed;
  return destroy(&r);
}

static void *run_worker(void *arg) {
  worker *w = arg;
  w->failed = work(w);
  return NULL;
}

static int compute_beside_threads(void) {
  const MPI_Comm self = MPI_COMM_SELF;
  worker w[THREADS] = {{NULL, 0, 0}};
  pthread_t thread[THREADS];
  ring all;
  int failed = 0;
  for (int t = 0; t < THREADS; t++) {
    w[t].number = t;
    OK(Grid_Context_new(&w[t].context, GrB_NONBLOCKING, &self, 0, 0));
    OK(Grid_Context_use(w[t].context));
    HOLDS(Grid_threads(2) == 2);
    OK(Grid_Context_use(NULL));
  }
  for (int t = 0; t < THREADS; t++) HOLDS(pthread_create(&thread[t], NULL, run_worker, &w[t]) == 0);
  failed = make(&all, 700);
  for (int k = 0; k < 20 && !failed; k++) failed = step(&all);
  for (int t = 0; t < THREADS; t++) {
    pthread_join(thread[t], NULL);
    if (!failed) failed = w[t].failed;
    OK(Grid_Context_free(&w[t].context));
  }
  return failed ? failed : destroy(&all);
}

/* Objects of the default context while another one is in use; scalars belong to none. */
static int refuse_foreign(Grid_Context part) {
  static const char why[] = "of a context that is not in use";
  ring all, subset;
  GrB_Scalar s = NULL;
  GrB_Vector copy = NULL;
  GrB_Index n = 9;
  int64_t x = 5;
  int failed = make(&all, 50);
  if (failed) return failed;
  OK(GrB_Scalar_new(&s, GrB_INT64));
  OK(GrB_Scalar_setElement_INT64(s, 3));
  OK(Grid_Context_use(part));
  if ((failed = make(&subset, 50))) return failed;
  FAILS(GrB_mxv(subset.v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, all.A, subset.v, NULL),
        GrB_INVALID_OBJECT, why);
  FAILS(GrB_mxv(all.v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, subset.A, subset.v, NULL),
        GrB_INVALID_OBJECT, why);
  FAILS(GrB_mxv(subset.v, all.v, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, subset.A, subset.v, NULL),
        GrB_INVALID_OBJECT, why);
  FAILS(GrB_mxm(all.A, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, subset.A, subset.A, NULL),
        GrB_INVALID_OBJECT, why);
  FAILS(GrB_Vector_nvals(&n, all.v), GrB_INVALID_OBJECT, why);
  FAILS(GrB_Vector_setElement_INT64(all.v, 1, 1), GrB_INVALID_OBJECT, why);
  FAILS(GrB_Matrix_extractElement_INT64(&x, all.A, 1, 0), GrB_INVALID_OBJECT, why);
  FAILS(GrB_Vector_reduce_INT64(&x, NULL, GrB_PLUS_MONOID_INT64, all.v, NULL), GrB_INVALID_OBJECT, why);
  if (size == 1) { /* both contexts have one process */
    OK(GrB_Vector_dup(&copy, all.v));
    OK(GrB_Vector_nvals(&n, copy));
    OK(GrB_Vector_free(&copy));
    HOLDS(n == 1);
    n = 9;
  } else {
    FAILS(GrB_Vector_dup(&copy, all.v), GrB_INVALID_OBJECT, why);
  }
  FAILS(GrB_Vector_free(&all.v), GrB_INVALID_OBJECT, why);
  FAILS(GrB_Matrix_free(&all.A), GrB_INVALID_OBJECT, why);
  HOLDS(all.v && all.A && !copy && n == 9 && x == 5);
  OK(GrB_Scalar_extractElement_INT64(&x, s));
  HOLDS(x == 3);
  if ((failed = step(&subset)) || (failed = destroy(&subset))) return failed;
  OK(GrB_Scalar_free(&s));
  OK(Grid_Context_use(NULL));
  if ((failed = step(&all))) return failed; /* unchanged */
  return destroy(&all);
}

/* Calls of one half fail, those of the other do not. */
static int fail_on_one_half(Grid_Context part) {
  Grid_Context none = NULL;
  MPI_Comm null = MPI_COMM_NULL;
  ring r;
  if (which == 0) {
    FAILS(Grid_Context_new(&none, GrB_NONBLOCKING, &half, 5, 5), GrB_INVALID_VALUE,
          "Grid_Context_new: a grid of 5 x 5");
    FAILS(Grid_Context_new(&none, 7, &half, 0, 0), GrB_INVALID_VALUE, "Grid_Context_new: mode 7");
    FAILS(Grid_Context_new(&none, GrB_NONBLOCKING, &null, 0, 0), GrB_INVALID_VALUE, "MPI_COMM_NULL");
    HOLDS(!none && Grid_size() == size);
  }
  OK(Grid_Context_use(part));
  int failed = make(&r, 40);
  for (int k = 0; k < 10 && !failed; k++) {
    GrB_Vector w = NULL;
    if (which == 0) {
      OK(GrB_Vector_new(&w, GrB_INT64, 41));
      HOLDS(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, r.A, r.v, NULL) == GrB_DIMENSION_MISMATCH);
      OK(GrB_Vector_free(&w));
    }
    failed = step(&r);
  }
  if (!failed) failed = destroy(&r);
  return failed || Grid_Context_use(NULL) == GrB_SUCCESS ? failed : __LINE__;
}

/* A context ends while it is in use and has objects: these can only be freed. Those of another one go on. */
static int end_with_objects(Grid_Context *part) {
  static const char why[] = "of a context that has ended";
  const Grid_Context ended = *part;
  ring r, others;
  int failed = make(&others, 30);
  if (failed) return failed;
  OK(Grid_Context_use(*part));
  if ((failed = make(&r, 30))) return failed;
  OK(Grid_Context_free(part));
  HOLDS(!*part && Grid_size() == size);
  GrB_Index n;
  FAILS(GrB_Vector_nvals(&n, r.v), GrB_INVALID_OBJECT, why);
  FAILS(GrB_mxv(r.v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, r.A, r.v, NULL), GrB_INVALID_OBJECT, why);
  FAILS(Grid_Context_use(ended), GrB_UNINITIALIZED_OBJECT, "freed, or never created");
  OK(Grid_Context_free(part)); /* of NULL */
  if ((failed = step(&others)) || (failed = destroy(&others))) return failed;
  return destroy(&r);
}

static int run(void) {
  const MPI_Comm self = MPI_COMM_SELF;
  Grid_Context part = NULL, alone = NULL, left = NULL;
  int failed;
  FAILS(Grid_Context_new(&part, GrB_NONBLOCKING, &half, 0, 0), GrB_PANIC, "Grid_Context_new");
  OK(GrB_init(GrB_NONBLOCKING));
  FAILS(Grid_Context_new(NULL, GrB_NONBLOCKING, &half, 0, 0), GrB_NULL_POINTER, "argument context");
  const int R = size < 4 ? 0 : which ? 1 : 2, C = size < 4 ? 0 : which ? 2 : 1;
  OK(Grid_Context_new(&part, GrB_NONBLOCKING, &half, R, C));
  HOLDS(Grid_size() == size); /* the default context is still in use */
  OK(Grid_Context_new(&alone, GrB_BLOCKING, &self, 0, 0));
  if ((failed = take_turns(part, alone)) || (failed = refuse_foreign(part)) ||
      (failed = fail_on_one_half(part)) || (failed = compute_beside_threads()))
    return failed;
  OK(Grid_Context_free(&alone));
  if ((failed = end_with_objects(&part))) return failed;
  OK(Grid_Context_new(&left, GrB_NONBLOCKING, &half, 0, 0));
  OK(Grid_Context_use(left));
  OK(GrB_finalize()); /* with a context that is left, and in use */
  OK(GrB_init(GrB_NONBLOCKING));
  HOLDS(Grid_size() == size);
  ring r;
  if ((failed = make(&r, 20)) || (failed = step(&r)) || (failed = destroy(&r))) return failed;
  OK(GrB_finalize());
  return 0;
}

int main(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  which = 2 * rank / size;
  MPI_Comm_split(MPI_COMM_WORLD, which, rank, &half);
  const int failed = run();
  if (failed) {
    fprintf(stderr, "contexts.c: process %d: line %d failed: %s\n", rank, failed, Grid_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
