/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/peers.h"

#define FIRST "192.0.2.1"
#define SECOND "2001:db8::2"

static bool
hear (RccPeers *p, const char *host, bool member, guint s)
{
  return rcc_peers_heard (p, host, 5005, 1, member, 100 * RCC_SEC + s * RCC_SEC);
}

static void
assert_hosts (const RccPeers *p, const char *first, const char *second, const char *third)
{
  const char *const expected[RCC_PEERS] = { first, second, third };

  for (guint i = 0; i < RCC_PEERS; i++)
    g_assert_cmpstr (i < p->n ? p->entries[i].host : NULL, ==, expected[i]);
}

/* Whoever comes first is answered, as members are not known yet.  A member is, too. */
static void
the_first_is_taken (void)
{
  RccPeers p = { 0 };

  g_assert_false (rcc_peers_admit (&p, SECOND, 5005, FALSE));
  g_assert_true (hear (&p, SECOND, FALSE, 0));
  g_assert_false (rcc_peers_admit (&p, SECOND, 5005, FALSE));
  g_assert_false (hear (&p, SECOND, TRUE, 1));
  g_assert_true (rcc_peers_admit (&p, SECOND, 5005, FALSE));
  g_assert_false (rcc_peers_admit (&p, SECOND, 5007, FALSE));
  assert_hosts (&p, SECOND, NULL, NULL);
  g_assert_cmpuint (p.entries[0].port, ==, 5005);
}

static void
strangers_get_nothing (void)
{
  RccPeers p = { 0 };

  hear (&p, FIRST, TRUE, 0);
  for (guint s = 1; s < 100; s++)
    g_assert_false (hear (&p, SECOND, FALSE, s) || rcc_peers_admit (&p, SECOND, 5005, FALSE));
  assert_hosts (&p, FIRST, NULL, NULL);
  /* of the first address all is heard, as its other SSRCs may only receive */
  hear (&p, FIRST, FALSE, 100);
  g_assert_true (rcc_peers_admit (&p, FIRST, 5005, FALSE));
  g_assert_true (rcc_peers_is_first (&p, FIRST, 5005));
}

/* A stranger that was there before the call leaves, as it is no member, and so is not the first. */
static void
a_stranger_does_not_stay (void)
{
  RccPeers p = { 0 };

  hear (&p, SECOND, FALSE, 0);
  g_assert_true (hear (&p, FIRST, TRUE, 1));
  assert_hosts (&p, FIRST, NULL, NULL);
  g_assert_true (rcc_peers_is_first (&p, FIRST, 5005));
}

/* One that seemed to be a member of its own, with RTP, gets feedback while it is heard. */
static void
an_old_member_leaves (void)
{
  RccPeers p = { 0 };

  hear (&p, SECOND, TRUE, 0);
  for (guint s = 0; s <= 16; s++)
    g_assert_cmpint (hear (&p, FIRST, TRUE, s), ==, s == 0 || s == 16);
  assert_hosts (&p, FIRST, NULL, NULL);
}

/* Both get it for 15 s, another port of the same host as well. */
static void
a_member_moves (void)
{
  RccPeers p = { 0 };

  hear (&p, FIRST, TRUE, 0);
  g_assert_true (rcc_peers_heard (&p, FIRST, 5007, 1, TRUE, 110 * RCC_SEC));
  assert_hosts (&p, FIRST, FIRST, NULL);
  /* of the second its members, as anybody may have heard an SSRC */
  g_assert_false (rcc_peers_is_first (&p, FIRST, 5007));
  g_assert_false (rcc_peers_admit (&p, FIRST, 5007, FALSE));
  g_assert_true (rcc_peers_admit (&p, FIRST, 5007, TRUE));
  g_assert_false (rcc_peers_admit (&p, FIRST, 5009, TRUE));
  g_assert_false (rcc_peers_heard (&p, FIRST, 5007, 1, TRUE, 115 * RCC_SEC));
  g_assert_true (rcc_peers_heard (&p, FIRST, 5007, 1, TRUE, 115 * RCC_SEC + 1));
  assert_hosts (&p, FIRST, NULL, NULL);
  g_assert_cmpuint (p.entries[0].port, ==, 5007);
}

/* Who knows the SSRC and has many addresses does not push out one that is heard. */
static void
a_flood_of_addresses (void)
{
  RccPeers p = { 0 };
  char host[16];

  hear (&p, FIRST, TRUE, 0);
  for (guint s = 1; s < 1000; s++) {
    g_snprintf (host, sizeof host, "10.0.%u.%u", s / 256, s % 256);
    hear (&p, host, TRUE, s);
    if (s % 10 == 0)
      hear (&p, FIRST, TRUE, s);
    g_assert_cmpstr (p.entries[0].host, ==, FIRST);
    g_assert_cmpuint (p.n, <=, RCC_PEERS);
  }
}

/* After an hour of silence the one that is there stays, and goes when another speaks. */
static void
the_last_one_stays (void)
{
  RccPeers p = { 0 };

  hear (&p, FIRST, TRUE, 0);
  g_assert_false (hear (&p, SECOND, FALSE, 3600));
  assert_hosts (&p, FIRST, NULL, NULL);
  g_assert_true (hear (&p, SECOND, TRUE, 3600));
  assert_hosts (&p, SECOND, NULL, NULL);
}

