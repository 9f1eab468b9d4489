/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpccattach
 * @title: rtpccattach
 * @short_description: Congestion control for a webrtcbin or an rtpbin of somebody else's
 * @see_also: rtpccbin, rtpgccsender, rtpgccreceiver, rtpcircuitbreaker
 *
 * One call makes the calls of a webrtcbin adapt to the network, or those of an rtpbin that is
 * inside another element (webrtcsink, rtspsrc, gst-rtsp-server):
 *
 * |[<!-- language="C" -->
 *   g_object_set (gst_element_factory_make ("rtpccattach", NULL), "bin", webrtcbin, NULL);
 * ]|
 *
 * Sessions that are opened from then on have a controller and a circuit breaker where they send,
 * and a receiver that estimates and reports (REMB) where they receive and do not report
 * transport-wide numbers by themselves. Header extensions, clock rates and RTCP are found inside
 * the session. The video encoders upstream of a controller follow its target, without an
 * #rtpbitrateadapter; where one stands already it does that in its place. They share the target
 * (#rtpbitrateadapter says how). Audio has a part of it where a #rtpbitrateadapter with a
 * `max-bitrate` stands behind its encoder; else it comes on top.
 *
 * Jitterbuffers that ask for what was lost (NACK) wait longer while copies take longer than
 * they wait, up to `max-latency`. Each change is a message of type `LATENCY`.
 *
 * It has no pads, and need not be in a pipeline: messages are posted by the bin then. It
 * lives as long as the bin.
 *
 * webrtcbin writes no `goog-remb` into an SDP. The signal #GstRtpCcAttach::add-feedback adds it
 * to the text of an offer or an answer on its way to the peer; without, some peers send no REMB.
 *
 * The element message `GstRtpCcAttach` says in words what limits the rate (`limit`) and what is
 * missing (`missing`, else empty), with `target-bitrate`, when either changes. A profile without
 * feedback (AVP, SAVP) in an SDP is missing something, too. That of an rtpbin, its default, is
 * named where no feedback comes.
 *
 * docs/webrtc.md has examples in C and Python, and for webrtcsink.
 */
#include "rtpcc/bin/attach.h"

#include "rtpcc/bin/descriptions.h"
#include "rtpcc/bin/sdp.h"
#include "rtpcc/bin/splice.h"
#include "rtpcc/bin/controllers.h"
#include "rtpcc/bin/properties.h"
#include "rtpcc/bin/repair.h"
#include "rtpcc/bin/words.h"

struct _GstRtpCcAttach
{
  GstElement parent;

  GWeakRef bin;
  /* object lock */
  GstRtpCcSplice *splice;       /* NULL: there is no bin */
  GstRtpCcSpliceConfig config;
  GstRtpCcBinWords words;       /* as last posted */
  const gchar *profile;         /* what the SDP lacks; static */
};

enum
{
  PROP_BIN = 1,
  PROP_CONTROLLER,
  PROP_BREAKER,
  PROP_RECEIVER,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_START_BITRATE,
  PROP_MAX_LATENCY,
  PROP_ESTIMATED_BITRATE,
  PROP_STATS,
};

G_DEFINE_TYPE (GstRtpCcAttach, gst_rtp_cc_attach, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (rtpccattach, "rtpccattach", GST_RANK_NONE,
    GST_TYPE_RTP_CC_ATTACH);

/* --- what it says --------------------------------------------------------- */

static void
sum_target (const gchar * role, GstElement * element, gpointer sum)
{
  guint target;

  if (!g_str_equal (role, "controller"))
    return;
  g_object_get (element, "estimated-bitrate", &target, NULL);
  *(guint *) sum += target;
}

static guint
sum_targets (GstRtpCcAttach * self)
{
  guint sum = 0;

  if (self->splice)
    gst_rtp_cc_splice_foreach (self->splice, sum_target, &sum);
  return sum;
}

/* As ROLE, ROLE-1, ROLE-2: an array is out of reach for Python. */
static void
add_stats (const gchar * role, GstElement * element, gpointer data)
{
  GstStructure *to = data, *stats = NULL;
  g_autofree gchar *name = g_strdup (role);

  for (guint i = 1; gst_structure_has_field (to, name); i++) {
    g_free (name);
    name = g_strdup_printf ("%s-%u", role, i);
  }
  g_object_get (element, "stats", &stats, NULL);
  gst_structure_set (to, name, GST_TYPE_STRUCTURE, stats, NULL);
  gst_structure_free (stats);
}

static GstStructure *
make_stats (GstRtpCcAttach * self)
{
  GstStructure *stats = gst_structure_new ("application/x-rtp-cc-attach-stats",
      "target-bitrate", G_TYPE_UINT, sum_targets (self), "limit", G_TYPE_STRING,
      self->words.limit, "missing", G_TYPE_STRING, self->words.missing, NULL);
  g_autoptr (GstElement) bin = g_weak_ref_get (&self->bin);
  g_autoptr (GstStructure) repair = NULL;

  if (self->splice)
    gst_rtp_cc_splice_foreach (self->splice, add_stats, stats);
  if (self->splice && bin)
    repair = gst_rtp_cc_bin_repair_stats (NULL, bin, GST_RTP_CC_BIN_ALL);
  if (repair)
    gst_structure_set (stats, "repair", GST_TYPE_STRUCTURE, repair, NULL);
  return stats;
}

/* By the bin, where we are in no pipeline. */
static void
post (GstRtpCcAttach * self, GstStructure * s)
{
  GstMessage *message = gst_message_new_element (GST_OBJECT (self), s);
  GstElement *by = GST_OBJECT_PARENT (self) ?
      gst_object_ref (self) : g_weak_ref_get (&self->bin);

  if (by)
    gst_element_post_message (by, message);
  else
    gst_message_unref (message);
  gst_clear_object (&by);
}

static void
say (GstRtpCcAttach * self, GstRtpCcBinWords * now)
{
  GST_OBJECT_LOCK (self);
  if (!*now->missing)
    now->missing = self->profile;
  GST_OBJECT_UNLOCK (self);
  if (gst_rtp_cc_bin_words_change (&self->words, GST_OBJECT (self), now))
    post (self, gst_structure_new ("GstRtpCcAttach", "limit", G_TYPE_STRING,
            now->limit, "missing", G_TYPE_STRING, now->missing, "target-bitrate",
            G_TYPE_UINT, sum_targets (self), NULL));
}

/* @words: of the profile; the feedback that comes all the same says what else is missing. */
static void
note_profile (GstRtpCcAttach * self, const gchar * words)
{
  GstRtpCcBinWords now = { NULL, words };

  GST_OBJECT_LOCK (self);
  self->profile = words;
  GST_OBJECT_UNLOCK (self);
  if (*words)
    say (self, &now);
}

static void
on_descriptions (GstElement * bin, GParamSpec * pspec, GstRtpCcAttach * self)
{
  note_profile (self, gst_rtp_cc_bin_descriptions_words (bin));
}

/* A controller has another target. */
static void
controller_changed (GstElement * controller, gpointer owner)
{
  GstRtpCcAttach *self = owner;
  g_autoptr (GstElement) bin = g_weak_ref_get (&self->bin);
  g_autoptr (GstStructure) stats = NULL;
  GstRtpCcBinWords now;

  g_object_get (controller, "stats", &stats, NULL);
  now.limit = gst_rtp_cc_bin_limit_words (gst_structure_get_string (stats,
          "limited-by"));
  now.missing = gst_rtp_cc_bin_missing_words (stats, bin && gst_rtp_cc_bin_is_slow (bin));
  say (self, &now);
}

/* --- the object ----------------------------------------------------------- */

static void
detach (GstRtpCcAttach * self)
{
  g_clear_pointer (&self->splice, gst_rtp_cc_splice_free);
}

/* The bin has us from now on. */
static void
attach (GstRtpCcAttach * self, GstElement * bin)
{
  detach (self);
  g_weak_ref_set (&self->bin, bin);
  if (!bin)
    return;
  self->splice = gst_rtp_cc_splice_new (bin, &self->config, controller_changed, self);
  if (!self->splice)
    GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE,
        ("%s is no webrtcbin and no rtpbin, and has "
            "none inside: nothing adapts there.", GST_OBJECT_NAME (bin)),
        (NULL));
  else if (gst_rtp_cc_splice_is_late (self->splice))
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("%s has sessions already, which do not adapt: "
            "set \"bin\" before the first pad is requested, or description set.",
            GST_OBJECT_NAME (bin)), (NULL));
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (bin), "signaling-state"))
    g_signal_connect_object (bin, "notify::signaling-state", G_CALLBACK (on_descriptions), self, 0);
  g_object_set_data_full (G_OBJECT (bin), "rtpcc-attached",
      gst_object_ref_sink (self), gst_object_unref);
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpCcAttach *self = GST_RTP_CC_ATTACH (object);

  if (id == PROP_BIN)
    attach (self, g_value_get_object (value));
  else if (id == PROP_CONTROLLER)
    self->config.controller = g_value_get_enum (value);
  else if (id == PROP_BREAKER)
    self->config.breaker = g_value_get_boolean (value);
  else if (id == PROP_RECEIVER)
    self->config.receiver = g_value_get_boolean (value);
  else if (id == PROP_MIN_BITRATE)
    self->config.min_bps = g_value_get_uint (value);
  else if (id == PROP_MAX_BITRATE)
    self->config.max_bps = g_value_get_uint (value);
  else if (id == PROP_START_BITRATE)
    self->config.start_bps = g_value_get_uint (value);
  else if (id == PROP_MAX_LATENCY)
    self->config.max_latency = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  if (id != PROP_BIN && self->splice)
    gst_rtp_cc_splice_configure (self->splice, &self->config);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpCcAttach *self = GST_RTP_CC_ATTACH (object);

  if (id == PROP_BIN)
    g_value_take_object (value, g_weak_ref_get (&self->bin));
  else if (id == PROP_CONTROLLER)
    g_value_set_enum (value, self->config.controller);
  else if (id == PROP_BREAKER)
    g_value_set_boolean (value, self->config.breaker);
  else if (id == PROP_RECEIVER)
    g_value_set_boolean (value, self->config.receiver);
  else if (id == PROP_MIN_BITRATE)
    g_value_set_uint (value, self->config.min_bps);
  else if (id == PROP_MAX_BITRATE)
    g_value_set_uint (value, self->config.max_bps);
  else if (id == PROP_START_BITRATE)
    g_value_set_uint (value, self->config.start_bps);
  else if (id == PROP_MAX_LATENCY)
    g_value_set_uint (value, self->config.max_latency);
  else if (id == PROP_ESTIMATED_BITRATE)
    g_value_set_uint (value, sum_targets (self));
  else if (id == PROP_STATS)
    g_value_take_boxed (value, make_stats (self));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static gchar *
