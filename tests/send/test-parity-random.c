/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Parity on the send path, whatever a stream may look like.
 */
#include "parity-rig.h"

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
  g_test_add_func ("/parity-random/odd-streams", odd_streams);
  g_test_add_func ("/parity-random/hostile-bytes", hostile_bytes);
  g_test_add_func ("/parity-random/forgotten-stream", forgotten_stream);
  return g_test_run ();
}
