/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/monitor.h - runs a circuit breaker's core: with what comes by, over restarts,
 * and for the application
 *
 * What rtpcircuitbreaker is made of, without its pads and properties.
 */
#ifndef GST_RTP_CC_BREAKER_MONITOR_H
#define GST_RTP_CC_BREAKER_MONITOR_H

#include <gst/gst.h>
#include "rtpcc/breaker/gate.h"
#include "rtpcc/breaker/settings.h"
#include "rtpcc/breaker/notifier.h"
#include "rtpcc/common/element.h"

typedef struct {
  GstRtpCcElement parent;       /* first: hooks of its class are given this */
  GParamSpec *state_pspec;      /* for its notify */
  GstRtpCcBreakerNotifier notifier; /* apply()'s */

  /* object lock */
  RccBreakerState state;        /* last notified */
  gboolean complained;          /* action=error has had its message */

  /* private: driver's lock */
  GstRtpCcBreakerGate *gate;
  guint64 reported;             /* of its events */
  gboolean unheard;             /* upstream could not listen when it was told last */
  gboolean again;               /* apply() is to tell upstream what it knows already */
  struct {
    GstClock *clock;            /* NULL: not stopped, or NULL since */
    GstClockTime time, now;     /* when it was stopped, by it and by the driver */
    GstClockTime left;          /* what was left of 4.5 then */
  } held;
} GstRtpCcBreakerMonitor;

/* In class_init: the settings, and the hooks that are the monitor's alone. */
void gst_rtp_cc_breaker_monitor_class_init (GstRtpCcElementClass *klass);
/* Makes the settings and the driver. */
void gst_rtp_cc_breaker_monitor_init (GstRtpCcBreakerMonitor *g, GParamSpec *state_pspec);
/* With the driver stopped. */
void gst_rtp_cc_breaker_monitor_clear (GstRtpCcBreakerMonitor *g);

/* READY to NULL: forgets what is open, too. */
void gst_rtp_cc_breaker_monitor_forget (GstRtpCcBreakerMonitor *g);

/* Way @path of RTP begins at @sink; NULL: it is gone. */
void gst_rtp_cc_breaker_monitor_set_pad (GstRtpCcBreakerMonitor *g, guint path, GstPad *sink);
/* An event comes by there: caps have a clock rate, behind EOS nothing more is sent. */
void gst_rtp_cc_breaker_monitor_event (GstRtpCcBreakerMonitor *g, GstEvent *event);
/* One comes from behind: rtpsession's feedback, or none of ours. */
void gst_rtp_cc_breaker_monitor_upstream (GstRtpCcBreakerMonitor *g, GstEvent *event);
/* Whether @buffer may leave; if not, @over: neither may any other. */
gboolean gst_rtp_cc_breaker_monitor_buffer (GstRtpCcBreakerMonitor *g, GstBuffer *buffer,
    gboolean *over);
/* Leaves in @list what may leave, at least one buffer when TRUE. */
gboolean gst_rtp_cc_breaker_monitor_list (GstRtpCcBreakerMonitor *g, GstBufferList **list,
    gboolean *over);
/* Before GST_FLOW_ERROR: the error message, if it has not been posted. */
void gst_rtp_cc_breaker_monitor_complain (GstRtpCcBreakerMonitor *g);

GstRtpCircuitBreakerAction gst_rtp_cc_breaker_monitor_action (GstRtpCcBreakerMonitor *g);
/* FALSE, with a message: refused. */
gboolean gst_rtp_cc_breaker_monitor_reset (GstRtpCcBreakerMonitor *g);

#endif
