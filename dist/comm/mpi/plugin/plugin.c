/* A plug-in: the table of mpi_table.h for the MPI whose mpi.h this file is compiled against. Its symbols of
 * MPI are those of the process: the library opens MPI before the plug-in (mpi_library.c). */
#include <mpi.h>
#include <pthread.h>

#include "dist/comm/mpi/mpi_table.h"

_Static_assert(MPI_SUCCESS == 0 && MPI_CONGRUENT == 1 && MPI_UNEQUAL == 3, "numbers of mpi_calls.h");
_Static_assert(MPI_THREAD_SINGLE == 0 && MPI_THREAD_FUNNELED == 1 && MPI_THREAD_SERIALIZED == 2 &&
                   MPI_THREAD_MULTIPLE == 3,
               "numbers of mpi_calls.h");
_Static_assert(MPI_MAX_ERROR_STRING <= GRID_MPI_MAX_ERROR_STRING, "the length of an error's text");
_Static_assert(sizeof(MPI_Comm) <= sizeof(grid_comm) && sizeof(MPI_Request) <= sizeof(grid_request),
               "handles fit pointers");

/* ---- handles and constants ---- */

static MPI_Comm comm_to(grid_comm c) {
  return !c ? MPI_COMM_NULL : c == GRID_COMM_WORLD ? MPI_COMM_WORLD : (MPI_Comm)(intptr_t)c;
}
static grid_comm comm_from(MPI_Comm c) {
  return c == MPI_COMM_NULL ? NULL : (grid_comm)(intptr_t)c;
}
static MPI_Request request_to(grid_request r) {
  return r ? (MPI_Request)(intptr_t)r : MPI_REQUEST_NULL;
}
static grid_request request_from(MPI_Request r) {
  return r == MPI_REQUEST_NULL ? NULL : (grid_request)(intptr_t)r;
}

static MPI_Datatype type_to(grid_mpi_type t) {
  switch (t) {
    case GRID_MPI_CHAR:
      return MPI_CHAR;
    case GRID_MPI_INT:
      return MPI_INT;
    case GRID_MPI_UNSIGNED:
      return MPI_UNSIGNED;
    case GRID_MPI_UINT64_T:
      return MPI_UINT64_T;
    case GRID_MPI_BYTE:
      break;
  }
  return MPI_BYTE;
}
static MPI_Op op_to(grid_mpi_op op) {
  return op == GRID_MPI_SUM ? MPI_SUM : op == GRID_MPI_MAX ? MPI_MAX : op == GRID_MPI_MIN ? MPI_MIN : MPI_BOR;
}
static const void *buffer_to(const void *buf) {
  return buf == GRID_MPI_IN_PLACE ? MPI_IN_PLACE : buf;
}
static int source_to(int from) {
  return from == GRID_MPI_ANY ? MPI_ANY_SOURCE : from;
}
static int tag_to(int tag) {
  return tag == GRID_MPI_ANY ? MPI_ANY_TAG : tag;
}
static void status_from(const MPI_Status *s, grid_mpi_status *to) {
  if (!to) return;
  to->MPI_SOURCE = s->MPI_SOURCE;
  MPI_Get_count(s, MPI_BYTE, &to->bytes);
}

/* ---- start and end ---- */

static int Init_thread(int *argc, char ***argv, int wanted, int *provided) {
  return MPI_Init_thread(argc, argv, wanted, provided);
}
static int Query_thread(int *level) {
  return MPI_Query_thread(level);
}
static int Is_thread_main(int *flag) {
  return MPI_Is_thread_main(flag);
}
static int Initialized(int *flag) {
  return MPI_Initialized(flag);
}
static int Finalized(int *flag) {
  return MPI_Finalized(flag);
}
static int Finalize(void) {
  return MPI_Finalize();
}
static int Abort(grid_comm comm, int code) {
  return MPI_Abort(comm_to(comm), code);
}
static int Error_string(int code, char *text, int *length) {
  return MPI_Error_string(code, text, length);
}

/* ---- communicators ---- */

