/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <string.h>
#include "delay-rig.h"
#include "core/rng.h"

static const RccFilterKind filters[] = {
  RCC_FILTER_KALMAN, RCC_FILTER_KALMAN2, RCC_FILTER_TRENDLINE,
};

/* The whole chain, with each filter: queue grows -> m > 0 -> over -> A falls below R. */
static void
a_growing_queue_decreases (void)
{
  for (guint f = 0; f < 3; f++)
    for (guint profile = 0; profile < 2; profile++) {
      Path p = path ((RccGccProfile) profile, filters[f], 1.5e6);

      run (&p, 1.5e6, 1e7, 2);
      g_assert_cmpuint (p.overuses, ==, 0);
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), >, 1.5e6);
      run (&p, 1.5e6, 1e6, 1);
      g_assert_cmpuint (p.overuses, >=, 1);
      g_assert_cmpfloat (p.d.m, >, 0);
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), <, 1e6);
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), >, 4e5);
      g_assert_cmpuint (p.d.queue, >, 300 * RCC_MSEC);
    }
}

/* 300 ms in which nothing moves: the path is as wide as before, and so much waits. */
static void
a_pause_need_not_count (void)
{
  for (guint on = 0; on < 2; on++) {
    Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);
    double least = INFINITY;

    p.d.config.pause = on ? 150 * RCC_MSEC : 0;
    run (&p, 0.95e6, 1e6, 5);
    p.free = p.send + 300 * RCC_MSEC;
    for (guint i = 0; i < 20; i++) {
      run (&p, RCC_MIN (rcc_gcc_delay_bps (&p.d), 0.95e6), 1e6, 0.02);
      g_assert_cmpuint (p.d.paused_bytes % SIZE, ==, 0);
      least = RCC_MIN (least, rcc_gcc_delay_bps (&p.d));
    }
    /* by half of what passes, for the queue; without: of what passed in half a second */
    if (on)
      g_assert_cmpfloat (least, >, 0.4e6);
    else
      g_assert_cmpfloat (least, <, 0.35e6);
  }
}

/* A source at half the link's rate, then above it, until the first decrease. */
static Path
first_decrease (double bps, RccTime stand_time)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 9e5);

  p.d.config.stand_time = stand_time;
  run (&p, 0.5e6, 1e6, 5);
  for (guint i = 0; i < 100 && p.d.aimd.decreases == 0; i++)
    run (&p, bps, 1e6, 0.01);
  g_assert_cmpuint (p.d.aimd.decreases, ==, 1);
  return p;
}

static void
a_young_queue_only_holds (void)
{
  const Path heedless = first_decrease (1.1e6, 0);
  const Path p = first_decrease (1.1e6, 60 * RCC_MSEC);

  g_assert_cmpuint (heedless.overuses, ==, 1);
  g_assert_cmpuint (heedless.d.arrival - heedless.d.stands_since, <, 60 * RCC_MSEC);
  g_assert_cmpuint (p.overuses, ==, 2);
  g_assert_cmpuint (p.d.arrival - p.d.stands_since, >=, 60 * RCC_MSEC);
  g_assert_cmpuint (p.d.queue, <, 30 * RCC_MSEC);
}

static void
what_leaves_a_queue_is_the_rate (void)
{
  static const double rates[] = { 1.1e6, 1.25e6, 1.5e6 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    const Path mixed = first_decrease (rates[i], 0);
    const Path p = first_decrease (rates[i], 60 * RCC_MSEC);

    g_assert_cmpfloat (mixed.d.aimd.capacity, <, 0.97e6);
    g_assert_cmpfloat_with_epsilon (p.d.aimd.capacity, 1e6, 1e4);
  }
}

