/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/reporters.h"

#define ALICE 0xa11ceu
#define BOB 0xb0bu
#define MALLORY 0x3a110u
#define FMT_TWCC 15
#define FMT_CCFB 11
#define START (100 * RCC_SEC)

static RccReporters r;

static void
start (void)
{
  memset (&r, 0xa5, sizeof r);
  rcc_reporters_init (&r);
}

static void
echoed (guint32 ssrc, RccTime now)
{
  rcc_reporters_proved (&r, ssrc, RCC_PROOF_ECHO, now);
}

static void
counted (guint32 ssrc, RccTime now)
{
  rcc_reporters_proved (&r, ssrc, RCC_PROOF_COUNT, now);
}

static void
an_echo_outranks_a_count (void)
{
  start ();
  g_assert_false (rcc_reporters_any (&r, START));
  g_assert_false (rcc_reporters_trusts (&r, ALICE, START));
  counted (MALLORY, START);
  g_assert_true (rcc_reporters_trusts (&r, MALLORY, START));
  g_assert_false (rcc_reporters_trusts (&r, ALICE, START));
  echoed (ALICE, START);
  g_assert_true (rcc_reporters_trusts (&r, ALICE, START));
  g_assert_false (rcc_reporters_trusts (&r, MALLORY, START));
  echoed (BOB, START);                  /* two receivers: both count */
  g_assert_true (rcc_reporters_trusts (&r, ALICE, START));
  g_assert_true (rcc_reporters_trusts (&r, BOB, START));
}

static void
a_reporter_that_is_silent_has_left (void)
{
  start ();
  echoed (ALICE, START);
  counted (BOB, START + 10 * RCC_SEC);
  g_assert_true (rcc_reporters_trusts (&r, ALICE, START + RCC_REPORTER_KEEP - 1));
  g_assert_false (rcc_reporters_trusts (&r, BOB, START + RCC_REPORTER_KEEP - 1));
  g_assert_false (rcc_reporters_trusts (&r, ALICE, START + RCC_REPORTER_KEEP));
  g_assert_true (rcc_reporters_trusts (&r, BOB, START + RCC_REPORTER_KEEP));
  g_assert_false (rcc_reporters_any (&r, START + 10 * RCC_SEC + RCC_REPORTER_KEEP));
  /* what it once echoed is forgotten with it */
  counted (ALICE, START + 60 * RCC_SEC);
  counted (BOB, START + 60 * RCC_SEC);
  g_assert_true (rcc_reporters_trusts (&r, BOB, START + 60 * RCC_SEC));
  /* while it is there, each proof is as good as the first */
  echoed (ALICE, START + 61 * RCC_SEC);
  counted (ALICE, START + 80 * RCC_SEC);
  g_assert_true (rcc_reporters_trusts (&r, ALICE, START + 100 * RCC_SEC));
  g_assert_false (rcc_reporters_trusts (&r, BOB, START + 80 * RCC_SEC));
}

static void
a_crowd_displaces_nobody_who_is_known (void)
{
  start ();
  echoed (ALICE, START);
  for (guint32 i = 0; i < 1000; i++)
    counted (MALLORY + i, START + i * RCC_MSEC);
  g_assert_true (rcc_reporters_trusts (&r, ALICE, START + RCC_SEC));
  g_assert_cmpuint (r.n, ==, RCC_REPORTERS);
  for (guint32 i = 0; i < RCC_REPORTERS; i++)   /* then the oldest goes */
    echoed (BOB + i, START + (2 + i) * RCC_SEC);
  g_assert_false (rcc_reporters_trusts (&r, ALICE, START + 20 * RCC_SEC));
  g_assert_true (rcc_reporters_trusts (&r, BOB, START + 20 * RCC_SEC));
}

static RccFeedbackSource
tells (guint32 ssrc, guint8 format, gboolean proved, RccTime now)
{
  return rcc_reporters_tells (&r, ssrc, format, proved, START + now);
}

