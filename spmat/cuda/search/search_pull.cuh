// The pulls of a search. A row's hub neighbor (hub_neighbor), its neighbor of highest degree, settles nearly
// every row that can be settled: it is tested for all rows in step (sweep, pull_list). The others are
// collected in a buffer of the warp, which scans 32 of them at a time (scan_missed_rows). Rows still
// unsettled go on the list for the next level, long ones also to pull_long, where several warps share their
// entries.
#ifndef GRID_SEARCH_PULL_CUH
#define GRID_SEARCH_PULL_CUH
#include "spmat/cuda/search/search_peers.cuh"

namespace {

template <search_layout LAYOUT, class offset>
struct pull_into {
  const uint32_t *probe;  // the frontier, or all visited vertices (see pull_level)
  uint32_t *next;         // bitmap of the vertices found
  search_counts *counts;
  uint2 *miss, *remaining, *list;  // the warp's buffers; the list of rows for the next level
  bool sparse;                     // WHOLE_ROWS: test the coarse bitmap first;
  bool is_remote;                  // or read others' words of the frontier remotely
  uint32_t sent;                   // vertices found below this are sent to the others one by one
  uint32_t misses, nremaining;
  uint32_t found, inspected;  // of the lane
  uint32_t level;
};

template <search_layout LAYOUT, class offset>
__device__ inline pull_into<LAYOUT, offset> pull_begin(const search_args &a, search_shared &sh,
                                                       const uint32_t *probe, uint32_t *next, uint32_t list) {
  return {probe,
          next,
          a.set->at + sh.state.level,
          sh.pull.miss[warp()],
          sh.pull.remaining[warp()],
          a.list + (uint64_t)list * a.rows,
          sh.state.sparse,
          LAYOUT == WHOLE_ROWS && !sh.state.is_complete,
          0,
          0,
          0,
          0,
          0,
          sh.state.level};
}

// Makes room for `more` rows in the warp's buffer of rows that stay unvisited.
template <search_layout LAYOUT, class offset>
__device__ inline void reserve_remaining(pull_into<LAYOUT, offset> &p, uint32_t more) {
  reserve_slots(more, p.remaining, &p.nremaining, p.list, &p.counts->rows);
}
// Adds such rows; row.x includes its flags.
template <search_layout LAYOUT, class offset>
__device__ inline void append_remaining(pull_into<LAYOUT, offset> &p, bool active, uint2 row) {
  gather(p.remaining, &p.nremaining, active, row);
}

// Sets bit v of the local words, in the others' windows.
__device__ __noinline__ void send_bit(const search_args &a, uint32_t *words, uint32_t v) {
  for (uint32_t k = 1; k < a.processes; k++)
    atomicOr_system(peer_address(a, peer_at(a, k), words + (v >> 5)), 1u << (v & 31));
}

template <search_layout LAYOUT, class offset>
__device__ inline void mark_found(const search_args &a, pull_into<LAYOUT, offset> &p, uint32_t v) {
  if (LAYOUT != MATRIX_BLOCK) a.level[v] = (uint8_t)p.level;
  atomicOr(p.next + (v >> 5), 1u << (v & 31));
  if (LAYOUT == WHOLE_ROWS && v < p.sent) send_bit(a, p.next, v);
  p.found++;
}
template <search_layout LAYOUT, class offset>
__device__ inline void pull_found(const search_args &a, pull_into<LAYOUT, offset> &p, uint32_t v,
                                  uint32_t parent) {
  write_parent<LAYOUT>(a, v, parent);
  mark_found(a, p, v);
}

// The word for vertex u of a bitmap whose words are on their owners.
__device__ __noinline__ uint32_t load_remote_word(const search_args &a, const uint32_t *bits, uint32_t u) {
  return __ldcv(peer_address(a, owner_of(a, u), bits + (u >> 5)));
}

// The words of the frontier's bitmap for the vertices u[], 0 for inactive ones.
template <uint32_t COUNT, search_layout LAYOUT, class offset>
__device__ inline void probe_words(const search_args &a, const pull_into<LAYOUT, offset> &p,
                                   const bool *active, const uint32_t *u, uint32_t *word) {
  if (LAYOUT == WHOLE_ROWS && p.sparse) {
    load_frontier_words_sparse<COUNT>(a.coarse, a.coarse_shift, p.probe, active, u, word);
  } else if (LAYOUT == WHOLE_ROWS && p.is_remote) {
#pragma unroll
    for (uint32_t k = 0; k < COUNT; k++) word[k] = active[k] ? load_remote_word(a, p.probe, u[k]) : 0;
  } else {
    load_frontier_words<COUNT>(p.probe, active, u, word);
  }
}

// Scans entries idx[at .. stop) of a row until one is in the frontier: returns that one, or NO_ROW.
template <search_layout LAYOUT, class offset>
__device__ inline uint32_t scan(const search_args &a, pull_into<LAYOUT, offset> &p, const uint32_t *idx,
                                uint32_t at, uint32_t stop) {
  return scan_row(idx, at, stop, &p.inspected, [&](const bool *active, const uint32_t *u, uint32_t *word) {
    probe_words<TILE>(a, p, active, u, word);
  });
}

// The rest of row v after its first test, relative to *idx: 64-bit offsets end here, since a row has fewer
// than 2^32 entries.
template <class offset>
__device__ inline row_rest load_rest(const search_args &a, bool on, uint32_t v, const uint32_t **idx) {
  const offset *ptr = in_ptr<offset>(a);
  if constexpr (!HAS_OFFSETS64<offset>) {
    *idx = a.in_idx;
    return load_rest_of_row(ptr, on, v);
  } else {
    const offset start = on ? __ldg(ptr + v) : 0, end = on ? __ldg(ptr + v + 1) : 0;
    const uint32_t entries = (uint32_t)(end - start);
    *idx = a.in_idx + start;
    return {entries == 1 ? 1u : 0u, entries, entries == 1};
  }
}

// Divides the entries from `at` to `end` of the active lanes' rows into segments for pull_long. False for a
// row that does not fit.
template <search_layout LAYOUT, class offset>
__device__ bool is_long_row(const search_args &a, pull_into<LAYOUT, offset> &p, bool active, uint32_t v,
                            uint32_t at, uint32_t end) {
  if (!__any_sync(ALL, active)) return true;
  const uint32_t segments = active ? (end - at - 1) / SEGMENT + 1 : 0, upto = inclusive_scan(segments);
  uint32_t position = 0;
  if (lane() == 31) position = atomicAdd(&p.counts->longs, upto);
  position = __shfl_sync(ALL, position, 31) + upto - segments;
  const bool fits = position + segments <= a.work_capacity;
  for (uint32_t k = 0; k < segments && position + k < a.work_capacity; k++)
    a.work[position + k] = make_uint2(fits ? v : NO_ROW, at + k * SEGMENT);
  return fits || !active;
}

// Scans the entries of the newest rows (up to 32) whose hub neighbor missed.
template <search_layout LAYOUT, class offset>
__device__ void scan_missed_rows(const search_args &a, pull_into<LAYOUT, offset> &p) {
  bool on;
  const uint2 row = pop_row(p.miss, &p.misses, &on);
  const uint32_t *idx;
  const row_rest rest = load_rest<offset>(a, on, row.x, &idx);
  const uint32_t v = row.x, stop = rest.end - rest.at > SCAN ? rest.at + SCAN : rest.end;
  uint32_t parent = scan(a, p, idx, rest.at, stop);
  const bool longer = on && parent == NO_ROW && stop < rest.end;
  const bool fits = is_long_row(a, p, longer, v, stop, rest.end);
  if (!fits) parent = scan(a, p, idx, stop, rest.end);
  if (on && parent != NO_ROW) pull_found(a, p, v, parent);
  const uint32_t flags = (longer && fits ? LONG_ROW : 0) | (rest.is_single ? ONE_ENTRY : 0);
  reserve_remaining(p, 32);
  append_remaining(p, on && parent == NO_ROW, make_uint2(v | flags, row.y));
}

template <search_layout LAYOUT, class offset>
__device__ inline void gather_miss(pull_into<LAYOUT, offset> &p, bool active, uint32_t v, uint32_t first) {
  gather(p.miss, &p.misses, active, make_uint2(v, first));
}

template <search_layout LAYOUT, class offset>
__device__ void drain_misses(const search_args &a, pull_into<LAYOUT, offset> &p) {
#pragma unroll 1
  while (p.misses) scan_missed_rows(a, p);
  __syncwarp();
}

template <search_layout LAYOUT, class offset>
__device__ void pull_end(search_shared &sh, pull_into<LAYOUT, offset> &p) {
  const uint32_t position = reserve(sh, &p.counts->rows, p.nremaining);
  for (uint32_t i = lane(); i < p.nremaining; i += 32) p.list[position + i] = p.remaining[i];
  add(sh, &p.counts->found, p.found, (offset *)&p.counts->inspected, (offset)p.inspected);
}

// ---- all rows -------------------------------------------------------------------------------------------

// Flags of the 1024 vertices of a warp: bit j of lane l is for vertex l of word j.
struct sweep_words {
  uint32_t pushed;  // visited by a push, its parent still tagged
  uint32_t row;     // not visited, and has entries
  uint32_t fill;    // not visited at the start: its parent may be written, and was if it was found
};

__device__ sweep_words sweep_load(const search_args &a, uint32_t w, uint32_t end, bool widen, bool pull) {
  const bool in = w < end;
  const uint32_t visited = in ? a.visited[w] : 0,
                 visited_before = widen && in ? load_visited_before(a, w) : 0;
  const uint32_t remaining = in && 32 * w < a.n ? a.n - 32 * w : 0,
                 valid = remaining >= 32 ? ALL : (1u << remaining) - 1;
  return {transposed(widen ? visited & ~visited_before & valid : 0),
          transposed(pull && in ? __ldg(a.nonempty + w) & ~visited & valid : 0),
          transposed(widen ? ~visited_before & valid : 0)};
}

// SWEEP words of 32 vertices, one vertex of each a lane. Returns the hits of word j + k to lane j + k.
template <search_layout LAYOUT, class offset>
__device__ inline uint32_t sweep_step(const search_args &a, pull_into<LAYOUT, offset> &p,
                                      const sweep_words &s, uint32_t v0, uint32_t j, bool widen) {
  uint32_t x[SWEEP], word[SWEEP], hits = 0;
  bool pushed[SWEEP], row[SWEEP];
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    const uint32_t v = v0 + 32 * k + lane();
    pushed[k] = s.pushed >> (j + k) & 1;
    row[k] = s.row >> (j + k) & 1;
    const uint32_t *from = pushed[k] ? a.tags : a.in_hub_neighbor;
    x[k] = load_if(pushed[k] || row[k], from + v);
  }
  __syncwarp();  // else the compiler waits for one load before it issues the next
  probe_words<SWEEP>(a, p, row, x, word);
  __syncwarp();
#pragma unroll
  for (uint32_t k = 0; k < SWEEP; k++) {
    const uint32_t v = v0 + 32 * k + lane();
    const bool hit = has(word[k], x[k]);  // word is 0 where there is no row
    const uint32_t mask = __ballot_sync(ALL, hit);
    if (lane() == j + k) hits = mask;
    gather_miss(p, row[k] && !hit, v, x[k]);
    const bool fill = s.fill >> (j + k) & 1;
    if (LAYOUT != MATRIX_BLOCK && v < a.n && (widen || hit))
      a.level[v] = (uint8_t)(hit ? p.level : pushed[k] ? x[k] >> a.id_bits : 0);
    // for a row its first entry, found or not: so the parent is in place if it is found by it later
    if (fill || row[k]) write_parent<LAYOUT>(a, v, pushed[k] ? untag_parent(a, x[k]) : x[k]);
  }
  return hits;
}

