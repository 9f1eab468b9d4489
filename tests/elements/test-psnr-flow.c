/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How frames flow: who waits, who ends first, flushes, whole pipelines.  Nothing
 * here depends on how long anything takes: where a thread must have come to a wait,
 * its progress is watched, and a wait that does not end runs into the test's timeout.
 */
#include "psnr-rig.h"

static guint
eos_count (GstHarness *h)
{
  guint n = 0;
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h))) {
    n += GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  return n;
}

TEST (offline_ends_with_the_last_side)
{
  for (guint ref_first = 0; ref_first < 2; ref_first++) {
    Rig rig = rig_new ("", FALSE, "I420", 160, 120);

    for (gint i = 0; i < 5; i++)
      push_ref (&rig, 0, i);
    push_dist (&rig, 0, 0);
    if (ref_first) {
      gst_harness_push_event (rig.ref, gst_event_new_eos ());
      push_dist (&rig, 0, 1);
      push_dist (&rig, 0, 9);   /* the reference knows no 9 */
      gst_harness_push_event (rig.dist, gst_event_new_eos ());
    } else {
      push_dist (&rig, 0, 1);
      push_dist (&rig, 0, 9);
      gst_harness_push_event (rig.dist, gst_event_new_eos ());
      assert_equals_int (eos_count (rig.dist), 0);
      gst_harness_push_event (rig.ref, gst_event_new_eos ());
    }
    assert_equals_int (eos_count (rig.dist), 1);
    expect (&rig, "0 1 2* 3* 4* end");
    assert_near (figure (&rig, "unknown"), 1);
    rig_free (&rig);
  }
}

TEST (live_ends_with_what_the_viewer_sees)
{
  Rig rig = rig_new ("", TRUE, "I420", 160, 120);

  for (gint i = 0; i < 4; i++)
    push_ref (&rig, 0, i);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 0, 1);
  gst_harness_push_event (rig.dist, gst_event_new_eos ());
  assert_equals_int (eos_count (rig.dist), 1);
  expect (&rig, "0 1 2* 3* end");
  for (gint i = 4; i < 400; i++)
    push_ref (&rig, 0, i);      /* the source does not stop */
  expect (&rig, "");
  assert_near (figure (&rig, "frames"), 4);
  rig_free (&rig);
}

static gint alive;

static void
buffer_gone (gpointer data, GstMiniObject *object)
{
  g_atomic_int_add (&alive, -1);
}

static GstBuffer *
counted (GstBuffer *buffer)
{
  g_atomic_int_inc (&alive);
  gst_mini_object_weak_ref (GST_MINI_OBJECT (buffer), buffer_gone, NULL);
  return buffer;
}

/* Seconds of reference with nothing on the other side, in one thread: a push that
 * waited would never return. */
TEST (live_reference_never_waits)
{
  Rig rig = rig_new ("max-delay=1000000000 max-size-buffers=64", TRUE, "I420", 160, 120);
  gint peak = 0;

  alive = 0;
  for (gint i = 0; i < 600; i++) {
    GstBuffer *buffer = counted (picture (&rig, 0, i, i * FRAME));

    assert_equals_int (gst_harness_push (rig.ref, buffer), GST_FLOW_OK);
    peak = MAX (peak, alive);
    if (i < 100)
      push_dist (&rig, 0, i);
  }
  fail_unless (peak <= 33, "%d buffers held", peak);    /* one second and two more */
  push_dist (&rig, 0, 300);     /* given up long ago, but seen now */
  push_dist (&rig, 0, 599);
  assert_near (figure (&rig, "late"), 1);
  assert_near (figure (&rig, "frames"), 600);
  assert_near (figure (&rig, "freezes"), 2);
  fail_unless (figure (&rig, "longest-freeze") > 15 * GST_SECOND);
  fail_unless (figure (&rig, "longest-freeze") < 17 * GST_SECOND);
  rig_free (&rig);
  assert_equals_int (alive, 0);
}

typedef struct {
  Rig *rig;
  GstHarness *h;
  gint from, to;
  gint pushed;                  /* atomic */
  GstFlowReturn flow;
} Pusher;

static gpointer
push_all (gpointer data)
{
  Pusher *p = data;

  for (gint i = p->from; i < p->to && p->flow == GST_FLOW_OK; i++) {
    p->flow = gst_harness_push (p->h, picture (p->rig, 0, i, i * FRAME));
    g_atomic_int_inc (&p->pushed);
  }
  return NULL;
}

static void
wait_pushed (Pusher *p, gint pushed)
{
  while (g_atomic_int_get (&p->pushed) < pushed)
    g_usleep (1000);
}

