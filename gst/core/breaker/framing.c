/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/breaker/framing.h"

#include <string.h>

/* A timestamp that never moves would make one endless frame of a stream. */
#define SLOT_FULL (UINT32_C (1) << 30)
#define SIZE_MAX_RTP 65535              /* nothing larger fits into UDP */

void
rcc_framing_init (RccFraming *f, unsigned frames)
{
  frames = RCC_MAX (frames, 1);
  memset (f, 0, sizeof *f);
  f->frames_per_slot = (frames - 1) / RCC_FRAMING_SLOTS + 1;
  f->n_slots = (frames - 1) / f->frames_per_slot + 1;
  f->frame_at = f->packet_at = f->last_gap = RCC_NEVER;
}

static void
next_slot (RccFraming *f)
{
  f->slot = f->slot + 1 < f->n_slots ? f->slot + 1 : 0;
  f->bytes -= f->slots[f->slot].bytes;
  f->packets -= f->slots[f->slot].packets;
  f->slots[f->slot].bytes = f->slots[f->slot].packets = 0;
  f->frames_in_slot = 0;
}

static void
add_gap (RccFraming *f, RccTime gap, RccTime now)
{
  const uint32_t second = (uint32_t) (now / RCC_SEC);
  const unsigned i = second % RCC_FRAMING_GAPS;

  f->last_gap = gap;
  if (f->gaps[i].second != second) {
    f->gaps[i].second = second;
    f->gaps[i].longest = 0;
  }
  f->gaps[i].longest = RCC_MAX (f->gaps[i].longest, gap);
}

static void
begin_frame (RccFraming *f, uint32_t timestamp, RccTime now)
{
  if (f->frame_at != RCC_NEVER)
    add_gap (f, now > f->frame_at ? now - f->frame_at : 0, now);
  f->timestamp = timestamp;
  f->frame_at = now;
  f->any = true;
  if (f->frames_in_slot >= f->frames_per_slot)
    next_slot (f);
  f->frames_in_slot++;
}

void
rcc_framing_packet (RccFraming *f, uint32_t timestamp, uint32_t size, RccTime now)
{
  size = RCC_MIN (size, SIZE_MAX_RTP);
  if (timestamp != f->timestamp || !f->any)
    begin_frame (f, timestamp, now);
  if (f->slots[f->slot].bytes >= SLOT_FULL)
    next_slot (f);
  f->slots[f->slot].bytes += size;
  f->slots[f->slot].packets++;
  f->bytes += size;
  f->packets++;
  f->packet_at = now;
}

void
rcc_framing_pause (RccFraming *f)
{
  f->any = false;
  f->frame_at = RCC_NEVER;
}

double
rcc_framing_packet_size (const RccFraming *f)
{
  return f->packets ? (double) f->bytes / (double) f->packets : 0;
}

RccTime
rcc_framing_interval (const RccFraming *f, RccTime now)
{
  const uint32_t second = (uint32_t) (now / RCC_SEC);
  RccTime longest = 0;

  for (int i = 0; i < RCC_FRAMING_GAPS; i++)
    if (second - f->gaps[i].second < RCC_FRAMING_GAPS)
      longest = RCC_MAX (longest, f->gaps[i].longest);
  return longest ? longest : f->last_gap;
}
