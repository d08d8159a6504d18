// The pushes of a search: counting the frontier's entries, dividing them into segments of equal work, and
// traversing them. One block alone computes small frontiers. Frontiers are converted between bitmap and
// queue.
#ifndef GRID_SEARCH_PUSH_CUH
#define GRID_SEARCH_PUSH_CUH
#include "spmat/cuda/search/search_push_rows.cuh"

namespace {

// ---- bitmap to queue and back ---------------------------------------------------------------------------

// Word w of the initial frontier.
__device__ inline uint32_t first_frontier(const search_args &a, uint32_t w) {
  return a.frontier ? a.frontier[w] : word_of_list(a.short_list, a.nshort_list, w);
}

__device__ void clear_bits(uint32_t *bits, uint32_t words) {
  for (uint32_t w = grid_thread(); w < words; w += grid_threads()) bits[w] = 0;
}

// The start of a search: its own copy of visited, and the frontier in the queue.
template <search_layout LAYOUT>
__device__ void begin(const search_args &a, search_shared &sh) {
  uint32_t *buffer = sh.found[warp()], count = 0, visited = 0;
  bool open = false;
  for (uint32_t i = grid_thread(); i < sizeof(search_set) / 4; i += grid_threads())
    ((uint32_t *)a.other)[i] = 0;
  if (a.coarse) clear_bits(a.coarse, COARSE / 32);
  for (uint32_t w = grid_thread(); pushes_rows<LAYOUT>(a) && w < a.words_all; w += grid_threads())
    if (w - a.local_word >= a.words) a.reached[w] = 0;
  if (pushes_rows<LAYOUT>(a) && grid_thread() < 3) a.window[a.process]->sent[grid_thread()] = 0;
  for (uint32_t w0 = grid_warp() * 32; w0 < a.words; w0 += grid_warps() * 32 * TILE) {
    uint32_t frontier[TILE], visited_before[TILE];
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t w = w0 + k * grid_warps() * 32 + lane();
      frontier[k] = w < a.words ? first_frontier(a, w) : 0;
      visited_before[k] = w < a.words ? load_visited_before(a, w) : 0;
    }
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t w = w0 + k * grid_warps() * 32 + lane();
      if (w < a.words) (LAYOUT == MATRIX_BLOCK ? a.block.local_visited : a.visited)[w] = visited_before[k];
      if (LAYOUT != MATRIX_BLOCK && w < a.words && a.direction == GRID_SEARCH_PULL)
        a.bits[a.local_word + w] = frontier[k];
      open = open || frontier[k] != visited_before[k];
      visited += __popc(visited_before[k]);
      enqueue_word(frontier[k], w, buffer, &count, found_list(a, 0), &a.set->at[0].found);
    }
  }
  const uint32_t position = reserve(sh, &a.set->at[0].found, count);
  empty_found(buffer, &count, found_list(a, 0), position);
  add(sh, &a.set->visited, visited, &a.set->open, (uint32_t)open);
}

// Moves the frontier that a pull left as a bitmap to the front of the queue, and to visited. All three
// bitmaps are clear afterwards (the one after the frontier's is already). Several GPUs: each moves its own
// words, to its list.
__device__ void list_frontier(const search_args &a, search_shared &sh) {
  uint32_t *all = a.bits + a.local_word, *bits = all + sh.state.bits * a.stride,
           *old = all + (sh.state.bits + 2) % 3 * a.stride;
  uint32_t *list = found_list(a, sh.state.level - 1), *counter = &a.set->at[sh.state.level].queued;
  uint32_t *buffer = sh.found[warp()], count = 0;
  for (uint32_t w0 = grid_warp() * 32; w0 < a.words; w0 += grid_warps() * 32 * TILE) {
    uint32_t frontier[TILE];
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t w = w0 + k * grid_warps() * 32 + lane();
      frontier[k] = w < a.words ? bits[w] : 0;
    }
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t w = w0 + k * grid_warps() * 32 + lane();
      if (w < a.words) old[w] = 0;
      if (frontier[k]) a.visited[w] |= frontier[k], bits[w] = 0;
      enqueue_word(frontier[k], w, buffer, &count, list, counter);
    }
  }
  const uint32_t position = reserve(sh, counter, count);
  empty_found(buffer, &count, list, position);
}

