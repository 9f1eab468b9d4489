/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpccsender
 * @title: rtpccsender
 * @short_description: Any congestion controller, and pacing, for an RTP sender
 * @see_also: rtpgccsender
 *
 * Stands where #rtpgccsender does, with the same pads, and does the same with the rate of
 * another controller: #GstRtpCcAnySender:controller names it. `gst-inspect-1.0 rtpccsender`
 * lists the names. With `gcc` it is #rtpgccsender in its profile `default`, with `gcc-paper` in
 * `paper`, with `rrtcc` in `rrtcc`. Where the far end sends REMB or TMMBR, its #rtpgccreceiver
 * has to have that profile, too.
 *
 * Constants of its own are set in #GstRtpCcAnySender:tuning:
 * `tuning="tuning,NAME=VALUE"`.
 *
 * Controllers that probe with parity (`fbra`) are for #rtpfbrafec, and are not in the list.
 *
 * The element message `GstRtpCcSender` has `limited-by` (the controller's state),
 * `target-bitrate` and `reason`, and is posted when the first of them changes.
 *
 * ## Example launch line
 *
 * TFRC over a link of 800 kbit/s, from the far end's reports of each packet (RFC 8888).
 * |[
 * gst-launch-1.0 -m videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter \
 *   ! rtph264pay ! rtpccsender name=cc controller=tfrc ! b.send_rtp_sink_0 rtpbin name=b \
 *   b.send_rtp_src_0 ! linksim scenario=constant:800k \
 *   ! rtpgccreceiver name=est feedback-format=ccfb ! fakesink \
 *   est.rtcp_src ! udpsink host=127.0.0.1 port=5055 sync=false async=false \
 *   udpsrc port=5055 ! cc.rtcp_sink cc.rtcp_src ! b.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/common/elements.h"
#include "rtpcc/sender/sender.h"

#define GST_TYPE_RTP_CC_ANY_SENDER (gst_rtp_cc_any_sender_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCcAnySender, gst_rtp_cc_any_sender, GST,
    RTP_CC_ANY_SENDER, GstRtpCcSender);

struct _GstRtpCcAnySender
{
  GstRtpCcSender parent;

  /* object lock */
  gint wanted;                  /* its place in the registry */
  GstStructure *tuning;         /* NULL: none */
};

enum
{
  PROP_CONTROLLER = GST_RTP_CC_PROP_OWN,
  PROP_TUNING,
};

G_DEFINE_TYPE (GstRtpCcAnySender, gst_rtp_cc_any_sender,
    GST_TYPE_RTP_CC_SENDER);
GST_ELEMENT_REGISTER_DEFINE (rtpccsender, "rtpccsender", GST_RANK_NONE,
    GST_TYPE_RTP_CC_ANY_SENDER);

/* The rows without parity, by their place in the registry. */
static GType
controller_type (void)
{
  static GEnumValue values[RCC_REGISTRY_MAX + 1];
  static gsize type;
  const RccController *row;
  guint n = 0;

  if (g_once_init_enter (&type)) {
    for (guint i = 0; (row = rcc_registry_row (i)); i++)
      if (!row->parity)
        values[n++] = (GEnumValue) {
        (gint) i, row->text, row->name};
    g_once_init_leave (&type, g_enum_register_static ("GstRtpCcSenderController",
            values));
    gst_type_mark_as_plugin_api (type, 0);
  }
  return type;
}

static const RccController *
configure (GstRtpCcSender * sender, const GstRtpCcSenderSettings * settings,
    gpointer config)
{
  GstRtpCcAnySender *self = (GstRtpCcAnySender *) sender;
  const RccController *row;
  GstStructure *tuning;

  GST_OBJECT_LOCK (self);
  row = rcc_registry_row ((unsigned) self->wanted);
  tuning = self->tuning ? gst_structure_copy (self->tuning) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (row->defaults)
    row->defaults (config);
  if (tuning) {
    gst_rtp_cc_settings_tune_rows (row->settings, tuning, config);
    gst_structure_free (tuning);
  }
  return row;
}

static gboolean
set (GstRtpCcElement * element, guint id, const GValue * value)
{
  GstRtpCcAnySender *self = (GstRtpCcAnySender *) element;
  const GstStructure *tuning;

  if (id == PROP_CONTROLLER) {
    GST_OBJECT_LOCK (self);
    self->wanted = g_value_get_enum (value);
    GST_OBJECT_UNLOCK (self);
  } else if (id == PROP_TUNING) {
    tuning = g_value_get_boxed (value);
    GST_OBJECT_LOCK (self);
    g_clear_pointer (&self->tuning, gst_structure_free);
    self->tuning = tuning ? gst_structure_copy (tuning) : NULL;
    GST_OBJECT_UNLOCK (self);
  } else {
    return FALSE;
  }
  return TRUE;
}

static gboolean
get (GstRtpCcElement * element, guint id, GValue * value)
{
  GstRtpCcAnySender *self = (GstRtpCcAnySender *) element;

  GST_OBJECT_LOCK (self);
  if (id == PROP_CONTROLLER)
    g_value_set_enum (value, self->wanted);
  else if (id == PROP_TUNING)
    g_value_set_boxed (value, self->tuning);
  GST_OBJECT_UNLOCK (self);
  return id == PROP_CONTROLLER || id == PROP_TUNING;
}

static void
finalize (GObject * object)
{
  GstStructure *tuning = ((GstRtpCcAnySender *) object)->tuning;

  G_OBJECT_CLASS (gst_rtp_cc_any_sender_parent_class)->finalize (object);
  if (tuning)
    gst_structure_free (tuning);
}

static void
gst_rtp_cc_any_sender_init (GstRtpCcAnySender * self)
{
  gst_rtp_cc_sender_begin (&self->parent);
}

static void
install_own (GObjectClass * klass)
{
  const GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY;

  g_object_class_install_property (klass, PROP_CONTROLLER,
      g_param_spec_enum ("controller", "Controller", "Who decides on the rate; takes effect "
          "in READY or at reset", controller_type (), 0, flags));
  g_object_class_install_property (klass, PROP_TUNING, g_param_spec_boxed ("tuning",
          "Tuning", "Constants of the controller that are to differ, for research: "
          "\"tuning,NAME=VALUE\"; rccsim --settings lists the names; takes effect in READY "
          "or at reset", GST_TYPE_STRUCTURE, flags));
}

static void
gst_rtp_cc_any_sender_class_init (GstRtpCcAnySenderClass * klass)
{
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);
  GstRtpCcSenderClass *sender = GST_RTP_CC_SENDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  base->settings = &gst_rtp_cc_any_sender_settings;
  base->stats_name = "application/x-rtp-cc-sender-stats";
  base->set = set;
  base->get = get;
  sender->message = "GstRtpCcSender";
  sender->configure = configure;
  gst_rtp_cc_sender_install (sender);
  install_own (G_OBJECT_CLASS (klass));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "RTP congestion control, sender", "Filter/Network/RTP",
      "Decides by any controller how fast an RTP session may send, and paces it",
      "The gst-rtpcc maintainers");
}
