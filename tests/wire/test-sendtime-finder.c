/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/sendtime-finder.h"

#define ID 5
#define OTHER 9
#define OFFSET (40 * RCC_SEC)           /* the sender's clock less ours */

/* What a 24-bit value is at @t, a function per kind of extension. */
typedef guint32 (*Kind) (RccTime t, guint n, RccRng *rng);

static guint32
send_time (RccTime t, guint n, RccRng *rng)
{
  return rcc_abs_send_time (t + OFFSET);
}

static guint32
constant (RccTime t, guint n, RccRng *rng)
{
  return 0x123456;
}

static guint32
counter (RccTime t, guint n, RccRng *rng)
{
  return n * 7;
}

static guint32
video_clock (RccTime t, guint n, RccRng *rng)
{
  return (guint32) (t * 9 / 100000) & 0xffffff;
}

static guint32
milliseconds (RccTime t, guint n, RccRng *rng)
{
  return (guint32) (t / RCC_MSEC) & 0xffffff;
}

/* Of three bytes, with the number of the frame in the last two. */
static guint32
dependency_descriptor (RccTime t, guint n, RccRng *rng)
{
  return (n % 3 == 0 ? 0x800000 : n % 3 == 2 ? 0x400000 : 0) | ((n / 3) & 0xffff);
}

static guint32
at_random (RccTime t, guint n, RccRng *rng)
{
  return rcc_rng_u32 (rng) & 0xffffff;
}

static guint8
feed (RccSendTimeFinder *f, guint8 id, guint32 ssrc, guint32 value, RccTime now)
{
  const RccRtp head = { .pt = 96, .ssrc = ssrc };
  guint8 bytes[64], v[3];
  const guint8 two[2] = { 1, 2 };
  const RccRtpExt exts[] = { { 3, 2, two }, { id, sizeof v, v } };
  RccRtp rtp;
  gsize size;

  rcc_put24 (v, value);
  size = rcc_rtp_build (bytes, sizeof bytes, &head, exts, 2);
  g_assert_true (rcc_rtp_parse ((RccBytes) { bytes, size }, &rtp));
  return rcc_sendtime_finder_packet (f, &rtp, now);
}

/* @seconds of 30 frames/s, three packets each, that come up to @jitter late.  When it was found;
 * RCC_NEVER: it was not. */
static RccTime
watch (RccSendTimeFinder *f, Kind kind, RccTime jitter, guint seconds)
{
  const RccTime begin = 63 * RCC_SEC + 900 * RCC_MSEC;  /* both clocks wrap soon */
  RccTime last = 0;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 0);
  for (guint n = 0; n < seconds * 90; n++) {
    const RccTime sent = begin + (n / 3) * (RCC_SEC / 30) + n % 3 * 100 * RCC_USEC;
    const RccTime late = jitter ? rcc_rng_u32 (&rng) % jitter : 0;

    last = RCC_MAX (last, sent + late);
    if (feed (f, ID, 1, kind (sent, n, &rng), last))
      return last - begin;
  }
  return RCC_NEVER;
}

static void
found_soon_and_by_evidence (void)
{
  RccSendTimeFinder f;
  RccTime at;

  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  at = watch (&f, send_time, 10 * RCC_MSEC, 5);
  g_assert_cmpuint (at, >=, RCC_SEC / 2);
  g_assert_cmpuint (at, <=, RCC_SEC);
  g_assert_cmpuint (f.id, ==, ID);
  /* its clock goes on where it was: within the least lateness seen, and never behind */
  g_assert_cmpint (f.offset, <=, (gint64) OFFSET - 64 * (gint64) RCC_SEC + 4000);
  g_assert_cmpint (f.offset, >=, (gint64) OFFSET - 64 * (gint64) RCC_SEC - 2 * (gint64) RCC_MSEC);
  at = rcc_sendtime_finder_time (&f, 100 * RCC_SEC);
  g_assert_cmpint (ABS ((gint64) rcc_abs_send_time (at)
          - (gint64) rcc_abs_send_time (100 * RCC_SEC + OFFSET)), <, 2 << 18 >> 8);
}

