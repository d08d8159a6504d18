// Push along rows: several GPUs search a symmetric pattern of which each has the rows of its own vertices,
// and no columns. The owner of a vertex pushes along its row, and so reaches vertices of other GPUs. Of these
// it remembers in `reached` which it has reached before. In a short level it then asks the owner's visited
// word, over NVLink, and sends the vertex and its tag (level and parent) if nobody else has found it. In a
// level of retain_from entries or more it retains the tags. Afterwards all pack these, and the owners fetch
// what is new to them.
#ifndef GRID_SEARCH_PUSH_ROWS_CUH
#define GRID_SEARCH_PUSH_ROWS_CUH
#include "spmat/cuda/search/search_peers.cuh"

namespace {

template <search_layout LAYOUT>
__device__ inline bool pushes_rows(const search_args &a) {
  return LAYOUT == WHOLE_ROWS && a.symmetric;
}

// Is so much pushed that tags are retained for the owners to fetch?
template <search_layout LAYOUT>
__device__ inline bool should_retain(const search_args &a, const search_state &state) {
  return pushes_rows<LAYOUT>(a) && state.measured && state.edges >= a.retain_from;
}

// Local vertices of the frontier, if they are in the list.
__device__ inline uint32_t local_size(const search_args &a, const search_shared &sh) {
  return a.symmetric ? sh.state.local : local_list(a, sh);
}

// ---- lists --------------------------------------------------------------------------------------------

// Local vertices that others have sent fill the list of a level from its end.
__device__ inline uint32_t *sent_list(const search_args &a, uint32_t level) {
  return found_list(a, level) + a.q - 1;
}
// Vertex i of the local list of the frontier.
__device__ inline uint32_t local_vertex(const search_args &a, const search_state &state, uint32_t level,
                                        uint32_t i) {
  const uint32_t found = state.local - state.sent;
  return i < found ? found_list(a, level - 1)[i] : __ldcv(sent_list(a, level - 1) - (i - found));
}

// Their levels and parents, where no sweep will separate these.
__device__ void store_sent(const search_args &a, uint32_t level, uint32_t sent) {
  for (uint32_t i = grid_thread(); i < sent; i += grid_threads()) {
    const uint32_t v = __ldcv(sent_list(a, level) - i);
    write_found<WHOLE_ROWS>(a, level, v, __ldcv(a.tags + v));
  }
}

// ---- what the owners fetch ------------------------------------------------------------------------------

// The tag of local vertex v, found by another GPU.
__device__ inline void store_tag(const search_args &a, bool merged, uint32_t level, uint32_t v,
                                 uint32_t tag) {
  if (merged)
    write_found<WHOLE_ROWS>(a, level, v, tag);
  else
    a.tags[v] = tag;
}

// Packs the tags that this GPU has retained for the others. Which they are shows by `reached` here and the
// owner's visited bits, which nobody changes meanwhile.
__device__ __noinline__ void pack_retained(const search_args &a) {
#pragma unroll 1
  for (uint32_t k = 1; k < a.processes; k++) {
    const uint32_t peer = peer_at(a, k), end = a.first[peer + 1] / 32;
#pragma unroll 1
    for (uint32_t w0 = a.first[peer] / 32 + grid_warp() * 32; w0 < end; w0 += grid_warps() * 32) {
      const uint32_t w = w0 + lane();
      uint32_t *tags = a.sent_tags + 32 * w0;
      move_packed(
          w < end ? a.reached[w] & ~__ldcv(peer_address(a, peer, a.reached + w)) : 0,
          [&](uint32_t v, uint32_t) { return tags[v]; },
          [&](uint32_t v, uint32_t at, uint32_t tag) {
            if (v != NO_ROW) tags[at] = tag;
          });
    }
  }
}

// Local vertices of the warp's words, w in this lane, that other GPUs have retained.
__device__ inline uint32_t fetch_words(const search_args &a, bool merged, uint32_t level, uint32_t w) {
  const uint32_t visited = w < a.words ? a.visited[w] : ALL, v0 = 32 * (w - lane());
  uint32_t fetched = 0;
#pragma unroll 1
  for (uint32_t k = 1; k < a.processes; k++) {
    const uint32_t peer = peer_at(a, k);
    const uint32_t *reached = peer_address(a, peer, a.reached + a.local_word);
    const uint32_t *tags = peer_address(a, peer, a.sent_tags + a.first[a.process]) + v0;
    const uint32_t bits = w < a.words ? __ldcv(reached + w) & ~visited : 0;
    move_packed(
        bits, [&](uint32_t, uint32_t at) { return __ldcv(tags + at); },
        [&](uint32_t v, uint32_t, uint32_t tag) {
          const uint32_t before = __shfl_sync(ALL, fetched, v / 32 % 32);
          if (v != NO_ROW && !has(before, v)) store_tag(a, merged, level, v0 + v, tag);
        });
    fetched |= bits;
  }
  if (fetched) a.visited[w] = visited | fetched;
  return fetched;
}

// After a push in which all have retained what they found: local ones join the list of the level.
__device__ __noinline__ void fetch_retained(const search_args &a, search_shared &sh) {
  const uint32_t level = sh.state.level;
  uint32_t *buffer = sh.found[warp()], *list = found_list(a, level), *counter = &a.set->at[level].found;
  uint32_t count = 0;
  for (uint32_t w0 = grid_warp() * 32; w0 < a.words; w0 += grid_warps() * 32) {
    const uint32_t w = w0 + lane();
    enqueue_word(fetch_words(a, sh.state.merged, level, w), w, buffer, &count, list, counter);
  }
  const uint32_t position = reserve(sh, counter, count);
  empty_found(buffer, &count, list, position);
}

// ---- the push -------------------------------------------------------------------------------------------

// A lane's vertices, NO_ROW where there is none. Passed by value: the compiler merges an array whose address
// is passed with the arrays of the pulls, which then are in memory instead of registers.
struct found_tile {
  uint32_t vertex[TILE];
};

// A warp sends vertices of other GPUs that it found, which have their tags already, to the owners' lists.
// Lane p handles process p.
__device__ __noinline__ void send_found(const search_args &a, uint32_t level, found_tile found) {
  uint32_t total = 0, position = 0, owner[TILE];
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++)
    owner[k] = found.vertex[k] == NO_ROW ? GRID_WINDOWS : owner_of(a, found.vertex[k]);
  for (uint32_t p = 0; p < a.processes; p++)
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const uint32_t owner_lanes = __ballot_sync(ALL, owner[k] == p);
      if (lane() == p) total += __popc(owner_lanes);
    }
  if (total) position = atomicAdd_system(&a.window[lane()]->sent[level % 3], total);
  for (uint32_t p = 0; p < a.processes; p++)
