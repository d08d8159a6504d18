/* Times GraphBLAS operations one by one, on one library; bench/ops.sh runs it for two and compares.
 *
 *   ops_gridblas [--scale N] [--shape rmat|hyper|longrow|empty|iso|mesh] [--rows PATTERN,...] [--repeat N]
 * [--seed N] [--measure time|memory]
 *
 * Prints a line of tab-separated fields for each row whose name matches a pattern (as file names do in a
 * shell). The fields are name, shape, scale, median and least milliseconds, repetitions, entries, bytes,
 * entries of the result, checksum of the result, its tolerance. Threads: OMP_NUM_THREADS. Under mpirun,
 * process 0 prints. With --measure memory each row runs twice, in a process of its own (memory.h). The fourth
 * and fifth field are the peak bytes of the first call without its inputs, and the bytes of the inputs. A
 * last field has the peak bytes of the second call without what was there before. Only standard calls: the
 * files of this folder are compiled once for each library. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ops/memory.h"
#include "bench/ops/ops.h"
#if __has_include(<gridblas.h>)
#include "bench/program/graph/grid_choice.h"
#endif

typedef struct {
  int scale, repeat;
  bool memory; /* not time */
  shape shape;
  uint64_t seed;
  const char *rows;
} options;

/* ---- options ----------------------------------------------------------------------------------------- */

static bool read_options(options *s, int argc, char **argv) {
  *s = (options){18, 5, false, SHAPE_RMAT, 1, "*"};
  for (int k = 1; k < argc; k += 2) {
    const char *const value = k + 1 < argc ? argv[k + 1] : "";
    if (strcmp(argv[k], "--scale") == 0)
      s->scale = (int)strtol(value, NULL, 10);
    else if (strcmp(argv[k], "--repeat") == 0)
      s->repeat = (int)strtol(value, NULL, 10);
    else if (strcmp(argv[k], "--seed") == 0)
      s->seed = strtoull(value, NULL, 10);
    else if (strcmp(argv[k], "--rows") == 0)
      s->rows = value;
    else if (strcmp(argv[k], "--measure") == 0)
      s->memory = strcmp(value, "memory") == 0;
    else if (strcmp(argv[k], "--shape") == 0)
      for (s->shape = 0; s->shape < SHAPE_COUNT && strcmp(shape_name[s->shape], value) != 0;) s->shape++;
    else
      return false;
  }
  return s->scale >= 8 && s->scale <= 28 && s->repeat >= 1 && s->repeat <= 1000 && s->shape < SHAPE_COUNT;
}

/* A vector with a fraction of all entries cannot have dimension 2^40, and some rows do not exist for the
 * peer. */
static bool possible(const row *r, const options *s) {
  const bool squared = r->count == COUNT_MXM && r->A <= A_PATTERN && r->B <= A_PATTERN && r->M == NO_MATRIX;
  if (squared && s->shape != SHAPE_HYPER && s->scale > 16) return false; /* too many products */
  /* for an iso vector SuiteSparse 7.4 passes wrong values to a user-defined function */
  if (s->shape == SHAPE_ISO && r->index == &bench_operators.shifted) return false;
  if (s->shape != SHAPE_HYPER) return true;
  const vector_input all[] = {r->u, r->v, r->mask};
  for (int k = 0; k < 3; k++)
    if (all[k] >= FULL && all[k] <= VISITED) return false;
  return !r->dense;
}

/* Does this process print? Launchers define it, the standard does not. */
static bool first_process(void) {
  const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (getenv(names[k]) != NULL) return strcmp(getenv(names[k]), "0") == 0;
  return true;
}

/* ---- checksums --------------------------------------------------------------------------------------- */

/* The sum of the values, each weighted by its position. */
typedef struct {
  uint64_t entries;
  double sum;
} checksum;

static void add_entry(checksum *c, uint64_t i, uint64_t j, double x) {
  c->entries++;
  c->sum += weighted(i, j, x);
}

static GrB_Info sum_vector(checksum *c, ops *o, GrB_Vector v) {
  GrB_Index n;
  TRY(GrB_Vector_nvals(&n, v));
  TRY(need_arrays(o, NULL, n));
  TRY(GrB_Vector_extractTuples_FP64(o->I, o->X, &n, v));
  for (uint64_t k = 0; k < n; k++) add_entry(c, o->I[k], 0, o->X[k]);
  return GrB_SUCCESS;
}

