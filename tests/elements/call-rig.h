/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call-rig.h - real rtpbins around our elements, in real time: a test waits for what must
 * come and times nothing
 */
#ifndef CALL_RIG_H
#define CALL_RIG_H

#include "rig.h"

#define PATIENCE 25000                  /* ms until a wait is given up */

/* @condition of @pipeline, which posts no error meanwhile. */
#define await(pipeline, condition) G_STMT_START { \
  guint waited_ = 0; \
  while (!(condition)) { \
    no_error (pipeline); \
    fail_unless (waited_++ < PATIENCE / 20, "never happened: " #condition "%s", \
        all_stats (pipeline)); \
    g_usleep (20000); \
  } \
} G_STMT_END

static inline GstElement *
parse_call (gchar *line)                /* takes it */
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  fail_unless (pipeline != NULL && error == NULL, "%s", error ? error->message : line);
  g_free (line);
  return pipeline;
}

static inline void
play_call (GstElement *pipeline)
{
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);
}

/* Minds the bus as an application does: since GStreamer 1.26 a session sends no SR before it
 * knows the latency. */
static inline void
no_error (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  GError *error;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_LATENCY))) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_LATENCY)
      gst_bin_recalculate_latency (GST_BIN (pipeline));
    else {
      gst_message_parse_error (message, &error, NULL);
      fail ("%s", error->message);
    }
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

static inline void
end_call (GstElement *pipeline)
{
  no_error (pipeline);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

/* Of the element that is called so. */
static inline guint64
named_stat (GstElement *pipeline, const gchar *element, const gchar *name)
{
  GstElement *e = gst_bin_get_by_name (GST_BIN (pipeline), element);
  const guint64 n = stat_of (e, name);

  gst_object_unref (e);
  return n;
}

/* Of all our elements. */
static inline gchar *
all_stats (GstElement *pipeline)
{
  GString *text = g_string_new (NULL);

  for (GList * l = GST_BIN_CHILDREN (pipeline); l; l = l->next) {
    GParamSpec *stats = g_object_class_find_property (G_OBJECT_GET_CLASS (l->data), "stats");
    GstStructure *s;
    gchar *one;

    if (!stats || stats->value_type != GST_TYPE_STRUCTURE)
      continue;
    s = stats_of (l->data);
    one = gst_structure_to_string (s);
    g_string_append_printf (text, "\n%s", one);
    g_free (one);
    gst_structure_free (s);
  }
  return g_string_free (text, FALSE);
}

/* "pad-added" of an rtpbin in the bin @data: what it receives is taken. */
static G_GNUC_UNUSED void
on_stream (GstElement *rtpbin, GstPad *pad, gpointer data)
{
  GstElement *sink;
  GstPad *end;

  if (!g_str_has_prefix (GST_PAD_NAME (pad), "recv_rtp_src"))
    return;
  sink = gst_element_factory_make ("fakesink", NULL);
  g_object_set (sink, "sync", FALSE, "async", FALSE, NULL);
  gst_bin_add (GST_BIN (data), sink);
  gst_element_sync_state_with_parent (sink);
  end = gst_element_get_static_pad (sink, "sink");
  fail_unless_equals_int (gst_pad_link (pad, end), GST_PAD_LINK_OK);
  gst_object_unref (end);
}

/* Its session reports eight times a second. */
static inline void
hurry (GstElement *rtpbin)
{
  GObject *session;

  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_object_set (session, "rtcp-min-interval", (guint64) 120 * GST_MSECOND, "bandwidth",
      1e6, NULL);
  g_object_unref (session);
}

/* GstBin says so where RTCP comes back by the element that RTP left by; it is none. */
static inline void
allow_loops (void)
{
  GRegex *regex = g_regex_new ("loop detected in the graph", 0, 0, NULL);

  gst_check_add_log_filter ("GStreamer", G_LOG_LEVEL_WARNING, regex, NULL, NULL, NULL);
}

#endif
