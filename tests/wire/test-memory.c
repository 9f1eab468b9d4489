/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Who takes memory by need gives all of it back, and begins as well without any.
 */
#include "feedback-rig.h"
#include "wire/reporter.h"
#include "wire/xr-rtt.h"
#include "wire/xrreporter.h"

static gsize blocks;

static void *
counted (void *memory, size_t bytes)
{
  blocks += memory == NULL && bytes > 0;
  blocks -= memory != NULL && bytes == 0;
  return g_realloc (memory, bytes);
}

static void
a_senders_feedback (void)
{
  guint8 bytes[64];
  gsize used;

  memset (&f, 0xa5, sizeof f);
  rcc_feedback_init (&f, counted);
  memset (&notes, 0, sizeof notes);
  notes.sender.ops = &ops;
  for (guint life = 0; life < 3; life++) {
    g_assert_cmpuint (blocks, ==, 0);
    sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
    sr_sent (G_GUINT64_CONSTANT (77) << 32, RCC_SEC);
    hear_rr (MEDIA, 50, 0, 77 << 16, SHORT (0.1), 2 * RCC_SEC);
    hear_twcc (0, 50, RCC_SEC, RCC_MSEC, 3, 2 * RCC_SEC);
    used = rcc_xr_begin (bytes, sizeof bytes, PEER);
    hear (bytes, rcc_xr_rrtr_add (bytes, sizeof bytes, used, G_GUINT64_CONSTANT (77) << 32),
        2 * RCC_SEC);
    g_assert_cmpuint (notes.feedbacks, >, 0);
    g_assert_cmpuint (blocks, >, 3);
    if (life == 0)
      rcc_feedback_reset (&f);
    else {
      rcc_feedback_clear (&f);
      g_assert_cmpuint (blocks, ==, 0);
      rcc_feedback_init (&f, counted);
    }
  }
  rcc_feedback_clear (&f);              /* of one that was never used */
  g_assert_cmpuint (blocks, ==, 0);
}

static void
a_receivers_reports (void)
{
  static RccReporter r;
  static RccXrReporter x;
  RccRtp rtp = { .ssrc = MEDIA };
  guint8 out[1400];

  for (guint life = 0; life < 2; life++) {
    memset (&r, 0xa5, sizeof r);
    memset (&x, 0xa5, sizeof x);
    rcc_reporter_init (&r, RCC_FEEDBACK_CCFB, PEER, counted);
    rcc_xr_reporter_init (&x, PEER, counted);
    for (guint i = 0; life == 0 && i < 1000; i++) {
      rtp.ssrc = MEDIA + i % 7;
      rtp.seq = (guint16) (i / 7);
      rcc_reporter_packet (&r, &rtp, 0, RCC_SEC + i * RCC_MSEC);
      rcc_xr_reporter_packet (&x, &rtp, false, RCC_SEC + i * RCC_MSEC);
      if (i % 100 == 99) {
        g_assert_cmpuint (rcc_reporter_compound (&r, 0, 3 * RCC_SEC, out, sizeof out), >, 0);
        g_assert_cmpuint (rcc_xr_reporter_compound (&x, 3 * RCC_SEC + i * RCC_SEC, 1000, out,
                sizeof out), >, 0);
      }
    }
    g_assert_cmpint (blocks > 0, ==, life == 0);
    rcc_reporter_clear (&r);
    rcc_xr_reporter_clear (&x);
    g_assert_cmpuint (blocks, ==, 0);
  }
}

static void
reports_that_begin_anew (void)
{
  static RccReports r;
  RccRtp rtp = { .ssrc = MEDIA };

  rcc_reports_init (&r, counted);
  for (guint life = 0; life < 3; life++) {
    for (guint i = 0; i < 100; i++) {
      rtp.ssrc = MEDIA + i;
      rcc_reports_sent (&r, &rtp, RCC_SEC);
    }
    g_assert_cmpuint (blocks, >, 0);
    rcc_reports_reset (&r);
    g_assert_cmpuint (blocks, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/a-senders-feedback", a_senders_feedback);
  g_test_add_func ("/memory/a-receivers-reports", a_receivers_reports);
  g_test_add_func ("/memory/reports-that-begin-anew", reports_that_begin_anew);
  return g_test_run ();
}
