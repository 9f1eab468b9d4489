/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of NADA, each step held against what nada.h and RFC 8698 say.  The model keeps
 * whole lists where the core has bins and rings.  Feedback is anything: late, repeated, lost and
 * then there, with clocks that leap, of packets that have not left yet.
 */
#include <math.h>

#include "core/nada/nada.h"

#include "../../random.h"

#define LIVES 300
#define STEPS 250
#define BATCH 40
#define S RCC_SEC

typedef struct {
  guint64 bin;
  guint bytes;
  gboolean lost, marked, queued;
} Seen;

typedef struct {
  guint32 ssrc;
  gint64 seq;
  gboolean used;
} Lost;

static struct {
  RccNadaConfig c;
  RccConfig limits;
  /* the window: Seen of it, the newest bin, the newest arrival */
  GArray *seen;
  gboolean begun;
  guint64 top, newest;
  /* the delays: all of the last fifteen; minima with their tenth of the horizon */
  GArray *taps, *bases;
  gboolean started;
  guint64 origin, tenth;
  RccTime since;
  /* losses: packets so far, the numbers of those that began an event */
  guint64 told, last_lost;
  GArray *events, *lost;
  RccTime event_sent;
  gdouble r_ref, x, p_loss, p_mark, r_recv;
  RccTime heard, reported, silence, rtt, q;
  gboolean echoed;
  guint32 remb;
  const gchar *state;
  guint64 reports, silences, restarts;
} m;

typedef struct {
  guint64 tenth;
  gint64 delay;
} Base;

static RccNada n;
static RccBacklog backlog;
static RccTime now;

static gdouble
most (void)
{
  return MAX (MAX (m.limits.max_bps, m.limits.min_bps), 1000.0);
}

static void
settle (gdouble rate, const gchar *state)
{
  m.r_ref = MIN (MAX (rate, MAX (m.limits.min_bps, 1000.0)), most ());
  m.state = state;
}

static guint32
bounded (gdouble rate)
{
  rate = MIN (MIN (rate, m.remb), m.limits.max_bps);
  return (guint32) MAX (rate, m.limits.min_bps);
}

static void
forget_all (guint64 bin, guint64 arrived)
{
  g_array_set_size (m.seen, 0);
  m.begun = TRUE;
  m.top = bin;
  m.newest = arrived;
}

static void
model_window (const RccPacket *p, gboolean timed, gboolean queued)
{
  const guint64 width = m.c.log_window / 50, arrived = MIN (p->arrived, G_MAXUINT64 / 4);
  Seen s = { .bytes = p->size, .marked = !!(p->flags & RCC_PACKET_CE), .queued = queued };

  s.bin = arrived / width;
  if (!timed) {
    s.bin = m.top;
  } else if (!m.begun || s.bin > m.top + 50) {
    forget_all (s.bin, arrived);
  } else if (s.bin + 49 < m.top) {
    if ((m.top + 1) * width - arrived <= 50 * width + S)
      return;
    forget_all (s.bin, arrived);
  }
  if (timed) {
    m.top = MAX (m.top, s.bin);
    m.newest = MAX (m.newest, arrived);
  }
  g_array_append_val (m.seen, s);
  for (guint i = m.seen->len; i-- > 0;)
    if (g_array_index (m.seen, Seen, i).bin + 49 < m.top)
      g_array_remove_index_fast (m.seen, i);
}

static gint64
least_base (void)
{
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < m.bases->len; i++)
    if (g_array_index (m.bases, Base, i).tenth + 10 > m.tenth)
      least = MIN (least, g_array_index (m.bases, Base, i).delay);
  return least;
}

static void
fresh_base (gint64 delay)
{
  const Base b = { m.tenth, delay };

  g_array_set_size (m.bases, 0);
  g_array_append_val (m.bases, b);
  m.since = now;
}

