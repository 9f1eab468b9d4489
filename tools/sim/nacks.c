/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/nacks.h"

#include <stdlib.h>
#include <string.h>

#include "wire/nack.h"

#define PATIENCE RCC_SEC                /* after the last request: its copy may be under way */

void
rcc_nacks_init (RccNacks *k, const RccNacksConfig *config)
{
  *k = (RccNacks) { .config = *config };
}

static void
miss (RccNacks *k, uint16_t from, uint16_t to, RccTime now)
{
  if (k->n + (uint16_t) (to - from) > RCC_NACKS_MISSING)
    k->n = 0;
  for (uint16_t seq = from; seq != to && k->n < RCC_NACKS_MISSING; seq++)
    k->missing[k->n++] = (RccMissing) { .seq = seq, .next = now };
}

static void
take_out (RccNacks *k, unsigned i)
{
  k->n--;
  memmove (&k->missing[i], &k->missing[i + 1], (k->n - i) * sizeof *k->missing);
}

/* Whether it was missing. */
static bool
has_come (RccNacks *k, uint16_t seq)
{
  for (unsigned i = 0; i < k->n; i++) {
    if (k->missing[i].seq != seq)
      continue;
    take_out (k, i);
    return true;
  }
  return false;
}

static void
original (RccNacks *k, uint16_t seq, RccTime now)
{
  const int16_t ahead = (int16_t) (seq - k->highest);

  if (k->any && ahead <= 0) {
    has_come (k, seq);
    return;
  }
  if (k->any)
    miss (k, (uint16_t) (k->highest + 1), seq, now);
  k->any = true;
  k->highest = seq;
}

void
rcc_nacks_packet (RccNacks *k, const RccRtp *rtp, RccBytes packet, RccTime now)
{
  if (rtp->ssrc == k->config.ssrc) {
    original (k, rtp->seq, now);
    return;
  }
  if (rtp->pt != RCC_WORLD_PT_RTX || packet.size < rtp->header_size + 2u)
    return;
  if (has_come (k, rcc_be16 (packet.data + rtp->header_size)))
    k->recovered++;
  else
    k->unneeded++;
}

RccTime
rcc_nacks_next (const RccNacks *k)
{
  RccTime next = RCC_NEVER;

  for (unsigned i = 0; i < k->n; i++)
    next = RCC_MIN (next, k->missing[i].next);
  return next;
}

/* Those that are due, unless they have been asked for often enough. */
static unsigned
due (RccNacks *k, uint16_t *seqs, RccTime now)
{
  unsigned n = 0;

  for (unsigned i = 0; i < k->n && n < RCC_NACKS_IN_ONE;) {
    RccMissing *m = &k->missing[i];

    if (now >= m->next && m->asked == k->config.times) {
      k->given_up++;
      take_out (k, i);
      continue;
    }
    if (now >= m->next) {
      seqs[n++] = m->seq;
      m->asked++;
      m->next = now + (m->asked < k->config.times ? k->config.interval : PATIENCE);
    }
    i++;
  }
  k->requests += n;
  return n;
}

RccDatagram *
rcc_nacks_poll (RccNacks *k, RccTime now)
{
  uint16_t seqs[RCC_NACKS_IN_ONE];
  const unsigned n = due (k, seqs, now);
  RccDatagram *d;

  if (n == 0)
    return NULL;
  d = calloc (1, sizeof *d);
  d->rtcp = true;
  d->created = now;
  d->size = (uint32_t) rcc_nack_build (d->data, sizeof d->data, k->config.own,
      k->config.ssrc, seqs, n);
  return d;
}
