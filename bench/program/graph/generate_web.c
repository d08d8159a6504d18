/* See generate_web.h. All numbers are hashes of the link's or the page's number, so that every process
 * computes any part of the graph without tables. */
#include "bench/program/graph/generate_web.h"

#include <math.h>
#include <stdbool.h>

enum { HOST = 64, CHAINS = 16, JUMP = 4 * HOST };
/* Of the links that leave the host, this share leads to any page, preferably one of low number. */
static const double ANYWHERE = 0.1, LOCAL = 0.8;

/* The finalizer of splitmix64. */
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* What is drawn: the streams of numbers. */
enum { FIRST_PAGE = 1, CHAIN, WHERE, WHICH, SIDE };

static uint64_t draw(const web *w, uint64_t stream, uint64_t number) {
  return mix(mix(w->seed * 8 + stream) + number * UINT64_C(0x9e3779b97f4a7c15));
}
/* In [0, 1). */
static double draw_real(const web *w, uint64_t stream, uint64_t number) {
  return (double)(draw(w, stream, number) >> 11) * 0x1p-53;
}

static bool is_first_page(const web *w, uint64_t page) {
  return page == 0 || draw(w, FIRST_PAGE, page) % HOST == 0;
}

/* The host of a page: pages first .. end - 1. */
typedef struct {
  uint64_t first, end;
  bool chain;
} host;

static host host_of(const web *w, uint64_t page) {
  host h = {.first = page, .end = page + 1};
  while (!is_first_page(w, h.first)) h.first--;
  while (h.end < w->pages && !is_first_page(w, h.end)) h.end++;
  h.chain = h.first > 0 && draw(w, CHAIN, h.first) % CHAINS == 0;
  return h;
}

/* A page outside: at a distance whose probability falls with its square, or any, by a power that prefers low
 * numbers. */
static uint64_t page_elsewhere(const web *w, uint64_t page, uint64_t k) {
  const double r = draw_real(w, WHICH, k);
  if (draw_real(w, SIDE, k) < ANYWHERE) return (uint64_t)((double)w->pages * r * r * r);
  const double jump = JUMP / (r + 1e-15);
  const uint64_t distance = jump < (double)w->pages ? (uint64_t)jump : (uint64_t)jump % w->pages;
  const bool up = draw(w, SIDE, k) & 1;
  if (up) return page + distance < w->pages ? page + distance : page;
  return page >= distance ? page - distance : page;
}

void web_link(uint64_t *from, uint64_t *to, uint64_t k, const web *w) {
  const uint64_t page = k / w->links_per_page;
  const host h = host_of(w, page);
  *from = page;
  if (h.chain) {
    *to = page + 1 < h.end ? page + 1 : page;
  } else if (draw_real(w, WHERE, k) < LOCAL) {
    const double r = draw_real(w, WHICH, k);
    *to = h.first + (uint64_t)((double)(h.end - h.first) * r * r);
  } else {
    const uint64_t other_page = page_elsewhere(w, page, k);
    const host other = host_of(w, other_page);
    *to = other.chain && other.first != h.first ? other.first : other_page;
  }
}
