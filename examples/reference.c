/* A small example for each of the calls used most; the reference pages show them. Every process makes the
 * same calls; process 0 prints. Usage: reference; on several processes: mpirun -n 4 reference */
#include <stdio.h>
#include <stdlib.h>
#include <GraphBLAS.h>
#include <gridblas.h>
#include <gridblas_algos.h>

/* helpers */
/* Ends the program with the library's message if the call fails. GrB_NO_VALUE is no failure. */
#define OK(call)                                             \
  do {                                                       \
    if ((call) < GrB_SUCCESS) {                              \
      fprintf(stderr, "%s: %s\n", #call, Grid_last_error()); \
      exit(1);                                               \
    }                                                        \
  } while (0)
#define SAY(...)                               \
  do {                                         \
    if (Grid_rank() == 0) printf(__VA_ARGS__); \
  } while (0)

/* The graph of the examples: edges 0 -> 1 of weight 2, 0 -> 2 of 7, 1 -> 2 of 3, 2 -> 3 of 1. */
static GrB_Matrix graph(void) {
  GrB_Index from[] = {0, 0, 1, 2}, to[] = {1, 2, 2, 3};
  double weight[] = {2, 7, 3, 1};
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_FP64, 4, 4));
  OK(GrB_Matrix_build(A, from, to, weight, 4, NULL));
  return A;
}

/* The full vector 1, 2, 3, 4. */
static GrB_Vector numbers(void) {
  GrB_Index at[] = {0, 1, 2, 3};
  double value[] = {1, 2, 3, 4};
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_FP64, 4));
  OK(GrB_Vector_build(v, at, value, 4, NULL));
  return v;
}

/* Prints the entries of a vector of at most 16, or of a matrix of at most 16 rows and columns. */
static void show_vector(const char *name, GrB_Vector v) {
  GrB_Index at[16], n = 16;
  double value[16];
  OK(GrB_Vector_extractTuples(at, value, &n, v));
  SAY("%s:", name);
  for (GrB_Index k = 0; k < n; k++) SAY(" (%d) %g", (int)at[k], value[k]);
  SAY("\n");
}

static void show_matrix(const char *name, GrB_Matrix A) {
  GrB_Index nrows, ncols;
  double x;
  OK(GrB_Matrix_nrows(&nrows, A));
  OK(GrB_Matrix_ncols(&ncols, A));
  SAY("%s:", name);
  for (GrB_Index i = 0; i < nrows; i++)
    for (GrB_Index j = 0; j < ncols; j++)
      if (GrB_Matrix_extractElement(&x, A, i, j) == GrB_SUCCESS) SAY(" (%d, %d) %g", (int)i, (int)j, x);
  SAY("\n");
}

/* example: Grid_init, Grid_rank: start on a grid of processes */
static void start_on_a_grid(void) {
  int R, C;
  /* NULL: all processes of mpirun, or this one alone; 0, 0: the library chooses the shape */
  OK(Grid_init(GrB_NONBLOCKING, NULL, 0, 0));
  Grid_shape(&R, &C);
  SAY("process %d of a grid that %s all processes\n", Grid_rank(), R * C == Grid_size() ? "has" : "lacks");
  OK(GrB_finalize());
}

/* example: GrB_Matrix_new, GrB_free: a matrix of a predefined type, and its end */
static void new_and_free(void) {
  GrB_Matrix A;
  GrB_Index rows, cols;
  OK(GrB_Matrix_new(&A, GrB_INT32, 1000, 2000));
  OK(GrB_Matrix_nrows(&rows, A));
  OK(GrB_Matrix_ncols(&cols, A));
  SAY("%d x %d\n", (int)rows, (int)cols);
  OK(GrB_free(&A)); /* A is GrB_INVALID_HANDLE now */
}

/* example: GrB_Matrix_build: a matrix from arrays that every process has; duplicates are added */
static void build(void) {
  GrB_Index rows[] = {0, 1, 1}, cols[] = {1, 0, 0};
  double values[] = {5, 3, 4};
  GrB_Matrix A;
  OK(GrB_Matrix_new(&A, GrB_FP64, 2, 2));
  OK(GrB_Matrix_build(A, rows, cols, values, 3, GrB_PLUS_FP64));
  show_matrix("build", A);
  OK(GrB_free(&A));
}

