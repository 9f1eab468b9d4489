/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * TFRC in closed loops, and told anything.  With --verbose (or TAP) they print their tables.
 */
#include "tfrc-rig.h"

static Flow flows[2];

/* RFC 5348 3.1 is what a flow gets: within 10 % at the rate of loss events that
 * happened. */
static void
throughput_is_the_equations (void)
{
  static const gdouble losses[] = { 0.001, 0.003, 0.01, 0.03, 0.1 };
  static const guint rtts[] = { 20, 50, 100, 300 };
  RccTfrcConfig config = rcc_tfrc_config ();

  config.packet_size = SIZE;
  g_test_message ("loss %%  R ms  packets lost %%  events %%   X kbit/s  "
      "X/formula(events)  X/formula(packets)");
  for (guint i = 0; i < 20; i++) {
    const gdouble loss = losses[i / 4];
    Path path = { .rtt = MS (rtts[i % 4]), .loss = loss, .flows = flows, .n_flows = 1 };
    const RccTcpPath tcp = { .packet_size = SIZE, .rtt = path.rtt };
    const gdouble usual = rcc_tcp_throughput (RCC_TCP_PADHYE, &tcp, loss);
    const gdouble seconds = 1000 * SIZE / (loss * usual);       /* 1000 losses or so */
    const RccTime warm = 60 * RCC_SEC + 100 * path.rtt;
    Flow *f = &flows[0];
    gdouble x, events, formula;

    rcc_rng_init (&path.rng, 17, i);
    flow_init (f, &config, &boundless, 0);
    f->measure_from = warm;
    run (&path, warm + (RccTime) (1e9 * seconds));
    x = (gdouble) f->packets * SIZE / seconds;
    events = (gdouble) f->events / (gdouble) f->packets;
    formula = rcc_tcp_throughput (RCC_TCP_PADHYE, &tcp, events);
    g_test_message ("%5.1f  %5u  %13.3f  %8.3f  %9.1f  %17.3f  %18.3f", 100 * loss,
        rtts[i % 4], 100.0 * (gdouble) f->lost / (gdouble) f->packets, 100 * events,
        x / 125, x / formula, x / usual);
    g_assert_cmpfloat (x, >, 0.9 * formula);
    g_assert_cmpfloat (x, <, 1.1 * formula);
  }
}

/* A drop-tail queue of 50 packets; the second flow comes at once or 20 s later. */
static void
two_flows_share (void)
{
  static const gdouble links[] = { 1e6, 2e6, 5e6, 10e6 };
  static const guint rtts[] = { 20, 50, 100, 300 };
  RccTfrcConfig config = rcc_tfrc_config ();

  config.packet_size = SIZE;
  g_test_message ("link kbit/s  R ms  second after s  flows kbit/s         ratio    use");
  for (guint i = 0; i < 32; i++) {
    const guint from = 60, to = 360, later = i & 1 ? 20000 : 7;
    Path path = { .rtt = MS (rtts[i / 2 % 4]), .link_bps = links[i / 8], .queue = 50,
      .flows = flows, .n_flows = 2 };
    gdouble bps[2], got = 0, ratio;

    rcc_rng_init (&path.rng, 1, 1);
    for (guint k = 0; k < 2; k++) {
      flow_init (&flows[k], &config, &boundless, k * MS (later));
      flows[k].measure_from = from * RCC_SEC;
    }
    run (&path, to * RCC_SEC);
    for (guint k = 0; k < 2; k++) {
      bps[k] = (gdouble) flows[k].packets * SIZE * 8 / (to - from);
      got += (gdouble) (flows[k].packets - flows[k].lost) * SIZE * 8 / (to - from);
    }
    ratio = MAX (bps[0], bps[1]) / MIN (bps[0], bps[1]);
    g_test_message ("%11.0f  %4u  %14.3f  %8.1f  %8.1f  %6.2f  %5.3f", path.link_bps / 1e3,
        rtts[i / 2 % 4], later / 1e3, bps[0] / 1e3, bps[1] / 1e3, ratio,
        got / path.link_bps);
    g_assert_cmpfloat (ratio, <, 1.5);
    g_assert_cmpfloat (got, >, 0.95 * path.link_bps);
  }
}

/* 4.3: a call that needs less than it may send keeps what it may send, and is back at
 * full rate at once. */
