/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/encoders.h - which encoder stands upstream, and how it is told a bitrate
 */
#ifndef GST_RTP_CC_ENCODERS_H
#define GST_RTP_CC_ENCODERS_H

#include <gst/gst.h>

#include "rtpcc/adapter/encoderfile.h"

/* By the file that the environment variable GST_RTP_CC_ENCODERS names (encoderfile.h), which is
 * read once, then by the table.  NULL: in neither. */
const GstRtpCcEncoder *gst_rtp_cc_encoder_lookup (GstElement *element);

/* The encoder that feeds @sinkpad: the first element upstream that is in the table or calls
 * itself an encoder. The search goes through any number of elements with one sink pad, and into
 * or out of bins. NULL: there is none. */
GstElement *gst_rtp_cc_encoder_find (GstPad *sinkpad);

/* The SSRC of the payloader that @sinkpad's element feeds: the first one downstream. The search
 * goes through any number of elements with one source pad, and into or out of bins. FALSE: there
 * is none, or it has not said yet. */
gboolean gst_rtp_cc_payloader_ssrc (GstPad *sinkpad, guint *ssrc);

/* @property (or PROPERTY.FIELD) in bit/s; 0 when @element has no such readable number. */
guint gst_rtp_cc_encoder_get (GstElement *element, const gchar *property,
    guint unit);

/* Sets @property to @bps in @unit, rounded down and clamped to the property's
 * range; @actual: what that is in bit/s.  FALSE when @element has no such
 * writable number. */
gboolean gst_rtp_cc_encoder_set (GstElement *element, const gchar *property,
    guint unit, guint bps, guint *actual);

/* The VBV of an encoder that is @known, for @bps: @ms, but with room for a frame. 0: as it is. */
void gst_rtp_cc_encoder_set_vbv (GstElement *encoder, const GstRtpCcEncoder *known, guint ms,
    guint bps);

#endif