// The first of the next `words` words of the warp, when all have had their first ones. Where GPUs wait for
// each other, the slowest warp determines the time of all. On one GPU the distribution costs what it gains.
__device__ inline uint32_t next_words(uint32_t *counter, uint32_t words) {
  uint32_t claimed = 0;
  if (lane() == 0) claimed = atomicAdd(counter, 1);
  return (grid_warps() + __shfl_sync(ALL, claimed, 0)) * words;
}

// Sends the warp's words, one a lane, to the others: they need them in the next level, and have them when
// this one ends. Rows of these words that are not finished are sent later, one by one.
template <search_layout LAYOUT, class offset>
__device__ inline void send_words(const search_args &a, pull_into<LAYOUT, offset> &p, uint32_t w0) {
  const uint32_t w = w0 + lane();
  const bool in = lane() < a.sweep_words && w < a.words;
  __syncwarp();
  const uint32_t word = in ? load_device_word(p.next + w) : 0;
  for (uint32_t k = 1; in && k < a.processes; k++) *peer_address(a, peer_at(a, k), p.next + w) = word;
  p.sent = (w0 + a.sweep_words) * 32;
  __syncwarp();
}

// Processes all vertices. widen: stores level and parent of the vertices found by pushes, and level 0 for all
// others. pull: a level's pull over all unvisited rows, at the same time; clears the bitmap `clear` for the
// level after.
template <search_layout LAYOUT, class offset>
__device__ void sweep(const search_args &a, search_shared &sh, bool widen, bool pull, const uint32_t *probe,
                      uint32_t *next, uint32_t *clear) {
  pull_into<LAYOUT, offset> p = pull_begin<LAYOUT, offset>(a, sh, probe, next, 0);
  uint32_t *counter = pull ? &p.counts->pulled : &p.counts->swept;
  uint32_t before = NO_ROW;  // the words of the round before
#pragma unroll 1
  for (uint32_t w0 = grid_warp() * a.sweep_words; w0 < a.words;
       w0 = LAYOUT == WHOLE_ROWS ? next_words(counter, a.sweep_words) : w0 + grid_warps() * a.sweep_words) {
    const uint32_t w = w0 + lane(), end = w0 + a.sweep_words < a.words ? w0 + a.sweep_words : a.words;
    const sweep_words s = sweep_load(a, w, end, widen, pull);
    uint32_t hits = 0;
    p.inspected += __popc(s.row);
    if (pull && w < end) next[w] = 0, clear[w] = 0;
    __syncwarp();  // the atomics of scan_missed_rows come after
#pragma unroll 1
    for (uint32_t j = 0; j < a.sweep_words; j += SWEEP) {
      hits |= sweep_step(a, p, s, (w0 + j) * 32, j, widen);
      __syncwarp();  // its writes for these vertices come after
#pragma unroll 1
      while (p.misses >= 32) scan_missed_rows(a, p);
    }
    if (hits) {
      atomicOr(next + w, hits);
      p.found += __popc(hits);
    }
    if (LAYOUT == WHOLE_ROWS && pull && before != NO_ROW) send_words(a, p, before);
    before = w0;
  }
  drain_misses(a, p);
  if (LAYOUT == WHOLE_ROWS && pull && before != NO_ROW) send_words(a, p, before);
  pull_end(sh, p);
}

