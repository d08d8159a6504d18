/* gridblas info --device cuda: the GPUs, what R-MAT graphs need of their memory, and which fit. */
#include <inttypes.h>
#include <string.h>

#include "bench/command/commands.h"
#include "bench/command/device_memory_needs.h"

enum { EDGEFACTOR = 16, FIRST = 20, LAST = 32 };

/* One process after another, so that each process sees the GPU's free memory; *least: the smallest number of
 * free bytes. */
static int report_gpus(report *r, uint64_t *least) {
  *least = UINT64_MAX;
  for (int k = 0; k < Grid_size(); k++) {
    Grid_Device_Info d = {.count = 0};
    GrB_Info info = Grid_agree(Grid_rank() == k ? Grid_device_info(&d) : GrB_SUCCESS, NULL);
    if (info == GrB_SUCCESS) info = Grid_bcast(&d, sizeof d, k);
    if (info != GrB_SUCCESS) return fail_library("asking for the GPUs");
    char key[32], text[200];
    snprintf(key, sizeof key, "gpu_of_process_%d", k);
    snprintf(text, sizeof text, "number %d of %d, %s, %.2f GiB, %.2f free", d.number, d.count, d.name,
             (double)d.total / GIB, (double)d.free / GIB);
    report_text(r, key, text);
    if (d.free < *least) *least = d.free;
  }
  return STATUS_OK;
}

static const char *fits(const need *n, uint64_t free_bytes) {
  if (!n->countable) return "too many";
  return free_bytes == 0 ? "-" : need_fits(n, free_bytes) ? "fits" : "no";
}

/* For one process, and for the current number. */
static void print_needs(FILE *f, uint64_t free_bytes) {
  const int P = Grid_size();
  if (Grid_rank() != 0) return;
  fprintf(f, "\nGiB that an R-MAT graph, edge factor %d, needs of each GPU:\n", EDGEFACTOR);
  fprintf(f, "%5s %12s %14s | %9s %9s %9s  %-16s", "scale", "vertices", "entries", "build", "in pieces",
          "search", "one GPU");
  if (P > 1) fprintf(f, " | %9s %9s  %d GPUs", "build", "search", P);
  fputc('\n', f);
  for (int scale = FIRST; scale <= LAST; scale++) {
    const need one = need_of(scale, EDGEFACTOR, 1), all = need_of(scale, EDGEFACTOR, P);
    fprintf(f, "%5d %12" PRIu64 " %14" PRIu64 " | %9.2f %9.2f %9.2f  %-16s", scale, one.vertices, one.entries,
            (double)one.build / GIB, (double)one.segments / GIB, (double)one.search / GIB,
            fits(&one, free_bytes));
    if (P > 1)
      fprintf(f, " | %9.2f %9.2f  %s", (double)all.build / GIB, (double)all.search / GIB,
              fits(&all, free_bytes));
    fputc('\n', f);
  }
}

static void report_needs(report *r) {
  static const char *const names[] = {"scale",
                                      "entries",
                                      "processes",
                                      "matrix_bytes",
                                      "build_bytes",
                                      "search_bytes",
                                      "build_in_pieces_bytes"};
  for (int scale = FIRST; scale <= LAST; scale++)
    for (int P = 1; P <= Grid_size(); P += Grid_size() > 1 ? Grid_size() - 1 : 1) {
      const need n = need_of(scale, EDGEFACTOR, P);
      const uint64_t values[] = {(uint64_t)scale, n.entries, (uint64_t)P, n.matrix,
                                 n.build,         n.search,  n.segments};
      report_row(r, "needs", 7, names, values);
    }
}

static int describe(report *r, uint64_t *free_bytes, int device) {
  int status = STATUS_OK;
  *free_bytes = 0;
  if (Grid_device_set(device) == GrB_SUCCESS)
    status = report_gpus(r, free_bytes);
  else
    report_text(r, "gpu", Grid_last_error());
  if (*free_bytes > 0) {
    report_count(r, "largest_scale_one_gpu", (uint64_t)need_largest(EDGEFACTOR, 1, *free_bytes));
    if (Grid_size() > 1)
      report_count(r, "largest_scale_this_grid",
                   (uint64_t)need_largest(EDGEFACTOR, Grid_size(), *free_bytes));
  }
  report_needs(r);
  return status;
}

int cmd_devices(const options *o) {
  output json = {NULL, NULL, NULL};
  report *r = report_new();
  uint64_t free_bytes;
  FILE *report_stream = output_report_stream(o);

  int status = fail_on_any(STATUS_INPUT, Grid_rank() == 0 && r == NULL ? "not enough memory" : NULL);
  if (status == STATUS_OK) status = output_open(&json, o->json);
  if (status == STATUS_OK) status = describe(r, &free_bytes, o->device);
  if (status == STATUS_OK) status = report_json(r, &json);
  if (status == STATUS_OK) status = output_commit(&json);
  if (status == STATUS_OK) {
    report_print(r, report_stream);
    print_needs(report_stream, free_bytes);
  }
  output_discard(&json);
  report_free(r);
  return status;
}
