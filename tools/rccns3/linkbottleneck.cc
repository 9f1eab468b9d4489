/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The project's own link (link.h) between two nodes of ns-3: whatever a scenario can say,
 * traces included, with TCP beside the media.
 */
#include <ns3/virtual-net-device-module.h>

#include "bottleneck.h"

namespace sim {

using namespace ns3;

namespace {

constexpr uint16_t IPV4 = 0x0800;

struct Side {
  Ptr<VirtualNetDevice> device;
  RccLink link;
  RccScenarioRun run;
  EventId event;
};

RccEcn
ecnOf (const Packet &packet)
{
  uint8_t head[2] = { 0, 0 };

  packet.CopyData (head, sizeof head);
  return static_cast<RccEcn> (head[1] & 3);
}

void
mark (Ptr<Packet> packet)
{
  Ipv4Header header;

  packet->RemoveHeader (header);
  header.SetEcn (Ipv4Header::ECN_CE);
  packet->AddHeader (header);
}

class LinkBottleneck : public Bottleneck {
public:
  LinkBottleneck (const BottleneckConfig &config, Ptr<Node> from, Ptr<Node> to);
  ~LinkBottleneck () override;

  NetDeviceContainer devices () const override { return m_devices; }
  RccTime queueTime () override;
  uint64_t capacity () override;

private:
  bool push (RccDirection direction, Ptr<Packet> packet);
  void advance (RccDirection direction);
  void hand (RccDirection direction, const RccLinkPacket &out);
  void apply (Side &side);

  Side m_sides[RCC_DIRECTIONS];
  NetDeviceContainer m_devices;
};

LinkBottleneck::LinkBottleneck (const BottleneckConfig &config, Ptr<Node> from, Ptr<Node> to)
{
  Ptr<Node> nodes[] = { from, to };

  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    const RccDirection direction = static_cast<RccDirection> (d);
    Side &side = m_sides[d];

    side.device = CreateObject<VirtualNetDevice> ();
    side.device->SetAddress (Mac48Address::Allocate ());
    side.device->SetNeedsArp (false);
    side.device->SetIsPointToPoint (true);
    side.device->SetMtu (1500);
    side.device->SetSendCallback ([this, direction] (Ptr<Packet> p, const Address &,
            const Address &, uint16_t) { return push (direction, p); });
    nodes[d]->AddDevice (side.device);
    m_devices.Add (side.device);
    rcc_link_init (&side.link, nullptr, config.seed * 2 + static_cast<uint64_t> (d));
    rcc_scenario_run_init (&side.run, config.scenario, direction, 0);
    Simulator::ScheduleNow (&LinkBottleneck::advance, this, direction);
  }
}

LinkBottleneck::~LinkBottleneck ()
{
  RccLinkPacket out;

  for (Side &side : m_sides) {
    while (rcc_link_drain (&side.link, &out))
      reinterpret_cast<Packet *> (out.cookie)->Unref ();
    rcc_link_clear (&side.link);
  }
}

/* Packets come with their headers: the link adds none. */
void
LinkBottleneck::apply (Side &side)
{
  RccLinkConfig config;

  rcc_scenario_apply (&side.run, &side.link, now ());
  if (side.link.config.overhead == 0)
    return;
  config = side.link.config;
  config.overhead = 0;
  rcc_link_configure (&side.link, &config, now ());
}

bool
LinkBottleneck::push (RccDirection direction, Ptr<Packet> packet)
{
  Side &side = m_sides[direction];
  Packet *kept = GetPointer (packet);           /* a reference of its own */

  apply (side);
  if (rcc_link_push (&side.link, reinterpret_cast<uint64_t> (kept), packet->GetSize (),
          ecnOf (*packet), now ()) != RCC_LINK_PASSED) {
    kept->Unref ();
    if (dropped)
      dropped (packet);
  }
  advance (direction);
  return true;
}

void
LinkBottleneck::advance (RccDirection direction)
{
  Side &side = m_sides[direction];
  RccLinkPacket out;
  RccTime next;

  apply (side);
  while (rcc_link_pop (&side.link, now (), &out))
    hand (direction, out);
  next = std::min (rcc_link_next (&side.link), rcc_scenario_next (&side.run));
  if (side.event.IsRunning () && side.event.GetTs () == next)
    return;
  side.event.Cancel ();
  if (next != RCC_NEVER)
    side.event = Simulator::Schedule (span (std::max (next, now ()) - now ()),
        &LinkBottleneck::advance, this, direction);
}

void
LinkBottleneck::hand (RccDirection direction, const RccLinkPacket &out)
{
  Ptr<Packet> packet (reinterpret_cast<Packet *> (out.cookie), false);
  Ptr<VirtualNetDevice> far = m_sides[1 - direction].device;

  if (out.outcome != RCC_LINK_PASSED) {
    if (dropped)
      dropped (packet);
    return;
  }
  if (out.ecn == RCC_ECN_CE && ecnOf (*packet) != RCC_ECN_CE)
    mark (packet);
  Simulator::ScheduleWithContext (far->GetNode ()->GetId (), Time (0),
      [far, packet, direction, this] () {
        far->Receive (packet, IPV4, m_sides[direction].device->GetAddress (),
            far->GetAddress (), NetDevice::PACKET_HOST);
      });
}

RccTime
LinkBottleneck::queueTime ()
{
  return rcc_link_queue_time (&m_sides[RCC_FORWARD].link, now ());
}

uint64_t
LinkBottleneck::capacity ()
{
  return rcc_link_capacity (&m_sides[RCC_FORWARD].link, now ());
}

} // namespace

std::unique_ptr<Bottleneck>
makeLinkBottleneck (const BottleneckConfig &config, Ptr<Node> from, Ptr<Node> to)
{
  return std::make_unique<LinkBottleneck> (config, from, to);
}

} // namespace sim
