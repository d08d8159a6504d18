/* gridblas.h: what gridblas has beyond the GraphBLAS C API 2.1. Names start with Grid_.
 *
 * Collective: unless a function says otherwise, every process of the grid makes the same call with the same
 * arguments (as with an MPI collective) and gets the same answer. "Local" arguments may differ from process
 * to process. */
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

/* Starts the library, as GrB_init does, on a communicator and a grid shape of the caller's choice.
 *   mode  GrB_BLOCKING or GrB_NONBLOCKING
 *   comm  address of an MPI_Comm (it is duplicated), or NULL: MPI_COMM_WORLD when an MPI launcher started the
 *         program, else this one process without MPI
 *   R, C  rows and columns of the grid; 0, 0: what GRIDBLAS_GRID=RxC in the environment says, else C the
 *         largest divisor of the number of processes P with 4 C^2 <= P if P > 16, else 1, and R = P / C
 * Errors: GrB_INVALID_VALUE (R * C is not the number of processes, or the library runs already;
 * Grid_last_error says which), GrB_PANIC (MPI failed). Collective. After a shape that does not fit, Grid_rank
 * answers, so that one process can report it, and another call with a shape that fits (0, 0) may follow.
 *
 * A call that only some processes make waits for the others for ever. With GRIDBLAS_CHECK=calls in the
 * environment of process 0 each collective call first tells all others its name, and where they differ it
 * fails on all (GrB_PANIC) before it has done anything; Grid_last_error names both calls. GrB_finalize then
 * waits until all processes are in it, and returns GrB_PANIC after it has ended the library if others made
 * calls meanwhile. Who is late is only waited for; after 10 seconds (GRIDBLAS_CHECK=calls:SECONDS) a line on
 * standard error says who waits in which call, and for whom. Frees are not compared: garbage collectors make
 * them when they like. */
GrB_Info Grid_init(int mode, const void *comm, int R, int C);

/* This process's number 0 .. Grid_size() - 1 in the grid (process (i, j) has number j * R + i), the number of
 * processes, and the grid's shape. Local. */
int Grid_rank(void);
int Grid_size(void);
void Grid_shape(int *R, int *C);

/* OpenMP threads that each process uses; n < 1 leaves the number alone. Returns the number in force. At
 * start: OMP_NUM_THREADS, else this machine's cores divided by the processes on it. Local. */
int Grid_threads(int n);

/* Text of the last error of the calling thread's calls ("" if none). It stays valid until that thread's next
 * failing call. Local. */
const char *Grid_last_error(void);
/* The constant's name, e.g. "GrB_DOMAIN_MISMATCH". Local. */
const char *Grid_info_name(int info);

/* Every process gives its own outcome (local) and all get the same one: that of the lowest-numbered process
 * whose outcome is not GrB_SUCCESS. `text` (local, may be NULL) explains a failure; afterwards
 * Grid_last_error gives it on every process. */
GrB_Info Grid_agree(int info, const char *text);
/* Sums v[0..n) over all processes, in place; Grid_max takes the largest. Collective with the same n. */
GrB_Info Grid_sum(uint64_t *v, size_t n);
GrB_Info Grid_max(uint64_t *v, size_t n);
/* Gives every process the bytes that process `root` has. */
GrB_Info Grid_bcast(void *buf, size_t bytes, int root);

/* ---- devices ------------------------------------------------------------------------------------------- */

/* Where objects live and operations run. At start: what GRIDBLAS_DEVICE=cpu or cuda in the environment says,
 * else the CPU. */
enum { Grid_CPU = 0, Grid_CUDA = 1 };

/* Chooses the backend for all operations from now on; objects that exist move when they are next used. With
 * Grid_CUDA each process takes one GPU: the one of its number among the processes of this machine.
 * Errors: GrB_INVALID_VALUE with the reason in Grid_last_error (no such device; built without CUDA; no
 * driver; fewer GPUs than processes on a machine, unless GRIDBLAS_SHARE_GPU=1 in the environment lets
 * processes share), the backend then stays as it was. Collective. */
GrB_Info Grid_device_set(int device);
/* The device in force: Grid_CPU or Grid_CUDA. Local. */
int Grid_device(void);

/* This process's GPU. */
typedef struct {
  char name[96];
  int number, count;          /* of the GPU; how many this process sees */
  uint64_t total, free, held; /* bytes: of the GPU; free now; in the library's objects on it, this process */
  uint64_t peak;              /* the most that was held since the limit was last set */
} Grid_Device_Info;
/* Errors: GrB_INVALID_VALUE when Grid_CUDA was never set. Local. */
GrB_Info Grid_device_info(Grid_Device_Info *d);

/* Operations that were done on the CPU although the device is Grid_CUDA, since the device lacks them, and
 * kernels for the CPU that could not be made at run time, or not be kept on disk safely: text k (k = 0, 1,
 * ...) and how often; NULL behind the last. Local. */
const char *Grid_fallback(int k, uint64_t *count);

/* ---- shares of a distributed object -------------------------------------------------------------------- */

/* The indices [*first, *first + *count) of a dimension n that this process owns (docs/design.md, "Layout").
 * Local. */
GrB_Info Grid_local_range(GrB_Index n, GrB_Index *first, GrB_Index *count);

/* Cuts a dimension n at first[0] = 0 .. first[P] = n, which ascend, all but n multiples of 64 (P =
 * Grid_size): process k owns first[k] .. first[k + 1]. first NULL: evenly, as dimensions are by themselves.
 * All matrices and vectors that have the dimension move now, and those made later are cut alike; so two of
 * them always fit each other. Every process gives the same. Errors: GrB_INVALID_VALUE; GrB_NOT_IMPLEMENTED
 * with the device on; GrB_OUT_OF_MEMORY (nothing has moved). Collective. */
