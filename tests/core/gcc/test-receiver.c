/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/receiver.h"
#include "core/rng.h"

#define SIZE 1200
#define REMB_SIZE 80                    /* with RR, CNAME and UDP/IP headers */

static const RccConfig limits = { 50000, 300000, 10000000 };

typedef struct {
  RccGccReceiver r;
  RccTime send, free;
} Call;

static Call
call (RccGccProfile profile)
{
  const RccGccConfig config = rcc_gcc_config (profile);
  Call c = { .send = 1000 * RCC_SEC };

  rcc_gcc_receiver_init (&c.r, &config, &limits);
  return c;
}

static RccTime
one (Call *c, double bps, double capacity)
{
  RccTime arrival;

  c->free = RCC_MAX (c->free, c->send) + (RccTime) (8e9 * SIZE / capacity);
  arrival = c->free + 20 * RCC_MSEC;
  rcc_gcc_receiver_packet (&c->r, c->send, arrival, SIZE);
  c->send += (RccTime) (8e9 * SIZE / bps);
  return arrival;
}

static RccTime
run (Call *c, double bps, double capacity, double seconds)
{
  const RccTime end = c->send + (RccTime) (seconds * 1e9);
  RccTime arrival = 0;

  while (c->send < end)
    arrival = one (c, bps, capacity);
  return arrival;
}

/* They come in any order, and some come late. */
static void
the_missing_count_once (void)
{
  Call c = call (RCC_GCC_DEFAULT);

  rcc_gcc_receiver_missing (&c.r, 3);
  g_assert_cmpfloat (c.r.delay.full.lost, ==, 3);
  g_assert_cmpfloat_with_epsilon (c.r.delay.full.loss, 3. / 4 * 4 / 200, 1e-9);
  rcc_gcc_receiver_missing (&c.r, 3);
  g_assert_cmpfloat (c.r.delay.full.lost, ==, 3);
  rcc_gcc_receiver_missing (&c.r, 1);
  g_assert_cmpfloat (c.r.delay.full.lost, ==, 1);
}

/* What came before a loss counts before it, and three packets behind it at once; what else comes
 * counts sixteen at a time. */
static void
what_came_counts_in_order (void)
{
  Call c = call (RCC_GCC_DEFAULT), each = call (RCC_GCC_DEFAULT);
  static const guint rows[] = { 5, 16, 40, 1 };
  guint64 missing = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    for (guint k = 0; k < rows[i]; k++) {
      rcc_gcc_receiver_missing (&c.r, missing);
      rcc_gcc_delay_losses (&each.r.delay, 0, 1);
    }
    rcc_gcc_receiver_missing (&c.r, missing += 2);
    rcc_gcc_delay_losses (&each.r.delay, 2, 3);
    g_assert_cmpfloat_with_epsilon (c.r.delay.full.loss, each.r.delay.full.loss, 1e-3);
    g_assert_cmpint (c.r.delay.tcp.number, ==, each.r.delay.tcp.number);
    g_assert_cmpint (c.r.delay.tcp.events.lost, ==, each.r.delay.tcp.events.lost);
  }
  for (gint64 k = 0; k < 3 + 16; k++) {
    g_assert_cmpint (c.r.delay.tcp.number, ==, each.r.delay.tcp.number + MIN (k, 3));
    rcc_gcc_receiver_missing (&c.r, missing);
  }
  g_assert_cmpint (c.r.delay.tcp.number, ==, each.r.delay.tcp.number + 19);
}

/* Five seconds after the last train, or the first packet where there was none. */
static void
without_trains_nobody_probes (void)
{
  static const struct { RccTime train, at; bool unprobed; } cases[] = {
    { RCC_NEVER, 15 * RCC_SEC, false }, { RCC_NEVER, 15 * RCC_SEC + 1, true },
    { 12 * RCC_SEC, 17 * RCC_SEC, false }, { 12 * RCC_SEC, 17 * RCC_SEC + 1, true },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Call c = call (RCC_GCC_DEFAULT);

    c.r.config.trains = true;
    rcc_gcc_receiver_packet (&c.r, RCC_SEC, 10 * RCC_SEC, SIZE);
    c.r.train_at = cases[i].train;
    rcc_gcc_receiver_packet (&c.r, RCC_SEC + cases[i].at, cases[i].at, SIZE);
    g_assert_cmpint (c.r.delay.aimd.unprobed, ==, cases[i].unprobed);
  }
}

