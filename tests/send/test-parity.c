/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parity on the send path: what is made of which packets, where it stands, its numbers,
 * and whatever a stream may look like.
 */
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
  bool alone;
} Rig;

static Rig *
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

static Rig *
rig_among (guint n, guint depth)
{
  return rig_new (&(RccSendParityConfig) { .pt = PT, .fec_ssrc = FEC }, n, depth);
}

static const Left *
nth (const Rig *r, guint i)
{
  return r->left->pdata[i];
}

static guint16
number_of (const Left *l)
{
  return rcc_be16 (l->data + 2);
}

static void
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
static void
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

static void
leaves (Rig *r, const RccSendOut *out)
{
  Left *l = out->handle;

  rcc_send_out_write (out, l->data, out->size);
  keep (r, l, out, FALSE);
  if (out->shown)
    show (r, l);
}

static void
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

/* Whatever may leave does; when to ask again. */
static RccTime
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
      case RCC_SEND_DROPPED:
        g_free (out.handle);
        break;
      default:
        return when;
    }
}

static void
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
static RccSendPacket
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

static Left *
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

static void
push_sized (Rig *r, guint32 ssrc, guint32 size)
{
  const guint16 seq = r->seq++;
  Left *l = make (r, ssrc, seq, size, seq % r->marker + 1 == r->marker);
  const RccSendPacket p = describe (l, size);

  put (r, &p);
}

static void
push (Rig *r, guint n)
{
  while (n-- > 0)
    push_sized (r, MEDIA, 13 + rcc_rng_u32 (&r->rng) % 1400);
}

static void
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
static RccBytes
find (void *user, uint32_t ssrc, uint16_t seq)
{
  const Store *s = user;

  for (guint i = s->before > 400 ? s->before - 400 : 0; i < s->before; i++)
    if (i != s->lost && nth (s->rig, i)->rtp && number_of (nth (s->rig, i)) == seq
        && rcc_be32 (nth (s->rig, i)->data + 8) == ssrc)
      return (RccBytes) { nth (s->rig, i)->data, nth (s->rig, i)->size };
  return (RccBytes) { NULL, 0 };
}

static void
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
static guint
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

static void
check_numbers (const Rig *r, guint32 ssrc, guint16 next)
{
  for (guint i = 0; i < r->left->len; i++)
    if (rcc_be32 (nth (r, i)->data + 8) == ssrc)
      g_assert_cmpuint (number_of (nth (r, i)), ==, next++);
}

/* --- what is made --------------------------------------------------------- */

static const guint intervals[] = { 1, 2, 3, 5, 14, 17, 48 };

/* Over the wrap, in one piece and in several. */
static void
among_the_media (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    const guint n = intervals[i], packets = 480 / n * n;
    Rig *r = rig_among (n, 1);

    r->seq = 65300;
    r->pieces = 1 + i % 4;
    push (r, packets);
    g_assert_cmpuint (r->left->len, ==, packets + packets / n);
    g_assert_cmpuint (repair_all (r, TRUE), ==, packets);
    check_numbers (r, MEDIA, 65300);
    g_assert_cmpuint (r->s.packets, ==, packets);
    g_assert_cmpuint (r->parity.packets, ==, packets / n);
    for (guint k = n; k < r->left->len; k += n + 1) {
      g_assert_true (nth (r, k)->parity);
      g_assert_cmpmem (nth (r, k)->data + 4, 8, nth (r, k - 1)->data + 4, 8);
    }
    rig_free (r);
  }
}

/* The media is what it was, to the byte. */
static void
apart (void)
{
  for (guint i = 0; i < 2 * G_N_ELEMENTS (intervals); i++) {
    const guint n = intervals[i / 2], packets = 480 / n * n;
    Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .fec_ssrc = FEC, .apart = true,
      .flexfec = i % 2, .at_marker = i % 3 == 0 }, n, 1);

    r->parity.seq = 65530;
    push (r, packets);
    g_assert_cmpuint (r->parity.packets, ==, packets / n);
    g_assert_cmpuint (repair_all (r, TRUE), ==, packets);
    g_assert_cmpuint (r->parity.renumbered, ==, 0);
    g_assert_false (r->s.writes);
    check_numbers (r, MEDIA, 0);
    check_numbers (r, FEC, 65531);
    rig_free (r);
  }
}