static void
one_tells_at_a_time (void)
{
  RccTime t;

  start ();
  g_assert_cmpint (tells (ALICE, FMT_TWCC, FALSE, 0), ==, RCC_SOURCE_IGNORED);
  for (t = 0; t < 2 * RCC_SEC; t += 50 * RCC_MSEC) {
    g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, t), ==, RCC_SOURCE_SAME);
    g_assert_cmpint (tells (ALICE, FMT_CCFB, TRUE, t + 1), ==, RCC_SOURCE_IGNORED);
    g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, t + 2), ==, RCC_SOURCE_IGNORED);
  }
  t -= 50 * RCC_MSEC;
  g_assert_cmpint (tells (ALICE, FMT_CCFB, TRUE, t + 240 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (ALICE, FMT_CCFB, FALSE, t + 260 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (ALICE, FMT_CCFB, TRUE, t + 260 * RCC_MSEC), ==, RCC_SOURCE_NEW);
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, t + 270 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
}

/* In an outage nothing arrives, and who is known says so. */
static void
losses_prove_nothing_and_are_heard_from_who_tells (void)
{
  start ();
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, 0), ==, RCC_SOURCE_SAME);
  for (guint i = 1; i < 20; i++)
    g_assert_cmpint (tells (ALICE, FMT_TWCC, FALSE, i * 100 * RCC_MSEC), ==, RCC_SOURCE_SAME);
  g_assert_cmpint (tells (ALICE, FMT_TWCC, FALSE, 2 * RCC_SEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, 9 * RCC_SEC), ==, RCC_SOURCE_SAME);
}

static void
who_has_echoed_takes_over (void)
{
  start ();
  g_assert_cmpint (tells (MALLORY, FMT_TWCC, TRUE, 0), ==, RCC_SOURCE_SAME);
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, RCC_MSEC), ==, RCC_SOURCE_IGNORED);
  echoed (ALICE, START + 2 * RCC_MSEC);
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, 3 * RCC_MSEC), ==, RCC_SOURCE_NEW);
  g_assert_cmpint (tells (MALLORY, FMT_TWCC, TRUE, 4 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
}

static void
of_two_who_have_echoed_the_first_tells (void)
{
  start ();
  echoed (ALICE, START);
  echoed (BOB, START);
  for (RccTime t = 0; t < RCC_SEC; t += 50 * RCC_MSEC) {
    g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, t), ==, RCC_SOURCE_SAME);
    g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, t + 1), ==, RCC_SOURCE_IGNORED);
  }
  g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, 5 * RCC_SEC), ==, RCC_SOURCE_NEW);
}

static guint64
limit_bps (RccTime now)
{
  return rcc_reporters_limit_bps (&r, START + now);
}

static gboolean
limits (guint32 ssrc, RccLimitKind kind, guint64 bps, RccTime now)
{
  return rcc_reporters_limit (&r, ssrc, kind, bps, START + now);
}

/* Before anybody has echoed, a forger who knows the numbers must not talk over a receiver with
 * REMB.  Who sets limits once, or without a proof, keeps nobody out. */
static void
who_goes_on_with_limits_is_not_talked_over (void)
{
  for (guint way = 0; way < 4; way++) {
    start ();
    for (RccTime t = 0; t <= 200 * RCC_MSEC; t += way == 2 ? RCC_SEC : 100 * RCC_MSEC) {
      if (way != 1)
        counted (ALICE, START + t);
      g_assert_true (limits (ALICE, RCC_LIMIT_REMB, 1000000, t));
    }
    if (way == 3)
      echoed (BOB, START + 200 * RCC_MSEC);
    g_assert_cmpint (tells (BOB, FMT_CCFB, TRUE, 201 * RCC_MSEC), ==,
        way == 0 ? RCC_SOURCE_IGNORED : RCC_SOURCE_SAME);
  }
  /* its own change of format is heard, and after it has left the other is */
  start ();
  for (RccTime t = 0; t <= 300 * RCC_MSEC; t += 100 * RCC_MSEC) {
    counted (ALICE, START + t);
    limits (ALICE, RCC_LIMIT_REMB, 1000000, t);
  }
  g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, RCC_SEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, 3 * RCC_SEC), ==, RCC_SOURCE_SAME);
  start ();
  for (RccTime t = 0; t <= 300 * RCC_MSEC; t += 100 * RCC_MSEC) {
    counted (ALICE, START + t);
    limits (ALICE, RCC_LIMIT_REMB, 1000000, t);
  }
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, RCC_SEC), ==, RCC_SOURCE_SAME);
}

