/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The circuit breaker (RFC 8083) on real RTP and RTCP bytes over the simulated link: paths
 * that are cut, loss on either side of the limit, outages, bad RTCP, a tenth of the rate.
 */
#include "flows.h"

#define S RCC_SEC

static void
assert_stays_closed (const gchar *label, RccWorld *w)
{
  for (guint i = 0; i < w->n_flows; i++) {
    print_events (label, w->flows[i]);
    g_assert_cmpuint (w->flows[i]->n_events, ==, 0);
    g_assert_cmpuint (w->flows[i]->sender.gate->packets_dropped, ==, 0);
  }
  rcc_world_free (w);
}

/* All that happened is that each SSRC, or the session, was stopped once for @reason.  RTP
 * ends there, SRs go on. */
static RccTime
opened (const gchar *label, const RccWorld *w, RccBreakerReason reason)
{
  const RccFlow *f = w->flows[0];
  RccTime at = 0;

  print_events (label, f);
  g_assert_cmpuint (f->n_events, >=, 1);
  g_assert_cmpuint (f->n_events, <=, f->config.audio ? 2 : 1);
  for (gsize i = 0; i < f->n_events; i++) {
    g_assert_cmpint (f->events[i].state, ==, RCC_BREAKER_OPEN);
    g_assert_cmpint (f->events[i].reason, ==, reason);
    at = f->events[i].at;
  }
  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time >= at + S / 2) {
      g_assert_cmpuint (f->samples[i].sent_bps, ==, 0);
      g_assert_cmpstr (f->samples[i].breaker_state, ==, "open");
    }
  g_assert_cmpuint (f->sender.gate->packets_dropped, >, 0);
  g_assert_cmpuint (f->sender.gate->reports.srs.places, >=, w->duration / S);
  return at;
}

/* RFC 3550 6.3.6 and the 1.21828 of 6.3.1 together leave the mean where Td is. */
static void
random_reports_keep_td (void)
{
  RccFlowConfig c = fixed_flow (200000);
  RccWorld *w;
  guint64 reports;

  c.rtcp_random = true;
  w = run_text ("0 both delay 50\n", 400 * S, 1, &c, 1);
  reports = w->flows[0]->sender.gate->breaker.streams[0].reports;
  g_test_message ("%u reports in 400 Td", (guint) reports);
  g_assert_cmpuint (reports, >=, 380);
  g_assert_cmpuint (reports, <=, 420);
  g_assert_cmpuint (reports, !=, 400);  /* at random they are */
  rcc_world_free (w);
}

/* --- paths that are cut --------------------------------------------------- */

#define CUT (20 * S)

typedef struct {
  const gchar *name;
  RccTime interval;
  gboolean random, omit, gcc;
} Receiver;

static const Receiver receivers[] = {
  { "keeps the block, 1 s", S, FALSE, FALSE, FALSE },
  { "omits the block, 1 s", S, FALSE, TRUE, FALSE },
  { "omits the block, 1 s at random", S, TRUE, TRUE, FALSE },
  { "keeps the block, 5 s at random", 5 * S, TRUE, FALSE, FALSE },
  { "omits the block, 5 s at random", 5 * S, TRUE, TRUE, FALSE },
  { "GCC, omits the block, 1 s at random", S, TRUE, TRUE, TRUE },
  { "GCC, omits the block, 5 s at random", 5 * S, TRUE, TRUE, TRUE },
};

static RccFlowConfig
flow_to (const Receiver *r)
{
  RccFlowConfig c = r->gcc ? rcc_flow_config (RCC_GCC_DEFAULT) : fixed_flow (1000000);

  c.breaks = true;
  c.rtcp_interval = r->interval;
  c.rtcp_random = r->random;
  c.omit_silent = r->omit;
  return c;
}

/* 6.3: intervals lie between 0.5 and 1.5 Td / 1.21828. */
static RccTime
longest_interval (const Receiver *r)
{
  return r->random ? (RccTime) (1.5 / 1.21828 * r->interval) + 1 : r->interval;
}

static RccTime
shortest_interval (const Receiver *r)
{
  return r->random ? (RccTime) (0.5 / 1.21828 * r->interval) : r->interval;
}

