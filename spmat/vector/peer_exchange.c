/* See peer_exchange.h. */
#include "spmat/vector/peer_exchange.h"

#include "semiring/support/tuning.h"

/* A slot has 8 bytes for the place of each, in front of the values. */
bool grid_fits_sparse_exchange(uint64_t n, size_t size, uint64_t q) {
  return n <= GRID_SPARSE_EXCHANGE_ENTRIES && n <= grid_tune.sparse_exchange_max &&
         q <= GRID_SPARSE_EXCHANGE_LENGTH && n * size <= GRID_SLOT_BYTES - 8 * GRID_SPARSE_EXCHANGE_ENTRIES;
}

/* Each section begins at a multiple of this many bytes. */
static uint64_t round_to_256(uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

uint64_t grid_pass_values_at(uint64_t q) {
  return round_to_256(q / 8);
}

uint64_t grid_pass_buffer_bytes(uint64_t q, size_t size) {
  return grid_pass_values_at(q) + round_to_256(q * size);
}

uint64_t grid_dense_values_at(uint64_t q, uint64_t count, bool full) {
  return full ? 0 : round_to_256(count * (q / 8));
}

uint64_t grid_dense_buffer_bytes(uint64_t q, uint64_t count, size_t size, bool full, uint64_t others) {
  const uint64_t bytes = grid_dense_values_at(q, count, full) + count * q * size;
  return round_to_256((bytes + others - 1) / others);
}
