/* See burble.h. A line covers all processes: sums of entries and bytes, the slowest process's time. A
 * trace has a row per process. */
#include "dist/object/device_retry.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "dist/grid/hooks.h"
#include "spmat/device/backend.h"
#include "semiring/threads/context_section.h"

int grid_default_burble GRID_OF_CONTEXT = GRID_QUIET;

enum { MAX_DEPTH = 8, MOST = 6, NAME = 16, TEXT = 120, METHOD = 160 };
static struct {
  /* calls within calls: the outermost gets a line, all get slices */
  struct {
    const char *call;
    char method[METHOD]; /* "": none was named */
    double since;
    grid_traffic before;
  } call[MAX_DEPTH];
  int depth;
  /* the program's own spans */
  struct {
    const char *name;
    double since;
  } span[MAX_DEPTH];
  int span_depth;
  grid_trace_file file;           /* of the slices, in GRID_TRACES */
  const grid_device_marks *marks; /* NVTX ranges of the device's profiler, or NULL */
} default_traced GRID_OF_CONTEXT;
#define traced GRID_IN_CONTEXT(default_traced)

grid_burble_printer grid_burble_output;

/* One call, since processes share the terminal. */
static void print(const char *line) {
  if (grid_burble_output.print)
    grid_burble_output.print("%s\n", line);
  else
    fprintf(stderr, "%s\n", line);
  if (grid_burble_output.flush) grid_burble_output.flush();
}

void grid_trace_begin(const char *call) {
  if (traced.depth == 0) (void)grid_fallback_first(true);
  if (traced.marks) traced.marks->begin(call);
  if (traced.depth < MAX_DEPTH) {
    traced.call[traced.depth].call = call, traced.call[traced.depth].method[0] = '\0';
    traced.call[traced.depth].before = grid_traffic_now;
    traced.call[traced.depth].since = omp_get_wtime();
  }
  traced.depth++;
}

void grid_trace_method(const char *method) {
  if (traced.depth && traced.depth <= MAX_DEPTH)
    snprintf(traced.call[traced.depth - 1].method, METHOD, "%s", method);
}

static void trace_step(const char *step, double since, double now, bool on_device) {
  char quoted[NAME + 2];
  snprintf(quoted, sizeof quoted, "\"%.*s\"", NAME - 1, step);
  grid_trace_slice(&traced.file, quoted, on_device ? GRID_STEP_DEVICE : GRID_STEP, since, now, "");
}

void grid_trace_step(const char *step, double since, bool on_device) {
  const double now = omp_get_wtime(), least = 5e-7; /* what takes less was nothing to do */
  if (traced.marks && now - since > least) traced.marks->mark(step);
  if (grid_burble == GRID_TRACES && traced.depth && now - since > least)
    trace_step(step, since, now, on_device);
}

void Grid_span_begin(const char *name) {
  if (grid_burble == GRID_QUIET) return;
  if (traced.marks) traced.marks->begin(name ? name : "");
  if (traced.span_depth < MAX_DEPTH) {
    traced.span[traced.span_depth].name = name ? name : "";
    traced.span[traced.span_depth].since = omp_get_wtime();
  }
  traced.span_depth++;
}

void Grid_span_end(void) {
  char quoted[TEXT];
  if (grid_burble == GRID_QUIET || !traced.span_depth) return;
  if (traced.marks) traced.marks->end();
  if (--traced.span_depth >= MAX_DEPTH) return;
  const char *name = traced.span[traced.span_depth].name;
  const double since = traced.span[traced.span_depth].since, till = omp_get_wtime();
  grid_trace_quote(quoted, sizeof quoted, name);
  if (grid_burble == GRID_TRACES) grid_trace_slice(&traced.file, quoted, GRID_SPAN, since, till, "");
  if (grid_burble != GRID_TEXT_LINES || grid_ctx.k != 0) return;
  char line[TEXT + 64];
  snprintf(line, sizeof line, "gridblas: %.*s: %.3f ms in all", TEXT, name, (till - since) * 1e3);
  print(line);
}

/* ---- objects ---- */

/* One of a call's objects: its description, and the entries that this process holds. */
typedef struct {
  char name[NAME], what[TEXT];
  uint64_t entries;
} trace_object;

const char *grid_form_of(const grid_chunk *c) {
  return c->format == GRID_LIST ? "list" : c->format == GRID_BITMAP ? "bitmap" : "full";
}

static void describe_vector(trace_object *o, GrB_Vector v) {
  const bool known = grid_lookahead->peek() == GrB_SUCCESS && grid_chunk_wait(&v->chunk) == GrB_SUCCESS;
  o->entries = known ? v->chunk.nvals : 0;
  snprintf(o->what, TEXT, "%" PRIu64 " %.32s %s%s%s", v->n, v->type->name, grid_form_of(&v->chunk),
           v->chunk.iso && o->entries ? " iso" : "", v->chunk.device ? " on the device" : "");
}

