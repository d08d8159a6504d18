// A product of matrices on the device as seen by its kernels. All pointers are device memory. Shared by host
// code and kernels compiled at run time.
#ifndef GRID_MXM_JOB_CUH
#define GRID_MXM_JOB_CUH

typedef struct {
  // rows of A, rows of B (dots: its columns), rows of the mask, and which of its entries count: bits, NULL:
  // all
  const uint32_t *a_ptr, *a_idx, *b_ptr, *b_idx, *m_ptr, *m_idx, *m_bits;
  const void *a, *b;  // values by entry; NULL: iso, the value being another parameter
  uint64_t n;         // columns of C (dots: inner indices): bits of a bitmap
  bool masked, mask_complement;
  // rows of this launch, longest first; blocks take the next one
  const uint32_t *list;
  uint32_t rows;
  uint32_t *next;
  // C: rows' entries begin at c_start; a count writes each row's number of entries
  const uint32_t *c_start;
  uint64_t *count;
  uint32_t *c_idx;
  void *c;
  // short rows are not counted before: the k-th of this launch goes to position k * GRID_MXM_SHORT, and is
  // counted
  bool uncounted;
  // if shared memory is too small: for each block its bitmaps, its sums
  uint32_t *bits;
  void *sums;
  bool shared_bits, shared_sums;
  // column sums: for each row of C a bit and a value of each column
  uint32_t *row_bits;
  void *row_values;
  // under a mask that bounds C: a value and a bit for each entry of the mask
  void *dot;
  uint32_t *dot_bits;
  // dots: inner indices by rank (NULL: unchanged), the first `smem` of which have bits in shared memory
  const uint32_t *a_rank, *b_rank;
  uint32_t smem;
  // by a full B: rows of A, and the entries from which on one is in the list
  uint64_t a_rows;
  uint32_t long_row;
  // dots by entry: rows and entries of the mask
  uint64_t m_rows, m_entries;
} grid_mxm_job;

enum {
  GRID_MXM_THREADS = 512,
  GRID_MXM_SHORT = 64,   // a row of fewer products is computed by a warp, with a hash table of
  GRID_MXM_SLOTS = 128,  // this many slots
  GRID_MXM_SHORT_THREADS = 256,
  GRID_MXM_COLUMNS = 256,          // so many columns have sums of each warp
  GRID_MXM_LOCKS = 128,            // for sums too large for an atomic operation
  GRID_MXM_PIECE = 4096,           // entries of a mask's row that a block takes at a time
  GRID_MXM_MASKED_SHORT = 256,     // a row of the mask with at most this many is taken by a warp
  GRID_MXM_DOTS_SHORT = 32,        // a row of A with at most this many entries, and a dot row that inspects
  GRID_MXM_DOTS_INSPECTED = 2048,  // fewer than this, are computed by a warp
  GRID_MXM_FULL_NARROW = 8,        // of so many columns a group takes one row, of more several
  GRID_MXM_DOTS_BY_THREAD = 8,     // by entry: up to so many look-ups are made by one thread
};

// By a full B: adjacent columns that a lane may take, of sums of so many bytes.
constexpr unsigned grid_mxm_full_adjacent(size_t value) {
  return value <= 8 ? 4 : 1;
}

// Words of a bitmap of n bits, and of a second one that marks its nonempty words.
#define GRID_MXM_WORDS(n)  (((n) + 1023) / 1024 * 32)
#define GRID_MXM_SPARSE(n) (((n) + 1023) / 1024)
#endif
