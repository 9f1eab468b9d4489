/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <string.h>
#include "core/rng.h"
#include "core/ssrcs.h"

typedef struct {
  guint mine, filler[5];
} Record;

static RccSsrcs s;

static void
start (void)
{
  rcc_ssrcs_clear (&s);                 /* of the test before */
  memset (&s, 0xa5, sizeof s);          /* init leaves nothing to chance */
  rcc_ssrcs_init (&s, sizeof (Record), g_realloc);
}

static guint
use (guint32 ssrc, gboolean expect_new)
{
  bool is_new;
  Record *record = rcc_ssrcs_use (&s, ssrc, &is_new);

  g_assert_cmpint (is_new, ==, expect_new);
  g_assert_true (rcc_ssrcs_find (&s, ssrc) == record);
  g_assert_true (rcc_ssrcs_at (&s, s.hit) == record);
  g_assert_cmpuint (rcc_ssrcs_place (&s, record), ==, s.hit);
  g_assert_cmpuint (s.ssrcs[s.hit], ==, ssrc);
  if (is_new)
    for (guint i = 0; i < sizeof *record; i++)
      g_assert_cmpuint (((guint8 *) record)[i], ==, 0);
  else
    g_assert_cmpuint (record->mine, ==, ~ssrc);
  record->mine = ~ssrc;
  memset (record->filler, 0xa5, sizeof record->filler);
  return s.hit;
}

static void
each_has_its_record (void)
{
  start ();
  g_assert_null (rcc_ssrcs_find (&s, 0));
  for (guint i = 0; i < RCC_SSRCS; i++) {
    g_assert_null (rcc_ssrcs_find (&s, i * i));
    g_assert_cmpuint (use (i * i, TRUE), ==, i);
    g_assert_cmpuint (s.room, <=, MAX (2, 2 * i));
  }
  for (guint i = 0; i < RCC_SSRCS; i++)
    g_assert_cmpuint (use (i * i, FALSE), ==, i);
  g_assert_null (rcc_ssrcs_find (&s, 2));
}

static void
the_one_used_longest_ago_makes_room (void)
{
  start ();
  for (guint i = 0; i < RCC_SSRCS; i++)
    use (100 + i, TRUE);
  use (100, FALSE);
  g_assert_nonnull (rcc_ssrcs_find (&s, 101));  /* looked up, not used */
  g_assert_cmpuint (use (1, TRUE), ==, 1);
  g_assert_null (rcc_ssrcs_find (&s, 101));
  use (100, FALSE);
  g_assert_cmpuint (use (2, TRUE), ==, 2);
  g_assert_cmpuint (s.n, ==, RCC_SSRCS);
}

/* Beside a table that searches: hashes that fall together, and many that are replaced. */
static void
any_order (void)
{
  guint32 mine[RCC_SSRCS];
  guint64 used[RCC_SSRCS];
  guint n = 0;
  RccRng r;

  rcc_rng_init (&r, 20261123, 2);
  start ();
  for (guint round = 1; round < 20000; round++) {
    const guint32 ssrc = rcc_rng_u32 (&r) % 2 ? rcc_rng_u32 (&r) % 100 << 8
        : rcc_rng_u32 (&r) % 100 * 2654435769u;
    guint at = 0;

    while (at < n && mine[at] != ssrc)
      at++;
    if (at == n && n == RCC_SSRCS) {
      at = 0;
      for (guint i = 1; i < n; i++)
        at = used[i] < used[at] ? i : at;
      mine[at] = ssrc;
      g_assert_cmpuint (use (ssrc, TRUE), ==, at);
    } else {
      g_assert_cmpuint (use (ssrc, at == n), ==, at);
      n += at == n;
    }
    mine[at] = ssrc;
    used[at] = round;
    for (guint i = 0; i < n; i += 7)
      g_assert_true (rcc_ssrcs_find (&s, mine[i]) == rcc_ssrcs_at (&s, i));
  }
}

static void
forgotten_all_are_new (void)
{
  start ();
  for (guint i = 0; i < 5; i++)
    use (i, TRUE);
  rcc_ssrcs_forget (&s);
  g_assert_null (rcc_ssrcs_find (&s, 4));
  g_assert_cmpuint (s.room, >=, 5);
  g_assert_cmpuint (use (4, TRUE), ==, 0);
  rcc_ssrcs_clear (&s);
  g_assert_cmpuint (s.room, ==, 0);
  g_assert_null (s.records);
  g_assert_cmpuint (use (4, TRUE), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ssrcs/each-has-its-record", each_has_its_record);
  g_test_add_func ("/ssrcs/the-one-used-longest-ago-makes-room",
      the_one_used_longest_ago_makes_room);
  g_test_add_func ("/ssrcs/any-order", any_order);
  g_test_add_func ("/ssrcs/forgotten-all-are-new", forgotten_all_are_new);
  return g_test_run ();
}
