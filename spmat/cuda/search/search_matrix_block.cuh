// A search on a grid of GPUs whose blocks have some of the columns of some of the rows (spmat/search.h). In
// each level a block reads the frontier of its columns from the GPUs of `expand` (the expand). The vertices
// that it finds go to their owners among the GPUs of `fold` (the fold), each once:
//
//   push   each block lists the rows it finds. All GPUs of `fold` read these lists: they mark the rows as
//          visited, and the owner lists its vertices for the next level. Of a symmetric pattern without
//          columns a push goes along rows: the two sets change places. The rows that it found are marked as
//          visited when the next level reads them.
//   pull   the first one in two steps: every GPU tries the rows of its own vertices, then those of the others
//          that their owners have not found. A block marks its finds in a bitmap, of which the owner reads
//          its part from every GPU of `fold`. The owners' found vertices are read in the next level: as the
//          frontier by the GPUs of `expand`, as visited rows by those of `fold`.
//
// Parents come late (Bisson et al., section 3.2). A block retains the other end of each find that is
// another GPU's vertex, and the fold notes which block has found a vertex. When the search is over, each
// block packs the parents of the vertices that it has found for others, and the owners read these.
#ifndef GRID_SEARCH_MATRIX_BLOCK_CUH
#define GRID_SEARCH_MATRIX_BLOCK_CUH
#include "spmat/cuda/search/search_levels.cuh"

