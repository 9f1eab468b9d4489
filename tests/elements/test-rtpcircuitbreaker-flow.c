/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpcircuitbreaker in a pipeline: what each action does, flow returns, events, pads that
 * come and go, and threads that do everything at once.
 */
#include "breaker-rig.h"

/* --- actions -------------------------------------------------------------- */

static Cb *
with_action (const gchar *action)
{
  Cb *cb = cb_new (NULL);

  gst_util_set_object_arg (G_OBJECT (cb->e), "action", action);
  cb_open_by_silence (cb);
  cb->received = 0;
  return cb;
}

TEST (test_notify_only)
{
  g_autoptr (Cb) cb = with_action ("notify-only");

  cb_expect_message (cb, "open", "rtcp-timeout", 0);
  cb_no_event (cb);
  fail_unless_equals_int (cb->notified, 1);
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 0);

  gst_util_set_object_arg (G_OBJECT (cb->e), "action", "stop");
  cb_expect_event (cb, 0, 0, "settings");
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
  gst_util_set_object_arg (G_OBJECT (cb->e), "action", "notify-only");
  cb_expect_event (cb, G_MAXUINT, 0, "settings");
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 100);
}

static guint
count_eos (GstHarness *h)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (h))) {
    n += GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  return n;
}

TEST (test_eos)
{
  g_autoptr (Cb) cb = with_action ("eos");
  GstSegment segment;

  fail_unless_equals_int (count_eos (cb->h), 0);
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (gst_harness_push (cb->h, cb_packet (cb, 0)), GST_FLOW_EOS);
  fail_unless_equals_int (count_eos (cb->h), 1);
  fail_unless_equals_int (drain (cb->h), 0);
  fail_unless_equals_int (count_eos (cb->rtcp), 0);
  cb_expect_event (cb, 0, 0, "no RTCP");
  cb->rtt = GST_CLOCK_TIME_NONE;
  cb_report (cb, 0);

  /* a flush makes the pad usable again, and the reset the element */
  cb_run (cb, cb_now (cb) + 15 * GST_SECOND);
  fail_unless (cb_reset (cb));
  gst_harness_push_event (cb->h, gst_event_new_flush_start ());
  gst_harness_push_event (cb->h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (cb->h, gst_event_new_segment (&segment));
  cb->received = 0;
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 50);
}

static guint
count_errors (Cb *cb)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (cb->bus, GST_MESSAGE_ERROR))) {
    GError *error;

    gst_message_parse_error (message, &error, NULL);
    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED));
    fail_unless (strstr (error->message, "rtcp-timeout. Try again in 15 s") != NULL, "%s",
        error->message);
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  return n;
}

TEST (test_error)
{
  g_autoptr (Cb) cb = with_action ("error");

  fail_unless_equals_int (count_errors (cb), 1);        /* no packet is needed */
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (gst_harness_push (cb->h, cb_packet (cb, 0)), GST_FLOW_ERROR);
  fail_unless_equals_int (count_errors (cb), 0);
  fail_unless_equals_int (drain (cb->h), 0);
  cb->rtt = GST_CLOCK_TIME_NONE;
  cb_report (cb, 0);
}

TEST (test_error_asked_for_while_open)
{
  g_autoptr (Cb) cb = with_action ("stop");

  fail_unless_equals_int (count_errors (cb), 0);
  gst_util_set_object_arg (G_OBJECT (cb->e), "action", "error");
  fail_unless_equals_int (count_errors (cb), 1);
  fail_unless_equals_int (gst_harness_push (cb->h, cb_packet (cb, 0)), GST_FLOW_ERROR);
}

/* "eos" and "error" wait until nothing may be sent any more. */
TEST_EACH (test_ends_with_the_last, 2)
{
  static const gdouble fractions[CB_STREAMS] = { 0.5, 0 };
  static const gchar *const actions[] = { "eos", "error" };
  static const GstFlowReturn flows[] = { GST_FLOW_EOS, GST_FLOW_ERROR };
  g_autoptr (Cb) cb = cb_new (NULL);

  gst_util_set_object_arg (G_OBJECT (cb->e), "action", actions[__i__]);
  cb->n_streams = 2;
  for (guint i = 0; i < 4; i++) {
    cb_stream (cb, 4500 * GST_MSECOND);
    cb_report_each (cb, fractions);
  }
  cb_expect (cb, "open");
  cb_stream (cb, 14900 * GST_MSECOND);  /* checks that the flow is OK */
  fail_unless_equals_int (count_eos (cb->h), 0);
  fail_unless_equals_int (count_errors (cb), 0);
  cb_run (cb, cb_now (cb) + 100 * GST_MSECOND);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (gst_harness_push (cb->h, cb_packet (cb, i)), flows[__i__]);
  fail_unless_equals_int (count_eos (cb->h), __i__ == 0);
}

