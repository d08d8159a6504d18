/* Every function of the standard, one by one (functions.inc is generated from the header by functions.awk):
 * with valid arguments; with each argument in turn NULL, an uninitialized object, of another kind, type or
 * size. Also with indices out of bounds, with empty scalars, and with each allocation in it failing. The code
 * is the specification's, the same on every process, the error's text names the function, and outputs keep
 * their value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "semiring/support/mem.h"
#include "tests/grid_shapes.h"

/* ---- the functions ------------------------------------------------------------------------------------- */

typedef union {
  void *p;
  uint64_t u;
  double d;
  void (*f)(void);
} arg;
enum { MAX_ARGS = 12 };
typedef struct {
  const char *name;
  GrB_Info (*call)(const arg *a);
  int n;
  struct {
    const char *type, *name;
  } arg[MAX_ARGS];
} function;
#include "functions.inc"
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool has_name_part(const function *f, const char *part) {
  return strstr(f->name, part) != NULL;
}
static bool ends_in(const char *s, const char *end) {
  const size_t n = strlen(s), m = strlen(end);
  return n >= m && !strcmp(s + n - m, end);
}
static bool is_named(const function *f, int k, const char *name) {
  return !strcmp(f->arg[k].name, name);
}
static bool is_mask(const function *f, int k) {
  return is_named(f, k, "mask") || is_named(f, k, "Mask");
}
/* "GrB_Matrix", "GrB_Type", ...: without const; "" for what is no object. */
static const char *handle_of(const function *f, int k) {
  static const char *const kinds[] = {"GrB_Type",   "GrB_UnaryOp",   "GrB_BinaryOp", "GrB_IndexUnaryOp",
                                      "GrB_Monoid", "GrB_Semiring",  "GrB_Matrix",   "GrB_Vector",
                                      "GrB_Scalar", "GrB_Descriptor"};
  const char *type = f->arg[k].type;
  if (!strncmp(type, "const ", 6)) type += 6;
  for (size_t m = 0; m < sizeof kinds / sizeof *kinds; m++)
    if (!strcmp(type, kinds[m])) return kinds[m];
  return "";
}
static bool is_container(const function *f, int k) {
  const char *kind = handle_of(f, k);
  return !strcmp(kind, "GrB_Matrix") || !strcmp(kind, "GrB_Vector") || !strcmp(kind, "GrB_Scalar");
}
static bool is_pointer(const function *f, int k) {
  return *handle_of(f, k) || ends_in(f->arg[k].type, "*") || !strcmp(f->arg[k].type, "FUNCTION") ||
         strstr(f->arg[k].type, "GrB_Global");
}

/* ---- what they work on --------------------------------------------------------------------------------- */

typedef struct {
  int64_t a, b;
} pair;
static void pair_add(void *z, const void *x, const void *y) {
  const pair *p = x, *q = y;
  *(pair *)z = (pair){p->a + q->a, p->b + q->b};
}
static void pair_same(void *z, const void *x) {
  memmove(z, x, sizeof(pair));
}
static void pair_position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  const pair *p = x;
  (void)y;
  *(pair *)z = (pair){p->a + (int64_t)i, (int64_t)j};
}
static void pair_odd(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  (void)x, (void)y;
  *(bool *)z = (i + j) & 1;
}

enum { N = 4, CAPACITY = 64, BYTES = 1 << 16 };

/* Objects of one type, and what a program's arrays hold. `other`, `larger`: of another type, of another size.
 */
typedef struct {
  GrB_Matrix C, A, B, M;
  GrB_Vector w, u, v, m;
  GrB_Scalar s;
} objects;
static struct {
  objects right, other, larger, empty;
  GrB_Type pair_type, type;
  GrB_UnaryOp unary, pair_unary;
  GrB_BinaryOp binary, pair_binary;
  GrB_IndexUnaryOp indexed, pair_indexed, pair_select;
  GrB_Monoid monoid, pair_monoid;
  GrB_Semiring semiring, pair_semiring;
  GrB_Descriptor desc;
  void *made; /* by a function that makes an object, or to be freed */
  const char *text;
  GrB_Index list[CAPACITY], out[5][CAPACITY], blob_size;
  unsigned char values[CAPACITY * sizeof(pair)], blob[BYTES], bytes[BYTES];
} w;

#define OK(call) assert_int_equal(call, GrB_SUCCESS)
static const pair one = {1, 1};

static void fill_matrix(GrB_Matrix A, GrB_Index n, bool pairs) {
  for (GrB_Index k = 0; k < n; k++)
    for (GrB_Index m = k; m < k + 2; m++)
      OK(pairs ? GrB_Matrix_setElement_UDT(A, &one, k, m % n)
               : GrB_Matrix_setElement_INT32(A, (int32_t)(k + m), k, m % n));
}
static void fill_vector(GrB_Vector v, GrB_Index n, bool pairs) {
  for (GrB_Index k = 0; k < n; k += 2)
    OK(pairs ? GrB_Vector_setElement_UDT(v, &one, k) : GrB_Vector_setElement_INT32(v, (int32_t)k, k));
}

