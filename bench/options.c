/* The command line, by argp. It is read silently and the outcome told later: until the grid shape is known
 * the library isn't started, and until then nobody knows which process is to speak. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program.h"

enum {
  KEY_DEPTH = 256,
  KEY_DELEGATES,
  KEY_DEVICE,
  KEY_DIRECTED,
  KEY_DIRECTION,
  KEY_EDGEFACTOR,
  KEY_GRID,
  KEY_JSON,
  KEY_LEVELS,
  KEY_OUT,
  KEY_REPEAT,
  KEY_ROOTS,
  KEY_SCALE,
  KEY_SEED,
  KEY_SKIP,
  KEY_SOURCE,
  KEY_CHECK,
  KEY_THREADS,
  KEY_VERBOSE
};

/* What a parser works on. */
typedef struct {
  options *o;
  bool takes_graph, help;
  char *why;
  size_t room;
} reading;

static error_t wrong(struct argp_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));
static error_t wrong(struct argp_state *state, const char *format, ...) {
  reading *r = state->input;
  va_list args;
  va_start(args, format);
  if (r->why[0] == '\0') vsnprintf(r->why, r->room, format, args);
  va_end(args);
  return EINVAL;
}

/* The whole text as a number of at most `most`. */
static bool number(uint64_t *v, const char *text, uint64_t most) {
  char *end;
  if (!isdigit((unsigned char)text[0])) return false;
  errno = 0;
  *v = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0' && *v <= most;
}

static bool grid_shape(options *o, const char *text) {
  uint64_t R, C;
  char rows[16];
  const char *x = strpbrk(text, "xX");
  if (x == NULL || (size_t)(x - text) >= sizeof rows) return false;
  memcpy(rows, text, (size_t)(x - text));
  rows[x - text] = '\0';
  if (!number(&R, rows, 1 << 20) || !number(&C, x + 1, 1 << 20) || R == 0 || C == 0) return false;
  o->R = (int)R, o->C = (int)C;
  return true;
}

static bool one_of(int32_t *v, const char *text, const char *const names[], const int32_t values[]) {
  for (int k = 0; names[k] != NULL; k++)
    if (strcmp(text, names[k]) == 0) return *v = values[k], true;
  return false;
}

static const char *const devices[] = {"cpu", "cuda", NULL};
static const int32_t device_values[] = {Grid_CPU, Grid_CUDA};