/* 700 kbit/s of a clock that wakes each 60 ms, over 4 Mbit/s, for 5 s: with @interval 0 each burst
 * tells of the path; else one a second does.  From the third second on @more ms wait in the path. */
static guint
trains_believed (RccTime interval, RccTime more)
{
  Call c = call (RCC_GCC_DEFAULT);
  guint believed = 0;

  c.r.config.train_interval = interval;
  for (guint i = 0; i < 83; i++) {
    const RccTime wakes = c.send + (RccTime) (i * 60) * RCC_MSEC;
    const RccTime before = c.r.train_at;

    c.r.delay.aimd.bps = 700e3;         /* else the first one would be the last that is faster */
    for (guint k = 0; k < 8; k++) {
      const RccTime send = wakes + k * 2 * RCC_MSEC;

      rcc_gcc_receiver_packet (&c.r, send, send + 20 * RCC_MSEC + k * RCC_MSEC / 2
          + (i < 50 ? 0 : more), SIZE * 5 / 9);
    }
    believed += c.r.train_at != before;
  }
  return believed;
}

static void
what_was_deferred_counts_once_a_second (void)
{
  const guint each = trains_believed (0, 0), some = trains_believed (RCC_SEC, 0);
  const guint behind = trains_believed (RCC_SEC, 100 * RCC_MSEC);

  g_assert_cmpuint (each, >=, 40);
  g_assert_cmpuint (trains_believed (0, 100 * RCC_MSEC), >=, 40);
  g_assert_cmpuint (some, >=, 4);
  g_assert_cmpuint (some, <=, 6);
  g_assert_cmpuint (behind, <, some);
}

static void
says_nothing_before_it_knows (void)
{
  Call c = call (RCC_GCC_DEFAULT);
  RccTime first;

  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, RCC_NEVER);
  first = one (&c, 250000, 1e7);
  while (rcc_gcc_receiver_deadline (&c.r) == RCC_NEVER)
    g_assert_cmpuint (one (&c, 250000, 1e7), <, first + RCC_SEC);
  g_assert_true (c.r.valid);
  g_assert_cmpuint (c.r.bps, >=, 250000);
}

/* The paper's receiver has an estimate from the start, and tells it. */
static void
the_paper_starts_from_a_set_rate (void)
{
  Call c = call (RCC_GCC_PAPER);

  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, RCC_NEVER);
  one (&c, 250000, 1e7);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, 0);
  g_assert_cmpuint (c.r.bps, ==, 300000);
}

/* An over-use before the first half second is over: below what came, not at it. */
static void
an_early_overuse_is_heeded (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  Call c = { .send = 1000 * RCC_SEC };

  config.trains = false;                /* they would speak first */
  config.grouping = RCC_GROUPING_DRAFT; /* an even stream: a group every 5 ms */
  rcc_gcc_receiver_init (&c.r, &config, &limits);
  while (c.r.delay.overuse.overuses == 0) {
    g_assert_false (c.r.valid);
    one (&c, 3000000, 2500000);
  }
  g_assert_true (c.r.valid);
  g_assert_cmpuint (c.r.bps, >, 1500000);       /* not the start bitrate either */
  g_assert_cmpuint (c.r.bps, <, 0.96 * rcc_window_bps (&c.r.delay.rate,
          c.r.delay.groups.last_arrival));
}

static void
tells_every_interval (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    Call c = call ((RccGccProfile) profile);
    const RccTime interval = c.r.config.feedback_interval;
    const RccTime now = run (&c, 1000000, 1e7, 2);

    rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
    g_assert_cmpuint (c.r.reported_bps, ==, c.r.bps);
    g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, now + interval);
  }
}