static void
a_network_may_be_late (void)
{
  RccSendTimeFinder f;

  rcc_sendtime_finder_init (&f, &rcc_sendtime_received);
  g_assert_cmpuint (watch (&f, send_time, 200 * RCC_MSEC, 10), <=, 1500 * RCC_MSEC);
  g_assert_cmpuint (f.id, ==, ID);
  /* who would write into it asks for more */
  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  g_assert_cmpuint (watch (&f, send_time, 200 * RCC_MSEC, 10), ==, RCC_NEVER);
}

static void
nothing_else_is_taken_for_it (void)
{
  static const Kind kinds[] = { constant, counter, video_clock, milliseconds,
    dependency_descriptor, at_random };
  RccSendTimeFinder f;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint k = 0; k < 2; k++) {
      rcc_sendtime_finder_init (&f, k ? &rcc_sendtime_sent : &rcc_sendtime_received);
      g_assert_cmpuint (watch (&f, kinds[i], 10 * RCC_MSEC, 600), ==, RCC_NEVER);
      g_assert_cmpuint (f.id, ==, 0);
    }
}

/* Two bursts that happen to be right are no evidence. */
static void
two_moments_are_too_few (void)
{
  RccSendTimeFinder f;

  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  for (guint i = 0; i < 200; i++)
    feed (&f, ID, 1, send_time (i / 100 * RCC_SEC, 0, NULL), i / 100 * RCC_SEC);
  g_assert_cmpuint (f.id, ==, 0);
}

static void
the_right_one_of_several (void)
{
  RccSendTimeFinder f;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 0);
  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  for (guint n = 0; n < 200; n++) {
    const RccTime t = n * 10 * RCC_MSEC;

    feed (&f, OTHER, 1, at_random (t, n, &rng), t);
    feed (&f, ID, 1, send_time (t, n, &rng), t);
    feed (&f, ID, 2, at_random (t, n, &rng), t);        /* as retransmissions do */
  }
  g_assert_cmpuint (f.id, ==, ID);
}

static bool
fits (RccSendTimeFinder *f, guint32 value, RccTime now)
{
  guint8 v[3];

  rcc_put24 (v, value);
  return rcc_sendtime_finder_fits (f, (RccBytes) { v, 3 }, now);
}

static void
something_else_under_its_id_is_left_alone (void)
{
  RccSendTimeFinder f;
  guint wrong = 0;
  RccTime t = 66 * RCC_SEC;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 0);
  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  watch (&f, send_time, 0, 2);
  for (guint i = 0; i < 7; i++)         /* it takes eight in a row, from the first on */
    g_assert_false (fits (&f, send_time (t - 5 * RCC_SEC, 0, NULL), t));
  g_assert_cmpuint (f.id, ==, ID);
  g_assert_false (fits (&f, send_time (t - 5 * RCC_SEC, 0, NULL), t));
  g_assert_cmpuint (f.id, ==, 0);
  watch (&f, send_time, 0, 2);
  g_assert_true (fits (&f, send_time (t, 0, NULL), t));
  g_assert_true (fits (&f, send_time (t - 3 * RCC_SEC, 0, NULL), t));   /* sent again */
  g_assert_false (fits (&f, send_time (t - 5 * RCC_SEC, 0, NULL), t));
  g_assert_false (fits (&f, send_time (t + RCC_SEC, 0, NULL), t));
  g_assert_false (fits (&f, send_time (t + 260 * RCC_MSEC, 0, NULL), t));
  g_assert_true (fits (&f, send_time (t - 3990 * RCC_MSEC, 0, NULL), t));
  g_assert_false (fits (&f, send_time (t - 4010 * RCC_MSEC, 0, NULL), t));
  g_assert_true (fits (&f, send_time (t, 0, NULL), t));
  for (guint i = 0; i < 1000 && f.id; i++)
    wrong += fits (&f, at_random (t, i, &rng), t + i * 10 * RCC_MSEC);
  g_assert_cmpuint (f.id, ==, 0);       /* forgotten */
  g_assert_cmpuint (wrong, <=, 3);
}

/* Four seconds behind, a quarter ahead, and not a tick more. */
static void
the_oldest_and_the_newest_that_fit (void)
{
  static const struct { gint32 ticks; bool fits; } cases[] = {
    { -(4 << 18) - 1, false }, { -(4 << 18), true }, { 0, true }, { 1 << 16, true },
    { (1 << 16) + 1, false },
  };
  const RccTime t = 66 * RCC_SEC;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccSendTimeFinder f;
    guint32 here;

    rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
    watch (&f, send_time, 0, 2);
    here = rcc_abs_send_time (rcc_sendtime_finder_time (&f, t));
    g_assert_cmpint (fits (&f, (here + (guint32) cases[i].ticks) & 0xffffff, t), ==,
        cases[i].fits);
  }
}

