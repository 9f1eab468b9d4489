/* SPDX-License-Identifier: GPL-2.0-only */
#include "run.h"

#include <ns3/core-module.h>

#include "dumbbell.h"
#include "lte.h"
#include "output.h"
#include "parkinglot.h"
#include "wifi.h"

namespace sim {

using namespace ns3;

namespace {

struct FreeWorld {
  void operator() (RccWorld *w) const { rcc_world_free (w); }
};

struct FreeScenario {
  void operator() (RccScenario *s) const { rcc_scenario_free (s); }
};

using World = std::unique_ptr<RccWorld, FreeWorld>;
using Scenario = std::unique_ptr<RccScenario, FreeScenario>;

/* ns-3 keeps everything in globals: they go with the run, errors or none. */
struct Cleaner {
  ~Cleaner ()
  {
    Simulator::Destroy ();
    Config::Reset ();
    Ipv4AddressGenerator::Reset ();
    Names::Clear ();
  }
};

World
makeWorld (const Options &options)
{
  char why[RCC_SCENARIO_ERROR];
  World world (rcc_world_new (options.scenario.c_str (),
      static_cast<RccTime> (options.duration * 1e9), options.seed, why));

  if (!world)
    throw Error (why);
  for (const FlowOptions &f : options.flows)
    if (!rcc_world_add_flow (world.get (), &f.config, why))
      throw Error (why);
  return world;
}

Scenario
loadSecond (const Options &options)
{
  char why[RCC_SCENARIO_ERROR];
  Scenario scenario (rcc_scenario_load (options.scenario2.c_str (), options.seed, why,
          sizeof why));

  if (!scenario)
    throw Error (why);
  return scenario;
}

/* Throws Error where the options ask for what the topology cannot do. */
std::unique_ptr<Topology>
makeTopology (const Options &options, const RccScenario *scenario, const RccScenario *second)
{
  if (options.topology == "lte")
    return std::make_unique<Lte> (options);
  if (options.topology == "wifi")
    return std::make_unique<Wifi> (options, scenario);
  if (options.topology == "parking-lot")
    return std::make_unique<ParkingLot> (options, scenario, second);
  return std::make_unique<Dumbbell> (options, scenario);
}

} // namespace

std::string
run (const Options &options)
{
  World world = makeWorld (options);
  Scenario second = loadSecond (options);
  std::unique_ptr<File> log;
  Cleaner cleaner;
  std::string summary;

  if (!options.output.empty ())
    prepareFolder (options.output);
  RngSeedManager::SetSeed (12345);
  RngSeedManager::SetRun (options.seed + 1);
  Cross::configure (options);
  std::unique_ptr<Topology> topology = makeTopology (options, world->scenario,
      second.get ());
  Media media (world.get (), *topology);
  Cross cross (options, *topology);

  if (options.packets) {
    log = std::make_unique<File> (options.output, "packets.csv");
    media.logTo (log->stream ());
  }
  media.start ();
  Simulator::Stop (span (world->duration + 1));
  Simulator::Run ();
  if (log)
    log->finish ();
  summary = summarise (options, world.get (), cross, media);
  if (!options.output.empty ())
    writeResults (options, world.get (), cross, summary);
  return options.json ? json (world.get (), cross) : summary;
}

} // namespace sim
