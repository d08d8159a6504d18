/* SuiteSparse's fields of the library and of contexts (gridblas_gxb_objects.h). */
#include <string.h>

#include "dist/fields/context.h"
#include "dist/fields/fields.h"
#include "dist/object/burble.h"
#include "semiring/support/user_memory.h"
#include "semiring/threads/possible_threads.h"
#include "spmat/device/device.h"

/* ---- about the library ---- */

/* The compiler's name and version; builds are reproducible, so there is no date of compilation. */
#ifdef __clang__
#define COMPILER "clang " __clang_version__
#define COMPILER_IS \
  { __clang_major__, __clang_minor__, __clang_patchlevel__ }
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#define COMPILER_IS \
  { __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__ }
#else
#define COMPILER "unknown"
#define COMPILER_IS \
  { 0, 0, 0 }
#endif

static GrB_Info get_about(const grid_subject *s, const grid_field *f, const char **value) {
  (void)s;
  switch (f->field) {
    case GxB_LIBRARY_NAME:
      *value = GxB_IMPLEMENTATION_NAME;
      break;
    case GxB_LIBRARY_DATE:
      *value = GxB_IMPLEMENTATION_DATE;
      break;
    case GxB_LIBRARY_ABOUT:
      *value = GxB_IMPLEMENTATION_ABOUT;
      break;
    case GxB_LIBRARY_LICENSE:
      *value = GxB_IMPLEMENTATION_LICENSE;
      break;
    case GxB_API_DATE:
      *value = GxB_SPEC_DATE;
      break;
    case GxB_API_ABOUT:
      *value = GxB_SPEC_ABOUT;
      break;
    case GxB_API_URL:
      *value = "https://graphblas.org";
      break;
    case GxB_COMPILER_NAME:
      *value = COMPILER;
      break;
    default:
      *value = "";
  }
  return GrB_SUCCESS;
}

static GrB_Info get_version(const grid_subject *s, const grid_field *f, const void **value, size_t *bytes) {
  static const int32_t library[3] = {GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR,
                                     GxB_IMPLEMENTATION_SUB},
                       api[3] = {GxB_SPEC_MAJOR, GxB_SPEC_MINOR, GxB_SPEC_SUB}, compiler[3] = COMPILER_IS;
  (void)s;
  *bytes = sizeof library;
  *value = f->field == GxB_LIBRARY_VERSION ? library : f->field == GxB_API_VERSION ? api : compiler;
  return GrB_SUCCESS;
}

static GrB_Info get_mode(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)s, (void)f;
  *value = grid_ctx.blocking ? GrB_BLOCKING : GrB_NONBLOCKING;
  return GrB_SUCCESS;
}

static GrB_Info get_memory_function(const grid_subject *s, const grid_field *f, const void **value,
                                    size_t *bytes) {
  (void)s;
  *bytes = sizeof grid_user_memory.malloc;
  *value = f->field == GxB_MALLOC_FUNCTION    ? (const void *)&grid_user_memory.malloc
           : f->field == GxB_CALLOC_FUNCTION  ? (const void *)&grid_user_memory.calloc
           : f->field == GxB_REALLOC_FUNCTION ? (const void *)&grid_user_memory.realloc
                                              : (const void *)&grid_user_memory.free;
  return GrB_SUCCESS;
}

/* ---- diagnostics ---- */

static GrB_Info get_burble(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)s, (void)f;
  *value = grid_burble == GRID_TEXT_LINES;
  return GrB_SUCCESS;
}

static GrB_Info set_burble(const grid_subject *s, const grid_field *f, int32_t value) {
  (void)f;
  return grid_burble_set(value != 0, GRID_HEAD(s), s->call);
}

static GrB_Info get_printer(const grid_subject *s, const grid_field *f, const void **value, size_t *bytes) {
  (void)s;
  *bytes = sizeof grid_burble_output.print;
  *value = f->field == GxB_PRINTF ? (const void *)&grid_burble_output.print
                                  : (const void *)&grid_burble_output.flush;
  return GrB_SUCCESS;
}

/* The value is the function's address itself. */
static GrB_Info set_printer(const grid_subject *s, const grid_field *f, const void *value, size_t bytes) {
  (void)s, (void)bytes;
  if (f->field == GxB_PRINTF)
    memcpy(&grid_burble_output.print, &value, sizeof value);
  else
    memcpy(&grid_burble_output.flush, &value, sizeof value);
  return GrB_SUCCESS;
}

