/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrafec/parity.h - rtpfbrafec's parity: how the settings want it, and its own stream
 */
#ifndef GST_RTP_CC_FBRA_PARITY_H
#define GST_RTP_CC_FBRA_PARITY_H

#include "rtpcc/fbrafec/settings.h"
#include "rtpcc/sendpath/fecpad.h"
#include "rtpcc/sendpath/sendpath.h"

typedef struct {
  GstElement *element;
  GstRtpCcSend *send;
  GstRtpCcDriver *driver;
  GstRtpCcFecPad pad;
  RccSendParity *parity;        /* driver's lock */
  guint32 ssrc;                 /* of its own stream, where the settings name none */
} GstRtpCcFbraParity;

void gst_rtp_cc_fbra_parity_init (GstRtpCcFbraParity *p, GstElement *element,
    GstRtpCcSend *send, GstRtpCcDriver *driver, guint8 pt);
/* The send path is gone. */
void gst_rtp_cc_fbra_parity_clear (GstRtpCcFbraParity *p);

/* With the core locked: a new life, for which these @settings count. */
void gst_rtp_cc_fbra_parity_begin (GstRtpCcFbraParity *p,
    const GstRtpCcFbraSettings *settings);
/* Posts a warning where media with @caps has the payload type of parity. */
void gst_rtp_cc_fbra_parity_check (GstRtpCcFbraParity *p, const GstCaps *caps);

/* Parity is a stream of its own while the pad is there. */
GstPad *gst_rtp_cc_fbra_parity_request (GstRtpCcFbraParity *p, GstPadTemplate *templ);
void gst_rtp_cc_fbra_parity_release (GstRtpCcFbraParity *p, GstPad *pad);

#endif
