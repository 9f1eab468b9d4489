/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/twcc.h"

#define PADDING 255             /* of a packet that has nothing else, as we send */

/* G_MAXUINT: it does not say. */
static guint
payload_type (const GstStructure * s)
{
  const GValue *value = gst_structure_get_value (s, "payload-type");

  if (value && G_VALUE_HOLDS_UCHAR (value))
    return g_value_get_uchar (value);
  return value && G_VALUE_HOLDS_UINT (value) ? g_value_get_uint (value)
      : G_MAXUINT;
}

/* { seqnum, local-ts, remote-ts, payload-type, size, lost }, rtptwcc.c of 1.22 */
static gboolean
parse_packet (const GstStructure * s, guint header, RccPacket * packet)
{
  GstClockTime local = GST_CLOCK_TIME_NONE, remote = GST_CLOCK_TIME_NONE;
  guint seqnum = 0, size = 0;
  gboolean lost = FALSE;

  if (!gst_structure_get_uint (s, "seqnum", &seqnum)
      || !gst_structure_get_clock_time (s, "local-ts", &local)
      || !gst_structure_get_clock_time (s, "remote-ts", &remote)
      || !gst_structure_get_uint (s, "size", &size)
      || !gst_structure_get_boolean (s, "lost", &lost)
      || !GST_CLOCK_TIME_IS_VALID (local))
    return FALSE;
  if (!lost && !GST_CLOCK_TIME_IS_VALID (remote))
    return FALSE;
  *packet = (RccPacket) {
  .seq = seqnum,.size = header + (size > 0 ? size : PADDING),.sent =
        local,.arrived = lost ? RCC_NEVER : remote,};
  return TRUE;
}

gsize
gst_rtp_cc_twcc_parse (GstEvent * event, guint header, guint pt,
    guint32 flags, RccPacket * packets, gsize max)
{
  const GstStructure *s = gst_event_get_structure (event);
  const GValue *value;
  GValueArray *array;
  gsize n = 0;

  if (!s || !gst_structure_has_name (s, GST_RTP_CC_TWCC_EVENT))
    return 0;
  value = gst_structure_get_value (s, "packets");
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  if (!value || !G_VALUE_HOLDS (value, g_value_array_get_type ()))
    return 0;
  array = g_value_get_boxed (value);
  for (guint i = 0; array && i < array->n_values && n < max; i++) {
    const GValue *v = g_value_array_get_nth (array, i);

    if (!GST_VALUE_HOLDS_STRUCTURE (v)
        || !parse_packet (gst_value_get_structure (v), header, &packets[n]))
      continue;
    if (payload_type (gst_value_get_structure (v)) == pt)
      packets[n].flags = flags;
    n++;
  }
  G_GNUC_END_IGNORE_DEPRECATIONS;
  return n;
}
