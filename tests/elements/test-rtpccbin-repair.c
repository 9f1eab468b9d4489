/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two rtpccbins over a link that loses packets: what was lost is sent again, and counted.  In real
 * time, so it waits for what must come and judges ratios. */
#include "call-rig.h"

#define LOSSES 60               /* until the ratios are looked at */
#define LOSS "0.05"             /* the loss-based controller holds the rate: 2 to 10 % */
#define RATE "1000000"          /* with packets of 300 bytes 20 losses a second */
#define LATENCY "1000"          /* ms: a copy comes in time on a busy machine, too */

static GstElement *
make_call (const gchar *sender, const gchar *receiver)
{
  return parse_call (g_strdup_printf ("rtpccbin name=s start-bitrate=" RATE
          " max-bitrate=" RATE " %s rtpccbin name=r latency=" LATENCY " %s "
          "videotestsrc is-live=true pattern=snow "
          "! video/x-raw,width=160,height=120,framerate=30/1 "
          "! x264enc tune=zerolatency speed-preset=ultrafast "
          "! rtph264pay mtu=300 ! s.send_rtp_sink_0 "
          "s.send_rtp_src_0 ! linksim name=net loss=" LOSS " delay=10000000 ! r.recv_rtp_sink_0 "
          "s.send_rtcp_src_0 ! r.recv_rtcp_sink_0 r.send_rtcp_src_0 ! s.recv_rtcp_sink_0",
          sender, receiver));
}

/* What the statistics of the session of the rtpccbin @name say of @part. */
static guint64
session_stat (GstElement *pipeline, const gchar *name, const gchar *part, const gchar *field)
{
  GstElement *e = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstStructure *stats = stats_of (e);
  const GValue *sessions = gst_structure_get_value (stats, "sessions");
  const GstStructure *session = gst_value_get_structure (gst_value_array_get_value (sessions, 0));
  const GValue *inner = gst_structure_get_value (session, part);
  const guint64 n = inner && gst_structure_has_field (gst_value_get_structure (inner), field)
      ? number_in (gst_value_get_structure (inner), field) : 0;

  gst_structure_free (stats);
  gst_object_unref (e);
  return n;
}

static guint64
lost_on (GstElement *pipeline)
{
  GstElement *net = gst_bin_get_by_name (GST_BIN (pipeline), "net");
  GstStructure *stats = stats_of (net);
  const GValue *forward = gst_structure_get_value (stats, "forward");
  const guint64 n = number_in (gst_value_get_structure (forward), "dropped-loss");

  gst_structure_free (stats);
  gst_object_unref (net);
  return n;
}

/* Over a link that takes @delay, ns. */
static GstElement *
play_over (GstClockTime delay, const gchar *sender, const gchar *receiver)
{
  GstElement *pipeline = make_call (sender, receiver);
  GstElement *r = gst_bin_get_by_name (GST_BIN (pipeline), "r");
  GstElement *net = gst_bin_get_by_name (GST_BIN (pipeline), "net");

  g_object_set (net, "delay", delay, NULL);
  gst_object_unref (net);
  allow_loops ();
  g_signal_connect (r, "pad-added", G_CALLBACK (on_stream), pipeline);
  gst_object_unref (r);
  play_call (pipeline);
  await (pipeline, lost_on (pipeline) >= LOSSES);
  return pipeline;
}

static GstElement *
play_until_lost (const gchar *sender, const gchar *receiver)
{
  return play_over (10 * GST_MSECOND, sender, receiver);
}

