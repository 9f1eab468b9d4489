/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random reports: each sum held against one worked out from all packets of the range at once, as
 * fbra/outcomes.h says.  The delays are the core's, but another's.
 */
#include <math.h>
#include <glib.h>
#include "core/fbra/outcomes.h"
#include "core/rng.h"

#define LIVES 200
#define REPORTS 60
#define PACKETS 2000

static RccRng rng;
static RccOutcomes f;
static RccSkewOwd its, mine;
static RccPacket all[PACKETS];
static gboolean late[PACKETS];
static guint n;
static RccTime d_max, now;
static struct { gdouble sum; guint n; } delays;
static struct { RccTime sent, arrived, closed; } before;

static guint
below (guint most)
{
  return rcc_rng_u32 (&rng) % most;
}

static gboolean
chance (gdouble p)
{
  return rcc_rng_uniform (&rng) < p;
}

/* From the newest of the report before to the newest of this one, where that is not more than
 * four times the reports' spacing, nor less than a quarter of it. */
static gdouble
between (RccTime from, RccTime to)
{
  const RccTime spacing = now - before.closed;

  if (from == RCC_NEVER || to == RCC_NEVER || to <= from || to - from > 4 * spacing
      || to - from < spacing / 4)
    return (gdouble) spacing;
  return (gdouble) (to - from);
}

/* A packet that did not come stands where it would have, by its departure. */
static RccOutcomesSum
sum_up (gdouble recent)
{
  RccOutcomesSum s = { .owd = RCC_NEVER, .bad_sent = RCC_NEVER, .newest_sent = RCC_NEVER,
    .packets = n };
  guint64 sent = 0, good = 0, received = 0, path = 0;
  RccTime arrived = RCC_NEVER, left = RCC_NEVER;
  guint per = 1;

  while ((n + per - 1) / per > RCC_OUTCOMES_CELLS)
    per *= 2;
  for (guint i = 0; i < n; i++) {
    const RccPacket *p = &all[i];
    const gboolean came = rcc_packet_received (p), media = !(p->flags & RCC_PACKET_PARITY);
    const gboolean is_recent = MIN ((i / per + 1) * per, n) > (1 - recent) * n;

    s.losses += !came;
    s.discards += late[i];
    s.recent_losses += is_recent && !came;
    s.recent_discards += is_recent && late[i];
    s.parity += !media;
    if ((!came || late[i]) && s.bad_sent == RCC_NEVER)
      s.bad_sent = p->sent;
    if (p->sent <= now)
      s.newest_sent = s.newest_sent == RCC_NEVER ? p->sent : MAX (s.newest_sent, p->sent);
    if (p->arrived != RCC_NEVER && p->sent <= now) {
      arrived = p->arrived;
      left = p->sent;
    }
    path += came ? p->size : 0;
    sent += media ? p->size : 0;
    received += media && came ? p->size : 0;
    good += media && came && !late[i] ? p->size : 0;
  }
  if (arrived != RCC_NEVER)
    arrived += s.newest_sent - MIN (left, s.newest_sent);
  if (delays.n > 0)
    s.owd = (RccTime) (delays.sum / delays.n);
  if (before.closed != RCC_NEVER && now > before.closed && n > 0) {
    s.rated = true;
    s.sent_bps = 8e9 * (gdouble) sent / between (before.sent, s.newest_sent);
    s.goodput_bps = 8e9 * (gdouble) good / between (before.arrived, arrived);
    s.received_bps = 8e9 * (gdouble) received / between (before.arrived, arrived);
    s.path_bps = 8e9 * (gdouble) path / between (before.arrived, arrived);
  }
  before.closed = now;
  before.arrived = arrived;
  if (s.newest_sent != RCC_NEVER)
    before.sent = s.newest_sent;
  return s;
}

