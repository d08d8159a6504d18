/* Chunks exchanged between devices (dist/comm/chunks_device.c), of even and uneven partitions on every grid
 * shape: against the same between host memories. The device is simulated in host memory. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit.h"
#include "dist/comm/device_transport.h"
#include "dist/grid/layout.h"
#include "semiring/support/tuning.h"
#include "tests/assert_all.h"
#include "tests/fake_device.h"
#include "tests/grid_shapes.h"

static int start(void **state) {
  if (start_on_shape(state)) return 1;
  grid_tune.nccl = false; /* it would select a GPU */
  grid_backend_register(&grid_backend_cpu, &fake_device);
  return Grid_device_set(Grid_CUDA) != GrB_SUCCESS;
}

/* Value of process k's element i. */
static uint32_t value(int k, uint64_t i) {
  return (uint32_t)((uint64_t)(k + 1) * 1000003 + i);
}

/* All chunks of the set, as on the host; what lies behind them is unchanged. */
static void compare_gather(const grid_device_transport *t, grid_set set, uint64_t n) {
  const uint64_t q = grid_local_padded_size(n), all = grid_member_length(set, n),
                 end = grid_member_offset(set, n, grid_set_size(set)),
                 at = grid_member_offset(set, n, grid_set_rank(set));
  uint32_t *local = malloc(4 * q + 4), *expected = malloc(4 * all + 4), *got = malloc(4 * all + 4);
  bool fine = end <= all && at + q <= end;
  for (uint64_t i = 0; i < q; i++) local[i] = value(grid_ctx.k, i);
  memset(expected, 0xee, 4 * all), memset(got, 0xee, 4 * all);
  memcpy(got + at, local, 4 * q);
  assert_int_equal(grid_gather_chunks(set, n, local, 32, expected), GrB_SUCCESS);
  assert_int_equal(grid_device_gather_chunks(t, set, n, 32, got), GrB_SUCCESS);
  fine = fine && memcmp(got, expected, 4 * all) == 0;
  assert_on_all(fine);
  free(local), free(expected), free(got);
}

/* Copy s is the local chunk of what the s-th process of the set has. */
static void compare_exchange(const grid_device_transport *t, grid_set set, uint64_t n) {
  const uint64_t q = grid_local_padded_size(n), all = grid_member_length(set, n),
                 at = grid_member_offset(set, n, grid_set_rank(set)), S = (uint64_t)grid_set_size(set);
  uint32_t *from = malloc(4 * all + 4), *to = calloc(S * q + 1, 4);
  bool fine = true;
  for (uint64_t i = 0; i < all; i++) from[i] = value(grid_ctx.k, i);
  assert_int_equal(grid_device_exchange_chunks(t, set, n, 32, from, to), GrB_SUCCESS);
  for (uint64_t s = 0; s < S; s++) {
    const int k = grid_block_chunk(set == GRID_SET_ROW, (int)s);
    for (uint64_t i = 0; i < q; i++) fine = fine && to[s * q + i] == value(k, at + i);
  }
  assert_on_all(fine);
  free(from), free(to);
}

static void compare_all(uint64_t n) {
  const grid_device_transport *t;
  assert_int_equal(grid_device_transport_get(&t), GrB_SUCCESS);
  for (int rows = 0; rows < 2; rows++) {
    const grid_set set = rows ? GRID_SET_ROW : GRID_SET_COL;
    compare_gather(t, set, n);
    compare_exchange(t, set, n);
  }
}

/* Chunk k gets a share of k + 1, the last of none; the end is no multiple of 64. */
static void partition(uint64_t n) {
  const uint64_t P = (uint64_t)Grid_size();
  GrB_Index *first = calloc(P + 1, sizeof *first);
  for (uint64_t k = 1; k < P; k++) first[k] = k + 1 == P ? n : n * k * (k + 1) / (P * (P + 1)) / 64 * 64;
  first[P] = n;
  assert_int_equal(Grid_partition_set(n, first), GrB_SUCCESS);
  free(first);
}

static void chunks(void **state) {
  static const uint64_t lengths[] = {1, 100, 700, 5003};
  for (int k = 0; k < 4; k++) {
    compare_all(lengths[k]);
    partition(lengths[k]);
    compare_all(lengths[k]);
    assert_int_equal(Grid_partition_set(lengths[k], NULL), GrB_SUCCESS);
  }
}

MAIN_ON_SHAPES(start, stop_on_shape, cmocka_unit_test(chunks))
