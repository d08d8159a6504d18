/* Writes edges as text. Every process formats its share in segments, by several threads; in a compressed
 * file each segment is a member (gzip) or frame (zstd) of its own. Then offsets in the file are computed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/io/formats/formats.h"
#include "dist/io/formats/edge_matrix.h"
#include "dist/io/text/read_text.h"
#include "semiring/support/mem.h"
#include "semiring/threads/context_section.h"

enum { SEGMENT = 1 << 15 /* edges, or rows */, LINE_MAX_LENGTH = 128 /* bound of an edge's line */ };

/* ---- growing text buffers ---- */

typedef struct {
  char *at;
  size_t n, capacity;
  bool failed;
} text;

static void begin(text *t) {
  *t = (text){.at = grid_malloc(4 * LINE_MAX_LENGTH, 1), .capacity = 4 * LINE_MAX_LENGTH};
  t->failed = !t->at;
}

/* Ensures space for LINE_MAX_LENGTH more bytes; returns its start. */
static char *reserve_text(text *t) {
  if (t->capacity - t->n < LINE_MAX_LENGTH) {
    const size_t capacity = 2 * t->capacity + 4096;
    char *at = grid_realloc(t->at, capacity, 1);
    if (!at) {
      t->failed = true;
      t->n = 0; /* keeps the buffer: its text is discarded anyway */
      return t->at;
    }
    t->at = at;
    t->capacity = capacity;
  }
  return t->at + t->n;
}

static char *format_number(char *p, uint64_t v) {
  char digits[20];
  int n = 0;
  do digits[n++] = (char)('0' + v % 10);
  while ((v /= 10) > 0);
  while (n > 0) *p++ = digits[--n];
  return p;
}

/* The shortest of 15, 16 and 17 digits that reproduces the value. */
static char *format_value(char *p, double v) {
  if (fabs(v) < 1e15 && v == (double)(int64_t)v && !(v == 0 && signbit(v))) {
    if (v < 0) *p++ = '-';
    return format_number(p, (uint64_t)fabs(v));
  }
  int n = 0;
  for (int digits = 15; digits <= 17; digits++) {
    n = snprintf(p, 40, "%.*g", digits, v);
    if (digits == 17 || strtod(p, NULL) == v) break;
  }
  for (int k = 0; k < n; k++)
    if (p[k] == ',') p[k] = '.'; /* decimal point of some locales */
  return p + n;
}

/* ---- segments ---- */

/* Formats item k's lines into t. */
typedef struct writer {
  const Grid_Edges *e;
  const uint64_t *names; /* names of all vertices; NULL: their numbers */
  const grid_edge_rows *r;
  void (*format)(const struct writer *w, text *t, uint64_t k);
} writer;

static void write_segment(const writer *w, text *t, uint64_t first, uint64_t last, grid_packing packing) {
  for (uint64_t k = first; k < last && !t->failed; k++) w->format(w, t, k);
  if (t->failed || !t->n) return;
  if (packing) {
    size_t n = t->n;
    char *packed = grid_pack(packing, t->at, &n);
    t->failed = !packed;
    grid_free(t->at);
    *t = (text){packed, n, n, t->failed};
  } else {
    char *less = grid_realloc(t->at, t->n, 1);
    if (less) t->at = less, t->capacity = t->n;
  }
}

enum { CHUNK = 1 << 16 /* bytes */ };

/* Process 0 writes the segments of process `root`. */
static GrB_Info stream_share(grid_output *o, const text *t, uint64_t segments, char *chunk, int root) {
  GrB_Info info = GrB_SUCCESS, written = GrB_SUCCESS;
  uint64_t p = 0, done = 0, n = 1;
  while (info == GrB_SUCCESS && n > 0) {
    while (root == grid_ctx.k && p < segments && done == t[p].n) p++, done = 0;
    n = root != grid_ctx.k || p == segments ? 0 : t[p].n - done < CHUNK ? t[p].n - done : CHUNK;
    info = grid_ctx.transport->bcast(GRID_SET_ALL, &n, sizeof n, root);
    if (info != GrB_SUCCESS || n == 0) break;
    if (root == grid_ctx.k) memcpy(chunk, t[p].at + done, n), done += n;
    info = grid_ctx.transport->bcast(GRID_SET_ALL, chunk, n, root);
    if (grid_ctx.k == 0 && written == GrB_SUCCESS) written = grid_output_write(o, chunk, n, 0);
  }
  return info == GrB_SUCCESS ? grid_agree(NULL, written) : info;
}

