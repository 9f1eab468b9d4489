/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtpccsender: every core of the registry by its name.  What the elements of its base class
 * have in common is tested with rtpgccsender.
 */
#include "rig.h"

#include "core/registry/registry.h"
#include "tuning.h"

#define CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8,payload=96"

static GstBuffer *
packet (guint16 seq, GstClockTime pts)
{
  const guint32 time = (guint32) (pts * 9 / 100000);
  guint8 head[12] = { 0x80, 0x80 | 96, (guint8) (seq >> 8), (guint8) seq,
    (guint8) (time >> 24), (guint8) (time >> 16), (guint8) (time >> 8), (guint8) time,
    0, 0, 0, 9 };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 1000, NULL);

  gst_buffer_memset (buffer, 0, 0, 1000);
  gst_buffer_fill (buffer, 0, head, sizeof head);
  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

static gchar *
controller_of (GstElement *e)
{
  GstStructure *stats = NULL;
  gchar *name;

  g_object_get (e, "stats", &stats, NULL);
  name = g_strdup (gst_structure_get_string (stats, "controller"));
  gst_structure_free (stats);
  return name;
}

static GstElement *
new_sender (const gchar *controller)
{
  GstElement *e = gst_object_ref_sink (gst_element_factory_make ("rtpccsender", NULL));

  gst_util_set_object_arg (G_OBJECT (e), "controller", controller);
  g_object_set (e, "start-bitrate", 500000, NULL);
  return e;
}

static gint
controllers (void)
{
  gint n = 0;

  while (rcc_registry_row ((unsigned) n))
    n++;
  return n;
}

/* At 160 kbit/s below each one's start everything leaves, in order.  But where feedback has to open
 * a window: test_window. */
TEST_EACH (test_all, controllers ())
{
  const RccController *row = rcc_registry_row ((unsigned) __i__);
  GstElement *e;
  GstHarness *h;
  guint estimate = 0;
  gchar *name;

  if (row->parity || g_str_equal (row->name, "scream"))
    return;
  e = new_sender (row->name);
  h = gst_harness_new_with_element (e, "sink", "src");
  gst_object_unref (e);
  gst_harness_set_src_caps_str (h, CAPS);
  for (guint i = 0; i < 50; i++) {
    GstBuffer *out;
    guint8 seq[2];

    gst_harness_set_time (h, i * 50 * GST_MSECOND);
    fail_unless_equals_int (gst_harness_push (h, packet ((guint16) i, i * 50 * GST_MSECOND)),
        GST_FLOW_OK);
    out = gst_harness_pull (h);
    gst_buffer_extract (out, 2, seq, 2);
    fail_unless_equals_int (seq[0] << 8 | seq[1], i);
    gst_buffer_unref (out);
  }
  name = controller_of (h->element);
  fail_unless_equals_string (name, row->name);
  g_free (name);
  g_object_get (h->element, "estimated-bitrate", &estimate, NULL);
  fail_unless (estimate >= 50000 && estimate <= 500000, "%u bit/s", estimate);
  gst_harness_teardown (h);
}

/* SCReAM's first window is 9000 bytes.  What is in flight is given up after a second without
 * feedback, at which the sender looks again. */
TEST (test_window)
{
  GstElement *e = new_sender ("scream");
  GstHarness *h = gst_harness_new_with_element (e, "sink", "src");

  gst_object_unref (e);
  gst_harness_set_src_caps_str (h, CAPS);
  for (guint i = 0; i < 15; i++) {
    gst_harness_set_time (h, i * 50 * GST_MSECOND);
    fail_unless_equals_int (gst_harness_push (h, packet ((guint16) i, i * 50 * GST_MSECOND)),
        GST_FLOW_OK);
    if (i < 9)
      gst_buffer_unref (gst_harness_pull (h));
  }
  fail_unless_equals_int (gst_harness_buffers_received (h), 9);
  gst_harness_crank_single_clock_wait (h);
  gst_buffer_unref (gst_harness_pull (h));
  gst_harness_teardown (h);
}

/* Another one takes effect at the next start. */
TEST (test_change)
{
  GstElement *e = gst_check_setup_element ("rtpccsender");
  gchar *name;

  for (guint i = 0; i < 2; i++) {
    static const gchar *const names[] = { "tfrc", "gcc" };

    gst_util_set_object_arg (G_OBJECT (e), "controller", names[i]);
    gst_element_set_state (e, GST_STATE_PAUSED);
    name = controller_of (e);
    fail_unless_equals_string (name, names[i]);
    g_free (name);
    gst_element_set_state (e, GST_STATE_READY);
  }
  gst_element_set_state (e, GST_STATE_NULL);
  gst_check_teardown_element (e);
}

/* Says so. */
TEST (test_unknown)
{
  GstElement *e = gst_check_setup_element ("rtpccsender");

  g_object_set (e, "tuning", tuning ("no-such-constant=1"), NULL);
  ASSERT_WARNING (gst_element_set_state (e, GST_STATE_PAUSED));
  gst_element_set_state (e, GST_STATE_NULL);
  gst_check_teardown_element (e);
}

static guint
pacing (const gchar *factory, GstStructure *with)
{
  GstElement *e = gst_check_setup_element (factory);
  GstStructure *stats = NULL;
  guint bps = 0;

  g_object_set (e, "start-bitrate", 1000000, "tuning", with, NULL);
  gst_element_set_state (e, GST_STATE_PAUSED);
  g_object_get (e, "stats", &stats, NULL);
  gst_structure_get_uint (stats, "pacing-bitrate", &bps);
  gst_structure_free (stats);
  gst_element_set_state (e, GST_STATE_NULL);
  gst_check_teardown_element (e);
  return bps;
}

/* A core's constants go by its own table: rtpgccsender's are gcc's. */
TEST (test_tuning)
{
  fail_unless_equals_int (pacing ("rtpccsender", tuning ("pacing-factor=2.0")), 2000000);
  fail_unless_equals_int (pacing ("rtpgccsender", tuning ("pacing-factor=2.0")), 2000000);
}

TEST_MAIN (rtpccsender);
