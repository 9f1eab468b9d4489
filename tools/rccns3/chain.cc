/* SPDX-License-Identifier: GPL-2.0-only */
#include "chain.h"

#include <algorithm>

namespace sim {

using namespace ns3;

namespace {

constexpr uint64_t FAST_BPS = 1000000000;

PointToPointHelper
fastLink (RccTime delay, uint64_t bps = FAST_BPS)
{
  PointToPointHelper link;

  link.SetDeviceAttribute ("DataRate", DataRateValue (DataRate (bps)));
  link.SetChannelAttribute ("Delay", TimeValue (span (delay)));
  link.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue ("100000p"));
  link.DisableFlowControl ();           /* else a queue disc comes with the address */
  return link;
}

/* Of the hosts at router @i. */
std::string
network (unsigned i)
{
  return "10." + std::to_string (i + 1) + ".0.0";
}

} // namespace

Chain::Chain (unsigned routers)
{
  m_stack.SetIpv6StackInstall (false);
  m_stack.SetRoutingHelper (Ipv4StaticRoutingHelper ());
  m_routers.Create (routers);
  m_stack.Install (m_routers);
  for (unsigned i = 0; i < routers; i++)
    m_addresses.emplace_back (network (i).c_str (), "255.255.255.252");
}

void
Chain::join (unsigned i, const NetDeviceContainer &devices)
{
  const std::string base = "172.16." + std::to_string (i) + ".0";

  m_between.push_back (Ipv4AddressHelper (base.c_str (), "255.255.255.252").Assign (devices));
}

Bottleneck &
Chain::bottleneck (unsigned i, const Options &options, const RccScenario *scenario)
{
  const BottleneckConfig config = { scenario, options.queue, options.ecn, options.seed + i };

  m_bottlenecks.push_back (makeBottleneck (config, m_routers.Get (i), m_routers.Get (i + 1)));
  m_bottlenecks.back ()->dropped = [this] (Ptr<const Packet> p) {
    if (dropped)
      dropped (p);
  };
  join (i, m_bottlenecks.back ()->devices ());
  return *m_bottlenecks.back ();
}

void
Chain::wire (unsigned i, uint64_t bps)
{
  PointToPointHelper link = fastLink (0, std::min (bps, FAST_BPS));

  join (i, link.Install (m_routers.Get (i), m_routers.Get (i + 1)));
}

void
Chain::route ()
{
  const Ipv4Mask mask ("255.255.0.0");
  Ipv4StaticRoutingHelper helper;

  for (unsigned i = 0; i < m_routers.GetN (); i++) {
    Ptr<Ipv4StaticRouting> routes = helper.GetStaticRouting (
        m_routers.Get (i)->GetObject<Ipv4> ());

    for (unsigned to = 0; to < m_routers.GetN (); to++) {
      const Ipv4Address hosts (network (to).c_str ());

      if (to < i)
        routes->AddNetworkRouteTo (hosts, mask, m_between[i - 1].GetAddress (0),
            m_between[i - 1].Get (1).second);
      else if (to > i)
        routes->AddNetworkRouteTo (hosts, mask, m_between[i].GetAddress (1),
            m_between[i].Get (0).second);
    }
  }
}

Host
Chain::host (unsigned router, RccTime delay, bool cross)
{
  const auto key = std::make_tuple (router, delay, cross);
  const auto found = m_hosts.find (key);
  Ipv4InterfaceContainer interfaces;
  Ipv4StaticRoutingHelper routing;
  Ptr<Node> node;

  if (found != m_hosts.end ())
    return found->second;
  node = CreateObject<Node> ();
  m_stack.Install (node);
  m_addresses[router].NewNetwork ();
  interfaces = m_addresses[router].Assign (fastLink (delay).Install (node,
          m_routers.Get (router)));
  routing.GetStaticRouting (node->GetObject<Ipv4> ())->SetDefaultRoute (
      interfaces.GetAddress (1), interfaces.Get (0).second);
  return m_hosts[key] = { node, interfaces.GetAddress (0) };
}

} // namespace sim
