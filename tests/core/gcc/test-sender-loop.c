/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The GCC sender over a link that feeds back: where it settles, and what a probe shows.
 */
#include "sender-rig.h"

/* Packets over a link, fed back every 50 ms: the loop that TWCC closes. */
typedef struct {
  RccTime now, free, reported;
  RccPacket pending[4096];
  guint n;
  guint64 losses;
} Loop;

static Loop loop;

static void
over_a_link (double bps, double capacity, double seconds, RccTime max_queue)
{
  const RccTime end = loop.now + (RccTime) (seconds * 1e9);

  while (loop.now < end) {
    const double rate = bps > 0 ? bps : s.target_bps;
    RccPacket *p = &loop.pending[loop.n++];

    loop.free = RCC_MAX (loop.free, loop.now);
    *p = (RccPacket) { .size = SIZE, .sent = loop.now, .arrived = RCC_NEVER };
    if (loop.free - loop.now <= max_queue) {
      loop.free += (RccTime) (8e9 * SIZE / capacity);
      p->arrived = loop.free + 20 * RCC_MSEC;
    } else {
      loop.losses++;
    }
    sent (loop.now);
    loop.now += (RccTime) (8e9 * SIZE / rate);
    /* what has arrived by now is told, in order */
    if (loop.now >= loop.reported + 50 * RCC_MSEC) {
      guint n = 0;

      while (n < loop.n && (loop.pending[n].arrived == RCC_NEVER
              || loop.pending[n].arrived + 20 * RCC_MSEC <= loop.now))
        n++;
      rcc_tell (&s.sender, on_feedback, loop.pending, n, loop.now);
      loop.n -= n;
      for (guint i = 0; i < loop.n; i++)
        loop.pending[i] = loop.pending[i + n];
      loop.reported = loop.now;
    }
    g_assert_cmpuint (loop.n, <, G_N_ELEMENTS (loop.pending));
  }
}

static void
fresh_loop (RccGccProfile profile)
{
  start (profile);
  loop.now = loop.reported = 100 * RCC_SEC;
  loop.free = loop.n = loop.losses = 0;
}

static void
settles_under_the_link (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    fresh_loop ((RccGccProfile) profile);
    over_a_link (0, 1e6, 60, RCC_SEC);
    g_assert_cmpuint (s.target_bps, >, 600000);
    g_assert_cmpuint (s.target_bps, <, 1200000);
    g_assert_cmpuint (loop.losses, <, 20);
    /* the link shrinks to a third */
    over_a_link (0, 3e5, 10, RCC_SEC);
    g_assert_cmpuint (s.target_bps, <, 400000);
  }
}

/* A source that sends 200 kbit/s on a link of 20 Mbit/s. */
static void
an_idle_source_does_not_run_away (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    const RccConfig l = { 10000, 100000, 20000000 };

    fresh_loop ((RccGccProfile) profile);
    rcc_tell (&s.sender, on_config, &l, loop.now);
    rcc_gcc_delay_init (&s.delay, &s.config, 100000);
    over_a_link (200000, 2e7, 120, RCC_SEC);
    /* one packet more or less is in the window of R */
    g_assert_cmpuint (s.target_bps, <=, 1.5 * (200000 + 8 * SIZE * 2) + 10000);
  }
}

static void
loss_is_counted_per_packet (void)
{
  fresh_loop (RCC_GCC_DEFAULT);
  over_a_link (3e5, 1e7, 5, RCC_SEC);
  g_assert_cmpfloat (s.fraction_lost, ==, 0);
  /* a queue of 2 ms at three times the link's rate: most is dropped */
  over_a_link (9e5, 3e5, 5, 2 * RCC_MSEC);
  g_assert_cmpfloat (s.fraction_lost, >, 0.5);
  g_assert_cmpuint (s.target_bps, <=, 300000);
}