static GrB_Info sum_matrix(checksum *c, ops *o, GrB_Matrix A) {
  GrB_Index n;
  TRY(GrB_Matrix_nvals(&n, A));
  TRY(need_arrays(o, NULL, n));
  TRY(GrB_Matrix_extractTuples_FP64(o->I, o->J, o->X, &n, A));
  for (uint64_t k = 0; k < n; k++) add_entry(c, o->I[k], o->J[k], o->X[k]);
  return GrB_SUCCESS;
}

static GrB_Info sum_rows(checksum *c, ops *o, GrB_Matrix A) {
  GrB_Index n, nvals;
  GrB_Vector w;
  TRY(GrB_Matrix_nrows(&n, A));
  TRY(GrB_Matrix_nvals(&nvals, A));
  TRY(GrB_Vector_new(&w, GrB_FP64, n));
  TRY(GrB_Matrix_reduce_Monoid(w, NULL, NULL, GrB_PLUS_MONOID_FP64, A, NULL));
  TRY(sum_vector(c, o, w));
  c->entries = nvals;
  return GrB_Vector_free(&w);
}

static GrB_Info sum_result(checksum *c, ops *o, const row *r) {
  *c = (checksum){0, 0};
  switch (r->result_in) {
    case IN_W:
      return sum_vector(c, o, o->w);
    case IN_COPY:
      return sum_vector(c, o, o->copy);
    case IN_HALF:
      return sum_vector(c, o, o->half);
    case IN_C:
      return sum_matrix(c, o, o->C);
    case IN_C_SUMS:
      return sum_rows(c, o, o->C);
    case IN_NUMBER:
      c->sum = o->number;
      return GrB_SUCCESS;
    case IN_ARRAYS:
      for (uint64_t k = 0; k < o->count; k++) add_entry(c, o->I[k], o->J[k], o->X[k]);
      return GrB_SUCCESS;
    case IN_PATTERN_ARRAYS:
      for (uint64_t k = 0; k < o->count; k++) add_entry(c, o->I[k], o->J[k], o->B[k]);
      return GrB_SUCCESS;
    case IN_VECTOR_ARRAYS:
      for (uint64_t k = 0; k < o->count; k++) add_entry(c, o->I[k], 0, o->X[k]);
      return GrB_SUCCESS;
  }
  return GrB_INVALID_VALUE;
}

/* ---- entries and bytes of a row ------------------------------------------------------------------------ */

/* Products of the row, counted by the library: the same product over plus.oneb. */
static GrB_Info count_products(uint64_t *n, ops *o, const row *r) {
  GrB_Vector w;
  int64_t sum = 0;
  const GrB_Descriptor d = r->desc ? *r->desc : NULL;
  TRY(GrB_Vector_new(&w, GrB_INT64, o->g.n));
  if (strncmp(r->name, "vxm", 3) == 0)
    TRY(GrB_vxm(w, o->v[r->mask], NULL, bench_operators.plus_oneb_int64, o->v[r->u], o->A[r->A], d));
  else
    TRY(GrB_mxv(w, o->v[r->mask], NULL, bench_operators.plus_oneb_int64, o->A[r->A], o->v[r->u], d));
  TRY(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, w, NULL));
  *n = (uint64_t)sum;
  return GrB_Vector_free(&w);
}

/* Products of A and B: for each entry of A, the length of the row of B that it is multiplied by. */
static GrB_Info count_mxm(uint64_t *n, ops *o, const row *r) {
  GrB_Vector ones, length, w;
  GrB_Index rows, inner, cols;
  double sum = 0;
  GrB_Semiring count;
  TRY(GrB_Semiring_new(&count, GrB_PLUS_MONOID_FP64, GrB_ONEB_FP64));
  TRY(GrB_Matrix_nrows(&rows, o->A[r->A]));
  TRY(GrB_Matrix_nrows(&inner, o->A[r->B]));
  TRY(GrB_Matrix_ncols(&cols, o->A[r->B]));
  TRY(GrB_Vector_new(&ones, GrB_FP64, cols));
  TRY(GrB_Vector_new(&length, GrB_FP64, inner));
  TRY(GrB_Vector_new(&w, GrB_FP64, rows));
  TRY(GrB_Vector_assign_FP64(ones, NULL, NULL, 1, GrB_ALL, cols, NULL));
  TRY(GrB_mxv(length, NULL, NULL, count, o->A[r->B], ones, NULL));
  TRY(GrB_mxv(w, NULL, NULL, bench_operators.plus_second_fp64, o->A[r->A], length, NULL));
  TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL));
  *n = (uint64_t)sum;
  TRY(GrB_Semiring_free(&count));
  TRY(GrB_Vector_free(&ones));
  TRY(GrB_Vector_free(&length));
  return GrB_Vector_free(&w);
}

