/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * simreport.h - the page of a simulated call, by what draws the page of a live one
 */
#ifndef RCC_SIMREPORT_H
#define RCC_SIMREPORT_H

#include <glib.h>

#include "sim/world.h"

typedef struct {
  const char *command, *scenario;
  const char *name;                     /* of the run, in legends */
  const char *output;                   /* the page */
} SimReport;

/* The first flow of a finished run.  FALSE with one sentence in @error. */
gboolean sim_report_draw (const SimReport *report, const RccWorld *w, GError **error);

#endif
