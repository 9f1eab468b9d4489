/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The adapter and an encoder that makes less than it is set to: x264 with a short VBV.
 */
#include <math.h>

#include "adapter-rig.h"

#define TARGET 437000
#define FROM (5 * GST_SECOND)
#define SOURCE "videotestsrc num-buffers=500 pattern=zone-plate kx2=12 ky2=12 kt=2 ! " \
  "video/x-raw,format=I420,width=640,height=480,framerate=25/1 ! x264enc name=e " \
  "tune=zerolatency speed-preset=ultrafast threads=1 key-int-max=1000"

typedef struct {
  GstElement *adapter;
  GstPad *src;                          /* of the adapter, where it is told */
  guint pictures, told_at, leaves_at;   /* 0: never */
  guint64 bytes;                        /* since FROM */
  GstClockTime first, last;
  gpointer left;                        /* the adapter that has left; NULL: it is gone */
} Run;

static void
tell (GstPad *src)
{
  gst_pad_send_event (src, gst_rtp_cc_event_new (&(GstRtpCcTarget) {
            .target_bps = TARGET,.rtt = GST_CLOCK_TIME_NONE}));
}

static GstPadProbeReturn
count (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Run *run = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const GstClockTime pts = GST_BUFFER_PTS (buffer);

  if (run->pictures++ == 0)
    run->first = pts;
  run->last = pts;
  if (run->src && run->pictures % 5 == 0)
    tell (run->src);
  if (run->leaves_at && run->pictures == run->leaves_at) {
    gst_clear_object (&run->src);
    run->left = run->adapter;
    g_object_add_weak_pointer (G_OBJECT (run->adapter), &run->left);
    gst_element_set_state (run->adapter, GST_STATE_NULL);
    gst_clear_object (&run->adapter);
  }
  if (pts >= run->first + FROM)
    run->bytes += gst_buffer_get_size (buffer);
  return GST_PAD_PROBE_OK;
}

static gdouble
double_of (GstElement *adapter, const gchar *name)
{
  g_autoptr (GstStructure) stats = stats_of (adapter);
  gdouble value;

  fail_unless (gst_structure_get_double (stats, name, &value));
  return value;
}

