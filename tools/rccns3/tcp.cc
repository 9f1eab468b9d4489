/* SPDX-License-Identifier: GPL-2.0-only */
#include "tcp.h"

#include <set>

#include <ns3/applications-module.h>

namespace sim {

using namespace ns3;

namespace {

constexpr uint16_t FIRST_PORT = 20000;
constexpr uint32_t BUFFER = 4u << 20;
constexpr uint32_t CBR_PAYLOAD = 1472;          /* 1500 B on the wire */

void
read (Ptr<Socket> socket, TcpFlow &flow)
{
  if (flow.over && socket->GetRxAvailable () > 0) {
    const auto nobody = MakeNullCallback<void, Ptr<Socket>> ();

    socket->SetCloseCallbacks (nobody, nobody); /* which would close it again */
    socket->Close ();                           /* with data unread, that is a reset */
    return;
  }
  while (Ptr<Packet> packet = socket->Recv ()) {
    if (packet->GetSize () == 0)                /* the end of the stream */
      break;
    flow.received += packet->GetSize ();
  }
}

} // namespace

/* On and off: a page on each of some new connections at once, then silence for an
 * exponential time (RFC 8868 5.1).  The senders are on the left. */
class Cross::Fetcher {
public:
  Fetcher (const TcpOptions &options, Host server, InetSocketAddress client, TcpFlow &flow,
      uint64_t seed)
    : m_options (options), m_server (server), m_client (client), m_flow (flow)
  {
    rcc_rng_init (&m_rng, seed, 0x5407);
  }

  /* Callbacks hold pages, and pages the sockets that hold the callbacks. */
  ~Fetcher ()
  {
    for (const auto &page : m_pages)
      hush (page->socket);
  }

  Fetcher (const Fetcher &) = delete;
  Fetcher &operator= (const Fetcher &) = delete;

  void
  start (bool on)
  {
    const double wait = on ? 0.0 : rcc_rng_exponential (&m_rng, m_options.idle);

    Simulator::Schedule (span (m_options.start) + Seconds (wait), &Fetcher::burst, this);
  }

private:
  struct Page {
    Ptr<Socket> socket;
    uint32_t left;
    RccTime begun;
  };

  void
  burst ()
  {
    for (unsigned i = 0; i < m_options.connections; i++)
      open ();
  }

  void
  open ()
  {
    const double range = m_options.pageMax - m_options.pageMin + 1.0;
    auto page = std::make_shared<Page> ();

    m_pages.insert (page);
    page->socket = Socket::CreateSocket (m_server.node, TcpSocketFactory::GetTypeId ());
    page->left = m_options.pageMin + static_cast<uint32_t> (range * rcc_rng_uniform (&m_rng));
    page->begun = now ();
    page->socket->Bind ();
    page->socket->SetConnectCallback ([this, page] (Ptr<Socket>) { fill (*page); },
        [this, page] (Ptr<Socket>) { done (page, false); });
    page->socket->SetSendCallback ([this, page] (Ptr<Socket>, uint32_t) { fill (*page); });
    page->socket->SetCloseCallbacks ([this, page] (Ptr<Socket>) { done (page, true); },
        [this, page] (Ptr<Socket>) { done (page, false); });
    page->socket->Connect (m_client);
  }

  void
  fill (Page &page)
  {
    while (page.left > 0) {
      const uint32_t room = std::min (page.left, page.socket->GetTxAvailable ());

      if (room == 0 || page.socket->Send (Create<Packet> (room)) <= 0)
        return;
      page.left -= room;
      if (page.left == 0)
        page.socket->Close ();
    }
  }

  static void
  hush (Ptr<Socket> socket)
  {
    const auto nobody = MakeNullCallback<void, Ptr<Socket>> ();

    socket->SetConnectCallback (nobody, nobody);
    socket->SetCloseCallbacks (nobody, nobody);
    socket->SetSendCallback (MakeNullCallback<void, Ptr<Socket>, uint32_t> ());
  }

  /* The client closes when it has read all.  A callback does not outlive itself, so its
   * socket keeps it until later. */
  void
  done (std::shared_ptr<Page> page, bool whole)
  {
    if (m_pages.erase (page) == 0)
      return;
    Simulator::ScheduleNow (hush, page->socket);
    if (whole) {
      m_flow.pages++;
      m_flow.pageTime += static_cast<double> (now () - page->begun) * 1e-9;
    }
    if (m_pages.empty ())
      Simulator::Schedule (Seconds (rcc_rng_exponential (&m_rng, m_options.idle)),
          &Fetcher::burst, this);
  }

