// The checks of a breadth-first search tree on a GPU (validate_cuda.h). Depths come by pointer jumping, so a
// path of a million vertices takes twenty passes like any other tree.
#include <cuda_runtime.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

extern "C" {
#include "bench/validate/validate_cuda.h"
}

typedef unsigned long long ull;  // what atomicMin and atomicAdd take
static const uint32_t NONE = 0xffffffffu, NO_VERTEX = 0xfffffffeu;
static const ull NO_INDEX = ~0ull;
enum { THREADS = 256 };
static const uint64_t SEGMENT = 1 << 22;

// What a kernel finds, in device memory.
typedef struct {
  ull bad;     // the lowest index where something is wrong, NOWHERE
  ull inside;  // tuples that start, or end, in the tree
} findings;

struct validate_cuda {
  uint64_t n, first, share, words;
  bool directed, count_only;
  uint64_t root;  // of the tree at hand
  int64_t limit;
  int gpu, blocks;
  uint32_t *parent, *in_input;  // n of them; n bits
  ull *jump;                    // an ancestor << 32 | how far above
  int32_t *depth, *level;       // n of them; the share's
  uint64_t *left, *right;       // SEGMENT each: what comes from the host
  Grid_Rmat *rmat;
  findings *found;
};

// ---- outcomes ----

static bool fine(validate_result *result, cudaError_t e) {
  const cudaError_t last = cudaGetLastError();  // always asked for: nobody else shall find ours
  result->rule = 0;
  if (e == cudaSuccess) e = last;
  if (e == cudaSuccess) return true;
  return validate_edge_violations(result, VALIDATE_TROUBLE, "checking on the GPU: %s", cudaGetErrorString(e));
}

static bool start_finding(validate_cuda *c, validate_result *result) {
  const findings none = {NO_INDEX, 0};
  return fine(result, cudaMemcpy(c->found, &none, sizeof none, cudaMemcpyHostToDevice));
}

static bool read_findings(validate_cuda *c, findings *f, validate_result *result) {
  const cudaError_t launched = cudaGetLastError();
  return fine(result, launched) && fine(result, cudaMemcpy(f, c->found, sizeof *f, cudaMemcpyDeviceToHost));
}

template <class T>
static bool one(T *value, const T *device, validate_result *result) {
  return fine(result, cudaMemcpy(value, device, sizeof *value, cudaMemcpyDeviceToHost));
}

// A parent as a number: -1 where there is none.
static int64_t number_of(uint32_t parent) {
  return parent == NONE ? -1 : (int64_t)parent;
}

// ---- life ----

static char reason[200];

static bool allocate(validate_cuda *c) {
  const uint64_t n = c->n;
  return cudaMalloc(&c->parent, n * sizeof *c->parent) == cudaSuccess &&
         cudaMalloc(&c->in_input, c->words * sizeof *c->in_input) == cudaSuccess &&
         cudaMalloc(&c->jump, n * sizeof *c->jump) == cudaSuccess &&
         cudaMalloc(&c->depth, n * sizeof *c->depth) == cudaSuccess &&
         cudaMalloc(&c->level, (c->share + 1) * sizeof *c->level) == cudaSuccess &&
         cudaMalloc(&c->left, SEGMENT * sizeof *c->left) == cudaSuccess &&
         cudaMalloc(&c->right, SEGMENT * sizeof *c->right) == cudaSuccess &&
         cudaMalloc(&c->rmat, sizeof *c->rmat) == cudaSuccess &&
         cudaMalloc(&c->found, sizeof *c->found) == cudaSuccess;
}

