/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/wakeup.h"

struct _GstRtpCcWakeup
{
  GMutex lock;
  GCond cond;
  GstClockID id;                /* under way on a clock that is not the system's */
  guint wakes, sleepers;
  gboolean flushing;
};

GstRtpCcWakeup *
gst_rtp_cc_wakeup_new (void)
{
  GstRtpCcWakeup *w = g_new0 (GstRtpCcWakeup, 1);

  g_mutex_init (&w->lock);
  g_cond_init (&w->cond);
  return w;
}

void
gst_rtp_cc_wakeup_free (GstRtpCcWakeup * w)
{
  g_mutex_clear (&w->lock);
  g_cond_clear (&w->cond);
  g_free (w);
}

gboolean
gst_rtp_cc_wakeup_ticket (GstRtpCcWakeup * w, guint * ticket)
{
  gboolean flushing;

  g_mutex_lock (&w->lock);
  *ticket = w->wakes;
  flushing = w->flushing;
  g_mutex_unlock (&w->lock);
  return !flushing;
}

static void
wait_on_clock (GstRtpCcWakeup * w, GstClock * clock, GstClockTime time)
{
  GstClockID id = gst_clock_new_single_shot_id (clock, time);

  w->id = id;
  g_mutex_unlock (&w->lock);
  gst_clock_id_wait (id, NULL);
  g_mutex_lock (&w->lock);
  w->id = NULL;
  gst_clock_id_unref (id);
}

/* The one clock whose time is g_get_monotonic_time() in ns. */
static gboolean
is_monotonic (GstClock * clock)
{
  GstClock *system = gst_system_clock_obtain ();
  GstClockType type = GST_CLOCK_TYPE_OTHER;

  if (clock == system)
    g_object_get (system, "clock-type", &type, NULL);
  gst_object_unref (system);
  return type == GST_CLOCK_TYPE_MONOTONIC;
}

void
gst_rtp_cc_wakeup_wait (GstRtpCcWakeup * w, GstClock * clock, GstClockTime time,
    guint ticket)
{
  const gboolean monotonic = is_monotonic (clock);

  g_mutex_lock (&w->lock);
  w->sleepers++;
  while (w->wakes == ticket && !w->flushing) {
    if (time == GST_CLOCK_TIME_NONE) {
      g_cond_wait (&w->cond, &w->lock);
    } else if (monotonic) {
      if (!g_cond_wait_until (&w->cond, &w->lock, (gint64) (time / 1000) + 1))
        break;
    } else {
      wait_on_clock (w, clock, time);
      break;
    }
  }
  w->sleepers--;
  g_mutex_unlock (&w->lock);
}

/* A broadcast is a system call, whether anybody sleeps or not. A thread that is woken while the
 * lock is held sleeps again, until it is free. */
void
gst_rtp_cc_wakeup_wake (GstRtpCcWakeup * w)
{
  gboolean sleepers;

  g_mutex_lock (&w->lock);
  w->wakes++;
  if (w->id)
    gst_clock_id_unschedule (w->id);
  sleepers = w->sleepers > 0;
  g_mutex_unlock (&w->lock);
  if (sleepers)
    g_cond_broadcast (&w->cond);
}

void
gst_rtp_cc_wakeup_set_flushing (GstRtpCcWakeup * w, gboolean flushing)
{
  g_mutex_lock (&w->lock);
  w->flushing = flushing;
  g_mutex_unlock (&w->lock);
  if (flushing)
    gst_rtp_cc_wakeup_wake (w);
}
