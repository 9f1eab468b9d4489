/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/splice.h"

#include <stdio.h>

#include "rtpcc/bin/adapters.h"
#include "rtpcc/bin/controllers.h"
#include "rtpcc/bin/lead.h"
#include "rtpcc/bin/regular.h"
#include "rtpcc/bin/rtxwait.h"
#include "rtpcc/bin/upstream.h"

#define TARGET_EVENT "GstRtpTargetBitrate"

typedef struct
{
  const gchar *role;            /* "controller", "breaker" or "receiver" */
  gint session;                 /* -1: webrtcbin does not say */
  GWeakRef element;
} Part;

struct _GstRtpCcSplice
{
  gint references;              /* atomic: closures and the owner */
  GWeakRef bin, rtpbin;
  void (*changed) (GstElement * controller, gpointer owner);

  GWeakRef owner;

  GMutex lock;                  /* what follows */
  gboolean free;                /* nothing is given any more */
  GstRtpCcSpliceConfig config;
  GPtrArray *parts;             /* of Part */
  GstRtpCcAdapters *adapters;   /* has a lock of its own */
};

static void
free_part (gpointer data)
{
  g_weak_ref_clear (&((Part *) data)->element);
  g_free (data);
}

static void
let_go (gpointer data, GClosure * closure)
{
  GstRtpCcSplice *s = data;

  if (!g_atomic_int_dec_and_test (&s->references))
    return;
  gst_rtp_cc_adapters_free (s->adapters);
  g_ptr_array_unref (s->parts);
  g_weak_ref_clear (&s->bin);
  g_weak_ref_clear (&s->rtpbin);
  g_weak_ref_clear (&s->owner);
  g_mutex_clear (&s->lock);
  g_free (s);
}

static GstRtpCcSplice *
hold (GstRtpCcSplice * s)
{
  g_atomic_int_inc (&s->references);
  return s;
}

/* --- parts ---------------------------------------------------------------- */

static void
add_part (GstRtpCcSplice * s, const gchar * role, gint session,
    GstElement * element)
{
  Part *part = g_new0 (Part, 1);

  part->role = role;
  part->session = session;
  g_weak_ref_init (&part->element, element);
  g_mutex_lock (&s->lock);
  g_ptr_array_add (s->parts, part);
  g_mutex_unlock (&s->lock);
}

/* Of those that are there, with a reference; NULL: none. */
static GstElement *
find_part (GstRtpCcSplice * s, const gchar * role, gint session)
{
  GstElement *found = NULL;

  g_mutex_lock (&s->lock);
  for (guint i = 0; !found && i < s->parts->len; i++) {
    Part *part = g_ptr_array_index (s->parts, i);

    if (part->session == session && part->role == role)
      found = g_weak_ref_get (&part->element);
  }
  g_mutex_unlock (&s->lock);
  return found;
}

static gboolean
get_config (GstRtpCcSplice * s, GstRtpCcSpliceConfig * config)
{
  gboolean alive;

  g_mutex_lock (&s->lock);
  *config = s->config;
  alive = !s->free;
  g_mutex_unlock (&s->lock);
  return alive;
}

static void
set_limits (GstElement * controller, const GstRtpCcSpliceConfig * config)
{
  g_object_set (controller, "min-bitrate", config->min_bps, "max-bitrate",
      config->max_bps, "start-bitrate", config->start_bps, NULL);
}

/* --- what a controller says ----------------------------------------------- */

static void
on_estimate (GstElement * controller, GParamSpec * pspec, GstRtpCcSplice * s)
{
  gpointer owner = g_weak_ref_get (&s->owner);

  if (!owner)
    return;
  s->changed (controller, owner);
  gst_object_unref (owner);
}

/* --- encoders ------------------------------------------------------------- */

/* Upstream of a controller: who has put no rtpbitrateadapter behind an encoder has one beside
 * it. */
static GstPadProbeReturn
on_target (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcSplice *s = data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstElement *controller;

  if (!gst_event_has_name (event, TARGET_EVENT))
    return GST_PAD_PROBE_OK;
  /* what limits the rate may have changed, and the rate not */
  if ((controller = gst_pad_get_parent_element (pad)))
    on_estimate (controller, NULL, s);
  gst_clear_object (&controller);
  gst_rtp_cc_adapters_tell (s->adapters, pad, event);
  return GST_PAD_PROBE_OK;
}