static void
tells_a_fall_at_once (void)
{
  Call c = call (RCC_GCC_PAPER);
  RccTime now = run (&c, 1000000, 1e7, 2);

  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
  c.r.bps = (guint32) (0.971 * c.r.reported_bps);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, now + RCC_SEC);
  c.r.bps = (guint32) (0.969 * c.r.reported_bps);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, c.r.allowed);
  g_assert_cmpuint (c.r.allowed, <, now + 100 * RCC_MSEC);
  /* the paper's tells no rise early; the one with trains does */
  c.r.bps = 2 * c.r.reported_bps;
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, now + RCC_SEC);
  c = call (RCC_GCC_DEFAULT);
  now = run (&c, 1000000, 1e7, 2);
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
  c.r.bps = (guint32) (1.04 * c.r.reported_bps);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, c.r.allowed);
}

/* The same, end to end: the link shrinks, and the deadline comes before the second. */
static void
a_real_fall_is_told_early (void)
{
  Call c = call (RCC_GCC_PAPER);
  RccTime now = run (&c, 1000000, 1e7, 5);

  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
  while (rcc_gcc_receiver_deadline (&c.r) > now)
    now = one (&c, 1000000, 5e5);
  g_assert_cmpuint (now, <, c.r.reported + 900 * RCC_MSEC);
  g_assert_cmpuint (c.r.bps, <, 0.97 * c.r.reported_bps);
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
  g_assert_cmpuint (c.r.early, ==, 1);
}

/* RFC 3550 6.2: 5 % of the bandwidth, however urgent. */
static void
keeps_to_its_share_of_the_bandwidth (void)
{
  Call c = call (RCC_GCC_DEFAULT);
  RccTime now = run (&c, 60000, 1e7, 5);
  guint64 bytes = 0;
  RccTime start = now;

  for (guint i = 0; i < 1000; i++) {
    c.r.heard = now;                    /* media goes on */
    rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
    bytes += REMB_SIZE;
    /* a fall and a rise in turn: always urgent */
    c.r.bps = i % 2 ? 60000 : 50000;
    now = rcc_gcc_receiver_deadline (&c.r);
    g_assert_cmpuint (now, >, c.r.reported);
  }
  g_assert_cmpfloat (8e9 * bytes / (double) (now - start), <=, 0.05 * 60000 * 1.001);
}

static void
stays_within_its_limits (void)
{
  Call c = call (RCC_GCC_DEFAULT);
  const RccConfig low = { 50000, 300000, 200000 }, crossed = { 400000, 300000, 100000 };

  run (&c, 1000000, 1e7, 5);
  g_assert_cmpuint (c.r.bps, >, 1000000);
  rcc_gcc_receiver_limits (&c.r, &low);
  g_assert_cmpuint (c.r.bps, ==, 200000);
  rcc_gcc_receiver_limits (&c.r, &crossed);     /* min wins */
  g_assert_cmpuint (c.r.bps, ==, 400000);
  run (&c, 100000, 5e4, 5);
  g_assert_cmpuint (c.r.bps, ==, 400000);
}

static void
packets_without_a_send_time_only_count (void)
{
  Call c = call (RCC_GCC_PAPER);

  for (guint i = 0; i < 100; i++)
    rcc_gcc_receiver_packet (&c.r, RCC_NEVER, 1000 * RCC_SEC + i * 10 * RCC_MSEC, SIZE);
  g_assert_cmpuint (c.r.packets, ==, 100);
  g_assert_cmpuint (c.r.bytes, ==, 100 * SIZE);
  g_assert_cmpuint (c.r.delay.samples, ==, 0);
  g_assert_cmpuint (c.r.bps, ==, 300000);
}

/* A cluster at 3 Mbit/s within a stream of 1 Mbit/s lifts the estimate at once. */
static void
a_train_lifts_the_estimate (void)
{
  Call c = call (RCC_GCC_DEFAULT);

  run (&c, 1000000, 1e7, 1);
  g_assert_cmpuint (c.r.bps, <, 1300000);
  run (&c, 3000000, 1e7, 0.04);
  c.send += 80 * RCC_MSEC;              /* the pacer has it paid back */
  run (&c, 1000000, 1e7, 0.1);
  g_assert_cmpuint (c.r.bps, >, 2500000);
  g_assert_cmpuint (c.r.bps, <, 3300000);
  /* the paper's has none of that */
  c = call (RCC_GCC_PAPER);
  run (&c, 1000000, 1e7, 1);
  run (&c, 3000000, 1e7, 0.04);
  c.send += 80 * RCC_MSEC;              /* the pacer has it paid back */
  run (&c, 1000000, 1e7, 0.1);
  g_assert_cmpuint (c.r.bps, <, 1300000);
}