GrB_Info Grid_partition_set(GrB_Index n, const GrB_Index *first);

typedef struct {
  double load, best;  /* largest over mean load of a process: as it was; with the best cuts that were found */
  bool redistributed; /* those are in force */
  double seconds;     /* that the move took */
} Grid_Repartition;

/* What a row costs beside its entries, in entries: one of two or more; one of fewer, where no loop ends that
 * the processor guesses wrong. */
typedef struct {
  double many, few;
} Grid_Row_Costs;
/* As measured (docs/performance.md, "Partitions by work"): where a round is a product with all entries and
 * what vectors need besides, and where it is a search, which looks at few of them. */
#define Grid_ROW_COSTS_PRODUCT ((Grid_Row_Costs){27, 12})
#define Grid_ROW_COSTS_SEARCH  ((Grid_Row_Costs){100, 100})

/* Cuts A's rows (on a grid of several columns its columns, too; those of a square matrix alike) so that every
 * process has as much work as the others (docs/design.md, "Uneven partitions"): entries, and rows, worth as
 * many of them as `rows` says. Where seconds is 0 on all processes they move if the largest work is more than
 * a tenth above the mean and becomes less. Else an entry weighs what it took on its process: seconds is the
 * time that this process worked in one round of some iteration with A (Grid_cpu_time), and they move if
 * `rounds` more of them will gain more than the move costs, as the last one did. A chunk gets at most 8 times
 * the indices of an even one. A matrix split by delegates, or one without degrees (a hypersparse dimension),
 * stays. *b, the same on every process, may be NULL. Errors: as Grid_partition_set; GrB_INVALID_VALUE (row,
 * seconds or rounds is negative or no number). Collective. */
GrB_Info Grid_Matrix_repartition(Grid_Repartition *b, GrB_Matrix A, Grid_Row_Costs rows, double seconds,
                                 double rounds);

/* An iteration whose cuts move while it goes on: all 0 when it begins; the same on every process. */
typedef struct {
  uint64_t rounds, moves; /* that were measured; after which cuts were moved */
  double load;            /* of the last few: the slowest process's own time over the mean */
  double seconds;         /* that all moves took, with what had to be made anew after them */
  struct {
    uint64_t nrows, ncols, seen, window;
    double began, first, least;
    bool redistributed;
  } library; /* its own */
} Grid_Rebalancing;

/* Called between the rounds of an iteration with A, of which `rounds` are expected to come (a guess will do):
 * measures what this process has worked since the last such call (Grid_cpu_time; but not what the program
 * does behind its last call with a message). Once the quickest of a few rounds (two at first) shows that new
 * cuts would gain more in those to come than moving costs, both as measured, all matrices and vectors of A's
 * dimensions move, as Grid_Matrix_repartition with seconds has them. What they hold is the same before and
 * after. Costs one short message every few calls. On one process, with the device on, and of a matrix that
 * Grid_Matrix_repartition leaves, nothing is measured or moved. Errors: GrB_NULL_POINTER; GrB_INVALID_VALUE
 * (row or rounds is negative or no number); GrB_OUT_OF_MEMORY (nothing has moved). Collective. */
GrB_Info Grid_Matrix_rebalance(Grid_Rebalancing *b, GrB_Matrix A, Grid_Row_Costs rows, double rounds);

/* Seconds of the processor's time that this process's main thread has had outside of messages since the first
 * such call: its own work, neither what it waited for others nor what other programs had. 0 on one process.
 * Messages between GPUs are taken for work. Local. */
double Grid_cpu_time(void);

/* Flags of Grid_Matrix_build, and of files of pages that are made; the last of these alone. */
enum {
  Grid_MIRROR = 1,   /* every tuple (r, c) counts also as (c, r): an undirected graph (a square matrix) */
  Grid_NO_LOOPS = 2, /* tuples with r == c are dropped */
  /* vertices (of a square matrix) are numbered anew, those first that come in most tuples, of as many the one
   * with the lowest number; the file keeps their own numbers (Grid_Pages_names): products read less and are
   * faster */
  Grid_BY_DEGREE = 4
};

/* C(rows[k], cols[k]) = values[k] from each process's own tuples (local: any tuples, any number, on any
 * process). C must be empty. values == NULL and type == NULL: every entry is `true`/1 of C's type, stored
 * once (iso), and dup is not needed. Otherwise values (NULL only where n is 0) has type `type` (compatible
 * with C's) and duplicates are combined with dup (associative; NULL: a duplicate is an error).
 * Errors: GrB_OUTPUT_NOT_EMPTY, GrB_INDEX_OUT_OF_BOUNDS (the text names the tuple), GrB_INVALID_VALUE
 * (duplicate without dup, or MIRROR on a matrix that is not square), GrB_DOMAIN_MISMATCH, GrB_OUT_OF_MEMORY.
 * Collective; moves every tuple once. */
GrB_Info Grid_Matrix_build(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, const void *values,
                           GrB_Type type, GrB_Index n, GrB_BinaryOp dup, int flags);
/* C(i, where(i)) = 1 of C's type, stored once (iso), for each entry of a vector of any integer type; a row i
 * without one stays empty. C must be empty, and where as long as C has rows. If where(v) is v's group, A C
 * tells for each of A's rows how much of it each group has. Errors: GrB_OUTPUT_NOT_EMPTY;
 * GrB_INDEX_OUT_OF_BOUNDS (an entry of where is no column of C); GrB_DOMAIN_MISMATCH (where is not of
 * integers, or C's type is user-defined); GrB_DIMENSION_MISMATCH; GrB_OUT_OF_MEMORY; C stays empty then.
 * Collective; nothing travels on a grid of one column. */
