/* What gridblas has beyond the GraphBLAS C API 2.1. Names start with Grid_. Collective: unless a function
 * says otherwise, every process of the grid makes the same call with the same arguments, as with an MPI
 * collective. Every process gets the same answer. "Local" arguments may differ from process to process. A
 * local function sends no messages. GraphBLAS.h has the errors that every function can return. A new object
 * belongs to the program, which frees it (GrB_free). */
#ifndef GRIDBLAS_H
#define GRIDBLAS_H
#include <stdio.h>

#include "GraphBLAS.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- the process grid ---------------------------------------------------------------------------------- */

/* Initialises the library, as GrB_init does, on a communicator and a grid shape of the caller's choice.
 *   mode  GrB_BLOCKING or GrB_NONBLOCKING
 *   comm  address of an MPI_Comm of the MPI that the program has linked or loaded (it is duplicated), or
 *         NULL: MPI_COMM_WORLD of the MPI that docs/install.md#which-mpi says, if an MPI launcher started the
 *         program, else this one process without MPI. Disjoint communicators have grids of their own, which
 *         compute different things at the same time (docs/threads.md)
 *   R, C  rows and columns of the grid. 0, 0: GRIDBLAS_GRID=RxC in the environment; without it, C is the
 *         largest divisor of the number of processes P with 4 C^2 <= P if P > 16, else 1, and R = P / C
 * Errors: GrB_INVALID_VALUE (R * C is not the number of processes; the library is already initialised; comm
 * is MPI_COMM_NULL or an intercommunicator; the program has initialised MPI below MPI_THREAD_SERIALIZED, and
 * this is not its main thread; GRIDBLAS_MPI names no MPI; Grid_last_error says which), GrB_PANIC (MPI failed,
 * or none can be loaded). Collective. After a shape error Grid_rank is valid, so that one process can report
 * it. Grid_init may then be called again with a valid shape or 0, 0, or by all processes with another
 * communicator.
 *
 * A collective call that only some processes make waits for the others for ever. With GRIDBLAS_CHECK=calls
 * in the environment of process 0, each collective call first compares its name over all processes. If the
 * names differ it fails on all with GrB_PANIC before it changes anything; Grid_last_error names both
 * calls. GrB_finalize then waits for all processes; it returns GrB_PANIC, after it has finalised the
 * library, if others made other calls. A late process is waited for; after 10 seconds
 * (GRIDBLAS_CHECK=calls:SECONDS) a line on standard error names the waiting process, its call and the late
 * processes. GrB_free is not compared, because garbage collectors call it at any time. */
GrB_Info Grid_init(int mode, const void *comm, int R, int C);

/* This process's rank 0 .. Grid_size() - 1 (process (i, j): j * R + i), the number of processes, and the
 * grid's shape (an argument may be NULL). Before GrB_init 0, 1 and 1 x 1, without an error. Local. */
int Grid_rank(void);
int Grid_size(void);
void Grid_shape(int *R, int *C);

/* Sets the number of OpenMP threads per process (n < 1: no change) and returns the number in force.
 * Initially OMP_NUM_THREADS, else this machine's cores divided by the job's processes on it. At most 16 a
 * core (64 at least); fewer where the system does not allow so many (ulimit, a container's limit). Local. */
int Grid_threads(int n);

/* A context: another grid of this program, with its own communicator, shape, number of threads, device,
 * matrices and vectors (docs/threads.md). GrB_init and Grid_init make the default context. Each thread uses
 * one context at a time, at first the default one, and its calls concern it. Threads whose contexts have one
 * process each compute at the same time, also on one GPU or on one each (Grid_device_set). So do those whose
 * contexts have several, if the program has initialised MPI with MPI_THREAD_MULTIPLE. */
typedef struct Grid_Context_opaque *Grid_Context;
/* Creates a context on the processes of comm, which may be some of those of the default one. The arguments
 * and errors are those of Grid_init, whose name the messages have. Further errors: GrB_PANIC (the library is
 * not initialised), GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. The new context computes on the CPU until
 * Grid_device_set is called in it. The context in use stays so. Collective over comm (MPI_COMM_SELF: local);
 * other processes do not call it. */
GrB_Info Grid_Context_new(Grid_Context *context, int mode, const void *comm, int R, int C);
/* The calls of this thread that follow concern this context; NULL: the default one. A matrix or vector of
 * another context gives GrB_INVALID_OBJECT; GrB_Matrix_dup and GrB_Vector_dup copy it where both contexts
 * have one process. Scalars, types, operators and descriptors belong to no context. Errors: GrB_PANIC (the
 * library is not initialised), GrB_UNINITIALIZED_OBJECT (no such context). Local. */
GrB_Info Grid_Context_use(Grid_Context context);
/* Ends a context, which no other thread uses, and sets the handle to NULL. If this thread used it, it uses
 * the default one. Its matrices and vectors that are left can only be freed; their GPU memory is freed here.
 * GrB_finalize ends the contexts that are left. Errors: GrB_UNINITIALIZED_OBJECT (no such
 * context). Collective over the context's processes. */
GrB_Info Grid_Context_free(Grid_Context *context);

/* Text of the calling thread's last error ("" if none), valid until that thread's next failing call. After
 * GrB_NO_VALUE of a call that reads an element, which is no error, it says that there is no value. Local. */
const char *Grid_last_error(void);
/* The constant's name, e.g. "GrB_DOMAIN_MISMATCH". Local. */
const char *Grid_info_name(int info);

/* Agrees on an outcome: every process passes its own `info` (local); all return that of the lowest rank
 * whose `info` is not GrB_SUCCESS, else GrB_SUCCESS. `text` (local, may be NULL) explains a failure;
 * Grid_last_error then returns it on every process, with the rank if that is not 0 and others had no
 * failure. Collective. */
GrB_Info Grid_agree(int info, const char *text);
/* A common start of all processes, for measurements: returns when all have called it, their GPUs have
 * completed what was launched, and the links between the GPUs are awake. Links power down when they were not
 * used for some 10 to 100 ms, and take 0.1 to 0.2 ms to wake. Collective. */
GrB_Info Grid_synchronize(void);
/* Grid_sum replaces v[0..n) by the sums over all processes, Grid_max by the maxima. Collective with the
 * same n. Errors: GrB_NULL_POINTER. */
GrB_Info Grid_sum(uint64_t *v, size_t n);
GrB_Info Grid_max(uint64_t *v, size_t n);
/* Copies buf[0..bytes) of process `root` to all processes. Errors: GrB_NULL_POINTER; GrB_INVALID_VALUE (root
 * is not a process). Collective with the same bytes and root. */
GrB_Info Grid_bcast(void *buf, size_t bytes, int root);
/* Copies local[0..bytes) of every process (local: any number of bytes) to process `root`, one after another
 * in `all`, in the order of the processes. all and *n count on root only. *n: in, the capacity of `all`; out,
 * the number of bytes. Errors: GrB_NULL_POINTER; GrB_INVALID_VALUE (root is not a process);
 * GrB_INSUFFICIENT_SPACE. On error, `all` is unchanged. Collective with the same root. */
GrB_Info Grid_gather(void *all, size_t *n, const void *local, size_t bytes, int root);

/* ---- devices ------------------------------------------------------------------------------------------- */

/* Where objects live and operations run. Initially what GRIDBLAS_DEVICE names in the environment, else
 * the CPU. With Grid_CUDA calls whose objects are all small run on the host (docs/how/gpu.md). */
enum { Grid_CPU = 0, Grid_CUDA = 1 };
#define Grid_GPU(number) (2 + (number)) /* Grid_CUDA on the GPU of this number, from 0 on */
/* Sets the device of all later operations of the context in use; its objects move when they are next used. A
 * context uses one GPU. With Grid_CUDA it is number k for the k-th process of the default context on its
 * machine, unless the context has used another one. With Grid_GPU each process passes its own number. Errors:
 * GrB_INVALID_VALUE with the reason in Grid_last_error (no such device; the context has used another GPU; no
 * CUDA in this build; no driver; with Grid_CUDA fewer GPUs than processes on a machine, unless
 * GRIDBLAS_SHARE_GPU=1 in the environment allows sharing). Then the device does not change. Collective. */
GrB_Info Grid_device_set(int device);
/* The device of this name: "cpu", "cuda", or "cuda:1" and the like, which is Grid_GPU(1); -1: there is none.
 * Local. */
int Grid_device_of(const char *name);
/* The device of the context in use: Grid_CPU or Grid_CUDA. Local. */
int Grid_device(void);

/* The GPU of the context in use; sizes in bytes. */
typedef struct {
  char name[96];
  int number, count;          /* index of the GPU; GPUs visible to this process */
  uint64_t total, free, held; /* of the GPU; free now; held on it by the context */
  uint64_t peak;              /* largest `held` since the limit was last set */
} Grid_Device_Info;
/* Errors: GrB_INVALID_VALUE when Grid_CUDA was never set in the context in use. Local. */
GrB_Info Grid_device_info(Grid_Device_Info *d);

/* Fallbacks of the context in use: operations run on the CPU although the device is Grid_CUDA, and run-time
 * CPU kernels that could not be compiled or safely cached on disk. Also a TMPDIR that others may write to.
 * Returns text k (k = 0, 1, ...) and its *count; NULL past the last. Local. */
const char *Grid_fallback(int k, uint64_t *count);

/* ---- the layout of distributed objects ----------------------------------------------------------------- */

/* The indices [*first, *first + *count) of a dimension n that belong to this process's chunk
 * (docs/how/process_grid.md). Local. */
GrB_Info Grid_local_range(GrB_Index n, GrB_Index *first, GrB_Index *count);

/* Sets the partition of dimension n: process k owns first[k] .. first[k + 1]. first has P + 1 elements (P
 * = Grid_size), ascending from 0 to n, all but n multiples of 64. NULL: the even partition, the default.
 * All existing matrices and vectors with this dimension are redistributed, and later ones use the
 * partition, so that two objects with a common dimension always have the same. Every process passes the
 * same values. Errors: GrB_INVALID_VALUE; GrB_OUT_OF_MEMORY (nothing was redistributed). Collective. */
