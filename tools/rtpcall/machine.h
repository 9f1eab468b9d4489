/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * machine.h - whether the machine was fast enough for the call
 *
 * A busy machine delivers as little as a bad network does, so it is judged too. Measures are how
 * late its timers are, the pictures that the encoder did not make, and the CPU that the process
 * took.
 */
#ifndef RTPCALL_MACHINE_H
#define RTPCALL_MACHINE_H

#include "call.h"

/* --- how late timers are -------------------------------------------------- */

#define CALL_NAP (5 * GST_MSECOND)      /* what is slept, again and again: a group of the pacer */

/* Cells of a logarithmic scale from 1 us to 100 s, each 2 % wide: log (1e8) / log (1.02). */
#define CALL_LATENESS_CELLS 931

typedef struct {                        /* zeroed: nothing is known */
  guint64 naps;
  guint64 cells[CALL_LATENESS_CELLS];
  GstClockTime max;                     /* ns */
} CallLateness;

/* What was to be over at @due was over at @now.  One clock, any start. */
void call_lateness_woke (CallLateness *l, GstClockTime due, GstClockTime now);
/* ms; the smallest value that @share (0..1) of the naps do not exceed, at most 2 % too large,
 * what is below 1 us taken for that; NAN: there was none. */
double call_lateness_percentile (const CallLateness *l, double share);

/* --- pictures ------------------------------------------------------------- */

/* At the end so many pictures may be on their way and are no loss. Two are in the queue before
 * the encoder, one is in its hands. */
#define CALL_PICTURES_UNDER_WAY 3

typedef struct {
  guint64 produced;                     /* from the source */
  GArray *waiting;                      /* GstClockTime: came, and no later one was made */
  guint64 passed_by;                    /* came, and a later one was made in their place */
} CallPictures;

void call_pictures_init (CallPictures *p);
void call_pictures_clear (CallPictures *p);
/* @time: the picture's own running time; in order.  No lock. */
void call_pictures_produced (CallPictures *p, GstClockTime time);
void call_pictures_made (CallPictures *p, GstClockTime time);
/* How many were not made, without the @skipped ones that were skipped on purpose. */
guint64 call_pictures_unmade (const CallPictures *p, guint64 skipped);

/* --- the verdict ---------------------------------------------------------- */

/* From here on the machine was too slow.
 *
 * 10 ms are two groups of the pacer, and just below what GCC's over-use detector takes for a
 * queue at first (12.5 ms). Packets that leave or are read later than that look as if the network
 * had held them. One timer in a hundred is two in a second.
 *
 * 2 % of the pictures are one in two seconds at 25 a second, which is seen. */
#define CALL_LATE_BOUND_MS 10.0
#define CALL_UNMADE_BOUND 0.02

typedef struct {
  guint64 naps;
  double late_p50, late_p99, late_max;  /* ms >= 0; NAN: not known */
  gboolean codes;                       /* there is an encoder here; else the next are 0 */
  guint64 pictures, unmade, skipped;    /* of the source; of those not made; and on purpose */
  double of_one_core;                   /* CPU time of the process by time, 0..cores; NAN: not
                                         * known */
  guint cores;                          /* that the process may use, >= 1 */
} CallMachineFigures;

/* 0..1 of all cores. */
double call_machine_share (const CallMachineFigures *f);
/* What of the pictures was not made, 0..1. */
double call_machine_unmade_share (const CallMachineFigures *f);
gboolean call_machine_too_slow (const CallMachineFigures *f);
/* One line that says whether it was fast enough and by what; free it. */
char *call_machine_line (const CallMachineFigures *f);
/* One sentence that says what was too slow and what to do; NULL: it was fast enough. */
char *call_machine_warning (const CallMachineFigures *f);

/* --- watching it ---------------------------------------------------------- */

/* Watches from now on: a thread that sleeps, and the pictures that come to @intake, the queue
 * before the encoder, and leave @encoder; both NULL: nothing is coded here. */
CallMachine *call_machine_new (GstElement *intake, GstElement *encoder);
/* Once, while the elements are still there; @adapter knows how many pictures were skipped on
 * purpose; NULL: none were. */
void call_machine_stop (CallMachine *m, GstElement *adapter);
/* After it was stopped. */
CallMachineFigures call_machine_figures (const CallMachine *m);
void call_machine_free (CallMachine *m);

#endif
