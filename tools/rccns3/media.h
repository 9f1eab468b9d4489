/* SPDX-License-Identifier: GPL-2.0-only
 *
 * media.h - the flows of an RccWorld over the UDP sockets of ns-3
 */
#ifndef RCC_SIM_MEDIA_H
#define RCC_SIM_MEDIA_H

#include <cstdio>
#include <deque>
#include <unordered_map>
#include <vector>

#include "topology.h"

namespace sim {

/* Real RTP and RTCP bytes leave and come back through sockets; what is known of a
 * packet beside its bytes waits here under its SSRC, payload type and number. */
class Media {
public:
  Media (RccWorld *world, Topology &topology);
  ~Media ();
  Media (const Media &) = delete;
  Media &operator= (const Media &) = delete;

  /* One line for each media packet (RFC 8868 3), or NULL. */
  void logTo (FILE *log);
  /* Opens the sockets and schedules what comes first. */
  void start ();

  uint64_t lost () const { return m_lost; }

private:
  struct FlowState {
    ns3::Ptr<ns3::Socket> sockets[RCC_DIRECTIONS];      /* by the direction they send in */
    ns3::EventId event;
    std::deque<std::pair<RccTime, uint64_t>> order;     /* of the keys, as they were sent */
  };
  struct Flight {
    RccDatagram *datagram;
    RccTime sent;
  };

  static void carry (void *user, RccDirection direction, RccDatagram *d);
  static RccTime queueTime (void *user);
  static uint64_t capacity (void *user);

  void open (unsigned flow);
  void poll (unsigned flow);
  void sample ();
  void sweep ();
  void receive (unsigned flow, RccDirection direction, ns3::Ptr<ns3::Socket> socket);
  void arrived (unsigned flow, RccDirection direction, const uint8_t *data, uint32_t size,
      RccEcn ecn);
  void dropped (ns3::Ptr<const ns3::Packet> packet);
  void overtaken (FlowState &state, RccTime sent);
  void lose (uint64_t key);
  void write (const Flight &flight, RccTime arrived);

  RccWorld *m_world;
  Topology &m_topology;
  std::vector<FlowState> m_states;
  std::unordered_map<uint64_t, Flight> m_flights;
  FILE *m_log = nullptr;
  uint64_t m_lost = 0;
};

} // namespace sim

#endif
