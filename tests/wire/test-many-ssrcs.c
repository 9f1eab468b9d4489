/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Packets of many streams in turn, each outcome told once: what a receiver reports, and what its
 * sender understands of it.
 */
#include "wire-test.h"
#include "core/rng.h"
#include "wire/feedback-rtcp.h"
#include "wire/reporter.h"
#include "wire/xrreporter.h"

#define MEDIA 0x11000000u
#define PEER 0x70656572u
#define PACKETS 200                     /* of each stream */
#define MTU 1200
#define MS RCC_MSEC

static RccFeedback f;
static RccReporter ccfb;
static RccXrReporter xr;
static struct {
  gboolean lost;
  guint received, gone;                 /* how often it was told */
} outcomes[RCC_SSRCS][PACKETS];

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  for (size_t i = 0; i < n; i++) {
    const guint stream = (packets[i].ssrc - MEDIA) / 7919;
    const guint number = (guint) (guint16) packets[i].seq;

    g_assert_cmpuint (number, <, PACKETS);
    outcomes[stream][number].received += rcc_packet_received (&packets[i]);
    outcomes[stream][number].gone += !rcc_packet_received (&packets[i]);
  }
  return (RccUpdate) { 0 };
}

static const RccSenderOps ops = { .name = "outcomes", .on_feedback = on_feedback };
static RccSender sender = { .ops = &ops };

/* As many messages as it takes. */
static void
report (gboolean extended, RccTime now)
{
  guint8 bytes[MTU];
  guint messages = 0;
  gsize size;

  do {
    size = extended ? rcc_xr_reporter_compound (&xr, now, MTU, bytes, sizeof bytes)
        : rcc_reporter_compound (&ccfb, 0, now, bytes, sizeof bytes);
    g_assert_cmpuint (size, >, 0);
    rcc_feedback_rtcp (&f, (RccBytes) { bytes, size }, 0, now + 20 * MS, &sender);
    g_assert_cmpuint (++messages, <=, 20);
  } while (extended ? FALSE : rcc_reporter_pending (&ccfb));
}

/* 10 packets of each in 100 ms, of which one in a hundred is lost. */
static void
run (guint streams, gboolean extended)
{
  RccTime now = 1000 * RCC_SEC;
  RccRng rng;

  rcc_feedback_clear (&f);
  rcc_reporter_clear (&ccfb);
  rcc_xr_reporter_clear (&xr);
  rcc_feedback_init (&f, g_realloc);
  rcc_reporter_init (&ccfb, RCC_FEEDBACK_CCFB, PEER, g_realloc);
  rcc_xr_reporter_init (&xr, PEER, g_realloc);
  xr.clock_rate = 90000;
  xr.times = true;
  rcc_rng_init (&rng, 20261123, streams);
  memset (outcomes, 0, sizeof outcomes);
  for (guint i = 0; i < streams; i++)
    rcc_feedback_clock_rate (&f, MEDIA + i * 7919, 90000);
  for (guint n = 0; n < PACKETS; n++) {
    for (guint i = 0; i < streams; i++) {
      const RccRtp rtp = { .pt = 96, .ssrc = MEDIA + i * 7919, .seq = (guint16) n };

      rcc_feedback_sent (&f, &rtp, -1, &(RccPacket) { .size = 1200, .sent = now });
      outcomes[i][n].lost = n > 0 && n + 1 < PACKETS && rcc_rng_u32 (&rng) % 100 == 0;
      if (outcomes[i][n].lost)
        continue;
      if (extended)
        rcc_xr_reporter_packet (&xr, &rtp, false, now + 20 * MS);
      else
        rcc_reporter_packet (&ccfb, &rtp, 0, now + 20 * MS);
    }
    now += 10 * MS;
    if (n % 10 == 9)
      report (extended, now + 20 * MS);
  }
  for (guint i = 0; i < 20 && extended && rcc_xr_reporter_pending (&xr); i++)
    report (extended, now += 100 * MS);
}

static void
each_outcome_is_told (gconstpointer data)
{
  static const guint all[] = { 1, 5, 9, 16, 64 };
  const gboolean extended = GPOINTER_TO_INT (data);

  for (guint k = 0; k < G_N_ELEMENTS (all); k++) {
    guint reported = 0, lost = 0;

    run (all[k], extended);
    for (guint i = 0; i < all[k]; i++)
      for (guint n = 0; n < PACKETS; n++) {
        g_assert_cmpuint (outcomes[i][n].received, ==, !outcomes[i][n].lost);
        g_assert_cmpuint (outcomes[i][n].gone, ==, outcomes[i][n].lost);
        reported += outcomes[i][n].received;
        lost += outcomes[i][n].gone;
      }
    g_test_message ("%u SSRCs: %u arrivals and %u losses told, each once", all[k], reported, lost);
    g_assert_cmpuint (f.unknown_packets, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/many-ssrcs/ccfb", GINT_TO_POINTER (FALSE), each_outcome_is_told);
  g_test_add_data_func ("/many-ssrcs/xr", GINT_TO_POINTER (TRUE), each_outcome_is_told);
  return g_test_run ();
}
