/* The update set of a process (Lux, section 4.4): the inputs that entries of its block name and other
 * processes own, in the literature also its halo. A product expands a full x by sending these alone, if
 * they are much fewer than all inputs. The set follows from the pattern: it is made once a matrix, at the
 * second such product, and each owner then knows which of its values go to whom. */
#ifndef GRID_UPDATE_SET_H
#define GRID_UPDATE_SET_H
#include "dist/grid/hooks.h"
#include "dist/product/dist_product.h"

typedef struct grid_update_set {
  /* send[send_start[r] .. send_start[r + 1]): what process r of the input set needs, indices of the local
   * chunk
   */
  uint64_t *send_start;
  uint32_t *send;
  /* named[named_start[s] .. named_start[s + 1]): what this process needs of process s, local ids of its input
   * axis; nothing of itself. On a hypersparse axis NULL, and the compact indices that are in chunk s are
   * named_start[s] .. named_start[s + 1] - 1. */
  uint64_t *named_start;
  uint32_t *named;
} grid_update_set;

/* After the choice of a method: sets p->choice.uses_update_set. Makes the set if it is time; where memory is
 * short on some process there is none. Collective, agreed on. */
GrB_Info grid_update_set_prepare(grid_product *p);
/* x over the block's inputs (as grid_expand), by an update set. Collective over the input set. */
GrB_Info grid_update_set_expand(grid_product *p, grid_input *in);
/* The same from one message of each process. Local. */
GrB_Info grid_update_set_input(const grid_product *p, const grid_received *got, grid_input *in);

/* May x be sent with its counts by an update set? It was last time, and this process's chunk is full. */
bool grid_update_set_is_expected(const grid_product *p);
/* Writes the messages into A's communication buffers, each behind `head` bytes. Local. */
GrB_Info grid_update_set_write(grid_product *p, size_t head);

extern const grid_cached_property grid_update_set_form;
#endif