// ---- the rows on the list -------------------------------------------------------------------------------

// Was the row found since it was listed? Tested only where possible: after pushes, and for long rows.
template <search_layout LAYOUT, class offset>
__device__ inline bool is_already_found(const search_args &a, const pull_into<LAYOUT, offset> &p, bool stale,
                                        uint32_t row) {
  const uint32_t v = row & ROW;
  if (LAYOUT == MATRIX_BLOCK) return has(a.visited[v >> 5], v);  // others may have found it
  if (!stale && !(row & LONG_ROW)) return false;
  return has(p.probe[a.local_word + (v >> 5)], v) || (stale && has(a.visited[v >> 5], v));
}

template <search_layout LAYOUT, class offset>
__device__ void list_step(const search_args &a, pull_into<LAYOUT, offset> &p, const uint2 *rows, uint32_t i0,
                          uint32_t size, bool stale) {
  uint2 row[IS_LIST];
  uint32_t first[IS_LIST], word[IS_LIST];
  bool on[IS_LIST];
#pragma unroll
  for (uint32_t k = 0; k < IS_LIST; k++) {
    const uint32_t i = i0 + 32 * k + lane();
    row[k] = i < size ? rows[i] : make_uint2(0, 0);
    on[k] = i < size;
    first[k] = row[k].y;
  }
  probe_words<IS_LIST>(a, p, on, first, word);
#pragma unroll
  for (uint32_t k = 0; k < IS_LIST; k++)
    if (on[k] && is_already_found(a, p, stale, row[k].x)) on[k] = false;
  reserve_remaining(p, 32 * IS_LIST);
#pragma unroll
  for (uint32_t k = 0; k < IS_LIST; k++) {
    const uint32_t v = row[k].x & ROW;
    const bool hit = has(word[k], row[k].y), one = row[k].x & ONE_ENTRY;
    p.inspected += on[k];
    if (on[k] && hit) mark_found(a, p, v);  // the sweep has written that parent
    gather_miss(p, on[k] && !hit && !one, v, row[k].y);
    append_remaining(p, on[k] && !hit && one, row[k]);
  }
}

