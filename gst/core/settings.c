/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/settings.h"

#include <string.h>

#define RATE(member, name, live, text) \
  RCC_SETTING (RccConfig, member, name, RCC_SET_U32, live, "bit/s", RCC_BITRATE_LEAST, \
      UINT32_MAX, text, NULL)

const RccSetting rcc_limits_settings[] = {
  RATE (min_bps, "min-bitrate", true,
      "Smallest target, whatever the network says; wins over max-bitrate"),
  RATE (start_bps, "start-bitrate", false, "Target until the first feedback"),
  RATE (max_bps, "max-bitrate", true, "Largest target, for media, repair and padding together"),
  RCC_SETTINGS_END
};

const RccSetting *
rcc_setting_find (const RccSetting *rows, const char *name)
{
  for (; rows->name; rows++)
    if (!strcmp (rows->name, name))
      return rows;
  return NULL;
}

double
rcc_setting_get (const RccSetting *row, const void *of)
{
  const char *at = (const char *) of + row->offset;

  switch (row->type) {
    case RCC_SET_U32:
      return *(const uint32_t *) (const void *) at;
    case RCC_SET_TIME:
      return (double) *(const RccTime *) (const void *) at;
    case RCC_SET_DOUBLE:
      return *(const double *) (const void *) at;
    case RCC_SET_BOOL:
      return *(const bool *) at;
    default:
      return *(const int *) (const void *) at;
  }
}

static bool
is_a_choice (const RccChoice *c, double value)
{
  while (c->name && c->value != value)
    c++;
  return c->name != NULL;
}

bool
rcc_setting_allows (const RccSetting *row, double value)
{
  if (row->type == RCC_SET_CHOICE)
    return is_a_choice (row->choices->values, value);
  if (row->type == RCC_SET_BOOL)
    return value == 0 || value == 1;
  return value >= row->least && value <= row->most;
}

bool
rcc_setting_set (const RccSetting *row, void *of, double value)
{
  void *at = (char *) of + row->offset;

  if (!rcc_setting_allows (row, value))
    return false;
  if (row->type == RCC_SET_U32)
    *(uint32_t *) at = (uint32_t) value;
  else if (row->type == RCC_SET_TIME)
    *(RccTime *) at = value >= (double) RCC_NEVER ? RCC_NEVER : (RccTime) value;
  else if (row->type == RCC_SET_DOUBLE)
    *(double *) at = value;
  else if (row->type == RCC_SET_BOOL)
    *(bool *) at = value != 0;
  else
    *(int *) at = (int) value;
  return true;
}

static bool
choice (const RccChoice *c, const char *word, double *value)
{
  while (c->name && strcmp (word, c->name))
    c++;
  if (c->name)
    *value = c->value;
  return c->name != NULL;
}

bool
rcc_setting_word (const RccSetting *row, const char *word, double *value)
{
  if (row->type == RCC_SET_CHOICE)
    return choice (row->choices->values, word, value);
  if (row->type == RCC_SET_BOOL && (!strcmp (word, "true") || !strcmp (word, "false")))
    return *value = word[0] == 't', true;
  if (row->type == RCC_SET_TIME && !strcmp (word, "none"))
    return *value = (double) RCC_NEVER, true;
  return false;
}
