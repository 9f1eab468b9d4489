/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/options.h"
#include "sim/world.h"

#define PACKET_SIZE 1204                /* 1180 of payload */
#define SKIP_QUEUE (150 * RCC_MSEC)     /* as rtpbitrateadapter */

RccFlowConfig
rcc_flow_config (RccGccProfile profile)
{
  return (RccFlowConfig) {
    .name = profile == RCC_GCC_PAPER ? "paper" : "default", .adapt = true,
    .controller = rcc_registry_row (0), .gcc = rcc_gcc_config (profile), .feedback = RCC_FEEDBACK_REMB,
    .limits = { 150000, 150000, 1520000 },
    .source = rcc_source_config_default (), .audio = true, .stop = RCC_NEVER,
    .encoder_delay = 100 * RCC_MSEC,
    .rtcp_interval = RCC_SEC, .sr_interval = RCC_SEC, .feedback_interval = 50 * RCC_MSEC,
    .packet_size = PACKET_SIZE, .audio_size = RCC_WORLD_AUDIO_SIZE, .rtcp_share = 0.05,
    .tfrc = rcc_tfrc_config (), .fbra = rcc_fbra_config (), .cnadu = rcc_cnadu_config (),
    .queue = rcc_send_config (), .skip_queue = profile == RCC_GCC_DEFAULT ? SKIP_QUEUE : 0,
    .classes = {
      [RCC_WORLD_AUDIO] = { .priority = 0, .weight = 1 },
      [RCC_WORLD_VIDEO] = { .priority = 1, .weight = 1, .whole_frames = true },
    },
    .expiry = { RCC_NEVER, RCC_NEVER }, .count_to = RCC_NEVER,
    .breaker = rcc_breaker_config (RCC_BREAKER_RFC8083),
  };
}

/* Feedback is not held to RTCP's share: DCCP's acknowledgements, which it stands for,
 * come every round trip. */
RccFlowConfig
rcc_flow_config_sbpn (RccSbpnMode mode, uint32_t max_packets, RccTime rtt)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.name = rcc_sbpn_mode_names[mode];
  c.controller = rcc_registry_find ("tfrc");
  c.tfrc.form = RCC_TFRC_RFC3448;
  c.tfrc.mss = 1026;
  c.limits = (RccConfig) { 0, 0, 10000000 };
  c.source = rcc_source_config_ekiga ();
  c.packet_size = 1026;
  c.audio_size = 214;
  c.feedback = RCC_FEEDBACK_CCFB;
  c.feedback_interval = rtt;
  c.gcc.repeat = 0;                     /* the paper tells of each packet once */
  c.rtcp_share = 1.0;
  c.queue.scheduled = true;
  c.queue.scheduler.mode = mode;
  c.queue.scheduler.max_packets = max_packets;
  c.queue.scheduler.max_time = RCC_NEVER;
  c.skip_queue = 0;
  c.classes[RCC_WORLD_VIDEO].whole_frames = false;
  for (int k = 0; k < RCC_WORLD_STREAMS; k++)
    c.expiry[k] = 200 * RCC_MSEC;
  c.count_from = 3 * RCC_SEC;
  c.count_to = 60 * RCC_SEC;
  return c;
}

RccTime
rcc_flow_fbra_interval (RccTime owd)
{
  return RCC_MAX (100 * RCC_MSEC, 4 * owd);
}

RccFlowConfig
rcc_flow_config_fbra (const char *controller, RccTime owd)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  rcc_flow_control (&c, rcc_registry_find (controller));
  c.name = c.controller->name;
  c.gcc = rcc_gcc_config (RCC_GCC_RRTCC);
  c.limits = (RccConfig) { 32000, 128000, 2000000 };
  c.source.min_bps = 10000;             /* the controller's limits are with headers */
  c.source.max_bps = 2000000;
  c.source.steady = true;
  c.source.reaction = 0;
  c.encoder_delay = 0;
  c.audio = false;
  c.plain = true;
  c.skip_queue = 0;
  c.d_max = 400 * RCC_MSEC;
  rcc_flow_prefer (&c);
  c.feedback_interval = c.rtcp_interval = rcc_flow_fbra_interval (owd);
  c.gcc.feedback_interval = c.feedback_interval;
  c.fbra.reports.pool = c.cnadu.reports.pool = false;
  return c;
}

void
rcc_flow_fbra_plus (RccFlowConfig *c)
{
  c->fbra = rcc_fbra_config_plus ();
  c->feedback_interval = c->rtcp_interval = 100 * RCC_MSEC;
  c->rtcp_share = 0.2;
}
