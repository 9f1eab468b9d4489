/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Controllers that hear extended reports, by the bytes. */
#include "xr-rig.h"
#include "core/fbra/fbra.h"
#include "core/tfrc/tfrc.h"

static RccFbra fbra;

/* A round of FBRA: 8 packets, each fec_interval-th a parity one, and their report. */
static void
fbra_round (guint round, guint lost, guint late)
{
  const RccTime from = 100 * RCC_SEC + round * 200 * MS, reported = from + 300 * MS;
  const guint32 media = fbra.target_bps - fbra.fec_bps;
  RccXrRle rle = { .range = { MEDIA, (guint16) (round * 8), (guint16) (round * 8 + 8), 0 } };
  Seen seen = { .ssrc = MEDIA, .rate = 90000, .begin = (guint16) (round * 8) };
  const RccReportBlock block = { .ssrc = MEDIA, .highest_seq = round * 8 + 7 };
  guint16 end;
  gsize size;

  for (guint i = 0; i < 8; i++) {
    const gboolean parity = fbra.fec_interval > 0 && i % 4 == 3;
    const RccPacket p = { .seq = round * 8 + i, .size = media / 40 / 8, .ssrc = MEDIA,
      .flags = parity ? RCC_PACKET_PARITY : 0, .sent = from + i * 25 * MS,
      .arrived = RCC_NEVER };
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) p.seq };

    rcc_feedback_sent (&f, &rtp, -1, &p);
    rcc_tell (&fbra.sender, on_sent, &p);
    seen.lost[i] = lost >> i & 1;
    seen.late[i] = late >> i & 1;
    seen.arrived[i] = CLOCK + p.sent + 50 * MS;
  }
  size = rcc_rtcp_build_rr (ALL (out), PEER, &block, 1);
  used = rcc_xr_begin (out + size, sizeof out - size, PEER);
  used = rcc_xr_rle_add (out + size, sizeof out - size, used, &rle, received, &seen, &end);
  used = rcc_xr_times_add (out + size, sizeof out - size, used, &rle.range, when, &seen, &end);
  rle.discard = true;
  used = rcc_xr_rle_add (out + size, sizeof out - size, used, &rle, was_late, &seen, &end);
  rcc_feedback_rtcp (&f, (RccBytes) { out, size + used }, 0, reported, &fbra.sender);
}

static guint
fbra_until_probing (void)
{
  const RccFbraConfig config = rcc_fbra_config ();
  guint round = 0;

  start ();
  rcc_feedback_clock_rate (&f, MEDIA, 90000);
  rcc_fbra_init (&fbra, &config, &(RccConfig) { 10000, 100000, 2000000 });
  while (fbra.state != RCC_FBRA_PROBE) {
    fbra_round (round++, 0, 0);
    g_assert_cmpuint (round, <, 20);
  }
  return round;
}

static void
fbra_probes_by_xr (void)
{
  guint32 rate;
  guint round = fbra_until_probing ();

  rate = fbra.target_bps - fbra.fec_bps;
  for (guint i = 0; i < 3 && fbra.probes_passed == 0; i++)
    fbra_round (round++, 0, 0);
  g_assert_cmpuint (fbra.probes_passed, ==, 1);
  g_assert_cmpuint (fbra.probes_void, ==, 0);
  g_assert_cmpuint (fbra.target_bps - fbra.fec_bps, >, rate);
  g_assert_cmpuint (fbra.losses + fbra.discards, ==, 0);

  for (guint way = 0; way < 2; way++) { /* late, lost */
    round = fbra_until_probing ();
    rate = fbra.target_bps - fbra.fec_bps;
    fbra_round (round++, way ? 0xe0 : 0, way ? 0 : 0xe0);
    g_assert_cmpuint (fbra.probes_passed, ==, 0);
    g_assert_cmpuint (fbra.state, !=, RCC_FBRA_PROBE);
    g_assert_cmpuint (way ? fbra.losses : fbra.discards, ==, 3);
    g_assert_cmpuint (way ? fbra.discards : fbra.losses, ==, 0);
    g_assert_cmpuint (fbra.target_bps, <=, rate);
  }
}

/* p of TFRC after 4 s at 2 % of loss, told by @what; 0: by RFC 8888. */
static double
tfrc_p (guint what, guint64 *events)
{
  const RccTfrcConfig config = rcc_tfrc_config ();
  static RccTfrc tfrc;
  RccRng r;

  start ();
  rcc_feedback_clock_rate (&f, MEDIA, 90000);
  rcc_rng_init (&r, SEED, 81);
  rcc_tfrc_init (&tfrc, &config, &(RccConfig) { 10000, 500000, 5000000 });
  for (guint round = 0; round < 60; round++) {
    const RccTime from = RCC_SEC + round * N * 2 * MS, reported = from + N * 2 * MS + 100 * MS;
    RccCcfbReport reports[N];
    Seen seen = send (MEDIA, 90000, (guint16) (65000 + round * N), from, 2 * MS);

    for (guint i = 0; i < N; i++) {
      rcc_tell (&tfrc.sender, on_sent, &(RccPacket) { .size = 1200, .sent = from + i * 2 * MS,
            .arrived = RCC_NEVER });
      seen.lost[i] = round > 5 && rcc_rng_u32 (&r) % 50 == 0;
      reports[i] = (RccCcfbReport) { .received = !seen.lost[i],
        .before = CLOCK + reported - 50 * MS - seen.arrived[i] };
    }
    begin ();
    if (what)
      say (&seen, what);
    else {
      used = rcc_ccfb_begin (ALL (out), PEER);
      used = rcc_ccfb_add (ALL (out), used, MEDIA, seen.begin, reports, N);
      used = rcc_ccfb_end (ALL (out), used,
          rcc_ntp_middle (rcc_ns_to_ntp (CLOCK + reported - 50 * MS)));
    }
    rcc_feedback_rtcp (&f, (RccBytes) { out, used }, 0, reported, &tfrc.sender);
  }
  *events = tfrc.receiver.loss.events;
  g_assert_cmpstr (tfrc.loss_source, ==, "feedback");
  g_assert_cmpuint (tfrc.rtt, !=, RCC_NEVER);
  return tfrc.rate.p;
}

/* Loss RLE is a source of loss events as good as arrival times are. */
static void
tfrc_counts_the_same_events_by_any_format (void)
{
  guint64 by_ccfb, by_rle, by_times;
  const double p = tfrc_p (0, &by_ccfb);

  g_assert_cmpuint (by_ccfb, >, 15);
  g_assert_cmpfloat_with_epsilon (tfrc_p (LOSS, &by_rle), p, 0.05 * p);
  g_assert_cmpfloat_with_epsilon (tfrc_p (LOSS | TIMES, &by_times), p, 0.05 * p);
  g_assert_cmpuint (ABS ((gint) by_rle - (gint) by_ccfb), <=, 1);
  g_assert_cmpuint (ABS ((gint) by_times - (gint) by_ccfb), <=, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback-xr-senders/" path, func)
  ADD ("fbra-probes-by-xr", fbra_probes_by_xr);
  ADD ("tfrc-counts-the-same-events-by-any-format", tfrc_counts_the_same_events_by_any_format);
  return g_test_run ();
}
