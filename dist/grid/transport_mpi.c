/* The MPI transport: messages between host memories. Errors come back as GrB_PANIC with MPI's own words. */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "dist/grid/board.h"
#include "dist/grid/mpi_start.h"
#include "dist/grid/near.h"

static MPI_Comm comm_of[GRID_NSETS] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
static MPI_Comm world = MPI_COMM_NULL; /* duplicate of the caller's communicator */
static bool started_here;
static int world_size, machine_size;
static uint64_t deliveries[GRID_NSETS];

/* MPI counts are ints, so that longer messages go in pieces. */
static const size_t PIECE = (size_t)1 << 30;

grid_traffic grid_traffic_now;

static void note(size_t bytes) {
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

/* More processes than cores: who waits has to give way. Open MPI is told before it starts, unless somebody
 * has told it. */
static void give_way(void) {
  const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (here && strtol(here, NULL, 10) > omp_get_num_procs()) setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

GrB_Info grid_mpi_open(const void *comm, int *rank, int *size, int *local_rank, int *local_size) {
  int up = 0, down = 0;
  MPI_Initialized(&up);
  MPI_Finalized(&down);
  if (down) return grid_fail(NULL, GrB_PANIC, "Grid_init: MPI has been finalised, and it starts only once");
  started_here = !up;
  if (!up) {
    int provided;
    give_way();
    GrB_Info info = check(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    if (info != GrB_SUCCESS) return info;
  }
  MPI_Comm from = comm ? *(const MPI_Comm *)comm : MPI_COMM_WORLD, machine;
  GrB_Info info = check(MPI_Comm_dup(from, &world), "MPI_Comm_dup");
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world, rank);
  MPI_Comm_size(world, size);
  info = check(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &machine),
               "MPI_Comm_split_type");
  if (info != GrB_SUCCESS) return info;
  MPI_Comm_size(machine, local_size);
  MPI_Comm_rank(machine, local_rank);
  MPI_Comm_free(&machine);
  world_size = *size;
  machine_size = *local_size;
  return GrB_SUCCESS;
}

GrB_Info grid_mpi_split(int i, int j, int k) {
  const int color[GRID_NSETS] = {i, j, 0}, key[GRID_NSETS] = {j, i, k};
  for (int s = 0; s < GRID_NSETS; s++) {
    GrB_Info info = check(MPI_Comm_split(world, color[s], key[s], &comm_of[s]), "MPI_Comm_split");
    if (info != GrB_SUCCESS) return info;
    deliveries[s] = 0; /* processes that come from other grids had other numbers of them */
    MPI_Comm_set_errhandler(comm_of[s], MPI_ERRORS_RETURN);
    if (machine_size == world_size) grid_board_open((grid_set)s, &comm_of[s], machine_size);
  }
  return GrB_SUCCESS;
}

const void *grid_mpi_comm(void) {
  return &comm_of[GRID_SET_ALL];
}

/* MPI starts only once, the library as often as a program likes: who started MPI ends it with the program. */
static void end_mpi(void) {
  int down = 0;
  MPI_Finalized(&down);
  if (!down) MPI_Finalize();
}

void grid_mpi_close(void) {
  int down = 0;
  MPI_Finalized(&down);
  if (down) return;
  grid_near_close();
  grid_board_close();
  for (int s = 0; s < GRID_NSETS; s++)
    if (comm_of[s] != MPI_COMM_NULL) MPI_Comm_free(&comm_of[s]);
  if (world != MPI_COMM_NULL) MPI_Comm_free(&world);
  if (started_here && atexit(end_mpi)) end_mpi();
}

/* ---- short messages, on the board ---- */

static bool on_board(grid_set set, size_t bytes) {
  return bytes > 0 && bytes <= GRID_BOARD_ROOM && grid_board_is_open(set);
}

static int size_of(grid_set set) {
  int size;
  MPI_Comm_size(comm_of[set], &size);
  return size;
}
static int rank_in(grid_set set) {
  int rank;
  MPI_Comm_rank(comm_of[set], &rank);
  return rank;
}

static uint64_t reduce_two(uint64_t a, uint64_t b, grid_reduction op) {
  return op == GRID_SUM ? a + b : op == GRID_MAX ? (a > b ? a : b) : op == GRID_MIN ? (a < b ? a : b) : a | b;
}

static void reduce_on_board(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  const int size = size_of(set);
  grid_board_meet(set, v, n * sizeof *v);
  memcpy(v, grid_board_of(set, 0), n * sizeof *v);
  for (int r = 1; r < size; r++)
    for (size_t k = 0; k < n; k++) v[k] = reduce_two(v[k], ((const uint64_t *)grid_board_of(set, r))[k], op);
}

/* ---- of any length ---- */

static GrB_Info mpi_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  note(n * sizeof *v);
  if (on_board(set, n * sizeof *v)) {
    reduce_on_board(set, v, n, op);
    return GrB_SUCCESS;
  }
  MPI_Op how = op == GRID_SUM ? MPI_SUM : op == GRID_MAX ? MPI_MAX : op == GRID_MIN ? MPI_MIN : MPI_BOR;
  for (size_t done = 0; done < n;) {
    size_t m = n - done < PIECE / 8 ? n - done : PIECE / 8;
    GrB_Info info = check(MPI_Allreduce(MPI_IN_PLACE, v + done, (int)m, MPI_UINT64_T, how, comm_of[set]),
                          "MPI_Allreduce");
    if (info != GrB_SUCCESS) return info;
    done += m;
  }
  return GrB_SUCCESS;
}

