/* Kernels by call: a table from a call with its types and operators to its kernel, so that a repeated call
 * needs no source text. */
#include <string.h>

#include "semiring/jit/kernel_cache.h"
#include "spmat/cuda/jit/jit.h"

enum { SLOTS = 512, PROBES = 8 };
static struct {
  grid_jit_key key;
  void *kernel;
} default_called[SLOTS] GRID_OF_CONTEXT;
#define called GRID_IN_CONTEXT(default_called)

static size_t position_of(const grid_jit_key *key) {
  return grid_jit_hash(GRID_HASH_START, key, sizeof *key) % (SLOTS - PROBES);
}

bool grid_jit_find_kernel(void **kernel, const grid_jit_key *key) {
  for (size_t at = position_of(key), k = 0; k < PROBES && called[at + k].kernel; k++)
    if (memcmp(&called[at + k].key, key, sizeof *key) == 0) {
      *kernel = called[at + k].kernel;
      return true;
    }
  return false;
}

void grid_jit_store_kernel(const grid_jit_key *key, void *kernel) {
  const size_t at = position_of(key);
  for (int k = 1; k < 6; k++) /* a user's object may be freed, and another allocated at its address */
    if (key->of[k] && !((const grid_head *)key->of[k])->builtin) return;
  for (size_t k = 0; k < PROBES; k++)
    if (!called[at + k].kernel) {
      called[at + k].key = *key;
      called[at + k].kernel = kernel;
      return;
    }
}

void grid_jit_forget_calls(void) {
  memset(called, 0, sizeof called);
}
