/* The common declarations of the program `gridblas`. Every function that returns an int is collective and
 * returns the exit status, the same on every process: 0, or an error that process 0 has already printed. */
#ifndef GRID_PROGRAM_H
#define GRID_PROGRAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/program/graph/grid_choice.h"
#include "gridblas.h"
#include "gridblas_algos.h"
#include "gridblas_rmat.h"

enum { STATUS_OK = 0, STATUS_CHECK = 1, STATUS_INPUT = 2 };

/* ---- options (option_table.c lists them, options.c parses them) ---- */

/* The weights of the edges (weights.c). */
enum { BALANCE_EVEN, BALANCE_ENTRIES, BALANCE_SEARCHES, BALANCE_ROUNDS };
enum { WEIGHTS_DEFAULT, WEIGHTS_FILE, WEIGHTS_HASH, WEIGHTS_UNIT, WEIGHTS_ONES };

enum { ORDER_AS_READ = -1 };
enum { PROGRESS_AUTO = -1, PROGRESS_OFF = -2 };
enum { MOST_RESULTS = 64, MOST_FANOUTS = 64 };
typedef struct {
  const char *graph;     /* a file, or the name of a generated graph (generate.c) */
  const char *from, *to; /* file formats; NULL: detected from the name or the content */
  bool undirected, no_loops, pattern, by_degree; /* convert */
  int32_t duplicates;                            /* convert: 0 or Grid_DUP_... */
  int32_t order;                                 /* Grid_ORDER_..., ORDER_AS_READ */
  uint64_t parts;                                /* of an order; 0: the command's choice */
  const char *numbers;                           /* a file for the new numbers; NULL: the command's choice */
  bool has_source, directed, check, verbose, skip_validation;
  bool levels;         /* graph500: searches compute levels too */
  bool sssp;           /* graph500: kernel 3 */
  uint64_t repeat;     /* number of runs, of which the median time is reported */
  uint64_t source;     /* in the file's own ids */
  const char *sources; /* comma-separated ids, checked; NULL: none */
  uint64_t samples;    /* that many random sources; 0: not given */
  int64_t depth;       /* search no deeper; -1: no limit */
  bool weighted;       /* the command needs weights */
  bool ones;           /* ... where a graph without weights counts each edge as 1 */
  bool loops;          /* the command needs loops */
  bool ratings;        /* the graph is a matrix that need not be square */
  int32_t weights;     /* WEIGHTS_... */
  const char *out, *json;
  int R, C;                  /* 0, 0: chosen for the command's work */
  int32_t work;              /* WORK_... of the command */
  int32_t delegates;         /* Grid_DELEGATES_AUTO, _OFF or a threshold */
  int32_t direction;         /* Grid_DIRECTION_... */
  int32_t balance;           /* BALANCE_... */
  int32_t progress;          /* PROGRESS_..., or seconds between lines */
  int32_t device;            /* Grid_CPU, Grid_CUDA or Grid_GPU(k): --device, else GRIDBLAS_DEVICE */
  int threads;               /* 0: the library's choice */
  const char *memory;        /* of each process, a size for GrB_set; NULL: the library's choice */
  const char *device_memory; /* ... of its GPU's */
  int scale;                 /* graph500 */
  uint64_t edgefactor, roots, seed;
  double damping, tolerance;     /* pagerank */
  double epsilon, failure;       /* betweenness-sampled */
  double resolution;             /* louvain */
  double inflation;              /* markov-clustering */
  int32_t measure;               /* similarity: Grid_SIMILARITY_... */
  int64_t top;                   /* similarity: pairs of each vertex; 0: all */
  const char *pairs;             /* similarity: a file of pairs, or NULL: all */
  double alpha;                  /* katz; 0: the command's choice */
  uint64_t iterations;           /* at most so many */
  bool plain;                    /* pagerank */
  bool fp32;                     /* OPT_FP32 */
  double delta;                  /* sssp; 0: the library's choice */
  bool strong;                   /* components */
  int64_t k;                     /* ktruss, clique-count */
  const char *values;            /* a file of numbers of vertices: --values, --right; NULL: none */
  const char *labels;            /* ... of labels: --labels, --communities */
  double laplacian;              /* conjugate-gradient: the shift; 0: the matrix itself */
  int64_t fanouts[MOST_FANOUTS]; /* neighbor-sample */
  uint64_t nfanouts;
  uint64_t length; /* random-walks */
  double p, q;
  uint64_t factors;                 /* factors */
  double rate, lambda;              /* factors; rate 0: the library's choice */
  const char *checkpoint;           /* a folder; NULL: none */
  uint64_t every;                   /* ... one every so many iterations; 0: not given */
  int processes;                    /* plan; 0: those that there are */
  const char *result[MOST_RESULTS]; /* report: files */
  int results;
  double latency, bandwidth, inspected_rate; /* plan: seconds, bytes and entries a second; 0: not given */
  bool from_degrees;                         /* plan: the graph is not made */
} options;

