/* GRIDBLAS_BURBLE=trace:FILE: JSON trace events, read by Perfetto and chrome://tracing, one row per
 * process. Each process writes its slices to a temporary file; at the end process 0 collects them all, a
 * segment at a time. */
#include <errno.h>
#include <inttypes.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

#include "dist/object/burble.h"
#include "semiring/support/create_file.h"

static struct {
  FILE *own, *out; /* out: on process 0 only */
  double start;
  bool has_failed; /* a write has failed on this process */
  bool on_device;  /* some steps ran on the device */
} trace;

GrB_Info grid_trace_open(const char *path) {
  trace.out = NULL, trace.has_failed = trace.on_device = false;
  trace.own = tmpfile();
  if (!trace.own)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_BURBLE: no temporary file: %s",
                     strerror(errno));
  trace.start = omp_get_wtime(); /* close together on all processes, after an agreement */
  if (grid_ctx.k) return GrB_SUCCESS;
  const int file = grid_create_replacement(path, 0666);
  trace.out = file >= 0 ? fdopen(file, "w") : NULL;
  if (trace.out) return GrB_SUCCESS;
  const int error = errno;
  if (file >= 0) close(file);
  fclose(trace.own);
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_BURBLE: %s cannot be written: %s", path,
                   strerror(error));
}

void grid_trace_quote(char *to, size_t capacity, const char *text) {
  size_t at = 0;
  to[at++] = '"';
  for (; *text && at + 8 < capacity; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      at += (size_t)snprintf(to + at, capacity - at, "\\%c", c);
    else if (c < 0x20 || c > 0x7e)
      at += (size_t)snprintf(to + at, capacity - at, "\\u%04x", c);
    else
      to[at++] = *text;
  }
  to[at++] = '"', to[at] = '\0';
}

/* Microseconds since the start with three decimals, independent of the locale. */
static void write_time(FILE *f, const char *name, double seconds) {
  const uint64_t ns = seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
  fprintf(f, "\"%s\":%" PRIu64 ".%03" PRIu64 ",", name, ns / 1000, ns % 1000);
}

void grid_trace_slice(const char *name, grid_slice kind, double from, double to, const char *more) {
  FILE *f = trace.own;
  fprintf(f, ",\n{\"name\":%s,\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,", name,
          kind == GRID_CALL   ? "call"
          : kind == GRID_SPAN ? "span"
                              : "step",
          grid_ctx.k, kind == GRID_STEP_DEVICE);
  trace.on_device |= kind == GRID_STEP_DEVICE;
  write_time(f, "ts", from - trace.start);
  write_time(f, "dur", to - from);
  fprintf(f, "\"args\":{%s}}", more);
}

/* Sends process r's text to process 0. Unreadable bytes become blanks, so that the rest stays valid JSON. */
static GrB_Info copy_out(int r) {
  enum { SEGMENT = 1 << 16 };
  static char segment[SEGMENT];
  GrB_Info info = GrB_SUCCESS;
  uint64_t left = 0;
  if (grid_ctx.k == r) {
    const long end = ftell(trace.own);
    left = end > 0 && !ferror(trace.own) ? (uint64_t)end : 0;
    trace.has_failed |= left == 0;
    rewind(trace.own);
  }
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &left, sizeof left, r));
  for (; left; left -= left < SEGMENT ? left : SEGMENT) {
    const size_t n = left < SEGMENT ? left : SEGMENT,
                 had = grid_ctx.k == r ? fread(segment, 1, n, trace.own) : n;
    memset(segment + had, ' ', n - had);
    trace.has_failed |= had < n;
    TRY(grid_ctx.transport->bcast(GRID_SET_ALL, segment, n, r));
    if (trace.out && fwrite(segment, 1, n, trace.out) != n) trace.has_failed = true;
  }
done:
  return info;
}

void grid_trace_close(void) {
  GrB_Info info = GrB_SUCCESS;
  fprintf(trace.own,
          ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"process %d (row %d, "
          "column %d)\"}}",
          grid_ctx.k, grid_ctx.k, grid_ctx.i, grid_ctx.j);
  if (trace.on_device)
    fprintf(trace.own,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":1,\"args\":{\"name\":\"GPU\"}}",
            grid_ctx.k);
  if (trace.out)
    fprintf(trace.out,
            "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"name\":\"grid\",\"ph\":\"M\",\"pid\":0,"
            "\"args\":{\"rows\":%d,\"columns\":%d}}",
            grid_ctx.R, grid_ctx.C);
  for (int r = 0; r < grid_ctx.P && info == GrB_SUCCESS; r++) info = copy_out(r);
  fclose(trace.own);
  if (trace.out && (fputs("\n]}\n", trace.out) < 0 || fclose(trace.out) != 0)) trace.has_failed = true;
  if (trace.has_failed || info != GrB_SUCCESS) fprintf(stderr, "gridblas: the trace is incomplete\n");
}
