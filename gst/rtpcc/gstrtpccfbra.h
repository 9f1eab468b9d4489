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
#include "core/protection.h"
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
  RccProtection protection;     /* the parity outside probes */
  RccTime probing;              /* since when; RCC_NEVER: no parity of the core's own leaves */
  RccFeedback feedback;
} GstRtpCcFbra;

typedef struct {                /* what the core says */
  gboolean known;               /* FALSE: it waits for a controller's first target */
  RccFbraState state;
  const char *why;              /* static */
  guint target_bps, fec_bps;    /* media and parity together; parity, whatever it is for */
  guint fec_interval;           /* 0: no parity */
  GstClockTime rtt;             /* GST_CLOCK_TIME_NONE: not known */
} GstRtpCcFbraView;

void gst_rtp_cc_fbra_init (GstRtpCcFbra *f, const GstRtpCcFbraSettings *settings);
GstRtpCcFbraView gst_rtp_cc_fbra_view (const GstRtpCcFbra *f);

/* Other parity outside probes from now on. */
RccUpdate gst_rtp_cc_fbra_protect (GstRtpCcFbra *f, RccProtection protection);

/* The core's own fec_interval; 0: it does not probe. */
static inline guint
gst_rtp_cc_fbra_own_interval (const GstRtpCcFbra *f)
{
  if (f->core == &f->cnadu.sender)
    return 0;
  return f->core == &f->probe.sender ? f->probe.fec_interval : f->fbra.fec_interval;
}

/* The view's fec_interval alone, and how many blocks may lie between one another. */
static inline guint
gst_rtp_cc_fbra_interval (const GstRtpCcFbra *f)
{
  return rcc_protection_interval (&f->protection, gst_rtp_cc_fbra_own_interval (f));
}

static inline guint
gst_rtp_cc_fbra_depth (const GstRtpCcFbra *f)
{
  return rcc_protection_depth (&f->protection, gst_rtp_cc_fbra_own_interval (f));
}

/* A packet left; @twcc: its transport-wide number, -1: not known. */
RccUpdate gst_rtp_cc_fbra_sent (GstRtpCcFbra *f, const RccRtp *rtp, gint twcc,
    guint32 size, gboolean parity, RccTime now);
/* The controller downstream has a new target; nothing happens unless it is probed for. */
RccUpdate gst_rtp_cc_fbra_target (GstRtpCcFbra *f, guint bps, RccTime now);
/* Transport-wide feedback came by another way than RTCP; all parity in it has
 * RCC_FATE_PARITY, which is taken off what is not the core's own. */
RccUpdate gst_rtp_cc_fbra_arrivals (GstRtpCcFbra *f, RccPacket *packets, gsize n,
    RccTime now);
/* A compound came in. */
RccUpdate gst_rtp_cc_fbra_rtcp (GstRtpCcFbra *f, RccBytes compound, guint32 wall,
    RccTime now);

/* Of the core, but "fec-bitrate" and "fec-interval" are the view's. */
void gst_rtp_cc_fbra_stats (const GstRtpCcFbra *f, GstStructure *stats);

G_END_DECLS

#endif
