/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/pads.h"

#include <string.h>

GstPad *
gst_rtp_cc_pad_mate (GstPad * pad)
{
  return g_object_get_data (G_OBJECT (pad), "rtpcc-mate");
}

GstIterator *
gst_rtp_cc_only_link (GstPad * pad)
{
  GValue value = G_VALUE_INIT;
  GstIterator *it;

  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, pad);
  it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return it;
}

static GstIterator *
internal_links (GstPad * pad, GstObject * parent)
{
  GstPad *mate = gst_rtp_cc_pad_mate (pad);

  return mate ? gst_rtp_cc_only_link (mate) : NULL;
}

void
gst_rtp_cc_add_pad_pair (GstElement * element, GstPad * sink, GstPad * src)
{
  g_object_set_data (G_OBJECT (sink), "rtpcc-mate", src);
  g_object_set_data (G_OBJECT (src), "rtpcc-mate", sink);
  gst_pad_set_iterate_internal_links_function (sink, internal_links);
  gst_pad_set_iterate_internal_links_function (src, internal_links);
  GST_PAD_SET_PROXY_CAPS (sink);
  GST_PAD_SET_PROXY_ALLOCATION (sink);
  gst_element_add_pad (element, src);
  gst_element_add_pad (element, sink);
}

/* The name of the source pad, or its template's, beside a sink's. */
static gchar *
source_name (const gchar * name)
{
  const gchar *sink = strstr (name, "sink");

  return g_strdup_printf ("%.*ssrc%s", (int) (sink - name), name, sink + 4);
}

/* What @wanted means by @pattern; NULL: nothing. */
static gchar *
sink_name (const gchar * pattern, const gchar * wanted)
{
  const gchar *number = strchr (pattern, '%');
  const gsize prefix = number ? (gsize) (number - pattern) : strlen (pattern);

  if (!wanted || g_str_equal (wanted, pattern))
    return g_strdup_printf ("%.*s%s", (int) prefix, pattern, number ? "0" : "");
  if (strncmp (wanted, pattern, prefix) != 0
      || strspn (wanted + prefix, "0123456789") != strlen (wanted + prefix)
      || (number != NULL) != (wanted[prefix] != '\0'))
    return NULL;
  return g_strdup (wanted);
}

gboolean
gst_rtp_cc_claim_pad_pair (GstElement * element, GstPadTemplate * templ,
    const gchar * wanted, GstPad ** place, GstPad ** sink, GstPad ** src)
{
  const gchar *pattern = GST_PAD_TEMPLATE_NAME_TEMPLATE (templ);
  g_autofree gchar *name = sink_name (pattern, wanted);
  g_autofree gchar *src_name = NULL, *src_pattern = NULL;
  gboolean is_free;

  if (!name)
    return FALSE;
  src_name = source_name (name);
  src_pattern = source_name (pattern);
  *sink = gst_pad_new_from_template (templ, name);
  *src = gst_pad_new_from_template (gst_element_get_pad_template (element,
          src_pattern), src_name);
  GST_OBJECT_LOCK (element);
  is_free = *place == NULL;
  if (is_free)
    *place = *sink;
  GST_OBJECT_UNLOCK (element);
  if (is_free)
    return TRUE;
  gst_object_unref (*sink);
  gst_object_unref (*src);
  return FALSE;
}

void
gst_rtp_cc_open_pad_pair (GstElement * element, GstPad * sink, GstPad * src)
{
  gst_pad_set_active (src, TRUE);
  gst_pad_set_active (sink, TRUE);
  gst_rtp_cc_add_pad_pair (element, sink, src);
}

void
gst_rtp_cc_close_pad_pair (GstElement * element, GstPad ** place, GstPad * sink)
{
  GstPad *src = gst_rtp_cc_pad_mate (sink);
  gboolean is_there;

  GST_OBJECT_LOCK (element);
  is_there = *place == sink;
  GST_OBJECT_UNLOCK (element);
  if (!is_there)
    return;
  gst_pad_set_active (sink, FALSE);
  gst_pad_set_active (src, FALSE);
  gst_object_ref (sink);        /* until its place is free: no other pad is this one */
  gst_element_remove_pad (element, src);
  gst_element_remove_pad (element, sink);
  GST_OBJECT_LOCK (element);
  *place = NULL;
  GST_OBJECT_UNLOCK (element);
  gst_object_unref (sink);
}

/* --- other names ---------------------------------------------------------- */

#define OWN_NAME "rtpcc-own-name"

static void
rename_pad (GstElement * element, GstPad * pad, const gchar * name,
    GstPadTemplate * templ)
{
  gst_object_ref (pad);
  gst_element_remove_pad (element, pad);
  gst_object_set_name (GST_OBJECT (pad), name);
  g_object_set (pad, "template", templ, NULL);
  gst_element_add_pad (element, pad);
  gst_object_unref (pad);
}

GstPad *
gst_rtp_cc_rename_pads (GstElement * element, const gchar * sink,
    GstPadTemplate * templ, const gchar * wanted)
{
  const gchar *pattern = GST_PAD_TEMPLATE_NAME_TEMPLATE (templ);
  g_autofree gchar *name = sink_name (pattern, wanted);
  g_autofree gchar *src_name = NULL, *src_pattern = NULL;
  GstPad *pad = gst_element_get_static_pad (element, sink), *mate;

  if (!pad)
    return NULL;
  mate = gst_rtp_cc_pad_mate (pad);
  gst_object_unref (pad);       /* the element has it */
  if (!name || gst_pad_is_linked (pad) || gst_pad_is_linked (mate))
    return NULL;
  src_name = source_name (name);
  src_pattern = source_name (pattern);
  g_object_set_data_full (G_OBJECT (pad), OWN_NAME, g_strdup (sink), g_free);
  rename_pad (element, mate, src_name, gst_element_get_pad_template (element,
          src_pattern));
  rename_pad (element, pad, name, templ);
  return pad;
}

gboolean
gst_rtp_cc_rename_back (GstElement * element, GstPad * pad)
{
  g_autofree gchar *name = g_object_steal_data (G_OBJECT (pad), OWN_NAME);
  g_autofree gchar *src_name = NULL;
  GstPad *mate = gst_rtp_cc_pad_mate (pad);

  if (!name)
    return FALSE;
  src_name = source_name (name);
  if (gst_object_has_as_parent (GST_OBJECT (mate), GST_OBJECT (element)))
    rename_pad (element, mate, src_name, gst_element_get_pad_template (element,
            src_name));
  rename_pad (element, pad, name, gst_element_get_pad_template (element, name));
  return TRUE;
}
