/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-elements - CPU time per packet of the elements that packets pass through, as a
 * ratio to identity
 *
 * Packets of 1200 B, header and payload in memories of their own as payloaders make
 * them, with abs-send-time; one by one, and in lists of 10.  All in one process;
 * medians, over rounds in which each element has its turn, of the thread's CPU time.
 * The payload has just been written, as by an encoder; making the packets and freeing
 * them is not measured.  The ratio of lists is to
 * identity one by one too: it has no way for lists, takes them apart and copies.
 * The clock runs a thousand times faster than time does and has no timers.  So packets begin
 * what a timer begins in a call: rtpfbrareceiver's regular reports, one each second of that
 * clock, each of which wakes a thread.  "no report" has an interval of 10 s, and next to none.
 * Every so many rounds the elements are made anew, elsewhere in memory.
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <gst/gst.h>

#include "../elements/tuning.h"
#include "wire/rtp.h"

#define ROUNDS 304
#define PLACES 8                        /* in memory: chance is worth 10 ns */
#define WARM_UP 10                      /* rounds: until there is an estimate */
#define PACKETS 500
#define LIST 10
#define SIZE 1200
#define PLAIN "application/x-rtp,media=(string)video,clock-rate=(int)90000"
#define STAMPED PLAIN ",extmap-3=(string)\"" RCC_ABS_SEND_TIME_URI "\""

/* --- a clock ---------------------------------------------------------------- */

/* Costs what the system's clock costs.  Packets stand a millisecond apart on it, so
 * that a pacer lets each of them through at once, and estimators see an even stream. */
typedef struct {
  GstClock parent;
  GstClockTime time;
} StepClock;

typedef GstClockClass StepClockClass;

static GstClockTime step = GST_MSECOND; /* from reading to reading */

GType step_clock_get_type (void);
G_DEFINE_TYPE (StepClock, step_clock, GST_TYPE_CLOCK);

static GstClockTime
step_clock_time (GstClock *clock)
{
  const GstClockTime noise = gst_util_get_timestamp () & 1023;

  return (((StepClock *) clock)->time += step) + noise;
}

static void
step_clock_class_init (StepClockClass *class_index)
{
  class_index->get_internal_time = step_clock_time;
}

static void
step_clock_init (StepClock *clock)
{
}

/* --- an element between two pads --------------------------------------------- */

typedef struct {
  const gchar *name, *factory, *caps;
  guint parity;                         /* rtpfbrafec: packets for one of parity; 0: none */
  guint ssrcs;                          /* in turn; 0: one */
  guint64 interval;                     /* of feedback; 0: its default */
  StepClock *clock;
  GstElement *element;
  GstPad *src, *sink;
  guint made;
  gdouble times[2][ROUNDS];             /* one by one; in lists */
} Rig;

static GstMiniObject *received[2 * PACKETS];    /* what the sink keeps: parity, too */
static guint n_received, n_packets;

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
      tuning ("fec-interval-min=%u,fec-interval-max=%u", r->parity, r->parity), "feedback-interval", 10 * GST_SECOND, NULL);
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
        "tuning", tuning (NO_PROBES), NULL);
  if (r->parity > 0)
    set_up_parity (r);
  if (strcmp (r->factory, "rtpfbrareceiver") == 0)      /* rounds make packets late */
    g_object_set (r->element, "drop-late", FALSE, NULL);
  if (r->interval > 0)
    g_object_set (r->element, "feedback-interval", r->interval, NULL);
  r->clock = g_object_new (step_clock_get_type (), NULL);
  gst_element_set_clock (r->element, GST_CLOCK (r->clock));
  link_pads (r);
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
  gst_object_unref (r->src);
  gst_object_unref (r->sink);
  gst_object_unref (r->element);
  gst_object_unref (r->clock);
}

/* --- rounds ------------------------------------------------------------------ */