static void
a_clock_that_jumps_is_found_anew (void)
{
  RccSendTimeFinder f;
  guint8 id = 0;

  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  for (guint n = 0; n < 40; n++)        /* 0.4 s, then back to 20 s before */
    feed (&f, ID, 1, send_time (n * 10 * RCC_MSEC, n, NULL), n * 10 * RCC_MSEC);
  g_assert_cmpuint (f.id, ==, 0);
  for (guint n = 40; n < 100 && !id; n++) {
    id = feed (&f, ID, 1, send_time (n * 10 * RCC_MSEC + 44 * RCC_SEC, n, NULL),
        n * 10 * RCC_MSEC);
    if (id)
      g_assert_cmpuint (n, >=, 90);
  }
  g_assert_cmpuint (id, ==, ID);
}

/* Clocks differ by 100 ppm: in two hours by 0.7 s, more than a packet may be ahead. */
static void
drift_is_followed (void)
{
  for (gint sign = -1; sign <= 1; sign += 2) {
    RccSendTimeFinder f;
    RccTime t = 66 * RCC_SEC;

    rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
    watch (&f, send_time, 0, 2);
    for (guint i = 0; i < 2 * 3600 * 30; i++, t += RCC_SEC / 30) {
      const RccTime theirs = t + sign * (gint64) (t - 66 * RCC_SEC) / 10000;

      g_assert_true (fits (&f, send_time (theirs, i, NULL), t));
    }
    g_assert_cmpuint (f.id, ==, ID);
  }
}

/* Mutated headers: nothing is read beyond them (the sanitizers watch), nothing is found. */
static void
hostile_bytes (void)
{
  RccSendTimeFinder f;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 0);
  rcc_sendtime_finder_init (&f, &rcc_sendtime_sent);
  for (guint i = 0; i < 300000; i++) {
    const gsize size = 12 + rcc_rng_u32 (&rng) % 60;
    guint8 *bytes = g_malloc (size);    /* its end is the sanitizer's */
    RccRtp rtp;

    for (gsize k = 0; k < size; k++)
      bytes[k] = (guint8) rcc_rng_u32 (&rng);
    bytes[0] = 0x90;
    if (size >= 16) {
      rcc_put16 (bytes + 12, i % 2 ? 0xBEDE : 0x1000 | (i & 15));
      rcc_put16 (bytes + 14, (guint16) ((size - 16) / 4));
    }
    if (rcc_rtp_parse ((RccBytes) { bytes, size }, &rtp))
      rcc_sendtime_finder_packet (&f, &rtp, i * RCC_MSEC);
    g_free (bytes);
  }
  g_assert_cmpuint (f.id, ==, 0);
}

/* As many packets as the evidence asks for, however long they take. */
static void
so_many_packets_are_evidence (void)
{
  static const RccSendTimeEvidence *evidence[] = { &rcc_sendtime_received, &rcc_sendtime_sent };
  static const guint packets[] = { 20, 30 };

  for (guint i = 0; i < G_N_ELEMENTS (packets); i++) {
    RccSendTimeFinder f;

    rcc_sendtime_finder_init (&f, evidence[i]);
    for (guint n = 1; n <= packets[i]; n++) {
      const RccTime t = 10 * RCC_SEC + n * 50 * RCC_MSEC;

      g_assert_cmpuint (feed (&f, ID, 0x12345678, send_time (t, n, NULL), t), ==,
          n < packets[i] ? 0 : ID);
    }
  }
}

/* Both, at the time 0 as later. */
static void
two_ids_have_two_places (void)
{
  for (guint i = 0; i < 2; i++) {
    RccSendTimeFinder f;

    rcc_sendtime_finder_init (&f, &rcc_sendtime_received);
    feed (&f, ID, 1, 100, i * RCC_SEC);
    feed (&f, OTHER, 1, 200, i * RCC_SEC);
    feed (&f, ID, 1, 100, i * RCC_SEC);
    g_assert_cmpuint (f.candidates[0].id, ==, ID);
    g_assert_cmpuint (f.candidates[0].packets, ==, 2);
    g_assert_cmpuint (f.candidates[1].id, ==, OTHER);
  }
}

