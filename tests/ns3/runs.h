/* SPDX-License-Identifier: GPL-2.0-only
 *
 * runs.h - a run of rccns3 from the words of its command line
 */
#ifndef TESTS_NS3_RUNS_H
#define TESTS_NS3_RUNS_H

#include <string>

#include <glib.h>

#include "run.h"

/* As rccns3 splits its command line; throws sim::Error. */
sim::Options options (const std::string &words);
/* The summary of that run; an error ends the test. */
std::string run (const std::string &words);
/* Of the summary's line that begins with @line ("flow=0", "run"). */
double value (const std::string &summary, const std::string &line, const std::string &key);
/* What is said of a bad command line; empty: nothing. */
std::string complaint (const std::string &words);
/* A file of its own with @text in it, as the name of a scenario; gone with the process. */
std::string scenario (const std::string &text);
std::string folder ();
std::string contents (const std::string &folder, const std::string &name);

#endif
