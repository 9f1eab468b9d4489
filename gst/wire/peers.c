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

/* Where there is no room the newest makes it: one that is heard stays.  The first host has the
 * first place. */
static RccPeer *
append (RccPeers *p, const char *host, size_t length, uint16_t port)
{
  const bool is_first_host = !strcmp (p->media, host) && p->n > 0
      && strcmp (p->entries[0].host, host);
  RccPeer *e;

  if (p->n == RCC_PEERS)
    p->n--;
  e = &p->entries[is_first_host ? 0 : p->n];
  memmove (e + 1, e, (size_t) (p->entries + p->n - e) * sizeof *e);
  p->n++;
  *e = (RccPeer) { .port = port };
  memcpy (e->host, host, length);
  return e;
}

/* The first host is heard. */
static bool
first_is_heard (const RccPeers *p)
{
  return p->n > 0 && p->entries[0].proven && !strcmp (p->entries[0].host, p->media);
}

bool
rcc_peers_is_first (const RccPeers *p, const char *host, uint16_t port)
{
  return first_is_heard (p) && find (p, host, port) == 0;
}

/* From where RTP of @ssrc came first; NULL: it is not known. */
static const char *
origin (const RccPeers *p, uint32_t ssrc)
{
  for (unsigned i = 0; i < p->n_strangers; i++)
    if (p->strangers[i].ssrc == ssrc)
      return p->strangers[i].host;
  return NULL;
}

/* A member was heard: who is the first now?  It may have @left. */
static void
settle (RccPeers *p, uint32_t ssrc, bool left, RccTime now)
{
  const char *media = origin (p, ssrc);

  if (!*p->media)
    memcpy (p->media, media ? media : p->entries[0].host, sizeof p->media);
  if (first_is_heard (p)) {
    p->absent = false;
  } else if (left || (p->absent && now - p->absent_since > RCC_PEER_KEEP)) {
    memcpy (p->media, p->entries[0].host, sizeof p->media);
    p->absent = false;
  } else if (!p->absent) {
    p->absent = true;
    p->absent_since = now;
  }
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
rcc_peers_heard (RccPeers *p, const char *host, uint16_t port, uint32_t ssrc, bool member,
    RccTime now)
{
  const size_t length = strlen (host);
  unsigned i = find (p, host, port);
  const bool is_new = i == p->n;
  const bool was_heard = first_is_heard (p);
  RccPeer *e = is_new ? NULL : &p->entries[i];
  bool changed;

  if (length >= RCC_PEER_HOST || (!member && p->n > 0))
    return false;
  if (is_new)
    e = append (p, host, length, port);
  e->proven = member;
  e->heard = now;
  changed = member && expire (p, now);
  if (member)
    settle (p, ssrc, was_heard, now);
  if (rcc_peers_is_first (p, host, port))
    acquit (p, host);
  return changed || is_new;
}

bool
rcc_peers_admit (const RccPeers *p, const char *host, uint16_t port, bool member)
{
  return rcc_peers_is_first (p, host, port) || (member && find (p, host, port) < p->n);
}

static unsigned
count_strangers (const RccPeers *p, const char *host)
{
  unsigned n = 0;

  for (unsigned i = 0; i < p->n_strangers; i++)
    n += !strcmp (p->strangers[i].host, host);
  return n;
}

bool
rcc_peers_let_in (RccPeers *p, uint32_t ssrc, const char *host)
{
  const size_t length = strlen (host);

  if (first_is_heard (p) && !strcmp (p->entries[0].host, host))
    return true;
  if (origin (p, ssrc))
    return true;
  if (p->n_strangers == RCC_PEER_STRANGERS || length >= RCC_PEER_HOST
      || count_strangers (p, host) == RCC_PEER_OF_HOST)
    return false;
  p->strangers[p->n_strangers].ssrc = ssrc;
  memcpy (p->strangers[p->n_strangers++].host, host, length + 1);
  return true;
}
