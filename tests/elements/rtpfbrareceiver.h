/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An rtpfbrareceiver between two harnesses, and its extended reports read back.
 */
#ifndef TEST_RTPFBRARECEIVER_H
#define TEST_RTPFBRARECEIVER_H

#define RECEIVER "rtpfbrareceiver"
#define RECEIVER_STATS "application/x-rtp-fbra-receiver-stats"
#include "rtpgccreceiver.h"

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

typedef struct {                        /* what reports say, summed up */
  guint reports, whole_reports;         /* with an XR packet; with RR or SR in front, too */
  guint received, lost, late, times;    /* packets */
  guint32 report_ssrc, xr_ssrc;         /* of the last */
  guint32 lrr;                          /* the last RRTR's middle bits; 0: none */
  guint max_size;
} Xr;

static inline void
add_block (Xr *xr, const RccXrBlock *block)
{
  RccXrRle rle;
  RccXrRleWalk walk;
  RccXrTimes times;
  RccXrTimesWalk at;
  uint32_t ticks;
  uint16_t seq;
  uint64_t ntp;
  bool bit;

  if (rcc_xr_rle_parse (block, &rle)) {
    rcc_xr_rle_begin (&walk, &rle);
    while (rcc_xr_rle_next (&walk, &seq, &bit)) {
      xr->received += !rle.discard && bit;
      xr->lost += !rle.discard && !bit;
      xr->late += rle.discard && !rle.early && bit;
    }
  } else if (rcc_xr_times_parse (block, &times)) {
    rcc_xr_times_begin (&at, &times);
    while (rcc_xr_times_next (&at, &seq, &ticks))
      xr->times++;
  } else if (rcc_xr_rrtr_parse (block, &ntp)) {
    xr->lrr = rcc_ntp_middle (ntp);
  }
}

static inline void
add_compound (Xr *xr, RccBytes rest)
{
  RccRtcpReport report;
  RccRtcpPacket p;
  gboolean headed = FALSE;

  xr->max_size = MAX (xr->max_size, (guint) rest.size);
  while (rcc_rtcp_next (&rest, &p)) {
    RccXrBlock block;
    RccXr packet;

    if (rcc_rtcp_report (&p, &report)) {
      headed = TRUE;
      xr->report_ssrc = report.ssrc;
    }
    if (!rcc_xr_parse (&p, &packet))
      continue;
    xr->reports++;
    xr->whole_reports += headed;
    xr->xr_ssrc = packet.ssrc;
    while (rcc_xr_next (&packet.blocks, &block))
      add_block (xr, &block);
    fail_unless_equals_int (packet.blocks.size, 0);
  }
  fail_unless_equals_int (rest.size, 0);
}

/* Everything that has come out since it was asked last. */
static inline Xr
pull_xr (Fixture *f)
{
  Xr xr = { 0 };
  GstBuffer *buffer;

  settle (f);
  while ((buffer = gst_harness_try_pull (f->rtcp))) {
    GstMapInfo info;

    gst_buffer_map (buffer, &info, GST_MAP_READ);
    add_compound (&xr, (RccBytes) { info.data, info.size });
    gst_buffer_unmap (buffer, &info);
    gst_buffer_unref (buffer);
  }
  return xr;
}

/* Pushes a packet that left at @sent and comes now; whether it came out. */
static inline gboolean
push_rtp (Fixture *f, guint32 ssrc, guint16 seq, GstClockTime sent)
{
  GstBuffer *buffer = make_rtp (ssrc, seq, sent, f->abs, PACKET), *out;

  GST_BUFFER_PTS (buffer) = f->now;
  fail_unless_equals_int (gst_harness_push (f->rtp, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (f->rtp);
  if (out)
    gst_buffer_unref (out);
  return out != NULL;
}

/* @n packets, one each @gap, that take @delay; how many came out. */
static inline guint
packets (Fixture *f, guint n, GstClockTime gap, GstClockTime delay)
{
  guint received = 0;

  for (; n; n--) {
    advance (f, f->now + gap);
    received += push_rtp (f, MEDIA_SSRC, f->seq++, f->now - delay);
  }
  return received;
}

#endif
