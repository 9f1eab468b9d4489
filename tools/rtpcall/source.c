/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A film goes round and round. At its end the demuxer is sent back to the start. What it plays
 * then is offset by the time of the rounds before. Neither the end nor the flush leaves
 * decodebin, so nothing downstream notices; the queue in front of the clock lasts longer than the
 * seek takes. identity single-segment=true turns the rounds into one stream of running time.
 */
#include "call.h"

#include <string.h>

const char *
call_film_name (const CallOptions *options)
{
  return options->mode == CALL_RECEIVE ? options->reference : options->input;
}

static gboolean
is_live (const Call *call)
{
  return call->options->mode != CALL_RECEIVE;
}

static GstElement *
add_video_chain (Call *call, GstElement *from, gboolean sync, GError **error)
{
  const CallOptions *o = call->options;
  g_autofree char *aspect = g_strdup_printf ("%d/%d", o->width, o->height);
  GstElement *queue = call_add (call, error, "queue", "max-size-buffers", "10",
      "max-size-bytes", "0", "max-size-time", "0", NULL);
  GstElement *crop = call_add (call, error, "aspectratiocrop", "aspect-ratio", aspect, NULL);
  GstElement *scale = call_add (call, error, "videoscale", "add-borders", "false", NULL);
  GstElement *convert = call_add (call, error, "videoconvert", NULL);
  /* A live picture's time begins when it was made.  Copies of it from 0 on would put its numbers
   * behind those of the other end, which has the same film. */
  GstElement *rate = call_add (call, error, "videorate", "skip-to-first", "true", NULL);
  GstElement *filter = call_filter (call, error, "video/x-raw,format=I420,width=%d,"
      "height=%d,framerate=%d/1,pixel-aspect-ratio=1/1", o->width, o->height, o->fps);
  GstElement *clock = call_add (call, error, "identity", "single-segment", "true",
      "sync", sync ? "true" : "false", NULL);

  if (!queue || !crop || !scale || !convert || !rate || !filter || !clock
      || !call_chain (error, crop, scale, convert, rate, filter, queue, clock, NULL)
      || (from && !call_chain (error, from, crop, NULL)))
    return NULL;
  if (!from)
    g_object_set_data (G_OBJECT (call->decodebin), "video", crop);
  return clock;
}

static GstElement *
add_audio_chain (Call *call, GstElement *from, gboolean sync, GError **error)
{
  GstElement *queue = call_add (call, error, "queue", NULL);
  GstElement *convert = call_add (call, error, "audioconvert", NULL);
  GstElement *resample = call_add (call, error, "audioresample", NULL);
  GstElement *filter = call_filter (call, error, "audio/x-raw,rate=48000,channels=1");
  GstElement *clock = call_add (call, error, "identity", "single-segment", "true",
      "sync", sync ? "true" : "false", NULL);

  if (!queue || !convert || !resample || !filter || !clock
      || !call_chain (error, convert, resample, filter, queue, clock, NULL)
      || (from && !call_chain (error, from, convert, NULL)))
    return NULL;
  if (!from)
    g_object_set_data (G_OBJECT (call->decodebin), "audio", convert);
  return clock;
}

/* --- film ----------------------------------------------------------------- */

struct _CallFilm {
  Call *call;
  GMutex lock;                          /* all below */
  GPtrArray *pads;                      /* of decodebin, those in use */
  guint ended;                          /* of the pads, in this round */
  GstClockTime offset;                  /* of this round */
  GstClockTime length;                  /* of this round, so far */
};

static void
send_back (GstElement *decodebin, gpointer user_data)
{
  CallFilm *film = user_data;
  gboolean empty;

  g_mutex_lock (&film->lock);
  empty = film->length == 0;
  film->offset += film->length;
  film->ended = 0;
  film->length = 0;
  for (guint i = 0; i < film->pads->len; i++)
    gst_pad_set_offset (g_ptr_array_index (film->pads, i), (gint64) film->offset);
  g_mutex_unlock (&film->lock);
  /* One that cannot be sent back ends the call. */
  if (empty || !gst_element_seek_simple (decodebin, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0))
    call_end (film->call, NULL);
}

/* The sticky segment is the one without the offset. */
static void
measure (CallFilm *film, GstPad *pad, GstBuffer *buffer)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  GstClockTime end = GST_BUFFER_PTS (buffer);
  const GstSegment *segment;

  if (!event)
    return;
  gst_event_parse_segment (event, &segment);
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    end += GST_BUFFER_DURATION (buffer);
  end = gst_segment_to_running_time (segment, GST_FORMAT_TIME, MIN (end, segment->stop));
  gst_event_unref (event);
  g_mutex_lock (&film->lock);
  if (GST_CLOCK_TIME_IS_VALID (end))
    film->length = MAX (film->length, end);
  g_mutex_unlock (&film->lock);
}

