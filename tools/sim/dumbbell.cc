/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Senders - router - bottleneck - router - receivers.  Media flows with the same extra
 * delay share a host on either side; all cross traffic shares one.
 */
#include "dumbbell.h"

namespace sim {

using namespace ns3;

namespace {

const char *const ACCESS_RATE = "1Gbps";

}

Dumbbell::Dumbbell (const Options &options, const RccScenario *scenario)
{
  const BottleneckConfig config = { scenario, options.queue, options.ecn, options.seed };

  m_stack.SetIpv6StackInstall (false);
  m_stack.SetRoutingHelper (Ipv4StaticRoutingHelper ());
  m_routers.Create (2);
  m_stack.Install (m_routers);
  m_bottleneck = makeBottleneck (config, m_routers.Get (0), m_routers.Get (1));
  m_bottleneck->dropped = [this] (Ptr<const Packet> p) {
    if (dropped)
      dropped (p);
  };
  m_addresses.SetBase ("10.0.0.0", "255.255.255.252");
  connectRouters ();
  for (const FlowOptions &f : options.flows)
    m_delays.push_back (f.delay);
}

void
Dumbbell::connectRouters ()
{
  const Ipv4InterfaceContainer interfaces = m_addresses.Assign (m_bottleneck->devices ());
  Ipv4StaticRoutingHelper routing;

  for (uint32_t i = 0; i < 2; i++) {
    Ptr<Ipv4> ip = m_routers.Get (i)->GetObject<Ipv4> ();

    routing.GetStaticRouting (ip)->SetDefaultRoute (interfaces.GetAddress (1 - i),
        interfaces.Get (i).second);
  }
}

/* The host on side @end whose access link takes @delay. */
Host
Dumbbell::host (RccTime delay, RccDirection end, bool cross)
{
  const auto key = std::make_tuple (delay, static_cast<int> (end), cross);
  const auto found = m_hosts.find (key);
  Ptr<Node> node, router = m_routers.Get (end);
  PointToPointHelper link;
  Ipv4InterfaceContainer interfaces;
  Ipv4StaticRoutingHelper routing;

  if (found != m_hosts.end ())
    return found->second;
  node = CreateObject<Node> ();
  m_stack.Install (node);
  link.SetDeviceAttribute ("DataRate", StringValue (ACCESS_RATE));
  /* on the side of the senders only, in both directions */
  link.SetChannelAttribute ("Delay", TimeValue (span (end == RCC_FORWARD ? delay : 0)));
  link.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue ("100000p"));
  link.DisableFlowControl ();           /* else a queue disc comes with the address */
  m_addresses.NewNetwork ();
  interfaces = m_addresses.Assign (link.Install (node, router));
  routing.GetStaticRouting (node->GetObject<Ipv4> ())->SetDefaultRoute (
      interfaces.GetAddress (1), interfaces.Get (0).second);
  return m_hosts[key] = { node, interfaces.GetAddress (0) };
}

Host
Dumbbell::media (unsigned flow, RccDirection end)
{
  return host (m_delays[flow], end, false);
}

Host
Dumbbell::cross (unsigned, RccDirection end)
{
  return host (0, end, true);
}

} // namespace sim