static void make_objects(objects *o, GrB_Type type, GrB_Index n, bool full, bool kronecker, bool bools) {
  const bool pairs = type == w.pair_type;
  const GrB_Index inner = kronecker ? n / 2 : n;
  OK(GrB_Matrix_new(&o->C, type, n, n));
  OK(GrB_Matrix_new(&o->A, type, inner, inner));
  OK(GrB_Matrix_new(&o->B, type, inner, inner));
  OK(GrB_Matrix_new(&o->M, bools ? GrB_BOOL : type, n, n));
  OK(GrB_Vector_new(&o->w, type, n));
  OK(GrB_Vector_new(&o->u, type, n));
  OK(GrB_Vector_new(&o->v, type, n));
  OK(GrB_Vector_new(&o->m, bools ? GrB_BOOL : type, n));
  OK(GrB_Scalar_new(&o->s, type));
  if (!full) return;
  fill_matrix(o->C, n, pairs), fill_matrix(o->A, inner, pairs), fill_matrix(o->B, inner, pairs);
  fill_matrix(o->M, n, pairs && !bools);
  fill_vector(o->w, n, pairs), fill_vector(o->u, n, pairs), fill_vector(o->v, n, pairs);
  fill_vector(o->m, n, pairs && !bools);
  OK(pairs ? GrB_Scalar_setElement_UDT(o->s, &one) : GrB_Scalar_setElement_INT32(o->s, 3));
}
static void free_objects(objects *o) {
  GrB_Matrix_free(&o->C), GrB_Matrix_free(&o->A), GrB_Matrix_free(&o->B), GrB_Matrix_free(&o->M);
  GrB_Vector_free(&o->w), GrB_Vector_free(&o->u), GrB_Vector_free(&o->v), GrB_Vector_free(&o->m);
  GrB_Scalar_free(&o->s);
}

static GrB_Type type_of(const function *f);
static bool has_pair_type(const function *f) {
  return has_name_part(f, "_UDT");
}

/* Objects for f. A function that fills an empty one gets it so. */
static void make_world(const function *f) {
  const bool pairs = has_pair_type(f), kronecker = has_name_part(f, "kronecker");
  GrB_Type type = pairs ? w.pair_type : has_name_part(f, "_export_") ? type_of(f) : GrB_INT32;
  make_objects(&w.right, type, N, true, kronecker, true);
  make_objects(&w.other, pairs ? GrB_INT32 : w.pair_type, N, true, kronecker, false);
  make_objects(&w.larger, type, N + 2, true, kronecker, true);
  make_objects(&w.empty, type, N, false, kronecker, true);
  if (has_name_part(f, "_build_")) {
    OK(GrB_Matrix_clear(w.right.C));
    OK(GrB_Vector_clear(w.right.w));
    OK(GrB_Matrix_clear(w.other.C));
    OK(GrB_Vector_clear(w.other.w));
  }
  memset(w.values, 0, sizeof w.values), memset(w.bytes, 0, sizeof w.bytes);
  for (GrB_Index k = 0; k < CAPACITY; k++) w.list[k] = k;
  w.blob_size = sizeof w.blob;
  OK(GrB_Matrix_serialize(w.blob, &w.blob_size, w.right.A));
}
static void free_world(void) {
  free_objects(&w.right), free_objects(&w.other), free_objects(&w.larger), free_objects(&w.empty);
}

