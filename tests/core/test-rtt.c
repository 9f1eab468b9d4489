/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <glib.h>
#include "core/rtt.h"

#define SHORT(seconds) ((guint32) ((seconds) * 65536))
#define LSR 0x12345678u

/* A source and its round trips, as whoever hears reports goes about it. */
typedef struct {
  RccSrLog log;
  RccSrs srs;
  RccRtt rtt;
  RccEcho echo;                         /* of the last block */
} Trip;

static void
start (Trip *t)
{
  memset (t, 0xa5, sizeof *t);
  rcc_sr_log_init (&t->log, g_realloc);
  rcc_srs_init (&t->srs, 7);
  rcc_rtt_init (&t->rtt);
}

static void
finish (Trip *t)
{
  rcc_log_clear (&t->log);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trip, finish)

static RccTime
block (Trip *t, guint32 lsr, guint32 dlsr, guint32 ntp_middle, RccTime now)
{
  RccTime sample;

  t->echo = rcc_rtt_judge (&t->log, &t->srs, rcc_srs_find (&t->log, &t->srs, lsr), lsr, dlsr,
      ntp_middle, now, &sample);
  rcc_rtt_take (&t->rtt, &t->srs, t->echo, sample);
  return sample;
}

static void
subtracts_the_receivers_delay (void)
{
  g_auto (Trip) r;
  RccTime rtt;

  start (&r);
  rcc_srs_sent (&r.log, &r.srs, LSR, 10 * RCC_SEC);
  rtt = block (&r, LSR, SHORT (0.5), 0, 10 * RCC_SEC + 580 * RCC_MSEC);
  g_assert_cmpuint (rtt, ==, 80 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.smoothed, ==, rtt);
  g_assert_cmpuint (r.rtt.min, ==, rtt);
  g_assert_cmpuint (r.rtt.samples, ==, 1);
}

/* RFC 8083 3: Tr = 0.8 Tr + 0.2 Tr_new */
static void
smooths_as_rfc_8083 (void)
{
  g_auto (Trip) r;

  start (&r);
  rcc_srs_sent (&r.log, &r.srs, LSR, RCC_SEC);
  block (&r, LSR, 0, 0, RCC_SEC + 100 * RCC_MSEC);
  block (&r, LSR, 0, 0, RCC_SEC + 200 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.smoothed, ==, 120 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.last, ==, 200 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.min, ==, 100 * RCC_MSEC);
}

static void
refuses (guint32 lsr, guint32 dlsr, guint32 ntp_middle, RccTime now)
{
  g_auto (Trip) r;

  start (&r);
  rcc_srs_sent (&r.log, &r.srs, LSR, RCC_SEC);
  block (&r, LSR, 0, 0, RCC_SEC + 50 * RCC_MSEC);
  g_assert_cmpuint (block (&r, lsr, dlsr, ntp_middle, now), ==, RCC_NEVER);
  g_assert_cmpuint (r.rtt.smoothed, ==, 50 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.samples, ==, 1);
  g_assert_cmpuint (r.rtt.refused, ==, lsr != 0);
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
  g_auto (Trip) r;

  start (&r);
  rcc_srs_sent (&r.log, &r.srs, LSR, RCC_SEC);
  g_assert_cmpuint (block (&r, LSR, SHORT (1), 0, 2 * RCC_SEC), ==, 0);
  g_assert_cmpuint (block (&r, LSR, 0, 0, 61 * RCC_SEC), ==, RCC_RTT_MAX);
}