TEST (offline_both_are_consumed_in_step)
{
  for (guint slow = 0; slow < 2; slow++) {
    Rig rig = rig_new ("max-size-buffers=8", FALSE, "I420", 160, 120);
    Pusher p = { &rig, slow ? rig.ref : rig.dist, 0, 300, 0, GST_FLOW_OK };
    GThread *thread = g_thread_new ("push", push_all, &p);

    wait_pushed (&p, 8);           /* as far ahead as it can get */
    for (gint i = 0; i < 300; i++) {
      if (slow)
        push_dist (&rig, 0, i);
      else
        push_ref (&rig, 0, i);
      fail_unless (g_atomic_int_get (&p.pushed) <= i + 1 + 8 + 1);
    }
    g_thread_join (thread);
    assert_equals_int (p.flow, GST_FLOW_OK);
    assert_near (figure (&rig, "frames"), 300);
    assert_near (figure (&rig, "identical"), 300);
    assert_near (figure (&rig, "frozen"), 0);
    rig_free (&rig);
  }
}

/* Every way out of a wait, for either side. */
TEST (waiting_ends)
{
  enum { FLUSH, OTHER_EOS, STATE, UNLINK, N_WAYS };

  for (guint side = 0; side < 2; side++)
    for (guint way = 0; way < N_WAYS; way++) {
      Rig rig = rig_new ("max-size-buffers=4", FALSE, "I420", 160, 120);
      GstHarness *mine = side ? rig.ref : rig.dist, *other = side ? rig.dist : rig.ref;
      Pusher p = { &rig, mine, 0, 5, 0, GST_FLOW_OK };
      GThread *thread = g_thread_new ("push", push_all, &p);

      wait_pushed (&p, 4);
      if (way == FLUSH) {
        gst_harness_push_event (mine, gst_event_new_flush_start ());
      } else if (way == OTHER_EOS) {
        gst_harness_push_event (other, gst_event_new_stream_start ("x"));
        gst_harness_push_event (other, gst_event_new_eos ());
      } else if (way == STATE) {
        gst_element_set_state (rig.psnr, GST_STATE_READY);
      } else {
        GstPad *pad = gst_pad_get_peer (other->srcpad);

        gst_pad_unlink (other->srcpad, pad);
        gst_object_unref (pad);
      }
      g_thread_join (thread);
      assert_equals_int (p.flow, way == FLUSH || way == STATE ? GST_FLOW_FLUSHING :
          GST_FLOW_OK);
      rig_free (&rig);
    }
}

TEST (flush_starts_anew)
{
  Rig rig = rig_new ("match=pts", FALSE, "GRAY8", 16, 16);

  for (gint i = 50; i < 54; i++)
    push_ref (&rig, 0, i);
  push_dist (&rig, 0, 50);
  gst_harness_push_event (rig.dist, gst_event_new_eos ());
  for (guint side = 0; side < 2; side++) {
    GstHarness *h = side ? rig.ref : rig.dist;
    GstSegment segment;

    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  }
  g_free (messages (&rig));
  for (gint i = 0; i < 3; i++) {
    push_ref (&rig, 0, i);
    push_dist (&rig, 0, i);
  }
  expect (&rig, "4 5 6");
  rig_free (&rig);
}

/* --- whole pipelines ------------------------------------------------------ */

static GstElement *
start_pipeline (const gchar *launch)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  fail_unless (error == NULL, "%s", error ? error->message : "");
  return pipeline;
}

/* Runs to EOS; the stats at its end. */
static GstStructure *
run (GstElement *pipeline)
{
  GstElement *psnr = gst_bin_get_by_name (GST_BIN (pipeline), "psnr");
  GstStructure *stats;

  run_to_eos (pipeline);
  stats = stats_of (psnr);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (psnr);
  gst_object_unref (pipeline);
  return stats;
}

#define SOURCE "videotestsrc num-buffers=90 pattern=zone-plate kx2=10 ky2=10 kt=8 ! " \
  "video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! framestamp ! tee name=t "