#pragma unroll
    for (uint32_t k = 0; k < TILE; k++) {
      const bool one = owner[k] == p;
      const uint32_t owner_lanes = __ballot_sync(ALL, one), first = __shfl_sync(ALL, position, p);
      if (one)
        *(peer_address(a, p, sent_list(a, level)) - (first + lanes_before(owner_lanes))) =
            found.vertex[k] - a.first[p];
      if (lane() == p) position += __popc(owner_lanes);
    }
}

// Marks vertex u; the word before. Others may mark local vertices meanwhile, unless they retain what they
// find.
__device__ inline uint32_t reach(const search_args &a, bool retain, uint32_t u) {
  uint32_t *word = a.reached + (u >> 5), bit = 1u << (u & 31);
  return retain ? atomicOr(word, bit) : atomicOr_system(word, bit);
}

// Entries u[], of all GPUs' vertices, of the local rows from[].
__device__ void push_tile_of_rows(const search_args &a, push_into &p, const uint32_t *u, const uint32_t *from,
                                  const bool *live) {
  const uint32_t first_vertex = a.first[a.process];
  uint32_t old[TILE];
  bool other[TILE];
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++) old[k] = live[k] ? load_volatile(a.reached + (u[k] >> 5)) : ALL;
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++)
    if (!has(old[k], u[k])) old[k] = reach(a, p.retain, u[k]);
  if (p.count > FOUND - 32 * TILE) flush_found(p.buffer, &p.count, p.queue, p.counter);
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++) {
    const bool found = !has(old[k], u[k]), is_local = found && u[k] - first_vertex < a.n;
    const uint32_t local_lanes = __ballot_sync(ALL, is_local), parent = first_vertex + from[k];
    const uint32_t tag = p.merged ? parent : tag_parent(a, p.level, parent);
    other[k] = found && !is_local;
    if (is_local) {
      p.buffer[p.count + lanes_before(local_lanes)] = u[k] - first_vertex;
      store_tag(a, p.merged, p.level, u[k] - first_vertex, tag);
    } else if (found && p.retain) {
      a.sent_tags[u[k]] = tag;
    }
    p.count += __popc(local_lanes);
  }
  if (p.retain) return;
  uint32_t sent = 0;
  found_tile tile;
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++)
    if (other[k])
      other[k] = !has(
          atomicOr_system(peer_address(a, owner_of(a, u[k]), a.reached + (u[k] >> 5)), 1u << (u[k] & 31)),
          u[k]);
#pragma unroll
  for (uint32_t k = 0; k < TILE; k++) {
    tile.vertex[k] = other[k] ? u[k] : NO_ROW;
    if (other[k]) {
      const uint32_t owner = owner_of(a, u[k]), parent = first_vertex + from[k];
      peer_address(a, owner, a.tags)[u[k] - a.first[owner]] =
          p.merged ? parent : tag_parent(a, p.level, parent);
      sent++;
    }
  }
  p.sent += sent;
  if (__any_sync(ALL, sent)) send_found(a, p.level, tile);
}

}  // namespace
#endif
