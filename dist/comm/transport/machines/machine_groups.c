/* See machine_groups.h. */
#include "dist/comm/transport/machines/machine_groups.h"

#include <string.h>

#include "semiring/support/tuning.h"

static bool all_agree(MPI_Comm comm, bool local) {
  int yes = local, all = 0;
  return MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all;
}

/* Numbers the machines by their lowest rank, and lists their members. number: machine of each rank. */
static void list_members(grid_machine_group *g, const int *number) {
  int n = 0;
  for (int r = 0; r < g->size; r++) {
    int earlier = 0;
    while (number[earlier] != number[r]) earlier++;
    if (earlier < r) continue;
    if (number[r] == number[g->rank]) g->machine = g->machines;
    g->first[g->machines++] = n;
    for (int k = r; k < g->size; k++)
      if (number[k] == number[r]) g->member[n++] = k;
  }
  g->first[g->machines] = n;
  g->local_size = grid_machine_size(g, g->machine);
  while (g->member[g->first[g->machine] + g->local_rank] != g->rank) g->local_rank++;
}

static int largest_machine(const grid_machine_group *g) {
  int most = 0;
  for (int m = 0; m < g->machines; m++)
    if (grid_machine_size(g, m) > most) most = grid_machine_size(g, m);
  return most;
}

static size_t block_bytes(const grid_machine_group *g) {
  const int most = largest_machine(g);
  return 8 + (size_t)g->machines * grid_machine_header(most, most, GRID_MAX_HEAD);
}

/* The same on all processes of the set. */
static bool is_within_limits(const grid_machine_group *g) {
  const int most = largest_machine(g);
  return grid_tune.shm_mailbox && g->machines > 1 && most > 1 &&
         grid_machine_header(most, most, GRID_MAX_HEAD) <= GRID_MAX_MACHINE_HEADER &&
         (size_t)g->size * 8 + GRID_MAX_HEAD <= GRID_MAILBOX_BYTES &&
         grid_shm_window_bytes(most) >= block_bytes(g);
}

static bool allocate(grid_machine_group *g) {
  const size_t S = (size_t)g->size, L = (size_t)g->local_size, M = (size_t)g->machines;
  const bool leads = g->local_rank == 0;
  g->word = grid_malloc(L * S, sizeof *g->word);
  g->at = grid_malloc(L * S + L, sizeof *g->at);
  g->heads = grid_malloc(L, GRID_MAX_HEAD);
  g->round = grid_malloc(5 * S, sizeof *g->round);
  g->out = grid_malloc(S + M + 2, sizeof *g->out);
  g->in = grid_malloc(L * S + S, sizeof *g->in);
  g->block = grid_calloc(block_bytes(g) / 8, sizeof *g->block);
  bool fine = g->word && g->at && g->heads && g->round && g->out && g->in && g->block;
  if (fine) g->total = g->at + L * S;
  grid_recv_buffer *const both[] = {&g->send, &g->recv};
  for (int k = 0; k < 2 && leads; k++) {
    both[k]->buf = grid_malloc(GRID_LEADER_BYTES, 1);
    both[k]->bytes = grid_malloc(3 * M, sizeof *both[k]->bytes);
    fine = fine && both[k]->buf && both[k]->bytes;
    both[k]->capacity = both[k]->buf ? GRID_LEADER_BYTES : 0;
    both[k]->off = both[k]->bytes + M, both[k]->left = both[k]->off + M;
  }
  return fine;
}

/* Communicators and shared memory of this machine. */
static bool connect(grid_machine_group *g, MPI_Comm comm) {
  bool fine =
      MPI_Comm_split(comm, g->machine, g->rank, &g->local) == MPI_SUCCESS &&
      MPI_Comm_split(comm, g->local_rank == 0 ? 0 : MPI_UNDEFINED, g->rank, &g->leaders) == MPI_SUCCESS;
  if (!fine) return false;
  MPI_Comm_set_errhandler(g->local, MPI_ERRORS_RETURN);
  if (g->leaders != MPI_COMM_NULL) MPI_Comm_set_errhandler(g->leaders, MPI_ERRORS_RETURN);
  if (g->local_size == 1) return true;
  return grid_mailbox_open(g->mailbox, &g->local) &&
         grid_shm_windows_open(&g->windows, &g->local, g->mailbox);
}

bool grid_machine_group_open(grid_machine_group *g, MPI_Comm comm, grid_set set, int machine) {
  *g = (grid_machine_group){
      .local = MPI_COMM_NULL, .leaders = MPI_COMM_NULL, .mailbox = GRID_HOST_MAILBOX(set)};
  MPI_Comm_size(comm, &g->size);
  MPI_Comm_rank(comm, &g->rank);
  if (g->size == 1) return false;
  int *number = grid_malloc((size_t)g->size, sizeof *number);
  g->first = grid_malloc(2 * (size_t)g->size + 1, sizeof *g->first);
  if (g->first) g->member = g->first + g->size + 1;
  bool fine = all_agree(comm, number && g->first);
  fine = fine && number && g->first; /* all_agree says so, too */
  fine = fine && MPI_Allgather(&machine, 1, MPI_INT, number, 1, MPI_INT, comm) == MPI_SUCCESS;
  if (fine) list_members(g, number);
  grid_free(number);
  fine = fine && is_within_limits(g);
  if (fine) fine = all_agree(comm, allocate(g));
  if (fine) fine = all_agree(comm, connect(g, comm));
  g->open = fine;
  if (!fine) grid_machine_group_close(g);
  return fine;
}

void grid_machine_group_close(grid_machine_group *g) {
  void *const all[] = {g->round, g->first, g->word,     g->at,         g->heads,    g->out,
                       g->in,    g->block, g->send.buf, g->send.bytes, g->recv.buf, g->recv.bytes};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) grid_free(all[k]);
  grid_shm_windows_close(&g->windows);
  if (g->local != MPI_COMM_NULL) MPI_Comm_free(&g->local);
  if (g->leaders != MPI_COMM_NULL) MPI_Comm_free(&g->leaders);
  *g = (grid_machine_group){.local = MPI_COMM_NULL, .leaders = MPI_COMM_NULL};
}
