/* SPDX-License-Identifier: GPL-2.0-only
 *
 * topology.h - nodes and what lies between them; who stands where
 */
#ifndef RCC_SIM_TOPOLOGY_H
#define RCC_SIM_TOPOLOGY_H

#include <functional>
#include <memory>

#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>

#include "options.h"
#include "world.h"

namespace sim {

struct Host {
  ns3::Ptr<ns3::Node> node;
  ns3::Ipv4Address address;
};

/* A packet that will not arrive, as bytes from its IPv4 header on. */
using DropHook = std::function<void (ns3::Ptr<const ns3::Packet>)>;

class Topology {
public:
  virtual ~Topology () = default;

  /* Where flow @flow's media leaves if it goes in direction @end, and where its
   * feedback does if it goes in the other one. */
  virtual Host media (unsigned flow, RccDirection end) = 0;
  /* The same for TCP and other cross traffic number @n. */
  virtual Host cross (unsigned n, RccDirection end) = 0;

  /* Of the forward bottleneck: how long what is queued takes to leave, and its bit/s
   * (RCC_LINK_UNLIMITED where that means nothing). */
  virtual RccTime queueTime () = 0;
  virtual uint64_t capacity () = 0;

  DropHook dropped;                     /* set before the simulation starts */
};

inline RccTime
now ()
{
  return static_cast<RccTime> (ns3::Simulator::Now ().GetNanoSeconds ());
}

inline ns3::Time
span (RccTime t)
{
  return ns3::NanoSeconds (static_cast<uint64_t> (t));
}

} // namespace sim

#endif