GrB_Info Grid_Matrix_indicator(GrB_Matrix C, GrB_Vector where);
/* The same as Grid_Matrix_build for a vector: w(indices[k]) = values[k]; values == NULL: 1 of w's type. */
GrB_Info Grid_Vector_build(GrB_Vector w, const GrB_Index *indices, const void *values, GrB_Type type,
                           GrB_Index n, GrB_BinaryOp dup);

/* This process's own entries. *n: in, room in the arrays; out, entries (GrB_INSUFFICIENT_SPACE if there are
 * more, with *n their number). Any of the arrays may be NULL; a matrix with all of them NULL only counts,
 * whatever the room. values has the object's own type. A matrix gives each entry on exactly one process, in
 * no particular order; a vector gives process k the entries in its Grid_local_range, ascending. What
 * setElement and removeElement have changed counts, on whatever process it is asked. Local, no communication.
 */
GrB_Info Grid_Matrix_extractLocal(GrB_Index *rows, GrB_Index *cols, void *values, GrB_Index *n, GrB_Matrix A);
GrB_Info Grid_Vector_extractLocal(GrB_Index *indices, void *values, GrB_Index *n, GrB_Vector v);

/* GrB_Matrix_import and GrB_Matrix_export with each process's own arrays (local). CSR: the rows of its
 * Grid_local_range of nrows, so that indptr has one element more than that; CSC: the columns of its
 * Grid_local_range of ncols; COO: import takes any tuples, export gives those of the rows. Indices are the
 * whole matrix's. values has the matrix's own type. exportLocal leaves out arrays that are NULL, and gives
 * all lengths; importLocal takes NULL for an array without elements. Errors as those calls. Collective;
 * entries travel where their block is not their owner's. */
GrB_Info Grid_Matrix_importLocal(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,
                                 const GrB_Index *indptr, const GrB_Index *indices, const void *values,
                                 GrB_Index n_indptr, GrB_Index n_indices, GrB_Index n_values, int format);
GrB_Info Grid_Matrix_exportLocal(GrB_Index *indptr, GrB_Index *indices, void *values, GrB_Index *n_indptr,
                                 GrB_Index *n_indices, GrB_Index *n_values, int format, GrB_Matrix A);

/* ---- operators that the standard lacks ----------------------------------------------------------------- */

/* The ANY monoid: of several values, any one (the freedom lets a product stop at its first hit). One per
 * predefined type: Grid_ANY_BOOL (GrB_BinaryOp), Grid_ANY_MONOID_BOOL (GrB_Monoid), ... FP64. Semirings:
 *   Grid_ANY_SECONDI_SEMIRING_INT32, _INT64   the inner index k of a product A(i,k)*x(k) or x(k)*A(k,j): any
 *     one
 *   Grid_MIN_SECONDI_SEMIRING_INT32, _INT64   the smallest such k
 *   Grid_ANY_ONEB_SEMIRING_T, Grid_ANY_FIRST_SEMIRING_T, Grid_ANY_SECOND_SEMIRING_T  for every predefined
 *     type T
 *   Grid_PLUS_ONEB_SEMIRING_T  for every one but BOOL
 * GraphBLAS.h declares them beside the standard's (all come from gridblas_table.h). SECONDI exists in
 * semirings only. */

/* ---- a program's own types and operators, as text, too ------------------------------------------------- */

/* As GrB_Type_new and GrB_*Op_new, and the same in source text, from which kernels are compiled at run
 * time: for the device by NVRTC, for the CPU by the C compiler that is found (cc, gcc or clang on the path,
 * or $GRIDBLAS_CC; off: none), in the background, once an operator has been used on 20 million entries
 * (GRIDBLAS_TUNE=cc_threshold=N). On the CPU they serve products, apply, eWise and accumulators. Kernels are
 * kept on disk in $GRIDBLAS_CACHE, else $XDG_CACHE_HOME/gridblas, else ~/.cache/gridblas (off: nowhere), if
 * it is the user's and nobody else may write to it, and each folder above it is the user's or root's and
 * written by others only if it is sticky (else Grid_fallback says which is not). They are looked for in
 * $GRIDBLAS_KERNELS, too. The texts are copied.
 *   name        the identifier that the text defines; may be NULL when definition is NULL
 *   definition  of a type      "typedef struct { double re, im; } name;"
 *               of a unary operator         "void name(Z *z, const X *x) { ... }"
 *               of a binary operator        "void name(Z *z, const X *x, const Y *y) { ... }"
 *               of an index-unary operator
 *                       "void name(Z *z, const X *x, GrB_Index i, GrB_Index j, const Y *y) { ... }"
 *               with Z, X, Y the names of its types (bool, int8_t ... uint64_t, float, double, or the name
 *               given here). It may define functions of its own before; it has the functions of math.h, no
 *               other includes, and no global variables. It must be C that is C++ as well. Or NULL: what
 *               needs the operator is done on the CPU, through f.
 * f and definition must do the same, without side effects. A text that does not compile is no error: what
 * needs it is done through f, Grid_fallback says so, and Grid_last_error has the compiler's words. (Such a
 * text is met when a kernel is first needed, on whichever process, and the right answer is at hand.)
 * Errors: those of GrB_Type_new and GrB_*Op_new; GrB_NULL_POINTER (definition without name),
 * GrB_INVALID_VALUE (name is no identifier, or is longer than 100 letters). Local. */
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
  /* Delegate split of a square matrix (docs/design.md): Grid_DELEGATES_AUTO, Grid_DELEGATES_OFF, or a
   * threshold TH >= 0: vertices with more than TH entries in row and column together are delegates (each
   * neighbour once where the matrix is known to be symmetric). Takes effect at the next product or GrB_wait
   * with GrB_MATERIALIZE. A dimension much longer than its number of entries is never split. AUTO never
   * splits: on no machine measured so far a split made products faster. On one grid column of several no
   * entry of a symmetric pattern moves: vertices with more than TH entries in their row are numbered, for
   * products that any hit will do for (on GPUs for searches alone, which then go by messages, level by
   * level); on the host AUTO numbers, too, where what
   * messages cost says that a search gains (Grid_network; docs/design.md, "The choice"). */
  Grid_DELEGATES = 7001,
  /* Direction of products with this matrix: Grid_DIRECTION_AUTO, _PUSH, _PULL. For tests and measurements. */
  Grid_DIRECTION = 7002,
  /* Of GrB_GLOBAL, strings: what Grid_memory_limit and Grid_device_memory_limit set, as GRIDBLAS_MEMORY and
   * GRIDBLAS_DEVICE_MEMORY say it: "4G", "500M", bytes; "" for none. GrB_get gives bytes, or "". They bound
   * matrices: vectors are made whatever the first says. */
  Grid_MEMORY = 7003,
  Grid_DEVICE_MEMORY = 7004
};
enum { Grid_DELEGATES_AUTO = -1, Grid_DELEGATES_OFF = -2 };
enum { Grid_DIRECTION_AUTO = 0, Grid_DIRECTION_PUSH = 1, Grid_DIRECTION_PULL = 2 };