/* Which options a command takes in addition to those that all take: those of its graph and report, and its
 * own. Every one has an effect (tests/option_effects.py). Sets of 64 bits. */
#define OPTION_BIT(k)  (UINT64_C(1) << (k))
#define OPT_DIRECTED   OPTION_BIT(0)
#define OPT_ANSWER     OPTION_BIT(1) /* --out, --check, --verbose, --repeat, --order, and all of a matrix */
#define OPT_SOURCE     OPTION_BIT(2)
#define OPT_SOURCES    OPTION_BIT(3) /* --sources, --samples, --seed */
#define OPT_DEPTH      OPTION_BIT(4)
#define OPT_WEIGHTS    OPTION_BIT(5)
#define OPT_GRAPH500   OPTION_BIT(6)
#define OPT_SEED       OPTION_BIT(7)
#define OPT_ITERATIONS OPTION_BIT(8)
#define OPT_PAGERANK   OPTION_BIT(9)
#define OPT_DELTA      OPTION_BIT(10)
#define NEEDS_SOURCES  OPTION_BIT(11) /* OPT_SOURCES, and some must be given */
#define OPT_STRONG     OPTION_BIT(12)
#define OPT_K          OPTION_BIT(13)
#define OPT_FACTORS                                                                      \
  OPTION_BIT(14) /* --factors, --lambda; the graph is a matrix of ratings, square or not \
                  */
#define OPT_RATE        OPTION_BIT(15)
#define OPT_TOLERANCE   OPTION_BIT(16) /* --tolerance of the largest change */
#define OPT_PLAN        OPTION_BIT(17) /* --processes, --network, --check */
#define OPT_GRAPH       OPTION_BIT(18) /* a graph is the first argument; OPT_ANSWER has it, too */
#define OPT_OUTPUT      OPTION_BIT(19) /* a second argument, the file to write; --to */
#define OPT_CHECKPOINTS OPTION_BIT(20)
#define OPT_REPEAT      OPTION_BIT(21) /* OPT_ANSWER has it, too */
#define OPT_CONVERT     OPTION_BIT(22) /* --undirected, and what is dropped */
#define OPT_ORDER       OPTION_BIT(23) /* --method, --parts, --numbers */
#define OPT_RESULTS                                                                       \
  OPTION_BIT(24) /* files of results, --out; and none of the options that all others take \
                  */
#define OPT_WORD       OPTION_BIT(25) /* one word, stored in result[]; no option but --help */
#define OPT_CHANGE     OPTION_BIT(26) /* --tolerance of the sum of changes; OPT_PAGERANK has it, too */
#define OPT_ALPHA      OPTION_BIT(27)
#define OPT_MEASURE    OPTION_BIT(28) /* --measure, --top, --pairs */
#define OPT_RESOLUTION OPTION_BIT(29)
#define OPT_INFLATION  OPTION_BIT(30)
#define OPT_EPSILON    OPTION_BIT(31) /* --epsilon, --failure */
#define OPT_MATRIX \
  OPTION_BIT(32) /* the graph is a matrix of any shape: loops count, edges have a direction */
#define OPT_LOOPS       OPTION_BIT(33) /* ... a square, symmetric matrix: loops count */
#define OPT_ONES        OPTION_BIT(34) /* --weights, where edges without weights count 1; not with OPT_WEIGHTS */
#define OPT_PAIRS       OPTION_BIT(35) /* --k of eigenvalues and singular values */
#define OPT_RESIDUAL    OPTION_BIT(36) /* --tolerance of the residual */
#define OPT_RIGHT       OPTION_BIT(37) /* --right, --laplacian */
#define OPT_ATTRIBUTE   OPTION_BIT(38) /* --values, --labels of the vertices */
#define OPT_COMMUNITIES OPTION_BIT(39) /* --communities, which must be given */
#define OPT_FANOUTS     OPTION_BIT(40)
#define OPT_WALKS       OPTION_BIT(41) /* --length, --p, --q */
#define OPT_BUILD       OPTION_BIT(42) /* the matrix is built: --grid, --delegates, --device, --device-memory */
#define OPT_BALANCE     OPTION_BIT(43) /* ... and its partition may be changed: --balance */
#define OPT_DIRECTION   OPTION_BIT(44) /* ... and is multiplied with vectors: --direction */
#define OPT_FP32        OPTION_BIT(45)

