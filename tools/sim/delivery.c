/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/delivery.h"

const char *const rcc_world_stream_names[] = { "audio", "video", NULL };

static bool
is_media (const RccDatagram *d)
{
  return !d->padding && !d->parity;
}

/* NULL: not to be counted. */
static RccStreamCount *
entry (RccDeliveryStats *l, const RccDatagram *d)
{
  if (!is_media (d) || d->created < l->from || d->created >= l->to)
    return NULL;
  return &l->streams[d->stream];
}

/* NULL: not to be counted. */
static RccLosses *
losses (RccDeliveryStats *l, const RccDatagram *d, size_t bin)
{
  return l->bins && is_media (d) ? &l->bins[bin] : NULL;
}

void
rcc_delivery_offered (RccDeliveryStats *l, RccDatagram *d)
{
  RccStreamCount *c = entry (l, d);
  RccLosses *bin = losses (l, d, l->bin);

  d->offered_bin = l->bin;
  if (c)
    c->offered++;
  if (bin)
    bin->offered++;
}

void
rcc_delivery_dropped (RccDeliveryStats *l, const RccDatagram *d, RccSbpnCause cause)
{
  RccStreamCount *c = entry (l, d);
  RccLosses *bin = losses (l, d, d->offered_bin);

  if (c)
    c->dropped[cause]++;
  if (bin)
    bin->unsent++;
}

void
rcc_delivery_stopped (RccDeliveryStats *l, const RccDatagram *d)
{
  RccStreamCount *c = entry (l, d);
  RccLosses *bin = losses (l, d, d->offered_bin);

  if (c)
    c->stopped++;
  if (bin)
    bin->unsent++;
}

/* When @d, which has left, comes too late; RCC_NEVER: never. */
static RccTime
deadline (const RccDeliveryStats *l, const RccDatagram *d)
{
  const RccTime expiry = rcc_delivery_expiry (l, d);

  return l->latest ? RCC_MIN (expiry, d->left + l->latest) : expiry;
}

void
rcc_delivery_sent (RccDeliveryStats *l, RccDatagram *d, bool expired, RccTime now)
{
  RccStreamCount *c = entry (l, d);
  RccLosses *bin = losses (l, d, l->bin);

  d->left = now;
  d->left_bin = l->bin;
  if (bin) {
    bin->left++;
    bin->deadline |= deadline (l, d) != RCC_NEVER;
  }
  if (!c)
    return;
  c->sent++;
  c->sent_expired += expired;
  c->queue_time += (double) (now - d->queued);
  c->queue_time_max = RCC_MAX (c->queue_time_max, now - d->queued);
}

void
rcc_delivery_lost (RccDeliveryStats *l, const RccDatagram *d)
{
  RccLosses *bin = losses (l, d, d->left_bin);

  if (bin)
    bin->lost++;
}

void
rcc_delivery_received (RccDeliveryStats *l, const RccDatagram *d, RccTime now)
{
  RccStreamCount *c = entry (l, d);
  RccLosses *bin = losses (l, d, d->left_bin);

  if (bin)
    bin->late += now > deadline (l, d);
  if (!c)
    return;
  c->received++;
  c->on_time += now <= rcc_delivery_expiry (l, d);
}

RccTime
rcc_delivery_expiry (const RccDeliveryStats *l, const RccDatagram *d)
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
