/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the sender's feedback parser does not believe, or believes only in part. */
#include "feedback-rig.h"

static void
strangers_are_ignored (void)
{
  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  hear_rr (MEDIA + 1, 10, 255, 0, 0, 2 * RCC_SEC);
  hear_ccfb (MEDIA + 1, 0, 50, RCC_MSEC, SHORT (100), 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports + notes.feedbacks, ==, 0);
  g_assert_cmpuint (f.reports.ignored, ==, 2);
  g_assert_cmpuint (f.reports.streams.n, ==, 1);
}

/* C9: what was never sent cannot have arrived. */
static void
reports_of_the_future_are_refused (void)
{
  start ();
  sent_many (MEDIA, 60000, 100, RCC_SEC, RCC_MSEC);
  hear_rr (MEDIA, 60100, 255, 0, 0, 2 * RCC_SEC);
  hear_rr (MEDIA, 60000 + 30000, 255, 0, 0, 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 0);
  g_assert_cmpuint (f.reports.forged, ==, 2);
  hear_rr (MEDIA, 60099, 0, 0, 0, 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
}

/* What one forged block can say, by somebody who has guessed SSRC and number but not the
 * cumulative count; and that the honest block after it is believed again. The packets that it is of
 * may be forgotten. */
static void
loss_is_believed_as_far_as_the_count_bears_it_out (void)
{
  static const struct {
    guint8 fraction;
    gint32 lost;
    gdouble believed;
  } blocks[] = {
    { 255, 7, 0 }, { 255, 6, 0 }, { 255, -0x800000, 0 }, { 255, 0x7fffff, 0 },
    { 255, 108, 0 }, { 255, 8, 0.01 }, { 255, 57, 0.5 }, { 64, 32, 0.25 }, { 64, 107, 0.25 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (blocks); i++) {
    const guint n = i / 2;
    const RccTime late = i % 2 * 2 * RCC_HISTORY_KEEP;

    start ();
    sent_many (MEDIA, 0, 300, RCC_SEC, RCC_MSEC);
    if (late)
      sent_many (MEDIA, 300, 600, RCC_SEC + late, RCC_MSEC);
    hear_loss (99, 0, 7, 2 * RCC_SEC + late);
    hear_loss (199, blocks[n].fraction, blocks[n].lost, 3 * RCC_SEC + late);
    g_assert_cmpuint (notes.reports, ==, 2);
    g_assert_cmpfloat (notes.report.fraction_lost, ==, blocks[n].believed);
    hear_loss (249, 26, 12, 4 * RCC_SEC + late);        /* it may contradict the forged count */
    hear_loss (299, 26, 17, 5 * RCC_SEC + late);
    g_assert_cmpuint (notes.reports, ==, 4);
    g_assert_cmpfloat_with_epsilon (notes.report.fraction_lost, 0.1, 0.002);
  }
}

/* C3, C4: a BYE, even in our own name, an APP, an unknown type: nothing changes. */
static void
a_bye_changes_nothing (void)
{
  static const guint8 types[] = { RCC_RTCP_BYE, RCC_RTCP_APP, RCC_RTCP_XR, 192, 223 };

  start ();
  sent_many (MEDIA, 0, 10, RCC_SEC, RCC_MSEC);
  for (guint i = 0; i < sizeof types; i++) {
    guint8 bytes[8];

    rcc_rtcp_put_header (bytes, types[i], 1, sizeof bytes);
    rcc_put32 (bytes + 4, MEDIA);
    g_assert_cmpuint (hear (bytes, sizeof bytes, 2 * RCC_SEC).changed, ==, RCC_PROBE);
    g_assert_cmpuint (notes.rtcps, ==, i + 1);
    g_assert_false (notes.rtcp.about_us);
  }
  hear_rr (MEDIA, 5, 0, 0, 0, 3 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
}

/* C9: with a forged block nothing in the compound is believed. */
static void
a_forged_compound_is_not_told_at_all (void)
{
  const guint32 ssrc = MEDIA;
  RccReportBlock block = { .ssrc = MEDIA, .highest_seq = 500, .fraction = 255 };
  guint8 bytes[512];
  gsize used, end;

  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  for (guint i = 0; i < 2; i++, block.highest_seq = 50) {
    used = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &block, 1);
    used += rcc_remb_build (bytes + used, sizeof bytes - used, PEER, 1000, &ssrc, 1);
    end = rcc_ccfb_begin (bytes + used, sizeof bytes - used, PEER);
    end = ccfb_block (bytes + used, sizeof bytes - used, end, MEDIA, 0, 10, RCC_MSEC);
    used += rcc_ccfb_end (bytes + used, sizeof bytes - used, end, SHORT (100));
    hear (bytes, used, 2 * RCC_SEC);
    g_assert_cmpuint (notes.reports, ==, i);
    g_assert_cmpuint (notes.rembs, ==, i);
    g_assert_cmpuint (notes.received, ==, 10 * i);
    g_assert_cmpuint (notes.rtcps, ==, i);
  }
  g_assert_cmpuint (f.reports.forged, ==, 1);
}

/* C12: copies and what was overtaken are RTCP that came in, but no reports. */
static void
copies_and_latecomers_are_not_told (void)
{
  const guint64 ntp = G_GUINT64_CONSTANT (0xe0001234567890ab);
  const guint32 lsr = rcc_ntp_middle (ntp);

  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  sr_sent (ntp, 10 * RCC_SEC);
  hear_rr (MEDIA, 60, 10, lsr, SHORT (2), 13 * RCC_SEC);
  for (guint i = 0; i < 10; i++)
    hear_rr (MEDIA, 60, 10, lsr, SHORT (2), 13 * RCC_SEC + i * RCC_SEC);
  hear_rr (MEDIA, 50, 255, lsr, SHORT (1), 13 * RCC_SEC);
  hear_rr (MEDIA, 60, 255, lsr, SHORT (1), 13 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmpuint (notes.rtcps, ==, 13);
  g_assert_cmpuint (f.reports.duplicates, ==, 10);
  g_assert_cmpuint (f.reports.stale, ==, 2);
  g_assert_cmpuint (f.reports.forged, ==, 0);
}

static RccGccSender last_gcc;             /* as target_of() left it */

/* Tells the real controller of 20 s, loss in each fifth, each report @copies times; then of a
 * minute's worth of forgeries and late reports with 255/256 lost, if @attacked. */
static guint32
target_of (guint copies, gboolean attacked)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccConfig limits = { 50000, 300000, 5000000 };
  const guint64 ntp = G_GUINT64_CONSTANT (0xe0001234567890ab);
  RccReportBlock block = { .ssrc = MEDIA, .lsr = rcc_ntp_middle (ntp) };
  RccTime now = RCC_SEC;
  RccGccSender gcc;
  guint8 bytes[64];
  RccBytes rr = { bytes, 32 };

  start ();
  rcc_gcc_sender_init (&gcc, &config, &limits);
  sr_sent (ntp, now);
  for (guint i = 1; i <= 20; i++, now += RCC_SEC) {
    for (guint k = 0; k < 100; k++) {
      const RccPacket packet = { .size = 1200, .sent = now + k * 10 * RCC_MSEC,
        .arrived = RCC_NEVER };

      sent (MEDIA, (guint16) (i * 100 + k), -1, packet.sent);
      rcc_tell (&gcc.sender, on_sent, &packet);
    }
    block.highest_seq = i * 100 + 90;
    block.fraction = i % 5 == 0 ? 40 : 0;
    block.lost += i % 5 == 0 ? 16 : 0;
    block.dlsr = SHORT (i - 0.05);
    rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &block, 1);
    for (guint k = 0; k < copies; k++)
      rcc_feedback_rtcp (&f, rr, 0, now + RCC_SEC, &gcc.sender);
  }
  block.fraction = 255;
  for (guint i = 0; attacked && i < 1000; i++) {
    RccReportBlock forged = block;

    forged.highest_seq += i % 3 == 0 ? 200 : 0;
    forged.lsr += i % 3 == 1 ? i : 0;
    forged.dlsr = i % 3 == 2 ? SHORT (5) : block.dlsr + 100;
    rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &forged, 1);
    rcc_feedback_rtcp (&f, rr, 0, now + RCC_SEC, &gcc.sender);
  }
  last_gcc = gcc;
  return gcc.target_bps;
}