static void
a_draining_queue_holds (void)
{
  for (guint f = 0; f < 3; f++) {
    Path p = path (RCC_GCC_PAPER, filters[f], 1.5e6);
    double least = 0, bps;

    run (&p, 1.5e6, 1e6, 2);
    bps = rcc_gcc_delay_bps (&p.d);
    for (guint i = 0; i < 20; i++) {
      run (&p, 5e5, 1e6, 0.05);
      least = RCC_MIN (least, p.d.m);
      if (p.d.overuse.usage == RCC_USAGE_UNDER)
        g_assert_cmpstr (p.d.state, ==, "hold");
    }
    g_assert_cmpfloat (least, <, 0);
    g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), <=, bps * 1.1);
  }
}

static void
increases_while_nothing_queues (void)
{
  Path p = path (RCC_GCC_PAPER, RCC_FILTER_KALMAN, 1e6);

  run (&p, 1e6, 1e7, 5);
  g_assert_cmpfloat_with_epsilon (rcc_gcc_delay_bps (&p.d) / 1e6, pow (1.08, 5), 0.03);
  run (&p, 1e6, 1e7, 30);               /* and no further than 1.5 R + 10 kbit/s */
  g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), <=, 1.53e6 + 1e4);
  g_assert_cmpuint (p.d.received_bps, >, 970000);
  g_assert_cmpuint (p.d.received_bps, <, 1030000);
  g_assert_cmpuint (p.d.queue, <, 2 * RCC_MSEC);
}

/* A closed loop: the source sends what the estimate says.  Settles under the link
 * and keeps its queue short. */
static void
settles_under_the_link (void)
{
  for (guint f = 0; f < 3; f++) {
    Path p = path (RCC_GCC_DEFAULT, filters[f], 3e5);
    double sum = 0, queue = 0;

    for (guint i = 0; i < 1200; i++) {  /* 60 s */
      run (&p, RCC_CLAMP (rcc_gcc_delay_bps (&p.d), 5e4, 1e7), 1e6, 0.05);
      if (i >= 600) {
        sum += RCC_MIN (rcc_gcc_delay_bps (&p.d), 1e6);
        queue += (double) p.d.queue * 1e-6;
      }
    }
    g_test_message ("filter %u: %.0f kbit/s of 1000, queue %.0f ms", f, sum / 6e5, queue / 600);
    g_assert_cmpfloat (sum / 600, >, 0.75e6);
    g_assert_cmpfloat (queue / 600, <, 100);
  }
}

/* T1: the receiver's or the sender's clock is set anew. */
static void
clock_jumps_are_invisible (void)
{
  static const gint64 jumps[] = { 3600, -3600, 4, -4, 86400 * 7, -20 };

  for (guint f = 0; f < 3; f++)
    for (guint j = 0; j < 2 * G_N_ELEMENTS (jumps); j++) {
      Path p = path (RCC_GCC_DEFAULT, filters[f], 1e6);
      double before;

      p.send += 86400 * 30 * RCC_SEC;
      run (&p, 1e6, 1e7, 10);
      before = rcc_gcc_delay_bps (&p.d);
      p.clock += jumps[j / 2] * (gint64) RCC_SEC;
      if (j % 2) {                      /* the sender's: arrivals go on as before */
        p.send -= (RccTime) (jumps[j / 2] * (gint64) RCC_SEC);
        p.free -= (RccTime) (jumps[j / 2] * (gint64) RCC_SEC);
      }
      run (&p, 1e6, 1e7, 5);
      g_assert_cmpuint (p.overuses, ==, 0);
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), >=, before);
      /* a window that fills anew may read a packet high */
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), <=, 1.7e6);
      g_assert_cmpuint (p.d.received_bps, >, 970000);
      g_assert_cmpuint (p.d.received_bps, <, 1030000);
      if (ABS (jumps[j / 2]) > 60)
        g_assert_cmpuint (p.d.queue, <, 5 * RCC_MSEC);
      /* and the next real queue is seen */
      run (&p, 1.5e6, 1e6, 2);
      g_assert_cmpuint (p.overuses, >=, 1);
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), <, 1.05e6);
    }
}

