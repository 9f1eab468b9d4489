/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of a sender, each step held against RFC 5348 section 4 and 8.2 as it reads, with
 * what tfrc/sender.c says it departs by.
 */
#include <math.h>
#include <glib.h>
#include "core/tcpeq.h"
#include "core/tfrc/sender.h"
#include "../../random.h"

#define LIVES 150
#define STEPS 300
#define NEAR(a, b) g_assert_true (near ((a), (b)))

typedef struct {
  gdouble rate;
  RccTime at;
} Received;

typedef struct {
  RccTfrcConfig config;
  gdouble s, x, inst, equation, p, r, sqmean, credit, best;
  GArray *received;                     /* X_recv_set, newest first */
  RccTime tld, timer, least, credit_at, best_at;
  RccTime not_limited1, not_limited2, t_new, t_next;
  gboolean idle, any, limited;
  guint64 timeouts;
} Model;

static RccTfrcSender s;
static Model m;

static gboolean
near (gdouble a, gdouble b)
{
  return a == b || fabs (a - b) <= 1e-5 * fabs (b) + 1e-12;
}

static RccTime
span_of (gdouble seconds)
{
  return (RccTime) llround (1e9 * seconds);
}

static gdouble
largest (void)
{
  gdouble most = 0.0;

  for (guint i = 0; i < m.received->len; i++)
    most = MAX (most, g_array_index (m.received, Received, i).rate);
  return most;
}

static void
received_alone (gdouble rate, RccTime now)
{
  g_array_set_size (m.received, 0);
  g_array_append_val (m.received, ((Received) { rate, now }));
}

/* 4.2: W_init = min (4 MSS, max (2 MSS, 4380)), RFC 3448: two packets */
static gdouble
initial (void)
{
  const gdouble mss = MAX (m.config.mss, 1);

  if (m.config.form == RCC_TFRC_RFC3448)
    return 2 * m.s / m.r;
  return (mss <= 1095 ? 4 * mss : mss <= 2190 ? 4380 : 2 * mss) / m.r;
}

/* Sends up to 95 % of the rate: two packets may be saved up. */
static void
earn (RccTime now)
{
  if (now > m.credit_at) {
    m.credit += 0.95 * m.inst * 1e-9 * (gdouble) (now - m.credit_at);
    m.credit_at = now;
  }
  m.credit = MIN (m.credit, 2 * m.s);
}

static void
forget (RccTime now)
{
  if (now > m.best_at) {
    m.best *= pow (0.5, 1e-9 * (gdouble) (now - m.best_at) / 60.0);
    m.best_at = now;
  }
}

static void
arm (RccTime now)
{
  RccTime wait = span_of (MIN (3600.0, MAX (4 * m.r, 2 * m.s / m.x)));

  wait = MAX (wait, m.r > 0 ? RCC_MSEC : 2 * RCC_SEC);
  m.timer = now + MAX (wait, m.least);
  m.idle = TRUE;
}

static void
allow (gdouble limit, RccTime now)
{
  const RccTcpPath path = { .packet_size = m.s, .rtt = span_of (m.r) };

  m.equation = rcc_tcp_throughput (RCC_TCP_PADHYE, &path, m.p);
  if (m.p > 0) {
    m.x = MAX (MIN (m.equation, limit), m.s / 64);
  } else if (now >= m.tld + span_of (m.r)) {
    const gdouble more = 2 * m.x < m.best ? 4 * m.x : 2 * m.x;

    m.x = MAX (MIN (more, limit),
        m.config.form == RCC_TFRC_RFC3448 ? m.s / m.r : initial ());
    m.tld = now;
  }
  m.x = MIN (m.x, 1e12);
}

static gdouble
limit_of (gdouble factor)
{
  return MAX (factor * largest (), MIN (4 * largest (), m.best));
}

static void
maximize (gdouble rate, RccTime now)
{
  for (guint i = 0; i < m.received->len; i++) {
    const gdouble old = g_array_index (m.received, Received, i).rate;

    if (isfinite (old))
      rate = MAX (rate, old);
  }
  received_alone (rate, now);
}

/* 4.3, step 4 */
static gdouble
receive_limit (gdouble x_recv, gboolean worse, RccTime now)
{
  if (m.config.form == RCC_TFRC_RFC3448) {
    received_alone (x_recv, now);
    return limit_of (2);
  }
  if (m.limited) {
    if (worse)
      for (guint i = 0; i < m.received->len; i++)
        g_array_index (m.received, Received, i).rate /= 2;
    maximize (worse ? 0.85 * x_recv : x_recv, now);
    return limit_of (worse ? 1 : 2);
  }
  g_array_prepend_val (m.received, ((Received) { x_recv, now }));
  for (guint i = 1; i < m.received->len; i++)
    if (i >= 3 || now > g_array_index (m.received, Received, i).at + span_of (2 * m.r)) {
      g_array_set_size (m.received, i);
      break;
    }
  return limit_of (2);
}

