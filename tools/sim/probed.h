/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * probed.h - a controller whose increases are parity first, as rtpfbrafec probe-for=external has
 * it in front of rtpgccsender (core/fbra/probe.h)
 */
#ifndef RCC_WORLD_PROBED_H
#define RCC_WORLD_PROBED_H

#include "core/controller.h"
#include "core/fbra/probe.h"

typedef struct {
  RccSender sender;                     /* first: what is told to both */
  const RccController *row;
  RccSender *core;                      /* the row's; the owner's */
  RccFbraProbe probe;
} RccWorldProbed;

/* @core is initialised. */
void rcc_world_probed_init (RccWorldProbed *p, const RccController *row, RccSender *core,
    const RccConfig *limits, RccTime now);
/* The row's view, with what the probe makes of its target. */
RccSenderView rcc_world_probed_view (const RccWorldProbed *p);

#endif
