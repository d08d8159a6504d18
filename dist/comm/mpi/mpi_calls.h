/* MPI for the library: the names of mpi.h, which this header replaces, for the table of the plug-in that is
 * loaded (mpi_library.h). */
#ifndef GRID_MPI_CALLS_H
#define GRID_MPI_CALLS_H
#ifdef MPI_VERSION
#error "mpi.h is included, too"
#endif
#include "dist/comm/mpi/mpi_table.h"

typedef grid_comm MPI_Comm;
typedef grid_request MPI_Request;
typedef grid_mpi_status MPI_Status;
typedef grid_mpi_type MPI_Datatype;
typedef grid_mpi_op MPI_Op;

#define MPI_COMM_NULL        ((MPI_Comm)NULL)
#define MPI_COMM_WORLD       GRID_COMM_WORLD
#define MPI_REQUEST_NULL     ((MPI_Request)NULL)
#define MPI_BYTE             GRID_MPI_BYTE
#define MPI_CHAR             GRID_MPI_CHAR
#define MPI_INT              GRID_MPI_INT
#define MPI_UNSIGNED         GRID_MPI_UNSIGNED
#define MPI_UINT64_T         GRID_MPI_UINT64_T
#define MPI_SUM              GRID_MPI_SUM
#define MPI_MAX              GRID_MPI_MAX
#define MPI_MIN              GRID_MPI_MIN
#define MPI_BOR              GRID_MPI_BOR
#define MPI_COMM_TYPE_SHARED GRID_MPI_COMM_TYPE_SHARED
#define MPI_ERRORS_RETURN    GRID_MPI_ERRORS_RETURN
#define MPI_ANY_SOURCE       GRID_MPI_ANY
#define MPI_ANY_TAG          GRID_MPI_ANY
#define MPI_UNDEFINED        GRID_MPI_UNDEFINED
#define MPI_MAX_ERROR_STRING GRID_MPI_MAX_ERROR_STRING
#define MPI_IN_PLACE         GRID_MPI_IN_PLACE
#define MPI_STATUS_IGNORE    NULL
#define MPI_STATUSES_IGNORE  NULL
#define MPI_INFO_NULL        NULL
/* The same numbers in every MPI, which the plug-in checks. */
enum {
  MPI_SUCCESS = 0,
  MPI_CONGRUENT = 1,
  MPI_UNEQUAL = 3,
  MPI_THREAD_SINGLE = 0,
  MPI_THREAD_FUNNELED = 1,
  MPI_THREAD_SERIALIZED = 2,
  MPI_THREAD_MULTIPLE = 3
};

#define GRID_MPI_WRAPPER(name, parameters, arguments) \
  static inline int MPI_##name parameters {           \
    return grid_mpi_calls->name arguments;            \
  }
GRID_MPI_FUNCTIONS(GRID_MPI_WRAPPER)
#undef GRID_MPI_WRAPPER
#endif
