/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Sources: the paper's prose, net-rl, gst-mprtp, Singh's thesis, as config.h has them.  Without
 * one it is ours.
 */
#include "core/fbra/cnadu.h"
#include "core/fbra/config.h"

static const RccChoice rule_values[] = {
  { RCC_FBRA_N_STEP, "First, low or largest interval", "step" },
  { RCC_FBRA_N_LINEAR, "From smallest to largest as the rate nears the best known", "linear" },
  { RCC_FBRA_N_STREAK, "Largest, and half of it after each probe that passed", "streak" },
  RCC_CHOICES_END
};
static const RccChoices rules = { "FbraIntervalRule", rule_values };

#define TIME(T, member, name, text, source) \
  RCC_SETTING (T, member, name, RCC_SET_TIME, false, "ns", 0, RCC_FOREVER, text, source)
#define NUMBER(T, member, name, least, most, text, source) \
  RCC_SETTING (T, member, name, RCC_SET_DOUBLE, false, "", least, most, text, source)
#define COUNT(T, member, name, least, most, text, source) \
  RCC_SETTING (T, member, name, RCC_SET_U32, false, "", least, most, text, source)
#define SWITCH(T, member, name, text, source) \
  RCC_SETTING (T, member, name, RCC_SET_BOOL, false, "", 0, 1, text, source)
#define F RccFbraConfig
#define C RccCnaduConfig
#define N_MOST 48                       /* the mask of RFC 5109's long form */

