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
 * With #GstRtpCcBin:do-retransmission at both ends lost packets are sent again (RFC 4588): payload
 * types 96 to 101 as 112 to 117, which are for nothing else then. #GstRtpCcBin:protection is parity
 * in front of the losses, for a round trip that is too long for that.
 *
 * Streams of several sessions have a controller each. What is to share one rate belongs
 * into one session: `rtpsbpnmux rate-control=external` in front of it, which #rtpccsink has inside.
 * It is not inside here, as the pads are rtpbin's: one for each session.
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

#include "rtpcc/bin/controllers.h"
#include "rtpcc/bin/forward.h"
#include "rtpcc/bin/guard.h"
#include "rtpcc/bin/parity.h"
#include "rtpcc/bin/properties.h"
#include "rtpcc/bin/repair.h"
#include "rtpcc/bin/report.h"
#include "rtpcc/bin/session.h"
#include "rtpcc/bin/upstream.h"
#include "rtpcc/bin/words.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_cc_bin_debug);
#define GST_CAT_DEFAULT gst_rtp_cc_bin_debug

#define MAX_STREAMS 64

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
  PROP_MAX_LATENCY,
  PROP_RTP_PROFILE,
  PROP_DO_LOST,
  PROP_DO_RETRANSMISSION,
  PROP_PROTECTION,
  PROP_PROBE_PROTECTION,
  PROP_NTP_SYNC,
  PROP_SDES,
  PROP_MAX_STREAMS,
  PROP_ESTIMATED_BITRATE,
  PROP_STATS,
};

struct _GstRtpCcBin
{
  GstBin parent;

  GstElement *rtpbin;           /* NULL: not installed */
  GList *sessions;              /* of GstRtpCcBinSession; object lock, as all below */
  gint controller, feedback;    /* indices of their tables */
  gboolean breaker, retransmit, probe_protection;
  guint min_bps, max_bps, start_bps, protection, max_latency;
  GstRtpCcBinWords words;       /* last posted */
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

/* --- what it says --------------------------------------------------------- */

/* Who has asked for a profile without feedback is told, whatever else comes. */
static const gchar *
or_slow (GstRtpCcBin * self, const gchar * missing)
{
  if (!*missing && self->rtpbin && gst_rtp_cc_bin_is_slow (self->rtpbin))
    return gst_rtp_cc_bin_slow_words ();
  return missing;
}

/* In the thread that changed the target. */
static void
say (GstRtpCcBin * self, const gchar * limit, GstElement * controller)
{
  GstRtpCcBinWords now = { limit, gst_rtp_cc_bin_missing_of (controller, self->rtpbin) };

  now.missing = or_slow (self, now.missing);
  if (gst_rtp_cc_bin_words_change (&self->words, GST_OBJECT (self), &now))
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self),
            gst_structure_new ("GstRtpCcBin", "limit", G_TYPE_STRING, now.limit,
                "missing", G_TYPE_STRING, now.missing, "target-bitrate",
                G_TYPE_UINT, gst_rtp_cc_bin_target (self->sessions), NULL)));
}

/* What is missing may show while the limit stays. It is said once for a session. */
static void
on_estimate (GstElement * controller, GParamSpec * pspec, GstRtpCcBin * self)
{
  if (!*gst_rtp_cc_bin_missing_of (controller, self->rtpbin))
    return;
  g_signal_handlers_disconnect_by_func (controller, on_estimate, self);
  say (self, NULL, controller);
}

static void
handle_message (GstBin * bin, GstMessage * message)
{
  GstElement *controller = NULL;
  const gchar *limit = NULL;

  if (gst_message_has_name (message, "GstRtpGccSender")) {
    limit = gst_rtp_cc_bin_limit_words (gst_structure_get_string
        (gst_message_get_structure (message), "limited-by"));
    controller = gst_object_ref (GST_MESSAGE_SRC (message));
  }
  GST_BIN_CLASS (gst_rtp_cc_bin_parent_class)->handle_message (bin, message);
  if (controller)
    say (GST_RTP_CC_BIN (bin), limit, controller);
  gst_clear_object (&controller);
}

/* --- sessions ------------------------------------------------------------- */

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
  gst_rtp_cc_bin_parity_set (controller, self->protection, self->probe_protection);
}

