/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What RccXrReporter writes, as the sender's feedback parser hears it.
 */
#include "xrreporter-rig.h"

static void
nothing_to_say (void)
{
  start ();
  g_assert_false (rcc_xr_reporter_pending (&r));
  g_assert_cmpuint (report (MTU), ==, 0);
  send_many (&media, 10, true);
  g_assert_cmpuint (report (MTU), >, 0);
  g_assert_false (rcc_xr_reporter_pending (&r));
  g_assert_cmpuint (report (MTU), ==, 0);
}

/* Media and parity, random loss and lateness, wraps: each packet told once and rightly. */
static void
every_packet_is_told_once (void)
{
  guint late = 0, lost = 0;

  start ();
  for (guint i = 0; i < 8000; i++) {
    Stream *s = rcc_rng_u32 (&rng) % 4 ? &media : &parity;
    const guint k = leave (s), luck = rcc_rng_u32 (&rng) % 100;

    if (luck >= 10 || k == 0)
      arrive (s, k, luck >= 95);
    late += luck >= 95;
    lost += luck < 10;
    if (i % 100 == 99)
      report (MTU);
  }
  for (guint i = 0; i < 4; i++) {       /* the last hole is one only when more came */
    arrive (&media, leave (&media), false);
    arrive (&parity, leave (&parity), false);
  }
  report_all (MTU);
  g_assert_cmpuint (late, >, 300);
  g_assert_cmpuint (lost, >, 600);
  assert_reported (&media, true);
  assert_reported (&parity, true);
  for (guint k = 1; k < parity.n; k++)
    if (parity.truth[k] != LOST && media.truth[3 * k / 2] != LOST)
      assert_one_clock (&media, 3 * k / 2, &parity, k);
  g_assert_cmpuint (r.reported_received + r.reported_lost, ==, media.n + parity.n);
  g_assert_cmpuint (r.reported_lost, ==, count_of (&media, LOST) + count_of (&parity, LOST));
  g_assert_cmpuint (r.reported_late, ==, count_of (&media, LATE) + count_of (&parity, LATE));
  g_assert_cmpuint (r.arrivals.unreported, ==, 0);
  g_assert_cmpuint (f.unknown_packets, ==, 0);
}

/* Only Loss RLE where no clock rate is known, or times are not wanted. */
static void
without_times (void)
{
  for (guint i = 0; i < 2; i++) {
    start ();
    if (i)
      r.clock_rate = 0;
    else
      r.times = false;
    send_many (&media, 50, true);
    send_many (&media, 3, false);
    send_many (&media, 10, true);
    arrive (&media, leave (&media), true);
    g_assert_cmpuint (report (MTU), <, 8 + 8 + 12 + 2 * 24);
    report_all (MTU);
    assert_reported (&media, false);
  }
}

/* Two that change places are no loss, wherever the report falls between them. */
static void
slight_reordering_is_no_loss (void)
{
  start ();
  for (guint i = 0; i < 200; i++) {
    const guint a = leave (&media), b = leave (&media), c = leave (&media);

    g_assert_false (arrive (&media, b, false));
    if (i % 5 == 1)
      report (MTU);
    g_assert_false (arrive (&media, c, false));
    if (i % 5 == 2)
      report (MTU);
    g_assert_false (arrive (&media, a, false));
    if (i % 5 == 3)
      report (MTU);
  }
  report_all (MTU);
  for (guint k = 0; k < media.n; k++) {
    g_assert_cmpuint (media.times[k], ==, 1);
    g_assert_cmpuint (media.reported[k], ==, RECEIVED);
  }
}

/* A hole at the end waits for one report, not for two. */
static void
a_hole_at_the_end_is_held_once (void)
{
  start ();
  send_many (&media, 10, true);
  send_many (&media, 1, false);
  send_many (&media, 2, true);
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 10);
  g_assert_true (rcc_xr_reporter_pending (&r));
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 13);
  assert_reported (&media, true);
}

/* With RCC_XR_REORDER numbers behind it, it is a loss, and waits for nothing. */
static void
a_hole_that_nothing_can_fill_is_not_held (void)
{
  start ();
  send_many (&media, 10, true);
  send_many (&media, 1, false);
  send_many (&media, RCC_XR_REORDER, true);
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 11 + RCC_XR_REORDER);
  g_assert_false (rcc_xr_reporter_pending (&r));
  assert_reported (&media, true);
}

