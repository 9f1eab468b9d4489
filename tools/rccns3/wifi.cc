/* SPDX-License-Identifier: GPL-2.0-only */
#include "wifi.h"

#include <algorithm>
#include <cmath>

#include <ns3/mobility-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>
#include <ns3/wifi-module.h>

namespace sim {

using namespace ns3;

namespace {

constexpr double ROOM = 10;             /* m, radius */
const char *const WIRE_RATE = "100Mbps";        /* RFC 8869 3.2 */
const char *const AIR_QUEUE = "50p";
constexpr int STREAM_MCS = 8;           /* of 802.11n for each number of spatial streams */

/* One rate for all data, as RFC 8869 has it, or what MinstrelHt finds. */
void
setRate (int mcs, WifiHelper &wifi, YansWifiPhyHelper &phy)
{
  const UintegerValue streams (mcs < 0 ? 1 : mcs / STREAM_MCS + 1);

  phy.Set ("Antennas", streams);
  phy.Set ("MaxSupportedTxSpatialStreams", streams);
  phy.Set ("MaxSupportedRxSpatialStreams", streams);
  if (mcs < 0)
    wifi.SetRemoteStationManager ("ns3::MinstrelHtWifiManager");
  else
    wifi.SetRemoteStationManager ("ns3::ConstantRateWifiManager",
        "DataMode", StringValue ("HtMcs" + std::to_string (mcs)),
        "ControlMode", StringValue ("ErpOfdmRate24Mbps"));
}

} // namespace

Wifi::Wifi (const Options &options, const RccScenario *scenario)
{
  const unsigned cross = options.tcp.bulk + options.tcp.up + options.tcp.shorts
      + static_cast<unsigned> (options.cbr.size ());

  for (const FlowOptions &f : options.flows) {
    m_users.push_back (f.user);
    m_n_users = std::max (m_n_users, f.user + 1);
  }
  m_stack.SetIpv6StackInstall (false);
  m_stack.SetRoutingHelper (Ipv4StaticRoutingHelper ());
  build (options, m_n_users + cross);
  connectServer (options, scenario);
}

void
Wifi::build (const Options &options, unsigned stations)
{
  YansWifiChannelHelper channel = YansWifiChannelHelper::Default ();
  YansWifiPhyHelper phy;
  WifiMacHelper mac;
  WifiHelper wifi;
  const SsidValue ssid (Ssid ("rcc"));

  Config::SetDefault ("ns3::WifiMacQueue::MaxSize", StringValue (AIR_QUEUE));
  m_accessPoint = CreateObject<Node> ();
  m_stations.Create (stations);
  place (options);
  m_stack.Install (m_accessPoint);
  m_stack.Install (m_stations);

  phy.SetChannel (channel.Create ());
  phy.Set ("ChannelSettings", StringValue ("{0, 20, BAND_2_4GHZ, 0}"));
  wifi.SetStandard (WIFI_STANDARD_80211n);
  setRate (options.mcs, wifi, phy);
  mac.SetType ("ns3::ApWifiMac", "Ssid", ssid);
  m_air = wifi.Install (phy, mac, m_accessPoint);
  mac.SetType ("ns3::StaWifiMac", "Ssid", ssid);
  m_air.Add (wifi.Install (phy, mac, m_stations));
  m_addresses = Ipv4AddressHelper ("10.1.0.0", "255.255.0.0").Assign (m_air);
  TrafficControlHelper ().Uninstall (m_air);    /* Assign() put FQ-CoDel there */
}

/* The access point in the middle. */
void
Wifi::place (const Options &options)
{
  Ptr<ListPositionAllocator> places = CreateObject<ListPositionAllocator> ();
  MobilityHelper mobility;
  RccRng rng;

  rcc_rng_init (&rng, options.seed, 0x10ca);
  places->Add (Vector (0, 0, 0));
  for (uint32_t i = 0; i < m_stations.GetN (); i++) {
    const double distance = ROOM * std::sqrt (rcc_rng_uniform (&rng));
    const double angle = 2 * M_PI * rcc_rng_uniform (&rng);

    places->Add (Vector (distance * std::cos (angle), distance * std::sin (angle), 0));
  }
  mobility.SetPositionAllocator (places);
  mobility.SetMobilityModel ("ns3::ConstantPositionMobilityModel");
  mobility.Install (m_accessPoint);
  mobility.Install (m_stations);
}

NetDeviceContainer
Wifi::wire (Ptr<Node> server, const Options &options, const RccScenario *scenario)
{
  const BottleneckConfig config = { scenario, options.queue, options.ecn, options.seed };
  PointToPointHelper fast;

  if (options.wire) {
    m_wire = makeBottleneck (config, server, m_accessPoint);
    m_wire->dropped = [this] (Ptr<const Packet> p) {
      if (dropped)
        dropped (p);
    };
    return m_wire->devices ();
  }
  fast.SetDeviceAttribute ("DataRate", StringValue (WIRE_RATE));
  fast.SetChannelAttribute ("Delay", TimeValue (span (options.wired)));
  fast.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue ("100000p"));
  fast.DisableFlowControl ();
  return fast.Install (server, m_accessPoint);
}

void
Wifi::connectServer (const Options &options, const RccScenario *scenario)
{
  Ptr<Node> node = CreateObject<Node> ();
  Ipv4InterfaceContainer interfaces;
  Ipv4StaticRoutingHelper routing;

  m_stack.Install (node);
  interfaces = Ipv4AddressHelper ("10.2.0.0", "255.255.255.0").Assign (
      wire (node, options, scenario));
  routing.GetStaticRouting (node->GetObject<Ipv4> ())->SetDefaultRoute (
      interfaces.GetAddress (1), interfaces.Get (0).second);
  for (uint32_t i = 0; i < m_stations.GetN (); i++)
    routing.GetStaticRouting (m_stations.Get (i)->GetObject<Ipv4> ())->SetDefaultRoute (
        m_addresses.GetAddress (0), m_addresses.Get (i + 1).second);
  m_server = { node, interfaces.GetAddress (0) };
}

Host
Wifi::station (unsigned i) const
{
  return { m_stations.Get (i), m_addresses.GetAddress (i + 1) };
}

Host
Wifi::media (unsigned flow, RccDirection end)
{
  return end == RCC_FORWARD ? m_server : station (m_users[flow]);
}

Host
Wifi::cross (unsigned n, RccDirection end)
{
  return end == RCC_FORWARD ? m_server : station (m_n_users + n);
}

} // namespace sim