#define NEEDS_GRAPH (OPT_GRAPH | OPT_ANSWER)

/* A command: one row of the table in bench/command/commands.c. */
typedef struct command {
  const char *name;
  const char *example; /* its example in the program's help */
  const char *summary; /* its one-line description there */
  const char *about;   /* the first lines of its own help */
  const char *answer;  /* what --out writes: "`vertex level` for every vertex reached"; NULL: no --out */
  uint64_t accepts;
  int work; /* WORK_...: its main kind of work, by which its grid is chosen */
  int (*run)(const struct command *c, const options *o); /* NULL: that of an algorithm */
} command;

typedef enum { READ_WRONG, READ_COMMAND, READ_HELP, READ_VERSION } outcome;

/* Parses the command line, local and silent: the library starts only when the grid shape is known. *chosen:
 * the command of `all` (ended by NULL); NULL: none. READ_WRONG: bad usage, with the reason in *why (static).
 * READ_HELP: of *chosen, or the program's. */
outcome options_read(options *o, const command **chosen, const char **why, const command *const *all,
                     int argc, char **argv);
/* Prints a command's help (NULL: the program's). */
void options_help(const command *about, const command *const *all, FILE *f);
/* The same as data, for manual pages and completion: one line for each option. `words`: its possible values,
 * separated by spaces, or "". */
typedef struct {
  const char *name, *arg, *doc, *group, *words;
} option_line;
/* At most `most` of them into line[], valid until the next call; *after: the text after the options. */
int options_list(option_line *line, int most, const char **after, const command *c);
/* The arguments of a command besides options: "GRAPH OUT". */
const char *options_arguments(const command *c);
/* The next of a list of sources, past which *list is advanced; false: no more. */
bool options_next_source(uint64_t *source, const char **list);

/* ---- messages (progress_report.c) ---- */

/* Process 0 prints "gridblas: ..." on stderr; returns `status`. Local. */
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a failed library call: `doing` and the library's error text. */
int fail_library(const char *doing);
/* fail on every process if `why` is not NULL on any one (local), with the text of the lowest-numbered such
 * process; "" is not printed. */
int fail_on_any(int status, const char *why);

/* When progress is printed: an option's value. Local. */
void progress_set_interval(int32_t when);
/* The current step, and its progress as the library reports it (Grid_progress), on stderr: on a terminal
 * after a second, or in lines. NULL: none. Local, process 0 prints it. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for task k of n, counted from 0: the percentages are of all n. */
