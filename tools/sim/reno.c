/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/reno.h"

#include <stdlib.h>
#include <string.h>

#include "wire/bytes.h"

#define DUPLICATES 3                    /* RFC 5681 3.2 */
#define WINDOW_FIRST 4.0                /* RFC 5681 3.1, packets of at most 1095 bytes */
#define RTO_FIRST RCC_SEC               /* RFC 6298 2 */
#define RTO_MAX (60 * RCC_SEC)
#define PORT 5001
#define FLAG_ACK 0x10

enum { AT_SEQ = 4, AT_ACK = 8, AT_OFFSET = 12, AT_FLAGS = 13 };

RccRenoConfig
rcc_reno_config (void)
{
  return (RccRenoConfig) { .packet_size = 519, .stop = RCC_NEVER,
    .rto_slack = 200 * RCC_MSEC, .max_window = RCC_RENO_WINDOW, .newreno = true,
    .limited_transmit = true, .overhead = RCC_MSEC };
}

void
rcc_reno_init (RccReno *r, const RccRenoConfig *config)
{
  memset (r, 0, sizeof *r);
  r->config = *config;
  r->config.max_window = RCC_CLAMP (config->max_window, 1, RCC_RENO_WINDOW);
  r->config.packet_size = RCC_CLAMP (config->packet_size, RCC_RENO_HEADER + 1,
      RCC_WORLD_MTU);
  rcc_rng_init (&r->rng, config->seed, 0x5681);
  r->window = WINDOW_FIRST;
  r->threshold = r->config.max_window;
  r->rto = RTO_FIRST;
  r->timer = r->timed_at = RCC_NEVER;
}

static uint32_t
payload (const RccReno *r)
{
  return r->config.packet_size - RCC_RENO_HEADER;
}

static uint32_t
flight (const RccReno *r)
{
  return r->next - r->una;
}

/* How many may be in flight. */
static uint32_t
allowed (const RccReno *r)
{
  const unsigned early = r->config.limited_transmit && !r->recovering
      ? RCC_MIN (r->duplicates, DUPLICATES - 1) : 0;

  return RCC_MIN ((uint32_t) r->window + early, r->config.max_window);
}

static bool
may_send (const RccReno *r, RccTime now)
{
  return now >= r->config.start && now < r->config.stop
      && (r->again || flight (r) < allowed (r));
}

RccTime
rcc_reno_next (const RccReno *r, RccTime now)
{
  if (now < r->config.start)
    return r->config.start;
  if (now >= r->config.stop)
    return RCC_NEVER;
  return may_send (r, now) ? RCC_MIN (RCC_MAX (now, r->ready), r->timer) : r->timer;
}

static RccDatagram *
make (uint32_t seq, uint32_t ack, uint32_t size)
{
  RccDatagram *d = calloc (1, sizeof *d);

  rcc_put16 (d->data, PORT);
  rcc_put16 (d->data + 2, PORT);
  rcc_put32 (d->data + AT_SEQ, seq);
  rcc_put32 (d->data + AT_ACK, ack);
  d->data[AT_OFFSET] = RCC_RENO_HEADER / 4 << 4;
  d->data[AT_FLAGS] = FLAG_ACK;
  rcc_put16 (d->data + 14, 65535);
  d->tcp = true;
  d->size = size;
  return d;
}

/* RFC 6298 5: the oldest is due a whole timeout from now. */
static void
arm (RccReno *r, RccTime now)
{
  r->timer = flight (r) > 0 ? now + r->rto : RCC_NEVER;
}

/* RFC 5681 eq. 4; what duplicates let out early (RFC 3042) does not count. */
static void
halve (RccReno *r)
{
  const double out = RCC_MIN ((double) flight (r), r->window);

  r->threshold = RCC_MAX (out / 2.0, 2.0);
}

/* RFC 5681 3.1, RFC 6298 5.4-5.7: everything not acknowledged is sent again. */
static void
time_out (RccReno *r, RccTime now)
{
  halve (r);
  r->timeouts++;
  r->window = 1.0;
  r->duplicates = 0;
  r->recovering = false;
  r->recover = r->high;
  r->next = r->una;
  r->timed_at = RCC_NEVER;
  r->again = false;
  r->rto = RCC_MIN (2 * r->rto, RTO_MAX);
  r->timer = now + r->rto;
}

