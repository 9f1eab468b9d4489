/* SPDX-License-Identifier: GPL-2.0-only */
#include "discard.h"

#include <algorithm>

#include "topology.h"

/* The two members that the timer has to reach are private.  An explicit instantiation
 * may name them ([temp.explicit] 12): that makes a function that hands the pointer out. */
namespace {

struct BufferOf {
  friend auto reach (BufferOf);
};

struct SizeOf {
  friend auto reach (SizeOf);
};

template <typename Tag, auto member>
struct Open {
  friend auto reach (Tag) { return member; }
};

template struct Open<BufferOf, &ns3::LteRlcUm::m_txBuffer>;
template struct Open<SizeOf, &ns3::LteRlcUm::m_txBufferSize>;

} // namespace

namespace sim {

using namespace ns3;

namespace {

constexpr RccTime STEP = 10 * RCC_MSEC;
constexpr uint32_t PDCP_HEADER = 2;

bool
isWhole (Ptr<const Packet> sdu)
{
  LteRlcSduStatusTag tag;

  return sdu->PeekPacketTag (tag) && tag.GetStatus () == LteRlcSduStatusTag::FULL_SDU;
}

} // namespace

DiscardTimer::DiscardTimer (NetDeviceContainer enbs, RccTime limit, Hook hook)
  : m_enbs (enbs), m_limit (limit), m_hook (hook)
{
  Simulator::ScheduleNow (&DiscardTimer::look, this);
}

void
DiscardTimer::look ()
{
  m_longest = 0;
  for (uint32_t i = 0; i < m_enbs.GetN (); i++) {
    ObjectMapValue users;

    DynamicCast<LteEnbNetDevice> (m_enbs.Get (i))->GetRrc ()->GetAttribute ("UeMap", users);
    for (auto user = users.Begin (); user != users.End (); ++user) {
      ObjectMapValue bearers;

      user->second->GetAttribute ("DataRadioBearerMap", bearers);
      for (auto b = bearers.Begin (); b != bearers.End (); ++b) {
        Ptr<LteRadioBearerInfo> bearer = DynamicCast<LteRadioBearerInfo> (b->second);
        Ptr<LteRlcUm> rlc = DynamicCast<LteRlcUm> (bearer->m_rlc);

        if (rlc)
          lookAt (rlc);
      }
    }
  }
  Simulator::Schedule (span (STEP), &DiscardTimer::look, this);
}

void
DiscardTimer::lookAt (Ptr<LteRlcUm> rlc)
{
  auto &buffer = (*rlc).*reach (BufferOf ());
  uint32_t &size = (*rlc).*reach (SizeOf ());

  for (auto sdu = buffer.begin (); sdu != buffer.end ();) {
    const RccTime wait = now () - static_cast<RccTime> (sdu->m_waitingSince.GetNanoSeconds ());
    Ptr<Packet> packet = sdu->m_pdu;

    if (wait < m_limit || !isWhole (packet)) {
      m_longest = std::max (m_longest, wait);
      if (wait < m_limit)               /* and so are all behind it */
        return;
      ++sdu;
      continue;
    }
    size -= packet->GetSize ();
    sdu = buffer.erase (sdu);
    m_hook (packet->CreateFragment (PDCP_HEADER, packet->GetSize () - PDCP_HEADER));
  }
}

} // namespace sim
