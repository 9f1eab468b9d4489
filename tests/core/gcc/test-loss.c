/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/loss.h"
#include "core/rng.h"

#define RTT (100 * RCC_MSEC)

/* ANRW'16 Eq. 1 */
static void
equation_1 (void)
{
  static const struct { double f, factor; } table[] = {
    { 0, 1.05 }, { 0.019, 1.05 }, { 0.02, 1 }, { 0.05, 1 }, { 0.10, 1 },
    { 0.11, 1 - 0.055 }, { 0.5, 0.75 }, { 1, 0.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    RccGccLoss l;

    rcc_gcc_loss_init (&l, RCC_LOSS_PAPER, 1e6);
    g_assert_cmpfloat (l.bps, ==, 1e6);
    g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, table[i].f, 50, 1e6, RTT,
            RCC_SEC), 1e6 * table[i].factor, 1e-3);
    /* the paper runs it at every RR and at every REMB, as often as they come */
    g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_remb (&l),
        1e6 * table[i].factor * table[i].factor, 1e-3);
  }
}

static void
the_paper_follows_the_minimum (void)
{
  RccGccLoss l;

  rcc_gcc_loss_init (&l, RCC_LOSS_PAPER, 1e6);
  rcc_gcc_loss_follow (&l, 4e5);
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0, 50, 4e5, RTT, RCC_SEC),
      4.2e5, 1e-3);
}

static RccGccLoss
release (void)
{
  RccGccLoss l;

  rcc_gcc_loss_init (&l, RCC_LOSS_RELEASE, 1e6);
  return l;
}

static void
release_does_not_limit_at_first (void)
{
  RccGccLoss l = release ();

  g_assert_true (isinf (l.bps));
  g_assert_true (isinf (rcc_gcc_loss_remb (&l)));
  rcc_gcc_loss_follow (&l, 1e5);
  g_assert_true (isinf (l.bps));
}

static void
release_decreases_from_the_target (void)
{
  RccGccLoss l = release ();

  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0.5, 50, 8e5, RTT, RCC_SEC),
      6e5, 1e-3);
}

static void
release_holds_between (void)
{
  static const double between[] = { 0.02, 0.05, 0.10 };

  for (guint i = 0; i < 3; i++) {
    RccGccLoss l = release ();

    for (guint n = 0; n < 10; n++)
      g_assert_cmpfloat (rcc_gcc_loss_report (&l, between[i], 100, 8e5, RTT,
              RCC_SEC * (n + 1)), ==, 8e5);
  }
}

static void
release_judges_twenty_packets (void)
{
  RccGccLoss l = release ();

  /* 5 of 19 */
  for (guint i = 0; i < 19; i++)
    g_assert_true (isinf (rcc_gcc_loss_report (&l, i < 5, 1, 8e5, RTT, RCC_SEC)));
  /* 5 of 20: 25 % */
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0, 1, 8e5, RTT, RCC_SEC),
      7e5, 1e-3);
  g_assert_cmpfloat_with_epsilon (l.fraction, 0.25, 1e-9);
  /* one of three, then 57 clean ones: 1.7 % */
  l = release ();
  rcc_gcc_loss_report (&l, 1.0 / 3, 3, 8e5, RTT, RCC_SEC);
  rcc_gcc_loss_report (&l, 0, 57, 8e5, RTT, 2 * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (l.fraction, 1.0 / 60, 1e-9);
  g_assert_cmpfloat (l.bps, >=, 8e5);
}

static void
release_spaces_its_decreases (void)
{
  RccGccLoss l = release ();

  rcc_gcc_loss_report (&l, 0.2, 50, 1e6, RTT, RCC_SEC);
  rcc_gcc_loss_report (&l, 0.2, 50, 9e5, RTT, RCC_SEC + 399 * RCC_MSEC);
  g_assert_cmpfloat_with_epsilon (l.bps, 9e5, 1e-3);
  rcc_gcc_loss_report (&l, 0.2, 50, 9e5, RTT, RCC_SEC + 400 * RCC_MSEC);
  g_assert_cmpfloat_with_epsilon (l.bps, 8.1e5, 1e-3);
}