  const TcpOptions &m_options;
  Host m_server;
  InetSocketAddress m_client;
  TcpFlow &m_flow;
  RccRng m_rng;
  std::set<std::shared_ptr<Page>> m_pages;      /* that are under way */
};

/* As Linux has it where ns-3's defaults are those of a textbook. */
void
Cross::configure (const Options &options)
{
  const char *variant = options.tcp.variant == "cubic" ? "ns3::TcpCubic" : "ns3::TcpLinuxReno";

  Config::SetDefault ("ns3::TcpL4Protocol::SocketType",
      TypeIdValue (TypeId::LookupByName (variant)));
  Config::SetDefault ("ns3::TcpSocket::SegmentSize", UintegerValue (options.tcp.segment));
  Config::SetDefault ("ns3::TcpSocket::SndBufSize", UintegerValue (BUFFER));
  Config::SetDefault ("ns3::TcpSocket::RcvBufSize", UintegerValue (BUFFER));
  /* Linux's least is of the variation: RTO = SRTT + 200 ms or more.  As the least RTO it is shorter
   * than a round trip with a delayed ACK, and one segment in flight is sent again for ever. */
  Config::SetDefault ("ns3::TcpSocketBase::ClockGranularity", TimeValue (MilliSeconds (200)));
  Config::SetDefault ("ns3::TcpSocketBase::MinRto", TimeValue (MilliSeconds (200)));
  if (options.ecn)
    Config::SetDefault ("ns3::TcpSocketBase::UseEcn", StringValue ("On"));
}

Cross::Cross (const Options &options, Topology &topology)
  : m_options (options), m_topology (topology)
{
  uint16_t port = FIRST_PORT;

  for (unsigned i = 0; i < options.tcp.bulk; i++)
    addBulk (m_flows.size (), RCC_FORWARD, port++);
  for (unsigned i = 0; i < options.tcp.up; i++)
    addBulk (m_flows.size (), RCC_REVERSE, port++);
  for (unsigned i = 0; i < options.tcp.shorts; i++)
    addShort (i, port++);
  for (unsigned i = 0; i < options.cbr.size (); i++)
    addCbr (options.cbr[i], m_flows.size (), port++);
  if (!m_flows.empty ())
    Simulator::Schedule (span (RCC_WORLD_BIN), &Cross::sample, this);
}

Cross::~Cross () = default;

TcpFlow &
Cross::add (const char *kind)
{
  m_flows.push_back (std::make_unique<TcpFlow> ());
  m_flows.back ()->kind = kind;
  return *m_flows.back ();
}

void
Cross::listen (Host host, uint16_t port, const TypeId &type, TcpFlow &flow)
{
  Ptr<Socket> socket = Socket::CreateSocket (host.node, type);
  TcpFlow *to = &flow;
  const auto reader = [to] (Ptr<Socket> s) { read (s, *to); };

  socket->Bind (InetSocketAddress (Ipv4Address::GetAny (), port));
  socket->SetRecvCallback (reader);
  if (type == TcpSocketFactory::GetTypeId ()) {
    socket->SetAcceptCallback (MakeNullCallback<bool, Ptr<Socket>, const Address &> (),
        [reader] (Ptr<Socket> s, const Address &) {
          const auto close = [] (Ptr<Socket> c) { c->Close (); };

          s->SetRecvCallback (reader);
          s->SetCloseCallbacks (close, close);
        });
    socket->Listen ();
  }
  m_listening.push_back (socket);
}

/* They begin within the first second, so that seeds differ. */
void
Cross::addBulk (unsigned n, RccDirection direction, uint16_t port)
{
  const bool up = direction == RCC_REVERSE;
  const Host left = m_topology.cross (n, direction);
  const Host right = m_topology.cross (n, up ? RCC_FORWARD : RCC_REVERSE);
  BulkSendHelper bulk ("ns3::TcpSocketFactory", InetSocketAddress (right.address, port));
  ApplicationContainer app;
  RccRng rng;

  TcpFlow &flow = add (up ? "up" : "bulk");

  listen (right, port, TcpSocketFactory::GetTypeId (), flow);
  rcc_rng_init (&rng, m_options.seed * 1000 + n, 0xb01c);
  bulk.SetAttribute ("SendSize", UintegerValue (m_options.tcp.segment));
  app = bulk.Install (left.node);
  app.Start (span (m_options.tcp.start) + Seconds (rcc_rng_uniform (&rng)));
  if (m_options.tcp.stop == RCC_NEVER)
    return;
  app.Stop (span (m_options.tcp.stop));         /* which sends megabytes yet, if let */
  Simulator::Schedule (span (m_options.tcp.stop), [&flow] { flow.over = true; });
}

void
Cross::addShort (unsigned n, uint16_t port)
{
  const unsigned host = m_flows.size ();
  const Host left = m_topology.cross (host, RCC_FORWARD);
  const Host right = m_topology.cross (host, RCC_REVERSE);
  TcpFlow &flow = add ("short");

  listen (right, port, TcpSocketFactory::GetTypeId (), flow);
  m_fetchers.push_back (std::make_unique<Fetcher> (m_options.tcp, left,
      InetSocketAddress (right.address, port), flow, m_options.seed * 1000 + n));
  m_fetchers.back ()->start (n < m_options.tcp.shortsOn);
}

void
Cross::addCbr (const CbrOptions &cbr, unsigned n, uint16_t port)
{
  const Host left = m_topology.cross (n, cbr.up ? RCC_REVERSE : RCC_FORWARD);
  const Host right = m_topology.cross (n, cbr.up ? RCC_FORWARD : RCC_REVERSE);
  OnOffHelper source ("ns3::UdpSocketFactory", InetSocketAddress (right.address, port));
  ApplicationContainer app;

  listen (right, port, UdpSocketFactory::GetTypeId (), add (cbr.up ? "cbr-up" : "cbr"));
  /* the rate is of payload; 28 bytes a packet are not */
  source.SetConstantRate (DataRate (cbr.bps * CBR_PAYLOAD / (CBR_PAYLOAD + 28)), CBR_PAYLOAD);
  app = source.Install (left.node);
  app.Start (span (cbr.start));
  if (cbr.stop != RCC_NEVER)
    app.Stop (span (cbr.stop));
}

void
Cross::sample ()
{
  for (auto &flow : m_flows)
    flow->bins.push_back (flow->received);
  Simulator::Schedule (span (RCC_WORLD_BIN), &Cross::sample, this);
}

} // namespace sim