// `settled`: the frontier's bitmap if it is not in visited yet, which is updated on the way; or NULL.
template <search_layout LAYOUT, class offset>
__device__ void pull_list(const search_args &a, search_shared &sh, const uint32_t *probe, uint32_t *next,
                          uint32_t *clear, const uint32_t *resolved) {
  const uint2 *rows = a.list + (uint64_t)sh.state.list * a.rows;
  const uint32_t size = sh.state.rows;
  const bool stale = sh.state.stale;
  pull_into<LAYOUT, offset> p = pull_begin<LAYOUT, offset>(a, sh, probe, next, sh.state.list ^ 1);
  for (uint32_t w = grid_thread(); LAYOUT != MATRIX_BLOCK && w < a.words; w += grid_threads()) {
    if (resolved) a.visited[w] |= resolved[w];
    clear[w] = 0;
  }
#pragma unroll 1
  for (uint32_t i0 = grid_warp() * 32 * IS_LIST; i0 < size; i0 += grid_warps() * 32 * IS_LIST) {
    list_step(a, p, rows, i0, size, stale);
    __syncwarp();
#pragma unroll 1
    while (p.misses >= 32) scan_missed_rows(a, p);
  }
  drain_misses(a, p);
  pull_end(sh, p);
}

// ---- long rows ------------------------------------------------------------------------------------------

