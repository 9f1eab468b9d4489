/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpbitrateadapter
 * @title: rtpbitrateadapter
 * @short_description: Lets an encoder follow a congestion controller
 *
 * Stands behind an encoder, before or after its parser, and passes everything through. It sets
 * the encoder's bitrate as congestion controllers ask by the `GstRtpTargetBitrate` events that
 * they send upstream. The event travels on upstream after it was obeyed. An event for one SSRC is
 * obeyed unless the payloader downstream is seen to have another.
 *
 * Several adapters may follow one controller, as behind a funnel or in webrtcbin's bundle. They
 * share its target. All get the same, but no encoder gets more than it needs for
 * #GstRtpBitrateAdapter:max-bitrate, or less than for #GstRtpBitrateAdapter:min-bitrate: what is
 * left goes to the others. So with `max-bitrate=64000` behind opusenc speech is served first. An
 * adapter has a part from the first event until it is in READY, whether its encoder has work or
 * not. An encoder without an adapter takes what it takes: #GstRtpBitrateAdapter:reserved-bitrate is
 * for that.
 *
 * The encoder is the first one upstream, looked for through parsers, queues,
 * capsfilters and bins, or the element in #GstRtpBitrateAdapter:encoder.
 *
 * docs/reference/rtpbitrateadapter.md has the table of encoders, and what each was seen to do.
 * Those that were not tried need a constant bitrate mode where they have several. Any other
 * encoder is followed through #GstRtpBitrateAdapter:bitrate-property and
 * #GstRtpBitrateAdapter:bitrate-unit, or by a row of the file that the environment variable
 * GST_RTP_CC_ENCODERS names. A property may be a field of a structure:
 * `bitrate-property=extra-controls.video_bitrate`.
 *
 * ## x264enc
 *
 * x264 changes its bitrate while it runs only with a VBV. With `option-string=nal-hrd=cbr` or
 * `vbv-buf-capacity=0` at the start it does not, and the event has no effect. How fast a lower
 * rate shows is the size of the VBV. With the element's default of 600 ms the old rate lasts for
 * 500 ms more, with 100 ms for 100 ms. Too small a VBV costs rate: 100 ms 3 % of it, and 0.2 dB,
 * beside 200 (`rtpcall` with camera footage on rfc8867-5.1-60s). The adapter therefore sets
 * `vbv-buf-capacity` to #GstRtpBitrateAdapter:vbv-buffer before the encoder starts. The capacity
 * is in ms of the bitrate, so it shrinks along with it. Every frame has to fit it, a keyframe
 * too: a larger VBV makes better keyframes and slower decreases.
 *
 * ## Pictures that wait
 *
 * An encoder that was just told of a lower rate has made its last pictures for the old one. They
 * wait at the sender, which says so in its events. While they need longer than
 * #GstRtpBitrateAdapter:skip-queue-time, no picture comes to the encoder. That costs the next one
 * a little. One that is dropped after it was encoded breaks all that build upon it. For an
 * encoder that leaves pictures out by itself it is best 0.
 *
 * ## An encoder that makes less
 *
 * x264 with so short a VBV makes less than it is set to where each picture is hard: 86 % at
 * 437 kbit/s (VGA, videotestsrc's zone plate). The rest of the target would be lost. The adapter
 * measures it and sets the encoder to more, #GstRtpBitrateAdapter:max-correction times at most, so
 * that it makes 95 %. Pictures that need less than 70 % get no more. Nothing is corrected while
 * packets wait at the sender for 50 ms. With it such a call made .91 of a link of 500 kbit/s,
 * without .82 (tests/interop, chromium_receives_long).
 *
 * ## How often
 *
 * The encoder is set once per #GstRtpBitrateAdapter:update-interval.  A decrease by more
 * than 5 % does not wait, and a change by less than 1 % is not made.
 *
 * ## Resolution
 *
 * With #GstRtpBitrateAdapter:adapt-resolution a rate that leaves a pixel too few bits lowers the
 * picture in steps. First the size falls (3/4, 1/2), then the frame rate (1/2), then the size
 * again (1/4). That goes through the capsfilter named in #GstRtpBitrateAdapter:capsfilter:
 * `videoscale ! videorate ! capsfilter name=size ! x264enc ! rtpbitrateadapter
 * adapt-resolution=true capsfilter=size`. The next smaller step is taken below
 * #GstRtpBitrateAdapter:bits-per-pixel. It is taken back where the step above it has 1.4 times as
 * many, 3 s later at the earliest.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! x264enc tune=zerolatency bitrate=500 \
 *   ! rtpbitrateadapter max-bitrate=2000000 ! rtph264pay ! fakesink
 * ]|
 */
