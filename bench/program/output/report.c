/* Results: named values in order as a jansson object, printed as `key: value` lines or written as JSON; and
 * the products of a search, one a level, as a table. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/program/program.h"

struct report {
  json_t *object; /* keeps the order of insertion */
  bool failed;    /* out of memory for some value, or a value that JSON cannot represent */
};

report *report_new(void) {
  if (Grid_rank() != 0) return NULL;
  report *r = calloc(1, sizeof *r);
  if (r != NULL) r->object = json_object();
  return r;
}

void report_free(report *r) {
  if (r == NULL) return;
  json_decref(r->object);
  free(r);
}

static void set_key_of(report *r, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) r->failed = true;
}

static void set_key(report *r, const char *key, json_t *value) {
  set_key_of(r, r->object, key, value);
}

/* jansson's integers have 63 bits; larger names of vertices become text. */
static json_t *whole_number(uint64_t value) {
  char digits[24];
  if (value <= INT64_MAX) return json_integer((json_int_t)value);
  snprintf(digits, sizeof digits, "%" PRIu64, value);
  return json_string(digits);
}

/* Null where it is not finite, which JSON cannot represent. */
static json_t *real_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

void report_count(report *r, const char *key, uint64_t value) {
  if (r != NULL) set_key(r, key, whole_number(value));
}
void report_number(report *r, const char *key, double value) {
  if (r != NULL) set_key(r, key, real_number(value));
}
void report_text(report *r, const char *key, const char *value) {
  if (r == NULL) return;
  json_t *text = json_string(value);
  set_key(r, key, text != NULL ? text : json_string("(not UTF-8)"));
}
void report_flag(report *r, const char *key, bool value) {
  if (r != NULL) set_key(r, key, json_boolean(value));
}

static json_t *number_list(report *r, const double *value, uint64_t n) {
  json_t *list = json_array();
  for (uint64_t k = 0; k < n; k++)
    if (json_array_append_new(list, real_number(value[k])) != 0) r->failed = true;
  return list;
}

/* Pairs of vertices. */
static json_t *pair_list(report *r, const uint64_t *from, const uint64_t *to, uint64_t n) {
  json_t *list = json_array();
  for (uint64_t k = 0; k < n; k++)
    if (json_array_append_new(list, json_pack("[II]", (json_int_t)from[k], (json_int_t)to[k])) != 0)
      r->failed = true;
  return list;
}

static json_t *count_list(report *r, const uint64_t *value, uint64_t n) {
  json_t *list = json_array();
  for (uint64_t k = 0; k < n; k++)
    if (json_array_append_new(list, whole_number(value[k])) != 0) r->failed = true;
  return list;
}

void report_numbers(report *r, const char *key, const double *value, uint64_t n) {
  if (r != NULL) set_key(r, key, number_list(r, value, n));
}
void report_counts(report *r, const char *key, const uint64_t *value, uint64_t n) {
  if (r != NULL) set_key(r, key, count_list(r, value, n));
}

static void append(report *r, const char *key, json_t *value) {
  json_t *list = json_object_get(r->object, key);
  if (list == NULL) set_key(r, key, list = json_array());
  if (json_array_append_new(list, value) != 0) r->failed = true;
}

void report_row(report *r, const char *key, int n, const char *const *names, const uint64_t *values) {
  if (r == NULL) return;
  json_t *row = json_object();
  for (int k = 0; k < n; k++)
    if (json_object_set_new(row, names[k], json_integer((json_int_t)values[k])) != 0) r->failed = true;
  append(r, key, row);
}

void report_series(report *r, const char *value_name, const char *step_name, const double *value,
                   uint64_t n) {
  if (r == NULL) return;
  json_t *values = number_list(r, value, n);
  set_key(r, "series", json_pack("{ss ss so}", "value", value_name, "step", step_name, "values", values));
}

void report_drawing(report *r, const drawing *d) {
  if (r == NULL) return;
  json_t *edges = pair_list(r, d->from, d->to, d->edges), *names = count_list(r, d->name, d->vertices);
  json_t *object = json_pack("{ss sb so so}", "colour", d->colour, "directed", d->directed, "names", names,
                             "edges", edges);
  set_key(r, "drawing", object);
  if (d->weight != NULL) set_key_of(r, object, "weights", number_list(r, d->weight, d->edges));
  if (d->source != NULL) set_key_of(r, object, "sources", count_list(r, d->source, d->columns));
  if (d->value != NULL) set_key_of(r, object, "values", number_list(r, d->value, d->vertices * d->columns));
  if (d->row != NULL) {
    set_key_of(r, object, "entry_edges", pair_list(r, d->row, d->col, d->entries));
    set_key_of(r, object, "entries", number_list(r, d->entry, d->entries));
  }
}

void report_fallback(report *r, const char *what, uint64_t times) {
  if (r != NULL) append(r, "fallbacks", json_pack("{ss sI}", "what", what, "times", (json_int_t)times));
}

void report_print(const report *r, FILE *f) {
  const char *key;
  json_t *value;
  if (r == NULL) return;
  json_object_foreach(r->object, key, value) {
    const int pad = strlen(key) < 30 ? 30 - (int)strlen(key) : 1;
    if (json_is_integer(value))
      fprintf(f, "%s:%*s%" JSON_INTEGER_FORMAT "\n", key, pad, "", json_integer_value(value));
    else if (json_is_real(value))
      fprintf(f, "%s:%*s%.9g\n", key, pad, "", json_real_value(value));
    else if (json_is_null(value))
      fprintf(f, "%s:%*snot finite\n", key, pad, "");
    else if (json_is_boolean(value))
      fprintf(f, "%s:%*s%s\n", key, pad, "", json_is_true(value) ? "yes" : "no");
    else if (json_is_string(value))
      fprintf(f, "%s:%*s%s\n", key, pad, "", json_string_value(value));
  }
  output_flush(f);
}

