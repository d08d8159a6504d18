// Products on the device: workspace, launches, and the compiled-in kernels (product_jit.c compiles others at
// run time from the same kernels/product.cuh).
#include "spmat/cuda/device/cuda.cuh"

extern "C" {
#include "semiring/builtin.h"
#include "semiring/support/tuning.h"
#include "spmat/cuda/jit/jit.h"
#include "spmat/cuda/product/cuda_product.h"
#include "spmat/matrix/panels32.h"
#include "spmat/matrix/balanced_tiles.h"
#include "spmat/matrix/column_panels.h"
}
#include "spmat/cuda/build/keys.cuh"

#define GRID_FN static __device__ __forceinline__
#include "spmat/cuda/kernels/product_push.cuh"
#include "spmat/cuda/kernels/product_row_blocks.cuh"
#include "spmat/cuda/kernels/product_panels.cuh"
#include "spmat/cuda/product/structural_ops.cuh"

namespace {

enum { WARPS = GRID_PRODUCT_THREADS / 32 };

// ---- compiled-in kernels ----------------------------------------------------------------------------------

template <class T>
struct any_secondi {
  typedef T z_t;
  typedef uint8_t a_t, x_t;
  enum : bool {
    structural = false,
    any = true,
    positional = true,
    uses_a_values = false,
    uses_x_values = false,
    has_done = false
  };
  enum : int { native = GRID_BY_CAS };
};

// For semirings that use both operands, with a commutative multiplier and a monoid without a terminal value
// worth testing.
#define SUM_OPS(NAME, T, ADD, MUL, START, NATIVE)                                         \
  struct NAME {                                                                           \
    typedef GRID_C_##T z_t, a_t, x_t;                                                     \
    enum : bool {                                                                         \
      structural = false,                                                                 \
      any = false,                                                                        \
      positional = false,                                                                 \
      uses_a_values = true,                                                               \
      uses_x_values = true,                                                               \
      has_done = false                                                                    \
    };                                                                                    \
    enum : int { native = NATIVE };                                                       \
    GRID_FN z_t multiply(const a_t &a, const x_t &x) { return GRID_CALL2(MUL, T, a, x); } \
    GRID_FN z_t add(const z_t &x, const z_t &y) { return GRID_CALL2(ADD, T, x, y); }      \
    GRID_FN z_t start() { return START; }                                                 \
    GRID_FN bool done(const z_t &) { return false; }                                      \
  };
#define NOT_A_NUMBER_FP32 __int_as_float(0x7fc00000)
#define NOT_A_NUMBER_FP64 __longlong_as_double(0x7ff8000000000000ll)
// X(struct, type, add, mul, start, native)
#define PREBUILT_SUMS(X)                                            \
  X(plus_times_fp32, FP32, PLUS, TIMES, -0.0f, GRID_BY_ADD)         \
  X(plus_times_fp64, FP64, PLUS, TIMES, -0.0, GRID_BY_ADD)          \
  X(min_plus_fp32, FP32, MIN, PLUS, NOT_A_NUMBER_FP32, GRID_BY_CAS) \
  X(min_plus_fp64, FP64, MIN, PLUS, NOT_A_NUMBER_FP64, GRID_BY_CAS) \
  X(min_plus_int32, INT32, MIN, PLUS, GRID_MOST_INT32, GRID_BY_MIN) \
  X(min_plus_int64, INT64, MIN, PLUS, GRID_MOST_INT64, GRID_BY_MIN)
PREBUILT_SUMS(SUM_OPS)

#define KERNEL       \
  template <class O> \
  __global__ void __launch_bounds__(GRID_PRODUCT_THREADS)
template <class O>
__global__ void __launch_bounds__(GRID_PRODUCT_THREADS, GRID_PUSH_BLOCKS)
    grid_product_push(grid_product_job J, typename O::a_t a1) {
  grid_push<O>(J, a1);
}
KERNEL grid_product_pull_any(grid_product_job J, typename O::a_t a1) {
  grid_pull_any<O>(J, a1);
}
KERNEL grid_product_pull_sum(grid_product_job J, typename O::a_t a1) {
  grid_pull_sum<O>(J, a1);
}
KERNEL grid_product_pull_segments(grid_product_job J, typename O::a_t a1) {
  grid_pull_segments<O>(J, a1);
}

template <class O>
__global__ void __launch_bounds__(GRID_PRODUCT_THREADS, GRID_ROW_BLOCK_RESIDENT(typename O::z_t))
    grid_product_pull_row_blocks(grid_product_job J, typename O::a_t a1) {
  grid_pull_row_blocks<O>(J, a1);
}
KERNEL grid_product_pull_tiles(grid_product_job J, typename O::a_t a1) {
  grid_pull_tiles<O>(J, a1);
}
template <class O>
__global__ void __launch_bounds__(GRID_PRODUCT_HUB_THREADS)
    grid_product_pull_degree(grid_product_job J, typename O::a_t a1) {
  grid_pull_degree_ordered<O>(J, a1);
}
KERNEL grid_product_pull_tile_sums(grid_product_job J, typename O::a_t a1) {
  grid_pull_tile_sums<O>(J, a1);
}
template <class O>
__global__ void __launch_bounds__(GRID_PRODUCT_HUB_THREADS)
    grid_product_pull_panels(grid_product_job J, typename O::a_t a1) {
  grid_pull_panels<O>(J, a1);
}
KERNEL grid_product_pull_panel_sums(grid_product_job J, typename O::a_t a1) {
  grid_pull_panel_sums<O>(J, a1);
}

template <class O>
grid_product_code code_of(grid_product_method method) {
  if (method == GRID_METHOD_PUSH) return grid_product_code{(void *)grid_product_push<O>, NULL};
  void *const segments = (void *)grid_product_pull_segments<O>;
  if constexpr (O::any) {
    return grid_product_code{(void *)grid_product_pull_any<O>, segments};
  } else {
    if (method == GRID_METHOD_ROWS) return grid_product_code{(void *)grid_product_pull_sum<O>, segments};
    if (method == GRID_METHOD_ROW_BLOCKS)
      return grid_product_code{(void *)grid_product_pull_row_blocks<O>, NULL};
    void *const sums = (void *)grid_product_pull_tile_sums<O>;
    if (method == GRID_METHOD_TILES) return grid_product_code{(void *)grid_product_pull_tiles<O>, sums};
    if (method == GRID_METHOD_COLUMN_PANELS)
      return grid_product_code{(void *)grid_product_pull_panels<O>, (void *)grid_product_pull_panel_sums<O>};
    return grid_product_code{(void *)grid_product_pull_degree<O>, sums};
  }
}

// The compiled-in kernels for a job; main NULL: there are none.
grid_product_code find_prebuilt_code(const grid_job *J, bool structural, grid_product_method method) {
  if (structural) return code_of<grid_structural_ops>(method);
  const GrB_BinaryOp add = J->s->add->op, mul = J->s->mul;
  if (J->s->add->any && mul == &grid_binary_SECONDI_INT32) return code_of<any_secondi<int32_t>>(method);
  if (J->s->add->any && mul == &grid_binary_SECONDI_INT64) return code_of<any_secondi<int64_t>>(method);
#define PREBUILT(NAME, T, ADD, MUL, START, NATIVE)                                                 \
  if (add == &grid_binary_##ADD##_##T && mul == &grid_binary_##MUL##_##T && J->a_type == mul->x && \
      J->x_type == mul->x)                                                                         \
    return code_of<NAME>(method);
  PREBUILT_SUMS(PREBUILT)
  return grid_product_code{NULL, NULL};
}

// ---- jobs -------------------------------------------------------------------------------------------------

unsigned max_blocks(void) {
  return (unsigned)grid_cuda_multiprocessors() * 8;
}

bool needs_locks(const grid_job *J, bool any) {
  const size_t z = J->s->mul->z->size;
  return !any && z != 1 && z != 2 && z != 4 && z != 8;
}

// Do most rows end before their last entry? Others are sums over all entries.
bool ends_early(const grid_job *J, bool any) {
  return any || (J->s->add->terminal && J->s->mul->z == GrB_BOOL);
}

// Entries of a segment. Shorter segments of sums keep all warps busy until the end. Where there are fewer
// groups of 32 rows than warps, still shorter ones give every warp some entries.
uint32_t slice_of(const grid_job *J, bool any) {
  constexpr uint32_t SUM_SLICE = 1024;
  const uint32_t most = ends_early(J, any) || needs_locks(J, any) ? (uint32_t)GRID_PRODUCT_SLICE : SUM_SLICE;
  const uint64_t warps = (uint64_t)max_blocks() * WARPS, share = J->entries / warps;
  if (J->ny / 32 >= warps || share > most) return most;
  return share < GRID_PRODUCT_SLICE_MIN ? (uint32_t)GRID_PRODUCT_SLICE_MIN : (uint32_t)share;
}

// The kernels' view of a job, without its workspace.
grid_product_job make_device_job(const grid_job *J, bool any) {
  grid_product_job D;
  memset(&D, 0, sizeof D);
  D.ptr = J->m->ptr, D.idx = J->m->idx, D.hub_neighbor = J->m->hub_neighbor, D.nonempty = J->m->nonempty;
  D.a = J->a_step ? J->a : NULL;
  D.xbits = J->xbits, D.xlist = J->xlist, D.nx = J->nx;
  D.x = J->x, D.x_iso = J->x_step == 0, D.x_packed = J->x_packed;
  D.mask = J->mask, D.mask_complement = J->mask_complement;
  // few rows, as in a page, are spread over all warps
  D.batch = GRID_PRODUCT_BATCH;
  while (J->uncounted && D.batch > 1 && J->ny / 32 < (uint64_t)max_blocks() * WARPS * D.batch) D.batch /= 2;
  D.slice = slice_of(J, any);
  D.ny = J->ny, D.ybits = J->ybits, D.y = J->y, D.y_full = J->y_full;
  const grid_index_map *p = &J->index_map;
  if (p->axis) D.ids = p->axis->ids, D.ids64 = grid_axis_has_ids64(p->axis);
  D.base = p->base, D.q = p->q, D.stride = p->stride, D.offset = p->offset;
  return D;
}

uint64_t round_up(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

// Workspace of a pull by balanced tiles, at `at` (NULL: only measured). Returns its bytes.
uint64_t layout_tiles(const grid_job *J, const grid_balanced_tiles *s, grid_product_job *D, char *at) {
  const size_t z = J->s->mul->z->size;
  const uint64_t leading = round_up(s->n * z), state = round_up(s->n), sums = round_up(s->vectors * z),
                 open = D->panels ? leading : 0;
  if (at) {
    D->balanced_tiles = s->n, D->entries = J->entries, D->vectors = s->vectors;
    D->row_start = s->row_start, D->before = s->before, D->vector = s->vector;
    D->leading = at, D->sums = at + leading;
    D->leading_state = (uint8_t *)at + leading + sums, D->sum_state = D->leading_state + state;
    if (open) D->open = D->sum_state + round_up(s->vectors);
  }
  return leading + sums + state + round_up(s->vectors) + open;
}

// What all products of a context share: zero when no product runs.
struct shared_words {
  grid_product_counts counts;
  uint32_t locks[GRID_PRODUCT_LOCKS];
};
static_assert(sizeof(shared_words) <= GRID_COUNTERS_BYTES, "they fit");

// One block for the whole workspace.
GrB_Info allocate_workspace(const grid_job *J, grid_product_job *D, bool pull,
                            const grid_balanced_tiles *balanced_tiles, void **workspace) {
  const uint64_t vectors = pull       ? 0
                           : J->xbits ? J->xcount
                                      : J->nx,
                 // rows longer than a segment give at most two segments for each full one
      slices = pull && !balanced_tiles ? 2 * (J->entries / D->slice) + 1 : 0,
                 list = round_up(vectors * sizeof(uint32_t)),
                 bytes = 2 * list + slices * sizeof(grid_slice) +
                         (balanced_tiles ? layout_tiles(J, balanced_tiles, D, NULL) : 0);
  char *at = (char *)grid_device_malloc(bytes, 1);
  *workspace = at;
  if (!at) return grid_device_fail_memory(NULL, "work space of a product", bytes, 1);
  D->list = (uint32_t *)at;
  D->start = (uint32_t *)(at + list);
  D->slices = (grid_slice *)(at + 2 * list);
  if (balanced_tiles) layout_tiles(J, balanced_tiles, D, at);
  shared_words *shared = (shared_words *)grid_cuda_counters(GRID_PRODUCT_COUNTERS);
  D->counts = &shared->counts, D->locks = shared->locks;
  return GrB_SUCCESS;
}

// Launch sizes of a pull's main kernel and its last one.
struct shape {
  unsigned blocks, threads, shared, last;
};
shape shape_of(const grid_job *J, const grid_product_job *D, grid_product_method method) {
  const unsigned rows = grid_cuda_blocks((J->ny + 31) / 32, D->batch * WARPS, max_blocks()),
                 balanced_tiles = grid_cuda_blocks(D->balanced_tiles, WARPS, UINT_MAX),
                 tile_sums =
                     grid_cuda_blocks(D->balanced_tiles + D->vectors, GRID_PRODUCT_THREADS, max_blocks()),
                 panel_sums = grid_cuda_blocks(J->ny, GRID_PANEL_BLOCK, UINT_MAX),
                 row_blocks = grid_cuda_blocks((J->ny + 31) / 32, WARPS, max_blocks());
  switch (method) {
    case GRID_METHOD_ROWS:
      return {rows, GRID_PRODUCT_THREADS, 0, max_blocks()};
    case GRID_METHOD_ROW_BLOCKS:
      return {row_blocks, GRID_PRODUCT_THREADS, 0, 0};
    case GRID_METHOD_TILES:
      return {balanced_tiles, GRID_PRODUCT_THREADS, 0, tile_sums};
    default:
      return {(unsigned)grid_cuda_multiprocessors(), GRID_PRODUCT_HUB_THREADS,
              (unsigned)grid_cuda_hub_bytes(), D->panels ? panel_sums : tile_sums};
  }
}

// Enough blocks for the words of x and for the edges, of which only an estimate is known (0: none).
GrB_Info launch_push(const grid_job *J, const grid_product_code *code, void **args) {
  const unsigned most = (unsigned)grid_cuda_multiprocessors() * GRID_PUSH_BLOCKS,
                 words = grid_cuda_blocks((J->nx + 31) / 32, GRID_PUSH_SPREAD * WARPS, most),
                 tiles = J->push_edges ? grid_cuda_blocks(J->push_edges, GRID_PRODUCT_TILE, most) : most;
  return grid_cuda_check(cudaLaunchCooperativeKernel(code->main, dim3(words > tiles ? words : tiles),
                                                     dim3(GRID_PRODUCT_THREADS), args, 0, grid_cuda_stream()),
                         "a push");
}

GrB_Info launch_pull(const grid_job *J, const grid_product_code *code, const grid_product_job *D,
                     grid_product_method method, void **args) {
  const shape s = shape_of(J, D, method);
  GrB_Info info;
  TRY(grid_jit_launch_shared(code->main, s.blocks, s.threads, s.shared, args, "a pull"));
  if (code->last) TRY(grid_jit_launch(code->last, s.last, GRID_PRODUCT_THREADS, args, "a pull"));
done:
  return info;
}

// A product that cannot start may leave counts of its first kernel.
GrB_Info launch(const grid_job *J, const grid_product_code *code, grid_product_job *D,
                grid_product_method method) {
  static const uint64_t nothing[GRID_DEVICE_VALUE_MAX / 8] = {0};
  void *args[] = {D, J->a_step == 0 && J->a ? (void *)J->a : (void *)nothing};
  const GrB_Info info =
      method == GRID_METHOD_PUSH ? launch_push(J, code, args) : launch_pull(J, code, D, method, args);
  if (info != GrB_SUCCESS) (void)grid_device_zero(D->counts, sizeof *D->counts);
  return info;
}

// ---- balanced tiles ---------------------------------------------------------------------------------------

// Does the pull sum over all entries of most rows?
bool is_full_sum(const grid_job *J, bool any) {
  if (ends_early(J, any)) return false;
  return !J->mask || J->allowed >= grid_tune.tiles_allowed_share;
}

// Replaces x's n absent elements by sentinels; *met: a present one has the sentinel's value.
__global__ void write_sentinels(const uint64_t *bits, uint32_t *x, uint64_t n, int words, uint32_t *met) {
  GRID_FOR(k, n) {
    uint32_t *at = x + words * k;
    const bool in = grid_half_bit(bits, (uint32_t)k),
               like = at[0] == GRID_X_SENTINEL && at[words - 1] == GRID_X_SENTINEL;
    if (!in) at[0] = at[words - 1] = GRID_X_SENTINEL;
    if (in && like) *met = 1;
  }
}

// The pull goes by p. Returns its tiles.
const grid_balanced_tiles *use_column_panels(const grid_column_panels *p, grid_product_job *D) {
  D->panels = p->n, D->panel_columns = p->columns;
  D->first_tile = p->first_tile, D->block_start = p->block_start;
  return &p->tiles;
}

// x in order of degree; *workspace is its memory.
GrB_Info reorder_x_by_rank(const grid_job *J, const grid_balanced_tiles *s, grid_product_job *D,
                           void **workspace) {
  const size_t size = J->x_type->size;
  const grid_axis axis = {UINT32_MAX, s->ends, s->end};
  const uint64_t bits = round_up(grid_words(s->ends) * sizeof(uint64_t)), met = round_up(s->ends * size),
                 bytes = bits + met + sizeof *D->mark_collision;
  char *at = (char *)grid_device_malloc(bytes, 1);
  GrB_Info info = GrB_SUCCESS;
  *workspace = at;
  if (!at) return grid_device_fail_memory(NULL, "an input in order of rank", bytes, 1);
  TRY(grid_cuda_products.gather_axis((uint64_t *)at, at + bits, J->xbits, J->x, size, false, &axis));
  D->xbits = J->xbits ? (uint64_t *)at : NULL;
  D->x = at + bits, D->ends = s->ends;
  D->hubs = grid_cuda_hub_bytes() / size;
  if (D->panels && D->hubs > D->panel_columns) D->hubs = D->panel_columns;
  if (D->hubs > s->ends) D->hubs = s->ends;
  if (J->xbits && (size == 4 || size == 8)) {
    uint32_t *mark_collision = (uint32_t *)(at + bits + met);
    TRY(grid_device_zero(mark_collision, sizeof *mark_collision));
    write_sentinels<<<grid_cuda_blocks(s->ends, GRID_PRODUCT_THREADS, max_blocks()), GRID_PRODUCT_THREADS, 0,
                      grid_cuda_stream()>>>(D->xbits, (uint32_t *)D->x, s->ends, (int)(size / 4),
                                            mark_collision);
    TRY(grid_cuda_check_launch("an input in order of rank"));
    D->mark_collision = mark_collision;
  }
done:
  return info;
}

// ---- one product ------------------------------------------------------------------------------------------

// How a pull goes, and the caches of M that it reads. Of uneven rows a mask may allow many that are short, as
// those left in a search are; counting their entries waits, which does not pay for a page.
GrB_Info choose_pull(const grid_job *J, bool any, grid_product_method *method,
                     const grid_balanced_tiles **caches) {
  GrB_Info info = GrB_SUCCESS;
  *method = GRID_METHOD_ROWS;
  if (is_full_sum(J, any)) TRY(grid_cuda_choose_pull(J, method, caches));
  if (*method < GRID_METHOD_TILES || (*caches)->even || !J->mask || J->uncounted) return info;
  uint64_t entries;
  TRY(grid_cuda_allowed_entries(J, &entries));
  if ((double)entries < grid_tune.tiles_allowed_share * (double)J->entries) *method = GRID_METHOD_ROWS;
done:
  return info;
}

// Takes the counts of a product that runs, or the ticket of those that may come later.
GrB_Info read_counts(grid_job *J, const grid_product_job *D, grid_product_method method) {
  uint64_t found;
  const void *value;
  if (J->counts_deferred) {
    J->found = GRID_UNCOUNTED, J->ticket = D->tally.ticket;
    return GrB_SUCCESS;
  }
  const GrB_Info info = grid_cuda_wait_count(&D->tally, &found, &value);
  if (info != GrB_SUCCESS) return info;
  const uint64_t *const counts = (const uint64_t *)value;
  J->found += found;
  J->inspected += method == GRID_METHOD_PUSH   ? (uint32_t)counts[0]
                  : method == GRID_METHOD_ROWS ? counts[1]
                                               : J->entries;
  return info;
}

GrB_Info run_narrow(grid_job *J, bool structural, bool pull) {
  const bool any = structural || J->s->add->any;
  const grid_balanced_tiles *caches = NULL, *balanced_tiles = NULL;
  grid_product_method method = GRID_METHOD_PUSH;
  grid_product_job D = make_device_job(J, any);
  grid_product_code code;
  void *workspace = NULL, *degree_ordered_x = NULL;
  GrB_Info info = GrB_SUCCESS;
  if (J->index_map.table || (grid_product_a_used(J) && !grid_device_can_hold(J->a_type)))
    return GRID_UNSUPPORTED;
  if (pull) TRY(choose_pull(J, any, &method, &caches));
  code = find_prebuilt_code(J, structural, method);
  if (!code.main) TRY(grid_product_compile(&code, J, &method));
  if (method == GRID_METHOD_TILES || method == GRID_METHOD_DEGREE_ORDERED) balanced_tiles = caches;
  if (method == GRID_METHOD_COLUMN_PANELS) balanced_tiles = use_column_panels(caches->column_panels, &D);
  if (method == GRID_METHOD_ROW_BLOCKS) D.batch = 1;
  TRY(allocate_workspace(J, &D, pull, balanced_tiles, &workspace));
  if (method == GRID_METHOD_DEGREE_ORDERED || method == GRID_METHOD_COLUMN_PANELS) {
    D.idx = balanced_tiles->rank;
    TRY(reorder_x_by_rank(J, caches, &D, &degree_ordered_x));
  }
  if (!J->uncounted && !(J->y_full && J->counts_deferred)) TRY(grid_cuda_tally(&D.tally));
  TRY(launch(J, &code, &D, method));
  if (D.tally.slot) TRY(read_counts(J, &D, method));
done:
  grid_device_free(workspace);
  grid_device_free(degree_ordered_x);
  return info;
}

// ---- blocks of 2^32 entries or more -----------------------------------------------------------------------

// The part of a job that has to do with slab s, as a job by itself: of a pull s's vectors are the outputs, of
// a push the inputs.
grid_job panel_job(const grid_job *J, const grid_panel32 *s, const grid_compressed *make_device_job,
                   bool pull) {
  grid_job K = *J;
  K.m = make_device_job;
  K.entries = s->entries;
  if (J->a_step) K.a = (const char *)J->a + s->at * J->a_step;
  K.found = K.inspected = 0;
  K.counts_deferred = false;
  if (pull) {
    K.ny = s->n;
    K.ybits = J->ybits + s->first / 64;
    if (J->y) K.y = (char *)J->y + s->first * J->s->mul->z->size;
    if (J->mask) K.mask = J->mask + s->first / 64;
    return K;
  }
  K.nx = s->n;
  if (J->xbits) K.xbits = J->xbits + s->first / 64;
  if (J->x && J->x_step) K.x = (const char *)J->x + s->first * J->x_step;
  if (K.xcount > s->n) K.xcount = s->n;
  K.index_map.base += s->first;
  return K;
}

// Panel after panel: kernels count a block's entries in 32 bits.
GrB_Info run_panels32(grid_job *J, bool structural, bool pull) {
  const grid_index_map *at = &J->index_map;
  GrB_Info info;
  if (!pull && (J->xlist || at->table || at->q || (at->axis && at->axis->ids))) return GRID_UNSUPPORTED;
  TRY(grid_cuda_panels32(J->m, pull ? J->ny : J->nx));
  for (uint64_t k = 0; k < J->m->panels32->n; k++) {
    const grid_panel32 *s = &J->m->panels32->panel32[k];
    if (s->entries == 0) continue;
    const grid_compressed make_device_job = grid_panel32_view(J->m, k, J->a_step);
    grid_job K = panel_job(J, s, &make_device_job, pull);
    TRY(run_narrow(&K, structural, pull));
    J->found += K.found, J->inspected += K.inspected;
  }
done:
  return info;
}

// A sum of positions needs the map of the inputs, of which the kernels know no segments.
bool needs_segments(const grid_job *J) {
  return J->index_map.segments && J->s->mul->op == GRID_OP_SECONDI;
}

GrB_Info run(grid_job *J, bool structural, bool pull) {
  if (needs_segments(J)) return GRID_UNSUPPORTED;
  return J->m->offsets64 ? run_panels32(J, structural, pull) : run_narrow(J, structural, pull);
}

GrB_Info pull_structural(grid_job *J) {
  return run(J, true, true);
}
GrB_Info push_structural(grid_job *J) {
  return run(J, true, false);
}
GrB_Info pull_values(grid_job *J) {
  return run(J, false, true);
}
GrB_Info push_values(grid_job *J) {
  return run(J, false, false);
}

const grid_kernels structural_kernels = {pull_structural, push_structural};
const grid_kernels value_kernels = {pull_values, push_values};

}  // namespace

extern "C" const grid_kernels *grid_cuda_product_kernels(const grid_job *J, bool structural) {
  (void)J;
  return structural ? &structural_kernels : &value_kernels;
}
