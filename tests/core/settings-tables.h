/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * settings-tables.h - every row and choice of the settings, for test-settings-tables.c
 */
#ifndef SETTINGS_TABLES_H
#define SETTINGS_TABLES_H

#define BREAKER_SETTINGS \
  "tcp-model live choice [0, 0] ''\n" \
  " How the throughput of TCP on this path is estimated\n" \
  " (RFC 8083 4.3)\n" \
  " CircuitBreakerTcpModel\n" \
  "  mathis = 0: Mathis et al.: simple, and slow to trigger at short round-trip times\n" \
  "  padhye = 1: Padhye et al., with timeouts: triggers earlier (advised for LTE)\n" \
  "multiplier live double [0.01, 10000] ''\n" \
  " How many times TCP's throughput may be sent\n" \
  " (RFC 8083 4.3: 10)\n" \
  "reduce-first live bool [0, 1] ''\n" \
  " On congestion try a tenth of the rate before stopping\n" \
  " (RFC 8083 4.3)\n" \
  "require-rtcp live bool [0, 1] ''\n" \
  " Whether RTCP that stays away opens the breaker; false for peers that send none\n" \
  " (RFC 8083 4.1)\n" \
  "rtcp-min-interval live time [0, 1.844674407e+19] 'ns'\n" \
  " The receiver's minimum RTCP interval; none: seen from its reports\n" \
  " (RFC 3550 6.2)\n" \
  "bandwidth live u32 [0, 4294967295] 'bit/s'\n" \
  " The session's bandwidth; 0: what is being sent\n" \
  " (RFC 3550 6.2)\n" \
  "media-usability live bool [0, 1] ''\n" \
  " Open also when the media has been of no use for unusable-time\n" \
  " (RFC 8083 4.4)\n"

#define BREAKER_RULES \
  "mode live choice [0, 0] ''\n" \
  " Whose rules decide: the RFC's or the draft's\n" \
  " (RFC 8083)\n" \
  " CircuitBreakerMode\n" \
  "  rfc8083 = 0: RFC 8083\n" \
  "  draft2014 = 1: The draft of 2014, as the LTE evaluation used it: two reports decide\n" \
  "media-timeout-reports live u32 [1, 100] ''\n" \
  " Reports in a row without anything received that open it\n" \
  " (RFC 8083 4.2: 5)\n" \
  "ecn-as-loss live bool [0, 1] ''\n" \
  " Count packets that are reported as ECN-CE as lost; always so in mode draft2014\n" \
  " (RFC 6679, RFC 8083 7)\n" \
  "frame-group-size live u32 [1, 100000] ''\n" \
  " Frames until the encoder can follow a new rate: its GOP, or 1\n" \
  " (RFC 8083 3: G)\n" \
  "hold-below live double [0, 1] ''\n" \
  " As congestion nears, encoders are asked for no more than this part of the limit; 0: they are " \
  "not\n" \
  " (RFC 8083 has no such thing)\n" \
  "interval-packet-size live bool [0, 1] ''\n" \
  " Packets count as large as the mean of the intervals that are judged, where four groups of " \
  "frames have smaller ones; not in mode draft2014\n" \
  " (RFC 8083 3: s; false is as there)\n" \
  "frame-interval live time [0, 1.844674407e+19] 'ns'\n" \
  " Time between frames; none: measured\n" \
  " (RFC 8083 3: Tf)\n" \
  "rtcp-rr-interval live time [0, 3.6e+12] 'ns'\n" \
  " Least time between regular reports with AVPF; 0: none was signalled\n" \
  " (RFC 4585 3.4)\n" \
  "rtcp-fraction live double [0.0001, 1] ''\n" \
  " What part of the session's bandwidth RTCP may take\n" \
  " (RFC 3550 6.2: 0.05)\n" \
  "unusable-loss live double [0, 1] ''\n" \
  " Media that loses more than this part of its packets is of no use\n" \
  "unusable-delay live time [0, 1.844674407e+19] 'ns'\n" \
  " Media that is older on arrival is of no use (half the round trip and the jitter)\n" \
  "unusable-time live time [0, 1.844674407e+19] 'ns'\n" \
  " For how long the media may be of no use\n"

#define BREAKER_STATES \
  " CircuitBreakerState\n" \
  "  closed = 0: RTP passes\n" \
  "  reduced = 1: RTP passes at a tenth of its rate, to see whether that helps\n" \
  "  open = 2: RTP does not pass\n"