extern "C" validate_cuda *validate_cuda_open(int gpu, uint64_t n, uint64_t first, uint64_t share,
                                             bool directed, const char **why) {
  int processors = 0;
  validate_cuda *c = n < NO_VERTEX ? (validate_cuda *)calloc(1, sizeof *c) : NULL;
  *why = n < NO_VERTEX ? "no memory" : "the graph has too many vertices for the checks on the GPU";
  if (c == NULL) return NULL;
  c->gpu = gpu;
  c->n = n;
  c->first = first;
  c->share = share;
  c->words = (n + 31) / 32;
  c->directed = directed;
  cudaError_t e = cudaSetDevice(gpu);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu);
  c->blocks = 8 * processors;
  if (e == cudaSuccess && allocate(c)) return c;
  if (e == cudaSuccess) e = cudaGetLastError();
  snprintf(reason, sizeof reason, "%" PRIu64 " vertices need %.2f GiB on the GPU: %s", n,
           (double)(20 * n + n / 8) / (1 << 30), cudaGetErrorString(e));
  *why = reason;
  validate_cuda_close(c);
  return NULL;
}

extern "C" void validate_cuda_close(validate_cuda *c) {
  if (c == NULL) return;
  cudaFree(c->parent);
  cudaFree(c->in_input);
  cudaFree(c->jump);
  cudaFree(c->depth);
  cudaFree(c->level);
  cudaFree(c->left);
  cudaFree(c->right);
  cudaFree(c->rmat);
  cudaFree(c->found);
  (void)cudaGetLastError();
  free(c);
}

extern "C" void *validate_cuda_host(uint64_t bytes) {
  void *p = NULL;
  if (cudaMallocHost(&p, bytes) == cudaSuccess) return p;
  (void)cudaGetLastError();
  return NULL;
}
extern "C" void validate_cuda_host_free(void *p) {
  if (p != NULL) cudaFreeHost(p);
}

// ---- the tree as it was given ----

#define FOR_EACH(k, n)                                                        \
  for (uint64_t k = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; k < (n); \
       k += (uint64_t)gridDim.x * blockDim.x)

__global__ void scatter_parents(uint32_t *parent, uint64_t n, const uint64_t *at, const int64_t *value,
                                uint64_t count, uint64_t before, findings *f) {
  FOR_EACH(k, count) {
    const bool vertex = value[k] >= 0 && (uint64_t)value[k] < n;
    if (!vertex) atomicMin(&f->bad, before + k);
    if (at[k] < n) parent[at[k]] = vertex ? (uint32_t)value[k] : NO_VERTEX;
  }
}

extern "C" bool validate_cuda_clear(validate_cuda *c, validate_result *result) {
  c->count_only = false;
  return fine(result, cudaSetDevice(c->gpu)) &&
         fine(result, cudaMemset(c->parent, 0xff, c->n * sizeof *c->parent)) &&
         fine(result, cudaMemset(c->in_input, 0, c->words * sizeof *c->in_input));
}

// Segment number `done` of arrays on the host to left and right.
static bool upload(validate_cuda *c, const void *left, const void *right, size_t right_size, uint64_t done,
                   uint64_t count, validate_result *result) {
  return fine(result, cudaMemcpy(c->left, (const uint64_t *)left + done, count * sizeof(uint64_t),
                                 cudaMemcpyHostToDevice)) &&
         fine(result, cudaMemcpy(c->right, (const char *)right + done * right_size, count * right_size,
                                 cudaMemcpyHostToDevice));
}

extern "C" bool validate_cuda_parents(validate_cuda *c, const uint64_t *at, const int64_t *value,
                                      uint64_t count, validate_result *result) {
  findings f;
  if (!start_finding(c, result)) return false;
  for (uint64_t done = 0; done < count; done += SEGMENT) {
    const uint64_t m = count - done < SEGMENT ? count - done : SEGMENT;
    if (!upload(c, at, value, sizeof *value, done, m, result)) return false;
    scatter_parents<<<c->blocks, THREADS>>>(c->parent, c->n, c->left, (const int64_t *)c->right, m, done,
                                            c->found);
  }
  if (!read_findings(c, &f, result)) return false;
  if (f.bad == NO_INDEX) return true;
  return validate_edge_violations(result, 1, "vertex %" PRIu64 " has parent %" PRId64 ", which is no vertex",
                                  at[f.bad], value[f.bad]);
}

