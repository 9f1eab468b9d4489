/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What waits in the send path: what comes takes a slot, the scheduler says what is next,
 * pacer and controller when.
 */
#include "core/sbpn/eviction.h"
#include "send/private.h"
#include "send/protect.h"

#define NONE RCC_SBPN_NONE
#define DRAIN_MAX 1.25                  /* times the rate: an encoder that is deaf to it must
                                         * not send as it likes */

/* --- slots ---------------------------------------------------------------- */

void
rcc_send_let_free (RccSend *s, uint32_t i)
{
  s->slots[i].next = s->free;
  s->free = i;
}

static void *
handle_of (uint32_t i)
{
  return (void *) (uintptr_t) i;
}

static RccSendSlot *
slot_of (RccSend *s, const RccSbpnOut *from)
{
  return &s->slots[(uintptr_t) from->packet.handle];
}

void
rcc_send_grow (RccSend *s, RccSbpnEntry *entries, RccSendSlot *slots, uint32_t capacity)
{
  s->entries = entries;
  s->slots = slots;
  for (uint32_t i = capacity; i-- > s->capacity;)
    rcc_send_let_free (s, i);
  s->capacity = capacity;
  rcc_sbpn_grow (&s->sbpn, entries, capacity);
}

bool
rcc_send_is_full (const RccSend *s)
{
  return s->sbpn.queue.total.queued.packets + 1 >= s->capacity;
}

/* --- what comes ----------------------------------------------------------- */

static uint32_t
class_of (const RccSend *s, const RccSendPacket *p, const RccSendStream *stream)
{
  if (s->config.scheduled)
    return p->pad;
  if (p->retransmission)
    return RCC_SEND_RTX;
  if (p->media == RCC_MEDIA_AUDIO || (stream && rcc_send_stream_is_audio (stream)))
    return RCC_SEND_AUDIO;
  return RCC_SEND_MEDIA;
}

static void
note_pad (RccSendPad *pad, const RccSendPacket *p, bool scheduled, RccTime now)
{
  pad->malformed += !p->rtp;
  pad->retransmissions += p->retransmission;
  if (scheduled)
    rcc_window_add (&pad->rate, p->size, now);
}

/* False: it is too much. */
static bool
note_copy (RccSend *s, RccSendSlot *slot, RccTime now)
{
  const RccRtxRequest *request = rcc_rtx_answer (&s->rtx, slot->packet.osn);
  const uint32_t least = slot->packet.header_size + RCC_RTX_OSN_SIZE;

  slot->asked = request != NULL;
  if (request) {
    slot->left = request->left;
    slot->cut = request->empty && slot->packet.size >= least;
  }
  if (slot->cut)
    slot->packet.size = least;
  return rcc_rtx_admit (&s->rtx, slot->asked, slot->packet.size, s->target_bps, now);
}

/* False: a retransmission that is too much. */
static bool
note_arrival (RccSend *s, RccSendSlot *slot, RccSendStream *stream, RccTime now)
{
  const RccSendPacket *p = &slot->packet;
  bool admitted = true;

  slot->asked = slot->cut = false;
  s->malformed += !stream;
  rcc_send_add (s, p->pad);
  note_pad (&s->pads[p->pad], p, s->config.scheduled, now);
  if (stream) {
    stream->pad = p->pad;
    slot->number = rcc_seq_rewrite_arrive (&stream->seq_rewrite, p->seq);
    if (!p->retransmission)
      rcc_send_stream_note (stream, p);
  }
  if (stream && p->retransmission)
    admitted = note_copy (s, slot, now);
  slot->class_index = class_of (s, p, stream);
  s->arrived[slot->class_index]++;
  return admitted;
}

/* Frames behind a broken one are of no use until a key frame comes. */
static bool
is_doomed (const RccSend *s, const RccSendSlot *slot, RccSendStream *stream)
{
  if (!stream || !stream->needs_key || slot->packet.retransmission || slot->packet.parity)
    return false;
  if (!slot->packet.delta)
    stream->needs_key = false;
  return slot->packet.delta
      && rcc_sbpn_class (&s->sbpn, slot->class_index)->config.up_to_key;
}

