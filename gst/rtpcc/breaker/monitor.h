/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/monitor.h - runs a circuit breaker's core: with what comes by, over restarts,
 * and for the application
 *
 * What rtpcircuitbreaker is made of, without its pads and properties.
 */
#ifndef GST_RTP_CC_GUARD_H
#define GST_RTP_CC_GUARD_H

#include <gst/gst.h>
#include "rtpcc/breaker/gate.h"
#include "rtpcc/breaker/settings.h"
#include "rtpcc/breaker/notifier.h"
#include "rtpcc/common/driver.h"

G_BEGIN_DECLS

typedef struct {
  GstElement *element;          /* whose clock, bus and object lock it uses */
  GParamSpec *state_pspec;      /* for its notify */
  GstRtpCcDriver *driver;
  GstRtpCcVoice voice;          /* apply()'s */

  /* object lock */
  GstRtpCcBreakerSettings settings;
  RccBreakerState state;        /* last notified */
  gboolean complained;          /* action=error has had its message */

  /* private: driver's lock */
  GstRtpCcFuse *fuse;
  guint64 told;                 /* of its events */
  gboolean unheard;             /* upstream could not listen when it was told last */
  gboolean again;               /* apply() is to tell upstream what it knows already */
  struct {
    GstClock *clock;            /* NULL: not stopped, or NULL since */
    GstClockTime time, left;    /* when it was stopped, and what was left of 4.5 then */
  } held;
} GstRtpCcGuard;

/* @funcs call _begin() and _apply(). */
void gst_rtp_cc_guard_init (GstRtpCcGuard *g, GstElement *element,
    const GstRtpCcDriverFuncs *funcs, GParamSpec *state_pspec);
void gst_rtp_cc_guard_clear (GstRtpCcGuard *g);
RccUpdate gst_rtp_cc_guard_begin (GstRtpCcGuard *g, RccTime now);
void gst_rtp_cc_guard_apply (GstRtpCcGuard *g, const RccUpdate *update);

/* PAUSED to READY: forgets all but what is open.  READY to NULL: that too. */
void gst_rtp_cc_guard_stop (GstRtpCcGuard *g);
void gst_rtp_cc_guard_forget (GstRtpCcGuard *g);

/* Way @path of RTP begins at @sink; NULL: it is gone. */
void gst_rtp_cc_guard_set_pad (GstRtpCcGuard *g, guint path, GstPad *sink);
void gst_rtp_cc_guard_set_clock_rate (GstRtpCcGuard *g, gint rate);
/* EOS: nothing more is sent. */
void gst_rtp_cc_guard_ended (GstRtpCcGuard *g);
/* Whether @buffer may leave; if not, @over: neither may any other. */
gboolean gst_rtp_cc_guard_buffer (GstRtpCcGuard *g, GstBuffer *buffer, gboolean *over);
/* Leaves in @list what may leave, at least one buffer when TRUE. */
gboolean gst_rtp_cc_guard_list (GstRtpCcGuard *g, GstBufferList **list, gboolean *over);
/* A compound comes in, or goes out (@ours). */
void gst_rtp_cc_guard_rtcp (GstRtpCcGuard *g, RccBytes compound, gboolean ours);
/* Before GST_FLOW_ERROR: the error message, if it has not been posted. */
void gst_rtp_cc_guard_complain (GstRtpCcGuard *g);

GstRtpCircuitBreakerAction gst_rtp_cc_guard_action (GstRtpCcGuard *g);
/* The settings are others. */
void gst_rtp_cc_guard_adjust (GstRtpCcGuard *g);
/* FALSE, with a message: refused. */
gboolean gst_rtp_cc_guard_reset (GstRtpCcGuard *g);
GstStructure *gst_rtp_cc_guard_stats (GstRtpCcGuard *g);

G_END_DECLS
#endif