/* However far back: R is what comes now, not what came and comes. */
static void
the_rate_survives_a_step_back (void)
{
  static const gint64 back[] = { 1, 10, 3600, 86400 };

  for (guint i = 0; i < G_N_ELEMENTS (back); i++) {
    Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);

    p.send += 86400 * 30 * RCC_SEC;
    run (&p, 1e6, 1e7, 10);
    p.clock -= back[i] * (gint64) RCC_SEC;
    run (&p, 2e5, 1e7, 2);
    g_assert_cmpuint (p.d.received_bps, >, 170000);
    g_assert_cmpuint (p.d.received_bps, <, 230000);
  }
}

static void
a_measurement_raises (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);

  rcc_gcc_delay_raise (&p.d, 2e6, 1000 * RCC_SEC);
  g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), ==, 2e6);
  g_assert_cmpuint (p.d.estimate_bps, ==, 2000000);
  rcc_gcc_delay_raise (&p.d, 1e6, 1000 * RCC_SEC);
  g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), ==, 2e6);
}

/* Behind no queue a probe is believed, behind the longest not at all, in between in proportion.
 * Where others keep a queue, each would be behind one; at a start there is nothing better. */
static void
a_probe_counts_by_its_queue (void)
{
  static const struct { RccTime trust, queue; double busy, capacity, bps, share; } cases[] = {
    { 0, 200 * RCC_MSEC, 0, 1e6, 2e6, .5 }, { 40 * RCC_MSEC, 0, 0, 1e6, 2e6, .5 },
    { 40 * RCC_MSEC, 10 * RCC_MSEC, 0, 1e6, 1.75e6, .5 },
    { 40 * RCC_MSEC, 40 * RCC_MSEC, 0, 1e6, 1e6, .5 },
    { 40 * RCC_MSEC, RCC_NEVER, 0, 1e6, 1e6, .5 },
    { 40 * RCC_MSEC, 40 * RCC_MSEC, .5, 1e6, 1e6, .5 },
    { 40 * RCC_MSEC, 40 * RCC_MSEC, .51, 1e6, 2e6, .5 },
    { 40 * RCC_MSEC, 40 * RCC_MSEC, 0, 1e6, 2e6, 0 },
    { 40 * RCC_MSEC, 40 * RCC_MSEC, 0, 0, 2e6, .5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);

    p.d.config.probe_trust = cases[i].trust;
    p.d.config.tcp_share = cases[i].share;
    p.d.tcp.busy = cases[i].busy;
    p.d.aimd.capacity = cases[i].capacity;
    rcc_gcc_delay_probed (&p.d, 2e6, cases[i].queue, 1000 * RCC_SEC);
    g_assert_cmpfloat_with_epsilon (rcc_gcc_delay_bps (&p.d), cases[i].bps, 1);
    rcc_gcc_delay_probed (&p.d, 0.5e6, cases[i].queue, 1000 * RCC_SEC);
    g_assert_cmpfloat_with_epsilon (rcc_gcc_delay_bps (&p.d), cases[i].bps, 1);
  }
}

static void
the_table_names_what_is_there (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 123456);
  guint found = 0;

  for (const RccField *f = rcc_gcc_delay_fields; f->name; f++) {
    const gchar *field = (const gchar *) &p.d + f->offset;

    g_assert_cmpuint (f->offset, <, sizeof p.d);
    if (strcmp (f->name, "delay-target-bitrate") == 0)
      found += *(const guint32 *) (gconstpointer) field == 123456;
    if (strcmp (f->name, "usage") == 0)
      found += strcmp (*(const gchar *const *) (gconstpointer) field, "normal") == 0;
  }
  g_assert_cmpuint (found, ==, 2);
}