/* What a retransmission repeats came before all that waits of its pad, and so it expires before
 * what is still in time.  Behind that the copy would wait for many round trips. */
static RccTime
expiry_of_copy (RccSend *s, const RccSendSlot *slot, RccTime now)
{
  const RccTime deadline = rcc_sbpn_deadline (&s->sbpn, now), expiry = slot->packet.expiry;
  const uint32_t first = rcc_sbpn_queue_live (&s->sbpn.queue, slot->class_index, deadline);
  const RccSbpnPacket *waits;

  if (first == NONE)
    return expiry;
  waits = &s->sbpn.queue.entries[first].packet;
  if (waits->expiry <= deadline)
    return expiry;
  return RCC_MIN (expiry, waits->expiry
      - !s->slots[(uintptr_t) waits->handle].packet.retransmission);
}

/* A packet's frame is its SSRC and timestamp; a retransmission mends one that is gone. */
static RccSbpnPacket
describe (RccSend *s, const RccSendSlot *slot, uint32_t i, bool doomed, RccTime now)
{
  const RccSendPacket *p = &slot->packet;
  RccSbpnPacket packet = {
    .handle = handle_of (i), .expiry = p->expiry, .size = p->size, .class_index = slot->class_index,
    .keep = p->keep, .delta = p->delta, .doomed = doomed,
  };

  if (p->retransmission)
    packet.expiry = expiry_of_copy (s, slot, now);
  else if (p->rtp)
    packet.frame = RCC_MAX ((uint64_t) p->ssrc << 32 | p->timestamp, 1);
  return packet;
}

/* The pacer counts it already. */
static bool
enqueue (RccSend *s, uint32_t i, RccSendStream *stream, RccTime now)
{
  RccSendSlot *slot = &s->slots[i];
  const RccSbpnPacket packet = describe (s, slot, i, is_doomed (s, slot, stream), now);

  return rcc_sbpn_put (&s->sbpn, &packet, now);
}

static bool
is_allowed (const RccSend *s, uint32_t size, RccTime now)
{
  const RccSender *c = s->controller;

  return !c || !c->ops->allowance || c->ops->allowance (c, now) >= size;
}

/* In the middle of a frame padding would spoil it for depayloaders that take packets as they
 * come. The frame's next packet goes on with the probe. */
static bool
may_pad (const RccSend *s)
{
  return rcc_send_can_pad (s) && rcc_send_padded (s)->frame_ended;
}

/* What the pacer has to say where it says anything. */
static RccPacerVerdict
ask_pacer (RccSend *s, RccTime now, RccTime *when)
{
  *when = RCC_NEVER;
  if (!s->paced)
    return rcc_send_is_empty (s) ? RCC_PACER_WAIT : RCC_PACER_MEDIA;
  s->pacer.may_pad = may_pad (s);
  return rcc_pacer_next (&s->pacer, now, when);
}

/* The queue is empty and nobody is pushing: whether @slot may leave at once. */
static bool
may_pass (RccSend *s, const RccSendSlot *slot, RccTime now)
{
  RccTime when;

  return (!s->paced || ask_pacer (s, now, &when) == RCC_PACER_MEDIA)
      && is_allowed (s, slot->packet.size, now);
}

/* In the paper's kernel what finds a full queue falls. */
static bool
is_tail_dropped (const RccSend *s)
{
  return s->config.tail_drop && s->sbpn.config.max_packets > 0
      && s->sbpn.queue.total.queued.packets >= s->sbpn.config.max_packets;
}

/* A rate at which the oldest packet, and all that is queued with it, leaves in time. */
static uint32_t
drain_bps (const RccSend *s, RccTime now)
{
  const RccTime drain = s->config.drain, least = drain / 8;
  RccTime waited, left;
  double bps;

  if (drain == 0 || s->backlog.since == RCC_NEVER)
    return 0;
  waited = now - RCC_MIN (s->backlog.since, now);
  left = RCC_MAX (drain - RCC_MIN (waited, drain), least);
  bps = 8e9 * (double) s->pacer.queued_bytes / (double) left;
  return (uint32_t) RCC_MIN (bps, DRAIN_MAX * s->pacer.bps);
}

