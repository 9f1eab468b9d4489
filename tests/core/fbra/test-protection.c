/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/protection.h"

/* Off: all is the controller's. */
static void
off (void)
{
  const RccProtection p = { 0, 5 };

  for (guint own = 0; own < 20; own++) {
    g_assert_cmpuint (rcc_protection_interval (&p, own), ==, own);
    g_assert_cmpuint (rcc_protection_depth (&p, own), ==, 1);
    g_assert_cmpuint (rcc_protection_bps (&p, own, 100000, 777 * own), ==, 777 * own);
  }
}

/* Media and parity are the target together, of packets of one size. */
static void
share (void)
{
  for (guint n = 1; n <= 48; n++) {
    const RccProtection p = { n, 3 };

    for (guint64 target = 0; target <= G_MAXUINT32; target = 3 * target + 1) {
      const guint fec = rcc_protection_bps (&p, 0, (guint) target, 0);

      g_assert_cmpuint (fec, >=, target / (n + 1));
      g_assert_cmpuint (fec, <=, target / (n + 1) + 1);
    }
    g_assert_cmpuint (rcc_protection_interval (&p, 0), ==, n);
    g_assert_cmpuint (rcc_protection_depth (&p, 0), ==, 3);
  }
}

static void
rests_while_the_controller_probes (void)
{
  const RccProtection p = { 4, 3 };

  g_assert_cmpuint (rcc_protection_interval (&p, 14), ==, 14);
  g_assert_cmpuint (rcc_protection_depth (&p, 14), ==, 1);
  g_assert_cmpuint (rcc_protection_bps (&p, 14, 100000, 6667), ==, 6667);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protection/off", off);
  g_test_add_func ("/protection/share", share);
  g_test_add_func ("/protection/rests-while-the-controller-probes",
      rests_while_the_controller_probes);
  return g_test_run ();
}