/* FlexFEC names what it protects in its CSRC list: it cannot have its SSRC. */
static void
flexfec_among_the_media (void)
{
  Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .flexfec = true }, 2, 1);

  push (r, 100);
  g_assert_cmpuint (r->left->len, ==, 100);
  g_assert_cmpuint (r->parity.dropped, ==, 50);
  rig_free (r);
}

/* No two of @depth packets in a row are one block's; what a mask cannot name is cut. */
static void
interleaved (void)
{
  for (guint depth = 2; depth <= 32; depth *= 2) {
    Rig *r = rig_among (3, depth);
    const guint fits = r->parity.fits, run = 3 * fits;

    g_assert_cmpuint (fits, ==, MIN (depth, RCC_INTERLEAVE_DEPTH));
    push (r, 10 * run);
    g_assert_cmpuint (r->parity.packets, ==, 10 * fits);
    g_assert_cmpuint (repair_all (r, TRUE), ==, 10 * run);
    for (guint i = 0; i < r->left->len; i++) {
      RccParity parity;
      guint16 last = 0;
      guint found = 0;

      if (!nth (r, i)->parity)
        continue;
      parse (r, nth (r, i), &parity);
      for (guint k = 0; k < i; k++)
        if (rcc_parity_protects (&parity, MEDIA, number_of (nth (r, k)))) {
          g_assert_true (found++ == 0 || (guint16) (number_of (nth (r, k)) - last) >= fits);
          last = number_of (nth (r, k));
        }
      g_assert_cmpuint (found, ==, 3);
    }
    rig_free (r);
  }
}

/* Frames of 7 packets: parity stands behind markers only, and nothing is left out. */
static void
at_marker (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    const guint n = MIN (intervals[i], 24), frames = (n + 6) / 7;
    Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .at_marker = true }, intervals[i], 1);

    r->marker = 7;
    push (r, 700);
    g_assert_cmpuint (r->parity.packets, ==, 100 / frames * (7 * frames / n));
    g_assert_cmpuint (repair_all (r, TRUE), ==, 100 / frames * frames * 7);
    check_numbers (r, MEDIA, 0);
    for (guint k = 0; k < r->left->len; k++)
      g_assert_true (!nth (r, k)->parity || nth (r, k - 1)->parity
          || nth (r, k - 1)->data[1] >> 7);
    rig_free (r);
  }
}

/* A frame that never ends: what there is no room for is dropped and counted. */
static void
no_marker (void)
{
  Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .at_marker = true }, 2, 1);

  r->marker = 500;
  push (r, 500);
  g_assert_cmpuint (r->parity.packets, ==, RCC_SEND_PARITY_HELD);
  g_assert_cmpuint (r->parity.packets + r->parity.dropped, ==, 250);
  push (r, 500);
  g_assert_cmpuint (r->parity.packets, ==, 2 * RCC_SEND_PARITY_HELD);
  repair_all (r, TRUE);
  rig_free (r);
}

/* Off in the middle of a block, another interval, another place for it. */
static void
changes (void)
{
  Rig *r = rig_among (4, 1);

  push (r, 6);
  rcc_send_parity_set (&r->parity, 0, 1);
  g_assert_cmpuint (r->parity.dropped_blocks, ==, 1);
  push (r, 10);
  g_assert_cmpuint (r->parity.packets, ==, 1);
  rcc_send_parity_set (&r->parity, 2, 1);
  push (r, 3);
  g_assert_cmpuint (r->parity.packets, ==, 2);
  rcc_send_protect_configure (&r->s, &(RccSendParityConfig) { .pt = PT, .fec_ssrc = FEC,
    .apart = true });
  g_assert_cmpuint (r->parity.dropped_blocks, ==, 2);
  push (r, 4);
  g_assert_cmpuint (r->parity.packets, ==, 4);
  g_assert_cmpuint (rcc_be32 (nth (r, r->left->len - 1)->data + 8), ==, FEC);
  check_numbers (r, MEDIA, 0);
  rcc_send_protect (&r->s, NULL);
  push (r, 20);
  g_assert_cmpuint (r->parity.packets, ==, 4);
  rig_free (r);
}

