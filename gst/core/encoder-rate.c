/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/encoderrate.h"

/* A frame of b bytes takes ceil (b / room) packets, on average b / room + 1/2 and
 * at least one.  With x = encoder's bit/s, f = frames/s and the headers of every
 * packet on top,
 *
 *   x + 8 overhead max (f, x / (8 room) + f / 2) = budget,
 *
 * of which the smaller solution is the valid one. */
static gdouble
without_headers (const GstRtpCcEncoderLimits * l, gdouble budget, gdouble f)
{
  gdouble room = (gdouble) l->mtu - l->packet_overhead;
  gdouble headers = 8. * l->packet_overhead;
  gdouble small, large;

  if (room < 1.)
    return 0.;
  small = budget - headers * f;
  large = (budget - headers * f / 2) / (1. + l->packet_overhead / room);
  return MAX (MIN (small, large), 0.);
}

guint
gst_rtp_cc_encoder_bitrate (const GstRtpCcEncoderLimits * limits,
    guint target_bps, guint fec_bps, gdouble frame_rate)
{
  gdouble budget = (gdouble) target_bps - fec_bps - limits->reserved_bps;
  guint bps = (guint) without_headers (limits, MAX (budget, 0.), frame_rate);

  return MAX (MIN (bps, limits->max_bps), limits->min_bps);
}

guint
gst_rtp_cc_encoder_target (const GstRtpCcEncoderLimits * l, guint bps,
    gdouble f)
{
  gdouble room = (gdouble) l->mtu - l->packet_overhead, packets;

  if (bps == G_MAXUINT || room < 1.)
    return G_MAXUINT;
  packets = MAX (f, bps / (8. * room) + f / 2);
  return (guint) MIN (bps + 8. * l->packet_overhead * packets +
      l->reserved_bps, (gdouble) G_MAXUINT);
}

GstRtpCcChange
gst_rtp_cc_encoder_change (guint current, guint wanted, GstClockTime since_last,
    GstClockTime interval)
{
  guint difference = current > wanted ? current - wanted : wanted - current;

  if (difference <= current / 100)
    return GST_RTP_CC_CHANGE_NONE;
  if (wanted < current && difference > current / 20)
    return GST_RTP_CC_CHANGE_NOW;
  return since_last >=
      interval ? GST_RTP_CC_CHANGE_NOW : GST_RTP_CC_CHANGE_LATER;
}

gboolean
gst_rtp_cc_frame_rate_add (GstRtpCcFrameRate * f, GstClockTime time)
{
  if (!GST_CLOCK_TIME_IS_VALID (time))
    return FALSE;
  if (!GST_CLOCK_TIME_IS_VALID (f->first) || time < f->first
      || time - f->first > 5 * GST_SECOND) {
    f->first = time;
    f->intervals = 0;
    return FALSE;
  }
  f->intervals++;
  if (time - f->first < GST_SECOND)
    return FALSE;
  f->rate = f->intervals * (gdouble) GST_SECOND / (gdouble) (time - f->first);
  f->first = time;
  f->intervals = 0;
  return TRUE;
}