#define FBRA_SETTINGS \
  "p-low double [0, 1] ''\n" \
  " Lower percentile of one-way delays\n" \
  " (net-rl, gst-mprtp: 0.4)\n" \
  "p-high double [0, 1] ''\n" \
  " Upper percentile of one-way delays\n" \
  " (net-rl, gst-mprtp: 0.8)\n" \
  "owd-window time [0, 1.844674407e+19] 'ns'\n" \
  " Window of those percentiles\n" \
  " (gst-mprtp: 30 s)\n" \
  "owd-floor time [0, 1.844674407e+19] 'ns'\n" \
  " Added to one-way delays before they are compared\n" \
  "max-delay time [0, 1.844674407e+19] 'ns'\n" \
  " Packets that were longer under way count as discarded\n" \
  " (thesis, paper 5.5: 400 ms)\n" \
  "alpha-undershoot double [0, 1000000] ''\n" \
  " In DOWN, delay above the upper percentile that lowers the rate again\n" \
  " (net-rl, gst-mprtp: 2)\n" \
  "alpha-stay double [0, 1000000] ''\n" \
  " The same that ends STAY, and PROBE for STAY\n" \
  " (net-rl, gst-mprtp: 1.1)\n" \
  "alpha-down-probe double [0, 1000000] ''\n" \
  " The same that ends PROBE for DOWN\n" \
  " (net-rl: 1.6)\n" \
  "alpha-down-up double [0, 1000000] ''\n" \
  " The same that ends UP for DOWN\n" \
  " (inferred from paper and net-rl: 1.4)\n" \
  "beta double [0, 1000000] ''\n" \
  " Delay above the lower percentile at which a probe has less parity\n" \
  " (net-rl, gst-mprtp: 1.2)\n" \
  "stay-excess time [0, 1.844674407e+19] 'ns'\n" \
  " Delay above p-high that alpha-stay allows at most; 0: any\n" \
  "alarm-excess time [0, 1.844674407e+19] 'ns'\n" \
  " Delay above p-high that stands for alpha-undershoot; 0: none does\n" \
  "stray-loss double [0, 1] ''\n" \
  " Up to this share of losses without delay is no congestion; 0: none\n" \
  "recent double [0, 1] ''\n" \
  " Last part of a report that is not transient\n" \
  " (paper, the number is lost)\n" \
  "feedback-interval time [0, 1.844674407e+19] 'ns'\n" \
  " How far apart reports are, until they tell\n" \
  "interval-rtts double [0, 1000] ''\n" \
  " ... and at least so many round trips\n" \
  " (RFC 4585)\n" \
  "pool bool [0, 1] ''\n" \
  " Judge more frequent feedback together\n" \
  " (paper: false)\n" \
  "early double [0, 1] ''\n" \
  " A report that comes before this share of the interval is early\n" \
  " (inferred from RFC 4585: 0.5)\n" \
  "silent-intervals double [0, 1000] ''\n" \
  " So many intervals without a report are silence\n" \
  " (inferred from paper: 2)\n" \
  "first-timeout time [0, 1.844674407e+19] 'ns'\n" \
  " The same for the first report\n" \
  " (RFC 3550: 2.5 s)\n" \
  "undershoot-delta double [0, 1000] ''\n" \
  " DOWN lowers the rate by so many times what did not come\n" \
  " (paper: 2)\n" \
  "undershoot-factor double [0, 1] ''\n" \
  " ... and to this share of what is left\n" \
  " (net-rl: 0.9)\n" \
  "deactivate double [0, 1000] ''\n" \
  " Reports are ignored for so many intervals after DOWN\n" \
  " (net-rl: 1.05)\n" \
  "deactivate-reports u32 [0, 1000] ''\n" \
  " ... and for so many reports\n" \
  " (paper, gst-mprtp: 1)\n" \
  "by-capacity bool [0, 1] ''\n" \
  " DOWN goes to what came, less what empties the queue, and back to that\n" \
  "ahead bool [0, 1] ''\n" \
  " ... with what is on its way to that queue\n" \
  "bounce double [0, 10] ''\n" \
  " Share of the goodput to come back to after DOWN\n" \
  " (net-rl, gst-mprtp: 0.9)\n" \
  "bounce-kept bool [0, 1] ''\n" \
  " ... which a report that is still congested then leaves as it was, and due\n" \
  " (paper 4.4, open)\n" \
  "probe-backoff time [0, 1.844674407e+19] 'ns'\n" \
  " How long the path's capacity is known; 0: not\n" \
  "probe-backoff-max time [0, 1.844674407e+19] 'ns'\n" \
  " ... at most, where probes find it again\n" \
  "reserve double [0, 10] ''\n" \
  " No probe goes beyond this share of it\n" \
  "share-varies double [0, 1] ''\n" \
  " Others share the queue where what comes out of it changes by so much; 0: not looked for\n" \
  "share-step double [1000, 1000000000] ''\n" \
  " Parity of a probe then, bit/s\n" \
  "share-bounce double [0, 10] ''\n" \
  " The bounce after DOWN then\n" \
  "share-backoff time [0, 1.844674407e+19] 'ns'\n" \
  " No probe for so long after DOWN then\n" \
  "roomy u32 [0, 1000] ''\n" \
  " Reports below p-low that end it; 0: none do\n" \
  " (paper 4.1)\n" \
  "near double [0, 10] ''\n" \
  " Share of the highest recent rate that is near capacity\n" \
  " (paper, the number is lost)\n" \
  "rates-window time [0, 1.844674407e+19] 'ns'\n" \
  " How long a rate counts as recent\n" \
  " (paper: 2 s)\n" \
  "filled double [0, 1] ''\n" \
  " Share of its rate that a source must use before a probe; 0: any\n" \
  "fec-interval-rule choice [0, 0] ''\n" \
  " How many media packets a parity packet has in a probe\n" \
  " (thesis)\n" \
  " FbraIntervalRule\n" \
  "  step = 0: First, low or largest interval\n" \
  "  linear = 1: From smallest to largest as the rate nears the best known\n" \
  "  streak = 2: Largest, and half of it after each probe that passed\n" \
  "parity-least u32 [0, 1000] ''\n" \
  " Parity packets that must be reported before a probe counts as passed\n" \
  " (paper: 0)\n" \
  "fec-flush bool [0, 1] ''\n" \
  " What a probe has begun when it ends gets its parity, too\n" \
  " (thesis's plots: true)\n" \
  "fec-interval-min u32 [1, 48] ''\n" \
  " Media packets per parity packet at most parity, as in the first probe; 1 is as 2\n" \
  " (paper, net-rl, gst-mprtp: 2)\n" \
  "fec-interval-max u32 [2, 48] ''\n" \
  " Media packets per parity packet at least parity\n" \
  " (paper, net-rl, gst-mprtp: 14)\n" \
  "fec-interval-low u32 [2, 48] ''\n" \
  " The same well below what is known to pass\n" \
  " (thesis: 8)\n" \
  "fec-interval-initial double [0, 10] ''\n" \
  " Share of the first goodput that is well below\n" \
  " (thesis: 0.85)\n" \
  "fec-interval-peak double [0, 10] ''\n" \
  " ... and of the highest recent rate\n"

