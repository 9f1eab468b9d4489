/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every implementation agrees with the reference to the last bit at every length and
 * offset, and touches nothing beside its range: what is read ends where its heap block
 * ends, so that a sanitizer sees one byte too many, and what lies on both sides of the
 * range that is written must keep its values.
 */
#include <glib.h>
#include <string.h>
#include "core/rng.h"
#include "core/fbra/xorfec.h"

#define LENGTHS 1600
#define OFFSETS 64
#define SEED 20240611

static RccXor
implementation (gconstpointer which)
{
  switch (GPOINTER_TO_UINT (which)) {
    case 0:
      return rcc_xor_plain;
    case 1:
      return rcc_xor_avx2 ();
    default:
      return rcc_xor;
  }
}

static void
fill (RccRng *r, guint8 *bytes, gsize size)
{
  for (gsize i = 0; i < size; i++)
    bytes[i] = (guint8) rcc_rng_u32 (r);
}

static void
check (RccXor xor, const guint8 *noise, gsize length, gsize offset)
{
  const gsize other = (offset * 7 + length) % OFFSETS;
  guint8 *acc = g_malloc (offset + length + 1);
  guint8 *want = g_malloc (offset + length + 1);
  guint8 *bytes = g_malloc (MAX (other + length, 1));

  memcpy (acc, noise, offset + length + 1);
  memcpy (want, noise, offset + length + 1);
  memcpy (bytes, noise + 1000, other + length);
  rcc_xor_reference (want + offset, bytes + other, length);
  xor (acc + offset, bytes + other, length);
  g_assert_cmpmem (acc, offset + length + 1, want, offset + length + 1);
  g_assert_cmpmem (bytes, other + length, noise + 1000, other + length);
  g_free (acc);
  g_free (bytes);
  g_free (want);
}

static void
agrees_with_the_reference (gconstpointer which)
{
  const RccXor xor = implementation (which);
  guint8 noise[1000 + OFFSETS + LENGTHS + 1];
  RccRng r;

  if (!xor) {
    g_test_skip ("this CPU has no AVX2");
    return;
  }
  rcc_rng_init (&r, SEED, 1);
  fill (&r, noise, sizeof noise);
  for (gsize length = 0; length <= LENGTHS; length++)
    for (gsize offset = 0; offset < OFFSETS; offset++)
      check (xor, noise, length, offset);
}

static void
the_reference_is_exclusive_or (void)
{
  const guint8 bytes[] = { 0x00, 0xff, 0x0f, 0xaa, 0x80 };
  const guint8 want[] = { 0x12, 0xed, 0x1d, 0xb8, 0x12 };
  guint8 acc[] = { 0x12, 0x12, 0x12, 0x12, 0x12 };

  rcc_xor_reference (acc, bytes, 4);
  g_assert_cmpmem (acc, sizeof acc, want, sizeof want);
}

/* Each bit of each byte on its own, through the implementation that is in use. */
static void
twice_is_nothing (void)
{
  guint8 acc[300], bytes[300], before[300];
  RccRng r;

  rcc_rng_init (&r, SEED, 2);
  fill (&r, before, sizeof before);
  memcpy (acc, before, sizeof acc);
  for (guint bit = 0; bit < 8 * sizeof acc; bit++) {
    memset (bytes, 0, sizeof bytes);
    bytes[bit / 8] = (guint8) (1 << bit % 8);
    rcc_xor (acc, bytes, sizeof acc);
    g_assert_cmpuint (acc[bit / 8], ==, before[bit / 8] ^ bytes[bit / 8]);
    rcc_xor (acc, bytes, sizeof acc);
    g_assert_cmpmem (acc, sizeof acc, before, sizeof before);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/xorfec/reference", the_reference_is_exclusive_or);
  g_test_add_data_func ("/xorfec/plain", GUINT_TO_POINTER (0), agrees_with_the_reference);
  g_test_add_data_func ("/xorfec/avx2", GUINT_TO_POINTER (1), agrees_with_the_reference);
  g_test_add_data_func ("/xorfec/best", GUINT_TO_POINTER (2), agrees_with_the_reference);
  g_test_add_func ("/xorfec/twice", twice_is_nothing);
  return g_test_run ();
}
