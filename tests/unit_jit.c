/* Run-time compilation: every predefined type, operator, cast and monoid compiles, so do a program's texts,
 * and a broken text returns the compiler's log. The cache on disk is used but always verified. NVRTC needs no
 * GPU, so neither does this. */
#include "tests/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <dirent.h>
#include <unistd.h>

#include "semiring/builtin.h"
#include "semiring/support/tuning.h"

#ifndef GRID_HAVE_CUDA
int main(void) {
  printf("skipped: built without CUDA\n");
  return 77;
}
#else
#include "spmat/cuda/jit/jit.h"
#include "spmat/device/kernel_waits.h"

static char cache[64];

/* ---- a kernel around the functions of a preamble ------------------------------------------------------- */

/* The kernel's body is appended call by call; it enters the text as a "type" whose definition contains it. */
static char body[1 << 17];
static void call(const char *fmt, ...) {
  size_t used = strlen(body);
  va_list args;
  va_start(args, fmt);
  vsnprintf(body + used, sizeof body - used, fmt, args);
  va_end(args);
  assert_true(strlen(body) < sizeof body - 1);
}

static GrB_Info compile(grid_jit_source *s, grid_jit_code **code) {
  static char text[sizeof body + 200];
  snprintf(text, sizeof text,
           "typedef char probe_t;\nextern \"C\" __global__ void probe(char *z, const char *x, const char *y) "
           "{\n%s}",
           body);
  GrB_Type probe;
  assert_int_equal(Grid_Type_new(&probe, 1, "probe_t", text), GrB_SUCCESS);
  grid_jit_type(s, "probe_word", probe);
  GrB_Info info = grid_jit_compile(code, s, "prelude.cuh");
  GrB_Type_free(&probe);
  grid_jit_free(s);
  body[0] = 0;
  return info;
}

static void compiles(grid_jit_source *s) {
  grid_jit_code *code = NULL;
  size_t bytes = 0;
  GrB_Info info = compile(s, &code);
  if (info != GrB_SUCCESS) fail_msg("%s", grid_last_error());
  const void *image = grid_jit_image(code, &bytes);
  assert_true(bytes > 500 && memcmp(image, "\177ELF", 4) == 0);
}

/* ---- everything predefined ----------------------------------------------------------------------------- */

