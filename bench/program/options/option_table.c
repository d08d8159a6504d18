/* See option_table.h. */
#include "bench/program/options/option_table.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static bool number(uint64_t *v, const char *text, uint64_t most) {
  char *end;
  if (!isdigit((unsigned char)text[0])) return false;
  errno = 0;
  const unsigned long long x = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0' || x > most) return false;
  *v = x;
  return true;
}

static bool real(double *v, const char *text, double low, double high) {
  char *end;
  errno = 0;
  *v = strtod(text, &end);
  return end != text && *end == '\0' && errno == 0 && *v >= low && *v <= high;
}

static bool grid_shape(options *o, const char *text) {
  char rows[16];
  const char *x = strpbrk(text, "xX");
  uint64_t R, C;
  if (strcmp(text, "auto") == 0) return o->R = o->C = 0, true;
  if (x == NULL || (size_t)(x - text) >= sizeof rows) return false;
  memcpy(rows, text, (size_t)(x - text));
  rows[x - text] = '\0';
  if (!number(&R, rows, 1 << 20) || !number(&C, x + 1, 1 << 20) || R == 0 || C == 0) return false;
  o->R = (int)R, o->C = (int)C;
  return true;
}

bool options_next_source(uint64_t *source, const char **list) {
  char *end;
  if (!isdigit((unsigned char)**list)) return false;
  errno = 0;
  *source = strtoull(*list, &end, 10);
  if (errno != 0 || (*end != '\0' && *end != ',')) return false;
  *list = *end == ',' ? end + 1 : end;
  return true;
}

static bool source_list(options *o, const char *text) {
  uint64_t v;
  const char *left = text;
  o->sources = text;
  while (options_next_source(&v, &left)) {
  }
  return *left == '\0' && left != text && left[-1] != ',';
}

/* "15,10,all" */
static bool fanout_list(options *o, const char *text) {
  char word[24];
  for (o->nfanouts = 0; o->nfanouts < MOST_FANOUTS; text++) {
    uint64_t fanout = 0;
    const size_t n = strcspn(text, ",");
    if (n >= sizeof word) return false;
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    const bool all = strcmp(word, "all") == 0;
    if (!all && !number(&fanout, word, INT64_MAX)) return false;
    o->fanouts[o->nfanouts++] = all ? -1 : (int64_t)fanout;
    text += n;
    if (*text == '\0') return true;
  }
  return false;
}

static bool delegates(options *o, const char *text) {
  uint64_t v;
  if (strcmp(text, "auto") == 0) return o->delegates = Grid_DELEGATES_AUTO, true;
  if (strcmp(text, "off") == 0) return o->delegates = Grid_DELEGATES_OFF, true;
  if (!number(&v, text, INT32_MAX)) return false;
  o->delegates = (int32_t)v;
  return true;
}

/* SECONDS,BYTES */
static bool network(options *o, const char *text) {
  char seconds[32];
  const char *comma = strchr(text, ',');
  if (comma == NULL || (size_t)(comma - text) >= sizeof seconds) return false;
  memcpy(seconds, text, (size_t)(comma - text));
  seconds[comma - text] = '\0';
  char bytes[40];
  const char *second = comma + 1, *rate = strchr(second, ',');
  if (rate == NULL) return real(&o->latency, seconds, 0, 3600) && real(&o->bandwidth, second, 1, HUGE_VAL);
  snprintf(bytes, sizeof bytes, "%.*s", (int)(rate - second), second);
  return real(&o->latency, seconds, 0, 3600) && real(&o->bandwidth, bytes, 1, HUGE_VAL) &&
         real(&o->inspected_rate, rate + 1, 1, HUGE_VAL);
}

static bool one_source(options *o, const char *text) {
  o->has_source = true;
  return number(&o->source, text, UINT64_MAX);
}

