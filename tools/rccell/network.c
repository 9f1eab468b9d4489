/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rccell/network.h"

#include <stdlib.h>

#include "sim/options.h"

#define WIRE (10 * RCC_MSEC)
#define AIR (5 * RCC_MSEC)
#define BACK (10 * RCC_MSEC)
#define IP_UDP 28
#define MOST_CALLS 5000
#define ENTRIES 1024                    /* of a sender, as there are many: 300 ms at 40 Mbit/s */
#define LOAD_SPAN 100.0                 /* TTIs: what "of late" is of a cell's load */

/* --- calls ---------------------------------------------------------------- */

/* Some are under way at the start, so that the load is there.  They begin within a second, as
 * frames at one time would be one burst. */
static bool
add_calls (RccNetwork *n, char *error)
{
  const RccNetworkConfig *c = &n->config;
  const double mean = 1 / (c->rate * RCC_LAYOUT_CELLS), length = (double) c->length * 1e-9;
  double at = -length;
  RccRng rng;

  rcc_rng_init (&rng, c->seed, 0xca11);
  while ((at += rcc_rng_exponential (&rng, mean)) < (double) c->duration * 1e-9) {
    const double start = at < 0 ? rcc_rng_uniform (&rng) : at;
    RccFlowConfig flow = c->flow;

    if (start >= at + length)
      continue;
    flow.entries = ENTRIES;
    flow.start = (RccTime) (start * 1e9);
    flow.stop = (RccTime) ((at + length) * 1e9);
    if (n->world->n_flows == MOST_CALLS) {
      snprintf (error, RCC_SCENARIO_ERROR, "there can be %d calls at most: ask for less.",
          MOST_CALLS);
      return false;
    }
    if (!rcc_world_add_flow (n->world, &flow, error))
      return false;
  }
  if (n->world->n_flows == 0)
    snprintf (error, RCC_SCENARIO_ERROR, "not one call begins in that time: ask for more.");
  return n->world->n_flows > 0;
}

static void
place_callers (RccNetwork *n)
{
  RccRng rng;

  rcc_rng_init (&rng, n->config.seed, 0xce11);
  n->callers = calloc (n->world->n_flows, sizeof *n->callers);
  n->phones = calloc (n->world->n_flows, sizeof *n->phones);
  for (unsigned i = 0; i < n->world->n_flows; i++) {
    rcc_layout_place (&n->callers[i].place, &rng);
    rcc_fading_init (&n->callers[i].fading, &rng);
    n->callers[i].next = n->world->flows[i]->config.start;
    rcc_phone_init (&n->phones[i]);
  }
}

/* --- what the world sees of it -------------------------------------------- */

static void
carry (void *user, RccDirection direction, RccDatagram *d)
{
  RccNetwork *n = user;
  const RccTime now = n->world->now;
  const RccCarried flight = { .datagram = d, .sent = now, .size = d->size + IP_UDP,
    .left = d->size + IP_UDP, .at = now + (direction == RCC_FORWARD ? WIRE : BACK) };

  rcc_fifo_put (direction == RCC_FORWARD ? &n->wire : &n->back, &flight);
}

static RccTime
queue_time (void *user)
{
  (void) user;
  return 0;
}

static uint64_t
capacity (void *user)
{
  (void) user;
  return RCC_LINK_UNLIMITED;
}

/* --- a life --------------------------------------------------------------- */

RccNetwork *
rcc_network_new (const RccNetworkConfig *config, char *error)
{
  RccNetwork *n = calloc (1, sizeof *n);
  const RccWorldNetwork network = { carry, queue_time, capacity, n };

  n->config = *config;
  n->world = rcc_world_new ("constant:unlimited", config->duration, config->seed, error);
  if (!n->world || !add_calls (n, error)) {
    rcc_network_free (n);
    return NULL;
  }
  rcc_world_set_network (n->world, &network);
  place_callers (n);
  return n;
}

void
rcc_network_free (RccNetwork *n)
{
  for (unsigned i = 0; n->phones && i < n->world->n_flows; i++)
    rcc_fifo_clear (&n->phones[i].queue);
  for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++)
    free (n->cells[k].members);
  rcc_fifo_clear (&n->wire);
  rcc_fifo_clear (&n->air);
  rcc_fifo_clear (&n->back);
  if (n->world)
    rcc_world_free (n->world);
  free (n->callers);
  free (n->phones);
  free (n);
}

/* --- on the way ----------------------------------------------------------- */

static void
on_sent (void *user, unsigned phone, const RccCarried *flight)
{
  RccNetwork *n = user;
  RccCarried through = *flight;

  (void) phone;
  through.at = n->world->now + RCC_CELL_TTI + AIR;
  rcc_fifo_put (&n->air, &through);
}

