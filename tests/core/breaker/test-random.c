/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of a circuit breaker, each step held against RFC 8083 4.1 to 4.5 and 8, with what
 * breaker.c, stream.c and state.c say they depart by.  Td, s, Tf and the verdict on congestion are
 * the core's, but others.
 */
#include <glib.h>
#include "core/breaker/breaker.h"
#include "../../random.h"

#define LIVES 150
#define STEPS 500
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

static void
same_stream (const RccBreakerStream *a, const Stream *s)
{
  g_assert_cmpuint (a->ssrc, ==, s->ssrc);
  g_assert_cmpint (a->state, ==, s->state);
  g_assert_cmpstr (a->state_name, ==, rcc_breaker_state_names[s->state]);
  g_assert_cmpint (a->reason, ==, s->reason);
  g_assert_cmpstr (a->reason_name, ==, rcc_breaker_reason_names[s->reason]);
  g_assert_cmpint (a->sending, ==, s->sending);
  g_assert_cmpuint (a->rtt, ==, s->rtt);
  g_assert_cmpuint (a->frame_interval, ==, s->tf);
  g_assert_cmpuint (a->unreceived, ==, s->unreceived);
  g_assert_cmpuint (a->reports, ==, s->reports);
  g_assert_cmpuint (a->media_timeout, ==, s->timeout);
  if (s->sending)
    g_assert_cmpuint (a->cb_interval, ==, s->cb);
  if (s->state == RCC_BREAKER_REDUCED)
    g_assert_cmpuint (a->target_bps, ==, s->target);
  g_assert_cmpfloat (a->loss, ==, s->congestion.figures.loss);
  g_assert_cmpfloat (a->tcp_bps, ==, s->congestion.figures.tcp_bps);
  g_assert_cmpfloat (a->sent_bps, ==, s->congestion.figures.sent_bps);
}

static void
same (RccUpdate x, RccUpdate y)
{
  g_assert_cmpuint (b.n_streams, ==, m.streams->len);
  for (guint i = 0; i < b.n_streams; i++)
    same_stream (&b.streams[i], nth (i));
  for (guint i = 0; i < SSRCS; i++)
    g_assert_cmpint (rcc_breaker_passes (&b, i), ==, passes (i));
  g_assert_cmpint (b.state, ==, worst ());
  g_assert_cmpstr (b.state_name, ==, rcc_breaker_state_names[worst ()]);
  g_assert_cmpint (b.sending, ==, m.sending);
  g_assert_cmpuint (b.heard, ==, m.heard);
  g_assert_cmpuint (b.bytes, ==, m.bytes);
  g_assert_cmpuint (b.triggers, ==, m.triggers);
  g_assert_cmpuint (b.n_events, ==, m.events);
  if (m.events > 0)
    g_assert_cmpmem (&b.events[(m.events - 1) % RCC_BREAKER_EVENTS], sizeof m.event, &m.event,
        sizeof m.event);
  g_assert_cmpuint (b.timing.td, ==, m.timing.td);
  g_assert_cmpuint (b.timing.tdr, ==, m.timing.tdr);
  g_assert_cmpuint (rcc_deadline (&b.sender), ==, m.deadline);
  g_assert_cmpuint (rcc_breaker_retry_after (&b, now), ==,
      worst () == RCC_BREAKER_CLOSED || m.retry <= now ? 0 : m.retry - now);
  g_assert_cmpuint (x.changed, ==, y.changed);
  g_assert_cmpuint (x.target_bps, ==, y.target_bps);
  g_assert_cmpstr (x.reason, ==, y.reason);
}

static RccBreakerConfig
any_config (void)
{
  RccBreakerConfig c = rcc_breaker_config (chance (0.2) ? RCC_BREAKER_DRAFT2014
      : RCC_BREAKER_RFC8083);

  c.model = chance (0.5) ? RCC_TCP_MATHIS : RCC_TCP_PADHYE;
  c.multiplier = chance (0.5) ? 10 : 0.5 + rcc_rng_uniform (&rng);
  c.reduce_first = chance (0.5);
  c.together = chance (0.5);
  c.require_rtcp = chance (0.7);
  c.ecn_as_loss = chance (0.5);
  c.frame_group = chance (0.5) ? 1 : 1 + below (400);
  c.frame_interval = chance (0.7) ? RCC_NEVER : below (2000) * RCC_MSEC;
  c.rtcp_min_interval = chance (0.4) ? RCC_NEVER : below (4000) * RCC_MSEC;
  c.usability = chance (0.3);
  c.unusable_loss = 0.2;
  c.unusable_delay = 200 * RCC_MSEC;
  c.unusable_time = below (10) * RCC_SEC;
  return c;
}

