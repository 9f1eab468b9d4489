/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * settings.h - one table per configuration names what can be set, once. Properties of elements,
 * options of rccsim and rccns3, and the reference read the table.
 */
#ifndef RCC_SETTINGS_H
#define RCC_SETTINGS_H

#include "core/rcc.h"

typedef enum {
  RCC_SET_U32,                          /* uint32_t */
  RCC_SET_TIME,                         /* RccTime; "none" is RCC_NEVER */
  RCC_SET_DOUBLE,
  RCC_SET_BOOL,                         /* bool */
  RCC_SET_CHOICE,                       /* an enumeration, or an int with its values */
} RccSettingType;

typedef struct {                        /* as GEnumValue */
  int value;
  const char *text, *name;              /* @name NULL: the end */
} RccChoice;

typedef struct {
  const char *type;                     /* what the enumeration is called: "GccProfile" */
  const RccChoice *values;
} RccChoices;

typedef struct {
  const char *name;                     /* kebab-case; NULL ends the table */
  const char *text;                     /* what it is, without its unit */
  const char *source;                   /* of its default or of the thing; NULL: ours */
  size_t offset;
  RccSettingType type;
  bool live;                            /* a change takes effect at once */
  const char *unit;                     /* "bit/s", "ns", "B", "" ... */
  double least, most;                   /* RCC_NEVER is allowed where @most is it */
  const RccChoices *choices;
} RccSetting;

#define RCC_SETTING(T, member, name, type, live, unit, least, most, text, source) \
  { name, text, source, offsetof (T, member), type, live, unit, least, most, NULL }
#define RCC_SETTING_CHOICE(T, member, name, live, choices, text, source) \
  { name, text, source, offsetof (T, member), RCC_SET_CHOICE, live, "", 0, 0, choices }
#define RCC_SETTINGS_END { .name = NULL }
#define RCC_CHOICES_END { .name = NULL }
#define RCC_FOREVER 0x1p64              /* as a bound of times: RCC_NEVER */

/* The row @name; NULL: there is none. */
const RccSetting *rcc_setting_find (const RccSetting *rows, const char *name);

/* Whether @value is in the row's range, or one of its choices. */
bool rcc_setting_allows (const RccSetting *row, double value);

/* What the row says of the structure @of, and the same set. False, and nothing done, for a value
 * that is not allowed. A double loses ns beyond 104 days. */
double rcc_setting_get (const RccSetting *row, const void *of);
bool rcc_setting_set (const RccSetting *row, void *of, double value);

/* A value in words: a choice's name, "true", "false", and "none" for RCC_NEVER.  False, and
 * nothing done, where @word is none for this row. */
bool rcc_setting_word (const RccSetting *row, const char *word, double *value);

/* The rows of an RccConfig, and what it has by default. */
extern const RccSetting rcc_limits_settings[];
#define RCC_START_BITRATE 300000
#define RCC_LIMITS_DEFAULT { 50000, RCC_START_BITRATE, 10000000 }
#define RCC_BITRATE_LEAST 1000          /* below, a queue would never empty */

#endif
