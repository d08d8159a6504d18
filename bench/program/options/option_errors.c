/* See option_errors.h. */
#include "bench/program/options/option_errors.h"

#include <string.h>

#include "bench/program/options/nearest.h"

/* Is `name` (of `length` characters) an option of the table or the beginning of one? *takes: it takes a
 * value. */
static bool is_option(const struct argp_option *table, const char *name, size_t length, bool *accepts) {
  for (; table->name != NULL || table->key != 0 || table->doc != NULL; table++)
    if (table->name != NULL && strncmp(table->name, name, length) == 0) {
      *accepts = table->arg != NULL;
      return true;
    }
  return false;
}

/* The hint for a misspelled option. */
static const char *nearest_option(const struct argp_option *table, const char *name, size_t length) {
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  nearest n = nearest_to(word);
  for (; table->name != NULL || table->key != 0 || table->doc != NULL; table++)
    if (table->name != NULL) nearest_try(&n, table->name);
  return nearest_hint(&n, "--");
}

void option_error_explain(char *why, size_t capacity, const struct argp_option *table, const command *c,
                          int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    bool accepts = false;
    if (argv[k][0] != '-' || argv[k][1] == '\0') continue;
    const char *name = argv[k] + 2, *equals = strchr(argv[k], '=');
    const size_t length = argv[k][1] != '-' ? 0 : equals != NULL ? (size_t)(equals - name) : strlen(name);
    if (length == 0 || !is_option(table, name, length, &accepts)) {
      snprintf(why, capacity, "unknown option %s%s (see gridblas %s --help)", argv[k],
               nearest_option(table, name, length), c->name);
      return;
    }
    if (accepts && equals == NULL && ++k == argc) {
      snprintf(why, capacity, "option %s needs a value (see gridblas %s --help)", argv[k - 1], c->name);
      return;
    }
    if (!accepts && equals != NULL) {
      snprintf(why, capacity, "option %s takes no value (see gridblas %s --help)", argv[k], c->name);
      return;
    }
  }
  snprintf(why, capacity, "bad usage (see gridblas %s --help)", c->name);
}

/* Whether path is the file that `gridblas order` makes beside OUT. */
static bool is_numbers_of(const char *path, const char *out) {
  const size_t n = strlen(out);
  return strcmp(out, "-") != 0 && strncmp(path, out, n) == 0 && strcmp(path + n, ".numbers") == 0;
}

void option_error_together(char *why, size_t capacity, const command *c, const options *o) {
  if ((c->accepts & OPT_GRAPH500) && o->scale == 0)
    snprintf(why, capacity, "%s needs --scale S (see gridblas %s --help)", c->name, c->name);
  else if ((c->accepts & NEEDS_GRAPH) && o->graph == NULL &&
           !(strcmp(c->name, "info") == 0 && o->device != Grid_CPU))
    snprintf(why, capacity, "%s needs a graph: a file or rmat:SCALE (see gridblas %s --help)", c->name,
             c->name);
  else if (strcmp(c->name, "completion") == 0 && o->results == 0)
    snprintf(why, capacity, "completion needs a shell: bash or zsh");
  else if ((c->accepts & OPT_RESULTS) && o->results == 0)
    snprintf(why, capacity, "%s needs results: files that --json wrote (see gridblas %s --help)", c->name,
             c->name);
  else if ((c->accepts & OPT_OUTPUT) && o->out == NULL)
    snprintf(why, capacity, "%s needs a graph and the file to write (see gridblas %s --help)", c->name,
             c->name);
  else if ((c->accepts & OPT_COMMUNITIES) && o->labels == NULL)
    snprintf(why, capacity, "%s needs --communities FILE (see gridblas %s --help)", c->name, c->name);
  else if (o->values != NULL && o->labels != NULL)
    snprintf(why, capacity, "--values and --labels exclude each other");
  else if (o->out != NULL && o->json != NULL && strcmp(o->out, o->json) == 0)
    snprintf(why, capacity, "%s and --json cannot both go to %s", (c->accepts & OPT_OUTPUT) ? "OUT" : "--out",
             o->out);
  else if (o->numbers != NULL && strcmp(o->out, o->numbers) == 0)
    snprintf(why, capacity, "OUT and --numbers cannot both go to %s", o->out);
  else if (o->numbers != NULL && o->json != NULL && strcmp(o->numbers, o->json) == 0)
    snprintf(why, capacity, "--numbers and --json cannot both go to %s", o->numbers);
  else if ((c->accepts & OPT_ORDER) && o->numbers == NULL && o->json != NULL &&
           is_numbers_of(o->json, o->out))
    snprintf(why, capacity, "the numbers and --json cannot both go to %s", o->json);
  else if (o->sssp && o->levels)
    snprintf(why, capacity, "--sssp and --levels exclude each other");
  else if ((c->accepts & OPT_GRAPH500) && o->delta != 0 && !o->sssp)
    snprintf(why, capacity, "--delta is for --sssp");
  else if (o->check && o->skip_validation)
    snprintf(why, capacity, "--check and --skip-validation exclude each other");
  else if (o->every != 0 && o->checkpoint == NULL)
    snprintf(why, capacity, "--every needs --checkpoint DIR");
  else if (o->checkpoint != NULL && o->repeat > 1)
    snprintf(why, capacity, "--checkpoint and --repeat exclude each other");
  else if (o->checkpoint != NULL && o->order != ORDER_AS_READ)
    snprintf(why, capacity, "--checkpoint and --order exclude each other");
  else if (o->checkpoint != NULL && o->strong)
    snprintf(why, capacity, "--checkpoint and --strong exclude each other");
  else if (o->sources != NULL && o->samples > 0)
    snprintf(why, capacity, "--sources and --samples exclude each other");
  else if ((c->accepts & NEEDS_SOURCES) && o->sources == NULL && o->samples == 0)
    snprintf(why, capacity, "%s needs --sources V,V... or --samples N (see gridblas %s --help)", c->name,
             c->name);
}
