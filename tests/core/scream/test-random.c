/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of the SCReAM sender: feedback is late, lost, told again, out of order, of packets
 * that never were, and clocks jump.  Bytes in flight are held against a list of all packets;
 * the rest against what always has to be so.
 */
#include <math.h>
#include <glib.h>

#include "core/scream/scream.h"
#include "../../random.h"

#define LIVES 200
#define STEPS 1500
#define MOST 1500

typedef struct {
  RccPacket packet;
  RccTime due;                          /* of its feedback; RCC_NEVER: told */
} Sent;

static RccScream s;
static Sent sent[MOST];
static guint n_sent, first_free;        /* of those that were not given up */
static gint newest;                     /* of those that came; -1: none */
static RccTime now;

/* screamv2 4.1.1, one packet at a time. */
static guint64
in_flight (void)
{
  guint64 bytes = 0;

  for (guint i = MAX ((gint) first_free, newest + 1); i < n_sent; i++)
    bytes += sent[i].packet.size;
  return bytes;
}

static void
leave (void)
{
  Sent *p = &sent[n_sent];

  if (n_sent == MOST)
    return;
  p->packet = (RccPacket) { .seq = n_sent, .size = 50 + below (1400), .ssrc = 1 + below (3),
    .timestamp = n_sent / 3, .sent = now };
  p->due = now + (1 + below (400)) * RCC_MSEC;
  n_sent++;
  rcc_tell (&s.sender, on_sent, &p->packet);
}

static void
tell (Sent *p, gint64 clock)
{
  const gboolean lost = chance (0.05);

  p->packet.arrived = lost ? RCC_NEVER : chance (0.02) ? rcc_rng_u32 (&rng)
      : p->packet.sent + (RccTime) clock + below (200) * RCC_MSEC;
  p->packet.flags = lost ? 0 : chance (0.1) ? RCC_PACKET_CE : chance (0.02)
      ? RCC_PACKET_RECEIVED : 0;
  if (!lost)
    newest = MAX (newest, p - sent);
  rcc_tell (&s.sender, on_feedback, &p->packet, 1, now);
}

static void
absurd (void)
{
  const RccPacket packet = { .seq = (gint64) rcc_rng_u32 (&rng) - G_MAXINT32, .size = below (3000),
    .ssrc = below (5), .sent = now + 1 + below (1000000), .arrived = rcc_rng_u32 (&rng),
    .flags = (guint8) rcc_rng_u32 (&rng) };
  const RccConfig limits = { below (2) ? 0 : below (500000), 0, below (3000000) };

  switch (below (4)) {
    case 0:
      rcc_tell (&s.sender, on_feedback, &packet, 1, now);
      break;
    case 1:
      rcc_tell (&s.sender, on_feedback, NULL, 0, now);
      break;
    case 2:
      rcc_tell (&s.sender, on_config, &limits, now);
      break;
    default:
      rcc_tell (&s.sender, on_remb, chance (0.5) ? UINT32_MAX : rcc_rng_u32 (&rng), now);
      break;
  }
}

static void
check (void)
{
  const double window = s.window.bytes;

  g_assert_true (isfinite (window) && isfinite (s.window.alpha) && isfinite (s.acked_bps));
  g_assert_cmpfloat (window, >=, s.config.min_window);
  g_assert_cmpfloat (window, <=, 1e9);
  g_assert_cmpfloat (s.window.alpha, >=, 0.0);
  g_assert_cmpfloat (s.window.alpha, <=, 1.0);
  g_assert_cmpfloat (s.window.loss_rate, <=, 1.0);
  g_assert_cmpfloat (s.delay.scale, >=, 0.0);
  g_assert_cmpfloat (s.delay.scale, <=, 1.0);
  g_assert_cmpfloat (s.delay.qdelay, >=, 0.0);
  g_assert_cmpfloat (s.delay.mean, <=, 1e-9 * now);
  g_assert_cmpuint (s.target_bps, >=, s.limits.min_bps);
  g_assert_cmpuint (s.target_bps, <=, MAX (s.limits.max_bps, s.limits.min_bps));
  g_assert_cmpuint (s.pacing_bps, >=, s.target_bps);
  g_assert_cmpuint (rcc_scream_in_flight (&s.flight), ==, in_flight ());
  if (in_flight () > 0) {
    g_assert_cmpuint (rcc_deadline (&s.sender), !=, RCC_NEVER);
    g_assert_cmpfloat (s.sender.ops->allowance (&s.sender, now), <=, 3.0 * window);
  } else {
    g_assert_cmpuint (s.sender.ops->allowance (&s.sender, now), ==, UINT64_MAX);
  }
}

static void
live (void)
{
  const RccConfig limits = { 50000, 300000, 2000000 };
  RccScreamConfig config = rcc_scream_config ();
  const double lost_feedback = chance (0.5) ? 0.0 : 0.3;
  gint64 clock = (gint64) below (1000000) * RCC_MSEC;

  config.l4s = chance (0.5);
  config.reduce_jitter = chance (0.5);
  config.conditional_loss = chance (0.5);
  config.policer = chance (0.5);
  config.undershoot = chance (0.5);
  rcc_scream_init (&s, &config, &limits);
  n_sent = first_free = 0;
  newest = -1;
  now = below (2) * RCC_SEC;
  for (guint step = 0; step < STEPS; step++) {
    now += chance (0.01) ? RCC_SEC : 1 + below (10) * RCC_MSEC;
    leave ();
    for (guint i = n_sent > 100 ? n_sent - 100 : 0; i < n_sent; i++)
      if (sent[i].due <= now) {
        sent[i].due = chance (0.02) ? now + 30 * RCC_MSEC : RCC_NEVER;  /* told again */
        if (sent[i].due == RCC_NEVER && !chance (lost_feedback))
          tell (&sent[i], clock);
      }
    if (chance (0.02))
      absurd ();
    if (chance (0.002))
      clock = (gint64) below (1000000) * RCC_MSEC;
    if (now >= rcc_deadline (&s.sender)) {
      rcc_tell (&s.sender, on_deadline, now);
      first_free = n_sent;
      g_assert_cmpuint (rcc_deadline (&s.sender), >, now);
    }
    check ();
  }
}

static void
it_stays_sane (void)
{
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, i, 71);
    live ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/random/it-stays-sane", it_stays_sane);
  return g_test_run ();
}
