/* A graph like the links between pages of the web. */
#ifndef GRID_GENERATE_WEB_H
#define GRID_GENERATE_WEB_H
#include <stdint.h>

/* Pages 0 .. pages - 1, numbered host by host. A host has 64 pages on average, of a geometric distribution.
 * Four of five links of a page stay in its host, most of them near its first page. The others lead to hosts
 * near and far, and few to any page. One host of 16 is a chain: each page has one link, to the next, and
 * links from elsewhere lead to its first page. So searches have hundreds of levels, the last ones with few
 * vertices. */
typedef struct {
  uint64_t pages, links_per_page, seed;
} web;

/* Link k of the web, k < pages * links_per_page. The same on every machine. */
void web_link(uint64_t *from, uint64_t *to, uint64_t k, const web *w);
#endif
