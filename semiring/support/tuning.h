/* Thresholds and switches of the library: one structure, grid_tune. GRIDBLAS_TUNE=NAME=VALUE,NAME=VALUE in
 * the environment of a program sets fields when the library starts (docs/settings.md); tests assign them.
 * Collective algorithms assume the same values on all processes. Only `nccl` follows process 0 alone. */
#ifndef GRID_TUNING_H
#define GRID_TUNING_H
#include <stdbool.h>
#include <stdint.h>

#include "GraphBLAS.h"

/* A threshold that no number reaches; "off" in the environment. */
#define GRID_TUNE_NEVER UINT64_MAX

/* FIELD(type, name, default, "unit: reason"), in the order of the modules that read them. */
#define GRID_TUNING_FIELDS(FIELD)                                                                           \
  /* semiring */                                                                                            \
  FIELD(bool, memory_cache, true, "freed memory is kept for reuse; off: it returns to the system at once")  \
  FIELD(uint64_t, cc_threshold, 20000000,                                                                   \
        "entries of work after which a CPU kernel is compiled, in the background; 0: at once, and awaited") \
  /* spmat */                                                                                               \
  FIELD(bool, build_times, false, "the phases of building a matrix are timed, on standard error")           \
  FIELD(bool, matrix_device, true, "entrywise operations on matrices run on the device when it is on")      \
  FIELD(uint64_t, fuse_after, 32,                                                                           \
        "times a sequence of device calls comes before it is fused; 0: at once, and awaited; off: never")   \
  FIELD(uint64_t, compile_wait_bytes, 1 << 26,                                                              \
        "bytes of a device call that waits for its kernel to be compiled: for less the CPU computes it")    \
  FIELD(uint64_t, device_segment, 0,                                                                        \
        "tuples of a segment in which a graph is generated on the device; 0: as many as fit")               \
  FIELD(uint64_t, index32_max, UINT32_MAX,                                                                  \
        "indices of a dimension that 32 bits number: longer ones have 64")                                  \
  FIELD(uint64_t, offsets64_from, (UINT64_C(1) << 32) - (1 << 20),                                          \
        "entries: a local matrix of so many needs 64-bit offsets; 32-bit counters may step over the last")  \
  FIELD(uint64_t, columns_window, 1 << 23,                                                                  \
        "bytes of the columns that consecutive rows use: more are scattered by ranges of columns first")    \
  FIELD(uint64_t, panel32_max, (UINT64_C(1) << 32) - 2,                                                     \
        "entries of a panel that device kernels with 32-bit counters read; 64 rows may exceed it")          \
  FIELD(uint64_t, sparse_push_share, 8,                                                                     \
        "words of an output bitmap whose clearing costs as much as an entry: a shorter list avoids it")     \
  FIELD(                                                                                                    \
      uint64_t, pull_serial_words, 256,                                                                     \
      "words of a row bitmap: a longer pull is divided among threads, and a shorter one with many entries") \
  FIELD(uint64_t, push_bins_degree, 20,                                                                     \
        "mean degree, for each thread beyond two, below which an ordered push uses bins; 0: never")         \
  FIELD(uint64_t, push_bins_edges, 1 << 16,                                                                 \
        "edges that a thread puts into bins before these are summed: they fit its cache")                   \
  FIELD(uint64_t, mxm_dense_words, 2,                                                                       \
        "words between the first and the last column a product: fewer make a row's accumulator dense")      \
  FIELD(uint64_t, mxm_sorted_words, 1 << 11,                                                                \
        "words between the first and the last column: fewer need no sorted products")                       \
  FIELD(uint64_t, degree_order_bytes, 0,                                                                    \
        "bytes of an input vector that a degree order pays for; 0: half of the second-level cache")         \
  FIELD(uint64_t, degree_order_pulls, 2, "pulls before a degree order is built, to repay building it")      \
  FIELD(double, degree_order_share, 0.5,                                                                    \
        "share of the entries that a sixteenth of the columns must hold: less is no hub structure")         \
  FIELD(uint64_t, degree_order_tries, 4, "pulls with a degree order before its time is judged")             \
  FIELD(double, degree_order_time_ratio, 0.95, "time with a degree order over time without that keeps it")  \
  FIELD(uint64_t, tiles_entries, 1 << 17, "entries of a matrix that balanced tiles pay for")                \
  FIELD(uint64_t, tiles_pulls, 1, "pulls before balanced tiles are built, to repay building them")          \
  FIELD(double, tiles_long_share, 0.25,                                                                     \
        "share of the entries in rows longer than a thread's: with less, rows are balanced already")        \
  FIELD(double, tiles_allowed_share, 0.4,                                                                   \
        "share of the outputs and entries that the mask must allow: tiles read all entries")                \
  FIELD(double, even_rows_ratio, 4,                                                                         \
        "longest row over the mean one: with less, a matrix of tiles_entries is even and needs no tiles")   \
  FIELD(uint64_t, tiles_order_entries, 1 << 24, "entries of a matrix whose tiles have columns by degree")   \
  FIELD(uint64_t, tiles_order_pulls, 3, "pulls before tiles get columns by degree")                         \
  FIELD(double, tiles_hub_share, 0.3,                                                                       \
        "share of the entries in the columns that fit shared memory: less does not pay for the order")      \
  FIELD(uint64_t, tiles_panel_entries, 1 << 22,                                                             \
        "entries of columns that fit shared memory that are worth a pass of their own")                     \
  FIELD(uint64_t, tiles_panel_columns, 1 << 16, "columns of such a pass, or those that fit if fewer")       \
  FIELD(double, device_hub_share, 0.3,                                                                      \
        "share of look-ups that hubs as bits must save a product on the device; 0: always; 2: never")       \
  FIELD(uint64_t, sparse_exchange_max, 16384,                                                               \
        "entries that a device exchange within a barrier may have; its buffers hold no more")               \
  FIELD(bool, packed_exchange, true, "longer vectors pass through the receive buffers of device windows")   \
  /* dist/grid, dist/comm, dist/object, dist/vector */                                                      \
  FIELD(uint64_t, uneven_partition, 0,                                                                      \
        "seed: every dimension is partitioned unevenly, by chance (tests); 0: evenly")                      \
  FIELD(bool, nccl, true, "messages between GPUs use NCCL; off: host memory and MPI; process 0 decides")    \
  FIELD(bool, peer, true, "GPUs read each other's memory; off on one process: messages alone, on all")      \
  FIELD(bool, paged_masks, false, "masked searches send out-of-core pages to the device, too")              \
  FIELD(bool, shm_mailbox, true, "short messages within a machine use shared memory; off: MPI alone")       \
  FIELD(bool, memory_pool, true,                                                                            \
        "calls on short vectors take memory that the system refuses from a pool; off: processes agree")     \
  FIELD(uint64_t, device_vector_min, 1 << 15,                                                               \
        "indices of a vector: calls on shorter ones use the host; 0: the device; off: the host, always")    \
  FIELD(uint64_t, device_matrix_min, 1 << 17,                                                               \
        "entries, rows or columns of a matrix: calls on smaller ones use the host; 0, off: as above")       \
  FIELD(uint64_t, processes_per_host, 0,                                                                    \
        "so many processes of a machine count as a machine of their own (tests); 0: all of them")           \
  FIELD(uint64_t, shm_min_bytes, 1 << 10, "bytes of a message that uses a shared-memory exchange")          \
  FIELD(uint64_t, shared_check_min, 1 << 14,                                                                \
        "indices given alike on all processes: so many are checked and routed by shares")                   \
  FIELD(uint64_t, shared_check_processes, 4,                                                                \
        "processes up to which each still reads all of a vector's indices: 1.0 ms against 1.7 for 2^18")    \
  /* dist/outofcore, dist/checkpoint, dist/io */                                                            \
  FIELD(uint64_t, direct_min_bytes, 1 << 16, "bytes: a shorter write passes through the page cache")        \
  FIELD(uint64_t, stripe_bytes, 1 << 20, "bytes of a stripe of a page file on several disks")               \
  FIELD(uint64_t, run_sample_step, 1024, "keys of a sorted run for each one kept in memory as a sample")    \
  FIELD(uint64_t, merge_segment, 1 << 14, "tuples merged from sorted runs at once: fits a cache")           \
  FIELD(uint64_t, page_entries, 4096, "entries of a page that is written: about two blocks of a disk")      \
  FIELD(uint64_t, page_read_bytes, UINT64_C(2) << 20, "bytes of pages that one request reads")              \
  FIELD(uint64_t, row_panel_min_bytes, 1 << 20, "bytes of a row panel of an out-of-core operation")         \
  FIELD(uint64_t, checkpoint_crash_at, GRID_TUNE_NEVER,                                                     \
        "step of writing a checkpoint at which the process ends (tests of recovery)")                       \
  FIELD(uint64_t, text_block, 0, "bytes of a text file that a thread parses at once; 0: by its size")       \
  FIELD(uint64_t, unpack_ratio, 128,                                                                        \
        "times its size that a compressed file may expand to, beyond 64 MiB; graphs reach 75; off: any")    \
  /* dist/matrix */                                                                                         \
  FIELD(bool, force_rows, false, "no matrix is stored as a bitmap (tests, measuring)")                      \
  FIELD(bool, force_bitmap, false, "a small matrix with new entries is stored as a bitmap (tests)")         \
  FIELD(bool, force_pages, false,                                                                           \
        "products of a matrix in memory read its block from pages in a file (tests)")                       \
  FIELD(uint64_t, device_page_entries, 0,                                                                   \
        "entries of a page: matrices stay in host memory and are streamed (tests); 0: by the device limit") \
  /* dist/plan */                                                                                           \
  FIELD(double, move_rate, 3e-8,                                                                            \
        "seconds that moving a unit of work takes; the first repartition replaces it by its own")           \
  /* dist/product */                                                                                        \
  FIELD(bool, zero_copy, true,                                                                              \
        "the device reads few entries of a streamed matrix from host memory; off: it copies pages")         \
  FIELD(uint64_t, cpu_page_ratio, 0,                                                                        \
        "pages of a streamed matrix for the device to one for the CPU; 0: by measured speed; off: none")    \
  FIELD(uint64_t, mxv_dense_max, UINT64_C(1) << 30,                                                         \
        "values of a dense array that a device product on several processes may build")                     \
  FIELD(uint64_t, device_lists_min_bytes, UINT64_C(1) << 22,                                                \
        "bytes of a dense input: a shorter one is sent whole between devices, without counting")            \
  FIELD(uint64_t, cpu_pages_min_bytes, 16 << 20,                                                            \
        "bytes of missing pages of a streamed matrix that the CPU's help may pay for")                      \
  FIELD(double, update_set_share, 0.5,                                                                      \
        "inputs that blocks name over all that are sent: with fewer, these alone are sent; 0: never")       \
  FIELD(uint64_t, update_set_products, 1,                                                                   \
        "products with a full input before an update set is made; off: never")                              \
  FIELD(uint64_t, tall_push_cost, 4, "entries that a pull reads in the time a push of mxm_tall reads one")  \
  FIELD(uint64_t, stage_bytes, UINT64_C(256) << 20, "bytes that mxm_stages may gather at a time")           \
  FIELD(uint64_t, mxm_bitmap_share, 16,                                                                     \
        "entries of B for each product that mxm over bitmaps needs to repay reading all of B")

