/* Random numbers and values, and the text format of the twins' outputs. */
#include "tests/twin/twin.h"

GrB_Type twin_type[NTYPES];
const size_t twin_size[NTYPES] = {
#define X(T, C) sizeof(C),
    GRID_TYPES(X)
#undef X
        sizeof(pair),
    sizeof(trio), sizeof(medium), sizeof(large)};
const char *const twin_type_name[NTYPES] = {
#define X(T, C) #T,
    GRID_TYPES(X)
#undef X
        "PAIR",
    "TRIO", "WIDE", "LARGE"};

/* ---- random numbers: splitmix64 ------------------------------------------------------------------------ */

static uint64_t state;
void rnd_seed(uint64_t seed) {
  state = seed;
  state = rnd(); /* streams of neighbouring seeds must not be shifted copies of each other */
}
uint64_t rnd(void) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
uint64_t below(uint64_t n) {
  return rnd() % n;
}
bool chance(int percent) {
  return below(100) < (uint64_t)percent;
}

/* No -0.0: SuiteSparse treats it as true in a mask, C and the standard as false. */
static double random_real(flavour f) {
  static const double special[] = {0, 1e30, -1e30, 300.7, -300.7, 255.5, -0.75, 4294967296.5, 2147483647};
  double sign = chance(50) ? 1 : -1;
  if (f == EXACT) return sign * ldexp(1, (int)below(4) - 1);
  if (chance(3)) return chance(40) ? (double)NAN : sign * (double)INFINITY;
  if (chance(10)) return special[below(sizeof special / sizeof *special)];
  return sign * (double)(1 + below(999)) / 8;
}