/* --- who is protected ----------------------------------------------------- */

static guint
protected_since (Rig *r, guint since)
{
  guint n = 0;

  for (guint i = since; i < r->left->len; i++)
    n += nth (r, i)->parity;
  return n;
}

static void
who (void)
{
  Rig *r = rig_among (2, 1);
  guint since;

  for (guint i = 0; i < 20; i++)
    push_sized (r, i % 2 ? 6 : 5, 100);         /* the first */
  g_assert_cmpuint (r->parity.current, ==, 5);
  g_assert_cmpuint (r->parity.packets, ==, 5);
  g_assert_cmpuint (r->parity.unprotected, ==, 10);
  r->now += 4 * S;
  push_sized (r, 5, 100);
  r->now += 5 * S;
  push_sized (r, 6, 100);
  g_assert_cmpuint (r->parity.current, ==, 5);
  r->now += MS;
  since = r->left->len;
  push_sized (r, 6, 100);                       /* silent for too long */
  push_sized (r, 6, 100);
  g_assert_cmpuint (r->parity.current, ==, 6);
  g_assert_cmpuint (protected_since (r, since), ==, 1);
  rcc_send_parity_announce (&r->parity, 5, false);
  push_sized (r, 5, 100);
  g_assert_cmpuint (r->parity.current, ==, 5);
  rcc_send_protect_configure (&r->s, &(RccSendParityConfig) { .pt = PT, .ssrc = 9 });
  push_sized (r, 5, 100);
  push_sized (r, 9, 100);
  g_assert_cmpuint (r->parity.current, ==, 9);
  rig_free (r);
}

/* Retransmissions, somebody's parity, its payload type, what is too large, no RTP. */
static void
not_protected (void)
{
  Rig *r = rig_among (2, 1);

  push (r, 1);
  for (guint i = 0; i < 5; i++) {
    Left *l = make (r, MEDIA, r->seq++, 100, FALSE);
    RccSendPacket p;

    if (i == 2)
      l->data[1] = PT;
    if (i == 3)
      l->data[0] = 0x12;
    p = describe (l, i == 4 ? RCC_PARITY_PACKET_MAX + 1 : 100);
    p.retransmission = i == 0;
    p.parity = i == 1;
    put (r, &p);
  }
  g_assert_cmpuint (r->left->len, ==, 6);
  g_assert_cmpuint (r->parity.unprotected, ==, 4);
  g_assert_cmpuint (r->s.malformed, ==, 1);
  push (r, 1);
  g_assert_cmpuint (r->parity.packets, ==, 1);
  g_assert_cmpuint (repair_all (r, TRUE), ==, 2);
  rig_free (r);
}

/* --- numbers and feedback ------------------------------------------------- */

/* 0 1 P 3 4 P ...: a request for what left as 4 finds 3, for parity nobody, and the copy says 4
 * (RFC 4588 4). */
static void
requests (void)
{
  Rig *r = rig_among (2, 1);
  guint16 former;
  RccSendPacket p;
  Left *l;

  push (r, 900);
  g_assert_cmpuint (r->parity.renumbered, ==, 898);
  for (guint i = 0; i < 20; i++) {
    const guint16 seq = (guint16) (1349 - i * 13);

    r->now += 40 * MS;
    g_assert_true (rcc_send_request (&r->s, MEDIA, seq, false, r->now, &former)
        == (seq % 3 != 2));
    if (seq % 3 != 2)
      g_assert_cmpuint (former, ==, seq / 3 * 2 + seq % 3);
  }
  g_assert_false (rcc_send_request (&r->s, FEC, 1, false, r->now, &former));
  g_assert_true (rcc_send_request (&r->s, MEDIA, 1345, false, r->now, &former));
  l = make (r, 55, 9, 100, FALSE);
  rcc_put16 (l->data + 12, former);
  p = describe (l, 100);
  p.retransmission = true;
  p.osn = former;
  put (r, &p);
  g_assert_cmpuint (rcc_be16 (nth (r, r->left->len - 1)->data + 12), ==, 1345);
  rig_free (r);
}

