/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world/fuse.h"

void
rcc_world_fuse_init (RccWorldFuse *f, const RccBreakerConfig *config, RccTime now)
{
  rcc_breaker_init (&f->breaker, config, now);
  rcc_reports_init (&f->reports);
  f->packets_dropped = f->bytes_dropped = 0;
}

/* Numbers that do not leave are followed too: the stream goes on behind them. */
bool
rcc_world_fuse_rtp (RccWorldFuse *f, const RccRtp *rtp, uint32_t size,
    uint32_t clock_rate, RccTime now)
{
  RccReportsStream *stream = rcc_reports_sent (&f->reports, rtp, now);
  const RccPacket packet = { .seq = stream->unwrap.last, .size = size, .ssrc = rtp->ssrc,
    .timestamp = rtp->timestamp, .sent = now, .arrived = RCC_NEVER };

  stream->clock_rate = clock_rate;
  if (!rcc_breaker_passes (&f->breaker, rtp->ssrc)) {
    f->packets_dropped++;
    f->bytes_dropped += size;
    return false;
  }
  rcc_tell (&f->breaker.sender, on_sent, &packet);
  return true;
}

RccUpdate
rcc_world_fuse_rtcp (RccWorldFuse *f, RccBytes compound, RccTime now)
{
  return rcc_reports_rtcp (&f->reports, compound, rcc_ntp_middle (rcc_ns_to_ntp (now)),
      now, &f->breaker.sender);
}

void
rcc_world_fuse_rtcp_sent (RccWorldFuse *f, RccBytes compound, RccTime now)
{
  rcc_reports_rtcp_sent (&f->reports, compound, now);
}

const RccBreakerStream *
rcc_world_fuse_stream (const RccWorldFuse *f, uint32_t ssrc)
{
  for (unsigned i = 0; i < f->breaker.n_streams; i++)
    if (f->breaker.streams[i].ssrc == ssrc)
      return &f->breaker.streams[i];
  return NULL;
}

uint32_t
rcc_world_fuse_allows (const RccWorldFuse *f, uint32_t ssrc)
{
  const RccBreakerStream *s = rcc_world_fuse_stream (f, ssrc);

  if (!rcc_breaker_passes (&f->breaker, ssrc))
    return 0;
  return s && s->state == RCC_BREAKER_REDUCED ? s->target_bps : UINT32_MAX;
}
