/* Accounting of device memory, as for the host's, and the record of operations that the device does not
 * support. */
#include "spmat/device/device.h"

#include <stdio.h>
#include <string.h>

#include "semiring/support/tuning.h"
#include "semiring/threads/api_lock.h"
#include "spmat/device/backend.h"
#include "spmat/device/context_device.h"
#include "spmat/device/device_blocks.h"
#include "spmat/device/device_lost.h"
#include "spmat/device/kernel_waits.h"

enum { FALLBACKS = 128 };

/* The device of a context. */
static struct {
  bool is_side_stream, is_timed, failed;
  int number; /* of the GPU; -1: not open */
  grid_device_account account;
  grid_device_account *recipient; /* for which new blocks count; NULL: `account` */
  uint64_t limit;
  int64_t fail_after;
  unsigned pressure;
  void (*reclaim)(uint64_t bytes);
  GrB_Info (*wait_check)(void); /* called with each wait, or NULL */
  void (*loss_handler)(void);   /* called when the device is lost, or NULL */
  struct {
    int which;
    grid_gpu_choice choice;
  } opening;                     /* grid_device_state.is_due */
  bool counts_deferred;          /* counts of entries may stay on the device until they are read */
  bool is_cpu_allowed_meanwhile; /* for grid_device_waits_for_kernel */
  uint64_t refusals;
  /* Operations that the device does not support, with how often they came. */
  struct {
    struct {
      char text[96];
      uint64_t count;
    } row[FALLBACKS];
    int n;
    const char *first; /* for grid_fallback_first */
  } fallbacks;
} default_device GRID_OF_CONTEXT = {.number = -1, .fail_after = -1};
#define device GRID_IN_CONTEXT(default_device)

struct grid_device_flags grid_default_device_state GRID_OF_CONTEXT;
bool grid_device_was_on;

static void note_use(void) {
  __atomic_store_n(&grid_device_was_on, true, __ATOMIC_RELAXED);
  grid_call_set_prepare(grid_device_enter_thread);
}

const grid_backend *grid_cpu, *grid_cuda;

void grid_backend_register(const grid_backend *cpu, const grid_backend *cuda) {
  grid_cpu = cpu, grid_cuda = cuda;
}

bool grid_device_is_chosen(void) {
  return grid_device_state.on;
}

void grid_device_bypass(bool on) {
  grid_device_state.is_bypassed = on;
}

bool grid_device_is_count_deferred(void) {
  return device.counts_deferred;
}

void grid_device_defer_counts(bool on) {
  device.counts_deferred = on;
}

void grid_device_allow_cpu_meanwhile(bool allowed) {
  device.is_cpu_allowed_meanwhile = allowed;
}

bool grid_device_waits_for_kernel(uint64_t bytes) {
  return !device.is_cpu_allowed_meanwhile || bytes >= grid_tune.compile_wait_bytes;
}

static GrB_Info open_device(int which, grid_gpu_choice choice) {
  int number;
  const GrB_Info info = grid_cuda->memory->open(which, choice, &number);
  if (info != GrB_SUCCESS) return info;
  device.number = number;
  grid_device_state.open = true;
  if (grid_cuda->prepare) grid_cuda->prepare();
  return info;
}

GrB_Info grid_device_choose(bool on, int which, grid_gpu_choice choice) {
  if (on && !grid_cuda)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "the device cuda: this build has no CUDA backend (compiled without the CUDA toolkit, or "
                     "with GRIDBLAS_CUDA=OFF)");
  if (on) note_use();
  const GrB_Info info = on && !grid_device_state.open ? open_device(which, choice) : GrB_SUCCESS;
  if (info != GrB_SUCCESS) return info;
  grid_device_state.on = on;
  grid_device_state.is_due = false;
  return GrB_SUCCESS;
}

void grid_device_choose_later(int which, grid_gpu_choice choice) {
  note_use();
  grid_device_state.on = true;
  grid_device_state.is_due = !grid_device_state.open;
  device.opening.which = which, device.opening.choice = choice;
}

bool grid_device_is_opening_due(void) {
  return grid_device_state.is_due;
}

GrB_Info grid_device_ensure_open(void) {
  if (!grid_device_state.is_due) return GrB_SUCCESS;
  grid_device_state.is_due = false;
  const GrB_Info info = grid_device_choose(true, device.opening.which, device.opening.choice);
  if (info == GrB_SUCCESS) return info;
  grid_device_state.on = false;
  fprintf(stderr, "gridblas: %s; every call runs on the CPU\n", grid_last_error());
  grid_report_fallback("every call, since the device could not be opened");
  return info;
}

/* Blocks that are left are those of views. */
void grid_device_close(void) {
  if (grid_device_state.open) grid_cuda->memory->close();
  grid_device_state.open = grid_device_state.on = grid_device_state.is_due = false;
  grid_blocks_detach(&device.account);
  grid_call_set_prepare(NULL);
  device.failed = false;
  device.pressure = 0;
  device.number = -1;
}

int grid_device_number(void) {
  return device.number;
}

