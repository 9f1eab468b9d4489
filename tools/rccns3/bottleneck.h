/* SPDX-License-Identifier: GPL-2.0-only
 *
 * bottleneck.h - a link between two nodes that a scenario drives
 */
#ifndef RCC_SIM_BOTTLENECK_H
#define RCC_SIM_BOTTLENECK_H

#include <ns3/point-to-point-module.h>

#include "topology.h"

namespace sim {

/* Both directions of one link; the forward one leaves the first node. */
class Bottleneck {
public:
  virtual ~Bottleneck () = default;
  virtual ns3::NetDeviceContainer devices () const = 0;
  virtual RccTime queueTime () = 0;             /* of the forward direction */
  virtual uint64_t capacity () = 0;

  DropHook dropped;
};

struct BottleneckConfig {
  const RccScenario *scenario;
  std::string queue;                    /* droptail codel pie fqcodel link */
  bool ecn;
  uint64_t seed;
};

/* ns-3's own point-to-point device with the queue or queue disc that is asked for; with
 * `link', the project's own link (link.h), which knows all of the scenario language:
 * traces, outages, max-age.  Throws Error where the scenario wants more than the
 * former can.  The scenario's overhead is not added: packets have their headers. */
std::unique_ptr<Bottleneck> makeBottleneck (const BottleneckConfig &config,
    ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to);
std::unique_ptr<Bottleneck> makeLinkBottleneck (const BottleneckConfig &config,
    ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to);

} // namespace sim

#endif