static bool progress_when(options *o, const char *text) {
  uint64_t seconds;
  if (strcmp(text, "auto") == 0) return o->progress = PROGRESS_AUTO, true;
  if (strcmp(text, "off") == 0) return o->progress = PROGRESS_OFF, true;
  if (!number(&seconds, text, 86400)) return false;
  o->progress = (int32_t)seconds;
  return true;
}

/* Words and their values. */
struct option_choice {
  const char *word;
  int32_t value;
};
static const option_choice directions[] = {
    {"auto", Grid_DIRECTION_AUTO}, {"push", Grid_DIRECTION_PUSH}, {"pull", Grid_DIRECTION_PULL}, {NULL, 0}};
static const option_choice devices[] = {{"cpu", Grid_CPU}, {"cuda", Grid_CUDA}, {NULL, 0}}; /* and cuda:1 */
static const option_choice balances[] = {{"even", BALANCE_EVEN},
                                         {"entries", BALANCE_ENTRIES},
                                         {"searches", BALANCE_SEARCHES},
                                         {"rounds", BALANCE_ROUNDS},
                                         {NULL, 0}};
static const option_choice orders[] = {{"metis", Grid_ORDER_METIS},
                                       {"rcm", Grid_ORDER_RCM},
                                       {"degree", Grid_ORDER_DEGREE},
                                       {"random", Grid_ORDER_RANDOM},
                                       {NULL, 0}};
static const option_choice duplicates[] = {
    {"min", 0}, {"max", Grid_DUP_MAX}, {"plus", Grid_DUP_PLUS}, {"times", Grid_DUP_TIMES}, {NULL, 0}};
static const option_choice measures[] = {{"common", Grid_SIMILARITY_COMMON},
                                         {"jaccard", Grid_SIMILARITY_JACCARD},
                                         {"sorensen", Grid_SIMILARITY_SORENSEN},
                                         {"overlap", Grid_SIMILARITY_OVERLAP},
                                         {"cosine", Grid_SIMILARITY_COSINE},
                                         {"adamic-adar", Grid_SIMILARITY_ADAMIC_ADAR},
                                         {"resource-allocation", Grid_SIMILARITY_RESOURCE_ALLOCATION},
                                         {NULL, 0}};
static const option_choice weights[] = {{"file", WEIGHTS_FILE}, {"hash", WEIGHTS_HASH}, {NULL, 0}};
static const option_choice weights_or_ones[] = {
    {"file", WEIGHTS_FILE}, {"hash", WEIGHTS_HASH}, {"ones", WEIGHTS_ONES}, {NULL, 0}};

static bool one_of(int32_t *v, const char *text, const option_choice *c) {
  for (; c->word != NULL; c++)
    if (strcmp(text, c->word) == 0) return *v = c->value, true;
  return false;
}

bool option_store_device(options *o, const char *text) {
  const int device = Grid_device_of(text);
  if (device >= 0) o->device = device;
  return device >= 0;
}

/* ---- the table ---- */

#define FIELD(f) .at = offsetof(options, f)