static void
a_probe_raises_the_target (void)
{
  RccPacket p[20];

  fresh_loop (RCC_GCC_DEFAULT);
  over_a_link (3e5, 1e7, 2, RCC_SEC);
  for (guint i = 0; i < G_N_ELEMENTS (p); i++)
    p[i] = (RccPacket) { .size = SIZE, .probe = i < 10 ? 1 : 0,
      .sent = loop.now + i * 5 * RCC_MSEC,
      .arrived = loop.now + i * 5 * RCC_MSEC + 25 * RCC_MSEC };
  rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), loop.now + 200 * RCC_MSEC);
  /* 1200 B every 5 ms */
  g_assert_cmpuint (s.target_bps, >, 1700000);
  g_assert_cmpuint (s.target_bps, <, 2000000);
}

/* What 1.92 Mbit/s for 50 ms, ten packets of a cluster behind @queue, raise 300 kbit/s to. */
static guint32
probed_behind (RccTime queue, double trust)
{
  RccPacket p[40];
  RccTime base;

  fresh_loop (RCC_GCC_DEFAULT);
  over_a_link (3e5, 1e7, 2, RCC_SEC);
  base = (RccTime) rcc_gcc_delay_base (&s.delay);
  s.delay.config.probe_trust = (RccTime) (trust * (double) RCC_MSEC);
  s.delay.overuse.threshold = 600;      /* deaf to how the queue came */
  s.delay.aimd.capacity = 3e6;
  for (guint i = 0; i < G_N_ELEMENTS (p); i++) {
    const RccTime jitter = i < 20 && i % 4 == 0 ? 0 : 20 * RCC_MSEC;

    p[i] = (RccPacket) { .size = SIZE, .probe = i >= 20 && i < 30 ? 1 : 0,
      .sent = loop.now + i * 5 * RCC_MSEC };
    p[i].arrived = p[i].sent + base + queue + (p[i].probe ? 0 : jitter);
  }
  rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), loop.now + 200 * RCC_MSEC);
  return s.target_bps;
}

/* Of a queue that stands, half of it raises half as much; jitter is none. */
static void
a_probe_behind_a_queue_raises_less (void)
{
  const guint32 none = probed_behind (0, 12), before = probed_behind (12 * RCC_MSEC, 12);
  const guint32 half = probed_behind (6 * RCC_MSEC, 12);

  g_assert_cmpuint (none, >, 1700000);
  g_assert_cmpuint (before, <, 600000);
  g_assert_cmpuint (half, >, before + 0.4 * (none - before));
  g_assert_cmpuint (half, <, before + 0.6 * (none - before));
  g_assert_cmpuint (probed_behind (12 * RCC_MSEC, 0), >, 1700000);
}

/* Parity and media of one cluster are one train; parity outside of clusters is none. */
static void
flags_are_no_cluster (void)
{
  static const guint32 flags[] = { RCC_PACKET_PARITY, RCC_PACKET_LATE, 0 };
  guint32 target[2];
  RccPacket p[20];

  for (guint flagged = 0; flagged < 2; flagged++) {
    fresh_loop (RCC_GCC_DEFAULT);
    over_a_link (3e5, 1e7, 2, RCC_SEC);
    for (guint i = 0; i < G_N_ELEMENTS (p); i++)
      p[i] = (RccPacket) { .size = SIZE,
        .probe = i < 10 ? 1 : 0, .flags = flagged ? flags[i % 3] : 0,
        .sent = loop.now + i * 5 * RCC_MSEC,
        .arrived = loop.now + i * 5 * RCC_MSEC + 25 * RCC_MSEC };
    rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), loop.now + 200 * RCC_MSEC);
    g_assert_cmpuint (s.cluster_id, ==, 0);
    target[flagged] = s.target_bps;
  }
  g_assert_cmpuint (target[1], ==, target[0]);
  g_assert_cmpuint (target[1], >, 1700000);
}

