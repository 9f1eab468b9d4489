/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpccbin
 * @title: rtpccbin
 * @short_description: An rtpbin whose calls adapt to the network
 *
 * Takes the place of rtpbin: it has the same pads and signals, and a call through it adapts.
 * Inside are an rtpbin (the child `rtpbin`, whose other properties are set as
 * `rtpbin::buffer-mode=slave`) and, for each session,
 *
 * * the #GstRtpCcBin:controller and a circuit breaker, in front of `send_rtp_sink_%u`. They
 *   hear the RTCP that comes in at `recv_rtcp_sink_%u`;
 * * what reports to the other end (#GstRtpCcBin:feedback), at `recv_rtp_sink_%u`;
 * * the header extensions that this takes: payloaders that can write them are offered them;
 * * #rtpbitrateadapter, where there is a video encoder upstream that none adapts yet.
 *
 * Streams of several sessions have a controller each. What is to share one rate belongs
 * into one session (#rtpsbpnmux in front of it; #rtpccsink does that).
 *
 * An element message `GstRtpCcBin` says in words what limits the call (`limit`) and what
 * it is missing (`missing`, empty where nothing is), when that changes.
 *
 * ## Example launch line
 *
 * A call to oneself over a link of 800 kbit/s.
 * |[
 * gst-launch-1.0 -m rtpccbin name=s rtpccbin name=r \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtph264pay ! s.send_rtp_sink_0 \
 *   s.send_rtp_src_0 ! linksim name=net scenario=constant:800k ! r.recv_rtp_sink_0 \
 *   r. ! rtph264depay ! avdec_h264 ! fakesink \
 *   s.send_rtcp_src_0 ! net.fwd_sink_0 net.fwd_src_0 ! r.recv_rtcp_sink_0 \
 *   r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5071 sync=false async=false \
 *   udpsrc port=5071 ! s.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/bin/bin.h"

#include <gst/rtp/rtp.h>
#include <stdio.h>

#include "rtpcc/bin/forward.h"
#include "rtpcc/bin/session.h"
#include "rtpcc/bin/upstream.h"
#include "rtpcc/bin/words.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_cc_bin_debug);
#define GST_CAT_DEFAULT gst_rtp_cc_bin_debug

enum
{
  PROP_0,
  PROP_CONTROLLER,
  PROP_FEEDBACK,
  PROP_BREAKER,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_START_BITRATE,
  PROP_LATENCY,
  PROP_RTP_PROFILE,
  PROP_DO_LOST,
  PROP_DO_RETRANSMISSION,
  PROP_NTP_SYNC,
  PROP_SDES,
  PROP_ESTIMATED_BITRATE,
  PROP_STATS,
};

struct _GstRtpCcBin
{
  GstBin parent;

  GstElement *rtpbin;           /* NULL: not installed */
  GList *sessions;              /* of GstRtpCcBinSession; object lock, as all below */
  gint controller, feedback;    /* indices of their tables */
  gboolean breaker;
  guint min_bps, max_bps, start_bps;
  const gchar *limit, *missing; /* last posted */
};

#define TEMPLATE(name, direction, presence, caps) \
  GST_STATIC_PAD_TEMPLATE (name, direction, presence, GST_STATIC_CAPS (caps))
#define RTP "application/x-rtp; application/x-srtp"
#define RTCP "application/x-rtcp; application/x-srtcp"

static GstStaticPadTemplate templates[] = {
  TEMPLATE ("send_rtp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
      "application/x-rtp"),
  TEMPLATE ("recv_rtp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, RTP),
  TEMPLATE ("recv_rtcp_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, RTCP),
  TEMPLATE ("send_rtcp_src_%u", GST_PAD_SRC, GST_PAD_REQUEST, RTCP),
  TEMPLATE ("send_rtp_src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES, RTP),
  TEMPLATE ("recv_rtp_src_%u_%u_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
      "application/x-rtp"),
};

G_DEFINE_TYPE_WITH_CODE (GstRtpCcBin, gst_rtp_cc_bin, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_cc_bin_debug, "rtpccbin", 0,
        "RTP with congestion control"));
GST_ELEMENT_REGISTER_DEFINE (rtpccbin, "rtpccbin", GST_RANK_NONE,
    GST_TYPE_RTP_CC_BIN);

static const GEnumValue controllers[] = {
  {0, "Google Congestion Control (rtpgccsender)", "gcc"},
  {1, "FBRA (rtpfbrafec); the other end's feedback should be xr", "fbra"},
  {2, "None", "none"},
  {0, NULL, NULL}
};

static const gchar *const controller_factories[] =
    { "rtpgccsender", "rtpfbrafec", NULL };

static const GEnumValue feedbacks[] = {
  {0, "twcc where the caps name its extension, else remb", "auto"},
  {1, "Transport-wide feedback, by rtpsession", "twcc"},
  {2, "RFC 8888", "ccfb"},
  {3, "REMB", "remb"},
  {4, "RTCP XR, for FBRA", "xr"},
  {0, NULL, NULL}
};

static GType
enum_type (gsize * type, const gchar * name, const GEnumValue * values)
{
  if (g_once_init_enter (type)) {
    const GType registered = g_enum_register_static (name, values);

    gst_type_mark_as_plugin_api (registered, 0);
    g_once_init_leave (type, registered);
  }
  return *type;
}

/* --- sessions -------------------------------------------------------------- */

static GstRtpCcBinSession *
get_session (GstRtpCcBin * self, guint id)
{
  GstRtpCcBinSession *s;

  for (GList * l = self->sessions; l; l = l->next)
    if ((s = l->data)->id == id)
      return s;
  s = g_new0 (GstRtpCcBinSession, 1);
  s->bin = GST_BIN (self);
  s->rtpbin = self->rtpbin;
  s->id = id;
  GST_OBJECT_LOCK (self);
  self->sessions = g_list_append (self->sessions, s);
  GST_OBJECT_UNLOCK (self);
  return s;
}

static void
set_limits (GstRtpCcBin * self, GstElement * controller)
{
  if (controller)
    g_object_set (controller, "min-bitrate", self->min_bps, "max-bitrate",
        self->max_bps, "start-bitrate", self->start_bps, NULL);
}

static GstPad *
open_pad (GstRtpCcBin * self, GstRtpCcBinSession * s, guint template)
{
  GstPad *pad;

  switch (template) {
    case 0:
      pad = gst_rtp_cc_bin_session_send (s, controller_factories[self->controller],
          self->breaker);
      set_limits (self, s->controller);
      return pad;
    case 1:
      return gst_rtp_cc_bin_session_receive (s,
          feedbacks[self->feedback].value_nick);
    case 2:
      return gst_rtp_cc_bin_session_hear (s);
    default:
      return gst_rtp_cc_bin_session_tell (s);
  }
}

/* A number that is free for this template. */
static guint
free_number (GstElement * element, const gchar * format)
{
  for (guint i = 0;; i++) {
    g_autofree gchar *name = g_strdup_printf (format, i);
    GstPad *pad = gst_element_get_static_pad (element, name);

    if (!pad)
      return i;
    gst_object_unref (pad);
  }
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (element);
  const gchar *format = GST_PAD_TEMPLATE_NAME_TEMPLATE (template);
  GstPad *pad;
  guint i, id;

  if (!self->rtpbin)
    return NULL;
  for (i = 0; i < 3 && !g_str_equal (templates[i].name_template, format); i++);
  if (!name || sscanf (name, format, &id) != 1)
    id = free_number (element, format);
  pad = open_pad (self, get_session (self, id), i);
  if (pad)
    gst_element_add_pad (element, pad);
  return pad;
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (element);

  gst_pad_set_active (pad, FALSE);
  for (GList * l = self->sessions; l; l = l->next)
    gst_rtp_cc_bin_session_release (l->data, pad);
  gst_element_remove_pad (element, pad);
}

static void
on_pad_added (GstElement * rtpbin, GstPad * pad, GstElement * self)
{
  const gchar *name = GST_PAD_NAME (pad);
  GstPad *ghost;

  if (!g_str_has_prefix (name, "recv_rtp_src_")
      && !g_str_has_prefix (name, "send_rtp_src_"))
    return;
  ghost = gst_ghost_pad_new (name, pad);
  gst_pad_set_active (ghost, TRUE);
  gst_element_add_pad (self, ghost);
}

static void
on_pad_removed (GstElement * rtpbin, GstPad * pad, GstElement * self)
{
  GstPad *ghost = gst_element_get_static_pad (self, GST_PAD_NAME (pad));

  if (ghost && GST_PAD_IS_SRC (ghost)
      && !g_str_has_prefix (GST_PAD_NAME (ghost), "send_rtcp"))
    gst_element_remove_pad (self, ghost);
  gst_clear_object (&ghost);
}

/* --- what it says ---------------------------------------------------------- */

static GstStructure *
stats_of (GstElement * element)
{
  GstStructure *stats = NULL;

  if (element)
    g_object_get (element, "stats", &stats, NULL);
  return stats;
}

static void
add_stats (GstStructure * to, const gchar * name, GstElement * element)
{
  GstStructure *stats = stats_of (element);

  if (!stats)
    return;
  gst_structure_set (to, name, GST_TYPE_STRUCTURE, stats, NULL);
  gst_structure_free (stats);
}

static GstStructure *
session_stats (GstRtpCcBinSession * s)
{
  GstStructure *stats = gst_structure_new ("session", "session", G_TYPE_UINT,
      s->id, NULL);
  GObject *rtp = NULL;
  GstStructure *rtp_stats = NULL;

  add_stats (stats, "controller", s->controller);
  add_stats (stats, "breaker", s->breaker);
  add_stats (stats, "receiver", s->receiver);
  g_signal_emit_by_name (s->rtpbin, "get-internal-session", s->id, &rtp);
  if (rtp)
    g_object_get (rtp, "stats", &rtp_stats, NULL);
  if (rtp_stats)
    gst_structure_set (stats, "rtp", GST_TYPE_STRUCTURE, rtp_stats, NULL);
  g_clear_pointer (&rtp_stats, gst_structure_free);
  g_clear_object (&rtp);
  return stats;
}

static guint
sum_targets (GstRtpCcBin * self)
{
  guint sum = 0, target;

  for (GList * l = self->sessions; l; l = l->next) {
    GstRtpCcBinSession *s = l->data;

    if (!s->controller)
      continue;
    g_object_get (s->controller, "estimated-bitrate", &target, NULL);
    sum += target;
  }
  return sum;
}

static GstStructure *
make_stats (GstRtpCcBin * self)
{
  GValue sessions = G_VALUE_INIT, value = G_VALUE_INIT;
  GstStructure *stats;

  stats = gst_structure_new ("application/x-rtp-cc-bin-stats",
      "target-bitrate", G_TYPE_UINT, sum_targets (self),
      "limit", G_TYPE_STRING, self->limit, "missing", G_TYPE_STRING,
      self->missing, NULL);
  g_value_init (&sessions, GST_TYPE_ARRAY);
  for (GList * l = self->sessions; l; l = l->next) {
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, session_stats (l->data));
    gst_value_array_append_and_take_value (&sessions, &value);
  }
  gst_structure_take_value (stats, "sessions", &sessions);
  return stats;
}

/* The message comes from the thread that changed the target. */
static void
say (GstRtpCcBin * self, GstElement * source, const gchar * limit,
    gboolean silent)
{
  GstStructure *stats = stats_of (source);
  const gchar *missing = stats && silent ?
      gst_rtp_cc_bin_missing_words (stats) : "";
  gboolean changed;

  g_clear_pointer (&stats, gst_structure_free);
  GST_OBJECT_LOCK (self);
  changed = self->limit != limit || self->missing != missing;
  self->limit = limit;
  self->missing = missing;
  GST_OBJECT_UNLOCK (self);
  if (changed)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self),
            gst_structure_new ("GstRtpCcBin", "limit", G_TYPE_STRING, limit,
                "missing", G_TYPE_STRING, missing, "target-bitrate",
                G_TYPE_UINT, sum_targets (self), NULL)));
}

static void
handle_message (GstBin * bin, GstMessage * message)
{
  GstElement *source = NULL;
  const gchar *limited_by, *limit = NULL;
  gboolean silent = FALSE;

  if (gst_message_has_name (message, "GstRtpGccSender")) {
    limited_by = gst_structure_get_string (gst_message_get_structure (message),
        "limited-by");
    limit = gst_rtp_cc_bin_limit_words (limited_by);
    silent = !g_strcmp0 (limited_by, "feedback-timeout");
    source = gst_object_ref (GST_MESSAGE_SRC (message));
  }
  GST_BIN_CLASS (gst_rtp_cc_bin_parent_class)->handle_message (bin, message);
  if (source)
    say (GST_RTP_CC_BIN (bin), source, limit, silent);
  gst_clear_object (&source);
}

/* --- the object ------------------------------------------------------------ */

/* Properties that are rtpbin's own. */
static const gchar *
rtpbin_property (guint id)
{
  return id == PROP_LATENCY ? "latency" : id == PROP_RTP_PROFILE ? "rtp-profile"
      : id == PROP_DO_LOST ? "do-lost" : id == PROP_DO_RETRANSMISSION ?
      "do-retransmission" : id == PROP_NTP_SYNC ? "ntp-sync"
      : id == PROP_SDES ? "sdes" : NULL;
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (object);

  if (rtpbin_property (id)) {
    if (self->rtpbin)
      g_object_set_property (G_OBJECT (self->rtpbin), rtpbin_property (id),
          value);
    return;
  }
  if (id == PROP_CONTROLLER)
    self->controller = g_value_get_enum (value);
  else if (id == PROP_FEEDBACK)
    self->feedback = g_value_get_enum (value);
  else if (id == PROP_BREAKER)
    self->breaker = g_value_get_boolean (value);
  else if (id == PROP_MIN_BITRATE)
    self->min_bps = g_value_get_uint (value);
  else if (id == PROP_MAX_BITRATE)
    self->max_bps = g_value_get_uint (value);
  else if (id == PROP_START_BITRATE)
    self->start_bps = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  for (GList * l = self->sessions; l; l = l->next)
    set_limits (self, ((GstRtpCcBinSession *) l->data)->controller);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (object);

  if (rtpbin_property (id)) {
    if (self->rtpbin)
      g_object_get_property (G_OBJECT (self->rtpbin), rtpbin_property (id),
          value);
  } else if (id == PROP_CONTROLLER)
    g_value_set_enum (value, self->controller);
  else if (id == PROP_FEEDBACK)
    g_value_set_enum (value, self->feedback);
  else if (id == PROP_BREAKER)
    g_value_set_boolean (value, self->breaker);
  else if (id == PROP_MIN_BITRATE)
    g_value_set_uint (value, self->min_bps);
  else if (id == PROP_MAX_BITRATE)
    g_value_set_uint (value, self->max_bps);
  else if (id == PROP_START_BITRATE)
    g_value_set_uint (value, self->start_bps);
  else if (id == PROP_ESTIMATED_BITRATE)
    g_value_set_uint (value, sum_targets (self));
  else if (id == PROP_STATS)
    g_value_take_boxed (value, make_stats (self));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (element);

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !self->rtpbin) {
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN,
        ("There is no rtpbin: install gstreamer1.0-plugins-good."), (NULL));
    return GST_STATE_CHANGE_FAILURE;
  }
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    for (GList * l = self->sessions; l; l = l->next) {
      GstRtpCcBinSession *s = l->data;

      if (s->send_rtp && s->controller)
        gst_rtp_cc_bin_adapt (GST_BIN (self), s->send_rtp);
    }
  return GST_ELEMENT_CLASS (gst_rtp_cc_bin_parent_class)->change_state
      (element, transition);
}

