/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/ip.h"

#include <glib.h>
#include <string.h>

/* UDP, from port 0x1234 to 0x5678, ECT(0), a checksum as the kernel would have made it. */
static const guint8 udp4[] = {
  0x45, 0x02, 0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0x14, 0x01,
  10, 77, 0, 1, 10, 77, 0, 2,
  0x12, 0x34, 0x56, 0x78, 0x00, 0x0c, 0x00, 0x00, 1, 2, 3, 4
};
static const guint8 udp6[] = {
  0x60, 0x10, 0x00, 0x00, 0x00, 0x0c, 0x11, 0x40,
  0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
  0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
  0x12, 0x34, 0x56, 0x78, 0x00, 0x0c, 0x00, 0x00, 1, 2, 3, 4
};

/* On the heap and no byte longer, so that a sanitizer sees each read behind it. */
static IpPacket
read_exactly (const guint8 *data, gsize length)
{
  guint8 *copy = g_memdup2 (data, length);
  const IpPacket ip = ip_read (copy, length);

  g_free (copy);
  return ip;
}

static void
assert_packet (IpPacket ip, guint version, RccEcn ecn, guint protocol, guint source,
    guint destination)
{
  g_assert_cmpuint (ip.version, ==, version);
  g_assert_cmpuint (ip.ecn, ==, ecn);
  g_assert_cmpuint (ip.protocol, ==, protocol);
  g_assert_cmpuint (ip.source, ==, source);
  g_assert_cmpuint (ip.destination, ==, destination);
}

static guint16
checksum (const guint8 *header)
{
  guint32 sum = 0;

  for (guint i = 0; i < (header[0] & 15u) * 4; i += 2)
    sum += (guint32) header[i] << 8 | header[i + 1];
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (guint16) sum;
}

static void
whole (void)
{
  assert_packet (read_exactly (udp4, sizeof udp4), 4, RCC_ECN_ECT0, 17, 0x1234, 0x5678);
  assert_packet (read_exactly (udp6, sizeof udp6), 6, RCC_ECN_ECT1, 17, 0x1234, 0x5678);
}

/* Ends before what its header says: it is none.  What its lengths allow is read and no more. */
static void
cut_off (void)
{
  guint8 packet[sizeof udp4];

  for (gsize n = 0; n < sizeof udp4; n++)
    assert_packet (read_exactly (udp4, n), 0, 0, 0, 0, 0);
  for (gsize n = 0; n < sizeof udp6; n++)
    assert_packet (read_exactly (udp6, n), 0, 0, 0, 0, 0);
  memcpy (packet, udp4, sizeof udp4);
  packet[3] = 23;                       /* three bytes of UDP: no ports */
  assert_packet (read_exactly (packet, sizeof packet), 4, RCC_ECN_ECT0, 17, 0, 0);
  packet[3] = 19;
  assert_packet (read_exactly (packet, sizeof packet), 0, 0, 0, 0, 0);
}

static void
header_lengths (void)
{
  guint8 packet[sizeof udp4];

  memcpy (packet, udp4, sizeof udp4);
  packet[0] = 0x44;                     /* shorter than any */
  assert_packet (read_exactly (packet, sizeof packet), 0, 0, 0, 0, 0);
  packet[0] = 0x4f;                     /* longer than the packet */
  assert_packet (read_exactly (packet, sizeof packet), 0, 0, 0, 0, 0);
  packet[0] = 0x47;                     /* options: the ports are behind them */
  assert_packet (read_exactly (packet, sizeof packet), 4, RCC_ECN_ECT0, 17, 0x0102, 0x0304);
  packet[0] = 0x55;
  assert_packet (read_exactly (packet, sizeof packet), 0, 0, 0, 0, 0);
}

/* Only the first fragment has ports; other protocols have none. */
static void
without_ports (void)
{
  guint8 packet[sizeof udp4];

  memcpy (packet, udp4, sizeof udp4);
  packet[7] = 1;
  assert_packet (read_exactly (packet, sizeof packet), 4, RCC_ECN_ECT0, 17, 0, 0);
  packet[7] = 0;
  packet[9] = 1;
  assert_packet (read_exactly (packet, sizeof packet), 4, RCC_ECN_ECT0, 1, 0, 0);
}