/* Feedback under another SSRC than reports have, as pion sends it. */
static void
a_stranger_is_heard_after_probation (void)
{
  start ();
  echoed (ALICE, START);
  g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, 0), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (BOB, FMT_TWCC, FALSE, 100 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, 100 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpint (tells (BOB, FMT_TWCC, TRUE, 200 * RCC_MSEC), ==, RCC_SOURCE_SAME);
  g_assert_cmpint (tells (MALLORY, FMT_TWCC, TRUE, 201 * RCC_MSEC), ==, RCC_SOURCE_IGNORED);
  g_assert_cmpuint (r.unproven, ==, 4);
}

static void
a_limit_is_a_reporters (void)
{
  start ();
  g_assert_cmpuint (limit_bps (0), ==, G_MAXUINT64);
  echoed (ALICE, START);
  g_assert_true (limits (ALICE, RCC_LIMIT_REMB, 1000, 0));
  g_assert_false (limits (MALLORY, RCC_LIMIT_REMB, 0, 0));
  g_assert_true (limits (ALICE, RCC_LIMIT_TMMBR, 2000, 0));
  g_assert_cmpuint (limit_bps (0), ==, 1000);
  echoed (BOB, START);
  g_assert_true (limits (BOB, RCC_LIMIT_REMB, 500, 0));
  g_assert_cmpuint (limit_bps (0), ==, 500);    /* the lower: both want to see it */
  g_assert_true (limits (BOB, RCC_LIMIT_REMB, 5000, 0));
  g_assert_cmpuint (limit_bps (0), ==, 1000);
}

/* As rtpgccreceiver does where no RTCP passes it, and pion's examples do. */
static void
limits_may_be_signed_by_another_name (void)
{
  start ();
  echoed (ALICE, START);
  g_assert_true (limits (BOB, RCC_LIMIT_REMB, 800, 0));
  g_assert_cmpuint (limit_bps (0), ==, 800);
  g_assert_true (limits (MALLORY, RCC_LIMIT_REMB, 0, 1));       /* nobody goes on yet */
  g_assert_cmpuint (limit_bps (1), ==, 800);
  for (guint i = 1; i < 20; i++) {
    echoed (ALICE, START + i * RCC_SEC);
    g_assert_true (limits (BOB, RCC_LIMIT_REMB, 800 + i, i * RCC_SEC));
    if (i < 3)
      continue;
    g_assert_false (limits (MALLORY, RCC_LIMIT_REMB, 0, i * RCC_SEC));
    g_assert_false (limits (MALLORY, RCC_LIMIT_REMB, 90000, i * RCC_SEC));
    g_assert_cmpuint (limit_bps (i * RCC_SEC), ==, 800 + i);
  }
  /* nor is it heard beside one who has proved something, and speaks */
  g_assert_true (limits (ALICE, RCC_LIMIT_REMB, 2000, 20 * RCC_SEC));
  g_assert_false (limits (BOB, RCC_LIMIT_REMB, 1, 20 * RCC_SEC));
  g_assert_cmpuint (limit_bps (20 * RCC_SEC), ==, 2000);
  start ();
  echoed (ALICE, START);
  g_assert_cmpint (tells (ALICE, FMT_TWCC, TRUE, 0), ==, RCC_SOURCE_SAME);
  g_assert_false (limits (BOB, RCC_LIMIT_REMB, 1, 0));
}

