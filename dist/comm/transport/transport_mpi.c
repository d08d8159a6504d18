/* The MPI transport: messages between host memories. Errors are GrB_PANIC with MPI's error string. */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "dist/comm/transport/shm_mailbox.h"
#include "dist/comm/transport/mpi_init.h"
#include "dist/comm/transport/shm_exchange.h"
#include "semiring/support/tuning.h"

static struct {
  MPI_Comm comm[GRID_NSETS]; /* of each set */
  MPI_Comm world;            /* duplicate of the caller's communicator */
  bool started;              /* the library has initialised MPI */
  int world_rank, world_size, machine_rank, machine_size;
  int machine; /* lowest rank in world of this machine's processes */
  uint64_t alltoallv_calls[GRID_NSETS];
  /* MPI passes no context to a user operation; at most one such call runs at a time. */
  struct {
    grid_combine_fn f;
    void *context;
  } combining;
} mpi = {.comm = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL}, .world = MPI_COMM_NULL};

/* MPI counts are ints, so longer messages are split into segments. */
static const size_t SEGMENT = (size_t)1 << 30;

grid_traffic grid_traffic_now;

static void count_traffic(size_t bytes) {
  grid_traffic_now.calls++;
  grid_traffic_now.bytes += bytes;
}

static GrB_Info check(int rc, const char *call) {
  if (rc == MPI_SUCCESS) return GrB_SUCCESS;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(rc, text, &length);
  return grid_fail(NULL, GrB_PANIC, "%s failed: %.*s", call, length, text);
}

bool grid_mpi_wanted(void) {
  int up = 0;
  MPI_Initialized(&up);
  if (up) return true;
  static const char *const launcher[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK",
                                         "MPI_LOCALNRANKS"};
  for (size_t v = 0; v < sizeof launcher / sizeof *launcher; v++)
    if (getenv(launcher[v])) return true;
  return false;
}

/* With more processes than cores a waiting process must yield. Sets Open MPI's option before MPI starts,
 * unless the user has set it. */
