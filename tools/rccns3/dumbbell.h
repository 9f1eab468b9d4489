/* SPDX-License-Identifier: GPL-2.0-only
 *
 * dumbbell.h - everybody over one bottleneck
 */
#ifndef RCC_SIM_DUMBBELL_H
#define RCC_SIM_DUMBBELL_H

#include "chain.h"

namespace sim {

class Dumbbell : public Chain {
public:
  Dumbbell (const Options &options, const RccScenario *scenario);

  Host media (unsigned flow, RccDirection end) override;
  Host cross (unsigned n, RccDirection end) override;
  RccTime queueTime () override { return m_link.queueTime (); }
  uint64_t capacity () override { return m_link.capacity (); }

private:
  Bottleneck &m_link;
  std::vector<RccTime> m_delays;        /* extra, by flow */
};

} // namespace sim

#endif
