/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/session.h"

#include "rtpcc/common/walk.h"

static gboolean
is_session (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory && g_str_equal (GST_OBJECT_NAME (factory), "rtpsession");
}

GstElement *
gst_rtp_cc_session_find (GstPad * from, const gchar * end)
{
  GstPad *by = NULL;
  GstElement *element = gst_rtp_cc_walk (from, is_session, FALSE, &by);

  if (element && !g_str_equal (GST_PAD_NAME (by), end))
    gst_clear_object (&element);
  gst_clear_object (&by);
  return element;
}

static gboolean
has_pt (GstElement * element)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (element),
      "pt") != NULL;
}

GstElement *
gst_rtp_cc_find_payloader (GstPad * sink)
{
  return gst_rtp_cc_walk (sink, has_pt, FALSE, NULL);
}

/* --- RTCP ----------------------------------------------------------------- */

typedef struct
{
  GWeakRef element;
  GstRtpCcSessionHeard heard;
} Target;

typedef struct
{
  GWeakRef session;
  gulong handler;
} Listening;

static void
free_target (gpointer data, GClosure * closure)
{
  g_weak_ref_clear (&((Target *) data)->element);
  g_free (data);
}

static void
on_receiving (GObject * session, GstBuffer * compound, Target * target)
{
  GstElement *element = g_weak_ref_get (&target->element);

  if (!element)
    return;
  target->heard (element, compound);
  gst_object_unref (element);
}

static void
stop_listening (gpointer data)
{
  Listening *l = data;
  GObject *session = g_weak_ref_get (&l->session);

  if (session) {
    g_signal_handler_disconnect (session, l->handler);
    g_object_unref (session);
  }
  g_weak_ref_clear (&l->session);
  g_free (l);
}

static Listening *
start_listening (GstElement * element, GObject * session,
    GstRtpCcSessionHeard heard)
{
  Target *target = g_new0 (Target, 1);
  Listening *l = g_new0 (Listening, 1);

  g_weak_ref_init (&target->element, element);
  target->heard = heard;
  g_weak_ref_init (&l->session, session);
  l->handler = g_signal_connect_data (session, "on-receiving-rtcp",
      G_CALLBACK (on_receiving), target, free_target, 0);
  return l;
}

void
gst_rtp_cc_session_listen (GstElement * element, GstPad * sink, GstPad * src,
    GstRtpCcSessionHeard heard)
{
  GstElement *rtpsession = gst_rtp_cc_session_find (src, "send_rtp_sink");
  GObject *session = NULL;

  if (!rtpsession)
    rtpsession = gst_rtp_cc_session_find (sink, "send_rtp_src");
  if (rtpsession)
    g_object_get (rtpsession, "internal-session", &session, NULL);
  g_object_set_data_full (G_OBJECT (element), "rtpcc-session", session ?
      start_listening (element, session, heard) : NULL, session ? stop_listening
      : NULL);
  g_clear_object (&session);
  gst_clear_object (&rtpsession);
}
