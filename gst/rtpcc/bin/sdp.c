/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/sdp.h"

#include <stdlib.h>
#include <string.h>

#define RTPMAP "a=rtpmap:"

/* The payload type of a codec; -1: the line is none, or of repair, which has no feedback. */
static glong
codec_of (const gchar * line)
{
  static const gchar *const repair[] = { "rtx/", "red/", "ulpfec/", "flexfec" };
  gchar *name;
  glong pt;

  if (!g_str_has_prefix (line, RTPMAP))
    return -1;
  pt = strtol (line + strlen (RTPMAP), &name, 10);
  if (pt < 0 || pt > 127 || *name != ' ')
    return -1;
  for (guint i = 0; i < G_N_ELEMENTS (repair); i++)
    if (!g_ascii_strncasecmp (name + 1, repair[i], strlen (repair[i])))
      return -1;
  return pt;
}

static gboolean
has_line (gchar ** lines, const gchar * line)
{
  for (; *lines; lines++)
    if (!strncmp (*lines, line, strlen (line)))
      return TRUE;
  return FALSE;
}

gchar *
gst_rtp_cc_sdp_add_remb (const gchar * sdp)
{
  const gchar *end = strstr (sdp, "\r\n") ? "\r\n" : "\n";
  g_auto (GStrv) lines = g_strsplit (sdp, end, -1);
  GString *out = g_string_sized_new (strlen (sdp) + 128);
  gboolean video = FALSE;

  for (gchar ** line = lines; *line; line++) {
    g_autofree gchar *wanted = NULL;
    const glong pt = codec_of (*line);

    if (g_str_has_prefix (*line, "m="))
      video = g_str_has_prefix (*line, "m=video ");
    g_string_append (out, *line);
    if (line[1])
      g_string_append (out, end);
    if (!video || pt < 0)
      continue;
    wanted = g_strdup_printf ("a=rtcp-fb:%ld goog-remb", pt);
    if (!has_line (lines, wanted) && !has_line (lines, "a=rtcp-fb:* goog-remb"))
      g_string_append_printf (out, "%s%s%s", line[1] ? "" : end, wanted, end);
  }
  return g_string_free (out, FALSE);
}