static error_t parse(int key, char *arg, struct argp_state *state) {
  static const char *const delegates[] = {"auto", "off", NULL}, *const directions[] = {"auto", "push", "pull",
                                                                                       NULL};
  static const int32_t delegate_values[] = {Grid_DELEGATES_AUTO, Grid_DELEGATES_OFF};
  static const int32_t direction_values[] = {Grid_DIRECTION_AUTO, Grid_DIRECTION_PUSH, Grid_DIRECTION_PULL};
  reading *r = state->input;
  options *o = r->o;
  uint64_t v;

  switch (key) {
    case ARGP_KEY_INIT:
      if (state->child_inputs != NULL) state->child_inputs[0] = state->input;
      return 0;
    case 'h':
      r->help = true;
      return 0;
    case KEY_CHECK:
      o->check = true;
      return 0;
    case KEY_DIRECTED:
      o->directed = true;
      return 0;
    case KEY_VERBOSE:
      o->verbose = true;
      return 0;
    case KEY_LEVELS:
      o->levels = true;
      return 0;
    case KEY_REPEAT:
      return number(&o->repeat, arg, 1 << 20) && o->repeat > 0
                 ? 0
                 : wrong(state, "--repeat %s: a number from 1 to 1048576", arg);
    case KEY_SKIP:
      o->skip_validation = true;
      return 0;
    case KEY_OUT:
      o->out = arg;
      return 0;
    case KEY_JSON:
      o->json = arg;
      return 0;
    case KEY_SOURCE:
      o->has_source = true;
      return number(&o->source, arg, UINT64_MAX) ? 0 : wrong(state, "--source %s: a vertex is a number", arg);
    case KEY_DEPTH:
      if (!number(&v, arg, INT32_MAX))
        return wrong(state, "--depth %s: the limit is a number of levels", arg);
      o->depth = (int64_t)v;
      return 0;
    case KEY_GRID:
      return grid_shape(o, arg) ? 0 : wrong(state, "--grid %s: the shape is ROWSxCOLUMNS, as 2x3", arg);
    case KEY_DELEGATES:
      if (one_of(&o->delegates, arg, delegates, delegate_values)) return 0;
      if (!number(&v, arg, INT32_MAX))
        return wrong(state, "--delegates %s: auto, off or a number of entries", arg);
      o->delegates = (int32_t)v;
      return 0;
    case KEY_DIRECTION:
      return one_of(&o->direction, arg, directions, direction_values)
                 ? 0
                 : wrong(state, "--direction %s: auto, push or pull", arg);
    case KEY_DEVICE:
      return one_of(&o->device, arg, devices, device_values) ? 0
                                                             : wrong(state, "--device %s: cpu or cuda", arg);
    case KEY_THREADS:
      if (!number(&v, arg, 4096) || v == 0) return wrong(state, "--threads %s: a number from 1 to 4096", arg);
      o->threads = (int)v;
      return 0;
    case KEY_SCALE:
      if (!number(&v, arg, 58) || v == 0) return wrong(state, "--scale %s: a number from 1 to 58", arg);
      o->scale = (int)v;
      return 0;
    case KEY_EDGEFACTOR:
      return number(&o->edgefactor, arg, 1 << 20) && o->edgefactor > 0
                 ? 0
                 : wrong(state, "--edgefactor %s: a number from 1 to 1048576", arg);
    case KEY_ROOTS:
      return number(&o->roots, arg, 1 << 20) && o->roots > 0
                 ? 0
                 : wrong(state, "--roots %s: a number from 1 to 1048576", arg);
    case KEY_SEED:
      return number(&o->seed, arg, UINT64_MAX) ? 0 : wrong(state, "--seed %s: a number", arg);
    case ARGP_KEY_ARG:
      if (!r->takes_graph) return wrong(state, "'%s': graph500 takes options only", arg);
      if (o->graph != NULL) return wrong(state, "'%s': one graph at a time, please", arg);
      o->graph = arg;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* The options of all commands. */
static const struct argp_option common_options[] = {
    {NULL, 0, NULL, 0, "Distribution and method:", 2},
    {"grid", KEY_GRID, "RxC", 0,
     "Shape of the process grid, rows x columns (default: C the largest divisor of P with 4 C C <= P)", 2},
    {"delegates", KEY_DELEGATES, "WHICH", 0,
     "Vertices held apart as delegates: those with more than this many entries; off, or auto, which is off "
     "until a rule pays (auto)",
     2},
    {"direction", KEY_DIRECTION, "WAY", 0,
     "Products by push, by pull, or auto: chosen by counted work (auto)", 2},
    {"threads", KEY_THREADS, "N", 0, "Threads of each process (OMP_NUM_THREADS, else the cores shared out)",
     2},
    {"device", KEY_DEVICE, "DEVICE", 0, "cpu, or cuda: one GPU a process (GRIDBLAS_DEVICE, else cpu)", 2},
    {NULL, 0, NULL, 0, "Report:", 3},
    {"json", KEY_JSON, "FILE", 0, "Also write the results as JSON to FILE (-: standard output)", 3},
    {"help", 'h', NULL, 0, "Show this help", 4},
    {0}};

static const struct argp_option bfs_options[] = {
    {NULL, 0, NULL, 0, "The search:", 1},
    {"source", KEY_SOURCE, "V", 0, "Start at vertex V, as the file names it (the vertex with the most edges)",
     1},
    {"depth", KEY_DEPTH, "N", 0, "Go no deeper than N levels", 1},
    {"directed", KEY_DIRECTED, NULL, 0, "Follow edges one way only (default: every edge counts both ways)",
     1},
    {"repeat", KEY_REPEAT, "N", 0, "Search N times and tell the median time (1)", 1},
    {"out", KEY_OUT, "FILE", 0,
     "Write a line `vertex level parent` for every vertex reached (-: standard output)", 3},
    {"check", KEY_CHECK, NULL, 0,
     "Check the tree by the five Graph500 rules, and the levels against SuiteSparse:GraphBLAS on process 0",
     3},
    {"verbose", KEY_VERBOSE, NULL, 0,
     "Show every level: direction, formats, entries looked at, bytes sent, milliseconds; and what the device "
     "left to the CPU",
     3},
    {0}};

static const struct argp_option graph500_options[] = {
    {NULL, 0, NULL, 0, "The benchmark:", 1},
    {"scale", KEY_SCALE, "S", 0, "The graph has 2^S vertices (required)", 1},
    {"edgefactor", KEY_EDGEFACTOR, "E", 0, "and E * 2^S edges (16)", 1},
    {"roots", KEY_ROOTS, "N", 0, "Number of searches, each from another vertex (64)", 1},
    {"seed", KEY_SEED, "N", 0, "Of the graph and of the search keys (1)", 1},
    {"levels", KEY_LEVELS, NULL, 0, "Ask every search for levels too, not for parents alone", 1},
    {"skip-validation", KEY_SKIP, NULL, 0, "Don't validate the trees", 1},
    {"check", KEY_CHECK, NULL, 0, "Also compare every search with SuiteSparse:GraphBLAS on process 0", 3},
    {"verbose", KEY_VERBOSE, NULL, 0,
     "Show every search, every level of the first one, and what the device left to the CPU, on standard "
     "error",
     3},
    {0}};

static const struct argp_option info_options[] = {
    {NULL, 0, NULL, 0, "The graph:", 1},
    {"directed", KEY_DIRECTED, NULL, 0, "Edges count one way only (default: every edge counts both ways)", 1},
    {0}};

static const struct argp common = {common_options, parse, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child children[] = {{&common, 0, NULL, 0}, {0}};

#define GRAPH_HELP                                                                                      \
  "\vGRAPH is a file (Matrix Market, or an edge list of two ids a line; plain or gzip) or a generated " \
  "graph: rmat:SCALE[:EDGEFACTOR[:SEED]] with 2^SCALE vertices, path:N or mesh:ROWSxCOLUMNS. Start it " \
  "under mpirun to share the work among processes. "                                                    \
  "Exit status: 0, 1 when a check fails, 2 for bad usage or input."

/* One row a command. */
static const struct {
  const char *name;
  struct argp argp;
  bool takes_graph;
} commands[] = {
    [COMMAND_BFS] =
        {"bfs",
         {bfs_options, parse, "GRAPH",
          "Breadth-first search: levels and parents of the vertices that can be reached from one." GRAPH_HELP,
          children, NULL, NULL},
         true},
    [COMMAND_GRAPH500] = {"graph500",
                          {graph500_options, parse, NULL,
                           "The Graph500 benchmark: builds an R-MAT graph (kernel 1), searches it from many "
                           "vertices (kernel 2), "
                           "validates every tree and prints the official results.\vExit status: 0, 1 when a "
                           "check fails, 2 for "
                           "bad usage or input.",
                           children, NULL, NULL},
                          false},
    [COMMAND_INFO] = {"info",
                      {info_options, parse, "GRAPH",
                       "What a graph is like, and how it is stored. With --device cuda and no graph: the "
                       "GPUs, what an R-MAT "
                       "graph of each scale needs there, and what fits." GRAPH_HELP,
                       children, NULL, NULL},
                      true},
};

static const char usage[] =
    "Usage: gridblas COMMAND [OPTION...]\n"
    "       mpirun -n P gridblas COMMAND [OPTION...]\n"
    "Searches in graphs by sparse matrix products, in one process or on a grid of them.\n"
    "\n"
    "  gridblas bfs GRAPH                breadth-first search: levels, parents, speed\n"
    "  gridblas graph500 --scale S       the Graph500 benchmark, validated\n"
    "  gridblas info GRAPH               what a graph is like, and how it is stored\n"
    "  gridblas info --device cuda       the GPUs, and the graphs that fit them\n"
    "  gridblas COMMAND --help           all options of a command\n"
    "  gridblas --version\n"
    "\n"
    "GRAPH is a file (Matrix Market, or an edge list of two ids a line; plain or gzip)\n"
    "or a generated graph rmat:SCALE[:EDGEFACTOR[:SEED]], path:N or mesh:ROWSxCOLUMNS.\n"
    "For example:\n"
    "\n"
    "  gridblas info rmat:16\n"
    "  gridblas bfs friends.txt --source 42 --out levels.txt --check\n"
    "  mpirun -n 4 gridblas graph500 --scale 20\n"
    "\n"
    "Exit status: 0, 1 when a check fails, 2 for bad usage or input.\n";

void options_help(command about, FILE *f) {
  char name[32];
  if (about == COMMAND_NONE) {
    fputs(usage, f);
    return;
  }
  snprintf(name, sizeof name, "gridblas %s", commands[about].name);
  argp_help(&commands[about].argp, f, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
}

/* Whether `name` (of `length` characters) is an option of the table or the beginning of one; *takes: it wants
 * a value. */
static bool known_in(const struct argp_option *table, const char *name, size_t length, bool *takes) {
  for (; table->name != NULL || table->key != 0 || table->doc != NULL; table++)
    if (table->name != NULL && strncmp(table->name, name, length) == 0) {
      *takes = table->arg != NULL;
      return true;
    }
  return false;
}

/* argp is told to be silent, so what it stumbled over is found out here. */
static void explain(char *why, size_t room, command c, int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    bool takes = false;
    if (argv[k][0] != '-' || argv[k][1] == '\0') continue;
    const char *name = argv[k] + 2, *equals = strchr(argv[k], '=');
    const size_t length = argv[k][1] != '-' ? 0 : equals != NULL ? (size_t)(equals - name) : strlen(name);
    if (length == 0 || !(known_in(commands[c].argp.options, name, length, &takes) ||
                         known_in(common_options, name, length, &takes))) {
      snprintf(why, room, "unknown option %s (see gridblas %s --help)", argv[k], commands[c].name);
      return;
    }
    if (takes && equals == NULL && ++k == argc) {
      snprintf(why, room, "option %s wants a value (see gridblas %s --help)", argv[k - 1], commands[c].name);
      return;
    }
    if (!takes && equals != NULL) {
      snprintf(why, room, "option %s takes no value (see gridblas %s --help)", argv[k], commands[c].name);
      return;
    }
  }
  snprintf(why, room, "bad usage (see gridblas %s --help)", commands[c].name);
}

/* What no single option shows. */
static void check_together(char *why, size_t room, command c, const options *o) {
  if (c == COMMAND_GRAPH500 && o->scale == 0)
    snprintf(why, room, "graph500 needs --scale S (see gridblas graph500 --help)");
  else if (commands[c].takes_graph && o->graph == NULL && !(c == COMMAND_INFO && o->device == Grid_CUDA))
    snprintf(why, room, "%s needs a graph: a file or rmat:SCALE (see gridblas %s --help)", commands[c].name,
             commands[c].name);
  else if (o->out != NULL && o->json != NULL && strcmp(o->out, o->json) == 0)
    snprintf(why, room, "--out and --json can't both go to %s", o->out);
  else if (o->check && o->skip_validation)
    snprintf(why, room, "--check and --skip-validation don't go together");
}

command options_read(options *o, int argc, char **argv, command *about, const char **why) {
  static char text[1000];
  *o = (options){.depth = -1,
                 .delegates = Grid_DELEGATES_AUTO,
                 .direction = Grid_DIRECTION_AUTO,
                 .device = Grid_CPU,
                 .repeat = 1,
                 .edgefactor = 16,
                 .roots = 64,
                 .seed = 1};
  *about = COMMAND_NONE;
  *why = text;
  text[0] = '\0';

  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
    return COMMAND_HELP;
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return COMMAND_VERSION;
  command c = COMMAND_NONE;
  for (command k = COMMAND_BFS; k <= COMMAND_INFO; k++)
    if (strcmp(name, commands[k].name) == 0) c = k;
  if (c == COMMAND_NONE) {
    if (name[0] == '\0')
      snprintf(text, sizeof text, "a command is missing: bfs, graph500 or info (see gridblas --help)");
    else
      snprintf(text, sizeof text,
               "unknown command '%.200s': there are bfs, graph500 and info (see gridblas --help)", name);
    return COMMAND_NONE;
  }

  const char *device = getenv("GRIDBLAS_DEVICE");
  if (device != NULL && device[0] != '\0' && !one_of(&o->device, device, devices, device_values)) {
    snprintf(text, sizeof text, "GRIDBLAS_DEVICE is \"%.40s\", neither cpu nor cuda", device);
    return COMMAND_NONE;
  }

  reading r = {o, commands[c].takes_graph, false, text, sizeof text};
  struct argp argp = commands[c].argp;
  const error_t e =
      argp_parse(&argp, argc - 1, argv + 1, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &r);
  if (r.help) {
    *about = c;
    return COMMAND_HELP;
  }
  if (e != 0 && text[0] == '\0') explain(text, sizeof text, c, argc - 1, argv + 1);
  if (e == 0) check_together(text, sizeof text, c, o);
  return text[0] == '\0' ? c : COMMAND_NONE;
}
