/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/rtcppath.h"

#include "rtpcc/common/pads.h"

/* Whoever pushes on src, a buffer or a serialised event, holds its stream lock. */
struct _GstRtpCcRtcpPath
{
  GstRtpCcDriver *driver;
  const GstRtpCcRtcpPathFuncs *funcs;
  GstPad *src;                  /* borrowed: the element's, as we are */
  gint active;                  /* atomic: src is, and its task may run */
};

static GstBuffer *
append (GstRtpCcRtcpPath * p, GstBuffer * buffer)
{
  guint8 out[GST_RTP_CC_RTCP_MTU];
  gsize size = 0;
  RccSender *sender;
  GstMapInfo info;
  RccTime now;

  if (!gst_buffer_map (buffer, &info, GST_MAP_READ))
    return buffer;
  if ((sender = gst_rtp_cc_driver_enter (p->driver, &now))) {
    size = p->funcs->append (sender, (RccBytes) {
        info.data, info.size}
        , now, out, sizeof out - MIN (info.size, sizeof out));
    gst_rtp_cc_driver_leave (p->driver, NULL);
  }
  gst_buffer_unmap (buffer, &info);
  if (size == 0)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0,
          g_memdup2 (out, size), size, 0, size, NULL, NULL));
  return buffer;
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCcRtcpPath *p = gst_pad_get_element_private (pad);
  GstFlowReturn ret;

  GST_PAD_STREAM_LOCK (p->src);
  ret = gst_pad_push (p->src, append (p, buffer));
  GST_PAD_STREAM_UNLOCK (p->src);
  return ret;
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcRtcpPath *p = gst_pad_get_element_private (pad);
  gboolean ret;

  if (!GST_EVENT_IS_SERIALIZED (event))
    return gst_pad_event_default (pad, parent, event);
  GST_PAD_STREAM_LOCK (p->src);
  ret = gst_pad_event_default (pad, parent, event);
  GST_PAD_STREAM_UNLOCK (p->src);
  return ret;
}

static gboolean
lacks (GstPad * pad, GstEventType type)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, type, 0);
  const gboolean is_there = event != NULL;

  gst_clear_event (&event);
  return !is_there;
}

static void
push_start (GstPad * pad)
{
  gchar *id = g_strdup_printf ("%s-%08x",
      GST_OBJECT_NAME (GST_PAD_PARENT (pad)), g_random_int ());

  gst_pad_push_event (pad, gst_event_new_stream_start (id));
  g_free (id);
}

/* The session has not sent RTCP yet, or a flush took its segment. */
static void
ensure_events (GstPad * pad)
{
  GstSegment segment;
  GstCaps *caps;

  if (lacks (pad, GST_EVENT_STREAM_START))
    push_start (pad);
  if (lacks (pad, GST_EVENT_CAPS)) {
    caps = gst_pad_get_pad_template_caps (pad);
    gst_pad_push_event (pad, gst_event_new_caps (caps));
    gst_caps_unref (caps);
  }
  if (lacks (pad, GST_EVENT_SEGMENT)) {
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_push_event (pad, gst_event_new_segment (&segment));
  }
}

/* Once round for each time it is started; paused first, so that a start meanwhile
 * is not lost. */
static void
feedback_loop (gpointer user_data)
{
  GstRtpCcRtcpPath *p = user_data;
  guint8 out[GST_RTP_CC_RTCP_MTU];
  RccSender *sender;
  GstFlowReturn ret;
  RccTime now;
  gsize size;

  gst_pad_pause_task (p->src);
  if (!(sender = gst_rtp_cc_driver_enter (p->driver, &now)))
    return;
  size = p->funcs->compose (sender, now, out, sizeof out);
  gst_rtp_cc_driver_leave (p->driver, NULL);
  if (size == 0)
    return;
  ensure_events (p->src);
  ret = gst_pad_push (p->src, gst_buffer_new_memdup (out, size));
  if (ret == GST_FLOW_OK)
    return;
  GST_DEBUG_OBJECT (p->src, "feedback: %s", gst_flow_get_name (ret));
  if ((sender = gst_rtp_cc_driver_enter (p->driver, &now))) {
    p->funcs->refused (sender);
    gst_rtp_cc_driver_leave (p->driver, NULL);
  }
}

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcRtcpPath *p = gst_pad_get_element_private (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_atomic_int_set (&p->active, active);
  return active || gst_pad_stop_task (pad);
}

void
gst_rtp_cc_rtcp_path_wake (GstRtpCcRtcpPath * p)
{
  if (!g_atomic_int_get (&p->active))
    return;
  gst_pad_start_task (p->src, feedback_loop, p, NULL);
  if (!g_atomic_int_get (&p->active))   /* it was stopped before we started it */
    gst_pad_stop_task (p->src);
}

GstRtpCcRtcpPath *
gst_rtp_cc_rtcp_path_new (GstElement * element, GstPad * sink, GstPad * src,
    GstRtpCcDriver * driver, const GstRtpCcRtcpPathFuncs * funcs)
{
  GstRtpCcRtcpPath *p = g_new0 (GstRtpCcRtcpPath, 1);

  p->driver = driver;
  p->funcs = funcs;
  p->src = src;
  gst_pad_set_element_private (sink, p);
  gst_pad_set_element_private (src, p);
  gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_event_function (sink, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_activatemode_function (src,
      GST_DEBUG_FUNCPTR (src_activate_mode));
  GST_PAD_SET_PROXY_CAPS (src);
  gst_rtp_cc_add_pad_pair (element, sink, src);
  return p;
}

void
gst_rtp_cc_rtcp_path_free (GstRtpCcRtcpPath * p)
{
  g_free (p);
}