/* RFC 8888: each interval in which something came; nothing about nothing. */
static void
arrivals_are_told_as_they_come (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);
  Call c = { .send = 1000 * RCC_SEC };
  RccTime first, now;

  config.arrivals = true;
  config.feedback_interval = 50 * RCC_MSEC;
  rcc_gcc_receiver_init (&c.r, &config, &limits);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, RCC_NEVER);
  first = one (&c, 1000000, 1e7);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, first + 50 * RCC_MSEC);
  now = run (&c, 1000000, 1e7, 1);
  g_assert_false (c.r.valid);
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, RCC_NEVER);
  one (&c, 1000000, 1e7);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, now + 50 * RCC_MSEC);
  /* 5 % of what comes in, which is more than the start bitrate */
  rcc_gcc_receiver_reported (&c.r, 1000, false, now);
  one (&c, 1000000, 1e7);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), >, now + 140 * RCC_MSEC);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), <, now + 180 * RCC_MSEC);
}

/* A report that takes several messages: as fast as the share allows, by a late clock at once. */
static void
what_is_left_over_is_told_next (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);
  Call c = { .send = 1000 * RCC_SEC };
  RccTime now, next;

  config.arrivals = true;
  config.feedback_interval = 50 * RCC_MSEC;
  rcc_gcc_receiver_init (&c.r, &config, &limits);
  now = run (&c, 1000000, 1e7, 1);
  rcc_gcc_receiver_reported (&c.r, 100, true, now);
  next = rcc_gcc_receiver_deadline (&c.r);
  g_assert_cmpuint (next, >, now + 14 * RCC_MSEC);      /* 800 bits at 5 % of 1 Mbit/s */
  g_assert_cmpuint (next, <, now + 18 * RCC_MSEC);
  rcc_gcc_receiver_reported (&c.r, 100, true, next + 40 * RCC_MSEC);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), <, next + 40 * RCC_MSEC);    /* at once */
  rcc_gcc_receiver_reported (&c.r, 100, false, next + 40 * RCC_MSEC);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, RCC_NEVER);
  one (&c, 1000000, 1e7);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), >=, next + 90 * RCC_MSEC);
}

static void
a_stream_that_ended_is_not_told_of (void)
{
  Call c = call (RCC_GCC_DEFAULT);
  RccTime now = run (&c, 1000000, 1e7, 2);
  const RccTime heard = c.r.heard;

  while ((now = rcc_gcc_receiver_deadline (&c.r)) != RCC_NEVER) {
    g_assert_cmpuint (now, <=, heard + 2 * RCC_SEC + c.r.config.feedback_interval);
    rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, RCC_MAX (now, heard));
  }
  g_assert_cmpuint (c.r.reported, >=, heard + 2 * RCC_SEC);
  c.send += 60 * RCC_SEC;
  one (&c, 1000000, 1e7);
  g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), <=, c.r.heard);
}

static void
any_stream_stays_within_limits (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    Call c = call ((RccGccProfile) profile);
    RccTime now = 1000 * RCC_SEC, send = 1000 * RCC_SEC;
    RccConfig l = limits;
    RccRng r;

    rcc_rng_init (&r, 12, profile);
    for (guint i = 0; i < 1000000; i++) {
      const guint32 dice = rcc_rng_u32 (&r);

      now += dice % (20 * RCC_MSEC);
      send += rcc_rng_u32 (&r) % (22 * RCC_MSEC) - RCC_MSEC;
      if (dice % 5000 == 0)
        send = (RccTime) rcc_rng_u32 (&r) * RCC_SEC;
      if (dice % 1000 == 1) {
        l = (RccConfig) { rcc_rng_u32 (&r) >> 12, rcc_rng_u32 (&r) >> 10,
          rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32 };
        rcc_gcc_receiver_limits (&c.r, &l);
      }
      rcc_gcc_receiver_packet (&c.r, dice % 50 == 2 ? RCC_NEVER : send, now, dice % 65536);
      g_assert_cmpuint (c.r.bps, >=, l.min_bps);
      g_assert_cmpuint (c.r.bps, <=, RCC_MAX (l.min_bps, l.max_bps));
      g_assert_true (isfinite (rcc_gcc_delay_bps (&c.r.delay)));
      if (rcc_gcc_receiver_deadline (&c.r) <= now)
        rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, now);
    }
    g_assert_cmpuint (c.r.feedbacks, >, 1000);
  }
}