/* Hop-by-hop options, then a fragment, then UDP. */
static void
extensions (void)
{
  guint8 packet[sizeof udp6 + 16];

  memcpy (packet, udp6, 40);
  memcpy (packet + 56, udp6 + 40, 12);
  packet[5] = 28;
  packet[6] = 0;
  memcpy (packet + 40, (guint8[16]) { 44, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 1, 0, 0, 0, 9 }, 16);
  assert_packet (read_exactly (packet, sizeof packet), 6, RCC_ECN_ECT1, 17, 0x1234, 0x5678);
  packet[51] = 8;                       /* a later fragment */
  assert_packet (read_exactly (packet, sizeof packet), 6, RCC_ECN_ECT1, 17, 0, 0);
  packet[41] = 3;                       /* options as long as the rest, and 4 bytes more */
  assert_packet (read_exactly (packet, sizeof packet), 6, RCC_ECN_ECT1, 0, 0, 0);
}

/* Whatever comes: no read beyond it, and only ports of what has some. */
static void
anything (void)
{
  GRand *r = g_rand_new_with_seed (20);

  for (guint i = 0; i < 200000; i++) {
    guint8 packet[80];
    const gsize n = (gsize) g_rand_int_range (r, 0, sizeof packet + 1);
    IpPacket ip;

    for (gsize k = 0; k < sizeof packet; k++)
      packet[k] = (guint8) (g_rand_boolean (r) ? g_rand_int (r) : 0);
    if (i % 3)                          /* nearly right */
      memcpy (packet, i % 3 == 1 ? udp4 : udp6, (gsize) g_rand_int_range (r, 1, 33));
    ip = read_exactly (packet, n);
    g_assert_true (ip.version == 0 || ip.version == 4 || ip.version == 6);
    if (ip.protocol != 6 && ip.protocol != 17)
      g_assert_cmpuint (ip.source + ip.destination, ==, 0);
    if (ip.version)
      ip_mark (packet, ip.version);
  }
  g_rand_free (r);
}

static void
marks (void)
{
  GRand *r = g_rand_new_with_seed (6040);

  for (guint i = 0; i < 20000; i++) {
    guint8 packet[20] = { 0x45 }, before[20];
    guint sum;

    for (gsize k = 1; k < sizeof packet; k++)
      packet[k] = (guint8) g_rand_int (r);
    packet[10] = packet[11] = 0;
    sum = (guint16) ~checksum (packet);
    packet[10] = (guint8) (sum >> 8);
    packet[11] = (guint8) sum;
    g_assert_cmpuint (checksum (packet), ==, 0xffff);
    memcpy (before, packet, sizeof packet);
    ip_mark (packet, 4);
    g_assert_cmpuint (packet[1], ==, before[1] | 3u);
    g_assert_cmpuint (checksum (packet), ==, 0xffff);
    packet[1] = before[1];
    memcpy (packet + 10, before + 10, 2);
    g_assert_cmpmem (packet, sizeof packet, before, sizeof before);
  }
  g_rand_free (r);
}

static void
marks_ip6 (void)
{
  guint8 packet[sizeof udp6];

  memcpy (packet, udp6, sizeof udp6);
  ip_mark (packet, 6);
  g_assert_cmpuint (packet[1], ==, 0x30);
  packet[1] = udp6[1];
  g_assert_cmpmem (packet, sizeof packet, udp6, sizeof udp6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linktun/ip/whole", whole);
  g_test_add_func ("/linktun/ip/cut-off", cut_off);
  g_test_add_func ("/linktun/ip/header-lengths", header_lengths);
  g_test_add_func ("/linktun/ip/without-ports", without_ports);
  g_test_add_func ("/linktun/ip/extensions", extensions);
  g_test_add_func ("/linktun/ip/anything", anything);
  g_test_add_func ("/linktun/ip/marks", marks);
  g_test_add_func ("/linktun/ip/marks-ip6", marks_ip6);
  return g_test_run ();
}