// Sets bit v >> shift for each v = vertex(i), i < size.
template <typename vertices>
__device__ void list_to_bits(vertices vertex, uint32_t size, uint32_t *bits, uint32_t shift) {
  for (uint32_t i = grid_thread(); i < size; i += grid_threads()) {
    const uint32_t v = vertex(i) >> shift;
    atomicOr(bits + (v >> 5), 1u << (v & 31));
  }
}

// ---- segments of work -------------------------------------------------------------------------------------

// The frontier in groups of 32 vertices, each divided into segments of a.item entries: work[] gets (group,
// segment). Warp `first` of `warps` that share it; all warps of the block call. Several GPUs: the frontier is
// fetched from the lists of all GPUs on the way.
template <search_layout LAYOUT, class offset>
__device__ void measure(const search_args &a, search_shared &sh, uint32_t base, uint32_t size, uint32_t level,
                        uint32_t first, uint32_t warps) {
  search_counts *c = a.set->at + level;
  const uint32_t groups = (size + 31) / 32;
  const offset *ptr = out_ptr<offset>(a);
  offset edges = 0;
  for (uint32_t g0 = first; g0 < groups; g0 += warps * TILE) {
    uint32_t v[TILE], segments[TILE], all = 0, position = 0;
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t i = (g0 + k * warps) * 32 + lane();
      v[k] = NO_ROW;
      if (i < size)
        v[k] = LAYOUT == ONE_GPU        ? a.queue[base + i]
               : pushes_rows<LAYOUT>(a) ? local_vertex(a, sh.state, level, i)
                                        : fetch_found(a, sh, found_list(a, level - 1), i);
    }
    for (uint32_t k = 0; LAYOUT != ONE_GPU && k < TILE; k++)
      if (v[k] != NO_ROW) a.queue[(g0 + k * warps) * 32 + lane()] = v[k];
    // the rows are those of the last level; that the start's are visited, or not, is up to the program
    for (uint32_t k = 0; LAYOUT == MATRIX_BLOCK && a.symmetric && level > 1 && k < TILE; k++)
      if (v[k] != NO_ROW) atomicOr(a.visited + (v[k] >> 5), 1u << (v[k] & 31));
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const offset degree = v[k] == NO_ROW ? 0 : ptr[v[k] + 1] - ptr[v[k]];
      const offset total = sum_of_warp(degree);
      edges += degree;
      segments[k] = (uint32_t)(total / a.item + (total % a.item != 0));
      all += segments[k];
    }
    if (lane() == 0 && all) position = atomicAdd(&c->items, all);
    position = __shfl_sync(ALL, position, 0);
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      for (uint32_t p = lane(); p < segments[k]; p += 32)
        a.work[position + p] = make_uint2(g0 + k * warps, p);
      position += segments[k];
    }
  }
  add(sh, &c->queued, 0, (offset *)&c->edges, edges);
}

// ---- traversing the entries -------------------------------------------------------------------------------

// Length of the queue: the frontier, or what of it a matrix block pushes.
template <search_layout LAYOUT>
__device__ inline uint32_t queue_size(const search_args &a, const search_shared &sh) {
  return LAYOUT == MATRIX_BLOCK   ? sh.upto[a.push_from.n]
         : pushes_rows<LAYOUT>(a) ? sh.state.local
                                  : sh.state.size;
}

