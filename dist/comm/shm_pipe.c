/* See shm_pipe.h. A ring has one reader; its slot counts only grow. */
#include "dist/comm/shm_pipe.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/grid/process_grid.h"
#include "dist/comm/transport/mpi_init.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

enum { CACHE_LINE = 64, SLOTS = 8, SLOT_SIZE = 1 << 18, SPINS = 64 };

typedef struct {
  _Alignas(CACHE_LINE) _Atomic uint64_t filled; /* slots written; stored by the writer */
  _Atomic uint64_t ended;
  _Alignas(CACHE_LINE) _Atomic uint64_t emptied; /* slots read; stored by the reader */
  _Atomic uint64_t consumed;
  _Alignas(CACHE_LINE) _Atomic int process; /* the reader's process number in the grid */
  grid_pipe_fragment fragments[SLOTS];
  _Alignas(CACHE_LINE) char slots[SLOTS][SLOT_SIZE];
} ring;

static struct {
  bool open;
  MPI_Comm machine;
  grid_shm memory;
  ring *rings; /* one per process of the machine; the first process's is unused */
  int rank, size;
} default_pipes GRID_OF_CONTEXT;
#define pipes GRID_IN_CONTEXT(default_pipes)

/* ---- open and close ---- */

bool grid_pipe_open(void) {
  if (grid_ctx.P == 1) return false;
  const MPI_Comm all = *(const MPI_Comm *)grid_mpi_comm();
  if (MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, grid_ctx.k, MPI_INFO_NULL, &pipes.machine) !=
      MPI_SUCCESS)
    return false;
  MPI_Comm_set_errhandler(pipes.machine, MPI_ERRORS_RETURN);
  MPI_Comm_rank(pipes.machine, &pipes.rank);
  MPI_Comm_size(pipes.machine, &pipes.size);
  pipes.open = pipes.size > 1 && grid_tune.shm_mailbox &&
               grid_shm_open(&pipes.memory, &pipes.machine, 1, sizeof(ring));
  if (pipes.open) {
    pipes.rings = (ring *)(void *)pipes.memory.at;
    atomic_store(&pipes.rings[pipes.rank].process, grid_ctx.k);
    MPI_Barrier(pipes.machine); /* the writer reads the process numbers */
  } else {
    MPI_Comm_free(&pipes.machine);
  }
  return pipes.open;
}

void grid_pipe_close(void) {
  if (!pipes.open) return;
  pipes.open = false;
  grid_shm_close(&pipes.memory);
  MPI_Comm_free(&pipes.machine);
}

bool grid_pipe_writes(void) {
  return pipes.rank == 0;
}

/* Waits: the other process may need this core. MPI_Iprobe makes MPI progress (see shm_mailbox.c). */
static void yield_core(uint64_t spins) {
  int pending;
  if (spins % SPINS == 0) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, pipes.machine, &pending, MPI_STATUS_IGNORE);
  if (spins < SPINS)
    sched_yield();
  else
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

/* ---- the writer ---- */

/* The next free slot, waiting for it; NULL: the reader has left. */
static char *free_slot(ring *r, uint64_t filled) {
  for (uint64_t spins = 1; !atomic_load_explicit(&r->consumed, memory_order_acquire); yield_core(spins++))
    if (filled - atomic_load_explicit(&r->emptied, memory_order_acquire) < SLOTS)
      return r->slots[filled % SLOTS];
  return NULL;
}

void grid_pipe_write(int k, uint64_t number, uint64_t offset, const char *record, size_t length) {
  ring *r = NULL;
  for (int p = 1; p < pipes.size && !r; p++)
    if (atomic_load_explicit(&pipes.rings[p].process, memory_order_relaxed) == k) r = &pipes.rings[p];
  if (!r) return;
  uint64_t filled = atomic_load_explicit(&r->filled, memory_order_relaxed);
  for (size_t at = 0; at < length; at += SLOT_SIZE) {
    const size_t n = length - at < SLOT_SIZE ? length - at : SLOT_SIZE;
    char *slot = free_slot(r, filled);
    if (!slot) return;
    memcpy(slot, record + at, n);
    r->fragments[filled % SLOTS] = (grid_pipe_fragment){number, offset, length, at, n};
    atomic_store_explicit(&r->filled, ++filled, memory_order_release);
  }
}

/* ---- a reader ---- */

const grid_pipe_fragment *grid_pipe_get(bool wait, const char **bytes) {
  ring *r = &pipes.rings[pipes.rank];
  const uint64_t emptied = atomic_load_explicit(&r->emptied, memory_order_relaxed);
  for (uint64_t spins = 1;; yield_core(spins++)) {
    /* loaded first: no slot is filled after `ended` is set */
    const bool ended = atomic_load_explicit(&r->ended, memory_order_acquire);
    if (atomic_load_explicit(&r->filled, memory_order_acquire) > emptied) break;
    if (ended || !wait) return NULL;
  }
  *bytes = r->slots[emptied % SLOTS];
  return &r->fragments[emptied % SLOTS];
}

void grid_pipe_next(void) {
  ring *r = &pipes.rings[pipes.rank];
  atomic_fetch_add_explicit(&r->emptied, 1, memory_order_release);
}

void grid_pipe_leave(void) {
  if (pipes.rank > 0) {
    atomic_store_explicit(&pipes.rings[pipes.rank].consumed, 1, memory_order_release);
    return;
  }
  for (int p = 1; p < pipes.size; p++) atomic_store_explicit(&pipes.rings[p].ended, 1, memory_order_release);
}
