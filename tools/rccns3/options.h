/* SPDX-License-Identifier: GPL-2.0-only
 *
 * options.h - what one run is, as the command line says it
 */
#ifndef RCC_SIM_OPTIONS_H
#define RCC_SIM_OPTIONS_H

#include <string>
#include <vector>

#include "world.h"

namespace sim {

struct FlowOptions {
  RccFlowConfig config;
  RccTime delay = 0;                    /* one way, of its own access link */
  std::string path = "all";             /* parking lot: all, first or second */
  unsigned user = 0;                    /* LTE, Wi-Fi: whose phone or station it is on */
};

struct CbrOptions {
  uint64_t bps = 0;
  RccTime start = 0, stop = RCC_NEVER;
  bool up = false;                      /* in the reverse direction */
};

struct TcpOptions {
  std::string variant = "reno";         /* reno, cubic */
  unsigned bulk = 0, shorts = 0;
  unsigned up = 0;                      /* bulk, but in the reverse direction */
  unsigned shortsOn = 0;                /* of the short ones, begin with a page */
  unsigned connections = 1;             /* that fetch a page each, at once */
  uint32_t pageMin = 30000, pageMax = 50000;    /* bytes */
  double idle = 10.0;                   /* mean, s */
  uint32_t segment = 1448;              /* bytes */
  RccTime start = 0, stop = RCC_NEVER;  /* stop: of bulk and up */
};

struct Options {
  std::string topology = "dumbbell", scenario = "rfc8867-5.1", queue = "droptail";
  std::string output;                   /* folder; empty: none */
  double duration = 100.0;
  uint64_t seed = 1;
  bool ecn = false, packets = false, benchmark = false, json = false, version = false;
  std::vector<FlowOptions> flows;
  std::vector<CbrOptions> cbr;
  TcpOptions tcp;
  std::string scenario2 = scenario;     /* parking lot: of the second bottleneck */
  uint64_t between = RCC_LINK_UNLIMITED;        /* parking lot: bit/s from B to C */
  RccTime wired = 10 * RCC_MSEC;        /* LTE, Wi-Fi: one way, to the server */
  bool wire = false;                    /* Wi-Fi: the scenario is of the wire to the server */
  int mcs = -1;                         /* Wi-Fi: HT MCS of all; -1: MinstrelHt chooses */
  unsigned cells = 1, resourceBlocks = 50;      /* LTE, as what follows */
  double siteDistance = 500;            /* m */
  double shadowing = 0, interference = 0;       /* dB: standard deviation; above noise */
  std::string amc = "mi";               /* mi, piro */
  double discard = 1.0;                 /* s that an SDU may wait in the RLC; 0: for ever */
};

/* Answers --help itself, and ends.  Throws Error. */
void parseOptions (int argc, char **argv, Options &options);

} // namespace sim

#endif