static void describe(trace_object *o, const void *object) {
  const grid_head *h = object;
  if (h->kind == GRID_IS_VECTOR) describe_vector(o, (GrB_Vector)(uintptr_t)object);
  if (h->kind == GRID_IS_MATRIX)
    grid_hooks.describe_matrix(o->what, TEXT, &o->entries, (GrB_Matrix)(uintptr_t)object);
  if (h->kind == GRID_IS_SCALAR) {
    const struct GrB_Scalar_opaque *s = object;
    o->entries = s->present && grid_ctx.k == 0;
    snprintf(o->what, TEXT, "%.32s scalar", s->type->name);
  }
}

/* Describes the objects that are not NULL, named as in the call's text: "C, mask, *A". */
static int describe_all(trace_object *o, const char *names, const void *const *objects) {
  int n = 0;
  for (int k = 0; *names && objects && n < MOST; k++) {
    const size_t length = strcspn(names, ",");
    const char *name = names + strspn(names, " *");
    if (objects[k]) {
      o[n] = (trace_object){.entries = 0};
      snprintf(o[n].name, NAME, "%.*s", (int)(names + length - name), name);
      describe(&o[n++], objects[k]);
    }
    names += length + (names[length] == ',');
  }
  return n;
}

/* ---- the end of a call ---- */

/* Where a call was computed while the device is on, if not there, and why. */
static const char *placement_text(char text[TEXT]) {
  const char *why = grid_fallback_first(false);
  snprintf(text, TEXT, "%s%s", why ? "on the host: " : "", why ? why : "");
  return grid_call_is_small() ? "small, on the host" : text;
}

static void write_line(const char *call, const char *method, const trace_object *o, int n,
                       const uint64_t *sum, const uint64_t *most) {
  enum { LINE_MAX_LENGTH = 1024 };
  char line[LINE_MAX_LENGTH], text[TEXT];
  const char *placement = placement_text(text);
  int at = snprintf(line, LINE_MAX_LENGTH, "gridblas: %s: %.3f ms, %" PRIu64 " bytes in %" PRIu64 " calls",
                    call, (double)most[0] / 1e6, sum[n], most[1]);
  if (*method) at += snprintf(line + at, (size_t)(LINE_MAX_LENGTH - at), ", %s", method);
  if (*placement) at += snprintf(line + at, (size_t)(LINE_MAX_LENGTH - at), ", %s", placement);
  for (int k = 0; k < n && at < LINE_MAX_LENGTH; k++)
    at += snprintf(line + at, (size_t)(LINE_MAX_LENGTH - at), "; %s: %s, %" PRIu64 " entries", o[k].name,
                   o[k].what, sum[k]);
  print(line);
}

/* The line of a call that failed. */
static void print_failure(const char *call, double seconds, GrB_Info info) {
  char line[TEXT + 2200];
  snprintf(line, sizeof line, "gridblas: %s: %.3f ms, %s: %s", call, seconds * 1e3, grid_info_name(info),
           grid_last_error());
  print(line);
}

/* Prints the line of all processes together. The call has succeeded everywhere. */
static void print_line(const char *call, const char *method, const trace_object *o, int n,
                       uint64_t nanoseconds, grid_traffic t) {
  uint64_t sum[MOST + 1], most[] = {nanoseconds, t.calls};
  const grid_traffic before = grid_traffic_now;
  for (int k = 0; k < n; k++) sum[k] = o[k].entries;
  sum[n] = t.bytes;
  GrB_Info info = grid_ctx.transport->allreduce(GRID_SET_ALL, sum, (size_t)n + 1, GRID_SUM);
  if (info == GrB_SUCCESS) info = grid_ctx.transport->allreduce(GRID_SET_ALL, most, 2, GRID_MAX);
  grid_traffic_now = before; /* counts the program's own messages only */
  if (info == GrB_SUCCESS && grid_ctx.k == 0) write_line(call, method, o, n, sum, most);
}

static void trace_call(const char *call, const char *method, const trace_object *o, int n, GrB_Info info,
                       double since, double till, grid_traffic t) {
  enum { MEMBERS = 2048, QUOTED = 2 * TEXT };
  char more[MEMBERS], text[QUOTED], quoted[QUOTED];
  int at = snprintf(more, MEMBERS, "\"outcome\":\"%s\",\"bytes\":%" PRIu64 ",\"calls\":%" PRIu64,
                    grid_info_name(info), t.bytes, t.calls);
  if (*method) at += snprintf(more + at, (size_t)(MEMBERS - at), ",\"method\":\"%s\"", method);
  if (*placement_text(text)) {
    grid_trace_quote(quoted, sizeof quoted, placement_text(text));
    at += snprintf(more + at, (size_t)(MEMBERS - at), ",\"place\":%s", quoted);
  }
  for (int k = 0; k < n; k++) {
    snprintf(text, sizeof text, "%s, %" PRIu64 " local entries", o[k].what, o[k].entries);
    grid_trace_quote(quoted, sizeof quoted, text);
    at += snprintf(more + at, (size_t)(MEMBERS - at), ",\"%s\":%s", o[k].name, quoted);
  }
  snprintf(quoted, sizeof quoted, "\"%s\"", call);
  grid_trace_slice(&traced.file, quoted, GRID_CALL, since, till, more);
}

