/* SPDX-License-Identifier: GPL-2.0-only
 *
 * channel.h - parts of a point-to-point link that ns-3 has only for fixed settings
 */
#ifndef RCC_SIM_CHANNEL_H
#define RCC_SIM_CHANNEL_H

#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include "world.h"

namespace sim {

/* A delay line (delay.h's) of its own for each direction, which may change. */
class ScenarioChannel : public ns3::PointToPointChannel {
public:
  struct Way {
    RccLinkDelays delays = {};
    RccDelayLine line;
  };

  static ns3::TypeId GetTypeId ();
  bool TransmitStart (ns3::Ptr<const ns3::Packet> packet,
      ns3::Ptr<ns3::PointToPointNetDevice> source, ns3::Time serial) override;

  Way ways[RCC_DIRECTIONS];             /* device 0 sends forward */
};

/* First in, first out, with a limit that may fall below what is queued. */
class ScenarioQueue : public ns3::Queue<ns3::Packet> {
public:
  static ns3::TypeId GetTypeId ();
  void limit (RccLimitUnit unit, uint64_t value);

  bool Enqueue (ns3::Ptr<ns3::Packet> packet) override;
  ns3::Ptr<ns3::Packet> Dequeue () override;
  ns3::Ptr<ns3::Packet> Remove () override;
  ns3::Ptr<const ns3::Packet> Peek () const override;

private:
  RccLimitUnit m_unit = RCC_LIMIT_NONE;
  uint64_t m_value = 0;
};

/* Independent loss and Gilbert-Elliott's, as link.h has them. */
class ScenarioLoss : public ns3::ErrorModel {
public:
  static ns3::TypeId GetTypeId ();

  RccRng rng;
  double loss = 0, p = 0, r = 0;

private:
  bool DoCorrupt (ns3::Ptr<ns3::Packet> packet) override;
  void DoReset () override;

  bool m_bad = false;
};

} // namespace sim

#endif
