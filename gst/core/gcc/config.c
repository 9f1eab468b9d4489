/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/config.h"

/* Carlucci et al., ANRW'16, as they ran it.  Where the paper gives a range or nothing:
 *  - eta, beta and the detector's hold are draft-ietf-rmcat-gcc-02's, the gain of 60 is libwebrtc's
 *    (the paper's m against 12.5 ms would never cross), REMB every second and at once below 97 %
 *    is MMSys'16;
 *  - groups leave at 2.5 times the target.  Section 4.2 has a lobe of the variation near -20 ms,
 *    from the last group of a frame to the first of the next: 33.3 - 33.3 / 2.5 is 20.  At the
 *    target itself the last group leaves as the next frame comes, and there is no such lobe;
 *  - the threshold's gains are those of the Chromium code of that time, in whose simulator the
 *    paper was made.  The draft's (.01, .00018), to whose design the paper refers, are
 *    `rccsim --thresholds draft'; tools/reproduce grouping has what they change.
 * A feedback timeout is in no paper; it acts only once the paper's controller has nothing left to
 * go by. */
static const RccGccConfig paper = {
  .profile = RCC_GCC_PAPER,
  .grouping = RCC_GROUPING_PAPER, .burst = 5 * RCC_MSEC, .merge_cap = RCC_NEVER,
  .filter = RCC_FILTER_KALMAN, .clip = 3.0, .gain = 60.0, .overuse = RCC_OVERUSE_WEBRTC,
  .aimd = { .eta = 1.08, .beta = 0.85, .cap = 1.5 },
  .rate_window = 500 * RCC_MSEC,
  .loss = RCC_LOSS_PAPER, .pacing_factor = 2.5, .l4s_pacing = 1.45,
  .feedback_timeout = 5 * RCC_SEC,
  .feedback_interval = RCC_SEC,
};

