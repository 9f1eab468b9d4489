/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include "core/tfrc/tfrc.h"

static void
tfrc_defaults (void *config)
{
  *(RccTfrcConfig *) config = rcc_tfrc_config ();
}

static void
tfrc_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_tfrc_init ((RccTfrc *) s, config, limits);
}

/* RFC 5348 4.6: packets leave s / X_inst apart, whatever their size. */
static RccSenderView
tfrc_view (const RccSender *s)
{
  const RccTfrc *t = (const RccTfrc *) s;

  return (RccSenderView) {
    .target_bps = t->target_bps, .pacing_bps = t->pacing_bps, .paces = true,
    .packet_cost = (uint32_t) (t->rate.packet_size + 0.5), .rtt = t->rtt,
    .equation_bps = t->equation_bps, .loss_event_rate = t->rate.p,
    .state = t->rate.state, .usage = "",
  };
}

const RccController rcc_controller_tfrc = {
  .name = "tfrc", .size = sizeof (RccTfrc), .config_size = sizeof (RccTfrcConfig),
  .defaults = tfrc_defaults, .init = tfrc_init, .view = tfrc_view,
  .text = "TCP Friendly Rate Control (RFC 5348)",
  .settings = rcc_tfrc_settings, .fields = rcc_tfrc_fields, .feedbacks = { "ccfb", "twcc" },
};
