/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/rate.h"

#include <glib.h>
#include <math.h>

#define MS RCC_MSEC

static RccScreamConfig config;
static RccScreamRate r;

static void
begin (void)
{
  config = rcc_scream_config ();
  rcc_scream_rate_init (&r);
}

/* 4.4: window over round trip, less 20 of 1020 bytes, over 1.2; of small windows up to a fifth
 * less. */
static void
the_target_is_window_over_round_trip (void)
{
  begin ();
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_target (&r, &config, 20000, 100 * MS),
      1600000 / 1.02 / 1.2, 0.1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_target (&r, &config, 5000, 100 * MS),
      400000 * 0.9 / 1.02 / 1.2, 0.1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_target (&r, &config, 3000, 100 * MS),
      240000 * 0.8 / 1.02 / 1.2, 0.1);
  /* the reference cuts round trips at 200 ms, which is eight times too much here */
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_target (&r, &config, 20000, 1600 * MS),
      100000 / 1.02 / 1.2, 0.1);
}

static void
the_window_comes_from_the_target (void)
{
  begin ();
  for (double bps = 10000; bps < 1e9; bps *= 1.37)
    for (RccTime rtt = MS; rtt < 2 * RCC_SEC; rtt *= 3) {
      const double bytes = rcc_scream_rate_window (&config, bps, rtt);

      if (bytes >= config.min_window)
        g_assert_cmpfloat_with_epsilon (rcc_scream_rate_target (&r, &config, bytes, rtt), bps,
            0.01 * bps);
    }
}

/* 4.3.2 */
static void
pacing_is_relaxed_near_the_maximum (void)
{
  begin ();
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_pacing (&config, 1e6, 2e6), 1.5e6, 1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_pacing (&config, 1.6e6, 2e6), 2.4e6, 1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_pacing (&config, 1.8e6, 2e6), 5.4e6, 1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_pacing (&config, 2e6, 2e6), 12e6, 1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_pacing (&config, 10000, 2e6), 75000, 1);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_pacing (&config, 0, 0), 75000, 1);
}

static void
send (guint32 ssrc, guint32 timestamp, guint32 size, RccTime waited, RccTime now)
{
  const RccPacket packet = { .ssrc = ssrc, .timestamp = timestamp, .size = size, .sent = now };

  rcc_scream_rate_sent (&r, &config, &packet, waited, 400000);
}

/* 4.4: frames of 20 ms, so 1000 bytes each.  A wait of 20 ms is .75 of a frame above a quarter
 * of one; a sixteenth of it is .046875. */
