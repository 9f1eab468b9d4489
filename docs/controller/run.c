/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run.c - runs the controller of aimd.c over a scenario
 */
#include <stdio.h>

#include "sim/run.h"

extern const RccController rcc_controller_aimd;

int
main (int argc, char **argv)
{
  const RccScenarioCall call = { .controller = &rcc_controller_aimd, .duration = 100 * RCC_SEC,
    .scenario = argc > 1 ? argv[1] : "rfc8867-5.1", .seed = 1,
    .csv = argc > 2 ? argv[2] : NULL };
  RccScenarioResult result;
  char error[RCC_RUN_ERROR];

  if (!rcc_scenario_run (&call, &result, error)) {
    fprintf (stderr, "%s\n", error);
    return 1;
  }
  printf ("utilisation %.3f, %.0f kbit/s, %.2f %% lost, queue p95 %.0f ms\n",
      result.utilisation, result.delivered_bps / 1000, 100 * result.lost, result.queue_p95);
  return 0;
}
