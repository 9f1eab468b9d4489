/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/xr-clock.h"
#include "wire/xr-times.h"

#define MS RCC_MSEC
#define WAY (50 * MS)

static const guint32 rates[] = { 90000, 48000, 8000, 44100, 16000, 1000 };

static RccXrClock c;

/* What a packet of @stream that left at @sent is told to have arrived at, the receiver's
 * clock standing at @clock then. */
static gint64
arrived (guint stream, guint32 rate, RccTime clock, RccTime sent)
{
  return (gint64) rcc_xr_clock_arrived (&c, stream, rate, rcc_xr_ticks (clock, rate), sent);
}

/* Streams of one clock agree to the coarsest tick, whenever that clock began, over weeks
 * and the wraps of each. */
static void
streams_of_one_clock_agree (void)
{
  static const guint64 begun_s[] = { 0, 1, 47721, 360000, 31557600, 3155760000u };

  for (guint b = 0; b < G_N_ELEMENTS (begun_s); b++) {
    gint64 ahead = 0;
    RccRng r;

    rcc_rng_init (&r, SEED, b);
    rcc_xr_clock_init (&c);
    for (guint i = 0; i < 6000; i++) {
      const guint stream = i % G_N_ELEMENTS (rates);
      const RccTime sent = RCC_SEC + i * 211 * RCC_SEC;
      const RccTime way = WAY + rcc_rng_u32 (&r) % (600 * MS);
      const RccTime clock = begun_s[b] * RCC_SEC + sent + way;
      const gint64 off = arrived (stream, rates[stream], clock, sent) - (gint64) clock;

      if (i == 0)
        ahead = off;
      g_assert_cmpint (ABS (off - ahead), <=, (gint64) (MS + 1000));
    }
  }
}

/* RFC 3611 lets each stream count from a random origin: then departures join them. */
static void
streams_of_random_origins_are_joined_by_departure (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 61);
  for (guint round = 0; round < 300; round++) {
    guint32 origin[2] = { rcc_rng_u32 (&r), rcc_rng_u32 (&r) };
    gint64 first = 0;

    rcc_xr_clock_init (&c);
    for (guint i = 0; i < 100; i++) {
      const RccTime sent = RCC_SEC + i * 20 * MS, way = WAY + rcc_rng_u32 (&r) % (20 * MS);
      const gint64 off = (gint64) (rcc_xr_clock_arrived (&c, i % 2, rates[i % 2],
              origin[i % 2] + rcc_xr_ticks (sent + way, rates[i % 2]), sent) - sent - way);

      if (i == 0)
        first = off;
      g_assert_cmpint (ABS (off - first), <=, (gint64) (21 * MS));
    }
  }
}

/* A receiver that begins again: a jump, after which its streams agree again. */
static void
a_clock_set_anew_is_one_jump (void)
{
  gint64 ahead[2] = { 0, 0 };

  rcc_xr_clock_init (&c);
  for (guint i = 0; i < 400; i++) {
    const guint stream = i % 2;
    const RccTime sent = RCC_SEC + i * 20 * MS;
    const RccTime clock = (i < 200 ? 400000 * RCC_SEC : 77 * RCC_SEC) + sent + WAY;
    const gint64 off = arrived (stream, rates[stream], clock, sent) - (gint64) sent;

    if (i % 200 == 0)
      ahead[i / 200] = off;
    g_assert_cmpint (ABS (off - ahead[i / 200]), <=, (gint64) MS);
  }
  g_assert_cmpint (ABS (ahead[0] - ahead[1]), >, (gint64) (10 * RCC_SEC));
}

/* A stall of a quarter of a minute is a delay and no other clock. */
static void
a_long_stall_is_seen (void)
{
  rcc_xr_clock_init (&c);
  for (guint i = 0; i < 300; i++) {
    const guint stream = i % 2;
    const RccTime sent = RCC_SEC + i * 100 * MS;
    const RccTime way = i >= 100 && i < 200 ? 15 * RCC_SEC : WAY;
    const gint64 off = arrived (stream, rates[stream], 99 * RCC_SEC + sent + way, sent)
        - (gint64) (99 * RCC_SEC + sent + way);
    static gint64 first;

    if (i == 0)
      first = off;
    g_assert_cmpint (ABS (off - first), <=, (gint64) MS);
  }
}