static GstPadProbeReturn
on_film (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  CallFilm *film = user_data;
  gboolean over;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    if (GST_BUFFER_PTS_IS_VALID (GST_PAD_PROBE_INFO_BUFFER (info)))
      measure (film, pad, GST_PAD_PROBE_INFO_BUFFER (info));
    return GST_PAD_PROBE_OK;
  }
  switch (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info))) {
    case GST_EVENT_EOS:
      g_mutex_lock (&film->lock);
      over = ++film->ended == film->pads->len;
      g_mutex_unlock (&film->lock);
      if (over)
        gst_element_call_async (film->call->decodebin, send_back, film, NULL);
      return GST_PAD_PROBE_DROP;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_FLUSH_STOP:
      return GST_PAD_PROBE_DROP;
    default:
      return GST_PAD_PROBE_OK;
  }
}

/* The first stream of each kind. */
static void
on_pad_added (GstElement *decodebin, GstPad *pad, gpointer user_data)
{
  CallFilm *film = user_data;           /* NULL: a camera */
  GstCaps *caps = gst_pad_query_caps (pad, NULL);
  const char *type = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  GstElement *first = g_object_get_data (G_OBJECT (decodebin),
      g_str_has_prefix (type, "video/") ? "video" : "audio");
  GstPad *sink = first ? gst_element_get_static_pad (first, "sink") : NULL;

  gst_caps_unref (caps);
  if (sink && !gst_pad_is_linked (sink) && film) {
    g_mutex_lock (&film->lock);
    g_ptr_array_add (film->pads, gst_object_ref (pad));
    g_mutex_unlock (&film->lock);
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
        | GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_film, film, NULL);
  }
  if (sink && !gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
  g_clear_object (&sink);
}

static void
on_no_more_pads (GstElement *decodebin, gpointer user_data)
{
  CallFilm *film = user_data;
  GstElement *first = g_object_get_data (G_OBJECT (decodebin), "video");
  GstPad *sink = gst_element_get_static_pad (first, "sink");

  if (!gst_pad_is_linked (sink))
    call_end (film->call, g_error_new (CALL_ERROR, 0, "there is no picture in %s",
            call_film_name (film->call->options)));
  gst_object_unref (sink);
}

void
call_film_free (CallFilm *film)
{
  g_ptr_array_unref (film->pads);
  g_mutex_clear (&film->lock);
  g_free (film);
}

static gboolean
add_film (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  GstElement *file = call_add (call, error, "filesrc", "location",
      call_film_name (call->options), NULL);
  CallFilm *film = call->film = g_new0 (CallFilm, 1);

  film->call = call;
  film->pads = g_ptr_array_new_with_free_func (gst_object_unref);
  g_mutex_init (&film->lock);
  call->decodebin = call_add (call, error, "decodebin", NULL);
  if (!file || !call->decodebin || !call_chain (error, file, call->decodebin, NULL)
      || !(*video = add_video_chain (call, NULL, is_live (call), error))
      || (audio && !(*audio = add_audio_chain (call, NULL, TRUE, error))))
    return FALSE;
  g_signal_connect (call->decodebin, "pad-added", G_CALLBACK (on_pad_added), film);
  g_signal_connect (call->decodebin, "no-more-pads", G_CALLBACK (on_no_more_pads), film);
  return TRUE;
}

/* --- camera, test picture ------------------------------------------------- */

static gboolean
add_camera (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  GstElement *camera = call_add (call, error, "v4l2src", NULL);
  GstElement *microphone = audio ? call_add (call, error, "autoaudiosrc", NULL) : NULL;

  call->decodebin = call_add (call, error, "decodebin", NULL);
  if (!camera || !call->decodebin || (audio && !microphone)
      || !call_chain (error, camera, call->decodebin, NULL)
      || !(*video = add_video_chain (call, NULL, FALSE, error))
      || (audio && !(*audio = add_audio_chain (call, microphone, FALSE, error))))
    return FALSE;
  g_signal_connect (call->decodebin, "pad-added", G_CALLBACK (on_pad_added), NULL);
  return TRUE;
}

/* Moves all the time, takes any bitrate there is, and is still a picture when there is next to
 * none. It is bars and noise, made small and scaled up. */
static gboolean
add_test (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  const CallOptions *o = call->options;
  GstElement *picture = call_add (call, error, "videotestsrc", "is-live",
      is_live (call) ? "true" : "false", "pattern", "smpte", "horizontal-speed", "1", NULL);
  GstElement *small = call_filter (call, error, "video/x-raw,width=%d,height=%d,"
      "framerate=%d/1,pixel-aspect-ratio=1/1", o->width / 4, o->height / 4, o->fps);
  GstElement *tone = audio ? call_add (call, error, "audiotestsrc", "is-live", "true",
      "wave", "ticks", NULL) : NULL;

  return picture && small && (!audio || tone) && call_chain (error, picture, small, NULL)
      && (*video = add_video_chain (call, small, FALSE, error))
      && (!audio || (*audio = add_audio_chain (call, tone, FALSE, error)));
}

gboolean
call_add_source (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  const char *input = call_film_name (call->options);

  if (!strcmp (input, "test"))
    return add_test (call, video, audio, error);
  if (!strcmp (input, "camera"))
    return add_camera (call, video, audio, error);
  return add_film (call, video, audio, error);
}