/* As many as fit in one datagram, or follow it at once, are no more than one. */
static void
many_at_once_do_not_go_on (void)
{
  start ();
  echoed (ALICE, START);
  for (guint i = 0; i < 100; i++)
    g_assert_true (limits (MALLORY, RCC_LIMIT_TMMBR, 0, i * RCC_MSEC));
  g_assert_true (limits (BOB, RCC_LIMIT_REMB, 800, 100 * RCC_MSEC));
  g_assert_cmpuint (limit_bps (100 * RCC_MSEC), ==, 800);
}

/* Three messages within 200 ms may be a guess; at 200 ms they go on. */
static void
who_goes_on_for_200_ms_is_heard (void)
{
  for (guint k = 0; k < 2; k++) {
    const RccTime third = 200 * RCC_MSEC - 1 + k;

    start ();
    echoed (ALICE, START);
    limits (BOB, RCC_LIMIT_REMB, 800, 0);
    limits (BOB, RCC_LIMIT_REMB, 800, 100 * RCC_MSEC);
    limits (BOB, RCC_LIMIT_REMB, 800, third);
    g_assert_cmpint (limits (MALLORY, RCC_LIMIT_REMB, 0, third), ==, k == 0);
  }
}

/* Who is listened to is not pushed out by those who only name numbers. */
static void
a_crowd_displaces_nobody_who_is_listened_to (void)
{
  start ();
  echoed (ALICE, START);
  for (guint i = 0; i < 5; i++)
    limits (BOB, RCC_LIMIT_REMB, 800, i * 100 * RCC_MSEC);
  for (guint i = 0; i < 100; i++)
    counted (MALLORY + i, START + 500 * RCC_MSEC + i * RCC_MSEC);
  g_assert_cmpuint (limit_bps (600 * RCC_MSEC), ==, 800);
  g_assert_false (limits (MALLORY, RCC_LIMIT_REMB, 0, 600 * RCC_MSEC));
  start ();
  for (guint i = 0; i < 5; i++)
    tells (BOB, FMT_TWCC, TRUE, i * 100 * RCC_MSEC);
  echoed (ALICE, START + 400 * RCC_MSEC);
  for (guint i = 0; i < 100; i++)
    counted (MALLORY + i, START + 410 * RCC_MSEC + i);
  g_assert_false (limits (MALLORY, RCC_LIMIT_REMB, 0, 500 * RCC_MSEC));
}

/* Nobody has reported yet: who only guesses cannot hold the call down. */
static void
a_call_begins_by_the_mildest (void)
{
  start ();
  g_assert_true (limits (MALLORY, RCC_LIMIT_REMB, 0, 0));
  g_assert_cmpuint (limit_bps (0), ==, 0);
  g_assert_true (limits (ALICE, RCC_LIMIT_REMB, 800, 0));
  g_assert_cmpuint (limit_bps (0), ==, 800);
  g_assert_true (limits (MALLORY, RCC_LIMIT_REMB, 9000, 0));
  counted (ALICE, START);
  g_assert_cmpuint (limit_bps (0), ==, 800);
  g_assert_cmpuint (r.unproven, ==, 0);
}

static void
a_remb_holds_while_it_is_repeated (void)
{
  RccTime t;

  start ();
  echoed (ALICE, START);
  limits (ALICE, RCC_LIMIT_REMB, 1000, 0);
  g_assert_cmpuint (limit_bps (5 * RCC_SEC - 1), ==, 1000);
  g_assert_cmpuint (limit_bps (5 * RCC_SEC), ==, G_MAXUINT64);
  for (t = 0; t <= 4 * RCC_SEC; t += 200 * RCC_MSEC)
    limits (ALICE, RCC_LIMIT_REMB, 1000, t);
  t -= 200 * RCC_MSEC;
  g_assert_cmpuint (limit_bps (t + 2 * RCC_SEC - 1), ==, 1000); /* at least so long */
  g_assert_cmpuint (limit_bps (t + 2 * RCC_SEC), ==, G_MAXUINT64);
  limits (ALICE, RCC_LIMIT_REMB, 1000, t += RCC_SEC);
  g_assert_cmpuint (limit_bps (t + 5 * RCC_SEC - 1), ==, 1000);
  g_assert_cmpuint (limit_bps (t + 5 * RCC_SEC), ==, G_MAXUINT64);
  limits (ALICE, RCC_LIMIT_REMB, 1000, t += 9 * RCC_SEC);
  echoed (ALICE, START + t + RCC_SEC);
  g_assert_cmpuint (limit_bps (t + 15 * RCC_SEC - 1), ==, 1000);
  g_assert_cmpuint (limit_bps (t + 15 * RCC_SEC), ==, G_MAXUINT64);
}

