/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpcircuitbreaker with two real rtpbins, in each place where it may stand: their reports
 * are believed and pass unchanged, and it opens when a way between the two is cut.
 */
#include "breaker-splice.h"
#include "call-rig.h"

#define MEDIA "audiotestsrc is-live=true samplesperbuffer=160 ! " \
  "audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay min-ptime=20000000 " \
  "max-ptime=20000000 "
#define RTP "application/x-rtp,media=audio,clock-rate=8000,encoding-name=PCMU,payload=0"
#define TX_REST "rtpbin name=b rtp-profile=avpf " \
  "b.send_rtcp_src_0 ! appsink name=rtcp-out sync=false async=false "
#define RTCP_IN "appsrc name=rtcp-in is-live=true format=time caps=application/x-rtcp "

static const struct
{
  const gchar *name, *launch, *sink, *src;
  gboolean hooked;
} places[] = {
  {"before rtpbin", MEDIA "! rtpcircuitbreaker name=cb ! b.send_rtp_sink_0 "
        "b.send_rtp_src_0 ! appsink name=rtp-out sync=false async=false " RTCP_IN
        "! cb.rtcp_sink cb.rtcp_src ! b.recv_rtcp_sink_0 " TX_REST, "sink", "src", FALSE},
  {"behind rtpbin", MEDIA "! b.send_rtp_sink_0 b.send_rtp_src_0 ! rtpcircuitbreaker "
        "name=cb ! appsink name=rtp-out sync=false async=false " RTCP_IN
        "! cb.rtcp_sink cb.rtcp_src ! b.recv_rtcp_sink_0 " TX_REST, "sink", "src", FALSE},
  {"inside rtpbin", NULL, "rtp_sink_0", "rtp_src_0", TRUE},
};

#define RX "rtpbin name=b rtp-profile=avpf appsrc name=rtp-in is-live=true format=time " \
  "caps=" RTP " ! b.recv_rtp_sink_0 " RTCP_IN \
  "! b.recv_rtcp_sink_0 b.send_rtcp_src_0 ! appsink name=rtcp-out sync=false async=false"

typedef struct {
  Splice s;
  GstElement *tx, *rx;
  gint cut_there, cut_back;
} Call;

/* --- bridges -------------------------------------------------------------- */

typedef struct {
  GstElement *src;
  gint *cut;
} Bridge;

static GstFlowReturn
cross (GstElement *sink, gpointer data)
{
  Bridge *bridge = data;
  GstFlowReturn flow;
  GstSample *sample;
  GstBuffer *copy;

  g_signal_emit_by_name (sink, "pull-sample", &sample);
  if (!sample)
    return GST_FLOW_OK;
  if (!g_atomic_int_get (bridge->cut)) {
    copy = gst_buffer_copy_deep (gst_sample_get_buffer (sample));
    GST_BUFFER_PTS (copy) = GST_BUFFER_DTS (copy) = GST_CLOCK_TIME_NONE;
    g_signal_emit_by_name (bridge->src, "push-buffer", copy, &flow);
    gst_buffer_unref (copy);
  }
  gst_sample_unref (sample);
  return GST_FLOW_OK;
}

static void
free_bridge (gpointer data, GClosure *closure)
{
  gst_object_unref (((Bridge *) data)->src);
  g_free (data);
}

static void
bridge (GstElement *from, const gchar *sink_name, GstElement *to, const gchar *src_name,
    gint *cut)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (from), sink_name);
  Bridge *b = g_new0 (Bridge, 1);

  b->src = gst_bin_get_by_name (GST_BIN (to), src_name);
  b->cut = cut;
  g_object_set (sink, "emit-signals", TRUE, NULL);
  g_signal_connect_data (sink, "new-sample", G_CALLBACK (cross), b, free_bridge, 0);
}

/* --- the call ------------------------------------------------------------- */

/* One element for all hooks of the session. */
static GstElement *
give_element (GstElement *rtpbin, guint session, gpointer data)
{
  return gst_object_ref (data);
}

static void
prepare (GstElement *pipeline)
{
  g_autoptr (GstElement) rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), "b");

  g_signal_connect (rtpbin, "pad-added", G_CALLBACK (on_stream), pipeline);
  hurry (rtpbin);
}

static GstElement *
hooked_pipeline (GstElement **e)
{
  GstElement *pipeline, *rtpbin;

  *e = gst_object_ref_sink (gst_element_factory_make ("rtpcircuitbreaker", "cb"));
  gst_object_unref (gst_element_request_pad_simple (*e, "rtp_sink_0"));
  gst_object_unref (gst_element_request_pad_simple (*e, "rtcp_sink_0"));
  pipeline = gst_parse_launch ("rtpbin name=b rtp-profile=avpf", NULL);
  if (!GST_IS_PIPELINE (pipeline)) {
    rtpbin = pipeline;
    pipeline = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (pipeline), rtpbin);
  }
  rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  g_signal_connect (rtpbin, "request-rtp-encoder", G_CALLBACK (give_element), *e);
  g_signal_connect (rtpbin, "request-rtcp-encoder", G_CALLBACK (give_element), *e);
  g_signal_connect (rtpbin, "request-rtcp-decoder", G_CALLBACK (give_element), *e);
  gst_object_unref (rtpbin);
  return pipeline;
}

