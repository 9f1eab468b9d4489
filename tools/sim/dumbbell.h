/* SPDX-License-Identifier: GPL-2.0-only
 *
 * dumbbell.h - everybody over one bottleneck
 */
#ifndef RCC_SIM_DUMBBELL_H
#define RCC_SIM_DUMBBELL_H

#include <map>
#include <tuple>
#include <vector>

#include "bottleneck.h"

namespace sim {

class Dumbbell : public Topology {
public:
  Dumbbell (const Options &options, const RccScenario *scenario);

  Host media (unsigned flow, RccDirection end) override;
  Host cross (unsigned n, RccDirection end) override;
  RccTime queueTime () override { return m_bottleneck->queueTime (); }
  uint64_t capacity () override { return m_bottleneck->capacity (); }

private:
  void connectRouters ();
  Host host (RccTime delay, RccDirection end, bool cross);

  ns3::InternetStackHelper m_stack;
  ns3::Ipv4AddressHelper m_addresses;
  ns3::NodeContainer m_routers;
  std::unique_ptr<Bottleneck> m_bottleneck;
  std::vector<RccTime> m_delays;        /* extra, by flow */
  std::map<std::tuple<RccTime, int, bool>, Host> m_hosts;
};

} // namespace sim

#endif
