/* Factors of a rating matrix by alternating least squares: R(u,v) is about the product of row u of P and row
 * v of Q. With Q fixed each row of P is a least-squares problem of its own, and with P fixed each row of Q:
 *
 *   (F' F + lambda r I) p = F' ratings
 *
 * where F are the rows of Q that the row's r ratings belong to (normal_equations.c).
 *
 * Each process has the rows of its ranges, of R and of R', as compressed rows. A factor is a vector whose
 * values are its rows, of k numbers. Before a half of an iteration each process gathers the rows of the other
 * factor that its ratings name, each once: Grid_Vector_gather along a list that is made once. The list is a
 * vector with room in each process's range for what that process needs.
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
  GrB_Index *start, *at; /* `at` are positions in this process's range of `needed` */
  double *value;
  GrB_Index *row;    /* the numbers of the rows: first, first + 1, ... */
  double *x;         /* count x k: their factors */
  GrB_Vector factor; /* of `numbers`: the factors of all rows */
  GrB_Vector needed; /* UINT64, full: rows of the other factor, `nrows` on this process and `all` in total */
  GrB_Index nrows, all;
  double *fixed; /* nrows x k: the factors of these rows */
} side;

typedef struct {
  ratings r;
  GrB_Type numbers; /* a row of a factor: k of FP64 */
  side rows, columns;
} squares;

/* Bits of the rows that this process needs, and the numbers of bits before each word. */
typedef struct {
  uint64_t *bits, *before, words, count;
} bit_set;

static GrB_Info agree_memory(bool allocated) {
  return Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the rows of ratings");
}

