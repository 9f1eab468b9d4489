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

/* --- what it hears and says ----------------------------------------------- */

/* Both callbacks have a reference, and the element. */
typedef struct
{
  GWeakRef element;
  GstRtpCcSessionHeard heard;
  GObject *session;
  GstPad *pad;                  /* where events leave that do not come by; NULL: they do */
  gulong handler, probe;
} Listening;

static void
clear (gpointer data)
{
  Listening *l = data;

  g_weak_ref_clear (&l->element);
  g_clear_object (&l->session);
  gst_clear_object (&l->pad);
}

static void
let_go (gpointer listening)
{
  g_atomic_rc_box_release_full (listening, clear);
}

static void
on_receiving (GObject * session, gpointer what, Listening * l)
{
  GstElement *element = g_weak_ref_get (&l->element);

  if (!element)
    return;
  l->heard (element, what);
  gst_object_unref (element);
}

static GstPadProbeReturn
on_upstream (GstPad * pad, GstPadProbeInfo * info, gpointer listening)
{
  on_receiving (NULL, GST_PAD_PROBE_INFO_DATA (info), listening);
  return GST_PAD_PROBE_OK;
}

static void
stop_listening (gpointer data)
{
  Listening *l = data;

  g_signal_handler_disconnect (l->session, l->handler);
  if (l->pad)
    gst_pad_remove_probe (l->pad, l->probe);
  let_go (l);
}

/* Takes @session and @pad. */
static Listening *
start_listening (GstElement * element, GObject * session, GstPad * pad,
    GstRtpCcSessionHeard heard)
{
  Listening *l = g_atomic_rc_box_new0 (Listening);

  g_weak_ref_init (&l->element, element);
  l->heard = heard;
  l->session = session;
  l->pad = pad;
  l->handler = g_signal_connect_data (session, "on-receiving-rtcp",
      G_CALLBACK (on_receiving), g_atomic_rc_box_acquire (l),
      (GClosureNotify) (void (*)(void)) let_go, 0);
  if (pad)
    l->probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM,
        on_upstream, g_atomic_rc_box_acquire (l), let_go);
  return l;
}

void
gst_rtp_cc_session_listen (GstElement * element, GstPad * sink, GstPad * src,
    GstRtpCcSessionHeard heard)
{
  GstElement *rtpsession = gst_rtp_cc_session_find (src, "send_rtp_sink");
  GObject *session = NULL;
  GstPad *pad = NULL;

  if (!rtpsession
      && (rtpsession = gst_rtp_cc_session_find (sink, "send_rtp_src")))
    pad = gst_element_get_static_pad (rtpsession, "send_rtp_sink");
  if (rtpsession)
    g_object_get (rtpsession, "internal-session", &session, NULL);
  g_object_set_data_full (G_OBJECT (element), "rtpcc-session", session ?
      start_listening (element, session, pad, heard) : NULL,
      session ? stop_listening : NULL);
  gst_clear_object (&rtpsession);
}
