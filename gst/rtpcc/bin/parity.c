/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/parity.h"

#include "rtpcc/bin/repair.h"
#include "rtpcc/bin/upstream.h"

/* What controllers take for fec-payload-type. */
#define PARITY_PT 122
/* How long the decoder can look back: the jitterbuffer's longest wait, and a block. */
#define KEPT (2 * GST_SECOND)

#define MOST 48                 /* that of the controllers: RFC 5109 section 7.4 */

void
gst_rtp_cc_bin_parity_install (GObjectClass * klass, guint id)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  g_object_class_install_property (klass, id, g_param_spec_uint ("protection", "Protection",
          "Media packets per packet of parity (RFC 5109, payload type 122) that is sent, within "
          "the rate; where not 0, parity that comes repairs video, of streams that begin from "
          "now on", 0, MOST, 0, flags));
  /**
   * GstRtpCcBin:probe-protection:
   *
   * Parity at no rate: the controller's probes carry it in place of padding, while protection is
   * 0. It is for both ends, as protection is; with rtpgccsender, others have no such probes.
   *
   * Since: 0.2
   */
  g_object_class_install_property (klass, id + 1, g_param_spec_boolean ("probe-protection",
          "Probe protection", "Probes are filled with parity in place of padding; parity that "
          "comes repairs video, of streams that begin from now on", FALSE, flags));
}

void
gst_rtp_cc_bin_parity_set (GstElement * controller, guint every, gboolean probes)
{
  GObjectClass *klass = controller ? G_OBJECT_GET_CLASS (controller) : NULL;

  if (klass && g_object_class_find_property (klass, "protection"))
    g_object_set (controller, "protection", every, NULL);
  if (klass && g_object_class_find_property (klass, "probe-protection"))
    g_object_set (controller, "probe-protection", probes, NULL);
}

static gboolean
is_wanted (GstElement * call)
{
  guint every;
  gboolean probes;

  g_object_get (call, "protection", &every, "probe-protection", &probes, NULL);
  return every > 0 || probes;
}

static gboolean
is_audio (GstElement * call, guint session, guint pt)
{
  GstCaps *caps = NULL;
  gboolean audio;

  g_signal_emit_by_name (call, "request-pt-map", session, pt, &caps);
  audio = caps && !gst_caps_is_empty (caps)
      && !g_strcmp0 (gst_structure_get_string (gst_caps_get_structure (caps, 0),
          "media"), "audio");
  gst_clear_caps (&caps);
  return audio;
}

static GstElement *
on_decoder (GstElement * call, guint session, guint ssrc, guint pt)
{
  GstElement *decoder;
  GObject *packets = NULL;

  if (!is_wanted (call) || pt == PARITY_PT || is_audio (call, session, pt)
      || !(decoder = gst_element_factory_make ("rtpulpfecdec", NULL)))
    return NULL;
  g_signal_emit_by_name (call, "get-internal-storage", session, &packets);
  g_object_set (decoder, "pt", PARITY_PT, "storage", packets, NULL);
  g_object_unref (packets);
  gst_rtp_cc_bin_repair_mark (decoder, session);
  return decoder;
}

/* The first packets are kept, too: the decoder comes when they leave the jitterbuffer. */
static void
on_storage (GstElement * call, GstElement * storage, guint session)
{
  if (is_wanted (call))
    g_object_set (storage, "size-time", (guint64) KEPT, NULL);
}

/* Where nobody else explains a type.  The jitterbuffer drops what has no clock rate. */
static GstCaps *
on_pt_map (GstElement * call, guint session, guint pt)
{
  if (pt != PARITY_PT || !is_wanted (call))
    return gst_rtp_cc_bin_repair_caps (call, session, pt);
  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING,
      "video", "encoding-name", G_TYPE_STRING, "ULPFEC", "clock-rate",
      G_TYPE_INT, 90000, "payload", G_TYPE_INT, PARITY_PT, NULL);
}

/* Parity is for the decoder, which finds it in the storage; behind the demuxer nobody waits for
 * it. */
static void
on_element (GstBin * rtpbin, GstBin * bin, GstElement * element,
    GstElement * call)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory && g_str_equal (GST_OBJECT_NAME (factory), "rtpptdemux")
      && is_wanted (call))
    gst_util_set_object_arg (G_OBJECT (element), "ignored-payload-types",
        "<" G_STRINGIFY (PARITY_PT) ">");
}

void
gst_rtp_cc_bin_parity_class_init (GType type)
{
  g_signal_override_class_handler ("request-fec-decoder-full", type,
      G_CALLBACK (on_decoder));
  g_signal_override_class_handler ("new-storage", type,
      G_CALLBACK (on_storage));
  g_signal_override_class_handler ("request-pt-map", type,
      G_CALLBACK (on_pt_map));
}

void
gst_rtp_cc_bin_parity_init (GstElement * call, GstElement * rtpbin)
{
  g_signal_connect (rtpbin, "deep-element-added", G_CALLBACK (on_element),
      call);
}
