/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * TFRC in the simulated world: RTP out, RFC 8888 or transport-wide feedback back as bytes,
 * once a round trip.  RFC 5348 3.1 is what a flow gets; two of them share; and how they
 * fare against TCP.
 */
#include "core/tcpeq.h"
#include "flows.h"

#define S RCC_SEC
#define SIZE 1000
#define HEADER 24                       /* of the world's RTP */

/* A flow that always has a packet of @size bytes to send, up to @bps. */
static RccFlowConfig
greedy (double bps, RccTime rtt, RccFeedbackFormat format, guint32 size)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.controller = rcc_registry_find ("tfrc");
  c.limits = (RccConfig) { 0, 0, 2000000000 };
  c.audio = false;
  c.packet_size = size;
  c.source.model = RCC_SOURCE_CONSTANT;
  c.source.fps = bps / 8 / size;
  c.source.min_bps = c.source.max_bps = (guint32) (c.source.fps * 8 * (size - HEADER));
  c.feedback = format;
  c.feedback_interval = rtt;
  c.rtcp_share = 1.0;
  c.queue.scheduled = true;
  c.queue.scheduler.mode = RCC_SBPN_FIFO;
  c.queue.scheduler.max_packets = 8;
  return c;
}

/* Loss events since @from, counted at the link: what is lost within a round trip of an
 * event's first packet is part of it. */
static guint
events_of (const RccFlow *f, RccTime from, RccTime rtt)
{
  RccTime begin = 0;
  guint events = 0;

  g_assert_cmpuint (f->n_losses, <=, RCC_WORLD_LOSSES);
  for (gsize i = 0; i < f->n_losses; i++)
    if (f->losses[i] >= from && (events == 0 || f->losses[i] > begin + rtt)) {
      begin = f->losses[i];
      events++;
    }
  return events;
}

static void
check_throughput (double loss, guint rtt_ms, RccFeedbackFormat format)
{
  const RccTime rtt = rtt_ms * RCC_MSEC, warm = 30 * S + 100 * rtt;
  const RccTcpPath path = { .packet_size = SIZE, .rtt = rtt };
  const double usual = rcc_tcp_throughput (RCC_TCP_PADHYE, &path, loss);
  const double seconds = RCC_MAX (600 * SIZE / (loss * usual), 60.0);
  const RccTime end = warm + (RccTime) (1e9 * seconds);
  const RccFlowConfig c = greedy (8 * 2.0 * usual, rtt, format, SIZE);
  g_autofree gchar *text = g_strdup_printf ("0 both rate unlimited delay %.1f\n"
      "0 fwd loss %.6f\n", rtt_ms / 2.0, loss);
  RccWorld *w = run_text (text, end, 1, &c, 1);
  const RccFlow *f = w->flows[0];
  const guint events = events_of (f, warm, rtt);
  double sent = 0, formula;

  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time > warm)
      sent += 1e-9 * w->grain * RCC_WORLD_BIN * f->samples[i].sent_bps / 8;
  formula = rcc_tcp_throughput (RCC_TCP_PADHYE, &path, events / (sent / SIZE));
  g_test_message ("%-5s %6.1f %5u %9u %8.3f %9.1f %11.3f %11.3f", feedback_name (format),
      100 * loss, rtt_ms, events, 100 * events / (sent / SIZE), 8 * sent / seconds / 1000,
      sent / seconds / formula, sent / seconds / usual);
  g_assert_cmpfloat (sent / seconds / formula, >=, 0.9);
  g_assert_cmpfloat (sent / seconds / formula, <=, 1.1);
  rcc_world_free (w);
}

static void
throughput_is_the_equations (gconstpointer data)
{
  static const double losses[] = { 0.001, 0.003, 0.01, 0.03, 0.1 };
  static const guint rtts[] = { 20, 50, 100, 300 };

  g_test_message ("%-5s %6s %5s %9s %8s %9s %11s %11s", "", "loss %", "R ms", "events",
      "events %", "kbit/s", "/ f(events)", "/ f(loss)");
  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    for (guint k = 0; k < G_N_ELEMENTS (rtts); k++)
      check_throughput (losses[i], rtts[k], (RccFeedbackFormat) GPOINTER_TO_INT (data));
}