/* Captured at @pts. */
static GstBuffer *
make_packet (guint number, guint ssrcs, GstClockTime pts)
{
  guint8 header[64], stamp[RCC_ABS_SEND_TIME_SIZE];
  const RccRtpExt ext = { 3, sizeof stamp, stamp };
  const RccRtp rtp = { .pt = 96, .seq = (guint16) (number / MAX (ssrcs, 1)),
    .ssrc = 1 + number % MAX (ssrcs, 1) * 7919, .timestamp = number * 90, .marker = number % 10 == 9 };
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

static gdouble
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
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

static gdouble
round_of (Rig *r, guint list)
{
  const guint n = PACKETS / list;
  GstClockTime pts = r->clock->time;
  gpointer items[PACKETS];
  gdouble start, took;

  for (guint i = 0; i < n; i++) {
    items[i] = list > 1 ? (gpointer) gst_buffer_list_new_sized (list)
        : (gpointer) make_packet (r->made++, r->ssrcs, pts += GST_MSECOND);
    for (guint k = 0; list > 1 && k < list; k++)
      gst_buffer_list_add (items[i], make_packet (r->made++, r->ssrcs, pts += GST_MSECOND));
  }
  if (r->parity > 0)
    start_parity (r);
  step = list * GST_MSECOND;
  start = cpu_ns ();
  for (guint i = 0; i < n; i++)
    if (list > 1)
      gst_pad_push_list (r->src, items[i]);
    else
      gst_pad_push (r->src, items[i]);
  took = cpu_ns () - start;
  take_back (r);
  return took / PACKETS;
}

/* Rounds @from to @upto in one place in memory. */
static gboolean
measure (Rig *rigs, guint n, guint from, guint upto)
{
  gpointer elsewhere = g_malloc (1 + (from * 1237) % 4096);

  for (guint k = 0; k < n; k++)
    if (!set_up (&rigs[k])) {
      fprintf (stderr, "bench-elements: there is no element %s; set GST_PLUGIN_PATH to "
          "the folder of its plugin\n", rigs[k].factory);
      return FALSE;
    }
  for (guint i = 0; i < WARM_UP; i++)
    for (guint k = 0; k < n; k++) {
      round_of (&rigs[k], 1);
      round_of (&rigs[k], LIST);
    }
  for (guint i = from; i < upto; i++)
    for (guint k = 0; k < n; k++) {
      rigs[k].times[0][i] = round_of (&rigs[k], 1);
      rigs[k].times[1][i] = round_of (&rigs[k], LIST);
    }
  for (guint k = 0; k < n; k++)
    tear_down (&rigs[k]);
  g_free (elsewhere);
  return TRUE;
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

static void
print_table (Rig *rigs, guint n, guint rounds)
{
  gdouble first = 0;

  printf ("ns of CPU per packet of %u B, median of %u rounds of %u; ratio to the first\n",
      SIZE, rounds, PACKETS);
  printf ("%-28s %10s %6s %12s %6s\n", "", "one by one", "ratio", "lists of 10", "ratio");
  for (guint i = 0; i < n; i++) {
    const gdouble a = median (rigs[i].times[0], rounds);
    const gdouble l = median (rigs[i].times[1], rounds);

    first = i == 0 ? a : first;
    printf ("%-28s %10.1f %6.3f %12.1f %6.3f\n", rigs[i].name, a, a / first, l, l / first);
  }
}

/* --- queued ------------------------------------------------------------------- */

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

static gdouble
process_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
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
  start = process_ns ();
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
  took = process_ns () - start;
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

/* --- many streams --------------------------------------------------------------- */

static gboolean
measure_ssrcs (guint rounds)
{
  static const guint counts[] = { 1, 5, 9, 16, 64 };
  static const struct {
    const gchar *factory, *caps;
  } elements[] = { { "rtpgccsender", STAMPED }, { "rtpsbpnmux", PLAIN }, { "rtpfbrafec", PLAIN },
    { "rtpgccreceiver", STAMPED }, { "rtpfbrareceiver", STAMPED } };
  static Rig rigs[G_N_ELEMENTS (counts)];

  printf ("\n%-28s", "ns of CPU per packet, SSRCs");
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    printf (" %8u", counts[i]);
  printf (" %14s\n", "last to first");
  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    gdouble ns[G_N_ELEMENTS (counts)];

    for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
      rigs[i] = (Rig) { .name = elements[e].factory, .factory = elements[e].factory,
        .caps = elements[e].caps, .ssrcs = counts[i] };
    for (guint i = 0; i < PLACES; i++)
      if (!measure (rigs, G_N_ELEMENTS (rigs), rounds * i / PLACES, rounds * (i + 1) / PLACES))
        return FALSE;
    printf ("%-28s", elements[e].factory);
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
      printf (" %8.1f", ns[i] = median (rigs[i].times[0], rounds));
    printf (" %14.3f\n", ns[G_N_ELEMENTS (counts) - 1] / ns[0]);
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  static Rig all[] = {
    { .name = "identity", .factory = "identity", .caps = STAMPED },
    { .name = "rtpgccsender", .factory = "rtpgccsender", .caps = PLAIN },
    { .name = "rtpgccsender, abs-send-time", .factory = "rtpgccsender", .caps = STAMPED },
    { .name = "rtpfbrafec, no parity", .factory = "rtpfbrafec", .caps = PLAIN },
    { .name = "rtpfbrafec, 10 %", .factory = "rtpfbrafec", .caps = PLAIN, .parity = 10 },
    { .name = "rtpfbrafec, 20 %", .factory = "rtpfbrafec", .caps = PLAIN, .parity = 5 },
    { .name = "rtpfbrafec, 50 %", .factory = "rtpfbrafec", .caps = PLAIN, .parity = 2 },
    { .name = "rtpfbrareceiver", .factory = "rtpfbrareceiver", .caps = STAMPED },
    { .name = "rtpfbrareceiver, no report", .factory = "rtpfbrareceiver", .caps = STAMPED,
      .interval = 10 * GST_SECOND },
    { .name = "rtpgccreceiver", .factory = "rtpgccreceiver", .caps = STAMPED },
    { .name = "rtpcircuitbreaker", .factory = "rtpcircuitbreaker", .caps = PLAIN },
    { .name = "rtpsbpnmux", .factory = "rtpsbpnmux", .caps = PLAIN },
    { .name = "rtpbitrateadapter", .factory = "rtpbitrateadapter", .caps = PLAIN },
  };
  Rig *rigs = all;
  guint n = G_N_ELEMENTS (all), rounds = ROUNDS;

  gst_init (&argc, &argv);
  if (argc > 1)
    rounds = (guint) CLAMP (atoi (argv[1]), 1, ROUNDS);
  if (argc > 2 && strcmp (argv[2], "queued") == 0)
    return !measure_queued (rounds);
  if (argc > 2 && strcmp (argv[2], "ssrcs") == 0)
    return !measure_ssrcs (rounds);
  for (guint i = 0; argc > 2 && i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i].name, argv[2]) == 0) {
      rigs = &all[i];
      n = 1;
    }
  for (guint i = 0; i < PLACES; i++)
    if (!measure (rigs, n, rounds * i / PLACES, rounds * (i + 1) / PLACES))
      return 1;
  print_table (rigs, n, rounds);
  return n > 1 && !(measure_queued (rounds) && measure_ssrcs (rounds));
}
