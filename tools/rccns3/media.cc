/* SPDX-License-Identifier: GPL-2.0-only */
#include "media.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sim {

using namespace ns3;

namespace {

constexpr uint16_t FIRST_PORT = 5000;
constexpr uint32_t IP_UDP = 28;
constexpr uint32_t RTP_HEAD = 12;
constexpr uint8_t UDP = 17;
/* Some packets fall where no trace sees it. Lost is what was sent so long before one that has
 * arrived. So is what has been on its way for so long anyhow. */
constexpr RccTime OVERTAKEN = RCC_SEC, GIVEN_UP = 20 * RCC_SEC;

bool
isRtcp (const uint8_t *data)                    /* RFC 5761 4 */
{
  return data[1] >= 192 && data[1] <= 223;
}

uint64_t
keyOf (const uint8_t *rtp)
{
  uint64_t key = rtp[1] & 0x7f;

  for (int i = 8; i < 12; i++)
    key = key << 8 | rtp[i];
  return key << 16 | static_cast<uint64_t> (rtp[2]) << 8 | rtp[3];
}

uint16_t
portOf (unsigned flow)
{
  return static_cast<uint16_t> (FIRST_PORT + flow);
}

RccDirection
back (RccDirection direction)
{
  return direction == RCC_FORWARD ? RCC_REVERSE : RCC_FORWARD;
}

} // namespace

Media::Media (RccWorld *world, Topology &topology)
  : m_world (world), m_topology (topology), m_states (world->n_flows)
{
  const RccWorldNetwork network = { carry, queueTime, capacity, this };

  rcc_world_set_network (world, &network);
  topology.dropped = [this] (Ptr<const Packet> p) { dropped (p); };
}

Media::~Media ()
{
  m_topology.dropped = nullptr;
  for (auto &f : m_flights)
    free (f.second.datagram);
}

void
Media::logTo (FILE *log)
{
  m_log = log;
  fputs ("flow,sent,arrived,payload-type,ssrc,seq,timestamp,marker,size\n", log);
}

void
Media::start ()
{
  for (unsigned i = 0; i < m_states.size (); i++) {
    open (i);
    Simulator::ScheduleNow (&Media::poll, this, i);
  }
  Simulator::ScheduleNow (&Media::sample, this);
  Simulator::Schedule (span (GIVEN_UP), &Media::sweep, this);
}

void
Media::open (unsigned flow)
{
  for (int d = 0; d < RCC_DIRECTIONS; d++) {
    const RccDirection direction = static_cast<RccDirection> (d);
    const Host here = m_topology.media (flow, direction);
    const Host there = m_topology.media (flow, back (direction));
    Ptr<Socket> socket = Socket::CreateSocket (here.node, UdpSocketFactory::GetTypeId ());

    if (socket->Bind (InetSocketAddress (Ipv4Address::GetAny (), portOf (flow))) != 0)
      throw Error ("the port of a media flow is taken: ask for fewer flows.");
    socket->Connect (InetSocketAddress (there.address, portOf (flow)));
    socket->SetIpRecvTos (true);
    socket->SetRecvCallback ([this, flow, direction] (Ptr<Socket> s) {
      receive (flow, back (direction), s);
    });
    m_states[flow].sockets[d] = socket;
  }
}

void
Media::poll (unsigned flow)
{
  FlowState &state = m_states[flow];
  RccTime next;

  rcc_world_poll (m_world, flow, now ());
  next = rcc_world_next (m_world, flow);
  if (state.event.IsRunning () && state.event.GetTs () == next)
    return;
  state.event.Cancel ();
  if (next != RCC_NEVER)
    state.event = Simulator::Schedule (span (next - now ()), &Media::poll, this, flow);
}

void
Media::sample ()
{
  m_world->now = now ();
  rcc_world_sample (m_world);
  Simulator::Schedule (span (RCC_WORLD_QUEUE_STEP), &Media::sample, this);
}

/* What no trace has seen fall, in the order of its numbers: a run is repeatable. */
void
Media::sweep ()
{
  std::vector<uint64_t> old;

  for (const auto &f : m_flights)
    if (now () - f.second.sent >= GIVEN_UP)
      old.push_back (f.first);
  std::sort (old.begin (), old.end ());
  for (const uint64_t key : old)
    lose (key);
  Simulator::Schedule (span (RCC_SEC), &Media::sweep, this);
}

