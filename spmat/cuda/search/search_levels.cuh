// The levels of a search in which every GPU has the whole rows of its own vertices, in one launch: a
// persistent kernel. Its blocks synchronise between the phases of a level, and all draw the same conclusions
// from the counters.
//
//   begin            copies visited, and converts the frontier's bits to the queue
//   run_tiny_levels  while the frontier is small: block 0 alone, level after level
//   measure          counts the frontier's edges and divides them into segments, and so decides between
//   push_items       and the pulls: sweep (the first one, over all rows) or pull_list (over the rows left),
//   pull_long        followed by the rows that they left to whole warps
//   list_frontier    converts the bitmap that a pull leaves to the queue that a push needs
//
// Several GPUs (WHOLE_ROWS) search together, each the rows of its own vertices, and exchange counts after
// each phase (search_peers.cuh). A push leaves each GPU's found vertices in a list of its own, from which all
// of them fetch the next frontier when they measure it. Without columns each pushes its own list only, along
// rows (search_push_rows.cuh). It pushes a short one without measuring it (measure_short_push). The first
// pull sends its own words of the bitmap to the others as it proceeds; later ones do not, and all fetch them
// before the next pull. No block computes levels alone.
//
// Until the first sweep a push writes one word for each vertex it finds: the parent with the level in its
// high bits. The sweep separates the two, and writes level 0 everywhere else. A search that only pushes is
// swept at its end, or when there are no bits for more levels.
#ifndef GRID_SEARCH_LEVELS_CUH
#define GRID_SEARCH_LEVELS_CUH
#include "spmat/cuda/search/search_pull.cuh"
#include "spmat/cuda/search/search_push.cuh"