int report_json(const report *r, output *o) {
  const char *why = NULL;
  errno = 0;
  if (o->f != NULL) {
    if (r == NULL || r->failed)
      why = "no memory for the JSON report";
    else if (json_dumpf(r->object, o->f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0 ||
             fputc('\n', o->f) == EOF || fflush(o->f) != 0)
      why = output_error(o);
  }
  return fail_on_any(STATUS_INPUT, why);
}

/* ---- the products of a search ---- */

static void record(const Grid_Product *p, void *context) {
  trace *t = context;
  if (t->count == t->capacity) {
    const uint64_t capacity = 2 * t->capacity + 32;
    Grid_Product *level = realloc(t->level, capacity * sizeof *level);
    if (level == NULL) {
      t->lost = true;
      return;
    }
    t->level = level;
    t->capacity = capacity;
  }
  t->level[t->count++] = *p;
}

void trace_start(trace *t) {
  t->count = 0;
  Grid_trace(record, t);
}

void trace_stop(trace *t) {
  (void)t;
  Grid_trace(NULL, NULL);
}

void trace_free(trace *t) {
  free(t->level);
  *t = (trace){NULL, 0, 0, false};
}

/* A byte count in at most 6 characters. */
static const char *bytes(char text[16], uint64_t n) {
  const char *unit = "";
  double x = (double)n;
  if (x >= 10e9)
    x /= 1e9, unit = "G";
  else if (x >= 10e6)
    x /= 1e6, unit = "M";
  else if (x >= 10e3)
    x /= 1e3, unit = "k";
  snprintf(text, 16, "%.0f%s", x, unit);
  return text;
}

void trace_print(const trace *t, FILE *f) {
  char text[5][16];
  if (Grid_rank() != 0) return;
  fprintf(f, "%5s %-10s %-13s %11s %11s %12s | %6s %6s %6s %6s %6s %5s %9s | %8s %8s %8s %8s %8s %8s\n",
          "level", "direction", "format", "frontier", "found", "inspected", "expand", "mask", "fold",
          "deleg.", "all", "calls", "list/bits", "expand", "mask", "local", "fold", "deleg.", "write");
  fprintf(f, "%5s %-10s %-13s %11s %11s %12s | %34s %5s %9s | %53s\n", "", "", "", "", "", "entries",
          "bytes sent", "", "messages", "milliseconds, slowest process");
  for (uint64_t k = 0; k < t->count; k++) {
    const Grid_Product *p = &t->level[k];
    char format[32], messages[48];
    snprintf(format, sizeof format, "%.12s>%.12s", p->x_format, p->y_format);
    snprintf(messages, sizeof messages, "%" PRIu64 "/%" PRIu64, p->list_messages, p->bitmap_messages);
    fprintf(f, "%5" PRIu64 " %-10s %-13s %11" PRIu64 " %11" PRIu64 " %12" PRIu64, k + 1, p->direction, format,
            p->frontier, p->found, p->inspected);
    fprintf(f, " | %6s %6s %6s %6s %6s %5" PRIu64 " %9s", bytes(text[0], p->expand_bytes),
            bytes(text[1], p->mask_bytes), bytes(text[2], p->fold_bytes), bytes(text[3], p->delegate_bytes),
            bytes(text[4], p->sent_bytes), p->calls, messages);
    fprintf(f, " | %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f\n", p->expand_ms, p->mask_ms, p->local_ms, p->fold_ms,
            p->delegate_ms, p->write_ms);
  }
  if (t->lost) fprintf(f, "(some levels are missing: no memory to record them)\n");
  output_flush(f);
}

static json_t *level_object(const Grid_Product *p, uint64_t level) {
  return json_pack(
      "{sI ss ss ss sI sI sI sI sI sI sI sI sI sI sI sI sI sI sf sf sf sf sf sf}", "level", (json_int_t)level,
      "direction", p->direction, "frontier_format", p->x_format, "found_format", p->y_format,  //
      "frontier", (json_int_t)p->frontier, "found", (json_int_t)p->found,                      //
      "inspected", (json_int_t)p->inspected, "inspected_most", (json_int_t)p->inspected_most,  //
      "push_work", (json_int_t)p->push_work,                                                   //
      "pull_work", (json_int_t)p->pull_work, "expand_bytes", (json_int_t)p->expand_bytes,      //
      "mask_bytes", (json_int_t)p->mask_bytes, "fold_bytes", (json_int_t)p->fold_bytes,        //
      "delegate_bytes", (json_int_t)p->delegate_bytes, "sent_bytes", (json_int_t)p->sent_bytes, "calls",
      (json_int_t)p->calls, "list_messages", (json_int_t)p->list_messages,                                  //
      "bitmap_messages", (json_int_t)p->bitmap_messages, "expand_ms", p->expand_ms, "mask_ms", p->mask_ms,  //
      "local_ms", p->local_ms, "fold_ms", p->fold_ms, "delegate_ms", p->delegate_ms, "write_ms", p->write_ms);
}

void trace_report(const trace *t, report *r) {
  if (r == NULL) return;
  json_t *list = json_array();
  for (uint64_t k = 0; k < t->count; k++)
    if (json_array_append_new(list, level_object(&t->level[k], k + 1)) != 0) r->failed = true;
  set_key(r, "products", list);
}