static void
a_tmmbr_holds_while_its_owner_is_there (void)
{
  start ();
  echoed (ALICE, START);
  limits (ALICE, RCC_LIMIT_TMMBR, 1000, 0);
  for (guint i = 1; i < 20; i++)
    echoed (ALICE, START + i * 5 * RCC_SEC);
  g_assert_cmpuint (limit_bps (95 * RCC_SEC + RCC_REPORTER_KEEP - 1), ==, 1000);
  g_assert_cmpuint (limit_bps (95 * RCC_SEC + RCC_REPORTER_KEEP), ==, G_MAXUINT64);
}

/* Said once, and not while somebody else is heard, or for what a call begins with. */
static void
who_is_never_heard_is_said_once (void)
{
  start ();
  for (guint i = 0; i < 20; i++) {
    rcc_reporters_ignore (&r, START + i * RCC_SEC);
    g_assert_cmpint (rcc_reporters_unheard (&r, START + i * RCC_SEC), ==, i == 5);
  }
  g_assert_cmpuint (r.unproven, ==, 20);
  start ();
  for (guint i = 0; i < 4; i++)
    rcc_reporters_ignore (&r, START + i * RCC_MSEC);
  g_assert_false (rcc_reporters_unheard (&r, START + 60 * RCC_SEC));
  counted (ALICE, START + 60 * RCC_SEC);
  for (guint i = 0; i < 20; i++) {
    rcc_reporters_ignore (&r, START + (61 + i) * RCC_SEC);
    g_assert_false (rcc_reporters_unheard (&r, START + (61 + i) * RCC_SEC));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/reporters/" path, func)
  ADD ("an-echo-outranks-a-count", an_echo_outranks_a_count);
  ADD ("a-reporter-that-is-silent-has-left", a_reporter_that_is_silent_has_left);
  ADD ("a-crowd-displaces-nobody-who-is-known", a_crowd_displaces_nobody_who_is_known);
  ADD ("one-tells-at-a-time", one_tells_at_a_time);
  ADD ("losses-prove-nothing-and-are-heard-from-who-tells", losses_prove_nothing_and_are_heard_from_who_tells);
  ADD ("who-has-echoed-takes-over", who_has_echoed_takes_over);
  ADD ("of-two-who-have-echoed-the-first-tells", of_two_who_have_echoed_the_first_tells);
  ADD ("who-goes-on-with-limits-is-not-talked-over", who_goes_on_with_limits_is_not_talked_over);
  ADD ("a-stranger-is-heard-after-probation", a_stranger_is_heard_after_probation);
  ADD ("a-limit-is-a-reporters", a_limit_is_a_reporters);
  ADD ("limits-may-be-signed-by-another-name", limits_may_be_signed_by_another_name);
  ADD ("many-at-once-do-not-go-on", many_at_once_do_not_go_on);
  ADD ("a-crowd-displaces-nobody-who-is-listened-to",
      a_crowd_displaces_nobody_who_is_listened_to);
  ADD ("a-call-begins-by-the-mildest", a_call_begins_by_the_mildest);
  ADD ("a-remb-holds-while-it-is-repeated", a_remb_holds_while_it_is_repeated);
  ADD ("a-tmmbr-holds-while-its-owner-is-there", a_tmmbr_holds_while_its_owner_is_there);
  ADD ("who-is-never-heard-is-said-once", who_is_never_heard_is_said_once);
  ADD ("who-goes-on-for-200-ms-is-heard", who_goes_on_for_200_ms_is_heard);
  return g_test_run ();
}
