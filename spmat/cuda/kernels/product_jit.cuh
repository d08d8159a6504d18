// The kernels of a product, compiled at run time for one semiring and one direction. The preamble
// (spmat/cuda/product/product_jit.c) gives the types Z, A, X of the result, of M's and of x's values, MA and
// MX of the multiplier's operands, and the functions a_cast, x_cast, mul, add, add_done and start as far as
// they are used.
#include "product.cuh"
#if GRID_STRIPS
#include "product_strips.cuh"
#endif

struct grid_ops {
  typedef Z z_t;
  typedef A a_t;
  typedef X x_t;
  enum : bool {
    structural = false,
    any = GRID_ANY,
    positional = GRID_POSITIONAL,
    a_used = GRID_A_USED,
    x_used = GRID_X_USED,
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

#define GRID_KERNEL_OF(THREADS) extern "C" __global__ void __launch_bounds__(THREADS)
#define GRID_PRODUCT_KERNEL     GRID_KERNEL_OF(GRID_PRODUCT_THREADS)
#if GRID_STRIPS
#if GRID_RANKED
GRID_KERNEL_OF(GRID_PRODUCT_HUB_THREADS) grid_product_main(grid_product_job J, A a1) {
  grid_pull_ranked<grid_ops>(J, a1);
}
#else
GRID_PRODUCT_KERNEL grid_product_main(grid_product_job J, A a1) {
  grid_pull_strips<grid_ops>(J, a1);
}
#endif
GRID_PRODUCT_KERNEL grid_product_last(grid_product_job J, A a1) {
  grid_pull_borders<grid_ops>(J, a1);
}
#elif GRID_PULL
GRID_PRODUCT_KERNEL grid_product_main(grid_product_job J, A a1) {
#if GRID_ANY
  grid_pull_any<grid_ops>(J, a1);
#else
  grid_pull_sum<grid_ops>(J, a1);
#endif
}
GRID_PRODUCT_KERNEL grid_product_last(grid_product_job J, A a1) {
  grid_pull_pieces<grid_ops>(J, a1);
}
#elif GRID_ANY
GRID_PRODUCT_KERNEL grid_product_main(grid_product_job J, A a1) {
  grid_push_any<grid_ops>(J, a1);
}
#else
GRID_PRODUCT_KERNEL grid_product_first(grid_product_job J, A) {
  grid_push_start<grid_ops>(J);
}
GRID_PRODUCT_KERNEL grid_product_main(grid_product_job J, A a1) {
  grid_push_sum<grid_ops>(J, a1);
}
#endif
