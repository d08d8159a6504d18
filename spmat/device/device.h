/* A second memory for objects: the CUDA device's. All of this may be called in a build without CUDA, where
 * the device is never on. A pointer into device memory is a plain pointer that host code must not follow; its
 * owner also records where it points (`device` in grid_chunk and grid_local_matrix). */
#ifndef GRID_DEVICE_H
#define GRID_DEVICE_H
#include "semiring/semiring.h"
#include "semiring/threads/context_section.h"

/* ---- the backend in use -------------------------------------------------------------------------------- */

/* Of the context in use; changed by the functions below alone. is_due: the device is on, and not open yet. */
extern struct grid_device_flags {
  bool open, on, is_bypassed, is_due;
} grid_default_device_state GRID_DECLARED_OF_CONTEXT;
#define grid_device_state GRID_IN_CONTEXT(grid_default_device_state)
/* Has any context of the process ever turned the device on? Read first, since it does not need the context.
 */
extern bool grid_device_was_on;
static inline bool grid_device_may_be_on(void) {
  return __atomic_load_n(&grid_device_was_on, __ATOMIC_RELAXED);
}
/* True: new objects are made on the device, and others move there when they are used. False while a call
 * bypasses the device. */
static inline bool grid_device_is_on(void) {
  return grid_device_may_be_on() && grid_device_state.on && !grid_device_state.is_bypassed;
}
/* Has the program turned it on? */
bool grid_device_is_chosen(void);
/* True until false: the present call is computed on the host, as if the device was off
 * (dist/object/call_placement.h). */
void grid_device_bypass(bool on);
/* True: the device has been on at some time, so that objects may lie there, or may soon. */
static inline bool grid_device_is_open(void) {
  return grid_device_may_be_on() && (grid_device_state.open || grid_device_state.is_due);
}
/* How a context came to a GPU's number: the program has named it; it is that of the process on its machine;
 * or it is that modulo the number of visible ones, which processes then share. */
typedef enum { GRID_GPU_NAMED, GRID_GPU_OF_PROCESS, GRID_GPU_SHARED } grid_gpu_choice;
/* Turns the device on, or (on false) off; objects then stay where they are until they are used. The first
 * call of a context opens GPU `which` for it.
 * GrB_INVALID_VALUE, with a reason: no CUDA in this build, no driver, no GPU, or fewer GPUs than processes.
 * Local. */
GrB_Info grid_device_choose(bool on, int which, grid_gpu_choice choice);
/* Turns the device on, and leaves opening it to the first call that uses it: a program of small calls never
 * waits for that. For one process. */
void grid_device_choose_later(int which, grid_gpu_choice choice);
bool grid_device_is_opening_due(void); /* it is still left for later */
/* Opens the device if that was left for later. On failure the device is off: the reason is printed, and
 * reported as a fallback. */
GrB_Info grid_device_ensure_open(void);
/* True: a count of entries on the device may stay unknown until it is read. Set where calls may return before
 * their work is done. */
bool grid_device_is_count_deferred(void);
void grid_device_defer_counts(bool on);
/* Ends the use of the device by the context. */
void grid_device_close(void);
/* Calls of the thread concern the context's GPU: CUDA has a current GPU for each thread. */
void grid_device_enter_thread(void);

/* ---- limits -------------------------------------------------------------------------------------------- */

/* Bytes of a value; larger ones stay on the host. */
#define GRID_DEVICE_VALUE_MAX 64
static inline bool grid_device_can_hold(GrB_Type type) {
  return type->size <= GRID_DEVICE_VALUE_MAX;
}
/* Do the device's indices, of 32 bits, number this many rows and columns? */
static inline bool grid_device_can_index(uint64_t m, uint64_t n) {
  return m <= UINT32_MAX && n <= UINT32_MAX;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* NULL when out of memory; zero bytes give a block, too. Freed memory is reused by later requests of the same
 * stream without synchronisation. */
void *grid_device_malloc(uint64_t count, size_t size);
void grid_device_free(void *p); /* NULL is allowed */
/* One more owner of a live block: it is freed when all have freed it, in any context. Returns p. */
void *grid_device_retain(void *p);
/* Sets the most bytes that may be allocated from now on; 0: as many as the GPU has. Blocks that exist stay.
 * The peak is reset. */
void grid_device_set_limit(uint64_t bytes);
uint64_t grid_device_get_limit(void);
uint64_t grid_device_bytes_in_use(void);
/* Bytes that can still be allocated: within the limit, or on the GPU. */
uint64_t grid_device_free_bytes(void);
/* Memory pressure: how often, at most five times, vectors have been refused memory that matrices occupied.
 * Matrices then leave more of it free. A new limit resets it. */
void grid_device_raise_pressure(void);
unsigned grid_device_memory_pressure(void);
/* Sets the function that is called when a block does not fit. It frees `bytes` bytes of cached data, if it
 * can. */
void grid_device_set_reclaim(void (*reclaim)(uint64_t bytes));
/* Adds to the count of allocated bytes, for memory that was not allocated by grid_device_malloc. */
void grid_device_count_bytes(int64_t bytes);
/* GrB_OUT_OF_MEMORY. The message names the request, the bytes this process holds on the device, and the free
 * bytes. */
GrB_Info grid_device_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size);
/* How often grid_device_fail_memory was called. */
uint64_t grid_device_oom_count(void);
/* Converts the outcome of an operation that began when grid_device_oom_count() was `refusals`: lack of device
 * memory becomes GRID_UNSUPPORTED, since the host may have room. Lack of host memory stays an error. */
