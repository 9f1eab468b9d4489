/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random feedback and reports to TFRC over RTP, each step held against what the notes at the top of
 * tfrc/tfrc.c say.  Section 4's sender and section 6's receiver are the core's, but others.
 */
#include <math.h>
#include <glib.h>
#include "core/rtt.h"
#include "core/tfrc/tfrc.h"
#include "../../random.h"

#define LIVES 200
#define STEPS 250
#define WAITING 300

typedef struct {
  guint ssrc;
  gint64 seq, number;
} Gone;

typedef struct {
  guint ssrc, reporter;
  gint64 highest, lost;
  RccTime at;
  gdouble rate, p;
} Reported;

typedef struct {
  RccConfig limits;
  RccTfrcSender rate;
  RccTfrcReceiver receiver;
  GArray *gone, *ways_back, *reported;  /* lost, may still come; now - arrived; per stream */
  gint64 n_told, ahead;
  RccTime newest_sent, heard, fed, gap, sample;
  gdouble held;                         /* of a sample, the receiver's part, ns */
  RccTime shortest;                     /* of their round trips, ns */
  gboolean held_known;
  guint32 remb, target, pacing, x_recv;
  const char *source;
  guint64 feedbacks, reports, rembs;
} Model;

static RccTfrc t;
static Model m;
static RccPacket waiting[WAITING];
static guint n_waiting;
static RccTime now;
static gint64 seqs[2];

static guint32
bits (gdouble bytes)
{
  return bytes * 8 >= G_MAXUINT32 ? G_MAXUINT32 : (guint32) (8 * bytes);
}

/* The lower limit wins. */
static guint32
limited (gdouble bytes)
{
  return MAX (MIN (MIN (bits (bytes), m.remb), m.limits.max_bps), m.limits.min_bps);
}

static RccTime
round_trip_time (void)
{
  return (RccTime) (1e9 * m.rate.rtt);
}

static RccUpdate
settle (const char *reason)
{
  RccUpdate u = { .reason = reason };

  u.target_bps = limited (m.rate.x);
  u.pacing_bps = limited (m.rate.x_inst);
  u.changed = (u.target_bps != m.target ? RCC_TARGET : 0)
      | (u.pacing_bps != m.pacing ? RCC_PACING : 0);
  m.target = u.target_bps;
  m.pacing = u.pacing_bps;
  return u;
}

/* The nofeedback timer waits for two of the longest recent intervals. */
static void
hear (RccTime most)
{
  if (m.heard != RCC_NEVER && now > m.heard)
    m.gap = MAX (MIN (now - m.heard, most), (RccTime) (0.75 * (gdouble) m.gap));
  m.heard = now;
  m.rate.least_timeout = 2 * m.gap;
}

/* A packet received without a time counts by its departure. */
static RccTime
arrival (const RccPacket *p)
{
  if (p->arrived != RCC_NEVER)
    return p->arrived;
  return (gint64) p->sent + m.ahead > 0 ? (RccTime) ((gint64) p->sent + m.ahead) : 0;
}

static gint64
number_of (const RccPacket *p)
{
  if (rcc_packet_received (p) && p->sent <= m.newest_sent)
    for (guint i = 0; i < m.gone->len; i++) {
      Gone *g = &g_array_index (m.gone, Gone, i);

      if (g->number > 0 && g->ssrc == p->ssrc && g->seq == p->seq) {
        const gint64 n = g->number;

        g->number = 0;
        return n;
      }
    }
  m.n_told++;
  m.newest_sent = MAX (m.newest_sent, p->sent);
  if (!rcc_packet_received (p)) {
    g_array_append_val (m.gone, ((Gone) { p->ssrc, p->seq, m.n_told }));
    if (m.gone->len > 64)
      g_array_remove_index (m.gone, 0);
  }
  return m.n_told;
}

/* arrived - sent + the least (now - arrived) of 16 messages: at least half of now - sent */
static RccTime
sample_of (const RccPacket *packets, guint n)
{
  const RccPacket *newest = NULL;
  gint64 back, least;
  RccTime whole;

  for (guint i = 0; i < n; i++)
    if (rcc_packet_received (&packets[i])
        && (newest == NULL || arrival (&packets[i]) >= arrival (newest)))
      newest = &packets[i];
  if (newest == NULL)
    return 0;
  whole = CLAMP (now - newest->sent, 1, RCC_RTT_MAX);
  back = least = (gint64) now - (gint64) arrival (newest);
  g_array_append_val (m.ways_back, back);
  if (m.ways_back->len > 16)
    g_array_remove_index (m.ways_back, 0);
  for (guint i = 0; i < m.ways_back->len; i++)
    least = MIN (least, g_array_index (m.ways_back, gint64, i));
  return whole - MIN ((RccTime) (back - least), whole / 2);
}

