/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-elements - CPU time per packet of the elements that packets pass through, as a
 * ratio to identity
 *
 * Packets of 1200 B, header and payload in memories of their own as payloaders make
 * them, with abs-send-time; one by one, and in lists of 10.  Medians of the thread's CPU time,
 * over rounds in which each element has its turn.  The ratio is of rounds in one process, and the
 * median of several processes: where code, heap and stack lie is chance, which no median within
 * one process takes out.  The least and the largest are printed beside it.
 * The payload has just been written, as by an encoder; making the packets and freeing
 * them is not measured.  The ratio of lists is to
 * identity one by one too: it has no way for lists, takes them apart and copies.
 *
 * To read a thread's CPU time costs several packets.  The round is not charged with it: it is
 * measured before, and taken off for each reading.
 *
 * The clock is ours: packets are a millisecond apart on it, and its timers call back between
 * two packets, on a thread of its own, as in a call.  What they begin there is on the RTCP pad's
 * thread: a regular report, say.  The next packet waits for that, as a millisecond is long.  The
 * thread that pushes packets has a CPU to itself, and the others have the rest: a report then
 * takes its cache lines away, which is the dearer of two cases.  Left to the scheduler a run
 * is either, or a mixture.  `taskset -c 0 bench-elements` is the other case, all on one CPU.
 *
 * The time of all threads is another column: packets, the timers and what they begin.  Of a call
 * only the waking of the clock's own thread is not in it.  rtpfbrareceiver reports each 100 ms as
 * it comes, each 1000 packets with an interval of 1 s, and next to never with one of 10 s.
 *
 * Then what it costs to be queued, in CPU time of the process: queue as it runs, with
 * both its threads at work; and queue and rtpsbpnmux when all packets come before the
 * first may leave, so that the threads take turns.
 *
 * Last, what packets of 64 streams in turn cost where those of one have the time measured
 * before: a ratio within each element.
 *
 * bench-elements [ROUNDS [ELEMENT]]: few rounds of one element, or of "queued" or "ssrcs" alone,
 * for a profiler.
 */
#define _GNU_SOURCE                     /* sched_setaffinity() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <gst/gst.h>

#include "../elements/tuning.h"
#include "wire/rtp.h"
#include "step-clock.h"

#define ROUNDS 304
#define PLACES 8                        /* processes: chance is worth 10 ns */
#define ROWS_MAX 16
#define WARM_UP 10                      /* rounds: until there is an estimate */
#define PACKETS 500
#define LIST 10
#define SIZE 1200
#define READINGS 1001                   /* of a clock, to know what one costs */
#define PLAIN "application/x-rtp,media=(string)video,clock-rate=(int)90000"
#define STAMPED PLAIN ",extmap-3=(string)\"" RCC_ABS_SEND_TIME_URI "\""

/* --- an element between two pads ------------------------------------------ */

typedef struct {
  const gchar *name, *factory, *caps;
  guint parity;                         /* rtpfbrafec: packets for one of parity; 0: none */
  guint ssrcs;                          /* in turn; 0: one */
  guint64 interval;                     /* of feedback; 0: its default */
  StepClock *clock;
  GstElement *element;
  GstPad *src, *sink;
  GstPad *rtcp_src, *rtcp_sink;         /* where it sends RTCP, and who gets it; or NULL */
  guint made;
  guint reports;
  gdouble times[2][ROUNDS];             /* of the pushing thread: one by one; in lists */
  gdouble all_times[ROUNDS];            /* of all threads, one by one */
} Rig;

static GstMiniObject *received[2 * PACKETS];    /* what the sink keeps: parity, too */
static const gchar *self;               /* this program */
static guint n_received, n_packets;
static gdouble reading_thread, reading_process;  /* ns that it costs to read these clocks */

static GstFlowReturn
keep (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  received[n_received++] = GST_MINI_OBJECT_CAST (buffer);
  n_packets++;
  return GST_FLOW_OK;
}

static GstFlowReturn
keep_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  received[n_received++] = GST_MINI_OBJECT_CAST (list);
  n_packets += gst_buffer_list_length (list);
  return GST_FLOW_OK;
}

