/* Vector kernels that are deferred and fused (spmat/cuda/vector/fused.c), without a GPU, on a device that
 * records the launches. Each deferred call must be launched exactly once, in program order, and before any
 * later call gets the stream. */
#include "tests/unit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmat/cuda/device/stream.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/vec_source.h"

/* ---- the device ---------------------------------------------------------------------------------------- */

/* A kernel is a row here: of one call, or of those that were fused. */
enum { KINDS = 5, CAPACITY = 400, LONG = 5000 };
typedef struct {
  int n, of[GRID_TALLY_ACCUMULATORS];
} fake_kernel;
static fake_kernel kernels[CAPACITY];
static int kernels_n;
static char texts[KINDS][8]; /* of the single ones */

/* The arguments of a call: its number, the array it writes, and an array of which it reads one value. */
typedef struct {
  grid_vec_args a;
  int number;
  const void *to, *one[2];
} __attribute__((aligned(16))) step;

static int launched[LONG], launched_n, fused_n; /* the numbers of passes, in their order */
static uint64_t uses;
static void (*pending_close)(void);
static bool launch_fails, fused_fails; /* every launch does; those of several passes */
static grid_tally_accumulator accumulators[GRID_TALLY_ACCUMULATORS];

static void fake_holds(void (*launch)(void)) {
  pending_close = launch;
}
static uint64_t fake_uses(void) {
  return uses;
}
static struct CUstream_st *fake_stream(void) {
  void (*launch)(void) = pending_close;
  uses++;
  pending_close = NULL;
  if (launch) launch();
  return NULL;
}
static void (*closing)(void);
static void fake_at_close(void (*f)(void)) {
  closing = f;
}

static GrB_Info fake_launch(void *which, unsigned blocks, unsigned threads, void **args, const char *what) {
  const fake_kernel *k = which;
  const step *s = args[0];
  (void)blocks, (void)threads, (void)what;
  fake_stream();
  if (launch_fails || (fused_fails && k->n > 1)) return GrB_OUT_OF_MEMORY;
  fused_n += k->n > 1;
  for (int p = 0; p < k->n; p++) {
    assert_int_equal(s[p].a.n, s[0].a.n);
    assert_ptr_equal(s[p].a.u, texts[k->of[p]]); /* it has the types that the kernel was compiled for */
    if (s[p].a.tally.slot && k->n > 1)
      for (int q = 0; q < p; q++)
        assert_true(!s[q].a.tally.slot || s[q].a.tally.accumulator != s[p].a.tally.accumulator);
    for (int q = 0; q < p; q++)
      for (int u = 0; u < 2; u++) {
        assert_true(!s[q].one[u] || s[q].one[u] != s[p].to);
        assert_true(!s[p].one[u] || s[p].one[u] != s[q].to);
      }
    launched[launched_n++] = s[p].number;
  }
  return GrB_SUCCESS;
}

/* ---- its compiler: ready after some polls -------------------------------------------------------------- */

static fake_kernel ordered;
static int polls, wait_for, orders, ended;
static bool on_disk, no_order; /* all calls are queued; none can be launched */
static GrB_Info outcome;       /* of taking it */

static const char *fake_text_of(const void *which) {
  return texts[((const fake_kernel *)which)->of[0]];
}
static bool fake_fused(grid_jit_source *s, const char *const *text, int n) {
  *s = (grid_jit_source){0};
  ordered = (fake_kernel){.n = n};
  for (int k = 0; k < n; k++) ordered.of[k] = (int)(text[k] - texts[0]) / (int)sizeof texts[0];
  return true;
}
static grid_jit_request *fake_begin(grid_jit_source *s, const char *file, bool cached) {
  (void)s, (void)file;
  if (no_order || (cached && !on_disk)) return NULL;
  polls = 0;
  orders++;
  return (grid_jit_request *)&ordered;
}
static bool fake_done(const grid_jit_request *o) {
  (void)o;
  return polls++ >= wait_for;
}
static GrB_Info fake_take(grid_jit_request *o, void **which, const char *function) {
  (void)o, (void)function;
  ended++;
  if (outcome != GrB_SUCCESS) return outcome;
  kernels[kernels_n] = ordered;
  *which = &kernels[kernels_n++];
  return GrB_SUCCESS;
}
static void *fake_write_kernel(size_t size) {
  (void)size;
  return NULL;
}
static void *fake_bits_kernel(void) {
  return NULL;
}
static void fake_source_write(grid_jit_source *s, GrB_Type c, GrB_Type t, GrB_BinaryOp accum) {
  (void)s, (void)c, (void)t, (void)accum;
}
static unsigned fake_blocks(uint64_t n) {
  return (unsigned)n;
}

