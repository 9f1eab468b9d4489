/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/renumber.h"

#define SLOT(seq) ((seq) & (RCC_RENUMBER_RING - 1))

void
rcc_renumber_init (RccRenumber *r)
{
  r->n_streams = r->hit = r->n_requests = 0;
  r->uses = 0;
}

static const RccRenumberStream *
find (const RccRenumber *r, uint32_t ssrc)
{
  for (unsigned i = 0; i < r->n_streams; i++)
    if (r->streams[i].ssrc == ssrc)
      return &r->streams[i];
  return NULL;
}

static RccRenumberStream *
stream (RccRenumber *r, uint32_t ssrc, uint16_t seq)
{
  unsigned oldest = 0;

  if (r->hit < r->n_streams && r->streams[r->hit].ssrc == ssrc)
    return &r->streams[r->hit];
  for (unsigned i = 0; i < r->n_streams; i++) {
    if (r->streams[i].ssrc == ssrc)
      return &r->streams[r->hit = i];
    if (r->streams[i].used < r->streams[oldest].used)
      oldest = i;
  }
  if (r->n_streams < RCC_RENUMBER_STREAMS)
    oldest = r->n_streams++;
  r->hit = oldest;
  r->streams[oldest].ssrc = ssrc;
  r->streams[oldest].next = seq;
  r->streams[oldest].changed = false;
  r->streams[oldest].departed = 0;
  return &r->streams[oldest];
}

uint16_t
rcc_renumber_depart (RccRenumber *r, uint32_t ssrc, uint16_t seq, uint32_t owner)
{
  RccRenumberStream *s = stream (r, ssrc, seq);
  const uint16_t number = s->next++;

  s->owner = owner;
  s->used = ++r->uses;
  s->departed++;
  s->changed |= number != seq;
  s->former[SLOT (number)] = seq;
  return number;
}

uint32_t
rcc_renumber_owner (const RccRenumber *r, uint32_t ssrc)
{
  const RccRenumberStream *s = find (r, ssrc);

  return s ? s->owner : RCC_RENUMBER_NOBODY;
}

void
rcc_renumber_disown (RccRenumber *r, uint32_t owner)
{
  for (unsigned i = 0; i < r->n_streams; i++)
    if (r->streams[i].owner == owner)
      r->streams[i].owner = RCC_RENUMBER_NOBODY;
}

bool
rcc_renumber_request (RccRenumber *r, uint32_t ssrc, uint16_t seq, uint16_t *former)
{
  const RccRenumberStream *s = find (r, ssrc);
  unsigned i;

  *former = seq;
  if (!s)
    return true;
  if ((uint16_t) (s->next - 1 - seq) >= RCC_MIN (s->departed, RCC_RENUMBER_RING))
    return false;
  *former = s->former[SLOT (seq)];
  if (!s->changed)
    return true;
  i = r->n_requests++ % RCC_RENUMBER_REQUESTS;
  r->requests[i].former = *former;
  r->requests[i].left = seq;
  return true;
}

bool
rcc_renumber_answer (const RccRenumber *r, uint16_t former, uint16_t *left)
{
  const unsigned n = RCC_MIN (r->n_requests, RCC_RENUMBER_REQUESTS);

  for (unsigned k = 1; k <= n; k++) {
    const unsigned i = (r->n_requests - k) % RCC_RENUMBER_REQUESTS;

    if (r->requests[i].former == former) {
      *left = r->requests[i].left;
      return true;
    }
  }
  return false;
}
