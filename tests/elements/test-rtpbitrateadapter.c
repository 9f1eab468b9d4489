/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>

#include "rtpcc/gstrtpccevent.h"

/* An encoder that nobody has heard of: passes everything, and notes what it is
 * set to. */
typedef struct {
  GstElement parent;
  gint kbps;                    /* atomic */
  gint times_set;               /* atomic */
  void (*on_set) (gpointer);    /* before it takes effect */
  gpointer data;
} FakeEncoder;
typedef GstElementClass FakeEncoderClass;

GType fake_encoder_get_type (void);
G_DEFINE_TYPE (FakeEncoder, fake_encoder, GST_TYPE_ELEMENT);
#define FAKE_ENCODER(o) ((FakeEncoder *) (o))

static GstFlowReturn
fake_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstPad *src = GST_ELEMENT (parent)->srcpads->data;

  return gst_pad_push (src, buffer);
}

static void
fake_set_property (GObject *object, guint id, const GValue *value,
    GParamSpec *pspec)
{
  if (FAKE_ENCODER (object)->on_set)
    FAKE_ENCODER (object)->on_set (FAKE_ENCODER (object)->data);
  g_atomic_int_set (&FAKE_ENCODER (object)->kbps, g_value_get_int (value));
  g_atomic_int_inc (&FAKE_ENCODER (object)->times_set);
}

static void
fake_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int (value, g_atomic_int_get (&FAKE_ENCODER (object)->kbps));
}

static void
fake_encoder_init (FakeEncoder *self)
{
  GstPad *sink = gst_pad_new ("sink", GST_PAD_SINK);

  gst_pad_set_chain_function (sink, fake_chain);
  GST_PAD_SET_PROXY_CAPS (sink);
  gst_element_add_pad (GST_ELEMENT (self), sink);
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("src", GST_PAD_SRC));
}

static void
fake_encoder_class_init (FakeEncoderClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = fake_set_property;
  G_OBJECT_CLASS (klass)->get_property = fake_get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1,
      g_param_spec_int ("kbps", "", "", 10, 5000, 100, G_PARAM_READWRITE));
  g_object_class_install_property (G_OBJECT_CLASS (klass), 2,
      g_param_spec_boolean ("loud", "", "", FALSE, G_PARAM_READWRITE));
  gst_element_class_set_static_metadata (klass, "Fake", "Codec/Encoder/Fake",
      "Passes everything", "gst-rtpcc");
}

typedef struct {
  GstHarness *h;
  GstElement *adapter, *encoder;
  GstBus *bus;
} Fixture;

/* @launch names the adapter a and the encoder e. */
static void
setup (Fixture *f, const gchar *launch)
{
  gst_element_register (NULL, "fakeencoder", GST_RANK_NONE,
      fake_encoder_get_type ());
  f->h = gst_harness_new_parse (launch);
  f->adapter = gst_bin_get_by_name (GST_BIN (f->h->element), "a");
  f->encoder = gst_bin_get_by_name (GST_BIN (f->h->element), "e");
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->h->element, f->bus);
  gst_harness_use_testclock (f->h);
  gst_harness_play (f->h);
}

static void
setup_fake (Fixture *f)
{
  setup (f, "fakeencoder name=e ! rtpbitrateadapter name=a "
      "bitrate-property=kbps bitrate-unit=1000 packet-overhead=0");
  gst_harness_set_src_caps_str (f->h, "video/x-fake");
}

static void
teardown (Fixture *f)
{
  gst_element_set_bus (f->h->element, NULL);
  gst_object_unref (f->bus);
  gst_object_unref (f->adapter);
  gst_clear_object (&f->encoder);
  gst_harness_teardown (f->h);
}

static void
ask (Fixture *f, guint target, guint fec)
{
  fail_unless (gst_harness_push_upstream_event (f->h,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps =
                  target,.fec_bps = fec,.rtt = 5,.source = "test",.reason =
                  "because"})));
}

static void
expect_kbps (Fixture *f, gint kbps)
{
  assert_equals_int (g_atomic_int_get (&FAKE_ENCODER (f->encoder)->kbps), kbps);
}

static guint
encoder_bitrate (Fixture *f)
{
  guint bps;

  g_object_get (f->adapter, "encoder-bitrate", &bps, NULL);
  return bps;
}

