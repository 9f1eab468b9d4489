/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry/registry.h - every sender core by name, one row each (core/controller.h)
 */
#ifndef RCC_REGISTRY_H
#define RCC_REGISTRY_H

#include "core/controller.h"

#define RCC_REGISTRY_MAX 64             /* rows, those added at run time included */

/* The row @name; NULL: there is none. */
const RccController *rcc_registry_find (const char *name);

/* Row @i, the default first, those of this library before those that were added; NULL: there
 * are no more. */
const RccController *rcc_registry_row (unsigned i);

/* Adds a row that outlives all uses. False: the name is taken, a function is missing, a size is
 * out of range, or RCC_REGISTRY_MAX is reached. Not while another thread reads. */
bool rcc_registry_add (const RccController *row);

/* All names with ", " between them, into @text; cut where @size is too small. */
void rcc_registry_names (char *text, size_t size);

#endif
