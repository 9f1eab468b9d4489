/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-psnr
 * @title: psnr
 * @see_also: framestamp
 *
 * Scores what the viewer of a call sees. That is, for each frame at ref_sink, the picture of
 * dist_sink that is on screen in its place. Where the frame did not make it, that is the last
 * picture shown again. It is scored against the reference and counted as frozen. The distorted
 * frames leave at src, unchanged; the reference ends here.
 *
 * Frames are paired by #GstPsnr:match. That is the number that framestamp drew, which is the only
 * one that survives a network. Or it is the running time (a transcoder), or the
 * GstReferenceTimestampMeta. With match=stamp the strip, and four rows beside it that deblocking
 * may touch, are left out of the measure.
 *
 * A side whose upstream is live never waits for the other one: the reference branch cannot hold
 * up an encoder. A reference frame then counts as frozen when a frame #GstPsnr:max-delay younger
 * has come, or #GstPsnr:max-size-buffers are held. A side that is not live (files) waits when
 * #GstPsnr:max-size-buffers of its frames have no partner yet. So both are read in step and each
 * frame is paired, however fast either side is. Where both come from one tee, that depth must
 * exceed the delay of the encoder in between, in frames. A side stops waiting where the other one
 * brings frame after frame that matches nothing. #GstPsnr:mode overrides what the latency query
 * says. Frames held are not copied.
 *
 * Both sides must have the same size and format, 8 bit.  Formulas, the cap of
 * 100 dB for identical pictures, and SSIM: gst/psnr/psnr.h and ssim.h.
 *
 * An element message `GstPsnr` follows each reference frame { type "frame", frame,
 * running-time, frozen, psnr, psnr-y, psnr-u, psnr-v, psnr-611, ssim? } and one
 * the end { type "pooled", and the fields of #GstPsnr:stats }: at EOS of both
 * sides (of dist_sink where the reference is live), or when the element stops.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=100 ! video/x-raw,format=I420,width=640,height=480 \
 *   ! framestamp ! tee name=t t. ! queue ! psnr.ref_sink \
 *   t. ! queue ! x264enc bitrate=100 ! avdec_h264 ! psnr.dist_sink \
 *   psnr name=psnr ssim=true ! fakesink
 * ]|
 * Two files, by time:
 * |[
 * gst-launch-1.0 -m filesrc location=original.mp4 ! decodebin ! videoconvert \
 *   ! video/x-raw,format=I420 ! psnr.ref_sink \
 *   filesrc location=coded.mp4 ! decodebin ! videoconvert \
 *   ! video/x-raw,format=I420 ! psnr.dist_sink psnr name=psnr match=pts ! fakesink
 * ]|
 */
#include "psnr/gstpsnrelements.h"
#include "psnr/gstpsnrmeter.h"

GST_DEBUG_CATEGORY (psnr_debug);
#define GST_CAT_DEFAULT psnr_debug

typedef struct
{
  GstElement parent;
  GstPad *src;
  PsnrMeter meter;
} GstPsnr;

typedef struct
{
  GstElementClass parent_class;
} GstPsnrClass;

GType gst_psnr_get_type (void);
#define GST_PSNR(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), gst_psnr_get_type (), GstPsnr))

G_DEFINE_TYPE (GstPsnr, gst_psnr, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (psnr, "psnr", GST_RANK_NONE, gst_psnr_get_type ());

enum
{ PROP_STATS = PSNR_PROP_LAST };

static GstFlowReturn
gst_psnr_ref_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstPsnr *self = GST_PSNR (parent);
  GstFlowReturn flow = psnr_meter_take (&self->meter, &self->meter.ref, buffer);

  gst_buffer_unref (buffer);
  return flow;
}

static GstFlowReturn
gst_psnr_dist_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstPsnr *self = GST_PSNR (parent);
  GstFlowReturn flow =
      psnr_meter_take (&self->meter, &self->meter.dist, buffer);

  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  flow = gst_pad_push (self->src, buffer);
  /* Nobody looks any more: what the reference still brings is not scored. */
  if (flow < GST_FLOW_OK && flow != GST_FLOW_FLUSHING)
    psnr_meter_gone (&self->meter);
  return flow;
}

