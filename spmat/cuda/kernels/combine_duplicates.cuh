// Values of a matrix's entries where several tuples have one place: they are combined in tuple order.
// V_t: the type of the values, which op takes and gives. last[k]: of the tuples in order of place, the last
// of entry k; number[e] >> each: which tuple stands e-th.
extern "C" __global__ void grid_build_dup(const uint32_t *last, const uint32_t *number, int each,
                                          const V_t *val, uint64_t entries, V_t *to) {
  GRID_FOR(k, entries) {
    uint64_t e = k ? (uint64_t)last[k - 1] + 1 : 0;
    V_t z = val[number[e] >> each];
    for (e++; e <= last[k]; e++) z = op(z, val[number[e] >> each]);
    to[k] = z;
  }
}
