/* SPDX-License-Identifier: GPL-2.0-only
 *
 * chain.h - routers in a row, hosts on fast links at each of them
 */
#ifndef RCC_SIM_CHAIN_H
#define RCC_SIM_CHAIN_H

#include <map>
#include <tuple>
#include <vector>

#include "bottleneck.h"

namespace sim {

class Chain : public Topology {
protected:
  explicit Chain (unsigned routers);

  /* Connects router @i with the next by a link that @scenario drives, or by a wire
   * (RCC_LINK_UNLIMITED: a fast one). */
  Bottleneck &bottleneck (unsigned i, const Options &options, const RccScenario *scenario);
  void wire (unsigned i, uint64_t bps);
  /* After all are connected. */
  void route ();
  /* The host at a router whose link takes @delay; made when first asked for. */
  Host host (unsigned router, RccTime delay, bool cross);

private:
  void join (unsigned i, const ns3::NetDeviceContainer &devices);

  ns3::InternetStackHelper m_stack;
  ns3::NodeContainer m_routers;
  std::vector<ns3::Ipv4InterfaceContainer> m_between;   /* router i and the next */
  std::vector<std::unique_ptr<Bottleneck>> m_bottlenecks;
  std::vector<ns3::Ipv4AddressHelper> m_addresses;      /* of the hosts at each router */
  std::map<std::tuple<unsigned, RccTime, bool>, Host> m_hosts;
};

} // namespace sim

#endif
