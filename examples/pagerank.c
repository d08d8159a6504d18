/* PageRank of a small web. Under mpirun the same program runs on many processes. */
#include <math.h>
#include <stdio.h>
#include <GraphBLAS.h>
#include <gridblas.h>

#define TRY(call)                                                                       \
  do {                                                                                  \
    GrB_Info info_ = (call);                                                            \
    if (info_ != GrB_SUCCESS) {                                                         \
      fprintf(stderr, "%s: %s: %s\n", #call, Grid_info_name(info_), Grid_last_error()); \
      return 1;                                                                         \
    }                                                                                   \
  } while (0)

int main(void) {
  /* page from[k] links to page to[k]; page 5 links nowhere */
  GrB_Index from[] = {0, 0, 1, 2, 2, 3, 4, 4, 6, 7, 7}, to[] = {1, 2, 2, 0, 3, 0, 0, 5, 0, 0, 6}, links = 11,
            n = 8;
  const double damping = 0.85;
  double one[11], change = 1, sum, dangling;
  GrB_Matrix A;
  GrB_Vector degree, share, rank, next, sinks;
  int rounds = 0;
  for (int k = 0; k < 11; k++) one[k] = 1;

  TRY(GrB_init(GrB_NONBLOCKING));
  TRY(GrB_Matrix_new(&A, GrB_FP64, n, n));
  TRY(GrB_Matrix_build(A, from, to, one, links, GrB_PLUS_FP64));
  TRY(GrB_Vector_new(&degree, GrB_FP64, n));
  TRY(GrB_Vector_new(&share, GrB_FP64, n));
  TRY(GrB_Vector_new(&rank, GrB_FP64, n));
  TRY(GrB_Vector_new(&next, GrB_FP64, n));
  TRY(GrB_Vector_new(&sinks, GrB_FP64, n));

  /* the number of links of each page, and the pages without links */
  TRY(GrB_reduce(degree, NULL, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  TRY(GrB_assign(sinks, degree, NULL, 1.0, GrB_ALL, n, GrB_DESC_SC));
  TRY(GrB_assign(rank, NULL, NULL, 1.0 / (double)n, GrB_ALL, n, NULL));

  for (; change > 1e-9 && rounds < 100; rounds++) {
    /* share = rank / degree; the rank of pages without links is distributed evenly */
    TRY(GrB_eWiseMult(share, NULL, NULL, GrB_DIV_FP64, rank, degree, NULL));
    TRY(GrB_eWiseMult(next, NULL, NULL, GrB_TIMES_FP64, rank, sinks, GrB_DESC_R));
    TRY(GrB_reduce(&dangling, NULL, GrB_PLUS_MONOID_FP64, next, NULL));
    TRY(GrB_assign(next, NULL, NULL, (1 - damping + damping * dangling) / (double)n, GrB_ALL, n, NULL));
    TRY(GrB_apply(share, NULL, NULL, GrB_TIMES_FP64, damping, share, NULL));
    /* next += A' share */
    TRY(GrB_mxv(next, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, share, GrB_DESC_T0));
    /* the distance between the two */
    TRY(GrB_eWiseAdd(rank, NULL, NULL, GrB_MINUS_FP64, rank, next, NULL));
    TRY(GrB_apply(rank, NULL, NULL, GrB_ABS_FP64, rank, NULL));
    TRY(GrB_reduce(&change, NULL, GrB_PLUS_MONOID_FP64, rank, NULL));
    GrB_Vector swap = rank;
    rank = next, next = swap;
  }

  TRY(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, rank, NULL));
  for (GrB_Index i = 0; i < n; i++) {
    double x;
    TRY(GrB_Vector_extractElement(&x, rank, i));
    if (Grid_rank() == 0) printf("page %d: %.4f\n", (int)i, x);
  }
  if (Grid_rank() == 0) printf("sum %.4f\n", sum);
  GrB_free(&A);
  GrB_free(&degree), GrB_free(&share), GrB_free(&rank), GrB_free(&next), GrB_free(&sinks);
  TRY(GrB_finalize());
  return fabs(sum - 1) < 1e-6 ? 0 : 1;
}