/* 4.2: the report after the cut still speaks of packets that came before it, five more
 * say that nothing came.  Blocks that are missing count no sooner than Tdr apart, and where
 * one comes a microsecond sooner, the next one has to do. */
static void
forward_path_cut (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (receivers); i++) {
    const Receiver *r = &receivers[i];
    const RccFlowConfig c = flow_to (r);
    const RccTime step = r->omit ? MAX (longest_interval (r), r->interval)
        : longest_interval (r);

    for (guint64 seed = 1; seed <= 5; seed++) {
      RccWorld *w = run_text ("0 both rate 2M delay 50\n20 fwd loss 100%\n", 80 * S, seed,
          &c, 1);
      const RccTime at = opened (r->name, w, RCC_BREAKER_MEDIA_TIMEOUT);

      g_assert_cmpuint (at, >=, CUT + 5 * shortest_interval (r));
      g_assert_cmpuint (at, <=, CUT + (r->omit ? 7 : 6) * step + S / 5);
      rcc_world_free (w);
    }
  }
}

/* 4.1: 3 Td, Td >= 5 s, from the last RTCP that came. */
static void
reverse_path_cut (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (receivers); i++) {
    const Receiver *r = &receivers[i];
    const RccFlowConfig c = flow_to (r);

    for (guint64 seed = 1; seed <= 5; seed++) {
      RccWorld *w = run_text ("0 both rate 2M delay 50\n20 rev loss 100%\n", 80 * S, seed,
          &c, 1);
      const RccTime at = opened (r->name, w, RCC_BREAKER_RTCP_TIMEOUT);
      const RccTime heard = w->flows[0]->sender.gate->breaker.heard;

      g_assert_cmpuint (heard, <=, CUT + S / 10);
      g_assert_cmpuint (heard, >=, CUT - longest_interval (r));
      g_assert_cmpuint (at, >=, heard + 15 * S);
      g_assert_cmpuint (at, <, heard + 15 * S + r->interval);
      rcc_world_free (w);
    }
  }
}

/* --- the limit ------------------------------------------------------------ */

#define MEDIA 1500000
#define PACKET 1436                     /* 88 % at 100 ms: what the LTE paper must have had */
#define PACKETS_A_FRAME 5

typedef struct {
  guint rtt_ms;
  double percent[4];                    /* Mathis 10x, 5x, Padhye 10x, 5x */
} Limit;

/* The LTE paper's media: the loss beyond which it takes 10 (5) times what TCP would. */
static const Limit limits[] = {
  { 100, { 88.0, 22.0, 12.4, 7.2 } },
  { 200, { 22.0, 5.5, 7.2, 3.2 } },
  { 300, { 9.8, 2.4, 4.7, 1.8 } },
  { 400, { 5.5, 1.4, 3.2, 1.1 } },
  { 500, { 3.5, 0.88, 2.4, 0.77 } },
};

static RccFlowConfig
lte_flow (guint column)
{
  RccFlowConfig c = fixed_flow (MEDIA);

  c.packet_size = PACKET;
  c.source.fps = MEDIA / (8.0 * PACKET * PACKETS_A_FRAME);
  c.rtcp_interval = 5 * S;
  c.breaker.model = column < 2 ? RCC_TCP_MATHIS : RCC_TCP_PADHYE;
  c.breaker.multiplier = column % 2 ? 5 : 10;
  return c;
}

/* Loss from 2 s on: some SR has arrived by then, without which there is no RTT and no
 * X; the first report, at 2.5 s, only begins an interval. */
static RccWorld *
run_with_loss (const RccFlowConfig *c, guint rtt_ms, double loss, guint64 seed)
{
  g_autofree gchar *text = g_strdup_printf ("0 both delay %g\n2 fwd loss %.5f\n",
      rtt_ms / 2.0, loss);

  return run_text (text, 60 * S, seed, c, 1);
}

