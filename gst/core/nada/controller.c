/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include "core/nada/nada.h"

static void
nada_defaults (void *config)
{
  *(RccNadaConfig *) config = rcc_nada_config ();
}

static void
nada_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_nada_init ((RccNada *) s, config, limits);
}

/* RFC 8698 5.2: what leaves is held to r_send. */
static RccSenderView
nada_view (const RccSender *s)
{
  const RccNada *n = (const RccNada *) s;

  return (RccSenderView) {
    .target_bps = n->target_bps, .pacing_bps = n->pacing_bps, .paces = true, .rtt = n->rtt,
    .equation_bps = UINT32_MAX, .state = n->state, .usage = "",
  };
}

const RccController rcc_controller_nada = {
  .name = "nada", .size = sizeof (RccNada), .config_size = sizeof (RccNadaConfig),
  .defaults = nada_defaults, .init = nada_init, .view = nada_view,
  .text = "Network-Assisted Dynamic Adaptation (RFC 8698)",
  .settings = rcc_nada_settings, .fields = rcc_nada_fields, .feedbacks = { "ccfb", "twcc" },
};