static void
dispose (GObject * object)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (object);

  g_list_free_full (g_steal_pointer (&self->sessions),
      (GDestroyNotify) gst_rtp_cc_bin_session_free);
  if (self->rtpbin)
    g_signal_handlers_disconnect_by_data (self->rtpbin, self);
  self->rtpbin = NULL;
  G_OBJECT_CLASS (gst_rtp_cc_bin_parent_class)->dispose (object);
}

static void
gst_rtp_cc_bin_init (GstRtpCcBin * self)
{
  self->breaker = TRUE;
  self->min_bps = 50000;
  self->max_bps = 10000000;
  self->start_bps = 300000;
  self->limit = gst_rtp_cc_bin_limit_words ("start-bitrate");
  self->missing = "";
  self->rtpbin = gst_element_factory_make ("rtpbin", "rtpbin");
  if (!self->rtpbin)
    return;
  /* AVP reports every 5 s. */
  g_object_set (self->rtpbin, "rtp-profile", GST_RTP_PROFILE_AVPF, NULL);
  gst_bin_add (GST_BIN (self), self->rtpbin);
  gst_rtp_cc_bin_forward_init (GST_BIN (self), self->rtpbin);
  g_signal_connect (self->rtpbin, "pad-added", G_CALLBACK (on_pad_added), self);
  g_signal_connect (self->rtpbin, "pad-removed", G_CALLBACK (on_pad_removed),
      self);
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void
install_uint (GObjectClass * klass, guint id, const gchar * name, guint least,
    guint value, const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_uint (name, name,
          blurb, least, G_MAXUINT, value, FLAGS));
}

