/* Reads scipy's sparse matrices in .npz files: a zip archive of numpy arrays in the formats "csr", "csc" or
 * "coo". */
#include <stdio.h>
#include <string.h>

#include "dist/io/formats/sparse_arrays.h"
#include "dist/io/formats/crc32.h"
#include "dist/io/formats/formats.h"
#include "dist/io/formats/edge_matrix.h"
#include "dist/io/formats/zip_archive.h"
#include "semiring/support/mem.h"

/* ---- numpy's arrays ---- */

typedef struct {
  const grid_zip_member *m;
  char kind;     /* i, u, f, b, or S, U for text */
  uint64_t size; /* bytes of an element */
  uint64_t n;
  uint64_t head; /* bytes before the first element */
} npy;

enum { HEAD_MAX = 1024 };

static GrB_Info fail_array(const grid_zip *z, const grid_zip_member *m, const char *expected) {
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s: expected %s", z->file->path, m->name, expected);
}

/* Parses a shape and computes the number of elements: "(5,)", "()", "(2, 3)". */
static bool count_elements(const char *p, uint64_t *n) {
  *n = 1;
  if (*p++ != '(') return false;
  for (;;) {
    p += strspn(p, " ,");
    if (*p == ')') return true;
    uint64_t v = 0;
    if (*p < '0' || *p > '9') return false;
    for (; *p >= '0' && *p <= '9'; p++)
      if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
        return false;
    if (__builtin_mul_overflow(*n, v, n)) return false;
  }
}

/* Parses the element type: "'descr': '<i8'". */
static bool parse_type(npy *a, const char *head) {
  const char *p = strstr(head, "'descr'");
  if (!p || !(p = strchr(p + 7, ':')) || !(p = strchr(p, '\''))) return false;
  const char order = p[1];
  a->kind = p[2];
  for (p += 3; *p >= '0' && *p <= '9' && a->size < 10000; p++) a->size = 10 * a->size + (uint64_t)(*p - '0');
  if (*p != '\'' || a->size == 0 || (order != '<' && order != '|') || !strchr("iufbSU", a->kind))
    return false;
  if (a->kind == 'U') a->size *= 4;
  if (a->kind == 'S' || a->kind == 'U') return true;
  if (a->kind == 'b') return a->size == 1;
  return a->size == 4 || a->size == 8 || (a->kind != 'f' && a->size <= 2);
}

static GrB_Info open_array(npy *a, const grid_zip *z, const char *name) {
  unsigned char start[12] = {0};
  char head[HEAD_MAX + 1];
  const char *shape;
  *a = (npy){.m = grid_zip_find(z, name)};
  if (!a->m)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: a zip archive without the array %s of scipy's save_npz",
                     z->file->path, name);
  GrB_Info info = grid_zip_bytes(z, a->m, 0, sizeof start, start);
  if (info != GrB_SUCCESS) return info;
  if (memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
    return fail_array(z, a->m, "a numpy array");
  const uint64_t words = start[6] == 1 ? 2 : 4;
  uint64_t length = start[8] | (uint64_t)start[9] << 8;
  if (words == 4) length |= (uint64_t)start[10] << 16 | (uint64_t)start[11] << 24;
  if (length > HEAD_MAX) return fail_array(z, a->m, "a shorter description of a numpy array");
  info = grid_zip_bytes(z, a->m, 8 + words, length, head);
  if (info != GrB_SUCCESS) return info;
  head[length] = '\0';
  a->head = 8 + words + length;
  if (!parse_type(a, head))
    return fail_array(
        z, a->m,
        "little-endian integers of 1 to 8 bytes, or floating-point numbers of 4 or 8 (not complex); or text");
  shape = strstr(head, "'shape'");
  if (!shape || !(shape = strchr(shape, '(')) || !count_elements(shape, &a->n) ||
      a->n > (a->m->size - a->head) / a->size)
    return fail_array(z, a->m, "a shape of as many elements as there are bytes for");
  return GrB_SUCCESS;
}

