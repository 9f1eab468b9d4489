/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter-rig.h - an rtpbitrateadapter behind an encoder, fake or real
 */
#ifndef TESTS_ADAPTER_RIG_H
#define TESTS_ADAPTER_RIG_H

#include "rig.h"
#include "rtpcc/common/event.h"

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

G_GNUC_UNUSED static void
fake_set_property (GObject *object, guint id, const GValue *value,
    GParamSpec *pspec)
{
  if (FAKE_ENCODER (object)->on_set)
    FAKE_ENCODER (object)->on_set (FAKE_ENCODER (object)->data);
  g_atomic_int_set (&FAKE_ENCODER (object)->kbps, g_value_get_int (value));
  g_atomic_int_inc (&FAKE_ENCODER (object)->times_set);
}

G_GNUC_UNUSED static void
fake_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int (value, g_atomic_int_get (&FAKE_ENCODER (object)->kbps));
}

G_GNUC_UNUSED static void
fake_encoder_init (FakeEncoder *self)
{
  GstPad *sink = gst_pad_new ("sink", GST_PAD_SINK);

  gst_pad_set_chain_function (sink, fake_chain);
  GST_PAD_SET_PROXY_CAPS (sink);
  gst_element_add_pad (GST_ELEMENT (self), sink);
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("src", GST_PAD_SRC));
}

G_GNUC_UNUSED static void
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

#define encoder_bitrate(f) uint_of ((f)->adapter, "encoder-bitrate")
#define stat(f, field) stat_of ((f)->adapter, field)

/* @launch names the adapter a and the encoder e. */
G_GNUC_UNUSED static void
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

G_GNUC_UNUSED static void
setup_fake (Fixture *f)
{
  setup (f, "fakeencoder name=e ! rtpbitrateadapter name=a "
      "bitrate-property=kbps bitrate-unit=1000 packet-overhead=0");
  gst_harness_set_src_caps_str (f->h, "video/x-fake");
}

G_GNUC_UNUSED static void
teardown (Fixture *f)
{
  gst_element_set_bus (f->h->element, NULL);
  gst_object_unref (f->bus);
  gst_object_unref (f->adapter);
  gst_clear_object (&f->encoder);
  gst_harness_teardown (f->h);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, teardown)

G_GNUC_UNUSED static void
ask (Fixture *f, guint target, guint fec)
{
  fail_unless (gst_harness_push_upstream_event (f->h,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps =
                  target,.fec_bps = fec,.rtt = 5,.source = "test",.reason =
                  "because"})));
}

/* 300 kbit/s, and so much waits. */
G_GNUC_UNUSED static void
tell_queue (Fixture *f, GstClockTime queue_time)
{
  fail_unless (gst_harness_push_upstream_event (f->h,
          gst_rtp_cc_event_new (&(GstRtpCcTarget) {.target_bps =
                  300000,.queue_time = queue_time,.rtt = 5})));
}

G_GNUC_UNUSED static void
expect_kbps (Fixture *f, gint kbps)
{
  assert_equals_int (g_atomic_int_get (&FAKE_ENCODER (f->encoder)->kbps), kbps);
}

G_GNUC_UNUSED static guint
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

G_GNUC_UNUSED static GstBuffer *
frame (GstClockTime pts)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 100, NULL);

  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

#endif