static GstFlowReturn
keep_report (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  ((Rig *) gst_pad_get_element_private (pad))->reports++;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
link_rtcp (Rig *r)
{
  if (!(r->rtcp_src = gst_element_get_static_pad (r->element, "rtcp_src")))
    return;
  r->rtcp_sink = gst_pad_new ("rtcp", GST_PAD_SINK);
  gst_pad_set_element_private (r->rtcp_sink, r);
  gst_pad_set_chain_function (r->rtcp_sink, keep_report);
  gst_pad_set_active (r->rtcp_sink, TRUE);
  gst_pad_link (r->rtcp_src, r->rtcp_sink);
}

static void
link_pads (Rig *r)
{
  GstPad *in = gst_element_get_static_pad (r->element, "sink");
  GstPad *out = gst_element_get_static_pad (r->element, "src");

  if (!in)
    in = gst_element_request_pad_simple (r->element, "sink_%u");
  r->src = gst_pad_new ("src", GST_PAD_SRC);
  r->sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (r->sink, keep);
  gst_pad_set_chain_list_function (r->sink, keep_list);
  gst_pad_set_active (r->src, TRUE);
  gst_pad_set_active (r->sink, TRUE);
  gst_pad_link (r->src, in);
  gst_pad_link (out, r->sink);
  gst_object_unref (in);
  gst_object_unref (out);
}

static void
say_target (Rig *r, guint bps)
{
  gst_pad_push_event (r->sink, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRtpTargetBitrate", "target-bitrate", G_TYPE_UINT, bps,
              NULL)));
}

static void
set_up_parity (Rig *r)
{
  g_object_set (r->element, "max-bitrate", G_MAXUINT, "tuning",
      tuning ("fec-interval-min=%u,fec-interval-max=%u", r->parity, r->parity),
      "feedback-interval", 10 * GST_SECOND, NULL);
  gst_util_set_object_arg (G_OBJECT (r->element), "probe-for", "external");
}

/* A probe for a controller that wants more, on which nobody reports. */
static void
start_parity (Rig *r)
{
  g_signal_emit_by_name (r->element, "reset");
  say_target (r, 1000000);
  say_target (r, 100000000);
}

static gboolean
set_up (Rig *r)
{
  GstCaps *caps = gst_caps_from_string (r->caps);
  GstSegment segment;

  if (!(r->element = gst_element_factory_make (r->factory, NULL)))
    return FALSE;
  if (strcmp (r->factory, "rtpgccsender") == 0)
    g_object_set (r->element, "max-bitrate", G_MAXUINT, "start-bitrate", G_MAXUINT,
        "min-bitrate", G_MAXUINT, "tuning", tuning (NO_PROBES), NULL);
  if (r->parity > 0)
    set_up_parity (r);
  if (strcmp (r->factory, "rtpcircuitbreaker") == 0)    /* nobody reports */
    g_object_set (r->element, "require-rtcp", FALSE, NULL);
  if (strcmp (r->factory, "rtpfbrareceiver") == 0)      /* rounds make packets late */
    g_object_set (r->element, "drop-late", FALSE, NULL);
  if (r->interval > 0)
    g_object_set (r->element, "feedback-interval", r->interval, NULL);
  r->clock = g_object_new (step_clock_get_type (), NULL);
  gst_element_set_clock (r->element, GST_CLOCK (r->clock));
  link_pads (r);
  link_rtcp (r);
  gst_element_set_state (r->element, GST_STATE_PLAYING);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (r->src, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (r->src, gst_event_new_caps (caps));
  gst_pad_push_event (r->src, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  return TRUE;
}

static void
tear_down (Rig *r)
{
  gst_element_set_state (r->element, GST_STATE_NULL);
  gst_pad_set_active (r->src, FALSE);
  gst_pad_set_active (r->sink, FALSE);
  if (r->rtcp_src) {
    gst_pad_set_active (r->rtcp_sink, FALSE);
    gst_clear_object (&r->rtcp_sink);
    gst_clear_object (&r->rtcp_src);
  }
  gst_object_unref (r->src);
  gst_object_unref (r->sink);
  gst_object_unref (r->element);
  gst_object_unref (r->clock);
}

/* --- rounds --------------------------------------------------------------- */

/* Captured at @pts. */
static GstBuffer *
make_packet (guint number, guint ssrcs, GstClockTime pts)
{
  guint8 header[64], stamp[RCC_ABS_SEND_TIME_SIZE];
  const RccRtpExt ext = { 3, sizeof stamp, stamp };
  const RccRtp rtp = { .pt = 96, .seq = (guint16) (number / MAX (ssrcs, 1)),
    .ssrc = 1 + number % MAX (ssrcs, 1) * 7919, .timestamp = number * 90,
    .marker = number % 10 == 9 };
  GstBuffer *buffer;
  gsize size;

  rcc_put24 (stamp, rcc_abs_send_time (number * GST_MSECOND));
  size = rcc_rtp_build (header, sizeof header, &rtp, &ext, 1);
  buffer = gst_buffer_new_memdup (header, size);
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, SIZE - size, NULL));
  gst_buffer_memset (buffer, size, (guint8) number, SIZE - size);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = pts;
  return buffer;
}