static void
add_and_link (GstElement *pipeline, const gchar *launch, const gchar *pad,
    gboolean receives)
{
  GstElement *bin = gst_parse_bin_from_description (launch, TRUE, NULL);
  g_autoptr (GstElement) rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), "b");

  fail_unless (bin != NULL);
  gst_bin_add (GST_BIN (pipeline), bin);
  fail_unless (receives ? gst_element_link_pads (rtpbin, pad, bin, "sink")
      : gst_element_link_pads (bin, "src", rtpbin, pad), "%s", pad);
}

static void
call_start (Call *call, guint place)
{
  memset (call, 0, sizeof *call);
  if (place > 0)
    allow_loops ();
  splice = &call->s;
  if (places[place].hooked) {
    call->tx = hooked_pipeline (&call->s.e);
    add_and_link (call->tx, MEDIA, "send_rtp_sink_0", FALSE);
    add_and_link (call->tx, "appsink name=rtp-out sync=false async=false",
        "send_rtp_src_0", TRUE);
    add_and_link (call->tx, RTCP_IN, "recv_rtcp_sink_0", FALSE);
    add_and_link (call->tx, "appsink name=rtcp-out sync=false async=false",
        "send_rtcp_src_0", TRUE);
    splice_watch (&call->s, &call->s.out, "rtcp_sink_0", "rtcp_src_0");
  } else {
    call->tx = gst_parse_launch (places[place].launch, NULL);
    call->s.e = gst_bin_get_by_name (GST_BIN (call->tx), "cb");
  }
  call->rx = gst_parse_launch (RX, NULL);
  fail_unless (call->tx && call->rx);
  splice_watch (&call->s, &call->s.rtp, places[place].sink, places[place].src);
  splice_watch (&call->s, &call->s.rtcp, "rtcp_sink", "rtcp_src");
  prepare (call->tx);
  prepare (call->rx);
  bridge (call->tx, "rtp-out", call->rx, "rtp-in", &call->cut_there);
  bridge (call->tx, "rtcp-out", call->rx, "rtcp-in", &call->cut_there);
  bridge (call->rx, "rtcp-out", call->tx, "rtcp-in", &call->cut_back);
  gst_element_set_state (call->rx, GST_STATE_PLAYING);
  gst_element_set_state (call->tx, GST_STATE_PLAYING);
}

static void
call_end (Call *call)
{
  gst_element_set_state (call->tx, GST_STATE_NULL);
  gst_element_set_state (call->rx, GST_STATE_NULL);
  splice_clear (&call->s);
  gst_object_unref (call->s.e);
  gst_object_unref (call->tx);
  gst_object_unref (call->rx);
}

/* What a session's own receiver says when nothing comes any more: after two intervals
 * its RRs have no block about us. */
TEST_EACH (test_cut_there, G_N_ELEMENTS (places))
{
  Call call;

  call_start (&call, (guint) __i__);
  splice_goes_well (&call.s, 10);
  g_atomic_int_set (&call.cut_there, TRUE);
  splice_opens (&call.s, "media-timeout", FALSE);
  call_end (&call);
}

/* The element alone is given a clock that is wound up here, so that 15 s are short. */
TEST_EACH (test_cut_back, G_N_ELEMENTS (places))
{
  GstTestClock *clock = GST_TEST_CLOCK (gst_test_clock_new ());
  GstClockTime spent = 0;
  GstClockID id;
  Call call;

  call_start (&call, (guint) __i__);
  splice_goes_well (&call.s, 5);
  gst_element_set_clock (call.s.e, GST_CLOCK (clock));
  g_atomic_int_set (&call.cut_back, TRUE);
  g_usleep (50000);             /* what was under way has come */
  for (; !splice_is_open (&call.s); spent += 200 * GST_MSECOND) {
    fail_unless (spent < 20 * GST_SECOND);
    gst_test_clock_advance_time (clock, 200 * GST_MSECOND);
    while ((id = gst_test_clock_process_next_clock_id (clock)))
      gst_clock_id_unref (id);
    g_usleep (10000);           /* some media meanwhile */
  }
  fail_unless (spent >= 14 * GST_SECOND, "after %" GST_TIME_FORMAT, GST_TIME_ARGS (spent));
  splice_opens (&call.s, "rtcp-timeout", TRUE);
  call_end (&call);
  gst_object_unref (clock);
}

SUITE (rtpcircuitbreaker_rtpbin)
{
  tcase_set_timeout (tc, 60);
}
