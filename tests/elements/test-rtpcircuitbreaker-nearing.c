/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpcircuitbreaker says before it opens, and of RTCP that comes too rarely.
 */
#include "breaker-rig.h"

/* The next GstRtpCircuitBreakerNearing; NULL: none before the next of another name.  Unref it. */
static GstMessage *
nearing (Cb *cb)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (cb->bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, "GstRtpCircuitBreakerNearing"))
      return message;
    fail_if (gst_message_has_name (message, "GstRtpCircuitBreaker"), "it has opened before");
    gst_message_unref (message);
  }
  return NULL;
}

static void
expect_none (Cb *cb)
{
  GstMessage *message = nearing (cb);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, message);
}

static void
expect_nearing (Cb *cb, gboolean is, const gchar *reason, guint ssrc, GstClockTime opens_in)
{
  GstMessage *message = nearing (cb);
  const GstStructure *s;
  gboolean value;

  fail_unless (message != NULL, "no message of %s", reason);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (cb->e));
  s = gst_message_get_structure (message);
  fail_unless (gst_structure_get_boolean (s, "nearing", &value) && value == is);
  fail_unless_equals_string (gst_structure_get_string (s, "reason"), reason);
  fail_unless_equals_int_hex (number_in (s, "ssrc"), ssrc);
  fail_unless_equals_uint64 (number_in (s, "opens-in"), opens_in);
  gst_message_unref (message);
  expect_none (cb);
}

TEST (test_before_congestion)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_reports (cb, 2, 0.5);
  expect_none (cb);
  cb_reports (cb, 1, 0.5);
  expect_nearing (cb, TRUE, "congestion", CB_SSRC, 5 * GST_SECOND);
  cb_expect (cb, "closed");
  cb_reports (cb, 1, 0.5);
  cb_expect (cb, "open");
  cb_expect_message (cb, "open", "congestion", CB_SSRC);
  expect_none (cb);
}

/* The events that came, but for their number: the last target for @ssrc. */
static guint
last_target (Cb *cb, guint ssrc)
{
  guint bps = G_MAXUINT;
  GstEvent *event;

  while ((event = cb_any_event (cb->h))) {
    const GstStructure *s = gst_event_get_structure (event);

    if (!gst_structure_has_field (s, "ssrc") || (guint) number_in (s, "ssrc") == ssrc)
      bps = (guint) number_in (s, "target-bitrate");
    gst_event_unref (event);
  }
  return bps;
}

/* Half of the limit is asked for as congestion nears, and no more once nothing is lost. */
TEST (test_held_before_congestion)
{
  g_autoptr (Cb) cb = cb_new (NULL);
  guint held;

  cb_reports (cb, 2, 0.5);
  fail_unless_equals_int (last_target (cb, CB_SSRC), G_MAXUINT);
  cb_reports (cb, 1, 0.5);
  held = last_target (cb, CB_SSRC);
  fail_unless (held > 100000 && held < 200000, "%u bit/s", held);
  cb_expect (cb, "closed");
}

TEST (test_held_is_no_stop)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_reports (cb, 2, 0.05);
  g_object_set (cb->e, "multiplier", 1.0, NULL);        /* only now it is too much */
  cb_reports (cb, 1, 0.05);
  fail_unless (last_target (cb, CB_SSRC) < 200000);
  cb_expect (cb, "closed");
  cb_reports (cb, 1, 0.05);
  cb_expect (cb, "open");       /* who does not obey is stopped */
}

TEST (test_not_held_any_more)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_reports (cb, 8, 0.18);     /* 24 % would stop it */
  fail_unless (last_target (cb, CB_SSRC) < 300000);      /* 276 kbit/s, of 480 */
  cb_expect (cb, "closed");
  cb_reports (cb, 6, 0);
  fail_unless_equals_int (last_target (cb, CB_SSRC), G_MAXUINT);
  cb_expect (cb, "closed");
}

/* notify-only asks encoders for nothing. */
TEST (test_not_held_where_nobody_is_stopped)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  gst_util_set_object_arg (G_OBJECT (cb->e), "action", "notify-only");
  cb_reports (cb, 3, 0.5);
  fail_unless (cb_any_event (cb->h) == NULL);
}

TEST (test_before_rtcp_timeout)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_stream (cb, 10 * GST_SECOND);
  expect_none (cb);
  cb_stream (cb, 20 * GST_MSECOND);
  expect_nearing (cb, TRUE, "rtcp-timeout", 0, 5 * GST_SECOND);
  cb_stream (cb, 2 * GST_SECOND);
  expect_none (cb);
  cb_report (cb, 0);
  expect_nearing (cb, FALSE, "rtcp-timeout", 0, 0);
  cb_no_event (cb);             /* encoders hear nothing of it */
  fail_unless_equals_int (cb->notified, 0);
}

TEST (test_warns_once)
{
  g_autoptr (Cb) cb = cb_new ("rtcp-min-interval", 6 * GST_SECOND, NULL);
  GstMessage *message;
  GError *error = NULL;

  cb_reports (cb, 2, 0);
  message = gst_bus_pop_filtered (cb->bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS));
  fail_unless (strstr (error->message, "6.0 s") && strstr (error->message, "at most 5 s")
      && strstr (error->message, "RFC 8083 4.3"), "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  cb_reports (cb, 5, 0);
  fail_unless (gst_bus_pop_filtered (cb->bus, GST_MESSAGE_WARNING) == NULL);
}

TEST (test_nothing_to_warn_of)
{
  g_autoptr (Cb) cb = cb_new (NULL);

  cb_reports (cb, 10, 0);
  fail_unless (gst_bus_pop_filtered (cb->bus, GST_MESSAGE_WARNING) == NULL);
  expect_none (cb);
}

TEST_MAIN (rtpcircuitbreaker_nearing);
