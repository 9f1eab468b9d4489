/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * path-rig.h - a send path on a clock of its own, and what left it
 */
#ifndef RCC_SEND_PATH_RIG_H
#define RCC_SEND_PATH_RIG_H

#include <glib.h>
#include <string.h>

#include "core/rng.h"
#include "send/path.h"

#define MS RCC_MSEC
#define S RCC_SEC
#define CAPACITY 512
#define MTU 1500

enum { AUDIO = 0xa0d10, VIDEO = 0x71de0, RTX = 0x127 };

typedef struct {
  guint32 ssrc;
  guint16 seq;                          /* as it came */
  guint32 size;
  guint8 data[MTU];
} Packet;

typedef struct {
  Packet packet;                        /* as it left */
  RccTime at;
  guint16 seq;                          /* by which it left */
  guint32 size;
  gboolean padding;
  RccPacket reported;
} Left;

typedef struct {
  RccSend s;
  RccFeedback feedback;
  RccSbpnEntry entries[CAPACITY];
  RccSendSlot slots[CAPACITY];
  RccTime now;
  GArray *left;                         /* Left */
  guint put, dropped, audio_dropped;
  guint16 seq[3];
  guint32 timestamp;
} Rig;

static RccSendConfig config;

static inline Rig *
rig_new (guint32 bps)
{
  Rig *r = g_new0 (Rig, 1);

  r->now = S;
  r->left = g_array_new (FALSE, FALSE, sizeof (Left));
  rcc_feedback_init (&r->feedback, g_realloc);
  rcc_send_init (&r->s, &config, r->entries, r->slots, CAPACITY, &r->feedback, r->now);
  rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_TARGET | RCC_PACING, .target_bps = bps,
    .pacing_bps = bps }, r->now);
  return r;
}

static inline const Left *
nth (Rig *r, guint i)
{
  return &g_array_index (r->left, Left, i);
}

static inline void
drop (Rig *r, const RccSendOut *out)
{
  r->dropped++;
  r->audio_dropped += ((Packet *) out->handle)->ssrc == AUDIO;
  g_free (out->handle);
}

static inline void
leaves (Rig *r, const RccSendOut *out, Packet *packet)
{
  Left l = { .packet = *packet, .at = r->now, .reported = out->sent, .size = out->size };

  rcc_send_out_write (out, l.packet.data, packet->size);
  l.seq = rcc_be16 (l.packet.data + 2);
  l.padding = l.packet.data[0] >> 5 & 1;
  g_array_append_val (r->left, l);
}

/* Whatever may leave now does; returns when to ask again. */
static inline RccTime
ask (Rig *r)
{
  RccSendOut out;
  RccTime when;

  for (;;)
    switch (rcc_send_next (&r->s, r->now, &when, &out)) {
      case RCC_SEND_PACKET:
        leaves (r, &out, out.handle);
        g_free (out.handle);
        break;
      case RCC_SEND_PADDING: {
        Packet p = { .ssrc = VIDEO };

        rcc_send_pad (&r->s, p.data, r->now, &out);
        p.size = out.size;
        leaves (r, &out, &p);
        break;
      }
      case RCC_SEND_DROPPED:
        drop (r, &out);
        break;
      case RCC_SEND_PARITY:
        g_assert_not_reached ();        /* test-parity.c */
      case RCC_SEND_WAIT:
        return when;
    }
}

/* The clock goes on to @until, woken whenever it is time, @late. */
static inline void
run_late (Rig *r, RccTime until, RccTime late)
{
  for (RccTime when; (when = ask (r)) <= until && when + late <= until;) {
    g_assert_cmpuint (when, >, r->now);
    r->now = when + late;
  }
  r->now = until;
}

static inline void
run (Rig *r, RccTime until)
{
  run_late (r, until, 0);
  ask (r);
}