static void
what_is_too_long_is_refused (void)
{
  RccPeers p = { 0 };
  char host[65];

  memset (host, 'f', sizeof host);
  host[64] = 0;
  g_assert_false (hear (&p, host, TRUE, 0));
  g_assert_cmpuint (p.n, ==, 0);
  host[63] = 0;
  g_assert_true (hear (&p, host, TRUE, 0));
  assert_hosts (&p, host, NULL, NULL);
}

/* Each has a stream, so they may not be many.  The call's own host has as many as it wants. */
static void
few_strangers_are_let_in (void)
{
  RccPeers p = { 0 };

  for (guint i = 0; i < 1000; i++)
    g_assert_cmpint (rcc_peers_let_in (&p, i, i % 2 ? FIRST : "10.0.0.1"), ==,
        i < RCC_PEER_STRANGERS);
  g_assert_true (rcc_peers_let_in (&p, 3, "10.0.0.2"));        /* it is there */
  hear (&p, FIRST, FALSE, 0);                   /* nobody's word */
  g_assert_false (rcc_peers_let_in (&p, RCC_PEER_STRANGERS + 1, FIRST));
  hear (&p, FIRST, TRUE, 1);
  for (guint i = 0; i < 1000; i++)
    g_assert_true (rcc_peers_let_in (&p, i, FIRST));
  hear (&p, "10.0.0.1", TRUE, 1);       /* who has heard an SSRC */
  /* half of the places are free */
  for (guint i = 100; i < 200; i++)
    g_assert_cmpint (rcc_peers_let_in (&p, i, SECOND), ==, i < 100 + RCC_PEER_STRANGERS / 2);
}

/* A call of 16 SSRCs is let in before its RTCP comes. */
static void
sixteen_before_rtcp (void)
{
  RccPeers p = { 0 };

  for (guint i = 1; i <= 17; i++)
    g_assert_cmpint (rcc_peers_let_in (&p, i, FIRST), ==, i <= 16);
}

/* One who sends RTP of many SSRCs before the call does must not keep it out. */
static void
a_stranger_before_the_call (void)
{
  RccPeers p = { 0 };

  for (guint i = 100; i < 200; i++)
    rcc_peers_let_in (&p, i, SECOND);
  for (guint i = 1; i <= 8; i++)
    g_assert_true (rcc_peers_let_in (&p, i, FIRST));
  hear (&p, FIRST, TRUE, 0);
  g_assert_true (rcc_peers_is_first (&p, FIRST, 5005));
}

/* RTP comes before RTCP does, and says whose call it is. */
static void
who_sends_media_is_the_first (void)
{
  RccPeers p = { 0 };

  g_assert_true (rcc_peers_let_in (&p, 1, FIRST));
  g_assert_true (hear (&p, SECOND, TRUE, 0));           /* has heard that SSRC */
  g_assert_false (rcc_peers_is_first (&p, SECOND, 5005));
  g_assert_false (rcc_peers_admit (&p, SECOND, 5005, FALSE));
  for (guint i = 100; i < 200; i++)
    g_assert_cmpint (rcc_peers_let_in (&p, i, SECOND), ==, i < 100 + RCC_PEER_OF_HOST);
  g_assert_true (hear (&p, "10.0.0.1", TRUE, 1));
  g_assert_true (hear (&p, "10.0.0.2", TRUE, 2));
  g_assert_true (hear (&p, FIRST, TRUE, 3));            /* makes room for itself */
  assert_hosts (&p, FIRST, SECOND, "10.0.0.1");
  g_assert_true (rcc_peers_is_first (&p, FIRST, 5005));
  for (guint i = 200; i < 300; i++)
    g_assert_true (rcc_peers_let_in (&p, i, FIRST));
}

/* RTP may come from elsewhere than RTCP; or its sender has moved, and nobody is where it was. */
static void
media_from_elsewhere (void)
{
  for (guint moved = 0; moved < 2; moved++) {
    RccPeers p = { 0 };

    rcc_peers_let_in (&p, 1, FIRST);
    if (moved)
      hear (&p, FIRST, TRUE, 0);
    for (guint s = 0; s <= 16; s++) {
      hear (&p, SECOND, TRUE, s);
      g_assert_cmpint (rcc_peers_is_first (&p, SECOND, 5005), ==, s == 16);
    }
    for (guint i = 0; i < 100; i++)
      g_assert_true (rcc_peers_let_in (&p, i, SECOND));
    hear (&p, FIRST, TRUE, 17);
    assert_hosts (&p, SECOND, FIRST, NULL);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/peers/the-first-is-taken", the_first_is_taken);
  g_test_add_func ("/peers/strangers-get-nothing", strangers_get_nothing);
  g_test_add_func ("/peers/a-stranger-does-not-stay", a_stranger_does_not_stay);
  g_test_add_func ("/peers/an-old-member-leaves", an_old_member_leaves);
  g_test_add_func ("/peers/a-member-moves", a_member_moves);
  g_test_add_func ("/peers/a-flood-of-addresses", a_flood_of_addresses);
  g_test_add_func ("/peers/the-last-one-stays", the_last_one_stays);
  g_test_add_func ("/peers/what-is-too-long-is-refused", what_is_too_long_is_refused);
  g_test_add_func ("/peers/few-strangers-are-let-in", few_strangers_are_let_in);
  g_test_add_func ("/peers/sixteen-before-rtcp", sixteen_before_rtcp);
  g_test_add_func ("/peers/a-stranger-before-the-call", a_stranger_before_the_call);
  g_test_add_func ("/peers/who-sends-media-is-the-first", who_sends_media_is_the_first);
  g_test_add_func ("/peers/media-from-elsewhere", media_from_elsewhere);
  return g_test_run ();
}