static void
check_limit (const Limit *l, guint column)
{
  const RccFlowConfig c = lte_flow (column);
  const RccTcpPath path = { .packet_size = PACKET, .rtt = l->rtt_ms * RCC_MSEC };
  const double p = rcc_tcp_loss (c.breaker.model, &path, MEDIA / 8.0 / c.breaker.multiplier);
  const double under = 0.6 * p, over = MIN (1.6 * p, 0.97);
  guint tripped = 0;

  g_assert_cmpfloat_with_epsilon (100 * p, l->percent[column], 0.01 * l->percent[column]
      + 0.05);
  for (guint64 seed = 1; seed <= 5; seed++) {
    RccWorld *w = run_with_loss (&c, l->rtt_ms, under, seed);
    const RccFlow *f = w->flows[0];

    tripped += f->n_events > 0;
    rcc_world_free (w);
    w = run_with_loss (&c, l->rtt_ms, over, seed);
    f = w->flows[0];
    g_assert_cmpuint (f->n_events, ==, 1);
    g_assert_cmpint (f->events[0].reason, ==, RCC_BREAKER_CONGESTION);
    /* CB_INTERVAL is 3 reports; the report that is decisive waits for another */
    g_assert_cmpuint (f->events[0].at, >=, 17500 * RCC_MSEC);
    g_assert_cmpuint (f->events[0].at, <=, 23500 * RCC_MSEC);
    g_assert_cmpfloat_with_epsilon (f->events[0].sent_bps, MEDIA, 0.01 * MEDIA);
    if (seed == 1)
      g_test_message ("%3u ms %-6s %2.0fx: limit %5.2f %%; %5.2f %% closed, %5.2f %% opens "
          "after %.1f s", l->rtt_ms, column < 2 ? "mathis" : "padhye", c.breaker.multiplier,
          100 * p, 100 * under, 100 * over, f->events[0].at * 1e-9);
    rcc_world_free (w);
  }
  g_assert_cmpuint (tripped, ==, 0);
}

static void
either_side_of_the_limit (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    for (guint column = 0; column < 4; column++)
      check_limit (&limits[i], column);
}

/* --- outages and bad RTCP ------------------------------------------------- */

static RccFlowConfig
gcc_flow (RccTime interval)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.breaks = c.rtcp_random = c.omit_silent = true;
  c.rtcp_interval = interval;
  return c;
}

/* With reports each second 5 in 100 flows under GCC are stopped: the report that ends the
 * outage spans 13 s, and the flow sent fast for the three that were not part of it. */
static void
short_outages_pass (void)
{
  static const gchar *const outage =
      "0 both rate 2M delay 50\n20 both loss 100%\n30 both loss 0\n";
  guint stopped = 0;

  for (guint64 seed = 1; seed <= 10; seed++) {
    for (guint interval = 1; interval <= 5; interval += 4) {
      RccFlowConfig c[2] = { gcc_flow (interval * S), fixed_flow (500000) };
      RccWorld *w;

      c[1].rtcp_interval = interval * S;
      c[1].rtcp_random = c[1].omit_silent = true;
      w = run_text (outage, 80 * S, seed, c, 2);
      print_events ("10 s outage", w->flows[0]);
      stopped += w->flows[0]->n_events > 0;
      g_assert_cmpuint (w->flows[1]->n_events, ==, 0);
      rcc_world_free (w);
    }
  }
  g_assert_cmpuint (stopped, <=, 2);    /* of 20 */
}

/* The report that an outage leaves behind is as long as the outage, and 4.3 weighs reports
 * by their duration: who goes on at 1.5 Mbit/s as if nothing had been is over the limit for
 * the whole of CB_INTERVAL.  The report after it bears the loss out, and that is that. */
static void
deaf_flows_stop_after_an_outage (void)
{
  for (guint64 seed = 1; seed <= 5; seed++) {
    RccFlowConfig c = fixed_flow (MEDIA);
    RccWorld *w;
    RccTime at;

    c.rtcp_random = c.omit_silent = true;
    w = run_text ("0 both delay 50\n20 both loss 100%\n30 both loss 0\n", 60 * S, seed, &c,
        1);
    at = opened ("10 s outage, deaf", w, RCC_BREAKER_CONGESTION);
    g_assert_cmpuint (at, >, 30 * S);
    g_assert_cmpuint (at, <=, 30 * S + 3 * (RccTime) (1.5 / 1.21828 * S));
    rcc_world_free (w);
  }
}