static void
set_caps (GstPsnr * self, PsnrSide * side, GstCaps * caps)
{
  if (gst_video_info_from_caps (&side->info, caps))
    return;
  gst_video_info_init (&side->info);
  GST_ELEMENT_ERROR (self, STREAM, FORMAT,
      ("psnr measures 8-bit raw video in one of " "the formats " PSNR_FORMATS
          ": put videoconvert in front of it."), ("caps %" GST_PTR_FORMAT,
          caps));
}

static void
watch_event (GstPsnr * self, PsnrSide * side, GstEvent * event)
{
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      set_caps (self, side, caps);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &side->segment);
      break;
    case GST_EVENT_STREAM_START:
      psnr_meter_new_stream (&self->meter, side);
      break;
    case GST_EVENT_FLUSH_START:
      psnr_meter_set_flushing (&self->meter, side, TRUE);
      break;
    case GST_EVENT_FLUSH_STOP:
      psnr_meter_set_flushing (&self->meter, side, FALSE);
      break;
    default:
      break;
  }
}

static gboolean
gst_psnr_ref_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstPsnr *self = GST_PSNR (parent);

  watch_event (self, &self->meter.ref, event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    psnr_meter_end (&self->meter, &self->meter.ref, event);
  else
    gst_event_unref (event);
  return TRUE;
}

static gboolean
gst_psnr_dist_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstPsnr *self = GST_PSNR (parent);

  watch_event (self, &self->meter.dist, event);
  if (GST_EVENT_TYPE (event) != GST_EVENT_EOS)
    return gst_pad_event_default (pad, parent, event);
  psnr_meter_end (&self->meter, &self->meter.dist, event);
  return TRUE;
}

/* A seek goes to both sides; all else to the one that made the frames. */
static gboolean
gst_psnr_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstPsnr *self = GST_PSNR (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEEK)
    gst_pad_push_event (self->meter.ref.pad, gst_event_ref (event));
  return gst_pad_push_event (self->meter.dist.pad, event);
}

static gboolean
gst_psnr_ref_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return gst_pad_query_default (pad, parent, query);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static GstIterator *
gst_psnr_internal_links (GstPad * pad, GstObject * parent)
{
  GstPsnr *self = GST_PSNR (parent);
  GValue value = G_VALUE_INIT;
  GstIterator *links;

  if (pad == self->meter.ref.pad)
    return NULL;
  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value,
      pad == self->src ? self->meter.dist.pad : self->src);
  links = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return links;
}

static void
set_linked (GstPsnr * self, GstPad * pad, gboolean linked)
{
  psnr_meter_set_linked (&self->meter,
      pad == self->meter.ref.pad ? &self->meter.ref : &self->meter.dist,
      linked);
}

static GstPadLinkReturn
gst_psnr_link (GstPad * pad, GstObject * parent, GstPad * peer)
{
  set_linked (GST_PSNR (parent), pad, TRUE);
  return GST_PAD_LINK_OK;
}

static void
gst_psnr_unlink (GstPad * pad, GstObject * parent)
{
  set_linked (GST_PSNR (parent), pad, FALSE);
}

/* --- states and properties ------------------------------------------------ */

static GstStateChangeReturn
gst_psnr_change_state (GstElement * element, GstStateChange transition)
{
  GstPsnr *self = GST_PSNR (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED
      && !psnr_meter_start (&self->meter))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    psnr_meter_unblock (&self->meter);
  ret =
      GST_ELEMENT_CLASS (gst_psnr_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    psnr_meter_stop (&self->meter);
  return ret;
}

static void
gst_psnr_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstPsnr *self = GST_PSNR (object);
  gboolean known;

  g_mutex_lock (&self->meter.lock);
  known = psnr_settings_set (&self->meter.settings, id, value);
  g_mutex_unlock (&self->meter.lock);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_psnr_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstPsnr *self = GST_PSNR (object);
  gboolean known;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, psnr_meter_stats (&self->meter));
    return;
  }
  g_mutex_lock (&self->meter.lock);
  known = psnr_settings_get (&self->meter.settings, id, value);
  g_mutex_unlock (&self->meter.lock);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_psnr_finalize (GObject * object)
{
  GstPsnr *self = GST_PSNR (object);

  psnr_meter_clear (&self->meter);
  G_OBJECT_CLASS (gst_psnr_parent_class)->finalize (object);
}

