/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "peers.h"

#include <glib.h>
#include <string.h>

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