static void
long_outages_stop (void)
{
  for (guint64 seed = 1; seed <= 5; seed++) {
    for (guint interval = 1; interval <= 5; interval += 4) {
      const RccFlowConfig c = gcc_flow (interval * S);
      RccWorld *w = run_text ("0 both rate 2M delay 50\n20 both loss 100%\n"
          "50 both loss 0\n", 80 * S, seed, &c, 1);
      const RccTime at = opened ("30 s outage", w, RCC_BREAKER_RTCP_TIMEOUT);

      /* GCC's own feedback comes at least each second until the outage */
      g_assert_cmpuint (at, >=, CUT + 14 * S);
      g_assert_cmpuint (at, <=, CUT + 16 * S);
      rcc_world_free (w);
    }
  }
}

#define CLEAN "0 both rate 2M delay 50\n"
#define LOSSY CLEAN "0 fwd loss 2%\n"
#define LATE CLEAN "20 rev delay 5000\n40 rev delay 50\n"

/* RTCP late, in tens, and in the wrong order. */
static void
bad_rtcp_moves_nothing (void)
{
  for (guint64 seed = 1; seed <= 5; seed++) {
    RccFlowConfig c[2] = { gcc_flow (S), fixed_flow (400000) };

    assert_stays_closed ("5 s late", run_text (LATE, 80 * S, seed, c, 2));
    for (guint i = 0; i < 2; i++)
      c[i].rtcp_copies = 10;
    assert_stays_closed ("ten of each", run_text (LOSSY, 80 * S, seed, c, 2));
    for (guint i = 0; i < 2; i++) {
      c[i].rtcp_copies = 1;
      c[i].rtcp_swapped = true;
    }
    assert_stays_closed ("in the wrong order", run_text (LOSSY, 80 * S, seed, c, 2));
  }
}

static void
copies_count_once (void)
{
  RccFlowConfig c = fixed_flow (1000000);
  RccWorld *once = run_text (LOSSY, 60 * S, 1, &c, 1), *ten;

  c.rtcp_copies = 10;
  ten = run_text (LOSSY, 60 * S, 1, &c, 1);
  for (gsize i = 0; i < once->flows[0]->n_samples; i++) {
    g_assert_cmpfloat (once->flows[0]->samples[i].breaker_loss, ==,
        ten->flows[0]->samples[i].breaker_loss);
    g_assert_cmpfloat (once->flows[0]->samples[i].tcp_bps, ==,
        ten->flows[0]->samples[i].tcp_bps);
  }
  g_assert_cmpuint (ten->flows[0]->sender.gate->reports.duplicates, ==,
      9 * once->flows[0]->sender.gate->breaker.streams[0].reports);
  rcc_world_free (once);
  rcc_world_free (ten);
}

/* --- a tenth first, and the draft ----------------------------------------- */

static RccFlowConfig
reducing_flow (void)
{
  RccFlowConfig c = fixed_flow (MEDIA);

  c.breaker.reduce_first = true;
  return c;
}

/* A tenth fits, and by the time more is tried the path has recovered. */
static void
a_tenth_resolves_it (void)
{
  const RccFlowConfig c = reducing_flow ();
  RccWorld *w = run_text ("0 both rate 2M delay 50 queue 2000ms\n20 fwd rate 300k\n"
      "35 fwd rate 2M\n", 140 * S, 1, &c, 1);
  const RccFlow *f = w->flows[0];
  RccTime reduced, closed;

  print_events ("300 kbit/s for 15 s", f);
  g_assert_cmpuint (f->n_events, ==, 2);
  g_assert_cmpint (f->events[0].state, ==, RCC_BREAKER_REDUCED);
  g_assert_cmpint (f->events[1].state, ==, RCC_BREAKER_CLOSED);
  reduced = f->events[0].at;
  closed = f->events[1].at;
  g_assert_cmpuint (reduced, >, CUT);
  g_assert_cmpuint (reduced, <=, CUT + 20 * S);
  for (RccTime t = reduced + S; t < closed + 2 * S; t += 2 * S)
    g_test_message ("%5.1f s: %u kbit/s", t * 1e-9,
        f->samples[t / (200 * RCC_MSEC)].sent_bps / 1000);
  for (gsize i = 0; i < f->n_samples; i++) {
    const RccFlowSample *s = &f->samples[i];

    g_assert_cmpuint (s->sent_bps, >, 0);
    if (s->time > reduced + S && s->time < reduced + 3 * S)
      g_assert_cmpuint (s->sent_bps, <=, MEDIA / 10 * 1.15);
  }
  /* 1/10, 1/5, 2/5, 4/5, each for CB_INTERVAL reports, which are 3 or more */
  g_assert_cmpuint (closed, >=, reduced + 4 * 3 * S);
  g_assert_cmpfloat (rcc_flow_mean_bps (f, closed + S, 140 * S), >=, 0.98 * MEDIA);
  rcc_world_free (w);
}

