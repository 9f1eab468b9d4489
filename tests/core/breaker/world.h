/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker-world.h - senders, a path with a loss and a round trip, and the receiver that
 * reports, around one circuit breaker, for its tests
 */
#ifndef RCC_TEST_BREAKER_WORLD_H
#define RCC_TEST_BREAKER_WORLD_H

#include <glib.h>
#include "core/breaker/breaker.h"

#define MS(x) ((x) * RCC_MSEC)
#define S(x) ((x) * RCC_SEC)
#define PEER 0x70656572u
#define MEDIA 0x6d656401u               /* the first flow's SSRC; the next ones' follow */
#define FLOWS 10

typedef struct {
  guint32 ssrc, size, timestamp;
  gint64 seq;                           /* of the next packet */
  double spacing, next;                 /* ns; 0: does not send */
  guint per_frame, in_frame;
  gint64 reported, lost;                /* numbers up to the last report; cumulative */
} Flow;

typedef struct {
  RccBreaker b;
  RccTime now;
  Flow flows[FLOWS];
  guint n_flows;
  double rtt_s, ce;                     /* ce: fraction of the packets that is marked */
  RccTime jitter;
  guint stops, targets, blocked;
  RccTime stopped_at;
  RccUpdate last;
} World;

static inline void
world_init (World *w, const RccBreakerConfig *config)
{
  *w = (World) { .now = S (100), .rtt_s = 0.1 };
  rcc_breaker_init (&w->b, config, w->now);
}

static inline Flow *
world_flow (World *w, double bps, guint32 size)
{
  Flow *f = &w->flows[w->n_flows];

  *f = (Flow) { .ssrc = MEDIA + w->n_flows++, .size = size, .per_frame = 1, .seq = 1000,
    .reported = 999, .spacing = size * 8e9 / bps };
  f->next = w->now + f->spacing / 2;
  return f;
}

static inline void
world_take (World *w, RccUpdate u)
{
  if (!u.changed)
    return;
  g_assert_nonnull (u.reason);
  g_assert_cmpstr (u.reason, !=, "");
  w->last = u;
  if (u.changed & RCC_STOP) {
    w->stops++;
    w->stopped_at = w->now;
  }
  w->targets += !!(u.changed & RCC_TARGET);
}

static inline void
world_packet (World *w, Flow *f)
{
  const RccPacket p = { .seq = f->seq, .size = f->size, .ssrc = f->ssrc,
    .timestamp = f->timestamp, .sent = w->now };

  if (++f->in_frame >= f->per_frame) {
    f->in_frame = 0;
    f->timestamp += 3000;
  }
  f->seq++;
  if (rcc_breaker_passes (&w->b, f->ssrc))
    world_take (w, rcc_tell (&w->b.sender, on_sent, &p));
  else
    w->blocked++;
}

/* Everything until @until, which is not part of it, at its time. */
static inline void
world_run (World *w, RccTime until)
{
  for (;;) {
    const RccTime deadline = rcc_deadline (&w->b.sender);
    Flow *first = NULL;

    for (guint i = 0; i < w->n_flows; i++)
      if (w->flows[i].spacing > 0 && (!first || w->flows[i].next < first->next))
        first = &w->flows[i];
    if (deadline < until && (!first || deadline <= (RccTime) first->next)) {
      w->now = MAX (w->now, deadline);
      world_take (w, rcc_tell (&w->b.sender, on_deadline, w->now));
      g_assert_cmpuint (rcc_deadline (&w->b.sender), >, w->now);
    } else if (first && (RccTime) first->next < until) {
      w->now = MAX (w->now, (RccTime) first->next);
      world_packet (w, first);
      first->next += first->spacing;
    } else {
      break;
    }
  }
  w->now = MAX (w->now, until);
}

static inline RccReport
world_block (World *w, Flow *f, double fraction)
{
  const gint64 expected = f->seq - 1 - f->reported;

  f->reported += expected;
  f->lost += (gint64) (fraction * expected + 0.5);
  return (RccReport) { .ssrc = f->ssrc, .reporter = PEER, .highest_seq = f->reported,
    .lost = f->lost, .expected = expected, .fraction_lost = fraction,
    .ce = (guint32) (w->ce * expected), .jitter = w->jitter,
    .rtt = w->rtt_s < 0 ? RCC_NEVER : (RccTime) (w->rtt_s * 1e9 + 0.5) };
}

static inline void
world_tell (World *w, const RccReport *r)
{
  world_take (w, rcc_tell (&w->b.sender, on_report, r, w->now));
}

static inline void
world_compound (World *w, guint32 reporter, guint blocks, bool about_us)
{
  const RccRtcp rtcp = { .size = 60 + 24 * blocks, .n_reporters = reporter != 0,
    .reporters = &reporter, .n_blocks = blocks, .about_us = about_us,
    .from_reporter = reporter == PEER };

  world_take (w, rcc_tell (&w->b.sender, on_rtcp, &rtcp, w->now));
}

/* The receiver's whole report: so much of every flow was lost since the last. */
static inline void
world_report (World *w, double fraction)
{
  for (guint i = 0; i < w->n_flows; i++) {
    const RccReport r = world_block (w, &w->flows[i], fraction);

    world_tell (w, &r);
  }
  world_compound (w, PEER, w->n_flows, true);
}

/* Nothing has come since the last report. */
static inline void
world_report_none (World *w)
{
  for (guint i = 0; i < w->n_flows; i++) {
    const RccReport r = { .ssrc = w->flows[i].ssrc, .reporter = PEER,
      .highest_seq = w->flows[i].reported, .lost = w->flows[i].lost, .rtt = RCC_NEVER };

    world_tell (w, &r);
  }
  world_compound (w, PEER, w->n_flows, true);
}

/* @n reports, @interval apart. */
static inline void
world_reports (World *w, guint n, RccTime interval, double fraction)
{
  while (n-- > 0) {
    world_run (w, w->now + interval);
    world_report (w, fraction);
  }
}

static inline const RccBreakerEvent *
world_event (World *w)
{
  g_assert_cmpuint (w->b.n_events, >, 0);
  return &w->b.events[(w->b.n_events - 1) % RCC_BREAKER_EVENTS];
}

#endif