/* How a matrix is stored, summed over the grid. One that is kept by row is made ready for products first.
 * Collective. */
typedef struct {
  uint64_t nvals;     /* entries */
  uint64_t bytes;     /* all index, offset, value, degree and delegate arrays */
  uint64_t delegates; /* d; 0: none */
  int64_t threshold;  /* TH in force, -1: no delegates */
  /* entries in each part (all in nn when not split, or delegates are only numbered) */
  uint64_t nn, nd, dn, dd;
  bool dd_bits; /* dd is bit-packed */
  /* pattern and values known to be symmetric: built with Grid_MIRROR, or found so when it was made ready for
   * products (not with values of more than 8 bytes, nor on the device) */
  bool symmetric;
  bool hypersparse;  /* some block keeps lists of its non-empty rows or columns */
  bool bitmap, full; /* a dense matrix's entries are kept by place: as a bitmap, or all of them are there */
} Grid_Storage;
GrB_Info Grid_Matrix_storage(Grid_Storage *s, GrB_Matrix A);

/* Out-degrees and in-degrees: w(i) = number of entries in row i (by_column: column i); no entry where there
 * is none. w's size must be A's number of rows (columns), else GrB_DIMENSION_MISMATCH. Collective. */
GrB_Info Grid_Matrix_degree(GrB_Vector w, GrB_Matrix A, bool by_column);

/* GrB_extract and GrB_assign of matrices with lists of indices that no process has as a whole: each gives its
 * own share (local arguments), and the lists are the shares joined in the order of the processes' numbers. A
 * list may be GrB_ALL, on every process then; a share may be empty. C(k, l) = A(I[k], J[l]) / C(I[k], J[l]) =
 * A(k, l), where k and l count through the joined lists; everything else as GrB_Matrix_extract and
 * GrB_Matrix_assign say. An index outside of its matrix on one process is an error on all:
 * GrB_INDEX_OUT_OF_BOUNDS. Collective. */
GrB_Info Grid_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                             const GrB_Matrix A, const GrB_Index *row_indices, GrB_Index nrows,
                             const GrB_Index *col_indices, GrB_Index ncols, const GrB_Descriptor desc);
GrB_Info Grid_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,
                            const GrB_Index *row_indices, GrB_Index nrows, const GrB_Index *col_indices,
                            GrB_Index ncols, const GrB_Descriptor desc);

/* GrB_extract of a vector along a list that is a vector itself, of any integer type, each process with its
 * share of it: w<mask> accum= t, with t(k) = u(where(k)) where both have an entry. w is as long as where.
 * Errors as GrB_extract; an entry of where that is no index of u: GrB_INDEX_OUT_OF_BOUNDS; where not of
 * integers: GrB_DOMAIN_MISMATCH. Collective; each index that belongs to another process costs a message of 8
 * bytes there and a value back. */
GrB_Info Grid_Vector_gather(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector where,
                            GrB_Descriptor desc);
/* The opposite: w<mask> accum= t, with t(where(k)) = u(k) where both have an entry. Those of one place are
 * combined by dup, an associative operator of one type, in the order of k; NULL: two for one place are
 * GrB_INVALID_VALUE. u is as long as where; an entry of where that is no index of w:
 * GrB_INDEX_OUT_OF_BOUNDS; other errors as Grid_Vector_gather. Collective; each entry that belongs to another
 * process travels once. */
GrB_Info Grid_Vector_scatter(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp dup,
                             GrB_Vector u, GrB_Vector where, GrB_Descriptor desc);

/* ---- tracing ------------------------------------------------------------------------------------------- */

/* What one mxv or vxm did, summed over the grid unless it says otherwise. */
typedef struct {
  const char *call; /* "GrB_mxv" or "GrB_vxm" */
  /* "push", "pull"; with delegates also this process's parts behind a stroke: "push/pull", "pull/both" */
  const char *direction;
  const char *x_format; /* format of the input on this process: "list", "bitmap", "full" */
  const char *y_format; /* format of the result on this process */
  uint64_t frontier;    /* entries in the input vector */
  /* entries in the result, after the mask and before the accumulator */
  uint64_t found;
  uint64_t inspected;      /* matrix entries looked at */
  uint64_t inspected_most; /* ... by the process that looked at the most */
  /* the estimates that the direction came from: the grid's, plus those of this process's delegate parts */
  uint64_t push_work, pull_work;
  /* sent between processes (own share not counted) */
  uint64_t expand_bytes, mask_bytes, fold_bytes, delegate_bytes;
  /* all that: with numbers, sizes and agreements, of which one that is summed or broadcast counts once; and
   * the calls that a process made for it (the same on each, not summed). 0 where GPUs talk by themselves. */
  uint64_t sent_bytes, calls;
  /* of expand, mask exchange, fold and delegates, by form; empty and complete ones not counted */
  uint64_t list_messages, bitmap_messages;
  double expand_ms, mask_ms, local_ms, fold_ms, delegate_ms, write_ms; /* the slowest process's */
  /* of sent_bytes, numbers that went in the same messages as contents: on one grid column of several machines
   * x is sent with the numbers that the product, or the next one of a loop, is decided by. Contents count for
   * the product that sends them. */
  uint64_t number_bytes;
} Grid_Product;
/* After each product f is called on every process with its record (NULL: off, as at start). The sums cost two
 * messages a product. Collective, though each process may give an f of its own. */
