/* See shm_mailbox.h. A place has two halves, taken in turn: who writes to one again has met those who have
 * read it.
 */
#include "dist/comm/transport/shm/shm_mailbox.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "dist/comm/transport/waits.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

enum { CACHE_LINE = 64 };

/* A message of up to 48 bytes, as of most agreements, is in the cache line that others wait for. */
typedef struct {
  _Alignas(CACHE_LINE) _Atomic uint64_t turn; /* number of the barrier that it was written for */
  _Alignas(max_align_t) char bytes[GRID_MAILBOX_BYTES];
} slot;

static struct {
  bool open;
  MPI_Comm comm;
  grid_shm memory;
  slot *slots; /* two per process, and one more */
  int rank, size;
  uint64_t turn;
} default_mailboxes[2 * GRID_NSETS] GRID_OF_CONTEXT;
#define mailboxes GRID_IN_CONTEXT(default_mailboxes)

/* ---- life ---- */

bool grid_mailbox_open(grid_mailbox set, const void *comm) {
  mailboxes[set].comm = *(const MPI_Comm *)comm;
  mailboxes[set].turn = 0;
  MPI_Comm_rank(mailboxes[set].comm, &mailboxes[set].rank);
  MPI_Comm_size(mailboxes[set].comm, &mailboxes[set].size);
  if (mailboxes[set].size == 1 || !grid_tune.shm_mailbox) return false;
  const size_t capacity = 3 * sizeof(slot); /* the first one's third is the last slot */
  mailboxes[set].open = grid_shm_open(&mailboxes[set].memory, comm, 1, capacity);
  mailboxes[set].slots = (slot *)(void *)mailboxes[set].memory.at;
  return mailboxes[set].open;
}

bool grid_mailbox_is_open(grid_mailbox set) {
  return mailboxes[set].open;
}

void grid_mailbox_close_one(grid_mailbox set) {
  if (mailboxes[set].open) grid_shm_close(&mailboxes[set].memory);
  mailboxes[set].open = false;
}

void grid_mailbox_close(void) {
  for (grid_mailbox set = 0; set < 2 * GRID_NSETS; set++) grid_mailbox_close_one(set);
}

/* ---- barrier ---- */

/* Behind those of the processes: its turn is the shared number, its bytes begin with the bell. */
static slot *last_slot(grid_mailbox set) {
  return &mailboxes[set].slots[2 * (size_t)mailboxes[set].size];
}
static grid_bell *bell_of(grid_mailbox set) {
  return (grid_bell *)(void *)last_slot(set)->bytes;
}

static slot *slot_of(grid_mailbox set, int r) {
  return &mailboxes[set].slots[2 * (size_t)r + (mailboxes[set].turn & 1)];
}

static bool has_arrived(grid_mailbox set, int r) {
  return atomic_load_explicit(&slot_of(set, r)->turn, memory_order_acquire) == mailboxes[set].turn;
}

/* Others may sleep until all have arrived; at least the last one of them finds that all have. */
static void wake_others(grid_mailbox set, grid_bell *bell) {
  atomic_thread_fence(memory_order_seq_cst);
  if (!grid_bell_has_sleepers(bell)) return;
  for (int r = 0; r < mailboxes[set].size; r++)
    if (!has_arrived(set, r)) return;
  grid_bell_ring(bell);
}

void grid_mailbox_exchange(grid_mailbox set, const void *payload, size_t bytes) {
  const uint64_t turn = ++mailboxes[set].turn;
  slot *local = slot_of(set, mailboxes[set].rank);
  grid_bell *bell = bell_of(set);
  grid_wait w = {0};
  if (bytes) memcpy(local->bytes, payload, bytes);
  atomic_store_explicit(&local->turn, turn, memory_order_release);
  wake_others(set, bell);
  for (int r = 0; r < mailboxes[set].size; r++)
    while (!has_arrived(set, r)) grid_wait_turn(&w, bell, mailboxes[set].comm);
  grid_wait_end(&w, bell);
}

const char *grid_mailbox_of(grid_mailbox set, int r) {
  return slot_of(set, r)->bytes;
}

/* ---- the shared number ---- */

static _Atomic uint64_t *shared_number(void) {
  return &last_slot(GRID_SET_ALL)->turn;
}

void grid_mailbox_set_number(uint64_t x) {
  if (mailboxes[GRID_SET_ALL].open) atomic_store(shared_number(), x);
}
uint64_t grid_mailbox_number(void) {
  return mailboxes[GRID_SET_ALL].open ? atomic_load(shared_number()) : 0;
}