/* The history has it with its mark, the controller hears of it. */
static void
reported (void)
{
  static const RccSenderOps ops = { .name = "deaf" };
  RccSender controller = { .ops = &ops };
  Rig *r = rig_among (2, 1);

  rcc_send_attach (&r->s, &controller);
  push (r, 30);
  for (guint i = 0; i < r->left->len; i++) {
    const Left *l = nth (r, i);
    const RccSentPacket *sent = rcc_feedback_find (&r->feedback, MEDIA, number_of (l));

    g_assert_nonnull (sent);
    g_assert_cmpuint (sent->size, ==, l->size);
    g_assert_cmpuint (sent->flags, ==, l->parity ? RCC_PACKET_PARITY : 0);
    g_assert_cmpuint (l->reported.flags, ==, sent->flags | (l->parity ? 0
            : RCC_PACKET_MARKER));
    g_assert_cmpuint (l->reported.ssrc, ==, MEDIA);
  }
  rig_free (r);
}

/* Behind a CSRC, to try the places. */
static void
push_extended (Rig *r, guint i)
{
  guint8 ext[] = { 0xbe, 0xde, 0, 2, EXT_ABS << 4 | 2, 0, 0, 0, EXT_TWCC << 4 | 1, 0, 0, 0 };
  Left *l = make (r, MEDIA, r->seq++, 200, TRUE);
  RccSendPacket p;

  l->data[0] |= 0x11;
  memcpy (l->data + 16, ext, sizeof ext);
  p = describe (l, 200);
  g_assert_cmpuint (p.header_size, ==, 28);
  p.send_time_at = 21;
  p.transport_at = 25;
  r->now += i * MS;
  put (r, &p);
}

/* Parity is measured as media is: a transport-wide number and a send time of its own. */
static void
extensions (void)
{
  Rig *r = rig_among (3, 1);
  guint16 next = 0;

  r->s.config.numbers_transport = true;
  rcc_send_parity_announce (&r->parity, 0, true);
  for (guint i = 0; i < 60; i++)
    push_extended (r, i);
  for (guint i = 0; i < r->left->len; i++) {
    const Left *l = nth (r, i);
    RccBytes value;
    RccRtp rtp;

    g_assert_true (rcc_rtp_parse ((RccBytes) { l->data, l->size }, &rtp));
    g_assert_true (rcc_rtp_ext (&rtp, EXT_TWCC, &value));
    g_assert_cmpuint (rcc_be16 (value.data), ==, next++);
    g_assert_true (rcc_rtp_ext (&rtp, EXT_ABS, &value));
    g_assert_cmpuint (rcc_be24 (value.data), ==, rcc_abs_send_time (l->at));
  }
  g_assert_cmpuint (r->parity.packets, ==, 20);
  g_assert_cmpuint (repair_all (r, TRUE), ==, 60);
  rig_free (r);
}

/* --- pacing --------------------------------------------------------------- */

/* At 1 Mbit/s, all at once: parity waits its turn, and is counted. */
static void
paced (void)
{
  for (guint at_once = 0; at_once < 2; at_once++) {
    Rig *r = rig_among (4, 2);
    guint64 bytes = 0;
    RccTime when, first;

    r->s.config.parity_at_once = at_once;
    r->alone = false;
    rcc_send_rate (&r->s, 1000000, r->now);
    first = r->now;
    for (guint i = 0; i < 160; i++)
      push_sized (r, MEDIA, 1000);
    while ((when = ask (r)) != RCC_NEVER) {
      g_assert_cmpuint (when, >, r->now);
      g_assert_cmpuint (r->s.pacer.queued_packets, >, 0);
      r->now = when;
    }
    for (guint i = 0; i < r->left->len; i++)
      bytes += at_once && nth (r, i)->parity ? 0 : nth (r, i)->size;
    g_assert_cmpuint (r->parity.packets, ==, 40);
    g_assert_cmpuint (bytes * 8000, <=, r->now - first + 25 * MS);
    g_assert_cmpuint (bytes * 8000, >=, r->now - first);
    g_assert_cmpuint (repair_all (r, TRUE), ==, 160);
    for (guint i = 8; i < r->left->len; i += 10)        /* nothing in between */
      g_assert_true (nth (r, i)->parity && nth (r, i + 1)->parity);
    rig_free (r);
  }
}

