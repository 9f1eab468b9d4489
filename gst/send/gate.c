/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/gate.h"

const RccField rcc_gate_fields[] = {
  RCC_FIELD (RccGate, packets_dropped, "packets-dropped", RCC_U64, ""),
  RCC_FIELD (RccGate, bytes_dropped, "bytes-dropped", RCC_U64, "B"),
  RCC_FIELD (RccGate, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELDS_END,
};

void
rcc_gate_init (RccGate *g, RccResize resize)
{
  *g = (RccGate) { 0 };
  rcc_reports_init (&g->reports, resize);
}

void
rcc_gate_clear (RccGate *g)
{
  rcc_reports_clear (&g->reports);
}

void
rcc_gate_start (RccGate *g, const RccBreakerConfig *config, RccTime held, RccTime now)
{
  if (held > 0)
    rcc_breaker_resume (&g->breaker, config, held, now);
  else
    rcc_breaker_init (&g->breaker, config, now);
  rcc_reports_reset (&g->reports);
  g->packets_dropped = g->bytes_dropped = g->malformed = 0;
}

/* What was true of all streams may not be of one more. */
static void
join (RccUpdate *update)
{
  update->changed |= RCC_TARGET;
  update->reason = "circuit breaker: one more stream";
}

/* Numbers that do not leave are followed too: the stream goes on behind them. */
bool
rcc_gate_rtp (RccGate *g, const RccRtp *rtp, uint32_t size, uint32_t clock_rate, RccTime now,
    RccUpdate *update)
{
  RccReportsStream *stream = rcc_reports_sent (&g->reports, rtp, now);
  const RccPacket packet = { .seq = stream->unwrap.last, .size = size, .ssrc = rtp->ssrc,
    .timestamp = rtp->timestamp, .sent = now, .arrived = RCC_NEVER };

  stream->clock_rate = clock_rate;
  if (rcc_breaker_passes (&g->breaker, rtp->ssrc)) {
    *update = rcc_update_merge (*update, rcc_tell (&g->breaker.sender, on_sent, &packet));
    if (stream->packets == 1)
      join (update);
    return true;
  }
  if (!g->enforce)
    return true;
  g->packets_dropped++;
  g->bytes_dropped += size;
  return false;
}

RccUpdate
rcc_gate_rtcp (RccGate *g, RccBytes compound, uint32_t ntp_middle, RccTime now)
{
  return rcc_reports_rtcp (&g->reports, compound, ntp_middle, now, &g->breaker.sender);
}

void
rcc_gate_rtcp_sent (RccGate *g, RccBytes compound, RccTime now)
{
  rcc_reports_rtcp_sent (&g->reports, compound, now);
}

const RccBreakerStream *
rcc_gate_stream (const RccGate *g, uint32_t ssrc)
{
  for (unsigned i = 0; i < g->breaker.n_streams; i++)
    if (g->breaker.streams[i].ssrc == ssrc)
      return &g->breaker.streams[i];
  return NULL;
}

uint32_t
rcc_gate_allows (const RccGate *g, const RccBreakerStream *stream)
{
  if (!g->enforce || !stream)
    return UINT32_MAX;
  if (stream->state == RCC_BREAKER_CLOSED)
    return stream->ceiling.bps;
  return stream->state == RCC_BREAKER_OPEN ? 0 : stream->target_bps;
}

bool
rcc_gate_is_shut (const RccGate *g)
{
  for (unsigned i = 0; i < g->breaker.n_streams; i++)
    if (g->breaker.streams[i].state != RCC_BREAKER_OPEN)
      return false;
  return g->breaker.state == RCC_BREAKER_OPEN;
}
