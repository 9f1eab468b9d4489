/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * flows.h - what scenario tests share: one world, its flows, one table
 */
#ifndef TESTS_SIM_FLOWS_H
#define TESTS_SIM_FLOWS_H

#include <glib.h>
#include "world/world.h"

/* A world that has run, with one flow of each configuration. */
RccWorld *run_world (const gchar *scenario, RccTime duration, guint64 seed,
    const RccFlowConfig *flows, guint n_flows);

/* One line of the table that every scenario prints. */
void print_head (void);
void print_phase (const RccWorld *w, const gchar *label, RccTime from, RccTime to);

const gchar *feedback_name (RccFeedbackFormat feedback);

#endif
