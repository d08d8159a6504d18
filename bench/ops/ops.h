/* The common declarations of bench/ops. Only standard GraphBLAS calls here and in all files that include it
 * except rows_algorithms.c: the same source is compiled for gridblas and for its peer, each with its own
 * GraphBLAS.h. */
#ifndef GRID_OPS_H
#define GRID_OPS_H
#include <GraphBLAS.h>

#include "bench/ops/ops_graph.h"

/* The matrices that rows name: the graph's entries, in four types (PATTERN: BOOL, all true); LOWER: those on
 * and below the diagonal. MESH: a 3D mesh of 100^3 points, each with up to 6 neighbours; RANDOM: 2^20 rows of
 * 8 entries; BATCH: 4 rows, each with a hundredth of the graph's columns; HUBS: of 50000 vertices 11 are
 * neighbours of all. Below scale 12 MESH, RANDOM and HUBS are small: for tests. WEIGHTS: the graph's entries
 * with weights (ops_graph.h). COLUMNS_k: the graph's rows, k columns, an entry at every position;
 * COLUMNS_ISO_k: all of one value. */
typedef enum {
  NO_MATRIX,
  A_FP64,
  A_FP32,
  A_INT32,
  A_PATTERN,
  A_WEIGHTS,
  LOWER_FP64,
  LOWER_PATTERN,
  A_MESH,
  A_RANDOM,
  A_BATCH,
  A_HUBS,
  COLUMNS_1,
  COLUMNS_2,
  COLUMNS_4,
  COLUMNS_16,
  COLUMNS_FP32_4,
  COLUMNS_ISO_1,
  COLUMNS_ISO_2,
  COLUMNS_ISO_4,
  COLUMNS_ISO_16,
  MATRICES
} matrix_input;

/* The vectors that rows name. FULL: all entries; HALF: about every second one, irregularly; LIST_k: k of the
 * vertices with edges; SPARSE: n / 64 of them; VISITED: nine tenths, BOOL. */
typedef enum {
  NO_VECTOR,
  FULL,
  FULL_TOO,
  FULL_FP32,
  FULL_INT32,
  FULL_BOOL,
  HALF,
  HALF_FP32,
  HALF_BOOL,
  VISITED,
  SPARSE,
  SPARSE_TOO,
  LIST_100,
  LIST_1K,
  LIST_10K,
  LIST_100K,
  VECTORS
} vector_input;

/* What a row's "entries" are. */
typedef enum {
  COUNT_PRODUCTS, /* entries of A that are multiplied by one of u where the mask allows the output */
  COUNT_MATRIX,   /* A's entries */
  COUNT_LISTED,   /* the tuples in their order */
  COUNT_VECTORS,  /* u's and v's entries */
  COUNT_OUTPUT,   /* the result's */
  COUNT_MXM,      /* products of A and B */
  COUNT_CALLS,    /* calls, CALLS of them */
  COUNT_SMALL_CALLS,
  COUNT_ROWCOL_CALLS
} count_kind;

/* Where a row's result is. */
typedef enum {
  IN_W,
  IN_COPY,   /* vector */
  IN_HALF,   /* vector, half as long */
  IN_C,      /* matrix */
  IN_C_SUMS, /* matrix; only its row sums are compared */
  IN_NUMBER,
  IN_ARRAYS,         /* count tuples: I, J, X */
  IN_PATTERN_ARRAYS, /* I, J */
  IN_VECTOR_ARRAYS   /* I, X */
} result_kind;

enum { CALLS = 10000, SMALL_CALLS = 1000, ROWCOL_CALLS = 100 };

typedef struct ops ops;
typedef struct row row;
struct row {
  const char *name;
  /* One timing: the operation and the wait for its result, which `left` describes. */
  GrB_Info (*run)(ops *o, const row *r);
  GrB_Info (*before)(ops *o, const row *r); /* before each, not timed; or NULL */
  result_kind result_in;
  matrix_input A, B, M; /* M: a mask */
  vector_input u, v, mask;
  const GrB_Semiring *semiring;
  const GrB_Monoid *monoid;
  const GrB_BinaryOp *binary;
  const GrB_UnaryOp *unary;
  const GrB_IndexUnaryOp *index;
  const GrB_Descriptor *desc;
  const GrB_Type *type; /* of w; NULL: FP64 */
  bool dense;           /* needs arrays as long as the dimension */
  count_kind count;
  int bytes; /* bytes that one of them must access, without the result */
  int often; /* times as many repetitions; 0: 1 */
  int size;  /* small rows: indices of their objects */
};
extern const row product_rows[], vector_rows[], matrix_rows[], move_rows[], entrywise_rows[], object_rows[],
    small_rows[], format_rows[];
extern const row mxm_rows[], algorithm_rows[];

struct ops {
  graph g;
  uint64_t live;       /* rows that have entries ... */
  GrB_Index *live_row; /* ... and which */
  GrB_Matrix A[MATRICES];
  GrB_Vector v[VECTORS];
  GrB_Index *permutation, *range; /* every index: in random order, in order */
  GrB_Index *I, *J;               /* tuples for a build or from extractTuples */
  double *X;
  bool *B;
  uint64_t capacity;
  /* what a row leaves */
  GrB_Vector w, copy, half;
  GrB_Matrix C;
  double number;
  uint64_t count;
};

#define TRY(call)                                 \
  do {                                            \
    const GrB_Info try_info = (call);             \
    if (try_info != GrB_SUCCESS) return try_info; \
  } while (0)

/* Semirings and operators that a program makes for itself. */
typedef struct {
  GrB_Semiring plus_second_fp32, plus_second_fp64, plus_min_fp64, max_first_fp32, plus_oneb_int64, plus_user,
      user_user;
  GrB_BinaryOp distance, larger;
  GrB_UnaryOp square;
  GrB_IndexUnaryOp inside, shifted;
  GrB_Monoid largest;
} bench_operator_set;
extern bench_operator_set bench_operators;
GrB_Info operators_make(void);
GrB_Info operators_free(void);

/* Inputs, created at their first use. */
GrB_Info need_matrix(ops *o, matrix_input which);
GrB_Info need_vector(ops *o, vector_input which);
GrB_Info need_permutation(ops *o);
/* o->I, J, X, B have the given tuples. */
GrB_Info need_arrays(ops *o, const tuple *t, uint64_t n);
GrB_Info inputs_start(ops *o);
void inputs_free(ops *o);
#endif