/* What differs from `paper', and why; tests/sim/test-rfc8867.c and test-wifi.c print
 * the figures:
 *  - the draft's grouping: Algorithm 1 compares departures with the packet before, so
 *    a sender that leaves no 5 ms gaps would hardly ever close a group;
 *  - the trendline with libwebrtc's threshold, held for 30 ms: the shortest queue of
 *    all pairs on a wired path, and with the pre-filter the best rate for its delay on
 *    the Wi-Fi trace;
 *  - the bursts of a sender that wakes late are not merged (merge_faster, groups.c), and
 *    the queue that a decrease goes by is its least of 30 to 60 ms (delay.c);
 *    tests/sim/test-late.c;
 *  - over-use acts on a queue that has stood for 60 ms (a frame, a probe or a short outage
 *    leaves one that goes by itself), and the rate it goes by is what left that queue: what
 *    came before is what the source made;
 *  - after a decrease, back to just below the measured capacity, then additively;
 *  - probes each second.  They ride on the frames, so they cost few bytes; pacing at
 *    1.05 leaves the encoder's bursts in the sender, where they hurt nobody else;
 *  - the first probe after a fall is at 1.5 times the target: the queue of five flows (RFC 8867
 *    5.5, over ns-3) has 126 ms in the 95th percentile, with 2 times 174; more care than that
 *    takes longer to climb (5.1) and costs fairness;
 *  - a queue that stands is over-use (standing.h), loss limits the rate only where it falls with
 *    the rate (loss-cause.h), and too much in flight lowers the target (flight.h).  Silence
 *    counts after four of the receiver's intervals.  tools/reproduce control has the figures:
 *    8 % of loss for ever behind a queue of 30 ms became .9 %, .25 of the rate at 10 % of random
 *    loss became .86.  The price is .03 of the rate on cellular traces, and up to a fifth of the
 *    share beside Reno behind 100 ms.
 *  - over-use where it was before a probe showed more halves what is believed of the next
 *    (doubt.h): of 184 figures of tools/reproduce control-rows 87 are reached in place of 70, and
 *    none is missed that was reached (seeds 401 to 405).  A token bucket of 10 kB has a queue of
 *    70 to 86 ms (p95) in place of 234 to 290, 1 and 2 Mbit/s by the second 71 to 74 in place of
 *    272 to 277.  The price: Jain of 5.5 is .89 to .94 in place of .91 to .97, of 5.2 .99 in
 *    place of .995.  A trace of LTE is used to .55 to .65 in place of .62 to .68, with no longer
 *    queue, as over-use comes back there to where it was by chance.  The Wi-Fi trace is used to
 *    1882 kbit/s in place of 1950 (tests/sim/test-wifi.c).  Eight traces that it was not made
 *    with (FCC, HSDPA) see no difference (seeds 701 to 703);
 *  - what overtakes others by up to 20 ms spoils no probe, and what is late is not lost
 *    (reorder.h): nine tenths of a path that reorders are used after 2 s in place of 12 to 26
 *    (tests/sim/test-reordering.c).  Paths that keep the order see no difference.
 *
 * loss-second-cut .8: beside Reno behind 30 ms TCP has .31 to .33 of what both receive, in place of
 * .22 to .33. CoDel, PIE and FQ-CoDel lose .6 to .9 % in place of .7 to 1.4, for a hundredth of the
 * rate, as with random loss (seeds 201 to 204; no seed was used to choose .8).
 *
 * drain-doubt 8 (drain.h): beside a long TCP flow (RFC 8867 5.6) 510 to 614 kbit/s in place of 367
 * to 389, beside Cubic behind 300 ms .28 to .33 of what both receive in place of .16 to .20
 * (rccns3, seeds 601 to 603; the conditions were chosen on others), beside Reno behind 300 ms .33
 * to .41 in place of .29 to .35 (tools/reproduce control).  All else there is the same to .01.
 *
 * full-queue 5 s: eight flows on 1 Mbit/s lose .9 to 1.3 % in place of 18 to 24, twenty on 4 Mbit/s
 * 3.8 to 5.7 in place of 25 to 31 (seeds 601 to 603).  It was made with seeds 701 and 702 of these
 * two.  Of six other crowds, 5 to 40 flows on .5 to 10 Mbit/s, those that lost 9 to 33 % lose .5 to
 * 5.2 (701, 702).  Beside many short TCP flows (RFC 8867 5.7) two flows lose 3.2 to 3.7 % in place
 * of 13 to 21, and TCP has 1280 to 1460 kbit/s in place of 250 to 580.  The price: they fall to
 * their least rate, 170 kbit/s, and to 142 of that in the worst seconds.  Where 3 % are lost at
 * random and the jitter is 5 ms, REMB has 826 kbit/s of 1 Mbit/s in place of 908, TWCC 887 in place
 * of 904 (rccsim, seeds 1 to 10).
 *
 * tcp-share .5 (tcp-share.h): beside the kernel's Reno and Cubic behind 100 ms 19 and 26 % of the
 * first minute in place of 8 and 13, behind 300 ms 42 and 24 in place of 11 (tools/testbed beside,
 * n = 3, with a receiver's wait of 300 ms; since that grows 35 and 36 behind 300 ms). Over rccsim
 * and rccns3 .48 to .49 beside Reno behind 100 ms in place of .38 to .41, .40 to .44 beside Cubic
 * behind 300 ms in place of .32, 820 to 900 kbit/s in 5.6 in place of 588 to 622 (tools/reproduce
 * control-rows, 20 seeds; without it 1001 to 1003). Video alone on paths whose rate, delay and
 * loss change has .999 times the p95 of the delay without it, 1.16 at most (90 schedules, three
 * formats). Before the rate of a queue was looked at it was up to 7.8 times on slow ones. The
 * price: eight flows on 1 Mbit/s lose 2.0 to 2.4 % in place of 1.0 to 1.2. .5 was chosen with 1001
 * to 1003: with .75 Reno has a third.
 *
 * climb 2 and recover-free are for senders that do not probe, as Chromium's where it is
 * told by REMB.  It fills .90 to .96 of 1500 kbit/s after 500 in place of .77, and .88 to .91 of
 * 500 from 5 s after a fall from 2000 in place of .81 to .86; with climb alone .86 to .87 (4, 4
 * and 4 calls of tests/interop chromium_sends_long).  With climb where a capacity is known, too,
 * 2 of 5 fell below .6 of 500.  Without probes on paths whose rate, delay and loss change the rate
 * is 1.046 times, p95 of the delay 1.013 times, 1.16 at most (40 schedules, rccsim, REMB); five
 * calls on 3 Mbit/s have a Jain index of .990 in place of .996.  Since recover-free does not
 * wait for the filter Chromium fills .90 to .92 of 500 in place of .85 to .86 (4 and 4 calls of
 * 24 s, the fall at 12 s).  For all senders that had .003 to .006 more of RFC 8867 5.1, but a queue
 * of 250 ms in place of 150 (p95) on 20 kbit/s with a late clock.
 *
 * capacity-drop 60 ms: where 3, 1, 2 and .5 Mbit/s follow each other 1.0 to 1.4 % are lost in place
 * of 2.7 to 3.0 (by late clocks 1.7 to 1.8 in place of 3.0 to 3.3), and p95 of the queue is 7 to
 * 22 ms less.  On a trace of LTE .55 to .59 of the capacity are used in place of .62 to .64, behind
 * a queue (p95) of 440 to 460 ms in place of 470 to 550.  What does not fall does not move (seeds
 * 911 to 916, late clocks 931 to 936).
 *
 * base-rise 1 s: where a route gets 60 ms longer .93 to .94 of 1 Mbit/s are used in the next 20 s
 * in place of .92 to .93, by late clocks .89 to .92 in place of .83 to .85; 150 ms
 * .87 to .90 in place of .84 to .85, .85 to .88 in place of .78 to .80. p95 of the queue is up to
 * 11 ms more. Where no path gets longer nothing moves, but beside Reno by chance (seeds 931 to
 * 934; the 10 ms were set after 901 to 923). A path that is 100 ms longer and shorter by turns,
 * each 5 s, is used to .85 to .88 in place of .78 to .81, and with REMB has a queue (p95) of 90 ms
 * in place of 36 (tests/sim/test-route-change.c).
 *
 * train-interval 1 s: three calls with REMB whose packets leave 3 to 10 ms late (exponential)
 * have a queue (p95) of 60 to 78 ms in place of 260 to 300, and lose nothing in place of .8 to
 * 2.7 %.  One late call has 35 to 52 ms in place of 240 to 270 where the jitter is 30 ms, and .90
 * to .94 of its share beside Reno behind 100 ms in place of .72.  The price: where the rate falls
 * and climbs each 5 s .003 to .04 of it, of late calls .08 to .10.  Other punctual calls see little
 * (seeds 961 to 1012; 951 to 956 were looked at first).
 *
 * stand-limit 15 ms, as queue-floor: alone on 2 to 20 Mbit/s p95 of the queue is 40 to 47 ms in
 * place of 43 to 55, 5 to 13 ms less where a route changes, 4 to 15 where a round trip takes 600
 * ms, and 98 % of the frames come up to 20 ms sooner.  The rate is equal to .006.  Behind 30 ms .6
 * to .8 % are lost in place of .7 to 1.0.  Late clocks see little of it (seeds 71 to 80; 71 to 76
 * late). It was 30, and 40 before.
 *
 * probe-trust 12 ms: with TWCC and RFC 8888 p95 of the queue is 55 to 57 ms in place of 75 to 77
 * for two flows (RFC 8867 5.2), 39 to 43 in place of 47 to 51 for three (5.4, 5.8), 47 to 50 in
 * place of 67 for five (5.5), and 15 in place of 41 where there is 30 ms of jitter (seeds 41 to
 * 50, with stand-limit 30 ms; it was chosen on 11 to 36).  The price: of the rate .015 with that
 * jitter and .006 where a round trip takes 600 ms. The last flow of 5.5 has .78 to .83 of its
 * share in place of 1.06 to 1.21. Two calls whose packets leave 10 ms late (exponential) have a
 * Jain index of .91 to .93 in place of .97 to .98, and five on 3 Mbit/s .69 in place of .78 (71 to
 * 80).  It is not asked of trains, as a receiver sees them: with REMB the queue of three is as
 * short without, and .04 of the rate would go with that jitter.
 *
 * A loss that is more than twice what is sure to be the path's own is tested twice (loss-cause.h):
 * beside Reno behind 30 ms 1.3 % are lost in place of 1.5 to 2.5, and .83 to .84 of the share is
 * used in place of .80 to .82 (24 seeds, 1001 to 1024).  Random loss costs .003 to .009 of the rate
 * more.
 *
 * Not on: pause 150 ms takes a path that stood still for a moment for as wide as before: .91 of
 * the capacity in the ten seconds after a stall of 300 ms in place of .83, but p95 of the queue
 * 497 ms in place of 439 on a trace of LTE, where a pause comes before a fall.
 *
 * Not on: pacing-floor 1.5 keeps what an encoder makes at its least rate from being dropped
 * here, but fills links that are slower.
 *
 * Not on: drain-resume .9 uses 1 and 2 Mbit/s by the second to .65 to .67 in place of .61 to .63,
 * the ten seconds after a stall of 300 ms to .94 in place of .91, a trace of Wi-Fi to .84 to .86 in
 * place of .73 to .75, one of LTE to .67 to .75 in place of .63 to .66.  But p95 of the queue on
 * that is 580 to 750 ms in place of 450 to 520, and behind a token bucket of 10 kB 4 % are lost in
 * place of 2 (seeds 301 to 305; .9 in place of .97 was chosen on others; without probe-doubt).
 * With it no more figures of control-rows are reached, and that queue is as long (seeds 401 to
 * 405). */