static RccTime
model_delay (const RccPacket *p)
{
  const RccTime width = m.c.base_horizon == RCC_NEVER ? RCC_NEVER : m.c.base_horizon / 10;
  const gint64 delay = (gint64) (p->arrived - p->sent - (m.started ? m.origin
      : p->arrived - p->sent));
  guint64 queue;
  Base b = { .delay = delay };

  if (p->sent > now)
    return RCC_NEVER;
  if (!m.started) {
    m.started = TRUE;
    m.origin = p->arrived - p->sent;
    fresh_base (0);
  }
  if ((now - m.since) / width >= 10)
    fresh_base (delay);
  for (; now - m.since >= width; m.since += width) {
    b.tenth = ++m.tenth;
    g_array_append_val (m.bases, b);
  }
  b.tenth = m.tenth;
  g_array_append_val (m.bases, b);
  queue = (guint64) delay - (guint64) least_base ();
  if (queue > now - p->sent) {
    fresh_base (delay);
    g_array_set_size (m.taps, 0);
    m.restarts++;
    queue = 0;
  }
  g_array_append_val (m.taps, delay);
  return queue;
}

static RccTime
model_queue (void)
{
  gint64 least = G_MAXINT64;

  for (guint i = m.taps->len > 15 ? m.taps->len - 15 : 0; i < m.taps->len; i++)
    least = MIN (least, g_array_index (m.taps, gint64, i));
  return m.taps->len ? (guint64) least - (guint64) least_base () : 0;
}

static void
model_lost (const RccPacket *p)
{
  const Lost lost = { p->ssrc, p->seq, FALSE };
  const Seen s = { .bin = m.top, .lost = TRUE };

  g_array_append_val (m.lost, lost);
  g_array_append_val (m.seen, s);
  if (m.events->len == 0
      || (p->sent > m.event_sent && p->sent - m.event_sent > (m.rtt == RCC_NEVER ? 0 : m.rtt))) {
    g_array_append_val (m.events, m.told);
    m.event_sent = p->sent;
  }
  m.last_lost = m.told;
  m.told++;
}

static gboolean
model_known (const RccPacket *p)
{
  Lost *found = NULL;
  guint slot = 64;

  for (guint i = m.lost->len > 64 ? m.lost->len - 64 : 0; i < m.lost->len; i++) {
    Lost *l = &g_array_index (m.lost, Lost, i);

    if (!l->used && l->ssrc == p->ssrc && l->seq == p->seq && i % 64 < slot) {
      slot = i % 64;
      found = l;
    }
  }
  if (found)
    found->used = TRUE;
  return found != NULL;
}

static void
model_packet (const RccPacket *p)
{
  RccTime queue = RCC_NEVER;

  if (p->arrived == RCC_NEVER && !(p->flags & (RCC_PACKET_LATE | RCC_PACKET_RECEIVED))) {
    model_lost (p);
    return;
  }
  if (model_known (p))
    return;
  m.told++;
  if (p->arrived != RCC_NEVER)
    queue = model_delay (p);
  model_window (p, queue != RCC_NEVER, queue != RCC_NEVER && queue >= m.c.q_eps);
}

/* RFC 5348 5.4, from the events' numbers */
static gdouble
model_interval (void)
{
  static const gdouble w[] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };
  const guint k = MIN (m.events->len, 8);
  gdouble i[9] = { 0 }, tot0 = 0, tot1 = 0, all = 0;

  for (guint j = 0; j < k + 1 && k > 0; j++) {
    const guint at = m.events->len - j;
    const guint64 to = j == 0 ? m.told : g_array_index (m.events, guint64, at);
    const guint64 from = at == 0 ? 0 : g_array_index (m.events, guint64, at - 1);

    i[j] = at == 0 && to == from ? 1 : (gdouble) (to - from);
  }
  for (guint j = 0; j < k; j++) {
    tot0 += i[j] * w[j];
    tot1 += i[j + 1] * w[j];
    all += w[j];
  }
  return k ? MAX (tot0, tot1) / all : 0;
}