/* Not even a tenth fits: the next CB_INTERVAL reports stop it. */
static void
a_tenth_is_still_too_much (void)
{
  const RccFlowConfig c = reducing_flow ();
  RccWorld *w = run_text ("0 both rate 2M delay 50 queue 2000ms\n20 fwd rate 60k\n", 120 * S,
      1, &c, 1);
  const RccFlow *f = w->flows[0];

  print_events ("60 kbit/s", f);
  g_assert_cmpuint (f->n_events, ==, 2);
  g_assert_cmpint (f->events[0].state, ==, RCC_BREAKER_REDUCED);
  g_assert_cmpint (f->events[1].state, ==, RCC_BREAKER_OPEN);
  g_assert_cmpint (f->events[1].reason, ==, RCC_BREAKER_CONGESTION);
  g_assert_cmpuint (f->events[1].at, >=, f->events[0].at + 3 * S);
  g_assert_cmpuint (f->samples[f->n_samples - 1].sent_bps, ==, 0);
  rcc_world_free (w);
}

/* Two reports of 28 % where the limit is 22 %: enough for the draft, while the mean of
 * the RFC's three stays below. */
static void
the_draft_takes_two_reports (void)
{
  static const gchar *const text =
      "0 both delay 100\n22.5 fwd loss 28%\n32.5 fwd loss 0\n";
  RccFlowConfig c = lte_flow (0);

  for (guint64 seed = 1; seed <= 5; seed++) {
    RccWorld *w;
    RccTime at;

    c.breaker = rcc_breaker_config (RCC_BREAKER_DRAFT2014);
    w = run_text (text, 80 * S, seed, &c, 1);
    at = opened ("draft2014", w, RCC_BREAKER_CONGESTION);
    g_assert_cmpuint (at, >=, 32500 * RCC_MSEC);
    g_assert_cmpuint (at, <=, 33 * S);
    rcc_world_free (w);
    c.breaker = rcc_breaker_config (RCC_BREAKER_RFC8083);
    assert_stays_closed ("rfc8083", run_text (text, 80 * S, seed, &c, 1));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker/random-reports-keep-td", random_reports_keep_td);
  g_test_add_func ("/breaker/forward-path-cut", forward_path_cut);
  g_test_add_func ("/breaker/reverse-path-cut", reverse_path_cut);
  g_test_add_func ("/breaker/either-side-of-the-limit", either_side_of_the_limit);
  g_test_add_func ("/breaker/short-outages-pass", short_outages_pass);
  g_test_add_func ("/breaker/deaf-flows-stop-after-an-outage",
      deaf_flows_stop_after_an_outage);
  g_test_add_func ("/breaker/long-outages-stop", long_outages_stop);
  g_test_add_func ("/breaker/bad-rtcp-moves-nothing", bad_rtcp_moves_nothing);
  g_test_add_func ("/breaker/copies-count-once", copies_count_once);
  g_test_add_func ("/breaker/a-tenth-resolves-it", a_tenth_resolves_it);
  g_test_add_func ("/breaker/a-tenth-is-still-too-much", a_tenth_is_still_too_much);
  g_test_add_func ("/breaker/the-draft-takes-two-reports", the_draft_takes_two_reports);
  return g_test_run ();
}
