/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/rtt.h"

#define SHORT(seconds) ((guint32) ((seconds) * 65536))
#define LSR 0x12345678u

static void
subtracts_the_receivers_delay (void)
{
  RccRtt r;
  RccTime rtt;

  rcc_rtt_init (&r);
  rcc_rtt_sr_sent (&r, LSR, 10 * RCC_SEC);
  rtt = rcc_rtt_block (&r, LSR, SHORT (0.5), 0, 10 * RCC_SEC + 580 * RCC_MSEC);
  g_assert_cmpuint (rtt, ==, 80 * RCC_MSEC);
  g_assert_cmpuint (r.smoothed, ==, rtt);
  g_assert_cmpuint (r.min, ==, rtt);
  g_assert_cmpuint (r.samples, ==, 1);
}

/* RFC 8083 3: Tr = 0.8 Tr + 0.2 Tr_new */
static void
smooths_as_rfc_8083 (void)
{
  RccRtt r;

  rcc_rtt_init (&r);
  rcc_rtt_sr_sent (&r, LSR, RCC_SEC);
  rcc_rtt_block (&r, LSR, 0, 0, RCC_SEC + 100 * RCC_MSEC);
  rcc_rtt_block (&r, LSR, 0, 0, RCC_SEC + 200 * RCC_MSEC);
  g_assert_cmpuint (r.smoothed, ==, 120 * RCC_MSEC);
  g_assert_cmpuint (r.last, ==, 200 * RCC_MSEC);
  g_assert_cmpuint (r.min, ==, 100 * RCC_MSEC);
}

static void
refuses (guint32 lsr, guint32 dlsr, guint32 wall, RccTime now)
{
  RccRtt r;

  rcc_rtt_init (&r);
  rcc_rtt_sr_sent (&r, LSR, RCC_SEC);
  rcc_rtt_block (&r, LSR, 0, 0, RCC_SEC + 50 * RCC_MSEC);
  g_assert_cmpuint (rcc_rtt_block (&r, lsr, dlsr, wall, now), ==, RCC_NEVER);
  g_assert_cmpuint (r.smoothed, ==, 50 * RCC_MSEC);
  g_assert_cmpuint (r.samples, ==, 1);
  g_assert_cmpuint (r.refused, ==, lsr != 0);
}

static void
refuses_what_never_was (void)
{
  /* an echo of an SR that never left, though the wall clock would vouch for it */
  refuses (LSR - 1, 0, LSR + SHORT (0.1), 2 * RCC_SEC);
  /* held for longer than it was away; away for more than a minute */
  refuses (LSR, SHORT (1.1), 0, 2 * RCC_SEC);
  refuses (LSR, UINT32_MAX, 0, 2 * RCC_SEC);
  refuses (LSR, 0, 0, 62 * RCC_SEC);
  /* "no SR received yet" is no forgery */
  refuses (0, 0, SHORT (5), 2 * RCC_SEC);
}

static void
accepts_the_whole_range (void)
{
  RccRtt r;

  rcc_rtt_init (&r);
  rcc_rtt_sr_sent (&r, LSR, RCC_SEC);
  g_assert_cmpuint (rcc_rtt_block (&r, LSR, SHORT (1), 0, 2 * RCC_SEC), ==, 0);
  g_assert_cmpuint (rcc_rtt_block (&r, LSR, 0, 0, 61 * RCC_SEC), ==, RCC_RTT_MAX);
}

static void
goes_by_the_wall_clock_only_without_srs (void)
{
  RccRtt r;

  rcc_rtt_init (&r);
  g_assert_cmpuint (rcc_rtt_block (&r, LSR, 0, 0, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpuint (rcc_rtt_block (&r, LSR, SHORT (0.25),
          LSR + SHORT (0.5), RCC_SEC), ==, 250 * RCC_MSEC);
  /* LSR in the future: the modular difference is hours */
  g_assert_cmpuint (rcc_rtt_block (&r, LSR + SHORT (1), 0, LSR, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpuint (r.refused, ==, 2);
}

/* The middle 32 bits of NTP time wrap every 18.2 h. */
static void
survives_the_ntp_wrap (void)
{
  RccRtt r;

  rcc_rtt_init (&r);
  g_assert_cmpuint (rcc_rtt_block (&r, 0xffffff00, 0, 0x100, RCC_SEC), ==,
      0x200 * RCC_SEC / 65536);
  rcc_rtt_sr_sent (&r, 0xffffff00, 5 * RCC_SEC);
  rcc_rtt_sr_sent (&r, 0x00000100, 6 * RCC_SEC);
  g_assert_cmpuint (rcc_rtt_block (&r, 0xffffff00, SHORT (1.5), 0, 7 * RCC_SEC), ==,
      RCC_SEC / 2);
}

static void
remembers_sixteen_srs (void)
{
  RccRtt r;

  rcc_rtt_init (&r);
  for (guint32 i = 1; i <= RCC_RTT_SRS + 1; i++)
    rcc_rtt_sr_sent (&r, i << 16, i * RCC_SEC);
  g_assert_cmpuint (rcc_rtt_block (&r, 1 << 16, 0, 0, 20 * RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpuint (rcc_rtt_block (&r, 2 << 16, 0, 0, 20 * RCC_SEC), ==, 18 * RCC_SEC);
  g_assert_cmpuint (rcc_rtt_block (&r, 17 << 16, 0, 0, 20 * RCC_SEC), ==, 3 * RCC_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtt/subtracts-the-receivers-delay", subtracts_the_receivers_delay);
  g_test_add_func ("/rtt/smooths-as-rfc-8083", smooths_as_rfc_8083);
  g_test_add_func ("/rtt/refuses-what-never-was", refuses_what_never_was);
  g_test_add_func ("/rtt/accepts-the-whole-range", accepts_the_whole_range);
  g_test_add_func ("/rtt/goes-by-the-wall-clock-only-without-srs",
      goes_by_the_wall_clock_only_without_srs);
  g_test_add_func ("/rtt/survives-the-ntp-wrap", survives_the_ntp_wrap);
  g_test_add_func ("/rtt/remembers-sixteen-srs", remembers_sixteen_srs);
  return g_test_run ();
}