GrB_Info Grid_partition_set(GrB_Index n, const GrB_Index *first);

typedef struct {
  double load, best;  /* largest over mean load of a process: before; with the best partition found */
  bool redistributed; /* that partition is now in force */
  double seconds;     /* duration of the redistribution */
} Grid_Repartition;

/* The cost of a row beside its entries, in entries. long_row: of a row with two or more entries; short_row:
 * of one with fewer, which has no loop end for the processor to mispredict. */
typedef struct {
  double long_row, short_row;
} Grid_Row_Costs;
/* Measured values (docs/measurements/partitions.md): for iterations whose rounds are products
 * over all entries plus vector operations, and for searches, which inspect few entries. */
#define Grid_ROW_COSTS_PRODUCT ((Grid_Row_Costs){27, 12})
#define Grid_ROW_COSTS_SEARCH  ((Grid_Row_Costs){100, 100})

/* Repartitions the rows of A by work (on a grid of several columns also its columns; those of a square
 * matrix alike): docs/how/process_grid.md. A process's work is its entries plus its rows at the
 * costs in `rows`.
 * If seconds is 0 on all processes, A is redistributed if the largest work exceeds the mean by more than a
 * tenth and the new partition lowers it. Otherwise an entry's weight is its measured time: seconds is this
 * process's time for one round of an iteration with A (Grid_cpu_time; with the device Grid_device_time). A is
 * then redistributed if `rounds` more rounds gain more than the last redistribution cost. A chunk gets at
 * most 8 times the indices of an even one. A matrix split by delegates, or without degrees (a hypersparse
 * dimension), does not change. *b, the same on every process, may be NULL. Errors: as Grid_partition_set;
 * GrB_INVALID_VALUE (a row cost, seconds or rounds is negative or not a number). Collective. */
GrB_Info Grid_Matrix_repartition(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs rows, double seconds,
                                 double rounds);

/* State of an iteration whose partition is adapted while it runs. Zero it before the first round; the same
 * on every process. */
typedef struct {
  uint64_t rounds, moves; /* rounds measured; redistributions */
  double load;            /* over the last few rounds: the slowest process's own time over the mean */
  double seconds;         /* total time of the redistributions, including what had to be recomputed after
                           * them */
  struct {
    uint64_t nrows, ncols, window_rounds, window;
    double began, first, least;
    bool redistributed, device;
  } library; /* private to the library */
} Grid_Rebalancing;

/* Call it between the rounds of an iteration with A; `rounds` is an estimate of the rounds to come. It
 * measures this process's work since the last such call (Grid_cpu_time; work after the program's last
 * message is not counted; with the device on, Grid_device_time, for which it waits). The fastest of a few
 * rounds (initially two) gives the gain of a new partition in the remaining rounds. If that exceeds the
 * measured cost of redistribution, all matrices and vectors with A's dimensions are redistributed, as
 * Grid_Matrix_repartition does with seconds. Their contents do not change. The call costs one short message
 * every few rounds, with the device on one each round. On one process, and for a matrix that
 * Grid_Matrix_repartition does not change, it does nothing. Errors: GrB_NULL_POINTER; GrB_INVALID_VALUE (a
 * row cost or rounds is negative or not a number); GrB_OUT_OF_MEMORY (nothing was redistributed). Collective.
 */
GrB_Info Grid_Matrix_rebalance(Grid_Rebalancing *b, GrB_Matrix A, Grid_Row_Costs rows, double rounds);

/* Methods of Grid_Matrix_order:
 *   METIS   parts of about equal work, as Grid_Matrix_repartition counts it with Grid_ROW_COSTS_PRODUCT, and
 *           few entries between parts; the vertices of a part follow each other and keep their order
 *   RCM     reverse Cuthill-McKee: neighbors get near numbers, which makes a matrix narrow
 *   DEGREE  by falling number of entries in row and column, ties by old number
 *   RANDOM  by `seed` */
enum { Grid_ORDER_METIS = 0, Grid_ORDER_RCM = 1, Grid_ORDER_DEGREE = 2, Grid_ORDER_RANDOM = 3 };

/* Renumbers the vertices of a square matrix, so that a process's rows refer to few columns of other processes
 * (docs/grid.md). The pattern counts, in both directions and without the diagonal.
 *   ids    *ids: a new vector of type UINT64; ids(k) is A's number of the vertex that is now number k
 *   B      *B: a new matrix of A's type, B(k, l) = A(ids(k), ids(l)); NULL: none
 *   first  parts + 1 elements, or NULL: part p has the new numbers first[p] .. first[p + 1]. With P parts
 *          this is a partition for Grid_partition_set: all but the last are rounded to multiples of 64.
 *          Methods without parts are divided into parts of about equal work
 *   parts  0: P, the number of processes; more or fewer where the order is for another run
 * To the new numbers: Grid_Vector_gather(w, NULL, NULL, u, ids, NULL) makes w(k) = u(ids(k)). Back:
 * Grid_Vector_scatter(w, NULL, NULL, NULL, u, ids, NULL) makes w(ids(k)) = u(k). Results that are vertices
 * themselves, such as parents, are gathered from ids.
 * With the same parts the order is the same on any number of processes. Process 0 makes it: it holds numbers
 * for every vertex and, for METIS and RCM, the whole pattern.
 * Errors: GrB_NULL_POINTER (ids, A); GrB_DIMENSION_MISMATCH (A is not square); GrB_INVALID_VALUE (no such
 * method; 2^31 vertices, or with METIS as many neighbors, or more; more than 2^24 parts);
 * GrB_NOT_IMPLEMENTED (the library was built without METIS); GrB_OUT_OF_MEMORY. On error nothing changes.
 * Collective. */
GrB_Info Grid_Matrix_order(GrB_Matrix *B, GrB_Vector *ids, GrB_Index *first, GrB_Matrix A, int method,
                           GrB_Index parts, uint64_t seed);

/* CPU seconds of this process's main thread outside messages since the first such call: its own work,
 * without waiting for other processes and without time taken by other programs. 0 on one process. Messages
 * between GPUs count as work. Local. */
double Grid_cpu_time(void);
/* The same for the device: seconds that this process's GPU has spent on products of a matrix with a vector,
 * on several processes, since the first such call. Waits for the last of them. Searches that run ahead in one
 * kernel and the steps of delegates do not count. 0 without a GPU. Local. */
double Grid_device_time(void);

/* Flags of Grid_Matrix_build and of written page files; from Grid_BY_DEGREE on, of page files only. */
enum {
  Grid_MIRROR = 1,   /* every tuple (r, c) also adds (c, r): an undirected graph (a square matrix) */
  Grid_NO_LOOPS = 2, /* tuples with r == c are dropped */
  /* renumbers the vertices (of a square matrix) by falling degree in the tuples, then by original number;
   * the file stores the original numbers (Grid_Pages_names). Products then read fewer pages and are faster */
  Grid_BY_DEGREE = 4,
  /* What joins the values of duplicates: the greatest, the sum, the product; without these flags the least.
   * The file records it. Sums and products take the values of a process in order, one process after the
   * other. */
  Grid_DUP_MAX = 8,
  Grid_DUP_PLUS = 16,
  Grid_DUP_TIMES = 24
};

/* C(rows[k], cols[k]) = values[k] from each process's own tuples (local: any tuples, any number, on any
 * process). C must be empty. values == NULL on all processes with tuples: every entry is `true`/1 of C's
 * type, stored once (iso), and type and dup are not used. Otherwise values (NULL only if n is 0) has type
 * `type` (compatible with C's), and dup combines duplicates (associative; NULL: a duplicate is an error).
 * Errors: GrB_NULL_POINTER (also values, on some of the processes with tuples only), GrB_OUTPUT_NOT_EMPTY,
 * GrB_INDEX_OUT_OF_BOUNDS (the text names the tuple), GrB_INVALID_VALUE (duplicate without dup, other flags
 * than Grid_MIRROR and Grid_NO_LOOPS, or Grid_MIRROR on a matrix that is not square), GrB_DOMAIN_MISMATCH,
 * GrB_OUT_OF_MEMORY. Collective; sends every tuple at most once. */
GrB_Info Grid_Matrix_build(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                           GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags);

/* C(i, where(i)) = 1 of C's type, stored once (iso), for each entry of a vector of any integer type; a row
 * i without an entry in `where` stays empty. C must be empty and have as many rows as `where` has
 * elements. If where(v) is the group of vertex v, the product A C counts, for each row of A, its entries
 * in each group. Errors: GrB_OUTPUT_NOT_EMPTY; GrB_INDEX_OUT_OF_BOUNDS (a value of `where` is not a column
 * of C); GrB_DOMAIN_MISMATCH (`where` is not of an integer type, or C's type is user-defined);
 * GrB_DIMENSION_MISMATCH; GrB_OUT_OF_MEMORY. On error C stays empty. Collective; no messages on a grid of
 * one column. */
GrB_Info Grid_Matrix_indicator(GrB_Matrix C, GrB_Vector where);

/* Of the labels of row i's columns the one with the greatest score:
 *   score(i, c) = scale(i) * (the sum of A(i, j) over the columns j with label(j) = c) - price(c)
 * best(i) is the smallest c of equal scores. A is square; label is of an integer type, its values are numbers
 * of rows; a column without a label does not count. Only the rows with an entry in scale are computed; NULL:
 * all, with scale 1. price NULL: 0; an entry that price or bonus lacks is 0.
 * With bonus, a row that has a label gets an entry only if another label wins, whose score exceeds
 *   scale(i) * (the sum for label(i)) - (price(label(i)) - bonus(i)).
 * count: each entry of A counts 1 in the sums, whatever its value, which may be of any type. best, of an
 * integer type, loses what it had; a row without a label to choose gets no entry. A, price, scale and bonus
 * are cast to FP64, in which sums are made in any order: of integers below 2^53 they are the same on all
 * grids. It is a step of community detection: label propagation, Louvain's method. Errors: GrB_NULL_POINTER
 * (best, A, label); GrB_DIMENSION_MISMATCH; GrB_DOMAIN_MISMATCH; GrB_INDEX_OUT_OF_BOUNDS (a label is no row's
 * number); GrB_OUT_OF_MEMORY. On error best keeps its entries. Collective. Labels are sent as the input of a
 * product, prices to all processes. Where several processes share each row, so are sums: 16 bytes for each
 * row and label of a block. On several GPUs, of A in a page file or split by delegates, it takes the work of
 * some products of A. */