typedef void (*Grid_trace_function)(const Grid_Product *p, void *context);
void Grid_trace(Grid_trace_function f, void *context);

/* A span, a stretch of the program with a name: with GRIDBLAS_BURBLE a slice of the trace around the calls in
 * it, a line, or an NVTX range; without, nothing but a look at a variable. Spans lie in each other; those
 * more than 8 deep are left out. The name is not copied: it lives until the span ends. Every algorithm of
 * gridblas_algos.h is one. Local: each process tells its own. */
void Grid_span_begin(const char *name);
void Grid_span_end(void);

/* How far the call has come that is under way on this process: `done` of `total` parts, as bytes of a file
 * that is read, sources or iterations; total 0: not known, or there is none. For another thread, which shows
 * it. Local. */
void Grid_progress(uint64_t *done, uint64_t *total);
/* What an algorithm over the library tells of itself (total 0: it cannot say); until it ends, the steps of
 * the calls that it makes do not count. Every algorithm of gridblas_algos.h does so. Local. */
void Grid_progress_set(uint64_t done, uint64_t total);
void Grid_progress_end(void);

/* Since the library started: calls that this process made to exchange messages with others, and bytes that it
 * gave to others in them; an argument may be NULL. Messages between GPUs are not in it. Local. */
void Grid_traffic(uint64_t *calls, uint64_t *bytes);

/* What messages between the processes cost, and how fast a process is: layouts are chosen by it
 * (docs/design.md, "The choice"). The same on every process. */
enum { Grid_NETWORK_SIZES = 4 }; /* 4, 32, 256, 2048 KiB */
typedef struct {
  double latency;   /* seconds of a collective call of all processes with next to nothing to say */
  double bandwidth; /* bytes a second that a process receives while all send to all, long messages */
  double rate;      /* entries a second that a process looks at in a pull, with all its threads */
  /* "configured": by GRIDBLAS_NETWORK=LATENCY,BANDWIDTH in the environment of process 0; "read": from the
   * cache folder, where it was left by an earlier program on these hosts; "measured": now, as for the first
   * time, or with GRIDBLAS_NETWORK=measure; NULL: nothing has asked yet */
  const char *how;
  /* bytes of a vector that all processes read where its owners have written it, since they are on one
   * machine; 0 elsewhere, and where it was told */
  double shared;
  /* seconds that 4, 32, 256 and 2048 KiB in all to the others take beyond the latency: short messages may
   * pass quicker than long ones, on a link that is shaped or through the buffers of a card; all 0: as the
   * bandwidth says */
  double passes[Grid_NETWORK_SIZES];
} Grid_Network;
/* With measure: collective, and measured if need be, in some hundredths of a second; without: what is known
 * so far, local. One process alone has a latency of 0. Errors: GrB_NULL_POINTER; GrB_OUT_OF_MEMORY. */
GrB_Info Grid_network(Grid_Network *n, bool measure);

/* One level of a search (or a product), counted for P processes of equal chunks, the numbers of all together.
 * "Outside" is an entry whose column is neither a delegate nor in the row's own chunk. */
enum { Grid_LAYOUT_COLUMNS = 5 }; /* 2, 4, 8, 16, 32 */
typedef struct {
  bool pull;
  uint64_t frontier, inspected; /* vertices; entries that one process would look at */
  double local_seconds;         /* that one process would take for it; 0: what the network's rate says */
  int columns;                  /* of the grid on which that was measured; 0: one */
  /* no level of a search, but a product that sees every entry: bytes of each value of x, which is full */
  uint32_t every;
  uint64_t *of, *of_delegates;    /* the frontier, its delegates, chunk by chunk */
  uint64_t *waiting;              /* not visited before the level, and with entries */
  double edges, segments;         /* entries of the frontier; of which process's columns a row has some */
  double normals, pushed, groups; /* the same of normals and what they have outside */
  /* entries outside of rows that delegates and the own chunk left open; of delegates' rows among them, and of
   * delegates that were not visited */
  double open, open_of_delegates, waiting_of_delegates;
  double found;
  /* pull, where rows have leads: rows that theirs finds (the neighbour of highest degree), leads in the
   * frontier */
  double by_row_hub, row_hubs;
  /* pull, or every entry: processes that could find a row whose entries lie on so many, but for those that
   * leads find */
  double finds[Grid_LAYOUT_COLUMNS];
} Grid_Level;
typedef struct {
  int P;
  uint64_t n, q;     /* vertices, in a chunk */
  uint64_t d, *d_of; /* delegates, chunk by chunk; d = 0: there are none */
  uint64_t row_hubs; /* vertices that lead rows, where they are tried; 0: none */
  Grid_Level *level;
  uint64_t levels;
} Grid_Search;

/* What a process grid of C columns, with delegates numbered (questions) or whole bitmaps, would send and look
 * at, all processes together, and how many calls and seconds a process would take. */