static void
same (const RccOutcomesSum *a, const RccOutcomesSum *b)
{
  g_assert_cmpuint (a->packets, ==, b->packets);
  g_assert_cmpuint (a->losses, ==, b->losses);
  g_assert_cmpuint (a->discards, ==, b->discards);
  g_assert_cmpuint (a->recent_losses, ==, b->recent_losses);
  g_assert_cmpuint (a->recent_discards, ==, b->recent_discards);
  g_assert_cmpuint (a->parity, ==, b->parity);
  g_assert_cmpint (a->rated, ==, b->rated);
  g_assert_cmpfloat_with_epsilon (a->sent_bps, b->sent_bps, 1e-9 * (1 + b->sent_bps));
  g_assert_cmpfloat_with_epsilon (a->goodput_bps, b->goodput_bps, 1e-9 * (1 + b->goodput_bps));
  g_assert_cmpfloat_with_epsilon (a->received_bps, b->received_bps, 1e-9 * (1 + b->received_bps));
  g_assert_cmpfloat_with_epsilon (a->path_bps, b->path_bps, 1e-9 * (1 + b->path_bps));
  g_assert_cmpuint (a->owd, ==, b->owd);
  g_assert_cmpuint (a->bad_sent, ==, b->bad_sent);
  g_assert_cmpuint (a->newest_sent, ==, b->newest_sent);
}

static void
take (guint count, gdouble bad, RccTime spacing)
{
  const guint first = n;
  static RccTime sent;

  for (guint i = 0; i < count && n < PACKETS; i++) {
    RccPacket *p = &all[n];

    sent = MAX (sent, now > RCC_SEC ? now - RCC_SEC : 0);
    sent += spacing / (count + 1) + below (1000);
    *p = (RccPacket) { .seq = n, .size = 1 + below (1400), .sent = MIN (sent, now),
      .arrived = RCC_NEVER, .flags = chance (0.2) ? RCC_PACKET_PARITY : 0 };
    if (chance (0.01))
      p->sent = now + 1 + below (1000); /* a clock that was set */
    if (chance (bad / 2))
      p->flags |= chance (0.5) ? RCC_PACKET_LATE : RCC_PACKET_RECEIVED;
    else if (!chance (bad))
      p->arrived = p->sent + 30 * RCC_MSEC + below (chance (0.1) ? 500 : 5) * RCC_MSEC;
    late[n] = (p->flags & RCC_PACKET_LATE) != 0;
    if (p->arrived != RCC_NEVER) {
      const RccTime owd = rcc_skew_owd_packet (&mine, p->sent, p->arrived, now);

      if (owd != RCC_NEVER) {
        late[n] |= owd > d_max;
        delays.sum += (gdouble) owd;
        delays.n++;
      }
    }
    n++;
  }
  rcc_outcomes_take (&f, &its, all + first, n - first, now);
}

static void
live (void)
{
  const guint most = chance (0.3) ? 1500 : 1 + below (200);
  gdouble bad = 0;

  d_max = (chance (0.2) ? 0 : 40 + below (400)) * RCC_MSEC;
  now = RCC_SEC;
  before.sent = before.arrived = before.closed = RCC_NEVER;
  memset (&f, 0xa5, sizeof f);
  rcc_outcomes_init (&f, d_max);
  rcc_skew_owd_init (&its);
  rcc_skew_owd_init (&mine);
  for (guint i = 0; i < REPORTS; i++) {
    const gdouble recent = below (5) / 4.0;
    RccOutcomesSum a, b;

    n = 0;
    delays.sum = 0;
    delays.n = 0;
    if (chance (0.2))
      bad = chance (0.5) ? 0 : rcc_rng_uniform (&rng);
    for (guint k = below (4); k > 0; k--)
      take (below (most), bad, 100 * RCC_MSEC);
    b = sum_up (recent);
    a = rcc_outcomes_close (&f, recent, now);
    same (&a, &b);
    now += chance (0.05) ? 0 : chance (0.1) ? below (5000) * RCC_MSEC : 100 * RCC_MSEC;
  }
}

static void
sums_are_those_of_all_packets (void)
{
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 128, i);
    live ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/outcomes-random/sums-are-those-of-all-packets",
      sums_are_those_of_all_packets);
  return g_test_run ();
}
