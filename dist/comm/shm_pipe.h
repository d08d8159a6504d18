/* Bytes from the first process of a machine to the others there, as they come, through memory that they
 * share: a ring of slots for each of them. Who writes waits while a ring is full, who reads while it is
 * empty; neither waits for a process that has left. */
#ifndef GRID_SHM_PIPE_H
#define GRID_SHM_PIPE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a slot holds: a part of a record, whose parts come one after the other. */
typedef struct {
  uint64_t number, offset; /* the record's, as the writer says them */
  uint64_t length;         /* of the whole record */
  uint64_t first, bytes;   /* of this part: where in the record, how many */
} grid_pipe_fragment;

/* Are there pipes, as where each machine has one process, or its shared memory is scarce? One set at a time.
 * Collective; the same on all processes of a machine. */
bool grid_pipe_open(void);
/* Does this process write? The others of its machine read. */
bool grid_pipe_writes(void);
/* A record to process k, if it is on this machine, and reads. */
void grid_pipe_write(int k, uint64_t number, uint64_t offset, const char *record, size_t length);
/* The next part, and its bytes, which grid_pipe_next gives back; NULL: there is none yet, or, if it was
 * waited for, none will come. */
const grid_pipe_fragment *grid_pipe_get(bool wait, const char **bytes);
void grid_pipe_next(void);
/* This process reads, or writes, no more. */
void grid_pipe_leave(void);
/* Collective on a machine that has pipes. */
void grid_pipe_close(void);
#endif
