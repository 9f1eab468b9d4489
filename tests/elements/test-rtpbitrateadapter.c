/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "adapter-rig.h"

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
  {"svtav1enc", "target-bitrate", 600},
  {"rav1enc", "bitrate", 600000},
  {"qsvh264enc", "bitrate", 600},
  {"msdkh264enc", "bitrate", 600},
  {"vaapih264enc", "bitrate", 600},
  {"vah265enc", "bitrate", 600},
};

TEST_EACH (test_known_encoders, G_N_ELEMENTS (known))
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=e ! queue ! capsfilter ! "
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
}

/* Controllers stand behind the payloader. */
TEST (test_through_payloaders)
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

TEST_EACH (test_finds_the_encoder_across_bins, G_N_ELEMENTS (nested))
{
  g_auto (Fixture) f;

  setup (&f, nested[__i__]);
  g_object_set (f.adapter, "bitrate-unit", 1000, "packet-overhead", 0, NULL);
  ask (&f, 777000, 0);
  expect_kbps (&f, 777);
  assert_equals_int (warnings (&f), 0);
}

TEST (test_no_encoder)
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

TEST (test_encoder_property)
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

TEST (test_shares_and_limits)
{
  g_auto (Fixture) f;

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
}

TEST (test_frames_cost_headers)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  g_object_set (f.adapter, "packet-overhead", 50, "mtu", 1000,
      "max-correction", 1., NULL);
  ask (&f, 100000, 0);
  expect_kbps (&f, 95);
  for (guint i = 0; i <= 101; i++)
    gst_harness_push (f.h, frame (i * GST_SECOND / 100));
  /* 100 frames/s of a packet each: 50 * 8 * 100 bit/s. */
  expect_kbps (&f, 60);
}

TEST (test_pace_of_changes)
{
  g_auto (Fixture) f;
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
}

static void
read_notified (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  guint bps;

  /* No lock is held in here. */
  g_object_get (object, "encoder-bitrate", &bps, NULL);
  (*(guint *) user_data)++;
}

TEST (test_notify_and_stats)
{
  g_auto (Fixture) f;
  GstStructure *s;
  guint notified = 0;

  setup_fake (&f);
  g_signal_connect (f.adapter, "notify::encoder-bitrate",
      G_CALLBACK (read_notified), &notified);
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
}

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

TEST (test_events_travel_on)
{
  g_auto (Fixture) f;
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
}

TEST (test_passes_everything)
{
  g_auto (Fixture) f;
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
}

TEST (test_ready_forgets)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  ask (&f, 1000000, 0);
  gst_element_set_state (f.adapter, GST_STATE_READY);
  gst_element_set_state (f.adapter, GST_STATE_PLAYING);
  assert_equals_int (encoder_bitrate (&f), 0);
  assert_equals_uint64 (stat (&f, "target-events"), 0);
  /* Small change, but nothing is set yet as far as we know. */
  ask (&f, 999999, 0);
  expect_kbps (&f, 999);
}

/* Another stream may mean another encoder: it is told the target anew. */
TEST (test_new_stream_is_told)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  ask (&f, 1000000, 0);
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 1);
  gst_harness_push_event (f.h, gst_event_new_stream_start ("two"));
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 2);
  expect_kbps (&f, 1000);
}

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
TEST (test_newer_target_wins)
{
  g_auto (Fixture) f;

  setup_fake (&f);
  FAKE_ENCODER (f.encoder)->data = &f;
  FAKE_ENCODER (f.encoder)->on_set = interrupt;
  ask (&f, 1000000, 0);
  expect_kbps (&f, 500);
  assert_equals_int (encoder_bitrate (&f), 500000);
  assert_equals_int (FAKE_ENCODER (f.encoder)->times_set, 2);
}

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
TEST (test_concurrent_targets)
{
  g_auto (Fixture) f;
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
}

#define BEHIND_IT "fakeencoder name=e ! rtpbitrateadapter name=a bitrate-property=kbps " \
  "bitrate-unit=1000 packet-overhead=0 update-interval=0 ! "