/* RFC 3611 4.1: told as lost, received later, told as received: by itself. */
static void
stragglers_are_told_again (void)
{
  static const guint behind[] = { 20, 21, 22, 40, 57 };

  start ();
  for (guint i = 0; i < 100; i++) {
    bool held = false;

    leave (&media);
    for (guint k = 0; k < G_N_ELEMENTS (behind); k++)
      held |= i == behind[k];
    if (!held)
      arrive (&media, i, false);
  }
  report_all (MTU);
  g_assert_cmpuint (reported_in_all, ==, 100);
  for (guint k = G_N_ELEMENTS (behind); k > 0; k--)
    arrive (&media, behind[k - 1], k == 4);
  g_assert_true (rcc_xr_reporter_pending (&r));
  report (MTU);
  g_assert_cmpuint (reported_in_all, ==, 105);
  for (guint k = 0; k < 100; k++)
    g_assert_cmpuint (media.reported[k], ==, media.truth[k]);
  for (guint k = 0; k < G_N_ELEMENTS (behind); k++) {
    g_assert_cmpuint (media.times[behind[k]], ==, 2);
  }
  g_assert_cmpuint (r.reported_again, ==, 5);
}

/* ... each by its own report: what was told then is not told with its neighbour. */
static void
stragglers_are_told_again_once (void)
{
  static const guint lost[] = { 10, 49, 50 };

  start ();
  for (guint i = 0; i < 100; i++) {
    leave (&media);
    if (i != 10 && i != 49 && i != 50)
      arrive (&media, i, false);
  }
  report_all (MTU);
  arrive (&media, 10, false);
  arrive (&media, 50, false);
  report (MTU);
  arrive (&media, 49, false);
  report (MTU);
  for (guint k = 0; k < G_N_ELEMENTS (lost); k++)
    g_assert_cmpuint (media.times[lost[k]], ==, 2);
  g_assert_cmpuint (r.reported_again, ==, 3);
}

/* A block for all: what is told of six, in any order, takes no more than what is told of one. */
static void
neighbouring_stragglers_are_told_together (void)
{
  static const guint orders[][6] = { { 0 }, { 0, 1, 2, 3, 4, 5 }, { 5, 4, 3, 2, 1, 0 },
    { 3, 1, 4, 0, 5, 2 } };
  gsize alone = 0;

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    const guint n = i ? 6 : 1;
    gsize size;

    start ();
    send_many (&media, 20, true);
    send_many (&media, n, false);
    send_many (&media, 20, true);
    report_all (MTU);
    g_assert_cmpuint (r.reported_lost, ==, n);
    for (guint k = 0; k < n; k++)
      arrive (&media, 20 + orders[i][k], false);
    size = report (MTU);
    alone = i ? alone : size;
    g_assert_cmpuint (size, ==, alone);
    g_assert_cmpuint (r.reported_again, ==, n);
    for (guint k = 0; k < media.n; k++)
      g_assert_cmpuint (media.reported[k], ==, RECEIVED);
  }
}

/* The first copy counts, for its time and for whether it was late. */
static void
duplicates_change_nothing (void)
{
  start ();
  for (guint k = 0; k < 300; k++) {
    const bool late = k % 50 == 7;
    RccTime at;

    arrive (&media, leave (&media), late);
    at = media.at[k];
    now += MS;
    arrive (&media, k, !late);
    if (k % 40 == 0)
      report (MTU);                     /* copies before and after it was told */
    arrive (&media, k, !late);
    media.truth[k] = late ? LATE : RECEIVED;
    media.at[k] = at;
  }
  report_all (MTU);
  assert_reported (&media, true);
  for (guint k = 1; k < 300; k++)
    assert_one_clock (&media, k, &media, 0);
  g_assert_cmpuint (r.reported_again, ==, 0);
}

/* When the sender should know soon: a hole with three later numbers, and what is late. */
static void
urgency (void)
{
  guint hole;

  start ();
  send_many (&media, 5, true);
  hole = leave (&media);
  g_assert_false (arrive (&media, leave (&media), false));
  g_assert_false (arrive (&media, leave (&media), false));
  g_assert_true (arrive (&media, leave (&media), false));
  g_assert_false (arrive (&media, leave (&media), false));
  g_assert_false (arrive (&media, hole, false));
  g_assert_true (arrive (&media, leave (&media), true));
  g_assert_false (arrive (&media, media.n - 1, true));  /* a copy */
  send_many (&media, 1000, false);
  g_assert_true (arrive (&media, leave (&media), false));
}