void progress_of(uint64_t k, uint64_t n, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Seconds since some point in time, local; and the slowest process's time since `start`, collective. */
double clock_now(void);
double clock_slowest(double start);

/* ---- files written (result_file.c) ---- */

/* SIGHUP, SIGINT and SIGTERM remove incomplete files before they end the program (interrupt.c). */
void interrupt_install(void);

/* A file that appears under its name only when it is complete. Only process 0 opens it. */
typedef struct {
  FILE *f; /* NULL on other processes, or when there is none */
  char *path, *temp;
} output;

/* Where a report is printed: standard error if the result or the JSON goes to standard output. */
FILE *output_report_stream(const options *o);
/* Opens a temporary file in the folder of `path` ("-": stdout; NULL: no file). */
int output_open(output *o, const char *path);
/* Flushes the printed output; an error is stored for output_error. Local. */
void output_flush(FILE *f);
/* The error of the last write (errno), in a line; "" if the reader of standard output has ended. Local. */
const char *output_error(const output *o);
/* Renames it to its name. */
int output_commit(output *o);
/* Closes and removes it unless committed. Local. */
void output_discard(output *o);

/* ---- the device (device_option.c) ---- */

#define GIB 1073741824.0
typedef struct report report;
/* Turns on the device that the options select. */
int device_choose(const options *o);
/* Its name, memory and fallbacks into r. */
int device_report(report *r);
/* The measured costs of messages, if any, into r. Local. */
void network_report(report *r);
/* Process 0's GPU, and its fallbacks to the CPU; nothing on the CPU. Local. */
void device_print(FILE *f);

/* ---- the graph (load_graph.c) ---- */

/* What an order of the vertices did (renumber_graph.h). */
typedef struct {
  uint64_t parts;
  GrB_Index *first;      /* of each part; NULL: the vertices are as they were read */
  uint64_t entries, cut; /* of the matrix; between parts */
  double load,
      seconds; /* largest over mean number of entries of a part; time without renumbering the tuples */
} graph_ordering;

typedef struct {
  Grid_Edges edges; /* read tuples.h for its tuples */
  bool owns_arrays; /* its arrays are the program's, not the library's */
  bool owns_ids;    /* ... and so are the names */
  graph_ordering ordering;
  /* the tuples are not stored but generated again when needed; in_segments: only if possible; renumbered:
   * they are stored */
  bool regenerated, in_segments, renumbered;
  Grid_Rmat rmat;
  uint64_t edgefactor, seed;
  uint64_t first_tuple;               /* R-MAT: the number of this process's first */
  bool weighted, drawn;               /* A has weights; they are hashed, not read */
  bool unit;                          /* hashed to 0..1 for each tuple of a generated graph */
  GrB_Matrix A;                       /* without loops, a pattern unless weighted; ready after graph_build */
  GrB_Vector out_degree, in_degree;   /* in_degree: directed only */
  uint64_t n;                         /* vertices */
  bool loops;                         /* loops count, and entries are counted, not edges */
  bool ratings;                       /* a matrix of any shape; edges have a direction */
  uint64_t ncols;                     /* n, except for such a matrix */
  uint64_t nvals;                     /* entries of A */
  bool directed;                      /* edges have a direction */
  const char *pages;                  /* the file that A was opened from, or NULL */
  int32_t delegates;                  /* the setting of A: --delegates, or what the model says for auto */
  Grid_Repartition balance;           /* with --balance entries or searches */
  double read_seconds, build_seconds; /* regenerated: the build includes the generation */
} graph;

int graph_read(graph *g, const options *o);
/* Only its tuples, of a matrix of any shape. */
int graph_read_any(graph *g, const options *o);
/* Parses up to three numbers of a generated graph's name, each after a mark (the first of `marks` for the
 * first), into v, which holds the defaults. Returns how many there are, -1 for anything else. */
int graph_name_numbers(uint64_t v[3], const char *text, const char *marks);
/* The tuples of a generated graph; not *known: o->graph names no such graph (generate.c). And frees them. */
int graph_generate(graph *g, const options *o, bool *known);
void graph_drop_tuples(graph *g);
/* Frees only the tuples themselves; their number and the vertices' names remain. */
void graph_drop_arrays(graph *g);
int graph_build(graph *g, const options *o);
/* The library settings among the options, once it has started. Prints an error. */
int library_settings(const options *o);
/* Where the options leave the grid to the program: restarts the library on the shape that suits the command's
 * work and the graph. The graph's tuples have been read (not of a graph on disk). Sets g->delegates. On GPUs
 * the shape stays; with --verbose, it prints which number of them is predicted to be faster. There must be no
 * object yet. */
int shape_choose(graph *g, const options *o);
/* The times of reading, building and balancing. */
void graph_report(report *r, const graph *g, const options *o);
void graph_close(graph *g);
/* The weight of tuple k of this process, with these vertices. Local. */
double graph_weight(const graph *g, uint64_t k, uint64_t from, uint64_t to);
/* The number of undirected or directed edges, as in the summary. */
uint64_t graph_edges(const graph *g);
/* The file's name of a vertex. */
int graph_name(uint64_t *name, const graph *g, uint64_t vertex);
/* Names of the vertices that this process needs: name[k] of vertex[k] (local arrays, any length). */
int graph_names(uint64_t *name, const uint64_t *vertex, uint64_t count, const graph *g);
/* The source of a search: --source, which must be a vertex with an edge, or the vertex with the most edges
 * (*chosen). */
int graph_source(uint64_t *source, bool *chosen, const graph *g, const options *o);

/* ---- gathering (gather_result.c) ---- */
/* This process's entries of v, in arrays that the caller frees; at or value NULL: not needed. size: of a
 * value. All processes fail alike; no_memory: the error text. */
GrB_Info local_entries(uint64_t **at, void **value, size_t size, uint64_t *count, GrB_Vector v,
                       const char *no_memory);

/* A vector as a dense array of n entries on every process, -1 where it has none. */
int gather_int64(int64_t *dense, GrB_Vector v, uint64_t n);
int gather_int32(int32_t *dense, GrB_Vector v, uint64_t n);
/* The same of a double vector, NaN where it has no entry. */
int gather_fp64(double *dense, GrB_Vector v, uint64_t n);
/* All tuples on process 0 (malloc'ed; NULL elsewhere); *total is their number. weights (NULL: not needed) as
 * by graph_weight. */
int gather_tuples(uint64_t **rows, uint64_t **cols, double **weights, uint64_t *total, const graph *g);

/* ---- the result as text (answer.c) ---- */

/* One value of a line: entries of a vector of any predefined type, with the same pattern for all columns. */
typedef struct {
  const char *name;
  bool vertices; /* they are vertices, written by their names in the file */
  GrB_Vector v;
} column;
/* `vertex value ...`, each process its entries, in the order of the processes; process 0 writes. */
int answer_write(output *out, const column *columns, int count, const graph *g);
/* A matrix's entries as `row column value`, in no particular order, both vertices; where source is not NULL,
 * as `source row value`, column k being the vertex source[k]. */
int answer_write_matrix(output *out, GrB_Matrix A, const uint64_t *source, const graph *g);
/* The rows of an FP64 matrix of at most MOST_FACTORS columns as `head vertex value ...`, 0 where there is no
 * entry; head NULL: without it. */
enum { MOST_FACTORS = 64 };
int answer_write_rows(output *out, const char *head, GrB_Matrix F, const graph *g);
/* The rows of an INT64 matrix of vertices, which have entries in their first columns, as lists of names. */
int answer_write_lists(output *out, GrB_Matrix A, const graph *g);

/* ---- results (report.c) ---- */

/* Named results in order, printed as `key: value` lines or written as one JSON object. Stored on process 0
 * only; on others the functions do nothing. */
report *report_new(void);
void report_free(report *r);
void report_count(report *r, const char *key, uint64_t value);
void report_number(report *r, const char *key, double value);
void report_text(report *r, const char *key, const char *value);
void report_flag(report *r, const char *key, bool value);
/* Only in the JSON object. */
void report_numbers(report *r, const char *key, const double *value, uint64_t n);
void report_counts(report *r, const char *key, const uint64_t *value, uint64_t n);
/* Appends an object of n named counts to the list `key`. */
void report_row(report *r, const char *key, int n, const char *const *names, const uint64_t *values);
/* A value of each step, for a plot: "series". Only in the JSON object. */
void report_series(report *r, const char *value_name, const char *step_name, const double *value, uint64_t n);
/* A small graph with values of vertices or edges, for a picture: "drawing". Only in the JSON object. */
typedef struct {
  const char *colour; /* what the values are */
  bool directed;
  uint64_t vertices, edges, *name, *from, *to;
  double *weight;               /* of the edges, or NULL */
  uint64_t columns, *source;    /* pictures side by side; NULL or the name of each one's source */
  double *value;                /* columns x vertices, NaN: none; NULL: edges have values */
  uint64_t entries, *row, *col; /* a result that has values of edges */
  double *entry;
} drawing;
void report_drawing(report *r, const drawing *d);
/* Appends to the list "fallbacks". */
void report_fallback(report *r, const char *what, uint64_t times);
void report_print(const report *r, FILE *f);
/* Process 0 writes the JSON object into o. */
int report_json(const report *r, output *o);

/* The products of a search, one for each level, recorded while tracing is on. */
typedef struct {
  Grid_Product *level;
  uint64_t count, capacity;
  bool lost; /* out of memory for some */
} trace;
void trace_start(trace *t);
void trace_stop(trace *t);
void trace_print(const trace *t, FILE *f);
void trace_report(const trace *t, report *r);
void trace_free(trace *t);

/* ---- a command that describes a graph (describe.c) ---- */

/* A report, passed to `describe` with a graph that it reads, then printed as the options say; all is freed.
 */
int graph_described(const options *o, int (*describe)(report *r, graph *g, const options *o));

#endif
