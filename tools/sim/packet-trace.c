/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/packet-trace.h"

#include <stdlib.h>
#include <string.h>

#include "wire/ulpfec.h"

#define SETTLED (30 * RCC_SEC)

void
rcc_packet_trace_init (RccPacketTrace *t, RccTime d_max)
{
  *t = (RccPacketTrace) { .d_max = d_max };
  rcc_fecmetrics_init (&t->metrics);
}

void
rcc_packet_trace_clear (RccPacketTrace *t)
{
  free (t->packets);
}

static RccTracedPacket *
find (RccPacketTrace *t, uint16_t seq)
{
  const int64_t i = rcc_unwrap_peek (&t->unwrap, seq, 16) - t->first;

  return i >= 0 && (size_t) i < t->n ? &t->packets[i] : NULL;
}

static void
cover (RccPacketTrace *t, const RccDatagram *d)
{
  RccParity parity;
  RccRtp rtp;

  rcc_fecmetrics_parity (&t->metrics, d->size);
  if (!rcc_rtp_parse ((RccBytes) { d->data, d->size }, &rtp)
      || !rcc_ulpfec_parse ((RccBytes) { d->data + rtp.header_size,
              d->size - rtp.header_size }, 0, &parity))
    return;
  for (unsigned i = 0; i < RCC_ULPFEC_SPAN_LONG; i++) {
    const uint16_t seq = (uint16_t) (parity.streams[0].base + i);
    RccTracedPacket *p = find (t, seq);

    if (p && rcc_parity_protects (&parity, 0, seq))
      p->covered = true;
  }
}

static bool
in_time (const RccPacketTrace *t, const RccTracedPacket *p, RccTime at)
{
  return at != RCC_NEVER && at - p->sent <= t->d_max;
}

static bool
is_good (const RccPacketTrace *t, const RccTracedPacket *p)
{
  return in_time (t, p, p->received) || in_time (t, p, p->mended);
}

/* The packets [from, to) are one frame. */
static void
close_frame (RccPacketTrace *t, size_t from, size_t to)
{
  bool lost = false, covered = false, good = true;

  for (size_t i = from; i < to; i++) {
    const RccTracedPacket *p = &t->packets[i];
    const bool gone = !in_time (t, p, p->received);

    if (p->sent == RCC_NEVER)
      continue;
    lost |= gone;
    covered |= gone && p->covered;
    good &= is_good (t, p);
    rcc_fecmetrics_media (&t->metrics, p->size, !gone ? RCC_MEDIA_GOOD
        : p->received == RCC_NEVER ? RCC_MEDIA_LOST : RCC_MEDIA_LATE,
        in_time (t, p, p->mended));
  }
  rcc_fecmetrics_frame (&t->metrics, lost, covered, lost && good);
}

/* Closes the frames that left before @end; how many packets those are. */
static size_t
close_frames (RccPacketTrace *t, RccTime end)
{
  size_t from = 0;

  for (size_t i = 1; i <= t->n; i++) {
    if (i < t->n && (t->packets[i].sent == RCC_NEVER
            || t->packets[i].frame == t->packets[from].frame))
      continue;
    if (t->packets[from].sent >= end)
      break;
    close_frame (t, from, i);
    from = i;
  }
  return from;
}

/* Nothing comes of a packet any more, long after it left. */
static void
make_room (RccPacketTrace *t, RccTime now)
{
  const size_t settled = now > SETTLED ? close_frames (t, now - SETTLED) : 0;

  if (settled > 0)
    memmove (t->packets, t->packets + settled, (t->n - settled) * sizeof *t->packets);
  t->n -= settled;
  t->first += (int64_t) settled;
  if (2 * t->n > t->room || t->room == 0) {
    t->room = t->room ? 2 * t->room : 4096;
    t->packets = realloc (t->packets, t->room * sizeof *t->packets);
  }
}

static void
add (RccPacketTrace *t, RccTracedPacket p, RccTime now)
{
  if (t->n == t->room)
    make_room (t, now);
  t->packets[t->n++] = p;
}

void
rcc_packet_trace_sent (RccPacketTrace *t, const RccDatagram *d, RccTime now)
{
  const uint16_t seq = rcc_be16 (d->data + 2);
  const int64_t number = d->parity ? 0 : rcc_unwrap (&t->unwrap, seq, 16);

  if (d->parity) {
    cover (t, d);
    return;
  }
  if (t->n == 0)
    t->first = number;
  while (t->first + (int64_t) t->n < number)    /* the sender's queue was too long */
    add (t, (RccTracedPacket) { .sent = RCC_NEVER }, now);
  add (t, (RccTracedPacket) { .frame = d->frame, .size = d->size,
          .sent = d->padding ? RCC_NEVER : now, .received = RCC_NEVER,
          .mended = RCC_NEVER }, now);
  t->copies[seq % RCC_PACKET_TRACE_COPIES].seq = seq;
  t->copies[seq % RCC_PACKET_TRACE_COPIES].size = (uint16_t) d->size;
  memcpy (t->copies[seq % RCC_PACKET_TRACE_COPIES].data, d->data, d->size);
}

void
rcc_packet_trace_received (RccPacketTrace *t, uint16_t seq, RccTime now)
{
  RccTracedPacket *p = find (t, seq);

  if (p)
    p->received = now;
}

void
rcc_packet_trace_mended (RccPacketTrace *t, RccBytes packet, RccTime now)
{
  const uint16_t seq = rcc_be16 (packet.data + 2);
  RccTracedPacket *p = find (t, seq);
  const size_t at = seq % RCC_PACKET_TRACE_COPIES;

  if (!p || t->copies[at].seq != seq || t->copies[at].size != packet.size
      || memcmp (t->copies[at].data, packet.data, packet.size) != 0) {
    t->wrong++;
    return;
  }
  p->mended = now;
}

void
rcc_packet_trace_close (RccPacketTrace *t, RccTime span, RccTime end)
{
  close_frames (t, end);
  rcc_fecmetrics_close (&t->metrics, span);
}
