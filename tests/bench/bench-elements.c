/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-elements - CPU time of an RTP element with pads sink and src, per packet and
 * as a ratio to identity
 *
 * Packets of 1200 B in two memories, as payloaders make them, with abs-send-time; all
 * in one process, rounds of each configuration in turn, medians.  What frees the
 * buffers is not measured.
 */
#include <stdlib.h>
#include <time.h>
#include <gst/gst.h>

#include "wire/rtp.h"

#define ROUNDS 301
#define PACKETS 500
#define WARM_UP 20                      /* rounds over 0.6 s: until there is an estimate */
#define CAPS "application/x-rtp,media=(string)video,clock-rate=(int)90000," \
  "extmap-3=(string)\"" RCC_ABS_SEND_TIME_URI "\""

typedef struct {
  const gchar *name;
  guint list;                           /* buffers in a list; 0: one by one */
  GstElement *element;
  GstPad *src, *sink;
  guint sent;
  gdouble times[ROUNDS];
} Rig;

static GstMiniObject *came[PACKETS];
static guint n_came;

static GstFlowReturn
keep (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  came[n_came++] = GST_MINI_OBJECT_CAST (buffer);
  return GST_FLOW_OK;
}

static GstFlowReturn
keep_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  came[n_came++] = GST_MINI_OBJECT_CAST (list);
  return GST_FLOW_OK;
}

static gboolean
ignore (GstPad *pad, GstObject *parent, GstEvent *event)
{
  gst_event_unref (event);
  return TRUE;
}

static gboolean
rig_init (Rig *r)
{
  GstPad *in, *out;
  GstSegment segment;

  r->element = gst_element_factory_make (r->name, NULL);
  if (!r->element)
    return FALSE;
  r->src = gst_pad_new ("src", GST_PAD_SRC);
  r->sink = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (r->sink, keep);
  gst_pad_set_chain_list_function (r->sink, keep_list);
  gst_pad_set_event_function (r->sink, ignore);
  in = gst_element_get_static_pad (r->element, "sink");
  out = gst_element_get_static_pad (r->element, "src");
  gst_pad_set_active (r->src, TRUE);
  gst_pad_set_active (r->sink, TRUE);
  gst_pad_link (r->src, in);
  gst_pad_link (out, r->sink);
  gst_object_unref (in);
  gst_object_unref (out);
  gst_element_set_state (r->element, GST_STATE_PLAYING);
  gst_pad_push_event (r->src, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (r->src, gst_event_new_caps (gst_caps_from_string (CAPS)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (r->src, gst_event_new_segment (&segment));
  return TRUE;
}

/* Sent a millisecond apart, captured now. */
static GstBuffer *
packet (guint number, GstClockTime now)
{
  guint8 header[64], stamp[3];
  const RccRtpExt ext = { 3, sizeof stamp, stamp };
  const RccRtp rtp = { .pt = 96, .seq = (guint16) number, .ssrc = 1,
    .timestamp = number * 90 };
  GstBuffer *buffer;
  gsize size;

  rcc_put24 (stamp, rcc_abs_send_time (number * GST_MSECOND));
  size = rcc_rtp_build (header, sizeof header, &rtp, &ext, 1);
  buffer = gst_buffer_new_memdup (header, size);
  gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, 1200 - size, NULL));
  GST_BUFFER_PTS (buffer) = now;
  return buffer;
}

static gdouble
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
}

static gdouble
round_of (Rig *r)
{
  GstClockTime now = gst_util_get_timestamp ();
  gpointer items[PACKETS];
  const guint n = r->list ? PACKETS / r->list : PACKETS;
  gdouble start, took;

  for (guint i = 0; i < n; i++) {
    items[i] = r->list ? (gpointer) gst_buffer_list_new_sized (r->list)
        : (gpointer) packet (r->sent++, now);
    for (guint k = 0; k < r->list; k++)
      gst_buffer_list_add (items[i], packet (r->sent++, now));
  }
  start = cpu_ns ();
  for (guint i = 0; i < n; i++)
    if (r->list)
      gst_pad_push_list (r->src, items[i]);
    else
      gst_pad_push (r->src, items[i]);
  took = cpu_ns () - start;
  while (n_came > 0)
    gst_mini_object_unref (came[--n_came]);
  return took / PACKETS;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static void
measure (Rig *rigs, guint n)
{
  for (guint i = 0; i < WARM_UP; i++) {
    for (guint k = 0; k < n; k++)
      round_of (&rigs[k]);
    g_usleep (30000);
  }
  for (guint i = 0; i < ROUNDS; i++)
    for (guint k = 0; k < n; k++)
      rigs[k].times[i] = round_of (&rigs[k]);
  for (guint k = 0; k < n; k++) {
    qsort (rigs[k].times, ROUNDS, sizeof (gdouble), compare);
    g_print ("%-20s %-11s %6.0f ns/packet  %.2f\n", rigs[k].name,
        rigs[k].list ? "list of 10" : "one by one", rigs[k].times[ROUNDS / 2],
        rigs[k].times[ROUNDS / 2] / rigs[0].times[ROUNDS / 2]);
  }
}

int
main (int argc, char **argv)
{
  static Rig rigs[] = { {.name = "identity"}, {.name = "rtpgccreceiver"},
    {.name = "rtpgccreceiver", .list = 10}
  };

  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (rigs); i++)
    if (!rig_init (&rigs[i])) {
      g_printerr ("bench-elements: there is no element %s; set GST_PLUGIN_PATH to the "
          "folder of its plugin\n", rigs[i].name);
      return 1;
    }
  measure (rigs, G_N_ELEMENTS (rigs));
  for (guint i = 0; i < G_N_ELEMENTS (rigs); i++)
    gst_element_set_state (rigs[i].element, GST_STATE_NULL);
  return 0;
}
