/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-peers.c - bytes as the datagrams of strangers, beside a call or before it
 *
 * The tables keep their bounds, and a call that was there first, and speaks, stays the first.
 */
#include "fuzz-wire.h"

#include <string.h>

#include "wire/peers.h"

#define CALL "192.0.2.1"
#define PORT 5005
#define SSRC 0                          /* of the call: who has heard it may use it, too */
#define STEPS 64
#define ONE_OF 32                       /* inputs: each costs as much as all else */
#define LONG "fe80::1%0123456789012345678901234567890123456789012345678901234567890123456789"

static const char *const hosts[] = { CALL, "192.0.2.2", "192.0.2.3", "2001:db8::1", "2001:db8::2",
  "fe80::1%eth0", "", LONG };

static void
call_speaks (RccPeers *p, RccTime now)
{
  MUST (rcc_peers_let_in (p, SSRC, CALL));
  rcc_peers_heard (p, CALL, PORT, SSRC, true, now);
}

static void
check_entries (const RccPeers *p)
{
  MUST (p->n <= RCC_PEERS);
  for (unsigned i = 0; i < p->n; i++) {
    MUST (memchr (p->entries[i].host, 0, RCC_PEER_HOST));
    MUST (p->n == 1 || p->entries[i].proven);
    for (unsigned k = 0; k < i; k++)
      MUST (p->entries[i].port != p->entries[k].port
          || strcmp (p->entries[i].host, p->entries[k].host));
  }
}

static void
check_strangers (const RccPeers *p)
{
  MUST (p->n_strangers <= RCC_PEER_STRANGERS);
  for (unsigned i = 0; i < p->n_strangers; i++) {
    unsigned of_host = 0;

    for (unsigned k = 0; k < p->n_strangers; k++) {
      of_host += !strcmp (p->strangers[i].host, p->strangers[k].host);
      MUST (i == k || p->strangers[i].ssrc != p->strangers[k].ssrc);
    }
    MUST (memchr (p->strangers[i].host, 0, RCC_PEER_HOST));
    MUST (of_host <= RCC_PEER_OF_HOST);
  }
}

static void
come (RccPeers *p, uint8_t what, uint8_t from, RccTime now)
{
  const char *host = hosts[from % (sizeof hosts / sizeof hosts[0])];
  const uint16_t port = (uint16_t) (PORT + what / 4 % 3);
  const uint32_t ssrc = from / 8;
  const bool member = what % 4 == 2;

  if (what % 4 == 0) {
    rcc_fuzz_taken[RCC_FUZZ_PEERS] += rcc_peers_let_in (p, ssrc, host);
    return;
  }
  rcc_peers_heard (p, host, port, ssrc, member, now);
  MUST (!rcc_peers_is_first (p, host, port) || rcc_peers_admit (p, host, port, false));
  MUST (rcc_peers_admit (p, host, port, true) || !rcc_peers_admit (p, host, port, false));
}

void
rcc_fuzz_peers (const uint8_t *data, size_t size)
{
  RccTime now = RCC_SEC;
  RccPeers p = { 0 };
  bool calls;

  if (size < 2 || data[size - 1] % ONE_OF)
    return;
  calls = data[0] % 2;
  if (calls)
    call_speaks (&p, now);
  for (size_t i = 0; i + 1 < size && i < 2 * STEPS; i += 2) {
    if (data[i] % 4 == 3) {
      now += data[i] / 4 * RCC_SEC / 8; /* less than RCC_PEER_KEEP */
      if (calls)
        call_speaks (&p, now);
    } else {
      come (&p, data[i], data[i + 1], now);
    }
    check_entries (&p);
    check_strangers (&p);
    MUST (!calls || rcc_peers_is_first (&p, CALL, PORT));
  }
}