/* Parity waits for the pacer; what comes then waits behind it, and a flush takes it. */
static void
paced_and_dropped (void)
{
  Rig *r = rig_among (2, 1);
  RccTime when;
  guint left;

  rcc_send_rate (&r->s, 50000, r->now);
  push_sized (r, MEDIA, 1000);
  push_sized (r, MEDIA, 1000);
  while (when = ask (r), !rcc_send_parity_due (&r->s))
    r->now = when;
  g_assert_true (rcc_send_parity_due (&r->s));
  g_assert_false (rcc_send_parity_passes (&r->s, r->now));
  g_assert_false (rcc_send_is_empty (&r->s));
  left = r->left->len;
  push_sized (r, MEDIA, 20);
  g_assert_cmpuint (r->left->len, ==, left);
  g_assert_cmpuint (r->s.pacer.queued_packets, ==, 2);
  rcc_send_protect_drop (&r->s);
  g_assert_cmpuint (r->s.pacer.queued_packets, ==, 1);
  g_assert_cmpuint (r->parity.dropped, ==, 1);
  rig_free (r);
}

/* --- whatever comes ------------------------------------------------------- */

static Left *
odd_packet (Rig *r, guint odd, guint32 *size)
{
  Left *l;

  *size = 12 + rcc_rng_u32 (&r->rng) % 2200;
  r->seq = (guint16) (r->seq + (odd == 0 ? 0 : odd == 1 ? 60 : odd == 2 ? 65530 : 1));
  l = make (r, odd == 3 ? 8 : MEDIA, r->seq, *size, rcc_rng_u32 (&r->rng) % 4 == 0);
  for (guint i = 0; odd == 4 && i < 12; i++)
    l->data[i] = (guint8) rcc_rng_u32 (&r->rng);
  if (odd == 5)
    *size = rcc_rng_u32 (&r->rng) % 12;
  if (odd == 6)
    l->data[0] |= (guint8) (rcc_rng_u32 (&r->rng) & 0x3f);
  return l;
}

/* Copies, jumps, steps back, other SSRCs, bytes that are no RTP; bytes that are not those of the
 * packet, cut, or not shown at all; settings that change; room that does not do.  What our
 * decoder makes of it is a packet that left, and nothing goes over its bounds. */
static void
odd_streams (void)
{
  for (guint run = 0; run < 48; run++) {
    Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .fec_ssrc = FEC, .apart = run % 2,
      .flexfec = run / 2 % 2 && run % 2, .at_marker = run / 4 % 2, .ssrc = MEDIA }, 5,
      1 + run % 5);

    rcc_rng_init (&r->rng, 99, run);
    if (run % 3 == 2)
      rcc_send_rate (&r->s, 3000000, r->now);
    for (guint i = 0; i < 1500; i++) {
      const guint odd = rcc_rng_u32 (&r->rng) % 40;
      guint32 size;
      Left *l = odd_packet (r, odd, &size);
      const RccSendPacket p = describe (l, size);

      r->now += rcc_rng_u32 (&r->rng) % (8 * MS);
      if (rcc_rng_u32 (&r->rng) % 100 == 0)
        rcc_send_parity_set (&r->parity, rcc_rng_u32 (&r->rng) % 60,
            rcc_rng_u32 (&r->rng) % 20);
      r->room = rcc_rng_u32 (&r->rng) % 50 == 0 ? rcc_rng_u32 (&r->rng) % 60 : 0;
      put (r, &p);
      ask (r);
      g_assert_cmpuint (r->parity.n_due, <=, r->parity.n_held);
      g_assert_cmpuint (r->parity.n_held, <=, RCC_SEND_PARITY_HELD);
    }
    g_assert_cmpuint (r->parity.packets, >, 20);
    g_assert_cmpuint (repair_all (r, FALSE), >, r->parity.packets);
    rig_free (r);
  }
}