/* Writes process by process, in file order. */
static GrB_Info write_stream(grid_output *o, const text *t, uint64_t segments) {
  char *chunk = grid_malloc(CHUNK, 1);
  GrB_Info info =
      grid_agree(NULL, chunk ? GrB_SUCCESS : grid_fail_memory(NULL, "a piece of a text", CHUNK, 1));
  for (int root = 0; info == GrB_SUCCESS && root < grid_ctx.P; root++)
    info = stream_share(o, t, segments, chunk, root);
  grid_free(chunk);
  return info;
}

static GrB_Info write_file(grid_output *o, const text *t, uint64_t segments) {
  uint64_t local_bytes = 0, before = 0, all;
  for (uint64_t p = 0; p < segments; p++) local_bytes += t[p].n;
  GrB_Info info = grid_output_before(local_bytes, &before, &all);
  for (uint64_t p = 0; info == GrB_SUCCESS && p < segments; p++) {
    info = grid_output_write(o, t[p].at, t[p].n, before);
    before += t[p].n;
  }
  return info;
}

/* The header is process 0's first segment. */
static GrB_Info write_segments(const writer *w, grid_output *o, grid_packing packing, const char *head,
                               uint64_t items) {
  const uint64_t segments = items / SEGMENT + (items % SEGMENT > 0) + 1;
  bool failed = false;
  text *t = grid_calloc(segments, sizeof *t);
  GrB_Info info = t ? GrB_SUCCESS : grid_fail_memory(NULL, "the pieces of a text", segments, sizeof *t);
  for (uint64_t p = 0; p < (t ? segments : 0); p++) begin(&t[p]);
  if (info == GrB_SUCCESS && grid_ctx.k == 0 && !t[0].failed) {
    t[0].n = strlen(head); /* less than LINE_MAX_LENGTH */
    memcpy(t[0].at, head, t[0].n);
    write_segment(w, &t[0], 0, 0, packing);
  }
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_ctx.threads) reduction(|| : failed)
  for (uint64_t p = 1; p < (t ? segments : 0); p++) {
    GRID_WORKER_SCOPE(context);
    write_segment(w, &t[p], (p - 1) * SEGMENT, p * SEGMENT < items ? p * SEGMENT : items, packing);
    failed = failed || t[p].failed;
  }
  if (info == GrB_SUCCESS && (failed || t[0].failed))
    info = grid_fail_memory(NULL, "a file's text", items, LINE_MAX_LENGTH);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) info = o->stream ? write_stream(o, t, segments) : write_file(o, t, segments);
  for (uint64_t p = 0; p < (t ? segments : 0); p++) grid_free(t[p].at);
  grid_free(t);
  return info;
}

/* ---- edge lists ---- */

static void format_edge(const writer *w, text *t, uint64_t k) {
  const Grid_Edges *e = w->e;
  char *start = reserve_text(t), *p = start;
  p = format_number(p, w->names ? w->names[e->rows[k]] : e->rows[k] + e->base);
  *p++ = ' ';
  p = format_number(p, w->names ? w->names[e->cols[k]] : e->cols[k] + e->base);
  if (e->values) {
    *p++ = ' ';
    p = format_value(p, e->values[k]);
  }
  *p++ = '\n';
  t->n += (size_t)(p - start);
}

