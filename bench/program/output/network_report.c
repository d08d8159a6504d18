/* The network's costs in a report. */
#include "bench/program/program.h"

void network_report(report *r) {
  Grid_Network n;
  if (Grid_size() == 1 || Grid_network(&n, false) != GrB_SUCCESS || n.how == NULL) return;
  report_text(r, "network", n.how);
  report_number(r, "network_call_us", 1e6 * n.latency);
  report_number(r, "network_MB_per_second", 1e-6 * n.bandwidth);
  report_number(r, "million_inspected_per_second", 1e-6 * n.rate);
}