namespace {

// ---- the kernel -----------------------------------------------------------------------------------------

// Approximate number of entries in local rows that are not visited at the start.
__device__ uint64_t first_unvisited(const search_args &a) {
  const search_set &set = *a.set;
  if (!set.open) return a.nvals;
  return a.nvals - (a.nvals / a.n * set.visited + a.nvals % a.n * set.visited / a.n);
}

// Thread 0, after `begin`: the frontier has `size` vertices, and `rows` rows have `nvals` entries.
__device__ void first_state(const search_args &a, search_state &state, uint32_t size, uint64_t unvisited,
                            uint64_t rows, uint64_t nvals) {
  const uint32_t turn = state.turn;
  state = {};
  state.turn = turn;
  state.level = 1;
  state.size = size;
  state.queued = true;
  state.bits = a.direction == GRID_SEARCH_PULL ? 0 : -1;
  state.unvisited = unvisited;
  state.mean = (uint32_t)(rows ? (nvals + rows - 1) / rows : 1);
  if (blockIdx.x == 0) state.clock = clock_ns();
}

template <search_layout LAYOUT>
__device__ void run_begin_phase(const search_args &a, search_shared &sh) {
  begin<LAYOUT>(a, sh);
  const search_set &set = *a.set;
  if constexpr (LAYOUT == WHOLE_ROWS) {
    if (peer_barrier(a, sh, [&](uint64_t *flag_words) {
          flag_words[0] = set.at[0].found;
          flag_words[1] = first_unvisited(a);
          flag_words[2] = a.rows;
          flag_words[3] = a.nvals;
        })) {
      const uint64_t *sum = sh.received.sum;
      first_state(a, sh.state, prefix_lists(a, sh), sum[1], sum[2], sum[3]);
      sh.state.local = set.at[0].found;
    }
  } else if (device_barrier(a)) {
    first_state(a, sh.state, set.at[0].found, first_unvisited(a), a.rows, a.nvals);
    sh.state.closed = a.symmetric && !set.open;
  }
  __syncthreads();
}

// Is this level a pull without counting edges?
__device__ bool should_pull_uncounted(const search_args &a, const search_state &state) {
  if (a.direction != GRID_SEARCH_AUTO) return a.direction == GRID_SEARCH_PULL;
  return (uint64_t)state.size * state.mean * GRID_SEARCH_PULL_RULE > 2 * state.unvisited &&
         state.size > TINY_VERTICES;
}
__device__ bool should_pull(const search_args &a, const search_state &state) {
  return a.direction == GRID_SEARCH_AUTO && state.edges * GRID_SEARCH_PULL_RULE > state.unvisited;
}
// After a pull: is the next level a pull, too? On several GPUs a pull of few rows takes less time than the
// phases of a push.
__device__ bool should_keep_pulling(const search_args &a, const search_state &state) {
  if (a.direction == GRID_SEARCH_PULL) return true;
  if (a.processes > 1 && a.direction == GRID_SEARCH_AUTO && state.rows_left <= LAST_ROWS &&
      state.pulls < LAST_PULLS)
    return true;
  return (uint64_t)state.size * GRID_SEARCH_PUSH_RULE >= state.rows_left;
}

// The message of a phase whose end is the only information.
__device__ inline void send_nothing(uint64_t *) {}

template <search_layout LAYOUT>
__device__ void bits_to_queue(const search_args &a, search_shared &sh) {
  list_frontier(a, sh);
  // nothing was sent since the last push, whose numbers may be left
  if (pushes_rows<LAYOUT>(a) && grid_thread() < 3) a.window[a.process]->sent[grid_thread()] = 0;
  if (LAYOUT == WHOLE_ROWS ? peer_barrier(a, sh, send_nothing) : device_barrier(a)) {
    sh.state.bits = -1;
    sh.state.queued = true;
    sh.state.stale = true;
    sh.state.base = 0;  // the queue's contents are no longer needed
    sh.state.local = a.set->at[sh.state.level].queued;
    sh.state.sent = 0;
  }
  __syncthreads();
}

template <search_layout LAYOUT, class offset>
__device__ void resolve_tags(const search_args &a, search_shared &sh) {
  sweep<LAYOUT, offset>(a, sh, true, false, NULL, NULL, NULL);
  if (device_barrier(a)) sh.state.merged = true;
  __syncthreads();
}

template <class offset>
__device__ void run_tiny_phase(const search_args &a, search_shared &sh) {
  if (blockIdx.x == 0) run_tiny_levels<offset>(a, sh);
  if (device_barrier(a)) {
    search_state &state = sh.state;
    const search_handover &handover = a.set->handover;
    state.unvisited = handover.unvisited;
    state.level = handover.level;
    state.base = handover.base;
    state.size = handover.size;
    state.measured = handover.measured;
    state.edges = a.set->at[state.level].edges;
    state.items = a.set->at[state.level].items;
  }
  __syncthreads();
}

template <search_layout LAYOUT, class offset>
__device__ void run_measure_phase(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.state.level];
  const bool is_counted = LAYOUT != ONE_GPU && sh.state.size > UNCOUNTED_PUSH;
  measure<LAYOUT, offset>(a, sh, sh.state.base, queue_size<LAYOUT>(a, sh), sh.state.level, grid_warp(),
                          grid_warps());
  const auto counts = [&](uint64_t *flag_words) { flag_words[0] = sh.state.local, flag_words[1] = c.edges; };
  if (is_counted ? peer_barrier(a, sh, counts) : device_barrier(a)) {
    if (is_counted && pushes_rows<LAYOUT>(a)) prefix_lists(a, sh);
    sh.state.measured = true;
    sh.state.edges = is_counted ? sh.received.sum[1] : LAYOUT != ONE_GPU ? 0 : c.edges;
    sh.state.items = c.items;
  }
  __syncthreads();
}

// Push along rows: all pack what they have retained, then the owners fetch it; thread 0 gets the number of
// vertices found.
__device__ uint32_t fetch_retained_of_level(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.state.level];
  uint32_t found = 0;
  pack_retained(a);
  peer_barrier(a, sh, send_nothing);
  __syncthreads();
  fetch_retained(a, sh);
  if (peer_barrier(a, sh, [&](uint64_t *flag_words) { flag_words[0] = c.found, flag_words[1] = c.edges; })) {
    found = prefix_lists(a, sh);
    sh.state.local = c.found;
  }
  __syncthreads();
  return found;
}