static guint64
stat (Fixture *f, const gchar *field)
{
  GstStructure *s;
  guint64 value = 0;
  guint small;

  g_object_get (f->adapter, "stats", &s, NULL);
  if (!gst_structure_get_uint64 (s, field, &value)) {
    fail_unless (gst_structure_get_uint (s, field, &small), "%s", field);
    value = small;
  }
  gst_structure_free (s);
  return value;
}

static guint
warnings (Fixture *f)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING))) {
    n++;
    gst_message_unref (message);
  }
  return n;
}

static GstBuffer *
frame (GstClockTime pts)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 100, NULL);

  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

static const struct {
  const gchar *encoder, *property;
  guint64 value;                /* for 600 kbit/s */
} known[] = {
  {"x264enc", "bitrate", 600},
  {"x265enc", "bitrate", 600},
  {"openh264enc", "bitrate", 600000},
  {"vp8enc", "target-bitrate", 600000},
  {"vp9enc", "target-bitrate", 600000},
  {"av1enc", "target-bitrate", 600},
  {"nvh264enc", "bitrate", 600},
  {"vah264enc", "bitrate", 600},
  {"opusenc", "bitrate", 600000},
};

GST_START_TEST (test_known_encoders)
{
  gchar *launch = g_strdup_printf ("%s name=e ! queue ! capsfilter ! "
      "rtpbitrateadapter name=a packet-overhead=0", known[__i__].encoder);
  GstElementFactory *factory = gst_element_factory_find (known[__i__].encoder);
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;
  Fixture f;

  if (factory) {
    setup (&f, launch);
    ask (&f, 600000, 0);
    g_object_get_property (G_OBJECT (f.encoder), known[__i__].property, &value);
    g_value_init (&number, G_TYPE_UINT64);
    fail_unless (g_value_transform (&value, &number));
    assert_equals_uint64 (g_value_get_uint64 (&number), known[__i__].value);
    assert_equals_int (encoder_bitrate (&f), 600000);
    g_value_unset (&value);
    g_value_unset (&number);
    teardown (&f);
    gst_object_unref (factory);
  } else {
    /* The first of the table is in the test's dependencies. */
    fail_if (__i__ == 0, "x264enc is missing");
    g_print ("%s is not installed, skipped\n", known[__i__].encoder);
  }
  g_free (launch);
}

GST_END_TEST;

/* Controllers stand behind the payloader. */
GST_START_TEST (test_through_payloaders)
{
  Fixture f;
  guint kbps;
  gint bps;

  setup (&f, "x264enc name=e ! rtpbitrateadapter name=a packet-overhead=0 ! "
      "rtph264pay");
  ask (&f, 432000, 0);
  g_object_get (f.encoder, "bitrate", &kbps, NULL);
  assert_equals_int (kbps, 432);
  teardown (&f);
  setup (&f, "opusenc name=e ! rtpbitrateadapter name=a packet-overhead=0 ! "
      "rtpopuspay");
  ask (&f, 3000, 0);
  g_object_get (f.encoder, "bitrate", &bps, NULL);
  assert_equals_int (bps, 4000);
  assert_equals_int (encoder_bitrate (&f), 4000);
  teardown (&f);
}

GST_END_TEST;

static const gchar *nested[] = {
  "fakeencoder name=e ! rtpbitrateadapter name=a bitrate-property=kbps",
  "( fakeencoder name=e ! identity ) ! rtpbitrateadapter name=a "
      "bitrate-property=kbps",
  "fakeencoder name=e ! ( queue ! rtpbitrateadapter name=a "
      "bitrate-property=kbps )",
  "( ( fakeencoder name=e ) ! identity ) ! ( identity ! ( rtpbitrateadapter "
      "name=a bitrate-property=kbps ) )",
  /* The nearest one. */
  "fakeencoder ! identity ! fakeencoder name=e ! rtpbitrateadapter name=a "
      "bitrate-property=kbps",
};

