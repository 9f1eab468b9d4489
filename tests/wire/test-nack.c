/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/nack.h"

/* RFC 4585 6.2.1: PID 3 with bits 0, 5 and 15, and PID 65535 with bit 0. */
static const guint8 two_pairs[] = {
  0x81, 205, 0, 4, 0x12, 0x34, 0x56, 0x78, 0x23, 0x45, 0x67, 0x89,
  0x00, 0x03, 0x80, 0x21, 0xff, 0xff, 0x00, 0x01,
};

/* What is refused says nothing. */
static gboolean
parses (const guint8 *data, gsize size, RccNack *nack)
{
  const RccRtcpPacket packet = only_packet (data, size);

  if (rcc_nack_parse (&packet, nack))
    return TRUE;
  g_assert_true (nack->sender_ssrc == 0 && nack->media_ssrc == 0 && nack->n_pairs == 0);
  return FALSE;
}

/* All that @nack names. */
static guint
named (const RccNack *nack, guint16 *seqs)
{
  guint n = 0;

  for (guint i = 0; i < nack->n_pairs; i++)
    n += rcc_nack_pair (nack, i, seqs + n);
  return n;
}

static void
the_bits_name_what_follows (void)
{
  static const guint16 wanted[] = { 3, 4, 9, 19, 65535, 0 };
  guint16 seqs[4 * RCC_NACK_SPAN];
  RccNack nack;

  g_assert_true (parses (ALL (two_pairs), &nack));
  g_assert_cmpuint (nack.sender_ssrc, ==, 0x12345678);
  g_assert_cmpuint (nack.media_ssrc, ==, 0x23456789);
  g_assert_cmpuint (nack.n_pairs, ==, 2);
  g_assert_cmpuint (nack.pairs.size, ==, 8);
  g_assert_cmpuint (named (&nack, seqs), ==, G_N_ELEMENTS (wanted));
  g_assert_cmpmem (seqs, sizeof wanted, wanted, sizeof wanted);
}

static void
only_a_generic_nack_is_one (void)
{
  guint8 bytes[sizeof two_pairs];
  RccNack nack;

  memcpy (bytes, two_pairs, sizeof bytes);
  bytes[0] = 0x8f;                      /* FMT 15: transport-wide feedback */
  g_assert_false (parses (ALL (bytes), &nack));
  bytes[0] = 0x81;
  bytes[1] = 206;                       /* PSFB FMT 1: a picture loss indication */
  g_assert_false (parses (ALL (bytes), &nack));
  bytes[1] = 205;
  bytes[3] = 2;                         /* no pair */
  g_assert_false (parses (bytes, 12, &nack));
  bytes[3] = 1;                         /* no SSRC of the media */
  g_assert_false (parses (bytes, 8, &nack));
}

static void
what_is_built_is_read (void)
{
  RccRng rng;

  rcc_rng_init (&rng, SEED, 1);
  for (guint run = 0; run < 2000; run++) {
    guint8 bytes[1200];
    guint16 seqs[64], again[64 * RCC_NACK_SPAN], seq = (guint16) rcc_rng_u32 (&rng);
    const guint n = 1 + rcc_rng_u32 (&rng) % G_N_ELEMENTS (seqs);
    gsize size;
    RccNack nack;

    for (guint i = 0; i < n; i++)
      seqs[i] = seq += 1 + rcc_rng_u32 (&rng) % 20;
    size = rcc_nack_build (bytes, sizeof bytes, 1, 2, seqs, n);
    g_assert_cmpuint (size, >, 0);
    g_assert_true (parses (bytes, size, &nack));
    g_assert_cmpuint (named (&nack, again), ==, n);
    g_assert_cmpmem (again, n * sizeof *again, seqs, n * sizeof *seqs);
    /* what does not fit is not begun */
    g_assert_cmpuint (rcc_nack_build (bytes, size - 1, 1, 2, seqs, n), ==, 0);
  }
}

static void
nothing_is_asked_for_by_no_message (void)
{
  guint8 bytes[64];

  g_assert_cmpuint (rcc_nack_build (bytes, sizeof bytes, 1, 2, NULL, 0), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nack/the-bits-name-what-follows", the_bits_name_what_follows);
  g_test_add_func ("/nack/only-a-generic-nack-is-one", only_a_generic_nack_is_one);
  g_test_add_func ("/nack/what-is-built-is-read", what_is_built_is_read);
  g_test_add_func ("/nack/nothing-is-asked-for-by-no-message",
      nothing_is_asked_for_by_no_message);
  return g_test_run ();
}