GrB_Info grid_write_edge_list(const Grid_Edges *e, grid_output *o, grid_packing packing,
                              const grid_format_row *row) {
  (void)row;
  uint64_t *names = NULL, named = e->ids != NULL;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, &named, 1, GRID_MAX);
  if (info != GrB_SUCCESS) return info;
  if (e->skew)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: an edge list cannot say that a matrix is skew-symmetric",
                     o->path);
  char head[LINE_MAX_LENGTH] = "";
  uint64_t before, total = 0;
  if (named)
    info = grid_gather_elements(e->ids, e->ids_count, 8, (void **)&names);
  else
    info = grid_output_before(e->n, &before, &total);
  if (info != GrB_SUCCESS) return info;
  /* vertices without edges count, too */
  if (!named && e->nrows == e->ncols && e->nrows && e->nrows <= UINT32_MAX)
    snprintf(head, sizeof head, GRID_EDGES_LINE, (unsigned long long)e->nrows, (unsigned long long)total,
             (unsigned long long)e->base);
  info = write_segments(&(writer){.e = e, .names = names, .format = format_edge}, o, packing, head, e->n);
  grid_free(names);
  return info;
}

/* ---- Matrix Market ---- */

static void format_entry(const writer *w, text *t, uint64_t k) {
  const Grid_Edges *e = w->e;
  const bool transposed =
      (e->symmetric || e->skew) && e->rows[k] < e->cols[k]; /* only the lower triangle is written */
  char *start = reserve_text(t), *p = start;
  p = format_number(p, (transposed ? e->cols : e->rows)[k] + 1);
  *p++ = ' ';
  p = format_number(p, (transposed ? e->rows : e->cols)[k] + 1);
  if (e->values) {
    *p++ = ' ';
    p = format_value(p, transposed && e->skew ? -e->values[k] : e->values[k]);
  }
  *p++ = '\n';
  t->n += (size_t)(p - start);
}

GrB_Info grid_write_matrix_market(const Grid_Edges *e, grid_output *o, grid_packing packing,
                                  const grid_format_row *row) {
  (void)row;
  char head[LINE_MAX_LENGTH];
  uint64_t before, total;
  GrB_Info info = grid_output_before(e->n, &before, &total);
  if (info != GrB_SUCCESS) return info;
  snprintf(head, sizeof head, "%%%%MatrixMarket matrix coordinate %s %s\n%llu %llu %llu\n",
           e->values || !e->pattern ? "real" : "pattern",
           e->symmetric ? "symmetric"
           : e->skew    ? "skew-symmetric"
                        : "general",
           (unsigned long long)e->nrows, (unsigned long long)e->ncols, (unsigned long long)total);
  return write_segments(&(writer){.e = e, .format = format_entry}, o, packing, head, e->n);
}

/* ---- DIMACS ---- */

/* An arc, and the reverse arc of a symmetric matrix; patterns weigh 1. Undirected patterns have "e" lines
 * without weights. */
static void format_arcs(const writer *w, text *t, uint64_t k) {
  const Grid_Edges *e = w->e;
  const bool edge = e->pattern && e->symmetric, both = !edge && e->symmetric && e->rows[k] != e->cols[k];
  for (int mirrored = 0; mirrored < (both ? 2 : 1); mirrored++) {
    char *start = reserve_text(t), *p = start;
    *p++ = edge ? 'e' : 'a';
    *p++ = ' ';
    p = format_number(p, (mirrored ? e->cols : e->rows)[k] + 1);
    *p++ = ' ';
    p = format_number(p, (mirrored ? e->rows : e->cols)[k] + 1);
    if (!edge) {
      *p++ = ' ';
      p = format_value(p, e->values ? e->values[k] : 1);
    }
    *p++ = '\n';
    t->n += (size_t)(p - start);
  }
}

/* Weights are integers in DIMACS and METIS. */
static GrB_Info check_weights(const double *v, uint64_t n, bool positive, const char *path) {
  for (uint64_t k = 0; v && k < n; k++)
    if (!(fabs(v[k]) < 1e15) || v[k] != floor(v[k]) || (positive && v[k] <= 0))
      return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the format takes %sinteger weights, and one is %g", path,
                       positive ? "positive " : "", v[k]);
  return GrB_SUCCESS;
}

