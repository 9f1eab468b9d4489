/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The model's judgement: what reports, silence and settings do to its streams.
 */
#ifndef TEST_BREAKER_MODEL_JUDGE_H
#define TEST_BREAKER_MODEL_JUDGE_H

#include "model.h"

static void
note_event (const Stream *s, gboolean all, RccBreakerState state, RccBreakerReason reason,
    RccTime interval)
{
  m.events++;
  m.event = (RccBreakerEvent) { .state = state, .reason = reason, .rtt = RCC_NEVER,
    .interval = interval, .at = now };
  if (s == NULL)
    return;
  m.event.ssrc = all ? 0 : s->ssrc;
  m.event.rtt = s->rtt;
  m.event.loss = s->congestion.figures.loss;
  m.event.tcp_bps = s->congestion.figures.tcp_bps;
  m.event.sent_bps = s->congestion.figures.sent_bps;
}

/* 4.5 and 8; 4.3: first a tenth, where that is asked for */
static RccUpdate
trip (Stream *s, RccBreakerReason reason)
{
  static const char *const words[] = { NULL, "circuit breaker: no RTCP comes back",
    "circuit breaker: media does not arrive", "circuit breaker: far more than TCP would send",
    "circuit breaker: media is of no use to the receiver" };
  const gboolean all = s == NULL || m.c.together;
  const gboolean reduce = reason == RCC_BREAKER_CONGESTION && m.c.reduce_first
      && s->state == RCC_BREAKER_CLOSED;
  gdouble rate = s ? s->congestion.figures.sent_bps : 0;
  RccTime interval = timeout_span ();
  gboolean sending = FALSE;

  if (reason == RCC_BREAKER_MEDIA_TIMEOUT)
    interval = s->timeout * m.timing.tdr;
  else if (reason == RCC_BREAKER_CONGESTION)
    interval = MAX (s->congestion.figures.duration, s->cb * m.timing.tdr);
  else if (reason == RCC_BREAKER_USABILITY)
    interval = m.c.unusable_time;
  note_event (s, all, reduce ? RCC_BREAKER_REDUCED : RCC_BREAKER_OPEN, reason, interval);
  m.triggers++;
  m.retry = MAX (worst () == RCC_BREAKER_CLOSED ? 0 : m.retry, now + interval);
  if (all)
    rate = MAX (rate, m.timing.sent_bps);
  for (guint i = 0; i < m.streams->len; i++) {
    Stream *o = nth (i);

    if (!all && o != s)
      continue;
    o->state = reduce ? RCC_BREAKER_REDUCED : RCC_BREAKER_OPEN;
    o->reason = reason;
    if (reduce) {
      o->before = rate >= G_MAXUINT32 ? G_MAXUINT32 : (guint32) MAX (rate, 1);
      o->target = MAX (o->before / 10, 1);
      forget (o);
    } else {
      stop (o);
    }
  }
  if (all && !reduce)
    m.all_open = TRUE;
  for (guint i = 0; i < m.streams->len; i++)
    sending |= nth (i)->sending;
  if (!sending)
    stop_all ();
  return (RccUpdate) { .changed = reduce ? RCC_TARGET : RCC_STOP,
    .target_bps = reduce ? s->target : 0, .reason = words[reason] };
}

/* Doubles; closed where that leads to what it was. */
static RccUpdate
step_back (Stream *s)
{
  const gboolean done = s->target >= s->before / 2;
  const guint32 target = done ? G_MAXUINT32 : 2 * s->target;

  for (guint i = 0; i < m.streams->len; i++) {
    Stream *o = nth (i);

    if (o->state != RCC_BREAKER_REDUCED || (o != s && !m.c.together))
      continue;
    o->calm = 0;
    o->target = target;
    if (done) {
      o->state = RCC_BREAKER_CLOSED;
      o->reason = RCC_BREAKER_NO_REASON;
    }
  }
  if (done)
    note_event (s, m.c.together, RCC_BREAKER_CLOSED, RCC_BREAKER_NO_REASON, 0);
  return (RccUpdate) { .changed = RCC_TARGET, .target_bps = target,
    .reason = done ? "circuit breaker: closed again" : "circuit breaker: no congestion now" };
}

static RccTime
one_interval (void)
{
  return MAX (100 * RCC_MSEC, m.timing.tdr / 4);
}

/* 4.2: one report more that nothing came, though something left */
static RccBreakerReason
not_received (Stream *s)
{
  s->timeout = MAX (s->timeout, media_timeout (s));
  if (s->bytes == s->judged_bytes)
    return RCC_BREAKER_NO_REASON;
  s->judged_bytes = s->bytes;
  s->unreceived++;
  return s->unreceived < s->timeout ? RCC_BREAKER_NO_REASON : RCC_BREAKER_MEDIA_TIMEOUT;
}

