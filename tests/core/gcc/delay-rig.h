/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delay-rig.h - the delay-based controller behind a link
 */
#ifndef RCC_GCC_DELAY_RIG_H
#define RCC_GCC_DELAY_RIG_H

#include <glib.h>
#include "core/gcc/delay.h"

#define SIZE 1200

typedef struct {
  RccGccDelay d;
  RccTime send, free;                   /* next departure; when the link is idle */
  gint64 clock;                         /* arrival clock less send clock */
  guint overuses;
} Path;

static inline Path
path (RccGccProfile profile, RccFilterKind filter, double start)
{
  RccGccConfig config = rcc_gcc_config (profile);
  Path p = { .send = 1000 * RCC_SEC, .clock = 5000 * (gint64) RCC_SEC };

  config.filter = filter;
  rcc_gcc_delay_init (&p.d, &config, start);
  return p;
}

/* @seconds of @bps over a link of @capacity, 20 ms away, one packet at a time. */
static inline void
run (Path *p, double bps, double capacity, double seconds)
{
  const RccTime end = p->send + (RccTime) (seconds * 1e9);

  while (p->send < end) {
    const guint64 before = p->d.overuse.overuses;

    p->free = RCC_MAX (p->free, p->send) + (RccTime) (8e9 * SIZE / capacity);
    rcc_gcc_delay_packet (&p->d, p->send,
        (RccTime) ((gint64) p->free + 20 * (gint64) RCC_MSEC + p->clock), SIZE);
    p->overuses += p->d.overuse.overuses > before;
    p->send += (RccTime) (8e9 * SIZE / bps);
  }
}

#endif
