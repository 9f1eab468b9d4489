/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Additive increase, multiplicative decrease, by the receiver reports of RFC 3550. */
#include "core/controller.h"

typedef struct {
  RccSender sender;                     /* first */
  RccConfig limits;
  uint32_t bps;
} Aimd;

static RccUpdate
keep_within (Aimd *a, double bps, const char *reason)
{
  a->bps = (uint32_t) RCC_CLAMP (bps, a->limits.min_bps, a->limits.max_bps);
  return (RccUpdate) { .changed = RCC_TARGET | RCC_PACING, .target_bps = a->bps,
    .pacing_bps = a->bps, .reason = reason };
}

static RccUpdate
on_config (RccSender *s, const RccConfig *limits, RccTime now)
{
  ((Aimd *) s)->limits = *limits;
  return keep_within ((Aimd *) s, ((Aimd *) s)->bps, "limits");
}

/* One report block about our stream. */
static RccUpdate
on_report (RccSender *s, const RccReport *report, RccTime now)
{
  Aimd *a = (Aimd *) s;

  if (report->nothing_new)
    return (RccUpdate) { 0 };
  if (report->fraction_lost > 0.02)
    return keep_within (a, a->bps * 0.7, "loss");
  return keep_within (a, a->bps + 25e3, "no loss");
}

static void
init (RccSender *s, const void *config, const RccConfig *limits)
{
  static const RccSenderOps ops = { "aimd", .on_config = on_config, .on_report = on_report };

  *(Aimd *) s = (Aimd) { { .ops = &ops }, *limits, limits->start_bps };
}

static RccSenderView
view (const RccSender *s)
{
  const uint32_t bps = ((const Aimd *) s)->bps;

  return (RccSenderView) { .target_bps = bps, .pacing_bps = bps, .paces = true, .rtt = RCC_NEVER,
    .equation_bps = UINT32_MAX, .state = "", .usage = "" };
}

const RccController rcc_controller_aimd = { .name = "aimd", .size = sizeof (Aimd),
  .text = "Additive increase, multiplicative decrease", .init = init, .view = view };
