/* The error text of a worker thread. A thread that fails while it computes for a call of another thread
 * leaves its text here, for the calling thread to take (support/error.c). */
#ifndef GRID_WORKER_ERROR_H
#define GRID_WORKER_ERROR_H
#include <stdbool.h>
#include <stddef.h>

enum { GRID_ERROR_TEXT_SIZE = 2048 };

/* Records a text of at most GRID_ERROR_TEXT_SIZE - 1 characters; the last one counts. */
void grid_worker_error_record(const char *text);
/* Copies the recorded text, if there is one, to `text` (of GRID_ERROR_TEXT_SIZE characters) and discards it.
 */
void grid_worker_error_take(char *text);
/* Discards it: at the start of a call, when it belongs to an earlier one. */
void grid_worker_error_discard(void);
#endif