/* @beside: no link leads through the adapter. */
static void
play (Run *run, gboolean beside, gdouble most)
{
  g_autofree gchar *launch = g_strdup_printf (SOURCE "%s ! fakesink sync=false",
      beside ? "" : " ! rtpbitrateadapter name=a");
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  g_autoptr (GstPad) output = gst_element_get_static_pad (encoder, "src");
  GstMessage *message;
  gdouble utilization;

  if (beside)
    run->adapter = gst_object_ref_sink (gst_element_factory_make ("rtpbitrateadapter", NULL));
  else
    run->adapter = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  g_object_set (run->adapter, "packet-overhead", 0, "update-interval", G_GUINT64_CONSTANT (0),
      "vbv-buffer", 100, "max-correction", most, NULL);
  if (beside) {
    g_object_set (run->adapter, "encoder", encoder, NULL);
    gst_element_set_state (run->adapter, GST_STATE_PLAYING);
  }
  run->src = gst_element_get_static_pad (run->adapter, "src");
  gst_pad_add_probe (output, GST_PAD_PROBE_TYPE_BUFFER, count, run, NULL);
  tell (run->src);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline), GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  if (run->adapter) {
    fail_unless (fabs (double_of (run->adapter, "frame-rate") - 25) < .1);
    utilization = double_of (run->adapter, "encoder-utilization");
    fail_unless (utilization > .75 && utilization < 1, "utilization %.3f", utilization);
    if (beside)
      gst_element_set_state (run->adapter, GST_STATE_NULL);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
end (Run *run)
{
  gst_clear_object (&run->src);
  gst_clear_object (&run->adapter);
}

static gdouble
share (const Run *run)
{
  return run->bytes * 8e9 / (gdouble) (run->last - run->first - FROM) / TARGET;
}

/* Behind the encoder, and beside it, as rtpccattach has it. */
TEST_EACH (test_makes_up_for_it, 2)
{
  static const gdouble most[] = { 1, 1.2 };
  gdouble shares[2];

  for (guint i = 0; i < 2; i++) {
    Run run = { 0 };

    play (&run, __i__, most[i]);
    shares[i] = share (&run);
    end (&run);
  }
  g_print ("of the target: %.3f; corrected %.3f\n", shares[0], shares[1]);
  fail_unless (shares[0] < .9, "the encoder makes all that it is set to");
  fail_unless (shares[1] > .92);
  fail_unless (shares[1] < 1.02);
}

/* Taken out while the encoder runs: that goes on, and nothing of the adapter is left. */
TEST (test_leaves_an_encoder_that_runs)
{
  Run run = {.leaves_at = 60 };

  play (&run, TRUE, 1.2);
  fail_unless (run.adapter == NULL);
  fail_unless (run.left == NULL);
  fail_unless_equals_int (run.pictures, 500);
}

/* For @seconds 25 pictures a second, which make .85 of what the encoder is set to. */
static void
encode (Fixture *f, GstClockTime *now, guint seconds)
{
  for (guint i = 0; i < 25 * seconds; i++, *now += 40 * GST_MSECOND) {
    const gint kbps = g_atomic_int_get (&FAKE_ENCODER (f->encoder)->kbps);
    GstBuffer *picture = gst_buffer_new_allocate (NULL, kbps * .85 * 1000 / 25 / 8, NULL);

    GST_BUFFER_PTS (picture) = *now;
    fail_unless_equals_int (gst_harness_push (f->h, picture), GST_FLOW_OK);
    gst_harness_set_time (f->h, *now);
  }
}

/* 300 kbit/s.  What waits at the sender says that it is enough. */
TEST (test_waits_for_the_queue)
{
  g_auto (Fixture) f;
  GstClockTime now = 0;

  setup_fake (&f);
  tell_queue (&f, 0);
  encode (&f, &now, 4);
  fail_unless (encoder_bitrate (&f) <= 335300); /* .95 / .85 */
  fail_unless (encoder_bitrate (&f) >= 331000); /* what is within 1 % is not set */
  tell_queue (&f, 50 * GST_MSECOND);
  expect_kbps (&f, 300);
  tell_queue (&f, GST_CLOCK_TIME_NONE); /* not known */
  expect_kbps (&f, 300);
  tell_queue (&f, 49 * GST_MSECOND);
  encode (&f, &now, 1);
  fail_unless (encoder_bitrate (&f) > 320000);
}

TEST (test_stays_below_the_maximum)
{
  g_auto (Fixture) f;
  GstClockTime now = 0;

  setup_fake (&f);
  g_object_set (f.adapter, "max-bitrate", 310000, NULL);
  tell_queue (&f, 0);
  encode (&f, &now, 4);
  expect_kbps (&f, 310);
}

typedef struct {
  GstElement *adapter;
  gpointer left;
  guint calls;
} Leaver;

/* The encoder is just set from what it made: the adapter's only other owner lets it go. */
static void
leave (gpointer data)
{
  Leaver *l = data;

  if (++l->calls != 2)
    return;
  l->left = l->adapter;
  g_object_add_weak_pointer (G_OBJECT (l->adapter), &l->left);
  gst_element_set_state (l->adapter, GST_STATE_NULL);
  gst_clear_object (&l->adapter);
}

TEST (test_leaves_while_it_sets_the_encoder)
{
  g_auto (Fixture) f;
  Leaver l = { 0 };
  GstPad *src;
  GstClockTime now = 0;

  setup (&f, "fakeencoder name=e ! identity name=a");
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  l.adapter = gst_object_ref_sink (gst_element_factory_make ("rtpbitrateadapter", NULL));
  g_object_set (l.adapter, "encoder", f.encoder, "bitrate-property", "kbps", "bitrate-unit", 1000,
      "packet-overhead", 100, "update-interval", G_GUINT64_CONSTANT (0), NULL);
  gst_element_set_state (l.adapter, GST_STATE_PLAYING);
  FAKE_ENCODER (f.encoder)->data = &l;
  FAKE_ENCODER (f.encoder)->on_set = leave;
  src = gst_element_get_static_pad (l.adapter, "src");
  gst_pad_send_event (src, gst_rtp_cc_event_new (&(GstRtpCcTarget) {
            .target_bps = 300000,.rtt = GST_CLOCK_TIME_NONE}));
  gst_object_unref (src);
  fail_unless_equals_int (l.calls, 1);
  encode (&f, &now, 3);                 /* the frame rate tells more of the headers */
  fail_unless_equals_int (l.calls, 2);
  fail_unless (l.adapter == NULL && l.left == NULL);
  FAKE_ENCODER (f.encoder)->on_set = NULL;
}

TEST_MAIN (adapter_utilization);
