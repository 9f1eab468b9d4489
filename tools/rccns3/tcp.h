/* SPDX-License-Identifier: GPL-2.0-only
 *
 * tcp.h - what competes with the media: bulk TCP, short TCP, constant UDP
 */
#ifndef RCC_SIM_TCP_H
#define RCC_SIM_TCP_H

#include <memory>
#include <vector>

#include "topology.h"

namespace sim {

struct TcpFlow {
  const char *kind;                     /* bulk, up, short, cbr, cbr-up */
  bool over = false;                    /* the receiver hangs up on what still comes */
  uint64_t received = 0;                /* bytes of payload, at the receiver */
  uint64_t pages = 0;                   /* fetched whole */
  double pageTime = 0;                  /* s, the sum over them */
  std::vector<uint64_t> bins;           /* received, at the end of each RCC_WORLD_BIN */
};

/* All cross traffic of a run. */
class Cross {
public:
  /* Sets ns-3's defaults for every TCP socket; before any node is made. */
  static void configure (const Options &options);

  Cross (const Options &options, Topology &topology);
  ~Cross ();
  const std::vector<std::unique_ptr<TcpFlow>> &flows () const { return m_flows; }

private:
  class Fetcher;

  TcpFlow &add (const char *kind);
  void listen (Host host, uint16_t port, const ns3::TypeId &type, TcpFlow &flow);
  void addBulk (unsigned n, RccDirection direction, uint16_t port);
  void addShort (unsigned n, uint16_t port);
  void addCbr (const CbrOptions &cbr, unsigned n, uint16_t port);
  void sample ();

  const Options &m_options;
  Topology &m_topology;
  std::vector<std::unique_ptr<TcpFlow>> m_flows;
  std::vector<std::unique_ptr<Fetcher>> m_fetchers;
  std::vector<ns3::Ptr<ns3::Socket>> m_listening;
};

} // namespace sim

#endif