/* C11: SSRC and number are guessed right, no SR is echoed; the count is not known. */
static void
one_plausible_forgery_cuts_little (void)
{
  static const gint32 guesses[] = { 0, 64, 63, -1, 1000, 0x7fffff, -0x800000 };

  for (guint g = 0; g < G_N_ELEMENTS (guesses); g++) {
    const guint32 before = target_of (1, FALSE);
    RccReportBlock forged = { .ssrc = MEDIA, .fraction = 255, .highest_seq = 2095,
      .lost = guesses[g] };
    RccGccSender gcc;
    guint8 bytes[64];

    gcc = last_gcc;
    rcc_feedback_rtcp (&f, (RccBytes) { bytes, rcc_rtcp_build_rr (bytes, sizeof bytes,
                PEER, &forged, 1) }, 0, 23 * RCC_SEC, &gcc.sender);
    g_assert_cmpuint (f.reports.forged, ==, 0);
    g_assert_cmpuint (gcc.target_bps, >=, before / 100 * 85);
  }
}

/* C9, C11, C12 on the rate itself. */
static void
the_rate_is_not_moved_by_copies_and_forgeries (void)
{
  const guint32 alone = target_of (1, FALSE);

  g_assert_cmpuint (alone, !=, 300000);
  g_assert_cmpuint (target_of (10, FALSE), ==, alone);
  g_assert_cmpuint (f.reports.duplicates, ==, 20 * 9);
  g_assert_cmpuint (target_of (1, TRUE), ==, alone);
  g_assert_cmpuint (f.reports.forged, ==, 667);
  g_assert_cmpuint (f.reports.stale, ==, 333);
}