/* MPI gives a user operation no context, so the one call that can be under way leaves its own here. */
static struct {
  grid_combine_fn f;
  void *context;
} combining;

static void combine_op(void *in, void *inout, int *len, MPI_Datatype *type) {
  MPI_Count bytes;
  MPI_Type_size_x(*type, &bytes);
  for (int e = 0; e < *len; e++)
    combining.f((char *)inout + (size_t)e * (size_t)bytes, (char *)in + (size_t)e * (size_t)bytes,
                (size_t)bytes, combining.context);
}

/* The buffer travels as one element of a type as large as itself: MPI must not cut it. */
static GrB_Info mpi_allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context) {
  if (bytes == 0) return GrB_SUCCESS;
  note(bytes);
  if (on_board(set, bytes)) {
    grid_board_meet(set, buf, bytes);
    memcpy(buf, grid_board_of(set, 0), bytes);
    for (int r = 1; r < size_of(set); r++) f(buf, grid_board_of(set, r), bytes, context);
    return GrB_SUCCESS;
  }
  size_t whole = bytes / PIECE;
  if (whole > 0 && bytes % PIECE) /* above 1 GiB the caller pads to whole pieces */
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "allreduce of %zu bytes: more than 1 GiB must be a multiple of it", bytes);
  MPI_Datatype piece = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  GrB_Info info =
      check(MPI_Type_contiguous((int)(whole ? PIECE : bytes), MPI_BYTE, &piece), "MPI_Type_contiguous");
  if (info == GrB_SUCCESS)
    info = check(MPI_Type_contiguous((int)(whole ? whole : 1), piece, &type), "MPI_Type_contiguous");
  if (info == GrB_SUCCESS) info = check(MPI_Type_commit(&type), "MPI_Type_commit");
  if (info == GrB_SUCCESS) info = check(MPI_Op_create(combine_op, 1, &op), "MPI_Op_create");
  combining.f = f, combining.context = context;
  if (info == GrB_SUCCESS)
    info = check(MPI_Allreduce(MPI_IN_PLACE, buf, 1, type, op, comm_of[set]), "MPI_Allreduce");
  if (op != MPI_OP_NULL) MPI_Op_free(&op);
  if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  if (piece != MPI_DATATYPE_NULL) MPI_Type_free(&piece);
  return info;
}

static GrB_Info mpi_bcast(grid_set set, void *buf, size_t bytes, int root) {
  note(rank_in(set) == root ? bytes : 0);
  if (on_board(set, bytes)) {
    const bool mine = rank_in(set) == root;
    grid_board_meet(set, buf, mine ? bytes : 0);
    if (!mine) memcpy(buf, grid_board_of(set, root), bytes);
    return GrB_SUCCESS;
  }
  for (size_t done = 0; done < bytes;) {
    size_t m = bytes - done < PIECE ? bytes - done : PIECE;
    GrB_Info info = check(MPI_Bcast((char *)buf + done, (int)m, MPI_BYTE, root, comm_of[set]), "MPI_Bcast");
    if (info != GrB_SUCCESS) return info;
    done += m;
  }
  return GrB_SUCCESS;
}