#define grid_cuda_set_flush        fake_holds
#define grid_cuda_stream_use_count fake_uses
#define grid_cuda_stream           fake_stream
#define grid_cuda_register_close   fake_at_close
#define grid_jit_launch            fake_launch
#define grid_jit_text_of           fake_text_of
#define grid_source_write          fake_source_write
#define grid_source_fused          fake_fused
#define grid_jit_request_begin     fake_begin
#define grid_jit_request_is_done   fake_done
#define grid_jit_request_take      fake_take
#define grid_cuda_bits_kernel      fake_bits_kernel
#define grid_cuda_write_kernel     fake_write_kernel
#define grid_cuda_tile_blocks      fake_blocks
#define grid_pass_run              tried_pass_run
#define grid_fusion_get_counts     tried_fusion_get_counts
#define grid_fusion_reset          tried_fusion_reset
#include "spmat/cuda/vector/fused.c"
#include "tests/random_numbers.h"

/* ---- programs ------------------------------------------------------------------------------------------ */

static int asked_for; /* passes */
static grid_slot slot;
static char arrays[4];

static GrB_Info pass(int kind, uint64_t n, const void *to, const void *one) {
  step s = {
      .a = {.n = n, .u = (const uint32_t *)texts[kind], .tally = {accumulators, kind % 2 ? &slot : NULL, 1}},
      .number = asked_for++,
      .to = to,
      .one = {NULL, one}};
  return grid_pass_run(GRID_PASS_OF(&kernels[kind], s, "a pass", to, {NULL, one}));
}

static void begin(void) {
  if (closing) closing();
  closing = NULL;
  memset(kernels, 0, sizeof kernels);
  for (int k = 0; k < KINDS; k++) kernels[k] = (fake_kernel){1, {k}};
  kernels_n = KINDS;
  launched_n = asked_for = fused_n = orders = ended = 0;
  launch_fails = fused_fails = no_order = false, on_disk = true, wait_for = 2, outcome = GrB_SUCCESS;
}

/* The stream is requested: all deferred calls have been launched, in order. */
static void check_all_outputs(void) {
  fake_stream();
  assert_int_equal(launched_n, asked_for);
  for (int k = 0; k < launched_n; k++) assert_int_equal(launched[k], k);
}

static void repeated_loop(const int *kinds, int n, int times) {
  for (int t = 0; t < times; t++) {
    for (int k = 0; k < n; k++) assert_int_equal(pass(kinds[k], 100, NULL, NULL), GrB_SUCCESS);
    check_all_outputs();
  }
}

/* A loop of four calls, and a read: fused after some rounds, one launch a round. */
static void loop(void **state) {
  const int kinds[] = {0, 1, 2, 1};
  begin();
  repeated_loop(kinds, 4, 31);
  assert_int_equal(orders, 0);
  repeated_loop(kinds, 4, 4); /* requested after the 32nd round, ready after two polls */
  assert_int_equal(orders, 1);
  fused_n = 0;
  repeated_loop(kinds, 4, 50);
  assert_int_equal(fused_n, 50);
  assert_int_equal(orders, 1);
}

/* ... later, where it has to be compiled. */
static void compiled(void **state) {
  const int kinds[] = {0, 1, 2, 1};
  begin();
  on_disk = false;
  repeated_loop(kinds, 4, 32 * 32 - 1);
  assert_int_equal(orders, 0);
  repeated_loop(kinds, 4, 10);
  assert_int_equal(orders, 1);
  assert_true(fused_n > 0);
}

/* The loop's start followed by another call; no read between rounds; another length; a single call. */
static void partial_match(void **state) {
  const int kinds[] = {0, 1, 2}, other[] = {0, 1, 3}, twice[] = {0, 1, 2, 0, 1};
  begin();
  repeated_loop(kinds, 3, 40);
  fused_n = 0;
  repeated_loop(other, 3, 5);
  assert_int_equal(fused_n, 0);
  repeated_loop(twice, 5, 5);
  assert_int_equal(fused_n, 5);
  pass(0, 100, NULL, NULL), pass(1, 100, NULL, NULL), pass(2, 101, NULL, NULL);
  check_all_outputs();
  pass(0, 100, NULL, NULL);
  check_all_outputs();
  assert_int_equal(fused_n, 5);
}

