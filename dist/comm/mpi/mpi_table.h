/* The functions of MPI that the library calls, as a table of pointers. The library links no MPI: a plug-in
 * (plugin/plugin.c), compiled against the headers of one MPI, fills the table. Handles and constants here are
 * the same with each MPI; the plug-in translates them. */
#ifndef GRID_MPI_TABLE_H
#define GRID_MPI_TABLE_H
#include <stddef.h>
#include <stdint.h>

/* Handles are pointers or integers of MPI as pointers; NULL is MPI's null handle. */
typedef struct grid_comm_handle *grid_comm;
typedef struct grid_request_handle *grid_request;
#define GRID_COMM_WORLD ((grid_comm)1)

typedef enum {
  GRID_MPI_BYTE,
  GRID_MPI_CHAR,
  GRID_MPI_INT,
  GRID_MPI_UNSIGNED,
  GRID_MPI_UINT64_T
} grid_mpi_type;
typedef enum { GRID_MPI_COMM_TYPE_SHARED } grid_mpi_split_type;
typedef enum { GRID_MPI_ERRORS_RETURN } grid_mpi_handler;
typedef enum { GRID_MPI_SUM, GRID_MPI_MAX, GRID_MPI_MIN, GRID_MPI_BOR } grid_mpi_op;
enum {
  GRID_MPI_ANY = -1, /* source or tag */
  GRID_MPI_UNDEFINED = INT32_MIN,
  GRID_MPI_MAX_ERROR_STRING = 1024,
  GRID_MPI_MAX_REQUESTS = 64 /* of a call that waits for several */
};
/* In place of a buffer to send. */
#define GRID_MPI_IN_PLACE ((const void *)-1)
typedef struct {
  int MPI_SOURCE, bytes;
} grid_mpi_status;
/* Combines two buffers of so many bytes: inout = inout op in. */
typedef void (*grid_mpi_combine)(void *inout, const void *in, size_t bytes, void *context);

/* FUNCTION(name, parameters, arguments): as MPI's functions of these names. A status may be NULL, and
 * statuses of several requests must be. Allreduce_with reduces in place `n` elements of `bytes` bytes each,
 * of which none is split; one such call at a time. Comm_at: the communicator at the address of an MPI_Comm of
 * the program. */
#define GRID_MPI_FUNCTIONS(FUNCTION)                                                                         \
  FUNCTION(Init_thread, (int *argc, char ***argv, int wanted, int *provided),                                \
           (argc, argv, wanted, provided))                                                                   \
  FUNCTION(Query_thread, (int *level), (level))                                                              \
  FUNCTION(Is_thread_main, (int *flag), (flag))                                                              \
  FUNCTION(Initialized, (int *flag), (flag))                                                                 \
  FUNCTION(Finalized, (int *flag), (flag))                                                                   \
  FUNCTION(Finalize, (void), ())                                                                             \
  FUNCTION(Abort, (grid_comm comm, int code), (comm, code))                                                  \
  FUNCTION(Error_string, (int code, char *text, int *length), (code, text, length))                          \
  FUNCTION(Comm_at, (const void *address, grid_comm *comm), (address, comm))                                 \
  FUNCTION(Comm_rank, (grid_comm comm, int *rank), (comm, rank))                                             \
  FUNCTION(Comm_size, (grid_comm comm, int *size), (comm, size))                                             \
  FUNCTION(Comm_test_inter, (grid_comm comm, int *flag), (comm, flag))                                       \
  FUNCTION(Comm_compare, (grid_comm a, grid_comm b, int *result), (a, b, result))                            \
  FUNCTION(Comm_dup, (grid_comm comm, grid_comm * to), (comm, to))                                           \
  FUNCTION(Comm_split, (grid_comm comm, int color, int key, grid_comm *to), (comm, color, key, to))          \
  FUNCTION(Comm_split_type, (grid_comm comm, grid_mpi_split_type type, int key, void *info, grid_comm *to),  \
           (comm, type, key, info, to))                                                                      \
  FUNCTION(Comm_set_errhandler, (grid_comm comm, grid_mpi_handler handler), (comm, handler))                 \
  FUNCTION(Comm_free, (grid_comm * comm), (comm))                                                            \
  FUNCTION(Barrier, (grid_comm comm), (comm))                                                                \
  FUNCTION(Bcast, (void *buf, int n, grid_mpi_type type, int root, grid_comm comm),                          \
           (buf, n, type, root, comm))                                                                       \
  FUNCTION(Allreduce,                                                                                        \
           (const void *send, void *recv, int n, grid_mpi_type type, grid_mpi_op op, grid_comm comm),        \
           (send, recv, n, type, op, comm))                                                                  \
  FUNCTION(Allreduce_with, (void *buf, int n, int bytes, grid_mpi_combine f, void *context, grid_comm comm), \
           (buf, n, bytes, f, context, comm))                                                                \
  FUNCTION(Allgather,                                                                                        \
           (const void *send, int n, grid_mpi_type type, void *recv, int recv_n, grid_mpi_type as,           \
            grid_comm comm),                                                                                 \
           (send, n, type, recv, recv_n, as, comm))                                                          \
  FUNCTION(                                                                                                  \
      Isend,                                                                                                 \
      (const void *buf, int n, grid_mpi_type type, int to, int tag, grid_comm comm, grid_request *request),  \
      (buf, n, type, to, tag, comm, request))                                                                \
  FUNCTION(Irecv,                                                                                            \
           (void *buf, int n, grid_mpi_type type, int from, int tag, grid_comm comm, grid_request *request), \
           (buf, n, type, from, tag, comm, request))                                                         \
  FUNCTION(                                                                                                  \
      Recv,                                                                                                  \
      (void *buf, int n, grid_mpi_type type, int from, int tag, grid_comm comm, grid_mpi_status *status),    \
      (buf, n, type, from, tag, comm, status))                                                               \
  FUNCTION(Sendrecv,                                                                                         \
           (const void *send, int n, grid_mpi_type type, int to, int tag, void *recv, int most,              \
            grid_mpi_type as, int from, int tag_from, grid_comm comm, grid_mpi_status *status),              \
           (send, n, type, to, tag, recv, most, as, from, tag_from, comm, status))                           \
  FUNCTION(Probe, (int from, int tag, grid_comm comm, grid_mpi_status *status), (from, tag, comm, status))   \
  FUNCTION(Iprobe, (int from, int tag, grid_comm comm, int *flag, grid_mpi_status *status),                  \
           (from, tag, comm, flag, status))                                                                  \
  FUNCTION(Test, (grid_request * request, int *flag, grid_mpi_status *status), (request, flag, status))      \
  FUNCTION(Testall, (int n, grid_request *request, int *flag, grid_mpi_status *status),                      \
           (n, request, flag, status))                                                                       \
  FUNCTION(Waitall, (int n, grid_request *request, grid_mpi_status *status), (n, request, status))

typedef struct {
  const char *version; /* GRID_MPI_TABLE_VERSION, first in every version of the table */
#define GRID_MPI_MEMBER(name, parameters, arguments) int(*name) parameters;
  GRID_MPI_FUNCTIONS(GRID_MPI_MEMBER)
#undef GRID_MPI_MEMBER
} grid_mpi_table;

/* The table of the plug-in that is loaded; NULL before grid_mpi_load (mpi_library.h). */
extern const grid_mpi_table *grid_mpi_calls;

#define GRID_MPI_TABLE_VERSION "gridblas MPI table 1"
/* The symbol of a plug-in: its grid_mpi_table. */
#define GRID_MPI_TABLE_SYMBOL "gridblas_mpi_table"
#endif
