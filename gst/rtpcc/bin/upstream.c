/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/upstream.h"

#include <string.h>

/* Dynamic payload types (RFC 3551 section 6) by encoding.  Ours: no document has such a
 * table.  96 is what payloaders take by themselves, and most often H.264's. */
static const struct
{
  guint pt;
  const gchar *media, *name;
  gint clock_rate;
} types[] = {
  {96, "video", "H264", 90000},
  {97, "audio", "OPUS", 48000},
  {98, "video", "VP8", 90000},
  {99, "video", "VP9", 90000},
  {100, "video", "H265", 90000},
  {101, "video", "AV1", 90000},
  {0, "audio", "PCMU", 8000},
  {8, "audio", "PCMA", 8000},
};

static GstStructure *
structure_of (guint i, guint pt)
{
  return gst_structure_new ("application/x-rtp", "media", G_TYPE_STRING,
      types[i].media, "encoding-name", G_TYPE_STRING, types[i].name,
      "clock-rate", G_TYPE_INT, types[i].clock_rate, "payload", G_TYPE_INT,
      (gint) pt, NULL);
}

static gboolean
is_dynamic (guint i)
{
  return types[i].pt >= 96;
}

/* RFC 4588 section 8.6. */
static GstCaps *
copies_of (guint i)
{
  g_autofree gchar *apt = g_strdup_printf ("%u", types[i].pt);

  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING,
      types[i].media, "encoding-name", G_TYPE_STRING, "RTX", "clock-rate",
      G_TYPE_INT, types[i].clock_rate, "payload", G_TYPE_INT,
      (gint) (types[i].pt + GST_RTP_CC_BIN_RTX_OFFSET), "apt", G_TYPE_STRING,
      apt, NULL);
}

GstStructure *
gst_rtp_cc_bin_rtx_map (void)
{
  GstStructure *map = gst_structure_new_empty ("application/x-rtp-pt-map");

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autofree gchar *name = g_strdup_printf ("%u", types[i].pt);

    if (is_dynamic (i))
      gst_structure_set (map, name, G_TYPE_UINT,
          types[i].pt + GST_RTP_CC_BIN_RTX_OFFSET, NULL);
  }
  return map;
}

guint
gst_rtp_cc_bin_original_of (guint pt)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (is_dynamic (i) && types[i].pt + GST_RTP_CC_BIN_RTX_OFFSET == pt)
      return types[i].pt;
  return 0;
}

GstCaps *
gst_rtp_cc_bin_caps_of (guint pt, const gchar * encoding_name)
{
  const gchar *name = pt == types[0].pt ? encoding_name : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (is_dynamic (i) && types[i].pt + GST_RTP_CC_BIN_RTX_OFFSET == pt)
      return copies_of (i);
  for (guint i = 0; !name && i < G_N_ELEMENTS (types); i++)
    if (types[i].pt == pt)
      return gst_caps_new_full (structure_of (i, pt), NULL);
  name = encoding_name;
  for (guint i = 0; name && i < G_N_ELEMENTS (types); i++)
    if (!g_ascii_strcasecmp (types[i].name, name))
      return gst_caps_new_full (structure_of (i, pt), NULL);
  return NULL;
}

#define EXTMAP "extmap-"

typedef struct
{
  const gchar *uri;
  guint id;
} Extension;

/* The value is the URI, or direction, URI and attributes. */
static gboolean
is_other (GQuark field, const GValue * value, gpointer data)
{
  const gchar *name = g_quark_to_string (field);
  Extension *wanted = data;

  if (!g_str_has_prefix (name, EXTMAP))
    return TRUE;
  if (GST_VALUE_HOLDS_ARRAY (value) && gst_value_array_get_size (value) > 1)
    value = gst_value_array_get_value (value, 1);
  if (!G_VALUE_HOLDS_STRING (value)
      || g_strcmp0 (g_value_get_string (value), wanted->uri))
    return TRUE;
  wanted->id = (guint) g_ascii_strtoull (name + strlen (EXTMAP), NULL, 10);
  return FALSE;
}

guint
gst_rtp_cc_bin_extension_id (const GstCaps * caps, const gchar * uri)
{
  Extension wanted = { uri, 0 };

  if (!caps || gst_caps_is_any (caps))
    return 0;
  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    if (!gst_structure_foreach (gst_caps_get_structure (caps, i), is_other,
            &wanted))
      break;
  return wanted.id;
}

/* --- offers --------------------------------------------------------------- */

static void
add_extension (GstCaps * caps, const GstCaps * filter, const gchar * field,
    const gchar * uri)
{
  gboolean taken = gst_rtp_cc_bin_extension_id (filter, uri) > 0
      || gst_rtp_cc_bin_extension_id (caps, uri) > 0;

  for (guint i = 0; filter && i < gst_caps_get_size (filter); i++)
    taken |= gst_structure_has_field (gst_caps_get_structure (filter, i),
        field);
  if (!taken)
    gst_caps_set_simple (caps, field, G_TYPE_STRING, uri, NULL);
}

static void
add_types (GstCaps * offer)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    gst_caps_append_structure (offer, structure_of (i, types[i].pt));
}

/* Edits the answer.  A payloader takes the first structure that fits it; who cannot write
 * the extensions finds what would have been the answer at the end. */