namespace {

__device__ inline uint32_t chunk_words(const search_args &a) {
  return a.q / 32;
}
// Member m of a set in the order in which this GPU visits them, itself first.
__device__ inline uint32_t member_in_turn(const grid_search_members &set, uint32_t k) {
  const uint32_t m = set.at + k;
  return m < set.n ? m : m - set.n;
}

__device__ inline uint32_t turn_of_member(const grid_search_members &set, uint32_t m) {
  return m >= set.at ? m - set.at : m + set.n - set.at;
}

// Reads the words of q bits at `local` of every GPU of a set into their places in `to`. MERGE: sets bits
// only. merged, if not NULL: sets the bits there as well.
template <bool MERGE>
__device__ __noinline__ void gather_words(const search_args &a, const grid_search_members &set,
                                          uint32_t *local, uint32_t *to, uint32_t *merged = NULL) {
  const uint32_t member_words = a.q / 64, all = set.n * member_words;
  uint64_t *words = (uint64_t *)to, *more = (uint64_t *)merged;
#pragma unroll 1
  for (uint32_t i0 = grid_thread(); i0 < all; i0 += grid_threads() * FETCH) {
    uint64_t x[FETCH];
    uint32_t at[FETCH];
#pragma unroll
    for (uint32_t k = 0; k < FETCH; k++) {
      const uint32_t i = i0 + k * grid_threads();
      if (i >= all) continue;
      const uint32_t m = member_in_turn(set, i / member_words), w = i % member_words;
      at[k] = m * member_words + w;
      x[k] = __ldcv(peer_address(a, member_process(set, m), (uint64_t *)local) + w);
    }
#pragma unroll
    for (uint32_t k = 0; k < FETCH; k++) {
      if (i0 + k * grid_threads() >= all) continue;
      words[at[k]] = MERGE ? words[at[k]] | x[k] : x[k];
      if (more) more[at[k]] |= x[k];
    }
  }
}

// ---- the start --------------------------------------------------------------------------------------------

__device__ void begin_on_grid(const search_args &a, search_shared &sh) {
  begin<MATRIX_BLOCK>(a, sh);
  for (uint32_t w = a.words + grid_thread(); w < chunk_words(a); w += grid_threads())
    a.block.local_visited[w] = 0;
  for (uint32_t w = grid_thread(); w < (a.n + 3) / 4; w += grid_threads()) ((uint32_t *)a.level)[w] = 0;
  clear_bits(a.block.pull.finder, a.block.pull.planes * chunk_words(a));
  clear_bits(a.block.push.finder, a.block.push.planes * chunk_words(a));
  const search_set &set = *a.set;
  if (peer_barrier(a, sh, [&](uint64_t *flag_words) {
        flag_words[0] = set.at[0].found;
        flag_words[1] = first_unvisited(a);
        flag_words[2] = a.rows;
        flag_words[3] = a.nvals;
      })) {
    const uint64_t *sum = sh.received.sum;
    // every row counts once for each block that has entries of it
    first_state(a, sh.state, prefix_lists(a, sh), sum[1], sum[2] / a.fold.n, sum[3]);
    sh.state.bits = -1;
    sh.state.merged = true;
  }
  __syncthreads();
  gather_words<false>(a, a.fold, a.block.local_visited, a.visited);
  if (a.symmetric) gather_words<false>(a, a.expand, a.block.local_visited, a.block.reached);
  device_barrier(a);
  __syncthreads();
}

// ---- pushes -----------------------------------------------------------------------------------------------

// The vertices on the lists of all GPUs of push.to become visited; local ones among them are listed.
__device__ void fold_lists(const search_args &a, search_shared &sh) {
  uint32_t *buffer = sh.found[warp()], count = 0, *list = found_list(a, sh.state.level);
  uint32_t *counter = &a.set->at[sh.state.level].folded;
  const search_ends &push = a.block.push;
  const uint32_t all = sh.upto[push.to.n];
#pragma unroll 1
  for (uint32_t i0 = grid_warp() * 32; i0 < all; i0 += grid_warps() * 32) {
    const uint32_t i = i0 + lane();
    uint32_t m = 0, v = 0;
    bool is_local = false;
    if (i < all) {
      const uint32_t u = fetch_listed(a, push.to, sh, a.block.found_list, i, &m), bit = 1u << (u & 31);
      const bool is_new = m == push.to.at || !(atomicOr(a.block.reached + (u >> 5), bit) & bit);
      v = u - push.to.at * a.q;
      is_local = is_new && v < a.q;
    }
    if (is_local) {
      const uint32_t turn = turn_of_member(push.to, m);
      a.level[v] = (uint8_t)sh.state.level;
      for (uint32_t b = 0; turn >> b; b++)
        if (turn >> b & 1) atomicOr(push.finder + b * chunk_words(a) + (v >> 5), 1u << (v & 31));
    }
    if (count > FOUND - 32) flush_found(buffer, &count, list, counter);
    const uint32_t mask = __ballot_sync(ALL, is_local);
    if (is_local) buffer[count + lanes_before(mask)] = v;
    count += __popc(mask);
  }
  empty_found(buffer, &count, list, reserve(sh, counter, count));
}

__device__ void push_on_grid(const search_args &a, search_shared &sh) {
  const search_counts &c = a.set->at[sh.state.level];
  push_items<MATRIX_BLOCK, uint32_t>(a, sh);
  if (peer_barrier(a, sh, [&](uint64_t *flag_words) { flag_words[0] = c.found, flag_words[1] = c.edges; })) {
    sh.state.edges = sh.received.sum[1];
    prefix_members(a.block.push.to, sh);
    if (sh.received.stopped) sh.upto[a.block.push.to.n] = 0;
  }
  __syncthreads();
  fold_lists(a, sh);
  if (peer_barrier(a, sh, [&](uint64_t *flag_words) { flag_words[0] = c.folded; })) {
    search_state &state = sh.state;
    const uint32_t found = prefix_lists(a, sh);
    if (blockIdx.x == 0) state.clock = report(a, state.level, false, found, c.folded, c.edges, state.clock);
    state.unvisited -= state.edges < state.unvisited ? state.edges : state.unvisited;
    state.size = found;
    state.level++;
    state.measured = false;
  }
  __syncthreads();
}

// ---- the frontier as a bitmap --------------------------------------------------------------------------

__device__ void list_to_local_found(const search_args &a, search_shared &sh) {
  clear_bits(a.block.local_found, chunk_words(a));
  device_barrier(a);
  __syncthreads();
  const uint32_t *local = found_list(a, sh.state.level - 1);
  list_to_bits([&](uint32_t i) { return local[i]; }, local_list(a, sh), a.block.local_found, 0);
  if (peer_barrier(a, sh, send_nothing)) sh.state.bits = 0;
  __syncthreads();
}

// The frontier of the block's columns. Its vertices become visited among the block's rows, if a pull or a
// push along rows has found them, and, for pushes along rows, among its columns.
__device__ void gather_found(const search_args &a, search_shared &sh, bool pulled) {
  uint32_t *reached = pulled && a.symmetric ? a.block.reached : NULL;  // a push has marked its own
  if (a.expand.n > 1 || reached) gather_words<false>(a, a.expand, a.block.local_found, a.bits, reached);
  if (pulled || (a.symmetric && sh.state.level > 1))
    gather_words<true>(a, a.fold, a.block.local_found, a.visited);
  clear_bits(a.block.found, a.fold.n * chunk_words(a));
  device_barrier(a);
  __syncthreads();
}

__device__ void local_found_to_list(const search_args &a, search_shared &sh) {
  uint32_t *list = found_list(a, sh.state.level - 1), *counter = &a.set->at[sh.state.level].queued;
  uint32_t *buffer = sh.found[warp()], count = 0;
  for (uint32_t w0 = grid_warp() * 32; w0 < a.words; w0 += grid_warps() * 32) {
    const uint32_t w = w0 + lane(), word = w < a.words ? a.block.local_found[w] : 0;
    enqueue_word(word, w, buffer, &count, list, counter);
  }
  empty_found(buffer, &count, list, reserve(sh, counter, count));
  if (peer_barrier(a, sh, send_nothing)) {
    sh.state.bits = -1;
    sh.state.queued = true;
  }
  __syncthreads();
}

// ---- pulls ------------------------------------------------------------------------------------------------

// The rows of word w that this step tries: local ones, or those of others that their owners have not found.
__device__ inline uint32_t rows_to_try(const search_args &a, uint32_t w, bool local) {
  const bool is_local = w - a.block.first_word < a.words;
  if (w >= a.block.words || is_local != local) return 0;
  const uint32_t rows = __ldg(a.nonempty + w) & ~a.visited[w];
  if (local || !rows) return rows;
  return rows & ~__ldcv(peer_address(a, member_process(a.fold, w / chunk_words(a)), a.block.found) + w);
}

__device__ void sweep_on_grid(const search_args &a, search_shared &sh, bool local) {
  pull_into<MATRIX_BLOCK, uint32_t> p = pull_begin<MATRIX_BLOCK, uint32_t>(a, sh, a.bits, a.block.found, 0);
  uint32_t *counter = local ? &p.counts->swept : &p.counts->pulled;
  const uint32_t from = local ? a.block.first_word / 32 * 32 : 0,
                 to = local ? a.block.first_word + a.words : a.block.words;
#pragma unroll 1
  for (uint32_t w0 = from + grid_warp() * 32; w0 < to; w0 = from + next_words(counter, 32)) {
    const uint32_t rows = rows_to_try(a, w0 + lane(), local);
    if (!__any_sync(ALL, rows != 0)) continue;
    const sweep_words s = {0, transposed(rows), 0};
    uint32_t hits = 0;
    p.inspected += __popc(rows);
#pragma unroll 1
    for (uint32_t j = 0; j < 32; j += SWEEP) {
      hits |= sweep_step(a, p, s, (w0 + j) * 32, j, false);
      __syncwarp();  // its writes for these vertices come after
#pragma unroll 1
      while (p.misses >= 32) scan_missed_rows(a, p);
    }
    if (hits) atomicOr(a.block.found + w0 + lane(), hits);
  }
  drain_misses(a, p);
  pull_end(sh, p);
}

// Sets the levels of the vertices `bits` of word w.
__device__ inline void write_levels(const search_args &a, uint32_t w, uint32_t bits, uint32_t level) {
  uint32_t *bytes = (uint32_t *)(a.level + 32 * (uint64_t)w);
  uint4 x[2] = {((uint4 *)bytes)[0], ((uint4 *)bytes)[1]};
  uint32_t *y = (uint32_t *)x;
#pragma unroll
  for (uint32_t k = 0; k < 8; k++) {
    // bit b of four goes to byte b
    const uint32_t mask = ((bits >> 4 * k & 15) * 0x00204081u & 0x01010101u) * 255;
    y[k] = (y[k] & ~mask) | (level * 0x01010101u & mask);
  }
  ((uint4 *)bytes)[0] = x[0];
  ((uint4 *)bytes)[1] = x[1];
}

// Local vertices found by any block get their level.
__device__ void fold_bits(const search_args &a, search_shared &sh) {
  search_counts *c = a.set->at + sh.state.level;
  uint32_t count = 0;
#pragma unroll 1
  for (uint32_t w = grid_thread(); w < chunk_words(a); w += grid_threads()) {
    uint32_t all = 0;
#pragma unroll 2
    for (uint32_t k = 0; k < a.fold.n; k++) {
      const uint32_t p = member_process(a.fold, member_in_turn(a.fold, k));
      const uint32_t added = __ldcv(peer_address(a, p, a.block.found) + a.block.first_word + w) & ~all;
      all |= added;
      for (uint32_t b = 0; added && k >> b; b++)
        if (k >> b & 1) a.block.pull.finder[b * chunk_words(a) + w] |= added;
    }
    a.block.local_found[w] = all;
    if (all) write_levels(a, w, all, sh.state.level);
    count += __popc(all);
  }
  add(sh, &c->folded, count, &c->inspected, (uint64_t)0);
}

// Thread 0: ends a pull.
__device__ void end_pull_on_grid(const search_args &a, search_shared &sh) {
  search_state &state = sh.state;
  const search_counts &c = a.set->at[state.level];
  const uint32_t found = prefix_lists(a, sh);
  if (blockIdx.x == 0) state.clock = report(a, state.level, true, found, c.folded, c.inspected, state.clock);
  state.list = state.is_list ? state.list ^ 1 : 0;
  state.rows = c.rows;
  state.rows_left = sh.received.sum[1] / a.fold.n;
  state.unvisited = state.rows_left * GRID_SEARCH_REST;
  state.size = found;
  state.bits = 0;
  state.level++;
  state.queued = state.measured = false;
  state.pulls++;
  state.is_list = true;
  state.longs = 0;
}

__device__ void pull_on_grid(const search_args &a, search_shared &sh) {
  if (sh.state.queued) {
    list_to_local_found(a, sh);
    gather_found(a, sh, false);
  }
  if (sh.state.is_list) {
    pull_list<MATRIX_BLOCK, uint32_t>(a, sh, a.bits, a.block.found, NULL, NULL);
  } else {
#pragma unroll 1
    for (int local = 1; local >= 0; local--) {
      sweep_on_grid(a, sh, local);
      if (local) peer_barrier(a, sh, send_nothing);
      __syncthreads();
    }
  }
  const search_counts &c = a.set->at[sh.state.level];
  if (peer_barrier(a, sh, [&](uint64_t *flag_words) { flag_words[0] = c.longs; }))
    note_long_rows(a, sh, sh.received.sum[0], c);
  __syncthreads();
  if (sh.state.has_longs) {
    pull_long<MATRIX_BLOCK, uint32_t>(a, sh, a.bits, a.block.found);
    peer_barrier(a, sh, send_nothing);
    __syncthreads();
  }
  fold_bits(a, sh);
  if (peer_barrier(a, sh, [&](uint64_t *flag_words) { flag_words[0] = c.folded, flag_words[1] = c.rows; }))
    end_pull_on_grid(a, sh);
  __syncthreads();
}

// ---- a level ----------------------------------------------------------------------------------------------

__device__ void run_level_on_grid(const search_args &a, search_shared &sh) {
  const search_state &state = sh.state;
  if (!state.queued) {
    gather_found(a, sh, true);
    if (!should_keep_pulling(a, state)) local_found_to_list(a, sh);
  }
  bool pull = !state.queued || should_pull_uncounted(a, state) || state.size > a.longest_push;
  if (!pull) {
    if (!state.measured) run_measure_phase<MATRIX_BLOCK, uint32_t>(a, sh);
    pull = should_pull(a, state);
  }
  if (pull)
    pull_on_grid(a, sh);
  else
    push_on_grid(a, sh);
}

// ---- parents ----------------------------------------------------------------------------------------------

// In lane l, of word w0 + l of the vertices that `process` owns: those found by the k-th block after its own,
// k > 0.
__device__ inline uint32_t found_by(const search_args &a, const search_ends &ends, uint32_t process,
                                    uint32_t w0, uint32_t k) {
  const uint32_t *finder = peer_address(a, process, ends.finder), w = w0 + lane();
  uint32_t bits = w < chunk_words(a) ? ALL : 0;
  for (uint32_t b = 0; b < ends.planes && bits; b++) {
    const uint32_t x = __ldcv(finder + b * chunk_words(a) + w);
    bits &= k >> b & 1 ? x : ~x;
  }
  return bits;
}

// Packs the parents of the vertices that this block has found for other GPUs, in place.
__device__ __noinline__ void pack_parents(const search_args &a, const search_ends &ends) {
  const uint32_t groups = (chunk_words(a) + 31) / 32;
#pragma unroll 1
  for (uint32_t i = grid_warp(); i < (ends.to.n - 1) * groups; i += grid_warps()) {
    const uint32_t owner = member_in_turn(ends.to, 1 + i / groups), w0 = i % groups * 32;
    const uint32_t k = ends.to.n - 1 - i / groups;  // the turn of this block for that owner
    uint32_t *parents = ends.parent + owner * a.q + w0 * 32;
    move_packed(
        found_by(a, ends, member_process(ends.to, owner), w0, k),
        [&](uint32_t v, uint32_t) { return parents[v]; },
        [&](uint32_t v, uint32_t at, uint32_t parent) {
          if (v != NO_ROW) parents[at] = parent;
        });
  }
}

// The parents of local vertices that other blocks have found.
__device__ __noinline__ void read_parents(const search_args &a, const search_ends &ends) {
#pragma unroll 1
  for (uint32_t w0 = grid_warp() * 32; w0 < a.words; w0 += grid_warps() * 32)
#pragma unroll 1
    for (uint32_t k = 1; k < ends.to.n; k++) {
      const uint32_t m = member_in_turn(ends.to, k);
      const uint32_t *from =
          peer_address(a, member_process(ends.to, m), ends.parent) + ends.to.at * a.q + w0 * 32;
      move_packed(
          found_by(a, ends, a.process, w0, k), [&](uint32_t, uint32_t at) { return __ldcv(from + at); },
          [&](uint32_t v, uint32_t, uint32_t parent) {
            if (v != NO_ROW) write_local_parent(a, w0 * 32 + v, vertex_of_end(a, ends, m, parent));
          });
    }
}

__device__ void finish_parents(const search_args &a, search_shared &sh) {
  if (!a.parent32 && !a.parent64) return;
  pack_parents(a, a.block.pull);
  if (a.symmetric) pack_parents(a, a.block.push);
  peer_barrier(a, sh, send_nothing);
  __syncthreads();
  read_parents(a, a.block.pull);
  if (a.symmetric) read_parents(a, a.block.push);
}

__global__ void __launch_bounds__(THREADS, BLOCKS)
    search_on_grid_kernel(const __grid_constant__ search_args a) {
  __shared__ search_shared sh;
  if (threadIdx.x == 0) sh.state.turn = a.window[a.process]->turn;
  begin_on_grid(a, sh);
  while (sh.state.size > 0 && sh.state.level <= a.max_levels) run_level_on_grid(a, sh);
  finish_parents(a, sh);
  finish<MATRIX_BLOCK>(a, sh);
}

}  // namespace
#endif
