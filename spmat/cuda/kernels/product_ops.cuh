// The semiring of a product's kernels that are compiled at run time. The preamble
// (spmat/cuda/product/product_jit.c) defines types: Z, A, X of the result, of M's and of x's values, MA and
// MX of the multiplier's operands. It defines those of the functions a_cast, x_cast, mul, add, add_done and
// start that are used.
#ifndef GRID_PRODUCT_OPS_CUH
#define GRID_PRODUCT_OPS_CUH

struct grid_ops {
  typedef Z z_t;
  typedef A a_t;
  typedef X x_t;
  enum : bool {
    structural = false,
    any = GRID_ANY,
    positional = GRID_POSITIONAL,
    uses_a_values = GRID_A_USED,
    uses_x_values = GRID_X_USED,
    has_done = GRID_HAS_DONE
  };
  enum : int { native = GRID_NATIVE };
#if !GRID_POSITIONAL
  GRID_FN Z multiply(const A &a, const X &x) {
#if GRID_A_USED
    const MA l = a_cast(a);
#else
    const MA l = MA();
#endif
#if GRID_X_USED
    const MX r = x_cast(x);
#else
    const MX r = MX();
#endif
#if GRID_FLIP
    return mul(r, l);
#else
    return mul(l, r);
#endif
  }
#endif
#if !GRID_ANY
  GRID_FN Z add(const Z &x, const Z &y) {
    return ::add(x, y);
  }
  GRID_FN Z start() {
    return ::start();
  }
  GRID_FN bool done(const Z &z) {
    return ::add_done(z);
  }
#endif
};
#endif