static inline void
put_packet (Rig *r, const RccSendPacket *packet, Packet *p, bool alone)
{
  RccSendOut out;

  r->put++;
  *rcc_send_room (&r->s) = *packet;
  switch (rcc_send_put (&r->s, alone, r->now, &out)) {
    case RCC_SEND_PACKET:
      g_assert_true (alone);
      leaves (r, &out, p);
      g_free (p);
      break;
    case RCC_SEND_DROPPED:
      drop (r, &out);
      break;
    default:
      break;
  }
  while (rcc_send_overflow (&r->s, r->now, &out))
    drop (r, &out);
}

static inline RccSendPacket
describe (Packet *p, guint32 timestamp, bool marker)
{
  const RccRtp rtp = { .pt = 96, .marker = marker, .seq = p->seq, .timestamp = timestamp,
    .ssrc = p->ssrc };

  rcc_rtp_build (p->data, MTU, &rtp, NULL, 0);
  return (RccSendPacket) {
    .handle = p, .size = p->size, .expiry = RCC_NEVER, .header = p->data, .ssrc = p->ssrc,
    .timestamp = timestamp, .clock_rate = 90000, .seq = p->seq, .header_size = 12,
    .transport = -1, .pt = 96, .rtp = true, .marker = marker,
    .media = p->ssrc == AUDIO ? RCC_MEDIA_AUDIO : RCC_MEDIA_VIDEO,
  };
}

static inline Packet *
new_packet (guint32 ssrc, guint16 seq, guint32 size)
{
  Packet *p = g_new0 (Packet, 1);

  p->ssrc = ssrc;
  p->seq = seq;
  p->size = size;
  return p;
}

static inline void
put_audio (Rig *r)
{
  Packet *p = new_packet (AUDIO, r->seq[0]++, 100);
  const RccSendPacket packet = describe (p, r->timestamp, false);

  put_packet (r, &packet, p, false);
}

static inline void
put_frame (Rig *r, guint packets, guint32 size, bool key)
{
  r->timestamp += 3000;
  for (guint i = 1; i <= packets; i++) {
    Packet *p = new_packet (VIDEO, r->seq[1]++, size);
    RccSendPacket packet = describe (p, r->timestamp, i == packets);

    packet.delta = !key;
    put_packet (r, &packet, p, false);
  }
}

/* A copy of @seq, as it came. */
static inline void
put_copy (Rig *r, guint16 seq, guint32 size)
{
  Packet *p = new_packet (RTX, r->seq[2]++, size);
  RccSendPacket packet = describe (p, r->timestamp, false);

  packet.retransmission = true;
  packet.osn = seq;
  rcc_put16 (p->data + 12, seq);
  put_packet (r, &packet, p, false);
}

static inline void
rig_free (Rig *r)
{
  RccSendOut out;

  while (rcc_send_flush (&r->s, RCC_SBPN_ALL, &out)) {
    g_assert_cmpint (out.cause, ==, RCC_SBPN_FLUSHED);
    drop (r, &out);
  }
  g_assert_cmpuint (r->s.packets - r->s.padding_packets + r->dropped, ==, r->put);
  g_assert_true (rcc_send_is_empty (&r->s));
  g_assert_cmpuint (r->s.pacer.queued_packets, ==, 0);
  g_assert_cmpuint (r->s.pacer.queued_bytes, ==, 0);
  g_array_free (r->left, TRUE);
  rcc_send_clear (&r->s);
  rcc_feedback_clear (&r->feedback);
  g_free (r);
}

/* The numbers of @ssrc that left are all there are, one by one. */
static inline guint
assert_no_gap (Rig *r, guint32 ssrc)
{
  guint n = 0;
  guint16 last = 0;

  for (guint i = 0; i < r->left->len; i++) {
    const Left *l = nth (r, i);

    if (l->packet.ssrc != ssrc)
      continue;
    g_assert_true (n == 0 || l->seq == (guint16) (last + 1));
    last = l->seq;
    n++;
  }
  return n;
}

#endif
