/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/srtp.h"

#include <gst/rtp/rtp.h>

#define KEY_BYTES 30            /* 16 of the key, 14 of the salt (RFC 4568 section 6.1) */

/* --- the key -------------------------------------------------------------- */

void
gst_rtp_cc_bin_srtp_set_key (GstRtpCcBinSrtp * s, const gchar * text)
{
  g_free (s->text);
  s->text = text && *text ? g_strdup (text) : NULL;
}

void
gst_rtp_cc_bin_srtp_clear (GstRtpCcBinSrtp * s)
{
  g_clear_pointer (&s->text, g_free);
  gst_clear_buffer (&s->key);
}

static gboolean
decode (GstRtpCcBinSrtp * s, GError ** error)
{
  gsize size = 0;
  guchar *bytes;

  gst_clear_buffer (&s->key);
  if (!s->text)
    return TRUE;
  bytes = g_base64_decode (s->text, &size);
  if (size == KEY_BYTES && strlen (s->text) == KEY_BYTES / 3 * 4) {
    s->key = gst_buffer_new_wrapped (bytes, size);
    return TRUE;
  }
  g_free (bytes);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "The key is not %u bytes in base64 (%u characters): draw one for both ends "
      "with: head -c%u /dev/urandom | base64", KEY_BYTES, KEY_BYTES / 3 * 4,
      KEY_BYTES);
  return FALSE;
}

/* --- copies --------------------------------------------------------------- */

/* What leaves twice under one number ends the call: srtpenc takes it for an error, as another
 * payload under that number would tell both (RFC 3711 section 9.1).  So copies stay here. */
#define REMEMBERED 64

typedef struct
{
  guint16 highest;
  guint64 sent;                 /* bit i: highest - i has left */
} Window;

static gboolean
is_copy (GHashTable * windows, GstBuffer * buffer)
{
  guint8 header[12];
  gpointer ssrc;
  Window *w;
  gint16 by;

  if (gst_buffer_extract (buffer, 0, header, sizeof header) < sizeof header)
    return FALSE;
  ssrc = GUINT_TO_POINTER (GST_READ_UINT32_BE (header + 8));
  w = g_hash_table_lookup (windows, ssrc);
  if (!w) {
    w = g_new0 (Window, 1);
    w->highest = GST_READ_UINT16_BE (header + 2) - 1;
    g_hash_table_insert (windows, ssrc, w);
  }
  by = (gint16) (GST_READ_UINT16_BE (header + 2) - w->highest);
  if (by > 0) {
    w->sent = (by < REMEMBERED ? w->sent << by : 0) | 1;
    w->highest += by;
  } else if (by > -REMEMBERED) {
    if (w->sent >> -by & 1)
      return TRUE;
    w->sent |= G_GUINT64_CONSTANT (1) << -by;
  } else {                      /* a new beginning */
    w->sent = 1;
    w->highest += by;
  }
  return FALSE;
}

static gboolean
drop_copy (GstBuffer ** buffer, guint i, gpointer windows)
{
  if (is_copy (windows, *buffer))
    gst_clear_buffer (buffer);
  return TRUE;
}