/* --- header extensions ---------------------------------------------------- */

/* That caps which come into @bin give abs-send-time; 0: none of them. Asked are the peers: a sink
 * pad keeps caps when they were handled, and they may be on their way. */
static guint
find_send_time_id (GstElement * bin)
{
  guint id = 0;

  GST_OBJECT_LOCK (bin);
  for (GList * l = bin->sinkpads; l && id == 0; l = l->next) {
    GstPad *peer = gst_pad_get_peer (l->data);
    GstCaps *caps = peer ? gst_pad_get_current_caps (peer) : NULL;

    id = gst_rtp_cc_bin_extension_id (caps, GST_RTP_CC_BIN_ABS_SEND_TIME);
    gst_clear_caps (&caps);
    gst_clear_object (&peer);
  }
  GST_OBJECT_UNLOCK (bin);
  return id;
}

/* Whether @caps themselves say what @id is. */
static gboolean
names (GstCaps * caps, guint id)
{
  g_autofree gchar *field = g_strdup_printf ("extmap-%u", id);

  return gst_structure_has_field (gst_caps_get_structure (caps, 0), field);
}

/* To a controller. The caps of a bundle do not name the ids (rtpfunnel), and to find one from the
 * packets takes a second: until then the pacer's queue looks to the receiver like the network's. */
static GstPadProbeReturn
on_caps (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstRtpCcSplice *s = data;
  GstElement *bin, *controller;
  GstCaps *caps;
  guint id;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_CAPS
      || !(bin = g_weak_ref_get (&s->bin)))
    return GST_PAD_PROBE_OK;
  id = find_send_time_id (bin);
  gst_object_unref (bin);
  controller = gst_pad_get_parent_element (pad);
  gst_event_parse_caps (GST_PAD_PROBE_INFO_EVENT (info), &caps);
  if (controller && id > 0 && !names (caps, id) && g_object_class_find_property
      (G_OBJECT_GET_CLASS (controller), "abs-send-time-id"))
    g_object_set (controller, "abs-send-time-id", id, NULL);
  gst_clear_object (&controller);
  return GST_PAD_PROBE_OK;
}

/* --- what is asked for ---------------------------------------------------- */

static void
let_probe_go (gpointer data)
{
  let_go (data, NULL);
}

/* Floating. */
static GstElement *
make_controller (GstRtpCcSplice * s, gint session)
{
  GstRtpCcSpliceConfig config;
  const gchar *factory;
  GstElement *controller;
  GstPad *sink;

  if (!get_config (s, &config))
    return NULL;
  controller = gst_rtp_cc_bin_controller_make (config.controller, &factory);
  if (!controller)
    return NULL;
  set_limits (controller, &config);
  g_signal_connect_data (controller, "notify::estimated-bitrate",
      G_CALLBACK (on_estimate), hold (s), let_go, 0);
  sink = gst_element_get_static_pad (controller, "sink");
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_target,
      hold (s), let_probe_go);
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_caps,
      hold (s), let_probe_go);
  gst_object_unref (sink);
  add_part (s, "controller", session, controller);
  return controller;
}

/* webrtcbin puts it in front of the session behind its own rtprtxsend. */
static GstElement *
on_webrtc_aux_sender (GstElement * webrtcbin, GObject * transport,
    GstRtpCcSplice * s)
{
  return make_controller (s, -1);
}

/* Asked for the pads that rtpbin takes for always there. */
static void
give_pad (GstElement * element, const gchar * format, guint session)
{
  g_autofree gchar *name = g_strdup_printf (format, session);
  GstPad *pad = gst_element_request_pad_simple (element, name);

  gst_clear_object (&pad);
}

static GstElement *
on_aux_sender (GstElement * rtpbin, guint session, GstRtpCcSplice * s)
{
  GstElement *controller = make_controller (s, (gint) session);

  if (controller)
    give_pad (controller, "sink_%u", session);
  return controller;
}

