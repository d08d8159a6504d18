/* The device: selected by the options, and described in reports. */
#include <inttypes.h>
#include <string.h>

#include "bench/program/program.h"

int device_choose(const options *o) {
  if (o->device == Grid_CPU || Grid_device_set(o->device) == GrB_SUCCESS) return STATUS_OK;
  return fail_library(NULL);
}

int device_report(report *r) {
  Grid_Device_Info d;
  uint64_t count;
  const char *text;

  report_text(r, "device", Grid_device() == Grid_CUDA ? "cuda" : "cpu");
  if (Grid_device() != Grid_CUDA) return STATUS_OK;
  GrB_Info info = Grid_device_info(&d);
  uint64_t bytes[2] = {d.held, d.peak};
  info = Grid_agree(info, NULL);
  if (info == GrB_SUCCESS) info = Grid_max(bytes, 2);
  if (info != GrB_SUCCESS) return fail_library("asking for the device");
  report_text(r, "gpu", d.name);
  report_count(r, "gpu_bytes", d.total);
  report_count(r, "gpu_bytes_held_largest_process", bytes[0]);
  report_count(r, "gpu_bytes_peak_largest_process", bytes[1]);
  for (int k = 0; (text = Grid_fallback(k, &count)) != NULL; k++) report_fallback(r, text, count);
  return STATUS_OK;
}

void device_print(FILE *f) {
  Grid_Device_Info d;
  uint64_t count;
  const char *text;

  if (Grid_rank() != 0 || Grid_device() != Grid_CUDA || Grid_device_info(&d) != GrB_SUCCESS) return;
  fprintf(f, "process 0: GPU %d of %d, %s, %.2f GiB, %.2f free; held %.2f, at most %.2f\n", d.number, d.count,
          d.name, (double)d.total / GIB, (double)d.free / GIB, (double)d.held / GIB, (double)d.peak / GIB);
  if (Grid_fallback(0, &count) == NULL) fprintf(f, "nothing was left to the CPU\n");
  for (int k = 0; (text = Grid_fallback(k, &count)) != NULL; k++)
    fprintf(f, "left to the CPU: %s, %" PRIu64 " time%s\n", text, count, count == 1 ? "" : "s");
  fflush(f);
}
