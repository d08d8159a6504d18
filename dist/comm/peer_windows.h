/* The windows of all processes (spmat/window.h), where NCCL is in use (a GPU for each process) and all are on
 * one machine whose GPUs see each other. GRIDBLAS_TUNE=peer=off: there are none. GRIDBLAS_SHARE_GPU=peer, for
 * tests: beside messages through host memory, too, and between processes that share a GPU, whose kernels then
 * get it by turns, and wait for each other that long. */
#ifndef GRID_PEER_WINDOWS_H
#define GRID_PEER_WINDOWS_H
#include "dist/comm/transport/transport.h"
#include "spmat/window.h"

/* Opens windows where they can exist. Called once the device transport is open. Collective, agreed on. */
GrB_Info grid_window_open(void);
/* Addresses of every process's window, as this GPU maps them; NULL: there are none. The same answer
 * everywhere. */
void *const *grid_window_addresses(void);
/* The next barrier of a set, of `turns` turns. Every process of the set calls it alike, without
 * communication, and starts its kernel (grid_window_barrier_agree). false: there are no windows, or the
 * set has one process. */
bool grid_window_barrier(grid_device_barrier *m, grid_set set, uint32_t turns);
/* Called after the kernel with the barrier was started, while it runs. Collective over the grid, agreed
 * on. Where one process could not start, the others stop waiting, and all windows are closed for good. */
GrB_Info grid_window_barrier_agree(grid_head *head, GrB_Info info);
/* *reserved: windows have receive buffers of at least `bytes` bytes, allocated here if missing. The same
 * answer everywhere. Collective, while no GPU uses windows. */
GrB_Info grid_window_reserve_buffers(uint64_t bytes, bool *reserved);
/* Frees the windows' receive buffers when memory is short. Collective, while no GPU uses windows. */
GrB_Info grid_window_release_buffers(void);
/* Windows grow to at least `bytes` bytes, the same number everywhere; new ones are zero. Collective if
 * they must grow, while no GPU uses them. GRID_UNSUPPORTED: memory is lacking, and there are no windows
 * from now on. */
GrB_Info grid_window_grow(uint64_t bytes);
/* Wakes the links between the GPUs before use, if they may sleep; wait: until they are awake. Local; does
 * nothing without windows. */
GrB_Info grid_window_warm_up(bool wait);
/* Called while the host waits for the device (grid_device_watch). Fails if another process's GPU has
 * failed since windows were opened, and releases kernels that wait for it. */
GrB_Info grid_window_check_peers(void);
/* Signals to the other processes that this process's GPU has failed. */
void grid_window_report_failure(void);
void grid_window_close(void);
#endif
