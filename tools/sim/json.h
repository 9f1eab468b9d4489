/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json.h - writes one JSON value (RFC 8259), whatever the locale
 *
 * All programs write JSON with it. The simulator has no GLib, so JSON-GLib is not for it. Names
 * are literals of the program and stand as they are; @name is NULL in an array.
 */
#ifndef RCC_SIM_JSON_H
#define RCC_SIM_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define RCC_JSON_DEPTH 16               /* of objects and arrays in one another */

typedef struct {
  FILE *out;
  unsigned depth;
  char closing[RCC_JSON_DEPTH];         /* '}' or ']' */
  bool begun[RCC_JSON_DEPTH];           /* it has a member already */
} RccJson;

static inline RccJson
rcc_json (FILE *out)
{
  return (RccJson) { .out = out };
}

/* Until the rcc_json_end() that belongs to it. The end of the outermost ends the line. */
void rcc_json_object (RccJson *j, const char *name);
void rcc_json_array (RccJson *j, const char *name);
void rcc_json_end (RccJson *j);

/* null unless it is finite. Whole numbers are exact, others have ten digits. */
void rcc_json_number (RccJson *j, const char *name, double value);
/* With so many digits after the point. */
void rcc_json_rounded (RccJson *j, const char *name, double value, int digits);
void rcc_json_count (RccJson *j, const char *name, uint64_t value);
/* null for NULL. Bytes that are no UTF-8 become U+FFFD. */
void rcc_json_text (RccJson *j, const char *name, const char *text);
void rcc_json_flag (RccJson *j, const char *name, bool value);

#endif
