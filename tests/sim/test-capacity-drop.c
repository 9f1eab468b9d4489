/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * 2.5 Mbit/s fall to 500 kbit/s behind a queue of 300 ms: what is lost until the sender knows it,
 * and what arrives from then on, by punctual clocks and by late ones.
 */
#include "flows.h"

#define S RCC_SEC
#define FALL (20 * S)
#define END (30 * S)
#define FIRST 21
#define SEEDS 5
#define PATH "0 both delay 25\n0 fwd rate 2500k queue 300ms\n20 fwd rate 500k\n"

typedef struct {
  double lost, kbps;
} Fall;

static Fall
mean_fall (const gchar *format, const gchar *late, RccTime growth)
{
  const RccClockFaults faults = clock_faults (late, NULL, NULL);
  Fall f = { 0 };

  for (guint64 seed = FIRST; seed < FIRST + SEEDS; seed++) {
    RccFlowConfig c = default_flow (format);
    RccPhase p;
    RccWorld *w;

    c.gcc.capacity_drop = growth;
    c.limits.max_bps = c.source.max_bps = 3000000;
    set_clock (&c, &faults);
    w = run_text (PATH, END, seed, &c, 1);
    f.lost += 100 * lost_share (w, FALL - S / 2, FALL + 3 * S) / SEEDS;
    p = rcc_world_phase (w, FALL, END);
    f.kbps += 1e-3 * p.delivered_bps / SEEDS;
    rcc_world_free (w);
  }
  g_test_message ("%s, %s, capacity-drop %.0f ms: %.1f %% lost, then %.0f kbit/s", format,
      late ? "late" : "punctual", growth * 1e-6, f.lost, f.kbps);
  return f;
}

/* The bounds stood before the first run of these seeds. */
static void
less_is_lost (gconstpointer format)
{
  const Fall before = mean_fall (format, NULL, 0);
  const Fall after = mean_fall (format, NULL, 60 * RCC_MSEC);
  const Fall late_before = mean_fall (format, "exp:10ms", 0);
  const Fall late_after = mean_fall (format, "exp:10ms", 60 * RCC_MSEC);

  g_assert_cmpfloat (after.lost, <=, 0.7 * before.lost);
  g_assert_cmpfloat (after.kbps, >=, 0.97 * before.kbps);
  g_assert_cmpfloat (late_after.lost, <=, 0.7 * late_before.lost);
  g_assert_cmpfloat (late_after.kbps, >=, 0.97 * late_before.kbps);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_formats ("/capacity-drop", less_is_lost);
  return g_test_run ();
}
