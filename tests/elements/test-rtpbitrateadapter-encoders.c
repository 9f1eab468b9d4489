/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The adapter and real encoders: how fast they follow, VBV, resolution, many lives.
 */
#include "adapter-rig.h"

/* A live encoder: its output by stream time, and one change of target. */
typedef struct {
  GstClockTime change_at, changed_at;   /* since the first PTS */
  GstClockTime first;
  guint target;
  guint64 bytes[60];            /* per 100 ms after the change; [0] of 3 frames */
  guint64 before;               /* bytes in the second before it */
} Run;

static GstPadProbeReturn
watch_output (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Run *run = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  gsize size = gst_buffer_get_size (buffer);
  GstClockTime pts;

  /* x264enc counts from 1000 hours. */
  if (!GST_CLOCK_TIME_IS_VALID (run->first))
    run->first = GST_BUFFER_PTS (buffer);
  pts = GST_BUFFER_PTS (buffer) - run->first;
  if (!GST_CLOCK_TIME_IS_VALID (run->changed_at)) {
    if (pts + GST_SECOND >= run->change_at)
      run->before += size;
    if (pts >= run->change_at) {
      run->changed_at = pts;
      gst_pad_send_event (pad, gst_rtp_cc_event_new (&(GstRtpCcTarget)
              {.target_bps = run->target,.rtt = GST_CLOCK_TIME_NONE}));
    }
  } else if (pts > run->changed_at) {
    guint64 slot = (pts - run->changed_at - 1) / (100 * GST_MSECOND);

    if (slot < G_N_ELEMENTS (run->bytes))
      run->bytes[slot] += size;
  }
  return GST_PAD_PROBE_OK;
}

static void
run_encoder (Run *run, const gchar *launch)
{
  GError *error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, &error);
  GstElement *adapter;
  GstMessage *message;
  GstPad *src;

  fail_unless (error == NULL, "%s", error ? error->message : "");
  adapter = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  src = gst_element_get_static_pad (adapter, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, watch_output, run, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline),
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (adapter);
}

#define X264 "videotestsrc num-buffers=210 pattern=smpte horizontal-speed=4 ! " \
  "video/x-raw,format=I420,width=640,height=480,framerate=30/1 ! x264enc " \
  "name=e tune=zerolatency speed-preset=superfast threads=1 key-int-max=300 " \
  "bitrate=%u ! rtpbitrateadapter name=a packet-overhead=0 ! fakesink"

static void
print_run (const Run *run, const gchar *name)
{
  g_print ("%s: %.0f kbit/s, then by 100 ms:", name, run->before * 8 / 1000.);
  for (guint i = 0; i < 10; i++)
    g_print (" %.0f", run->bytes[i] * 80 / 1000.);
  g_print (" (target %u)\n", run->target / 1000);
}

static const guint halvings[][2] = { {1600, 800}, {1000, 500}, {600, 300} };

TEST_EACH (test_x264enc_halves_within_200_ms, G_N_ELEMENTS (halvings))
{
  guint from = halvings[__i__][0], to = halvings[__i__][1];
  Run run = {.change_at = 4 * GST_SECOND,.changed_at = GST_CLOCK_TIME_NONE,
    .first = GST_CLOCK_TIME_NONE,
    .target = to * 1000
  };
  gchar *launch = g_strdup_printf (X264, from);
  gdouble total = 0;

  run_encoder (&run, launch);
  g_free (launch);
  print_run (&run, "x264enc");

  fail_unless (run.before * 8 > from * 900, "the source does not fill %u kbit/s",
      from);
  /* Since 200 ms, and over every half second: a VBV of 100 ms may well put a
   * larger frame into a single slot. */
  for (guint i = 2; i < 28; i++) {
    total += run.bytes[i];
    fail_unless (total * 80 <= (i - 1) * to * 1150., "%.0f kbit/s from 200 to %u "
        "ms", total * .08 / (i - 1), i * 100 + 100);
    if (i >= 6) {
      gdouble half = run.bytes[i] + run.bytes[i - 1] + run.bytes[i - 2]
          + run.bytes[i - 3] + run.bytes[i - 4];

      fail_unless (half * 16 <= to * 1150., "%.0f kbit/s up to %u ms",
          half * .016, i * 100 + 100);
    }
  }
  /* It uses what it is given, too. */
  fail_unless (total * 80 / 26 > to * 850.);
}

/* Others: the change is made in PLAYING, from the encoder's own thread, which
 * must neither block nor end the stream. */