static GstElement *
on_rtp_encoder (GstElement * rtpbin, guint session, GstRtpCcSplice * s)
{
  GstRtpCcSpliceConfig config;
  GstElement *breaker;

  if (!get_config (s, &config) || !config.breaker)
    return NULL;
  breaker = gst_element_factory_make ("rtpcircuitbreaker", NULL);
  give_pad (breaker, "rtp_sink_%u", session);
  add_part (s, "breaker", (gint) session, breaker);
  return breaker;
}

/* The same one is asked for twice: with RTP that comes, and RTCP that leaves. */
static GstElement *
receiver_of (GstRtpCcSplice * s, guint session)
{
  GstElement *receiver = find_part (s, "receiver", (gint) session);
  GstRtpCcSpliceConfig config;

  if (receiver || !get_config (s, &config) || !config.receiver)
    return receiver;
  receiver = gst_object_ref_sink (gst_element_factory_make ("rtpgccreceiver",
          NULL));
  gst_util_set_object_arg (G_OBJECT (receiver), "feedback-format", "auto");
  give_pad (receiver, "rtp_sink", 0);
  give_pad (receiver, "rtcp_sink_%u", session);
  add_part (s, "receiver", (gint) session, receiver);
  return receiver;
}

static GstElement *
on_receiver (GstElement * rtpbin, guint session, GstRtpCcSplice * s)
{
  return receiver_of (s, session);
}

/* RTCP leaves behind the session, where a receiver stands that is in front of it, too: a cycle, of
 * which GStreamer would warn. */
static void
on_pad_added (GstElement * rtpbin, GstPad * pad, GstRtpCcSplice * s)
{
  g_autofree gchar *name = NULL;
  GstElement *receiver;
  GstPad *sink;
  guint session;

  if (sscanf (GST_PAD_NAME (pad), "send_rtcp_src_%u", &session) != 1
      || !(receiver = find_part (s, "receiver", (gint) session)))
    return;
  name = g_strdup_printf ("rtcp_sink_%u", session);
  sink = gst_element_get_static_pad (receiver, name);
  if (sink)
    gst_rtp_cc_lead (sink);
  gst_clear_object (&sink);
  gst_object_unref (receiver);
}

/* rtpbin is locked, so the session is asked itself. */
static void
on_element_added (GstBin * rtpbin, GstElement * element, GstRtpCcSplice * s)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  GObject *session;

  if (!factory || !g_str_equal (GST_OBJECT_NAME (factory), "rtpsession"))
    return;
  g_object_get (element, "internal-session", &session, NULL);
  gst_rtp_cc_bin_keep_regular (session);
  g_object_unref (session);
}

static void
on_jitterbuffer (GstElement * rtpbin, GstElement * jitterbuffer, guint session, guint ssrc,
    GstRtpCcSplice * s)
{
  GstRtpCcSpliceConfig config;

  if (get_config (s, &config) && config.max_latency > 0)
    gst_rtp_cc_bin_rtx_wait (jitterbuffer, config.max_latency);
}

/* --- the bin -------------------------------------------------------------- */

static gboolean
is_a (gpointer object, const gchar * type)
{
  const GType wanted = g_type_from_name (type);

  return wanted && g_type_is_a (G_OBJECT_TYPE (object), wanted);
}

static void
connect_to (GstRtpCcSplice * s, GstElement * element, const gchar * signal,
    GCallback callback)
{
  /* after: whoever else answers has his reasons, such as SRTP */
  g_signal_connect_data (element, signal, callback, hold (s), let_go,
      G_CONNECT_AFTER);
}

static GstElement *
rtpbin_of (GstElement * bin)
{
  return is_a (bin, "GstRtpBin") ? gst_object_ref (bin) : GST_IS_BIN (bin)
      ? gst_bin_get_by_name (GST_BIN (bin), "rtpbin") : NULL;
}

