/* See modularity_serial.h. */
#include "algos/communities/modularity_serial.h"

#include <stdlib.h>
#include <string.h>

#include "algos/rows/local_rows.h"
#include "algos/support/magnitude.h"

typedef struct {
  local_rows rows;
  double weight; /* of all entries, if they have the same */
  int64_t *values;
  uint32_t *label;
  double *out, *in, *internal; /* of communities */
} pass;

static GrB_Info has_integers(bool *integers, GrB_Vector v) {
  enum { TYPES = 8 };
  const GrB_Type types[TYPES] = {GrB_INT8,  GrB_INT16,  GrB_INT32,  GrB_INT64,
                                 GrB_UINT8, GrB_UINT16, GrB_UINT32, GrB_UINT64};
  GrB_Type type = NULL;
  const GrB_Info info = GxB_Vector_type(&type, v);
  *integers = false;
  for (size_t k = 0; k < TYPES; k++) *integers |= type == types[k];
  return info;
}

/* label = the communities. False: one is not a vertex. */
static bool list_labels(pass *s) {
  for (GrB_Index v = 0; v < s->rows.count; v++) {
    if ((uint64_t)s->values[v] >= s->rows.count) return false;
    s->label[v] = (uint32_t)s->values[v];
  }
  return true;
}

/* The weights of row v's entries, and of those inside its community: all alike, or each with its own. */
static double sum_alike(double *internal, const pass *s, GrB_Index v) {
  const local_rows r = s->rows;
  const GrB_Index from = row_start(&r, v), end = row_start(&r, v + 1);
  const uint32_t community = s->label[v];
  GrB_Index inside = 0;
  for (GrB_Index e = from; e < end; e++) inside += s->label[entry_column(&r, e)] == community;
  *internal += (double)inside * s->weight;
  return (double)(end - from) * s->weight;
}
static double sum_weighted(double *internal, const pass *s, GrB_Index v) {
  const local_rows r = s->rows;
  const double *weight = r.view.values;
  const GrB_Index end = row_start(&r, v + 1);
  const uint32_t community = s->label[v];
  double sum = 0, inside = 0;
  for (GrB_Index e = row_start(&r, v); e < end; e++) {
    sum += weight[e];
    inside += s->label[entry_column(&r, e)] == community ? weight[e] : 0;
  }
  *internal += inside;
  return sum;
}

/* in = the sums of columns. */
static void sum_columns(pass *s) {
  const local_rows r = s->rows;
  const GrB_Index entries = row_start(&r, r.count);
  const double *weight = r.view.values;
  for (GrB_Index e = 0; e < entries; e++)
    s->in[s->label[entry_column(&r, e)]] += r.view.iso ? s->weight : weight[e];
}

static void sum_all(grid_modularity_sums *sums, pass *s, bool is_symmetric) {
  const GrB_Index n = s->rows.count;
  *sums = (grid_modularity_sums){.total = 0};
  for (GrB_Index v = 0; v < n; v++) {
    double *internal = &s->internal[s->label[v]];
    s->out[s->label[v]] += s->rows.view.iso ? sum_alike(internal, s, v) : sum_weighted(internal, s, v);
  }
  if (!is_symmetric) sum_columns(s);
  for (GrB_Index c = 0; c < n; c++) sums->total += s->out[c], sums->internal += s->internal[c];
  sums->unit = grid_unit_of(sums->total);
  for (GrB_Index c = 0; c < n; c++)
    sums->product += sums->unit * s->out[c] * (sums->unit * (is_symmetric ? s->out[c] : s->in[c]));
}

/* values = whether each community has vertices. */
static void mark_communities(pass *s) {
  memset(s->values, 0, s->rows.count * sizeof *s->values);
  for (GrB_Index v = 0; v < s->rows.count; v++) s->values[s->label[v]] = true;
}

/* *w becomes the sums of those communities. */
static GrB_Info make_vector(GrB_Vector *w, const pass *s, const double *sums) {
  GrB_Info info;
  TRY(GrB_Vector_new(w, GrB_FP64, s->rows.count));
  for (GrB_Index c = 0; c < s->rows.count; c++)
    if (s->values[c]) TRY(GrB_Vector_setElement_FP64(*w, sums[c], c));
out:
  return info;
}

/* rows = those of A, with weights in FP64. */
static GrB_Info view_weights(pass *s, GrB_Matrix A, int32_t type, GrB_Index n) {
  GrB_Info info;
  GrB_Matrix W = NULL;
  TRY(local_rows_view(&s->rows, A));
  if (type == GrB_BOOL_CODE && s->rows.view.iso) {
    s->weight = s->rows.view.values != NULL && *(const bool *)s->rows.view.values;
    goto out;
  }
  if (type != GrB_FP64_CODE) {
    local_rows_free(&s->rows);
    TRY(GrB_Matrix_new(&W, GrB_FP64, n, n));
    TRY(GrB_Matrix_apply(W, NULL, NULL, GrB_IDENTITY_FP64, A, NULL));
    TRY(local_rows_view(&s->rows, W));
  }
  if (s->rows.view.iso && s->rows.view.values != NULL) s->weight = *(const double *)s->rows.view.values;
out:
  GrB_Matrix_free(&W);
  return info;
}

GrB_Info grid_modularity_serial(grid_modularity_sums *sums, GrB_Vector *out, GrB_Vector *internal,
                                bool *found, GrB_Matrix A, GrB_Vector community, GrB_Index n,
                                bool is_symmetric) {
  GrB_Info info;
  pass s = {.weight = 0};
  int32_t type;
  TRY(GrB_Matrix_get_INT32(A, &type, GrB_EL_TYPE_CODE));
  TRY(has_integers(found, community));
  *found = *found && type != GrB_UDT_CODE;
  if (!*found) goto out;
  TRY(view_weights(&s, A, type, n));
  s.values = malloc((n + 1) * sizeof *s.values);
  s.label = malloc((n + 1) * sizeof *s.label);
  s.out = calloc(n + 1, sizeof *s.out), s.in = calloc(n + 1, sizeof *s.in);
  s.internal = calloc(n + 1, sizeof *s.internal);
  TRY(Grid_agree(s.values && s.label && s.out && s.in && s.internal ? GrB_SUCCESS : GrB_OUT_OF_MEMORY,
                 "no memory for sums of communities"));
  TRY(GrB_Vector_extractTuples_INT64(NULL, s.values, &n, community));
  *found = list_labels(&s);
  if (!*found) goto out;
  sum_all(sums, &s, is_symmetric);
  mark_communities(&s);
  if (out != NULL) TRY(make_vector(out, &s, s.out));
  if (internal != NULL) TRY(make_vector(internal, &s, s.internal));
out:
  local_rows_free(&s.rows);
  free(s.values), free(s.label), free(s.out), free(s.in), free(s.internal);
  return info;
}
