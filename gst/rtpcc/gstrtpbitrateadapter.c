/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpbitrateadapter
 * @title: rtpbitrateadapter
 * @short_description: Lets an encoder follow a congestion controller
 *
 * Stands behind an encoder, before or after its parser, passes everything
 * through, and sets the encoder's bitrate as the `GstRtpTargetBitrate` events ask that
 * congestion controllers send upstream.  Several adapters may follow one
 * controller: the event travels on upstream after it was obeyed.  An event for
 * one SSRC is obeyed like any other, for it came up this stream.
 *
 * The encoder is the first one upstream, looked for through parsers, queues,
 * capsfilters and bins, or the element in #GstRtpBitrateAdapter:encoder.
 *
 * | encoder | property, unit | what it needs to follow, and how fast it does |
 * |---|---|---|
 * | x264enc | bitrate, kbit/s | VBV from the start: see below |
 * | x265enc | bitrate, kbit/s | follows in 0.3-0.4 s |
 * | openh264enc | bitrate, bit/s | rate-control=bitrate; follows in 0.1-0.2 s |
 * | vp8enc, vp9enc | target-bitrate, bit/s | end-usage=cbr, for vp9enc lag-in-frames=0; 0.2-0.5 s |
 * | av1enc | target-bitrate, kbit/s | with libaom 3.6 not seen to follow within 4 s |
 * | nvh264enc, vah264enc | bitrate, kbit/s | constant bitrate mode; not tried |
 * | opusenc | bitrate, bit/s | 4000-650000 |
 *
 * Any other encoder is followed through #GstRtpBitrateAdapter:bitrate-property
 * and #GstRtpBitrateAdapter:bitrate-unit.
 *
 * ## x264enc
 *
 * x264 changes its bitrate while it runs only with a VBV, and not at all with
 * `option-string=nal-hrd=cbr` or `vbv-buf-capacity=0` at the start: then the
 * event has no effect.  How fast a lower rate shows is the size of the VBV: with
 * the element's default of 600 ms the old rate lasts for 500 ms more, with 100 ms
 * for 100 ms.  The adapter therefore sets `vbv-buf-capacity` to
 * #GstRtpBitrateAdapter:vbv-buffer before the encoder starts; the capacity is in
 * ms of the bitrate, so it shrinks along with it.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! x264enc tune=zerolatency bitrate=500 ! rtpbitrateadapter max-bitrate=2000000 ! rtph264pay ! fakesink
 * ]|
 */
#include "gstrtpbitrateadapter.h"

#include "gstrtpccencoderrate.h"
#include "gstrtpccencoders.h"
#include "gstrtpccevent.h"
#include "gstrtpccutils.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_bitrate_adapter_debug);
#define GST_CAT_DEFAULT gst_rtp_bitrate_adapter_debug

enum
{
  PROP_0,
  PROP_ENCODER,
  PROP_BITRATE_PROPERTY,
  PROP_BITRATE_UNIT,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_RESERVED_BITRATE,
  PROP_PACKET_OVERHEAD,
  PROP_MTU,
  PROP_UPDATE_INTERVAL,
  PROP_VBV_BUFFER,
  PROP_ENCODER_BITRATE,
  PROP_STATS,
  N_PROPS,
};

/* An RTP header and abs-send-time plus a transport-wide sequence number. */
#define DEFAULT_PACKET_OVERHEAD 24
#define DEFAULT_MTU 1200
#define DEFAULT_UPDATE_INTERVAL (100 * GST_MSECOND)
#define DEFAULT_VBV_BUFFER 100

static GParamSpec *props[N_PROPS];

typedef struct {
  guint32 target_bps, fec_bps, encoder_bps;
  guint64 rtt;
  double frame_rate;
  guint64 events, invalid_events, updates;
  char *source, *reason;        /* owned */
} Stats;

