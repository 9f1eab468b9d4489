/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 written a second time, plainly: which streams there are, and when they time out.
 */
#ifndef TEST_BREAKER_MODEL_H
#define TEST_BREAKER_MODEL_H

#include <glib.h>
#include "core/breaker/breaker.h"
#include "../../random.h"

#define SSRCS 12                        /* more than there is room for */
#define MOST (INT64_C (1) << 60)

typedef struct {
  guint32 ssrc;
  RccBreakerState state;
  RccBreakerReason reason;
  gboolean sending, known, told;        /* told: the compound under way has a block on it */
  RccTime started, idle, last_sent, gap, tf, rtt;
  guint64 bytes, packets;
  gint64 first;
  RccFraming framing;
  RccBreakerCongestion congestion;
  guint32 reporter;
  gint64 highest, lost;
  /* the interval under way; from RCC_NEVER: the next report is a baseline */
  struct {
    RccTime from, jitter;
    gint64 highest, lost;
    guint64 bytes, packets;
    gdouble weight, lost_weight, ce_weight, rtts;
    guint n_rtts;
  } part;
  RccTime judged, useless;              /* by 4.2; of no use since, by 4.4 */
  guint64 judged_bytes, calm, reports;
  guint32 before, target, cb, timeout, unreceived;
} Stream;

typedef struct {
  RccBreakerConfig c;
  GArray *streams;
  gboolean sending, all_open;
  guint64 bytes, events, triggers;
  RccTime last_sent, idle, heard, silent, deadline, retry;
  RccBreakerTiming timing;
  RccBreakerEvent event;                /* the newest */
} Model;

static RccBreaker b;
static Model m;
static RccTime now;
static gint64 seqs[SSRCS], told[SSRCS], lost[SSRCS];
static gboolean timed;                  /* somebody echoes our SRs */

static Stream *
nth (guint i)
{
  return &g_array_index (m.streams, Stream, i);
}

static Stream *
stream_of (guint32 ssrc)
{
  for (guint i = 0; i < m.streams->len; i++)
    if (nth (i)->ssrc == ssrc)
      return nth (i);
  return NULL;
}

static RccTime
since (RccTime then)
{
  return now > then ? now - then : 0;
}

static RccTime
or_0 (RccTime t)
{
  return t == RCC_NEVER ? 0 : t;
}

static RccBreakerTerms
terms (void)
{
  return (RccBreakerTerms) { &m.c, m.timing.td, m.timing.tdr };
}

static RccBreakerState
worst (void)
{
  RccBreakerState state = RCC_BREAKER_CLOSED;

  for (guint i = 0; i < m.streams->len; i++)
    state = MAX (state, nth (i)->state);
  return state;
}

static void
new_interval (Stream *s, RccTime from)
{
  memset (&s->part, 0, sizeof s->part);
  s->part.from = from;
  s->part.highest = s->highest;
  s->part.lost = s->lost;
  s->part.bytes = s->bytes;
  s->part.packets = s->packets;
  s->gap = 0;
}

static void
forget (Stream *s)
{
  rcc_breaker_congestion_clear (&s->congestion);
  new_interval (s, RCC_NEVER);
  s->unreceived = 0;
  s->useless = RCC_NEVER;
  s->calm = 0;
}

static void
stop (Stream *s)
{
  s->sending = FALSE;
  forget (s);
}

/* Tf: a minute at most where it is measured.  Twice max (Td, Tf) without a packet is a stop. */
static void
rework (Stream *s)
{
  const RccBreakerTerms t = terms ();

  s->tf = m.c.frame_interval;
  if (s->tf == RCC_NEVER)
    s->tf = rcc_framing_interval (&s->framing, now);
  if (m.c.frame_interval == RCC_NEVER && s->tf != RCC_NEVER)
    s->tf = MIN (s->tf, 60 * RCC_SEC);
  s->idle = 2 * MAX (t.td, or_0 (s->tf));
  s->cb = rcc_breaker_cb_interval (&t, s->tf, s->rtt);
}

