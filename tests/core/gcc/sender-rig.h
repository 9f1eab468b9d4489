/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sender-rig.h - one GCC sender, and what it is told
 */
#ifndef RCC_GCC_SENDER_RIG_H
#define RCC_GCC_SENDER_RIG_H

#include <glib.h>
#include "core/gcc/sender.h"

#define SIZE 1200

static const RccConfig limits = { 50000, 300000, 5000000 };

static RccGccSender s;

static inline void
start (RccGccProfile profile)
{
  const RccGccConfig config = rcc_gcc_config (profile);

  rcc_gcc_sender_init (&s, &config, &limits);
}

static inline void
sent (RccTime now)
{
  const RccPacket p = { .size = SIZE, .sent = now, .arrived = RCC_NEVER };

  rcc_tell (&s.sender, on_sent, &p);
}

static inline RccUpdate
report (double fraction, guint32 expected, RccTime now)
{
  const RccReport r = { .fraction_lost = fraction, .expected = expected,
    .rtt = 50 * RCC_MSEC };

  return rcc_tell (&s.sender, on_report, &r, now);
}

#endif