typedef struct {
  char name[48];
  int C;
  bool requests;
  double bytes, inspected, calls, seconds;
} Grid_Layout;
enum { Grid_LAYOUTS = 1 + (1 << Grid_LAYOUT_COLUMNS) };

/* The library's own model of a search, or of a product that sees every entry (docs/design.md, "The choice"):
 * by it AUTO numbers delegates or not. to gets an element for each layout, which are those of at most 32
 * columns and no more columns than rows; *best the place of the quickest; their number is returned.
 * bytes_only: by questions, calls are taken to cost nothing, as they are where a program sets a threshold
 * and GRIDBLAS_NETWORK is not set. Local. */
int Grid_layouts(Grid_Layout to[Grid_LAYOUTS], int *best, const Grid_Search *t, const Grid_Network *net,
                 bool bytes_only);
/* Degrees of vertices of a graph of n, `count` of them that were drawn among all: entries of a vertex's row
 * (symmetric: edges both ways). */
typedef struct {
  uint64_t n;
  const uint64_t *degree;
  uint64_t count;
  bool symmetric;
} Grid_Degrees;
/* The shape of a grid of all processes on which a search of such a graph takes least by that model, or, with
 * every > 0, a product that sees every entry, with a full vector of values of so many bytes. For a program
 * that ends the library before it makes its objects, and starts it on that shape (GrB_finalize, Grid_init).
 * Every process gives the same degrees. What messages cost is measured if need be. Errors: GrB_NULL_POINTER;
 * GrB_INVALID_VALUE (more degrees than vertices); GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_choose_shape(int *R, int *C, const Grid_Degrees *g, uint32_t every);
/* Entries that a pull looks at if C processes share each row, and try leads or not, against one that has it
 * whole: what was counted on a grid with columns, over this, is a level's `inspected`. Local. */
double Grid_layout_inspected(int C, bool row_hubs);

/* Bytes that the library holds on this process now, and the most it has held since the last call with reset.
 * Freed blocks that it keeps for reuse (at most 64 MiB and a quarter of what it holds) do not count.
 * Local. */
uint64_t Grid_memory(uint64_t *peak, bool reset);
/* The memory that the library may take on this process: a matrix that Grid_Matrix_open opens stays on disk
 * where it would not fit beside what is there. 0: what the machine has free, shared by the processes on it,
 * as at the start unless GRIDBLAS_MEMORY in the environment says a size ("4G"). Vectors are made whatever it
 * says. Grid_memory_budget tells it. The same on every process. Errors: none. Local. */
GrB_Info Grid_memory_limit(uint64_t bytes);
uint64_t Grid_memory_budget(void);

/* The most memory of its GPU that the library takes on this process, objects and work together (the driver's
 * own comes on top); 0: what there is, as at the start unless GRIDBLAS_DEVICE_MEMORY in the environment says
 * a size. A matrix that does not fit stays in host memory (on several processes where a limit is set), and
 * products with vectors fetch what they need of it, page by page; other operations on it are done on the CPU.
 * GrB_OUT_OF_MEMORY comes where vectors do not fit. Matrices that are on the GPU already leave it: on one
 * process as far as more is held there, on several all of them where that is so on any. Grid_device_info
 * tells the peak. The same on every process. Errors: GrB_OUT_OF_MEMORY (of the host's, for a matrix that
 * would leave: the limit is in force nevertheless). Collective.
 */
GrB_Info Grid_device_memory_limit(uint64_t bytes);

/* ---- checkpoints: a computation that goes on after a crash --------------------------------------------- */

/* What a checkpoint holds under a name of 1 to 63 bytes: a vector, a scalar, or `size` bytes of the program's
 * own memory, the same on every process (counters). The two others are NULL. */
typedef struct {
  const char *name;
  GrB_Vector vector;
  GrB_Scalar scalar;
  void *bytes;
  size_t size;
} Grid_Checkpoint_Item;

/* Writes kept[0..n) as they are now, as `step` of a computation, into `folder`, which is made if it is not
 * there and which all processes must see. Returns when they are copied: files are written by a thread
 * meanwhile, one a process, checksummed, each under another name until it is on the disk whole. When all are,
 * which the next call of Grid_checkpoint, _wait or Grid_restore finds out, older steps are removed; so a
 * crash at any moment leaves the last step that was whole. Steps of a computation ascend. Memory: one copy of
 * this process's share. Errors: GrB_INVALID_VALUE (the folder cannot be made or written to; it has this step
 * or a later one of a computation that was not restored here; the step before was not written, with the
 * reason: then this one was not begun, and may be tried again; a name or a number), GrB_NULL_POINTER,
 * GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_checkpoint(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items, uint64_t n);
/* Waits for the files of the last checkpoint. Errors: GrB_INVALID_VALUE (they were not written).
 * Collective. */
GrB_Info Grid_checkpoint_wait(void);
/* The newest whole step in `folder` into kept[0..n), which were made with the types and sizes that they had,
 * and into *step; by any number of processes on any grid. What is damaged is passed over for the step before;
 * Grid_last_error tells of it. Grid_checkpoint goes on in this folder afterwards.
 * Errors: GrB_NO_VALUE (no folder, or no checkpoint there: the computation begins), GrB_INVALID_VALUE (all
 * are damaged, or a name is not there), GrB_DOMAIN_MISMATCH and GrB_DIMENSION_MISMATCH (a type, a size),
 * GrB_NULL_POINTER, GrB_OUT_OF_MEMORY; all of kept is as it was then. Collective. */
GrB_Info Grid_restore(const char *folder, uint64_t *step, const Grid_Checkpoint_Item *items, uint64_t n);

/* ---- graphs from files and generators ------------------------------------------------------------------ */

/* A list of edges, each process with its own share of it (local arrays), and what is needed to speak the
 * file's own vertex names. */