/* --- flow, events, queries ------------------------------------------------ */

static GstFlowReturn
give_flow (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_buffer_unref (buffer);
  return GPOINTER_TO_INT (pad->chaindata);
}

static GstFlowReturn
push_to (Cb *cb, const gchar *sink_name, const gchar *src_name, GstFlowReturn flow,
    GstBuffer *buffer)
{
  GstPad *sink = gst_element_get_static_pad (cb->e, sink_name);
  GstPad *src = gst_element_get_static_pad (cb->e, src_name);
  GstPad *peer = gst_pad_get_peer (src);

  gst_pad_set_chain_function_full (peer, give_flow, GINT_TO_POINTER (flow), NULL);
  flow = gst_pad_push (GST_PAD_PEER (sink), buffer);
  gst_object_unref (peer);
  gst_object_unref (src);
  gst_object_unref (sink);
  return flow;
}

TEST (test_flow_returns)
{
  static const GstFlowReturn flows[] = { GST_FLOW_FLUSHING, GST_FLOW_NOT_LINKED,
    GST_FLOW_ERROR, GST_FLOW_NOT_NEGOTIATED, GST_FLOW_EOS, GST_FLOW_OK,
    GST_FLOW_CUSTOM_SUCCESS };
  g_autoptr (Cb) cb = cb_new (NULL);
  guint8 rr[8];

  rcc_rtcp_build_rr (rr, sizeof rr, 1, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++) {
    fail_unless_equals_int (push_to (cb, "sink", "src", flows[i], cb_packet (cb, 0)),
        flows[i]);
    /* who ends its RTCP here is not disturbed */
    fail_unless_equals_int (push_to (cb, "rtcp_sink", "rtcp_src", flows[i],
            gst_buffer_new_memdup (rr, 8)), flows[i] == GST_FLOW_NOT_LINKED ? GST_FLOW_OK
        : flows[i]);
  }
}

/* In order with the data, and only along their own path. */
TEST (test_events)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  GstEvent *event;
  GString *order = g_string_new (NULL);

  drain (cb->h);
  while ((event = gst_harness_try_pull_event (cb->h)))
    gst_event_unref (event);
  while ((event = gst_harness_try_pull_event (cb->rtcp)))
    gst_event_unref (event);
  gst_harness_push_event (cb->h, gst_event_new_gap (0, GST_SECOND));
  gst_harness_push_event (cb->h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("x-unknown")));
  gst_harness_push_event (cb->h, gst_event_new_flush_start ());
  gst_harness_push_event (cb->h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (cb->h, gst_event_new_eos ());
  while ((event = gst_harness_try_pull_event (cb->h))) {
    g_string_append_printf (order, "%s ", GST_EVENT_TYPE_NAME (event));
    gst_event_unref (event);
  }
  fail_unless_equals_string (order->str,
      "gap custom-downstream flush-start flush-stop eos ");
  fail_unless (gst_harness_try_pull_event (cb->rtcp) == NULL);
  g_string_free (order, TRUE);
}

/* Who has ended waits for nothing: no RTCP need come, and none is missed. */
TEST (test_nothing_is_missed_after_eos)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_stream (cb, 12 * GST_SECOND);
  gst_harness_push_event (cb->h, gst_event_new_eos ());
  cb_run (cb, cb_now (cb) + 60 * GST_SECOND);
  cb_expect (cb, "closed");
  cb_no_message (cb);
}

