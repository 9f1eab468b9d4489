/* SPDX-License-Identifier: GPL-2.0-only
 *
 * What the command line takes, what it says where it does not, and that a run is a
 * function of it.
 */
#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

#include "runs.h"

namespace {

const char *const FILES[] = { "flow-0.csv", "flow-1.csv", "tcp.csv", "queue.csv", "packets.csv",
  "summary.txt" };

std::string
everything (const std::string &words)
{
  const std::string place = folder ();
  std::string all;

  run (words + " --packets --output " + place);
  for (const char *name : FILES)
    all += contents (place, name);
  return all;
}

void
testDeterminism ()
{
  const std::string words = "--scenario constant:1M --duration 15 --tcp-short 5 --tcp-bulk 1 "
      "--flow feedback=twcc --flow from=3,cc=tfrc,feedback=ccfb --queue fqcodel";
  const std::string once = everything (words + " --seed 1");

  g_assert_cmpuint (once.size (), >, 50000);
  g_assert_true (once == everything (words + " --seed 1"));
  g_assert_true (once != everything (words + " --seed 2"));
}

void
testSentences ()
{
  static const struct {
    const char *words, *part;
  } bad[] = {
    { "--topology ring", "--topology is" },
    { "--queue red", "--queue is" },
    { "--tcp bbr", "--tcp is" },
    { "--scenario nowhere", "cannot open the scenario 'nowhere'" },
    { "--scenario outage", "run it with --queue link" },
    { "--flow cc=magic", "there is no controller \"magic\", but gcc, gcc-paper, rrtcc" },
    { "--flow fixed=-3", "a flow's fixed cannot be" },
    { "--flow wings=2", "a flow has no option \"wings\"" },
    { "--flow gcc", "NAME=VALUE" },
    { "--between fast", "--between wants a rate" },
    { "--flow ecn=ce", "a flow's ecn cannot be \"ce\"" },
    { "--flow pause=60-40", "a flow's pause cannot be \"60-40\"" },
    { "--flow pause=5", "a flow's pause cannot be \"5\"" },
    { "--flow min=2M,max=1M", "min, start and max are in that order" },
    { "--late soon", "--late cannot be \"soon\": it is off, or a time" },
    { "--stall 5s/100ms", "--stall cannot be \"5s/100ms\"" },
    { "--clump 5", "--clump cannot be \"5\"" },
    { "--flow late-receiver=exp", "a flow's late-receiver cannot be \"exp\"" },
    { "--flow count=1e9", "a flow's count cannot be" },
    { "--flow source=trace:/nonexistent", "/nonexistent" },
    { "--cbr fast", "--cbr wants" },
    { "--tcp-page 5", "--tcp-page wants" },
    { "--tcp-short -1", "0 to 1000 TCP flows" },
    { "--duration 0", "--duration is above 0" },
    { "--seed -1", "--seed is 0 or more" },
    { "--packets", "--packets needs --output" },
    { "--output /proc/none/such", "cannot make the folder" },
    { "surplus", "\"surplus\" belongs to no option" },
    { "--wings", "--wings" },
  };

  for (const auto &b : bad) {
    const std::string said = complaint (b.words);

    g_test_message ("%s: %s", b.words, said.c_str ());
    g_assert_true (said.find (b.part) != std::string::npos);
    g_assert_true (said.find ('\n') == std::string::npos);
  }
}

/* A flow's own words outrank those for all, and the summary says what it was. */
void
testClock ()
{
  const std::string words = "--scenario constant:1M --duration 5 --late exp:10ms --stall 100ms/5s";
  const std::string once = run (words);

  g_assert_true (once == run (words));
  g_assert_true (once.find ("\nclock: late exp 10 ms, stall 100 ms every 5 s\n")
      != std::string::npos);
  g_assert_true (run ("--duration 2").find ("\nclock: punctual\n") != std::string::npos);
  g_assert_true (run (words + " --flow late=off,stall=off").find ("\nclock: punctual\n")
      != std::string::npos);
  g_assert_true (run (words + " --flow stall=off,profile=paper --flow late-sender=off").find (
          "\nclock of flow 0: late exp 10 ms\nclock of flow 1: sender stall 100 ms every 5 s; "
          "receiver late exp 10 ms, stall 100 ms every 5 s\n") != std::string::npos);
}

/* Where the disk is full there is no summary, nor a file that looks whole. */
void
testFullDisk ()
{
  const std::string place = folder ();
  std::string said;

  if (access ("/dev/full", W_OK) != 0) {
    g_test_skip ("there is no /dev/full");
    return;
  }
  run ("--duration 2 --output " + place);
  g_assert_cmpint (unlink ((place + "/flow-0.csv").c_str ()), ==, 0);
  g_assert_cmpint (symlink ("/dev/full", (place + "/flow-0.csv.part").c_str ()), ==, 0);
  said = complaint ("--duration 20 --output " + place);
  g_assert_true (said.find ("flow-0.csv: No space left on device") != std::string::npos);
  g_assert_cmpint (access ((place + "/summary.txt").c_str (), F_OK), !=, 0);
  g_assert_cmpint (access ((place + "/flow-0.csv").c_str (), F_OK), !=, 0);
  g_assert_cmpint (access ((place + "/flow-0.csv.part").c_str (), F_OK), !=, 0);
}

/* An error in the middle of the set-up leaves nothing of ns-3 behind. */
void
testAfterError ()
{
  const std::string words = "--scenario constant:1M --duration 5";
  const std::string before = run (words);

  g_assert_false (complaint ("--scenario outage --duration 5").empty ());
  g_assert_true (run (words) == before);
}

} // namespace

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ns3/program/determinism", testDeterminism);
  g_test_add_func ("/ns3/program/sentences", testSentences);
  g_test_add_func ("/ns3/program/clock", testClock);
  g_test_add_func ("/ns3/program/full-disk", testFullDisk);
  g_test_add_func ("/ns3/program/after-error", testAfterError);
  return g_test_run ();
}