extern "C" bool validate_cuda_get(validate_cuda *c, uint32_t *to, uint64_t first, uint64_t count,
                                  validate_result *result) {
  return fine(result, cudaMemcpy(to, c->parent + first, count * sizeof *to, cudaMemcpyDeviceToHost));
}
extern "C" bool validate_cuda_set(validate_cuda *c, uint64_t first, const uint32_t *from, uint64_t count,
                                  validate_result *result) {
  return fine(result, cudaMemcpy(c->parent + first, from, count * sizeof *from, cudaMemcpyHostToDevice));
}

// ---- rules 1 and 2 ----

// Every parent is reached; the way up starts with one step.
__global__ void first_steps(const uint32_t *parent, ull *jump, uint64_t n, uint64_t root, findings *f) {
  FOR_EACH(v, n) {
    const uint32_t up = parent[v];
    if (up == NONE || up == NO_VERTEX)
      jump[v] = (ull)NONE << 32;
    else if (parent[up] == NONE)
      atomicMin(&f->bad, (ull)v);
    else
      jump[v] = (ull)up << 32 | (v != root);
  }
}

// Twice as far, at least: others may be ahead already. A way is read and written in one segment, so it is
// always a true one. bad: the lowest vertex whose way doesn't end at the root yet.
__global__ void go_on(ull *jump, uint64_t n, uint64_t root, findings *f) {
  FOR_EACH(v, n) {
    const ull entry = jump[v];
    const uint32_t up = (uint32_t)(entry >> 32);
    if (up == NONE || up == root) continue;
    const ull parent_entry = *(const volatile ull *)&jump[up];
    jump[v] = (parent_entry >> 32 << 32) | (uint32_t)((uint32_t)entry + (uint32_t)parent_entry);
    if (parent_entry >> 32 != root) atomicMin(&f->bad, (ull)v);
  }
}

__global__ void read_depths(const ull *jump, int32_t *depth, uint64_t n, int64_t limit, findings *f) {
  FOR_EACH(v, n) {
    const int32_t d = (uint32_t)(jump[v] >> 32) == NONE ? -1 : (int32_t)(uint32_t)jump[v];
    depth[v] = d;
    if (limit >= 0 && d > limit) atomicMin(&f->bad, (ull)v);
  }
}

// All ways lead to the root after as many doublings as n has bits, or lead round in a circle.
static bool find_jumps(validate_cuda *c, uint64_t root, validate_result *result) {
  findings f = {0, 0};
  for (int doublings = 0; f.bad != NO_INDEX && (doublings == 0 || (c->n >> (doublings - 1)) > 0);
       doublings++) {
    if (!start_finding(c, result)) return false;
    go_on<<<c->blocks, THREADS>>>(c->jump, c->n, root, c->found);
    if (!read_findings(c, &f, result)) return false;
  }
  if (f.bad == NO_INDEX) return true;
  ull jump;
  if (!one(&jump, c->jump + f.bad, result)) return false;
  return validate_edge_violations(result, 1,
                                  "the parents of vertex %" PRIu64 " lead round in a circle through %" PRIu64,
                                  (uint64_t)f.bad, (uint64_t)(jump >> 32));
}

extern "C" bool validate_cuda_tree(validate_cuda *c, uint64_t root, int64_t limit, validate_result *result) {
  uint32_t up;
  int32_t depth;
  findings f;

  c->root = root;
  c->limit = limit;
  if (root >= c->n) return validate_edge_violations(result, 1, "the root %" PRIu64 " is no vertex", root);
  if (!one(&up, c->parent + root, result)) return false;
  if (up != root)
    return validate_edge_violations(result, 1, "the root %" PRIu64 " has parent %" PRId64, root,
                                    number_of(up));

  if (!start_finding(c, result)) return false;
  first_steps<<<c->blocks, THREADS>>>(c->parent, c->jump, c->n, root, c->found);
  if (!read_findings(c, &f, result)) return false;
  if (f.bad != NO_INDEX) {
    if (!one(&up, c->parent + f.bad, result)) return false;
    return validate_edge_violations(result, 1,
                                    "vertex %" PRIu64 " has parent %" PRId64 ", which is not reached",
                                    (uint64_t)f.bad, number_of(up));
  }
  if (!find_jumps(c, root, result)) return false;

  if (!start_finding(c, result)) return false;
  read_depths<<<c->blocks, THREADS>>>(c->jump, c->depth, c->n, limit, c->found);
  if (!read_findings(c, &f, result)) return false;
  if (f.bad == NO_INDEX) return true;
  if (!one(&depth, c->depth + f.bad, result)) return false;
  return validate_edge_violations(result, 2, "vertex %" PRIu64 " has level %" PRId32 ", beyond the limit",
                                  (uint64_t)f.bad, depth);
}