GrB_Info Grid_Matrix_best_label(GrB_Vector best, GrB_Matrix A, GrB_Vector label, GrB_Vector price,
                                GrB_Vector scale, GrB_Vector bonus, bool count);

/* How Grid_Matrix_move_labels moves vertices. */
typedef struct {
  uint64_t key;     /* of the hash that draws classes; its low 48 bits count */
  int bits;         /* 1 to 15: there are 2^bits classes */
  GrB_Index sweeps; /* at most so many, from 1 on */
  GrB_Index still;  /* a sweep in which so many vertices or fewer move is the last one */
  bool priced;      /* a label has a price: the sum of the weights of its vertices */
  bool alone;       /* a vertex moves only if its label is its number and no other vertex has that label, and
                       only to a label whose vertex of that number does not move in the same class */
} Grid_Label_Sweep;

/* Sweeps over the vertices of a graph, in which they take better labels: a step of Louvain's and of Leiden's
 * method. A vertex belongs to a class, drawn by a hash of its number. A sweep takes the classes one after
 * another. The vertices of a class move at the same time, with the labels and prices of that moment. Each
 * moves to its label of Grid_Matrix_best_label for scale and bonus, if there is one.
 *   moves   for each of `sweeps` sweeps the number of moves, 0 for one that was not made. Without bonus a
 *           vertex whose best label is its present one counts, too
 *   label   of INT64, the label of each vertex, the number of one
 *   weight  of each vertex; above 0 with `alone`, where a vertex has its label alone if that label's sum of
 *           weights is its weight
 *   A       the edges, square, without loops
 * weight, scale and bonus are cast to FP64, and so is A; they and label have an entry for each vertex. Sums
 * of weights that are exact, as those of integers below 2^53, are the same on all grids, and so are the
 * labels. Errors: GrB_NULL_POINTER; GrB_DIMENSION_MISMATCH; GrB_DOMAIN_MISMATCH (label not of INT64, values
 * of a user-defined type); GrB_INVALID_OBJECT (a vector lacks an entry); GrB_INVALID_VALUE (bits or sweeps);
 * GrB_INDEX_OUT_OF_BOUNDS (a label is no vertex); GrB_OUT_OF_MEMORY. On error label and moves are unchanged.
 * Collective. One process takes all classes in one call, on all threads or on its GPU. On several, and for A
 * in a page file or split by delegates, each class takes a call of Grid_Matrix_best_label. */
GrB_Info Grid_Matrix_move_labels(GrB_Index *moves, GrB_Vector label, GrB_Matrix A, GrB_Vector weight,
                                 GrB_Vector scale, GrB_Vector bonus, const Grid_Label_Sweep *how);

/* Random walks along the entries of A, which is square: walks(k, t) = the vertex of walk k after t steps.
 *   walks     of INT64, without entries; a row for each walk; columns: the most steps and 1, at most 2^31
 *   start     of an integer type, an element for each row of walks: walk k begins at start(k); without an
 *             entry there its row stays empty
 *   weighted  A(v, x), cast to FP64 and at least 0, is how likely the step from v to x is, times a constant;
 *             else all entries of a row are equally likely, whatever their values, which may be of any type
 *   p, q      from 1e-6 to 1e6. After a step from u to v, x counts 1 / p where x is u, 1 where A(u, x) has an
 *             entry, else 1 / q, times the above. With 1 and 1 steps do not depend on those before
 *   seed      of the random numbers
 * A walk ends early at a row without entries, or with weights of 0 alone. The random numbers depend on the
 * walk's number, its steps and the seed: the walks are the same on any grid and device. Errors:
 * GrB_NULL_POINTER (walks, A, start); GrB_DIMENSION_MISMATCH (A not square, the size of start);
 * GrB_DOMAIN_MISMATCH (walks not INT64, start not of integers, weights of a user-defined type);
 * GrB_OUTPUT_NOT_EMPTY;
 * GrB_INDEX_OUT_OF_BOUNDS (a start is no row of A); GrB_INVALID_VALUE (p, q, the number of columns, a weight,
 * or a row's sum of weights that is not finite); GrB_OUT_OF_MEMORY. On error walks stays empty. Collective.
 * On several processes a walk's record, of 40 bytes, is sent where the row is that it needs next. On one GPU
 * a thread takes a walk. On several, for A in a page file or split by delegates, and where rows by columns of
 * walks are 2^32 or more, the CPUs do. Memory: as Grid_random_walks. */
GrB_Info Grid_Matrix_walk(GrB_Matrix walks, GrB_Matrix A, GrB_Vector start, bool weighted, double p, double q,
                          uint64_t seed);

/* Draws entries of rows without replacement, each as likely as the others: C(i,:) = min(count(i), entries of
 * A(i,:)) entries of A(i,:), or all where count(i) is below 0. Rows without an entry in count stay empty.
 *   C        NULL, or of A's type and size, without entries
 *   columns  if not NULL: of BOOL, an element for each column of A. It loses what it had, and gets true at
 *            the columns of the entries drawn
 *   count    of INT64, an element for each row of A
 *   seed     of the random numbers
 * The random numbers depend on the row's number, its number of entries and the seed. So the sample is the
 * same on any grid and device, and a row's does not depend on the other rows. Errors: GrB_NULL_POINTER (A,
 * count, both outputs); GrB_DIMENSION_MISMATCH; GrB_DOMAIN_MISMATCH (the type of C, columns or count);
 * GrB_OUTPUT_NOT_EMPTY (C); GrB_OUT_OF_MEMORY. On error the outputs are unchanged. Collective. On a grid of
 * one column, on CPUs and on GPUs, each process draws from its rows, with one random number for each entry
 * drawn. The columns are sent to their owners. Memory: C, also for `columns` on several processes; on a GPU
 * one bit for each entry of A. On several columns, and of A in a page file or split by delegates, the rows
 * are extracted first, with all their entries. Source: Bentley, Floyd (1987). */
GrB_Info Grid_Matrix_sample(GrB_Matrix C, GrB_Vector columns, GrB_Matrix A, GrB_Vector count, uint64_t seed);

/* A path of fewest edges from one vertex to another along the entries of the square matrix A, whatever their
 * values.
 *   path    if not NULL: of INT64, without entries, an element for each row of A: path(k) = the k-th vertex,
 *           from source at 0 to target at `length`; without entries where there is no path
 *   length  if not NULL: the number of edges, -1 where there is no path
 * Searches from both ends, of which the one with the smaller frontier goes on, stop where they meet. Of
 * several vertices where they meet, and of several neighbors in the level before, the smallest is taken: the
 * path is the same on any grid and device. Errors: GrB_NULL_POINTER (A, both outputs);
 * GrB_DIMENSION_MISMATCH (A not square, the size of path); GrB_DOMAIN_MISMATCH (path not INT64);
 * GrB_OUTPUT_NOT_EMPTY; GrB_INVALID_INDEX (source, target); GrB_OUT_OF_MEMORY. On error path stays empty.
 * Collective. If A is known to be symmetric, one GPU searches in one kernel, with 8 bytes for each vertex.
 * One process with at most 16 threads searches on a single thread then. Else a level is a product. Source:
 * Pohl (1971). */
GrB_Info Grid_Matrix_path(GrB_Vector path, int64_t *length, GrB_Matrix A, GrB_Index source, GrB_Index target);

/* What is left of a graph before a level is removed. */
typedef struct {
  int64_t level;
  uint64_t vertices;
  int64_t degrees; /* their sum */
} Grid_Peel_Level;
/* Removes the vertices of a graph by their degrees, level by level. At level k those of degree k or less
 * leave. Each entry A(i, j), j != i, of a row i that leaves takes 1 off degree(j). Those that then have
 * degree k or less leave, too, and so on. The levels from `first` to `last` are removed, in order. The first
 * call begins at 0, a later one at the level after the last.
 *   degree     in, the degrees, of an integer type. A vertex without an entry takes no part, and gets none.
 *              One below `first` has left in an earlier call
 *              out, of one that has left before: the same; of one that leaves: its level; of one that is
 *              left: its edges to the rest, more than `last`
 *   levels, n  what is left before each level at which vertices leave, ascending; *n: in, the capacity; out,
 *              how many. Both may be NULL
 * Of an undirected graph with degree(j) = the number of neighbors of j, levels 0 to INT64_MAX make core
 * numbers. That is the largest k such that a vertex is in a subgraph whose vertices all have k or more
 * neighbors in it. Then one more than the square root of A's number of entries is capacity enough. Several
 * calls, each with the levels that follow, have the same result as one. A is square; its values are not read.
 * Errors: GrB_NULL_POINTER; GrB_DIMENSION_MISMATCH; GrB_DOMAIN_MISMATCH (degree is not of integers);
 * GrB_INVALID_VALUE (not 0 <= first <= last); GrB_INSUFFICIENT_SPACE; GrB_OUT_OF_MEMORY. On error the outputs
 * are unchanged. Collective. One process reads each entry of a row that leaves once, on one GPU in one kernel
 * for all levels. Memory: 36 bytes a vertex, on a GPU 28 and one for 32 entries. On several processes, and
 * for A in a page file or split by delegates, each round is a product (GrB_vxm) of the vertices that leave.
 */
