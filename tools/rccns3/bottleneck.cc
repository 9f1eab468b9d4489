/* SPDX-License-Identifier: GPL-2.0-only */
#include "bottleneck.h"

#include <algorithm>

#include <ns3/traffic-control-module.h>

#include "channel.h"

namespace sim {

using namespace ns3;

namespace {

constexpr uint64_t UNLIMITED_BPS = 100000000000;        /* what `unlimited' is here */
constexpr uint32_t PPP = 2;
constexpr uint32_t MOST_PACKETS = RCC_LINK_MAX_PACKETS;

struct Side {
  Ptr<PointToPointNetDevice> device;
  Ptr<ScenarioQueue> queue;
  Ptr<QueueDisc> disc;                  /* null: drop-tail, in the device */
  Ptr<ScenarioLoss> loss;
  RccLink settings;                     /* as the scenario has it now; carries nothing */
  RccScenarioRun run;
  RccTime busyUntil = 0;
};

/* Refuses what only link.h can do. */
void
check (const RccScenario &scenario, bool disc)
{
  for (size_t i = 0; i < scenario.n_changes; i++) {
    const RccChange &c = scenario.changes[i];
    const char *what = nullptr;

    if (c.key == RCC_KEY_TRACE)
      what = "a trace";
    else if (c.key == RCC_KEY_RATE && c.to.number == 0)
      what = "a rate of 0";
    else if (c.key == RCC_KEY_MAX_AGE && c.to.time != RCC_NEVER)
      what = "max-age";
    else if (c.key == RCC_KEY_BUCKET && c.to.number > 0)
      what = "a token bucket";
    else if (c.key == RCC_KEY_AQM && c.to.number != RCC_AQM_DROPTAIL && !disc)
      what = "CoDel";
    else if (c.key == RCC_KEY_ECN && (c.flag || c.to.limit.unit != RCC_LIMIT_NONE) && !disc)
      what = "ECN";
    if (what)
      throw Error ("the scenario uses " + std::string (what)
          + ", which a point-to-point link of ns-3 has not: run it with --queue link.");
  }
}

class PointToPoint : public Bottleneck {
public:
  PointToPoint (const BottleneckConfig &config, Ptr<Node> from, Ptr<Node> to);

  NetDeviceContainer devices () const override { return m_devices; }
  RccTime queueTime () override;
  uint64_t capacity () override;

private:
  void prepare (RccDirection direction, const BottleneckConfig &config);
  void installDisc (Side &side, const BottleneckConfig &config);
  void apply (RccDirection direction);
  void configure (RccDirection direction);
  void limit (Side &side);
  void began (RccDirection direction, Ptr<const Packet> packet);
  void lostInside (Ptr<const Packet> packet);
  void lostInDisc (Ptr<const QueueDiscItem> item);