static GstPad *
open_pad (GstRtpCcBin * self, GstRtpCcBinSession * s, guint template)
{
  GstPad *pad;

  switch (template) {
    case 0:
      pad = gst_rtp_cc_bin_session_send (s, self->controller, self->breaker,
          self->retransmit);
      set_limits (self, s->controller);
      if (s->controller)
        g_signal_connect (s->controller, "notify::estimated-bitrate",
            G_CALLBACK (on_estimate), self);
      return pad;
    case 1:
      return gst_rtp_cc_bin_session_receive (s, self->feedback);
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

/* --- the object ----------------------------------------------------------- */

static gboolean
is_of_rtpbin (guint id)
{
  return id == PROP_LATENCY || id == PROP_RTP_PROFILE || id == PROP_DO_LOST
      || id == PROP_NTP_SYNC || id == PROP_SDES || id == PROP_MAX_STREAMS;
}

/* NULL: it is none, or none of ours. */
static guint *
number_of (GstRtpCcBin * self, guint id)
{
  guint *numbers[] = {
    [PROP_MAX_LATENCY] = &self->max_latency,[PROP_PROTECTION] = &self->protection,
    [PROP_MIN_BITRATE] = &self->min_bps,[PROP_MAX_BITRATE] = &self->max_bps,
    [PROP_START_BITRATE] = &self->start_bps,[PROP_STATS] = NULL,
  };

  return id < G_N_ELEMENTS (numbers) ? numbers[id] : NULL;
}

/* rtpbin cannot be asked for it, as it holds its lock while it asks for elements. */
static void
set_retransmit (GstRtpCcBin * self, gboolean on)
{
  self->retransmit = on;
  if (self->rtpbin)
    g_object_set (self->rtpbin, "do-retransmission", on, NULL);
}

/* The decoder of parity waits for what the jitterbuffer says of losses. */
static void
tell_of_losses (GstRtpCcBin * self)
{
  if (self->rtpbin && (self->protection > 0 || self->probe_protection))
    g_object_set (self->rtpbin, "do-lost", TRUE, NULL);
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (object);

  if (is_of_rtpbin (id)) {
    if (self->rtpbin)
      g_object_set_property (G_OBJECT (self->rtpbin), pspec->name, value);
    return;
  }
  if (id == PROP_CONTROLLER)
    self->controller = g_value_get_enum (value);
  else if (id == PROP_FEEDBACK)
    self->feedback = g_value_get_enum (value);
  else if (id == PROP_BREAKER)
    self->breaker = g_value_get_boolean (value);
  else if (id == PROP_DO_RETRANSMISSION)
    set_retransmit (self, g_value_get_boolean (value));
  else if (id == PROP_PROBE_PROTECTION)
    self->probe_protection = g_value_get_boolean (value);
  else if (number_of (self, id))
    *number_of (self, id) = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  tell_of_losses (self);
  for (GList * l = self->sessions; l; l = l->next)
    set_limits (self, ((GstRtpCcBinSession *) l->data)->controller);
}

static GstStructure *
make_stats (GstRtpCcBin * self)
{
  const GstRtpCcBinWords words = { self->words.limit, or_slow (self, self->words.missing) };

  return gst_rtp_cc_bin_stats (self->sessions, &words);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcBin *self = GST_RTP_CC_BIN (object);

  if (is_of_rtpbin (id)) {
    if (self->rtpbin)
      g_object_get_property (G_OBJECT (self->rtpbin), pspec->name, value);
  } else if (id == PROP_CONTROLLER)
    g_value_set_enum (value, self->controller);
  else if (id == PROP_FEEDBACK)
    g_value_set_enum (value, self->feedback);
  else if (id == PROP_BREAKER)
    g_value_set_boolean (value, self->breaker);
  else if (id == PROP_DO_RETRANSMISSION)
    g_value_set_boolean (value, self->retransmit);
  else if (id == PROP_PROBE_PROTECTION)
    g_value_set_boolean (value, self->probe_protection);
  else if (number_of (self, id))
    g_value_set_uint (value, *number_of (self, id));
  else if (id == PROP_ESTIMATED_BITRATE)
    g_value_set_uint (value, gst_rtp_cc_bin_target (self->sessions));
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
  self->min_bps = GST_RTP_CC_BIN_MIN_BPS;
  self->max_bps = GST_RTP_CC_BIN_MAX_BPS;
  self->start_bps = GST_RTP_CC_BIN_START_BPS;
  self->max_latency = GST_RTP_CC_BIN_MAX_LATENCY;
  gst_rtp_cc_bin_words_init (&self->words);
  self->rtpbin = gst_element_factory_make ("rtpbin", "rtpbin");
  if (!self->rtpbin)
    return;
  /* AVP reports every 5 s. */
  g_object_set (self->rtpbin, "rtp-profile", GST_RTP_PROFILE_AVPF, "max-streams", MAX_STREAMS,
      NULL);
  gst_bin_add (GST_BIN (self), self->rtpbin);
  gst_rtp_cc_bin_guard_streams (self->rtpbin);
  gst_rtp_cc_bin_forward_init (GST_BIN (self), self->rtpbin);
  gst_rtp_cc_bin_parity_init (GST_ELEMENT (self), self->rtpbin);
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void
install_rtpbin_properties (GObjectClass * klass)
{
  gst_rtp_cc_bin_install_latency (klass, PROP_LATENCY, 200);
  gst_rtp_cc_bin_install_uint (klass, PROP_MAX_STREAMS, "max-streams", 0, MAX_STREAMS,
      "SSRCs that a session receives, the rest is dropped: each has a jitterbuffer with a thread");
  gst_rtp_cc_bin_install_enum (klass, PROP_RTP_PROFILE, "rtp-profile", GST_TYPE_RTP_PROFILE,
      GST_RTP_PROFILE_AVPF, "RTP profile of new sessions; without feedback (avp, savp) reports "
      "come every 5 s");
  gst_rtp_cc_bin_install_boolean (klass, PROP_DO_LOST, "do-lost", FALSE,
      "Send an event downstream when a packet is lost");
  gst_rtp_cc_bin_install_boolean (klass, PROP_DO_RETRANSMISSION,
      "do-retransmission", FALSE,
      "Ask for lost packets again (NACK), and send again what the other end asks for (RFC "
      "4588), within the rate; of pads that are requested from now on");
  gst_rtp_cc_bin_parity_install (klass, PROP_PROTECTION);
  gst_rtp_cc_bin_install_boolean (klass, PROP_NTP_SYNC, "ntp-sync", FALSE,
      "Synchronize received streams to the NTP clock");
  g_object_class_install_property (klass, PROP_SDES, g_param_spec_boxed ("sdes",
          "SDES", "Source description items of the sessions",
          GST_TYPE_STRUCTURE, FLAGS));
}

static void
install_properties (GObjectClass * klass)
{
  gst_rtp_cc_bin_install_enum (klass, PROP_CONTROLLER, "controller",
      gst_rtp_cc_bin_controller_get_type (), 0,
      "Who decides how fast sessions may send that are opened from now on");
  gst_rtp_cc_bin_install_enum (klass, PROP_FEEDBACK, "feedback",
      gst_rtp_cc_bin_feedback_get_type (), 0,
      "What sessions that are opened from now on tell the sender");
  gst_rtp_cc_bin_install_boolean (klass, PROP_BREAKER, "breaker", TRUE,
      "Whether a circuit breaker (RFC 8083) guards sessions that are opened from now on");
  gst_rtp_cc_bin_install_rates (klass, PROP_MIN_BITRATE,
      "Rate until the first feedback; takes effect in READY (bit/s)");
  gst_rtp_cc_bin_install_estimate (klass, PROP_ESTIMATED_BITRATE);
  gst_rtp_cc_bin_install_stats (klass, PROP_STATS,
      "The whole call: target-bitrate (bit/s), limit and missing in words, and sessions: the "
      "stats of each one's controller, breaker, receiver, repair and rtpsession (rtp)");
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
  gst_rtp_cc_bin_repair_class_init (G_TYPE_FROM_CLASS (klass));
  gst_rtp_cc_bin_parity_class_init (G_TYPE_FROM_CLASS (klass));
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class,
      "RTP bin with congestion control", "Filter/Network/RTP/Bin",
      "An rtpbin whose calls adapt to the network", "The gst-rtpcc maintainers");
}