#define CNADU_SETTINGS \
  "cnadu-increase double [1, 10] ''\n" \
  " Increase of the rate with a report\n" \
  "cnadu-p-low double [0, 1] ''\n" \
  " Percentile of round trips below which the rate rises\n" \
  " (thesis: 0.75)\n" \
  "cnadu-p-high double [0, 1] ''\n" \
  " Percentile of round trips above which the rate falls\n" \
  " (thesis: 0.9)\n" \
  "cnadu-max-delay time [0, 1.844674407e+19] 'ns'\n" \
  " Packets that were longer under way count as discarded\n" \
  " (thesis: 400 ms)\n"

#define GCC_SETTINGS \
  "filter choice [0, 0] ''\n" \
  " How the delay gradient is estimated\n" \
  " (gcc-02 5.3)\n" \
  " GccFilter\n" \
  "  kalman = 0: Scalar Kalman filter (draft-ietf-rmcat-gcc-02 5.3)\n" \
  "  kalman2 = 1: Kalman filter of slope and offset\n" \
  "  trendline = 2: Slope of the accumulated delay\n" \
  "grouping choice [0, 0] ''\n" \
  " Which packets count as one burst before the filter\n" \
  " (PG, D2 5.2)\n" \
  " GccGrouping\n" \
  "  none = 0: By departure alone: no pre-filter\n" \
  "  paper = 1: Pre-filter of ANRW'16, Algorithm 1\n" \
  "  draft = 2: Pre-filter of draft-ietf-rmcat-gcc-02 5.2\n" \
  "loss-control choice [0, 0] ''\n" \
  " How losses lower the rate\n" \
  " (gcc-02 6, rtcweb-02)\n" \
  " GccLoss\n" \
  "  paper = 0: The rate by the last report (draft-ietf-rmcat-gcc-02 6)\n" \
  "  release = 2: The same, and no limit at all without loss\n" \
  "  2012 = 1: As in draft-alvestrand-rtcweb-congestion-02\n" \
  "burst time [0, 1.844674407e+19] 'ns'\n" \
  " Longest burst of groups and of the pacer\n" \
  " (gcc-02 5.2: 5 ms)\n" \
  "merge-cap time [0, 1.844674407e+19] 'ns'\n" \
  " Longest time whose packets are merged into one group\n" \
  "merge-faster double [0, 100] ''\n" \
  " A group merged after a pause arrived so many times faster than the mean; 0: any\n" \
  "slope-noise double [0, 1] ''\n" \
  " Process noise of the slope in the filter kalman2; 0: libwebrtc's\n" \
  " (libwebrtc)\n" \
  "offset-noise double [0, 1000000] 'ms^2'\n" \
  " Process noise of the offset in the filter kalman2; 0: libwebrtc's\n" \
  " (libwebrtc)\n" \
  "clip double [0, 1000000] 'standard deviations'\n" \
  " Largest residual that the noise of the filter kalman takes whole; 0: any\n" \
  " (gcc-02 5.3: 3)\n" \
  "clip-state bool [0, 1] ''\n" \
  " The state of the filter kalman takes clipped residuals, too\n" \
  " (gcc-02 5.3: no)\n" \
  "gain double [0, 1000000] ''\n" \
  " The trend is the filter's output times the number of groups, at most this\n" \
  " (libwebrtc: 60)\n" \
  "threshold-up double [0, 1] '1/ms'\n" \
  " Gain of the over-use threshold towards a larger trend\n" \
  " (gcc-02 5.4: 0.01, libwebrtc: 0.0087)\n" \
  "threshold-down double [0, 1] '1/ms'\n" \
  " Gain of the over-use threshold towards a smaller trend\n" \
  " (gcc-02 5.4: 0.00018, libwebrtc: 0.039)\n" \
  "threshold-start double [0, 600] 'ms'\n" \
  " Over-use threshold at first; 0: 12.5\n" \
  " (gcc-02 5.4)\n" \
  "overuse-time time [0, 1.844674407e+19] 'ns'\n" \
  " How long over-use lasts before it counts\n" \
  " (gcc-02 5.4: 10 ms)\n" \
  "eta double [1, 10] '1/s'\n" \
  " Multiplicative increase in a second\n" \
  " (gcc-02 5.5: 1.08)\n" \
  "eta-varies bool [0, 1] ''\n" \
  " Increase by round trip and noise instead\n" \
  " (rtcweb-02)\n" \
  "beta double [0.01, 1] ''\n" \
  " Decrease to this share of the received rate\n" \
  " (gcc-02 5.5: 0.85)\n" \
  "cap double [1, 1000] ''\n" \
  " No increase beyond this multiple of the received rate\n" \
  " (gcc-02 5.5: 1.5)\n" \
  "converge bool [0, 1] ''\n" \
  " Additive increase near the rate of former decreases\n" \
  " (gcc-02 5.5)\n" \
  "learn double [0, 1] ''\n" \
  " Weight of a decrease in the mean of their rates\n" \
  " (libwebrtc: 0.05)\n" \
  "beta-small double [0, 1] ''\n" \
  " Decrease to this share while the queue is short; 0: beta\n" \
  "drain-time time [0, 1.844674407e+19] 'ns'\n" \
  " A decrease goes below beta-small by what empties the queue in this time; 0: not\n" \
  "drain-resume double [0, 1] ''\n" \
  " Once a decrease has emptied the queue the rate is this share of what arrived at it; 0: it " \
  "climbs\n" \
  "drain-doubt u32 [0, 16] ''\n" \
  " A decrease that does not shorten a long queue that overflows halves what the next takes off " \
  "for it, down to this power of a half; 0: it does not\n" \
  "queue-floor time [0, 1.844674407e+19] 'ns'\n" \
  " Over-use with a shorter queue only holds the rate\n" \
  "recover double [0, 1] ''\n" \
  " Climb by 50 % a second to this share of the measured capacity; 0: not\n" \
  "recover-free bool [0, 1] ''\n" \
  " For 10 s after a decrease that climb heeds neither cap nor under-use where a receiver sees no probes\n" \
  "climb double [0, 10] ''\n" \
  " A receiver that sees no probes takes eta to this power from 3 s after a decrease, while it sees no queue and knows no capacity; 0: eta\n" \
  "rate-window time [1000000, 1.844674407e+19] 'ns'\n" \
  " Window of the received rate\n" \
  " (gcc-02 5.5: 500 ms)\n" \
  "fast-window time [0, 1.844674407e+19] 'ns'\n" \
  " The same at a decrease; 0: rate-window\n" \
  "pause time [0, 1.844674407e+19] 'ns'\n" \
  " A decrease leaves a longer pause of the arrivals out of the received rate; 0: none\n" \
  "l4s bool [0, 1] ''\n" \
  " The share of packets marked CE lowers the rate in proportion; needs feedback of packets, " \
  "and packets sent as ECT(1)\n" \
  " (RFC 9331 4.3)\n" \
  "l4s-pacing double [0.1, 10] ''\n" \
  " pacing-factor with l4s\n" \
  "ecn-as-loss bool [0, 1] ''\n" \
  " A packet marked CE counts as lost\n" \
  " (RFC 6679 7.3.3)\n" \
  "base-rise time [0, 1.844674407e+19] 'ns'\n" \
  " The base delay rises to the shortest of so long where that stood still while the rate varied and nothing was lost; 0: after 10 to 20 s\n" \
  "capacity-drop time [0, 1.844674407e+19] 'ns'\n" \
  " Over-use at once where the delay grows by so much within some packets, and at most half their rate and the target comes out; 0: off\n" \
  "stand-time time [0, 1.844674407e+19] 'ns'\n" \
  " Over-use with a younger queue only holds the rate\n" \
  "stand-limit time [0, 1.844674407e+19] 'ns'\n" \
  " A queue that is never shorter for 0.4 s is over-use, whatever its slope; 0: off\n" \
  "loss-cause bool [0, 1] ''\n" \
  " Loss limits the rate only where it falls with the rate\n" \
  "loss-second-cut double [0, 1] ''\n" \
  " Loss that stays is the path's own only if it stays at this share of the rate, too; 0: one " \
  "test is enough\n" \
  "full-queue time [0, 1.844674407e+19] 'ns'\n" \
  " A queue counts as full for so long once the skewness of the delay shows it.  Losses behind " \
  "it are over-use; 0: off\n" \
  "tcp-share double [0, 4] ''\n" \
  " Where others keep a queue long and packets are lost, nothing takes the rate below this " \
  "multiple of what TCP's equations give there; 0: it does\n (RFC 5348 3.1, RFC 9438 5.1)\n" \
  "flight-extra time [0, 1.844674407e+19] 'ns'\n" \
  " More in flight than the target sends in the least round trip and this lowers the target; " \
  "0: off\n" \
  " (libwebrtc: 350 ms)\n" \
  "fill-gaps bool [0, 1] ''\n" \
  " Packets of which lost feedback told count as received, as the others\n" \
  "pacing-factor double [0.1, 10] ''\n" \
  " Packets leave at this multiple of the target\n" \
  " (libwebrtc: 2.5)\n" \
  "queue-drain time [0, 1.844674407e+19] 'ns'\n" \
  " What waits here is to leave within this time; 0: not\n" \
  "backlog-from time [0, 1.844674407e+19] 'ns'\n" \
  " What waits here for longer lowers the encoder's rate\n" \
  "backlog-over time [0, 1.844674407e+19] 'ns'\n" \
  " ... so far that it is gone within this time; 0: never\n" \
  "pacing-floor double [0, 10] ''\n" \
  " Pace at this multiple of the least rate or more; 0: not\n" \
  "feedback-timeout time [0, 1.844674407e+19] 'ns'\n" \
  " The target halves when no feedback came for so long, or for two of the peer's own intervals " \
  "where those are longer. " \
  "Where receiver reports are all that comes it is three of theirs, 7.5 s at most\n" \
  "timeout-repeat time [0, 1.844674407e+19] 'ns'\n" \
  " The same once it has halved, or one of the peer's intervals; 0: feedback-timeout\n" \
  "probe-first double [0, 10] ''\n" \
  " Rate of the first probe as a multiple of the start rate; 0: probe-factor\n" \
  " (libwebrtc: 3)\n" \
  "probe-factor double [0, 10] ''\n" \
  " Rate of a probe as a multiple of the rate that the link has shown; 0: no probes\n" \
  " (libwebrtc: 2)\n" \
  "probe-later double [0, 10] ''\n" \
  " Rate of the first probe after a fall as a multiple of the target; 0: probe-factor\n" \
  "probe-interval time [0, 1.844674407e+19] 'ns'\n" \
  " Time between probes once the start is over; 0: none then\n" \
  "probe-interval-most time [0, 1.844674407e+19] 'ns'\n" \
  " Congestion within 2 s of a probe's answer doubles probe-interval up to this; 0: not\n" \
  "probe-trust time [0, 1.844674407e+19] 'ns'\n" \
  " An answered probe behind a queue of so much raises nothing, behind a shorter one the less the longer " \
  "it is.  Not before the first over-use, nor of trains, nor where tcp-share is 0 or sees a queue most of the time; " \
  "0: it is believed\n" \
  "probe-doubt u32 [0, 16] ''\n" \
  " Over-use where it was before a probe showed more halves what is believed of the next, down " \
  "to this power of a half; 0: it is believed\n" \
  "probe-span time [0, 1.844674407e+19] 'ns'\n" \
  " Length of a probe at its rate\n" \
  "reordering time [0, 1000000000] 'ns'\n" \
  " Packets that overtake others by up to this do not spoil a probe, and what they overtake " \
  "says nothing of the queue and is not lost; 0: they do\n" \
  "feedback-interval time [0, 1.844674407e+19] 'ns'\n" \
  " Time between a receiver's feedback\n" \
  " (gcc-02 2: 1 s)\n" \
  "repeat u32 [0, 512] 'packets'\n" \
  " An RFC 8888 report tells again of the last so many packets of a stream\n" \
  " (RFC 8888 3.1)\n" \
  "trains bool [0, 1] ''\n" \
  " Lift a receiver's estimate by trains of packets\n" \
  "train-factor double [0, 10] ''\n" \
  " What leaves faster than the estimate by this factor is a train\n" \
  "train-interval time [0, 1.844674407e+19] 'ns'\n" \
  " Least time between trains that would be none with the pause before them; behind a queue that stands these never count; 0: all count\n"

