/* See machine_heartbeat.h. A datagram goes to every address of its receiver, since nobody knows which of them
 * other machines can reach. A key, drawn by the receiver, names the grid and the sender. */
#include "dist/comm/transport/machines/machine_heartbeat.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"

typedef struct {
  uint64_t key, ticks;
} datagram;

/* A socket at a port that the system chooses. */
static void open_socket(grid_machine_heartbeat *net, grid_heartbeat_contact *local) {
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t length = sizeof any;
  net->socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (net->socket < 0) return;
  if (bind(net->socket, (struct sockaddr *)&any, sizeof any) == 0 &&
      getsockname(net->socket, (struct sockaddr *)&any, &length) == 0 &&
      getrandom(net->key, sizeof net->key, 0) == (ssize_t)sizeof net->key) {
    local->port = any.sin_port;
    return;
  }
  grid_machine_heartbeat_close(net);
}

static void list_addresses(grid_heartbeat_contact *local) {
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0) return;
  for (const struct ifaddrs *i = all; i && local->addresses < GRID_MAX_ADDRESSES; i = i->ifa_next)
    if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && i->ifa_flags & IFF_UP)
      local->address[local->addresses++] = ((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr;
  freeifaddrs(all);
}

/* Of another host; that of this one is for tests, whose machines are one. */
static void drop_loopback(grid_heartbeat_contact *c) {
  int retained = 0;
  for (int a = 0; a < c->addresses; a++)
    if (ntohl(c->address[a].s_addr) >> 24 != IN_LOOPBACKNET) c->address[retained++] = c->address[a];
  c->addresses = retained;
}

int grid_machine_heartbeat_open(grid_machine_heartbeat *net, const void *leaders,
                                const grid_heartbeat_process *local, grid_heartbeat_process *neighbor) {
  const MPI_Comm comm = *(const MPI_Comm *)leaders;
  grid_heartbeat_contact card = {.process = *local};
  int machines = 1, machine = 0, rc = MPI_SUCCESS;
  MPI_Comm_size(comm, &machines);
  MPI_Comm_rank(comm, &machine);
  const int neighbors = machines > 2 ? 2 : machines - 1;
  *net = (grid_machine_heartbeat){.socket = -1, .neighbors = neighbors};
  if (neighbors == 0) return 0;
  open_socket(net, &card);
  list_addresses(&card);
  const int beside[2] = {(machine + machines - 1) % machines, (machine + 1) % machines};
  for (int d = 0; d < GRID_MAX_NEIGHBORS && d < neighbors && rc == MPI_SUCCESS; d++) {
    card.key = net->key[d];
    rc = MPI_Sendrecv(&card, sizeof card, MPI_BYTE, beside[d], 0, &net->to[(1 - d) % neighbors], sizeof card,
                      MPI_BYTE, beside[1 - d], 0, comm, MPI_STATUS_IGNORE);
  }
  if (rc != MPI_SUCCESS) {
    grid_machine_heartbeat_close(net);
    return 0;
  }
  for (int k = 0; k < neighbors; k++) {
    neighbor[k] = net->to[k].process;
    if (strcmp(neighbor[k].host, local->host) != 0) drop_loopback(&net->to[k]);
  }
  return neighbors;
}

void grid_machine_heartbeat_close(grid_machine_heartbeat *net) {
  if (net->socket >= 0) close(net->socket);
  net->socket = -1;
}

void grid_machine_heartbeat_send(const grid_machine_heartbeat *net, uint64_t ticks) {
  for (int k = 0; k < net->neighbors && net->socket >= 0; k++) {
    const grid_heartbeat_contact *c = &net->to[k];
    const datagram d = {c->key, ticks};
    for (int a = 0; a < c->addresses && c->port; a++) {
      const struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = c->port, .sin_addr = c->address[a]};
      (void)sendto(net->socket, &d, sizeof d, 0, (const struct sockaddr *)&to, sizeof to);
    }
  }
}

bool grid_machine_heartbeat_receive(const grid_machine_heartbeat *net, int *neighbor, uint64_t *ticks) {
  datagram d;
  ssize_t bytes;
  while (net->socket >= 0 && (bytes = recv(net->socket, &d, sizeof d, 0)) >= 0)
    for (*neighbor = 0; bytes == (ssize_t)sizeof d && *neighbor < net->neighbors; ++*neighbor)
      if (d.key == net->key[*neighbor]) {
        *ticks = d.ticks;
        return true;
      }
  return false;
}