static gint
by_value (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static gdouble
median (gdouble *times, guint n)
{
  qsort (times, n, sizeof *times, by_value);
  return times[n / 2];
}

/* What lies between two readings with nothing in between. */
static gdouble
reading_ns (clockid_t whose)
{
  gdouble took[READINGS];

  for (guint i = 0; i < READINGS; i++) {
    const gdouble start = cpu_ns (whose);

    took[i] = cpu_ns (whose) - start;
  }
  return median (took, READINGS);
}

/* The pad's task pauses itself first, and holds the stream's lock while it works.  To sleep
 * meanwhile would leave us a cold cache, which identity, that never sleeps here, is spared. */
static void
wait_for_report (const Rig *r)
{
  guint n = 0;

  wait_for_timers ();
  while (r->rtcp_src && gst_pad_get_task_state (r->rtcp_src) == GST_TASK_STARTED)
    spin (&n);
  while (r->rtcp_src && !GST_PAD_STREAM_TRYLOCK (r->rtcp_src))
    spin (&n);
  if (r->rtcp_src)
    GST_PAD_STREAM_UNLOCK (r->rtcp_src);
}

/* A packet that queues is pushed by another thread: then the time says nothing. */
static void
take_back (const Rig *r)
{
  if (n_packets != PACKETS + (r->parity ? PACKETS / r->parity : 0)) {
    fprintf (stderr, "bench-elements: %s let %u of %u packets through at once\n",
        r->name, n_packets, PACKETS);
    exit (1);
  }
  while (n_received > 0)
    gst_mini_object_unref (received[--n_received]);
  n_packets = 0;
}

/* Per packet; @all: of all threads. */
static gdouble
round_of (Rig *r, guint list, gdouble *all)
{
  const guint n = PACKETS / list;
  GstClockTime pts = r->clock->time;
  gpointer items[PACKETS];
  gdouble begun, start, stopped, took = 0, waited = 0, napped;
  guint pauses = 0;

  for (guint i = 0; i < n; i++) {
    items[i] = list > 1 ? (gpointer) gst_buffer_list_new_sized (list)
        : (gpointer) make_packet (r->made++, r->ssrcs, pts += GST_MSECOND);
    for (guint k = 0; list > 1 && k < list; k++)
      gst_buffer_list_add (items[i], make_packet (r->made++, r->ssrcs, pts += GST_MSECOND));
  }
  if (r->parity > 0)
    start_parity (r);
  napped = napped_ns ();
  begun = cpu_ns (CLOCK_PROCESS_CPUTIME_ID);
  start = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
  for (guint i = 0; i < n; i++) {
    r->clock->time += list * GST_MSECOND;
    if (let_timers_run (r->clock)) {
      stopped = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
      wait_for_report (r);
      took += stopped - start;
      start = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
      waited += start - stopped;
      pauses++;
    }
    if (list > 1)
      gst_pad_push_list (r->src, items[i]);
    else
      gst_pad_push (r->src, items[i]);
  }
  took += cpu_ns (CLOCK_THREAD_CPUTIME_ID) - start;
  *all = (cpu_ns (CLOCK_PROCESS_CPUTIME_ID) - begun - waited - reading_process
      - (2 + pauses) * reading_thread - (napped_ns () - napped)) / PACKETS;
  take_back (r);
  return (took - (1 + pauses) * reading_thread) / PACKETS;
}

/* Rounds @from to @upto, in this process. */
static gboolean
measure_here (Rig *rigs, guint n, guint from, guint upto)
{
  gdouble all;

  for (guint k = 0; k < n; k++)
    if (!set_up (&rigs[k])) {
      fprintf (stderr, "bench-elements: there is no element %s; set GST_PLUGIN_PATH to "
          "the folder of its plugin\n", rigs[k].factory);
      return FALSE;
    }
  start_timers ();
  for (guint i = 0; i < WARM_UP; i++)
    for (guint k = 0; k < n; k++) {
      round_of (&rigs[k], 1, &all);
      round_of (&rigs[k], LIST, &all);
    }
  for (guint i = from; i < upto; i++)
    for (guint k = 0; k < n; k++) {
      rigs[k].times[0][i] = round_of (&rigs[k], 1, &rigs[k].all_times[i]);
      rigs[k].times[1][i] = round_of (&rigs[k], LIST, &all);
    }
  stop_timers ();
  for (guint k = 0; k < n; k++)
    tear_down (&rigs[k]);
  return TRUE;
}

static void
tell_times (const Rig *rigs, guint n, guint from, guint upto)
{
  for (guint k = 0; k < n; k++) {
    for (guint i = from; i < upto; i++)
      printf ("%.1f %.1f %.1f ", rigs[k].times[0][i], rigs[k].all_times[i], rigs[k].times[1][i]);
    printf ("%u\n", rigs[k].reports);
  }
}

/* What tell_times() wrote.  False: not all of it is there. */
static gboolean
take_times (const gchar *told, Rig *rigs, guint n, guint from, guint upto)
{
  gchar *at = (gchar *) told;

  for (guint k = 0; k < n; k++) {
    for (guint i = from; i < upto; i++) {
      rigs[k].times[0][i] = g_ascii_strtod (at, &at);
      rigs[k].all_times[i] = g_ascii_strtod (at, &at);
      rigs[k].times[1][i] = g_ascii_strtod (at, &at);
    }
    rigs[k].reports += (guint) g_ascii_strtoull (at, &at, 10);
    if (*at++ != '\n')
      return FALSE;
  }
  return TRUE;
}

/* All rounds of the table called @what, a few in each of PLACES processes. */
static gboolean
measure (const gchar *what, Rig *rigs, guint n, guint rounds)
{
  for (guint i = 0; i < PLACES; i++) {
    const guint from = rounds * i / PLACES, upto = rounds * (i + 1) / PLACES;
    g_autofree gchar *first = g_strdup_printf ("%u", from);
    g_autofree gchar *end = g_strdup_printf ("%u", upto);
    const gchar *argv[] = { self, "--place", what, first, end, NULL };
    g_autofree gchar *told = NULL;
    g_autoptr (GError) error = NULL;

    if (!g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &told, NULL,
            NULL, &error)) {
      fprintf (stderr, "bench-elements: %s\n", error->message);
      return FALSE;
    }
    if (!take_times (told, rigs, n, from, upto))        /* it has said why */
      return FALSE;
  }
  return TRUE;
}

