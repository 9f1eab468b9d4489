/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A film is played in segments (GST_SEEK_FLAG_SEGMENT): at its end the demuxer says
 * so in place of EOS, and the next round is asked for without a flush, so that
 * decoders and queues never run dry.  identity single-segment=true turns the rounds
 * into one stream of running time.
 */
#include "call.h"

#include <string.h>

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
  GstElement *rate = call_add (call, error, "videorate", NULL);
  GstElement *filter = call_filter (call, error, "video/x-raw,format=I420,width=%d,"
      "height=%d,framerate=%d/1,pixel-aspect-ratio=1/1", o->width, o->height, o->fps);
  GstElement *clock = call_add (call, error, "identity", "single-segment", "true",
      "sync", sync ? "true" : "false", NULL);

  if (!queue || !crop || !scale || !convert || !rate || !filter || !clock
      || !call_chain (error, queue, crop, scale, convert, rate, filter, clock, NULL)
      || (from && !call_link (error, from, NULL, queue, "sink")))
    return NULL;
  if (!from)
    g_object_set_data (G_OBJECT (call->decodebin), "video", queue);
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
      || !call_chain (error, queue, convert, resample, filter, clock, NULL)
      || (from && !call_link (error, from, NULL, queue, "sink")))
    return NULL;
  if (!from)
    g_object_set_data (G_OBJECT (call->decodebin), "audio", queue);
  return clock;
}

/* -- film -- */

static void
on_pad_added (GstElement *decodebin, GstPad *pad, gpointer user_data)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  const char *type;
  GstElement *queue;
  GstPad *sink;

  if (!caps)
    caps = gst_pad_query_caps (pad, NULL);
  type = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  queue = g_object_get_data (G_OBJECT (decodebin),
      g_str_has_prefix (type, "video/") ? "video" : "audio");
  gst_caps_unref (caps);
  sink = queue ? gst_element_get_static_pad (queue, "sink") : NULL;
  if (sink && !gst_pad_is_linked (sink))        /* the first of each kind */
    gst_pad_link (pad, sink);
  g_clear_object (&sink);
}

static gboolean
seek_to_start (Call *call)
{
  GstElement *queue = g_object_get_data (G_OBJECT (call->decodebin), "video");
  GstPad *pad = gst_element_get_static_pad (queue, "sink");
  gboolean done = gst_pad_push_event (pad, gst_event_new_seek (1.0, GST_FORMAT_TIME,
          GST_SEEK_FLAG_SEGMENT, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, -1));

  gst_object_unref (pad);
  return done;
}

/* A film that cannot be sought in plays once, and the call ends with it. */
static void
begin_loop (GstElement *decodebin, gpointer user_data)
{
  Call *call = user_data;

  g_atomic_int_set (&call->looping, seek_to_start (call));
}

static void
on_no_more_pads (GstElement *decodebin, gpointer user_data)
{
  Call *call = user_data;
  GstElement *queue = g_object_get_data (G_OBJECT (decodebin), "video");
  GstPad *pad = gst_element_get_static_pad (queue, "sink");

  if (gst_pad_is_linked (pad))
    gst_element_call_async (decodebin, begin_loop, call, NULL);
  else
    call_end (call, g_error_new (CALL_ERROR, 0, "there is no picture in %s",
            call->options->input));
  gst_object_unref (pad);
}

void
call_source_again (Call *call)
{
  if (!seek_to_start (call))
    call_end (call, NULL);
}

static gboolean
add_film (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  GstElement *file = call_add (call, error, "filesrc", "location", call->options->input,
      NULL);

  call->decodebin = call_add (call, error, "decodebin", NULL);
  if (!file || !call->decodebin || !call_chain (error, file, call->decodebin, NULL)
      || !(*video = add_video_chain (call, NULL, TRUE, error))
      || (audio && !(*audio = add_audio_chain (call, NULL, TRUE, error))))
    return FALSE;
  g_signal_connect (call->decodebin, "pad-added", G_CALLBACK (on_pad_added), NULL);
  g_signal_connect (call->decodebin, "no-more-pads", G_CALLBACK (on_no_more_pads), call);
  return TRUE;
}

/* -- camera, test picture -- */

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

/* Moves all the time, with fine edges: an encoder has work to do. */
static gboolean
add_test (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  GstElement *picture = call_add (call, error, "videotestsrc", "is-live", "true",
      "pattern", "smpte", "horizontal-speed", "3", NULL);
  GstElement *tone = audio ? call_add (call, error, "audiotestsrc", "is-live", "true",
      "wave", "ticks", NULL) : NULL;

  return picture && (!audio || tone)
      && (*video = add_video_chain (call, picture, FALSE, error))
      && (!audio || (*audio = add_audio_chain (call, tone, FALSE, error)));
}

gboolean
call_add_source (Call *call, GstElement **video, GstElement **audio, GError **error)
{
  const char *input = call->options->input;

  if (!strcmp (input, "test"))
    return add_test (call, video, audio, error);
  if (!strcmp (input, "camera"))
    return add_camera (call, video, audio, error);
  return add_film (call, video, audio, error);
}