static void
rework_all (void)
{
  m.idle = 2 * m.timing.td;
  for (guint i = 0; i < m.streams->len; i++)
    if (nth (i)->sending) {
      rework (nth (i));
      m.idle = MAX (m.idle, nth (i)->idle);
    }
}

static guint32
media_timeout (const Stream *s)
{
  const RccBreakerTerms t = terms ();

  return rcc_breaker_media_timeout (&t, s->tf, s->rtt);
}

static RccTime
timeout_span (void)
{
  return (m.c.mode == RCC_BREAKER_DRAFT2014 ? 2 : 3) * m.timing.td;
}

static RccTime
timeout_due (void)
{
  return m.sending && m.c.require_rtcp ? m.silent + timeout_span () : RCC_NEVER;
}

static void
stop_all (void)
{
  m.sending = FALSE;
  m.deadline = RCC_NEVER;
  for (guint i = 0; i < m.streams->len; i++)
    stop (nth (i));
}

/* Room: 8, beyond that of the longest silent that is not open. */
static Stream *
add_stream (guint32 ssrc)
{
  Stream *s = NULL;

  if (m.streams->len < 8) {
    g_array_set_size (m.streams, m.streams->len + 1);
    s = nth (m.streams->len - 1);
  } else {
    for (guint i = 0; i < 8; i++) {
      Stream *o = nth (i);

      if (o->state != RCC_BREAKER_OPEN && since (o->last_sent) > o->idle
          && (s == NULL || o->last_sent < s->last_sent))
        s = o;
    }
    if (s == NULL)
      return NULL;
  }
  *s = (Stream) { .ssrc = ssrc, .started = RCC_NEVER, .rtt = RCC_NEVER, .tf = RCC_NEVER,
    .last_sent = RCC_NEVER, .useless = RCC_NEVER, .part.from = RCC_NEVER };
  rcc_framing_init (&s->framing, 4 * m.c.frame_group);
  rcc_breaker_congestion_init (&s->congestion);
  for (guint i = 0; m.c.together && i < m.streams->len; i++)
    if (nth (i) != s && nth (i)->state == RCC_BREAKER_REDUCED) {
      s->state = RCC_BREAKER_REDUCED;
      s->reason = nth (i)->reason;
      s->before = nth (i)->before;
      s->target = nth (i)->target;
      break;
    }
  return s;
}

/* While no open stream is known under that name: unless all are, or 8 are. */
static gboolean
passes (guint32 ssrc)
{
  const Stream *s = stream_of (ssrc);
  guint open = 0;

  for (guint i = 0; i < m.streams->len; i++)
    open += nth (i)->state == RCC_BREAKER_OPEN;
  if (s)
    return s->state != RCC_BREAKER_OPEN;
  return open == 0 || (!m.all_open && open < 8);
}

static void
model_sent (const RccPacket *p)
{
  Stream *s = stream_of (p->ssrc);
  RccTime gap;

  if (!passes (p->ssrc))
    return;
  if (s == NULL)
    s = add_stream (p->ssrc);
  if (!m.sending || since (m.last_sent) > m.idle) {
    m.sending = TRUE;
    m.silent = now;
    rcc_breaker_timing_start (&m.timing, m.bytes, now);
    m.deadline = timeout_due ();
  }
  m.last_sent = now;
  m.bytes += p->size;
  if (s == NULL)
    return;
  gap = s->last_sent == RCC_NEVER ? 0 : since (s->last_sent);
  if (!s->sending || gap > s->idle) {
    /* a pause is no gap, unless single frames are all there is */
    if (s->framing.frame_at != s->started)
      rcc_framing_pause (&s->framing);
    forget (s);
    s->sending = TRUE;
    s->started = s->judged = now;
    s->judged_bytes = s->bytes;
    s->first = CLAMP (p->seq, -MOST, MOST);
    rcc_framing_packet (&s->framing, p->timestamp, p->size, now);
    rework (s);
    s->timeout = media_timeout (s);
  } else {
    s->gap = MAX (s->gap, gap);
    rcc_framing_packet (&s->framing, p->timestamp, p->size, now);
  }
  s->last_sent = now;
  s->bytes += p->size;
  s->packets++;
  m.idle = MAX (m.idle, s->idle);
}

#endif
