/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/breaker/gate.h"

#include "rtpcc/common/utils.h"

/* --- what nears ----------------------------------------------------------- */

static RccUpdate
notice (gboolean any)
{
  return any ? (RccUpdate) {.changed = RCC_STATE,
  .reason = "circuit breaker: about to open"} : rcc_nothing ();
}

RccUpdate
gst_rtp_cc_breaker_gate_look (GstRtpCcBreakerGate * f, RccTime now)
{
  return notice (rcc_breaker_watch_look (&f->watch, &f->core.breaker, now));
}

/* --- RTP ------------------------------------------------------------------ */

gboolean
gst_rtp_cc_breaker_gate_buffer (GstRtpCcBreakerGate * f, GstBuffer * buffer,
    RccTime now, RccUpdate * update)
{
  GstRtpCcPacket packet;
  gboolean leaves;

  if (G_UNLIKELY (!gst_rtp_cc_packet_map (buffer, &packet))) {
    f->core.malformed++;
    return TRUE;
  }
  gst_rtp_cc_packet_unmap (&packet);    /* its numbers are enough */
  if (G_UNLIKELY (rcc_rtp_is_rtcp (&packet.rtp))) {
    f->core.malformed++;
    return TRUE;
  }
  leaves = rcc_gate_rtp (&f->core, &packet.rtp,
      (guint32) gst_buffer_get_size (buffer), f->clock_rate, now, update);
  if (G_UNLIKELY (rcc_breaker_watch_silence (&f->watch, &f->core.breaker, now)))
    *update = rcc_update_merge (notice (TRUE), *update);
  return leaves;
}

GstBufferList *
gst_rtp_cc_breaker_gate_list (GstRtpCcBreakerGate * f, GstBufferList * list,
    RccTime now, RccUpdate * update)
{
  const guint n = gst_buffer_list_length (list);
  GstBufferList *kept = NULL;

  for (guint i = 0; i < n; i++) {
    const gboolean leaves = gst_rtp_cc_breaker_gate_buffer (f,
        gst_buffer_list_get (list, i), now, update);

    gst_rtp_cc_list_keep (&kept, list, i, leaves);
  }
  return kept;
}

/* --- transport-wide feedback ---------------------------------------------- */

/* The session knows when it sent what it sent. All numbers named have to be such: who guesses
 * names many. */
RccUpdate
gst_rtp_cc_breaker_gate_twcc (GstRtpCcBreakerGate * f, GstEvent * event,
    RccTime now)
{
  RccPacket outcome = {.arrived = RCC_NEVER };
  const GstStructure *s;

  for (guint i = 0; (s = gst_rtp_cc_twcc_packet (event, i)); i++) {
    GstClockTime sent;
    gboolean lost;

    if (!gst_structure_get (s, "local-ts", G_TYPE_UINT64, &sent, "lost",
            G_TYPE_BOOLEAN, &lost, NULL) || !GST_CLOCK_TIME_IS_VALID (sent))
      return rcc_nothing ();
    if (!lost)
      outcome.arrived = now;
  }
  return rcc_tell (&f->core.breaker.sender, on_feedback, &outcome, 1, now);
}

/* --- what is said --------------------------------------------------------- */

guint
gst_rtp_cc_breaker_gate_targets (const GstRtpCcBreakerGate * f,
    GstRtpCcTarget * all, GstRtpCcTarget * streams)
{
  const RccBreaker *b = &f->core.breaker;
  guint n = 0;

  *all = (GstRtpCcTarget) {
  .target_bps = b->n_streams ? 0 : GST_RTP_CC_UNBOUND,.rtt =
        GST_CLOCK_TIME_NONE};
  for (guint i = 0; i < b->n_streams; i++) {
    all->target_bps =
        MAX (all->target_bps, rcc_gate_allows (&f->core, &b->streams[i]));
    all->rtt = MIN (all->rtt, b->streams[i].rtt);
  }
  for (guint i = 0; i < b->n_streams; i++) {
    const guint target = rcc_gate_allows (&f->core, &b->streams[i]);

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

void
gst_rtp_cc_breaker_gate_stats (const GstRtpCcBreakerGate * f,
    GstClockTime retry_after, GstClockTime time_since_rtcp,
    GstStructure * stats)
{
  GValue streams = G_VALUE_INIT;

  gst_rtp_cc_stats_add (stats, rcc_breaker_fields, &f->core.breaker);
  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &f->core.reports);
  gst_rtp_cc_stats_add (stats, rcc_gate_fields, &f->core);
  gst_structure_set (stats, "retry-after", G_TYPE_UINT64, retry_after,
      "time-since-rtcp", G_TYPE_UINT64, time_since_rtcp, NULL);
  g_value_init (&streams, GST_TYPE_ARRAY);
  for (guint i = 0; i < f->core.breaker.n_streams; i++)
    append_stream (&streams, &f->core.breaker.streams[i]);
  gst_structure_take_value (stats, "streams", &streams);
}
