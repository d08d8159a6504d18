/* The reference: breadth-first search on SuiteSparse:GraphBLAS 7.4, tuned as far as its API allows.
 *
 * Push is q<!parent> = q * A on a sparse frontier, pull is q<!parent> = A' * q (A itself when the graph is
 * mirrored) on a bitmap one. Both are over ANY_SECONDI, which stops at the first hit. The direction follows
 * LAGraph's rule. Pull when the frontier grows and its edges times ALPHA exceed the unexplored ones; after a
 * first pull, when it holds more than n / BETA1 vertices. Back to push when it shrinks below n / BETA2.
 * parent is stored as a bitmap.
 *
 * This file includes SuiteSparse's <GraphBLAS.h>, never gridblas's: the two are compiled separately and
 * linked together. */
#include <GraphBLAS.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/validate/reference.h"

enum { ALPHA = 8, BETA1 = 8, BETA2 = 512 };

struct reference {
  GrB_Matrix A;      /* pattern (iso), by row */
  GrB_Matrix AT;     /* its transpose; A itself when mirrored */
  GrB_Vector degree; /* of the rows, INT64 */
  uint64_t n, nvals, bytes;
  double build_seconds;
};

#define TRY(call)                                                                                     \
  do {                                                                                                \
    GrB_Info info_ = (call);                                                                          \
    if (info_ != GrB_SUCCESS) {                                                                       \
      snprintf(error, sizeof error, "SuiteSparse:GraphBLAS failed (error %d) at line %d", (int)info_, \
               __LINE__);                                                                             \
      goto failed;                                                                                    \
    }                                                                                                 \
  } while (0)

static char error[128];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *reference_missing(void) {
  return NULL;
}

/* GrB_init once a process; it is never finalised, because the program may call again. */
static GrB_Info start(int threads) {
  static bool started;
  if (!started) {
    GrB_Info info = GrB_init(GrB_NONBLOCKING);
    if (info != GrB_SUCCESS) return info;
    started = true;
  }
  return threads < 1 ? GrB_SUCCESS : GxB_set(GxB_NTHREADS, threads);
}

/* The version is only available after GrB_init. Not by the generic GxB_get: clang 22 warns of its cases with
 * const. */
const char *reference_name(void) {
  static char name[64] = "SuiteSparse:GraphBLAS";
  int version[3];
  if (start(0) == GrB_SUCCESS && GxB_Global_Option_get(GxB_LIBRARY_VERSION, version) == GrB_SUCCESS)
    snprintf(name, sizeof name, "SuiteSparse:GraphBLAS %d.%d.%d", version[0], version[1], version[2]);
  return name;
}

/* Copies the tuples without loops, in both directions when requested; returns how many there are. */
static uint64_t copy_tuples(GrB_Index *I, GrB_Index *J, const uint64_t *rows, const uint64_t *cols,
                            uint64_t count, bool mirror) {
  uint64_t k = 0;
  for (uint64_t t = 0; t < count; t++) {
    if (rows[t] == cols[t]) continue;
    I[k] = rows[t], J[k++] = cols[t];
    if (mirror) I[k] = cols[t], J[k++] = rows[t];
  }
  return k;
}

