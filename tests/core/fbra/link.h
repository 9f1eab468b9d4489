/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra-link.h - a call over one drop-tail link, for the tests of the FEC controllers
 *
 * 30 frames a second of the rate asked for, cut at 1500 bytes; parity after every N
 * media packets; a queue of 50 packets; the receiver reports at max (2 RTT, 100 ms) and
 * the report takes the one-way delay back.  No randomness.
 */
#ifndef FBRA_LINK_H
#define FBRA_LINK_H

#include <glib.h>
#include "core/fbra/outcomes.h"

typedef struct {
  RccTime at;
  guint bps;
} Step;

#define PENDING 4096
#define QUEUE 50

typedef struct {
  RccSender *sender;
  const guint *target, *fec, *n;        /* of the controller */
  RccTime owd;
  const Step *schedule;                 /* ends with bps 0, repeats its last */
  gint64 skew_ppm;                      /* of the receiver's clock */
  double source;                        /* part of its rate the source uses */
  gboolean feedback;                    /* per packet, or receiver reports alone */
  /* state */
  RccTime now, next_frame, next_report, reported;
  RccTime report_at;                    /* RCC_NEVER: none under way */
  RccTime free;                         /* the link is, from then on */
  RccTime queued[QUEUE];                /* departures of the last packets let in */
  guint64 let_in;
  RccPacket pending[PENDING];
  guint n_pending, n_reported;
  guint in_block, block_size;
  gint64 seq;
  RccTime rtt;
  guint expected, lost;                 /* of the report under way */
  /* what came out */
  guint64 media_sent, media_good, parity_sent, packets_lost, packets_late, packets_sent;
  double capacity_bits;
  RccUpdate update;                     /* of the last report */
} Link;

static guint
link_capacity (const Link *l, RccTime now)
{
  const Step *s = l->schedule;

  while (s[1].bps && s[1].at <= now)
    s++;
  return s->bps;
}

static void
link_packet (Link *l, guint size, gboolean parity)
{
  RccPacket *p = &l->pending[l->n_pending++];
  const RccTime oldest = l->queued[l->let_in % QUEUE];

  g_assert_cmpuint (l->n_pending, <, PENDING);
  *p = (RccPacket) { .seq = l->seq++, .size = size, .sent = l->now,
    .arrived = RCC_NEVER, .flags = parity ? RCC_PACKET_PARITY : 0 };
  l->packets_sent++;
  if (parity)
    l->parity_sent += size;
  else
    l->media_sent += size;
  if (l->let_in < QUEUE || oldest <= l->now) {  /* fewer than 50 wait */
    l->free = RCC_MAX (l->free, l->now)
        + (RccTime) (8e9 * size / link_capacity (l, l->now));
    l->queued[l->let_in++ % QUEUE] = l->free;
    p->arrived = l->free + l->owd;
    if (p->arrived - p->sent > 400 * RCC_MSEC)
      l->packets_late++;
    else if (!parity)
      l->media_good += size;
  } else {
    l->packets_lost++;
  }
  rcc_tell (l->sender, on_sent, p);
}

static void
link_frame (Link *l)
{
  const guint media = *l->target - *l->fec;
  guint left = (guint) (l->source * media / 8 / 30) + 12;

  while (left > 0) {
    const guint size = RCC_MIN (left, 1500);

    link_packet (l, size, FALSE);
    left -= size;
    l->block_size = RCC_MAX (l->block_size, size);
    if (*l->n && ++l->in_block >= *l->n) {
      link_packet (l, l->block_size, TRUE);
      l->in_block = l->block_size = 0;
    }
  }
  if (!*l->n)
    l->in_block = l->block_size = 0;
  l->capacity_bits += link_capacity (l, l->now) / 30.0;
}

/* What has arrived by now, and what is missing below it. */
static void
link_make_report (Link *l)
{
  guint newest = l->n_reported;

  for (guint i = l->n_reported; i < l->n_pending; i++)
    if (l->pending[i].arrived <= l->now)
      newest = i + 1;
  if (newest == l->n_reported) {
    l->next_report = l->now + 100 * RCC_MSEC;
    return;
  }
  l->expected = l->lost = 0;
  for (guint i = l->n_reported; i < newest; i++) {
    l->expected++;
    l->lost += l->pending[i].arrived == RCC_NEVER;
  }
  l->rtt = l->pending[newest - 1].arrived - l->pending[newest - 1].sent + l->owd;
  l->n_reported = newest;
  l->report_at = l->now + l->owd;
  l->next_report = l->now + RCC_MAX (100 * RCC_MSEC, 2 * l->rtt);
}

static RccTime
link_clock (const Link *l, RccTime t)
{
  if (t == RCC_NEVER)
    return t;
  return (RccTime) ((gint64) t + (gint64) t / 1000000 * l->skew_ppm) + 12345 * RCC_SEC;
}

static void
link_tell_report (Link *l)
{
  const RccReport report = { .highest_seq = l->pending[l->n_reported - 1].seq,
    .expected = l->expected, .rtt = l->rtt,
    .fraction_lost = (double) l->lost / l->expected };
  const RccRtcp rtcp = { .about_us = true, .n_reporters = 1 };

  rcc_tell (l->sender, on_report, &report, l->now);
  if (l->feedback) {
    for (guint i = 0; i < l->n_reported; i++)
      l->pending[i].arrived = link_clock (l, l->pending[i].arrived);
    rcc_tell (l->sender, on_feedback, l->pending, l->n_reported, l->now);
  }
  l->update = rcc_tell (l->sender, on_rtcp, &rtcp, l->now);
  l->n_pending -= l->n_reported;
  for (guint i = 0; i < l->n_pending; i++)
    l->pending[i] = l->pending[i + l->n_reported];
  l->n_reported = 0;
  l->report_at = RCC_NEVER;
}

static void
link_start (Link *l)
{
  l->next_frame = l->now;
  l->next_report = l->now + 100 * RCC_MSEC;
  l->report_at = RCC_NEVER;
  l->feedback = TRUE;
  l->source = 1.0;
}

/* One event; TRUE when it was a report that the sender was told of. */
static gboolean
link_step (Link *l)
{
  const RccTime silence = rcc_deadline (l->sender);
  /* one report at a time is under way */
  const RccTime make = l->report_at == RCC_NEVER ? l->next_report : RCC_NEVER;

  l->now = RCC_MIN (RCC_MIN (l->next_frame, silence), RCC_MIN (make, l->report_at));
  if (l->now == l->report_at) {
    link_tell_report (l);
    return TRUE;
  }
  if (l->now == make) {
    link_make_report (l);
  } else if (l->now == l->next_frame) {
    link_frame (l);
    l->next_frame += RCC_SEC / 30;
  } else {
    rcc_tell (l->sender, on_deadline, l->now);
  }
  return FALSE;
}

#endif
