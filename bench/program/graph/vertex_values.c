/* See vertex_values.h. */
#include "bench/program/graph/vertex_values.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = " \t,";
static const char no_memory[] = "no memory for the values of the vertices";

/* ---- the lines, on process 0 ---- */

/* A line: the vertex's name, then its index, and its value, its label or a second vertex. */
typedef struct {
  uint64_t vertex, label;
  double value;
} vertex_line;

typedef struct {
  vertex_line *line;
  uint64_t n, capacity;
  bool labels;        /* whole numbers, else values */
  const char *wanted; /* in a line */
} vertex_lines;

/* A whole number up to 2^64 - 1; *text: the rest. */
static bool whole_number(uint64_t *x, const char **text) {
  char *end;
  if (!isdigit((unsigned char)**text)) return false;
  errno = 0;
  *x = strtoull(*text, &end, 10);
  *text = end;
  return errno == 0;
}

static bool real_number(double *x, const char **text) {
  char *end;
  *x = strtod(*text, &end);
  const bool found = end != *text;
  *text = end;
  return found && !isnan(*x);
}

static bool parse_line(vertex_line *l, const char *text, bool label) {
  if (!whole_number(&l->vertex, &text)) return false;
  const size_t gap = strspn(text, separators);
  text += gap;
  if (gap == 0 || !(label ? whole_number(&l->label, &text) : real_number(&l->value, &text))) return false;
  return text[strspn(text, " \t\r\n")] == '\0';
}

static bool append_line(vertex_lines *s, vertex_line line) {
  if (s->n == s->capacity) {
    const uint64_t capacity = 2 * s->capacity + 1024;
    vertex_line *more = realloc(s->line, capacity * sizeof *more);
    if (more == NULL) return false;
    s->line = more, s->capacity = capacity;
  }
  s->line[s->n++] = line;
  return true;
}

/* NULL, or the error, in `why`. */
static const char *parse_file(vertex_lines *s, FILE *f, const char *path, char *why, size_t capacity) {
  char *text = NULL;
  const char *error = NULL;
  size_t text_size = 0;
  for (uint64_t number = 1; error == NULL && getline(&text, &text_size, f) >= 0; number++) {
    const char *begin = text + strspn(text, " \t\r\n");
    vertex_line line = {0};
    if (*begin == '\0' || *begin == '#' || *begin == '%') continue;
    if (!parse_line(&line, begin, s->labels)) {
      snprintf(why, capacity, "%s:%" PRIu64 ": expected %s, found '%.*s'", path, number, s->wanted,
               (int)strcspn(begin, "\r\n"), begin);
      error = why;
    } else if (!append_line(s, line)) {
      error = no_memory;
    }
  }
  if (error == NULL && ferror(f)) error = strerror(errno);
  free(text);
  return error;
}

static int read_lines(vertex_lines *s, const char *path) {
  char why[300];
  const char *error = NULL;
  FILE *f = NULL;
  if (Grid_rank() == 0) {
    f = fopen(path, "r");
    snprintf(why, sizeof why, "%s: %s", path, strerror(errno));
    error = f == NULL ? why : parse_file(s, f, path, why, sizeof why);
  }
  if (f != NULL) fclose(f);
  return fail_on_any(STATUS_INPUT, error);
}

/* ---- names to indices ---- */

typedef struct {
  uint64_t name, vertex;
} named_vertex;

static int by_name(const void *a, const void *b) {
  const named_vertex *x = a, *y = b;
  return (x->name > y->name) - (x->name < y->name);
}

/* This process's names, ascending; NULL: no memory. */
static named_vertex *sort_names(const Grid_Edges *e) {
  named_vertex *sorted = malloc((e->ids_count + 1) * sizeof *sorted);
  for (uint64_t k = 0; sorted != NULL && k < e->ids_count; k++)
    sorted[k] = (named_vertex){e->ids[k], e->ids_first + k};
  if (sorted != NULL) qsort(sorted, e->ids_count, sizeof *sorted, by_name);
  return sorted;
}

enum { BATCH = 1 << 16 };