GrB_Info Grid_Matrix_peel(GrB_Vector degree, Grid_Peel_Level *levels, GrB_Index *n, GrB_Matrix A,
                          int64_t first, int64_t last);

/* Sums of distances, in edges, from many vertices: breadth-first searches with a bit for each in words of 64.
 * An entry A(i, j) is an edge from i to j. A vertex j is reached by the sources from which a path leads to
 * it, other than itself; one that no source reaches is unchanged in all outputs.
 *   reached       INT64: the call adds the number of sources that reach j
 *   sum           INT64: it adds the sum of their distances to j
 *   nearness      FP64: it adds the sum of 1 / distance, of each 64 sources in turn
 *   farthest      INT64: it makes the entry the largest distance, if that is larger
 *   eccentricity  an array of nsources: of each source the distance of the farthest vertex that it reaches
 *   sources       vertices, of which one may occur repeatedly; NULL: 0 to nsources - 1
 * Outputs that are NULL are not wanted; the vectors differ. Several calls, each but the last of a multiple
 * of 64 sources, have the same result as one. The result is the same on any grid and device. Of a
 * symmetric matrix with all vertices as sources, the sums of a vertex are those of the searches from it. The
 * values of A are not read. Errors: GrB_NULL_POINTER (A); GrB_DIMENSION_MISMATCH; GrB_DOMAIN_MISMATCH;
 * GrB_INVALID_INDEX (sources); GrB_INVALID_VALUE (more sources than vertices, without a list): then the
 * outputs are unchanged. After GrB_OUT_OF_MEMORY they are undefined. Collective, and sources are the same on
 * every process. One process, and several that share memory, search from up to 512 sources at a time, or as
 * many as that memory has space for. At each level every vertex that a search has not reached reads the words
 * of its neighbors, on one GPU in one kernel for all levels. Memory: 192 bytes a vertex, 256 with nearness, a
 * part of it for fewer sources; 8 for each vector; A's columns, unless A is known to be symmetric. A level is
 * a product of a vector of words on processes that share no memory, on several GPUs, and where a vector lacks
 * entries. It also is for A in a page file, split by delegates, of 2^32 or more rows, or hypersparse without
 * known symmetry. Source: Then et al. (2014). */
GrB_Info Grid_Matrix_distances(GrB_Vector reached, GrB_Vector sum, GrB_Vector nearness, GrB_Vector farthest,
                               int64_t *eccentricity, GrB_Matrix A, const GrB_Index *sources,
                               GrB_Index nsources);

/* Colors the vertices of a graph: no two with an edge have the same color.
 *   color   of an integer type; becomes a vector with the color, from 0, of each vertex that has one
 *   colors  if not NULL: how many there are
 *   most    at most so many; vertices that would get another color get none. UINT64_MAX: any number, so that
 *           all vertices have one; 1: the vertices with a color are a maximal independent set
 *   seed    of the order of the vertices, in which hashes of their numbers descend
 * Each vertex has the smallest color that no neighbor before it in the order has. So the coloring is the same
 * on any grid and device. Edges of the square matrix A count both ways, whatever their values; loops do not
 * count. Errors: GrB_NULL_POINTER (color, A); GrB_DIMENSION_MISMATCH; GrB_DOMAIN_MISMATCH (color is not of
 * integers); GrB_INVALID_VALUE (most is 0); GrB_OUT_OF_MEMORY. On error the outputs are unchanged.
 * Collective. If A is known to be symmetric, one GPU takes the vertices in order, and waits where an earlier
 * neighbor has no color yet. So do CPU threads of processes that share memory, unless most is 1. Memory: on a
 * GPU 36 bytes a vertex and 0.3 an entry. Else it is 25 a vertex, a thread 4 for each color up to the largest
 * degree, on a grid of several columns 4 an entry. In all other cases, and for A in a page file, split by
 * delegates or hypersparse, products find an independent set for each color; process 0 colors the last 2^25
 * vertices and entries. Memory: eight vectors, and 8 bytes for each of those entries on process 0. Sources:
 * Luby (1986); Jones, Plassmann (1993); Blelloch, Fineman, Shun (2012). */
GrB_Info Grid_Matrix_color(GrB_Vector color, uint64_t *colors, GrB_Matrix A, uint64_t most, uint64_t seed);

/* The same as Grid_Matrix_build for a vector: w(indices[k]) = values[k]; values == NULL: 1 of w's type. */
GrB_Info Grid_Vector_build(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Type type,
                           GrB_Index n, GrB_BinaryOp dup);

/* Copies out the entries stored on this process. *n: in, the capacity of the arrays; out, the number of
 * entries (GrB_INSUFFICIENT_SPACE if it exceeds the capacity). Any array may be NULL; for a matrix with
 * all of them NULL the call only counts, whatever the capacity. values has the object's own type. Each
 * entry of a matrix is on exactly one process, in no particular order; process k has the entries of a
 * vector in its Grid_local_range, ascending. Pending setElement and removeElement changes are included,
 * whichever process made them. Local, no communication. */
GrB_Info Grid_Matrix_extractLocal(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *n, GrB_Matrix A);
GrB_Info Grid_Vector_extractLocal(GrB_Index *indices, void *values, GrB_Index *n, GrB_Vector v);

/* GrB_Matrix_import and GrB_Matrix_export with each process's own arrays (local). CSR: the rows of its
 * Grid_local_range of nrows, so that indptr has one element more than rows. CSC: the columns of its
 * Grid_local_range of ncols. COO: import accepts any tuples, export returns those of the rows. Indices are
 * global. values has the matrix's own type. exportLocal skips arrays that are NULL and sets all lengths;
 * importLocal accepts NULL for an array without elements; type, sizes and format are the same on all. Errors
 * as those calls; where they differ: GrB_INVALID_VALUE. Collective; entries are sent if their block is not on
 * their owner. */
GrB_Info Grid_Matrix_importLocal(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                                 const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format);
GrB_Info Grid_Matrix_exportLocal(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                                 GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A);

/* GrB_Matrix_import of arrays with 32-bit indices, as scipy and other libraries have them. On the CPU, on a
 * grid of one column, with both dimensions below 2^32, compressed rows with ascending indices become the
 * blocks directly, without a 64-bit copy. The arrays are the same on every process.
 *   indptr   offsets of indptr_type, GrB_INT32, GrB_UINT32, GrB_INT64 or GrB_UINT64
 *   indices  of indices_type, GrB_INT32 or GrB_UINT32
 *   values   of the type `type`
 *   format   GrB_CSR_FORMAT or GrB_CSC_FORMAT
 * Errors as GrB_Matrix_import, with GrB_DOMAIN_MISMATCH for other types of the arrays; a negative index or
 * offset is GrB_INDEX_OUT_OF_BOUNDS. On error *A is unchanged. Collective. */
GrB_Info Grid_Matrix_import32(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                              const void *indptr, GrB_Type indptr_type, const void *indices,
                              GrB_Type indices_type, const void *values, GrB_Index n_indptr,
                              GrB_Index n_indices, GrB_Index n_values, int format);

/* Arrays of an object, for reading. A view is one more owner of them: it stays valid when the object is
 * changed or freed, and after GrB_finalize, until Grid_View_free. Until the object is changed the arrays have
 * its entries; afterwards what they have is undefined. */
typedef struct {
  const void *indptr, *indices, *values; /* NULL: no elements */
  GrB_Index n_indptr, n_indices, n_values;
  int indptr_bytes, indices_bytes; /* of one element, an unsigned integer: 4 or 8 */
  bool iso;                        /* values has one element, the value of every entry */
  bool device;                     /* the arrays are in the memory of this process's GPU */
} Grid_View;
/* The values of a vector that has an entry at every index: those of this process's Grid_local_range, where
 * they lie. v moves to the host if it lies on the device. indptr and indices are NULL. Errors:
 * GrB_INVALID_OBJECT (v has fewer entries than its size), GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. On error *view
 * is unchanged. Collective. */
GrB_Info Grid_Vector_view(Grid_View *view, GrB_Vector v);
/* The same in the memory of this process's GPU, to which v moves if it lies on the host. The GPU has
 * completed its work on them when the call returns. Any context frees the view, also when that of the vector
 * has ended. Errors: GrB_INVALID_VALUE (the GPU is not turned on), GrB_INVALID_OBJECT (v has fewer
 * entries than its size, or cannot lie on the GPU: values of more than 64 bytes), GrB_NULL_POINTER,
 * GrB_OUT_OF_MEMORY, GrB_PANIC. On error *view is unchanged. Collective. */
GrB_Info Grid_Vector_device_view(Grid_View *view, GrB_Vector v);
/* The compressed rows (CSR) of this process's Grid_local_range of the rows, with global columns, ascending in
 * each row. The arrays are the matrix's own, but on a grid of several columns the rows are gathered. A matrix
 * with few nonempty rows or columns gets offsets of all rows, and columns of 8 bytes. Errors:
 * GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. On error *view is unchanged. Collective. */
GrB_Info Grid_Matrix_view(Grid_View *view, GrB_Matrix A);
/* The same on a grid of one column, in the memory of this process's GPU, to which A moves if it lies on the
 * host; indptr and indices have 4 bytes. The GPU has completed its work on them when the call returns. They
 * are the matrix's own, but for offsets and columns where A has few nonempty rows or columns, and the value
 * of a matrix whose entries are all equal. Errors: GrB_INVALID_VALUE (the GPU is not turned on, or the grid
 * has several columns), GrB_INVALID_OBJECT (A cannot lie on the GPU: values of more than 64 bytes, 2^32
 * entries or more, most of more than 2^22 rows empty), GrB_NULL_POINTER, GrB_OUT_OF_MEMORY, GrB_PANIC. On
 * error *view is unchanged. Collective. */
GrB_Info Grid_Matrix_device_view(Grid_View *view, GrB_Matrix A);
/* Frees what the object does not need, and clears *view; NULL is allowed. Local. */
void Grid_View_free(Grid_View *view);

/* ---- operators beyond the standard --------------------------------------------------------------------- */