/* The slot of a stream that went goes to another, whose rate may be another, too. */
static void
a_forgotten_stream_joins_anew (void)
{
  const RccTime clock = 500000 * RCC_SEC;
  gint64 first;

  rcc_xr_clock_init (&c);
  first = arrived (0, 90000, clock + RCC_SEC + WAY, RCC_SEC) - (gint64) RCC_SEC;
  rcc_xr_clock_forget (&c, 0);
  g_assert_cmpint (ABS (arrived (0, 8000, clock + 2 * RCC_SEC + WAY, 2 * RCC_SEC)
          - (gint64) (2 * RCC_SEC) - first), <=, (gint64) MS);
  g_assert_cmpint (ABS (arrived (0, 48000, clock + 3 * RCC_SEC + WAY, 3 * RCC_SEC)
          - (gint64) (3 * RCC_SEC) - first), <=, (gint64) MS);
}

/* A second more or less under way is the same clock's time; anything beyond, another clock. */
static void
one_clock_is_told_by_a_second (void)
{
  static const struct {
    gint ticks;                         /* of how much longer the second stream's way is */
    gboolean same;
  } cases[] = { { 0, TRUE }, { 90000, TRUE }, { -90000, TRUE }, { 90001, FALSE },
    { -90001, FALSE } };
  const guint32 first = 1000 * 90000;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gint64 longer = cases[i].ticks * (gint64) RCC_SEC / 90000;
    RccTime a, b;

    rcc_xr_clock_init (&c);
    a = rcc_xr_clock_arrived (&c, 0, 90000, first, 5 * RCC_SEC);
    b = rcc_xr_clock_arrived (&c, 1, 90000, first + (guint32) cases[i].ticks, 5 * RCC_SEC);
    g_assert_cmpint (ABS ((gint64) (b - a) - (cases[i].same ? longer : 0)), <=, 1);
  }
}

/* Times of one odd rate lie a whole wrap from each other, and half of one is no clock. */
static void
half_a_wrap_is_another_clock (void)
{
  const guint32 rate = 11025, first = 1000 * rate;
  RccTime a, b;

  rcc_xr_clock_init (&c);
  a = rcc_xr_clock_arrived (&c, 0, rate, first, 5 * RCC_SEC);
  b = rcc_xr_clock_arrived (&c, 1, rate, first + (1u << 31) + rate / 2, 5 * RCC_SEC);
  g_assert_cmpint (ABS ((gint64) (b - a)), <=, 1);
}

/* Above 2^30 Hz in common, times of one clock lie too near each other to be known as such:
 * departures join them.  Below, what was longer under way is told as such. */
static void
rates_of_little_in_common_are_joined_by_departure (void)
{
  static const struct {
    guint32 rate;
    gboolean known;
  } cases[] = { { 11003, TRUE }, { 15013, FALSE }, { 65537, FALSE } };
  const RccTime clock = 31557600 * RCC_SEC, longer = 300 * MS;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gint64 a, b;

    rcc_xr_clock_init (&c);
    a = arrived (0, 90000, clock, 5 * RCC_SEC);
    b = arrived (1, cases[i].rate, clock + longer, 5 * RCC_SEC);
    g_assert_cmpint (ABS (b - a - (gint64) (cases[i].known ? longer : 0)), <=,
        (gint64) (cases[i].known ? 200 * RCC_USEC : 1));
  }
}

/* The rates' product is 1 beyond 64 bits: what is too large for a common clock stays so. */
static void
rates_without_end_have_nothing_in_common (void)
{
  static const guint32 odd[] = { 90001, 45229, 4106239429u, 3437398353u };
  const RccTime clock = 31557600 * RCC_SEC, longer = 300 * MS;
  gint64 a = 0, b;

  rcc_xr_clock_init (&c);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    a = arrived (i, odd[i], clock, 5 * RCC_SEC);
  b = arrived (4, odd[0], clock + longer, 5 * RCC_SEC);
  g_assert_cmpint (ABS (b - a), <=, 1);
}