static RccUpdate
model_feedback (const RccPacket *packets, guint n)
{
  RccTfrcFeedback f;
  RccTime sample, rtt, age, held;
  gboolean due = FALSE;

  if (n == 0)
    return (RccUpdate) { 0 };
  m.feedbacks++;
  m.source = "feedback";
  m.fed = now;
  sample = sample_of (packets, n);
  hear (RCC_SEC);
  if (sample > 0)
    m.sample = sample;
  rtt = m.rate.rtt > 0 ? round_trip_time () : m.sample;
  for (guint i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];
    const gint64 number = number_of (p);

    if (p->arrived != RCC_NEVER)
      m.ahead = (gint64) p->arrived - (gint64) p->sent;
    if (rcc_packet_received (p)
        && rcc_tfrc_receiver_data (&m.receiver, &(RccTfrcData) { .seq = number, .size = p->size,
              .sent = p->sent, .arrived = arrival (p), .rtt = rtt }))
      due = TRUE;
  }
  /* one message is one feedback of section 6, already when half of R has passed */
  if (m.receiver.last.arrived + m.receiver.last.rtt / 2 >= m.receiver.due)
    due = TRUE;
  if (!due || !rcc_tfrc_receiver_feedback (&m.receiver, m.receiver.last.arrived, &f))
    return (RccUpdate) { 0 };
  held = m.held > 0 ? MIN ((RccTime) m.held, m.sample / 2) : 0;
  if (m.sample - held < m.shortest)     /* no round trip is shorter than the shortest */
    held = m.sample > m.shortest ? m.sample - m.shortest : 0;
  age = now - f.recvdata;
  f.delay = age > m.sample - held ? age - (m.sample - held) : 0;
  rcc_tfrc_sender_feedback (&m.rate, &f, now);
  m.x_recv = bits (f.x_recv);
  return settle (m.rate.state);
}

static gdouble
loss_of (const RccReport *r)
{
  const gdouble lost = CLAMP (r->fraction_lost, 0.0, 1.0);

  return MIN (lost + (r->expected ? (gdouble) r->ce / r->expected : 0.0), 1.0);
}

/* Eight streams, the longest unheard goes. */
static Reported *
stream_of (const RccReport *r, gboolean *known)
{
  guint oldest = 0;

  *known = TRUE;
  for (guint i = 0; i < m.reported->len; i++) {
    Reported *s = &g_array_index (m.reported, Reported, i);

    if (s->ssrc == r->ssrc && s->reporter == r->reporter)
      return s;
    if (s->at < g_array_index (m.reported, Reported, oldest).at)
      oldest = i;
  }
  *known = FALSE;
  if (m.reported->len < RCC_TFRC_STREAMS) {
    oldest = m.reported->len;
    g_array_set_size (m.reported, oldest + 1);
  }
  g_array_index (m.reported, Reported, oldest)
      = (Reported) { .ssrc = r->ssrc, .reporter = r->reporter };
  return &g_array_index (m.reported, Reported, oldest);
}

static RccTime
note_report (const RccReport *r)
{
  gboolean known;
  Reported *s = stream_of (r, &known);
  RccTime span = 0;

  if (known && now > s->at) {
    const gdouble came = (gdouble) (r->highest_seq - s->highest) - (gdouble) (r->lost - s->lost);

    span = now - s->at;
    s->rate = CLAMP (came, 0.0, 1e9) * m.rate.packet_size / (1e-9 * (gdouble) span);
    s->p = 0.75 * s->p + 0.25 * loss_of (r);
  } else {
    s->p = loss_of (r);
  }
  s->highest = r->highest_seq;
  s->lost = r->lost;
  s->at = now;
  return span;
}

static RccUpdate
model_report (const RccReport *r)
{
  const RccTime rtt = r->rtt == RCC_NEVER ? round_trip_time () : MIN (r->rtt, RCC_RTT_MAX);
  RccTfrcFeedback f = { .recvdata = now > rtt ? now - rtt : 0, .span = note_report (r) };

  m.reports++;
  if (m.fed != RCC_NEVER && now <= m.fed + 5 * RCC_SEC) {
    if (r->rtt != RCC_NEVER && m.sample > 0) {
      const gdouble held = (gdouble) m.sample - (gdouble) rtt;

      m.shortest = m.held_known ? MIN (m.shortest, rtt) : rtt;
      m.held = m.held_known ? 0.875 * m.held + 0.125 * held : held;
      m.held_known = TRUE;
    }
    return (RccUpdate) { 0 };
  }
  hear (7500 * RCC_MSEC);
  m.source = "report";
  if (rtt == 0)
    return (RccUpdate) { 0 };
  for (guint i = 0; i < m.reported->len; i++) {
    const Reported *s = &g_array_index (m.reported, Reported, i);

    if (now - s->at < 20 * RCC_SEC) {
      f.x_recv += s->rate;
      f.p = MAX (f.p, s->p);
    }
  }
  f.new_loss = loss_of (r) > 0;
  rcc_tfrc_sender_feedback (&m.rate, &f, now);
  m.x_recv = bits (f.x_recv);
  return settle (m.rate.state);
}