void grid_device_enter_thread(void) {
  if (grid_device_state.open && grid_cuda->memory->enter_thread) grid_cuda->memory->enter_thread();
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool is_test_failure(void) {
  if (device.fail_after > 0)
    device.fail_after--;
  else if (device.fail_after == 0)
    return true;
  return false;
}

void grid_device_count_bytes(int64_t bytes) {
  grid_account_add(&device.account, bytes);
}

void grid_device_set_limit(uint64_t bytes) {
  device.limit = bytes;
  device.pressure = 0;
  grid_account_reset_peak(&device.account);
}
void grid_device_raise_pressure(void) {
  enum { MAX_PRESSURE = 5 };
  if (device.pressure < MAX_PRESSURE) device.pressure++;
}
unsigned grid_device_memory_pressure(void) {
  return device.pressure;
}
uint64_t grid_device_get_limit(void) {
  return device.limit;
}
uint64_t grid_device_bytes_in_use(void) {
  return device.account.bytes;
}

static uint64_t bytes_below_limit(void) {
  if (!device.limit) return UINT64_MAX;
  const uint64_t bytes = grid_device_bytes_in_use();
  return bytes < device.limit ? device.limit - bytes : 0;
}

uint64_t grid_device_free_bytes(void) {
  grid_device_facts f;
  const uint64_t left = bytes_below_limit();
  if (!grid_device_state.open || grid_cuda->memory->describe(&f) != GrB_SUCCESS) return left;
  return f.free < left ? f.free : left;
}

void grid_device_set_reclaim(void (*reclaim)(uint64_t bytes)) {
  device.reclaim = reclaim;
}

/* Allocates within the limit; cached data of others is reclaimed first. */
static void *find_block(uint64_t bytes) {
  const uint64_t left = bytes_below_limit();
  if (bytes > left && device.reclaim) device.reclaim(bytes - left);
  if (bytes > bytes_below_limit()) return NULL;
  void *p = grid_cuda->memory->alloc(bytes);
  if (p || !device.reclaim) return p;
  device.reclaim(bytes);
  return grid_cuda->memory->alloc(bytes);
}

void *grid_device_malloc(uint64_t count, size_t size) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, (uint64_t)size, &bytes) || is_test_failure() ||
      grid_device_ensure_open() != GrB_SUCCESS || !grid_device_state.open)
    return NULL;
  if (bytes > UINT64_MAX - 16) return NULL;
  bytes = bytes ? (bytes + 15) / 16 * 16 : 16; /* kernels may access words of up to 16 bytes */
  void *p = find_block(bytes);
  if (!p || grid_block_add(device.recipient ? device.recipient : &device.account, p, bytes)) return p;
  grid_cuda->memory->release(p, bytes);
  return NULL;
}

void *grid_device_retain(void *p) {
  grid_block_add_owner(p);
  return p;
}

/* Where others have the block, they may free it in another stream: work on it here ends before. */
void grid_device_free(void *p) {
  const grid_device_account *account = NULL;
  if (!p) return;
  if (grid_block_has_owners(p)) (void)grid_device_wait();
  const uint64_t bytes = grid_block_end_owner(p, &account);
  if (!bytes) return;
  if (account == &device.account)
    grid_cuda->memory->release(p, bytes);
  else
    grid_cuda->memory->release_foreign(p);
}

/* ---- copies for other contexts ---- */

grid_device_recipient grid_device_as_recipient(void) {
  const bool is_open = grid_device_is_open() && !grid_device_is_opening_due();
  return (grid_device_recipient){&device.account, is_open ? device.number : -1};
}

bool grid_device_begin_transfer(const grid_device_recipient *to) {
  if (to->number < 0 || to->number != device.number) return false;
  device.recipient = to->account;
  return true;
}

GrB_Info grid_device_end_transfer(void) {
  device.recipient = NULL;
  return grid_device_wait();
}

GrB_Info grid_device_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size) {
  grid_device_facts f = {.number = -1};
  char limit[64] = "";
  device.refusals++;
  if (grid_device_state.open) grid_cuda->memory->describe(&f);
  if (device.limit) snprintf(limit, sizeof limit, ", the limit being %.2f", (double)device.limit / (1 << 30));
  return grid_fail(head, GrB_OUT_OF_MEMORY,
                   "out of device memory: %s needs %llu x %zu bytes (%.2f GiB); GPU %d has %.2f GiB free of "
                   "%.2f, and this process's objects hold %.2f GiB of it%s",
                   what, (unsigned long long)count, size, (double)count * (double)size / (1 << 30), f.number,
                   (double)f.free / (1 << 30), (double)f.total / (1 << 30),
                   (double)grid_device_bytes_in_use() / (1 << 30), limit);
}

uint64_t grid_device_oom_count(void) {
  return device.refusals;
}

GrB_Info grid_device_oom_to_unsupported(GrB_Info info, uint64_t refusals) {
  return info == GrB_OUT_OF_MEMORY && device.refusals != refusals ? GRID_UNSUPPORTED : info;
}