GstRtpCcSplice *
gst_rtp_cc_splice_new (GstElement * bin, const GstRtpCcSpliceConfig * config,
    void (*changed) (GstElement * controller, gpointer owner), gpointer owner)
{
  GstElement *rtpbin = rtpbin_of (bin);
  GstRtpCcSplice *s;

  if (!rtpbin)
    return NULL;
  s = g_new0 (GstRtpCcSplice, 1);
  s->references = 1;
  g_mutex_init (&s->lock);
  g_weak_ref_init (&s->bin, bin);
  g_weak_ref_init (&s->rtpbin, rtpbin);
  s->changed = changed;
  g_weak_ref_init (&s->owner, owner);
  s->config = *config;
  s->parts = g_ptr_array_new_with_free_func (free_part);
  s->adapters = gst_rtp_cc_adapters_new ();
  if (is_a (bin, "GstWebRTCBin"))
    connect_to (s, bin, "request-aux-sender",
        G_CALLBACK (on_webrtc_aux_sender));
  else
    connect_to (s, rtpbin, "request-aux-sender", G_CALLBACK (on_aux_sender));
  connect_to (s, rtpbin, "request-rtp-encoder", G_CALLBACK (on_rtp_encoder));
  connect_to (s, rtpbin, "request-rtp-decoder", G_CALLBACK (on_receiver));
  connect_to (s, rtpbin, "request-rtcp-encoder", G_CALLBACK (on_receiver));
  connect_to (s, rtpbin, "pad-added", G_CALLBACK (on_pad_added));
  connect_to (s, rtpbin, "element-added", G_CALLBACK (on_element_added));
  connect_to (s, rtpbin, "new-jitterbuffer", G_CALLBACK (on_jitterbuffer));
  gst_object_unref (rtpbin);
  return s;
}

static void
disconnect (GstRtpCcSplice * s, GWeakRef * from)
{
  GstElement *element = g_weak_ref_get (from);

  if (!element)
    return;
  g_signal_handlers_disconnect_by_data (element, s);
  gst_object_unref (element);
}

void
gst_rtp_cc_splice_free (GstRtpCcSplice * s)
{
  g_mutex_lock (&s->lock);
  s->free = TRUE;
  g_mutex_unlock (&s->lock);
  disconnect (s, &s->bin);
  disconnect (s, &s->rtpbin);
  let_go (s, NULL);
}

static void
limit (const gchar * role, GstElement * element, gpointer config)
{
  if (g_str_equal (role, "controller"))
    set_limits (element, config);
}

void
gst_rtp_cc_splice_configure (GstRtpCcSplice * s,
    const GstRtpCcSpliceConfig * config)
{
  g_mutex_lock (&s->lock);
  s->config = *config;
  g_mutex_unlock (&s->lock);
  gst_rtp_cc_splice_foreach (s, limit, (gpointer) config);
}

gboolean
gst_rtp_cc_splice_is_late (GstRtpCcSplice * s)
{
  GstElement *rtpbin = g_weak_ref_get (&s->rtpbin);
  gboolean late = FALSE;

  if (!rtpbin)
    return FALSE;
  GST_OBJECT_LOCK (rtpbin);
  for (GList * l = rtpbin->sinkpads; l; l = l->next)
    late |= g_str_has_prefix (GST_PAD_NAME (l->data), "send_rtp_sink_")
        || g_str_has_prefix (GST_PAD_NAME (l->data), "recv_rtp_sink_");
  GST_OBJECT_UNLOCK (rtpbin);
  gst_object_unref (rtpbin);
  return late;
}

void
gst_rtp_cc_splice_foreach (GstRtpCcSplice * s,
    void (*each) (const gchar * role, GstElement * element, gpointer data),
    gpointer data)
{
  g_autoptr (GPtrArray) elements =
      g_ptr_array_new_with_free_func (gst_object_unref);
  g_autoptr (GPtrArray) roles = g_ptr_array_new ();

  g_mutex_lock (&s->lock);
  for (guint i = 0; i < s->parts->len; i++) {
    Part *part = g_ptr_array_index (s->parts, i);
    GstElement *element = g_weak_ref_get (&part->element);

    if (!element)
      continue;
    g_ptr_array_add (elements, element);
    g_ptr_array_add (roles, (gpointer) part->role);
  }
  g_mutex_unlock (&s->lock);
  for (guint i = 0; i < elements->len; i++)
    each (g_ptr_array_index (roles, i), g_ptr_array_index (elements, i), data);
}
