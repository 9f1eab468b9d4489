/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The GCC sender without feedback: when that is silence, what it does then, and how it ends.
 */
#include "sender-rig.h"

/* Every timeout without feedback halves the rate, down to the minimum. */
static void
silence_halves_and_ends (void)
{
  RccTime now = RCC_SEC;
  guint32 expected = 1600000;
  guint recovered = 0;

  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < 25; i++) {      /* until the peer's interval is known */
    sent (now);
    rcc_tell (&s.sender, on_remb, 1600000, now += 200 * RCC_MSEC);
  }
  g_assert_cmpuint (s.target_bps, ==, 1600000);
  while (expected > limits.min_bps) {
    RccTime last = now;

    expected = RCC_MAX (expected / 2, limits.min_bps);
    for (; s.target_bps > expected; now += 10 * RCC_MSEC) {
      g_assert_cmpuint (now, <, last + s.config.feedback_timeout + 50 * RCC_MSEC);
      sent (now);
      if (rcc_deadline (&s.sender) <= now)
        rcc_tell (&s.sender, on_deadline, now);
    }
    g_assert_cmpuint (s.target_bps, ==, expected);
    g_assert_cmpstr (s.limited_by, ==, "feedback-timeout");
  }
  g_assert_cmpuint (s.silences, ==, 5);
  for (; s.target_bps < 1600000; recovered++)
    rcc_tell (&s.sender, on_remb, 1600000, now += 200 * RCC_MSEC);
  g_assert_cmpuint (recovered, ==, 3);  /* to 100, 400, 1600 kbit/s */
}

/* It doubles each 100 ms, with each message at least, by four at most; what ends the silence
 * doubles. */
static void
what_silence_took_comes_back_by_time (void)
{
  static const struct {
    guint ms;
    gdouble factor;
  } gaps[] = { { 5000, 2 }, { 20, 2 }, { 100, 2 }, { 150, 2.828427 }, { 200, 4 }, { 1000, 4 },
    { 4500, 2 } };
  RccTime now = RCC_SEC;
  gdouble expected;

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 1e9, now);
  for (guint i = 0; i < 30; i++) {
    sent (now);
    rcc_tell (&s.sender, on_deadline, now += s.config.feedback_timeout);
  }
  expected = s.silence_bps;
  now -= 5 * RCC_SEC;
  s.feedback.heard = now;
  s.feedback.interval = 2 * RCC_SEC;
  for (guint i = 0; i < G_N_ELEMENTS (gaps); i++) {
    s.limits.max_bps = G_MAXUINT32;
    rcc_tell (&s.sender, on_remb, 1e9, now += gaps[i].ms * RCC_MSEC);
    expected *= gaps[i].factor;
    g_assert_cmpfloat_with_epsilon (s.silence_bps, expected, 1e-6 * expected);
  }
}

/* The first report of a receiver that was there before its sender is none of its first: it may take
 * 1.5 Tmin / 1.21828 (RFC 3550 6.3.1), 6.16 s, and then it is under way. */
static void
nothing_halves_before_a_first_report (void)
{
  const RccReport first = { .expected = 50, .rtt = 300 * RCC_MSEC };
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  for (; now < RCC_SEC + 6450 * RCC_MSEC; now += 10 * RCC_MSEC) {
    sent (now);
    if (rcc_deadline (&s.sender) <= now)
      rcc_tell (&s.sender, on_deadline, now);
  }
  rcc_tell (&s.sender, on_report, &first, now);
  g_assert_cmpuint (s.silences, ==, 0);
  g_assert_cmpuint (s.target_bps, >=, limits.start_bps);
}

static void
halves_where_no_first_report_comes (void)
{
  RccTime now = RCC_SEC, halved[2] = { 0 };

  start (RCC_GCC_DEFAULT);
  for (; s.silences < 2; now += 10 * RCC_MSEC) {
    sent (now);
    if (rcc_deadline (&s.sender) <= now)
      rcc_tell (&s.sender, on_deadline, now);
    if (s.silences > 0 && halved[s.silences - 1] == 0)
      halved[s.silences - 1] = now;
  }
  g_assert_cmpuint (halved[0] - RCC_SEC, >=, 6160 * RCC_MSEC);
  g_assert_cmpuint (halved[0] - RCC_SEC, <=, 6600 * RCC_MSEC);
  g_assert_cmpuint (halved[1] - halved[0], <=, s.config.feedback_timeout + 50 * RCC_MSEC);
}

