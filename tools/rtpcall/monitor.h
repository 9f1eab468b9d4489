/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * monitor.h - watches a call: packets by pad probes, elements by their statistics,
 * pictures and changes by their messages
 */
#ifndef RTPCALL_MONITOR_H
#define RTPCALL_MONITOR_H

#include "call.h"
#include "samples.h"

/* After the pipeline is built, before it runs. */
CallMonitor *call_monitor_new (Call *call);
void call_monitor_free (CallMonitor *m);
/* Element messages of the bus. */
void call_monitor_message (CallMonitor *m, GstMessage *message);
/* Every bin and at the end: looks at the elements, hands rows on. */
void call_monitor_look (CallMonitor *m);
void call_monitor_finish (CallMonitor *m);

/* What the elements say now. */
void call_snapshot (Call *call, CallSnapshot *seen);

/* Seconds since the call began. */
double call_monitor_seconds (const CallMonitor *m);
/* The last second: rates; losses and PSNR of the second before it. */
void call_monitor_now (CallMonitor *m, CallSample *row);

/* What the call comes to; free with g_array_unref(). */
GArray *call_monitor_figures (CallMonitor *m);

#endif