/* Nobody counts RTCP that is lost. */
static void
on_discarded (void *user, unsigned phone, const RccCarried *flight)
{
  RccNetwork *n = user;

  (void) phone;
  if (flight->datagram->rtcp)
    free (flight->datagram);
  else
    rcc_world_lost (n->world, flight->datagram, n->world->now);
}

static bool
is_due (const RccFifo *f, RccTime now)
{
  return f->n > 0 && rcc_fifo_at (f, 0)->at <= now;
}

static void
hand_over (RccNetwork *n, RccFifo *f, RccDirection direction, RccTime now)
{
  while (is_due (f, now)) {
    const RccCarried flight = rcc_fifo_take (f);

    n->callers[flight.datagram->flow].next = now;
    rcc_world_arrived (n->world, direction, flight.datagram, flight.sent, now);
  }
}

static void
reach_cells (RccNetwork *n, RccTime now)
{
  while (is_due (&n->wire, now)) {
    const RccCarried flight = rcc_fifo_take (&n->wire);

    rcc_fifo_put (&n->phones[flight.datagram->flow].queue, &flight);
  }
}

/* --- each TTI ------------------------------------------------------------- */

/* The world's flows are in the order of their arrivals, the first of which begin late. */
static void
join (RccNetwork *n, RccTime now)
{
  for (; n->joined < n->world->n_flows; n->joined++) {
    const RccFlowConfig *c = &n->world->flows[n->joined]->config;
    RccCellState *cell = &n->cells[n->callers[n->joined].place.cell];

    if (c->stop > n->config.length && c->start > now)
      return;
    if (cell->n == cell->room) {
      cell->room = cell->room ? 2 * cell->room : 16;
      cell->members = realloc (cell->members, cell->room * sizeof *cell->members);
    }
    cell->members[cell->n++] = n->joined;
  }
}

/* Who has hung up, and has nothing left to receive. */
static void
leave (RccNetwork *n, RccCellState *cell, RccTime now)
{
  for (unsigned k = 0; k < cell->n; k++) {
    const unsigned i = cell->members[k];

    if (now > n->world->flows[i]->config.stop + RCC_SEC && n->phones[i].queue.n == 0)
      cell->members[k--] = cell->members[--cell->n];
  }
}

static void
poll (RccNetwork *n, RccCellState *cell, RccTime now)
{
  for (unsigned k = 0; k < cell->n; k++) {
    const unsigned i = cell->members[k];

    if (n->callers[i].next > now)
      continue;
    rcc_world_poll (n->world, i, now);
    n->callers[i].next = rcc_world_next (n->world, i);
  }
}

static void
fade (RccNetwork *n, RccCellState *cell, const double *load)
{
  for (unsigned k = 0; k < cell->n; k++) {
    RccCaller *caller = &n->callers[cell->members[k]];

    n->phones[cell->members[k]].bits = rcc_cell_bits (rcc_layout_sinr (&caller->place, load)
        * rcc_fading_next (&caller->fading));
  }
}

static void
fade_all (RccNetwork *n)
{
  double load[RCC_LAYOUT_CELLS];

  for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++)
    load[k] = n->cells[k].load;
  for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++)
    fade (n, &n->cells[k], load);
}

static void
serve (RccNetwork *n, RccCellState *cell, RccTime now)
{
  const RccCellHooks hooks = { on_sent, on_discarded, n };
  double used;

  for (unsigned k = 0; k < cell->n; k++)
    rcc_phone_discard (&n->phones[cell->members[k]], cell->members[k], n->config.discard, now,
        &hooks);
  used = rcc_cell_serve (n->phones, cell->members, cell->n, &hooks);
  cell->load += (used - cell->load) / LOAD_SPAN;
  n->used += used;
}

void
rcc_network_run (RccNetwork *n)
{
  for (RccTime now = 0; now <= n->config.duration; now += RCC_CELL_TTI) {
    n->world->now = now;
    join (n, now);
    reach_cells (n, now);
    hand_over (n, &n->air, RCC_FORWARD, now);
    hand_over (n, &n->back, RCC_REVERSE, now);
    if (now % RCC_FADING_STEP == 0)
      fade_all (n);
    for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++) {
      poll (n, &n->cells[k], now);
      serve (n, &n->cells[k], now);
    }
    if (now % RCC_SEC == 0)
      for (unsigned k = 0; k < RCC_LAYOUT_CELLS; k++)
        leave (n, &n->cells[k], now);
    rcc_world_sample (n->world);
  }
}

double
rcc_network_utilisation (const RccNetwork *n)
{
  return n->used / RCC_LAYOUT_CELLS
      / ((double) (n->config.duration / RCC_CELL_TTI) + 1);
}