static void
install_rtpbin_properties (GObjectClass * klass)
{
  install_uint (klass, PROP_LATENCY, "latency", 0, 200,
      "How long received packets wait for late ones (ms)");
  g_object_class_install_property (klass, PROP_RTP_PROFILE,
      g_param_spec_enum ("rtp-profile", "RTP profile", "RTP profile of new sessions; "
          "without feedback (avp, savp) reports come every 5 s",
          GST_TYPE_RTP_PROFILE, GST_RTP_PROFILE_AVPF, FLAGS));
  g_object_class_install_property (klass, PROP_DO_LOST,
      g_param_spec_boolean ("do-lost", "Do lost",
          "Send an event downstream when a packet is lost", FALSE, FLAGS));
  g_object_class_install_property (klass, PROP_DO_RETRANSMISSION,
      g_param_spec_boolean ("do-retransmission", "Do retransmission",
          "Ask for lost packets again (NACK)", FALSE, FLAGS));
  g_object_class_install_property (klass, PROP_NTP_SYNC,
      g_param_spec_boolean ("ntp-sync", "NTP sync",
          "Synchronize received streams to the NTP clock", FALSE, FLAGS));
  g_object_class_install_property (klass, PROP_SDES, g_param_spec_boxed ("sdes",
          "SDES", "Source description items of the sessions",
          GST_TYPE_STRUCTURE, FLAGS));
}

