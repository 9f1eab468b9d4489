/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/encoderrate.h - from a target on the wire to an encoder's bitrate
 *
 * Arithmetic only: no clock, no lock, no object.
 */
#ifndef GST_RTP_CC_ENCODER_RATE_H
#define GST_RTP_CC_ENCODER_RATE_H

#include <gst/gst.h>

typedef struct {
  guint min_bps, max_bps;               /* of the encoder; min wins */
  guint reserved_bps;                   /* other streams' part of the target */
  guint packet_overhead;                /* bytes of headers per packet */
  guint mtu;                            /* bytes of a full packet, headers included */
} GstRtpCcEncoderLimits;

/* What the encoder may produce so that media, repair, headers and the reserved
 * part fit @target_bps.  @frame_rate: encoded frames per second, each of which
 * begins a packet; 0: not known, then every packet is taken as full. */
guint gst_rtp_cc_encoder_bitrate (const GstRtpCcEncoderLimits *limits,
    guint target_bps, guint fec_bps, gdouble frame_rate);

/* The reverse: the target, without repair, of which the encoder can produce @bps.  G_MAXUINT
 * stays as it is. */
guint gst_rtp_cc_encoder_target (const GstRtpCcEncoderLimits *limits, guint bps,
    gdouble frame_rate);

typedef enum {
  GST_RTP_CC_CHANGE_NONE,               /* not worth it: within 1 % */
  GST_RTP_CC_CHANGE_LATER,              /* when the interval is over */
  GST_RTP_CC_CHANGE_NOW,
} GstRtpCcChange;

/* Whether an encoder that was set to @current @since_last ns ago should be set to
 * @wanted.  Down by more than 5 % goes at once, all else once per @interval. */
GstRtpCcChange gst_rtp_cc_encoder_change (guint current, guint wanted,
    GstClockTime since_last, GstClockTime interval);

/* Frames per second of stream time, renewed every second. */
typedef struct {
  GstClockTime first;                   /* GST_CLOCK_TIME_NONE: none yet */
  guint intervals;                      /* since first */
  gdouble rate;                         /* 0: not known */
} GstRtpCcFrameRate;

#define GST_RTP_CC_FRAME_RATE_INIT { GST_CLOCK_TIME_NONE, 0, 0. }

/* TRUE when the rate was renewed. Times that are missing count for nothing. Time that goes back
 * or leaps by 5 s begins anew with the old rate. */
gboolean gst_rtp_cc_frame_rate_add (GstRtpCcFrameRate *f, GstClockTime time);

#endif
