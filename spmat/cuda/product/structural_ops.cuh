// The operator of products of which only the pattern is made, for kernels that are compiled in. Comes behind
// a source of spmat/cuda/kernels.
#ifndef GRID_STRUCTURAL_OPS_CUH
#define GRID_STRUCTURAL_OPS_CUH
struct grid_structural_ops {
  typedef uint8_t z_t, a_t, x_t;
  enum : bool {
    structural = true,
    any = true,
    positional = false,
    uses_a_values = false,
    uses_x_values = false,
    has_done = false
  };
  enum : int { native = GRID_BY_CAS };
};
#endif
