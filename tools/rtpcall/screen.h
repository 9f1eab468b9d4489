/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * screen.h - what the person at the terminal sees
 */
#ifndef RTPCALL_SCREEN_H
#define RTPCALL_SCREEN_H

#include "machine.h"
#include "monitor.h"

/* One line: rewritten in place on a terminal, else printed once a second. */
void call_screen_progress (CallMonitor *monitor);
/* Ends the progress line. */
void call_screen_break (void);
/* On stderr, below the progress line. */
void call_screen_complain (const char *sentence);
void call_screen_csv (const CallSample *row);
void call_screen_summary (GArray *figures, double duration,
    const CallMachineFigures *machine);
/* On stderr, where the machine was too slow. */
void call_screen_warn (const CallMachineFigures *machine);

#endif
