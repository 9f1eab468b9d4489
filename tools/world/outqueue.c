/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world/outqueue.h"

#include <stdlib.h>

RccOutqueueConfig
rcc_outqueue_config (void)
{
  return (RccOutqueueConfig) {
    .scheduler = rcc_sbpn_config (),
    .classes = {
      [RCC_WORLD_AUDIO] = { .priority = 0, .weight = 1 },
      [RCC_WORLD_VIDEO] = { .priority = 1, .weight = 1, .whole_frames = true },
    },
  };
}

void
rcc_outqueue_init (RccOutqueue *q, const RccOutqueueConfig *config, uint32_t bps,
    RccTime burst, RccTime max_queue, RccTime now)
{
  *q = (RccOutqueue) { .tail = &q->head, .tail_drop = config->tail_drop };
  rcc_pacer_init (&q->pacer, bps, burst, max_queue, now);
  rcc_sbpn_way_init (&q->way, config->way);
  q->way.life = 0;                      /* put() learns it */
  if (!config->scheduled)
    return;
  q->scheduler = malloc (sizeof *q->scheduler);
  q->entries = malloc (RCC_OUTQUEUE_ENTRIES * sizeof *q->entries);
  rcc_sbpn_init (q->scheduler, &config->scheduler, q->entries, RCC_OUTQUEUE_ENTRIES);
  for (uint32_t k = 0; k < RCC_WORLD_STREAMS; k++)
    rcc_sbpn_set_class (q->scheduler, k, &config->classes[k]);
}

static RccDatagram *
take_head (RccOutqueue *q)
{
  RccDatagram *d = q->head;

  q->head = d->next;
  if (!q->head)
    q->tail = &q->head;
  d->next = NULL;
  return d;
}

void
rcc_outqueue_clear (RccOutqueue *q)
{
  RccSbpnOut out;

  while (q->head)
    free (take_head (q));
  while (q->scheduler && rcc_sbpn_flush (q->scheduler, RCC_SBPN_ALL, &out))
    free (out.packet.handle);
  free (q->scheduler);
  free (q->entries);
}

static bool
is_full (const RccOutqueue *q)
{
  return q->scheduler && q->tail_drop && q->scheduler->config.max_packets > 0
      && q->scheduler->queue.total.queued.packets >= q->scheduler->config.max_packets;
}

bool
rcc_outqueue_put (RccOutqueue *q, RccDatagram *d, RccTime expiry, RccTime now)
{
  if (is_full (q))
    return false;
  d->queued = now;
  q->way.life = RCC_MAX (q->way.life, expiry - RCC_MIN (now, expiry));
  rcc_pacer_queued (&q->pacer, d->size);
  if (q->scheduler) {
    rcc_sbpn_put (q->scheduler, &(RccSbpnPacket) { .handle = d, .frame = d->frame,
      .expiry = expiry, .size = d->size, .klass = d->stream }, now);
    return true;
  }
  *q->tail = d;
  q->tail = &d->next;
  return true;
}

static void
take (RccOutqueue *q, const RccSbpnOut *from, bool dropped, RccOutqueueOut *out)
{
  *out = (RccOutqueueOut) { from->packet.handle, dropped, from->cause, from->expired };
  if (dropped)
    rcc_pacer_removed (&q->pacer, out->datagram->size);
}

bool
rcc_outqueue_surplus (RccOutqueue *q, RccTime now, RccOutqueueOut *out)
{
  RccSbpnOut from;

  if (q->scheduler) {
    if (!rcc_sbpn_overflow (q->scheduler, now, &from))
      return false;
    take (q, &from, true, out);
    return true;
  }
  if (!rcc_pacer_over (&q->pacer))
    return false;
  *out = (RccOutqueueOut) { take_head (q), true, RCC_SBPN_OLD, false };
  rcc_pacer_removed (&q->pacer, out->datagram->size);
  return true;
}

bool
rcc_outqueue_next (RccOutqueue *q, RccTime now, RccOutqueueOut *out)
{
  RccSbpnVerdict verdict;
  RccSbpnOut from = { .expired = false };

  if (!q->scheduler) {
    if (!q->head)
      return false;
    *out = (RccOutqueueOut) { .datagram = take_head (q) };
    return true;
  }
  rcc_sbpn_travel (q->scheduler, rcc_sbpn_way_travel (&q->way, now));
  verdict = rcc_sbpn_next (q->scheduler, now, &from);
  if (verdict == RCC_SBPN_EMPTY)
    return false;
  take (q, &from, verdict == RCC_SBPN_DROP, out);
  return true;
}

uint32_t
rcc_outqueue_sent (RccOutqueue *q, const RccDatagram *d, uint32_t cost, RccTime now)
{
  if (!d->padding)
    rcc_pacer_removed (&q->pacer, d->size);
  return rcc_pacer_sent (&q->pacer, cost, true, now);
}

static RccOutqueue *
queue_of (RccSender *ear)
{
  return (RccOutqueue *) ((char *) ear - offsetof (RccOutqueue, ear));
}

static RccUpdate
hear_report (RccSender *ear, const RccReport *report, RccTime now)
{
  RccOutqueue *q = queue_of (ear);

  rcc_sbpn_way_report (&q->way, report->rtt, now);
  return rcc_tell (q->control, on_report, report, now);
}

static RccUpdate
hear_rtcp (RccSender *ear, const RccRtcp *rtcp, RccTime now)
{
  return rcc_tell (queue_of (ear)->control, on_rtcp, rtcp, now);
}

static RccUpdate
hear_feedback (RccSender *ear, const RccPacket *packets, size_t n, RccTime now)
{
  RccOutqueue *q = queue_of (ear);

  rcc_sbpn_way_feedback (&q->way, packets, n, now);
  return rcc_tell (q->control, on_feedback, packets, n, now);
}

static RccUpdate
hear_remb (RccSender *ear, uint32_t bps, RccTime now)
{
  return rcc_tell (queue_of (ear)->control, on_remb, bps, now);
}

RccSender *
rcc_outqueue_ear (RccOutqueue *q, RccSender *control)
{
  static const RccSenderOps ops = {
    .name = "ear", .on_report = hear_report, .on_rtcp = hear_rtcp,
    .on_feedback = hear_feedback, .on_remb = hear_remb,
  };

  q->ear.ops = &ops;
  q->control = control;
  return &q->ear;
}

void
rcc_outqueue_rtt (RccOutqueue *q, RccTime rtt, RccTime now)
{
  q->way.rtt = rtt;
  if (q->scheduler)
    rcc_sbpn_travel (q->scheduler, rcc_sbpn_way_travel (&q->way, now));
}
