/* SPDX-License-Identifier: GPL-2.0-only
 *
 * discard.h - the discard timer of an eNB's queues, which ns-3 3.37 lacks
 */
#ifndef RCC_SIM_DISCARD_H
#define RCC_SIM_DISCARD_H

#include <functional>

#include <ns3/core-module.h>
#include <ns3/lte-module.h>

#include "world.h"

namespace sim {

/* What 3GPP TS 36.323 5.4 does in the PDCP. What has waited for @limit in the RLC (UM) of an eNB,
 * and of which nothing was sent, is gone. Looked for every 10 ms. */
class DiscardTimer {
public:
  using Hook = std::function<void (ns3::Ptr<const ns3::Packet>)>;

  /* @limit RCC_NEVER: nothing is discarded.  @hook gets each, from its IPv4 header on. */
  DiscardTimer (ns3::NetDeviceContainer enbs, RccTime limit, Hook hook);

  RccTime longest () const { return m_longest; }        /* wait, of what is queued now */

private:
  void look ();
  void lookAt (ns3::Ptr<ns3::LteRlcUm> rlc);

  ns3::NetDeviceContainer m_enbs;
  RccTime m_limit, m_longest = 0;
  Hook m_hook;
};

} // namespace sim

#endif