static void
a_quiet_sender_keeps_its_rate (void)
{
  Path path = { .rtt = MS (100), .loss = 0.001, .flows = flows, .n_flows = 1 };
  RccTfrcConfig config = rcc_tfrc_config ();
  gdouble full, quiet;

  config.packet_size = SIZE;
  rcc_rng_init (&path.rng, 2, 1);
  flow_init (&flows[0], &config, &boundless, 0);
  run (&path, 60 * RCC_SEC);
  full = flows[0].tfrc.rate.x;
  path.loss = 0.0;
  flows[0].offered = full;              /* an eighth of what is allowed, in bit/s */
  run (&path, 70 * RCC_SEC);
  quiet = flows[0].tfrc.rate.x;
  g_assert_true (flows[0].tfrc.rate.data_limited);
  g_assert_cmpfloat (quiet, >, 0.9 * full);

  config.form = RCC_TFRC_RFC3448;       /* the paper's does not */
  path.loss = 0.001;
  path.busy = 0;
  flow_init (&flows[0], &config, &boundless, 0);
  run (&path, 60 * RCC_SEC);
  full = flows[0].tfrc.rate.x;
  path.loss = 0.0;
  flows[0].offered = full;
  run (&path, 70 * RCC_SEC);
  g_assert_cmpfloat (flows[0].tfrc.rate.x, <, 0.35 * full);
}

static void
anything_may_come (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 23, 1);
  for (guint round = 0; round < 40; round++) {
    RccTfrcConfig config = { .form = round % 3 == 0 ? RCC_TFRC_RFC3448 : RCC_TFRC_RFC5348,
      .damping = round & 1, .discounting = round & 2, .faster_restart = round & 4 };
    RccTime now = 0;
    RccPacket packets[32];

    rcc_tfrc_init (&t, &config, &limits);
    for (guint i = 0; i < 2000; i++) {
      const guint what = rcc_rng_u32 (&rng) % 64;
      const gsize n = what % 32;

      now += rcc_rng_u32 (&rng) >> (rcc_rng_u32 (&rng) % 32);
      if (what < 30)
        rcc_tell (&t.sender, on_sent, &(RccPacket) { .size = what == 0 ? G_MAXUINT32
            : rcc_rng_u32 (&rng) % 1500, .sent = now });
      for (gsize k = 0; k < n; k++)
        packets[k] = (RccPacket) { .ssrc = rcc_rng_u32 (&rng) % 3,
          .seq = what == 40 ? G_MININT64 : rcc_rng_u32 (&rng) % 100,
          .size = what == 41 ? G_MAXUINT32 : rcc_rng_u32 (&rng) % 1500,
          .sent = what == 42 ? G_MAXUINT64 : now - MIN (now, rcc_rng_u32 (&rng) / 16),
          .arrived = what == 43 ? G_MAXUINT64 - 1 : rcc_rng_u32 (&rng) % 8 == 0 ? RCC_NEVER
              : what == 44 ? 0 : now + rcc_rng_u32 (&rng) };
      if (what >= 30 && what < 60)
        rcc_tell (&t.sender, on_feedback, packets, n, now);
      if (what == 61 || what == 62)
        rcc_tell (&t.sender, on_report, &((RccReport) { .ssrc = rcc_rng_u32 (&rng) % 20,
              .highest_seq = what == 61 ? G_MAXINT64 : rcc_rng_u32 (&rng),
              .lost = what == 61 ? G_MININT64 : rcc_rng_u32 (&rng),
              .fraction_lost = rcc_rng_normal (&rng), .expected = rcc_rng_u32 (&rng) % 9,
              .ce = rcc_rng_u32 (&rng) % 9,
              .rtt = i & 1 ? RCC_NEVER : rcc_rng_u32 (&rng) }), now);
      if (what == 63)
        rcc_tell (&t.sender, on_remb, rcc_rng_u32 (&rng), now);
      if (now >= rcc_deadline (&t.sender)) {
        rcc_tell (&t.sender, on_deadline, now);
        g_assert_cmpuint (rcc_deadline (&t.sender), >, now);
      }
      g_assert_cmpuint (t.target_bps, >=, limits.min_bps);
      g_assert_cmpuint (t.target_bps, <=, limits.max_bps);
      g_assert_cmpuint (t.pacing_bps, >=, limits.min_bps);
      g_assert_cmpuint (t.pacing_bps, <=, limits.max_bps);
      g_assert_true (t.rate.p >= 0.0 && t.rate.p <= 1.0);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/tfrc/" #f, f)
  ADD (throughput_is_the_equations);
  ADD (two_flows_share);
  ADD (a_quiet_sender_keeps_its_rate);
  ADD (anything_may_come);
  return g_test_run ();
}
