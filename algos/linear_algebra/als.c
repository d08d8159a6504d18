/* Factors of a rating matrix by alternating least squares: R(u,v) is about the product of row u of P and row
 * v of Q. With Q fixed each row of P is a least-squares problem of its own, and with P fixed each row of Q:
 *
 *   (F' F + lambda r I) p = F' ratings
 *
 * where F are the rows of Q that the row's r ratings belong to (normal_equations.c).
 *
 * Each process has the rows of its ranges, of R and of R', as compressed rows. Before a half of an iteration
 * it extracts the rows of the other factor that its ratings name, each once: GrB_extract with a list of row
 * numbers of which each process passes a share. The shares have the sizes of the ranges of a matrix with as
 * many rows as the list, so that what a process asked for is in its own range.
 *
 * Sources: Zhou, Wilkinson, Schreiber, Pan, Large-scale parallel collaborative filtering for the Netflix
 * prize (2008); Koren, Bell, Volinsky (2009). */
#include <math.h>
#include <stdlib.h>

#include "algos/linear_algebra/normal_equations.h"
#include "algos/linear_algebra/ratings.h"

/* The rows of R, or of R', on this process, and their factors. */
typedef struct {
  GrB_Index n, other; /* the sizes of the matrix */
  GrB_Index first, count;
  GrB_Index *start, *at; /* `at` are positions in `needed` */
  double *value;
  GrB_Index *needed, room, all; /* this process's share of a list of `all` rows of the other factor */
  double *fixed;                /* room x k: these rows */
  double *x;                    /* count x k: the factors of this side */
  GrB_Index *offsets, *columns; /* of x as compressed rows */
} side;

typedef struct {
  ratings r;
  side rows, columns;
  GrB_Matrix P, Q;
} squares;

/* Bits of the rows that this process needs, and the numbers of bits before each word. */
typedef struct {
  uint64_t *bits, *before, words, count;
} bit_set;

static GrB_Info agree_memory(bool allocated) {
  return Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the rows of ratings");
}

static void free_side(side *s) {
  free(s->start), free(s->at), free(s->value), free(s->needed), free(s->fixed), free(s->x);
  free(s->offsets), free(s->columns);
}

/* The local rows of M, of FP64. */
static GrB_Info read_rows(side *s, GrB_Matrix M) {
  GrB_Info info;
  GrB_Index starts, entries, values;
  TRY(GrB_Matrix_nrows(&s->n, M));
  TRY(GrB_Matrix_ncols(&s->other, M));
  TRY(Grid_local_range(s->n, &s->first, &s->count));
  TRY(Grid_Matrix_exportLocal(NULL, NULL, NULL, &starts, &entries, &values, GrB_CSR_FORMAT, M));
  s->start = malloc((starts + 1) * sizeof *s->start);
  s->at = malloc((entries + 1) * sizeof *s->at);
  s->value = malloc((values + 1) * sizeof *s->value);
  TRY(agree_memory(s->start != NULL && s->at != NULL && s->value != NULL));
  TRY(Grid_Matrix_exportLocal(s->start, s->at, s->value, &starts, &entries, &values, GrB_CSR_FORMAT, M));
out:
  return info;
}

/* Marks the columns of the ratings. */
static bool mark(bit_set *b, const side *s) {
  b->words = s->other / 64 + 1;
  b->bits = calloc(b->words, sizeof *b->bits);
  b->before = malloc(b->words * sizeof *b->before);
  if (b->bits == NULL || b->before == NULL) return false;
  for (GrB_Index e = 0; e < s->start[s->count]; e++) b->bits[s->at[e] / 64] |= UINT64_C(1) << s->at[e] % 64;
  for (uint64_t w = 0; w < b->words; w++) {
    b->before[w] = b->count;
    b->count += (uint64_t)__builtin_popcountll(b->bits[w]);
  }
  return true;
}

/* The number of marked columns before v. */
static uint64_t position(const bit_set *b, GrB_Index v) {
  const uint64_t below = b->bits[v / 64] & ((UINT64_C(1) << v % 64) - 1);
  return b->before[v / 64] + (uint64_t)__builtin_popcountll(below);
}

