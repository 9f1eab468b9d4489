/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reports-rig.h - 100 packets and an SR have left; what is told of a compound that
 * comes in
 */
#ifndef RCC_REPORTS_RIG_H
#define RCC_REPORTS_RIG_H

#include "wire-test.h"
#include "wire/reports.h"

#define PEER 0x22222222u
#define MEDIA 0xaaaa0000u
#define SHORT(seconds) ((guint32) ((seconds) * 65536))
#define START (100 * RCC_SEC)
#define NTP G_GUINT64_CONSTANT (0xe8001234567890ab)     /* of the SR at START */

/* A sender that writes down what it is told. */
static struct {
  RccSender sender;
  guint reports, rtcps;
  RccReport report;                     /* the last one */
  RccRtcp rtcp;
  guint32 reporters[RCC_REPORTS_REPORTERS];
} notes;

static RccReports r;
static RccReportBlock good;             /* 100 packets sent, 90 arrived, an SR echoed */

static inline RccUpdate
on_report (RccSender *s, const RccReport *report, RccTime now)
{
  g_assert_cmpuint (notes.rtcps, ==, 0);        /* after the reports */
  notes.reports++;
  notes.report = *report;
  return (RccUpdate) { .changed = RCC_TARGET, .target_bps = 1 };
}

static inline RccUpdate
on_rtcp (RccSender *s, const RccRtcp *rtcp, RccTime now)
{
  notes.rtcps++;
  notes.rtcp = *rtcp;
  memcpy (notes.reporters, rtcp->reporters, rtcp->n_reporters * sizeof (guint32));
  return (RccUpdate) { .changed = RCC_STOP };
}

static const RccSenderOps ops = { .name = "notes", .on_report = on_report, .on_rtcp = on_rtcp };

static inline void
sent (guint32 ssrc, guint first, guint n, RccTime now)
{
  for (guint i = 0; i < n; i++) {
    const RccRtp rtp = { .ssrc = ssrc, .seq = (guint16) (first + i) };

    rcc_reports_sent (&r, &rtp, now);
  }
}

static inline guint32
sr_sent (guint32 ssrc, RccTime now)
{
  const RccRtcpReport sr = { .ssrc = ssrc, .is_sr = true,
    .ntp = NTP + rcc_ns_to_ntp (now - START) };
  guint8 bytes[64];

  rcc_reports_rtcp_sent (&r, (RccBytes) { bytes,
          rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0) }, now);
  return rcc_ntp_middle (sr.ntp);
}

static inline void
start_empty (void)
{
  rcc_reports_clear (&r);               /* of the test before */
  memset (&r, 0xa5, sizeof r);          /* init leaves nothing to chance */
  rcc_reports_init (&r, g_realloc);
  memset (&notes, 0, sizeof notes);
  notes.sender.ops = &ops;
}

static inline void
start (void)
{
  start_empty ();
  sent (MEDIA, 65500, 100, START);
  good = (RccReportBlock) { .ssrc = MEDIA, .highest_seq = 65589, .fraction = 25, .lost = 9,
    .jitter = 90, .lsr = sr_sent (MEDIA, START), .dlsr = SHORT (1) };
}

static inline RccUpdate
hear (const guint8 *bytes, gsize size, RccTime now)
{
  notes.reports = notes.rtcps = 0;
  return rcc_reports_rtcp (&r, (RccBytes) { bytes, size }, 0, now, &notes.sender);
}

static inline RccUpdate
hear_from (guint32 reporter, const RccReportBlock *blocks, guint n, RccTime now)
{
  guint8 bytes[1024];

  return hear (bytes, rcc_rtcp_build_rr (bytes, sizeof bytes, reporter, blocks, n), now);
}

/* Whether one block from the peer was told, and its compound with it. */
static inline gboolean
believed (RccReportBlock block, RccTime now)
{
  hear_from (PEER, &block, 1, now);
  g_assert_cmpuint (notes.reports, <=, notes.rtcps);
  return notes.reports == 1;
}

/* Refused with its compound, and nothing but the counters has moved. */
static inline gboolean
refused (RccReportBlock block, RccTime now)
{
  const guint64 forged = r.forged;
  const gsize size = r.streams.n * r.streams.record_size;
  g_autofree gpointer streams = g_memdup2 (r.streams.records, size);
  static RccReports before;

  before = r;
  hear_from (PEER, &block, 1, now);
  return notes.rtcps == 0 && r.forged == forged + 1
      && memcmp (streams, r.streams.records, size) == 0
      && before.rtt.samples == r.rtt.samples && before.rtt.smoothed == r.rtt.smoothed;
}

#endif