/* example: GrB_Matrix_setElement, GrB_Matrix_extractElement, GrB_Matrix_removeElement: single entries */
static void elements(void) {
  GrB_Matrix A = graph();
  double x = 0;
  OK(GrB_Matrix_setElement(A, 6.5, 3, 0));
  OK(GrB_Matrix_removeElement(A, 0, 2));
  OK(GrB_Matrix_extractElement(&x, A, 3, 0));
  SAY("A(3, 0) = %g\n", x);
  if (GrB_Matrix_extractElement(&x, A, 0, 2) == GrB_NO_VALUE) SAY("A(0, 2) has no entry\n");
  OK(GrB_free(&A));
}

/* example: GrB_Matrix_extractTuples, GrB_Matrix_nvals: all entries, on every process */
static void tuples(void) {
  GrB_Matrix A = graph();
  GrB_Index n, rows[4], cols[4];
  double values[4], sum = 0;
  OK(GrB_Matrix_nvals(&n, A)); /* 4, the capacity of the arrays */
  OK(GrB_Matrix_extractTuples(rows, cols, values, &n, A));
  for (GrB_Index k = 0; k < n; k++) sum += values[k];
  SAY("%d entries, their sum is %g\n", (int)n, sum);
  OK(GrB_free(&A));
}

/* example: GrB_Matrix_dup, GrB_Matrix_clear: a copy that does not change with its original */
static void copy(void) {
  GrB_Matrix A = graph(), B;
  GrB_Index n;
  OK(GrB_Matrix_dup(&B, A));
  OK(GrB_Matrix_clear(A));
  OK(GrB_Matrix_nvals(&n, B));
  SAY("the copy has %d entries\n", (int)n);
  OK(GrB_free(&A));
  OK(GrB_free(&B));
}

/* example: GrB_Matrix_diag: a diagonal matrix from a vector */
static void diagonal(void) {
  GrB_Vector v = numbers();
  GrB_Matrix D;
  OK(GrB_Matrix_diag(&D, v, 0));
  show_matrix("diagonal", D);
  OK(GrB_free(&v));
  OK(GrB_free(&D));
}

/* example: GrB_Vector_new, GrB_Vector_setElement, GrB_Vector_extractElement: a sparse vector */
static void vector_elements(void) {
  GrB_Vector v;
  double x = 0;
  OK(GrB_Vector_new(&v, GrB_FP64, 100));
  OK(GrB_Vector_setElement(v, 2.5, 42));
  OK(GrB_Vector_extractElement(&x, v, 42));
  SAY("v(42) = %g\n", x);
  OK(GrB_free(&v));
}

/* example: GrB_Vector_build, GrB_Vector_extractTuples: a vector from arrays, and back */
static void vector_tuples(void) {
  GrB_Index at[] = {7, 3}, n = 2;
  int64_t value[] = {70, 30};
  GrB_Vector v;
  OK(GrB_Vector_new(&v, GrB_INT64, 10));
  OK(GrB_Vector_build(v, at, value, 2, NULL));
  OK(GrB_Vector_extractTuples(at, value, &n, v)); /* ascending by index */
  SAY("first entry: v(%d) = %d\n", (int)at[0], (int)value[0]);
  OK(GrB_free(&v));
}

/* example: GrB_mxm: the number of paths of two edges between each pair of vertices */
static void product_of_matrices(void) {
  GrB_Matrix A = graph(), C;
  OK(GrB_Matrix_new(&C, GrB_INT64, 4, 4));
  /* C = A plus.oneb A: ONEB is 1 for every pair of entries */
  OK(GrB_mxm(C, NULL, NULL, Grid_PLUS_ONEB_SEMIRING_INT64, A, A, NULL));
  show_matrix("paths of two edges", C);
  OK(GrB_free(&A));
  OK(GrB_free(&C));
}

/* example: GrB_mxv: y = A x */
static void matrix_times_vector(void) {
  GrB_Matrix A = graph();
  GrB_Vector x = numbers(), y;
  OK(GrB_Vector_new(&y, GrB_FP64, 4));
  OK(GrB_mxv(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, x, NULL));
  show_vector("A x", y);
  OK(GrB_free(&A));
  OK(GrB_free(&x));
  OK(GrB_free(&y));
}

/* example: GrB_vxm: rounds of shortest paths, distance = min(distance, distance min.plus A) */
static void vector_times_matrix(void) {
  GrB_Matrix A = graph();
  GrB_Vector distance;
  OK(GrB_Vector_new(&distance, GrB_FP64, 4));
  OK(GrB_Vector_setElement(distance, 0.0, 0));
  for (int round = 0; round < 3; round++)
    OK(GrB_vxm(distance, NULL, GrB_MIN_FP64, GrB_MIN_PLUS_SEMIRING_FP64, distance, A, NULL));
  show_vector("distances from 0", distance);
  OK(GrB_free(&A));
  OK(GrB_free(&distance));
}

