/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/config.h - every constant of FBRA, with where it comes from
 *
 * Nagy, Singh, Ott and Eggert, "Congestion Control using FEC for Conversational
 * Multimedia Communication" (MMSys'14; arXiv 1310.1582).  The public text has lost most
 * of its numbers.  Sources: S4 is the paper's prose, NR a third-party port (net-rl). MP is the
 * gst-mprtp controller of 2015 with the paper's vocabulary. TH is Singh's thesis and its plots.
 * "inferred": from those, by us; "ours": not in the paper at all.
 */
#ifndef RCC_FBRA_CONFIG_H
#define RCC_FBRA_CONFIG_H

#include "core/fbra/report-timer.h"
#include "core/settings.h"
#include "core/stats.h"

typedef enum {
  RCC_FBRA_N_STEP,                      /* first, low or max: TH's plots read so */
  RCC_FBRA_N_LINEAR,                    /* min to max as the rate nears the best known */
  RCC_FBRA_N_STREAK,                    /* max, and half of it after each probe that passed
                                         * since the last fall; ours */
} RccFbraRule;

typedef struct {
  /* one-way delay */
  double p_low, p_high;                 /* percentiles; 0.4 NR MP (S4: "better tolerance
                                         * than the median"), 0.8 NR MP */
  RccTime owd_window;                   /* 30 s: MP; NR's 2 s follows a standing queue */
  RccTime owd_floor;                    /* 0; ours: added to both sides of the ratios, so
                                         * that they are no hair trigger on a short path */
  RccTime d_max;                        /* 400 ms: TH, S4 5.5 */
  /* thresholds of owd / p_high */
  double alpha_undershoot;              /* in DOWN: 2.0, NR MP */
  double alpha_stay;                    /* in STAY, and PROBE to STAY: 1.1, NR MP */
  double alpha_down_probe;              /* PROBE to DOWN: 1.6, NR's comment, S4 "less
                                         * sensitive" */
  double alpha_down_up;                 /* UP to DOWN: 1.4, inferred: S4 "more sensitivity",
                                         * NR's range 1.4 to 1.6 (its code: 1.6) */
  double beta;                          /* of owd / p_low, PROBE with less parity: 1.2, NR MP */
  /* The same as times above p_high, ours and 0: off. A ratio reacts to very little on a short
   * path. On a long one it reacts late, and d_max leaves less room for a queue there. */
  RccTime stay_excess;                  /* at most what alpha_stay allows */
  RccTime alarm_excess;                 /* in place of alpha_undershoot, at most what the
                                         * alphas of DOWN allow, and in STAY too much at once */
  double stray;                         /* up to so many of the packets, losses without delay
                                         * (alpha_stay) are the path's own and no congestion.
                                         * Ours; S4 4.1 names it as possible, and has none. 0:
                                         * off */
  /* reports */
  double recent;                        /* last part of a report that is not transient;
                                         * 0.5: S4 lost the number */
  /* .interval 100 ms: ours. .interval_rtts 2: AVPF practice. A report is spent on each of PROBE,
   * UP, the guard below and STAY. So it gives the 1, 2 and 4 s cycles of TH's plots. .pool off:
   * S4, a report that comes early means trouble. .early 0.5: inferred from the least that AVPF
   * dithers to. .silent_intervals 2: inferred from S4's reference to the circuit breaker draft.
   * .first_timeout 2.5 s: ours, RFC 3550 lets the first report be that late. */
  RccReportTimerConfig reports;
  /* rate */
  double undershoot_delta;              /* times (rate - goodput): 2, S4 */
  double undershoot_factor;             /* of what is left: 0.9, NR's "paper default" */
  double deactivate;                    /* intervals: 1.05, NR; S4 "a bit more than" one */
  uint32_t deactivate_reports;          /* and so many of them: 1, S4 ("ignores the next
                                         * report that arrives"), MP.  A queue that grows
                                         * stretches the spacing beyond 1.05 of it */
  bool by_capacity;                     /* false; ours: what came, in time or not, is what the
                                         * path takes. Undershoots to that, less what empties the
                                         * queue by the time that the answer is here. Ignores
                                         * reports until it is; then always back to .bounce of it */
  bool ahead;                           /* false; ours: that queue is the one with all that
                                         * is on its way to it.  For reports that come
                                         * much more often than each round trip: the delay
                                         * and rate of a long one are of before */
  double bounce;                        /* of the goodput at the undershoot: 0.9, NR MP */
  bool bounce_kept;                     /* false; a report that is still congested lowers the rate
                                         * again, and the goodput to come back to stays that of
                                         * the first undershoot: S4 4.4 read so, "the goodput
                                         * observed at the moment of undershooting".  Else
                                         * there is nothing to come back to then */
  /* Ours, with by_capacity: what the path took when it was last full is known for so long. No
   * probe goes beyond .reserve of it. When a probe finds it again, within a tenth, that is twice
   * as long, up to the most. 0: off */
  RccTime probe_backoff, probe_backoff_max;
  double reserve;
  /* Ours: another flow shares the queue where what comes out of it changes by so much, on average,
   * from report to report (core/fbra/sharing.h). 0: off. Then a probe has .share_step bit/s of
   * parity, a fall goes back to .share_bounce of what came, and probes wait for .share_backoff. */
  double share_varies, share_step, share_bounce;
  RccTime share_backoff;
  uint32_t roomy;                       /* so many reports in a row below p_low end it: "if
                                         * the current OWD is smaller [it] indicates link
                                         * under-utilization", S4 4.1.  0: off */
  double near;                          /* of the highest rate of late: near capacity.
                                         * 0.9: inferred, S4 lost the number */
  RccTime rates_window;                 /* of late: 2 s, S4 */
  double filled;                        /* 0.67 of its rate a source must use, or a probe
                                         * proves nothing: ours; 0: off */
  /* FEC interval N: media packets per parity packet */
  RccFbraRule rule;
  uint32_t parity_least;                /* reported, before a probe passes.  0: the paper,
                                         * whose probe lasts one report even where N
                                         * packets take longer; 1: ours, none is void */
  bool flush;                           /* false; what a probe has begun when it ends gets its
                                         * parity, too: TH's plots, whose probes of 1/3, 2/3
                                         * and 4/3 s have 1, 2 and 3 parity packets at N 14.
                                         * That leaves when the rate has risen already, and
                                         * costs 3 to 7 kbit/s of Table 1.  For whoever makes
                                         * the parity (send/parity.h) */
  uint32_t n_min, n_max;                /* 2..14: S4, NR, MP */
  uint32_t n_low;                       /* 8, below what is known to work: TH's plots */
  double n_initial;                     /* of the initial goodput, 0.85: TH's plots */
  double n_peak;                        /* of the highest rate of late, 0.5: ours */
} RccFbraConfig;

/* The paper's. */
RccFbraConfig rcc_fbra_config (void);
/* FBRA+: with what is ours.  For reports every 100 ms, whatever the round trip. */
RccFbraConfig rcc_fbra_config_plus (void);

/* With the excesses above @p_high (RCC_NEVER: unknown) in the alphas. */
RccFbraConfig rcc_fbra_config_at (const RccFbraConfig *config, RccTime p_high);

/* Every constant by name, for those who vary them (rccsim --set, the property tuning). */
extern const RccSetting rcc_fbra_settings[];

#endif
