/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An rtpbin of somebody else's with rtpccattach, which asks for what was lost on a long path.  In
 * real time, so it waits for what must come.
 */
#include "call-rig.h"

#define LOSSES 24
#define DELAY "300000000"       /* ns: a copy takes that, and 200 ms do not suffice */
#define LATENCY "200"

/* Of the copies, too (RFC 4588 section 8.6). */
static GstCaps *
on_map (GstElement *rtpbin, guint session, guint pt, gpointer data)
{
  return gst_caps_from_string (pt == 96 ? "application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=H264,payload=96" : "application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=RTX,payload=112,apt=(string)96");
}

static void
add_ghost (GstElement *bin, GstElement *rtx, const gchar *pad, const gchar *name)
{
  GstPad *target = gst_element_get_static_pad (rtx, pad);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, target));
  gst_object_unref (target);
}

static GstElement *
on_aux (GstElement *rtpbin, guint session, gpointer data)
{
  GstElement *rtx = gst_element_factory_make ("rtprtxreceive", NULL), *bin = gst_bin_new (NULL);

  gst_util_set_object_arg (G_OBJECT (rtx), "payload-type-map",
      "application/x-rtp-pt-map,96=(uint)112");
  gst_bin_add (GST_BIN (bin), rtx);
  add_ghost (bin, rtx, "sink", "sink_0");
  add_ghost (bin, rtx, "src", "src_0");
  return bin;
}

static void
link_both (GstElement *pipeline, const gchar *from, const gchar *src, const gchar *to,
    const gchar *sink)
{
  GstElement *a = gst_bin_get_by_name (GST_BIN (pipeline), from);
  GstElement *b = gst_bin_get_by_name (GST_BIN (pipeline), to);

  fail_unless (gst_element_link_pads (a, src, b, sink), "%s to %s", src, sink);
  gst_object_unref (a);
  gst_object_unref (b);
}

static void
on_jitterbuffer (GstElement *rtpbin, GstElement *jitterbuffer, guint session, guint ssrc,
    GstElement **seen)
{
  *seen = jitterbuffer;
}

/* Its own bin is attached to before it has pads. */
static GstElement *
new_call (guint max_latency, GstElement **attach)
{
  GstElement *pipeline = parse_call (g_strdup ("rtpccbin name=s do-retransmission=true "
          "start-bitrate=1000000 max-bitrate=1000000 videotestsrc is-live=true pattern=snow "
          "! video/x-raw,width=160,height=120,framerate=30/1 "
          "! x264enc tune=zerolatency speed-preset=ultrafast "
          "! rtph264pay mtu=300 ! s.send_rtp_sink_0 "
          "s.send_rtp_src_0 ! linksim name=net loss=0.05 delay=" DELAY
          " rtpbin name=r rtp-profile=avpf do-retransmission=true latency=" LATENCY));
  GstElement *r = gst_bin_get_by_name (GST_BIN (pipeline), "r");

  allow_loops ();
  *attach = gst_element_factory_make ("rtpccattach", NULL);
  g_object_set (*attach, "max-latency", max_latency, "bin", r, NULL);
  g_signal_connect (r, "request-pt-map", G_CALLBACK (on_map), NULL);
  g_signal_connect (r, "request-aux-receiver", G_CALLBACK (on_aux), NULL);
  g_signal_connect (r, "pad-added", G_CALLBACK (on_stream), pipeline);
  link_both (pipeline, "net", "src", "r", "recv_rtp_sink_0");
  link_both (pipeline, "s", "send_rtcp_src_0", "r", "recv_rtcp_sink_0");
  link_both (pipeline, "r", "send_rtcp_src_0", "s", "recv_rtcp_sink_0");
  gst_object_unref (r);
  play_call (pipeline);
  return pipeline;
}

static guint64
repair_stat (GstElement *attach, const gchar *field)
{
  GstStructure *stats, *repair = NULL;
  guint64 n = 0;

  g_object_get (attach, "stats", &stats, NULL);
  gst_structure_get (stats, "repair", GST_TYPE_STRUCTURE, &repair, NULL);
  if (repair)
    n = number_in (repair, field);
  g_clear_pointer (&repair, gst_structure_free);
  gst_structure_free (stats);
  return n;
}

TEST (test_waits_for_as_long_as_copies_take)
{
  GstElement *attach, *pipeline = new_call (1000, &attach);

  await (pipeline, repair_stat (attach, "repaired") >= LOSSES / 4);
  fail_unless (repair_stat (attach, "latency") >= 450);
  fail_unless (repair_stat (attach, "copies") >= repair_stat (attach, "repaired"));
  end_call (pipeline);
}

/* Nobody's jitterbuffer is touched then. */
TEST (test_waits_no_longer_than_it_may)
{
  GstElement *attach, *jitterbuffer = NULL, *pipeline = new_call (0, &attach);
  GstElement *r = gst_bin_get_by_name (GST_BIN (pipeline), "r");
  gboolean next;

  g_signal_connect (r, "new-jitterbuffer", G_CALLBACK (on_jitterbuffer), &jitterbuffer);
  gst_object_unref (r);
  await (pipeline, repair_stat (attach, "copies") >= LOSSES);
  g_object_get (jitterbuffer, "rtx-next-seqnum", &next, NULL);
  fail_unless (next);
  fail_unless_equals_uint64 (repair_stat (attach, "latency"), 200);
  fail_unless_equals_uint64 (repair_stat (attach, "repaired"), 0);
  end_call (pipeline);
}

TEST_MAIN (rtpccattach_repair);