/* example: GrB_eWiseAdd: an entry where either matrix has one */
static void union_of_patterns(void) {
  GrB_Matrix A = graph(), S;
  OK(GrB_Matrix_new(&S, GrB_FP64, 4, 4));
  /* S = A + A', the undirected graph; GrB_DESC_T1 transposes the second input */
  OK(GrB_eWiseAdd(S, NULL, NULL, GrB_PLUS_FP64, A, A, GrB_DESC_T1));
  show_matrix("A + A'", S);
  OK(GrB_free(&A));
  OK(GrB_free(&S));
}

/* example: GrB_eWiseMult: an entry where both vectors have one */
static void intersection_of_patterns(void) {
  GrB_Vector u = numbers(), v, w;
  OK(GrB_Vector_new(&v, GrB_FP64, 4));
  OK(GrB_Vector_setElement(v, 10.0, 2));
  OK(GrB_Vector_new(&w, GrB_FP64, 4));
  OK(GrB_eWiseMult(w, NULL, NULL, GrB_TIMES_FP64, u, v, NULL));
  show_vector("u .* v", w);
  OK(GrB_free(&u));
  OK(GrB_free(&v));
  OK(GrB_free(&w));
}

/* example: GrB_apply: a unary operator, a binary operator with a bound scalar, an index operator */
static void apply(void) {
  GrB_Vector v = numbers();
  OK(GrB_apply(v, NULL, NULL, GrB_AINV_FP64, v, NULL));
  show_vector("-v", v);
  OK(GrB_apply(v, NULL, NULL, GrB_TIMES_FP64, v, 10.0, NULL));
  show_vector("-10 v", v);
  OK(GrB_apply(v, NULL, NULL, GrB_ROWINDEX_INT64, v, (int64_t)1, NULL));
  show_vector("index + 1", v);
  OK(GrB_free(&v));
}

/* example: GrB_select: the entries above 2, and the strictly lower triangle */
static void select_entries(void) {
  GrB_Matrix A = graph(), B;
  OK(GrB_Matrix_new(&B, GrB_FP64, 4, 4));
  OK(GrB_select(B, NULL, NULL, GrB_VALUEGT_FP64, A, 2.0, NULL));
  show_matrix("above 2", B);
  OK(GrB_select(B, NULL, NULL, GrB_TRIL, A, (int64_t)-1, GrB_DESC_T0));
  show_matrix("lower triangle of A'", B);
  OK(GrB_free(&A));
  OK(GrB_free(&B));
}

/* example: GrB_assign: a scalar to all entries, then a scalar where a mask has none */
static void assign(void) {
  GrB_Vector level, visited;
  OK(GrB_Vector_new(&visited, GrB_BOOL, 4));
  OK(GrB_Vector_setElement(visited, true, 1));
  OK(GrB_Vector_new(&level, GrB_INT32, 4));
  OK(GrB_assign(level, NULL, NULL, 0, GrB_ALL, 4, NULL));
  /* level<!visited, structure> = -1 */
  OK(GrB_assign(level, visited, NULL, -1, GrB_ALL, 4, GrB_DESC_SC));
  show_vector("level", level);
  OK(GrB_free(&level));
  OK(GrB_free(&visited));
}

/* example: GrB_extract: a submatrix, and a column of a matrix */
static void extract(void) {
  GrB_Matrix A = graph(), B;
  GrB_Vector column;
  GrB_Index rows[] = {0, 1}, cols[] = {1, 2};
  OK(GrB_Matrix_new(&B, GrB_FP64, 2, 2));
  OK(GrB_extract(B, NULL, NULL, A, rows, 2, cols, 2, NULL));
  show_matrix("rows 0, 1 and columns 1, 2", B);
  OK(GrB_Vector_new(&column, GrB_FP64, 4));
  OK(GrB_extract(column, NULL, NULL, A, GrB_ALL, 4, 2, NULL));
  show_vector("column 2", column);
  OK(GrB_free(&A));
  OK(GrB_free(&B));
  OK(GrB_free(&column));
}

