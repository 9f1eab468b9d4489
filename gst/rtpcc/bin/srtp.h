/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * SRTP and SRTCP (RFC 3711) of a call by URI, with one key that both ends were given:
 * AES_CM_128_HMAC_SHA1_80, by srtpenc and srtpdec of gst-plugins-bad.
 */
#ifndef GST_RTP_CC_BIN_SRTP_H
#define GST_RTP_CC_BIN_SRTP_H

#include <gst/gst.h>

typedef struct
{
  GstElement *enc, *dec;        /* children of the bin; NULL: none was needed yet */
  GstBuffer *key;               /* NULL: nothing is encrypted */
  gchar *text;                  /* the key as it was given; NULL: none */
  gulong copies;                /* the probe that keeps copies back */
  guint arrived;                   /* bits: an RTP packet, an RTCP one; these three atomic */
  gint read, said;              /* whether one could be read; that none can be was said */
} GstRtpCcBinSrtp;

/* @text: 30 bytes in base64, as the key of RFC 4568 section 9.2 is; NULL or "": none. */
void gst_rtp_cc_bin_srtp_set_key (GstRtpCcBinSrtp *s, const gchar *text);
void gst_rtp_cc_bin_srtp_clear (GstRtpCcBinSrtp *s);

/* Before READY: decodes the key and has the elements in @bin.  FALSE: @error says what to do. */
gboolean gst_rtp_cc_bin_srtp_prepare (GstRtpCcBinSrtp *s, GstBin *bin, GError **error);

/* Links @from, an element's pad, to @to through the encoder (@kind "rtp" or "rtcp") or the
 * decoder, or directly where there is no key.  Both may be linked already. */
void gst_rtp_cc_bin_srtp_send (GstRtpCcBinSrtp *s, const gchar *kind, GstElement *from,
    const gchar *from_pad, GstElement *to, const gchar *to_pad);
void gst_rtp_cc_bin_srtp_receive (GstRtpCcBinSrtp *s, const gchar *kind, GstElement *from,
    const gchar *from_pad, GstElement *to, const gchar *to_pad);

/* A packet of RTCP (else RTP) came from the network to @element, which warns once where it
 * cannot be read: of another key, or of one where none is set. */
void gst_rtp_cc_bin_srtp_heard (GstRtpCcBinSrtp *s, GstElement *element, GstBuffer *packet,
    gboolean rtcp);

#endif