static GstPadProbeReturn
on_query (GstPad * pad, GstPadProbeInfo * info, gpointer with_types)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  GstCaps *filter, *answer, *offer, *both;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return GST_PAD_PROBE_OK;
  gst_query_parse_caps (query, &filter);
  gst_query_parse_caps_result (query, &answer);
  if (!answer || gst_caps_is_any (answer) || gst_caps_is_empty (answer)
      || (filter && gst_caps_is_any (filter)))
    return GST_PAD_PROBE_OK;
  offer = gst_caps_new_empty ();
  if (GPOINTER_TO_INT (with_types))
    add_types (offer);
  gst_caps_append_structure (offer,
      gst_structure_new_empty ("application/x-rtp"));
  add_extension (offer, filter, "extmap-3", GST_RTP_CC_BIN_ABS_SEND_TIME);
  add_extension (offer, filter, "extmap-5", GST_RTP_CC_BIN_TRANSPORT_WIDE);
  both = gst_caps_intersect_full (offer, answer, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (offer);
  offer = gst_caps_merge (both, gst_caps_ref (answer));
  if (filter) {
    answer = gst_caps_intersect_full (offer, filter, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (offer);
    offer = answer;
  }
  gst_query_set_caps_result (query, offer);
  gst_caps_unref (offer);
  return GST_PAD_PROBE_OK;
}

void
gst_rtp_cc_bin_offer (GstPad * pad, gboolean with_types)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM
      | GST_PAD_PROBE_TYPE_PULL, on_query, GINT_TO_POINTER (with_types), NULL);
}

/* --- the encoder ---------------------------------------------------------- */

static gboolean
has_klass (GstElement * element, const gchar * word)
{
  const gchar *klass = gst_element_class_get_metadata
      (GST_ELEMENT_GET_CLASS (element), GST_ELEMENT_METADATA_KLASS);

  return klass && strstr (klass, word);
}

static gboolean
is_adapter (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory && g_str_equal (GST_OBJECT_NAME (factory),
      "rtpbitrateadapter");
}

/* The element upstream of @pad, into and out of bins; NULL: none. */
static GstElement *
element_before (GstPad * pad)
{
  GstPad *peer = gst_pad_get_peer (pad);
  GstElement *element;

  /* a bin's edge is a pair of proxy pads */
  while (peer && GST_IS_PROXY_PAD (peer)) {
    GstProxyPad *other = gst_proxy_pad_get_internal (GST_PROXY_PAD (peer));

    gst_object_unref (peer);
    peer = other ? gst_pad_get_peer (GST_PAD (other)) : NULL;
    gst_clear_object (&other);
  }
  element = peer ? gst_pad_get_parent_element (peer) : NULL;
  gst_clear_object (&peer);
  return element;
}

#define MAX_HOPS 64             /* longer is a loop */

static void
collect (GstPad * sink, GPtrArray * found, guint hops)
{
  GstElement *element = hops > 0 ? element_before (sink) : NULL;
  GList *sinks = NULL;

  if (!element)
    return;
  if (has_klass (element, "Encoder")) {
    if (has_klass (element, "Video")
        && !g_ptr_array_find (found, element, NULL))
      g_ptr_array_add (found, gst_object_ref (element));
  } else if (!is_adapter (element)) {
    GST_OBJECT_LOCK (element);
    for (GList * l = element->sinkpads; l; l = l->next)
      sinks = g_list_prepend (sinks, gst_object_ref (l->data));
    GST_OBJECT_UNLOCK (element);
  }
  for (GList * l = sinks; l; l = l->next)
    collect (l->data, found, hops - 1);
  g_list_free_full (sinks, gst_object_unref);
  gst_object_unref (element);
}

GPtrArray *
gst_rtp_cc_bin_find_encoders (GstPad * sink)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);

  collect (sink, found, MAX_HOPS);
  return found;
}

/* Up through what has one sink pad. */
GstElement *
gst_rtp_cc_bin_find_encoder (GstPad * ghost)
{
  GstElement *element = element_before (ghost);

  while (element && !has_klass (element, "Encoder") && !is_adapter (element)) {
    GstElement *next = NULL;

    if (element->numsinkpads == 1)
      next = element_before (element->sinkpads->data);
    gst_object_unref (element);
    element = next;
  }
  if (element && (is_adapter (element) || !has_klass (element, "Video")))
    gst_clear_object (&element);
  return element;
}

GstElement *
gst_rtp_cc_bin_adapter_behind (GstPad * ghost)
{
  GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (ghost));
  GstElement *element = target ? gst_pad_get_parent_element (target) : NULL;

  if (element && !is_adapter (element))
    gst_clear_object (&element);
  gst_clear_object (&target);
  return element;
}

static void
insert (GstBin * bin, GstPad * ghost, GstElement * adapter)
{
  GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (ghost)), *pad;

  gst_bin_add (bin, adapter);
  pad = gst_element_get_static_pad (adapter, "sink");
  gst_ghost_pad_set_target (GST_GHOST_PAD (ghost), pad);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (adapter, "src");
  gst_pad_link (pad, target);
  gst_object_unref (pad);
  gst_object_unref (target);
  gst_element_sync_state_with_parent (adapter);
}

void
gst_rtp_cc_bin_adapt (GstBin * bin, GstPad * ghost)
{
  GstElement *encoder = gst_rtp_cc_bin_find_encoder (ghost), *adapter;

  if (!encoder)
    return;
  adapter = gst_rtp_cc_bin_adapter_behind (ghost);
  if (!adapter) {
    adapter = gst_object_ref_sink (gst_element_factory_make
        ("rtpbitrateadapter", NULL));
    insert (bin, ghost, adapter);
  }
  g_object_set (adapter, "encoder", encoder, NULL);
  gst_object_unref (adapter);
  gst_object_unref (encoder);
}