static GrB_Info count_entries(uint64_t *n, ops *o, const row *r, uint64_t result) {
  GrB_Index more = 0;
  *n = 0;
  switch (r->count) {
    case COUNT_PRODUCTS:
      return count_products(n, o, r);
    case COUNT_MXM:
      return count_mxm(n, o, r);
    case COUNT_MATRIX:
      *n = o->g.entries;
      return GrB_SUCCESS;
    case COUNT_LISTED:
      *n = o->g.listed;
      return GrB_SUCCESS;
    case COUNT_OUTPUT:
      *n = result;
      return GrB_SUCCESS;
    case COUNT_CALLS:
      *n = CALLS;
      return GrB_SUCCESS;
    case COUNT_SMALL_CALLS:
      *n = SMALL_CALLS;
      return GrB_SUCCESS;
    case COUNT_ROWCOL_CALLS:
      *n = ROWCOL_CALLS;
      return GrB_SUCCESS;
    case COUNT_VECTORS:
      if (r->u) TRY(GrB_Vector_nvals(n, o->v[r->u]));
      if (r->v) TRY(GrB_Vector_nvals(&more, o->v[r->v]));
      *n += more;
      return GrB_SUCCESS;
  }
  return GrB_INVALID_VALUE;
}

/* ---- timing ------------------------------------------------------------------------------------------ */