static void
goes_by_the_wall_clock_only_without_srs (void)
{
  g_auto (Trip) r;

  start (&r);
  g_assert_cmpuint (block (&r, LSR, 0, 0, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpuint (block (&r, LSR, SHORT (0.25),
          LSR + SHORT (0.5), RCC_SEC), ==, 250 * RCC_MSEC);
  /* LSR in the future: the modular difference is hours */
  g_assert_cmpuint (block (&r, LSR + SHORT (1), 0, LSR, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpuint (r.rtt.refused, ==, 2);
}

/* The middle 32 bits of NTP time wrap every 18.2 h. */
static void
survives_the_ntp_wrap (void)
{
  g_auto (Trip) r;

  start (&r);
  g_assert_cmpuint (block (&r, 0xffffff00, 0, 0x100, RCC_SEC), ==,
      0x200 * RCC_SEC / 65536);
  rcc_srs_sent (&r.log, &r.srs, 0xffffff00, 5 * RCC_SEC);
  rcc_srs_sent (&r.log, &r.srs, 0x00000100, 6 * RCC_SEC);
  g_assert_cmpuint (block (&r, 0xffffff00, SHORT (1.5), 0, 7 * RCC_SEC), ==,
      RCC_SEC / 2);
}

/* One a second: those of the last minute are remembered, and some more. */
static void
forgets_the_oldest_sr (void)
{
  const guint kept = 64;
  const RccTime now = (kept + 4) * RCC_SEC;
  g_auto (Trip) r;

  start (&r);
  for (guint32 i = 1; i <= kept + 1; i++)
    rcc_srs_sent (&r.log, &r.srs, i << 16, i * RCC_SEC);
  g_assert_cmpuint (block (&r, (kept + 1) << 16, 0, 0, now), ==, 3 * RCC_SEC);
  g_assert_cmpuint (block (&r, 1 << 16, 0, 0, now), ==, RCC_NEVER);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  g_assert_cmpuint (block (&r, 2 << 16, SHORT (kept), 0, now), ==, 2 * RCC_SEC);
}

/* An SR every 4 ms, echoed over two long queues: believed, though too late for a
 * sample; the same with a DLSR that cannot be is not. */
static void
a_forgotten_sr_proves_nothing (void)
{
  const RccTime now = 20 * RCC_SEC;
  g_auto (Trip) r;

  start (&r);
  for (guint i = 0; i < 5000; i++)
    rcc_srs_sent (&r.log, &r.srs, LSR + i * 65536 / 250, i * 4 * RCC_MSEC);
  block (&r, LSR + 4900 * 65536 / 250, 0, 0, now);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_SAMPLE);
  g_assert_cmpuint (block (&r, LSR + 500 * 65536 / 250, SHORT (0.1), 0, now), ==, RCC_NEVER);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_UNKNOWN);
  block (&r, LSR + 500 * 65536 / 250, SHORT (18.1), 0, now);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  block (&r, LSR, SHORT (0.1), 0, now);          /* the first of all, and what was before */
  g_assert_cmpint (r.echo, ==, RCC_ECHO_UNKNOWN);
  block (&r, LSR - 1, SHORT (0.1), 0, now);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  block (&r, LSR - SHORT (41), 0, 0, now);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  block (&r, LSR + SHORT (21), 0, 0, now);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
}

/* A DLSR that is a little too long is a clock that runs fast: no round trip at all. */
static void
tolerates_another_clock (void)
{
  static const struct {
    gdouble age, dlsr;
    gboolean good;
  } cases[] = {
    { 1, 1.019, TRUE }, { 1, 1.021, FALSE }, { 0, 0.019, TRUE },
    { 100, 100.09, TRUE }, { 100, 100.11, FALSE },
    { 3600, 3603, TRUE }, { 3600, 3604, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Trip) r;

    start (&r);
    rcc_srs_sent (&r.log, &r.srs, LSR, RCC_SEC);
    g_assert_cmpuint (block (&r, LSR, SHORT (cases[i].dlsr), 0,
            RCC_SEC + (RccTime) (cases[i].age * RCC_SEC)), ==, cases[i].good ? 0 : RCC_NEVER);
    g_assert_cmpint (r.echo, ==, cases[i].good ? RCC_ECHO_SAMPLE : RCC_ECHO_FORGED);
  }
}

/* Begun in the middle of a call: the SR before the first that was seen may be echoed
 * still, until one that was seen is. */
static void
what_left_before_proves_nothing (void)
{
  g_auto (Trip) r;

  start (&r);
  rcc_srs_sent (&r.log, &r.srs, LSR, 100 * RCC_SEC);
  block (&r, LSR - SHORT (5), SHORT (4.9), LSR, 100 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_UNKNOWN);
  block (&r, LSR - SHORT (61), 0, LSR, 100 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  block (&r, LSR + 1, 0, LSR, 100 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  g_assert_cmpuint (block (&r, LSR, SHORT (1), 0, 102 * RCC_SEC), ==, RCC_SEC);
  block (&r, LSR - SHORT (5), SHORT (7), LSR, 102 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
  g_assert_cmpuint (r.rtt.samples, ==, 1);
}

/* Emptied: all that left before is forgotten, and no less so once the next one has left. */
static void
an_emptied_log_proves_nothing (void)
{
  g_auto (Trip) r;

  start (&r);
  for (guint i = 0; i < 5; i++)
    rcc_srs_sent (&r.log, &r.srs, LSR + SHORT (i), (100 + i) * RCC_SEC);
  block (&r, LSR, 0, 0, 105 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_SAMPLE);
  rcc_log_empty (&r.log);
  rcc_srs_sent (&r.log, &r.srs, LSR + SHORT (10), 110 * RCC_SEC);
  g_assert_cmpuint (block (&r, LSR + SHORT (3), SHORT (1), 0, 111 * RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_UNKNOWN);
  block (&r, LSR + SHORT (3), SHORT (9), 0, 111 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
}

/* Nothing is forgotten: what is not there never was, though a DLSR of 18 hours would make it
 * one of the last turn of the NTP time. */
static void
an_absurd_delay_excuses_nothing (void)
{
  g_auto (Trip) r;

  start (&r);
  rcc_srs_sent (&r.log, &r.srs, LSR, RCC_SEC);
  block (&r, LSR, 0, 0, RCC_SEC + 50 * RCC_MSEC);
  block (&r, LSR + 1, SHORT (65535.9), 0, 2 * RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_FORGED);
}

/* 0 says that there is none, and is no time a second after the one that is echoed. */
static void
no_wall_clock_is_no_time (void)
{
  g_auto (Trip) r;

  start (&r);
  g_assert_cmpuint (block (&r, 0u - SHORT (1), 0, 0, RCC_SEC), ==, RCC_NEVER);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_UNKNOWN);
  g_assert_cmpuint (block (&r, 1u - SHORT (1), 0, 1, RCC_SEC), ==, RCC_SEC);
  g_assert_cmpint (r.echo, ==, RCC_ECHO_SAMPLE);
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
  g_test_add_func ("/rtt/forgets-the-oldest-sr", forgets_the_oldest_sr);
  g_test_add_func ("/rtt/a-forgotten-sr-proves-nothing", a_forgotten_sr_proves_nothing);
  g_test_add_func ("/rtt/tolerates-another-clock", tolerates_another_clock);
  g_test_add_func ("/rtt/what-left-before-proves-nothing", what_left_before_proves_nothing);
  g_test_add_func ("/rtt/an-emptied-log-proves-nothing", an_emptied_log_proves_nothing);
  g_test_add_func ("/rtt/an-absurd-delay-excuses-nothing", an_absurd_delay_excuses_nothing);
  g_test_add_func ("/rtt/no-wall-clock-is-no-time", no_wall_clock_is_no_time);
  return g_test_run ();
}
