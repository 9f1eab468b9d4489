/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * link-rig.h - a link on its own, what comes out of it, and that nothing is lost track of
 */
#ifndef RCC_TEST_LINK_RIG_H
#define RCC_TEST_LINK_RIG_H

#include <glib.h>
#include <string.h>
#include "link/link.h"

#define MS RCC_MSEC

static inline RccLinkConfig
quiet (guint64 bps)
{
  RccLinkConfig c = rcc_link_config_default ();

  c.rate_bps = bps;
  c.overhead = 0;
  c.queue.unit = RCC_LIMIT_NONE;
  return c;
}

static inline guint
accepted_of (RccLink *l, guint n, guint size, RccTime now)
{
  guint accepted = 0;

  for (guint i = 0; i < n; i++)
    accepted += rcc_link_push (l, i, size, RCC_ECN_NOT_ECT, now) == RCC_LINK_PASSED;
  return accepted;
}

/* Everything that comes out up to @now, one line a packet. */
static inline void
collect (RccLink *l, RccTime now, GArray *out)
{
  RccLinkPacket p;

  while (rcc_link_pop (l, now, &p))
    g_array_append_val (out, p);
}

static inline const RccLinkPacket *
at (GArray *a, guint i)
{
  g_assert_cmpuint (i, <, a->len);
  return &g_array_index (a, RccLinkPacket, i);
}

static inline GArray *
packets_new (void)
{
  return g_array_new (FALSE, TRUE, sizeof (RccLinkPacket));
}

static inline void
assert_accounts (RccLink *l, RccTime now)
{
  const RccLinkStats s = rcc_link_stats (l, now);
  guint64 sum = 0;

  for (guint i = RCC_LINK_PASSED + 1; i < RCC_LINK_OUTCOMES; i++)
    sum += s.dropped[i];
  g_assert_cmpuint (sum, ==, s.dropped[RCC_LINK_PASSED]);
  g_assert_cmpuint (s.packets_in, ==,
      s.packets_out + sum + s.queue_packets + s.flight_packets);
  g_assert_cmpuint (s.bytes_in, ==,
      s.bytes_out + s.bytes_dropped + s.queue_bytes + s.flight_bytes);
}

static inline void
finish (RccLink *l)
{
  RccLinkPacket p;

  while (rcc_link_drain (l, &p))
    g_assert_cmpint (p.outcome, !=, RCC_LINK_PASSED);
  assert_accounts (l, l->now);
  g_assert_cmpuint (rcc_link_stats (l, l->now).queue_packets, ==, 0);
  g_assert_cmpuint (rcc_link_next (l), ==, RCC_NEVER);
  rcc_link_clear (l);
}

static inline RccTrace *
trace_of (RccTraceKind kind, const char *text)
{
  char error[200] = "";
  RccTrace *t = rcc_trace_parse (kind, text, strlen (text), "t", error, sizeof error);

  g_assert_cmpstr (error, ==, "");
  g_assert_nonnull (t);
  return t;
}

#endif
