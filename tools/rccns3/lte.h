/* SPDX-License-Identifier: GPL-2.0-only
 *
 * lte.h - phones that walk through one LTE cell, or seven
 */
#ifndef RCC_SIM_LTE_H
#define RCC_SIM_LTE_H

#include "discard.h"
#include "shadow.h"
#include "topology.h"

namespace sim {

/* A server behind the PGW, which is where forward media comes from, and a phone for each
 * user of the options.  EPC, RLC always in unacknowledged mode, proportional fair.  There
 * is no fast fading: the package of ns-3 has no traces of it. */
class Lte : public Topology {
public:
  explicit Lte (const Options &options);

  Host media (unsigned flow, RccDirection end) override;
  Host cross (unsigned n, RccDirection end) override;
  /* How long the oldest packet in any eNB has waited. */
  RccTime queueTime () override { return m_discard->longest (); }
  uint64_t capacity () override { return RCC_LINK_UNLIMITED; }

private:
  void setDefaults (const Options &options, unsigned users);
  void connectServer (RccTime delay);
  void placeCells (const Options &options);
  void placePhones (const Options &options, unsigned users);
  ns3::Vector somewhere (double radius);
  void moveBetweenCalls (const Options &options);
  void attach ();
  ns3::Ptr<ns3::NetDevice> strongest (uint32_t phone) const;
  Host phone (unsigned user) const;

  ns3::Ptr<ns3::LteHelper> m_lte;
  ns3::Ptr<ns3::PointToPointEpcHelper> m_epc;
  ns3::InternetStackHelper m_stack;
  ns3::Ptr<Shadow> m_shadow;
  ns3::NodeContainer m_cells, m_phones;
  ns3::NetDeviceContainer m_cellDevices, m_phoneDevices;
  ns3::Ipv4InterfaceContainer m_addresses;
  Host m_server;
  RccRng m_rng;
  std::vector<unsigned> m_users;        /* of each flow */
  std::unique_ptr<DiscardTimer> m_discard;
};

} // namespace sim

#endif
