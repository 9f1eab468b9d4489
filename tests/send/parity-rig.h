/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parity-rig.h - a send path with parity, what left it, and our own decoder
 */
#ifndef RCC_SEND_PARITY_RIG_H
#define RCC_SEND_PARITY_RIG_H

#include <glib.h>
#include <string.h>

#include "core/rng.h"
#include "send/protect.h"
#include "wire/flexfec.h"
#include "wire/ulpfec.h"

#define MS RCC_MSEC
#define S RCC_SEC
#define CAPACITY 256
#define ROOM 4096

enum { MEDIA = 0x11223344, FEC = 77, PT = 122 };
enum { EXT_ABS = 3, EXT_TWCC = 5 };

typedef struct {
  guint32 size;
  gboolean parity, rtp;
  RccTime at;
  RccPacket reported;
  guint8 data[ROOM];
} Left;

typedef struct {
  RccSend s;
  RccSendParity parity;
  RccFeedback feedback;
  RccSbpnEntry entries[CAPACITY];
  RccSendSlot slots[CAPACITY];
  RccTime now;
  GPtrArray *left;                      /* Left */
  RccRng rng;
  guint16 seq;
  guint pieces;                         /* that packets are shown in */
  guint marker;                         /* every so many packets */
  gsize room;                           /* for parity; 0: what it needs */
  guint unwritten;                      /* parity for which that was too little */
  guint paddings;
  bool alone;
} Rig;

static inline Rig *
rig_new (const RccSendParityConfig *parity, guint n, guint depth)
{
  const RccSendConfig config = rcc_send_config ();
  Rig *r = g_new0 (Rig, 1);

  r->now = S;
  r->pieces = r->marker = 1;
  r->alone = true;
  r->left = g_ptr_array_new_with_free_func (g_free);
  rcc_rng_init (&r->rng, 7, n);
  rcc_feedback_init (&r->feedback, g_realloc);
  rcc_send_init (&r->s, &config, r->entries, r->slots, CAPACITY, &r->feedback, r->now);
  rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_TARGET, .target_bps = 1000000 }, r->now);
  rcc_send_parity_init (&r->parity, parity, g_realloc);
  rcc_send_protect (&r->s, &r->parity);
  rcc_send_parity_set (&r->parity, n, depth);
  return r;
}

static inline Rig *
rig_among (guint n, guint depth)
{
  return rig_new (&(RccSendParityConfig) { .pt = PT, .fec_ssrc = FEC }, n, depth);
}

static inline const Left *
nth (const Rig *r, guint i)
{
  return r->left->pdata[i];
}

static inline guint16
number_of (const Left *l)
{
  return rcc_be16 (l->data + 2);
}

static inline void
keep (Rig *r, Left *l, const RccSendOut *out, gboolean parity)
{
  l->size = out->size;
  l->parity = parity;
  l->rtp = out->sent.size > 0;
  l->at = r->now;
  l->reported = out->sent;
  g_ptr_array_add (r->left, l);
}

/* In so many pieces of which the first has the header. */
static inline void
show (Rig *r, const Left *l)
{
  RccBytes parts[8];
  size_t at = 0;
  RccRtp rtp;

  rcc_rtp_parse ((RccBytes) { l->data, l->size }, &rtp);
  for (guint i = 0; i < r->pieces; i++) {
    const size_t end = i + 1 == r->pieces ? l->size
        : rtp.header_size + (l->size - rtp.header_size) * i / r->pieces;

    parts[i] = (RccBytes) { l->data + at, end - at };
    at = end;
  }
  rcc_send_show (&r->s, parts, r->pieces, r->now);
}

static inline void
leaves (Rig *r, const RccSendOut *out)
{
  Left *l = out->handle;

  rcc_send_out_write (out, l->data, out->size);
  keep (r, l, out, FALSE);
  if (out->shown)
    show (r, l);
}

static inline void
send_parity (Rig *r)
{
  const gsize room = r->room > 0 ? r->room : rcc_send_parity_room (&r->parity);
  Left *l = g_new0 (Left, 1);
  RccSendOut out;

  g_assert_cmpuint (room, <=, ROOM);
  memset (l->data, 0xee, sizeof l->data);
  if (rcc_send_parity (&r->s, l->data, room, RCC_PACKET_PARITY, r->now, &out)) {
    g_assert_cmpuint (out.size, <=, room);
    for (gsize i = room; i < ROOM; i++)
      g_assert_cmpuint (l->data[i], ==, 0xee);
    keep (r, l, &out, TRUE);
    return;
  }
  r->unwritten++;
  g_free (l);
}

static inline void
send_padding (Rig *r)
{
  Left *l = g_new0 (Left, 1);
  RccSendOut out;

  rcc_send_pad (&r->s, l->data, r->now, &out);
  keep (r, l, &out, FALSE);
  r->paddings++;
}

/* Whatever may leave does; when to ask again. */
static inline RccTime
ask (Rig *r)
{
  RccSendOut out;
  RccTime when;

  for (;;)
    switch (rcc_send_next (&r->s, r->now, &when, &out)) {
      case RCC_SEND_PACKET:
        leaves (r, &out);
        break;
      case RCC_SEND_PARITY:
        send_parity (r);
        break;
      case RCC_SEND_PADDING:
        send_padding (r);
        break;
      case RCC_SEND_DROPPED:
        g_free (out.handle);
        break;
      default:
        return when;
    }
}