static int Comm_at(const void *address, grid_comm *comm) {
  *comm = comm_from(*(const MPI_Comm *)address);
  return MPI_SUCCESS;
}
static int Comm_rank(grid_comm comm, int *rank) {
  return MPI_Comm_rank(comm_to(comm), rank);
}
static int Comm_size(grid_comm comm, int *size) {
  return MPI_Comm_size(comm_to(comm), size);
}
static int Comm_test_inter(grid_comm comm, int *flag) {
  return MPI_Comm_test_inter(comm_to(comm), flag);
}
static int Comm_compare(grid_comm a, grid_comm b, int *result) {
  return MPI_Comm_compare(comm_to(a), comm_to(b), result);
}
static int Comm_dup(grid_comm comm, grid_comm *to) {
  MPI_Comm c = MPI_COMM_NULL;
  const int rc = MPI_Comm_dup(comm_to(comm), &c);
  *to = comm_from(c);
  return rc;
}
static int Comm_split(grid_comm comm, int color, int key, grid_comm *to) {
  MPI_Comm c = MPI_COMM_NULL;
  const int rc = MPI_Comm_split(comm_to(comm), color == GRID_MPI_UNDEFINED ? MPI_UNDEFINED : color, key, &c);
  *to = comm_from(c);
  return rc;
}
static int Comm_split_type(grid_comm comm, grid_mpi_split_type type, int key, void *info, grid_comm *to) {
  (void)type, (void)info; /* of one value */
  MPI_Comm c = MPI_COMM_NULL;
  const int rc = MPI_Comm_split_type(comm_to(comm), MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &c);
  *to = comm_from(c);
  return rc;
}
static int Comm_set_errhandler(grid_comm comm, grid_mpi_handler handler) {
  (void)handler; /* of one value */
  return MPI_Comm_set_errhandler(comm_to(comm), MPI_ERRORS_RETURN);
}
static int Comm_free(grid_comm *comm) {
  MPI_Comm c = comm_to(*comm);
  const int rc = MPI_Comm_free(&c);
  *comm = comm_from(c);
  return rc;
}

/* ---- collectives ---- */

static int Barrier(grid_comm comm) {
  return MPI_Barrier(comm_to(comm));
}
static int Bcast(void *buf, int n, grid_mpi_type type, int root, grid_comm comm) {
  return MPI_Bcast(buf, n, type_to(type), root, comm_to(comm));
}
static int Allreduce(const void *send, void *recv, int n, grid_mpi_type type, grid_mpi_op op,
                     grid_comm comm) {
  return MPI_Allreduce(buffer_to(send), recv, n, type_to(type), op_to(op), comm_to(comm));
}
static int Allgather(const void *send, int n, grid_mpi_type type, void *recv, int recv_n, grid_mpi_type as,
                     grid_comm comm) {
  return MPI_Allgather(send, n, type_to(type), recv, recv_n, type_to(as), comm_to(comm));
}

/* MPI passes no context to a user operation: it is an attribute of the call's type, since several threads may
 * make such calls. */
typedef struct {
  grid_mpi_combine f;
  void *context;
} combination;
static int combination_key = MPI_KEYVAL_INVALID;
static pthread_once_t combination_once = PTHREAD_ONCE_INIT;

static void make_combination_key(void) {
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &combination_key, NULL);
}

static void combine(void *in, void *inout, int *n, MPI_Datatype *type) {
  const combination *c;
  int found;
  MPI_Count bytes;
  MPI_Type_get_attr(*type, combination_key, (void *)&c, &found);
  MPI_Type_size_x(*type, &bytes);
  for (int e = 0; e < *n; e++)
    c->f((char *)inout + (size_t)e * (size_t)bytes, (char *)in + (size_t)e * (size_t)bytes, (size_t)bytes,
         c->context);
}

/* The buffer is one element of a type of its size, so that MPI does not split it. */
static int Allreduce_with(void *buf, int n, int bytes, grid_mpi_combine f, void *context, grid_comm comm) {
  MPI_Datatype element = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  combination c = {f, context};
  pthread_once(&combination_once, make_combination_key);
  int rc = MPI_Type_contiguous(bytes, MPI_BYTE, &element);
  if (rc == MPI_SUCCESS) rc = MPI_Type_contiguous(n, element, &type);
  if (rc == MPI_SUCCESS) rc = MPI_Type_commit(&type);
  if (rc == MPI_SUCCESS) rc = MPI_Type_set_attr(type, combination_key, &c);
  if (rc == MPI_SUCCESS) rc = MPI_Op_create(combine, 1, &op);
  if (rc == MPI_SUCCESS) rc = MPI_Allreduce(MPI_IN_PLACE, buf, 1, type, op, comm_to(comm));
  if (op != MPI_OP_NULL) MPI_Op_free(&op);
  if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
  if (element != MPI_DATATYPE_NULL) MPI_Type_free(&element);
  return rc;
}