/* Point-to-point messages of any length between all processes of a set; own piece is copied. */
static GrB_Info exchange(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                         void *recvbuf, const size_t *recvbytes, const size_t *recvoff) {
  enum { TAG = 11, BATCH = 64 };
  int size, rank;
  MPI_Comm comm = comm_of[set];
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  if (sendbytes[rank])
    memcpy((char *)recvbuf + recvoff[rank], (const char *)sendbuf + sendoff[rank], sendbytes[rank]);
  GrB_Info info = GrB_SUCCESS;
  /* Rounds of one piece to and from each of up to BATCH / 2 partners: no allocation, bounded requests. */
  for (int first = 1; first < size; first += BATCH / 2) {
    int last = first + BATCH / 2 < size ? first + BATCH / 2 : size;
    bool more = true;
    for (size_t at = 0; more; at += PIECE) {
      MPI_Request request[BATCH];
      int n = 0;
      more = false;
      for (int d = first; d < last; d++) {
        int from = (rank - d + size) % size, to = (rank + d) % size;
        if (recvbytes[from] > at) {
          size_t m = recvbytes[from] - at < PIECE ? recvbytes[from] - at : PIECE;
          more = more || recvbytes[from] - at > PIECE;
          int rc =
              MPI_Irecv((char *)recvbuf + recvoff[from] + at, (int)m, MPI_BYTE, from, TAG, comm, &request[n]);
          if (rc == MPI_SUCCESS)
            n++;
          else
            info = check(rc, "MPI_Irecv");
        }
        if (sendbytes[to] > at) {
          size_t m = sendbytes[to] - at < PIECE ? sendbytes[to] - at : PIECE;
          more = more || sendbytes[to] - at > PIECE;
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

static void note_pieces(const size_t *bytes, int size, int rank) {
  size_t sum = 0;
  for (int r = 0; r < size; r++)
    if (r != rank) sum += bytes[r];
  note(sum);
}

static GrB_Info mpi_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                             const size_t *recvoff) {
  note_pieces(sendbytes, size_of(set), rank_in(set));
  return exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

/* Pieces of `longest` bytes at most stand one behind the other in a place, in the order of who they are for.
 */
static void exchange_on_board(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                              char *recvbuf, const size_t *recvbytes, const size_t *recvoff, size_t longest) {
  char out[GRID_BOARD_ROOM];
  const int size = world_size, rank = rank_in(GRID_SET_ALL);
  for (int r = 0; r < size; r++)
    if (sendbytes[r]) memcpy(out + (size_t)r * longest, sendbuf + sendoff[r], sendbytes[r]);
  grid_board_meet(GRID_SET_ALL, out, (size_t)size * longest);
  for (int r = 0; r < size; r++)
    if (recvbytes[r])
      memcpy(recvbuf + recvoff[r], grid_board_of(GRID_SET_ALL, r) + (size_t)rank * longest, recvbytes[r]);
}

static bool are_near(void) {
  return grid_near_open(&comm_of[GRID_SET_ALL], world_size, machine_size);
}

static char *mpi_room(size_t bytes) {
  return are_near() ? grid_near_room(bytes) : NULL;
}

static bool mpi_gather_long(const void *mine, const size_t *bytes, const size_t *off, void *all) {
  if (!are_near()) return false;
  note(bytes[rank_in(GRID_SET_ALL)] * (size_t)(world_size - 1));
  grid_near_gather(mine, bytes, off, all);
  return true;
}

static GrB_Info mpi_exchange_long(const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                                  void *recvbuf, const size_t *recvbytes, const size_t *recvoff,
                                  size_t longest) {
  note_pieces(sendbytes, world_size, rank_in(GRID_SET_ALL));
  if (longest > 0 && longest <= GRID_BOARD_ROOM / (size_t)world_size && grid_board_is_open(GRID_SET_ALL)) {
    exchange_on_board(sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
    return GrB_SUCCESS;
  }
  if (longest >= grid_near_from && are_near()) {
    grid_near_exchange(sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
    return GrB_SUCCESS;
  }
  return exchange(GRID_SET_ALL, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}

/* All processes are here: the lengths stand on the board first, which costs next to nothing. */
static GrB_Info deliver_here(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                             grid_inbox *in, bool *done) {
  const int size = world_size, rank = rank_in(GRID_SET_ALL);
  size_t longest = 0, used = 0;
  grid_board_meet(GRID_SET_ALL, sendbytes, (size_t)size * sizeof *sendbytes);
  for (int r = 0; r < size; r++) {
    const size_t *bytes = (const size_t *)(const void *)grid_board_of(GRID_SET_ALL, r);
    for (int to = 0; to < size; to++)
      if (bytes[to] > longest) longest = bytes[to];
    in->bytes[r] = bytes[rank];
    in->off[r] = used;
    used += (bytes[rank] + 7) / 8 * 8;
  }
  const bool few = longest <= GRID_BOARD_ROOM / (size_t)size;
  *done = few || (longest >= grid_near_from && are_near());
  if (longest == 0 || !*done) return GrB_SUCCESS;
  GrB_Info info = grid_inbox_grow(in, 0, used);
  if (info != GrB_SUCCESS) memset(in->bytes, 0, (size_t)size * sizeof *in->bytes);
  if (few) {
    exchange_on_board(sendbuf, sendbytes, sendoff, in->buf, in->bytes, in->off, longest);
  } else {
    if (in->bytes[rank]) memcpy(in->buf + in->off[rank], sendbuf + sendoff[rank], sendbytes[rank]);
    grid_near_exchange(sendbuf, sendbytes, sendoff, in->buf, in->bytes, in->off, longest);
  }
  return info;
}

static GrB_Info mpi_deliver(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                            grid_inbox *in) {
  const int size = size_of(set);
  bool done = false;
  note_pieces(sendbytes, size, rank_in(set));
  if (size == world_size && (size_t)size * sizeof *sendbytes <= GRID_BOARD_ROOM &&
      grid_board_is_open(GRID_SET_ALL)) {
    GrB_Info info = deliver_here(sendbuf, sendbytes, sendoff, in, &done);
    if (done) return info;
  }
  return grid_deliver(&comm_of[set], deliveries[set]++, sendbuf, sendbytes, sendoff, in);
}

static GrB_Info mpi_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  if (bytes == 0) return GrB_SUCCESS;
  if (bytes <= PIECE) note(bytes * (size_t)(size_of(set) - 1)); /* else broadcasts */
  if (on_board(set, bytes)) {
    grid_board_meet(set, send, bytes);
    for (int r = 0; r < size_of(set); r++)
      memcpy((char *)recv + (size_t)r * bytes, grid_board_of(set, r), bytes);
    return GrB_SUCCESS;
  }
  enum { MANY = 256 };
  if (bytes <= PIECE && set == GRID_SET_ALL && world_size <= MANY && are_near()) {
    size_t sizes[MANY], off[MANY];
    for (size_t r = 0; r < (size_t)world_size; r++) sizes[r] = bytes, off[r] = r * bytes;
    grid_near_gather(send, sizes, off, recv);
    return GrB_SUCCESS;
  }
  if (bytes <= PIECE) {
    return check(MPI_Allgather(send, (int)bytes, MPI_BYTE, recv, (int)bytes, MPI_BYTE, comm_of[set]),
                 "MPI_Allgather");
  }
  int size;
  MPI_Comm_size(comm_of[set], &size);
  for (int r = 0; r < size; r++) {
    int rank;
    MPI_Comm_rank(comm_of[set], &rank);
    char *to = (char *)recv + (size_t)r * bytes;
    if (r == rank) memcpy(to, send, bytes);
    GrB_Info info = mpi_bcast(set, to, bytes, r);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

const grid_transport grid_transport_mpi = {
    "MPI",    mpi_allreduce,  mpi_allreduce_with, mpi_bcast,   mpi_allgather, mpi_exchange, mpi_exchange_long,
    mpi_room, grid_near_meet, mpi_gather_long,    mpi_deliver,
};
