/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrareceiver/settings.h"

#define DEFAULT_INTERVAL (100 * GST_MSECOND)
#define DEFAULT_RTCP_FRACTION 0.05      /* RFC 3550 6.2 */
#define DEFAULT_MAX_DELAY (400 * GST_MSECOND)   /* the paper's d_max */

void
gst_rtp_cc_fbra_receiver_settings_init (GstRtpCcFbraReceiverSettings * s)
{
  *s = (GstRtpCcFbraReceiverSettings) {
    .feedback = {
      .avpf = {DEFAULT_INTERVAL, DEFAULT_RTCP_FRACTION, true},
      .max_delay = DEFAULT_MAX_DELAY,
      .receipt_times = TRUE,
  },.drop_late = TRUE,};
}

gboolean
gst_rtp_cc_fbra_receiver_settings_set (GstRtpCcFbraReceiverSettings * s,
    guint id, const GValue * value)
{
  switch (id) {
    case GST_RTP_CC_FBRA_RECEIVER_FEEDBACK_INTERVAL:
      s->feedback.avpf.interval = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_RTCP_FRACTION:
      s->feedback.avpf.share = g_value_get_double (value);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_EARLY:
      s->feedback.avpf.early = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_RECEIPT_TIMES:
      s->feedback.receipt_times = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_MAX_DELAY:
      s->feedback.max_delay = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_DROP_LATE:
      s->drop_late = g_value_get_boolean (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_rtp_cc_fbra_receiver_settings_get (const GstRtpCcFbraReceiverSettings * s,
    guint id, GValue * value)
{
  switch (id) {
    case GST_RTP_CC_FBRA_RECEIVER_FEEDBACK_INTERVAL:
      g_value_set_uint64 (value, s->feedback.avpf.interval);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_RTCP_FRACTION:
      g_value_set_double (value, s->feedback.avpf.share);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_EARLY:
      g_value_set_boolean (value, s->feedback.avpf.early);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_RECEIPT_TIMES:
      g_value_set_boolean (value, s->feedback.receipt_times);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_MAX_DELAY:
      g_value_set_uint64 (value, s->feedback.max_delay);
      break;
    case GST_RTP_CC_FBRA_RECEIVER_DROP_LATE:
      g_value_set_boolean (value, s->drop_late);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)

static void
install_feedback_properties (GObjectClass * klass)
{
  /**
   * GstRtpFbraReceiver:feedback-interval:
   *
   * Least time in ns between regular reports; two round trips, once that time is known
   * (recv_rtcp_sink), where they take longer.
   */
  g_object_class_install_property (klass,
      GST_RTP_CC_FBRA_RECEIVER_FEEDBACK_INTERVAL,
      g_param_spec_uint64 ("feedback-interval", "Feedback interval",
          "Least time in ns between regular reports (more where two round "
          "trips take longer)", GST_MSECOND, 60 * GST_SECOND, DEFAULT_INTERVAL,
          SETTING));
  /**
   * GstRtpFbraReceiver:rtcp-fraction:
   *
   * Share of the bandwidth received that reports may take (RFC 3550 6.2).
   */
  g_object_class_install_property (klass,
      GST_RTP_CC_FBRA_RECEIVER_RTCP_FRACTION,
      g_param_spec_double ("rtcp-fraction", "RTCP fraction",
          "Share of the bandwidth received that reports may take", 0.001, 1.0,
          DEFAULT_RTCP_FRACTION, SETTING));
  /**
   * GstRtpFbraReceiver:early:
   *
   * Report the first loss or late packet after a regular report at once (RFC 4585 3.5.2).
   */
  g_object_class_install_property (klass, GST_RTP_CC_FBRA_RECEIVER_EARLY,
      g_param_spec_boolean ("early", "Early reports",
          "Report the first loss or late packet after a regular report at once",
          TRUE, SETTING));
  /**
   * GstRtpFbraReceiver:receipt-times:
   *
   * Report when each packet came (RFC 3611 4.3), four bytes each, where the caps say the
   * clock-rate.
   */
  g_object_class_install_property (klass,
      GST_RTP_CC_FBRA_RECEIVER_RECEIPT_TIMES,
      g_param_spec_boolean ("receipt-times", "Receipt times",
          "Report when each packet came", TRUE, SETTING));
}

static void
install_late_properties (GObjectClass * klass)
{
  /**
   * GstRtpFbraReceiver:max-delay:
   *
   * ns that a packet may be under way; one that takes longer is late, and reported as
   * discarded.
   */
  g_object_class_install_property (klass, GST_RTP_CC_FBRA_RECEIVER_MAX_DELAY,
      g_param_spec_uint64 ("max-delay", "Maximum delay",
          "Time in ns that a packet may be under way before it is late",
          GST_MSECOND, 10 * GST_SECOND, DEFAULT_MAX_DELAY, SETTING));
  /**
   * GstRtpFbraReceiver:drop-late:
   *
   * Drop late packets, parity and retransmissions like any others; FALSE: only report them.
   */
  g_object_class_install_property (klass, GST_RTP_CC_FBRA_RECEIVER_DROP_LATE,
      g_param_spec_boolean ("drop-late", "Drop late packets",
          "Drop late packets, parity too; else only report them", TRUE,
          SETTING));
}

void
gst_rtp_cc_fbra_receiver_settings_install (GObjectClass * klass)
{
  install_feedback_properties (klass);
  install_late_properties (klass);
}
