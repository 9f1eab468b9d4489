/* SPDX-License-Identifier: GPL-2.0-only */
#include "parkinglot.h"

#include <algorithm>

namespace sim {

/* A - first - B - wire - C - second - D */
ParkingLot::ParkingLot (const Options &options, const RccScenario *first,
    const RccScenario *second)
  : Chain (4), m_flows (options.flows)
{
  m_first = &bottleneck (0, options, first);
  wire (1, options.between);
  m_second = &bottleneck (2, options, second);
  route ();
}

Host
ParkingLot::media (unsigned flow, RccDirection end)
{
  const FlowOptions &f = m_flows[flow];

  if (end == RCC_FORWARD)
    return host (f.path == "second" ? 2 : 0, f.delay, false);
  return host (f.path == "first" ? 1 : 3, 0, false);
}

Host
ParkingLot::cross (unsigned, RccDirection end)
{
  return host (end == RCC_FORWARD ? 0 : 3, 0, true);
}

RccTime
ParkingLot::queueTime ()
{
  return m_first->queueTime () + m_second->queueTime ();
}

uint64_t
ParkingLot::capacity ()
{
  return std::min (m_first->capacity (), m_second->capacity ());
}

} // namespace sim