static const gchar *live[] = {
  "videotestsrc num-buffers=60 ! video/x-raw,width=160,height=120,framerate=30/1"
      " ! vp8enc deadline=1 end-usage=cbr name=e",
  "videotestsrc num-buffers=60 ! video/x-raw,width=160,height=120,framerate=30/1"
      " ! vp9enc deadline=1 lag-in-frames=0 name=e",
  "videotestsrc num-buffers=60 ! video/x-raw,width=160,height=120,framerate=30/1"
      " ! openh264enc rate-control=bitrate name=e",
  "videotestsrc num-buffers=60 ! video/x-raw,width=160,height=120,framerate=30/1"
      " ! x265enc tune=zerolatency speed-preset=ultrafast name=e",
  "audiotestsrc num-buffers=100 wave=pink-noise ! audioconvert ! opusenc name=e",
};

TEST_EACH (test_live_encoders, G_N_ELEMENTS (live))
{
  Run run = {.change_at = GST_SECOND,.changed_at = GST_CLOCK_TIME_NONE,
    .first = GST_CLOCK_TIME_NONE,
    .target = 50000
  };
  g_autofree gchar *launch = g_strdup_printf ("%s ! rtpbitrateadapter name=a ! fakesink",
      live[__i__]);
  GError *error = NULL;
  GstElement *probe = gst_parse_launch (launch, &error);

  if (error) {
    g_print ("skipped: %s\n", error->message);
    g_clear_error (&error);
  } else {
    run_encoder (&run, launch);
    fail_unless (GST_CLOCK_TIME_IS_VALID (run.changed_at));
    fail_unless (run.bytes[5] > 0);
  }
  gst_clear_object (&probe);
}

/* Seen live: at 100 kbit/s and 100 ms x264 codes nothing but skipped frames. */
TEST (test_vbv_has_room_for_a_frame)
{
  g_auto (Fixture) f;
  guint vbv;

  setup (&f, "x264enc name=e bitrate=100 ! rtpbitrateadapter name=a "
      "packet-overhead=0 vbv-buffer=100");
  g_object_get (f.encoder, "vbv-buf-capacity", &vbv, NULL);
  assert_equals_int (vbv, 200);
  ask (&f, 1000000, 0);
  g_object_get (f.encoder, "vbv-buf-capacity", &vbv, NULL);
  assert_equals_int (vbv, 100);
  ask (&f, 50000, 0);
  g_object_get (f.encoder, "vbv-buf-capacity", &vbv, NULL);
  assert_equals_int (vbv, 400);
}

TEST (test_vbv_is_set_before_the_encoder_starts)
{
  Fixture f;
  guint vbv;

  setup (&f, "x264enc name=e ! rtpbitrateadapter name=a vbv-buffer=70");
  g_object_get (f.encoder, "vbv-buf-capacity", &vbv, NULL);
  assert_equals_int (vbv, 70);
  teardown (&f);
  setup (&f, "x264enc name=e vbv-buf-capacity=333 ! rtpbitrateadapter name=a "
      "vbv-buffer=0");
  g_object_get (f.encoder, "vbv-buf-capacity", &vbv, NULL);
  assert_equals_int (vbv, 333);
  teardown (&f);
}

/* What comes out, and what is asked for when, by stream time. */
typedef struct {
  GstTestClock *clock;
  GstClockTime first;
  guint asked;
  GString *sizes;
  GstCaps *caps;
} Scaling;

static const struct {
  GstClockTime at;
  guint target;
} demands[] = {
  {500 * GST_MSECOND, 200000},
  /* 320x240 at 30/s is 2.304 Mpixel/s, 57600 bit/s the least. */
  {2 * GST_SECOND, 50000},
  {4 * GST_SECOND, 10000},
  {6 * GST_SECOND, 200000},
  /* All at once: nothing may flap. */
  {10 * GST_SECOND, 60000},
  {10500 * GST_MSECOND, 70000},
};

static GstPadProbeReturn
watch_size (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Scaling *s = data;
  GstClockTime pts = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
  GstCaps *caps = gst_pad_get_current_caps (pad);

  if (!s->caps)
    s->first = pts;
  pts -= s->first;
  gst_test_clock_set_time (s->clock, pts);
  if (!s->caps || !gst_caps_is_equal (caps, s->caps)) {
    gint width, height, n, d;
    GstStructure *video = gst_caps_get_structure (caps, 0);

    fail_unless (gst_structure_get (video, "width", G_TYPE_INT, &width, "height",
            G_TYPE_INT, &height, "framerate", GST_TYPE_FRACTION, &n, &d, NULL));
    g_string_append_printf (s->sizes, "%dx%d@%d/%d at %.0f s, ", width, height,
        n, d, (gdouble) pts / GST_SECOND);
    gst_caps_replace (&s->caps, caps);
  }
  gst_caps_unref (caps);
  while (s->asked < G_N_ELEMENTS (demands) && pts >= demands[s->asked].at)
    gst_pad_send_event (pad, gst_rtp_cc_event_new (&(GstRtpCcTarget)
            {.target_bps = demands[s->asked++].target}));
  return GST_PAD_PROBE_OK;
}

