/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-framestamp
 * @title: framestamp
 * @see_also: psnr
 *
 * Draws a number into each picture, one higher from frame to frame. It is forty black and white
 * blocks in a strip along the top (or the bottom). An encoder at a starving bitrate leaves them
 * readable. Nothing on the way - RTP, jitter buffer, containers, new timestamps - takes them
 * away. So the receiver knows exactly which frame it looks at. The `psnr` element reads the
 * number with match=stamp and leaves the strip out of its measure.
 *
 * Put it in front of the tee (or encoder): what is stamped here is the reference.
 * Pictures must be at least 80 pixels wide; 16 rows of 640x480 or 320x240 survive
 * x264 at 100 kbit/s.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=100 ! video/x-raw,format=I420,width=640,height=480 \
 *   ! framestamp ! tee name=t t. ! queue ! psnr.ref_sink \
 *   t. ! queue ! x264enc bitrate=100 ! avdec_h264 ! psnr.dist_sink psnr name=psnr ! fakesink
 * ]|
 */
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>
#include "psnr/framestamp.h"
#include "psnr/gstpsnrelements.h"

GST_DEBUG_CATEGORY_STATIC (framestamp_debug);
#define GST_CAT_DEFAULT framestamp_debug

#define FORMATS "{ I420, YV12, NV12, NV21, Y42B, Y444, GRAY8 }"
#define DEFAULT_HEIGHT 16

typedef struct
{
  GstVideoFilter parent;
  guint height;                 /* object lock, as the rest */
  gboolean bottom;
  guint next_number;
} GstFrameStamp;

typedef struct
{
  GstVideoFilterClass parent_class;
} GstFrameStampClass;

GType gst_frame_stamp_get_type (void);
#define GST_FRAME_STAMP(obj) \
  (G_TYPE_CHECK_INSTANCE_CAST ((obj), gst_frame_stamp_get_type (), GstFrameStamp))

G_DEFINE_TYPE (GstFrameStamp, gst_frame_stamp, GST_TYPE_VIDEO_FILTER);
GST_ELEMENT_REGISTER_DEFINE (framestamp, "framestamp", GST_RANK_NONE,
    gst_frame_stamp_get_type ());

enum
{ PROP_0, PROP_HEIGHT, PROP_BOTTOM, PROP_NEXT_NUMBER };

static void
gst_frame_stamp_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstFrameStamp *self = GST_FRAME_STAMP (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_HEIGHT:
      self->height = g_value_get_uint (value);
      break;
    case PROP_BOTTOM:
      self->bottom = g_value_get_boolean (value);
      break;
    case PROP_NEXT_NUMBER:
      self->next_number = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_frame_stamp_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstFrameStamp *self = GST_FRAME_STAMP (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_HEIGHT:
      g_value_set_uint (value, self->height);
      break;
    case PROP_BOTTOM:
      g_value_set_boolean (value, self->bottom);
      break;
    case PROP_NEXT_NUMBER:
      g_value_set_uint (value, self->next_number);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_frame_stamp_stop (GstBaseTransform * trans)
{
  GstFrameStamp *self = GST_FRAME_STAMP (trans);

  GST_OBJECT_LOCK (self);
  self->next_number = 0;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

/* Grey: a strip without colour costs the encoder least. */
static void
clear_chroma (GstVideoFrame * frame, const FrameStampStrip * strip)
{
  for (guint c = 1; c < GST_VIDEO_FRAME_N_COMPONENTS (frame); c++) {
    guint sub = GST_VIDEO_FORMAT_INFO_H_SUB (frame->info.finfo, c);
    guint row = strip->row >> sub;
    guint end = (guint) GST_VIDEO_SUB_SCALE (sub, strip->row + strip->height);
    gint step = GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c);
    gint width = GST_VIDEO_FRAME_COMP_WIDTH (frame, c);

    for (; row < end; row++) {
      guint8 *data = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, c)
          + (gssize) row * GST_VIDEO_FRAME_COMP_STRIDE (frame, c);

      for (gint x = 0; x < width; x++)
        data[x * step] = 128;
    }
  }
}

static GstFlowReturn
gst_frame_stamp_transform_frame_ip (GstVideoFilter * filter,
    GstVideoFrame * frame)
{
  GstFrameStamp *self = GST_FRAME_STAMP (filter);
  guint width = (guint) GST_VIDEO_FRAME_WIDTH (frame);
  guint height = (guint) GST_VIDEO_FRAME_HEIGHT (frame);
  FrameStampStrip strip;
  guint number, rows;
  gboolean bottom;

  GST_OBJECT_LOCK (self);
  rows = self->height;
  bottom = self->bottom;
  number = self->next_number;
  self->next_number = (number + 1) & FRAMESTAMP_MASK;
  GST_OBJECT_UNLOCK (self);

  if (!framestamp_strip (width, height, rows, bottom, &strip)) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("A picture of %ux%u cannot hold a frame number: it must be at least %u "
            "pixels wide and have %u rows (property height).", width, height,
            FRAMESTAMP_MIN_WIDTH, rows), (NULL));
    return GST_FLOW_NOT_NEGOTIATED;
  }
  framestamp_draw (GST_VIDEO_FRAME_COMP_DATA (frame, 0),
      GST_VIDEO_FRAME_COMP_STRIDE (frame, 0), width, &strip, number);
  clear_chroma (frame, &strip);
  GST_LOG_OBJECT (self, "number %u, %" GST_TIME_FORMAT, number,
      GST_TIME_ARGS (GST_BUFFER_PTS (frame->buffer)));
  return GST_FLOW_OK;
}

static void
gst_frame_stamp_init (GstFrameStamp * self)
{
  self->height = DEFAULT_HEIGHT;
  /* A frame dropped for being late would be missing from the reference. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_frame_stamp_class_init (GstFrameStampClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstCaps *caps = gst_caps_from_string (GST_VIDEO_CAPS_MAKE (FORMATS));

  GST_DEBUG_CATEGORY_INIT (framestamp_debug, "framestamp", 0,
      "frame numbers in pictures");
  object_class->set_property = gst_frame_stamp_set_property;
  object_class->get_property = gst_frame_stamp_get_property;
  g_object_class_install_property (object_class, PROP_HEIGHT,
      g_param_spec_uint ("height", "Height",
          "Rows of the strip; psnr's stamp-height " "must be the same",
          FRAMESTAMP_MIN_HEIGHT, 256, DEFAULT_HEIGHT,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (object_class, PROP_BOTTOM,
      g_param_spec_boolean ("bottom", "Bottom",
          "Draw in the last rows instead of "
          "the first ones; psnr's stamp-bottom must be the same", FALSE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (object_class, PROP_NEXT_NUMBER,
      g_param_spec_uint ("next-number", "Next number",
          "Number of the next frame; "
          "starts again at 0 after 16777215, and when the element stops", 0,
          FRAMESTAMP_MASK, 0,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));

  gst_element_class_set_static_metadata (element_class, "Frame number stamp",
      "Filter/Effect/Video",
      "Draws a machine-readable frame number into the picture", "The gst-rtpcc maintainers");
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  GST_BASE_TRANSFORM_CLASS (klass)->stop = gst_frame_stamp_stop;
  GST_VIDEO_FILTER_CLASS (klass)->transform_frame_ip =
      gst_frame_stamp_transform_frame_ip;
}
