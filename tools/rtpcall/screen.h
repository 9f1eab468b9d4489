/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * screen.h - what the person at the terminal sees
 */
#ifndef RTPCALL_SCREEN_H
#define RTPCALL_SCREEN_H

#include "describe.h"

/* One line: rewritten in place on a terminal, else printed once a second.  @received: what the
 * other direction of a call both ways says; else @now. */
void call_screen_progress (const CallSample *now, const CallSample *received);
/* Ends the progress line. */
void call_screen_break (void);
/* On stderr, below the progress line. */
void call_screen_complain (const char *sentence);
void call_screen_csv (const CallSample *row);
/* @title: which direction; NULL: there is one. */
void call_screen_summary (const char *title, const CallOutcome *outcome);
/* On stderr, where the machine was too slow. */
void call_screen_warn (const CallMachineFigures *machine);

#endif