static void start_algebra(void) {
  const pair zero = {0, 0};
  OK(GrB_Type_new(&w.pair_type, sizeof(pair)));
  GrB_Type p = w.pair_type;
  OK(GrB_Type_new(&w.type, 8));
  OK(GrB_UnaryOp_new(&w.pair_unary, pair_same, p, p));
  OK(GrB_BinaryOp_new(&w.pair_binary, pair_add, p, p, p));
  OK(GrB_IndexUnaryOp_new(&w.pair_indexed, pair_position, p, p, p));
  OK(GrB_IndexUnaryOp_new(&w.pair_select, pair_odd, GrB_BOOL, p, p));
  OK(GrB_Monoid_new_UDT(&w.pair_monoid, w.pair_binary, &zero));
  OK(GrB_Semiring_new(&w.pair_semiring, w.pair_monoid, w.pair_binary));
  OK(GrB_Monoid_new_INT32(&w.monoid, GrB_PLUS_INT32, 0));
  OK(GrB_Semiring_new(&w.semiring, w.monoid, GrB_TIMES_INT32));
  OK(GrB_Descriptor_new(&w.desc));
  w.unary = GrB_AINV_INT32, w.binary = GrB_PLUS_INT32, w.indexed = GrB_VALUEGT_INT32;
}
static void stop_algebra(void) {
  GrB_Semiring_free(&w.semiring), GrB_Semiring_free(&w.pair_semiring);
  GrB_Monoid_free(&w.monoid), GrB_Monoid_free(&w.pair_monoid);
  GrB_IndexUnaryOp_free(&w.pair_indexed), GrB_IndexUnaryOp_free(&w.pair_select);
  GrB_BinaryOp_free(&w.pair_binary), GrB_UnaryOp_free(&w.pair_unary);
  GrB_Descriptor_free(&w.desc), GrB_Type_free(&w.type), GrB_Type_free(&w.pair_type);
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

/* The operator of a type's monoid; the type whose name f's ends in. */
static GrB_BinaryOp pair_plus(const function *f) {
#define X(T, C) \
  if (ends_in(f->name, "_" #T)) return GrB_MAX_##T;
#define MORE(X) \
  X(INT8, )     \
  X(INT16, ) X(INT32, ) X(INT64, ) X(UINT8, ) X(UINT16, ) X(UINT32, ) X(UINT64, ) X(FP32, ) X(FP64, )
  MORE(X)
#undef X
  return ends_in(f->name, "_BOOL") ? GrB_LOR : ends_in(f->name, "_UDT") ? w.pair_binary : GrB_PLUS_INT32;
}
static GrB_Type type_of(const function *f) {
#define X(T, C) \
  if (ends_in(f->name, "_" #T)) return GrB_##T;
  MORE(X)
#undef X
  return ends_in(f->name, "_BOOL") ? GrB_BOOL : ends_in(f->name, "_UDT") ? w.pair_type : GrB_INT32;
}

static void *container(const function *f, int k, const objects *o) {
  const char *kind = handle_of(f, k), *name = f->arg[k].name;
  if (!strcmp(kind, "GrB_Scalar")) return o->s;
  if (!strcmp(kind, "GrB_Vector"))
    return is_mask(f, k) ? o->m : !strcmp(name, "w") ? o->w : !strcmp(name, "v") ? o->v : o->u;
  return is_mask(f, k) ? o->M : !strcmp(name, "C") ? o->C : !strcmp(name, "B") ? o->B : o->A;
}

/* An operator or a like object; other: of the other type. */
static void *algebra(const function *f, int k, bool other) {
  const char *kind = handle_of(f, k);
  const bool pairs =
      (has_pair_type(f) || is_named(f, k, "object")) != other; /* a predefined one takes no name */
  if (!strcmp(kind, "GrB_Type"))
    return has_name_part(f, "Type_") ? w.type
           : other                   ? w.pair_type
           : is_named(f, k, "d")     ? type_of(f)
                                     : GrB_INT32;
  if (!strcmp(kind, "GrB_UnaryOp")) return pairs ? w.pair_unary : w.unary;
  if (!strcmp(kind, "GrB_BinaryOp"))
    return has_name_part(f, "Monoid_new") && !other ? pair_plus(f) : pairs ? w.pair_binary : w.binary;
  if (!strcmp(kind, "GrB_IndexUnaryOp"))
    return !pairs ? w.indexed : has_name_part(f, "select") ? w.pair_select : w.pair_indexed;
  if (!strcmp(kind, "GrB_Monoid")) return pairs ? w.pair_monoid : w.monoid;
  if (!strcmp(kind, "GrB_Semiring")) return pairs ? w.pair_semiring : w.semiring;
  return w.desc;
}

/* The object that f creates or frees: *w.made. */
static void make_to_free(const function *f) {
  w.made = NULL;
  if (!ends_in(f->name, "_free")) return;
#define MAKE(K, ...) \
  if (has_name_part(f, "GrB_" #K "_")) OK(GrB_##K##_new((GrB_##K *)&w.made, __VA_ARGS__));
  MAKE(Type, 4)
  MAKE(UnaryOp, pair_same, w.pair_type, w.pair_type)
  MAKE(BinaryOp, pair_add, w.pair_type, w.pair_type, w.pair_type)
  MAKE(IndexUnaryOp, pair_odd, GrB_BOOL, w.pair_type, w.pair_type)
  MAKE(Semiring, w.monoid, GrB_TIMES_INT32)
  MAKE(Scalar, GrB_INT8)
  MAKE(Vector, GrB_INT8, N)
  MAKE(Matrix, GrB_INT8, N, N)
#undef MAKE
  if (has_name_part(f, "GrB_Monoid_")) OK(GrB_Monoid_new_INT32((GrB_Monoid *)&w.made, GrB_PLUS_INT32, 0));
  if (has_name_part(f, "GrB_Descriptor_")) OK(GrB_Descriptor_new((GrB_Descriptor *)&w.made));
}
static void free_result(const function *f) {
  if (!w.made) return;
#define FREE(K) \
  if (has_name_part(f, "GrB_" #K "_")) GrB_##K##_free((GrB_##K *)&w.made);
  FREE(Type)
  FREE(UnaryOp)
  FREE(BinaryOp)
  FREE(IndexUnaryOp)
  FREE(Semiring)
  FREE(Monoid)
  FREE(Descriptor)
  FREE(Scalar)
  FREE(Vector)
  FREE(Matrix)
#undef FREE
  w.made = NULL;
}

static int field_of(const function *f) {
  if (ends_in(f->name, "_String") || ends_in(f->name, "_SIZE"))
    return has_name_part(f, "Global") ? GrB_LIBRARY_VER_MAJOR : GrB_NAME;
  if (has_name_part(f, "Descriptor")) return GrB_OUTP;
  if (has_name_part(f, "Global")) return GrB_BLOCKING_MODE;
  if (has_name_part(f, "_set_")) return GrB_STORAGE_ORIENTATION_HINT;
  return has_name_part(f, "Op_") || has_name_part(f, "Monoid") ? GrB_INP0_TYPE_CODE : GrB_EL_TYPE_CODE;
}

static uint64_t number(const function *f, int k) {
  const char *name = f->arg[k].name;
  if (!strcmp(name, "field")) return strcmp(f->arg[k].type, "int") ? GrB_OUTP : (uint64_t)field_of(f);
  if (!strcmp(name, "format")) return GrB_CSR_FORMAT;
  if (!strcmp(name, "mode")) return has_name_part(f, "init") ? GrB_NONBLOCKING : GrB_MATERIALIZE;
  if (!strcmp(name, "serialized_size")) return w.blob_size;
  if (!strcmp(name, "n_indptr")) return N + 1;
  if (!strcmp(name, "k")) return 0;
  static const char *const sizes[] = {"n",         "ni",    "nrows",     "ncols",   "nrows_new",
                                      "ncols_new", "nvals", "n_indices", "n_values"};
  for (size_t m = 0; m < sizeof sizes / sizeof *sizes; m++)
    if (!strcmp(name, sizes[m])) return N;
  return 1;
}

static void *array(const function *f, int k, int *outs) {
  const char *type = f->arg[k].type, *name = f->arg[k].name;
  if (!strncmp(type, "const ", 6) && !strcmp(name, "serialized_data")) return w.blob;
  if (!strcmp(type, "const GrB_Index *")) return w.list;
  if (!strcmp(type, "const char *")) return (void *)(uintptr_t) "a name";
  if (!strncmp(type, "const ", 6) && strcmp(name, "text")) return w.values;
  if (!strcmp(name, "text")) return (void *)&w.text;
  if (!strcmp(type, "GrB_Index *")) {
    for (int m = 0; m < CAPACITY; m++) w.out[*outs][m] = 0;
    w.out[*outs][0] = !strcmp(name, "serialized_size") ? BYTES : CAPACITY;
    return w.out[(*outs)++];
  }
  if (!strncmp(type, "GrB_", 4) && strcmp(name, "hint")) return (void *)&w.made;
  return w.bytes;
}

static void fill_arguments(const function *f, arg *a) {
  int outs = 0;
  make_to_free(f);
  for (int k = 0; k < f->n; k++) {
    const char *type = f->arg[k].type;
    if (is_container(f, k))
      a[k].p = container(f, k, &w.right);
    else if (*handle_of(f, k))
      a[k].p = algebra(f, k, false);
    else if (strstr(type, "GrB_Global"))
      a[k].p = GrB_GLOBAL;
    else if (!strcmp(type, "FUNCTION"))
      a[k].f = (void (*)(void))pair_same;
    else if (is_pointer(f, k))
      a[k].p = array(f, k, &outs);
    else if (!strcmp(type, "double") || !strcmp(type, "float"))
      a[k].d = 1;
    else
      a[k].u = number(f, k);
  }
}

/* ---- what they hold ------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, const void *bytes, size_t n) {
  for (size_t k = 0; k < n; k++) h = (h ^ ((const unsigned char *)bytes)[k]) * UINT64_C(1099511628211);
  return h;
}
static uint64_t hash_matrix(uint64_t h, GrB_Matrix A, bool pairs) {
  GrB_Index i[CAPACITY], j[CAPACITY], n = CAPACITY;
  pair x[CAPACITY];
  OK(pairs ? GrB_Matrix_extractTuples_UDT(i, j, x, &n, A)
           : GrB_Matrix_extractTuples_INT32(i, j, (int32_t *)x, &n, A));
  h = mix(mix(mix(h, &n, sizeof n), i, n * sizeof *i), j, n * sizeof *j);
  return mix(h, x, n * (pairs ? sizeof *x : sizeof(int32_t)));
}
static uint64_t hash_vector(uint64_t h, GrB_Vector v, bool pairs) {
  GrB_Index i[CAPACITY], n = CAPACITY, size;
  pair x[CAPACITY];
  OK(pairs ? GrB_Vector_extractTuples_UDT(i, x, &n, v)
           : GrB_Vector_extractTuples_INT32(i, (int32_t *)x, &n, v));
  OK(GrB_Vector_size(&size, v));
  h = mix(mix(mix(h, &n, sizeof n), i, n * sizeof *i), &size, sizeof size);
  return mix(h, x, n * (pairs ? sizeof *x : sizeof(int32_t)));
}
static uint64_t hash_world(const function *f) {
  const bool pairs = has_pair_type(f);
  const objects *o = &w.right;
  GrB_Index n = 0;
  uint64_t h = 7;
  h = hash_matrix(hash_matrix(h, o->C, pairs), o->A, pairs);
  h = hash_vector(hash_vector(h, o->w, pairs), o->u, pairs);
  OK(GrB_Scalar_nvals(&n, o->s));
  return mix(mix(h, &n, sizeof n), w.bytes, sizeof w.bytes / 16);
}

/* The polymorphic name's last word: "apply", "setElement". */
static bool text_names(const function *f) {
  const char *text = Grid_last_error();
  char name[80];
  snprintf(name, sizeof name, "%s", f->name);
  for (char *end; (end = strrchr(name, '_')) && end > name + 3; *end = 0)
    if (strstr(text, name) || strstr(text, end + 1)) return true;
  return strstr(text, name + 4) != NULL;
}

/* ---- one call ------------------------------------------------------------------------------------------ */

static int failures;

/* These end the library, or begin it. */
static bool is_lifecycle_function(const function *f) {
  return !strcmp(f->name, "GrB_init") || !strcmp(f->name, "GrB_finalize");
}
static bool is_field(const function *f) {
  return has_name_part(f, "_get_") || has_name_part(f, "_set_");
}

static void report(const function *f, const char *what, const char *argument, GrB_Info want, GrB_Info got) {
  failures++;
  if (Grid_rank() == 0)
    print_message("%s, %s %s: %d wanted, %d returned; %s\n", f->name, what, argument, (int)want, (int)got,
                  Grid_last_error());
}

static void assert_alike(const function *f, GrB_Info info) {
  uint64_t v[2] = {(uint64_t)(int64_t)info, ~(uint64_t)(int64_t)info};
  OK(Grid_max(v, 2));
  if (v[0] != ~v[1]) report(f, "not the same on all processes", "", info, info);
  assert_true(v[0] == ~v[1]);
}

/* Calls f with argument k as given; want: its code, or `may`. An error leaves all objects unchanged. */
static void expect(const function *f, const arg *a, const char *what, int k, GrB_Info want, GrB_Info may) {
  const uint64_t before = hash_world(f);
  void *made = w.made;
  GrB_Info info = f->call(a);
  assert_alike(f, info);
  if (info != want && info != may) report(f, what, f->arg[k].name, want, info);
  if (info < 0 && !text_names(f)) report(f, "the text of", f->arg[k].name, want, info);
  if (info < 0 && (hash_world(f) != before || w.made != made))
    report(f, "an output after", f->arg[k].name, want, info);
  if (info >= 0) { /* a new one */
    free_result(f);
    free_world();
    make_world(f);
  }
}

/* On several processes, where messages take a while, a few types of each kind of call. */
static bool is_sampled(const function *f) {
  static const char *const types[] = {"_BOOL",   "_INT8",   "_INT16",  "_INT64", "_UINT8",
                                      "_UINT16", "_UINT32", "_UINT64", "_FP32",  "_FP64"};
  for (size_t k = 0; Grid_size() > 1 && k < sizeof types / sizeof *types; k++)
    if (ends_in(f->name, types[k])) return false;
  return true;
}

static void run_on_all(void (*test)(const function *f, const arg *right)) {
  arg a[MAX_ARGS];
  start_algebra();
  failures = 0;
  for (int k = 0; k < FUNCTIONS; k++) {
    const function *f = &functions[k];
    if (is_lifecycle_function(f) || !is_sampled(f)) continue;
    make_world(f);
    fill_arguments(f, a);
    test(f, a);
    free_result(f);
    free_world();
  }
  stop_algebra();
  assert_int_equal(failures, 0);
}

/* ---- the tests ----------------------------------------------------------------------------------------- */

static void call_right(const function *f, const arg *right) {
  GrB_Info info = f->call(right);
  assert_alike(f, info);
  if (info != GrB_SUCCESS && !is_field(f) && !(has_name_part(f, "extractElement") && info == GrB_NO_VALUE))
    report(f, "right arguments", "", GrB_SUCCESS, info);
}
static void valid_arguments(void **state) {
  assert_int_equal(FUNCTIONS, 512);
  run_on_all(call_right);
}

/* Including arrays that extractTuples does not need, and the type of serialized bytes where it is predefined.
 */
static bool may_be_null(const function *f, int k) {
  if (has_name_part(f, "extractTuples_")) return ends_in(f->arg[k].type, "*") && !is_named(f, k, "nvals");
  return is_mask(f, k) || (has_name_part(f, "deserialize") && is_named(f, k, "d")) ||
         is_named(f, k, "accum") || is_named(f, k, "dup") ||
         (is_named(f, k, "desc") && !strcmp(f->arg[k].type, "const GrB_Descriptor"));
}
static void call_with_null(const function *f, const arg *right) {
  arg a[MAX_ARGS];
  for (int k = 0; k < f->n; k++) {
    if (!is_pointer(f, k) || ends_in(f->name, "_free")) continue;
    fill_arguments(f, a);
    if (!strcmp(f->arg[k].type, "FUNCTION"))
      a[k].f = NULL;
    else
      a[k].p = NULL;
    (void)right;
    if (may_be_null(f, k))
      expect(f, a, "NULL for", k, GrB_SUCCESS, GrB_SUCCESS);
    else
      expect(f, a, "NULL for", k, GrB_NULL_POINTER,
             is_field(f) && k > 0 ? GrB_INVALID_VALUE : GrB_NULL_POINTER);
    free_result(f);
  }
}
static void null_arguments(void **state) {
  run_on_all(call_with_null);
}

static void call_with_unmade(const function *f, const arg *right) {
  static uint64_t nothing[512]; /* as large as any object */
  arg a[MAX_ARGS];
  (void)right;
  for (int k = 0; k < f->n; k++) {
    if (!*handle_of(f, k)) continue;
    fill_arguments(f, a);
    a[k].p = nothing;
    expect(f, a, "an object never made for", k, GrB_UNINITIALIZED_OBJECT,
           is_field(f) && k > 0 ? GrB_INVALID_VALUE : GrB_UNINITIALIZED_OBJECT);
    free_result(f);
  }
}
static void uninitialized_objects(void **state) {
  run_on_all(call_with_unmade);
}

/* An object cast to another kind: a matrix or vector, and a monoid or operator. GrB_error reads what all
 * objects have. */
static void call_with_other_kind(const function *f, const arg *right) {
  arg a[MAX_ARGS];
  (void)right;
  for (int k = 0; k < f->n; k++) {
    if (!*handle_of(f, k) || ends_in(f->name, "_error")) continue;
    void *const other[] = {
        strcmp(handle_of(f, k), "GrB_Vector") ? (void *)w.right.u : (void *)w.right.A,
        strcmp(handle_of(f, k), "GrB_Monoid") ? (void *)GrB_PLUS_MONOID_INT64 : (void *)GrB_PLUS_INT64};
    for (int i = 0; i < 2; i++) {
      fill_arguments(f, a);
      a[k].p = other[i];
      expect(f, a, "another kind of object for", k, GrB_INVALID_OBJECT,
             is_field(f) && k > 0 ? GrB_INVALID_VALUE : GrB_INVALID_OBJECT);
      free_result(f);
    }
  }
}
static void other_kinds(void **state) {
  run_on_all(call_with_other_kind);
  GrB_Vector v;
  GrB_Matrix A;
  OK(GrB_Vector_new(&v, GrB_INT8, N));
  OK(GrB_Matrix_new(&A, GrB_INT8, N, N));
  assert_int_equal(GrB_Matrix_free((GrB_Matrix *)(void *)&v), GrB_INVALID_OBJECT);
  assert_int_equal(GrB_Scalar_free((GrB_Scalar *)(void *)&v), GrB_INVALID_OBJECT);
  assert_int_equal(GrB_Vector_free((GrB_Vector *)(void *)&A), GrB_INVALID_OBJECT);
  assert_int_equal(GrB_Monoid_free((GrB_Monoid *)(void *)&A), GrB_INVALID_OBJECT);
  GrB_BinaryOp op = GrB_PLUS_INT64;
  assert_int_equal(GrB_Monoid_free((GrB_Monoid *)(void *)&op), GrB_INVALID_OBJECT);
  assert_int_equal(GrB_mxm(A, NULL, NULL, (GrB_Semiring)(void *)GrB_PLUS_MONOID_INT64, A, A, NULL),
                   GrB_INVALID_OBJECT);
  assert_non_null(strstr(Grid_last_error(), "argument op is a monoid, not a semiring"));
  OK(GrB_Vector_free(&v));
  OK(GrB_Matrix_free(&A));
}

/* ---- domains, sizes, indices, empty scalars ---- */

/* Does f compute, so that the domains of its arguments must be compatible? */
static bool computes(const function *f) {
  return has_name_part(f, "apply") || has_name_part(f, "select") || has_name_part(f, "reduce") ||
         has_name_part(f, "eWise") || has_name_part(f, "mx") || has_name_part(f, "vxm") ||
         has_name_part(f, "kronecker") || has_name_part(f, "transpose") || has_name_part(f, "extract") ||
         has_name_part(f, "assign") || has_name_part(f, "build") || has_name_part(f, "setElement");
}
static void call_with_other_type(const function *f, const arg *right) {
  arg a[MAX_ARGS];
  (void)right;
  for (int k = 0; computes(f) && k < f->n; k++) {
    if (!is_container(f, k) && !*handle_of(f, k)) continue;
    if (!strcmp(handle_of(f, k), "GrB_Descriptor")) continue;
    fill_arguments(f, a);
    a[k].p = is_container(f, k) ? container(f, k, &w.other) : algebra(f, k, true);
    if (is_mask(f, k) && has_pair_type(f)) continue; /* what is other to those is a mask */
    expect(f, a, "another type for", k, GrB_DOMAIN_MISMATCH, GrB_DOMAIN_MISMATCH);
  }
}
static void other_types(void **state) {
  run_on_all(call_with_other_type);
}

/* An operand that the index list of an extract is not as long as. */
static bool size_matters(const function *f, int k) {
  if (!strcmp(handle_of(f, k), "GrB_Scalar") || !is_container(f, k)) return false;
  if (has_name_part(f, "Element") || has_name_part(f, "build") || has_name_part(f, "Tuples")) return false;
  if (has_name_part(f, "extract")) return is_mask(f, k) || k == 0;
  if (has_name_part(f, "assign_") && !is_mask(f, k))
    return false; /* a value: the list fits a larger output */
  if (has_name_part(f, "reduce"))
    return has_name_part(f, "Matrix_reduce_Monoid") || has_name_part(f, "Matrix_reduce_BinaryOp")
               ? !ends_in(f->name, "_Scalar")
               : false;
  return true;
}
static void call_with_other_size(const function *f, const arg *right) {
  arg a[MAX_ARGS];
  (void)right;
  for (int k = 0; computes(f) && k < f->n; k++) {
    if (!size_matters(f, k)) continue;
    if (ends_in(f->name, "assign") && k == 0) continue; /* the list fits a larger output */
    fill_arguments(f, a);
    a[k].p = container(f, k, &w.larger);
    expect(f, a, "another size for", k, GrB_DIMENSION_MISMATCH, GrB_DIMENSION_MISMATCH);
  }
}
static void other_sizes(void **state) {
  run_on_all(call_with_other_size);
}

static void call_with_large_index(const function *f, const arg *right) {
  arg a[MAX_ARGS];
  GrB_Index beyond[CAPACITY];
  for (GrB_Index k = 0; k < CAPACITY; k++) beyond[k] = k == 2 ? N : k;
  (void)right;
  for (int k = 0; k < f->n; k++) {
    const char *name = f->arg[k].name;
    const bool single =
        !strcmp(name, "i") || !strcmp(name, "j") || !strcmp(name, "row_index") || !strcmp(name, "col_index");
    const bool list = !strcmp(f->arg[k].type, "const GrB_Index *") && !has_name_part(f, "import");
    if (!single && !list) continue;
    fill_arguments(f, a);
    if (single)
      a[k].u = N;
    else
      a[k].p = beyond;
    expect(f, a, "a large index in", k, single ? GrB_INVALID_INDEX : GrB_INDEX_OUT_OF_BOUNDS,
           single ? GrB_INVALID_INDEX : GrB_INDEX_OUT_OF_BOUNDS);
  }
}
static void large_indices(void **state) {
  run_on_all(call_with_large_index);
}

static void call_with_empty_scalar(const function *f, const arg *right) {
  arg a[MAX_ARGS];
  (void)right;
  for (int k = 0; k < f->n; k++) {
    if (strcmp(f->arg[k].type, "const GrB_Scalar") || !ends_in(f->name, "_Scalar") || is_field(f)) continue;
    fill_arguments(f, a);
    a[k].p = w.empty.s;
    /* assigned, it is no entry */
    const GrB_Info want =
        has_name_part(f, "assign") || has_name_part(f, "setElement") ? GrB_SUCCESS : GrB_EMPTY_OBJECT;
    expect(f, a, "an empty scalar for", k, want, want);
  }
}
static void empty_scalars(void **state) {
  run_on_all(call_with_empty_scalar);
}

/* ---- allocations that fail ---- */

static int functions_run, failing, never[FUNCTIONS];

/* Objects created by each process on its own, and the communicator passed to the library. */
static bool is_local(const function *f) {
  static const char *const kinds[] = {"GrB_Type_",   "GrB_UnaryOp_",  "GrB_BinaryOp_",  "GrB_IndexUnaryOp_",
                                      "GrB_Monoid_", "GrB_Semiring_", "GrB_Descriptor_"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (has_name_part(f, kinds[k])) return true;
  return is_field(f);
}

static void fail_each_allocation(const function *f, bool alone) {
  arg a[MAX_ARGS];
  bool failed = false;
  for (int64_t k = 0; k < 4000; k += Grid_size() == 1 ? 1 : 1 + k / 2) {
    fill_arguments(f, a);
    void *made = w.made;
    const uint64_t before = hash_world(f);
    if (!alone || Grid_rank() == Grid_size() - 1) grid_mem_fail_after(k);
    GrB_Info info = f->call(a);
    grid_mem_fail_after(-1);
    assert_alike(f, info);
    if (info != GrB_OUT_OF_MEMORY) {
      free_result(f);
      break;
    }
    failed = true;
    if (hash_world(f) != before || w.made != made) report(f, "an output without memory", "", info, info);
    if (!text_names(f) && !strstr(Grid_last_error(), "memory"))
      report(f, "the text without memory", "", info, info);
    free_result(f);
    assert_true(k < 3000);
  }
  if (!alone) functions_run++, failing += failed, never[f - functions] = !failed;
}
static void try_without_memory(const function *f, bool alone) {
  const int64_t live = grid_mem_live();
  start_algebra();
  make_world(f);
  fail_each_allocation(f, alone);
  free_world();
  stop_algebra();
  if (grid_mem_live() != live) report(f, "blocks that leak", "", (GrB_Info)live, (GrB_Info)grid_mem_live());
}
static void without_memory(void **state) {
  functions_run = failing = failures = 0;
  for (int k = 0; k < FUNCTIONS; k++) {
    if (is_lifecycle_function(&functions[k]) || !is_sampled(&functions[k])) continue;
    try_without_memory(&functions[k], false);
    if (Grid_size() > 1 && !is_local(&functions[k])) try_without_memory(&functions[k], true);
  }
  assert_int_equal(failures, 0);
  if (Grid_rank() > 0) return;
  print_message("%d of %d functions ran without memory, %d of them ask for some; not run:", functions_run,
                FUNCTIONS, failing);
  for (int k = 0; k < FUNCTIONS; k++)
    if (is_lifecycle_function(&functions[k])) print_message(" %s", functions[k].name);
  print_message("\n");
  for (int k = 0; getenv("GRID_TEST_VERBOSE") && k < FUNCTIONS; k++)
    if (never[k]) print_message("asks for none: %s\n", functions[k].name);
  if (Grid_size() == 1) assert_int_equal(functions_run, FUNCTIONS - 2);
}

/* ---- GRIDBLAS_CHECK=calls: an object that is NULL on the last process alone ---- */

/* It gets its error. The others have the same, or learn at a message that it has left the call, or need none.
 * The library starts anew: what the processes know of each other may differ then. */
static void call_with_null_alone(const function *f, int k) {
  const bool is_last = Grid_rank() == Grid_size() - 1;
  arg a[MAX_ARGS];
  uint64_t code;
  fill_arguments(f, a);
  if (is_last) a[k].p = NULL;
  const GrB_Info info = f->call(a);
  do code = is_last ? (uint64_t)(int64_t)info : 0;
  while (Grid_sum(&code, 1) == GrB_PANIC); /* while others wait for messages of the call */
  const GrB_Info refused = (GrB_Info)(int64_t)code;
  if (refused >= 0 || (info != refused && info != GrB_SUCCESS && info != GrB_PANIC))
    report(f, "NULL on one process for", f->arg[k].name, refused, info);
}
static void null_alone(void **state) {
  failures = 0;
  for (int m = 0; m < FUNCTIONS; m++) {
    const function *f = &functions[m];
    if (is_lifecycle_function(f) || ends_in(f->name, "_free") || is_local(f) || !is_sampled(f)) continue;
    for (int k = 0; k < f->n; k++) {
      if (!is_container(f, k) || may_be_null(f, k)) continue;
      start_algebra(), make_world(f);
      call_with_null_alone(f, k);
      free_result(f), free_world(), stop_algebra();
      assert_int_equal(stop_on_shape(state) || start_on_shape(state), 0);
    }
  }
  assert_int_equal(failures, 0);
}

static int group_alone(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(null_alone)};
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(valid_arguments),       cmocka_unit_test(null_arguments),
      cmocka_unit_test(uninitialized_objects), cmocka_unit_test(other_types),
      cmocka_unit_test(other_sizes),           cmocka_unit_test(large_indices),
      cmocka_unit_test(empty_scalars),         cmocka_unit_test(other_kinds),
      cmocka_unit_test(without_memory),
  };
  return cmocka_run_group_tests(tests, start_on_shape, stop_on_shape);
}

/* unit_functions [alone] */
int main(int argc, char **argv) {
  return run_on_shapes(argc > 1 && !strcmp(argv[1], "alone") ? group_alone : group);
}