/* One controller for several streams: what is said of one SSRC is for its own encoder. */
static const struct
{
  const gchar *launch;
  gboolean knows;               /* which SSRC this one's packets have */
} payloaders[] = {
  {BEHIND_IT "rtpgstpay ssrc=77", TRUE},
  {BEHIND_IT "identity ! queue ! rtpgstpay ssrc=77 ! identity", TRUE},
  {BEHIND_IT "bin. ( name=bin identity ! rtpgstpay ssrc=77 )", TRUE},
  {BEHIND_IT "tee ! rtpgstpay ssrc=77", TRUE},
  {BEHIND_IT "tee name=t ! rtpgstpay ssrc=77 t. ! fakesink", FALSE},
  {BEHIND_IT "identity", FALSE},
};

static void
ask_for (Fixture *f, guint ssrc, guint target)
{
  fail_unless (gst_harness_push_upstream_event (f->h,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps = target,.ssrc = ssrc})));
}

TEST_EACH (test_another_stream, G_N_ELEMENTS (payloaders))
{
  const gboolean knows = payloaders[__i__].knows;
  g_auto (Fixture) f;

  setup (&f, payloaders[__i__].launch);
  ask_for (&f, 5, 200000);      /* nothing has been sent yet: whose is it? */
  expect_kbps (&f, 200);
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  gst_harness_push (f.h, frame (0));
  gst_buffer_unref (gst_harness_pull (f.h));
  ask_for (&f, 78, 300000);
  expect_kbps (&f, knows ? 200 : 300);
  assert_equals_uint64 (stat (&f, "other-stream-events"), knows);
  ask_for (&f, 77, 400000);
  expect_kbps (&f, 400);
  ask_for (&f, 78, 0);
  expect_kbps (&f, knows ? 400 : 10);
  ask_for (&f, 0, 500000);
  expect_kbps (&f, 500);
  assert_equals_uint64 (stat (&f, "invalid-events"), 0);
}

static void
ask_all (Fixture *f, GstRtpCcShare *share, guint target, guint streams)
{
  fail_unless (gst_harness_push_upstream_event (f->h,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps = target,.streams = streams,
              .share = share})));
}

/* A bound that is about to be said again holds meanwhile: the encoder hears nothing between. */
TEST (test_bound_of_one_stream)
{
  GstRtpCcShare *share = gst_rtp_cc_share_new ();
  g_auto (Fixture) f;
  guint64 updates;

  setup (&f, BEHIND_IT "rtpgstpay ssrc=77");
  gst_harness_set_src_caps_str (f.h, "video/x-fake");
  gst_harness_push (f.h, frame (0));
  gst_buffer_unref (gst_harness_pull (f.h));
  ask_all (&f, share, 900000, 1);
  ask_for (&f, 77, 300000);
  expect_kbps (&f, 300);
  updates = stat (&f, "encoder-updates");
  for (guint i = 0; i < 5; i++) {
    ask_all (&f, share, 900000 + i * 100000, 1);
    expect_kbps (&f, 300);
    ask_for (&f, 77, 300000);
  }
  assert_equals_uint64 (stat (&f, "encoder-updates"), updates);
  ask_all (&f, share, 200000, 1);       /* what is for all bounds it, too */
  expect_kbps (&f, 200);
  ask_for (&f, 77, 200000);
  ask_all (&f, share, 800000, 2);       /* of these one is ours */
  ask_for (&f, 78, 100000);
  expect_kbps (&f, 200);
  ask_for (&f, 77, 400000);
  expect_kbps (&f, 400);
  ask_all (&f, share, 800000, 1);       /* ... and now none */
  expect_kbps (&f, 400);
  ask_for (&f, 78, 100000);
  expect_kbps (&f, 800);
  ask_for (&f, 77, 400000);
  expect_kbps (&f, 400);
  ask_all (&f, share, 850000, 0);
  expect_kbps (&f, 850);
  gst_rtp_cc_share_unref (share);
}

TEST_MAIN (adapter);
