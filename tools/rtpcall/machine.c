/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "machine.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <time.h>

#include "punctual.h"

/* --- how late timers are -------------------------------------------------- */

#define CELL_WIDTH 1.02

static guint
cell_of (double us)
{
  const double cell = us > 1 ? ceil (log (us) / log (CELL_WIDTH)) : 0;

  return (guint) MIN (cell, CALL_LATENESS_CELLS - 1);
}

/* A sleep is never too short; a clock that says so would make a cell below the first. */
void
call_lateness_woke (CallLateness *l, GstClockTime due, GstClockTime now)
{
  const GstClockTime late = now - MIN (now, due);

  l->naps++;
  l->cells[cell_of (late / 1e3)]++;
  l->max = MAX (l->max, late);
}

double
call_lateness_percentile (const CallLateness *l, double share)
{
  const double wanted = ceil (share * (double) l->naps);
  guint64 seen = 0;

  for (guint i = 0; l->naps && i < CALL_LATENESS_CELLS; i++) {
    seen += l->cells[i];
    if ((double) seen >= MAX (wanted, 1))
      return MIN (pow (CELL_WIDTH, i) / 1e3, l->max / 1e6);
  }
  return NAN;
}

/* --- pictures ------------------------------------------------------------- */

void
call_pictures_init (CallPictures *p)
{
  *p = (CallPictures) { .waiting = g_array_new (FALSE, FALSE, sizeof (GstClockTime)) };
}

void
call_pictures_clear (CallPictures *p)
{
  g_array_unref (p->waiting);
}

void
call_pictures_produced (CallPictures *p, GstClockTime time)
{
  p->produced++;
  g_array_append_val (p->waiting, time);
}

/* By time, not by count: so it is known which ones were not made. */
void
call_pictures_made (CallPictures *p, GstClockTime time)
{
  guint n = 0;

  while (n < p->waiting->len && g_array_index (p->waiting, GstClockTime, n) <= time)
    n++;
  if (n)
    g_array_remove_range (p->waiting, 0, n);
  p->passed_by += n ? n - 1 : 0;
}

guint64
call_pictures_unmade (const CallPictures *p, guint64 skipped)
{
  const guint waiting = p->waiting->len;
  const guint64 unmade = p->passed_by
      + (waiting > CALL_PICTURES_UNDER_WAY ? waiting - CALL_PICTURES_UNDER_WAY : 0);

  return unmade - MIN (unmade, skipped);
}

/* --- the verdict ---------------------------------------------------------- */

double
call_machine_share (const CallMachineFigures *f)
{
  return f->of_one_core / f->cores;
}

double
call_machine_unmade_share (const CallMachineFigures *f)
{
  return f->pictures ? (double) f->unmade / (double) f->pictures : 0;
}

static gboolean
is_late (const CallMachineFigures *f)
{
  return f->late_p99 > CALL_LATE_BOUND_MS;
}

static gboolean
is_short_of_pictures (const CallMachineFigures *f)
{
  return call_machine_unmade_share (f) > CALL_UNMADE_BOUND;
}

gboolean
call_machine_too_slow (const CallMachineFigures *f)
{
  return is_late (f) || is_short_of_pictures (f);
}

char *
call_machine_line (const CallMachineFigures *f)
{
  GString *line = g_string_new (call_machine_too_slow (f) ? "too slow" : "fast enough");
  const char *separator = ": ";

  if (f->naps) {
    g_string_append_printf (line, "%s99 %% of the timers within %.1f ms, half within %.1f ms, "
        "all within %.1f ms", separator, f->late_p99, f->late_p50, f->late_max);
    separator = "; ";
  }
  if (f->codes) {
    g_string_append_printf (line, "%s%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " pictures not "
        "made", separator, f->unmade, f->pictures);
    separator = "; ";
  }
  if (f->skipped)
    g_string_append_printf (line, ", %" G_GUINT64_FORMAT " skipped on purpose", f->skipped);
  if (!isnan (f->of_one_core))
    g_string_append_printf (line, "%sCPU %.1f %% of one core, %.1f %% of the machine", separator,
        100 * f->of_one_core, 100 * call_machine_share (f));
  return g_string_free (line, FALSE);
}

char *
call_machine_warning (const CallMachineFigures *f)
{
  GString *why;

  if (!call_machine_too_slow (f))
    return NULL;
  why = g_string_new ("the machine was too slow for this call, and what looks like the "
      "network's doing may be its own: ");
  if (is_late (f))
    g_string_append_printf (why, "one timer in 100 woke more than %.0f ms late (%.0f are "
        "allowed)", f->late_p99, CALL_LATE_BOUND_MS);
  if (is_late (f) && is_short_of_pictures (f))
    g_string_append (why, " and ");
  if (is_short_of_pictures (f))
    g_string_append_printf (why, "%.1f %% of the pictures were not made (%.0f %% are allowed)",
        100 * call_machine_unmade_share (f), 100 * CALL_UNMADE_BOUND);
  g_string_append (why, "; end other programs, or call again with a lower --resolution or "
      "--fps");
  return g_string_free (why, FALSE);
}

