/* SPDX-License-Identifier: GPL-2.0-only
 *
 * shadow.h - log-normal shadowing between phones and sites (3GPP TR 25.814, A.2.1.1.1)
 */
#ifndef RCC_SIM_SHADOW_H
#define RCC_SIM_SHADOW_H

#include <vector>

#include <ns3/network-module.h>
#include <ns3/propagation-loss-model.h>

#include "world.h"

namespace sim {

/* Each phone has a loss of its own to each site, with a correlation of 0.5 between sites.
 * It stands while the phone walks: a call is 25 m, and shadows change over 50. */
class Shadow : public ns3::PropagationLossModel {
public:
  static ns3::TypeId GetTypeId ();
  Shadow () = default;

  /* @deviation: dB. */
  void cast (ns3::NodeContainer sites, ns3::NodeContainer phones, double deviation,
      uint64_t seed);
  /* dB; negative where there is less than usual. */
  double loss (uint32_t site, uint32_t phone) const { return m_loss[phone * m_sites + site]; }

private:
  double DoCalcRxPower (double power, ns3::Ptr<ns3::MobilityModel> a,
      ns3::Ptr<ns3::MobilityModel> b) const override;
  int64_t DoAssignStreams (int64_t) override { return 0; }

  uint32_t m_sites = 0, m_phones = 0, m_firstSite = 0, m_firstPhone = 0;
  std::vector<double> m_loss;
};

} // namespace sim

#endif