static inline void
put (Rig *r, const RccSendPacket *packet)
{
  RccSendOut out;

  *rcc_send_room (&r->s) = *packet;
  switch (rcc_send_put (&r->s, r->alone, r->now, &out)) {
    case RCC_SEND_PACKET:
      leaves (r, &out);
      while (rcc_send_parity_passes (&r->s, r->now))
        send_parity (r);
      break;
    case RCC_SEND_DROPPED:
      g_free (packet->handle);
      break;
    default:
      break;
  }
}

/* A packet as it comes, of whatever @l->data says. */
static inline RccSendPacket
describe (Left *l, guint32 size)
{
  RccSendPacket p = { .handle = l, .size = size, .expiry = RCC_NEVER, .transport = -1 };
  RccRtp rtp;

  p.rtp = rcc_rtp_parse ((RccBytes) { l->data, size }, &rtp);
  if (!p.rtp)
    return p;
  p.ssrc = rtp.ssrc;
  p.timestamp = rtp.timestamp;
  p.seq = rtp.seq;
  p.pt = rtp.pt;
  p.marker = rtp.marker;
  p.header = l->data;
  p.header_size = (guint16) rtp.header_size;
  p.media = RCC_MEDIA_VIDEO;
  return p;
}

static inline Left *
make (Rig *r, guint32 ssrc, guint16 seq, guint32 size, gboolean marker)
{
  const RccRtp rtp = { .pt = 96, .marker = marker, .seq = seq, .ssrc = ssrc,
    .timestamp = seq / r->marker * 3000u };
  Left *l = g_new0 (Left, 1);

  for (guint i = 0; i < size; i++)
    l->data[i] = (guint8) rcc_rng_u32 (&r->rng);
  rcc_rtp_build (l->data, ROOM, &rtp, NULL, 0);
  return l;
}

static inline void
push_sized (Rig *r, guint32 ssrc, guint32 size)
{
  const guint16 seq = r->seq++;
  Left *l = make (r, ssrc, seq, size, seq % r->marker + 1 == r->marker);
  const RccSendPacket p = describe (l, size);

  put (r, &p);
}

static inline void
push (Rig *r, guint n)
{
  while (n-- > 0)
    push_sized (r, MEDIA, 13 + rcc_rng_u32 (&r->rng) % 1400);
}

static inline void
rig_free (Rig *r)
{
  RccSendOut out;

  rcc_send_protect_drop (&r->s);
  while (rcc_send_flush (&r->s, RCC_SBPN_ALL, &out))
    g_free (out.handle);
  g_assert_true (rcc_send_is_empty (&r->s));
  g_assert_cmpuint (r->s.pacer.queued_packets, ==, 0);
  g_assert_cmpuint (r->s.pacer.queued_bytes, ==, 0);
  g_ptr_array_unref (r->left);
  rcc_send_parity_clear (&r->parity);
  rcc_send_clear (&r->s);
  rcc_feedback_clear (&r->feedback);
  g_free (r);
}

/* --- our own decoder ------------------------------------------------------ */

typedef struct {
  const Rig *rig;
  guint lost, before;                   /* places */
} Store;

/* Of copies the first, as they come in. */
static inline RccBytes
find (void *user, uint32_t ssrc, uint16_t seq)
{
  const Store *s = user;

  for (guint i = s->before > 400 ? s->before - 400 : 0; i < s->before; i++)
    if (i != s->lost && nth (s->rig, i)->rtp && number_of (nth (s->rig, i)) == seq
        && rcc_be32 (nth (s->rig, i)->data + 8) == ssrc)
      return (RccBytes) { nth (s->rig, i)->data, nth (s->rig, i)->size };
  return (RccBytes) { NULL, 0 };
}

static inline void
parse (const Rig *r, const Left *l, RccParity *parity)
{
  const RccBytes packet = { l->data, l->size };
  RccRtp rtp;

  g_assert_true (rcc_rtp_parse (packet, &rtp));
  g_assert_cmpuint (rtp.pt, ==, PT);
  g_assert_false (rtp.marker || rtp.padding);
  if (r->parity.config.flexfec)
    g_assert_true (rcc_flexfec_parse (packet, &rtp, parity));
  else
    g_assert_true (rcc_ulpfec_parse ((RccBytes) { packet.data + rtp.header_size,
                packet.size - rtp.header_size }, r->parity.current, parity));
}

/* Each packet below each parity, lost alone, comes back as it left or, in a stream that has
 * numbers twice, not at all.  How many did. */
static inline guint
repair_all (const Rig *r, gboolean sane)
{
  guint repaired = 0;

  for (guint i = 0; i < r->left->len; i++) {
    RccParity parity;

    if (!nth (r, i)->parity)
      continue;
    parse (r, nth (r, i), &parity);
    for (guint k = i > 400 ? i - 400 : 0; k < i; k++) {
      const Left *was = nth (r, k);
      Store store = { r, k, i };
      const RccParitySource source = { .packet = find, .user = &store };
      guint8 out[RCC_PARITY_PACKET_MAX];
      RccParityResult result;

      if (!was->rtp || !rcc_parity_protects (&parity, rcc_be32 (was->data + 8),
              number_of (was)))
        continue;
      result = rcc_parity_recover (&parity, &source, out, sizeof out);
      if (sane)
        g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
      if (result.verdict != RCC_PARITY_RECOVERED)
        continue;
      g_assert_cmpuint (result.size, ==, was->size);
      g_assert_cmpmem (out, result.size, was->data, was->size);
      repaired++;
    }
  }
  return repaired;
}

static inline void
check_numbers (const Rig *r, guint32 ssrc, guint16 next)
{
  for (guint i = 0; i < r->left->len; i++)
    if (rcc_be32 (nth (r, i)->data + 8) == ssrc)
      g_assert_cmpuint (number_of (nth (r, i)), ==, next++);
}

#endif
