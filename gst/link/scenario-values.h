/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scenario-values.h - the numbers of a scenario and their units
 */
#ifndef RCC_LINK_SCENARIO_VALUES_H
#define RCC_LINK_SCENARIO_VALUES_H

#include "link/scenario.h"

typedef struct {
  const char *suffix;
  double factor;
} RccUnit;

extern const RccUnit rcc_value_rates[];         /* to bit/s */
extern const RccUnit rcc_value_times[];         /* to s */
extern const RccUnit rcc_value_plain[];
extern const RccUnit rcc_value_bytes[];

/* Digits with an optional point, then one of @units (a NULL suffix ends them). strtod() would
 * follow the locale and take inf, nan and hexadecimal. */
bool rcc_value_number (const char *s, const RccUnit *units, double max, double *value);
/* A bare number must be below 1: in "loss 1" it is anybody's guess what is meant. */
bool rcc_value_chance (const char *s, double *p);
/* ns; without a unit: ms. */
bool rcc_value_span (const char *s, RccTime *t);

#endif