static gdouble
model_signal (void)
{
  const gdouble q = (gdouble) m.q, q_th = (gdouble) m.c.q_th, mean = model_interval ();
  const gdouble since = (gdouble) (m.told - 1 - m.last_lost);
  const gdouble bent = q < q_th ? q : q_th * exp (-m.c.lambda * (q / q_th - 1));
  gdouble delay = q;

  if (m.events->len && since <= m.c.multi_loss * mean)
    delay = bent;
  else if (m.events->len && since < (m.c.multi_loss + 1) * mean)
    delay = bent + (q - bent) * (since - m.c.multi_loss * mean) / mean;
  return MIN ((gdouble) m.c.x_max, delay + (gdouble) m.c.d_mark * pow (m.p_mark / m.c.pmr_ref, 2)
      + (gdouble) m.c.d_loss * pow (m.p_loss / m.c.plr_ref, 2));
}

static void
model_report (void)
{
  const gdouble tau = (gdouble) m.c.tau, before = m.x;
  const gdouble delta = MIN ((gdouble) (now - m.reported), tau);
  const guint64 width = m.c.log_window / 50;
  gdouble bytes = 0, lost = 0, marked = 0, queued = 0, gamma, step;

  for (guint i = 0; i < m.seen->len; i++) {
    const Seen *s = &g_array_index (m.seen, Seen, i);

    bytes += s->bytes;
    lost += s->lost;
    marked += s->marked;
    queued += s->queued;
  }
  m.p_loss = m.c.alpha * lost / MAX (m.seen->len, 1) + (1 - m.c.alpha) * m.p_loss;
  m.p_mark = m.c.alpha * marked / MAX (m.seen->len, 1) + (1 - m.c.alpha) * m.p_mark;
  m.r_recv = bytes * 8e9 / (gdouble) (m.begun ? m.newest + 1 - (m.top - 49) * width
      : m.c.log_window);
  m.q = model_queue ();
  m.x = model_signal ();
  m.reported = now;
  m.reports++;
  if (lost + marked + queued == 0) {
    gamma = (gdouble) m.c.q_bound
        / (gdouble) ((m.rtt == RCC_NEVER ? 0 : m.rtt) + m.c.delta + m.c.d_filt);
    settle (MAX (m.r_ref, m.r_recv * (1 + MIN (gamma, m.c.gamma_max))), "ramp-up");
    return;
  }
  step = delta / tau * (m.x / tau - m.c.priority * (gdouble) m.c.x_ref / tau * most () / m.r_ref)
      + m.c.eta * (m.x - before) / tau;
  settle (m.r_ref * (1 - m.c.kappa * step), "gradual");
}

static void
model_feedback (const RccPacket *packets, guint count)
{
  const RccTime gap = m.heard != RCC_NEVER && now > m.heard ? now - m.heard : 0;
  RccTime least = RCC_NEVER;

  if (count == 0)
    return;
  if (m.reported == RCC_NEVER)
    m.reported = now;
  for (guint i = 0; i < count; i++)
    if (rcc_packet_received (&packets[i]) && packets[i].sent <= now)
      least = MIN (least, now - packets[i].sent);
  if (!m.echoed && least != RCC_NEVER)
    m.rtt = least;
  for (guint i = 0; i < count; i++)
    model_packet (&packets[i]);
  m.heard = now;
  m.silence = RCC_NEVER;
  if (now >= m.reported && now - m.reported + gap / 2 >= m.c.delta)
    model_report ();
}

static void
same (gdouble is, gdouble should)
{
  g_assert_cmpfloat_with_epsilon (is, should, 1e-6 * ABS (should) + 1e-6);
}