/* --- watching it ---------------------------------------------------------- */

struct _CallMachine {
  GThread *thread;
  gint stopped;                         /* atomic */
  CallLateness lateness;                /* the thread's until it has ended */
  GMutex lock;
  CallPictures pictures;                /* lock */
  GstPad *intake, *coded;               /* NULL: nothing is coded here */
  gulong produced_id, made_id;
  guint64 skipped;
  double cpu_start, cpu;                /* s */
  gint64 started, ended;                /* us */
};

static GstClockTime
monotonic (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return GST_TIMESPEC_TO_TIME (t);
}

/* To a point in time: what is lost between reading the clock and sleeping is late too. */
static gpointer
nap (gpointer data)
{
  CallMachine *m = data;

  while (!g_atomic_int_get (&m->stopped)) {
    const GstClockTime due = monotonic () + CALL_NAP;
    struct timespec until;

    GST_TIME_TO_TIMESPEC (due, until);
    while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
      ;
    call_lateness_woke (&m->lateness, due, monotonic ());
  }
  return NULL;
}

/* s of this process, all threads; NAN: not known. */
static double
cpu_time (void)
{
  struct rusage usage;

  if (getrusage (RUSAGE_SELF, &usage))
    return NAN;
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
      + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static GstPadProbeReturn
count (CallMachine *m, GstPad *pad, GstPadProbeInfo *info,
    void (*tell) (CallPictures *, GstClockTime))
{
  const GstClockTime time = call_running_time (pad, GST_PAD_PROBE_INFO_BUFFER (info));

  if (GST_CLOCK_TIME_IS_VALID (time)) {
    g_mutex_lock (&m->lock);
    tell (&m->pictures, time);
    g_mutex_unlock (&m->lock);
  }
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_produced (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return count (data, pad, info, call_pictures_produced);
}

static GstPadProbeReturn
on_made (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return count (data, pad, info, call_pictures_made);
}

CallMachine *
call_machine_new (GstElement *intake, GstElement *encoder)
{
  CallMachine *m = g_new0 (CallMachine, 1);

  g_mutex_init (&m->lock);
  call_pictures_init (&m->pictures);
  if (intake && encoder) {
    m->intake = gst_element_get_static_pad (intake, "sink");
    m->coded = gst_element_get_static_pad (encoder, "src");
    m->produced_id = gst_pad_add_probe (m->intake, GST_PAD_PROBE_TYPE_BUFFER, on_produced, m, NULL);
    m->made_id = gst_pad_add_probe (m->coded, GST_PAD_PROBE_TYPE_BUFFER, on_made, m, NULL);
  }
  m->started = g_get_monotonic_time ();
  m->cpu_start = cpu_time ();
  m->thread = g_thread_new ("machine", nap, m);
  return m;
}

void
call_machine_stop (CallMachine *m, GstElement *adapter)
{
  GstStructure *stats = NULL;

  g_atomic_int_set (&m->stopped, TRUE);
  g_thread_join (g_steal_pointer (&m->thread));
  m->cpu = cpu_time () - m->cpu_start;
  m->ended = g_get_monotonic_time ();
  if (m->intake) {
    gst_pad_remove_probe (m->intake, m->produced_id);
    gst_pad_remove_probe (m->coded, m->made_id);
  }
  if (adapter)
    g_object_get (adapter, "stats", &stats, NULL);
  if (stats)
    gst_structure_get_uint64 (stats, "pictures-skipped", &m->skipped);
  g_clear_pointer (&stats, gst_structure_free);
}

CallMachineFigures
call_machine_figures (const CallMachine *m)
{
  const gint64 lasted = m->ended - m->started;

  return (CallMachineFigures) {
    .naps = m->lateness.naps,
    .late_p50 = call_lateness_percentile (&m->lateness, 0.5),
    .late_p99 = call_lateness_percentile (&m->lateness, 0.99),
    .late_max = m->lateness.naps ? m->lateness.max / 1e6 : NAN,
    .codes = m->intake != NULL,
    .pictures = m->pictures.produced, .skipped = m->skipped,
    .unmade = call_pictures_unmade (&m->pictures, m->skipped),
    .of_one_core = lasted > 0 ? m->cpu / (lasted / 1e6) : NAN,
    .cores = MAX (g_get_num_processors (), 1),
  };
}

void
call_machine_free (CallMachine *m)
{
  if (m->thread)
    call_machine_stop (m, NULL);
  gst_clear_object (&m->intake);
  gst_clear_object (&m->coded);
  call_pictures_clear (&m->pictures);
  g_mutex_clear (&m->lock);
  g_free (m);
}
