/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/probed.h"

/* The probe has answered with @probe, the controller with @core.  A new target goes through the
 * probe. */
static RccUpdate
answer (RccSender *sender, RccUpdate probe, RccUpdate core, RccTime now)
{
  RccWorldProbed *p = (RccWorldProbed *) sender;

  if (core.changed & RCC_TARGET) {
    probe = rcc_update_merge (probe, rcc_fbra_external (&p->probe,
            p->row->view (p->core).target_bps, now));
    core.changed &= ~(unsigned) RCC_TARGET;
  }
  return rcc_update_merge (core, probe);
}

static RccSender *
probe_of (RccSender *sender)
{
  return &((RccWorldProbed *) sender)->probe.sender;
}

static RccSender *
core_of (const RccSender *sender)
{
  return ((const RccWorldProbed *) sender)->core;
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  const RccUpdate probe = rcc_tell (probe_of (sender), on_sent, packet);

  return answer (sender, probe, rcc_tell (core_of (sender), on_sent, packet), packet->sent);
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  const RccUpdate probe = rcc_tell (probe_of (sender), on_report, report, now);

  return answer (sender, probe, rcc_tell (core_of (sender), on_report, report, now), now);
}

static RccUpdate
on_rtcp (RccSender *sender, const RccRtcp *rtcp, RccTime now)
{
  const RccUpdate probe = rcc_tell (probe_of (sender), on_rtcp, rtcp, now);

  return answer (sender, probe, rcc_tell (core_of (sender), on_rtcp, rtcp, now), now);
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  const RccUpdate probe = rcc_tell (probe_of (sender), on_feedback, packets, n, now);

  return answer (sender, probe, rcc_tell (core_of (sender), on_feedback, packets, n, now), now);
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  const RccUpdate probe = rcc_tell (probe_of (sender), on_remb, bps, now);

  return answer (sender, probe, rcc_tell (core_of (sender), on_remb, bps, now), now);
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  const RccUpdate probe = rcc_tell (probe_of (sender), on_deadline, now);

  return answer (sender, probe, rcc_tell (core_of (sender), on_deadline, now), now);
}

static uint64_t
allowance (const RccSender *sender, RccTime now)
{
  const RccSender *core = core_of (sender);

  return core->ops->allowance ? core->ops->allowance (core, now) : UINT64_MAX;
}

static RccTime
deadline (const RccSender *sender)
{
  const RccWorldProbed *p = (const RccWorldProbed *) sender;

  return RCC_MIN (rcc_deadline (&p->probe.sender), rcc_deadline (p->core));
}

static const RccSenderOps ops = {
  .name = "probed", .on_sent = on_sent, .on_report = on_report, .on_rtcp = on_rtcp,
  .on_feedback = on_feedback, .on_remb = on_remb, .on_deadline = on_deadline,
  .deadline = deadline, .allowance = allowance,
};

void
rcc_world_probed_init (RccWorldProbed *p, const RccController *row, RccSender *core,
    const RccConfig *limits, RccTime now)
{
  const RccFbraProbeConfig config = rcc_fbra_probe_config ();

  *p = (RccWorldProbed) { .sender.ops = &ops, .row = row, .core = core };
  rcc_fbra_probe_init (&p->probe, &config, limits);
  rcc_fbra_external (&p->probe, row->view (core).target_bps, now);
}

RccSenderView
rcc_world_probed_view (const RccWorldProbed *p)
{
  RccSenderView view = p->row->view (p->core);

  view.target_bps = p->probe.target_bps;
  view.fec_bps = p->probe.fec_bps;
  view.fec_interval = p->probe.fec_interval;
  view.fec_state = p->probe.state;
  return view;
}
