/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.h - the files of a call; tools/report.py describes them and draws them
 */
#ifndef RTPCALL_REPORT_H
#define RTPCALL_REPORT_H

#include "describe.h"

/* Makes the directory and the CSV files in it; drawpage.h draws them. */
CallReport *call_report_new (const char *directory, GError **error);
void call_report_free (CallReport *report);

/* A file of its directory that somebody else fills and closes. */
FILE *call_report_file (const char *directory, const char *name, const char *header,
    GError **error);

/* A NULL report takes nothing. */
void call_report_sample (CallReport *report, const CallSample *row);
void call_report_frame (CallReport *report, const CallFrame *frame);
void call_report_event (CallReport *report, double time, const char *source,
    const char *what, const char *detail);
/* Writes call.json, closes the files. */
gboolean call_report_finish (CallReport *report, const Call *call, const CallOutcome *outcome,
    GError **error);

extern const char call_sample_header[];
/* A row without its line end; free it. */
char *call_sample_line (const CallSample *row);

#endif
