/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/gcc/base-delay.h"
#include "core/gcc/delay.h"
#include "core/rng.h"

#define RISE RCC_SEC
#define MS ((gint64) RCC_MSEC)
#define SHORT (-5 * (gint64) RCC_SEC)   /* between two clocks */

typedef struct {
  RccBaseDelay b;
  RccTime now;
  RccTime rose;                         /* in all */
} Base;

static Base
base (RccTime rise)
{
  Base b = { .now = 1000 * RCC_SEC };

  memset (&b.b, 0xa5, sizeof b.b);
  rcc_base_delay_init (&b.b, rise);
  return b;
}

static void
packet (Base *b, gint64 owd, guint32 size)
{
  b->rose += rcc_base_delay_packet (&b->b, owd, b->now, size);
}

/* A packet each 5 ms; of each half second the first half has larger ones. */
static void
run (Base *b, gint64 owd, gint64 swing, guint32 large, guint32 small, RccTime length)
{
  const RccTime end = b->now + length;

  for (; b->now < end; b->now += 5 * RCC_MSEC) {
    const gboolean first = b->now / (250 * RCC_MSEC) % 2 == 0;

    packet (b, owd + (first ? swing : 0), first ? large : small);
  }
}

static void
path (Base *b, gint64 owd, RccTime length)
{
  run (b, owd, 0, 1200, 600, length);
}

#define is_base(x, owd) g_assert_cmpint (rcc_base_delay_ns (&(x)->b), ==, (owd))

static void
the_shortest_of_ten_seconds (void)
{
  Base b = base (0);

  g_assert_cmpint (rcc_base_delay_ns (&b.b), ==, G_MAXINT64);
  path (&b, SHORT, 10 * RCC_SEC);
  is_base (&b, SHORT);
  path (&b, SHORT + 30 * MS, 9 * RCC_SEC);
  is_base (&b, SHORT);
  g_assert_cmpuint (b.rose, ==, 0);
  path (&b, SHORT + 30 * MS, 2 * RCC_SEC);
  is_base (&b, SHORT + 30 * MS);
  g_assert_cmpuint (b.rose, ==, 30 * RCC_MSEC);
  packet (&b, SHORT - 7 * MS, 99);
  is_base (&b, SHORT - 7 * MS);
  g_assert_cmpuint (rcc_base_delay_size (&b.b), ==, 99);
  path (&b, SHORT, 9 * RCC_SEC);
  is_base (&b, SHORT - 7 * MS);
  g_assert_cmpuint (rcc_base_delay_size (&b.b), ==, 99);
  g_assert_cmpuint (b.rose, ==, 30 * RCC_MSEC);
}

static void
a_longer_path_is_known_after_a_second (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  path (&b, SHORT + 25 * MS, 990 * RCC_MSEC);
  is_base (&b, SHORT);
  path (&b, SHORT + 25 * MS, 270 * RCC_MSEC);   /* its first part has some of before */
  is_base (&b, SHORT + 25 * MS);
  g_assert_cmpuint (b.rose, ==, 25 * RCC_MSEC);
  g_assert_cmpuint (rcc_base_delay_size (&b.b), ==, 1200);
  path (&b, SHORT + 25 * MS, 30 * RCC_SEC);
  is_base (&b, SHORT + 25 * MS);
  packet (&b, SHORT, 100);
  is_base (&b, SHORT);
}

static void
the_shortest_of_that_second (void)
{
  for (guint at = 0; at < RCC_BASE_PARTS; at++) {
    Base b = base (RISE);

    path (&b, SHORT, 3 * RCC_SEC);
    path (&b, SHORT + 25 * MS, at * RISE / RCC_BASE_PARTS);
    path (&b, SHORT + 24 * MS, RISE / RCC_BASE_PARTS);
    path (&b, SHORT + 25 * MS, RISE - at * RISE / RCC_BASE_PARTS);
    is_base (&b, SHORT + 24 * MS);
    g_assert_cmpuint (b.rose, ==, 24 * RCC_MSEC);
  }
}

/* 1.2 times and more. */
static void
not_where_the_rate_does_not_vary (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  run (&b, SHORT + 25 * MS, 0, 1200, 1020, 3 * RCC_SEC);
  is_base (&b, SHORT);
  b = base (RISE);
  run (&b, SHORT, 0, 150, 30, 3 * RCC_SEC);
  run (&b, SHORT + 25 * MS, 0, 150, 30, 3 * RCC_SEC); /* 3 packets of 1200 are much of it */
  is_base (&b, SHORT);
}

static void
not_where_the_shortest_moves (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  run (&b, SHORT + 25 * MS, 5 * MS / 2, 1200, 600, 6 * RCC_SEC);
  is_base (&b, SHORT);
  run (&b, SHORT + 25 * MS, 3 * MS / 2, 1200, 600, 2 * RCC_SEC);
  is_base (&b, SHORT + 25 * MS);
}

static void
not_for_less_than_10_ms (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  path (&b, SHORT + 9 * MS, 6 * RCC_SEC);
  is_base (&b, SHORT);
}

static void
not_while_packets_are_lost (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  for (guint i = 0; i < 6; i++) {
    path (&b, SHORT + 25 * MS, 990 * RCC_MSEC);
    rcc_base_delay_lost (&b.b);
  }
  is_base (&b, SHORT);
  path (&b, SHORT + 25 * MS, 1010 * RCC_MSEC);
  is_base (&b, SHORT + 25 * MS);
}

