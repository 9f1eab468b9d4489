/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/sendtime.h"

#define ABS_ID 3

/* A packet with abs-send-time @abs (-1: without) and the given RTP fields. */
static RccTime
packet (RccSendClock *c, gint64 abs, guint32 ssrc, guint32 timestamp, guint32 clock_rate,
    RccTime arrival)
{
  const RccRtp head = { .pt = 96, .ssrc = ssrc, .timestamp = timestamp };
  guint8 bytes[64], value[3];
  const RccRtpExt ext = { ABS_ID, sizeof value, value };
  RccRtp rtp;
  gsize size;

  rcc_put24 (value, (guint32) abs & 0xffffff);
  size = rcc_rtp_build (bytes, sizeof bytes, &head, &ext, abs >= 0 ? 1 : 0);
  g_assert_cmpuint (size, >, 0);
  g_assert_true (rcc_rtp_parse ((RccBytes) { bytes, size }, &rtp));
  return rcc_send_clock_time (c, &rtp, clock_rate, arrival);
}

static void
abs_send_time_wraps_ten_times (void)
{
  RccSendClock c;
  RccTime first = RCC_NEVER;

  rcc_send_clock_init (&c, ABS_ID);
  for (RccTime t = 60 * RCC_SEC; t < 700 * RCC_SEC; t += 33 * RCC_MSEC) {
    const RccTime send = packet (&c, rcc_abs_send_time (t), 1, 0, 0, t);

    if (first == RCC_NEVER)
      first = send;
    /* resolution 3.8 us */
    g_assert_cmpint (ABS ((gint64) (send - first) - (gint64) (t - 60 * RCC_SEC)), <=, 8000);
  }
  g_assert_cmpint (c.source, ==, RCC_SEND_TIME_ABS);
}

static void
what_left_before_the_first_is_positive (void)
{
  RccSendClock c;
  RccTime first, before;

  rcc_send_clock_init (&c, ABS_ID);
  first = packet (&c, rcc_abs_send_time (RCC_SEC), 1, 0, 0, 0);
  before = packet (&c, rcc_abs_send_time (63 * RCC_SEC), 1, 0, 0, 0);
  g_assert_cmpuint (first - before, >=, 2 * RCC_SEC - 8 * RCC_USEC);
  g_assert_cmpuint (first - before, <=, 2 * RCC_SEC + 8 * RCC_USEC);
}

/* 20 s back, again and again: never silent, and right again from packet to packet. */
static void
a_clock_set_back_often_is_followed (void)
{
  RccSendClock c;
  RccTime t = 6400 * RCC_SEC;

  rcc_send_clock_init (&c, ABS_ID);
  for (guint i = 0; i < 50; i++, t -= 20 * RCC_SEC) {
    const RccTime a = packet (&c, rcc_abs_send_time (t), 1, 0, 0, 0);
    const RccTime b = packet (&c, rcc_abs_send_time (t + 10 * RCC_MSEC), 1, 0, 0, 0);

    g_assert_cmpuint (a, !=, RCC_NEVER);
    g_assert_cmpuint (b - a, >=, 9990 * RCC_USEC);
    g_assert_cmpuint (b - a, <=, 10010 * RCC_USEC);
  }
}

/* By quarters of its 64 s, and by a tick more than all of it: no time is before 0, or far away. */
static void
a_tick_before_all_begins_anew (void)
{
  RccSendClock c;

  rcc_send_clock_init (&c, ABS_ID);
  for (guint i = 0; i <= 4; i++)
    packet (&c, (4 - i) % 4 << 22, 1, 0, 0, 0);
  g_assert_cmpuint (packet (&c, 0, 1, 0, 0, 0), ==, 0);
  g_assert_cmpuint (packet (&c, 0xffffff, 1, 0, 0, 0), ==, rcc_abs_send_time_to_ns (0x1ffffff));
}

static void
a_packet_without_does_not_mix_clocks (void)
{
  RccSendClock c;

  rcc_send_clock_init (&c, ABS_ID);
  packet (&c, 1000, 1, 0, 90000, 0);
  g_assert_cmpuint (packet (&c, -1, 1, 90000, 90000, 0), ==, RCC_NEVER);
  g_assert_cmpuint (packet (&c, 2000, 1, 0, 90000, 0), !=, RCC_NEVER);
}

static void
falls_back_to_rtp_timestamps (void)
{
  static const guint32 rates[] = { 90000, 48000, 8000 };

  for (guint r = 0; r < 3; r++) {
    const guint32 start = UINT32_MAX - 5 * rates[r];    /* wraps on the way */
    RccSendClock c;
    RccTime first;

    rcc_send_clock_init (&c, 0);
    first = packet (&c, -1, 7, start, rates[r], 0);
    g_assert_cmpint (c.source, ==, RCC_SEND_TIME_RTP);
    for (guint i = 1; i < 600; i++) {
      const RccTime t = packet (&c, -1, 7, start + i * rates[r] / 30, rates[r], i);

      g_assert_cmpint (ABS ((gint64) (t - first) - (gint64) (i * RCC_SEC / 30)), <=,
          RCC_SEC / rates[r] + 1);
    }
  }
}