/* Mutated compounds into the real controller: no over-read, rates within limits. */
static void
hostile_compounds (void)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccConfig limits = { 50000, 300000, 5000000 };
  const guint32 ssrc = MEDIA;
  RccGccSender gcc;
  RccTime now = RCC_SEC;
  RccRng r;

  rcc_rng_init (&r, SEED, 2);
  start ();
  rcc_gcc_sender_init (&gcc, &config, &limits);
  for (guint i = 0; i < 100000; i++) {
    const RccReportBlock block = { .ssrc = MEDIA, .highest_seq = i, .fraction = (guint8) i };
    const RccTwcc head = { .sender_ssrc = PEER, .base_seq = (guint16) (i - 20) };
    guint8 bytes[1024], *heap;
    gsize used, end;
    guint done;

    now += 5 * RCC_MSEC;
    sent (MEDIA, (guint16) i, (int) (i & 0xffff), now);
    used = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &block, 1);
    if (i % 3 == 0)
      used += rcc_remb_build (bytes + used, sizeof bytes - used, PEER, random_rate (&r),
          &ssrc, 1);
    for (guint k = 0; k < 20; k++)
      statuses[k] = (RccTwccStatus) { k % 7 != 0, (gint64) ((now / RCC_MSEC + k) * 1000) };
    used += rcc_twcc_build (bytes + used, sizeof bytes - used, &head, statuses, 20, &done);
    end = rcc_ccfb_begin (bytes + used, sizeof bytes - used, PEER);
    end = ccfb_block (bytes + used, sizeof bytes - used, end, MEDIA, (guint16) (i - 20), 20,
        RCC_MSEC);
    used += rcc_ccfb_end (bytes + used, sizeof bytes - used, end, rcc_rng_u32 (&r));
    for (guint k = rcc_rng_u32 (&r) % 4; k; k--)
      bytes[rcc_rng_u32 (&r) % used] = (guint8) rcc_rng_u32 (&r);
    used -= rcc_rng_u32 (&r) % 8 == 0 ? rcc_rng_u32 (&r) % used : 0;
    heap = g_memdup2 (bytes, used);
    rcc_feedback_rtcp (&f, (RccBytes) { heap, used }, rcc_rng_u32 (&r), now, &gcc.sender);
    g_free (heap);
    g_assert_cmpuint (gcc.target_bps, >=, limits.min_bps);
    g_assert_cmpuint (gcc.target_bps, <=, limits.max_bps);
    g_assert_cmpuint (f.reports.streams.n, ==, 1);
  }
  g_assert_cmpuint (f.reports.compounds, ==, 100000);
  g_assert_cmpuint (gcc.feedbacks, >, 10000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback-forged/" path, func)
  ADD ("strangers-are-ignored", strangers_are_ignored);
  ADD ("reports-of-the-future-are-refused", reports_of_the_future_are_refused);
  ADD ("loss-is-believed-as-far-as-the-count-bears-it-out",
      loss_is_believed_as_far_as_the_count_bears_it_out);
  ADD ("a-bye-changes-nothing", a_bye_changes_nothing);
  ADD ("a-forged-compound-is-not-told-at-all", a_forged_compound_is_not_told_at_all);
  ADD ("copies-and-latecomers-are-not-told", copies_and_latecomers_are_not_told);
  ADD ("the-rate-is-not-moved-by-copies-and-forgeries",
      the_rate_is_not_moved_by_copies_and_forgeries);
  ADD ("one-plausible-forgery-cuts-little", one_plausible_forgery_cuts_little);
  ADD ("hostile-compounds", hostile_compounds);
  return g_test_run ();
}
