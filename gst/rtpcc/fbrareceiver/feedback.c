/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrareceiver/feedback.h"

#include "rtpcc/common/utils.h"

/* algorithms.md 4.1: reports come at 2 RTT; beyond that it is an outage, not a path. */
#define INTERVAL_RTTS 2
#define INTERVAL_MAX (5 * GST_SECOND)

/* A timer that is so late does not come: a GstClock need not have any. */
#define NO_TIMER RCC_SEC

static const RccField fields[] = {
  RCC_FIELD (GstRtpCcFbraFeedback, packets, "packets-received", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, bytes, "bytes-received", RCC_U64, "B"),
  RCC_FIELD (GstRtpCcFbraFeedback, late, "packets-late", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, discard_filter.delay, "delay", RCC_TIME, "ns"),
  RCC_FIELD (GstRtpCcFbraFeedback, discard_filter.restarts, "delay-restarts", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, avpf.config.interval, "feedback-interval", RCC_TIME, "ns"),
  RCC_FIELD (GstRtpCcFbraFeedback, avpf.regular, "feedback-regular", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, avpf.early, "feedback-early", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, avpf.appended, "feedback-appended", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, refused, "feedback-refused", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (GstRtpCcFbraFeedback, truncated, "rtcp-truncated", RCC_U64, "B"),
  RCC_FIELDS_END
};

static RccTime
deadline (const RccSender * s)
{
  const GstRtpCcFbraFeedback *f = (const GstRtpCcFbraFeedback *) s;

  if (f->due)
    return RCC_NEVER;
  return f->expects ? MIN (f->avpf.tn, rcc_avpf_deadline (&f->avpf))
      : rcc_avpf_deadline (&f->avpf);
}

/* Sets `due` where a report may be sent. */
static void
check (GstRtpCcFbraFeedback * f, RccTime now)
{
  f->due |= now >= rcc_avpf_deadline (&f->avpf) && rcc_avpf_due (&f->avpf, now);
}

static RccUpdate
on_deadline (RccSender * s, RccTime now)
{
  GstRtpCcFbraFeedback *f = (GstRtpCcFbraFeedback *) s;

  f->expects = FALSE;
  check (f, now);
  if (!f->due)
    return rcc_nothing ();
  return (RccUpdate) {
  .changed = RCC_TARGET,.reason = "feedback is due"};
}

static const RccSenderOps ops = {
  .name = "fbra-receiver",
  .on_deadline = on_deadline,
  .deadline = deadline,
};

void
gst_rtp_cc_fbra_feedback_clear (GstRtpCcFbraFeedback * f, GstElement * element)
{
  gst_rtp_cc_arrival_init (&f->arrival, element);
  f->reporter.source.adopted = false;
  f->reporter.clock_rate = 0;
  f->clock.abs_id = 0;
}

static void
set_interval (GstRtpCcFbraFeedback * f)
{
  const RccTime rtt = rcc_discard_filter_rtt_min (&f->discard_filter);

  f->avpf.config = f->config.avpf;
  if (rtt != RCC_NEVER)
    f->avpf.config.interval = MAX (f->config.avpf.interval,
        MIN (INTERVAL_RTTS * rtt, INTERVAL_MAX));
}

void
gst_rtp_cc_fbra_feedback_free (GstRtpCcFbraFeedback * f)
{
  rcc_xr_reporter_clear (&f->reporter);
  g_free (f);
}

void
gst_rtp_cc_fbra_feedback_init (GstRtpCcFbraFeedback * f,
    const GstRtpCcFbraFeedbackConfig * config)
{
  RccRtcpSource source = f->reporter.source;
  const guint32 clock_rate = f->reporter.clock_rate;

  if (!source.adopted)
    gst_rtp_cc_name_source (&source);
  f->sender.ops = &ops;
  rcc_xr_reporter_clear (&f->reporter);
  rcc_xr_reporter_init (&f->reporter, source.ssrc, g_realloc);
  f->reporter.source = source;
  f->reporter.clock_rate = clock_rate;
  rcc_avpf_init (&f->avpf, &config->avpf);
  rcc_send_clock_init (&f->clock, f->clock.abs_id);
  rcc_discard_filter_init (&f->discard_filter);
  gst_rtp_cc_arrival_restart (&f->arrival);
  f->due = f->expects = FALSE;
  f->packets = f->bytes = f->late = 0;
  f->malformed = f->truncated = f->refused = 0;
  gst_rtp_cc_fbra_feedback_adjust (f, config);
}

void
gst_rtp_cc_fbra_feedback_adjust (GstRtpCcFbraFeedback * f,
    const GstRtpCcFbraFeedbackConfig * config)
{
  f->config = *config;
  f->reporter.times = config->receipt_times;
  set_interval (f);
}

void
gst_rtp_cc_fbra_feedback_caps (GstRtpCcFbraFeedback * f, const GstCaps * caps)
{
  const guint8 id = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);
  const guint32 rate = gst_rtp_cc_clock_rate (caps);

  if (f->reporter.clock_rate != rate)
    rcc_discard_filter_restart (&f->discard_filter);
  f->reporter.clock_rate = rate;
  /* Another number for the same clock does not disturb it. */
  if ((id == 0) != (f->clock.abs_id == 0))
    rcc_send_clock_init (&f->clock, id);
  f->clock.abs_id = id;
}

