/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Speech and pictures through rtpsbpnmux between two real rtpbins, with room for half of
 * them.  In real time, so it waits for what must come and times nothing. */
#include "call-rig.h"

static GstCaps *
pt_map (GstElement *bin, guint session, guint pt, gpointer data)
{
  return gst_caps_from_string (pt == 0
      ? "application/x-rtp,media=audio,clock-rate=8000,encoding-name=PCMU"
      : "application/x-rtp,media=video,clock-rate=90000,encoding-name=JPEG");
}

/* About 70 kbit/s of speech and 430 kbit/s of pictures. */
static GstElement *
make_call (const gchar *settings)
{
  gchar *line = g_strdup_printf ("rtpsbpnmux name=mux %s ! tx.send_rtp_sink_0 "
      "audiotestsrc is-live=true samplesperbuffer=160 "
      "! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay ! mux.sink_0 "
      "videotestsrc is-live=true pattern=ball "
      "! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! jpegenc quality=60 "
      "! rtpjpegpay mtu=600 ! mux.sink_1 "
      "rtpbin name=tx rtp-profile=avpf rtpbin name=rx rtp-profile=avpf "
      "tx.send_rtp_src_0 ! rx.recv_rtp_sink_0 tx.send_rtcp_src_0 ! rx.recv_rtcp_sink_0 "
      "rx.send_rtcp_src_0 ! queue ! mux.rtcp_sink mux.rtcp_src ! tx.recv_rtcp_sink_0",
      settings);
  GstElement *call = parse_call (line), *bin;

  for (guint i = 0; i < 2; i++) {
    bin = gst_bin_get_by_name (GST_BIN (call), i ? "rx" : "tx");
    g_signal_connect (bin, "request-pt-map", G_CALLBACK (pt_map), NULL);
    if (i)
      g_signal_connect (bin, "pad-added", G_CALLBACK (on_stream), call);
    gst_object_unref (bin);
  }
  play_call (call);
  return call;
}

static guint64
pad_stat (GstElement *call, const gchar *pad_name, const gchar *field)
{
  GstElement *mux = gst_bin_get_by_name (GST_BIN (call), "mux");
  GstPad *pad = gst_element_get_static_pad (mux, pad_name);
  const guint64 n = stat_of (pad, field);

  gst_object_unref (pad);
  gst_object_unref (mux);
  return n;
}

/* What the receiver's session counts of each stream that is not its own: streams,
 * received, lost. */
static guint
received (GstElement *call, guint64 *packets, gint *lost)
{
  GstElement *bin = gst_bin_get_by_name (GST_BIN (call), "rx");
  GObject *session;
  GstStructure *stats;
  GValueArray *sources;
  guint n = 0;

  *packets = 0;
  *lost = 0;
  g_signal_emit_by_name (bin, "get-internal-session", 0, &session);
  fail_unless (session != NULL);
  g_object_get (session, "stats", &stats, NULL);
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  sources = g_value_get_boxed (gst_structure_get_value (stats, "source-stats"));
  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *s =
        gst_value_get_structure (g_value_array_get_nth (sources, i));
    gboolean internal = TRUE;
    guint64 count = 0;
    gint missing = 0;

    gst_structure_get_boolean (s, "internal", &internal);
    gst_structure_get_uint64 (s, "packets-received", &count);
    gst_structure_get_int (s, "packets-lost", &missing);
    if (internal || count == 0)
      continue;
    n++;
    *packets += count;
    *lost += missing;
  }
  G_GNUC_END_IGNORE_DEPRECATIONS;
  gst_structure_free (stats);
  g_object_unref (session);
  gst_object_unref (bin);
  return n;
}

TEST (test_half_is_dropped_nothing_is_lost)
{
  GstElement *call = make_call ("rate-control=tfrc min-bitrate=250000 "
      "start-bitrate=250000 max-bitrate=250000 mode=sbpn1");
  guint64 packets, in, sent;
  gint before, lost;

  /* rtpsession counts one packet of a stream's probation twice: from there on */
  await (call, received (call, &packets, &before) == 2 && packets > 20);
  await (call, pad_stat (call, "sink_0", "packets-in") >= 250);
  in = pad_stat (call, "sink_1", "packets-in");
  sent = pad_stat (call, "sink_1", "packets-sent");
  fail_unless (sent < in / 2, "%u of %u pictures' packets left", (guint) sent, (guint) in);
  fail_unless (sent > 50);
  in = pad_stat (call, "sink_0", "packets-in");
  sent = pad_stat (call, "sink_0", "packets-sent");
  fail_unless (sent * 100 >= in * 98, "%u of %u packets of speech left", (guint) sent,
      (guint) in);
  fail_unless_equals_int (received (call, &packets, &lost), 2);
  fail_unless (packets > 250);
  fail_unless_equals_int (lost, before);
  fail_unless (lost <= 0);
  await (call, named_stat (call, "mux", "report-count") > 0);
  fail_unless_equals_uint64 (named_stat (call, "mux", "rtcp-forged"), 0);
  end_call (call);
}

SUITE (rtpsbpnmux_flow)
{
  allow_loops ();
  tcase_set_timeout (tc, 60);
}