GST_START_TEST (test_finds_the_encoder_across_bins)
{
  Fixture f;

  setup (&f, nested[__i__]);
  g_object_set (f.adapter, "bitrate-unit", 1000, "packet-overhead", 0, NULL);
  ask (&f, 777000, 0);
  expect_kbps (&f, 777);
  assert_equals_int (warnings (&f), 0);
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_no_encoder)
{
  Fixture f;

  setup (&f, "identity ! rtpbitrateadapter name=a");
  ask (&f, 100000, 0);
  ask (&f, 200000, 0);
  assert_equals_int (warnings (&f), 1);
  assert_equals_int (encoder_bitrate (&f), 0);
  assert_equals_uint64 (stat (&f, "target-events"), 2);
  teardown (&f);

  /* One whose bitrate nobody knows: the same, until it is named. */
  setup (&f, "fakeencoder name=e ! rtpbitrateadapter name=a packet-overhead=0");
  ask (&f, 100000, 0);
  assert_equals_int (warnings (&f), 1);
  g_object_set (f.adapter, "bitrate-property", "no-such", NULL);
  g_object_set (f.adapter, "bitrate-property", "loud", NULL);
  g_object_set (f.adapter, "bitrate-property", "name", NULL);
  assert_equals_int (encoder_bitrate (&f), 0);
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 0);
  g_object_set (f.adapter, "bitrate-unit", 1000, "bitrate-property", "kbps",
      NULL);
  expect_kbps (&f, 100);
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_encoder_property)
{
  Fixture f;
  GstElement *other = g_object_new (fake_encoder_get_type (), NULL), *got;

  gst_object_ref_sink (other);
  setup_fake (&f);
  ask (&f, 300000, 0);
  expect_kbps (&f, 300);
  /* A new one hears the target at once. */
  g_object_set (f.adapter, "encoder", other, NULL);
  assert_equals_int (FAKE_ENCODER (other)->kbps, 300);
  ask (&f, 200000, 0);
  assert_equals_int (FAKE_ENCODER (other)->kbps, 200);
  expect_kbps (&f, 300);
  g_object_get (f.adapter, "encoder", &got, NULL);
  fail_unless (got == other);
  gst_object_unref (got);
  teardown (&f);
  ASSERT_OBJECT_REFCOUNT (other, "encoder", 1);
  gst_object_unref (other);
}

GST_END_TEST;

GST_START_TEST (test_shares_and_limits)
{
  Fixture f;

  setup_fake (&f);
  g_object_set (f.adapter, "update-interval", (guint64) 0, NULL);
  ask (&f, 1000000, 200000);
  expect_kbps (&f, 800);
  g_object_set (f.adapter, "reserved-bitrate", 50000, NULL);
  expect_kbps (&f, 750);
  /* Full packets of 1000 bytes, 100 of them headers. */
  g_object_set (f.adapter, "mtu", 1000, "packet-overhead", 100, NULL);
  expect_kbps (&f, 675);
  g_object_set (f.adapter, "max-bitrate", 500000, NULL);
  expect_kbps (&f, 500);
  g_object_set (f.adapter, "min-bitrate", 600000, NULL);
  expect_kbps (&f, 600);
  g_object_set (f.adapter, "min-bitrate", 0, NULL);

  /* The property's own range, 10-5000 kbit/s, and a target of nothing. */
  ask (&f, 0, 0);
  expect_kbps (&f, 10);
  assert_equals_int (encoder_bitrate (&f), 10000);
  /* No bound: as much as may be. */
  ask (&f, GST_RTP_CC_UNBOUND, 0);
  expect_kbps (&f, 500);
  g_object_set (f.adapter, "max-bitrate", G_MAXUINT, NULL);
  expect_kbps (&f, 500);
  ask (&f, GST_RTP_CC_UNBOUND - 1, 0);
  expect_kbps (&f, 5000);
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_frames_cost_headers)
{
  Fixture f;

  setup_fake (&f);
  g_object_set (f.adapter, "packet-overhead", 50, "mtu", 1000, NULL);
  ask (&f, 100000, 0);
  expect_kbps (&f, 95);
  for (guint i = 0; i <= 101; i++)
    gst_harness_push (f.h, frame (i * GST_SECOND / 100));
  /* 100 frames/s of a packet each: 50 * 8 * 100 bit/s. */
  expect_kbps (&f, 60);
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_pace_of_changes)
{
  Fixture f;
  const GstClockTime ms = GST_MSECOND;

  setup_fake (&f);
  gst_harness_set_time (f.h, 1000 * ms);
  ask (&f, 1000000, 0);
  expect_kbps (&f, 1000);

  /* Up: not before 100 ms are over, then with the next frame. */
  gst_harness_set_time (f.h, 1050 * ms);
  ask (&f, 1200000, 0);
  gst_harness_push (f.h, frame (0));
  expect_kbps (&f, 1000);
  gst_harness_set_time (f.h, 1099 * ms);
  ask (&f, 1500000, 0);
  gst_harness_push (f.h, frame (33 * ms));
  expect_kbps (&f, 1000);
  gst_harness_set_time (f.h, 1100 * ms);
  expect_kbps (&f, 1000);
  gst_harness_push (f.h, frame (66 * ms));
  expect_kbps (&f, 1500);

  /* Far down: at once, and what was put off is forgotten. */
  gst_harness_set_time (f.h, 1110 * ms);
  ask (&f, 1600000, 0);
  ask (&f, 700000, 0);
  expect_kbps (&f, 700);
  gst_harness_set_time (f.h, 1111 * ms);
  ask (&f, 600000, 0);
  expect_kbps (&f, 600);
  gst_harness_set_time (f.h, 2000 * ms);
  gst_harness_push (f.h, frame (99 * ms));
  expect_kbps (&f, 600);

  /* A little down waits, next to nothing is not done. */
  ask (&f, 500000, 0);
  ask (&f, 480000, 0);
  expect_kbps (&f, 500);
  gst_harness_set_time (f.h, 2100 * ms);
  gst_harness_push (f.h, frame (120 * ms));
  expect_kbps (&f, 480);
  gst_harness_set_time (f.h, 3000 * ms);
  ask (&f, 484000, 0);
  ask (&f, 476000, 0);
  expect_kbps (&f, 480);
  /* ... until it has become something. */
  ask (&f, 470000, 0);
  expect_kbps (&f, 470);
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 7);
  assert_equals_uint64 (stat (&f, "encoder-updates"), 7);
  teardown (&f);
}