template <search_layout LAYOUT, class offset>
__device__ void push_level(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.state.level];
  const bool retain = should_retain<LAYOUT>(a, sh.state);
  uint32_t *sent = LAYOUT == WHOLE_ROWS ? a.window[a.process]->sent : NULL;
  if (pushes_rows<LAYOUT>(a) && grid_thread() == 0) sent[(sh.state.level + 1) % 3] = 0;
  push_items<LAYOUT, offset>(a, sh);
  const auto counts = [&](uint64_t *flag_words) {
    flag_words[0] = c.found + c.sent, flag_words[1] = c.edges;
  };
  uint32_t found = 0;  // thread 0
  if (LAYOUT == WHOLE_ROWS ? peer_barrier(a, sh, counts) : device_barrier(a)) {
    search_state &state = sh.state;
    if (LAYOUT == WHOLE_ROWS) state.edges = sh.received.sum[1];
    found = LAYOUT == WHOLE_ROWS ? prefix_lists(a, sh) : c.found;
    state.sent = pushes_rows<LAYOUT>(a) ? __ldcv(sent + state.level % 3) : 0;
    state.local = c.found + state.sent;
  }
  __syncthreads();
  if (retain)
    found = fetch_retained_of_level(a, sh);
  else if (pushes_rows<LAYOUT>(a) && sh.state.merged)
    store_sent(a, sh.state.level, sh.state.sent);
  __syncthreads();
  if (threadIdx.x == 0) {
    search_state &state = sh.state;
    if (blockIdx.x == 0)
      state.clock = report(a, state.level, false, found, state.local, c.edges, state.clock);
    state.unvisited -= state.edges < state.unvisited ? state.edges : state.unvisited;
    if (LAYOUT == ONE_GPU) state.base += state.size;
    state.size = found;
    state.level++;
    state.measured = false;
  }
  __syncthreads();
}

// Makes the frontier's bitmap from the queue.
__device__ void queue_to_bits(const search_args &a, search_shared &sh) {
  if (!sh.state.is_list) {  // else list_frontier has cleared it
    clear_bits(a.bits, a.words);
    device_barrier(a);
    __syncthreads();
  }
  const uint32_t *queue = a.queue + sh.state.base;
  list_to_bits([&](uint32_t i) { return queue[i]; }, sh.state.size, a.bits, 0);
  if (device_barrier(a)) sh.state.bits = 0;
  __syncthreads();
}

// Several GPUs: from the lists of all GPUs if the frontier is short, else the local words of every GPU first.
__device__ void share_bits(const search_args &a, search_shared &sh) {
  const bool is_range_complete = sh.state.measured && sh.state.size <= FULL_LIST_MAX;
  // measuring has fetched the lists, unless each GPU pushes its own vertices only
  const auto vertex = [&](uint32_t i) { return a.symmetric ? fetch_found(a, sh, a.queue, i) : a.queue[i]; };
  const uint32_t *list = found_list(a, sh.state.level - 1);
  const auto local_at = [&](uint32_t i) {
    return a.symmetric ? local_vertex(a, sh.state, sh.state.level, i) : list[i];
  };
  uint32_t *bits = a.bits + (is_range_complete ? 0 : a.local_word);
  clear_bits(bits, is_range_complete ? a.words_all : a.words);
  device_barrier(a);
  __syncthreads();
  if (is_range_complete)
    list_to_bits(vertex, sh.state.size, bits, 0);
  else
    list_to_bits(local_at, local_size(a, sh), bits, 0);
  // it was clear at the start, and is used once
  const bool sparse =
      is_range_complete && a.coarse && !sh.state.is_list && sh.state.size < COARSE / COARSE_BITS_PER_VERTEX;
  if (sparse) list_to_bits(vertex, sh.state.size, a.coarse, a.coarse_shift);
  if (is_range_complete ? device_barrier(a) : peer_barrier(a, sh, send_nothing)) {
    sh.state.bits = 0;
    sh.state.is_complete = is_range_complete;
    sh.state.sparse = sparse;
  }
  __syncthreads();
}

// Are so few rows left that others' words need not be fetched?
__device__ inline bool small_look(const search_args &a, const search_state &state) {
  return state.is_list && state.rows < (a.words_all - a.words) / REMOTE_RULE;
}

