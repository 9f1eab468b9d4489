/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/rcc.h"
#include "send/spurious.h"

static void
report (RccSpurious *s, guint asked, gint64 lost)
{
  while (asked-- > 0)
    rcc_spurious_asked (s);
  rcc_spurious_report (s, lost);
}

/* Each packet that is lost is asked for, whether many fall or few. */
static void
losses_are_none (void)
{
  RccSpurious s = { 0 };

  for (guint i = 0; i < 100; i++) {
    report (&s, i % 50, i % 50);
    g_assert_false (s.likely);
  }
  report (&s, 300, 290);                /* ten of them came late */
  g_assert_false (s.likely);
}

static void
requests_without_losses_are (void)
{
  RccSpurious s = { 0 };

  report (&s, 20, 0);
  g_assert_true (s.likely && s.alone);
  for (guint i = 0; i < 10; i++) {      /* a hundredth of them is real */
    report (&s, 100, 1);
    g_assert_true (s.likely && s.alone);
  }
  for (guint i = 0; i < 10; i++)        /* a tenth: too much to wait for more requests */
    report (&s, 100, 10);
  g_assert_true (s.likely && !s.alone);
  for (guint i = 0; i < 10; i++)        /* the receiver has learnt */
    report (&s, 10, 10);
  g_assert_false (s.likely || s.alone);
}

static void
little_proves_nothing (void)
{
  RccSpurious s = { 0 };

  for (guint i = 0; i < 100; i++)
    report (&s, 5, 0);
  g_assert_false (s.likely);
  report (&s, 3, -4);
  g_assert_false (s.likely);
  for (guint i = 0; i < 1000; i++)
    report (&s, 1000, RCC_LOST_UNKNOWN);
  report (&s, 1, 0);
  g_assert_false (s.likely);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spurious/losses-are-none", losses_are_none);
  g_test_add_func ("/spurious/requests-without-losses-are", requests_without_losses_are);
  g_test_add_func ("/spurious/little-proves-nothing", little_proves_nothing);
  return g_test_run ();
}
