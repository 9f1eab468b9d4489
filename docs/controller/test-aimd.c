/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/rows.h"

static void
climbs_without_loss_and_falls_with_it (void)
{
  const RccConfig limits = { 100000, 400000, 410000 };
  const RccController *row = &rcc_controller_aimd;
  RccSender *s = g_malloc0 (row->size);

  row->init (s, NULL, &limits);
  g_assert_cmpuint (row->view (s).target_bps, ==, 400000);
  rcc_tell (s, on_report, &(RccReport) { .fraction_lost = 0 }, RCC_SEC);
  g_assert_cmpuint (row->view (s).target_bps, ==, 410000);
  rcc_tell (s, on_report, &(RccReport) { .fraction_lost = 0.1 }, 2 * RCC_SEC);
  g_assert_cmpuint (row->view (s).target_bps, ==, 287000);
  g_free (s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/aimd/climbs-and-falls", climbs_without_loss_and_falls_with_it);
  return g_test_run ();
}