static void
begin (void)
{
  const RccBreakerConfig config = any_config ();

  g_array_set_size (m.streams, 0);
  m = (Model) { .c = rcc_breaker_config_clamp (&config), .streams = m.streams };
  now = chance (0.2) ? 0 : 100 * RCC_SEC;
  model_resume (0);
  memset (&b, 0xa5, sizeof b);
  rcc_breaker_init (&b, &config, now);
  for (guint i = 0; i < SSRCS; i++) {
    seqs[i] = below (1000);
    told[i] = seqs[i] - 1;
    lost[i] = 0;
  }
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
send_some (guint streams, RccTime gap)
{
  for (guint i = 1 + below (30); i > 0; i--) {
    const guint ssrc = below (streams);
    const RccPacket p = { .ssrc = ssrc, .seq = seqs[ssrc]++, .size = 100 + below (1200),
      .timestamp = (guint32) (now / (40 * RCC_MSEC)), .sent = now };

    same (rcc_tell (&b.sender, on_sent, &p), (model_sent (&p), (RccUpdate) { 0 }));
    now += gap;
  }
}

static void
block (guint ssrc, guint32 reporter, gdouble bad, gboolean arrives)
{
  const gint64 more = arrives ? seqs[ssrc] - 1 - told[ssrc] : 0;
  const gdouble fraction = chance (0.3) ? 0 : bad * 2 * rcc_rng_uniform (&rng);
  RccReport r = { .ssrc = ssrc, .reporter = reporter, .fraction_lost = fraction,
    .expected = chance (0.1) ? 0 : (guint) more, .ce = chance (0.8) ? 0 : below (10),
    .jitter = chance (0.3) ? RCC_NEVER : timed && chance (0.9) ? below (100) * RCC_MSEC
        : 200 * RCC_MSEC,
    .rtt = !timed || chance (0.3) ? RCC_NEVER : (1 + below (below (2) ? 20 : 800)) * RCC_MSEC };

  told[ssrc] += more;
  lost[ssrc] += (gint64) (fraction * (gdouble) more);
  if (chance (0.02))                    /* a receiver that began again */
    lost[ssrc] = told[ssrc] = 0;
  if (!arrives && chance (0.1))         /* or nearly: late and double packets */
    lost[ssrc] -= 63 + below (3);
  else if (!arrives && chance (0.1))
    told[ssrc]--;
  r.highest_seq = told[ssrc];
  r.lost = lost[ssrc];
  same (rcc_tell (&b.sender, on_report, &r, now), model_report (&r));
}

static void
report (guint streams, gdouble bad, gboolean arrives)
{
  const guint32 reporters[] = { below (10) ? 77 : 78, 79 };
  RccRtcp r = { .size = 60 + below (200), .n_reporters = chance (0.9) ? 1 + below (2) : 0,
    .reporters = reporters, .from_sender = chance (0.3),
    .n_blocks = chance (0.9) ? below (4) : 28 + below (6), .from_reporter = chance (0.9) };

  r.about_us = chance (0.1);
  for (guint i = 0; i < streams; i++)
    if (chance (0.7)) {
      block (i, reporters[0], bad, arrives);
      r.about_us = TRUE;
    }
  same (rcc_tell (&b.sender, on_rtcp, &r, now), model_rtcp (&r));
}

static void
reset (void)
{
  RccUpdate x, y;
  gboolean mine;

  if (chance (0.5) && rcc_breaker_retry_after (&b, now) > 0)
    now += rcc_breaker_retry_after (&b, now) - below (2);
  mine = model_reset (&y);
  g_assert_cmpint (rcc_breaker_reset (&b, now, &x), ==, mine);
  same (x, y);
}

static void
adjust (void)
{
  const RccBreakerConfig config = any_config ();

  rcc_breaker_adjust (&b, &config, now);
  model_adjust (&config);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
resume (void)
{
  const RccBreakerConfig config = m.c;
  const RccTime left = rcc_breaker_retry_after (&b, now);

  now += 1000 * RCC_SEC;
  rcc_breaker_resume (&b, &config, left, now);
  model_resume (left);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

/* No loss for a while, in which a reduction ends. */
static void
recover (guint streams, RccTime gap)
{
  for (guint i = below (100); i > 0 && worst () == RCC_BREAKER_REDUCED; i--) {
    send_some (streams, gap);
    now += m.timing.tdr / 2;
    report (streams, 0, TRUE);
  }
}

static void
live (void)
{
  const guint most = 1 + below (SSRCS);
  guint streams = chance (0.5) ? 1 : most;
  const RccTime gap = (1 + below (20)) * RCC_MSEC;
  gdouble bad = 0;
  gboolean arrives = TRUE;

  timed = chance (0.8);
  begin ();
  for (guint i = 0; i < STEPS; i++) {
    const guint what = below (1000);

    if (what < 500)
      send_some (chance (0.2) ? 1 : streams, chance (0.02) ? RCC_SEC : gap);
    else if (what < 800)
      report (streams, bad, arrives);
    else if (what < 900) {
      if (chance (0.5) && m.deadline != RCC_NEVER) {
        const RccTime then = m.deadline + (chance (0.3) ? below (3000) * RCC_MSEC : 0);

        now = MAX (now, then);
      }
      same (rcc_tell (&b.sender, on_deadline, now), model_deadline ());
    } else if (what < 930)
      reset ();
    else if (what < 935)
      adjust ();
    else if (what < 938)
      resume ();
    else if (what < 941) {
      rcc_breaker_ended (&b);
      stop_all ();
      same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
    } else if (what < 950)
      now += below (30) * RCC_SEC;
    else if (what < 970)
      now += below (1000) * RCC_MSEC;
    else if (what < 975)
      recover (streams, gap);
    else if (what < 980)
      streams = MIN (streams + 1, most);
    else {
      bad = chance (0.4) ? 0 : rcc_rng_uniform (&rng);
      arrives = chance (0.7);
    }
  }
}

static void
a_breaker_does_what_rfc_8083_says (void)
{
  m.streams = g_array_new (FALSE, TRUE, sizeof (Stream));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 8083, i);
    live ();
  }
  g_array_unref (m.streams);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker-random/a_breaker_does_what_rfc_8083_says",
      a_breaker_does_what_rfc_8083_says);
  return g_test_run ();
}