/* The way back works, the way there does not. */
static void
reports_of_nothing_are_silence (void)
{
  const RccReport first = { .expected = 50, .rtt = 50 * RCC_MSEC };
  const RccReport nothing = { .nothing_new = TRUE, .rtt = 50 * RCC_MSEC };
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 1600000, now);
  rcc_tell (&s.sender, on_report, &first, now);
  for (guint i = 0; i < 1000; i++, now += 10 * RCC_MSEC) {
    sent (now);
    if (i % 100 == 0)
      rcc_tell (&s.sender, on_report, &nothing, now);
    if (rcc_deadline (&s.sender) <= now)
      rcc_tell (&s.sender, on_deadline, now);
  }
  g_assert_cmpstr (s.limited_by, ==, "feedback-timeout");
  g_assert_cmpuint (s.target_bps, <=, 100000);
}

static void
idle_is_not_silence (void)
{
  start (RCC_GCC_PAPER);
  sent (RCC_SEC);
  report (0.05, 50, 2 * RCC_SEC);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_NEVER);
  g_assert_cmpuint (rcc_tell (&s.sender, on_deadline, 3600 * RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (s.silences, ==, 0);
}

static void
an_early_deadline_does_nothing (void)
{
  start (RCC_GCC_PAPER);
  sent (RCC_SEC);
  /* the paper's 5 s are less than a first report may take */
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_SEC + 6500 * RCC_MSEC);
  g_assert_cmpuint (rcc_tell (&s.sender, on_deadline, RCC_SEC + 6500 * RCC_MSEC - 1).changed, ==, 0);
  g_assert_cmpuint (s.target_bps, ==, 300000);
}

static void
silence_down_to_nothing_ends_too (void)
{
  const RccConfig none = { 0, 300000, 5000000 };
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_config, &none, now);
  rcc_tell (&s.sender, on_remb, 1000000, now);
  for (guint i = 0; i < 30; i++) {
    sent (now);
    rcc_tell (&s.sender, on_deadline, now += s.config.feedback_timeout);
  }
  g_assert_cmpuint (s.target_bps, ==, 0);
  for (guint i = 0; i < 15; i++)
    rcc_tell (&s.sender, on_remb, 1000000, now += RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 1000000);
}

/* Silence is measured in intervals of feedback, the first of which begins with what was sent. */
static void
the_first_feedback_tells_the_interval (void)
{
  start (RCC_GCC_DEFAULT);
  sent (RCC_SEC);
  sent (2 * RCC_SEC);
  rcc_tell (&s.sender, on_remb, 1000000, 4 * RCC_SEC);
  g_assert_cmpuint (s.feedback.interval, ==, 3 * RCC_SEC);
  rcc_tell (&s.sender, on_remb, 1000000, 5 * RCC_SEC);  /* what was longer is forgotten slowly */
  g_assert_cmpuint (s.feedback.interval, ==, 9 * RCC_SEC / 4);
  g_assert_cmpuint (s.silence_next, ==, RCC_NEVER);
  sent (6 * RCC_SEC);
  g_assert_cmpuint (s.silence_next, ==, 6 * RCC_SEC + 9 * RCC_SEC / 2);
}

/* A packet each 20 ms from @now on, until @end; what is due is done. */
static RccTime
send_until (RccTime now, RccTime end)
{
  for (; now < end; now += 20 * RCC_MSEC) {
    sent (now);
    if (rcc_deadline (&s.sender) <= now)
      rcc_tell (&s.sender, on_deadline, now);
  }
  return now;
}

/* Receiver reports alone come 2.05 to 6.16 s apart, in any order, the first after half as long
 * (RFC 3550 6.2, 6.3.1): none of it is silence, and 7.5 s is. */
static void
reports_alone_have_their_own_interval (void)
{
  static const guint intervals[] = { 1030, 6150, 2060, 2060, 2060, 6150, 4000, 2060, 6150 };
  RccTime now = RCC_SEC, heard;
  guint32 before;

  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    now = send_until (now, now + intervals[i] * RCC_MSEC);
    report (0.0, 100, now);
    g_assert_cmpuint (s.silences, ==, 0);
  }
  heard = now;
  before = s.target_bps;
  send_until (now, heard + 7400 * RCC_MSEC);
  g_assert_cmpuint (s.silences, ==, 0);
  send_until (heard + 7400 * RCC_MSEC, heard + 7600 * RCC_MSEC);
  g_assert_cmpuint (s.silences, ==, 1);
  g_assert_cmpuint (s.target_bps, ==, before / 2);
}

/* Who reports each second is missed after three; reports that a loss has brought early (RFC 4585)
 * do not hide that the regular ones come each 5 s. */
