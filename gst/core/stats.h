/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stats.h - one table per core names its numbers once. The element's "stats" structure, the
 * simulator's CSV columns and the plots all read the table.
 */
#ifndef RCC_STATS_H
#define RCC_STATS_H

#include "core/rcc.h"

typedef enum {
  RCC_U32, RCC_U64, RCC_I64, RCC_DOUBLE, RCC_TIME, RCC_BOOL,
  RCC_STRING                            /* const char *, static text */
} RccFieldType;

typedef struct {
  const char *name;                     /* kebab-case; NULL ends the table */
  size_t offset;
  RccFieldType type;
  const char *unit;                     /* "bit/s", "ns", "B", "" ... */
} RccField;

#define RCC_FIELD(T, member, name, type, unit) \
  { name, offsetof (T, member), type, unit }
#define RCC_FIELDS_END { NULL, 0, RCC_U32, NULL }

#endif
