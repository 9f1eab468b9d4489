/* SPDX-License-Identifier: GPL-2.0-only */
#include "lte.h"

#include <algorithm>
#include <cmath>

#include <ns3/mobility-module.h>
#include <ns3/point-to-point-module.h>

namespace sim {

using namespace ns3;

namespace {

constexpr double ENB_HEIGHT = 30, PHONE_HEIGHT = 1.5;
constexpr double EXPONENT = 3.76, FIRST_METRE = 15.3;   /* dB; 3GPP case 1, 2 GHz */
constexpr double WALK = 3.0 / 3.6;      /* m/s */
constexpr double ENB_POWER = 43, PHONE_POWER = 24;      /* dBm, TR 25.814 A.2.1.1 */
constexpr double NOISE_FIGURE = 9;      /* dB, of a phone */
constexpr uint32_t ATTACHED = 800;      /* ms: all are, soon after */
constexpr uint32_t RLC_BUFFER = 100u << 20;     /* bytes: the discard timer is the limit */

/* Sounding takes turns: an eNB has one subframe for each of its users. */
uint32_t
soundingPeriod (unsigned users)
{
  return users < 35 ? 40 : users < 70 ? 80 : users < 150 ? 160 : 320;
}

double
radius (const Options &options)
{
  return options.siteDistance * (options.cells == 1 ? 0.5 : 1.5);
}

} // namespace

Lte::Lte (const Options &options)
{
  const RccTime limit = options.discard > 0 ? static_cast<RccTime> (options.discard * 1e9)
      : RCC_NEVER;
  unsigned users = 1;

  for (const FlowOptions &f : options.flows) {
    m_users.push_back (f.user);
    users = std::max (users, f.user + 1);
  }
  setDefaults (options, users);
  m_lte = CreateObject<LteHelper> ();
  m_epc = CreateObject<PointToPointEpcHelper> ();
  m_lte->SetEpcHelper (m_epc);
  m_lte->SetSchedulerType ("ns3::PfFfMacScheduler");
  m_lte->SetPathlossModelType (LogDistancePropagationLossModel::GetTypeId ());
  m_lte->SetPathlossModelAttribute ("Exponent", DoubleValue (EXPONENT));
  m_lte->SetPathlossModelAttribute ("ReferenceLoss", DoubleValue (FIRST_METRE));
  m_lte->SetEnbDeviceAttribute ("DlBandwidth", UintegerValue (options.resourceBlocks));
  m_lte->SetEnbDeviceAttribute ("UlBandwidth", UintegerValue (options.resourceBlocks));
  if (options.cells > 1) {
    m_lte->SetHandoverAlgorithmType ("ns3::A3RsrpHandoverAlgorithm");
    m_lte->SetHandoverAlgorithmAttribute ("Hysteresis", DoubleValue (3.0));
    m_lte->SetHandoverAlgorithmAttribute ("TimeToTrigger", TimeValue (MilliSeconds (256)));
  }
  connectServer (options.wired);
  placeCells (options);
  rcc_rng_init (&m_rng, options.seed, 0x10ca);
  placePhones (options, users);
  if (options.cells == 1)
    moveBetweenCalls (options);
  for (auto channel : { m_lte->GetDownlinkSpectrumChannel (),
      m_lte->GetUplinkSpectrumChannel () }) {       /* a model has one successor: two of them */
    m_shadow = CreateObject<Shadow> ();
    m_shadow->cast (m_cells, m_phones, options.shadowing, options.seed);
    channel->AddPropagationLossModel (m_shadow);
  }
  attach ();
  m_discard = std::make_unique<DiscardTimer> (m_cellDevices, limit, [this] (auto p) {
    if (dropped)
      dropped (p);
  });
}

void
Lte::setDefaults (const Options &options, unsigned users)
{
  Config::SetDefault ("ns3::LteEnbRrc::EpsBearerToRlcMapping",
      EnumValue (LteEnbRrc::RLC_UM_ALWAYS));
  Config::SetDefault ("ns3::LteRlcUm::MaxTxBufferSize", UintegerValue (RLC_BUFFER));
  Config::SetDefault ("ns3::LteEnbPhy::TxPower", DoubleValue (ENB_POWER));
  Config::SetDefault ("ns3::LteUePhy::TxPower", DoubleValue (PHONE_POWER));
  Config::SetDefault ("ns3::LteUePhy::NoiseFigure",
      DoubleValue (NOISE_FIGURE + options.interference));
  Config::SetDefault ("ns3::LteEnbRrc::SrsPeriodicity", UintegerValue (soundingPeriod (users)));
  Config::SetDefault ("ns3::LteUePhy::EnableRlfDetection", BooleanValue (false));
  Config::SetDefault ("ns3::LteAmc::AmcModel", EnumValue (options.amc == "piro"
          ? LteAmc::PiroEW2010 : LteAmc::MiErrorModel));
}

void
Lte::connectServer (RccTime delay)
{
  Ptr<Node> node = CreateObject<Node> ();
  PointToPointHelper wire;
  Ipv4AddressHelper addresses ("1.0.0.0", "255.0.0.0");
  Ipv4StaticRoutingHelper routing;
  Ipv4InterfaceContainer interfaces;

  m_stack.SetIpv6StackInstall (false);
  m_stack.Install (node);
  wire.SetDeviceAttribute ("DataRate", StringValue ("10Gbps"));
  wire.SetChannelAttribute ("Delay", TimeValue (span (delay)));
  wire.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue ("100000p"));
  wire.DisableFlowControl ();
  interfaces = addresses.Assign (wire.Install (m_epc->GetPgwNode (), node));
  routing.GetStaticRouting (node->GetObject<Ipv4> ())->AddNetworkRouteTo (
      Ipv4Address ("7.0.0.0"), Ipv4Mask ("255.0.0.0"), interfaces.Get (1).second);
  m_server = { node, interfaces.GetAddress (1) };
}

