/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/keyframe.h"

#include <gst/rtp/rtp.h>

/* --- H.264 (RFC 6184) ----------------------------------------------------- */

#define H264_IDR 5
#define H264_SPS 7              /* of intra refresh, which has no IDR, as well */
#define H264_STAP_A 24
#define H264_FU_A 28

static gboolean
h264_nal_is_key (guint8 head)
{
  return (head & 31) == H264_IDR || (head & 31) == H264_SPS;
}

/* Whether one of the units that an aggregation packet has from @p on is of a key frame. */
static gboolean
any_is_key (const guint8 * p, guint size, gboolean (*is_key) (guint8 head))
{
  while (size > 2) {
    const guint unit = (guint) p[0] << 8 | p[1];

    if (unit > 0 && is_key (p[2]))
      return TRUE;
    if (unit >= size - 2)
      return FALSE;
    p += 2 + unit;
    size -= 2 + unit;
  }
  return FALSE;
}

static gboolean
h264_is_key (const guint8 * p, guint size)
{
  switch (p[0] & 31) {
    case H264_STAP_A:
      return any_is_key (p + 1, size - 1, h264_nal_is_key);
    case H264_FU_A:
      return size > 1 && (p[1] & 0x80) && h264_nal_is_key (p[1]);
    default:
      return h264_nal_is_key (p[0]);
  }
}

/* --- H.265 (RFC 7798) ----------------------------------------------------- */

#define H265_IRAP_FIRST 16
#define H265_IRAP_LAST 21
#define H265_SPS 33
#define H265_AP 48
#define H265_FU 49

static gboolean
h265_type_is_key (guint type)
{
  return (type >= H265_IRAP_FIRST && type <= H265_IRAP_LAST) || type == H265_SPS;
}

static gboolean
h265_nal_is_key (guint8 head)
{
  return h265_type_is_key (head >> 1 & 63);
}

static gboolean
h265_is_key (const guint8 * p, guint size)
{
  switch (p[0] >> 1 & 63) {
    case H265_AP:
      return size > 2 && any_is_key (p + 2, size - 2, h265_nal_is_key);
    case H265_FU:
      return size > 2 && (p[2] & 0x80) && h265_type_is_key (p[2] & 63);
    default:
      return h265_nal_is_key (p[0]);
  }
}

/* --- VP8 (RFC 7741), VP9 (RFC 9628), AV1 ---------------------------------- */

/* The first packet of the first partition has VP8's header, whose first bit is 0 in a key frame. */
static gboolean
vp8_is_key (const guint8 * p, guint size)
{
  guint at = 1;

  if ((p[0] & 0x17) != 0x10)
    return FALSE;
  if (p[0] & 0x80) {
    const guint8 x = size > 1 ? p[1] : 0;

    at = 2;
    if (x & 0x80)
      at += size > 2 && (p[2] & 0x80) ? 2 : 1;
    at += ((x & 0x40) != 0) + ((x & 0x30) != 0);
  }
  return at < size && (p[at] & 1) == 0;
}

/* The beginning of a frame that is predicted from no other picture. */
static gboolean
vp9_is_key (const guint8 * p, guint size)
{
  return (p[0] & 0x48) == 0x08;
}

/* N: a coded video sequence begins. */
static gboolean
av1_is_key (const guint8 * p, guint size)
{
  return (p[0] & 0x08) != 0;
}

/* -------------------------------------------------------------------------- */

GstRtpCcBinIsKey
gst_rtp_cc_bin_is_key_of (const gchar * encoding_name)
{
  static const struct
  {
    const gchar *name;
    GstRtpCcBinIsKey is_key;
  } table[] = {
    {"H264", h264_is_key}, {"H265", h265_is_key}, {"VP8", vp8_is_key}, {"VP9", vp9_is_key},
    {"AV1", av1_is_key},
  };

  for (guint i = 0; encoding_name && i < G_N_ELEMENTS (table); i++)
    if (!g_ascii_strcasecmp (table[i].name, encoding_name))
      return table[i].is_key;
  return NULL;
}

gboolean
gst_rtp_cc_bin_begins_key_frame (GstRtpCcBinIsKey is_key, GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean begins;
  guint size;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;
  size = gst_rtp_buffer_get_payload_len (&rtp);
  begins = size > 0 && is_key (gst_rtp_buffer_get_payload (&rtp), size);
  gst_rtp_buffer_unmap (&rtp);
  return begins;
}
