/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A probe that is filled with parity of what left before it, in place of padding.
 */
#include "parity-rig.h"

#define PROBE 7
#define BPS 1000000

/* Frames of 3 packets of 600 bytes, 33 ms apart, paced. */
static Rig *
rig_probing (gboolean fills, guint n)
{
  Rig *r = rig_new (&(RccSendParityConfig) { .pt = PT, .fills_probes = fills }, n, 1);

  rcc_send_rate (&r->s, BPS, r->now);
  return r;
}

static void
push_packet (Rig *r, gboolean marker)
{
  Left *l = make (r, MEDIA, r->seq++, 600, marker);
  const RccSendPacket p = describe (l, 600);

  put (r, &p);
}

/* All that may leave now; how many of it are padding. */
static guint
let_leave (Rig *r)
{
  const guint before = r->paddings;

  ask (r);
  return r->paddings - before;
}

/* @n frames; how many packets of padding left. */
static guint
run (Rig *r, guint n)
{
  guint paddings = 0;

  r->alone = false;
  for (guint frame = 0; frame < n; frame++) {
    for (guint i = 0; i < 3; i++)
      push_packet (r, i == 2);
    for (guint ms = 0; ms < 33; ms++, r->now += MS)
      paddings += let_leave (r);
  }
  return paddings;
}

static void
probe (Rig *r, guint bytes)
{
  rcc_send_act (&r->s, (RccUpdate) { .changed = RCC_PROBE, .probe_bps = 2 * BPS,
    .probe_bytes = bytes, .probe_id = PROBE }, r->now);
}

/* Whenever it comes, and over the wrap. */
static void
parity_in_place_of_padding (void)
{
  for (guint media = 30; media < 90; media += 3) {
    Rig *r = rig_probing (TRUE, 0);
    guint parities = 0;

    r->seq = 65500;
    run (r, media / 3);
    g_assert_cmpuint (r->parity.packets, ==, 0);
    probe (r, 3000);
    g_assert_cmpuint (run (r, 1), ==, 0);
    for (guint i = 0; i < r->left->len; i++)
      if (nth (r, i)->parity) {
        parities++;
        g_assert_cmpuint (nth (r, i)->reported.probe, ==, PROBE);
        g_assert_true (nth (r, i)->at >= nth (r, media + 2)->at);
      }
    g_assert_cmpuint (parities, >=, 2);
    g_assert_cmpuint (r->parity.filled, ==, parities);
    g_assert_cmpuint (r->parity.packets, ==, parities);
    g_assert_cmpuint (repair_all (r, TRUE), >=, 4 * parities);
    g_assert_cmpuint (r->s.padding_packets, ==, 0);
    g_assert_true (rcc_send_is_empty (&r->s));
    check_numbers (r, MEDIA, 65500);
    rig_free (r);
  }
}

/* Each packet in the newest 24 is below one of the six. */
static void
six_cover_the_last_24 (void)
{
  for (guint media = 24; media < 99; media += 3) {
    Rig *r = rig_probing (TRUE, 0);
    guint covered;

    run (r, media / 3);
    probe (r, 5 * 614 + 3 * 600);
    run (r, 1);
    while (r->parity.filled < 6 && rcc_send_parity_fill (&r->parity))
      send_parity (r);
    g_assert_cmpuint (r->parity.filled, ==, 6);
    covered = repair_all (r, TRUE);
    g_test_message ("%u packets: %u covered", media + 3, covered);
    g_assert_cmpuint (covered, >=, 24);
    g_assert_cmpuint (covered, <=, 48);
    rig_free (r);
  }
}

/* The rest of a probe that wants more than there is. */
static void
padding_where_there_is_none (void)
{
  Rig *r = rig_probing (TRUE, 0);

  run (r, 20);
  probe (r, 12000);
  g_assert_cmpuint (run (r, 1), >, 0);
  g_assert_cmpuint (r->parity.filled, ==, 6);
  repair_all (r, TRUE);
  rig_free (r);
}

/* Not asked for, or beside parity all the time. */
static void
padding_unless_asked_for (void)
{
  for (guint i = 0; i < 2; i++) {
    Rig *r = rig_probing (i == 1, i == 1 ? 5 : 0);

    run (r, 20);
    probe (r, 3000);
    g_assert_cmpuint (run (r, 1), >, 0);
    g_assert_cmpuint (r->parity.filled, ==, 0);
    g_assert_cmpuint (r->parity.packets, ==, i == 1 ? 63 / 5 : 0);
    rig_free (r);
  }
}

/* A change to parity all the time and back, by which nothing waits that nobody wants. */
static void
between_two_ways (void)
{
  Rig *r = rig_probing (TRUE, 0);

  run (r, 10);
  rcc_send_parity_set (&r->parity, 5, 1);
  run (r, 10);
  g_assert_cmpuint (r->parity.packets, ==, 6);
  g_assert_cmpuint (repair_all (r, TRUE), ==, 30);
  rcc_send_parity_set (&r->parity, 0, 1);
  rcc_send_parity_set (&r->parity, 0, 1);
  run (r, 10);
  g_assert_cmpuint (r->parity.packets, ==, 6);
  rcc_send_parity_set (&r->parity, 0, 1);
  probe (r, 3000);
  g_assert_cmpuint (run (r, 1), ==, 0);
  g_assert_cmpuint (r->parity.filled, >=, 2);
  repair_all (r, TRUE);
  rig_free (r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe-parity/in-place-of-padding", parity_in_place_of_padding);
  g_test_add_func ("/probe-parity/six-cover-the-last-24", six_cover_the_last_24);
  g_test_add_func ("/probe-parity/padding-where-there-is-none", padding_where_there_is_none);
  g_test_add_func ("/probe-parity/padding-unless-asked-for", padding_unless_asked_for);
  g_test_add_func ("/probe-parity/between-two-ways", between_two_ways);
  return g_test_run ();
}
