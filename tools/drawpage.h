/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * drawpage.h - the page of a call, drawn by tools/report.py from the files of the call
 */
#ifndef RCC_DRAWPAGE_H
#define RCC_DRAWPAGE_H

#include <glib.h>

/* The command line as a shell takes it, the program without its folder; free it. */
char *rcc_quote_command (int argc, char **argv);

/* @output: the page; NULL: report.html in @directory. FALSE with one sentence in @error. */
gboolean rcc_draw_page (const char *directory, const char *output, GError **error);

#endif
