/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/returns.h"

#include <string.h>

/* Its place, or n. */
static unsigned
find (const RccReturns *r, const char *host, uint16_t port)
{
  unsigned i = 0;

  while (i < r->n && (r->entries[i].port != port || strcmp (r->entries[i].host, host)))
    i++;
  return i;
}

/* Those that are silent while another is not. */
static bool
expire (RccReturns *r, RccTime now)
{
  unsigned kept = 0;
  const unsigned before = r->n;

  for (unsigned i = 0; i < before; i++)
    if (now - r->entries[i].heard <= RCC_RETURN_KEEP)
      r->entries[kept++] = r->entries[i];
  r->n = kept;
  return kept < before;
}

/* Where there is no room the newest makes it: one that is heard stays. */
static RccReturn *
append (RccReturns *r, const char *host, size_t length, uint16_t port)
{
  RccReturn *e;

  if (r->n == RCC_RETURNS)
    r->n--;
  e = &r->entries[r->n++];
  *e = (RccReturn) { .port = port };
  memcpy (e->host, host, length);
  return e;
}

bool
rcc_returns_heard (RccReturns *r, const char *host, uint16_t port, bool member, RccTime now)
{
  const size_t length = strlen (host);
  unsigned i = find (r, host, port);
  const bool is_new = i == r->n;
  RccReturn *e = is_new ? NULL : &r->entries[i];

  if (length >= sizeof r->entries[0].host || (!member && r->n > 0))
    return false;
  if (is_new) {
    expire (r, now);
    e = append (r, host, length, port);
  }
  e->proven = member;
  e->heard = now;
  return expire (r, now) || is_new;
}

bool
rcc_returns_admits (const RccReturns *r, const char *host, uint16_t port)
{
  const unsigned i = find (r, host, port);

  return i < r->n && r->entries[i].proven;
}
