// Arguments of the kernels for vectors besides values: plain C, since the host fills them in. Bitmaps are in
// device memory and read as 32-bit words.
#ifndef GRID_VEC_ARGS_CUH
#define GRID_VEC_ARGS_CUH

// A tally publishes a kernel's count. Blocks add up in an accumulator, which kernels share and leave at zero,
// and the last block writes to host memory the count, perhaps a value, then the ticket.
typedef struct {
  unsigned long long ticket, count;
  unsigned char value[64] __attribute__((aligned(16)));
  unsigned char next[48];  // slots are 128 bytes apart
} grid_slot;
typedef struct {
  unsigned long long sum, arrived;
} grid_tally_accumulator;
typedef struct {
  grid_tally_accumulator *accumulator;
  grid_slot *slot;  // NULL: no result is needed
  unsigned long long ticket;
} grid_tally;

typedef enum { GRID_OLD_NONE, GRID_OLD_BITS, GRID_OLD_FULL } grid_old_entries;

// c<mask, replace> accum= t (vec_write.cuh)
typedef struct {
  uint64_t n;
  uint32_t *c;  // NULL: c is full and stays so
  const uint32_t *mask, *t;
  grid_old_entries old;  // c's entries before
  // mask: all of it is allowed; it is complemented. t: it has every entry; it has values of its own
  bool mask_all, mask_flip, t_full, t_values;
  bool accum, replace;
  grid_tally tally;  // entries of c afterwards
} grid_write_args;

// Operations on one vector u (vec_apply.cuh, vec_select.cuh, vec_reduce.cuh)
typedef struct {
  uint64_t n;
  const uint32_t *u;  // NULL: full
  uint32_t *t;        // the result's bits (NULL: it is full, as u is; a reduction has none)
  bool iso;           // u is iso
  uint64_t first;     // global index of u's entry 0
  grid_tally tally;
} grid_vec_args;

// t = u (op) v (vec_ewise.cuh)
typedef struct {
  uint64_t n;
  const uint32_t *u, *v;  // NULL: full
  uint32_t *t;            // NULL: the result is full
  bool u_iso, v_iso;
  grid_tally tally;
} grid_ewise_args;

// t = u and v (vec_bits.cuh)
typedef struct {
  uint64_t n;
  const uint32_t *u, *v;   // NULL: all indices
  uint32_t *t;             // NULL: only counted
  bool is_or, is_and_not;  // u or v; u without v
  grid_tally tally;
} grid_bits_args;

// All arguments of a pass over vectors, with arrays and single values, as one block: for a kernel of its own,
// or as a step of a fused one (spmat/cuda/vector/fused.h). Sizes are multiples of 16 bytes, so that
// consecutive steps are laid out as in a struct.
typedef struct {
  grid_ewise_args a;
  void *z;
  const void *u, *v;
} __attribute__((aligned(16))) grid_ewise_step;
typedef struct {  // apply and select
  grid_vec_args a;
  void *z;  // select: NULL if values are not copied (iso)
  const void *x;
  unsigned char bound_scalar[64] __attribute__((aligned(16)));
} grid_vec_step;
typedef struct {
  grid_write_args a;
  void *c;  // NULL: no value is written
  const void *t;
  // the value of an iso t, in c's and in its own type
  unsigned char c_iso[64] __attribute__((aligned(16))), t_iso[64] __attribute__((aligned(16)));
} grid_write_step;
typedef struct {
  grid_bits_args a;
} __attribute__((aligned(16))) grid_bits_step;

// Entries with equal indices (combine_sorted.cuh)
typedef enum { GRID_COMBINE_LOAD, GRID_COMBINE_REDUCE, GRID_COMBINE_STORE } grid_combine_step;
typedef struct {
  uint64_t m;
  const uint64_t *key;
  const uint32_t *start, *number;
  bool iso;  // x is iso
  grid_combine_step step;
  uint64_t distance;  // GRID_COMBINE_REDUCE: a power of 2
} grid_combine_args;
#endif