static RccDatagram *
emit (RccReno *r, uint32_t number, RccTime now)
{
  RccDatagram *d = make (number * payload (r), 0, r->config.packet_size);

  r->sent++;
  if (number < r->high)
    r->retransmitted++;
  else if (r->timed_at == RCC_NEVER) {
    r->timed = number;
    r->timed_at = now;
  }
  r->high = RCC_MAX (r->high, number + 1);
  if (r->timer == RCC_NEVER)
    r->timer = now + r->rto;
  return d;
}

static void
work (RccReno *r, RccTime now)
{
  if (r->config.overhead > 0 && now >= r->ready)
    r->ready = now + (RccTime) (rcc_rng_uniform (&r->rng) * (double) r->config.overhead);
}

RccDatagram *
rcc_reno_poll (RccReno *r, RccTime now)
{
  if (now >= r->timer && now < r->config.stop)
    time_out (r, now);
  if (!may_send (r, now) || now < r->ready)
    return NULL;
  work (r, now);
  if (r->again) {
    r->again = false;
    return emit (r, r->una, now);
  }
  return emit (r, r->next++, now);
}

RccDatagram *
rcc_reno_segment (RccReno *r, const uint8_t *data, size_t size)
{
  uint32_t number;

  if (size != r->config.packet_size || rcc_be32 (data + AT_SEQ) % payload (r) != 0)
    return NULL;
  number = rcc_be32 (data + AT_SEQ) / payload (r);
  if (number >= r->expected && number - r->expected < RCC_RENO_WINDOW)
    r->held[number % RCC_RENO_WINDOW] = 1;
  while (r->held[r->expected % RCC_RENO_WINDOW]) {
    r->held[r->expected++ % RCC_RENO_WINDOW] = 0;
    r->delivered++;
  }
  return make (0, r->expected * payload (r), RCC_RENO_HEADER);
}

/* RFC 6298 2 */
static void
measure (RccReno *r, RccTime sample)
{
  RccTime off;

  if (r->srtt == 0) {
    r->srtt = sample;
    r->rttvar = sample / 2;
  } else {
    off = sample > r->srtt ? sample - r->srtt : r->srtt - sample;
    r->rttvar = (3 * r->rttvar + off) / 4;
    r->srtt = (7 * r->srtt + sample) / 8;
  }
  r->rto = RCC_MIN (r->srtt + RCC_MAX (4 * r->rttvar, r->config.rto_slack), RTO_MAX);
}

/* RFC 6582 3.2 step 3: the next hole, and what has left the network makes room. */
static void
take_partial (RccReno *r, uint32_t taken)
{
  r->again = true;
  r->window = RCC_MAX (r->window - taken, 0.0) + 1.0;
}

static void
take_new (RccReno *r, uint32_t ack, RccTime now)
{
  const uint32_t taken = ack - r->una;

  if (r->timed_at != RCC_NEVER && ack > r->timed) {
    if (!r->recovering)
      measure (r, now - r->timed_at);
    r->timed_at = RCC_NEVER;
  }
  r->una = ack;
  r->next = RCC_MAX (r->next, ack);
  r->duplicates = 0;
  if (r->recovering && r->config.newreno && ack < r->recover) {
    take_partial (r, taken);
  } else if (r->recovering) {
    r->recovering = false;
    r->window = r->threshold;
  } else if (r->window < r->threshold) {
    r->window += 1.0;
  } else {
    r->window += 1.0 / r->window;
  }
  r->window = RCC_MIN (r->window, (double) r->config.max_window);
  arm (r, now);
}

/* RFC 5681 3.2; RFC 6582 3.2 step 1: not twice for what one window lost. */
static void
take_duplicate (RccReno *r)
{
  if (r->recovering) {
    r->window += 1.0;
    return;
  }
  if (++r->duplicates != DUPLICATES || r->una < r->recover)
    return;
  halve (r);
  r->fast_retransmits++;
  r->recovering = true;
  r->recover = r->high;
  r->window = r->threshold + DUPLICATES;
  r->timed_at = RCC_NEVER;
  r->again = true;
}

void
rcc_reno_ack (RccReno *r, const uint8_t *data, size_t size, RccTime now)
{
  uint32_t ack;

  if (size != RCC_RENO_HEADER || rcc_be32 (data + AT_ACK) % payload (r) != 0)
    return;
  ack = rcc_be32 (data + AT_ACK) / payload (r);
  if (ack > r->high || ack < r->una)
    return;
  work (r, now);
  if (ack > r->una)
    take_new (r, ack, now);
  else if (flight (r) > 0)
    take_duplicate (r);
}