GrB_Info grid_device_write(void *to, const void *from, uint64_t bytes) {
  return bytes ? grid_cuda->memory->copy(to, from, bytes, 0) : GrB_SUCCESS;
}
GrB_Info grid_device_send(void *to, const void *from, uint64_t count, size_t size, const char *what) {
  void *made = grid_device_malloc(count, size);
  memcpy(to, &made, sizeof made); /* works for a pointer of any type */
  return made ? grid_device_write(made, from, count * size)
              : grid_device_fail_memory(NULL, what, count, size);
}
GrB_Info grid_device_get(void *to, const void *from, uint64_t bytes) {
  GrB_Info info = bytes ? grid_cuda->memory->copy(to, from, bytes, 1) : GrB_SUCCESS;
  return info == GrB_SUCCESS ? grid_device_check_failed() : info;
}
GrB_Info grid_device_copy(void *to, const void *from, uint64_t bytes) {
  return bytes ? grid_cuda->memory->copy(to, from, bytes, 2) : GrB_SUCCESS;
}
GrB_Info grid_device_zero(void *p, uint64_t bytes) {
  return bytes ? grid_cuda->memory->zero(p, bytes) : GrB_SUCCESS;
}
GrB_Info grid_device_wait(void) {
  GrB_Info info = grid_device_state.open ? grid_cuda->memory->wait() : GrB_SUCCESS;
  return info == GrB_SUCCESS ? grid_device_check_failed() : info;
}

GrB_Info grid_device_time_begin(void) {
  return device.is_timed ? grid_cuda->timer->begin() : GrB_SUCCESS;
}
GrB_Info grid_device_time_end(void) {
  return device.is_timed ? grid_cuda->timer->end() : GrB_SUCCESS;
}
double grid_device_time(void) {
  double sum = 0;
  if (!grid_device_state.open || !grid_cuda->timer) return 0;
  device.is_timed = true;
  (void)grid_cuda->timer->seconds(&sum);
  return sum;
}

void grid_device_mark_failed(void) {
  device.failed = true;
}
GrB_Info grid_device_check_failed(void) {
  if (!device.failed) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "the device: work of an earlier call could not be started on the GPU");
}

GrB_Info grid_device_use_side_stream(bool begin) {
  GrB_Info info = grid_cuda->memory->use_side_stream(begin);
  device.is_side_stream = begin && info == GrB_SUCCESS;
  return info;
}
bool grid_device_is_on_side_stream(void) {
  return device.is_side_stream;
}
GrB_Info grid_device_wait_aside(void) {
  return grid_cuda->memory->wait_aside();
}

GrB_Info grid_device_check(void) {
  return device.wait_check ? device.wait_check() : GrB_SUCCESS;
}

void grid_device_watch(GrB_Info (*check)(void)) {
  device.wait_check = check;
  if (grid_device_state.open) grid_cuda->memory->watch(check);
}

void grid_device_set_loss_handler(void (*f)(void)) {
  device.loss_handler = f;
}
void grid_device_report_loss(void) {
  if (device.loss_handler) device.loss_handler();
}

void grid_device_fail_after(int64_t k) {
  device.fail_after = k;
}
int64_t grid_device_live(void) {
  return grid_blocks_live();
}
uint64_t grid_device_peak(void) {
  return device.account.peak;
}

GrB_Info grid_device_describe(grid_device_facts *f) {
  (void)grid_device_ensure_open();
  if (!grid_device_state.open) return grid_fail(NULL, GrB_INVALID_VALUE, "no CUDA device is in use");
  GrB_Info info = grid_cuda->memory->describe(f);
  if (info != GrB_SUCCESS) return info;
  const uint64_t left = bytes_below_limit();
  f->in_use = grid_device_bytes_in_use();
  if (left < f->free) f->free = left; /* callers that check beforehand see what the limit allows */
  return info;
}

/* ---- unsupported operations ---------------------------------------------------------------------------- */

void grid_report_fallback(const char *what) {
  int k = 0;
  if (grid_device_state.is_bypassed) return; /* the host computes the call by choice */
  while (k < device.fallbacks.n &&
         strncmp(device.fallbacks.row[k].text, what, sizeof device.fallbacks.row[k].text - 1) != 0)
    k++;
  if (k == FALLBACKS) return;
  if (k == device.fallbacks.n) {
    strncpy(device.fallbacks.row[k].text, what, sizeof device.fallbacks.row[k].text - 1);
    device.fallbacks.n++;
  }
  device.fallbacks.row[k].count++;
  if (!device.fallbacks.first) device.fallbacks.first = device.fallbacks.row[k].text;
}

const char *grid_fallback_first(bool forget) {
  if (forget) device.fallbacks.first = NULL;
  return device.fallbacks.first;
}

const char *grid_fallback_text(int k, uint64_t *count) {
  if (k < 0 || k >= device.fallbacks.n) return NULL;
  if (count) *count = device.fallbacks.row[k].count;
  return device.fallbacks.row[k].text;
}

void grid_fallback_reset(void) {
  memset(device.fallbacks.row, 0, sizeof device.fallbacks.row);
  device.fallbacks.n = 0;
  device.fallbacks.first = NULL;
}