static void yield_cpu(void) {
  const char *local_size_text = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (local_size_text && strtol(local_size_text, NULL, 10) > omp_get_num_procs())
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

/* The processes of this machine; GRIDBLAS_TUNE=processes_per_host makes several machines of it. */
static GrB_Info find_machine(void) {
  MPI_Comm machine, part;
  int rank;
  GrB_Info info =
      check(MPI_Comm_split_type(mpi.world, MPI_COMM_TYPE_SHARED, mpi.world_rank, MPI_INFO_NULL, &machine),
            "MPI_Comm_split_type");
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_rank(machine, &rank);
  const uint64_t each = grid_tune.processes_per_host;
  info =
      check(MPI_Comm_split(machine, each ? (int)((uint64_t)rank / each) : 0, rank, &part), "MPI_Comm_split");
  MPI_Comm_free(&machine);
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_size(part, &mpi.machine_size);
  MPI_Comm_rank(part, &mpi.machine_rank);
  mpi.machine = mpi.world_rank;
  info = check(MPI_Bcast(&mpi.machine, 1, MPI_INT, 0, part), "MPI_Bcast");
  MPI_Comm_free(&part);
  return info;
}

/* mpi.world, and the ranks and sizes; after a failure mpi.world is MPI_COMM_NULL. */
static GrB_Info duplicate_comm(MPI_Comm from) {
  GrB_Info info = check(MPI_Comm_dup(from, &mpi.world), "MPI_Comm_dup");
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_set_errhandler(mpi.world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(mpi.world, &mpi.world_rank);
  MPI_Comm_size(mpi.world, &mpi.world_size);
  info = find_machine();
  if (info != GrB_SUCCESS) MPI_Comm_free(&mpi.world);
  return info;
}

static GrB_Info start_mpi(const void *comm) {
  int up = 0, down = 0;
  MPI_Initialized(&up);
  MPI_Finalized(&down);
  if (down) return grid_fail(NULL, GrB_PANIC, "Grid_init: MPI has been finalised, and it starts only once");
  mpi.started = !up;
  if (!up) {
    int provided;
    yield_cpu();
    GrB_Info info = check(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    if (info != GrB_SUCCESS) return info;
  }
  return duplicate_comm(comm ? *(const MPI_Comm *)comm : MPI_COMM_WORLD);
}

/* After a Grid_init that failed later, all is open already: MPI starts only once. */
GrB_Info grid_mpi_open(const void *comm, int *rank, int *size, int *local_rank, int *local_size) {
  const GrB_Info info = mpi.world == MPI_COMM_NULL ? start_mpi(comm) : GrB_SUCCESS;
  *rank = mpi.world_rank, *size = mpi.world_size;
  *local_rank = mpi.machine_rank, *local_size = mpi.machine_size;
  return info;
}

/* Is each set of this kind on one machine? The same on all processes. */
static GrB_Info is_within_machines(grid_set set, bool *within) {
  int range[2] = {mpi.machine, -mpi.machine}, least[2], yes, all = 0;
  GrB_Info info = check(MPI_Allreduce(range, least, 2, MPI_INT, MPI_MIN, mpi.comm[set]), "MPI_Allreduce");
  if (info != GrB_SUCCESS) return info;
  yes = least[0] == -least[1];
  info = check(MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, mpi.world), "MPI_Allreduce");
  *within = all;
  return info;
}

GrB_Info grid_mpi_split(int i, int j, int k) {
  const int color[GRID_NSETS] = {i, j, 0}, key[GRID_NSETS] = {j, i, k};
  for (int s = 0; s < GRID_NSETS; s++) {
    GrB_Info info = check(MPI_Comm_split(mpi.world, color[s], key[s], &mpi.comm[s]), "MPI_Comm_split");
    if (info != GrB_SUCCESS) return info;
    mpi.alltoallv_calls[s] = 0; /* processes that come from other grids had other numbers of them */
    MPI_Comm_set_errhandler(mpi.comm[s], MPI_ERRORS_RETURN);
    bool within;
    if ((info = is_within_machines((grid_set)s, &within)) != GrB_SUCCESS) return info;
    if (within) grid_mailbox_open((grid_mailbox)s, &mpi.comm[s], mpi.machine_size);
  }
  return GrB_SUCCESS;
}

const void *grid_mpi_comm(void) {
  return &mpi.comm[GRID_SET_ALL];
}

const void *grid_mpi_set_comm(grid_set set) {
  return &mpi.comm[set];
}
int grid_mpi_machine(void) {
  return mpi.machine;
}

/* MPI can start only once, the library many times: if the library started MPI, it ends at program exit. */
static void end_mpi(void) {
  int down = 0;
  MPI_Finalized(&down);
  if (!down) MPI_Finalize();
}

void grid_mpi_close(void) {
  int down = 0;
  MPI_Finalized(&down);
  if (down) return;
  grid_shm_exchange_close();
  grid_mailbox_close();
  for (int s = 0; s < GRID_NSETS; s++)
    if (mpi.comm[s] != MPI_COMM_NULL) MPI_Comm_free(&mpi.comm[s]);
  if (mpi.world != MPI_COMM_NULL) MPI_Comm_free(&mpi.world);
  if (mpi.started && atexit(end_mpi)) end_mpi();
}

/* ---- short messages, through the shm mailbox ---- */

static bool fits_mailbox(grid_set set, size_t bytes) {
  return bytes > 0 && bytes <= GRID_MAILBOX_BYTES && grid_mailbox_is_open(set);
}

static int set_size(grid_set set) {
  int size;
  MPI_Comm_size(mpi.comm[set], &size);
  return size;
}
static int set_rank(grid_set set) {
  int rank;
  MPI_Comm_rank(mpi.comm[set], &rank);
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
    size_t m = n - done < SEGMENT / 8 ? n - done : SEGMENT / 8;
    GrB_Info info = check(MPI_Allreduce(MPI_IN_PLACE, v + done, (int)m, MPI_UINT64_T, how, mpi.comm[set]),
                          "MPI_Allreduce");
    if (info != GrB_SUCCESS) return info;
    done += m;
  }
  return GrB_SUCCESS;
}

static void combine_op(void *in, void *inout, int *len, MPI_Datatype *type) {
  MPI_Count bytes;
  MPI_Type_size_x(*type, &bytes);
  for (int e = 0; e < *len; e++)
    mpi.combining.f((char *)inout + (size_t)e * (size_t)bytes, (char *)in + (size_t)e * (size_t)bytes,
                    (size_t)bytes, mpi.combining.context);
}

/* The buffer is one element of a type of its size, so that MPI does not split it. */
static GrB_Info mpi_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context) {
  if (bytes == 0) return GrB_SUCCESS;
  count_traffic(bytes);
  if (fits_mailbox(set, bytes)) {
    grid_mailbox_exchange(set, buf, bytes);
    memcpy(buf, grid_mailbox_of(set, 0), bytes);
    for (int r = 1; r < set_size(set); r++) f(buf, grid_mailbox_of(set, r), bytes, context);
    return GrB_SUCCESS;
  }
  size_t whole = bytes / SEGMENT;
  if (whole > 0 && bytes % SEGMENT) /* above 1 GiB the caller pads to a multiple */
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "allreduce of %zu bytes: more than 1 GiB must be a multiple of it", bytes);
  MPI_Datatype segment = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  GrB_Info info =
      check(MPI_Type_contiguous((int)(whole ? SEGMENT : bytes), MPI_BYTE, &segment), "MPI_Type_contiguous");
  if (info == GrB_SUCCESS)
    info = check(MPI_Type_contiguous((int)(whole ? whole : 1), segment, &type), "MPI_Type_contiguous");
  if (info == GrB_SUCCESS) info = check(MPI_Type_commit(&type), "MPI_Type_commit");
  if (info == GrB_SUCCESS) info = check(MPI_Op_create(combine_op, 1, &op), "MPI_Op_create");
  mpi.combining.f = f, mpi.combining.context = context;
  if (info == GrB_SUCCESS)
    info = check(MPI_Allreduce(MPI_IN_PLACE, buf, 1, type, op, mpi.comm[set]), "MPI_Allreduce");
  if (op != MPI_OP_NULL) MPI_Op_free(&op);
  if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  if (segment != MPI_DATATYPE_NULL) MPI_Type_free(&segment);
  return info;
}

