/* A result as text, with the file's vertex names. Each process formats its lines segment by segment, so no
 * process holds more than a segment; process 0 writes them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program/program.h"

enum { SEGMENT = 1 << 20, MOST = MOST_FACTORS, VALUE = 32, LINE_MAX_LENGTH = (MOST + 2) * VALUE };

static const char no_memory[] = "no memory for the answer";

/* One field of every line of this process: numbers of one of three types, 8 bytes each. */
typedef enum { SIGNED, UNSIGNED, REAL } form;
typedef struct {
  form form;
  void *value;
} output_column;
typedef struct {
  output_column output_column[MOST + 1];
  int ncolumns;
  uint64_t count;
  const char *head; /* prefix of each line; NULL: none */
  char *end;        /* what follows line k, where lines are longer than these; NULL: a new line */
} lines;

static void lines_free(lines *l) {
  for (int k = 0; k < l->ncolumns; k++) free(l->output_column[k].value);
  free(l->end);
}

static form form_of(int32_t code) {
  if (code == GrB_FP32_CODE || code == GrB_FP64_CODE) return REAL;
  return code == GrB_INT8_CODE || code == GrB_INT16_CODE || code == GrB_INT32_CODE || code == GrB_INT64_CODE
             ? SIGNED
             : UNSIGNED;
}

/* The values of v as 8-byte numbers; *at, if requested, their indices. */
static GrB_Info extract_values(output_column *p, uint64_t **at, uint64_t *count, GrB_Vector v, uint64_t n) {
  GrB_Vector converted = NULL;
  int32_t code = 0;
  GrB_Info info = Grid_agree(GrB_Vector_get_INT32(v, &code, GrB_EL_TYPE_CODE), NULL);
  p->form = form_of(code);
  const GrB_Type type = p->form == REAL ? GrB_FP64 : p->form == SIGNED ? GrB_INT64 : GrB_UINT64;
  const GrB_UnaryOp same = p->form == REAL     ? GrB_IDENTITY_FP64
                           : p->form == SIGNED ? GrB_IDENTITY_INT64
                                               : GrB_IDENTITY_UINT64;
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&converted, type, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_apply(converted, NULL, NULL, same, v, NULL);
  if (info == GrB_SUCCESS) info = local_entries(at, &p->value, sizeof(uint64_t), count, converted, no_memory);
  GrB_Vector_free(&converted);
  return info;
}

static int extract_columns(lines *l, const column *c, int count, const graph *g) {
  uint64_t *vertex = NULL, others = 0;
  bool alike = true;
  GrB_Info info = GrB_SUCCESS;
  *l = (lines){.ncolumns = count + 1};
  for (int k = 0; info == GrB_SUCCESS && k < count; k++) {
    info = extract_values(&l->output_column[k + 1], k == 0 ? &vertex : NULL, k == 0 ? &l->count : &others,
                          c[k].v, g->n);
    alike = alike && (k == 0 || others == l->count);
  }
  l->output_column[0] = (output_column){UNSIGNED, vertex};
  if (info == GrB_SUCCESS)
    info = Grid_agree(alike ? GrB_SUCCESS : GrB_PANIC, "parts of the answer differ in number");
  if (info != GrB_SUCCESS) return fail_library("writing the answer");
  int status = graph_names(vertex, vertex, l->count, g);
  for (int k = 0; status == STATUS_OK && k < count; k++) {
    output_column *p = &l->output_column[k + 1];
    if (!c[k].vertices) continue;
    p->form = UNSIGNED; /* names have all 64 bits */
    status = graph_names(p->value, p->value, l->count, g);
  }
  return status;
}