// Entries u[] of the vertices from[]: those not visited yet are found.
template <search_layout LAYOUT>
__device__ void push_tile(const search_args &a, push_into &p, const uint32_t *u, const uint32_t *from,
                          const bool *live) {
  uint32_t old[TILE], *visited = LAYOUT == MATRIX_BLOCK ? a.block.reached : a.visited;
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++) old[k] = live[k] ? load_volatile(visited + (u[k] >> 5)) : ALL;
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++)
    if (!has(old[k], u[k])) old[k] = atomicOr(visited + (u[k] >> 5), 1u << (u[k] & 31));
  if (p.count > FOUND - 32 * TILE) flush_found(p.buffer, &p.count, p.queue, p.counter);
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++) {
    const bool found = !has(old[k], u[k]);
    const uint32_t mask = __ballot_sync(ALL, found);
    if (found) {
      p.buffer[p.count + lanes_before(mask)] = u[k];
      if (LAYOUT == MATRIX_BLOCK)
        write_end_parent(a, a.block.push, u[k], from[k]);
      else if (p.merged)
        write_found<LAYOUT>(a, p.level, u[k], from[k]);
      else
        a.tags[u[k]] = tag_parent(a, p.level, from[k]);
    }
    p.count += __popc(mask);
  }
}

// Segment number `segment` of the entries of 32 vertices, v in this lane.
template <search_layout LAYOUT, class offset>
__device__ void push_item(const search_args &a, push_into &p, uint32_t v, uint32_t segment) {
  const offset *ptr = out_ptr<offset>(a);
  const offset first = (offset)segment * a.item;
  const offset start = v == NO_ROW ? 0 : ptr[v];
  const offset degree = v == NO_ROW ? 0 : ptr[v + 1] - start;
  const offset upto = inclusive_scan(degree), total = __shfl_sync(ALL, upto, 31);
  const uint32_t length = (uint32_t)(total - first < a.item ? total - first : a.item);
  // entry e of the segment belongs to the lane with the first end > e, and is idx[at + e] for that lane's at
  const uint32_t end = (uint32_t)(upto <= first ? 0 : upto - first < a.item ? upto - first : a.item);
  const offset at = start - (upto - degree) + first;
#pragma unroll 1
  for (uint32_t t = 0; t < length; t += 32 * TILE) {
    const uint32_t last = t + 32 * TILE < length ? t + 32 * TILE - 1 : length - 1;
    const uint32_t one = __popc(__ballot_sync(ALL, end <= t));
    const bool shared = one != __popc(__ballot_sync(ALL, end <= last));
    uint32_t u[TILE], from[TILE];
    bool live[TILE];
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t e = t + 32 * k + lane(), owner = shared ? lane_of_entry(end, e) : one;
      from[k] = __shfl_sync(ALL, v, owner);
      const offset position = __shfl_sync(ALL, at, owner) + e;
      live[k] = e < length;
      u[k] = live[k] ? __ldg(a.out_idx + position) : 0;
    }
    if (pushes_rows<LAYOUT>(a))
      push_tile_of_rows(a, p, u, from, live);
    else
      push_tile<LAYOUT>(a, p, u, from, live);
  }
}

// Is the frontier so short that each warp computes its segments by itself, and no phase measures it?
template <search_layout LAYOUT>
__device__ inline bool is_short_push(const search_args &a, const search_state &state) {
  return pushes_rows<LAYOUT>(a) && state.size <= UNCOUNTED_PUSH;
}

// Such a frontier: two vertices a lane, the segments of the first 32, and of all.
static_assert(UNCOUNTED_PUSH == 64, "two vertices a lane");
struct short_push {
  uint32_t v[2], first, items;
};
template <class offset>
__device__ short_push measure_short_push(const search_args &a, const search_state &state, search_counts *c) {
  const offset *ptr = out_ptr<offset>(a);
  offset edges = 0;
  short_push s = {};
#pragma unroll
  for (uint32_t k = 0; k < 2; k++) {
    const uint32_t i = 32 * k + lane();
    s.v[k] = i < state.local ? local_vertex(a, state, state.level, i) : NO_ROW;
  }
#pragma unroll
  for (uint32_t k = 0; k < 2; k++) {
    const offset total = sum_of_warp(s.v[k] == NO_ROW ? (offset)0 : ptr[s.v[k] + 1] - ptr[s.v[k]]);
    s.first = s.items;
    s.items += (uint32_t)(total / a.item + (total % a.item != 0));
    edges += total;
  }
  if (grid_thread() == 0 && edges) add_to((offset *)&c->edges, edges);
  return s;
}