static bool
is_candidate (const RccSendTimeFinder *f, guint8 id)
{
  for (guint i = 0; i < RCC_SENDTIME_CANDIDATES; i++)
    if (f->candidates[i].id == id)
      return true;
  return false;
}

/* Each of them in turn, with all places taken. */
static void
the_id_that_was_silent_for_longest_gives_way (void)
{
  for (guint8 silent = 4; silent < 4 + RCC_SENDTIME_CANDIDATES; silent++) {
    RccSendTimeFinder f;

    rcc_sendtime_finder_init (&f, &rcc_sendtime_received);
    for (guint8 id = 4; id < 4 + RCC_SENDTIME_CANDIDATES; id++)
      feed (&f, id, 1, 100, RCC_SEC + id * RCC_MSEC);
    for (guint8 id = 4; id < 4 + RCC_SENDTIME_CANDIDATES; id++)
      if (id != silent)
        feed (&f, id, 1, 100, RCC_SEC + (20 + id) * RCC_MSEC);
    feed (&f, 14, 1, 100, RCC_SEC + 50 * RCC_MSEC);
    g_assert_true (is_candidate (&f, 14));
    for (guint8 id = 4; id < 4 + RCC_SENDTIME_CANDIDATES; id++)
      g_assert_cmpint (is_candidate (&f, id), ==, id != silent);
  }
}

/* Wherever among a packet's extensions it stands. */
static void
any_of_a_packets_extensions_may_be_it (void)
{
  for (guint first = 0; first < 2; first++) {
    RccSendTimeFinder f;
    guint8 id = 0;

    rcc_sendtime_finder_init (&f, &rcc_sendtime_received);
    for (guint n = 0; n < 100 && !id; n++) {
      const RccTime t = 10 * RCC_SEC + n * 10 * RCC_MSEC;
      const RccRtp head = { .pt = 96, .ssrc = 1 };
      guint8 bytes[64], time[3], other[3];
      const RccRtpExt it = { ID, 3, time }, beside = { OTHER, 3, other };
      const RccRtpExt exts[2] = { first ? it : beside, first ? beside : it };
      RccRtp rtp;

      rcc_put24 (time, send_time (t, n, NULL));
      rcc_put24 (other, constant (t, n, NULL));
      g_assert_true (rcc_rtp_parse ((RccBytes) { bytes,
                  rcc_rtp_build (bytes, sizeof bytes, &head, exts, 2) }, &rtp));
      id = rcc_sendtime_finder_packet (&f, &rtp, t);
    }
    g_assert_cmpuint (id, ==, ID);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sendtime-finder/so-many-packets", so_many_packets_are_evidence);
  g_test_add_func ("/sendtime-finder/found-soon-and-by-evidence", found_soon_and_by_evidence);
  g_test_add_func ("/sendtime-finder/a-network-may-be-late", a_network_may_be_late);
  g_test_add_func ("/sendtime-finder/nothing-else-is-taken-for-it", nothing_else_is_taken_for_it);
  g_test_add_func ("/sendtime-finder/two-moments-are-too-few", two_moments_are_too_few);
  g_test_add_func ("/sendtime-finder/the-right-one-of-several", the_right_one_of_several);
  g_test_add_func ("/sendtime-finder/something-else-under-its-id-is-left-alone",
      something_else_under_its_id_is_left_alone);
  g_test_add_func ("/sendtime-finder/a-clock-that-jumps-is-found-anew",
      a_clock_that_jumps_is_found_anew);
  g_test_add_func ("/sendtime-finder/oldest-and-newest", the_oldest_and_the_newest_that_fit);
  g_test_add_func ("/sendtime-finder/drift-is-followed", drift_is_followed);
  g_test_add_func ("/sendtime-finder/hostile-bytes", hostile_bytes);
  g_test_add_func ("/sendtime-finder/two-ids", two_ids_have_two_places);
  g_test_add_func ("/sendtime-finder/silent-for-longest",
      the_id_that_was_silent_for_longest_gives_way);
  g_test_add_func ("/sendtime-finder/any-extension", any_of_a_packets_extensions_may_be_it);
  return g_test_run ();
}