static void
reports_that_come_often_are_missed_soon (void)
{
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < 10; i++) {
    now = send_until (now, now + RCC_SEC);
    report (0.0, 100, now);
  }
  send_until (now, now + 3100 * RCC_MSEC);
  g_assert_cmpuint (s.silences, ==, 1);

  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < 60; i++) {
    now = send_until (now, now + (i == 0 ? 3 * RCC_SEC : i < 10 ? 5 * RCC_SEC : 200 * RCC_MSEC));
    report (0.0, 100, now);
  }
  send_until (now, now + 6100 * RCC_MSEC);
  g_assert_cmpuint (s.silences, ==, 0);
}

/* Whoever tells of packets is missed as before, though it reports each 5 s besides. */
static void
feedback_of_packets_keeps_its_rule (void)
{
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < 200; i++) {
    const RccPacket p = { .size = SIZE, .sent = now, .arrived = now + 50 * RCC_MSEC };

    now = send_until (now, now + 100 * RCC_MSEC);
    rcc_tell (&s.sender, on_feedback, &p, 1, now);
    if (i % 50 == 49)
      report (0.0, 100, now);
  }
  send_until (now, now + s.config.feedback_timeout + 50 * RCC_MSEC);
  g_assert_cmpuint (s.silences, ==, 1);
}

/* Doubled up to the maximum it is over: a maximum that is raised later meets no limit of it. */
static void
silence_that_is_over_leaves_no_limit (void)
{
  static const RccConfig more = { 50000, 300000, 4000000000u };

  start (RCC_GCC_DEFAULT);
  sent (RCC_SEC);
  rcc_tell (&s.sender, on_deadline, s.silence_next);
  g_assert_cmpstr (s.limited_by, ==, "feedback-timeout");
  for (guint i = 0; i < 8; i++)
    rcc_tell (&s.sender, on_remb, 3000000000u, (10 + i) * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, limits.max_bps);
  rcc_tell (&s.sender, on_config, &more, 20 * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 3000000000u);
}

/* However short config.timeout_repeat is: what the peer takes between two is no silence. */
static void
the_next_halving_waits_for_the_peers_interval (void)
{
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  s.config.timeout_repeat = 1;
  for (guint i = 0; i < 25; i++) {
    sent (now);
    rcc_tell (&s.sender, on_remb, 1600000, now += 200 * RCC_MSEC);
  }
  for (; s.silences == 0; now += 10 * RCC_MSEC) {
    sent (now);
    if (rcc_deadline (&s.sender) <= now)
      rcc_tell (&s.sender, on_deadline, now);
  }
  sent (now);
  g_assert_cmpuint (s.silence_next, >=, now + 100 * RCC_MSEC);
  g_assert_cmpuint (s.silence_next, <=, now + 200 * RCC_MSEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-sender-silence/silence-halves-and-ends", silence_halves_and_ends);
  g_test_add_func ("/gcc-sender-silence/what-silence-took-comes-back-by-time",
      what_silence_took_comes_back_by_time);
  g_test_add_func ("/gcc-sender-silence/nothing-halves-before-a-first-report",
      nothing_halves_before_a_first_report);
  g_test_add_func ("/gcc-sender-silence/halves-where-no-first-report-comes",
      halves_where_no_first_report_comes);
  g_test_add_func ("/gcc-sender-silence/reports-of-nothing-are-silence",
      reports_of_nothing_are_silence);
  g_test_add_func ("/gcc-sender-silence/idle-is-not-silence", idle_is_not_silence);
  g_test_add_func ("/gcc-sender-silence/an-early-deadline-does-nothing",
      an_early_deadline_does_nothing);
  g_test_add_func ("/gcc-sender-silence/silence-down-to-nothing-ends-too",
      silence_down_to_nothing_ends_too);
  g_test_add_func ("/gcc-sender-silence/the-first-feedback-tells-the-interval",
      the_first_feedback_tells_the_interval);
  g_test_add_func ("/gcc-sender-silence/reports-alone-have-their-own-interval",
      reports_alone_have_their_own_interval);
  g_test_add_func ("/gcc-sender-silence/reports-that-come-often-are-missed-soon",
      reports_that_come_often_are_missed_soon);
  g_test_add_func ("/gcc-sender-silence/feedback-of-packets-keeps-its-rule",
      feedback_of_packets_keeps_its_rule);
  g_test_add_func ("/gcc-sender-silence/silence-that-is-over-leaves-no-limit",
      silence_that_is_over_leaves_no_limit);
  g_test_add_func ("/gcc-sender-silence/the-next-halving", the_next_halving_waits_for_the_peers_interval);
  return g_test_run ();
}
