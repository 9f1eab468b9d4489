/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/driver.h"

/* Updates waiting while another thread is inside apply(). More than a few means that apply() is
 * slower than the feedback. Then the newest two become one, which keeps the order and bounds the
 * wait. */
#define MAX_PENDING 16

/* A core that is still due after on_deadline() must not make the clock's thread
 * spin. */
#define MIN_WAKE_SPACING RCC_MSEC

struct _GstRtpCcDriver
{
  GstElement *element;          /* valid inside calls that come from it */
  GWeakRef weak;                /* the same, for the clock's thread */
  RccSender *sender;
  const GstRtpCcDriverFuncs *funcs;

  GMutex lock;                  /* everything below, and the core */
  GstClock *clock;              /* NULL: stopped */
  GstClock *former;             /* the one before: see let_go() */
  gint64 offset;                /* now = clock's time + offset */
  RccTime last;                 /* the latest now handed out */

  GstClockID id;
  RccTime armed_at;             /* RCC_NEVER: not armed */
  RccTime not_before;           /* earliest next wake */

  RccUpdate pending[MAX_PENDING];
  guint n_pending, first_pending;
  GThread *applier;             /* the thread inside apply(), if any */
  GCond applied;                /* applier became NULL, */
  guint n_stopping;             /* for which so many wait */
};

static gboolean on_clock (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer user_data);

/* The clock's thread can hold the last reference: an entry that was unscheduled
 * while it fired still calls back. */
static void
driver_clear (gpointer data)
{
  GstRtpCcDriver *d = data;

  g_weak_ref_clear (&d->weak);
  g_mutex_clear (&d->lock);
  g_cond_clear (&d->applied);
}

static gpointer
unref_clock (gpointer clock)
{
  gst_object_unref (clock);
  return NULL;
}

/* A system clock that goes joins its thread, which may be inside our apply(). It may be in a
 * property's notification there, which waits for the element's lock. So no clock may go while
 * anybody holds a lock. gst_element_set_clock() drops the old one under the element's lock. So
 * what was replaced is kept until the next change. */
static void
let_go (GstClock * clock, gboolean by_its_thread)
{
  if (clock && by_its_thread)
    g_thread_unref (g_thread_new ("rtpcc-clock", unref_clock, clock));
  else if (clock)
    gst_object_unref (clock);
}

static void
driver_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, driver_clear);
}

GstRtpCcDriver *
gst_rtp_cc_driver_new (GstElement * element, RccSender * sender,
    const GstRtpCcDriverFuncs * funcs)
{
  GstRtpCcDriver *d = g_atomic_rc_box_new0 (GstRtpCcDriver);

  d->element = element;
  g_weak_ref_init (&d->weak, element);
  d->sender = sender;
  d->funcs = funcs;
  d->armed_at = RCC_NEVER;
  g_mutex_init (&d->lock);
  g_cond_init (&d->applied);
  return d;
}

void
gst_rtp_cc_driver_free (GstRtpCcDriver * d)
{
  gst_rtp_cc_driver_stop (d);
  driver_unref (d);
}

static RccTime
now_locked (GstRtpCcDriver * d)
{
  gint64 now = (gint64) gst_clock_get_time (d->clock) + d->offset;

  d->last = MAX (d->last, (RccTime) MAX (now, 0));
  return d->last;
}

static void
disarm_locked (GstRtpCcDriver * d)
{
  if (d->id) {
    gst_clock_id_unschedule (d->id);
    gst_clock_id_unref (d->id);
    d->id = NULL;
  }
  d->armed_at = RCC_NEVER;
}

/* A deadline that moved later, or away, costs nothing. The wake that comes too early finds
 * nothing due and arms the right one. */
static void
arm_locked (GstRtpCcDriver * d)
{
  RccTime deadline = rcc_deadline (d->sender);
  const gint64 latest = G_MAXINT64 + MIN (d->offset, 0);
  gint64 at;

  if (deadline == RCC_NEVER)
    return;
  deadline = MAX (deadline, d->not_before);
  if (deadline >= d->armed_at)
    return;

  disarm_locked (d);
  at = (gint64) MIN (deadline, (RccTime) latest) - d->offset;
  d->id = gst_clock_new_single_shot_id (d->clock, (GstClockTime) MAX (at, 0));
  d->armed_at = deadline;
  gst_clock_id_wait_async (d->id, on_clock, g_atomic_rc_box_acquire (d),
      driver_unref);
}

static void
queue_locked (GstRtpCcDriver * d, const RccUpdate * update)
{
  guint last =
      (d->first_pending + d->n_pending + MAX_PENDING - 1) % MAX_PENDING;

  if (d->n_pending == MAX_PENDING) {
    d->pending[last] = rcc_update_merge (d->pending[last], *update);
  } else {
    d->pending[(last + 1) % MAX_PENDING] = *update;
    d->n_pending++;
  }
}

/* Whoever finds nobody applying applies for everybody until nothing is left, so
 * order needs no lock across apply(). */