reference *reference_new(uint64_t n, const uint64_t *rows, const uint64_t *cols, uint64_t count, bool mirror,
                         int threads, const char **why) {
  reference *r = calloc(1, sizeof *r);
  GrB_Index *I = malloc((2 * count + 1) * sizeof *I), *J = malloc((2 * count + 1) * sizeof *J);
  GrB_Vector ones = NULL;
  GrB_Scalar one = NULL;
  size_t bytes;

  *why = error;
  snprintf(error, sizeof error, "not enough memory for the graph in SuiteSparse:GraphBLAS");
  if (r == NULL || I == NULL || J == NULL) goto failed;
  const double t0 = now();
  const uint64_t k = copy_tuples(I, J, rows, cols, count, mirror);
  TRY(start(threads));
  TRY(GrB_Scalar_new(&one, GrB_BOOL));
  TRY(GrB_Scalar_setElement_BOOL(one, true));
  TRY(GrB_Matrix_new(&r->A, GrB_BOOL, n, n));
  TRY(GxB_Matrix_Option_set(r->A, GxB_FORMAT, GxB_BY_ROW));
  TRY(GxB_Matrix_build_Scalar(r->A, I, J, one, k));
  TRY(GrB_wait(r->A, GrB_MATERIALIZE));
  r->AT = r->A;
  if (!mirror) {
    TRY(GrB_Matrix_new(&r->AT, GrB_BOOL, n, n));
    TRY(GrB_transpose(r->AT, NULL, NULL, r->A, NULL));
    TRY(GrB_wait(r->AT, GrB_MATERIALIZE));
  }
  /* degree = A plus.pair ones */
  TRY(GrB_Vector_new(&r->degree, GrB_INT64, n));
  TRY(GrB_Vector_new(&ones, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(ones, NULL, NULL, 1, GrB_ALL, n, NULL));
  TRY(GrB_mxv(r->degree, NULL, NULL, GxB_PLUS_PAIR_INT64, r->A, ones, NULL));
  TRY(GrB_wait(r->degree, GrB_MATERIALIZE));
  r->build_seconds = now() - t0;

  r->n = n;
  TRY(GrB_Matrix_nvals(&r->nvals, r->A));
  TRY(GxB_Matrix_memoryUsage(&bytes, r->A));
  r->bytes = bytes;
  if (!mirror) {
    TRY(GxB_Matrix_memoryUsage(&bytes, r->AT));
    r->bytes += bytes;
  }
  *why = NULL;
  goto out;

failed:
  reference_free(r);
  r = NULL;
out:
  free(I);
  free(J);
  GrB_Vector_free(&ones);
  GrB_Scalar_free(&one);
  return r;
}

void reference_free(reference *r) {
  if (r == NULL) return;
  if (r->AT != r->A) GrB_Matrix_free(&r->AT);
  GrB_Matrix_free(&r->A);
  GrB_Vector_free(&r->degree);
  free(r);
}

/* State for the choice of direction, from level to level. */
typedef struct {
  bool push, pulled; /* now; ever */
  uint64_t last;     /* size of the previous frontier */
  int64_t unexplored;
} course;

/* Chooses push or pull for a frontier of nq vertices; w is workspace. */
static GrB_Info choose(course *c, const reference *r, GrB_Vector q, GrB_Vector w, uint64_t nq) {
  GrB_Info info = GrB_SUCCESS;
  if (!c->push) {
    c->push = nq < c->last && nq <= r->n / BETA2;
  } else if (c->pulled) {
    c->push = !(nq > c->last && nq > r->n / BETA1);
  } else if (c->unexplored >= (int64_t)r->n) {
    /* w<q, replace> = degree; edges = sum of w */
    int64_t edges = 0;
    info = GrB_Vector_assign(w, q, NULL, r->degree, GrB_ALL, r->n, GrB_DESC_RS);
    if (info == GrB_SUCCESS) info = GrB_Vector_reduce_INT64(&edges, NULL, GrB_PLUS_MONOID_INT64, w, NULL);
    c->unexplored -= edges;
    c->push = !(nq > c->last && edges * ALPHA > c->unexplored);
  }
  c->pulled = c->pulled || !c->push;
  c->last = nq;
  return info;
}

/* A vector's entries into a dense array, -1 elsewhere. */
static bool copy_out(GrB_Vector v, uint64_t n, int32_t *level, int64_t *parent) {
  GrB_Index count = 0;
  if (GrB_Vector_nvals(&count, v) != GrB_SUCCESS) return false;
  GrB_Index *at = malloc((count + 1) * sizeof *at);
  int64_t *value = malloc((count + 1) * sizeof *value);
  bool ok =
      at != NULL && value != NULL && GrB_Vector_extractTuples_INT64(at, value, &count, v) == GrB_SUCCESS;
  if (level != NULL) memset(level, -1, n * sizeof *level);
  if (parent != NULL) memset(parent, -1, n * sizeof *parent);
  for (GrB_Index k = 0; ok && k < count; k++) {
    if (level != NULL) level[at[k]] = (int32_t)value[k];
    if (parent != NULL) parent[at[k]] = value[k];
  }
  free(at);
  free(value);
  return ok;
}

bool reference_bfs(reference *r, uint64_t source, int64_t limit, int32_t *level, int64_t *parent,
                   double *seconds, const char **why) {
  GrB_Vector q = NULL, w = NULL, p = NULL, l = NULL;
  course c = {.push = true, .last = 1, .unexplored = (int64_t)r->nvals};
  GrB_Index nq = 1;
  bool ok = false;

  *why = error;
  const double t0 = now();
  TRY(GrB_Vector_new(&q, GrB_INT64, r->n));
  TRY(GrB_Vector_new(&w, GrB_INT64, r->n));
  TRY(GrB_Vector_new(&p, GrB_INT64, r->n));
  TRY(GxB_Vector_Option_set(p, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
  TRY(GrB_Vector_setElement_INT64(q, (int64_t)source, source));
  TRY(GrB_Vector_setElement_INT64(p, (int64_t)source, source));
  if (level != NULL) {
    TRY(GrB_Vector_new(&l, GrB_INT32, r->n));
    TRY(GxB_Vector_Option_set(l, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    TRY(GrB_Vector_setElement_INT32(l, 0, source));
  }

  for (int32_t depth = 1; limit < 0 || depth <= limit; depth++) {
    TRY(choose(&c, r, q, w, nq));
    TRY(GxB_Vector_Option_set(q, GxB_SPARSITY_CONTROL, c.push ? GxB_SPARSE : GxB_BITMAP));
    /* q<!p, replace> = q any.secondi A, or A' any.secondi q */
    if (c.push)
      TRY(GrB_vxm(q, p, NULL, GxB_ANY_SECONDI_INT64, q, r->A, GrB_DESC_RSC));
    else
      TRY(GrB_mxv(q, p, NULL, GxB_ANY_SECONDI_INT64, r->AT, q, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&nq, q));
    if (nq == 0) break;
    /* p<q> = q, l<q> = depth */
    TRY(GrB_Vector_assign(p, q, NULL, q, GrB_ALL, r->n, GrB_DESC_S));
    if (l != NULL) TRY(GrB_Vector_assign_INT32(l, q, NULL, depth, GrB_ALL, r->n, GrB_DESC_S));
  }
  TRY(GrB_wait(p, GrB_MATERIALIZE));
  if (seconds != NULL) *seconds = now() - t0;

  ok = (level == NULL || copy_out(l, r->n, level, NULL)) &&
       (parent == NULL || copy_out(p, r->n, NULL, parent));
  if (!ok) snprintf(error, sizeof error, "not enough memory for the answer of SuiteSparse:GraphBLAS");

failed:
  GrB_Vector_free(&q);
  GrB_Vector_free(&w);
  GrB_Vector_free(&p);
  GrB_Vector_free(&l);
  return ok;
}

uint64_t reference_bytes(const reference *r) {
  return r->bytes;
}
uint64_t reference_nvals(const reference *r) {
  return r->nvals;
}
double reference_build_seconds(const reference *r) {
  return r->build_seconds;
}
