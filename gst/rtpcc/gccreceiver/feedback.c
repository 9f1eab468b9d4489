/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gccreceiver/feedback.h"

#include "rtpcc/common/utils.h"

#define UDP_IP 28

static const RccField fields[] = {
  RCC_FIELD (GstRtpCcFeedback, send_time, "send-time", RCC_STRING, ""),
  RCC_FIELD (GstRtpCcFeedback, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFeedback, truncated, "rtcp-truncated", RCC_U64, "B"),
  RCC_FIELD (GstRtpCcFeedback, appended, "feedback-appended", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFeedback, composed, "feedback-composed", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFeedback, refused, "feedback-refused", RCC_U64, ""),
  RCC_FIELDS_END
};

static RccTime
deadline (const RccSender * s)
{
  const GstRtpCcFeedback *f = (const GstRtpCcFeedback *) s;

  return f->due || (f->yields
      && f->transport_wide) ? RCC_NEVER : rcc_gcc_receiver_deadline (&f->gcc);
}

RccUpdate
gst_rtp_cc_feedback_update (const GstRtpCcFeedback * f, const char *reason)
{
  return (RccUpdate) {
  .changed = RCC_TARGET,.target_bps =
        gst_rtp_cc_feedback_bitrate (f),.reason = reason};
}

static RccUpdate
on_deadline (RccSender * s, RccTime now)
{
  GstRtpCcFeedback *f = (GstRtpCcFeedback *) s;

  f->due = TRUE;
  return gst_rtp_cc_feedback_update (f, "feedback is due");
}

static const RccSenderOps ops = {
  .name = "gcc-receiver",
  .on_deadline = on_deadline,
  .deadline = deadline,
};

void
gst_rtp_cc_feedback_clear (GstRtpCcFeedback * f, GstElement * element)
{
  gst_rtp_cc_arrival_init (&f->arrival, element);
  f->reporter.source.adopted = false;
  f->clock.abs_id = 0;
  f->clock_rate = 0;
  f->transport_wide = FALSE;
  rcc_sendtime_finder_init (&f->finder, &rcc_sendtime_received);
}

static void
init_reporter (RccReporter * r, RccFeedbackFormat format)
{
  RccRtcpSource source = r->source;

  if (!source.adopted)
    gst_rtp_cc_name_source (&source);
  rcc_reporter_clear (r);
  rcc_reporter_init (r, format, source.ssrc, g_realloc);
  r->source = source;
}

void
gst_rtp_cc_feedback_free (GstRtpCcFeedback * f)
{
  rcc_reporter_clear (&f->reporter);
  g_free (f);
}

void
gst_rtp_cc_feedback_init (GstRtpCcFeedback * f,
    const GstRtpCcFeedbackConfig * config)
{
  RccGccConfig gcc = config->gcc;

  f->sender.ops = &ops;
  gcc.arrivals = config->format == RCC_FEEDBACK_CCFB;
  rcc_gcc_receiver_init (&f->gcc, &gcc, &config->limits);
  f->gcc.rtcp_share = config->rtcp_share;
  f->yields = config->yields;
  init_reporter (&f->reporter, config->format);
  rcc_send_clock_init (&f->clock, f->clock.abs_id);
  gst_rtp_cc_arrival_restart (&f->arrival);
  f->due = f->decreasing = f->turned = FALSE;
  f->malformed = f->truncated = f->appended = f->composed = f->refused = 0;
}

void
gst_rtp_cc_feedback_adjust (GstRtpCcFeedback * f,
    const GstRtpCcFeedbackConfig * config)
{
  rcc_gcc_receiver_limits (&f->gcc, &config->limits);
  f->gcc.rtcp_share = config->rtcp_share;
  f->gcc.config.feedback_interval = config->gcc.feedback_interval;
}

void
gst_rtp_cc_feedback_caps (GstRtpCcFeedback * f, const GstCaps * caps)
{
  const guint8 id = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);

  f->clock_rate = gst_rtp_cc_clock_rate (caps);
  f->transport_wide = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI) != 0;
  /* Another number for the same clock does not disturb it. */
  if ((id == 0) != (f->clock.abs_id == 0) || (f->finder.id
          && f->finder.id != id))
    rcc_send_clock_init (&f->clock, id);
  f->clock.abs_id = id;
  rcc_sendtime_finder_init (&f->finder, &rcc_sendtime_received);
}

/* Where caps name no abs-send-time: the id comes from the packets, and goes when they cease to
 * bear it out. */
