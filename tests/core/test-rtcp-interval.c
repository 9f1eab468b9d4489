/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/rtcp-interval.h"

static void
minimum_holds_for_a_call (void)
{
  RccRtcpSession s = { .members = 2, .senders = 1, .we_sent = true, .average_size = 100,
    .bandwidth = 0.05 * 1e6 / 8, .tmin = RCC_RTCP_TMIN };

  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
  s.tmin = RCC_SEC;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, RCC_SEC);
}

/* A.7: a quarter of the bandwidth for the senders while they are a quarter at most */
static void
senders_and_receivers_share_the_bandwidth (void)
{
  RccRtcpSession s = { .members = 100, .senders = 10, .we_sent = true,
    .average_size = 120, .bandwidth = 400 };

  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 12 * RCC_SEC);  /* 10 * 120 / 100 */
  s.we_sent = false;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 36 * RCC_SEC);  /* 90 * 120 / 300 */
  s.senders = 25;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 30 * RCC_SEC);  /* 75 * 120 / 300 */
  s.senders = 26;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 30 * RCC_SEC);  /* 100 * 120 / 400 */
  s.we_sent = true;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 30 * RCC_SEC);
}

static void
what_is_not_known_is_the_minimum (void)
{
  const RccRtcpSession full = { .members = 1000, .senders = 1, .average_size = 1000,
    .bandwidth = 100, .tmin = 5 * RCC_SEC };
  RccRtcpSession s = full;

  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 3600 * RCC_SEC);
  s.bandwidth = 0;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
  s.bandwidth = NAN;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
  s = full;
  s.average_size = 0;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
  s.average_size = NAN;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
  s.average_size = 0.5;                 /* which is something */
  g_assert_cmpuint (rcc_rtcp_interval (&s), >, 5 * RCC_SEC);
  s = full;
  s.bandwidth = 0.5;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 3600 * RCC_SEC);
  s = full;
  s.members = s.senders = 0;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
  s.senders = UINT_MAX;                 /* more than there are members */
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 5 * RCC_SEC);
}

static void
never_longer_than_an_hour (void)
{
  RccRtcpSession s = { .members = UINT_MAX, .average_size = INFINITY, .bandwidth = 1e-300,
    .tmin = RCC_NEVER };

  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 3600 * RCC_SEC);
  s.tmin = 0;
  g_assert_cmpuint (rcc_rtcp_interval (&s), ==, 3600 * RCC_SEC);
}

static void
average_size_moves_by_a_sixteenth (void)
{
  g_assert_cmpfloat (rcc_rtcp_average_size (0, 72), ==, 100);
  g_assert_cmpfloat (rcc_rtcp_average_size (100, 72 + 160), ==, 110);
  g_assert_cmpfloat (rcc_rtcp_average_size (100, UINT32_MAX), <, 3e8);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtcp-interval/minimum-holds-for-a-call", minimum_holds_for_a_call);
  g_test_add_func ("/rtcp-interval/senders-and-receivers-share-the-bandwidth",
      senders_and_receivers_share_the_bandwidth);
  g_test_add_func ("/rtcp-interval/what-is-not-known-is-the-minimum",
      what_is_not_known_is_the_minimum);
  g_test_add_func ("/rtcp-interval/never-longer-than-an-hour", never_longer_than_an_hour);
  g_test_add_func ("/rtcp-interval/average-size-moves-by-a-sixteenth",
      average_size_moves_by_a_sixteenth);
  return g_test_run ();
}
