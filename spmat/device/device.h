/* A second memory that objects may live in: the CUDA device's. Everything here may be called in a build
 * without CUDA, where the device is never on. Pointers into device memory are plain pointers that host code
 * never follows; who owns one also knows where it lies (`device` in grid_chunk and grid_local_matrix). */
#ifndef GRID_DEVICE_H
#define GRID_DEVICE_H
#include "semiring/semiring.h"

/* ---- which backend ------------------------------------------------------------------------------------- */

/* Is the CUDA backend chosen now? Objects are then made on the device and move there when they are used. */
bool grid_device_is_on(void);
/* Has it ever been on? Objects may lie on the device then, though it is off. */
bool grid_device_is_open(void);
/* Opens GPU number `which` modulo the visible ones for this process (the first call only; `sharing`: several
 * processes may have the same one, else which must be below their number) and turns the backend on; or turns
 * it off (on = false): objects stay where they are until they are used. GrB_INVALID_VALUE with the reason:
 * built without CUDA, no driver, no GPU, fewer GPUs than processes. Local. */
GrB_Info grid_device_choose(bool on, int which, bool sharing);
/* May what is counted on the device become known only when it is asked for? Set by who knows that calls need
 * not be over when they return. */
extern bool grid_device_counts_deferred;
/* Gives everything back, at GrB_finalize. */
void grid_device_close(void);

/* ---- memory -------------------------------------------------------------------------------------------- */

/* NULL when out of memory; zero bytes give a block too. Freed memory serves later requests of the same
 * stream without a synchronisation. */
void *grid_device_malloc(uint64_t count, size_t size);
void grid_device_free(void *p); /* NULL is allowed */
/* At most so many bytes are held from now on; 0: as many as the GPU has. What is held already stays.
 * The peak is counted anew. */
void grid_device_set_limit(uint64_t bytes);
uint64_t grid_device_get_limit(void);
uint64_t grid_device_bytes_in_use(void);
/* What could still be asked for: of the limit, or of the GPU. */
uint64_t grid_device_free_bytes(void);
/* Vectors have been refused room that matrices had: these shall leave more of it. How often that was, five
 * times at most; a new limit begins anew. */
void grid_device_raise_pressure(void);
unsigned grid_device_memory_pressure(void);
/* reclaim(bytes) is called where a block does not fit, and frees so much, if it can, of what can be had
 * again. */
void grid_device_set_reclaim(void (*reclaim)(uint64_t bytes));
/* Counts so many bytes more, or fewer, as held: for memory that is no block of the above. */
void grid_device_count_bytes(int64_t bytes);
/* GrB_OUT_OF_MEMORY: says what was asked for, what this process holds on the device and what is free. */
GrB_Info grid_device_fail_memory(grid_head *head, const char *what, uint64_t count, size_t size);
/* How often it has been said. */
uint64_t grid_device_oom_count(void);
/* An outcome of what began after so many of them: want of the device's memory is no error, but
 * GRID_UNSUPPORTED, since the host may have it. Want of the host's own is one. */
GrB_Info grid_device_oom_to_unsupported(GrB_Info info, uint64_t refusals);
/* Copies; get has the data when it returns, put may use `from` until then only, copy and zero are in stream
 * order. */
GrB_Info grid_device_write(void *to_device, const void *from, uint64_t bytes);
GrB_Info grid_device_get(void *to, const void *from_device, uint64_t bytes);
GrB_Info grid_device_copy(void *to_device, const void *from_device, uint64_t bytes);
GrB_Info grid_device_zero(void *p, uint64_t bytes);
/* put to a block made for it, *to; `what` is for the error. */
GrB_Info grid_device_send(void *to, const void *from, uint64_t count, size_t size, const char *what);
/* Waits for all work but what was sent aside and not joined; an error of an earlier kernel shows here at the
 * latest. */
GrB_Info grid_device_wait(void);
/* Work could not be started where nobody can be told of it: what it should have made is wrong. From then on
 * waits and copies to the host end with GrB_PANIC, and so does whoever asks here. */
void grid_device_mark_failed(void);
GrB_Info grid_device_check_failed(void);
/* What is asked for between aside(true) and aside(false) follows what was before, and what comes after does
 * not wait for it until join: messages travel while the device computes. Once before each join; no memory is
 * asked for between. */
GrB_Info grid_device_use_side_stream(bool begin);
/* Between its beginning and its end? */
bool grid_device_is_on_side_stream(void);
GrB_Info grid_device_wait_aside(void);
/* check is called again and again while the host waits for the device, and its failure ends the wait: work
 * that waits for another process may never be done. NULL: nobody asks. */
void grid_device_watch(GrB_Info (*check)(void));
GrB_Info grid_device_check(void); /* asks once */
/* Test hook like grid_mem_fail_after, and the count of live device blocks. */
void grid_device_fail_after(int64_t k);
int64_t grid_device_live(void);
uint64_t grid_device_peak(void);

typedef struct {
  char name[96];
  int number, count;            /* this process's GPU, and how many it sees */
  uint64_t total, free, in_use; /* bytes: of the GPU; free now; held by this process's objects */
  int multiprocessors;
} grid_device_facts;
GrB_Info grid_device_describe(grid_device_facts *f);

/* ---- what the device lacks ----------------------------------------------------------------------------- */

/* A CUDA kernel answers GRID_UNSUPPORTED when it does not do this case; its caller does it on the CPU and
 * reports it here (counted per text; Grid_fallbacks lists them). Never returned to a program. */
#define GRID_UNSUPPORTED ((GrB_Info)-30001)
void grid_report_fallback(const char *what);
/* The k-th text and its count; NULL behind the last. */
const char *grid_fallback_text(int k, uint64_t *count);
void grid_fallback_reset(void);

#endif
