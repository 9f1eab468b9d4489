/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * flows.h - what scenario tests share: one world, its flows, one table
 */
#ifndef TESTS_SIM_FLOWS_H
#define TESTS_SIM_FLOWS_H

#include <glib.h>
#include "sim/world.h"

/* A world that has run, with one flow of each configuration. */
RccWorld *run_world (const gchar *scenario, RccTime duration, guint64 seed,
    const RccFlowConfig *flows, guint n_flows);

/* The same over a scenario that is given as its text. */
RccWorld *run_text (const gchar *text, RccTime duration, guint64 seed,
    const RccFlowConfig *flows, guint n_flows);

/* The same with @n_renos bulk TCP flows beside them, which start at random within the
 * first second. */
RccWorld *run_tcp (const gchar *text, RccTime duration, guint64 seed,
    const RccFlowConfig *flows, guint n_flows, guint n_renos);

/* Video alone at @bps on the wire, frames of equal size, deaf to congestion, behind the
 * circuit breaker of RFC 8083. */
RccFlowConfig fixed_flow (guint32 bps);

/* GCC as it is, with feedback of that format (rccsim --feedback). */
RccFlowConfig default_flow (const gchar *feedback);

/* @test of each format that GCC knows, as PATH/FORMAT. */
void add_formats (const gchar *path, GTestDataFunc test);

/* What --late, --stall and --clump say of a clock; NULL: nothing. */
RccClockFaults clock_faults (const gchar *late, const gchar *stall, const gchar *clump);
/* Both ends of @c run by such a clock. */
void set_clock (RccFlowConfig *c, const RccClockFaults *faults);

/* What links lost of the media that left within it, 0..1; core/losses.h. */
double lost_share (const RccWorld *w, RccTime from, RccTime to);
/* One line of the table that every scenario prints. */
void print_head (void);
void print_phase (const RccWorld *w, const gchar *label, RccTime from, RccTime to);

/* Every event of a flow's breaker, with what it rests on. */
void print_events (const gchar *label, const RccFlow *f);

const gchar *feedback_name (RccFeedbackFormat feedback);

#endif