/* The ANY monoid returns any one of its operands, which lets a product stop at its first hit. One per
 * predefined type: Grid_ANY_BOOL (GrB_BinaryOp), Grid_ANY_MONOID_BOOL (GrB_Monoid), ... FP64. Semirings:
 *   Grid_ANY_SECONDI_SEMIRING_INT32, _INT64   any one inner index k of a product A(i,k)*x(k) or x(k)*A(k,j)
 *   Grid_MIN_SECONDI_SEMIRING_INT32, _INT64   the smallest such k
 *   Grid_ANY_ONEB_SEMIRING_T, Grid_ANY_FIRST_SEMIRING_T, Grid_ANY_SECOND_SEMIRING_T  for every predefined
 *     type T
 *   Grid_PLUS_ONEB_SEMIRING_T  for every type but BOOL
 * GraphBLAS.h declares them beside the standard's (all from gridblas_table.h). SECONDI exists in semirings
 * only. */

/* ---- user-defined types and operators with source text ------------------------------------------------- */

/* As GrB_Type_new and GrB_*Op_new, and the same in source text, from which kernels are compiled at run time.
 * NVRTC compiles for the device, on one process in the background for calls on less than 64 MiB. The C
 * compiler that is found (cc, gcc or clang on the path, or $GRIDBLAS_CC; off: none) compiles for the CPU, in
 * the background, once an operator has been used on 20 million entries (GRIDBLAS_TUNE=cc_threshold=N). On the
 * CPU kernels serve products, apply, eWise and accumulators.
 * Kernels are kept on disk in $GRIDBLAS_CACHE, else $XDG_CACHE_HOME/gridblas, else ~/.cache/gridblas (off:
 * nowhere), if it is the user's and nobody else may write to it. Each folder above it must be the user's or
 * root's, and others may write to it only if it is sticky; Grid_fallback says which is not. They are looked
 * for in $GRIDBLAS_KERNELS, too. The texts are copied.
 *   name        the identifier that the text defines; may be NULL when definition is NULL
 *   definition  of a type      "typedef struct { double re, im; } name;"
 *               of a unary operator         "void name(Z *z, const X *x) { ... }"
 *               of a binary operator        "void name(Z *z, const X *x, const Y *y) { ... }"
 *               of an index-unary operator
 *                       "void name(Z *z, const X *x, GrB_Index i, GrB_Index j, const Y *y) { ... }"
 *               with Z, X, Y the names of its types (bool, int8_t ... uint64_t, float, double, or the name
 *               given here). It may define functions of its own first; it has the functions of math.h, no
 *               other includes and no global variables, and must be valid C and C++. NULL: operations with
 *               the operator run on the CPU, through f.
 * f and definition must compute the same, without side effects. A text that does not compile is not an
 * error: the operation runs through f, Grid_fallback reports it, and Grid_last_error has the compiler's
 * output.
 * Errors: those of GrB_Type_new and GrB_*Op_new; GrB_NULL_POINTER (definition without name),
 * GrB_INVALID_VALUE (name is not an identifier, or is longer than 127 characters). Local. */
GrB_Info Grid_Type_new(GrB_Type *type, size_t size, const char *name, const char *definition);
GrB_Info Grid_UnaryOp_new(GrB_UnaryOp *op, void (*f)(void *, const void *), GrB_Type ztype, GrB_Type xtype,
                          const char *name, const char *definition);
GrB_Info Grid_BinaryOp_new(GrB_BinaryOp *op, void (*f)(void *, const void *, const void *), GrB_Type ztype,
                           GrB_Type xtype, GrB_Type ytype, const char *name, const char *definition);
GrB_Info Grid_IndexUnaryOp_new(GrB_IndexUnaryOp *op,
                               void (*f)(void *, const void *, GrB_Index, GrB_Index, const void *),
                               GrB_Type ztype, GrB_Type xtype, GrB_Type ytype, const char *name,
                               const char *definition);

/* ---- hints and state of a matrix ----------------------------------------------------------------------- */

/* Fields for GrB_set / GrB_get (GrB_Matrix_set_INT32, GrB_Matrix_get_INT32). */
enum {
  /* Delegate split of a square matrix (docs/how/delegates.md): Grid_DELEGATES_AUTO, Grid_DELEGATES_OFF, or a
   * threshold TH >= 0. Delegates are vertices with more than TH entries in row and column together (each
   * neighbour once if the matrix is known to be symmetric). Takes effect at the next product or GrB_wait with
   * GrB_MATERIALIZE. A dimension much longer than its number of entries is never split. AUTO never splits: on
   * no machine measured so far did a split make products faster. On one grid column of several processes a
   * symmetric pattern is not split. Vertices with more than TH entries in their row only get a delegate
   * index, for products with the ANY monoid. AUTO does so if the network model predicts that a search gains
   * (Grid_network; docs/how/process_grid.md). On GPUs no matrix is split on one grid column, nor a symmetric
   * pattern if they map each other's memory. Searches by messages number delegates. */
  Grid_DELEGATES = 7201,
  /* Direction of products with this matrix: Grid_DIRECTION_AUTO, _PUSH, _PULL. For tests and measurements. */
  Grid_DIRECTION = 7202,
  /* Fields of GrB_GLOBAL, strings: the limits of Grid_memory_limit and Grid_device_memory_limit, in the
   * form of GRIDBLAS_MEMORY and GRIDBLAS_DEVICE_MEMORY: "4G", "500M", bytes; "" for none. GrB_get returns
   * bytes, or "". They bound matrices only; vectors are always created. */
  Grid_MEMORY = 7203,
  Grid_DEVICE_MEMORY = 7204
};
enum { Grid_DELEGATES_AUTO = -1, Grid_DELEGATES_OFF = -2 };
enum { Grid_DIRECTION_AUTO = 0, Grid_DIRECTION_PUSH = 1, Grid_DIRECTION_PULL = 2 };

/* How a matrix is stored, summed over the grid. Grid_Matrix_storage first prepares a matrix held by row
 * for products. Collective. */
typedef struct {
  uint64_t nvals;     /* entries */
  uint64_t bytes;     /* all index, offset, value, degree and delegate arrays */
  uint64_t delegates; /* number of delegates; 0: none */
  int64_t threshold;  /* TH in force, -1: no delegates */
  /* entries in each block of the delegate split (all in nn if not split, or with a delegate index only) */
  uint64_t nn, nd, dn, dd;
  bool dd_bits; /* dd is bit-packed */
  /* pattern and values known to be symmetric: built with Grid_MIRROR, or found so when it was prepared for
   * products. That is not checked for values of more than 8 bytes, nor on the device */
  bool symmetric;
  bool hypersparse;  /* some block lists its non-empty rows or columns */
  bool bitmap, full; /* a dense matrix, stored as a bitmap, or with all entries present */
} Grid_Storage;
GrB_Info Grid_Matrix_storage(Grid_Storage *s, GrB_Matrix A);

/* Out-degrees and in-degrees: w(i) = number of entries in row i (by_column: column i); no entry for 0. w's
 * size must be A's number of rows (columns), else GrB_DIMENSION_MISMATCH. Collective. */
GrB_Info Grid_Matrix_degree(GrB_Vector w, GrB_Matrix A, bool by_column);

/* GrB_extract and GrB_assign of matrices with distributed index lists: each process passes its own share
 * (local arguments), and the lists are the shares concatenated in rank order. A list may be GrB_ALL, on
 * every process then; a share may be empty. C(k, l) = A(I[k], J[l]) / C(I[k], J[l]) = A(k, l), with k and
 * l positions in the concatenated lists; otherwise as GrB_Matrix_extract and GrB_Matrix_assign. An index
 * out of bounds on one process is an error on all: GrB_INDEX_OUT_OF_BOUNDS. Collective. */
GrB_Info Grid_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                             const GrB_Matrix A, const GrB_Index *row_indices, GrB_Index nrows,
                             const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc);
GrB_Info Grid_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc);

/* GrB_extract of a vector along an index list that is itself a vector of any integer type: w<mask> accum=
 * t, with t(k) = u(where(k)) where both have an entry. w has the size of `where`. Errors as GrB_extract;
 * GrB_INDEX_OUT_OF_BOUNDS (a value of `where` is not an index of u); GrB_DOMAIN_MISMATCH (`where` is not
 * of an integer type). Collective; each index owned by another process costs 8 bytes there and a value
 * back. On one machine processes write u to shared memory instead, unless the lists are short. */
GrB_Info Grid_Vector_gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                            GrB_Descriptor desc);
/* The reverse: w<mask> accum= t, with t(where(k)) = u(k) where both have an entry. dup, an associative
 * operator of one type, combines those with the same target in the order of k; NULL: two with the same
 * target are GrB_INVALID_VALUE. u has the size of `where`. GrB_INDEX_OUT_OF_BOUNDS: a value of `where` is
 * not an index of w; other errors as Grid_Vector_gather. Collective; each entry whose target another
 * process owns is sent once. */
GrB_Info Grid_Vector_scatter(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp dup,
                             GrB_Vector u, GrB_Vector where, GrB_Descriptor desc);

/* ---- tracing ------------------------------------------------------------------------------------------- */

