/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-reports - CPU time that rtpcircuitbreaker takes per compound of RTCP, from the
 * session's receiver and from strangers with SSRCs without end
 *
 * One process, one element for all rows; medians of rounds of the thread's CPU time.  What
 * a pad push and a GstBuffer cost is in it: identity's row says how much.  Whether it
 * grows is told by the rounds that nothing disturbed: the tenth percentile of the first
 * and of the last tenth of them.  Then the worst compounds of each format.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <gst/gst.h>

#include "bench-compounds.h"
#include "wire/rtcp.h"
#include "wire/rtp.h"

#define ROUND 1024                      /* compounds */
#define ROUNDS 1000
#define SSRC 0x11223344u
#define PEER 0x70656572u
#define STRANGERS 16384

typedef struct {
  GstElement *element;
  GstPad *rtp, *rtcp;                   /* ours, before its sinks */
} Rig;

static GstFlowReturn
drop (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstPad *
feed (GstElement *element, const gchar *name, const gchar *media)
{
  GstPad *pad = gst_pad_new (NULL, GST_PAD_SRC);
  GstPad *sink = gst_element_get_static_pad (element, name);
  GstCaps *caps = gst_caps_new_empty_simple (media);
  GstSegment segment;

  gst_pad_set_active (pad, TRUE);
  gst_pad_link (pad, sink);
  gst_object_unref (sink);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start (name));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  return pad;
}

static GstPad *
drain (GstElement *element, const gchar *name)
{
  GstPad *pad = gst_pad_new (NULL, GST_PAD_SINK);
  GstPad *src = gst_element_get_static_pad (element, name);

  gst_pad_set_chain_function (pad, drop);
  gst_pad_set_active (pad, TRUE);
  gst_pad_link (src, pad);
  gst_object_unref (src);
  return pad;
}

static void
send_packet (Rig *r, guint16 seq)
{
  const RccRtp rtp = { .pt = 96, .seq = seq, .timestamp = seq * 3000u, .ssrc = SSRC };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 1200, NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  rcc_rtp_build (info.data, info.size, &rtp, NULL, 0);
  gst_buffer_unmap (buffer, &info);
  gst_pad_push (r->rtp, buffer);
}

static gdouble
cpu_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec * 1e9 + (gdouble) t.tv_nsec;
}

typedef gsize (*Make) (guint i, guint8 *data, gsize size);

/* News each time: packets have been sent meanwhile. */
static gsize
from_receiver (guint i, guint8 *data, gsize size)
{
  return rcc_rtcp_build_rr (data, size, PEER, &(RccReportBlock) { .ssrc = SSRC,
      .fraction = 3, .lost = (gint32) i, .highest_seq = i % 1000 }, 1);
}

static gsize
from_stranger (guint i, guint8 *data, gsize size)
{
  return rcc_rtcp_build_rr (data, size, 0x9000000 + i % STRANGERS * 104729u,
      &(RccReportBlock) { .ssrc = 0x5000000 + i % STRANGERS * 7919u, .fraction = 255,
      .highest_seq = i }, 1);
}

/* About us, of packets never sent. */
static gsize
from_forger (guint i, guint8 *data, gsize size)
{
  return rcc_rtcp_build_rr (data, size, 0x9000000 + i % STRANGERS * 104729u,
      &(RccReportBlock) { .ssrc = SSRC, .fraction = 255, .highest_seq = 20000 }, 1);
}

static gdouble
round_of (GstPad *pad, Make make, guint first)
{
  static GstBuffer *buffers[ROUND];
  guint8 data[64];
  gdouble start;

  for (guint i = 0; i < ROUND; i++)
    buffers[i] = gst_buffer_new_memdup (data, make (first + i, data, sizeof data));
  start = cpu_ns ();
  for (guint i = 0; i < ROUND; i++)
    gst_pad_push (pad, buffers[i]);
  return (cpu_ns () - start) / ROUND;
}

static gint
by_value (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* The value that @percent of them are below. */
static gdouble
percentile (const gdouble *times, guint n, guint percent)
{
  gdouble sorted[ROUNDS];

  memcpy (sorted, times, n * sizeof *times);
  qsort (sorted, n, sizeof *sorted, by_value);
  return sorted[n * percent / 100];
}

static void
measure (const gchar *name, GstPad *pad, Make make)
{
  static gdouble times[ROUNDS];
  const gsize before = mallinfo2 ().uordblks;
  gdouble first, last;

  for (guint i = 0; i < ROUNDS; i++)
    times[i] = round_of (pad, make, i * ROUND);
  first = percentile (times, ROUNDS / 10, 10);
  last = percentile (times + ROUNDS - ROUNDS / 10, ROUNDS / 10, 10);
  printf ("%-40s %8.1f %12.3f %12" G_GINT64_FORMAT "\n", name, percentile (times, ROUNDS, 50),
      last / first, ((gint64) mallinfo2 ().uordblks - (gint64) before) / 1024);
}

int
main (int argc, char **argv)
{
  Rig r;
  GstElement *identity;
  GstPad *in, *out;
  gint state;

  gst_init (&argc, &argv);
  if (!(r.element = gst_element_factory_make ("rtpcircuitbreaker", NULL))) {
    fprintf (stderr, "bench-reports: there is no element rtpcircuitbreaker; set "
        "GST_PLUGIN_PATH to the folder of its plugin\n");
    return 1;
  }
  identity = gst_element_factory_make ("identity", NULL);
  gst_element_set_state (identity, GST_STATE_PLAYING);
  gst_element_set_state (r.element, GST_STATE_PLAYING);
  out = drain (identity, "src");
  in = feed (identity, "sink", "application/x-rtcp");
  drain (r.element, "src");
  drain (r.element, "rtcp_src");
  r.rtp = feed (r.element, "sink", "application/x-rtp");
  r.rtcp = feed (r.element, "rtcp_sink", "application/x-rtcp");
  for (guint i = 0; i < 1000; i++)
    send_packet (&r, (guint16) i);

  printf ("ns of CPU per compound, median of %u rounds of %u; the last tenth of the rounds "
      "to the first; kB more\n", ROUNDS, ROUND);
  measure ("identity", in, from_receiver);
  measure ("receiver's RR", r.rtcp, from_receiver);
  measure ("strangers' RRs, 16384 SSRCs, 1 M", r.rtcp, from_stranger);
  measure ("forged RRs about our SSRC, 1 M", r.rtcp, from_forger);
  measure ("receiver's RR after those", r.rtcp, from_receiver);
  g_object_get (r.element, "state", &state, NULL);
  printf ("state afterwards: %s\n", state == 0 ? "closed" : "not closed");
  gst_element_set_state (identity, GST_STATE_NULL);
  gst_element_set_state (r.element, GST_STATE_NULL);
  gst_object_unref (in);
  gst_object_unref (out);
  gst_object_unref (identity);
  gst_object_unref (r.element);
  printf ("\n");
  bench_compounds ();
  return 0;
}