GST_END_TEST;

static void
count_notify (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  guint bps;

  /* No lock is held in here. */
  g_object_get (object, "encoder-bitrate", &bps, NULL);
  (*(guint *) user_data)++;
}

GST_START_TEST (test_notify_and_stats)
{
  Fixture f;
  GstStructure *s;
  guint notified = 0;

  setup_fake (&f);
  g_signal_connect (f.adapter, "notify::encoder-bitrate",
      G_CALLBACK (count_notify), &notified);
  assert_equals_int (encoder_bitrate (&f), 0);
  ask (&f, 1000999, 100);
  ask (&f, 1000999, 100);
  assert_equals_int (notified, 1);
  assert_equals_int (encoder_bitrate (&f), 1000000);

  g_object_get (f.adapter, "stats", &s, NULL);
  assert_equals_string (gst_structure_get_name (s),
      "application/x-rtp-bitrate-adapter-stats");
  assert_equals_string (gst_structure_get_string (s, "source"), "test");
  assert_equals_string (gst_structure_get_string (s, "reason"), "because");
  gst_structure_free (s);
  assert_equals_uint64 (stat (&f, "target-bitrate"), 1000999);
  assert_equals_uint64 (stat (&f, "fec-bitrate"), 100);
  assert_equals_uint64 (stat (&f, "encoder-bitrate"), 1000000);
  assert_equals_uint64 (stat (&f, "rtt"), 5);
  assert_equals_uint64 (stat (&f, "target-events"), 2);
  teardown (&f);
}

GST_END_TEST;

/* The next pulled event of @type from upstream of the encoder. */
static GstEvent *
pull_upstream (Fixture *f)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_upstream_event (f->h))) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM)
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

