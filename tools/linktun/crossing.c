/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/crossing.h"

#include <stdlib.h>
#include <string.h>

void
crossing_init (Crossing *c, const RccScenario *scenario, RccDirection direction, uint64_t seed)
{
  *c = (Crossing) { 0 };
  rcc_link_init (&c->link, NULL, seed);
  rcc_scenario_run_init (&c->run, scenario, direction, 0);
  rcc_scenario_apply (&c->run, &c->link, 0);
}

/* What a cookie of the link points to. */
static CrossingPacket *
carried (const RccLinkPacket *packet)
{
  return (CrossingPacket *) (uintptr_t) packet->cookie;
}

void
crossing_clear (Crossing *c)
{
  RccLinkPacket packet;

  while (rcc_link_drain (&c->link, &packet)) {
    free (carried (&packet)->data);
    free (carried (&packet));
  }
  rcc_link_clear (&c->link);
}

/* NULL: there is no memory. */
static CrossingPacket *
carry (const CrossingPacket *packet, const uint8_t *data)
{
  CrossingPacket *copy = malloc (sizeof *copy);
  uint8_t *bytes = malloc (RCC_MAX (packet->length, 1));

  if (!copy || !bytes) {
    free (copy);
    free (bytes);
    return NULL;
  }
  memcpy (bytes, data, packet->length);
  *copy = *packet;
  copy->data = bytes;
  return copy;
}

bool
crossing_push (Crossing *c, const uint8_t *data, size_t length, RccTime now,
    CrossingPacket *dropped)
{
  CrossingPacket packet = { .number = c->n++, .ip = ip_read (data, length), .length = length };
  const uint32_t size = length > CROSSING_BELOW_RTP
      ? (uint32_t) RCC_MIN (length, CROSSING_MOST) - CROSSING_BELOW_RTP : 0;
  CrossingPacket *copy = carry (&packet, data);
  RccLinkOutcome outcome = RCC_LINK_DROP_BOUND;

  rcc_scenario_apply (&c->run, &c->link, now);
  if (copy)
    outcome = rcc_link_push (&c->link, (uintptr_t) copy, size, packet.ip.ecn, now);
  if (outcome == RCC_LINK_PASSED)
    return true;
  packet.link = (RccLinkPacket) { .size = size, .ecn = packet.ip.ecn, .outcome = outcome,
    .arrived = now, .departed = now, .delivered = RCC_NEVER };
  *dropped = packet;
  if (copy)
    free (copy->data);
  free (copy);
  return false;
}

RccTime
crossing_next (const Crossing *c)
{
  const RccTime link = rcc_link_next (&c->link), change = rcc_scenario_next (&c->run);

  return RCC_MIN (link, change);
}

bool
crossing_pop (Crossing *c, RccTime now, CrossingPacket *out)
{
  RccLinkPacket packet;
  CrossingPacket *copy;

  rcc_scenario_apply (&c->run, &c->link, now);
  if (!rcc_link_pop (&c->link, now, &packet))
    return false;
  copy = carried (&packet);
  *out = *copy;
  free (copy);
  out->link = packet;
  if (packet.ecn != out->ip.ecn)
    ip_mark (out->data, out->ip.version);
  return true;
}