static const RccField stats_fields[] = {
  RCC_FIELD (Stats, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (Stats, fec_bps, "fec-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (Stats, encoder_bps, "encoder-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (Stats, rtt, "rtt", RCC_TIME, "ns"),
  RCC_FIELD (Stats, frame_rate, "frame-rate", RCC_DOUBLE, "1/s"),
  RCC_FIELD (Stats, events, "target-events", RCC_U64, ""),
  RCC_FIELD (Stats, invalid_events, "invalid-events", RCC_U64, ""),
  RCC_FIELD (Stats, updates, "encoder-updates", RCC_U64, ""),
  RCC_FIELD (Stats, source, "source", RCC_STRING, ""),
  RCC_FIELD (Stats, reason, "reason", RCC_STRING, ""),
  RCC_FIELDS_END
};

struct _GstRtpBitrateAdapter
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;

  /* All below: object lock. */
  GstElement *encoder;          /* the property; NULL: look upstream */
  const gchar *bitrate_property;        /* interned; NULL: from the table */
  guint bitrate_unit;
  GstRtpCcEncoderLimits limits;
  GstClockTime update_interval;
  guint vbv_buffer;

  Stats stats;
  GstRtpCcFrameRate frame_rate;
  GstClockTime changed_at;      /* GST_CLOCK_TIME_NONE: encoder not set yet */
  GstClockTime due;             /* of a change put off; NONE: there is none */
  gboolean dirty, updating;     /* see update() */
  gboolean complained;          /* about the encoder, since READY */
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

static GstClockTime
get_now (GstRtpBitrateAdapter *self)
{
  GstClock *clock = gst_element_get_clock (GST_ELEMENT (self));
  GstClockTime now;

  if (!clock)
    clock = gst_system_clock_obtain ();
  now = gst_clock_get_time (clock);
  gst_object_unref (clock);
  return now;
}

static GstElement *
get_encoder (GstRtpBitrateAdapter *self)
{
  GstElement *encoder;

  GST_OBJECT_LOCK (self);
  encoder = self->encoder ? gst_object_ref (self->encoder) : NULL;
  GST_OBJECT_UNLOCK (self);
  return encoder ? encoder : gst_rtp_cc_encoder_find (self->sinkpad);
}

/* Once per run: an application that meant this would not have put us here. */
static void
complain (GstRtpBitrateAdapter *self, GstElement *encoder)
{
  gboolean complained;

  GST_OBJECT_LOCK (self);
  complained = self->complained;
  self->complained = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (complained)
    return;

  if (encoder)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("Cannot set the bitrate of %s: name its property in bitrate-property "
            "and its unit in bitrate-unit.", GST_OBJECT_NAME (encoder)), (NULL));
  else
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("There is no encoder upstream of %s: link it behind one, or set its "
            "property encoder.", GST_OBJECT_NAME (self)), (NULL));
}

/* x264enc's VBV must be there, and be short, before the first frame. */
static void
prepare_encoder (GstRtpBitrateAdapter *self)
{
  GstElement *encoder = get_encoder (self);
  const GstRtpCcEncoder *known;
  guint vbv, ignored;

  if (!encoder)
    return;
  GST_OBJECT_LOCK (self);
  vbv = self->vbv_buffer;
  GST_OBJECT_UNLOCK (self);
  known = gst_rtp_cc_encoder_lookup (encoder);
  if (known && known->vbv_property && vbv)
    gst_rtp_cc_encoder_set (encoder, known->vbv_property, 1, vbv, &ignored);
  gst_object_unref (encoder);
}

static gboolean
set_encoder (GstRtpBitrateAdapter *self, guint bps, guint *actual)
{
  GstElement *encoder = get_encoder (self);
  const GstRtpCcEncoder *known;
  const gchar *property;
  gboolean set;
  guint unit;

  GST_OBJECT_LOCK (self);
  property = self->bitrate_property;
  unit = self->bitrate_unit;
  GST_OBJECT_UNLOCK (self);
  if (!property && encoder && (known = gst_rtp_cc_encoder_lookup (encoder))) {
    property = known->property;
    unit = known->unit;
  }

  set = encoder && property
      && gst_rtp_cc_encoder_set (encoder, property, unit, bps, actual);
  if (!set)
    complain (self, encoder);
  gst_clear_object (&encoder);
  return set;
}

/* The bitrate to set now, 0 for none.  A change put off waits for the encoder's
 * next frame: without frames there is nothing to encode at another rate. */
static guint
decide_locked (GstRtpBitrateAdapter *self, GstClockTime now)
{
  gboolean fresh = !GST_CLOCK_TIME_IS_VALID (self->changed_at);
  GstClockTime since = fresh || now < self->changed_at ? 0 :
      now - self->changed_at;
  guint wanted;

  self->due = GST_CLOCK_TIME_NONE;
  if (self->stats.events == 0)
    return 0;
  if (self->stats.target_bps == GST_RTP_CC_UNBOUND
      && self->limits.max_bps == G_MAXUINT)
    return 0;

  wanted = gst_rtp_cc_encoder_bitrate (&self->limits, self->stats.target_bps,
      self->stats.fec_bps, self->frame_rate.rate);
  wanted = MAX (wanted, 1);
  if (fresh)
    return wanted;
  switch (gst_rtp_cc_encoder_change (self->stats.encoder_bps, wanted, since,
          self->update_interval)) {
    case GST_RTP_CC_CHANGE_NOW:
      return wanted;
    case GST_RTP_CC_CHANGE_LATER:
      self->due = self->changed_at + self->update_interval;
      break;
    case GST_RTP_CC_CHANGE_NONE:
      break;
  }
  return 0;
}