// The others' words of the frontier's bitmap.
__device__ void complete_bits(const search_args &a, search_shared &sh) {
  fetch_bits(a, a.bits + sh.state.bits * a.stride);
  if (device_barrier(a)) sh.state.is_complete = true;
  __syncthreads();
}

// Thread 0, after the rows of a pull; all GPUs together have `all` segments of long rows.
__device__ inline void note_long_rows(const search_args &a, search_shared &sh, uint64_t all,
                                      const search_counts &c) {
  sh.state.longs = c.longs < a.work_capacity ? c.longs : a.work_capacity;
  sh.state.has_longs = all != 0;
}

// Thread 0: ends a pull.
template <search_layout LAYOUT>
__device__ void end_pull(const search_args &a, search_shared &sh, int32_t next) {
  search_state &state = sh.state;
  const search_counts &c = a.set->at[state.level];
  const uint32_t found = LAYOUT == WHOLE_ROWS ? prefix_lists(a, sh) : c.found;
  if (blockIdx.x == 0) state.clock = report(a, state.level, true, found, c.found, c.inspected, state.clock);
  state.is_complete = LAYOUT == WHOLE_ROWS && !state.is_list;  // a sweep has sent its words
  state.list = state.is_list ? state.list ^ 1 : 0;
  state.rows = c.rows;
  state.rows_left = LAYOUT == WHOLE_ROWS ? sh.received.sum[1] : c.rows;
  state.unvisited = state.rows_left * GRID_SEARCH_REST;
  state.size = found;
  state.bits = next;
  state.level++;
  state.pulls++;
  state.queued = state.measured = state.stale = state.sparse = false;
  state.is_list = state.merged = true;
  state.longs = 0;
}

// The set in which a row's entries are looked up: the frontier's bitmap if it exists. Otherwise the frontier
// is in the queue and in visited, and `visited` itself serves if `closed` holds. That is: the pattern is
// symmetric and, at the start, only visited vertices of the frontier had unvisited neighbors. Then an
// unvisited vertex v has no neighbor u that was visited before the frontier. Otherwise u was in an earlier
// frontier, so that v would have been found in the level after it. So a visited neighbor is in the frontier,
// and level and parent are right. No bit of visited changes meanwhile; found vertices go to `next`.
template <search_layout LAYOUT, class offset>
__device__ void pull_level(const search_args &a, search_shared &sh) {
  if constexpr (LAYOUT == WHOLE_ROWS) {
    if (sh.state.bits < 0) share_bits(a, sh);
    if (!sh.state.is_complete && !small_look(a, sh.state)) complete_bits(a, sh);
  } else if (sh.state.bits < 0 && !sh.state.closed) {
    queue_to_bits(a, sh);
  }
  const int32_t from = sh.state.bits, to = (from + 1) % 3;
  const uint32_t *probe = LAYOUT == ONE_GPU && from < 0 ? a.visited : a.bits + from * a.stride;
  uint32_t *bitmap = a.bits + a.local_word, *next = bitmap + to * a.stride,
           *clear = bitmap + (to + 1) % 3 * a.stride;
  if (sh.state.is_list)
    pull_list<LAYOUT, offset>(a, sh, probe, next, clear, sh.state.queued ? NULL : probe + a.local_word);
  else
    sweep<LAYOUT, offset>(a, sh, !sh.state.merged, true, probe, next, clear);
  const search_counts &c = a.set->at[sh.state.level];
  const auto counts = [&](uint64_t *flag_words) {
    flag_words[0] = c.found, flag_words[1] = c.rows, flag_words[2] = c.longs;
  };
  if (LAYOUT == WHOLE_ROWS ? peer_barrier(a, sh, counts) : device_barrier(a)) {
    note_long_rows(a, sh, LAYOUT == WHOLE_ROWS ? sh.received.sum[2] : c.longs, c);
    if (!sh.state.has_longs) end_pull<LAYOUT>(a, sh, to);
  }
  __syncthreads();
  if (!sh.state.has_longs) return;
  pull_long<LAYOUT, offset>(a, sh, probe, next);
  if (LAYOUT == WHOLE_ROWS ? peer_barrier(a, sh, counts) : device_barrier(a)) end_pull<LAYOUT>(a, sh, to);
  __syncthreads();
}