static void
anything_may_come (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 62);
  rcc_xr_clock_init (&c);
  for (guint i = 0; i < 300000; i++) {
    const guint32 rate = 1 + (rcc_rng_u32 (&r) >> (1 + rcc_rng_u32 (&r) % 31));
    const RccTime sent = random64 (&r) >> rcc_rng_u32 (&r) % 64;

    g_assert_cmpuint (rcc_xr_clock_arrived (&c, rcc_rng_u32 (&r) % RCC_XR_CLOCK_STREAMS,
            rcc_rng_u32 (&r) % 4 ? 90000 : rate, rcc_rng_u32 (&r), sent), <=, G_MAXINT64 / 4);
  }
}

/* A leap that one stream's ticks tell and another's, which wrap sooner, do not: it joins again. */
static void
who_sees_a_leap_leads_the_others (void)
{
  static const gint64 leaps[] = { 30000, -30000, 100000, -100000 };

  for (guint i = 0; i < G_N_ELEMENTS (leaps); i++) {
    const guint slow = i % 2, fast = 1 - slow;
    RccTime clock = 1000000 * RCC_SEC, sent = RCC_SEC;

    rcc_xr_clock_init (&c);
    for (guint k = 0; k < 40; k++) {
      gint64 a, b;

      if (k == 20)
        clock = (RccTime) ((gint64) clock + leaps[i] * (gint64) RCC_SEC);
      a = arrived (slow, 1000, clock, sent);
      b = arrived (fast, 90000, clock, sent);
      g_assert_cmpint (ABS (a - b), <=, RCC_SEC / 1000);
      clock += 100 * MS;
      sent += 100 * MS;
    }
  }
}

/* Ten seconds more under way are one stream's own; beyond, the clock was set for all. */
static void
ten_seconds_are_no_new_clock (void)
{
  for (guint i = 0; i < 2; i++) {
    const RccTime clock = 500000 * RCC_SEC, jump = 10 * RCC_SEC + i * 2 * MS - MS;
    gint64 first;

    rcc_xr_clock_init (&c);
    first = arrived (0, 90000, clock + RCC_SEC, RCC_SEC);
    arrived (1, 48000, clock + RCC_SEC, RCC_SEC);
    arrived (0, 90000, clock + 2 * RCC_SEC + jump, 2 * RCC_SEC);
    g_assert_cmpint (ABS (arrived (1, 48000, clock + 3 * RCC_SEC, 3 * RCC_SEC) - first
            - (gint64) (2 * RCC_SEC + i * jump)), <, (gint64) MS);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/xr-clock/" path, func)
  ADD ("streams-of-one-clock-agree", streams_of_one_clock_agree);
  ADD ("who-sees-a-leap-leads-the-others", who_sees_a_leap_leads_the_others);
  ADD ("streams-of-random-origins-are-joined-by-departure",
      streams_of_random_origins_are_joined_by_departure);
  ADD ("a-clock-set-anew-is-one-jump", a_clock_set_anew_is_one_jump);
  ADD ("a-long-stall-is-seen", a_long_stall_is_seen);
  ADD ("a-forgotten-stream-joins-anew", a_forgotten_stream_joins_anew);
  ADD ("anything-may-come", anything_may_come);
  ADD ("one-clock-is-told-by-a-second", one_clock_is_told_by_a_second);
  ADD ("half-a-wrap-is-another-clock", half_a_wrap_is_another_clock);
  ADD ("rates-of-little-in-common-are-joined-by-departure",
      rates_of_little_in_common_are_joined_by_departure);
  ADD ("rates-without-end", rates_without_end_have_nothing_in_common);
  g_test_add_func ("/xr-clock/ten-seconds", ten_seconds_are_no_new_clock);
  return g_test_run ();
}