/* A flush takes neither what is open nor what was counted. */
TEST (test_flush_does_not_close)
{
  g_autoptr (Cb) cb = with_action ("stop");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (cb->h, gst_event_new_flush_start ());
  cb_expect (cb, "open");
  gst_harness_push_event (cb->h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (cb->h, gst_event_new_segment (&segment));
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
  fail_unless_equals_uint64 (cb_stat (cb, "packets-dropped"), 50);
}

/* --- pads ----------------------------------------------------------------- */

TEST (test_requested_pads)
{
  static const struct
  {
    const gchar *template, *wanted, *sink, *src;
  } pads[] = {
    {"rtp_sink_%u", NULL, "rtp_sink_0", "rtp_src_0"},
    {"rtp_sink_%u", "rtp_sink_7", "rtp_sink_7", "rtp_src_7"},
    {"rtcp_sink_%u", "rtcp_sink_%u", "rtcp_sink_0", "rtcp_src_0"},
    {"rtcp_sink_%u", "rtcp_sink_12", "rtcp_sink_12", "rtcp_src_12"},
    {"send_rtcp_sink", NULL, "send_rtcp_sink", "send_rtcp_src"},
    {"send_rtcp_sink", "send_rtcp_sink", "send_rtcp_sink", "send_rtcp_src"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (pads); i++) {
    GstElement *e = gst_element_factory_make ("rtpcircuitbreaker", NULL);
    GstPadTemplate *template = gst_element_get_pad_template (e, pads[i].template);
    GstPad *pad = gst_element_request_pad (e, template, pads[i].wanted, NULL), *src;

    fail_unless (pad != NULL);
    fail_unless_equals_string (GST_PAD_NAME (pad), pads[i].sink);
    src = gst_element_get_static_pad (e, pads[i].src);
    fail_unless (src != NULL);
    fail_unless (gst_element_request_pad (e, template, NULL, NULL) == NULL, "a second");
    gst_element_release_request_pad (e, pad);
    gst_object_unref (src);
    fail_unless (gst_element_get_static_pad (e, pads[i].src) == NULL);
    gst_object_unref (pad);
    pad = gst_element_request_pad (e, template, pads[i].wanted, NULL);
    fail_unless (pad != NULL, "not after the release");
    gst_object_unref (pad);
    gst_object_unref (e);
  }
}

/* The requested way of RTP is the same session's: packets, events, caps. */
TEST (test_requested_rtp)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  GstHarness *h = gst_harness_new_with_element (cb->e, "rtp_sink_0", "rtp_src_0");
  GstHarness *plain = cb->h;
  GstEvent *event;
  GstPad *src;
  GstCaps *caps;

  gst_harness_set_src_caps_str (h, CB_CAPS);
  src = gst_element_get_static_pad (cb->e, "rtp_src_0");
  caps = gst_pad_get_current_caps (src);
  fail_unless (caps != NULL, "sticky events came along");
  gst_caps_unref (caps);
  gst_object_unref (src);
  cb->h = h;
  cb_stream (cb, 14900 * GST_MSECOND);
  fail_unless_equals_int (cb->received, cb->streams[0].sent);
  cb_stream (cb, 100 * GST_MSECOND);
  cb_expect (cb, "open");
  cb_expect_event (cb, 0, 0, "no RTCP");
  cb_no_event (cb);
  event = cb_event (plain);
  fail_unless (event != NULL);
  gst_event_unref (event);
  cb->received = 0;
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
  cb->h = plain;
  cb_stream (cb, GST_SECOND);
  fail_unless_equals_int (cb->received, 0);
  gst_harness_teardown (h);

  /* one that comes while it is open hears so with its first packet */
  h = gst_harness_new_with_element (cb->e, "rtp_sink_1", "rtp_src_1");
  gst_harness_set_src_caps_str (h, CB_CAPS);
  cb->h = h;
  cb_stream (cb, 20 * GST_MSECOND);
  event = NULL;
  for (GstEvent *next; (next = cb_event (h)); event = next)
    gst_clear_event (&event);
  fail_unless (event != NULL);
  fail_unless_equals_int (number_in (gst_event_get_structure (event), "target-bitrate"),
      0);
  gst_event_unref (event);
  gst_harness_teardown (h);
  cb->h = plain;
}

/* --- threads -------------------------------------------------------------- */

#define STORM (1500 * G_TIME_SPAN_MILLISECOND)

typedef struct {
  GstElement *e;
  gint64 until;
  GstPad *sink, *rtcp;
} Storm;

static gboolean
storm_goes_on (const Storm *storm)
{
  return g_get_monotonic_time () < storm->until;
}

static gpointer
storm_rtp (gpointer data)
{
  Storm *storm = data;

  for (guint i = 0; storm_goes_on (storm); i++) {
    GstBufferList *list = gst_buffer_list_new ();

    gst_pad_push (storm->sink, rtp_packet (CB_SSRC + i % 3, (guint16) i, i, FALSE, 100));
    for (guint k = 0; k < 4; k++)
      gst_buffer_list_add (list, rtp_packet (CB_SSRC + k, (guint16) i, i, FALSE, 100));
    gst_pad_push_list (storm->sink, list);
  }
  return NULL;
}

static gpointer
storm_rtcp (gpointer data)
{
  Storm *storm = data;
  guint8 bytes[256];

  for (guint i = 0; storm_goes_on (storm); i++) {
    RccReportBlock blocks[3];

    for (guint k = 0; k < 3; k++)
      blocks[k] = (RccReportBlock) {.ssrc = CB_SSRC + k,.fraction = (guint8) i,
        .highest_seq = i };
    gst_pad_push (storm->rtcp, gst_buffer_new_memdup (bytes, rcc_rtcp_build_rr (bytes,
                sizeof bytes, CB_PEER, blocks, 3)));
  }
  return NULL;
}

static gpointer
storm_settings (gpointer data)
{
  Storm *storm = data;
  static const gchar *const actions[] = { "stop", "notify-only", "stop", "stop" };

  for (guint i = 0; storm_goes_on (storm); i++) {
    GstStructure *stats;
    gchar *tuning;
    gboolean done;
    gint state;

    gst_util_set_object_arg (G_OBJECT (storm->e), "action", actions[i % 4]);
    g_object_set (storm->e, "scope", (gint) (i % 2), "multiplier", 0.01 + i % 100,
        "reduce-first", i % 3 == 0, NULL);
    tuning = g_strdup_printf ("tuning,mode=%s,frame-group-size=%u",
        i % 2 ? "draft2014" : "rfc8083", 1 + i % 50);
    gst_util_set_object_arg (G_OBJECT (storm->e), "tuning", tuning);
    g_free (tuning);
    g_object_get (storm->e, "stats", &stats, "state", &state, NULL);
    gst_structure_free (stats);
    g_signal_emit_by_name (storm->e, "reset", &done);
  }
  return NULL;
}

static gpointer
storm_pads (gpointer data)
{
  Storm *storm = data;

  while (storm_goes_on (storm)) {
    GstPad *rtp = gst_element_request_pad_simple (storm->e, "rtp_sink_%u");
    GstPad *rtcp = gst_element_request_pad_simple (storm->e, "send_rtcp_sink");
    GstBuffer *buffer = rtp_packet (77, 1, 1, FALSE, 100);
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_send_event (rtp, gst_event_new_stream_start ("storm"));
    gst_pad_send_event (rtp, gst_event_new_segment (&segment));
    gst_pad_chain (rtp, buffer);
    gst_element_release_request_pad (storm->e, rtp);
    gst_element_release_request_pad (storm->e, rtcp);
    gst_object_unref (rtp);
    gst_object_unref (rtcp);
  }
  return NULL;
}

/* Resets and reads from inside the element's own notify, with no lock to be met. */
static void
on_state (GstElement *e, GParamSpec *pspec, gpointer data)
{
  GstStructure *stats;
  gboolean done;

  g_object_get (e, "stats", &stats, NULL);
  gst_structure_free (stats);
  g_object_set (e, "multiplier", 3.0, NULL);
  g_signal_emit_by_name (e, "reset", &done);
}

TEST (test_storm)
{
  static const GThreadFunc funcs[] = { storm_rtp, storm_rtcp, storm_settings,
    storm_settings, storm_pads };
  Storm storm = { gst_element_factory_make ("rtpcircuitbreaker", NULL),
    g_get_monotonic_time () + STORM, NULL, NULL };
  GstHarness *h = gst_harness_new_with_element (storm.e, "sink", "src");
  GstHarness *rtcp = gst_harness_new_with_element (storm.e, "rtcp_sink", "rtcp_src");
  GThread *threads[G_N_ELEMENTS (funcs)];

  gst_harness_set_drop_buffers (h, TRUE);
  gst_harness_set_drop_buffers (rtcp, TRUE);
  gst_harness_set_src_caps_str (h, CB_CAPS);
  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  g_signal_connect (storm.e, "notify::state", G_CALLBACK (on_state), NULL);
  storm.sink = h->srcpad;
  storm.rtcp = rtcp->srcpad;
  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    threads[i] = g_thread_new ("storm", funcs[i], &storm);
  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    g_thread_join (threads[i]);
  gst_harness_teardown (rtcp);
  gst_harness_teardown (h);
  gst_object_unref (storm.e);
}

TEST_MAIN (rtpcircuitbreaker_flow);
