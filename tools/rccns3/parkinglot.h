/* SPDX-License-Identifier: GPL-2.0-only
 *
 * parkinglot.h - two bottlenecks in a row
 */
#ifndef RCC_SIM_PARKINGLOT_H
#define RCC_SIM_PARKINGLOT_H

#include "chain.h"

namespace sim {

/* Flows whose path is `all' cross both, as does all cross traffic; the others cross the
 * first or the second (RFC 8867 6.3).  The second has a scenario of its own. */
class ParkingLot : public Chain {
public:
  ParkingLot (const Options &options, const RccScenario *first, const RccScenario *second);

  Host media (unsigned flow, RccDirection end) override;
  Host cross (unsigned n, RccDirection end) override;
  RccTime queueTime () override;        /* of both */
  uint64_t capacity () override;        /* of the narrower one */

private:
  Bottleneck *m_first, *m_second;
  std::vector<FlowOptions> m_flows;
};

} // namespace sim

#endif