/* What is shown is not what left. */
static void
hostile_bytes (void)
{
  Rig *r = rig_among (3, 2);

  for (guint i = 0; i < 20000; i++) {
    const guint32 size = 12 + rcc_rng_u32 (&r->rng) % 1500;
    Left *l = make (r, MEDIA, r->seq++, size, i % 3 == 0);
    const RccSendPacket p = describe (l, size);
    RccBytes parts[3];
    RccSendOut out;
    guint n = rcc_rng_u32 (&r->rng) % 4;

    *rcc_send_room (&r->s) = p;
    g_assert_cmpint (rcc_send_put (&r->s, true, r->now, &out), ==, RCC_SEND_PACKET);
    for (guint k = 0; k < n; k++) {
      const guint cut = rcc_rng_u32 (&r->rng) % (size + 1);

      parts[k] = (RccBytes) { l->data, cut };
    }
    for (guint k = 0; k < 12 && i % 2; k++)
      l->data[rcc_rng_u32 (&r->rng) % (k % 2 ? 2 : size)] = (guint8) rcc_rng_u32 (&r->rng);
    rcc_send_show (&r->s, parts, n, r->now);
    rcc_send_show (&r->s, parts, n, r->now);    /* once does */
    while (rcc_send_parity_passes (&r->s, r->now))
      send_parity (r);
    g_ptr_array_set_size (r->left, 0);
    g_free (l);
  }
  g_assert_cmpuint (r->parity.packets, >, 100);
  g_assert_cmpuint (r->parity.unprotected, >, 100);
  g_assert_cmpuint (r->unwritten, ==, 0);
  rig_free (r);
}

/* The stream has been forgotten for newer ones: no number for its parity. */
static void
forgotten_stream (void)
{
  Rig *r = rig_among (2, 1);
  RccSendPacket p;
  RccSendOut out;
  Left *l;

  push (r, 1);
  l = make (r, MEDIA, r->seq++, 100, TRUE);
  p = describe (l, 100);
  *rcc_send_room (&r->s) = p;
  rcc_send_put (&r->s, true, r->now, &out);
  leaves (r, &out);
  g_assert_true (rcc_send_parity_due (&r->s));
  rcc_ssrcs_forget (&r->s.streams);
  send_parity (r);
  g_assert_cmpuint (r->unwritten, ==, 1);
  g_assert_cmpuint (r->parity.packets, ==, 0);
  rcc_send_forget (&r->s);
  rig_free (r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parity/among-the-media", among_the_media);
  g_test_add_func ("/parity/apart", apart);
  g_test_add_func ("/parity/flexfec-among-the-media", flexfec_among_the_media);
  g_test_add_func ("/parity/interleaved", interleaved);
  g_test_add_func ("/parity/at-marker", at_marker);
  g_test_add_func ("/parity/no-marker", no_marker);
  g_test_add_func ("/parity/changes", changes);
  g_test_add_func ("/parity/who", who);
  g_test_add_func ("/parity/not-protected", not_protected);
  g_test_add_func ("/parity/requests", requests);
  g_test_add_func ("/parity/reported", reported);
  g_test_add_func ("/parity/extensions", extensions);
  g_test_add_func ("/parity/paced", paced);
  g_test_add_func ("/parity/paced-and-dropped", paced_and_dropped);
  g_test_add_func ("/parity/odd-streams", odd_streams);
  g_test_add_func ("/parity/hostile-bytes", hostile_bytes);
  g_test_add_func ("/parity/forgotten-stream", forgotten_stream);
  return g_test_run ();
}
