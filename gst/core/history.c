/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/history.h"

#include <string.h>

void
rcc_history_init (RccHistory *h, RccResize resize)
{
  *h = (RccHistory) { 0 };
  rcc_log_init (&h->log, sizeof (RccSentPacket), RCC_HISTORY_KEEP, RCC_HISTORY_BYTES, resize);
}

void
rcc_history_clear (RccHistory *h)
{
  rcc_release (h->log.resize, h->transports);
  h->transports = NULL;
  h->mapped = 0;
  h->transport = (RccUnwrap) { 0 };
  rcc_log_clear (&h->log);
}

static uint32_t *
place_of (const RccHistory *h, int64_t transport)
{
  return &h->transports[(uint64_t) transport & (h->mapped - 1)];
}

/* As many as there are records: each number has its own place, as long as they follow one
 * another. */
static void
map (RccHistory *h)
{
  uint32_t place = rcc_log_first (&h->log);

  h->mapped = h->log.capacity;
  h->transports = h->log.resize (h->transports, h->mapped * sizeof *h->transports);
  /* whatever is there: records have their number */
  memset (h->transports, 0, h->mapped * sizeof *h->transports);
  for (uint32_t i = 0; i < h->log.live; i++, place++) {
    const RccSentPacket *s = rcc_log_at (&h->log, place);

    if (s->transport >= 0)
      *place_of (h, s->transport) = place;
  }
}

RccSentPacket *
rcc_history_sent (RccHistory *h, uint32_t ssrc, int64_t number, int transport, RccTime now)
{
  RccSentPacket *s = rcc_log_add (&h->log, ssrc, number, now);
  const RccLogKey key = s->key;

  *s = (RccSentPacket) { .key = key, .transport = -1, .arrived = RCC_NEVER };
  if (transport < 0)
    return s;
  if (h->mapped != h->log.capacity)
    map (h);
  /* positive, whatever overtakes the first one */
  if (!h->transport.valid)
    h->transport = (RccUnwrap) { 65536 + transport, true };
  s->transport = rcc_unwrap (&h->transport, (uint16_t) transport, 16);
  *place_of (h, s->transport) = h->log.places - 1;
  return s;
}

RccSentPacket *
rcc_history_find (const RccHistory *h, uint32_t ssrc, int64_t number)
{
  return rcc_log_find (&h->log, ssrc, number);
}

void
rcc_history_forget_transport (RccHistory *h)
{
  uint32_t place = rcc_log_first (&h->log);

  for (uint32_t i = 0; i < h->log.live; i++, place++)
    ((RccSentPacket *) rcc_log_at (&h->log, place))->transport = -1;
  h->transport = (RccUnwrap) { 0 };
}

int64_t
rcc_history_transport (const RccHistory *h, uint16_t number)
{
  return rcc_unwrap_peek (&h->transport, number, 16);
}

RccSentPacket *
rcc_history_find_transport (const RccHistory *h, int64_t number)
{
  RccSentPacket *s;
  uint32_t place;

  if (h->mapped == 0 || number < 0)
    return NULL;
  place = *place_of (h, number);
  if (h->log.places - place - 1 >= h->log.live)
    return NULL;
  s = rcc_log_at (&h->log, place);
  return s->transport == number ? s : NULL;
}