static RccBreakerReason
media (Stream *s, gboolean received)
{
  if (received) {
    s->judged = now;
    s->unreceived = 0;
    s->judged_bytes = s->bytes;
    s->timeout = media_timeout (s);
    return RCC_BREAKER_NO_REASON;
  }
  if (since (s->judged) < one_interval ())
    return RCC_BREAKER_NO_REASON;
  s->judged = now;
  return not_received (s);
}

static RccTime
mean_rtt (const Stream *s)
{
  return s->part.n_rtts > 0 ? (RccTime) (s->part.rtts / s->part.n_rtts + 0.5) : RCC_NEVER;
}

/* 4.3 and 4.4: an interval is over. */
static RccBreakerReason
judge (Stream *s)
{
  const gdouble loss = s->part.lost_weight / s->part.weight;
  const gdouble ce = m.c.ecn_as_loss ? s->part.ce_weight / s->part.weight : 0;
  const RccTime quiet = MAX (s->gap, since (s->last_sent));
  const RccBreakerInterval i = {
    .duration = now - s->part.from, .fraction = MIN (loss + ce, 1), .rtt = mean_rtt (s),
    .expected = s->highest - s->part.highest, .lost_before = s->part.lost,
    .sent = s->bytes - s->part.bytes, .packets = s->packets - s->part.packets,
    .steady = quiet <= MAX (m.timing.tdr, or_0 (s->rtt)),
  };
  gboolean congested, useless;

  rcc_breaker_congestion_add (&s->congestion, &i, s->lost);
  s->rtt = s->congestion.rtt;
  s->calm++;
  congested = rcc_breaker_congestion_judge (&s->congestion, &m.c, s->cb,
      rcc_framing_packet_size (&s->framing));
  useless = m.c.usability && (loss > m.c.unusable_loss
      || or_0 (s->rtt) / 2 + s->part.jitter > m.c.unusable_delay);
  if (!useless)
    s->useless = RCC_NEVER;
  else if (s->useless == RCC_NEVER)
    s->useless = now;
  useless &= now > s->useless && now - s->useless >= m.c.unusable_time;
  new_interval (s, now);
  return congested ? RCC_BREAKER_CONGESTION : useless ? RCC_BREAKER_USABILITY
      : RCC_BREAKER_NO_REASON;
}

static void
merge (Stream *s, const RccReport *r, gint64 more)
{
  const gdouble weight = more > 0 ? (gdouble) more : 1e-9;
  const gdouble expected = r->expected > 0 ? r->expected : MAX (weight, 1);

  s->part.weight += weight;
  s->part.lost_weight += weight * CLAMP (r->fraction_lost, 0, 1);
  s->part.ce_weight += weight * CLAMP (r->ce / expected, 0, 1);
  s->part.jitter = MAX (s->part.jitter, MIN (or_0 (r->jitter), 60 * RCC_SEC));
}

static void
rest (Stream *s)
{
  if (s->sending && since (s->last_sent) > s->idle)
    stop (s);
}

static RccUpdate
model_report (const RccReport *r)
{
  Stream *s = stream_of (r->ssrc);
  RccBreakerReason reason;
  gint64 more, highest, gone;
  gboolean baseline;

  if (s == NULL)
    return (RccUpdate) { 0 };
  highest = CLAMP (r->highest_seq, -MOST, MOST);
  gone = CLAMP (r->lost, -MOST, MOST);
  more = s->known ? highest - s->highest : highest - s->first + 1;
  /* counters that go back are another receiver's; 64 late or double packets are none */
  baseline = !s->known || s->highest < s->first || s->part.from == RCC_NEVER || more < 0
      || gone - s->lost < -2 * more - 64;
  rest (s);
  s->known = s->told = TRUE;
  s->reporter = r->reporter;
  s->highest = highest;
  s->lost = gone;
  s->reports++;
  if (r->rtt != RCC_NEVER) {
    s->part.rtts += (gdouble) MIN (r->rtt, 60 * RCC_SEC);
    s->part.n_rtts++;
  }
  reason = RCC_BREAKER_NO_REASON;
  if (s->sending && s->state != RCC_BREAKER_OPEN)
    reason = media (s, more > 0);
  else
    baseline = TRUE;
  if (baseline) {
    const RccTime rtt = mean_rtt (s);

    if (rtt != RCC_NEVER)
      rcc_breaker_congestion_rtt (&s->congestion, rtt);
    s->rtt = s->congestion.rtt;
    new_interval (s, s->sending && s->state != RCC_BREAKER_OPEN ? now : RCC_NEVER);
  } else {
    RccBreakerReason other = RCC_BREAKER_NO_REASON;

    merge (s, r, more);
    if (since (s->part.from) >= one_interval ())
      other = judge (s);
    reason = reason ? reason : other;
  }
  if (reason)
    return trip (s, reason);
  if (s->state == RCC_BREAKER_REDUCED && s->calm >= s->cb)
    return step_back (s);
  return (RccUpdate) { 0 };
}