GST_START_TEST (test_events_travel_on)
{
  Fixture f;
  GstEvent *event;
  GstRtpCcTarget t;

  setup_fake (&f);
  ask (&f, 640000, 40000);
  event = pull_upstream (&f);
  fail_unless (event && gst_rtp_cc_event_parse (event, &t));
  assert_equals_int (t.target_bps, 640000);
  assert_equals_int (t.fec_bps, 40000);
  gst_event_unref (event);

  /* Malformed: counted, not obeyed, on upstream as it came. */
  gst_harness_push_upstream_event (f.h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (GST_RTP_CC_EVENT_NAME, "target-bitrate",
              G_TYPE_INT, -3, NULL)));
  event = pull_upstream (&f);
  fail_unless (event && gst_rtp_cc_event_is (event));
  gst_event_unref (event);
  expect_kbps (&f, 600);
  assert_equals_uint64 (stat (&f, "invalid-events"), 1);
  assert_equals_uint64 (stat (&f, "target-events"), 1);

  /* And what is none of ours. */
  gst_harness_push_upstream_event (f.h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("RTPTWCCPackets")));
  event = pull_upstream (&f);
  fail_unless (event && gst_event_has_name (event, "RTPTWCCPackets"));
  gst_event_unref (event);
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_passes_everything)
{
  Fixture f;
  GstBufferList *list = gst_buffer_list_new ();
  GstBuffer *buffer, *empty = gst_buffer_new ();
  GstPad *sink;
  guint i;

  setup (&f, "fakeencoder ! rtpbitrateadapter name=a");
  gst_harness_set_src_caps_str (f.h, "video/x-fake, n=(int)1");
  gst_harness_push (f.h, gst_buffer_ref (empty));
  buffer = gst_harness_pull (f.h);
  fail_unless (buffer == empty, "the buffer was touched");
  gst_buffer_unref (buffer);
  gst_buffer_unref (empty);

  for (i = 0; i < 5; i++)
    gst_buffer_list_add (list, frame (GST_CLOCK_TIME_NONE));
  sink = gst_element_get_static_pad (f.adapter, "sink");
  assert_equals_int (gst_pad_chain_list (sink, list), GST_FLOW_OK);
  gst_object_unref (sink);
  assert_equals_int (gst_harness_buffers_in_queue (f.h), 5);

  gst_harness_set_src_caps_str (f.h, "video/x-fake, n=(int)2");
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  gst_harness_push_event (f.h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (f.h, gst_event_new_eos ());
  fail_unless (gst_harness_events_in_queue (f.h) > 0);
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_ready_forgets)
{
  Fixture f;

  setup_fake (&f);
  ask (&f, 1000000, 0);
  gst_element_set_state (f.adapter, GST_STATE_READY);
  gst_element_set_state (f.adapter, GST_STATE_PLAYING);
  assert_equals_int (encoder_bitrate (&f), 0);
  assert_equals_uint64 (stat (&f, "target-events"), 0);
  /* Small change, but nothing is set yet as far as we know. */
  ask (&f, 999999, 0);
  expect_kbps (&f, 999);
  teardown (&f);
}

GST_END_TEST;

/* Another stream may mean another encoder: it is told the target anew. */
GST_START_TEST (test_new_stream_is_told)
{
  Fixture f;

  setup_fake (&f);
  ask (&f, 1000000, 0);
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 1);
  gst_harness_push_event (f.h, gst_event_new_stream_start ("two"));
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 2);
  expect_kbps (&f, 1000);
  teardown (&f);
}

GST_END_TEST;

static gpointer
ask_for_less (gpointer data)
{
  ask (data, 500000, 0);
  return NULL;
}

static void
interrupt (gpointer data)
{
  Fixture *f = data;

  FAKE_ENCODER (f->encoder)->on_set = NULL;
  g_thread_join (g_thread_new ("interrupt", ask_for_less, f));
}

/* A newer target from another thread, while an encoder is slow to take the older
 * one: that thread is not held up, and the newer one stays. */
GST_START_TEST (test_newer_target_wins)
{
  Fixture f;

  setup_fake (&f);
  FAKE_ENCODER (f.encoder)->data = &f;
  FAKE_ENCODER (f.encoder)->on_set = interrupt;
  ask (&f, 1000000, 0);
  expect_kbps (&f, 500);
  assert_equals_int (encoder_bitrate (&f), 500000);
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 2);
  teardown (&f);
}

GST_END_TEST;

static gpointer
ask_often (gpointer data)
{
  Fixture *f = data;

  for (guint i = 0; i < 3000; i++)
    ask (f, 100000 + (i % 40) * 100000, 0);
  ask (f, 4000000, 0);
  return NULL;
}

/* However the threads interleave, the encoder ends with the last target. */
GST_START_TEST (test_concurrent_targets)
{
  Fixture f;
  GThread *threads[2];
  guint i;

  setup_fake (&f);
  g_object_set (f.adapter, "update-interval", (guint64) 0, NULL);
  for (i = 0; i < 2; i++)
    threads[i] = g_thread_new ("asker", ask_often, &f);
  for (i = 0; i < 1000; i++)
    gst_harness_push (f.h, frame (i * GST_SECOND / 30));
  for (i = 0; i < 2; i++)
    g_thread_join (threads[i]);
  assert_equals_uint64 (stat (&f, "target-events"), 6002);
  expect_kbps (&f, (gint) (stat (&f, "target-bitrate") / 1000));
  expect_kbps (&f, 4000);
  teardown (&f);
}

