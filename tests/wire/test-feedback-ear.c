/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "feedback-rig.h"
#include "wire/feedback-ear.h"

static RccEar ear = { .f = &f, .sender = &notes.sender, .now = 2 * RCC_SEC };

static void
begin (void)
{
  start ();
  sent_many (MEDIA, 0, 10, RCC_SEC, RCC_MSEC);
}

static size_t
judge (guint16 seq, bool came, guint32 fate, RccTime arrived)
{
  return rcc_ear_judge (&ear, rcc_history_find (rcc_feedback_history (&f, MEDIA), seq), came,
      fate, arrived, 0);
}

static void
each_fate_is_news_once (void)
{
  begin ();
  g_assert_cmpuint (judge (0, true, 0, 5), ==, 1);
  g_assert_true (f.packets[0].arrived == 5 && f.packets[0].probe == 0);
  g_assert_cmpuint (judge (1, true, 0, RCC_NEVER), ==, 1);
  g_assert_true (f.packets[0].arrived == RCC_NEVER && f.packets[0].probe == RCC_FATE_CAME);
  g_assert_cmpuint (judge (2, true, RCC_FATE_LATE, 7), ==, 1);
  g_assert_true (f.packets[0].arrived == 7 && f.packets[0].probe == RCC_FATE_LATE);
  for (guint16 seq = 0; seq < 3; seq++) {
    g_assert_cmpuint (judge (seq, true, 0, 9), ==, 0);
    g_assert_cmpuint (judge (seq, true, RCC_FATE_LATE, RCC_NEVER), ==, 0);
    g_assert_cmpuint (judge (seq, false, 0, RCC_NEVER), ==, 0);
  }
  g_assert_cmpuint (judge (3, false, RCC_FATE_LATE, 9), ==, 1);
  g_assert_true (f.packets[0].arrived == RCC_NEVER && f.packets[0].probe == 0);
  g_assert_cmpuint (judge (3, false, 0, RCC_NEVER), ==, 0);
  g_assert_cmpuint (judge (3, true, RCC_FATE_LATE, RCC_NEVER), ==, 1);   /* after all */
  g_assert_cmphex (f.packets[0].probe, ==, RCC_FATE_LATE | RCC_FATE_CAME);
  g_assert_cmpuint (judge (3, true, 0, 9), ==, 0);
  g_assert_cmpuint (judge (4, true, RCC_FATE_CE, 8), ==, 1);
  g_assert_true (f.packets[0].arrived == 8 && f.packets[0].probe == RCC_FATE_CE);
  g_assert_cmpuint (judge (5, false, RCC_FATE_CE, 8), ==, 1);
  g_assert_cmphex (f.packets[0].probe, ==, 0);
  g_assert_cmpuint (judge (10, true, 0, 9), ==, 0);
  g_assert_cmpuint (f.unknown_packets, ==, 1);
}

static void
one_reporter_in_one_format_at_a_time (void)
{
  begin ();
  ear.now = 2 * RCC_SEC;
  g_assert_true (rcc_ear_follow (&ear, PEER, RCC_RTCP_XR, true));
  g_assert_false (rcc_ear_follow (&ear, PEER, 15, true));
  g_assert_false (rcc_ear_follow (&ear, PEER + 1, RCC_RTCP_XR, true));
  g_assert_cmpuint (f.reports.ignored, ==, 2);
  ear.now = 5 * RCC_SEC;
  g_assert_true (rcc_ear_follow (&ear, PEER, 11, true));
  g_assert_false (rcc_ear_follow (&ear, PEER, RCC_RTCP_XR, true));
}

