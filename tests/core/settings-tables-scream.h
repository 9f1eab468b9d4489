/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * settings-tables-scream.h - SCReAM's rows of settings, for test-settings-tables.c
 */
#ifndef SETTINGS_TABLES_SCREAM_H
#define SETTINGS_TABLES_SCREAM_H

#define SCREAM_SETTINGS \
  "scream-l4s bool [0, 1] ''\n" \
  " CE marks count in proportion, as L4S has it\n" \
  " (screamv2 4.2.1.3: off)\n" \
  "scream-mss u32 [100, 1000000] 'B'\n" \
  " Largest packet\n" \
  " (screamv2 4.2.2: 1000)\n" \
  "scream-min-window u32 [100, 1000000] 'B'\n" \
  " Smallest reference window\n" \
  " (screamv2 4.2.2: 3000)\n" \
  "scream-beta-loss double [0, 1] ''\n" \
  " What losses leave of the window\n" \
  " (screamv2 4.2.2: 0.7)\n" \
  "scream-beta-ecn double [0, 1] ''\n" \
  " What CE leaves of it as classic ECN\n" \
  " (screamv2 4.2.2: 0.8)\n" \
  "scream-alpha-up double [0, 1] ''\n" \
  " Weight of the share of marks, if it is above the mean\n" \
  " (screamv2 4.2.1.3: 1/8)\n" \
  "scream-alpha-down double [0, 1] ''\n" \
  " The same, if it is below\n" \
  " (screamv2 4.2.1.3: 1/128)\n" \
  "scream-qdelay-target time [1000000, 1e+10] 'ns'\n" \
  " Queue from half of which on the window shrinks\n" \
  " (screamv2 4.2.2: 60 ms)\n" \
  "scream-qdelay-gain double [0, 1] ''\n" \
  " Weight of a queue that is above the mean\n" \
  " (screamv2 4.2.1.4: 1/4)\n" \
  "scream-reduce-jitter bool [0, 1] ''\n" \
  " Grow slower where the queue varies\n" \
  " (screamv2 4.2.1.4: off)\n" \
  "scream-jitter-threshold time [1000000, 1e+10] 'ns'\n" \
  " Variation at which the window grows slowest\n" \
  " (screamv2 4.2.1.4: 10 ms)\n" \
  "scream-virtual-rtt time [1000000, 1e+10] 'ns'\n" \
  " Round trips below are taken for this\n" \
  " (screamv2 4.2.2: 25 ms)\n" \
  "scream-post-congestion-rtts double [1, 1000000] ''\n" \
  " Round trips after congestion until the window grows at its fastest\n" \
  " (screamv2 4.2.2: 100)\n" \
  "scream-increase double [0, 1] ''\n" \
  " Largest growth in a round trip\n" \
  " (screamv2 4.2.2: 0.02)\n" \
  "scream-headroom double [1, 10] ''\n" \
  " Window over bytes in flight\n" \
  " (screamv2 4.2.2: 1.5)\n" \
  "scream-overhead-min double [1, 10] ''\n" \
  " Bytes in flight over the window, where the queue varies\n" \
  " (screamv2 4.3.1: 1.5)\n" \
  "scream-overhead-max double [1, 10] ''\n" \
  " The same, where it does not\n" \
  " (screamv2 4.3.1: 3)\n" \
  "scream-pacing-headroom double [1, 10] ''\n" \
  " Pacing rate over the target\n" \
  " (screamv2 4.3.2: 1.5)\n" \
  "scream-pacing-min u32 [1000, 1000000000] 'bit/s'\n" \
  " Smallest pacing rate\n" \
  " (screamv2 4.3.2: 50 kbit/s)\n" \
  "scream-relaxed-pacing double [1, 100] ''\n" \
  " Further factor at the maximum rate\n" \
  " (screamv2 4.3.2: 4)\n" \
  "scream-relaxed-from double [0, 0.99] ''\n" \
  " Share of the maximum rate from which that factor grows\n" \
  " (screamv2 4.3.2: 0.8)\n" \
  "scream-packet-overhead u32 [0, 1000000] 'B'\n" \
  " What packets cost beside their payload\n" \
  " (screamv2 4.4: 20)\n" \
  "scream-adjust-gain double [0, 1] ''\n" \
  " Weight of the send queue in the target\n" \
  " (screamv2 4.4: 1/16)\n" \
  "scream-frame-gain double [0, 1] ''\n" \
  " Weight of a large frame in the target\n" \
  " (screamv2 4.4: 1/64)\n" \
  "scream-clock-drift bool [0, 1] ''\n" \
  " Learn the base delay anew where the queue never empties\n" \
  " (screamv2 4.5.1: ours, on)\n" \
  "scream-conditional-loss bool [0, 1] ''\n" \
  " Losses count from a loss rate on\n" \
  " (screamv2 4.5.2: ours, off)\n" \
  "scream-loss-threshold double [0, 1] ''\n" \
  " That loss rate\n" \
  " (screamv2 4.5.2: 0.01)\n" \
  "scream-policer bool [0, 1] ''\n" \
  " Look for policers and limit the window\n" \
  " (screamv2 4.5.2: ours, off)\n" \
  "scream-policer-threshold double [0, 1] ''\n" \
  " Loss rate that tells of one\n" \
  " (screamv2 4.5.2: 0.1)\n" \
  "scream-beta-policer double [0, 1] ''\n" \
  " What it leaves of the window\n" \
  " (screamv2 4.5.2: 0.9)\n" \
  "scream-undershoot bool [0, 1] ''\n" \
  " Shrink less while the target is below what arrives\n" \
  " (screamv2 4.5.3: ours, off)\n"

/* The draft's numbers; what 4.5 adds is off, but for the clock's drift. */
#define SCREAM_DEFAULTS \
  "scream-l4s=0\nscream-mss=1000\nscream-min-window=3000\nscream-beta-loss=0.7\n" \
  "scream-beta-ecn=0.8\nscream-alpha-up=0.125\nscream-alpha-down=0.0078125\n" \
  "scream-qdelay-target=60000000\nscream-qdelay-gain=0.25\nscream-reduce-jitter=0\n" \
  "scream-jitter-threshold=10000000\nscream-virtual-rtt=25000000\n" \
  "scream-post-congestion-rtts=100\nscream-increase=0.02\nscream-headroom=1.5\n" \
  "scream-overhead-min=1.5\nscream-overhead-max=3\nscream-pacing-headroom=1.5\n" \
  "scream-pacing-min=50000\nscream-relaxed-pacing=4\nscream-relaxed-from=0.8\n" \
  "scream-packet-overhead=20\nscream-adjust-gain=0.0625\nscream-frame-gain=0.015625\n" \
  "scream-clock-drift=1\nscream-conditional-loss=0\nscream-loss-threshold=0.01\n" \
  "scream-policer=0\nscream-policer-threshold=0.1\nscream-beta-policer=0.9\n" \
  "scream-undershoot=0\n"

#endif
