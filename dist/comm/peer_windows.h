/* The windows of all processes (spmat/window.h), where NCCL is in use (a GPU for each process) and all are on
 * one machine whose GPUs see each other. GRIDBLAS_TUNE=peer=off: there are none. GRIDBLAS_SHARE_GPU=peer, for
 * tests: beside messages through host memory, too, and between processes that share a GPU, whose kernels then
 * get it by turns, and wait for each other that long. */
#ifndef GRID_PEER_WINDOWS_H
#define GRID_PEER_WINDOWS_H
#include "dist/comm/transport/transport.h"
#include "spmat/window.h"

/* Finds out whether there can be any. Collective, agreed on; where NCCL has been opened
 * (dist/comm/device_transport.c). */
GrB_Info grid_window_open(void);
/* Every process's, as this GPU sees them; NULL: there are none. The same answer everywhere. */
void *const *grid_window_addresses(void);
/* The next barrier of a set, of so many turns; all its processes ask alike, each for itself, and all start
 * what they asked for (grid_window_barrier_agree). false: there are no windows, or nobody to meet. */
bool grid_window_barrier(grid_device_barrier *m, grid_set set, uint32_t turns);
/* Behind the start of what meets, while it runs: agreed on by all processes, of all sets. Where one could not
 * start, nobody waits for it any longer, and there are no windows from now on. */
GrB_Info grid_window_barrier_agree(grid_head *head, GrB_Info info);
/* *there: barriers have receive buffers of so many bytes at least, which are made where they had not. The
 * same answer everywhere; collective. Nothing on any GPU may be using windows. */
GrB_Info grid_window_reserve_buffers(uint64_t bytes, bool *there);
/* Memory is wanted: windows have no receive buffers any more. Collective, while no GPU looks into them. */
GrB_Info grid_window_release_buffers(void);
/* They become at least so large: the same number everywhere. Collective where they were not, and then all 0.
 * GRID_UNSUPPORTED: there is no memory, and from now on there are none. Nothing on any GPU may be using them.
 */
GrB_Info grid_window_grow(uint64_t bytes);
/* Their links will soon be used. Local; nothing where there are none. */
GrB_Info grid_window_warm_up(void);
/* While the host waits for the device (grid_device_watch): fails where another process's GPU has failed since
 * windows were opened, and has whatever waits for it here go on. */
GrB_Info grid_window_check_peers(void);
/* This process's GPU has failed: tells the others so. */
void grid_window_report_failure(void);
void grid_window_close(void);
#endif
