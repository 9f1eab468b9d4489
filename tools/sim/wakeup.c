/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/wakeup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM 0xc10c                   /* of the generator, for the first of the ends */
#define LONGEST 1000.0                  /* s */

bool
rcc_clock_is_punctual (const RccClockFaults *f)
{
  return f->lateness == 0 && f->stall == 0 && f->clump == 0;
}

/* --- words ---------------------------------------------------------------- */

static const struct {
  const char *name, *takes;
} options[] = {
  { "late", "off, or a time such as 10ms or exp:10ms" },
  { "stall", "off, or a time and a longer period, such as 100ms/5s" },
  { "clump", "off, or a time such as 5ms" },
  { "stamp", "socket or read" },
};

static const char *const ends[RCC_ENDS] = { "-sender", "-receiver" };

/* Up to @stop, which is not part of it. */
static bool
parse_time (const char *text, char stop, RccTime *time)
{
  static const struct {
    const char *name;
    double seconds;
  } units[] = { { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1.0 } };
  char *end;
  const double value = strtod (text, &end);

  if (!isdigit ((unsigned char) *text))         /* neither signs nor names of numbers */
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const size_t length = strlen (units[i].name);

    if (strncmp (end, units[i].name, length) || end[length] != stop)
      continue;
    if (!(value * units[i].seconds <= LONGEST))
      return false;
    *time = (RccTime) (value * units[i].seconds * 1e9 + 0.5);
    return true;
  }
  return false;
}

static bool
set_late (RccClockFaults *f, const char *value)
{
  const bool random = !strncmp (value, "exp:", 4);

  f->late = random ? RCC_LATE_EXPONENTIAL : RCC_LATE_CONSTANT;
  return parse_time (random ? value + 4 : value, '\0', &f->lateness);
}

static bool
set_stall (RccClockFaults *f, const char *value)
{
  const char *slash = strchr (value, '/');

  return slash && parse_time (value, '/', &f->stall)
      && parse_time (slash + 1, '\0', &f->period) && f->stall < f->period;
}

static bool
set_stamp (RccClockFaults *f, const char *value)
{
  f->stamp_read = !strcmp (value, "read");
  return f->stamp_read || !strcmp (value, "socket");
}

static bool
set_one (RccClockFaults *f, size_t option, const char *value)
{
  const bool off = !strcmp (value, "off");
  RccClockFaults new = *f;
  bool good;

  if (option == 0)
    good = set_late (&new, off ? "0s" : value);
  else if (option == 1)
    good = set_stall (&new, off ? "0s/1s" : value);
  else if (option == 2)
    good = parse_time (off ? "0s" : value, '\0', &new.clump);
  else
    good = set_stamp (&new, value);
  if (good)
    *f = new;
  return good;
}

/* Which of the options @name is, and what follows the option's own name in it. */
static bool
find (const char *name, size_t *option, const char **rest)
{
  for (*option = 0; *option < sizeof options / sizeof *options; ++*option) {
    const size_t length = strlen (options[*option].name);

    *rest = name + length;
    if (strncmp (name, options[*option].name, length))
      continue;
    if (!**rest || !strcmp (*rest, ends[RCC_END_SENDER])
        || !strcmp (*rest, ends[RCC_END_RECEIVER]))
      return true;
  }
  return false;
}

const char *
rcc_clock_takes (const char *name)
{
  const char *rest;
  size_t option;

  return find (name, &option, &rest) ? options[option].takes : NULL;
}

bool
rcc_clock_set (RccClockFaults clock[RCC_ENDS], const char *name, const char *value)
{
  const char *rest;
  size_t option;

  if (!find (name, &option, &rest))
    return false;
  for (int i = 0; i < RCC_ENDS; i++)
    if ((!*rest || !strcmp (rest, ends[i])) && !set_one (&clock[i], option, value))
      return false;
  return true;
}

static size_t
add_time (char *text, size_t size, const char *before, RccTime time)
{
  const bool long_one = time >= RCC_SEC;

  return (size_t) snprintf (text, size, "%s%g %s", before,
      (double) time * (long_one ? 1e-9 : 1e-6), long_one ? "s" : "ms");
}

static void
describe (const RccClockFaults *f, char *text, size_t size)
{
  size_t n = (size_t) snprintf (text, size, "%s", rcc_clock_is_punctual (f) ? "punctual" : "");

  if (f->lateness)
    n += add_time (text + n, size - n, f->late == RCC_LATE_EXPONENTIAL ? "late exp " : "late ",
        f->lateness);
  if (f->stall) {
    n += add_time (text + n, size - n, n ? ", stall " : "stall ", f->stall);
    n += add_time (text + n, size - n, " every ", f->period);
  }
  if (f->clump)
    n += add_time (text + n, size - n, n ? ", clump " : "clump ", f->clump);
  if (f->stamp_read && !rcc_clock_is_punctual (f))
    snprintf (text + n, size - n, ", stamped when read");
}

void
rcc_clock_text (const RccClockFaults clock[RCC_ENDS], char *text)
{
  char each[RCC_ENDS][144];            /* four numbers of at most 12 characters */

  for (int i = 0; i < RCC_ENDS; i++)
    describe (&clock[i], each[i], sizeof each[i]);
  if (!strcmp (each[RCC_END_SENDER], each[RCC_END_RECEIVER]))
    snprintf (text, RCC_CLOCK_TEXT, "%s", each[RCC_END_SENDER]);
  else
    snprintf (text, RCC_CLOCK_TEXT, "sender %s; receiver %s", each[RCC_END_SENDER],
        each[RCC_END_RECEIVER]);
}

/* --- time ----------------------------------------------------------------- */

void
rcc_wakeup_init (RccWakeup *u, const RccClockFaults *faults, uint64_t seed, RccEnd end)
{
  *u = (RccWakeup) { .faults = *faults, .runs = RCC_NEVER };
  rcc_rng_init (&u->rng, seed, STREAM + (uint64_t) end);
  /* both are drawn whether or not they are used: no fault moves another one's draws */
  u->stall_phase = (RccTime) ((double) faults->period * rcc_rng_uniform (&u->rng));
  u->clump_phase = (RccTime) ((double) faults->clump * rcc_rng_uniform (&u->rng));
}

RccTime
rcc_wakeup_handed (const RccWakeup *u, RccTime arrived)
{
  const RccTime clump = u->faults.clump;
  RccTime over;

  if (clump == 0)
    return arrived;
  over = (arrived + clump - u->clump_phase) % clump;
  return over ? arrived + clump - over : arrived;
}

static RccTime
draw (RccWakeup *u)
{
  if (u->faults.lateness == 0)
    return 0;
  if (u->faults.late == RCC_LATE_CONSTANT)
    return u->faults.lateness;
  return (RccTime) rcc_rng_exponential (&u->rng, (double) u->faults.lateness);
}

/* The end of the stall that @at falls in, or @at itself. */
static RccTime
put_off (const RccWakeup *u, RccTime at)
{
  RccTime into;

  if (u->faults.stall == 0)
    return at;
  into = (at + u->faults.period - u->stall_phase) % u->faults.period;
  return into < u->faults.stall ? at + u->faults.stall - into : at;
}

bool
rcc_wakeup_runs (RccWakeup *u, RccTime due, RccTime now)
{
  if (u->runs == RCC_NEVER && due <= now)
    u->runs = put_off (u, now + draw (u));
  if (u->runs > now)
    return false;
  u->runs = RCC_NEVER;
  return true;
}

RccTime
rcc_wakeup_next (const RccWakeup *u, RccTime due)
{
  return u->runs != RCC_NEVER ? u->runs : due;
}
