/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One stream in a world of its own.
 */
#ifndef TEST_BREAKER_STREAM_RIG_H
#define TEST_BREAKER_STREAM_RIG_H

#include <math.h>
#include "world.h"

static World w;

/* One stream of 1.5 Mbit/s, reports believed to come each @tdr. */
static inline RccBreakerStream *
begin (RccBreakerConfig config, RccTime tdr)
{
  config.rtcp_min_interval = tdr;
  world_init (&w, &config);
  world_flow (&w, 1.5e6, 1200);
  world_run (&w, w.now + MS (100));
  return &w.b.streams[0];
}

static inline RccBreakerConfig
rfc (void)
{
  return rcc_breaker_config (RCC_BREAKER_RFC8083);
}

static inline void
nothing (guint n, RccTime interval)
{
  while (n-- > 0) {
    world_run (&w, w.now + interval);
    world_report_none (&w);
  }
}

#endif