/* ---- numbers that are stored ---- */

static int32_t *find_number(const grid_subject *s, const grid_field *f) {
  switch (f->field) {
    case GxB_PRINT_1BASED:
      return &grid_global.print_1based;
    case GxB_JIT_USE_CMAKE:
      return &grid_global.use_cmake;
    case GxB_INCLUDE_READONLY_STATISTICS:
      return &grid_global.readonly_statistics;
    default:
      return s->kind == GRID_ON_Context && s->object != GxB_CONTEXT_WORLD ? &((GxB_Context)s->object)->ngpus
                                                                          : &grid_global.ngpus;
  }
}

static GrB_Info get_number(const grid_subject *s, const grid_field *f, int64_t *value) {
  *value = *find_number(s, f);
  return GrB_SUCCESS;
}

static GrB_Info set_switch(const grid_subject *s, const grid_field *f, int32_t value) {
  *find_number(s, f) = value != 0;
  return GrB_SUCCESS;
}

static GrB_Info get_ngpus_max(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)s, (void)f;
  *value = grid_device_is_on();
  return GrB_SUCCESS;
}

static GrB_Info set_ngpus(const grid_subject *s, const grid_field *f, int32_t value) {
  const int most = grid_device_is_on();
  if (value < 0 || value > most)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE, "%s: argument value is %d; field %s is 0 .. %d",
                     s->call, (int)value, f->name, most);
  *find_number(s, f) = value;
  return GrB_SUCCESS;
}

/* ---- doubles that are stored ---- */

static double *find_real(const grid_subject *s, const grid_field *f) {
  if (f->field == GxB_HYPER_SWITCH) return &grid_global.hyper_switch;
  if (f->field == GxB_HYPER_HASH) return &grid_global.hyper_hash;
  return s->kind == GRID_ON_Context && s->object != GxB_CONTEXT_WORLD ? &((GxB_Context)s->object)->chunk
                                                                      : &grid_global.chunk;
}

static GrB_Info get_real(const grid_subject *s, const grid_field *f, double *value) {
  *value = *find_real(s, f);
  return GrB_SUCCESS;
}

static GrB_Info set_real(const grid_subject *s, const grid_field *f, double value) {
  if (f->field == GxB_CHUNK && !(value >= 1)) value = 65536;
  *find_real(s, f) = value;
  return GrB_SUCCESS;
}

/* ---- arrays ---- */

static GrB_Info get_array(const grid_subject *s, const grid_field *f, const void **value, size_t *bytes) {
  static const int64_t pool[64];
  *value = f->field == GxB_BITMAP_SWITCH ? (const void *)grid_global.bitmap_switch : (const void *)pool;
  *bytes = f->field == GxB_BITMAP_SWITCH ? sizeof grid_global.bitmap_switch : sizeof pool;
  if (f->field == GxB_GPU_IDS) {
    *value = s->kind == GRID_ON_Context && s->object != GxB_CONTEXT_WORLD ? ((GxB_Context)s->object)->gpu_ids
                                                                          : grid_global.gpu_ids;
    *bytes = sizeof grid_global.gpu_ids;
  }
  return GrB_SUCCESS;
}

static GrB_Info set_array(const grid_subject *s, const grid_field *f, const void *value, size_t bytes) {
  const void *array;
  size_t most;
  get_array(s, f, &array, &most);
  if (!value && f->field == GxB_BITMAP_SWITCH) value = grid_bitmap_switch_default, bytes = most;
  if (!value) return grid_fail(GRID_HEAD(s), GrB_NULL_POINTER, "%s: argument value is NULL", s->call);
  if (f->field == GxB_MEMORY_POOL) return GrB_SUCCESS;
  const bool good = f->field == GxB_GPU_IDS ? bytes <= most && bytes % sizeof(int32_t) == 0 : bytes == most;
  if (!good)
    return grid_fail(GRID_HEAD(s), GrB_INVALID_VALUE, "%s: argument size is %zu; field %s has %zu bytes",
                     s->call, bytes, f->name, most);
  memcpy((void *)(uintptr_t)array, value, bytes);
  return GrB_SUCCESS;
}

/* ---- threads ---- */