  Side m_sides[RCC_DIRECTIONS];
  Ptr<ScenarioChannel> m_channel = CreateObject<ScenarioChannel> ();
  NetDeviceContainer m_devices;
};

PointToPoint::PointToPoint (const BottleneckConfig &config, Ptr<Node> from, Ptr<Node> to)
{
  Ptr<Node> nodes[] = { from, to };

  check (*config.scenario, config.queue != "droptail");
  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    Side &side = m_sides[d];

    side.device = CreateObject<PointToPointNetDevice> ();
    side.queue = CreateObject<ScenarioQueue> ();
    side.device->SetAddress (Mac48Address::Allocate ());
    nodes[d]->AddDevice (side.device);
    side.device->SetQueue (side.queue);
    side.device->Attach (m_channel);
    m_devices.Add (side.device);
  }
  for (int d = 0; d < RCC_DIRECTIONS; d++)
    prepare (static_cast<RccDirection> (d), config);
}

void
PointToPoint::prepare (RccDirection direction, const BottleneckConfig &config)
{
  Side &side = m_sides[direction];
  Ptr<PointToPointNetDevice> far = m_sides[1 - direction].device;

  side.loss = CreateObject<ScenarioLoss> ();
  rcc_rng_init (&side.loss->rng, config.seed * 2 + direction, 0x1055);
  rcc_delay_line_init (&m_channel->ways[direction].line, config.seed * 2 + direction);
  far->SetReceiveErrorModel (side.loss);
  rcc_link_init (&side.settings, nullptr, 0);
  rcc_scenario_run_init (&side.run, config.scenario, direction, 0);
  if (config.queue != "droptail")
    installDisc (side, config);
  configure (direction);
  apply (direction);

  side.device->TraceConnectWithoutContext ("PhyTxBegin", Callback<void, Ptr<const Packet>> (
      [this, direction] (Ptr<const Packet> p) { began (direction, p); }));
  side.queue->TraceConnectWithoutContext ("Drop",
      MakeCallback (&PointToPoint::lostInside, this));
  far->TraceConnectWithoutContext ("PhyRxDrop",
      MakeCallback (&PointToPoint::lostInside, this));
}

/* The device keeps one packet, so that the disc decides on the others. */
void
PointToPoint::installDisc (Side &side, const BottleneckConfig &config)
{
  const std::string type = config.queue == "codel" ? "ns3::CoDelQueueDisc"
      : config.queue == "pie" ? "ns3::PieQueueDisc" : "ns3::FqCoDelQueueDisc";
  Ptr<NetDeviceQueueInterface> interface = CreateObject<NetDeviceQueueInterface> ();
  TrafficControlHelper helper;

  interface->GetTxQueue (0)->ConnectQueueTraces (side.queue);
  side.device->AggregateObject (interface);
  side.queue->SetMaxSize (QueueSize ("1p"));
  helper.SetRootQueueDisc (type);
  side.disc = helper.Install (side.device).Get (0);
  side.disc->SetAttribute ("UseEcn", BooleanValue (config.ecn));
  side.disc->TraceConnectWithoutContext ("Drop",
      MakeCallback (&PointToPoint::lostInDisc, this));
}

void
PointToPoint::apply (RccDirection direction)
{
  Side &side = m_sides[direction];
  RccTime next;

  if (rcc_scenario_apply (&side.run, &side.settings, now ()) > 0)
    configure (direction);
  next = rcc_scenario_next (&side.run);
  if (next != RCC_NEVER)
    Simulator::Schedule (span (next - now ()), &PointToPoint::apply, this, direction);
}

void
PointToPoint::configure (RccDirection direction)
{
  Side &side = m_sides[direction];
  const RccLinkConfig &c = side.settings.config;
  ScenarioChannel::Way &way = m_channel->ways[direction];

  side.device->SetDataRate (DataRate (std::min (c.rate_bps, UNLIMITED_BPS)));
  way.delays = { c.delay, c.jitter, c.reorder, c.reorder_by };
  side.loss->loss = c.loss;
  side.loss->p = c.ge_p;
  side.loss->r = c.ge_r;
  limit (side);
}

void
PointToPoint::limit (Side &side)
{
  const RccLinkConfig &c = side.settings.config;

  if (side.disc)
    return;
  side.queue->SetMaxSize (QueueSize (QueueSizeUnit::PACKETS, MOST_PACKETS));
  if (c.queue.unit != RCC_LIMIT_TIME)
    side.queue->limit (c.queue.unit, c.queue.value);
  else if (c.rate_bps != RCC_LINK_UNLIMITED)
    side.queue->limit (RCC_LIMIT_BYTES, static_cast<uint64_t> (static_cast<double> (c.rate_bps)
        * static_cast<double> (c.queue.value) / 8e9));
  else
    side.queue->limit (RCC_LIMIT_NONE, 0);
}

void
PointToPoint::began (RccDirection direction, Ptr<const Packet> packet)
{
  Side &side = m_sides[direction];

  side.busyUntil = now () + static_cast<RccTime> (8e9 * packet->GetSize ()
      / static_cast<double> (side.settings.config.rate_bps));
}

void
PointToPoint::lostInside (Ptr<const Packet> packet)
{
  if (dropped)
    dropped (packet->CreateFragment (PPP, packet->GetSize () - PPP));
}

void
PointToPoint::lostInDisc (Ptr<const QueueDiscItem> item)
{
  Ptr<const Ipv4QueueDiscItem> ip = DynamicCast<const Ipv4QueueDiscItem> (item);
  Ptr<Packet> whole = item->GetPacket ()->Copy ();

  if (ip && whole->GetSize () + ip->GetHeader ().GetSerializedSize () == ip->GetSize ())
    whole->AddHeader (ip->GetHeader ());
  if (dropped)
    dropped (whole);
}

RccTime
PointToPoint::queueTime ()
{
  const Side &side = m_sides[RCC_FORWARD];
  const double bps = static_cast<double> (side.settings.config.rate_bps);
  const uint64_t bytes = uint64_t { side.queue->GetNBytes () }
      + (side.disc ? side.disc->GetNBytes () : 0);

  return static_cast<RccTime> (8e9 * static_cast<double> (bytes) / bps)
      + (side.busyUntil > now () ? side.busyUntil - now () : 0);
}

uint64_t
PointToPoint::capacity ()
{
  return m_sides[RCC_FORWARD].settings.config.rate_bps;
}

} // namespace

std::unique_ptr<Bottleneck>
makeBottleneck (const BottleneckConfig &config, Ptr<Node> from, Ptr<Node> to)
{
  if (config.queue == "link")
    return makeLinkBottleneck (config, from, to);
  return std::make_unique<PointToPoint> (config, from, to);
}

} // namespace sim