static GstPadProbeReturn
on_leaving (GstPad * pad, GstPadProbeInfo * info, gpointer windows)
{
  GstBufferList *list;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return is_copy (windows, GST_PAD_PROBE_INFO_BUFFER (info))
        ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
  list = gst_buffer_list_make_writable (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  gst_buffer_list_foreach (list, drop_copy, windows);
  GST_PAD_PROBE_INFO_DATA (info) = list;
  return gst_buffer_list_length (list) > 0 ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

/* --- the elements --------------------------------------------------------- */

static GstCaps *
on_request_key (GstElement * dec, guint ssrc, GstRtpCcBinSrtp * s)
{
  return gst_caps_new_simple ("application/x-srtp", "srtp-key",
      GST_TYPE_BUFFER, s->key, "srtp-cipher", G_TYPE_STRING, "aes-128-icm",
      "srtp-auth", G_TYPE_STRING, "hmac-sha1-80", "srtcp-cipher",
      G_TYPE_STRING, "aes-128-icm", "srtcp-auth", G_TYPE_STRING, "hmac-sha1-80",
      NULL);
}

static GstPadProbeReturn
on_read (GstPad * pad, GstPadProbeInfo * info, gpointer read)
{
  g_atomic_int_set ((gint *) read, TRUE);
  return GST_PAD_PROBE_OK;
}

static void
watch (GstRtpCcBinSrtp * s, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (s->dec, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_read, &s->read, NULL);
  gst_object_unref (pad);
}

static gboolean
make (GstRtpCcBinSrtp * s, GstBin * bin, GError ** error)
{
  s->enc = gst_element_factory_make ("srtpenc", "encoder");
  s->dec = gst_element_factory_make ("srtpdec", "decoder");
  if (!s->enc || !s->dec) {
    gst_clear_object (&s->enc);
    gst_clear_object (&s->dec);
    g_set_error_literal (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "There is no srtpenc or no srtpdec, which a key needs: install "
        "gstreamer1.0-plugins-bad.");
    return FALSE;
  }
  g_signal_connect (s->dec, "request-key", G_CALLBACK (on_request_key), s);
  gst_bin_add_many (bin, s->enc, s->dec, NULL);
  watch (s, "rtp_src");
  watch (s, "rtcp_src");
  return TRUE;
}

gboolean
gst_rtp_cc_bin_srtp_prepare (GstRtpCcBinSrtp * s, GstBin * bin, GError ** error)
{
  g_atomic_int_set (&s->arrived, 0);
  g_atomic_int_set (&s->said, FALSE);
  g_atomic_int_set (&s->read, FALSE);
  if (!decode (s, error) || (s->key && !s->enc && !make (s, bin, error)))
    return FALSE;
  if (s->key) {
    g_object_set (s->enc, "key", s->key, NULL);
    g_signal_emit_by_name (s->dec, "clear-keys");
  }
  return TRUE;
}

/* --- the links ------------------------------------------------------------ */

static void
let_go (GstElement * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);
  GstPad *peer = pad ? gst_pad_get_peer (pad) : NULL;

  if (peer && GST_PAD_IS_SRC (pad))
    gst_pad_unlink (pad, peer);
  else if (peer)
    gst_pad_unlink (peer, pad);
  gst_clear_object (&peer);
  gst_clear_object (&pad);
}

static void
splice (GstElement * from, const gchar * from_pad, GstElement * via,
    const gchar * sink, const gchar * src, GstElement * to,
    const gchar * to_pad)
{
  let_go (from, from_pad);
  let_go (to, to_pad);
  if (!via)
    gst_element_link_pads (from, from_pad, to, to_pad);
  else if (!gst_element_link_pads (from, from_pad, via, sink)
      || !gst_element_link_pads (via, src, to, to_pad))
    GST_ERROR_OBJECT (via, "%s does not link", sink);
}

/* Again at each start, as the encoder forgets. */
static void
keep_copies_back (GstRtpCcBinSrtp * s, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (s->enc, name);

  if (s->copies)
    gst_pad_remove_probe (pad, s->copies);
  s->copies = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_leaving,
      g_hash_table_new_full (NULL, NULL, NULL, g_free),
      (GDestroyNotify) g_hash_table_unref);
  gst_object_unref (pad);
}

void
gst_rtp_cc_bin_srtp_send (GstRtpCcBinSrtp * s, const gchar * kind,
    GstElement * from, const gchar * from_pad, GstElement * to,
    const gchar * to_pad)
{
  g_autofree gchar *sink = g_strconcat (kind, "_sink_0", NULL);
  g_autofree gchar *src = g_strconcat (kind, "_src_0", NULL);

  splice (from, from_pad, s->key ? s->enc : NULL, sink, src, to, to_pad);
  if (s->key && g_str_equal (kind, "rtp"))
    keep_copies_back (s, sink);
}

void
gst_rtp_cc_bin_srtp_receive (GstRtpCcBinSrtp * s, const gchar * kind,
    GstElement * from, const gchar * from_pad, GstElement * to,
    const gchar * to_pad)
{
  g_autofree gchar *sink = g_strconcat (kind, "_sink", NULL);
  g_autofree gchar *src = g_strconcat (kind, "_src", NULL);

  splice (from, from_pad, s->key ? s->dec : NULL, sink, src, to, to_pad);
}

/* --- what cannot be read -------------------------------------------------- */

static gboolean
is_plain (GstBuffer * packet)
{
  GstMapInfo map;
  gboolean plain = FALSE;

  if (gst_buffer_map (packet, &map, GST_MAP_READ)) {
    plain = gst_rtcp_buffer_validate_data_reduced (map.data, (guint) map.size);
    gst_buffer_unmap (packet, &map);
  }
  return plain;
}

/* RTP and RTCP are two threads' where they have a port each. So a packet is known to be unreadable
 * when its own thread has the next one: the decoder may hold those of the other still. */
static gboolean
is_unreadable (GstRtpCcBinSrtp * s, GstBuffer * packet, gboolean rtcp)
{
  const guint path = rtcp ? 2 : 1;

  if (s->key)
    return (g_atomic_int_or (&s->arrived, path) & path) != 0
        && !g_atomic_int_get (&s->read);
  /* without a key it is RTCP, which may be seconds apart: one is enough */
  if (is_plain (packet))
    g_atomic_int_set (&s->read, TRUE);
  return !g_atomic_int_get (&s->read);
}

void
gst_rtp_cc_bin_srtp_heard (GstRtpCcBinSrtp * s, GstElement * element,
    GstBuffer * packet, gboolean rtcp)
{
  if (g_atomic_int_get (&s->read) || (!s->key && !rtcp)
      || !is_unreadable (s, packet, rtcp)
      || !g_atomic_int_compare_and_exchange (&s->said, FALSE, TRUE))
    return;
  GST_ELEMENT_WARNING (element, STREAM, DECRYPT, ("%s", s->key
          ? "Nothing that comes can be decrypted: set the same key at both ends."
          : "RTCP comes that cannot be read: where the other end has a key, "
          "set the same key here."), (NULL));
}