/* T1: the receiver's clock is set anew; the loop goes on as if nothing had been. */
static void
a_clock_jump_is_invisible (void)
{
  static const gint64 jumps[] = { 3600, -3600, 4, -4 };

  for (guint j = 0; j < G_N_ELEMENTS (jumps); j++) {
    RccTime send = 7200 * RCC_SEC;
    gint64 clock = 0;
    guint32 before = 0;
    RccPacket p[10];

    start (RCC_GCC_DEFAULT);
    for (guint round = 0; round < 200; round++) {
      if (round == 100) {
        clock = jumps[j] * (gint64) RCC_SEC;
        before = s.target_bps;
      }
      for (guint i = 0; i < 10; i++, send += 10 * RCC_MSEC) {
        sent (send);
        p[i] = (RccPacket) { .size = SIZE, .sent = send,
          .arrived = (RccTime) ((gint64) (send + 20 * RCC_MSEC) + clock) };
      }
      rcc_tell (&s.sender, on_feedback, p, 10, send);
      if (round >= 100)
        g_assert_cmpuint (s.target_bps, >=, before);
    }
    g_assert_cmpuint (s.delay.overuse.overuses, ==, 0);
    g_assert_cmpuint (s.target_bps, <=, 1.7 * 960000);
  }
}

/* The next one begins: the one before it, which is over, is not judged again. */
static void
a_cluster_is_judged_once (void)
{
  const RccPacket p = { .size = SIZE, .probe = 2, .sent = 2 * RCC_SEC,
    .arrived = 2 * RCC_SEC + 20 * RCC_MSEC };

  start (RCC_GCC_DEFAULT);
  rcc_cluster_start (&s.cluster, RCC_SEC, RCC_SEC + 20 * RCC_MSEC, SIZE);
  for (guint i = 1; i < 8; i++)
    rcc_cluster_add (&s.cluster, RCC_SEC + i * 5 * RCC_MSEC,
        RCC_SEC + 20 * RCC_MSEC + i * 5 * RCC_MSEC, SIZE);
  s.prober.asked_bps = 4e6;
  rcc_tell (&s.sender, on_feedback, &p, 1, 3 * RCC_SEC);
  g_assert_cmpfloat (rcc_gcc_delay_bps (&s.delay), <, 400e3);
}

/* While the queue grows a probe shows what it has filled, not what there is. */
static void
no_probe_raises_what_is_over (void)
{
  const RccPacket p = { .size = SIZE, .probe = 2, .sent = 2 * RCC_SEC,
    .arrived = 2 * RCC_SEC + 20 * RCC_MSEC };

  for (guint over = 0; over < 2; over++) {
    start (RCC_GCC_DEFAULT);
    s.has_feedback = true;
    s.cluster_id = 1;
    rcc_cluster_start (&s.cluster, RCC_SEC, RCC_SEC + 20 * RCC_MSEC, SIZE);
    for (guint i = 1; i < 8; i++)
      rcc_cluster_add (&s.cluster, RCC_SEC + i * 5 * RCC_MSEC,
          RCC_SEC + 20 * RCC_MSEC + i * 5 * RCC_MSEC, SIZE);
    s.prober.asked_bps = 4000000;
    s.delay.overuse.usage = over ? RCC_USAGE_OVER : RCC_USAGE_NORMAL;
    rcc_tell (&s.sender, on_feedback, &p, 1, 3 * RCC_SEC);
    if (over)
      g_assert_cmpfloat (rcc_gcc_delay_bps (&s.delay), ==, 300000);
    else
      g_assert_cmpfloat (rcc_gcc_delay_bps (&s.delay), >, 1.5e6);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-sender-loop/settles-under-the-link", settles_under_the_link);
  g_test_add_func ("/gcc-sender-loop/an-idle-source-does-not-run-away",
      an_idle_source_does_not_run_away);
  g_test_add_func ("/gcc-sender-loop/loss-is-counted-per-packet", loss_is_counted_per_packet);
  g_test_add_func ("/gcc-sender-loop/a-probe-raises-the-target", a_probe_raises_the_target);
  g_test_add_func ("/gcc-sender-loop/flags-are-no-cluster", flags_are_no_cluster);
  g_test_add_func ("/gcc-sender-loop/a-clock-jump-is-invisible", a_clock_jump_is_invisible);
  g_test_add_func ("/gcc-sender-loop/a-cluster-is-judged-once", a_cluster_is_judged_once);
  g_test_add_func ("/gcc-sender-loop/a-probe-behind-a-queue-raises-less",
      a_probe_behind_a_queue_raises_less);
  g_test_add_func ("/gcc-sender-loop/no-probe-raises-what-is-over", no_probe_raises_what_is_over);
  return g_test_run ();
}
