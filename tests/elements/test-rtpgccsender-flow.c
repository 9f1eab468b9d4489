/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpgccsender before a real rtpbin, with another one as its peer: RTCP and events as
 * rtpsession makes them, over UDP on the loopback.  In real time, so it waits for what
 * must come and times nothing. */
#include "call-rig.h"

#include "wire/rtp.h"

static gint events, moved;

static GstPadProbeReturn
watch_events (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  if (gst_event_has_name (event, "RTPTWCCPackets"))
    g_atomic_int_inc (&events);
  return GST_PAD_PROBE_OK;
}

/* Lets @name send to where @name's source listens, on a port that was free. */
static void
join (GstElement *call, const gchar *name)
{
  gchar *from = g_strconcat (name, "_out", NULL), *to = g_strconcat (name, "_in", NULL);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (call), from);
  GstElement *src = gst_bin_get_by_name (GST_BIN (call), to);
  gint port;

  g_object_get (src, "port", &port, NULL);
  fail_unless (port > 0);
  g_object_set (sink, "host", "127.0.0.1", "port", port, "sync", FALSE, "async", FALSE,
      NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
  g_free (from);
  g_free (to);
}

#define UDP_SRC(name) " udpsrc address=127.0.0.1 port=0 name=" name "_in caps="

/* MJPEG from one bin to the other; @rtp and @rtcp name what stands before the second
 * one's pads. */
static GstElement *
make_call (const gchar *extension, const gchar *settings, const gchar *rtp,
    const gchar *rtcp)
{
  gchar *line = g_strdup_printf ("videotestsrc is-live=true pattern=ball "
      "! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! jpegenc quality=40 "
      "! rtpjpegpay mtu=1200 ! application/x-rtp%s ! rtpgccsender name=cc %s "
      "! tx.send_rtp_sink_0 rtpbin name=tx rtp-profile=avpf "
      "tx.send_rtp_src_0 ! udpsink name=rtp_out "
      "tx.send_rtcp_src_0 ! udpsink name=sr_out "
      UDP_SRC ("rtcp") "application/x-rtcp ! cc.rtcp_sink cc.rtcp_src "
      "! tx.recv_rtcp_sink_0 rtpbin name=rx rtp-profile=avpf "
      UDP_SRC ("rtp") "\"application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=JPEG,payload=26%s\" %s ! rx.recv_rtp_sink_0 "
      UDP_SRC ("sr") "application/x-rtcp ! rx.recv_rtcp_sink_0 "
      "rx.send_rtcp_src_0 %s ! udpsink name=rtcp_out "
      "rx. ! fakesink sync=false async=false", extension, settings, extension, rtp, rtcp);
  GstElement *call = parse_call (line), *cc;
  GstPad *src;

  events = moved = 0;
  cc = gst_bin_get_by_name (GST_BIN (call), "cc");
  src = gst_element_get_static_pad (cc, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, watch_events, NULL, NULL);
  g_signal_connect (cc, "notify::estimated-bitrate", G_CALLBACK (count_notify), &moved);
  gst_object_unref (src);
  gst_object_unref (cc);
  fail_unless (gst_element_set_state (call, GST_STATE_READY)
      == GST_STATE_CHANGE_SUCCESS);
  join (call, "rtp");
  join (call, "rtcp");
  join (call, "sr");
  play_call (call);
  return call;
}

#define stat(call, name) named_stat (call, "cc", name)

/* Transport-wide feedback arrives as rtpsession's event and drives the estimate; the
 * packets' numbers are the session's, so raw RTCP is not counted beside it. */
TEST (test_transport_wide)
{
  GstElement *call = make_call (",extmap-5=(string)" RCC_TWCC_URI,
      "start-bitrate=300000 tuning=tuning,probe-interval=0", "", "");
  guint64 fed;

  await (call, g_atomic_int_get (&events) >= 20);
  await (call, g_atomic_int_get (&moved) > 1);
  fed = stat (call, "feedback-count");
  fail_unless (fed + 5 >= (guint64) g_atomic_int_get (&events), "%u events, %u fed",
      (guint) events, (guint) fed);
  fail_unless (fed <= (guint64) g_atomic_int_get (&events) + 5);
  fail_unless (stat (call, "acked-bitrate") > 10000);
  fail_unless (stat (call, "groups") > 10);
  fail_unless_equals_uint64 (stat (call, "rtcp-truncated"), 0);
  end_call (call);
}

/* The same with probes: padding through both sessions, which go on counting right. */
TEST (test_probes_between_sessions)
{
  GstElement *call = make_call (",extmap-5=(string)" RCC_TWCC_URI,
      "start-bitrate=2000000 max-bitrate=8000000", "", "");

  await (call, stat (call, "padding-packets-sent") > 10);
  await (call, stat (call, "target-bitrate") > 3000000);
  fail_unless_equals_uint64 (stat (call, "packets-dropped"), 0);
  end_call (call);
}

/* REMB from rtpgccreceiver, and an RTT from the reports beside it, whose LSR is the
 * system's NTP time. */
TEST (test_remb)
{
  GstElement *call = make_call (",extmap-3=(string)" RCC_ABS_SEND_TIME_URI,
      "start-bitrate=2000000 tuning=tuning,probe-interval=0 abs-send-time-id=3",
      "! rx_cc.sink rtpgccreceiver name=rx_cc max-bitrate=900000 rx_cc.src",
      "! rx_cc.rtcp_sink rx_cc.rtcp_src");

  await (call, stat (call, "remb-count") > 0);
  await (call, stat (call, "target-bitrate") <= 900000);
  await (call, stat (call, "report-count") > 0);
  await (call, stat (call, "rtt") < GST_SECOND);
  end_call (call);
}

SUITE (rtpgccsender_flow)
{
  allow_loops ();
  tcase_set_timeout (tc, 60);
}