static void
two_share (gconstpointer data)
{
  static const guint rtts[] = { 20, 80, 300 };
  const RccFeedbackFormat format = (RccFeedbackFormat) GPOINTER_TO_INT (data);

  for (guint i = 0; i < G_N_ELEMENTS (rtts); i++)
    for (guint later = 0; later <= 20; later += 20) {
      g_autofree gchar *text = g_strdup_printf ("0 both rate 2M delay %u queue 50\n",
          rtts[i] / 2);
      RccFlowConfig c[2] = { greedy (4e6, rtts[i] * RCC_MSEC, format, SIZE),
        greedy (4e6, rtts[i] * RCC_MSEC, format, SIZE) };
      double a, b;
      RccWorld *w;

      c[1].start = 7 * RCC_MSEC + later * S;
      w = run_text (text, 360 * S, 1, c, 2);
      a = rcc_flow_mean_bps (w->flows[0], 60 * S, 360 * S);
      b = rcc_flow_mean_bps (w->flows[1], 60 * S, 360 * S);
      g_test_message ("R %u ms, second after %u s: %.0f and %.0f kbit/s of 2000, ratio %.2f",
          rtts[i], later, a / 1000, b / 1000, MAX (a, b) / MIN (a, b));
      g_assert_cmpfloat (MAX (a, b) / MIN (a, b), <=, 1.5);
      g_assert_cmpfloat (a + b, >=, 0.9 * 2e6);
      rcc_world_free (w);
    }
}

/* The model behind the equation is Reno's: of three flows with packets of one size, over
 * queues of a product of bandwidth and delay, none is to be pushed aside.  Without the
 * Renos' random overhead they would be: in lock-step with the queue, TFRC takes 3.7 of 4
 * Mbit/s at 30 ms (28 times a Reno's), its packets coming as one leaves. */
static void
beside_two_renos (void)
{
  static const guint rates[] = { 600, 1000, 2000, 4000 };
  static const guint rtts[] = { 30, 80, 150 };

  g_test_message ("%8s %5s %6s %9s %9s %9s %12s", "kbit/s", "R ms", "queue", "TFRC", "Reno",
      "Reno", "TFRC / Reno");
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    for (guint k = 0; k < G_N_ELEMENTS (rtts); k++) {
      const guint queue = MAX (rates[i] * rtts[k] / 8 / 519, 10);
      const RccFlowConfig c = greedy (2e3 * rates[i], rtts[k] * RCC_MSEC, RCC_FEEDBACK_CCFB,
          519);
      g_autofree gchar *text = g_strdup_printf ("0 both rate %uk delay %u queue %u\n",
          rates[i], rtts[k] / 2, queue);
      double tfrc, renos[2];
      RccWorld *w = run_tcp (text, 300 * S, 1, &c, 1, 2);

      tfrc = rcc_flow_mean_bps (w->flows[0], 0, 300 * S);
      for (guint r = 0; r < 2; r++)
        renos[r] = (double) w->renos[r]->delivered * 519 * 8 / 300;
      g_test_message ("%8u %5u %6u %9.0f %9.0f %9.0f %12.2f", rates[i], rtts[k], queue,
          tfrc / 1000, renos[0] / 1000, renos[1] / 1000, 2 * tfrc / (renos[0] + renos[1]));
      g_assert_cmpfloat (2 * tfrc / (renos[0] + renos[1]), >=, 1 / 3.0);
      g_assert_cmpfloat (2 * tfrc / (renos[0] + renos[1]), <=, 3.0);
      rcc_world_free (w);
    }
}

/* Congestion that TFRC answers is none of the breaker's business; feedback that ends is:
 * RFC 8083 4.1. */
static void
leaves_the_breaker_its_part (void)
{
  RccFlowConfig c = greedy (2e6, 100 * RCC_MSEC, RCC_FEEDBACK_CCFB, SIZE);
  RccWorld *w;

  c.breaks = true;
  w = run_tcp ("0 both rate 1M delay 50 queue 25\n60 rev loss 100%\n", 100 * S, 1, &c, 1, 2);
  print_events ("TFRC beside two Renos, deaf from 60 s", w->flows[0]);
  g_assert_cmpuint (rcc_flow_triggered (w->flows[0]), >, 60 * S);
  g_assert_cmpuint (rcc_flow_triggered (w->flows[0]), <, 100 * S);
  g_assert_cmpint (w->flows[0]->events[0].reason, ==, RCC_BREAKER_RTCP_TIMEOUT);
  rcc_world_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/tfrc/equation/ccfb", GINT_TO_POINTER (RCC_FEEDBACK_CCFB),
      throughput_is_the_equations);
  g_test_add_data_func ("/tfrc/equation/twcc", GINT_TO_POINTER (RCC_FEEDBACK_TWCC),
      throughput_is_the_equations);
  g_test_add_data_func ("/tfrc/two-share/ccfb", GINT_TO_POINTER (RCC_FEEDBACK_CCFB), two_share);
  g_test_add_data_func ("/tfrc/two-share/twcc", GINT_TO_POINTER (RCC_FEEDBACK_TWCC), two_share);
  g_test_add_func ("/tfrc/beside-two-renos", beside_two_renos);
  g_test_add_func ("/tfrc/breaker", leaves_the_breaker_its_part);
  return g_test_run ();
}