static void
near (gdouble a, gdouble b)
{
  if (a != b)
    g_assert_cmpfloat_with_epsilon (a, b, 1e-9 * fabs (b));
}

/* Other orders of addition: the last bit may differ. */
static void
near_bits (guint32 a, guint32 b)
{
  g_assert_cmpint (ABS ((gint64) a - (gint64) b), <=, 1 + b / 100000000);
}

static void
same (RccUpdate a, RccUpdate b)
{
  near_bits (t.target_bps, m.target);
  near_bits (t.pacing_bps, m.pacing);
  near_bits (t.x_recv_bps, m.x_recv);
  near_bits (t.x_bps, bits (m.rate.x));
  near_bits (t.equation_bps, bits (m.rate.x_bps));
  near (t.rate.x, m.rate.x);
  near (t.rate.p, m.rate.p);
  near (t.rate.rtt, m.rate.rtt);
  g_assert_cmpuint (t.rtt, ==, t.rate.rtt > 0 ? (RccTime) (1e9 * t.rate.rtt) : RCC_NEVER);
  g_assert_cmpuint (t.rate.data_limited, ==, m.rate.data_limited);
  g_assert_cmpuint (t.receiver.loss.lost, ==, m.receiver.loss.lost);
  g_assert_cmpuint (t.receiver.loss.events, ==, m.receiver.loss.events);
  near ((gdouble) rcc_deadline (&t.sender), (gdouble) m.rate.timer);
  g_assert_cmpuint (t.remb_bps, ==, m.remb);
  g_assert_cmpstr (t.loss_source, ==, m.source);
  g_assert_cmpuint (t.feedbacks, ==, m.feedbacks);
  g_assert_cmpuint (t.reports, ==, m.reports);
  g_assert_cmpuint (t.rembs, ==, m.rembs);
  g_assert_cmpuint (a.changed, ==, b.changed);
  g_assert_cmpstr (a.reason, ==, b.reason);
  near_bits (a.target_bps, b.target_bps);
  near_bits (a.pacing_bps, b.pacing_bps);
  m.rate = t.rate;                      /* the same to a billionth: bit by bit from here */
}

static RccConfig
any_limits (void)
{
  const guint32 min = chance (0.3) ? 0 : below (100000);

  return (RccConfig) { min, chance (0.2) ? 0 : min + below (1000000),
    chance (0.05) ? min / 2 : chance (0.3) ? G_MAXUINT32 : min + below (10000000) };
}

