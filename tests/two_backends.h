/* Runs one program on two backends with the same random numbers and compares its logs, record by record and
 * entry by entry. A program is a plain function: it draws its data with draw(), calls the library and records
 * results with saw_...(). A value that the standard leaves open is recorded as FITS if it is one of those
 * allowed, so the logs of both sides must be equal. Every process runs the same program and compares its
 * local chunk of each vector; the differences are summed over the grid.
 *
 * Environment:
 *   GRID_TEST_CPU_ONLY=1         Grid_CPU is both sides: tests the programs and the comparison without a GPU
 *   GRID_TEST_SMALL=1            a tenth of the rounds, nothing large: for compute-sanitizer
 *   GRID_TEST_REPLAY=NAME:ROUND  that one round; prints the output of every step
 *   GRID_TEST_ROUNDS=K/N         every N-th round, from round K on, within an N-th of the time
 *   GRID_TEST_VERBOSE=1          names each step before it runs
 *   GRID_TEST_PLANT_ERROR=1      corrupts a record in every round: each round must differ */
#ifndef GRID_TWO_BACKENDS_H
#define GRID_TWO_BACKENDS_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit.h"
#include "tests/random_numbers.h"
#include "dist/comm/transport/shm/shm_exchange.h"
#include "gridblas.h"
#include "spmat/device/device.h"
#include "semiring/semiring.h"

/* ---- settings ------------------------------------------------------------------------------------------ */

static bool cpu_only, small_sizes, shares_gpu, oversubscribed, verbose_values, verbose, break_device;
static char replay_test[64];
static int replay_round = -1, part = 0, parts = 1;

static bool is_set(const char *name) {
  const char *text = getenv(name);
  return text && *text && strcmp(text, "0") != 0;
}

static void read_settings(void) {
  cpu_only = is_set("GRID_TEST_CPU_ONLY");
  small_sizes = is_set("GRID_TEST_SMALL");
  verbose = is_set("GRID_TEST_VERBOSE");
  break_device = is_set("GRID_TEST_PLANT_ERROR");
  if (is_set("GRID_TEST_REPLAY"))
    verbose_values = sscanf(getenv("GRID_TEST_REPLAY"), "%63[^:]:%d", replay_test, &replay_round) == 2;
  if (is_set("GRID_TEST_ROUNDS")) sscanf(getenv("GRID_TEST_ROUNDS"), "%d/%d", &part, &parts);
}

/* ---- the log of one side ------------------------------------------------------------------------------- */

typedef enum {
  EXACT,   /* the same values (floating point: equal, or both NaN) */
  CLOSE,   /* floating point may differ by `tolerance` */
  PATTERN, /* the same indices, any values */
  PARENT /* INT64: below 0 exact, else FITS on both sides; a value that does not fit is recorded unchanged */
} compare_rule;
#define FITS INT64_MAX

/* The relative difference that two orders of adding some thousand positive numbers may have: their number
 * times the unit roundoff. */
static double tolerance(GrB_Type t) {
  return t == GrB_FP32 ? 5e-4 : 1e-12;
}

typedef struct {
  char what[640]; /* the call with its arguments; the object */
  compare_rule how;
  GrB_Type type;
  uint64_t ncols; /* of a matrix, whose entry (r, c) has index r * ncols + c; 0: a vector */
  uint64_t n;
  uint64_t *at; /* ascending */
  char *val;    /* of type `type` */
} record;

static struct {
  record **at;
  int n, capacity;
} recorded[2];
static int side; /* 0: Grid_CPU; 1: Grid_CUDA */
static const char *const side_name[] = {"CPU", "CUDA"};
static uint64_t errors;        /* on this process, in the current round */
static char current_call[400]; /* the current call, for the log */

static void set_current_call(const char *format, ...) {
  va_list a;
  va_start(a, format);
  vsnprintf(current_call, sizeof current_call, format, a);
  va_end(a);
  if (verbose && Grid_rank() == 0) fprintf(stderr, "  %s: %s\n", side_name[side], current_call);
}

/* A record of up to n entries; the caller fills at and val. */
static record *add_record(const char *object, compare_rule how, GrB_Type type, uint64_t n) {
  if (recorded[side].n == recorded[side].capacity) {
    recorded[side].capacity = recorded[side].capacity ? 2 * recorded[side].capacity : 64;
    recorded[side].at = realloc(recorded[side].at, (size_t)recorded[side].capacity * sizeof(record *));
  }
  record *k = recorded[side].at[recorded[side].n++] = malloc(sizeof *k);
  *k = (record){.how = how, .type = type, .n = n};
  snprintf(k->what, sizeof k->what, "%s: %s", current_call, object);
  k->at = calloc(n + 1, sizeof *k->at);
  k->val = calloc(n + 1, type->size);
  return k;
}