value random_value(int t, flavour f) {
  value v;
  memset(&v, 0, sizeof v);
  uint64_t bits = rnd();
  if (t == T_BOOL)
    v.t_BOOL = bits & 1;
  else if (t == T_FP32)
    v.f = (float)random_real(f);
  else if (t == T_FP64)
    v.d = random_real(f);
  else if (t == T_PAIR)
    v.p = (pair){(int64_t)(bits % 8), (int64_t)below(8)};
  else if (t == T_TRIO)
    v.t = (trio){{(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16)}};
  else if (t == T_MEDIUM)
    for (size_t k = 0; k < sizeof v.w; k++) v.w.c[k] = (uint8_t)(k % 5 ? 0 : bits >> k);
  else if (t == T_LARGE)
    for (size_t k = 0; k < sizeof v.l; k++) v.l.c[k] = (uint8_t)(k % 97 ? 0 : bits >> k % 57);
  else {
    /* mostly small numbers, so that equal ones and zeros occur; sometimes any bits of the type */
    int64_t small = (int64_t)(bits >> 8 & 15) - (t < T_UINT8 ? 6 : 0);
    uint64_t x = chance(80) ? (uint64_t)small : rnd();
    memcpy(v.bytes, &x, twin_size[t]); /* little-endian */
  }
  return v;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static FILE *out;
static uint64_t hash = 14695981039346656037u; /* hash of all that this process would have written (FNV-1a) */

bool out_open(const char *path) {
  if (!twin_writes()) return true;
  out = fopen(path, "w");
  if (!out) perror(path);
  return out;
}
void out_flush(void) {
  if (out) fflush(out);
}
bool out_close(void) {
  bool written = !out || !ferror(out), good = (!out || !fclose(out)) && written;
  if (!twin_same(hash)) {
    if (twin_writes()) fprintf(stderr, "twin: the processes got different answers\n");
    good = false;
  }
  return good;
}

void say(const char *fmt, ...) {
  char line[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  for (const char *p = line; *p; p++) hash = (hash ^ (uint8_t)*p) * UINT64_C(1099511628211);
  if (out) fputs(line, out);
}

void twin_do(GrB_Info info, const char *call) {
  if (info == GrB_SUCCESS) return;
  say("failed with %d: %.200s\n", (int)info, call);
  if (info == GrB_OUT_OF_MEMORY || info == GrB_PANIC) twin_explain(); /* not used by any program */
}

static uint64_t hash_bytes(const uint8_t *x, size_t n) {
  uint64_t h = 14695981039346656037u;
  for (size_t k = 0; k < n; k++) h = (h ^ x[k]) * UINT64_C(1099511628211);
  return h;
}

const char *value_text(int t, const void *x) {
  static char text[128];
  char *end = text + sizeof text, *p = text;
  switch (t) {
#define X(T, C, FORMAT)                                 \
  case T_##T:                                           \
    snprintf(text, sizeof text, FORMAT, *(const C *)x); \
    break;
    X(BOOL, bool, "%d")
    X(INT8, int8_t, "%d")
    X(INT16, int16_t, "%d")
    X(INT32, int32_t, "%" PRId32)
    X(INT64, int64_t, "%" PRId64)
    X(UINT8, uint8_t, "%d")
    X(UINT16, uint16_t, "%d")
    X(UINT32, uint32_t, "%" PRIu32)
    X(UINT64, uint64_t, "%" PRIu64)
#undef X
    case T_FP32: {
      float v = *(const float *)x;
      snprintf(text, sizeof text, isnan(v) ? "nan" : "%.9g", (double)v);
      break;
    }
    case T_FP64: {
      double v = *(const double *)x;
      snprintf(text, sizeof text, isnan(v) ? "nan" : "%.17g", v);
      break;
    }
    case T_PAIR:
      snprintf(text, sizeof text, "%" PRId64 ",%" PRId64, ((const pair *)x)->a, ((const pair *)x)->b);
      break;
    case T_LARGE:
      snprintf(text, sizeof text, "%" PRIx64, hash_bytes(x, sizeof(large)));
      break;
    default:
      for (size_t k = 0; k < twin_size[t]; k++)
        p += snprintf(p, (size_t)(end - p), k ? ".%x" : "%x", ((const uint8_t *)x)[k]);
  }
  return text;
}

/* compare_outputs.c takes what follows f or d for a value with a tolerance. */
void say_value(int t, const void *x) {
  say("%s%s", t == T_FP32 ? "f " : t == T_FP64 ? "d " : "", value_text(t, x));
}

/* The order of tuples is up to the library, so they are sorted. */
static const GrB_Index *sort_i, *sort_j;
static int by_position(const void *a, const void *b) {
  GrB_Index p = *(const GrB_Index *)a, q = *(const GrB_Index *)b;
  if (sort_i[p] != sort_i[q]) return sort_i[p] < sort_i[q] ? -1 : 1;
  if (!sort_j) return 0;
  return sort_j[p] < sort_j[q] ? -1 : sort_j[p] > sort_j[q];
}
static uint64_t most_entries = UINT64_MAX;
void say_at_most(uint64_t entries) {
  most_entries = entries;
}
static uint64_t value_hash(int t, const void *x) {
  uint64_t h = 14695981039346656037u;
  for (const char *p = value_text(t, x) +
                       (*value_text(t, x) == '-' && !value_text(t, x)[2] && value_text(t, x)[1] == '0');
       *p; p++)
    h = (h ^ (uint8_t)*p) * UINT64_C(1099511628211);
  return h;
}
static void say_tuples(const GrB_Index *i, const GrB_Index *j, const char *x, GrB_Index n, int t) {
  GrB_Index *order = malloc((n + 1) * sizeof *order), end = n < most_entries ? n : most_entries;
  uint64_t rest = 0;
  for (GrB_Index k = 0; k < n; k++) order[k] = k;
  sort_i = i, sort_j = j;
  qsort(order, n, sizeof *order, by_position);
  for (GrB_Index k = 0; k < n; k++) {
    value v;
    memcpy(&v, x + order[k] * twin_size[t], twin_size[t]);
    if (k >= end) {
      rest = (rest ^ i[order[k]] ^ (j ? j[order[k]] << 20 : 0) ^ value_hash(t, &v)) * UINT64_C(1099511628211);
      continue;
    }
    say("%" PRIu64 " ", i[order[k]]);
    if (j) say("%" PRIu64 " ", j[order[k]]);
    say_value(t, &v);
    say("\n");
  }
  if (end < n) say("and %" PRIu64 " more: %" PRIx64 "\n", n - end, rest);
  free(order);
}

void say_vector(const char *name, GrB_Vector v, int t) {
  GrB_Index n = 0, nvals = 0;
  DO(GrB_Vector_size(&n, v));
  DO(GrB_Vector_nvals(&nvals, v));
  say("%s: %s vector of %" PRIu64 ", %" PRIu64 " entries\n", name, twin_type_name[t], n, nvals);
  GrB_Index *i = malloc((nvals + 1) * sizeof *i);
  char *x = calloc(nvals + 1, twin_size[t]);
  DO(vector_tuples(i, x, &nvals, t, v));
  say_tuples(i, NULL, x, nvals, t);
  free(i);
  free(x);
}

void say_matrix(const char *name, GrB_Matrix a, int t) {
  GrB_Index nrows = 0, ncols = 0, nvals = 0;
  DO(GrB_Matrix_nrows(&nrows, a));
  DO(GrB_Matrix_ncols(&ncols, a));
  DO(GrB_Matrix_nvals(&nvals, a));
  say("%s: %s matrix %" PRIu64 " x %" PRIu64 ", %" PRIu64 " entries\n", name, twin_type_name[t], nrows, ncols,
      nvals);
  GrB_Index *i = malloc((nvals + 1) * sizeof *i), *j = malloc((nvals + 1) * sizeof *j);
  char *x = calloc(nvals + 1, twin_size[t]);
  DO(matrix_tuples(i, j, x, &nvals, t, a));
  say_tuples(i, j, x, nvals, t);
  free(i);
  free(j);
  free(x);
}