static void
release_lets_go_after_two_clean_reports (void)
{
  RccGccLoss l = release ();

  rcc_gcc_loss_report (&l, 0.2, 50, 1e6, RTT, RCC_SEC);
  rcc_gcc_loss_report (&l, 0, 50, 9e5, RTT, 2 * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (l.bps, 9.45e5, 1e-3);
  rcc_gcc_loss_report (&l, 0, 50, 9.45e5, RTT, 3 * RCC_SEC);
  g_assert_true (isinf (l.bps));
  /* a bad one in between starts the count anew */
  l = release ();
  rcc_gcc_loss_report (&l, 0.2, 50, 1e6, RTT, RCC_SEC);
  rcc_gcc_loss_report (&l, 0, 50, 9e5, RTT, 2 * RCC_SEC);
  rcc_gcc_loss_report (&l, 0.05, 50, 9e5, RTT, 3 * RCC_SEC);
  rcc_gcc_loss_report (&l, 0, 50, 9e5, RTT, 4 * RCC_SEC);
  g_assert_true (isfinite (l.bps));
}

/* With no delay-based controller beside it, nothing else would limit. */
static void
alone_it_climbs_by_five_percent (void)
{
  RccGccLoss l = release ();
  double target = 1e6;

  l.alone = true;
  for (guint i = 1; i <= 10; i++)
    target = rcc_gcc_loss_report (&l, 0, 50, target, RTT, i * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (target, 1e6 * pow (1.05, 10), 1);
}

/* Seen live: the first report of a clean call held the target at 105 % for 5 s. */
static void
a_clean_report_brings_no_limit_up (void)
{
  RccGccLoss l;

  rcc_gcc_loss_init (&l, RCC_LOSS_RELEASE, 300000);
  g_assert_true (isinf (rcc_gcc_loss_report (&l, 0, 100, 300000, RTT, RCC_SEC)));
}

static void
what_stood_alone_gives_way_to_remb (void)
{
  RccGccLoss l;

  rcc_gcc_loss_init (&l, RCC_LOSS_RELEASE, 300000);
  l.alone = true;
  g_assert_cmpfloat (rcc_gcc_loss_report (&l, 0, 100, 300000, RTT, RCC_SEC), ==, 315000);
  g_assert_true (isinf (rcc_gcc_loss_remb (&l)));
  l.alone = true;
  rcc_gcc_loss_report (&l, 0.5, 100, 300000, RTT, 2 * RCC_SEC);
  g_assert_cmpfloat (rcc_gcc_loss_remb (&l), ==, 225000);       /* that was loss */
}

static void
any_report_leaves_it_sane (void)
{
  for (guint mode = 0; mode < 2; mode++) {
    double target = 1e6;
    RccTime now = 0;
    RccGccLoss l;
    RccRng r;

    rcc_rng_init (&r, 8, mode);
    rcc_gcc_loss_init (&l, (RccLossMode) mode, 1e6);
    for (guint i = 0; i < 1000000; i++) {
      const guint32 dice = rcc_rng_u32 (&r);

      now += dice % RCC_SEC;
      l.alone = dice & 64;
      rcc_gcc_loss_report (&l, rcc_rng_uniform (&r) * (dice & 32 ? 0.03 : 1),
          dice & 16 ? UINT32_MAX : dice % 40, target, dice % (60 * RCC_SEC), now);
      rcc_gcc_loss_remb (&l);
      g_assert_false (isnan (l.bps));
      g_assert_cmpfloat (l.bps, >, 0);
      g_assert_true (l.fraction >= 0 && l.fraction <= 1);
      target = RCC_CLAMP (l.bps, 1e4, 1e7);
      rcc_gcc_loss_follow (&l, target);
    }
  }
}

static void
the_draft_of_2012 (void)
{
  RccGccLoss l;

  rcc_gcc_loss_init (&l, RCC_LOSS_2012, 1e6);
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0.01, 30, 1e6, 0, 0), 1.05 * 1001000, 1);
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_remb (&l), 1.05 * 1001000, 1);
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0.05, 30, 1e6, 0, 0), 1.05 * 1001000, 1);
  rcc_gcc_loss_follow (&l, 1e6);
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0.2, 30, 1e6, 0, 0), 9e5, 1);
  /* 1200 B, 10 ms, 20 %: TFRC sends 0.51 Mbit/s, and nobody goes below it, nor up to it */
  l.packet_size = 1200;
  rcc_gcc_loss_follow (&l, 5.5e5);
  g_assert_cmpfloat (rcc_gcc_loss_report (&l, 0.2, 30, 1e6, 10 * RCC_MSEC, 0), >, 1.01 * 0.9 * 5.5e5);
  g_assert_cmpfloat (l.bps, <, 5.5e5);
  rcc_gcc_loss_follow (&l, 1e5);
  g_assert_cmpfloat (rcc_gcc_loss_report (&l, 0.2, 30, 1e6, 10 * RCC_MSEC, 0), ==, 1e5);
  l.packet_size = 1;                    /* of the smallest packets, too: 0.4 kbit/s */
  rcc_gcc_loss_follow (&l, 100);
  g_assert_cmpfloat (rcc_gcc_loss_report (&l, 0.2, 30, 1e6, 10 * RCC_MSEC, 0), ==, 100);
}

/* Only a limit of the third mode ends with the first REMB: the paper's and that of 2012 do not. */
static void
a_remb_lifts_no_limit_of_the_papers (void)
{
  static const RccLossMode modes[] = { RCC_LOSS_PAPER, RCC_LOSS_2012 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    RccGccLoss l;

    rcc_gcc_loss_init (&l, modes[i], 1e6);
    l.alone = true;
    g_assert_true (isfinite (rcc_gcc_loss_remb (&l)));
  }
}