/* Its first packet is as long under way as the last before, and the rest as they say. */
static void
who_tells_next_is_put_on_the_same_clock (void)
{
  const RccTime left = RCC_SEC;         /* packet 0, and each next a millisecond later */

  begin ();
  ear.now = 2 * RCC_SEC;
  g_assert_true (rcc_ear_follow (&ear, PEER, 15, true));
  g_assert_cmpuint (judge (0, true, 0, left + 50 * RCC_MSEC), ==, 1);
  g_assert_cmpuint (f.packets[0].arrived, ==, left + 50 * RCC_MSEC);
  ear.now = 5 * RCC_SEC;
  g_assert_true (rcc_ear_follow (&ear, PEER, 11, true));
  judge (1, true, 0, 1000 * RCC_SEC);
  g_assert_cmpuint (f.packets[0].arrived, ==, left + 51 * RCC_MSEC);
  judge (2, true, 0, 1000 * RCC_SEC + 11 * RCC_MSEC);
  g_assert_cmpuint (f.packets[0].arrived, ==, left + 62 * RCC_MSEC);
  ear.now = 8 * RCC_SEC;
  g_assert_true (rcc_ear_follow (&ear, PEER + 1, 15, true));
  judge (3, true, 0, 7);
  g_assert_cmpuint (f.packets[0].arrived, ==, left + 63 * RCC_MSEC);
  judge (4, true, 0, RCC_NEVER - 1);    /* absurd: no overflow */
  judge (5, true, 0, 0);
}

static void
only_what_was_in_flight_proves_anything (void)
{
  RccHistory *history;

  begin ();
  history = rcc_feedback_history (&f, MEDIA);
  for (guint seq = 0; seq < 10; seq++)
    g_assert_cmpint (rcc_ear_proof (history, (guint16) seq), ==, RCC_EAR_PROOF);
  g_assert_cmpint (rcc_ear_proof (history, 10), ==, RCC_EAR_IMPOSSIBLE);
  g_assert_cmpint (rcc_ear_proof (history, 9 + 32767), ==, RCC_EAR_IMPOSSIBLE);
  g_assert_cmpint (rcc_ear_proof (history, 9 + 32769), ==, RCC_EAR_NOTHING);
  g_assert_cmpint (rcc_ear_proof (history, 65535), ==, RCC_EAR_NOTHING);
  judge (3, true, 0, 5);
  judge (4, false, 0, RCC_NEVER);
  g_assert_cmpint (rcc_ear_proof (history, 3), ==, RCC_EAR_NOTHING);
  g_assert_cmpint (rcc_ear_proof (history, 4), ==, RCC_EAR_NOTHING);
  rcc_feedback_withheld (&f, &(RccRtp) { .ssrc = MEDIA, .seq = 10 }, RCC_SEC);
  g_assert_cmpint (rcc_ear_proof (history, 10), ==, RCC_EAR_NOTHING);
}

static void
sorts_by_departure_then_arrival (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 71);
  begin ();
  for (guint n = 0; n < 300; n++) {
    guint64 sum = 0;

    for (guint i = 0; i < n; i++) {
      f.packets[i] = (RccPacket) { .seq = i, .sent = rcc_rng_u32 (&r) % 50,
        .arrived = rcc_rng_u32 (&r) % 4 ? rcc_rng_u32 (&r) % 50 : RCC_NEVER };
      sum += i;
    }
    rcc_ear_sort (&ear, n);
    for (guint i = 0; i < n; i++)
      sum -= (guint64) f.packets[i].seq;
    g_assert_cmpuint (sum, ==, 0);
    for (guint i = 1; i < n; i++)
      g_assert_true (f.packets[i - 1].sent < f.packets[i].sent
          || (f.packets[i - 1].sent == f.packets[i].sent
              && f.packets[i - 1].arrived <= f.packets[i].arrived));
  }
  rcc_ear_tell (&ear, 0);
  g_assert_cmpuint (notes.feedbacks, ==, 0);
  rcc_ear_tell (&ear, 7);
  g_assert_cmpuint (notes.n, ==, 7);
  g_assert_cmpuint (ear.update.changed, ==, RCC_PACING);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback-ear/" path, func)
  ADD ("each-fate-is-news-once", each_fate_is_news_once);
  ADD ("one-reporter-in-one-format-at-a-time", one_reporter_in_one_format_at_a_time);
  ADD ("who-tells-next-is-put-on-the-same-clock", who_tells_next_is_put_on_the_same_clock);
  ADD ("only-what-was-in-flight-proves-anything", only_what_was_in_flight_proves_anything);
  ADD ("sorts-by-departure-then-arrival", sorts_by_departure_then_arrival);
  return g_test_run ();
}
