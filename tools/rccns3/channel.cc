/* SPDX-License-Identifier: GPL-2.0-only */
#include "channel.h"

#include "topology.h"

namespace sim {

using namespace ns3;

TypeId
ScenarioChannel::GetTypeId ()
{
  static TypeId id = TypeId ("sim::ScenarioChannel").SetParent<PointToPointChannel> ()
      .AddConstructor<ScenarioChannel> ();
  return id;
}

bool
ScenarioChannel::TransmitStart (Ptr<const Packet> packet, Ptr<PointToPointNetDevice> source,
    Time serial)
{
  const bool forward = source == GetPointToPointDevice (0);
  Ptr<PointToPointNetDevice> other = GetPointToPointDevice (forward ? 1 : 0);
  Way &way = ways[forward ? RCC_FORWARD : RCC_REVERSE];
  const RccTime takes = static_cast<RccTime> (serial.GetNanoSeconds ());
  const RccTime at = rcc_delay_line_delivery (&way.line, &way.delays, now () + takes, takes);

  Simulator::ScheduleWithContext (other->GetNode ()->GetId (), span (at - now ()),
      &PointToPointNetDevice::Receive, other, packet->Copy ());
  return true;
}

TypeId
ScenarioQueue::GetTypeId ()
{
  static TypeId id = TypeId ("sim::ScenarioQueue").SetParent<Queue<Packet>> ()
      .AddConstructor<ScenarioQueue> ();
  return id;
}

void
ScenarioQueue::limit (RccLimitUnit unit, uint64_t value)
{
  m_unit = unit;
  m_value = value;
}

bool
ScenarioQueue::Enqueue (Ptr<Packet> packet)
{
  const bool full = (m_unit == RCC_LIMIT_PACKETS && GetNPackets () + 1u > m_value)
      || (m_unit == RCC_LIMIT_BYTES && uint64_t { GetNBytes () } + packet->GetSize () > m_value);

  if (full) {
    DropBeforeEnqueue (packet);
    return false;
  }
  return DoEnqueue (GetContainer ().end (), packet);
}

Ptr<Packet>
ScenarioQueue::Dequeue ()
{
  return DoDequeue (GetContainer ().begin ());
}

Ptr<Packet>
ScenarioQueue::Remove ()
{
  return DoRemove (GetContainer ().begin ());
}

Ptr<const Packet>
ScenarioQueue::Peek () const
{
  return DoPeek (GetContainer ().begin ());
}

TypeId
ScenarioLoss::GetTypeId ()
{
  static TypeId id = TypeId ("sim::ScenarioLoss").SetParent<ErrorModel> ()
      .AddConstructor<ScenarioLoss> ();
  return id;
}

bool
ScenarioLoss::DoCorrupt (Ptr<Packet> packet)
{
  m_bad = p > 0 && (m_bad ? rcc_rng_uniform (&rng) >= r : rcc_rng_uniform (&rng) < p);
  return (loss > 0 && rcc_rng_uniform (&rng) < loss) || m_bad;
}

void
ScenarioLoss::DoReset ()
{
  m_bad = false;
}

} // namespace sim