/* The rounds' median in each process, as a ratio to the first rig's in the same one, sorted. */
static void
ratios (const Rig *rigs, guint k, guint rounds, gdouble *found)
{
  for (guint p = 0; p < PLACES; p++) {
    const guint from = rounds * p / PLACES, n = rounds * (p + 1) / PLACES - from;
    gdouble own[ROUNDS], first[ROUNDS];

    memcpy (own, rigs[k].times[0] + from, n * sizeof *own);
    memcpy (first, rigs[0].times[0] + from, n * sizeof *first);
    found[p] = median (own, n) / median (first, n);
  }
  qsort (found, PLACES, sizeof *found, by_value);
}

static void
print_table (Rig *rigs, guint n, guint rounds)
{
  gdouble first = 0, first_all = 0, found[ROWS_MAX][PLACES];

  for (guint i = 0; i < n; i++)         /* median() sorts the rounds */
    ratios (rigs, i, rounds, found[i]);
  printf ("reading a thread's clock: %.0f ns, the process's: %.0f ns, taken off\n",
      reading_thread, reading_process);
  printf ("ns of CPU per packet of %u B, median of %u rounds of %u; ratio to the first: median, "
      "least and\nlargest of %u processes\n", SIZE, rounds, PACKETS, PLACES);
  printf ("%-28s %10s %6s %11s %11s %6s %11s %6s %7s\n", "", "one by one", "ratio", "",
      "all threads", "ratio", "lists of 10", "ratio", "reports");
  for (guint i = 0; i < n; i++) {
    const gdouble a = median (rigs[i].times[0], rounds);
    const gdouble t = median (rigs[i].all_times, rounds);
    const gdouble l = median (rigs[i].times[1], rounds);

    first = i == 0 ? a : first;
    first_all = i == 0 ? t : first_all;
    printf ("%-28s %10.1f %6.3f %5.3f-%5.3f %11.1f %6.3f %11.1f %6.3f %7u\n", rigs[i].name, a,
        (found[i][PLACES / 2] + found[i][(PLACES - 1) / 2]) / 2, found[i][0],
        found[i][PLACES - 1], t, t / first_all, l, l / first, rigs[i].reports);
  }
}