/* index[k] becomes 1 + the vertex named index[k] on process 0, 0 where there is none. */
static GrB_Info find_names(uint64_t *index, uint64_t count, const named_vertex *sorted, uint64_t nsorted) {
  GrB_Info info = Grid_bcast(index, count * sizeof *index, 0);
  for (uint64_t k = 0; k < count; k++) {
    const named_vertex wanted = {index[k], 0},
                       *found = bsearch(&wanted, sorted, nsorted, sizeof *sorted, by_name);
    index[k] = found == NULL ? 0 : found->vertex + 1;
  }
  return info == GrB_SUCCESS ? Grid_max(index, count) : info;
}

/* The names in the lines of process 0 become indices; *missing: one more than the first line whose name is
 * no vertex, 0: there is none. */
static GrB_Info find_listed_names(uint64_t *missing, vertex_lines *s, uint64_t total, const Grid_Edges *e) {
  uint64_t *index = malloc(BATCH * sizeof *index);
  named_vertex *sorted = sort_names(e);
  GrB_Info info = Grid_agree(index == NULL || sorted == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, no_memory);
  for (uint64_t first = 0; info == GrB_SUCCESS && first < total && *missing == 0; first += BATCH) {
    const uint64_t count = total - first < BATCH ? total - first : BATCH;
    for (uint64_t k = 0; k < count; k++) index[k] = s->n > 0 ? s->line[first + k].vertex : 0;
    info = find_names(index, count, sorted, e->ids_count);
    for (uint64_t k = 0; info == GrB_SUCCESS && k < count && *missing == 0; k++)
      if (index[k] == 0)
        *missing = first + k + 1;
      else if (s->n > 0)
        s->line[first + k].vertex = index[k] - 1;
  }
  free(index), free(sorted);
  return info;
}

/* The same where a name is an index, from `base` on. Local. */
static void subtract_base(uint64_t *missing, vertex_lines *s, uint64_t base, uint64_t n) {
  for (uint64_t k = 0; k < s->n && *missing == 0; k++) {
    const uint64_t vertex = s->line[k].vertex - base;
    if (vertex >= n)
      *missing = k + 1;
    else
      s->line[k].vertex = vertex;
  }
}

static int find_vertices(vertex_lines *s, const char *path, const graph *g) {
  char why[300];
  uint64_t total = s->n, missing = 0;
  GrB_Info info = Grid_sum(&total, 1);
  if (g->edges.ids == NULL)
    subtract_base(&missing, s, g->edges.base, g->n);
  else if (info == GrB_SUCCESS)
    info = find_listed_names(&missing, s, total, &g->edges);
  if (info != GrB_SUCCESS) return fail_library(path);
  const bool fails = missing > 0 && s->n > 0;
  if (fails)
    snprintf(why, sizeof why, "%s: there is no vertex %" PRIu64 " in the graph", path,
             s->line[missing - 1].vertex);
  return fail_on_any(STATUS_INPUT, fails ? why : NULL);
}

/* ---- vectors ---- */

/* *v becomes a new vector of the lines' values, or of their labels as INT64. */
static GrB_Info build_vector(GrB_Vector *v, const vertex_lines *s, uint64_t n) {
  const GrB_Type type = s->labels ? GrB_INT64 : GrB_FP64;
  GrB_Index *at = malloc((s->n + 1) * sizeof *at);
  double *value = malloc((s->n + 1) * sizeof *value);
  int64_t *label = (int64_t *)(void *)value;
  GrB_Info info = Grid_agree(at == NULL || value == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, no_memory);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < s->n; k++) {
    at[k] = s->line[k].vertex;
    if (s->labels)
      label[k] = (int64_t)s->line[k].label;
    else
      value[k] = s->line[k].value;
  }
  if (info == GrB_SUCCESS) info = GrB_Vector_new(v, type, n);
  if (info == GrB_SUCCESS)
    info = Grid_Vector_build(*v, at, value, type, s->n, s->labels ? GrB_MAX_INT64 : GrB_MAX_FP64);
  free(at), free(value);
  return info;
}

/* The file's lines as a vector; all: every vertex must have one. */
static int make_vector(GrB_Vector *v, const vertex_lines *s, const char *path, bool all, uint64_t n) {
  uint64_t total = s->n, entries = 0;
  GrB_Info info = build_vector(v, s, n);
  if (info == GrB_SUCCESS) info = Grid_sum(&total, 1);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&entries, *v);
  if (info != GrB_SUCCESS) return fail_library(path);
  if (entries != total) return fail(STATUS_INPUT, "%s: a vertex has more than one line", path);
  if (all && entries != n)
    return fail(STATUS_INPUT, "%s: %" PRIu64 " of %" PRIu64 " vertices have no line", path, n - entries, n);
  return STATUS_OK;
}