/* No rate is no bandwidth for RTCP, either: the next report waits, but for a time that is one. */
static void
an_estimate_of_nothing_divides_nothing (void)
{
  Call c = call (RCC_GCC_DEFAULT);

  c.r.bps = 0;
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, RCC_SEC);
  g_assert_cmpuint (c.r.allowed, >, RCC_SEC);
  g_assert_cmpuint (c.r.allowed, ==, RCC_SEC + (RccTime) (8e9 * REMB_SIZE / c.r.rtcp_share));
}

/* The first report has no interval behind it that it could have come before the end of. */
static void
the_first_report_is_not_early (void)
{
  Call c = call (RCC_GCC_PAPER);

  c.send = 10 * RCC_MSEC;
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, one (&c, 1000000, 1e7));
  g_assert_cmpuint (c.r.reported, <, c.r.config.feedback_interval);
  g_assert_cmpuint (c.r.early, ==, 0);
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, c.r.reported
      + c.r.config.feedback_interval - 1);
  g_assert_cmpuint (c.r.early, ==, 1);
  rcc_gcc_receiver_reported (&c.r, REMB_SIZE, false, c.r.reported + c.r.config.feedback_interval);
  g_assert_cmpuint (c.r.early, ==, 1);
}

/* The same where arrivals are told, before anything can be reckoned from what came. */
static void
a_start_bitrate_of_nothing_divides_nothing (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);
  const RccConfig zero = { 0, 0, 10000000 };
  RccGccReceiver r;

  config.arrivals = true;
  rcc_gcc_receiver_init (&r, &config, &zero);
  rcc_gcc_receiver_reported (&r, REMB_SIZE, false, RCC_SEC);
  g_assert_cmpuint (r.allowed, ==, RCC_SEC + (RccTime) (8e9 * REMB_SIZE / r.rtcp_share));
}

/* RFC 8888 reports each 50 ms at 5 % of 500 kbit/s have 156 bytes, at 300 kbit/s 93. */
static void
repeats_take_what_is_left_over (void)
{
  static const struct { double bps; unsigned least, most; } cases[] = {
    { 100e3, 0, 0 }, { 300e3, 0, 0 }, { 450e3, 10, 16 }, { 1e6, 16, 16 }, { 1e9, 16, 16 },
  };
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccConfig any = { 0, 0, 2000000000 };

  config.arrivals = true;
  config.feedback_interval = 50 * RCC_MSEC;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccGccReceiver r;

    rcc_gcc_receiver_init (&r, &config, &any);
    for (guint k = 0; k < 100; k++)
      rcc_gcc_receiver_packet (&r, RCC_NEVER, RCC_SEC + k * 10 * RCC_MSEC,
          (guint32) (cases[i].bps / 800));
    g_assert_cmpuint (rcc_gcc_receiver_repeat (&r, 2 * RCC_SEC), >=, cases[i].least);
    g_assert_cmpuint (rcc_gcc_receiver_repeat (&r, 2 * RCC_SEC), <=, cases[i].most);
  }
}

/* Of an interval's bytes 100 are the report's, and each repeated packet takes two. */
static void
a_repeated_packet_takes_two_bytes (void)
{
  static const struct { guint bytes, repeats; } cases[] = { { 99, 0 }, { 100, 0 }, { 101, 0 },
    { 102, 1 }, { 103, 1 }, { 104, 2 }, { 120, 10 } };
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);

  config.arrivals = true;
  config.feedback_interval = 50 * RCC_MSEC;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    /* at 5 %: of so many bit/s so many bytes each 50 ms */
    const RccConfig start = { 0, cases[i].bytes * 3200 + 1, 2000000000 };
    RccGccReceiver r;

    rcc_gcc_receiver_init (&r, &config, &start);
    g_assert_cmpuint (rcc_gcc_receiver_repeat (&r, RCC_SEC), ==, cases[i].repeats);
  }
}