static RccTime
send_time (GstRtpCcFbraFeedback * f, const RccRtp * rtp, RccTime arrived)
{
  const RccSendTimeSource source = f->clock.source;
  const guint32 ssrc = f->clock.ssrc;
  const RccTime sent = rcc_send_clock_time (&f->clock, rtp,
      f->reporter.clock_rate, arrived);

  if (f->clock.source != source || f->clock.ssrc != ssrc)
    rcc_discard_filter_restart (&f->discard_filter);
  return sent;
}

static gboolean
take (GstRtpCcFbraFeedback * f, const RccRtp * rtp, guint size, RccTime arrived,
    RccTime now)
{
  const gboolean late =
      rcc_discard_filter_packet (&f->discard_filter, send_time (f, rtp,
          arrived), arrived, f->config.max_delay);
  const gboolean urgent = rcc_xr_reporter_packet (&f->reporter, rtp, late,
      arrived);

  f->packets++;
  f->bytes += size;
  f->late += late;
  rcc_avpf_packet (&f->avpf, size, now);
  if (urgent)
    rcc_avpf_event (&f->avpf, now);
  return late;
}

gboolean
gst_rtp_cc_fbra_feedback_rtp (GstRtpCcFbraFeedback * f, GstBuffer * buffer,
    RccTime now)
{
  GstRtpCcPacket packet;
  gboolean late = FALSE;

  if (!gst_rtp_cc_packet_map (buffer, &packet)) {
    f->malformed++;
    return FALSE;
  }
  if (!rcc_rtp_is_rtcp (&packet.rtp))
    late = take (f, &packet.rtp, (guint) gst_buffer_get_size (buffer),
        gst_rtp_cc_arrival_time (&f->arrival, buffer, now), now);
  gst_rtp_cc_packet_unmap (&packet);
  return late;
}

void
gst_rtp_cc_fbra_feedback_received (GstRtpCcFbraFeedback * f, RccTime now)
{
  if (f->avpf.urgent || (now >= NO_TIMER
          && now - NO_TIMER >= rcc_avpf_deadline (&f->avpf)))
    check (f, now);
}

void
gst_rtp_cc_fbra_feedback_rtcp (GstRtpCcFbraFeedback * f, RccBytes compound,
    RccTime now)
{
  if (!rcc_xr_reporter_rtcp (&f->reporter, compound, now))
    return;
  rcc_discard_filter_rtt (&f->discard_filter, f->reporter.rtt.last, now);
  set_interval (f);
}

static void
reported (GstRtpCcFbraFeedback * f, gsize size, gboolean appended, RccTime now)
{
  rcc_avpf_sent (&f->avpf, (guint32) size, appended, now);
  f->expects = TRUE;
  if (rcc_xr_reporter_pending (&f->reporter))
    rcc_avpf_more (&f->avpf, now);
}

static gsize
append (RccSender * s, RccBytes compound, RccTime now, guint8 * out, gsize size)
{
  GstRtpCcFbraFeedback *f = (GstRtpCcFbraFeedback *) s;
  gsize n;

  rcc_xr_reporter_rtcp_passed (&f->reporter, compound, now);
  if (!rcc_rtcp_may_append (compound, &f->truncated)
      || !rcc_avpf_may_append (&f->avpf, now))
    return 0;
  n = rcc_xr_reporter_packet_of (&f->reporter, now,
      rcc_avpf_budget (&f->avpf), out, size);
  if (n > 0)
    reported (f, n, TRUE, now);
  return n;
}

static gsize
compose (RccSender * s, RccTime now, guint8 * out, gsize size)
{
  GstRtpCcFbraFeedback *f = (GstRtpCcFbraFeedback *) s;
  gsize n;

  f->due = FALSE;
  if (!rcc_avpf_due (&f->avpf, now))
    return 0;
  n = rcc_xr_reporter_compound (&f->reporter, now,
      rcc_avpf_budget (&f->avpf), out, size);
  if (n > 0)
    reported (f, n, FALSE, now);
  else
    rcc_avpf_nothing (&f->avpf, now);
  return n;
}

static void
refused (RccSender * s)
{
  ((GstRtpCcFbraFeedback *) s)->refused++;
}

const GstRtpCcRtcpPathFuncs gst_rtp_cc_fbra_feedback_funcs = {
  append, compose, refused
};

void
gst_rtp_cc_fbra_feedback_stats (GstRtpCcFbraFeedback * f, GstStructure * stats)
{
  gst_rtp_cc_stats_add (stats, fields, f);
  gst_rtp_cc_stats_add (stats, rcc_xr_reporter_fields, &f->reporter);
  gst_structure_set (stats,
      "rtt", G_TYPE_UINT64, rcc_discard_filter_rtt_min (&f->discard_filter),
      "send-time", G_TYPE_STRING, rcc_send_time_name (f->clock.source), NULL);
}