static void test_unary(void **state) {
  grid_jit_source s;
  char name[60];
  grid_jit_begin(&s);
#define ONE(P, NAME, OP, T, Z, E)                        \
  snprintf(name, sizeof name, "f_%s", P##_##NAME->name); \
  grid_jit_unary(&s, name, P##_##NAME);                  \
  call("*(GRID_C_%s *)z = %s(*(const GRID_C_%s *)x); z += 8;\n", #Z, name, #T);
  GRID_UNARY_OPS(ONE)
#undef ONE
  assert_false(s.absent);
  compiles(&s);
}

static void test_binary(void **state) {
  grid_jit_source s;
  char name[60];
  grid_jit_begin(&s);
#define ONE(P, NAME, OP, T, Z, UX, UY, E)                \
  snprintf(name, sizeof name, "f_%s", P##_##NAME->name); \
  grid_jit_binary(&s, name, P##_##NAME);                 \
  call("*(GRID_C_%s *)z = %s(*(const GRID_C_%s *)x, *(const GRID_C_%s *)y); z += 8;\n", #Z, name, #T, #T);
  GRID_BINARY_OPS(ONE)
#undef ONE
  assert_false(s.absent);
  compiles(&s);
}

static void test_index(void **state) {
  grid_jit_source s;
  char name[60];
  grid_jit_begin(&s);
#define ONE(P, NAME, OP, T, Y, Z, UX, E)                                                                    \
  snprintf(name, sizeof name, "f_%s", P##_##NAME->name);                                                    \
  grid_jit_index(&s, name, P##_##NAME);                                                                     \
  call("*(GRID_C_%s *)z = %s(*(const GRID_C_%s *)x, 5, 7, *(const GRID_C_%s *)y); z += 8;\n", #Z, name, #T, \
       #Y);
  GRID_INDEX_OPS(ONE)
#undef ONE
  assert_false(s.absent);
  compiles(&s);
}

static void test_casts(void **state) {
  grid_jit_source s;
  grid_jit_begin(&s);
  for (int z = 0; z < GRID_NTYPES; z++)
    for (int x = 0; x < GRID_NTYPES; x++) {
      char name[300];
      snprintf(name, sizeof name, "to_%s_%s", grid_types[z]->name, grid_types[x]->name);
      grid_jit_cast(&s, name, grid_types[z], grid_types[x]);
      call("*(GRID_C_%s *)z = %s(*(const GRID_C_%s *)x); z += 8;\n", grid_types[z]->name, name,
           grid_types[x]->name);
    }
  assert_false(s.absent);
  compiles(&s);
}

static void test_monoids(void **state) {
  grid_jit_source s;
  char name[60];
  grid_jit_begin(&s);
#define ONE(P, OP, T, ID, TERM, HAS, IDEM)                                                 \
  snprintf(name, sizeof name, "m_%s_%s", #OP, #T);                                         \
  grid_jit_monoid(&s, name, P##_##OP##_MONOID_##T);                                        \
  call("{ GRID_C_%s a = %s(*(const GRID_C_%s *)x, %s_identity());\n", #T, name, #T, name); \
  call("  if (!%s_done(a)) *(GRID_C_%s *)z = a; z += 8; }\n", name, #T);
  GRID_MONOIDS(ONE)
#undef ONE
  assert_false(s.absent);
  compiles(&s);
}

/* ---- a program's own ----------------------------------------------------------------------------------- */

typedef struct {
  double re, im;
  int32_t n;
} number;

static void add_numbers(void *z, const void *x, const void *y) {
  const number *a = x, *b = y;
  *(number *)z = (number){a->re + b->re, a->im + b->im, a->n + b->n};
}
static const char *const number_text = "typedef struct { double re, im; int32_t n; } number;";
static const char *const add_text =
    "static double sum(double a, double b) { return a + b; }\n"
    "void add_numbers(number *z, const number *x, const number *y) {\n"
    "  z->re = sum(x->re, y->re); z->im = sum(x->im, y->im); z->n = x->n + y->n;\n}";

static void double_value(void *z, const void *x) {
  *(double *)z = 2 * *(const double *)x;
}
static void index_distance(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y) {
  *(bool *)z = i > j + (GrB_Index) * (const int32_t *)y && *(const float *)x > 0;
}

static void test_user_defined(void **state) {
  GrB_Type type;
  GrB_BinaryOp add;
  GrB_UnaryOp twice;
  GrB_IndexUnaryOp far_op;
  GrB_Monoid sum;
  number zero = {0, 0, 0};
  assert_int_equal(Grid_Type_new(&type, sizeof(number), "number", number_text), GrB_SUCCESS);
  assert_int_equal(Grid_BinaryOp_new(&add, add_numbers, type, type, type, "add_numbers", add_text),
                   GrB_SUCCESS);
  assert_int_equal(Grid_UnaryOp_new(&twice, double_value, GrB_FP64, GrB_FP64, "twice",
                                    "void twice(double *z, const double *x) { *z = 2 * *x; }"),
                   GrB_SUCCESS);
  assert_int_equal(
      Grid_IndexUnaryOp_new(&far_op, index_distance, GrB_BOOL, GrB_FP32, GrB_INT32, "index_distance",
                            "void index_distance(bool *z, const float *x, GrB_Index i, GrB_Index j, const "
                            "int32_t *y) { *z = i > j + (GrB_Index)*y && *x > 0; }"),
      GrB_SUCCESS);
  assert_int_equal(GrB_Monoid_new_UDT(&sum, add, &zero), GrB_SUCCESS);
  grid_jit_source s;
  grid_jit_begin(&s);
  grid_jit_type(&s, "Z", type);
  grid_jit_type(&s, "Z_again", type);
  grid_jit_monoid(&s, "add", sum);
  grid_jit_binary(&s, "other", add); /* the same text under another name */
  grid_jit_unary(&s, "two", twice);
  grid_jit_index(&s, "far", far_op);
  grid_jit_cast(&s, "same", type, type);
  assert_false(s.absent);
  call("Z_again a = add(*(const Z *)x, other(add_identity(), same(*(const Z *)y)));\n");
  call("a.re = two(a.re); if (far(1.f, 3, 4, 5) || add_done(a)) a.n = 0; *(Z *)z = a;\n");
  compiles(&s);
  GrB_Monoid_free(&sum);
  GrB_BinaryOp_free(&add);
  GrB_UnaryOp_free(&twice);
  GrB_IndexUnaryOp_free(&far_op);
  GrB_Type_free(&type);
}

/* A type without a definition is bytes, an operator without one is absent, types that do not go together too.
 */
static void test_without_text(void **state) {
  GrB_Type type;
  GrB_BinaryOp add;
  assert_int_equal(GrB_Type_new(&type, 12), GrB_SUCCESS);
  assert_int_equal(GrB_BinaryOp_new(&add, add_numbers, type, type, type), GrB_SUCCESS);
  grid_jit_source s;
  grid_jit_begin(&s);
  grid_jit_type(&s, "A", type);
  grid_jit_type(&s, "B", type);
  call("B b = *(const A *)x; *(A *)z = b; static_assert(sizeof(A) == 12, \"\");\n");
  assert_false(s.absent);
  compiles(&s);

  void *kernel = NULL;
  uint64_t count = 0;
  grid_fallback_reset();
  grid_jit_begin(&s);
  grid_jit_binary(&s, "add", add);
  assert_true(s.absent);
  assert_int_equal(grid_jit_kernel(&kernel, &s, "prelude.cuh", "probe"), GRID_UNSUPPORTED);
  assert_non_null(grid_fallback_text(0, &count));
  assert_int_equal(count, 1);
  grid_jit_begin(&s);
  grid_jit_cast(&s, "cast", type, GrB_FP64);
  assert_true(s.absent);
  grid_jit_free(&s);
  GrB_BinaryOp_free(&add);
  GrB_Type_free(&type);
}

static void test_broken(void **state) {
  GrB_UnaryOp op;
  grid_jit_source s;
  grid_jit_code *code = NULL;
  void *kernel = NULL;
  assert_int_equal(
      Grid_UnaryOp_new(&op, double_value, GrB_FP64, GrB_FP64, "broken_op",
                       "void broken_op(double *z, const double *x) {\n  *z = no_such_thing(*x);\n}"),
      GrB_SUCCESS);
  for (int again = 0; again < 2; again++) { /* the second time it is cached */
    const uint64_t failed = grid_jit_count().failed;
    grid_jit_begin(&s);
    grid_jit_unary(&s, "f", op);
    assert_int_equal(grid_jit_compile(&code, &s, "prelude.cuh"), GrB_INVALID_VALUE);
    assert_non_null(strstr(grid_last_error(), "broken_op(2)"));
    assert_non_null(strstr(grid_last_error(), "no_such_thing"));
    assert_int_equal(grid_jit_count().failed - failed, again == 0);
    grid_fallback_reset();
    assert_int_equal(grid_jit_kernel(&kernel, &s, "prelude.cuh", "f"), GRID_UNSUPPORTED);
    assert_non_null(strstr(grid_fallback_text(0, NULL), "broken_op"));
  }
  GrB_UnaryOp_free(&op);

  /* a definition whose size is not the program's */
  GrB_Type type;
  assert_int_equal(Grid_Type_new(&type, 8, "number", number_text), GrB_SUCCESS);
  grid_jit_begin(&s);
  grid_jit_type(&s, "Z", type);
  assert_int_equal(grid_jit_compile(&code, &s, "prelude.cuh"), GrB_INVALID_VALUE);
  assert_non_null(strstr(grid_last_error(), "size of number"));
  grid_jit_free(&s);
  GrB_Type_free(&type);
}

static void test_arguments(void **state) {
  GrB_Type type = NULL;
  GrB_UnaryOp op = NULL;
  assert_int_equal(Grid_Type_new(&type, 8, NULL, "typedef double t;"), GrB_NULL_POINTER);
  assert_int_equal(Grid_Type_new(&type, 8, "no name", "typedef double t;"), GrB_INVALID_VALUE);
  assert_int_equal(Grid_Type_new(&type, 0, "t", "typedef double t;"), GrB_INVALID_VALUE);
  assert_int_equal(Grid_UnaryOp_new(&op, double_value, GrB_FP64, GrB_FP64, "2", "void"), GrB_INVALID_VALUE);
  assert_int_equal(Grid_UnaryOp_new(&op, NULL, GrB_FP64, GrB_FP64, "f", "void"), GrB_NULL_POINTER);
  assert_null(type);
  assert_null(op);
  assert_int_equal(Grid_UnaryOp_new(&op, double_value, GrB_FP64, GrB_FP64, "only a name", NULL), GrB_SUCCESS);
  assert_string_equal(op->name, "only a name");
  GrB_UnaryOp_free(&op);
}

/* ---- the cache ----------------------------------------------------------------------------------------- */

/* Path of the one file in the cache's folder; false: there is not exactly one. */
static bool only_file(char *path, size_t capacity) {
  DIR *d = opendir(cache);
  int n = 0;
  if (!d) return false;
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, capacity, "%.60s/%.120s", cache, e->d_name);
    n++;
  }
  closedir(d);
  return n == 1;
}

static void empty_cache(void) {
  char path[256];
  DIR *d = opendir(cache);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%.60s/%.120s", cache, e->d_name);
    unlink(path);
  }
  if (d) closedir(d);
}

static grid_jit_counts run_small(void) {
  grid_jit_source s;
  const grid_jit_counts before = grid_jit_count();
  grid_jit_begin(&s);
  grid_jit_unary(&s, "f", GrB_ABS_FP64);
  call("*(double *)z = f(*(const double *)x);\n");
  compiles(&s);
  grid_jit_counts now = grid_jit_count();
  return (grid_jit_counts){now.from_memory - before.from_memory, now.from_disk - before.from_disk,
                           now.compiled - before.compiled, now.failed - before.failed};
}

static void test_cache(void **state) {
  char path[256];
  grid_jit_close();
  empty_cache();
  assert_int_equal(run_small().compiled, 1);
  assert_int_equal(run_small().from_memory, 1);
  grid_jit_close();
  assert_int_equal(run_small().from_disk, 1);
  assert_true(only_file(path, sizeof path));

  setenv("GRIDBLAS_CACHE", "off", 1);
  grid_jit_close();
  assert_int_equal(run_small().compiled, 1);
  setenv("GRIDBLAS_CACHE", "/proc/no/such/folder", 1);
  grid_jit_close();
  assert_int_equal(run_small().compiled, 1);

  /* prebuilt kernels are used where the user's cache is empty, unless others may write to their folder */
  setenv("GRIDBLAS_KERNELS", cache, 1);
  grid_jit_close();
  assert_int_equal(run_small().from_disk, 1);
  chmod(cache, 0777);
  grid_jit_close();
  assert_int_equal(run_small().compiled, 1);
  chmod(cache, 0755);
  setenv("GRIDBLAS_CACHE", "off", 1);
  grid_jit_close();
  assert_int_equal(run_small().compiled, 1);
  chmod(cache, 0700);
  setenv("GRIDBLAS_KERNELS", "", 1);
  setenv("GRIDBLAS_CACHE", cache, 1);
}

/* Each compute capability has its own code; for one later than those of NVRTC it is PTX. */
static void test_capabilities(void **state) {
  static const int capability[] = {80, 89, 90, 100, 120};
  grid_jit_close();
  empty_cache();
  for (int round = 0; round < 2; round++) {
    for (size_t k = 0; k < sizeof capability / sizeof *capability; k++) {
      grid_jit_compile_for(capability[k]);
      const grid_jit_counts n = run_small();
      assert_int_equal(n.compiled, round == 0);
      assert_int_equal(n.from_disk, round == 1);
    }
    grid_jit_close();
  }
  grid_jit_source s;
  grid_jit_code *code = NULL;
  size_t bytes;
  grid_jit_begin(&s);
  grid_jit_compile_for(990);
  assert_int_equal(grid_jit_compile(&code, &s, "prelude.cuh"), GrB_SUCCESS);
  assert_non_null(strstr(grid_jit_image(code, &bytes), ".version"));
  grid_jit_free(&s);
  grid_jit_begin(&s);
  grid_jit_compile_for(10);
  assert_int_equal(grid_jit_compile(&code, &s, "prelude.cuh"), GrB_INVALID_VALUE);
  assert_non_null(strstr(grid_last_error(), "does not compile for compute capability 1.0"));
  grid_jit_free(&s);
  grid_jit_compile_for(90);
}

static char *read_whole_file(const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  char *all = malloc(1 << 22);
  assert_non_null(f);
  *bytes = fread(all, 1, 1 << 22, f);
  fclose(f);
  return all;
}

static void write_whole_file(const char *path, const char *all, size_t bytes) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(all, 1, bytes, f), bytes);
  fclose(f);
}

/* Whatever is wrong with the file, the kernel is recompiled and the file replaced. */
static void test_damage(void **state) {
  char path[256];
  size_t bytes;
  grid_jit_close();
  empty_cache();
  run_small();
  assert_true(only_file(path, sizeof path));
  char *good = read_whole_file(path, &bytes), *bad = malloc(bytes + 1);
  for (int kind = 0; kind < 7; kind++) {
    size_t n = bytes;
    memcpy(bad, good, bytes);
    bad[bytes] = 0;
    switch (kind) {
      case 0:
        n = 0;
        break;
      case 1:
        n = 20;
        break;
      case 2:
        n = bytes - 1;
        break;
      case 3:
        n = bytes + 1;
        break;
      case 4:
        bad[bytes - 9] ^= 4;
        break; /* in the code */
      case 5:
        bad[200] ^= 1;
        break; /* in the key */
      default:
        memset(bad + 8, 0xff, 24);
        break; /* sizes beyond reason */
    }
    write_whole_file(path, bad, n);
    grid_jit_close();
    assert_int_equal(run_small().compiled, 1);
    grid_jit_close();
    assert_int_equal(run_small().from_disk, 1);
  }
  free(good);
  free(bad);
}

/* Out of memory at any step is an error, and leaves nothing behind. */
static void test_memory(void **state) {
  grid_jit_close();
  int64_t live = grid_mem_live();
  GrB_Info info = GrB_OUT_OF_MEMORY;
  for (int k = 0; info != GrB_SUCCESS; k++) {
    grid_jit_source s;
    grid_jit_code *code;
    assert_true(k < 100);
    grid_mem_fail_after(k);
    grid_jit_begin(&s);
    grid_jit_unary(&s, "f", GrB_ABS_FP64);
    info = grid_jit_compile(&code, &s, "prelude.cuh");
    grid_mem_fail_after(-1);
    grid_jit_free(&s);
    assert_true(info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY);
    if (info != GrB_SUCCESS) assert_int_equal(grid_mem_live(), live);
  }
  grid_jit_close();
  assert_int_equal(grid_mem_live(), live);
}

/* ---- compiled in a thread ------------------------------------------------------------------------------ */

static void source(grid_jit_source *s, const char *more) {
  grid_jit_begin(s);
  grid_jit_unary(s, "f", GrB_AINV_FP64);
  grid_jit_append(s, "%s", more);
}
static grid_jit_request *order(const char *more, bool cached) {
  grid_jit_source s;
  source(&s, more);
  return grid_jit_request_begin(&s, "prelude.cuh", cached);
}

/* In a process that has not loaded NVRTC: kernels that are on disk are found, and nothing is compiled. */
static void check_without_nvrtc(void) {
  void *kernel = NULL;
  grid_jit_source s;
  setenv("GRIDBLAS_NVRTC", "off", 1);
  grid_jit_begin(&s);
  assert_int_equal(grid_jit_kernel(&kernel, &s, "prelude.cuh", "none"), GRID_UNSUPPORTED);
  assert_non_null(strstr(grid_last_error(), "cannot be compiled: GRIDBLAS_NVRTC is off"));
  assert_non_null(strstr(grid_fallback_text(0, &(uint64_t){0}), "without NVRTC"));
  assert_null(order("/* compiled */", false));
}

/* The first test: a process loads NVRTC once. */
static void test_without_nvrtc(void **state) {
  int status = 1;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    check_without_nvrtc();
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_orders(void **state) {
  const int64_t live = (grid_jit_close(), grid_mem_live());
  grid_jit_source s;
  grid_jit_code *code;
  void *kernel = NULL;
  empty_cache();
  assert_null(order("", true)); /* it would have to be compiled */
  const uint64_t compiled = grid_jit_count().compiled;
  grid_jit_request *o = order("", false);
  assert_non_null(o);
  run_small();                                                                  /* meanwhile */
  assert_int_not_equal(grid_jit_request_take(o, &kernel, "none"), GrB_SUCCESS); /* no GPU, no such function */
  assert_int_equal(grid_jit_count().compiled, compiled + 2);
  source(&s, "");
  assert_int_equal(grid_jit_compile(&code, &s, "prelude.cuh"), GrB_SUCCESS);
  grid_jit_free(&s);
  assert_int_equal(grid_jit_count().compiled, compiled + 2); /* it is cached in memory */

  grid_jit_close();
  o = order("", true); /* and on disk */
  assert_non_null(o);
  assert_true(grid_jit_request_is_done(o));

  o = order("static_assert(false, \"no\");\n", false);
  assert_non_null(o);
  assert_int_equal(grid_jit_request_take(o, &kernel, "none"), GRID_UNSUPPORTED);
  assert_null(kernel);

  empty_cache();
  assert_non_null(order("// never taken\n", false));
  o = order("// wanted by two\n", false);
  source(&s, "// wanted by two\n");
  assert_int_equal(grid_jit_compile(&code, &s, "prelude.cuh"), GrB_SUCCESS);
  grid_jit_free(&s);
  assert_int_not_equal(grid_jit_request_take(o, &kernel, "none"), GrB_SUCCESS);
  grid_jit_close();
  assert_int_equal(grid_mem_live(), live);
}

/* What a call of so many bytes gets for a kernel that is not there; no GPU: an error in place of the kernel.
 */
static GrB_Info get(const char *more, uint64_t bytes) {
  grid_jit_source s;
  void *kernel = NULL;
  source(&s, more);
  return grid_jit_kernel_or_cpu(&kernel, &s, "prelude.cuh", "none", bytes);
}

/* A small call leaves its kernel to the CPU until a thread has compiled it; a large one waits. */
static void test_small_calls(void **state) {
  const int64_t live = (grid_jit_close(), grid_mem_live());
  empty_cache();
  grid_tune.compile_wait_bytes = 1000;
  grid_fallback_reset();
  assert_int_not_equal(get("// of several processes\n", 0), GRID_UNSUPPORTED);
  grid_device_allow_cpu_meanwhile(true);
  const uint64_t compiled = grid_jit_count().compiled;
  GrB_Info info;
  int calls = 0;
  while ((info = get("// small\n", 999)) == GRID_UNSUPPORTED) calls++, usleep(1000);
  assert_int_not_equal(info, GrB_SUCCESS);
  assert_int_equal(grid_jit_count().compiled, compiled + 1);
  uint64_t count = 0;
  assert_non_null(strstr(grid_fallback_text(0, &count), "the CPU computes while the kernel is compiled"));
  assert_true(calls > 0 && count == (uint64_t)calls);
  assert_int_not_equal(get("// large\n", 1000), GRID_UNSUPPORTED);
  assert_int_equal(grid_jit_count().compiled, compiled + 2);
  assert_int_equal(get("// waited for\n", 0), GRID_UNSUPPORTED);
  assert_int_not_equal(get("// waited for\n", 1000), GRID_UNSUPPORTED);
  assert_int_equal(grid_jit_count().compiled, compiled + 3);

  grid_jit_source s;
  void *kernel = NULL;
  source(&s, "// nowhere\n");
  assert_int_equal(grid_jit_cached_kernel(&kernel, &s, "prelude.cuh", "none"), GRID_UNSUPPORTED);
  source(&s, "// large\n");
  assert_int_not_equal(grid_jit_cached_kernel(&kernel, &s, "prelude.cuh", "none"), GRID_UNSUPPORTED);
  assert_int_equal(grid_jit_count().compiled, compiled + 3);

  /* one that does not compile is not begun again */
  const uint64_t failed = grid_jit_count().failed;
  for (int k = 0; grid_jit_count().failed == failed; k++)
    assert_int_equal(get("static_assert(false, \"no\");\n", 0), GRID_UNSUPPORTED), usleep(1000);
  assert_int_equal(get("static_assert(false, \"no\");\n", 0), GRID_UNSUPPORTED);
  assert_int_equal(grid_jit_count().failed, failed + 1);

  /* closed meanwhile: the kernels of all threads are on disk */
  for (int k = 0; k < 3; k++)
    assert_int_equal(get(k == 0 ? "// a\n" : k == 1 ? "// b\n" : "// c\n", 0), GRID_UNSUPPORTED);
  grid_jit_close();
  assert_int_equal(grid_mem_live(), live);
  const uint64_t from_disk = grid_jit_count().from_disk;
  assert_int_not_equal(get("// c\n", 0), GRID_UNSUPPORTED);
  assert_int_equal(grid_jit_count().from_disk, from_disk + 1);
  grid_device_allow_cpu_meanwhile(false);
  grid_tune.compile_wait_bytes = 0;
}

/* A child that is forked meanwhile has no such thread: it neither waits for one nor compiles. */
static void test_fork(void **state) {
  int status = 1;
  grid_tune.compile_wait_bytes = 1000;
  grid_device_allow_cpu_meanwhile(true);
  assert_int_equal(get("// forked meanwhile\n", 0), GRID_UNSUPPORTED);
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(60);
    (void)get("// forked meanwhile\n", 1000); /* the thread may have ended before */
    const bool good = get("// another\n", 0) == GRID_UNSUPPORTED;
    exit(good ? 0 : 1); /* with exit handlers */
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  assert_int_not_equal(get("// forked meanwhile\n", 1000), GRID_UNSUPPORTED);
  grid_device_allow_cpu_meanwhile(false);
  grid_tune.compile_wait_bytes = 0;
}

/* A program that ends so many milliseconds after a kernel was ordered, without a word to the library. */
static int leave(const char *after) {
  grid_semiring_init();
  setenv("GRIDBLAS_CACHE", "off", 1);
  if (!order("// left behind\n", false)) return 1;
  usleep((unsigned)strtoul(after, NULL, 10) * 1000);
  return 0;
}

static void test_exit(void **state) {
  char self[4096], command[sizeof self + 40];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  assert_true(n > 0);
  self[n] = 0;
  for (int ms = 0; ms <= 80; ms += 8) {
    snprintf(command, sizeof command, "'%s' leave %d", self, ms);
    assert_int_equal(system(command), 0);
  }
}

int main(int argc, char **argv) {
  if (argc == 3) return leave(argv[2]);
  grid_semiring_init();
  snprintf(cache, sizeof cache, "/tmp/grid_jit_XXXXXX");
  if (!mkdtemp(cache)) return 1;
  setenv("GRIDBLAS_KERNELS", "", 1); /* no others */
  setenv("GRIDBLAS_CACHE", cache, 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_without_nvrtc), cmocka_unit_test(test_unary),
      cmocka_unit_test(test_binary),        cmocka_unit_test(test_index),
      cmocka_unit_test(test_casts),         cmocka_unit_test(test_monoids),
      cmocka_unit_test(test_user_defined),  cmocka_unit_test(test_without_text),
      cmocka_unit_test(test_broken),        cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_cache),         cmocka_unit_test(test_capabilities),
      cmocka_unit_test(test_damage),        cmocka_unit_test(test_memory),
      cmocka_unit_test(test_orders),        cmocka_unit_test(test_small_calls),
      cmocka_unit_test(test_fork),          cmocka_unit_test(test_exit)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  grid_jit_close();
  empty_cache();
  rmdir(cache);
  return failed;
}
#endif