/* An element as a double, or as an index (negative: UINT64_MAX). */
static double element_value(const npy *a, const unsigned char *p) {
  union {
    int8_t i1;
    int16_t i2;
    int32_t i4;
    int64_t i8;
    uint8_t u1;
    uint16_t u2;
    uint32_t u4;
    uint64_t u8;
    float f4;
    double f8;
  } v;
  memcpy(&v, p, a->size);
  if (a->kind == 'f') return a->size == 4 ? v.f4 : v.f8;
  if (a->kind == 'i') return a->size == 1 ? v.i1 : a->size == 2 ? v.i2 : a->size == 4 ? v.i4 : (double)v.i8;
  if (a->kind == 'b') return v.u1 != 0;
  return a->size == 1 ? v.u1 : a->size == 2 ? v.u2 : a->size == 4 ? v.u4 : (double)v.u8;
}

static uint64_t element_number(const npy *a, const unsigned char *p) {
  uint64_t v = 0;
  memcpy(&v, p, a->size);
  if (a->kind == 'i' && v >> (8 * a->size - 1)) return UINT64_MAX;
  return v;
}

/* ---- reading ---- */

typedef struct {
  grid_zip z;
  npy array[GRID_ARRAYS];
} archive;

/* Reads elements first .. first + n, as stored, into new memory. */
static GrB_Info fill_elements(const archive *a, const npy *array, uint64_t first, uint64_t n,
                              unsigned char **bytes) {
  *bytes = grid_malloc(n * array->size, 1);
  if (!*bytes) return grid_fail_memory(NULL, "a numpy array", n, array->size);
  GrB_Info info = grid_zip_bytes(&a->z, array->m, array->head + first * array->size, n * array->size, *bytes);
  if (info != GrB_SUCCESS) {
    grid_free(*bytes);
    *bytes = NULL;
  }
  return info;
}

static GrB_Info npz_numbers(void *context, int which, uint64_t first, uint64_t n, uint64_t *to) {
  const archive *a = context;
  const npy *array = &a->array[which];
  unsigned char *bytes;
  GrB_Info info = fill_elements(a, array, first, n, &bytes);
  if (info != GrB_SUCCESS) return info;
#pragma omp parallel for num_threads(grid_ctx.threads) if (n > 65536)
  for (uint64_t k = 0; k < n; k++) to[k] = element_number(array, bytes + k * array->size);
  grid_free(bytes);
  return info;
}

static GrB_Info npz_values(void *context, uint64_t first, uint64_t n, double *to) {
  const archive *a = context;
  const npy *array = &a->array[GRID_ARRAY_VALUES];
  unsigned char *bytes;
  uint64_t inexact = UINT64_MAX;
  GrB_Info info = fill_elements(a, array, first, n, &bytes);
  if (info != GrB_SUCCESS) return info;
#pragma omp parallel for num_threads(grid_ctx.threads) reduction(min : inexact) if (n > 65536)
  for (uint64_t k = 0; k < n; k++) {
    to[k] = element_value(array, bytes + k * array->size);
    const double limit = 0x1p53;
    if (array->kind != 'f' && array->size == 8 && (to[k] > limit || to[k] < -limit) && k < inexact)
      inexact = k;
  }
  grid_free(bytes);
  if (inexact < UINT64_MAX)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s[%llu]: the value is more than a double holds exactly",
                     a->z.file->path, array->m->name, (unsigned long long)(first + inexact));
  return GrB_SUCCESS;
}

/* Reads the format's name, "csr", "csc" or "coo", an array of one string. */
static GrB_Info read_order(const archive *a, grid_arrays *s) {
  npy array;
  unsigned char *bytes;
  char name[8] = "";
  GrB_Info info = open_array(&array, &a->z, "format.npy");
  if (info != GrB_SUCCESS) return info;
  const uint64_t char_bytes = array.kind == 'U' ? 4 : 1;
  if ((array.kind != 'S' && array.kind != 'U') || array.n != 1 || array.size / char_bytes > 7)
    return fail_array(&a->z, array.m, "the name of a format");
  info = fill_elements(a, &array, 0, 1, &bytes);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k * char_bytes < array.size; k++) name[k] = (char)bytes[k * char_bytes];
  grid_free(bytes);
  if (strcmp(name, "csr") == 0) return s->order = GRID_BY_ROW, GrB_SUCCESS;
  if (strcmp(name, "csc") == 0) return s->order = GRID_BY_COLUMN, GrB_SUCCESS;
  if (strcmp(name, "coo") == 0) return s->order = GRID_BY_ENTRY, GrB_SUCCESS;
  return fail_array(&a->z, array.m, "one of csr, csc and coo (scipy's others are converted by .tocsr())");
}

