/* The MPI transport: messages between host memories. Errors are GrB_PANIC with MPI's error string. */
#include <string.h>

#include "dist/comm/transport/mpi_comms.h"
#include "dist/comm/transport/shm/shm_exchange.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "semiring/support/tuning.h"

grid_traffic grid_default_traffic_now GRID_OF_CONTEXT;

static void count_traffic(size_t bytes) {
  grid_traffic_now.calls++;
  grid_traffic_now.bytes += bytes;
}

/* ---- short messages, through the shm mailbox ---- */

static bool fits_mailbox(grid_set set, size_t bytes) {
  return bytes > 0 && bytes <= GRID_MAILBOX_BYTES && grid_mailbox_is_open(set);
}

static int set_size(grid_set set) {
  int size;
  MPI_Comm_size(grid_mpi.comm[set], &size);
  return size;
}
static int set_rank(grid_set set) {
  int rank;
  MPI_Comm_rank(grid_mpi.comm[set], &rank);
  return rank;
}

static uint64_t combine_words(uint64_t a, uint64_t b, grid_reduction op) {
  return op == GRID_SUM ? a + b : op == GRID_MAX ? (a > b ? a : b) : op == GRID_MIN ? (a < b ? a : b) : a | b;
}

static void reduce_by_mailbox(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  const int size = set_size(set);
  grid_mailbox_exchange(set, v, n * sizeof *v);
  memcpy(v, grid_mailbox_of(set, 0), n * sizeof *v);
  for (int r = 1; r < size; r++)
    for (size_t k = 0; k < n; k++)
      v[k] = combine_words(v[k], ((const uint64_t *)grid_mailbox_of(set, r))[k], op);
}

/* ---- messages of any length ---- */

static GrB_Info mpi_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  count_traffic(n * sizeof *v);
  if (fits_mailbox(set, n * sizeof *v)) {
    reduce_by_mailbox(set, v, n, op);
    return GrB_SUCCESS;
  }
  MPI_Op how = op == GRID_SUM ? MPI_SUM : op == GRID_MAX ? MPI_MAX : op == GRID_MIN ? MPI_MIN : MPI_BOR;
  for (size_t done = 0; done < n;) {
    size_t m = n - done < GRID_MPI_SEGMENT / 8 ? n - done : GRID_MPI_SEGMENT / 8;
    GrB_Info info =
        grid_mpi_check(MPI_Allreduce(MPI_IN_PLACE, v + done, (int)m, MPI_UINT64_T, how, grid_mpi.comm[set]),
                       "MPI_Allreduce");
    if (info != GrB_SUCCESS) return info;
    done += m;
  }
  return GrB_SUCCESS;
}

static GrB_Info mpi_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context) {
  if (bytes == 0) return GrB_SUCCESS;
  count_traffic(bytes);
  if (fits_mailbox(set, bytes)) {
    grid_mailbox_exchange(set, buf, bytes);
    memcpy(buf, grid_mailbox_of(set, 0), bytes);
    for (int r = 1; r < set_size(set); r++) f(buf, grid_mailbox_of(set, r), bytes, context);
    return GrB_SUCCESS;
  }
  size_t whole = bytes / GRID_MPI_SEGMENT;
  if (whole > 0 && bytes % GRID_MPI_SEGMENT) /* above 1 GiB the caller pads to a multiple */
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "allreduce of %zu bytes: more than 1 GiB must be a multiple of it", bytes);
  return grid_mpi_check(
      MPI_Allreduce_with(buf, whole ? (int)whole : 1, (int)(whole ? GRID_MPI_SEGMENT : bytes), f, context,
                         grid_mpi.comm[set]),
      "MPI_Allreduce");
}

static GrB_Info mpi_bcast(grid_set set, void *buf, size_t bytes, int root) {
  count_traffic(set_rank(set) == root ? bytes : 0);
  if (fits_mailbox(set, bytes)) {
    grid_mailbox_bcast(set, buf, bytes, root);
    if (set_rank(set) != root) memcpy(buf, grid_mailbox_of(set, root), bytes);
    return GrB_SUCCESS;
  }
  for (size_t done = 0; done < bytes;) {
    size_t m = bytes - done < GRID_MPI_SEGMENT ? bytes - done : GRID_MPI_SEGMENT;
    GrB_Info info = grid_mpi_check(MPI_Bcast((char *)buf + done, (int)m, MPI_BYTE, root, grid_mpi.comm[set]),
                                   "MPI_Bcast");
    if (info != GrB_SUCCESS) return info;
    done += m;
  }
  return GrB_SUCCESS;
}

static void count_traffic_of(const size_t *bytes, int size, int rank) {
  size_t sum = 0;
  for (int r = 0; r < size; r++)
    if (r != rank) sum += bytes[r];
  count_traffic(sum);
}