/* What the driver is told is what has changed since. */
static void
compare_update (RccUpdate u, guint32 target, guint32 pacing, const gchar *state)
{
  const guint changed = (n.target_bps != target ? RCC_TARGET : 0)
      | (n.pacing_bps != pacing ? RCC_PACING : 0) | (n.state != state ? RCC_STATE : 0);

  g_assert_cmpuint (u.changed, ==, changed);
  if (u.changed == 0)
    return;
  g_assert_cmpuint (u.target_bps, ==, n.target_bps);
  g_assert_cmpuint (u.pacing_bps, ==, n.pacing_bps);
  g_assert_true (u.reason == n.state);
}

static void
compare (void)
{
  const gdouble frame = 8.0 * (gdouble) backlog.bytes * m.c.fps;

  same (n.r_ref, m.r_ref);
  same (n.p_loss, m.p_loss);
  same (n.p_mark, m.p_mark);
  same (n.x_curr, m.x);
  g_assert_cmpfloat (fabs ((gdouble) n.x - m.x), <=, 1 + 1e-6 * m.x);
  same (n.r_recv, m.r_recv);
  g_assert_cmpuint (n.d_queue, ==, m.q);
  g_assert_cmpuint (n.r_ref_bps, ==, (guint32) n.r_ref);
  g_assert_cmpuint (n.r_recv_bps, ==, (guint32) MIN (n.r_recv, G_MAXUINT32));
  g_assert_cmpuint (n.rtt, ==, m.rtt);
  g_assert_cmpuint (n.reports, ==, m.reports);
  g_assert_cmpuint (n.silences, ==, m.silences);
  g_assert_cmpuint (n.delay.restarts, ==, m.restarts);
  g_assert_cmpuint (rcc_deadline (&n.sender), ==, m.silence);
  g_assert_cmpstr (n.state, ==, m.state);
  same (n.target_bps, bounded (m.r_ref - MIN (0.05 * m.r_ref, m.c.beta_v * frame)));
  same (n.pacing_bps, bounded (m.r_ref + MIN (0.05 * m.r_ref, m.c.beta_s * frame)));
  n.r_ref = m.r_ref;                    /* rounding does not add up */
  n.x_curr = m.x;
}

static RccPacket
any_packet (gint64 *seq)
{
  RccPacket p = { .seq = *seq, .size = below (1500), .ssrc = below (2) };

  *seq += chance (0.95) ? 1 : -(gint64) below (50);
  p.sent = now - MIN (now, below (400) * RCC_MSEC);
  p.arrived = p.sent + 7 * S + below (80) * RCC_MSEC;
  if (chance (0.1))
    p.arrived = RCC_NEVER;
  if (chance (0.05))
    p.flags |= RCC_PACKET_RECEIVED;
  if (chance (0.05))
    p.flags |= RCC_PACKET_CE;
  if (chance (0.005))
    p.sent += 10 * S;                   /* from the future */
  if (chance (0.003))
    p.arrived = chance (0.5) ? below (1000) : G_MAXUINT64 - 2 - below (1000);
  return p;
}

static void
any_settings (void)
{
  m.c = rcc_nada_config ();
  m.c.form = chance (0.2) ? RCC_NADA_NS3_RMCAT : RCC_NADA_RFC8698;
  m.c.priority = 0.5 + rcc_rng_uniform (&rng) * 3;
  m.c.delta = (20 + below (300)) * RCC_MSEC;
  m.c.log_window = (50 + below (1000)) * RCC_MSEC;
  m.c.base_horizon = chance (0.2) ? RCC_NEVER : (1 + below (100)) * S;
  m.c.q_th = (1 + below (80)) * RCC_MSEC;
  m.c.multi_loss = rcc_rng_uniform (&rng) * 10;
  m.c.alpha = rcc_rng_uniform (&rng);
  m.c.x_max = (1 + below (5000)) * RCC_MSEC;
  m.limits = (RccConfig) { below (300000), below (3000000), 300000 + below (5000000) };
}

