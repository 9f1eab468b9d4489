/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Who starts again has another SSRC (RFC 3550 8.1): its stream takes the place of the one that is
 * silent. Who comes into the middle of a stream decodes nothing before the next key frame, and asks
 * for one until it has it: the first request may be lost, or nobody known yet to whom it could go.
 */
#include "streams.h"

#include <string.h>

/* As rtpccsrc: a program takes longer to start again, with the wait of a new jitterbuffer. */
#define SILENT (400 * G_TIME_SPAN_MILLISECOND)
#define ASK_MS 500
#define VIDEO "shown-video"
#define AUDIO "shown-audio"

typedef struct {
  GMutex lock;
  GstPad *sink;                         /* the depayloader's */
  GstPad *shown;                        /* of rtpbin, whose packets go there; NULL: none yet */
  gint64 arrived;                       /* its last packet, us */
  gint64 waits;                         /* since when for its first picture; 0: there is one */
  gboolean is_video;
} Place;

static void
place_free (gpointer data)
{
  Place *p = data;

  gst_object_unref (p->sink);
  gst_clear_object (&p->shown);
  g_mutex_clear (&p->lock);
  g_free (p);
}

/* Whether the packets of @pad go there now, that have not before.  Lock held. */
static gboolean
take (Place *p, GstPad *pad, gint64 now)
{
  if (p->shown && now - p->arrived < SILENT)
    return FALSE;
  if (p->shown) {
    gst_pad_unlink (p->shown, p->sink);
    if (p->is_video)
      g_printerr ("\nrtpcall: the video goes on as another stream: the other end has started "
          "again\n");
  }
  gst_object_replace ((GstObject **) & p->shown, GST_OBJECT (pad));
  gst_pad_link (pad, p->sink);
  p->arrived = p->waits = now;
  return TRUE;
}

/* A stream that had to yield, as it paused, comes back when the other one is silent.  The packet
 * before which it is linked would come before its caps. */
static GstPadProbeReturn
on_packet (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  const gint64 now = g_get_monotonic_time ();
  Place *p = data;
  gboolean shown;

  g_mutex_lock (&p->lock);
  shown = p->shown == pad;
  if (shown)
    p->arrived = now;
  else
    take (p, pad, now);
  g_mutex_unlock (&p->lock);
  return shown ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
on_nobody (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return GST_PAD_PROBE_DROP;
}

/* "recv_rtp_src_SESSION_SSRC_PT": to the depayloader of its payload type; padding without media
 * goes nowhere. */
static void
on_pad_added (GstElement *rtpbin, GstPad *pad, gpointer user_data)
{
  const char *name = GST_PAD_NAME (pad), *pt = strrchr (name, '_');
  Place *p = NULL;

  if (!g_str_has_prefix (name, "recv_rtp_src_"))
    return;
  if (!strcmp (pt, "_" G_STRINGIFY (CALL_VIDEO_PT)))
    p = g_object_get_data (G_OBJECT (rtpbin), VIDEO);
  else if (!strcmp (pt, "_" G_STRINGIFY (CALL_AUDIO_PT)))
    p = g_object_get_data (G_OBJECT (rtpbin), AUDIO);
  if (p) {
    g_mutex_lock (&p->lock);
    take (p, pad, g_get_monotonic_time ());
    g_mutex_unlock (&p->lock);
  }
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      p ? on_packet : on_nobody, p, NULL);
}

static GstPadProbeReturn
on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Place *p = data;

  g_mutex_lock (&p->lock);
  p->waits = 0;
  g_mutex_unlock (&p->lock);
  return GST_PAD_PROBE_OK;
}

/* PLI, RFC 4585 6.3.1. */
static gboolean
ask (gpointer data)
{
  const gint64 now = g_get_monotonic_time ();
  Place *p = data;
  GstPad *pad = NULL;

  g_mutex_lock (&p->lock);
  if (p->shown && p->waits && now - p->waits >= ASK_MS * G_TIME_SPAN_MILLISECOND
      && now - p->arrived < SILENT)
    pad = gst_object_ref (p->shown);
  g_mutex_unlock (&p->lock);
  if (pad) {
    gst_pad_send_event (pad, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new ("GstForceKeyUnit", "all-headers", G_TYPE_BOOLEAN, TRUE, NULL)));
    gst_object_unref (pad);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
is_silent (Call *call, const char *name, gint64 now)
{
  Place *p = g_object_get_data (G_OBJECT (call->recv_rtpbin), name);
  gboolean silent;

  if (!p)
    return TRUE;
  g_mutex_lock (&p->lock);
  silent = now - p->arrived >= SILENT;
  g_mutex_unlock (&p->lock);
  return silent;
}

gboolean
call_streams_are_silent (Call *call)
{
  const gint64 now = g_get_monotonic_time ();

  return is_silent (call, VIDEO, now) && is_silent (call, AUDIO, now);
}

static Place *
add_place (Call *call, const char *name, GstElement *depay)
{
  Place *p = g_new0 (Place, 1);

  g_mutex_init (&p->lock);
  p->sink = gst_element_get_static_pad (depay, "sink");
  g_object_set_data_full (G_OBJECT (call->recv_rtpbin), name, p, place_free);
  return p;
}

void
call_add_streams (Call *call, GstElement *video, GstElement *decoder, GstElement *audio)
{
  Place *p = add_place (call, VIDEO, video);
  GstPad *pictures = gst_element_get_static_pad (decoder, "src");

  p->is_video = TRUE;
  gst_pad_add_probe (pictures, GST_PAD_PROBE_TYPE_BUFFER, on_picture, p, NULL);
  gst_object_unref (pictures);
  g_timeout_add (ASK_MS, ask, p);
  if (audio)
    add_place (call, AUDIO, audio);
  g_signal_connect (call->recv_rtpbin, "pad-added", G_CALLBACK (on_pad_added), NULL);
}
