/* Starting and stopping the library under test, and the settings that only gridblas has. */
#include "tests/twin/twin.h"

bool twin_newer(void) {
  const char *newer = getenv("TWIN_NEWER");
  return newer && *newer != '0';
}

#ifdef TWIN_SUITESPARSE
/* Without 7.4's pool of freed blocks, so that a write past the end of one corrupts no other. */
bool twin_start(void) {
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return false;
#ifndef TWIN_OUR_HEADER
  int64_t none[64] = {0};
  GxB_Global_Option_set(GxB_MEMORY_POOL, none);
#endif
  return true;
}
void twin_stop(void) {
  GrB_finalize();
}
bool twin_writes(void) {
  return true;
}
void twin_explain(void) {}
uint64_t twin_sum(uint64_t x) {
  return x;
}
bool twin_same(uint64_t hash) {
  (void)hash;
  return true;
}
void twin_tune(GrB_Matrix a, bool square) {
  (void)a, (void)square;
}
void twin_complete(GrB_Matrix a, GrB_Vector v) {
  if (a) GrB_Matrix_wait(a, GrB_MATERIALIZE);
  if (v) GrB_Vector_wait(v, GrB_MATERIALIZE);
}
void twin_tune_vector(GrB_Vector v, GrB_Index n) {
#ifdef TWIN_OUR_HEADER
  (void)v, (void)n;
#else
  if (n < 10000) DO(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_BITMAP));
#endif
}
bool twin_isolated(void) {
  return true;
}
void twin_fail_after(int64_t k) {
  (void)k;
}
const char *twin_error_flaw(const char *function, bool wants_numbers) {
  (void)function, (void)wants_numbers;
  return NULL;
}
#else

static int delegates = Grid_DELEGATES_AUTO, direction = Grid_DIRECTION_AUTO;
void twin_tune_vector(GrB_Vector v, GrB_Index n) {
  (void)v, (void)n;
}
void twin_complete(GrB_Matrix a, GrB_Vector v) {
  (void)a, (void)v;
}

/* With TWIN_DEVICE=cuda everything possible runs on the device; without a GPU the program exits with 77. */
static void take_device(void) {
  const char *device = getenv("TWIN_DEVICE");
  if (!device || strcmp(device, "cuda")) return;
  setenv("GRIDBLAS_SHARE_GPU", "1", 0);
  if (Grid_device_set(Grid_CUDA) == GrB_SUCCESS) return;
  if (Grid_rank() == 0) printf("skipped: %s\n", Grid_last_error());
  GrB_finalize();
  exit(77);
}

/* TWIN_GRID=RxC, TWIN_MODE=blocking, TWIN_DELEGATES=auto|off|TH, TWIN_DIRECTION=auto|push|pull */
bool twin_start(void) {
  const char *d = getenv("TWIN_DELEGATES"), *p = getenv("TWIN_DIRECTION"), *g = getenv("TWIN_GRID"),
             *m = getenv("TWIN_MODE");
  int R = 0, C = 0;
  if (d && strcmp(d, "auto")) delegates = strcmp(d, "off") ? atoi(d) : Grid_DELEGATES_OFF;
  if (p && strcmp(p, "auto")) direction = strcmp(p, "pull") ? Grid_DIRECTION_PUSH : Grid_DIRECTION_PULL;
  if (g && sscanf(g, "%dx%d", &R, &C) != 2) return false;
  const GrB_Mode mode = m && !strcmp(m, "blocking") ? GrB_BLOCKING : GrB_NONBLOCKING;
  if ((g ? Grid_init(mode, NULL, R, C) : GrB_init(mode)) == GrB_SUCCESS) {
    take_device();
    return true;
  }
  fprintf(stderr, "twin: %s\n", Grid_last_error());
  return false;
}
void twin_stop(void) {
  GrB_finalize();
}
bool twin_writes(void) {
  return Grid_rank() == 0;
}
void twin_explain(void) {
  fprintf(stderr, "twin: process %d: %s\n", Grid_rank(), Grid_last_error());
}

bool twin_isolated(void) {
  return false;
}

/* Allocation fails on all processes, or on the last one only (TWIN_FAIL_ALONE). Not possible with the shared
 * library. */
extern void grid_mem_fail_after(int64_t k) __attribute__((weak));
void twin_fail_after(int64_t k) {
  if (grid_mem_fail_after && (!getenv("TWIN_FAIL_ALONE") || Grid_rank() == Grid_size() - 1))
    grid_mem_fail_after(k);
}

const char *twin_error_flaw(const char *function, bool wants_numbers) {
  const char *text = Grid_last_error();
  const char *name = strrchr(function, '_') + 1; /* the polymorphic name is enough */
  static char flaw[400];
  bool named = text && strstr(text, name), numbers = text && strpbrk(text, "0123456789");
  if (named && (numbers || !wants_numbers)) return NULL;
  snprintf(flaw, sizeof flaw, "the text names no %s: %s", named ? "numbers" : "function",
           text ? text : "(none)");
  return flaw;
}

uint64_t twin_sum(uint64_t x) {
  Grid_sum(&x, 1);
  return x;
}

bool twin_same(uint64_t hash) {
  uint64_t v[2] = {hash, ~hash};
  Grid_max(v, 2);
  return v[0] == ~v[1];
}

void twin_tune(GrB_Matrix a, bool square) {
  if (square) DO(GrB_Matrix_set_INT32(a, delegates, Grid_DELEGATES));
  DO(GrB_Matrix_set_INT32(a, direction, Grid_DIRECTION));
}
#endif
