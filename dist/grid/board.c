/* See board.h. A place has two halves, taken in turn: who writes to one again has met those who have read it.
 */
#include "dist/grid/board.h"

#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "dist/grid/shm.h"

enum { LINE = 64, LOOKS = 32 };

typedef struct {
  _Alignas(LINE) _Atomic uint64_t turn; /* number of the meeting that it was written for */
  _Alignas(LINE) char bytes[GRID_BOARD_ROOM];
} place;

static struct {
  bool open, crowded;
  MPI_Comm comm;
  grid_shm memory;
  place *places; /* two of each process; in another one's turn the flag */
  int rank, size;
  uint64_t turn;
} boards[GRID_NSETS];

bool grid_board_refused;

/* ---- life ---- */

bool grid_board_open(grid_set set, const void *comm, int local_size) {
  boards[set].comm = *(const MPI_Comm *)comm;
  boards[set].turn = 0;
  MPI_Comm_rank(boards[set].comm, &boards[set].rank);
  MPI_Comm_size(boards[set].comm, &boards[set].size);
  boards[set].crowded = local_size * omp_get_max_threads() > omp_get_num_procs();
  if (boards[set].size == 1 || grid_board_refused) return false;
  const size_t room = 3 * sizeof(place); /* a third of the first one's for the flag */
  boards[set].open = grid_shm_open(&boards[set].memory, comm, 1, room);
  boards[set].places = (place *)(void *)boards[set].memory.at;
  return boards[set].open;
}

bool grid_board_is_open(grid_set set) {
  return boards[set].open;
}

void grid_board_close(void) {
  for (int s = 0; s < GRID_NSETS; s++)
    if (boards[s].open) {
      grid_shm_close(&boards[s].memory);
      boards[s].open = false;
    }
}

/* ---- meeting ---- */

/* After so many looks. MPI goes on with messages that this process still has to send, now and then: another
 * may wait for them before it comes. */
static void let_others(grid_set set, uint64_t looks) {
  int there;
  if (boards[set].crowded) sched_yield();
  if (looks % LOOKS == 0)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, boards[set].comm, &there, MPI_STATUS_IGNORE);
}

static place *place_of(grid_set set, int r) {
  return &boards[set].places[2 * (size_t)r + (boards[set].turn & 1)];
}

void grid_board_meet(grid_set set, const void *mine, size_t bytes) {
  const uint64_t turn = ++boards[set].turn;
  place *own = place_of(set, boards[set].rank);
  if (bytes) memcpy(own->bytes, mine, bytes);
  atomic_store_explicit(&own->turn, turn, memory_order_release);
  uint64_t looks = 0;
  for (int r = 0; r < boards[set].size; r++)
    while (atomic_load_explicit(&place_of(set, r)->turn, memory_order_acquire) != turn)
      let_others(set, ++looks);
}

const char *grid_board_of(grid_set set, int r) {
  return place_of(set, r)->bytes;
}

/* ---- the flag ---- */

static _Atomic uint64_t *flag_of_all(void) {
  return &boards[GRID_SET_ALL].places[2 * (size_t)boards[GRID_SET_ALL].size].turn;
}

void grid_board_raise(bool flag) {
  if (boards[GRID_SET_ALL].open) atomic_store(flag_of_all(), flag);
}
bool grid_board_is_raised(void) {
  return boards[GRID_SET_ALL].open && atomic_load(flag_of_all());
}