static int smaller_first(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static GrB_Info need_inputs(ops *o, const row *r) {
  TRY(need_matrix(o, r->A));
  TRY(need_matrix(o, r->B));
  TRY(need_matrix(o, r->M));
  TRY(need_vector(o, r->u));
  TRY(need_vector(o, r->v));
  TRY(need_vector(o, r->mask));
  if (r->dense) TRY(need_permutation(o));
  return GrB_Vector_new(&o->w, r->type ? *r->type : GrB_FP64, o->g.n);
}

static GrB_Info time_row(double *seconds, int times, ops *o, const row *r) {
  TRY(need_inputs(o, r));
  for (int t = -1; t < times; t++) { /* the first one does not count */
    TRY(GrB_Matrix_free(&o->C));
    if (r->before != NULL) TRY(r->before(o, r));
    const double start = now();
    TRY(r->run(o, r));
    if (t >= 0) seconds[t] = now() - start;
  }
  qsort(seconds, (size_t)times, sizeof *seconds, smaller_first);
  return GrB_SUCCESS;
}

/* The values printed as median and least time, and of memory that of a second call (no: below 0). */
typedef struct {
  double middle, least;
  int times;
  double second;
} figures;

static GrB_Info print_row(ops *o, const row *r, figures f) {
  checksum c = {0};
  uint64_t entries;
  TRY(sum_result(&c, o, r));
  TRY(count_entries(&entries, o, r, c.entries));
  if (!first_process()) return GrB_SUCCESS;
  const bool narrow = r->type == &GrB_FP32;
  const double width = r->result_in == IN_C || r->result_in == IN_C_SUMS || r->result_in >= IN_NUMBER ? 0
                       : narrow                                                                       ? 4
                       : r->type == &GrB_BOOL                                                         ? 1
                                                                                                      : 8;
  printf("%s\t%s\t%d\t%.6f\t%.6f\t%d\t%" PRIu64 "\t%.0f\t%" PRIu64 "\t%.17g\t%g", r->name,
         shape_name[o->g.shape], o->g.scale, f.middle, f.least, f.times, entries,
         (double)entries * r->bytes + (double)c.entries * width, c.entries, c.sum, narrow ? 1e-4 : 1e-9);
  if (f.second >= 0) printf("\t%.0f", f.second);
  printf("\n");
  fflush(stdout);
  return GrB_SUCCESS;
}

static GrB_Info measure_time(ops *o, const row *r, const options *s) {
  const int times = s->repeat * (r->often ? r->often : 1);
  double *seconds = malloc((size_t)times * sizeof *seconds);
  if (seconds == NULL) return GrB_OUT_OF_MEMORY;
  GrB_Info info = time_row(seconds, times, o, r);
  if (info == GrB_SUCCESS)
    info = print_row(o, r, (figures){1e3 * seconds[times / 2], 1e3 * seconds[0], times, -1});
  free(seconds);
  GrB_Vector_free(&o->w);
  GrB_Vector_free(&o->copy);
  GrB_Vector_free(&o->half);
  GrB_Matrix_free(&o->C);
  return info;
}

/* *most = the most memory that a call takes beside its inputs, which are *inputs. */
static GrB_Info measure_call(double *most, double *inputs, ops *o, const row *r) {
  TRY(GrB_Matrix_free(&o->C));
  if (r->before != NULL) TRY(r->before(o, r));
  if (!memory_reset()) return GrB_NOT_IMPLEMENTED;
  *inputs = memory_now();
  TRY(r->run(o, r));
  *most = memory_peak() - *inputs;
  return GrB_SUCCESS;
}

/* The row's first call, with all that it makes for later ones, and its second. */
static GrB_Info measure_memory(ops *o, const row *r) {
  double first, second, inputs, later;
  const double start = memory_now();
  TRY(need_inputs(o, r));
  TRY(measure_call(&first, &inputs, o, r));
  TRY(measure_call(&second, &later, o, r));
  return print_row(o, r, (figures){first, inputs - start, 1, second});
}

#if __has_include(<gridblas.h>)
static const char *reason(void) {
  return Grid_last_error();
}

/* Most rows read every entry. All processes have all tuples: each counts some of them. */
static GrB_Info choose_grid(const graph *g) {
  const bool symmetric = g->shape == SHAPE_RMAT || g->shape == SHAPE_ISO || g->shape == SHAPE_MESH;
  degree_sample s;
  bool again;
  if (!grid_shape_is_automatic()) return GrB_SUCCESS;
  const bool allocated = degree_sample_open(&s, g->n, symmetric);
  GrB_Info info = Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory to count degrees");
  for (uint64_t k = (uint64_t)Grid_rank(); info == GrB_SUCCESS && k < g->entries; k += (uint64_t)Grid_size())
    if (!symmetric || g->entry[k].row < g->entry[k].col)
      degree_sample_add(&s, g->entry[k].row, g->entry[k].col);
  if (info == GrB_SUCCESS) info = grid_restart_on_best_shape(&again, &s, WORK_PRODUCTS);
  degree_sample_close(&s);
  return info;
}
#else
static const char *reason(void) {
  return "";
}
static GrB_Info choose_grid(const graph *g) {
  (void)g;
  return GrB_SUCCESS;
}
#endif

static GrB_Info start(ops *o) {
  TRY(GrB_init(GrB_NONBLOCKING));
  TRY(choose_grid(&o->g));
  TRY(inputs_start(o));
  return operators_make();
}

/* In a process of its own, which starts the library and ends with the row. */
static GrB_Info measure_apart(ops *o, const row *r) {
  if (!memory_child()) return memory_child_succeeded() ? GrB_SUCCESS : GrB_PANIC;
  GrB_Info info = start(o);
  if (info == GrB_SUCCESS) info = measure_memory(o, r);
  if (info != GrB_SUCCESS) fprintf(stderr, "ops: %s: the library returned %d\n", r->name, (int)info);
  _Exit(info == GrB_SUCCESS ? 0 : 1);
}

static GrB_Info measure(ops *o, const options *s) {
  const row *const tables[] = {mxm_rows,       product_rows, vector_rows, matrix_rows, move_rows,
                               entrywise_rows, object_rows,  format_rows, small_rows,  algorithm_rows};
  if (!s->memory) TRY(start(o));
  /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of tables */
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
    for (const row *r = tables[t]; r->name != NULL; r++) {
      if (!is_wanted(r->name, s->rows) || !possible(r, s)) continue;
      const GrB_Info info = s->memory ? measure_apart(o, r) : measure_time(o, r, s);
      if (info == GrB_SUCCESS) continue;
      fprintf(stderr, "ops: %s: the library returned %d\n", r->name, (int)info);
      return info;
    }
  }
  return s->memory ? GrB_SUCCESS : operators_free();
}

int main(int argc, char **argv) {
  static ops o;
  options s;
  if (!read_options(&s, argc, argv)) {
    fprintf(stderr,
            "usage: %s [--scale 8..28] [--shape rmat|hyper|longrow|empty|iso|mesh] [--rows PATTERN,...] "
            "[--repeat 1..1000] [--seed N] [--measure time|memory]\n",
            argv[0]);
    return 2;
  }
  GrB_Info info = graph_make(&o.g, s.shape, s.scale, s.seed) ? measure(&o, &s) : GrB_OUT_OF_MEMORY;
  if (info != GrB_SUCCESS) fprintf(stderr, "ops: ended with %d: %s\n", (int)info, reason());
  if (s.memory) return info == GrB_SUCCESS ? 0 : 1;
  inputs_free(&o);
  GrB_finalize();
  return info == GrB_SUCCESS ? 0 : 1;
}