/* --- queued --------------------------------------------------------------- */

static GMutex gate;                     /* before the sink of queue */
static GCond all_received;

static GstFlowReturn
keep_late (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  g_mutex_lock (&gate);
  keep (pad, parent, buffer);
  if (n_packets == PACKETS)
    g_cond_signal (&all_received);
  g_mutex_unlock (&gate);
  return GST_FLOW_OK;
}

/* queue waits at the gate, the mux for a target. */
static gdouble
queued_round (Rig *r)
{
  const gboolean mux = strcmp (r->factory, "rtpsbpnmux") == 0;
  const gboolean held = strstr (r->name, "held") != NULL;
  GstBuffer *items[PACKETS];
  gdouble start, took;

  for (guint i = 0; i < PACKETS; i++)
    items[i] = make_packet (r->made++, r->ssrcs, i * GST_MSECOND);
  step = 1000;
  if (mux)
    say_target (r, 0);
  start = cpu_ns (CLOCK_PROCESS_CPUTIME_ID);
  if (!mux && held)
    g_mutex_lock (&gate);
  for (guint i = 0; i < PACKETS; i++)
    gst_pad_push (r->src, items[i]);
  if (mux)
    say_target (r, G_MAXUINT);
  if (mux || !held)
    g_mutex_lock (&gate);
  while (n_packets < PACKETS)
    g_cond_wait (&all_received, &gate);
  g_mutex_unlock (&gate);
  took = cpu_ns (CLOCK_PROCESS_CPUTIME_ID) - start;
  take_back (r);
  return took / PACKETS;
}

