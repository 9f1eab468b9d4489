/* SPDX-License-Identifier: GPL-2.0-only */
#include "run.h"

#include <ns3/core-module.h>

#include "dumbbell.h"
#include "lte.h"
#include "output.h"
#include "wifi.h"

namespace sim {

using namespace ns3;

namespace {

struct FreeWorld {
  void operator() (RccWorld *w) const { rcc_world_free (w); }
};

using World = std::unique_ptr<RccWorld, FreeWorld>;

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

} // namespace

std::unique_ptr<Topology>
makeTopology (const Options &options, const RccScenario *scenario)
{
  if (options.topology == "dumbbell")
    return std::make_unique<Dumbbell> (options, scenario);
  if (options.topology == "lte")
    return std::make_unique<Lte> (options);
  if (options.topology == "wifi")
    return std::make_unique<Wifi> (options);
  throw Error ("the topology " + options.topology + " is not in this build.");
}

std::string
run (const Options &options)
{
  World world = makeWorld (options);
  std::unique_ptr<File> log;
  Cleaner cleaner;
  std::string summary;

  if (!options.output.empty ())
    prepareFolder (options.output);
  RngSeedManager::SetSeed (12345);
  RngSeedManager::SetRun (options.seed + 1);
  Cross::configure (options);
  std::unique_ptr<Topology> topology = makeTopology (options, world->scenario);
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
  return summary;
}

} // namespace sim
