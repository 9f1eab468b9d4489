/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccfbra.h - FBRA, its baseline C-NADU-like, or FBRA's probe for another
 * controller, with the RTCP that it hears, behind the driver's lock
 *
 * It looks like an RccSender to the driver and to rcc_feedback_rtcp(), and hands on to
 * the core that is in use.  Every function is called with the core locked: from a
 * GstRtpCcDriverCall, from GstRtpCcDriverFuncs.init, or between gst_rtp_cc_driver_lock()
 * and _unlock().
 */
#ifndef GST_RTP_CC_FBRA_H
#define GST_RTP_CC_FBRA_H

#include "core/cnadu.h"
#include "core/fbra-probe.h"
#include "core/fbra.h"
#include "rtpcc/gstrtpccfbrasettings.h"
#include "wire/feedback.h"

G_BEGIN_DECLS

typedef struct {
  RccSender sender;             /* first: what the driver drives */
  RccSender *core;              /* the one of these three that is in use */
  RccFbra fbra;
  RccCnadu cnadu;
  RccFbraProbe probe;
  RccFbraState moved;           /* what cnadu's last report led to: it has no states */
  RccFeedback feedback;
} GstRtpCcFbra;

typedef struct {                /* what the core says */
  gboolean known;               /* FALSE: it waits for a controller's first target */
  RccFbraState state;
  const char *why;              /* static */
  guint target_bps, fec_bps;    /* media and parity together; parity */
  guint fec_interval;           /* 0: no parity */
  GstClockTime rtt;             /* GST_CLOCK_TIME_NONE: not known */
} GstRtpCcFbraView;

void gst_rtp_cc_fbra_init (GstRtpCcFbra *f, const GstRtpCcFbraSettings *settings);
GstRtpCcFbraView gst_rtp_cc_fbra_view (const GstRtpCcFbra *f);

/* Its fec_interval alone. */
static inline guint
gst_rtp_cc_fbra_interval (const GstRtpCcFbra *f)
{
  if (f->core == &f->cnadu.sender)
    return 0;
  return f->core == &f->probe.sender ? f->probe.fec_interval : f->fbra.fec_interval;
}

/* A packet left; @twcc: its transport-wide number, -1: not known. */
RccUpdate gst_rtp_cc_fbra_sent (GstRtpCcFbra *f, const RccRtp *rtp, gint twcc,
    guint32 size, gboolean parity, RccTime now);
/* The controller downstream has a new target; nothing happens unless it is probed for. */
RccUpdate gst_rtp_cc_fbra_target (GstRtpCcFbra *f, guint bps, RccTime now);
/* Transport-wide feedback came by another way than RTCP. */
RccUpdate gst_rtp_cc_fbra_arrivals (GstRtpCcFbra *f, const RccPacket *packets, gsize n,
    RccTime now);
/* A compound came in. */
RccUpdate gst_rtp_cc_fbra_rtcp (GstRtpCcFbra *f, RccBytes compound, guint32 wall,
    RccTime now);

void gst_rtp_cc_fbra_stats (const GstRtpCcFbra *f, GstStructure *stats);

G_END_DECLS

#endif