/* A copy may be lost, too, and asked for once more. */
TEST (test_sent_again)
{
  GstElement *pipeline = play_until_lost ("do-retransmission=true", "do-retransmission=true");
  const guint64 again = session_stat (pipeline, "s", "repair", "sent-again");
  const guint64 lost = lost_on (pipeline);

  fail_unless (again >= lost * 8 / 10 && again <= 2 * lost,
      "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, again, lost);
  fail_unless (session_stat (pipeline, "s", "repair", "requests") >= again);
  fail_unless (session_stat (pipeline, "r", "repair", "copies") <=
      session_stat (pipeline, "s", "repair", "sent-again"));
  fail_unless (session_stat (pipeline, "r", "repair", "asked") >= lost * 8 / 10);
  await (pipeline, session_stat (pipeline, "r", "repair", "repaired") >= lost * 8 / 10);
  fail_unless (session_stat (pipeline, "r", "repair", "lost") < lost_on (pipeline) * 2 / 10);
  end_call (pipeline);
}

/* A copy takes 300 ms and more. Who waits for 200 ms asks in vain, and nobody hears of a round
 * trip by rtpjitterbuffer's statistics then. */
TEST (test_waits_for_as_long_as_copies_take)
{
  const gchar *again = "do-retransmission=true";
  GstElement *pipeline = play_over (300 * GST_MSECOND, again,
      "do-retransmission=true latency=200 max-latency=200");

  fail_unless (session_stat (pipeline, "r", "repair", "copies") > 0);
  fail_unless_equals_uint64 (session_stat (pipeline, "r", "repair", "latency"), 200);
  fail_unless_equals_uint64 (session_stat (pipeline, "r", "repair", "repaired"), 0);
  end_call (pipeline);
  pipeline = play_over (300 * GST_MSECOND, again, "do-retransmission=true latency=200");
  await (pipeline, session_stat (pipeline, "r", "repair", "repaired") >= LOSSES / 4);
  fail_unless (session_stat (pipeline, "r", "repair", "latency") >= 450);
  end_call (pipeline);
}

/* Nor where nothing is asked for: there the wait is what it was. */
TEST (test_waits_no_longer_without_copies)
{
  GstElement *pipeline = play_over (300 * GST_MSECOND, "", "latency=200");

  await (pipeline, session_stat (pipeline, "r", "repair", "lost") >= LOSSES / 2);
  fail_unless_equals_uint64 (session_stat (pipeline, "r", "repair", "latency"), 200);
  end_call (pipeline);
}

/* The jitterbuffer counts a packet as lost when its time has passed. */
TEST (test_not_asked)
{
  GstElement *pipeline = play_until_lost ("do-retransmission=true", "");
  const guint64 lost = lost_on (pipeline);

  await (pipeline, session_stat (pipeline, "r", "repair", "lost") >= lost * 8 / 10);
  fail_unless_equals_uint64 (session_stat (pipeline, "r", "repair", "asked"), 0);
  fail_unless_equals_uint64 (session_stat (pipeline, "s", "repair", "sent-again"), 0);
  end_call (pipeline);
}

static guint64
judged (GstElement *pipeline)
{
  return session_stat (pipeline, "r", "repair", "recovered")
      + session_stat (pipeline, "r", "repair", "unrecovered");
}

/* One of 6 packets is parity.  What is lost of the other 5 is repaired where the rest of the block
 * comes, 0.95^5 = 0.77.  Where a lost packet of parity counts as one that is not repaired, that is
 * 0.64 of all losses, and of 60 less than 0.45 once in 500. */
TEST (test_parity)
{
  GstElement *pipeline = play_until_lost ("protection=5", "protection=5");
  guint64 recovered;

  await (pipeline, judged (pipeline) >= LOSSES);
  recovered = session_stat (pipeline, "r", "repair", "recovered");
  fail_unless (recovered >= judged (pipeline) * 45 / 100, "%" G_GUINT64_FORMAT " of %"
      G_GUINT64_FORMAT, recovered, judged (pipeline));
  fail_unless (judged (pipeline) <= lost_on (pipeline));
  fail_unless (session_stat (pipeline, "s", "controller", "fec-bitrate") > 0);
  fail_unless_equals_uint64 (session_stat (pipeline, "r", "repair", "asked"), 0);
  end_call (pipeline);
}

/* Numbers are the controller's, which puts parity between those that are asked for again.  Parity
 * itself, a sixth, is kept by nobody: of the rest, 0.83, at least 0.8 are repaired as above, those
 * of the last round trip a little later. */
TEST (test_both)
{
  GstElement *pipeline = play_until_lost ("protection=5 do-retransmission=true",
      "protection=5 do-retransmission=true");

  await (pipeline, session_stat (pipeline, "r", "repair", "repaired") >=
      lost_on (pipeline) * 60 / 100);
  fail_unless (session_stat (pipeline, "r", "repair", "lost") < lost_on (pipeline) * 40 / 100);
  end_call (pipeline);
}

static GstCaps *
give_caps (GstElement *bin, guint session, guint pt, guint *asked)
{
  *asked = pt;
  return pt == 96 ? gst_caps_from_string ("application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=VP8,payload=96,extmap-7=(string)urn:of:mine") : NULL;
}

static gchar *
explained (GstElement *bin, guint pt)
{
  GstCaps *caps = NULL;
  gchar *text;

  g_signal_emit_by_name (bin, "request-pt-map", 0, pt, &caps);
  text = caps ? gst_caps_to_string (caps) : NULL;
  gst_clear_caps (&caps);
  return text;
}

/* Who explains a type has explained its copies; who has both is asked first. */
TEST (test_types_of_copies)
{
  GstElement *bin = gst_check_setup_element ("rtpccbin");
  guint asked = 0;
  gchar *text;

  g_signal_connect (bin, "request-pt-map", G_CALLBACK (give_caps), &asked);
  fail_unless (explained (bin, 112) == NULL);
  fail_unless_equals_int (asked, 112);
  g_object_set (bin, "do-retransmission", TRUE, NULL);
  text = explained (bin, 112);
  fail_unless_equals_int (asked, 96);
  fail_unless (strstr (text, "RTX") && strstr (text, "apt=(string)96")
      && strstr (text, "payload=(int)112") && strstr (text, "extmap-7"), "%s", text);
  g_free (text);
  fail_unless (explained (bin, 113) == NULL);   /* nobody knows 97 */
  fail_unless (explained (bin, 118) == NULL);   /* copies of nothing */
  gst_check_teardown_element (bin);
}

/* The controller that an rtpccbin has. */
static GstElement *
controller_of (GstElement *call)
{
  GstIterator *children = gst_bin_iterate_all_by_element_factory_name (GST_BIN (call),
      "rtpgccsender");
  GValue child = G_VALUE_INIT;
  GstElement *controller;

  fail_unless_equals_int (gst_iterator_next (children, &child), GST_ITERATOR_OK);
  controller = g_value_dup_object (&child);
  g_value_unset (&child);
  gst_iterator_free (children);
  return controller;
}

/* It reaches the controller, before and after it is there, and the receiver has losses told. */
TEST (test_probe_protection)
{
  GstElement *call = gst_check_setup_element ("rtpccbin"), *controller;
  GstPad *pad;
  gboolean on;

  g_object_get (call, "do-lost", &on, NULL);
  fail_if (on);
  g_object_set (call, "probe-protection", TRUE, NULL);
  pad = gst_element_request_pad_simple (call, "send_rtp_sink_0");
  controller = controller_of (call);
  g_object_get (controller, "probe-protection", &on, NULL);
  fail_unless (on);
  g_object_get (call, "do-lost", &on, NULL);
  fail_unless (on);
  g_object_set (call, "probe-protection", FALSE, NULL);
  g_object_get (controller, "probe-protection", &on, NULL);
  fail_if (on);
  gst_object_unref (controller);
  gst_element_release_request_pad (call, pad);
  gst_object_unref (pad);
  gst_check_teardown_element (call);
}

/* A receiver with it has a decoder for what probes bring, and nothing is asked for. */
TEST (test_probes_are_decoded)
{
  GstElement *pipeline = play_until_lost ("probe-protection=true", "probe-protection=true");

  await (pipeline, judged (pipeline) > 0);
  fail_unless_equals_uint64 (session_stat (pipeline, "s", "controller", "fec-bitrate"), 0);
  fail_unless_equals_uint64 (session_stat (pipeline, "r", "repair", "asked"), 0);
  end_call (pipeline);
}

TEST_MAIN (rtpccbin_repair);