#include "rtpcc/adapter/ratecontrol.h"
#include "rtpcc/common/elements.h"
#include "rtpcc/common/event.h"
#include "rtpcc/common/utils.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_bitrate_adapter_debug);
#define GST_CAT_DEFAULT gst_rtp_bitrate_adapter_debug

enum
{
  PROP_ENCODER = GST_RTP_CC_PROPS,      /* the table's are below */
  PROP_BITRATE_PROPERTY,
  PROP_VBV_BUFFER,
  PROP_CAPSFILTER,
  PROP_ENCODER_BITRATE,
  PROP_STATS,
  N_PROPS,
};

static GParamSpec *props[N_PROPS];

#define GST_TYPE_RTP_BITRATE_ADAPTER (gst_rtp_bitrate_adapter_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpBitrateAdapter, gst_rtp_bitrate_adapter, GST,
    RTP_BITRATE_ADAPTER, GstElement);

struct _GstRtpBitrateAdapter
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstRtpCcRateControl rate_control;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE_WITH_CODE (GstRtpBitrateAdapter, gst_rtp_bitrate_adapter,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (gst_rtp_bitrate_adapter_debug,
        "rtpbitrateadapter", 0, "RTP bitrate adapter"));
GST_ELEMENT_REGISTER_DEFINE (rtpbitrateadapter, "rtpbitrateadapter",
    GST_RANK_NONE, GST_TYPE_RTP_BITRATE_ADAPTER);

static void
encoder_changed (GstElement * element)
{
  g_object_notify_by_pspec (G_OBJECT (element), props[PROP_ENCODER_BITRATE]);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);
  gboolean obeyed = FALSE;

  if (gst_rtp_cc_event_is (event)) {
    obeyed = gst_rtp_cc_rate_control_event (&self->rate_control, event);
    GST_LOG_OBJECT (self, "%s %" GST_PTR_FORMAT,
        obeyed ? "obeyed" : "malformed", event);
    event = gst_rtp_cc_rate_control_pass (&self->rate_control, event);
  }
  return gst_pad_event_default (pad, parent, event) || obeyed;
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gboolean new_stream = GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START;
  gboolean handled = gst_pad_event_default (pad, parent, event);

  if (new_stream)
    gst_rtp_cc_rate_control_renew (&GST_RTP_BITRATE_ADAPTER
        (parent)->rate_control);
  return handled;
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);

  gst_rtp_cc_rate_control_frame (&self->rate_control, buffer);
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);

  for (guint i = 0; i < gst_buffer_list_length (list); i++)
    gst_rtp_cc_rate_control_frame (&self->rate_control,
        gst_buffer_list_get (list, i));
  return gst_pad_push_list (self->srcpad, list);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    gst_rtp_cc_rate_control_start (&self->rate_control);
  ret = GST_ELEMENT_CLASS (gst_rtp_bitrate_adapter_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_rtp_cc_rate_control_stop (&self->rate_control);
  return ret;
}

/* @old: a former encoder, to be let go of without the lock. */
static gboolean
set_own (GstRtpCcRateControl * f, guint id, const GValue * value,
    GstElement ** old)
{
  GstRtpCcAdapterSettings *settings = &f->settings;

  if (id == PROP_ENCODER) {
    *old = settings->encoder;
    settings->encoder = g_value_dup_object (value);
    f->changed_at = GST_CLOCK_TIME_NONE;
  } else if (id == PROP_BITRATE_PROPERTY)
    settings->bitrate_property = g_intern_string (g_value_get_string (value));
  else if (id == PROP_VBV_BUFFER)
    settings->vbv_buffer = g_value_get_uint (value);
  else if (id == PROP_CAPSFILTER)
    settings->capsfilter = g_intern_string (g_value_get_string (value));
  else
    return FALSE;
  return TRUE;
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcRateControl *f = &GST_RTP_BITRATE_ADAPTER (object)->rate_control;
  GstElement *old = NULL;

  g_mutex_lock (&f->lock);
  if (!gst_rtp_cc_settings_set (&gst_rtp_cc_adapter_settings, &f->settings, id,
          value) && !set_own (f, id, value, &old))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  g_mutex_unlock (&f->lock);

  gst_clear_object (&old);
  gst_rtp_cc_rate_control_update (f);
}