template <search_layout LAYOUT, class offset>
__device__ void push_items(const search_args &a, search_shared &sh) {
  const search_state &state = sh.state;
  const uint32_t size = queue_size<LAYOUT>(a, sh);
  uint32_t *behind = LAYOUT == MATRIX_BLOCK ? a.block.found_list
                     : LAYOUT == WHOLE_ROWS ? found_list(a, state.level)
                                            : a.queue + state.base + state.size;
  search_counts *c = a.set->at + state.level;
  push_into p = {
      sh.found[warp()], 0, behind, &c->found, state.level, state.merged, should_retain<LAYOUT>(a, state), 0};
  const bool is_short = LAYOUT == WHOLE_ROWS && !state.measured;
  const short_push brief = is_short ? measure_short_push<offset>(a, state, c) : short_push{};
  const uint32_t items = is_short ? brief.items : state.items;
#pragma unroll 1
  for (uint32_t k = grid_warp(); k < items; k += grid_warps()) {
    const bool second = k >= brief.first;
    uint32_t v = second ? brief.v[1] : brief.v[0], segment = k - (second ? brief.first : 0);
    if (!is_short) {
      const uint2 item = a.work[k];
      const uint32_t i = item.x * 32 + lane();
      v = i < size ? a.queue[state.base + i] : NO_ROW;
      segment = item.y;
    }
    push_item<LAYOUT, offset>(a, p, v, segment);
  }
  if (pushes_rows<LAYOUT>(a)) {
    const uint32_t sent = sum_of_warp(p.sent);
    if (lane() == 0 && sent) atomicAdd(&c->sent, sent);
  }
  const uint32_t position = reserve(sh, p.counter, p.count);
  empty_found(p.buffer, &p.count, p.queue, position);
}

// ---- small frontiers ------------------------------------------------------------------------------------

// Where the entries of each frontier vertex begin among all of them; returns their number, or any number
// above TINY_EDGES if there are more.
template <class offset>
__device__ uint32_t scan_tiny_offsets(const search_args &a, search_shared &sh, const uint32_t *v,
                                      uint32_t size) {
  constexpr uint32_t VERTICES_PER_THREAD = TINY_VERTICES / THREADS;
  search_tiny &t = sh.tiny;
  const offset *ptr = out_ptr<offset>(a);
  offset start[VERTICES_PER_THREAD];
  uint32_t degree[VERTICES_PER_THREAD], thread_degree = 0;
#pragma unroll
  for (uint32_t k = 0; k < VERTICES_PER_THREAD; k++) {
    const uint32_t i = threadIdx.x * VERTICES_PER_THREAD + k;
    start[k] = i < size ? ptr[v[i]] : 0;
    degree[k] = i < size ? (uint32_t)(ptr[v[i] + 1] - start[k]) : 0;
    if (degree[k] > TINY_EDGES) degree[k] = TINY_EDGES + 1;
    thread_degree += degree[k];
  }
  const uint32_t upto = inclusive_scan(thread_degree);
  if (lane() == 31) sh.at[warp()] = upto;
  if (threadIdx.x == 0) t.count = 0;
  __syncthreads();
  const uint32_t warps = inclusive_scan(lane() < WARPS ? sh.at[lane()] : 0);
  const uint32_t before = __shfl_sync(ALL, warps, (warp() + 31) & 31), total = __shfl_sync(ALL, warps, 31);
  uint32_t position = (warp() ? before : 0) + upto - thread_degree;
#pragma unroll
  for (uint32_t k = 0; k < VERTICES_PER_THREAD; k++) {
    const uint32_t i = threadIdx.x * VERTICES_PER_THREAD + k;
    if (i < size) t.off[i] = position, t.pos[i] = (uint32_t)start[k] - position;
    position += degree[k];
  }
  __syncthreads();
  return total;
}