#define GCC_PROFILES \
  " GccProfile\n" \
  "  paper = 0: As the packet-grouping paper has it (ANRW'16)\n" \
  "  default = 1: The best we know\n" \
  "  rrtcc = 2: As in 2012, a baseline (draft-alvestrand-rtcweb-congestion-02/-03)\n"

#define LIMITS_SETTINGS \
  "min-bitrate live u32 [1000, 4294967295] 'bit/s'\n" \
  " Smallest target, whatever the network says; wins over max-bitrate\n" \
  "start-bitrate u32 [1000, 4294967295] 'bit/s'\n" \
  " Target until the first feedback\n" \
  "max-bitrate live u32 [1000, 4294967295] 'bit/s'\n" \
  " Largest target, for media, repair and padding together\n"

#define SBPN_SETTINGS \
  "priority-weight live time [0, 1.844674407e+19] 'ns'\n" \
  " Mode weighted: how much sooner a packet has to expire, to go before one of the next higher " \
  "priority; 0: by expiry alone\n" \
  "deficit-limit live u32 [0, 4294967295] 'B'\n" \
  " Mode weighted: how far a pad may fall behind its share, by weight, of what leaves, " \
  "before it goes first whatever waits elsewhere\n"

#define SBPN_MODES \
  " SbpnMuxMode\n" \
  "  fifo = 0: In order of arrival\n" \
  "  sbpn1 = 1: By priority and expiry; what would come too late is dropped\n" \
  "  sbpn2 = 2: The same, but what is alone in the queue is sent\n" \
  "  sbpn3 = 3: Expired packets are dropped only where room is short, and go when nothing " \
  "is live\n" \
  "  weighted = 4: The same, by priority and slack together; nobody starves\n"