static void
any_arrival_leaves_it_sane (void)
{
  for (guint f = 0; f < 6; f++) {
    Path p = path ((RccGccProfile) (f % 2), filters[f / 2], 3e5);
    RccTime send = 1000 * RCC_SEC, arrival = 5000 * RCC_SEC;
    RccRng r;

    rcc_rng_init (&r, 11, f);
    for (guint i = 0; i < 200000; i++) {
      const guint32 dice = rcc_rng_u32 (&r);

      send += dice % (40 * RCC_MSEC) - 4 * RCC_MSEC;
      arrival += rcc_rng_u32 (&r) % (40 * RCC_MSEC) - 4 * RCC_MSEC;
      if (dice % 1000 == 0)
        send = (RccTime) rcc_rng_u32 (&r) * RCC_SEC;
      if (dice % 1000 == 1)
        arrival = (RccTime) rcc_rng_u32 (&r) * RCC_SEC;
      rcc_gcc_delay_packet (&p.d, send, arrival, dice % 65536);
      if (dice % 100 == 2)
        rcc_gcc_delay_raise (&p.d, rcc_rng_u32 (&r), arrival);
      if (dice % 100 == 3)
        rcc_gcc_delay_set_rtt (&p.d, rcc_rng_u32 (&r) * (guint64) 14);
      g_assert_true (isfinite (p.d.aimd.bps) && p.d.aimd.bps >= 0);
      g_assert_true (isfinite (p.d.m) && isfinite (p.d.trend));
    }
  }
}

/* While over-use lasts, what has come within the short window is the rate: not the mean with
 * what came before the source rose. */
static void
a_risen_source_is_told_by_the_short_window (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 9e5);

  p.d.config.stand_time = 0;
  p.d.config.aimd.queue_floor = p.d.aimd.config.queue_floor = 0;
  g_assert_cmpuint (config.fast_window, >, 0);
  run (&p, 0.3e6, 1e6, 5);
  for (guint i = 0; i < 100 && p.d.aimd.decreases == 0; i++)
    run (&p, 1.5e6, 1e6, 0.01);
  g_assert_cmpuint (p.d.aimd.decreases, ==, 1);
  g_assert_cmpfloat (p.d.aimd.capacity, >, 1.15 * rcc_window_bps (&p.d.rate, p.d.arrival));
}

/* gcc-groups.h: what leaves faster than merge_faster times the rate is one burst. */
static void
bursts_are_told_by_the_rate_received (void)
{
  for (guint on = 0; on < 2; on++) {
    Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 9e5);

    g_assert_cmpfloat (p.d.config.merge_faster, ==, 2.0);
    p.d.config.merge_faster = on ? 2.0 : 0.0;
    run (&p, 5e5, 1e6, 2);
    g_assert_cmpfloat_with_epsilon (p.d.groups.normal_bps, on ? 1e6 : 0.0, 4e4);
  }
}

/* Each group that is compared with the one before is said to be. */
static void
each_comparison_is_told (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);
  RccGccDelay d;

  rcc_gcc_delay_init (&d, &config, 1e6);
  for (guint i = 0; i < 50; i++) {
    const RccTime at = 100 * RCC_SEC + i * 20 * RCC_MSEC;
    const guint64 before = d.samples;
    const bool reported = rcc_gcc_delay_packet (&d, at, at + 20 * RCC_MSEC, SIZE);

    g_assert_cmpuint (reported, ==, i >= 2);
    g_assert_cmpuint (d.samples - before, ==, i >= 2);
  }
}

static void
the_state_has_a_name (void)
{
  Path p = path (RCC_GCC_PAPER, RCC_FILTER_KALMAN, 1.5e6);

  g_assert_cmpstr (p.d.state, ==, "increase");
  g_assert_cmpstr (p.d.usage, ==, "normal");
  for (guint i = 0; i < 200 && p.d.aimd.state != RCC_AIMD_DECREASE; i++)
    run (&p, 1.5e6, 1e6, 0.01);
  g_assert_cmpstr (p.d.state, ==, "decrease");
  g_assert_cmpstr (p.d.usage, ==, "over");
  run (&p, 1.5e6, 1e6, 2);
  for (guint i = 0; i < 200 && p.d.overuse.usage != RCC_USAGE_UNDER; i++)
    run (&p, 5e5, 1e6, 0.01);
  g_assert_cmpstr (p.d.usage, ==, "under");
  g_assert_cmpstr (p.d.state, ==, "hold");
}

