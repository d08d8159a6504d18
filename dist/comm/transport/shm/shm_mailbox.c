/* See shm_mailbox.h. A process has SLOTS slots, used in turn. Before it uses one again it has seen that all
 * others have begun a later turn than the one that they read there. A broadcast waits for its root alone. So
 * the root may be one turn fewer ahead of the others than there are slots. */
#include "dist/comm/transport/shm/shm_mailbox.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "dist/comm/transport/waits.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

enum { CACHE_LINE = 64, SLOTS = 8 };

/* A message of up to 48 bytes, as of most agreements, is in the cache line that others wait for. */
typedef struct {
  _Alignas(CACHE_LINE) _Atomic uint64_t turn; /* that it was written for */
  _Alignas(max_align_t) char bytes[GRID_MAILBOX_BYTES];
} slot;

static struct {
  bool open;
  MPI_Comm comm;
  grid_shm memory;
  slot *slots; /* SLOTS per process, and one more */
  int rank, size;
  uint64_t turn, common; /* this process's; one that all are known to have begun */
} default_mailboxes[2 * GRID_NSETS] GRID_OF_CONTEXT;
#define mailboxes GRID_IN_CONTEXT(default_mailboxes)

/* ---- life ---- */

bool grid_mailbox_open(grid_mailbox set, const void *comm) {
  mailboxes[set].comm = *(const MPI_Comm *)comm;
  mailboxes[set].turn = mailboxes[set].common = 0;
  MPI_Comm_rank(mailboxes[set].comm, &mailboxes[set].rank);
  MPI_Comm_size(mailboxes[set].comm, &mailboxes[set].size);
  if (mailboxes[set].size == 1 || !grid_tune.shm_mailbox) return false;
  const size_t capacity = (SLOTS + 1) * sizeof(slot); /* one of the last ones is the last slot */
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

/* ---- turns ---- */

/* Behind those of the processes: its turn is the shared number, its bytes begin with the bell. */
static slot *last_slot(grid_mailbox set) {
  return &mailboxes[set].slots[SLOTS * (size_t)mailboxes[set].size];
}
static grid_bell *bell_of(grid_mailbox set) {
  return (grid_bell *)(void *)last_slot(set)->bytes;
}

static slot *slot_of(grid_mailbox set, int r, uint64_t turn) {
  return &mailboxes[set].slots[SLOTS * (size_t)r + turn % SLOTS];
}

/* Has process r begun the turn? The slot may be that of a later one already. */
static bool has_begun(grid_mailbox set, int r, uint64_t turn) {
  return atomic_load_explicit(&slot_of(set, r, turn)->turn, memory_order_acquire) >= turn;
}

/* Waits until processes from .. end - 1 have begun the turn. */
static void wait_for(grid_mailbox set, int from, int end, uint64_t turn) {
  grid_bell *bell = bell_of(set);
  grid_wait w = {0};
  for (int r = from; r < end; r++)
    while (!has_begun(set, r, turn)) grid_wait_turn(&w, bell, mailboxes[set].comm);
  grid_wait_end(&w, bell);
}

/* Begins a turn, with `bytes` bytes for the others, in a slot that they no longer read. */
static uint64_t begin_turn(grid_mailbox set, const void *payload, size_t bytes) {
  const uint64_t turn = ++mailboxes[set].turn;
  slot *local = slot_of(set, mailboxes[set].rank, turn);
  if (turn >= mailboxes[set].common + SLOTS) {
    mailboxes[set].common = turn - SLOTS + 1;
    wait_for(set, 0, mailboxes[set].size, mailboxes[set].common);
  }
  if (bytes) memcpy(local->bytes, payload, bytes);
  atomic_store_explicit(&local->turn, turn, memory_order_release);
  atomic_thread_fence(memory_order_seq_cst); /* others may sleep */
  return turn;
}

/* Wakes them where all have begun the turn; at least the last one of them finds that. */
static void wake_after_all(grid_mailbox set, uint64_t turn) {
  if (!grid_bell_has_sleepers(bell_of(set))) return;
  for (int r = 0; r < mailboxes[set].size; r++)
    if (!has_begun(set, r, turn)) return;
  grid_bell_ring(bell_of(set));
}

void grid_mailbox_exchange(grid_mailbox set, const void *payload, size_t bytes) {
  const uint64_t turn = begin_turn(set, payload, bytes);
  wake_after_all(set, turn);
  wait_for(set, 0, mailboxes[set].size, turn);
  mailboxes[set].common = turn;
}

void grid_mailbox_bcast(grid_mailbox set, const void *payload, size_t bytes, int root) {
  const uint64_t turn = begin_turn(set, payload, mailboxes[set].rank == root ? bytes : 0);
  if (grid_bell_has_sleepers(bell_of(set))) grid_bell_ring(bell_of(set));
  wait_for(set, root, root + 1, turn);
}

const char *grid_mailbox_of(grid_mailbox set, int r) {
  return slot_of(set, r, mailboxes[set].turn)->bytes;
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