static void free_records(int of_side) {
  for (int k = 0; k < recorded[of_side].n; k++)
    free(recorded[of_side].at[k]->at), free(recorded[of_side].at[k]->val), free(recorded[of_side].at[k]);
  recorded[of_side].n = 0;
}

static void record_value(const char *object, compare_rule how, GrB_Type type, const void *x) {
  memcpy(add_record(object, how, type, 1)->val, x, type->size);
}
static void record_number(const char *object, int64_t x) {
  record_value(object, EXACT, GrB_INT64, &x);
}

/* OK(call): it must succeed (GrB_NO_VALUE is no error). MAY(call): it may fail, with the same code on both
 * sides. */
#define OK(call)  record_info(call, #call, true)
#define MAY(call) record_info(call, #call, false)
static GrB_Info record_info(GrB_Info info, const char *call, bool must) {
  char text[120];
  snprintf(text, sizeof text, "what %.90s returned", call);
  record_number(text, info);
  if (must && info < 0 && errors++ < 3)
    print_message("%s, process %d: %s: %s: %s: %s\n", side_name[side], Grid_rank(), current_call, call,
                  Grid_info_name(info), Grid_last_error());
  return info;
}

/* This process's entries of v, which has the given type. */
static record *record_entries(const char *object, compare_rule how, GrB_Vector v, GrB_Type type) {
  GrB_Index size = 0, first, share = 0, n = 0;
  OK(GrB_Vector_size(&size, v));
  OK(GrB_Vector_nvals(&n, v));
  Grid_local_range(size, &first, &share);
  if (n > share) n = share;
  record *k = add_record(object, how, type, n);
  GrB_Info info = Grid_Vector_extractLocal(k->at, k->val, &k->n, v);
  if (info != GrB_SUCCESS) k->n = 0;
  OK(info);
  return k;
}

typedef struct {
  uint64_t at, k;
} position;
static int by_position(const void *a, const void *b) {
  const position *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at ? 1 : 0;
}