#define SBPN_ONE_WAY_DELAYS \
  " SbpnMuxOneWayDelay\n" \
  "  measured = 0: The one-way delay that feedback per packet shows; RTT / 2 where there " \
  "is none\n" \
  "  half-rtt = 1: RTT / 2, as the SBPN paper has it\n"

#define TFRC_SETTINGS \
  "tfrc-form choice [0, 0] ''\n" \
  " Which document TFRC follows\n" \
  " (RFC 5348)\n" \
  " TfrcForm\n" \
  "  rfc5348 = 0: RFC 5348\n" \
  "  rfc3448 = 1: RFC 3448, as the SBPN paper had it\n" \
  "tfrc-packet-size u32 [0, 65535] 'B'\n" \
  " Packet size s; 0: the mean of what is sent\n" \
  " (RFC 5348 4.1)\n" \
  "tfrc-mss u32 [0, 65535] 'B'\n" \
  " Largest packet, for the initial window\n" \
  " (RFC 5348 4.2)\n" \
  "tfrc-damping bool [0, 1] ''\n" \
  " Lower the rate while the round trip grows\n" \
  " (RFC 5348 4.5)\n" \
  "tfrc-discounting bool [0, 1] ''\n" \
  " Give old loss intervals less weight after a long one\n" \
  " (RFC 5348 5.5)\n" \
  "tfrc-faster-restart bool [0, 1] ''\n" \
  " After a pause return sooner to a rate that was received before it\n" \
  " (draft-ietf-dccp-tfrc-faster-restart)\n"

