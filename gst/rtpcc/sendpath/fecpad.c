/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/fecpad.h"

#include "rtpcc/common/utils.h"

/* With the object lock. */
static void
begin_anew (GstRtpCcFecPad * f)
{
  f->started = FALSE;
  f->need_caps = f->need_segment = TRUE;
}

void
gst_rtp_cc_fec_pad_configure (GstRtpCcFecPad * f, guint pt, guint32 ssrc,
    gboolean flexfec)
{
  GST_OBJECT_LOCK (f->element);
  f->pt = pt;
  f->ssrc = ssrc;
  f->flexfec = flexfec;
  f->need_caps = TRUE;
  GST_OBJECT_UNLOCK (f->element);
}

void
gst_rtp_cc_fec_pad_reset (GstRtpCcFecPad * f)
{
  GST_OBJECT_LOCK (f->element);
  begin_anew (f);
  GST_OBJECT_UNLOCK (f->element);
}

/* What comes upstream here comes to the media as well, as both are one session's. */
static gboolean
event_from_downstream (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return FALSE;
}

static GstIterator *
no_links (GstPad * pad, GstObject * parent)
{
  return NULL;
}

GstPad *
gst_rtp_cc_fec_pad_request (GstRtpCcFecPad * f, GstPadTemplate * templ)
{
  GstPad *pad = gst_pad_new_from_template (templ, "fec_src");
  gboolean is_there;

  GST_OBJECT_LOCK (f->element);
  is_there = f->pad != NULL;
  if (!is_there) {
    f->pad = gst_object_ref (pad);
    begin_anew (f);
  }
  GST_OBJECT_UNLOCK (f->element);
  if (is_there) {
    gst_object_unref (pad);
    return NULL;
  }
  gst_pad_set_event_function (pad, GST_DEBUG_FUNCPTR (event_from_downstream));
  gst_pad_set_iterate_internal_links_function (pad, no_links);
  gst_pad_use_fixed_caps (pad);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (f->element, pad);
  return pad;
}

void
gst_rtp_cc_fec_pad_release (GstRtpCcFecPad * f, GstPad * pad)
{
  gboolean ours;

  GST_OBJECT_LOCK (f->element);
  ours = pad == f->pad;
  if (ours)
    f->pad = NULL;
  GST_OBJECT_UNLOCK (f->element);
  if (!ours)
    return;
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (f->element, pad);
  gst_object_unref (pad);
}

static GstPad *
get_pad (GstRtpCcFecPad * f)
{
  GstPad *pad;

  GST_OBJECT_LOCK (f->element);
  pad = f->pad ? gst_object_ref (f->pad) : NULL;
  GST_OBJECT_UNLOCK (f->element);
  return pad;
}

/* --- what has to go before ------------------------------------------------ */

/* RFC 5109 14 and RFC 8627 5.1: the media's clock rate. */
static GstCaps *
make_caps (const GstRtpCcFecPad * f, GstPad * media)
{
  GstCaps *from = gst_pad_get_current_caps (media);
  const GstStructure *s = from ? gst_caps_get_structure (from, 0) : NULL;
  const gchar *kind = s ? gst_structure_get_string (s, "media") : NULL;
  GstCaps *caps;
  gint rate = 90000;

  if (s)
    gst_structure_get_int (s, "clock-rate", &rate);
  caps = gst_caps_new_simple (GST_RTP_CC_RTP_CAPS, "media", G_TYPE_STRING,
      kind ? kind : "video", "clock-rate", G_TYPE_INT, rate, "encoding-name",
      G_TYPE_STRING, f->flexfec ? "FLEXFEC" : "ULPFEC", "payload", G_TYPE_INT,
      (gint) f->pt, "ssrc", G_TYPE_UINT, f->ssrc, NULL);
  if (s && !f->flexfec)
    gst_rtp_cc_copy_extmap (s, gst_caps_get_structure (caps, 0));
  gst_clear_caps (&from);
  return caps;
}

static void
push_start (GstPad * pad, GstPad * media, guint32 ssrc)
{
  g_autofree gchar *of = gst_pad_get_stream_id (media);
  g_autofree gchar *id =
      g_strdup_printf ("%s/fec-%08x", of ? of : "rtp", ssrc);

  gst_pad_push_event (pad, gst_event_new_stream_start (id));
}

static void
push_before (GstRtpCcFecPad * f, GstPad * pad, GstPad * media)
{
  GstRtpCcFecPad was;
  GstEvent *segment;

  GST_OBJECT_LOCK (f->element);
  was = *f;
  f->started = TRUE;
  f->need_caps = f->need_segment = FALSE;
  GST_OBJECT_UNLOCK (f->element);
  if (!was.started)
    push_start (pad, media, was.ssrc);
  if (was.need_caps) {
    g_autoptr (GstCaps) caps = make_caps (&was, media);

    gst_pad_push_event (pad, gst_event_new_caps (caps));
  }
  if (was.need_segment
      && (segment = gst_pad_get_sticky_event (media, GST_EVENT_SEGMENT, 0)))
    gst_pad_push_event (pad, segment);
}

GstFlowReturn
gst_rtp_cc_fec_pad_push (GstRtpCcFecPad * f, GstPad * media, GstBuffer * parity,
    GstBufferList * list, GstFlowReturn flow)
{
  GstPad *pad = get_pad (f);
  GstFlowReturn own;

  if (!pad) {
    gst_clear_buffer (&parity);
    gst_clear_buffer_list (&list);
    return flow;
  }
  push_before (f, pad, media);
  own = list ? gst_pad_push_list (pad, list) : gst_pad_push (pad, parity);
  gst_object_unref (pad);
  return flow == GST_FLOW_OK && own < GST_FLOW_EOS ? own : flow;
}

/* --- what the media's events mean here ------------------------------------ */

static void
need (GstRtpCcFecPad * f, gboolean * what)
{
  GST_OBJECT_LOCK (f->element);
  *what = TRUE;
  GST_OBJECT_UNLOCK (f->element);
}

/* EOS before any parity needs a beginning, too. */
void
gst_rtp_cc_fec_pad_event (GstRtpCcFecPad * f, GstPad * media, GstEvent * event)
{
  GstPad *pad;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      need (f, &f->need_caps);
      return;
    case GST_EVENT_SEGMENT:
      need (f, &f->need_segment);
      return;
    case GST_EVENT_FLUSH_STOP:
      need (f, &f->need_segment);
      break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_EOS:
      break;
    default:
      return;
  }
  if (!(pad = get_pad (f)))
    return;
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    push_before (f, pad, media);
  gst_pad_push_event (pad, gst_event_ref (event));
  gst_object_unref (pad);
}
