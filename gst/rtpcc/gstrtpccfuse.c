/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccfuse.h"

#include "rtpcc/gstrtpccutils.h"

static const RccField fields[] = {
  RCC_FIELD (GstRtpCcFuse, packets_dropped, "packets-dropped", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFuse, bytes_dropped, "bytes-dropped", RCC_U64, "B"),
  RCC_FIELD (GstRtpCcFuse, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELDS_END
};

void
gst_rtp_cc_fuse_init (GstRtpCcFuse * f, const RccBreakerConfig * config,
    RccTime now)
{
  rcc_breaker_init (&f->breaker, config, now);
  rcc_reports_init (&f->reports);
  f->packets_dropped = f->bytes_dropped = f->malformed = 0;
}

gboolean
gst_rtp_cc_fuse_rtp (GstRtpCcFuse * f, GstBuffer * buffer, RccTime now,
    RccUpdate * update)
{
  GstRtpCcPacket packet;
  RccReportsStream *stream;
  RccPacket sent;

  if (G_UNLIKELY (!gst_rtp_cc_packet_map (buffer, &packet))) {
    f->malformed++;
    return TRUE;
  }
  sent = (RccPacket) {
  .size = gst_buffer_get_size (buffer),.ssrc = packet.rtp.ssrc,.timestamp =
        packet.rtp.timestamp,.sent = now,.arrived = RCC_NEVER,};
  /* Numbers that do not leave are followed too: the stream goes on behind them. */
  stream = rcc_reports_sent (&f->reports, &packet.rtp, now);
  gst_rtp_cc_packet_unmap (&packet);
  stream->clock_rate = f->clock_rate;
  sent.seq = stream->unwrap.last;
  if (G_UNLIKELY (!rcc_breaker_passes (&f->breaker, sent.ssrc)))
    return FALSE;
  *update = rcc_update_merge (*update, rcc_tell (&f->breaker.sender, on_sent,
          &sent));
  return TRUE;
}

void
gst_rtp_cc_fuse_dropped (GstRtpCcFuse * f, GstBuffer * buffer)
{
  f->packets_dropped++;
  f->bytes_dropped += gst_buffer_get_size (buffer);
}

gboolean
gst_rtp_cc_fuse_blown (const GstRtpCcFuse * f)
{
  for (guint i = 0; i < f->breaker.n_streams; i++)
    if (rcc_breaker_passes (&f->breaker, f->breaker.streams[i].ssrc))
      return FALSE;
  return f->breaker.state == RCC_BREAKER_OPEN;
}

/* NTP counts from 1900 (RFC 3550 4). */
#define NTP_TO_UNIX (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

RccUpdate
gst_rtp_cc_fuse_rtcp (GstRtpCcFuse * f, RccBytes compound, gboolean ours,
    RccTime now)
{
  const RccTime wall = (RccTime) g_get_real_time () * GST_USECOND + NTP_TO_UNIX;

  if (!ours)
    return rcc_reports_rtcp (&f->reports, compound,
        rcc_ntp_middle (rcc_ns_to_ntp (wall)), now, &f->breaker.sender);
  rcc_reports_rtcp_sent (&f->reports, compound, now);
  return (RccUpdate) {
  0};
}

static void
append_stream (GValue * array, const RccBreakerStream * stream)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value,
      gst_rtp_cc_stats_new ("application/x-rtp-circuit-breaker-stream-stats",
          rcc_breaker_stream_fields, stream));
  gst_value_array_append_and_take_value (array, &value);
}

GstStructure *
gst_rtp_cc_fuse_stats (const GstRtpCcFuse * f, GstClockTime now)
{
  GstStructure *stats =
      gst_rtp_cc_stats_new ("application/x-rtp-circuit-breaker-stats",
      rcc_breaker_fields, &f->breaker);
  const RccTime heard = f->breaker.heard;
  GValue streams = G_VALUE_INIT;

  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &f->reports);
  gst_rtp_cc_stats_add (stats, fields, f);
  gst_structure_set (stats,
      "retry-after", G_TYPE_UINT64, now == GST_CLOCK_TIME_NONE ? 0
      : rcc_breaker_retry_after (&f->breaker, now),
      "time-since-rtcp", G_TYPE_UINT64,
      now == GST_CLOCK_TIME_NONE || heard == RCC_NEVER ? GST_CLOCK_TIME_NONE
      : now - heard, NULL);
  g_value_init (&streams, GST_TYPE_ARRAY);
  for (guint i = 0; i < f->breaker.n_streams; i++)
    append_stream (&streams, &f->breaker.streams[i]);
  gst_structure_take_value (stats, "streams", &streams);
  return stats;
}