static const RccGccConfig best = {
  .profile = RCC_GCC_DEFAULT,
  .grouping = RCC_GROUPING_DRAFT, .burst = 5 * RCC_MSEC,
  .merge_cap = 100 * RCC_MSEC, .merge_faster = 2.0,
  .filter = RCC_FILTER_TRENDLINE, .clip = 3.0, .gain = 60.0,
  .overuse = { 0.0087, 0.039, 30 * RCC_MSEC },
  .aimd = { .eta = 1.08, .beta = 0.85, .cap = 1.5, .converge = true, .learn = 0.3,
      .beta_small = 0.97, .drain_time = 600 * RCC_MSEC, .queue_floor = 15 * RCC_MSEC,
      .recover = 0.97, .climb = 2, .recover_free = true, .doubt = 4, .drain_doubt = 8 },
  .rate_window = 500 * RCC_MSEC, .fast_window = 200 * RCC_MSEC, .stand_time = 60 * RCC_MSEC,
  .stand_limit = 15 * RCC_MSEC, .loss_cause = true, .loss_second_cut = 0.8,
  .full_queue = 5 * RCC_SEC, .tcp_share = 0.5, .base_rise = RCC_SEC,
  .capacity_drop = 60 * RCC_MSEC,
  .flight_extra = 500 * RCC_MSEC, .fill_gaps = true,
  .loss = RCC_LOSS_RELEASE, .pacing_factor = 1.05, .l4s_pacing = 1.45,
  .queue_drain = RCC_SEC,
  .backlog_from = 200 * RCC_MSEC, .backlog_over = RCC_SEC,
  .feedback_timeout = 800 * RCC_MSEC, .timeout_repeat = 400 * RCC_MSEC,
  .probe_first = 3.0, .probe_factor = 2.0, .probe_later = 1.5,
  .probe_interval = RCC_SEC, .probe_trust = 12 * RCC_MSEC, .probe_span = 30 * RCC_MSEC,
  .reordering = 20 * RCC_MSEC,
  .feedback_interval = 200 * RCC_MSEC, .repeat = 16, .trains = true, .train_factor = 1.15,
  .train_interval = RCC_SEC,
};

