/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra-repair.h - what left an rtpfbrafec, with losses, and our own decoder
 */
#ifndef FBRA_REPAIR_H
#define FBRA_REPAIR_H

#include "core/rng.h"
#include "fbra-rig.h"

static G_GNUC_UNUSED GstMapInfo *
map (GstBuffer *buffer)
{
  GstMapInfo *info = g_new (GstMapInfo, 1);

  fail_unless (gst_buffer_map (buffer, info, GST_MAP_READ));
  return info;
}

static G_GNUC_UNUSED void
unmap (gpointer data)
{
  GstMapInfo *info = data;

  g_free (info);
}

static G_GNUC_UNUSED void
store_fill (RigStore *store, GPtrArray *left)
{
  store->packets = g_ptr_array_new_with_free_func (unmap);
  for (guint i = 0; i < left->len; i++)
    g_ptr_array_add (store->packets, map (left->pdata[i]));
}

static G_GNUC_UNUSED void
store_clear (RigStore *store, GPtrArray *left)
{
  for (guint i = 0; i < left->len; i++)
    gst_buffer_unmap (left->pdata[i], store->packets->pdata[i]);
  g_ptr_array_unref (store->packets);
}

/* Whether packet @lost comes back from @parity as it was. */
static G_GNUC_UNUSED gboolean
repairs (RigStore *store, const RccParity *parity, guint lost)
{
  const GstMapInfo *was = store->packets->pdata[lost];
  const RccParitySource source = {.packet = rig_find,.user = store };
  guint8 out[RCC_PARITY_PACKET_MAX];
  RccParityResult result;

  store->lost = lost;
  result = rcc_parity_recover (parity, &source, out, sizeof out);
  if (result.verdict != RCC_PARITY_RECOVERED)
    return FALSE;
  fail_unless_equals_int (result.size, was->size);
  fail_unless (memcmp (out, was->data, was->size) == 0, "packet %u is not what it was",
      lost);
  return TRUE;
}

static G_GNUC_UNUSED gboolean
parse_parity (const GstMapInfo *info, gboolean flexfec, RccParity *parity)
{
  const RccBytes packet = { info->data, info->size };
  RccRtp rtp;

  if (!rcc_rtp_parse (packet, &rtp) || rtp.pt != FEC_PT)
    return FALSE;
  fail_if (rtp.marker || rtp.padding);
  if (flexfec)
    fail_unless (rcc_flexfec_parse (packet, &rtp, parity));
  else
    fail_unless (rcc_ulpfec_parse ((RccBytes) { packet.data + rtp.header_size,
                packet.size - rtp.header_size }, SSRC, parity));
  return TRUE;
}

/* Every single loss below every parity; how many packets are protected. */
static G_GNUC_UNUSED guint
check_all (Rig *rig, gboolean flexfec)
{
  RigStore store;
  guint protected = 0;

  store_fill (&store, rig->left);
  for (guint i = 0; i < rig->left->len; i++) {
    RccParity parity;

    if (!parse_parity (store.packets->pdata[i], flexfec, &parity))
      continue;
    for (guint k = 0; k < rig->left->len; k++) {
      const GstMapInfo *info = store.packets->pdata[k];

      if (k == i || !rcc_parity_protects (&parity, rcc_be32 (info->data + 8),
              rcc_be16 (info->data + 2)))
        continue;
      fail_unless (k < i, "parity stands before what it protects");
      fail_unless (repairs (&store, &parity, k), "packet %u is lost for good", k);
      protected++;
    }
  }
  store_clear (&store, rig->left);
  return protected;
}

/* Of CSRCs, extension, padding and payload; in @memories pieces. */
static G_GNUC_UNUSED GstBuffer *
any_packet (RccRng *rng, guint16 seq, gboolean marker, guint memories)
{
  const guint csrcs = rcc_rng_u32 (rng) % 4, ext = rcc_rng_u32 (rng) % 3;
  const guint header = 12 + 4 * csrcs + (ext ? 4 * ext : 0);
  const guint size = header + rcc_rng_u32 (rng) % (1460 - header);
  GstBuffer *buffer = gst_buffer_new (), *whole = rig_packet (SSRC, seq, 90u * seq,
      marker, size);
  GstMapInfo info;
  guint at = 0;

  gst_buffer_map (whole, &info, GST_MAP_READWRITE);
  info.data[0] |= (guint8) (csrcs | (ext ? 0x10 : 0));
  if (ext) {
    rcc_put16 (info.data + 12 + 4 * csrcs, 0xbede);
    rcc_put16 (info.data + 14 + 4 * csrcs, (guint16) (ext - 1));
  }
  if (size > header + 8 && rcc_rng_u32 (rng) % 3 == 0) {
    info.data[0] |= 0x20;
    info.data[size - 1] = 5;
  }
  for (guint k = 0; k < memories; k++) {
    const guint end = k + 1 == memories ? size : header + (size - header) * k / memories;

    gst_buffer_append (buffer, gst_buffer_copy_region (whole, GST_BUFFER_COPY_MEMORY
            | GST_BUFFER_COPY_DEEP, at, end - at));
    at = end;
  }
  gst_buffer_unmap (whole, &info);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_PTS (whole);
  gst_buffer_unref (whole);
  return buffer;
}

/* @n packets of all kinds, alone and in lists. */
static G_GNUC_UNUSED void
push_any (Rig *rig, RccRng *rng, guint n)
{
  while (n > 0) {
    const guint list = rcc_rng_u32 (rng) % 4;

    rig_wait (rig, 10 * GST_MSECOND);
    if (list == 0) {
      gst_harness_push (rig->h, any_packet (rng, rig->seq, rig->seq % 3 == 2,
              1 + rig->seq % 4));
      rig->seq++;
      n--;
    } else {
      GstBufferList *l = gst_buffer_list_new ();

      for (guint i = 0; i < list && n > 0; i++, n--, rig->seq++)
        gst_buffer_list_add (l, any_packet (rng, rig->seq, rig->seq % 3 == 2,
                1 + rig->seq % 4));
      fail_unless_equals_int (gst_pad_push_list (rig->h->srcpad, l), GST_FLOW_OK);
    }
    rig_collect (rig);
  }
}

/* Numbers of @ssrc one after the other. */
static G_GNUC_UNUSED void
check_numbers (Rig *rig, guint32 ssrc, guint n)
{
  guint found = 0;
  guint16 next = 0;

  for (guint i = 0; i < rig->left->len; i++) {
    guint8 head[12];

    gst_buffer_extract (rig->left->pdata[i], 0, head, 12);
    if (rcc_be32 (head + 8) != ssrc)
      continue;
    if (found++ > 0)
      fail_unless_equals_int (rcc_be16 (head + 2), next);
    next = (guint16) (rcc_be16 (head + 2) + 1);
  }
  fail_unless_equals_int (found, n);
}

#endif
