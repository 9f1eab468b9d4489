/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpgccsender
 * @title: rtpgccsender
 * @short_description: Google Congestion Control and pacing for an RTP sender
 *
 * Decides how fast an RTP session may send, paces its packets at that rate, and tells the
 * encoder. It stands right before rtpbin's `send_rtp_sink` (also as webrtcbin's aux sender). The
 * RTCP that comes in runs through its second pair of pads before it reaches `recv_rtcp_sink`.
 *
 * The target is the smallest of
 *
 * * the receiver's estimate, from REMB or TMMBR (see #rtpgccreceiver);
 * * a delay-based estimate of its own, from transport-wide feedback (RTCP that
 *   comes through, or rtpsession's `RTPTWCCPackets` event) or RFC 8888;
 * * the loss-based controller, from receiver reports.
 *
 * It is the property #GstRtpGccSender:estimated-bitrate, and goes upstream in a
 * `GstRtpTargetBitrate` event that #rtpbitrateadapter behind the encoder obeys.
 * Both count RTP headers, not UDP and IP.
 *
 * Packets leave in groups every 5 ms at 1.05 times the target (pacing-factor of
 * #GstRtpGccSender:tuning): audio first, then retransmissions, then video. A thread that was
 * woken late makes up for it, 40 ms of the rate at a time. While much waits, the event upstream
 * says so, and asks the encoder for less; #rtpbitrateadapter leaves pictures out meanwhile.
 * Nothing is dropped before it has waited for #GstRtpGccSender:max-queue-time. Then a whole frame
 * is, with those behind it up to the next key frame. Upstream is asked for that once. The
 * receiver sees no gap. Where packets carry abs-send-time (#rtphdrextabssendtime) it is written
 * anew as they leave.
 *
 * A request for a retransmission goes upstream once per round trip and packet. It does not for a
 * packet that never left or left too long ago. Retransmissions take half of the target at most.
 *
 * With #GstRtpGccSender:protection every so many packets of video are followed by one of parity
 * (RFC 5109, for rtpulpfecdec), within the target. That is of use where a round trip is too long
 * for retransmissions. The program rtpcall shows when to switch it on.
 *
 * With #GstRtpGccSender:probe-protection and no such parity, it is the probes' padding that is
 * parity, of the last 24 to 48 packets. That costs no rate. A probe comes now and then only, so
 * it repairs a small part of what is lost. The receiver has to repair, as with protection.
 *
 * To find out what the path can take, the profile `default` now and then lets a few packets leave
 * faster than the target. They are filled up with RTP packets of nothing but padding on the
 * video's SSRC, between frames. Later packets of that SSRC are renumbered, and so are
 * retransmissions (RFC 4588) and requests for them. Parity made upstream speaks of the former
 * numbers. Behind a FEC encoder set probe-interval of #GstRtpGccSender:tuning to 0 (padding stops
 * where parity is seen to pass).
 *
 * #GstRtpGccSender:profile `rrtcc` is GCC as it was in 2012
 * (draft-alvestrand-rtcweb-congestion-02/-03), a baseline for comparisons. It goes with a
 * #rtpgccreceiver of that profile that sends TMMBR. `paper` is that of ANRW'16.
 *
 * The session's outgoing RTCP may run through the request pad `send_rtcp_sink`. Then round-trip
 * times are exact whatever clock its SRs carry. A TMMBR is answered by a TMMBN (RFC 5104) in the
 * next compound.
 *
 * Where rtcp_sink is not linked, as in webrtcbin's aux sender, the RTCP is heard that comes to the
 * rtpsession beside the element. An abs-send-time whose id no caps tell, as behind rtpfunnel, is
 * found from the packets. Pads requested as rtpbin looks for them (`rtp_sink_%u`, `sink_%u`) are
 * sink and src, renamed.
 *
 * When no feedback comes for 0.8 s (feedback-timeout of the tuning), the target halves, and again
 * each 0.4 s, down to #GstRtpGccSender:min-bitrate. Before any feedback has come it waits 6.5 s.
 * Where receiver reports are all that comes it waits for three of their intervals, 7.5 s at most,
 * as the next may take three times as long as the last (RFC 3550 6.3.1).
 * A warning says so once where no RTCP came at all. A REMB or a report that a stranger forges
 * moves the target; only SRTCP keeps strangers out.
 *
 * The round-trip time comes from receiver reports. Where the SRs do not carry the system's time,
 * let the outgoing RTCP run through the request pad `send_rtcp_sink` too. GStreamer then warns of
 * a loop in the graph, which does no harm. It does not where that is done in rtpbin's
 * `request-rtcp-encoder`.
 *
 * ## Example launch line
 *
 * A call to oneself over a link of 800 kbit/s.  The messages say what limits the target.
 * |[
 * gst-launch-1.0 -m rtpbin name=s rtp-profile=avpf rtpbin name=r rtp-profile=avpf \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter ! rtph264pay \
 *   ! "application/x-rtp,\
 *   extmap-3=(string)http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time" \
 *   ! rtpgccsender name=cc ! s.send_rtp_sink_0 \
 *   s.send_rtp_src_0 ! linksim name=net scenario=constant:800k ! rtpgccreceiver name=est \
 *   ! r.recv_rtp_sink_0 r. ! rtph264depay ! avdec_h264 ! fakesink \
 *   s.send_rtcp_src_0 ! net.fwd_sink_0 net.fwd_src_0 ! r.recv_rtcp_sink_0 \
 *   r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5011 sync=false async=false \
 *   est.rtcp_src ! udpsink host=127.0.0.1 port=5011 sync=false async=false \
 *   udpsrc port=5011 ! cc.rtcp_sink cc.rtcp_src ! s.recv_rtcp_sink_0
 * ]|
 */
#include "core/gcc/sender.h"
#include "rtpcc/common/elements.h"
#include "rtpcc/common/session.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sender/sender.h"

#define GST_TYPE_RTP_GCC_SENDER (gst_rtp_gcc_sender_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpGccSender, gst_rtp_gcc_sender, GST, RTP_GCC_SENDER,
    GstRtpCcSender);

struct _GstRtpGccSender
{
  GstRtpCcSender parent;

  guint pt;                     /* object lock: as set */
};

enum
{
  PROP_PT = GST_RTP_CC_PROP_OWN,
};

G_DEFINE_TYPE (GstRtpGccSender, gst_rtp_gcc_sender, GST_TYPE_RTP_CC_SENDER);
GST_ELEMENT_REGISTER_DEFINE (rtpgccsender, "rtpgccsender", GST_RANK_NONE,
    GST_TYPE_RTP_GCC_SENDER);

static const RccController *
configure (GstRtpCcSender * self, const GstRtpCcSenderSettings * settings,
    gpointer config)
{
  *(RccGccConfig *) config = gst_rtp_cc_sender_settings_config (settings);
  return rcc_registry_find ("gcc");
}

static const gchar *
limited_by (GstRtpCcSender * self)
{
  return ((RccGccSender *) self->core)->limited_by;
}

static void
add_stats (GstRtpCcSender * self, GstStructure * stats, GstClockTime now)
{
  RccGccSender *gcc = (RccGccSender *) self->core;

  if (now != GST_CLOCK_TIME_NONE)
    gcc->sent_bps = rcc_window_bps (&gcc->sent, now);
  gst_rtp_cc_stats_add (stats, rcc_gcc_delay_fields, &gcc->delay);
  gst_structure_set (stats, "time-since-feedback", G_TYPE_UINT64,
      gcc->feedback.heard == RCC_NEVER || now == GST_CLOCK_TIME_NONE
      ? GST_CLOCK_TIME_NONE : now - gcc->feedback.heard, NULL);
}

static gboolean
set (GstRtpCcElement * element, guint id, const GValue * value)
{
  GstElement *payloader;

  if (id != PROP_PT)
    return FALSE;
  payloader =
      gst_rtp_cc_find_payloader (GST_RTP_CC_SEND_ELEMENT (element)->sinkpad);
  if (payloader)
    g_object_set_property (G_OBJECT (payloader), "pt", value);
  gst_clear_object (&payloader);
  GST_OBJECT_LOCK (element);
  ((GstRtpGccSender *) element)->pt = g_value_get_uint (value);
  GST_OBJECT_UNLOCK (element);
  return TRUE;
}

static gboolean
get (GstRtpCcElement * element, guint id, GValue * value)
{
  GstElement *payloader;

  if (id != PROP_PT)
    return FALSE;
  payloader =
      gst_rtp_cc_find_payloader (GST_RTP_CC_SEND_ELEMENT (element)->sinkpad);
  GST_OBJECT_LOCK (element);
  g_value_set_uint (value, ((GstRtpGccSender *) element)->pt);
  GST_OBJECT_UNLOCK (element);
  if (payloader)
    g_object_get_property (G_OBJECT (payloader), "pt", value);
  gst_clear_object (&payloader);
  return TRUE;
}

static void
gst_rtp_gcc_sender_init (GstRtpGccSender * self)
{
  self->pt = 96;
  gst_rtp_cc_sender_begin (&self->parent);
}

static void
gst_rtp_gcc_sender_class_init (GstRtpGccSenderClass * klass)
{
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);
  GstRtpCcSenderClass *sender = GST_RTP_CC_SENDER_CLASS (klass);

  base->settings = &gst_rtp_cc_sender_settings;
  base->stats_name = "application/x-rtp-gcc-sender-stats";
  base->set = set;
  base->get = get;
  sender->message = "GstRtpGccSender";
  sender->configure = configure;
  sender->limited_by = limited_by;
  sender->stats = add_stats;
  /**
   * GstRtpGccSender::reset:
   * @self: the element
   *
   * Starts the controller anew with the present settings, as after READY; what is
   * queued stays. For a path that has changed altogether.
   */
  gst_rtp_cc_sender_install (sender);
  /**
   * GstRtpGccSender:pt:
   *
   * That of the payloader upstream. With it the element can be gst-rtsp-server's `pay0`.
   */
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_PT,
      g_param_spec_uint ("pt", "Payload type",
          "RTP payload type of the payloader upstream, read "
          "and set there: as in gst-rtsp-server's pay0, which may be this element",
          0, 127, 96, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "RTP Google Congestion Control, sender", "Filter/Network/RTP",
      "Decides how fast an RTP session may send, and paces it",
      "The gst-rtpcc maintainers");
}
