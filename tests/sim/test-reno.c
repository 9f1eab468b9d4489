/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The TCP that media is to compete with, on its own: what models and RFC 5681 say of it.
 */
#include <stdlib.h>
#include <string.h>

#include "core/tcpeq.h"
#include "flows.h"

#define S RCC_SEC
#define SPAN (400 * S)
#define SEEDS 3

static double
goodput (const RccReno *r, RccTime span)
{
  return (double) r->delivered * r->config.packet_size * 1e9 / (double) span;
}

/* Bytes a second at @loss (0..1) on a link that is wide open; @last: of the last seed. */
static double
measure (double loss, guint rtt_ms, RccReno *last)
{
  g_autofree gchar *text = g_strdup_printf ("0 both rate unlimited delay %u\n"
      "0 fwd loss %.5f\n", rtt_ms / 2, loss);
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccWorld *w = run_tcp (text, SPAN, seed, NULL, 0, 1);

    sum += goodput (w->renos[0], SPAN);
    *last = *w->renos[0];
    rcc_world_free (w);
  }
  return sum / SEEDS;
}

/* Mathis knows no timeouts: where they rule (5 %: a window of five packets) TCP is slower,
 * and a timeout of 200 ms and R weighs the more the shorter R is. */
static void
as_fast_as_the_models (void)
{
  static const struct { double loss, within; } cases[] = {
    { 0.001, 0.20 }, { 0.005, 0.20 }, { 0.01, 0.20 }, { 0.02, 0.20 }, { 0.03, 0.20 },
    { 0.05, 0.30 },
  };
  static const guint rtts[] = { 30, 80, 150 };

  g_test_message ("%7s %5s %9s %9s %9s %9s %9s", "loss %", "RTT", "kbit/s", "/ Mathis",
      "/ Padhye", "timeouts", "fast");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (rtts); k++) {
      const RccTime rtt = rtts[k] * RCC_MSEC;
      const RccTcpPath path = { 519, rtt, rtt + 200 * RCC_MSEC, 1 };
      const double mathis = rcc_tcp_throughput (RCC_TCP_MATHIS, &path, cases[i].loss);
      const double padhye = rcc_tcp_throughput (RCC_TCP_PADHYE, &path, cases[i].loss);
      RccReno r;
      const double rate = measure (cases[i].loss, rtts[k], &r);

      g_test_message ("%7.2f %5u %9.0f %9.2f %9.2f %9" G_GUINT64_FORMAT " %9"
          G_GUINT64_FORMAT, 100 * cases[i].loss, rtts[k], 8 * rate / 1000, rate / mathis,
          rate / padhye, r.timeouts, r.fast_retransmits);
      g_assert_cmpfloat (rate / mathis, >=, 1 - cases[i].within);
      g_assert_cmpfloat (rate / mathis, <=, 1 + cases[i].within);
    }
}

static void
two_share_a_link_and_fill_it (void)
{
  static const guint queues[] = { 5, 20, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (queues); i++) {
    g_autofree gchar *text = g_strdup_printf ("0 both rate 1M delay 40 queue %u\n", queues[i]);
    RccWorld *w = run_tcp (text, 200 * S, 1, NULL, 0, 2);
    const double a = 8 * goodput (w->renos[0], 200 * S), b = 8 * goodput (w->renos[1], 200 * S);

    g_test_message ("queue of %u: %.0f and %.0f kbit/s of 1000", queues[i], a / 1000, b / 1000);
    g_assert_cmpfloat (MAX (a, b) / MIN (a, b), <=, 1.2);
    g_assert_cmpfloat (a + b, >=, i == 0 ? 0.8e6 : 0.95e6);     /* the product is 19 */
    rcc_world_free (w);
  }
}

/* A lost packet costs half the window, an outage all of it; neither costs data, and every
 * packet is delivered once and in order. */
static void
recovers (void)
{
  RccWorld *w = run_tcp ("0 both rate 1M delay 40 queue 30\n10 both rate 0\n"
      "15 both rate 1M\n20 fwd loss 100%\n22 fwd loss 0\n30 rev loss 30%\n", 60 * S, 1, NULL,
      0, 1);
  const RccReno *r = w->renos[0];

  g_test_message ("%" G_GUINT64_FORMAT " delivered of %" G_GUINT64_FORMAT " sent, %"
      G_GUINT64_FORMAT " again, %" G_GUINT64_FORMAT " timeouts", r->delivered, r->sent,
      r->retransmitted, r->timeouts);
  g_assert_cmpuint (r->timeouts, >=, 2);
  g_assert_cmpuint (r->delivered, ==, r->expected);
  g_assert_cmpuint (r->sent, ==, r->high + r->retransmitted);
  g_assert_cmpuint (r->una, <=, r->expected);
  g_assert_cmpfloat (8 * goodput (w->renos[0], 60 * S), >=, 0.6e6);
  rcc_world_free (w);
}

static void
keeps_within_its_limits (void)
{
  RccRenoConfig config = rcc_reno_config ();
  RccDatagram *d;
  RccReno r;
  guint sent = 0;

  config.start = S;
  config.stop = 2 * S;
  config.max_window = 3;
  config.overhead = 0;
  rcc_reno_init (&r, &config);
  g_assert_null (rcc_reno_poll (&r, S - 1));
  g_assert_cmpuint (rcc_reno_next (&r, 0), ==, S);
  for (; (d = rcc_reno_poll (&r, S)); sent++) {
    g_assert_cmpuint (d->size, ==, 519);
    free (d);
  }
  g_assert_cmpuint (sent, ==, 3);
  g_assert_cmpuint (rcc_reno_next (&r, S), ==, 2 * S);  /* RFC 6298 2.1: 1 s */
  g_assert_null (rcc_reno_poll (&r, 2 * S));
  g_assert_cmpuint (rcc_reno_next (&r, 2 * S), ==, RCC_NEVER);
}

/* What is no segment, or acknowledges what never was, changes nothing. */
static void
ignores_what_is_not_its_own (void)
{
  const RccRenoConfig config = rcc_reno_config ();
  guint8 bytes[519];
  RccReno r, before;
  RccRng rng;

  rcc_rng_init (&rng, 1, 1);
  rcc_reno_init (&r, &config);
  free (rcc_reno_poll (&r, 0));
  before = r;
  for (guint i = 0; i < 20000; i++) {
    const gsize size = rcc_rng_u32 (&rng) % (sizeof bytes + 1);

    for (guint k = 0; k < sizeof bytes; k++)
      bytes[k] = (guint8) rcc_rng_u32 (&rng);
    bytes[8] |= 0x80;                   /* far ahead of anything sent */
    rcc_reno_ack (&r, bytes, i & 1 ? RCC_RENO_HEADER : size, S);
    if (size != sizeof bytes)
      g_assert_null (rcc_reno_segment (&r, bytes, size));
  }
  g_assert_cmpmem (&r, sizeof r, &before, sizeof before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reno/models", as_fast_as_the_models);
  g_test_add_func ("/reno/share", two_share_a_link_and_fill_it);
  g_test_add_func ("/reno/recovers", recovers);
  g_test_add_func ("/reno/limits", keeps_within_its_limits);
  g_test_add_func ("/reno/foreign", ignores_what_is_not_its_own);
  return g_test_run ();
}
