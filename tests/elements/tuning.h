/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuning.h - the property tuning in a list of properties
 */
#ifndef GST_RTP_CC_TESTS_TUNING_H
#define GST_RTP_CC_TESTS_TUNING_H

#include <gst/gst.h>

#define NO_PROBES "probe-interval=0"
#define NO_TIMEOUT "feedback-timeout=3600000000000"

/* "NAME=VALUE,...", as printf() has it; until the fourth call from now.  For one thread. */
static G_GNUC_UNUSED GstStructure *
tuning (const gchar *format, ...)
{
  static GstStructure *ring[4];
  static guint n;
  GstStructure **s = &ring[n++ % G_N_ELEMENTS (ring)];
  va_list args;
  gchar *values, *text;

  va_start (args, format);
  values = g_strdup_vprintf (format, args);
  va_end (args);
  text = g_strconcat ("tuning,", values, NULL);
  gst_clear_structure (s);
  *s = gst_structure_from_string (text, NULL);
  g_assert (*s);
  g_free (text);
  g_free (values);
  return *s;
}

#endif