/* Controllers' threads and the encoder's own thread come here.  Whoever comes
 * while another sets the encoder leaves it the newer state, so the last word
 * wins and no lock is held across the encoder's property or our notify. */
static void
update (GstRtpBitrateAdapter *self)
{
  GST_OBJECT_LOCK (self);
  self->dirty = TRUE;
  if (self->updating) {
    GST_OBJECT_UNLOCK (self);
    return;
  }
  self->updating = TRUE;
  while (self->dirty) {
    GstClockTime now;
    guint bps, actual;
    gboolean set;

    self->dirty = FALSE;
    GST_OBJECT_UNLOCK (self);
    now = get_now (self);
    GST_OBJECT_LOCK (self);
    bps = decide_locked (self, now);
    if (bps == 0)
      continue;

    GST_OBJECT_UNLOCK (self);
    set = set_encoder (self, bps, &actual);
    GST_OBJECT_LOCK (self);
    if (!set)
      continue;
    self->changed_at = now;
    self->stats.encoder_bps = actual;
    self->stats.updates++;
    GST_OBJECT_UNLOCK (self);
    GST_DEBUG_OBJECT (self, "encoder set to %u bit/s", actual);
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ENCODER_BITRATE]);
    GST_OBJECT_LOCK (self);
  }
  self->updating = FALSE;
  GST_OBJECT_UNLOCK (self);
}

static void
set_string (gchar **string, const gchar *value)
{
  if (g_strcmp0 (*string, value) != 0) {
    g_free (*string);
    *string = g_strdup (value);
  }
}

static gboolean
handle_target (GstRtpBitrateAdapter *self, GstEvent *event)
{
  GstRtpCcTarget target;
  gboolean valid = gst_rtp_cc_event_parse (event, &target);

  GST_OBJECT_LOCK (self);
  if (valid) {
    self->stats.target_bps = target.target_bps;
    self->stats.fec_bps = target.fec_bps;
    self->stats.rtt = target.rtt;
    set_string (&self->stats.source, target.source);
    set_string (&self->stats.reason, target.reason);
    self->stats.events++;
  } else {
    self->stats.invalid_events++;
  }
  GST_OBJECT_UNLOCK (self);

  if (valid)
    update (self);
  return valid;
}

static gboolean
src_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);
  gboolean handled = FALSE;

  if (gst_rtp_cc_event_is (event))
    handled = handle_target (self, event);
  return gst_pad_event_default (pad, parent, event) || handled;
}

static gboolean
sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);
  gboolean new_stream = GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START;
  gboolean handled = gst_pad_event_default (pad, parent, event);

  /* Perhaps another encoder, which has not heard the target. */
  if (new_stream) {
    prepare_encoder (self);
    GST_OBJECT_LOCK (self);
    self->changed_at = GST_CLOCK_TIME_NONE;
    GST_OBJECT_UNLOCK (self);
    update (self);
  }
  return handled;
}

static gboolean
count_frame_locked (GstRtpBitrateAdapter *self, GstBuffer *buffer)
{
  if (!gst_rtp_cc_frame_rate_add (&self->frame_rate,
          GST_BUFFER_DTS_OR_PTS (buffer)))
    return FALSE;
  self->stats.frame_rate = self->frame_rate.rate;
  return TRUE;
}

static gboolean
count_in_list (GstBuffer **buffer, guint index, gpointer user_data)
{
  gpointer *data = user_data;

  if (count_frame_locked (data[0], *buffer))
    *(gboolean *) data[1] = TRUE;
  return TRUE;
}

static GstFlowReturn
chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);
  gboolean again;

  GST_OBJECT_LOCK (self);
  again = count_frame_locked (self, buffer);
  again |= GST_CLOCK_TIME_IS_VALID (self->due);
  GST_OBJECT_UNLOCK (self);

  if (again)
    update (self);
  return gst_pad_push (self->srcpad, buffer);
}

