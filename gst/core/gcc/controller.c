/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include "core/gcc/sender.h"

static void
gcc_defaults (void *config)
{
  *(RccGccConfig *) config = rcc_gcc_config (RCC_GCC_DEFAULT);
}

static void
paper_defaults (void *config)
{
  *(RccGccConfig *) config = rcc_gcc_config (RCC_GCC_PAPER);
}

static void
rrtcc_defaults (void *config)
{
  *(RccGccConfig *) config = rcc_gcc_config (RCC_GCC_RRTCC);
}

static void
gcc_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_gcc_sender_init ((RccGccSender *) s, config, limits);
}

static RccSenderView
gcc_view (const RccSender *s)
{
  const RccGccSender *g = (const RccGccSender *) s;

  return (RccSenderView) {
    .target_bps = g->target_bps, .pacing_bps = g->pacing_bps, .paces = true,
    .burst = g->config.l4s ? RCC_L4S_BURST : g->config.burst, .drain = g->config.queue_drain,
    .backlog_from = g->config.backlog_from, .backlog_over = g->config.backlog_over,
    .rtt = RCC_NEVER, .equation_bps = UINT32_MAX,
    .trend = g->delay.trend, .threshold = g->delay.threshold,
    .state = g->delay.state, .usage = g->delay.usage,
  };
}

const RccController rcc_controller_gcc = {
  .name = "gcc", .size = sizeof (RccGccSender), .config_size = sizeof (RccGccConfig),
  .defaults = gcc_defaults, .init = gcc_init, .view = gcc_view,
  .text = "Google Congestion Control, as we know it best",
  .settings = rcc_gcc_settings, .fields = rcc_gcc_sender_fields,
  .feedbacks = { "remb", "tmmbr", "twcc", "ccfb" }, .estimates_at_receiver = true,
};

const RccController rcc_controller_gcc_paper = {
  .name = "gcc-paper", .size = sizeof (RccGccSender), .config_size = sizeof (RccGccConfig),
  .defaults = paper_defaults, .init = gcc_init, .view = gcc_view,
  .text = "GCC as the packet-grouping paper ran it (ANRW'16)",
  .settings = rcc_gcc_settings, .fields = rcc_gcc_sender_fields,
  .feedbacks = { "remb", "tmmbr", "twcc", "ccfb" }, .estimates_at_receiver = true,
};

const RccController rcc_controller_rrtcc = {
  .name = "rrtcc", .size = sizeof (RccGccSender), .config_size = sizeof (RccGccConfig),
  .defaults = rrtcc_defaults, .init = gcc_init, .view = gcc_view,
  .text = "GCC as it was in 2012, a baseline",
  .settings = rcc_gcc_settings, .fields = rcc_gcc_sender_fields,
  .feedbacks = { "tmmbr", "remb" }, .estimates_at_receiver = true,
  .setting = RCC_SETTING_FBRA,
};