static int extract_entries(lines *l, GrB_Matrix A, const uint64_t *source, const graph *g) {
  GrB_Matrix converted = NULL;
  GrB_Index m = 0, n = 0, count = 0;
  GrB_Info info = GrB_Matrix_ncols(&n, A);
  *l = (lines){.ncolumns = 3};
  l->output_column[2].form = REAL;
  if (info == GrB_SUCCESS) info = GrB_Matrix_nrows(&m, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&converted, GrB_FP64, m, n);
  if (info == GrB_SUCCESS) info = GrB_Matrix_apply(converted, NULL, NULL, GrB_IDENTITY_FP64, A, NULL);
  if (info == GrB_SUCCESS) info = GrB_Matrix_wait(converted, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(NULL, NULL, NULL, &count, converted);
  for (int k = 0; info == GrB_SUCCESS && k < 3; k++) {
    l->output_column[k].value = malloc((count + 1) * sizeof(uint64_t));
    if (k < 2) l->output_column[k].form = UNSIGNED;
    if (l->output_column[k].value == NULL) info = GrB_OUT_OF_MEMORY;
  }
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_extractLocal(l->output_column[0].value, l->output_column[1].value,
                                    l->output_column[2].value, &count, converted);
  l->count = count;
  info = Grid_agree(info, info == GrB_OUT_OF_MEMORY ? no_memory : NULL);
  GrB_Matrix_free(&converted);
  if (info != GrB_SUCCESS) return fail_library("writing the answer");
  if (source != NULL) { /* the source first, then the vertex */
    const output_column vertex = l->output_column[0];
    l->output_column[0] = l->output_column[1];
    l->output_column[1] = vertex;
  }
  uint64_t *from = l->output_column[0].value;
  for (uint64_t k = 0; source != NULL && k < l->count; k++) from[k] = source[from[k]];
  int status = graph_names(from, from, l->count, g);
  if (status == STATUS_OK)
    status = graph_names(l->output_column[1].value, l->output_column[1].value, l->count, g);
  return status;
}

static GrB_Info fail_no_memory(const void *a, const void *b) {
  return a == NULL || b == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
}

/* The rows of this process's local range, with 0 where there is no entry. */
static int extract_rows(lines *l, GrB_Matrix F, const graph *g) {
  GrB_Index m = 0, k = 0, first = 0, pointers, indices = 0, values;
  GrB_Info info = GrB_Matrix_nrows(&m, F);
  if (info == GrB_SUCCESS) info = GrB_Matrix_ncols(&k, F);
  if (info == GrB_SUCCESS) info = Grid_local_range(m, &first, &l->count);
  pointers = l->count + 1, values = l->count * k;
  GrB_Index *start = malloc(pointers * sizeof *start), *col = malloc((values + 1) * sizeof *col);
  double *all = malloc((values + 1) * sizeof *all);
  if (info == GrB_SUCCESS) info = fail_no_memory(start, all);
  if (info == GrB_SUCCESS) info = fail_no_memory(col, col);
  for (l->ncolumns = 0; info == GrB_SUCCESS && l->ncolumns <= (int)k; l->ncolumns++) {
    l->output_column[l->ncolumns] =
        (output_column){l->ncolumns == 0 ? UNSIGNED : REAL, calloc(l->count + 1, sizeof(double))};
    info = fail_no_memory(l, l->output_column[l->ncolumns].value);
  }
  indices = values;
  info = Grid_agree(info, no_memory);
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_exportLocal(start, col, all, &pointers, &indices, &values, GrB_CSR_FORMAT, F);
  for (GrB_Index r = 0; info == GrB_SUCCESS && r < l->count; r++) {
    ((uint64_t *)l->output_column[0].value)[r] = first + r;
    for (GrB_Index e = start[r]; e < start[r + 1]; e++)
      ((double *)l->output_column[col[e] + 1].value)[r] = all[e];
  }
  free(start), free(col), free(all);
  if (info != GrB_SUCCESS) return fail_library("writing the answer");
  return graph_names(l->output_column[0].value, l->output_column[0].value, l->count, g);
}

/* The entries of this process's rows, one a line, the last one of a row with a new line after it. */
static int extract_lists(lines *l, GrB_Matrix A, const graph *g) {
  GrB_Index m = 0, first, rows = 0, pointers, values = 0, indices;
  GrB_Info info = GrB_Matrix_nrows(&m, A);
  *l = (lines){.ncolumns = 1};
  if (info == GrB_SUCCESS) info = Grid_local_range(m, &first, &rows);
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_exportLocal(NULL, NULL, NULL, &pointers, &indices, &values, GrB_CSR_FORMAT, A);
  GrB_Index *start = malloc((rows + 1) * sizeof *start);
  int64_t *vertex = malloc((values + 1) * sizeof *vertex);
  l->end = malloc(values + 1);
  l->output_column[0] = (output_column){UNSIGNED, vertex};
  if (info == GrB_SUCCESS) info = fail_no_memory(start, vertex);
  if (info == GrB_SUCCESS) info = fail_no_memory(l->end, l->end);
  info = Grid_agree(info, no_memory);
  if (info == GrB_SUCCESS)
    info = Grid_Matrix_exportLocal(start, NULL, vertex, &pointers, &indices, &values, GrB_CSR_FORMAT, A);
  l->count = values;
  if (info == GrB_SUCCESS) memset(l->end, ' ', values);
  for (GrB_Index r = 0; info == GrB_SUCCESS && r < rows; r++)
    if (start[r + 1] > start[r]) l->end[start[r + 1] - 1] = '\n';
  free(start);
  return info == GrB_SUCCESS ? graph_names(l->output_column[0].value, l->output_column[0].value, values, g)
                             : fail_library("writing the answer");
}

static int format_value(char *text, const output_column *p, uint64_t k) {
  if (p->form == REAL) return snprintf(text, VALUE, "%.15g", ((const double *)p->value)[k]);
  if (p->form == SIGNED) return snprintf(text, VALUE, "%" PRId64, ((const int64_t *)p->value)[k]);
  return snprintf(text, VALUE, "%" PRIu64, ((const uint64_t *)p->value)[k]);
}

/* The next lines, as many as fit a segment; *done counts them. Returns the bytes. */
static uint64_t format_segment(char *segment, const lines *l, uint64_t *done) {
  uint64_t used = 0;
  for (; *done < l->count && used + LINE_MAX_LENGTH <= SEGMENT; ++*done) {
    if (l->head != NULL) used += (uint64_t)snprintf(segment + used, VALUE, "%s ", l->head);
    for (int k = 0; k < l->ncolumns; k++) {
      used += (uint64_t)format_value(segment + used, &l->output_column[k], *done);
      segment[used++] = k + 1 < l->ncolumns ? ' ' : l->end == NULL ? '\n' : l->end[*done];
    }
  }
  return used;
}

static int write_lines(output *o, const lines *l) {
  char *segment = malloc(SEGMENT);
  const char *why = NULL;
  GrB_Info info =
      Grid_agree(segment == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory to write the answer");

  for (int root = 0; info == GrB_SUCCESS && root < Grid_size(); root++) {
    uint64_t done = 0, bytes = 1;
    while (info == GrB_SUCCESS && bytes > 0) {
      bytes = root == Grid_rank() ? format_segment(segment, l, &done) : 0;
      info = Grid_bcast(&bytes, sizeof bytes, root);
      if (info == GrB_SUCCESS && bytes > 0) info = Grid_bcast(segment, bytes, root);
      if (info == GrB_SUCCESS && o->f != NULL && why == NULL && fwrite(segment, 1, bytes, o->f) != bytes)
        why = output_error(o);
    }
  }
  free(segment);
  return info == GrB_SUCCESS ? fail_on_any(STATUS_INPUT, why) : fail_library("writing the answer");
}

int answer_write(output *out, const column *columns, int count, const graph *g) {
  lines l;
  progress("writing the answer");
  int status = extract_columns(&l, columns, count, g);
  if (status == STATUS_OK) status = write_lines(out, &l);
  lines_free(&l);
  return status;
}

int answer_write_matrix(output *out, GrB_Matrix A, const uint64_t *source, const graph *g) {
  lines l;
  progress("writing the answer");
  int status = extract_entries(&l, A, source, g);
  if (status == STATUS_OK) status = write_lines(out, &l);
  lines_free(&l);
  return status;
}

int answer_write_rows(output *out, const char *head, GrB_Matrix F, const graph *g) {
  lines l = {.head = head};
  progress("writing the answer");
  int status = extract_rows(&l, F, g);
  if (status == STATUS_OK) status = write_lines(out, &l);
  lines_free(&l);
  return status;
}

int answer_write_lists(output *out, GrB_Matrix A, const graph *g) {
  lines l;
  progress("writing the answer");
  int status = extract_lists(&l, A, g);
  if (status == STATUS_OK) status = write_lines(out, &l);
  lines_free(&l);
  return status;
}