/* all, room: a length such that every process's range of it has room for its list. */
static GrB_Info find_room(side *s, uint64_t count) {
  GrB_Info info;
  GrB_Index first;
  uint64_t most = count, missing;
  TRY(Grid_max(&most, 1));
  s->all = (most + 63) / 64 * 64 * (GrB_Index)Grid_size();
  do { /* ranges are multiples of 64 unless the program has set a partition of this very length */
    TRY(Grid_local_range(s->all, &first, &s->room));
    missing = s->room < count;
    TRY(Grid_max(&missing, 1));
    if (missing) s->all += 64 * (GrB_Index)Grid_size();
  } while (missing);
out:
  return info;
}

/* Numbers the rows of the other factor that are needed; what remains of a share names a row of this process.
 */
static GrB_Info list_needed(side *s) {
  GrB_Info info;
  bit_set b = {.count = 0};
  GrB_Index first, count;
  TRY(agree_memory(mark(&b, s)));
  TRY(find_room(s, b.count));
  TRY(Grid_local_range(s->other, &first, &count));
  s->needed = malloc((s->room + 1) * sizeof *s->needed);
  TRY(agree_memory(s->needed != NULL));
  for (GrB_Index i = 0; i < s->room; i++) s->needed[i] = count > 0 ? first : 0;
  for (GrB_Index e = 0; e < s->start[s->count]; e++) {
    const GrB_Index v = s->at[e];
    s->at[e] = position(&b, v);
    s->needed[s->at[e]] = v;
  }
out:
  free(b.bits), free(b.before);
  return info;
}

/* x as compressed rows: all k columns in each. */
static GrB_Info prepare_factors(side *s, GrB_Index k) {
  s->fixed = malloc((s->room * k + 1) * sizeof *s->fixed);
  s->x = calloc(s->count * k + 1, sizeof *s->x);
  s->offsets = malloc((s->count + 1) * sizeof *s->offsets);
  s->columns = malloc((s->count * k + 1) * sizeof *s->columns);
  const bool allocated = s->fixed != NULL && s->x != NULL && s->offsets != NULL && s->columns != NULL;
  for (GrB_Index u = 0; allocated && u <= s->count; u++) s->offsets[u] = u * k;
  for (GrB_Index i = 0; allocated && i < s->count * k; i++) s->columns[i] = i % k;
  return agree_memory(allocated);
}

/* value = the local rows of the full matrix F of k columns */
static GrB_Info read_factors(double *value, GrB_Matrix F, GrB_Index rows, GrB_Index k) {
  GrB_Index starts = rows + 1, entries = rows * k, values = entries;
  return Grid_Matrix_exportLocal(NULL, NULL, value, &starts, &entries, &values, GrB_CSR_FORMAT, F);
}

/* fixed = the needed rows of the other factor F */
static GrB_Info gather(side *s, GrB_Matrix F, GrB_Index k) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix rows = NULL;
  if (s->all == 0) return info; /* there are no ratings */
  TRY(GrB_Matrix_new(&rows, GrB_FP64, s->all, k));
  TRY(Grid_Matrix_extract(rows, NULL, NULL, F, s->needed, s->room, GrB_ALL, k, NULL));
  TRY(read_factors(s->fixed, rows, s->room, k));
out:
  GrB_Matrix_free(&rows);
  return info;
}

static least_squares problem(const side *s, const ratings *r) {
  return (least_squares){.start = s->start,
                         .at = s->at,
                         .value = s->value,
                         .count = s->count,
                         .k = r->k,
                         .fixed = s->fixed,
                         .lambda = r->lambda};
}

/* *F = the solutions of one side. */
static GrB_Info solve(GrB_Matrix *F, side *s, const ratings *r) {
  GrB_Info info;
  const least_squares p = problem(s, r);
  const GrB_Index values = s->count * r->k;
  const bool finite = grid_solve_least_squares(s->x, &p);
  TRY(grid_refuse(finite ? GrB_SUCCESS : GrB_INVALID_VALUE, r->call, "the ratings are too large"));
  GrB_Matrix_free(F);
  TRY(Grid_Matrix_importLocal(F, GrB_FP64, s->n, r->k, s->offsets, s->columns, s->x, s->count + 1, values,
                              values, GrB_CSR_FORMAT));
out:
  return info;
}