static void
note_backlog (RccSend *s, RccTime now)
{
  const uint32_t oldest = rcc_sbpn_queue_oldest (&s->sbpn.queue, true);

  s->backlog.packets = s->pacer.queued_packets;
  s->backlog.bytes = s->pacer.queued_bytes;
  s->backlog.since = oldest == NONE ? RCC_NEVER : s->sbpn.queue.entries[oldest].queued;
  rcc_pacer_drain (&s->pacer, drain_bps (s, now), now);
}

/* Only what says whether the rest means anything: clearing all of it takes as long as
 * sending. */
static void
begin_out (RccSendOut *out, RccTime queue_time, bool expired)
{
  out->queue_time = queue_time;
  out->expired = expired;
  out->cause = 0;
  out->sent.size = out->sent.probe = out->sent.flags = 0;
  out->renumbered = out->shown = false;
  out->send_time_at = out->transport_at = out->osn_at = 0;
  out->cut = false;
  out->update.changed = 0;
}

/* What the scheduler gives out, which leaves or falls. */
static RccSendVerdict
take (RccSend *s, RccSbpnVerdict verdict, const RccSbpnOut *from, RccTime now, RccSendOut *out)
{
  const RccSendSlot *slot = slot_of (s, from);

  begin_out (out, from->queue_time, from->expired);
  if (verdict == RCC_SBPN_SEND)
    rcc_send_depart (s, slot, rcc_send_stream_of (s, slot), now, out);
  else
    rcc_send_mark_unsent (s, slot, from, now, out);
  rcc_send_let_free (s, (uint32_t) (slot - s->slots));
  note_backlog (s, now);
  return verdict == RCC_SBPN_SEND ? RCC_SEND_PACKET : RCC_SEND_DROPPED;
}

static RccSendVerdict
refuse (RccSend *s, uint32_t i, RccTime now, RccSendOut *out)
{
  rcc_send_mark_unsent (s, &s->slots[i], NULL, now, out);
  rcc_send_let_free (s, i);
  return RCC_SEND_DROPPED;
}

/* A key frame, or what lies behind a broken one: the queue decides. */
static bool
is_waiting_for_key (const RccSendStream *stream)
{
  return stream && stream->needs_key;
}

RccSendPacket *
rcc_send_room (RccSend *s)
{
  return &s->slots[s->free].packet;     /* one is free, as one entry is */
}

RccSendVerdict
rcc_send_put (RccSend *s, bool alone, RccTime now, RccSendOut *out)
{
  const uint32_t i = s->free;
  RccSendSlot *slot = &s->slots[i];
  RccSendStream *stream = rcc_send_stream_of (s, slot);
  RccSbpnOut from;
  bool passes;

  s->free = slot->next;
  if (!note_arrival (s, slot, stream, now) || is_tail_dropped (s))
    return refuse (s, i, now, out);
  rcc_pacer_queued (&s->pacer, slot->packet.size, now);
  passes = alone && rcc_send_is_empty (s) && may_pass (s, slot, now);
  if (passes && !s->config.scheduled && !is_waiting_for_key (stream)) {
    begin_out (out, 0, false);
    rcc_send_depart (s, slot, stream, now, out);
    rcc_send_let_free (s, i);
    return RCC_SEND_PACKET;
  }
  rcc_send_look_ahead (s, now);
  if (!enqueue (s, i, stream, now)) {
    rcc_pacer_removed (&s->pacer, slot->packet.size);
    return refuse (s, i, now, out);
  }
  if (passes)
    return take (s, rcc_sbpn_next (&s->sbpn, now, &from), &from, now, out);
  note_backlog (s, now);
  return RCC_SEND_WAIT;
}

bool
rcc_send_overflow (RccSend *s, RccTime now, RccSendOut *out)
{
  RccSbpnOut from;

  if (rcc_send_is_empty (s) || !rcc_sbpn_overflow (&s->sbpn, now, &from))
    return false;
  take (s, RCC_SBPN_DROP, &from, now, out);
  return true;
}

bool
rcc_send_flush (RccSend *s, uint32_t k, RccSendOut *out)
{
  RccSbpnOut from;

  rcc_send_end_probe (s);
  if (!rcc_sbpn_flush (&s->sbpn, k, &from))
    return false;
  take (s, RCC_SBPN_DROP, &from, 0, out);
  return true;
}

