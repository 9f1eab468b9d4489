/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/scenario-values.h"

#include <string.h>

bool
rcc_value_number (const char *s, const RccUnit *units, double max, double *value)
{
  double x = 0, place = 0;
  unsigned digits = 0;

  for (; (*s >= '0' && *s <= '9') || (*s == '.' && place == 0); s++) {
    if (*s == '.') {
      place = 1;
      continue;
    }
    x = x * 10 + (*s - '0');
    place *= 10;
    if (++digits > 15)
      return false;
  }
  if (!digits)
    return false;
  if (place > 1)
    x /= place;
  for (; units->suffix; units++) {
    if (strcmp (s, units->suffix))
      continue;
    *value = x * units->factor;
    return *value <= max;
  }
  return false;
}

const RccUnit rcc_value_rates[] = {
  { "", 1 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { NULL, 0 }
};
static const RccUnit spans[] = {        /* to ns */
  { "", 1e6 }, { "ms", 1e6 }, { "s", 1e9 }, { "us", 1e3 }, { NULL, 0 }
};
const RccUnit rcc_value_times[] = { { "", 1 }, { "s", 1 }, { NULL, 0 } };
const RccUnit rcc_value_plain[] = { { "", 1 }, { NULL, 0 } };
static const RccUnit percent[] = { { "%", 0.01 }, { NULL, 0 } };
const RccUnit rcc_value_bytes[] = { { "B", 1 }, { NULL, 0 } };

bool
rcc_value_chance (const char *s, double *p)
{
  return rcc_value_number (s, percent, 1, p)
      || (rcc_value_number (s, rcc_value_plain, 1, p) && *p < 1);
}

bool
rcc_value_span (const char *s, RccTime *t)
{
  double ns;

  if (!rcc_value_number (s, spans, 3600e9, &ns))
    return false;
  *t = (RccTime) (ns + 0.5);
  return true;
}

bool
rcc_link_limit_parse (const char *text, RccLinkLimit *limit)
{
  double x;

  if (rcc_value_number (text, rcc_value_plain, 1e9, &x) && x == (double) (uint64_t) x)
    *limit = (RccLinkLimit) { RCC_LIMIT_PACKETS, (uint64_t) x };
  else if (rcc_value_number (text, rcc_value_bytes, 1e12, &x))
    *limit = (RccLinkLimit) { RCC_LIMIT_BYTES, (uint64_t) x };
  else if (!rcc_value_number (text, rcc_value_plain, 1e12, &x)
      && rcc_value_number (text, spans, 3600e9, &x))
    *limit = (RccLinkLimit) { RCC_LIMIT_TIME, (uint64_t) (x + 0.5) };
  else
    return false;
  return true;
}