template <search_layout LAYOUT, class offset>
__device__ void pull_long(const search_args &a, search_shared &sh, const uint32_t *probe, uint32_t *next) {
  pull_into<LAYOUT, offset> p = pull_begin<LAYOUT, offset>(a, sh, probe, next, 0);
  const bool sent = LAYOUT == WHOLE_ROWS && !sh.state.is_list;
#pragma unroll 1
  for (uint32_t i = grid_warp(); i < sh.state.longs; i += grid_warps()) {
    const uint2 segment = a.work[i];
    const uint32_t v = segment.x;
    if (v == NO_ROW) continue;
    if (__shfl_sync(ALL, has(load_device_word(next + (v >> 5)), v), 0))
      continue;  // another segment had a hit
    const uint32_t *idx = a.in_idx;
    offset stop = __ldg(in_ptr<offset>(a) + v + 1);
    if constexpr (HAS_OFFSETS64<offset>) {
      const offset start = __ldg(in_ptr<offset>(a) + v);
      idx += start, stop -= start;
    }
    const uint32_t end = (uint32_t)stop, at = segment.y;
    const uint32_t parent = scan_by_warp(idx, at, end - at > SEGMENT ? at + SEGMENT : end, &p.inspected,
                                         [&](const bool *active, const uint32_t *u, uint32_t *word) {
                                           probe_words<TILE>(a, p, active, u, word);
                                         });
    if (parent == NO_ROW || lane() != 0) continue;
    if (has(atomicOr(next + (v >> 5), 1u << (v & 31)), v)) continue;
    write_found<LAYOUT>(a, p.level, v, parent);
    if (sent) send_bit(a, next, v);
    p.found++;
  }
  __syncwarp();
  add(sh, &p.counts->found, p.found, (offset *)&p.counts->inspected, (offset)p.inspected);
}

}  // namespace
#endif
