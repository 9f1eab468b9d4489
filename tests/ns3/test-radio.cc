/* SPDX-License-Identifier: GPL-2.0-only
 *
 * LTE, Wi-Fi and two bottlenecks, in runs as short as they can be.
 */
#include <cmath>

#include <ns3/mobility-module.h>

#include "runs.h"
#include "shadow.h"

namespace {

constexpr double RTP = 1500000;                 /* what each of these flows sends */
const char *const FLOW = "fixed=1500k,audio=0,from=1";

std::string
lte (const std::string &words, unsigned phones, double duration)
{
  return run ("--topology lte --amc piro " + words + " --duration " + std::to_string (duration)
      + " --flow " + FLOW + ",count=" + std::to_string (phones));
}

/* One phone near the only eNB has all it asks for, in a few ms more than the wire. */
void
testLteAlone ()
{
  const std::string out = lte ("--wired-delay 30", 1, 5);

  g_assert_cmpfloat (value (out, "flow=0", "lost"), ==, 0);
  g_assert_cmpfloat (value (out, "flow=0", "delay-p50"), >, 30);
  g_assert_cmpfloat (value (out, "flow=0", "delay-p99"), <, 50);
  g_assert_cmpfloat (value (out, "flow=0", "bitrate"), >, 0.95 * RTP);
}

/* So many phones at once ended the program in most runs. */
void
testLteManyPhones ()
{
  for (const unsigned phones : { 28, 31, 34, 69 })
    for (int seed = 1; seed <= 2; seed++)
      g_assert_cmpfloat (value (lte ("--seed " + std::to_string (seed), phones, 0.95), "run",
              "dropped"), >=, 0);
}

/* 12 Mbit/s into 6 resource blocks: what does not leave in time is gone, and no packet
 * comes much later than the timer allows. */
void
testLteDiscard ()
{
  for (const double limit : { 0.3, 0.6 }) {
    const std::string out = lte ("--resource-blocks 6 --discard " + std::to_string (limit), 8, 4);
    const double most = 1000 * limit + 60;      /* the wire, its steps and one packet's time */

    for (int i = 0; i < 8; i++)
      g_assert_cmpfloat (value (out, "flow=" + std::to_string (i), "delay-p99"), <, most);
    g_assert_cmpfloat (value (out, "flow=0", "delay-p99"), >, 1000 * limit - 100);
    g_assert_cmpfloat (value (out, "run", "dropped"), >, 500);
    g_assert_cmpfloat (value (out, "run", "media"), <, 0.6 * 8 * RTP);
  }
}

/* A wider cell has phones that get less, by a fifth at least, and so has interference. */
void
testLteCoverage ()
{
  const char *const ways[] = { "", " --site-distance 3000",
    " --site-distance 3000 --interference 25" };
  double before = 0;

  for (const char *way : ways) {
    const std::string out = lte (std::string ("--resource-blocks 6") + way, 3, 4);

    if (before > 0)
      g_assert_cmpfloat (value (out, "run", "media"), <, 0.8 * before);
    before = value (out, "run", "media");
  }
}

/* A standard deviation of 8 dB, a correlation of 0.5 between two sites, and the same loss
 * in both directions; over 2000 phones the figures are within 5 standard errors. */
void
testShadow ()
{
  ns3::NodeContainer sites (2), phones (2000);
  ns3::Ptr<sim::Shadow> shadow = ns3::CreateObject<sim::Shadow> ();
  ns3::Ptr<ns3::MobilityModel> ends[2];
  double sum = 0, squares = 0, products = 0;

  shadow->cast (sites, phones, 8, 1);
  for (uint32_t i = 0; i < phones.GetN (); i++) {
    sum += shadow->loss (0, i);
    squares += shadow->loss (0, i) * shadow->loss (0, i);
    products += shadow->loss (0, i) * shadow->loss (1, i);
  }
  g_assert_cmpfloat (std::fabs (sum / 2000), <, 0.9);
  g_assert_cmpfloat (std::fabs (std::sqrt (squares / 2000) - 8), <, 0.64);
  g_assert_cmpfloat (std::fabs (products / squares - 0.5), <, 0.12);
  for (int i = 0; i < 2; i++) {
    ends[i] = ns3::CreateObject<ns3::ConstantPositionMobilityModel> ();
    (i == 0 ? sites.Get (1) : phones.Get (7))->AggregateObject (ends[i]);
  }
  g_assert_cmpfloat (shadow->CalcRxPower (-50, ends[0], ends[1]), ==, -50 - shadow->loss (1, 7));
  g_assert_cmpfloat (shadow->CalcRxPower (-50, ends[1], ends[0]), ==, -50 - shadow->loss (1, 7));
}

/* Without it the queue goes on growing. */
void
testLteNoDiscard ()
{
  const std::string out = lte ("--resource-blocks 6 --discard 0", 8, 4);

  g_assert_cmpfloat (value (out, "flow=0", "delay-p99"), >, 1000);
}

void
testLteCells ()
{
  const std::string out = lte ("--cells 7", 7, 3);

  for (int i = 0; i < 7; i++)
    g_assert_cmpfloat (value (out, "flow=" + std::to_string (i), "packets"), >, 250);
  g_assert_cmpfloat (value (out, "run", "media"), >, 0.5 * 7 * RTP * 2 / 3);
}

/* Poisson: of a mean of 69 calls in 23 s, 35 to 105 come; no two on one phone at a time.
 * What began before the first second ended is the shorter, and one of five. */
void
testCalls ()
{
  const sim::Options o = options ("--topology lte --calls 3:4 --duration 20 --flow fixed=1M");

  unsigned early = 0;

  g_assert_cmpuint (o.flows.size (), >, 35);
  g_assert_cmpuint (o.flows.size (), <, 105);
  for (const auto &a : o.flows) {
    g_assert_cmpuint (a.config.start, >=, RCC_SEC);
    g_assert_cmpuint (a.config.stop - a.config.start, <=, 4 * RCC_SEC);
    if (a.config.stop - a.config.start < 4 * RCC_SEC) {
      g_assert_cmpuint (a.config.stop, <, 5 * RCC_SEC);
      early++;
    }
    for (const auto &b : o.flows)
      if (&a != &b && a.user == b.user)
        g_assert_true (a.config.start >= b.config.stop || b.config.start >= a.config.stop);
  }
  g_assert_cmpuint (early, >=, 4);
  g_assert_cmpuint (early, <=, 24);
  g_assert_false (complaint ("--calls often").empty ());
  g_assert_false (complaint ("--calls 0.001 --duration 2").empty ());
}

/* Five streams have room on the air; five uploads beside them take it away. */
void
testWifi ()
{
  const std::string words = std::string ("--topology wifi --duration 6 --flow ") + FLOW
      + ",count=5";
  const std::string alone = run (words);
  const std::string contended = run (words + " --tcp-up 5 --tcp cubic");

  g_assert_cmpfloat (value (alone, "flow=0", "lost"), <, 0.02);
  g_assert_cmpfloat (value (alone, "flow=0", "delay-p50"), <, 16);
  g_assert_cmpfloat (value (contended, "flow=0", "delay-p50"), >,
      1.3 * value (alone, "flow=0", "delay-p50"));
  g_assert_cmpfloat (value (contended, "run", "cross"), >, 10e6);
  g_assert_cmpfloat (value (contended, "run", "cross"), <, 65e6);
}

/* The wire behind the access point is what a scenario says, each way: a stream of 1.5 Mbit/s
 * up finds 1 Mbit/s and 300 ms of queue, one down has the 2 Mbit/s it needs. */
void
testWifiWire ()
{
  const std::string wire = scenario ("0 both delay 50 queue 300ms\n0 rev rate 1M\n"
      "0 fwd rate 2M\n");
  const std::string out = run ("--topology wifi --mcs 11 --duration 6 --scenario " + wire
      + " --flow " + FLOW + " --flow " + FLOW + ",direction=rev");

  g_assert_cmpfloat (value (out, "flow=0", "lost"), ==, 0);
  g_assert_cmpfloat (value (out, "flow=0", "delay-p50"), >, 50);
  g_assert_cmpfloat (value (out, "flow=0", "delay-p99"), <, 120);
  g_assert_cmpfloat (value (out, "flow=1", "bitrate"), <, 1000000);
  g_assert_cmpfloat (value (out, "flow=1", "bitrate"), >, 900000);
  g_assert_cmpfloat (value (out, "flow=1", "lost"), >, 0.2);
  g_assert_cmpfloat (value (out, "flow=1", "delay-p99"), >, 300);
  g_assert_cmpfloat (value (out, "flow=1", "delay-p99"), <, 420);
}

/* MCS 0 of 802.11n is 6.5 Mbit/s, MCS 11 52: what uploads get is below, not far. */
void
testWifiRate ()
{
  const std::string words = "--topology wifi --duration 5 --flow count=0 --tcp-up 1 --mcs ";
  const double slow = value (run (words + "0"), "run", "cross");
  const double fast = value (run (words + "11"), "run", "cross");

  g_assert_cmpfloat (slow, >, 2.5e6);
  g_assert_cmpfloat (slow, <, 6.5e6);
  g_assert_cmpfloat (fast, >, 15e6);
  g_assert_cmpfloat (fast, <, 52e6);
}

/* 1 Mbit/s of packets of 1500 bytes from a station for 2 of 4 s; TCP of which half is cut off
 * has less. */
void
testWifiSchedules ()
{
  const std::string words = "--topology wifi --mcs 0 --duration 4 --flow count=0 ";
  const std::string cbr = run (words + "--cbr-up 1M:1:3");
  const double whole = value (run (words + "--tcp-up 1"), "cross=0", "bitrate");
  const double half = value (run (words + "--tcp-up 1 --tcp-stop 2"), "cross=0", "bitrate");

  g_assert_true (cbr.find ("kind=cbr-up") != std::string::npos);
  g_assert_cmpfloat (value (cbr, "cross=0", "bitrate"), >, 0.45e6);
  g_assert_cmpfloat (value (cbr, "cross=0", "bitrate"), <, 0.5e6);
  g_assert_cmpfloat (half, >, 0.1 * whole);
  g_assert_cmpfloat (half, <, 0.6 * whole);
}

/* Further from the eNB, a phone of many has less. */
void
testLteSites ()
{
  const double near = value (lte ("--resource-blocks 6 --site-distance 500", 3, 4), "run", "media");
  const double far = value (lte ("--resource-blocks 6 --site-distance 6000", 3, 4), "run", "media");

  g_assert_cmpfloat (far, <, 0.8 * near);
}

/* 6.3 of RFC 8867 in its capacities: the long path is bound by the narrower link, and
 * each of the others only by its own. */
void
testParkingLot ()
{
  const std::string words = "--topology parking-lot --scenario constant:2M "
      "--scenario2 constant:1500k --duration 20 ";
  const std::string one = run (words + "--flow fixed=1800k,audio=0 --flow path=first,fixed=100k");
  const std::string all = run (words + "--flow fixed=600k,audio=0 "
      "--flow path=first,fixed=600k,audio=0 --flow path=second,fixed=600k,audio=0");

  g_assert_cmpfloat (value (one, "flow=0", "bitrate"), <, 1500000);
  g_assert_cmpfloat (value (one, "flow=0", "bitrate"), >, 1400000);
  g_assert_cmpfloat (value (one, "flow=1", "lost"), ==, 0);
  g_assert_cmpfloat (value (all, "run", "dropped"), ==, 0);
  g_assert_cmpfloat (value (all, "flow=0", "delay-p50"), >,
      value (all, "flow=1", "delay-p50") + 50);
  g_assert_cmpfloat (std::fabs (value (all, "flow=2", "delay-p50")
      - value (all, "flow=1", "delay-p50")), <, 10);
}

void
testSentences ()
{
  g_assert_true (complaint ("--topology lte --scenario constant:1M").find ("has no --scenario")
      != std::string::npos);
  g_assert_true (complaint ("--topology wifi --scenario constant:1M --wired-delay 5").find (
      "--wired-delay has no use") != std::string::npos);
  g_assert_true (complaint ("--topology wifi --scenario2 constant:1M").find ("--scenario2")
      != std::string::npos);
  g_assert_true (complaint ("--topology wifi --mcs 32").find ("--mcs is") != std::string::npos);
  g_assert_true (complaint ("--topology lte --site-distance 1").find ("--site-distance is")
      != std::string::npos);
  g_assert_true (complaint ("--tcp-start 5 --tcp-stop 5").find ("--tcp-stop is")
      != std::string::npos);
  g_assert_true (complaint ("--cbr-up often").find ("--cbr-up wants") != std::string::npos);
  g_assert_true (complaint ("--topology lte --resource-blocks 7").find ("--resource-blocks is")
      != std::string::npos);
  g_assert_true (complaint ("--topology lte --cells 3").find ("--cells is 1 or 7")
      != std::string::npos);
  g_assert_true (complaint ("--topology lte --site-distance 1").find ("--site-distance is")
      != std::string::npos);
  g_assert_true (complaint ("--topology lte --shadowing 99").find ("--shadowing is")
      != std::string::npos);
  g_assert_true (complaint ("--topology lte --interference -1").find ("--interference is")
      != std::string::npos);
  for (const char *size : { "100", "1473", "large" })
    g_assert_true (complaint (std::string ("--flow packet-size=") + size).find ("packet-size")
        != std::string::npos);
  g_assert_true (complaint ("--topology parking-lot --scenario2 none").find ("'none'")
      != std::string::npos);
  g_assert_true (complaint ("--topology parking-lot --flow path=third").find ("path")
      != std::string::npos);
}

} // namespace

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ns3/lte/alone", testLteAlone);
  g_test_add_func ("/ns3/lte/many-phones", testLteManyPhones);
  g_test_add_func ("/ns3/lte/discard", testLteDiscard);
  g_test_add_func ("/ns3/lte/no-discard", testLteNoDiscard);
  g_test_add_func ("/ns3/lte/coverage", testLteCoverage);
  g_test_add_func ("/ns3/lte/shadow", testShadow);
  g_test_add_func ("/ns3/lte/cells", testLteCells);
  g_test_add_func ("/ns3/calls", testCalls);
  g_test_add_func ("/ns3/wifi", testWifi);
  g_test_add_func ("/ns3/wifi/wire", testWifiWire);
  g_test_add_func ("/ns3/wifi/rate", testWifiRate);
  g_test_add_func ("/ns3/wifi/schedules", testWifiSchedules);
  g_test_add_func ("/ns3/lte/sites", testLteSites);
  g_test_add_func ("/ns3/parking-lot", testParkingLot);
  g_test_add_func ("/ns3/radio/sentences", testSentences);
  return g_test_run ();
}