/* What one mxv or vxm did, summed over the grid unless it says otherwise. */
typedef struct {
  const char *call; /* "GrB_mxv" or "GrB_vxm" */
  /* "push", "pull"; with delegates followed by this process's delegate blocks: "push/pull", "pull/both" */
  const char *direction;
  const char *x_format; /* format of the input on this process: "list", "bitmap", "full" */
  const char *y_format; /* format of the result on this process */
  uint64_t frontier;    /* entries in the input vector */
  /* entries in the result, after the mask and before the accumulator */
  uint64_t found;
  uint64_t inspected;      /* matrix entries inspected */
  uint64_t inspected_most; /* ... by the process that inspected the most */
  /* the estimates that chose the direction: the grid's, plus those of this process's delegate blocks */
  uint64_t push_work, pull_work;
  /* bytes sent to other processes */
  uint64_t expand_bytes, mask_bytes, fold_bytes, delegate_bytes;
  /* all messages of the product, including counts, sizes and agreements (a reduction or broadcast counts
   * once); and the message calls of one process (the same on each, not summed). 0 for messages between
   * GPUs. */
  uint64_t sent_bytes, calls;
  /* messages of expand, mask exchange, fold and delegates, by format; empty and complete ones not counted */
  uint64_t list_messages, bitmap_messages;
  double expand_ms, mask_ms, local_ms, fold_ms, delegate_ms, write_ms; /* of the slowest process */
  /* of sent_bytes, the piggybacked counts: on one grid column over several machines x is sent together
   * with the counts that decide this product, or the next one of a loop. Entries count for the product
   * that sends them. */
  uint64_t number_bytes;
} Grid_Product;
/* Calls f on every process after each product, with its record (NULL: off, the default). The sums cost two
 * messages per product. Collective; f may differ between processes. */
typedef void (*Grid_trace_function)(const Grid_Product *p, void *context);
void Grid_trace(Grid_trace_function f, void *context);

/* A span is a named interval of the program. With GRIDBLAS_BURBLE it becomes a slice of the trace around
 * its calls, a line, or an NVTX range; otherwise it costs one test of a variable. Spans nest; those deeper
 * than 8 are dropped. The name is not copied and must live until the span ends. Every algorithm of
 * gridblas_algos.h is one. Local. */
void Grid_span_begin(const char *name);
void Grid_span_end(void);

/* Progress of the call that runs on this process: `done` of `total` steps (bytes of a file that is read,
 * sources or iterations); total 0: unknown, or no call runs. An argument may be NULL. May be called from
 * another thread. Local. */
void Grid_progress(uint64_t *done, uint64_t *total);
/* Sets the progress of an algorithm built on the library (total 0: unknown); until Grid_progress_end the
 * steps of the calls it makes are not counted. Every algorithm of gridblas_algos.h does so. Local. */
void Grid_progress_set(uint64_t done, uint64_t total);
void Grid_progress_end(void);

/* Message calls of this process in the context in use and bytes it sent in them, since the context was made;
 * an argument may be NULL. Messages between GPUs are not counted. Local. */
void Grid_traffic(uint64_t *calls, uint64_t *bytes);

/* The parameters of the network model, by which layouts are chosen (docs/how/process_grid.md). The
 * same on every process. */
enum { Grid_NETWORK_SIZES = 4 }; /* 4, 32, 256, 2048 KiB */
typedef struct {
  double latency;   /* seconds of a collective call of all processes with a minimal message */
  double bandwidth; /* bytes per second that a process receives in an all-to-all of long messages */
  double rate;      /* entries per second that a process inspects in a pull, with all its threads */
  /* source: "configured" (GRIDBLAS_NETWORK=LATENCY,BANDWIDTH in the environment of process 0); "read"
   * (from the cache folder, written by an earlier program on these hosts); "measured" (now, because no
   * cached value exists or GRIDBLAS_NETWORK=measure); NULL: not determined yet */
  const char *how;
  /* the largest vector, in bytes, that all processes read directly in shared memory on one machine; 0 on
   * several machines, and if configured */
  double shared;
  /* seconds beyond the latency for 4, 32, 256 and 2048 KiB in all to the others. Short messages may be faster
   * than long ones, on a shaped link or through the buffers of a network card. All 0: derived from the
   * bandwidth */
  double passes[Grid_NETWORK_SIZES];
} Grid_Network;
/* With measure: collective, determines the parameters if need be, which takes some hundredths of a second.
 * Without: the current values, local. One process alone has a latency of 0. Errors: GrB_NULL_POINTER;
 * GrB_OUT_OF_MEMORY. */
GrB_Info Grid_network(Grid_Network *n, bool measure);

/* One level of a search (or a product), counted for P processes with equal chunks, summed over all. A
 * "remote" entry is one whose column is neither a delegate nor in the row's own chunk. */
enum { Grid_LAYOUT_COLUMNS = 6 }; /* 2, 4, 8, 16, 32, 64 */
typedef struct {
  bool pull;
  uint64_t frontier, inspected; /* vertices; entries that one process alone would inspect */
  double local_seconds;         /* time that one process alone would take; 0: derived from the network's
                                 * rate */
  int columns;                  /* columns of the grid on which that was measured; 0: one */
  /* 0: a level of a search; else a product over all entries: bytes of each value of x, which is full */
  uint32_t every;
  uint64_t *of, *of_delegates;    /* the frontier, and its delegates, per chunk */
  uint64_t *waiting;              /* per chunk: vertices not visited before the level that have entries */
  double edges, segments;         /* entries of the frontier; (row, process) pairs with an entry of the row
                                   * in a column of the process */
  double normals, pushed, groups; /* the same for remote entries of vertices that are not delegates */
  /* remote entries of rows without a hit among delegates and the local chunk; those in delegates' rows; and
   * delegates not yet visited */
  double open, open_of_delegates, waiting_of_delegates;
  double found; /* rows with a hit */
  /* pull: of the rows found, those with a delegate among their neighbours in the frontier */
  double by_delegate;
  /* pull, with row hubs (the neighbour of highest degree): rows that their row hub finds; row hubs in the
   * frontier */
  double by_row_hub, row_hubs;
  /* pull or full product: processes that could find a row whose entries lie on 2, 4, ... columns, without
   * rows that row hubs find */
  double finds[Grid_LAYOUT_COLUMNS];
} Grid_Level;
typedef struct {
  int P;
  uint64_t n, q;     /* vertices; vertices per chunk */
  uint64_t d, *d_of; /* delegates; delegates per chunk; d = 0: none */
  uint64_t row_hubs; /* row hubs, if they are used; 0: none */
  Grid_Level *level;
  uint64_t levels;
} Grid_Search;

/* The predicted cost of a search on a process grid of C columns, with whole bitmaps, a delegate index
 * (requests; one column) or a delegate split (several columns). bytes and inspected are summed over all
 * processes; calls and seconds are per process. Of a symmetric pattern C x R costs what R x C does. */
typedef struct {
  char name[48];
  int C;
  bool requests, split;
  double bytes, inspected, calls, seconds;
} Grid_Layout;
enum { Grid_LAYOUTS = 2 << Grid_LAYOUT_COLUMNS };

/* Evaluates the library's model of a search, or of a full product (docs/how/process_grid.md), which
 * AUTO uses for the delegate index. to receives one element per layout: those of at most 64 columns and no
 * more columns than rows, with d > 0 each also with delegates. Returns their number; *best is the index of
 * the fastest. bytes_only: calls of the request layouts cost nothing, as assumed if a program sets a
 * threshold and GRIDBLAS_NETWORK is not set. Local. */
int Grid_layouts(Grid_Layout to[Grid_LAYOUTS], int *best, const Grid_Search *t, const Grid_Network *net,
                 bool bytes_only);
/* Degrees of `count` sampled vertices of a graph of n vertices: entries of each vertex's row (symmetric:
 * edges in both directions). weight: how many vertices each of them stands for; NULL: n / count. */
typedef struct {
  uint64_t n;
  const uint64_t *degree;
  uint64_t count;
  bool symmetric;
  const double *weight;
} Grid_Degrees;
/* The same for a graph of which only the degrees are known, on P processes. The levels of a search from a
 * vertex of median degree are predicted, or, with every > 0, one full product with values of that many bytes.
 * *count = the number of layouts; *delegates = the number of delegates (may be NULL). Errors:
 * GrB_NULL_POINTER; GrB_INVALID_VALUE (P < 1 or above 2^20, more degrees than vertices); GrB_OUT_OF_MEMORY.
 * Local. */
GrB_Info Grid_estimate_layouts(Grid_Layout to[Grid_LAYOUTS], int *count, int *best, uint64_t *delegates,
                               const Grid_Degrees *g, int P, uint32_t every, const Grid_Network *net);
/* The grid shape of all processes with the least predicted time for a search of such a graph. With every > 0
 * it is for a full product with values of that many bytes. For a program that then calls GrB_finalize and
 * Grid_init with that shape, before it creates objects. Every process passes the same degrees. The network is
 * measured if need be. Errors: GrB_NULL_POINTER; GrB_INVALID_VALUE (more degrees than vertices);
 * GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_choose_shape(int *R, int *C, const Grid_Degrees *g, uint32_t every);
/* Whether delegates pay in searches of such a graph on a grid of C columns and P / C rows. They are a
 * delegate index on one column of several processes, else a split. */
typedef struct {
  int64_t best;       /* the threshold TH with the fastest searches; -1: none is faster than no delegates */
  int64_t threshold;  /* for Grid_DELEGATES: best, or Grid_DELEGATES_OFF if it does not pay */
  double saved, cost; /* seconds that a search gains with `best`, beyond the model's error; to make it */
  double searches;    /* after so many searches it pays; 0: never */
} Grid_Delegate_Choice;
/* *to = the choice by the model for a program that makes so many searches. Errors: GrB_NULL_POINTER;
 * GrB_INVALID_VALUE (P or C < 1, P above 2^20, C does not divide P, more degrees than vertices);
 * GrB_OUT_OF_MEMORY. Local. */
GrB_Info Grid_choose_delegates(Grid_Delegate_Choice *to, const Grid_Degrees *g, int P, int C, double searches,
                               const Grid_Network *net);
/* Predicted seconds of a search of a graph with hubs on P GPUs of one machine, P x 1, by constants measured
 * on H200s (docs/measurements/several-gpus.md). entries: of the matrix, each undirected edge twice. Local. */
double Grid_device_search_seconds(uint64_t n, uint64_t entries, int P);
/* The same of a product with a full vector in FP32, as in an iteration of PageRank. */
double Grid_device_product_seconds(uint64_t n, uint64_t entries, int P);
/* Ratio of the entries that a pull inspects with each row split over C processes, with row hubs or
 * without, to those with whole rows. A count measured on a grid of C columns, divided by this, is a
 * level's `inspected`. Local. */