/* MMSys'16: at once where it fell by more than 3 %, or rose by more with trains. */
static void
three_per_cent_are_not_more_than_three (void)
{
  Call c = call (RCC_GCC_DEFAULT);
  static const struct {
    guint32 bps;
    gboolean urgent;
  } cases[] = { { 969999, TRUE }, { 970000, FALSE }, { 1030000, FALSE }, { 1030001, TRUE } };

  c.r.valid = c.r.config.trains = true;
  c.r.packets = 1;
  c.r.heard = c.r.reported = 10 * RCC_SEC;
  c.r.allowed = 10 * RCC_SEC;
  c.r.reported_bps = 1000000;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    c.r.bps = cases[i].bps;
    g_assert_cmpuint (rcc_gcc_receiver_deadline (&c.r), ==, 10 * RCC_SEC
        + (cases[i].urgent ? 0 : c.r.config.feedback_interval));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-receiver/says-nothing-before-it-knows",
      says_nothing_before_it_knows);
  g_test_add_func ("/receiver/missing", the_missing_count_once);
  g_test_add_func ("/receiver/came", what_came_counts_in_order);
  g_test_add_func ("/gcc-receiver/deferred-trains", what_was_deferred_counts_once_a_second);
  g_test_add_func ("/gcc-receiver/without-trains", without_trains_nobody_probes);
  g_test_add_func ("/gcc-receiver/the-paper-starts-from-a-set-rate",
      the_paper_starts_from_a_set_rate);
  g_test_add_func ("/gcc-receiver/an-early-overuse-is-heeded", an_early_overuse_is_heeded);
  g_test_add_func ("/gcc-receiver/tells-every-interval", tells_every_interval);
  g_test_add_func ("/gcc-receiver/tells-a-fall-at-once", tells_a_fall_at_once);
  g_test_add_func ("/gcc-receiver/a-real-fall-is-told-early", a_real_fall_is_told_early);
  g_test_add_func ("/gcc-receiver/keeps-to-its-share-of-the-bandwidth",
      keeps_to_its_share_of_the_bandwidth);
  g_test_add_func ("/gcc-receiver/stays-within-its-limits", stays_within_its_limits);
  g_test_add_func ("/gcc-receiver/packets-without-a-send-time-only-count",
      packets_without_a_send_time_only_count);
  g_test_add_func ("/gcc-receiver/a-train-lifts-the-estimate", a_train_lifts_the_estimate);
  g_test_add_func ("/gcc-receiver/arrivals-are-told-as-they-come",
      arrivals_are_told_as_they_come);
  g_test_add_func ("/gcc-receiver/what-is-left-over-is-told-next",
      what_is_left_over_is_told_next);
  g_test_add_func ("/gcc-receiver/a-stream-that-ended-is-not-told-of",
      a_stream_that_ended_is_not_told_of);
  g_test_add_func ("/gcc-receiver/any-stream-stays-within-limits",
      any_stream_stays_within_limits);
  g_test_add_func ("/gcc-receiver/an-estimate-of-nothing-divides-nothing", an_estimate_of_nothing_divides_nothing);
  g_test_add_func ("/gcc-receiver/the-first-report-is-not-early", the_first_report_is_not_early);
  g_test_add_func ("/gcc-receiver/a-start-bitrate-of-nothing-divides-nothing",
      a_start_bitrate_of_nothing_divides_nothing);
  g_test_add_func ("/gcc-receiver/repeats-take-what-is-left-over",
      repeats_take_what_is_left_over);
  g_test_add_func ("/gcc-receiver/three-per-cent", three_per_cent_are_not_more_than_three);
  g_test_add_func ("/gcc-receiver/a-repeated-packet", a_repeated_packet_takes_two_bytes);
  return g_test_run ();
}
