/* See shm_mailbox.h. A place has two halves, taken in turn: who writes to one again has met those who have
 * read it.
 */
#include "dist/comm/transport/shm_mailbox.h"

#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "dist/comm/transport/shm_segment.h"
#include "semiring/support/tuning.h"

enum {
  CACHE_LINE = 64,
  SPINS = 32,       /* between calls of MPI */
  CROWDED_FOR = 64, /* waits that sleep at once after a slow yield */
};
static const double YIELDS_FOR = 200e-6; /* seconds of a wait before it sleeps */
static const double SLOW_YIELD = 1e-3;   /* seconds: another program had the core */
static const long SLEEP = 50000;         /* nanoseconds */

typedef struct {
  _Alignas(CACHE_LINE) _Atomic uint64_t turn; /* number of the barrier that it was written for */
  _Alignas(CACHE_LINE) char bytes[GRID_MAILBOX_BYTES];
} slot;

static struct {
  bool open, oversubscribed;
  int crowded; /* waits left of CROWDED_FOR */
  MPI_Comm comm;
  grid_shm memory;
  slot *slots; /* two per process; the flag is the `turn` of one more */
  int rank, size;
  uint64_t turn;
} mailboxes[2 * GRID_NSETS];

/* ---- life ---- */

bool grid_mailbox_open(grid_mailbox set, const void *comm, int local_size) {
  mailboxes[set].comm = *(const MPI_Comm *)comm;
  mailboxes[set].turn = 0;
  MPI_Comm_rank(mailboxes[set].comm, &mailboxes[set].rank);
  MPI_Comm_size(mailboxes[set].comm, &mailboxes[set].size);
  mailboxes[set].oversubscribed = local_size * omp_get_max_threads() > omp_get_num_procs();
  if (mailboxes[set].size == 1 || !grid_tune.shm_mailbox) return false;
  const size_t capacity = 3 * sizeof(slot); /* a third of the first one's for the flag */
  mailboxes[set].open = grid_shm_open(&mailboxes[set].memory, comm, 1, capacity);
  mailboxes[set].slots = (slot *)(void *)mailboxes[set].memory.at;
  return mailboxes[set].open;
}

bool grid_mailbox_is_open(grid_mailbox set) {
  return mailboxes[set].open;
}

void grid_mailbox_close(void) {
  for (int s = 0; s < 2 * GRID_NSETS; s++)
    if (mailboxes[s].open) {
      grid_shm_close(&mailboxes[s].memory);
      mailboxes[s].open = false;
    }
}

/* ---- barrier ---- */

/* Gives the core away by a yield, or sleeps: in a longer wait, and for a while after a yield that took as
 * long as another program's turn. Linux counts a yield as used time, so programs that compute starve a
 * process that yields often; one that sleeps gets the core when it wakes. */
static void give_core(grid_mailbox set, bool begins, double *since) {
  const double now = omp_get_wtime();
  int *crowded = &mailboxes[set].crowded;
  if (begins) {
    *since = now;
    if (*crowded) --*crowded;
  }
  if (*crowded || now - *since > YIELDS_FOR) {
    nanosleep(&(struct timespec){.tv_nsec = SLEEP}, NULL);
  } else {
    sched_yield();
    if (omp_get_wtime() - now > SLOW_YIELD) *crowded = CROWDED_FOR;
  }
}

/* Waits; with more threads than cores others get the core. Now and then MPI_Iprobe makes MPI progress:
 * another process may need a pending send of this one before it reaches the barrier. It may yield, too. */
static void wait_once(grid_mailbox set, uint64_t spins, double *since) {
  int pending;
  if (mailboxes[set].oversubscribed) give_core(set, spins == 1, since);
  if (spins % SPINS == 0)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mailboxes[set].comm, &pending, MPI_STATUS_IGNORE);
}

static slot *slot_of(grid_mailbox set, int r) {
  return &mailboxes[set].slots[2 * (size_t)r + (mailboxes[set].turn & 1)];
}

void grid_mailbox_exchange(grid_mailbox set, const void *mine, size_t bytes) {
  const uint64_t turn = ++mailboxes[set].turn;
  slot *own = slot_of(set, mailboxes[set].rank);
  if (bytes) memcpy(own->bytes, mine, bytes);
  atomic_store_explicit(&own->turn, turn, memory_order_release);
  uint64_t spins = 0;
  double since = 0;
  for (int r = 0; r < mailboxes[set].size; r++)
    while (atomic_load_explicit(&slot_of(set, r)->turn, memory_order_acquire) != turn)
      wait_once(set, ++spins, &since);
}

const char *grid_mailbox_of(grid_mailbox set, int r) {
  return slot_of(set, r)->bytes;
}

/* ---- the flag ---- */

static _Atomic uint64_t *shared_flag(void) {
  return &mailboxes[GRID_SET_ALL].slots[2 * (size_t)mailboxes[GRID_SET_ALL].size].turn;
}

void grid_mailbox_set_flag(bool flag) {
  if (mailboxes[GRID_SET_ALL].open) atomic_store(shared_flag(), flag);
}
bool grid_mailbox_flag_is_set(void) {
  return mailboxes[GRID_SET_ALL].open && atomic_load(shared_flag());
}