/* An outage costs a few bytes, however long. */
static void
an_outage_is_one_report (void)
{
  start ();
  send_many (&media, 20, true);
  report_all (MTU);
  send_many (&media, 1500, false);
  send_many (&media, 20, true);
  g_assert_cmpuint (report (MTU), <, 200);
  g_assert_false (rcc_xr_reporter_pending (&r));
  assert_reported (&media, true);
  g_assert_cmpuint (r.reported_lost, ==, 1500);
}

/* Parity comes now and then: what was told of it before is no loss because it is forgotten. */
static void
a_pause_is_no_loss (void)
{
  start ();
  send_many (&parity, 10, true);
  report_all (MTU);
  for (guint i = 0; i < 10; i++) {
    now += RCC_SEC;
    send_many (&media, 50, true);
    report_all (MTU);
  }
  g_assert_false (arrive (&parity, leave (&parity), false));
  g_assert_false (arrive (&parity, leave (&parity), false));
  report_all (MTU);
  assert_reported (&parity, true);
  g_assert_cmpuint (r.reported_lost, ==, 0);
}

/* The sender starts over with the same SSRC, further back than is remembered. */
static void
numbering_restarts (void)
{
  start ();
  send_many (&media, 100, true);
  report_all (MTU);
  for (guint i = 0; i < 200; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) (40000 + i) };

    rcc_xr_reporter_packet (&r, &rtp, false, now + CLOCK);
  }
  report (MTU);
  /* three numbers in a row make a restart, of which the first two went unheard */
  g_assert_cmpuint (r.reported_received, ==, 100 + 198);
  g_assert_cmpuint (r.reported_lost, ==, 0);
}

/* Numbers that begin anew: of those before nobody is told any more. */
static void
a_straggler_of_before_is_not_told (void)
{
  RccRtp rtp = { .ssrc = MEDIA };

  start ();
  for (guint i = 0; i < 100; i++)
    if (i != 90) {
      rtp.seq = (guint16) (20000 + i);
      rcc_xr_reporter_packet (&r, &rtp, false, now);
    }
  while (rcc_xr_reporter_pending (&r))
    rcc_xr_reporter_compound (&r, now, budget, out, sizeof out);
  rtp.seq = 20090;
  rcc_xr_reporter_packet (&r, &rtp, false, now);
  g_assert_true (rcc_xr_reporter_pending (&r));
  for (guint i = 0; i < 10; i++) {
    rtp.seq = (guint16) i;
    rcc_xr_reporter_packet (&r, &rtp, false, now);
  }
  while (rcc_xr_reporter_pending (&r))
    rcc_xr_reporter_compound (&r, now, budget, out, sizeof out);
  g_assert_cmpuint (r.reported_again, ==, 0);
}

/* Ticks of two rates in one report would be taken for one's: for once there are none. */
static void
another_clock_rate_has_no_times_once (void)
{
  start ();
  r.clock_rate = 48000;
  send_many (&media, 10, true);
  r.clock_rate = RATE;
  send_many (&media, 10, true);
  report (MTU);
  for (guint k = 0; k < 20; k++) {
    g_assert_cmpuint (media.reported[k], ==, RECEIVED);
    g_assert_cmpuint (media.reported_at[k], ==, RCC_NEVER);
  }
  send_many (&media, 10, true);
  report (MTU);
  for (guint k = 20; k < 30; k++)
    assert_one_clock (&media, k, &media, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/xrreporter/" name, func)
  ADD ("nothing-to-say", nothing_to_say);
  ADD ("a-straggler-of-before", a_straggler_of_before_is_not_told);
  ADD ("told-once", every_packet_is_told_once);
  ADD ("without-times", without_times);
  ADD ("slight-reordering", slight_reordering_is_no_loss);
  ADD ("held-once", a_hole_at_the_end_is_held_once);
  ADD ("not-held", a_hole_that_nothing_can_fill_is_not_held);
  ADD ("stragglers", stragglers_are_told_again);
  ADD ("stragglers-once", stragglers_are_told_again_once);
  ADD ("duplicates", duplicates_change_nothing);
  ADD ("urgency", urgency);
  ADD ("outage", an_outage_is_one_report);
  ADD ("pause", a_pause_is_no_loss);
  ADD ("restart", numbering_restarts);
  ADD ("another-clock-rate", another_clock_rate_has_no_times_once);
  ADD ("neighbouring-stragglers", neighbouring_stragglers_are_told_together);
  return g_test_run ();
}
