/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.h - a media flow's configuration as words
 */
#ifndef RCC_WORLD_OPTIONS_H
#define RCC_WORLD_OPTIONS_H

#include <stdio.h>

#include "sim/flow.h"

/* Sets one option of @c.  False with one sentence in @error when there is no such name or
 * the value is none for it.  Names, in the order in which they are to come where one
 * builds on another:
 *   profile            default, paper (both begin anew), or sbpn (the flow of
 *                      rcc_flow_config_sbpn(), SBPN2 with room for 32 packets, RTT 80 ms)
 *   controller, cc     a name of the registry; those in the setting of FBRA's paper begin anew,
 *                      with the flow of rcc_flow_config_fbra() at 50 ms
 *   owd                ms: that flow's reports are spaced by twice the round trip
 *   fixed              a rate: no congestion control at all
 *   feedback           remb, tmmbr, ccfb, twcc
 *   ecn                off, ect0, ect1: of its RTP packets (feedback=ccfb tells of marks,
 *                      ecn-as-loss=1 heeds them)
 *   filter             kalman, kalman2, trendline
 *   grouping           none, paper, draft
 *   thresholds         draft, webrtc
 *   scheduler          fifo, sbpn1, sbpn2, sbpn3, weighted; packets expire after 400 ms
 *                      unless a profile says otherwise
 *   source             statistical, constant, ekiga, or trace:FOLDER
 *   breaker            off, mathis, padhye
 *   breaker-mode       rfc8083, draft2014
 *   min, start, max    rates
 *   from, to           s: when the flow starts and ends
 *   pause              FROM-TO in s: its sources are silent, RTCP goes on
 *   direction          fwd, rev
 *   audio, real-rtcp   0, 1
 *   fps, rtcp-interval (s)
 *   nack               TIMES/MS: video that is missing is asked for so often, so far apart,
 *                      and sent again (RFC 4588)
 *   late, stall, clump, stamp
 *                      how late both ends run, as rcc_clock_set() takes it; with -sender or
 *                      -receiver behind it, one end
 * and each row of the tables of settings: rcc_gcc_settings, rcc_tfrc_settings,
 * rcc_cnadu_settings; with fbra-, sbpn- and breaker- before the name those of rcc_fbra_settings,
 * rcc_sbpn_settings, rcc_breaker_settings and rcc_breaker_rules; and the simulator's own
 * (rccsim --settings lists all).  A time is in ns; below 0 it is for ever.  A rate
 * is in bit/s or ends in k or M.  The string of trace:FOLDER has to outlive the flow. */
bool rcc_flow_option (RccFlowConfig *c, const char *name, const char *value, char *error,
    size_t error_size);

/* Sets the row @name of those tables; false: there is none, or @value is none for it. */
bool rcc_flow_set (RccFlowConfig *c, const char *name, const char *value);

/* Makes @row its controller, with what that has by default if the flow has no member for it. */
void rcc_flow_control (RccFlowConfig *c, const RccController *row);

/* The configuration of its controller. */
const void *rcc_flow_controller_config (const RccFlowConfig *c);

/* The feedback that its controller prefers, of those that a flow can have. */
void rcc_flow_prefer (RccFlowConfig *c);

/* "500k", "1.5M", "250000". */
bool rcc_rate_parse (const char *text, uint64_t *bps);

/* All rows of those tables as a table in Markdown, with the values that they have in @c. */
void rcc_flow_print_settings (const RccFlowConfig *c, FILE *out);

#endif