/* Almost half a wrap back, again and again: right again from packet to packet. */
static void
timestamps_set_back_often_are_followed (void)
{
  guint32 timestamp = 0x40000000;
  RccSendClock c;

  rcc_send_clock_init (&c, 0);
  for (guint i = 0; i < 50; i++, timestamp -= 0x70000000) {
    const RccTime a = packet (&c, -1, 7, timestamp, 90000, 0);
    const RccTime b = packet (&c, -1, 7, timestamp + 900, 90000, 0);

    g_assert_cmpuint (a, !=, RCC_NEVER);
    g_assert_cmpint (ABS ((gint64) (b - a) - (gint64) (10 * RCC_MSEC)), <=, 1);
  }
}

static void
one_ssrc_at_a_time (void)
{
  RccSendClock c;
  RccTime now = RCC_SEC;

  rcc_send_clock_init (&c, 0);
  for (guint i = 0; i < 100; i++, now += 33 * RCC_MSEC) {
    g_assert_cmpuint (packet (&c, -1, 1, 3000 * i, 90000, now), !=, RCC_NEVER);
    /* the other counts from elsewhere: nothing to compare with */
    g_assert_cmpuint (packet (&c, -1, 2, 5000000 + 3000 * i, 90000, now), ==, RCC_NEVER);
  }
  now += RCC_SEC;
  g_assert_cmpuint (packet (&c, -1, 2, 5400000, 90000, now), ==, RCC_NEVER);
  now += 2 * RCC_SEC;                   /* the first has fallen silent */
  g_assert_cmpuint (packet (&c, -1, 2, 5600000, 90000, now), !=, RCC_NEVER);
  g_assert_cmpuint (packet (&c, -1, 1, 600000, 90000, now), ==, RCC_NEVER);
}

static void
no_clock_rate_no_time (void)
{
  RccSendClock c;

  rcc_send_clock_init (&c, 0);
  g_assert_cmpuint (packet (&c, 1000, 1, 90000, 0, 0), ==, RCC_NEVER);
  g_assert_cmpint (c.source, ==, RCC_SEND_TIME_NONE);
  g_assert_cmpuint (packet (&c, 1000, 1, 90000, 90000, 0), !=, RCC_NEVER);
}

static void
an_element_of_the_wrong_size_is_none (void)
{
  const guint8 value[2] = { 1, 2 };
  const RccRtp head = { .ssrc = 1, .timestamp = 90000 };
  const RccRtpExt ext = { ABS_ID, sizeof value, value };
  guint8 bytes[64];
  RccSendClock c;
  RccRtp rtp;

  rcc_send_clock_init (&c, ABS_ID);
  g_assert_true (rcc_rtp_parse ((RccBytes) { bytes,
              rcc_rtp_build (bytes, sizeof bytes, &head, &ext, 1) }, &rtp));
  g_assert_cmpuint (rcc_send_clock_time (&c, &rtp, 90000, 0), !=, RCC_NEVER);
  g_assert_cmpint (c.source, ==, RCC_SEND_TIME_RTP);
}

static void
sources_have_names (void)
{
  g_assert_cmpstr (rcc_send_time_name (RCC_SEND_TIME_NONE), ==, "none");
  g_assert_cmpstr (rcc_send_time_name (RCC_SEND_TIME_ABS), ==, "abs-send-time");
  g_assert_cmpstr (rcc_send_time_name (RCC_SEND_TIME_RTP), ==, "rtp-timestamp");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sendtime/abs-send-time-wraps-ten-times", abs_send_time_wraps_ten_times);
  g_test_add_func ("/sendtime/what-left-before-the-first-is-positive",
      what_left_before_the_first_is_positive);
  g_test_add_func ("/sendtime/a-clock-set-back-often-is-followed",
      a_clock_set_back_often_is_followed);
  g_test_add_func ("/sendtime/a-packet-without-does-not-mix-clocks",
      a_packet_without_does_not_mix_clocks);
  g_test_add_func ("/sendtime/falls-back-to-rtp-timestamps", falls_back_to_rtp_timestamps);
  g_test_add_func ("/sendtime/timestamps-set-back-often-are-followed",
      timestamps_set_back_often_are_followed);
  g_test_add_func ("/sendtime/one-ssrc-at-a-time", one_ssrc_at_a_time);
  g_test_add_func ("/sendtime/no-clock-rate-no-time", no_clock_rate_no_time);
  g_test_add_func ("/sendtime/an-element-of-the-wrong-size-is-none",
      an_element_of_the_wrong_size_is_none);
  g_test_add_func ("/sendtime/sources-have-names", sources_have_names);
  g_test_add_func ("/sendtime/a-tick-before-all", a_tick_before_all_begins_anew);
  return g_test_run ();
}