// Every phase is called from one place only: all are inlined into the kernel, which should stay small.
template <search_layout LAYOUT, class offset>
__device__ void run_level(const search_args &a, search_shared &sh) {
  const search_state &state = sh.state;
  if (!state.queued && !should_keep_pulling(a, state)) bits_to_queue<LAYOUT>(a, sh);
  bool pull = !state.queued || should_pull_uncounted(a, state) || state.size > a.longest_push;
  if (!pull) {
    if (!state.measured) {
      if (LAYOUT == ONE_GPU && state.size <= TINY_VERTICES) return run_tiny_phase<offset>(a, sh);
      if (!is_short_push<LAYOUT>(a, state)) run_measure_phase<LAYOUT, offset>(a, sh);
    }
    pull = state.measured && should_pull(a, state);
  }
  if (pull)
    pull_level<LAYOUT, offset>(a, sh);
  else
    push_level<LAYOUT, offset>(a, sh);
}

template <class T>
__device__ inline void write_listed_value(const search_args &a, uint32_t k) {
  memcpy((T *)a.after.values + a.visited_list[k], &a.after.value[k], sizeof(T));
}

// Fills the job's `after`.
template <search_layout LAYOUT>
__device__ void write_visited(const search_args &a, const search_state &state) {
  // a push along rows marks what it finds among the block's columns first
  const uint32_t *visited =
      LAYOUT == MATRIX_BLOCK ? a.block.reached + a.block.push.to.at * (a.q / 32) : a.visited;
  // stopped after a pull: what it found is not in visited yet
  const uint32_t *found = state.queued || state.size == 0 ? NULL
                          : LAYOUT == MATRIX_BLOCK        ? a.block.local_found
                                                          : a.bits + state.bits * a.stride + a.local_word;
  for (uint32_t w = grid_thread(); w < a.words; w += grid_threads())
    ((uint32_t *)a.after.bits)[w] = visited[w] | (found ? found[w] : 0);
  const uint32_t k = grid_thread();
  if (k >= a.nvisited_list) return;
  if (a.after.size == 1) write_listed_value<uint8_t>(a, k);
  if (a.after.size == 2) write_listed_value<uint16_t>(a, k);
  if (a.after.size == 4) write_listed_value<uint32_t>(a, k);
  if (a.after.size == 8) write_listed_value<uint64_t>(a, k);
}

// Finishes all results; the last block reports that.
template <search_layout LAYOUT>
__device__ void finish(const search_args &a, search_shared &sh) {
  const search_state &state = sh.state;
  if (a.after.bits) write_visited<LAYOUT>(a, state);
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device> finished(a.set->finished);
  if (finished.fetch_add(1, cuda::std::memory_order_acq_rel) + 1 < gridDim.x) return;
  if (a.processes > 1) a.window[a.process]->turn = state.turn;
  // the last level counted found nothing, unless max_levels ended the search
  const uint32_t run = state.level - 1, with_found = state.size > 0 || run == 0 ? run : run - 1;
  publish_word(a, 0, (state.size > 0 ? FLAG : 0) | with_found);
}

template <search_layout LAYOUT, class offset>
__global__ void __launch_bounds__(THREADS, BLOCKS) search_kernel(const __grid_constant__ search_args a) {
  __shared__ search_shared sh;
  if (threadIdx.x == 0) sh.state.turn = LAYOUT == WHOLE_ROWS ? a.window[a.process]->turn : 0;
  run_begin_phase<LAYOUT>(a, sh);
  for (;;) {
    const bool over = sh.state.size == 0 || sh.state.level > a.max_levels;
    if (!sh.state.merged && (over || sh.state.level > tag_levels(a))) resolve_tags<LAYOUT, offset>(a, sh);
    if (over) break;
    run_level<LAYOUT, offset>(a, sh);
  }
  finish<LAYOUT>(a, sh);
}

}  // namespace
#endif
