/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/driver.h - runs one core of the sender family on a GstClock
 *
 * The only file pair that locks a core, reads a GstClock and arms a deadline. An element tells
 * the driver what happened. The driver tells the core, with a `now` that never runs backwards. It
 * sleeps until the core's next deadline, and not once before: there is no tick. It hands every
 * RccUpdate to GstRtpCcDriverFuncs.apply with the lock released. Updates come in the order in
 * which they were produced, whichever threads produced them.
 *
 * Every call may come from any thread, apply() included. All but _new(), _free(), _start() and
 * _set_clock() do nothing while the driver is stopped.
 *
 * A core that is no RccSender (a receiver) can be driven as well: give it an
 * RccSender with only on_deadline and deadline.
 */
#ifndef GST_RTP_CC_DRIVER_H
#define GST_RTP_CC_DRIVER_H

#include <gst/gst.h>
#include "core/rcc.h"

typedef struct _GstRtpCcDriver GstRtpCcDriver;

typedef struct {
  /* (Re)initialises the core from the element's settings.  Runs with the core
   * locked: no driver function, no event, notify or message from in here. */
  RccUpdate (*init) (GstElement *element, RccTime now);
  /* Right before apply(), with the core locked: reads what apply() needs of it into
   * members that are these two hooks' alone.  NULL: it needs nothing. */
  void (*act) (GstElement *element, const RccUpdate *update, RccTime now);
  /* Acts on @update.  No lock is held; calls never overlap.  As with a streaming
   * thread, the element's state must not be changed from in here: a stop waits. */
  void (*apply) (GstElement *element, const RccUpdate *update);
} GstRtpCcDriverFuncs;

/* @element owns the driver and the core; @funcs is static. */
GstRtpCcDriver *gst_rtp_cc_driver_new (GstElement *element, RccSender *sender,
    const GstRtpCcDriverFuncs *funcs);
/* For the element's finalize; stops it first. */
void gst_rtp_cc_driver_free (GstRtpCcDriver *driver);

/* Takes the element's clock (the system clock where it has none), calls init()
 * and arms the first deadline.  Starting twice is a reset. */
void gst_rtp_cc_driver_start (GstRtpCcDriver *driver);
/* Disarms and drops updates not applied yet. When it returns apply() does not run and will not
 * run again before the next start. Called from inside apply() it does not wait for itself. */
void gst_rtp_cc_driver_stop (GstRtpCcDriver *driver);
/* init() again, as if the core had just been made; drops pending updates. */
void gst_rtp_cc_driver_reset (GstRtpCcDriver *driver);
/* For the element's set_clock: goes on with @clock. `now` continues where it was: it equals the
 * clock's time only until the first such switch. NULL, and the clock in use, change nothing. */
void gst_rtp_cc_driver_set_clock (GstRtpCcDriver *driver, GstClock *clock);

/* To tell the core what happened: it is locked from _enter() to _leave(), which hands on what it
 * answered, @update (NULL: nothing).  NULL, and nothing is locked: the driver is stopped. */
RccSender *gst_rtp_cc_driver_enter (GstRtpCcDriver *driver, RccTime *now)
    G_GNUC_WARN_UNUSED_RESULT;
void gst_rtp_cc_driver_leave (GstRtpCcDriver *driver, const RccUpdate *update);

/* The clock (transfer full; NULL while stopped), and as @time the driver's @when on that clock.
 * For a thread of the element's own that has to sleep until then. */
GstClock *gst_rtp_cc_driver_clock (GstRtpCcDriver *driver, GstClockTime when,
    GstClockTime *time);
/* Holds the core still, to read its stats; returns the driver's time, GST_CLOCK_TIME_NONE while
 * stopped. No driver function in between. */
GstClockTime gst_rtp_cc_driver_lock (GstRtpCcDriver *driver);
void gst_rtp_cc_driver_unlock (GstRtpCcDriver *driver);

#endif
