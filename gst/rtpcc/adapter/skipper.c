/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/skipper.h"

#include "rtpcc/common/utils.h"

#define LONGEST GST_SECOND      /* without being told again: whoever told may be gone */

void
gst_rtp_cc_skipper_init (GstRtpCcSkipper * s, GstElement * element)
{
  *s = (GstRtpCcSkipper) {
  .element = element};
  g_mutex_init (&s->lock);
}

void
gst_rtp_cc_skipper_start (GstRtpCcSkipper * s)
{
  g_mutex_lock (&s->lock);
  s->runs = TRUE;
  g_mutex_unlock (&s->lock);
}

void
gst_rtp_cc_skipper_stop (GstRtpCcSkipper * s)
{
  g_mutex_lock (&s->lock);
  s->runs = FALSE;
  s->until = 0;
  s->skipped = 0;
  gst_rtp_cc_watch_end (&s->watch);
  g_mutex_unlock (&s->lock);
}

void
gst_rtp_cc_skipper_clear (GstRtpCcSkipper * s)
{
  gst_rtp_cc_skipper_stop (s);
  g_mutex_clear (&s->lock);
}

static GstPadProbeReturn
keep_back (gpointer data, GstBuffer * buffer)
{
  GstRtpCcSkipper *s = data;
  gboolean skip = FALSE;

  g_mutex_lock (&s->lock);
  if (s->until > 0) {
    skip = gst_rtp_cc_now (s->element) < s->until;
    s->skipped += skip;
    if (!skip)
      s->until = 0;
  }
  g_mutex_unlock (&s->lock);
  return skip ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static gboolean
has_video (GstPad * pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gboolean video = FALSE;

  if (caps)
    video = g_str_has_prefix (gst_structure_get_name (gst_caps_get_structure
            (caps, 0)), "video/");
  gst_clear_caps (&caps);
  return video;
}

void
gst_rtp_cc_skipper_tell (GstRtpCcSkipper * s, GstElement * encoder,
    GstClockTime excess)
{
  GstPad *pad = encoder && excess > 0 ? gst_element_get_static_pad (encoder,
      "sink") : NULL;

  g_mutex_lock (&s->lock);
  s->until = 0;
  if (s->runs && pad && has_video (pad)) {
    gst_rtp_cc_watch_begin (&s->watch, encoder, "sink", keep_back, s->element,
        s);
    s->until = gst_rtp_cc_now (s->element) + MIN (excess, LONGEST);
  }
  g_mutex_unlock (&s->lock);
  gst_clear_object (&pad);
}

guint64
gst_rtp_cc_skipper_skipped (GstRtpCcSkipper * s)
{
  guint64 skipped;

  g_mutex_lock (&s->lock);
  skipped = s->skipped;
  g_mutex_unlock (&s->lock);
  return skipped;
}