static GstFlowReturn
chain_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (parent);
  gboolean again = FALSE;
  gpointer data[] = { self, &again };

  GST_OBJECT_LOCK (self);
  gst_buffer_list_foreach (list, count_in_list, data);
  again |= GST_CLOCK_TIME_IS_VALID (self->due);
  GST_OBJECT_UNLOCK (self);

  if (again)
    update (self);
  return gst_pad_push_list (self->srcpad, list);
}

static void
reset (GstRtpBitrateAdapter *self)
{
  GST_OBJECT_LOCK (self);
  g_free (self->stats.source);
  g_free (self->stats.reason);
  self->stats = (Stats) {.rtt = GST_CLOCK_TIME_NONE };
  self->frame_rate = (GstRtpCcFrameRate) GST_RTP_CC_FRAME_RATE_INIT;
  self->changed_at = self->due = GST_CLOCK_TIME_NONE;
  self->complained = FALSE;
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
change_state (GstElement *element, GstStateChange transition)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    reset (self);
    /* Bins start their sinks first, so the encoder is not open yet. */
    prepare_encoder (self);
  }
  return GST_ELEMENT_CLASS (gst_rtp_bitrate_adapter_parent_class)->change_state
      (element, transition);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (object);
  GstElement *old = NULL;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_ENCODER:
      old = self->encoder;
      self->encoder = g_value_dup_object (value);
      self->changed_at = GST_CLOCK_TIME_NONE;
      break;
    case PROP_BITRATE_PROPERTY:
      self->bitrate_property = g_intern_string (g_value_get_string (value));
      break;
    case PROP_BITRATE_UNIT:
      self->bitrate_unit = g_value_get_uint (value);
      break;
    case PROP_MIN_BITRATE:
      self->limits.min_bps = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->limits.max_bps = g_value_get_uint (value);
      break;
    case PROP_RESERVED_BITRATE:
      self->limits.reserved_bps = g_value_get_uint (value);
      break;
    case PROP_PACKET_OVERHEAD:
      self->limits.packet_overhead = g_value_get_uint (value);
      break;
    case PROP_MTU:
      self->limits.mtu = g_value_get_uint (value);
      break;
    case PROP_UPDATE_INTERVAL:
      self->update_interval = g_value_get_uint64 (value);
      break;
    case PROP_VBV_BUFFER:
      self->vbv_buffer = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);

  gst_clear_object (&old);
  update (self);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_ENCODER:
      g_value_set_object (value, self->encoder);
      break;
    case PROP_BITRATE_PROPERTY:
      g_value_set_string (value, self->bitrate_property);
      break;
    case PROP_BITRATE_UNIT:
      g_value_set_uint (value, self->bitrate_unit);
      break;
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->limits.min_bps);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->limits.max_bps);
      break;
    case PROP_RESERVED_BITRATE:
      g_value_set_uint (value, self->limits.reserved_bps);
      break;
    case PROP_PACKET_OVERHEAD:
      g_value_set_uint (value, self->limits.packet_overhead);
      break;
    case PROP_MTU:
      g_value_set_uint (value, self->limits.mtu);
      break;
    case PROP_UPDATE_INTERVAL:
      g_value_set_uint64 (value, self->update_interval);
      break;
    case PROP_VBV_BUFFER:
      g_value_set_uint (value, self->vbv_buffer);
      break;
    case PROP_ENCODER_BITRATE:
      g_value_set_uint (value, self->stats.encoder_bps);
      break;
    case PROP_STATS:
      g_value_take_boxed (value,
          gst_rtp_cc_stats_new ("application/x-rtp-bitrate-adapter-stats",
              stats_fields, &self->stats));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
dispose (GObject *object)
{
  gst_clear_object (&GST_RTP_BITRATE_ADAPTER (object)->encoder);
  G_OBJECT_CLASS (gst_rtp_bitrate_adapter_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  GstRtpBitrateAdapter *self = GST_RTP_BITRATE_ADAPTER (object);

  g_free (self->stats.source);
  g_free (self->stats.reason);
  G_OBJECT_CLASS (gst_rtp_bitrate_adapter_parent_class)->finalize (object);
}

static void
gst_rtp_bitrate_adapter_init (GstRtpBitrateAdapter *self)
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

  self->bitrate_unit = 1;
  self->limits = (GstRtpCcEncoderLimits) {
    .max_bps = G_MAXUINT,
    .packet_overhead = DEFAULT_PACKET_OVERHEAD,
    .mtu = DEFAULT_MTU,
  };
  self->update_interval = DEFAULT_UPDATE_INTERVAL;
  self->vbv_buffer = DEFAULT_VBV_BUFFER;
  reset (self);
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)