static void
begin (void)
{
  const RccTfrcConfig config = {
    .form = chance (0.2) ? RCC_TFRC_RFC3448 : RCC_TFRC_RFC5348, .mss = 1200,
    .packet_size = chance (0.5) ? 1200 : 0,
    .damping = chance (0.5), .discounting = chance (0.5), .faster_restart = chance (0.5),
  };

  g_array_set_size (m.gone, 0);
  g_array_set_size (m.ways_back, 0);
  g_array_set_size (m.reported, 0);
  m = (Model) {
    .limits = any_limits (), .gone = m.gone, .ways_back = m.ways_back, .reported = m.reported,
    .heard = RCC_NEVER, .fed = RCC_NEVER, .remb = G_MAXUINT32, .source = "none",
  };
  now = chance (0.2) ? 0 : RCC_SEC + below (1000000) * RCC_MSEC;
  n_waiting = 0;
  seqs[0] = below (70000);
  seqs[1] = chance (0.5) ? seqs[0] : below (70000);
  rcc_tfrc_sender_init (&m.rate, &config, m.limits.start_bps / 8.0);
  rcc_tfrc_receiver_init (&m.receiver, config.discounting);
  settle ("start");
  memset (&t, 0xa5, sizeof t);
  rcc_tfrc_init (&t, &config, &m.limits);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
send_some (guint streams, RccTime way, gint64 offset, gdouble bad, gboolean timed)
{
  for (guint i = 1 + below (12); i > 0 && n_waiting < WAITING; i--) {
    RccPacket *p = &waiting[n_waiting++];
    const guint k = below (streams);

    *p = (RccPacket) { .seq = seqs[k]++, .ssrc = k, .size = 200 + below (1000), .sent = now,
      .arrived = RCC_NEVER };
    if (!chance (bad)) {
      if (timed && !chance (0.1))
        p->arrived = (RccTime) ((gint64) (now + way + below (20) * RCC_MSEC) + offset);
      else
        p->flags = chance (0.5) ? RCC_PACKET_LATE : RCC_PACKET_RECEIVED;
    }
    g_assert_cmpuint (rcc_tell (&t.sender, on_sent, p).changed, ==, 0);
    rcc_tfrc_sender_sent (&m.rate, p->size, now);
    now += MIN ((RccTime) (8e9 * p->size / MAX (1.2 * m.pacing, 1000)), 100 * RCC_MSEC);
  }
}

static void
tell_packets (RccTime way)
{
  const guint n = chance (0.05) ? 0 : n_waiting - (n_waiting > 1 ? below (n_waiting / 2) : 0);
  guint kept = 0;

  now += way + (chance (0.3) ? below (50) * RCC_MSEC : 0);
  same (rcc_tell (&t.sender, on_feedback, waiting, n, now), model_feedback (waiting, n));
  for (guint i = 0; i < n_waiting; i++)
    if (i >= n)
      waiting[kept++] = waiting[i];
    else if (!rcc_packet_received (&waiting[i]) && chance (0.1)) {
      waiting[kept] = waiting[i];       /* it comes after all */
      waiting[kept++].flags = RCC_PACKET_RECEIVED;
    }
  n_waiting = kept;
}

static void
tell_report (gdouble bad)
{
  static gint64 highest, lost;
  const gint64 more = below (200);
  const RccReport r = {
    .ssrc = below (4), .reporter = below (4), .highest_seq = highest += more,
    .lost = lost += chance (0.5) ? 0 : (gint64) (bad * (gdouble) more) - (chance (0.1) ? 3 : 0),
    .expected = chance (0.1) ? 0 : (guint) more, .ce = chance (0.8) ? 0 : below (30),
    .fraction_lost = chance (0.5) ? 0 : bad * 4 * rcc_rng_uniform (&rng),
    .rtt = chance (0.3) ? RCC_NEVER : chance (0.02) ? RCC_RTT_MAX + 1 : below (200) * RCC_MSEC,
  };

  /* no two streams are the longest unheard, but one may be heard of twice */
  now += 1 + (chance (0.2) ? below (5000) * RCC_MSEC : 0);
  for (guint i = 0; i < 1 + (guint) chance (0.1); i++)
    same (rcc_tell (&t.sender, on_report, &r, now), model_report (&r));
}

static void
wake (void)
{
  RccUpdate u = { 0 };

  if (chance (0.8) && m.rate.timer != RCC_NEVER) {
    const RccTime then = m.rate.timer - (chance (0.3) && m.rate.timer > 0);

    now = MAX (now, then);
  }
  if (now >= m.rate.timer) {
    rcc_tfrc_sender_expired (&m.rate, now);
    u = settle (m.rate.state);
  }
  same (rcc_tell (&t.sender, on_deadline, now), u);
}

static void
tell_remb (void)
{
  m.remb = chance (0.3) ? G_MAXUINT32 : 1 + below (3000000);
  m.rembs++;
  same (rcc_tell (&t.sender, on_remb, m.remb, now), settle ("REMB"));
}

static void
live (void)
{
  const gboolean fed = chance (0.7), reported = !fed || chance (0.5), timed = chance (0.8);
  const RccTime way = (1 + below (150)) * RCC_MSEC;
  const gint64 offset = chance (0.5) ? (gint64) (100 * RCC_SEC) : 0;
  const guint streams = 1 + below (2);
  gdouble bad = 0;

  begin ();
  for (guint i = 0; i < STEPS; i++) {
    const guint what = below (100);

    if (what < 50)
      send_some (streams, way, offset, bad, timed);
    else if (what < 75 && fed && i / 50 != 3)
      tell_packets (way);
    else if (what < 83 && reported)
      tell_report (bad);
    else if (what < 93)
      wake ();
    else if (what < 95)
      tell_remb ();
    else if (what < 96) {
      m.limits = any_limits ();
      same (rcc_tell (&t.sender, on_config, &m.limits, now), settle ("limits changed"));
    } else if (what < 97)
      now += below (8000) * RCC_MSEC;
    else
      bad = chance (0.5) ? 0 : 0.3 * rcc_rng_uniform (&rng);
  }
}

static void
packets_and_reports_become_rfc_5348_feedback (void)
{
  m.gone = g_array_new (FALSE, FALSE, sizeof (Gone));
  m.ways_back = g_array_new (FALSE, FALSE, sizeof (gint64));
  m.reported = g_array_new (FALSE, FALSE, sizeof (Reported));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 3550, i);
    live ();
  }
  g_array_unref (m.gone);
  g_array_unref (m.ways_back);
  g_array_unref (m.reported);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tfrc-random-rtp/packets_and_reports_become_rfc_5348_feedback",
      packets_and_reports_become_rfc_5348_feedback);
  return g_test_run ();
}
