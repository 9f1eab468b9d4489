/* SPDX-License-Identifier: GPL-2.0-only
 *
 * run.h - one simulation from its options to its results
 */
#ifndef RCC_SIM_RUN_H
#define RCC_SIM_RUN_H

#include "options.h"

namespace sim {

/* Runs, writes what --output asks for and returns the lines of the summary, or
 * its JSON.  Throws Error.  Several runs in one process, one after the other, are independent. */
std::string run (const Options &options);

/* Simulated seconds per CPU second, printed. */
void benchmark ();

} // namespace sim

#endif
