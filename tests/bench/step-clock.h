/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * step-clock.h - a GstClock that a benchmark moves, and the thread that calls its timers back
 */
#ifndef RCC_STEP_CLOCK_H
#define RCC_STEP_CLOCK_H

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <gst/gst.h>

#define NAP 20                          /* us */
#define SPINS 100000                    /* some ms: then the clock's thread may want our CPU */

static gdouble
cpu_ns (clockid_t whose)
{
  struct timespec t;

  clock_gettime (whose, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
}

/* To read it costs what it costs to read the system's.  Packets stand a millisecond apart on
 * it, so that a pacer lets each of them through at once, and estimators see an even stream. */
typedef struct {
  GstClock parent;
  GstClockTime time;
  GstClockTime due;                     /* of the first timer; GST_CLOCK_TIME_NONE: none */
  GList *timers;                        /* GstClockEntry; the object's lock */
} StepClock;

typedef GstClockClass StepClockClass;

static GstClockTime step;               /* from reading to reading */

GType step_clock_get_type (void);
G_DEFINE_TYPE (StepClock, step_clock, GST_TYPE_CLOCK);

static GstClockTime
step_clock_time (GstClock *clock)
{
  const GstClockTime noise = gst_util_get_timestamp () & 1023;

  if (step > 0)                         /* the system's is read without a write */
    ((StepClock *) clock)->time += step;
  return ((StepClock *) clock)->time + noise;
}

static void
find_due (StepClock *c)
{
  c->due = GST_CLOCK_TIME_NONE;
  for (GList *l = c->timers; l; l = l->next)
    c->due = MIN (c->due, GST_CLOCK_ENTRY_TIME ((GstClockEntry *) l->data));
}

static GstClockReturn
step_clock_wait_async (GstClock *clock, GstClockEntry *entry)
{
  StepClock *c = (StepClock *) clock;

  GST_OBJECT_LOCK (c);
  c->timers = g_list_prepend (c->timers, gst_clock_id_ref (entry));
  find_due (c);
  GST_OBJECT_UNLOCK (c);
  return GST_CLOCK_OK;
}

static void
step_clock_unschedule (GstClock *clock, GstClockEntry *entry)
{
  StepClock *c = (StepClock *) clock;
  GList *place;

  GST_OBJECT_LOCK (c);
  GST_CLOCK_ENTRY_STATUS (entry) = GST_CLOCK_UNSCHEDULED;
  if ((place = g_list_find (c->timers, entry))) {
    c->timers = g_list_delete_link (c->timers, place);
    find_due (c);
  }
  GST_OBJECT_UNLOCK (c);
  if (place)
    gst_clock_id_unref (entry);
}

/* The first timer that is due, no longer the clock's; NULL: none is. */
static GstClockEntry *
take_timer (StepClock *c)
{
  GstClockEntry *entry = NULL;

  GST_OBJECT_LOCK (c);
  for (GList *l = c->timers; c->due <= c->time && l && !entry; l = l->next)
    if (GST_CLOCK_ENTRY_TIME ((GstClockEntry *) l->data) == c->due)
      entry = l->data;
  c->timers = g_list_remove (c->timers, entry);
  find_due (c);
  GST_OBJECT_UNLOCK (c);
  return entry;
}

static void
call_timers (StepClock *c)
{
  GstClockEntry *entry;

  while ((entry = take_timer (c))) {
    entry->func (GST_CLOCK (c), entry->time, entry, entry->user_data);
    gst_clock_id_unref (entry);
  }
}

/* --- its thread ----------------------------------------------------------- */

/* As GstSystemClock has one. It naps and looks, so that the thread that pushes packets need not
 * enter the kernel to wake it: who comes back from there finds caches and branch prediction of
 * somebody else. */
static struct {
  GThread *thread;
  StepClock *due;                       /* atomic: whose timers are to be called */
  gint runs, quits;                     /* atomic */
  clockid_t clock;                      /* of its CPU */
  gdouble called_ns;                    /* CPU of the timers; written before due is NULL */
} timers;

/* The pusher has the first CPU to itself, where there are two.  Threads that the clock's thread
 * starts stay where it is. */
static void
take_cpu (gboolean pusher)
{
  cpu_set_t cpus;
  guint first = 0;

  if (sched_getaffinity (0, sizeof cpus, &cpus) != 0 || CPU_COUNT (&cpus) < 2)
    return;
  while (!CPU_ISSET (first, &cpus))
    first++;
  if (pusher) {
    CPU_ZERO (&cpus);
    CPU_SET (first, &cpus);
  } else {
    CPU_CLR (first, &cpus);
  }
  sched_setaffinity (0, sizeof cpus, &cpus);
}

static gpointer
be_the_clock (gpointer unused)
{
  StepClock *c;
  gdouble start;

  take_cpu (FALSE);
  pthread_getcpuclockid (pthread_self (), &timers.clock);
  g_atomic_int_set (&timers.runs, TRUE);
  while (!g_atomic_int_get (&timers.quits)) {
    if (!(c = g_atomic_pointer_get (&timers.due))) {
      g_usleep (NAP);
      continue;
    }
    start = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
    call_timers (c);
    timers.called_ns += cpu_ns (CLOCK_THREAD_CPUTIME_ID) - start;
    g_atomic_pointer_set (&timers.due, NULL);
  }
  return NULL;
}

/* Has @c's timers called.  False: none is due. */
static gboolean
let_timers_run (StepClock *c)
{
  if (c->time < c->due)
    return FALSE;
  g_atomic_pointer_set (&timers.due, c);
  return TRUE;
}

/* Where there is a second CPU nobody has to sleep meanwhile. */
static void
spin (guint *n)
{
  if (++*n > SPINS)
    g_thread_yield ();
}

static void
wait_for_timers (void)
{
  for (guint n = 0; g_atomic_pointer_get (&timers.due);)
    spin (&n);
}

/* CPU that the thread has spent on naps, so far. */
static gdouble
napped_ns (void)
{
  return cpu_ns (timers.clock) - timers.called_ns;
}

/* For once: the caller is the pusher from now on. */
static void
start_timers (void)
{
  timers.thread = g_thread_new ("clock", be_the_clock, NULL);
  while (!g_atomic_int_get (&timers.runs))
    g_usleep (NAP);
  take_cpu (TRUE);
}

static void
stop_timers (void)
{
  g_atomic_int_set (&timers.quits, TRUE);
  g_thread_join (timers.thread);
}

static void
step_clock_class_init (StepClockClass *class_index)
{
  class_index->get_internal_time = step_clock_time;
  class_index->wait_async = step_clock_wait_async;
  class_index->unschedule = step_clock_unschedule;
}

static void
step_clock_init (StepClock *clock)
{
  clock->due = GST_CLOCK_TIME_NONE;
}

#endif
