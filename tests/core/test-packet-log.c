/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <string.h>
#include "core/packet-log.h"
#include "core/rng.h"

#define SEED 20261123
#define KEEP (2 * RCC_SEC)

typedef struct {
  RccLogKey key;
  guint64 what;
} Record;

static RccLog l;

static void
start (gsize bytes_max)
{
  memset (&l, 0xa5, sizeof l);
  rcc_log_init (&l, sizeof (Record), KEEP, bytes_max, g_realloc);
}

static Record *
add (guint32 stream, gint64 number, RccTime now)
{
  Record *r = rcc_log_add (&l, stream, number, now);

  r->what = stream * 1000003u + (guint64) number;
  return r;
}

static gboolean
has (guint32 stream, gint64 number)
{
  const Record *r = rcc_log_find (&l, stream, number);

  g_assert_true (!r || (r->key.stream == stream && r->key.number == number
          && r->what == stream * 1000003u + (guint64) number));
  return r != NULL;
}

static void
nothing_is_there_at_first (void)
{
  start (1 << 20);
  g_assert_cmpuint (l.capacity, ==, 0);
  g_assert_false (has (0, 0));
  g_assert_false (has (7, -3));
  add (7, -3, 0);
  g_assert_true (has (7, -3));
  g_assert_false (has (0, 0));
  g_assert_false (has (7, -2));
  g_assert_false (has (8, -3));
  rcc_log_empty (&l);
  g_assert_false (has (7, -3));
  rcc_log_clear (&l);
  g_assert_null (l.records);
  g_assert_null (l.newest);
  g_assert_false (has (7, -3));
  rcc_log_clear (&l);                   /* a second time there is nothing to give back */
  add (7, -3, 0);
  g_assert_true (has (7, -3));
  rcc_log_clear (&l);
}

/* As much as KEEP needs, and no more. */
static void
grows_by_need (void)
{
  RccTime now = 0;

  start (1 << 20);
  for (gint64 n = 0; n < 10000; n++, now += 100 * RCC_MSEC)
    add (1, n, now);                    /* 20 in KEEP */
  g_assert_cmpuint (l.capacity, ==, 64);
  for (gint64 n = 9936; n < 10000; n++)
    g_assert_true (has (1, n));
  g_assert_false (has (1, 9935));
  for (gint64 n = 10000; n < 20000; n++, now += 10 * RCC_MSEC)
    add (1, n, now);                    /* 200 in KEEP */
  g_assert_cmpuint (l.capacity, ==, 256);
  for (gint64 n = 20000 - 200; n < 20000; n++)
    g_assert_true (has (1, n));
  rcc_log_clear (&l);
}

static void
stays_within_its_limit (void)
{
  start (64 * 1024);
  for (gint64 n = 0; n < 1000000; n++)
    add ((guint32) (n % 3), n, 0);
  g_assert_cmpuint (l.capacity * (sizeof (Record) + 4), <=, 64 * 1024);
  g_assert_cmpuint (l.capacity, ==, 1024);
  for (gint64 n = 1000000 - 1024; n < 1000000; n++)
    g_assert_true (has ((guint32) (n % 3), n));
  g_assert_false (has ((1000000 - 1025) % 3, 1000000 - 1025));
  rcc_log_clear (&l);
}

/* A number that is given again is found as it was given last. */
static void
the_newest_is_found (void)
{
  Record *r;

  start (1 << 20);
  for (guint i = 0; i < 10; i++)
    add (1, 5, i);
  r = rcc_log_find (&l, 1, 5);
  g_assert_cmpuint (r->key.at, ==, 9);
  g_assert_cmpuint (rcc_log_place (&l, r), ==, 9);
  rcc_log_clear (&l);
}

static void
places_are_those_of_the_ring (void)
{
  start (1 << 20);
  for (gint64 n = 0; n < 1000; n++) {
    Record *r = add (1, n, (RccTime) n * 50 * RCC_MSEC);

    g_assert_cmpuint (rcc_log_place (&l, r), ==, n);
    g_assert_true (rcc_log_at (&l, (guint32) n) == (void *) r);
  }
  for (guint32 i = 0; i < l.live; i++) {
    Record *r = rcc_log_at (&l, rcc_log_first (&l) + i);

    g_assert_cmpint (r->key.number, ==, 1000 - l.live + i);
    g_assert_cmpuint (rcc_log_place (&l, r), ==, rcc_log_first (&l) + i);
  }
  rcc_log_clear (&l);
}

/* Beside a table that never forgets: what is younger than KEEP is found, what was never added
 * is not, over the wrap of places. */
static void
agrees_with_a_table (void)
{
  g_autoptr (GHashTable) all = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gint64 numbers[70] = { 0 };
  RccTime now = 0;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 1);
  start (1 << 20);
  l.places = 0u - 5000u;
  for (guint i = 0; i < 200000; i++, now += rcc_rng_u32 (&rng) % 10 * RCC_MSEC) {
    const guint32 stream = rcc_rng_u32 (&rng) % 70;
    gint64 *key = g_new (gint64, 1);

    numbers[stream] += 1 + (rcc_rng_u32 (&rng) % 50 == 0) * (rcc_rng_u32 (&rng) % 3000);
    add (stream, numbers[stream], now);
    *key = (gint64) stream << 48 | numbers[stream];
    g_hash_table_insert (all, key, GSIZE_TO_POINTER (now / RCC_MSEC + 1));
    for (guint k = 0; k < 3; k++) {
      const guint32 other = rcc_rng_u32 (&rng) % 71;
      const gint64 number = (other < 70 ? numbers[other] : 0) - rcc_rng_u32 (&rng) % 40;
      const gint64 asked = (gint64) other << 48 | number;
      const gsize at = GPOINTER_TO_SIZE (g_hash_table_lookup (all, &asked));

      if (at == 0 || number < 0)
        g_assert_false (has (other, number));
      else if (now - (at - 1) * RCC_MSEC < KEEP)
        g_assert_true (has (other, number));
      else
        has (other, number);
    }
  }
  rcc_log_clear (&l);
}

/* A record of one stream costs no more to find among a hundred. */
static void
chains_stay_short (void)
{
  guint64 steps = 0, finds = 0;

  start (1 << 22);
  for (gint64 n = 0; n < 20000; n++)
    add (0x5000u + (guint32) (n % 100), 60000 + n / 100, (RccTime) n * RCC_MSEC / 10);
  for (guint32 i = 0; i < l.live; i++) {
    const Record *r = rcc_log_at (&l, rcc_log_first (&l) + i);

    for (guint32 place = l.newest[((guint32) r->key.number
                + r->key.stream * 2654435761u) & (l.capacity - 1)];; steps++) {
      const Record *one = rcc_log_at (&l, place);

      if (one == r)
        break;
      place = one->key.older;
    }
    finds++;
  }
  g_assert_cmpfloat ((gdouble) steps / finds, <, 2);
  rcc_log_clear (&l);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/packet-log/" path, func)
  ADD ("nothing-is-there-at-first", nothing_is_there_at_first);
  ADD ("grows-by-need", grows_by_need);
  ADD ("stays-within-its-limit", stays_within_its_limit);
  ADD ("the-newest-is-found", the_newest_is_found);
  ADD ("places-are-those-of-the-ring", places_are_those_of_the_ring);
  ADD ("agrees-with-a-table", agrees_with_a_table);
  ADD ("chains-stay-short", chains_stay_short);
  return g_test_run ();
}