const RccSetting rcc_fbra_settings[] = {
  NUMBER (F, p_low, "p-low", 0, 1, "Lower percentile of one-way delays", "net-rl, gst-mprtp: 0.4"),
  NUMBER (F, p_high, "p-high", 0, 1, "Upper percentile of one-way delays",
      "net-rl, gst-mprtp: 0.8"),
  TIME (F, owd_window, "owd-window", "Window of those percentiles", "gst-mprtp: 30 s"),
  TIME (F, owd_floor, "owd-floor", "Added to one-way delays before they are compared", NULL),
  TIME (F, d_max, "max-delay", "Packets that were longer under way count as discarded",
      "thesis, paper 5.5: 400 ms"),
  NUMBER (F, alpha_undershoot, "alpha-undershoot", 0, 1e6,
      "In DOWN, delay above the upper percentile that lowers the rate again",
      "net-rl, gst-mprtp: 2"),
  NUMBER (F, alpha_stay, "alpha-stay", 0, 1e6, "The same that ends STAY, and PROBE for STAY",
      "net-rl, gst-mprtp: 1.1"),
  NUMBER (F, alpha_down_probe, "alpha-down-probe", 0, 1e6, "The same that ends PROBE for DOWN",
      "net-rl: 1.6"),
  NUMBER (F, alpha_down_up, "alpha-down-up", 0, 1e6, "The same that ends UP for DOWN",
      "inferred from paper and net-rl: 1.4"),
  NUMBER (F, beta, "beta", 0, 1e6,
      "Delay above the lower percentile at which a probe has less parity",
      "net-rl, gst-mprtp: 1.2"),
  TIME (F, stay_excess, "stay-excess", "Delay above p-high that alpha-stay allows at most; 0: any",
      NULL),
  TIME (F, alarm_excess, "alarm-excess",
      "Delay above p-high that stands for alpha-undershoot; 0: none does", NULL),
  NUMBER (F, stray, "stray-loss", 0, 1,
      "Up to this share of losses without delay is no congestion; 0: none", NULL),
  NUMBER (F, recent, "recent", 0, 1, "Last part of a report that is not transient",
      "paper, the number is lost"),
  TIME (F, reports.interval, "feedback-interval", "How far apart reports are, until they tell",
      NULL),
  NUMBER (F, reports.interval_rtts, "interval-rtts", 0, 1000,
      "... and at least so many round trips",
      "RFC 4585"),
  SWITCH (F, reports.pool, "pool", "Judge more frequent feedback together", "paper: false"),
  NUMBER (F, reports.early, "early", 0, 1, "A report that comes before this share of the interval "
      "is early", "inferred from RFC 4585: 0.5"),
  NUMBER (F, reports.silent_intervals, "silent-intervals", 0, 1000,
      "So many intervals without a report are silence", "inferred from paper: 2"),
  TIME (F, reports.first_timeout, "first-timeout", "The same for the first report",
      "RFC 3550: 2.5 s"),
  NUMBER (F, undershoot_delta, "undershoot-delta", 0, 1000,
      "DOWN lowers the rate by so many times what did not come", "paper: 2"),
  NUMBER (F, undershoot_factor, "undershoot-factor", 0, 1, "... and to this share of what is left",
      "net-rl: 0.9"),
  NUMBER (F, deactivate, "deactivate", 0, 1000,
      "Reports are ignored for so many intervals after DOWN",
      "net-rl: 1.05"),
  COUNT (F, deactivate_reports, "deactivate-reports", 0, 1000, "... and for so many reports",
      "paper, gst-mprtp: 1"),
  SWITCH (F, by_capacity, "by-capacity",
      "DOWN goes to what came, less what empties the queue, and back to that", NULL),
  SWITCH (F, ahead, "ahead", "... with what is on its way to that queue", NULL),
  NUMBER (F, bounce, "bounce", 0, 10, "Share of the goodput to come back to after DOWN",
      "net-rl, gst-mprtp: 0.9"),
  SWITCH (F, bounce_kept, "bounce-kept",
      "... which a report that is still congested then leaves as it was, and due",
      "paper 4.4, open"),
  TIME (F, probe_backoff, "probe-backoff", "How long the path's capacity is known; 0: not", NULL),
  TIME (F, probe_backoff_max, "probe-backoff-max", "... at most, where probes find it again", NULL),
  NUMBER (F, reserve, "reserve", 0, 10, "No probe goes beyond this share of it", NULL),
  NUMBER (F, share_varies, "share-varies", 0, 1,
      "Others share the queue where what comes out of it changes by so much; 0: not looked for",
      NULL),
  NUMBER (F, share_step, "share-step", 1000, 1e9, "Parity of a probe then, bit/s", NULL),
  NUMBER (F, share_bounce, "share-bounce", 0, 10, "The bounce after DOWN then", NULL),
  TIME (F, share_backoff, "share-backoff", "No probe for so long after DOWN then", NULL),
  COUNT (F, roomy, "roomy", 0, 1000, "Reports below p-low that end it; 0: none do", "paper 4.1"),
  NUMBER (F, near, "near", 0, 10, "Share of the highest recent rate that is near capacity",
      "paper, the number is lost"),
  TIME (F, rates_window, "rates-window", "How long a rate counts as recent", "paper: 2 s"),
  NUMBER (F, filled, "filled", 0, 1, "Share of its rate that a source must use before a probe; "
      "0: any", NULL),
  RCC_SETTING_CHOICE (F, rule, "fec-interval-rule", false, &rules,
      "How many media packets a parity packet has in a probe", "thesis"),
  COUNT (F, parity_least, "parity-least", 0, 1000,
      "Parity packets that must be reported before a probe counts as passed", "paper: 0"),
  SWITCH (F, flush, "fec-flush",
      "What a probe has begun when it ends gets its parity, too", "thesis's plots: true"),
  COUNT (F, n_min, "fec-interval-min", 1, N_MOST,
      "Media packets per parity packet at most parity, as in the first probe; 1 is as 2",
      "paper, net-rl, gst-mprtp: 2"),
  COUNT (F, n_max, "fec-interval-max", 2, N_MOST, "Media packets per parity packet at least parity",
      "paper, net-rl, gst-mprtp: 14"),
  COUNT (F, n_low, "fec-interval-low", 2, N_MOST,
      "The same well below what is known to pass", "thesis: 8"),
  NUMBER (F, n_initial, "fec-interval-initial", 0, 10,
      "Share of the first goodput that is well below",
      "thesis: 0.85"),
  NUMBER (F, n_peak, "fec-interval-peak", 0, 10, "... and of the highest recent rate", NULL),
  RCC_SETTINGS_END
};

const RccSetting rcc_cnadu_settings[] = {
  NUMBER (C, increase, "cnadu-increase", 1, 10, "Increase of the rate with a report", NULL),
  NUMBER (C, p_low, "cnadu-p-low", 0, 1, "Percentile of round trips below which the rate rises",
      "thesis: 0.75"),
  NUMBER (C, p_high, "cnadu-p-high", 0, 1, "Percentile of round trips above which the rate falls",
      "thesis: 0.9"),
  TIME (C, d_max, "cnadu-max-delay", "Packets that were longer under way count as discarded",
      "thesis: 400 ms"),
  RCC_SETTINGS_END
};
