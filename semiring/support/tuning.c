/* See tuning.h. */
#include "semiring/support/tuning.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semiring/support/c_locale.h"
#include "semiring/support/error.h"

#define DEFAULT(type, name, standard, reason) .name = (standard),
static const grid_tuning defaults = {GRID_TUNING_FIELDS(DEFAULT)};
grid_tuning grid_tune = {GRID_TUNING_FIELDS(DEFAULT)};

typedef enum { SWITCH, COUNT, REAL } value_kind;

#define KIND(type, name, standard, reason)                   \
  {#name, reason, offsetof(grid_tuning, name), sizeof(type), \
   _Generic((type)0, bool                                    \
            : SWITCH, uint64_t                               \
            : COUNT, double                                  \
            : REAL)},
static const struct field {
  const char *name, *reason;
  size_t offset, size;
  value_kind kind;
} fields[] = {GRID_TUNING_FIELDS(KIND)};
enum { FIELDS = sizeof fields / sizeof *fields };

/* Settings of the same variable that name methods, with the names that the library has (dist/product,
 * dist/comm/transport/machines). */
static const struct {
  const char *name, *methods;
} reserved[] = {
    {"mxv", " push-messages push row-hubs pull-ring requests pull device-push device-pull "},
    {"mxm", " outofcore device tall tall-grid bitmap diagonal hub-bits local replicated shared stages "},
    {"messages", " flat two-level "},
};

static bool has_length(const char *word, const char *text, size_t n) {
  return strlen(word) == n && strncmp(word, text, n) == 0;
}

static bool parse_number(value_kind kind, const char *text, void *to) {
  char *end;
  errno = 0;
  const double real = grid_strtod(text, &end);
  if (end == text || *end || errno || isnan(real)) return false;
  if (kind == REAL) {
    memcpy(to, &real, sizeof real);
    return true;
  }
  const uint64_t count = strtoull(text, &end, 10);
  if (*end || !isdigit((unsigned char)*text) || errno || (kind == SWITCH && count > 1)) return false;
  if (kind == SWITCH)
    *(bool *)to = count;
  else
    *(uint64_t *)to = count;
  return true;
}

static bool parse_value(const struct field *f, const char *text, grid_tuning *t) {
  void *to = (char *)t + f->offset;
  if (strcmp(text, "default") == 0) {
    memcpy(to, (const char *)&defaults + f->offset, f->size);
    return true;
  }
  const bool on = strcmp(text, "on") == 0, off = strcmp(text, "off") == 0;
  if (f->kind == SWITCH && (on || off)) {
    *(bool *)to = on;
    return true;
  }
  if (f->kind == COUNT && off) {
    *(uint64_t *)to = GRID_TUNE_NEVER;
    return true;
  }
  return parse_number(f->kind, text, to);
}

/* Of a size by which the library divides: is it 0, or so large that sizes rounded up to it overflow (off)? */
static bool is_bad_divisor(const struct field *f, const grid_tuning *t) {
  static const char divisors[] = " mxm_bitmap_share page_entries run_sample_step stripe_bytes ";
  static const uint64_t most = UINT64_C(1) << 40;
  char word[40];
  uint64_t value;
  snprintf(word, sizeof word, " %s ", f->name);
  if (!strstr(divisors, word)) return false;
  memcpy(&value, (const char *)t + f->offset, sizeof value);
  return value == 0 || value > most;
}

static GrB_Info check_method(size_t k, const char *value, size_t n) {
  char word[40];
  const int length = snprintf(word, sizeof word, " %.*s ", (int)n, value);
  if (n > 0 && length < (int)sizeof word && strstr(reserved[k].methods, word)) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_TUNE: \"%.*s\" is no value of %s:%s", (int)n,
                   value, reserved[k].name, reserved[k].methods);
}

static GrB_Info set_field(grid_tuning *t, const char *item, size_t length) {
  char value[32];
  const char *equals = memchr(item, '=', length);
  const size_t name = equals ? (size_t)(equals - item) : length, n = equals ? length - name - 1 : 0;
  for (size_t k = 0; equals && k < sizeof reserved / sizeof *reserved; k++)
    if (has_length(reserved[k].name, item, name)) return check_method(k, equals + 1, n);
  int k = 0;
  while (k < FIELDS && !has_length(fields[k].name, item, name)) k++;
  if (k == FIELDS)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_TUNE: \"%.*s\" is no field", (int)name,
                     item);
  snprintf(value, sizeof value, "%.*s", (int)n, equals ? equals + 1 : "");
  if (n < sizeof value && parse_value(&fields[k], value, t) && !is_bad_divisor(&fields[k], t))
    return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_TUNE: \"%.*s\" is no value of %s", (int)n,
                   equals ? equals + 1 : "", fields[k].name);
}

GrB_Info grid_tune_set(const char *text) {
  grid_tuning t = grid_tune;
  for (size_t n; *text; text += n + (text[n] == ',')) {
    n = strcspn(text, ",");
    GrB_Info info = n ? set_field(&t, text, n) : GrB_SUCCESS;
    if (info != GrB_SUCCESS) return info;
  }
  grid_tune = t;
  return GrB_SUCCESS;
}

static void print_default(FILE *to, const struct field *f) {
  const void *at = (const char *)&defaults + f->offset;
  if (f->kind == REAL)
    fprintf(to, "%g", *(const double *)at);
  else if (f->kind == SWITCH)
    fputs(*(const bool *)at ? "on" : "off", to);
  else if (*(const uint64_t *)at == GRID_TUNE_NEVER)
    fputs("off", to);
  else
    fprintf(to, "%" PRIu64, *(const uint64_t *)at);
}

/* One line a field: name, default, unit and reason. */
static void list_fields(FILE *to) {
  for (int k = 0; k < FIELDS; k++) {
    fprintf(to, "  %s (", fields[k].name);
    print_default(to, &fields[k]);
    fprintf(to, "): %s\n", fields[k].reason);
  }
}

GrB_Info grid_tune_from_environment(bool report) {
  const char *text = getenv("GRIDBLAS_TUNE");
  const GrB_Info info = text ? grid_tune_set(text) : GrB_SUCCESS;
  if (info != GrB_SUCCESS && report) {
    fprintf(stderr, "%s. Fields (default): unit, reason\n", grid_last_error());
    list_fields(stderr);
  }
  return info;
}

const char *grid_tune_method(const char *operation) {
  const size_t n = strlen(operation);
  for (const char *s = grid_tune.settings.text; *s; s += strlen(s) + 1)
    if (strncmp(s, operation, n) == 0 && s[n] == '=') return s + n + 1;
  return NULL;
}