__global__ void scatter_levels(int32_t *level, uint64_t first, uint64_t share, const uint64_t *at,
                               const int32_t *value, uint64_t count) {
  FOR_EACH(k, count) if (at[k] >= first && at[k] - first < share) level[at[k] - first] = value[k];
}

__global__ void compare_levels(const int32_t *level, const int32_t *depth, uint64_t share, findings *f) {
  FOR_EACH(v, share) if (level[v] != depth[v]) atomicMin(&f->bad, (ull)v);
}

extern "C" bool validate_cuda_levels(validate_cuda *c, const uint64_t *at, const int32_t *value,
                                     uint64_t count, validate_result *result) {
  findings f;
  int32_t level, depth;
  if (!start_finding(c, result) || !fine(result, cudaMemset(c->level, 0xff, c->share * sizeof *c->level)))
    return false;
  for (uint64_t done = 0; done < count; done += SEGMENT) {
    const uint64_t m = count - done < SEGMENT ? count - done : SEGMENT;
    if (!upload(c, at, value, sizeof *value, done, m, result)) return false;
    scatter_levels<<<c->blocks, THREADS>>>(c->level, c->first, c->share, c->left, (const int32_t *)c->right,
                                           m);
  }
  compare_levels<<<c->blocks, THREADS>>>(c->level, c->depth + c->first, c->share, c->found);
  if (!read_findings(c, &f, result)) return false;
  if (f.bad == NO_INDEX) return true;
  if (!one(&level, c->level + f.bad, result) || !one(&depth, c->depth + c->first + f.bad, result))
    return false;
  return validate_edge_violations(result, 2,
                                  "vertex %" PRIu64 " has level %" PRId32 ", but %" PRId32 " by its parents",
                                  c->first + (uint64_t)f.bad, level, depth);
}

// ---- rules 3 and 4 ----

// Where a kernel's tuples come from.
struct given {
  const uint64_t *rows, *cols;
  __device__ void begin() const {}
  __device__ void get(uint64_t k, uint64_t *u, uint64_t *v) const {
    *u = rows[k];
    *v = cols[k];
  }
};

__shared__ static Grid_Rmat rmat_shared;
struct made {
  const Grid_Rmat *rmat;
  uint64_t first;
  __device__ void begin() const {
    const uint32_t *from = (const uint32_t *)rmat;
    for (unsigned k = threadIdx.x; k < sizeof rmat_shared / 4; k += blockDim.x)
      ((uint32_t *)&rmat_shared)[k] = from[k];
    __syncthreads();
  }
  __device__ void get(uint64_t k, uint64_t *u, uint64_t *v) const {
    Grid_Rmat_tuple(&rmat_shared, first + k, u, v);
  }
};

// Does an edge from depth du to dv keep rules 3 and 4? The rule that it breaks, or 0.
__host__ __device__ static inline int edge_breaks(int32_t du, int32_t dv, int64_t limit) {
  if (du < 0) return 0;
  if (dv < 0) return limit >= 0 && du == limit ? 0 : 4;
  return dv > du + 1 ? 3 : 0;
}

__device__ static void mark(uint32_t *in_input, uint64_t v) {
  const uint32_t bit = 1u << (v & 31);
  if (!(*(volatile uint32_t *)&in_input[v / 32] & bit)) atomicOr(&in_input[v / 32], bit);
}

// One number a block goes to *sum.
__device__ static void add_up(ull value, ull *sum) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0 && value > 0) atomicAdd(sum, value);
}

