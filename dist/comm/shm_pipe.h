/* A stream of records from the first process of a machine to the others there, through shared memory: one
 * ring of slots per reader. The writer waits while a ring is full, a reader while its ring is empty;
 * neither waits for a process that has left. */
#ifndef GRID_SHM_PIPE_H
#define GRID_SHM_PIPE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Header of a slot: one fragment of a record. Fragments come in order. */
typedef struct {
  uint64_t number, offset; /* of the record, as passed to grid_pipe_write */
  uint64_t length;         /* of the whole record */
  uint64_t first, bytes;   /* the fragment's offset in the record, and its bytes */
} grid_pipe_fragment;

/* Opens the pipes; false where a machine has one process or too little shared memory. One set of pipes at
 * a time. Collective; the same answer on all processes of a machine. */
bool grid_pipe_open(void);
/* Is this process its machine's writer? The others read. */
bool grid_pipe_writes(void);
/* Writes a record for process k; does nothing if k is not a reader on this machine. */
void grid_pipe_write(int k, uint64_t number, uint64_t offset, const char *record, size_t length);
/* The next fragment and its bytes, valid until grid_pipe_next. NULL: none has arrived, or, with `wait`,
 * the writer has left. */
const grid_pipe_fragment *grid_pipe_get(bool wait, const char **bytes);
void grid_pipe_next(void);
/* This process stops reading or writing. */
void grid_pipe_leave(void);
/* Collective on a machine with pipes. */
void grid_pipe_close(void);
#endif
