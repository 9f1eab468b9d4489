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
gst_rtp_cc_fuse_start (GstRtpCcFuse * f, const RccBreakerConfig * config,
    RccTime held, RccTime now)
{
  if (held > 0)
    rcc_breaker_resume (&f->breaker, config, held, now);
  else
    rcc_breaker_init (&f->breaker, config, now);
  rcc_reports_init (&f->reports);
  f->packets_dropped = f->bytes_dropped = f->malformed = 0;
}

/* --- RTP ------------------------------------------------------------------ */

/* What was true of all streams may not be of one more. */
static void
joins (const GstRtpCcFuse * f, RccUpdate * update)
{
  if (f->breaker.state == RCC_BREAKER_CLOSED)
    return;
  update->changed |= RCC_TARGET;
  update->why = "circuit breaker: one more stream";
}

gboolean
gst_rtp_cc_fuse_buffer (GstRtpCcFuse * f, GstBuffer * buffer, RccTime now,
    RccUpdate * update)
{
  GstRtpCcPacket packet;
  RccReportsStream *stream;
  RccPacket sent;

  if (G_UNLIKELY (!gst_rtp_cc_packet_map (buffer, &packet))) {
    f->malformed++;
    return TRUE;
  }
  gst_rtp_cc_packet_unmap (&packet);    /* its numbers are enough */
  if (G_UNLIKELY (rcc_rtp_is_rtcp (&packet.rtp))) {
    f->malformed++;
    return TRUE;
  }
  /* Numbers that do not leave are followed too: the stream goes on behind them. */
  stream = rcc_reports_sent (&f->reports, &packet.rtp, now);
  stream->clock_rate = f->clock_rate;
  sent = (RccPacket) {
  .seq = stream->unwrap.last,.size =
        (uint32_t) gst_buffer_get_size (buffer),.ssrc =
        packet.rtp.ssrc,.timestamp = packet.rtp.timestamp,.sent =
        now,.arrived = RCC_NEVER,};
  if (G_LIKELY (rcc_breaker_passes (&f->breaker, sent.ssrc))) {
    *update = rcc_update_merge (*update, rcc_tell (&f->breaker.sender, on_sent,
            &sent));
    if (G_UNLIKELY (stream->packets == 1))
      joins (f, update);
    return TRUE;
  }
  if (!f->enforce)
    return TRUE;
  f->packets_dropped++;
  f->bytes_dropped += sent.size;
  return FALSE;
}

static void
keep (GstBufferList * kept, GstBufferList * list, guint i)
{
  gst_buffer_list_add (kept, gst_buffer_ref (gst_buffer_list_get (list, i)));
}

GstBufferList *
gst_rtp_cc_fuse_list (GstRtpCcFuse * f, GstBufferList * list, RccTime now,
    RccUpdate * update)
{
  const guint n = gst_buffer_list_length (list);
  GstBufferList *kept = NULL;

  for (guint i = 0; i < n; i++) {
    const gboolean leaves = gst_rtp_cc_fuse_buffer (f,
        gst_buffer_list_get (list, i), now, update);

    if (G_UNLIKELY (!leaves && !kept)) {
      kept = gst_buffer_list_new_sized (n);
      for (guint k = 0; k < i; k++)
        keep (kept, list, k);
    } else if (G_UNLIKELY (leaves && kept)) {
      keep (kept, list, i);
    }
  }
  return kept;
}

gboolean
gst_rtp_cc_fuse_blown (const GstRtpCcFuse * f)
{
  for (guint i = 0; i < f->breaker.n_streams; i++)
    if (f->breaker.streams[i].state != RCC_BREAKER_OPEN)
      return FALSE;
  return f->breaker.state == RCC_BREAKER_OPEN;
}

/* --- RTCP ----------------------------------------------------------------- */

RccUpdate
gst_rtp_cc_fuse_rtcp (GstRtpCcFuse * f, RccBytes compound, gboolean ours,
    RccTime now)
{
  if (!ours)
    return rcc_reports_rtcp (&f->reports, compound,
        gst_rtp_cc_ntp_now (), now, &f->breaker.sender);
  rcc_reports_rtcp_sent (&f->reports, compound, now);
  return (RccUpdate) {
  0};
}

/* --- what is said --------------------------------------------------------- */

static guint
target_of (const GstRtpCcFuse * f, const RccBreakerStream * stream)
{
  if (!f->enforce || stream->state == RCC_BREAKER_CLOSED)
    return GST_RTP_CC_UNBOUND;
  return stream->state == RCC_BREAKER_OPEN ? 0 : stream->target_bps;
}

guint
gst_rtp_cc_fuse_targets (const GstRtpCcFuse * f, GstRtpCcTarget * all,
    GstRtpCcTarget * streams)
{
  const RccBreaker *b = &f->breaker;
  guint n = 0;

  *all = (GstRtpCcTarget) {
  .target_bps = b->n_streams ? 0 : GST_RTP_CC_UNBOUND,.rtt =
        GST_CLOCK_TIME_NONE};
  for (guint i = 0; i < b->n_streams; i++) {
    all->target_bps = MAX (all->target_bps, target_of (f, &b->streams[i]));
    all->rtt = MIN (all->rtt, b->streams[i].rtt);
  }
  for (guint i = 0; i < b->n_streams; i++) {
    const guint target = target_of (f, &b->streams[i]);

    if (target < all->target_bps)
      streams[n++] = (GstRtpCcTarget) {
      .ssrc = b->streams[i].ssrc,.target_bps = target,.rtt = b->streams[i].rtt};
  }
  return n;
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
gst_rtp_cc_fuse_stats (const GstRtpCcFuse * f, GstClockTime retry_after,
    GstClockTime time_since_rtcp)
{
  GstStructure *stats =
      gst_rtp_cc_stats_new ("application/x-rtp-circuit-breaker-stats",
      rcc_breaker_fields, &f->breaker);
  GValue streams = G_VALUE_INIT;

  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &f->reports);
  gst_rtp_cc_stats_add (stats, fields, f);
  gst_structure_set (stats, "retry-after", G_TYPE_UINT64, retry_after,
      "time-since-rtcp", G_TYPE_UINT64, time_since_rtcp, NULL);
  g_value_init (&streams, GST_TYPE_ARRAY);
  for (guint i = 0; i < f->breaker.n_streams; i++)
    append_stream (&streams, &f->breaker.streams[i]);
  gst_structure_take_value (stats, "streams", &streams);
  return stats;
}