GrB_Info grid_device_oom_to_unsupported(GrB_Info info, uint64_t refusals);
/* Copies. get returns with the data; write may read `from` until it returns; copy and zero are in stream
 * order. */
GrB_Info grid_device_write(void *to_device, const void *from, uint64_t bytes);
GrB_Info grid_device_get(void *to, const void *from_device, uint64_t bytes);
GrB_Info grid_device_copy(void *to_device, const void *from_device, uint64_t bytes);
GrB_Info grid_device_zero(void *p, uint64_t bytes);
/* Allocates a block, stores its address in *to, and writes `from` to it; `what` is for the error message. */
GrB_Info grid_device_send(void *to, const void *from, uint64_t count, size_t size, const char *what);
/* Waits for all work except that on the side stream that was not joined. An error of an earlier kernel
 * appears here at the latest. */
GrB_Info grid_device_wait(void);
/* Records that work could not be started where no error can be returned, so that its result is wrong. From
 * then on waits, copies to the host and grid_device_check_failed fail with GrB_PANIC. */
void grid_device_mark_failed(void);
GrB_Info grid_device_check_failed(void);
/* Work between use_side_stream(true) and (false) follows the work before it; later work does not wait for it
 * until grid_device_wait_aside. Messages thus travel while the device computes. One such section before each
 * wait; no allocation inside it. */
GrB_Info grid_device_use_side_stream(bool begin);
/* True inside such a section. */
bool grid_device_is_on_side_stream(void);
GrB_Info grid_device_wait_aside(void);
/* Sets a function that is called repeatedly while the host waits for the device. Its failure ends the wait,
 * since work that waits for another process may never end. NULL: none. */
void grid_device_watch(GrB_Info (*check)(void));
GrB_Info grid_device_check(void); /* calls it once */
/* Test hook as grid_mem_fail_after, and the number of live device blocks. */
void grid_device_fail_after(int64_t k);
int64_t grid_device_live(void);
uint64_t grid_device_peak(void);

typedef struct {
  char name[96];
  int number, count;            /* this process's GPU, and the number of visible ones */
  uint64_t total, free, in_use; /* in bytes: of the GPU; free now; held by this process's objects */
  int multiprocessors;
} grid_device_facts;
GrB_Info grid_device_describe(grid_device_facts *f);

/* ---- time ---------------------------------------------------------------------------------------------- */

/* Sums the time that the device spends on the work between begin and end. Nothing is summed before the first
 * call of grid_device_time, which waits for the work and returns the sum in seconds. A failure shows at the
 * next wait, too. */
GrB_Info grid_device_time_begin(void);
GrB_Info grid_device_time_end(void);
double grid_device_time(void);

/* ---- unsupported operations ---------------------------------------------------------------------------- */

/* A CUDA kernel returns GRID_UNSUPPORTED for a case that it does not handle. Its caller runs the operation on
 * the CPU and reports that here (counted by text; Grid_fallback lists them). Never returned to a program. */
#define GRID_UNSUPPORTED ((GrB_Info)-30001)
void grid_report_fallback(const char *what);
/* The k-th text and its count; NULL after the last. */
const char *grid_fallback_text(int k, uint64_t *count);
void grid_fallback_reset(void);
/* The text that was reported first since the last call with `forget`, or NULL. */
const char *grid_fallback_first(bool forget);

#endif
