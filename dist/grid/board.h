/* Short messages between processes that all run on one machine, through memory that they share: each writes
 * what it has in its own place of a board, and reads what the others have written. All processes of a set
 * meet there. */
#ifndef GRID_BOARD_H
#define GRID_BOARD_H
#include "dist/grid/transport.h"

/* Bytes of a place: more does not go this way. */
enum { GRID_BOARD_ROOM = 4096 };

/* Tests set it: no board is opened, as where processes are on several machines. */
extern bool grid_board_refused;

/* A board for a set, whose processes comm (address of an MPI_Comm) has, if all of them are on this machine
 * and there is memory for it. local_size: how many processes are here. Collective; all of the set get the
 * same answer. */
bool grid_board_open(grid_set set, const void *comm, int local_size);
bool grid_board_is_open(grid_set set);
/* Shows `bytes`, GRID_BOARD_ROOM at most, to all others of the set, and waits until they have shown theirs:
 * that of process r stands at grid_board_of(set, r) until the next meeting. Collective; bytes may differ. */
void grid_board_meet(grid_set set, const void *mine, size_t bytes);
const char *grid_board_of(grid_set set, int r);
/* A flag on the board of all processes, not set at first. Any of them sets and sees it, at any time; where
 * there is no board it stays as it is. */
void grid_board_raise(bool flag);
bool grid_board_is_raised(void);
void grid_board_close(void);
#endif