static GstPad *
add_pad (GstPsnr * self, const gchar * name)
{
  GstPadTemplate *template =
      gst_element_get_pad_template (GST_ELEMENT (self), name);
  GstPad *pad = gst_pad_new_from_template (template, name);

  gst_pad_set_iterate_internal_links_function (pad, gst_psnr_internal_links);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

static void
gst_psnr_init (GstPsnr * self)
{
  PsnrSide *ref = &self->meter.ref, *dist = &self->meter.dist;

  psnr_meter_init (&self->meter, GST_ELEMENT (self));
  self->src = self->meter.src = add_pad (self, "src");
  gst_pad_set_event_function (self->src, gst_psnr_src_event);
  GST_PAD_SET_PROXY_CAPS (self->src);
  ref->pad = add_pad (self, "ref_sink");
  gst_pad_set_chain_function (ref->pad, gst_psnr_ref_chain);
  gst_pad_set_event_function (ref->pad, gst_psnr_ref_event);
  gst_pad_set_query_function (ref->pad, gst_psnr_ref_query);
  dist->pad = add_pad (self, "dist_sink");
  gst_pad_set_chain_function (dist->pad, gst_psnr_dist_chain);
  gst_pad_set_event_function (dist->pad, gst_psnr_dist_event);
  GST_PAD_SET_PROXY_CAPS (dist->pad);
  gst_pad_set_link_function (ref->pad, gst_psnr_link);
  gst_pad_set_unlink_function (ref->pad, gst_psnr_unlink);
  gst_pad_set_link_function (dist->pad, gst_psnr_link);
  gst_pad_set_unlink_function (dist->pad, gst_psnr_unlink);
}

static void
gst_psnr_class_init (GstPsnrClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstCaps *caps = gst_caps_from_string (GST_VIDEO_CAPS_MAKE (PSNR_FORMATS));

  GST_DEBUG_CATEGORY_INIT (psnr_debug, "psnr", 0, "peak signal-to-noise ratio");
  object_class->set_property = gst_psnr_set_property;
  object_class->get_property = gst_psnr_get_property;
  object_class->finalize = gst_psnr_finalize;
  psnr_settings_install (object_class);
  /**
   * GstPsnr:stats:
   *
   * Counts of reference frames (uint64): `frames` is those that were scored, with the
   * frozen ones. `identical` is how many of them were. `frozen` is frozen frames,
   * `freezes` runs of them, `freeze-time` and `longest-freeze` (ns) how long they took.
   * `unmatched` is those that were not scored: nothing was on screen yet, or a picture
   * of another size, or the position is not known.
   *
   * Counts of distorted frames (uint64): `late` came in disorder, or behind the time at
   * which their reference was given up. `duplicate` came before. `unknown` belong to no
   * reference.
   *
   * dB and SSIM (double), absent without a frame: `psnr`, `psnr-y`, `psnr-u`, `psnr-v` and
   * `psnr-611` are pooled, `mean-psnr` and `mean-ssim` are means of the frames.
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Counts and pooled values since the " "element was started",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  gst_element_class_set_static_metadata (element_class, "PSNR of a video call",
      "Filter/Analyzer/Video",
      "Compares what was sent with what the viewer sees", "The gst-rtpcc maintainers");
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("ref_sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("dist_sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  element_class->change_state = GST_DEBUG_FUNCPTR (gst_psnr_change_state);
}