// The one of `size` vertices that entry e belongs to.
__device__ inline uint32_t find_tiny_owner(const uint32_t *off, uint32_t size, uint32_t e) {
  uint32_t lo = 0, hi = size;  // off[lo] <= e < off[hi]
  while (hi - lo > 1) {
    const uint32_t middle = (lo + hi) / 2;
    if (off[middle] <= e)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

template <class offset>
__device__ void tiny_push(const search_args &a, search_tiny &t, bool merged, uint32_t level, uint32_t turn,
                          uint32_t size, uint32_t edges, uint32_t *queue) {
  for (uint32_t e0 = warp() * 32; e0 < edges; e0 += THREADS) {
    const uint32_t e = e0 + lane();
    uint32_t u = 0, from = 0;
    bool found = false;
    if (e < edges) {
      const uint32_t owner = find_tiny_owner(t.off, size, e);
      from = t.v[turn][owner];
      // of a 64-bit sum only the low half fits there; a vertex' first entry is read again
      const uint32_t position = t.pos[owner] + e;
      u = __ldg(a.out_idx +
                (HAS_OFFSETS64<offset> ? out_ptr<offset>(a)[from] + (e - t.off[owner]) : position));
      const uint32_t bit = 1u << (u & 31);
      found = !(load_volatile(a.visited + (u >> 5)) & bit) && !(atomicOr(a.visited + (u >> 5), bit) & bit);
    }
    const uint32_t mask = __ballot_sync(ALL, found);
    uint32_t position = 0;
    if (lane() == 0 && mask) position = atomicAdd(&t.count, __popc(mask));
    position = __shfl_sync(ALL, position, 0) + lanes_before(mask);
    if (!found) continue;
    if (position < TINY_VERTICES) t.v[turn ^ 1][position] = u;
    queue[position] = u;
    if (merged)
      write_found<ONE_GPU>(a, level, u, from);
    else
      a.tags[u] = tag_parent(a, level, from);
  }
}

// Block 0 continues alone while the frontier is small: without a barrier of the grid, 1 to 2 us a level. The
// others wait at the next barrier. Results are in a.set->hand.
template <class offset>
__device__ void run_tiny_levels(const search_args &a, search_shared &sh) {
  const bool merged = sh.state.merged;
  uint32_t level = sh.state.level, base = sh.state.base, size = sh.state.size, turn = 0, total = 0, edges = 0;
  uint64_t clock = sh.state.clock;
  for (uint32_t i = threadIdx.x; i < size; i += THREADS) sh.tiny.v[0][i] = a.queue[base + i];
  __syncthreads();
  while (size > 0 && size <= TINY_VERTICES && level <= a.max_levels && (merged || level <= tag_levels(a))) {
    edges = scan_tiny_offsets<offset>(a, sh, sh.tiny.v[turn], size);
    if (edges > TINY_EDGES) break;
    tiny_push<offset>(a, sh.tiny, merged, level, turn, size, edges, a.queue + base + size);
    __syncthreads();
    base += size;
    size = sh.tiny.count;
    total += edges;
    if (threadIdx.x == 0) clock = report(a, level, false, size, size, edges, clock);
    level++;
    turn ^= 1;
    edges = 0;
    __syncthreads();
  }
  if (edges > TINY_EDGES) measure<ONE_GPU, offset>(a, sh, base, size, level, warp(), WARPS);
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint64_t left = sh.state.unvisited;
    a.set->handover = {left > total ? left - total : 0, level, base, size, edges > TINY_EDGES};
    sh.state.clock = clock;
  }
}

}  // namespace
#endif