static void
apply_locked (GstRtpCcDriver * d)
{
  if (d->applier || d->n_pending == 0)
    return;

  d->applier = g_thread_self ();
  while (d->n_pending > 0) {
    RccUpdate update = d->pending[d->first_pending];

    d->first_pending = (d->first_pending + 1) % MAX_PENDING;
    d->n_pending--;
    if (d->funcs->act)
      d->funcs->act (d->element, &update, now_locked (d));
    g_mutex_unlock (&d->lock);
    d->funcs->apply (d->element, &update);
    g_mutex_lock (&d->lock);
  }
  d->applier = NULL;
  if (d->n_stopping > 0)        /* a broadcast is a system call, waited for or not */
    g_cond_broadcast (&d->applied);
}

static gboolean
enter (GstRtpCcDriver * d)
{
  g_mutex_lock (&d->lock);
  if (d->clock)
    return TRUE;
  g_mutex_unlock (&d->lock);
  return FALSE;
}

RccSender *
gst_rtp_cc_driver_enter (GstRtpCcDriver * d, RccTime * now)
{
  if (!enter (d))
    return NULL;
  *now = now_locked (d);
  return d->sender;
}

void
gst_rtp_cc_driver_leave (GstRtpCcDriver * d, const RccUpdate * update)
{
  if (update && update->changed)
    queue_locked (d, update);
  arm_locked (d);
  if (d->n_pending > 0)
    apply_locked (d);
  g_mutex_unlock (&d->lock);
}

static gboolean
on_clock (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer user_data)
{
  GstRtpCcDriver *d = user_data;
  GstElement *element = g_weak_ref_get (&d->weak);
  RccUpdate update = { 0 };

  if (!element)
    return TRUE;
  if (enter (d)) {
    if (id == d->id) {
      RccTime now = now_locked (d);

      disarm_locked (d);
      if (rcc_deadline (d->sender) <= now) {
        update = rcc_tell (d->sender, on_deadline, now);
        d->not_before = now + MIN_WAKE_SPACING;
      }
    }
    gst_rtp_cc_driver_leave (d, &update);
  }
  gst_object_unref (element);
  return TRUE;
}

/* Forgets what the core's former life left behind and begins the next one. */
static void
begin_locked (GstRtpCcDriver * d)
{
  RccTime now = now_locked (d);
  RccUpdate update;

  disarm_locked (d);
  d->not_before = 0;
  d->n_pending = 0;
  update = d->funcs->init (d->element, now);
  gst_rtp_cc_driver_leave (d, &update);
}

void
gst_rtp_cc_driver_start (GstRtpCcDriver * d)
{
  GstClock *clock = gst_element_get_clock (d->element), *old;

  if (!clock)
    clock = gst_system_clock_obtain ();
  g_mutex_lock (&d->lock);
  disarm_locked (d);
  old = d->clock;
  d->clock = clock;
  d->offset = 0;
  d->last = 0;
  begin_locked (d);
  let_go (old, FALSE);
}

void
gst_rtp_cc_driver_stop (GstRtpCcDriver * d)
{
  GstClock *clock, *former;
  gboolean inside;

  g_mutex_lock (&d->lock);
  disarm_locked (d);
  clock = g_steal_pointer (&d->clock);
  former = g_steal_pointer (&d->former);
  d->n_pending = 0;
  inside = d->applier == g_thread_self ();
  d->n_stopping++;
  while (d->applier && !inside)
    g_cond_wait (&d->applied, &d->lock);
  d->n_stopping--;
  g_mutex_unlock (&d->lock);
  let_go (clock, inside);
  let_go (former, inside);
}

void
gst_rtp_cc_driver_reset (GstRtpCcDriver * d)
{
  if (enter (d))
    begin_locked (d);
}

void
gst_rtp_cc_driver_set_clock (GstRtpCcDriver * d, GstClock * clock)
{
  GstClock *old = NULL;
  gboolean inside;

  if (!clock || !enter (d))
    return;
  inside = d->applier == g_thread_self ();
  if (clock != d->clock) {
    RccTime now = now_locked (d);

    disarm_locked (d);
    old = d->former;
    d->former = d->clock;
    d->clock = gst_object_ref (clock);
    d->offset = (gint64) (now - gst_clock_get_time (clock));
    arm_locked (d);
  }
  g_mutex_unlock (&d->lock);
  let_go (old, inside);
}

GstClock *
gst_rtp_cc_driver_clock (GstRtpCcDriver * d, GstClockTime when,
    GstClockTime * time)
{
  GstClock *clock = NULL;

  *time = when;
  if (!enter (d))
    return NULL;
  clock = gst_object_ref (d->clock);
  if (GST_CLOCK_TIME_IS_VALID (when))
    *time = (GstClockTime) MAX ((gint64) when - d->offset, 0);
  g_mutex_unlock (&d->lock);
  return clock;
}

GstClockTime
gst_rtp_cc_driver_lock (GstRtpCcDriver * d)
{
  g_mutex_lock (&d->lock);
  return d->clock ? now_locked (d) : GST_CLOCK_TIME_NONE;
}

void
gst_rtp_cc_driver_unlock (GstRtpCcDriver * d)
{
  g_mutex_unlock (&d->lock);
}
