/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include "core/scream/scream.h"

static void
scream_defaults (void *config)
{
  *(RccScreamConfig *) config = rcc_scream_config ();
}

static void
scream_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_scream_init ((RccScream *) s, config, limits);
}

static RccSenderView
scream_view (const RccSender *sender)
{
  const RccScream *s = (const RccScream *) sender;

  return (RccSenderView) {
    .target_bps = s->target_bps, .pacing_bps = s->pacing_bps, .paces = true, .rtt = s->rtt,
    .equation_bps = UINT32_MAX, .state = s->window.state, .usage = "",
  };
}

const RccController rcc_controller_scream = {
  .name = "scream", .size = sizeof (RccScream), .config_size = sizeof (RccScreamConfig),
  .defaults = scream_defaults, .init = scream_init, .view = scream_view,
  .text = "Self-Clocked Rate Adaptation for Multimedia, version 2 (draft-ietf-ccwg-rfc8298bis)",
  .settings = rcc_scream_settings, .fields = rcc_scream_fields, .feedbacks = { "ccfb", "twcc" },
};