static GrB_Info mpi_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                             const size_t *recvoff) {
  count_traffic_of(sendbytes, set_size(set), set_rank(set));
  return grid_mpi_exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

/* A set of all processes shares what GRID_SET_ALL has; the ranks are the same. */
static grid_set shared_set(grid_set set) {
  return set_size(set) == grid_mpi.world_size ? GRID_SET_ALL : set;
}

/* A slot holds the segments for all processes, `longest` bytes each, in rank order. */
static void exchange_by_mailbox(grid_set set, const char *sendbuf, const size_t *sendbytes,
                                const size_t *sendoff, char *recvbuf, const size_t *recvbytes,
                                const size_t *recvoff, size_t longest) {
  char out[GRID_MAILBOX_BYTES];
  const int size = set_size(set), rank = set_rank(set);
  for (int r = 0; r < size; r++)
    if (sendbytes[r]) memcpy(out + (size_t)r * longest, sendbuf + sendoff[r], sendbytes[r]);
  grid_mailbox_exchange(set, out, (size_t)size * longest);
  for (int r = 0; r < size; r++)
    if (recvbytes[r])
      memcpy(recvbuf + recvoff[r], grid_mailbox_of(set, r) + (size_t)rank * longest, recvbytes[r]);
}

static bool open_shm_exchange(grid_set set) {
  return grid_shm_exchange_open(set, &grid_mpi.comm[set]);
}

static char *mpi_shared_buffer(grid_set set, size_t bytes) {
  const grid_set of = shared_set(set);
  return open_shm_exchange(of) ? grid_shm_buffer(of, &grid_mpi.comm[of], bytes) : NULL;
}

static void mpi_barrier(grid_set set) {
  grid_shm_barrier(shared_set(set));
}

static bool mpi_gather_long(const void *local, const size_t *bytes, const size_t *off, void *all) {
  if (!open_shm_exchange(GRID_SET_ALL)) return false;
  count_traffic(bytes[set_rank(GRID_SET_ALL)] * (size_t)(grid_mpi.world_size - 1));
  grid_shm_allgather(GRID_SET_ALL, local, bytes, off, all);
  return true;
}

static GrB_Info mpi_exchange_long(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                  const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                                  const size_t *recvoff, size_t longest) {
  const grid_set of = shared_set(set);
  count_traffic_of(sendbytes, set_size(of), set_rank(of));
  if (longest > 0 && longest <= GRID_MAILBOX_BYTES / (size_t)set_size(of) && grid_mailbox_is_open(of)) {
    exchange_by_mailbox(of, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
    return GrB_SUCCESS;
  }
  if (longest >= grid_tune.shm_min_bytes && open_shm_exchange(of)) {
    grid_shm_exchange(of, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
    return GrB_SUCCESS;
  }
  return grid_mpi_exchange(of, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

/* Segments that differ, of those that a process sends. */
static int distinct_segments(int size, const grid_recv_buffer *in) {
  return in->is_replicated ? 1 : size;
}

/* Fills a slot with the lengths of this process's n segments, and with the segments if there is room for all.
 * Returns the bytes. */
static size_t fill_slot(char *slot, int n, const char *sendbuf, const size_t *sendbytes,
                        const size_t *sendoff) {
  const size_t head = (size_t)n * sizeof *sendbytes;
  size_t at = head, all = head;
  memcpy(slot, sendbytes, head);
  for (int to = 0; to < n; to++) all += sendbytes[to];
  if (all > GRID_MAILBOX_BYTES) return head;
  for (int to = 0; to < n; at += sendbytes[to++])
    if (sendbytes[to]) memcpy(slot + at, sendbuf + sendoff[to], sendbytes[to]);
  return all;
}

/* Reads the lengths in the slots: of the segments for this process, and where they begin in the slots
 * (in->left). *longest: of any segment. Returns the bytes of the fullest slot, if all had room. */
static size_t read_slots(grid_set set, grid_recv_buffer *in, size_t *longest) {
  const int size = set_size(set), n = distinct_segments(size, in), local = n == 1 ? 0 : set_rank(set);
  size_t fullest = 0;
  for (int r = 0; r < size; r++) {
    const size_t *bytes = (const size_t *)(const void *)grid_mailbox_of(set, r);
    size_t at = (size_t)n * sizeof *bytes;
    for (int to = 0; to < n; at += bytes[to++]) {
      if (to == local) in->left[r] = at;
      if (bytes[to] > *longest) *longest = bytes[to];
      if (in->sizes) in->sizes[r * n + to] = bytes[to];
    }
    in->bytes[r] = bytes[local];
    if (at > fullest) fullest = at;
  }
  return fullest;
}

/* The set's processes are on this machine: short segments go through the shm mailbox together with their
 * lengths, others follow in shared memory, unless they remain for the caller. */
static GrB_Info alltoallv_shm(grid_set set, const char *sendbuf, const size_t *sendbytes,
                              const size_t *sendoff, grid_recv_buffer *in, bool *done) {
  const int size = set_size(set), rank = set_rank(set), n = distinct_segments(size, in);
  size_t longest = 0, used = 0;
  char slot[GRID_MAILBOX_BYTES];
  grid_mailbox_exchange(set, slot, fill_slot(slot, n, sendbuf, sendbytes, sendoff));
  const bool arrived = read_slots(set, in, &longest) <= GRID_MAILBOX_BYTES,
             is_short = longest <= GRID_MAILBOX_BYTES / (size_t)size;
  in->is_long = in->sizes && !arrived;
  *done =
      arrived || in->is_long || ((is_short || longest >= grid_tune.shm_min_bytes) && open_shm_exchange(set));
  for (int r = 0; r < size; r++) {
    in->off[r] = used;
    used += (in->bytes[r] + 7) / 8 * 8;
  }
  if (longest == 0 || !*done || in->is_long) return GrB_SUCCESS;
  GrB_Info info = grid_recv_buffer_grow(in, 0, used);
  if (info != GrB_SUCCESS) memset(in->bytes, 0, (size_t)size * sizeof *in->bytes);
  if (!arrived) {
    if (in->bytes[rank]) memcpy(in->buf + in->off[rank], sendbuf + sendoff[rank], sendbytes[rank]);
    grid_shm_exchange(set, sendbuf, sendbytes, sendoff, in->buf, in->bytes, in->off, longest);
    return info;
  }
  for (int r = 0; r < size; r++)
    if (in->bytes[r]) memcpy(in->buf + in->off[r], grid_mailbox_of(set, r) + in->left[r], in->bytes[r]);
  return info;
}

static GrB_Info mpi_alltoallv_nocounts(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                       const size_t *sendoff, grid_recv_buffer *in) {
  const int size = set_size(set);
  const grid_set of = in->sizes ? set : shared_set(set);
  bool done = false;
  count_traffic_of(sendbytes, size, set_rank(set));
  if ((size_t)size * sizeof *sendbytes <= GRID_MAILBOX_BYTES && grid_mailbox_is_open(of)) {
    GrB_Info info = alltoallv_shm(of, sendbuf, sendbytes, sendoff, in, &done);
    if (done) return info;
  }
  return grid_alltoallv_nocounts(&grid_mpi.comm[set], grid_mpi.alltoallv_calls[set]++, sendbuf, sendbytes,
                                 sendoff, in);
}

static GrB_Info mpi_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  if (bytes == 0) return GrB_SUCCESS;
  if (bytes <= GRID_MPI_SEGMENT)
    count_traffic(bytes * (size_t)(set_size(set) - 1)); /* longer ones are broadcasts,
                                                         * which count themselves */
  if (fits_mailbox(set, bytes)) {
    grid_mailbox_exchange(set, send, bytes);
    for (int r = 0; r < set_size(set); r++)
      memcpy((char *)recv + (size_t)r * bytes, grid_mailbox_of(set, r), bytes);
    return GrB_SUCCESS;
  }
  enum { MANY = 256 };
  const grid_set of = shared_set(set);
  if (bytes <= GRID_MPI_SEGMENT && set_size(of) <= MANY && open_shm_exchange(of)) {
    size_t sizes[MANY], off[MANY];
    for (size_t r = 0; r < (size_t)set_size(of); r++) sizes[r] = bytes, off[r] = r * bytes;
    grid_shm_allgather(of, send, sizes, off, recv);
    return GrB_SUCCESS;
  }
  if (bytes <= GRID_MPI_SEGMENT) {
    return grid_mpi_check(
        MPI_Allgather(send, (int)bytes, MPI_BYTE, recv, (int)bytes, MPI_BYTE, grid_mpi.comm[set]),
        "MPI_Allgather");
  }
  int size;
  MPI_Comm_size(grid_mpi.comm[set], &size);
  for (int r = 0; r < size; r++) {
    int rank;
    MPI_Comm_rank(grid_mpi.comm[set], &rank);
    char *to = (char *)recv + (size_t)r * bytes;
    if (r == rank) memcpy(to, send, bytes);
    GrB_Info info = mpi_bcast(set, to, bytes, r);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

const grid_transport grid_transport_mpi = {
    "MPI",         mpi_allreduce,   mpi_allreduce_with,     mpi_bcast,
    mpi_allgather, mpi_exchange,    mpi_exchange_long,      mpi_shared_buffer,
    mpi_barrier,   mpi_gather_long, mpi_alltoallv_nocounts,
};