static void free_side(side *s) {
  free(s->start), free(s->at), free(s->value), free(s->row), free(s->x), free(s->fixed);
  GrB_Vector_free(&s->factor);
  GrB_Vector_free(&s->needed);
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

/* Several threads mark at a time. */
static void mark_one(const bit_set *b, GrB_Index v) {
  const uint64_t bit = UINT64_C(1) << v % 64;
  uint64_t word;
#pragma omp atomic read
  word = b->bits[v / 64];
  if (word & bit) return;
#pragma omp atomic
  b->bits[v / 64] |= bit;
}

/* Marks the columns of the ratings. */
static bool mark(bit_set *b, const side *s) {
  b->words = s->other / 64 + 1;
  b->bits = calloc(b->words, sizeof *b->bits);
  b->before = malloc(b->words * sizeof *b->before);
  if (b->bits == NULL || b->before == NULL) return false;
#pragma omp parallel for schedule(static) if (s->start[s->count] > 1 << 15)
  for (GrB_Index e = 0; e < s->start[s->count]; e++) mark_one(b, s->at[e]);
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

/* row[position] = the marked column there */
static void list_marked(GrB_Index *row, const bit_set *b) {
  for (uint64_t w = 0; w < b->words; w++)
    for (uint64_t bits = b->bits[w], i = b->before[w]; bits; bits &= bits - 1)
      row[i++] = 64 * w + (uint64_t)__builtin_ctzll(bits);
}

/* all, nrows: a length such that every process's range of it, which begins at *first, has room for its list.
 */
static GrB_Info choose_length(GrB_Index *first, side *s, uint64_t count) {
  GrB_Info info;
  uint64_t most = count, missing;
  TRY(Grid_max(&most, 1));
  s->all = (most + 63) / 64 * 64 * (GrB_Index)Grid_size();
  do { /* ranges are multiples of 64 unless the program has set a partition of this very length */
    TRY(Grid_local_range(s->all, first, &s->nrows));
    missing = s->nrows < count;
    TRY(Grid_max(&missing, 1));
    if (missing) s->all += 64 * (GrB_Index)Grid_size();
  } while (missing);
out:
  return info;
}

/* s->needed(first + i) = row[i] */
static GrB_Info build_needed(side *s, GrB_Index first, const GrB_Index *row) {
  GrB_Info info;
  GrB_Index *index = malloc((s->nrows + 1) * sizeof *index);
  TRY(agree_memory(index != NULL));
  for (GrB_Index i = 0; i < s->nrows; i++) index[i] = first + i;
  TRY(GrB_Vector_new(&s->needed, GrB_UINT64, s->all));
  TRY(Grid_Vector_build(s->needed, index, row, GrB_UINT64, s->nrows, NULL));
out:
  free(index);
  return info;
}

/* Numbers the rows of the other factor that are needed; what remains of a range names a row of this process.
 */
static GrB_Info list_needed(side *s) {
  GrB_Info info;
  bit_set b = {.count = 0};
  GrB_Index begin, first, count, *row = NULL;
  TRY(agree_memory(mark(&b, s)));
  TRY(choose_length(&begin, s, b.count));
  TRY(Grid_local_range(s->other, &first, &count));
  row = malloc((s->nrows + 1) * sizeof *row);
  TRY(agree_memory(row != NULL));
  for (GrB_Index i = 0; i < s->nrows; i++) row[i] = count > 0 ? first : 0;
  list_marked(row, &b);
#pragma omp parallel for schedule(static) if (s->start[s->count] > 1 << 15)
  for (GrB_Index e = 0; e < s->start[s->count]; e++) s->at[e] = position(&b, s->at[e]);
  TRY(build_needed(s, begin, row));
out:
  free(b.bits), free(b.before), free(row);
  return info;
}

/* s->factor becomes x. */
static GrB_Info distribute(side *s, GrB_Type numbers) {
  GrB_Info info;
  TRY(GrB_Vector_clear(s->factor));
  TRY(Grid_Vector_build(s->factor, s->row, s->x, numbers, s->count, NULL));
out:
  return info;
}

/* The factors of a side become those of F. */
static GrB_Info prepare_factors(side *s, GrB_Matrix F, GrB_Index k, GrB_Type numbers) {
  GrB_Info info;
  GrB_Index starts = s->count + 1, entries = s->count * k, values = entries;
  s->fixed = malloc((s->nrows * k + 1) * sizeof *s->fixed);
  s->row = malloc((s->count + 1) * sizeof *s->row);
  s->x = malloc((s->count * k + 1) * sizeof *s->x);
  TRY(agree_memory(s->fixed != NULL && s->row != NULL && s->x != NULL));
  for (GrB_Index u = 0; u < s->count; u++) s->row[u] = s->first + u;
  TRY(GrB_Vector_new(&s->factor, numbers, s->n));
  TRY(Grid_Matrix_exportLocal(NULL, NULL, s->x, &starts, &entries, &values, GrB_CSR_FORMAT, F));
  TRY(distribute(s, numbers));
out:
  return info;
}

/* fixed = the needed rows of the other side's factors */
static GrB_Info gather(side *s, const side *other, GrB_Type numbers) {
  GrB_Info info;
  GrB_Index nrows = s->nrows;
  GrB_Vector rows = NULL;
  TRY(GrB_Vector_new(&rows, numbers, s->all));
  TRY(Grid_Vector_gather(rows, NULL, NULL, other->factor, s->needed, NULL));
  TRY(Grid_agree(Grid_Vector_extractLocal(NULL, s->fixed, &nrows, rows), NULL));
out:
  GrB_Vector_free(&rows);
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

/* The factors of a side become the solutions of its equations. */
static GrB_Info solve(side *s, const squares *q) {
  GrB_Info info;
  const least_squares p = problem(s, &q->r);
  const bool finite = grid_solve_least_squares(s->x, &p);
  TRY(grid_refuse(finite ? GrB_SUCCESS : GrB_INVALID_VALUE, q->r.call, "the ratings are too large"));
  TRY(distribute(s, q->numbers));
out:
  return info;
}

/* *F = the factors of a side */
static GrB_Info make_matrix(GrB_Matrix *F, const side *s, GrB_Index k) {
  GrB_Info info;
  const GrB_Index values = s->count * k;
  GrB_Index *offset = malloc((s->count + 1) * sizeof *offset);
  GrB_Index *column = malloc((values + 1) * sizeof *column);
  TRY(agree_memory(offset != NULL && column != NULL));
  for (GrB_Index u = 0; u <= s->count; u++) offset[u] = u * k;
  for (GrB_Index i = 0; i < values; i++) column[i] = i % k;
  TRY(Grid_Matrix_importLocal(F, GrB_FP64, s->n, k, offset, column, s->x, s->count + 1, values, values,
                              GrB_CSR_FORMAT));
out:
  free(offset), free(column);
  return info;
}

/* The root of the mean of the squared errors, with what the rows' side has gathered. */
static GrB_Info measure(double *error, const side *s, const ratings *r) {
  GrB_Info info;
  double sum = 0;
  GrB_Vector v = NULL;
  const least_squares p = problem(s, r);
  double *square = malloc((s->count + 1) * sizeof *square);
  TRY(agree_memory(square != NULL));
  grid_sum_squared_errors(square, s->x, &p);
  TRY(GrB_Vector_new(&v, GrB_FP64, s->n));
  TRY(Grid_Vector_build(v, s->row, square, GrB_FP64, s->count, NULL));
  if (r->count > 0) TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, v, NULL));
  *error = r->count > 0 ? sqrt(sum / (double)r->count) : 0;
out:
  free(square);
  GrB_Vector_free(&v);
  return info;
}

/* *done iterations are those of a checkpoint, as their errors are. */
static GrB_Info begin(uint64_t *done, double *error, squares *s, uint64_t iterations, uint64_t seed) {
  GrB_Info info;
  ratings *r = &s->r;
  GrB_Matrix M = NULL, T = NULL, P = NULL, Q = NULL;
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
  TRY(Grid_agree(Grid_Type_new(&s->numbers, r->k * sizeof(double), NULL, NULL), NULL));
  TRY(grid_first_factors(&P, &Q, r, seed));
  TRY(grid_ratings_resume(done, error, r, P, Q, "als", iterations, seed, 0));
  TRY(prepare_factors(&s->rows, P, r->k, s->numbers));
  TRY(prepare_factors(&s->columns, Q, r->k, s->numbers));
out:
  GrB_Matrix_free(&M);
  GrB_Matrix_free(&T);
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

/* Writes a checkpoint where one is due. */
static GrB_Info record(squares *s, uint64_t done, double error) {
  GrB_Info info = GrB_SUCCESS;
  GrB_Matrix P = NULL, Q = NULL;
  if (grid_checkpoint_is_due(done)) {
    TRY(make_matrix(&P, &s->rows, s->r.k));
    TRY(make_matrix(&Q, &s->columns, s->r.k));
  }
  TRY(grid_ratings_record(&s->r, done, error, P, Q));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&Q);
  return info;
}

/* The iterations after `done`. */
static GrB_Info run(double *error, squares *s, uint64_t done, uint64_t iterations) {
  GrB_Info info = GrB_SUCCESS;
  const ratings *r = &s->r;
  double now = 0;
  for (uint64_t t = done; t <= iterations; t++) {
    Grid_progress_set(t, iterations);
    if (t == iterations && error == NULL) break;
    TRY(gather(&s->rows, &s->columns, s->numbers));
    if (error != NULL || r->errors != NULL) TRY(measure(&now, &s->rows, r));
    if (error != NULL) error[t] = now;
    if (t == iterations) break;
    TRY(solve(&s->rows, s));
    TRY(gather(&s->columns, &s->rows, s->numbers));
    TRY(solve(&s->columns, s));
    TRY(record(s, t + 1, now));
  }
out:
  return info;
}

GrB_Info Grid_als(GrB_Matrix *P, GrB_Matrix *Q, double *error, GrB_Matrix R, GrB_Index k, double lambda,
                  uint64_t iterations, uint64_t seed) {
  SPAN;
  squares s = {.r = {.call = "Grid_als", .R = R, .k = k, .lambda = lambda}};
  GrB_Matrix made[2] = {NULL};
  uint64_t done = 0;
  GrB_Info info;

  TRY(grid_ratings_check(&s.r, P, Q));
  if (k > MOST_UNKNOWNS)
    return grid_refuse(GrB_INVALID_VALUE, s.r.call, "k is %" PRIu64 ", above %d", (uint64_t)k, MOST_UNKNOWNS);
  if (isinf(lambda)) return grid_refuse(GrB_INVALID_VALUE, s.r.call, "lambda is infinite");
  TRY(begin(&done, error, &s, iterations, seed));
  TRY(run(error, &s, done, iterations));
  TRY(make_matrix(&made[0], &s.rows, k));
  TRY(make_matrix(&made[1], &s.columns, k));
  *P = made[0], made[0] = NULL;
  *Q = made[1], made[1] = NULL;
out:
  free_side(&s.rows), free_side(&s.columns);
  grid_ratings_free(&s.r);
  GrB_Type_free(&s.numbers);
  GrB_Matrix_free(&made[0]);
  GrB_Matrix_free(&made[1]);
  return info;
}
