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

GrB_Info grid_trace_open(grid_trace_file *t, const char *path) {
  *t = (grid_trace_file){.local = tmpfile()};
  if (!t->local)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_BURBLE: no temporary file: %s",
                     strerror(errno));
  t->start = omp_get_wtime(); /* close together on all processes, after an agreement */
  if (grid_ctx.k) return GrB_SUCCESS;
  const int file = grid_create_replacement(path, 0666);
  t->out = file >= 0 ? fdopen(file, "w") : NULL;
  if (t->out) return GrB_SUCCESS;
  const int error = errno;
  if (file >= 0) close(file);
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

void grid_trace_slice(grid_trace_file *t, const char *name, grid_slice kind, double from, double to,
                      const char *more) {
  FILE *f = t->local;
  fprintf(f, ",\n{\"name\":%s,\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,", name,
          kind == GRID_CALL   ? "call"
          : kind == GRID_SPAN ? "span"
                              : "step",
          grid_ctx.k, kind == GRID_STEP_DEVICE);
  t->on_device |= kind == GRID_STEP_DEVICE;
  write_time(f, "ts", from - t->start);
  write_time(f, "dur", to - from);
  fprintf(f, "\"args\":{%s}}", more);
}

/* Sends process r's text to process 0. Unreadable bytes become blanks, so that the rest stays valid JSON. */
static GrB_Info copy_out(grid_trace_file *t, int r) {
  enum { SEGMENT = 1 << 15 };
  char segment[SEGMENT];
  GrB_Info info = GrB_SUCCESS;
  uint64_t left = 0;
  if (grid_ctx.k == r) {
    const long end = ftell(t->local);
    left = end > 0 && !ferror(t->local) ? (uint64_t)end : 0;
    t->has_failed |= left == 0;
    rewind(t->local);
  }
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &left, sizeof left, r));
  for (; left; left -= left < SEGMENT ? left : SEGMENT) {
    const size_t n = left < SEGMENT ? left : SEGMENT,
                 had = grid_ctx.k == r ? fread(segment, 1, n, t->local) : n;
    memset(segment + had, ' ', n - had);
    t->has_failed |= had < n;
    TRY(grid_ctx.transport->bcast(GRID_SET_ALL, segment, n, r));
    if (t->out && fwrite(segment, 1, n, t->out) != n) t->has_failed = true;
  }
done:
  return info;
}

void grid_trace_close(grid_trace_file *t) {
  GrB_Info info = GrB_SUCCESS;
  fprintf(t->local,
          ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"process %d (row %d, "
          "column %d)\"}}",
          grid_ctx.k, grid_ctx.k, grid_ctx.i, grid_ctx.j);
  if (t->on_device)
    fprintf(t->local,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":1,\"args\":{\"name\":\"GPU\"}}",
            grid_ctx.k);
  if (t->out)
    fprintf(t->out,
            "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"name\":\"grid\",\"ph\":\"M\",\"pid\":0,"
            "\"args\":{\"rows\":%d,\"columns\":%d}}",
            grid_ctx.R, grid_ctx.C);
  for (int r = 0; r < grid_ctx.P && info == GrB_SUCCESS; r++) info = copy_out(t, r);
  fclose(t->local);
  if (t->out && (fputs("\n]}\n", t->out) < 0 || fclose(t->out) != 0)) t->has_failed = true;
  if (t->has_failed || info != GrB_SUCCESS) fprintf(stderr, "gridblas: the trace is incomplete\n");
}
