/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world/ledger.h"

const char *const rcc_world_stream_names[] = { "audio", "video", NULL };

/* NULL: not to be counted: padding and parity are no stream's packets. */
static RccStreamCount *
entry (RccLedger *l, const RccDatagram *d)
{
  if (d->padding || d->parity || d->created < l->from || d->created >= l->to)
    return NULL;
  return &l->streams[d->stream];
}

void
rcc_ledger_offered (RccLedger *l, const RccDatagram *d)
{
  RccStreamCount *c = entry (l, d);

  if (c)
    c->offered++;
}

void
rcc_ledger_dropped (RccLedger *l, const RccDatagram *d, RccSbpnCause cause)
{
  RccStreamCount *c = entry (l, d);

  if (c)
    c->dropped[cause]++;
}

void
rcc_ledger_withheld (RccLedger *l, const RccDatagram *d)
{
  RccStreamCount *c = entry (l, d);

  if (c)
    c->withheld++;
}

void
rcc_ledger_sent (RccLedger *l, const RccDatagram *d, bool expired, RccTime now)
{
  RccStreamCount *c = entry (l, d);

  if (!c)
    return;
  c->sent++;
  c->sent_expired += expired;
  c->queue_time += (double) (now - d->queued);
  c->queue_time_max = RCC_MAX (c->queue_time_max, now - d->queued);
}

void
rcc_ledger_received (RccLedger *l, const RccDatagram *d, RccTime now)
{
  RccStreamCount *c = entry (l, d);

  if (!c)
    return;
  c->received++;
  c->on_time += now <= rcc_ledger_expiry (l, d);
}

RccTime
rcc_ledger_expiry (const RccLedger *l, const RccDatagram *d)
{
  const RccTime expiry = l->expiry[d->stream];

  return expiry > RCC_NEVER - d->created ? RCC_NEVER : d->created + expiry;
}

double
rcc_stream_on_time (const RccStreamCount *c)
{
  return c->offered ? (double) c->on_time / (double) c->offered : 0.0;
}

double
rcc_stream_received (const RccStreamCount *c)
{
  return c->offered ? (double) c->received / (double) c->offered : 0.0;
}
