/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-rig.h - a sender's feedback parser, what is said into it, and a sender that writes down
 * what it is told
 */
#ifndef FEEDBACK_RIG_H
#define FEEDBACK_RIG_H

#include "wire-test.h"
#include "core/gcc/sender.h"
#include "wire/ccfb.h"
#include "wire/feedback-rtcp.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"

#define PEER 0x22222222u
#define MEDIA 0xaaaa0000u
#define SHORT(seconds) ((guint32) ((seconds) * 65536))

/* A sender that writes down what it is told. */
typedef struct {
  RccSender sender;
  guint reports, feedbacks, rembs, rtcps, lost, received, timed;
  RccReport report;                     /* the last one */
  RccRtcp rtcp;                         /* the last one, but for its reporters */
  guint32 remb;
  guint n;                              /* of the last feedback */
  RccPacket packets[16384];
} Notes;

static Notes notes;
static RccFeedback f;
static RccTwccStatus statuses[RCC_TWCC_STATUSES_MAX];

G_GNUC_UNUSED static RccUpdate
on_report (RccSender *s, const RccReport *report, RccTime now)
{
  notes.reports++;
  notes.report = *report;
  return (RccUpdate) { .changed = RCC_TARGET, .target_bps = 1 };
}

G_GNUC_UNUSED static RccUpdate
on_rtcp (RccSender *s, const RccRtcp *rtcp, RccTime now)
{
  notes.rtcps++;
  notes.rtcp = *rtcp;
  return (RccUpdate) { .changed = RCC_PROBE };
}

G_GNUC_UNUSED static RccUpdate
on_feedback (RccSender *s, const RccPacket *packets, size_t n, RccTime now)
{
  notes.feedbacks++;
  notes.n = (guint) n;
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (notes.packets));
  for (guint i = 0; i < n; i++) {
    notes.packets[i] = packets[i];
    notes.lost += !rcc_packet_received (&packets[i]);
    notes.received += rcc_packet_received (&packets[i]);
    notes.timed += packets[i].arrived != RCC_NEVER;
  }
  return (RccUpdate) { .changed = RCC_PACING, .pacing_bps = 2 };
}

G_GNUC_UNUSED static RccUpdate
on_remb (RccSender *s, guint32 bps, RccTime now)
{
  notes.rembs++;
  notes.remb = bps;
  return (RccUpdate) { 0 };
}

static const RccSenderOps ops = {
  .name = "notes", .on_report = on_report, .on_rtcp = on_rtcp, .on_feedback = on_feedback,
  .on_remb = on_remb,
};

G_GNUC_UNUSED static void
start (void)
{
  rcc_feedback_clear (&f);              /* of the test before */
  memset (&f, 0xa5, sizeof f);          /* init leaves nothing to chance */
  rcc_feedback_init (&f, g_realloc);
  memset (&notes, 0, sizeof notes);
  notes.sender.ops = &ops;
}

G_GNUC_UNUSED static void
sent (guint32 ssrc, guint16 seq, int twcc, RccTime now)
{
  const RccRtp rtp = { .ssrc = ssrc, .seq = seq };

  rcc_feedback_sent (&f, &rtp, twcc, &(RccPacket) { .size = 1200, .sent = now });
}

G_GNUC_UNUSED static void
sent_many (guint32 ssrc, guint first, guint n, RccTime from, RccTime gap)
{
  for (guint i = 0; i < n; i++)
    sent (ssrc, (guint16) (first + i), (int) ((first + i) & 0xffff), from + i * gap);
}

G_GNUC_UNUSED static RccUpdate
hear (const guint8 *bytes, gsize size, RccTime now)
{
  return rcc_feedback_rtcp (&f, (RccBytes) { bytes, size }, 0, now, &notes.sender);
}

G_GNUC_UNUSED static void
hear_block (const RccReportBlock *block, RccTime now)
{
  guint8 bytes[64];

  hear (bytes, rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, block, 1), now);
}

G_GNUC_UNUSED static void
hear_rr (guint32 ssrc, guint32 highest, guint8 fraction, guint32 lsr, guint32 dlsr,
    RccTime now)
{
  hear_block (&(RccReportBlock) { .ssrc = ssrc, .fraction = fraction, .lost = 7,
        .highest_seq = highest, .jitter = 900, .lsr = lsr, .dlsr = dlsr }, now);
}

G_GNUC_UNUSED static void
hear_loss (guint32 highest, guint8 fraction, gint32 lost, RccTime now)
{
  hear_block (&(RccReportBlock) { .ssrc = MEDIA, .highest_seq = highest,
        .fraction = fraction, .lost = lost }, now);
}

G_GNUC_UNUSED static void
hear_twcc (guint16 base, guint n, RccTime first, RccTime gap, guint lost_every, RccTime now)
{
  const RccTwcc head = { .sender_ssrc = PEER, .media_ssrc = MEDIA, .base_seq = base };
  guint8 bytes[4096];
  guint done;
  gsize size;

  for (guint i = 0; i < n; i++)
    statuses[i] = (RccTwccStatus) { lost_every == 0 || i % lost_every != lost_every - 1,
      (gint64) ((first + i * gap) / RCC_USEC) };
  size = rcc_twcc_build (bytes, sizeof bytes, &head, statuses, n, &done);
  g_assert_cmpuint (done, ==, n);
  hear (bytes, size, now);
}

/* All received, the last one at @made. */
G_GNUC_UNUSED static gsize
ccfb_block (guint8 *bytes, gsize size, gsize used, guint32 ssrc, guint16 begin, guint n,
    RccTime gap)
{
  RccCcfbReport reports[256];

  for (guint i = 0; i < n; i++)
    reports[i] = (RccCcfbReport) { .received = true, .before = (n - 1 - i) * gap };
  return rcc_ccfb_add (bytes, size, used, ssrc, begin, reports, n);
}

G_GNUC_UNUSED static void
hear_ccfb (guint32 ssrc, guint16 begin, guint n, RccTime gap, guint32 stamp, RccTime now)
{
  guint8 bytes[4096];
  gsize used = rcc_ccfb_begin (bytes, sizeof bytes, PEER);

  used = ccfb_block (bytes, sizeof bytes, used, ssrc, begin, n, gap);
  hear (bytes, rcc_ccfb_end (bytes, sizeof bytes, used, stamp), now);
}

G_GNUC_UNUSED static void
sr_sent (guint64 ntp, RccTime now)
{
  const RccRtcpReport sr = { .ssrc = MEDIA, .is_sr = true, .ntp = ntp };
  guint8 bytes[64];

  rcc_feedback_rtcp_sent (&f, (RccBytes) { bytes,
          rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0) }, now);
}

G_GNUC_UNUSED static void
hear_remb (guint64 bps, const guint32 *ssrcs, guint n)
{
  guint8 bytes[64];

  hear (bytes, rcc_remb_build (bytes, sizeof bytes, PEER, bps, ssrcs, n), 2 * RCC_SEC);
}

#endif
