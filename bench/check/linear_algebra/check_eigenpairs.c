/* Residuals of eigenpairs of S by their definition: S = A, and S = A' A for singular values. */
#include "bench/check/linear_algebra/check_eigenpairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  const check_pairs *is;
  check_rows rows;
  double *x, *y, *t; /* of columns, columns, and rows */
  double norm;       /* no less than that of S */
} pairs;

static double weight_at(const pairs *p, uint64_t e) {
  return p->rows.weight == NULL ? 1 : p->rows.weight[e];
}

/* t = A x */
static void multiply(const pairs *p) {
  for (uint64_t v = 0; v < p->rows.n; v++) {
    p->t[v] = 0;
    for (uint64_t e = p->rows.start[v]; e < p->rows.start[v + 1]; e++)
      p->t[v] += weight_at(p, e) * p->x[p->rows.to[e]];
  }
}

/* y = A' t */
static void multiply_transposed(const pairs *p) {
  for (uint64_t i = 0; i < p->is->columns; i++) p->y[i] = 0;
  for (uint64_t v = 0; v < p->rows.n; v++)
    for (uint64_t e = p->rows.start[v]; e < p->rows.start[v + 1]; e++)
      p->y[p->rows.to[e]] += weight_at(p, e) * p->t[v];
}

/* y = S x */
static void apply(const pairs *p) {
  multiply(p);
  if (p->is->left != NULL) multiply_transposed(p);
  for (uint64_t i = 0; p->is->left == NULL && i < p->is->columns; i++) p->y[i] = p->t[i];
}

static double largest(const double *v, uint64_t n) {
  double most = 0;
  for (uint64_t i = 0; i < n; i++) most = fmax(most, v[i]);
  return most;
}

/* By the largest sums of absolute values of a row and of a column. */
static void find_norm(pairs *p) {
  for (uint64_t i = 0; i < p->is->columns; i++) p->y[i] = 0;
  for (uint64_t v = 0; v < p->rows.n; v++) {
    p->t[v] = 0;
    for (uint64_t e = p->rows.start[v]; e < p->rows.start[v + 1]; e++)
      p->t[v] += fabs(weight_at(p, e)), p->y[p->rows.to[e]] += fabs(weight_at(p, e));
  }
  const double most = largest(p->t, p->rows.n);
  p->norm = p->is->left == NULL ? most : most * largest(p->y, p->is->columns);
}

static double value_of(const check_pairs *is, uint64_t c) {
  return is->left == NULL ? is->value[c] : is->value[c] * is->value[c];
}

static const char *check_orthonormal(const check_pairs *is, char *text, size_t capacity) {
  for (uint64_t c = 0; c < is->k; c++)
    for (uint64_t d = 0; d <= c; d++) {
      double dot = 0;
      for (uint64_t i = 0; i < is->columns; i++)
        dot += is->vectors[i * is->k + c] * is->vectors[i * is->k + d];
      if (fabs(dot - (c == d ? 1 : 0)) <= 1e-8) continue;
      snprintf(text, capacity, "vectors %" PRIu64 " and %" PRIu64 " have the product %g", c, d, dot);
      return text;
    }
  return NULL;
}

/* left(c) times the value is A times the vector in x. */
static bool left_is_right(const pairs *p, uint64_t c) {
  const check_pairs *is = p->is;
  double rest = 0;
  multiply(p);
  for (uint64_t v = 0; is->left != NULL && v < p->rows.n; v++) {
    const double u = is->left[v * is->k + c], by = p->t[v] - (isnan(u) ? 0 : is->value[c] * u);
    rest += by * by;
  }
  return sqrt(rest) <= 1e-7 * sqrt(p->norm);
}

static const char *check_pair(const pairs *p, uint64_t c, char *text, size_t capacity) {
  const check_pairs *is = p->is;
  double rest = 0;
  for (uint64_t i = 0; i < is->columns; i++) p->x[i] = is->vectors[i * is->k + c];
  apply(p);
  for (uint64_t i = 0; i < is->columns; i++) {
    const double by = p->y[i] - value_of(is, c) * p->x[i];
    rest += by * by;
  }
  if (!(sqrt(rest) <= (is->residual + 1e-9) * p->norm))
    snprintf(text, capacity, "value %" PRIu64 ", %.12g, has the residual %g", c, is->value[c], sqrt(rest));
  else if (c > 0 && is->value[c] > is->value[c - 1] + 1e-12 * p->norm)
    snprintf(text, capacity, "value %" PRIu64 " is larger than the one before", c);
  else if (!left_is_right(p, c))
    snprintf(text, capacity, "the left vector of value %" PRIu64 " is not that of the right one", c);
  else
    return NULL;
  return text;
}

/* x without its parts along the vectors, of norm 1; false: nothing is left. */
static bool project(const pairs *p) {
  const check_pairs *is = p->is;
  double squares = 0;
  for (int turn = 0; turn < 2; turn++)
    for (uint64_t c = 0; c < is->k; c++) {
      double dot = 0;
      for (uint64_t i = 0; i < is->columns; i++) dot += p->x[i] * is->vectors[i * is->k + c];
      for (uint64_t i = 0; i < is->columns; i++) p->x[i] -= dot * is->vectors[i * is->k + c];
    }
  for (uint64_t i = 0; i < is->columns; i++) squares += p->x[i] * p->x[i];
  for (uint64_t i = 0; i < is->columns; i++) p->x[i] /= sqrt(squares);
  return squares > 0;
}

enum { POWERS = 100 };

/* Any Rayleigh quotient in the complement of the vectors is at most its largest eigenvalue. */
static const char *check_none_missing(const pairs *p, char *text, size_t capacity) {
  const check_pairs *is = p->is;
  const double bound = value_of(is, is->all ? is->k - 1 : 0), shift = is->left == NULL ? p->norm : 0;
  double quotient = 0;
  if (is->k == is->columns) return NULL;
  for (uint64_t i = 0; i < is->columns; i++) p->x[i] = sin((double)(i + 1) * (double)(i + 1));
  for (int turn = 0; turn < POWERS && project(p); turn++) {
    apply(p);
    quotient = 0;
    for (uint64_t i = 0; i < is->columns; i++) {
      quotient += p->x[i] * p->y[i];
      p->x[i] = p->y[i] + shift * p->x[i];
    }
    if (quotient <= bound + (is->residual + 1e-6) * p->norm) continue;
    snprintf(text, capacity, "a value of %.12g or more is missing",
             is->left == NULL ? quotient : sqrt(quotient));
    return text;
  }
  return NULL;
}

const char *check_eigenpairs(const check_graph *g, const check_pairs *is, char *text, size_t capacity) {
  pairs p = {.is = is};
  const char *why = check_no_memory;
  if (!check_rows_make(&p.rows, g, false)) return why;
  p.x = malloc((is->columns + 1) * sizeof *p.x), p.y = malloc((is->columns + 1) * sizeof *p.y);
  p.t = malloc((g->n + 1) * sizeof *p.t);
  if (p.x != NULL && p.y != NULL && p.t != NULL) {
    find_norm(&p);
    why = check_orthonormal(is, text, capacity);
    for (uint64_t c = 0; why == NULL && c < is->k; c++) why = check_pair(&p, c, text, capacity);
    if (why == NULL) why = check_none_missing(&p, text, capacity);
  }
  free(p.x), free(p.y), free(p.t);
  check_rows_free(&p.rows);
  return why;
}
