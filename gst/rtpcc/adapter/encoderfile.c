/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/encoderfile.h"

#define UNIT_MOST 1000000       /* as of the property bitrate-unit */

static const gchar *
interned (GKeyFile *file, const gchar *group, const gchar *key)
{
  g_autofree gchar *text = g_key_file_get_string (file, group, key, NULL);

  return text && text[0] ? g_intern_string (text) : NULL;
}

static gboolean
read_group (GKeyFile *file, const gchar *group, GstRtpCcEncoder *row,
    GError **error)
{
  const gboolean has_unit = g_key_file_has_key (file, group, "unit", NULL);
  const gint unit = has_unit ? g_key_file_get_integer (file, group, "unit", NULL) : 1;

  row->factory = g_intern_string (group);
  row->property = interned (file, group, "property");
  row->vbv_property = interned (file, group, "vbv-property");
  row->note = NULL;
  row->unit = (guint) unit;
  if (!row->property)
    g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND,
        "[%s] lacks its property: name the one that sets the bitrate", group);
  else if (unit < 1 || unit > UNIT_MOST)
    g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE,
        "[%s] has a unit that is not 1 to %d bit/s", group, UNIT_MOST);
  else
    return TRUE;
  return FALSE;
}

GArray *
gst_rtp_cc_encoder_file_read (const gchar *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (GstRtpCcEncoder));
  g_auto (GStrv) groups = NULL;

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, error))
    return NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i]; i++) {
    GstRtpCcEncoder row;

    if (!read_group (file, groups[i], &row, error))
      return NULL;
    g_array_append_val (rows, row);
  }
  return g_steal_pointer (&rows);
}
