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

/* Taken out from the encoder's own thread: the encoder goes on, and nothing of it is left. */
TEST (test_leaves_an_encoder_that_runs)
{
  Run run = {.leaves_at = 60 };
  gpointer left = &run;

  play (&run, TRUE, 1.2);
  fail_unless (run.adapter == NULL);
  fail_unless_equals_int (run.pictures, 500);

  run = (Run) {.leaves_at = 0 };
  play (&run, TRUE, 1.2);
  left = run.adapter;
  g_object_add_weak_pointer (G_OBJECT (run.adapter), &left);
  end (&run);
  fail_unless (left == NULL);
}

TEST_MAIN (adapter_utilization);
