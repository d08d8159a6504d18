/* Freed blocks of device memory: each is either found again by its size or released, once, and the oldest are
 * released first. */
#include <string.h>
#include "tests/unit.h"
#include "spmat/device/block_cache.h"
#include "tests/random_numbers.h"

enum { MOST = 1 << 12 };

static char memory[MOST]; /* blocks are addresses in here */
static uint64_t size_of[MOST];
static bool gone[MOST]; /* taken or released */

static size_t remove_block(const void *p) {
  const size_t k = (size_t)((const char *)p - memory);
  assert_true(k < MOST && !gone[k]);
  gone[k] = true;
  return k;
}

/* Against a list of all blocks. */
static void random_blocks(void **state) {
  grid_block_cache c = {.oldest = 0};
  size_t taken = 0;
  for (size_t k = 0; k < MOST; k++) {
    const uint64_t wanted = size_of[draw(k + 1)];
    size_of[k] = draw(20) ? 16 * (1 + draw(6)) : GRID_CACHED_BYTES + draw(2);
    void *old = grid_block_cache_add(&c, (grid_freed_block){memory + k, size_of[k]});
    if (old) {
      const size_t number = remove_block(old);
      const bool too_large = size_of[k] > GRID_CACHED_BYTES;
      assert_true(too_large ? number == k : number + GRID_CACHED_BLOCKS <= k);
    }
    uint64_t bytes = 0;
    bool found = false;
    for (size_t i = 0; i <= k; i++)
      if (!gone[i]) bytes += size_of[i], found = found || size_of[i] == wanted;
    assert_true(bytes == grid_block_cache_bytes(&c));
    const void *p = draw(3) ? grid_block_cache_take(&c, wanted) : NULL;
    if (!p) continue;
    assert_true(found && size_of[remove_block(p)] == wanted);
    taken++;
  }
  assert_true(taken > MOST / 8);
  for (int k = 0; k < GRID_CACHED_BLOCKS; k++) { /* empties it */
    void *old = grid_block_cache_add(&c, (grid_freed_block){NULL, 0});
    if (old) (void)remove_block(old);
  }
  for (size_t k = 0; k < MOST; k++) assert_true(gone[k]);
  assert_true(grid_block_cache_bytes(&c) == 0);
}

static void block_of_the_size(void **state) {
  grid_block_cache c = {.oldest = 0};
  assert_null(grid_block_cache_take(&c, 0));
  assert_null(grid_block_cache_add(&c, (grid_freed_block){memory, 16}));
  assert_null(grid_block_cache_add(&c, (grid_freed_block){memory + 1, 32}));
  assert_null(grid_block_cache_take(&c, 48));
  assert_ptr_equal(grid_block_cache_take(&c, 32), memory + 1);
  assert_null(grid_block_cache_take(&c, 32));
  assert_ptr_equal(grid_block_cache_take(&c, 16), memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(block_of_the_size), cmocka_unit_test(random_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