GST_END_TEST;

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
  GstElement *pipeline = gst_parse_launch (launch, &error);
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
  gst_object_unref (pipeline);
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

GST_START_TEST (test_x264enc_halves_within_200_ms)
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

GST_END_TEST;

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

GST_START_TEST (test_live_encoders)
{
  Run run = {.change_at = GST_SECOND,.changed_at = GST_CLOCK_TIME_NONE,
    .first = GST_CLOCK_TIME_NONE,
    .target = 50000
  };
  gchar *launch = g_strdup_printf ("%s ! rtpbitrateadapter name=a ! fakesink",
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
  g_free (launch);
}

GST_END_TEST;

/* Seen live: at 100 kbit/s and 100 ms x264 codes nothing but skipped frames. */
GST_START_TEST (test_vbv_has_room_for_a_frame)
{
  Fixture f;
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
  teardown (&f);
}

GST_END_TEST;

GST_START_TEST (test_vbv_is_set_before_the_encoder_starts)
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

GST_END_TEST;

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

GST_START_TEST (test_adapt_resolution)
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

GST_END_TEST;

GST_START_TEST (test_adapt_resolution_without_capsfilter)
{
  Fixture f;

  setup_fake (&f);
  g_object_set (f.adapter, "adapt-resolution", TRUE, NULL);
  ask (&f, 10000, 0);
  g_object_set (f.adapter, "capsfilter", "e", NULL);
  ask (&f, 20000, 0);
  assert_equals_int (warnings (&f), 1);
  teardown (&f);
}

GST_END_TEST;

/* Targets keep coming while the pipeline comes and goes. */
GST_START_TEST (test_state_cycles)
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
    guint bps = 1;

    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
    gst_pad_send_event (src, gst_rtp_cc_event_new (&(GstRtpCcTarget)
            {.target_bps = 500000}));
    g_object_get (adapter, "encoder-bitrate", &bps, NULL);
    fail_unless (bps > 0);
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_NULL : GST_STATE_READY);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (src);
    gst_object_unref (adapter);
    gst_object_unref (pipeline);
  }
}

GST_END_TEST;

static Suite *
adapter_suite (void)
{
  Suite *s = suite_create ("rtpbitrateadapter");
  TCase *tc = tcase_create ("rtpbitrateadapter");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_known_encoders, 0, G_N_ELEMENTS (known));
  tcase_add_test (tc, test_through_payloaders);
  tcase_add_loop_test (tc, test_finds_the_encoder_across_bins, 0,
      G_N_ELEMENTS (nested));
  tcase_add_test (tc, test_no_encoder);
  tcase_add_test (tc, test_encoder_property);
  tcase_add_test (tc, test_shares_and_limits);
  tcase_add_test (tc, test_frames_cost_headers);
  tcase_add_test (tc, test_pace_of_changes);
  tcase_add_test (tc, test_notify_and_stats);
  tcase_add_test (tc, test_events_travel_on);
  tcase_add_test (tc, test_passes_everything);
  tcase_add_test (tc, test_ready_forgets);
  tcase_add_test (tc, test_new_stream_is_told);
  tcase_add_test (tc, test_newer_target_wins);
  tcase_add_test (tc, test_concurrent_targets);
  tcase_add_loop_test (tc, test_x264enc_halves_within_200_ms, 0,
      G_N_ELEMENTS (halvings));
  tcase_add_loop_test (tc, test_live_encoders, 0, G_N_ELEMENTS (live));
  tcase_add_test (tc, test_vbv_has_room_for_a_frame);
  tcase_add_test (tc, test_vbv_is_set_before_the_encoder_starts);
  tcase_add_loop_test (tc, test_adapt_resolution, 0, G_N_ELEMENTS (scaled));
  tcase_add_test (tc, test_adapt_resolution_without_capsfilter);
  tcase_add_test (tc, test_state_cycles);
  return s;
}

GST_CHECK_MAIN (adapter);