static GrB_Info read_shape(const archive *a, grid_arrays *s) {
  npy array;
  unsigned char *bytes;
  GrB_Info info = open_array(&array, &a->z, "shape.npy");
  if (info != GrB_SUCCESS) return info;
  if (!strchr("iu", array.kind) || array.n != 2) return fail_array(&a->z, array.m, "two whole numbers");
  info = fill_elements(a, &array, 0, 2, &bytes);
  if (info != GrB_SUCCESS) return info;
  s->nrows = element_number(&array, bytes);
  s->ncols = element_number(&array, bytes + array.size);
  grid_free(bytes);
  if (s->nrows == UINT64_MAX || s->ncols == UINT64_MAX)
    return fail_array(&a->z, array.m, "whole numbers of rows and columns, 0 or more");
  return GrB_SUCCESS;
}

static GrB_Info open_arrays(archive *a, grid_arrays *s) {
  static const char *const names[2][2] = {{"row.npy", "col.npy"}, {"indptr.npy", "indices.npy"}};
  GrB_Info info = read_order(a, s);
  if (info == GrB_SUCCESS) info = read_shape(a, s);
  for (int k = 0; info == GrB_SUCCESS && k < GRID_ARRAYS; k++) {
    const char *name = k == GRID_ARRAY_VALUES ? "data.npy" : names[s->order != GRID_BY_ENTRY][k];
    info = open_array(&a->array[k], &a->z, name);
    s->names[k] = name;
    if (info == GrB_SUCCESS && !strchr(k == GRID_ARRAY_VALUES ? "iufb" : "iu", a->array[k].kind))
      info = fail_array(&a->z, a->array[k].m, k == GRID_ARRAY_VALUES ? "numbers" : "whole numbers");
  }
  if (info != GrB_SUCCESS) return info;
  s->nvals = a->array[GRID_ARRAY_VALUES].n;
  s->truth = a->array[GRID_ARRAY_VALUES].kind == 'b';
  const uint64_t lines = s->order == GRID_BY_ROW ? s->nrows : s->ncols,
                 first = s->order == GRID_BY_ENTRY ? s->nvals : lines + 1;
  if (a->array[GRID_ARRAY_SECOND].n != s->nvals || a->array[GRID_ARRAY_FIRST].n != first)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: expected %llu and %llu elements in %s and %s, found %llu and %llu", s->path,
                     (unsigned long long)first, (unsigned long long)s->nvals, s->names[0], s->names[1],
                     (unsigned long long)a->array[0].n, (unsigned long long)a->array[1].n);
  return GrB_SUCCESS;
}

bool grid_is_npz(const unsigned char *start) {
  return memcmp(start, "PK\3\4", 4) == 0 || memcmp(start, "PK\5\6", 4) == 0;
}

GrB_Info grid_read_npz(Grid_Edges *e, const grid_file *f, const grid_format_row *row, grid_sink *sink) {
  (void)sink;
  (void)row;
  archive a;
  grid_arrays s = {.path = f->path, .numbers = npz_numbers, .values = npz_values, .context = &a};
  GrB_Info info = grid_agree(NULL, grid_zip_open(&a.z, f));
  if (info == GrB_SUCCESS) info = grid_zip_check(&a.z);
  if (info == GrB_SUCCESS) info = grid_agree(NULL, open_arrays(&a, &s));
  return info == GrB_SUCCESS ? grid_make_edges_from_arrays(e, &s) : info;
}
