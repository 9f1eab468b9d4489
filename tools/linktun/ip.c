/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/ip.h"

#define TCP 6
#define UDP 17
#define IP4_HEADER 20
#define IP6_HEADER 40
/* Headers of IPv6 between it and what it carries (RFC 8200 section 4). */
#define HOP_BY_HOP 0
#define ROUTING 43
#define FRAGMENT 44
#define DESTINATION 60

static unsigned
read16 (const uint8_t *data)
{
  return (unsigned) data[0] << 8 | data[1];
}

static void
read_ports (IpPacket *ip, const uint8_t *data, size_t length)
{
  if ((ip->protocol != TCP && ip->protocol != UDP) || length < 4)
    return;
  ip->source = read16 (data);
  ip->destination = read16 (data + 2);
}

static IpPacket
read_ip4 (const uint8_t *data, size_t length)
{
  const size_t header = (size_t) (data[0] & 15) * 4;
  IpPacket ip = { 0 };

  if (length < IP4_HEADER || header < IP4_HEADER || header > read16 (data + 2)
      || read16 (data + 2) > length)
    return ip;
  ip = (IpPacket) { .version = 4, .ecn = (RccEcn) (data[1] & 3), .protocol = data[9] };
  if (!(read16 (data + 6) & 0x1fff))    /* the first fragment */
    read_ports (&ip, data + header, read16 (data + 2) - header);
  return ip;
}

static IpPacket
read_ip6 (const uint8_t *data, size_t length)
{
  IpPacket ip = { 0 };
  size_t at = IP6_HEADER;

  if (length < IP6_HEADER || read16 (data + 4) > length - IP6_HEADER)
    return ip;
  ip = (IpPacket) { .version = 6, .ecn = (RccEcn) (data[1] >> 4 & 3), .protocol = data[6] };
  length = IP6_HEADER + read16 (data + 4);
  while (ip.protocol == HOP_BY_HOP || ip.protocol == ROUTING || ip.protocol == FRAGMENT
      || ip.protocol == DESTINATION) {
    if (length - at < 8)
      return ip;
    if (ip.protocol == FRAGMENT && read16 (data + at + 2) >> 3) {
      ip.protocol = data[at];           /* whose first fragment has the ports */
      return ip;
    }
    const size_t size = ip.protocol == FRAGMENT ? 8 : ((size_t) data[at + 1] + 1) * 8;

    if (size > length - at)
      return ip;
    ip.protocol = data[at];
    at += size;
  }
  read_ports (&ip, data + at, length - at);
  return ip;
}

IpPacket
ip_read (const uint8_t *data, size_t length)
{
  if (length > 0 && data[0] >> 4 == 4)
    return read_ip4 (data, length);
  if (length > 0 && data[0] >> 4 == 6)
    return read_ip6 (data, length);
  return (IpPacket) { 0 };
}

void
ip_mark (uint8_t *data, unsigned version)
{
  const unsigned before = read16 (data);
  uint32_t sum;

  if (version == 6)
    data[1] |= 0x30;
  if (version != 4)
    return;
  data[1] |= 3;
  /* RFC 1624, equation 3: HC' = ~(~HC + ~m + m') */
  sum = (~read16 (data + 10) & 0xffff) + (~before & 0xffff) + read16 (data);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  data[10] = (uint8_t) (~sum >> 8);
  data[11] = (uint8_t) ~sum;
}
