/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/caps.h"

#include "rtpcc/common/utils.h"

static gboolean
is_own (const gchar * field)
{
  static const gchar *const own[] = {
    "ssrc", "payload", "timestamp-offset", "seqnum-offset", "seqnum-base",
    "clock-base", "mid", "rid", NULL
  };

  return g_strv_contains (own, field);
}

static const GstStructure *
first_of (const GstCaps * caps)
{
  return caps && !gst_caps_is_any (caps) && !gst_caps_is_empty (caps)
      ? gst_caps_get_structure (caps, 0) : NULL;
}

static gboolean
is_extension (const gchar * field)
{
  return gst_rtp_cc_extmap_id (field) != 0;
}

/* Whether @other says something else about the number or the URI of an extension. */
static gboolean
contradicts (const GstStructure * other, const gchar * field, const gchar * uri)
{
  for (gint i = 0; i < gst_structure_n_fields (other); i++) {
    const gchar *name = gst_structure_nth_field_name (other, (guint) i);
    const gchar *their =
        gst_rtp_cc_extmap_uri (gst_structure_get_value (other, name));

    if (is_extension (name)
        && g_str_equal (name, field) != (g_strcmp0 (their, uri) == 0))
      return TRUE;
  }
  return FALSE;
}

typedef struct
{
  GstCaps *const *caps;
  guint n;
  GstStructure *out;
  gboolean contradicted;
} Merge;

static gboolean
add_field (GQuark id, const GValue * value, gpointer user_data)
{
  const gchar *field = g_quark_to_string (id);
  Merge *m = user_data;
  const gboolean extension = is_extension (field);

  if (is_own (field) || gst_structure_id_has_field (m->out, id))
    return TRUE;
  for (guint i = 0; i < m->n; i++) {
    const GstStructure *s = first_of (m->caps[i]);
    const GValue *theirs;

    if (!s)
      continue;
    theirs = gst_structure_id_get_value (s, id);
    if (extension ? contradicts (s, field, gst_rtp_cc_extmap_uri (value))
        : !theirs || gst_value_compare (theirs, value) != GST_VALUE_EQUAL) {
      m->contradicted |= extension;
      return TRUE;
    }
  }
  gst_structure_id_set_value (m->out, id, value);
  return TRUE;
}

GstCaps *
gst_rtp_cc_mux_caps (GstCaps * const *caps, guint n, gboolean * contradicted)
{
  Merge m = { caps, n, NULL, FALSE };

  for (guint i = 0; i < n; i++) {
    const GstStructure *s = first_of (caps[i]);

    if (!s)
      continue;
    if (!m.out)
      m.out = gst_structure_new_empty (GST_RTP_CC_RTP_CAPS);
    gst_structure_foreach (s, add_field, &m);
  }
  *contradicted = m.contradicted;
  return m.out ? gst_caps_new_full (m.out, NULL) : NULL;
}

GstCaps *
gst_rtp_cc_mux_caps_upstream (const GstCaps * downstream)
{
  GstCaps *plain = gst_caps_new_empty_simple (GST_RTP_CC_RTP_CAPS);
  const GstStructure *s = first_of (downstream);
  GstStructure *extensions;

  if (!s)
    return plain;
  extensions = gst_structure_new_empty (GST_RTP_CC_RTP_CAPS);
  gst_rtp_cc_copy_extmap (s, extensions);
  if (gst_structure_n_fields (extensions) == 0) {
    gst_structure_free (extensions);
    return plain;
  }
  return gst_caps_merge (gst_caps_new_full (extensions, NULL), plain);
}