/* --- what leaves ---------------------------------------------------------- */

/* Something is queued and the pacer lets it go: whether the controller does. */
static bool
next_is_allowed (RccSend *s, RccTime now)
{
  RccSbpnPacket packet;

  if (!s->controller || !s->controller->ops->allowance)
    return true;
  return rcc_sbpn_peek (&s->sbpn, now, &packet) != RCC_SBPN_SEND
      || is_allowed (s, packet.size, now);
}

static RccSendVerdict
next_packet (RccSend *s, RccTime now, RccSendOut *out)
{
  RccSbpnVerdict verdict;
  RccSbpnOut from;

  rcc_send_look_ahead (s, now);
  if (!next_is_allowed (s, now))
    return RCC_SEND_WAIT;               /* until it hears of what is in flight */
  verdict = rcc_sbpn_next (&s->sbpn, now, &from);
  if (verdict == RCC_SBPN_EMPTY)
    return RCC_SEND_WAIT;
  take (s, verdict, &from, now, out);
  if (verdict == RCC_SBPN_SEND)
    return RCC_SEND_PACKET;
  if (s->config.drops_take_turns && out->cause == RCC_SBPN_EXPIRED && s->paced)
    rcc_pacer_sent (&s->pacer, rcc_send_cost (s, out->size), now);
  return RCC_SEND_DROPPED;
}

bool
rcc_send_parity_may_leave (RccSend *s, RccTime now, RccTime *when)
{
  *when = now;
  if (s->config.parity_at_once || !s->paced)
    return true;
  return ask_pacer (s, now, when) == RCC_PACER_MEDIA
      && is_allowed (s, s->parity->held[s->parity->first].size, now);
}

/* When what waits longest has done so for too long; RCC_NEVER: nothing will. */
static RccTime
too_old_at (const RccSend *s)
{
  const RccTime most = s->sbpn.config.max_time;

  if (s->backlog.since == RCC_NEVER || most >= RCC_NEVER - s->backlog.since)
    return RCC_NEVER;
  return s->backlog.since + most + 1;
}

static RccTime
sooner (RccTime when, RccTime old, RccTime now)
{
  return old > now ? RCC_MIN (when, old) : when;
}

RccTime
rcc_send_due (RccSend *s, RccTime now)
{
  const RccTime old = too_old_at (s);
  RccSbpnCause cause;
  RccTime when;

  if (rcc_sbpn_victim (&s->sbpn.queue, &s->sbpn.config, now, rcc_sbpn_deadline (&s->sbpn, now),
          &cause) != NONE)
    return now;
  if (rcc_send_parity_due (s))
    return rcc_send_parity_may_leave (s, now, &when) ? now : sooner (when, old, now);
  switch (ask_pacer (s, now, &when)) {
    case RCC_PACER_MEDIA:
      when = next_is_allowed (s, now) ? now : RCC_NEVER;
      break;
    case RCC_PACER_PADDING:
      when = may_pad (s) || !rcc_send_can_pad (s) ? now : RCC_NEVER;
      break;
    case RCC_PACER_WAIT:
      break;
  }
  return sooner (when, old, now);
}

RccSendVerdict
rcc_send_next (RccSend *s, RccTime now, RccTime *when, RccSendOut *out)
{
  RccSendVerdict verdict = RCC_SEND_WAIT;

  if (rcc_send_overflow (s, now, out))
    return RCC_SEND_DROPPED;
  if (rcc_send_parity_passes (s, now))
    return RCC_SEND_PARITY;
  switch (rcc_send_parity_due (s) ? RCC_PACER_WAIT : ask_pacer (s, now, when)) {
    case RCC_PACER_MEDIA:
      verdict = next_packet (s, now, out);
      break;
    case RCC_PACER_PADDING:
      if (may_pad (s))
        return rcc_send_fills_probe (s) ? RCC_SEND_PARITY : RCC_SEND_PADDING;
      if (!rcc_send_can_pad (s))
        rcc_send_end_probe (s);
      break;
    case RCC_PACER_WAIT:
      break;
  }
  if (verdict == RCC_SEND_WAIT)
    *when = rcc_send_due (s, now);
  return verdict;
}
