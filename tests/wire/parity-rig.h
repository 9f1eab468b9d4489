/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parity-rig.h - a stream of every kind of RTP packet, and a receiver that lost some
 */
#ifndef RCC_PARITY_RIG_H
#define RCC_PARITY_RIG_H

#include "wire-test.h"
#include "wire/parity.h"

#define MEDIA_SSRC 0xdeadbeef
#define RIG_PACKETS 256

/* A row of a table of Vector, from the lists of vectors-fec.h. */
#define VECTOR(name, ...) { #name, (const guint8[]) { __VA_ARGS__ }, \
    sizeof (const guint8[]) { __VA_ARGS__ } },

typedef struct {
  const gchar *name;
  const guint8 *data;
  gsize size;
} Vector;

typedef struct {
  guint8 data[RCC_PARITY_PACKET_MAX];
  gsize size;
  guint32 ssrc;
  guint16 seq;
  gboolean lost;
} RigPacket;

typedef struct {
  RccRng rng;
  RigPacket packets[RIG_PACKETS];
  guint n;
  guint looked_up;
  RccBytes instead;             /* handed out for what is lost, if it has bytes */
  guint8 refused_pt;            /* 0: none */
} Rig;

static inline void
rig_init (Rig *rig, guint64 stream)
{
  memset (rig, 0, sizeof *rig);
  rcc_rng_init (&rig->rng, SEED, stream);
}

static inline guint
rig_draw (Rig *rig, guint n)
{
  return rcc_rng_u32 (&rig->rng) % n;
}

/* An RTP packet of exactly @size bytes that is well-formed: CSRCs, an extension and
 * padding where they have room, random elsewhere. */
static inline RigPacket *
rig_add (Rig *rig, guint32 ssrc, guint16 seq, gsize size)
{
  RigPacket *packet = &rig->packets[rig->n++];
  guint8 *p = packet->data;
  gsize head = 12;

  g_assert_true (rig->n <= RIG_PACKETS && size >= 12 && size <= sizeof packet->data);
  for (gsize i = 0; i < size; i++)
    p[i] = (guint8) rcc_rng_u32 (&rig->rng);
  p[0] = 0x80;
  if (rig_draw (rig, 3) == 0) {
    p[0] |= (guint8) rig_draw (rig, (guint) MIN (16, (size - head) / 4 + 1));
    head += 4u * (p[0] & 15);
  }
  if (rig_draw (rig, 3) == 0 && size >= head + 4) {
    const guint words = rig_draw (rig, (guint) MIN (9, (size - head - 4) / 4 + 1));

    p[0] |= 0x10;
    rcc_put16 (p + head, 0xbede);
    rcc_put16 (p + head + 2, (guint16) words);
    head += 4 + 4 * words;
  }
  if (rig_draw (rig, 3) == 0 && size > head) {
    p[0] |= 0x20;
    p[size - 1] = (guint8) (1 + rig_draw (rig, (guint) MIN (255, size - head)));
  }
  rcc_put16 (p + 2, seq);
  rcc_put32 (p + 8, ssrc);
  packet->size = size;
  packet->ssrc = ssrc;
  packet->seq = seq;
  packet->lost = FALSE;
  return packet;
}

/* 12 to 1500 bytes, short ones as often as long ones. */
static inline gsize
rig_size (Rig *rig)
{
  const guint mtu = rig_draw (rig, 2) ? 1500 : 100;

  return rig_draw (rig, 10) == 0 ? 12 : 12 + rig_draw (rig, mtu - 11);
}

static inline RccBytes
rig_bytes (const RigPacket *packet)
{
  return (RccBytes) { packet->data, packet->size };
}

static inline RccBytes
rig_lookup (void *user, uint32_t ssrc, uint16_t seq)
{
  Rig *rig = user;

  rig->looked_up++;
  for (guint i = 0; i < rig->n; i++)
    if (rig->packets[i].ssrc == ssrc && rig->packets[i].seq == seq && !rig->packets[i].lost)
      return rig_bytes (&rig->packets[i]);
  return rig->instead;
}

static inline bool
rig_accept (void *user, const RccRtp *rtp)
{
  return rtp->pt != ((const Rig *) user)->refused_pt;
}

/* The output has just the room that the contract asks for, in a heap block of its own. */
static inline RccParityResult
rig_recover (Rig *rig, const RccParity *parity, guint8 **out)
{
  const RccParitySource source = { rig_lookup, rig->refused_pt ? rig_accept : NULL, rig };
  const gsize room = 12 + parity->body.size;

  *out = g_malloc (room);
  return rcc_parity_recover (parity, &source, *out, room);
}

static inline void
assert_verdict (Rig *rig, const RccParity *parity, RccParityVerdict verdict)
{
  RccParityResult result;
  guint8 *out;

  result = rig_recover (rig, parity, &out);
  g_assert_cmpint (result.verdict, ==, verdict);
  g_assert_cmpuint (result.size, ==, 0);
  g_free (out);
}

/* Whichever packet of the block is lost, it comes back to the byte; with none lost
 * there is nothing to do, with two nothing that can be done. */
static inline void
assert_each_comes_back (Rig *rig, const RccParity *parity)
{
  assert_verdict (rig, parity, RCC_PARITY_COMPLETE);
  for (guint i = 0; i < rig->n; i++) {
    RigPacket *lost = &rig->packets[i], *second = &rig->packets[(i + 1) % rig->n];
    RccParityResult result;
    guint8 *out;

    g_assert_true (rcc_parity_protects (parity, lost->ssrc, lost->seq));
    lost->lost = TRUE;
    result = rig_recover (rig, parity, &out);
    g_assert_cmpint (result.verdict, ==, RCC_PARITY_RECOVERED);
    g_assert_cmpuint (result.ssrc, ==, lost->ssrc);
    g_assert_cmpuint (result.seq, ==, lost->seq);
    g_assert_cmpmem (out, result.size, lost->data, lost->size);
    g_free (out);
    if (second != lost) {
      second->lost = TRUE;
      assert_verdict (rig, parity, RCC_PARITY_SHORT);
      second->lost = FALSE;
    }
    lost->lost = FALSE;
  }
}

/* A block of @n packets from @base on with gaps of up to @gap numbers between them. */
static inline void
rig_block (Rig *rig, RccParityBlock *block, guint n, guint16 base, guint gap)
{
  guint16 seq = base;

  rig->n = 0;
  for (guint i = 0; i < n; i++) {
    g_assert_true (rcc_parity_add (block, rig_bytes (rig_add (rig, MEDIA_SSRC, seq,
                    rig_size (rig)))));
    seq = (guint16) (seq + 1 + rig_draw (rig, gap + 1));
  }
  g_assert_cmpuint (block->n, ==, n);
}

#endif
