/* SPDX-License-Identifier: GPL-2.0-only
 *
 * Senders - router - bottleneck - router - receivers.  Media flows with the same extra
 * delay share a host on either side; all cross traffic shares one.
 */
#include "dumbbell.h"

namespace sim {

Dumbbell::Dumbbell (const Options &options, const RccScenario *scenario)
  : Chain (2), m_link (bottleneck (0, options, scenario))
{
  route ();
  for (const FlowOptions &f : options.flows)
    m_delays.push_back (f.delay);
}

/* The extra delay is on the left only, for both directions. */
Host
Dumbbell::media (unsigned flow, RccDirection end)
{
  return end == RCC_FORWARD ? host (0, m_delays[flow], false) : host (1, 0, false);
}

Host
Dumbbell::cross (unsigned, RccDirection end)
{
  return host (end, 0, true);
}

} // namespace sim