/* 8.2.1 */
static gboolean
data_limited (const RccTfrcFeedback *f, RccTime now)
{
  const RccTime covers = MAX (f->span, span_of (m.r));
  RccTime t_old;
  gboolean full;

  m.t_new = f->recvdata;
  m.t_next = now;
  t_old = m.t_new > covers ? m.t_new - covers : 0;
  full = (t_old < m.not_limited1 && m.not_limited1 <= m.t_new)
      || (t_old < m.not_limited2 && m.not_limited2 <= m.t_new);
  if (m.not_limited1 <= m.t_new && m.not_limited2 > m.t_new)
    m.not_limited1 = m.not_limited2;
  return !full && f->x_recv > 0;
}

/* No rate is beyond 1e12. */
static void
model_feedback (const RccTfrcFeedback *told, RccTime now)
{
  RccTfrcFeedback clamped = *told;
  const RccTfrcFeedback *f = &clamped;
  const gdouble sample = CLAMP (1e-9 * (gdouble) (now - f->recvdata - f->delay), 1e-5, 64.0);
  const gboolean first = m.r == 0, worse = f->new_loss || f->p > m.p;

  clamped.x_recv = MIN (told->x_recv, 1e12);
  earn (now);
  m.r = first ? sample : 0.9 * m.r + 0.1 * sample;
  m.limited = data_limited (f, now);
  m.p = f->p;
  if (m.config.faster_restart) {
    forget (now);
    m.best = worse ? MIN (m.best, f->x_recv) : MAX (m.best, f->x_recv);
  }
  if (first) {
    m.x = initial ();
    m.tld = now;
    received_alone (INFINITY, now);
    if (m.p > 0)
      allow (INFINITY, now);
  } else {
    allow (f->x_recv > 0 ? receive_limit (f->x_recv, worse, now) : limit_of (2), now);
  }
  m.sqmean = first ? sqrt (sample) : 0.9 * m.sqmean + 0.1 * sqrt (sample);
  m.inst = m.config.damping ? MAX (m.x * m.sqmean / sqrt (sample), m.s / 64) : m.x;
  arm (now);
}

/* 4.4 */
static gboolean
low_enough (void)
{
  gdouble recover;

  if (m.r == 0)
    return TRUE;
  recover = MAX (initial (), MIN (2 * initial (), m.best));
  return m.p > 0 ? largest () < recover : m.x < 2 * recover;
}

static void
model_expired (RccTime now)
{
  const gdouble damped = m.inst / m.x;

  if (now < m.timer)
    return;
  earn (now);
  forget (now);
  if (m.idle && low_enough ()) {
    m.timer = RCC_NEVER;
    return;
  }
  m.timeouts++;
  if (m.p > 0) {
    const gdouble limit = m.equation > 2 * largest () ? largest () : m.equation / 2;

    received_alone (MAX (limit, m.s / 64) / 2, now);
    allow (2 * largest (), now);
  } else {
    m.x = MAX (m.x / 2, m.s / 64);
  }
  m.inst = MAX (m.x * damped, m.s / 64);
  arm (now);
}

static void
model_sent (guint size, RccTime now)
{
  if (m.config.packet_size == 0)
    m.s = m.any ? m.s + (size - m.s) / 128 : size;
  if (!m.any)
    m.credit_at = now;
  earn (now);
  m.credit = MAX (m.credit - size, 0);
  if (m.credit < m.s) {
    if (m.not_limited1 <= m.t_new)
      m.not_limited1 = now;
    else if (m.not_limited2 <= m.t_next)
      m.not_limited2 = now;
  }
  m.any = TRUE;
  if (m.timer == RCC_NEVER)
    arm (now);
  m.idle = FALSE;
}

static void
same (void)
{
  NEAR (s.packet_size, m.s);
  NEAR (s.rtt, m.r);
  NEAR (s.x, m.x);
  NEAR (s.x_inst, m.inst);
  NEAR (s.p, m.p);
  NEAR (s.x_bps, m.equation);
  NEAR (s.fast_max, m.best);
  g_assert_cmpuint (s.timeouts, ==, m.timeouts);
  g_assert_cmpint (s.data_limited, ==, m.limited);
  g_assert_cmpint (s.timer == RCC_NEVER, ==, m.timer == RCC_NEVER);
  NEAR ((gdouble) s.timer, (gdouble) m.timer);
  g_assert_cmpuint (s.n_recv, ==, m.received->len);
  for (guint i = 0; i < s.n_recv; i++)
    NEAR (s.recv_set[i].rate, g_array_index (m.received, Received, i).rate);
  /* what is rounded to a nanosecond must not part by and by */
  m.timer = s.timer;
  m.r = s.rtt;
  m.x = s.x;
  m.inst = s.x_inst;
  m.equation = s.x_bps;
}

