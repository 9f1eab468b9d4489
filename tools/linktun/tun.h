/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tun.h - a TUN device in another network namespace
 */
#ifndef LINKTUN_TUN_H
#define LINKTUN_TUN_H

#include <stdbool.h>
#include <stddef.h>

#define TUN_NAME "link0"
#define TUN_IP4 "10.77.0.%u"            /* a network of 24 bits */
#define TUN_IP6 "fd77::%u"              /* a network of 64 bits */
#define TUN_ERROR 256                   /* a good size for @error */

/* Goes into the namespace for good and makes the device there, up, with addresses that end in
 * @host.  @where: a name of ip-netns(8), a path, or the number of a process.  What is returned
 * reads and writes IP packets and never blocks.  -1 with one sentence in @error; *@rights is true
 * where others would be allowed to. */
int tun_open (const char *where, unsigned host, bool *rights, char *error, size_t size);

#endif
