/* SPDX-License-Identifier: GPL-2.0-only */
#include "shadow.h"

#include <cmath>
#include <utility>

#include <ns3/mobility-model.h>

namespace sim {

using namespace ns3;

TypeId
Shadow::GetTypeId ()
{
  static TypeId id = TypeId ("sim::Shadow").SetParent<PropagationLossModel> ()
      .AddConstructor<Shadow> ();
  return id;
}

void
Shadow::cast (NodeContainer sites, NodeContainer phones, double deviation, uint64_t seed)
{
  const double half = deviation * std::sqrt (0.5);
  RccRng rng;

  m_sites = sites.GetN ();
  m_phones = phones.GetN ();
  m_firstSite = sites.Get (0)->GetId ();
  m_firstPhone = phones.Get (0)->GetId ();
  m_loss.clear ();
  rcc_rng_init (&rng, seed, 0x5ade);
  for (uint32_t phone = 0; phone < m_phones; phone++) {
    const double common = half * rcc_rng_normal (&rng);

    for (uint32_t site = 0; site < m_sites; site++)
      m_loss.push_back (common + half * rcc_rng_normal (&rng));
  }
}

/* The nodes of a container were made one after the other. */
double
Shadow::DoCalcRxPower (double power, Ptr<MobilityModel> a, Ptr<MobilityModel> b) const
{
  uint32_t site = a->GetObject<Node> ()->GetId (), phone = b->GetObject<Node> ()->GetId ();

  if (site - m_firstSite >= m_sites)
    std::swap (site, phone);
  site -= m_firstSite;
  phone -= m_firstPhone;
  return site < m_sites && phone < m_phones ? power - loss (site, phone) : power;
}

} // namespace sim