static void
each_filter_is_set_up_as_asked (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_RRTCC);
  RccGccDelay d;

  rcc_gcc_delay_init (&d, &config, 1e6);
  g_assert_cmpfloat (d.filter.kalman2.slope_noise, ==, 1e-10);
  g_assert_cmpfloat (d.filter.kalman2.offset_noise, ==, 1e-2);
  config.slope_noise = config.offset_noise = 0;         /* the filter's own */
  rcc_gcc_delay_init (&d, &config, 1e6);
  g_assert_cmpfloat (d.filter.kalman2.slope_noise, ==, 1e-13);
  g_assert_cmpfloat (d.filter.kalman2.offset_noise, ==, 1e-3);
  config = rcc_gcc_config (RCC_GCC_PAPER);
  config.clip = 2.0;
  g_assert_false (config.clip_state);
  rcc_gcc_delay_init (&d, &config, 1e6);
  g_assert_cmpfloat (d.filter.kalman.clip, ==, 2.0);
  g_assert_false (d.filter.kalman.clip_state);
  config.clip_state = true;
  rcc_gcc_delay_init (&d, &config, 1e6);
  g_assert_true (d.filter.kalman.clip_state);
}

/* Which eta of the draft of 2012 goes by; nobody else measures it. */
static void
only_the_filter_of_two_states_tells_the_noise (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (filters); f++) {
    Path p = path (RCC_GCC_RRTCC, filters[f], 1e6);

    run (&p, 1e6, 1e7, 2);
    g_assert_cmpfloat (p.d.aimd.noise, ==, filters[f] == RCC_FILTER_KALMAN2
        ? p.d.filter.kalman2.var : 0.0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-delay/a-growing-queue-decreases", a_growing_queue_decreases);
  g_test_add_func ("/gcc-delay/a-pause-need-not-count", a_pause_need_not_count);
  g_test_add_func ("/gcc-delay/a-young-queue-only-holds", a_young_queue_only_holds);
  g_test_add_func ("/gcc-delay/what-leaves-a-queue-is-the-rate",
      what_leaves_a_queue_is_the_rate);
  g_test_add_func ("/gcc-delay/a-draining-queue-holds", a_draining_queue_holds);
  g_test_add_func ("/gcc-delay/increases-while-nothing-queues",
      increases_while_nothing_queues);
  g_test_add_func ("/gcc-delay/settles-under-the-link", settles_under_the_link);
  g_test_add_func ("/gcc-delay/clock-jumps-are-invisible", clock_jumps_are_invisible);
  g_test_add_func ("/gcc-delay/the-rate-survives-a-step-back",
      the_rate_survives_a_step_back);
  g_test_add_func ("/gcc-delay/a-measurement-raises", a_measurement_raises);
  g_test_add_func ("/gcc-delay/a-probe-counts-by-its-queue", a_probe_counts_by_its_queue);
  g_test_add_func ("/gcc-delay/the-table-names-what-is-there", the_table_names_what_is_there);
  g_test_add_func ("/gcc-delay/any-arrival-leaves-it-sane", any_arrival_leaves_it_sane);
  g_test_add_func ("/gcc-delay/a-risen-source-is-told-by-the-short-window", a_risen_source_is_told_by_the_short_window);
  g_test_add_func ("/gcc-delay/bursts-are-told-by-the-rate-received", bursts_are_told_by_the_rate_received);
  g_test_add_func ("/gcc-delay/each-comparison-is-told", each_comparison_is_told);
  g_test_add_func ("/gcc-delay/the-state-has-a-name", the_state_has_a_name);
  g_test_add_func ("/gcc-delay/each-filter-is-set-up-as-asked", each_filter_is_set_up_as_asked);
  g_test_add_func ("/gcc-delay/only-the-filter-of-two-states-tells-the-noise",
      only_the_filter_of_two_states_tells_the_noise);
  return g_test_run ();
}