TEST (through_a_real_encoder)
{
  /* with queues, and in one single thread with x264's full look-ahead */
  static const gchar *chains[] = {
    SOURCE "t. ! queue ! psnr.ref_sink t. ! queue ! x264enc bitrate=500 ! avdec_h264 ! "
        "psnr.dist_sink psnr name=psnr ssim=true ! fakesink",
    SOURCE "t. ! psnr.ref_sink t. ! x264enc bitrate=500 ! avdec_h264 ! psnr.dist_sink "
        "psnr name=psnr ssim=true ! fakesink async=false",
    SOURCE "t. ! x264enc bitrate=500 ! avdec_h264 ! psnr.dist_sink t. ! psnr.ref_sink "
        "psnr name=psnr ssim=true match=pts crop-top=20 ! fakesink async=false",
  };

  if (!have ("x264enc") || !have ("avdec_h264"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    GstStructure *stats = run (start_pipeline (chains[i]));

    assert_near (figure_in (stats, "frames"), 90);
    assert_near (figure_in (stats, "frozen"), 0);
    assert_near (figure_in (stats, "unmatched"), 0);
    assert_near (figure_in (stats, "unknown"), 0);
    fail_unless (figure_in (stats, "mean-psnr") > 42);
    fail_unless (figure_in (stats, "mean-psnr") < 60);
    fail_unless (figure_in (stats, "mean-ssim") > 0.98);
    gst_structure_free (stats);
  }
}

/* That pairs are the right ones: with a number one too high on the same frames,
 * nothing is missing and the PSNR falls. */
TEST (a_wrong_pair_shows)
{
  g_autoptr (GstStructure) stats =
      run (start_pipeline (SOURCE "t. ! queue ! psnr.ref_sink t. ! queue ! "
          "framestamp next-number=1 ! psnr.dist_sink psnr name=psnr ! fakesink"));

  assert_near (figure_in (stats, "frames"), 89);
  assert_near (figure_in (stats, "unmatched"), 1);      /* the first: nothing to see */
  assert_near (figure_in (stats, "unknown"), 1);
  assert_near (figure_in (stats, "frozen"), 0);
  fail_unless (figure_in (stats, "mean-psnr") < 35);
}

/* Both branches of one tee, of which one cannot be paired at all, and more frames
 * than all queues hold: it must come to its end nevertheless. */
TEST (an_unreadable_side_stops_nothing)
{
  static const gchar *chains[] = {
    "t. ! queue ! framestamp ! psnr.ref_sink t. ! queue ! psnr.dist_sink psnr name=psnr "
        "! fakesink",
    "t. ! queue ! psnr.ref_sink t. ! queue ! framestamp ! psnr.dist_sink psnr name=psnr "
        "! fakesink",
    "t. ! queue ! framestamp ! psnr.ref_sink t. ! queue ! framestamp next-number=1000000 ! "
        "psnr.dist_sink psnr name=psnr ! fakesink",
    "t. ! queue ! framestamp next-number=1000000 ! psnr.ref_sink t. ! queue ! framestamp ! "
        "psnr.dist_sink psnr name=psnr ! fakesink",
  };

  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    gchar *launch = g_strconcat ("videotestsrc num-buffers=1000 ! video/x-raw,format=GRAY8,"
        "width=80,height=32 ! tee name=t ", chains[i], NULL);
    GstStructure *stats = run (start_pipeline (launch));

    fail_unless (figure_in (stats, "unmatched") + figure_in (stats, "frames") >= 1000);
    fail_unless (figure_in (stats, "unknown") + figure_in (stats, "frames") >= 1000);
    gst_structure_free (stats);
    g_free (launch);
  }
}

static GstPadProbeReturn
lose (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  gint n = (*(gint *) user_data)++;

  return n % 10 == 3 || n % 10 == 4 || n % 30 == 7 ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* Encoded frames are lost on the way (all are intra, so each loss is one frame). */
TEST (through_a_lossy_chain)
{
  GstElement *pipeline, *lossy;
  GstStructure *stats;
  GstPad *pad;
  gint count = 0;

  if (!have ("x264enc") || !have ("avdec_h264"))
    return;
  pipeline = start_pipeline (SOURCE "t. ! queue ! psnr.ref_sink t. ! queue ! "
      "x264enc bitrate=2000 key-int-max=1 tune=zerolatency ! identity name=lossy ! "
      "avdec_h264 ! psnr.dist_sink psnr name=psnr ! fakesink");
  lossy = gst_bin_get_by_name (GST_BIN (pipeline), "lossy");
  pad = gst_element_get_static_pad (lossy, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, lose, &count, NULL);
  gst_object_unref (pad);
  gst_object_unref (lossy);
  stats = run (pipeline);
  assert_equals_int (count, 90);
  assert_near (figure_in (stats, "frames"), 90);
  assert_near (figure_in (stats, "frozen"), 2 * 9 + 3);
  assert_near (figure_in (stats, "freezes"), 9 + 3);
  fail_unless (figure_in (stats, "longest-freeze") >= 2 * FRAME - 2);
  fail_unless (figure_in (stats, "longest-freeze") <= 2 * FRAME + 2);
  assert_near (figure_in (stats, "unmatched"), 0);
  gst_structure_free (stats);
}

TEST (a_live_source_does_not_wait)
{
  g_autoptr (GstStructure) stats =
      run (start_pipeline ("videotestsrc is-live=true num-buffers=20 ! "
          "video/x-raw,format=I420,width=160,height=120,framerate=100/1 ! framestamp ! "
          "tee name=t t. ! psnr.ref_sink t. ! queue ! "
          "psnr.dist_sink psnr name=psnr max-size-buffers=1 ! fakesink"));

  /* with room for a single frame, and whoever is first: all are accounted for */
  assert_near (figure_in (stats, "frames") + figure_in (stats, "unmatched"), 20);
}

TEST (comes_and_goes)
{
  for (guint i = 0; i < 200; i++) {
    GstElement *pipeline = start_pipeline ("videotestsrc ! video/x-raw,format=I420,width=160,"
        "height=120 ! framestamp ! tee name=t t. ! queue ! psnr.ref_sink t. ! queue ! "
        "psnr.dist_sink psnr name=psnr max-size-buffers=2 ! fakesink");

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    if (i % 2)
      gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
    assert_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    gst_object_unref (pipeline);
  }
}

TEST_MAIN (psnr_flow);