static void
find_send_time (GstRtpCcFeedback * f, const RccRtp * rtp, RccTime arrived)
{
  const guint8 before = f->finder.id;
  RccBytes value;

  if (G_LIKELY (rtp->ext_profile == 0 || (f->clock.abs_id && before == 0)))
    return;
  if (before == 0)
    rcc_sendtime_finder_packet (&f->finder, rtp, arrived);
  else if (rcc_rtp_ext (rtp, before, &value)
      && value.size == RCC_ABS_SEND_TIME_SIZE)
    rcc_sendtime_finder_fits (&f->finder, value, arrived);
  if (f->finder.id != before)
    rcc_send_clock_init (&f->clock, f->finder.id);
}

static void
note_state (GstRtpCcFeedback * f)
{
  const gboolean decreasing = f->gcc.delay.aimd.state == RCC_AIMD_DECREASE;

  f->turned |= decreasing != f->decreasing;
  f->decreasing = decreasing;
}

void
gst_rtp_cc_feedback_rtp (GstRtpCcFeedback * f, GstBuffer * buffer, RccTime now)
{
  GstRtpCcPacket packet;
  RccTime send, arrived;

  if (!gst_rtp_cc_packet_map (buffer, &packet)) {
    f->malformed++;
    return;
  }
  if (!rcc_rtp_is_rtcp (&packet.rtp)) {
    arrived = gst_rtp_cc_arrival_time (&f->arrival, buffer, now);
    find_send_time (f, &packet.rtp, arrived);
    send = rcc_send_clock_time (&f->clock, &packet.rtp, f->clock_rate, arrived);
    rcc_reporter_packet (&f->reporter, &packet.rtp, RCC_ECN_NOT_ECT, arrived);
    rcc_gcc_receiver_missing (&f->gcc, f->reporter.missing);
    rcc_gcc_receiver_packet (&f->gcc, send, arrived,
        (guint32) gst_buffer_get_size (buffer));
    note_state (f);
  }
  gst_rtp_cc_packet_unmap (&packet);
}

static gsize
append (RccSender * s, RccBytes compound, RccTime now, guint8 * out, gsize size)
{
  GstRtpCcFeedback *f = (GstRtpCcFeedback *) s;
  gsize n;

  rcc_rtcp_source_rtcp_passed (&f->reporter.source, compound);
  if (!rcc_rtcp_may_append (compound, &f->truncated)
      || (f->yields && f->transport_wide)
      || rcc_gcc_receiver_deadline (&f->gcc) == RCC_NEVER
      || now < f->gcc.allowed)
    return 0;
  f->reporter.repeat = rcc_gcc_receiver_repeat (&f->gcc, now);
  n = rcc_reporter_packet_of (&f->reporter, f->gcc.bps, now, out, size);
  if (n > 0) {
    rcc_gcc_receiver_reported (&f->gcc, (guint32) n,
        rcc_reporter_pending (&f->reporter), now);
    f->appended++;
  }
  return n;
}

static gsize
compose (RccSender * s, RccTime now, guint8 * out, gsize size)
{
  GstRtpCcFeedback *f = (GstRtpCcFeedback *) s;
  gsize n;

  f->due = FALSE;
  if (rcc_gcc_receiver_deadline (&f->gcc) > now)
    return 0;
  f->reporter.repeat = rcc_gcc_receiver_repeat (&f->gcc, now);
  n = rcc_reporter_compound (&f->reporter, f->gcc.bps, now, out, size);
  rcc_gcc_receiver_reported (&f->gcc, (guint32) (n + UDP_IP),
      n > 0 && rcc_reporter_pending (&f->reporter), now);
  f->composed += n > 0;
  return n;
}

static void
refused (RccSender * s)
{
  ((GstRtpCcFeedback *) s)->refused++;
}

const GstRtpCcRtcpPathFuncs gst_rtp_cc_feedback_funcs = {
  append, compose, refused
};

gboolean
gst_rtp_cc_feedback_is_blind (const GstRtpCcFeedback * f)
{
  return f->clock.source == RCC_SEND_TIME_NONE && !f->gcc.config.arrivals
      && f->gcc.packets >= 100 && f->gcc.heard >= f->gcc.first + 3 * GST_SECOND;
}

guint
gst_rtp_cc_feedback_bitrate (const GstRtpCcFeedback * f)
{
  return f->gcc.valid && f->gcc.packets > 0 ? f->gcc.bps : 0;
}

void
gst_rtp_cc_feedback_stats (GstRtpCcFeedback * f, GstStructure * stats)
{
  f->send_time = rcc_send_time_name (f->clock.source);
  gst_rtp_cc_stats_add (stats, rcc_gcc_receiver_fields, &f->gcc);
  gst_rtp_cc_stats_add (stats, rcc_gcc_delay_fields, &f->gcc.delay);
  gst_rtp_cc_stats_add (stats, fields, f);
  gst_structure_set (stats, "estimated-bitrate", G_TYPE_UINT,
      gst_rtp_cc_feedback_bitrate (f), NULL);
}