double Grid_layout_inspected(int C, bool row_hubs);

/* Bytes that the library holds on this process, and in *peak the most since the last call with reset.
 * Freed blocks cached for reuse (at most 64 MiB and a quarter of what it holds) do not count. Local. */
uint64_t Grid_memory(uint64_t *peak, bool reset);
/* Sets the memory that the library may use on this process: Grid_Matrix_open leaves a matrix on disk if it
 * would not fit beside what is held. 0 (the default, unless GRIDBLAS_MEMORY in the environment gives a
 * size such as "4G"): the machine's free memory, divided by the processes on it. Vectors are always
 * created. Grid_memory_budget returns the budget. The same on every process. Errors: none. Local. */
GrB_Info Grid_memory_limit(uint64_t bytes);
uint64_t Grid_memory_budget(void);

/* Sets the most GPU memory that the context in use takes on this process, objects and work space together; a
 * new context has the limit of that in use. 0 (the default, unless GRIDBLAS_DEVICE_MEMORY in the environment
 * gives a size): none. A matrix that does not fit stays in host memory (on several processes only with one).
 * Products with vectors copy the pages they need to the GPU; other operations on it run on the CPU. Vectors
 * that do not fit give GrB_OUT_OF_MEMORY. Matrices already on the GPU are evicted while more than the limit
 * is held. On one process it is as many as needed, on several all, if any process exceeds it.
 * Grid_device_info has the peak. The same on every process. Errors: GrB_OUT_OF_MEMORY (no host memory for an
 * evicted matrix; the limit is in force nevertheless). Collective. */
GrB_Info Grid_device_memory_limit(uint64_t bytes);

/* ---- checkpoints: continue a computation after a crash ------------------------------------------------- */

/* An item of a checkpoint, with a name of 1 to 63 bytes. It is a vector, a scalar, or `size` bytes of the
 * program's own memory that are the same on every process (counters). The two others are NULL. */
typedef struct {
  const char *name;
  GrB_Vector vector;
  GrB_Scalar scalar;
  void *bytes;
  size_t size;
} Grid_Checkpoint_Item;

/* Saves items[0..n) as `step` of a computation in `folder`, which is created if need be and must be
 * visible to all processes. Returns once the items are copied; a thread then writes one file per process,
 * with checksums, each under a temporary name until it is complete on disk. The next call of
 * Grid_checkpoint, Grid_checkpoint_wait or Grid_restore finds out that all files are complete and removes
 * older steps. So a crash at any moment leaves the last complete step. The steps of a computation
 * ascend. Memory: one copy of this process's share. Errors: GrB_INVALID_VALUE (the folder cannot be
 * created or written; another computation that still runs uses it, whose process the message names; it has
 * this step or a later one of a computation that was not restored here; writing the previous step failed,
 * with the reason: then this one was not started and may be tried again; an invalid name or size; step
 * 2^64 - 1), GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_checkpoint(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items, uint64_t n);
/* Waits until the files of the last checkpoint are written. Errors: GrB_INVALID_VALUE (writing failed).
 * Collective. */
GrB_Info Grid_checkpoint_wait(void);
/* Restores the newest complete step in `folder` into items[0..n), which must have the types and sizes they
 * were saved with, and its number into *step; on any number of processes and any grid. A damaged step is
 * skipped for the one before; Grid_last_error reports it. Later calls of Grid_checkpoint may use the same
 * folder.
 * Errors: GrB_NO_VALUE (no folder or no checkpoint: the computation starts), GrB_INVALID_VALUE (all steps
 * are damaged, a name is missing, or another computation that still runs uses the folder),
 * GrB_DOMAIN_MISMATCH and GrB_DIMENSION_MISMATCH (a type, a size), GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. On
 * error the items do not change. Collective. */
GrB_Info Grid_restore(const char *folder, uint64_t *step, const Grid_Checkpoint_Item *items, uint64_t n);

/* ---- graphs from files and generators ------------------------------------------------------------------ */

/* A list of edges, each process with its own share (local arrays), and the map between vertex indices and
 * the file's vertex names. */
typedef struct {
  uint64_t nrows, ncols; /* dimensions; equal for an edge list and a generated graph */
  uint64_t n;            /* tuples on this process */
  uint64_t total;        /* tuples over all processes, as listed in the file (before mirroring) */
  uint64_t *rows, *cols; /* tuples, 0-based */
  double *values;        /* or NULL: a pattern */
  bool symmetric, skew;  /* Matrix Market storage scheme: only one triangle is listed */
  bool pattern;
  /* ids_count names, those of the vertices from ids_first on, in equal shares of nrows, whatever the
   * partition; ascending, except for page files of renumbered graphs; NULL: name = index + base */
  uint64_t *ids;
  uint64_t ids_first, ids_count;
  uint64_t base; /* 1 for Matrix Market, else 0 */
  char kind[32]; /* "Matrix Market", "edge list", "R-MAT" */
} Grid_Edges;

/* A file format; docs/formats.md lists them. */
typedef struct {
  const char *name;    /* "matrix-market" */
  const char *endings; /* file name suffixes, separated by blanks: ".mtx .mm" */
  const char *about;   /* one line of description */
} Grid_Format;
/* Format number k = 0, 1, ...; NULL past the last. Local. */
const Grid_Format *Grid_format(int k);

/* Reads a regular file, the same on every process, each process its share if the format allows it; text
 * may be compressed by gzip or zstd. The format is detected by the first bytes or the first line, and
 * otherwise by the suffix (METIS, Graph500; a file named .mtx must be Matrix Market).
 *   Matrix Market: coordinate or array; real, integer, pattern; general, symmetric, skew-symmetric (the
 *     triangle as stored). Zeros of the array format are not entries.
 *   edge list: two ids and an optional weight per line; blanks, tabs or commas; '#' and '%' comments; any
 *     64-bit ids, numbered in ascending order. All lines have a weight, or none.
 *   DIMACS: arcs with weights, or edges (symmetric). METIS: symmetric; the lower triangle is kept, vertex
 *     weights are ignored. Graph500: a pattern, with as many vertices as the largest number plus one.
 *   binary matrices (serialized, .npz, Binsparse): their entries; if all are true, a pattern.
 * Errors: GrB_INVALID_VALUE with "FILE:LINE: reason" or "FILE: reason" in Grid_last_error;
 * GrB_OUT_OF_MEMORY; GrB_NOT_IMPLEMENTED (the library was built without what the format needs). On failure
 * *e is empty. Free with Grid_Edges_free. Collective. */
GrB_Info Grid_read(Grid_Edges *e, const char *path);
/* As Grid_read, with the format of that name (NULL: detected). Errors: also GrB_INVALID_VALUE (no such
 * format). */
GrB_Info Grid_read_as(Grid_Edges *e, const char *path, const char *format);
/* As Grid_read_as, for edges whose weights an algorithm compares: a weight that is NaN is an error, too,
 * which names its line (the edge, in a binary file). */
GrB_Info Grid_read_weights(Grid_Edges *e, const char *path, const char *format);
/* Writes the edges to a file under a name that all processes can reach; each writes its share. format: a
 * name, or NULL: by the suffix of the path. Text is compressed if the path ends in .gz or .zst. The file
 * gets its name, and replaces an existing one, once it is complete. Text can also go to a pipe or a
 * device, which process 0 opens; path "-" is its standard output (format NULL: edge list).
 * Edge formats list the edges as e does: process by process, duplicates included. An edge list has the
 * vertices' names, a page file has both, the others have numbers. Formats that list rows (METIS and all
 * binary matrices) store a matrix with both triangles; of duplicates the least value counts.
 * What a format cannot store is an error: weights in Graph500, weights that are not integers in DIMACS and
 * METIS, loops and edges without their reverse in METIS.
 * Errors: GrB_INVALID_VALUE (these; no format has the name or suffix; the file cannot be written),
 * GrB_NULL_POINTER, GrB_INDEX_OUT_OF_BOUNDS, GrB_NOT_IMPLEMENTED, GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_write(const Grid_Edges *e, const char *path, const char *format);

/* How Grid_Matrix_read makes a matrix of a file. What is 0 or NULL has the default. */
typedef struct {
  const char *format; /* the name of a format (Grid_format); NULL: it is detected */
  GrB_Type type;      /* the matrix's, predefined; NULL: FP64, or BOOL without values */
  GrB_BinaryOp dup;   /* associative: joins the values at one position; NULL: the smallest counts, in a page
                       * file what it records */
  bool undirected;    /* the edges of an edge list, and all entries of a square matrix, count in both
                       * directions, as by the program `gridblas` unless it has --directed */
  bool no_loops;      /* entries on the diagonal are left out */
  bool pattern;       /* values are ignored: every entry is true, or 1 of `type` */
  bool original_ids;  /* row k is the vertex that an edge list or a page file calls k, not the k-th of them;
                       * the matrix has a row for each number up to the largest */
} Grid_Read_Options;

/* *A = a new matrix of the entries of a file of any format that Grid_read or Grid_Matrix_open reads.
 *   ids      if not NULL: *ids becomes a new UINT64 vector, what the file calls each row: the numbers of an
 *            edge list, in ascending order; k + 1 for row k in Matrix Market
 *   path     the file, the same on every process
 *   options  NULL: the format is detected; entries stand where the file lists them, with its values (FP64)
 * What the file says to be (skew-)symmetric has both triangles, which undirected does not change. Each
 * process reads a part. A page file stays on disk if it does not fit in memory, unless original_ids are
 * wanted; its duplicates were joined when it was made (Grid_Pages_Info), and dup joins directions. Memory: A,
 * and 16 or 24 bytes for each tuple of the file. Errors: GrB_INVALID_VALUE with "FILE:LINE: reason" or "FILE:
 * reason" in Grid_last_error (also a number above 2^60 - 1 with original_ids; ids with original_ids; a page
 * file of which another operator than dup joined duplicates), GrB_NULL_POINTER, GrB_DOMAIN_MISMATCH (type is
 * no predefined type of real numbers, dup not of one type), GrB_NOT_IMPLEMENTED (built without what the
 * format needs), GrB_OUT_OF_MEMORY. On error *A and *ids do not change. Collective.
 */
