/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "peers.h"

#include <string.h>

#define BLOCKS_AT 8                     /* behind the header and the SSRC, RFC 8888 3.1 */

static const CallPeer peers[] = {
  { { .name = "rtpgccbwe", .feedbacks = { "twcc" } }, "estimated-bitrate", 1,
    "build the crate gst-plugin-rtp of gst-plugins-rs" },
  { { .name = "screamtx", .feedbacks = { "ccfb" } }, "current-max-bitrate", 1e3,
    "build gstscream of EricssonResearch/scream" },
};

const CallPeer *
call_peer_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (peers); i++)
    if (strcmp (peers[i].row.name, name) == 0)
      return &peers[i];
  return NULL;
}

gboolean
call_peer_scream_ccfb (guint8 *packet, const RccCcfb *ccfb)
{
  guint8 *block = packet + BLOCKS_AT;
  RccBytes rest = ccfb->blocks;
  RccCcfbBlock b;

  for (gsize before = rest.size; rcc_ccfb_next (&rest, &b); before = rest.size) {
    if (b.n_reports == 0)
      return FALSE;
    GST_WRITE_UINT16_BE (block + 6, b.n_reports - 1);
    block += before - rest.size;
  }
  return rest.size == 0;
}
