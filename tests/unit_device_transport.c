/* The transport between device memories: over NCCL where it is usable, and through host memory. On any number
 * of processes, which may share a GPU. Exit status 77 where there is no GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/comm/device_transport.h"
#include "dist/grid/process_grid.h"
#include "semiring/support/tuning.h"
#include "tests/gpu_present.h"
#include "tests/device_shapes.h"
#include "spmat/device/device.h"
#include "tests/process_sets.h"
#include "tests/assert_all.h"

static const grid_device_transport *transport;

/* Byte b of what process k sends as message `salt`. */
static unsigned char message_byte(int k, int salt, size_t b) {
  return (unsigned char)((size_t)k * 29 + (size_t)salt * 7 + b * 3 + (b >> 8) + 1);
}

static unsigned char *on_device(size_t bytes, int fill) {
  unsigned char *host = malloc(bytes + 1), *p = grid_device_malloc(bytes + 1, 1);
  assert_non_null(p);
  memset(host, fill, bytes + 1);
  assert_int_equal(grid_device_write(p, host, bytes + 1), GrB_SUCCESS);
  free(host);
  return p;
}

static void gather(grid_set set, size_t bytes, bool in_place) {
  const int S = grid_set_size(set), me = grid_set_rank(set);
  unsigned char *host = malloc((size_t)S * bytes + 1), *all = on_device((size_t)S * bytes, 0xee), *send;
  for (size_t b = 0; b < bytes; b++) host[b] = message_byte(grid_ctx.k, 0, b);
  send = in_place ? all + (size_t)me * bytes : on_device(bytes, 0);
  assert_int_equal(grid_device_write(send, host, bytes), GrB_SUCCESS);
  assert_int_equal(transport->allgather(set, send, bytes, all), GrB_SUCCESS);
  assert_int_equal(grid_device_get(host, all, (size_t)S * bytes + 1), GrB_SUCCESS);
  bool fine = host[(size_t)S * bytes] == 0xee; /* nothing behind the end */
  for (int r = 0; r < S; r++)
    for (size_t b = 0; b < bytes && fine; b++)
      fine = host[(size_t)r * bytes + b] == message_byte(member(set, r), 0, b);
  assert_on_all(fine);
  if (!in_place) grid_device_free(send);
  grid_device_free(all);
  free(host);
}

static void gathering(void **state) {
  const size_t sizes[] = {0, 1, 7, 128, 32768, 100003, 9000001};
  for (int s = 0; s < 3; s++)
    for (int z = 0; z < 7; z++)
      for (int in_place = 0; in_place < 2; in_place++) gather(sets[s], sizes[z], in_place);
}

/* How many bytes `from` sends to `to`, by rank in the grid; some pairs exchange nothing. */
static size_t length(int from, int to, int round) {
  size_t x = (size_t)(from * 7 + to * 13 + round * 5) % 11;
  return x < 4 ? 0 : round == 2 ? x * 900001 + 1 : x;
}

static void exchange(grid_set set, int round) {
  const size_t S = (size_t)grid_set_size(set);
  size_t *w = malloc(4 * S * sizeof *w), *out = w, *outoff = w + S, *in = w + 2 * S, *inoff = w + 3 * S;
  size_t sent = 0, got = 0;
  for (size_t r = 0; r < S; r++) {
    out[r] = length(grid_ctx.k, member(set, (int)r), round);
    in[r] = length(member(set, (int)r), grid_ctx.k, round);
    outoff[r] = sent, inoff[r] = got;
    sent += out[r], got += in[r];
  }
  unsigned char *host = malloc(sent + got + 1), *a = on_device(sent, 0), *b = on_device(got, 0xee);
  for (size_t r = 0; r < S; r++)
    for (size_t k = 0; k < out[r]; k++)
      host[outoff[r] + k] = message_byte(grid_ctx.k, member(set, (int)r), k);
  assert_int_equal(grid_device_write(a, host, sent), GrB_SUCCESS);
  assert_int_equal(transport->exchange(set, a, out, outoff, b, in, inoff), GrB_SUCCESS);
  assert_int_equal(grid_device_get(host, b, got + 1), GrB_SUCCESS);
  bool fine = host[got] == 0xee;
  for (size_t r = 0; r < S; r++)
    for (size_t k = 0; k < in[r] && fine; k++)
      fine = host[inoff[r] + k] == message_byte(member(set, (int)r), grid_ctx.k, k);
  assert_on_all(fine);
  grid_device_free(a);
  grid_device_free(b);
  free(host), free(w);
}

static void exchanges(void **state) {
  for (int s = 0; s < 3; s++)
    for (int round = 0; round < 3; round++) exchange(sets[s], round);
}