static gboolean
measure_queued (guint rounds)
{
  static Rig rigs[] = {
    { .name = "queue", .factory = "queue", .caps = PLAIN },
    { .name = "queue, all held", .factory = "queue", .caps = PLAIN },
    { .name = "rtpsbpnmux, all held", .factory = "rtpsbpnmux", .caps = PLAIN },
  };
  gdouble first = 0;

  for (guint k = 0; k < G_N_ELEMENTS (rigs); k++) {
    if (!set_up (&rigs[k]))
      return FALSE;
    gst_pad_set_chain_function (rigs[k].sink, keep_late);
    g_object_set (rigs[k].element, "max-size-buffers", PACKETS, "max-size-bytes", 0,
        "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  }
  for (guint i = 0; i < rounds + WARM_UP; i++)
    for (guint k = 0; k < G_N_ELEMENTS (rigs); k++)
      rigs[k].times[0][i < WARM_UP ? 0 : i - WARM_UP] = queued_round (&rigs[k]);
  printf ("\n%-28s %10s %6s\n", "process CPU, ns", "queued", "ratio");
  for (guint k = 0; k < G_N_ELEMENTS (rigs); k++) {
    const gdouble a = median (rigs[k].times[0], rounds);

    first = k == 0 ? a : first;
    printf ("%-28s %10.1f %6.3f\n", rigs[k].name, a, a / first);
    tear_down (&rigs[k]);
  }
  return TRUE;
}

/* --- many streams --------------------------------------------------------- */

static const struct {
  const gchar *factory, *caps;
} with_ssrcs[] = { { "rtpgccsender", STAMPED }, { "rtpsbpnmux", PLAIN }, { "rtpfbrafec", PLAIN },
  { "rtpgccreceiver", STAMPED }, { "rtpfbrareceiver", STAMPED } };
static const guint counts[] = { 1, 5, 9, 16, 64 };
static Rig each_count[G_N_ELEMENTS (counts)];

/* @factory with each number of SSRCs.  False: it is none of these elements. */
static gboolean
set_counts (const gchar *factory)
{
  for (guint e = 0; e < G_N_ELEMENTS (with_ssrcs); e++)
    if (strcmp (with_ssrcs[e].factory, factory) == 0) {
      for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
        each_count[i] = (Rig) { .name = factory, .factory = factory, .caps = with_ssrcs[e].caps,
          .ssrcs = counts[i] };
      return TRUE;
    }
  return FALSE;
}

static gboolean
measure_ssrcs (guint rounds)
{
  printf ("\n%-28s", "ns of CPU per packet, SSRCs");
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    printf (" %8u", counts[i]);
  printf (" %14s\n", "last to first");
  for (guint e = 0; e < G_N_ELEMENTS (with_ssrcs); e++) {
    gdouble ns[G_N_ELEMENTS (counts)];

    set_counts (with_ssrcs[e].factory);
    if (!measure (with_ssrcs[e].factory, each_count, G_N_ELEMENTS (counts), rounds))
      return FALSE;
    printf ("%-28s", with_ssrcs[e].factory);
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
      printf (" %8.1f", ns[i] = median (each_count[i].times[0], rounds));
    printf (" %14.3f\n", ns[G_N_ELEMENTS (counts) - 1] / ns[0]);
  }
  return TRUE;
}

static Rig all[] = {
  { .name = "identity", .factory = "identity", .caps = STAMPED },
  { .name = "rtpgccsender", .factory = "rtpgccsender", .caps = PLAIN },
  { .name = "rtpgccsender, abs-send-time", .factory = "rtpgccsender", .caps = STAMPED },
  { .name = "rtpfbrafec, no parity", .factory = "rtpfbrafec", .caps = PLAIN },
  { .name = "rtpfbrafec, 10 %", .factory = "rtpfbrafec", .caps = PLAIN, .parity = 10 },
  { .name = "rtpfbrafec, 20 %", .factory = "rtpfbrafec", .caps = PLAIN, .parity = 5 },
  { .name = "rtpfbrafec, 50 %", .factory = "rtpfbrafec", .caps = PLAIN, .parity = 2 },
  { .name = "rtpfbrareceiver", .factory = "rtpfbrareceiver", .caps = STAMPED },
  { .name = "rtpfbrareceiver, each second", .factory = "rtpfbrareceiver", .caps = STAMPED,
    .interval = GST_SECOND },
  { .name = "rtpfbrareceiver, no report", .factory = "rtpfbrareceiver", .caps = STAMPED,
    .interval = 10 * GST_SECOND },
  { .name = "rtpgccreceiver", .factory = "rtpgccreceiver", .caps = STAMPED },
  { .name = "rtpcircuitbreaker", .factory = "rtpcircuitbreaker", .caps = PLAIN },
  { .name = "rtpsbpnmux", .factory = "rtpsbpnmux", .caps = PLAIN },
  { .name = "rtpbitrateadapter", .factory = "rtpbitrateadapter", .caps = PLAIN },
};

/* One of the processes that measure() starts. */
static gboolean
be_a_place (const gchar *what, guint from, guint upto)
{
  const gboolean ssrcs = set_counts (what);
  Rig *rigs = ssrcs ? each_count : all;
  const guint n = ssrcs ? G_N_ELEMENTS (each_count) : G_N_ELEMENTS (all);

  if (upto > ROUNDS || !measure_here (rigs, n, from, upto))
    return FALSE;
  tell_times (rigs, n, from, upto);
  return TRUE;
}

static gboolean
measure_one (const gchar *name, guint rounds)
{
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i].name, name) == 0) {
      if (!measure_here (&all[i], 1, 0, rounds))
        return FALSE;
      print_table (&all[i], 1, rounds);
      return TRUE;
    }
  fprintf (stderr, "bench-elements: there is no row %s; run it without arguments to see them\n",
      name);
  return FALSE;
}

static gboolean
measure_all (guint rounds)
{
  if (!measure ("all", all, G_N_ELEMENTS (all), rounds))
    return FALSE;
  print_table (all, G_N_ELEMENTS (all), rounds);
  return measure_queued (rounds) && measure_ssrcs (rounds);
}

int
main (int argc, char **argv)
{
  guint rounds = ROUNDS;

  gst_init (&argc, &argv);
  self = argv[0];
  reading_thread = reading_ns (CLOCK_THREAD_CPUTIME_ID);
  reading_process = reading_ns (CLOCK_PROCESS_CPUTIME_ID);
  if (argc == 5 && strcmp (argv[1], "--place") == 0)
    return !be_a_place (argv[2], (guint) atoi (argv[3]), (guint) atoi (argv[4]));
  if (argc > 1)
    rounds = (guint) CLAMP (atoi (argv[1]), PLACES, ROUNDS);
  if (argc > 2 && strcmp (argv[2], "queued") == 0)
    return !measure_queued (rounds);
  if (argc > 2 && strcmp (argv[2], "ssrcs") == 0)
    return !measure_ssrcs (rounds);
  return argc > 2 ? !measure_one (argv[2], rounds) : !measure_all (rounds);
}
