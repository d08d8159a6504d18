/* The command line, by argp, from the table of options (option_table.h), of which each command takes those
 * that its row names. It is parsed silently and errors are printed later: the library starts only when the
 * grid shape is known, and until then no process knows its rank. */
#include <argp.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program/options/nearest.h"
#include "bench/program/options/option_errors.h"
#include "bench/program/options/option_table.h"

enum { FIRST_KEY = 256 };

/* ---- parsing ---- */

/* The state of a parser. */
typedef struct {
  options *o;
  const command *c;
  bool help;
  char *why;
  size_t capacity;
} reading;

static error_t fail_option(struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static error_t fail_option(struct argp_state *state, const char *format, ...) {
  reading *r = state->input;
  va_list args;
  va_start(args, format);
  if (r->why[0] == '\0') vsnprintf(r->why, r->capacity, format, args);
  va_end(args);
  return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  reading *r = state->input;
  const char *hint = "";
  if (key == 'h') {
    r->help = true;
    return 0;
  }
  if (key == 'o' && (r->c->accepts & (OPT_RESULTS | OPT_ANSWER))) {
    r->o->out = arg;
    return 0;
  }
  if (key == ARGP_KEY_ARG) {
    if (r->c->accepts & (OPT_RESULTS | OPT_WORD)) {
      if ((r->c->accepts & OPT_WORD) && r->o->results == 1)
        return fail_option(state, "'%s': only one word is accepted", arg);
      if (r->o->results == MOST_RESULTS)
        return fail_option(state, "'%s': %d results at most", arg, MOST_RESULTS);
      r->o->result[r->o->results++] = arg;
      return 0;
    }
    if (!(r->c->accepts & NEEDS_GRAPH))
      return fail_option(state, "'%s': %s takes options only", arg, r->c->name);
    if (r->o->graph == NULL) {
      r->o->graph = arg;
    } else if ((r->c->accepts & OPT_OUTPUT) && r->o->out == NULL) {
      r->o->out = arg;
    } else {
      return fail_option(state, "'%s': only one graph is accepted", arg);
    }
    return 0;
  }
  if (key < FIRST_KEY || key >= FIRST_KEY + option_row_count) return ARGP_ERR_UNKNOWN;
  const option_row *option = &option_rows[key - FIRST_KEY];
  if (option->arg != NULL && strcmp(option->arg, "FORMAT") == 0 && !nearest_format(arg, &hint))
    return fail_option(state, "--%s %s: there is no such format%s (see gridblas convert --help)",
                       option->name, arg, hint);
  return option_store(r->o, option, arg)
             ? 0
             : fail_option(state, "--%s %s: %s", option->name, arg, option->wants);
}

/* The options of one command, in argp's form. */
typedef struct {
  struct argp_option option[MOST_OPTIONS + 6];
  char doc[4000], out[200], formats[1500];
  struct argp argp;
} option_table;

static const char graph_help[] =
    "\vGRAPH is a file (an edge list with two ids and optionally a weight a line, Matrix Market, or another "
    "format that gridblas convert --help lists; text plain, gzip or zstd) or a generated graph: "
    "rmat:SCALE[:EDGEFACTOR[:SEED]] with 2^SCALE vertices, rmat-plain:... (vertices of high degree first), "
    "web:SCALE... (pages and links, hundreds of levels), path:N or mesh:ROWSxCOLUMNS. Start it under mpirun "
    "to distribute the work over processes.";

/* The formats, with their names' endings. */
static const char *list_formats(option_table *m) {
  size_t used = (size_t)snprintf(m->formats, sizeof m->formats, "\n\nFormats:\n");
  for (int k = 0; Grid_format(k) != NULL && used < sizeof m->formats; k++) {
    const Grid_Format *f = Grid_format(k);
    used += (size_t)snprintf(m->formats + used, sizeof m->formats - used, "  %s (%s): %s\n", f->name,
                             f->endings, f->about);
  }
  if (used < sizeof m->formats) snprintf(m->formats + used, sizeof m->formats - used, "\n");
  return m->formats;
}

const char *options_arguments(const command *c) {
  if (c->accepts & OPT_WORD) return strcmp(c->name, "completion") == 0 ? "bash|zsh" : "[COMMAND]";
  if (c->accepts & OPT_RESULTS) return "RESULT.json...";
  return c->accepts & OPT_OUTPUT ? "GRAPH OUT" : (c->accepts & NEEDS_GRAPH) ? "GRAPH" : "";
}

static void make_option_table(option_table *m, const command *c) {
  static const char *const headings[] = {NULL, "The task:", "Distribution and method:", "Report:"};
  const uint64_t accepts = c->accepts;
  bool headed[LAST + 1] = {false};
  struct argp_option *at = m->option;
  memset(m, 0, sizeof *m);
  for (int k = 0; k < option_row_count; k++) {
    const option_row *r = &option_rows[k];
    if ((r->accepts != 0 || (accepts & (OPT_RESULTS | OPT_WORD))) && (r->accepts & accepts) == 0) continue;
    if (c->answer != NULL && strcmp(r->name, "out") == 0)
      snprintf(m->out, sizeof m->out, "Write a line %s (-: standard output)", c->answer);
    if (r->group < LAST && !headed[r->group])
      *at++ = (struct argp_option){.doc = headings[r->group], .group = r->group};
    headed[r->group] = true;
    *at++ = (struct argp_option){.name = r->name,
                                 .key = FIRST_KEY + k,
                                 .arg = r->arg,
                                 .group = r->group,
                                 .doc = r->doc[0] == '\0' ? m->out : r->doc};
  }
  if (accepts & (OPT_RESULTS | OPT_ANSWER))
    *at++ = (struct argp_option){.key = 'o', .arg = "FILE", .group = REPORT, .doc = "The same as --out"};
  *at++ = (struct argp_option){.name = "help", .key = 'h', .doc = "Show this help", .group = LAST};
  snprintf(m->doc, sizeof m->doc, "%s%s%sExit status: 0, 1 when a check fails, 2 for bad usage or input.",
           c->about, (accepts & NEEDS_GRAPH) ? graph_help : "\v",
           (accepts & OPT_OUTPUT)    ? list_formats(m)
           : (accepts & NEEDS_GRAPH) ? " "
                                     : "");
  m->argp = (struct argp){m->option, parse, *options_arguments(c) ? options_arguments(c) : NULL, m->doc, NULL,
                          NULL,      NULL};
}

/* ---- the table as data ---- */

int options_list(option_line *line, int most, const char **after, const command *c) {
  static option_table m;
  static char words[MOST_OPTIONS][200];
  const char *group = NULL;
  int n = 0;
  make_option_table(&m, c);
  for (const struct argp_option *p = m.option; (p->name || p->key || p->doc) && n < most; p++) {
    if (p->name == NULL) continue;
    const int k = p->key - FIRST_KEY;
    for (const struct argp_option *h = m.option; h < p; h++)
      if (h->name == NULL && h->doc != NULL && h->group == p->group) group = h->doc;
    if (k >= 0) option_words(words[k], sizeof words[k], &option_rows[k]);
    line[n++] =
        (option_line){p->name, p->arg, p->doc, p->group == LAST ? NULL : group, k >= 0 ? words[k] : ""};
  }
  *after = strchr(m.doc, '\v') ? strchr(m.doc, '\v') + 1 : "";
  return n;
}

/* ---- help ---- */

static void program_help(const command *const *all, FILE *f) {
  fputs(
      "Usage: gridblas COMMAND [OPTION...]\n"
      "       mpirun -n P gridblas COMMAND [OPTION...]\n"
      "Algorithms on graphs by sparse matrix products, in one process or on a grid of them.\n"
      "\n"
      "Algorithms:\n",
      f);
  for (bool algorithms = true; *all != NULL; all++) {
    if (algorithms && !((*all)->accepts & OPT_ANSWER)) algorithms = false, fputs("\nOther commands:\n", f);
    fprintf(f, "  gridblas %-35s %s\n", (*all)->example, (*all)->summary);
  }
  fputs(
      "  gridblas info --device cuda                  the GPUs, and the graphs that fit them\n"
      "  gridblas COMMAND --help                      all options of a command\n"
      "  gridblas --version\n"
      "\n"
      "GRAPH is a file (an edge list of two ids and perhaps a weight a line, Matrix Market, or another "
      "format\n"
      "that gridblas convert --help lists; text plain, gzip or zstd) or a generated graph\n"
      "rmat:SCALE[:EDGEFACTOR[:SEED]], rmat-plain:..., web:..., path:N or mesh:ROWSxCOLUMNS.\n"
      "For example:\n"
      "\n"
      "  gridblas info rmat:16\n"
      "  gridblas bfs friends.txt --source 42 --out levels.txt --check\n"
      "  gridblas pagerank friends.txt --directed --out ranks.txt\n"
      "  gridblas convert friends.txt friends.mtx.gz\n"
      "  mpirun -n 4 gridblas graph500 --scale 20\n"
      "\n"
      "Exit status: 0, 1 when a check fails, 2 for bad usage or input.\n",
      f);
}

void options_help(const command *about, const command *const *all, FILE *f) {
  char name[48];
  option_table m;
  if (about == NULL) {
    program_help(all, f);
    return;
  }
  make_option_table(&m, about);
  snprintf(name, sizeof name, "gridblas %s", about->name);
  argp_help(&m.argp, f, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, name);
}

/* ---- reading ---- */

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* *chosen: the command that the first argument names; of `help COMMAND` and `--help COMMAND` the second.
 * text: what is wrong. */
static outcome choose_command(const command **chosen, char *text, size_t capacity, const command *const *all,
                              int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  const bool help = is_one_of(name, "help", "--help", "-h");
  if (is_one_of(name, "--version", "-V", "version")) return READ_VERSION;
  if (help && argc < 3) return READ_HELP;
  if (help) name = argv[2];
  for (int k = 0; all[k] != NULL; k++)
    if (strcmp(name, all[k]->name) == 0) *chosen = all[k];
  if (*chosen != NULL) return help ? READ_HELP : READ_COMMAND;
  if (name[0] == '\0')
    snprintf(text, capacity, "a command is missing (see gridblas --help)");
  else if (name[0] == '-')
    snprintf(text, capacity, "unknown option %.200s (see gridblas --help)", name);
  else
    snprintf(text, capacity, "unknown command '%.200s'%s (see gridblas --help)", name,
             nearest_command(name, all));
  return READ_WRONG;
}

outcome options_read(options *o, const command **chosen, const char **why, const command *const *all,
                     int argc, char **argv) {
  static char text[1500];
  option_table m;
  *o = (options){.depth = -1,
                 .delegates = Grid_DELEGATES_AUTO,
                 .direction = Grid_DIRECTION_AUTO,
                 .progress = PROGRESS_AUTO,
                 .order = ORDER_AS_READ,
                 .device = Grid_CPU,
                 .repeat = 1,
                 .edgefactor = 16,
                 .roots = 64,
                 .seed = 1,
                 .damping = 0.85,
                 .epsilon = 0.05,
                 .failure = 0.1,
                 .resolution = 1,
                 .inflation = 2,
                 .measure = Grid_SIMILARITY_JACCARD,
                 .tolerance = 1e-6,
                 .iterations = 100,
                 .k = 3,
                 .fanouts = {15, 10, 5},
                 .nfanouts = 3,
                 .length = 80,
                 .p = 1,
                 .q = 1,
                 .factors = 16,
                 .lambda = 0.01};
  *chosen = NULL;
  *why = text;
  text[0] = '\0';

  const outcome first = choose_command(chosen, text, sizeof text, all, argc, argv);
  if (first != READ_COMMAND) return first;

  const char *device = getenv("GRIDBLAS_DEVICE");
  if (device != NULL && device[0] != '\0' && !option_store_device(o, device)) {
    snprintf(text, sizeof text,
             "GRIDBLAS_DEVICE is \"%.40s\", not cpu, cuda, or cuda:1 with the number of a GPU", device);
    return READ_WRONG;
  }

  o->work = (*chosen)->work;
  if ((*chosen)->accepts & OPT_ORDER) o->order = Grid_ORDER_METIS;
  o->weighted = ((*chosen)->accepts & (OPT_WEIGHTS | OPT_ONES)) != 0;
  o->ones = ((*chosen)->accepts & OPT_ONES) != 0;
  o->ratings = ((*chosen)->accepts & (OPT_FACTORS | OPT_MATRIX)) != 0;
  o->loops = o->ratings || ((*chosen)->accepts & OPT_LOOPS) != 0;
  reading r = {o, *chosen, false, text, sizeof text};
  make_option_table(&m, *chosen);
  const error_t e =
      argp_parse(&m.argp, argc - 1, argv + 1, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &r);
  if (r.help) return READ_HELP;
  if (e != 0 && text[0] == '\0')
    option_error_explain(text, sizeof text, m.option, *chosen, argc - 1, argv + 1);
  o->directed = o->directed || o->strong;
  if (e == 0) option_error_together(text, sizeof text, *chosen, o);
  return text[0] == '\0' ? READ_COMMAND : READ_WRONG;
}