static void
install_encoder_properties (void)
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
   * GstRtpBitrateAdapter:bitrate-unit:
   *
   * bit/s that 1 in bitrate-property stands for: 1 or 1000.
   */
  props[PROP_BITRATE_UNIT] = g_param_spec_uint ("bitrate-unit", "Bitrate unit",
      "bit/s per unit of bitrate-property: 1, or 1000 where it is in kbit/s",
      1, 1000000, 1, SETTING);
  /**
   * GstRtpBitrateAdapter:vbv-buffer:
   *
   * Size of x264enc's VBV in ms, set before the encoder starts; 0: leave it.
   * How long a lower bitrate takes to show.
   */
  props[PROP_VBV_BUFFER] = g_param_spec_uint ("vbv-buffer", "VBV buffer",
      "Size of x264enc's VBV in ms, set when going to PAUSED (0: leave it)",
      0, 10000, DEFAULT_VBV_BUFFER, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_MUTABLE_READY);
}

static void
install_rate_properties (void)
{
  /**
   * GstRtpBitrateAdapter:min-bitrate:
   *
   * Lowest bitrate of the encoder in bit/s; wins over max-bitrate.
   */
  props[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate", "Minimum bitrate",
      "Lowest bitrate of the encoder in bit/s, whatever the target", 0,
      G_MAXUINT, 0, SETTING);
  /**
   * GstRtpBitrateAdapter:max-bitrate:
   *
   * Highest bitrate of the encoder in bit/s.
   */
  props[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate", "Maximum bitrate",
      "Highest bitrate of the encoder in bit/s", 0, G_MAXUINT, G_MAXUINT,
      SETTING);
  /**
   * GstRtpBitrateAdapter:reserved-bitrate:
   *
   * Part of the target in bit/s that is not for this encoder, such as the
   * session's audio.
   */
  props[PROP_RESERVED_BITRATE] = g_param_spec_uint ("reserved-bitrate",
      "Reserved bitrate", "Part of the target in bit/s that other streams of "
      "the session take", 0, G_MAXUINT, 0, SETTING);
  /**
   * GstRtpBitrateAdapter:packet-overhead:
   *
   * Bytes per packet of RTP header and extensions: they count in the target but
   * not in the encoder's bitrate.
   */
  props[PROP_PACKET_OVERHEAD] = g_param_spec_uint ("packet-overhead",
      "Packet overhead", "Bytes of RTP header and extensions per packet, which "
      "the target includes and the encoder's bitrate does not", 0, 1000,
      DEFAULT_PACKET_OVERHEAD, SETTING);
  /**
   * GstRtpBitrateAdapter:mtu:
   *
   * The payloader's mtu in bytes.
   */
  props[PROP_MTU] = g_param_spec_uint ("mtu", "MTU", "Bytes of a full RTP packet: "
      "the payloader's mtu", 64, 65535, DEFAULT_MTU, SETTING);
  /**
   * GstRtpBitrateAdapter:update-interval:
   *
   * Least time in ns between two changes of the encoder; a decrease by more than
   * 5 % does not wait, a change by less than 1 % is not made.
   */
  props[PROP_UPDATE_INTERVAL] = g_param_spec_uint64 ("update-interval",
      "Update interval", "Least time in ns between changes of the encoder "
      "(a decrease by more than 5 % does not wait)", 0, 60 * GST_SECOND,
      DEFAULT_UPDATE_INTERVAL, SETTING);
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
      "Encoder bitrate", "What the encoder was last set to in bit/s (0: not yet)",
      0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS
      | G_PARAM_EXPLICIT_NOTIFY);
  /**
   * GstRtpBitrateAdapter:stats:
   *
   * application/x-rtp-bitrate-adapter-stats: target-bitrate, fec-bitrate,
   * encoder-bitrate (guint, bit/s), rtt (guint64, ns), frame-rate (gdouble, 1/s),
   * target-events, invalid-events, encoder-updates (guint64), source, reason
   * (strings, of the last event).
   */
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "What was asked for and what was set", GST_TYPE_STRUCTURE,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
gst_rtp_bitrate_adapter_class_init (GstRtpBitrateAdapterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->dispose = dispose;
  object_class->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);

  install_encoder_properties ();
  install_rate_properties ();
  install_reading_properties ();
  g_object_class_install_properties (object_class, N_PROPS, props);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "RTP bitrate adapter",
      "Filter/Network/RTP", "Sets the upstream encoder's bitrate as the "
      "congestion controller downstream asks", "gst-rtpcc");
}
