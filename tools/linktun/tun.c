/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
#include "linktun/tun.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct {                        /* <linux/ipv6.h> and <netinet/in.h> exclude each other */
  struct in6_addr address;
  uint32_t prefix;
  int interface;
} Request6;

static bool
enter (const char *where, bool *rights, char *error, size_t size)
{
  char path[512];
  const bool number = *where && strspn (where, "0123456789") == strlen (where);
  int fd, failed;

  snprintf (path, sizeof path, strchr (where, '/') ? "%s" : number ? "/proc/%s/ns/net"
      : "/run/netns/%s", where);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    *rights = errno == EACCES;
    snprintf (error, size, "the network namespace %.100s cannot be opened (%s: %s).", where, path,
        strerror (errno));
    return false;
  }
  failed = setns (fd, CLONE_NEWNET) ? errno : 0;
  close (fd);
  if (failed)
    snprintf (error, size, "the network namespace %.100s cannot be entered: %s.", where,
        strerror (failed));
  *rights = failed == EPERM;
  return !failed;
}

/* The addresses before the device is up: no duplicates are looked for, and there is nobody. */
static bool
set_addresses (unsigned host)
{
  int four = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int six = socket (AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct ifreq request = { .ifr_name = TUN_NAME };
  struct sockaddr_in address = { .sin_family = AF_INET };
  Request6 request6 = { .prefix = 64 };
  char text[64];
  bool good;

  snprintf (text, sizeof text, TUN_IP4, host);
  inet_pton (AF_INET, text, &address.sin_addr);
  memcpy (&request.ifr_addr, &address, sizeof address);
  good = four >= 0 && !ioctl (four, SIOCSIFADDR, &request);
  inet_pton (AF_INET, "255.255.255.0", &address.sin_addr);
  memcpy (&request.ifr_netmask, &address, sizeof address);
  good = good && !ioctl (four, SIOCSIFNETMASK, &request);
  good = good && !ioctl (four, SIOCGIFFLAGS, &request);
  request.ifr_flags |= IFF_UP | IFF_RUNNING;
  good = good && !ioctl (four, SIOCSIFFLAGS, &request);
  /* Not every kernel has IPv6. */
  snprintf (text, sizeof text, TUN_IP6, host);
  inet_pton (AF_INET6, text, &request6.address);
  if (good && six >= 0 && !ioctl (six, SIOCGIFINDEX, &request)) {
    request6.interface = request.ifr_ifindex;
    if (ioctl (six, SIOCSIFADDR, &request6))
      fprintf (stderr, "linktun: %s has no IPv6: %s.\n", TUN_NAME, strerror (errno));
  }
  for (int i = 0; i < 2; i++)
    if ((i ? six : four) >= 0)
      close (i ? six : four);
  return good;
}

static int
make_device (bool *rights, char *error, size_t size)
{
  struct ifreq request = { .ifr_name = TUN_NAME };
  int fd = open ("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

  *rights = fd < 0;
  if (fd < 0) {
    snprintf (error, size, "/dev/net/tun cannot be opened: %s.", strerror (errno));
    return -1;
  }
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (!ioctl (fd, TUNSETIFF, &request))
    return fd;
  *rights = errno == EPERM;
  snprintf (error, size, "the device %s cannot be made: %s.", TUN_NAME, strerror (errno));
  close (fd);
  return -1;
}

int
tun_open (const char *where, unsigned host, bool *rights, char *error, size_t size)
{
  int fd;

  *rights = false;
  if (!enter (where, rights, error, size) || (fd = make_device (rights, error, size)) < 0)
    return -1;
  if (set_addresses (host))
    return fd;
  snprintf (error, size, "the device %s gets no address: %s.", TUN_NAME, strerror (errno));
  close (fd);
  return -1;
}