/* What holds ends the count of clean reports as what falls does. */
static void
some_loss_starts_the_clean_reports_anew (void)
{
  RccGccLoss l = release ();

  rcc_gcc_loss_report (&l, 0.3, 50, 1e6, RTT, RCC_SEC);
  rcc_gcc_loss_report (&l, 0.0, 50, 1e6, RTT, 2 * RCC_SEC);
  rcc_gcc_loss_report (&l, 0.05, 50, 1e6, RTT, 3 * RCC_SEC);
  rcc_gcc_loss_report (&l, 0.0, 50, 1e6, RTT, 4 * RCC_SEC);
  g_assert_true (isfinite (l.bps));
  g_assert_true (isinf (rcc_gcc_loss_report (&l, 0.0, 50, 1e6, RTT, 5 * RCC_SEC)));
}

/* And so does a decrease. */
static void
much_loss_starts_the_clean_reports_anew (void)
{
  RccGccLoss l = release ();

  rcc_gcc_loss_report (&l, 0.3, 50, 1e6, RTT, RCC_SEC);
  rcc_gcc_loss_report (&l, 0.0, 50, 1e6, RTT, 2 * RCC_SEC);
  rcc_gcc_loss_report (&l, 0.3, 50, 1e6, RTT, 3 * RCC_SEC);
  rcc_gcc_loss_report (&l, 0.0, 50, 1e6, RTT, 4 * RCC_SEC);
  g_assert_true (isfinite (l.bps));
  g_assert_true (isinf (rcc_gcc_loss_report (&l, 0.0, 50, 1e6, RTT, 5 * RCC_SEC)));
}

/* A report that does not say how many it speaks of is one of one packet. */
static void
a_report_of_unknown_size_is_of_one_packet (void)
{
  RccGccLoss l = release ();

  for (guint i = 0; i < 19; i++)
    g_assert_true (isinf (rcc_gcc_loss_report (&l, 0.5, 0, 8e5, RTT, RCC_SEC)));
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0.5, 0, 8e5, RTT, RCC_SEC), 6e5, 1e-3);
  g_assert_cmpfloat_with_epsilon (l.fraction, 0.5, 1e-9);
}

/* 2 % is not less than 2 %; and what TFRC would send is not known without a round trip. */
static void
the_draft_of_2012_between_its_bounds (void)
{
  RccGccLoss l;

  rcc_gcc_loss_init (&l, RCC_LOSS_2012, 1e6);
  g_assert_cmpfloat (rcc_gcc_loss_report (&l, 0.02, 30, 1e6, 0, 0), ==, 1e6);
  l.packet_size = 1200;
  g_assert_cmpfloat_with_epsilon (rcc_gcc_loss_report (&l, 0.2, 30, 1e6, 0, 0), 9e5, 1);
}

static void
with_a_remb_it_does_not_stand_alone (void)
{
  RccGccLoss l = release ();

  l.alone = true;
  rcc_gcc_loss_remb (&l);
  g_assert_false (l.alone);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-loss/equation-1", equation_1);
  g_test_add_func ("/gcc-loss/the-paper-follows-the-minimum", the_paper_follows_the_minimum);
  g_test_add_func ("/gcc-loss/release-does-not-limit-at-first",
      release_does_not_limit_at_first);
  g_test_add_func ("/gcc-loss/a-clean-report-brings-no-limit-up",
      a_clean_report_brings_no_limit_up);
  g_test_add_func ("/gcc-loss/what-stood-alone-gives-way-to-remb",
      what_stood_alone_gives_way_to_remb);
  g_test_add_func ("/gcc-loss/release-decreases-from-the-target",
      release_decreases_from_the_target);
  g_test_add_func ("/gcc-loss/release-holds-between", release_holds_between);
  g_test_add_func ("/gcc-loss/release-judges-twenty-packets", release_judges_twenty_packets);
  g_test_add_func ("/gcc-loss/release-spaces-its-decreases", release_spaces_its_decreases);
  g_test_add_func ("/gcc-loss/release-lets-go-after-two-clean-reports",
      release_lets_go_after_two_clean_reports);
  g_test_add_func ("/gcc-loss/alone-it-climbs-by-five-percent",
      alone_it_climbs_by_five_percent);
  g_test_add_func ("/gcc-loss/any-report-leaves-it-sane", any_report_leaves_it_sane);
  g_test_add_func ("/gcc-loss/the-draft-of-2012", the_draft_of_2012);
  g_test_add_func ("/gcc-loss/a-remb-lifts-no-limit-of-the-papers", a_remb_lifts_no_limit_of_the_papers);
  g_test_add_func ("/gcc-loss/some-loss-starts-the-clean-reports-anew", some_loss_starts_the_clean_reports_anew);
  g_test_add_func ("/gcc-loss/much-loss-starts-the-clean-reports-anew",
      much_loss_starts_the_clean_reports_anew);
  g_test_add_func ("/gcc-loss/a-report-of-unknown-size-is-of-one-packet",
      a_report_of_unknown_size_is_of_one_packet);
  g_test_add_func ("/gcc-loss/the-draft-of-2012-between-its-bounds",
      the_draft_of_2012_between_its_bounds);
  g_test_add_func ("/gcc-loss/with-a-remb-it-does-not-stand-alone",
      with_a_remb_it_does_not_stand_alone);
  return g_test_run ();
}