#define NADA_SETTINGS \
  "nada-form choice [0, 0] ''\n" \
  " What NADA follows\n" \
  " (RFC 8698)\n" \
  " NadaForm\n" \
  "  rfc8698 = 0: RFC 8698\n" \
  "  ns3-rmcat = 1: As the authors' code: no rate-shaping buffer, the least delay of all " \
  "times, deaf to missing feedback\n" \
  "nada-priority double [0.01, 100] ''\n" \
  " PRIO, weight of the flow\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-x-ref time [0, 6e+10] 'ns'\n" \
  " XREF, reference congestion level\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-kappa double [0, 10] ''\n" \
  " KAPPA, of the gradual update\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-eta double [0, 100] ''\n" \
  " ETA, of the gradual update\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-tau time [1000000, 6e+10] 'ns'\n" \
  " TAU, upper bound of the round trip\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-delta time [1000000, 6e+10] 'ns'\n" \
  " DELTA, between two updates\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-log-window time [1000000, 6e+10] 'ns'\n" \
  " LOGWIN, of the statistics\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-q-eps time [0, 6e+10] 'ns'\n" \
  " QEPS, a queuing delay from which on there is no ramp-up\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-d-filt time [0, 6e+10] 'ns'\n" \
  " DFILT, bound on the filtering delay\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-gamma-max double [0, 10] ''\n" \
  " GAMMA_MAX, most that the ramp-up adds\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-q-bound time [0, 6e+10] 'ns'\n" \
  " QBOUND, queue that the ramp-up may build\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-multi-loss double [0, 1000] ''\n" \
  " MULTILOSS, loss intervals until a loss expires\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-q-th time [1000000, 6e+10] 'ns'\n" \
  " QTH, a queuing delay from which on it is warped\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-lambda double [0, 100] ''\n" \
  " LAMBDA, of the warping\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-plr-ref double [0.0001, 1] ''\n" \
  " PLRREF, reference loss ratio\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-pmr-ref double [0.0001, 1] ''\n" \
  " PMRREF, reference marking ratio\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-d-loss time [0, 6e+10] 'ns'\n" \
  " DLOSS, penalty for loss at PLRREF\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-d-mark time [0, 6e+10] 'ns'\n" \
  " DMARK, penalty for marks at PMRREF\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-fps double [0, 1000] ''\n" \
  " FPS, frame rate of the video\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-alpha double [0, 1] ''\n" \
  " ALPHA, of the smoothed loss and marking ratios\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-beta-s double [0, 10] ''\n" \
  " BETA_S, what waits raises the sending rate\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-beta-v double [0, 10] ''\n" \
  " BETA_V, what waits lowers the encoder's rate\n" \
  " (RFC 8698 4.1, Table 2)\n" \
  "nada-x-max time [0, 6e+10] 'ns'\n" \
  " Largest congestion signal\n" \
  " (cisco/ns3-rmcat, XMAX)\n" \
  "nada-base-horizon time [1000000000, 1.844674407e+19] 'ns'\n" \
  " How long a base delay is believed\n" \
  " (RFC 6817 BASE_HISTORY)\n" \
  "nada-feedback-timeout time [100000000, 1.844674407e+19] 'ns'\n" \
  " Without feedback for so long the rate is halved\n"