/* The root of the mean of the squared errors, with what the rows' side has gathered. */
static GrB_Info measure(double *error, const side *s, const ratings *r) {
  GrB_Info info;
  double sum = 0;
  GrB_Vector v = NULL;
  const least_squares p = problem(s, r);
  GrB_Index *row = malloc((s->count + 1) * sizeof *row);
  double *square = malloc((s->count + 1) * sizeof *square);
  TRY(agree_memory(row != NULL && square != NULL));
  for (GrB_Index u = 0; u < s->count; u++) row[u] = s->first + u;
  grid_sum_squared_errors(square, s->x, &p);
  TRY(GrB_Vector_new(&v, GrB_FP64, s->n));
  TRY(Grid_Vector_build(v, row, square, GrB_FP64, s->count, NULL));
  if (r->count > 0) TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, v, NULL));
  *error = r->count > 0 ? sqrt(sum / (double)r->count) : 0;
out:
  free(row), free(square);
  GrB_Vector_free(&v);
  return info;
}

static GrB_Info begin(squares *s, uint64_t seed) {
  GrB_Info info;
  ratings *r = &s->r;
  GrB_Matrix M = NULL, T = NULL;
  TRY(grid_ratings_measure(&M, r));
  TRY(GrB_Matrix_apply(M, NULL, NULL, GrB_IDENTITY_FP64, r->R, NULL));
  TRY(GrB_Matrix_new(&T, GrB_FP64, r->n, r->m));
  TRY(GrB_transpose(T, NULL, NULL, M, NULL));
  TRY(read_rows(&s->rows, M));
  TRY(read_rows(&s->columns, T));
  GrB_Matrix_free(&M);
  GrB_Matrix_free(&T);
  TRY(list_needed(&s->rows));
  TRY(list_needed(&s->columns));
  TRY(prepare_factors(&s->rows, r->k));
  TRY(prepare_factors(&s->columns, r->k));
  TRY(grid_first_factors(&s->P, &s->Q, r, seed));
  TRY(read_factors(s->rows.x, s->P, s->rows.count, r->k));
out:
  GrB_Matrix_free(&M);
  GrB_Matrix_free(&T);
  return info;
}

static GrB_Info run(double *error, squares *s, uint64_t iterations) {
  GrB_Info info = GrB_SUCCESS;
  const ratings *r = &s->r;
  for (uint64_t t = 0; t <= iterations; t++) {
    Grid_progress_set(t, iterations);
    if (t == iterations && error == NULL) break;
    TRY(gather(&s->rows, s->Q, r->k));
    if (error != NULL) TRY(measure(&error[t], &s->rows, r));
    if (t == iterations) break;
    TRY(solve(&s->P, &s->rows, r));
    TRY(gather(&s->columns, s->P, r->k));
    TRY(solve(&s->Q, &s->columns, r));
  }
out:
  return info;
}

GrB_Info Grid_als(GrB_Matrix *P, GrB_Matrix *Q, double *error, GrB_Matrix R, GrB_Index k, double lambda,
                  uint64_t iterations, uint64_t seed) {
  SPAN;
  squares s = {.r = {.call = "Grid_als", .R = R, .k = k, .lambda = lambda}};
  GrB_Info info;

  TRY(grid_ratings_check(&s.r, P, Q));
  if (k > MOST_UNKNOWNS) return grid_refuse(GrB_INVALID_VALUE, s.r.call, "k is above 64");
  if (isinf(lambda)) return grid_refuse(GrB_INVALID_VALUE, s.r.call, "lambda is infinite");
  TRY(begin(&s, seed));
  TRY(run(error, &s, iterations));
  *P = s.P, s.P = NULL;
  *Q = s.Q, s.Q = NULL;
out:
  free_side(&s.rows), free_side(&s.columns);
  GrB_Matrix_free(&s.P);
  GrB_Matrix_free(&s.Q);
  return info;
}
