/* Messages between the leaders of two machines (two_level.h): the segments from all processes of one to all
 * of the other, equal ones once.
 *   length, failed, word[from][to], head[from], segments of the first sender, of the second ... */
#ifndef GRID_MACHINE_MESSAGES_H
#define GRID_MACHINE_MESSAGES_H
#include "dist/comm/transport/machines/machine_groups.h"

/* A word describes a segment: its bytes, and whether it is the one for the receiver before. */
#define GRID_SAME_SEGMENT ((uint64_t)1 << 63)
static inline size_t grid_word_bytes(uint64_t word) {
  return (size_t)(word & ~GRID_SAME_SEGMENT);
}
static inline size_t grid_padded(size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

/* Lengths and places of the messages to send. False: there is memory for their headers alone. */
bool grid_reserve_messages(grid_machine_group *g, size_t head);
/* Writes the header for a machine and copies the leader's own segments, at send + off[rank]. Adds to g->in,
 * which has n ranges, where the other segments come from; returns the new n. */
size_t grid_write_message(grid_machine_group *g, const char *send, const size_t *off, int machine,
                          size_t head, bool failed, size_t n);
/* Bytes of the longest header that arrives here. */
size_t grid_header_stride(const grid_machine_group *g, size_t head);
/* Sends and receives the messages; the block gets the outcome (0, 1: no memory, 2: MPI's error) and the
 * headers, grid_header_stride bytes each. */
GrB_Info grid_exchange_messages(grid_machine_group *g, size_t stride);

typedef struct {
  const uint64_t *word; /* of the header */
  const char *heads;
  size_t bytes; /* of its segments, without the header */
  bool failed;  /* the sender had no memory: no segments */
} grid_message_in;
/* The message from another machine, by the header in the block. */
grid_message_in grid_message_from(const grid_machine_group *g, int machine, size_t stride);

/* Bytes that this process has sent to other machines in two levels. */
extern uint64_t grid_default_two_level_sent GRID_DECLARED_OF_CONTEXT;
#define grid_two_level_sent GRID_IN_CONTEXT(grid_default_two_level_sent)
#endif