typedef struct {
  uint64_t nrows, ncols; /* dimensions; equal for an edge list and a generated graph */
  uint64_t n;            /* tuples on this process */
  uint64_t total;        /* tuples over all processes, as the file lists them (before mirroring) */
  uint64_t *rows, *cols; /* tuples, 0-based */
  double *values;        /* or NULL: a pattern */
  bool symmetric, skew;  /* Matrix Market storage scheme: only one triangle is listed */
  bool pattern;
  /* ids_count names, those of the vertices from ids_first on: equal shares of nrows, however objects are cut;
   * ascending, but for those of a file of pages made with Grid_BY_DEGREE; NULL: name = index + base */
  uint64_t *ids;
  uint64_t ids_first, ids_count;
  uint64_t base; /* 1 for Matrix Market, else 0 */
  char kind[32]; /* "Matrix Market", "edge list", "R-MAT" */
} Grid_Edges;

/* A format of files. Which there are: docs/formats.md. */
typedef struct {
  const char *name;    /* "matrix-market" */
  const char *endings; /* of files' names, with blanks between them: ".mtx .mm" */
  const char *about;   /* in a line */
} Grid_Format;
/* Format number k = 0, 1, ...; NULL behind the last. Local. */
const Grid_Format *Grid_format(int k);

/* Reads a regular file, the same on every process, each process its share where the format allows; text may
 * be packed by gzip or zstd. The format is told by the file's first bytes or its first line, and by the end
 * of its name where nothing else tells (METIS, Graph500). Matrix Market: coordinate or array; real, integer,
 * pattern; general, symmetric, skew-symmetric (the triangle is listed as stored). Zeros of the array format
 * are no entries. edge list: two ids and an optional weight a line; blanks, tabs or commas; '#' and '%'
 * comments; any 64-bit ids: they are numbered in ascending order. A weight stands on all lines or on none.
 *   DIMACS: arcs with weights, or edges (symmetric). METIS: symmetric; the lower triangle is kept, numbers of
 *     vertices are left aside. Graph500: a pattern, as many vertices as the largest has.
 *   binary matrices (serialized, .npz, Binsparse): their entries; all true is a pattern.
 * Errors: GrB_INVALID_VALUE with "FILE:LINE: what is wrong" or "FILE: what is wrong" in Grid_last_error;
 * GrB_OUT_OF_MEMORY; GrB_NOT_IMPLEMENTED (the library was built without what the format needs). On failure
 * *e is empty. Free with Grid_Edges_free. Collective. */
GrB_Info Grid_read(Grid_Edges *e, const char *path);
/* The same of the format of that name (NULL: told as above). Errors: also GrB_INVALID_VALUE, no such
 * format. */
GrB_Info Grid_read_as(Grid_Edges *e, const char *path, const char *format);
/* Writes the edges as a file, which all processes must be able to reach under this name: each writes its
 * share. format: a name, or NULL: told by the end of the path. Text is packed if the path ends in .gz or
 * .zst. The file has its name once it is complete; one that had it before is replaced. Text can go to a pipe
 * or a device, too, which process 0 opens, and path "-" is its standard output (format NULL: edges).
 *   Text of edges lists them as e does: process by process, an edge that is there twice twice. An edge list
 *   keeps the vertices' names, the others number them. What lists rows (METIS, and all binary matrices) is a
 *   matrix with both triangles, where of several entries at one place the least counts.
 * What a format cannot hold is refused, not left out: weights in Graph500's, weights that are no whole
 * numbers in DIMACS's and METIS's, loops and edges without opposite in METIS's.
 * Errors: GrB_INVALID_VALUE (that; no format has such names; the file cannot be written), GrB_NULL_POINTER,
 * GrB_INDEX_OUT_OF_BOUNDS, GrB_NOT_IMPLEMENTED, GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_write(const Grid_Edges *e, const char *path, const char *format);
/* Removes the files that this process is writing, which do not have their names yet: for a handler of a
 * signal that ends the program. The library's own are listed; a program creates others, up to 16, as mkstemp
 * does, and drops them from the list once they are renamed or removed. Local. */
void Grid_temporary_unlink(void);
int Grid_temporary_create(char *path);
void Grid_temporary_drop(const char *path);

/* What a file of pages holds (docs/formats.md). no_loops: no entry stands on the diagonal; named: its
 * vertices are in order of their degrees, and have names, their own numbers; page_bytes: what is read when
 * all of it is. */
typedef struct {
  uint64_t nrows, ncols, nvals, pages, page_bytes, bytes;
  bool symmetric, no_loops, pattern, named;
} Grid_Pages_Info;
/* Errors: GrB_INVALID_VALUE (no such file, or it is none or damaged), GrB_NULL_POINTER. Collective. */
GrB_Info Grid_pages_info(Grid_Pages_Info *p, const char *path);
/* What Grid_read would give of it, but for tuples: n is 0, total is as many as the matrix has entries. ids
 * are what the vertices of a file made with Grid_BY_DEGREE were called before, for Grid_Edges_find and who
 * tells an answer. Free with Grid_Edges_free. Errors: as above, the names may be damaged, too;
 * GrB_OUT_OF_MEMORY; on failure *e is empty. Collective. */
GrB_Info Grid_Pages_names(Grid_Edges *e, const char *path);
/* A file of pages made of tuples that need not fit the memory (docs/formats.md): what has come is sorted and
 * written beside the file whenever memory is full (Grid_memory_limit; else half of what is free), and merged
 * at the end. No half file ever has its name. */
typedef struct Grid_Pages_Builder_opaque *Grid_Pages_Builder;
/* How it was made: tuples that came (with mirrored ones), sorted runs that were written, bytes of them
 * written and read back; of all processes. */
