/* SPDX-License-Identifier: GPL-2.0-only
 *
 * The same scenario and flow over ns-3's own link and over the project's, without TCP.
 */
#include <cmath>

#include "runs.h"

namespace {

constexpr double SHARE = 0.02;                  /* that the two may differ by */

struct Figures {
  double delay, lost, unsent, bps;
};

/* rccns3's words for the flow, as the world takes them. */
Figures
overLink (const std::string &name, const std::string &words, RccTime duration)
{
  char why[RCC_SCENARIO_ERROR];
  RccWorld *w = rcc_world_new (name.c_str (), duration, 1, why);
  const sim::Options o = options ("--flow " + words);
  RccFlow *f;
  Figures figures = { 0, 0, 0, 0 };

  g_assert_nonnull (w);
  f = rcc_world_add_flow (w, &o.flows[0].config, why);
  g_assert_nonnull (f);
  rcc_world_run (w);
  for (size_t i = 0; i < f->n_delays; i++)
    figures.delay += f->delays[i] / static_cast<double> (f->n_delays);
  const RccLosses media = rcc_flow_media (f, 0, RCC_NEVER);
  figures.lost = rcc_losses_lost (&media);
  figures.unsent = rcc_losses_unsent (&media);
  figures.bps = rcc_flow_mean_bps (f, 0, duration);
  rcc_world_free (w);
  return figures;
}

void
near (const char *what, double a, double b, double share)
{
  g_test_message ("%s: ns-3 %.4f, link %.4f (%+.2f %%)", what, a, b,
      b != 0 ? 100 * (a / b - 1) : 0.0);
  g_assert_cmpfloat (std::fabs (a - b), <=, share * std::fabs (b));
}

void
compare (const std::string &name, const std::string &flow, unsigned duration)
{
  const std::string out = run ("--scenario " + name + " --duration " + std::to_string (duration)
      + " --flow " + flow);
  const Figures link = overLink (name, flow, duration * RCC_SEC);

  near ("mean delay, ms", value (out, "flow=0", "delay-mean"), link.delay, SHARE);
  near ("unsent", value (out, "flow=0", "unsent"), link.unsent, SHARE);
  near ("lost", value (out, "flow=0", "lost"), link.lost, SHARE);
  near ("bit/s", value (out, "flow=0", "bitrate"), link.bps, SHARE);
}

void
testFits ()
{
  compare ("constant:1M", "fixed=900k,audio=0,source=constant", 60);
  compare ("constant:1M", "fixed=900k", 60);
}

void
testOverload ()
{
  const std::string name = scenario ("0 both delay 50 queue 50\n0 fwd rate 1M\n");

  compare (name, "fixed=900k,audio=0,source=constant", 60);
  compare (name, "fixed=1500k,audio=0,source=constant", 60);
  compare (name, "fixed=1500k", 60);
}

void
testSchedule ()
{
  const std::string name = scenario ("0 both delay 50 queue 50\n0 fwd rate 2M\n"
      "10 fwd rate 500k delay 80\n20 fwd rate 1M delay 20\n25 fwd queue 5\n");

  compare (name, "fixed=900k,audio=0,source=constant", 40);
}

/* Lateness is the world's.  A nanosecond decides which wake-up takes a packet along, so that
 * random lateness is the same on average only. */
void
testLate ()
{
  const std::string flow = "fixed=900k,audio=0,source=constant";

  compare ("constant:1M", flow + ",late=10ms", 60);
  compare ("constant:1M", flow + ",late=exp:10ms,clump=5ms", 300);
  compare ("constant:10M", flow + ",late=exp:10ms,stall=300ms/5s,clump=5ms", 300);
}

/* Random loss comes before the queue in one and after it in the other, from different
 * draws: the rate is what they share. */
void
testRandomLoss ()
{
  const std::string name = scenario ("0 both delay 50\n0 fwd rate 2M loss 5%\n");
  const std::string flow = "fixed=900k,audio=0,source=constant";
  const std::string out = run ("--duration 300 --scenario " + name + " --flow " + flow);
  const Figures link = overLink (name, flow, 300 * RCC_SEC);

  near ("unsent", value (out, "flow=0", "unsent"), link.unsent, SHARE);
  near ("lost", value (out, "flow=0", "lost"), 0.05, 0.05);
  near ("mean delay, ms", value (out, "flow=0", "delay-mean"), link.delay, SHARE);
}

/* The controller reacts to every microsecond: its means are compared, not its path. */
void
testGcc ()
{
  const std::string out = run ("--scenario rfc8867-5.1 --duration 100");
  const Figures link = overLink ("rfc8867-5.1", "cc=gcc", 100 * RCC_SEC);

  near ("bit/s", value (out, "flow=0", "bitrate"), link.bps, 0.05);
  g_assert_cmpfloat (std::fabs (value (out, "flow=0", "delay-mean") - link.delay), <, 10);
}

} // namespace

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ns3/cross-check/fits", testFits);
  g_test_add_func ("/ns3/cross-check/overload", testOverload);
  g_test_add_func ("/ns3/cross-check/schedule", testSchedule);
  g_test_add_func ("/ns3/cross-check/late", testLate);
  g_test_add_func ("/ns3/cross-check/random-loss", testRandomLoss);
  g_test_add_func ("/ns3/cross-check/gcc", testGcc);
  return g_test_run ();
}
