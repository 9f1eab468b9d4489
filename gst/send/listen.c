/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is heard goes by the send path on its way to the controller. The path learns how long
 * packets take, and does at once what the controller answers.
 */
#include "send/private.h"

/* rcc_tell (path->controller, ...), acted upon. */
#define pass_on(s, event, ...) \
  ((s)->controller ? rcc_send_answered ((s), rcc_tell ((s)->controller, event, __VA_ARGS__), now) \
      : (RccUpdate) { 0 })

RccUpdate
rcc_send_answered (RccSend *s, RccUpdate answer, RccTime now)
{
  return rcc_send_act (s, s->amend ? s->amend (s->owner, answer, now) : answer, now);
}

static void
learn_rtt (RccSend *s, RccTime now)
{
  const RccTime rtt = s->feedback->reports.rtt.smoothed;

  if (rtt != RCC_NEVER)
    rcc_send_rtt (s, rtt, now);
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccSend *s = (RccSend *) sender;

  return pass_on (s, on_config, config, now);
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccSend *s = (RccSend *) sender;
  RccSendStream *stream = rcc_ssrcs_find (&s->streams, report->ssrc);

  if (stream)
    rcc_spurious_report (&stream->requests, report->newly_lost);
  rcc_sbpn_owd_report (&s->owd, report->rtt, now);
  learn_rtt (s, now);
  return pass_on (s, on_report, report, now);
}

static RccUpdate
on_rtcp (RccSender *sender, const RccRtcp *rtcp, RccTime now)
{
  RccSend *s = (RccSend *) sender;

  return pass_on (s, on_rtcp, rtcp, now);
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccSend *s = (RccSend *) sender;

  rcc_sbpn_owd_feedback (&s->owd, packets, n, now);
  rcc_send_look_ahead (s, now);
  return pass_on (s, on_feedback, packets, n, now);
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  RccSend *s = (RccSend *) sender;

  return pass_on (s, on_remb, bps, now);
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccSend *s = (RccSend *) sender;

  return pass_on (s, on_deadline, now);
}

static RccTime
deadline (const RccSender *sender)
{
  const RccSend *s = (const RccSend *) sender;

  return s->controller ? rcc_deadline (s->controller) : RCC_NEVER;
}

const RccSenderOps rcc_send_listen_ops = {
  .name = "send-path", .on_config = on_config, .on_report = on_report, .on_rtcp = on_rtcp,
  .on_feedback = on_feedback, .on_remb = on_remb, .on_deadline = on_deadline,
  .deadline = deadline,
};
