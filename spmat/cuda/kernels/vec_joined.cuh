// Passes that follow one another over vectors of one length, joined: each thread takes all of them over a
// tile before it goes to the next. GRID_STEPS(DO): DO(0) DO(1) ...; namespace step0 has the first one's text,
// and so on. Each tells its own count, in a room of its own.
#include "tile.cuh"

#define GRID_STEP_FIELD(K)   step##K::grid_step_args s##K;
#define GRID_STEP_COUNTER(K) grid_counter count##K = 0;
#define GRID_STEP_RUN(K)     step##K::grid_step(a.s##K, w, count##K);
#define GRID_STEP_TELL(K)    grid_tell_count(a.s##K.a.tally, count##K);

typedef struct {
  GRID_STEPS(GRID_STEP_FIELD)
} grid_joined_args;

GRID_KERNEL grid_joined(const __grid_constant__ grid_joined_args a) {
  GRID_STEPS(GRID_STEP_COUNTER)
  GRID_TILES(w, a.s0.a.n){GRID_STEPS(GRID_STEP_RUN)} GRID_STEPS(GRID_STEP_TELL)
}
