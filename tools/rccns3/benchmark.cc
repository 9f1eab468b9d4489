/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What a run costs, in simulated seconds per second of CPU.
 */
#include <cstdio>
#include <ctime>

#include "run.h"

namespace sim {

namespace {

double
cpu ()
{
  return static_cast<double> (clock ()) / CLOCKS_PER_SEC;
}

void
measure (const char *what, const Options &options)
{
  const double before = cpu ();
  double spent;

  run (options);
  spent = cpu () - before;
  printf ("%-52s %6.0f s in %6.2f s CPU: %8.2f sim/CPU\n", what, options.duration, spent,
      options.duration / spent);
  fflush (stdout);
}

Options
common (const char *scenario, unsigned flows, double duration)
{
  Options o;

  o.scenario = scenario;
  o.duration = duration;
  o.flows.resize (flows);
  for (unsigned i = 0; i < flows; i++) {
    o.flows[i].config = rcc_flow_config (RCC_GCC_DEFAULT);
    o.flows[i].user = i;
  }
  return o;
}

} // namespace

void
benchmark ()
{
  Options o = common ("constant:1M", 1, 300);

  o.tcp.shorts = 10;
  measure ("1 GCC flow + 10 short TCP, 1 Mbit/s", o);
  o.scenario = "constant:10M";
  measure ("1 GCC flow + 10 short TCP, 10 Mbit/s", o);
  o.tcp.shorts = 0;
  o.tcp.bulk = 1;
  o.duration = 100;
  measure ("1 GCC flow + 1 bulk TCP, 10 Mbit/s", o);
  measure ("1 GCC flow, 1 Mbit/s", common ("constant:1M", 1, 300));
  measure ("10 GCC flows, 10 Mbit/s", common ("constant:10M", 10, 100));
  measure ("100 GCC flows, 100 Mbit/s", common ("constant:100M", 100, 20));
  for (const char *amc : { "mi", "piro" }) {
    o = common ("constant:unlimited", 50, 4);
    o.topology = "lte";
    o.amc = amc;
    measure ((std::string ("50 GCC calls, LTE, 50 resource blocks, AMC ") + amc).c_str (), o);
  }
}

} // namespace sim
