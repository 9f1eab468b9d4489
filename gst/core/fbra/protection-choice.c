/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/protection-choice.h"

#include <math.h>

#include "core/rtx-wait.h"

#define EVERY_LEAST 3
#define EVERY_MOST 10
/* Losses in a block of parity and its media, on average.  With one in twenty, a second one,
 * which cannot be repaired, is in one block of a thousand. */
#define LOSSES_A_BLOCK 0.05

RccProtectionChoiceConfig
rcc_protection_choice_config (void)
{
  return (RccProtectionChoiceConfig) {
    .latency = 300 * RCC_MSEC, .on = 0.005, .off = 0.002, .span = 4 * RCC_SEC,
    .least = 2 * RCC_SEC,
  };
}

void
rcc_protection_choice_init (RccProtectionChoice *c, const RccProtectionChoiceConfig *config)
{
  *c = (RccProtectionChoice) { .config = *config, .above = RCC_NEVER };
}

static void
average (RccProtectionChoice *c, double loss, RccTime now)
{
  const RccTime gone = c->any && now > c->updated ? now - c->updated : 0;

  c->loss += (loss - c->loss) * -expm1 (-(double) gone / (double) c->config.span);
  c->updated = now;
  c->any = true;
}

static bool
copies_are_late (const RccProtectionChoice *c, RccTime rtt)
{
  return c->config.latency == 0 || (rtt != RCC_NEVER && rcc_rtx_time (rtt) > c->config.latency);
}

static uint32_t
every_of (double loss)
{
  return (uint32_t) RCC_CLAMP (LOSSES_A_BLOCK / loss, EVERY_LEAST, EVERY_MOST);
}

uint32_t
rcc_protection_choose (RccProtectionChoice *c, double loss, RccTime rtt, RccTime now)
{
  average (c, loss, now);
  if (!copies_are_late (c, rtt) || c->loss < c->config.off) {
    c->above = RCC_NEVER;
    return c->every = 0;
  }
  if (c->above == RCC_NEVER && c->loss > c->config.on)
    c->above = now;
  if (c->above == RCC_NEVER || now - c->above < c->config.least)
    return c->every;
  return c->every = every_of (c->loss);
}