static GrB_Info mpi_bcast(grid_set set, void *buf, size_t bytes, int root) {
  count_traffic(set_rank(set) == root ? bytes : 0);
  if (fits_mailbox(set, bytes)) {
    const bool mine = set_rank(set) == root;
    grid_mailbox_exchange(set, buf, mine ? bytes : 0);
    if (!mine) memcpy(buf, grid_mailbox_of(set, root), bytes);
    return GrB_SUCCESS;
  }
  for (size_t done = 0; done < bytes;) {
    size_t m = bytes - done < SEGMENT ? bytes - done : SEGMENT;
    GrB_Info info = check(MPI_Bcast((char *)buf + done, (int)m, MPI_BYTE, root, mpi.comm[set]), "MPI_Bcast");
    if (info != GrB_SUCCESS) return info;
    done += m;
  }
  return GrB_SUCCESS;
}

/* Point-to-point messages of any length between all processes of a set; the local segment is copied. */
static GrB_Info exchange(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                         void *recvbuf, const size_t *recvbytes, const size_t *recvoff) {
  enum { TAG = 11, BATCH = 64 };
  int size, rank;
  MPI_Comm comm = mpi.comm[set];
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  if (sendbytes[rank])
    memcpy((char *)recvbuf + recvoff[rank], (const char *)sendbuf + sendoff[rank], sendbytes[rank]);
  GrB_Info info = GrB_SUCCESS;
  /* Rounds of one segment to and from each of up to BATCH / 2 partners: no allocation, bounded requests. */
  for (int first = 1; first < size; first += BATCH / 2) {
    int last = first + BATCH / 2 < size ? first + BATCH / 2 : size;
    bool more = true;
    for (size_t at = 0; more; at += SEGMENT) {
      MPI_Request request[BATCH];
      int n = 0;
      more = false;
      for (int d = first; d < last; d++) {
        int from = (rank - d + size) % size, to = (rank + d) % size;
        if (recvbytes[from] > at) {
          size_t m = recvbytes[from] - at < SEGMENT ? recvbytes[from] - at : SEGMENT;
          more = more || recvbytes[from] - at > SEGMENT;
          int rc =
              MPI_Irecv((char *)recvbuf + recvoff[from] + at, (int)m, MPI_BYTE, from, TAG, comm, &request[n]);
          if (rc == MPI_SUCCESS)
            n++;
          else
            info = check(rc, "MPI_Irecv");
        }
        if (sendbytes[to] > at) {
          size_t m = sendbytes[to] - at < SEGMENT ? sendbytes[to] - at : SEGMENT;
          more = more || sendbytes[to] - at > SEGMENT;
          int rc = MPI_Isend((const char *)sendbuf + sendoff[to] + at, (int)m, MPI_BYTE, to, TAG, comm,
                             &request[n]);
          if (rc == MPI_SUCCESS)
            n++;
          else
            info = check(rc, "MPI_Isend");
        }
      }
      int rc = MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
      if (rc != MPI_SUCCESS) info = check(rc, "MPI_Waitall");
    }
  }
  return info;
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
  return exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

/* A slot holds the segments for all processes, `longest` bytes each, in rank order. */
static void exchange_by_mailbox(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                                char *recvbuf, const size_t *recvbytes, const size_t *recvoff,
                                size_t longest) {
  char out[GRID_MAILBOX_BYTES];
  const int size = mpi.world_size, rank = set_rank(GRID_SET_ALL);
  for (int r = 0; r < size; r++)
    if (sendbytes[r]) memcpy(out + (size_t)r * longest, sendbuf + sendoff[r], sendbytes[r]);
  grid_mailbox_exchange(GRID_SET_ALL, out, (size_t)size * longest);
  for (int r = 0; r < size; r++)
    if (recvbytes[r])
      memcpy(recvbuf + recvoff[r], grid_mailbox_of(GRID_SET_ALL, r) + (size_t)rank * longest, recvbytes[r]);
}

static bool open_shm_exchange(void) {
  return grid_shm_exchange_open(&mpi.comm[GRID_SET_ALL], mpi.world_size, mpi.machine_size);
}

static char *mpi_shared_buffer(size_t bytes) {
  return open_shm_exchange() ? grid_shm_buffer(bytes) : NULL;
}

static bool mpi_gather_long(const void *mine, const size_t *bytes, const size_t *off, void *all) {
  if (!open_shm_exchange()) return false;
  count_traffic(bytes[set_rank(GRID_SET_ALL)] * (size_t)(mpi.world_size - 1));
  grid_shm_allgather(mine, bytes, off, all);
  return true;
}

static GrB_Info mpi_exchange_long(const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                                  void *recvbuf, const size_t *recvbytes, const size_t *recvoff,
                                  size_t longest) {
  count_traffic_of(sendbytes, mpi.world_size, set_rank(GRID_SET_ALL));
  if (longest > 0 && longest <= GRID_MAILBOX_BYTES / (size_t)mpi.world_size &&
      grid_mailbox_is_open(GRID_SET_ALL)) {
    exchange_by_mailbox(sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
    return GrB_SUCCESS;
  }
  if (longest >= grid_tune.shm_min_bytes && open_shm_exchange()) {
    grid_shm_exchange(sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
    return GrB_SUCCESS;
  }
  return exchange(GRID_SET_ALL, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

/* All processes are on this machine: lengths go through the shm mailbox, at almost no cost. */
static GrB_Info alltoallv_shm(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                              grid_recv_buffer *in, bool *done) {
  const int size = mpi.world_size, rank = set_rank(GRID_SET_ALL);
  size_t longest = 0, used = 0;
  grid_mailbox_exchange(GRID_SET_ALL, sendbytes, (size_t)size * sizeof *sendbytes);
  for (int r = 0; r < size; r++) {
    const size_t *bytes = (const size_t *)(const void *)grid_mailbox_of(GRID_SET_ALL, r);
    for (int to = 0; to < size; to++)
      if (bytes[to] > longest) longest = bytes[to];
    in->bytes[r] = bytes[rank];
    in->off[r] = used;
    used += (bytes[rank] + 7) / 8 * 8;
  }
  const bool fits_slots = longest <= GRID_MAILBOX_BYTES / (size_t)size;
  *done = fits_slots || (longest >= grid_tune.shm_min_bytes && open_shm_exchange());
  if (longest == 0 || !*done) return GrB_SUCCESS;
  GrB_Info info = grid_recv_buffer_grow(in, 0, used);
  if (info != GrB_SUCCESS) memset(in->bytes, 0, (size_t)size * sizeof *in->bytes);
  if (fits_slots) {
    exchange_by_mailbox(sendbuf, sendbytes, sendoff, in->buf, in->bytes, in->off, longest);
  } else {
    if (in->bytes[rank]) memcpy(in->buf + in->off[rank], sendbuf + sendoff[rank], sendbytes[rank]);
    grid_shm_exchange(sendbuf, sendbytes, sendoff, in->buf, in->bytes, in->off, longest);
  }
  return info;
}

static GrB_Info mpi_alltoallv_nocounts(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                       const size_t *sendoff, grid_recv_buffer *in) {
  const int size = set_size(set);
  bool done = false;
  count_traffic_of(sendbytes, size, set_rank(set));
  if (size == mpi.world_size && (size_t)size * sizeof *sendbytes <= GRID_MAILBOX_BYTES &&
      grid_mailbox_is_open(GRID_SET_ALL)) {
    GrB_Info info = alltoallv_shm(sendbuf, sendbytes, sendoff, in, &done);
    if (done) return info;
  }
  return grid_alltoallv_nocounts(&mpi.comm[set], mpi.alltoallv_calls[set]++, sendbuf, sendbytes, sendoff, in);
}

static GrB_Info mpi_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  if (bytes == 0) return GrB_SUCCESS;
  if (bytes <= SEGMENT)
    count_traffic(bytes * (size_t)(set_size(set) - 1)); /* longer ones are broadcasts,
                                                         * which count themselves */
  if (fits_mailbox(set, bytes)) {
    grid_mailbox_exchange(set, send, bytes);
    for (int r = 0; r < set_size(set); r++)
      memcpy((char *)recv + (size_t)r * bytes, grid_mailbox_of(set, r), bytes);
    return GrB_SUCCESS;
  }
  enum { MANY = 256 };
  if (bytes <= SEGMENT && set == GRID_SET_ALL && mpi.world_size <= MANY && open_shm_exchange()) {
    size_t sizes[MANY], off[MANY];
    for (size_t r = 0; r < (size_t)mpi.world_size; r++) sizes[r] = bytes, off[r] = r * bytes;
    grid_shm_allgather(send, sizes, off, recv);
    return GrB_SUCCESS;
  }
  if (bytes <= SEGMENT) {
    return check(MPI_Allgather(send, (int)bytes, MPI_BYTE, recv, (int)bytes, MPI_BYTE, mpi.comm[set]),
                 "MPI_Allgather");
  }
  int size;
  MPI_Comm_size(mpi.comm[set], &size);
  for (int r = 0; r < size; r++) {
    int rank;
    MPI_Comm_rank(mpi.comm[set], &rank);
    char *to = (char *)recv + (size_t)r * bytes;
    if (r == rank) memcpy(to, send, bytes);
    GrB_Info info = mpi_bcast(set, to, bytes, r);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

const grid_transport grid_transport_mpi = {
    "MPI",
    mpi_allreduce,
    mpi_allreduce_with,
    mpi_bcast,
    mpi_allgather,
    mpi_exchange,
    mpi_exchange_long,
    mpi_shared_buffer,
    grid_shm_barrier,
    mpi_gather_long,
    mpi_alltoallv_nocounts,
};