static void
begin (void)
{
  const RccTfrcConfig config = {
    .form = below (3) == 0 ? RCC_TFRC_RFC3448 : RCC_TFRC_RFC5348,
    .packet_size = below (2) ? 0 : 100 + below (1400), .mss = below (4) ? 1 + below (3000) : 0,
    .damping = below (2), .faster_restart = below (2),
  };
  const gdouble rate = below (2) ? 0.0 : 1000.0 + below (100000);

  m.config = config;
  m.s = config.packet_size ? config.packet_size : MAX (config.mss, 1);
  m.x = m.inst = rate > 0 ? rate : m.s;
  m.equation = INFINITY;
  m.p = m.r = m.sqmean = m.credit = m.best = 0;
  m.tld = m.credit_at = m.best_at = m.not_limited1 = m.not_limited2 = m.t_new = m.t_next = 0;
  m.least = below (3) ? 0 : below (3000) * RCC_MSEC;
  m.timer = RCC_NEVER;
  m.idle = m.any = m.limited = FALSE;
  m.timeouts = 0;
  received_alone (INFINITY, 0);
  memset (&s, 0xa5, sizeof s);
  rcc_tfrc_sender_init (&s, &config, rate);
  s.least_timeout = m.least;
  same ();
}

static void
send_some (RccTime *now, gdouble share, guint n)
{
  for (guint i = 0; i < n; i++) {
    const guint size = below (3) ? (guint) MIN (m.s + 0.5, 65535) : 1 + below (1500);

    *now += MIN ((RccTime) (1e9 * size / (share * m.inst)), RCC_SEC / 4);
    rcc_tfrc_sender_sent (&s, size, *now);
    model_sent (size, *now);
    same ();
  }
}

static void
answer (RccTime now, guint rtt_ms, gdouble p)
{
  static const gdouble shares[] = { 0.0, 0.001, 0.2, 0.49, 0.5, 0.9, 1.0, 1.3, 2.0, 4.0 };
  const RccTime back = (rtt_ms + (below (2) ? below (rtt_ms) : 0)) * RCC_MSEC;
  const RccTfrcFeedback f = {
    .recvdata = now - back, .delay = below (2) ? 0 : back / (2 + below (5)), .p = p,
    .x_recv = shares[below (G_N_ELEMENTS (shares))] * m.x, .new_loss = p > 0 && below (8) == 0,
    .span = below (2) ? 0 : below (3 * rtt_ms) * RCC_MSEC,
  };

  rcc_tfrc_sender_feedback (&s, &f, now);
  model_feedback (&f, now);
  same ();
}

static void
live (void)
{
  static const gdouble shares[] = { 0.3, 0.9, 0.95, 1.0, 1.1, 3.0 };
  RccTime now = below (2) ? 200 * RCC_SEC : 2 * RCC_SEC + below (1000);
  const guint rtt_ms = 1 + below (below (2) ? 50 : 600);
  RccTime then;
  gdouble p = 0;

  begin ();
  for (guint i = 0; i < STEPS; i++) {
    if (below (12) == 0)
      p = below (3) ? rcc_rng_uniform (&rng) / (1 << below (12)) : 0;
    switch (below (8)) {
      case 0:                           /* nothing is heard for a while */
        then = m.timer == RCC_NEVER ? now + RCC_SEC : m.timer - below (2);
        now = MAX (now, then);
        /* fall through */
      case 1:
        rcc_tfrc_sender_expired (&s, now);
        model_expired (now);
        same ();
        break;
      case 2:
      case 3:
      case 4:
        send_some (&now, shares[below (G_N_ELEMENTS (shares))], 1 + below (10));
        break;
      default:
        now += below (2 * rtt_ms) * RCC_MSEC;
        answer (now, rtt_ms, p);
    }
  }
}

static void
a_sender_does_what_the_rfc_says (void)
{
  m.received = g_array_new (FALSE, FALSE, sizeof (Received));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 5348, i);
    live ();
  }
  g_array_unref (m.received);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tfrc-random/a_sender_does_what_the_rfc_says",
      a_sender_does_what_the_rfc_says);
  return g_test_run ();
}
