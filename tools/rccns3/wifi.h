/* SPDX-License-Identifier: GPL-2.0-only
 *
 * wifi.h - an 802.11n access point and the stations that contend for its channel
 */
#ifndef RCC_SIM_WIFI_H
#define RCC_SIM_WIFI_H

#include "bottleneck.h"

namespace sim {

/* A server on a wire behind the access point, which is where forward media comes from. And a
 * station for each user and for each flow of cross traffic. 2.4 GHz, 20 MHz, MinstrelHt, A-MPDU
 * as ns-3 has it; what the access point holds is first in, first out. The wire is fast, or what
 * the scenario says: forward is towards the stations. */
class Wifi : public Topology {
public:
  /* @scenario is of the wire where the options say so. */
  Wifi (const Options &options, const RccScenario *scenario);

  Host media (unsigned flow, RccDirection end) override;
  Host cross (unsigned n, RccDirection end) override;
  /* Of the wire, if anything: what the shared air holds nobody knows. */
  RccTime queueTime () override { return m_wire ? m_wire->queueTime () : 0; }
  uint64_t capacity () override { return m_wire ? m_wire->capacity () : RCC_LINK_UNLIMITED; }

private:
  void build (const Options &options, unsigned stations);
  void place (const Options &options);
  void connectServer (const Options &options, const RccScenario *scenario);
  ns3::NetDeviceContainer wire (ns3::Ptr<ns3::Node> server, const Options &options,
      const RccScenario *scenario);
  Host station (unsigned i) const;

  ns3::InternetStackHelper m_stack;
  ns3::Ptr<ns3::Node> m_accessPoint;
  ns3::NodeContainer m_stations;
  ns3::NetDeviceContainer m_air;                /* the access point first */
  ns3::Ipv4InterfaceContainer m_addresses;
  Host m_server;
  std::unique_ptr<Bottleneck> m_wire;           /* null: a fast one */
  std::vector<unsigned> m_users;                /* of each flow */
  unsigned m_n_users = 1;
};

} // namespace sim

#endif
