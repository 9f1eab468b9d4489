/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/peers.h"

#include <string.h>

/* Its place, or n. */
static unsigned
find (const RccPeers *p, const char *host, uint16_t port)
{
  unsigned i = 0;

  while (i < p->n && (p->entries[i].port != port || strcmp (p->entries[i].host, host)))
    i++;
  return i;
}

/* A member is heard: those that are silent go, and who came before members were known. */
static bool
expire (RccPeers *p, RccTime now)
{
  unsigned kept = 0;
  const unsigned before = p->n;

  for (unsigned i = 0; i < before; i++)
    if (p->entries[i].proven && now - p->entries[i].heard <= RCC_PEER_KEEP)
      p->entries[kept++] = p->entries[i];
  p->n = kept;
  return kept < before;
}

/* Where there is no room the newest makes it: one that is heard stays. */
static RccPeer *
append (RccPeers *p, const char *host, size_t length, uint16_t port)
{
  RccPeer *e;

  if (p->n == RCC_PEERS)
    p->n--;
  e = &p->entries[p->n++];
  *e = (RccPeer) { .port = port };
  memcpy (e->host, host, length);
  return e;
}

bool
rcc_peers_is_first (const RccPeers *p, const char *host, uint16_t port)
{
  return p->n > 0 && p->entries[0].proven && find (p, host, port) == 0;
}

/* Its SSRCs are no strangers. */
static void
acquit (RccPeers *p, const char *host)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < p->n_strangers; i++)
    if (strcmp (p->strangers[i].host, host))
      p->strangers[kept++] = p->strangers[i];
  p->n_strangers = kept;
}

bool
rcc_peers_heard (RccPeers *p, const char *host, uint16_t port, bool member, RccTime now)
{
  const size_t length = strlen (host);
  unsigned i = find (p, host, port);
  const bool is_new = i == p->n;
  RccPeer *e = is_new ? NULL : &p->entries[i];
  bool changed;

  if (length >= RCC_PEER_HOST || (!member && p->n > 0))
    return false;
  if (is_new)
    e = append (p, host, length, port);
  e->proven = member;
  e->heard = now;
  changed = member && expire (p, now);
  if (rcc_peers_is_first (p, host, port))
    acquit (p, host);
  return changed || is_new;
}

bool
rcc_peers_admit (const RccPeers *p, const char *host, uint16_t port, bool member)
{
  return rcc_peers_is_first (p, host, port) || (member && find (p, host, port) < p->n);
}

bool
rcc_peers_let_in (RccPeers *p, uint32_t ssrc, const char *host)
{
  const size_t length = strlen (host);

  if (p->n > 0 && p->entries[0].proven && !strcmp (p->entries[0].host, host))
    return true;
  for (unsigned i = 0; i < p->n_strangers; i++)
    if (p->strangers[i].ssrc == ssrc)
      return true;
  if (p->n_strangers == RCC_PEER_STRANGERS || length >= RCC_PEER_HOST)
    return false;
  p->strangers[p->n_strangers].ssrc = ssrc;
  memcpy (p->strangers[p->n_strangers++].host, host, length + 1);
  return true;
}