template <class source>
__global__ void check_edges(source tuples, uint64_t count, const uint32_t *parent, const int32_t *depth,
                            uint64_t n, bool both, int64_t limit, uint32_t *in_input, findings *f) {
  ull inside = 0;
  tuples.begin();
  FOR_EACH(k, count) {
    uint64_t u, v;
    tuples.get(k, &u, &v);
    if (u >= n || v >= n) {
      atomicMin(&f->bad, (ull)k);
      continue;
    }
    const int32_t du = depth[u], dv = depth[v];
    if (edge_breaks(du, dv, limit) || (both && edge_breaks(dv, du, limit))) {
      atomicMin(&f->bad, (ull)k);
      continue;
    }
    inside += du >= 0 || (both && dv >= 0);
    if (du >= 0 && dv == du + 1 && parent[v] == u) mark(in_input, v);
    if (both && dv >= 0 && du == dv + 1 && parent[u] == v) mark(in_input, u);
  }
  add_up(inside, &f->inside);
}

template <class source>
__global__ void count_edges(source tuples, uint64_t count, const uint32_t *parent, uint64_t n, bool both,
                            findings *f) {
  ull inside = 0;
  tuples.begin();
  FOR_EACH(k, count) {
    uint64_t u, v;
    tuples.get(k, &u, &v);
    inside += (u < n && parent[u] != NONE) || (both && v < n && parent[v] != NONE);
  }
  add_up(inside, &f->inside);
}

// Says what is wrong with the edge u - v.
static bool report_edge(validate_cuda *c, uint64_t u, uint64_t v, validate_result *result) {
  int32_t du, dv;
  if (u >= c->n || v >= c->n)
    return validate_edge_violations(result, 3, "edge %" PRIu64 " - %" PRIu64 " has an end that is no vertex",
                                    u, v);
  if (!one(&du, c->depth + u, result) || !one(&dv, c->depth + v, result)) return false;
  int rule = edge_breaks(du, dv, c->limit);
  if (rule == 0) rule = edge_breaks(dv, du, c->limit);
  return validate_edge_violations(
      result, rule, "edge %" PRIu64 " %s %" PRIu64 " joins levels %" PRId32 " and %" PRId32 "%s", u,
      c->directed ? "->" : "-", v, du, dv, rule == 4 ? " (-1: not reached)" : "");
}

// Runs over `count` tuples; *bad is the first that breaks a rule.
template <class source>
static bool run_edges(validate_cuda *c, const source &tuples, uint64_t count, uint64_t *inside, uint64_t *bad,
                      validate_result *result) {
  findings f;
  if (!start_finding(c, result)) return false;
  if (c->count_only)
    count_edges<<<c->blocks, THREADS>>>(tuples, count, c->parent, c->n, !c->directed, c->found);
  else
    check_edges<<<c->blocks, THREADS>>>(tuples, count, c->parent, c->depth, c->n, !c->directed, c->limit,
                                        c->in_input, c->found);
  if (!read_findings(c, &f, result)) return false;
  *inside += f.inside;
  *bad = f.bad;
  return true;
}

extern "C" bool validate_cuda_edges(validate_cuda *c, const uint64_t *rows, const uint64_t *cols,
                                    uint64_t count, uint64_t *inside, validate_result *result) {
  result->rule = 0;
  for (uint64_t done = 0; done < count; done += SEGMENT) {
    const uint64_t m = count - done < SEGMENT ? count - done : SEGMENT;
    const given tuples = {c->left, c->right};
    uint64_t bad;
    if (!upload(c, rows, cols, sizeof *cols, done, m, result) ||
        !run_edges(c, tuples, m, inside, &bad, result))
      return false;
    if (bad != NO_INDEX) return report_edge(c, rows[done + bad], cols[done + bad], result);
  }
  return true;
}

extern "C" bool validate_cuda_rmat(validate_cuda *c, const Grid_Rmat *g, uint64_t first, uint64_t count,
                                   uint64_t *inside, validate_result *result) {
  const made tuples = {c->rmat, first};
  uint64_t bad, u, v;
  if (!fine(result, cudaMemcpy(c->rmat, g, sizeof *g, cudaMemcpyHostToDevice)) ||
      !run_edges(c, tuples, count, inside, &bad, result))
    return false;
  if (bad == NO_INDEX) return true;
  Grid_Rmat_tuple(g, first + bad, &u, &v);
  return report_edge(c, u, v, result);
}