GrB_Info Grid_Matrix_read(GrB_Matrix *A, GrB_Vector *ids, const char *path, const Grid_Read_Options *options);
/* Writes the entries of A, of a predefined type of real numbers, to a file, each process its share. ids, a
 * UINT64 vector with an entry for each row of a square A, is what an edge list or a page file calls the
 * vertices; other formats number them. NULL: they have their indices. path and format are as of Grid_write.
 * Values are written as FP64, a BOOL matrix whose entries are all true without values. Memory: 24 bytes an
 * entry, and those of a matrix on disk. Errors: as Grid_write; GrB_DOMAIN_MISMATCH (A's type, ids not
 * UINT64), GrB_DIMENSION_MISMATCH and GrB_INVALID_OBJECT (ids lacks vertices), GrB_INVALID_VALUE (an integer
 * that FP64 does not hold exactly). Collective. */
GrB_Info Grid_Matrix_write(GrB_Matrix A, GrB_Vector ids, const char *path, const char *format);

/* Grid_temporary_unlink removes the unfinished files of this process; for the handler of a signal that ends
 * the program. The library's own are registered. A program creates up to 16 others with Grid_temporary_create
 * (as mkstemp). It removes them from the register with Grid_temporary_drop after it has renamed or removed
 * them. Local. */
void Grid_temporary_unlink(void);
int Grid_temporary_create(char *path);
void Grid_temporary_drop(const char *path);

/* The header of a page file (docs/formats.md). tuples: that it was made of, of which nvals are distinct; 0: a
 * version before 4, which does not tell; dup: what joined them, 0 (the least) or a flag Grid_DUP_...;
 * no_loops: no entry is on the diagonal; named: it stores names of the vertices, such as their numbers before
 * they were renumbered; page_bytes: bytes of all pages. */
typedef struct {
  uint64_t nrows, ncols, nvals, tuples, pages, page_bytes, bytes;
  int dup;
  bool symmetric, skew, no_loops, pattern, named;
} Grid_Pages_Info;

/* Reads the header of a page file. Errors: GrB_INVALID_VALUE (no such file, not a page file, or damaged),
 * GrB_NULL_POINTER. Collective. */
GrB_Info Grid_pages_info(Grid_Pages_Info *p, const char *path);
/* As Grid_read of a page file, but without tuples: n is 0, total is the number of entries. ids are the
 * vertices' names if the file has any, for Grid_Edges_find and for output. Free
 * with Grid_Edges_free. Errors: as above, also for damaged names; GrB_OUT_OF_MEMORY. On failure *e is
 * empty. Collective. */
GrB_Info Grid_Pages_names(Grid_Edges *e, const char *path);
/* Builds a page file from tuples that need not fit in memory (docs/formats.md). Tuples are sorted and written
 * to runs beside the file whenever the memory is full (Grid_memory_limit; else half of what is free). The
 * runs are merged at the end. The file gets its name only when complete. */
typedef struct Grid_Pages_Builder_opaque *Grid_Pages_Builder;
/* Statistics of a build over all processes: tuples passed (including mirrored ones), sorted runs written,
 * their bytes written and read back. */
typedef struct {
  uint64_t tuples, runs, run_bytes;
} Grid_Pages_Build_Stats;
/* Begins a matrix of nrows x ncols: a pattern or, with values, FP64; flags as of Grid_Matrix_build, and
 * Grid_BY_DEGREE, of fewer than 2^32 vertices. Of larger dimensions fewer than 2^32 rows and as many columns
 * may have entries. All processes must reach `path` under this name; an existing file is replaced at the end.
 * Errors: GrB_NULL_POINTER, GrB_INVALID_VALUE (dimensions above 2^60; an unknown flag; Grid_MIRROR or
 * Grid_BY_DEGREE of a matrix that is not square; the folder cannot be written), GrB_NOT_IMPLEMENTED
 * (Grid_BY_DEGREE of so many vertices), GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_Pages_begin(Grid_Pages_Builder *b, const char *path, uint64_t nrows, uint64_t ncols,
                          bool values, int flags);
/* Adds n tuples, any tuples on any process; the flags say how duplicates are joined. values: NULL for a
 * pattern. Errors: GrB_NULL_POINTER, GrB_INDEX_OUT_OF_BOUNDS (some tuples before the bad one were added),
 * GrB_OUT_OF_MEMORY, GrB_INVALID_VALUE (the disk is full). Local: pass the outcome to Grid_Pages_end. */
GrB_Info Grid_Pages_append(Grid_Pages_Builder b, const uint64_t *rows, const uint64_t *cols,
                           const double *values, uint64_t n);
/* Names of the vertices, such as their numbers in another file, for Grid_Pages_names: n of the nrows of a
 * square matrix, one process's after the other's. Again: they replace the earlier ones. Errors:
 * GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. Local: pass the outcome to Grid_Pages_end, which checks their number.
 */
GrB_Info Grid_Pages_set_names(Grid_Pages_Builder b, const uint64_t *names, uint64_t n);
/* Ends a build. The file gets its name if `outcome` is GrB_SUCCESS on all processes; otherwise it is
 * removed and the outcome of the lowest such rank is returned. *how (may be NULL): statistics. *b = NULL
 * in any case. Errors: GrB_NULL_POINTER, GrB_INVALID_VALUE (it cannot be written), GrB_DIMENSION_MISMATCH
 * (not a name for each row), GrB_NOT_IMPLEMENTED (too many rows or columns with entries, or names of more
 * than 2^32 - 1), GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_Pages_end(Grid_Pages_Builder *b, GrB_Info outcome, Grid_Pages_Build_Stats *how);
/* Builds a page file from a file of any format (NULL: detected as by Grid_read), with flags as above,
 * without values if `pattern`. Edge lists with names below 2^32, Matrix Market coordinates, DIMACS,
 * Graph500 and page files are read segment by segment, all others whole. With Grid_BY_DEGREE the vertices
 * have as names those of the file, or their numbers from its base. *read (may be NULL): what Grid_read
 * would return, without tuples and names. Errors: as Grid_read and above. Collective. */
GrB_Info Grid_Pages_convert(const char *path, const char *from, const char *format, bool pattern, int flags,
                            Grid_Edges *read, Grid_Pages_Build_Stats *how);
/* *A = the matrix in a page file, BOOL (all true) or FP64. It takes the time to read the file's tables: if
 * the matrix does not fit in memory (Grid_memory_limit) its rows stay on disk. GrB_mxv, GrB_vxm and access
 * to single elements, rows and columns read the pages they need. Reductions, degrees, apply, select,
 * eWise, transpose, mxm, Kronecker products, extract, assign, resize, concat, split, reshape, sort,
 * serialize, export and extractTuples process it segment by segment. A result that does not fit is written to
 * an unnamed file beside this one, or in the folders of GRIDBLAS_PAGES_FOLDERS (needed if this folder is not
 * writable). Other calls (docs/limits.md) load all of it first, or return GrB_OUT_OF_MEMORY. A value that is
 * assigned to a matrix of more than 2^32 - 1 rows or columns without a mask, or under a complement, has its
 * entries in memory. path: a file, or up to 16 separated by commas that were written
 * together (docs/formats.md, "Several disks"). The file must not change; every page has a checksum, and a
 * call that finds a wrong one returns GrB_INVALID_VALUE. On grids of several columns each process reads the
 * file once. Unless its block has ample room in memory, it writes the block to an unnamed page file in the
 * folders above. On the device the whole matrix is read into memory. Errors: GrB_INVALID_VALUE (no such file,
 * not a page file, damaged, or pages cannot be written), GrB_NULL_POINTER, GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_Matrix_open(GrB_Matrix *A, const char *path);
/* Bytes of pages that products with A have read on this process since it was opened; 0 if it is in memory.
 * *paged (may be NULL): whether its rows are on disk. Local. */
uint64_t Grid_Matrix_bytes_read(bool *paged, GrB_Matrix A);
/* Bytes of pages that products with a host-resident A have copied from this process's host memory to its
 * GPU (Grid_device_memory_limit); 0 if A is on the GPU. *all (may be NULL): bytes of all pages of A's
 * block so far; *cached (may be NULL): bytes of the pages now cached on the GPU. Local. */
uint64_t Grid_Matrix_bytes_sent(uint64_t *all, uint64_t *cached, GrB_Matrix A);
/* R-MAT graph with 2^scale vertices and edgefactor * 2^scale tuples (Graph500 initiator .57 .19 .19 .05,
 * vertex ids scrambled), the same for any number of processes. Errors: GrB_INVALID_VALUE (scale not in
 * 1..58, edgefactor 0 or too large), GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_rmat(Grid_Edges *e, int scale, uint64_t edgefactor, uint64_t seed);
/* The same graph as a pattern in A (2^scale x 2^scale and empty), as Grid_Matrix_build builds it from those
 * tuples with `flags`. It is the same on any device and any number of processes, and no process holds all
 * tuples. Each generates a share, with Grid_CUDA on its GPU, and sends entries to the owners of their blocks.
 * gridblas_rmat.h has the generator. Errors: as Grid_rmat and Grid_Matrix_build; GrB_DIMENSION_MISMATCH.
 * Collective. */
GrB_Info Grid_Matrix_rmat(GrB_Matrix A, int scale, uint64_t edgefactor, uint64_t seed, int flags);
/* Frees the arrays of *e, which is then empty; NULL is allowed. Local. */
void Grid_Edges_free(Grid_Edges *e);
/* Index of the vertex with the file's `name`: GrB_SUCCESS, or GrB_NO_VALUE if there is none. Collective. */
GrB_Info Grid_Edges_find(uint64_t *index, const Grid_Edges *e, uint64_t name);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