/* draft-alvestrand-rtcweb-congestion-02/-03: frames are the groups, nothing is merged, the
 * threshold stands at 25 ms for 100 ms, the filter has the noise that its code had then, a
 * decrease goes to 0.9 R of its 0.8 to 0.95. */
static const RccGccConfig rrtcc = {
  .profile = RCC_GCC_RRTCC,
  .grouping = RCC_GROUPING_NONE, .burst = RCC_MSEC, .merge_cap = RCC_NEVER,
  .filter = RCC_FILTER_KALMAN2, .slope_noise = 1e-10, .offset_noise = 1e-2, .clip = 3.0,
  .gain = 60.0,
  .overuse = { 0.0, 0.0, 100 * RCC_MSEC, 25.0 },
  .aimd = { .eta = 1.08, .eta_varies = true, .beta = 0.9, .cap = 1.5 },
  .rate_window = 500 * RCC_MSEC,
  .loss = RCC_LOSS_2012, .pacing_factor = 2.5, .l4s_pacing = 1.45,
  .feedback_timeout = 5 * RCC_SEC,
  .feedback_interval = RCC_SEC,
};

RccGccConfig
rcc_gcc_config (RccGccProfile profile)
{
  return profile == RCC_GCC_PAPER ? paper : profile == RCC_GCC_RRTCC ? rrtcc : best;
}