const option_row option_rows[] = {
    /* the task */
    {NEEDS_GRAPH, THE_TASK, "from", "FORMAT",
     "The format of the graph's file (default: detected from its first bytes or line, or its name's ending)",
     TEXT, FIELD(from)},
    {OPT_OUTPUT, THE_TASK, "to", "FORMAT",
     "The format to write (default: by the ending of OUT; edges where OUT is -)", TEXT, FIELD(to)},
    {OPT_CONVERT, THE_TASK, "undirected", NULL,
     "Every edge counts in both directions: a symmetric matrix; of parallel edges the lightest is kept", FLAG,
     FIELD(undirected)},
    {OPT_CONVERT, THE_TASK, "no-loops", NULL, "Drop edges from a vertex to itself", FLAG, FIELD(no_loops)},
    {OPT_CONVERT, THE_TASK, "pattern", NULL, "Drop the weights", FLAG, FIELD(pattern)},
    {OPT_CONVERT, THE_TASK, "by-degree", NULL,
     "For pages: renumber the vertices in order of degree, and store their names for input and output: fewer "
     "bytes, faster products",
     FLAG, FIELD(by_degree)},
    {OPT_CONVERT, THE_TASK, "duplicates", "OP",
     "For pages: the weight of an edge that is listed several times: min, max, plus or times (min)", CHOICE,
     FIELD(duplicates), .choices = duplicates, .wants = "min, max, plus or times"},
    {OPT_ORDER, THE_TASK, "method", "METHOD",
     "How vertices are ordered: metis: parts with few edges between them; rcm: reverse Cuthill-McKee, "
     "neighbors get near numbers; degree: those with most edges first; random: by --seed (metis)",
     CHOICE, FIELD(order), .choices = orders, .wants = "metis, rcm, degree or random"},
    {OPT_ANSWER, METHOD, "order", "METHOD",
     "Renumber the vertices first, and give each process a part: metis, rcm, degree or random, as by "
     "gridblas "
     "order; input and output keep the names of vertices (as they are read)",
     CHOICE, FIELD(order), .choices = orders, .wants = "metis, rcm, degree or random"},
    {OPT_ORDER, THE_TASK, "parts", "N", "Number of parts (that of the processes, 16 at least)", COUNT64,
     FIELD(parts), .least = 1, .most = 1 << 24, .wants = "a number from 1 to 16777216"},
    {OPT_ORDER, THE_TASK, "numbers", "FILE",
     "Write a line `vertex number` for each vertex: its name in GRAPH, and its number in OUT, from 0 on "
     "(OUT.numbers; none where OUT is -)",
     TEXT, FIELD(numbers)},
    {OPT_SOURCE, THE_TASK, "source", "V",
     "Start at vertex V, by its name in the file (the vertex with the most edges)", OTHER, .read = one_source,
     .wants = "a vertex is a whole number from 0 to 2^64 - 1"},
    {OPT_SOURCES, THE_TASK, "sources", "V,V...", "The sources, by their names in the file", OTHER,
     .read = source_list, .wants = "vertices are numbers with commas between them"},
    {OPT_SOURCES, THE_TASK, "samples", "N", "Instead of --sources: N random vertices that have edges",
     COUNT64, FIELD(samples), .least = 1, .most = 1 << 16, .wants = "a number from 1 to 65536"},
    {OPT_DEPTH, THE_TASK, "depth", "N", "Stop after N levels", SIGNED64, FIELD(depth), .most = INT32_MAX,
     .wants = "a number of levels, from 0 on"},
    {OPT_DIRECTED, THE_TASK, "directed", NULL,
     "Edges are directed (default: every edge counts in both directions)", FLAG, FIELD(directed)},
    {OPT_STRONG, THE_TASK, "strong", NULL,
     "Strongly connected components, of vertices that reach each other along directed edges: --directed is "
     "implied",
     FLAG, FIELD(strong)},
    {OPT_WEIGHTS, THE_TASK, "weights", "FROM",
     "Weights of the edges: file (of parallel edges the lightest counts), or hash: integers from 1 to 255 "
     "computed from the two vertices (file where the file has weights, else hash)",
     CHOICE, FIELD(weights), .choices = weights, .wants = "file or hash"},
    {OPT_ONES, THE_TASK, "weights", "FROM",
     "Weights of the edges: file (of parallel edges the lightest counts), hash: integers from 1 to 255 "
     "computed from the two vertices, or ones: all count 1 (file where the file has weights, else ones)",
     CHOICE, FIELD(weights), .choices = weights_or_ones, .wants = "file, hash or ones"},
    {OPT_RIGHT, THE_TASK, "right", "FILE",
     "The right side: a line `vertex number` for each vertex that has not 0 (1 at every vertex)", TEXT,
     FIELD(values)},
    {OPT_RIGHT, THE_TASK, "laplacian", "X",
     "Instead of the matrix: the graph's Laplacian plus X, above 0, on the diagonal", REAL, FIELD(laplacian),
     .low = 1e-300, .high = 1e300, .wants = "a number above 0"},
    {OPT_ATTRIBUTE, THE_TASK, "values", "FILE",
     "Compare numbers of the vertices instead of degrees: a line `vertex number` for each vertex with an "
     "edge",
     TEXT, FIELD(values)},
    {OPT_ATTRIBUTE, THE_TASK, "labels", "FILE",
     "Compare labels of the vertices, whole numbers: a line `vertex label` for every vertex", TEXT,
     FIELD(labels)},
    {OPT_COMMUNITIES, THE_TASK, "communities", "FILE",
     "The communities, whole numbers: a line `vertex community` for every vertex, as louvain --out writes "
     "them (required)",
     TEXT, FIELD(labels)},
    {OPT_FANOUTS, THE_TASK, "fanouts", "K,K...",
     "For each hop the most neighbors that are drawn of a vertex: a number or all (15,10,5)", OTHER,
     .read = fanout_list, .wants = "up to 64 numbers, or the word all, with commas between them"},
    {OPT_WALKS, THE_TASK, "length", "N", "The most steps of a walk (80)", COUNT64, FIELD(length),
     .most = INT32_MAX, .wants = "a number from 0 to 2147483647"},
    {OPT_WALKS, THE_TASK, "p", "X",
     "node2vec: a return to the vertex before counts 1 / X (1); from 1e-6 to 1e6", REAL, FIELD(p),
     .low = 1e-6, .high = 1e6, .wants = "a number from 1e-6 to 1e6"},
    {OPT_WALKS, THE_TASK, "q", "X",
     "node2vec: a step to a vertex that is no neighbor of the one before counts 1 / X (1); from 1e-6 to 1e6",
     REAL, FIELD(q), .low = 1e-6, .high = 1e6, .wants = "a number from 1e-6 to 1e6"},
    {OPT_PAGERANK, THE_TASK, "damping", "D", "Links are followed with this probability (0.85)", REAL,
     FIELD(damping), .low = 0, .high = 1, .wants = "a number from 0 to 1"},
    {OPT_PAGERANK | OPT_CHANGE, THE_TASK, "tolerance", "X",
     "Stop when an iteration changes the values by less than this in sum; 0: after --iterations (1e-6)", REAL,
     FIELD(tolerance), .low = 0, .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_ALPHA, THE_TASK, "alpha", "X",
     "Factor of each edge of a walk (half the inverse of the largest sum of weights into a vertex)", REAL,
     FIELD(alpha), .low = 0, .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_EPSILON, THE_TASK, "epsilon", "X",
     "The largest error of the answer, of its share of all pairs of vertices (0.05)", REAL, FIELD(epsilon),
     .low = 1e-9, .high = 1, .wants = "a number above 0 and at most 1"},
    {OPT_EPSILON, THE_TASK, "failure", "P", "... but with this probability (0.1)", REAL, FIELD(failure),
     .low = 1e-300, .high = 0.999999, .wants = "a number between 0 and 1"},
    {OPT_RESOLUTION, THE_TASK, "resolution", "X", "A larger one makes smaller communities (1)", REAL,
     FIELD(resolution), .low = 0, .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_INFLATION, THE_TASK, "inflation", "X",
     "A larger one, above 1 and at most 100, makes smaller clusters (2)", REAL, FIELD(inflation),
     .low = 1.000001, .high = 100, .wants = "a number above 1 and at most 100"},
    {OPT_MEASURE, THE_TASK, "measure", "NAME",
     "What is measured: common, jaccard, sorensen, overlap, cosine, adamic-adar or resource-allocation "
     "(jaccard)",
     CHOICE, FIELD(measure), .choices = measures,
     .wants = "common, jaccard, sorensen, overlap, cosine, adamic-adar or resource-allocation"},
    {OPT_MEASURE, THE_TASK, "pairs", "FILE",
     "Only these pairs: a line `vertex vertex` for each (all with a common neighbor)", TEXT, FIELD(pairs)},
    {OPT_MEASURE, THE_TASK, "top", "K", "Only the K most similar vertices of each vertex (all)", SIGNED64,
     FIELD(top), .least = 1, .most = INT64_MAX, .wants = "a number from 1 on"},
    {OPT_TOLERANCE, THE_TASK, "tolerance", "X",
     "Stop when an iteration changes no value by more than this (1e-6)", REAL, FIELD(tolerance), .low = 0,
     .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_RESIDUAL, THE_TASK, "tolerance", "X", "Stop when the relative residual is no more than this (1e-6)",
     REAL, FIELD(tolerance), .low = 0, .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_PAGERANK, THE_TASK, "gap-variant", NULL,
     "The variant of the GAP benchmark: the rank of vertices without out-links is lost", FLAG, FIELD(plain)},
    {OPT_FP32, THE_TASK, "fp32", NULL, "Compute in single precision", FLAG, FIELD(fp32)},
    {OPT_DELTA, THE_TASK, "delta", "X",
     "Width of the first buckets of distances that are settled together (default: the mean weight over the "
     "mean degree; on a GPU no limit, so one bucket)",
     REAL, FIELD(delta), .low = 0, .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_K, THE_TASK, "k", "K",
     "Edges of a truss are in K - 2 triangles or more; cliques have K vertices (3)", SIGNED64, FIELD(k),
     .least = 3, .most = INT64_MAX, .wants = "a number from 3 on"},
    {OPT_PAIRS, THE_TASK, "k", "K", "The number of values and vectors, or all that there are (3)", SIGNED64,
     FIELD(k), .least = 1, .most = MOST_FACTORS, .wants = "a number from 1 to 64"},
    {OPT_FACTORS, THE_TASK, "factors", "K", "Numbers for each row and column (16)", COUNT64, FIELD(factors),
     .least = 1, .most = MOST_FACTORS, .wants = "a number from 1 to 64"},
    {OPT_FACTORS, THE_TASK, "lambda", "X", "Weight of the regularization of the factors (0.01)", REAL,
     FIELD(lambda), .low = 0, .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_RATE, THE_TASK, "rate", "X",
     "Length of a step (default: from the largest sum of weights of a vertex)", REAL, FIELD(rate), .low = 0,
     .high = HUGE_VAL, .wants = "a number, 0 or more"},
    {OPT_ITERATIONS, THE_TASK, "iterations", "N", "Do no more than N iterations (100)", COUNT64,
     FIELD(iterations), .most = 1 << 30, .wants = "a number from 0 to 1073741824"},
    {OPT_CHECKPOINTS, METHOD, "checkpoint", "DIR",
     "Store the state of the iteration in DIR, and continue from the state stored there", TEXT,
     FIELD(checkpoint)},
    {OPT_CHECKPOINTS, METHOD, "every", "N", "With --checkpoint: store it every N iterations (10)", COUNT64,
     FIELD(every), .least = 1, .most = 1 << 30, .wants = "a number from 1 to 1073741824"},
    {OPT_GRAPH500, THE_TASK, "scale", "S", "The graph has 2^S vertices (required)", COUNT32, FIELD(scale),
     .least = 1, .most = 58, .wants = "a number from 1 to 58"},
    {OPT_GRAPH500, THE_TASK, "edgefactor", "E", "The graph has E * 2^S edges (16)", COUNT64,
     FIELD(edgefactor), .least = 1, .most = 1 << 20, .wants = "a number from 1 to 1048576"},
    {OPT_GRAPH500, THE_TASK, "roots", "N", "Number of searches, each from another vertex (64)", COUNT64,
     FIELD(roots), .least = 1, .most = 1 << 20, .wants = "a number from 1 to 1048576"},
    {OPT_GRAPH500, THE_TASK, "levels", NULL, "Compute levels in every search, in addition to parents", FLAG,
     FIELD(levels)},
    {OPT_GRAPH500, THE_TASK, "sssp", NULL,
     "Kernel 3 instead of kernel 2: shortest paths with random edge weights from 0 to 1", FLAG, FIELD(sssp)},
    {OPT_GRAPH500, THE_TASK, "skip-validation", NULL, "Don't validate the trees", FLAG,
     FIELD(skip_validation)},
    {OPT_GRAPH500 | OPT_SEED | OPT_SOURCES, THE_TASK, "seed", "N", "Seed of all random numbers (1)", COUNT64,
     FIELD(seed), .most = UINT64_MAX, .wants = "a whole number from 0 to 2^64 - 1"},
    {OPT_ANSWER | OPT_REPEAT, THE_TASK, "repeat", "N", "Run it N times and print the median time (1)",
     COUNT64, FIELD(repeat), .least = 1, .most = 1 << 20, .wants = "a number from 1 to 1048576"},
    {OPT_PLAN, THE_TASK, "processes", "P",
     "Plan for P processes (the present ones; 16 if there is one and no --check)", COUNT32, FIELD(processes),
     .least = 1, .most = 1 << 20, .wants = "a number from 1 to 1048576"},
    {OPT_PLAN, THE_TASK, "network", "S,B[,E]",
     "A call of all processes takes S seconds, each receives B bytes and inspects E entries a second "
     "(2e-5,1e9, and E as measured)",
     OTHER, .read = network, .wants = "seconds, bytes and entries a second, as 2e-5,1e9 or 2e-5,1e9,4e8"},
    {OPT_PLAN, THE_TASK, "from-degrees", NULL,
     "Predict the levels from the expected degrees of rmat:SCALE, which is not made and may have any "
     "size",
     FLAG, FIELD(from_degrees)},
    /* distribution and method */
    {OPT_ANSWER | OPT_GRAPH500 | OPT_BUILD, METHOD, "grid", "RxC",
     "Shape of the process grid, rows x columns; auto: by a cost model of the command's searches or products "
     "(see gridblas plan); on GPUs, and for graphs on disk, 1 column up to 16 processes, above that C is the "
     "largest divisor of P with 4 C C <= P (auto)",
     OTHER, .read = grid_shape, .wants = "the shape is ROWSxCOLUMNS, as 2x3, or auto"},
    {OPT_ANSWER | OPT_GRAPH500 | OPT_BUILD, METHOD, "delegates", "WHICH",
     "Vertices with more than this many entries become delegates; off; or auto, which decides by a cost "
     "model "
     "(auto)",
     OTHER, .read = delegates, .wants = "auto, off or a number of entries"},
    {OPT_ANSWER | OPT_GRAPH500 | OPT_BALANCE, METHOD, "balance", "WHAT",
     "What the partition balances: vertices (even); the cost of a product over all entries (entries) or of a "
     "search (searches), where the maximum would be more than a tenth above the mean; or the measured times "
     "of PageRank's rounds, where moving pays (rounds) (even)",
     CHOICE, FIELD(balance), .choices = balances, .wants = "even, entries, searches or rounds"},
    {OPT_ANSWER | OPT_GRAPH500 | OPT_DIRECTION, METHOD, "direction", "MODE",
     "Products by push, by pull, or auto: by the predicted number of inspected entries (auto)", CHOICE,
     FIELD(direction), .choices = directions, .wants = "auto, push or pull"},
    {0, METHOD, "threads", "N",
     "Threads of each process (OMP_NUM_THREADS, else the cores divided by the processes)", COUNT32,
     FIELD(threads), .least = 1, .most = 4096, .wants = "a number from 1 to 4096"},
    {NEEDS_GRAPH, METHOD, "memory", "SIZE",
     "Bytes that each process may use, such as 4G: a graph in a page file stays on disk if it does not fit "
     "(GRIDBLAS_MEMORY, else the free memory)",
     TEXT, FIELD(memory)},
    {OPT_ANSWER | OPT_GRAPH500 | OPT_BUILD, METHOD, "device-memory", "SIZE",
     "Bytes of its GPU that each process may use, such as 4G: a graph that does not fit stays in host "
     "memory, "
     "and products fetch its pages (GRIDBLAS_DEVICE_MEMORY, else the free memory)",
     TEXT, FIELD(device_memory)},
    {OPT_ANSWER | OPT_GRAPH500 | OPT_BUILD, METHOD, "device", "DEVICE",
     "cpu, cuda: one GPU a process, or cuda:1 and the like: the GPU of that number (GRIDBLAS_DEVICE, else "
     "cpu)",
     OTHER, .read = option_store_device, .choices = devices,
     .wants = "cpu, cuda, or cuda:1 with the number of a GPU"},
    /* the report */
    {OPT_ANSWER, REPORT, "out", "FILE", "" /* made by make_option_table */, TEXT, FIELD(out)},
    {OPT_RESULTS, REPORT, "out", "FILE",
     "Write the page here, and its plots next to it (report.html; -: only the page, to standard output)",
     TEXT, FIELD(out)},
    {OPT_ANSWER | OPT_GRAPH500, REPORT, "check", NULL,
     "Check the result against an independent computation (searches: SuiteSparse:GraphBLAS) on process 0",
     FLAG, FIELD(check)},
    {OPT_PLAN, REPORT, "check", NULL,
     "Count the bytes and inspected entries of a search on the current grid, and fail where the plan is off "
     "by "
     "more than 30 percent",
     FLAG, FIELD(check)},
    {OPT_ANSWER | OPT_GRAPH500, REPORT, "verbose", NULL,
     "Print every product with a vector: direction, formats, inspected entries, bytes sent, milliseconds; "
     "and "
     "the operations that fell back to the CPU",
     FLAG, FIELD(verbose)},
    {OPT_PLAN, REPORT, "verbose", NULL, "Print all predicted numbers of each layout, a line for each", FLAG,
     FIELD(verbose)},
    {0, REPORT, "progress", "WHEN",
     "Print progress on standard error, in percent: auto: on a terminal, also that of mpirun; off; or N: a "
     "line every N seconds, also in a file (auto)",
     OTHER, .read = progress_when, .wants = "auto, off or a number of seconds up to 86400"},
    {0, REPORT, "json", "FILE", "Also write the results as JSON to FILE (-: standard output)", TEXT,
     FIELD(json)},
};

