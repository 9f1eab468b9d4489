/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpcircuitbreaker
 * @title: rtpcircuitbreaker
 * @short_description: stops an RTP flow that harms the network (RFC 8083)
 *
 * Watches what an RTP session sends and what RTCP says of it, and stops the flow when
 *
 * * no RTCP has come back for 15 s or more (`rtcp-timeout`: nobody is there, or the way
 *   back is cut);
 * * reports say, again and again, that nothing arrives (`media-timeout`: the way there is
 *   cut);
 * * the flow takes more than #GstRtpCircuitBreaker:multiplier times what TCP would get on the
 *   same path, for as long as a controller needs to react (`congestion`);
 * * if asked for by #GstRtpCircuitBreaker:media-usability, nobody can make use of the
 *   media any more (`usability`).
 *
 * It is no rate controller: it stands behind one (#rtpgccsender), or makes a flow of fixed rate
 * safe. What passes is not changed. While it is open, RTP is dropped and RTCP goes on. Encoders
 * hear a `GstRtpTargetBitrate` event of 0 with the reason, and `ssrc` where other streams go on.
 * An element message is posted, as with each change of #GstRtpCircuitBreaker:state.
 *
 * ## The message GstRtpCircuitBreaker
 *
 * | field | type | |
 * |---|---|---|
 * | state | string | `closed`, `reduced`, `open` |
 * | reason | string | `rtcp-timeout`, `media-timeout`, `congestion`, `usability`; closed: `none` |
 * | ssrc | guint | whose state it is; 0: that of all |
 * | loss | gdouble | 0 to 1, over the reports that were judged |
 * | rtt | guint64 | ns; #GST_CLOCK_TIME_NONE: not known |
 * | tcp-rate | guint64 | bit/s of a TCP connection on this path; #G_MAXUINT64: nothing is lost |
 * | send-rate | guint64 | bit/s sent; both are 0 with `rtcp-timeout` |
 * | interval | guint64 | ns that opened it (RFC 8083 4.5) |
 * | retry-after | guint64 | ns from now on for which a reset is refused |
 * | reset-refused | gboolean | only there, and %TRUE, when a reset was refused |
 *
 * ## The message GstRtpCircuitBreakerNearing
 *
 * For a cue to the user in advance (RFC 8083 4.5): one more report like the newest, or one more
 * Td without RTCP, will open it or reduce the rate. `nearing` (gboolean) is %FALSE when that is
 * over and it has not opened. `reason`, `ssrc`, `loss`, `rtt`, `tcp-rate` and `send-rate` are as
 * above. `opens-in` (guint64, ns) is how much time is left, about and at least.
 *
 * Where RTCP comes too rarely for the breaker to open in time it warns, once for each cause:
 * Td or the receiver's interval over 5 s, #GstRtpCircuitBreaker:tuning's `rtcp-rr-interval` over
 * 4 s (RFC 8083 4.1, 4.3).
 *
 * ## Closing it
 *
 * Nothing closes it again but the action signal #GstRtpCircuitBreaker::reset, which should follow
 * from a human's decision. It is refused until the interval that opened it has gone by (RFC 8083
 * 4.5). Going through READY does not shorten that interval; once it has gone by READY closes it,
 * as NULL does at any time. What was only `reduced` comes back by itself, in steps.
 *
 * RFC 8083 4.5 wants restarts limited for the 5-tuple of addresses, ports and protocol. This
 * element knows no addresses. So the limit holds for one element until NULL, and not for a new
 * element, process or host that sends to the same place. Whoever makes calls by a script must
 * keep `retry-after` of the last message, and not call that place again before.
 *
 * ## Several streams
 *
 * Each SSRC is judged alone, or with #GstRtpCircuitBreaker:scope all of the session together (RFC
 * 8083 8). There is no group of some, and no order in which the layers of one stop. Media whose
 * packets carry different DSCPs must not be together: leave `scope` at `ssrc` there. Nobody
 * looks at DSCPs here.
 *
 * ## The receiver's half
 *
 * Receivers, too, should end a session whose media has long been of no use (RFC 8083 4.4). No
 * element does that. rtpbin's statistics and an XR of the application's have what it takes.
 *
 * ## What counts as a sign of life
 *
 * RTCP counts when its sender has shown that our packets reach it. So does the session's
 * transport-wide feedback (RFC 8083 5), as rtpsession of GStreamer 1.22 may leave reports out.
 *
 * It stands before rtpbin's `send_rtp_sink` or after its `send_rtp_src`. The RTCP that comes in
 * runs through `rtcp_sink` and `rtcp_src`. Where those are not linked it is heard at the
 * rtpsession beside it. Inside rtpbin it can be what `request-rtp-encoder` (ask it for the pad
 * `rtp_sink_%u` first) and `request-rtcp-decoder` return. The session's outgoing RTCP may run
 * through `send_rtcp_sink` (or `rtcp_sink_%u`, for `request-rtcp-encoder`): then round-trip times
 * are exact whatever clock the SRs carry. Behind and inside rtpbin GStreamer warns of a loop in
 * the graph, which does no harm. One element is for one RTP session.
 *
 * Reports that cannot be true are refused. Those are of packets that were never sent, with the
 * echo of an SR that never left, or with impossible round-trip times. No single report opens the
 * breaker. Whoever can read the session's packets can still forge reports, to open it or to keep
 * it closed. Only SRTCP keeps them from it.
 *
 * ## Example launch line
 *
 * The link carries a fifth of what is sent.  The breaker opens within some 10 seconds, and
 * its message says `congestion`.
 * |[
 * gst-launch-1.0 -m rtpbin name=s rtpsession0::rtcp-min-interval=1000000000 \
 *   rtpbin name=r rtpsession1::rtcp-min-interval=1000000000 \
 *   videotestsrc is-live=true pattern=snow ! x264enc tune=zerolatency bitrate=1000 ! rtph264pay \
 *   ! rtpcircuitbreaker name=cb ! s.send_rtp_sink_0 \
 *   s.send_rtp_src_0 ! linksim name=net scenario=constant:200k ! r.recv_rtp_sink_0 \
 *   r. ! rtph264depay ! fakesink \
 *   s.send_rtcp_src_0 ! net.fwd_sink_0 net.fwd_src_0 ! r.recv_rtcp_sink_0 \
 *   r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5031 sync=false async=false \
 *   udpsrc port=5031 ! cb.rtcp_sink cb.rtcp_src ! s.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/breaker/notifier.h"

GST_DEBUG_CATEGORY_EXTERN (gst_rtp_circuit_breaker_debug);
#define GST_CAT_DEFAULT gst_rtp_circuit_breaker_debug

/* Whether that is what was said last; from now on it is. */
static gboolean
is_said (GstRtpCcBreakerNotifier * v, const GstRtpCcTarget * all,
    const GstRtpCcTarget * streams, guint n)
{
  gboolean same = v->said.bps == all->target_bps && v->said.n == n;

  v->said.bps = all->target_bps;
  v->said.n = n;
  for (guint i = 0; i < n; i++) {
    same = same && v->said.streams[i].ssrc == streams[i].ssrc
        && v->said.streams[i].bps == streams[i].target_bps;
    v->said.streams[i].ssrc = streams[i].ssrc;
    v->said.streams[i].bps = streams[i].target_bps;
  }
  return same;
}

void
gst_rtp_cc_breaker_notifier_targets (GstRtpCcBreakerNotifier * v,
    GstRtpCcTarget all, const GstRtpCcTarget * streams, guint n,
    const gchar * reason, gboolean again)
{
  const gboolean bound = n > 0 || all.target_bps != GST_RTP_CC_UNBOUND;

  if (is_said (v, &all, streams, n) && !(again && bound))
    return;
  all.source = GST_OBJECT_NAME (v->element);
  all.reason = reason;
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    gst_rtp_cc_target_aggregator_own (v->aggregators[i], &all, streams, n);
}

static guint64
to_bitrate (gdouble bps)
{
  return bps < 1e18 ? (guint64) MAX (bps, 0) : G_MAXUINT64;
}

void
gst_rtp_cc_breaker_notifier_post (GstRtpCcBreakerNotifier * v,
    const RccBreakerEvent * event, GstClockTime retry_after, gboolean refused)
{
  GstStructure *s = gst_structure_new ("GstRtpCircuitBreaker",
      "state", G_TYPE_STRING, rcc_breaker_state_names[event->state],
      "reason", G_TYPE_STRING, rcc_breaker_reason_names[event->reason],
      "ssrc", G_TYPE_UINT, event->ssrc,
      "loss", G_TYPE_DOUBLE, event->loss,
      "rtt", G_TYPE_UINT64, event->rtt,
      "tcp-rate", G_TYPE_UINT64, to_bitrate (event->tcp_bps),
      "send-rate", G_TYPE_UINT64, to_bitrate (event->sent_bps),
      "interval", G_TYPE_UINT64, event->interval,
      "retry-after", G_TYPE_UINT64, retry_after, NULL);

  if (refused)
    gst_structure_set (s, "reset-refused", G_TYPE_BOOLEAN, TRUE, NULL);
  else if (event->state == RCC_BREAKER_OPEN)
    GST_WARNING_OBJECT (v->element, "%" GST_PTR_FORMAT, s);
  else
    GST_INFO_OBJECT (v->element, "%" GST_PTR_FORMAT, s);
  gst_element_post_message (v->element,
      gst_message_new_element (GST_OBJECT (v->element), s));
}

static void
post_nearing (GstRtpCcBreakerNotifier * v, const RccBreakerNotice * notice)
{
  GstStructure *s = gst_structure_new ("GstRtpCircuitBreakerNearing",
      "nearing", G_TYPE_BOOLEAN, (gboolean) notice->nearing,
      "reason", G_TYPE_STRING, rcc_breaker_reason_names[notice->reason],
      "ssrc", G_TYPE_UINT, notice->ssrc,
      "loss", G_TYPE_DOUBLE, notice->loss,
      "rtt", G_TYPE_UINT64, notice->rtt,
      "tcp-rate", G_TYPE_UINT64, to_bitrate (notice->tcp_bps),
      "send-rate", G_TYPE_UINT64, to_bitrate (notice->sent_bps),
      "opens-in", G_TYPE_UINT64, notice->opens_in, NULL);

  GST_INFO_OBJECT (v->element, "%" GST_PTR_FORMAT, s);
  gst_element_post_message (v->element,
      gst_message_new_element (GST_OBJECT (v->element), s));
}

void
gst_rtp_cc_breaker_notifier_notice (GstRtpCcBreakerNotifier * v,
    const RccBreakerNotice * notice)
{
  const RccBreakerWarning *warning = &notice->warning;

  if (!warning->text) {
    post_nearing (v, notice);
    return;
  }
  if (warning->limit == 0) {
    GST_ELEMENT_WARNING (v->element, STREAM, FAILED,
        ("Circuit breaker: %s (RFC 8083 %s).", warning->text, warning->section),
        (NULL));
    return;
  }
  GST_ELEMENT_WARNING (v->element, LIBRARY, SETTINGS,
      ("Circuit breaker: %s. It is %.1f s, and should be at most %.0f s (RFC 8083 %s).",
          warning->text, warning->value / 1e9, warning->limit / 1e9,
          warning->section), (NULL));
}

void
gst_rtp_cc_breaker_notifier_forget (GstRtpCcBreakerNotifier * v)
{
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    gst_rtp_cc_target_aggregator_reset (v->aggregators[i]);
  v->said.bps = GST_RTP_CC_UNBOUND;
  v->said.n = 0;
}

void
gst_rtp_cc_breaker_notifier_init (GstRtpCcBreakerNotifier * v,
    GstElement * element)
{
  v->element = element;
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    v->aggregators[i] = gst_rtp_cc_target_aggregator_new (NULL);
  gst_rtp_cc_breaker_notifier_forget (v);
}

void
gst_rtp_cc_breaker_notifier_clear (GstRtpCcBreakerNotifier * v)
{
  for (guint i = 0; i < GST_RTP_CC_BREAKER_NOTIFIER_PATHS; i++)
    gst_rtp_cc_target_aggregator_free (v->aggregators[i]);
}
