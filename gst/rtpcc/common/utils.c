/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/utils.h"

#include "wire/rtcp.h"

void
gst_rtp_cc_stats_add (GstStructure * s, const RccField * f,
    gconstpointer object)
{
  for (; f->name; f++) {
    const void *p = (const guint8 *) object + f->offset;

    switch (f->type) {
      case RCC_U32:
        gst_structure_set (s, f->name, G_TYPE_UINT, *(const uint32_t *) p,
            NULL);
        break;
      case RCC_U64:
      case RCC_TIME:
        gst_structure_set (s, f->name, G_TYPE_UINT64, *(const uint64_t *) p,
            NULL);
        break;
      case RCC_I64:
        gst_structure_set (s, f->name, G_TYPE_INT64, *(const int64_t *) p,
            NULL);
        break;
      case RCC_DOUBLE:
        gst_structure_set (s, f->name, G_TYPE_DOUBLE, *(const double *) p,
            NULL);
        break;
      case RCC_BOOL:
        gst_structure_set (s, f->name, G_TYPE_BOOLEAN,
            (gboolean) * (const bool *) p, NULL);
        break;
      case RCC_STRING:
        gst_structure_set (s, f->name, G_TYPE_STRING, *(const char *const *) p,
            NULL);
        break;
    }
  }
}

/* NTP counts from 1900 (RFC 3550 4). */
#define NTP_TO_UNIX (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

guint32
gst_rtp_cc_ntp_now (void)
{
  const RccTime wall = (RccTime) g_get_real_time () * GST_USECOND + NTP_TO_UNIX;

  return rcc_ntp_middle (rcc_ns_to_ntp (wall));
}

GstStructure *
gst_rtp_cc_stats_new (const gchar * name, const RccField * fields,
    gconstpointer object)
{
  GstStructure *s = gst_structure_new_empty (name);

  gst_rtp_cc_stats_add (s, fields, object);
  return s;
}

guint8
gst_rtp_cc_extmap_id (const gchar * field)
{
  guint64 id;

  if (!g_str_has_prefix (field, "extmap-")
      || !g_ascii_string_to_unsigned (field + strlen ("extmap-"), 10, 1, 255,
          &id, NULL))
    return 0;
  return (guint8) id;
}

const gchar *
gst_rtp_cc_extmap_uri (const GValue * value)
{
  if (GST_VALUE_HOLDS_ARRAY (value)) {
    if (gst_value_array_get_size (value) != 3)
      return NULL;
    value = gst_value_array_get_value (value, 1);
  }
  return G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
}

static gboolean
copy_extension (GQuark field, const GValue * value, gpointer to)
{
  if (gst_rtp_cc_extmap_id (g_quark_to_string (field)) != 0)
    gst_structure_id_set_value (to, field, value);
  return TRUE;
}

void
gst_rtp_cc_copy_extmap (const GstStructure * from, GstStructure * to)
{
  gst_structure_foreach (from, copy_extension, to);
}

guint8
gst_rtp_cc_extension_id (const GstCaps * caps, const gchar * uri)
{
  const GstStructure *s;
  guint8 found = 0;
  gint i;

  if (gst_caps_is_any (caps) || gst_caps_is_empty (caps))
    return 0;
  s = gst_caps_get_structure (caps, 0);
  for (i = 0; i < gst_structure_n_fields (s); i++) {
    const gchar *field = gst_structure_nth_field_name (s, (guint) i);
    guint8 id = gst_rtp_cc_extmap_id (field);

    if (id && (!found || id < found)
        && g_strcmp0 (gst_rtp_cc_extmap_uri (gst_structure_get_value (s,
                    field)), uri) == 0)
      found = id;
  }
  return found;
}

guint
gst_rtp_cc_clock_rate (const GstCaps * caps)
{
  gint rate = 0;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate", &rate);
  return (guint) MAX (rate, 0);
}

/* Mapping all memories copies them into one. That is worth it for a header that a packetiser
 * spread, and only where what there is begins like RTP. */
static gboolean
map_all (GstBuffer * buffer, GstRtpCcPacket * p)
{
  guint8 first;

  if (gst_buffer_n_memory (buffer) < 2
      || gst_buffer_get_size (buffer) < RCC_RTP_HEADER_MIN
      || gst_buffer_extract (buffer, 0, &first, 1) != 1 || first >> 6 != 2
      || !gst_buffer_map (buffer, &p->info, GST_MAP_READ))
    return FALSE;
  p->buffer = buffer;
  p->memory = NULL;
  p->bytes = (RccBytes) {
  p->info.data, p->info.size};
  if (rcc_rtp_parse (p->bytes, &p->rtp))
    return TRUE;
  gst_buffer_unmap (buffer, &p->info);
  return FALSE;
}

/* What nearly every packet is: the header in the first memory.  Mapping that, rather
 * than the buffer, is worth 40 ns. */
static gboolean
map_first (GstBuffer * buffer, gboolean write, GstRtpCcPacket * p)
{
  if (gst_buffer_n_memory (buffer) == 0)
    return FALSE;
  p->buffer = buffer;
  p->memory = gst_buffer_peek_memory (buffer, 0);
  if (!(write && gst_memory_map (p->memory, &p->info, GST_MAP_READWRITE))
      && !gst_memory_map (p->memory, &p->info, GST_MAP_READ))
    return FALSE;
  p->bytes = (RccBytes) {
  p->info.data, p->info.size};
  if (rcc_rtp_parse (p->bytes, &p->rtp))
    return TRUE;
  gst_memory_unmap (p->memory, &p->info);
  return FALSE;
}

gboolean
gst_rtp_cc_packet_map_full (GstBuffer * buffer, gboolean write,
    GstRtpCcPacket * packet)
{
  return map_first (buffer, write, packet) || map_all (buffer, packet);
}

gboolean
gst_rtp_cc_packet_map (GstBuffer * buffer, GstRtpCcPacket * packet)
{
  return gst_rtp_cc_packet_map_full (buffer, FALSE, packet);
}

void
gst_rtp_cc_packet_unmap (GstRtpCcPacket * packet)
{
  if (packet->memory)
    gst_memory_unmap (packet->memory, &packet->info);
  else
    gst_buffer_unmap (packet->buffer, &packet->info);
}

gboolean
gst_rtp_cc_segment_is_plain (const GstSegment * s)
{
  return s->format == GST_FORMAT_TIME && s->rate == 1.0 && s->start == 0
      && s->stop == GST_CLOCK_TIME_NONE && s->base == 0 && s->offset == 0;
}

void
gst_rtp_cc_list_keep (GstBufferList ** kept, GstBufferList * list, guint i,
    gboolean stays)
{
  guint from = i;

  if (G_LIKELY (stays == !*kept))
    return;
  if (!*kept) {
    *kept = gst_buffer_list_new_sized (gst_buffer_list_length (list));
    from = 0;
  }
  for (guint k = from; k < i + stays; k++)
    gst_buffer_list_add (*kept, gst_buffer_ref (gst_buffer_list_get (list, k)));
}

GstClockTime
gst_rtp_cc_now (GstElement * element)
{
  GstClock *clock = gst_element_get_clock (element);
  GstClockTime now;

  if (!clock)
    clock = gst_system_clock_obtain ();
  now = gst_clock_get_time (clock);
  gst_object_unref (clock);
  return now;
}

void
gst_rtp_cc_name_source (RccRtcpSource * source)
{
  const guint32 random[3] = { g_random_int (), g_random_int (),
    g_random_int ()
  };

  rcc_rtcp_source_init (source, g_random_int ());
  rcc_rtcp_source_name (source, random);
}