typedef struct {
  uint64_t tuples, runs, run_bytes;
} Grid_Pages_Build_Stats;
/* Begins a matrix of nrows x ncols, fewer than 2^32 each, a pattern, or with values, FP64; flags as of
 * Grid_Matrix_build, and Grid_BY_DEGREE. `path` is reached by all processes under this name; a file that has
 * it is replaced in the end. Errors: GrB_NULL_POINTER, GrB_INVALID_VALUE (dimensions; Grid_MIRROR or
 * Grid_BY_DEGREE of a matrix that is not square; nothing can be written there), GrB_OUT_OF_MEMORY.
 * Collective. */
GrB_Info Grid_Pages_begin(Grid_Pages_Builder *b, const char *path, uint64_t nrows, uint64_t ncols,
                          bool values, int flags);
/* n tuples more, any, on any process; of several at one place the least value counts. values: NULL of a
 * pattern. Errors: GrB_NULL_POINTER, GrB_INDEX_OUT_OF_BOUNDS (some of those before it count),
 * GrB_OUT_OF_MEMORY, GrB_INVALID_VALUE (the disk is full). Local: hand the outcome to Grid_Pages_end. */
GrB_Info Grid_Pages_append(Grid_Pages_Builder b, const uint64_t *rows, const uint64_t *cols,
                           const double *values, uint64_t n);
/* The end: the file gets its name if `outcome` is GrB_SUCCESS on all processes, else what there is of it
 * goes, and the outcome is what the first of them has. *how (may be NULL). *b = NULL in any case. Errors:
 * GrB_NULL_POINTER, GrB_INVALID_VALUE (it cannot be written), GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_Pages_end(Grid_Pages_Builder *b, GrB_Info outcome, Grid_Pages_Build_Stats *how);
/* The same of a file of any format (NULL: as Grid_read tells), with flags as above, without its values where
 * `pattern`: edge lists with names below 2^32, Matrix Market's coordinates, DIMACS, Graph500 and pages are
 * read segment by segment, all others whole. With Grid_BY_DEGREE vertices keep the names that the file tells
 * or Grid_read counts from its base. *read (may be NULL): what Grid_read would give, but for tuples and
 * names. Errors: as Grid_read and above. Collective. */
GrB_Info Grid_Pages_convert(const char *path, const char *from, const char *format, bool pattern, int flags,
                            Grid_Edges *read, Grid_Pages_Build_Stats *how);
/* *A = the matrix in a file of pages, BOOL (all true) or FP64, in the time of reading the file's tables:
 * where it does not fit the memory (Grid_memory_limit) its rows stay on disk. GrB_mxv and GrB_vxm read what
 * they need of them, and so do single elements, rows and columns; reductions, degrees, apply, select, eWise,
 * transpose, mxm, Kronecker products, extract, assign, resize, serialize, export, and taking tuples out go
 * through it segment by segment, and a result that does not fit goes to a file without a name: beside this
 * one, or in the folders of GRIDBLAS_PAGES_FOLDERS, which a folder that cannot be written to needs. path: a
 * file, or up to 16 with commas between them that were written together (docs/formats.md, "Several disks").
 * Other calls (docs/limits.md) bring all of it to memory first, or give GrB_OUT_OF_MEMORY. The file must stay
 * as it is; every page has a checksum, and a call that finds one wrong gives GrB_INVALID_VALUE. On grids of
 * several columns the file is read once for each, and a process's block, unless it has ample room in memory,
 * written to pages without a name, where those of results go; with a device on all is read to memory. Errors:
 * GrB_INVALID_VALUE (no such file, or it is none or damaged, or pages cannot be written), GrB_NULL_POINTER,
 * GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_Matrix_open(GrB_Matrix *A, const char *path);
/* Bytes of pages that products with A have read on this process since it was opened; 0 where it is in memory.
 * *paged (may be NULL): it is not. Local. */
uint64_t Grid_Matrix_bytes_read(bool *paged, GrB_Matrix A);
/* Bytes of pages that products with A have sent from this process's host memory to its GPU, since A does not
 * fit there (Grid_device_memory_limit); 0 where it does. *all (may be NULL): the bytes of all pages that A's
 * block has been cut into so far, *kept (may be NULL): of those that the GPU keeps now. Local. */
uint64_t Grid_Matrix_bytes_sent(uint64_t *all, uint64_t *items, GrB_Matrix A);
/* R-MAT graph with 2^scale vertices and edgefactor * 2^scale tuples (Graph500 initiator .57 .19 .19 .05,
 * vertex ids scrambled): the same graph for any number of processes. Errors: GrB_INVALID_VALUE (scale not in
 * 1..58, edgefactor 0 or too large), GrB_OUT_OF_MEMORY. Collective. */
GrB_Info Grid_rmat(Grid_Edges *e, int scale, uint64_t edgefactor, uint64_t seed);
/* The same graph as a pattern in A (2^scale x 2^scale and empty), as Grid_Matrix_build makes it of those
 * tuples with `flags`: the same matrix on any device and any number of processes, but no process holds
 * all tuples. Each generates a share, with Grid_CUDA on its GPU, and sends the entries of others' blocks
 * there. gridblas_rmat.h has the tuples one by one. Errors: as Grid_rmat and Grid_Matrix_build;
 * GrB_DIMENSION_MISMATCH. Collective. */
GrB_Info Grid_Matrix_rmat(GrB_Matrix A, int scale, uint64_t edgefactor, uint64_t seed, int flags);
void Grid_Edges_free(Grid_Edges *e);
/* Index of the vertex that the file calls `name`: GrB_SUCCESS, or GrB_NO_VALUE when there is none.
 * Collective. */
GrB_Info Grid_Edges_find(uint64_t *index, const Grid_Edges *e, uint64_t name);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
