/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrafec/fbra.h - FBRA, its baseline C-NADU-like, or FBRA's probe for another
 * controller, with the RTCP that it hears, behind the driver's lock
 *
 * The core that is in use is the send path's controller; one of its hooks is ours.  Every
 * function but _hear() is called with the core locked: behind gst_rtp_cc_driver_enter(), from
 * GstRtpCcDriverFuncs.init, or between gst_rtp_cc_driver_lock() and _unlock().
 */
#ifndef GST_RTP_CC_FBRA_H
#define GST_RTP_CC_FBRA_H

#include "core/fbra/cnadu.h"
#include "core/fbra/probe.h"
#include "core/fbra/fbra.h"
#include "core/fbra/protection.h"
#include "rtpcc/fbrafec/settings.h"
#include "rtpcc/sendpath/sendpath.h"

typedef enum {
  GST_RTP_CC_FBRA_SELF, GST_RTP_CC_FBRA_CNADU, GST_RTP_CC_FBRA_PROBE
} GstRtpCcFbraKind;

typedef struct {
  union {                       /* first: what the send path tells */
    RccSender core;             /* first in each */
    RccFbra fbra;
    RccCnadu cnadu;
    RccFbraProbe probe;
  };
  GstRtpCcFbraKind kind;        /* which one of these is there */
  const RccSenderOps *own;      /* the core's hooks */
  RccSenderOps ops;             /* the same, but for on_feedback */
  RccProtection protection;     /* the parity outside probes; may change at any time */
  RccTime probing;              /* since when; RCC_NEVER: no parity of the core's own leaves */
  GstRtpCcSend *send;           /* the element's */
} GstRtpCcFbra;

typedef struct {                /* what the core says */
  gboolean known;               /* FALSE: it waits for a controller's first target */
  RccFbraState state;
  const char *reason;           /* static */
  guint target_bps, fec_bps;    /* media and parity together; parity, whatever it is for */
  guint fec_interval;           /* 0: no parity */
  GstClockTime rtt;             /* GST_CLOCK_TIME_NONE: not known */
} GstRtpCcFbraView;

void gst_rtp_cc_fbra_init (GstRtpCcFbra *f, const GstRtpCcFbraSettings *settings);
GstRtpCcFbraView gst_rtp_cc_fbra_view (const GstRtpCcFbra *f);

/* The send path has parity as the core wants it, which its config is not. */
void gst_rtp_cc_fbra_adjust (const GstRtpCcFbra *f);
/* RCC_PACKET_PARITY where parity that left at @sent is the core's own; @leaves: now. */
guint32 gst_rtp_cc_fbra_mark (GstRtpCcFbra *f, RccTime sent, gboolean leaves);
/* Not locked.  An event from downstream: a controller's target, which is of no interest
 * unless it is probed for. */
void gst_rtp_cc_fbra_hear (GstRtpCcFbra *f, GstEvent *event);

/* Of the core and the send path, but "fec-bitrate" and "fec-interval" are the view's. */
void gst_rtp_cc_fbra_stats (const GstRtpCcFbra *f, GstStructure *stats);

#endif