/* 4.2: a compound of the stream's own reporter, with room, and no word about it */
static RccBreakerReason
compound (Stream *s, const RccRtcp *r)
{
  const gboolean reported = s->told;
  gboolean among = FALSE;

  s->told = FALSE;
  rest (s);
  for (guint i = 0; i < r->n_reporters; i++)
    among |= r->reporters[i] == s->reporter;
  if (reported || !s->sending || s->state == RCC_BREAKER_OPEN || !s->known || r->about_us
      || r->n_blocks > 30 || !among || since (s->judged) < m.timing.tdr)
    return RCC_BREAKER_NO_REASON;
  s->judged = MAX (s->judged + m.timing.tdr, now - m.timing.tdr);
  return not_received (s);
}

static RccUpdate
model_rtcp (const RccRtcp *r)
{
  const guint32 *reporter = NULL;
  guint32 who;
  RccUpdate u = { 0 };

  for (guint i = 0; i < m.streams->len && reporter == NULL; i++)
    if (nth (i)->told) {
      who = nth (i)->reporter;
      reporter = &who;
    }
  if (r->from_reporter)
    m.heard = m.silent = now;
  if (m.sending && since (m.last_sent) > m.idle)
    stop_all ();
  for (guint i = 0; i < m.streams->len; i++) {
    const RccBreakerReason reason = compound (nth (i), r);

    if (reason)
      u = rcc_update_merge (u, trip (nth (i), reason));
  }
  rcc_breaker_timing_rtcp (&m.timing, &m.c, r, reporter, m.bytes, now);
  rework_all ();
  m.deadline = MIN (m.deadline, timeout_due ());
  return u;
}

/* 4.1; a second late says that we slept: as much time again */
static RccUpdate
model_deadline (void)
{
  const RccTime due = timeout_due (), span = timeout_span ();
  RccTime late;

  if (m.deadline == RCC_NEVER || now < m.deadline)
    return (RccUpdate) { 0 };
  if (since (m.last_sent) > m.idle) {
    stop_all ();
    return (RccUpdate) { 0 };
  }
  late = since (MAX (due, m.deadline));
  if (due > now) {
    m.deadline = due;
    return (RccUpdate) { 0 };
  }
  if (late <= RCC_SEC)
    return trip (NULL, RCC_BREAKER_RTCP_TIMEOUT);
  m.deadline = now + MIN (late, span);
  m.silent = m.deadline - span;
  return (RccUpdate) { 0 };
}

static void
model_adjust (const RccBreakerConfig *config)
{
  const gboolean required = m.c.require_rtcp;

  m.c = rcc_breaker_config_clamp (config);
  rcc_breaker_timing_update (&m.timing, &m.c);
  for (guint i = 0; i < m.streams->len; i++) {
    Stream *s = nth (i);
    RccFraming anew;

    rcc_framing_init (&anew, 4 * m.c.frame_group);
    if (anew.n_slots != s->framing.n_slots
        || anew.frames_per_slot != s->framing.frames_per_slot)
      s->framing = anew;                /* only s begins anew */
    rework (s);
  }
  rework_all ();
  if (!required)
    m.silent = now;
  m.deadline = timeout_due ();
  if (m.deadline != RCC_NEVER)
    m.deadline = MAX (m.deadline, now);
}

static gboolean
model_reset (RccUpdate *u)
{
  *u = (RccUpdate) { 0 };
  if (worst () == RCC_BREAKER_CLOSED)
    return TRUE;
  if (now < m.retry)
    return FALSE;
  for (guint i = 0; i < m.streams->len; i++) {
    nth (i)->state = RCC_BREAKER_CLOSED;
    nth (i)->reason = RCC_BREAKER_NO_REASON;
  }
  m.all_open = FALSE;
  note_event (NULL, TRUE, RCC_BREAKER_CLOSED, RCC_BREAKER_NO_REASON, 0);
  stop_all ();
  *u = (RccUpdate) { .changed = RCC_TARGET, .target_bps = G_MAXUINT32,
    .reason = "circuit breaker: reset" };
  return TRUE;
}

/* What is open or reduced outlives a restart, and no interval gets shorter by it. */
static void
model_resume (RccTime left)
{
  guint kept = 0;

  for (guint i = 0; i < m.streams->len; i++)
    if (nth (i)->state != RCC_BREAKER_CLOSED) {
      const Stream old = *nth (i);
      Stream *s = nth (kept++);

      *s = (Stream) { .ssrc = old.ssrc, .state = old.state, .reason = old.reason,
        .before = old.before, .target = old.target, .started = RCC_NEVER, .rtt = RCC_NEVER,
        .tf = RCC_NEVER, .last_sent = RCC_NEVER, .useless = RCC_NEVER, .part.from = RCC_NEVER };
      rcc_framing_init (&s->framing, 4 * m.c.frame_group);
      rcc_breaker_congestion_init (&s->congestion);
    }
  g_array_set_size (m.streams, kept);
  m.sending = FALSE;
  m.bytes = 0;
  m.last_sent = now;
  m.silent = 0;
  m.heard = m.deadline = RCC_NEVER;
  rcc_breaker_timing_init (&m.timing, &m.c);
  rework_all ();
  m.retry = now + left;
}

#endif