static const gchar *scaled[] = {
  "fakeencoder ! rtpbitrateadapter bitrate-property=kbps bitrate-unit=1000",
  "x264enc tune=zerolatency speed-preset=ultrafast ! rtpbitrateadapter",
};

TEST_EACH (test_adapt_resolution, G_N_ELEMENTS (scaled))
{
  gchar *launch = g_strdup_printf ("videotestsrc num-buffers=360 ! "
      "video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! videoscale "
      "! videorate ! capsfilter name=size ! %s name=a packet-overhead=0 "
      "adapt-resolution=true capsfilter=size ! fakesink", scaled[__i__]);
  GstElement *pipeline, *adapter, *filter;
  Scaling s = {.clock = GST_TEST_CLOCK (gst_test_clock_new ()),.sizes =
        g_string_new (NULL)
  };
  GstCaps *caps;
  GstPad *src;

  gst_element_register (NULL, "fakeencoder", GST_RANK_NONE,
      fake_encoder_get_type ());
  pipeline = gst_parse_launch (launch, NULL);
  gst_pipeline_use_clock (GST_PIPELINE (pipeline), GST_CLOCK (s.clock));
  adapter = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  filter = gst_bin_get_by_name (GST_BIN (pipeline), "size");
  src = gst_element_get_static_pad (adapter, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, watch_size, &s, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_message_unref (gst_bus_timed_pop_filtered (GST_ELEMENT_BUS (pipeline),
          GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
  assert_equals_string (s.sizes->str, "320x240@30/1 at 0 s, 240x180@30/1 at 2 s, "
      "160x120@15/1 at 4 s, 320x240@30/1 at 8 s, ");

  /* READY gives the capsfilter its own caps back. */
  gst_test_clock_advance_time (s.clock, 5 * GST_SECOND);
  gst_pad_send_event (src, gst_rtp_cc_event_new (&(GstRtpCcTarget)
          {.target_bps = 10000}));
  g_object_get (filter, "caps", &caps, NULL);
  fail_if (gst_caps_is_any (caps));
  gst_caps_unref (caps);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_object_get (filter, "caps", &caps, NULL);
  fail_unless (gst_caps_is_any (caps));
  gst_caps_unref (caps);

  g_free (launch);
  gst_caps_unref (s.caps);
  g_string_free (s.sizes, TRUE);
  gst_object_unref (s.clock);
  gst_object_unref (src);
  gst_object_unref (filter);
  gst_object_unref (adapter);
  gst_object_unref (pipeline);
}

TEST (test_adapt_resolution_without_capsfilter)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  g_object_set (f.adapter, "adapt-resolution", TRUE, NULL);
  ask (&f, 10000, 0);
  g_object_set (f.adapter, "capsfilter", "e", NULL);
  ask (&f, 20000, 0);
  assert_equals_int (warnings (&f), 1);
}

/* Targets keep coming while the pipeline comes and goes. */
TEST (test_state_cycles)
{
  guint i;

  gst_element_register (NULL, "fakeencoder", GST_RANK_NONE,
      fake_encoder_get_type ());
  for (i = 0; i < 200; i++) {
    GstElement *pipeline = gst_parse_launch ("audiotestsrc ! fakeencoder ! "
        "rtpbitrateadapter name=a bitrate-property=kbps bitrate-unit=1000 ! "
        "fakesink", NULL);
    GstElement *adapter = gst_bin_get_by_name (GST_BIN (pipeline), "a");
    GstPad *src = gst_element_get_static_pad (adapter, "src");
    guint bps = 0, waited;

    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
    gst_pad_send_event (src, gst_rtp_cc_event_new (&(GstRtpCcTarget)
            {.target_bps = 500000}));
    /* the streaming thread may be setting the encoder: then it takes this target too */
    for (waited = 0; bps == 0 && waited < 5000; waited++) {
      g_object_get (adapter, "encoder-bitrate", &bps, NULL);
      g_usleep (bps ? 0 : 1000);
    }
    fail_unless (bps > 0);
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_NULL : GST_STATE_READY);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (src);
    gst_object_unref (adapter);
    gst_object_unref (pipeline);
  }
}

/* As v4l2h264enc, its bitrate a field of a structure; or as Android's encoders, a number. */
typedef struct {
  FakeEncoder parent;
  GstStructure *controls;
  gint bitrate;
} StructEncoder;
typedef FakeEncoderClass StructEncoderClass;

GType struct_encoder_get_type (void);
G_DEFINE_TYPE (StructEncoder, struct_encoder, fake_encoder_get_type ());
#define STRUCT_ENCODER(o) ((StructEncoder *) (o))

static void
struct_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == 2) {
    STRUCT_ENCODER (object)->bitrate = g_value_get_int (value);
    return;
  }
  g_clear_pointer (&STRUCT_ENCODER (object)->controls, gst_structure_free);
  STRUCT_ENCODER (object)->controls = g_value_dup_boxed (value);
}