/* ---- point to point ---- */

static int Isend(const void *buf, int n, grid_mpi_type type, int to, int tag, grid_comm comm,
                 grid_request *request) {
  MPI_Request r = MPI_REQUEST_NULL;
  const int rc = MPI_Isend(buf, n, type_to(type), to, tag, comm_to(comm), &r);
  *request = request_from(r);
  return rc;
}
static int Irecv(void *buf, int n, grid_mpi_type type, int from, int tag, grid_comm comm,
                 grid_request *request) {
  MPI_Request r = MPI_REQUEST_NULL;
  const int rc = MPI_Irecv(buf, n, type_to(type), source_to(from), tag_to(tag), comm_to(comm), &r);
  *request = request_from(r);
  return rc;
}
static int Recv(void *buf, int n, grid_mpi_type type, int from, int tag, grid_comm comm,
                grid_mpi_status *status) {
  MPI_Status s;
  const int rc = MPI_Recv(buf, n, type_to(type), source_to(from), tag_to(tag), comm_to(comm), &s);
  if (rc == MPI_SUCCESS) status_from(&s, status);
  return rc;
}
static int Sendrecv(const void *send, int n, grid_mpi_type type, int to, int tag, void *recv, int most,
                    grid_mpi_type as, int from, int tag_from, grid_comm comm, grid_mpi_status *status) {
  MPI_Status s;
  const int rc = MPI_Sendrecv(send, n, type_to(type), to, tag, recv, most, type_to(as), source_to(from),
                              tag_to(tag_from), comm_to(comm), &s);
  if (rc == MPI_SUCCESS) status_from(&s, status);
  return rc;
}
static int Probe(int from, int tag, grid_comm comm, grid_mpi_status *status) {
  MPI_Status s;
  const int rc = MPI_Probe(source_to(from), tag_to(tag), comm_to(comm), &s);
  if (rc == MPI_SUCCESS) status_from(&s, status);
  return rc;
}
static int Iprobe(int from, int tag, grid_comm comm, int *flag, grid_mpi_status *status) {
  MPI_Status s;
  const int rc = MPI_Iprobe(source_to(from), tag_to(tag), comm_to(comm), flag, &s);
  if (rc == MPI_SUCCESS && *flag) status_from(&s, status);
  return rc;
}

/* ---- requests ---- */

static void requests_to(int n, const grid_request *from, MPI_Request *to) {
  for (int k = 0; k < n; k++) to[k] = request_to(from[k]);
}
static void requests_from(int n, const MPI_Request *from, grid_request *to) {
  for (int k = 0; k < n; k++) to[k] = request_from(from[k]);
}

static int Test(grid_request *request, int *flag, grid_mpi_status *status) {
  MPI_Request r = request_to(*request);
  MPI_Status s;
  const int rc = MPI_Test(&r, flag, &s);
  *request = request_from(r);
  if (rc == MPI_SUCCESS && *flag) status_from(&s, status);
  return rc;
}
static int Testall(int n, grid_request *request, int *flag, grid_mpi_status *status) {
  MPI_Request all[GRID_MPI_MAX_REQUESTS];
  MPI_Status ignored[GRID_MPI_MAX_REQUESTS];
  (void)status;
  requests_to(n, request, all);
  const int rc = MPI_Testall(n, all, flag, ignored);
  requests_from(n, all, request);
  return rc;
}
static int Waitall(int n, grid_request *request, grid_mpi_status *status) {
  MPI_Request all[GRID_MPI_MAX_REQUESTS];
  MPI_Status ignored[GRID_MPI_MAX_REQUESTS];
  (void)status;
  requests_to(n, request, all);
  const int rc = MPI_Waitall(n, all, ignored);
  requests_from(n, all, request);
  return rc;
}

extern const grid_mpi_table gridblas_mpi_table;
__attribute__((visibility("default")))
const grid_mpi_table gridblas_mpi_table = {GRID_MPI_TABLE_VERSION,
#define FUNCTION_OF(name, parameters, arguments) name,
                                           GRID_MPI_FUNCTIONS(FUNCTION_OF)
#undef FUNCTION_OF
};
