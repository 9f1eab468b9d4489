/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/extended.h"

#include <stdlib.h>

#define CLOCK_RATE 90000

void
rcc_world_extended_init (RccWorldExtended *x, uint32_t ssrc, RccTime interval, double share,
    bool early, RccTime d_max)
{
  const RccAvpfConfig config = { .interval = interval, .share = share, .early = early };

  x->d_max = d_max;
  rcc_xr_reporter_init (&x->reporter, ssrc, realloc);
  x->reporter.clock_rate = CLOCK_RATE;
  x->reporter.times = true;
  rcc_avpf_init (&x->avpf, &config);
  rcc_discard_filter_init (&x->discard_filter);
  rcc_send_clock_init (&x->clock, 0);
}

void
rcc_world_extended_clear (RccWorldExtended *x)
{
  rcc_xr_reporter_clear (&x->reporter);
}

void
rcc_world_extended_packet (RccWorldExtended *x, const RccRtp *rtp, uint32_t size,
    RccTime now)
{
  bool late = false;

  if (rtp->pt != RCC_WORLD_PT_PARITY)
    late = rcc_discard_filter_packet (&x->discard_filter,
        rcc_send_clock_time (&x->clock, rtp, CLOCK_RATE, now), now, x->d_max);
  rcc_avpf_packet (&x->avpf, size, now);
  if (rcc_xr_reporter_packet (&x->reporter, rtp, late, now))
    rcc_avpf_event (&x->avpf, now);
}

void
rcc_world_extended_rtt (RccWorldExtended *x, RccTime rtt, RccTime now)
{
  rcc_discard_filter_rtt (&x->discard_filter, rtt, now);
}

bool
rcc_world_extended_append (RccWorldExtended *x, RccDatagram *d, RccTime now)
{
  const uint32_t budget = rcc_avpf_budget (&x->avpf);
  size_t size;

  rcc_xr_reporter_rtcp_passed (&x->reporter, (RccBytes) { d->data, d->size }, now);
  size = rcc_xr_reporter_packet_of (&x->reporter, now,
      budget > d->size ? budget - d->size : 0, d->data + d->size, sizeof d->data - d->size);
  if (size == 0) {
    rcc_avpf_nothing (&x->avpf, now);
    return false;
  }
  d->size += (uint32_t) size;
  rcc_avpf_sent (&x->avpf, d->size, false, now);
  if (rcc_xr_reporter_pending (&x->reporter))
    rcc_avpf_more (&x->avpf, now);
  return true;
}