static void
install_properties (GObjectClass * klass)
{
  static gsize controller, feedback;

  g_object_class_install_property (klass, PROP_CONTROLLER,
      g_param_spec_enum ("controller", "Controller",
          "Who decides how fast sessions may send that are opened from now on",
          enum_type (&controller, "GstRtpCcBinController", controllers), 0,
          FLAGS));
  g_object_class_install_property (klass, PROP_FEEDBACK,
      g_param_spec_enum ("feedback", "Feedback",
          "What sessions that are opened from now on tell the sender",
          enum_type (&feedback, "GstRtpCcBinFeedback", feedbacks), 0, FLAGS));
  g_object_class_install_property (klass, PROP_BREAKER,
      g_param_spec_boolean ("breaker", "Circuit breaker",
          "Whether a circuit breaker (RFC 8083) guards sessions that are opened from now on",
          TRUE, FLAGS));
  install_uint (klass, PROP_MIN_BITRATE, "min-bitrate", 1000, 50000,
      "Smallest rate to send a session at, whatever the network says (bit/s)");
  install_uint (klass, PROP_MAX_BITRATE, "max-bitrate", 1000, 10000000,
      "Largest rate to send a session at (bit/s)");
  install_uint (klass, PROP_START_BITRATE, "start-bitrate", 1000, 300000,
      "Rate until the first feedback; takes effect in READY (bit/s)");
  g_object_class_install_property (klass, PROP_ESTIMATED_BITRATE,
      g_param_spec_uint ("estimated-bitrate", "Estimated bitrate",
          "What may be sent now, of all sessions, RTP headers included (bit/s)",
          0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "The whole call: target-bitrate (bit/s), "
          "limit and missing in words, and sessions: the stats of each one's controller, "
          "breaker, receiver and rtpsession (rtp)", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_rtp_cc_bin_class_init (GstRtpCcBinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->dispose = dispose;
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  GST_BIN_CLASS (klass)->handle_message = GST_DEBUG_FUNCPTR (handle_message);
  install_properties (object_class);
  install_rtpbin_properties (object_class);
  gst_rtp_cc_bin_forward_class_init (G_TYPE_FROM_CLASS (klass));
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class,
      "RTP bin with congestion control", "Filter/Network/RTP/Bin",
      "An rtpbin whose calls adapt to the network", "The gst-rtpcc maintainers");
}