void
Media::carry (void *user, RccDirection direction, RccDatagram *d)
{
  Media *self = static_cast<Media *> (user);
  Ptr<Socket> socket = self->m_states[d->flow].sockets[direction];
  Ptr<Packet> packet = Create<Packet> (d->data, d->size);
  const uint64_t key = keyOf (d->data);

  socket->SetIpTos (static_cast<uint8_t> (d->ecn));
  if (d->rtcp) {
    free (d);
    socket->Send (packet);
    return;
  }
  self->lose (key);                             /* 65536 numbers ago */
  self->m_flights[key] = { d, now () };
  self->m_states[d->flow].order.emplace_back (now (), key);
  if (socket->Send (packet) < 0)
    self->lose (key);
}

void
Media::receive (unsigned flow, RccDirection direction, Ptr<Socket> socket)
{
  uint8_t data[RCC_WORLD_MTU];

  while (Ptr<Packet> packet = socket->Recv ()) {
    const uint32_t size = packet->CopyData (data, sizeof data);
    SocketIpTosTag tag;
    const RccEcn ecn = packet->PeekPacketTag (tag) ? static_cast<RccEcn> (tag.GetTos () & 3)
        : RCC_ECN_NOT_ECT;

    if (size >= RTP_HEAD || (size >= 2 && isRtcp (data)))
      arrived (flow, direction, data, size, ecn);
  }
  poll (flow);
}

void
Media::arrived (unsigned flow, RccDirection direction, const uint8_t *data, uint32_t size,
    RccEcn ecn)
{
  RccDatagram *d;
  RccTime sent = now ();

  if (isRtcp (data)) {
    d = static_cast<RccDatagram *> (calloc (1, sizeof *d));
    d->rtcp = true;
    d->flow = flow;
  } else {
    const auto found = m_flights.find (keyOf (data));

    if (found == m_flights.end ())              /* given up, or a second copy */
      return;
    write (found->second, now ());
    d = found->second.datagram;
    sent = found->second.sent;
    m_flights.erase (found);
    overtaken (m_states[flow], sent);
  }
  memcpy (d->data, data, size);
  d->size = size;
  d->ecn = ecn;
  rcc_world_arrived (m_world, direction, d, sent, now ());
}

void
Media::dropped (Ptr<const Packet> packet)
{
  uint8_t head[IP_UDP + RTP_HEAD];
  unsigned port;

  if (packet->CopyData (head, sizeof head) < sizeof head || head[9] != UDP)
    return;
  port = head[22] * 256u + head[23];
  if (port >= FIRST_PORT && port < FIRST_PORT + m_states.size () && !isRtcp (head + IP_UDP))
    lose (keyOf (head + IP_UDP));
}

void
Media::overtaken (FlowState &state, RccTime sent)
{
  for (; !state.order.empty (); state.order.pop_front ()) {
    const auto found = m_flights.find (state.order.front ().second);
    const bool under = found != m_flights.end ()
        && found->second.sent == state.order.front ().first;

    if (under && state.order.front ().first + OVERTAKEN >= sent)
      return;
    if (under)
      lose (found->first);
  }
}

void
Media::lose (uint64_t key)
{
  const auto found = m_flights.find (key);

  if (found == m_flights.end ())
    return;
  m_lost++;
  write (found->second, RCC_NEVER);
  rcc_world_lost (m_world, found->second.datagram, now ());
  m_flights.erase (found);
}

void
Media::write (const Flight &flight, RccTime arrived)
{
  const RccDatagram *d = flight.datagram;
  RccRtp rtp;

  if (!m_log || !rcc_rtp_parse ({ d->data, d->size }, &rtp))
    return;
  fprintf (m_log, "%u,%.6f,", d->flow, static_cast<double> (flight.sent) * 1e-9);
  if (arrived != RCC_NEVER)
    fprintf (m_log, "%.6f", static_cast<double> (arrived) * 1e-9);
  fprintf (m_log, ",%u,%08x,%u,%u,%d,%u\n", rtp.pt, rtp.ssrc, rtp.seq, rtp.timestamp,
      rtp.marker, d->size);
}

RccTime
Media::queueTime (void *user)
{
  return static_cast<Media *> (user)->m_topology.queueTime ();
}

uint64_t
Media::capacity (void *user)
{
  return static_cast<Media *> (user)->m_topology.capacity ();
}

} // namespace sim
