/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/wakeup.h - a streaming task sleeps here until it is due or woken
 *
 * On the system's clock it waits on a GCond, which costs half of what a GstClockID does. On any
 * other clock (GstTestClock, a network clock) it waits on the clock.
 */
#ifndef GST_RTP_CC_WAKEUP_H
#define GST_RTP_CC_WAKEUP_H

#include <gst/gst.h>

typedef struct _GstRtpCcWakeup GstRtpCcWakeup;

GstRtpCcWakeup *gst_rtp_cc_wakeup_new (void);
void gst_rtp_cc_wakeup_free (GstRtpCcWakeup *wakeup);

/* Reads how often it was woken: taken before deciding to sleep, so that a wake in
 * between is not lost.  FALSE while flushing. */
gboolean gst_rtp_cc_wakeup_ticket (GstRtpCcWakeup *wakeup, guint *ticket);
/* Sleeps until @time on @clock (GST_CLOCK_TIME_NONE: without end), a wake since
 * @ticket was taken, or a flush. */
void gst_rtp_cc_wakeup_wait (GstRtpCcWakeup *wakeup, GstClock *clock,
    GstClockTime time, guint ticket);
void gst_rtp_cc_wakeup_wake (GstRtpCcWakeup *wakeup);
/* While flushing nobody sleeps. */
void gst_rtp_cc_wakeup_set_flushing (GstRtpCcWakeup *wakeup, gboolean flushing);

#endif