/* A call that writes what another one's threads all read is not fused with it. */
static void dependent_pass_not_fused(void **state) {
  const int kinds[] = {0, 1, 2};
  begin();
  repeated_loop(kinds, 3, 40);
  fused_n = 0;
  pass(0, 100, &arrays[0], &arrays[1]), pass(1, 100, &arrays[2], NULL), pass(2, 100, &arrays[3], NULL);
  check_all_outputs();
  assert_int_equal(fused_n, 1);
  pass(0, 100, &arrays[0], &arrays[1]), pass(1, 100, &arrays[1], NULL), pass(2, 100, &arrays[3], NULL);
  check_all_outputs();
  assert_int_equal(fused_n, 1); /* the launch itself would have noticed */
  pass(0, 100, &arrays[0], NULL), pass(1, 100, &arrays[1], &arrays[0]), pass(2, 100, &arrays[3], NULL);
  check_all_outputs();
  assert_int_equal(fused_n, 1);
}

/* Compilation failures are tried once, and no call is lost. */
static void kernel_failure(void **state) {
  const int kinds[] = {3, 2}, other[] = {2, 3};
  const GrB_Info outcomes[] = {GRID_UNSUPPORTED, GrB_OUT_OF_MEMORY, GrB_PANIC};
  for (int k = 0; k < 3; k++) {
    begin();
    outcome = outcomes[k];
    repeated_loop(kinds, 2, 400);
    assert_int_equal(orders, 1);
    no_order = true;
    repeated_loop(other, 2, 1200);
    assert_int_equal(fused_n, 0);
  }
}

/* A fused launch that fails is replaced by single launches, and not tried again. A deferred call whose launch
 * fails after it has returned is reported by the device's next wait. */
static void failing(void **state) {
  const int kinds[] = {0, 1};
  begin();
  repeated_loop(kinds, 2, 31);
  fused_fails = true;
  repeated_loop(kinds, 2, 60);
  assert_int_equal(orders, 1);
  begin();
  repeated_loop(kinds, 2, 40);
  assert_int_equal(grid_device_check_failed(), GrB_SUCCESS);
  assert_int_equal(pass(0, 100, NULL, NULL), GrB_SUCCESS);
  launch_fails = true;
  fake_stream();
  launch_fails = false;
  assert_int_equal(grid_device_check_failed(), GrB_PANIC);
  assert_int_equal(grid_device_wait(), GrB_PANIC);
  grid_device_close();
  assert_int_equal(grid_device_check_failed(), GrB_SUCCESS);
}

/* Closed while a kernel is being compiled: nothing waits for it here. */
static void close_during_compile(void **state) {
  const int kinds[] = {0, 1};
  begin();
  wait_for = INT32_MAX;
  repeated_loop(kinds, 2, 40);
  assert_int_equal(orders, 1);
  assert_int_equal(ended, 0);
  closing();
  assert_int_equal(ended, 0);
  assert_int_equal(pass_state.n, 0);
  assert_null(pass_state.order);
}

/* Loops of all kinds, that change now and then. */
static void random_loops(void **state) {
  int joined = 0;
  for (int round = 0; round < 200; round++) {
    int body[12], n = 0;
    begin();
    wait_for = (int)draw(40);
    for (int t = 0; asked_for < LONG - 40 && kernels_n < CAPACITY - 2; t++) {
      if (t % 60 == 0) {
        n = 1 + (int)draw(12);
        for (int k = 0; k < n; k++) body[k] = (int)draw(KINDS);
      }
      for (int k = 0; k < n; k++) {
        const char *to = draw(3) ? NULL : &arrays[draw(4)], *one = draw(4) ? NULL : &arrays[draw(4)];
        assert_int_equal(pass(draw(60) ? body[k] : (int)draw(KINDS), draw(40) ? 100 : 64, to, one),
                         GrB_SUCCESS);
        if (!draw(30)) check_all_outputs();
      }
      if (draw(4)) check_all_outputs();
    }
    check_all_outputs();
    joined += fused_n;
  }
  print_message("%d launches of several passes\n", joined);
  assert_true(joined > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loop),
                                     cmocka_unit_test(compiled),
                                     cmocka_unit_test(partial_match),
                                     cmocka_unit_test(dependent_pass_not_fused),
                                     cmocka_unit_test(kernel_failure),
                                     cmocka_unit_test(failing),
                                     cmocka_unit_test(close_during_compile),
                                     cmocka_unit_test(random_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