static gboolean
get_own (GstRtpCcRateControl * f, guint id, GValue * value)
{
  if (id == PROP_ENCODER)
    g_value_set_object (value, f->settings.encoder);
  else if (id == PROP_BITRATE_PROPERTY)
    g_value_set_string (value, f->settings.bitrate_property);
  else if (id == PROP_VBV_BUFFER)
    g_value_set_uint (value, f->settings.vbv_buffer);
  else if (id == PROP_CAPSFILTER)
    g_value_set_string (value, f->settings.capsfilter);
  else if (id == PROP_ENCODER_BITRATE)
    g_value_set_uint (value, f->stats.encoder_bps);
  else if (id == PROP_STATS)
    g_value_take_boxed (value, gst_rtp_cc_rate_control_stats (f));
  else
    return FALSE;
  return TRUE;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcRateControl *f = &GST_RTP_BITRATE_ADAPTER (object)->rate_control;

  g_mutex_lock (&f->lock);
  if (!gst_rtp_cc_settings_get (&gst_rtp_cc_adapter_settings, &f->settings, id,
          value) && !get_own (f, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  g_mutex_unlock (&f->lock);
}

static void
finalize (GObject * object)
{
  gst_rtp_cc_rate_control_clear (&GST_RTP_BITRATE_ADAPTER
      (object)->rate_control);
  G_OBJECT_CLASS (gst_rtp_bitrate_adapter_parent_class)->finalize (object);
}

static void
gst_rtp_bitrate_adapter_init (GstRtpBitrateAdapter * self)
{
  GstElement *element = GST_ELEMENT (self);

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_event_function (self->sinkpad, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_chain_function (self->sinkpad, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (self->sinkpad,
      GST_DEBUG_FUNCPTR (chain_list));
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sinkpad);
  gst_element_add_pad (element, self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (self->srcpad, GST_DEBUG_FUNCPTR (src_event));
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (element, self->srcpad);

  gst_rtp_cc_rate_control_init (&self->rate_control, element, self->sinkpad,
      encoder_changed);
  gst_rtp_cc_adapter_settings_init (&self->rate_control.settings);
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)

static void
install_settings (void)
{
  /**
   * GstRtpBitrateAdapter:encoder:
   *
   * The encoder to set; NULL: the first one upstream.
   */
  props[PROP_ENCODER] = g_param_spec_object ("encoder", "Encoder",
      "The encoder to set (NULL: the first one upstream)", GST_TYPE_ELEMENT,
      SETTING);
  /**
   * GstRtpBitrateAdapter:bitrate-property:
   *
   * Name of the encoder's bitrate property; NULL: as the table of encoders says.
   */
  props[PROP_BITRATE_PROPERTY] = g_param_spec_string ("bitrate-property",
      "Bitrate property", "Name of the encoder's bitrate property (NULL: known "
      "for the common encoders)", NULL, SETTING);
  /**
   * GstRtpBitrateAdapter:vbv-buffer:
   *
   * Size of x264enc's VBV in ms, set before the encoder starts; 0: leave it. How long a lower
   * bitrate takes to show. At low bitrates it is kept at 20 kbit or more. With less than a key
   * frame takes, x264 codes skipped frames only.
   */
  props[PROP_VBV_BUFFER] = g_param_spec_uint ("vbv-buffer", "VBV buffer",
      "Size of x264enc's VBV in ms, set when going to PAUSED (0: leave it)",
      0, 10000, GST_RTP_CC_ADAPTER_VBV,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
  /**
   * GstRtpBitrateAdapter:capsfilter:
   *
   * Name of the capsfilter upstream of the encoder, behind videoscale and
   * videorate, that adapt-resolution uses.  Its caps are put back in READY.
   */
  props[PROP_CAPSFILTER] = g_param_spec_string ("capsfilter", "Capsfilter",
      "Name of the capsfilter behind videoscale and videorate, before the "
      "encoder, for adapt-resolution", NULL, SETTING);
}

static void
install_reading_properties (void)
{
  /**
   * GstRtpBitrateAdapter:encoder-bitrate:
   *
   * What the encoder was last set to, in bit/s; 0: not set yet.  Notifies.
   */
  props[PROP_ENCODER_BITRATE] = g_param_spec_uint ("encoder-bitrate",
      "Encoder bitrate",
      "What the encoder was last set to in bit/s (0: not yet)", 0, G_MAXUINT, 0,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "What was asked for and what was set", GST_TYPE_STRUCTURE,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
gst_rtp_bitrate_adapter_class_init (GstRtpBitrateAdapterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);

  gst_rtp_cc_settings_install (&gst_rtp_cc_adapter_settings, object_class);
  install_settings ();
  install_reading_properties ();
  for (guint id = PROP_ENCODER; id < N_PROPS; id++)
    g_object_class_install_property (object_class, id, props[id]);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "RTP bitrate adapter",
      "Filter/Network/RTP", "Sets the upstream encoder's bitrate as the "
      "congestion controller downstream asks", "The gst-rtpcc maintainers");
}
