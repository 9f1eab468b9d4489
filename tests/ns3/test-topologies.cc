/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What each network does to media and TCP, within bounds that would show it broken.
 */
#include <cmath>

#include "runs.h"

namespace {

/* Everything that crosses 1 Mbit/s, with headers, fits into it and fills it. */
void
testBulk ()
{
  for (const char *tcp : { "reno", "cubic" }) {
    const std::string out = run (std::string ("--scenario constant:1M --duration 60 --tcp-bulk 1 "
        "--flow feedback=twcc --tcp ") + tcp);
    const double media = value (out, "run", "media"), cross = value (out, "run", "cross");

    g_assert_cmpfloat (media, >=, 140000);      /* never below the minimum */
    g_assert_cmpfloat (media + cross, >, 800000);
    g_assert_cmpfloat (media + cross, <, 1000000);
    g_assert_cmpfloat (value (out, "run", "queue-p95"), >, 200);
  }
}

/* A call beside one TCP flow, which fills a queue of 100 ms. */
std::string
besideReno ()
{
  return "--scenario " + scenario ("0 both delay 25 queue 100ms\n0 fwd rate 2M\n")
      + " --duration 70 --seed 3 --tcp reno --tcp-bulk 1 --flow feedback=twcc,start=150k";
}

/* After a timeout one segment is in flight, and its acknowledgement is delayed: TCP must not send it
 * again before that.  With a timer shorter than the two it had 50 kbit/s from the 30th second on. */
void
testTimer ()
{
  const std::string out = run (besideReno () + ",tcp-share=0");

  g_assert_cmpfloat (value (out, "run", "cross"), >, 1200000);
}

/* What TCP would have is half; with tcp-share=0 the call has an eighth. */
void
testTcpShare ()
{
  const std::string with = run (besideReno ());
  const double media = value (with, "run", "media"), cross = value (with, "run", "cross");

  g_assert_cmpfloat (media, >, 0.3 * (media + cross));
  g_assert_cmpfloat (media, <, 0.65 * (media + cross));
}

/* Ten of them offer 10 x 40 kB in 10 s and a little: 300 kbit/s at most. */
void
testShort ()
{
  const std::string out = run ("--scenario constant:10M --duration 120 --tcp-short 10 "
      "--flow fixed=500k");
  double pages = 0;

  for (int i = 0; i < 10; i++)
    pages += value (out, "cross=" + std::to_string (i), "pages");
  g_assert_cmpfloat (pages, >, 80);             /* 120 s / 10.5 s each, 10 of them */
  g_assert_cmpfloat (pages, <, 150);
  g_assert_cmpfloat (value (out, "run", "cross"), >, pages * 30000 * 8 / 120);
  g_assert_cmpfloat (value (out, "run", "cross"), <, pages * 52000 * 8 / 120);
  g_assert_cmpfloat (value (out, "cross=0", "page-time"), >, 0.2);      /* 3 round trips */
  g_assert_cmpfloat (value (out, "cross=0", "page-time"), <, 1.0);
}

/* What one TCP flow gets beside GCC depends on the seed: 56 to 529 kbit/s with PIE. */
void
testQueueDiscs ()
{
  const int seeds = 8;

  for (const char *queue : { "codel", "pie", "fqcodel" }) {
    double cross = 0;

    for (int seed = 1; seed <= seeds; seed++) {
      const std::string out = run (std::string ("--scenario constant:1M --duration 40 "
          "--tcp-bulk 1 --flow feedback=twcc --queue ") + queue + " --seed "
          + std::to_string (seed));

      g_assert_cmpfloat (value (out, "run", "queue-p50"), <, 60);
      g_assert_cmpfloat (value (out, "run", "dropped"), >, 0);
      cross += value (out, "run", "cross") / seeds;
    }
    g_test_message ("%s: TCP has %.0f kbit/s of 1000", queue, cross / 1e3);
    g_assert_cmpfloat (cross, >, 100000);
  }
}

/* FQ-CoDel marks what it would drop of TCP, which has the more. */
void
testEcn ()
{
  const std::string words = "--scenario constant:1M --duration 60 --tcp-bulk 4 --queue fqcodel "
      "--flow fixed=300k";
  const double without = value (run (words), "run", "cross");
  const double with = value (run (words + " --ecn"), "run", "cross");

  g_assert_cmpfloat (with, >, 1.02 * without);
}

/* The number behind "NAME": in what --json prints. */
double
inJson (const std::string &text, const std::string &name)
{
  const size_t at = text.find ('"' + name + "\": ");

  g_assert_true (at != std::string::npos);
  return g_ascii_strtod (text.c_str () + at + name.size () + 4, nullptr);
}

std::string
flowsOf (const std::string &json)
{
  return json.substr (json.find ("\"flows\": [{"));
}

/* RFC 8867 6.2: what CoDel drops of media that is not ECN-capable it marks of media that
 * is, over either queue disc and link, and the marks are read at the far end. */
void
testMediaEcn ()
{
  const std::string words = "--duration 40 --flow feedback=ccfb,fixed=900k,ecn=";
  const std::string codel = scenario ("0 fwd rate 800k delay 20 queue 9000ms aqm codel ecn on\n");

  for (const std::string &queue : { std::string ("codel --ecn --scenario constant:800k"),
      "link --scenario " + codel }) {
    const std::string without = flowsOf (run (words + "off --queue " + queue + " --json"));

    g_assert_cmpfloat (inJson (without, "marked"), ==, 0);
    g_assert_cmpfloat (inJson (without, "lost"), >, 0.005);
    for (const char *ect : { "ect0", "ect1" }) {
      const std::string with = flowsOf (run (words + ect + " --queue " + queue + " --json"));

      g_assert_cmpfloat (inJson (with, "marked"), >, 0.005);
      g_assert_cmpfloat (inJson (with, "lost"), <, 0.1 * inJson (without, "lost"));
    }
  }
}

/* 6.3 of RFC 8867: between two wide bottlenecks the wire is what holds a flow. */
void
testBetween ()
{
  const std::string words = "--topology parking-lot --scenario constant:2M --duration 30 "
      "--flow fixed=1M,path=";

  g_assert_cmpfloat (value (run (words + "all --between 500k"), "flow=0", "bitrate"), <, 500000);
  g_assert_cmpfloat (value (run (words + "all --between 500k"), "flow=0", "bitrate"), >, 450000);
  g_assert_cmpfloat (value (run (words + "all --between 8M"), "flow=0", "lost"), ==, 0);
  g_assert_cmpfloat (value (run (words + "first --between 500k"), "flow=0", "bitrate"), >, 900000);
}

void
testCbr ()
{
  const std::string out = run ("--scenario constant:4M --duration 30 --cbr 2M:10:20 "
      "--flow fixed=300k");

  g_assert_cmpfloat (std::fabs (value (out, "cross=0", "bitrate") - 2e6 / 3 * 1472 / 1500), <,
      20000);
}

/* 5.5 of RFC 8867: flows with access links of their own. */
void
testAccessDelay ()
{
  const std::string out = run ("--scenario constant:4M --duration 10 --flow fixed=300k "
      "--flow fixed=300k,delay=100 --flow fixed=300k,direction=rev,delay=40");

  g_assert_cmpfloat (std::fabs (value (out, "flow=1", "delay-p50")
      - value (out, "flow=0", "delay-p50") - 100), <, 5);
  g_assert_cmpfloat (std::fabs (value (out, "flow=2", "delay-p50") - 90), <, 5);
}

/* Over the project's link inside ns-3 the world is what it is over that link. */
void
testTraceLink ()
{
  const std::string out = run ("--scenario outage --queue link --duration 60 --flow fixed=1M");
  char why[RCC_SCENARIO_ERROR];
  RccWorld *w = rcc_world_new ("outage", 60 * RCC_SEC, 1, why);
  const sim::Options o = options ("--flow fixed=1M");
  RccFlow *f = rcc_world_add_flow (w, &o.flows[0].config, why);

  rcc_world_run (w);
  g_assert_cmpfloat (std::fabs (value (out, "flow=0", "delay-p50")
      - rcc_flow_delay (f, 50, 0, RCC_NEVER)), <, 2);
  g_assert_cmpfloat (std::fabs (value (out, "flow=0", "delay-p95")
      - rcc_flow_delay (f, 95, 0, RCC_NEVER)), <, 2);
  rcc_world_free (w);
}

} // namespace

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ns3/topologies/bulk", testBulk);
  g_test_add_func ("/ns3/topologies/timer", testTimer);
  g_test_add_func ("/ns3/topologies/tcp-share", testTcpShare);
  g_test_add_func ("/ns3/topologies/short", testShort);
  g_test_add_func ("/ns3/topologies/queue-discs", testQueueDiscs);
  g_test_add_func ("/ns3/topologies/ecn", testEcn);
  g_test_add_func ("/ns3/topologies/media-ecn", testMediaEcn);
  g_test_add_func ("/ns3/topologies/between", testBetween);
  g_test_add_func ("/ns3/topologies/cbr", testCbr);
  g_test_add_func ("/ns3/topologies/access-delay", testAccessDelay);
  g_test_add_func ("/ns3/topologies/trace-link", testTraceLink);
  return g_test_run ();
}
