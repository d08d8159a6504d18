/* The choice of the device for the processes of the grid. */
#include "dist/comm/device_transport.h"
#include "dist/grid/process_grid.h"
#include "spmat/device/backend.h"
#include "spmat/device/context_device.h"
#include "spmat/device/kernel_waits.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* *choice = GRID_GPU_SHARED where GRIDBLAS_SHARE_GPU lets several processes use one GPU; a device that is
 * named by its number needs no leave. */
static GrB_Info check_sharing(grid_gpu_choice *choice, int device) {
  const char *share = getenv("GRIDBLAS_SHARE_GPU");
  *choice = GRID_GPU_NAMED;
  if (device != Grid_CUDA) return GrB_SUCCESS;
  const bool may_share = share && (strcmp(share, "1") == 0 || strcmp(share, "peer") == 0);
  *choice = may_share ? GRID_GPU_SHARED : GRID_GPU_OF_PROCESS;
  if (may_share || !share || !*share || strcmp(share, "0") == 0) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_device_set: GRIDBLAS_SHARE_GPU is \"%s\", not 0, 1 or peer",
                   share);
}

/* Unless a context names one, it takes the GPU of the default one, also where its processes are fewer. */
static int gpu_number(void) {
  return grid_default_ctx.local_rank;
}

/* Where one process cannot open its device, the others close theirs: all have one open, or none. */
static void close_opened(void) {
  grid_device_transport_close();
  grid_device_close();
}

/* A context has one GPU, where its objects and its stream are. */
static GrB_Info choose_gpu(int device, int *number) {
  const int used = grid_device_number();
  *number = device >= Grid_GPU(0) ? device - Grid_GPU(0) : used >= 0 ? used : gpu_number();
  if (used < 0 || used == *number) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_INVALID_VALUE,
                   "Grid_device_set: the context has used GPU %d, and cannot change to GPU %d", used,
                   *number);
}

GrB_Info Grid_device_set(int device) {
  GRID_CALL_SCOPE;
  GrB_Info info = grid_check_initialized("Grid_device_set");
  if (info != GrB_SUCCESS) return info;
  if (device < Grid_CPU)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_device_set: %d is none of Grid_CPU, Grid_CUDA, Grid_GPU",
                     device);
  const bool before = grid_device_is_on(), was_open = grid_device_is_open(), on = device != Grid_CPU,
             was_due = grid_device_is_opening_due();
  const grid_device_transport *transport;
  grid_gpu_choice choice = GRID_GPU_NAMED;
  int number = 0;
  if (on) info = choose_gpu(device, &number);
  if (info == GrB_SUCCESS) info = check_sharing(&choice, device);
  if (info == GrB_SUCCESS) info = grid_device_choose(on, number, choice);
  info = grid_agree(NULL, info);
  /* opened here, so that the first matrix or product does not pay for it */
  if (info == GrB_SUCCESS && on) info = grid_device_transport_get(&transport);
  grid_device_defer_counts(!grid_ctx.blocking);
  grid_device_allow_cpu_meanwhile(grid_ctx.P == 1);
  if (info != GrB_SUCCESS && !was_due)
    grid_device_choose(before, number, GRID_GPU_SHARED); /* else it is due still */
  if (info != GrB_SUCCESS && !was_open) close_opened();
  return info;
}

int Grid_device_of(const char *name) {
  static const char gpu[] = "cuda:";
  enum { DIGITS = 8 };
  if (!name) return -1;
  if (strcmp(name, "cpu") == 0) return Grid_CPU;
  if (strcmp(name, "cuda") == 0) return Grid_CUDA;
  const char *number = name + strlen(gpu);
  if (strncmp(name, gpu, strlen(gpu)) != 0) return -1;
  const size_t digits = strspn(number, "0123456789");
  return digits > 0 && digits <= DIGITS && !number[digits] ? Grid_GPU((int)strtol(number, NULL, 10)) : -1;
}

int Grid_device(void) {
  return grid_device_is_chosen() ? Grid_CUDA : Grid_CPU;
}

/* NVIDIA's driver is loaded: the device can probably be opened when it is needed. */
static bool is_driver_loaded(void) {
  return access("/dev/nvidiactl", F_OK) == 0;
}

GrB_Info grid_device_from_environment(void) {
  const char *text = getenv("GRIDBLAS_DEVICE");
  const int device = text && *text ? Grid_device_of(text) : Grid_CPU;
  GrB_Info info = GrB_SUCCESS;
  if (device < 0)
    info = grid_fail(
        NULL, GrB_INVALID_VALUE,
        "Grid_init: GRIDBLAS_DEVICE is \"%.40s\", not cpu, cuda, or cuda:1 with the number of a GPU", text);
  info =
      grid_agree_equal(NULL, info, &(grid_argument){"GRIDBLAS_DEVICE", device != Grid_CPU}, 1, "Grid_init");
  if (info != GrB_SUCCESS || device == Grid_CPU) return info;
  if (grid_ctx.P > 1 || !grid_cuda || !is_driver_loaded()) return Grid_device_set(device);
  grid_gpu_choice choice;
  info = check_sharing(&choice, device);
  if (info != GrB_SUCCESS) return info;
  grid_device_choose_later(device == Grid_CUDA ? gpu_number() : device - Grid_GPU(0), choice);
  grid_device_defer_counts(!grid_ctx.blocking);
  grid_device_allow_cpu_meanwhile(grid_ctx.P == 1);
  return info;
}

GrB_Info Grid_device_info(Grid_Device_Info *d) {
  GRID_CALL_SCOPE;
  grid_device_facts f;
  if (!d) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_device_info: argument d is NULL");
  GrB_Info info = grid_device_describe(&f);
  if (info != GrB_SUCCESS) return info;
  *d = (Grid_Device_Info){.number = f.number,
                          .count = f.count,
                          .total = f.total,
                          .free = f.free,
                          .held = f.in_use,
                          .peak = grid_device_peak()};
  memcpy(d->name, f.name, sizeof d->name);
  return GrB_SUCCESS;
}

double Grid_device_time(void) {
  GRID_CALL_SCOPE;
  return grid_device_is_chosen() ? grid_device_time() : 0;
}

const char *Grid_fallback(int k, uint64_t *count) {
  return grid_fallback_text(k, count);
}