static uint64_t reduction_word(int k, size_t i) {
  return ((uint64_t)k + 3) * (2 * i + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t reduced(grid_set set, size_t i, grid_reduction op) {
  uint64_t x = reduction_word(member(set, 0), i);
  for (int r = 1; r < grid_set_size(set); r++) {
    uint64_t y = reduction_word(member(set, r), i);
    x = op == GRID_SUM ? x + y : op == GRID_MAX ? (x > y ? x : y) : op == GRID_MIN ? (x < y ? x : y) : x | y;
  }
  return x;
}

static void reductions(void **state) {
  const size_t sizes[] = {0, 1, 1000, 2500003};
  for (int s = 0; s < 3; s++)
    for (int z = 0; z < 4; z++)
      for (grid_reduction op = GRID_SUM; op <= GRID_BOR; op++) {
        const size_t n = sizes[z];
        uint64_t *host = malloc(8 * n + 8), *v = grid_device_malloc(n, 8);
        for (size_t i = 0; i < n; i++) host[i] = reduction_word(grid_ctx.k, i);
        assert_int_equal(grid_device_write(v, host, 8 * n), GrB_SUCCESS);
        assert_int_equal(transport->allreduce(sets[s], v, n, op), GrB_SUCCESS);
        assert_int_equal(grid_device_get(host, v, 8 * n), GrB_SUCCESS);
        bool fine = true;
        for (size_t i = 0; i < n && fine; i++) fine = host[i] == reduced(sets[s], i, op);
        assert_on_all(fine);
        grid_device_free(v);
        free(host);
      }
}

static void broadcasts(void **state) {
  const size_t sizes[] = {1, 100, 20000003};
  for (int s = 0; s < 3; s++)
    for (int z = 0; z < 3; z++)
      for (int root = 0; root < grid_set_size(sets[s]); root++) {
        const size_t n = sizes[z];
        unsigned char *host = malloc(n), *v = on_device(n, 0);
        for (size_t b = 0; b < n; b++) host[b] = message_byte(grid_ctx.k, root, b);
        assert_int_equal(grid_device_write(v, host, n), GrB_SUCCESS);
        assert_int_equal(transport->bcast(sets[s], v, n, root), GrB_SUCCESS);
        assert_int_equal(grid_device_get(host, v, n), GrB_SUCCESS);
        bool fine = true;
        for (size_t b = 0; b < n && fine; b++) fine = host[b] == message_byte(member(sets[s], root), root, b);
        assert_on_all(fine);
        grid_device_free(v);
        free(host);
      }
}

/* Two gathers as one, as a search's level sends them. */
static void together(void **state) {
  const size_t P = (size_t)grid_ctx.P, k = (size_t)grid_ctx.k, n[2] = {128, 65536};
  unsigned char *all[2] = {on_device(P * n[0], 0), on_device(P * n[1], 0)}, *host = malloc(P * n[1]);
  for (int m = 0; m < 2; m++) {
    for (size_t b = 0; b < n[m]; b++) host[b] = message_byte(grid_ctx.k, m, b);
    assert_int_equal(grid_device_write(all[m] + k * n[m], host, n[m]), GrB_SUCCESS);
  }
  assert_int_equal(transport->begin(), GrB_SUCCESS);
  for (int m = 0; m < 2; m++)
    assert_int_equal(transport->allgather(GRID_SET_ALL, all[m] + k * n[m], n[m], all[m]), GrB_SUCCESS);
  assert_int_equal(transport->end(), GrB_SUCCESS);
  bool fine = true;
  for (int m = 0; m < 2; m++) {
    assert_int_equal(grid_device_get(host, all[m], P * n[m]), GrB_SUCCESS);
    for (size_t r = 0; r < P; r++)
      for (size_t b = 0; b < n[m] && fine; b++) fine = host[r * n[m] + b] == message_byte((int)r, m, b);
    grid_device_free(all[m]);
  }
  assert_on_all(fine);
  free(host);
}

static int start(void **state) {
  if (start_on_device(state) || grid_device_transport_get(&transport) != GrB_SUCCESS) return 1;
  if (grid_ctx.k == 0)
    printf("%d x %d processes: %s%s%s\n", grid_ctx.R, grid_ctx.C, transport->name,
           Grid_fallback(0, NULL) ? "; " : "", Grid_fallback(0, NULL) ? Grid_fallback(0, NULL) : "");
  return 0;
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathering),  cmocka_unit_test(exchanges), cmocka_unit_test(reductions),
      cmocka_unit_test(broadcasts), cmocka_unit_test(together),
  };
  grid_tune.nccl = true;
  int failed = cmocka_run_group_tests(tests, start, stop_on_device);
  grid_tune.nccl = false;
  return failed + cmocka_run_group_tests(tests, start, stop_on_device);
}

int main(void) {
  setenv("GRIDBLAS_SHARE_GPU", "1", 0);
  return have_gpu() ? run_on_shapes(group) : 77;
}
