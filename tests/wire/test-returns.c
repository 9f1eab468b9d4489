/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/returns.h"

#define FIRST "192.0.2.1"
#define SECOND "2001:db8::2"

static bool
hear (RccReturns *r, const char *host, bool member, guint s)
{
  return rcc_returns_heard (r, host, 5005, member, 100 * RCC_SEC + s * RCC_SEC);
}

static void
assert_hosts (const RccReturns *r, const char *first, const char *second, const char *third)
{
  const char *const expected[RCC_RETURNS] = { first, second, third };

  for (guint i = 0; i < RCC_RETURNS; i++)
    g_assert_cmpstr (i < r->n ? r->entries[i].host : NULL, ==, expected[i]);
}

/* Whoever comes first is answered, as members are not known yet.  A member is, too. */
static void
the_first_is_taken (void)
{
  RccReturns r = { 0 };

  g_assert_false (rcc_returns_admits (&r, SECOND, 5005));
  g_assert_true (hear (&r, SECOND, FALSE, 0));
  g_assert_false (rcc_returns_admits (&r, SECOND, 5005));
  g_assert_false (hear (&r, SECOND, TRUE, 1));
  g_assert_true (rcc_returns_admits (&r, SECOND, 5005));
  g_assert_false (rcc_returns_admits (&r, SECOND, 5007));
  assert_hosts (&r, SECOND, NULL, NULL);
  g_assert_cmpuint (r.entries[0].port, ==, 5005);
}

static void
strangers_get_nothing (void)
{
  RccReturns r = { 0 };

  hear (&r, FIRST, TRUE, 0);
  for (guint s = 1; s < 100; s++)
    g_assert_false (hear (&r, SECOND, FALSE, s) || rcc_returns_admits (&r, SECOND, 5005));
  assert_hosts (&r, FIRST, NULL, NULL);
  /* all is heard that comes from where a member is, as its other SSRCs may only receive */
  hear (&r, FIRST, FALSE, 100);
  g_assert_true (rcc_returns_admits (&r, FIRST, 5005));
}

/* A stranger that was there before the call leaves, as it is no member.  It speaks all the time. */
static void
a_stranger_does_not_stay (void)
{
  RccReturns r = { 0 };

  hear (&r, SECOND, FALSE, 0);
  for (guint s = 0; s <= 16; s++) {
    g_assert_false (hear (&r, SECOND, FALSE, s));
    g_assert_cmpint (hear (&r, FIRST, TRUE, s), ==, s == 0 || s == 16);
  }
  assert_hosts (&r, FIRST, NULL, NULL);
}

/* Both get it for 15 s, another port of the same host as well. */
static void
a_member_moves (void)
{
  RccReturns r = { 0 };

  hear (&r, FIRST, TRUE, 0);
  g_assert_true (rcc_returns_heard (&r, FIRST, 5007, TRUE, 110 * RCC_SEC));
  assert_hosts (&r, FIRST, FIRST, NULL);
  g_assert_false (rcc_returns_heard (&r, FIRST, 5007, TRUE, 115 * RCC_SEC));
  g_assert_true (rcc_returns_heard (&r, FIRST, 5007, TRUE, 115 * RCC_SEC + 1));
  assert_hosts (&r, FIRST, NULL, NULL);
  g_assert_cmpuint (r.entries[0].port, ==, 5007);
}

/* Who knows the SSRC and has many addresses does not push out one that is heard. */
static void
a_flood_of_addresses (void)
{
  RccReturns r = { 0 };
  char host[16];

  hear (&r, FIRST, TRUE, 0);
  for (guint s = 1; s < 1000; s++) {
    g_snprintf (host, sizeof host, "10.0.%u.%u", s / 256, s % 256);
    hear (&r, host, TRUE, s);
    if (s % 10 == 0)
      hear (&r, FIRST, TRUE, s);
    g_assert_cmpstr (r.entries[0].host, ==, FIRST);
    g_assert_cmpuint (r.n, <=, RCC_RETURNS);
  }
}

/* After an hour of silence the one that is there stays, and goes when another speaks. */
static void
the_last_one_stays (void)
{
  RccReturns r = { 0 };

  hear (&r, FIRST, TRUE, 0);
  g_assert_false (hear (&r, SECOND, FALSE, 3600));
  assert_hosts (&r, FIRST, NULL, NULL);
  g_assert_true (hear (&r, SECOND, TRUE, 3600));
  assert_hosts (&r, SECOND, NULL, NULL);
}

static void
what_is_too_long_is_refused (void)
{
  RccReturns r = { 0 };
  char host[65];

  memset (host, 'f', sizeof host);
  host[64] = 0;
  g_assert_false (hear (&r, host, TRUE, 0));
  g_assert_cmpuint (r.n, ==, 0);
  host[63] = 0;
  g_assert_true (hear (&r, host, TRUE, 0));
  assert_hosts (&r, host, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/returns/the-first-is-taken", the_first_is_taken);
  g_test_add_func ("/returns/strangers-get-nothing", strangers_get_nothing);
  g_test_add_func ("/returns/a-stranger-does-not-stay", a_stranger_does_not_stay);
  g_test_add_func ("/returns/a-member-moves", a_member_moves);
  g_test_add_func ("/returns/a-flood-of-addresses", a_flood_of_addresses);
  g_test_add_func ("/returns/the-last-one-stays", the_last_one_stays);
  g_test_add_func ("/returns/what-is-too-long-is-refused", what_is_too_long_is_refused);
  return g_test_run ();
}
