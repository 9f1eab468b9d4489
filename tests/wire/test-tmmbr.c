/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/tmmbr.h"

static gboolean
parses (const guint8 *data, gsize size, RccTmmbr *tmmbr)
{
  const RccRtcpPacket packet = only_packet (data, size);

  return rcc_tmmbr_parse (&packet, tmmbr);
}

static RccTmmbrEntry
first_entry (const guint8 *data, gsize size)
{
  RccTmmbrEntry entry;
  RccTmmbr tmmbr;

  g_assert_true (parses (data, size, &tmmbr));
  g_assert_cmpuint (tmmbr.n_entries, >=, 1);
  rcc_tmmbr_entry (&tmmbr, 0, &entry);
  return entry;
}

static void
c6_mantissa_and_exp_overflow (void)
{
  RccTmmbrEntry entry = first_entry (ALL (tmmbr_c6_exp_63));

  g_assert_cmpuint (entry.bps, ==, G_MAXUINT64);
  g_assert_cmpuint (entry.ssrc, ==, 9);
  g_assert_cmpuint (entry.overhead, ==, 40);
  entry = first_entry (ALL (tmmbr_c6_exp_63_mantissa_0));
  g_assert_cmpuint (entry.bps, ==, 0);
  entry = first_entry (ALL (tmmbr_c6_exp_47_fits));
  g_assert_cmpuint (entry.bps, ==, G_GUINT64_CONSTANT (0x1ffff) << 47);
  entry = first_entry (ALL (tmmbr_c6_exp_48_overflow));
  g_assert_cmpuint (entry.bps, ==, G_MAXUINT64);
}

static void
c6_entries_that_are_there (void)
{
  const RccTmmbrEntry entry = first_entry (ALL (tmmbr_c6_half_entry));
  RccTmmbr tmmbr;

  g_assert_cmpuint (entry.bps, ==, 2);
  g_assert_cmpuint (entry.overhead, ==, 40);
  g_assert_true (parses (ALL (tmmbr_c6_half_entry), &tmmbr));
  g_assert_cmpuint (tmmbr.n_entries, ==, 1);
  g_assert_true (parses (ALL (tmmbr_c6_no_entry), &tmmbr));
  g_assert_cmpuint (tmmbr.n_entries, ==, 0);
  g_assert_false (parses (ALL (tmmbr_c6_length_0), &tmmbr));
  g_assert_false (parses (ALL (tmmbr_c6_length_1), &tmmbr));
}

static void
round_trip (void)
{
  RccTmmbrEntry entries[40], entry;
  guint8 data[12 + 8 * 40];
  RccRng r;

  rcc_rng_init (&r, SEED, 6);
  for (guint i = 0; i < 20000; i++) {
    const guint n = 1 + rcc_rng_u32 (&r) % 40;
    const guint32 sender = rcc_rng_u32 (&r);
    const gboolean notification = rcc_rng_u32 (&r) & 1;
    RccTmmbr tmmbr;
    gsize size;

    for (guint e = 0; e < n; e++)
      entries[e] = (RccTmmbrEntry) { rcc_rng_u32 (&r), random_rate (&r),
        (guint16) (rcc_rng_u32 (&r) & 0x1ff) };
    memset (data, 0xff, sizeof data);
    size = rcc_tmmbr_build (data, sizeof data, sender, notification, entries, n);
    g_assert_cmpuint (size, ==, 12 + 8 * n);
    g_assert_cmphex (rcc_be32 (data + 8), ==, 0);       /* RFC 5104 4.2.1.2: SHALL be 0 */
    g_assert_true (parses (data, size, &tmmbr));
    g_assert_cmpuint (tmmbr.sender_ssrc, ==, sender);
    g_assert_cmpint (tmmbr.notification, ==, notification);
    g_assert_cmpuint (tmmbr.n_entries, ==, n);
    for (guint e = 0; e < n; e++) {
      rcc_tmmbr_entry (&tmmbr, e, &entry);
      g_assert_cmpuint (entry.ssrc, ==, entries[e].ssrc);
      g_assert_cmpuint (entry.overhead, ==, entries[e].overhead);
      g_assert_cmpuint (entry.bps, <=, entries[e].bps);
      g_assert_cmpuint (entries[e].bps - entry.bps, <=, entries[e].bps >> 16);
    }
  }
}

static void
build_refuses_and_limits (void)
{
  const RccTmmbrEntry entry = { 1, 2, G_MAXUINT16 };
  RccTmmbr tmmbr;
  guint8 data[20];

  g_assert_cmpuint (rcc_tmmbr_build (data, 19, 1, false, &entry, 1), ==, 0);
  g_assert_cmpuint (rcc_tmmbr_build (data, 20, 1, false, NULL, 0), ==, 0);
  g_assert_cmpuint (rcc_tmmbr_build (data, G_MAXSIZE, 1, false, NULL,
          RCC_TMMBR_ENTRIES_MAX + 1), ==, 0);
  g_assert_cmpuint (rcc_tmmbr_build (data, 20, 1, true, NULL, 0), ==, 12);
  g_assert_true (parses (data, 12, &tmmbr));
  g_assert_true (tmmbr.notification);
  g_assert_cmpuint (tmmbr.n_entries, ==, 0);
  g_assert_cmpuint (rcc_tmmbr_build (data, 20, 1, false, &entry, 1), ==, 20);
  g_assert_cmpuint (first_entry (data, 20).overhead, ==, 511);
  g_assert_cmpuint (first_entry (data, 20).bps, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tmmbr/c6-mantissa-and-exp-overflow", c6_mantissa_and_exp_overflow);
  g_test_add_func ("/tmmbr/c6-entries-that-are-there", c6_entries_that_are_there);
  g_test_add_func ("/tmmbr/round-trip", round_trip);
  g_test_add_func ("/tmmbr/build-refuses-and-limits", build_refuses_and_limits);
  return g_test_run ();
}