const int option_row_count = (int)(sizeof option_rows / sizeof *option_rows);
_Static_assert(sizeof option_rows / sizeof *option_rows <= MOST_OPTIONS, "what callers have memory for");

/* ---- its rows ---- */

bool option_store(options *o, const option_row *r, const char *text) {
  char *field = (char *)o + r->at;
  uint64_t v = 0;
  switch (r->kind) {
    case FLAG:
      *(bool *)field = true;
      return true;
    case TEXT:
      *(const char **)field = text;
      return true;
    case REAL:
      return real((double *)(void *)field, text, r->low, r->high);
    case CHOICE:
      return one_of((int32_t *)field, text, r->choices);
    case OTHER:
      return r->read(o, text);
    default:
      if (!number(&v, text, r->most) || v < r->least) return false;
  }
  if (r->kind == COUNT64) *(uint64_t *)field = v;
  if (r->kind == SIGNED64) *(int64_t *)field = (int64_t)v;
  if (r->kind == COUNT32) *(int *)field = (int)v;
  return true;
}

void option_words(char *text, size_t capacity, const option_row *r) {
  size_t used = 0;
  text[0] = '\0';
  if (strcmp(r->name, "delegates") == 0 || strcmp(r->name, "progress") == 0)
    snprintf(text, capacity, "auto off");
  if (r->choices != NULL)
    for (const option_choice *c = r->choices; c->word != NULL && used < capacity; c++)
      used += (size_t)snprintf(text + used, capacity - used, "%s%s", used ? " " : "", c->word);
  if (r->arg != NULL && strcmp(r->arg, "FORMAT") == 0)
    for (int k = 0; Grid_format(k) != NULL && used < capacity; k++)
      used += (size_t)snprintf(text + used, capacity - used, "%s%s", used ? " " : "", Grid_format(k)->name);
}
