/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * about.h - over what, of what and by what a call was made, in words
 */
#ifndef RTPCALL_ABOUT_H
#define RTPCALL_ABOUT_H

#include "call.h"

/* Names of tools/report.py's "about", each followed by its text; free with
 * g_ptr_array_unref(). */
GPtrArray *call_about (const Call *call);

#endif