static void
struct_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == 2)
    g_value_set_int (value, STRUCT_ENCODER (object)->bitrate);
  else
    g_value_set_boxed (value, STRUCT_ENCODER (object)->controls);
}

static void
struct_finalize (GObject *object)
{
  g_clear_pointer (&STRUCT_ENCODER (object)->controls, gst_structure_free);
  G_OBJECT_CLASS (struct_encoder_parent_class)->finalize (object);
}

static void
struct_encoder_init (StructEncoder *self)
{
}

static void
struct_encoder_class_init (StructEncoderClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = struct_set_property;
  G_OBJECT_CLASS (klass)->get_property = struct_get_property;
  G_OBJECT_CLASS (klass)->finalize = struct_finalize;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1, g_param_spec_boxed
      ("extra-controls", "", "", GST_TYPE_STRUCTURE, G_PARAM_READWRITE));
  g_object_class_install_property (G_OBJECT_CLASS (klass), 2,
      g_param_spec_int ("bitrate", "", "", 0, G_MAXINT, 0, G_PARAM_READWRITE));
}

/* A class knows its first factory only, so each name that is registered has a class of its own. */
#define SUBCLASS(Name, name) \
  typedef StructEncoder Name; \
  typedef StructEncoderClass Name##Class; \
  GType name##_get_type (void); \
  G_DEFINE_TYPE (Name, name, struct_encoder_get_type ()) \
  static void name##_init (Name *self) { } \
  static void name##_class_init (Name##Class *klass) { }

SUBCLASS (V4l2Encoder, v4l2_encoder)
SUBCLASS (AndroidEncoder, android_encoder)

/* By the table where it is called v4l2h264enc, else by the property's name. */
static const gchar *const struct_launches[] = {
  "v4l2h264enc name=e ! rtpbitrateadapter name=a packet-overhead=0",
  "structencoder name=e ! rtpbitrateadapter name=a packet-overhead=0 "
      "bitrate-property=extra-controls.video_bitrate bitrate-unit=1",
};

TEST_EACH (test_a_field_of_a_structure, G_N_ELEMENTS (struct_launches))
{
  GstStructure *controls = gst_structure_from_string ("c,h264_level=(int)11", NULL);
  g_auto (Fixture) f;
  gint bps = 0, level = 0;

  gst_element_register (NULL, __i__ ? "structencoder" : "v4l2h264enc", GST_RANK_NONE,
      __i__ ? struct_encoder_get_type () : v4l2_encoder_get_type ());
  setup (&f, struct_launches[__i__]);
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  g_object_set (f.encoder, "extra-controls", controls, NULL);
  gst_structure_free (controls);
  ask (&f, 600000, 0);
  controls = STRUCT_ENCODER (f.encoder)->controls;
  fail_unless (gst_structure_get (controls, "video_bitrate", G_TYPE_INT, &bps,
          "h264_level", G_TYPE_INT, &level, NULL));
  assert_equals_int (bps, 600000);
  assert_equals_int (level, 11);
  assert_equals_int (encoder_bitrate (&f), 600000);
}

TEST (test_android_encoders)
{
  g_auto (Fixture) f;

  gst_element_register (NULL, "amcvidenc-omxqcomvideoencoderavc", GST_RANK_NONE,
      android_encoder_get_type ());
  setup (&f, "amcvidenc-omxqcomvideoencoderavc name=e ! rtpbitrateadapter name=a "
      "packet-overhead=0");
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  ask (&f, 600000, 0);
  assert_equals_int (STRUCT_ENCODER (f.encoder)->bitrate, 600000);
}

TEST_MAIN (adapter_encoders);