/* One in the middle, the others in a hexagon around it. */
void
Lte::placeCells (const Options &options)
{
  Ptr<ListPositionAllocator> places = CreateObject<ListPositionAllocator> ();
  MobilityHelper mobility;

  m_cells.Create (options.cells);
  places->Add (Vector (0, 0, ENB_HEIGHT));
  for (int i = 0; i < 6; i++)
    places->Add (Vector (options.siteDistance * std::cos (i * M_PI / 3),
        options.siteDistance * std::sin (i * M_PI / 3), ENB_HEIGHT));
  mobility.SetMobilityModel ("ns3::ConstantPositionMobilityModel");
  mobility.SetPositionAllocator (places);
  mobility.Install (m_cells);
  m_cellDevices = m_lte->InstallEnbDevice (m_cells);
  if (options.cells > 1)
    m_lte->AddX2Interface (m_cells);
}

void
Lte::placePhones (const Options &options, unsigned users)
{
  const double r = radius (options);
  Ptr<ListPositionAllocator> places = CreateObject<ListPositionAllocator> ();
  MobilityHelper mobility;

  for (unsigned i = 0; i < users; i++)
    places->Add (somewhere (r));
  m_phones.Create (users);
  mobility.SetPositionAllocator (places);
  mobility.SetMobilityModel ("ns3::RandomWalk2dMobilityModel",
      "Bounds", RectangleValue (Rectangle (-r, r, -r, r)), "Mode", StringValue ("Time"),
      "Time", StringValue ("10s"), "Speed", StringValue (
          "ns3::ConstantRandomVariable[Constant=" + std::to_string (WALK) + "]"));
  mobility.Install (m_phones);
  m_phoneDevices = m_lte->InstallUeDevice (m_phones);
}

/* Evenly over the disc. */
Vector
Lte::somewhere (double r)
{
  const double distance = r * std::sqrt (rcc_rng_uniform (&m_rng));
  const double angle = 2 * M_PI * rcc_rng_uniform (&m_rng);

  return Vector (distance * std::cos (angle), distance * std::sin (angle), PHONE_HEIGHT);
}

/* A phone's next call is another person's.  Among several cells they stay: who turns up
 * elsewhere is no handover. */
void
Lte::moveBetweenCalls (const Options &options)
{
  std::vector<bool> called (m_phones.GetN ());

  for (const FlowOptions &f : options.flows) {
    Ptr<MobilityModel> here = m_phones.Get (f.user)->GetObject<MobilityModel> ();

    if (called[f.user])
      Simulator::Schedule (span (f.config.start), &MobilityModel::SetPosition, here,
          somewhere (radius (options)));
    called[f.user] = true;
  }
}

void
Lte::attach ()
{
  Ipv4StaticRoutingHelper routing;

  m_stack.Install (m_phones);
  m_addresses = m_epc->AssignUeIpv4Address (m_phoneDevices);
  for (uint32_t i = 0; i < m_phones.GetN (); i++)
    routing.GetStaticRouting (m_phones.Get (i)->GetObject<Ipv4> ())->SetDefaultRoute (
        m_epc->GetUeDefaultGatewayAddress (), 1);
  /* One by one: preambles that collide end ns-3's scheduler ("No info find in HARQ buffer
   * for UE 0"). */
  for (uint32_t i = 0; i < m_phones.GetN (); i++)
    Simulator::Schedule (MilliSeconds (ATTACHED * i / m_phones.GetN ()), [this, i] () {
      m_lte->Attach (m_phoneDevices.Get (i), strongest (i));
    });
}

Ptr<NetDevice>
Lte::strongest (uint32_t phone) const
{
  const Ptr<MobilityModel> here = m_phones.Get (phone)->GetObject<MobilityModel> ();
  double least = 0;
  uint32_t best = 0;

  for (uint32_t i = 0; i < m_cells.GetN (); i++) {
    const double loss = 10 * EXPONENT * std::log10 (here->GetDistanceFrom (
        m_cells.Get (i)->GetObject<MobilityModel> ())) + m_shadow->loss (i, phone);

    if (i == 0 || loss < least) {
      least = loss;
      best = i;
    }
  }
  return m_cellDevices.Get (best);
}

Host
Lte::phone (unsigned user) const
{
  return { m_phones.Get (user), m_addresses.GetAddress (user) };
}

Host
Lte::media (unsigned flow, RccDirection end)
{
  return end == RCC_FORWARD ? m_server : phone (m_users[flow]);
}

/* TCP goes to the phones in turn, to those that have media too. */
Host
Lte::cross (unsigned n, RccDirection end)
{
  return end == RCC_FORWARD ? m_server : phone (n % m_phones.GetN ());
}

} // namespace sim