static void
not_over_a_pause (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  for (guint i = 0; i < 6; i++) {
    path (&b, SHORT + 25 * MS, 700 * RCC_MSEC);
    b.now += 251 * RCC_MSEC;            /* two parts */
  }
  is_base (&b, SHORT);
}

/* 1 Mbit/s behind a queue of 60 ms that its sender overshoots and drains: what comes out does not
 * vary.  After 10 to 20 s its shortest is the base, as ever. */
static void
not_behind_a_queue_of_our_own (void)
{
  Base b = base (RISE), slow = base (0);
  RccTime send = 0, free = 0;
  RccRng rng;

  rcc_rng_init (&rng, 17, 1);
  path (&b, 20 * MS, 3 * RCC_SEC);
  path (&slow, 20 * MS, 3 * RCC_SEC);
  send = free = b.now;
  for (RccTime end = send + 60 * RCC_SEC; send < end;) {
    const gboolean longer = free > send + 60 * RCC_MSEC;
    const gdouble rate = (longer ? 0.7e6 : 1.1e6) * (0.8 + 0.4 * rcc_rng_uniform (&rng));

    send += (RccTime) (8e9 * 1200 / rate);
    free = MAX (free, send) + (RccTime) (8e9 * 1200 / 1e6);
    b.now = slow.now = free + 20 * RCC_MSEC;
    packet (&b, (gint64) (b.now - send), 1200);
    packet (&slow, (gint64) (b.now - send), 1200);
    is_base (&b, rcc_base_delay_ns (&slow.b));
  }
}

static void
a_clock_may_be_set (void)
{
  Base b = base (RISE);

  path (&b, SHORT, 3 * RCC_SEC);
  rcc_base_delay_forget (&b.b);
  path (&b, SHORT + 900 * RCC_SEC, RCC_SEC / 2);
  is_base (&b, SHORT + 900 * (gint64) RCC_SEC);
  b.now -= 500 * RCC_SEC;
  path (&b, SHORT + 950 * (gint64) RCC_SEC, 2 * RCC_SEC);
  is_base (&b, SHORT + 950 * (gint64) RCC_SEC);
}

static void
any_time_may_come (void)
{
  RccRng rng;
  Base b = base (RISE);

  rcc_rng_init (&rng, 5, 1);
  for (guint i = 0; i < 200000; i++) {
    const gint64 owd = (gint64) (rcc_rng_uniform (&rng) * 1e9)
        + (rcc_rng_uniform (&rng) < 0.001 ? (gint64) 1 << 60 : 0);
    const gint64 before = rcc_base_delay_ns (&b.b);
    RccTime rise;

    b.now = rcc_rng_uniform (&rng) < 0.01 ? (RccTime) rcc_rng_u32 (&rng) << 24
        : b.now + (RccTime) (rcc_rng_uniform (&rng) * 20e6);
    rise = rcc_base_delay_packet (&b.b, owd, b.now, rcc_rng_u32 (&rng));
    g_assert_cmpint (rcc_base_delay_ns (&b.b), <=, owd);
    g_assert_cmpuint (rise, ==, i > 0 && rcc_base_delay_ns (&b.b) > before
        ? (RccTime) (rcc_base_delay_ns (&b.b) - before) : 0);
    if (rcc_rng_uniform (&rng) < 0.001)
      rcc_base_delay_lost (&b.b);
  }
}

/* The queue by which a decrease goes is none once the longer path is known. */
static void
no_queue_stands_on_a_longer_path (void)
{
  for (guint on = 0; on < 2; on++) {
    RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
    RccGccDelay d;
    RccTime send = 10 * RCC_SEC;

    config.base_rise = on ? RISE : 0;
    rcc_gcc_delay_init (&d, &config, 1e6);
    for (guint i = 0; i < 1200; i++, send += 5 * RCC_MSEC)
      rcc_gcc_delay_packet (&d, send, send + (i < 600 ? 20 : 80) * RCC_MSEC,
          i / 50 % 2 ? 600 : 1200);
    g_assert_cmpuint (d.queue, ==, on ? 0 : 60 * RCC_MSEC);
    for (guint i = 0; i < 600; i++, send += 5 * RCC_MSEC) {
      rcc_gcc_delay_packet (&d, send, send + 120 * RCC_MSEC, i / 50 % 2 ? 600 : 1200);
      if (i % 100 == 0)
        rcc_gcc_delay_losses (&d, 1, 100);
    }
    g_assert_cmpuint (d.queue, ==, on ? 40 * RCC_MSEC : 100 * RCC_MSEC);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base-delay/shortest", the_shortest_of_ten_seconds);
  g_test_add_func ("/base-delay/longer-path", a_longer_path_is_known_after_a_second);
  g_test_add_func ("/base-delay/shortest-of-rise", the_shortest_of_that_second);
  g_test_add_func ("/base-delay/same-rate", not_where_the_rate_does_not_vary);
  g_test_add_func ("/base-delay/moves", not_where_the_shortest_moves);
  g_test_add_func ("/base-delay/least", not_for_less_than_10_ms);
  g_test_add_func ("/base-delay/lost", not_while_packets_are_lost);
  g_test_add_func ("/base-delay/pause", not_over_a_pause);
  g_test_add_func ("/base-delay/own-queue", not_behind_a_queue_of_our_own);
  g_test_add_func ("/base-delay/clock", a_clock_may_be_set);
  g_test_add_func ("/base-delay/any-time", any_time_may_come);
  g_test_add_func ("/base-delay/controller", no_queue_stands_on_a_longer_path);
  return g_test_run ();
}