void grid_trace_end(GrB_Info info, const char *names, const void *const *objects) {
  const double till = omp_get_wtime();
  trace_object o[MOST];
  if (traced.marks) traced.marks->end();
  if (!traced.depth || --traced.depth >= MAX_DEPTH || (traced.depth && grid_burble == GRID_TEXT_LINES) ||
      grid_burble == GRID_MARKS)
    return;
  const char *call = traced.call[traced.depth].call, *method = traced.call[traced.depth].method;
  const double since = traced.call[traced.depth].since;
  const grid_traffic t = {grid_traffic_now.calls - traced.call[traced.depth].before.calls,
                          grid_traffic_now.bytes - traced.call[traced.depth].before.bytes};
  const int n = describe_all(o, names, objects);
  if (grid_burble == GRID_TRACES)
    trace_call(call, method, o, n, info, since, till, t);
  else if (info == GrB_SUCCESS)
    print_line(call, method, o, n, (uint64_t)((till - since) * 1e9), t);
  else if (grid_ctx.k == 0)
    print_failure(call, till - since, info);
}

/* ---- start and stop ---- */

static const grid_device_marks *has_nvtx(void) {
  return grid_cuda ? grid_cuda->marks : NULL;
}

static GrB_Info read_settings(uint64_t *mode, const char *text) {
  *mode = GRID_QUIET;
  if (!text || !*text || strcmp(text, "0") == 0) return GrB_SUCCESS;
  *mode = strcmp(text, "1") == 0 ? GRID_TEXT_LINES : strcmp(text, "nvtx") == 0 ? GRID_MARKS : GRID_TRACES;
  if (*mode == GRID_MARKS && !has_nvtx())
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "Grid_init: GRIDBLAS_BURBLE is \"nvtx\", and CUDA was not built in");
  if (*mode != GRID_TRACES || (strncmp(text, "trace:", 6) == 0 && text[6])) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "Grid_init: GRIDBLAS_BURBLE is \"%s\", neither 1 nor trace:FILE nor nvtx", text);
}

GrB_Info grid_burble_start(void) {
  uint64_t wish = GRID_QUIET;
  const char *text = getenv("GRIDBLAS_BURBLE");
  GrB_Info info = grid_ctx.k == 0 ? read_settings(&wish, text) : GrB_SUCCESS;
  TRY(grid_agree_sum(NULL, info, &wish, 1)); /* the others add nothing */
  if (wish == GRID_TRACES) {
    info = grid_agree(NULL, grid_trace_open(&traced.file, text ? text + 6 : ""));
    if (info != GrB_SUCCESS && traced.file.local) fclose(traced.file.local);
    TRY(info);
  }
  grid_placed = (grid_placement_counts){0};
  traced.depth = traced.span_depth = 0;
  traced.marks = wish == GRID_QUIET ? NULL : has_nvtx();
  grid_burble = (int)wish;
done:
  return info;
}

GrB_Info grid_burble_set(bool on, grid_head *head, const char *call) {
  if (grid_burble == GRID_TRACES || grid_burble == GRID_MARKS)
    return grid_fail(head, GrB_INVALID_VALUE, "%s: GRIDBLAS_BURBLE has started a trace, which goes on", call);
  traced.depth = traced.span_depth = 0;
  traced.marks = on ? has_nvtx() : NULL;
  grid_burble = on ? GRID_TEXT_LINES : GRID_QUIET;
  return GrB_SUCCESS;
}

/* How often calls were small, if the device was on. */
static void print_placements(void) {
  char line[TEXT];
  if (grid_placed.host + grid_placed.device == 0) return;
  snprintf(line, sizeof line,
           "gridblas: %" PRIu64 " small calls on the host, %" PRIu64 " calls on the device, which %" PRIu64
           " small objects left",
           grid_placed.host, grid_placed.device, grid_placed.moves);
  print(line);
}

void grid_burble_stop(void) {
  if (grid_burble == GRID_TEXT_LINES && grid_ctx.k == 0) print_placements();
  if (grid_burble == GRID_TRACES) grid_trace_close(&traced.file);
  grid_burble = GRID_QUIET;
  traced.marks = NULL;
  grid_burble_output = (grid_burble_printer){NULL, NULL};
}