int vertex_values_read(GrB_Vector *v, const char *path, const graph *g) {
  vertex_lines s = {.wanted = "a vertex and a number"};
  int status = read_lines(&s, path);
  if (status == STATUS_OK) status = find_vertices(&s, path, g);
  if (status == STATUS_OK) status = make_vector(v, &s, path, false, g->n);
  free(s.line);
  return status;
}

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The different labels, in order; in the lines their numbers replace them. On process 0. */
static int number_labels(vertex_groups *s, vertex_lines *lines) {
  if (Grid_rank() == 0) s->label = malloc((lines->n + 1) * sizeof *s->label);
  const int status = fail_on_any(STATUS_INPUT, Grid_rank() == 0 && s->label == NULL ? no_memory : NULL);
  if (status != STATUS_OK) return status;
  for (uint64_t k = 0; k < lines->n; k++) s->label[k] = lines->line[k].label;
  if (lines->n > 0) qsort(s->label, lines->n, sizeof *s->label, ascending);
  for (uint64_t k = 0; k < lines->n; k++)
    if (k == 0 || s->label[k] != s->label[s->count - 1]) s->label[s->count++] = s->label[k];
  for (uint64_t k = 0; k < lines->n; k++) {
    const uint64_t *at = bsearch(&lines->line[k].label, s->label, s->count, sizeof *s->label, ascending);
    lines->line[k].label = (uint64_t)(at - s->label);
  }
  return Grid_bcast(&s->count, sizeof s->count, 0) == GrB_SUCCESS ? STATUS_OK
                                                                  : fail_library("numbering the labels");
}

int vertex_groups_read(vertex_groups *s, const char *path, const graph *g) {
  vertex_lines lines = {.labels = true, .wanted = "a vertex and a label, both whole numbers"};
  int status = read_lines(&lines, path);
  if (status == STATUS_OK) status = find_vertices(&lines, path, g);
  if (status == STATUS_OK) status = number_labels(s, &lines);
  if (status == STATUS_OK) status = make_vector(&s->group, &lines, path, true, g->n);
  free(lines.line);
  return status;
}

void vertex_groups_free(vertex_groups *s) {
  free(s->label);
  GrB_Vector_free(&s->group);
  *s = (vertex_groups){.count = 0};
}

/* ---- pairs ---- */

/* Each line's second vertex becomes its first one, and the other way round. */
static void swap_ends(vertex_lines *s) {
  for (uint64_t k = 0; k < s->n; k++) {
    const uint64_t first = s->line[k].vertex;
    s->line[k].vertex = s->line[k].label, s->line[k].label = first;
  }
}

static GrB_Info build_pairs(vertex_pairs *s, const vertex_lines *lines, uint64_t n) {
  s->from = malloc((lines->n + 1) * sizeof *s->from), s->to = malloc((lines->n + 1) * sizeof *s->to);
  GrB_Info info = Grid_agree(s->from && s->to ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the pairs");
  for (uint64_t k = 0; info == GrB_SUCCESS && k < lines->n; k++, s->n++)
    s->from[k] = lines->line[k].vertex, s->to[k] = lines->line[k].label;
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&s->matrix, GrB_BOOL, n, n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_build(s->matrix, s->from, s->to, NULL, NULL, s->n, NULL, 0);
  return info;
}

int vertex_pairs_read(vertex_pairs *s, const char *path, const graph *g) {
  vertex_lines lines = {.labels = true, .wanted = "two vertices"};
  int status = read_lines(&lines, path);
  if (status == STATUS_OK) status = find_vertices(&lines, path, g);
  swap_ends(&lines);
  if (status == STATUS_OK) status = find_vertices(&lines, path, g);
  swap_ends(&lines);
  if (status == STATUS_OK && build_pairs(s, &lines, g->n) != GrB_SUCCESS) status = fail_library(path);
  free(lines.line);
  return status;
}

void vertex_pairs_free(vertex_pairs *s) {
  free(s->from), free(s->to);
  GrB_Matrix_free(&s->matrix);
  *s = (vertex_pairs){.n = 0};
}
