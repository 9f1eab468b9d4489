/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parity on the send path: what is made of which packets, where it stands, its numbers.
 */
#include "parity-rig.h"

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

/* What is begun when parity ends has its own behind the next packet, and it repairs. */
static void
flushes (void)
{
  Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .flush = true }, 4, 1);

  push (r, 6);
  rcc_send_parity_set (&r->parity, 0, 1);
  g_assert_cmpuint (r->parity.packets, ==, 1);
  push (r, 1);
  g_assert_cmpuint (r->parity.packets, ==, 2);
  push (r, 10);
  g_assert_cmpuint (r->parity.packets, ==, 2);
  g_assert_cmpuint (r->parity.dropped_blocks, ==, 0);
  g_assert_cmpuint (repair_all (r, TRUE), ==, 6);
  check_numbers (r, MEDIA, 0);
  /* nothing is begun: nothing follows */
  rcc_send_parity_set (&r->parity, 4, 1);
  push (r, 4);
  rcc_send_parity_set (&r->parity, 0, 1);
  push (r, 2);
  g_assert_cmpuint (r->parity.packets, ==, 3);
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
  g_test_add_func ("/parity/flushes", flushes);
  g_test_add_func ("/parity/who", who);
  g_test_add_func ("/parity/not-protected", not_protected);
  g_test_add_func ("/parity/requests", requests);
  g_test_add_func ("/parity/reported", reported);
  g_test_add_func ("/parity/extensions", extensions);
  g_test_add_func ("/parity/paced", paced);
  g_test_add_func ("/parity/paced-and-dropped", paced_and_dropped);
  return g_test_run ();
}
