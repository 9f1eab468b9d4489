/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/prober.h"

#define ANSWERED 0.7                    /* the target came this near to the probe */
#define ROOM 0.9                        /* after a careful one: it met no queue
                                         * (gcc/probe-bitrate.c) */
#define LOSS_MEMORY (30 * RCC_SEC)      /* Reno overflows 300 ms at 2 Mbit/s each 10 s, but
                                         * not each time is it our packet that is lost */
#define CALM RCC_SEC                    /* no probe so soon after congestion */
#define SETTLE (100 * RCC_MSEC)         /* let the new rate reach a link that has been full; before,
                                         * the next probe follows at once, as in libwebrtc */
#define BYTES_MIN 1500
#define CAREFUL_MIN 3000                /* 1.5 times 300 kbit/s for 50 ms, which a receiver sees
                                         * as a train (gcc/probe-bitrate.c); half of it often not */
#define WORTH 1.15                      /* a probe below that share of the target is none */
#define TRIED (2 * RCC_SEC)             /* congestion so soon after an answer ... */
#define GAINED 1.2                      /* ... that leaves less of the target before: it was none */
#define ANSWER RCC_SEC                  /* without an interval: a later one is of something else */

void
rcc_prober_init (RccProber *p, double first, double factor, double later, RccTime interval,
    RccTime span)
{
  *p = (RccProber) {
    .first = first > 0 ? first : factor, .factor = factor, .later = later,
    .interval = interval, .wait = interval, .span = span, .believed = RCC_NEVER, .next = RCC_NEVER,
    .calm_since = RCC_NEVER, .lost = RCC_NEVER,
  };
}

void
rcc_prober_start (RccProber *p, RccTime now)
{
  if (p->factor > 0)
    p->next = now;
}

void
rcc_prober_loss (RccProber *p, RccTime now)
{
  p->lost = now;
  p->careful = false;
}

static bool
lost_of_late (const RccProber *p, RccTime now)
{
  return p->lost != RCC_NEVER && now < p->lost + LOSS_MEMORY;
}

/* What a token bucket or a moment's gap let through is no rate: ask the less often for it. */
static void
judge_answer (RccProber *p, uint32_t bps, bool congested, RccTime now)
{
  if (p->believed == RCC_NEVER || p->interval_most <= p->interval)
    return;
  if (congested && bps < GAINED * p->believed_bps)
    p->wait = RCC_MIN (2 * p->wait, p->interval_most);
  else if (now < p->believed + TRIED)
    return;
  else
    p->wait = p->interval;
  p->believed = RCC_NEVER;
  p->next = RCC_MAX (p->next, now + p->wait);
}

/* There is no later probe. */
static void
end_start (RccProber *p)
{
  p->next = RCC_NEVER;
  p->sent_bps = 0;
}

void
rcc_prober_target (RccProber *p, uint32_t bps, bool congested, RccTime now)
{
  judge_answer (p, bps, congested, now);
  if (congested) {
    p->calm_since = now;
    p->careful = p->later > 0 && p->answered > 0 && !lost_of_late (p, now);
  }
  if (p->interval == 0 && p->probes > 0 && (congested || now > p->sent + ANSWER))
    end_start (p);
  if (p->sent_bps == 0)
    return;
  if (bps >= p->near * p->sent_bps && bps > p->base_bps) {
    p->sent_bps = 0;
    p->answered++;
    p->believed = now;
    p->believed_bps = p->base_bps;
    p->next = p->calm_since == RCC_NEVER ? now : now + SETTLE;
  }
}

RccUpdate
rcc_prober_poll (RccProber *p, uint32_t target_bps, uint32_t max_bps, RccTime now)
{
  const bool careful = p->careful;
  const double factor = careful ? p->later : p->probes == 0 ? p->first : p->factor;
  const double wanted = RCC_MIN (factor * target_bps, (double) max_bps);

  if (now < p->next)
    return (RccUpdate) { 0 };
  if (p->calm_since != RCC_NEVER && now < p->calm_since + CALM) {
    p->next = p->calm_since + CALM;
    return (RccUpdate) { 0 };
  }
  p->next = p->interval > 0 ? now + p->wait : RCC_NEVER;
  if (wanted < 1.0 || wanted < WORTH * target_bps)
    return (RccUpdate) { 0 };
  p->sent_bps = p->asked_bps = (uint32_t) wanted;
  p->base_bps = target_bps;
  p->sent = now;
  p->near = careful ? ROOM : ANSWERED;
  p->careful = false;
  p->probes++;
  return (RccUpdate) {
    .changed = RCC_PROBE, .reason = "probe",
    .probe_bps = p->sent_bps, .probe_id = ++p->id,
    .probe_bytes = (uint32_t) RCC_MAX (wanted * (double) p->span * 1e-9 / 8.0,
        careful ? CAREFUL_MIN : BYTES_MIN),
  };
}