static GrB_Info check_square(const Grid_Edges *e, const char *path) {
  if (e->nrows != e->ncols)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: the format takes square matrices only, and this one is %llu x %llu", path,
                     (unsigned long long)e->nrows, (unsigned long long)e->ncols);
  if (e->skew)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the format has no skew-symmetric matrices", path);
  return GrB_SUCCESS;
}

GrB_Info grid_write_dimacs(const Grid_Edges *e, grid_output *o, grid_packing packing,
                           const grid_format_row *row) {
  (void)row;
  char head[LINE_MAX_LENGTH];
  uint64_t arcs = e->n;
  const bool edges = e->pattern && e->symmetric;
  GrB_Info info = check_square(e, o->path);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; e->symmetric && !edges && k < e->n; k++) arcs += e->rows[k] != e->cols[k];
  info = grid_agree(NULL, check_weights(e->values, e->n, false, o->path));
  if (info == GrB_SUCCESS) info = grid_ctx.transport->allreduce(GRID_SET_ALL, &arcs, 1, GRID_SUM);
  if (info != GrB_SUCCESS) return info;
  snprintf(head, sizeof head, "p %s %llu %llu\n", edges ? "edge" : "sp", (unsigned long long)e->nrows,
           (unsigned long long)arcs);
  return write_segments(&(writer){.e = e, .format = format_arcs}, o, packing, head, e->n);
}

/* ---- METIS ---- */

static void format_vertex(const writer *w, text *t, uint64_t k) {
  const grid_edge_rows *r = w->r;
  for (uint64_t j = r->ptr[k]; j < r->ptr[k + 1] && !t->failed; j++) {
    char *start = reserve_text(t), *p = start;
    if (j > r->ptr[k]) *p++ = ' ';
    p = format_number(p, r->cols[j] + 1);
    if (r->values) {
      *p++ = ' ';
      p = format_value(p, r->values[j]);
    }
    t->n += (size_t)(p - start);
  }
  *reserve_text(t) = '\n';
  t->n++;
}

/* Both ends of an edge list it, and loops do not exist. */
static GrB_Info check_edges(const grid_edge_rows *r, const char *path) {
  uint64_t sums[2] = {0, 0};
  GrB_Info info = check_weights(r->values, r->ptr[r->n], true, path);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < r->n; k++)
    for (uint64_t j = r->ptr[k]; info == GrB_SUCCESS && j < r->ptr[k + 1]; j++) {
      if (r->cols[j] == r->first + k)
        info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: METIS has no loops, and vertex %llu has one", path,
                         (unsigned long long)(r->first + k));
      grid_edge_sums(sums, r->first + k, r->cols[j], r->values ? r->values[j] : 1);
    }
  info = grid_agree_sum(NULL, info, sums, 2);
  if (info != GrB_SUCCESS || sums[0] == sums[1]) return info;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "%s: METIS takes undirected graphs, and an edge has no reverse edge of the same weight",
                   path);
}

GrB_Info grid_write_metis(const Grid_Edges *e, grid_output *o, grid_packing packing,
                          const grid_format_row *row) {
  (void)row;
  grid_edge_rows r;
  char head[LINE_MAX_LENGTH];
  GrB_Info info = check_square(e, o->path);
  if (info == GrB_SUCCESS) info = grid_make_rows_from_edges(&r, e);
  if (info != GrB_SUCCESS) return info;
  info = check_edges(&r, o->path);
  if (info == GrB_SUCCESS) {
    snprintf(head, sizeof head, "%llu %llu%s\n", (unsigned long long)r.nrows, (unsigned long long)r.nvals / 2,
             r.values ? " 001" : "");
    info = write_segments(&(writer){.r = &r, .format = format_vertex}, o, packing, head, r.n);
  }
  grid_edge_rows_free(&r);
  return info;
}