/* All entries of A in row-major order, on every process. */
static void record_matrix(const char *object, compare_rule how, GrB_Matrix A, GrB_Type type) {
  GrB_Index n = 0, ncols = 1;
  OK(GrB_Matrix_ncols(&ncols, A));
  OK(GrB_Matrix_nvals(&n, A));
  GrB_Index *row = calloc(n + 1, 8), *col = calloc(n + 1, 8);
  position *p = calloc(n + 1, sizeof *p);
  char *val = calloc(n + 1, type->size);
  GrB_Info info;
#define TUPLES(T, C) \
  if (type == GrB_##T) info = GrB_Matrix_extractTuples_##T(row, col, (C *)(void *)val, &n, A);
  info = type->code == GRID_T_UDT ? GrB_Matrix_extractTuples_UDT(row, col, val, &n, A) : GrB_PANIC;
  GRID_TYPES(TUPLES)
#undef TUPLES
  if (OK(info) != GrB_SUCCESS) n = 0;
  record *k = add_record(object, how, type, n);
  k->ncols = ncols;
  for (GrB_Index e = 0; e < n; e++) p[e] = (position){row[e] * ncols + col[e], e};
  qsort(p, n, sizeof *p, by_position);
  for (GrB_Index e = 0; e < n; e++) {
    k->at[e] = p[e].at;
    memcpy(k->val + e * type->size, val + p[e].k * type->size, type->size);
  }
  free(row), free(col), free(p), free(val);
}

/* ---- the comparison ------------------------------------------------------------------------------------ */

static bool alike(const record *a, const char *x, const char *y) {
  if (a->how == PATTERN) return true;
  if (a->how == PARENT) {
    int64_t v;
    memcpy(&v, x, 8);
    return (v < 0 || v == FITS) && memcmp(x, y, 8) == 0;
  }
  if (a->type != GrB_FP32 && a->type != GrB_FP64) return memcmp(x, y, a->type->size) == 0;
  double v, w;
  grid_cast(GrB_FP64, a->type)(&v, x, 8), grid_cast(GrB_FP64, a->type)(&w, y, 8);
  if (v == w || (isnan(v) && isnan(w))) return true;
  return a->how == CLOSE && fabs(v - w) <= tolerance(a->type) * fmax(fabs(v), fabs(w));
}

static const char *show(char *text, size_t capacity, GrB_Type type, const char *x) {
  int64_t whole = 0;
  double real = 0;
  if (!x) return "no entry";
  if (type->code == GRID_T_UDT) {
    for (size_t k = 0; k < type->size && 2 * k + 2 < capacity; k++) sprintf(text + 2 * k, "%02x", x[k] & 255);
    return text;
  }
  grid_cast(GrB_INT64, type)(&whole, x, 8), grid_cast(GrB_FP64, type)(&real, x, 8);
  if (type == GrB_FP32 || type == GrB_FP64)
    snprintf(text, capacity, "%.17g", real);
  else
    snprintf(text, capacity, whole == FITS ? "a value that fits" : "%lld", (long long)whole);
  return text;
}

/* Counts the entries that differ; `text` describes the first. */
static uint64_t differences(const record *a, const record *b, char *text, size_t capacity) {
  uint64_t bad = 0, total = 0, i = 0, j = 0, first = 0;
  char x_text[64] = "", y_text[64] = "", where[64];
  const char *x_show = "", *y_show = "";
  if (strcmp(a->what, b->what) != 0 || a->type != b->type) {
    snprintf(text, capacity, "%s\n  the sides part: CUDA is at %s", a->what, b->what);
    return 1;
  }
  while (i < a->n || j < b->n) {
    const bool in_a = i < a->n && (j == b->n || a->at[i] <= b->at[j]);
    const bool in_b = j < b->n && (i == a->n || b->at[j] <= a->at[i]);
    const char *x = in_a ? a->val + i * a->type->size : NULL, *y = in_b ? b->val + j * b->type->size : NULL;
    if ((!x || !y || !alike(a, x, y)) && bad++ == 0) {
      first = x ? a->at[i] : b->at[j];
      x_show = show(x_text, sizeof x_text, a->type, x);
      y_show = show(y_text, sizeof y_text, a->type, y);
    }
    i += in_a, j += in_b, total++;
  }
  if (a->ncols)
    snprintf(where, sizeof where, "(%llu, %llu)", (unsigned long long)(first / a->ncols),
             (unsigned long long)(first % a->ncols));
  else
    snprintf(where, sizeof where, "(%llu)", (unsigned long long)first);
  if (bad)
    snprintf(text, capacity, "%s, %s\n  at %s the CPU has %s, CUDA has %s; %llu of %llu entries differ",
             a->what, grid_type_name(a->type), where, x_show, y_show, (unsigned long long)bad,
             (unsigned long long)total);
  return bad;
}

/* Counts the records that differ, over all processes; each process prints its first. */
static uint64_t compare_sides(const char *title) {
  static char text[1600];
  const int n = recorded[0].n < recorded[1].n ? recorded[0].n : recorded[1].n;
  uint64_t bad = errors;
  bool printed = false;
  for (int k = 0; k < n; k++) {
    if (differences(recorded[0].at[k], recorded[1].at[k], text, sizeof text) == 0) continue;
    if (!printed) print_message("%s, process %d: step %d: %s\n", title, Grid_rank(), k, text);
    printed = true, bad++;
  }
  if (recorded[0].n != recorded[1].n) {
    if (!printed)
      print_message("%s, process %d: %d notes on the CPU, %d on CUDA\n", title, Grid_rank(), recorded[0].n,
                    recorded[1].n);
    bad++;
  }
  if (Grid_sum(&bad, 1) != GrB_SUCCESS) bad++;
  return bad;
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

static int round_now;  /* its number */
static bool wandering; /* side 1 alternates between the devices in this round */

/* Moves side 1 to a device; side 0 stays on the CPU. */
static GrB_Info to_device(int device) {
  return Grid_device_set(cpu_only || side == 0 ? Grid_CPU : device);
}
/* Objects may be used on another device than the one they were created on. */
static void change_device(void) {
  const int device = draw(8) < 3 ? Grid_CPU : Grid_CUDA;
  if (wandering) OK(to_device(device));
}

/* Where the CPU is both sides, side 1 uses the opposite direction in its products, so that the two sides
 * differ. */
static int32_t direction(int32_t variant) {
  if (!cpu_only || side == 0) return variant;
  return variant == Grid_DIRECTION_PULL ? Grid_DIRECTION_PUSH : Grid_DIRECTION_PULL;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Have all processes sent the same number of messages through shared memory? A process that has not would
 * read another message from then on. */
static bool is_shm_in_sync(void) {
  uint64_t turns[2] = {grid_shm_rounds(GRID_SET_ALL), ~grid_shm_rounds(GRID_SET_ALL)};
  return Grid_max(turns, 2) == GrB_SUCCESS && turns[0] == ~turns[1];
}

/* Both sides of one round with the same seed; returns the number of differences. */
static uint64_t run_round(const char *test, int round, void (*program)(void)) {
  char title[200];
  int R, C;
  uint64_t start = (uint64_t)round + 1;
  for (const char *c = test; *c; c++) start = start * 131 + (unsigned char)*c;
  if (recorded[0].n)
    print_message("the test before this one was cut off on %s at: %s\n", side_name[side], current_call);
  free_records(0), free_records(1);
  errors = 0, round_now = round;
  for (side = 0; side < 2; side++) {
    seed = start;
    draw(2), draw(2);
    wandering = draw_one_in(5);
    set_current_call("start");
    OK(to_device(Grid_CUDA));
    program();
    set_current_call("end");
    record_number("chance (unlike: the sides drew differently)", (int64_t)(seed >> 1));
  }
  if (break_device) recorded[1].at[recorded[1].n / 2]->at[0]++, recorded[1].at[recorded[1].n / 2]->n = 1;
  Grid_shape(&R, &C);
  snprintf(title, sizeof title, "GRID_TEST_REPLAY=%s:%d seed %llu grid %dx%d", test, round,
           (unsigned long long)start, R, C);
  uint64_t bad = compare_sides(title);
  if (!is_shm_in_sync()) {
    print_message("%s: messages through shared memory are out of step\n", title);
    bad++;
  }
  free_records(0), free_records(1);
  return bad;
}

/* Runs the program `rounds` times, or until `limit` seconds are over (a part of the rounds: that part of the
 * time). Continues after a difference, so that one run finds several. */
static void run_rounds(const char *test, int rounds, double limit, void (*program)(void)) {
  const double begin = seconds();
  int failed = 0, done = 0;
  if (small_sizes) rounds = rounds / 10 + 1;
  if (shares_gpu) limit /= oversubscribed ? 8 : 2;
  limit /= parts;
  for (int round = 0; round < rounds && failed < 10; round++) {
    uint64_t late = done > 0 && seconds() - begin > limit;
    if (round % parts != part) continue;
    if (replay_round >= 0 && (strcmp(test, replay_test) != 0 || round != replay_round)) continue;
    if (Grid_max(&late, 1) != GrB_SUCCESS || late) break;
    if (verbose && Grid_rank() == 0) fprintf(stderr, "%s round %d\n", test, round);
    if (run_round(test, round, program) != 0) failed++;
    done++;
  }
  if (Grid_rank() == 0)
    print_message("%s: %d of %d rounds, %d with differences, %.1f s\n", test, done, rounds, failed,
                  seconds() - begin);
  if (failed) fail_msg("%s: %d rounds with differences, see above", test, failed);
}

/* ---- begin and end ------------------------------------------------------------------------------------- */

/* Selects a GPU; processes share GPUs if there are too few. */
static bool take_device(void) {
  if (cpu_only) return true;
  setenv("GRIDBLAS_SHARE_GPU", "1", 0);
  if (Grid_device_set(Grid_CUDA) == GrB_SUCCESS) {
    grid_device_facts f;
    const bool known = grid_device_describe(&f) == GrB_SUCCESS;
    /* more than two processes on a GPU wait for each other at each step */
    shares_gpu = known && Grid_size() > f.count;
    oversubscribed = known && Grid_size() > 2 * f.count;
    small_sizes = small_sizes || oversubscribed;
    if (shares_gpu && Grid_rank() == 0)
      print_message("fewer GPUs than processes: they share%s\n",
                    oversubscribed ? "; an eighth of the time" : "; half of the time");
    return true;
  }
  if (Grid_rank() == 0) print_message("skipped: %s\n", Grid_last_error());
  return false;
}

static void print_fallbacks(void) {
  const char *text;
  uint64_t count;
  for (int k = 0; Grid_rank() == 0 && (text = Grid_fallback(k, &count)); k++)
    print_message("the CPU did %llu times: %s\n", (unsigned long long)count, text);
}
#endif
