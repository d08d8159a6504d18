// Values of a matrix's entries that have several tuples, combined in tuple order. V_t: the type of the
// values, and of op. last[k]: position of the last tuple of entry k in sorted order; number[e] >> each: the
// tuple at position e.
extern "C" __global__ void grid_build_dup(const uint32_t *last, const uint32_t *number, int mirror_shift,
                                          const V_t *val, uint64_t entries, V_t *to) {
  GRID_FOR(k, entries) {
    uint64_t e = k ? (uint64_t)last[k - 1] + 1 : 0;
    V_t z = val[number[e] >> mirror_shift];
    for (e++; e <= last[k]; e++) z = op(z, val[number[e] >> mirror_shift]);
    to[k] = z;
  }
}