static GrB_Info get_threads(const grid_subject *s, const grid_field *f, int64_t *value) {
  (void)f;
  *value = s->kind == GRID_ON_Context && s->object != GxB_CONTEXT_WORLD ? ((GxB_Context)s->object)->threads
                                                                        : Grid_threads(0);
  return GrB_SUCCESS;
}

/* An engaged context's number holds from the next call on. */
static GrB_Info set_threads(const grid_subject *s, const grid_field *f, int32_t value) {
  const int threads = value < 1 ? 1 : (int)value;
  (void)f;
  if (s->kind == GRID_ON_Context && s->object != GxB_CONTEXT_WORLD) {
    ((GxB_Context)s->object)->threads = grid_possible_threads(threads);
  } else {
    Grid_threads(threads);
    grid_call_keep_threads();
  }
  return GrB_SUCCESS;
}

/* ---- the table ---- */

enum { BOTH = GRID_ON_Global | GRID_ON_Context };

const grid_field grid_global_fields[] = {
    GRID_TEXT(GxB_LIBRARY_NAME, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_LIBRARY_DATE, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_LIBRARY_ABOUT, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_LIBRARY_URL, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_LIBRARY_LICENSE, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_LIBRARY_COMPILE_DATE, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_LIBRARY_COMPILE_TIME, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_API_DATE, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_API_ABOUT, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_API_URL, GRID_ON_Global, 0, get_about, NULL),
    GRID_TEXT(GxB_COMPILER_NAME, GRID_ON_Global, 0, get_about, NULL),
    GRID_BYTES(GxB_LIBRARY_VERSION, GRID_ON_Global, 0, get_version, NULL),
    GRID_BYTES(GxB_API_VERSION, GRID_ON_Global, 0, get_version, NULL),
    GRID_BYTES(GxB_COMPILER_VERSION, GRID_ON_Global, 0, get_version, NULL),
    GRID_NUMBER(GxB_MODE, GRID_ON_Global, 0, get_mode, NULL),
    GRID_NUMBER(GxB_LIBRARY_OPENMP, GRID_ON_Global, 1, grid_get_constant, NULL),
    GRID_BYTES(GxB_MALLOC_FUNCTION, GRID_ON_Global, 0, get_memory_function, NULL),
    GRID_BYTES(GxB_CALLOC_FUNCTION, GRID_ON_Global, 0, get_memory_function, NULL),
    GRID_BYTES(GxB_REALLOC_FUNCTION, GRID_ON_Global, 0, get_memory_function, NULL),
    GRID_BYTES(GxB_FREE_FUNCTION, GRID_ON_Global, 0, get_memory_function, NULL),
    GRID_NUMBER(GxB_BURBLE, GRID_ON_Global, 0, get_burble, set_burble),
    GRID_BYTES(GxB_PRINTF, GRID_ON_Global, 0, get_printer, set_printer),
    GRID_BYTES(GxB_FLUSH, GRID_ON_Global, 0, get_printer, set_printer),
    GRID_NUMBER(GxB_PRINT_1BASED, GRID_ON_Global, 0, get_number, set_switch),
    GRID_NUMBER(GxB_JIT_USE_CMAKE, GRID_ON_Global, 0, get_number, set_switch),
    GRID_NUMBER(GxB_INCLUDE_READONLY_STATISTICS, GRID_ON_Global, 0, get_number, set_switch),
    GRID_NUMBER(GxB_NGPUS, BOTH, 0, get_number, set_ngpus),
    GRID_NUMBER(GxB_NGPUS_MAX, GRID_ON_Global, 0, get_ngpus_max, NULL),
    GRID_REAL(GxB_CHUNK, BOTH, 0, get_real, set_real),
    GRID_REAL(GxB_HYPER_SWITCH, GRID_ON_Global, 0, get_real, set_real),
    GRID_REAL(GxB_HYPER_HASH, GRID_ON_Global, 0, get_real, set_real),
    GRID_BYTES(GxB_BITMAP_SWITCH, GRID_ON_Global, 0, get_array, set_array),
    GRID_BYTES(GxB_MEMORY_POOL, GRID_ON_Global, 0, get_array, set_array),
    GRID_BYTES(GxB_GPU_IDS, BOTH, 0, get_array, set_array),
    GRID_NUMBER(GxB_NTHREADS, BOTH, 0, get_threads, set_threads),
    GRID_FIELDS_END};