#define FBRA_DEFAULTS \
  "p-low=0.4\np-high=0.8\nowd-window=3e+10\nowd-floor=0\nmax-delay=400000000\n" \
  "alpha-undershoot=2\nalpha-stay=1.1\nalpha-down-probe=1.6\nalpha-down-up=1.4\n" \
  "beta=1.2\nstay-excess=0\nalarm-excess=0\nstray-loss=0\nrecent=0.5\n" \
  "feedback-interval=100000000\ninterval-rtts=2\npool=0\nearly=0.5\n" \
  "silent-intervals=2\nfirst-timeout=2500000000\nundershoot-delta=2\n" \
  "undershoot-factor=0.9\ndeactivate=1.05\ndeactivate-reports=1\nby-capacity=0\n" \
  "ahead=0\nbounce=0.9\nbounce-kept=0\nprobe-backoff=0\nprobe-backoff-max=0\nreserve=0\n" \
  "share-varies=0\nshare-step=50000\nshare-bounce=0.85\nshare-backoff=2000000000\nroomy=0\n" \
  "near=0.9\nrates-window=2000000000\nfilled=0.67\nfec-interval-rule=0\n" \
  "parity-least=0\nfec-flush=0\nfec-interval-min=2\nfec-interval-max=14\nfec-interval-low=8\n" \
  "fec-interval-initial=0.85\nfec-interval-peak=0.5\n"

#define FBRA_PLUS_DEFAULTS \
  "p-low=0.4\np-high=0.4\nowd-window=3e+10\nowd-floor=0\nmax-delay=400000000\n" \
  "alpha-undershoot=2\nalpha-stay=3\nalpha-down-probe=1.6\nalpha-down-up=1.4\n" \
  "beta=1.2\nstay-excess=25000000\nalarm-excess=60000000\nstray-loss=0.05\nrecent=0.5\n" \
  "feedback-interval=100000000\ninterval-rtts=2\npool=0\nearly=0.5\n" \
  "silent-intervals=2\nfirst-timeout=2500000000\nundershoot-delta=2\n" \
  "undershoot-factor=0.9\ndeactivate=1.05\ndeactivate-reports=1\nby-capacity=1\n" \
  "ahead=1\nbounce=0.95\nbounce-kept=0\nprobe-backoff=1.2e+10\nprobe-backoff-max=1.2e+10\n" \
  "reserve=0.94\nshare-varies=0.03\nshare-step=50000\nshare-bounce=0.85\nshare-backoff=2000000000\n" \
  "roomy=12\nnear=0.9\nrates-window=2000000000\nfilled=0.67\n" \
  "fec-interval-rule=2\nparity-least=1\nfec-flush=0\nfec-interval-min=7\nfec-interval-max=14\n" \
  "fec-interval-low=8\nfec-interval-initial=0.85\nfec-interval-peak=0.5\n"

#define CNADU_DEFAULTS \
  "cnadu-increase=1.05\ncnadu-p-low=0.75\ncnadu-p-high=0.9\ncnadu-max-delay=400000000\n"

#define GCC_PAPER_DEFAULTS \
  "filter=0\ngrouping=1\nloss-control=0\nburst=5000000\nmerge-cap=1.844674407e+19\n" \
  "merge-faster=0\nslope-noise=0\noffset-noise=0\nclip=3\nclip-state=0\ngain=60\nthreshold-up=0.0087\n" \
  "threshold-down=0.039\nthreshold-start=0\noveruse-time=10000000\neta=1.08\n" \
  "eta-varies=0\nbeta=0.85\ncap=1.5\nconverge=0\nlearn=0\nbeta-small=0\ndrain-time=0\n" \
  "drain-resume=0\ndrain-doubt=0\nqueue-floor=0\nrecover=0\nrecover-free=0\nclimb=0\nrate-window=500000000\nfast-window=0\npause=0\nl4s=0\n" \
  "l4s-pacing=1.45\necn-as-loss=0\n" \
  "base-rise=0\ncapacity-drop=0\nstand-time=0\nstand-limit=0\nloss-cause=0\nloss-second-cut=0\nfull-queue=0\ntcp-share=0\nflight-extra=0\nfill-gaps=0\n" \
  "pacing-factor=2.5\nqueue-drain=0\nbacklog-from=0\nbacklog-over=0\n" \
  "pacing-floor=0\nfeedback-timeout=5000000000\ntimeout-repeat=0\nprobe-first=0\nprobe-factor=0\n" \
  "probe-later=0\nprobe-interval=0\nprobe-interval-most=0\nprobe-trust=0\nprobe-doubt=0\nprobe-span=0\nreordering=0\nfeedback-interval=1000000000\nrepeat=0\n" \
  "trains=0\ntrain-factor=0\ntrain-interval=0\n"

#define GCC_DEFAULTS \
  "filter=2\ngrouping=2\nloss-control=2\nburst=5000000\nmerge-cap=100000000\n" \
  "merge-faster=2\nslope-noise=0\noffset-noise=0\nclip=3\nclip-state=0\ngain=60\n" \
  "threshold-up=0.0087\nthreshold-down=0.039\nthreshold-start=0\n" \
  "overuse-time=30000000\neta=1.08\neta-varies=0\nbeta=0.85\ncap=1.5\nconverge=1\n" \
  "learn=0.3\nbeta-small=0.97\ndrain-time=600000000\ndrain-resume=0\ndrain-doubt=8\nqueue-floor=15000000\n" \
  "recover=0.97\nrecover-free=1\nclimb=2\nrate-window=500000000\nfast-window=200000000\npause=0\nl4s=0\n" \
  "l4s-pacing=1.45\necn-as-loss=0\n" \
  "base-rise=1000000000\ncapacity-drop=60000000\nstand-time=60000000\nstand-limit=15000000\nloss-cause=1\nloss-second-cut=0.8\nfull-queue=5000000000\ntcp-share=0.5\nflight-extra=500000000\nfill-gaps=1\n" \
  "pacing-factor=1.05\nqueue-drain=1000000000\n" \
  "backlog-from=200000000\nbacklog-over=1000000000\npacing-floor=0\n" \
  "feedback-timeout=800000000\ntimeout-repeat=400000000\nprobe-first=3\nprobe-factor=2\nprobe-later=1.5\n" \
  "probe-interval=1000000000\nprobe-interval-most=0\nprobe-trust=12000000\nprobe-doubt=4\nprobe-span=30000000\nreordering=20000000\nfeedback-interval=200000000\nrepeat=16\n" \
  "trains=1\ntrain-factor=1.15\ntrain-interval=1000000000\n"