/* example: GrB_reduce: the sum of all entries, and the sum of each row */
static void reduce(void) {
  GrB_Matrix A = graph();
  GrB_Vector rows;
  double sum = 0;
  OK(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  SAY("sum %g\n", sum);
  OK(GrB_Vector_new(&rows, GrB_FP64, 4));
  OK(GrB_reduce(rows, NULL, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  show_vector("row sums", rows);
  OK(GrB_free(&A));
  OK(GrB_free(&rows));
}

/* example: GrB_transpose: C = A' */
static void transpose(void) {
  GrB_Matrix A = graph(), C;
  OK(GrB_Matrix_new(&C, GrB_FP64, 4, 4));
  OK(GrB_transpose(C, NULL, NULL, A, NULL));
  show_matrix("A'", C);
  OK(GrB_free(&A));
  OK(GrB_free(&C));
}

/* example: GrB_kronecker: two copies of a graph, by the Kronecker product with a unit matrix */
static void kronecker(void) {
  GrB_Matrix A = graph(), unit, C;
  GrB_Index n;
  OK(GrB_Matrix_new(&unit, GrB_FP64, 2, 2));
  OK(GrB_Matrix_setElement(unit, 1.0, 0, 0));
  OK(GrB_Matrix_setElement(unit, 1.0, 1, 1));
  OK(GrB_Matrix_new(&C, GrB_FP64, 8, 8));
  OK(GrB_kronecker(C, NULL, NULL, GrB_TIMES_FP64, unit, A, NULL));
  OK(GrB_Matrix_nvals(&n, C));
  SAY("two copies have %d entries\n", (int)n);
  OK(GrB_free(&A));
  OK(GrB_free(&unit));
  OK(GrB_free(&C));
}

/* example: GrB_Matrix_import, GrB_Matrix_export: CSR arrays that every process has, and back */
static void csr(void) {
  GrB_Index offset[] = {0, 2, 3, 3}, column[] = {1, 2, 0}, n_offset = 4, n_column = 3, n_value = 3;
  double value[] = {5, 6, 7};
  GrB_Matrix A;
  OK(GrB_Matrix_import(&A, GrB_FP64, 3, 3, offset, column, value, 4, 3, 3, GrB_CSR_FORMAT));
  OK(GrB_Matrix_export(offset, column, value, &n_offset, &n_column, &n_value, GrB_CSR_FORMAT, A));
  SAY("%d offsets, %d entries\n", (int)n_offset, (int)n_column);
  OK(GrB_free(&A));
}

/* example: GrB_Matrix_serialize, GrB_Matrix_deserialize: a matrix as bytes, and back */
static void serialize(void) {
  GrB_Matrix A = graph(), B;
  GrB_Index size;
  OK(GrB_Matrix_serializeSize(&size, A));
  void *bytes = malloc(size);
  OK(Grid_agree(bytes != NULL ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the bytes"));
  OK(GrB_Matrix_serialize(bytes, &size, A));
  OK(GrB_Matrix_deserialize(&B, GrB_FP64, bytes, size));
  show_matrix("deserialized", B);
  free(bytes);
  OK(GrB_free(&A));
  OK(GrB_free(&B));
}

/* example: GrB_BinaryOp_new, GrB_Monoid_new, GrB_Semiring_new: a semiring with an operator of the program */
static void squared_distance(void *z, const void *x, const void *y) {
  const double d = *(const double *)x - *(const double *)y;
  *(double *)z = d * d;
}

static void user_semiring(void) {
  GrB_Matrix A = graph();
  GrB_Vector x = numbers(), y;
  GrB_BinaryOp square;
  GrB_Monoid largest;
  GrB_Semiring most;
  OK(GrB_BinaryOp_new(&square, squared_distance, GrB_FP64, GrB_FP64, GrB_FP64));
  OK(GrB_Monoid_new(&largest, GrB_MAX_FP64, 0.0));
  OK(GrB_Semiring_new(&most, largest, square));
  OK(GrB_Vector_new(&y, GrB_FP64, 4));
  OK(GrB_mxv(y, NULL, NULL, most, A, x, NULL));
  show_vector("largest squared distance", y);
  OK(GrB_free(&most)); /* before its parts */
  OK(GrB_free(&largest));
  OK(GrB_free(&square));
  OK(GrB_free(&A));
  OK(GrB_free(&x));
  OK(GrB_free(&y));
}

/* example: GrB_Descriptor_new, GrB_Descriptor_set: replace the output, complement the mask */
static void descriptor(void) {
  GrB_Descriptor d;
  GrB_Vector v = numbers(), mask;
  OK(GrB_Descriptor_new(&d));
  OK(GrB_Descriptor_set(d, GrB_OUTP, GrB_REPLACE));
  OK(GrB_Descriptor_set(d, GrB_MASK, GrB_COMP_STRUCTURE)); /* as GrB_DESC_RSC */
  OK(GrB_Vector_new(&mask, GrB_BOOL, 4));
  OK(GrB_Vector_setElement(mask, false, 0));
  OK(GrB_apply(v, mask, NULL, GrB_IDENTITY_FP64, v, d));
  show_vector("without entry 0", v);
  OK(GrB_free(&d));
  OK(GrB_free(&v));
  OK(GrB_free(&mask));
}

/* example: GrB_Scalar_new: a scalar that may be empty, as the result of a reduction */
static void scalar(void) {
  GrB_Scalar s;
  GrB_Vector v;
  GrB_Index has_value;
  OK(GrB_Vector_new(&v, GrB_FP64, 4)); /* no entries */
  OK(GrB_Scalar_new(&s, GrB_FP64));
  OK(GrB_reduce(s, NULL, GrB_PLUS_MONOID_FP64, v, NULL));
  OK(GrB_Scalar_nvals(&has_value, s));
  SAY("the sum of no entries %s a value\n", has_value ? "has" : "has not");
  OK(GrB_free(&s));
  OK(GrB_free(&v));
}

/* example: GrB_wait: complete pending changes, before a time is measured or threads share the matrix */
static void wait_for_changes(void) {
  GrB_Matrix A = graph();
  OK(GrB_Matrix_setElement(A, 1.0, 3, 3));
  OK(GrB_wait(A, GrB_MATERIALIZE)); /* merges the new entry and prepares A for products */
  SAY("complete\n");
  OK(GrB_free(&A));
}

/* example: GrB_error, Grid_last_error: why a call failed; its output does not change */
static void errors(void) {
  GrB_Matrix A = graph();
  GrB_Vector v = numbers(), w;
  const char *why;
  OK(GrB_Vector_new(&w, GrB_FP64, 5)); /* the wrong size */
  const GrB_Info info = GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, v, NULL);
  OK(GrB_error(&why, w));
  SAY("%s: %s\n", Grid_info_name(info), why); /* Grid_last_error() returns the same text */
  OK(GrB_free(&A));
  OK(GrB_free(&v));
  OK(GrB_free(&w));
}

/* example: GrB_get, GrB_set: a name for a vector */
static void fields(void) {
  GrB_Vector v = numbers();
  char name[32];
  OK(GrB_set(v, "ranks", GrB_NAME));
  OK(GrB_get(v, name, GrB_NAME));
  SAY("the vector is called %s\n", name);
  OK(GrB_free(&v));
}

/* example: Grid_Matrix_build, Grid_local_range: every process passes its own tuples: here a cycle */
static void distributed_build(void) {
  GrB_Index n = 1000, first, count, entries;
  GrB_Matrix A;
  OK(Grid_local_range(n, &first, &count));
  GrB_Index *from = malloc((count + 1) * sizeof *from), *to = malloc((count + 1) * sizeof *to);
  OK(Grid_agree(from && to ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the edges"));
  for (GrB_Index k = 0; k < count; k++) from[k] = first + k, to[k] = (first + k + 1) % n;
  OK(GrB_Matrix_new(&A, GrB_BOOL, n, n));
  OK(Grid_Matrix_build(A, from, to, NULL, NULL, count, NULL, Grid_MIRROR)); /* undirected, no values */
  OK(GrB_Matrix_nvals(&entries, A));
  SAY("%d entries\n", (int)entries);
  free(from);
  free(to);
  OK(GrB_free(&A));
}

/* example: Grid_Vector_extractLocal, Grid_sum: each process reads the entries that it stores */
static void local_entries(void) {
  GrB_Vector v = numbers();
  GrB_Index at[4], n = 4;
  double value[4];
  uint64_t even = 0;
  OK(Grid_Vector_extractLocal(at, value, &n, v));
  for (GrB_Index k = 0; k < n; k++) even += (uint64_t)value[k] % 2 == 0;
  OK(Grid_sum(&even, 1)); /* over all processes */
  SAY("%d even values\n", (int)even);
  OK(GrB_free(&v));
}

/* example: Grid_Matrix_importLocal: the rows of each process as CSR arrays, as an MPI program has them */
static void distributed_csr(void) {
  GrB_Index n = 1000, first, rows, entries;
  GrB_Matrix D;
  OK(Grid_local_range(n, &first, &rows));
  GrB_Index *offset = malloc((rows + 1) * sizeof *offset), *column = malloc((rows + 1) * sizeof *column);
  double *value = malloc((rows + 1) * sizeof *value);
  OK(Grid_agree(offset && column && value ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the rows"));
  for (GrB_Index k = 0; k < rows; k++) offset[k] = k, column[k] = first + k, value[k] = 2;
  offset[rows] = rows;
  OK(Grid_Matrix_importLocal(&D, GrB_FP64, n, n, offset, column, value, rows + 1, rows, rows,
                             GrB_CSR_FORMAT));
  OK(GrB_Matrix_nvals(&entries, D));
  SAY("a diagonal of %d entries\n", (int)entries);
  free(offset);
  free(column);
  free(value);
  OK(GrB_free(&D));
}

/* example: Grid_Matrix_read, Grid_Matrix_write: a matrix to a file, and the file to an undirected graph */
static void matrix_files(void) {
  GrB_Matrix A = graph(), B;
  OK(Grid_Matrix_write(A, NULL, "reference_graph.mtx", NULL));
  OK(Grid_Matrix_read(&B, NULL, "reference_graph.mtx", &(Grid_Read_Options){.undirected = true}));
  show_matrix("in both directions", B);
  if (Grid_rank() == 0) remove("reference_graph.mtx");
  OK(GrB_free(&A));
  OK(GrB_free(&B));
}

/* example: Grid_read, Grid_write, Grid_rmat: a generated graph to a file, and its edges as arrays */
static void files(void) {
  Grid_Edges e;
  OK(Grid_rmat(&e, 6, 4, 1)); /* 2^6 vertices, 4 * 2^6 edges, seed 1 */
  OK(Grid_write(&e, "reference_edges.mtx", NULL));
  Grid_Edges_free(&e);
  OK(Grid_read(&e, "reference_edges.mtx"));
  SAY("%d vertices, %d tuples\n", (int)e.nrows, (int)e.total);
  if (Grid_rank() == 0) remove("reference_edges.mtx");
  Grid_Edges_free(&e);
}

/* example: Grid_device_set: compute on GPUs where there are any */
static void device(void) {
  GrB_Matrix A = graph();
  if (Grid_device_set(Grid_CUDA) != GrB_SUCCESS) OK(Grid_device_set(Grid_CPU));
  show_matrix("on either device", A); /* A moves to the device when it is used */
  OK(Grid_device_set(Grid_CPU));
  OK(GrB_free(&A));
}

/* example: Grid_bfs: levels and parents of a breadth-first search */
static void search(void) {
  GrB_Matrix A = graph();
  GrB_Vector level = NULL, parent = NULL;
  OK(Grid_bfs(&level, &parent, A, 0, -1));
  show_vector("levels", level);
  show_vector("parents", parent);
  OK(GrB_free(&A));
  OK(GrB_free(&level));
  OK(GrB_free(&parent));
}

/* example: Grid_pagerank: ranks that sum to 1 */
static void ranks(void) {
  GrB_Matrix A = graph();
  GrB_Vector rank = NULL;
  double sum = 0;
  OK(Grid_pagerank(&rank, NULL, NULL, A, NULL, 0.85, 1e-6, 100, 0));
  OK(GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_FP64, rank, NULL));
  SAY("the ranks sum to %.3f\n", sum);
  OK(GrB_free(&A));
  OK(GrB_free(&rank));
}

/* the program */
static void all_examples(void) {
  new_and_free();
  build();
  elements();
  tuples();
  copy();
  diagonal();
  vector_elements();
  vector_tuples();
  product_of_matrices();
  matrix_times_vector();
  vector_times_matrix();
  union_of_patterns();
  intersection_of_patterns();
  apply();
  select_entries();
  assign();
  extract();
  reduce();
  transpose();
  kronecker();
  csr();
  serialize();
  user_semiring();
  descriptor();
  scalar();
  wait_for_changes();
  errors();
  fields();
  distributed_build();
  local_entries();
  distributed_csr();
  matrix_files();
  files();
  device();
  search();
  ranks();
}

/* example: GrB_init, GrB_finalize: start and end of a program */
int main(void) {
  start_on_a_grid();
  OK(GrB_init(GrB_NONBLOCKING));
  all_examples();
  return GrB_finalize() == GrB_SUCCESS ? 0 : 1;
}