add_feedback (GstRtpCcAttach * self, const gchar * sdp)
{
  if (!sdp)
    return NULL;
  note_profile (self, gst_rtp_cc_bin_profile_words (sdp));
  return gst_rtp_cc_sdp_add_remb (sdp);
}

static void
finalize (GObject * object)
{
  GstRtpCcAttach *self = GST_RTP_CC_ATTACH (object);

  detach (self);
  g_weak_ref_clear (&self->bin);
  G_OBJECT_CLASS (gst_rtp_cc_attach_parent_class)->finalize (object);
}

static void
gst_rtp_cc_attach_init (GstRtpCcAttach * self)
{
  g_weak_ref_init (&self->bin, NULL);
  self->config = (GstRtpCcSpliceConfig) {
  0, TRUE, TRUE, GST_RTP_CC_BIN_MIN_BPS, GST_RTP_CC_BIN_MAX_BPS,
        GST_RTP_CC_BIN_START_BPS, GST_RTP_CC_BIN_MAX_LATENCY};
  gst_rtp_cc_bin_words_init (&self->words);
  self->profile = "";
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void
install_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_BIN, g_param_spec_object ("bin",
          "Bin",
          "The webrtcbin, or rtpbin, whose sessions are to adapt; before it has any. It "
          "keeps this element alive", GST_TYPE_ELEMENT, FLAGS));
  gst_rtp_cc_bin_install_enum (klass, PROP_CONTROLLER, "controller",
      gst_rtp_cc_bin_controller_get_type (), 0,
      "Who decides how fast sessions may send that are opened from now on");
  gst_rtp_cc_bin_install_boolean (klass, PROP_BREAKER, "breaker", TRUE,
      "Whether a circuit breaker (RFC 8083) guards sessions that are opened from now on");
  gst_rtp_cc_bin_install_boolean (klass, PROP_RECEIVER, "receiver", TRUE,
      "Whether sessions that are opened from now on estimate what comes and report it (REMB), "
      "where they do not report transport-wide numbers");
  gst_rtp_cc_bin_install_rates (klass, PROP_MIN_BITRATE,
      "Rate of sessions that are opened from now on, until the first feedback (bit/s)");
  gst_rtp_cc_bin_install_max_latency (klass, PROP_MAX_LATENCY);
  gst_rtp_cc_bin_install_estimate (klass, PROP_ESTIMATED_BITRATE);
  gst_rtp_cc_bin_install_stats (klass, PROP_STATS,
      "target-bitrate (bit/s), limit and missing in words, repair of all sessions, and the stats "
      "of each controller, breaker and receiver, by that name (a second one's with -1 behind)");
}

static void
gst_rtp_cc_attach_class_init (GstRtpCcAttachClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  install_properties (object_class);
  /**
   * GstRtpCcAttach::add-feedback:
   * @self: the element
   * @sdp: an offer or an answer that goes to the peer
   *
   * Action signal: @sdp with `a=rtcp-fb:PT goog-remb` for each codec of its video.
   *
   * Returns: the text to send in its place
   */
  g_signal_new_class_handler ("add-feedback", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (add_feedback), NULL,
      NULL, NULL, G_TYPE_STRING, 1, G_TYPE_STRING);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "Congestion control for a bin of somebody else's",
      "Generic/Network/RTP",
      "Makes the sessions of a webrtcbin or rtpbin adapt to the network",
      "The gst-rtpcc maintainers");
}