#define GCC_RRTCC_DEFAULTS \
  "filter=1\ngrouping=0\nloss-control=1\nburst=1000000\nmerge-cap=1.844674407e+19\n" \
  "merge-faster=0\nslope-noise=1e-10\noffset-noise=0.01\nclip=3\nclip-state=0\ngain=60\n" \
  "threshold-up=0\nthreshold-down=0\nthreshold-start=25\noveruse-time=100000000\n" \
  "eta=1.08\neta-varies=1\nbeta=0.9\ncap=1.5\nconverge=0\nlearn=0\nbeta-small=0\n" \
  "drain-time=0\ndrain-resume=0\ndrain-doubt=0\nqueue-floor=0\nrecover=0\nrecover-free=0\nclimb=0\nrate-window=500000000\nfast-window=0\n" \
  "pause=0\nl4s=0\nl4s-pacing=1.45\necn-as-loss=0\nbase-rise=0\ncapacity-drop=0\nstand-time=0\nstand-limit=0\nloss-cause=0\nloss-second-cut=0\nfull-queue=0\ntcp-share=0\n" \
  "flight-extra=0\nfill-gaps=0\n" \
  "pacing-factor=2.5\nqueue-drain=0\nbacklog-from=0\n" \
  "backlog-over=0\npacing-floor=0\nfeedback-timeout=5000000000\ntimeout-repeat=0\nprobe-first=0\n" \
  "probe-factor=0\nprobe-later=0\nprobe-interval=0\nprobe-interval-most=0\nprobe-trust=0\nprobe-doubt=0\nprobe-span=0\nreordering=0\n" \
  "feedback-interval=1000000000\nrepeat=0\ntrains=0\ntrain-factor=0\ntrain-interval=0\n"

#define BREAKER_DEFAULTS \
  "tcp-model=0\nmultiplier=10\nreduce-first=0\nrequire-rtcp=1\n" \
  "rtcp-min-interval=1.844674407e+19\nbandwidth=0\nmedia-usability=0\n"

#define BREAKER_RULES_DEFAULTS \
  "mode=0\nmedia-timeout-reports=5\necn-as-loss=0\nframe-group-size=1\n" \
  "hold-below=0.5\n" \
  "interval-packet-size=1\n" \
  "frame-interval=1.844674407e+19\nrtcp-rr-interval=0\nrtcp-fraction=0.05\n" \
  "unusable-loss=0.5\nunusable-delay=1000000000\nunusable-time=2e+10\n"

#define BREAKER_RULES_DRAFT_DEFAULTS \
  "mode=1\nmedia-timeout-reports=2\necn-as-loss=1\nframe-group-size=1\n" \
  "hold-below=0\n" \
  "interval-packet-size=0\n" \
  "frame-interval=1.844674407e+19\nrtcp-rr-interval=0\nrtcp-fraction=0.05\n" \
  "unusable-loss=0.5\nunusable-delay=1000000000\nunusable-time=2e+10\n"

#define TFRC_DEFAULTS \
  "tfrc-form=0\ntfrc-packet-size=0\ntfrc-mss=1200\ntfrc-damping=1\ntfrc-discounting=1\n" \
  "tfrc-faster-restart=0\n"

#define NADA_DEFAULTS \
  "nada-form=0\nnada-priority=1\nnada-x-ref=10000000\nnada-kappa=0.5\nnada-eta=2\n" \
  "nada-tau=500000000\nnada-delta=100000000\nnada-log-window=500000000\n" \
  "nada-q-eps=10000000\nnada-d-filt=120000000\nnada-gamma-max=0.5\nnada-q-bound=50000000\n" \
  "nada-multi-loss=7\nnada-q-th=50000000\nnada-lambda=0.5\nnada-plr-ref=0.01\n" \
  "nada-pmr-ref=0.01\nnada-d-loss=10000000\nnada-d-mark=2000000\nnada-fps=30\n" \
  "nada-alpha=0.1\nnada-beta-s=0.1\nnada-beta-v=0.1\nnada-x-max=500000000\n" \
  "nada-base-horizon=6e+11\nnada-feedback-timeout=2000000000\n"

#define SBPN_DEFAULTS \
  "priority-weight=100000000\ndeficit-limit=3000\n"

#define LIMITS_DEFAULTS \
  "min-bitrate=50000\nstart-bitrate=300000\nmax-bitrate=10000000\n"

#endif
