/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/history.h"

void
rcc_history_init (RccHistory *h)
{
  h->unwrap = (RccUnwrap) { 0 };
  h->added = h->withheld = 0;
  /* every field: a stale `withheld' would hide losses of the next stream */
  for (int i = 0; i < RCC_HISTORY_SIZE; i++)
    h->slots[i] = (RccSentPacket) { .packet.sent = RCC_NEVER };
}

static RccSentPacket *
slot (RccHistory *h, int64_t seq)
{
  return &h->slots[(uint64_t) seq % RCC_HISTORY_SIZE];
}

RccSentPacket *
rcc_history_sent (RccHistory *h, uint16_t seq, uint32_t size, uint32_t probe,
    RccTime now)
{
  const int64_t number = rcc_unwrap (&h->unwrap, seq, 16);
  RccSentPacket *s = slot (h, number);

  *s = (RccSentPacket) {
    .packet = { .seq = number, .size = size, .probe = probe, .sent = now,
        .arrived = RCC_NEVER },
  };
  h->added++;
  return s;
}

void
rcc_history_withheld (RccHistory *h, uint16_t seq, RccTime now)
{
  rcc_history_sent (h, seq, 0, 0, now)->withheld = true;
  h->withheld++;
}

uint32_t
rcc_history_count_withheld (RccHistory *h, int64_t after, int64_t upto)
{
  uint32_t n = 0;

  if (h->withheld == 0)
    return 0;
  after = RCC_MAX (after, upto - RCC_HISTORY_SIZE);
  while (++after <= upto) {
    const RccSentPacket *s = slot (h, after);

    n += s->withheld && s->packet.seq == after;
  }
  return n;
}

RccSentPacket *
rcc_history_find (RccHistory *h, uint16_t seq)
{
  const int64_t number = rcc_unwrap_peek (&h->unwrap, seq, 16);
  RccSentPacket *s = slot (h, number);

  if (s->packet.sent == RCC_NEVER || s->packet.seq != number)
    return NULL;
  return s;
}

bool
rcc_history_is_ahead (const RccHistory *h, uint16_t seq)
{
  return h->added > 0 && rcc_unwrap_peek (&h->unwrap, seq, 16) > h->unwrap.last;
}