extern "C" void validate_cuda_count_only(validate_cuda *c) {
  c->count_only = true;
}

// ---- rule 5 ----

extern "C" uint64_t validate_cuda_words(const validate_cuda *c) {
  return c->words;
}

extern "C" bool validate_cuda_marks(validate_cuda *c, uint32_t *to, validate_result *result) {
  return fine(result, cudaMemcpy(to, c->in_input, c->words * sizeof *to, cudaMemcpyDeviceToHost));
}

__global__ void merge_marks(uint32_t *in_input, const uint32_t *more, uint64_t words) {
  FOR_EACH(k, words) in_input[k] |= more[k];
}

extern "C" bool validate_cuda_merge_marks(validate_cuda *c, const uint32_t *marks, validate_result *result) {
  const uint64_t capacity = 2 * SEGMENT; /* words that `left` holds */
  for (uint64_t done = 0; done < c->words; done += capacity) {
    const uint64_t m = c->words - done < capacity ? c->words - done : capacity;
    if (!fine(result, cudaMemcpy(c->left, marks + done, m * sizeof *marks, cudaMemcpyHostToDevice)))
      return false;
    merge_marks<<<c->blocks, THREADS>>>(c->in_input + done, (const uint32_t *)c->left, m);
  }
  return fine(result, cudaDeviceSynchronize());
}

__global__ void find_missing_edges(const uint32_t *parent, const uint32_t *in_input, uint64_t n,
                                   uint64_t root, findings *f) {
  FOR_EACH(v, n)
  if (parent[v] != NONE && v != root && !(in_input[v / 32] >> (v & 31) & 1)) atomicMin(&f->bad, (ull)v);
}

extern "C" bool validate_cuda_tree_edges(validate_cuda *c, validate_result *result) {
  findings f;
  uint32_t up;
  if (!start_finding(c, result)) return false;
  find_missing_edges<<<c->blocks, THREADS>>>(c->parent, c->in_input, c->n, c->root, c->found);
  if (!read_findings(c, &f, result)) return false;
  if (f.bad == NO_INDEX) return true;
  if (!one(&up, c->parent + f.bad, result)) return false;
  return validate_edge_violations(result, 5,
                                  "vertex %" PRIu64 " has parent %" PRId64 ", but there is no such edge",
                                  (uint64_t)f.bad, number_of(up));
}

extern "C" bool validate_cuda_depths(validate_cuda *c, int32_t *to, validate_result *result) {
  return fine(result, cudaMemcpy(to, c->depth, c->n * sizeof *to, cudaMemcpyDeviceToHost));
}

// ---- the generator alone ----

__global__ void make_tuples(made tuples, uint64_t count, findings *f) {
  ull sum = 0;
  tuples.begin();
  FOR_EACH(k, count) {
    uint64_t u, v;
    tuples.get(k, &u, &v);
    sum += u ^ v;
  }
  add_up(sum, &f->inside);
}

extern "C" double validate_cuda_generate(validate_cuda *c, const Grid_Rmat *g, uint64_t first,
                                         uint64_t count) {
  const made tuples = {c->rmat, first};
  validate_result r;
  cudaEvent_t start = NULL, end = NULL;
  float ms = -1e3f;
  bool good = start_finding(c, &r) && fine(&r, cudaMemcpy(c->rmat, g, sizeof *g, cudaMemcpyHostToDevice)) &&
              fine(&r, cudaEventCreate(&start)) && fine(&r, cudaEventCreate(&end)) &&
              fine(&r, cudaEventRecord(start));
  if (good) make_tuples<<<c->blocks, THREADS>>>(tuples, count, c->found);
  good = good && fine(&r, cudaEventRecord(end)) && fine(&r, cudaEventSynchronize(end)) &&
         fine(&r, cudaEventElapsedTime(&ms, start, end));
  if (start != NULL) cudaEventDestroy(start);
  if (end != NULL) cudaEventDestroy(end);
  return good ? 1e-3 * ms : -1;
}