static void
frames_that_wait_lower_the_target (void)
{
  begin ();
  for (guint i = 0; i < 10; i++)
    send (1, i, 1000, 0, i * 20 * MS);
  g_assert_cmpfloat_with_epsilon (r.period, 0.020, 1e-9);
  g_assert_cmpfloat_with_epsilon (r.adjust, 0.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (r.deviation, 0.0, 1e-9);
  send (1, 10, 1000, 20 * MS, 200 * MS);
  g_assert_cmpfloat_with_epsilon (r.adjust, 0.75 / 16, 1e-9);
  g_assert_cmpfloat_with_epsilon (rcc_scream_rate_target (&r, &config, 20000, 100 * MS),
      1600000 / 1.02 / (1.2 + 0.75 / 16), 0.1);
  for (guint i = 11; i < 100; i++)
    send (1, i, 1000, RCC_SEC, i * 20 * MS);
  g_assert_cmpfloat_with_epsilon (r.adjust, 0.5, 1e-9);
  for (guint i = 100; i < 200; i++)
    send (1, i, 1000, 0, i * 20 * MS);
  g_assert_cmpfloat_with_epsilon (r.adjust, 0.0, 1e-9);
}

/* One of 2000 bytes in two packets: once over, 1/64 of it. */
static void
large_frames_lower_the_target (void)
{
  begin ();
  send (1, 0, 1000, 0, 0);
  send (1, 0, 1000, 0, 0);
  send (1, 1, 1000, 0, 20 * MS);
  g_assert_cmpfloat_with_epsilon (r.deviation, 1.0 / 64, 1e-9);
  send (1, 2, 1000, 0, 40 * MS);
  g_assert_cmpfloat_with_epsilon (r.deviation, 63.0 / 64 / 64, 1e-9);
  for (guint i = 3; i < 100; i++)
    send (1, i, 60000, 0, i * 20 * MS);
  g_assert_cmpfloat_with_epsilon (r.deviation, 0.2, 1e-9);
}

/* Of audio beside video nothing is taken for a frame, with more streams than there is room. */
static void
small_streams_do_not_count (void)
{
  begin ();
  send (1, 0, 1000, 0, 0);
  send (1, 1, 1000, 0, 20 * MS);
  for (guint i = 0; i < 3; i++)
    for (guint32 ssrc = 2; ssrc < 5; ssrc++)
      send (ssrc, i, 100, RCC_SEC, 21 * MS + i * MS);
  g_assert_cmpfloat_with_epsilon (r.adjust, 0.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (r.period, 0.020, 1e-9);
  for (guint32 ssrc = 10; ssrc < 100; ssrc++)
    send (ssrc, 0, 5000, RCC_SEC, 50 * MS);
  g_assert_cmpfloat_with_epsilon (r.adjust, 0.0, 1e-9);
}

/* However near or far they are, frames are taken for 5 to 200 ms apart: a sixteenth of it. */
static void
frames_are_not_nearer_than_5_ms (void)
{
  begin ();
  send (1, 0, 1000, 0, 0);
  send (1, 1, 1000, 0, MS);
  g_assert_cmpfloat_with_epsilon (r.period, 0.020 - 0.015 / 16, 1e-9);
  begin ();
  send (1, 0, 1000, 0, 0);
  send (1, 1, 1000, 0, 10 * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (r.period, 0.020 + 0.180 / 16, 1e-9);
}

/* Each stream has frames of its own, whichever SSRC is larger and whatever its timestamps. */
static void
streams_do_not_mix (void)
{
  for (guint32 other = 1; other <= 9; other += 8) {
    begin ();
    for (guint i = 0; i < 50; i++) {
      send (5, i, 1000, 0, i * 30 * MS);
      send (other, i, 900, 0, i * 30 * MS + MS);
    }
    g_assert_cmpfloat_with_epsilon (r.deviation, 0.0, 1e-9);
    /* all 49 frames of the larger stream */
    g_assert_cmpfloat_with_epsilon (r.period, 0.030 - 0.010 * pow (15.0 / 16, 49), 1e-9);
  }
}

/* 0 is an SSRC, and a timestamp, like any other. */
static void
a_stream_may_be_0 (void)
{
  begin ();
  send (0, 0, 1000, 0, RCC_SEC);
  send (0, 1, 1000, 0, RCC_SEC + 20 * MS);
  g_assert_cmpfloat_with_epsilon (r.period, 0.020, 1e-9);
}

static const RccScreamStream *
stream (guint32 ssrc)
{
  for (guint i = 0; i < RCC_SCREAM_STREAMS; i++)
    if (r.streams[i].began != RCC_NEVER && r.streams[i].ssrc == ssrc)
      return &r.streams[i];
  return NULL;
}

/* Whichever slot it has: each of four in turn. */
static void
the_stream_that_was_silent_for_longest_gives_way (void)
{
  for (guint32 silent = 1; silent <= RCC_SCREAM_STREAMS; silent++) {
    begin ();
    for (guint32 ssrc = 1; ssrc <= RCC_SCREAM_STREAMS; ssrc++)
      send (ssrc, 0, 1000, 0, ssrc * MS);
    for (guint32 ssrc = 1; ssrc <= RCC_SCREAM_STREAMS; ssrc++)
      if (ssrc != silent)
        send (ssrc, 1, 1000, 0, 20 * MS + ssrc * MS);
    send (77, 0, 1000, 0, 40 * MS);
    g_assert_nonnull (stream (77));
    for (guint32 ssrc = 1; ssrc <= RCC_SCREAM_STREAMS; ssrc++)
      g_assert_cmpint (stream (ssrc) != NULL, ==, ssrc != silent);
  }
}

/* A sixteenth of what a frame is above it; the first is all of it. */
static void
the_mean_frame_follows_slowly (void)
{
  begin ();
  send (1, 0, 1000, 0, 0);
  send (1, 1, 2600, 0, 20 * MS);
  g_assert_cmpfloat_with_epsilon (stream (1)->mean, 1000, 1e-9);
  send (1, 2, 1000, 0, 40 * MS);
  g_assert_cmpfloat_with_epsilon (stream (1)->mean, 1100, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/rate/target", the_target_is_window_over_round_trip);
  g_test_add_func ("/core/scream/rate/window", the_window_comes_from_the_target);
  g_test_add_func ("/core/scream/rate/pacing", pacing_is_relaxed_near_the_maximum);
  g_test_add_func ("/core/scream/rate/waiting-frames", frames_that_wait_lower_the_target);
  g_test_add_func ("/core/scream/rate/large-frames", large_frames_lower_the_target);
  g_test_add_func ("/core/scream/rate/small-streams", small_streams_do_not_count);
  g_test_add_func ("/core/scream/rate/period", frames_are_not_nearer_than_5_ms);
  g_test_add_func ("/core/scream/rate/streams", streams_do_not_mix);
  g_test_add_func ("/core/scream/rate/stream-0", a_stream_may_be_0);
  g_test_add_func ("/core/scream/rate/silent-for-longest",
      the_stream_that_was_silent_for_longest_gives_way);
  g_test_add_func ("/core/scream/rate/mean-frame", the_mean_frame_follows_slowly);
  return g_test_run ();
}
