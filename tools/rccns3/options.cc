/* SPDX-License-Identifier: GPL-2.0-only */
#include "options.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <list>

#include <glib.h>

namespace sim {

namespace {

constexpr unsigned MOST_FLOWS = 1000;
constexpr unsigned MOST_TCP = 1000;

/* As GOption fills it in. */
struct Given {
  gchar *topology = nullptr, *scenario = nullptr, *queue = nullptr, *output = nullptr,
      *tcp = nullptr, *page = nullptr, *scenario2 = nullptr, *amc = nullptr,
      *calls = nullptr, *between = nullptr, *late = nullptr, *stall = nullptr, *clump = nullptr;
  gchar **flows = nullptr, **cbr = nullptr, **cbrUp = nullptr;
  gdouble duration = 100.0, idle = 10.0, tcpStart = 0.0, tcpStop = -1.0, discard = 1.0,
      wired = -1.0, distance = 500, shadowing = 0, interference = 0;
  gint seed = 1, bulk = 0, shorts = 0, shortsOn = 0, connections = 1, segment = 1448,
      cells = 1, blocks = 50, up = 0, mcs = -1;
  gboolean ecn = FALSE, packets = FALSE, benchmark = FALSE, json = FALSE, version = FALSE;

  ~Given ()
  {
    for (gchar *text : { topology, scenario, queue, output, tcp, page, scenario2, amc, calls,
        between, late, stall, clump })
      g_free (text);
    g_strfreev (flows);
    g_strfreev (cbr);
    g_strfreev (cbrUp);
  }
};

const char *const DESCRIPTION =
    "A flow is a list of NAME=VALUE: count=N, delay=MS (one way, of its own access link), "
    "path=all|first|second (parking-lot), and what a flow of the world has:\n"
    "  profile=default|paper|sbpn, cc=gcc|tfrc|none|..., fixed=RATE, "
    "feedback=remb|tmmbr|ccfb|twcc,\n"
    "  ecn=off|ect0|ect1, filter=kalman|kalman2|trendline, grouping=none|paper|draft,\n"
    "  thresholds=draft|webrtc, scheduler=fifo|sbpn1|sbpn2|sbpn3|weighted,\n"
    "  sbpn-one-way-delay=measured|half-rtt, source=statistical|constant|ekiga|trace:FOLDER,\n"
    "  breaker=off|mathis|padhye, breaker-mode=rfc8083|draft2014, min=, start=, max=RATE,\n"
    "  from=S, to=S, pause=FROM-TO (s), direction=fwd|rev, audio=0|1, real-rtcp=0|1, fps=N,\n"
    "  rtcp-interval=S, packet-size=BYTES (of the largest RTP packet),\n"
    "  late=off|TIME|exp:TIME, stall=off|TIME/PERIOD, clump=off|TIME, as --late, --stall and\n"
    "  --clump, which they outrank; late-sender= and so on: one end of the flow,\n"
    "  stamp=socket|read: when a late receiver takes a packet to have arrived,\n"
    "  and each constant that rccsim --settings lists.\n"
    "Without --flow there is one with the default profile.  On lte and wifi a flow had better\n"
    "start from=1, when phones and stations are attached.\n\n"
    "What is written to --output: flow-N.csv (every 200 ms, the columns of rccsim), tcp.csv,\n"
    "queue.csv, packets.csv (--packets) and, last, summary.txt, the lines also printed here.\n\n"
    "Example:\n"
    "  rccns3 --scenario constant:1M --duration 60 --flow cc=gcc,feedback=ccfb --tcp-short 10";

bool
oneOf (const std::string &value, std::initializer_list<const char *> names)
{
  return std::any_of (names.begin (), names.end (),
      [&] (const char *name) { return value == name; });
}

void
want (bool good, const std::string &sentence)
{
  if (!good)
    throw Error (sentence);
}

double
numberOf (const std::string &name, const std::string &value, double most)
{
  char *end;
  const double number = g_ascii_strtod (value.c_str (), &end);

  want (end != value.c_str () && !*end && number >= 0 && number <= most,
      "a flow's " + name + " cannot be \"" + value + "\": it is a number from 0 to "
      + std::to_string (static_cast<long> (most)) + ".");
  return number;
}

/* What every flow has unless it says otherwise. */
void
setClock (const Given &given, RccFlowConfig &config)
{
  const std::pair<const char *, const gchar *> faults[] = { { "late", given.late },
    { "stall", given.stall }, { "clump", given.clump } };

  for (const auto &[name, value] : faults)
    want (!value || rcc_clock_set (config.clock, name, value), std::string ("--") + name
        + " cannot be \"" + (value ? value : "") + "\": it is " + rcc_clock_takes (name) + ".");
}

/* One --flow: so many of the same. */
void
addFlow (const std::string &text, const Given &given, std::vector<FlowOptions> &flows)
{
  static std::list<std::string> kept;   /* folders that configurations point to */
  char why[RCC_SCENARIO_ERROR];
  gchar **words = g_strsplit (text.c_str (), ",", -1);
  std::vector<std::string> list (words, words + g_strv_length (words));
  unsigned count = 1;
  FlowOptions flow;

  g_strfreev (words);
  flow.config = rcc_flow_config (RCC_GCC_DEFAULT);
  setClock (given, flow.config);
  for (const std::string &word : list) {
    const size_t at = word.find ('=');
    const std::string name = word.substr (0, at);

    want (at != std::string::npos || word.empty (), "--flow wants NAME=VALUE,NAME=VALUE, not \""
        + word + "\"; see --help");
    if (word.empty ())
      continue;
    kept.push_back (word.substr (at + 1));
    if (name == "count")
      count = static_cast<unsigned> (numberOf (name, kept.back (), MOST_FLOWS));
    else if (name == "delay")
      flow.delay = static_cast<RccTime> (numberOf (name, kept.back (), 1e6) * 1e6);
    else if (name == "path" && oneOf (kept.back (), { "all", "first", "second" }))
      flow.path = kept.back ();
    else if (!rcc_flow_option (&flow.config, name.c_str (), kept.back ().c_str (), why,
            sizeof why))
      throw Error (why);
  }
  want (flow.config.limits.min_bps <= flow.config.limits.start_bps
      && flow.config.limits.start_bps <= flow.config.limits.max_bps,
      "a flow's min, start and max are in that order: --flow " + text + " is not.");
  flows.insert (flows.end (), count, flow);
  want (flows.size () <= MOST_FLOWS, "there can be 1000 flows at most.");
}

/* RATE[:START[:STOP]] */
CbrOptions
parseCbr (const char *text, bool up)
{
  gchar **words = g_strsplit (text, ":", 3);
  const std::vector<std::string> list (words, words + g_strv_length (words));
  CbrOptions cbr;

  g_strfreev (words);
  cbr.up = up;
  want (!list.empty () && rcc_rate_parse (list[0].c_str (), &cbr.bps) && cbr.bps > 0,
      std::string (up ? "--cbr-up" : "--cbr") + " wants RATE or RATE:START:STOP, such as "
      "500k:10:60, not \"" + text + "\".");
  if (list.size () > 1)
    cbr.start = static_cast<RccTime> (numberOf ("--cbr start", list[1], 1e6) * 1e9);
  if (list.size () > 2)
    cbr.stop = static_cast<RccTime> (numberOf ("--cbr stop", list[2], 1e6) * 1e9);
  return cbr;
}

void
parsePage (const char *text, TcpOptions &tcp)
{
  int used = 0;

  want (sscanf (text, "%u-%u%n", &tcp.pageMin, &tcp.pageMax, &used) == 2 && !text[used]
      && tcp.pageMin > 0 && tcp.pageMin <= tcp.pageMax && tcp.pageMax <= 1000000000,
      std::string ("--tcp-page wants MIN-MAX in bytes, such as 30000-50000, not \"") + text
      + "\".");
}

bool
hasScenario (const Options &o)
{
  return oneOf (o.topology, { "dumbbell", "parking-lot" });
}

/* Poisson arrivals. Some calls are under way when the first second ends, in which phones attach.
 * So the load is there from the start. Those begin within another second, as frames at one time
 * would be one burst. Each call has the first user that is free. */
void
makeCalls (const char *text, Options &o)
{
  const FlowOptions one = o.flows[0];
  std::vector<RccTime> until;           /* that each user is busy */
  double rate = 0, length = 30, at;
  int used = 0;
  RccRng rng;

  want ((sscanf (text, "%lf%n:%lf%n", &rate, &used, &length, &used) >= 1) && !text[used]
      && rate > 0 && rate <= 100 && length > 0 && length <= 100000,
      std::string ("--calls wants RATE or RATE:SECONDS, such as 0.5:30, not \"") + text + "\".");
  want (o.flows.size () == 1, "--calls takes one --flow, which all calls are like.");
  o.flows.clear ();
  rcc_rng_init (&rng, o.seed, 0xca11);
  at = 1 - length;
  while ((at += rcc_rng_exponential (&rng, 1 / rate)) < o.duration) {
    FlowOptions call = one;
    const double start = at < 1 ? 1 + rcc_rng_uniform (&rng) : at;

    if (start >= at + length)
      continue;
    call.config.start = static_cast<RccTime> (start * 1e9);
    call.config.stop = static_cast<RccTime> (at * 1e9) + static_cast<RccTime> (length * 1e9);
    while (call.user < until.size () && until[call.user] > call.config.start)
      call.user++;
    until.resize (std::max<size_t> (until.size (), call.user + 1));
    until[call.user] = call.config.stop + RCC_SEC;
    o.flows.push_back (call);
  }
  want (!o.flows.empty () && o.flows.size () <= MOST_FLOWS,
      "--calls makes " + std::to_string (o.flows.size ()) + " calls in that time: 1 to 1000 it "
      "has to be.");
}

void
take (const Given &given, Options &o)
{
  o.topology = given.topology ? given.topology : "dumbbell";
  o.scenario = given.scenario ? given.scenario
      : hasScenario (o) ? "rfc8867-5.1" : "constant:unlimited";
  o.queue = given.queue ? given.queue : "droptail";
  o.output = given.output ? given.output : "";
  o.tcp.variant = given.tcp ? given.tcp : "reno";
  o.duration = given.duration;
  o.seed = static_cast<uint64_t> (given.seed);
  o.ecn = given.ecn;
  o.packets = given.packets;
  o.json = given.json;
  o.version = given.version;
  o.benchmark = given.benchmark;
  o.tcp.bulk = static_cast<unsigned> (given.bulk);
  o.tcp.shorts = static_cast<unsigned> (given.shorts);
  o.tcp.shortsOn = static_cast<unsigned> (given.shortsOn);
  o.tcp.connections = static_cast<unsigned> (given.connections);
  o.tcp.segment = static_cast<uint32_t> (given.segment);
  o.tcp.idle = given.idle;
  o.tcp.start = static_cast<RccTime> (given.tcpStart * 1e9);
  if (given.tcpStop >= 0)
    o.tcp.stop = static_cast<RccTime> (given.tcpStop * 1e9);
  o.cells = static_cast<unsigned> (given.cells);
  o.resourceBlocks = static_cast<unsigned> (given.blocks);
  o.discard = given.discard;
  o.siteDistance = given.distance;
  o.shadowing = given.shadowing;
  o.interference = given.interference;
  o.tcp.up = static_cast<unsigned> (given.up);
  o.amc = given.amc ? given.amc : "mi";
  if (given.wired >= 0)
    o.wired = static_cast<RccTime> (std::min (given.wired, 10000.0) * 1e6);
  o.wire = o.topology == "wifi" && given.scenario;
  o.mcs = given.mcs;
  o.scenario2 = given.scenario2 ? given.scenario2 : o.scenario;
  if (given.between && (!rcc_rate_parse (given.between, &o.between) || o.between == 0))
    throw Error (std::string ("--between wants a rate above 0, such as 8M, not \"")
        + given.between + "\".");
  if (given.page)
    parsePage (given.page, o.tcp);
  for (gchar **f = given.flows; f && *f; f++)
    addFlow (*f, given, o.flows);
  if (!given.flows)
    addFlow ("", given, o.flows);
  for (unsigned i = 0; i < o.flows.size (); i++)
    o.flows[i].user = i;
  if (given.calls) {
    o.flows[0].user = 0;
    makeCalls (given.calls, o);
  }
  for (gchar **c = given.cbr; c && *c; c++)
    o.cbr.push_back (parseCbr (*c, false));
  for (gchar **c = given.cbrUp; c && *c; c++)
    o.cbr.push_back (parseCbr (*c, true));
}

void
check (const Given &g, const Options &o)
{
  want (oneOf (o.topology, { "dumbbell", "parking-lot", "lte", "wifi" }),
      "--topology is dumbbell, parking-lot, lte or wifi, not \"" + o.topology + "\".");
  want (oneOf (o.queue, { "droptail", "codel", "pie", "fqcodel", "link" }),
      "--queue is droptail, codel, pie, fqcodel or link, not \"" + o.queue + "\".");
  want (hasScenario (o) || o.wire || !g.scenario,
      "the topology " + o.topology + " has no --scenario: dumbbell, parking-lot and wifi have.");
  want (hasScenario (o) || !g.scenario2, "only the topology parking-lot has a --scenario2.");
  want (!o.wire || g.wired < 0, "--scenario has the delay of the wire: --wired-delay has no use.");
  want (g.mcs >= -1 && g.mcs <= 31, "--mcs is 0 to 31.");
  want (oneOf (o.amc, { "mi", "piro" }), "--amc is mi or piro, not \"" + o.amc + "\".");
  want (oneOf (o.tcp.variant, { "reno", "cubic" }),
      "--tcp is reno or cubic, not \"" + o.tcp.variant + "\".");
  want (std::isfinite (o.duration) && o.duration > 0 && o.duration <= 100000,
      "--duration is above 0 and at most 100000 s.");
  want (g.seed >= 0, "--seed is 0 or more.");
  want (g.bulk >= 0 && g.shorts >= 0 && g.up >= 0 && g.shortsOn >= 0
      && o.tcp.bulk + o.tcp.shorts + o.tcp.up <= MOST_TCP, "there are 0 to 1000 TCP flows.");
  want (g.connections >= 1 && g.connections <= 100, "--tcp-connections is 1 to 100.");
  want (g.segment >= 100 && g.segment <= 1448, "--tcp-segment is 100 to 1448 bytes.");
  want (std::isfinite (g.idle) && g.idle > 0 && std::isfinite (g.tcpStart) && g.tcpStart >= 0,
      "--tcp-idle is above 0, and --tcp-start 0 or more.");
  want (g.tcpStop == -1 || g.tcpStop > g.tcpStart, "--tcp-stop is after --tcp-start.");
  want (g.cells == 1 || g.cells == 7, "--cells is 1 or 7.");
  want (oneOf (std::to_string (g.blocks), { "6", "15", "25", "50", "75", "100" }),
      "--resource-blocks is 6, 15, 25, 50, 75 or 100.");
  want (g.distance >= 50 && g.distance <= 20000, "--site-distance is 50 to 20000 m.");
  want (g.shadowing >= 0 && g.shadowing <= 30, "--shadowing is 0 to 30 dB.");
  want (g.interference >= 0 && g.interference <= 100, "--interference is 0 to 100 dB.");
  want (std::isfinite (g.discard) && g.discard >= 0, "--discard is 0 or more seconds.");
  want (!o.packets || !o.output.empty (), "--packets needs --output.");
}

void
addNetwork (GOptionContext *context, Given &g)
{
  const GOptionEntry entries[] = {
    { "topology", 't', 0, G_OPTION_ARG_STRING, &g.topology,
      "dumbbell (default), parking-lot, lte or wifi", "NAME" },
    { "scenario", 's', 0, G_OPTION_ARG_STRING, &g.scenario,
      "Scenario file or built-in name, as rccsim's (default rfc8867-5.1); wifi: of the wire to "
      "the server (default: 100 Mbit/s)", "NAME" },
    { "scenario2", 0, 0, G_OPTION_ARG_STRING, &g.scenario2,
      "parking-lot: of the second bottleneck (default: the same)", "NAME" },
    { "between", 0, 0, G_OPTION_ARG_STRING, &g.between,
      "parking-lot: of the wire between the two (1 Gbit/s)", "RATE" },
    { "duration", 'd', 0, G_OPTION_ARG_DOUBLE, &g.duration, "Seconds to simulate (100)", "S" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &g.seed, "Seed of all randomness (1)", "N" },
    { "queue", 'q', 0, G_OPTION_ARG_STRING, &g.queue,
      "Of the bottleneck: droptail (default), codel, pie, fqcodel, or link: the project's own "
      "link, for traces, outages and max-age", "NAME" },
    { "cells", 0, 0, G_OPTION_ARG_INT, &g.cells, "lte: 1 (default) or 7", "N" },
    { "resource-blocks", 0, 0, G_OPTION_ARG_INT, &g.blocks, "lte: 50 is 10 MHz (50)", "N" },
    { "site-distance", 0, 0, G_OPTION_ARG_DOUBLE, &g.distance,
      "lte: between two eNBs; one alone covers half of it (500)", "M" },
    { "shadowing", 0, 0, G_OPTION_ARG_DOUBLE, &g.shadowing,
      "lte: standard deviation, log-normal, by phone and site (0; 3GPP case 1 has 8)", "DB" },
    { "interference", 0, 0, G_OPTION_ARG_DOUBLE, &g.interference,
      "lte: what busy cells that are not simulated add to a phone's noise (0)", "DB" },
    { "mcs", 0, 0, G_OPTION_ARG_INT, &g.mcs,
      "wifi: everybody sends at this one of 802.11n (default: MinstrelHt chooses)", "N" },
    { "discard", 0, 0, G_OPTION_ARG_DOUBLE, &g.discard,
      "lte: a packet waits so long in the eNB (1; 0: for ever)", "S" },
    { "amc", 0, 0, G_OPTION_ARG_STRING, &g.amc,
      "lte: mi (default, as the error model) or piro (faster)", "NAME" },
    { "wired-delay", 0, 0, G_OPTION_ARG_DOUBLE, &g.wired,
      "lte, wifi without --scenario: one way, to the server (10)", "MS" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &g.output, "Folder for what is measured",
      "DIR" },
    { "packets", 0, 0, G_OPTION_ARG_NONE, &g.packets, "Write packets.csv as well", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &g.version, "Print the version", NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &g.json,
      "Print one JSON object (docs/json.md) in place of lines", NULL },
    { "benchmark", 0, 0, G_OPTION_ARG_NONE, &g.benchmark,
      "Print simulated seconds per CPU second of some runs", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

void
addTraffic (GOptionContext *context, Given &g)
{
  const GOptionEntry entries[] = {
    { "flow", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &g.flows, "A media flow; may be repeated",
      "NAME=VALUE,..." },
    { "calls", 0, 0, G_OPTION_ARG_STRING, &g.calls,
      "The flow as calls instead: so many a second begin (Poisson), each lasts so long (30 s); "
      "some are under way from the start",
      "RATE[:SECONDS]" },
    { "late", 0, 0, G_OPTION_ARG_STRING, &g.late,
      "Both ends of each flow wake up so late: 10ms, or exp:10ms for an exponential distribution "
      "with that mean", "TIME" },
    { "stall", 0, 0, G_OPTION_ARG_STRING, &g.stall,
      "They stand still for so long in each period, as in 100ms/5s", "TIME/PERIOD" },
    { "clump", 0, 0, G_OPTION_ARG_STRING, &g.clump,
      "What arrives is handed to them at multiples of that only, as in 5ms", "TIME" },
    { "ecn", 0, 0, G_OPTION_ARG_NONE, &g.ecn,
      "TCP asks for ECN, the queue disc marks (media: ecn= of --flow)", NULL },
    { "tcp", 0, 0, G_OPTION_ARG_STRING, &g.tcp, "reno (default) or cubic", "NAME" },
    { "tcp-bulk", 0, 0, G_OPTION_ARG_INT, &g.bulk, "TCP flows that never end", "N" },
    { "tcp-up", 0, 0, G_OPTION_ARG_INT, &g.up, "The same in the reverse direction", "N" },
    { "tcp-short", 0, 0, G_OPTION_ARG_INT, &g.shorts, "On/off TCP flows: a page, idle, a page",
      "N" },
    { "tcp-short-on", 0, 0, G_OPTION_ARG_INT, &g.shortsOn,
      "Of these, begin with a page (the others idle)", "N" },
    { "tcp-connections", 0, 0, G_OPTION_ARG_INT, &g.connections,
      "That fetch a page each at once (1; RFC 8868 has 30)", "N" },
    { "tcp-page", 0, 0, G_OPTION_ARG_STRING, &g.page, "Bytes, uniform (30000-50000)",
      "MIN-MAX" },
    { "tcp-idle", 0, 0, G_OPTION_ARG_DOUBLE, &g.idle, "Mean, exponential (10)", "S" },
    { "tcp-segment", 0, 0, G_OPTION_ARG_INT, &g.segment, "Bytes (1448)", "N" },
    { "tcp-start", 0, 0, G_OPTION_ARG_DOUBLE, &g.tcpStart, "When TCP begins (0)", "S" },
    { "tcp-stop", 0, 0, G_OPTION_ARG_DOUBLE, &g.tcpStop,
      "When bulk TCP ends, either way (with the run)", "S" },
    { "cbr", 0, 0, G_OPTION_ARG_STRING_ARRAY, &g.cbr,
      "Constant UDP in packets of 1500 bytes; may be repeated", "RATE[:START[:STOP]]" },
    { "cbr-up", 0, 0, G_OPTION_ARG_STRING_ARRAY, &g.cbrUp,
      "The same in the reverse direction", "RATE[:START[:STOP]]" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL }
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

} // namespace

void
parseOptions (int argc, char **argv, Options &options)
{
  Given g;
  GOptionContext *context = g_option_context_new ("- media flows and TCP over ns-3");
  GError *error = nullptr;
  std::string why;

  addNetwork (context, g);
  addTraffic (context, g);
  g_option_context_set_description (context, DESCRIPTION);
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    why = std::string (error->message) + "; see --help";
    g_error_free (error);
  } else if (argc > 1) {
    why = std::string ("\"") + argv[1] + "\" belongs to no option; see --help";
  }
  g_option_context_free (context);
  if (!why.empty ())
    throw Error (why);
  take (g, options);
  check (g, options);
}

} // namespace sim