static void
begin (void)
{
  GArray **const lists[] = { &m.seen, &m.taps, &m.bases, &m.events, &m.lost };
  const guint sizes[] = { sizeof (Seen), sizeof (gint64), sizeof (Base), sizeof (guint64),
    sizeof (Lost) };

  memset (&m, 0, sizeof m);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    *lists[i] = g_array_new (FALSE, FALSE, sizes[i]);
  any_settings ();
  now = (1 + below (100)) * S;
  backlog = (RccBacklog) { 0 };
  rcc_nada_init (&n, &m.c, &m.limits);
  rcc_nada_settle (&m.c);
  n.sender.backlog = &backlog;
  m.heard = m.reported = m.silence = m.rtt = RCC_NEVER;
  m.remb = G_MAXUINT32;
  settle (m.limits.start_bps, "start");
}

static void
end (void)
{
  GArray *const lists[] = { m.seen, m.taps, m.bases, m.events, m.lost };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
}

/* What is neither feedback nor a packet that leaves. */
static void
step_rarely (void)
{
  const RccReport report = { .rtt = chance (0.2) ? RCC_NEVER : below (2000) * RCC_MSEC };

  if (chance (0.3)) {
    rcc_tell (&n.sender, on_report, &report, now);
    m.echoed |= report.rtt != RCC_NEVER;
    m.rtt = report.rtt != RCC_NEVER ? report.rtt : m.rtt;
  } else if (chance (0.3)) {
    m.remb = chance (0.5) ? G_MAXUINT32 : below (3000000);
    rcc_tell (&n.sender, on_remb, m.remb, now);
    settle (m.r_ref, m.state);
  } else if (chance (0.3)) {
    m.limits = (RccConfig) { below (900000), 0, below (5000000) };
    rcc_tell (&n.sender, on_config, &m.limits, now);
    settle (m.r_ref, m.state);
  } else if (m.silence != RCC_NEVER && chance (0.5)) {
    now = MAX (now, m.silence);
    rcc_tell (&n.sender, on_deadline, now);
    m.silence = now + m.c.feedback_timeout;
    m.silences++;
    settle (m.r_ref / 2, "silence");
  } else {
    now += below (100) * S;
  }
}

static void
step (gint64 *seq)
{
  const RccNada n_before = n;
  RccPacket packets[BATCH];
  const guint count = below (BATCH);

  now += below (chance (0.1) ? 600 : 60) * RCC_MSEC;
  for (guint i = 0; i < count; i++)
    packets[i] = i > 0 && chance (0.02) ? packets[below (i)] : any_packet (seq);
  if (chance (0.3) && count > 0) {
    rcc_tell (&n.sender, on_sent, &packets[0]);
    m.reported = m.reported == RCC_NEVER ? packets[0].sent : m.reported;
    if (m.silence == RCC_NEVER && m.c.feedback_timeout != RCC_NEVER)
      m.silence = packets[0].sent + m.c.feedback_timeout;
  } else if (chance (0.9)) {
    compare_update (rcc_tell (&n.sender, on_feedback, packets, count, now), n_before.target_bps,
        n_before.pacing_bps, n_before.state);
    model_feedback (packets, count);
    if (count > 0)                      /* no report: the rates are those of the last */
      rcc_tell (&n.sender, on_config, &m.limits, now);
    settle (m.r_ref, m.state);
  } else {
    step_rarely ();
  }
}

static void
lives (void)
{
  for (guint i = 0; i < LIVES; i++) {
    gint64 seq = 0;

    rcc_rng_init (&rng, 77, i);
    begin ();
    compare ();
    for (guint k = 0; k < STEPS; k++) {
      step (&seq);
      compare ();
      g_assert_cmpuint (n.target_bps, >=, m.limits.min_bps);
      g_assert_cmpuint (n.pacing_bps, <=, MAX (m.limits.min_bps, m.limits.max_bps));
      g_assert_true (isfinite (n.r_ref));
      backlog.bytes = chance (0.3) ? below (5000) : backlog.bytes;
      rcc_tell (&n.sender, on_config, &m.limits, now);
    }
    end ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/random/lives", lives);
  return g_test_run ();
}
