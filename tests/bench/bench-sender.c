/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a packet costs in rtpgccsender, as a share of what it costs in identity: the
 * median, over interleaved rounds in one process, of the thread's CPU time. */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wire/rtp.h"

#define ROUNDS 201
#define PACKETS 512
#define PAYLOAD 1200
#define LIST 10
#define LISTS (PACKETS / LIST)
#define CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96"
#define ABS_CAPS CAPS ",extmap-3=(string)" RCC_ABS_SEND_TIME_URI

/* Costs what the system's clock costs, but each reading is a millisecond later: at the
 * largest rate there is, every packet may leave at once. */
typedef struct {
  GstClock parent;
  guint64 readings;
} FastClock;

typedef GstClockClass FastClockClass;

GType fast_clock_get_type (void);
G_DEFINE_TYPE (FastClock, fast_clock, GST_TYPE_CLOCK);

static GstClockTime
fast_clock_time (GstClock *clock)
{
  return (gst_util_get_timestamp () & 1023)
      + ++((FastClock *) clock)->readings * GST_MSECOND;
}

static void
fast_clock_class_init (FastClockClass *klass)
{
  klass->get_internal_time = fast_clock_time;
}

static void
fast_clock_init (FastClock *clock)
{
}

typedef struct {
  const gchar *name, *factory, *caps;
  GstElement *element;
  GstPad *src, *sink;
  gdouble single[ROUNDS], list[ROUNDS];         /* ns a packet */
} Case;

static guint received;

static GstFlowReturn
chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  received++;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstFlowReturn
chain_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  received += gst_buffer_list_length (list);
  gst_buffer_list_unref (list);
  return GST_FLOW_OK;
}

/* Header and payload in memories of their own, as payloaders make them. */
static GstBuffer *
make_packet (guint16 seq)
{
  static const guint8 head[] = { 0x90, 96, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4,
    0xbe, 0xde, 0, 1, 0x32, 0, 0, 0
  };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, sizeof head, NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  memcpy (info.data, head, sizeof head);
  rcc_put16 (info.data + 2, seq);
  rcc_put32 (info.data + 4, seq * 100u);
  gst_buffer_unmap (buffer, &info);
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, PAYLOAD, NULL));
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = seq * GST_MSECOND;
  return buffer;
}

static void
set_up (Case *c, GstClock *clock)
{
  GstPad *sink, *src;
  GstSegment segment;
  GstCaps *caps = gst_caps_from_string (c->caps);

  c->element = gst_element_factory_make (c->factory, NULL);
  gst_element_set_clock (c->element, clock);
  if (strcmp (c->factory, "rtpgccsender") == 0)
    g_object_set (c->element, "max-bitrate", G_MAXUINT, "start-bitrate", G_MAXUINT,
        "probe-interval", G_GUINT64_CONSTANT (0), NULL);
  c->src = gst_pad_new ("src", GST_PAD_SRC);
  c->sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (c->sink, chain);
  gst_pad_set_chain_list_function (c->sink, chain_list);
  sink = gst_element_get_static_pad (c->element, "sink");
  src = gst_element_get_static_pad (c->element, "src");
  gst_pad_link (c->src, sink);
  gst_pad_link (src, c->sink);
  gst_pad_set_active (c->sink, TRUE);
  gst_element_set_state (c->element, GST_STATE_PLAYING);
  gst_pad_set_active (c->src, TRUE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (c->src, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (c->src, gst_event_new_caps (caps));
  gst_pad_push_event (c->src, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (sink);
  gst_object_unref (src);
}

static void
tear_down (Case *c)
{
  gst_element_set_state (c->element, GST_STATE_NULL);
  gst_pad_set_active (c->src, FALSE);
  gst_pad_set_active (c->sink, FALSE);
  gst_object_unref (c->element);
  gst_object_unref (c->src);
  gst_object_unref (c->sink);
}

static gdouble
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (gdouble) t.tv_sec + (gdouble) t.tv_nsec;
}

static void
must_have_passed (const Case *c, guint n)
{
  if (received != n) {
    fprintf (stderr, "%s let %u of %u packets through: its cost says nothing\n", c->name,
        received, n);
    exit (1);
  }
}

static gdouble
run_single (Case *c, guint16 *seq)
{
  GstBuffer *buffers[PACKETS];
  gdouble start;

  for (guint i = 0; i < PACKETS; i++)
    buffers[i] = make_packet ((*seq)++);
  received = 0;
  start = cpu_ns ();
  for (guint i = 0; i < PACKETS; i++)
    gst_pad_push (c->src, buffers[i]);
  start = cpu_ns () - start;
  must_have_passed (c, PACKETS);
  return start / PACKETS;
}

static gdouble
run_list (Case *c, guint16 *seq)
{
  GstBufferList *lists[LISTS];
  gdouble start;

  for (guint i = 0; i < LISTS; i++) {
    lists[i] = gst_buffer_list_new_sized (LIST);
    for (guint k = 0; k < LIST; k++)
      gst_buffer_list_add (lists[i], make_packet ((*seq)++));
  }
  received = 0;
  start = cpu_ns ();
  for (guint i = 0; i < LISTS; i++)
    gst_pad_push_list (c->src, lists[i]);
  start = cpu_ns () - start;
  must_have_passed (c, LISTS * LIST);
  return start / (LISTS * LIST);
}

static int
by_value (const void *a, const void *b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static gdouble
median (gdouble *values)
{
  qsort (values, ROUNDS, sizeof *values, by_value);
  return values[ROUNDS / 2];
}

int
main (int argc, char **argv)
{
  static Case cases[] = {
    {.name = "identity",.factory = "identity",.caps = ABS_CAPS},
    {.name = "rtpgccsender",.factory = "rtpgccsender",.caps = CAPS},
    {.name = "rtpgccsender, abs-send-time",.factory = "rtpgccsender",.caps = ABS_CAPS},
  };
  GstClock *clock;
  gdouble single = 1, list = 1;
  guint16 seq = 0;

  gst_init (&argc, &argv);
  clock = g_object_new (fast_clock_get_type (), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    set_up (&cases[i], clock);
  for (guint r = 0; r < ROUNDS; r++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
      const guint16 first = seq;

      cases[i].single[r] = run_single (&cases[i], &seq);
      cases[i].list[r] = run_list (&cases[i], &seq);
      if (i + 1 < G_N_ELEMENTS (cases))
        seq = first;
    }
  printf ("%u B packets in two memories, median of %u rounds of %u, ns CPU a packet\n",
      PAYLOAD + 20, ROUNDS, PACKETS);
  printf ("%-30s %8s %10s %12s %10s\n", "element", "single", "x identity", "lists of 10",
      "x identity");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gdouble s = median (cases[i].single), l = median (cases[i].list);

    single = i == 0 ? s : single;
    list = i == 0 ? l : list;
    printf ("%-30s %8.0f %10.2f %12.0f %10.2f\n", cases[i].name, s, s / single, l,
        l / list);
    tear_down (&cases[i]);
  }
  gst_object_unref (clock);
  return 0;
}
