/* See device_blocks.h: an open-addressing hash table, which a lock protects. */
#include "spmat/device/device_blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "semiring/support/mem.h"

/* Size of a live block, and its owners beside the first. */
typedef struct {
  void *p;
  uint64_t bytes, extra_owners;
  grid_device_account *account; /* NULL: its context has ended */
} block;

static struct {
  pthread_mutex_t lock;
  block *at;
  uint64_t capacity, used; /* used counts tombstones too */
  int64_t live;
} blocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

#define TOMBSTONE ((void *)1)

/* ---- accounts ---- */

void grid_account_add(grid_device_account *a, int64_t bytes) {
  const uint64_t now = atomic_fetch_add(&a->bytes, (uint64_t)bytes) + (uint64_t)bytes;
  uint64_t peak = atomic_load(&a->peak);
  while (bytes > 0 && now > peak && !atomic_compare_exchange_weak(&a->peak, &peak, now)) {
  }
}

void grid_account_reset_peak(grid_device_account *a) {
  atomic_store(&a->peak, atomic_load(&a->bytes));
}

/* ---- the table; its functions require the lock ---- */

static uint64_t slot_of(const void *p, uint64_t capacity) {
  return ((uint64_t)(uintptr_t)p >> 8) * UINT64_C(0x9e3779b97f4a7c15) & (capacity - 1);
}

static void write_block(block *at, uint64_t capacity, block b) {
  uint64_t s = slot_of(b.p, capacity);
  while (at[s].p) s = (s + 1) & (capacity - 1);
  at[s] = b;
}

static bool is_live(const block *b) {
  return b->p && b->p != TOMBSTONE;
}

static bool reserve(void) {
  if (2 * (blocks.used + 1) <= blocks.capacity) return true;
  uint64_t capacity = 256;
  while (capacity < 4 * (uint64_t)(blocks.live + 1)) capacity *= 2;
  block *at = grid_calloc(capacity, sizeof *at);
  if (!at) return false;
  for (uint64_t s = 0; s < blocks.capacity; s++)
    if (is_live(&blocks.at[s])) write_block(at, capacity, blocks.at[s]);
  grid_free(blocks.at);
  blocks.at = at;
  blocks.capacity = capacity;
  blocks.used = (uint64_t)blocks.live;
  return true;
}

/* NULL: p is no live block. */
static block *find(const void *p) {
  if (!p || !blocks.capacity) return NULL;
  uint64_t s = slot_of(p, blocks.capacity);
  while (blocks.at[s].p && blocks.at[s].p != p) s = (s + 1) & (blocks.capacity - 1);
  return blocks.at[s].p ? &blocks.at[s] : NULL;
}

static void remove_block(block *b) {
  if (b->account) grid_account_add(b->account, -(int64_t)b->bytes);
  b->p = TOMBSTONE;
  if (--blocks.live > 0) return;
  grid_free(blocks.at); /* the last block: the table goes, too */
  blocks.at = NULL;
  blocks.capacity = blocks.used = 0;
}

/* ---- blocks ---- */

bool grid_block_add(grid_device_account *a, void *p, uint64_t bytes) {
  pthread_mutex_lock(&blocks.lock);
  const bool has_room = reserve();
  if (has_room) {
    write_block(blocks.at, blocks.capacity, (block){.p = p, .bytes = bytes, .account = a});
    blocks.used++;
    blocks.live++;
    grid_account_add(a, (int64_t)bytes);
  }
  pthread_mutex_unlock(&blocks.lock);
  return has_room;
}

void grid_block_add_owner(const void *p) {
  pthread_mutex_lock(&blocks.lock);
  find(p)->extra_owners++;
  pthread_mutex_unlock(&blocks.lock);
}

bool grid_block_has_owners(const void *p) {
  pthread_mutex_lock(&blocks.lock);
  const block *b = find(p);
  const bool several = b && b->extra_owners;
  pthread_mutex_unlock(&blocks.lock);
  return several;
}

uint64_t grid_block_end_owner(const void *p, const grid_device_account **account) {
  uint64_t bytes = 0;
  pthread_mutex_lock(&blocks.lock);
  block *b = find(p);
  if (b && b->extra_owners) {
    b->extra_owners--;
  } else if (b) {
    bytes = b->bytes, *account = b->account;
    remove_block(b);
  }
  pthread_mutex_unlock(&blocks.lock);
  return bytes;
}

void grid_blocks_detach(grid_device_account *a) {
  pthread_mutex_lock(&blocks.lock);
  for (uint64_t s = 0; s < blocks.capacity; s++)
    if (is_live(&blocks.at[s]) && blocks.at[s].account == a) {
      grid_account_add(a, -(int64_t)blocks.at[s].bytes);
      blocks.at[s].account = NULL;
    }
  pthread_mutex_unlock(&blocks.lock);
}

int64_t grid_blocks_live(void) {
  pthread_mutex_lock(&blocks.lock);
  const int64_t live = blocks.live;
  pthread_mutex_unlock(&blocks.lock);
  return live;
}