typedef struct {
#define GRID_TUNING_MEMBER(type, name, standard, reason) type name;
  GRID_TUNING_FIELDS(GRID_TUNING_MEMBER)
#undef GRID_TUNING_MEMBER
  /* All settings of GRIDBLAS_TUNE, each of which ends with a 0, and an empty one: dist/plan/tune_method.h
   * finds the methods of operations among them. Process 0's on all processes. */
  union {
    uint64_t word[32];
    char text[32 * sizeof(uint64_t)];
  } settings;
} grid_tuning;
extern grid_tuning grid_tune;

/* Do 32 bits number n indices? Not the device's limit, which is UINT32_MAX. */
static inline bool grid_index_fits32(uint64_t n) {
  return n <= UINT32_MAX && n <= grid_tune.index32_max;
}

/* Sets the fields that text ("NAME=VALUE,NAME=VALUE") names. A value is a number, `on`, `off`, or `default`;
 * `off` is GRID_TUNE_NEVER for a count. The names `mxv`, `mxm` and `messages` are for grid_tune_method.
 * Error: GrB_INVALID_VALUE, worded; grid_tune is then unchanged. */
GrB_Info grid_tune_set(const char *text);
/* ... as GRIDBLAS_TUNE says. `report`: after an error the fields are listed on standard error. */
GrB_Info grid_tune_from_environment(bool report);
/* The method that is forced for an operation ("mxm"), or NULL. The same on every process. */
const char *grid_tune_method(const char *operation);
#endif
